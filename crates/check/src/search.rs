//! Searches, and the runs that show what they found.
//!
//! The loop is in [`mod@walk`]; it leaves paths of representatives behind. Here they become
//! witnesses: each path is replayed on the unreduced system, and what cannot be replayed is not
//! shown.
//!
//! Worked example: a search with a reducer that sorts two counters leaves the path
//! `(0,0) (0,1) (1,1)`; the witness is the run `(0,0) (1,0) (1,1)` of the system
//! (`crates/check/src/witness.rs`).

mod block;
mod crew;
mod pool;
mod source;
pub(crate) mod walk;

use crate::Reducer;
use crate::finding::Found;
use crate::frontier::breadth::Breadth;
use crate::frontier::depth::Stack;
use crate::frontier::kept::Kept;
use crate::frontier::mixed::Mixed;
use crate::options::{Observer, Options, Order};
use crate::outcome::{Ended, Finding, Outcome, StopReason};
use crate::store::{Recall, Store, trees::TreeStore};
use crate::witness::Broken;
use reduce::partial::Annotated;
use source::{On, Path, Source};
use system::System;
use walk::{Bounds, Context, Made, Walk, walk};

/// What a search is made of.
pub struct Parts<'a> {
    /// Who chooses representatives.
    pub reducer: &'a mut dyn Reducer,
    /// Where states go; empty at the start.
    pub store: &'a mut dyn Recall,
}

/// Searches `system` with an exact store.
///
/// # Ensures
/// Every witness in the outcome was replayed on `system` without the reducer's help. If one could
/// not be, there is no outcome: something of ours is wrong.
pub fn explore(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    explore_with(system, parts, options, observer)
}

/// Searches `system` with parts of the caller's choice; as [`explore`] otherwise.
pub fn explore_with(
    system: &dyn System,
    parts: Parts<'_>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let Parts { reducer, store } = parts;
    let searched = Searched::plain(system);
    witnessed(searched, Made { reducer, store }, options, observer)
}

/// Searches `lean`, which leaves out moves that symmetries make of others; as [`explore_with`]
/// otherwise. Runs are those of `whole`, which has all moves.
pub fn explore_lean(
    lean: &dyn System,
    whole: &dyn System,
    parts: Parts<'_>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let Parts { reducer, store } = parts;
    let searched = Searched {
        whole,
        ..Searched::plain(lean)
    };
    witnessed(searched, Made { reducer, store }, options, observer)
}

/// Searches annotated states; as [`explore_with`] otherwise. Runs are those of the system without
/// annotations.
pub fn explore_annotated(
    system: &Annotated<'_>,
    parts: Parts<'_>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let Parts { reducer, store } = parts;
    let searched = Searched {
        folded: Some(system),
        ..Searched::plain(system)
    };
    witnessed(searched, Made { reducer, store }, options, observer)
}

/// What is searched.
#[derive(Clone, Copy)]
struct Searched<'a> {
    system: &'a dyn System,
    /// The system with the same states in which runs are replayed.
    whole: &'a dyn System,
    /// The system, if its states are annotated.
    folded: Option<&'a Annotated<'a>>,
}

impl<'a> Searched<'a> {
    /// A system with all its moves, and no annotations.
    fn plain(system: &'a dyn System) -> Searched<'a> {
        Searched {
            system,
            whole: system,
            folded: None,
        }
    }
}

/// Searches `system` with a store that need not give states back; as [`explore_with`] otherwise.
pub fn explore_compact(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    store: &mut dyn Store,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let searched = Searched::plain(system);
    witnessed(searched, Made { reducer, store }, options, observer)
}

/// Searches, and replays what was found.
fn witnessed<S: Source + ?Sized>(
    searched: Searched<'_>,
    made: Made<'_, S>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, Broken> {
    let system = searched.system;
    let mut scratch = system.scratch();
    let Made { reducer, store } = made;
    let bounds = Bounds::of(options);
    let with = Made {
        reducer: &mut *reducer,
        store: &mut *store,
    };
    let context = Context {
        observer,
        scratch: &mut scratch,
    };
    let left = match options.order {
        Order::Breadth => walk(system, with, Breadth::default(), bounds, context),
        Order::Depth => walk(system, with, Stack::default(), bounds, context),
        Order::Mixed { seed, to_front } => {
            walk(system, with, Mixed::new(seed, to_front), bounds, context)
        }
    };
    outcome(searched, Made { reducer, store }, left)
}

/// What a search found, each thing with a run that was replayed.
fn outcome<S: Source + ?Sized>(
    searched: Searched<'_>,
    made: Made<'_, S>,
    left: Walk<<S::Kept as Kept>::Way>,
) -> Result<Outcome, Broken> {
    let system = searched.system;
    let mut findings: Vec<Finding> = Vec::new();
    let mut ended = left.ended;
    for found in &left.findings {
        let Found {
            violation, path, ..
        } = found;
        let on = On {
            system: searched.whole,
            folded: searched.folded,
            reducer: &mut *made.reducer,
        };
        let path = Path {
            visits: path,
            violation: *violation,
        };
        let (violation, witness) = match made.store.replay(on, &path) {
            Ok(shown) => shown,
            // What a limit of time or work left open may be answered the second time. Then it
            // cannot be shown, and it is still open.
            Err(_) if !violation.is_error() => {
                if ended == Ended::Complete {
                    let why = violation.hides();
                    ended = Ended::Stopped(why.unwrap_or(StopReason::Undecided));
                }
                continue;
            }
            Err(broken) => return Err(broken),
        };
        // Faults that symmetries make of each other may be shown by one run.
        match findings
            .iter_mut()
            .find(|known| known.violation == violation)
        {
            Some(known) => known.n_seen += found.n_seen,
            None => findings.push(Finding {
                violation,
                n_seen: found.n_seen,
                witness,
            }),
        }
    }
    Ok(Outcome {
        ended,
        findings,
        n_errors: left.n_errors,
        counts: left.counts,
        memory: left.memory,
        elapsed: left.elapsed,
        reducing: left.shares.reducing,
        storing: left.shares.storing,
        generating: left.shares.generating,
        unreached: system.not_covered(&left.covered),
        covered: left.covered,
    })
}
