//! Permutation groups, coloured graphs and canonical images: pure mathematics.
//!
//! Nothing here knows of states, models or files. There is **one action convention**, stated in
//! [`perm`]: permutations act on the left, `(p * q)(x) = p(q(x))`, and a permutation moves the
//! value at position `x` to position `p(x)`.

mod budget;
pub mod cycles;
mod numbers;
pub mod orbit;
mod perm;

pub mod certify_chain;
mod chain;
pub mod families;
mod subgroup;

pub mod backtrack;
pub mod blocks;
pub mod largest;
pub mod shape;

pub mod graph;
pub mod image;

mod mix;

pub use budget::{Budget, NoAnswer};
pub use chain::{Chain, Group};
pub use perm::{Perm, Point};
