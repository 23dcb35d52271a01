//! What a search found, for people and programs.
//!
//! An outcome becomes a [`Summary`], which is plain data; [`text::text`] and [`json::json`] are
//! two ways to write it down. What programs read is made of the types in [`object`]. Nothing here
//! prints, and nothing knows how the outcome was found.

pub mod answer;
pub mod events;
pub mod itf;
pub mod page;
pub mod reasons;
mod scope;
pub mod summary;

pub mod json;
pub mod object;
pub mod text;

pub mod change;
mod table;
pub mod words;

pub use json::json;
pub use object::{Model, Rejected, Sort};
pub use scope::Scope;
pub use summary::{
    Details, Members, OwnSearch, Property, ReportedAssertion, RequestedCheck, Run, Summary,
    Symmetry, Times, Unchecked, Verdict, Violated, reason_word, reason_words,
};
pub use text::{TextStyle, progress, text};
