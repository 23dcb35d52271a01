//! What a verdict is about.
//!
//! `holds` is a large word. Of a model with five processes it says nothing about six; of a search
//! that went ten moves deep nothing about the eleventh. So a verdict has a scope, in its type and
//! in JSON, and whoever gives a verdict says which. Searches that see every state of the model as
//! it is give [`Scope::ThisSize`]; engines for parameters, bounds and probabilities give others.

use crate::object;

/// What a verdict is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scope {
    /// The model as it is, with its numbers of processes and sizes of sets.
    ThisSize,
    /// The model with any number of its interchangeable parts.
    EverySize,
    /// Runs of at most so many moves.
    UpToDepth(u64),
    /// The verdict is right with a probability between these.
    Probability(f64, f64),
    /// Different states may have been taken for one.
    Approximate,
}

impl Scope {
    /// For programs.
    pub fn object(self) -> object::Scope {
        let of = |kind: &str| object::Scope {
            kind: kind.to_owned(),
            depth: None,
            at_least: None,
            at_most: None,
        };
        match self {
            Scope::ThisSize => of("this_size"),
            Scope::EverySize => of("every_size"),
            Scope::UpToDepth(depth) => object::Scope {
                depth: Some(depth),
                ..of("up_to_depth")
            },
            Scope::Probability(least, most) => object::Scope {
                at_least: Some(least),
                at_most: Some(most),
                ..of("probability")
            },
            Scope::Approximate => of("approximate"),
        }
    }

    /// Behind a verdict, if it is about something else than a reader expects.
    pub fn words(self) -> Option<String> {
        Some(match self {
            Scope::ThisSize => return None,
            Scope::EverySize => "for every size".to_owned(),
            Scope::UpToDepth(depth) => format!("up to depth {depth}"),
            Scope::Probability(least, most) => {
                format!("with a probability from {least} to {most}")
            }
            Scope::Approximate => "approximately".to_owned(),
        })
    }
}
