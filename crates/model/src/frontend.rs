//! The door for languages: what a front end has to give, and all that it has to give.
//!
//! A [`Frontend`] reads a text and gives a [`Model`]. A model lists the [`Question`]s that can be
//! asked of it. For each [`Purpose`] it gives a [`Subject`]: a system that is searched, and the
//! data ([`Shape`]) from which its symmetry is found and certified. A subject is made for its
//! purpose and does not change afterwards. Everything else (detection, certification, searches,
//! temporal logic, counterexamples, simulation, text and JSON) is the same for all languages.
//!
//! A language of processes implements the smaller [`crate::processes::language`] instead.

mod expression;
mod obstacle;

use crate::network::claim::{AppliedRule, Claim, Mention, Side};
use crate::outline::Outline;
use crate::processes::machine::Machine;
use crate::processes::property::Body;
use crate::proposal::Proposal;
use crate::refinement;
use crate::values::{Ground, Signature, SortId, Text};
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources, Span};
use std::ops::Range;
use system::branching::Formula;
use system::{Fault, Strength, System};

pub use expression::Expression;
pub use obstacle::Obstacle;

/// A language.
pub trait Frontend: Sync {
    /// What it is called, in one lower-case word.
    fn language(&self) -> &'static str;

    /// How the names of its files end, in lower case, without the dot.
    fn endings(&self) -> &'static [&'static str];

    /// What its models are called: `B machines`.
    fn models(&self) -> &'static str;

    /// The flags of the command line that mean something here where a model is read for this, as
    /// they are typed: `--set-size`. Those that mean something in every language need not be named.
    fn flags(&self, reading: Reading) -> Vec<&'static str>;

    /// What to do here instead of typing a flag that means nothing, if there is advice of its own.
    fn instead(&self, _flag: &str) -> Option<&'static str> {
        None
    }

    /// What the states of its models are made of.
    fn states(&self) -> States;

    /// A formula of branching time that says a predicate of every state; `None` if nothing is said
    /// of states.
    fn always(&self, _predicate: &str) -> Option<String> {
        None
    }

    /// By what a text is known whose name says nothing.
    fn signs(&self) -> Signs {
        Signs::default()
    }

    /// The model, if its text is right; otherwise `found` says what is wrong and where.
    fn load(
        &self,
        given: &Given<'_>,
        sources: &mut Sources,
        files: &mut dyn Files,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Model>>;

    /// Changes of a text that was accepted, near these lines of it (0 is no line), that may give it
    /// more symmetry; `None` if none are known for the language.
    fn proposals(&self, _text: &str, _lines: &[u32]) -> Option<Vec<Proposal>> {
        None
    }

    /// What the text declares and uses, for editors. What is wrong with it is told by
    /// [`Frontend::load`].
    fn outline(&self, _: &Given<'_>, _: &mut Sources, _: &mut dyn Files) -> Outline {
        Outline::default()
    }
}

/// What states are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum States {
    /// Records of processes and channels.
    Processes,
    /// Values of variables.
    Values,
    /// A state of a specification and one of a network of processes.
    Pairs,
}

/// By what texts of a language are known.
#[derive(Clone, Copy, Default, Debug)]
pub struct Signs {
    /// Words with which a text begins.
    pub first: &'static [&'static str],
    /// Words that only this language has.
    pub words: &'static [&'static str],
    /// Operators and the like that only this language has.
    pub marks: &'static [&'static str],
    /// A relative of the language that is not read, and words with which its texts begin.
    pub relative: Option<(&'static str, &'static [&'static str])>,
}

/// What is to be read, and what the command line says of it.
pub struct Given<'a> {
    /// Where it was read from, as typed.
    pub path: &'a str,
    /// The text.
    pub main: SourceId,
    /// What the command line says of it.
    pub options: &'a Options,
    /// When evaluation has to stop.
    pub clock: Clock<'static>,
}

/// What the command line says of a model. What means nothing in a language is refused before.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// What the model is read for.
    pub reading: Reading,
    /// Macros that are defined, as typed.
    pub defines: Vec<String>,
    /// Macros that are not to be defined.
    pub undefines: Vec<String>,
    /// Whose rules say what a step is.
    pub rules: Rules,
    /// How searches run steps of processes.
    pub steps: Steps,
    /// A formula of linear time.
    pub linear: Option<String>,
    /// A formula of branching time.
    pub branching: Option<String>,
    /// Whether cycles without progress are asked for.
    pub progress_cycles: bool,
    /// Whether cycles through accept labels are asked for.
    pub acceptance_cycles: bool,
    /// A state that is looked for.
    pub goal: Option<String>,
    /// The sizes of sets, each as typed: `SET=N`.
    pub set_sizes: Vec<String>,
    /// The size of sets of which nothing else says it.
    pub default_set_size: Option<usize>,
    /// The largest number that is tried.
    pub maxint: Option<i64>,
    /// The least number that is tried.
    pub minint: Option<i64>,
    /// Whether no more ways are tried than the model asks for.
    pub within_limits: bool,
    /// Whether it refines what it says, and how preconditions are read.
    pub refines: Option<Preconditions>,
    /// The most states of a component of a network.
    pub component_states_max: Option<usize>,
    /// Up to what components of a network are the same.
    pub components_up_to: crate::network::Bisimulation,
    /// How much memory may be used.
    pub memory_bytes_max: Option<u64>,
    /// How large the stack is that the command runs on.
    pub stack_bytes: usize,
    /// The process that is run, of several, by name.
    pub process: Option<String>,
    /// The assertion whose process is run, from 0.
    pub assertion: Option<usize>,
}

/// What a model is read for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reading {
    /// To see whether the text is right.
    Only,
    /// To be checked.
    #[default]
    Check,
    /// To show its symmetry.
    Symmetry,
    /// To be run step by step.
    Run,
    /// To be explored, and shown as a graph.
    View,
}

/// How preconditions are read where models are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preconditions {
    /// As guards.
    Guards,
    /// Classically: what happens where one is false is not said.
    Classical,
}

/// Whose rules say what a step is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Rules {
    /// Ours: as few states as the verdict needs.
    #[default]
    Own,
    /// Every statement is a step.
    Plain,
    /// Those of `spin -a`.
    SpinCompat,
}

impl Rules {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Rules::Own => "default",
            Rules::Plain => "plain",
            Rules::SpinCompat => "spin-compat",
        }
    }
}

/// How searches run steps of processes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Steps {
    /// By the interpreter.
    #[default]
    Interpreted,
    /// As machine code, once a search is large enough.
    Compiled,
    /// Both ways, and compared: a difference is our bug.
    Compared,
}

/// A file that is asked for.
pub struct IncludeRequest<'a> {
    /// The text that asks.
    pub from: SourceId,
    /// What it asks for, as written.
    pub path: &'a str,
    /// Whether it was written `<path>`, so that the folder of `from` is not looked at.
    pub angled: bool,
}

/// Files beside the model.
pub trait Files {
    /// Reads a file that a text asks for: beside that text, then where the user said.
    fn include(
        &mut self,
        request: &IncludeRequest<'_>,
        sources: &mut Sources,
    ) -> Result<SourceId, Diagnostic>;

    /// Where a file of that name is, and its text: beside the model, then where the user said.
    /// `None` if there is none; what cannot be read is an error.
    fn find(&mut self, name: &str) -> Option<Result<(String, String), Diagnostic>>;
}

/// A model that was accepted.
pub trait Model: Send + Sync {
    /// How many there are of each kind of part, so that a reader can see that the right text was
    /// read.
    fn parts(&self) -> Vec<(&'static str, usize)>;

    /// What is told of it.
    fn about(&self) -> About;

    /// A number for its texts and all else that decides what its steps are.
    fn hash(&self) -> u64;

    /// What can be asked of it, in the order in which it is numbered.
    fn questions(&self) -> &[Question];

    /// What is searched, or run, for a purpose; or why there is no such thing.
    fn subject(&self, purpose: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic>;

    /// What it takes some time to find: what is in its sets, and some values of its constants.
    fn contents(&self) -> Contents {
        Contents::default()
    }

    /// Answers [`Asks::Refinement`]: whether it refines what it says, and the name of that.
    fn refinement(&self, _: refinement::Limits<'_>) -> Option<(String, refinement::Outcome)> {
        None
    }

    /// Which of these instances of a question have the same answer, by symmetry; `None` if each
    /// has to be checked.
    fn classes(&self, _question: usize, _instances: &[usize]) -> Option<Classes> {
        None
    }

    /// The member that a question names, if it names one, and the others for which the answer is
    /// the same, by symmetry.
    fn same_answer(&self, _question: usize) -> Option<(i32, Vec<i32>)> {
        None
    }

    /// Whether all that can be asked of it are assertions ([`Asks::Assertion`]), if there are any.
    fn is_of_assertions(&self) -> bool {
        false
    }

    /// Puts what an assertion ([`Asks::Assertion`]) claims to `check`, perhaps several times, and
    /// says whether it holds, `not` left aside; `None` if that is not known. `told` is filled as
    /// far as the assertion was understood.
    fn assertion(
        &self,
        _question: usize,
        _told: &mut AssertedText,
        _check: &mut CheckClaim<'_>,
    ) -> Result<Option<bool>, Obstacle> {
        Err(Obstacle::Unsupported("there are no assertions".to_owned()))
    }

    /// Gives `explain` what is needed to explain the symmetry of an assertion.
    fn explain(&self, _question: usize, _explain: &mut ExplainClaim<'_>) -> Result<(), Obstacle> {
        Err(Obstacle::Unsupported("there are no assertions".to_owned()))
    }

    /// What the model prints when it is read.
    fn prints(&self) -> Vec<Printed> {
        Vec::new()
    }

    /// The expression over states that is written in `text`; `None` if `found` says why it is none.
    ///
    /// # Requires
    /// `sources` begin with the texts that the model was read from.
    fn expression(
        &self,
        text: SourceId,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Expression + '_>> {
        found.push(expression::not_read(text, sources, self.about().language));
        None
    }

    /// How runs are told.
    fn telling(&self) -> Telling;
}

/// A model of which only the text was looked at ([`Reading::Only`]): its parts.
pub struct OnlyRead(pub Vec<(&'static str, usize)>);

impl Model for OnlyRead {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        self.0.clone()
    }

    fn about(&self) -> About {
        About::default()
    }

    fn hash(&self) -> u64 {
        0
    }

    fn questions(&self) -> &[Question] {
        &[]
    }

    fn subject(&self, _: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic> {
        Err(Diagnostic::unlocated("only the text was read"))
    }

    fn telling(&self) -> Telling {
        Telling {
            shows_start: false,
            stuck: "",
            set_up: None,
            arguments: ArgumentStyle::Call,
        }
    }
}

/// Who checks a claim: whether it holds, `None` if that is not known.
pub type CheckClaim<'c> = dyn FnMut(&Claim<'_>) -> Result<Option<bool>, Obstacle> + 'c;

/// Who explains the symmetry of a claim.
pub type ExplainClaim<'e> = dyn FnMut(&mut dyn ExplainedClaim) + 'e;

/// A claim, and why values in it are interchangeable.
pub trait ExplainedClaim {
    /// Looks at the claim itself.
    fn with_claim(&self, look: &mut dyn FnMut(&Claim<'_>));

    /// The rules of algebra that show that a permutation of events is a symmetry of a side, as it
    /// is written, or why none do; `None` if the claim has no such side.
    fn derivation(
        &mut self,
        side: Side,
        events: &[u32],
    ) -> Option<Result<Vec<AppliedRule>, Diagnostic>>;

    /// The line that tells two values apart, as far as the text shows. `events` is the permutation
    /// that exchanges them, if it leads events to events.
    fn mention(&mut self, values: [&str; 2], events: Option<&[u32]>) -> Option<Mention>;
}

/// What is told of an assertion while it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssertedText {
    /// What kind of claim it is, in one lower-case word.
    pub kind: &'static str,
    /// The semantic model, where there is one: `T`, `F`, `FD`.
    pub semantics: Option<&'static str>,
    /// Whether `not` stands before it.
    pub is_negated: bool,
    /// What a reader should know of the answer.
    pub note: Option<String>,
}

/// What a model prints when it is read.
pub struct Printed {
    /// The line.
    pub line: u32,
    /// The value, or why there is none.
    pub value: Result<String, Obstacle>,
}

/// Which members have the same answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    /// Places in the list of members, each class in order; classes by their first members.
    pub all: Vec<Vec<usize>>,
    /// How many symmetries exchange members, if there is more than the identity.
    pub order: Option<String>,
}

/// What is told of a model.
#[derive(Clone, Default, Debug)]
pub struct About {
    /// Where it was read from, as typed.
    pub path: String,
    /// Its language.
    pub language: &'static str,
    /// The macros that were defined for it, as typed.
    pub defines: Vec<String>,
    /// Whose rules say what a step is, where there are several.
    pub rules: Option<Rules>,
    /// The sizes of its sets.
    pub set_sizes: Vec<(String, usize)>,
    /// The process that is run, of a model that defines several.
    pub process: Option<String>,
    /// The range of numbers, where one is tried.
    pub numbers: Option<(i64, i64)>,
    /// What a reader may take to have been looked at, and was not.
    pub notes: Vec<String>,
}

/// What is in the sets of a model, and some values of its constants.
#[derive(Clone, Default, Debug)]
pub struct Contents {
    /// Its sets.
    pub sets: Vec<SetContents>,
    /// The values of its constants, by name.
    pub constants: Vec<(String, String)>,
}

/// A set of a model.
#[derive(Clone, Debug)]
pub struct SetContents {
    /// Its name.
    pub name: String,
    /// Where its size is from.
    pub size_from: &'static str,
    /// Its elements.
    pub elements: Vec<String>,
}

/// How runs of a model are told.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// Whether the values at the start are shown.
    pub shows_start: bool,
    /// What a run that is stuck has come to.
    pub stuck: &'static str,
    /// What leads to the initial states, where that counts as a transition of its own.
    pub set_up: Option<&'static str>,
    /// How the arguments of a move are written.
    pub arguments: ArgumentStyle,
}

/// How the arguments of a move are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentStyle {
    /// `add(Name1, Code2)`.
    Call,
    /// `left.1.2`.
    Dots,
}

/// Something that can be asked of a model.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is called.
    pub name: String,
    /// What kind of thing it is, in one lower-case word.
    pub kind: &'static str,
    /// What is asked.
    pub asks: Asks,
    /// Whether it was typed on the command line, so that it has no line in the model.
    pub is_typed: bool,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Asks {
    /// No state is stuck.
    Deadlock,
    /// No assertion is false.
    Assertions,
    /// No step goes wrong.
    Faults,
    /// Invariants hold.
    Invariants,
    /// A state is there; `false` if none was said.
    Goal(bool),
    /// It refines what it says; `false` if that was not asked for.
    Refinement(bool),
    /// What runs do.
    Linear(Linear),
    /// What can be done.
    Branching(Branching),
    /// What is claimed of processes.
    Assertion(AssertionQuestion),
}

/// An assertion about processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssertionQuestion {
    /// Its line.
    pub line: u32,
    /// Where it stands.
    pub span: Span,
    /// Whether `not` stands before it.
    pub is_negated: bool,
}

/// A question about runs, once for each member that it is asked of.
#[derive(Clone, Debug)]
pub struct Linear {
    /// The instances; one, if it is asked of nobody in particular. All have the same name. Behind
    /// them are the parts of those that are conjunctions.
    pub instances: Vec<LinearInstance>,
    /// How many instances there are without parts.
    pub n_asked: usize,
    /// What the member is called, if there are several.
    pub member: Option<String>,
    /// Where it is written: its text or name, and the line, 0 for none.
    pub place: Option<(String, u32)>,
    /// What is said of a run that violates it.
    pub message: String,
    /// How formulas are written.
    pub notation: Notation,
    /// Whether a run that ends is taken to stay in its last state for ever.
    pub stutters: bool,
    /// How fair runs have to be, in a word, if the question says it.
    pub fairness: Option<&'static str>,
}

/// A question about runs.
#[derive(Clone, Debug)]
pub struct LinearInstance {
    /// What is asked, or why it is not checked.
    pub body: Result<Body, Diagnostic>,
    /// The texts of its atoms.
    pub atoms: Vec<String>,
    /// The member that it is about.
    pub value: Option<i32>,
    /// Which instances it is the conjunction of, if it is one.
    pub parts: Range<usize>,
}

/// How formulas are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `[] p`.
    Spin,
    /// `G p`.
    Prob,
}

/// A question of branching time, once for each member that it is asked of.
#[derive(Clone, Debug)]
pub struct Branching {
    /// The instances; one, if it is asked of nobody in particular.
    pub instances: Vec<BranchingInstance>,
    /// Of whom it is asked, if there is a quantifier.
    pub bound: Option<Bound>,
    /// Where it is written: its text or name, and the line, 0 for none.
    pub place: Option<(String, u32)>,
}

/// A formula of branching time.
#[derive(Clone, Debug)]
pub struct BranchingInstance {
    /// The formula, or why it is not checked.
    pub formula: Result<Formula, Diagnostic>,
    /// The texts of its atoms.
    pub atoms: Vec<String>,
}

/// A quantifier over members.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Whether the formula must hold of all members, and not of one at least.
    pub all: bool,
    /// What it calls them.
    pub name: String,
    /// Their numbers, one an instance.
    pub values: Vec<i32>,
    /// The whole formula, as typed.
    pub text: String,
}

/// What a subject is for.
#[derive(Clone, Debug)]
pub enum Purpose {
    /// A search for errors.
    Errors,
    /// A run, step by step.
    Run,
    /// A search for a run that violates an instance of a question.
    Linear {
        /// Which question, by number.
        question: usize,
        /// Which instance.
        instance: usize,
        /// Whether it does not matter if a state is repeated.
        stutters: bool,
        /// Whether runs have to be fair.
        fair: bool,
    },
    /// The evaluation of an instance of a question.
    Branching {
        /// Which question, by number.
        question: usize,
        /// Which instance.
        instance: usize,
        /// Whether runs have to be fair.
        fair: bool,
    },
}

/// What is searched, or run. It does not change once it was made.
pub trait Subject: Sync {
    /// The system, with these initial states.
    fn system(&self, starts: Starts) -> &dyn System;

    /// The same for a search by breadth that stores one state of each orbit: of moves, and of
    /// initial states, that exchanges of members make of each other one at least is given. Runs
    /// are replayed on [`Subject::system`]. `blocks` are members that can be exchanged, by sort;
    /// `None` if nothing is left out.
    ///
    /// # Requires
    /// The exchanges were certified for [`Subject::shape`].
    fn system_up_to(
        &self,
        _starts: Starts,
        _blocks: &[Vec<Vec<usize>>],
    ) -> Option<Box<dyn System + '_>> {
        None
    }

    /// The data from which its symmetry is found.
    fn shape(&self) -> Shape<'_>;

    /// The system on which runs are shown, if it is another one: the model as it was written.
    fn as_written(&self) -> Option<&dyn System> {
        None
    }

    /// The shape of that.
    fn shape_as_written(&self) -> Shape<'_> {
        self.shape()
    }

    /// How many bytes at the end of a state no symmetry moves.
    fn n_still_bytes(&self) -> usize {
        0
    }

    /// To whom a run has to be how fair, if the question says it.
    fn fairness(&self) -> Option<Box<dyn Fn(u32) -> Strength + '_>> {
        None
    }

    /// Whether all initial states are needed, whatever the group.
    fn needs_all_starts(&self) -> bool {
        false
    }

    /// Why no symmetry may be used, if so.
    fn asymmetry(&self) -> Option<&'static str> {
        None
    }

    /// Why what was searched is of no use, since symmetry was used and a state was met that it does
    /// not fit.
    fn broken_symmetry(&self) -> Option<&'static str> {
        None
    }

    /// What went wrong in a search for runs, so that some are missing.
    fn lost(&self) -> Option<Fault> {
        None
    }

    /// What is to be told with a place after a search: warnings.
    fn remarks(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// The operations that the modeller wrote, and whether each was taken.
    fn operations(&self, _covered: &[bool]) -> Vec<(String, bool)> {
        Vec::new()
    }

    /// How the states of an orbit are spread over set-ups, where only some of these are made.
    fn setups(&self) -> Option<&dyn Setups> {
        None
    }
}

/// Which initial states a system has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Starts {
    /// All of them.
    All,
    /// At least one of those that differ only in which interchangeable element is which.
    Distinct,
}

/// What never changes after the start, in a model of which only some initial states are taken.
pub trait Setups {
    /// Each set-up that [`Starts::Distinct`] takes, as a state.
    fn each(&self, out: &mut dyn FnMut(&[u8]));

    /// The set-up of a state.
    fn of(&self, state: &[u8]) -> Vec<u8>;
}

/// The data from which symmetry is found and certified.
pub enum Shape<'a> {
    /// Processes.
    Processes(&'a Machine),
    /// Values over sorts.
    Values {
        /// What states hold.
        signature: &'a Signature,
        /// Why members may be interchangeable.
        grounds: Vec<Ground>,
        /// What that is checked on.
        text: Box<dyn Text + 'a>,
        /// How members are told.
        words: &'a dyn SortWords,
    },
    /// Nothing is known of it.
    Opaque,
}

/// What is told of the members of sorts.
pub trait SortWords {
    /// The members that the model names.
    fn named(&self, sort: SortId) -> Vec<usize>;

    /// What tells two members apart, in words.
    fn told_apart(&self, sort: SortId, members: [usize; 2]) -> Option<String>;

    /// The line of a place, from 1; 0 if it is in no file.
    fn line(&self, place: Span) -> u32;

    /// What makes symmetry useless if it is met: the settings that say it, and their values.
    fn limits(&self) -> Vec<(&'static str, usize)>;
}
