//! Whether a model refines another by forward simulation: what is counted, and what comes of it.
//!
//! A front end whose models refine each other answers with these; `docs/theory/refinement.md` says
//! what is meant.

use std::ops::ControlFlow;
use system::{FaultText, Taken};

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Pairs of related states that were met.
    pub n_pairs: u64,
    /// States of the refinement.
    pub n_concrete: u64,
    /// States of what it refines.
    pub n_abstract: u64,
    /// The memory that all of it takes, estimated.
    pub n_bytes: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether it refines.
    pub verdict: Verdict,
    /// What was counted.
    pub counts: Counts,
}

/// Whether it refines.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Violated(Box<Counterexample>),
    /// Nobody can tell.
    Open(Open),
}

/// Why nobody can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The caller wanted it to stop.
    Stopped,
    /// There are pairs deeper than it was to go.
    Depth,
    /// Something could not be computed.
    Gap(FaultText),
}

/// A run of the refinement that what it refines cannot match.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// An initial state of the refinement, packed.
    pub start: Vec<u8>,
    /// The steps from there.
    pub steps: Vec<Taken>,
    /// What is missing.
    pub missing: Missing,
    /// The operation that the machine cannot match, as called, and its line.
    pub step: Option<(String, u32)>,
    /// Variables of the machine before the last step, by name.
    pub beside: Vec<(String, String)>,
}

/// What is missing at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// An initial state of what is refined that is related to the one of the run.
    Start,
    /// A step like the last: no run of the machine goes along with this one.
    Step,
    /// The same, for the best that the machine can do: another of its runs goes along with this
    /// one, and fails elsewhere.
    BestStep,
    /// A call that the machine allows after the run, and the refinement does not.
    Call,
}

/// How far to go.
pub struct Limits<'l> {
    /// The most steps of a run.
    pub depth_max: Option<u64>,
    /// Asked again and again; `Break` stops.
    pub watch: &'l mut dyn FnMut(&Counts) -> ControlFlow<()>,
}
