//! Whether a process is deterministic: whether after a trace an event may both be done and refused.
//!
//! **By a part of itself.** From the start, and from wherever an event leads, follow τ to some
//! state that has none (or can do ✓, which then is all that is kept of it), and keep that one
//! alone; of the transitions that it has with an event keep one. What is kept is a deterministic
//! process that refines the whole, and nothing refines a deterministic process but itself. So the
//! process is deterministic if and only if it refines, in turn, what was kept of it; which is in
//! normal form already. The search costs no more than one for deadlocks if the process is
//! deterministic. This is the algorithm of FDR (Roscoe 1997, section 13.6.2).
//!
//! In the model of failures and divergences a process that diverges is not deterministic; the
//! search finds that, too. If from some state τ lead to no stable state at all, nothing can be kept
//! there, but then the process diverges, and it is enough to look for that.
//!
//! **By itself twice.** In the model of failures alone such a process may be deterministic: where
//! nothing is stable nothing is refused. Then pairs of states are searched that the same trace
//! leads to, one of which refuses what the other does.
//!
//! Worked example. `P = a -> STOP [] a -> b -> STOP`. Kept is one of the two, say `a -> STOP`;
//! after `a` the process can do `b`, which is not allowed there: after `a`, `b` may be done or
//! refused.
//!
//! **With symmetry.** What is kept need not be symmetric, so pairs are searched in another way
//! ([`reduced`]), which says that a process is deterministic; that it is not is shown without
//! symmetry.

mod reduced;

use crate::gap::Gap;
use crate::outcome::StopReason;
use crate::refinement::counterexample::{Counterexample, DoneBy, Kind, Run};
use crate::refinement::normal::Normal;
use crate::refinement::spec::Spec;
use crate::refinement::tuples::Tuples;
use crate::refinement::twist::Untwisted;
use crate::refinement::{
    Broken, Guard, Model, Outcome, Setting, Unknown, Verdict, answer, divergence_free, twice,
};
use crate::store::Store;
use base::memory::{Account, vec_bytes};
use model::network::{Label, Process, Steps};
use reduced::Found;
use std::collections::HashSet;

/// Whether `process` is deterministic.
///
/// # Requires
/// The model is not that of traces, in which nothing is refused.
pub fn deterministic(
    process: &dyn Process,
    model: Model,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    assert_ne!(model, Model::Traces, "nothing is refused in traces");
    if setting.reducer.is_identity() {
        return without_symmetry(process, model, setting);
    }
    match reduced::found(process, setting)? {
        Found::Answer(outcome) => Ok(outcome),
        Found::Diverges => without_symmetry(process, model, setting),
        Found::Bad => {
            let outcome = without_symmetry(process, model, setting)?;
            if matches!(outcome.verdict, Verdict::Holds(_)) {
                return Err(Run::new(process.initial()).broken(Gap::SameVerdict));
            }
            Ok(outcome)
        }
    }
}

fn without_symmetry(
    process: &dyn Process,
    model: Model,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let mut guard = Guard::new(setting.limits);
    let kept = kept(process, &mut guard);
    if let (Ok(None), Model::Failures) = (&kept, model) {
        return twice::outcome(process, setting.limits, &mut *setting.observer);
    }
    let mut plain = Setting {
        reducer: &mut Untwisted,
        limits: setting.limits,
        observer: &mut *setting.observer,
    };
    match kept {
        Err(unknown) => Ok(guard.gave_up(unknown)),
        Ok(Some(kept)) => {
            let normal = Normal::deterministic(kept, model);
            let mut outcome = answer::answer(&Spec::Normal(&normal), process, &mut plain)?;
            if let Verdict::Violated(shown) = outcome.verdict {
                outcome.verdict = Verdict::Violated(Box::new(two_runs(process, *shown)?));
            }
            Ok(outcome)
        }
        Ok(None) => divergence_free(process, &mut plain),
    }
}

/// The process that is kept, by state where events lead; `None` if something cannot be kept.
type Kept = Option<Vec<Vec<(Label, u32)>>>;

fn kept(process: &dyn Process, guard: &mut Guard<'_>) -> Result<Kept, Unknown> {
    let full = |_| Unknown::Stopped(StopReason::Memory);
    let mut account = Account::new(guard.limits.memory_bytes_max);
    let sizes = process.sizes().iter().copied();
    let mut states = Tuples::new(std::iter::once(1).chain(sizes));
    let mut all = Vec::new();
    let Some(initial) = settled(process, process.initial(), guard)?.pop() else {
        return Ok(None);
    };
    states.insert(0, &initial, &mut account).map_err(full)?;
    let mut tuple = vec![0; initial.len() + 1];
    while all.len() < states.len() {
        guard.tick()?;
        states.tuple(all.len() as u32, &mut tuple);
        let mut edges = Vec::new();
        for (label, target) in kept_edges(process, &tuple[1..]) {
            let Some(target) = settled(process, target, guard)?.pop() else {
                return Ok(None);
            };
            let (number, _) = states.insert(0, &target, &mut account).map_err(full)?;
            edges.push((label, number));
        }
        account.take(vec_bytes(&edges)).map_err(full)?;
        account.push(&mut all, edges).map_err(full)?;
    }
    Ok(Some(all))
}

/// What is kept of a state's transitions: ✓ alone if there is one, else one for each label.
fn kept_edges(process: &dyn Process, state: &[u32]) -> Vec<(Label, Vec<u32>)> {
    let mut steps = Steps::new();
    process.steps(state, &mut steps);
    let mut edges: Vec<(Label, Vec<u32>)> = Vec::new();
    let labels = steps.labels();
    let ends = labels.contains(&Label::TICK);
    for (i, &label) in labels.iter().enumerate() {
        let is_new = edges.iter().all(|&(other, _)| other != label);
        if is_new && (!ends || label == Label::TICK) {
            edges.push((label, steps.state(i).to_vec()));
        }
    }
    edges
}

/// The states that τ lead through to one that has none, or can end; empty if there is no such.
fn settled(
    process: &dyn Process,
    from: Vec<u32>,
    guard: &mut Guard<'_>,
) -> Result<Vec<Vec<u32>>, Unknown> {
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut path: Vec<Vec<u32>> = Vec::new();
    // States that wait, and how long the path to them is.
    let mut waiting = vec![(from, 0)];
    let mut steps = Steps::new();
    while let Some((state, n)) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        guard.tick()?;
        path.truncate(n);
        process.steps(&state, &mut steps);
        let labels = steps.labels();
        path.push(state);
        if labels.contains(&Label::TICK) || !labels.contains(&Label::TAU) {
            return Ok(path);
        }
        for (i, _) in labels.iter().enumerate().rev() {
            if labels[i] == Label::TAU {
                waiting.push((steps.state(i).to_vec(), n + 1));
            }
        }
    }
    Ok(Vec::new())
}

/// The run of what is kept that has this trace.
fn kept_run(process: &dyn Process, trace: &[Label]) -> Result<Run, Broken> {
    let mut run = Run::new(process.initial());
    let mut guard = Guard::new(crate::refinement::Limits {
        spec_states_max: u64::MAX,
        pairs_max: None,
        depth_max: None,
        memory_bytes_max: None,
        clock: base::Clock::ENDLESS,
        progress_every: std::time::Duration::MAX,
    });
    let mut labels = trace.iter();
    loop {
        let from = run.end().to_vec();
        let Ok(path) = settled(process, from, &mut guard) else {
            return Err(run.broken(Gap::Time));
        };
        if path.is_empty() {
            return Err(run.broken(Gap::StableState));
        }
        for state in &path[1..] {
            run.take(process, Label::TAU, state)?;
        }
        let Some(label) = labels.next() else {
            return Ok(run);
        };
        let edges = kept_edges(process, run.end());
        let Some((_, target)) = edges.iter().find(|(other, _)| other == label) else {
            return Err(run.broken(Gap::KeptEvent));
        };
        run.take(process, *label, target)?;
    }
}

/// What the violation of a refinement of what is kept says about the process.
fn two_runs(process: &dyn Process, shown: Counterexample) -> Result<Counterexample, Broken> {
    let mut trace = shown.run.trace();
    let kind = match shown.kind {
        Kind::NotAllowed { event, .. } => {
            trace.pop();
            let other = kept_run(process, &trace)?;
            if !refuses(process, other.end(), event) {
                return Err(other.broken(Gap::Refusal));
            }
            Kind::Nondeterminism {
                event,
                done_by: DoneBy::Run,
                other,
            }
        }
        Kind::Refusal { offered, allowed } => {
            let kept = allowed.first().map_or(&[][..], |set| &set[..]);
            let Some(&event) = kept.iter().find(|label| !offered.contains(label)) else {
                return Err(shown.run.broken(Gap::RefusedEvent));
            };
            trace.push(event);
            let mut other = kept_run(process, &trace)?;
            // Up to the event.
            while other
                .steps
                .last()
                .is_some_and(|step| step.label == Label::TAU)
            {
                other.steps.pop();
            }
            Kind::Nondeterminism {
                event,
                done_by: DoneBy::Other,
                other,
            }
        }
        kind => kind,
    };
    let run = shown.run;
    Ok(Counterexample { run, kind })
}

/// Whether a state can refuse an event.
pub fn refuses(process: &dyn Process, state: &[u32], event: Label) -> bool {
    let moves = process.moves(state);
    let has = |label: Label| moves.iter().any(|step| step.label == label);
    if has(Label::TICK) {
        event != Label::TICK
    } else {
        !has(Label::TAU) && !has(event)
    }
}
