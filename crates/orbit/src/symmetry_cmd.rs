//! `orbit symmetry`: what is interchangeable in a model, and what stands in the way of more.
//!
//! Worked example: three clients with a link each, of which the text treats the third in its own
//! way (`_pid == 3` in line 41). The group is S2; clients 1 and 2 are an orbit, client 3 another;
//! and what keeps them apart is line 41.

mod drawing;
mod kripke;
mod machine;
mod script;
mod sections;

use crate::answer::{Answer, Exit};
use crate::deadline;
use crate::detect::{Detected, detect, detect_if};
use crate::page::Page;
use crate::plan::{Detect, ModelSymmetry, Picture, SymmetryPlan};
use crate::watchdog::cause;
use base::Diagnostic;
use reduce::processes::diagram::Diagram;
use reduce::processes::sort::Sends;
use report::object::Symmetries;

/// Carries out the plan.
pub fn run(plan: &SymmetryPlan) -> Result<Answer, Diagnostic> {
    match plan {
        SymmetryPlan::Model(plan) => of_model(plan),
        SymmetryPlan::Machine(plan) => Ok(machine::page(plan)),
        SymmetryPlan::Script(plan) => Ok(script::page(plan)),
    }
}

/// The symmetry of a Promela model.
fn of_model(plan: &ModelSymmetry) -> Result<Answer, Diagnostic> {
    let mut page = Page::new();
    let mut told = Symmetries::new(plan.model.told());
    // What `orbit check` starts with, if it looks at the text as well.
    let detected = match &plan.detect {
        Detect::Structure => detect_if(&plan.model.machine, Sends::Assumed, plan.clock),
        elsewhere => detect(elsewhere, &plan.model.machine),
    };
    let Some(detected) = detected else {
        let why = match plan.model.machine.model().trace {
            Some(_) => "unknown: the model has a trace, which tells channels and messages apart",
            None => "unknown: the start of the model goes wrong; `orbit check` says how",
        };
        page.row("group", why);
        told.reason = why.strip_prefix("unknown: ").map(str::to_owned);
        return Ok(Answer::told(Exit::Unknown, page, &told));
    };
    let found = &detected.found;
    if let Some(over) = found.over {
        let words = format!("{} while symmetries were looked for", cause(over.into()));
        return Ok(deadline::unknown(over.into(), &words));
    }
    sections::group(found, &mut page, &mut told);
    sections::assumed(found, &mut page, &mut told);
    sections::rejected(&detected, &mut page, &mut told);
    sections::orbits(found, &mut page, &mut told);
    sections::sorts(found, &mut page, &mut told);
    sections::making(found, &mut page, &mut told);
    sections::blockers(&detected, &mut page, &mut told);
    let mut exit = Exit::Holds;
    if let Some(by_diagram) = &detected.by_diagram {
        exit = sections::diagram(by_diagram, &mut page, &mut told);
    }
    if let Detect::Kripke(clock) = &plan.detect {
        let machine = &plan.model.machine;
        exit = kripke::compare(found, machine, *clock, &mut page, &mut told);
    }
    told.diagram = draw(plan, &detected, &mut page)?;
    Ok(Answer::told(exit, page, &told))
}

/// Writes the diagram, if that was asked for; its file.
fn draw(
    plan: &ModelSymmetry,
    detected: &Detected,
    page: &mut Page,
) -> Result<Option<String>, Diagnostic> {
    let Some((path, picture)) = &plan.diagram else {
        return Ok(None);
    };
    let diagram = Diagram::new(&detected.found);
    let drawing = drawing::Drawing::new(&diagram, &detected.found);
    let text = match picture {
        Picture::Dot => drawing.dot(),
        Picture::Svg => drawing.svg(),
    };
    let name = path.display().to_string();
    std::fs::write(path, text).map_err(|why| {
        Diagnostic::unlocated(format!("cannot write {}: {why}", base::quote(&name)))
    })?;
    let (n, m) = (diagram.vertices.len(), diagram.arcs.len());
    page.row("diagram", &format!("{n} vertices, {m} arcs, in {name}"));
    Ok(Some(name))
}
