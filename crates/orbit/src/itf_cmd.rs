//! Runs in the Informal Trace Format: of `orbit simulate`, and the counterexample of `orbit check`.
//!
//! A counterexample is recorded in our own form first, and then replayed with every state told: so
//! what is written is a run of the model as it was written, in every language.

use crate::answer::Answer;
use crate::flags::SimulateFlags;
use crate::plan::simulate;
use crate::simulate_cmd::Silent;
use crate::watchdog;
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::simulate::{ChoiceMaker, Simulated, Simulator};
use driver::trail::{FileKind, Target};
use model::frontend::Frontend;
use std::path::{Path, PathBuf};

/// A run in the Informal Trace Format.
pub const ITF: FileKind = FileKind {
    flag: "--trail",
    word: "log in the Informal Trace Format",
    lost: "the run is not recorded",
    is_one: is_itf,
};

/// Whether a text begins as ours do.
fn is_itf(text: &str) -> bool {
    text.contains("\"#meta\"")
}

/// Whether a file is to be one, by its name.
pub fn is_wanted(path: &Path) -> bool {
    path.to_string_lossy().ends_with(report::itf::ENDING)
}

/// A counterexample that is to be written in this format.
pub struct ItfPlan {
    /// Where it goes.
    pub target: Target,
    /// Where it is recorded in our form before.
    pub recorded: PathBuf,
    /// How it is replayed.
    pub replay: SimulateFlags,
    /// The language of the model.
    pub language: &'static dyn Frontend,
}

impl ItfPlan {
    /// Writes what was recorded, if something was; what could not be done is a warning.
    pub fn write(self, answer: &mut Answer) {
        let is_there = std::fs::metadata(&self.recorded).is_ok_and(|file| file.len() > 0);
        if is_there {
            let recorded = self.recorded.clone();
            if let Err(why) = self.replayed() {
                answer.found.push(driver::trail::warning(format!(
                    "the run is not recorded: {}",
                    why.message
                )));
            }
            // Nobody asked for it.
            let _ = std::fs::remove_file(recorded);
        }
    }

    fn replayed(self) -> Result<(), Diagnostic> {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let plan = simulate::plan(self.replay, self.language, true, &mut sources, &mut found);
        let Some(plan) = plan else {
            let first = found.sorted().into_iter().next();
            return Err(first.unwrap_or(Diagnostic::unlocated("it cannot be replayed")));
        };
        let assertion = match &plan.run.chosen {
            ChoiceMaker::Replay(trail) => trail.assertion,
            _ => None,
        };
        let Simulated { run, .. } = driver::simulate::run(&Simulator {
            plan: &plan.run,
            sources: &sources,
            conversation: &Silent,
            listener: &watchdog::ProgressNotes,
        })?;
        self.target.write(&report::itf::text(&run, assertion))
    }
}

/// Reads a log.
pub fn read(path: &Path, sources: &mut Sources) -> Result<report::itf::Log, Diagnostic> {
    let source = driver::input::read(path, sources)?;
    report::itf::read(sources.get(source).text()).map_err(|why| {
        let name = quote(&path.display().to_string());
        Diagnostic::unlocated(format!("{name} cannot be followed: {}", why.words()))
    })
}
