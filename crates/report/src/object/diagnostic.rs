//! Messages about the input.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// An error or a warning about the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// The places that it is about.
    pub labels: Vec<Label>,
    /// What else is to know, a sentence each.
    pub notes: Vec<String>,
}

/// A place in a text. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Label {
    /// The file.
    pub file: String,
    /// The line where it starts.
    pub line: usize,
    /// The column where it starts.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column behind its end.
    pub end_column: usize,
    /// What is said of it there.
    pub words: String,
}
