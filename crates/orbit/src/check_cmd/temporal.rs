//! What is asked of infinite runs: one search for each property, with the symmetry that it leaves.
//!
//! The machine of a property is made from the model anew, so that what its atoms read is never
//! forgotten and what changes them is never left out; its symmetries must fix each atom. What the
//! search finds is a run of that machine without reduction. The formula is then evaluated on it by
//! its meaning alone: a run that does not violate it is a bug of ours and is not shown.

use super::reduction::Reduction;
use super::search::PROGRESS_EVERY;
use crate::plan::{COMMAND_LINE, Detect, FairWord, Manner, Rules, SearchPlan};
use check::ltl::Notation;
use check::temporal::why::{Positions, Reason, why};
use check::temporal::{Asked, Beside, Fairness, MOVES_MAX, Outcome, Product, Wanted, is_of_claim};
use check::{
    Attention, Counts, Ended, Guarantee, Observer, Options, Reducer, StopReason, Verdict,
    Violation, Witness,
};
use model::Machine;
use model::processes::program::Action;
use model::processes::property::{Body, Kind, Property};
use reduce::processes::sort::Sends;
use report::{OwnSearch, Run, Violated};
use std::time::Instant;
use system::formula::Formula;
use system::{Fault, FaultKind, System, Taken};

/// Whether the symmetry that a property leaves is used for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduced {
    /// As the plan says.
    AsPlanned,
    /// Not at all, to compare with that.
    Never,
}

/// What became of a property.
pub fn check(
    plan: &SearchPlan,
    property: &Property,
    order_without: Option<&String>,
    reduced: Reduced,
    observer: &mut Observer<'_>,
) -> report::Property {
    let start = Instant::now();
    let asked = match Asked::of(&property.body, property.atoms.len()) {
        Ok(asked) => asked,
        Err(too_large) => return unknown(property, too_large.to_string()),
    };
    let is_safety = asked.claim.is_safety();
    if plan.manner.reduce.guarantee() == Guarantee::Lossy && !is_safety {
        let strategy = plan.manner.reduce;
        let words = "takes states for one that are not alike, so that a cycle need not be one";
        return unknown(property, format!("`--reduce {strategy}` {words}"));
    }
    // Every run that went wrong can go on fairly.
    let fair = plan.temporal.fairness != FairWord::None && !is_safety;
    let stutters = asked.is_stutter_invariant;
    let machine = plan.model.watched(&property.atoms, stutters, fair);
    let mut sends = Sends::Assumed;
    let (found, order) = loop {
        let options = options(&plan.manner);
        let mut reduction = match symmetry(plan, &machine, sends, reduced) {
            Ok(reduction) => reduction,
            Err(reason) => return unknown(property, reason),
        };
        let watched = (&machine, &asked, property.kind.stutters());
        let found = search(watched, plan, &mut reduction, (&options, observer));
        // A send waits that was taken not to: once more with fewer symmetries.
        if found.ended == Ended::Stopped(StopReason::Refuted) && sends == Sends::Assumed {
            sends = Sends::Wait;
            continue;
        }
        break (found, reduction.order());
    };
    let (verdict, reason) = match (found.verdict(), found.ended) {
        (Verdict::Unknown(why), _) => (report::Verdict::Unknown, Some(report::reason_words(why))),
        (Verdict::Violated, _) => (report::Verdict::Violated, None),
        (Verdict::Holds, _) => (report::Verdict::Holds, None),
    };
    let mut told = report::Property {
        verdict,
        reason: reason.map(str::to_owned),
        search: Some(OwnSearch {
            counts: found.counts,
            order: order.unwrap_or_else(|| "1".to_owned()),
            order_without: order_without.cloned(),
            n_claim_states: Some(asked.claim.states.len()),
            fairness: plan.temporal.fairness.word(),
            is_safety: Some(asked.claim.is_safety()),
            n_full: None,
            n_normal: None,
            peak_bytes: found.peak_bytes,
            elapsed: start.elapsed(),
        }),
        ..unanswered(property)
    };
    tell_runs(plan, property, (&asked, found), &mut told);
    told
}

/// Puts what was found into the property, told on the model as it was written where that can be.
fn tell_runs(
    plan: &SearchPlan,
    property: &Property,
    (asked, found): (&Asked, Found),
    told: &mut report::Property,
) {
    if !found.closes {
        told.notes.push(OPEN.to_owned());
    }
    // What goes wrong in an atom goes wrong at the end of the run as it was found.
    let is_fault = found.fault.is_some();
    let can_be_retold = found.closes && !is_fault;
    told.violations.extend(found.violated(property));
    if plan.model.rules == Rules::Own && asked.is_stutter_invariant && can_be_retold {
        for violated in &mut told.violations {
            if let Run::States(run) = &mut violated.run {
                show_real_values(plan, property, asked, run);
            }
        }
    }
    if let Body::Formula(formula) = &property.body
        && !is_fault
    {
        for violated in &mut told.violations {
            let run = violated.run.witness();
            let why = run.map(|run| reasons(formula, run, &told.atoms, Notation::Spin));
            violated.why = why.unwrap_or_default();
        }
    }
}

/// Where a formula fails along a run, if its atoms have values all along.
pub fn reasons(
    formula: &Formula,
    run: &Witness,
    atoms: &[String],
    notation: Notation,
) -> Vec<Reason> {
    let positions = Positions::of(run);
    positions.map_or_else(Vec::new, |run| why(formula, &run, atoms, notation).1)
}

/// What is said of a loop that is shown for one turn only.
const OPEN: &str = "the loop below is one turn: after it the run goes on like that with others in \
                    the roles, and is where it was only after more than a million moves";

/// Tells a run again on the model as it was written; it must violate what is asked there too. A run
/// that goes round and does not close there soon is left as it is.
fn show_real_values(plan: &SearchPlan, property: &Property, asked: &Asked, run: &mut Witness) {
    let mut model = plan.model.lowered.clone();
    model.atoms.clone_from(&property.atoms);
    let machine = Machine::new(model);
    let is_idle = |taken: Taken| {
        let (_, step) = machine.taken(taken);
        matches!(machine.model().step(step).action, Action::End)
    };
    let retold = match run.loop_from() {
        Some(_) => run.retold_for_ever(&machine, &is_idle),
        None => run.retold_so_far(&machine, &is_idle),
    };
    let Some(retold) = retold else {
        return;
    };
    let (mut scratch, mut word) = (machine.scratch(), Vec::new());
    for state in &retold.states {
        let mut letter = Vec::new();
        if machine.atoms(state, &mut scratch, &mut letter).is_err() {
            return;
        }
        word.push(letter);
    }
    assert!(
        asked.is_wrong(&word, retold.loop_state),
        "on the model as written, a run does not violate what was asked"
    );
    *run = retold.witness;
}

fn unknown(property: &Property, reason: String) -> report::Property {
    report::Property {
        reason: Some(reason),
        ..unanswered(property)
    }
}

fn unanswered(property: &Property) -> report::Property {
    report::Property {
        atoms: property.texts.clone(),
        ..report::Property::unanswered(property.name.clone(), property.kind.word())
    }
}

/// A search beside a formula, in that manner.
pub fn options(manner: &Manner) -> Options<'static> {
    Options {
        order: manner.order,
        // The product of a system and a claim has neither: the search for errors looks at them.
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: Some(1),
        memory_bytes_max: manner.memory_bytes_max,
        clock: manner.clock,
        depth_max: manner.depth_max,
        progress_every: PROGRESS_EVERY,
    }
}

/// The symmetry of the machine of a property. Generators that were given are about the model as it
/// is searched for errors, so that with these there is none.
pub fn symmetry(
    plan: &SearchPlan,
    machine: &Machine,
    sends: Sends,
    reduced: Reduced,
) -> Result<Reduction, String> {
    let over = match plan.detect {
        _ if reduced == Reduced::Never => Ok(Reduction::none()),
        Detect::Structure => Reduction::over(machine, plan, sends),
        _ => Ok(Reduction::none()),
    };
    over.map_err(|refusal| refusal.why.message)
}

/// What a search found, whichever it was.
pub struct Found {
    pub ended: Ended,
    pub counts: Counts,
    pub peak_bytes: u64,
    pub witness: Option<Witness>,
    /// What went wrong in an atom, if that ended the run, or left it open what holds.
    pub fault: Option<Fault>,
    /// Whether the loop ends where it begins, if there is one.
    pub closes: bool,
}

impl Found {
    pub fn verdict(&self) -> Verdict {
        match (self.ended, &self.witness) {
            (_, Some(_)) => Verdict::Violated,
            (Ended::Stopped(reason), None) => Verdict::Unknown(reason),
            (Ended::Complete | Ended::AtError, None) => Verdict::Holds,
        }
    }

    fn violated(self, property: &Property) -> Option<Violated> {
        let name = &property.name;
        let message = match property.kind {
            _ if self.fault.is_some() => {
                let fault = self.fault.map_or("", |fault| fault.kind.message());
                format!("{name} has no value after this run: {fault}")
            }
            Kind::Ltl => format!("{name} violated: the formula is false of this run"),
            Kind::Never => "claim violated: it accepts this run".to_owned(),
            Kind::Progress => "a cycle without progress".to_owned(),
            Kind::Acceptance => "a cycle through accept labels".to_owned(),
        };
        // What was typed has no line in the model.
        let written = matches!(property.kind, Kind::Ltl | Kind::Never) && name != COMMAND_LINE;
        Some(Violated {
            step: written.then(|| (name.clone(), property.line)),
            ..Violated::new(message, self.witness?)
        })
    }
}

/// Searches what the claim of `asked` watches; runs that end count if they stutter.
fn search(
    (machine, asked, stutters): (&Machine, &Asked, bool),
    plan: &SearchPlan,
    reduction: &mut Reduction,
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) -> Found {
    let product = if stutters {
        Product::new(machine, &asked.claim)
    } else {
        Product::new(machine, &asked.claim).of_endless_runs()
    };
    let carry = reduction.carry();
    let mut beside = Beside::new(reduction.reducer());
    if asked.claim.is_safety() {
        return by_breadth(&product, &mut beside, options, observer);
    }
    let fairness = match plan.temporal.fairness {
        FairWord::None => Fairness::None,
        FairWord::Weak => Fairness::Weak(&carry),
        FairWord::Strong => Fairness::Strong(&carry),
    };
    in_depth(
        (&product, asked),
        &mut beside,
        &fairness,
        (options, observer),
    )
}

/// Looks for a run that goes round for ever and violates what is asked.
pub fn in_depth(
    (product, asked): (&Product<'_>, &Asked),
    reducer: &mut dyn Reducer,
    fairness: &Fairness<'_>,
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) -> Found {
    let accepting = |state: &[u8]| product.is_accepting(state);
    let wanted = Wanted {
        accepting: &accepting,
        fairness,
        moves_max: MOVES_MAX,
    };
    let outcome = check::temporal::search(product, reducer, &wanted, options, observer);
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    if outcome.atoms_fail && outcome.lasso.is_none() {
        return by_breadth(product, reducer, options, observer);
    }
    look_again(product, asked, &outcome);
    Found {
        closes: outcome.lasso.as_ref().is_none_or(|lasso| lasso.closes),
        ended: outcome.ended,
        counts: outcome.counts,
        peak_bytes: outcome.memory.peak_bytes,
        witness: outcome.lasso.map(|lasso| told(lasso.witness)),
        fault: None,
    }
}

/// Looks for a bad state of the claim, or for a state in which an atom has no value.
pub fn by_breadth(
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
