//! Why something about a model was not worked out.

use base::{Clock, Diagnostic, Over};
use std::fmt;

/// Why something about a model was not worked out.
#[derive(Clone, PartialEq, Debug)]
pub enum Obstacle {
    /// Something is wrong with the model.
    Mistake(Box<Diagnostic>),
    /// Something is right, and cannot be answered here.
    Unsupported(String),
    /// The same, with its place.
    Missing(Box<Diagnostic>),
    /// A limit of ours came first.
    Limit(String),
    /// It took too much memory.
    Spent(String),
    /// The work was stopped; why, where that is known.
    Stopped(Option<Over>),
    /// Whoever checks a claim did not come to an answer, and knows why.
    Unanswered,
}

impl Obstacle {
    /// The same as a message; `clock` says why the work was stopped.
    pub fn diagnostic(self, clock: Clock<'_>) -> Diagnostic {
        match self {
            Obstacle::Mistake(said) | Obstacle::Missing(said) => *said,
            Obstacle::Stopped(None) => {
                Diagnostic::unlocated(Obstacle::Stopped(clock.ask().err()).to_string())
            }
            other => Diagnostic::unlocated(other.to_string()),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Mistake(said) | Obstacle::Missing(said) => f.write_str(&said.message),
            Obstacle::Unsupported(words) | Obstacle::Limit(words) | Obstacle::Spent(words) => {
                f.write_str(words)
            }
            Obstacle::Stopped(Some(Over::Interrupted)) => f.write_str("it was interrupted"),
            Obstacle::Stopped(_) => f.write_str("a limit came first"),
            Obstacle::Unanswered => f.write_str("it was not answered"),
        }
    }
}
