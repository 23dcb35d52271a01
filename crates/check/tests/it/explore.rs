//! Counts, orders and errors.

use crate::toy::{Deed, Rule, Test, Toy};
use crate::twin;
use check::{
    Attention, Chance, Ended, Guarantee, Identity, Options, Order, Outcome, Reducer, StopReason,
    Symmetry, Verdict, Violation,
};
use std::time::Duration;
use system::FaultKind;

pub const ALL: Options<'static> = Options {
    order: Order::Breadth,
    deadlocks: Attention::Reported,
    assertions: Attention::Reported,
    invariants: Attention::Ignored,
    goals: Attention::Ignored,
    stop_after: None,
    memory_bytes_max: None,
    clock: base::Clock::ENDLESS,
    depth_max: None,
    progress_every: Duration::MAX,
    threads: check::Threads::ONE,
};

pub const BY_DEPTH: Options<'static> = Options {
    order: Order::Depth,
    ..ALL
};

pub fn explore(toy: &Toy, options: &Options<'_>) -> Outcome {
    check::explore(toy, &mut Identity, options, &mut |_| {}).expect("replays succeed")
}

fn counts(outcome: &Outcome) -> (u64, u64, u64) {
    let counts = outcome.counts;
    (counts.n_states, counts.n_transitions, counts.depth)
}

/// Sorts all bytes: a symmetry of [`Toy::bits`].
#[derive(Default)]
pub struct Sort {
    last: Vec<u32>,
}

impl Reducer for Sort {
    fn reduce(&mut self, state: &mut [u8]) {
        let mut order: Vec<usize> = (0..state.len()).collect();
        order.sort_by_key(|at| state[*at]);
        self.last = vec![0; state.len()];
        for (to, at) in order.iter().enumerate() {
            self.last[*at] = to as u32;
        }
        state.sort_unstable();
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(Symmetry::new(&self.last))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        *out = state.to_vec();
        for (at, to) in symmetry.image().iter().enumerate() {
            out[*to as usize] = state[at];
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn another(&self) -> Option<Box<dyn Reducer>> {
        Some(Box::new(Sort::default()))
    }
}

#[test]
fn puzzles_have_their_known_counts() {
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    for n in 1..10 {
        let outcome = explore(&Toy::bits(n), &quiet);
        let n_moves = n as u64 * (1 << (n - 1));
        assert_eq!(counts(&outcome), (1 << n, n_moves + 1, n as u64));
        assert_eq!(outcome.verdict(), Verdict::Holds);
    }
    for n in 1..8 {
        let outcome = explore(&Toy::hanoi(n), &quiet);
        let n_states = 3_u64.pow(n as u32);
        let expected = (n_states, 3 * n_states - 3 + 1, (1 << n) - 1);
        assert_eq!(counts(&outcome), expected);
    }
}

#[test]
fn both_orders_agree_with_the_plain_search() {
    for seed in 0..600 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let (plain, _) = twin::by_breadth(&toy);
        let breadth = explore(&toy, &ALL);
        assert_eq!(twin::said(&breadth), plain, "seed {seed}");
        let depth = explore(&toy, &BY_DEPTH);
        let said = twin::said(&depth);
        assert_eq!(said.n_states, plain.n_states, "seed {seed}");
        assert_eq!(said.n_transitions, plain.n_transitions, "seed {seed}");
        assert_eq!(said.depth, twin::depth_of_stack(&toy), "seed {seed}");
        for (violation, (n_seen, shortest)) in &plain.seen {
            let seen = said.seen[violation];
            assert_eq!(seen.0, *n_seen, "seed {seed}: {violation:?}");
            assert!(seen.1 >= *shortest, "seed {seed}: {violation:?}");
        }
        assert_eq!(said.seen.len(), plain.seen.len(), "seed {seed}");
        assert_eq!(depth.ended, breadth.ended, "seed {seed}");
    }
}

#[test]
fn a_mixed_order_sees_what_the_plain_search_sees() {
    for seed in 0..600 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let (plain, depths) = twin::by_breadth(&toy);
        let order = Order::Mixed {
            seed,
            to_front: Chance::THIRD,
        };
        let mixed = explore(&toy, &Options { order, ..ALL });
        let said = twin::said(&mixed);
        assert_eq!(said.n_states, plain.n_states, "seed {seed}");
        assert_eq!(said.n_transitions, plain.n_transitions, "seed {seed}");
        assert!(said.depth >= plain.depth, "seed {seed}");
        assert!(said.depth < depths.len().max(1) as u64, "seed {seed}");
        for (violation, (n_seen, shortest)) in &plain.seen {
            let seen = said.seen[violation];
            assert_eq!(seen.0, *n_seen, "seed {seed}: {violation:?}");
            assert!(seen.1 >= *shortest, "seed {seed}: {violation:?}");
        }
        assert_eq!(said.seen.len(), plain.seen.len(), "seed {seed}");
        assert_eq!(mixed.ended, explore(&toy, &ALL).ended, "seed {seed}");
    }
}

#[test]
fn a_seed_gives_one_search_and_seeds_give_several() {
    // An error that takes all bits but one: how many states come before it is a matter of order.
    let mut toy = Toy::bits(8);
    toy.wrong = Some(((0..7).map(|i| (i, Test::Is(1))).collect(), FaultKind::Goal));
    let until = |seed| {
        let options = Options {
            order: Order::Mixed {
                seed,
                to_front: Chance::THIRD,
            },
            goals: Attention::Reported,
            deadlocks: Attention::Ignored,
            stop_after: Some(1),
            ..ALL
        };
        let outcome = explore(&toy, &options);
        assert_eq!(outcome.verdict(), Verdict::Violated, "seed {seed}");
        assert!(outcome.findings[0].witness.n_moves() >= 7, "seed {seed}");
        counts(&outcome)
    };
    let mut seen: Vec<_> = (0..20).map(until).collect();
    assert_eq!(seen, (0..20).map(until).collect::<Vec<_>>());
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn a_mixed_order_under_a_reducer_sees_one_state_an_orbit() {
    for seed in 0..200 {
        let toy = Toy::symmetric(&mut fastrand::Rng::with_seed(seed));
        let mut reducer = Sort::default();
        let order = Order::Mixed {
            seed,
            to_front: Chance::THIRD,
        };
        let options = Options {
            order,
            deadlocks: Attention::Ignored,
            ..ALL
        };
        let mixed = check::explore(&toy, &mut reducer, &options, &mut |_| {}).expect("replays");
        let expected = twin::n_representatives(&toy, &mut reducer);
        assert_eq!(mixed.counts.n_states, expected, "seed {seed}");
        let by_breadth = Options {
            order: Order::Breadth,
            ..options
        };
        assert_eq!(
            mixed.verdict(),
            explore(&toy, &by_breadth).verdict(),
            "seed {seed}"
        );
    }
}

#[test]
fn what_is_wrong_is_found_whether_or_not_all_is_asked_for() {
    for seed in 0..500 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let all = explore(&toy, &ALL);
        for order in [
            Order::Breadth,
            Order::Depth,
            Order::Mixed {
                seed,
                to_front: Chance::THIRD,
            },
        ] {
            let options = Options {
                order,
                stop_after: Some(1),
                ..ALL
            };
            let first = explore(&toy, &options);
            assert_eq!(first.verdict(), all.verdict(), "seed {seed}");
            let violated = all.verdict() == Verdict::Violated;
            assert_eq!(first.n_errors, u64::from(violated), "seed {seed}");
            assert_eq!(first.ended == Ended::AtError, violated, "seed {seed}");
        }
    }
}

#[test]
fn the_search_stops_at_the_nth_error() {
    let mut toy = Toy::bits(6);
    toy.rules[3].fault = Some((0, FaultKind::Assertion));
    for n in 1..=33 {
        let options = Options {
            stop_after: Some(n),
            ..ALL
        };
        let outcome = explore(&toy, &options);
        assert_eq!((outcome.n_errors, outcome.ended), (n, Ended::AtError));
    }
    // Bit 3 is set in 32 states; the state with all bits set is a deadlock.
    let outcome = explore(&toy, &ALL);
    assert_eq!((outcome.n_errors, outcome.ended), (33, Ended::Complete));
    assert_eq!(counts(&outcome), (64, 6 * 32 + 1, 6));
    let seen: Vec<u64> = outcome.findings.iter().map(|f| f.n_seen).collect();
    assert_eq!(seen, [32, 1]);
}

#[test]
fn what_is_ignored_is_no_error() {
    let mut toy = Toy::bits(4);
    toy.rules[2].fault = Some((0, FaultKind::Assertion));
    let verdict = |deadlocks, assertions| {
        let options = Options {
            deadlocks,
            assertions,
            ..ALL
        };
        let outcome = explore(&toy, &options);
        (outcome.verdict(), outcome.findings.len())
    };
    use Attention::{Ignored, Reported};
    assert_eq!(verdict(Reported, Reported), (Verdict::Violated, 2));
    assert_eq!(verdict(Reported, Ignored), (Verdict::Violated, 1));
    assert_eq!(verdict(Ignored, Reported), (Verdict::Violated, 1));
    assert_eq!(verdict(Ignored, Ignored), (Verdict::Holds, 0));
}

#[test]
fn only_a_fault_that_goes_on_leads_on() {
    let mut toy = Toy::bits(4);
    toy.rules[0].fault = Some((0, FaultKind::Index));
    // The first bit is never set, and without it every state may rest.
    let outcome = explore(&toy, &ALL);
    assert_eq!(counts(&outcome), (8, 3 * 4 + 1, 3));
    assert_eq!((outcome.n_errors, outcome.findings.len()), (8, 1));
}

#[test]
fn steps_that_do_not_end_leave_the_verdict_open() {
    let mut toy = Toy::bits(3);
    toy.rules[0].fault = Some((0, FaultKind::Endless));
    for options in [ALL, BY_DEPTH] {
        let outcome = explore(&toy, &options);
        assert_eq!(outcome.verdict(), Verdict::Unknown(StopReason::Endless));
        assert_eq!((outcome.n_errors, outcome.findings.len()), (0, 1));
    }
    toy.rules[1].fault = Some((0, FaultKind::Division));
    assert_eq!(explore(&toy, &ALL).verdict(), Verdict::Violated);
}

#[test]
fn a_false_start_is_found_and_has_an_empty_run() {
    let mut toy = Toy::bits(2);
    toy.false_start = Some(FaultKind::Index);
    for options in [ALL, BY_DEPTH] {
        let outcome = explore(&toy, &options);
        let first = &outcome.findings[0];
        assert!(
            matches!(first.violation, Violation::Fault(fault) if fault.kind == FaultKind::Index)
        );
        assert_eq!(
            (first.witness.start().len(), first.witness.n_moves()),
            (0, 0)
        );
    }
}

#[test]
fn no_initial_state_is_an_empty_search() {
    let toy = Toy::default();
    for options in [ALL, BY_DEPTH] {
        let outcome = explore(&toy, &options);
        assert_eq!(counts(&outcome), (0, 0, 0));
        assert_eq!(outcome.verdict(), Verdict::Holds);
    }
}

#[test]
fn rules_that_were_never_taken_are_listed() {
    let mut toy = Toy::bits(3);
    toy.rules.push(Rule {
        guards: vec![(0, Test::Is(7))],
        deeds: vec![Deed::Set(0, 0)],
        fault: None,
    });
    let outcome = explore(&toy, &ALL);
    let lines: Vec<u32> = outcome.unreached.iter().map(|text| text.line).collect();
    assert_eq!(lines, [4]);
}

#[test]
fn a_reducer_leaves_one_state_an_orbit() {
    for n in 1..10 {
        let toy = Toy::bits(n);
        for order in [
            Order::Breadth,
            Order::Depth,
            Order::Mixed {
                seed: 3,
                to_front: Chance::THIRD,
            },
        ] {
            let options = Options { order, ..ALL };
            let outcome =
                check::explore(&toy, &mut Sort::default(), &options, &mut |_| {}).unwrap();
            // From the state with k bits set lead n - k moves.
            let n_moves = (n * (n + 1) / 2) as u64;
            assert_eq!(counts(&outcome), (n as u64 + 1, n_moves + 1, n as u64));
            assert_eq!(
                outcome.counts.n_states,
                twin::n_representatives(&toy, &mut Sort::default())
            );
        }
    }
}

#[test]
fn with_and_without_a_reducer_the_same_is_found() {
    let options = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    let mut n_found = 0;
    for seed in 0..400 {
        let toy = Toy::symmetric(&mut fastrand::Rng::with_seed(seed));
        let reduced =
            check::explore(&toy, &mut Sort::default(), &options, &mut |_| {}).expect("replays");
        let n_representatives = twin::n_representatives(&toy, &mut Sort::default());
        assert_eq!(reduced.counts.n_states, n_representatives, "seed {seed}");
        let (full, reduced) = (twin::said(&explore(&toy, &options)), twin::said(&reduced));
        assert_eq!(reduced.depth, full.depth, "seed {seed}");
        // Each thing is seen as many times as orbits have it, and shortest runs stay shortest.
        let lengths = |plain: &twin::Plain| {
            let seen = plain.seen.iter();
            seen.map(|(violation, (_, n))| (*violation, *n))
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(&reduced), lengths(&full), "seed {seed}");
        n_found += full.seen.len();
    }
    assert!(n_found > 50, "only {n_found} things were found in all");
}

#[test]
fn the_same_search_gives_the_same_outcome() {
    for seed in 0..50 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        for options in [ALL, BY_DEPTH] {
            let texts = [(); 2].map(|()| {
                let outcome = explore(&toy, &options);
                format!("{:?} {:?}", outcome.counts, outcome.findings)
            });
            assert_eq!(texts[0], texts[1], "seed {seed}");
        }
    }
}

/// All three bits set, which takes three moves: sorted or not.
fn forbidden() -> Toy {
    let mut toy = Toy::bits(3);
    let set = (0..3).map(|at| (at, Test::Is(1))).collect();
    toy.wrong = Some((set, FaultKind::Invariant));
    toy
}

#[test]
fn what_is_wrong_in_a_state_is_found_with_a_run_to_it() {
    let toy = forbidden();
    for order in [Order::Breadth, Order::Depth] {
        let options = Options {
            order,
            invariants: Attention::Reported,
            deadlocks: Attention::Ignored,
            ..ALL
        };
        let sorted = check::explore(&toy, &mut Sort::default(), &options, &mut |_| {});
        let outcomes = [explore(&toy, &options), sorted.expect("replays succeed")];
        for outcome in outcomes {
            assert_eq!(outcome.verdict(), Verdict::Violated);
            let [finding] = &outcome.findings[..] else {
                panic!("one thing is wrong");
            };
            assert_eq!((finding.n_seen, finding.witness.steps().len()), (1, 3));
            assert_eq!(finding.witness.reasons(), [("sum".into(), "3".into())]);
        }
    }
    // Nobody asked.
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    assert_eq!(explore(&toy, &quiet).verdict(), Verdict::Holds);
}

#[test]
fn what_was_not_tried_leaves_the_verdict_open() {
    let mut toy = forbidden();
    toy.wrong = toy.wrong.map(|(guards, _)| (guards, FaultKind::Cut));
    let quiet = Options {
        deadlocks: Attention::Ignored,
        ..ALL
    };
    let verdict = explore(&toy, &quiet).verdict();
    assert_eq!(verdict, Verdict::Unknown(StopReason::Cut));
}

#[test]
fn moves_with_one_label_into_one_state_count_once() {
    let mut toy = Toy::bits(3);
    toy.is_labelled = true;
    for order in [Order::Breadth, Order::Depth] {
        let options = Options {
            order,
            deadlocks: Attention::Ignored,
            ..ALL
        };
        // Without reduction all moves of a state lead to different ones.
        assert_eq!(explore(&toy, &options).counts.n_transitions, 1 + 12);
        let sorted = check::explore(&toy, &mut Sort::default(), &options, &mut |_| {});
        assert_eq!(sorted.expect("replays succeed").counts.n_transitions, 1 + 3);
        let bare = Toy::bits(3);
        let sorted = check::explore(&bare, &mut Sort::default(), &options, &mut |_| {});
        assert_eq!(sorted.expect("replays succeed").counts.n_transitions, 1 + 6);
    }
}
