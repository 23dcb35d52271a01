//! Every strategy beside a plain count of orbits.
//!
//! The plain twin of a reduced search: all reachable states, each with the least of its images
//! under all elements of the group; as many different ones as there are orbits. A strategy that
//! claims to be exact must store as many states, an approximate one at least as many and at most
//! all, and both must come to the same verdict.

mod adaptive;
mod listed;
mod random;
mod sorting;
mod states;
mod witness;

use crate::command::{json, run};
use crate::counts::{Compiled, compile};
use check::{Attention, Ended, Guarantee, Options, Order, Outcome, Reducer, Symmetry};
use model::Machine;
use model::processes::passes::Setting;
use reduce::processes::Found;
use reduce::watched::Watched;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use strategies::Strategy;
use system::System;

pub const ALL: Options<'static> = Options {
    order: Order::Breadth,
    deadlocks: Attention::Reported,
    assertions: Attention::Reported,
    invariants: Attention::Ignored,
    goals: Attention::Ignored,
    stop_after: None,
    memory_bytes_max: None,
    clock: base::Clock::ENDLESS,
    depth_max: None,
    progress_every: Duration::MAX,
    threads: check::Threads::ONE,
};

pub fn search(machine: &Machine, reducer: &mut dyn Reducer, order: Order) -> Outcome {
    let options = Options { order, ..ALL };
    check::explore(machine, reducer, &options, &mut |_| {}).expect("replays succeed")
}

/// One of our models.
pub fn model(name: &str, defines: &[&str]) -> Compiled {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let text = std::fs::read_to_string(folder.join(name)).expect("a model");
    let defines: Vec<String> = defines.iter().map(|d| (*d).to_owned()).collect();
    compile(&text, &defines).expect("it compiles")
}

/// A model with its symmetry, and what a plain count of its states says.
pub struct Plain {
    pub machine: Machine,
    pub found: Found,
    n_full: u64,
    n_orbits: u64,
    is_violated: bool,
}

impl Plain {
    pub fn new(machine: Machine) -> Plain {
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let states = reachable(&machine);
        let full = search(&machine, &mut check::Identity, Order::Breadth);
        Plain {
            n_full: states.len() as u64,
            n_orbits: n_orbits(&states, &found),
            is_violated: full.n_errors > 0,
            machine,
            found,
        }
    }

    /// What is wrong with how a strategy did, if anything.
    pub fn complaint(&self, reducer: &mut dyn Reducer) -> Option<String> {
        let (n_full, n_orbits) = (self.n_full, self.n_orbits);
        let claimed = reducer.guarantee();
        let outcome = search(&self.machine, reducer, Order::Breadth);
        let n = outcome.counts.n_states;
        let in_bounds = match claimed {
            Guarantee::Exact => n == n_orbits,
            Guarantee::Approximate => (n_orbits..=n_full).contains(&n),
            Guarantee::Lossy => n <= n_full,
        };
        if !in_bounds {
            let claimed = claimed.word();
            return Some(format!(
                "{claimed}: {n} of {n_full} states, {n_orbits} orbits"
            ));
        }
        let is_violated = outcome.n_errors > 0;
        if claimed != Guarantee::Lossy && is_violated != self.is_violated {
            return Some(format!("violated is {is_violated}"));
        }
        let is_complete = outcome.ended == Ended::Complete;
        (is_complete == (claimed == Guarantee::Lossy)).then(|| format!("{:?}", outcome.ended))
    }
}

/// What is small enough to compare all strategies on.
const SMALL_STATES_MAX: u64 = 600;
const SMALL_BYTES_MAX: u64 = 1 << 18;
const SMALL_ORDER_MAX: u32 = 720;

fn reachable(machine: &Machine) -> HashSet<Vec<u8>> {
    let mut scratch = machine.scratch();
    let mut waiting = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.ok().map(<[u8]>::to_vec));
    });
    let mut seen: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        machine.successors(&state, &mut scratch, &mut |mv| {
            if let Some(state) = mv.state.filter(|state| !seen.contains(*state)) {
                seen.insert(state.to_vec());
                waiting.push(state.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    seen
}

/// In how many orbits states are: each has a least image.
fn n_orbits(states: &HashSet<Vec<u8>>, found: &Found) -> u64 {
    let (act, mut moved) = (found.certified.act(), Vec::new());
    let mut elements = Vec::new();
    found
        .certified
        .group()
        .chain()
        .enumerate_images(&mut |image| {
            elements.push(image.to_vec());
            true
        });
    let least = |state: &Vec<u8>| {
        if !act.is_settled(state) {
            return state.clone();
        }
        let mut least = state.clone();
        for image in &elements {
            act.apply(image, state, &mut moved);
            if moved < least {
                least.clone_from(&moved);
            }
        }
        least
    };
    let orbits: HashSet<Vec<u8>> = states.iter().map(least).collect();
    orbits.len() as u64
}

/// Compares all strategies on a model; gives those that do not fit it.
pub fn compare(plain: &Plain, about: &str) -> Vec<Strategy> {
    let certified = &plain.found.certified;
    let mut refused = Vec::new();
    for strategy in Strategy::ALL.into_iter().filter(|s| *s != Strategy::None) {
        match strategy.reducer(&certified.certified()) {
            Ok(mut reducer) => {
                let wrong = plain.complaint(&mut *reducer);
                assert_eq!(wrong, None, "{about}, {strategy}");
                // What is claimed of one model is what is claimed of all, or more.
                let (claimed, sure) = (reducer.guarantee(), strategy.guarantee());
                let more = sure == Guarantee::Approximate && claimed == Guarantee::Exact;
                let trivial = certified.lean().1.is_trivial();
                assert!(claimed == sure || more || trivial, "{about}, {strategy}");
            }
            Err(refusal) => {
                assert!(!report::reasons::misfit(&refusal.reason).is_empty());
                refused.push(strategy);
            }
        }
    }
    refused
}

#[test]
fn strategies_agree_with_the_plain_count_of_orbits_on_our_models() {
    for (name, defines) in [
        ("agents.pml", &[][..]),
        ("dining.pml", &[]),
        ("email.pml", &["N=2"]),
        ("email.pml", &["N=3", "CAP=1"]),
        ("extended/tiers.pml", &["C=3", "S=3", "D=2"]),
        ("hypercube_table.pml", &[]),
        ("loadbalancer_blocked.pml", &[]),
        ("mutex.pml", &[]),
        ("peterson_n.pml", &[]),
        ("peterson_scan.pml", &[]),
        ("readers_writers.pml", &[]),
        ("three_tiered.pml", &[]),
    ] {
        let plain = Plain::new(model(name, defines).machine(Setting::Best));
        let group = plain.found.certified.group();
        assert!(!group.is_trivial(), "{name}");
        compare(&plain, name);
    }
    // All others that are small enough to be enumerated, as they are and with each step alone.
    let mut n_compared = 0;
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a model");
        let Ok(compiled) = compile(&text, &[]) else {
            continue;
        };
        for setting in [Setting::Best, Setting::Plain] {
            let plain = small(compiled.machine(setting));
            if let Some(plain) = plain.filter(|p| !p.found.certified.group().is_trivial()) {
                compare(&plain, &format!("{}, {setting:?}", file.display()));
                n_compared += 1;
            }
        }
    }
    assert!(
        n_compared > 50,
        "{n_compared} models are small and have a symmetry"
    );
}

/// Our models that mean something, by folder.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut files = Vec::new();
    for folder in ["", "extended", "study", "survey", "symmetry", "thesis"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|end| end == "pml")));
    }
    files.sort();
    files
}

/// A model with few states and symmetries, or nothing.
fn small(machine: Machine) -> Option<Plain> {
    let options = Options {
        memory_bytes_max: Some(SMALL_BYTES_MAX),
        ..ALL
    };
    let full = check::explore(&machine, &mut check::Identity, &options, &mut |_| {});
    let full = full.expect("replays succeed");
    let is_small = full.ended == Ended::Complete && full.counts.n_states <= SMALL_STATES_MAX;
    let found = reduce::processes::find(&machine);
    let found = found.filter(|_| is_small)?;
    let order = found.certified.group().order();
    (order <= SMALL_ORDER_MAX.into()).then(|| Plain::new(machine))
}

#[test]
fn strategies_agree_under_other_rules_and_orders() {
    for setting in [Setting::Plain, Setting::Spin] {
        let plain = Plain::new(model("mutex.pml", &["N=3"]).machine(setting));
        compare(&plain, "mutex.pml");
    }
    let plain = Plain::new(model("email.pml", &["N=2"]).machine(Setting::Best));
    for strategy in Strategy::ALL {
        if strategy == Strategy::None || strategy.guarantee() != Guarantee::Exact {
            continue;
        }
        let mut reducer = strategy
            .reducer(&plain.found.certified.certified())
            .expect("it fits");
        let outcome = search(&plain.machine, &mut *reducer, Order::Depth);
        assert_eq!(outcome.counts.n_states, plain.n_orbits, "{strategy}");
    }
}

#[test]
fn strategies_that_do_not_fit_a_group_are_refused_with_the_reason() {
    let refused = |name: &str, defines: &[&str], strategy: Strategy| {
        let machine = model(name, defines).machine(Setting::Best);
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let refusal = strategy.reducer(&found.certified.certified()).err();
        refusal
            .map(|refusal| report::reasons::misfit(&refusal.reason))
            .unwrap_or_default()
    };
    let why = refused("dining.pml", &[], Strategy::MinimisingSets);
    assert!(why.starts_with("needs a group"), "{why}");
    let why = refused("dining.pml", &[], Strategy::PseudoSort);
    assert!(why.starts_with("needs processes"), "{why}");
    // 12! and 9!.
    let why = refused("mutex.pml", &["N=12"], Strategy::Enumerate);
    assert!(
        why.contains("479001600 elements, more than 10000000"),
        "{why}"
    );
    let why = refused("mutex.pml", &["N=12"], Strategy::Flood);
    assert!(why.contains("more than 1000000"), "{why}");
    let why = refused("mutex.pml", &["N=9"], Strategy::EnumerateBasic);
    assert!(why.contains("362880 elements, more than 100000"), "{why}");
}

#[test]
fn where_references_lead_through_layers_pseudo_sort_is_exact() {
    let guarantee = |name: &str, defines: &[&str]| {
        let machine = model(name, defines).machine(Setting::Plain);
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let reducer = Strategy::PseudoSort.reducer(&found.certified.certified());
        reducer.expect("it fits").guarantee()
    };
    for defines in [&["C=2", "S=2", "D=2"][..], &["C=3", "S=2", "D=3", "LEAK"]] {
        assert_eq!(guarantee("extended/tiers.pml", defines), Guarantee::Exact);
    }
    // Clients and servers that refer to each other; messages that carry references.
    assert_eq!(
        guarantee("extended/connect.pml", &["N=2"]),
        Guarantee::Approximate
    );
    assert_eq!(
        guarantee("extended/queue_lock.pml", &[]),
        Guarantee::Approximate
    );
}

#[test]
fn the_largest_stabilisers_are_left_to_the_canonical_state() {
    // In the first states all 9 processes are alike, and 9! is too much to enumerate.
    let machine = model("mutex.pml", &["N=9"]).machine(Setting::Best);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let mut n_states = Vec::new();
    for strategy in [
        Strategy::Canonical,
        Strategy::Segmented,
        Strategy::PcSegmented,
    ] {
        let mut reducer = strategy
            .reducer(&found.certified.certified())
            .expect("it fits");
        n_states.push(
            search(&machine, &mut *reducer, Order::Breadth)
                .counts
                .n_states,
        );
    }
    assert!(n_states.iter().all(|n| *n == n_states[0]), "{n_states:?}");
}

/// Another reducer with a flaw.
struct Flawed {
    inner: Box<dyn Reducer>,
    flaw: Flaw,
}

#[derive(Clone, Copy, PartialEq)]
enum Flaw {
    /// Claims to be exact.
    Boasts,
    /// Changes the last byte of what it chose.
    Leaves,
    /// Gives the identity for every symmetry.
    Misleads,
    /// Gives no symmetry.
    Silent,
}

impl Reducer for Flawed {
    fn reduce(&mut self, state: &mut [u8]) {
        self.inner.reduce(state);
        if let (Flaw::Leaves, Some(last)) = (self.flaw, state.last_mut()) {
            *last ^= 1;
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        match self.flaw {
            Flaw::Misleads => Some(Symmetry::default()),
            Flaw::Silent => None,
            _ => self.inner.symmetry(),
        }
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.inner.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

#[test]
fn a_strategy_that_claims_to_be_exact_and_is_not_is_caught() {
    let plain = Plain::new(model("email.pml", &["N=2"]).machine(Setting::Best));
    let flawed = |strategy: Strategy| {
        let inner = strategy
            .reducer(&plain.found.certified.certified())
            .expect("it fits");
        let flaw = Flaw::Boasts;
        plain.complaint(&mut Flawed { inner, flaw })
    };
    assert_eq!(flawed(Strategy::Canonical), None);
    let wrong = flawed(Strategy::Sorted).expect("several states in some orbits");
    assert!(wrong.starts_with("exact: "), "{wrong}");
}

#[test]
fn a_strategy_that_leaves_the_orbit_is_caught() {
    let machine = model("email.pml", &["N=2"]).machine(Setting::Best);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let caught = |flaw: Flaw| {
        let inner = Strategy::Canonical.reducer(&found.certified.certified());
        let inner = inner.expect("it fits");
        let mut watched = Watched::new(
            Box::new(Flawed { inner, flaw }),
            &found.certified.certified(),
        );
        let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            search(&machine, &mut watched, Order::Breadth);
        }));
        let message = searched.err()?;
        message.downcast_ref::<String>().cloned()
    };
    assert_eq!(caught(Flaw::Boasts), None);
    for (flaw, part) in [
        (Flaw::Leaves, "does not make the representative"),
        (Flaw::Misleads, "does not make the representative"),
        (Flaw::Silent, "no symmetry is given"),
    ] {
        let message = caught(flaw).unwrap_or_default();
        assert!(message.contains(part), "{message}");
    }
}

fn text_of(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    std::fs::read_to_string(folder.join(name)).expect("a model")
}

#[test]
fn what_is_not_exact_is_said() {
    let email = text_of("email.pml");
    let command = |strategy: &str| format!("check -n --reduce {strategy} -D N=2 -");
    for (strategy, code, line) in [
        ("canonical", 0, None),
        ("segmented", 0, None),
        (
            "sorted",
            0,
            Some("sorted: an orbit may have several states"),
        ),
        ("markers", 3, Some("markers: states may have been missed")),
    ] {
        let (found, out, err) = run(&command(strategy), email.as_bytes());
        assert_eq!(found, code, "{strategy}: {err}");
        let said = out.lines().find(|line| line.starts_with("strategy"));
        let said = said.map(|line| line["strategy".len()..].trim());
        assert_eq!(said, line, "{out}");
        let object = json(&command(strategy), email.as_bytes());
        let symmetry = &object["symmetry"];
        assert_eq!(symmetry["strategy"], strategy);
        assert_eq!(symmetry["exact"], line.is_none());
        assert_eq!(
            object["verdict"],
            if code == 0 { "holds" } else { "unknown" }
        );
        let reason = (code == 3).then_some("approximate");
        assert_eq!(object["stop_reason"].as_str(), reason);
    }
}

#[test]
fn a_strategy_that_does_not_fit_is_a_message_and_code_2() {
    let command = "check --reduce minimising-sets -";
    let (code, out, err) = run(command, text_of("dining.pml").as_bytes());
    assert_eq!((code, out.as_str()), (2, ""));
    let parts = [
        "`--reduce minimising-sets` needs a group",
        "fits every group",
    ];
    assert!(parts.iter().all(|part| err.contains(part)), "{err}");
}

/// Of two types of process with the same text one moves on, either of them.
const TWINS: &str = "bit taken; byte n;
active proctype P() { atomic { !taken -> taken = 1 }; n = 1; n = 2 }
active proctype Q() { atomic { !taken -> taken = 1 }; n = 1; n = 2 }
active proctype R() { (n == 1); (n == 2); if :: true :: n == 7 -> skip fi }
";

#[test]
fn steps_that_a_symmetry_stands_for_are_not_called_unreached() {
    let unreached = |strategy: &str| {
        let command = format!("check -E --reduce {strategy} -");
        let object = json(&command, TWINS.as_bytes());
        object["unreached"].as_array().map(Vec::len)
    };
    assert_eq!(unreached("none"), Some(2));
    assert_eq!(unreached("canonical"), Some(2));
    assert_eq!(unreached("enumerate"), Some(2));
}
