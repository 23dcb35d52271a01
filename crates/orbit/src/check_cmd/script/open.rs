//! Why something about a script was not worked out.

use base::{Clock, Diagnostic, quote};
use check::StopReason;
use cspm::compile::called;
use cspm::eval::{Fault, FaultKind, Script};
use cspm::operate::Failure;
use cspm::process::{TermId, Terms};

/// Why an assertion has no verdict, or a process cannot be run.
pub enum Open {
    /// Something is wrong with the script.
    Mistake(Box<Diagnostic>),
    /// Something is right, and cannot be answered here.
    Unsupported(String),
    /// The same, with its place.
    Missing(Box<Diagnostic>),
    /// A limit came first.
    Limit(String),
    /// Components took too much memory.
    Spent(String),
    /// The work was stopped; why, where that is known.
    Stopped(Option<StopReason>),
}

impl Open {
    /// The same as a message; `clock` says why the work was stopped.
    pub fn diagnostic(self, clock: Clock<'_>) -> Diagnostic {
        match self {
            Open::Mistake(said) | Open::Missing(said) => *said,
            Open::Unsupported(words) | Open::Limit(words) | Open::Spent(words) => {
                Diagnostic::unlocated(words)
            }
            Open::Stopped(reason) => {
                let over = clock.ask().err().map(StopReason::from);
                let reason = reason.or(over).unwrap_or(StopReason::Time);
                Diagnostic::unlocated(report::reason_words(reason))
            }
        }
    }
}

/// Why something could not be evaluated.
pub fn faulty(fault: &Fault) -> Open {
    let said = Box::new(fault.diagnostic());
    match fault.kind {
        FaultKind::Stopped => Open::Stopped(None),
        FaultKind::Wrong => Open::Mistake(said),
        FaultKind::Missing => Open::Missing(said),
    }
}

/// Why a process could not be compiled; `exploring` is the part of it that was worked on.
pub fn failure(
    why: &Failure<Box<Fault>>,
    exploring: Option<TermId>,
    terms: &Terms,
    script: &Script,
) -> Open {
    let name = |later| quote(&script.later_name(later, terms));
    let leaf = exploring;
    let leaf = leaf.map(|term| quote(&called(term, terms, script)));
    let leaf = leaf.unwrap_or_else(|| "a process".to_owned());
    let last = |process: Option<_>| match process.map(name) {
        Some(last) if last != leaf => format!(", the last of them in {last}"),
        _ => String::new(),
    };
    match why {
        Failure::Evaluate(fault) => faulty(fault),
        Failure::Stopped => Open::Stopped(None),
        Failure::Unguarded(later) => {
            let message = format!("the first events of {} depend on themselves", name(*later));
            Open::Mistake(Box::new(Diagnostic::unlocated(message)))
        }
        Failure::Deep { depth_max, process } => {
            let n = report::words::grouped(*depth_max as u64);
            let last = last(*process);
            Open::Limit(format!(
                "{leaf} has more than {n} operators within each other{last}"
            ))
        }
        Failure::Memory { bytes_max, process } => {
            let n = report::words::bytes(*bytes_max);
            let last = last(*process);
            Open::Spent(format!(
                "memory ran out: the states of {leaf} take more than {n}{last}; `--memory` \
                 allows more"
            ))
        }
        Failure::States {
            states_max,
            process,
        } => {
            let n = report::words::counted(*states_max as u64, "state");
            let last = last(*process);
            Open::Limit(format!(
                "{leaf} has more than {n}{last}; `--leaf-states N` allows more"
            ))
        }
    }
}
