//! Into which halves states are best cut.
//!
//! **Problem.** Halves are kept once each, so a cut is good if few different halves make all
//! states. The middle is bad where the bytes that vary are all on one side: then one half is as
//! good as the whole state. It is bad, too, where bytes of one side follow from those of the other,
//! such as the content of a channel from the location of its process.
//!
//! **Idea.** Two cuts are tried on a sample of the states that are stored, and the better one is
//! taken. The first is a place: the further to the right it is, the more different left halves
//! there are and the fewer right ones; where the two numbers meet is found by bisection. The second
//! is a choice of pieces, each a byte that varies and those behind it that do not. The left half
//! begins with the piece that varies most, and gets the piece next that depends most on one of its
//! own, until it has as many values as the rest. How much one piece depends on another is the share
//! of its entropy that the other takes away: their mutual information over the entropy of the
//! piece. At the end each piece is put on the other side if that is better.
//!
//! **Worked example.** Four processes, each with a channel, stand in a state as `p0 p1 p2 p3 c0 c1
//! c2 c3`, and a channel is empty or full as its process has sent or not. Any place between gives
//! one half with all 16 values. The choice begins with `p0`; `c0` depends on it alone, so it comes
//! next; then `p1` and `c1`. Left halves `p0 p1 c0 c1` and right halves `p2 p3 c2 c3`
//! have 4 values each.
//!
//! Halves may be long. Where whole halves would take much more memory than halves made of chunks,
//! they are made of chunks.
//!
//! **Cost.** Some ten passes over the sample, and for the choice a pass over some thousand states
//! for each pair of pieces.

use super::half::{Half, Halves};
use super::tree::{ALONE, CHUNK};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How many states are looked at.
pub(super) const SAMPLE: usize = 1 << 14;
/// How many bytes they have, about, at most.
pub(super) const SAMPLE_BYTES_MAX: usize = 4 << 20;
/// Of how many states one is looked at for each pair of pieces, and how many are at most.
const PAIRS_OF: usize = 64;
const PAIRS_SAMPLE: usize = 1 << 10;
/// The same for each piece.
const PIECES_OF: usize = 4;
const PIECES_SAMPLE: usize = 1 << 13;
/// The most pieces.
const PIECES_MAX: usize = 64;
/// States of fewer bytes are cut in the middle.
const LENGTH_MIN: usize = 4;
/// From so many states of a length on it is worth a cut of its own.
const STATES_MIN: usize = 64;
/// What a part takes beside its bytes, about.
const PART_BYTES: usize = 8;
/// What the code of a state takes, with its place in the index.
const CODE_BYTES: usize = 14;

/// How states of some lengths are cut.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Cuts {
    by_length: Vec<(usize, Cut)>,
}

/// How states of one length are cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Into two parts.
    Halves(Halves),
    /// At that byte, each half into chunks.
    Chunks(usize),
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
        if length <= 2 * ALONE {
            Cut::Halves(Halves::at(length.div_ceil(2), length))
        } else {
            Cut::Chunks(length / 2 / CHUNK * CHUNK)
        }
    }
}

impl Cuts {
    /// The cut of states of that length, if there is one.
    pub fn of(&self, length: usize) -> Option<Cut> {
        let mut cuts = self.by_length.iter();
        let found = cuts.find(|(of, _)| *of == length);
        found.map(|(_, cut)| cut.clone())
    }

    /// The best cuts of these states; those that there are stay if they are nearly as good.
    pub(super) fn best(sample: &[Alike], now: &Cuts) -> Cuts {
        let enough = sample
            .iter()
            .filter(|alike| alike.length >= LENGTH_MIN && alike.n_states() >= STATES_MIN);
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

    /// Any cuts of states of fewer bytes.
    #[cfg(test)]
    pub(super) fn random(rng: &mut fastrand::Rng, length_max: usize) -> Cuts {
        let lengths = (0..length_max).filter(|_| rng.bool()).collect::<Vec<_>>();
        let mut cut = |length: usize| {
            let mut ends: Vec<usize> = (1..length).filter(|_| rng.u8(0..4) == 0).collect();
            ends.push(length);
            let sides: Vec<bool> = ends.iter().map(|_| rng.bool()).collect();
            match rng.u8(0..3) {
                0 => Cut::Chunks(rng.usize(0..=length / CHUNK) * CHUNK),
                1 => Cut::Halves(Halves::at(rng.usize(0..=length), length)),
                _ => Cut::Halves(Halves::of_pieces(&sides, &ends)),
            }
        };
        let by_length = lengths.iter().map(|length| (*length, cut(*length)));
        Cuts {
            by_length: by_length.filter(|(length, _)| *length > CHUNK).collect(),
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

    fn states(&self) -> std::slice::ChunksExact<'_, u8> {
        self.bytes.chunks_exact(self.length)
    }

    fn n_states(&self) -> usize {
        self.bytes.len().checked_div(self.length).unwrap_or(0)
    }

    /// How these states are best cut.
    fn best(&self, now: Cut) -> Cut {
        let at = self.place();
        let mut halves = Halves::at(at, self.length);
        let mut n_bytes = self.in_halves(&halves);
        if let Some(pieces) = self.pieces() {
            let of_pieces = self.in_halves(&pieces);
            // Bytes that stand apart take longer to be compared and copied.
            if of_pieces < n_bytes / 4 * 3 {
                (halves, n_bytes) = (pieces, of_pieces);
            }
        }
        // Whole halves are found sooner: that may cost half as much again as the codes take.
        let in_chunks = self.in_chunks(at);
        let is_whole = n_bytes <= in_chunks + self.n_states() * CODE_BYTES / 2;
        let now_bytes = match &now {
            Cut::Halves(halves) => self.in_halves(halves),
            Cut::Chunks(at) => self.in_chunks(*at),
        };
        let is_near = now_bytes <= n_bytes.min(in_chunks) / 8 * 9;
        if matches!(now, Cut::Halves(_)) == is_whole && is_near {
            now
        } else if is_whole {
            Cut::Halves(halves)
        } else {
            Cut::Chunks(at)
        }
    }

    /// The place between two bytes with about as many different halves on both sides.
    fn place(&self) -> usize {
        let (mut low, mut high) = (0, self.length);
        // Up to `low` there are fewer left halves than right ones, from `high` on there are not.
        while high - low > 1 {
            let middle = (low + high) / 2;
            let halves = Halves::at(middle, self.length);
            if self.n_different(&halves.left) < self.n_different(&halves.right) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let n_bytes = |at: usize| self.in_halves(&Halves::at(at, self.length));
        if low > 0 && n_bytes(low) <= n_bytes(high) {
            low
        } else {
            high.min(self.length - 1)
        }
    }

    /// Halves of pieces that vary together; `None` if too few pieces vary.
    fn pieces(&self) -> Option<Halves> {
        let ends = self.piece_ends();
        let n = self.n_states();
        let pairs = Pieces::new(self, &ends, (n / PAIRS_OF).clamp(STATES_MIN, PAIRS_SAMPLE));
        let mut is_left = pairs.choose()?;
        let n_sample = (n / PIECES_OF).clamp(STATES_MIN, PIECES_SAMPLE);
        Pieces::new(self, &ends, n_sample).improve(&mut is_left, &ends);
        Some(Halves::of_pieces(&is_left, &ends))
    }

    /// Where pieces end: each begins with a byte that varies.
    fn piece_ends(&self) -> Vec<usize> {
        let first = &self.bytes[..self.length];
        let mut varies = vec![false; self.length];
        for state in self.states() {
            let bytes = state.iter().zip(first);
            let marks = varies.iter_mut().zip(bytes);
            marks.for_each(|(varies, (own, first))| *varies |= own != first);
        }
        let starts = (0..self.length).filter(|at| varies[*at]).skip(1);
        let mut ends: Vec<usize> = starts.collect();
        ends.push(self.length);
        // If there are too many, several make one.
        let together = ends.len().div_ceil(PIECES_MAX);
        let last = ends.len() - 1;
        let kept = (0..ends.len()).filter(|n| (n + 1).is_multiple_of(together) || *n == last);
        kept.map(|n| ends[n]).collect()
    }

    /// How many values a half has.
    fn n_different(&self, half: &Half) -> usize {
        Values::of(self.states().map(|state| half.hash(state))).n
    }

    /// What a half takes as a part.
    fn part_bytes(&self, half: &Half) -> usize {
        self.n_different(half) * (half.len() + PART_BYTES)
    }

    /// What states take of two parts.
    fn in_halves(&self, halves: &Halves) -> usize {
        self.part_bytes(&halves.left) + self.part_bytes(&halves.right)
    }

    /// What they take if halves are made of chunks, about.
    fn in_chunks(&self, at: usize) -> usize {
        let half = |from: usize, to: usize| {
            let n_different = |from: usize, to: usize| {
                Values::of(self.states().map(|state| xxh3_64(&state[from..to]))).n
            };
            let chunks = (from..to).step_by(CHUNK).map(|start| {
                let end = to.min(start + CHUNK);
                n_different(start, end) * (end - start + PART_BYTES)
            });
            let n_chunks = (to - from).div_ceil(CHUNK);
            chunks.sum::<usize>() + n_different(from, to) * (4 * n_chunks + PART_BYTES)
        };
        half(0, at) + half(at, self.length)
    }
}

/// Some states, in pieces: each by a hash. The hash of several pieces is the sum.
struct Pieces {
    /// By piece, then by state.
    hashes: Vec<Vec<u64>>,
    /// By state: the sum over all pieces.
    all: Vec<u64>,
    /// By piece.
    values: Vec<Values>,
}

impl Pieces {
    /// About so many of the states, in pieces that end at these places.
    fn new(alike: &Alike, ends: &[usize], n_sample: usize) -> Pieces {
        let step = alike.n_states().div_ceil(n_sample).max(1);
        let hashes = (0..ends.len()).map(|piece| {
            let start = piece.checked_sub(1).map_or(0, |before| ends[before]);
            let end = ends[piece];
            let states = alike.states().step_by(step);
            let hash = |state: &[u8]| xxh3_64_with_seed(&state[start..end], piece as u64);
            states.map(hash).collect()
        });
        let hashes: Vec<Vec<u64>> = hashes.collect();
        let n = hashes[0].len();
        let all = (0..n).map(|at| {
            hashes
                .iter()
                .fold(0, |sum: u64, of| sum.wrapping_add(of[at]))
        });
        Pieces {
            all: all.collect(),
            values: (hashes.iter().map(|of| Values::of(of.iter().copied()))).collect(),
            hashes,
        }
    }

    /// Which pieces make the left half; `None` if fewer than two vary.
    fn choose(&self) -> Option<Vec<bool>> {
        let mut others: Vec<usize> = (0..self.hashes.len()).filter(|n| self.varies(*n)).collect();
        if others.len() < 2 {
            return None;
        }
        let entropy = |piece: &&usize| self.values[**piece].entropy;
        let by_entropy = |a: &&usize, b: &&usize| entropy(a).total_cmp(&entropy(b));
        let mut next = *others.iter().max_by(by_entropy)?;
        let mut is_left = vec![false; self.hashes.len()];
        let mut sums = vec![0; self.all.len()];
        // By piece: how much it depends on one of the left half.
        let mut depends = vec![0.0; self.hashes.len()];
        while others.len() > 1 {
            others.retain(|piece| *piece != next);
            is_left[next] = true;
            add(&mut sums, &self.hashes[next]);
            let n_left = Values::of(sums.iter().copied()).n;
            let rest = self.all.iter().zip(&sums);
            if n_left >= Values::of(rest.map(|(all, own)| all.wrapping_sub(*own))).n {
                break;
            }
            for piece in &others {
                let share = self.share(*piece, next);
                depends[*piece] = share.max(depends[*piece]);
            }
            let by_share = |a: &&usize, b: &&usize| depends[**a].total_cmp(&depends[**b]);
            next = *others.iter().max_by(by_share)?;
        }
        Some(is_left)
    }

    /// Puts pieces on the other side where states take less so.
    fn improve(&self, is_left: &mut [bool], ends: &[usize]) {
        let mut sums = vec![0; self.all.len()];
        let mut length = 0;
        let width = |piece: usize| match piece.checked_sub(1) {
            Some(before) => ends[piece] - ends[before],
            None => ends[piece],
        };
        for piece in (0..is_left.len()).filter(|piece| is_left[*piece]) {
            add(&mut sums, &self.hashes[piece]);
            length += width(piece);
        }
        let cost = |sums: &[u64], length: usize| {
            let rest = self.all.iter().zip(sums);
            let rest = Values::of(rest.map(|(all, own)| all.wrapping_sub(*own))).n;
            let left = Values::of(sums.iter().copied()).n;
            left * (length + PART_BYTES) + rest * (ends[ends.len() - 1] - length + PART_BYTES)
        };
        let mut least = cost(&sums, length);
        for piece in (0..is_left.len()).filter(|piece| self.varies(*piece)) {
            let mut moved = sums.clone();
            let moved_length = if is_left[piece] {
                let hashes = moved.iter_mut().zip(&self.hashes[piece]);
                hashes.for_each(|(sum, own)| *sum = sum.wrapping_sub(*own));
                length - width(piece)
            } else {
                add(&mut moved, &self.hashes[piece]);
                length + width(piece)
            };
            let now = cost(&moved, moved_length);
            if now < least {
                (least, sums, length) = (now, moved, moved_length);
                is_left[piece] = !is_left[piece];
            }
        }
    }

    fn varies(&self, piece: usize) -> bool {
        self.values[piece].n > 1
    }

    /// The share of the entropy of a piece that another takes away.
    fn share(&self, piece: usize, other: usize) -> f64 {
        let mut sums = self.hashes[piece].clone();
        add(&mut sums, &self.hashes[other]);
        let both = Values::of(sums.iter().copied()).entropy;
        let own = self.values[piece].entropy;
        (own + self.values[other].entropy - both) / own
    }
}

fn add(sums: &mut [u64], hashes: &[u64]) {
    for (sum, hash) in sums.iter_mut().zip(hashes) {
        *sum = sum.wrapping_add(*hash);
    }
}

/// How many values something has, and how they are spread.
struct Values {
    n: usize,
    entropy: f64,
}

impl Values {
    /// Of values that are given by hashes.
    fn of(hashes: impl ExactSizeIterator<Item = u64>) -> Values {
        let n_all = hashes.len() as f64;
        let n_slots = (2 * hashes.len()).next_power_of_two();
        // Hashes are spread already: a slot holds one and how often it came, or nothing.
        let mut slots = vec![(0, 0_u32); n_slots];
        for hash in hashes {
            let mut at = hash as usize & (n_slots - 1);
            while slots[at].1 > 0 && slots[at].0 != hash {
                at = (at + 1) & (n_slots - 1);
            }
            slots[at] = (hash, slots[at].1 + 1);
        }
        let counts = slots.iter().map(|(_, n)| *n).filter(|n| *n > 0);
        let mut values = Values { n: 0, entropy: 0.0 };
        for count in counts {
            values.n += 1;
            let share = f64::from(count) / n_all;
            values.entropy -= share * share.log2();
        }
        values
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
    fn entropy_is_that_of_the_textbook() {
        let values = Values::of([1, 2, 1, 3].into_iter());
        assert_eq!(values.n, 3);
        assert!((values.entropy - 1.5).abs() < 1e-12, "{}", values.entropy);
        assert_eq!(Values::of([7; 5].into_iter()).n, 1);
    }

    #[test]
    fn halves_are_independent_parts() {
        let all = sample(30);
        let cut = Cuts::best(&all, &Cuts::default()).of(50);
        let Some(Cut::Halves(halves)) = cut else {
            panic!("{cut:?}");
        };
        assert!(all[0].n_different(&halves.left) <= 60, "{halves:?}");
        assert!(all[0].n_different(&halves.right) <= 60, "{halves:?}");
        let few = Cuts::best(&sample(4), &Cuts::default());
        assert_eq!(few, Cuts::default());
    }

    #[test]
    fn bytes_that_vary_together_are_in_one_half() {
        // Twelve processes of four bytes, then twelve channels of four bytes that follow from them.
        let mut values: Vec<u32> = (0..1 << 12).collect();
        fastrand::Rng::with_seed(1).shuffle(&mut values);
        let mut all = Vec::new();
        for i in values {
            let own = |k: u32| [(i >> k & 1) as u8; 4];
            let state: Vec<u8> = (0..12).chain(0..12).flat_map(own).collect();
            Alike::add(&mut all, &state);
        }
        let cut = Cuts::best(&all, &Cuts::default()).of(96);
        let Some(Cut::Halves(halves)) = cut else {
            panic!("{cut:?}");
        };
        let n = [&halves.left, &halves.right].map(|half| all[0].n_different(half));
        // 64 on both sides is best; cut at a place, one has all 4096.
        assert!(
            n[0] * n[1] <= 1 << 14 && n[0].max(n[1]) <= 512,
            "{n:?} {halves:?}"
        );
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
        let cut = Cuts::best(&all, &Cuts::default()).of(16 * CHUNK);
        let cut = cut.unwrap_or_else(|| Cut::in_the_middle(16 * CHUNK));
        assert!(matches!(cut, Cut::Chunks(_)), "{cut:?}");
    }
}
