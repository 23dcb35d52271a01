//! What the rules of algebra derive of the processes of scripts is certified on their networks:
//! of every permutation that is offered, of our scripts and of those by other people.

use super::models;
use crate::counts::corpus;
use cspm::alike::{Alike, NamedPermutation};
use cspm::compile::Compiler;
use cspm::eval::{EvaluatedClaim, Script};
use cspm::explain::{Conditions, Derivation, DerivationLimits, DerivationOutcome, Exact, derive};
use cspm::operate::Operator;
use cspm::process::{Event, TermId, Terms};
use reduce::network::{Candidate, certify};
use std::path::{Path, PathBuf};

const LIMITS: DerivationLimits = DerivationLimits {
    pairs_max: 2_000,
    depth_max: 1_000,
};

/// One in so many of the scripts by other people is looked at, unless all are asked for.
const ONE_IN: usize = 4;

/// The scripts of a folder and those below it.
fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|e| e == "csp") {
            found.push(path);
        }
    }
}

/// A script that is right, ready to be evaluated.
fn load(path: &Path) -> Option<Script> {
    let mut sources = base::Sources::new();
    let text = std::fs::read(path).ok()?;
    let main = sources.add("script", String::from_utf8_lossy(&text));
    let mut found = base::Diagnostics::new();
    let folder = path.parent()?.to_path_buf();
    let mut include = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        Some((name.to_owned(), text))
    };
    let script = cspm::read(main, &mut sources, &mut include, &mut found)?;
    cspm::check(&script, &mut found)?;
    let mut script = Script::load(&script).ok()?;
    script.limit_calls(2_000_000);
    Some(script)
}

/// The processes that the assertions of a script are about.
fn processes(script: &mut Script, terms: &mut Terms) -> Vec<TermId> {
    let mut found = Vec::new();
    for (_, assertion) in script.assertions(terms) {
        match assertion.map(|assertion| assertion.claim) {
            Ok(EvaluatedClaim::Refines {
                spec,
                implementation,
                ..
            }) => found.extend([spec, implementation]),
            Ok(EvaluatedClaim::Has { process, .. } | EvaluatedClaim::HasTrace { process, .. }) => {
                found.push(process);
            }
            Ok(EvaluatedClaim::Truth(_)) | Err(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[derive(Default)]
struct Tally {
    n_derived: usize,
    n_certified: usize,
    wrong: Vec<String>,
}

/// Compares what is derived with what is certified.
fn compare(conditions: &dyn Conditions, path: &Path, tally: &mut Tally) {
    let Some(mut script) = load(path) else {
        return;
    };
    let mut terms = Terms::default();
    let limits = cspm::operate::StateLimits {
        states_max: 1_000,
        depth_max: 1_000,
    };
    let mut compiler = Compiler::new(Operator::new(limits), 1_000_000);
    for process in processes(&mut script, &mut terms) {
        let Ok(compiled) = compiler.compile(process, &mut terms, &mut script) else {
            continue;
        };
        let alike = Alike::new(&script, compiled.network.names().len());
        let families = alike.families().iter();
        let offered: Vec<NamedPermutation> = families
            .flat_map(|family| {
                let mut offered = alike.probes(family, 6);
                offered.extend(alike.turns(family, &|_| true).into_iter().take(6));
                offered
            })
            .take(30)
            .collect();
        for (name, events) in &offered {
            let candidate = Candidate {
                name: name.clone(),
                events: events.clone(),
            };
            let certified = certify(&compiled.network, &[candidate]);
            let is_certified = !certified.symmetries().is_empty();
            let derivation = Derivation {
                root: process,
                events,
                conditions,
                limits: LIMITS,
            };
            let derived = derive(&derivation, &mut terms, &mut script);
            let is_derived = matches!(derived, Ok(DerivationOutcome::Derived(_)));
            tally.n_certified += usize::from(is_certified);
            tally.n_derived += usize::from(is_derived);
            if is_derived && !is_certified {
                let reason = &certified.refused()[0].reason;
                tally
                    .wrong
                    .push(format!("{} {name}: {reason:?}", path.display()));
            }
        }
    }
}

#[test]
fn what_is_derived_of_scripts_is_certified() {
    let mut paths = Vec::new();
    scripts(&models().join("classics"), &mut paths);
    scripts(&models().join("language"), &mut paths);
    if let Some(corpus) = corpus("cspm") {
        let n = paths.len();
        scripts(&corpus, &mut paths);
        if std::env::var_os("ORBIT_CORPUS_FULL").is_none() {
            let others = paths.split_off(n).into_iter();
            paths.extend(others.step_by(ONE_IN));
        }
    }
    let mut tally = Tally::default();
    for path in paths {
        compare(&Exact, &path, &mut tally);
    }
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    let counts = format!("{} of {}", tally.n_derived, tally.n_certified);
    assert!(
        tally.n_derived > 20 && tally.n_derived * 2 > tally.n_certified,
        "{counts}"
    );
}

/// Takes any set for any other.
struct AnySet;

impl Conditions for AnySet {
    fn set(&self, _: &[Event], _: &[Event], _: &[u32]) -> bool {
        true
    }
}

#[test]
fn a_wrong_rule_is_noticed() {
    let folder = crate::command::Folder::new("explain");
    let text = "channel a : {1..2}\nP(i) = a.i -> P(i)\nBOTH = P(1) ||| P(2)\n\
                assert BOTH \\ {a.1} :[deadlock free]\n";
    let file = folder.write("hidden.csp", text);
    let mut tally = Tally::default();
    compare(&Exact, Path::new(&file), &mut tally);
    assert_eq!((tally.n_derived, tally.n_certified), (0, 0));
    compare(&AnySet, Path::new(&file), &mut tally);
    assert_eq!(tally.wrong.len(), 1, "{:?}", tally.wrong);
}
