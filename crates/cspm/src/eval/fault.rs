//! What goes wrong while a script is evaluated: where, what, and by which calls it was reached.

use base::{Diagnostic, Span};

/// How many calls of a trace are kept: the innermost ones.
const CALLS_MAX: usize = 6;

/// An error of the script, found while evaluating it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// The calls that led there, innermost first: where they stand and what was called.
    pub calls: Vec<(Span, String)>,
    /// Whose fault it is.
    pub kind: FaultKind,
}

/// Whose fault it is that evaluation does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The script's.
    Wrong,
    /// Ours: the script is right, and something in it is not supported.
    Missing,
    /// Nobody's: it was time to stop.
    Stopped,
}

/// Evaluation gives a value or ends with a fault.
pub type Result<T> = std::result::Result<T, Box<Fault>>;

impl Fault {
    /// A fault at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            span,
            message: message.into(),
            calls: Vec::new(),
            kind: FaultKind::Wrong,
        })
    }

    /// What evaluation ends with when it is time to stop.
    pub fn stopped(span: Span) -> Box<Fault> {
        let mut fault = Fault::new(span, "the evaluation was stopped here");
        fault.kind = FaultKind::Stopped;
        fault
    }

    /// What evaluation ends with where something is not supported.
    pub fn missing(span: Span, message: impl Into<String>) -> Box<Fault> {
        let mut fault = Fault::new(span, message);
        fault.kind = FaultKind::Missing;
        fault
    }

    /// The same, reached by a call at `span`.
    pub fn called(mut self: Box<Fault>, span: Span, name: &str) -> Box<Fault> {
        // A recursion is told once.
        let is_told = self
            .calls
            .iter()
            .any(|(at, called)| *at == span && called == name);
        if self.calls.len() < CALLS_MAX && !is_told {
            self.calls.push((span, name.to_string()));
        }
        self
    }

    /// As a message to the user.
    pub fn diagnostic(&self) -> Diagnostic {
        let start = Diagnostic::error(self.span, self.message.clone());
        self.calls.iter().fold(start, |message, (span, name)| {
            message.and(*span, format!("in the call of `{name}`"))
        })
    }
}

impl From<Box<Fault>> for Diagnostic {
    fn from(fault: Box<Fault>) -> Diagnostic {
        fault.diagnostic()
    }
}
