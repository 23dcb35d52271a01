//! Chased processes: what is said to hold for every choice of τ, beside choices made at random.

use std::collections::HashMap;

use base::Allowance;
use cspm::compress::chase::{ChaseResult, settle};
use cspm::leaf::{Lts, explore};
use cspm::operate::{ChaseReading, Operator, StateLimits, TermLabel};
use cspm::process::{Compression, Event, Term, Terms};

use crate::compress::system;
use crate::denote::Meaning;
use crate::denote::Model::{Divergences, Failures, Traces};
use crate::observe::{endless, observe};
use crate::sample::{Bodies, MIXES, N_EVENTS, random, refines};

/// How many histories a choice tells apart.
const N_HISTORIES: u64 = 3;

/// The system with one τ of each state followed, by the definition: which one is random, and
/// depends on what happened before. Nothing if τ does not end.
fn resolved(lts: &Lts, seed: u64) -> Option<Lts> {
    let choice = |state: u32, history: u64, n: usize| {
        let mixed = seed ^ u64::from(state) << 20 ^ history << 40;
        fastrand::Rng::with_seed(mixed).usize(..n)
    };
    let follow = |mut state: u32, history: u64| {
        for _ in 0..=lts.n_states() {
            let taus: Vec<u32> = lts.taus(state).collect();
            if taus.is_empty() {
                return Some((state, history));
            }
            state = taus[choice(state, history, taus.len())];
        }
        None
    };
    let mut order = vec![follow(0, 0)?];
    let mut numbers = HashMap::from([(order[0], 0)]);
    let mut states = Vec::new();
    let mut at = 0;
    while let Some(&(state, history)) = order.get(at) {
        at += 1;
        let mut steps = Vec::new();
        for &(label, next) in lts.steps(state) {
            let number = match label {
                TermLabel::Event(event) => event.index() as u64,
                _ => 0,
            };
            let next = follow(next, (history * 5 + number + 1) % N_HISTORIES)?;
            let n_known = order.len() as u32;
            let number = *numbers.entry(next).or_insert_with(|| {
                order.push(next);
                n_known
            });
            steps.push((label, number));
        }
        states.push(steps);
    }
    Some(Lts::new(states))
}

fn seen(lts: &Lts, strict: bool) -> Meaning {
    observe(lts, N_EVENTS, strict, 5)
}

/// Compares what is said of a system with choices; how many were settled, and how many not.
fn compare(lts: &Lts, seed: &str, n: &mut [usize; 3]) {
    let found = settle(lts, &mut Allowance::endless()).expect("without limits");
    for choice in 0..4 {
        let one = resolved(lts, choice);
        match (&found, &one) {
            (ChaseResult::Same(made), Some(one)) => {
                n[0] += 1;
                for strict in [false, true] {
                    let (same, one) = (seen(&made.lts, strict), seen(one, strict));
                    assert_eq!(same, one, "seed {seed}, choice {choice}");
                }
                assert!(made.lts.states().all(|s| !made.lts.is_unstable(s)));
            }
            (ChaseResult::Matters(_, chase), Some(one)) => {
                n[1] += 1;
                let (every, nothing) = (chase.every().lts, chase.nothing().lts);
                let mut rng = fastrand::Rng::with_seed(choice);
                let chosen = chase.chosen(&mut |n| rng.usize(..n)).lts;
                for model in [Traces, Failures, Divergences] {
                    let strict = model == Divergences;
                    let every = seen(&every, strict);
                    for one in [one, &chosen] {
                        let one = seen(one, strict);
                        let words = format!("seed {seed}, choice {choice}, {model:?}");
                        assert!(refines(model, &every, &one), "{words}: every τ");
                        let nothing = seen(&nothing, strict);
                        assert!(strict || refines(model, &one, &nothing), "{words}: no τ");
                    }
                }
                assert!(chosen.states().all(|s| !chosen.is_unstable(s)));
            }
            (ChaseResult::Endless(_, chase), one) => {
                n[2] += 1;
                let every = chase.every().lts;
                assert!(!endless(&every).is_empty(), "seed {seed}");
                if let Some(one) = one {
                    for model in [Traces, Failures] {
                        let [every, nothing] =
                            [&every, &chase.nothing().lts].map(|l| seen(l, false));
                        let one = seen(one, false);
                        assert!(refines(model, &every, &one), "seed {seed}: every τ");
                        assert!(refines(model, &one, &nothing), "seed {seed}: no τ");
                    }
                }
            }
            (found, None) => panic!("seed {seed}: τ does not end, and {found:?}"),
        }
    }
}

#[test]
fn what_is_said_of_every_choice_is_true_of_choices_at_random() {
    let mut n = [0; 3];
    for seed in 0..3000 {
        compare(&system(seed), &seed.to_string(), &mut n);
    }
    for mix in MIXES {
        for seed in 0..150 {
            let mut sample = random(seed, mix);
            let root = sample.root;
            if let Some(leaf) = sample.leaf(root) {
                compare(&leaf.lts, &format!("{seed} of {mix:?}"), &mut n);
            }
        }
    }
    assert!(n.iter().all(|&n| n > 500), "{n:?}");
}

#[test]
fn where_the_choice_matters_it_is_found_to() {
    // If it is said to matter, two choices differ in a system of which every state can be reached.
    let (mut n_matters, mut n_seen) = (0, 0);
    for seed in 0..2000 {
        let lts = system(seed);
        let found = settle(&lts, &mut Allowance::endless());
        if !matches!(found, Ok(ChaseResult::Matters(..))) {
            continue;
        }
        n_matters += 1;
        let all = (0..8).filter_map(|choice| resolved(&lts, choice));
        let all: Vec<Meaning> = all.map(|lts| seen(&lts, false)).collect();
        n_seen += usize::from(all.iter().any(|one| *one != all[0]));
    }
    // Bisimilarity tells more apart than failures do, and eight choices are few.
    assert!(
        n_matters > 100 && n_seen * 10 > n_matters * 8,
        "{n_seen} of {n_matters}"
    );
}

/// `chase((a -> STOP |~| b -> STOP) ; c -> STOP)`, or the like, in a reading.
fn chased(reading: ChaseReading) -> (Lts, Operator) {
    let mut terms = Terms::default();
    let stop = terms.term(Term::Stop);
    let [a, b] = [0, 1].map(|e| terms.term(Term::Prefix([(Event::new(e), stop)].into())));
    let either = terms.term(Term::Internal([a, b].into()));
    let twice = terms.term(Term::Prefix([(Event::new(2), either)].into()));
    let root = terms.term(Term::Compressed(Compression::Chase, twice));
    let mut operator = Operator::new(StateLimits {
        states_max: 100,
        depth_max: 100,
    });
    operator.set_reading(reading);
    let leaf = explore(root, &mut operator, &mut terms, &mut Bodies(vec![]));
    (leaf.expect("few states").lts, operator)
}

#[test]
fn a_chased_process_is_read_as_asked_and_noted() {
    let (every, operator) = chased(ChaseReading::Every);
    assert_eq!(every.n_states(), 5);
    assert_eq!(operator.unsettled().len(), 1);
    assert!(!operator.unsettled()[0].is_endless);
    let (nothing, _) = chased(ChaseReading::Nothing);
    assert_eq!((nothing.n_states(), nothing.n_steps()), (2, 2));
    for (numbers, event) in [(vec![], 0), (vec![1], 1)] {
        let (one, operator) = chased(ChaseReading::Chosen(numbers));
        assert_eq!(one.n_states(), 3);
        assert_eq!(operator.choices(), [(event, 2)]);
        assert_eq!(one.steps(1)[0].0, TermLabel::Event(Event::new(event)));
    }
}
