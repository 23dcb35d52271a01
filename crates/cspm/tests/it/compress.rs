//! Compressions keep the meaning, and are as small as they say.

use std::collections::BTreeSet;

use base::{Allowance, Clock, Over, Spent};
use cspm::compress::{Compressed, compress, delay, diverging, least, strong, weak};
use cspm::leaf::Lts;
use cspm::operate::TermLabel;
use cspm::process::{Compression, Event};

use crate::observe::{endless, observe};
use crate::sample::{COMPRESSIONS, MIXES, N_EVENTS, random};

/// A random system of up to eight states, with many τ.
pub fn system(seed: u64) -> Lts {
    let mut rng = fastrand::Rng::with_seed(seed);
    let n = rng.u32(1..9);
    let mut states = vec![Vec::new(); n as usize];
    for i in 0..n - 1 + rng.u32(0..n + 2) {
        let label = match rng.usize(0..7) {
            0..3 => TermLabel::Tau,
            3 => TermLabel::Tick,
            e => TermLabel::Event(Event::new(e - 4)),
        };
        // The first steps make most states reachable.
        let (from, to) = match i + 1 {
            to if to < n => (rng.u32(0..to), to),
            _ => (rng.u32(0..n), rng.u32(0..n)),
        };
        states[from as usize].push((label, to));
    }
    // Nothing follows ✓.
    let done = states.len() as u32;
    states.push(Vec::new());
    for step in states.iter_mut().flatten() {
        if step.0 == TermLabel::Tick {
            step.1 = done;
        }
    }
    Lts::new(states).reachable().0
}

/// Compressed without limits of time and memory.
fn made(kind: Compression, lts: &Lts, states_max: usize) -> Option<Compressed> {
    compress(kind, lts, states_max, &mut Allowance::endless()).expect("without limits")
}

fn keeps_the_meaning(lts: &Lts, seed: &str) {
    for kind in COMPRESSIONS {
        let made = made(kind, lts, 1000).expect("a small system has a small normal form");
        assert_eq!(made.lts.n_states(), made.origin.len());
        for strict in [false, true] {
            let (before, after) = (
                observe(lts, N_EVENTS, strict, 5),
                observe(&made.lts, N_EVENTS, strict, 5),
            );
            assert_eq!(before, after, "{kind:?} of seed {seed}, strict {strict}");
        }
        if kind != Compression::Normal {
            assert!(
                made.lts.n_states() <= lts.n_states(),
                "{kind:?} of seed {seed}"
            );
        }
    }
}

#[test]
fn compressions_of_systems_keep_their_meaning() {
    for seed in 0..1500 {
        keeps_the_meaning(&system(seed), &seed.to_string());
    }
}

#[test]
fn compressions_of_processes_keep_their_meaning() {
    for mix in MIXES {
        for seed in 0..200 {
            let mut sample = random(seed, mix);
            let root = sample.root;
            if let Some(leaf) = sample.leaf(root) {
                keeps_the_meaning(&leaf.lts, &format!("{seed} of {mix:?}"));
            }
        }
    }
}

/// Which steps are compared in a plain bisimulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Strong,
    Delay,
    Weak,
}

/// Where a step with `label` leads, τ looked through as the kind has it.
fn after(lts: &Lts, kind: Kind, state: u32, label: TermLabel) -> BTreeSet<u32> {
    let closed = |states: BTreeSet<u32>| -> BTreeSet<u32> {
        let mut all = states;
        loop {
            let more: BTreeSet<u32> = all.iter().flat_map(|&s| lts.taus(s)).collect();
            let size = all.len();
            all.extend(more);
            if all.len() == size {
                return all;
            }
        }
    };
    let one = |from: &BTreeSet<u32>| -> BTreeSet<u32> {
        let steps = from.iter().flat_map(|&s| lts.steps(s));
        steps
            .filter(|step| step.0 == label)
            .map(|step| step.1)
            .collect()
    };
    let here = BTreeSet::from([state]);
    match (kind, label) {
        (Kind::Strong, _) => one(&here),
        (_, TermLabel::Tau) => closed(here),
        (Kind::Delay, _) => one(&closed(here)),
        (Kind::Weak, _) => closed(one(&closed(here))),
    }
}

/// How many classes the largest bisimulation has, from pairs that are struck out.
fn n_classes(lts: &Lts, kind: Kind) -> usize {
    let n = lts.n_states() as u32;
    let endless = endless(lts);
    let mut related = BTreeSet::new();
    for s in 0..n {
        for t in 0..n {
            if kind == Kind::Strong || endless.contains(&s) == endless.contains(&t) {
                related.insert((s, t));
            }
        }
    }
    let labels = [TermLabel::Tau, TermLabel::Tick].into_iter();
    let labels: Vec<TermLabel> = labels
        .chain((0..N_EVENTS).map(|e| TermLabel::Event(Event::new(e))))
        .collect();
    loop {
        let matched = |&(s, t): &(u32, u32)| {
            labels.iter().all(|&label| {
                let (mine, other) = (after(lts, kind, s, label), after(lts, kind, t, label));
                mine.iter()
                    .all(|&m| other.iter().any(|&o| related.contains(&(m, o))))
                    && other
                        .iter()
                        .all(|&o| mine.iter().any(|&m| related.contains(&(m, o))))
            })
        };
        let next: BTreeSet<(u32, u32)> = related.iter().copied().filter(matched).collect();
        if next == related {
            let first = |&s: &u32| (0..s).all(|t| !related.contains(&(s, t)));
            return (0..n).filter(first).count();
        }
        related = next;
    }
}

#[test]
fn bisimulations_are_the_largest() {
    for seed in 0..1500 {
        let lts = system(seed);
        let diverges = diverging(&lts);
        let plain = endless(&lts);
        assert!(
            lts.states()
                .all(|s| diverges[s as usize] == plain.contains(&s)),
            "seed {seed}"
        );
        let mut all = Allowance::endless();
        let made = [
            strong(&lts, &mut all),
            delay(&lts, &mut all),
            weak(&lts, &mut all),
        ];
        let made = made.map(|made| made.expect("without limits"));
        for (made, kind) in made.iter().zip([Kind::Strong, Kind::Delay, Kind::Weak]) {
            // A quotient has no state that is never reached: what a class can do, some state can.
            let expected = n_classes(&lts, kind);
            assert_eq!(
                made.lts.n_states(),
                expected,
                "{kind:?} of seed {seed}: {lts:?}"
            );
        }
    }
}

/// The steps of each state, to be changed.
fn steps(lts: &Lts) -> Vec<Vec<(TermLabel, u32)>> {
    lts.states().map(|s| lts.steps(s).to_vec()).collect()
}

/// The same up to τ: a step has τ behind it, or before it, or is there twice, once through a τ.
fn same_up_to_tau(lts: &Lts, rng: &mut fastrand::Rng) -> Lts {
    let mut states = steps(lts);
    for _ in 0..rng.usize(1..4) {
        let from = rng.usize(0..states.len());
        if states[from].is_empty() {
            continue;
        }
        let at = rng.usize(0..states[from].len());
        let (label, to) = states[from][at];
        let new = states.len() as u32;
        match rng.u32(0..3) {
            0 => {
                states.push(vec![(TermLabel::Tau, to)]);
                states[from][at] = (label, new);
            }
            1 => {
                // All that the state does is done by another, which τ leads to.
                let taken = std::mem::replace(&mut states[from], vec![(TermLabel::Tau, new)]);
                states.push(taken);
            }
            _ => {
                let behind: Vec<u32> = states[to as usize]
                    .iter()
                    .filter(|step| step.0 == TermLabel::Tau)
                    .map(|step| step.1)
                    .collect();
                states[from].extend(behind.into_iter().map(|state| (label, state)));
            }
        }
    }
    Lts::new(states).reachable().0
}

/// Whether two systems without bisimilar states of their own are the same up to numbers.
fn same_up_to_numbers(a: &Lts, b: &Lts) -> bool {
    let start = TermLabel::Event(Event::new(N_EVENTS));
    let n = a.n_states() as u32;
    let mut states = vec![vec![(start, 1), (start, 1 + n)]];
    for (lts, first) in [(a, 1), (b, 1 + n)] {
        let moved = |all: Vec<(TermLabel, u32)>| all.into_iter().map(|(l, t)| (l, t + first));
        states.extend(
            steps(lts)
                .into_iter()
                .map(|all| moved(all).collect::<Vec<_>>()),
        );
    }
    let both = strong(&Lts::new(states), &mut Allowance::endless()).expect("without limits");
    a.n_states() == b.n_states() && both.lts.n_states() == a.n_states() + 1
}

fn least_of(lts: &Lts) -> Lts {
    least(lts, &mut Allowance::endless())
        .expect("without limits")
        .lts
}

#[test]
fn systems_that_are_the_same_up_to_tau_have_one_least_system() {
    let mut n_other_quotients = 0;
    for seed in 0..1500 {
        let lts = system(seed);
        let made = least_of(&lts);
        for strict in [false, true] {
            assert_eq!(
                observe(&lts, N_EVENTS, strict, 5),
                observe(&made, N_EVENTS, strict, 5),
                "seed {seed}, strict {strict}"
            );
        }
        let other = same_up_to_tau(&lts, &mut fastrand::Rng::with_seed(seed));
        let other_made = least_of(&other);
        assert!(
            same_up_to_numbers(&made, &other_made),
            "seed {seed}: {lts:?} {other:?}"
        );
        assert_eq!(made.n_steps(), other_made.n_steps(), "seed {seed}");
        let quotients = [&lts, &other].map(|lts| {
            let made = weak(lts, &mut Allowance::endless());
            made.expect("without limits").lts
        });
        n_other_quotients += usize::from(!same_up_to_numbers(&quotients[0], &quotients[1]));
    }
    // Steps that others make up have to be left out for it.
    assert!(n_other_quotients > 20, "{n_other_quotients}");
}

#[test]
fn what_diverges_or_refuses_more_has_another_least_system() {
    let (mut n_diverging, mut n_refusing) = (0, 0);
    for seed in 0..300 {
        let lts = system(seed);
        let made = least_of(&lts);
        if !diverging(&lts)[0] {
            let mut states = steps(&lts);
            states[0].push((TermLabel::Tau, 0));
            assert!(
                !same_up_to_numbers(&made, &least_of(&Lts::new(states))),
                "seed {seed}"
            );
            n_diverging += 1;
        }
        // A way to a state that does nothing, where there was none.
        let mut states = steps(&lts);
        let stop = states.len() as u32;
        states.push(Vec::new());
        states[0].push((TermLabel::Tau, stop));
        let stops = Lts::new(states);
        let differs = observe(&lts, N_EVENTS, false, 5) != observe(&stops, N_EVENTS, false, 5);
        if differs {
            assert!(!same_up_to_numbers(&made, &least_of(&stops)), "seed {seed}");
            n_refusing += 1;
        }
    }
    assert!(
        n_diverging > 100 && n_refusing > 100,
        "{n_diverging} {n_refusing}"
    );
}

#[test]
fn a_long_chain_is_parted_quickly() {
    let n = 200_000;
    let a = TermLabel::Event(Event::new(0));
    let states = (0..n).map(|s| if s + 1 < n { vec![(a, s + 1)] } else { vec![] });
    let lts = Lts::new(states.collect());
    assert_eq!(
        made(Compression::Strong, &lts, 0).unwrap().lts.n_states(),
        n as usize
    );
    let ring = Lts::new((0..n).map(|s| vec![(a, (s + 1) % n)]).collect());
    assert_eq!(
        made(Compression::Strong, &ring, 0).unwrap().lts.n_states(),
        1
    );
}

#[test]
fn a_wrong_compression_is_found() {
    // Forgetting a step, or that τ leads away, shows in some model.
    let differs = |seed: u64| {
        let lts = system(seed);
        let drop = |s: u32| {
            lts.steps(s)
                .iter()
                .copied()
                .filter(|step| step.0 != TermLabel::Tau)
        };
        let wrong = Lts::new(lts.states().map(|s| drop(s).collect()).collect());
        [false, true].iter().any(|&strict| {
            observe(&lts, N_EVENTS, strict, 5) != observe(&wrong, N_EVENTS, strict, 5)
        })
    };
    assert!((0..100).filter(|&seed| differs(seed)).count() > 50);
}

#[test]
fn normal_forms_that_grow_too_large_are_not_made() {
    // The event before the last n must be known: 2^n nodes.
    let (a, b) = (
        TermLabel::Event(Event::new(0)),
        TermLabel::Event(Event::new(1)),
    );
    let n = 12u32;
    let mut states = vec![vec![(a, 0), (b, 0), (b, 1)]];
    for s in 1..=n {
        states.push(if s < n {
            vec![(a, s + 1), (b, s + 1)]
        } else {
            vec![]
        });
    }
    let lts = Lts::new(states);
    assert_eq!(made(Compression::Normal, &lts, 1000), None);
    let made = made(Compression::Normal, &lts, 100_000).expect("the limit is high enough");
    assert!(made.lts.n_states() >= 1 << n, "{}", made.lts.n_states());
}

#[test]
fn compressions_end_with_the_time_and_the_memory() {
    let lts = system(7);
    let lts = &lts;
    // The identity has nothing to ask for.
    let works = |k: &Compression| !matches!(k, Compression::Explicate | Compression::Identity);
    for kind in COMPRESSIONS.into_iter().filter(works) {
        let late = Clock::of(Some(std::time::Duration::ZERO));
        let stopped = compress(kind, lts, 1000, &mut Allowance::new(late, None));
        assert_eq!(stopped, Err(Spent::Clock(Over::Time)), "{kind:?}");
        if kind != Compression::TauLoops {
            let mut small = Allowance::new(Clock::ENDLESS, Some(8));
            let stopped = compress(kind, lts, 1000, &mut small);
            assert_eq!(stopped, Err(Spent::Memory), "{kind:?}");
        }
    }
}
