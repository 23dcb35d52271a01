//! How large automata become.
//!
//! For the families of Cichoń, Czubak and Jasiński (2009) the least possible number of states is
//! known; for the formulas of Etessami and Holzmann (2000) and of Somenzi and Bloem (2000) the sizes
//! here are ours, so that a change for the worse is seen.

use super::{LIMITS, read};
use check::ltl::{Buchi, Pool, automaton_of};

fn automaton(text: &str) -> Buchi {
    let mut pool = Pool::new();
    let f = read(&mut pool, text);
    automaton_of(&mut pool, f, &LIMITS).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn joined(n: usize, member: impl Fn(usize) -> String) -> String {
    (1..=n).map(member).collect::<Vec<_>>().join(" && ")
}

#[test]
fn show_sizes() {
    for n in 1..=5 {
        let gf = automaton(&joined(n, |i| format!("[] <> p{i}")));
        let f = automaton(&joined(n, |i| format!("<> p{i}")));
        eprintln!("n {n} GF {} F {}", gf.n_states(), f.n_states());
    }
    for (name, text) in PATTERNS {
        let b = automaton(text);
        eprintln!(
            "{name} {} {} {} {text}",
            b.n_states(),
            b.n_transitions(),
            b.is_deterministic()
        );
    }
}

const PATTERNS: &[(&str, &str)] = &[
    ("eh1", "p0 U (p1 && G p2)"),
    ("eh2", "p0 U (p1 && X(p2 U p3))"),
    (
        "eh3",
        "p0 U (p1 && X(p2 && (F(p3 && X(F(p4 && X(F(p5 && X(F p6)))))))))",
    ),
    ("eh4", "F(p0 && X G p1)"),
    ("eh5", "F(p0 && X(p1 && X F p2))"),
    ("eh6", "F(p0 && X(p1 U p2))"),
    ("eh7", "F G p0 || G F p1"),
    ("eh8", "G(p0 -> (p1 U p2))"),
    ("eh9", "G(p0 && X F(p1 && X F(p2 && X F p3)))"),
    ("eh10", "G F p0 && G F p1 && G F p2 && G F p3 && G F p4"),
    (
        "eh11",
        "(p0 U (p1 U p2)) || (p1 U (p2 U p0)) || (p2 U (p0 U p1))",
    ),
    ("eh12", "G(p0 -> (p1 U (G p2 || G p3)))"),
    ("sb1", "p0 U p1"),
    ("sb2", "p0 U (p1 U p2)"),
    ("sb3", "!(p0 U (p1 U p2))"),
    ("sb4", "G F p0 -> G F p1"),
    ("sb5", "(F p0) U (G p1)"),
    ("sb6", "(G p0) U p1"),
    ("sb7", "!(F F p0 <-> F p1)"),
    ("sb8", "!(G F p0 -> G F p1)"),
    ("sb9", "!(G F p0 <-> G F p1)"),
    ("sb10", "p0 R (p0 || p1)"),
    ("sb11", "(X p0 U X p1) || !X(p0 U p1)"),
    ("sb12", "(X p0 U p1) || !X(p0 U (p0 && p1))"),
    (
        "sb13",
        "G(p0 -> F p1) && (((X p0) U p1) || !X(p0 U (p0 && p1)))",
    ),
    ("sb14", "G(p0 -> F p1) && (((X p0) U X p1) || !X(p0 U p1))"),
    ("sb15", "G(p0 -> F p1)"),
    ("sb16", "!G(p0 -> X(p1 R p2))"),
    ("sb17", "!(F G p0 || F G p1)"),
    ("sb18", "G(F p0 && F p1)"),
    ("sb19", "F p0 && F !p0"),
    ("sb20", "(X p1 && p2) R X(((p3 U p0) R p2) U (p3 R p2))"),
    (
        "sb21",
        "(G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2",
    ),
    (
        "sb22",
        "(G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2",
    ),
    (
        "sb23",
        "!((G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2)",
    ),
    (
        "sb24",
        "!((G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2)",
    ),
    ("sb25", "(G(p1 || X G p0)) && (G(p2 || X G !p0))"),
    ("sb26", "G(p1 || (X p0 && X !p0))"),
    ("sb27", "(p0 U p0) || (p1 U p0)"),
];
