//! What `orbit test` found.

use super::Diagnostic;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Expectations, and whether they are met.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Tests {
    /// The version of Orbit.
    pub orbit: String,
    /// How many are met.
    pub passed: u64,
    /// How many are not.
    pub failed: u64,
    /// Of how many nobody knows.
    pub unknown: u64,
    /// All, in the order of the files and of their lines.
    pub tests: Vec<TestObject>,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is expected of a check, and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct TestObject {
    /// The model.
    pub file: String,
    /// The line where it is expected; null if the model says nothing.
    pub line: Option<u64>,
    /// What is typed for the check.
    pub flags: Vec<String>,
    /// The verdict that is expected: `holds`, `violated` or `refused`.
    pub expected: String,
    /// The property that has it, if one is named.
    pub property: Option<String>,
    /// How many states are expected, if that is said.
    pub states: Option<u64>,
    /// The verdict of the check; null if it has none.
    pub verdict: Option<String>,
    /// `passed`, `failed` or `unknown`.
    pub outcome: String,
    /// What was found instead.
    pub reason: Option<String>,
    /// How long it took, in seconds.
    pub time_s: f64,
}
