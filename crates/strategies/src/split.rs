//! The significant part of a state brought to its least arrangement, the rest moved along.
//!
//! Murphi's normalisation splits the state at a point: what comes before is made least over all
//! permutations, and one permutation that does it is applied to all. Here the part before the split
//! is the control data of the first half of the orbits of points, at least one: processes of the
//! first types that move, or members of the first sets. What other points own, and all references,
//! are the rest.
//!
//! Worked example, two clients and two servers that move apart, control data `1 0 | 5 4`: the
//! clients become `0 1`, and the servers stay `5 4`, for no element that sorts clients need sort
//! them. So `0 1 | 4 5` is another representative of the orbit.
//!
//! Approximate. Source: Ip and Dill 1996, as surveyed by Donaldson 2007, §5, and by Turner 2007.
//! Cost: sorting, or an image of a tuple. Departure: Murphi leaves the place of the split to the
//! order of declarations.

use crate::reading::StatelessChoice;
use crate::segmented::Form;
use base::Over;
use group::{Group, Point};
use reduce::action::Reader;

/// `split-point`.
pub(crate) struct SplitPoint {
    form: Form,
    /// By point: whether it is before the split.
    is_significant: Vec<bool>,
    ranks: Vec<u32>,
}

impl SplitPoint {
    pub fn new(group: &Group) -> SplitPoint {
        let orbits = group.orbits();
        let moved: Vec<_> = orbits.iter().filter(|orbit| orbit.len() > 1).collect();
        let mut is_significant = vec![false; group.degree()];
        for x in moved[..moved.len().div_ceil(2)].iter().copied().flatten() {
            is_significant[*x as usize] = true;
        }
        SplitPoint {
            form: Form::new(group),
            is_significant,
            ranks: Vec::new(),
        }
    }
}

impl StatelessChoice for SplitPoint {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        reading.ranks(state, &mut self.ranks);
        for (rank, is_significant) in self.ranks.iter_mut().zip(&self.is_significant) {
            // All of the rest counts for the same.
            *rank = if *is_significant { *rank + 1 } else { 0 };
        }
        *element = self.form.element(&self.ranks);
        Ok(())
    }
}
