//! Automata, simplified formulas, traits and monitors against the plain meaning on words.

use super::{LIMITS, random, read};
use check::ltl::simplify::simplify_negation;
use check::ltl::simulation::{reduce_buchi, reduce_generalised};
use check::ltl::{
    Buchi, FormulaId, Known, Lasso, Monitor, Pool, automaton_of, classify, degeneralise, monitor,
    simplify, translate,
};

const N_WORDS: usize = 40;

/// Each stage of a translation on the same words, for thousands of formulas.
#[test]
fn every_stage_accepts_the_words_that_satisfy_the_formula() {
    let mut n_accepted = [0, 0];
    for seed in 0..6000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n_atoms = rng.usize(1..4);
        let n = rng.usize(1..12);
        let mut pool = Pool::new();
        let f = random::formula(&mut pool, &mut rng, n, n_atoms);
        let simple = simplify(&mut pool, f);
        let general = translate(&pool, simple, &LIMITS).expect("within limits");
        let reduced = reduce_generalised(general.clone(), &LIMITS).expect("within limits");
        let plain = degeneralise(&general, &LIMITS).expect("within limits");
        let buchi = degeneralise(&reduced, &LIMITS).expect("within limits");
        let least = reduce_buchi(buchi.clone(), &LIMITS).expect("within limits");
        for i in 0..N_WORDS {
            let word = random::word(&mut rng, n_atoms);
            let truth = word.satisfies(&pool, f);
            n_accepted[usize::from(truth)] += 1;
            let told = [
                ("simplified", word.satisfies(&pool, simple)),
                ("translated", general.accepts(&word)),
                ("translated and reduced", reduced.accepts(&word)),
                ("degeneralised", plain.accepts(&word)),
                ("reduced and degeneralised", buchi.accepts(&word)),
                ("reduced", least.accepts(&word)),
            ];
            for (stage, answer) in told {
                assert_eq!(answer, truth, "seed {seed}, word {i}, {stage}: {word:?}");
            }
        }
        assert!(least.n_states() <= buchi.n_states(), "seed {seed}");
    }
    assert!(n_accepted.iter().all(|n| *n > 50_000), "{n_accepted:?}");
}

/// A formula and its negation share no word and leave none out.
#[test]
fn a_negation_accepts_what_the_formula_does_not() {
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let f = random::formula(&mut pool, &mut rng, 8, 2);
        let not = pool.not(f);
        let (yes, no) = (automaton(&mut pool, f), automaton(&mut pool, not));
        assert_eq!(
            simplify(&mut pool, not),
            simplify_negation(&mut pool, f),
            "seed {seed}"
        );
        for _ in 0..N_WORDS {
            let word = random::word(&mut rng, 2);
            assert_ne!(
                yes.accepts(&word),
                no.accepts(&word),
                "seed {seed}: {word:?}"
            );
        }
    }
}

#[test]
fn the_same_formula_gives_the_same_automaton() {
    for seed in 0..300 {
        let build = || {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut pool = Pool::new();
            let f = random::formula(&mut pool, &mut rng, 10, 3);
            automaton(&mut pool, f)
        };
        assert_eq!(build(), build(), "seed {seed}");
    }
}

/// Pairs that mean the same must simplify to the same text, or at least hold on the same words.
#[test]
fn known_equivalences_hold() {
    let pairs = [
        ("[] <> p", "!<> [] !p"),
        ("p V q", "!(!p U !q)"),
        ("p W q", "(p U q) || [] p"),
        ("p W q", "q V (p || q)"),
        ("p M q", "!(!p W !q)"),
        ("p U q", "(p W q) && <> q"),
        ("<> p", "true U p"),
        ("[] p", "false V p"),
        ("X (p U q)", "X p U X q"),
        ("<> <> p", "<> p"),
        ("<> (p && [] <> q)", "<> p && [] <> q"),
        ("X [] <> p", "[] <> p"),
        ("[] <> p || [] <> q", "[] <> (p || q)"),
        ("<> [] p && <> [] q", "<> [] (p && q)"),
        ("p U (q U r) || p U (q U r)", "p U (q U r)"),
        ("(p U q) && (r U q)", "(p && r) U q"),
        ("p <-> q", "!(p <-> !q)"),
        ("p -> q", "!p || q"),
    ];
    for (a, b) in pairs {
        let mut pool = Pool::new();
        let all = read(&mut pool, "p && q && r");
        assert_eq!(pool.atoms_of(all).len(), 3);
        // Both texts count their atoms anew, so they are read as one.
        let both = read(
            &mut pool,
            &format!("(p || q || r || true) && ({a} <-> ({b}))"),
        );
        let simple = simplify(&mut pool, both);
        for seed in 0..400 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let word = random::word(&mut rng, 3);
            assert!(
                word.satisfies(&pool, both),
                "{a} and {b}, seed {seed}: {word:?}"
            );
            assert!(
                word.satisfies(&pool, simple),
                "{a} and {b}, seed {seed}: {word:?}"
            );
        }
    }
}

#[test]
fn kinds_of_properties_are_recognised() {
    use Known::{No, Yes};
    // Safety, co-safety, stutter-invariant.
    let known = [
        ("[] p", Yes, No, Yes),
        ("<> p", No, Yes, Yes),
        ("p U q", No, Yes, Yes),
        ("p W q", Yes, No, Yes),
        ("[] <> p", No, No, Yes),
        ("X p", Yes, Yes, No),
        ("<> (p && X !p)", No, Yes, Yes),
        ("[] (p -> X q)", Yes, No, No),
        ("[] (p -> <> q)", No, No, Yes),
        ("(p U q) || [] p", Yes, No, Yes),
        ("(p W q) && (<> q || [] p)", Yes, No, Yes),
        ("true", Yes, Yes, Yes),
        ("p && !p", Yes, Yes, Yes),
        ("p -> X p", Yes, Yes, No),
        ("<> (p && X p)", No, Yes, No),
        ("[] (p -> (p U (!p && q)))", No, No, Yes),
        ("p", Yes, Yes, Yes),
    ];
    for (text, safety, co_safety, stutter) in known {
        let mut pool = Pool::new();
        let f = read(&mut pool, text);
        let not = pool.not(f);
        let (yes, no) = (automaton(&mut pool, f), automaton(&mut pool, not));
        let simple = simplify(&mut pool, f);
        let traits = classify(&pool, simple, &yes, Some(&no), &LIMITS);
        let told = (traits.safety, traits.co_safety, traits.stutter_invariant);
        assert_eq!(told, (safety, co_safety, stutter), "{text}");
    }
}

/// A formula that is called stutter-invariant does not notice repeated letters; one that is not
/// does, on some word; where a formula is a safety property, its monitor finds every violation.
#[test]
fn traits_and_monitors_agree_with_words() {
    let mut n = [0, 0, 0];
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let size = rng.usize(1..8);
        let f = random::formula(&mut pool, &mut rng, size, 2);
        let not = pool.not(f);
        let (yes, no) = (automaton(&mut pool, f), automaton(&mut pool, not));
        let simple = simplify(&mut pool, f);
        let traits = classify(&pool, simple, &yes, Some(&no), &LIMITS);
        let watch = monitor(&yes, &LIMITS).expect("within limits");
        for _ in 0..N_WORDS {
            let word = random::word(&mut rng, 2);
            let slow = stuttered(&word, &mut rng);
            let truth = word.satisfies(&pool, f);
            if traits.stutter_invariant == Known::Yes {
                assert_eq!(
                    slow.satisfies(&pool, f),
                    truth,
                    "seed {seed}: {word:?} {slow:?}"
                );
                n[0] += 1;
            }
            let bad = is_bad(&watch, &word);
            assert!(!bad || !truth, "seed {seed}: {word:?} was stopped");
            if traits.safety == Known::Yes {
                assert_eq!(bad, !truth, "seed {seed}: {word:?}");
                n[1] += 1;
            }
            if traits.co_safety == Known::Yes {
                let watch = monitor(&no, &LIMITS).expect("within limits");
                assert_eq!(is_bad(&watch, &word), truth, "seed {seed}: {word:?}");
                n[2] += 1;
            }
        }
        if traits.safety == Known::No {
            // Some word is followed for ever and violates the formula all the same.
            let sought = words_of_two_atoms();
            let shown = |w: &Lasso| !is_bad(&watch, w) && !w.satisfies(&pool, f);
            assert!(
                size > 4 || sought.iter().any(shown),
                "seed {seed}: no word shows that it is no safety property"
            );
        }
    }
    assert!(n.iter().all(|n| *n > 3000), "{n:?}");
}

/// All words with at most two letters before a loop of at most three.
fn words_of_two_atoms() -> Vec<Lasso> {
    let mut words = Vec::new();
    for before in 0..3 {
        for around in 1..4 {
            let n = before + around;
            for code in 0..1_u64 << (2 * n) {
                let letters = (0..n).map(|i| code >> (2 * i) & 3).collect();
                words.push(Lasso::new(letters, before));
            }
        }
    }
    words
}

/// The same word with letters repeated.
fn stuttered(word: &Lasso, rng: &mut fastrand::Rng) -> Lasso {
    let (mut letters, mut start) = (Vec::new(), 0);
    for (i, letter) in word.letters().iter().enumerate() {
        if i == word.start() {
            start = letters.len();
        }
        letters.extend(vec![*letter; rng.usize(1..4)]);
    }
    Lasso::new(letters, start)
}

/// Whether a prefix of the word is bad: after as many turns as the monitor has states, and one, it
/// repeats itself.
fn is_bad(watch: &Monitor, word: &Lasso) -> bool {
    let n_letters = word.letters().len() * (watch.n_states() + 2);
    let (mut state, mut at) = (0, 0);
    for _ in 0..n_letters {
        match watch.step(state, word.letters()[at]) {
            Some(next) => state = next,
            None => return true,
        }
        at = word.after(at);
    }
    false
}

#[track_caller]
fn automaton(pool: &mut Pool, f: FormulaId) -> Buchi {
    automaton_of(pool, f, &LIMITS).expect("within limits")
}
