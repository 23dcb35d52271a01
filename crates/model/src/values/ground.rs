//! Why members of a sort may be exchanged, or may not.
//!
//! Who reads a language knows whether a model can tell the members of a sort apart, and why; who
//! reduces only needs the answer, sort by sort, in this form. Nothing is taken for granted: where
//! no ground is given for a sort, its members stay, and a ground is used only as far as the text of
//! the model bears it out ([`super::Text`]).

use super::Sort;

/// What is known about the members of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// The model has no names for them, and nothing in it orders, prints or counts off members:
    /// all are alike.
    Unnamed,
    /// The model names some. Members of one of these lists were exchanged with each other in all
    /// of the text, pair by pair, and each time the text was the same; who is in no list is like
    /// nobody.
    Exchanged(Vec<Vec<usize>>),
    /// They are not to be exchanged, for this reason.
    Apart(String),
}

impl Ground {
    /// What follows from the sort alone: that members without names are alike, if the language has
    /// nothing that tells them apart; of members with names, nothing.
    pub fn of(sort: &Sort) -> Ground {
        if sort.is_named {
            Ground::Exchanged(Vec::new())
        } else {
            Ground::Unnamed
        }
    }
}
