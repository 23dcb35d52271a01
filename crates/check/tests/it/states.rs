//! Quotients as they are met: every state and every move, in order, beside the plainest search.

use crate::explore::{ALL, Sort};
use crate::toy::Toy;
use crate::twin;
use check::states::{Met, StatesCut, StatesSeen, explore};
use check::{Identity, Reducer, StopReason, Store};
use system::{Rest, System};

/// What was met of each state, by number.
#[derive(Default)]
struct Recorded {
    n_initial: usize,
    /// Where the moves of each expanded state lead.
    targets: Vec<Vec<usize>>,
    rests: Vec<Rest>,
    wrong: Vec<bool>,
    labels: Vec<String>,
    open: Vec<usize>,
}

fn recorded(toy: &Toy, reducer: &mut dyn Reducer, n_states_max: usize) -> (StatesSeen, Recorded) {
    let mut recorded = Recorded::default();
    let seen = explore(
        toy,
        reducer,
        n_states_max,
        &ALL,
        &mut |_| {},
        &mut |met| match met {
            Met::Initial(node) => {
                assert_eq!(node.index(), recorded.n_initial);
                recorded.n_initial += 1;
            }
            Met::Move {
                steps,
                label,
                target,
            } => {
                assert!(!steps.is_empty());
                recorded.labels.push(label().head);
                recorded.open.push(target.index());
            }
            Met::Done(facts) => {
                recorded.targets.push(std::mem::take(&mut recorded.open));
                recorded.rests.push(facts.rest);
                recorded.wrong.push(facts.is_wrong);
            }
        },
    );
    (seen, recorded)
}

#[test]
fn all_states_and_moves_of_random_systems_are_met_once() {
    for seed in 0..200 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let (plain, _) = twin::by_breadth(&toy);
        let (seen, recorded) = recorded(&toy, &mut Identity, usize::MAX);
        assert_eq!(seen.cut, None, "seed {seed}");
        assert_eq!(seen.store.len() as u64, plain.n_states, "seed {seed}");
        assert_eq!(recorded.targets.len(), seen.store.len(), "seed {seed}");
        let n_moves: usize = recorded.targets.iter().map(Vec::len).sum();
        // A search counts initial states as transitions, equal ones too.
        let mut n_initial = 0;
        toy.initial(&mut toy.scratch(), &mut |initial| {
            n_initial += usize::from(initial.is_ok());
        });
        assert_eq!(
            (n_moves + n_initial) as u64,
            plain.n_transitions,
            "seed {seed}"
        );
        assert!(recorded.labels.iter().all(|label| !label.is_empty()));
        // New states are met in the order of their numbers.
        let mut n_known = recorded.n_initial;
        for target in recorded.targets.iter().flatten() {
            assert!(*target <= n_known, "seed {seed}");
            n_known = n_known.max(target + 1);
        }
    }
}

#[test]
fn a_quotient_has_the_states_that_a_search_stores() {
    let toy = Toy::bits(6);
    let (seen, recorded) = recorded(&toy, &mut Sort::default(), usize::MAX);
    let n = twin::n_representatives(&toy, &mut Sort::default());
    assert_eq!((seen.store.len() as u64, seen.cut), (n, None));
    assert_eq!(recorded.targets.len() as u64, n);
}

#[test]
fn a_bound_of_states_leaves_the_last_ones_unexpanded() {
    let toy = Toy::bits(8);
    let (seen, recorded) = recorded(&toy, &mut Identity, 10);
    assert_eq!(seen.cut, Some(StatesCut::States(10)));
    assert!(recorded.targets.len() < seen.store.len());
    let options = check::Options {
        memory_bytes_max: Some(1),
        ..ALL
    };
    let seen = explore(
        &toy,
        &mut Identity,
        1000,
        &options,
        &mut |_| {},
        &mut |_| {},
    );
    assert_eq!(seen.cut, Some(StatesCut::Stopped(StopReason::Memory)));
}
