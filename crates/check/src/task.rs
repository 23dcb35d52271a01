//! All that a search is made from, in one place.
//!
//! [`explore`] makes the store and the reducer itself. Whoever wants to see the states afterwards,
//! as an audit does, brings a store: [`crate::explore_with`].
//!
//! Worked example: a task with [`Identity`](crate::Identity), [`StoreKind::Exact`] and an order by
//! breadth is a plain search whose verdict is certain; the same with [`StoreKind::Compact`] takes
//! fewer bytes, finds the same errors unless two hashes agree, and never says `holds`.

use crate::Reducers;
use crate::options::{Observer, Options};
use crate::outcome::Outcome;
use crate::search::{Parts, explore_compact, explore_with};
use crate::store::compact::CompactStore;
use crate::store::trees::TreeStore;
use crate::witness::Broken;
use system::System;

/// All that a search is made from.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// What is searched.
    pub system: &'a dyn System,
    /// Who chooses representatives.
    pub reducers: &'a dyn Reducers,
    /// What states are kept in.
    pub store: StoreKind,
    /// What is asked, in which order, and how far it may go.
    pub options: Options<'a>,
}

/// What states are kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreKind {
    /// Every state, in full.
    Exact,
    /// A hash of each state: nothing is known to hold.
    Compact {
        /// How long the hash is, at most 64.
        n_bits: u32,
    },
}

/// Does a task, with one worker.
///
/// # Ensures
/// As [`crate::explore`].
pub fn explore(task: &Task<'_>, observer: &mut Observer<'_>) -> Result<Outcome, Broken> {
    let mut reducer = task.reducers.worker();
    let (system, options) = (task.system, &task.options);
    match task.store {
        StoreKind::Exact => {
            let parts = Parts {
                reducer: &mut *reducer,
                store: &mut TreeStore::new(),
            };
            explore_with(system, parts, options, observer)
        }
        StoreKind::Compact { n_bits } => {
            let mut store = CompactStore::new(n_bits);
            explore_compact(system, &mut *reducer, &mut store, options, observer)
        }
    }
}
