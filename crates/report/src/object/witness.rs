//! Runs that show something.

use super::Named;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A run that shows something, taken on the model without symmetry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Witness {
    /// What it shows of a process of CSP: `event`, `refusal`, `divergence`, `deadlock`,
    /// `nondeterminism`, `trace`.
    pub kind: Option<String>,
    /// Its steps. The first is the initial state, with all values as changes.
    pub steps: Vec<Step>,
    /// The step from which on it goes round for ever, counted from 0, the initial state included;
    /// one behind the last if nothing moves any more.
    pub loop_from: Option<usize>,
    /// How many moves it has; the steps of an atomic chain or of a handshake are one.
    pub moves: usize,
    /// The values of the state in which it ends.
    pub end: Named<String>,
    /// Where each process or component is then.
    pub locations: Named<String>,
    /// The values that what is wrong there depends on.
    pub because: Named<String>,
    /// The events of a process of CSP that are seen before what is wrong.
    pub trace: Option<Vec<String>>,
    /// The event that it is about, if it is about one.
    pub event: Option<String>,
    /// What is offered at its end, where that matters.
    pub offered: Option<Vec<String>>,
    /// What would have been right there: one of these sets.
    pub allowed: Vec<Vec<String>>,
    /// Another run with the same trace, if it takes two to show it.
    pub other: Option<Vec<Step>>,
    /// What the search stored where a symmetry made another state of it, for the first 500 of such
    /// states.
    pub representatives: Vec<Representative>,
}

/// A state that the search stored in place of one of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Representative {
    /// After which step, counted from 0, the initial state included.
    pub step: usize,
    /// The symmetry that makes the state of the run of it.
    pub permutation: String,
    /// Its values.
    pub values: Named<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Step {
    /// Who took it: a process, or the one component that takes part.
    pub by: Option<String>,
    /// The number of that process.
    pub process: Option<u32>,
    /// What it was, as written: a statement, an operation with its arguments, an event.
    pub step: String,
    /// The line where that is, in the body of an inline or macro if it is out of one.
    pub line: Option<u32>,
    /// The file of that line, if it is not that of the model.
    pub file: Option<String>,
    /// The uses of inlines and macros around it, from inside out.
    pub called_from: Vec<String>,
    /// The values after it that were others before; what it took away is null.
    pub changes: Named<Option<String>>,
    /// What it printed.
    pub printed: String,
    /// Whether each atom of the property is true after it, in the order of the property's.
    pub atoms: Vec<bool>,
    /// The components that take part, where there are components.
    pub parts: Vec<Part>,
    /// What it sends or receives, where there are channels.
    pub message: Option<Message>,
    /// The values after it of the expressions that are watched, null for those that have none; null
    /// where nothing is watched.
    pub watched: Option<Named<Option<String>>>,
}

/// A message that goes into a channel or comes out of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Message {
    /// `send` or `receive`.
    pub transfer: String,
    /// The channel.
    pub channel: String,
    /// The values, with commas between them; null for the receiving half of a rendezvous, which
    /// gets what the step before it sends.
    pub content: Option<String>,
    /// Whether the channel hands messages over and keeps none.
    pub rendezvous: bool,
    /// Whether it stays in the channel, as a receive can leave it there.
    pub stays: bool,
}

impl Step {
    /// A step of which only the name is known.
    pub fn new(step: String) -> Step {
        Step {
            by: None,
            process: None,
            step,
            line: None,
            file: None,
            called_from: Vec::new(),
            changes: Named::default(),
            printed: String::new(),
            atoms: Vec::new(),
            parts: Vec::new(),
            message: None,
            watched: None,
        }
    }
}

/// What a component does in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Part {
    /// The component.
    pub component: String,
    /// What it does.
    pub event: String,
    /// The line of the text that it is at before.
    pub line: Option<u32>,
    /// The file of that line, if it is not that of the model.
    pub file: Option<String>,
}

/// A step as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Place {
    /// Who would take it.
    pub by: Option<String>,
    /// The step.
    pub step: String,
    /// Its line.
    pub line: u32,
    /// The file of that line, if it is not that of the model.
    pub file: Option<String>,
    /// The uses of inlines and macros around it, from inside out.
    pub called_from: Vec<String>,
}
