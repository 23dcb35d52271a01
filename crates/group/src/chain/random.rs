//! Random elements of a group that is known by generators only.
//!
//! Product replacement: keep a list of elements that generate the group, and again and again
//! replace one by its product with another; an accumulator multiplies what comes out. After a
//! warm-up the accumulator is close to uniform. Where there are more generators than places in the
//! list, the list starts with random subproducts (each generator taken or left by a coin), which
//! together generate the group with high probability unless it needs many generators.
//! Luck is never trusted: what is built from these elements is verified afterwards.
//!
//! Sources: Celler, Leedham-Green, Murray, Niemeyer and O'Brien 1995 (product replacement);
//! Leedham-Green and O'Brien (the accumulator); Babai, Cooperman, Finkelstein and Seress 1991
//! (random subproducts).

use super::level::ImagePositions;
use super::local::{LocalChain, write_identity};
use crate::perm::Perm;

const SLOTS_MIN: usize = 10;
const SLOTS_MAX: usize = 20;
const WARM_UP: usize = 60;
/// Steps between two elements that are handed out.
const STRIDE: usize = 2;

/// Where random elements come from.
pub(super) enum RandomSource<'a> {
    /// Nearly uniform ones from generators.
    Shaken(Shaker),
    /// Uniform ones from a chain of the same group.
    Drawn(&'a LocalChain),
}

impl RandomSource<'_> {
    /// Writes a random element to `image`; `scratch` is as long.
    pub(super) fn next(&mut self, image: &mut [u32], scratch: &mut [u32], rng: &mut fastrand::Rng) {
        match self {
            RandomSource::Shaken(shaker) => image.copy_from_slice(shaker.next(rng)),
            RandomSource::Drawn(chain) => {
                write_identity(image);
                chain.randomise(image, ImagePositions::All, scratch, rng);
            }
        }
    }
}

/// A source of nearly uniform random elements.
pub(super) struct Shaker {
    n: usize,
    slots: Vec<Vec<u32>>,
    accumulator: Vec<u32>,
    scratch: Vec<u32>,
}

impl Shaker {
    /// A source over the group that `generators` generate on `0..n`.
    pub(super) fn new(n: usize, generators: &[Perm], rng: &mut fastrand::Rng) -> Shaker {
        let mut moving: Vec<&Perm> = generators.iter().filter(|g| !g.is_identity()).collect();
        let n_slots = moving.len().clamp(SLOTS_MIN, SLOTS_MAX);
        let mut shaker = Shaker {
            n,
            slots: Vec::new(),
            accumulator: (0..n as u32).collect(),
            scratch: vec![0; n],
        };
        for i in 0..n_slots {
            let mut image: Vec<u32> = (0..n as u32).collect();
            if moving.len() <= SLOTS_MAX {
                if let Some(g) = moving.get(i % moving.len().max(1)) {
                    g.write_image(&mut image);
                }
            } else {
                rng.shuffle(&mut moving);
                shaker.subproduct(&moving, &mut image, rng);
            }
            shaker.slots.push(image);
        }
        for _ in 0..WARM_UP + 2 * n_slots {
            shaker.step(rng);
        }
        shaker
    }

    /// A random element; the slice is valid until the next call.
    pub(super) fn next(&mut self, rng: &mut fastrand::Rng) -> &[u32] {
        for _ in 0..STRIDE {
            self.step(rng);
        }
        &self.accumulator
    }

    fn step(&mut self, rng: &mut fastrand::Rng) {
        let i = rng.usize(..self.slots.len());
        let j = (i + rng.usize(1..self.slots.len())) % self.slots.len();
        let (left, right) = self.slots.split_at_mut(i.max(j));
        let (low, high) = (&mut left[i.min(j)], &mut right[0]);
        let (mine, other) = if i < j { (low, high) } else { (high, low) };
        multiply(mine, other, &mut self.scratch, rng);
        let mine = &self.slots[i];
        for y in &mut self.accumulator {
            *y = mine[*y as usize];
        }
    }

    /// Multiplies a random subproduct of `generators` onto `image`, at the cost of their supports.
    fn subproduct(&self, generators: &[&Perm], image: &mut [u32], rng: &mut fastrand::Rng) {
        debug_assert_eq!(image.len(), self.n);
        let mut values = Vec::new();
        for g in generators {
            if rng.bool() {
                continue;
            }
            values.clear();
            values.extend(g.moves().map(|(_, y)| image[y as usize]));
            for (&x, &v) in g.support().iter().zip(&values) {
                image[x as usize] = v;
            }
        }
    }
}

/// Replaces `mine` by its product with `other` or its inverse, from a random side.
pub(super) fn multiply(
    mine: &mut [u32],
    other: &[u32],
    scratch: &mut [u32],
    rng: &mut fastrand::Rng,
) {
    match rng.u8(..4) {
        0 => {
            for y in mine.iter_mut() {
                *y = other[*y as usize];
            }
        }
        1 => {
            for (x, y) in scratch.iter_mut().enumerate() {
                *y = mine[other[x] as usize];
            }
            mine.copy_from_slice(scratch);
        }
        2 => {
            for (x, &y) in other.iter().enumerate() {
                scratch[y as usize] = x as u32;
            }
            for y in mine.iter_mut() {
                *y = scratch[*y as usize];
            }
        }
        _ => {
            for (x, &y) in other.iter().enumerate() {
                scratch[y as usize] = mine[x];
            }
            mine.copy_from_slice(scratch);
        }
    }
}
