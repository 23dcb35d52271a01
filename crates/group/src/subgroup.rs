//! Subgroups: comparison, conjugates and cosets.
//!
//! A left coset `g∘H` has one *canonical representative* that can be found along the chain of `H`
//! without listing `H`: at each level, with base point `b` and orbit `O`, the element `g∘u` with
//! the least `(g∘u)(b)` is taken, `u` running over the transversal: that is the `u` that sends `b`
//! to the point of `O` with the least image under `g`. Multiplying `g` on the right by an element
//! of the level's group only changes the order in which `O` is met, so the choice depends on the
//! coset alone. Cosets of `H` in `A` are then listed by a search: from each representative multiply
//! with the generators of `A` on the left and make canonical; the cost is the index, not the order.
//!
//! Worked example: `H = ⟨(1 2)⟩` in `S3` on `0..3`; the chain of `H` has base point 1 with orbit
//! `{1, 2}`. The coset of `g = (0 2)`, image `2 1 0`, has the candidates `g(1) = 1` and `g(2) = 0`;
//! the least is at 2, so `g∘(1 2)`, image `2 0 1`, is the representative.

use std::collections::HashSet;

use num_bigint::BigUint;

use crate::chain::{Chain, Group};
use crate::perm::{Perm, Point};

impl Group {
    /// Whether every element is in `other`.
    pub fn is_subgroup_of(&self, other: &Group) -> bool {
        self.degree() == other.degree() && self.generators().iter().all(|g| other.contains(g))
    }

    /// Whether both groups have the same elements.
    pub fn is_equal_to(&self, other: &Group) -> bool {
        self.is_subgroup_of(other) && self.order() == other.order()
    }

    /// The number of cosets of `subgroup`; `None` if it is not a subgroup.
    pub fn index_of(&self, subgroup: &Group) -> Option<BigUint> {
        subgroup
            .is_subgroup_of(self)
            .then(|| self.order() / subgroup.order())
    }

    /// The group of `g∘h∘g⁻¹`, `h` an element: the same group with its points renamed by `g`.
    pub fn conjugate(&self, g: &Perm) -> Group {
        let generators = self.generators().iter().map(|h| h.conjugate(g)).collect();
        Group::from_known_order(self.degree(), generators, &self.order())
            .expect("conjugate groups have one order")
    }

    /// The canonical representative of the left coset `g∘self`: the same for all its elements.
    pub fn left_coset_representative(&self, g: &Perm) -> Perm {
        let mut image = g.image().to_vec();
        let mut scratch = CosetScratch::new(self.degree());
        make_left_canonical(self.chain(), &mut image, &mut scratch);
        Perm::from_bijection(image)
    }

    /// Calls `visit` with the canonical representative of each left coset of `subgroup`, the
    /// subgroup itself first; stops early when it says `false`. Says whether it was never stopped.
    ///
    /// # Requires
    /// `subgroup` is a subgroup. Memory grows with the index.
    pub(crate) fn visit_left_cosets(
        &self,
        subgroup: &Group,
        visit: &mut dyn FnMut(&Perm) -> bool,
    ) -> bool {
        debug_assert!(subgroup.is_subgroup_of(self));
        let first = subgroup.left_coset_representative(&Perm::identity(self.degree()));
        let mut seen = HashSet::from([first.clone()]);
        let mut queue = std::collections::VecDeque::from([first]);
        while let Some(coset) = queue.pop_front() {
            if !visit(&coset) {
                return false;
            }
            for g in self.generators() {
                let next = subgroup.left_coset_representative(&g.product(&coset));
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        true
    }

    /// One element of each left coset `g∘subgroup`; `None` if `subgroup` is not a subgroup or has
    /// more than `n_max` cosets.
    pub fn left_cosets_of(&self, subgroup: &Group, n_max: usize) -> Option<Vec<Perm>> {
        if self.index_of(subgroup)? > BigUint::from(n_max) {
            return None;
        }
        let mut cosets = Vec::new();
        self.visit_left_cosets(subgroup, &mut |g| {
            cosets.push(g.clone());
            true
        });
        Some(cosets)
    }

    /// One element of each right coset `subgroup∘g`; `None` as for [`Group::left_cosets_of`].
    pub fn right_cosets_of(&self, subgroup: &Group, n_max: usize) -> Option<Vec<Perm>> {
        // Inversion exchanges left and right cosets.
        let left = self.left_cosets_of(subgroup, n_max)?;
        Some(left.iter().map(Perm::inverse).collect())
    }
}

struct CosetScratch {
    transversal: Vec<Point>,
    product: Vec<Point>,
}

impl CosetScratch {
    fn new(degree: usize) -> CosetScratch {
        CosetScratch {
            transversal: vec![0; degree],
            product: vec![0; degree],
        }
    }
}

fn make_left_canonical(chain: &Chain, image: &mut [Point], scratch: &mut CosetScratch) {
    for level in 0..chain.n_levels() {
        let orbit = chain.orbit(level);
        let best = orbit.iter().copied().min_by_key(|&x| image[x as usize]);
        let best = best.expect("an orbit holds its base point");
        if best == chain.base_point(level) {
            continue;
        }
        chain.transversal_into(level, best, &mut scratch.transversal);
        for (z, &y) in scratch.product.iter_mut().zip(&scratch.transversal) {
            *z = image[y as usize];
        }
        image.copy_from_slice(&scratch.product);
    }
}
