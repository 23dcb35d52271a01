//! What comes out of a search does not depend on its threads.

use crate::explore::{ALL, Sort};
use crate::toy::{Deed, Rule, Test, Toy};
use check::{Attention, Begin, Guarantee, Identity, Options, Outcome, Reducer, Symmetry, Threads};
use std::time::Duration;

const STACK_BYTES: usize = 1 << 20;

fn at_once(n: usize) -> Threads {
    Threads {
        n,
        stack_bytes: STACK_BYTES,
        begin: Begin::AtOnce,
    }
}

/// All that is found, without what is measured. Steps that were taken count only where all states
/// were seen, since threads look ahead.
fn found(toy: &Toy, reducer: &mut dyn Reducer, options: &Options<'_>) -> String {
    let outcome = check::explore(toy, reducer, options, &mut |_| {}).expect("replays succeed");
    let is_complete = outcome.ended == check::Ended::Complete;
    let Outcome {
        ended,
        findings,
        n_errors,
        counts,
        covered,
        unreached,
        ..
    } = outcome;
    let taken = is_complete.then_some((covered, unreached));
    format!("{ended:?} {findings:?} {n_errors} {counts:?} {taken:?}")
}

fn settings(seed: u64) -> Options<'static> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let attention = |yes| {
        if yes {
            Attention::Reported
        } else {
            Attention::Ignored
        }
    };
    Options {
        deadlocks: attention(rng.bool()),
        assertions: attention(rng.bool()),
        stop_after: rng.bool().then(|| rng.u64(1..4)),
        depth_max: (rng.u8(0..4) == 0).then(|| rng.u64(0..6)),
        ..ALL
    }
}

#[test]
fn random_systems_give_the_same_on_any_number_of_threads() {
    for seed in 0..400 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let one = settings(seed);
        let expected = found(&toy, &mut Identity, &one);
        for n in [2, 3] {
            let threads = at_once(n);
            let several = Options { threads, ..one };
            let got = found(&toy, &mut Identity, &several);
            assert_eq!(got, expected, "seed {seed}, {n} threads");
        }
    }
}

/// Counters that go up one by one: sorted, as many states as there are partitions.
fn counters(n: usize, top: u8) -> Toy {
    let up = |i| Rule {
        guards: vec![(i, Test::Below(top))],
        deeds: vec![Deed::Add(i, 1)],
        fault: None,
    };
    Toy {
        initial: vec![vec![0; n]],
        rules: (0..n).map(up).collect(),
        ..Toy::default()
    }
}

#[test]
fn a_reduced_search_gives_the_same_on_any_number_of_threads() {
    for seed in 0..200 {
        let toy = Toy::symmetric(&mut fastrand::Rng::with_seed(seed));
        let one = settings(seed);
        let expected = found(&toy, &mut Sort::default(), &one);
        for n in [2, 4] {
            let threads = at_once(n);
            let several = Options { threads, ..one };
            let got = found(&toy, &mut Sort::default(), &several);
            assert_eq!(got, expected, "seed {seed}, {n} threads");
        }
    }
    let toy = counters(12, 4);
    let expected = found(&toy, &mut Sort::default(), &ALL);
    assert!(expected.contains("n_states: 1820,"), "{expected}");
    let threads = at_once(3);
    let several = Options { threads, ..ALL };
    assert_eq!(found(&toy, &mut Sort::default(), &several), expected);
}

/// Sorts bytes on the first thread and leaves them as they are on the others.
#[derive(Default)]
struct SortedAtHome(Sort);

impl Reducer for SortedAtHome {
    fn reduce(&mut self, state: &mut [u8]) {
        self.0.reduce(state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.0.symmetry()
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.0.apply(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        Some(Box::new(Identity))
    }
}

#[test]
fn a_reducer_that_chooses_otherwise_on_another_thread_is_seen() {
    let toy = counters(4, 3);
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    let threads = at_once(2);
    let several = Options { threads, ..quiet };
    let one = found(&toy, &mut SortedAtHome::default(), &quiet);
    assert!(one.contains("n_states: 35,"), "{one}");
    assert_ne!(found(&toy, &mut SortedAtHome::default(), &several), one);
}

#[test]
fn large_levels_are_cut_into_chunks_without_a_trace() {
    let toy = Toy::hanoi(8);
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    let expected = found(&toy, &mut Identity, &quiet);
    assert!(expected.contains("n_states: 6561"), "{expected}");
    for n in [2, 4, 7] {
        let threads = at_once(n);
        let several = Options { threads, ..quiet };
        assert_eq!(found(&toy, &mut Identity, &several), expected);
    }
}

#[test]
fn limits_end_a_search_on_several_threads() {
    let toy = Toy::hanoi(9);
    let quiet = Options {
        deadlocks: Attention::Ignored,
        threads: at_once(3),
        ..ALL
    };
    let mut ended = Vec::new();
    for memory_bytes_max in [200_000, 300_000, 400_000, 600_000, 100_000_000] {
        let limited = Options {
            memory_bytes_max: Some(memory_bytes_max),
            ..quiet
        };
        let outcome = check::explore(&toy, &mut Identity, &limited, &mut |_| {});
        let outcome = outcome.expect("replays succeed");
        assert!(outcome.memory.peak_bytes <= memory_bytes_max);
        ended.push(outcome.ended == check::Ended::Complete);
    }
    assert!(!ended[0] && ended[4], "{ended:?}");
    let over = Options {
        clock: base::Clock::of(Some(Duration::ZERO)),
        ..quiet
    };
    let outcome = check::explore(&toy, &mut Identity, &over, &mut |_| {});
    let stopped = check::Ended::Stopped(check::StopReason::Time);
    assert_eq!(outcome.expect("no run").ended, stopped);
}
