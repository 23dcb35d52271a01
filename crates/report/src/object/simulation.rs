//! What `orbit simulate` ran.

use super::{Diagnostic, Model, Named, Step};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// One run of a model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Simulation {
    /// The version of Orbit.
    pub orbit: String,
    /// The model.
    pub model: Model,
    /// The seed, if choices were made at random.
    pub seed: Option<u64>,
    /// The values of the state in which the run starts.
    pub initial_state: Named<String>,
    /// The values there of the expressions that are watched, null for those that have none; null
    /// where nothing is watched.
    pub initially_watched: Option<Named<Option<String>>>,
    /// Its steps, without the initial state.
    pub steps: Vec<Step>,
    /// The moves that stood for others by symmetry, if only one of these was offered; null if all
    /// were.
    pub classes: Option<Vec<MoveClass>>,
    /// How many steps these are.
    pub n_steps: u64,
    /// The step from which on a recorded run goes round for ever, counted from 0.
    pub loop_from: Option<u64>,
    /// How it ended: `end`, `deadlock`, `error`, `limit`, `replayed`, `loop`, `followed`, `left`,
    /// `stopped`, `time`, `interrupted`, `unknown`.
    pub ended: String,
    /// The same in words.
    pub message: String,
    /// The values of the state in which it ends.
    pub state: Named<String>,
    /// Where each process is then.
    pub locations: Named<String>,
    /// The runs that were made, if several were asked for; everything else is about the last.
    pub runs: Option<Vec<MadeRun>>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// One of several runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct MadeRun {
    /// The seed of its choices.
    pub seed: u64,
    /// How many steps it has.
    pub n_steps: u64,
    /// How it ended, as `ended` of a run says it.
    pub ended: String,
    /// The file that it was written into, if it was.
    pub file: Option<String>,
}

/// A move that was taken in place of others.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct MoveClass {
    /// How many steps there were after it.
    pub step: u64,
    /// The others.
    pub others: Vec<String>,
}
