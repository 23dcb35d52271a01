//! The language B: text → tokens → syntax tree → [`typed::Machine`], and what runs it.
//!
//! [`project::load`] reads a machine and all machines that belong to it ([`lex`], [`parse`]);
//! [`typeck::typecheck`] looks up every name, expands definitions and finds every type. Each stage
//! reports what is wrong in the user's own files and goes on where it can; [`read`] runs all of
//! them. What ProB accepts of classical B is accepted, apart from what `docs/guide/b.md` lists.

mod token;

pub mod lex;

pub mod ast;
pub mod parse;
mod project;
mod temporal;

mod typeck;
pub mod typed;

pub mod value;

pub mod eval;
pub mod solve;

pub mod run;

pub mod alike;
mod cells;
pub mod exchange;
pub mod frontend;
pub mod live;
mod outline;
pub mod refine;

use base::{Diagnostics, SourceId, Sources};

/// The typed machine in `main`, or `None` if `found` says why there is none.
///
/// Files that it needs are asked for by name: `M.mch`, `M.ref`, `M.imp`, `M.sys` in this order for
/// a machine `M`, and files of definitions as they are written.
pub fn read(
    main: SourceId,
    sources: &mut Sources,
    include: &mut project::FindFile,
    found: &mut Diagnostics,
) -> Option<typed::Machine> {
    let project = read_project(main, &Additions::default(), sources, include, found)?;
    typeck::typecheck(&project, found)
}

/// What is asked of a machine beside what its text says.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// A text that starts with `DEFINITIONS`: these replace those of the machine that have the same
    /// names.
    pub definitions: Option<SourceId>,
    /// Formulas of temporal logic: whether one is of linear time, and its text.
    pub formulas: Vec<(bool, SourceId)>,
}

/// The syntax of the machine in `main` and of all that belong to it, with more that is asked.
fn read_project(
    main: SourceId,
    added: &Additions,
    sources: &mut Sources,
    include: &mut project::FindFile,
    found: &mut Diagnostics,
) -> Option<project::Project> {
    let mut project = project::load(main, sources, include, found)?;
    if let (Some(added), Some(first)) = (added.definitions, project.first_mut()) {
        let text = sources.get(added).text();
        let read = parse::definition_file(added, lex::lex(added, text), text.len(), found);
        for definition in read.all {
            let all = &mut first.ast.definitions;
            all.retain(|other| other.name.text != definition.name.text);
            all.push(definition);
        }
    }
    if found.has_errors() {
        return None;
    }
    project.ask(&added.formulas, sources, found);
    Some(project)
}
