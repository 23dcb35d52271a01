//! With a state, all of its orbit is remembered.
//!
//! The first state of an orbit stands for it. When it comes, all its images are found by applying
//! generators until nothing new comes, and are remembered as images of it; so no other state of the
//! orbit is ever new.
//!
//! Worked example: two counters and their exchange. `(1,0)` comes first: `(0,1)` is remembered with
//! it, and when it comes is represented by `(1,0)`.
//!
//! Exact. No memory is saved, since all states are kept; what is saved is the search from all but
//! one of each orbit. Source: Leuschel, Butler, Spermann and Turner 2007. Cost: an image for each
//! state of an orbit and each generator, once; then looking it up. Departure: all of the state is
//! moved, not only members that occur in it.

use crate::enumerate::image;
use crate::known::{ENTRY_BYTES, SeenStates};
use crate::reading::{endless, ticker};
use base::{Clock, Over, Ticker};
use group::{Group, Point};
use reduce::action::Reads;
use reduce::reducer::{GivenUp, Guarantee, Reducer, Symmetry, Work};
use std::collections::HashMap;
use std::sync::Arc;

/// `flood`.
pub(crate) struct Flood {
    reads: Arc<dyn Reads>,
    moves: Vec<Vec<Point>>,
    /// The first state of each orbit.
    first: SeenStates,
    /// By state: which of the first it is an image of.
    images: HashMap<Box<[u8]>, u32>,
    n_bytes: u64,
    /// How much memory there is.
    bytes_max: u64,
    /// The state last asked about.
    last: Vec<u8>,
    ticker: Ticker<'static>,
    over: Option<Over>,
    n_tried: u64,
}

impl Flood {
    pub fn new(reads: &Arc<dyn Reads>, group: &Group) -> Flood {
        Flood {
            reads: reads.clone(),
            moves: group.generators().iter().map(image).collect(),
            first: SeenStates::default(),
            images: HashMap::new(),
            n_bytes: 0,
            bytes_max: u64::MAX,
            last: Vec::new(),
            ticker: endless(),
            over: None,
            n_tried: 0,
        }
    }

    fn flood(&mut self, state: &[u8]) {
        let number = self.first.add(state);
        let mut waiting = vec![state.to_vec()];
        self.images.insert(state.into(), number);
        let mut moved = Vec::new();
        while let Some(state) = waiting.pop() {
            self.n_bytes += state.len() as u64 + ENTRY_BYTES;
            // The rest of the orbit is not remembered; the search sees that memory is used up.
            if self.bytes() > self.bytes_max {
                return;
            }
            if let Err(over) = self.ticker.tick() {
                self.over = Some(over);
                return;
            }
            for by in &self.moves {
                self.n_tried += 1;
                self.reads.act().apply(by, &state, &mut moved);
                if !self.images.contains_key(&moved[..]) {
                    self.images.insert(moved[..].into(), number);
                    waiting.push(moved.clone());
                }
            }
        }
    }
}

impl Reducer for Flood {
    fn reduce(&mut self, state: &mut [u8]) {
        self.last.clear();
        self.last.extend_from_slice(state);
        if !self.reads.act().is_settled(state) {
            return;
        }
        match self.images.get(&*state) {
            Some(number) => state.copy_from_slice(self.first.get(*number)),
            None => self.flood(state),
        }
    }

    /// Floods again, with what led to each state.
    fn symmetry(&mut self) -> Option<Symmetry> {
        let Some(number) = self.images.get(&self.last[..]) else {
            return Some(Symmetry::default());
        };
        let wanted = self.first.get(*number);
        let mut led = HashMap::from([(self.last.clone(), Symmetry::default())]);
        let mut waiting = vec![self.last.clone()];
        let mut moved = Vec::new();
        while !led.contains_key(wanted) {
            let state = waiting.pop()?;
            let so_far = led[&state].clone();
            for by in &self.moves {
                self.reads.act().apply(by, &state, &mut moved);
                if !led.contains_key(&moved) {
                    led.insert(moved.clone(), Symmetry::new(by).after(&so_far));
                    waiting.push(moved.clone());
                }
            }
        }
        led.remove(wanted)
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reads.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn work(&self) -> Work {
        Work::of_perms(self.n_tried)
    }

    fn bytes(&self) -> u64 {
        self.first.bytes() + self.n_bytes
    }

    fn given_up(&self) -> Option<GivenUp> {
        self.over.map(GivenUp::Clock)
    }

    fn limit_time(&mut self, clock: Clock<'static>) {
        self.ticker = ticker(clock);
    }

    fn limit_bytes(&mut self, bytes_max: u64) {
        self.bytes_max = bytes_max;
    }
}
