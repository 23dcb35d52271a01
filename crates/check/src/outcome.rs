//! What a search found.

use crate::witness::Witness;
use base::Over;
use reduce::reducer::GivenUp;
use std::time::Duration;
use system::{Fault, FaultKind, Rest, StepText};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// Each thing that was found, once, in the order in which they were found first.
    pub findings: Vec<Finding>,
    /// How many errors were seen, each time counted.
    pub n_errors: u64,
    /// What was counted.
    pub counts: Counts,
    /// What it took.
    pub memory: Memory,
    /// How long it took, witnesses not included.
    pub elapsed: Duration,
    /// About how much of that went into representatives: estimated from samples.
    pub reducing: Duration,
    /// About how much went into looking states up and storing them: estimated likewise.
    pub storing: Duration,
    /// About how much went into loading states and generating what follows them: estimated
    /// likewise. The three need not add up to the whole, in which the machine may do other things.
    pub generating: Duration,
    /// Steps that the modeller wrote and the search did not take; says something about the model
    /// only if the search is complete.
    pub unreached: Vec<StepText>,
    /// By step: whether the search took it.
    pub covered: Vec<bool>,
}

impl From<Over> for StopReason {
    fn from(over: Over) -> StopReason {
        match over {
            Over::Time => StopReason::Time,
            Over::Interrupted => StopReason::Interrupted,
        }
    }
}

impl From<GivenUp> for StopReason {
    fn from(given_up: GivenUp) -> StopReason {
        match given_up {
            GivenUp::Refuted => StopReason::Refuted,
            GivenUp::Clock(over) => over.into(),
        }
    }
}

/// Whether what was asked for holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every reachable state was seen, and nothing was wrong.
    Holds,
    /// Something is wrong, and there is a witness.
    Violated,
    /// Nothing wrong was seen, but not everything was seen.
    Unknown(StopReason),
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Every reachable state was seen, and every move from it.
    Complete,
    /// At the error at which it was to stop.
    AtError,
    /// For another reason, with states or moves not seen.
    Stopped(StopReason),
}

/// Why something was not seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The store would have outgrown its memory.
    Memory,
    /// Time was up.
    Time,
    /// There are states deeper than the search may go.
    Depth,
    /// Somebody interrupted it.
    Interrupted,
    /// Steps without a stored state between did not end, so that what comes after them was not
    /// seen.
    Endless,
    /// States that are not alike may have been taken for one.
    Approximate,
    /// A state was met that the symmetries of the search do not fit.
    Refuted,
    /// Not all ways to take a step were tried.
    Cut,
    /// In some state it could not be decided whether something holds.
    Undecided,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What.
    pub violation: Violation,
    /// How many times it was seen.
    pub n_seen: u64,
    /// A run that shows it: by breadth, a shortest one.
    pub witness: Witness,
}

/// What can be found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Violation {
    /// A state without moves in which not every process may rest.
    Deadlock,
    /// A state without moves in which every process may rest, but a trace may not.
    Unfinished,
    /// Something went wrong in a step.
    Fault(Fault),
}

/// What a search counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// States stored.
    pub n_states: u64,
    /// Ways into a stored state: every move, with multiplicity, and one for each initial state.
    pub n_transitions: u64,
    /// By breadth, the moves of the longest shortest path; by depth, the steps of the longest
    /// stack; in mixed order, the moves of the longest path by which a state was reached first.
    pub depth: u64,
}

/// What a search took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    /// The most that states, and what goes with them, took at any time.
    pub peak_bytes: u64,
    /// What states and their parents took at the end.
    pub store_bytes: u64,
}

impl Outcome {
    /// Whether nothing that was looked for is there.
    pub fn verdict(&self) -> Verdict {
        match self.ended {
            _ if self.findings.iter().any(|f| f.violation.is_error()) => Verdict::Violated,
            Ended::Complete if self.findings.iter().any(|f| f.violation.is_undecided()) => {
                Verdict::Unknown(StopReason::Undecided)
            }
            Ended::Complete => Verdict::Holds,
            Ended::AtError => unreachable!("the search stopped at an error and kept none"),
            Ended::Stopped(reason) => Verdict::Unknown(reason),
        }
    }

    /// What a stored state took, its share of everything included.
    pub fn bytes_per_state(&self) -> f64 {
        self.memory.store_bytes as f64 / self.counts.n_states.max(1) as f64
    }
}

impl Violation {
    /// What is wrong where nothing moves.
    pub fn of(rest: Rest) -> Option<Violation> {
        match rest {
            Rest::Moves | Rest::End => None,
            Rest::Deadlock => Some(Violation::Deadlock),
            Rest::Unfinished => Some(Violation::Unfinished),
        }
    }

    /// Whether it is an error of the model. Steps that do not end, or of which only some were
    /// tried, are none: what they hide is not known. Nor is what could not be decided.
    pub fn is_error(self) -> bool {
        self.hides().is_none() && !self.is_undecided()
    }

    /// Whether it says that something could not be decided in a state.
    pub fn is_undecided(self) -> bool {
        matches!(self, Violation::Fault(fault) if matches!(fault.kind, FaultKind::Undecided(_)))
    }

    /// Why something was not seen after it, if so.
    pub fn hides(self) -> Option<StopReason> {
        match self {
            Violation::Fault(fault) if fault.kind == FaultKind::Endless => {
                Some(StopReason::Endless)
            }
            Violation::Fault(fault) if fault.kind == FaultKind::Cut => Some(StopReason::Cut),
            Violation::Fault(_) | Violation::Deadlock | Violation::Unfinished => None,
        }
    }
}
