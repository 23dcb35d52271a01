//! Random models with references or scalarsets that obey the rules: exchanging two members leads
//! from reachable states to reachable states.
//!
//! This tests the rules and the lowering at once: were something accepted, or lowered to something,
//! that tells members apart, one of these models would have a state whose image is out of reach.

use crate::closed::{leaks, states};
use crate::lower::lowered;
use fastrand::Rng;
use model::processes::passes::{Setting, Watch, apply};
use model::processes::program::Model;
use promela::lower::Ends;

fn one_of<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.usize(..all.len())]
}

/// Which process type a body is of.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    P,
    Q,
}

/// A reference to `p`, or a place where one can be stored.
fn to_p(rng: &mut Rng, of: Of, place: bool) -> &'static str {
    let places = ["gp", "r", "q[s].w", "p[r].a", "p[p[r].a].a", "p[gp].a"];
    let own = match of {
        Of::P => ["a", "p[_lid].a"],
        Of::Q => ["w", "q[_lid].w"],
    };
    match (rng.u8(..6), place) {
        (0, _) => one_of(rng, &own),
        (1, false) => "_undef_ref",
        (2, false) if of == Of::P => "_lid",
        _ => one_of(rng, &places),
    }
}

/// The same for `q`.
fn to_q(rng: &mut Rng, of: Of, place: bool) -> &'static str {
    let places = ["s", "p[r].b", "q[q[s].z].z", "q[s].z"];
    match (rng.u8(..6), place) {
        (0, _) if of == Of::P => "b",
        (1, false) => "_undef_ref",
        (2, false) if of == Of::Q => "_lid",
        _ => one_of(rng, &places),
    }
}

fn bit(rng: &mut Rng, of: Of) -> &'static str {
    let all = ["g", "n", "p[r].x", "q[s].y", "q[anyRef(q)].y"];
    match (rng.u8(..4), of) {
        (0, Of::P) => "x",
        (0, Of::Q) => "y",
        _ => one_of(rng, &all),
    }
}

fn condition(rng: &mut Rng, of: Of) -> String {
    let same = one_of(rng, &["==", "!="]);
    match rng.u8(..5) {
        0 | 1 => format!("{} {same} {}", to_p(rng, of, true), to_p(rng, of, false)),
        2 => format!("{} {same} {}", to_q(rng, of, true), to_q(rng, of, false)),
        3 => format!("{} == {}", bit(rng, of), bit(rng, of)),
        _ => format!("p[anyRef(p)].x {same} g"),
    }
}

fn statement(rng: &mut Rng, of: Of) -> String {
    match rng.u8(..12) {
        0..=2 => format!("{} = {}", to_p(rng, of, true), to_p(rng, of, false)),
        3 | 4 => format!("{} = {}", to_q(rng, of, true), to_q(rng, of, false)),
        5 => format!("{} = anyRef(p)", to_p(rng, of, true)),
        6 => format!("{} = anyRef(q)", to_q(rng, of, true)),
        7 => format!("{} = 1 - {}", bit(rng, of), bit(rng, of)),
        8 => format!("c!{}, {}", to_p(rng, of, false), to_q(rng, of, false)),
        9 => format!("p[{}].c!anyRef(p), s", to_p(rng, of, true)),
        10 => one_of(rng, &["c?r, s", "c?_, s", "c?eval(r), _", "c?<r, s>"]).to_owned(),
        _ => condition(rng, of),
    }
}

fn option(rng: &mut Rng, of: Of) -> String {
    let body = if rng.bool() {
        statement(rng, of)
    } else {
        format!("{}; {}", statement(rng, of), statement(rng, of))
    };
    let guarded = format!("{} -> {body}", condition(rng, of));
    match rng.u8(..4) {
        0 => format!(":: {body}"),
        1 => format!(":: atomic {{ {body} }}"),
        2 => format!(":: atomic {{ {guarded} }}"),
        _ => format!(":: {guarded}"),
    }
}

fn references(rng: &mut Rng) -> String {
    let n_options = 1 + rng.usize(..3);
    let mut body = |of| {
        let all: Vec<String> = (0..n_options).map(|_| option(rng, of)).collect();
        format!("do {} od", all.join(" "))
    };
    // Each process has its own channel of that name, or there is one for all.
    let (p, q) = (body(Of::P), body(Of::Q).replace("c?", "p[r].c?"));
    let q = q.replace(" c!", " p[r].c!");
    format!(
        "ref p gp; bit g;
        active [3] proctype p() {{ public ref p a = _undef_ref; public ref q b; public bit x;
            public chan c = [1] of {{ ref p, ref q }}; ref p r = _lid; ref q s; bit n; {p} }}
        active [2] proctype q() {{ public ref p w; public ref q z; public bit y;
            ref p r; ref q s; bit n; {q} }}"
    )
}

fn of_set(rng: &mut Rng, place: bool) -> &'static str {
    let places = ["t", "k", "next[me]", "next[t]", "kept[1]"];
    match (rng.u8(..4), place) {
        (0, false) => "me",
        (1, false) => "3",
        _ => one_of(rng, &places),
    }
}

fn set_statement(rng: &mut Rng) -> String {
    let bits = ["st[me]", "st[t]", "st[k]", "g", "n"];
    match rng.u8(..10) {
        0 | 1 => format!("{} = {}", of_set(rng, true), of_set(rng, false)),
        2 => format!("{} = anyRef(P)", of_set(rng, true)),
        3 => format!("{} = 1 - {}", one_of(rng, &bits), one_of(rng, &bits)),
        4 => format!("c!{}, g", of_set(rng, false)),
        5 => one_of(rng, &["c?t, g", "c?k, _", "c?eval(me), _", "c?3, n"]).to_owned(),
        6 | 7 => {
            let bodies = [
                "g = g && st[j]",
                "if :: j == t -> st[j] = 1 :: else -> st[j] = 0 fi",
                "if :: next[j] == me -> n++ :: else fi",
                "next[j] = t",
                "if :: j != me -> g = 0 :: else fi; st[j] = st[me]",
                "n = st[j]",
                "k = j",
            ];
            let body = one_of(rng, &bodies);
            let start = one_of(rng, &["j in P", "j : 0 .. 2", "j in next"]);
            format!("d_step {{ for ({start}) {{ {body} }} }}")
        }
        8 => format!("{} == {}", of_set(rng, true), of_set(rng, false)),
        _ => format!("{} != {}", of_set(rng, true), of_set(rng, false)),
    }
}

fn scalarsets(rng: &mut Rng) -> String {
    let n = 1 + rng.usize(..4);
    let option = |rng: &mut Rng| {
        if rng.bool() {
            format!(":: {}", set_statement(rng))
        } else {
            let (a, b) = (set_statement(rng), set_statement(rng));
            format!(":: atomic {{ {a}; {b} }}")
        }
    };
    let options: Vec<String> = (0..n).map(|_| option(rng)).collect();
    let options = options.join(" ");
    format!(
        "scalarset P[3]; P t; P next[P]; bit st[P]; bit g; P kept[2]; chan c = [1] of {{ P, bit }};
        proctype user(P me) {{ P j, k; bit n; do {options} od }}
        init {{ P i; atomic {{ for (i in P) {{ run user(i) }} }} }}"
    )
}

/// Whether the model is small enough and was tested.
fn test(text: &str, context: &str) -> Option<bool> {
    let made = lowered(text, Ends::Stay);
    let Some(plain) = made.model else {
        let order = made
            .errors
            .iter()
            .all(|e| e.contains("order in which members come") || e.contains("indexed by itself"));
        assert!(order, "{context}: {:?}", made.errors);
        return None;
    };
    let mut small = false;
    for setting in [Setting::Plain, Setting::Best] {
        let mut model: Model = plain.clone();
        apply(&mut model, setting, &Watch::default());
        let Some(states) = states(&model) else {
            continue;
        };
        small = true;
        for sort in &model.declared_sorts {
            let (n_out, _) = leaks(&model, &states, sort);
            assert_eq!(n_out, 0, "{context}, {setting:?}, sort {}", sort.name);
        }
    }
    Some(small)
}

fn many(make: fn(&mut Rng) -> String, rounds: u32) -> u32 {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or(20_011_016);
    let mut rng = Rng::with_seed(seed);
    let mut n = 0;
    for round in 0..rounds {
        let text = make(&mut rng);
        let context = format!("seed {seed}, round {round}:\n{text}\n");
        n += u32::from(test(&text, &context) == Some(true));
    }
    n
}

#[test]
fn references_tell_no_instances_apart() {
    let n = many(references, 60);
    assert!(n > 20, "{n} small models");
}

#[test]
fn scalarsets_tell_no_members_apart() {
    let n = many(scalarsets, 60);
    assert!(n > 20, "{n} small models");
}
