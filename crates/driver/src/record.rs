//! The first error run, written where `--trail` says.
//!
//! Runs are recorded on the model as it was written, with every statement a step. One of a formula
//! is taken there once more: one that goes round must close there.

use crate::conduct::as_warning;
use crate::plan::CheckPlan;
use crate::trail::{self, Recorded, Target};
use base::Diagnostic;
use check::{Outcome, Violation, Witness};
use model::Machine;
use model::frontend::{Purpose, Rules, Shape, Starts, Subject};
use report::{Property, Summary, Verdict};
use system::System;

/// What is recorded of a check.
pub struct Record<'p> {
    plan: &'p CheckPlan,
    /// Where it goes, if that was asked for and nothing is written yet.
    target: Option<&'p Target>,
    /// Why nothing is written, if not for want of a run.
    why_not: Option<String>,
    /// What went wrong in writing.
    lost: Option<Diagnostic>,
}

/// A run and what goes wrong at its end.
struct Run<'a> {
    witness: &'a Witness,
    error: &'a str,
    rules: Rules,
}

impl<'p> Record<'p> {
    /// Nothing yet.
    pub fn of(plan: &'p CheckPlan) -> Record<'p> {
        Record {
            plan,
            target: plan.trail.as_ref(),
            why_not: None,
            lost: None,
        }
    }

    /// Writes the first run that the search for errors found; runs were told on the model as
    /// written.
    pub fn errors(&mut self, subject: &dyn Subject, outcome: &Outcome) {
        let Some(target) = self.target else {
            return;
        };
        let mut errors = outcome.findings.iter().filter(|f| f.violation.is_error());
        let Some(finding) = errors.next() else {
            return;
        };
        let error = match finding.violation {
            Violation::Deadlock | Violation::Unfinished => "deadlock",
            Violation::Fault(fault) => fault.kind.message(),
        };
        let run = Run {
            witness: &finding.witness,
            error,
            rules: match self.rules() {
                Rules::Own => Rules::Plain,
                rules => rules,
            },
        };
        self.write(target, subject, &run);
    }

    fn rules(&self) -> Rules {
        self.plan.model.about().rules.unwrap_or(Rules::Plain)
    }

    /// Writes the first run that violates a formula, if the search for errors found none.
    pub fn formulas(&mut self, properties: &[Property]) {
        let Some(target) = self.target else {
            return;
        };
        let violated = properties.iter().filter(|p| p.verdict == Verdict::Violated);
        let linear = violated.clone().filter(|p| p.kind != "ctl");
        let first = linear.into_iter().find_map(|p| p.violations.first());
        let first = first.and_then(|v| Some((v, v.run.witness()?)));
        let Ok(subject) = self.plan.model.subject(&Purpose::Errors) else {
            return;
        };
        if violated.count() == 0 {
            return;
        }
        let Some((violated, run)) = first else {
            self.why_not = Some("runs of formulas of branching time are not recorded".to_owned());
            return;
        };
        if matches!(subject.shape(), Shape::Values { .. }) {
            self.why_not = Some("runs of formulas and of refinement are not recorded".to_owned());
            return;
        }
        if self.rules() == Rules::SpinCompat {
            let message = "runs of formulas are not recorded with `--spin-compat`";
            let note = "leave it out, or say `--plain`";
            self.lose(Diagnostic::unlocated(message).note(note));
            return;
        }
        let system = written(&*subject);
        let is_idle = |step| system.is_idle(step);
        let retold = match run.loop_from() {
            Some(_) => run.retold_for_ever(system, &is_idle),
            None => run.retold_so_far(system, &is_idle),
        };
        let Some(retold) = retold else {
            self.why_not = Some("the run does not close on the model as written".to_owned());
            return;
        };
        let run = Run {
            witness: &retold.witness,
            error: &violated.message,
            rules: Rules::Plain,
        };
        self.write(target, &*subject, &run);
    }

    fn write(&mut self, target: &Target, subject: &dyn Subject, run: &Run<'_>) {
        let system = written(subject);
        let steps = run.witness.steps().iter();
        let steps: Vec<_> = steps.map(|step| (step.taken, step.text.clone())).collect();
        let about = self.plan.model.about();
        let recorded = Recorded {
            about: &about,
            hash: self.plan.model.hash(),
            rules: run.rules,
            start: start(system, subject, run.witness),
            assertion: None,
            error: run.error,
            steps: &steps,
            loop_from: run.witness.loop_from(),
        };
        let is_spins = target.shown().extension().is_some_and(|end| end == "trail");
        let text = match machine(subject).filter(|_| is_spins) {
            Some(machine) => recorded.in_spins_form(machine),
            None => Ok(recorded.text()),
        };
        match text.and_then(|text| target.write(&text)) {
            Ok(()) => self.target = None,
            Err(why) => self.lose(why),
        }
    }

    fn lose(&mut self, why: Diagnostic) {
        // A run that could not be recorded is no reason to keep the answer back.
        self.lost = Some(as_warning(why));
        self.target = None;
    }

    /// Why no run was recorded, if one should have been.
    pub fn finish(self, summary: &Summary) -> Option<Diagnostic> {
        if self.lost.is_some() {
            return self.lost;
        }
        let name = self.target?.shown().display();
        let why = self.why_not.unwrap_or_else(|| match summary.verdict {
            Verdict::Violated => "runs of formulas and of refinement are not recorded".to_owned(),
            _ => "there is no error run".to_owned(),
        });
        Some(trail::warning(format!("{why}, so {name} is not written")))
    }
}

/// The system that runs are recorded on.
fn written(subject: &dyn Subject) -> &dyn System {
    let as_written = subject.as_written();
    as_written.unwrap_or_else(|| subject.system(Starts::All))
}

/// The machine of a model of processes, as it was written.
fn machine(subject: &dyn Subject) -> Option<&Machine> {
    match subject.shape_as_written() {
        Shape::Processes(machine) => Some(machine),
        Shape::Values { .. } | Shape::Opaque => None,
    }
}

/// With which of the initial states a run starts.
fn start(system: &dyn System, subject: &dyn Subject, run: &Witness) -> usize {
    if subject.as_written().is_some() {
        // A model of processes has one.
        return 0;
    }
    let (mut n, mut found) = (0, 0);
    system.initial(&mut system.scratch(), &mut |initial| {
        if let Ok(state) = initial {
            let mut parts = Vec::new();
            system.describe(state, &mut |name, value| {
                parts.push((name.to_owned(), value.to_owned()));
            });
            if parts == run.start() {
                found = n;
            }
            n += 1;
        }
    });
    found
}
