//! Symmetry that is broken when a step is taken, beside plain searches.
//!
//! The states that all annotated states stand for together must be those that are reached, and the
//! verdicts the same. Random models have some processes, rules that treat them alike, and one or
//! two that do not.

use super::{ALL, reachable, search};
use crate::command::{Folder, json, run};
use crate::counts::compile;
use base::Clock;
use check::{Finding, Order, Outcome, Parts, TreeStore, Violation};
use check::{NodeId, Store};
use fastrand::Rng;
use model::Machine;
use model::processes::passes::Setting;
use reduce::processes::partial::{Broken, broken, find_broken};
use std::collections::HashSet;

const GUARDS: &[&str] = &[
    "at[_pid] == 0",
    "at[_pid] == 1",
    "at[_pid] == 2",
    "turn == _pid",
    "turn != _pid",
    "x == 0",
    "x == 1",
    "at[_pid] == 1 && turn != _pid",
    "at[_pid] == 0 && x == 1",
];

const DEEDS: &[&str] = &[
    "at[_pid] = 1",
    "at[_pid] = 2",
    "at[_pid] = 0",
    "turn = _pid",
    "turn = 255",
    "x = 1 - x",
    "x = 0",
    "assert(x == 0)",
    "assert(turn != _pid)",
    "at[_pid] = 1; turn = _pid",
];

/// These name somebody.
const ODD_GUARDS: &[&str] = &[
    "_pid == 1",
    "_pid < 2 && x == 0",
    "at[0] == 1",
    "turn == 1",
    "at[1] != 2 && at[_pid] == 1",
    "_pid > 0 && turn == _pid",
];

const ODD_DEEDS: &[&str] = &[
    "turn = 0",
    "at[1] = 0",
    "turn = 1; at[_pid] = 2",
    "assert(at[1] != 2)",
];

fn rule(rng: &mut Rng, guards: &[&str], deeds: &[&str]) -> String {
    let guard = guards[rng.usize(..guards.len())];
    let deed = deeds[rng.usize(..deeds.len())];
    match rng.u8(..4) {
        0 => format!("\t:: {guard} -> {deed}\n"),
        1 => format!("\t:: d_step {{ {guard} -> {deed} }}\n"),
        _ => format!("\t:: atomic {{ {guard} -> {deed} }}\n"),
    }
}

fn text(rng: &mut Rng) -> String {
    let n = rng.usize(2..5);
    let mut rules: Vec<String> = Vec::new();
    for _ in 0..rng.usize(2..6) {
        rules.push(rule(rng, GUARDS, DEEDS));
    }
    for _ in 0..rng.usize(1..3) {
        let odd = match rng.u8(..3) {
            0 => rule(rng, GUARDS, ODD_DEEDS),
            1 => rule(rng, ODD_GUARDS, ODD_DEEDS),
            _ => rule(rng, ODD_GUARDS, DEEDS),
        };
        rules.insert(rng.usize(..=rules.len()), odd);
    }
    let rules = rules.concat();
    let body = format!("{{\n\tdo\n{rules}\tod\n}}\n");
    let variables = format!("byte at[{n}];\nbyte turn = 255;\nbyte x;\n");
    if rng.bool() {
        return format!("{variables}active [{n}] proctype P()\n{body}");
    }
    // The numbers of processes come after that of the maker.
    let variables = variables.replace(&format!("at[{n}]"), &format!("at[{}]", n + 1));
    let runs = "run P(); ".repeat(n);
    format!("{variables}proctype P()\n{body}init {{ atomic {{ {runs}}} }}\n")
}

fn searched(
    machine: &Machine,
    found: &Broken,
) -> Result<(Outcome, HashSet<Vec<u8>>), check::Broken> {
    let annotated = found.over(machine, machine);
    let mut store = TreeStore::new();
    let mut reducer = found.partial.reducer();
    let parts = Parts {
        reducer: &mut reducer,
        store: &mut store,
    };
    let outcome = check::explore_annotated(&annotated, parts, &ALL, &mut |_| {})?;
    let mut states = HashSet::new();
    for n in 0..store.len() {
        let mut state = Vec::new();
        store.load(NodeId::new(n), &mut state);
        states.insert(state);
    }
    Ok((outcome, states))
}

fn violations(outcome: &Outcome) -> HashSet<String> {
    let kind = |finding: &Finding| match finding.violation {
        Violation::Fault(fault) => format!("{fault:?}"),
        other => format!("{other:?}"),
    };
    outcome.findings.iter().map(kind).collect()
}

/// What is wrong with an annotated search, if anything.
fn complaint(machine: &Machine, found: &Broken) -> Option<String> {
    let full = reachable(machine);
    let plain = search(machine, &mut check::Identity, Order::Breadth);
    let (outcome, states) = match searched(machine, found) {
        Ok(searched) => searched,
        Err(broken) => return Some(broken.to_string()),
    };
    let members = states.iter().flat_map(|state| found.partial.members(state));
    let members: HashSet<Vec<u8>> = members.collect();
    if members != full {
        return Some(format!("{} of {} states", members.len(), full.len()));
    }
    let (with, without) = (violations(&outcome), violations(&plain));
    (with != without).then(|| format!("{with:?}, and without symmetry {without:?}"))
}

#[test]
fn annotated_states_stand_for_exactly_the_states_that_are_reached() {
    let (mut n_models, mut n_two, mut n_smaller, mut n_wrong, mut n_stuck) = (0, 0, 0, 0, 0);
    let mut seed = 0;
    while n_models < 1_000 {
        seed += 1;
        assert!(
            seed < 20_000,
            "{n_models} models in which a step is left out"
        );
        let text = text(&mut Rng::with_seed(seed));
        let machine = compile(&text, &[])
            .expect("it compiles")
            .machine(Setting::Best);
        let Ok(found) = find_broken(&machine, Clock::ENDLESS) else {
            continue;
        };
        n_models += 1;
        n_two += usize::from(found.steps.len() > 1);
        let (outcome, states) = searched(&machine, &found).expect("replays succeed");
        let kept: u64 = found.partial.kept(&states).iter().sum();
        let exact = reduce::processes::find(&machine).expect("a population");
        let mut exact = reduce::exact(&exact.certified.certified());
        let plain = search(&machine, &mut *exact, Order::Breadth);
        n_smaller += usize::from(kept < plain.counts.n_states);
        n_wrong += usize::from(!outcome.findings.is_empty());
        let is_stuck = |f: &Finding| f.violation == Violation::Deadlock;
        n_stuck += usize::from(outcome.findings.iter().any(is_stuck));
        let complaint = complaint(&machine, &found);
        assert_eq!(complaint, None, "seed {seed}\n{text}");
    }
    // The models say something: many of each kind.
    let all = [n_two, n_smaller, n_wrong, n_stuck];
    assert!(all.iter().all(|n| *n >= 50), "{all:?} in {seed} seeds");
}

/// `odd` is a step that may name somebody.
fn users(odd: &str) -> Machine {
    let text = format!(
        "byte at[3];\nactive [3] proctype P()\n{{\n\tdo\n\t:: atomic {{ at[_pid] == 0 -> \
         at[_pid] = 1 }}\n\t:: atomic {{ {odd} -> at[_pid] = 2 }}\n\tod\n}}\n"
    );
    compile(&text, &[])
        .expect("it compiles")
        .machine(Setting::Best)
}

/// The groups of a model whose step names nobody are too large for one whose step does.
#[test]
fn a_group_that_is_too_large_for_a_step_is_noticed() {
    let odd = users("at[_pid] == 1 && _pid == 0");
    let fair = users("at[_pid] == 1 && _pid < 3");
    let found = find_broken(&odd, Clock::ENDLESS).expect("a step is left out");
    assert_eq!(complaint(&odd, &found), None);
    let planted = broken(&fair, found.steps.clone(), Clock::ENDLESS).expect("groups");
    assert!(planted.partial.least().order() > found.partial.least().order());
    assert!(complaint(&odd, &planted).is_some());
}

fn n_states(line: &str) -> u64 {
    json(line, b"")["counts"]["states"]
        .as_u64()
        .expect("a count")
}

#[test]
fn readers_and_writers_have_the_published_numbers_of_states() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/promela/readers_first.pml"
    );
    let table = [
        (2, 1, [22, 15, 9]),
        (3, 1, [62, 24, 15]),
        (3, 2, [140, 38, 20]),
        (4, 2, [388, 55, 31]),
        (5, 2, [1_100, 75, 45]),
        (6, 2, [3_172, 98, 62]),
        (8, 2, [27_268, 153, 105]),
    ];
    for (r, w, states) in table {
        let check = format!("check {path} -D R={r} -D W={w} --quiet");
        let ways = ["--no-symmetry", "--reduce canonical", "--reduce adaptive"];
        let found = ways.map(|way| n_states(&format!("{check} {way}")));
        assert_eq!(found, states, "{r} readers, {w} writers");
    }
    let told = json(&format!("check {path} --reduce adaptive --self-check"), b"");
    let partial = &told["symmetry"]["partial"];
    assert_eq!(told["symmetry"]["group_order"], "6");
    assert_eq!(partial["least_order"], "2");
    assert_eq!(partial["steps"][0]["line"], 32);
    let counts = |n: usize| partial["annotations"][n]["states"].as_u64();
    assert_eq!((counts(0), counts(1)), (Some(7), Some(2)));
}

/// Nobody is ever at 2, so that the step that names some holders of the token is never taken.
#[test]
fn a_step_that_is_never_taken_costs_nothing() {
    let folder = Folder::new("adaptive-unreached");
    let text = "byte tok = 255;\nbyte at[5];\nactive [5] proctype P()\n{\n\tdo\n\
        \t:: atomic { tok == 255 && at[_pid] == 0 -> tok = _pid; at[_pid] = 1 }\n\
        \t:: atomic { tok == _pid -> tok = 255 }\n\
        \t:: atomic { at[_pid] == 2 && tok > 3 -> tok = 1 }\n\tod\n}\n";
    let path = folder.write("token.pml", text);
    let without = text.replace("\t:: atomic { at[_pid] == 2 && tok > 3 -> tok = 1 }\n", "");
    let without = folder.write("without.pml", without);
    let all = n_states(&format!("check {without} -n --no-deadlock"));
    assert_eq!(
        n_states(&format!("check {path} -n --no-deadlock --reduce adaptive")),
        all
    );
    assert!(n_states(&format!("check {path} -n --no-deadlock")) > all);
}

#[test]
fn runs_go_through_steps_that_break_the_symmetry() {
    let folder = Folder::new("adaptive-runs");
    let text = "byte at[3];\nbyte n;\nactive [3] proctype P()\n{\n\tdo\n\
        \t:: atomic { at[_pid] == 0 -> at[_pid] = 1 }\n\
        \t:: atomic { at[_pid] == 1 && _pid == 2 && n == 0 -> at[_pid] = 2; n = 1 }\n\
        \t:: atomic { at[_pid] == 1 && n == 1 -> at[_pid] = 2; assert(at[2] == 2 && WRONG) }\n\
        \tod\n}\n";
    for (wrong, word, kind) in [
        ("false", "violated", "assertions"),
        ("true", "violated", "deadlock"),
    ] {
        let path = folder.write("run.pml", text.replace("WRONG", wrong));
        let line = format!("check {path} --reduce adaptive --all-errors");
        let told = json(&line, b"");
        let properties = told["properties"].as_array().expect("properties");
        let property = properties.iter().find(|p| p["name"] == kind).expect(kind);
        assert_eq!(property["verdict"], word, "{line}\n{told:#}");
        let steps = property["witness"]["steps"].as_array().expect("a run");
        assert!(
            steps
                .iter()
                .any(|step| step["line"] == 7 && step["process"] == 2),
            "{steps:#?}"
        );
        let (code, _, _) = run(&line, b"");
        assert_eq!(code, 1);
    }
}

#[test]
fn what_annotated_states_cannot_answer_is_refused() {
    let folder = Folder::new("adaptive-refused");
    let path = folder.write("m.pml", "byte x;\nactive [2] proctype P() { x = 1 }\n");
    for flag in [
        "--count-full",
        "--audit",
        "--search dfs",
        "--depth 3",
        "--detect structure",
    ] {
        let (code, _, told) = run(&format!("check {path} --reduce adaptive {flag}"), b"");
        assert_eq!(code, 2, "{flag}: {told}");
        assert!(
            told.contains("`--reduce adaptive` does not go with"),
            "{told}"
        );
    }
    let asked = format!("check {path} --reduce adaptive --ltl []true");
    let (code, _, told) = run(&asked, b"");
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("`--reduce canonical`"), "{told}");
    // There is nothing to leave aside, and the answer says so.
    let (code, out, _) = run(&format!("check {path} --reduce adaptive -n"), b"");
    assert_eq!(code, 0);
    assert!(out.contains("no step is left aside"), "{out}");
}
