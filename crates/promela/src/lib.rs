//! The language Promela: text → tokens → [`ast::Ast`] → [`typed::Typed`].
//!
//! [`preprocess::preprocess`] obeys directives and expands macros, [`parse::parse`] makes the
//! syntax tree with inlines expanded, [`typeck::typecheck`] looks up every name and checks every
//! type. Each stage reports what is wrong in the user's own files and goes on where it can;
//! [`check`] runs all of them. What SPIN 6.5 accepts is accepted here, apart from embedded C.

mod place;
mod token;

mod lex;
pub mod preprocess;

pub mod ast;
mod outline;
mod parse;
mod proposals;

mod typeck;
pub mod typed;

pub mod frontend;

pub mod lite;
pub mod lower;

use base::{Diagnostics, SourceId, Sources};
use preprocess::Include;

/// The syntax tree of the model in `main`, with macros from `defines` (texts `NAME value`).
///
/// # Ensures
/// If `found` has no errors afterwards, the tree is that of the whole text.
pub fn read(
    main: SourceId,
    defines: &[SourceId],
    sources: &mut Sources,
    include: &mut Include,
    found: &mut Diagnostics,
) -> ast::Ast {
    let tokens = preprocess::preprocess(main, defines, sources, include, found);
    let length = sources.get(main).text().len();
    parse::parse(tokens, main, length, found)
}

/// The typed tree of the model in `main`, or `None` if `found` says why there is none.
///
/// Types are checked only if the syntax is right: what is missing from a tree after a syntax error
/// would be reported as missing from the model.
pub fn check(
    main: SourceId,
    defines: &[SourceId],
    sources: &mut Sources,
    include: &mut Include,
    found: &mut Diagnostics,
) -> Option<typed::Typed> {
    let ast = read(main, defines, sources, include, found);
    if found.has_errors() {
        return None;
    }
    typeck::typecheck(ast, found)
}
