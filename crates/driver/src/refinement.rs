//! Whether a model refines another, after its own states were searched.

use crate::plan::CheckPlan;
use check::{StopReason, Witness};
use model::frontend::{Purpose, Starts};
use model::refinement::{Counterexample, Counts, Limits, Missing, Open, Verdict};
use report::summary::reason_words;
use report::{Property, Summary, Violated};
use std::ops::ControlFlow;
use system::System;

/// How many questions there are between two looks at the clock.
const TICKS: usize = 64;

/// Adds to a summary whether the model refines what it is to refine.
pub fn check(plan: &CheckPlan, summary: &mut Summary) {
    let options = plan.options();
    let mut stopped = None;
    let mut n_asked = 0;
    let mut watch = |counts: &Counts| {
        let is_full = options
            .memory_bytes_max
            .is_some_and(|max| counts.n_bytes > max);
        let reason = is_full.then_some(StopReason::Memory);
        stopped = reason.or_else(|| {
            let over = options.clock.ask_at(n_asked, TICKS).err();
            over.map(StopReason::from)
        });
        n_asked += 1;
        match stopped {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let limits = Limits {
        depth_max: options.depth_max,
        watch: &mut watch,
    };
    let Some((refined, outcome)) = plan.model.refinement(limits) else {
        return;
    };
    let Ok(subject) = plan.model.subject(&Purpose::Errors) else {
        return;
    };
    let system = subject.system(Starts::All);
    let mut property = Property::unanswered("refinement", "refinement");
    match outcome.verdict {
        Verdict::Holds if system.gave_up() => {
            summary.stop_reason = summary.stop_reason.or(Some(StopReason::Time));
            property.reason = Some(reason_words(StopReason::Time).to_owned());
        }
        Verdict::Holds => property.verdict = report::Verdict::Holds,
        Verdict::Violated(found) => {
            property.verdict = report::Verdict::Violated;
            property.violations.push(violated(system, &refined, *found));
        }
        Verdict::Open(open) => {
            let reason = match &open {
                Open::Stopped => stopped.unwrap_or(StopReason::Interrupted),
                Open::Depth => StopReason::Depth,
                Open::Gap(_) => StopReason::Cut,
            };
            summary.stop_reason = summary.stop_reason.or(Some(reason));
            property.reason = Some(match open {
                Open::Gap(gap) => format!("line {}: {}", gap.line, gap.message),
                Open::Stopped | Open::Depth => reason_words(reason).to_owned(),
            });
        }
    }
    summary.n_pairs = Some(outcome.counts.n_pairs);
    summary.peak_bytes = summary.peak_bytes.max(outcome.counts.n_bytes);
    summary.add(property);
}

/// The run, taken once more, and what is missing at its end.
fn violated(system: &dyn System, name: &str, found: Counterexample) -> Violated {
    let message = match found.missing {
        Missing::Start => format!("no initial state of `{name}` is related to this one"),
        Missing::Step => format!("no step of `{name}` matches the last one"),
        Missing::BestStep => {
            format!("no step of `{name}` matches the last one, where it is at best")
        }
        Missing::Call => format!("`{name}` allows what the refinement does not"),
    };
    let witness = Witness::along(system, &found.start, &found.steps, found.beside);
    let witness = witness.unwrap_or_else(|n| {
        panic!("the replay of a run against a refinement stopped after {n} steps")
    });
    Violated {
        step: found.step,
        ..Violated::new(message, witness)
    }
}
