//! A search that is over soon: how many states a model has, if these are not too many.

use crate::detect::Detect;
use crate::plan::SearchOptions;
use crate::reduction::{Reduction, Wanted};
use base::Clock;
use check::{Attention, Ended, Options, Order, Progress, StopReason, Threads, TreeStore};
use model::frontend::{Model, Rules, Subject};
use reduce::processes::sort::Sends;
use report::object::ShortSearch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many states are stored, about.
const N_STATES_MAX: u64 = 100_000;
/// How long it may take.
const TIME_MAX: Duration = Duration::from_secs(2);
/// How much memory it may take.
const MEMORY_BYTES_MAX: u64 = 1 << 29;

/// Searches; `None` if that cannot be done.
pub fn search(
    model: &dyn Model,
    subject: &dyn Subject,
    clock: Clock<'static>,
) -> Option<ShortSearch> {
    let how = how(clock);
    let rules = model.about().rules;
    for sends in [Sends::Assumed, Sends::Wait] {
        let wanted = Wanted {
            how: &how,
            detect: &Detect::Structure,
            keeps_start: rules.is_some_and(|rules| rules != Rules::Own),
            sends,
        };
        let mut reduction = Reduction::of(subject, &wanted).ok()?;
        let is_enough = AtomicBool::new(false);
        let end = Clock::of(Some(TIME_MAX)).interrupted_by(&is_enough);
        let mut store = TreeStore::new();
        let mut observer = |progress: &Progress| {
            if progress.n_states >= N_STATES_MAX {
                is_enough.store(true, Ordering::Relaxed);
            }
        };
        let options = options(end);
        let outcome = reduction.explore(subject, &mut store, &options, &mut observer);
        let outcome = outcome.ok()?;
        if outcome.ended != Ended::Stopped(StopReason::Refuted) {
            let errors = outcome.findings.iter();
            let is_complete = outcome.ended == Ended::Complete;
            let n = outcome.counts.n_states;
            return Some(ShortSearch {
                states: if is_complete { n } else { n.min(N_STATES_MAX) },
                is_complete,
                is_wrong: errors.filter(|f| f.violation.is_error()).count() > 0,
            });
        }
    }
    None
}

/// Exact representatives, in order of breadth, to the end.
fn how(clock: Clock<'static>) -> SearchOptions {
    SearchOptions {
        stop_after: None,
        memory_bytes_max: Some(MEMORY_BYTES_MAX),
        ..SearchOptions::exact(clock)
    }
}

fn options(clock: Clock<'_>) -> Options<'_> {
    Options {
        order: Order::Breadth,
        deadlocks: Attention::Reported,
        assertions: Attention::Reported,
        invariants: Attention::Reported,
        goals: Attention::Ignored,
        stop_after: None,
        memory_bytes_max: Some(MEMORY_BYTES_MAX),
        clock,
        depth_max: None,
        progress_every: Duration::from_millis(5),
        threads: Threads::ONE,
    }
}
