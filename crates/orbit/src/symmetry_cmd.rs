//! `orbit symmetry`: what is interchangeable in a model, and what stands in the way of more.

mod script;

use crate::answer::Answer;
use crate::plan::SymmetryPlan;
use base::Diagnostic;

/// Carries out the plan.
pub fn run(plan: &SymmetryPlan) -> Result<Answer, Diagnostic> {
    match plan {
        SymmetryPlan::Model(plan) => driver::explain::symmetry(plan),
        SymmetryPlan::Script(plan) => Ok(script::page(plan)),
    }
}
