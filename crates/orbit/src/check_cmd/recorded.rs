//! Runs that violate what is asked of infinite runs, written into a file.
//!
//! They are written as runs of the model without rewriting, with every statement a step, and are
//! taken there once more: one that goes round must close there.

use crate::plan::{Rules, SearchPlan};
use crate::trail::{self, Recorded};
use base::Diagnostic;
use model::Machine;
use model::processes::program::Action;
use report::{Property, Verdict};
use system::Taken;

/// Writes the first run that violates one of the properties where `--trail` says, or says why not.
pub fn write(plan: &SearchPlan, properties: &[Property]) -> Result<(), Diagnostic> {
    let Some(target) = &plan.trail else {
        return Ok(());
    };
    let name = target.path().display();
    let not = |why: &str| Err(trail::warning(format!("{why}, so {name} is not written")));
    let violated = properties.iter().filter(|p| p.verdict == Verdict::Violated);
    let linear = violated.clone().filter(|p| p.kind != "ctl");
    let first = linear.into_iter().find_map(|p| p.violations.first());
    let Some((violated, run)) = first.and_then(|v| Some((v, v.run.witness()?))) else {
        return match violated.count() {
            0 => not("there is no error run"),
            _ => not("runs of formulas of branching time are not recorded"),
        };
    };
    if plan.model.rules == Rules::SpinCompat {
        let message = "runs of formulas are not recorded with `--spin-compat`";
        return Err(Diagnostic::unlocated(message).note("leave it out, or say `--plain`"));
    }
    let machine = Machine::new(plan.model.lowered.clone());
    let is_idle = |taken: Taken| {
        let (_, step) = machine.taken(taken);
        matches!(machine.model().step(step).action, Action::End)
    };
    let retold = match run.loop_from() {
        Some(_) => run.retold_for_ever(&machine, &is_idle),
        None => run.retold_so_far(&machine, &is_idle),
    };
    let Some(retold) = retold else {
        return not("the run does not close on the model as written");
    };
    let steps: Vec<Taken> = retold
        .witness
        .steps()
        .iter()
        .map(|step| step.taken)
        .collect();
    let recorded = Recorded {
        target,
        model: &plan.model,
        machine: &machine,
        rules: Rules::Plain,
        error: &violated.message,
    };
    recorded.write(&steps, retold.witness.loop_from())
}
