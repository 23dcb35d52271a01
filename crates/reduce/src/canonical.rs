//! Exactly one state for each orbit, under any group.
//!
//! The state is drawn as an object over points, the object's canonical image gives an element of
//! the group, and the element moves the state. Two states of one orbit come out equal; see
//! `docs/theory/images.md` for why. Most states need neither object nor image: they are read by
//! columns, and the keys of these tell the representative (`sorting`). Which states these are does
//! not depend on which state of an orbit is asked about.

use crate::memo::Memo;
use crate::processes::act::Act;
use crate::processes::certify::Certified;
use crate::processes::picture::{Canvas, Picture};
use crate::processes::sorting::{Arrangement, Changes, Sorting};
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
    /// Where columns can be sorted, how.
    sorting: Option<Sorting>,
    arrangement: Arrangement,
    /// The element that led to the last representative that was drawn.
    element: Vec<Point>,
    /// How the last representative was found.
    way: Way,
}

/// How a representative was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By the element that is kept.
    Drawn,
    /// By the arrangement that is kept.
    Sorted,
    /// It was remembered, without an element.
    Remembered,
}

impl Canonical {
    /// Works out all that does not depend on states.
    pub fn new(certified: &Certified) -> Canonical {
        let (act, group) = certified.lean();
        let act = act.clone();
        let picture = Picture::new(&act);
        let canoniser = Canoniser::new(group);
        Canonical {
            sorting: Sorting::new(&act, &picture, group, &canoniser),
            arrangement: Arrangement::default(),
            picture,
            canoniser,
            order: group.order(),
            scratch: Scratch::new(),
            canvas: Canvas::default(),
            moved: Vec::new(),
            asked: Vec::new(),
            memo: Memo::default(),
            element: Vec::new(),
            way: Way::Drawn,
            act,
        }
    }

    /// The same without sorting: every state is drawn. It gives other representatives, as many.
    pub fn by_drawing(certified: &Certified) -> Canonical {
        Canonical {
            sorting: None,
            ..Canonical::new(certified)
        }
    }

    /// Whether columns can be sorted.
    pub fn can_sort(&self) -> bool {
        self.sorting.is_some()
    }

    /// Whether the last representative was found by sorting.
    pub fn has_sorted(&self) -> bool {
        self.way == Way::Sorted
    }

    /// The representative of `state`: sorted, looked up or drawn.
    fn represent(&mut self, state: &mut [u8]) {
        let changes = match &self.sorting {
            Some(sorting) => sorting.follow(state, &mut self.arrangement),
            None => Changes::ALL,
        };
        // What was last read is a state whose making was over.
        if changes.may_settle() && !self.act.is_settled(state) {
            self.arrangement.last.clear();
            self.element.clear();
            self.way = Way::Drawn;
            return;
        }
        if let Some(sorting) = &self.sorting {
            let guide = (&self.canoniser, &mut self.scratch);
            if sorting.arrange(state, changes, guide, &mut self.arrangement) {
                self.way = Way::Sorted;
                sorting.move_last(&self.arrangement, state);
                return;
            }
        }
        self.asked.clear();
        self.asked.extend_from_slice(state);
        match self.memo.look_up(state) {
            Ok(()) => self.way = Way::Remembered,
            Err(place) => {
                self.canonise(state);
                self.memo.keep(place, &self.asked, state);
            }
        }
    }

    /// Draws a state whose making is over.
    fn canonise(&mut self, state: &mut [u8]) {
        self.way = Way::Drawn;
        self.element.clear();
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
        match (self.way, &self.sorting) {
            (Way::Sorted, Some(sorting)) => {
                sorting.element(&self.arrangement, &mut self.element);
            }
            (Way::Remembered, _) => {
                let mut state = std::mem::take(&mut self.asked);
                self.canonise(&mut state);
            }
            _ => {}
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
