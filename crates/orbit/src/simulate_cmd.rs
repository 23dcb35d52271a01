//! `orbit simulate`: one run of a model, step by step, or many at random.

use crate::answer::Answer;
use crate::itf_cmd::ITF;
use crate::plan::SimulatePlan;
use crate::prompt::Terminal;
use crate::watchdog::ProgressNotes;
use base::{Diagnostic, Sources};
use driver::simulate::{self, ManyRuns, Simulator};

/// Carries out the plan.
pub fn run(plan: &mut SimulatePlan, sources: &Sources) -> Result<Answer, Diagnostic> {
    if let Some(n_runs) = plan.n_runs {
        let runs = ManyRuns {
            n_runs,
            pattern: plan.pattern.as_deref(),
            kind: &ITF,
        };
        return simulate::run_many(&mut plan.run, &runs, sources, &ProgressNotes);
    }
    let made = simulate::run(&Simulator {
        plan: &plan.run,
        sources,
        conversation: &Terminal::new(plan.edits),
        listener: &ProgressNotes,
    })?;
    let mut lost = None;
    if let Some(target) = &plan.trail {
        lost = target.write(&report::itf::text(&made.run, None)).err();
    }
    let mut answer = made.answer();
    answer.found.extend(lost);
    Ok(answer)
}
