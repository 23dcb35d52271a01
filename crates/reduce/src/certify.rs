//! Symmetries that may be used.
//!
//! Only what passes here becomes a [`Certified`], and only a [`Certified`] makes a reducer.

use crate::act::Act;
use crate::detect::Candidates;
use crate::points::Points;
use group::Group;
use system::population::Population;
use system::sort::Sorts;

/// A group of symmetries of a model.
#[derive(Clone, Debug)]
pub struct Certified {
    act: Act,
    group: Group,
}

impl Certified {
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
    Certified {
        act: Act::new(sorts, population, points),
        group,
    }
}
