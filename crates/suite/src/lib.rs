//! Many models in one call: what is expected of each, and whether it is so.
//!
//! What is expected stands in a comment of the model ([`expect`]), or in a file beside it
//! ([`mod@listed`]). Each expectation is a check: a
//! process of `orbit` with `--json`, so that one that fails, or takes too long, takes no other
//! with it. Its answer is judged ([`judge`]): a violation counts only where the property that is
//! named is violated by a run that was replayed, so that a check that went wrong in another way is
//! never taken for one.
//!
//! ```text
//! /* orbit: expect violated assertions -D N=3 */
//! /* orbit: expect holds states=113 -D N=5 -A */
//! ```

pub mod expect;
pub mod judge;
pub mod listed;
pub mod run;
pub mod sarif;

pub use expect::{Expectation, Expected, expectations};
pub use judge::{Outcome, Standing};
pub use listed::{Listed, listed};
pub use run::{Runner, Tested};
