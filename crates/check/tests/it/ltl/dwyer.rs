//! The specification patterns of Dwyer, Avrunin and Corbett (1998): 55 formulas that people write.
//!
//! Each is held against its meaning on words, and its negation as well, since that is what a search
//! uses. How large they are together is kept, so that a change for the worse is seen.

use super::{LIMITS, random, read};
use check::ltl::{Pool, automaton_of};

#[test]
fn patterns_that_people_write_are_small_and_right() {
    let (mut n_states, mut n_transitions) = (0, 0);
    for (i, text) in FORMULAS.iter().enumerate() {
        // All atoms, in this order.
        let text = format!("(p0 || p1 || p2 || p3 || p4 || p5 || true) && ({text})");
        let mut pool = Pool::new();
        let f = read(&mut pool, &text);
        let not = pool.not(f);
        let yes = automaton_of(&mut pool, f, &LIMITS).expect("within limits");
        let no = automaton_of(&mut pool, not, &LIMITS).expect("within limits");
        n_states += yes.n_states();
        n_transitions += yes.n_transitions();
        for seed in 0..150 {
            let word = random::word(&mut fastrand::Rng::with_seed(seed), 6);
            let truth = word.satisfies(&pool, f);
            assert_eq!(yes.accepts(&word), truth, "{i}, seed {seed}: {word:?}");
            assert_eq!(no.accepts(&word), !truth, "{i}, seed {seed}: {word:?}");
        }
    }
    assert_eq!((FORMULAS.len(), n_states, n_transitions), (55, 286, 932));
}

const FORMULAS: [&str; 55] = [
    "[] !p0",
    "<> p2 -> !p0 U p2",
    "[] (p1 -> [] !p0)",
    "[] (p1 && !p2 && <> p2 -> !p0 U p2)",
    "[] (p1 && !p2 -> !p0 W p2)",
    "<> p0",
    "!p2 W (p0 && !p2)",
    "[] !p1 || <> (p1 && <> p0)",
    "[] (p1 && !p2 -> !p2 W (p0 && !p2))",
    "[] (p1 && !p2 -> !p2 U (p0 && !p2))",
    "!p0 W (p0 W (!p0 W (p0 W [] !p0)))",
    "<> p2 -> (!p0 && !p2) U (p2 || (p0 && !p2) U (p2 || (!p0 && !p2) U (p2 || (p0 && \
     !p2) U (p2 || !p0 U p2))))",
    "<> p1 -> !p1 U (p1 && !p0 W (p0 W (!p0 W (p0 W [] !p0))))",
    "[] (p1 && <> p2 -> (!p0 && !p2) U (p2 || (p0 && !p2) U (p2 || (!p0 && !p2) U (p2 || \
     (p0 && !p2) U (p2 || !p0 U p2)))))",
    "[] (p1 -> (!p0 && !p2) U (p2 || (p0 && !p2) U (p2 || (!p0 && !p2) U (p2 || (p0 && \
     !p2) U (p2 || !p0 W p2 || [] p0)))))",
    "[] p0",
    "<> p2 -> p0 U p2",
    "[] (p1 -> [] p0)",
    "[] (p1 && !p2 && <> p2 -> p0 U p2)",
    "[] (p1 && !p2 -> p0 W p2)",
    "!p0 W p3",
    "<> p2 -> !p0 U (p3 || p2)",
    "[] !p1 || <> (p1 && !p0 W p3)",
    "[] (p1 && !p2 && <> p2 -> !p0 U (p3 || p2))",
    "[] (p1 && !p2 -> !p0 W (p3 || p2))",
    "[] (p0 -> <> p3)",
    "<> p2 -> (p0 -> !p2 U (p3 && !p2)) U p2",
    "[] (p1 -> [] (p0 -> <> p3))",
    "[] (p1 && !p2 && <> p2 -> (p0 -> !p2 U (p3 && !p2)) U p2)",
    "[] (p1 && !p2 -> (p0 -> !p2 U (p3 && !p2)) W p2)",
    "<> p0 -> !p0 U (p3 && !p0 && X (!p0 U p4))",
    "<> p2 -> !p0 U (p2 || p3 && !p0 && X (!p0 U p4))",
    "[] !p1 || !p1 U (p1 && <> p0 -> !p0 U (p3 && !p0 && X (!p0 U p4)))",
    "[] (p1 && <> p2 -> !p0 U (p2 || p3 && !p0 && X (!p0 U p4)))",
    "[] (p1 -> (<> p0 -> !p0 U (p2 || p3 && !p0 && X (!p0 U p4))))",
    "<> (p3 && X <> p4) -> !p3 U p0",
    "<> p2 -> !(p3 && !p2 && X (!p2 U (p4 && !p2))) U (p2 || p0)",
    "[] !p1 || !p1 U (p1 && (<> (p3 && X <> p4) -> !p3 U p0))",
    "[] (p1 && <> p2 -> !(p3 && !p2 && X (!p2 U (p4 && !p2))) U (p2 || p0))",
    "[] (p1 -> !(p3 && !p2 && X (!p2 U (p4 && !p2))) U (p2 || p0) || [] !(p3 && X <> p4))",
    "[] (p3 && X <> p4 -> X <> (p4 && <> p0))",
    "<> p2 -> (p3 && X (!p2 U p4) -> X (!p2 U (p4 && <> p0))) U p2",
    "[] (p1 -> [] (p3 && X <> p4 -> X (!p4 U (p4 && <> p0))))",
    "[] (p1 && <> p2 -> (p3 && X (!p2 U p4) -> X (!p2 U (p4 && <> p0))) U p2)",
    "[] (p1 -> (p3 && X (!p2 U p4) -> X (!p2 U (p4 && <> p0))) U (p2 || [] (p3 && X (!p2 \
     U p4) -> X (!p2 U (p4 && <> p0)))))",
    "[] (p0 -> <> (p3 && X <> p4))",
    "<> p2 -> (p0 -> !p2 U (p3 && !p2 && X (!p2 U p4))) U p2",
    "[] (p1 -> [] (p0 -> p3 && X <> p4))",
    "[] (p1 && <> p2 -> (p0 -> !p2 U (p3 && !p2 && X (!p2 U p4))) U p2)",
    "[] (p1 -> (p0 -> !p2 U (p3 && !p2 && X (!p2 U p4))) U (p2 || [] (p0 -> p3 && X <> p4)))",
    "[] (p0 -> <> (p3 && !p5 && X (!p5 U p4)))",
    "<> p2 -> (p0 -> !p2 U (p3 && !p2 && !p5 && X ((!p2 && !p5) U p4))) U p2",
    "[] (p1 -> [] (p0 -> p3 && !p5 && X (!p5 U p4)))",
    "[] (p1 && <> p2 -> (p0 -> !p2 U (p3 && !p2 && !p5 && X ((!p2 && !p5) U p4))) U p2)",
    "[] (p1 -> (p0 -> !p2 U (p3 && !p2 && !p5 && X ((!p2 && !p5) U p4))) U (p2 || [] (p0 \
     -> p3 && !p5 && X (!p5 U p4))))",
];
