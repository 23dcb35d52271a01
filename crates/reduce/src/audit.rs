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

use crate::action::Reader;
use crate::certified::Certified;
use group::Perm;
use std::ops::ControlFlow;
use system::{FaultKind, Rest, Scratch, System};

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
    /// Whether not all moves were tried, or not all initial states, so that more may be there.
    pub is_cut: bool,
}

/// What differs between a state and its image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Their moves.
    Moves,
    /// Their pictures: representatives would be too many.
    Picture,
    /// The first is an initial state, and its image is not.
    Initial,
}

/// A move as far as symmetries keep it.
type Seen = (Option<Vec<u8>>, Vec<FaultKind>);

/// Whether a move says that not all moves were tried.
fn is_cut((state, faults): &Seen) -> bool {
    state.is_none() && faults.contains(&FaultKind::Cut)
}

/// Checks states one by one.
pub struct Audit<'a> {
    system: &'a dyn System,
    reading: Reader,
    generators: Vec<Perm>,
    scratch: Scratch,
}

impl<'a> Audit<'a> {
    /// An audit of the generators of `certified` on `system`.
    pub fn new(system: &'a dyn System, certified: &Certified) -> Audit<'a> {
        let (reading, group) = (certified.reader(), certified.group());
        Audit {
            system,
            reading,
            generators: group.generators().to_vec(),
            scratch: system.scratch(),
        }
    }

    /// Checks that the images of initial states that move are initial states.
    pub fn check_initial(&mut self) -> Result<(), Unequal> {
        let mut all: Vec<Vec<u8>> = Vec::new();
        let mut is_cut = false;
        self.system.initial(&mut self.scratch, &mut |initial| {
            is_cut |= initial.is_err_and(|fault| fault.kind == FaultKind::Cut);
            all.extend(initial.ok().map(<[u8]>::to_vec));
        });
        all.sort();
        let mut image = Vec::new();
        for state in all.iter().filter(|s| self.reading.act().is_settled(s)) {
            for (n, generator) in self.generators.iter().enumerate() {
                self.reading
                    .act()
                    .apply(generator.image(), state, &mut image);
                if all.binary_search(&image).is_err() {
                    return Err(Unequal {
                        generator: n,
                        state: state.clone(),
                        image,
                        what: What::Initial,
                        is_cut,
                    });
                }
            }
        }
        Ok(())
    }

    /// Checks one state.
    pub fn check(&mut self, state: &[u8]) -> Result<(), Unequal> {
        if !self.reading.act().is_settled(state) {
            return Ok(());
        }
        let (moves, rest) = self.moves(state);
        let mut image = Vec::new();
        for n in 0..self.generators.len() {
            self.reading
                .act()
                .apply(self.generators[n].image(), state, &mut image);
            if !self.is_pictured(n, state, &image) {
                return Err(Unequal {
                    generator: n,
                    state: state.to_vec(),
                    image,
                    what: What::Picture,
                    is_cut: false,
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
                    is_cut: moves.iter().chain(&found).any(is_cut),
                });
            }
        }
        Ok(())
    }

    /// Whether the picture of the image is the image of the picture.
    fn is_pictured(&mut self, n: usize, state: &[u8], image: &[u8]) -> bool {
        let moved = self.reading.object(state).moved_by(&self.generators[n]);
        moved.meaning() == self.reading.object(image).meaning()
    }

    fn moved(&self, n: usize, (state, faults): &Seen) -> Seen {
        let state = state.as_ref().map(|state| {
            let mut image = Vec::new();
            self.reading
                .act()
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
