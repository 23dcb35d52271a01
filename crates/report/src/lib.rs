//! What a search found, for people and programs.
//!
//! An outcome becomes a [`Summary`], which is plain data; [`text::text`] and [`json::json`] are
//! two ways to write it down. Nothing here prints, and nothing knows how the outcome was found.

pub mod scope;
pub mod summary;

pub mod json;
pub mod text;

pub mod script;

mod change;
mod table;
pub mod words;

pub use json::json;
pub use scope::Scope;
pub use summary::{
    Details, Members, Model, OwnSearch, Property, Rejected, Request, Sort, Summary, Symmetry,
    Times, Unchecked, Verdict, Violated, reason_word, reason_words,
};
pub use text::{Look, progress, text};
