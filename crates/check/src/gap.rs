//! What a replay lacked when it got stuck, in words.
//!
//! A replay that gets stuck is a mistake of ours, or of a reducer that is none: there is no outcome
//! then, and whoever reports it needs to know what was looked for and not found.
//!
//! Worked example: a reducer that says of its symmetries that they move nothing makes the run of a
//! path look for a move that is not there: [`Gap::Image`].

use std::fmt;

/// What was looked for and not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The fault of the start.
    StartFault,
    /// An initial state.
    Initial,
    /// A move to the next state.
    NextState,
    /// The like move of the run.
    Image,
    /// The steps of a move.
    Steps,
    /// The deadlock.
    Deadlock,
    /// A move with the fault.
    FaultyMove,
    /// The steps before the fault.
    StepsBeforeFault,
    /// A move with the next step.
    NextStep,
    /// The move that led to a state.
    FirstMove,
    /// A turn that ends in the same orbit.
    SameOrbit,
    /// An accepting state in the loop.
    Accepting,
    /// The fairness of the loop.
    Fairness,
    /// Rest.
    Rest,
    /// The end of a loop that is not too long.
    LoopEnd,
    /// What the run is to show.
    Claim,
    /// The same verdict without symmetry.
    SameVerdict,
    /// The same at the end without symmetry.
    SameEnd,
    /// A transition of the process.
    Transition,
    /// A step of the specification.
    SpecStep,
    /// What was looked for.
    Goal,
    /// The first pair.
    FirstPair,
    /// A step between pairs.
    PairStep,
    /// The event that is not allowed.
    ForbiddenEvent,
    /// A specification that forbids events.
    ForbiddingSpec,
    /// A reason not to allow the event.
    ReasonToForbid,
    /// A state that refuses too much.
    RefusingState,
    /// A reason not to diverge.
    ReasonNotToDiverge,
    /// A cycle of τ.
    TauCycle,
    /// A trace that was looked for.
    Trace,
    /// Time.
    Time,
    /// A stable state.
    StableState,
    /// An event of what is kept.
    KeptEvent,
    /// A refusal.
    Refusal,
    /// An event that is refused.
    RefusedEvent,
    /// A pair that is bad.
    BadPair,
    /// The event that is refused.
    EventRefused,
}

impl Gap {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Gap::StartFault => "the fault of the start",
            Gap::Initial => "an initial state",
            Gap::NextState => "a move to the next state",
            Gap::Image => "the like move of the run",
            Gap::Steps => "the steps of a move",
            Gap::Deadlock => "the deadlock",
            Gap::FaultyMove => "a move with the fault",
            Gap::StepsBeforeFault => "the steps before the fault",
            Gap::NextStep => "a move with the next step",
            Gap::FirstMove => "the move that led to a state",
            Gap::SameOrbit => "a turn that ends in the same orbit",
            Gap::Accepting => "an accepting state in the loop",
            Gap::Fairness => "the fairness of the loop",
            Gap::Rest => "rest",
            Gap::LoopEnd => "the end of a loop that is not too long",
            Gap::Claim => "what the run is to show",
            Gap::SameVerdict => "the same verdict without symmetry",
            Gap::SameEnd => "the same at the end without symmetry",
            Gap::Transition => "a transition of the process",
            Gap::SpecStep => "a step of the specification",
            Gap::Goal => "what was looked for",
            Gap::FirstPair => "the first pair",
            Gap::PairStep => "a step between pairs",
            Gap::ForbiddenEvent => "the event that is not allowed",
            Gap::ForbiddingSpec => "a specification that forbids events",
            Gap::ReasonToForbid => "a reason not to allow the event",
            Gap::RefusingState => "a state that refuses too much",
            Gap::ReasonNotToDiverge => "a reason not to diverge",
            Gap::TauCycle => "a cycle of τ",
            Gap::Trace => "a trace that was looked for",
            Gap::Time => "time",
            Gap::StableState => "a stable state",
            Gap::KeptEvent => "an event of what is kept",
            Gap::Refusal => "a refusal",
            Gap::RefusedEvent => "an event that is refused",
            Gap::BadPair => "a pair that is bad",
            Gap::EventRefused => "the event that is refused",
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
