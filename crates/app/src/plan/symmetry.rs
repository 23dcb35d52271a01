//! The meaning of `orbit symmetry`.

use super::detect::{self, Detect};
use super::model::{self, Rules, RunModel};
use super::time;
use crate::flags::SymmetryFlags;
use base::{Diagnostic, Diagnostics, Sources, quote};
use std::path::{Path, PathBuf};

/// What to show of which model.
pub struct SymmetryPlan {
    /// The model.
    pub model: RunModel,
    /// Where symmetry is looked for.
    pub detect: Detect,
    /// Where the channel diagram goes, and how.
    pub diagram: Option<(PathBuf, Picture)>,
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
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SymmetryPlan> {
    let before = found.n_errors();
    let limit = time(&flags.time, found);
    let where_ = flags.detect.detect.as_deref().unwrap_or("structure");
    if flags.time.is_some() && !["channel-diagram", "kripke"].contains(&where_) {
        let message = "`--time` needs `--detect channel-diagram` or `--detect kripke`";
        found.push(Diagnostic::unlocated(message).note("nothing else takes long"));
    }
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
    let read = model::read(&flags.model, sources, found)?;
    let model = model::compile(read, Rules::of(&flags.model), sources, found)?;
    let detect = detect::plan(
        &flags.detect,
        (flags.seed, limit),
        &model.machine,
        sources,
        found,
    )?;
    Some(SymmetryPlan {
        model,
        detect,
        diagram,
    })
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
