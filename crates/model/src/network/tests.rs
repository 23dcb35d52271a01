//! Rules beside the plain tree, and networks by hand.

use super::*;
use base::{Clock, Over};
use std::collections::BTreeSet;

const N_EVENTS: u32 = 4;

fn names() -> Arc<[Arc<str>]> {
    ["a", "b", "c", "d"].map(Arc::from).into()
}

fn leaf(rng: &mut fastrand::Rng) -> Leaf {
    let n = rng.u32(1..4);
    let mut edges = vec![Vec::new(); n as usize];
    for edges in &mut edges {
        for _ in 0..rng.u32(0..4) {
            let label = match rng.u32(0..8) {
                0 => Label::TAU,
                1 => Label::TICK,
                _ => Label::event(rng.u32(0..N_EVENTS)),
            };
            edges.push((label, rng.u32(0..n)));
        }
    }
    Leaf::new("leaf".into(), rng.u32(0..n), &edges)
}

fn set(rng: &mut fastrand::Rng) -> tree::Events {
    (0..N_EVENTS).filter(|_| rng.bool()).collect()
}

fn relation(rng: &mut fastrand::Rng) -> Arc<[(u32, u32)]> {
    let pairs = (0..N_EVENTS).flat_map(|old| (0..N_EVENTS).map(move |new| (old, new)));
    pairs.filter(|_| rng.u32(0..5) == 0).collect()
}

fn tree(rng: &mut fastrand::Rng, n_leaves: &mut usize, depth: u32) -> Tree {
    let choice = if depth == 0 { 0 } else { rng.u32(0..6) };
    match choice {
        1 | 2 => {
            let n = rng.u32(1..4);
            let set = set(rng);
            Tree::Parallel(
                set,
                (0..n).map(|_| tree(rng, n_leaves, depth - 1)).collect(),
            )
        }
        3 => {
            let n = rng.u32(1..4);
            let child = |_| (set(rng), tree(rng, n_leaves, depth - 1));
            Tree::Alphabetised((0..n).map(child).collect())
        }
        4 => Tree::Hide(set(rng), tree(rng, n_leaves, depth - 1).into()),
        5 => Tree::Rename(relation(rng), tree(rng, n_leaves, depth - 1).into()),
        _ => {
            *n_leaves += 1;
            Tree::Leaf(*n_leaves - 1)
        }
    }
}

fn network(rng: &mut fastrand::Rng, parts_max: usize) -> Network {
    let mut n_leaves = 0;
    let tree = tree(rng, &mut n_leaves, 3);
    let leaves = (0..n_leaves).map(|_| Arc::new(leaf(rng))).collect();
    Network::new(names(), leaves, tree, parts_max)
}

fn by_steps(network: &Network, state: &[u32]) -> Vec<(Label, Vec<u32>)> {
    let mut steps = Steps::new();
    network.steps(state, &mut steps);
    let pairs = (0..steps.len()).map(|i| (steps.labels()[i], steps.state(i).to_vec()));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

fn by_moves(network: &Network, state: &[u32]) -> Vec<(Label, Vec<u32>)> {
    let moves = network.moves(state).into_iter();
    let mut pairs: Vec<_> = moves.map(|step| (step.label, step.state)).collect();
    pairs.sort_unstable();
    pairs
}

/// Some states that can be reached, by the plain tree.
fn reachable(network: &Network, max: usize) -> Vec<Vec<u32>> {
    let mut seen = BTreeSet::from([network.initial()]);
    let mut all = vec![network.initial()];
    let mut at = 0;
    while at < all.len() && all.len() < max {
        for step in network.moves(&all[at].clone()) {
            if seen.insert(step.state.clone()) {
                all.push(step.state);
            }
        }
        at += 1;
    }
    all
}

#[test]
fn rules_say_what_the_tree_says() {
    let (mut n_states, mut n_ticks) = (0, 0);
    for seed in 0..8000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let network = network(&mut rng, 100_000);
        let mut sparse = network.clone();
        let rules = sparse.rules.as_mut().expect("few rules");
        rules.drop_tables();
        for state in reachable(&network, 60) {
            let plain = by_moves(&network, &state);
            assert_eq!(by_steps(&network, &state), plain, "seed {seed} {state:?}");
            assert_eq!(by_steps(&sparse, &state), plain, "seed {seed} {state:?}");
            let sizes = network.sizes().iter();
            assert!(state.iter().zip(sizes).all(|(value, size)| value < size));
            n_states += 1;
            n_ticks += plain.iter().filter(|p| p.0 == Label::TICK).count();
        }
    }
    assert!(n_states > 20_000 && n_ticks > 500, "{n_states} {n_ticks}");
}

#[test]
fn a_rule_that_is_left_out_is_noticed() {
    let mut noticed = 0;
    for seed in 0..200 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let network = network(&mut rng, 100_000);
        let mut wrong = network.clone();
        let Some(rules) = wrong.rules.as_mut() else {
            continue;
        };
        if rules.is_empty() {
            continue;
        }
        rules.drop_one(rng.usize(0..rules.len()));
        let differs = |state: &Vec<u32>| by_steps(&wrong, state) != by_moves(&network, state);
        noticed += usize::from(reachable(&network, 200).iter().any(differs));
    }
    assert!(noticed > 60, "{noticed} of 200");
}

#[test]
fn too_many_rules_are_not_made() {
    // Each of twelve does a or b under the name c, all together: 2^12 rules.
    let edges = [vec![(Label::event(0), 0), (Label::event(1), 0)]];
    let one = Arc::new(Leaf::new("one".into(), 0, &edges));
    let renamed = |i| Tree::Rename([(0, 2), (1, 2)].into(), Tree::Leaf(i).into());
    let tree = Tree::Parallel([2].into(), (0..12).map(renamed).collect());
    let leaves = vec![one; 12];
    let small = Network::new(names(), leaves.clone(), tree.clone(), 10_000);
    let large = Network::new(names(), leaves, tree, 1_000_000);
    assert!(small.rules().is_none());
    assert_eq!(large.rules().map(Rules::len), Some(4096));
    let initial = small.initial();
    assert_eq!(by_steps(&small, &initial), by_steps(&large, &initial));
    assert_eq!(by_steps(&small, &initial).len(), 4096);
}

#[test]
fn many_in_step_are_one_rule() {
    let edges = [vec![(Label::event(0), 0), (Label::event(1), 0)]];
    let one = Arc::new(Leaf::new("one".into(), 0, &edges));
    let children = (0..50).map(Tree::Leaf).collect();
    let tree = Tree::Parallel([0].into(), children);
    let network = Network::new(names(), vec![one; 50], tree, 1000);
    let rules = network.rules().expect("few rules").list();
    assert_eq!(rules.len(), 51);
    let together: Vec<(u32, u32)> = (0..50).map(|i| (i, 0)).collect();
    assert!(rules.contains(&(together, Label::event(0))));
    assert!(rules.contains(&(vec![(7, 1)], Label::event(1))));
}

#[test]
fn the_example_of_rules() {
    let edges = [vec![(Label::event(0), 0), (Label::event(1), 0)]];
    let one = Arc::new(Leaf::new("one".into(), 0, &edges));
    let inner = Tree::Parallel([0].into(), vec![Tree::Leaf(0), Tree::Leaf(1)]);
    let outer = Tree::Parallel([].into(), vec![inner, Tree::Leaf(2)]);
    let tree = Tree::Hide([1].into(), outer.into());
    let network = Network::new(names(), vec![one; 3], tree, 1000);
    let mut rules = network.rules().expect("few rules").list();
    rules.sort();
    let a = Label::event(0);
    let expected = [
        (vec![(0, 0), (1, 0)], a),
        (vec![(0, 1)], Label::TAU),
        (vec![(1, 1)], Label::TAU),
        (vec![(2, 0)], a),
        (vec![(2, 1)], Label::TAU),
    ];
    assert_eq!(rules, expected);
}

#[test]
fn all_end_and_then_the_whole_ends() {
    let first = Leaf::new(
        "first".into(),
        0,
        &[vec![(Label::event(0), 1)], vec![(Label::TICK, 0)]],
    );
    let second = Leaf::new("second".into(), 0, &[vec![(Label::TICK, 0)]]);
    let tree = Tree::Parallel([].into(), vec![Tree::Leaf(0), Tree::Leaf(1)]);
    let network = Network::new(names(), vec![first.into(), second.into()], tree, 10);
    let a = Label::event(0);
    assert_eq!(
        by_steps(&network, &[0, 0]),
        [(Label::TAU, vec![0, 1]), (a, vec![1, 0])]
    );
    assert_eq!(by_steps(&network, &[1, 1]), [(Label::TAU, vec![2, 1])]);
    assert_eq!(by_steps(&network, &[2, 1]), [(Label::TICK, vec![3, 1])]);
    assert_eq!(by_steps(&network, &[3, 1]), []);
    assert_eq!(network.sizes(), [4, 2]);
}

#[test]
fn one_leaf_ends_at_once() {
    let leaf = Leaf::new("skip".into(), 0, &[vec![(Label::TICK, 0)]]);
    let tree = Tree::Hide([0].into(), Tree::Leaf(0).into());
    let network = Network::new(names(), vec![leaf.into()], tree, 10);
    assert_eq!(by_steps(&network, &[0]), [(Label::TICK, vec![1])]);
    assert_eq!(by_steps(&network, &[1]), []);
}

#[test]
fn parts_tell_who_does_what() {
    let one = Leaf::new("one".into(), 0, &[vec![(Label::event(0), 0)]]);
    let two = Leaf::new("two".into(), 0, &[vec![(Label::event(1), 0)]]);
    let renamed = Tree::Rename([(1, 0)].into(), Tree::Leaf(1).into());
    let tree = Tree::Parallel([0].into(), vec![Tree::Leaf(0), renamed]);
    let network = Network::new(names(), vec![one.into(), two.into()], tree, 10);
    let moves = network.moves(&[0, 0]);
    assert_eq!(moves.len(), 1);
    let parts = [(0, Label::event(0)), (1, Label::event(1))];
    assert_eq!(
        (moves[0].label, &moves[0].parts[..]),
        (Label::event(0), &parts[..])
    );
}

#[test]
#[should_panic(expected = "in the tree")]
fn a_leaf_twice_is_our_bug() {
    let one = Arc::new(Leaf::new("one".into(), 0, &[vec![]]));
    let tree = Tree::Parallel([].into(), vec![Tree::Leaf(0), Tree::Leaf(0)]);
    Network::new(names(), vec![one.clone(), one], tree, 10);
}

#[test]
fn the_making_of_rules_ends_with_the_time_and_the_memory() {
    let one = Arc::new(Leaf::new("one".into(), 0, &[vec![(Label::event(0), 0)]]));
    let made = |allowance: &mut Allowance<'_>| {
        let tree = Tree::Rename(vec![(0, 0), (0, 1)].into(), Box::new(Tree::Leaf(0)));
        Network::within(names(), vec![one.clone()], tree, 10, allowance).err()
    };
    assert_eq!(made(&mut Allowance::endless()), None);
    let late = Clock::of(Some(std::time::Duration::ZERO));
    let late = made(&mut Allowance::new(late, None));
    assert_eq!(late, Some(Spent::Clock(Over::Time)));
    let small = made(&mut Allowance::new(Clock::ENDLESS, Some(8)));
    assert_eq!(small, Some(Spent::Memory));
}
