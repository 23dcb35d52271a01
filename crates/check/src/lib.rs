//! Searches over any system.
//!
//! [`explore`] runs one loop over a [`system::System`]. Its parts can be exchanged: the order
//! ([`options::Order`]), the store ([`store::Store`]), the reducer ([`Reducer`]), and the
//! observer that is told how far it has come. What comes back is an [`outcome::Outcome`]: a
//! verdict, what was found with a replayed [`witness::Witness`] each, and the counts. Processes of
//! CSP are compared by [`refinement`].

pub mod options;
pub mod outcome;

pub mod search;

mod finding;
mod frontier;
mod samples;

pub mod refinement;

pub mod ltl;
pub mod store;
pub mod visible;

pub mod witness;

pub mod temporal;

pub mod ctl;

pub use options::{Attention, Observer, Options, Order, Progress};
pub use outcome::{Counts, Ended, Finding, Memory, Outcome, StopReason, Verdict, Violation};
pub use reduce::reducer::{Guarantee, Identity, Reducer, Symmetry};
pub use search::{Parts, explore, explore_with};
pub use store::{Code, Inserted, NodeId, Store, tree::TreeStore};
pub use witness::{Broken, Change, Witness, WitnessStep};
