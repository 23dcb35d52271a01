//! Planted faults: wrong automata, wrong formulas, wrong relations are noticed by the comparison
//! that all agreement tests rest on.

use super::{LIMITS, random, read};
use check::ltl::{Buchi, Cube, Edge, FormulaId, Lasso, Node, Pool, automaton_of, translate};

/// The first word on which an automaton and a formula differ.
fn difference(pool: &Pool, f: FormulaId, accepts: impl Fn(&Lasso) -> bool) -> Option<Lasso> {
    (0..600).find_map(|seed| {
        let word = random::word(&mut fastrand::Rng::with_seed(seed), 2);
        (accepts(&word) != word.satisfies(pool, f)).then_some(word)
    })
}

fn automaton(text: &str) -> (Pool, FormulaId, Buchi) {
    let mut pool = Pool::new();
    let f = read(&mut pool, text);
    let buchi = automaton_of(&mut pool, f, &LIMITS).expect("within limits");
    (pool, f, buchi)
}

const TEXTS: [&str; 6] = [
    "[] (p -> <> q)",
    "p U q",
    "[] <> p && [] <> q",
    "<> [] p",
    "X p || q W p",
    "<> (p && X (q U p))",
];

#[test]
fn an_automaton_that_is_right_has_no_difference() {
    for text in TEXTS {
        let (pool, f, buchi) = automaton(text);
        assert_eq!(difference(&pool, f, |w| buchi.accepts(w)), None, "{text}");
    }
}

#[test]
fn a_missing_edge_is_noticed() {
    for text in TEXTS {
        let (pool, f, buchi) = automaton(text);
        for s in 0..buchi.n_states() {
            for e in 0..buchi.edges[s].len() {
                let mut broken = buchi.clone();
                broken.edges[s].remove(e);
                let found = difference(&pool, f, |w| broken.accepts(w));
                assert!(
                    found.is_some(),
                    "{text}: edge {e} of state {s} is not missed"
                );
            }
        }
    }
}

#[test]
fn an_edge_too_many_is_noticed() {
    for text in TEXTS {
        let (pool, f, buchi) = automaton(text);
        let Some(good) = buchi.accepting.iter().position(|a| *a) else {
            panic!("{text} has no accepting state");
        };
        let mut broken = buchi.clone();
        broken.edges[good].push(Edge {
            guard: Cube::ALL,
            target: good,
            marks: 0,
        });
        let found = difference(&pool, f, |w| broken.accepts(w));
        let was_there = buchi.edges[good].iter().any(|e| e.guard == Cube::ALL);
        assert!(found.is_some() || was_there, "{text}");
    }
}

#[test]
fn wrong_acceptance_is_noticed() {
    for text in ["[] (p -> <> q)", "p U q", "<> [] p", "[] <> p && [] <> q"] {
        let (pool, f, buchi) = automaton(text);
        let mut broken = buchi.clone();
        broken.accepting.iter_mut().for_each(|a| *a = true);
        let all = difference(&pool, f, |w| broken.accepts(w));
        broken.accepting.iter_mut().for_each(|a| *a = false);
        let none = difference(&pool, f, |w| broken.accepts(w));
        assert!(all.is_some() && none.is_some(), "{text}");
    }
}

/// A translation that forgot what settles an until: all marks, or none.
#[test]
fn wrong_marks_are_noticed() {
    let mut pool = Pool::new();
    let p = pool.atom(0);
    let some_time = pool.add(Node::Eventually(p));
    let f = pool.add(Node::Always(some_time));
    let right = translate(&pool, f, &LIMITS).expect("within limits");
    assert_eq!(difference(&pool, f, |w| right.accepts(w)), None);
    for marks in [0, 1] {
        let mut broken = right.clone();
        for edge in broken.edges.iter_mut().flatten() {
            edge.marks = marks;
        }
        let found = difference(&pool, f, |w| broken.accepts(w));
        assert!(found.is_some(), "marks {marks} everywhere are not noticed");
    }
}

/// Rules of translation that are wrong, by the formulas that they would really be for.
#[test]
fn a_rule_for_another_operator_is_noticed() {
    let pairs = [
        ("p U q", "p W q"),
        ("p V q", "p M q"),
        ("p V q", "q V p"),
        ("X p", "p"),
        ("[] <> p", "<> [] p"),
        ("p U (q U X q)", "(p U q) U X q"),
    ];
    for (text, other) in pairs {
        let (_, _, wrong) = automaton(&format!("(p || q || true) && ({other})"));
        let mut pool = Pool::new();
        let f = read(&mut pool, &format!("(p || q || true) && ({text})"));
        let found = difference(&pool, f, |w| wrong.accepts(w));
        assert!(found.is_some(), "{text} as {other} is not noticed");
    }
}

/// States made one that are not alike, as a wrong simulation would.
#[test]
fn states_wrongly_made_one_are_noticed() {
    let mut n_noticed = 0;
    for text in TEXTS {
        let (pool, f, buchi) = automaton(text);
        for gone in 1..buchi.n_states() {
            for kept in (0..buchi.n_states()).filter(|kept| *kept != gone) {
                let mut broken = buchi.clone();
                for edge in broken.edges.iter_mut().flatten() {
                    if edge.target == gone {
                        edge.target = kept;
                    }
                }
                let found = difference(&pool, f, |w| broken.accepts(w));
                assert!(found.is_some(), "{text}: {gone} as {kept} is not noticed");
                n_noticed += 1;
            }
        }
    }
    assert!(n_noticed >= 10, "{n_noticed}");
}
