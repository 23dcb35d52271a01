//! One state for each marker.
//!
//! The first state with a marker (see [`super::marker`]) stands for all that have it, whether or
//! not they are in its orbit.
//!
//! Worked example: of four processes that refer to each other in a ring and four that do in two
//! pairs, only the state that comes first is ever searched from.
//!
//! **Lossy**: errors that only the others lead to are missed, and nothing is known to hold. What is
//! found is real: by breadth a state is first met where the search goes on from it, so that the
//! path is a run. Source: Leuschel and Massart 2007. Cost: markers; 16 bytes and a state each.

use crate::known::{ENTRY_BYTES, SeenStates};
use crate::marker::Marking;
use group::Group;
use reduce::action::Reader;
use reduce::reducer::{Guarantee, Reducer, Symmetry};
use std::collections::HashMap;

/// `markers`.
pub(crate) struct Markers {
    reading: Reader,
    marking: Marking,
    first: SeenStates,
    seen: HashMap<u128, u32>,
    /// Whether the state last asked about is its representative.
    same: bool,
}

impl Markers {
    pub fn new(reading: Reader, group: &Group) -> Markers {
        Markers {
            reading,
            marking: Marking::new(group),
            first: SeenStates::default(),
            seen: HashMap::new(),
            same: true,
        }
    }
}

impl Reducer for Markers {
    fn reduce(&mut self, state: &mut [u8]) {
        self.same = true;
        if !self.reading.act().is_settled(state) {
            return;
        }
        let marker = self.marking.marker(&mut self.reading, state);
        let first = &mut self.first;
        let number = *self.seen.entry(marker).or_insert_with(|| first.add(state));
        // Two states of one marker need not have the same length.
        let known = self.first.get(number);
        self.same = known == state;
        if known.len() == state.len() {
            state.copy_from_slice(known);
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        self.same.then(Symmetry::default)
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reading.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Lossy
    }

    fn bytes(&self) -> u64 {
        self.first.bytes() + self.seen.len() as u64 * ENTRY_BYTES
    }
}
