//! Loops over scalarsets that are accepted, against a plain twin: the rounds written out in every
//! order, run to the end, must leave the same behind.
//!
//! Bodies are drawn at random from small statements, so that most are refused and many accepted.

use crate::lower::model;
use crate::run::check;
use fastrand::Rng;
use model::Machine;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::System;

/// What is declared; `%` is the type of members, `#` the size of arrays over them.
const GLOBALS: &str = "byte a[#] = 2, b[#] = 1; byte x = 5, y = 3; bool p = 1, q; % m;\n";

/// An expression over the member `j`.
fn expr(rng: &mut Rng) -> &'static str {
    let all = [
        "1",
        "2",
        "x",
        "y",
        "a[j]",
        "b[j]",
        "x + 1",
        "a[j] + y",
        "a[j] * b[j]",
    ];
    all[rng.usize(..all.len())]
}

fn condition(rng: &mut Rng) -> String {
    let all = [
        "p",
        "q",
        "a[j] > 2",
        "b[j] == 1",
        "x > 4",
        "j == m",
        "j != m",
        "!p",
    ];
    all[rng.usize(..all.len())].to_owned()
}

fn assignment(rng: &mut Rng) -> String {
    let target = ["a[j]", "b[j]", "x", "y", "p", "q", "m", "a[m]"][rng.usize(..8)];
    let joins = ["+", "-", "*", "&", "|", "^", "&&", "||"];
    let join = joins[rng.usize(..joins.len())];
    match (target, rng.u8(..6)) {
        ("m", 0 | 1) => "m = j".to_owned(),
        ("m", _) => "m = 3".to_owned(),
        (_, 0) => format!("{target} = {}", expr(rng)),
        (_, 1) => format!("{target} = 1"),
        (_, 2) => format!("{target}++"),
        (_, 3) => format!("{target} = {} {join} {target}", expr(rng)),
        _ => format!("{target} = {target} {join} ({})", expr(rng)),
    }
}

fn statement(rng: &mut Rng) -> String {
    match rng.u8(..5) {
        0 | 1 => {
            let (test, then) = (condition(rng), assignment(rng));
            let otherwise = if rng.bool() {
                assignment(rng)
            } else {
                "skip".to_owned()
            };
            format!("if :: {test} -> {then} :: else -> {otherwise} fi")
        }
        2 => format!("p = p && {}", condition(rng)),
        _ => assignment(rng),
    }
}

/// What the globals can be when a model has come to its end.
fn ends(text: &str) -> BTreeSet<Vec<u8>> {
    let machine = Machine::new(model(text));
    let n = machine.model().layout.globals().size as usize;
    let mut scratch = machine.scratch();
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        waiting.extend(state.map(<[u8]>::to_vec));
    });
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut last = true;
        machine.successors(&state, &mut scratch, &mut |m| {
            last = false;
            waiting.extend(m.state.map(|s| s.to_vec()));
            ControlFlow::Continue(())
        });
        if last {
            found.insert(state[..n].to_vec());
        }
    }
    found
}

/// The rounds of the loop, in this order.
fn written_out(body: &str, order: [u8; 3]) -> String {
    let globals = GLOBALS.replace('%', "byte").replace('#', "3");
    let globals = globals.replace("byte m;", "byte m = 3;");
    let rounds = order.map(|n| format!("j = {n}; {body}"));
    let rounds = rounds.join(";\n");
    format!("{globals} init {{ byte j = 3; atomic {{ m = MINE;\n{rounds};\nj = 3 }} }}")
}

const ORDERS: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

#[test]
fn accepted_loops_do_not_depend_on_the_order() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or(20_260_917);
    let mut rng = Rng::with_seed(seed);
    let (mut n_accepted, mut n_refused, mut n_dependent) = (0, 0, 0);
    for round in 0..600 {
        let n = rng.usize(1..4);
        let body: Vec<String> = (0..n).map(|_| statement(&mut rng)).collect();
        let body = body.join("; ");
        let globals = GLOBALS.replace(['%', '#'], "P");
        let text = format!(
            "scalarset P[3];\n{globals} init {{ P j; atomic {{\n\
             m = anyRef(P); for (j in P) {{ {body} }} }} }}"
        );
        let said = check(&text);
        let accepted = said.errors.is_empty();
        let only_order = (said.errors.iter()).all(|e| e.contains("order in which members come"));
        assert!(
            only_order,
            "seed {seed}, round {round}: {text}\n{}",
            said.drawn
        );
        let mut outcomes = BTreeSet::new();
        for order in ORDERS {
            let text = written_out(&body, order).replace("MINE", "1");
            outcomes.insert(ends(&text));
        }
        match (accepted, outcomes.len()) {
            (true, n) => {
                assert_eq!(n, 1, "seed {seed}, round {round}: {text}");
                n_accepted += 1;
            }
            (false, 1) => n_refused += 1,
            (false, _) => n_dependent += 1,
        }
    }
    // The test means something only if there are many of each.
    let counts = [n_accepted, n_dependent, n_refused];
    assert!(
        n_accepted > 100 && n_dependent > 50 && n_refused < 400,
        "{counts:?}"
    );
}

#[test]
fn a_loop_that_depends_on_the_order_is_told_apart() {
    let outcomes = |body: &str| {
        let run = |order| ends(&written_out(body, order).replace("MINE", "1"));
        ORDERS.map(run).into_iter().collect::<BTreeSet<_>>().len()
    };
    assert_eq!(outcomes("m = j"), 3);
    assert_eq!(outcomes("a[j] = x; x++"), 6);
    assert_eq!(outcomes("a[j] = x"), 1);
}
