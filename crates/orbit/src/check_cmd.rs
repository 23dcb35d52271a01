//! `orbit check`: what was read, or what a search found.

mod asked;
mod branching;
mod machine;
mod machine_reduction;
mod machine_temporal;
mod members;
mod recorded;
mod reduction;
mod refinement;
pub mod script;
mod search;
mod temporal;
mod twice;

pub use script::{Prepared, Unready};
pub use search::Ready;

use crate::answer::{Answer, Exit};
use crate::page::Page;
use crate::plan::{CheckPlan, Listing, ReadModel};
use base::Diagnostic;
use report::object::{Accepted, VERSION};

/// Carries out the plan.
pub fn run(plan: &CheckPlan) -> Result<Answer, Diagnostic> {
    match plan {
        CheckPlan::Parse(read) => Ok(parsed(read)),
        CheckPlan::Search(plan) => search::run(plan),
        CheckPlan::ParseMachine(read) => Ok(machine::parsed(read)),
        CheckPlan::SearchMachine(plan) => machine::run(plan),
        CheckPlan::ParseScript(read) => Ok(script::parsed(read)),
        CheckPlan::SearchScript(plan) => Ok(script::run(plan)),
    }
}

/// What is shown of a summary that was made without the model.
pub fn summarised(summary: &report::Summary) -> Answer {
    search::answer(summary, Listing::Hidden)
}

/// What was read. What was odd about it is among the diagnostics; the answer counts its parts, so
/// that a reader can see that the right text was read.
fn parsed(plan: &ReadModel) -> Answer {
    let told = report::Model {
        defines: plan.defines.clone(),
        ..report::Model::new(&plan.path, plan.language)
    };
    accepted(told, &plan.accepted.parts())
}

/// What is said of a text that is right: how many there are of each kind of part.
fn accepted(model: report::Model, parts: &[(&str, usize)]) -> Answer {
    let mut page = Page::new();
    page.row("accepted", &model.path);
    for (name, n) in parts.iter().filter(|(_, n)| *n > 0) {
        page.row(name, &n.to_string());
    }
    let parts = parts.iter().map(|(name, n)| (name.replace(' ', "_"), *n));
    let json = Accepted {
        orbit: VERSION.to_owned(),
        model,
        accepted: true,
        parts: parts.collect(),
        diagnostics: Vec::new(),
    };
    Answer::told(Exit::Holds, page, &json)
}
