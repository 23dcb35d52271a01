//! The meaning of `orbit symmetry`.

use super::detect::{self, Detect};
use super::machine;
use super::program::{self, Rules, RunModel};
use super::script_symmetry::{self, ScriptSymmetry};
use super::time;
use crate::flags::{Language, SymmetryFlags};
use crate::watchdog;
use base::{Clock, Diagnostic, Diagnostics, Sources, quote};
use bmachine::run::Program;
use std::path::{Path, PathBuf};

/// Whose symmetry to show.
pub enum SymmetryPlan {
    /// That of a Promela model.
    Model(Box<ModelSymmetry>),
    /// That of a B machine.
    Machine(Box<MachineSymmetry>),
    /// That of a CSPM script.
    Script(Box<ScriptSymmetry>),
}

/// What to show of which model.
pub struct ModelSymmetry {
    /// The model.
    pub model: RunModel,
    /// Where symmetry is looked for.
    pub detect: Detect,
    /// When to stop looking.
    pub clock: Clock<'static>,
    /// Where the channel diagram goes, and how.
    pub diagram: Option<(PathBuf, Picture)>,
}

/// Which B machine to show.
pub struct MachineSymmetry {
    /// Its path as typed.
    pub path: String,
    /// The machine with its sets.
    pub program: Program,
    /// Its text.
    pub sources: Sources,
    /// When to stop looking.
    pub clock: Clock<'static>,
}

/// How a diagram is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    /// As text for Graphviz.
    Dot,
    /// As a picture.
    Svg,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: SymmetryFlags,
    language: Language,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SymmetryPlan> {
    match language {
        Language::B => return of_machine(&flags, sources, found),
        Language::Cspm => {
            let plan = script_symmetry::plan(&flags, sources, found)?;
            return Some(SymmetryPlan::Script(Box::new(plan)));
        }
        Language::Promela => {}
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
    let read = program::read(&flags.model, sources, found)?;
    let model = program::compile(read, Rules::of(&flags.model), sources, found)?;
    let detect = detect::plan(
        &flags.detect,
        (flags.seed, clock),
        &model.machine,
        sources,
        found,
    )?;
    Some(SymmetryPlan::Model(Box::new(ModelSymmetry {
        clock,
        model,
        detect,
        diagram,
    })))
}

/// The plan for a B machine, whose symmetry is read off its text.
fn of_machine(
    flags: &SymmetryFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SymmetryPlan> {
    let before = found.n_errors();
    let clock = watchdog::clock(time(&flags.time, found));
    if found.n_errors() > before {
        return None;
    }
    let (path, program) = machine::load(&flags.model, &flags.sizes, sources, found)?;
    Some(SymmetryPlan::Machine(Box::new(MachineSymmetry {
        path,
        program,
        sources: sources.clone(),
        clock,
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
