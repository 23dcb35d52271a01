//! What a group is: its orbits seen as tables, its products, its name, and how to find the least
//! tuple of an orbit with them.
//!
//! A group of `10^40` elements is given by ten generators and looks like noise. Nearly always it is
//! put together from small known pieces, and then questions about it fall apart into questions
//! about the pieces. Read in this order:
//!
//! - [`mod@columns`]: orbits on which the group acts alike, written below one another;
//! - [`mod@recognise`]: symmetric, alternating, cyclic and dihedral groups;
//! - [`disjoint`]: factors that move different points;
//! - [`mod@wreath`]: wreath products on the block systems of [`crate::blocks`];
//! - [`normal`]: normal subgroups with a complement, direct products that share points;
//! - [`minimise`]: least tuples of an orbit, one method a function; [`strategy`]: their
//!   composition;
//! - [`name`]: all of this as one line of text.
//!
//! Worked example, the tree with a root, 2 children and 2 leaves each (points: children `0 1`,
//! leaves `2 3` below 0 and `4 5` below 1). Generators `(2 3)` and `(0 1)(2 4)(3 5)`; order 8. One
//! disjoint factor; blocks `{0,2,3}` and `{1,4,5}`; inside a block `S2` acts, the blocks are
//! exchanged by `S2`, and 2² · 2 = 8: the group is `S2 wr S2`.
//!
//! Everything claimed is verified (by orders and membership); everything that could take long has
//! a bound after which nothing is claimed.

pub mod columns;
pub mod disjoint;
pub mod minimise;
pub mod name;
pub(crate) mod normal;
pub mod recognise;
pub(crate) mod strategy;
pub mod wreath;

use std::collections::HashSet;

use crate::chain::Group;
use crate::orbit::orbits;
use crate::perm::{Perm, Point};

pub use columns::{Table, columns};
pub use disjoint::disjoint_factors;
pub use name::{Shape, describe};
pub use recognise::{Natural, NaturalFamily, recognise};
pub use strategy::{RepresentativeMethod, classify};
pub use wreath::{Wreath, wreath};

/// A group on some of the points: `points[i]` is what the group calls `i`.
#[derive(Clone, Debug)]
pub struct GroupFactor {
    /// The points it acts on, as the surrounding group numbers them.
    pub points: Vec<Point>,
    /// The action on them, on `0..points.len()`.
    pub group: Group,
}

impl GroupFactor {
    /// What `generators` do on `points`.
    ///
    /// # Requires
    /// `points` is a union of orbits.
    pub fn new(points: Vec<Point>, generators: &[Perm]) -> GroupFactor {
        let group = Group::new(points.len(), restricted(generators, &points));
        GroupFactor { points, group }
    }

    /// An element of the part as a permutation of `0..degree` that fixes all other points.
    pub fn lift(&self, g: &Perm, degree: usize) -> Perm {
        lifted(g, &self.points, degree)
    }
}

/// The distinct non-identical actions of `generators` on `points`, renumbered by position.
///
/// # Requires
/// `points` is a union of orbits.
pub fn restricted(generators: &[Perm], points: &[Point]) -> Vec<Perm> {
    restricted_to_each(generators, &[points.to_vec()]).remove(0)
}

/// What `generators` do on each of several classes of points, without looking at every generator
/// once for every class.
///
/// # Requires
/// The classes are disjoint unions of orbits.
pub(crate) fn restricted_to_each(generators: &[Perm], classes: &[Vec<Point>]) -> Vec<Vec<Perm>> {
    let Some(degree) = generators.first().map(Perm::degree) else {
        return vec![Vec::new(); classes.len()];
    };
    let mut class_of = vec![usize::MAX; degree];
    for (i, class) in classes.iter().enumerate() {
        for &x in class {
            class_of[x as usize] = i;
        }
    }
    let mut moving: Vec<Vec<usize>> = vec![Vec::new(); classes.len()];
    for (k, g) in generators.iter().enumerate() {
        for &x in g.support() {
            let Some(list) = moving.get_mut(class_of[x as usize]) else {
                continue;
            };
            if list.last() != Some(&k) {
                list.push(k);
            }
        }
    }
    let mut position = vec![0; degree];
    let each = classes.iter().zip(moving).map(|(class, moving)| {
        for (i, &x) in class.iter().enumerate() {
            position[x as usize] = i as Point;
        }
        let mut seen = HashSet::new();
        let on_class = |k: usize| {
            let image = class
                .iter()
                .map(|&x| position[generators[k].at(x) as usize]);
            Perm::from_bijection(image.collect())
        };
        let mut actions: Vec<Perm> = moving.into_iter().map(on_class).collect();
        actions.retain(|g| seen.insert(g.clone()));
        actions
    });
    each.collect()
}

/// The permutation of `0..degree` that does to `points` what `g` does to their positions.
pub fn lifted(g: &Perm, points: &[Point], degree: usize) -> Perm {
    let mut image: Vec<Point> = (0..degree as Point).collect();
    for &i in g.support() {
        image[points[i as usize] as usize] = points[g.at(i) as usize];
    }
    Perm::from_bijection(image)
}

/// The orbits of two or more points.
pub fn moved_orbits(degree: usize, generators: &[Perm]) -> Vec<Vec<Point>> {
    let mut all = orbits(degree, generators);
    all.retain(|o| o.len() > 1);
    all
}

/// The points that some generator moves, in increasing order.
pub fn moved_points(degree: usize, generators: &[Perm]) -> Vec<Point> {
    let mut moved = vec![false; degree];
    for g in generators {
        for &x in g.support() {
            moved[x as usize] = true;
        }
    }
    (0..degree as Point)
        .filter(|&x| moved[x as usize])
        .collect()
}
