//! The first counterexample of a script, written where `--trail` says.

use super::Session;
use crate::plan::ScriptPlan;
use base::Diagnostic;
use check::refinement::Verdict;
use check::refinement::counterexample::{Kind, Run};
use cspm::compile::Compiled;
use cspm::operate::Reading;
use cspm::running;
use driver::trail::{self, OfScript};
use model::network::Move;
use report::{Property, Run as Told, Violated};
use system::Taken;

/// A run that contradicts an assertion.
pub struct Contradiction {
    /// The number of the assertion, from 1.
    pub assertion: usize,
    /// What is wrong at its end.
    pub error: String,
    /// By step: its number, and what is seen of it.
    pub steps: Vec<(Taken, String)>,
    /// How many steps come before the loop, if it goes round for ever.
    pub loop_from: Option<usize>,
}

impl Session<'_> {
    /// Keeps the run that a verdict shows, if it can be run again: not where it depends on which τ
    /// `chase` follows.
    pub(super) fn keep_run(
        &mut self,
        told: &Property,
        verdict: &Verdict,
        process: &Compiled,
        shown: &Violated,
    ) {
        let is_plain = *self.compiler.operator().reading() == Reading::Every;
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
            Verdict::Holds(None) | Verdict::Unknown(_) => return,
        };
        if self.contradiction.is_some() || !is_plain {
            return;
        }
        let Run { initial, steps } = run;
        let all: Vec<Move> = steps.iter().chain(more).cloned().collect();
        let Some(taken) = running::recorded(&process.network, initial, &all) else {
            return;
        };
        let (Told::Events(run), Some(assertion)) = (&shown.run, &told.assertion) else {
            return;
        };
        let words = run.steps.iter().map(|step| step.event.clone());
        self.contradiction = Some(Contradiction {
            assertion: assertion.number,
            error: shown.message.clone(),
            steps: taken.into_iter().zip(words).collect(),
            loop_from,
        });
    }
}

/// Writes what was kept where `--trail` says, or says why not.
pub fn write(plan: &ScriptPlan, kept: Option<&Contradiction>) -> Result<(), Diagnostic> {
    let Some(target) = &plan.trail else {
        return Ok(());
    };
    let Some(kept) = kept else {
        let name = target.path().display();
        let why = "there is no counterexample that can be run";
        return Err(trail::warning(format!("{why}, so {name} is not written")));
    };
    let recorded = OfScript {
        path: &plan.path,
        hash: plan.hash,
        assertion: kept.assertion,
        error: &kept.error,
        steps: &kept.steps,
        loop_from: kept.loop_from,
    };
    target.write(&recorded.text())
}
