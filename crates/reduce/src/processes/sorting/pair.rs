//! Data between two columns: a matrix over members, an array of each process over members.
//!
//! What is not 0 is a link from one column to another, labelled by its value; keys are refined by
//! links as by references. On the diagonal it is data of its column.

use super::{Arrangement, OWN, Sorting, digest};
use model::processes::layout::Scalar;

/// A matrix with a row for each column of a segment, and a place in it for each column of the same
/// segment or another.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The first column with a row, and the first with a place in it.
    pub first: (usize, usize),
    /// How many rows there are, and how many places in each.
    pub len: (usize, usize),
    /// Where the elements are, row by row.
    pub at: Vec<u32>,
    pub scalar: Scalar,
    pub salt: u64,
}

/// An element of a matrix that is not 0, apart from the diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub from: u8,
    pub to: u8,
    pub label: u64,
}

impl Pair {
    fn value(&self, state: &[u8], (from, to): (usize, usize)) -> i32 {
        let at = (from - self.first.0) * self.len.1 + to - self.first.1;
        self.scalar.load(state, self.at[at] as usize)
    }

    /// Whether the exchange of two columns of a segment leaves all elements as they are.
    pub fn is_kept(&self, state: &[u8], (x, y): (usize, usize)) -> bool {
        let exchange = |c: usize| match c {
            _ if c == x => y,
            _ if c == y => x,
            _ => c,
        };
        let (rows, places) = (self.first.0 + self.len.0, self.first.1 + self.len.1);
        // The row of `y` is that of `x` exchanged if the row of `x` is that of `y`.
        let has_row = (self.first.0..rows).contains(&x);
        let row_is_kept = |c: usize| {
            let exchanged = self.value(state, (y, exchange(c)));
            self.value(state, (x, c)) == exchanged
        };
        if has_row && !(self.first.1..places).all(row_is_kept) {
            return false;
        }
        let has_place = (self.first.1..places).contains(&x);
        let is_same = |c: usize| self.value(state, (c, x)) == self.value(state, (c, y));
        let mut others = (self.first.0..rows).filter(|&c| c != x && c != y);
        !has_place || others.all(is_same)
    }
}

impl Sorting {
    /// Reads what lies between two columns.
    pub(super) fn read_pairs(&self, state: &[u8], found: &mut Arrangement) {
        found.links.clear();
        found.diagonal.fill(0);
        for pair in &self.pairs {
            let rows = pair.at.chunks_exact(pair.len.1);
            for (row, from) in rows.zip(pair.first.0..) {
                for (at, to) in row.iter().zip(pair.first.1..) {
                    let value = pair.scalar.load(state, *at as usize);
                    if value == 0 {
                        continue;
                    }
                    let label = digest(u64::from(value as u32), pair.salt);
                    if from == to {
                        found.diagonal[from] = found.diagonal[from].wrapping_add(label ^ OWN);
                    } else {
                        let (from, to) = (from as u8, to as u8);
                        found.links.push(Link { from, to, label });
                    }
                }
            }
        }
    }

    /// Moves what lies between two columns.
    pub(super) fn apply_pairs(&self, found: &Arrangement, state: &[u8], out: &mut [u8]) {
        for pair in &self.pairs {
            for r in 0..pair.len.0 {
                let to_row = usize::from(found.targets[pair.first.0 + r]) - pair.first.0;
                for c in 0..pair.len.1 {
                    let to_place = usize::from(found.targets[pair.first.1 + c]) - pair.first.1;
                    if (to_row, to_place) == (r, c) {
                        continue;
                    }
                    let value = pair
                        .scalar
                        .load(state, pair.at[r * pair.len.1 + c] as usize);
                    let to = pair.at[to_row * pair.len.1 + to_place];
                    pair.scalar.store(out, to as usize, value);
                }
            }
        }
    }
}
