//! What is asked of branching time: one search, with the symmetry that fixes each atom.
//!
//! The machine is made from the model anew, as for linear time, but without the passes that make
//! choices earlier than they are written. What comes back has been taken on the unreduced machine,
//! and where that is small the formula has been evaluated there again.

use crate::formulas::{Formula, Reduced};
use crate::plan;
use crate::reduction::Reduction;
use crate::temporal::{doubt, symmetry};
use base::{Diagnostic, quote};
use check::ctl::{self, Again, Answer, Asked, Missing, Outcome, Shown};
use check::temporal::{Beside, Fairness};
use check::{Observer, StopReason};
use model::frontend::{Branching, Purpose, Subject};
use reduce::processes::sort::Sends;
use report::{OwnSearch, Property, Verdict, Violated};
use std::time::Instant;
use system::branching::{Formula as BranchingFormula, Quantifier, Unary};
use system::{FaultKind, System};

/// What became of an instance of a formula, and what was looked at again, in words.
pub fn check(
    formula: &Formula<'_>,
    branching: &Branching,
    instance: usize,
    observer: &mut Observer<'_>,
) -> (Property, Option<String>) {
    let start = Instant::now();
    let plan = formula.of.plan;
    let asked = &branching.instances[instance];
    let question = formula.question;
    let mut told = Property {
        atoms: asked.atoms.clone(),
        ..Property::unanswered(question.name.clone(), question.kind)
    };
    let subject = asked.formula.clone().and_then(|asked| {
        let purpose = Purpose::Branching {
            question: formula.number,
            instance,
            fair: plan.fairness != plan::Fairness::None,
        };
        Ok((asked, plan.model.subject(&purpose)?))
    });
    let (body, subject) = match subject {
        Ok(both) => both,
        Err(why) => {
            told.reason = Some(why.message);
            return (told, None);
        }
    };
    let (outcome, reduction) = match evaluated(formula, &body, &*subject, observer) {
        Ok(evaluated) => evaluated,
        Err(why) => {
            told.reason = Some(why.message);
            return (told, None);
        }
    };
    told.notes.extend_from_slice(reduction.notes());
    told.search = Some(OwnSearch {
        counts: outcome.counts,
        order: reduction.order().unwrap_or_else(|| "1".to_owned()),
        order_without: formula.order_without.cloned(),
        n_claim_states: None,
        fairness: plan.fairness.word(),
        is_safety: None,
        n_full: None,
        n_normal: None,
        peak_bytes: outcome.memory.peak_bytes,
        elapsed: start.elapsed(),
    });
    let system = subject.system(reduction.starts());
    let again = tell(&mut told, &asked.atoms, system, outcome);
    for run in told.violations.iter_mut().chain(told.shown.as_mut()) {
        if let Some(place) = &branching.place {
            run.message = format!("{} {}", question.name, run.message);
            run.step = Some(place.clone());
        }
    }
    doubt(&mut told, &*subject, system);
    if branching.place.is_some() {
        told.notes.extend(again);
        return (told, None);
    }
    (told, again)
}

/// Evaluates a formula with the symmetry that it leaves; or says why that is not done.
fn evaluated(
    formula: &Formula<'_>,
    body: &BranchingFormula,
    subject: &dyn Subject,
    observer: &mut Observer<'_>,
) -> Result<(Outcome, Reduction), Diagnostic> {
    if formula.of.plan.fairness != plan::Fairness::None && (body.has_past() || body.has_fixpoint())
    {
        let words =
            "fairness is about runs, and this formula has operators of the past or fixpoints";
        return Err(Diagnostic::unlocated(words.to_owned()));
    }
    // How states are reached, symmetries of what follows need not keep.
    let reduced = if body.has_past() {
        Reduced::Past
    } else {
        formula.reduced
    };
    let formula = Formula {
        reduced,
        ..*formula
    };
    let mut sends = Sends::Assumed;
    loop {
        let options = formula.of.plan.options_of_formula();
        let mut reduction = symmetry(&formula, subject, sends)?;
        let system = subject.system(reduction.starts());
        let carry = reduction.carry();
        let mut beside = Beside::bytes_of(reduction.reducer(), subject.n_still_bytes());
        let fairness = match formula.of.plan.fairness {
            plan::Fairness::None => Fairness::None,
            plan::Fairness::Weak => Fairness::Weak(&carry),
            plan::Fairness::Strong => Fairness::Strong(&carry),
        };
        let asked = Asked {
            formula: body,
            fairness: &fairness,
        };
        let outcome = ctl::check(system, &mut beside, &asked, &options, observer);
        let mut outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
        // A send waits that was taken not to: once more with fewer symmetries.
        let refuted = Missing::Stopped(StopReason::Refuted);
        if sends == Sends::Assumed && outcome.answer.as_ref().err() == Some(&refuted) {
            sends = Sends::Wait;
            continue;
        }
        let answer = outcome.answer.as_mut().ok();
        if let Some(shown) = answer.and_then(|answer| answer.shown.as_mut()) {
            let words = |symmetry: &_| reduction.words_of(symmetry);
            shown.witness.name_stored(&words);
        }
        return Ok((outcome, reduction));
    }
}

/// Puts the answer into the property, and says what was looked at again.
fn tell(
    told: &mut Property,
    texts: &[String],
    machine: &dyn System,
    outcome: Outcome,
) -> Option<String> {
    let answer = match outcome.answer {
        Ok(answer) => answer,
        Err(missing) => {
            told.reason = Some(reason(missing, machine));
            return None;
        }
    };
    let Answer {
        holds,
        shown,
        again,
    } = answer;
    let run = shown.map(|shown| Violated::new(message(holds, &shown, texts), shown.witness));
    if holds {
        told.verdict = Verdict::Holds;
        told.shown = run;
    } else {
        told.verdict = Verdict::Violated;
        told.violations.extend(run);
    }
    match again {
        Again::All(n) => Some(format!("the same on all {n} states, without symmetry")),
        Again::End(n) => Some(format!(
            "the run was taken, and the {n} states from its end on looked at, without symmetry"
        )),
        Again::Run => Some("the run was taken without symmetry".to_owned()),
        Again::Nothing => None,
    }
}

/// Why there is no answer.
fn reason(missing: Missing, machine: &dyn System) -> String {
    match missing {
        Missing::Stopped(reason) => report::reason_words(reason).to_owned(),
        Missing::Large => "the automaton of what is asked of runs is too large".to_owned(),
        Missing::Step(fault) if fault.kind == FaultKind::Endless => {
            report::reason_words(StopReason::Endless).to_owned()
        }
        Missing::Step(fault) | Missing::Atom(fault) => {
            let text = machine.fault_text(fault);
            let (what, line) = (text.message, text.line);
            match missing {
                Missing::Atom(_) => format!("an atom has no value in some state: {what}"),
                _ => format!("the model goes wrong in line {line}: {what}"),
            }
        }
    }
}

/// What a run shows, in words.
fn message(holds: bool, shown: &Shown, texts: &[String]) -> String {
    let verdict = if holds { "holds" } else { "violated" };
    let value = |value: bool| if value { "true" } else { "false" };
    if let Some((formula, is)) = &shown.asked {
        let what = quote(&formula.text(texts));
        let shows = if *is { "as it asks" } else { "not as it asks" };
        return format!("{verdict}: {what} is {}: this run is {shows}", value(*is));
    }
    if let Some((formula, is)) = &shown.round {
        let what = quote(&formula.text(texts));
        return format!(
            "{verdict}: for ever in states where {what} is {}",
            value(*is)
        );
    }
    let Some((formula, is)) = &shown.end else {
        return verdict.to_owned();
    };
    let what = quote(&formula.text(texts));
    let place = match shown.witness.n_moves() {
        0 => "in the initial state",
        _ => "at the end of this run",
    };
    let more = match (formula, is) {
        (BranchingFormula::Unary(Quantifier::Some, Unary::Finally, _), false) => {
            ": no run leads there"
        }
        (BranchingFormula::Unary(Quantifier::All, Unary::Globally, _), true) => {
            ", whatever follows"
        }
        (BranchingFormula::Unary(Quantifier::All, Unary::Finally, _), true) => {
            ": every run leads there"
        }
        _ => "",
    };
    format!("{verdict}: {place} {what} is {}{more}", value(*is))
}
