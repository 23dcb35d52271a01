//! A store that keeps hashes only: what it finds is shown, and nothing is known to hold.

use crate::explore::{ALL, Sort, explore};
use crate::toy::Toy;
use crate::twin;
use check::{
    Attention, Chance, Ended, Guarantee, Identity, Options, Order, Outcome, Reducer, Reducers,
    StopReason, StoreKind, Task, Verdict, task,
};

const ORDERS: [Order; 3] = [
    Order::Breadth,
    Order::Depth,
    Order::Mixed {
        seed: 7,
        to_front: Chance::THIRD,
    },
];

/// Makes reducers that sort.
struct Sorts;

impl Reducers for Sorts {
    fn worker(&self) -> Box<dyn Reducer> {
        Box::new(Sort::default())
    }

    fn needs_order(&self) -> bool {
        false
    }
}

fn compact(toy: &Toy, reducers: &dyn Reducers, n_bits: u32, options: &Options<'_>) -> Outcome {
    let task = Task {
        system: toy,
        reducers,
        store: StoreKind::Compact { n_bits },
        options: *options,
    };
    task::explore(&task, &mut |_| {}).expect("replays succeed")
}

#[test]
fn a_task_with_an_exact_store_is_a_plain_search() {
    for n in 2..7 {
        for order in ORDERS {
            let task = Task {
                system: &Toy::bits(n),
                reducers: &Sorts,
                store: StoreKind::Exact,
                options: Options { order, ..ALL },
            };
            let outcome = task::explore(&task, &mut |_| {}).expect("replays succeed");
            let mut sort = Sort::default();
            assert_eq!(sort.guarantee(), Guarantee::Exact);
            let plain = check::explore(&Toy::bits(n), &mut sort, &task.options, &mut |_| {});
            let plain = plain.expect("replays succeed");
            assert_eq!(twin::said(&outcome), twin::said(&plain));
            assert_eq!(outcome.verdict(), plain.verdict());
        }
    }
}

#[test]
fn with_long_hashes_all_is_seen_and_nothing_is_said_to_hold() {
    let mut n_without_error = 0;
    for seed in 0..400 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        for order in ORDERS {
            let options = Options { order, ..ALL };
            let exact = explore(&toy, &options);
            let lossy = compact(&toy, &Identity, 64, &options);
            assert_eq!(twin::said(&lossy), twin::said(&exact), "seed {seed}");
            let ended = match exact.ended {
                Ended::Complete => Ended::Stopped(StopReason::Approximate),
                ended => ended,
            };
            assert_eq!(lossy.ended, ended, "seed {seed}");
            if exact.verdict() == Verdict::Holds {
                let unknown = Verdict::Unknown(StopReason::Approximate);
                assert_eq!(lossy.verdict(), unknown, "seed {seed}");
                n_without_error += 1;
            }
        }
    }
    assert!(n_without_error > 20, "only {n_without_error}");
}

#[test]
fn with_short_hashes_states_are_missed_and_what_is_found_is_still_replayed() {
    let (mut n_missed, mut n_found) = (0, 0);
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let toy = Toy::random(&mut rng);
        for order in ORDERS {
            let options = Options { order, ..ALL };
            let exact = explore(&toy, &options);
            let lossy = compact(&toy, &Identity, rng.u32(1..6), &options);
            assert!(
                lossy.counts.n_states <= exact.counts.n_states,
                "seed {seed}"
            );
            assert_ne!(lossy.verdict(), Verdict::Holds, "seed {seed}");
            n_missed += u32::from(lossy.counts.n_states < exact.counts.n_states);
            n_found += lossy.findings.len();
        }
    }
    assert!(n_missed > 100 && n_found > 100, "{n_missed} and {n_found}");
}

#[test]
fn paths_of_representatives_become_runs() {
    for n in 2..7 {
        for order in ORDERS {
            let options = Options { order, ..ALL };
            let outcome = compact(&Toy::bits(n), &Sorts, 64, &options);
            assert_eq!(outcome.counts.n_states, n as u64 + 1);
            assert_eq!(outcome.findings[0].witness.n_moves(), n);
        }
    }
}

#[test]
fn states_that_wait_count_as_memory() {
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    for order in ORDERS {
        let options = Options { order, ..quiet };
        let all = compact(&Toy::bits(12), &Identity, 64, &options);
        let bytes_max = all.memory.peak_bytes / 2;
        let limited = Options {
            memory_bytes_max: Some(bytes_max),
            ..options
        };
        let outcome = compact(&Toy::bits(12), &Identity, 64, &limited);
        assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Memory));
        assert!(outcome.memory.peak_bytes <= bytes_max, "{order:?}");
    }
}
