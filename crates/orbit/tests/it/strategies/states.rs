//! States written by hand, with the least states that are published for them.

use super::model;
use crate::counts::compile;
use model::processes::passes::Setting;
use std::collections::BTreeSet;
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

/// Clients and servers that refer to each other, and whose variables have any values; the
/// declarations of a client are given.
fn replicated(client: &str, server: &str) -> String {
    // Each sets a flag of its own, and asks for that of whom it refers to: so a reference is one to
    // a process, and no number that could move alone.
    let body = |other: &str| {
        format!(
            "do :: r = anyRef({other}) :: r = _undef_ref :: v < 9 -> v++ :: v = 0\n\
             :: atomic {{ r != _undef_ref && {other}[r].on -> on = !on }}\n\
             :: v = 1; v = 2; v = 3; v = 4; v = 5 od"
        )
    };
    let server = match server {
        "" => String::new(),
        declared => {
            let body = body("client");
            format!("active [3] proctype server() {{ {declared} public bool on; {body} }}\n")
        }
    };
    let other = if server.is_empty() {
        "client"
    } else {
        "server"
    };
    let body = body(other);
    format!("active [3] proctype client() {{ {client} public bool on; {body} }}\n{server}")
}

/// Reference from 1, or 0 for none; the other variable; the location.
type Tuple = (u8, u8, u8);

/// The locations where a process can be, the same for both types: those of one instance of each.
fn locations(text: &str) -> Vec<u8> {
    let machine = compile(&text.replace("[3]", "[1]"), &[]).expect("it compiles");
    let machine = machine.machine(Setting::Plain);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let at = found.population.processes[0].at + 1;
    let states = super::reachable(&machine);
    let all: BTreeSet<u8> = states.iter().map(|state| state[at]).collect();
    all.into_iter().collect()
}

/// What `strategy` makes of processes with these contents.
fn sorted(text: &str, tuples: &[Tuple], strategy: Strategy) -> Vec<Tuple> {
    let machine = compile(text, &[]).expect("it compiles");
    let machine = machine.machine(Setting::Plain);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let layout = &machine.model().layout;
    let processes = &found.population.processes;
    assert_eq!(processes.len(), tuples.len());
    let field = |n: usize, name: &str| {
        let kind = layout.kind(processes[n].kind);
        let field = kind.fields.iter().find(|field| field.name == name);
        processes[n].at + field.expect("a variable").at as usize
    };
    let live = locations(text);
    let mut state = found.population.states[0].clone();
    for (n, (reference, value, location)) in tuples.iter().enumerate() {
        state[field(n, "r")] = reference.wrapping_sub(1);
        state[field(n, "v")] = *value;
        state[processes[n].at + 1] = live[usize::from(*location)];
    }
    let reducer = strategy.reducer(&found.certified.certified());
    reducer.expect("it fits").reduce(&mut state);
    let tuple = |n| {
        let reference = state[field(n, "r")].wrapping_add(1);
        let location = state[processes[n].at + 1];
        let location = live.iter().position(|at| *at == location);
        (
            reference,
            state[field(n, "v")],
            location.expect("a location") as u8,
        )
    };
    (0..tuples.len()).map(tuple).collect()
}

#[test]
fn the_published_examples_of_sorting_replicated_processes() {
    let declared = Strategy::PseudoSortDeclared;
    let (first, last) = ("ref client r; byte v;", "byte v; ref client r;");
    // No arrangement of the first is sorted.
    let out = sorted(
        &replicated(first, ""),
        &[(3, 1, 1), (0, 3, 4), (1, 2, 1)],
        declared,
    );
    assert_eq!(out, [(0, 3, 4), (3, 2, 1), (2, 1, 1)]);
    // Sorting clients sorts the servers, whose references are renamed.
    let text = replicated("ref server r; byte v;", first);
    let (clients, servers) = (
        [(2, 1, 2), (3, 2, 3), (1, 3, 4)],
        [(3, 4, 3), (1, 5, 2), (2, 6, 1)],
    );
    let out = sorted(&text, &[clients, servers].concat(), declared);
    let expected = [
        (1, 3, 4),
        (2, 1, 2),
        (3, 2, 3),
        (1, 4, 3),
        (2, 5, 2),
        (3, 6, 1),
    ];
    assert_eq!(out, expected);
    // The same with the reference declared last is sorted as it is.
    let text = replicated("byte v; ref server r;", last);
    let out = sorted(&text, &[clients, servers].concat(), declared);
    assert_eq!(out, [clients, servers].concat());
}

#[test]
fn the_location_is_compared_where_the_text_puts_it() {
    let tuples = [(0, 1, 2), (0, 2, 1), (0, 1, 1)];
    for (declared, first) in [
        ("byte _state; ref client r; byte v;", (0, 1, 1)),
        ("ref client r; byte _state; byte v;", (0, 1, 1)),
        ("ref client r; byte v; byte _state;", (0, 1, 1)),
        ("ref client r; byte v;", (0, 1, 1)),
    ] {
        let out = sorted(
            &replicated(declared, ""),
            &tuples,
            Strategy::PseudoSortDeclared,
        );
        assert_eq!(out[0], first, "{declared}");
        let second = if declared.ends_with("_state; byte v;") || declared.starts_with("byte _state")
        {
            (0, 2, 1)
        } else {
            (0, 1, 2)
        };
        assert_eq!(out[1], second, "{declared}");
    }
    // Between variables: the reference decides before it, the other variable after it.
    let between = "ref client r; byte _state; byte v;";
    let tuples = [(2, 1, 1), (1, 2, 3), (1, 1, 4)];
    let out = sorted(
        &replicated(between, ""),
        &tuples,
        Strategy::PseudoSortDeclared,
    );
    let locations: Vec<u8> = out.iter().map(|tuple| tuple.2).collect();
    let before = "byte _state; ref client r; byte v;";
    let out = sorted(
        &replicated(before, ""),
        &tuples,
        Strategy::PseudoSortDeclared,
    );
    let by_location: Vec<u8> = out.iter().map(|tuple| tuple.2).collect();
    assert_eq!(by_location, [1, 3, 4]);
    assert_ne!(locations, by_location);
}

/// Two processes with a channel each way: contents of the channels `one_two` and `two_one`, then of
/// each process its `in` and `out`, the process it knows (0 is none), and a number.
const TWO_NODES: &str = "chan one_two = [1] of { byte }; chan two_one = [1] of { byte };
proctype node(chan in; chan out) {
    pid who; byte n;
    do :: in?n :: out!n :: who = 0 :: who = 1 :: who = 2 :: who == _pid -> n++ :: n = 0 od }
init { atomic { run node(two_one, one_two); run node(one_two, two_one) } }
";

#[test]
fn a_state_of_two_nodes_is_moved_as_published() {
    let machine = compile(TWO_NODES, &[]).expect("it compiles");
    let machine = machine.machine(Setting::Plain);
    let found = reduce::processes::find(&machine).expect("the making goes well");
    let certified = found.certified.certified();
    assert_eq!(certified.group().order().to_string(), "2");
    let population = &found.population;
    let layout = &machine.model().layout;
    let place = |n: usize, name: &str| {
        let record = &population.processes[n];
        let fields = layout.kind(record.kind).fields.iter();
        let field = fields.clone().find(|field| field.name == name);
        record.at + field.expect("a variable").at as usize
    };
    let queue = |channel: usize| population.channels[channel].at + 1;
    let mut state = population.states[0].clone();
    // ([], [5], two_one, one_two, 0, 10, one_two, two_one, 1, 8)
    state[queue(1)] = 1;
    state[queue(1) + 1] = 5;
    (state[place(1, "who")], state[place(1, "n")]) = (0, 10);
    (state[place(2, "who")], state[place(2, "n")]) = (1, 8);
    let exchange = &certified.group().generators()[0];
    let image: Vec<u32> = (0..certified.group().degree() as u32)
        .map(|x| exchange.at(x))
        .collect();
    let mut moved = Vec::new();
    certified.reads().act().apply(&image, &state, &mut moved);
    // ([5], [], two_one, one_two, 2, 8, one_two, two_one, 0, 10)
    assert_eq!(
        (moved[queue(0)], moved[queue(0) + 1], moved[queue(1)]),
        (1, 5, 0)
    );
    assert_eq!((moved[place(1, "who")], moved[place(1, "n")]), (2, 8));
    assert_eq!((moved[place(2, "who")], moved[place(2, "n")]), (0, 10));
    for (n, name) in [(1, "in"), (1, "out"), (2, "in"), (2, "out")] {
        assert_eq!(
            moved[place(n, name)],
            state[place(n, name)],
            "{name} of {n}"
        );
    }
}
