//! B machines, through the same libraries as the binary and through the binary itself.
//!
//! - `binary`: our machines have the counts and verdicts of their headers, told by the binary.
//! - `command`: what `check`, `symmetry` and `simulate` print of machines, as text and as JSON.
//! - `faults`: what goes wrong on one way leaves the others. `fairness`: runs that count.
//! - `generated`: random machines beside a plain interpreter.
//! - `headers`: the same in this process, whoever chooses representatives, with audits.
//! - `planted`: wrong grounds are not certified, and an audit says that they are wrong.
//! - `rejected`: wrong machines are refused with a place.
//! - `quantified`: quantifiers over elements inside of formulas.
//! - `limits`: machines that ask for only some of the ways to go on.
//! - `temporal`: formulas over runs. `simulated`: runs step by step, and recorded ones.
//! - `threads`: any number of threads gives the same.
//! - `corpus`: machines by other people, beside what ProB counts of them.

mod binary;
mod command;
mod corpus;
#[path = "../../../bmachine/tests/it/expect.rs"]
mod expect;
mod fairness;
mod faults;
mod generated;
mod headers;
mod limits;
mod planted;
mod quantified;
mod rejected;
mod simulated;
mod temporal;
mod threads;

use crate::counts::options as plain_options;
use base::{Colour, Diagnostics, Sources, render};
use bmachine::eval::deadline::Deadline;
use bmachine::live::Live;
use bmachine::run::{ChosenSetups, Program, sizes};
use bmachine::typed::SortId;
use check::{Attention, Ended, Identity, NodeId, Options, Order, Outcome, Parts, Reducer};
use check::{Store, TreeStore, Violation};
use num_bigint::BigUint;
use reduce::audit::Audit;
use reduce::canonical::Canonical;
use reduce::values::{CertifiedValues, certify};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use strategies::Strategy;
use system::FaultKind;

/// How a machine is run.
#[derive(Clone, Debug, Default)]
struct Setting {
    /// For given sets of which nothing else is said; 2 if it is not given.
    default_size: Option<usize>,
    /// For single given sets, by name.
    sizes: Vec<(String, usize)>,
    /// How many candidates may be tried for one answer.
    work_max: u64,
    /// How long one answer may take, if there is a limit.
    time_max: Option<Duration>,
    /// Whether the machine's own limits on ways to go on are left out.
    is_unlimited: bool,
}

/// What a search counted and found.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counted {
    n_states: u64,
    n_transitions: u64,
    /// By kind: how many moves lead to the first that is wrong.
    wrong: BTreeMap<&'static str, u64>,
    ended: Ended,
}

/// The folder of our machines.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/b")
}

/// The machine in a file, ready to be searched, with numbers from -1 to 3 if it says nothing else;
/// or the messages that say why there is none.
fn load(path: &Path, setting: &Setting) -> Result<Live, String> {
    let bytes = std::fs::read(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let main = sources.add(path.display().to_string(), text);
    let mut include = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        Some((name.to_owned(), text))
    };
    let machine = bmachine::read(main, &mut sources, &mut include, &mut found);
    let Some(mut machine) = machine else {
        let drawn = found.sorted();
        let drawn = drawn.iter().map(|d| render(d, &sources, Colour::Never));
        return Err(drawn.collect());
    };
    if setting.is_unlimited {
        machine.settings.max_operations = None;
        machine.settings.max_initialisations = None;
    }
    let asked = setting.sizes.iter().map(|(name, size)| {
        let sort = machine.sorts.iter().position(|sort| sort.name == *name);
        let sort = sort.ok_or_else(|| format!("there is no set {name}"))?;
        Ok((SortId::new(sort), *size))
    });
    let asked: Vec<(SortId, usize)> = asked.collect::<Result<_, String>>()?;
    let words = |found: Vec<base::Diagnostic>| {
        let words: Vec<String> = found.into_iter().map(|d| d.message).collect();
        words.join("; ")
    };
    let sizes = sizes::sizes(&machine, &asked, setting.default_size.unwrap_or(2));
    let options = bmachine::run::RunOptions {
        sizes: sizes.map_err(words)?,
        maxint: machine.settings.maxint.unwrap_or(3),
        minint: machine.settings.minint.unwrap_or(-1),
        work_max: setting.work_max,
        deadline: Arc::new(Deadline::new(base::Clock::of(setting.time_max))),
    };
    let program = Program::new(machine, &options).map_err(words)?;
    Ok(Live::new(program, &sources))
}

/// A search by breadth for everything, over all errors.
fn options() -> Options<'static> {
    Options {
        order: Order::Breadth,
        invariants: Attention::Reported,
        goals: Attention::Reported,
        ..plain_options()
    }
}

/// One search, and what it stored.
fn search(live: &Live, reducer: &mut dyn Reducer, options: &Options<'_>) -> (Counted, TreeStore) {
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer,
        store: &mut store,
    };
    let outcome = check::explore_with(live, parts, options, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|broken| panic!("{broken}"));
    (counted(&outcome), store)
}

fn counted(outcome: &Outcome) -> Counted {
    let mut wrong = BTreeMap::new();
    for finding in &outcome.findings {
        // Set-ups, and initialisations of machines without constants, are moves to ProB.
        let n_moves = finding.witness.n_moves() as u64 + 1;
        let least = wrong.entry(kind(finding.violation)).or_insert(n_moves);
        *least = n_moves.min(*least);
    }
    Counted {
        n_states: outcome.counts.n_states,
        n_transitions: outcome.counts.n_transitions,
        wrong,
        ended: outcome.ended,
    }
}

/// A violation as headers call it.
fn kind(violation: Violation) -> &'static str {
    match violation {
        Violation::Deadlock | Violation::Unfinished => "deadlock",
        Violation::Fault(fault) => match fault.kind {
            FaultKind::Invariant => "invariant",
            FaultKind::Assertion => "assertion",
            FaultKind::Precondition => "precondition",
            FaultKind::Undefined => "undefined",
            FaultKind::Goal => "goal",
            FaultKind::Cut => "cut",
            FaultKind::Undecided(_) => "undecided",
            _ => "other",
        },
    }
}

/// The symmetry of a machine.
fn symmetry(live: &Live) -> CertifiedValues {
    let machine = live.program().machine();
    let grounds = bmachine::alike::grounds(machine);
    let text = bmachine::exchange::MachineText::new(machine);
    let certified = certify(live.signature(), &grounds, &text, base::Clock::ENDLESS);
    assert_eq!(certified.rejected(), [], "of {}", machine.name);
    certified
}

/// A search with symmetry, over the valuations of constants that ProB sets up, and how many states
/// the orbits have that it stored: as many as all valuations lead to.
fn search_reduced(
    live: &Live,
    strategy: Strategy,
    options: &Options<'_>,
) -> Result<(Counted, BigUint), String> {
    let certified = symmetry(live);
    let reducer = strategy.reducer(&certified.certified());
    let mut reducer = reducer.map_err(|refusal| report::reasons::misfit(&refusal.reason))?;
    let named = live.starting_with(ChosenSetups::Named);
    let (counted, mut store) = search(&named, &mut *reducer, options);
    let mut canonical = Canonical::new(&certified.certified());
    let mut n_full = BigUint::ZERO;
    let mut state = Vec::new();
    for n in 0..store.len() {
        store.load(NodeId::new(n), &mut state);
        n_full += canonical.orbit_size(&state);
    }
    Ok((counted, n_full))
}

/// What an audit of the states that a search with symmetry stores finds.
fn audit(live: &Live, certified: &CertifiedValues, options: &Options<'_>) -> Option<String> {
    let all = live.starting_with(ChosenSetups::All);
    let mut audit = Audit::new(&all, &certified.certified());
    let reducer = Strategy::Canonical.reducer(&certified.certified());
    let mut reducer = reducer.expect("it fits every machine");
    let named = live.starting_with(ChosenSetups::Named);
    let (_, mut store) = search(&named, &mut *reducer, options);
    let mut checked = audit.check_initial();
    let mut state = Vec::new();
    for n in 0..store.len() {
        store.load(NodeId::new(n), &mut state);
        checked = checked.and_then(|()| audit.check(&state));
    }
    checked
        .err()
        .map(|unequal| format!("{:?} differ", unequal.what))
}

/// A search without symmetry, over the valuations of constants that ProB sets up.
fn search_full(live: &Live, options: &Options<'_>) -> Counted {
    let named = live.starting_with(ChosenSetups::Named);
    search(&named, &mut Identity, options).0
}

/// How many states a search without symmetry over all valuations of constants stores, if a search
/// over those that ProB sets up stores `n_named`.
fn n_states_of_all(live: &Live, options: &Options<'_>, n_named: u64) -> u64 {
    if !live.program().has_names() {
        return n_named;
    }
    let all = live.starting_with(ChosenSetups::All);
    let (counted, _) = search(&all, &mut Identity, options);
    counted.n_states
}
