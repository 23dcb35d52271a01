//! Images where all columns but a few are alike, by a tree of stabilisers.
//!
//! Which arrangement such an object is led to is a question about the few. The first of them goes
//! to the first column of its orbit under the group, the second to the first of its orbit under
//! what fixes the first's new place, and so on. A chain has one such stabiliser a level, for base
//! points that were chosen before; here there is one for every way that the few can lie, made
//! beforehand until [`NODES_MAX`] are there.
//!
//! Worked example: the cube, with corners 3 and 5 told apart. An element brings 3 to corner 0; it
//! takes 5 to some corner, say 6. What fixes corner 0 leads 6 to 3, 5 or 6: the first of these is
//! 3, and an element that leads there and fixes 0 comes second. Any two other corners at this
//! distance, told apart in the same way, end at 0 and 3 as well.
//!
//! Why it is exact: where the few come to depends on the orbits only, first of the one, then of the
//! next under the stabiliser of the place of the one before, which are the same for the object and
//! for its images. So does whether a stabiliser is asked for that was not made.
//! Cost: a row of bytes for each of the few; the tables are square in the columns.

use num_bigint::BigUint;
use std::collections::VecDeque;

use crate::chain::Chain;
use crate::image::settle::SETTLE_COLUMNS_MAX;
use crate::orbit::orbits;
use crate::perm::{Perm, Point};

/// So many stabilisers are made, those of fewer columns first.
const NODES_MAX: usize = 32;

/// Stabilisers of columns that were fixed one after another. The first is the group.
#[derive(Clone, Debug, Default)]
pub struct StabiliserTree {
    nodes: Vec<StabiliserNode>,
}

/// A stabiliser.
#[derive(Clone, Debug)]
struct StabiliserNode {
    /// By column: where each column goes by an element that leads this one to the first of its
    /// orbit.
    leads: Vec<u8>,
    /// By column: what fixes the first of its orbit as well.
    below: Vec<Below>,
}

/// What is left of a stabiliser when one more column is fixed.
#[derive(Clone, Copy, Debug)]
enum Below {
    Node(u8),
    /// The identity.
    Nothing,
    /// It was not made.
    Unknown,
}

impl StabiliserTree {
    /// The tree of a group on at most [`SETTLE_COLUMNS_MAX`] points.
    pub(super) fn new(chain: &Chain) -> StabiliserTree {
        let mut tree = StabiliserTree::default();
        let mut queue = VecDeque::from([Vec::new()]);
        let mut n_known = 1;
        while let Some(fixed) = queue.pop_front() {
            let own = tree.nodes.len() as u8;
            let local = chain.with_base(&fixed);
            let order: BigUint = local.below(fixed.len()).order();
            let generators = local.stabiliser_generators(fixed.len());
            let leads = leads(chain.degree(), generators);
            let mut below = vec![Below::Unknown; chain.degree()];
            for orbit in orbits(chain.degree(), generators) {
                let first = *orbit.iter().min().expect("an orbit has a point");
                let what = if orbit.len() == 1 {
                    Below::Node(own)
                } else if order == BigUint::from(orbit.len()) {
                    Below::Nothing
                } else if n_known < NODES_MAX {
                    n_known += 1;
                    queue.push_back([&fixed[..], &[first]].concat());
                    Below::Node(n_known as u8 - 1)
                } else {
                    Below::Unknown
                };
                orbit.iter().for_each(|&x| below[x as usize] = what);
            }
            tree.nodes.push(StabiliserNode { leads, below });
        }
        tree
    }

    /// Where each column goes, if these few are led to the first places one after another; nothing
    /// if that takes a stabiliser that was not made. Columns are counted from the first that is led
    /// along the chain.
    ///
    /// # Ensures
    /// For an element `h` of the group, `few` and their images under `h` are led to the same
    /// places.
    pub fn lead(&self, few: impl Iterator<Item = u8>) -> Option<[u8; SETTLE_COLUMNS_MAX]> {
        let mut targets: [u8; SETTLE_COLUMNS_MAX] = std::array::from_fn(|x| x as u8);
        let mut below = Below::Node(0);
        for x in few {
            let node = match below {
                Below::Node(i) => self.nodes.get(usize::from(i))?,
                Below::Nothing => break,
                Below::Unknown => return None,
            };
            let n = node.below.len();
            let y = usize::from(targets[usize::from(x) % SETTLE_COLUMNS_MAX]);
            let lead = &node.leads[y * n..][..n];
            for target in &mut targets[..n] {
                *target = lead[usize::from(*target)];
            }
            below = node.below[y];
        }
        Some(targets)
    }
}

/// By point: where each point goes by an element that leads this one to the first of its orbit.
fn leads(n: usize, generators: &[Perm]) -> Vec<u8> {
    let inverses: Vec<Perm> = generators.iter().map(Perm::inverse).collect();
    let mut leads: Vec<u8> = vec![0; n * n];
    let mut is_led = vec![false; n];
    let mut queue: VecDeque<Point> = VecDeque::new();
    for first in 0..n {
        if is_led[first] {
            continue;
        }
        is_led[first] = true;
        (0..n).for_each(|x| leads[first * n + x] = x as u8);
        queue.push_back(first as Point);
        while let Some(x) = queue.pop_front() {
            for (g, inverse) in generators.iter().zip(&inverses) {
                let y = g.at(x) as usize;
                if !std::mem::replace(&mut is_led[y], true) {
                    for z in 0..n {
                        let before = inverse.at(z as Point) as usize;
                        leads[y * n + z] = leads[x as usize * n + before];
                    }
                    queue.push_back(y as Point);
                }
            }
        }
    }
    leads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Group;

    /// The groups that the tree is tried with: a cube, groups of groups, small ones, and one with
    /// more stabilisers than are made.
    fn groups() -> Vec<Group> {
        let corner = |f: &dyn Fn(Point) -> Point| Perm::from_bijection((0..8).map(f).collect());
        let flip = corner(&|x| x ^ 1);
        let turn = corner(&|x| (x << 1 | x >> 2) & 7);
        let swap = corner(&|x| x & 4 | (x & 1) << 1 | (x & 2) >> 1);
        let pairs: Vec<Perm> = (0..6)
            .map(|i| Perm::from_cycles(12, &[&[2 * i, 2 * i + 1]]).expect("an exchange"))
            .collect();
        vec![
            Group::new(8, vec![flip, turn, swap]),
            Group::symmetric(3).direct_product(&Group::dihedral(4)),
            Group::cyclic(6),
            Group::symmetric(5),
            Group::new(12, pairs),
        ]
    }

    /// How often random columns, and all their images, were led to the same places by elements of
    /// the group; or what is wrong.
    fn try_out(tree: &StabiliserTree, group: &Group) -> Result<usize, String> {
        let n = group.degree();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut n_led = 0;
        for _ in 0..100 {
            let mut all: Vec<u8> = (0..n as u8).collect();
            rng.shuffle(&mut all);
            all.truncate(rng.usize(..=n.min(5)));
            let places = tree.lead(all.iter().copied());
            let places = places.map(|to| all.iter().map(|&x| to[x as usize]).collect::<Vec<_>>());
            n_led += usize::from(places.is_some());
            let mut fault = None;
            group.chain().enumerate_images(&mut |h| {
                let moved: Vec<u8> = all.iter().map(|&x| h[x as usize] as u8).collect();
                let targets = tree.lead(moved.iter().copied());
                let same = targets.map(|to| moved.iter().map(|&x| to[x as usize]).collect());
                if same != places {
                    fault = Some(format!("{all:?} to {places:?}, {moved:?} to {same:?}"));
                }
                let element = targets.map(|to| to[..n].iter().map(|&y| y.into()).collect());
                let element = element.and_then(Perm::from_image);
                if targets.is_some() && !element.is_some_and(|g| group.contains(&g)) {
                    fault = Some(format!("{moved:?} by {targets:?}"));
                }
                fault.is_none()
            });
            if let Some(fault) = fault {
                return Err(fault);
            }
        }
        Ok(n_led)
    }

    #[test]
    fn columns_of_one_orbit_are_led_to_the_same_places() {
        for (i, group) in groups().iter().enumerate() {
            let tree = StabiliserTree::new(group.chain());
            assert!(tree.nodes.len() <= NODES_MAX);
            let n_led = try_out(&tree, group).unwrap_or_else(|fault| panic!("{i}: {fault}"));
            let wants_all = tree.nodes.len() < NODES_MAX;
            assert_eq!(n_led == 100, wants_all, "{i}: {n_led} led");
            assert!(n_led > 50, "{i}: {n_led} led");
        }
    }

    #[test]
    fn wrong_tables_are_found() {
        for (i, group) in groups().iter().enumerate() {
            let tree = StabiliserTree::new(group.chain());
            let n = group.degree();
            let mut other = tree.clone();
            other.nodes[0].leads.swap(0, 1);
            assert!(try_out(&other, group).is_err(), "{i}: no element");
            let mut other = tree.clone();
            let last: Vec<u8> = other.nodes[0].leads[..n].to_vec();
            let moved = (0..n).rfind(|x| tree.nodes[0].leads[x * n + x] != *x as u8);
            let moved = moved.expect("a column that moves");
            other.nodes[0].leads[moved * n..][..n].copy_from_slice(&last);
            assert!(try_out(&other, group).is_err(), "{i}: not led");
        }
        let cube = &groups()[0];
        let mut tree = StabiliserTree::new(cube.chain());
        tree.nodes[0].below.fill(Below::Node(0));
        assert!(try_out(&tree, cube).is_err(), "nothing is fixed");
    }

    #[test]
    fn the_diagonal_of_a_cube_is_led_to_that_of_the_first_corner() {
        let group = &groups()[0];
        let tree = StabiliserTree::new(group.chain());
        let places = |few: [u8; 2]| {
            let to = tree.lead(few.into_iter()).expect("a small tree");
            few.map(|x| to[usize::from(x)])
        };
        assert_eq!(places([3, 5]), [0, 3]);
        assert_eq!(places([5, 2]), [0, 7]);
        assert_eq!(places([6, 7]), [0, 1]);
    }
}
