//! The model, as a command was told to read it.

use super::Named;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The model, as the command was told to read it.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Model {
    /// Its file, as typed.
    pub path: String,
    /// Its language, in lower case: `promela`, `b`, `cspm`.
    pub language: String,
    /// What was defined on the command line.
    pub defines: Vec<String>,
    /// By which rules its states are counted, where there are several.
    pub rules: Option<String>,
    /// The process that is run, of a script that defines several.
    pub process: Option<String>,
    /// The sizes of its sets.
    pub set_sizes: Named<usize>,
    /// Its sets, with what is in them and where their sizes are from.
    pub sets: Vec<Set>,
    /// Some values of its constants, if there are constants and values were found.
    pub constants: Option<Named<String>>,
}

/// A set of the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Set {
    /// Its name.
    pub name: String,
    /// How many elements it has.
    pub size: usize,
    /// Where that number is from.
    pub size_from: String,
    /// Its elements.
    pub elements: Vec<String>,
}

impl Model {
    /// A model of which no more is told than its file and its language.
    pub fn new(path: &str, language: &str) -> Model {
        Model {
            path: path.to_owned(),
            language: language.to_owned(),
            ..Model::default()
        }
    }
}
