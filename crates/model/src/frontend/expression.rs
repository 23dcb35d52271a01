//! Expressions over the states of a model, in its language: what a reader of a run wants to see.

use super::Obstacle;
use base::{Diagnostic, SourceId, Sources, Span};

/// An expression over states.
pub trait Expression {
    /// Its value in a state, in the notation of the language; or why it has none there.
    fn value(&self, state: &[u8]) -> Result<String, Obstacle>;
}

/// Says that a language has no expressions over states.
pub(super) fn not_read(text: SourceId, sources: &Sources, language: &str) -> Diagnostic {
    let span = Span::new(text, 0..sources.get(text).text().len());
    let message = format!("expressions over states are not read in {language}");
    let note = "all variables of a state are shown by `s` in `orbit simulate -i`, and by `--state`";
    Diagnostic::error(span, message).note(note)
}
