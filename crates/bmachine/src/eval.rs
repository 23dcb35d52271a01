//! What expressions and predicates are, where constants, variables and bound variables have values.
//!
//! The typed machine is turned into [`code`] once. Evaluation walks over the code with a
//! [`Context`]: the values of the machine's constants and variables, and a frame with a slot for
//! each bound variable.
//!
//! An expression that has no value (a function applied outside of its domain, a division by zero)
//! is a [`Trouble`] with its place. Conjunctions, disjunctions and implications are evaluated from
//! left to right and stop as soon as they are decided, so that `x : dom(f) & f(x) = 1` never asks
//! for a value that is not there.
//!
//! While a solution is being built some variables have no value yet. What depends on them is
//! [`Fault::Unknown`]: neither true nor false. A conjunction with an unknown and a false part is
//! false. A function that is being built argument by argument is known where it has a value.
//!
//! Not every question has an answer: what ranges over infinitely many values is tried in part only.
//! Such a question is *cut*, which is a [`Trouble`], too. A cut is never taken for an answer: a
//! counterexample or a witness among what was tried decides, and a part that decides the whole
//! does so whatever the cut part would have been ([`kleene`]).
//!
//! Sets that are infinite or large stay symbolic (`value::symbolic`): [`sets`] asks them,
//! [`list`](mod@list) lists them.

pub mod code;
pub mod compile;
pub mod deadline;
pub(crate) mod expr;
pub(crate) mod kleene;
pub(crate) mod lambda;
pub mod list;
pub(crate) mod pred;
pub mod relations;
mod room;
pub(crate) mod sets;

use std::fmt;
use std::sync::Arc;

use base::Span;

use crate::cells::ExchangeClasses;
use crate::value::{Set, Value, ValueError};
use deadline::Deadline;

/// A symbolic set with more elements than this is never written down.
pub(crate) const LIST_MAX: u64 = 1 << 20;

/// Why something could not be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TroubleKind {
    /// The expression has no value.
    Undefined(ValueError),
    /// The elements of the set are needed, and there are infinitely many or too many of them.
    NoList,
    /// Not all values were tried: of what, and which were.
    NoBound(String),
    /// A number has too many bits to be worked with.
    TooLarge,
    /// There are too many candidates to try.
    TooMuchWork,
    /// The time was over while candidates were tried.
    OutOfTime,
    /// A precondition of an operation that is called does not hold: the operation's name.
    Precondition(String),
    /// An `ASSERT` does not hold.
    Assertion,
    /// A loop has been repeated this often.
    Loop(u64),
    /// A loop's invariant does not hold.
    LoopInvariant,
    /// A loop's variant does not fall, or falls below zero.
    LoopVariant,
    /// A variable would hold a set whose elements cannot be listed: its name.
    NotStorable(String),
    /// A variable or result is read before it has a value: its name.
    NoValue(String),
}

/// What could not be computed, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    pub kind: TroubleKind,
    pub span: Span,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TroubleKind::Undefined(error) => error.fmt(f),
            TroubleKind::NoList => write!(
                f,
                "the elements of this set are needed, and they are infinitely many or too many"
            ),
            TroubleKind::NoBound(what) => write!(f, "cannot enumerate {what}"),
            TroubleKind::TooLarge => write!(f, "the number is too large to be worked with"),
            TroubleKind::TooMuchWork => write!(f, "too many candidates to try"),
            TroubleKind::OutOfTime => write!(f, "the time was over"),
            TroubleKind::Precondition(name) => {
                write!(
                    f,
                    "the precondition of `{name}` does not hold where it is called"
                )
            }
            TroubleKind::Assertion => write!(f, "the assertion does not hold"),
            TroubleKind::Loop(n) => write!(f, "the loop has not ended after {n} rounds"),
            TroubleKind::LoopInvariant => write!(f, "the invariant of the loop does not hold"),
            TroubleKind::LoopVariant => {
                write!(
                    f,
                    "the variant of the loop does not fall, or falls below zero"
                )
            }
            TroubleKind::NotStorable(name) => {
                write!(
                    f,
                    "`{name}` would hold a set whose elements cannot be listed"
                )
            }
            TroubleKind::NoValue(name) => write!(f, "`{name}` is read before it has a value"),
        }
    }
}

/// Why an evaluation has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It depends on a variable that has no value yet.
    Unknown,
    /// It cannot be computed.
    Trouble(Box<Trouble>),
}

/// The result of an evaluation.
pub type Eval<T> = Result<T, Fault>;

impl Fault {
    /// A trouble of this kind at this place.
    pub fn new(kind: TroubleKind, span: Span) -> Fault {
        Fault::Trouble(Box::new(Trouble { kind, span }))
    }

    /// An expression without a value at this place. What has a value that is too large for us, or
    /// asks for a list of what is infinite, is cut.
    pub fn undefined(error: ValueError, span: Span) -> Fault {
        let kind = match error {
            ValueError::TooLarge => TroubleKind::TooLarge,
            ValueError::Symbolic(_) => TroubleKind::NoList,
            error => TroubleKind::Undefined(error),
        };
        Fault::new(kind, span)
    }

    /// Whether it says that an expression has no value: in a guard that makes the guard false.
    pub(crate) fn is_undefined(&self) -> bool {
        matches!(self, Fault::Trouble(t) if matches!(t.kind, TroubleKind::Undefined(_)))
    }

    /// Whether it says that a question was not decided, because not all was tried.
    pub fn is_cut(&self) -> bool {
        matches!(self, Fault::Trouble(t) if matches!(
            t.kind,
            TroubleKind::NoList
                | TroubleKind::NoBound(_)
                | TroubleKind::TooLarge
                | TroubleKind::TooMuchWork
                | TroubleKind::OutOfTime
        ))
    }

    /// Whether nothing more is to be tried at all.
    pub fn is_end(&self) -> bool {
        matches!(self, Fault::Trouble(t) if matches!(
            t.kind,
            TroubleKind::TooMuchWork | TroubleKind::OutOfTime
        ))
    }
}

/// What is the same for all evaluations of a machine.
#[derive(Clone, Debug)]
pub struct World {
    /// All members of each given set, as a value.
    pub carriers: Vec<Value>,
    /// `MAXINT`.
    pub maxint: i64,
    /// `MININT`.
    pub minint: i64,
    /// How long an answer may take.
    pub deadline: Arc<Deadline>,
}

/// A function that is being built: its slot, what it has so far, and where it will have values.
#[derive(Clone, Debug)]
pub struct PartialFunction {
    /// The slot it will be in.
    pub slot: usize,
    /// Arguments with values, by argument.
    pub known: std::collections::HashMap<Value, Value>,
    /// Whether all arguments are in the domain once it is built.
    pub is_total: bool,
    /// All arguments that it may have.
    pub domain: Set,
}

/// How many candidates are tried between two looks at the clock.
const TICKS: u64 = 1 << 12;

/// Where an evaluation takes place.
pub struct Context<'w> {
    /// What does not change.
    pub world: &'w World,
    /// Constants and variables.
    pub globals: Vec<Value>,
    /// Bound variables; `None` for those that have no value yet.
    pub frame: Vec<Option<Value>>,
    /// Functions that are being built.
    pub partial: Vec<PartialFunction>,
    /// Work done so far, in candidates tried.
    pub work: u64,
    /// How much of it there may be.
    pub work_max: u64,
    /// Where the enumeration that is under way did not try all there is. Only whoever hands on what
    /// was found may leave it there; all others ask [`Context::whole`].
    pub cut: Option<Trouble>,
    /// What was undefined in guards, and hence false.
    pub warnings: Vec<Trouble>,
    /// Whether what is undefined is false; so in guards.
    pub is_lenient: bool,
    /// Whether bounds may be made up; not where all elements of a set are needed.
    pub may_cut: bool,
    /// Within how many questions that one witness decides.
    pub n_asked: u32,
    /// How many numbers without a bound have a value that is being tried.
    pub n_made_up: u32,
    /// Members whose exchange fixes all that was chosen so far, if only one of the values that
    /// such exchanges make of each other is to be chosen. Looked at where something is chosen, not
    /// where something is evaluated.
    pub cells: Option<Arc<ExchangeClasses>>,
}

impl<'w> Context<'w> {
    /// A context with these values and an empty frame.
    pub fn new(world: &'w World, globals: Vec<Value>, n_slots: usize) -> Context<'w> {
        Context {
            world,
            globals,
            frame: vec![None; n_slots],
            partial: Vec::new(),
            work: 0,
            work_max: u64::MAX,
            cut: None,
            warnings: Vec::new(),
            is_lenient: false,
            may_cut: true,
            n_asked: 0,
            n_made_up: 0,
            cells: None,
        }
    }

    /// Counts one candidate.
    pub(crate) fn count_work(&mut self, span: Span) -> Eval<()> {
        self.work += 1;
        if self.work > self.work_max {
            return Err(Fault::new(TroubleKind::TooMuchWork, span));
        }
        if self.work.is_multiple_of(TICKS) && self.world.deadline.is_over() {
            return Err(Fault::new(TroubleKind::OutOfTime, span));
        }
        Ok(())
    }

    /// Notes that a guard is false because a part of it is undefined.
    pub fn warn(&mut self, fault: &Fault) {
        if let Fault::Trouble(trouble) = fault
            && self.warnings.len() < 16
            && !self.warnings.contains(trouble)
        {
            self.warnings.push((**trouble).clone());
        }
    }

    /// Notes that not all was tried: of what, and what was tried of it.
    pub(crate) fn note_cut(&mut self, what: &str, span: Span) {
        if self.cut.is_none() {
            let kind = TroubleKind::NoBound(what.to_owned());
            self.cut = Some(Trouble { kind, span });
        }
    }

    /// Notes why not all was tried.
    pub(crate) fn keep_cut(&mut self, fault: Fault) {
        if let (None, Fault::Trouble(trouble)) = (&self.cut, fault) {
            self.cut = Some(*trouble);
        }
    }

    /// Does an enumeration inside of another: its result, and where it did not try all there is.
    /// `may_cut` says whether it may make up bounds.
    pub fn whole<T>(
        &mut self,
        may_cut: bool,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<Fault>) {
        let outer = self.cut.take();
        let outer_may = std::mem::replace(&mut self.may_cut, may_cut);
        self.n_asked += 1;
        let result = inside(self);
        self.n_asked -= 1;
        self.may_cut = outer_may;
        let cut = std::mem::replace(&mut self.cut, outer);
        (result, cut.map(|trouble| Fault::Trouble(Box::new(trouble))))
    }
}
