//! The meaning of `orbit symmetry` for a CSPM script.

use super::script::{Asked, LEAF_STATES, assertions, chosen, read};
use super::time;
use crate::flags::SymmetryFlags;
use crate::watchdog;
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources};
use cspm::ast;
use cspm::eval::Script;
use std::sync::Mutex;

/// The assertions of a script whose symmetry is to be shown.
pub struct ScriptSymmetry {
    /// Where it was read from, as typed.
    pub path: String,
    /// The script, ready to be evaluated.
    pub script: Mutex<Script>,
    /// The script as it was read.
    pub ast: ast::Script,
    /// Its texts.
    pub sources: Sources,
    /// Which of them is its own.
    pub main: SourceId,
    /// Its assertions that are meant.
    pub asked: Vec<Asked>,
    /// The most states of a component.
    pub leaf_states_max: usize,
    /// When it has to stop.
    pub clock: Clock<'static>,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: &SymmetryFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<ScriptSymmetry> {
    let before = found.n_errors();
    if flags.script.leaf_states == Some(0) {
        let message = "`--leaf-states` is 0, and every process has a state";
        found.push(Diagnostic::unlocated(message));
    }
    let clock = watchdog::clock(time(&flags.time, found));
    if found.n_errors() > before {
        return None;
    }
    let path = flags.model.file.clone()?;
    let (main, ast) = read(&path, &flags.model.include, sources, found)?;
    let live = Script::load(&ast).map_err(|why| why.into_iter().for_each(|d| found.push(d)));
    let live = live.ok()?;
    live.remarks().for_each(|remark| found.push(remark));
    let all = assertions(&live, sources);
    Some(ScriptSymmetry {
        path: path.display().to_string(),
        script: Mutex::new(live),
        asked: chosen(all, flags.assert.as_deref(), found)?,
        ast,
        sources: sources.clone(),
        main,
        leaf_states_max: flags.script.leaf_states.unwrap_or(LEAF_STATES),
        clock,
    })
}
