//! The meaning of `orbit graph`.

use crate::flags::GraphFlags;
use crate::watchdog;
use base::{Diagnostic, Diagnostics, Sources};
use calculator::graph::{GraphPlan, GraphTask};
use driver::input;
use group::graph::dimacs::{self, DimacsGraph};
use std::path::Path;

/// The plan, or `None` if `found` says why not.
pub fn plan(
    flags: GraphFlags,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<GraphPlan> {
    let other = flags.isomorphic.as_deref();
    if flags.file == Path::new("-") && other == Some(Path::new("-")) {
        found.push(Diagnostic::unlocated(
            "standard input is given twice; it can be read once",
        ));
        return None;
    }
    let before = found.n_errors();
    let clock = watchdog::clock(super::time(&flags.time, found));
    let sound = found.n_errors() == before;
    let graph = read(&flags.file, sources, found);
    let task = match (other, flags.canonical) {
        (Some(other), _) => read(other, sources, found).map(GraphTask::Isomorphism),
        (None, true) => Some(GraphTask::Canonical),
        (None, false) => Some(GraphTask::Automorphisms),
    };
    let (graph, task) = (graph?, task?);
    sound.then_some(GraphPlan { graph, task, clock })
}

fn read(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<DimacsGraph> {
    match input::read(path, sources) {
        Ok(source) => dimacs::parse(sources.get(source), source, found),
        Err(diagnostic) => {
            found.push(diagnostic);
            None
        }
    }
}
