//! Where `orbit serve` serves.

use super::{Diagnostic, Model};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A model that can be explored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Served {
    /// The version of Orbit.
    pub orbit: String,
    /// The model.
    pub model: Model,
    /// Where the page is, the token included without which nothing is answered.
    pub address: String,
    /// Errors and warnings about the input.
    pub diagnostics: Vec<Diagnostic>,
}
