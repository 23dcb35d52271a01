//! With symmetry and without: the same errors, and the same number of states when the sizes of
//! orbits are added up; and every symmetry is one of every state that is stored.
//!
//! Our own models with their parameters, and those of the corpus where it is on the machine, under
//! all three settings. Models with more states than these run only with `ORBIT_CORPUS_FULL=1`.

use super::{Compiled, compile, corpus, kind, models, options};
use check::{Ended, Identity, NodeId, Parts, Reducer, StopReason, Store, TreeStore};
use model::Machine;
use model::processes::passes::{Setting, Watch, apply};
use model::processes::population::Start;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use reduce::processes::certify::CertifiedProcesses;
use reduce::processes::sort::Sends;
use std::collections::BTreeSet;
use strategies::Strategy;
use system::System;

/// The largest models that always run.
const STATES_MAX: u64 = 20_000;

/// What a search found: its store, the kinds of errors, and the steps that it took.
fn search(
    machine: &Machine,
    reducer: &mut dyn Reducer,
) -> (TreeStore, BTreeSet<&'static str>, Vec<bool>) {
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    let outcome = check::explore_with(machine, parts, &options(), &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(outcome.ended, Ended::Complete);
    let errors = outcome.findings.iter().map(|f| kind(f.violation)).collect();
    (store, errors, outcome.covered)
}

/// What is wrong with the symmetry of a model under a setting.
pub fn wrong(model: &Compiled, setting: Setting, sends: Sends) -> Option<String> {
    let mut lowered = model.0.clone();
    apply(&mut lowered, setting, &Watch::default());
    let machine = Machine::new(lowered);
    let found = reduce::processes::find_if(&machine, sends, base::Clock::ENDLESS)?;
    let assumes = !found.certified.homes().lines().is_empty();
    if found.certified.group().is_trivial() || assumes != (sends == Sends::Assumed) {
        return None;
    }
    if assumes && is_refuted(&machine, &found.certified) {
        return None;
    }
    let (full, errors, covered) = search(&machine, &mut Identity);
    let mut canonical = Canonical::new(&found.certified.certified());
    let (mut store, errors_reduced, mut taken) = search(&machine, &mut canonical);
    if errors != errors_reduced {
        return Some(format!(
            "errors {errors:?} without, {errors_reduced:?} with"
        ));
    }
    let mut audits = [
        Audit::new(&machine, &found.certified.whole()),
        Audit::new(&machine, &found.certified.certified()),
    ];
    let mut n_full = num_bigint::BigUint::ZERO;
    let mut state = Vec::new();
    for n in 0..store.len() {
        store.load(NodeId::new(n), &mut state);
        n_full += canonical.orbit_size(&state);
        for audit in &mut audits {
            if let Err(unequal) = audit.check(&state) {
                return Some(format!(
                    "{:?} of state {n} and its image differ",
                    unequal.what
                ));
            }
        }
    }
    found.certified.close_coverage(&mut taken);
    let (without, with) = (machine.not_covered(&covered), machine.not_covered(&taken));
    // Steps of loops that were replaced have no images, so they may be missing; those of branches
    // that were made one count as reached together.
    let replaced = !found.sorts.unordered.is_empty() || !found.sorts.branches.is_empty();
    if without != with && !replaced && !found.population.interleaved {
        return Some(format!("{without:?} not reached without, {with:?} with"));
    }
    let differs = n_full != num_bigint::BigUint::from(full.len());
    (differs && !found.population.interleaved).then(|| {
        let (n, n_reduced) = (full.len(), store.len());
        format!("{n} states, {n_reduced} orbits, {n_full} states in these")
    })
}

/// Whether a send waits that was taken not to.
pub fn is_refuted(machine: &Machine, certified: &CertifiedProcesses) -> bool {
    let reducer = Strategy::Canonical.reducer(&certified.certified());
    let mut reducer = reducer.expect("it fits every group");
    let outcome = check::explore(machine, &mut *reducer, &options(), &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    let refuted = Ended::Stopped(StopReason::Refuted);
    assert!(
        outcome.ended == refuted || outcome.ended == Ended::Complete,
        "{:?}",
        outcome.ended
    );
    outcome.ended == refuted
}

/// What is wrong with the largest symmetry of a model, which need not be one of its start.
fn wrong_largest(model: &Compiled) -> Option<String> {
    let machine = model.machine(Setting::Best);
    let found = reduce::processes::find_largest(&machine)?;
    if found.population.start == Start::Kept {
        return None;
    }
    let (full, errors, _) = search(&machine, &mut Identity);
    let mut canonical = Canonical::new(&found.certified.certified());
    let (mut store, errors_reduced, _) = search(&machine, &mut canonical);
    if errors != errors_reduced || store.len() > full.len() {
        let (n, m) = (full.len(), store.len());
        return Some(format!(
            "{errors:?} in {n} states, {errors_reduced:?} in {m} orbits"
        ));
    }
    let mut audits = [
        Audit::new(&machine, &found.certified.whole()),
        Audit::new(&machine, &found.certified.certified()),
    ];
    let mut state = Vec::new();
    for n in 0..store.len() {
        store.load(NodeId::new(n), &mut state);
        for audit in &mut audits {
            if let Err(unequal) = audit.check(&state) {
                return Some(format!(
                    "{:?} of state {n} and its image differ",
                    unequal.what
                ));
            }
        }
    }
    None
}

/// What is wrong with the symmetry of a model under any setting.
pub fn all_wrong(name: &str, model: &Compiled, out: &mut Vec<String>) {
    for setting in [Setting::Plain, Setting::Spin, Setting::Best] {
        for sends in [Sends::Wait, Sends::Assumed] {
            let why = wrong(model, setting, sends);
            out.extend(why.map(|why| format!("{name}, {setting:?}, {sends:?}: {why}")));
        }
    }
    let why = wrong_largest(model);
    out.extend(why.map(|why| format!("{name}, without its start: {why}")));
}

#[test]
fn symmetry_of_our_models_changes_no_verdict_and_no_count() {
    let mut found = Vec::new();
    let mut n = 0;
    for (name, text, defines, n_states) in models::all() {
        if n_states > STATES_MAX && std::env::var_os("ORBIT_CORPUS_FULL").is_none() {
            continue;
        }
        let model = compile(&text, &defines).unwrap_or_else(|why| panic!("{name}: {why}"));
        all_wrong(&format!("{name} {defines:?}"), &model, &mut found);
        n += 1;
    }
    assert!(n > 100, "only {n} models");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn symmetry_of_the_corpus_changes_no_verdict_and_no_count() {
    let mut found = Vec::new();
    for (name, text, n_states) in corpus::all() {
        if n_states > STATES_MAX && std::env::var_os("ORBIT_CORPUS_FULL").is_none() {
            continue;
        }
        if let Ok(model) = compile(&text, &[]) {
            all_wrong(&name, &model, &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn an_action_that_is_none_is_caught() {
    // A literal tells process 1 apart; the symmetry of the same text without it is no symmetry.
    let text = |odd: &str| {
        format!("byte x; active [3] proctype p() {{ end: do :: x == 0 -> x = 1; {odd}; x = 0 od }}")
    };
    let machine = |odd: &str| {
        let model = compile(&text(odd), &[]).expect("a model");
        Machine::new(model.0)
    };
    let (even, odd) = (machine("_pid < 200"), machine("_pid != 1"));
    let found = reduce::processes::find(&even).expect("a population");
    assert_eq!(found.certified.group().order().to_string(), "6");
    let (mut store, ..) = search(&odd, &mut Identity);
    let mut audit = Audit::new(&odd, &found.certified.whole());
    let mut state = Vec::new();
    let mut caught = false;
    for n in 0..store.len() {
        store.load(NodeId::new(n), &mut state);
        caught |= audit.check(&state).is_err();
    }
    assert!(caught);
    let own = reduce::processes::find(&odd).expect("a population");
    assert_eq!(own.certified.group().order().to_string(), "2");
}

#[test]
fn symmetries_that_lead_nothing_together_are_left() {
    // One takes its forks in the other order, for ever: the text treats all alike, and no two
    // states that can be reached are carried to each other.
    let text = include_str!("../../../../../models/promela/dining.pml");
    for define in ["LEFTY", "BUTLER"] {
        let machine = compile(text, &[define.to_owned()]).expect("a model");
        let machine = machine.machine(Setting::Best);
        let found = reduce::processes::find_largest(&machine).expect("a population");
        assert_eq!(found.population.start, Start::Kept, "{define}");
        let is_trivial = found.certified.group().is_trivial();
        assert_eq!(is_trivial, define == "LEFTY", "{define}");
    }
}

#[test]
fn a_variable_that_starts_as_one_of_them_singles_nobody_out() {
    let text = "byte turn; bool flag[2]; byte n;
        active [2] proctype user() {
        again: flag[_pid] = 1; turn = _pid; (flag[1 - _pid] == 0 || turn == 1 - _pid);
            n++; assert(n == 1); n--; flag[_pid] = 0; goto again }";
    let machine = compile(text, &[]).expect("a model").machine(Setting::Best);
    let order = |found: reduce::processes::Found| found.certified.group().order().to_string();
    assert_eq!(
        order(reduce::processes::find(&machine).expect("a population")),
        "1"
    );
    let found = reduce::processes::find_largest(&machine).expect("a population");
    assert_eq!(found.population.start, Start::Free);
    let (full, ..) = search(&machine, &mut Identity);
    let (store, ..) = search(&machine, &mut Canonical::new(&found.certified.certified()));
    assert_eq!(order(found), "2");
    assert!(
        2 * store.len() < full.len() + 8,
        "{} of {}",
        store.len(),
        full.len()
    );
}
