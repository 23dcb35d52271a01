//! Upper bounds of a group's order, from its generators alone.
//!
//! A chain of random origin gives a lower bound. Where the two meet, the order is proved, at a
//! cost near linear in the generators: the proof for the long bases of symmetric groups and their
//! products, where Schreier's lemma would take millions of sifts. The bounds:
//!
//! - on several orbits, at most the product of the bounds for each; an orbit with a bijection to
//!   an earlier one that all generators respect adds nothing; and where the group acts on some
//!   orbits as symmetric groups, the pattern of signs is a vector space over two elements that the
//!   generators span, so `∏ mᵢ!/2 · 2^rank`;
//! - the product of the orders of the generators, if they commute;
//! - on one orbit of length `m`: `m!` if a random element shows that the action contains `A_m`
//!   (see [`super::recognise`]), half of it if all generators are even; `m` if they commute;
//! - with blocks of length `s`, `d` of them: the bound for the action on blocks, times the `d`-th
//!   power of the bound for the action of a block's stabiliser on the block (the group embeds in
//!   the wreath product);
//! - `m!` if the action on one orbit is `S_m` and lifts: elements of the group that act as
//!   `(i i+1)` on that orbit satisfy Coxeter's relations on all points and give every generator
//!   back; then the group is an image of `S_m`.
//!
//! Worked example: `⟨(0 1)(2 3)⟩` on four points: two orbits of length two, bound `2·2 = 4` by the
//! orbits alone; but `0 ↦ 2, 1 ↦ 3` is respected, so the second adds nothing: the bound is 2.
//!
//! Sources: Seress 2003, sections 4.3 and 10.2; Coxeter and Moser 1957, section 6.2.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use num_bigint::BigUint;

use super::build::{KnownOrder, build};
use super::level::{ImagePositions, SchreierTree};
use super::lift;
use super::local::LocalChain;
use super::random::Shaker;
use super::recognise::is_prime;
use crate::blocks::Joiner;
use crate::families::factorial;
use crate::numbers::product;
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};
use crate::shape::columns::columns_within;
use crate::shape::moved_orbits;
use crate::shape::recognise::is_abelian;

/// Random elements that are tried for a cycle of prime length.
const GIANT_TRIES: usize = 80;
/// Points that are tried as partners in blocks.
const PARTNERS_MAX: usize = 64;
/// Orbits up to this length are given a chain of their own where nothing else bounds them.
const EXACT_MAX: usize = 300;
/// More look-ups than that are not spent on seeing whether generators commute.
const LOOKUPS_MAX: usize = 1_000_000_000;
/// Generators that move more points than that, together, are not looked at for orbits that are
/// alike.
const MOVES_MAX: usize = 20_000_000;
/// An orbit is compared with this many others of its cycle type.
const ALIKE_TRIED_MAX: usize = 16;
const SEED: u64 = 0x0062_6f75_6e64;

/// Upper bounds of the order of one group, found when first asked for.
pub(super) struct OrderBounds<'a> {
    n: usize,
    generators: &'a [Perm],
    by_orders: OnceCell<Option<BigUint>>,
    by_orbits: OnceCell<Option<BigUint>>,
}

impl<'a> OrderBounds<'a> {
    pub(super) fn new(n: usize, generators: &'a [Perm]) -> OrderBounds<'a> {
        OrderBounds {
            n,
            generators,
            by_orders: OnceCell::new(),
            by_orbits: OnceCell::new(),
        }
    }

    /// Whether the chain's order equals an upper bound, so that the chain is right.
    ///
    /// # Requires
    /// Every edge of the chain is in the group.
    pub(super) fn are_reached(&self, chain: &LocalChain) -> bool {
        let order = chain.order();
        let is_order = |bound: &Option<BigUint>| bound.as_ref() == Some(&order);
        let by_orders = || commuting_bound(self.n, self.generators);
        let by_orbits = || orbits_bound(self.n, self.generators);
        is_order(self.by_orders.get_or_init(by_orders))
            || lift::proves_order(self.n, self.generators, &order)
            || is_order(self.by_orbits.get_or_init(by_orbits))
    }
}

/// The product of the generators' orders, if they commute and it does not take long to see.
fn commuting_bound(n: usize, generators: &[Perm]) -> Option<BigUint> {
    // Only generators that meet in a point can fail to commute.
    let mut moving: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut n_lookups = 0;
    for (i, g) in generators.iter().enumerate() {
        for &x in g.support() {
            n_lookups += moving[x as usize].len();
            if n_lookups > LOOKUPS_MAX {
                return None;
            }
            for &j in &moving[x as usize] {
                let h = &generators[j];
                if g.at(h.at(x)) != h.at(g.at(x)) {
                    return None;
                }
            }
            moving[x as usize].push(i);
        }
    }
    Some(product(generators.iter().map(Perm::order).collect()))
}

/// The bound from orbits, blocks and signs, if one is found.
fn orbits_bound(n: usize, generators: &[Perm]) -> Option<BigUint> {
    let mut bound = BigUint::from(1u32);
    let mut signs: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); generators.len()];
    let all = distinct_orbits(n, generators);
    let mut moving = vec![Vec::new(); n];
    for (i, g) in generators.iter().enumerate() {
        for &x in g.support() {
            moving[x as usize].push(i);
        }
    }
    let mut place = vec![0; n];
    for (column, orbit) in all.iter().enumerate() {
        for (i, &x) in orbit.iter().enumerate() {
            place[x as usize] = i as Point;
        }
        let mut who: Vec<usize> = orbit
            .iter()
            .flat_map(|&x| &moving[x as usize])
            .copied()
            .collect();
        who.sort_unstable();
        who.dedup();
        // What each of them does on the orbit; the rest of its support is not looked at.
        let on_orbit = |g: &Perm| {
            let image = orbit.iter().map(|&x| place[g.at(x) as usize]);
            Perm::from_bijection(image.collect())
        };
        let acting: Vec<Perm> = who.iter().map(|&i| on_orbit(&generators[i])).collect();
        if orbit.len() == 2 || is_giant(orbit.len(), &acting) {
            bound *= factorial(orbit.len()) / 2u32;
            for (&i, g) in who.iter().zip(&acting) {
                if !g.is_even() {
                    signs[i].insert(column);
                }
            }
        } else {
            bound *= transitive_bound(orbit.len(), acting, orbit.len() == n)?;
        }
    }
    Some(bound << rank(signs))
}

/// A bound for a transitive group that is not giant; `whole` says that an exact chain would be
/// the very thing that is to be proved.
fn transitive_bound(m: usize, generators: Vec<Perm>, whole: bool) -> Option<BigUint> {
    let distinct: HashSet<Perm> = generators
        .into_iter()
        .filter(|g| !g.is_identity())
        .collect();
    let mut generators: Vec<Perm> = distinct.into_iter().collect();
    generators.sort_unstable();
    if generators.len() <= 20 && is_abelian(&generators) {
        return Some(BigUint::from(m));
    }
    if let Some(blocks) = find_blocks(m, &generators) {
        let (on_blocks, on_block) = split_action(m, &generators, &blocks);
        let n_blocks = blocks.len() as u32;
        let inner = giant_or_transitive(blocks[0].len(), on_block)?;
        let outer = giant_or_transitive(blocks.len(), on_blocks)?;
        return Some(outer * inner.pow(n_blocks));
    }
    (!whole && m <= EXACT_MAX).then(|| build(m, &generators, &[], KnownOrder::Unknown).order())
}

fn giant_or_transitive(m: usize, generators: Vec<Perm>) -> Option<BigUint> {
    if m == 1 {
        return Some(BigUint::from(1u32));
    }
    if is_giant(m, &generators) {
        let odd = u32::from(generators.iter().any(|g| !g.is_even()));
        return Some((factorial(m) / 2u32) << odd);
    }
    transitive_bound(m, generators, false)
}

/// Whether a random element proves that the transitive group contains every even permutation.
pub(super) fn is_giant(m: usize, generators: &[Perm]) -> bool {
    if m < 8 {
        return false;
    }
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut shaker = Shaker::new(m, generators, &mut rng);
    (0..GIANT_TRIES).any(|_| {
        let image = shaker.next(&mut rng);
        let mut seen = vec![false; m];
        (0..m).any(|start| {
            let mut length = 0;
            let mut x = start;
            while !std::mem::replace(&mut seen[x], true) {
                x = image[x] as usize;
                length += 1;
            }
            2 * length > m && length + 2 < m && is_prime(length as u32)
        })
    })
}

/// The orbits of two or more points, of those on which the group acts alike only one; all of them
/// where comparing would take long.
fn distinct_orbits(n: usize, generators: &[Perm]) -> Vec<Vec<Point>> {
    let n_moves: usize = generators.iter().map(|g| g.support().len()).sum();
    if n_moves > MOVES_MAX {
        return moved_orbits(n, generators);
    }
    let tables = columns_within(n, generators, ALIKE_TRIED_MAX);
    tables.iter().map(|t| t.rows()[0].clone()).collect()
}

/// A system of blocks with more than one block and more than one point in each.
fn find_blocks(m: usize, generators: &[Perm]) -> Option<Vec<Vec<Point>>> {
    let joiner = Joiner::new(m, generators);
    for x in partners(m, generators) {
        let mut sets = joiner.join(&[0, x]);
        if sets.size_of(0) < m {
            return Some(sets.sets());
        }
    }
    None
}

/// Points worth trying beside 0 in a block: one for each orbit of some elements that fix 0, short
/// orbits first.
fn partners(m: usize, generators: &[Perm]) -> Vec<Point> {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut shaker = Shaker::new(m, generators, &mut rng);
    let mut tree = SchreierTree::new(m, 0);
    while tree.orbit.len() < m {
        tree.add(shaker.next(&mut rng));
    }
    tree.shorten(&mut rng);
    let mut sets = DisjointSets::new(m);
    for _ in 0..10 {
        let mut image = shaker.next(&mut rng).to_vec();
        tree.pull_back(image[0], &mut image, ImagePositions::All);
        for (x, &y) in image.iter().enumerate() {
            sets.join(x as Point, y);
        }
    }
    let mut orbits = sets.sets();
    orbits.retain(|o| o[0] != 0);
    orbits.sort_by_key(Vec::len);
    orbits.iter().take(PARTNERS_MAX).map(|o| o[0]).collect()
}

/// The action on the blocks, and generators of the first block's stabiliser on that block.
fn split_action(m: usize, generators: &[Perm], blocks: &[Vec<Point>]) -> (Vec<Perm>, Vec<Perm>) {
    let mut block_of = vec![0u32; m];
    for (i, block) in blocks.iter().enumerate() {
        for &x in block {
            block_of[x as usize] = i as u32;
        }
    }
    let on_blocks: Vec<Perm> = generators
        .iter()
        .map(|g| {
            let image = blocks.iter().map(|b| block_of[g.at(b[0]) as usize]);
            Perm::from_bijection(image.collect())
        })
        .collect();
    // carried[i] is the first block carried to block i; place[x] is the place of x in it.
    let mut carried: BTreeMap<u32, Vec<Point>> = BTreeMap::from([(0, blocks[0].clone())]);
    let mut queue = vec![0];
    let mut next = 0;
    while next < queue.len() {
        let from = carried[&queue[next]].clone();
        for g in generators {
            let to = block_of[g.at(from[0]) as usize];
            carried.entry(to).or_insert_with(|| {
                queue.push(to);
                from.iter().map(|&x| g.at(x)).collect()
            });
        }
        next += 1;
    }
    let mut place = vec![0u32; m];
    for points in carried.values() {
        for (i, &x) in points.iter().enumerate() {
            place[x as usize] = i as u32;
        }
    }
    let mut on_block = HashSet::new();
    for points in carried.values() {
        for g in generators {
            let image = points.iter().map(|&x| place[g.at(x) as usize]);
            on_block.insert(Perm::from_bijection(image.collect()));
        }
    }
    let mut on_block: Vec<Perm> = on_block.into_iter().collect();
    on_block.sort_unstable();
    (on_blocks, on_block)
}

/// The rank of a matrix over the field with two elements, given by the places of the ones.
fn rank(rows: Vec<BTreeSet<usize>>) -> usize {
    let mut pivots: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for mut row in rows {
        while let Some(&first) = row.first() {
            let Some(pivot) = pivots.get(&first) else {
                pivots.insert(first, row);
                break;
            };
            row = &row ^ pivot;
        }
    }
    pivots.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An elementary abelian group of rank 8 on many orbits of 8 points: on each, the generators
    /// are translations by vectors drawn by lot.
    fn translations(n_orbits: usize) -> Vec<Perm> {
        let mut rng = fastrand::Rng::with_seed(6);
        (0..8)
            .map(|_| {
                let by: Vec<Point> = (0..n_orbits).map(|_| rng.u32(0..8)).collect();
                let image = (0..8 * n_orbits as Point).map(|x| x ^ by[x as usize / 8]);
                Perm::from_image(image.collect()).unwrap()
            })
            .collect()
    }

    #[test]
    fn many_orbits_are_compared_by_type_and_not_in_pairs() {
        let n_orbits = 3_000;
        let generators = translations(n_orbits);
        let bound = orbits_bound(8 * n_orbits, &generators).expect("all orbits are short");
        assert!(bound >= BigUint::from(256u32));
        assert_eq!(
            commuting_bound(8 * n_orbits, &generators),
            Some(BigUint::from(256u32))
        );
        let chain = build(8 * n_orbits, &generators, &[], KnownOrder::Unknown);
        assert!(OrderBounds::new(8 * n_orbits, &generators).are_reached(&chain));
        assert!(!OrderBounds::new(8 * n_orbits, &generators).are_reached(&chain.below(1)));
    }

    #[test]
    fn only_commuting_generators_are_bounded_by_their_orders() {
        let cycles = |c: &[&[Point]]| Perm::from_cycles(5, c).unwrap();
        let apart = [cycles(&[&[0, 1, 2]]), cycles(&[&[3, 4]])];
        assert_eq!(commuting_bound(5, &apart), Some(BigUint::from(6u32)));
        let meeting = [cycles(&[&[0, 1, 2]]), cycles(&[&[2, 3]])];
        assert_eq!(commuting_bound(5, &meeting), None);
    }

    #[test]
    fn orbits_that_are_alike_count_once() {
        let cycles = |c: &[&[Point]]| Perm::from_cycles(6, c).unwrap();
        let together = [
            cycles(&[&[0, 1], &[3, 4]]),
            cycles(&[&[0, 1, 2], &[3, 4, 5]]),
        ];
        assert_eq!(orbits_bound(6, &together), Some(BigUint::from(6u32)));
        let apart = [cycles(&[&[0, 1]]), cycles(&[&[0, 1, 2], &[3, 4, 5]])];
        assert_eq!(orbits_bound(6, &apart), Some(BigUint::from(18u32)));
    }
}
