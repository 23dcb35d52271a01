//! What the group itself knows about pairs of columns, as arcs that take part in refinement.
//!
//! Colours and references say nothing about which columns the group holds together. The group
//! does: two columns that are neighbours in a cube stay neighbours under every symmetry of the
//! cube. Such a relation is an *orbital*, an orbit of ordered pairs. For each two orbits of columns
//! one orbital is chosen that tells something: neither the diagonal nor the whole product. Inside
//! an orbit it is the sparsest connected one of few pairs a column, because news travels along
//! arcs; else the sparsest. Where all have too many pairs to list, blocks of the group take their
//! place.
//!
//! Worked example: the corners of a square under all its symmetries. The stabiliser of corner 0 has
//! the orbits `{0}`, `{2}` (opposite) and `{1, 3}` (next). The opposite corners are the sparser
//! orbital, but join the square in two pairs only; the edges are connected and are taken.
//!
//! Cost: a round over an orbital mixes each column once and adds once a pair.

use crate::blocks::minimal_block_systems;
use crate::chain::{Chain, Group};
use crate::image::cells::WORD_NODES_MAX;
use crate::image::hash::mix;
use crate::orbit::{DisjointSets, orbits};
use crate::perm::Point;

/// Orbitals with more arcs per column than this tell too little for what they cost.
pub(super) const ORBITAL_VALENCY_MAX: usize = 8;

/// So many orbitals of an orbit are tried for being connected.
const CONNECTED_TRIES_MAX: usize = 16;

/// Above this degree blocks are not looked for.
const BLOCKS_DEGREE_MAX: usize = 2000;

/// So many block systems of one orbit take part.
const BLOCK_SYSTEMS_MAX: usize = 2;

/// Pairs of columns that the group carries to each other, as arcs and, where columns fit into a
/// word, as words: for each column, those that it is the second of a pair with, then the first.
#[derive(Clone, Debug)]
pub(super) struct Orbital {
    pub salt: u64,
    /// Grouped by the first column of the pair.
    pub arcs: Vec<(u32, u32)>,
    /// The number of arcs from each first column.
    pub valency: usize,
    /// Whether the pairs turned round are the same pairs.
    pub is_self_paired: bool,
    pub links: Vec<[u64; 2]>,
}

/// Blocks of columns that the group permutes.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub salt: u64,
    pub blocks: Vec<Vec<u32>>,
}

/// For each two orbits of the rest, an orbital between them that tells something, if it has few
/// pairs per column or pairs fit into words. Columns of the rest are numbered from `first`.
pub(super) fn orbitals(chain: &Chain, first: u32, n_columns: usize) -> Vec<Orbital> {
    let n = chain.degree();
    let in_words = n_columns <= WORD_NODES_MAX;
    let valency_max = if in_words {
        WORD_NODES_MAX
    } else {
        ORBITAL_VALENCY_MAX
    };
    let orbits_of_rest = orbits(n, chain.stabiliser_generators(0));
    let mut found = Vec::new();
    for orbit in orbits_of_rest.iter().filter(|o| o.len() > 1) {
        let local = chain.with_base(&orbit[..1]);
        let suborbits = orbits(n, local.stabiliser_generators(1));
        for other in &orbits_of_rest {
            let telling = |s: &&Vec<Point>| {
                let inside = other.binary_search(&s[0]).is_ok();
                inside && s.len() < other.len() && s[..] != orbit[..1]
            };
            let mut telling: Vec<&Vec<Point>> = suborbits.iter().filter(telling).collect();
            telling.sort_by_key(|s| s.len());
            let Some(&sparsest) = telling.first() else {
                continue;
            };
            let few = telling.iter().filter(|s| s.len() <= ORBITAL_VALENCY_MAX);
            let connected = few
                .take(CONNECTED_TRIES_MAX)
                .find(|s| is_connected(&pairs(&local, s)));
            let suborbit = connected.copied().unwrap_or(sparsest);
            if suborbit.len() <= valency_max {
                let pairs = pairs(&local, suborbit);
                let columns = pairs.iter().map(|&(x, y)| (first + x, first + y));
                let salt = mix(found.len() as u64 + 1);
                let n_words = if in_words { n_columns } else { 0 };
                found.push(Orbital::new(columns.collect(), salt, n_words));
            }
        }
    }
    found
}

/// The finest block systems of each orbit of the rest, where orbitals do not fit into words.
pub(super) fn block_systems(chain: &Chain, first: u32) -> Vec<Blocks> {
    let n = chain.degree();
    if n <= WORD_NODES_MAX || n > BLOCKS_DEGREE_MAX {
        return Vec::new();
    }
    let group = Group::from_chain(chain.clone());
    let mut found: Vec<Blocks> = Vec::new();
    for orbit in orbits(n, group.generators()).iter().filter(|o| o.len() > 1) {
        for system in minimal_block_systems(&group, orbit[0])
            .iter()
            .take(BLOCK_SYSTEMS_MAX)
        {
            let shift = |block: &Vec<Point>| block.iter().map(|x| x + first).collect();
            let blocks = system.blocks().iter().map(shift).collect();
            found.push(Blocks {
                salt: mix(!(found.len() as u64)),
                blocks,
            });
        }
    }
    found
}

impl Orbital {
    fn new(arcs: Vec<(u32, u32)>, salt: u64, n_words: usize) -> Orbital {
        let valency = arcs.iter().take_while(|a| a.0 == arcs[0].0).count();
        let mut sorted = arcs.clone();
        sorted.sort_unstable();
        let turned = |&(x, y): &(u32, u32)| sorted.binary_search(&(y, x)).is_ok();
        let is_self_paired = arcs.iter().all(turned);
        let mut links = vec![[0; 2]; n_words];
        for &(from, to) in arcs.iter().filter(|_| n_words > 0) {
            links[to as usize][0] |= 1 << from;
            links[from as usize][1] |= 1 << to;
        }
        Orbital {
            salt,
            arcs,
            valency,
            is_self_paired,
            links,
        }
    }

    /// Adds to each column's sum the mixed invariants of its partners. `mixed` is for our use.
    pub(super) fn add(&self, hash: &[u64], mixed: &mut Vec<u64>, sums: &mut [u64]) {
        mixed.clear();
        mixed.extend(hash.iter().map(|&h| mix(h ^ self.salt)));
        for arcs in self.arcs.chunks_exact(self.valency) {
            let own = arcs
                .iter()
                .fold(0u64, |sum, a| sum.wrapping_add(mixed[a.1 as usize]));
            let from = arcs[0].0 as usize;
            sums[from] = sums[from].wrapping_add(own);
        }
        if self.is_self_paired {
            return;
        }
        let salt = self.salt.rotate_left(32);
        for arcs in self.arcs.chunks_exact(self.valency) {
            let own = mix(hash[arcs[0].0 as usize] ^ salt);
            for arc in arcs {
                sums[arc.1 as usize] = sums[arc.1 as usize].wrapping_add(own);
            }
        }
    }
}

impl Blocks {
    /// Adds to each column's sum the mixed sum over its block.
    pub(super) fn add(&self, hash: &[u64], sums: &mut [u64]) {
        for block in &self.blocks {
            let own = |sum: u64, &c: &u32| sum.wrapping_add(mix(hash[c as usize]));
            let whole = mix(block.iter().fold(self.salt, own));
            for &c in block {
                sums[c as usize] = sums[c as usize].wrapping_add(whole);
            }
        }
    }
}

/// The pairs that the group carries `(x, y)` to, for the first base point `x` of `local` and any
/// `y` of a suborbit.
fn pairs(local: &Chain, suborbit: &[Point]) -> Vec<(Point, Point)> {
    let from = |&x: &Point| {
        let u = local.transversal(0, x);
        suborbit.iter().map(move |&y| (x, u.at(y)))
    };
    local.orbit(0).iter().flat_map(from).collect()
}

/// Whether the pairs join all columns that occur in them.
fn is_connected(pairs: &[(Point, Point)]) -> bool {
    let last = pairs.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0);
    let mut sets = DisjointSets::new(last as usize + 1);
    pairs.iter().for_each(|&(x, y)| {
        sets.join(x, y);
    });
    let mut roots = pairs.iter().map(|&(x, _)| sets.find(x));
    let first = roots.next();
    roots.all(|root| Some(root) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbitals_of(group: &Group) -> Vec<Orbital> {
        orbitals(group.chain(), 0, group.degree())
    }

    #[test]
    fn edges_of_a_square_are_taken_before_its_diagonals() {
        let found = orbitals_of(&Group::dihedral(4));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].valency, found[0].is_self_paired), (2, true));
        assert_eq!(found[0].arcs.len(), 8);
        assert!(found[0].arcs.iter().all(|&(x, y)| (x + y) % 2 == 1));
    }

    #[test]
    fn steps_of_a_ring_go_one_way() {
        let found = orbitals_of(&Group::cyclic(6));
        assert_eq!((found[0].valency, found[0].is_self_paired), (1, false));
        let step = (found[0].arcs[0].1 + 6 - found[0].arcs[0].0) % 6;
        assert!(step == 1 || step == 5, "a connected step, not {step}");
    }

    #[test]
    fn pairs_of_a_wreath_product_are_not_connected_but_sparse() {
        let found = orbitals_of(&Group::symmetric(2).wreath(&Group::symmetric(12)));
        assert_eq!((found.len(), found[0].valency), (1, 1));
    }
}
