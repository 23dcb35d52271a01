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
}

/// Two parts that have all bytes between them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Halves {
    pub left: Half,
    pub right: Half,
}

impl Half {
    /// Adds the bytes between two places behind all that it has.
    fn add(&mut self, start: usize, end: usize) {
        if start == end {
            return;
        }
        self.len += end - start;
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
    pub fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
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

    /// Makes `state` the state of two halves.
    #[inline]
    pub fn join(&self, left: &[u8], right: &[u8], state: &mut Vec<u8>) {
        state.resize(self.left.len + self.right.len, 0);
        self.left.put(left, state);
        self.right.put(right, state);
    }
}
