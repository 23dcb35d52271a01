//! The language CSPM: text → tokens → syntax tree, checked for names and types; then values and
//! [`process`] terms, and the transition systems they stand for.
//!
//! [`read`] gives the syntax tree of a script with all that it includes ([`lex`], [`project`],
//! [`parse`]); what is wrong is reported in the user's own files.

mod token;

mod lex;

pub mod ast;
pub mod listing;
mod parse;
pub mod project;

mod resolve;

mod outline;
pub mod typeck;

pub mod process;

pub mod operate;

pub mod leaf;

pub mod compress;

pub mod value;

pub mod eval;

pub mod alike;

pub mod compile;

pub mod explain;

pub mod frontend;

mod words;

mod running;

pub use typeck::check;

use base::{Diagnostics, SourceId, Sources};

/// Evaluation and exploration look at the clock at one question in so many.
pub(crate) const TICKS: u32 = 512;

/// The syntax tree of the script in `main` with all that it includes, or `None` if `found` says
/// why there is none.
///
/// Included files are asked for by name, relative to the script.
pub fn read(
    main: SourceId,
    sources: &mut Sources,
    include: &mut project::Include,
    found: &mut Diagnostics,
) -> Option<ast::Script> {
    let tokens = project::tokens(main, sources, include, found)?;
    parse::script(main, tokens, sources, found)
}
