//! The machines whose view sizes are printed (Turner 2007, table 3.1) and whose text is: explored
//! here by their definition, three elements a set.

use std::collections::HashMap;
use view::abstraction::dfa::{DfaOptions, view as dfa};
use view::abstraction::{Alpha, AlphaRules, View, bisimulation, signature};
use view::space::{LabelNotation, Operation};
use view::{NodeKinds, Space, SpaceBuilder};

type Steps<S> = Vec<(&'static str, Vec<String>, S)>;

/// The space of a machine, with the state before it is set up.
pub fn explored<S: Clone + Eq + std::hash::Hash>(
    start: S,
    steps: &dyn Fn(&S) -> Steps<S>,
) -> Space {
    let mut builder = SpaceBuilder::new(LabelNotation::Call);
    builder.state(0, NodeKinds::INITIAL);
    let set_up = builder.label(&Operation::named("initialisation"), &[]);
    let first = builder.state(1, NodeKinds::default());
    builder.transition(set_up, first);
    builder.expanded();
    let mut numbers = HashMap::from([(start.clone(), first)]);
    let mut states = vec![start];
    let mut at = 0;
    while at < states.len() {
        for (operation, arguments, target) in steps(&states[at].clone()) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let label = builder.label(&Operation::named(operation), &arguments);
            let number = *numbers.entry(target.clone()).or_insert_with(|| {
                states.push(target);
                builder.state(2, NodeKinds::default())
            });
            builder.transition(label, number);
        }
        builder.expanded();
        at += 1;
    }
    builder.finish()
}

/// A partial function from three names to three codes; 0 is none.
pub fn phone_book() -> Space {
    explored([0_u8; 3], &|book| {
        let mut steps = Steps::new();
        for name in 0..3 {
            let words = |code: u8| vec![format!("Name{}", name + 1), format!("Code{code}")];
            let code = book[name];
            if code == 0 {
                for code in 1..=3 {
                    let mut after = *book;
                    after[name] = code;
                    steps.push(("add", words(code), after));
                }
            } else {
                let mut after = *book;
                after[name] = 0;
                steps.push(("lookup", words(code), *book));
                steps.push(("delete", words(code), after));
            }
        }
        steps
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Nowhere,
    Waiting,
    Ready,
    Active,
}

fn scheduler() -> Space {
    explored([0_u8; 3], &|at| {
        let is = |p: usize, place: At| at[p] == place as u8;
        let with = |p: usize, place: At| {
            let mut after = *at;
            after[p] = place as u8;
            after
        };
        let active = (0..3).find(|p| is(*p, At::Active));
        let mut steps = Steps::new();
        for p in 0..3 {
            let name = vec![format!("PID{}", p + 1)];
            if is(p, At::Nowhere) {
                steps.push(("new", name, with(p, At::Waiting)));
            } else if is(p, At::Waiting) {
                steps.push(("del", name.clone(), with(p, At::Nowhere)));
                let place = if active.is_some() {
                    At::Ready
                } else {
                    At::Active
                };
                steps.push(("ready", name, with(p, place)));
            }
        }
        if let Some(active) = active {
            let rested = with(active, At::Waiting);
            let ready: Vec<usize> = (0..3).filter(|p| is(*p, At::Ready)).collect();
            if ready.is_empty() {
                steps.push(("swap", Vec::new(), rested));
            }
            for next in ready {
                let mut after = rested;
                after[next] = At::Active as u8;
                steps.push(("swap", Vec::new(), after));
            }
        }
        steps
    })
}

/// Keys: for sale, with a person (0 or 1), and whether its padlock is on; who has the box; the gem.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Post {
    owner: [Option<u8>; 3],
    padlock: [bool; 3],
    has_box: u8,
    has_gem: bool,
}

fn post() -> Space {
    let start = Post {
        owner: [None; 3],
        padlock: [false; 3],
        has_box: 1,
        has_gem: true,
    };
    explored(start, &|post| {
        let mut steps = Steps::new();
        let person = post.has_box;
        for key in 0..3 {
            let words = vec![format!("Key{}", key + 1), person.to_string()];
            if post.owner[key].is_none() {
                let mut after = *post;
                after.owner[key] = Some(person);
                steps.push(("buy", words.clone(), after));
            }
            if post.owner[key] == Some(person) {
                let mut after = *post;
                after.padlock[key] = !post.padlock[key];
                let operation = if post.padlock[key] { "remove" } else { "add" };
                steps.push((operation, words, after));
            }
        }
        let after = Post {
            has_box: 1 - person,
            has_gem: post.has_gem && post.padlock.contains(&true),
            ..*post
        };
        steps.push(("send", Vec::new(), after));
        steps
    })
}

struct Sizes {
    states: (usize, usize),
    signature: (usize, usize, usize),
    dfa: (usize, usize),
    minimised: (usize, usize),
}

fn assert_sizes(space: &Space, expected: &Sizes) {
    let alpha = Alpha::new(space, &AlphaRules::default());
    assert_eq!((space.n_states(), space.n_transitions()), expected.states);
    let by_signature = signature::view(space, &alpha, 1).expect("few trees").size;
    let View { size, .. } = automaton(space, &alpha, false);
    let small = automaton(space, &alpha, true).size;
    assert_eq!(
        (
            by_signature.n_nodes,
            by_signature.n_pairs,
            by_signature.n_edges
        ),
        expected.signature
    );
    assert_eq!((size.n_nodes, size.n_edges), expected.dfa);
    assert_eq!((small.n_nodes, small.n_edges), expected.minimised);
}

fn automaton(space: &Space, alpha: &Alpha, is_minimised: bool) -> View {
    let options = DfaOptions {
        is_minimised,
        n_nodes_max: 10_000,
        n_members_max: 1_000_000,
    };
    dfa(space, alpha, options).expect("a small automaton")
}

#[test]
fn the_phone_book_has_the_printed_sizes() {
    let space = phone_book();
    assert_eq!(space.n_self_loops(), 144);
    let expected = Sizes {
        states: (65, 433),
        signature: (4, 7, 9),
        dfa: (5, 10),
        minimised: (5, 10),
    };
    assert_sizes(&space, &expected);
}

#[test]
fn the_scheduler_has_the_printed_sizes() {
    let expected = Sizes {
        states: (36, 121),
        signature: (8, 17, 25),
        dfa: (11, 25),
        minimised: (11, 25),
    };
    assert_sizes(&scheduler(), &expected);
}

#[test]
fn the_box_in_the_post_has_the_printed_and_the_corrected_sizes() {
    let space = post();
    let expected = Sizes {
        states: (441, 1227),
        signature: (9, 21, 47),
        dfa: (119, 274),
        minimised: (36, 81),
    };
    assert_sizes(&space, &expected);
}

#[test]
fn the_phone_book_bisimulation_counts_entries() {
    let space = phone_book();
    let alpha = Alpha::new(&space, &AlphaRules::default());
    assert_eq!(bisimulation::view(&space, &alpha).size.n_nodes, 5);
}

#[test]
fn delete_in_the_middle_of_the_phone_book_is_dashed() {
    let space = phone_book();
    let alpha = Alpha::new(&space, &AlphaRules::default());
    let picture = signature::view(&space, &alpha, 1)
        .expect("few trees")
        .picture;
    let dashed = |node: usize, label: &str| {
        let mut edges = picture.edges.iter().filter(|e| e.from as usize == node);
        edges.any(|e| !e.is_definite && e.labels.iter().any(|l| l == label))
    };
    assert!(dashed(2, "delete") && dashed(2, "add"));
    assert!(!dashed(2, "lookup") && !dashed(1, "add"));
}
