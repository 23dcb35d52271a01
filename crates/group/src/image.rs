//! Canonical images under a group: the hot path of the whole product.
//!
//! Given a group `G` on points and an object over them (see [`Object`]), find an element `g` of `G`
//! such that `g·object` is the same for all objects of one orbit. The word *canonical* claims just
//! that; the image is not the least in any order that a user would know (for that see [`least`]).
//!
//! The way there: invariants of points by refinement; if these separate all points, sorting (for
//! symmetric groups) or walking down the stabiliser chain (for others) gives the arrangement; if
//! few arrangements are left, comparing them does; if not, a search over the ties. Files in reading
//! order: `object` what has an image, `plan` and `orbital` what is worked out once per group,
//! `refine` and `cells` invariants, `twins` and `parts` the commonest ties, `settle` few
//! arrangements, `search` many, `automorphism` what prunes it, `form` exact comparison, `scratch`
//! memory, `tree` images where all but a few are alike, [`least`] the least image, `certify` a
//! check by enumeration.
//!
//! Worked example: `S3` on points 0, 1, 2, where 0 and 1 have colour 5 and 2 has colour 4, and 1
//! refers to 2. Refinement gives three different invariants (0: colour 5; 1: colour 5 with an arc
//! out; 2: colour 4 with an arc in). Sorted by invariant, say 2, 0, 1, the element chosen maps
//! 2 to 0, 0 to 1 and 1 to 2. Any other object of the orbit, say with the arc from 0 to 1 and
//! colour 4 at 1, has the same three invariants at other points, so the same image.
//!
//! Cost: a round of refinement is linear in the arcs; most objects need two or three. No memory is
//! allocated once a [`Scratch`] has seen an object of the size.

mod automorphism;
mod cells;
mod certify;
mod form;
mod hash;
pub mod least;
mod object;
mod orbital;
mod parts;
mod plan;
mod refine;
mod scratch;
mod search;
mod settle;
mod tree;
mod twins;

use num_bigint::BigUint;

use crate::chain::Group;
use crate::perm::{Perm, Point};

pub use certify::{ImageFault, certify_image, certify_least};
pub use least::LeastImages;
pub use object::{Arc, Node, Object, ObjectMeaning};
pub use scratch::Scratch;
pub use settle::{ABREAST_BY_HASHES_MAX, Keys};
pub use tree::StabiliserTree;

use plan::ImagePlan;

/// Above so many table entries (64 MiB), transversals are not tabulated but taken from the chain.
const TABLE_ENTRIES_MAX: usize = 1 << 24;

/// A group made ready for canonical images.
#[derive(Clone, Debug)]
pub struct Canoniser {
    plan: ImagePlan,
    /// Where nothing but the search over ties is to be used: how that is pruned.
    only_search: Option<Pruning>,
}

/// What the search over ties leaves out. However much it is, an image is the same for all objects
/// of an orbit; which one it is may depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pruning {
    /// What is greater than the best, and what an automorphism maps to what was explored.
    #[default]
    Both,
    /// What is greater than the best only.
    ByOrder,
    /// What an automorphism maps to what was explored only.
    ByAutomorphisms,
    /// Nothing: all arrangements are compared.
    Neither,
}

impl Pruning {
    /// Whether what is greater than the best is left out.
    fn is_by_order(self) -> bool {
        matches!(self, Pruning::Both | Pruning::ByOrder)
    }

    /// Whether automorphisms leave something out.
    fn is_by_automorphisms(self) -> bool {
        matches!(self, Pruning::Both | Pruning::ByAutomorphisms)
    }
}

/// The element that leads to the canonical image, and how often it does.
#[derive(Debug)]
pub struct Image<'s> {
    points: &'s [Point],
    factors: &'s [u32],
    n_leaves: u64,
}

impl Canoniser {
    /// Works out what images under `group` need.
    pub fn new(group: &Group) -> Canoniser {
        Canoniser {
            plan: ImagePlan::new(group, TABLE_ENTRIES_MAX),
            only_search: None,
        }
    }

    /// The same by the search over ties alone, without the ways around it, pruned as said.
    pub fn by_search(group: &Group, pruning: Pruning) -> Canoniser {
        Canoniser {
            only_search: Some(pruning),
            ..Canoniser::new(group)
        }
    }

    /// Finds an element of the group that leads `object` to its canonical image.
    ///
    /// # Ensures
    /// For every element `h` of the group, `object` and `h·object` are led to the same image.
    pub fn canonical<'s>(&self, object: &Object, scratch: &'s mut Scratch) -> Image<'s> {
        let plan = &self.plan;
        plan.load(object, scratch);
        scratch.factors.clear();
        scratch.search.pruning = self.only_search.unwrap_or_default();
        let is_discrete = plan.refine(scratch, 0, None);
        let is_settled = self.only_search.is_none() && {
            let is_discrete = is_discrete || plan.break_root_ties(scratch);
            plan.settle(scratch, is_discrete) || plan.settle_by_group(scratch)
        };
        if !is_settled {
            plan.search_from_root(scratch);
        }
        plan.expand(scratch);
        Image {
            points: &scratch.image,
            factors: &scratch.factors,
            n_leaves: scratch.search.n_leaves,
        }
    }

    /// Columns with their full symmetric group, a number for each segment.
    pub fn segment_sizes(&self) -> Vec<usize> {
        self.plan.segments.iter().map(|s| s.len()).collect()
    }

    /// The orbits of columns, each column with its points by orbit: those of the symmetric
    /// segments first, then those that are led along the stabiliser chain. Nothing if some point
    /// stays.
    pub fn column_orbits(&self) -> Option<Vec<Vec<&[Point]>>> {
        let plan = &self.plan;
        let column = |c: usize| &plan.column_points[plan.points_range(c as u32)];
        let segments = plan.segments.iter().cloned();
        let mut orbits: Vec<Vec<&[Point]>> = segments.map(|s| s.map(column).collect()).collect();
        let role = |points: &[Point]| plan.role_of[points[0] as usize];
        let rest: Vec<&[Point]> = plan.rest.clone().map(column).collect();
        let of_rest = rest.chunk_by(|a, b| role(a) == role(b));
        orbits.extend(of_rest.map(<[&[Point]]>::to_vec));
        (plan.rest.end == plan.n_columns).then_some(orbits)
    }

    /// The columns of each segment, each with its points by orbit, if the group is just all
    /// arrangements of the columns of all segments: no point stays, and nothing else moves.
    pub fn symmetric_columns(&self) -> Option<Vec<Vec<&[Point]>>> {
        let is_all = self.plan.rest.is_empty();
        self.column_orbits().filter(|_| is_all)
    }

    /// Classes of columns that are led along the chain of which any two can be exchanged alone.
    /// Columns are numbered as [`Canoniser::column_orbits`] has them.
    pub fn exchangeable(&self) -> &[Vec<u32>] {
        &self.plan.exchangeable
    }

    /// The arrangements of the columns that are led along the chain which bring those of least key
    /// to the base points, compared by keys place by place: by place, the column that comes there,
    /// counted from the first of these columns. Nothing if they are more than
    /// [`ABREAST_BY_HASHES_MAX`] or [`settle::ABREAST_BY_CLASSES_MAX`], or too many on the way.
    ///
    /// # Requires
    /// There is a key for each of these columns.
    ///
    /// # Ensures
    /// If column `h(x)` has the key that `x` had, for an element `h` of the group, what is given
    /// are the same arrangements after `h`.
    pub fn arrangements<'s>(
        &self,
        keys: Keys<'_>,
        scratch: &'s mut Scratch,
    ) -> Option<impl ExactSizeIterator<Item = &'s [u8]> + use<'s>> {
        let n = self.plan.rest.len();
        assert_eq!(keys.len(), n, "keys of other columns");
        let is_settled = self.plan.settle_by_keys(keys, &mut scratch.settled);
        let rows = scratch.settled.rows().iter();
        is_settled.then(|| rows.map(move |row| &row[..n]))
    }

    /// The stabilisers of few of the columns that are led along the chain; nothing if there are no
    /// such columns or too many.
    pub fn stabiliser_tree(&self) -> Option<StabiliserTree> {
        let plan = &self.plan;
        plan.has_bytes.then(|| StabiliserTree::new(&plan.chain))
    }

    /// The number of columns that are led along the stabiliser chain.
    pub fn n_chain_columns(&self) -> usize {
        self.plan.rest.len()
    }
}

impl ImagePlan {
    /// Turns the best arrangement of columns into a permutation of points.
    fn expand(&self, scratch: &mut Scratch) {
        scratch.image.clear();
        scratch.image.resize(self.n_points, 0);
        if self.n_columns == self.n_points {
            for (&x, &target) in self.column_points.iter().zip(&scratch.search.best_target) {
                scratch.image[x as usize] = self.column_points[target as usize];
            }
            return;
        }
        for (column, &target) in scratch.search.best_target.iter().enumerate() {
            let from = self.column_start[column] as usize..self.column_start[column + 1] as usize;
            let to = &self.column_points[self.column_start[target as usize] as usize..];
            for (&x, &y) in self.column_points[from].iter().zip(to) {
                scratch.image[x as usize] = y;
            }
        }
    }
}

impl Image<'_> {
    /// Where each point goes.
    pub fn points(&self) -> &[Point] {
        self.points
    }

    /// The element of the group that was used.
    pub fn perm(&self) -> Perm {
        Perm::from_bijection(self.points.to_vec())
    }

    /// The number of elements of the group that fix the object. The length of the object's orbit is
    /// the order of the group divided by this.
    pub fn stabiliser_order(&self) -> BigUint {
        self.factors.iter().map(|&f| BigUint::from(f)).product()
    }

    /// The same as factors whose product it is, without big integers.
    pub fn stabiliser_factors(&self) -> &[u32] {
        self.factors
    }

    /// How many complete arrangements were compared; one where invariants separate everything.
    pub fn n_leaves(&self) -> u64 {
        self.n_leaves
    }
}

#[cfg(test)]
mod tests;
