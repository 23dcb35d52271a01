//! Block systems: partitions of an orbit that the group maps to themselves.
//!
//! The finest system with `x` and `y` in one block is the equivalence that the pairs `(g(x), g(y))`
//! generate. It is found by joining `x` and `y` and then, for every pair joined and every
//! generator, the images of the pair, until nothing new is joined. Every system is a join of such
//! systems with `x` the first point, so joining those found, until nothing new appears, gives all.
//!
//! Worked example: `⟨(0 1 2 3)⟩`. Joining 0 and 2 joins 1 and 3 (one turn), then 2 and 0 (again):
//! blocks `{0,2} {1,3}`. Joining 0 and 1 joins 1 and 2, 2 and 3: one block.
//!
//! Source: Atkinson 1975. Cost: a system takes at most `n` joins times the number of generators. A
//! regular elementary abelian group has more systems than points by far, hence the bound.

use std::collections::HashSet;

use crate::orbit::{DisjointSets, orbits};
use crate::perm::{Perm, Point};

use super::columns::Moves;

/// For each point the number of its block; blocks are numbered in order of their least points.
pub type Labels = Vec<u32>;

/// The block systems of the transitive group that `generators` generate on `0..degree`, without the
/// one of a single block and the one of single points; finest first. At most `n_max` are returned.
pub fn block_systems(degree: usize, generators: &[Perm], n_max: usize) -> Vec<Labels> {
    let mut seen: HashSet<Labels> = HashSet::new();
    let mut systems: Vec<Labels> = Vec::new();
    let is_proper = |l: &Labels| l.iter().any(|&b| b > 0);
    let moves = Moves::new(degree, generators);
    for y in partners(degree, generators) {
        let labels = finest(generators, &moves, degree, (0, y));
        if is_proper(&labels) && seen.insert(labels.clone()) {
            systems.push(labels);
        }
    }
    let n_minimal = systems.len();
    let mut next = 0;
    while next < systems.len() && systems.len() < n_max {
        for i in 0..n_minimal {
            let labels = join(&systems[next], &systems[i]);
            if is_proper(&labels) && seen.insert(labels.clone()) {
                systems.push(labels);
            }
        }
        next += 1;
    }
    systems.sort_by_key(|l| std::cmp::Reverse(n_blocks(l)));
    systems.truncate(n_max);
    systems
}

/// Points to join with point 0, one of each orbit of the generators that fix 0: an element that
/// fixes 0 keeps the block of 0, so joining 0 with `y` joins it with the whole orbit of `y`.
fn partners(degree: usize, generators: &[Perm]) -> Vec<Point> {
    let fixing: Vec<Perm> = generators
        .iter()
        .filter(|g| g.at(0) == 0)
        .cloned()
        .collect();
    let orbits = orbits(degree, &fixing);
    orbits.iter().map(|o| o[0]).filter(|&y| y > 0).collect()
}

/// The number of blocks.
pub fn n_blocks(labels: &[u32]) -> usize {
    labels.iter().max().map_or(0, |&b| b as usize + 1)
}

/// The blocks, each in increasing order.
pub fn blocks(labels: &[u32]) -> Vec<Vec<Point>> {
    let mut blocks = vec![Vec::new(); n_blocks(labels)];
    for (x, &b) in labels.iter().enumerate() {
        blocks[b as usize].push(x as Point);
    }
    blocks
}

/// The finest partition into blocks with `x` and `y` in the same one.
pub fn finest_with(degree: usize, generators: &[Perm], x: Point, y: Point) -> Labels {
    finest(generators, &Moves::new(degree, generators), degree, (x, y))
}

fn finest(generators: &[Perm], moves: &Moves, degree: usize, pair: (Point, Point)) -> Labels {
    let mut sets = DisjointSets::new(degree);
    sets.join(pair.0, pair.1);
    let mut pending = vec![pair];
    let mut n_sets = degree - 1;
    while let Some((x, y)) = pending.pop() {
        // Generators that fix both points have nothing to say.
        for &(i, _) in moves.of(x).iter().chain(moves.of(y)) {
            let g = &generators[i as usize];
            let (x, y) = (g.at(x), g.at(y));
            if sets.join(x, y) {
                pending.push((x, y));
                n_sets -= 1;
            }
        }
        if n_sets == 1 {
            break;
        }
    }
    labels_of(degree, &mut sets)
}

fn join(a: &Labels, b: &Labels) -> Labels {
    let mut sets = DisjointSets::new(a.len());
    for labels in [a, b] {
        let mut first = vec![Point::MAX; a.len()];
        for (x, &block) in labels.iter().enumerate() {
            let representative = &mut first[block as usize];
            if *representative == Point::MAX {
                *representative = x as Point;
            }
            sets.join(*representative, x as Point);
        }
    }
    labels_of(a.len(), &mut sets)
}

fn labels_of(degree: usize, sets: &mut DisjointSets) -> Labels {
    let mut labels = vec![0; degree];
    for (b, set) in sets.sets().iter().enumerate() {
        for &x in set {
            labels[x as usize] = b as u32;
        }
    }
    labels
}
