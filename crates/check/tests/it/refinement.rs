//! Refinement of processes, beside the definitions of the models.
//!
//! - `naive`: sets of states after traces, and failures and divergences as they are defined.
//! - `random`: small processes and networks for a seed.
//! - `verdicts`: ours and those of the definitions, over thousands of processes.
//! - `symmetry`: searches over representatives of pairs.
//! - `models`, `reduction`: symmetric networks, and every way to reduce them.
//! - `structures`: groups and states that are not those of plain exchanges.
//! - `audit`: symmetries looked at again on every pair.
//! - `planted`: processes and reducers that lie, and that this is noticed.
//! - `by_hand`: what is shown of small examples; limits.

mod audit;
mod by_hand;
mod determinism;
mod models;
mod naive;
mod planted;
mod random;
mod reduction;
mod structures;
mod symmetry;
mod verdicts;

use check::refinement::twist::{PairReducer, Untwisted};
use check::refinement::{Broken, Limits, Model, Outcome, Setting, Verdict};
use std::time::Duration;

pub const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

pub const LIMITS: Limits<'static> = Limits {
    spec_states_max: 100_000,
    pairs_max: None,
    depth_max: None,
    memory_bytes_max: None,
    clock: base::Clock::ENDLESS,
    progress_every: Duration::MAX,
};

/// Runs a check with a reducer.
pub fn with<T>(reducer: &mut dyn PairReducer, check: impl FnOnce(&mut Setting<'_>) -> T) -> T {
    check(&mut Setting {
        reducer,
        limits: LIMITS,
        observer: &mut |_| {},
    })
}

/// Runs a check without reduction.
#[track_caller]
pub fn run(check: impl FnOnce(&mut Setting<'_>) -> Result<Outcome, Broken>) -> Outcome {
    with(&mut Untwisted, check).expect("a replay")
}

pub fn holds(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        Verdict::Holds(_) => true,
        Verdict::Violated(_) => false,
        Verdict::Unknown(unknown) => panic!("unknown: {unknown}"),
    }
}
