//! What can be run step by step: a system, and how its runs are told.

use super::classes::StateClasses;
use crate::trail::{self, TrailStep};
use model::Machine;
use model::frontend::Telling;
use std::ops::Deref;
use system::{Fault, FaultKind, Scratch, System, Taken};

/// A system that is run step by step.
pub struct SteppedSystem<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// The same, if it is one of processes: SPIN's trails number their statements.
    pub machine: Option<&'a Machine>,
    /// How its runs are told.
    pub telling: Telling,
    /// Which moves stand for others, if only some are offered.
    pub classes: Option<StateClasses>,
}

impl<'a> Deref for SteppedSystem<'a> {
    type Target = dyn System + 'a;

    fn deref(&self) -> &(dyn System + 'a) {
        self.system
    }
}

impl SteppedSystem<'_> {
    /// Whether a move only takes away what has ended.
    pub fn is_end(&self, steps: &[Taken]) -> bool {
        steps.iter().all(|step| self.system.is_idle(*step))
    }

    /// Whether a step is the one that was recorded.
    pub fn is(&self, taken: Taken, step: &TrailStep) -> bool {
        match (step, self.machine) {
            (TrailStep::Ours(recorded), _) => taken == *recorded,
            (TrailStep::Spin { process, statement }, Some(machine)) => {
                trail::numbers(machine, taken) == (*process, Some(*statement))
            }
            (TrailStep::Spin { .. }, None) => false,
        }
    }

    /// What is wrong in a state itself, so that a run ends there.
    pub fn bad(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        let mut first = None;
        self.system.wrong(state, scratch, &mut |fault| {
            if !matches!(fault.kind, FaultKind::Goal | FaultKind::Undecided(_)) {
                first.get_or_insert(fault);
            }
        });
        first
    }
}
