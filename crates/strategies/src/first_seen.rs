//! The first state of an orbit, as far as a quick test finds that it is one.
//!
//! States that may be in one orbit have one marker (see [`super::marker`]). A new state is tested
//! against those with its marker, in the order in which they came: an element of the group that
//! carries points to points of the same description is looked for, and if it carries the state to
//! the other, that stands for it. If not, a few attempts are made on other images of the state,
//! where the search for an element goes another way.
//!
//! Worked example: `(1,0)` comes first, then `(0,1)`. The markers agree; the point that owns 1 is
//! described like the point that owns 1: the exchange, and it makes `(1,0)` of `(0,1)`.
//!
//! Approximate: where descriptions leave a choice, attempts may all fail, and the state stands for
//! itself; it is never said to be another unless the element was applied. Source: Sistla, Gyuris
//! and Emerson 2000 (SMC). Cost: a marker, and for each state with the same marker a search that
//! ends after some steps. Departure: the attempts do not differ from run to run.

use crate::enumerate::image;
use crate::known::{ENTRY_BYTES, SeenStates};
use crate::marker::{Marking, as_colours};
use group::backtrack::transporter_of_colours_within;
use group::{Budget, Group, Point};
use reduce::action::Reader;
use reduce::reducer::{Guarantee, Reducer, Symmetry, Work};
use std::collections::HashMap;

/// How many images of a state are tried.
const N_ATTEMPTS: usize = 4;
/// How long an attempt may take.
const N_STEPS_MAX: u64 = 10_000;

/// `first-seen`.
pub(crate) struct FirstSeen {
    group: Group,
    reading: Reader,
    marking: Marking,
    known: SeenStates,
    /// By marker, in the order in which they came.
    seen: HashMap<u128, Vec<u32>>,
    /// The first moves nothing.
    twists: Vec<Vec<Point>>,
    /// What led to the last representative.
    symmetry: Symmetry,
    n_hits: u64,
    n_tried: u64,
}

impl FirstSeen {
    pub fn new(reading: Reader, group: &Group) -> FirstSeen {
        let mut rng = fastrand::Rng::with_seed(0);
        let mut twists = vec![(0..group.degree() as Point).collect()];
        for _ in 1..N_ATTEMPTS {
            twists.push(image(&group.chain().random(&mut rng)));
        }
        FirstSeen {
            reading,
            marking: Marking::new(group),
            group: group.clone(),
            known: SeenStates::default(),
            seen: HashMap::new(),
            twists,
            symmetry: Symmetry::default(),
            n_hits: 0,
            n_tried: 0,
        }
    }

    /// An element that carries `state` to the known one of that number, if one is found.
    fn leads(&mut self, state: &[u8], number: u32) -> Option<Symmetry> {
        let wanted = self.known.get(number).to_vec();
        if wanted == state {
            return Some(Symmetry::default());
        }
        let to = self.marking.describe(&mut self.reading, &wanted).to_vec();
        let (mut twisted, mut moved) = (Vec::new(), Vec::new());
        for twist in &self.twists {
            let act = self.reading.act();
            act.apply(twist, state, &mut twisted);
            let from = self.marking.describe(&mut self.reading, &twisted);
            let (from, to) = as_colours(from, &to)?;
            let budget = Budget::of_steps(N_STEPS_MAX);
            let found = transporter_of_colours_within(&self.group, &from, &to, &budget);
            let Ok(Some(found)) = found else {
                continue;
            };
            let by = image(&found);
            self.n_tried += 1;
            self.reading.act().apply(&by, &twisted, &mut moved);
            if moved == wanted {
                return Some(Symmetry::new(&by).after(&Symmetry::new(twist)));
            }
        }
        None
    }
}

impl Reducer for FirstSeen {
    fn reduce(&mut self, state: &mut [u8]) {
        self.symmetry = Symmetry::default();
        if !self.reading.act().is_settled(state) {
            return;
        }
        let marker = self.marking.marker(&mut self.reading, state);
        let like = self.seen.get(&marker).cloned().unwrap_or_default();
        self.n_hits += u64::from(!like.is_empty());
        for number in like {
            if let Some(symmetry) = self.leads(state, number) {
                self.symmetry = symmetry;
                state.copy_from_slice(self.known.get(number));
                return;
            }
        }
        let number = self.known.add(state);
        self.seen.entry(marker).or_default().push(number);
    }

    fn symmetry(&mut self) -> Option<Symmetry> {
        Some(self.symmetry.clone())
    }

    fn apply(&self, symmetry: &Symmetry, state: &[u8], out: &mut Vec<u8>) {
        self.reading.act().move_by(symmetry, state, out);
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn work(&self) -> Work {
        Work {
            n_marker_hits: Some(self.n_hits),
            ..Work::of_perms(self.n_tried)
        }
    }

    fn bytes(&self) -> u64 {
        self.known.bytes() + self.seen.len() as u64 * ENTRY_BYTES
    }
}
