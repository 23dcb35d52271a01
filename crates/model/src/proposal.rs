//! Changes of a text that may give a model more symmetry, as a front end proposes them.
//!
//! A proposal is about the text alone: whether it gives more symmetry is tried on the changed text,
//! and whether the changed model is still the one that was meant is for the modeller to say. So
//! nothing is applied to a file, and each proposal names what has to be judged.

use std::ops::Range;

/// A change of a text that may give more symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// What kind of change it is.
    pub kind: ProposalKind,
    /// The name of what it is about: of two changes of values of one variable, only one is made,
    /// as they would make one number of two.
    pub subject: String,
    /// What is changed, in words.
    pub words: String,
    /// What the modeller has to judge, in words.
    pub judge: &'static str,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The pieces of text that change.
    pub edits: Vec<Edit>,
}

/// What a change does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProposalKind {
    /// Statements become one step.
    Undivided,
    /// A number that names a member gives way to one that names none.
    Value,
    /// A process stays where it ends.
    Stays,
}

/// A piece of a text and what stands in its place afterwards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// Where the piece begins, in bytes.
    pub start: usize,
    /// Where it ends; an insertion is empty.
    pub end: usize,
    /// What stands there afterwards.
    pub text: String,
}

impl Edit {
    /// `text` in the place of a piece.
    pub fn replace(piece: Range<usize>, text: impl Into<String>) -> Edit {
        Edit {
            start: piece.start,
            end: piece.end,
            text: text.into(),
        }
    }

    /// `text` before the byte at `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit::replace(at..at, text)
    }
}

/// The text after all of these edits; `None` if two of them are about the same bytes.
pub fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    let mut all: Vec<&Edit> = edits.iter().collect();
    all.sort();
    all.dedup();
    let mut out = String::with_capacity(text.len() + 16 * all.len());
    let mut at = 0;
    for edit in all {
        out.push_str(text.get(at..edit.start)?);
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_from_left_to_right_and_each_once() {
        let insert = Edit::insert(0, "<");
        let edits = [Edit::replace(2..3, "X"), insert.clone(), insert];
        assert_eq!(edited("abcd", &edits).as_deref(), Some("<abXd"));
    }

    #[test]
    fn edits_of_the_same_bytes_are_refused() {
        let edits = [Edit::replace(0..2, "X"), Edit::replace(1..3, "Y")];
        assert_eq!(edited("abcd", &edits), None);
    }
}
