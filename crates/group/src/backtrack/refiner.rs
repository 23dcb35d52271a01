//! What the wanted permutations must respect, told to the partition as keys of points.
//!
//! A refiner gives each point a key that depends only on the structure it stands for and on the
//! cells around the point. A permutation that carries the left structure to the right one, and left
//! cells to right cells of equal numbers, then carries points to points of equal keys: so cells may
//! be split by key on both sides, and if the pieces differ, no such permutation exists. Keys may be
//! hashes: two different situations with one key only make a cell coarser. The last word belongs to
//! [`Refiner::accepts`], which looks at a whole permutation and at nothing else.
//!
//! Worked example: the unordered partition `01|23|4` refined from one cell. Blocks of two members
//! differ from those of one, so the first keys split off 4. After 0 is made a cell of its own, the
//! block `01` differs from `23`, and the cells become `0`, `1`, `23`, `4`.
//!
//! Source: Leon 1991, section 5; Jefferson, Pfeiffer, Waldecker, Wilson 2019, *Permutation group
//! algorithms based on directed graphs* (orbital graphs as refiners).

use super::base_change::MovableChain;
use super::partition::OrderedPartition;
use crate::mix::mix;
use crate::perm::{Perm, Point};

/// The side of the search: permutations carry the left structure to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchSide {
    Left,
    Right,
}

/// When a refiner is asked, counted in points individualised so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Once, at the start: its keys do not depend on the cells.
    AtRoot,
    /// Until this depth: it is dear, and later the stabiliser chain says as much.
    UpToDepth(usize),
    Always,
}

/// A pair of structures, one for each side.
pub(super) trait Refiner {
    fn due(&self) -> Due;

    /// Writes the key of every point.
    fn keys(&self, side: SearchSide, partition: &OrderedPartition, keys: &mut [u64]);

    /// Whether `g` carries the left structure to that of side `to`, by plain inspection.
    fn accepts(&self, to: SearchSide, g: &Perm) -> bool;
}

/// A colour for each point: sets, ordered partitions and tuples of values.
pub(super) struct PointColours<'a> {
    pub(super) left: &'a [u32],
    pub(super) right: &'a [u32],
}

impl PointColours<'_> {
    fn of(&self, side: SearchSide) -> &[u32] {
        match side {
            SearchSide::Left => self.left,
            SearchSide::Right => self.right,
        }
    }
}

impl Refiner for PointColours<'_> {
    fn due(&self) -> Due {
        Due::AtRoot
    }

    fn keys(&self, side: SearchSide, _partition: &OrderedPartition, keys: &mut [u64]) {
        for (key, &colour) in keys.iter_mut().zip(self.of(side)) {
            *key = u64::from(colour);
        }
    }

    fn accepts(&self, to: SearchSide, g: &Perm) -> bool {
        let target = self.of(to);
        let mut pairs = g.image().iter().zip(self.left);
        pairs.all(|(&y, &colour)| target[y as usize] == colour)
    }
}

/// Disjoint blocks that may be exchanged, given by the number of each point's block.
pub(super) struct Blocks<'a> {
    pub(super) left: &'a [u32],
    pub(super) right: &'a [u32],
}

impl Blocks<'_> {
    fn of(&self, side: SearchSide) -> &[u32] {
        match side {
            SearchSide::Left => self.left,
            SearchSide::Right => self.right,
        }
    }
}

impl Refiner for Blocks<'_> {
    fn due(&self) -> Due {
        Due::Always
    }

    fn keys(&self, side: SearchSide, partition: &OrderedPartition, keys: &mut [u64]) {
        let block_of = self.of(side);
        let n_blocks = block_of.iter().map(|&b| b as usize + 1).max().unwrap_or(0);
        let mut sums = vec![0u64; n_blocks];
        for (x, &block) in block_of.iter().enumerate() {
            let sum = &mut sums[block as usize];
            *sum = sum.wrapping_add(mix(u64::from(partition.cell_of(x as Point))));
        }
        for (key, &block) in keys.iter_mut().zip(block_of) {
            *key = sums[block as usize];
        }
    }

    fn accepts(&self, to: SearchSide, g: &Perm) -> bool {
        let n = self.left.len();
        let target = self.of(to);
        let mut image = vec![u32::MAX; n];
        let mut source = vec![u32::MAX; n];
        (0..n).all(|x| {
            let (a, b) = (self.left[x], target[g.at(x as Point) as usize]);
            if image[a as usize] == u32::MAX && source[b as usize] == u32::MAX {
                image[a as usize] = b;
                source[b as usize] = a;
            }
            image[a as usize] == b && source[b as usize] == a
        })
    }
}

/// The orbits of a group on ordered pairs, as colours of pairs.
pub(super) struct Orbitals {
    degree: usize,
    /// Row by row: the number of the orbit of `(x, y)`.
    colour: Vec<u32>,
}

impl Orbitals {
    /// Above this degree the table of pairs is too large to be called cheap.
    const DEGREE_MAX: usize = 1500;
    /// Each orbit costs a base change.
    const ORBITS_MAX: usize = 24;
    const DEPTH_MAX: usize = 1;

    /// The orbitals, where they are affordable and say more than the orbits do.
    pub(super) fn new(group: &MovableChain) -> Option<Orbitals> {
        let degree = group.degree();
        let mut orbits: Vec<Vec<Point>> = vec![Vec::new(); degree];
        for (x, &least) in group.orbits(0).iter().enumerate() {
            orbits[least as usize].push(x as Point);
        }
        let n_orbits = orbits.iter().filter(|o| !o.is_empty()).count();
        let moved: Vec<Vec<Point>> = orbits.into_iter().filter(|o| o.len() > 1).collect();
        if degree > Orbitals::DEGREE_MAX || moved.is_empty() || moved.len() > Orbitals::ORBITS_MAX {
            return None;
        }
        let mut colour = vec![u32::MAX; degree * degree];
        let mut n_colours = 0;
        let mut tells_more = false;
        for orbit in &moved {
            let mut local = group.clone();
            let moves = local.fix(0, orbit[0]);
            debug_assert!(moves, "a point of a long orbit is moved");
            let suborbit = local.orbits(1);
            let mut least: Vec<Point> = suborbit.clone();
            least.sort_unstable();
            least.dedup();
            tells_more |= least.len() > n_orbits + 1;
            let frame_inverse = local.frame().inverse();
            for &y in orbit {
                // With u(x) = y in G, the pair (y, z) lies in the orbit of (x, u⁻¹(z)).
                let mut back: Vec<Point> = frame_inverse.image().to_vec();
                let own = back[y as usize];
                local.pull_back(0, own, &mut back);
                for (z, &own) in back.iter().enumerate() {
                    let from = suborbit[local.frame().at(own) as usize];
                    let rank = least.binary_search(&from).expect("a least point") as u32;
                    colour[y as usize * degree + z] = n_colours + rank;
                }
            }
            n_colours += least.len() as u32;
        }
        tells_more.then_some(Orbitals { degree, colour })
    }
}

impl Refiner for Orbitals {
    fn due(&self) -> Due {
        Due::UpToDepth(Orbitals::DEPTH_MAX)
    }

    fn keys(&self, _side: SearchSide, partition: &OrderedPartition, keys: &mut [u64]) {
        for (key, row) in keys.iter_mut().zip(self.colour.chunks_exact(self.degree)) {
            let mut sum = 0u64;
            for (y, &colour) in row.iter().enumerate() {
                let cell = partition.cell_of(y as Point);
                sum = sum.wrapping_add(mix(u64::from(colour) << 32 | u64::from(cell)));
            }
            *key = sum;
        }
    }

    /// The group itself is asked elsewhere; its orbitals have nothing to add.
    fn accepts(&self, _to: SearchSide, _g: &Perm) -> bool {
        true
    }
}
