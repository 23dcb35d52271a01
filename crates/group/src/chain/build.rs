//! Building the chain of one factor: a random descent, random filling, verification.
//!
//! *Descent.* Keep a pool of random elements of the current group. Choose a base point, grow a
//! tree over its orbit with a few elements of the pool as edges, multiply the pool's elements among
//! each other so that they are no longer the edges, and divide each by its transversal element:
//! the pool now holds random elements of the point's stabiliser. Each level costs a few passes
//! over the points for each element of the pool, whatever the number of levels above; sifting
//! fresh random elements from the top would cost the whole chain for each. Where the pool's group
//! contains every even permutation of some columns, a segment takes all their levels at once.
//!
//! *Filling.* A pool of fixed size cannot generate groups that need many generators. So the
//! generators, and then random elements, are sifted through the chain, and what is left over of
//! one becomes a new edge where it got stuck, until several in a row leave nothing.
//!
//! *Verification*, see [`super::verify`], unless the order is known and has been reached.
//!
//! Worked example: `⟨(0 1 2 3), (0 2)⟩`, the square. Base point 0, orbit of four; dividing leaves
//! elements that fix 0: the identity or `(1 3)`. Base point 1, orbit `{1, 3}`; nothing is left.
//! Order 4·2 = 8.

use num_bigint::BigUint;

use super::bound::OrderBounds;
use super::level::{ImagePositions, SchreierTree};
use super::local::{ChainStage, LocalChain, is_identity};
use super::random::{RandomSource, Shaker, multiply};
use super::recognise::find_columns;
use super::segment::ChainSegment;
use super::verify::{self, ChainFailure};
use crate::orbit::DisjointSets;
use crate::perm::Perm;

/// Elements in the pool of a descent.
const POOL: usize = 24;
/// How many random elements in a row must leave nothing before verification starts.
const QUIET_ROUNDS: usize = 8;
/// The same where the order is known and has not been reached: then luck is short, not the chain.
const QUIET_ROUNDS_KNOWN: usize = 200;
/// Random elements that are tried after the descent of a base change before generators are.
const REFILLS: usize = 64;
/// Descents that met an element which left a segment; after that many, segments are not used.
const RESTARTS_MAX: usize = 3;
/// The number of trees that are given more edges to be shallower.
const WIDE_STAGES: usize = 8;
const SEED: u64 = 0x006f_7262_6974_3164;

/// What is known about the order of the group.
#[derive(Clone, Copy)]
pub(super) enum KnownOrder<'a> {
    Unknown,
    /// It is this, if the caller is right; the chain is verified if it is not reached.
    Known(&'a BigUint),
    /// It is at most this; the chain is wanted only if it is reached soon, and not verified.
    Reach(&'a BigUint),
}

/// The chain of `⟨generators⟩` on `0..n` with a base that starts with `prefix`.
pub(super) fn build(
    n: usize,
    generators: &[Perm],
    prefix: &[u32],
    order: KnownOrder,
) -> LocalChain {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut elements = RandomSource::Shaken(Shaker::new(n, generators, &mut rng));
    let mut builder = ChainBuilder::new(n, generators, rng);
    builder.run(&mut elements, prefix, order);
    builder.chain
}

/// A chain of the same group with a base that starts with `prefix`.
pub(super) fn rebase(chain: &LocalChain, prefix: &[u32]) -> LocalChain {
    let order = chain.order();
    let known = KnownOrder::Known(&order);
    let mut builder = ChainBuilder::new(chain.n, &[], fastrand::Rng::with_seed(SEED));
    let mut elements = RandomSource::Drawn(chain);
    builder.descend(&mut elements, prefix);
    if builder.reached(known) {
        return builder.chain;
    }
    let filled = builder.fill(&mut elements, known, REFILLS);
    if filled.is_ok() && builder.reached(known) {
        return builder.chain;
    }
    // A group that needs many generators: random elements would bring one new level each.
    let generators = verify::generators(chain);
    let mut builder = ChainBuilder::new(chain.n, &generators, fastrand::Rng::with_seed(!SEED));
    builder.run(&mut RandomSource::Drawn(chain), prefix, known);
    assert!(
        builder.reached(known),
        "elements of the group reach its order"
    );
    builder.chain
}

/// An element left a segment's columns: the descent went wrong.
struct LeftSegment;

struct ChainBuilder<'a> {
    n: usize,
    generators: &'a [Perm],
    chain: LocalChain,
    rng: fastrand::Rng,
    segments_allowed: bool,
}

impl<'a> ChainBuilder<'a> {
    fn new(n: usize, generators: &'a [Perm], rng: fastrand::Rng) -> ChainBuilder<'a> {
        ChainBuilder {
            n,
            generators,
            chain: LocalChain::new(n),
            rng,
            segments_allowed: true,
        }
    }

    fn run(&mut self, elements: &mut RandomSource, prefix: &[u32], order: KnownOrder) {
        for restart in 0.. {
            self.segments_allowed = restart < RESTARTS_MAX;
            self.chain = LocalChain::new(self.n);
            self.descend(elements, prefix);
            if self.reached(order) || self.complete(elements, order).is_ok() {
                break;
            }
        }
    }

    fn reached(&self, order: KnownOrder) -> bool {
        match order {
            KnownOrder::Known(order) | KnownOrder::Reach(order) => self.chain.order() == *order,
            KnownOrder::Unknown => false,
        }
    }

    fn descend(&mut self, elements: &mut RandomSource, prefix: &[u32]) {
        let mut pool = vec![vec![0; self.n]; POOL];
        let mut scratch = vec![0; self.n];
        for element in &mut pool {
            elements.next(element, &mut scratch, &mut self.rng);
        }
        let mut prefix = prefix;
        loop {
            let mut sets = joined(self.n, &pool);
            while let Some(&b) = prefix.first()
                && sets.size_of(b) == 1
            {
                self.chain
                    .push(ChainStage::Tree(SchreierTree::new(self.n, b)));
                prefix = &prefix[1..];
            }
            let wanted = prefix.first().copied();
            let Some(b) = wanted.or_else(|| smallest_orbit(self.n, &mut sets)) else {
                return;
            };
            self.mix_after(&mut pool, |builder, pool| {
                match builder.segment(pool, &mut sets, prefix) {
                    Some(segment) => {
                        prefix = &prefix[segment.n_levels().min(prefix.len())..];
                        builder.chain.push(ChainStage::Segment(segment));
                    }
                    None => {
                        prefix = prefix.get(1..).unwrap_or(&[]);
                        let length = sets.size_of(b);
                        builder.push_tree(pool, b, length);
                    }
                }
            });
        }
    }

    /// Lets `push` add a stage made from the pool, then carries the pool below that stage.
    fn mix_after(&mut self, pool: &mut [Vec<u32>], push: impl FnOnce(&mut Self, &[Vec<u32>])) {
        let lo = self.chain.n_levels();
        push(self, pool);
        let hi = self.chain.n_levels();
        let mut scratch = vec![0; self.n];
        for i in 0..pool.len() {
            let j = (i + self.rng.usize(1..pool.len())) % pool.len();
            let (left, right) = pool.split_at_mut(i.max(j));
            let (low, high) = (&mut left[i.min(j)], &mut right[0]);
            let (mine, other) = if i < j { (low, high) } else { (high, low) };
            multiply(mine, other, &mut scratch, &mut self.rng);
        }
        for element in pool {
            let stopped = self.chain.sift(element, ImagePositions::All, lo, hi);
            assert_eq!(stopped, hi, "the orbit is that of the pool");
        }
    }

    fn push_tree(&mut self, pool: &[Vec<u32>], b: u32, length: usize) {
        let mut tree = SchreierTree::new(self.n, b);
        for element in pool {
            if tree.orbit.len() == length {
                break;
            }
            tree.add(element);
        }
        // The first levels are passed by every sift and are worth more edges.
        let share = if self.chain.stages().len() < WIDE_STAGES {
            4
        } else {
            2
        };
        let depth_max = 2 + length.ilog2() / share;
        for element in pool.iter().skip(tree.n_edges()) {
            if tree.depth() <= depth_max {
                break;
            }
            tree.add_and_regrow(element);
        }
        tree.shorten(&mut self.rng);
        self.chain.push(ChainStage::Tree(tree));
    }

    /// The segment that starts with the next base points, if the pool shows one.
    fn segment(
        &self,
        pool: &[Vec<u32>],
        sets: &mut DisjointSets,
        prefix: &[u32],
    ) -> Option<ChainSegment> {
        if !self.segments_allowed {
            return None;
        }
        let columns = find_columns(pool, sets, prefix.first().copied())?;
        let m = columns.n_columns;
        let mut order: Vec<usize> = Vec::with_capacity(m);
        let mut used = vec![false; m];
        let mut rows = Vec::new();
        for &b in prefix.iter().take(m - 2) {
            let cell = columns.cells.iter().position(|&x| x == b);
            let Some(cell) = cell.filter(|cell| !used[cell % m]) else {
                break;
            };
            used[cell % m] = true;
            order.push(cell % m);
            rows.push((cell / m) as u32);
        }
        if rows.len() == prefix.len() {
            rows.resize(m - 2, 0);
        }
        order.extend((0..m).filter(|&c| !used[c]));
        let width = columns.cells.len() / m;
        let cells = (0..width)
            .flat_map(|row| order.iter().map(move |&c| row * m + c))
            .map(|cell| columns.cells[cell])
            .collect();
        Some(ChainSegment::new(self.n, m, cells, rows))
    }

    /// Fills the chain and verifies it.
    fn complete(
        &mut self,
        elements: &mut RandomSource,
        order: KnownOrder,
    ) -> Result<(), LeftSegment> {
        let bounds = OrderBounds::new(self.n, self.generators);
        let generators = self.generators;
        let is_bounded = |chain: &LocalChain| {
            let is_long =
                matches!(order, KnownOrder::Unknown) && verify::is_long(chain, generators);
            is_long && bounds.are_reached(chain)
        };
        if is_bounded(&self.chain) {
            return Ok(());
        }
        let mut image = vec![0; self.n];
        for g in self.generators {
            g.write_image(&mut image);
            self.absorb(&mut image)?;
        }
        loop {
            self.fill(elements, order, usize::MAX)?;
            let enough = self.reached(order) || matches!(order, KnownOrder::Reach(_));
            if enough || is_bounded(&self.chain) {
                return Ok(());
            }
            match verify::failure(&self.chain, self.generators) {
                None => return Ok(()),
                Some(ChainFailure::TornColumns) => return Err(LeftSegment),
                Some(ChainFailure::Element(mut element)) => {
                    let grew = self.absorb(&mut element)?;
                    assert!(
                        grew,
                        "an element that did not sift to the identity must now"
                    );
                }
            }
        }
    }

    /// Absorbs random elements until several in a row bring nothing, at most `rounds_max`.
    fn fill(
        &mut self,
        elements: &mut RandomSource,
        order: KnownOrder,
        rounds_max: usize,
    ) -> Result<(), LeftSegment> {
        let quiet_max = match order {
            KnownOrder::Known(_) => QUIET_ROUNDS_KNOWN,
            KnownOrder::Unknown | KnownOrder::Reach(_) => QUIET_ROUNDS,
        };
        let mut image = vec![0; self.n];
        let mut scratch = vec![0; self.n];
        let mut quiet = 0;
        for _ in 0..rounds_max {
            if quiet == quiet_max || self.reached(order) {
                break;
            }
            elements.next(&mut image, &mut scratch, &mut self.rng);
            quiet = if self.absorb(&mut image)? {
                0
            } else {
                quiet + 1
            };
        }
        Ok(())
    }

    /// Sifts `image` and makes what is left an edge where it got stuck; says whether anything was.
    fn absorb(&mut self, image: &mut [u32]) -> Result<bool, LeftSegment> {
        let n_levels = self.chain.n_levels();
        let stopped = self.chain.sift(image, ImagePositions::All, 0, n_levels);
        if stopped == n_levels {
            let Some(b) = (0..self.n as u32).find(|&x| image[x as usize] != x) else {
                return Ok(false);
            };
            self.chain
                .push(ChainStage::Tree(SchreierTree::new(self.n, b)));
        }
        let tree = self.chain.tree_mut(stopped).ok_or(LeftSegment)?;
        debug_assert!(!is_identity(image));
        tree.add(image);
        tree.shorten(&mut self.rng);
        Ok(true)
    }
}

fn joined(n: usize, pool: &[Vec<u32>]) -> DisjointSets {
    let mut sets = DisjointSets::new(n);
    for element in pool {
        for (x, &y) in element.iter().enumerate() {
            if x as u32 != y {
                sets.join(x as u32, y);
            }
        }
    }
    sets
}

/// The least point of the smallest orbit that is not a single point.
fn smallest_orbit(n: usize, sets: &mut DisjointSets) -> Option<u32> {
    (0..n as u32)
        .map(|x| (sets.size_of(x), x))
        .filter(|&(size, _)| size > 1)
        .min()
        .map(|(_, x)| x)
}
