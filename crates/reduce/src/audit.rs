//! Whether the symmetries of a model are symmetries of what it does, state by state.
//!
//! For a generator `g` and a state `s` after the making, the moves of `g·s` must be the images of
//! the moves of `s`: as many, to the images of the same states, with the same kinds of faults, and
//! both must rest alike; and the picture of `g·s` must be the image of the picture of `s`. Nothing
//! here knows how the symmetry was found. It is a test of the whole
//! of detection and of the action, on the states that a search visits.
//!
//! Worked example: `s` has moves to `a` and `b`, and `g·s` has moves to `g·b` and `g·a`: equal as
//! sorted lists. Had detection overlooked that a step compares an id with 3, some `s` would have a
//! move that `g·s` lacks.

use crate::act::Act;
use crate::certify::Certified;
use crate::picture::{Canvas, Picture};
use group::{Group, Perm};
use std::ops::ControlFlow;
use system::{FaultKind, Rest, System};

/// A state that a symmetry does not treat as it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unequal {
    /// Which generator, counted from 0.
    pub generator: usize,
    /// The state.
    pub state: Vec<u8>,
    /// Its image.
    pub image: Vec<u8>,
    /// What differs.
    pub what: What,
}

/// What differs between a state and its image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Their moves.
    Moves,
    /// Their pictures: representatives would be too many.
    Picture,
}

/// A move as far as symmetries keep it.
type Seen = (Option<Vec<u8>>, Vec<FaultKind>);

/// Checks states one by one.
pub struct Audit<'a, S: System> {
    system: &'a S,
    act: &'a Act,
    generators: Vec<Perm>,
    picture: Picture,
    canvas: Canvas,
    scratch: S::Scratch,
}

impl<'a, S: System> Audit<'a, S> {
    /// An audit of the generators of `certified` on `system`.
    pub fn new(system: &'a S, certified: &'a Certified) -> Audit<'a, S> {
        Audit::of(system, certified.act(), certified.group())
    }

    /// The same for the action without what never changes.
    pub fn lean(system: &'a S, certified: &'a Certified) -> Audit<'a, S> {
        let (act, group) = certified.lean();
        Audit::of(system, act, group)
    }

    fn of(system: &'a S, act: &'a Act, group: &Group) -> Audit<'a, S> {
        Audit {
            system,
            act,
            generators: group.generators().to_vec(),
            picture: Picture::new(act),
            canvas: Canvas::default(),
            scratch: system.scratch(),
        }
    }

    /// Checks one state.
    pub fn check(&mut self, state: &[u8]) -> Result<(), Unequal> {
        if !self.act.is_settled(state) {
            return Ok(());
        }
        let (moves, rest) = self.moves(state);
        let mut image = Vec::new();
        for n in 0..self.generators.len() {
            self.act
                .apply(self.generators[n].image(), state, &mut image);
            if !self.is_pictured(n, state, &image) {
                return Err(Unequal {
                    generator: n,
                    state: state.to_vec(),
                    image,
                    what: What::Picture,
                });
            }
            let (found, found_rest) = self.moves(&image);
            let mut wanted: Vec<Seen> = moves.iter().map(|m| self.moved(n, m)).collect();
            wanted.sort();
            if wanted != found || rest != found_rest {
                return Err(Unequal {
                    generator: n,
                    state: state.to_vec(),
                    image,
                    what: What::Moves,
                });
            }
        }
        Ok(())
    }

    /// Whether the picture of the image is the image of the picture.
    fn is_pictured(&mut self, n: usize, state: &[u8], image: &[u8]) -> bool {
        self.picture.draw(self.act, state, &mut self.canvas);
        let moved = self.canvas.object.moved_by(&self.generators[n]);
        self.picture.draw(self.act, image, &mut self.canvas);
        moved.meaning() == self.canvas.object.meaning()
    }

    fn moved(&self, n: usize, (state, faults): &Seen) -> Seen {
        let state = state.as_ref().map(|state| {
            let mut image = Vec::new();
            self.act
                .apply(self.generators[n].image(), state, &mut image);
            image
        });
        (state, faults.clone())
    }

    /// The moves of a state, sorted.
    fn moves(&mut self, state: &[u8]) -> (Vec<Seen>, Rest) {
        let mut moves: Vec<Seen> = Vec::new();
        let rest = self.system.successors(state, &mut self.scratch, &mut |mv| {
            let mut faults: Vec<FaultKind> = mv.faults.iter().map(|(_, f)| f.kind).collect();
            faults.sort();
            moves.push((mv.state.map(<[u8]>::to_vec), faults));
            ControlFlow::Continue(())
        });
        moves.sort();
        (moves, rest)
    }
}
