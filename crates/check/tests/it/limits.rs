//! What a search that may not go on says: unknown, and never that something holds.

use crate::explore::{ALL, BY_DEPTH, Sort, explore};
use crate::toy::Toy;
use crate::twin;
use base::memory::Account;
use check::{
    Attention, Chance, Ended, Guarantee, Identity, Options, Order, Parts, Progress, Reducer,
    StopReason, Store, Symmetry, TreeStore, Verdict, explore_with,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use system::FaultKind;

const QUIET: Options<'static> = Options {
    deadlocks: Attention::Ignored,
    ..ALL
};

#[test]
fn no_time_gives_unknown() {
    for order in [
        ALL.order,
        BY_DEPTH.order,
        Order::Mixed {
            seed: 1,
            to_front: Chance::THIRD,
        },
    ] {
        let options = Options {
            clock: base::Clock::of(Some(Duration::ZERO)),
            order,
            ..QUIET
        };
        let outcome = explore(&Toy::bits(4), &options);
        assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Time));
    }
}

#[test]
fn an_interrupted_search_is_unknown_and_keeps_its_counts() {
    let flag = AtomicBool::new(false);
    let options = Options {
        clock: base::Clock::ENDLESS.interrupted_by(&flag),
        progress_every: Duration::ZERO,
        threads: check::Threads::ONE,
        ..QUIET
    };
    let mut seen: Option<Progress> = None;
    let mut observer = |progress: &Progress| {
        if progress.n_states > 100 && seen.is_none() {
            seen = Some(*progress);
            flag.store(true, Ordering::Relaxed);
        }
    };
    let toy = Toy::bits(12);
    let outcome = check::explore(&toy, &mut Identity, &options, &mut observer).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Interrupted));
    let seen = seen.expect("the observer was called");
    assert!(outcome.counts.n_states >= seen.n_states && outcome.counts.n_states < 4096);
    assert!(seen.n_frontier > 0 && seen.memory_bytes > 0 && seen.n_transitions >= seen.n_states);
}

#[test]
fn memory_is_never_exceeded_and_a_lack_of_it_gives_unknown() {
    let toy = Toy::bits(16);
    for order in [
        ALL.order,
        BY_DEPTH.order,
        Order::Mixed {
            seed: 1,
            to_front: Chance::THIRD,
        },
    ] {
        let mut last = 0;
        for kilobytes in [0, 1, 50, 200, 400, 600, 1 << 20] {
            let options = Options {
                memory_bytes_max: Some(kilobytes << 10),
                order,
                ..QUIET
            };
            let outcome = explore(&toy, &options);
            assert!(outcome.memory.peak_bytes <= kilobytes << 10);
            let n_states = outcome.counts.n_states;
            assert!(n_states >= last, "{kilobytes} KB: {n_states} after {last}");
            last = n_states;
            let expected = match n_states {
                65536 => Verdict::Holds,
                _ => Verdict::Unknown(StopReason::Memory),
            };
            assert_eq!(outcome.verdict(), expected, "{kilobytes} KB");
        }
        assert_eq!(last, 65536);
    }
}

#[test]
fn an_error_before_the_limit_is_an_error() {
    let mut toy = Toy::bits(16);
    toy.rules[7].fault = Some((0, FaultKind::Assertion));
    for order in [
        ALL.order,
        BY_DEPTH.order,
        Order::Mixed {
            seed: 1,
            to_front: Chance::THIRD,
        },
    ] {
        let options = Options {
            memory_bytes_max: Some(300 << 10),
            order,
            ..QUIET
        };
        let outcome = explore(&toy, &options);
        assert_eq!(outcome.verdict(), Verdict::Violated);
        assert_eq!(outcome.ended, Ended::Stopped(StopReason::Memory));
    }
}

#[test]
fn by_breadth_a_depth_leaves_out_exactly_what_is_deeper() {
    for seed in 0..300 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let (plain, depths) = twin::by_breadth(&toy);
        for depth_max in 0..plain.depth + 2 {
            let options = Options {
                depth_max: Some(depth_max),
                ..ALL
            };
            let outcome = explore(&toy, &options);
            let near = depths.values().filter(|depth| **depth <= depth_max);
            let message = format!("seed {seed}, depth {depth_max}");
            assert_eq!(outcome.counts.n_states, near.count() as u64, "{message}");
            let cut_off = outcome.ended == Ended::Stopped(StopReason::Depth);
            assert_eq!(cut_off, depth_max < plain.depth, "{message}");
            if cut_off {
                assert_ne!(outcome.verdict(), Verdict::Holds, "{message}");
            }
        }
    }
}

#[test]
fn by_depth_a_depth_that_leaves_something_out_is_unknown() {
    for seed in 0..300 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let full = explore(&toy, &BY_DEPTH);
        let stride = 1 + full.counts.depth as usize / 10;
        for depth_max in (0..full.counts.depth + 2).step_by(stride) {
            let options = Options {
                depth_max: Some(depth_max),
                ..BY_DEPTH
            };
            let outcome = explore(&toy, &options);
            let message = format!("seed {seed}, depth {depth_max}");
            assert!(outcome.counts.depth <= depth_max, "{message}");
            if outcome.verdict() == Verdict::Holds {
                assert_eq!(outcome.counts.n_states, full.counts.n_states, "{message}");
                assert_eq!(full.verdict(), Verdict::Holds, "{message}");
            }
        }
    }
}

#[test]
fn what_is_accounted_for_is_what_store_and_parents_have() {
    let toy = Toy::hanoi(8);
    let mut store = TreeStore::new();
    let parts = Parts {
        reducer: &mut Identity,
        store: &mut store,
    };
    let outcome = explore_with(&toy, parts, &QUIET, &mut |_| {}).unwrap();
    let bits = outcome.memory.store_bytes - store.bytes();
    // Two bits a state, in words, with up to half as much room again.
    assert!((6561 / 4..6561 / 4 * 3 / 2 + 64).contains(&bits), "{bits}");
    assert!(outcome.memory.peak_bytes >= outcome.memory.store_bytes);
    let mut account = Account::new(None);
    let mut again = TreeStore::new();
    for state in twin::by_breadth(&toy).1.keys() {
        let code = again.encode(state, &mut account).unwrap();
        again.insert(code, &mut account).unwrap();
    }
    assert_eq!((again.bytes(), again.len()), (account.used(), store.len()));
}

#[test]
fn a_limit_holds_with_a_reducer_too() {
    let options = Options {
        depth_max: Some(3),
        ..QUIET
    };
    let outcome =
        check::explore(&Toy::bits(5), &mut Sort::default(), &options, &mut |_| {}).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Depth));
    assert_eq!(outcome.counts.n_states, 4);
}

/// Remembers much.
struct Remembers;

impl Reducer for Remembers {
    fn reduce(&mut self, _: &mut [u8]) {}

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::default())
    }

    fn apply(&self, _: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        *out = state.to_vec();
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn bytes(&self) -> u64 {
        1 << 30
    }
}

#[test]
fn what_a_reducer_remembers_counts() {
    let options = Options {
        memory_bytes_max: Some(1 << 29),
        ..QUIET
    };
    let outcome = check::explore(&Toy::hanoi(5), &mut Remembers, &options, &mut |_| {}).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Memory));
    assert!(outcome.memory.peak_bytes >= 1 << 30);
    let outcome = check::explore(&Toy::hanoi(5), &mut Remembers, &QUIET, &mut |_| {}).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Holds);
}
