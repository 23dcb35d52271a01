//! The meaning of `orbit symmetry`.

use super::check::{refuse_no_states, up_to};
use super::model::{options, request};
use super::time;
use crate::flags::SymmetryFlags;
use crate::{amounts, output, watchdog};
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::ask::chosen_assertions;
use driver::detect::{self, CosetListener, Words};
use driver::explain::{Advice, Picture, SymmetryPlan};
use driver::load::Again;
use driver::plan::Listing;
use group::largest::CosetProgress;
use model::frontend::{Frontend, Options, Reading};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: SymmetryFlags,
    language: &'static dyn Frontend,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<SymmetryPlan> {
    let before = found.n_errors();
    let clock = watchdog::clock(time(&flags.time, found));
    if flags.seed.is_some() && flags.detect.conjugates.is_none() {
        found.push(Diagnostic::unlocated("`--seed` needs `--conjugates`"));
    }
    let diagram = flags
        .diagram
        .as_deref()
        .and_then(|path| picture(path, found));
    refuse_no_states(&flags.script, found);
    if found.n_errors() > before {
        return None;
    }
    let options = Options {
        reading: Reading::Symmetry,
        component_states_max: flags.script.leaf_states,
        components_up_to: up_to(&flags.script),
        memory_bytes_max: amounts::free_memory(),
        ..options(&flags.model, &flags.sizes)
    };
    let request = request(&flags.model, &options, clock, found)?;
    let loaded = driver::load::load(&request, language, sources, found)?;
    let again = Again {
        frontend: language,
        file: request.file.to_path_buf(),
        text: sources.get(loaded.main).text().to_owned(),
        folders: request.folders.to_vec(),
        open: request.open.clone(),
        options: options.clone(),
        clock,
    };
    let model = loaded.model;
    let words = Words {
        place: flags.detect.detect.as_deref(),
        n_conjugates: flags.detect.conjugates,
        seed: flags.seed,
        clock,
        listener: coset_listener(),
    };
    let detect = detect::plan_of(&words, &*model, sources, found)?;
    let assertions = if model.is_of_assertions() {
        chosen_assertions(flags.assert.as_deref(), model.questions(), found)?
    } else {
        Vec::new()
    };
    Some(SymmetryPlan {
        memory_bytes_max: options.memory_bytes_max,
        model,
        detect,
        clock,
        diagram,
        drawings: if flags.drawings || flags.html.is_some() {
            Listing::Shown
        } else {
            Listing::Hidden
        },
        assertions,
        again: Box::new(again),
        advice: advice(flags.suggest),
    })
}

fn advice(is_tried: bool) -> Advice {
    if is_tried {
        Advice::Suggested
    } else {
        Advice::Named
    }
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

/// Says how far the search of cosets has come: every second where somebody watches, else now and
/// then.
pub(super) fn coset_listener() -> CosetListener {
    let seconds = if std::io::stderr().is_terminal() {
        1
    } else {
        30
    };
    CosetListener {
        every: Duration::from_secs(seconds),
        hear: |progress| {
            let CosetProgress { n_tests, order, .. } = progress;
            let left = progress.n_cosets_left.as_ref();
            let left = left.map_or(String::new(), |n| format!(", {n} cosets left"));
            let words = format!("{n_tests} elements tested, a group of order {order}{left}\n");
            output::complain(&words);
        },
    }
}
