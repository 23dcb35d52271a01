//! What is interchangeable in a model, and what stands in the way of more: what `orbit symmetry`
//! tells.
//!
//! Worked example: three clients with a link each, of which the text treats the third in its own
//! way (`_pid == 3` in line 41). The group is S2; clients 1 and 2 are an orbit, client 3 another;
//! and what keeps them apart is line 41.

mod drawing;
mod kripke;
mod network;
mod processes;
mod suggested;
mod values;

use crate::conduct::told;
use crate::detect::{Detect, Detected, detect, detect_if, rejection_words};
use crate::load::Again;
use crate::plan::Listing;
use base::{Clock, Diagnostic};
use drawing::DrawnOrbits;
use model::Machine;
use model::frontend::{Model, Purpose, Shape};
use reduce::processes::Found;
use reduce::processes::diagram::Diagram;
use reduce::processes::sort::Sends;
use report::answer::{Answer, Exit, cause, unknown};
use report::object::{self, Orbits, Symmetries};
use report::page::Page;
use std::path::PathBuf;

/// What to show of which model.
pub struct SymmetryPlan {
    /// The model.
    pub model: Box<dyn Model>,
    /// Where symmetry is looked for.
    pub detect: Detect,
    /// When to stop looking.
    pub clock: Clock<'static>,
    /// Where the channel diagram goes, and how.
    pub diagram: Option<(PathBuf, Picture)>,
    /// Whether pictures are drawn for programs and pages.
    pub drawings: Listing,
    /// The assertions that are meant, by number, where there are some.
    pub assertions: Vec<usize>,
    /// How much memory may be used.
    pub memory_bytes_max: Option<u64>,
    /// How the model is read once more, with changes.
    pub again: Box<Again>,
    /// What is said of changes.
    pub advice: Advice,
}

/// What is said of changes that may give more symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// What would have to change, in words, and what a few changes give.
    Named,
    /// The changes that give more, as a patch.
    Suggested,
}

/// How a diagram is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    /// As text for Graphviz.
    Dot,
    /// As a picture.
    Svg,
}

/// Shows the symmetry of a model.
pub fn symmetry(plan: &SymmetryPlan) -> Result<Answer, Diagnostic> {
    let told = Symmetries::new(told(&*plan.model));
    if plan.model.is_of_assertions() {
        let asked = network::Asked {
            model: &*plan.model,
            assertions: &plan.assertions,
            clock: plan.clock,
            memory_bytes_max: plan.memory_bytes_max,
            drawings: plan.drawings,
        };
        return Ok(network::page(&asked, told));
    }
    let subject = plan.model.subject(&Purpose::Errors)?;
    match subject.shape() {
        Shape::Processes(machine) => of_processes(plan, machine, told),
        Shape::Values {
            signature,
            grounds,
            text,
            words,
        } => {
            let values = values::Values {
                signature,
                grounds,
                text,
                words,
                drawings: plan.drawings,
            };
            Ok(values::page(&values, plan.clock, told))
        }
        Shape::Opaque => {
            let mut page = Page::new();
            page.row("group", "trivial: nothing is interchangeable");
            Ok(Answer::told(Exit::Holds, page, &told))
        }
    }
}

/// The symmetry of processes.
fn of_processes(
    plan: &SymmetryPlan,
    machine: &Machine,
    mut told: Symmetries,
) -> Result<Answer, Diagnostic> {
    let mut page = Page::new();
    // What `orbit check` starts with, if it looks at the text as well.
    let detected = match &plan.detect {
        Detect::Structure => detect_if(machine, Sends::Assumed, plan.clock),
        elsewhere => detect(elsewhere, machine),
    };
    let Some(detected) = detected else {
        let why = match machine.model().trace {
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
        return Ok(unknown(over.into(), &words));
    }
    processes::group(found, &mut page, &mut told);
    processes::assumed(found, &mut page, &mut told);
    processes::rejected(&detected, &mut page, &mut told);
    processes::orbits(found, &mut page, &mut told);
    processes::sorts(found, &mut page, &mut told);
    let mut tryout = suggested::Tryout::new(plan, found);
    processes::making(found, &mut tryout, &mut page, &mut told);
    processes::blockers(&detected, &mut tryout, &mut page, &mut told);
    processes::declared(found, plan.clock, &mut page, &mut told);
    let mut exit = Exit::Holds;
    if let Some(by_diagram) = &detected.by_diagram {
        exit = processes::diagram(by_diagram, &mut page, &mut told);
    }
    if let Detect::Kripke(clock) = &plan.detect {
        exit = kripke::compare(found, machine, *clock, &mut page, &mut told);
    }
    if exit == Exit::Holds && told.declared.iter().any(|one| one.unmet.is_some()) {
        exit = Exit::Violated;
    }
    told.diagram = draw(plan, &detected, &mut page)?;
    if plan.drawings == Listing::Shown {
        told.drawings = drawings(found, told.orbits.as_ref());
    }
    if plan.advice == Advice::Suggested {
        suggested::suggestions(plan, found, &mut page, &mut told);
    }
    Ok(Answer::told(exit, page, &told))
}

/// Who sends to whom, and the same for orbits.
fn drawings(found: &Found, orbits: Option<&Orbits>) -> Vec<object::Drawing> {
    let diagram = Diagram::new(found);
    let Some(orbits) = orbits.filter(|_| !diagram.arcs.is_empty()) else {
        return Vec::new();
    };
    let orbits = DrawnOrbits::new(&diagram, found, orbits);
    drawing::Drawing::by_orbits(&diagram, found, &orbits).told(Vec::new())
}

/// Writes the diagram, if that was asked for; its file.
fn draw(
    plan: &SymmetryPlan,
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

/// What might have been a symmetry and is none.
pub fn rejected_section(all: Vec<report::Rejected>, page: &mut Page, told: &mut Symmetries) {
    if !all.is_empty() {
        let lines = all
            .iter()
            .flat_map(|told| wrapped(&format!("{}: {}", told.candidate, rejection_words(told))));
        page.listing("rejected", &lines.collect::<Vec<_>>());
    }
    told.rejected = all;
}

/// The width of a line of reasons.
const WIDTH: usize = 84;

/// Words in lines, those after the first moved in a little.
pub fn wrapped(words: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(format!("  {word}"));
            continue;
        }
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines
}
