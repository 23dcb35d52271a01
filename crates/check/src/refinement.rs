//! Refinement of processes in the three models of CSP, and what is asked of one process alone.
//!
//! `S ⊑ P` says that all that `P` can do, refuse, or get lost in, `S` can too. `S` is brought into
//! normal form ([`normal`]), in which a trace leads to one state; then pairs of a normal state and
//! a state of `P`, a system of their own (`pairs`), are searched by breadth (`answer`). Deadlock,
//! divergence and whether there is a trace are searches with a specification of one state or one
//! line (`spec`); determinism is a refinement by a part of the process itself (`determinism`).
//! What is shown of a violation has been replayed on the plain account of the process, without
//! reduction ([`counterexample`]).
//!
//! The theory, with an example, is in `docs/theory/refinement-csp.md`.

pub mod normal;

pub mod twist;

pub mod audit;

mod answer;
mod determinism;
mod divergence;
mod explicit;
mod pairs;
mod spec;
mod tuples;
mod twice;

pub mod counterexample;

use crate::gap::Gap;
use crate::options::Observer;
use crate::outcome::StopReason;
use base::{Clock, Over, Ticker};
use counterexample::{Counterexample, Run};
use model::network::{Label, Process};
use normal::Normal;
use reduce::network::Specification;
use spec::Spec;
use std::fmt;
use std::time::{Duration, Instant};
use twist::PairReducer;

pub use determinism::deterministic;

/// In which of the models of CSP processes are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Model {
    /// What can happen.
    Traces,
    /// And what can be refused, where nothing internal can happen.
    Failures,
    /// And where internal events can go on for ever; after that, anything is allowed.
    FailuresDivergences,
}

/// How far a check may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// States of a specification, before and after it is made normal.
    pub spec_states_max: u64,
    /// Pairs of states.
    pub pairs_max: Option<u64>,
    /// Transitions from the start to a pair that is looked at.
    pub depth_max: Option<u64>,
    /// What pairs, and what goes with them, may take.
    pub memory_bytes_max: Option<u64>,
    /// When it has to stop.
    pub clock: Clock<'a>,
    /// How often the observer is called, at most.
    pub progress_every: Duration,
}

/// What a check is run with.
pub struct Setting<'a> {
    /// Who stands for pairs that are alike.
    pub reducer: &'a mut dyn PairReducer,
    /// How far it may go.
    pub limits: Limits<'a>,
    /// Who is told how far it has come.
    pub observer: &'a mut Observer<'a>,
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether it holds.
    pub verdict: Verdict,
    /// What was counted.
    pub counts: Counts,
    /// The most that pairs, and what goes with them, took.
    pub peak_bytes: u64,
    /// How long it took, the counterexample not included.
    pub elapsed: Duration,
}

/// Whether what was asked for holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It does. A trace that was asked for comes with a run that has it.
    Holds(Option<Box<Run>>),
    /// It does not, and this shows it.
    Violated(Box<Counterexample>),
    /// Not everything was seen.
    Unknown(Unknown),
}

/// Why something is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The search was stopped.
    Stopped(StopReason),
    /// There are more pairs than may be.
    Pairs(u64),
    /// There are pairs farther from the start than was looked.
    Depth(u64),
    /// The specification has more states than may be.
    Specification(u64),
    /// The normal form of the specification has more states than may be.
    Normal(u64),
}

/// What a check counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Pairs of a normal state and a state of the process.
    pub n_pairs: u64,
    /// How many pairs these stand for, if representatives say it.
    pub n_full: Option<u128>,
    /// Transitions of the process from those that were looked at.
    pub n_transitions: u64,
    /// States of the normal form; 1 where it is not a process that is compared with.
    pub n_normal: u64,
    /// Transitions to the pair that is farthest from the start.
    pub depth: u64,
}

/// A replay that got stuck: a mistake of ours, or a reducer that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// How many transitions could be taken.
    pub n_steps: usize,
    /// What was missing then.
    pub missing: Gap,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the replay of a counterexample stopped after {} transitions: {}",
            self.n_steps, self.missing
        )
    }
}

impl std::error::Error for Broken {}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Stopped(StopReason::Time) => write!(f, "time ran out"),
            Unknown::Stopped(StopReason::Memory) => write!(f, "memory ran out"),
            Unknown::Stopped(_) => write!(f, "the search was interrupted"),
            Unknown::Pairs(n) => write!(f, "there are more than {n} pairs of states"),
            Unknown::Depth(n) => write!(f, "there are pairs beyond depth {n}"),
            Unknown::Specification(n) => {
                write!(f, "the specification has more than {n} states")
            }
            Unknown::Normal(n) => write!(
                f,
                "the normal form of the specification has more than {n} states"
            ),
        }
    }
}

/// Whether `process` refines `spec`.
///
/// # Ensures
/// A counterexample was replayed; if that could not be done there is no outcome.
pub fn refines(
    spec: &dyn Process,
    process: &dyn Process,
    model: Model,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let mut guard = Guard::new(setting.limits);
    match Normal::of(spec, model, &mut guard) {
        Ok(normal) => refines_normal(&normal, process, setting),
        Err(unknown) => Ok(guard.gave_up(unknown)),
    }
}

/// The normal form of a process in a model.
pub fn normalise(
    process: &dyn Process,
    model: Model,
    limits: Limits<'_>,
) -> Result<Normal, Unknown> {
    Normal::of(process, model, &mut Guard::new(limits))
}

/// Whether `process` refines a specification in normal form, in the model of the latter.
pub fn refines_normal(
    spec: &Normal,
    process: &dyn Process,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    answer::answer(&Spec::Normal(spec), process, setting)
}

/// What freedom from deadlock or divergence is compared with, as permutations of events see it.
pub fn freedom() -> Specification<'static> {
    let spec = Spec::Free {
        of_deadlock: true,
        of_divergence: true,
    };
    Specification::Alike(spec.len())
}

/// Whether `process` never stops but by ✓; in [`Model::FailuresDivergences`], also whether it never
/// diverges.
pub fn deadlock_free(
    process: &dyn Process,
    model: Model,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let spec = Spec::Free {
        of_deadlock: true,
        of_divergence: model == Model::FailuresDivergences,
    };
    answer::answer(&spec, process, setting)
}

/// Whether `process` never diverges.
pub fn divergence_free(
    process: &dyn Process,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    let spec = Spec::Free {
        of_deadlock: false,
        of_divergence: true,
    };
    answer::answer(&spec, process, setting)
}

/// Whether `process` has a trace. In [`Model::Failures`], also whether it cannot refuse the next
/// event of it at any point; in [`Model::FailuresDivergences`], also whether it cannot diverge
/// before the end of it.
pub fn has_trace(
    process: &dyn Process,
    trace: &[Label],
    model: Model,
    setting: &mut Setting<'_>,
) -> Result<Outcome, Broken> {
    assert!(!trace.contains(&Label::TAU), "τ is in no trace");
    let spec = Spec::Trace {
        events: trace,
        model,
    };
    answer::answer(&spec, process, setting)
}

impl From<Over> for Unknown {
    fn from(over: Over) -> Unknown {
        Unknown::Stopped(over.into())
    }
}

/// The limits that are looked at again and again, and the clock.
pub(crate) struct Guard<'a> {
    limits: Limits<'a>,
    start: Instant,
    ticker: Ticker<'a>,
}

/// How many ticks there are between two looks at the clock.
const TICKS: u32 = 256;

impl<'a> Guard<'a> {
    pub(crate) fn new(limits: Limits<'a>) -> Guard<'a> {
        Guard {
            limits,
            start: Instant::now(),
            ticker: Ticker::new(limits.clock, TICKS),
        }
    }

    /// Looks at the clock from time to time: says so if it did.
    #[inline]
    fn tick(&mut self) -> Result<bool, Unknown> {
        Ok(self.ticker.tick()?)
    }

    fn look(&self) -> Result<(), Unknown> {
        Ok(self.limits.clock.ask()?)
    }

    /// What is said of a check that did not come to its search.
    fn gave_up(&self, unknown: Unknown) -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(unknown),
            counts: Counts::default(),
            peak_bytes: 0,
            elapsed: self.start.elapsed(),
        }
    }
}
