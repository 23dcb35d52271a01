//! Exchanges of columns, each taken where it makes the state lesser.
//!
//! Where the group is all permutations of columns (a process with its channel and its number), the
//! `m(m−1)/2` exchanges of two are a minimising set for what columns own: a tuple that none makes
//! lesser is the least. Points are compared row by row of the columns, for in that order it is
//! true for every layout.
//!
//! Worked example: three columns with control data `2 0 1`. The exchanges of columns 1 and 2, then
//! 2 and 3, make it `0 1 2`; no exchange makes that lesser.
//!
//! Exact where states have control data only. References are renamed by an exchange, so that one
//! that makes no state lesser may be needed on the way to the least: several states of an orbit may
//! be left. Source: Donaldson 2007, §9.2.2, Algorithm 7. Cost: `m²` images a round, at most `m`
//! rounds for control data.

use crate::enumerate::image;
use crate::reading::{Least, StatelessChoice, TrackedState};
use base::Over;
use group::Point;
use group::shape::minimise::MinimisingSet;
use reduce::action::Reader;
use reduce::reducer::Work;

/// `minimising-sets`.
pub(crate) struct Minimising {
    swaps: Vec<Vec<Point>>,
    from: TrackedState,
    least: Least,
}

impl Minimising {
    pub fn new(set: &MinimisingSet, degree: usize) -> Minimising {
        Minimising {
            swaps: set.swaps(degree).iter().map(image).collect(),
            from: TrackedState::default(),
            least: Least::new(set.table().rows().concat()),
        }
    }
}

impl StatelessChoice for Minimising {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        self.from.start(reading.act().degree(), state);
        reading.ranks(state, &mut self.from.ranks);
        self.least.start(&self.from);
        self.least.descend_in_place(reading.act(), &self.swaps);
        element.clone_from(&self.least.best.element);
        Ok(())
    }

    fn work(&self) -> Work {
        Work::of_perms(self.least.n_tried)
    }
}
