//! Random models of what engineers write: loops over ids in all spellings, folds, choices of ids,
//! rings, resets, rows of sends; and beside them what must not be taken for symmetric.
//!
//! For each model: what is found is verified and certified; the text that symmetry looks at does in
//! every state what the model does; and a reduced search finds the same errors, with orbits that
//! sum to the number of states.

use super::random::states;
use super::{Model, prepare_if};
use crate::counts::symmetry::{all_wrong, is_refuted};
use crate::counts::{Compiled, compile};
use fastrand::Rng;
use model::Machine;
use model::processes::passes::Setting;
use reduce::audit::Audit;
use reduce::processes::certify::certify;
use reduce::processes::sort::{Sends, infer_each, verify};
use std::ops::ControlFlow;
use system::System;

/// How many models are tried; more with `ORBIT_SEEDS` in the environment.
const N_SEEDS: u64 = 90;
/// The states of a model that are looked at; models with more are not searched as a whole.
const N_STATES_MAX: usize = 1500;

fn pick<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.usize(..all.len())]
}

/// A loop over all ids, in one of the ways in which people write it; `BODY` is its round.
fn spelling(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "i = 0; do :: i == N -> break :: else -> BODY; i = i + 1 od",
            "i = 0; do :: i >= N -> break :: i < N -> BODY; i++ od",
            "i = 0; do :: i == N -> break :: i != N -> BODY; i++ od",
            "i = 0; do :: i < N -> BODY; i++ :: i >= N -> break od",
            "i = 0; do :: i < N -> BODY; i++ :: else -> break od",
            "i = 0; do :: !(i < N) -> break :: else -> BODY; i++ od",
            "for (i : 0 .. N-1) { BODY }",
            "for (i in v) { BODY }",
            "i = N; do :: i > 0 -> i--; BODY :: else -> break od",
            "i = N-1; do :: i == 255 -> break :: else -> BODY; i-- od",
            "i = 0; do :: BODY; i++; if :: i == N -> break :: else fi od",
            "i = 0; n = 0; do :: i < N -> BODY; i++ :: else -> break od",
            "i = 0; do :: i < N -> BODY; i++ :: else -> i = 0; break od",
            "i = 0; do :: i < N -> BODY; i = i + 2 :: else -> break od",
            "i = 1; do :: i < N -> BODY; i++ :: else -> break od",
        ],
    )
}

/// What a round does.
fn round(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "flag[i] = 0",
            "flag[i] = 1",
            "if :: i != me -> c[i]!me :: else fi",
            "if :: i == me -> skip :: i != me -> c[i]!me fi",
            "if :: i != me && nfull(c[i]) -> c[i]!me :: else fi",
            "if :: full(c[i]) -> skip :: nfull(c[i]) -> c[i]!me fi",
            "if :: len(c[i]) < 1 -> c[i]!me :: else fi",
            "c[i]!v[me]",
            "if :: v[i] >= v[me] -> n++ :: else fi",
            "if :: flag[i] -> n++ :: else fi",
            "if :: v[i] > m -> m = v[i] :: else fi",
            "m = (v[i] >= m -> v[i] : m)",
            "n = n + v[i]",
            "assert(i == me || !flag[i] || v[i] <= v[me])",
            "if :: i == me :: else -> own[i] = me fi",
            "if :: own[i] == me -> own[i] = 255 :: own[i] != me fi",
            "v[me] = (v[me] + flag[i]) % 3",
            "if :: flag[i] -> n = (n + 1) % 2 :: !flag[i] fi",
            "t = v[i]; if :: t > 0 -> n = n + t :: else fi",
            "t = flag[i]; if :: t -> v[i] = 0 :: else fi; t = 0",
            "t = 0; if :: flag[i] -> t = t + 1 :: else fi; n = n + t",
            "if :: own[i] != me -> t = 1 :: else -> t = 0 fi; if :: t == 0 -> n++ :: else fi",
            "c[i]?t; if :: t == me -> n++ :: else fi",
            "if :: c[i]?t -> n++ :: else fi",
            "if :: c[i]?t -> own[i] = t :: empty(c[i]) fi; t = 0",
            "if :: c[i]?eval(me) -> flag[i] = 1 :: else fi",
            // These depend on the order, or name one id.
            "if :: t > 0 -> n++ :: else fi; t = v[i]",
            "t = t + v[i]; if :: t > 1 -> flag[i] = 1 :: else fi",
            "if :: c[i]?t -> m = t :: else fi",
            "if :: c[i]?t -> c[t]!me :: else fi",
            "if :: flag[i] -> t = v[i] :: else fi; n = n + t",
            "c[0]?t; n = n + i",
            "if :: flag[i] -> x = i :: else fi",
            "if :: i < me -> flag[i] = 1 :: else fi",
            "if :: flag[i] -> m = i; break :: else fi",
            "if :: v[i] > m -> m = v[i]; x = i :: else fi",
            "if :: i == 1 -> v[i] = 2 :: else -> v[i] = 1 fi",
            "v[i] = m; m = 1 - m",
            "if :: nempty(c[0]) -> c[i]!me :: else fi",
            "c[0]!i",
            "if :: flag[i] -> flag[(i + 1) % N] = 0 :: else fi",
        ],
    )
}

/// What a process does with what it has counted or chosen.
fn after(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "skip",
            "if :: n >= 2 -> flag[me] = 1 :: else fi",
            "v[me] = m; m = 0",
            "n = 0; i = 0",
            "t = 0",
            "if :: t > 0 -> flag[me] = 1 :: else fi; t = 0",
            "x = 0",
            "if :: n > 1 -> own[me] = me :: n <= 1 -> own[me] = 255 fi",
            "v[me] = (n > 2 -> 2 : n)",
        ],
    )
}

/// A statement without a loop.
fn statement(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "atomic { select (x : 0 .. N-1); flag[x] = 1; x = 0 }",
            "atomic { select (x : 0 .. N-1); x != me -> own[me] = x }",
            "atomic { if :: x = 0 :: x = 1 fi; flag[x] = 0 }",
            "atomic { c[me]?x -> own[me] = x; x = 0 }",
            "c[me]?x -> flag[me] = 0",
            "flag[me] = 1 - flag[me]",
            "v[me] < 2 -> v[me]++",
            "v[me] == 2 -> v[me] = 0",
            "atomic { tok == none -> tok = me }",
            "atomic { tok == me -> tok = none }",
            "atomic { tok == me -> tok = (tok + 1) % N }",
            "atomic { tok == me -> tok = (me + 1) % N }",
            "atomic { tok != none -> tok = (tok + 1) % N }",
            "atomic { tok == me -> if :: tok == N-1 -> tok = 0 :: else -> tok++ fi }",
            "tok == me -> tok = (me == N-1 -> 0 : me + 1)",
            "atomic { flag[me] -> c[0]!me; c[1]!me }",
            "d_step { flag[me] -> flag[me] = 0; v[0] = 0; v[1] = 0 }",
            "!(flag[me] && v[me] > 0) -> v[me] = 1",
            "(!flag[me] || v[me] <= 0) -> v[me] = 1",
            "assert(tok != (me + 1) % N || !flag[me])",
            "own[me] != 255 -> flag[own[me]] = 1",
            "atomic { x = me + 1; if :: x == N -> x = 0 :: else fi; flag[x] = 1 - flag[x]; x = 0 }",
            "atomic { x = me + 1; x = x % N; tok == x -> tok = me; x = 0 }",
            "atomic { x = me; if :: x == 0 -> x = N :: else fi; x--; v[x] = v[me]; x = 0 }",
            "d_step { x = me; if :: x == 0 -> x = N - 1 :: else -> x-- fi; v[x] = v[me]; x = 0 }",
            "d_step { t = N-1-me; x = t; if :: flag[x] && flag[me] -> flag[t] = 0 :: else fi }",
            "atomic { flag[me] && !flag[(me + 1) % N] && !flag[(me + N - 1) % N] -> flag[me] = 0 }",
            "atomic { c[me]?x; t = me + 1; if :: t < N -> flag[t] = 1 :: else -> flag[0] = 0 fi }",
            "atomic { flag[0] + flag[1] == 0 -> flag[me] = 1 }",
            "x = (me + 1) % N; t = x; v[t] = 1",
            "me % 2 == 0 -> v[me] = 1",
            "own[me] == me -> own[me] = 255",
            "tok == 1 -> flag[me] = 1",
        ],
    )
}

/// A model with a few like processes.
fn text(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let n = rng.usize(2..4);
    let mut options = Vec::new();
    for _ in 0..rng.usize(1..3) {
        let kind = pick(&mut rng, &["atomic", "d_step", "atomic", ""]);
        let guard = pick(
            &mut rng,
            &[
                "!flag[me] -> flag[me] = 1",
                "v[me] == 0",
                "empty(c[me])",
                "tok == me",
                "own[me] == 255",
            ],
        );
        let mut body = round(&mut rng).to_owned();
        if rng.u8(..3) == 0 {
            body = format!("{body}; {}", round(&mut rng));
        }
        let rounds = spelling(&mut rng).replace("BODY", &body);
        let reset = pick(&mut rng, &["", "n = 0;", "m = 0;", "n = 0; m = 0;"]);
        let last = after(&mut rng);
        options.push(format!("{kind} {{ {guard}; {reset} {rounds}; {last} }}"));
    }
    for _ in 0..rng.usize(1..4) {
        options.push(statement(&mut rng).to_owned());
    }
    let none = pick(&mut rng, &["255", "N", "7"]);
    let capacity = rng.u8(1..3);
    let globals = format!(
        "#define N {n}\n#define none {none}\nbyte tok = none; bool flag[N]; byte v[N]; \
         byte own[N] = 255; chan c[N] = [{capacity}] of {{ byte }};\n"
    );
    let locals = "byte i, x, n, m, t;";
    let body = options.join("\n:: ");
    if rng.bool() {
        let mut words = Vec::new();
        for word in body.split_inclusive(|c: char| !c.is_alphanumeric()) {
            words.push(match word.strip_prefix("me") {
                Some(end) if end.len() < 2 && !end.starts_with(char::is_alphanumeric) => {
                    format!("_pid{end}")
                }
                _ => word.to_owned(),
            });
        }
        let body = words.concat();
        return format!("{globals}active [N] proctype P() {{ {locals} do\n:: {body} od }}");
    }
    let (before, making) = (neighbour(&mut rng), making(&mut rng, n));
    let end = pick(&mut rng, &["od", "od", ":: v[me] == 1 -> break od"]);
    format!(
        "{globals}{before}proctype P(byte me) {{ {locals} do\n:: {body} {end} }}\n\
         init {{ byte k; {making} }}"
    )
}

/// A process that is there before the others, or none.
fn neighbour(rng: &mut Rng) -> String {
    let body = pick(
        rng,
        &[
            "",
            "do :: tok == none -> z = 1 - z :: tok != none -> z = 1 od",
            "z = 1; tok == none",
            "byte i; do :: atomic { i = 0; do :: i < N -> v[i] = 0; i++ :: else -> break od } od",
            "do :: atomic { z < 1 -> v[0] = 1; v[1] = 1; z = 1 } od",
            // These see who is there, or what has been made.
            "do :: _nr_pr > 3 && z == 0 -> z = 1 od",
            "do :: z == 5 -> tok = none od",
            "end: z == 9 -> z = 0",
        ],
    );
    match body {
        "" => "byte z;\n".to_owned(),
        body => format!("byte z; active proctype B() {{ {body} }}\n"),
    }
}

/// How the others are made.
fn making(rng: &mut Rng, n: usize) -> String {
    let runs: Vec<String> = (0..n).map(|i| format!("run P({i})")).collect();
    let runs = runs.join("; ");
    let all = match rng.u8(..6) {
        0 => "for (k : 0 .. N-1) { run P(k) }".to_owned(),
        1 => "k = 0; do :: k < N -> run P(k); k++ :: else -> break od".to_owned(),
        2 => format!("{runs}; z = 9"),
        3 => format!("v[0] = 1; {runs}; v[0] = 0"),
        _ => runs,
    };
    match rng.u8(..3) {
        0 => all,
        _ => format!("atomic {{ {all} }}"),
    }
}

/// What a state leads to.
fn moves(machine: &Machine, state: &[u8]) -> Vec<(Option<Vec<u8>>, Vec<system::FaultKind>)> {
    let mut moves = Vec::new();
    machine.successors(state, &mut machine.scratch(), &mut |mv| {
        // A block tells once that an assertion fails.
        let mut kinds: Vec<_> = mv.faults.iter().map(|(_, fault)| fault.kind).collect();
        kinds.dedup();
        moves.push((mv.state.map(<[u8]>::to_vec), kinds));
        ControlFlow::Continue(())
    });
    moves.sort();
    moves.dedup();
    moves
}

/// Looks at a model as it is prepared under a setting; gives whether it has symmetry.
fn look(model: &Model, sends: Sends, what: &str) -> bool {
    assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{what}");
    let certified = certify(&model.sorts, &model.population, &model.candidates);
    assert_eq!(certified.rejected(), [], "{what}");
    let states = states(&model.machine, N_STATES_MAX);
    // Where a send waits, what was assumed is wrong, which is for the search to see.
    if sends == Sends::Wait {
        let copy = Machine::new(model.sorts.text.clone());
        for state in states.iter().take(400) {
            let [wanted, found] = [&model.machine, &copy].map(|m| moves(m, state));
            assert_eq!(wanted, found, "{state:?} {what}");
        }
    }
    let small = states.len() < N_STATES_MAX;
    if certified.group().is_trivial() {
        return false;
    }
    if sends == Sends::Wait || (small && !is_refuted(&model.machine, &certified)) {
        let mut audit = Audit::new(&model.machine, &certified.whole());
        for state in states.iter().take(400) {
            if let Err(unequal) = audit.check(state) {
                panic!("{unequal:?} at {state:?} {what}");
            }
        }
    }
    true
}

/// Looks at the text with steps for each process: it does in every state what the model does.
fn look_each(model: &Model, sends: Sends, what: &str) {
    let (machine, population) = (&model.machine, &model.population);
    for exchanged in [true, false] {
        let Some(sorts) = infer_each(machine.model(), population, sends, exchanged) else {
            continue;
        };
        assert_eq!(verify(&sorts, population), Ok(()), "{what}");
        if sends == Sends::Wait {
            let copy = Machine::new(sorts.text.clone());
            for state in states(machine, N_STATES_MAX).iter().take(200) {
                let [wanted, found] = [machine, &copy].map(|m| moves(m, state));
                assert_eq!(wanted, found, "for each process, {state:?} {what}");
            }
        }
    }
}

fn check(seed: u64, compiled: &Compiled, text: &str) -> bool {
    let mut found = false;
    let mut small = true;
    for setting in [Setting::Plain, Setting::Best] {
        for sends in [Sends::Wait, Sends::Assumed] {
            let Some(model) = prepare_if(compiled, setting, sends) else {
                continue;
            };
            let what = format!("seed {seed}, {setting:?}, {sends:?}\n{text}");
            small &= states(&model.machine, N_STATES_MAX).len() < N_STATES_MAX;
            found |= look(&model, sends, &what);
            look_each(&model, sends, &what);
        }
    }
    if small {
        let mut wrong = Vec::new();
        all_wrong(&format!("seed {seed}"), compiled, &mut wrong);
        assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
    }
    found
}

#[test]
fn what_engineers_write_is_reduced_soundly() {
    let n_seeds = std::env::var("ORBIT_SEEDS").ok();
    let n_seeds = n_seeds.and_then(|n| n.parse().ok()).unwrap_or(N_SEEDS);
    let (mut n_models, mut n_symmetric) = (0, 0);
    for seed in 0..n_seeds {
        let text = text(seed);
        let compiled = compile(&text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
        n_models += 1;
        n_symmetric += u64::from(check(seed, &compiled, &text));
    }
    assert!(
        n_symmetric > n_models / 8 && n_symmetric < n_models,
        "{n_symmetric} of {n_models}"
    );
}
