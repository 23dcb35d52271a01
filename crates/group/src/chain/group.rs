//! A group: generators with their chain, and the questions one asks of a group.

use num_bigint::BigUint;

use super::Chain;
use crate::orbit::{Orbitals, orbit_of, orbit_representatives, orbits};
use crate::perm::{Perm, Point};
use crate::shape::restricted;

/// A group of permutations with its stabiliser chain.
#[derive(Clone, Debug)]
pub struct Group {
    generators: Vec<Perm>,
    chain: Chain,
}

impl Group {
    /// The group that `generators` generate on `0..degree`.
    pub fn new(degree: usize, generators: Vec<Perm>) -> Group {
        let chain = Chain::new(degree, &generators, &[]);
        Group { generators, chain }
    }

    /// The group that `generators` generate, if its order is `order`: cheaper where that is known.
    ///
    /// # Requires
    /// The group has no more than `order` elements; see [`Chain::from_known_order`].
    pub fn from_known_order(
        degree: usize,
        generators: Vec<Perm>,
        order: &BigUint,
    ) -> Option<Group> {
        let chain = Chain::from_known_order(degree, &generators, &[], order)?;
        Some(Group { generators, chain })
    }

    /// The group of a chain.
    pub fn from_chain(chain: Chain) -> Group {
        Group {
            generators: chain.stabiliser_generators(0).to_vec(),
            chain,
        }
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.chain.degree()
    }

    /// The generators it was made from.
    pub fn generators(&self) -> &[Perm] {
        &self.generators
    }

    /// The stabiliser chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        self.chain.order()
    }

    /// Whether `g` is an element.
    pub fn contains(&self, g: &Perm) -> bool {
        self.chain.contains(g)
    }

    /// Whether the identity is the only element.
    pub fn is_trivial(&self) -> bool {
        self.generators.iter().all(Perm::is_identity)
    }

    /// The orbits, fixed points included: each sorted, in order of their least points.
    pub fn orbits(&self) -> Vec<Vec<Point>> {
        orbits(self.degree(), &self.generators)
    }

    /// For each point, the least point of its orbit.
    pub(crate) fn orbit_representatives(&self) -> Vec<Point> {
        orbit_representatives(self.degree(), &self.generators)
    }

    /// The orbit of `x`, `x` first.
    pub fn orbit_of(&self, x: Point) -> Vec<Point> {
        orbit_of(x, self.degree(), &self.generators)
    }

    /// The orbits on ordered pairs of points.
    pub fn orbitals(&self) -> Orbitals {
        Orbitals::new(self)
    }

    /// Whether all points are in one orbit; true of no points and of one.
    pub fn is_transitive(&self) -> bool {
        self.degree() == 0 || self.orbit_of(0).len() == self.degree()
    }

    /// The subgroup that fixes each of `points`.
    pub fn stabiliser_of_points(&self, points: &[Point]) -> Group {
        let chain = self.chain.with_base(points);
        Group::from_chain(chain.below(points.len()))
    }

    /// The action on a union of orbits, whose points are numbered in the order given; `None` if
    /// `points` holds a point twice or is no union of orbits.
    pub fn restrict_to(&self, points: &[Point]) -> Option<Group> {
        let mut inside = vec![false; self.degree()];
        for &x in points {
            if std::mem::replace(inside.get_mut(x as usize)?, true) {
                return None;
            }
        }
        let kept = |g: &Perm| {
            g.moves()
                .all(|(x, y)| inside[x as usize] == inside[y as usize])
        };
        if !self.generators.iter().all(kept) {
            return None;
        }
        Some(Group::new(
            points.len(),
            restricted(&self.generators, points),
        ))
    }
}
