//! Representatives by trying every element of the group: the least image.
//!
//! Elements are made once, by multiplying generators until nothing new comes out. For each element
//! and each leaf it is noted which leaf goes there, so that an image is made in order of leaves and
//! left as soon as it is greater than the best so far (Moffat, Goldsmith and Roscoe 2008, genRep).
//! The cost grows with the order of the group, which is why this is not the default; everything
//! else is compared with it.
//!
//! Where several elements lead to the least state, the specification may be led to different
//! states. To take the first element is what SymCheck3 does; an orbit of pairs may then have
//! several representatives. To take the least state of the specification gives one.
//!
//! Worked example. Users 0, 1 with states `in` = 1, `out` = 0, and the specification "1 is in" = 2.
//! The pair (2, (0, 1)): the identity gives (0, 1), the exchange (1, 0), which is left at once. The
//! pair (2, (1, 1)), if it ever came: both give (1, 1), the identity with 2, the exchange with 1.

use super::joint::{Joint, Points};
use super::refusal::NoRepresentatives;
use crate::reducer::Symmetry;
use std::cmp::Ordering;
use std::collections::HashMap;

/// What is done where several elements lead to the least state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The first of them is taken.
    First,
    /// The one with the least state of the specification is taken.
    Least,
}

/// The elements of a group.
#[derive(Clone, Debug)]
pub struct Elements {
    /// By element: where each point goes.
    images: Vec<Vec<u32>>,
    /// By element and leaf: which leaf goes there.
    sources: Vec<Vec<u32>>,
    ties: Ties,
    /// Whether each orbit has one representative.
    is_exact: bool,
    /// The element that led to the last representative.
    last: usize,
    /// How many elements did.
    n_best: usize,
    best: Vec<u32>,
}

impl Elements {
    /// All elements, unless they are more than so many or take more than so many bytes.
    pub fn new(
        joint: &Joint,
        ties: Ties,
        n_max: usize,
        bytes_max: usize,
    ) -> Result<Elements, NoRepresentatives> {
        let n = joint.points.len();
        let identity: Vec<u32> = (0..n as u32).collect();
        let mut numbers = HashMap::from([(identity.clone(), 0u32)]);
        let mut images = vec![identity];
        let mut at = 0;
        while at < images.len() {
            for generator in &joint.generators {
                let image = images[at].iter().map(|&x| generator.image()[x as usize]);
                let image: Vec<u32> = image.collect();
                let next = images.len() as u32;
                if *numbers.entry(image.clone()).or_insert(next) == next {
                    images.push(image);
                }
                if images.len() > n_max {
                    return Err(NoRepresentatives::Elements(n_max));
                }
                if images.len() * n * 8 > bytes_max {
                    return Err(NoRepresentatives::Memory(images.len()));
                }
            }
            at += 1;
        }
        Ok(Elements {
            ties,
            is_exact: ties == Ties::Least || joint.is_universal(),
            ..Elements::of_some(joint, images)
        })
    }

    /// These elements, the identity first, of which the least image is taken; it need not be the
    /// least of the orbit.
    pub fn of_some(joint: &Joint, images: Vec<Vec<u32>>) -> Elements {
        let points = &joint.points;
        let source = |image: &Vec<u32>| {
            let mut sources = vec![0; points.n_leaves()];
            for leaf in 0..points.n_leaves() {
                let to = image[points.leaf(leaf) as usize] - points.leaf(0);
                sources[to as usize] = leaf as u32;
            }
            sources
        };
        Elements {
            sources: images.iter().map(source).collect(),
            images,
            ties: Ties::Least,
            is_exact: false,
            last: 0,
            n_best: 1,
            best: Vec::new(),
        }
    }

    /// Which element led to the last representative; 0 for the identity.
    pub fn last(&self) -> usize {
        self.last
    }

    /// The element of that number.
    pub fn element(&self, number: usize) -> Symmetry {
        Symmetry::new(&self.images[number])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Replaces a pair by its representative; gives the specification's side.
    pub fn represent(&mut self, points: &Points, spec: u32, state: &mut [u32]) -> u32 {
        let mut best = std::mem::take(&mut self.best);
        best.clear();
        best.extend_from_slice(state);
        let mut best_spec = spec;
        self.last = 0;
        self.n_best = 1;
        for g in 1..self.images.len() {
            let image = &self.images[g];
            let value = |to: usize| {
                let from = self.sources[g][to] as usize;
                image[(points.offset(from) + state[from]) as usize] - points.offset(to)
            };
            let mut order = Ordering::Equal;
            let mut to = 0;
            while to < state.len() && order == Ordering::Equal {
                order = value(to).cmp(&best[to]);
                to += 1;
            }
            let moved = image[points.spec(spec) as usize] - points.spec(0);
            if order == Ordering::Equal && self.ties == Ties::Least {
                order = moved.cmp(&best_spec);
            }
            match order {
                Ordering::Greater => {}
                Ordering::Equal => self.n_best += 1,
                Ordering::Less => {
                    for (to, entry) in best.iter_mut().enumerate() {
                        *entry = value(to);
                    }
                    (self.last, best_spec) = (g, moved);
                    self.n_best = 1;
                }
            }
        }
        state.copy_from_slice(&best);
        self.best = best;
        best_spec
    }

    /// How many pairs the orbit of the last has, if its representative is the only one.
    pub fn orbit_size(&self) -> Option<u128> {
        self.is_exact.then(|| (self.len() / self.n_best) as u128)
    }

    /// The element that carries the pair last asked about to its representative.
    pub fn symmetry(&self) -> Symmetry {
        self.element(self.last)
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        let n = self.images.first().map_or(0, Vec::len) + self.sources.first().map_or(0, Vec::len);
        (self.len() * n * 4) as u64
    }
}
