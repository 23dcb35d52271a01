//! Random machines with operations outside of domains, choices, guards, preconditions, assertions,
//! quantifiers without bounds and a second machine, beside a plain interpreter that knows nothing
//! of the project: every property has the verdict that the interpreter gives, with symmetry and
//! without, and symmetries carry moves to moves.
//!
//! `ORBIT_MACHINES=FROM..TO` runs other seeds than those that always run.

#[path = "generated/plain.rs"]
mod plain;
#[path = "generated/text.rs"]
mod text;

use super::{audit, options, symmetry};
use base::{Diagnostics, Sources};
use bmachine::live::Live;
use bmachine::run::{ChosenSetups, Program, sizes};
use check::{Counts, Identity, Options, Outcome, Parts, Reducer, TreeStore};
use reduce::values::CertifiedValues;
use report::{Model, RequestedCheck, Summary};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use strategies::Strategy;
use system::System;

type Verdicts = BTreeMap<String, String>;

/// The machine, ready to be searched.
fn live((first, second): &(String, String), n_elements: usize) -> Live {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add("First.mch", first.clone());
    let mut include = |name: &str| {
        let is_second = name == "Second.mch";
        is_second.then(|| (name.to_owned(), second.clone()))
    };
    let machine = bmachine::read(main, &mut sources, &mut include, &mut found);
    let words: Vec<String> = found.sorted().into_iter().map(|d| d.message).collect();
    let machine = machine.unwrap_or_else(|| panic!("{words:?}\n{first}"));
    let options = bmachine::run::RunOptions {
        sizes: sizes::sizes(&machine, &[], n_elements).expect("sizes"),
        maxint: 3,
        minint: -1,
        work_max: 1_000_000,
        deadline: Default::default(),
    };
    let program = Program::new(machine, &options).unwrap_or_else(|why| panic!("{why:?}"));
    Live::new(program, &sources)
}

fn verdicts(live: &Live, outcome: Outcome, options: &Options<'_>) -> Verdicts {
    let request = RequestedCheck::new(Model::default(), options, Duration::ZERO);
    let summary = Summary::new(request, outcome, &|fault| live.fault_text(fault));
    let properties = summary.properties.into_iter();
    let told = properties.map(|p| (p.name, p.verdict.word().to_owned()));
    told.filter(|(name, _)| name != "goal").collect()
}

fn searched(live: &Live, reducer: &mut dyn Reducer, which: ChosenSetups) -> (Verdicts, u64) {
    let live = live.starting_with(which);
    let (verdicts, counts) = counted(&live, &live, reducer);
    (verdicts, counts.n_states)
}

/// Searches a machine that may leave moves out; runs are those of the whole.
fn counted(lean: &Live, whole: &Live, reducer: &mut dyn Reducer) -> (Verdicts, Counts) {
    let options = options();
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    let outcome = check::explore_lean(lean, whole, parts, &options, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    let counts = outcome.counts;
    (verdicts(whole, outcome, &options), counts)
}

/// What is different if moves and set-ups that symmetries make of others are left out.
fn left_out(live: &Live, certified: &CertifiedValues) -> Vec<String> {
    let mut wrong = Vec::new();
    for which in [ChosenSetups::Named, ChosenSetups::All] {
        let reducer = || Strategy::Canonical.reducer(&certified.certified());
        let live = live.starting_with(which);
        let all = counted(&live, &live, &mut *reducer().expect("it fits"));
        let lean = live.up_to(certified.blocks()).expect("it has no limits");
        let lean = counted(&lean, &live, &mut *reducer().expect("it fits"));
        if all != lean {
            wrong.push(format!("{which:?}: {all:?}, with classes {lean:?}"));
        }
    }
    wrong
}

/// What is wrong with a seed, in words; `None` if the machine has too many states.
fn differences(seed: u64) -> Option<Vec<String>> {
    let machine = text::Machine::random(seed);
    let expected = plain::explore(&machine, 400)?;
    let texts = machine.texts();
    let live = live(&texts, machine.n_elements);
    let (full, n_states) = searched(&live, &mut Identity, ChosenSetups::Named);
    let certified = symmetry(&live);
    let mut reducer = Strategy::Canonical
        .reducer(&certified.certified())
        .expect("it fits");
    // The orbits of the valuations that ProB sets up are those of all.
    let (reduced, n_orbits) = searched(&live, &mut *reducer, ChosenSetups::Named);
    let (of_all, n_orbits_of_all) = searched(&live, &mut *reducer, ChosenSetups::All);
    let mut wrong = Vec::new();
    if (&reduced, n_orbits) != (&of_all, n_orbits_of_all) {
        wrong.push(format!(
            "{reduced:?} and {n_orbits} orbits, of all valuations {of_all:?} and {n_orbits_of_all}"
        ));
    }
    // Over sets without a bound not everything is decided.
    let may_be_open = texts.0.contains("NATURAL");
    for (name, verdict) in &expected.verdicts {
        for (how, found) in [("without symmetry", &full), ("with symmetry", &reduced)] {
            let found = &found[*name];
            if found != verdict && !(may_be_open && found == "unknown") {
                wrong.push(format!("{name} {how}: {found}, not {verdict}"));
            }
        }
    }
    if full != reduced {
        wrong.push(format!("{full:?} without symmetry, {reduced:?} with"));
    }
    let is_open = full.values().any(|verdict| verdict == "unknown");
    if !machine.has_constant && !is_open && n_states != expected.n_states as u64 {
        wrong.push(format!("{n_states} states, not {}", expected.n_states));
    }
    wrong.extend(audit(&live, &certified, &options()));
    wrong.extend(left_out(&live, &certified));
    if !wrong.is_empty() {
        wrong.insert(
            0,
            format!("seed {seed}, sets of {}:\n{}", machine.n_elements, texts.0),
        );
    }
    Some(wrong)
}

fn seeds() -> Range<u64> {
    let asked = std::env::var("ORBIT_MACHINES").ok();
    let asked = asked.and_then(|asked| {
        let (from, to) = asked.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    asked.unwrap_or(0..400)
}

#[test]
fn random_machines_have_the_verdicts_of_a_plain_interpreter_with_symmetry_and_without() {
    let seeds = seeds();
    let (mut n_run, mut wrong) = (0, Vec::new());
    for seed in seeds.clone() {
        let Some(found) = differences(seed) else {
            continue;
        };
        n_run += 1;
        wrong.extend((!found.is_empty()).then(|| found.join("\n")));
        if wrong.len() >= 5 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(n_run * 2 > seeds.count(), "only {n_run} machines are small");
}
