//! The least of all images, those left out that processes alike in the state make a second time.
//!
//! Images are made along a stabiliser chain: of the points that can come to the next base point
//! each is tried in turn. Where an exchange of two points leaves the *state* as it is, and also
//! leaves the points where they are that were chosen before, both lead to the same images, and the
//! second is left out. Such points are alike in this state, not in every state: this is *state
//! symmetry* (Emerson and Sistla), used here to prune an enumeration.
//!
//! Worked example: five processes with locations `0 0 0 0 1`. Of 120 images five are different. The
//! first base point is tried with one of the four that are alike and with the fifth; after one of
//! the four, three are alike and one is not; and so on: 5 images, made by 5 permutations.
//!
//! Exact, as `enumerate` is: if `τ` fixes the state and the chosen points and sends `y` to `x`, the
//! elements that bring `y` to the base point are those that bring `x` there, after `τ`. Sources:
//! Emerson and Sistla 1996; named in Donaldson 2007, §5, and not worked out there for enumeration.
//! Cost: an exchange of each pair of points that can be exchanged alone, and an image for each
//! different arrangement of what is alike; `choices.permutations` in JSON counts both.

use crate::enumerate::{Apply, Images, TransversalTree};
use crate::exchanges::Exchanges;
use crate::reading::{StatelessChoice, ticker};
use base::{Clock, Over};
use group::{Group, Point};
use reduce::action::Reader;
use reduce::reducer::Work;

/// `enumerate-alike`.
pub(crate) struct EnumerateAlike {
    tree: TransversalTree,
    images: Images,
    /// Exchanges of two points.
    swaps: Vec<Vec<Point>>,
    moved: Vec<u8>,
    n_swaps_tried: u64,
}

impl EnumerateAlike {
    pub fn new(group: &Group) -> EnumerateAlike {
        let orbits = group.orbits();
        let orbits = orbits.iter().filter(|orbit| orbit.len() > 1);
        let swaps = orbits.flat_map(|orbit| {
            let mut pairs: Vec<_> = Exchanges::new(group, orbit).by_pair.into_iter().collect();
            pairs.sort_unstable();
            pairs.into_iter().map(|(_, swap)| swap)
        });
        let mut swaps: Vec<Vec<Point>> = swaps.collect();
        // Points that move together have one exchange.
        swaps.sort_unstable();
        swaps.dedup();
        EnumerateAlike {
            tree: TransversalTree::new(group.chain()),
            images: Images::new(group.degree(), Apply::AtOnce),
            swaps,
            moved: Vec::new(),
            n_swaps_tried: 0,
        }
    }
}

impl StatelessChoice for EnumerateAlike {
    fn choose(
        &mut self,
        reading: &mut Reader,
        state: &[u8],
        element: &mut Vec<Point>,
    ) -> Result<(), Over> {
        self.images.start(reading, state);
        let act = reading.act();
        let mut fixing = Vec::new();
        for swap in &self.swaps {
            self.n_swaps_tried += 1;
            act.apply(swap, state, &mut self.moved);
            if self.moved == state {
                fixing.push(&swap[..]);
            }
        }
        let images = &mut self.images;
        self.tree
            .visit_up_to(&fixing, &mut |by| images.consider(act, by))?;
        element.clone_from(&self.images.least.best.element);
        Ok(())
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.images.ticker = ticker(clock);
    }

    fn work(&self) -> Work {
        Work::of_perms(self.images.least.n_tried + self.n_swaps_tried)
    }
}
