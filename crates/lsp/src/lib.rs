//! A language server: what an editor shows of a model while it is written.
//!
//! [`run`] speaks the Language Server Protocol over a connection. It names no language: it is given
//! the front ends, and asks each for its messages ([`reading`]) and for an outline
//! (`model::outline`), from which all else follows: definitions and uses ([`navigate`]), what is
//! shown of names ([`show`]), what can be checked ([`lenses`]).
//!
//! | what | where it comes from |
//! |---|---|
//! | messages | the same as `orbit check --parse-only`, with unsaved texts before files |
//! | names | the outline of the language; of a text that does not parse, the last that did |
//! | symmetry | `driver::explain`, in the background, for a few seconds, until an edit |
//! | verdicts | a process of `orbit check` on the file that was saved ([`check`]) |
//!
//! A panic while a text is read is told to the user as a bug of ours, and the server goes on.

mod check;
mod document;
mod lenses;
mod navigate;
mod reading;
mod server;
mod session;
mod show;
mod symmetry;
mod text;
mod uri;

pub use server::{Ended, Server, run};
