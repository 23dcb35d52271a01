//! What is asked of runs: one search for each formula, with the symmetry that it leaves.
//!
//! The subject of a formula is made from the model anew, so that what its atoms read is never
//! forgotten and what changes them is never left out; its symmetries must fix each atom. What the
//! search finds is a run of that system without reduction. The formula is then evaluated on it by
//! its meaning alone: a run that does not violate it is a bug of ours and is not shown.

use crate::formulas::{Formula, Reduced};
use crate::plan;
use crate::reduction::{Reduction, Wanted};
use base::Diagnostic;
use check::ltl::Notation;
use check::temporal::product::CLAIM_BYTES;
use check::temporal::why::{Positions, Reason, why};
use check::temporal::{
    Asked, Beside, Fairness, MOVES_MAX, Outcome, Product, Wanted as Sought, is_of_claim,
};
use check::{
    Counts, Ended, Guarantee, Observer, Options, Reducer, StopReason, Verdict, Violation, Witness,
};
use model::frontend::{self, Linear, Purpose, Rules, Subject};
use model::processes::property::Body;
use reduce::processes::sort::Sends;
use report::{OwnSearch, Run, Violated};
use std::time::Instant;
use system::formula::Formula as LinearFormula;
use system::{Fault, FaultKind, System};

/// What became of an instance of a question about runs.
pub fn check(
    formula: &Formula<'_>,
    linear: &Linear,
    instance: usize,
    observer: &mut Observer<'_>,
) -> report::Property {
    let start = Instant::now();
    let plan = formula.of.plan;
    let mut told = unanswered(formula, linear, instance);
    let asked = match linear.instances[instance].body.as_ref() {
        Ok(body) => {
            Asked::of(body, told.atoms.len()).map_err(|why| Diagnostic::unlocated(why.to_string()))
        }
        Err(why) => Err(why.clone()),
    };
    let asked = match asked {
        Ok(asked) => asked,
        Err(why) => return unknown(told, why),
    };
    let is_safety = asked.claim.is_safety();
    // Every run that went wrong can go on fairly.
    let fair = plan.fairness != plan::Fairness::None && !is_safety;
    let subject = plan.model.subject(&Purpose::Linear {
        question: formula.number,
        instance,
        stutters: asked.is_stutter_invariant,
        fair,
    });
    let subject = match subject {
        Ok(subject) => subject,
        Err(why) => return unknown(told, why),
    };
    let watched = Watched {
        subject: &*subject,
        asked: &asked,
        linear,
        instance,
        fairness: plan.fairness,
    };
    let (mut found, reduction) = match watched.searched(formula, observer) {
        Ok(searched) => searched,
        Err(why) => return unknown(told, why),
    };
    if let Some(witness) = &mut found.witness {
        witness.name_stored(&|symmetry| reduction.words_of(symmetry));
    }
    told.notes.extend_from_slice(reduction.notes());
    told.search = Some(OwnSearch {
        counts: found.counts,
        order: reduction.order().unwrap_or_else(|| "1".to_owned()),
        order_without: formula.order_without.cloned(),
        n_claim_states: Some(asked.claim.states.len()),
        fairness: linear.fairness.or(plan.fairness.word()),
        is_safety: Some(is_safety),
        n_full: None,
        n_normal: None,
        peak_bytes: found.peak_bytes,
        elapsed: start.elapsed(),
    });
    let system = subject.system(reduction.starts());
    watched.tell(formula, system, found, &mut told);
    doubt(&mut told, &*subject, system);
    told
}

/// The symmetry of what a formula watches. Generators that were given are about the model as it is
/// searched for errors, so that with these there is none.
pub fn symmetry(
    formula: &Formula<'_>,
    subject: &dyn Subject,
    sends: Sends,
) -> Result<Reduction, Diagnostic> {
    let wanted: Wanted<'_> = formula.of.wanted(sends);
    let made = match (formula.reduced, wanted.detect) {
        (Reduced::Never, _) => Reduction::apart(
            subject,
            &wanted,
            "it is compared with a search that uses it",
        ),
        (Reduced::Past, _) => Reduction::apart(
            subject,
            &wanted,
            "symmetries need not keep how states are reached",
        ),
        (Reduced::AsPlanned, crate::detect::Detect::Structure) => {
            Reduction::beside(subject, &wanted)
        }
        (Reduced::AsPlanned, _) => Ok(Reduction::none()),
    };
    made.map_err(|refusal| refusal.why)
}

/// What is not certain where something went wrong on the way is unknown.
pub fn doubt(told: &mut report::Property, subject: &dyn Subject, system: &dyn System) {
    // Whether a run is fair is not certain either where a step that it might owe went wrong.
    let is_open = told.verdict == report::Verdict::Violated && subject.fairness().is_some();
    if told.verdict != report::Verdict::Holds && !is_open {
        return;
    }
    let why = match subject.lost() {
        _ if system.gave_up() => report::reason_words(StopReason::Time).to_owned(),
        Some(fault) => {
            let text = system.fault_text(fault);
            let (line, message) = (text.line, text.message);
            format!("the machine goes wrong in line {line}: {message}")
        }
        None => return,
    };
    told.verdict = report::Verdict::Unknown;
    told.reason = Some(why);
    told.violations.clear();
    told.shown = None;
}

fn unknown(told: report::Property, why: Diagnostic) -> report::Property {
    report::Property {
        reason: Some(why.message),
        ..told
    }
}

fn unanswered(formula: &Formula<'_>, linear: &Linear, instance: usize) -> report::Property {
    let question = formula.question;
    report::Property {
        atoms: linear.instances[instance].atoms.clone(),
        ..report::Property::unanswered(question.name.clone(), question.kind)
    }
}

/// Where a formula fails along a run, if its atoms have values all along.
fn reasons(
    formula: &LinearFormula,
    run: &Witness,
    atoms: &[String],
    notation: frontend::Notation,
) -> Vec<Reason> {
    let notation = match notation {
        frontend::Notation::Spin => Notation::Spin,
        frontend::Notation::Prob => Notation::Prob,
    };
    let positions = Positions::of(run);
    positions.map_or_else(Vec::new, |run| why(formula, &run, atoms, notation).1)
}

/// What is said of a loop that is shown for one turn only.
const OPEN: &str = "the loop below is one turn: after it the run goes on like that with others in \
                    the roles, and is where it was only after more than a million moves";

/// What is searched for a formula.
struct Watched<'a> {
    subject: &'a dyn Subject,
    asked: &'a Asked,
    linear: &'a Linear,
    /// Which instance of it.
    instance: usize,
    fairness: plan::Fairness,
}

impl Watched<'_> {
    /// Searches with the symmetry that the formula leaves; or why that is not done.
    fn searched(
        &self,
        formula: &Formula<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<(Found, Reduction), Diagnostic> {
        let plan = formula.of.plan;
        let mut sends = Sends::Assumed;
        loop {
            let mut reduction = symmetry(formula, self.subject, sends)?;
            let is_lossy = reduction.reducer().guarantee() == Guarantee::Lossy;
            if is_lossy && !self.asked.claim.is_safety() {
                let strategy = plan.how.strategy.name();
                let words = "takes states for one that are not alike, so that a cycle need not be \
                             one";
                let message = format!("`--reduce {strategy}` {words}");
                return Err(Diagnostic::unlocated(message));
            }
            let found = self.search(&mut reduction, &plan.options_of_formula(), observer);
            // A send waits that was taken not to: once more with fewer symmetries.
            if found.ended == Ended::Stopped(StopReason::Refuted) && sends == Sends::Assumed {
                sends = Sends::Wait;
                continue;
            }
            return Ok((found, reduction));
        }
    }

    /// Searches for a run that the claim accepts; runs that end count if they stutter.
    fn search(
        &self,
        reduction: &mut Reduction,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Found {
        let system = self.subject.system(reduction.starts());
        let product = Product::new(system, &self.asked.claim);
        let product = if self.linear.stutters {
            product
        } else {
            product.of_endless_runs()
        };
        let carry = reduction.carry();
        let n_bytes = CLAIM_BYTES + self.subject.n_still_bytes();
        let mut beside = Beside::bytes_of(reduction.reducer(), n_bytes);
        if self.asked.claim.is_safety() {
            return by_breadth(&product, &mut beside, options, observer);
        }
        let owed = self.subject.fairness();
        let fairness = match (&owed, self.fairness) {
            (Some(strength), _) => Fairness::Each(strength),
            (None, plan::Fairness::None) => Fairness::None,
            (None, plan::Fairness::Weak) => Fairness::Weak(&carry),
            (None, plan::Fairness::Strong) => Fairness::Strong(&carry),
        };
        let sought = Cycle {
            product: &product,
            asked: self.asked,
            fairness: &fairness,
        };
        sought.search(&mut beside, options, observer)
    }

    /// Puts what was found into the property, told on the model as it was written where that can
    /// be.
    fn tell(
        &self,
        formula: &Formula<'_>,
        system: &dyn System,
        found: Found,
        told: &mut report::Property,
    ) {
        (told.verdict, told.reason) = match found.verdict() {
            Verdict::Holds => (report::Verdict::Holds, None),
            Verdict::Violated => (report::Verdict::Violated, None),
            Verdict::Unknown(StopReason::Undecided) if let Some(fault) = found.fault => {
                let why = system.fault_text(fault).message;
                let reason = format!("an atom has no value in some state: {why}");
                (report::Verdict::Unknown, Some(reason))
            }
            Verdict::Unknown(why) => {
                let reason = report::reason_words(why).to_owned();
                (report::Verdict::Unknown, Some(reason))
            }
        };
        if !found.closes {
            told.notes.push(OPEN.to_owned());
        }
        // What goes wrong in an atom goes wrong at the end of the run as it was found.
        let is_fault = found.fault.is_some();
        let rules = formula.of.plan.model.about().rules;
        let is_rewritten = rules == Some(Rules::Own) && self.asked.is_stutter_invariant;
        let can_be_retold = found.closes && !is_fault && is_rewritten;
        told.violations.extend(self.violated(formula, found));
        for violated in &mut told.violations {
            if let (Run::States(run), true) = (&mut violated.run, can_be_retold) {
                self.show_as_written(run);
            }
            let body = &self.linear.instances[self.instance].body;
            if let (Ok(Body::Formula(formula)), false) = (body, is_fault) {
                let run = violated.run.witness();
                let why = run.map(|run| reasons(formula, run, &told.atoms, self.linear.notation));
                violated.why = why.unwrap_or_default();
            }
        }
    }

    fn violated(&self, formula: &Formula<'_>, found: Found) -> Option<Violated> {
        let message = match found.fault {
            Some(fault) => {
                let (name, fault) = (&formula.question.name, fault.kind.message());
                format!("{name} has no value after this run: {fault}")
            }
            None => self.linear.message.clone(),
        };
        Some(Violated {
            step: self.linear.place.clone(),
            ..Violated::new(message, found.witness?)
        })
    }

    /// Tells a run again on the model as it was written; it must violate what is asked there too. A
    /// run that goes round and does not close there soon is left as it is.
    fn show_as_written(&self, run: &mut Witness) {
        let Some(written) = self.subject.as_written() else {
            return;
        };
        let is_idle = |step| written.is_idle(step);
        let retold = match run.loop_from() {
            Some(_) => run.retold_for_ever(written, &is_idle),
            None => run.retold_so_far(written, &is_idle),
        };
        let Some(retold) = retold else {
            return;
        };
        let (mut scratch, mut word) = (written.scratch(), Vec::new());
        for state in &retold.states {
            let mut letter = Vec::new();
            if written.atoms(state, &mut scratch, &mut letter).is_err() {
                return;
            }
            word.push(letter);
        }
        assert!(
            self.asked.is_wrong(&word, retold.loop_state),
            "on the model as written, a run does not violate what was asked"
        );
        *run = retold.witness;
    }
}

/// What a search found, whichever it was.
struct Found {
    ended: Ended,
    counts: Counts,
    peak_bytes: u64,
    witness: Option<Witness>,
    /// What went wrong in an atom, if that ended the run, or left it open what holds.
    fault: Option<Fault>,
    /// Whether the loop ends where it begins, if there is one.
    closes: bool,
}

impl Found {
    fn verdict(&self) -> Verdict {
        match (self.ended, &self.witness) {
            (_, Some(_)) => Verdict::Violated,
            (Ended::Stopped(reason), None) => Verdict::Unknown(reason),
            (Ended::Complete | Ended::AtError, None) => Verdict::Holds,
        }
    }
}

/// A run that goes round for ever and violates what is asked.
struct Cycle<'a> {
    product: &'a Product<'a>,
    asked: &'a Asked,
    fairness: &'a Fairness<'a>,
}

impl Cycle<'_> {
    /// Looks for one.
    fn search(
        &self,
        reducer: &mut dyn Reducer,
        options: &Options<'_>,
        observer: &mut Observer<'_>,
    ) -> Found {
        let product = self.product;
        let accepting = |state: &[u8]| product.is_accepting(state);
        let sought = Sought {
            accepting: &accepting,
            fairness: self.fairness,
            moves_max: MOVES_MAX,
        };
        let outcome = check::temporal::search(product, reducer, &sought, options, observer);
        let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
        if outcome.atoms_fail && outcome.lasso.is_none() {
            return by_breadth(product, reducer, options, observer);
        }
        look_again(product, self.asked, &outcome);
        Found {
            closes: outcome.lasso.as_ref().is_none_or(|lasso| lasso.closes),
            ended: outcome.ended,
            counts: outcome.counts,
            peak_bytes: outcome.memory.peak_bytes,
            witness: outcome.lasso.map(|lasso| told(lasso.witness)),
            fault: None,
        }
    }
}

/// Looks for a bad state of the claim, or for a state in which an atom has no value.
fn by_breadth(
    product: &Product<'_>,
    reducer: &mut dyn Reducer,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Found {
    let outcome = check::explore(product, reducer, options, observer);
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    let mut violations = outcome.findings.iter().map(|f| f.violation);
    let undecided = violations.find(|violation| violation.is_undecided());
    let ended = match outcome.verdict() {
        Verdict::Unknown(reason) => Ended::Stopped(reason),
        Verdict::Holds | Verdict::Violated => outcome.ended,
    };
    let findings = outcome.findings.into_iter();
    let first = findings.into_iter().find(|f| f.violation.is_error());
    let (witness, violation) = first.map(|f| (told(f.witness), f.violation)).unzip();
    let fault = match violation.or(undecided) {
        Some(Violation::Fault(fault)) if fault.kind != FaultKind::Claim => Some(fault),
        _ => None,
    };
    Found {
        ended,
        counts: outcome.counts,
        peak_bytes: outcome.memory.peak_bytes,
        witness,
        fault,
        closes: true,
    }
}

/// A run that was found must violate what is asked, by its meaning.
fn look_again(product: &Product<'_>, asked: &Asked, outcome: &Outcome) {
    let Some(lasso) = &outcome.lasso else {
        return;
    };
    let mut scratch = product.scratch();
    let states = lasso.states.iter();
    let word: Vec<Vec<bool>> = states.map(|s| product.letter(s, &mut scratch)).collect();
    assert!(
        asked.is_wrong(&word, lasso.loop_state),
        "a run was found that does not violate what was asked"
    );
}

/// The run without the steps of what watches it.
fn told(witness: Witness) -> Witness {
    witness.only(|step| !is_of_claim(step.taken))
}
