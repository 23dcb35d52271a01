//! `orbit graph`: automorphisms, canonical form and isomorphism of a coloured graph.

use crate::answer::{Answer, Exit};
use crate::dimacs;
use crate::page::Page;
use crate::plan::{GraphPlan, GraphTask};
use base::Diagnostic;

/// Carries out the plan.
pub fn run(plan: &GraphPlan) -> Result<Answer, Diagnostic> {
    let mut page = Page::new();
    match &plan.task {
        GraphTask::Automorphisms | GraphTask::Canonical => {
            page.field("canonical", dimacs::print(&plan.graph));
            Ok(Answer::new(Exit::Holds, page))
        }
        GraphTask::Isomorphism(other) => {
            Ok(Answer::new(Exit::of_answer(*other == plan.graph), page))
        }
    }
}
