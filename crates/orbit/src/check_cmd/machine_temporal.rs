//! What is asked of the runs of a B machine: a search for each formula, with the symmetry that it
//! leaves.
//!
//! Each atom of a formula must be fixed by the symmetries of its search, so a formula that names
//! elements costs some. What is found has been taken on the machine without reduction, and a
//! formula of linear time is evaluated on the run by its meaning alone.

use super::machine::LIMITED;
use super::machine_reduction::MachineReduction;
use super::temporal::Reduced;
use super::{branching, temporal};
use crate::plan::MachinePlan;
use base::Diagnostic;
use bmachine::live::watch::{Watched, is_fair_to_operations, names_deferred};
use bmachine::run::Setups;
use bmachine::temporal as written;
use bmachine::typed::{Formula, Temporal};
use check::ctl::{self, Binary, Quantifier, Unary};
use check::ltl::Notation;
use check::temporal::product::CLAIM_BYTES;
use check::temporal::{Asked, Beside, Fairness, Product, Strength};
use check::{Observer, Options, StopReason, Witness};
use model::processes::property::Body;
use report::{OwnSearch, Property, Verdict, Violated, reason_words};
use std::time::{Duration, Instant};
use system::System;
use system::formula::Formula as Linear;

/// What became of a formula of the machine, by number.
pub fn check(
    plan: &MachinePlan,
    number: usize,
    order_without: Option<&String>,
    reduced: Reduced,
    observer: &mut Observer<'_>,
) -> Property {
    let live = &plan.live;
    let formula = &live.program().machine().formulas[number];
    let mut told = unanswered(formula);
    let watched = match Watched::new(live, number) {
        Ok(watched) => watched,
        Err(why) => {
            told.reason = Some(why);
            return told;
        }
    };
    let reduction = match reduced {
        Reduced::AsPlanned => reduction(plan, number),
        Reduced::Never => {
            MachineReduction::apart(plan, "it is compared with a search that uses it")
        }
    };
    let mut reduction = match reduction {
        Ok(reduction) => reduction,
        Err(why) => {
            told.reason = Some(why.message);
            return told;
        }
    };
    told.notes.extend_from_slice(reduction.notes());
    live.set_up(if names_deferred(live, number) {
        Setups::All
    } else {
        reduction.setups()
    });
    live.program().patience().hurry();
    let options = temporal::options(&plan.manner);
    let own = OwnSearch {
        counts: check::Counts::default(),
        order: reduction.order().unwrap_or_else(|| "1".to_owned()),
        order_without: order_without.cloned(),
        n_claim_states: None,
        fairness: None,
        is_safety: None,
        n_full: None,
        n_normal: None,
        peak_bytes: 0,
        elapsed: Duration::ZERO,
    };
    let how = (&mut reduction, own);
    let run = (&options, observer);
    if formula.is_linear {
        linear(&mut told, (&watched, formula), how, run)
    } else {
        branching(&mut told, (&watched, formula), how, run)
    }
    for violated in told.violations.iter_mut().chain(told.shown.as_mut()) {
        let line = if live.is_typed(formula.span) {
            0
        } else {
            live.line_of(formula.span)
        };
        violated.step = Some((formula.text.clone(), line));
    }
    doubt(&mut told, &watched, live.program().patience().was_lost());
    told
}

/// The symmetry of the search for a formula.
fn reduction(plan: &MachinePlan, number: usize) -> Result<MachineReduction, Diagnostic> {
    let settings = &plan.live.program().machine().settings;
    match settings.max_operations.or(settings.max_initialisations) {
        Some(_) => MachineReduction::apart(plan, LIMITED),
        None if !is_fair_to_operations(&plan.live, number) => {
            MachineReduction::apart(plan, FAIR_TO_KINDS)
        }
        None => MachineReduction::beside(plan, number),
    }
}

/// Why no symmetry is used where a formula asks for fairness.
const FAIR_TO_KINDS: &str =
    "runs have to be fair to single kinds of steps, which symmetries carry to others";

/// A formula of which nothing is known yet.
fn unanswered(formula: &Formula) -> Property {
    let kind = if formula.is_linear { "ltl" } else { "ctl" };
    Property {
        atoms: formula.atoms.iter().map(|atom| atom.text.clone()).collect(),
        ..Property::unanswered(formula.name.clone(), kind)
    }
}

/// What is not certain where something went wrong on the way is unknown.
fn doubt(told: &mut Property, watched: &Watched<'_>, out_of_time: bool) {
    // Whether a run is fair is not certain either where a step that it might owe went wrong.
    let is_open = told.verdict == Verdict::Violated && watched.fairness().is_some();
    if told.verdict != Verdict::Holds && !is_open {
        return;
    }
    let why = match watched.lost() {
        _ if out_of_time => reason_words(StopReason::Time).to_owned(),
        Some(fault) => {
            let text = watched.fault_text(fault);
            format!(
                "the machine goes wrong in line {}: {}",
                text.line, text.message
            )
        }
        None => return,
    };
    told.verdict = Verdict::Unknown;
    told.reason = Some(why);
    told.violations.clear();
    told.shown = None;
}

/// Searches for a run that violates a formula of linear time.
fn linear(
    told: &mut Property,
    (watched, formula): (&Watched<'_>, &Formula),
    (reduction, own): (&mut MachineReduction, OwnSearch),
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) {
    let start = Instant::now();
    let Ok(body) = &formula.body else {
        return;
    };
    let asked = match Asked::of(&Body::Formula(linear_formula(body)), formula.atoms.len()) {
        Ok(asked) => asked,
        Err(too_large) => {
            told.reason = Some(too_large.to_string());
            return;
        }
    };
    let is_safety = asked.claim.is_safety();
    let product = Product::new(watched, &asked.claim);
    let n_bytes = CLAIM_BYTES + watched.n_bytes();
    let mut beside = Beside::bytes_of(reduction.reducer(), n_bytes);
    let owed = watched.fairness();
    let strength = |actor: u32| match owed.as_ref().map(|owed| owed(actor)) {
        Some(written::Fair::Strong) => Strength::Strong,
        Some(written::Fair::Weak) | None => Strength::Weak,
    };
    let fairness = match &owed {
        Some(_) => Fairness::Each(&strength),
        None => Fairness::None,
    };
    let found = match is_safety {
        // Whatever a run has done, it can go on fairly.
        true => temporal::by_breadth(&product, &mut beside, options, observer),
        false => {
            let asked = (&product, &asked);
            temporal::in_depth(asked, &mut beside, &fairness, (options, observer))
        }
    };
    match found.verdict() {
        check::Verdict::Holds => told.verdict = Verdict::Holds,
        check::Verdict::Unknown(StopReason::Undecided) if let Some(fault) = found.fault => {
            let why = watched.fault_text(fault).message;
            told.reason = Some(format!("an atom has no value in some state: {why}"));
        }
        check::Verdict::Unknown(why) => told.reason = Some(reason_words(why).to_owned()),
        check::Verdict::Violated => {
            told.verdict = Verdict::Violated;
            let is_fault = found.fault.is_some();
            let violated = found
                .witness
                .map(|run| violated(formula, body, run, is_fault));
            told.violations.extend(violated);
        }
    }
    told.search = Some(OwnSearch {
        counts: found.counts,
        n_claim_states: Some(asked.claim.states.len()),
        is_safety: Some(is_safety),
        fairness: fairness_word(formula),
        peak_bytes: found.peak_bytes,
        elapsed: start.elapsed(),
        ..own
    });
}

/// A run that violates a formula, with where that fails if it is not an atom that went wrong.
fn violated(formula: &Formula, body: &Temporal, witness: Witness, is_fault: bool) -> Violated {
    let atoms: Vec<String> = formula.atoms.iter().map(|a| a.text.clone()).collect();
    let why = if is_fault {
        Vec::new()
    } else {
        temporal::reasons(&linear_formula(body), &witness, &atoms, Notation::Prob)
    };
    let name = &formula.name;
    let message = format!("{name} violated: the formula is false of this run");
    Violated {
        why,
        ..Violated::new(message, witness)
    }
}

/// How fair runs have to be, in a word.
fn fairness_word(formula: &Formula) -> Option<&'static str> {
    let strong = formula
        .fair
        .iter()
        .any(|(f, _)| *f == written::Fair::Strong);
    match formula.fair.is_empty() {
        true => None,
        false if strong => Some("strong"),
        false => Some("weak"),
    }
}

/// Evaluates a formula of branching time.
fn branching(
    told: &mut Property,
    (watched, formula): (&Watched<'_>, &Formula),
    (reduction, own): (&mut MachineReduction, OwnSearch),
    (options, observer): (&Options<'_>, &mut Observer<'_>),
) {
    let start = Instant::now();
    let Ok(body) = &formula.body else {
        return;
    };
    let asked = branching_formula(body);
    let texts: Vec<String> = formula.atoms.iter().map(|a| a.text.clone()).collect();
    let mut beside = Beside::bytes_of(reduction.reducer(), watched.n_bytes());
    let outcome = ctl::check(watched, &mut beside, &asked, options, observer);
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    told.search = Some(OwnSearch {
        counts: outcome.counts,
        peak_bytes: outcome.memory.peak_bytes,
        elapsed: start.elapsed(),
        ..own
    });
    let again = branching::tell(told, &texts, watched, outcome);
    told.notes.extend(again);
    for run in told.violations.iter_mut().chain(told.shown.as_mut()) {
        run.message = format!("{} {}", formula.name, run.message);
    }
}

fn linear_formula(formula: &Temporal) -> Linear {
    let of = |f: &Temporal| Box::new(linear_formula(f));
    let yes = || Linear::And(Vec::new());
    match formula {
        Temporal::Constant(true) => yes(),
        Temporal::Constant(false) => Linear::Not(Box::new(yes())),
        Temporal::Atom(n) => Linear::Atom(*n as u32),
        Temporal::Not(f) => Linear::Not(of(f)),
        Temporal::And(f, g) => Linear::And(vec![*of(f), *of(g)]),
        Temporal::Or(f, g) => Linear::Or(vec![*of(f), *of(g)]),
        Temporal::Implies(f, g) => Linear::Or(vec![Linear::Not(of(f)), *of(g)]),
        Temporal::Iff(f, g) => {
            let both = Linear::And(vec![*of(f), *of(g)]);
            let none = Linear::And(vec![Linear::Not(of(f)), Linear::Not(of(g))]);
            Linear::Or(vec![both, none])
        }
        Temporal::Unary(_, unary, f) => match unary {
            written::Unary::Next => Linear::Next(of(f)),
            written::Unary::Finally => Linear::Eventually(of(f)),
            written::Unary::Globally => Linear::Always(of(f)),
        },
        Temporal::Binary(_, binary, f, g) => match binary {
            written::Binary::Until => Linear::Until(of(f), of(g)),
            written::Binary::WeakUntil => Linear::WeakUntil(of(f), of(g)),
            written::Binary::Release => Linear::Release(of(f), of(g)),
        },
    }
}

fn branching_formula(formula: &Temporal) -> ctl::Formula {
    let of = |f: &Temporal| Box::new(branching_formula(f));
    let runs = |path: &Option<written::Path>| match path {
        Some(written::Path::Some) => Quantifier::Some,
        Some(written::Path::All) | None => Quantifier::All,
    };
    match formula {
        Temporal::Constant(value) => ctl::Formula::Constant(*value),
        Temporal::Atom(n) => ctl::Formula::Atom(*n as u32),
        Temporal::Not(f) => ctl::Formula::Not(of(f)),
        Temporal::And(f, g) => ctl::Formula::And(of(f), of(g)),
        Temporal::Or(f, g) => ctl::Formula::Or(of(f), of(g)),
        Temporal::Implies(f, g) => ctl::Formula::Implies(of(f), of(g)),
        Temporal::Iff(f, g) => ctl::Formula::Iff(of(f), of(g)),
        Temporal::Unary(path, unary, f) => {
            let unary = match unary {
                written::Unary::Next => Unary::Next,
                written::Unary::Finally => Unary::Finally,
                written::Unary::Globally => Unary::Globally,
            };
            ctl::Formula::Unary(runs(path), unary, of(f))
        }
        Temporal::Binary(path, binary, f, g) => {
            let binary = match binary {
                written::Binary::Until => Binary::Until,
                written::Binary::WeakUntil => Binary::WeakUntil,
                written::Binary::Release => Binary::Release,
            };
            ctl::Formula::Binary(runs(path), binary, of(f), of(g))
        }
    }
}
