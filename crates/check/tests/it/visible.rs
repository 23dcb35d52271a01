//! Counts without hidden bytes, beside the plainest search that does the same.

use crate::explore::{ALL, BY_DEPTH, explore};
use crate::toy::{Deed, Rule, Test, Toy};
use check::visible::VisibleStore;
use check::{Identity, Parts, Verdict, explore_with};
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use system::{FaultKind, System};

/// States and transitions, as [`VisibleStore`] makes a search by depth count them.
fn counted(toy: &Toy, hidden: Range<usize>) -> (u64, u64) {
    let mut store = VisibleStore::new(vec![hidden]);
    let parts = Parts {
        reducer: &mut Identity,
        store: &mut store,
    };
    let outcome = explore_with(toy, parts, &BY_DEPTH, &mut |_| {}).expect("replays succeed");
    (outcome.counts.n_states, outcome.counts.n_transitions)
}

/// The same by a search that keeps whole states on its stack and visible parts in a set.
fn twin(toy: &Toy, hidden: &Range<usize>) -> (u64, u64) {
    let visible = |state: &[u8]| {
        let mut part = state.to_vec();
        part[hidden.clone()].fill(0);
        part
    };
    let mut scratch = toy.scratch();
    let mut moves = |state: &[u8]| {
        let mut next = Vec::new();
        toy.successors(state, &mut scratch, &mut |m| {
            next.extend(m.state.map(<[u8]>::to_vec));
            ControlFlow::Continue(())
        });
        next.reverse();
        next
    };
    let (mut seen, mut n_transitions) = (HashSet::new(), 0);
    let mut initial = toy.initial.clone();
    initial.reverse();
    let mut stack = vec![initial];
    while let Some(waiting) = stack.last_mut() {
        let Some(state) = waiting.pop() else {
            stack.pop();
            continue;
        };
        n_transitions += 1;
        if seen.insert(visible(&state)) {
            stack.push(moves(&state));
        }
    }
    (seen.len() as u64, n_transitions)
}

#[test]
fn counts_are_those_of_a_search_that_compares_visible_parts() {
    let mut n_fewer = 0;
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let toy = Toy::random(&mut rng);
        let n = toy.initial[0].len();
        let start = rng.usize(..n);
        let hidden = start..rng.usize(start..n) + 1;
        let ours = counted(&toy, hidden.clone());
        assert_eq!(ours, twin(&toy, &hidden), "seed {seed}");
        n_fewer += usize::from(ours.0 < explore(&toy, &BY_DEPTH).counts.n_states);
    }
    assert!(n_fewer > 500, "{n_fewer}");
}

#[test]
fn nothing_hidden_changes_nothing() {
    for seed in 0..200 {
        let toy = Toy::random(&mut fastrand::Rng::with_seed(seed));
        let counts = explore(&toy, &BY_DEPTH).counts;
        let expected = (counts.n_states, counts.n_transitions);
        assert_eq!(counted(&toy, 0..0), expected, "seed {seed}");
    }
}

#[test]
fn what_is_not_counted_is_still_looked_at() {
    // Byte 0 becomes 1 or 2, then byte 1 becomes 1; with 2 in byte 0 an assertion fails.
    let rule = |guards, deeds, fault| Rule {
        guards,
        deeds,
        fault,
    };
    let fresh = || vec![(0, Test::Is(0))];
    let second = vec![(0, Test::Is(2)), (1, Test::Is(1))];
    let wrong = Some((0, FaultKind::Assertion));
    let toy = Toy {
        initial: vec![vec![0, 0]],
        rules: vec![
            rule(fresh(), vec![Deed::Set(0, 1), Deed::Set(1, 1)], None),
            rule(fresh(), vec![Deed::Set(0, 2), Deed::Set(1, 1)], None),
            rule(second, vec![Deed::Set(1, 2)], wrong),
        ],
        ..Toy::default()
    };
    assert_eq!(
        counted(&toy, 0..1),
        (2, 3),
        "the second way is not followed"
    );
    let outcome = explore(&toy, &ALL);
    assert_eq!(outcome.counts.n_states, 4);
    assert_eq!(outcome.verdict(), Verdict::Violated);
}
