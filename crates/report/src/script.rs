//! What was found about the assertions of a CSP script, as plain data.
//!
//! Events and processes are names here: who checked the assertions knows what they are called.
//! [`text`] and [`json`] write a summary down.

pub mod json;
pub mod text;

use crate::summary::{Model, Verdict};
use check::StopReason;
use check::refinement::Counts;
use std::time::Duration;

/// What was found about a script.
#[derive(Clone, Debug)]
pub struct Script {
    /// The script.
    pub model: Model,
    /// Why something was not seen, if a limit was the reason.
    pub stop_reason: Option<StopReason>,
    /// What its `print`s say.
    pub prints: Vec<Print>,
    /// Its assertions that were asked for, in the order of the text.
    pub assertions: Vec<Assertion>,
    /// Its other assertions, which were not asked for.
    pub not_asked: Vec<String>,
    /// How long it took to read it.
    pub load: Duration,
    /// How long everything took.
    pub total: Duration,
    /// The most memory that pairs of states took.
    pub peak_bytes: u64,
}

/// What a `print` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// Its line.
    pub line: u32,
    /// The value, or none if it could not be worked out.
    pub value: Option<String>,
}

/// An assertion, and what was found.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Which of the script's it is, from 1.
    pub number: usize,
    /// As it is written.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// What kind of thing it is, in one lower-case word.
    pub kind: &'static str,
    /// In which model, where there is one: `T`, `F`, `FD`.
    pub model: Option<&'static str>,
    /// Whether `not` stands before it.
    pub is_negated: bool,
    /// Whether it holds, `not` included.
    pub verdict: Verdict,
    /// Why nobody can tell, if so.
    pub reason: Option<String>,
    /// What was counted, if it came to that.
    pub counts: Option<Counts>,
    /// What symmetry its search used, if there was one.
    pub symmetry: Option<Symmetry>,
    /// The pairs that there are without symmetry, if that was asked for; or why nobody can tell.
    pub full: Option<Result<u128, String>>,
    /// What came of checking the symmetry on every pair, if that was asked for.
    pub audit: Option<String>,
    /// What came of searching again without symmetry, if that was asked for.
    pub self_check: Option<String>,
    /// The components of the process, by name.
    pub components: Vec<String>,
    /// What shows that the process has not what is claimed, or, of a trace, that it has.
    pub shown: Option<Shown>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The symmetry that a search of pairs used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// How many elements the group has.
    pub order: String,
    /// How representatives are chosen, in a word.
    pub strategy: &'static str,
    /// The exchanges of values that generate it.
    pub generators: Vec<String>,
    /// Exchanges that are none, with reasons.
    pub refused: Vec<(String, String)>,
}

/// A run that shows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What it shows, in one word.
    pub kind: &'static str,
    /// The same in a few more.
    pub message: String,
    /// What is seen before that.
    pub trace: Vec<String>,
    /// What happens, step by step, with what each component does.
    pub steps: Vec<Step>,
    /// The last step leads back to where the one of this number starts, counted from 0.
    pub loop_from: Option<usize>,
    /// The event it is about, if it is about one.
    pub event: Option<String>,
    /// What is offered at its end, where that matters.
    pub offered: Option<Vec<String>>,
    /// What would have been right there; one of these sets, where there are several.
    pub allowed: Vec<Vec<String>>,
    /// Where each component is at the end.
    pub end: Vec<End>,
    /// Another run with the same trace, if it needs two.
    pub other: Option<Vec<Step>>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is seen of it; τ if nothing is.
    pub event: String,
    /// The components that take part.
    pub parts: Vec<Part>,
}

/// What a component does in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The component.
    pub name: String,
    /// What it does.
    pub event: String,
    /// Where the text stands that it is at before.
    pub place: Option<Place>,
}

/// Where a component is at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The component.
    pub name: String,
    /// The process that it is.
    pub process: String,
    /// Where the text of that stands.
    pub place: Option<Place>,
}

/// A line of the script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The file, if it is not the script itself.
    pub file: Option<String>,
}

impl Script {
    /// Whether it asserts nothing, so that nothing was checked.
    pub fn is_empty(&self) -> bool {
        self.assertions.is_empty()
    }

    /// Whether everything that was asked for holds. Where nothing is asserted, nothing is known: a
    /// script whose assertions were lost must not pass for one whose assertions hold.
    pub fn verdict(&self) -> Verdict {
        if self.is_empty() {
            return Verdict::Unknown;
        }
        Verdict::of_all(self.assertions.iter().map(|assertion| assertion.verdict))
    }
}
