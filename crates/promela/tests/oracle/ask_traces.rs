//! Whether traces and deterministic processes are at fault as often as SPIN says.
//!
//! Random programs that send and receive, with a random trace beside them; some of their processes
//! are `D_proctype`s. States, transitions and the number of errors are compared.

use crate::spin::{first_seed, is_demanded, say, verifier};
use crate::table::model;
use fastrand::Rng;
use fuzz::spin::VerifierAnswer;
use model::processes::machine::Machine;
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::{FaultKind, Rest, System};

/// More states are not looked at.
const STATES_MAX: usize = 3_000;

/// What is compared, and whether a trace or a process was at fault.
struct Found {
    n_states: u64,
    n_transitions: u64,
    n_errors: u64,
    kinds: HashSet<FaultKind>,
}

/// All states of a model; `None` if there are too many, or if a run cannot go on, where SPIN stops.
fn explore(machine: &Machine) -> Option<Found> {
    let mut scratch = machine.scratch();
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.push(state.expect("no fault at the start").to_vec());
    });
    let mut seen: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    let mut found = Found {
        n_states: 0,
        n_transitions: 1,
        n_errors: 0,
        kinds: HashSet::new(),
    };
    while let Some(state) = waiting.pop() {
        // Moves that begin alike have the faults of these steps in common; SPIN counts them once.
        let mut faults = HashSet::new();
        let rest = machine.successors(&state, &mut scratch, &mut |step| {
            faults.extend((step.faults.iter()).map(|(at, f)| (step.steps[..=*at].to_vec(), *f)));
            found.kinds.extend(step.faults.iter().map(|(_, f)| f.kind));
            found.n_transitions += u64::from(step.state.is_some());
            if let Some(next) = step.state
                && seen.insert(next.to_vec())
            {
                waiting.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
        found.n_errors += faults.len() as u64;
        found.n_errors += u64::from(matches!(rest, Rest::Deadlock | Rest::Unfinished));
        if seen.len() > STATES_MAX || found.kinds.iter().any(|kind| !kind.goes_on()) {
            return None;
        }
    }
    found.n_states = seen.len() as u64;
    Some(found)
}

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.usize(..from.len())]
}

/// A send or receive of a process, or something beside it.
fn statement(rng: &mut Rng) -> String {
    let n = rng.u32(1..3);
    let c = pick(rng, &["c", "c", "r", "d"]);
    match rng.u32(..12) {
        0..=3 => format!("{c}!{n}"),
        4 | 5 => format!("{c}?{n}"),
        6 | 7 => format!("{c}?y"),
        8 => pick(rng, &["c!!1", "c??1", "c?<y>", "c?[1]"]).to_owned(),
        9 => format!("y == {n}"),
        _ => "y = 1 - y".to_owned(),
    }
}

fn sequence(rng: &mut Rng, n_max: u32) -> String {
    let n = rng.u32(1..=n_max);
    let all: Vec<String> = (0..n).map(|_| statement(rng)).collect();
    all.join("; ")
}

fn process(rng: &mut Rng, number: u32) -> String {
    let mut body = Vec::new();
    for _ in 0..rng.u32(1..4) {
        body.push(match rng.u32(..6) {
            0 => format!("atomic {{ {} }}", sequence(rng, 3)),
            1 => format!("if :: {} :: {} fi", sequence(rng, 2), sequence(rng, 2)),
            2 => format!(
                "do :: {} :: {}; break od",
                sequence(rng, 2),
                sequence(rng, 2)
            ),
            3 => format!("end{}: {}", rng.u32(..), statement(rng)),
            _ => sequence(rng, 3),
        });
    }
    let word = pick(rng, &["proctype", "proctype", "D_proctype"]);
    let body = body.join(";\n\t");
    format!("active {word} P{number}()\n{{\n\tbyte y;\n\t{body}\n}}\n")
}

/// An event of a trace.
fn event(rng: &mut Rng) -> String {
    let c = pick(rng, &["c", "c", "r", "d"]);
    let way = pick(rng, &["!", "?"]);
    let value = pick(rng, &["1", "2", "_"]);
    format!("{c}{way}{value}")
}

fn trace(rng: &mut Rng) -> String {
    let mut body = Vec::new();
    let events = |rng: &mut Rng| {
        if rng.bool() {
            event(rng)
        } else {
            format!("{}; {}", event(rng), event(rng))
        }
    };
    if rng.u32(..3) == 0 {
        // Short, or its events never come.
        return format!("notrace {{ {} }}\n", events(rng));
    }
    for i in 0..rng.u32(1..4) {
        body.push(match rng.u32(..6) {
            0 | 1 => format!("do :: {} :: {} od", events(rng), events(rng)),
            2 => format!("do :: {} :: {}; break od", events(rng), events(rng)),
            3 => format!("if :: {} :: {} fi", events(rng), events(rng)),
            4 => format!("end{i}: {}", events(rng)),
            _ => events(rng),
        });
    }
    let word = pick(rng, &["trace", "notrace"]);
    format!("{word} {{\n\t{}\n}}\n", body.join(";\n\t"))
}

fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::from(
        "chan c = [2] of { byte };\nchan d = [1] of { byte };\nchan r = [0] of { byte };\n",
    );
    for number in 0..rng.u32(1..4) {
        text += &process(&mut rng, number);
    }
    if rng.u32(..5) > 0 {
        text += &trace(&mut rng);
    }
    text
}

#[test]
fn random_traces_are_at_fault_as_often_as_spin_says() {
    const N_PROGRAMS: u64 = 60;
    if !is_demanded("random_traces_are_at_fault_as_often_as_spin_says") {
        return;
    }
    let start = first_seed();
    let (mut n_compared, mut kinds) = (0, HashSet::new());
    for seed in start..start + N_PROGRAMS {
        let text = program(seed);
        let ours = model(&text).ok().and_then(|m| explore(&Machine::new(m)));
        let Some(ours) = ours else {
            continue;
        };
        let answer = verifier(text.as_bytes(), "traces").map(|verifier| verifier.answer());
        let Some(VerifierAnswer::Full(said)) = answer else {
            continue;
        };
        let counted = (ours.n_states, ours.n_transitions, ours.n_errors);
        let theirs = (said.n_states, said.n_transitions, said.n_errors);
        assert_eq!(counted, theirs, "seed {seed}\n{text}");
        n_compared += 1;
        kinds.extend(ours.kinds);
    }
    say(&format!("{n_compared} of {N_PROGRAMS} compared: {kinds:?}"));
    assert!(n_compared >= N_PROGRAMS / 4, "{n_compared} compared");
    let all = [
        FaultKind::Trace,
        FaultKind::NoTrace,
        FaultKind::NotDeterministic,
    ];
    assert!(all.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}
