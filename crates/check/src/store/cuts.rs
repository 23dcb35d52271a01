//! Where states are best cut into two halves.
//!
//! **Problem.** Halves are kept once each, so a cut is good if few different halves make all
//! states. The middle is bad where the bytes that vary are all on one side: then one half is as
//! good as the whole state.
//!
//! **Idea.** The further to the right the cut is, the more different left halves there are and the
//! fewer right ones. Where the two numbers meet, about as many are on each side; that place is
//! found by bisection over a sample of the states that are stored.
//!
//! **Worked example.** Of states of 50 bytes the last 20 never change, and the first 30 take all
//! values of two independent parts of 15 bytes, a hundred each. Cut at 25 there are thousands of
//! left halves and a hundred right ones; cut at 15 there are a hundred of each.
//!
//! Halves may be long. Where whole halves would take much more memory than halves made of chunks,
//! they are made of chunks.
//!
//! **Cost.** Six to eight passes over the sample.

use super::tree::{ALONE, CHUNK};
use xxhash_rust::xxh3::xxh3_64;

/// How many states are looked at.
pub(super) const SAMPLE: usize = 1 << 16;
/// States of fewer bytes are cut in the middle.
const LENGTH_MIN: usize = 4;
/// From so many states of a length on it is worth a cut of its own.
const STATES_MIN: usize = 64;
/// What a part takes beside its bytes, about.
const PART_BYTES: usize = 8;
/// What the code of a state takes, with its place in the index.
const CODE_BYTES: usize = 14;

/// Where states of some lengths are cut.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Cuts {
    by_length: Vec<(usize, Cut)>,
}

/// Where states of one length are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The first byte of the right half.
    pub at: usize,
    /// Whether halves are never made of chunks.
    pub is_whole: bool,
}

/// Some states of one length.
pub(super) struct Alike {
    length: usize,
    bytes: Vec<u8>,
}

impl Cut {
    /// The cut of states of which nothing is known: in the middle, where halves have chunks at the
    /// start of one.
    pub fn in_the_middle(length: usize) -> Cut {
        let at = if length <= 2 * ALONE {
            length.div_ceil(2)
        } else {
            length / 2 / CHUNK * CHUNK
        };
        Cut {
            at,
            is_whole: false,
        }
    }
}

impl Cuts {
    /// The cut of states of that length, if there is one.
    pub fn of(&self, length: usize) -> Option<Cut> {
        let mut cuts = self.by_length.iter();
        let found = cuts.find(|(of, _)| *of == length);
        found.map(|(_, cut)| *cut)
    }

    /// The best cuts of these states; those that there are stay if they are nearly as good.
    pub(super) fn best(sample: &[Alike], now: &Cuts) -> Cuts {
        let enough = sample.iter().filter(|alike| {
            alike.length >= LENGTH_MIN && alike.bytes.len() >= STATES_MIN * alike.length
        });
        let best = |alike: &Alike| {
            let now = now.of(alike.length);
            let now = now.unwrap_or_else(|| Cut::in_the_middle(alike.length));
            (alike.length, alike.best(now))
        };
        let usual = |(length, cut): &(usize, Cut)| *cut == Cut::in_the_middle(*length);
        Cuts {
            by_length: enough.map(best).filter(|cut| !usual(cut)).collect(),
        }
    }
}

impl Alike {
    /// Adds a state to those of its length.
    pub fn add(all: &mut Vec<Alike>, state: &[u8]) {
        let length = state.len();
        let at = all.iter().position(|alike| alike.length == length);
        let at = at.unwrap_or_else(|| {
            let bytes = Vec::new();
            all.push(Alike { length, bytes });
            all.len() - 1
        });
        all[at].bytes.extend_from_slice(state);
    }

    /// Where these states are best cut.
    fn best(&self, now: Cut) -> Cut {
        let (mut low, mut high) = (0, self.length);
        // Up to `low` there are fewer left halves than right ones, from `high` on there are not.
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.n_different(0, middle) < self.n_different(middle, self.length) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let whole = |at: usize| self.part_bytes(0, at) + self.part_bytes(at, self.length);
        let at = if low > 0 && whole(low) <= whole(high) {
            low
        } else {
            high.min(self.length - 1)
        };
        let (as_whole, in_chunks) = (whole(at), self.in_chunks(at));
        // Whole halves are found sooner: that may cost half as much again as the codes take.
        let n_states = self.bytes.len() / self.length;
        let best = Cut {
            at,
            is_whole: as_whole <= in_chunks + n_states * CODE_BYTES / 2,
        };
        let n_bytes = match now {
            Cut { at, is_whole: true } => whole(at),
            Cut { at, .. } => self.in_chunks(at),
        };
        let is_near = |other: usize| n_bytes <= other / 8 * 9;
        if now.is_whole == best.is_whole && is_near(as_whole.min(in_chunks)) {
            now
        } else {
            best
        }
    }

    /// How many different values some bytes have.
    fn n_different(&self, from: usize, to: usize) -> usize {
        let states = self.bytes.chunks_exact(self.length);
        let n_slots = (2 * states.len()).next_power_of_two();
        // Hashes are spread already: a slot holds one, and 0 stands for none.
        let mut slots = vec![0; n_slots];
        let mut n = 0;
        for state in states {
            let hash = xxh3_64(&state[from..to]).max(1);
            let mut at = hash as usize & (n_slots - 1);
            while slots[at] != 0 && slots[at] != hash {
                at = (at + 1) & (n_slots - 1);
            }
            n += usize::from(slots[at] == 0);
            slots[at] = hash;
        }
        n
    }

    /// What these bytes take as parts.
    fn part_bytes(&self, from: usize, to: usize) -> usize {
        self.n_different(from, to) * (to - from + PART_BYTES)
    }

    /// What halves take if long ones are made of chunks, about.
    fn in_chunks(&self, at: usize) -> usize {
        let half = |from: usize, to: usize| {
            if to - from <= ALONE {
                return self.part_bytes(from, to);
            }
            let starts = (from..to).step_by(CHUNK);
            let n_chunks = starts.len();
            let chunks = starts.map(|start| self.part_bytes(start, to.min(start + CHUNK)));
            chunks.sum::<usize>() + self.n_different(from, to) * (4 * n_chunks + PART_BYTES)
        };
        half(0, at) + half(at, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of two independent parts of 15 bytes and 20 bytes that never change.
    fn sample(n_values: u32) -> Vec<Alike> {
        let mut all = Vec::new();
        for i in 0..n_values * n_values {
            let spread = |value: u32| {
                (0..15).map(move |k| (value.wrapping_mul(0x9E37_79B9).rotate_left(k) & 1) as u8)
            };
            let parts = spread(i % n_values).chain(spread(i / n_values));
            let state: Vec<u8> = parts.chain(std::iter::repeat_n(7, 20)).collect();
            Alike::add(&mut all, &state);
        }
        all
    }

    #[test]
    fn halves_are_independent_parts() {
        let cut = Cuts::best(&sample(30), &Cuts::default())
            .of(50)
            .expect("enough states");
        assert!((14..=16).contains(&cut.at), "{cut:?}");
        assert!(cut.is_whole);
        assert_eq!(Cuts::best(&sample(30), &Cuts::default()).of(49), None);
        assert_eq!(Cuts::best(&sample(4), &Cuts::default()), Cuts::default());
    }

    #[test]
    fn long_halves_that_are_not_shared_have_chunks() {
        let mut all = Vec::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            // Every chunk has four values, and their combinations do not repeat.
            let chunk = |value: u8| [value; CHUNK];
            let state: Vec<u8> = (0..16).flat_map(|_| chunk(rng.u8(0..4))).collect();
            Alike::add(&mut all, &state);
        }
        let cut = Cuts::best(&all, &Cuts::default())
            .of(16 * CHUNK)
            .expect("enough states");
        assert!(!cut.is_whole, "{cut:?}");
    }
}
