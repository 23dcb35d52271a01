//! Every way of choosing, by name, on random states.

use super::random;
use super::texts::agreed;
use super::twin::State;
use fastrand::Rng;
use model::values::{Ground, Signature};
use reduce::reducer::{Guarantee, Reducer};
use reduce::strategy::Strategy;
use reduce::values::Certified;
use std::collections::BTreeSet;

/// A signature, its group, and states with all their images, in a random order.
fn case(seed: u64) -> (Signature, Certified, Vec<(usize, Vec<u8>)>) {
    let mut rng = Rng::with_seed(seed);
    let (signature, grounds) = random::signature(&mut rng);
    let certified = agreed(&signature, &grounds);
    let mut orbits: Vec<BTreeSet<Vec<u8>>> = Vec::new();
    for _ in 0..6 {
        let state: State = random::state(&mut rng, &signature);
        let bytes = state.bytes(&signature);
        if !orbits.iter().any(|orbit| orbit.contains(&bytes)) {
            orbits.push(state.orbit(&signature, &certified));
        }
    }
    let states = orbits.into_iter().enumerate();
    let states = states.flat_map(|(n, orbit)| orbit.into_iter().map(move |state| (n, state)));
    let mut states: Vec<(usize, Vec<u8>)> = states.collect();
    rng.shuffle(&mut states);
    (signature, certified, states)
}

/// The representatives of each orbit. That they are in the orbit, by an element of the group, is
/// checked by the watch that development builds have on reducers.
fn representatives(
    reducer: &mut dyn Reducer,
    states: &[(usize, Vec<u8>)],
) -> Vec<BTreeSet<Vec<u8>>> {
    let n = states.iter().map(|(n, _)| n + 1).max().unwrap_or(0);
    let mut found = vec![BTreeSet::new(); n];
    for round in 0..2 {
        for (n, state) in states {
            let mut representative = state.clone();
            reducer.reduce(&mut representative);
            let new = found[*n].insert(representative);
            assert!(round == 0 || !new, "not the same when asked again");
        }
    }
    found
}

#[test]
fn strategies_keep_what_they_promise() {
    let mut n_orbits = 0;
    for seed in 0..150 {
        let (_, certified, states) = case(seed);
        for strategy in Strategy::ALL {
            let Ok(mut reducer) = strategy.reducer_of_values(&certified) else {
                continue;
            };
            let found = representatives(&mut *reducer, &states);
            let trivial = certified.is_trivial() || strategy == Strategy::None;
            if reducer.guarantee() != Guarantee::Exact || trivial {
                continue;
            }
            for (n, found) in found.iter().enumerate() {
                assert_eq!(found.len(), 1, "seed {seed}, {strategy}, orbit {n}");
            }
            let all: BTreeSet<_> = found.iter().flatten().collect();
            assert_eq!(all.len(), found.len(), "seed {seed}, {strategy}");
            n_orbits += found.len();
        }
    }
    assert!(n_orbits > 3000, "only {n_orbits} orbits were looked at");
}

#[test]
fn strategies_that_look_at_processes_are_refused() {
    let signature = Signature {
        sorts: vec![random::sort("S", 3, false)],
        constants: Vec::new(),
        variables: random::fields(vec![random::set(random::member(0))]),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]);
    for strategy in Strategy::ALL {
        let refused = matches!(strategy, Strategy::PcSegmented | Strategy::PseudoSort);
        let made = strategy.reducer_of_values(&certified);
        assert_eq!(made.is_err(), refused, "{strategy}");
        if let Err(refusal) = made {
            let message = refusal.to_string();
            assert!(message.contains("looks at processes"), "{message}");
        }
    }
}

#[test]
fn sorting_is_exact_for_sets_and_functions_to_plain_values() {
    use model::values::Type;
    use random::{fields, member, pair, set};
    let plain = set(pair(member(0), Type::Int));
    let between = set(pair(member(0), member(0)));
    for (ty, exact) in [(plain, true), (between, false)] {
        let signature = Signature {
            sorts: vec![random::sort("S", 3, false)],
            constants: fields(vec![member(0)]),
            variables: fields(vec![set(member(0)), ty]),
        };
        let certified = agreed(&signature, &[Ground::Unnamed]);
        let sorted = Strategy::Sorted
            .reducer_of_values(&certified)
            .expect("sorting fits every group");
        assert_eq!(sorted.guarantee() == Guarantee::Exact, exact);
    }
}
