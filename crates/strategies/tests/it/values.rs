//! Every way of choosing, by name, on random states.

use crate::random::{self, fields, member, pair, set, sort};
use crate::texts::agreed;
use crate::twin::{State, Value};
use base::Clock;
use fastrand::Rng;
use model::values::{Ground, Signature, SortId, Type};
use reduce::canonical::Canonical;
use reduce::reducer::{GivenUp, Guarantee, Reducer, Reducers};
use reduce::strategy::Misfit;
use reduce::values::CertifiedValues;
use std::collections::BTreeSet;
use strategies::Strategy;
use strategies::table::States;

/// A signature, its group, and states with all their images, in a random order.
fn case(seed: u64) -> (Signature, CertifiedValues, Vec<(usize, Vec<u8>)>) {
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
            let Ok(mut reducer) = strategy.reducer(&certified.certified()) else {
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
        let refused = !strategy.row().states.contains(&States::Values);
        let made = strategy.reducer(&certified.certified());
        assert_eq!(made.is_err(), refused, "{strategy}");
        if let Err(refusal) = made {
            assert_eq!(refusal.reason, Misfit::NoProcesses);
        }
    }
}

#[test]
fn sorting_is_exact_for_sets_and_functions_to_plain_values() {
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
            .reducer(&certified.certified())
            .expect("sorting fits every group");
        assert_eq!(sorted.guarantee() == Guarantee::Exact, exact);
    }
}

#[test]
fn a_ring_of_four_and_two_pairs_have_one_marker_and_two_canonical_states() {
    let signature = Signature {
        sorts: vec![sort("S", 4, false)],
        constants: Vec::new(),
        variables: fields(vec![set(pair(member(0), member(0)))]),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]).certified();
    let canonical = |state: &[u8]| {
        let mut state = state.to_vec();
        Canonical::new(&certified).reduce(&mut state);
        state
    };
    let m = |n: usize| Value::Member(SortId::new(0), n);
    let relation = |to: [usize; 4]| {
        let pairs = to.into_iter().enumerate();
        let pairs = pairs.map(|(x, y)| Value::Tuple(vec![m(x), m(y)]));
        State::running(vec![Value::Set(pairs.collect())]).bytes(&signature)
    };
    let (ring, pairs, star) = (
        relation([1, 2, 3, 0]),
        relation([1, 0, 3, 2]),
        relation([1, 1, 1, 1]),
    );
    let marked = |first: &[u8], then: &[u8]| {
        let mut markers = Strategy::Markers
            .reducer(&certified)
            .expect("markers fit every group");
        let (mut first, mut then) = (first.to_vec(), then.to_vec());
        markers.reduce(&mut first);
        markers.reduce(&mut then);
        then == first
    };
    assert!(marked(&ring, &pairs));
    assert!(!marked(&ring, &star));
    assert_ne!(canonical(&ring), canonical(&pairs));
    let mut with_markers = Strategy::LabelsMarkers
        .reducer(&certified)
        .expect("labels fit every group");
    let (mut first, mut then) = (ring, pairs);
    with_markers.reduce(&mut first);
    with_markers.reduce(&mut then);
    assert_ne!(first, then, "labels decide where markers are equal");
}

#[test]
fn strategies_that_look_at_all_images_end_with_the_time() {
    let signature = Signature {
        sorts: vec![sort("S", 7, false)],
        constants: Vec::new(),
        variables: fields(vec![set(member(0))]),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]).certified();
    let state = State::running(vec![Value::Set([Value::Member(SortId::new(0), 6)].into())]);
    let state = state.bytes(&signature);
    for strategy in [
        Strategy::Enumerate,
        Strategy::EnumerateBasic,
        Strategy::Flood,
    ] {
        let mut reducer = strategy.reducer(&certified).expect("it fits");
        let mut chosen = state.clone();
        reducer.reduce(&mut chosen);
        assert_eq!(reducer.given_up(), None, "{strategy}");
        let mut late = strategy.reducer(&certified).expect("it fits");
        late.limit_time(Clock::of(Some(std::time::Duration::ZERO)));
        late.reduce(&mut state.clone());
        let over = Some(GivenUp::Clock(base::Over::Time));
        assert_eq!(late.given_up(), over, "{strategy}");
    }
}

#[test]
fn what_depends_on_the_order_of_states_says_so() {
    let mut depend = BTreeSet::new();
    for seed in 0..150 {
        let (_, certified, states) = case(seed);
        let certified = certified.certified();
        for strategy in Strategy::ALL {
            let Ok(reducers) = strategy.reducers(&certified) else {
                continue;
            };
            let chosen = |states: &mut dyn Iterator<Item = &(usize, Vec<u8>)>| {
                let mut reducer = reducers.worker();
                let chosen = states.map(|(_, state)| {
                    let mut representative = state.clone();
                    reducer.reduce(&mut representative);
                    (state.clone(), representative)
                });
                chosen.collect::<BTreeSet<_>>()
            };
            let same = chosen(&mut states.iter()) == chosen(&mut states.iter().rev());
            assert!(same || reducers.needs_order(), "seed {seed}, {strategy}");
            if !same {
                depend.insert(strategy.name());
            }
        }
    }
    let remember = Strategy::ALL.into_iter().filter(|s| s.needs_order());
    let remember: BTreeSet<&str> = remember.map(Strategy::name).collect();
    assert_eq!(depend, remember);
}

/// Whether the published graph takes two states of a sort of four members for one, and whether
/// they are in one orbit.
fn graphs_merge(types: Vec<Type>, one: Vec<Value>, other: Vec<Value>) -> (bool, bool) {
    let signature = Signature {
        sorts: vec![sort("S", 4, false)],
        constants: Vec::new(),
        variables: fields(types),
    };
    let certified = agreed(&signature, &[Ground::Unnamed]);
    let bytes = [one, other].map(|values| State::running(values).bytes(&signature));
    let representatives = |strategy: Strategy| {
        let mut reducer = strategy.reducer(&certified.certified()).expect("it fits");
        bytes.clone().map(|mut state| {
            reducer.reduce(&mut state);
            state
        })
    };
    let merged = representatives(Strategy::PublishedGraphs);
    let exact = representatives(Strategy::Canonical);
    (merged[0] == merged[1], exact[0] == exact[1])
}

#[test]
fn the_published_graph_has_the_defects_that_are_known_of_it() {
    let m = |n: usize| Value::Member(SortId::new(0), n);
    let t = |left: Value, right: Value| Value::Tuple(vec![left, right]);
    let s = |elements: Vec<Value>| Value::Set(elements.into_iter().collect());
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| move || m(n));
    let one = member;
    let (elements, pairs) = (set(one(0)), pair(one(0), one(0)));
    // Membership and pairs have the same arcs.
    let types = || vec![one(0), set(pair(one(0), elements.clone()))];
    let found = graphs_merge(
        types(),
        vec![a(), s(vec![t(a(), s(vec![b()]))])],
        vec![a(), s(vec![t(b(), s(vec![a()]))])],
    );
    assert_eq!(found, (true, false), "membership and pairs");
    // Pairs of nested relations are shared.
    let types = || vec![set(set(pairs.clone()))];
    let crossed = || s(vec![t(a(), d()), t(c(), b())]);
    let straight = |more: bool| {
        let mut all = vec![t(a(), b()), t(c(), d())];
        all.extend(more.then(|| t(a(), d())));
        s(all)
    };
    let found = graphs_merge(
        types(),
        vec![s(vec![straight(false), crossed()])],
        vec![s(vec![straight(true), crossed()])],
    );
    assert_eq!(found, (true, false), "shared pairs");
    // The ends of nested pairs are not told apart.
    let types = || vec![one(0), one(0), set(pair(pairs.clone(), one(0)))];
    let found = graphs_merge(
        types(),
        vec![a(), c(), s(vec![t(t(a(), b()), c()), t(t(b(), a()), d())])],
        vec![a(), c(), s(vec![t(t(b(), a()), c()), t(t(a(), b()), d())])],
    );
    assert_eq!(found, (true, false), "ends of pairs");
    // What is shallow is right: a relation, and the same renamed.
    let types = || vec![set(pairs.clone())];
    let found = graphs_merge(
        types(),
        vec![s(vec![t(a(), b()), t(b(), c())])],
        vec![s(vec![t(d(), a()), t(a(), b())])],
    );
    assert_eq!(found, (true, true));
    let found = graphs_merge(
        types(),
        vec![s(vec![t(a(), b()), t(b(), c())])],
        vec![s(vec![t(a(), b()), t(c(), d())])],
    );
    assert_eq!(found, (false, false));
}
