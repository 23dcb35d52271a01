//! The first counterexample to an assertion, written where `--trail` says.

use crate::plan::CheckPlan;
use crate::trail::{self, Recorded};
use base::{Diagnostic, SourceId, Span};
use check::refinement::Verdict;
use check::refinement::counterexample::{Kind, Run};
use model::frontend::Rules;
use model::network::claim::Claim;
use model::network::{Move, numbered_run};
use report::{Run as Told, Violated};
use system::{StepText, Taken, Within};

/// A run that contradicts an assertion.
pub struct Contradiction {
    /// The number of the assertion, from 1.
    assertion: usize,
    /// What is wrong at its end.
    error: String,
    /// By step: its number, and what is seen of it.
    steps: Vec<(Taken, StepText)>,
    /// How many steps come before the loop, if it goes round for ever.
    loop_from: Option<usize>,
}

impl Contradiction {
    /// The run that a verdict shows, if it can be run again.
    pub fn of(
        claim: &Claim<'_>,
        number: usize,
        verdict: &Verdict,
        shown: Option<&Violated>,
    ) -> Option<Contradiction> {
        let (run, more, loop_from): (&Run, &[Move], _) = match verdict {
            Verdict::Violated(shown) => match &shown.kind {
                Kind::Divergence { taus, loop_from } => (
                    &shown.run,
                    &taus[..],
                    Some(shown.run.steps.len() + loop_from),
                ),
                _ => (&shown.run, &[][..], None),
            },
            Verdict::Holds(Some(run)) => (&**run, &[][..], None),
            Verdict::Holds(None) | Verdict::Unknown(_) => return None,
        };
        let shown = shown.filter(|_| claim.is_exact)?;
        let Run { initial, steps, .. } = run;
        let all: Vec<Move> = steps.iter().chain(more).cloned().collect();
        let taken = numbered_run(claim.process, initial, &all)?;
        let Told::Events(told) = &shown.run else {
            return None;
        };
        let words = told.steps.iter().map(|step| StepText {
            by: String::new(),
            number: 0,
            step: step.event.clone(),
            span: Span::new(SourceId::new(0), 0..0),
            line: 0,
            within: Within::default(),
            parts: Vec::new(),
            message: None,
        });
        let taken = taken.into_iter().map(|at| Taken(at as u64));
        Some(Contradiction {
            assertion: number + 1,
            error: shown.message.clone(),
            steps: taken.zip(words).collect(),
            loop_from,
        })
    }
}

/// Writes what was kept where `--trail` says, or says why not.
pub fn write(plan: &CheckPlan, kept: Option<&Contradiction>) -> Result<(), Diagnostic> {
    let Some(target) = &plan.trail else {
        return Ok(());
    };
    let Some(kept) = kept else {
        let name = target.shown().display();
        let why = "there is no counterexample that can be run";
        return Err(trail::warning(format!("{why}, so {name} is not written")));
    };
    let about = plan.model.about();
    let recorded = Recorded {
        about: &about,
        hash: plan.model.hash(),
        rules: Rules::Plain,
        start: 0,
        assertion: Some(kept.assertion),
        error: &kept.error,
        steps: &kept.steps,
        loop_from: kept.loop_from,
    };
    target.write(&recorded.text())
}
