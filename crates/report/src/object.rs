//! What programs read: the objects that `orbit check`, `symmetry`, `simulate` and `view` print with
//! `--json`.
//!
//! Each command has one type, whatever the language of the model is, and a key means the same in
//! all of them. Every key is always there: what a language does not have, what nobody asked for and
//! what nobody measured is null or empty. The comments of the types and of their fields become the
//! descriptions of a schema (`schema`, in tests), which stands in `docs/schema/`.
//!
//! ```text
//! { "orbit": "0.1.0", "model": { "path": "a.pml", "language": "promela", … },
//!   "verdict": "holds", …, "diagnostics": [] }
//! ```

mod counts;
mod diagnostic;
mod group;
mod model;
mod named;
mod property;
#[cfg(test)]
mod schema;
mod served;
mod simulation;
mod symmetries;
mod tests;
mod viewed;
mod witness;

pub use counts::{Choices, Counts, Memory, Native, Number, Times, Visible};
pub use diagnostic::{Diagnostic, Label};
pub use group::{
    Annotation, BreakingStep, Exchangeable, Generator, Group, Partial, Rejected, Rule, Sort,
    ToldApart, Why,
};
pub use model::{Model, Set};
pub use named::Named;
pub use property::{Members, Operation, Print, Property, Reason, Violation};
pub use served::Served;
pub use simulation::{MadeRun, MoveClass, Simulation};
pub use symmetries::{
    Assertion, Blocker, ChannelDiagram, Declared, Drawing, Image, Kripke, NearSymmetry, Orbits,
    ShortSearch, Suggestion, Suggestions, Symmetries, TypedField,
};
pub use tests::{TestObject, Tests};
pub use viewed::{ViewCounts, ViewEdge, ViewNode, Viewed};
pub use witness::{Message, Part, Place, Representative, Step, Witness};

use crate::summary::Verdict;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// The version that every object has as `orbit`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `orbit check` found.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Check {
    /// The version of Orbit.
    pub orbit: String,
    /// What was checked.
    pub model: Model,
    /// Whether everything that was asked for holds.
    pub verdict: Verdict,
    /// What the verdict is about.
    pub scope: Scope,
    /// Why something was not seen, if a limit was the reason: `memory`, `time`, `depth`,
    /// `interrupted`, `endless`, `approximate`, `refuted`, `cut`, `undecided`.
    pub stop_reason: Option<String>,
    /// Why nothing is known, if nothing was checked at all.
    pub reason: Option<String>,
    /// The names of what was switched off or not asked for.
    pub not_checked: Vec<String>,
    /// What was asked for, one by one.
    pub properties: Vec<Property>,
    /// The symmetry that the search of states used; null if none was looked for, or if each
    /// property has its own.
    pub symmetry: Option<Group>,
    /// Remarks about the whole, a sentence each.
    pub notes: Vec<String>,
    /// What came of `--audit`, in words.
    pub audit: Option<String>,
    /// What came of `--self-check`, in words.
    pub self_check: Option<String>,
    /// What the search of states counted. Where each property has a search and there is no other,
    /// the sums over them, and the largest depth.
    pub counts: Counts,
    /// How long it took, in seconds.
    pub time_s: Times,
    /// What states took.
    pub memory: Memory,
    /// The steps of processes as machine code; null if a search was too small, or nobody wanted it.
    pub native: Option<Native>,
    /// Steps that are written and cannot be taken; null if not all was seen, or if nobody asked.
    pub unreached: Option<Vec<Place>>,
    /// The operations of a machine, and whether each was taken.
    pub operations: Vec<Operation>,
    /// What the script prints.
    pub prints: Vec<Print>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a verdict is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Scope {
    /// `this_size`: the model as it is; `every_size`: with any number of its interchangeable parts;
    /// `up_to_depth`: runs of at most so many moves; `probability`: right with a probability;
    /// `approximate`: different states may have been taken for one.
    pub kind: String,
    /// How many moves, if runs have at most so many.
    pub depth: Option<u64>,
    /// The least probability, if there is one.
    pub at_least: Option<f64>,
    /// The largest, likewise.
    pub at_most: Option<f64>,
}

/// What `orbit check --parse-only` read. Which parts are counted depends on the language.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Accepted {
    /// The version of Orbit.
    pub orbit: String,
    /// What was read.
    pub model: Model,
    /// Always true: what is wrong has no such object.
    pub accepted: bool,
    /// How many of each kind of part there are.
    pub parts: Named<usize>,
    /// Warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// What every command prints if there is no answer: the input is wrong, or a limit came before
/// anything was known of the model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Unanswered {
    /// The version of Orbit.
    pub orbit: String,
    /// `unknown` after a limit; null if the input is wrong.
    pub verdict: Option<Verdict>,
    /// The limit, if it was one.
    pub stop_reason: Option<String>,
    /// The same in words, with what was being done.
    pub reason: Option<String>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

impl Unanswered {
    /// Nothing is known, and the diagnostics say why.
    pub fn wrong_input() -> Unanswered {
        Unanswered {
            orbit: VERSION.to_owned(),
            verdict: None,
            stop_reason: None,
            reason: None,
            diagnostics: Vec::new(),
        }
    }
}

/// The fields of an object, in the order in which people read them.
///
/// # Requires
/// The object is a struct of this module.
pub fn fields(object: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(object) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("a struct is an object, not {other:?}"),
    }
}
