//! Permutation groups, coloured graphs and canonical images: pure mathematics.
//!
//! Nothing here knows of states, models or files. There is **one action convention**, stated in
//! [`perm`]: permutations act on the left, `(p * q)(x) = p(q(x))`, and a permutation moves the
//! value at position `x` to position `p(x)`.

pub mod certify_chain;
pub mod chain;
pub mod cycles;
pub mod families;
pub mod orbit;
pub mod perm;
pub mod subgroup;

pub use chain::{Chain, Group};
pub use perm::{Perm, Point};
