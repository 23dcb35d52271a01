//! Leaves in which no two states can do the same for ever.
//!
//! Two states are strongly bisimilar if each transition of one is matched by one of the other, with
//! the same label, τ included, to states that are bisimilar again. Bisimilar states are made one,
//! and states that cannot be reached are left out. After that there is at most one way to lay one
//! leaf on another, which is what symmetries are told by (`docs/theory/csp-symmetry.md`).
//!
//! The way: all states start in one class. A state's *signature* is the set of its labels with the
//! classes they lead to; states of a class with different signatures are split. Only states from
//! which a label leads to a state that was given a new class are looked at again (after Blom and
//! Orzan 2003; Valmari 2010 is faster in the worst case).
//!
//! Worked example. `P = a -> Q`, `Q = a -> P`, `R = a -> STOP`: first all are alike; then STOP is
//! told apart, for it does nothing; then R, whose `a` leads to STOP. P and Q stay one state, with
//! `a` to itself.

use model::network::{Label, Leaf, Network};
use std::collections::HashMap;
use std::sync::Arc;

/// A state that cannot be reached.
const NONE: u32 = u32::MAX;

/// The same network with each leaf reduced; see [`Network::new`] for `parts_max`.
///
/// # Ensures
/// It is strongly bisimilar to the network, and its states are tuples of classes of states.
pub fn reduced_network(network: &Network, parts_max: usize) -> Network {
    let mut done: HashMap<*const Leaf, Arc<Leaf>> = HashMap::new();
    let leaves = network.leaves().iter().map(|leaf| {
        let made = done.entry(Arc::as_ptr(leaf));
        made.or_insert_with(|| Arc::new(reduced(leaf))).clone()
    });
    let leaves = leaves.collect();
    let tree = network.tree().clone();
    Network::new(network.names().clone(), leaves, tree, parts_max)
}

/// The leaf whose states are the classes of bisimilar reachable states, in the order in which they
/// are met. A class is called like the first of its states.
pub fn reduced(leaf: &Leaf) -> Leaf {
    let order = reachable(leaf);
    let classes = classes(leaf, &order);
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut firsts = Vec::new();
    for &state in &order {
        let next = firsts.len() as u32;
        let number = *numbers.entry(classes[state as usize]).or_insert(next);
        if number == next {
            firsts.push(state);
        }
    }
    let edges_of = |&state: &u32| -> Vec<(Label, u32)> {
        let edges = leaf.edges(state).iter();
        let to = |label, target: u32| match label {
            Label::TICK => 0,
            _ => numbers[&classes[target as usize]],
        };
        edges
            .map(|&(label, target)| (label, to(label, target)))
            .collect()
    };
    let edges: Vec<Vec<(Label, u32)>> = firsts.iter().map(edges_of).collect();
    let made = Leaf::new(leaf.name().clone(), 0, &edges);
    let names = firsts.iter().map(|&state| leaf.state_name(state).cloned());
    match names.collect::<Option<Vec<_>>>() {
        Some(names) => made.with_names(names.into()),
        None => made,
    }
}

/// The states that can be reached, by breadth.
fn reachable(leaf: &Leaf) -> Vec<u32> {
    if leaf.n_states() == 0 {
        return Vec::new();
    }
    let mut seen = vec![false; leaf.n_states() as usize];
    let mut order = vec![leaf.initial_state()];
    seen[leaf.initial_state() as usize] = true;
    let mut at = 0;
    while at < order.len() {
        for &(label, target) in leaf.edges(order[at]) {
            if label != Label::TICK && !std::mem::replace(&mut seen[target as usize], true) {
                order.push(target);
            }
        }
        at += 1;
    }
    order
}

/// The classes of bisimilar states, by state.
fn classes(leaf: &Leaf, order: &[u32]) -> Vec<u32> {
    let mut class = vec![NONE; leaf.n_states() as usize];
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); class.len()];
    for &state in order {
        class[state as usize] = 0;
        for &(label, target) in leaf.edges(state) {
            if label != Label::TICK {
                from[target as usize].push(state);
            }
        }
    }
    let mut sizes = vec![order.len()];
    let mut dirty = order.to_vec();
    while !dirty.is_empty() {
        let mut moved = Vec::new();
        dirty.sort_unstable_by_key(|&state| (class[state as usize], state));
        dirty.dedup();
        for part in split(&dirty, &class) {
            divide(leaf, part, &mut class, &mut sizes, &mut moved);
        }
        let again = moved.iter().flat_map(|&state| &from[state as usize]);
        dirty = again.copied().collect();
    }
    class
}

/// Runs of states of one class.
fn split<'a>(dirty: &'a [u32], class: &[u32]) -> Vec<&'a [u32]> {
    let same = |one: &u32, other: &u32| class[*one as usize] == class[*other as usize];
    dirty.chunk_by(same).collect()
}

/// Divides states of one class by their signatures, and says which got a new class.
fn divide(
    leaf: &Leaf,
    part: &[u32],
    class: &mut [u32],
    sizes: &mut Vec<usize>,
    moved: &mut Vec<u32>,
) {
    let signature = |state: u32| {
        let edges = leaf.edges(state).iter();
        let to = |label, target: u32| match label {
            Label::TICK => NONE,
            _ => class[target as usize],
        };
        let mut all: Vec<(Label, u32)> = edges.map(|&(l, t)| (l, to(l, t))).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut numbers: HashMap<Vec<(Label, u32)>, usize> = HashMap::new();
    for &state in part {
        let next = groups.len();
        let at = *numbers.entry(signature(state)).or_insert(next);
        if at == next {
            groups.push(Vec::new());
        }
        groups[at].push(state);
    }
    let old = class[part[0] as usize] as usize;
    // States that were not looked at lead to no new class, all that were looked at do; so the
    // former stay together. If all were looked at, the largest group stays.
    if sizes[old] == part.len() {
        let largest = (0..groups.len()).max_by_key(|&i| (groups[i].len(), groups.len() - i));
        groups.swap_remove(largest.expect("a group"));
    }
    for group in groups {
        sizes[old] -= group.len();
        for &state in &group {
            class[state as usize] = sizes.len() as u32;
        }
        sizes.push(group.len());
        moved.extend(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(rng: &mut fastrand::Rng, n: u32, n_events: u32) -> Leaf {
        let mut edges = vec![Vec::new(); n as usize];
        for edges in &mut edges {
            for _ in 0..rng.u32(0..3) {
                let label = match rng.u32(0..8) {
                    0 => Label::TICK,
                    1 => Label::TAU,
                    _ => Label::event(rng.u32(0..n_events)),
                };
                edges.push((label, rng.u32(0..n)));
            }
        }
        Leaf::new("P".into(), 0, &edges)
    }

    /// The greatest bisimulation between two leaves, by taking pairs away.
    fn bisimilar(one: &Leaf, other: &Leaf) -> Vec<Vec<bool>> {
        let (n, m) = (one.n_states() as usize + 1, other.n_states() as usize + 1);
        let mut alike = vec![vec![true; m]; n];
        // Where a leaf has ended is compared with that alone.
        for (s, row) in alike.iter_mut().enumerate() {
            for (t, entry) in row.iter_mut().enumerate() {
                *entry = (s + 1 == n) == (t + 1 == m);
            }
        }
        loop {
            let mut changed = false;
            for s in 0..n {
                for t in 0..m {
                    let has = |edges: &[(Label, u32)], l: Label, f: &dyn Fn(u32) -> bool| {
                        edges.iter().any(|&(label, to)| label == l && f(to))
                    };
                    let (a, b) = (one.edges(s as u32), other.edges(t as u32));
                    let fine = a
                        .iter()
                        .all(|&(l, x)| has(b, l, &|y| alike[x as usize][y as usize]))
                        && b.iter()
                            .all(|&(l, y)| has(a, l, &|x| alike[x as usize][y as usize]));
                    if alike[s][t] && !fine {
                        alike[s][t] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return alike;
            }
        }
    }

    #[test]
    fn classes_are_those_of_the_greatest_bisimulation() {
        let mut n_smaller = 0;
        for seed in 0..2000 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = rng.u32(1..12);
            let leaf = random(&mut rng, n, 2);
            let made = reduced(&leaf);
            let both = bisimilar(&leaf, &made);
            assert!(both[0][0], "seed {seed}: starts differ");
            let own = bisimilar(&made, &made);
            for (s, row) in own.iter().enumerate() {
                let n_alike = row.iter().filter(|alike| **alike).count();
                assert_eq!(n_alike, 1, "seed {seed}: state {s}");
            }
            let reached = reachable(&made);
            assert_eq!(reached.len(), made.n_states() as usize, "seed {seed}");
            n_smaller += usize::from(made.n_states() < reachable(&leaf).len() as u32);
        }
        assert!(n_smaller > 100, "{n_smaller}");
    }

    #[test]
    fn the_example() {
        let a = Label::event(0);
        // P, Q, R, STOP; the start is P, and R is reached by b.
        let edges = [
            vec![(a, 1), (Label::event(1), 2)],
            vec![(a, 0), (Label::event(1), 2)],
            vec![(a, 3)],
            vec![],
        ];
        let made = reduced(&Leaf::new("P".into(), 0, &edges));
        assert_eq!(made.n_states(), 3);
        assert_eq!(made.edges(0), [(a, 0), (Label::event(1), 1)]);
    }
}
