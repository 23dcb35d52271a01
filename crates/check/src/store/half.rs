//! Halves of states: which bytes they have.

use super::parts::is_same;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Some bytes that stand side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    start: u32,
    end: u32,
}

impl Run {
    #[inline]
    fn of<'a>(&self, state: &'a [u8]) -> &'a [u8] {
        &state[self.start as usize..self.end as usize]
    }
}

/// A part of the bytes of states of one length.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Half {
    runs: Vec<Run>,
    len: usize,
    /// The words of a state that it has bytes of, as far as there are bits.
    words: u64,
}

/// Two parts that have all bytes between them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Halves {
    pub left: Half,
    pub right: Half,
}

/// How many bytes make a word, in which two states are compared.
const WORD: usize = 8;
/// States of more bytes are compared run by run.
const LENGTH_MAX: usize = WORD * u64::BITS as usize;

/// By word: whether two states of one length, at most [`LENGTH_MAX`], differ there.
#[inline]
fn difference(a: &[u8], b: &[u8]) -> u64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<WORD>(), b.as_chunks::<WORD>());
    let words = a.iter().zip(b).enumerate();
    let mask = words.fold(0, |mask, (n, (a, b))| mask | u64::from(a != b) << n);
    if is_same(a_rest, b_rest) {
        mask
    } else {
        mask | 1 << a.len()
    }
}

impl Half {
    /// Adds the bytes between two places behind all that it has.
    fn add(&mut self, start: usize, end: usize) {
        if start == end {
            return;
        }
        self.len += end - start;
        for word in (start / WORD..end.div_ceil(WORD)).take_while(|word| *word < 64) {
            self.words |= 1 << word;
        }
        match self.runs.last_mut() {
            Some(last) if last.end as usize == start => last.end = end as u32,
            _ => self.runs.push(Run {
                start: start as u32,
                end: end as u32,
            }),
        }
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether two states agree here.
    #[inline]
    fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
        self.runs.iter().all(|run| is_same(run.of(a), run.of(b)))
    }

    /// Its bytes in a state, one after the other; `buffer` is used where they stand apart.
    #[inline]
    pub fn of<'a>(&self, state: &'a [u8], buffer: &'a mut Vec<u8>) -> &'a [u8] {
        match self.runs.as_slice() {
            [] => &[],
            [run] => run.of(state),
            runs => {
                buffer.clear();
                for run in runs {
                    buffer.extend_from_slice(run.of(state));
                }
                buffer
            }
        }
    }

    /// Puts its bytes into a state.
    #[inline]
    fn put(&self, mut bytes: &[u8], state: &mut [u8]) {
        for run in &self.runs {
            let to = &mut state[run.start as usize..run.end as usize];
            let (own, rest) = bytes.split_at(to.len());
            to.copy_from_slice(own);
            bytes = rest;
        }
    }

    /// A hash of its bytes in a state.
    pub fn hash(&self, state: &[u8]) -> u64 {
        let runs = self.runs.iter();
        runs.fold(0, |hash, run| xxh3_64_with_seed(run.of(state), hash))
    }
}

impl Halves {
    /// The bytes before a place, and the others.
    pub fn at(middle: usize, length: usize) -> Halves {
        let mut halves = Halves::default();
        halves.left.add(0, middle);
        halves.right.add(middle, length);
        halves
    }

    /// Pieces that end at these places, each on the side that is said.
    pub fn of_pieces(is_left: &[bool], ends: &[usize]) -> Halves {
        let mut halves = Halves::default();
        let mut start = 0;
        for (is_left, end) in is_left.iter().zip(ends) {
            let half = if *is_left {
                &mut halves.left
            } else {
                &mut halves.right
            };
            half.add(start, *end);
            start = *end;
        }
        halves
    }

    /// Of the left half and of the right one: whether two states agree there.
    #[inline]
    pub fn same(&self, a: &[u8], b: &[u8]) -> [bool; 2] {
        let halves = [&self.left, &self.right];
        if a.len() > LENGTH_MAX || self.left.runs.len() + self.right.runs.len() == 2 {
            return halves.map(|half| half.is_same(a, b));
        }
        let difference = difference(a, b);
        let shared = self.left.words & self.right.words;
        halves.map(|half| {
            let own = difference & half.words;
            // A word of both halves does not say which of them differs.
            own == 0 || own & !shared == 0 && half.is_same(a, b)
        })
    }

    /// Makes `state` the state of two halves.
    #[inline]
    pub fn join(&self, left: &[u8], right: &[u8], state: &mut Vec<u8>) {
        state.resize(self.left.len + self.right.len, 0);
        self.left.put(left, state);
        self.right.put(right, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_joined_again_and_compared_byte_by_byte() {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let length = rng.usize(1..600);
            let mut ends: Vec<usize> = (1..length).filter(|_| rng.u8(0..6) == 0).collect();
            ends.push(length);
            let sides: Vec<bool> = ends.iter().map(|_| rng.bool()).collect();
            let halves = match seed % 3 {
                0 => Halves::at(rng.usize(0..=length), length),
                _ => Halves::of_pieces(&sides, &ends),
            };
            assert_eq!(halves.left.len() + halves.right.len(), length);
            let a: Vec<u8> = (0..length).map(|_| rng.u8(0..4)).collect();
            let (mut buffer, mut b) = (Vec::new(), Vec::new());
            let left = halves.left.of(&a, &mut buffer).to_vec();
            let right = halves.right.of(&a, &mut buffer).to_vec();
            halves.join(&left, &right, &mut b);
            assert_eq!(a, b, "seed {seed}");
            for _ in 0..rng.usize(0..3) {
                b[rng.usize(0..length)] ^= 1;
            }
            let [same_left, same_right] = halves.same(&a, &b);
            assert_eq!(
                same_left,
                left == halves.left.of(&b, &mut buffer),
                "seed {seed}"
            );
            assert_eq!(
                same_right,
                right == halves.right.of(&b, &mut buffer),
                "seed {seed}"
            );
        }
    }
}
