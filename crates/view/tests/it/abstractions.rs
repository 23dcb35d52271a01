//! Each abstraction beside a plain version, by its definition, on random spaces.

use crate::random::{small, small_and_cut};
use std::collections::{BTreeMap, BTreeSet};
use view::abstraction::dfa::{Dfa, DfaOptions};
use view::abstraction::quotient::{Blocks, Quotient};
use view::abstraction::{Alpha, AlphaRules, NoView, bisimulation, dfa, levels, signature};
use view::{NodeKinds, Space};

/// What is known of a state within `k` steps: sequences of classes, `None` where what follows is
/// not known.
type Sequences = BTreeSet<Vec<Option<u32>>>;

fn alpha(space: &Space) -> Alpha {
    Alpha::new(space, &AlphaRules::default())
}

fn steps(space: &Space, alpha: &Alpha, state: u32) -> Vec<(u32, u32)> {
    let steps = space.transitions(state);
    let steps = steps.map(|step| (alpha.class(step.label), step.target));
    steps.filter(|(class, _)| *class != Alpha::HIDDEN).collect()
}

fn sequences(space: &Space, alpha: &Alpha, state: u32, k: usize) -> Sequences {
    let mut all = Sequences::from([Vec::new()]);
    if k == 0 {
        return all;
    }
    if space.kinds(state).has(NodeKinds::UNEXPANDED) {
        all.insert(vec![None]);
        return all;
    }
    for (class, target) in steps(space, alpha, state) {
        for rest in sequences(space, alpha, target, k - 1) {
            all.insert(std::iter::once(Some(class)).chain(rest).collect());
        }
    }
    all
}

/// Whether two states are in one block, for all pairs.
fn assert_blocks<T: PartialEq>(space: &Space, blocks: &Blocks, of: impl Fn(u32) -> T) {
    let keys: Vec<T> = (0..space.n_states() as u32).map(of).collect();
    for a in 0..keys.len() {
        for b in 0..a {
            let together = blocks.of_state[a] == blocks.of_state[b];
            assert_eq!(together, keys[a] == keys[b], "{a} and {b} of {space:?}");
        }
    }
    let numbers: BTreeSet<u32> = blocks.of_state.iter().copied().collect();
    assert_eq!(numbers.len(), blocks.n);
}

#[test]
fn signatures_are_the_sequences_of_so_many_steps() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        for k in 1..=3 {
            let blocks = signature::blocks(&space, &alpha, k).expect("few trees");
            assert_blocks(&space, &blocks, |s| sequences(&space, &alpha, s, k));
        }
    }
}

#[test]
fn signatures_of_a_step_more_are_no_coarser() {
    for space in small() {
        let alpha = alpha(&space);
        let sizes = (1..6).map(|k| signature::blocks(&space, &alpha, k).expect("few trees").n);
        assert!(sizes.collect::<Vec<_>>().is_sorted());
    }
}

#[test]
fn similar_signatures_are_connected_by_few_differences() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        for d in 0..4 {
            let n = space.n_states() as u32;
            let is_open = |s: u32| space.kinds(s).has(NodeKinds::UNEXPANDED);
            let signature = |s: u32| -> BTreeSet<u32> {
                steps(&space, &alpha, s)
                    .into_iter()
                    .map(|(class, _)| class)
                    .collect()
            };
            let close = |a: u32, b: u32| match (is_open(a), is_open(b)) {
                (false, false) => signature(a).symmetric_difference(&signature(b)).count() <= d,
                (a, b) => a == b,
            };
            // Whoever is close to somebody of a class belongs to it: until nothing changes.
            let mut classes: Vec<u32> = (0..n).collect();
            for _ in 0..n {
                for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                    if close(a, b) {
                        let least = classes[a as usize].min(classes[b as usize]);
                        (classes[a as usize], classes[b as usize]) = (least, least);
                    }
                }
            }
            let blocks = signature::similar(&space, &alpha, d).expect("few signatures");
            assert_blocks(&space, &blocks, |s| classes[s as usize]);
        }
    }
}

/// Bisimilar states, by refining until nothing changes.
fn plain_bisimulation(space: &Space, alpha: &Alpha) -> Vec<usize> {
    let kinds = |s: u32| {
        let kinds = space.kinds(s);
        let apart = [NodeKinds::UNEXPANDED, NodeKinds::VIOLATION];
        apart.map(|kind| kinds.has(kind))
    };
    let mut classes: Vec<usize> = vec![0; space.n_states()];
    loop {
        let mut numbers = BTreeMap::new();
        let mut next = Vec::new();
        for state in 0..space.n_states() as u32 {
            let leads = steps(space, alpha, state).into_iter();
            let leads: BTreeSet<_> = leads.map(|(c, t)| (c, classes[t as usize])).collect();
            let key = (kinds(state), leads);
            let n = numbers.len();
            next.push(*numbers.entry(key).or_insert(n));
        }
        let n_before = classes.iter().collect::<BTreeSet<_>>().len();
        if numbers.len() == n_before {
            return next;
        }
        classes = next;
    }
}

#[test]
fn bisimulation_is_the_greatest_fixpoint() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        let blocks = bisimulation::blocks(&space, &alpha);
        let plain = plain_bisimulation(&space, &alpha);
        assert_blocks(&space, &blocks, |s| plain[s as usize]);
    }
}

#[test]
fn a_long_chain_is_refined_to_single_states() {
    use view::space::{LabelNotation, Operation};
    let n = 20_000;
    let mut builder = view::SpaceBuilder::new(LabelNotation::Call);
    let step = builder.label(&Operation::named("step"), &[]);
    for state in 0..n {
        builder.state(state, NodeKinds::default());
    }
    for state in 0..n {
        if state + 1 < n {
            builder.transition(step, state + 1);
        }
        builder.expanded();
    }
    let space = builder.finish();
    assert_eq!(bisimulation::blocks(&space, &alpha(&space)).n, n as usize);
}

fn options(is_minimised: bool) -> DfaOptions {
    DfaOptions {
        is_minimised,
        n_nodes_max: 1 << 16,
        n_members_max: 1 << 20,
    }
}

/// The nodes and edges of the plain subset construction.
fn plain_subsets(space: &Space, alpha: &Alpha) -> (usize, usize) {
    let start: BTreeSet<u32> = space.initial().into_iter().collect();
    let (mut nodes, mut n_edges) = (BTreeSet::from([start.clone()]), 0);
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        let mut after: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for state in node {
            for (class, target) in steps(space, alpha, state) {
                after.entry(class).or_default().insert(target);
            }
        }
        n_edges += after.len();
        for target in after.into_values() {
            if nodes.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    (nodes.len(), n_edges)
}

/// The sequences of at most `k` classes that an automaton has from its first node.
fn traces(edges: &[dfa::DfaEdge], node: u32, k: usize) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::from([Vec::new()]);
    for edge in edges.iter().filter(|edge| k > 0 && edge.from == node) {
        for rest in traces(edges, edge.to, k - 1) {
            all.insert(std::iter::once(edge.class).chain(rest).collect());
        }
    }
    all
}

fn space_traces(
    space: &Space,
    alpha: &Alpha,
    states: &BTreeSet<u32>,
    k: usize,
) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::from([Vec::new()]);
    for class in 0..alpha.n_classes() as u32 {
        let leads = states.iter().flat_map(|s| steps(space, alpha, *s));
        let after: BTreeSet<u32> = leads.filter(|(c, _)| *c == class).map(|(_, t)| t).collect();
        if k == 0 || after.is_empty() {
            continue;
        }
        for rest in space_traces(space, alpha, &after, k - 1) {
            all.insert(std::iter::once(class).chain(rest).collect());
        }
    }
    all
}

#[test]
fn the_automaton_is_the_subset_construction_and_has_the_traces_of_the_space() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        let automaton = Dfa::new(&space, &alpha, options(false)).expect("small");
        let sizes = (automaton.n_nodes(), automaton.edges().len());
        assert_eq!(sizes, plain_subsets(&space, &alpha), "{space:?}");
        let small = Dfa::new(&space, &alpha, options(true)).expect("small");
        assert!(small.n_nodes() <= automaton.n_nodes());
        let start: BTreeSet<u32> = space.initial().into_iter().collect();
        let expected = space_traces(&space, &alpha, &start, 5);
        assert_eq!(traces(automaton.edges(), 0, 5), expected);
        assert_eq!(traces(small.edges(), 0, 5), expected);
    }
}

#[test]
fn no_two_nodes_of_a_minimised_automaton_have_the_same_future() {
    for space in small() {
        let alpha = alpha(&space);
        let small = Dfa::new(&space, &alpha, options(true)).expect("small");
        if small.n_nodes() > 12 {
            continue;
        }
        let futures: BTreeSet<_> = (0..small.n_nodes() as u32)
            .map(|node| traces(small.edges(), node, 6))
            .collect();
        // Nodes of a minimal automaton are told apart by sequences shorter than their number.
        if small.n_nodes() <= 6 {
            assert_eq!(futures.len(), small.n_nodes(), "{space:?}");
        }
    }
}

#[test]
fn definite_edges_are_those_that_every_state_has_and_that_lead_into_one_block() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        let blocks = levels::blocks(&space, 3);
        let quotient = Quotient::new(&space, &alpha, &blocks);
        let mut expected = Vec::new();
        for block in 0..blocks.n as u32 {
            let all =
                (0..space.n_states() as u32).filter(|s| blocks.of_state[*s as usize] == block);
            let states: Vec<u32> = all
                .filter(|s| !space.kinds(*s).has(NodeKinds::UNEXPANDED))
                .collect();
            for class in 0..alpha.n_classes() as u32 {
                let leads = |s: u32| {
                    let steps = steps(&space, &alpha, s).into_iter();
                    let of_class = steps.filter(|(c, _)| *c == class);
                    let blocks = of_class.map(|(_, t)| blocks.of_state[t as usize]);
                    blocks.collect::<BTreeSet<u32>>()
                };
                let all: BTreeSet<u32> = states.iter().flat_map(|s| leads(*s)).collect();
                let is_definite = all.len() == 1 && states.iter().all(|s| !leads(*s).is_empty());
                expected.extend(all.iter().map(|to| (block, class, *to, is_definite)));
            }
        }
        let edges = quotient.edges().iter();
        let edges: Vec<_> = edges
            .map(|e| (e.from, e.class, e.to, e.is_definite))
            .collect();
        assert_eq!(edges, expected, "{space:?}");
    }
}

#[test]
fn hidden_operations_are_silent_in_the_automaton() {
    for space in small().filter(|space| space.operations().len() > 1) {
        let rules = AlphaRules {
            hidden: vec![space.operations()[0].text()],
            ..AlphaRules::default()
        };
        let hiding = Alpha::new(&space, &rules);
        let automaton = Dfa::new(&space, &hiding, options(false)).expect("small");
        let visible: BTreeSet<Vec<String>> = traces(automaton.edges(), 0, 3)
            .into_iter()
            .map(|trace| trace.iter().map(|c| hiding.text(*c).to_owned()).collect())
            .collect();
        let all = alpha(&space);
        let start: BTreeSet<u32> = space.initial().into_iter().collect();
        for trace in space_traces(&space, &all, &start, 5) {
            let words = trace.iter().map(|class| all.text(*class).to_owned());
            let mut words: Vec<String> = words.filter(|word| *word != rules.hidden[0]).collect();
            words.truncate(3);
            assert!(visible.contains(&words), "{words:?} of {space:?}");
        }
    }
}

#[test]
fn an_automaton_that_grows_ends_with_its_size() {
    let mut builder = view::SpaceBuilder::new(view::space::LabelNotation::Call);
    let [a, b] = ["a", "b"].map(|n| builder.label(&view::space::Operation::named(n), &[]));
    // The n-th letter from the end is an `a`: 2^n subsets.
    let n = 24;
    for state in 0..n {
        let kinds = if state == 0 {
            NodeKinds::INITIAL
        } else {
            NodeKinds::default()
        };
        builder.state(state, kinds);
    }
    for state in 0..n {
        if state == 0 {
            builder.transition(a, 0);
            builder.transition(b, 0);
            builder.transition(a, 1);
        } else if state + 1 < n {
            builder.transition(a, state + 1);
            builder.transition(b, state + 1);
        }
        builder.expanded();
    }
    let space = builder.finish();
    let asked = DfaOptions {
        n_nodes_max: 500,
        ..options(false)
    };
    let outcome = Dfa::new(&space, &alpha(&space), asked);
    assert_eq!(outcome.err(), Some(NoView::TooManyNodes(500)));
    let asked = DfaOptions {
        n_members_max: 500,
        ..options(false)
    };
    let outcome = Dfa::new(&space, &alpha(&space), asked);
    assert!(matches!(outcome.err(), Some(NoView::TooMuchWork(_))));
}

#[test]
fn solid_edges_of_the_automaton_are_those_that_every_state_has() {
    for space in small().chain(small_and_cut()) {
        let alpha = alpha(&space);
        let automaton = Dfa::new(&space, &alpha, options(false)).expect("small");
        for edge in automaton.edges() {
            let members = automaton.members(edge.from).iter();
            let expanded = members.filter(|s| !space.kinds(**s).has(NodeKinds::UNEXPANDED));
            let has = |s: &u32| {
                steps(&space, &alpha, *s)
                    .iter()
                    .any(|(c, _)| *c == edge.class)
            };
            assert_eq!(edge.is_definite, expanded.clone().all(has), "{space:?}");
            assert!(expanded.clone().any(has));
        }
    }
}

#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn a_block_too_few_is_noticed() {
    let mut spaces = small().filter(|space| {
        let blocks = bisimulation::blocks(space, &alpha(space));
        blocks.n > 1
    });
    let space = spaces.next().expect("a space with two blocks");
    let plain = plain_bisimulation(&space, &alpha(&space));
    let mut blocks = bisimulation::blocks(&space, &alpha(&space));
    // The last block is taken for the first.
    let last = blocks.n as u32 - 1;
    blocks
        .of_state
        .iter_mut()
        .filter(|b| **b == last)
        .for_each(|b| *b = 0);
    blocks.n -= 1;
    assert_blocks(&space, &blocks, |s| plain[s as usize]);
}

#[test]
fn an_automaton_without_one_edge_has_other_traces() {
    let mut n_noticed = 0;
    for space in small() {
        let alpha = alpha(&space);
        let automaton = Dfa::new(&space, &alpha, options(false)).expect("small");
        let Some((_, less)) = automaton.edges().split_first() else {
            continue;
        };
        let start: BTreeSet<u32> = space.initial().into_iter().collect();
        // The first edge begins at the first node.
        assert_ne!(traces(less, 0, 5), space_traces(&space, &alpha, &start, 5));
        n_noticed += 1;
    }
    assert!(n_noticed > 100);
}
