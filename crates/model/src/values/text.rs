//! What certification asks of the text of a model.
//!
//! Who finds symmetries gives grounds ([`super::Ground`]); they are not believed. Who reads the
//! language also gives its text in this form, and every exchange that is to be used is put to it.
//! The two must not share code: a mistake in the one is then caught by the other.
//!
//! Worked example: a sort `{p, q, r}` and the invariant `p : v`. The ground "exchanged: {p, q}" is
//! wrong. Asked for the exchange of `p` and `q`, the text objects: the invariant would be `q : v`.

use super::SortId;
use base::{Over, Span};
use std::fmt;

/// The text of a model, and all else that has to stay what it is, as far as exchanging members is
/// concerned.
pub trait Text {
    /// Whether exchanging the two members, each for the other everywhere, gives a text with the
    /// same meaning; or what is in the way.
    fn exchange(&self, sort: SortId, a: usize, b: usize) -> Result<(), Objection>;

    /// Whether no member of the sort is named anywhere; or where one is.
    fn unnamed(&self, sort: SortId) -> Result<(), Objection>;
}

/// Why members may not be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objection {
    /// The exchange makes something else of this part.
    Changed(Place),
    /// This part names a member of a sort whose members are said to have no names.
    Named(Place),
    /// This part uses a member under a name that the model does not have.
    Unmatched(Place),
    /// This part could not be compared in full.
    Limit(Limit, Place),
    /// There was no time left to look.
    Unchecked(Over),
}

/// What was reached before an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// So many comparisons of two nodes.
    Comparisons(usize),
    /// Nesting so deep.
    Depth(usize),
}

/// A place in the text of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which part.
    pub part: Part,
    /// The name of the model that the part belongs to, if it is one that is refined.
    pub refined: Option<String>,
    /// Where, if it is one place.
    pub span: Option<Span>,
}

/// A part of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// What constants must satisfy.
    Properties,
    /// What must hold in all states.
    Invariant,
    /// How states of a refinement belong to states of what it refines.
    Gluing,
    /// What is claimed to follow.
    Assertions,
    /// How variables start.
    Initialisation,
    /// The operation of that name.
    Operation(String),
    /// What is looked for.
    Goal,
    /// An atom of a formula, by number.
    Atom(usize),
    /// A step that runs have to be fair to, by number.
    Fairness(usize),
}

impl Objection {
    /// Where it is, if it is about a place.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Objection::Changed(place)
            | Objection::Named(place)
            | Objection::Unmatched(place)
            | Objection::Limit(_, place) => Some(place),
            Objection::Unchecked(_) => None,
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::Changed(place) => write!(f, "{place} would not stay the same"),
            Objection::Named(place) => write!(f, "{place} names one of them"),
            Objection::Unmatched(place) => {
                write!(f, "{place} has a name for one that is not known")
            }
            Objection::Limit(Limit::Comparisons(n), place) => {
                write!(f, "{place} was not compared within {n} steps")
            }
            Objection::Limit(Limit::Depth(n), place) => {
                write!(f, "{place} is nested more than {n} levels deep")
            }
            Objection::Unchecked(Over::Time) => {
                write!(f, "the time was over before it was checked")
            }
            Objection::Unchecked(Over::Interrupted) => {
                write!(f, "it was interrupted before it was checked")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Part::Properties => write!(f, "the properties")?,
            Part::Invariant => write!(f, "the invariant")?,
            Part::Gluing => write!(f, "the gluing invariant")?,
            Part::Assertions => write!(f, "the assertions")?,
            Part::Initialisation => write!(f, "the initialisation")?,
            Part::Operation(name) => write!(f, "the operation `{name}`")?,
            Part::Goal => write!(f, "the goal")?,
            Part::Atom(n) => write!(f, "atom {} of the formula", n + 1)?,
            Part::Fairness(n) => write!(f, "fairness {} of the formula", n + 1)?,
        }
        match &self.refined {
            Some(name) => write!(f, " of `{name}`, which is refined,"),
            None => Ok(()),
        }
    }
}
