//! How large automata become.
//!
//! For the families of Cichoń, Czubak and Jasiński (2009) the least possible number of states is
//! known; for the formulas of Etessami and Holzmann (2000) and of Somenzi and Bloem (2000) the
//! sizes here are ours, so that a change for the worse is seen (and one for the better is written
//! down).

use super::{LIMITS, read};
use check::ltl::{Buchi, DEPTH_MAX, Limits, Node, Pool, automaton_of};

fn automaton(text: &str) -> Buchi {
    let mut pool = Pool::new();
    let f = read(&mut pool, text);
    automaton_of(&mut pool, f, &LIMITS).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn joined(n: usize, member: impl Fn(usize) -> String) -> String {
    (1..=n).map(member).collect::<Vec<_>>().join(" && ")
}

/// The bounds that are proved: n + 1 states for n recurrences, 2 to the n for n goals, and 16 for
/// two chains of three goals each, where the translators that the authors tried gave 25 and 31.
#[test]
fn families_with_a_known_least_size_reach_it() {
    for n in 1..=5 {
        let again = automaton(&joined(n, |i| format!("[] <> p{i}")));
        assert_eq!(again.n_states(), n + 1, "{n} recurrences");
        let goals = automaton(&joined(n, |i| format!("<> p{i}")));
        assert_eq!(goals.n_states(), 1 << n, "{n} goals");
    }
    let chains = "<>(p1 && <>(p2 && <>p3)) && <>(q1 && <>(q2 && <>q3))";
    assert_eq!(automaton(chains).n_states(), 16);
}

/// States, and pairs of states with an edge: no more than these.
#[test]
fn the_usual_formulas_stay_small() {
    for (name, text, size) in PATTERNS {
        let buchi = automaton(text);
        let found = (buchi.n_states(), buchi.n_transitions());
        assert_eq!(found, *size, "{name}: {text}");
    }
}

/// What is too large says so, whatever the limit; nothing is accepted half done.
#[test]
fn what_is_too_large_says_so() {
    let text = joined(4, |i| format!("[] (p{i} -> <> q{i})"));
    let build = |limits: &Limits| {
        let mut pool = Pool::new();
        let f = read(&mut pool, &text);
        automaton_of(&mut pool, f, limits).map_err(|why| why.to_string())
    };
    let few = |n_states_max, n_edges_max, n_steps_max| Limits {
        n_states_max,
        n_edges_max,
        n_steps_max,
    };
    let steps = build(&few(1000, 1000, 5000)).expect_err("few steps");
    assert!(steps.contains("5000 steps"), "{steps}");
    let edges = build(&few(1000, 100, 20_000_000)).expect_err("few edges");
    assert!(edges.contains("100 edges"), "{edges}");
    let goals = joined(9, |i| format!("<> p{i}"));
    let mut pool = Pool::new();
    let f = read(&mut pool, &goals);
    let states = automaton_of(&mut pool, f, &few(100, 100_000, 20_000_000));
    let states = states.expect_err("few states").to_string();
    assert!(states.contains("100 states"), "{states}");
}

#[test]
fn depth_is_refused_before_it_is_a_danger() {
    let mut pool = Pool::new();
    let (mut f, mut g) = (pool.atom(0), pool.atom(1));
    for i in 0..DEPTH_MAX {
        (f, g) = match i % 10 {
            0 => (pool.add(Node::Until(g, f)), pool.add(Node::Release(f, g))),
            _ => (pool.add(Node::Next(f)), pool.add(Node::Next(g))),
        };
    }
    assert_eq!(pool.depth(f), DEPTH_MAX);
    let some = automaton_of(&mut pool, f, &LIMITS);
    assert!(some.is_ok_and(|b| b.n_states() > 0) || pool.depth(g) == DEPTH_MAX);
    let deeper = pool.add(Node::Next(f));
    let refused = automaton_of(&mut pool, deeper, &LIMITS).expect_err("too deep");
    assert!(
        refused.to_string().contains("1000 nested operators"),
        "{refused}"
    );
}

const PATTERNS: &[(&str, &str, (usize, usize))] = &[
    ("eh1", "p0 U (p1 && G p2)", (2, 3)),
    ("eh2", "p0 U (p1 && X(p2 U p3))", (3, 5)),
    (
        "eh3",
        "p0 U (p1 && X(p2 && (F(p3 && X(F(p4 && X(F(p5 && X(F p6)))))))))",
        (7, 13),
    ),
    ("eh4", "F(p0 && X G p1)", (2, 3)),
    ("eh5", "F(p0 && X(p1 && X F p2))", (4, 6)),
    ("eh6", "F(p0 && X(p1 U p2))", (3, 5)),
    ("eh7", "F G p0 || G F p1", (5, 10)),
    ("eh8", "G(p0 -> (p1 U p2))", (2, 4)),
    ("eh9", "G(p0 && X F(p1 && X F(p2 && X F p3)))", (9, 28)),
    (
        "eh10",
        "G F p0 && G F p1 && G F p2 && G F p3 && G F p4",
        (6, 26),
    ),
    (
        "eh11",
        "(p0 U (p1 U p2)) || (p1 U (p2 U p0)) || (p2 U (p0 U p1))",
        (2, 2),
    ),
    ("eh12", "G(p0 -> (p1 U (G p2 || G p3)))", (4, 9)),
    ("sb1", "p0 U p1", (2, 3)),
    ("sb2", "p0 U (p1 U p2)", (3, 6)),
    ("sb3", "!(p0 U (p1 U p2))", (3, 6)),
    ("sb4", "G F p0 -> G F p1", (5, 10)),
    ("sb5", "(F p0) U (G p1)", (3, 7)),
    ("sb6", "(G p0) U p1", (4, 6)),
    ("sb7", "!(F F p0 <-> F p1)", (3, 5)),
    ("sb8", "!(G F p0 -> G F p1)", (3, 6)),
    ("sb9", "!(G F p0 <-> G F p1)", (5, 11)),
    ("sb10", "p0 R (p0 || p1)", (2, 3)),
    ("sb11", "(X p0 U X p1) || !X(p0 U p1)", (1, 1)),
    ("sb12", "(X p0 U p1) || !X(p0 U (p0 && p1))", (4, 8)),
    (
        "sb13",
        "G(p0 -> F p1) && (((X p0) U p1) || !X(p0 U (p0 && p1)))",
        (6, 15),
    ),
    (
        "sb14",
        "G(p0 -> F p1) && (((X p0) U X p1) || !X(p0 U p1))",
        (2, 4),
    ),
    ("sb15", "G(p0 -> F p1)", (2, 4)),
    ("sb16", "!G(p0 -> X(p1 R p2))", (3, 5)),
    ("sb17", "!(F G p0 || F G p1)", (3, 8)),
    ("sb18", "G(F p0 && F p1)", (3, 8)),
    ("sb19", "F p0 && F !p0", (4, 7)),
    (
        "sb20",
        "(X p1 && p2) R X(((p3 U p0) R p2) U (p3 R p2))",
        (5, 9),
    ),
    (
        "sb21",
        "(G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2",
        (6, 11),
    ),
    (
        "sb22",
        "(G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2",
        (3, 4),
    ),
    (
        "sb23",
        "!((G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2)",
        (6, 19),
    ),
    (
        "sb24",
        "!((G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2)",
        (7, 19),
    ),
    ("sb25", "(G(p1 || X G p0)) && (G(p2 || X G !p0))", (3, 5)),
    ("sb26", "G(p1 || (X p0 && X !p0))", (1, 1)),
    ("sb27", "(p0 U p0) || (p1 U p0)", (2, 3)),
];
