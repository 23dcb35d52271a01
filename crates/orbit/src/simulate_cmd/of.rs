//! What can be run: models and machines, and what differs between them.

use crate::trail::{self, TrailStep};
use bmachine::live::Live;
use cspm::running::Running;
use model::Machine;
use model::processes::program::Action;
use system::{Fault, FaultKind, Scratch, System, Taken};

/// A system that can be run step by step.
pub trait Simulated: System {
    /// Whether the values at the start are shown.
    fn shows_start(&self) -> bool;

    /// What a run that is stuck has come to, in words.
    fn stuck(&self) -> &'static str;

    /// Whether a move is that a process which has ended goes away.
    fn is_end(&self, _: &[Taken]) -> bool {
        false
    }

    /// Whether a step is the one that was recorded.
    fn is(&self, taken: Taken, step: &TrailStep) -> bool;

    /// What is wrong in a state itself, so that a run ends there.
    fn bad(&self, _: &[u8], _: &mut Scratch) -> Option<Fault> {
        None
    }
}

impl Simulated for Machine {
    fn shows_start(&self) -> bool {
        false
    }

    fn stuck(&self) -> &'static str {
        "no process can go on"
    }

    fn is_end(&self, steps: &[Taken]) -> bool {
        let action = |taken: &Taken| &self.model().step(self.taken(*taken).1).action;
        steps
            .iter()
            .all(|taken| matches!(action(taken), Action::End))
    }

    fn is(&self, taken: Taken, step: &TrailStep) -> bool {
        match step {
            TrailStep::Ours(recorded) => taken == *recorded,
            TrailStep::Spin { process, statement } => {
                trail::numbers(self, taken) == (*process, Some(*statement))
            }
        }
    }
}

impl Simulated for Live {
    fn shows_start(&self) -> bool {
        true
    }

    fn stuck(&self) -> &'static str {
        "no operation can be taken"
    }

    fn is(&self, taken: Taken, step: &TrailStep) -> bool {
        *step == TrailStep::Ours(taken)
    }

    fn bad(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        let mut first = None;
        self.wrong(state, scratch, &mut |fault| {
            if !matches!(fault.kind, FaultKind::Goal | FaultKind::Undecided(_)) {
                first.get_or_insert(fault);
            }
        });
        first
    }
}

impl Simulated for Running {
    fn shows_start(&self) -> bool {
        true
    }

    fn stuck(&self) -> &'static str {
        "no event can be done"
    }

    fn is(&self, taken: Taken, step: &TrailStep) -> bool {
        *step == TrailStep::Ours(taken)
    }
}
