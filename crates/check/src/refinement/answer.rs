//! From a search of pairs to an answer.
//!
//! [`Pairs`] are searched by the one loop, by breadth, up to the first bad pair. Its path, of
//! representatives, becomes a run of the process in [`counterexample`].
//!
//! Where a trace is looked for, each pair says how much of it was done. If the search comes to its
//! end, the first pair that has done most is where the trace is found, or where it gets stuck.

use crate::Reducer;
use crate::finding::Found;
use crate::frontier::breadth::Breadth;
use crate::options::{Attention, Options, Order};
use crate::outcome::{Ended, StopReason, Violation};
use crate::refinement::counterexample::{self, Searched};
use crate::refinement::pairs::{PairMemory, Pairs, Shared, What};
use crate::refinement::spec::Spec;
use crate::refinement::tuples::{Layout, Tuples};
use crate::refinement::twist::Packed;
use crate::refinement::{Broken, Counts, Limits, Outcome, Setting, Unknown, Verdict};
use crate::search::walk::{Bounds, Context, Made, Walk, walk};
use crate::store::NodeId;
use model::network::Process;
use std::sync::Mutex;
use system::System;

/// Searches for a bad pair, and says what it means.
pub fn answer(
    spec: &Spec<'_>,
    process: &dyn Process,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let sizes = process.sizes().iter().copied();
    let layout = Layout::new(std::iter::once(spec.len() as u32).chain(sizes));
    let mut pairs = Tuples::with(layout.clone());
    let limits = setting.limits;
    let reducer = &mut *setting.reducer;
    let is_shared = reducer.audits() || spec.minds_divergence() && !reducer.is_identity();
    let mutex: Shared<'_>;
    let (mut packed, shared) = if is_shared {
        mutex = Mutex::new(reducer);
        (Packed::shared(&layout, &mutex), Some(&mutex))
    } else {
        (Packed::owned(&layout, reducer), None)
    };
    let system = Pairs {
        process,
        spec,
        layout: layout.clone(),
        shared,
        bytes_max: limits.memory_bytes_max,
        clock: limits.clock,
    };
    let mut scratch = system.scratch();
    let made = Made {
        reducer: &mut packed,
        store: &mut pairs,
    };
    let context = Context {
        observer: &mut *setting.observer,
        scratch: &mut scratch,
    };
    let left = search(&system, made, limits, context);
    let memory = scratch.as_content::<PairMemory>();
    let counts = Counts {
        n_pairs: left.counts.n_states,
        n_full: left.n_full,
        n_transitions: memory.n_transitions(),
        n_normal: match spec {
            Spec::Normal(normal) => normal.len() as u64,
            Spec::Free { .. } | Spec::Trace { .. } => 1,
        },
        depth: left.depth_at_end,
    };
    let peak_bytes = left.memory.peak_bytes + memory.peak_bytes();
    let searched = Searched {
        process,
        spec,
        reducer: &mut *setting.reducer,
        pairs: &mut pairs,
    };
    Ok(Outcome {
        verdict: verdict(&left, limits, searched)?,
        counts,
        peak_bytes,
        elapsed: left.elapsed,
    })
}

/// The one loop, by breadth, up to the first bad state.
pub fn search(
    system: &impl System,
    made: Made<'_, Tuples, impl Reducer>,
    limits: Limits<'_>,
    context: Context<'_>,
) -> Walk<()> {
    let options = Options {
        order: Order::Breadth,
        deadlocks: Attention::Ignored,
        assertions: Attention::Reported,
        invariants: Attention::Reported,
        goals: Attention::Reported,
        stop_after: Some(1),
        memory_bytes_max: limits.memory_bytes_max,
        clock: limits.clock,
        depth_max: None,
        progress_every: limits.progress_every,
        threads: crate::Threads::ONE,
    };
    let bounds = Bounds {
        options: &options,
        n_states_max: limits.pairs_max,
        expanded_depth_max: limits.depth_max,
        n_between_looks: 256,
        n_between_samples: None,
    };
    walk(system, made, Breadth::default(), bounds, context)
}

/// Why a search that stopped gives no answer.
pub fn unknown(reason: StopReason, limits: Limits<'_>) -> Unknown {
    match (reason, limits.depth_max, limits.pairs_max) {
        (StopReason::Depth, Some(max), _) => Unknown::Depth(max),
        (StopReason::Cut, _, Some(max)) => Unknown::Pairs(max),
        (reason, _, _) => Unknown::Stopped(reason),
    }
}

/// The states of a path.
pub fn nodes(found: &Found<()>) -> Vec<NodeId> {
    found.path.iter().map(|visit| visit.node).collect()
}

fn verdict(left: &Walk<()>, limits: Limits<'_>, searched: Searched<'_>) -> Result<Verdict, Broken> {
    let at = |found: &Found<()>| match found.violation {
        Violation::Fault(fault) => Some((What::of(fault), fault.site.index())),
        Violation::Deadlock | Violation::Unfinished => None,
    };
    let found = match left.ended {
        Ended::Stopped(reason) => return Ok(Verdict::Unknown(unknown(reason, limits))),
        Ended::AtError => left.findings.iter().find(|f| f.violation.is_error()),
        // The first of those that have done most of a trace; nothing where none is looked for.
        Ended::Complete => left
            .findings
            .iter()
            .max_by_key(|found| at(found).map(|at| at.1)),
    };
    let Some((found, (what, n_done))) = found.and_then(|found| Some((found, at(found)?))) else {
        return Ok(Verdict::Holds(None));
    };
    let what = match what {
        What::NoGoal if searched.spec.is_goal(n_done as u32) => What::Goal,
        what => what,
    };
    counterexample::verdict(searched, &nodes(found), what)
}
