//! Searches over any system.
//!
//! [`task::explore`] runs one loop over a [`system::System`]. Its parts can be exchanged: the order
//! ([`options::Order`]), the store ([`store::Store`]), the reducer ([`Reducer`]), and the observer
//! that is told how far it has come. [`explore`] and [`explore_with`] are for callers who bring a
//! reducer, or a store that they look into afterwards. What comes back is an [`outcome::Outcome`]:
//! a verdict, what was found with a replayed [`witness::Witness`] each, and the counts. Processes
//! of CSP are compared by [`refinement`], with the same loop.

pub mod options;
pub mod outcome;

pub mod search;
pub mod states;

pub mod task;

mod finding;
mod frontier;
mod gap;
mod samples;

pub mod refinement;

pub mod ltl;
pub mod store;
pub mod visible;

pub mod witness;

pub mod temporal;

pub mod ctl;

pub use gap::Gap;
pub use options::{Attention, Begin, Chance, Observer, Options, Order, Progress, Threads};
pub use outcome::{Counts, Ended, Finding, Memory, Outcome, StopReason, Verdict, Violation};
pub use reduce::reducer::{Guarantee, Identity, Reducer, Reducers, Symmetry, Work};
pub use search::{Parts, explore, explore_annotated, explore_compact, explore_lean, explore_with};
pub use store::{Code, Inserted, NodeId, Recall, Store, compact::CompactStore, trees::TreeStore};
pub use task::{StoreKind, Task};
pub use witness::{Broken, Change, StoredState, Witness, WitnessStep};
