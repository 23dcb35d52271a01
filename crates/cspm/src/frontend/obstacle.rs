//! Why something about a script was not worked out.

use crate::compile::called;
use crate::eval::{Fault, FaultKind, Script};
use crate::operate::StepFailure;
use crate::process::{TermId, Terms};
use base::words::{bytes, counted, grouped};
use base::{Diagnostic, quote};
use model::frontend::Obstacle;

/// Why something could not be evaluated.
pub fn faulty(fault: &Fault) -> Obstacle {
    let said = Box::new(fault.diagnostic());
    match fault.kind {
        FaultKind::Stopped => Obstacle::Stopped(None),
        FaultKind::Wrong => Obstacle::Mistake(said),
        FaultKind::Missing => Obstacle::Missing(said),
    }
}

/// Why a process could not be compiled; `exploring` is the part of it that was worked on.
pub fn failed(
    why: &StepFailure<Box<Fault>>,
    exploring: Option<TermId>,
    terms: &Terms,
    script: &Script,
) -> Obstacle {
    let name = |later| quote(&script.later_name(later, terms));
    let leaf = exploring;
    let leaf = leaf.map(|term| quote(&called(term, terms, script)));
    let leaf = leaf.unwrap_or_else(|| "a process".to_owned());
    let last = |process: Option<_>| match process.map(name) {
        Some(last) if last != leaf => format!(", the last of them in {last}"),
        _ => String::new(),
    };
    match why {
        StepFailure::Evaluate(fault) => faulty(fault),
        StepFailure::Stopped => Obstacle::Stopped(None),
        StepFailure::Unguarded(later) => {
            let message = format!("the first events of {} depend on themselves", name(*later));
            Obstacle::Mistake(Box::new(Diagnostic::unlocated(message)))
        }
        StepFailure::Deep { depth_max, process } => {
            let n = grouped(*depth_max as u64);
            let last = last(*process);
            Obstacle::Limit(format!(
                "{leaf} has more than {n} operators within each other{last}"
            ))
        }
        StepFailure::Memory { bytes_max, process } => {
            let n = bytes(*bytes_max);
            let last = last(*process);
            Obstacle::Spent(format!(
                "memory ran out: the states of {leaf} take more than {n}{last}; `--memory` \
                 allows more"
            ))
        }
        StepFailure::States {
            states_max,
            process,
        } => {
            let n = counted(*states_max as u64, "state");
            let last = last(*process);
            Obstacle::Limit(format!(
                "{leaf} has more than {n}{last}; `--leaf-states N` allows more"
            ))
        }
    }
}
