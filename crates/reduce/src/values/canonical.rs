//! Exactly one state for each orbit, for states that are made of values.
//!
//! As [`crate::canonical`]: the state is drawn as an object over points, the canonical image of the
//! object gives an element of the group, and the element renames the members of the state.
//!
//! Worked example: a sort `a b`, `v = {(b, 1)}`. The object is: `b` owns "v, 1", `a` owns nothing;
//! its canonical image exchanges them, or does not, but leads to the same image from `{(a, 1)}`. So
//! both states get the same representative.

use super::certify::Certified;
use super::picture::Reading;
use crate::action::{Action, Reads};
use crate::memo::Memo;
use crate::reducer::{Guarantee, Reducer, Symmetry};
use group::Point;
use group::image::{Canoniser, Scratch};
use num_bigint::BigUint;

/// The default way of choosing.
pub struct Canonical {
    reading: Reading,
    canoniser: Canoniser,
    order: BigUint,
    scratch: Scratch,
    moved: Vec<u8>,
    /// The state last asked about.
    asked: Vec<u8>,
    memo: Memo,
    /// The element that led to the last representative that was worked out.
    element: Vec<Point>,
    /// Whether that is the one last asked about.
    is_fresh: bool,
}

impl Canonical {
    /// Works out all that does not depend on states.
    pub fn new(certified: &Certified) -> Canonical {
        Canonical {
            reading: certified.reading(),
            canoniser: Canoniser::new(certified.group()),
            order: certified.group().order(),
            scratch: Scratch::new(),
            moved: Vec::new(),
            asked: Vec::new(),
            memo: Memo::default(),
            element: Vec::new(),
            is_fresh: true,
        }
    }

    fn canonise(&mut self, state: &mut [u8]) {
        self.is_fresh = true;
        let object = self.reading.object(state);
        let image = self.canoniser.canonical(object, &mut self.scratch);
        let points = image.points();
        self.element.clear();
        self.element.extend_from_slice(points);
        if points.iter().enumerate().all(|(x, y)| x == *y as usize) {
            return;
        }
        self.reading.act().apply(points, state, &mut self.moved);
        state.copy_from_slice(&self.moved);
    }

    /// How many states the orbit of `state` has.
    pub fn orbit_size(&mut self, state: &[u8]) -> BigUint {
        let object = self.reading.object(state);
        let image = self.canoniser.canonical(object, &mut self.scratch);
        &self.order / image.stabiliser_order()
    }
}

impl Reducer for Canonical {
    fn reduce(&mut self, state: &mut [u8]) {
        self.asked.clear();
        self.asked.extend_from_slice(state);
        match self.memo.look_up(state) {
            Ok(()) => self.is_fresh = false,
            Err(place) => {
                self.canonise(state);
                self.memo.keep(place, &self.asked, state);
            }
        }
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        if !self.is_fresh {
            let mut state = std::mem::take(&mut self.asked);
            self.canonise(&mut state);
        }
        Some(Symmetry::new(&self.element))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reading.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn bytes(&self) -> u64 {
        self.memo.bytes()
    }
}
