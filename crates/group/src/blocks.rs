//! Blocks of imprimitivity: partitions of an orbit that the group permutes as wholes.
//!
//! Problem: `S_10 wr S_20` is a group on 200 points, but it is best seen as one on 20 blocks. Find
//! the partitions of an orbit whose cells every element maps to cells.
//!
//! Idea: for the finest such partition in which some points share a cell, join those points, and
//! whenever two points share a cell, join their images under each generator. A partition is fixed
//! by its cell at one point `x`, and joining `x` with `y` or with `h(y)`, `h` fixing `x`, gives the
//! same one; so one `y` for each orbit of the stabiliser of `x` gives all partitions that one pair
//! generates. All others are joins of these.
//!
//! Worked example: the square `0 1 2 3` with its 8 symmetries. The stabiliser of 0 has the orbits
//! `0`, `{1,3}`, `2`. Joining 0 and 1: the rotation demands `1~2`, `2~3`, so all is one block.
//! Joining 0 and 2: the rotation demands `1~3`, and the reflection nothing more. So `02|13` is the
//! only block system, the group on the two blocks has order 2, and its kernel order 4.
//!
//! Source: Atkinson 1975, *An algorithm for finding the blocks of a permutation group*; Seress
//! 2003, section 5.5. The kernel comes from a base change in the action on points and blocks
//! together.
//! Cost: a pair takes points × generators steps, up to the inverse Ackermann function.

use std::collections::HashSet;

use crate::backtrack::base_change::MovableChain;
use crate::chain::Group;
use crate::orbit::{DisjointSets, orbit_representatives, orbits};
use crate::perm::{Perm, Point};
use crate::shape::columns::GeneratorMoves;

const OUTSIDE: u32 = u32::MAX;

/// Disjoint blocks that a group permutes. Each is sorted; they come in order of their least points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSystem {
    blocks: Vec<Vec<Point>>,
    block_of: Vec<u32>,
}

impl BlockSystem {
    /// The system of these blocks, in order of their least points; `None` if one is empty, two
    /// overlap, or a point is beyond the degree.
    pub fn from_blocks(degree: usize, mut blocks: Vec<Vec<Point>>) -> Option<BlockSystem> {
        blocks.iter_mut().for_each(|b| b.sort_unstable());
        blocks.sort_unstable();
        let mut used = vec![false; degree];
        let mut is_new = |&x: &Point| {
            let used = used.get_mut(x as usize);
            used.is_some_and(|used| !std::mem::replace(used, true))
        };
        let sound = blocks
            .iter()
            .all(|b| !b.is_empty() && b.iter().all(&mut is_new));
        sound.then(|| BlockSystem::new(degree, blocks))
    }

    /// A block for each of `points`, which are distinct and in increasing order.
    pub(crate) fn of_single_points(degree: usize, points: &[Point]) -> BlockSystem {
        BlockSystem::new(degree, points.iter().map(|&x| vec![x]).collect())
    }

    fn new(degree: usize, blocks: Vec<Vec<Point>>) -> BlockSystem {
        let mut block_of = vec![OUTSIDE; degree];
        for (i, block) in blocks.iter().enumerate() {
            block.iter().for_each(|&x| block_of[x as usize] = i as u32);
        }
        BlockSystem { blocks, block_of }
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Vec<Point>] {
        &self.blocks
    }

    /// The number of the block that holds `x`, if one does.
    pub fn block_of(&self, x: Point) -> Option<usize> {
        let block = self.block_of[x as usize];
        (block != OUTSIDE).then_some(block as usize)
    }

    /// What `g` does to the blocks, if it maps them to blocks.
    pub fn image(&self, g: &Perm) -> Option<Perm> {
        let image_of = |block: &Vec<Point>| {
            let target = self.block_of(g.at(block[0]))?;
            let together = block
                .iter()
                .all(|&x| self.block_of(g.at(x)) == Some(target));
            (together && self.blocks[target].len() == block.len()).then_some(target as Point)
        };
        Perm::from_image(self.blocks.iter().map(image_of).collect::<Option<_>>()?)
    }
}

/// A list of block systems stopped at its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyBlockSystems {
    pub n_max: usize,
}

impl std::fmt::Display for TooManyBlockSystems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there are more than {} block systems", self.n_max)
    }
}

impl std::error::Error for TooManyBlockSystems {}

/// The finest partition of all points that `group` permutes and in which the points of `seed` share
/// a block. Points that nothing forces together are blocks of one.
pub fn minimal_block(group: &Group, seed: &[Point]) -> BlockSystem {
    let mut sets = Joiner::new(group.degree(), group.generators()).join(seed);
    BlockSystem::new(group.degree(), sets.sets())
}

/// The minimal ones among the block systems of the orbit of `point`, without that of single points
/// and that of one block, by increasing block length. Empty if and only if the group is primitive
/// on the orbit.
pub fn minimal_block_systems(group: &Group, point: Point) -> Vec<BlockSystem> {
    let joiner = Joiner::new(group.degree(), group.generators());
    let principal = principal_blocks(group, &joiner, point);
    let is_minimal = |block: &&Vec<Point>| {
        let inside = |other: &Vec<Point>| other.len() < block.len() && is_subset(other, block);
        !principal.iter().any(inside)
    };
    let minimal = principal.iter().filter(is_minimal);
    let orbit = orbit_of(group, point);
    minimal.map(|b| joiner.system(b, &orbit)).collect()
}

/// All block systems of the orbit of `point`, without that of single points and that of one block,
/// by increasing block length; an error if there are more than `n_max`.
pub fn all_block_systems(
    group: &Group,
    point: Point,
    n_max: usize,
) -> Result<Vec<BlockSystem>, TooManyBlockSystems> {
    let found = some_block_systems(group, point, n_max.saturating_add(1));
    if found.len() > n_max {
        return Err(TooManyBlockSystems { n_max });
    }
    Ok(found)
}

/// Block systems of the orbit of `point`, as [`all_block_systems`] lists them, but no more than
/// `n_max`: then some are missing, and of those found the ones with the shortest blocks are kept.
pub fn some_block_systems(group: &Group, point: Point, n_max: usize) -> Vec<BlockSystem> {
    let joiner = Joiner::new(group.degree(), group.generators());
    let principal = principal_blocks(group, &joiner, point);
    let orbit = orbit_of(group, point);
    let mut blocks = principal.clone();
    let mut seen: HashSet<Vec<Point>> = blocks.iter().cloned().collect();
    let mut next = 0;
    while next < blocks.len() && blocks.len() < n_max {
        for other in &principal {
            if is_subset(other, &blocks[next]) {
                continue;
            }
            let joined = joiner.block_at(point, &[blocks[next].as_slice(), other].concat());
            if joined.len() < orbit.len() && seen.insert(joined.clone()) {
                blocks.push(joined);
            }
        }
        next += 1;
    }
    sort_by_length(&mut blocks);
    blocks.truncate(n_max);
    blocks.iter().map(|b| joiner.system(b, &orbit)).collect()
}

/// Whether the group is transitive on its points and has no block systems but the two trivial ones.
/// One point is primitive, none is not.
pub fn is_primitive(group: &Group) -> bool {
    let n = group.degree();
    n > 0 && orbit_of(group, 0).len() == n && is_primitive_on_orbit(group, 0)
}

/// Whether the group is primitive on the orbit of `point`.
pub fn is_primitive_on_orbit(group: &Group, point: Point) -> bool {
    let joiner = Joiner::new(group.degree(), group.generators());
    principal_blocks(group, &joiner, point).is_empty()
}

/// What the group does to the blocks, as a group on their numbers; `None` if it does not permute
/// them. The generators come in the same order.
pub fn block_action(group: &Group, system: &BlockSystem) -> Option<Group> {
    let images = group.generators().iter().map(|g| system.image(g));
    Some(Group::new(
        system.blocks.len(),
        images.collect::<Option<_>>()?,
    ))
}

/// The elements that map each block onto itself.
///
/// # Requires
/// Every generator permutes the blocks.
pub fn block_kernel(group: &Group, system: &BlockSystem) -> Group {
    let n = group.degree();
    let n_blocks = system.blocks.len();
    let mut chain = MovableChain::new(group.chain()).extended(n + n_blocks, |g| {
        let blocks = block_image(system, g);
        let moved = blocks.image().iter().map(|&b| b + n as Point);
        Perm::from_bijection(g.image().iter().copied().chain(moved).collect())
    });
    let mut level = 0;
    for block in 0..n_blocks {
        level += usize::from(chain.fix(level, (n + block) as Point));
    }
    let kernel = chain.stabiliser_generators(level);
    let on_points = |g: &Perm| Perm::from_bijection(g.image()[..n].to_vec());
    Group::new(n, kernel.iter().map(on_points).collect())
}

fn block_image(system: &BlockSystem, g: &Perm) -> Perm {
    let image = system.image(g);
    image.unwrap_or_else(|| panic!("{g:?} does not permute the blocks"))
}

fn orbit_of(group: &Group, point: Point) -> Vec<Point> {
    let mut orbits = orbits(group.degree(), group.generators()).into_iter();
    orbits
        .find(|o| o.binary_search(&point).is_ok())
        .expect("every point has an orbit")
}

/// The blocks at `point` that one more point generates, each once, shorter than the whole orbit.
fn principal_blocks(group: &Group, joiner: &Joiner, point: Point) -> Vec<Vec<Point>> {
    let orbit = orbit_of(group, point);
    let fixing = group.chain().with_base(&[point]);
    let suborbit = orbit_representatives(group.degree(), fixing.stabiliser_generators(1));
    let mut blocks: Vec<Vec<Point>> = orbit
        .iter()
        .filter(|&&y| y != point && suborbit[y as usize] == y)
        .map(|&y| joiner.block_at(point, &[point, y]))
        .filter(|b| b.len() < orbit.len())
        .collect();
    sort_by_length(&mut blocks);
    blocks.dedup();
    blocks
}

fn sort_by_length(blocks: &mut [Vec<Point>]) {
    blocks.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
}

/// Both sorted.
fn is_subset(small: &[Point], large: &[Point]) -> bool {
    small.iter().all(|x| large.binary_search(x).is_ok())
}

/// Finds finest invariant partitions, one after the other.
pub(crate) struct Joiner<'a> {
    degree: usize,
    generators: &'a [Perm],
    moves: GeneratorMoves,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(degree: usize, generators: &'a [Perm]) -> Joiner<'a> {
        Joiner {
            degree,
            generators,
            moves: GeneratorMoves::new(degree, generators),
        }
    }

    /// The finest equivalence that holds on `seed` and is kept by the generators. Each time a
    /// representative loses its place, its images and those of its successor must be joined; that
    /// is enough, because the other members were joined to it earlier and their images with its
    /// images.
    pub(crate) fn join(&self, seed: &[Point]) -> DisjointSets {
        let mut sets = DisjointSets::new(self.degree);
        let mut deposed = Vec::new();
        for pair in seed.windows(2) {
            deposed.extend(join(&mut sets, pair[0], pair[1]));
        }
        while let Some(x) = deposed.pop() {
            let representative = sets.find(x);
            // A generator that fixes both points has nothing to say.
            let moving = self.moves.of(x).iter().chain(self.moves.of(representative));
            for &(i, _) in moving {
                let g = &self.generators[i as usize];
                deposed.extend(join(&mut sets, g.at(x), g.at(representative)));
            }
        }
        sets
    }

    /// The block of `point` in the finest invariant partition that keeps `seed` together.
    fn block_at(&self, point: Point, seed: &[Point]) -> Vec<Point> {
        let mut sets = self.join(seed);
        let root = sets.find(point);
        let all = 0..self.degree as Point;
        all.filter(|&x| sets.find(x) == root).collect()
    }

    /// The system on `orbit` that has `block` as one of its blocks.
    fn system(&self, block: &[Point], orbit: &[Point]) -> BlockSystem {
        let blocks = self.join(block).sets().into_iter();
        let on_orbit = blocks.filter(|b| orbit.binary_search(&b[0]).is_ok());
        BlockSystem::new(self.degree, on_orbit.collect())
    }
}

/// Joins two sets; returns the representative that is none any more, if they were apart.
fn join(sets: &mut DisjointSets, x: Point, y: Point) -> Option<Point> {
    let (a, b) = (sets.find(x), sets.find(y));
    sets.join(a, b)
        .then(|| if sets.find(a) == a { b } else { a })
}
