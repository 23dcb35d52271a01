//! What we tell the user about a mistake in a text.
//!
//! A diagnostic is a message with a severity, the spans it speaks of, and notes: data, so that the
//! command line, JSON and a web page can each show it. The first label is where the mistake is;
//! the others are what the reader needs to see beside it.
//!
//! All diagnostics of a text are collected in a [`Diagnostics`] and shown together, in the order of
//! the text: a user who mends four lines should not have to start the program four times.

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text has no meaning; nothing is computed from it.
    Error,
    /// The text has a meaning, perhaps not the intended one.
    Warning,
}

/// A span and what is to be said about it; the words may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub words: String,
}

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in the user's words.
    pub message: String,
    /// Where; the first is the place of the mistake. Empty when there is no text to point at.
    pub labels: Vec<Label>,
    /// What else helps, such as what would be right.
    pub notes: Vec<String>,
}

/// Diagnostics as they are found.
#[derive(Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::located(Severity::Error, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::located(Severity::Warning, span, message.into())
    }

    /// An error about no text in particular: a file that is not there, flags that do not go
    /// together.
    pub fn unlocated(message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic {
            severity: Severity::Error,
            message,
            labels: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same, with words at its first span.
    pub fn saying(mut self, words: impl Into<String>) -> Diagnostic {
        let first = self.labels.first_mut().expect("a located diagnostic");
        first.words = words.into();
        self
    }

    /// The same, pointing at one more place.
    pub fn and(mut self, span: Span, words: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            words: words.into(),
        });
        self
    }

    /// The same, with one more note.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    fn located(severity: Severity, span: Span, message: String) -> Diagnostic {
        let labels = vec![Label {
            span,
            words: String::new(),
        }];
        Diagnostic {
            severity,
            message,
            labels,
            notes: Vec::new(),
        }
    }
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Takes one in.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.all.push(diagnostic);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.n_errors() > 0
    }

    /// How many of them are errors.
    pub fn n_errors(&self) -> usize {
        self.all
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .count()
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The errors among them, in the order in which they are shown.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        let mut errors = self.sorted();
        errors.retain(|d| d.severity == Severity::Error);
        errors
    }

    /// All of them in the order of their texts; those without a place first, equal places in the
    /// order found.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.all
            .sort_by_key(|d| d.labels.first().map(|label| label.span));
        self.all
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        self.all.extend(more);
    }
}

/// The user's own text inside a message: in backquotes, control characters escaped so that a file
/// cannot steer a terminal, and cut after 40 characters so that a message stays one line.
pub fn quote(text: &str) -> String {
    const SHOWN_MAX: usize = 40;
    let mut shown = String::from("`");
    for (i, c) in text.chars().enumerate() {
        if i == SHOWN_MAX {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.push('`');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn span(range: std::ops::Range<usize>) -> Span {
        Span::new(SourceId::new(0), range)
    }

    #[test]
    fn diagnostics_come_out_in_the_order_of_the_text() {
        let mut found = Diagnostics::new();
        found.push(Diagnostic::error(span(9..10), "third"));
        found.push(Diagnostic::warning(span(2..3), "second"));
        found.push(Diagnostic::unlocated("first"));
        assert_eq!(found.n_errors(), 2);
        let messages: Vec<String> = found.sorted().into_iter().map(|d| d.message).collect();
        assert_eq!(messages, ["first", "second", "third"]);
    }

    #[test]
    fn warnings_alone_are_no_errors() {
        let mut found = Diagnostics::new();
        assert!(found.is_empty());
        found.push(Diagnostic::warning(span(0..1), "odd"));
        assert!(!found.has_errors() && !found.is_empty());
    }

    #[test]
    fn quoted_text_is_tame() {
        assert_eq!(quote("x1"), "`x1`");
        assert_eq!(quote("a\x1b[31m\n"), "`a\\u{1b}[31m\\n`");
        assert_eq!(quote(&"é".repeat(41)), format!("`{}…`", "é".repeat(40)));
    }
}
