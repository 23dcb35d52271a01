//! Exactly one state for each orbit, under any group.
//!
//! The state is drawn as an object over points, the object's canonical image gives an element of
//! the group, and the element moves the state. Two states of one orbit come out equal; see
//! `docs/theory/images.md` for why.

use crate::act::Act;
use crate::certify::Certified;
use crate::memo::Memo;
use crate::picture::{Canvas, Picture};
use crate::reducer::{Guarantee, Reducer, Symmetry};
use group::Point;
use group::image::{Canoniser, Scratch};
use num_bigint::BigUint;

/// The default way of choosing.
pub struct Canonical {
    act: Act,
    picture: Picture,
    canoniser: Canoniser,
    order: BigUint,
    scratch: Scratch,
    canvas: Canvas,
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
        let (act, group) = certified.lean();
        let act = act.clone();
        Canonical {
            picture: Picture::new(&act),
            canoniser: Canoniser::new(group),
            order: group.order(),
            scratch: Scratch::new(),
            canvas: Canvas::default(),
            moved: Vec::new(),
            asked: Vec::new(),
            memo: Memo::default(),
            element: Vec::new(),
            is_fresh: true,
            act,
        }
    }

    /// The representative of `state`, looked up or worked out.
    fn represent(&mut self, state: &mut [u8]) {
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

    fn canonise(&mut self, state: &mut [u8]) {
        self.is_fresh = true;
        self.element.clear();
        if !self.act.is_settled(state) {
            return;
        }
        self.picture.draw(&self.act, state, &mut self.canvas);
        let image = self
            .canoniser
            .canonical(&self.canvas.object, &mut self.scratch);
        let points = image.points();
        self.element.extend_from_slice(points);
        if points.iter().enumerate().all(|(x, y)| x == *y as usize) {
            return;
        }
        self.act.apply(points, state, &mut self.moved);
        state.copy_from_slice(&self.moved);
    }

    /// Whether the making is over in `state`, so that it may have another representative.
    pub fn is_settled(&self, state: &[u8]) -> bool {
        self.act.is_settled(state)
    }

    /// How many states the orbit of `state` has.
    pub fn orbit_size(&mut self, state: &[u8]) -> BigUint {
        if !self.act.is_settled(state) {
            return BigUint::from(1u32);
        }
        self.picture.draw(&self.act, state, &mut self.canvas);
        let image = self
            .canoniser
            .canonical(&self.canvas.object, &mut self.scratch);
        &self.order / image.stabiliser_order()
    }
}

impl Reducer for Canonical {
    fn reduce(&mut self, state: &mut [u8]) {
        self.represent(state);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        if !self.is_fresh {
            let mut state = std::mem::take(&mut self.asked);
            self.canonise(&mut state);
        }
        Some(Symmetry::new(&self.element))
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.act.move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn bytes(&self) -> u64 {
        self.memo.bytes()
    }
}
