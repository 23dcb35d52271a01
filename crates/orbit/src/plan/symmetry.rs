//! The meaning of `orbit symmetry`.

use super::model::{of_file, options, request};
use super::script_symmetry::{self, ScriptSymmetry};
use super::time;
use crate::flags::{Language, SymmetryFlags};
use crate::watchdog;
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::detect::{self, Words};
use driver::explain::{self, Picture};
use model::frontend::{Options, Purpose, Reading, Shape};
use std::path::{Path, PathBuf};

/// Whose symmetry to show.
pub enum SymmetryPlan {
    /// That of a model.
    Model(Box<explain::SymmetryPlan>),
    /// That of a CSPM script.
    Script(Box<ScriptSymmetry>),
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: SymmetryFlags,
    language: Language,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SymmetryPlan> {
    if language == Language::Cspm {
        let plan = script_symmetry::plan(&flags, sources, found)?;
        return Some(SymmetryPlan::Script(Box::new(plan)));
    }
    let before = found.n_errors();
    let clock = watchdog::clock(time(&flags.time, found));
    if flags.seed.is_some() && flags.detect.conjugates.is_none() {
        found.push(Diagnostic::unlocated("`--seed` needs `--conjugates`"));
    }
    let diagram = flags
        .diagram
        .as_deref()
        .and_then(|path| picture(path, found));
    if found.n_errors() > before {
        return None;
    }
    let options = Options {
        reading: Reading::Symmetry,
        ..options(&flags.model, &flags.sizes)
    };
    let request = request(&flags.model, &options, clock, found)?;
    let frontend = of_file(language, request.file);
    let model = driver::load::load(&request, frontend, sources, found)?.model;
    let words = Words {
        place: flags.detect.detect.as_deref(),
        n_conjugates: flags.detect.conjugates,
        seed: flags.seed,
        clock,
    };
    let subject = model.subject(&Purpose::Errors);
    let subject = subject.map_err(|why| found.push(Diagnostic::unlocated(why)));
    let detect = {
        let subject = subject.ok()?;
        let machine = match subject.shape() {
            Shape::Processes(machine) => Some(machine),
            Shape::Values { .. } => None,
        };
        detect::plan(&words, machine, sources, found)?
    };
    Some(SymmetryPlan::Model(Box::new(explain::SymmetryPlan {
        model,
        detect,
        clock,
        diagram,
    })))
}

fn picture(path: &Path, found: &mut Diagnostics) -> Option<(PathBuf, Picture)> {
    let picture = match path.extension().and_then(|e| e.to_str()) {
        Some("dot") => Picture::Dot,
        Some("svg") => Picture::Svg,
        _ => {
            let name = quote(&path.display().to_string());
            let message = format!("`--diagram` needs a name that ends in .dot or .svg, not {name}");
            found.push(Diagnostic::unlocated(message));
            return None;
        }
    };
    Some((path.to_path_buf(), picture))
}
