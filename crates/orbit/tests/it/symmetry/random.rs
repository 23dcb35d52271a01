//! Random models: every symmetry that is certified is one of all moves from all states reached.
//!
//! Candidates come from the graph, from the graph of a model that differs in one word, and from
//! exchanges at random. Whatever is accepted must carry moves into moves; most of the wrong ones
//! are refused, and it is counted that some are accepted and some refused.

use super::{Model, prepare, prepare_if};
use crate::counts::compile;
use crate::counts::symmetry::{is_refuted, wrong};
use fastrand::Rng;
use group::Perm;
use model::Machine;
use model::processes::passes::Setting;
use reduce::audit::Audit;
use reduce::processes::certify::{certify, certify_given};
use reduce::processes::sort::{Sends, verify};
use reduce::processes::structure::Bearer;
use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;
use system::System;

const N_SEEDS: u64 = 160;
pub const N_STATES: usize = 300;

/// A statement of a process that knows itself as `me`.
fn statement(rng: &mut Rng, me: &str) -> String {
    let id = |rng: &mut Rng| [me, "x", "y", "g"][rng.usize(..4)].to_owned();
    let variable = |rng: &mut Rng| ["x", "y", "g", "h"][rng.usize(..4)];
    let (a, b, v) = (id(rng), id(rng), variable(rng));
    match rng.u8(..68) {
        0..=5 => format!("{v} = {a}"),
        6..=9 => format!("{a} == {b}"),
        10 | 11 => format!("{a} != {b}"),
        12..=14 => format!("flag[{me}] = {}", rng.u8(..2)),
        15 => format!("flag[x] = {}", rng.u8(..2)),
        16..=18 => "flag[x] == 0".to_owned(),
        19 | 20 => format!("ref[{me}] = {a}"),
        21 => format!("{v} = ref[{me}]"),
        22..=24 => format!("c!{a}"),
        25..=27 => format!("c?{v}"),
        28 => format!("c?eval({me})"),
        29 | 30 => format!("d[{me}]!{a}"),
        31 => format!("d[{me}]?{v}"),
        32 => format!("d[x]?{v}"),
        33 => "nempty(c)".to_owned(),
        34 => format!("{v} = ({me} + 1) % 2"),
        35 => format!("{v} = 1"),
        36 => "n = (n + 1) % 3".to_owned(),
        37 => format!("{a} < {b}"),
        38 => format!("flag[x] && flag[{me}]"),
        39 => format!("flag[{me}] || {a} == {b}"),
        40 => "timeout".to_owned(),
        41 => format!("{v} = (flag[{me}] -> {a} : {b})"),
        42 => "assert(n < 3)".to_owned(),
        43 => format!("run Q({a})"),
        44 => format!("c!!{a}"),
        45 => format!("c??{v}"),
        46 => format!("c?[{v}]"),
        47 => format!("{v} = len(c)"),
        48 => format!("k!d[{me}]"),
        49 => "k?q".to_owned(),
        50 | 51 => format!("q!{a}"),
        52 => format!("q?{v}"),
        53 => format!("{{ {v} = {a}; flag[{me}] = 1 }} unless {{ flag[x] }}"),
        54 => format!("{v} = Q:z"),
        55 => format!("{v} = (n < 2 -> {a} : {b}) + 1"),
        56 | 57 => format!("t!one,{a}"),
        58 => "t!two,n".to_owned(),
        59 | 60 => format!("t?one,{v}"),
        61 => "t?two,n".to_owned(),
        62 => format!("t??one,eval({a})"),
        63 => "t??two,n".to_owned(),
        64 => format!("t?[one,eval({a})]"),
        65 => format!("(ref[n] == {a} || ref[n] == {b})"),
        66 => format!("(flag[n] != {a} && flag[n] != {b})"),
        _ => "t?three,n".to_owned(),
    }
}

/// A loop over all ids in one go; `N` is their number.
fn rounds(rng: &mut Rng, me: &str) -> String {
    let mut body = Vec::new();
    for _ in 0..rng.usize(1..3) {
        body.push(match rng.u8(..12) {
            0 => "n = n + flag[j]".to_owned(),
            1 => "flag[j] = 0".to_owned(),
            2 => format!("ref[j] = {me}"),
            3 => format!("if :: ref[j] == {me} -> n = 1 :: else fi"),
            4 => format!("if :: j == {me} :: else -> flag[j] = 1 fi"),
            5 => "if :: flag[j] -> x = j :: else fi".to_owned(),
            6 => format!("assert(j != N || {me} == x)"),
            7 => "ref[j] = ref[x]".to_owned(),
            8 | 9 => format!("if :: j != {me} -> d[j]!{me} :: else fi"),
            10 => format!("d[j]!{me}"),
            _ => "n = n | flag[j]".to_owned(),
        });
    }
    let kind = if rng.bool() { "atomic" } else { "d_step" };
    let body = body.join("; ");
    format!("{kind} {{ n = 0; j = 0; do :: j < N -> {body}; j++ :: else -> break od }}")
}

/// Assignments to the first two in one go, mostly alike.
fn row(rng: &mut Rng, me: &str) -> String {
    let value = [me, "0", "g", "ref[x]", "ref[1]", "x"][rng.usize(..6)];
    let (mut first, mut second) = match rng.u8(..4) {
        0 | 1 => (format!("ref[0] = {value}"), format!("ref[1] = {value}")),
        2 => ("flag[0] = 1".to_owned(), "flag[1] = 1".to_owned()),
        _ => ("flag[0] = 0".to_owned(), format!("flag[1] = {value}")),
    };
    if rng.bool() {
        std::mem::swap(&mut first, &mut second);
    }
    let last = match rng.u8(..4) {
        0 => "; g = 1",
        1 => "; ref[0] = 0; ref[1] = 0",
        _ => "",
    };
    let guard = if rng.bool() { "flag[x] == 0; " } else { "" };
    let kind = if rng.bool() { "atomic" } else { "d_step" };
    format!("{kind} {{ {guard}{first}; {second}{last} }}")
}

fn block(rng: &mut Rng, me: &str, depth: u32) -> String {
    let n = rng.usize(1..3);
    let mut all = Vec::new();
    for _ in 0..n {
        let inner = |rng: &mut Rng| block(rng, me, depth - 1);
        all.push(match rng.u8(..8) {
            0 if depth > 0 => format!("atomic {{ {} }}", inner(rng)),
            4 if depth > 0 && rng.u8(..3) == 0 => rounds(rng, me),
            5 if depth > 0 && rng.bool() => row(rng, me),
            1 if depth > 0 => format!("d_step {{ {v} = {me}; flag[{me}] = 1 }}", v = "x"),
            2 | 3 if depth > 0 => {
                let end = if rng.bool() { ":: else" } else { "" };
                format!("if :: {} :: {} {end} fi", inner(rng), inner(rng))
            }
            _ => statement(rng, me),
        });
    }
    all.join("; ")
}

/// A model with two or three like processes, and at times a special one.
pub fn text(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let n = rng.usize(2..4);
    let by_pid = rng.bool();
    let me = if by_pid { "_pid" } else { "me" };
    let capacity = rng.u8(..3);
    let start = ["0", "255", "1"][rng.usize(..3)];
    let options: Vec<String> = (0..rng.usize(2..4))
        .map(|_| block(&mut rng, me, 2))
        .collect();
    let body = match rng.u8(..4) {
        0 => options.join("; "),
        _ => format!("do :: {} od", options.join(" :: ")),
    };
    let special = match rng.u8(..3) {
        0 => format!(
            "active proctype S() {{ byte x, y, j; chan q; do :: {} od }}",
            block(&mut rng, "0", 1)
        ),
        _ => String::new(),
    };
    let globals = format!(
        "#define N {n}\nbyte g = {start}, h, n; bool flag[{n}]; byte ref[{n}];\
         chan c = [{capacity}] of {{ byte }};\
         mtype = {{ one, two, three }}; chan t = [{capacity}] of {{ mtype, byte }};\
         chan d[{n}] = [1] of {{ byte }}; chan k = [1] of {{ chan }};\n\
         proctype Q(byte z) {{ byte w; c!w; w = z; g = w; c!w }}\n"
    );
    let provided = if rng.u8(..5) == 0 {
        "provided (g != 1)"
    } else {
        ""
    };
    let first = match rng.u8(..3) {
        0 => format!("x = {me}; y = {me};"),
        1 => format!("x = {me};"),
        _ => String::new(),
    };
    if by_pid {
        return format!(
            "{globals}active [{n}] proctype P() {provided} {{ byte x, y, j; chan q; {first} \
             {body} }}\n{special}"
        );
    }
    let runs: Vec<String> = (0..n).map(|i| format!("run P({i})")).collect();
    let runs = match rng.u8(..4) {
        0 => runs.join("; "),
        _ => format!("atomic {{ {} }}", runs.join("; ")),
    };
    format!(
        "{globals}proctype P(byte me) {provided} {{ byte x, y, j; chan q; {first} {body} }}\n\
         {special}\ninit {{ {runs} }}"
    )
}

/// The states that are reached first, about `n_max` of them.
pub fn states(machine: &Machine, n_max: usize) -> Vec<Vec<u8>> {
    let mut scratch = machine.scratch();
    let mut found = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        found.extend(state.ok().map(<[u8]>::to_vec));
    });
    let mut seen: HashSet<Vec<u8>> = found.iter().cloned().collect();
    let mut open: VecDeque<Vec<u8>> = found.clone().into();
    while let Some(state) = open.pop_front().filter(|_| found.len() < n_max) {
        machine.successors(&state, &mut scratch, &mut |mv| {
            if let Some(next) = mv.state.filter(|next| !seen.contains(*next)) {
                seen.insert(next.to_vec());
                found.push(next.to_vec());
                open.push_back(next.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// Exchanges of a few bearers of one nature each.
fn guesses(model: &Model, rng: &mut Rng) -> Vec<Perm> {
    let bearers = &model.candidates.bearers;
    let n = bearers.len();
    let nature = |b: &Bearer| match b {
        Bearer::Member(class, _) => (2, class.index()),
        Bearer::Process(_) => (0, 0),
        Bearer::Channel(_) => (1, 0),
        Bearer::Field(kind, _) => (3, kind.index()),
        Bearer::Location(p, _) => (4, p.index()),
    };
    let one = |rng: &mut Rng| {
        let (x, y) = (rng.usize(..n), rng.usize(..n));
        let alike = x != y && nature(&bearers[x]) == nature(&bearers[y]);
        let moves = vec![(x as u32, y as u32), (y as u32, x as u32)];
        alike.then(|| Perm::from_moves(n, moves))
    };
    let mut all = Vec::new();
    for _ in 0..40 {
        let swaps: Vec<Perm> = (0..rng.usize(1..4)).filter_map(|_| one(rng)).collect();
        let product = swaps
            .iter()
            .fold(Perm::identity(n), |all, one| one.product(&all));
        all.push(product);
    }
    // Right ones, spoilt in one place.
    for generator in &model.candidates.generators {
        all.extend(one(rng).map(|swap| swap.product(generator)));
    }
    all
}

#[test]
fn what_is_certified_carries_moves_into_moves() {
    let (mut n_certified, mut n_guessed, mut n_refused, mut n_states) = (0, 0, 0, 0);
    for seed in 0..N_SEEDS {
        let text = text(seed);
        let Ok(compiled) = compile(&text, &[]) else {
            panic!("seed {seed}: no model\n{text}")
        };
        for setting in [Setting::Plain, Setting::Best] {
            let Some(model) = prepare(&compiled, setting) else {
                continue;
            };
            let what = format!("seed {seed}, {setting:?}\n{text}");
            assert_eq!(verify(&model.sorts, &model.population), Ok(()), "{what}");
            let mut rng = Rng::with_seed(seed);
            let guesses = guesses(&model, &mut rng);
            let (sorts, population) = (&model.sorts, &model.population);
            let found = certify(sorts, population, &model.candidates);
            assert_eq!(found.rejected(), [], "{what}");
            let bearers = &model.candidates.bearers;
            let guessed = certify_given(sorts, population, bearers, &guesses);
            n_certified += found.steps().len();
            n_guessed += guessed.steps().len();
            n_refused += guessed.rejected().len();
            let states = states(&model.machine, N_STATES);
            for certified in [&found, &guessed] {
                if certified.group().is_trivial() {
                    continue;
                }
                n_states += states.len();
                let (whole, lean) = ((certified.act(), certified.group()), certified.lean());
                let audits = [certified.whole(), certified.certified()]
                    .map(|c| Audit::new(&model.machine, &c));
                for (mut audit, (act, group)) in audits.into_iter().zip([whole, lean]) {
                    for state in &states {
                        if let Err(unequal) = audit.check(state) {
                            let points = &act.points().bearers;
                            panic!("{what}\n{unequal:?} of {group:?} on {points:?} at {state:?}");
                        }
                    }
                }
            }
        }
    }
    let counts = format!("{n_certified} found, {n_guessed} guessed, {n_refused} refused");
    assert!(
        n_certified > 40 && n_refused > 1000,
        "{counts}, {n_states} states"
    );
    assert!(
        n_guessed > 0 && n_states > 1000,
        "{counts}, {n_states} states"
    );
}

/// The text that symmetry looks at, with loops replaced by their rounds, does what the model does.
#[test]
fn the_text_that_is_looked_at_does_what_the_model_does() {
    let (mut n_replaced, mut n_states) = (0, 0);
    for seed in 0..N_SEEDS {
        let text = text(seed);
        let compiled = compile(&text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
        for setting in [Setting::Plain, Setting::Best] {
            let Some(model) = prepare(&compiled, setting) else {
                continue;
            };
            n_replaced += model.sorts.unordered.len();
            if model.sorts.unordered.is_empty() {
                continue;
            }
            let copy = model::Machine::new(model.sorts.text.clone());
            for state in states(&model.machine, N_STATES) {
                n_states += 1;
                let [wanted, found] = [&model.machine, &copy].map(|machine| {
                    let mut moves = Vec::new();
                    machine.successors(&state, &mut machine.scratch(), &mut |mv| {
                        let kinds: Vec<_> = mv.faults.iter().map(|(_, f)| f.kind).collect();
                        moves.push((mv.state.map(<[u8]>::to_vec), kinds));
                        ControlFlow::Continue(())
                    });
                    moves.sort();
                    moves
                });
                assert_eq!(wanted, found, "seed {seed}, {setting:?}, {state:?}\n{text}");
            }
        }
    }
    assert!(
        n_replaced > 5 && n_states > 500,
        "{n_replaced} loops, {n_states} states"
    );
}

/// Loops that send, taken in any order: a send that waits is seen, and if none does, all states and
/// errors are found.
#[test]
fn what_is_assumed_of_sends_is_right_or_refuted() {
    let (mut n_refuted, mut n_right, mut n_moving) = (0, 0, 0);
    for seed in 0..4 * N_SEEDS {
        let text = broadcast(seed);
        let compiled = compile(&text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
        for setting in [Setting::Plain, Setting::Best] {
            let Some(model) = prepare_if(&compiled, setting, Sends::Assumed) else {
                continue;
            };
            if model.sorts.waits.is_empty() && model.sorts.exclusive.is_empty() {
                continue;
            }
            let what = format!("seed {seed}, {setting:?}\n{text}");
            let certified = certify(&model.sorts, &model.population, &model.candidates);
            assert_eq!(certified.rejected(), [], "{what}");
            n_moving += usize::from(!certified.group().is_trivial());
            if is_refuted(&model.machine, &certified) {
                n_refuted += 1;
                continue;
            }
            n_right += 1;
            let wrong = wrong(&compiled, setting, Sends::Assumed);
            assert_eq!(wrong, None, "{what}");
        }
    }
    assert!(
        n_refuted > 10 && n_right > 10 && n_moving > 20,
        "{n_refuted} refuted, {n_right} right, {n_moving} with symmetry"
    );
}

/// Two or three processes with a box each, who at times tell all others something.
fn broadcast(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let n = rng.usize(2..4);
    let capacity = rng.u8(1..3);
    let to = [
        "d[j]!_pid",
        "if :: j != _pid -> d[j]!_pid :: else fi",
        "d[j]!x; n = 1",
    ];
    let mut options = Vec::new();
    let guards = [
        "h == 0 -> h = 1",
        "empty(d[_pid])",
        "flag[_pid] == 0 -> flag[_pid] = 1",
    ];
    for guard in &guards[..rng.usize(1..4)] {
        let kind = if rng.u8(..4) == 0 { "d_step" } else { "atomic" };
        let body = to[rng.usize(..3)];
        let loops = format!("for (j : 0 .. {n} - 1) {{ {body} }}");
        options.push(format!("{kind} {{ {guard}; {loops} }}"));
    }
    let more = [
        "d[_pid]?x",
        "x == _pid -> h = 0",
        "flag[_pid] = 0",
        "g = x",
        "g == _pid -> x = g",
    ];
    for _ in 0..rng.usize(1..4) {
        options.push(more[rng.usize(..5)].to_owned());
    }
    format!(
        "byte g = 255, n, h; bool flag[{n}]; chan d[{n}] = [{capacity}] of {{ byte }};\n\
         active [{n}] proctype P() {{ byte x = 255, j; do :: {} od }}",
        options.join(" :: ")
    )
}

/// What a symmetry of one model is worth in a model that differs in one word.
#[test]
fn a_symmetry_of_another_model_is_refused_or_right() {
    let (mut n_accepted, mut n_refused) = (0, 0);
    for seed in 0..N_SEEDS {
        let right = text(seed);
        let Some(at) = right.find("= me;").or_else(|| right.find("= _pid;")) else {
            continue;
        };
        let end = at + right[at..].find(';').unwrap_or(0);
        let wrong = format!("{}= 1{}", &right[..at], &right[end..]);
        let prepared = [right, wrong].map(|text| {
            let compiled = compile(&text, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
            (prepare(&compiled, Setting::Plain), text)
        });
        let [(Some(from), _), (Some(to), text)] = prepared else {
            continue;
        };
        if from.candidates.bearers != to.candidates.bearers {
            continue;
        }
        let generators = &from.candidates.generators;
        let bearers = &from.candidates.bearers;
        let certified = certify_given(&to.sorts, &to.population, bearers, generators);
        n_accepted += certified.steps().len();
        n_refused += certified.rejected().len();
        let mut audit = Audit::new(&to.machine, &certified.whole());
        for state in states(&to.machine, N_STATES) {
            assert!(audit.check(&state).is_ok(), "seed {seed}\n{text}");
        }
    }
    assert!(n_refused > 3, "{n_accepted} accepted, {n_refused} refused");
}
