//! Small processes and networks for a seed.

use model::network::{Label, Leaf, Network, Tree};
use std::sync::Arc;

pub const N_EVENTS: u32 = 3;

pub fn names(n: u32) -> Arc<[Arc<str>]> {
    (0..n).map(|i| Arc::from(format!("e{i}"))).collect()
}

/// A process of up to `max` states over the first `n_events` events.
pub fn leaf(rng: &mut fastrand::Rng, max: u32, n_events: u32) -> Leaf {
    let n = rng.u32(1..=max);
    let taus = rng.u32(0..4);
    let mut edges = vec![Vec::new(); n as usize];
    for edges in &mut edges {
        for _ in 0..rng.u32(0..4) {
            let label = match rng.u32(0..10) {
                0 => Label::TICK,
                i if i <= taus => Label::TAU,
                _ => Label::event(rng.u32(0..n_events)),
            };
            edges.push((label, rng.u32(0..n)));
        }
    }
    Leaf::new("P".into(), 0, &edges)
}

/// A process that is close to another: refinement between them often holds.
pub fn relative(rng: &mut fastrand::Rng, leaf: &Leaf) -> Leaf {
    let n = leaf.n_states();
    let mut edges: Vec<Vec<(Label, u32)>> = (0..n).map(|i| leaf.edges(i).to_vec()).collect();
    for edges in &mut edges {
        if rng.u32(0..4) == 0 && !edges.is_empty() {
            edges.remove(rng.usize(0..edges.len()));
        }
        if rng.u32(0..6) == 0 {
            edges.push((Label::event(rng.u32(0..N_EVENTS)), rng.u32(0..n)));
        }
        if rng.u32(0..8) == 0 {
            edges.push((Label::TAU, rng.u32(0..n)));
        }
    }
    Leaf::new("Q".into(), 0, &edges)
}

/// Two or three leaves under a few operators.
pub fn network(rng: &mut fastrand::Rng) -> Network {
    let set = |rng: &mut fastrand::Rng| (0..N_EVENTS).filter(|_| rng.bool()).collect();
    let n = rng.usize(2..4);
    let leaves = (0..n).map(|_| Arc::new(leaf(rng, 3, N_EVENTS))).collect();
    let children = (0..n).map(Tree::Leaf);
    let mut tree = if rng.bool() {
        Tree::Parallel(set(rng), children.collect())
    } else {
        Tree::Alphabetised(children.map(|child| (set(rng), child)).collect())
    };
    if rng.bool() {
        tree = Tree::Hide(set(rng), tree.into());
    }
    if rng.bool() {
        let pair = (rng.u32(0..N_EVENTS), rng.u32(0..N_EVENTS));
        tree = Tree::Rename([pair].into(), tree.into());
    }
    let parts_max = if rng.bool() { 1000 } else { 0 };
    Network::new(names(N_EVENTS), leaves, tree, parts_max)
}
