//! States written by hand, with the least states that are published for them.

use super::model;
use crate::counts::compile;
use model::processes::passes::Setting;
use strategies::Strategy;

/// Processes with a location and a reference to a process, 0 being none; all alike.
fn text(n: usize) -> String {
    let runs: Vec<&str> = (0..n).map(|_| "run P()").collect();
    let options: Vec<String> = (0..=n).map(|i| format!(":: r = {i}")).collect();
    let runs = runs.join("; ");
    let options = options.join(" ");
    format!(
        "proctype P() {{ byte r; do {options} :: r == _pid -> break od;\n\
         do {options} :: r == _pid -> break od; do {options} od }}\n\
         init {{ atomic {{ {runs} }} }}\n"
    )
}

/// The representatives of a state of pairs of location and reference.
fn representatives(pairs: &[(u8, u8)]) -> Vec<(Strategy, Vec<(u8, u8)>)> {
    let machine = compile(&text(pairs.len()), &[]).expect("it compiles");
    let machine = machine.machine(Setting::Plain);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let group = found.certified.group();
    let n_factorial: usize = (1..=pairs.len()).product();
    assert_eq!(group.order().to_string(), n_factorial.to_string());
    let places = &found.population.processes[1..];
    let strategies = [
        Strategy::Enumerate,
        Strategy::EnumerateBasic,
        Strategy::Segmented,
        Strategy::PcSegmented,
        Strategy::Sorted,
        Strategy::MinimisingSets,
        Strategy::LocalSearch,
    ];
    let each = strategies.map(|strategy| {
        let mut state = found.population.states[0].clone();
        for (place, (location, reference)) in places.iter().zip(pairs) {
            state[place.at + 1] = *location;
            state[place.at + 2] = *reference;
        }
        let mut reducer = strategy
            .reducer(&found.certified.certified())
            .expect("it fits");
        reducer.reduce(&mut state);
        let pairs = places.iter().map(|p| (state[p.at + 1], state[p.at + 2]));
        (strategy, pairs.collect())
    });
    each.to_vec()
}

#[test]
fn the_least_of_an_orbit_with_references_is_the_published_one() {
    for (pairs, least) in [
        (&[(1, 0), (0, 2), (0, 2)][..], &[(0, 1), (0, 1), (1, 0)][..]),
        (
            &[(1, 2), (0, 1), (0, 1), (2, 1)],
            &[(0, 3), (0, 3), (1, 1), (2, 3)],
        ),
    ] {
        for (strategy, found) in representatives(pairs) {
            let control = |pairs: &[(u8, u8)]| pairs.iter().map(|p| p.0).collect::<Vec<_>>();
            assert_eq!(control(&found), control(least), "{strategy}");
            if strategy.guarantee() == check::Guarantee::Exact {
                assert_eq!(found, least, "{strategy}");
            }
        }
    }
}

#[test]
fn groups_of_models_are_taken_apart_as_published() {
    // Three and four clients: 3 and 6 exchanges. Six alike: 15.
    for (name, defines, tree) in [
        ("mutex.pml", &["N=6"][..], "MIN(15)"),
        ("email.pml", &["N=3"], "MIN(3)"),
    ] {
        let machine = model(name, defines).machine(Setting::Best);
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let shape = group::shape::classify(found.certified.group(), 1000);
        assert_eq!(shape.to_string(), tree, "{name}");
    }
}
