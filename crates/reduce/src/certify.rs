//! Symmetries that may be used.
//!
//! Only what passes here becomes a [`Certified`], and only a [`Certified`] makes a reducer.

use crate::act::{Act, Constants};
use crate::detect::{Bearing, Candidates};
use crate::points::Points;
use group::{Group, Perm};
use system::population::Population;
use system::sort::Sorts;

/// A group of symmetries of a model.
#[derive(Clone, Debug)]
pub struct Certified {
    act: Act,
    group: Group,
    lean: Act,
    lean_group: Group,
}

impl Certified {
    /// How it acts on states, leaving out what never changes and so is the same in all images; and
    /// the group on the points that are left. States move as under [`Certified::act`].
    pub fn lean(&self) -> (&Act, &Group) {
        (&self.lean, &self.lean_group)
    }

    /// How it acts on states.
    pub fn act(&self) -> &Act {
        &self.act
    }

    /// The group, on the points of [`Certified::act`].
    pub fn group(&self) -> &Group {
        &self.group
    }
}

/// Checks each candidate; those that pass generate the group.
pub fn certify(sorts: &Sorts, population: &Population, candidates: &Candidates) -> Certified {
    let (points, group) = Points::new(sorts, &candidates.bearers, &candidates.generators);
    let act = Act::new(sorts, population, points, Constants::Move);
    let (lean, lean_group) = lean(sorts, population, candidates);
    Certified {
        act,
        group,
        lean,
        lean_group,
    }
}

/// The action without what never changes.
fn lean(sorts: &Sorts, population: &Population, candidates: &Candidates) -> (Act, Group) {
    let bearing = Bearing::new(sorts, population, Constants::Stay);
    let degree = candidates.bearers.len();
    let generators = candidates.generators.iter().map(|generator| {
        let moves = generator.moves();
        let moves = moves.filter(|(x, _)| bearing.bears(candidates.bearers[*x as usize]));
        Perm::from_moves(degree, moves.collect())
    });
    let generators: Vec<Perm> = generators.filter(|g| !g.is_identity()).collect();
    let (points, group) = Points::new(sorts, &candidates.bearers, &generators);
    (Act::new(sorts, population, points, Constants::Stay), group)
}
