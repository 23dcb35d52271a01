//! The meaning of `orbit check`: the model read, its names looked up, its types checked.

use crate::flags::CheckFlags;
use crate::input;
use base::{Diagnostic, Diagnostics, SourceId, Sources, quote};
use promela::preprocess::IncludeRequest;
use promela::typed::Typed;
use std::path::{Path, PathBuf};

/// A model that was accepted.
pub struct CheckPlan {
    /// Where it was read from, as typed.
    pub path: String,
    /// The macros that were defined for it, as typed.
    pub defines: Vec<String>,
    /// The model.
    pub model: Typed,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: CheckFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<CheckPlan> {
    if !flags.parse_only {
        let message = "orbit cannot search a model yet";
        let note = "with `--parse-only` it reads the model and checks its types";
        found.push(Diagnostic::unlocated(message).note(note));
        return None;
    }
    let defines: Vec<Option<SourceId>> = flags
        .define
        .iter()
        .map(|define| define_source(define, sources, found))
        .collect();
    let defines: Vec<SourceId> = defines.into_iter().collect::<Option<_>>()?;
    let main = match input::read(&flags.file, sources) {
        Ok(main) => main,
        Err(diagnostic) => {
            found.push(diagnostic);
            return None;
        }
    };
    let folders = flags.include;
    let mut include =
        |sources: &mut Sources, request: &IncludeRequest| read_included(request, &folders, sources);
    let model = promela::check(main, &defines, sources, &mut include, found)?;
    Some(CheckPlan {
        path: flags.file.display().to_string(),
        defines: flags.define,
        model,
    })
}

/// `NAME=VALUE` as a text that a `#define` could hold.
fn define_source(define: &str, sources: &mut Sources, found: &mut Diagnostics) -> Option<SourceId> {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let message = format!("`-D` needs a name, not {}", quote(define));
        found.push(Diagnostic::unlocated(message));
        return None;
    }
    let text = format!("{name} {value}").replace(['\n', '\r'], " ");
    Some(sources.add(format!("-D {define}"), text))
}

/// Reads a file that a model includes: beside the file that asks, then in the folders of `-I`.
fn read_included(
    request: &IncludeRequest,
    folders: &[PathBuf],
    sources: &mut Sources,
) -> Result<SourceId, Diagnostic> {
    let asked = Path::new(request.path);
    let beside = Path::new(sources.get(request.from).name()).parent();
    let beside = beside.filter(|_| !request.angled).map(Path::to_path_buf);
    let places = beside.into_iter().chain(folders.iter().cloned());
    let mut paths = places.map(|folder| folder.join(asked));
    match paths.find(|path| path.is_file()) {
        Some(path) => input::read(&path, sources),
        None => {
            let message = format!("the file {} is not found", quote(request.path));
            let error = Diagnostic::unlocated(message);
            Err(error.note("it is looked for beside the file that asks, then where `-I` says"))
        }
    }
}
