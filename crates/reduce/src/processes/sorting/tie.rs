//! Columns with equal keys: told apart by references, or found to be exchangeable.
//!
//! Two columns are *twins* if their exchange fixes the state. Being twins is an equivalence, so a
//! class of equal keys is checked neighbour by neighbour. A cell holds one point only. So nothing
//! outside may refer to either twin; and each cell of one must hold what the cell of the other
//! holds, with the two exchanged.

use super::{Arrangement, COLUMN_MASK, Segment, Sorting, digest};
use crate::processes::points::NONE;
use group::Point;
use model::processes::layout::MESSAGES_AT;

/// What goes out and what comes in are mixed with different salts.
const OUT: u64 = 0x8ebc_6af0_9c88_c6e3;
const IN: u64 = 0x1d8e_4e27_c47d_124f;

impl Sorting {
    /// Makes keys finer by those of the columns at the other ends of references.
    pub(super) fn refine(&self, found: &mut Arrangement) {
        let n = self.columns.len();
        found.is_refined = true;
        found.touched = u64::MAX;
        let old = found.keys;
        for key in &mut found.keys[..n] {
            *key = digest(*key, OUT);
        }
        let mut owners = found.owners;
        while owners != 0 {
            let from = owners.trailing_zeros() as usize;
            owners &= owners - 1;
            for found_ref in &found.refs[from] {
                let to = usize::from(found_ref.to);
                if to == from {
                    continue;
                }
                let out = digest(old[to].wrapping_add(found_ref.label), OUT);
                found.keys[from] = found.keys[from].wrapping_add(out);
                let into = digest(old[from].wrapping_add(found_ref.label), IN);
                found.keys[to] = found.keys[to].wrapping_add(into);
            }
        }
        for link in &found.links {
            let (from, to) = (usize::from(link.from), usize::from(link.to));
            let out = digest(old[to].wrapping_add(link.label), OUT);
            found.keys[from] = found.keys[from].wrapping_add(out);
            let into = digest(old[from].wrapping_add(link.label), IN);
            found.keys[to] = found.keys[to].wrapping_add(into);
        }
    }

    /// Whether columns that come next to each other with equal keys are twins.
    pub(super) fn are_all_twins(&self, state: &[u8], found: &mut Arrangement) -> bool {
        let is_told = found.named | found.referred;
        if found.tied & (is_told | found.bound | !self.packed) == 0
            && self.pairs.is_empty()
            && !found.is_refined
        {
            return true;
        }
        self.segments[..self.n_free]
            .iter()
            .zip(&self.segment_masks)
            .all(|(segment, all)| {
                let mut ties = found.ties & all;
                while ties != 0 {
                    let place = ties.trailing_zeros() as usize;
                    ties &= ties - 1;
                    let column = |key: u64| (key & COLUMN_MASK) as usize;
                    let (x, y) = (column(found.order[place - 1]), column(found.order[place]));
                    let both = (1_u64 << x | 1 << y) << segment.first;
                    let is_known = found.alike[segment.first + x] >> (segment.first + y) & 1 == 1;
                    // The commonest case first.
                    if is_known && is_told & both == 0 && self.pairs.is_empty() {
                        continue;
                    }
                    if !self.are_twins(state, segment, (x, y), found) {
                        return false;
                    }
                }
                true
            })
    }

    /// Whether the exchange of columns `x` and `y` of a segment fixes the state.
    pub(super) fn are_twins(
        &self,
        state: &[u8],
        segment: &Segment,
        (x, y): (usize, usize),
        found: &mut Arrangement,
    ) -> bool {
        let both = (1_u64 << x | 1 << y) << segment.first;
        if found.named & both != 0 {
            return false;
        }
        if found.referred & both != 0 {
            let mut others = found.owners & !both;
            while others != 0 {
                if found.refers[others.trailing_zeros() as usize] & both != 0 {
                    return false;
                }
                others &= others - 1;
            }
        }
        let columns = (segment.first + x, segment.first + y);
        if !self.pairs.iter().all(|p| p.is_kept(state, columns)) {
            return false;
        }
        // What columns hold themselves is compared once for all states in which they hold it.
        if found.alike[columns.0] >> columns.1 & 1 == 1 {
            return true;
        }
        if !self.are_alike(state, segment, (x, y)) {
            return false;
        }
        let mut class = both;
        if found.bound & both == 0 {
            // Without references to others, what is like one of them is like the other.
            class |= found.alike[columns.0] | found.alike[columns.1];
        }
        let mut left = class;
        while left != 0 {
            found.alike[left.trailing_zeros() as usize] |= class;
            left &= left - 1;
        }
        true
    }

    /// Whether two columns hold the same, but for the names of the two.
    fn are_alike(&self, state: &[u8], segment: &Segment, (x, y): (usize, usize)) -> bool {
        let word = |c: usize, k: usize| segment.words[c * segment.n_words + k].load(state);
        if (0..segment.n_words).any(|k| word(x, k) != word(y, k)) {
            return false;
        }
        let exchange = |point: Point| self.exchanged(point, segment.first + x, segment.first + y);
        let cell = |c: usize, k: usize| self.point(state, &segment.cells[c * segment.n_cells + k]);
        let is_like = |(p, a): (Point, i32), (q, b): (Point, i32)| match (p, q) {
            (NONE, NONE) => a == b,
            (NONE, _) | (_, NONE) => false,
            (p, q) => exchange(p) == q,
        };
        (0..segment.n_cells).all(|k| is_like(cell(x, k), cell(y, k)))
            && (0..segment.n_queues).all(|k| {
                let at = |c: usize| segment.queues[c * segment.n_queues + k];
                self.are_like_queues(state, (at(x), at(y)), is_like)
            })
    }

    /// The point that takes the place of `point` when columns `x` and `y` are exchanged.
    fn exchanged(&self, point: Point, x: usize, y: usize) -> Point {
        let (column, role) = self.places[point as usize];
        match usize::from(column) {
            c if c == x => self.columns[y][usize::from(role)],
            c if c == y => self.columns[x][usize::from(role)],
            _ => point,
        }
    }

    fn are_like_queues(
        &self,
        state: &[u8],
        (x, y): (super::Queue, super::Queue),
        is_like: impl Fn((Point, i32), (Point, i32)) -> bool,
    ) -> bool {
        let (x_at, y_at) = (x.at as usize, y.at as usize);
        if state[x_at + 1] != state[y_at + 1] {
            return false;
        }
        let messages = &self.messages[x.kind as usize];
        (0..usize::from(state[x_at + 1])).all(|n| {
            let first = MESSAGES_AT as usize + n * messages.size;
            messages.fields.iter().all(|(offset, scalar, sent)| {
                let field = |at: usize| {
                    let value = scalar.load(state, at + first + offset);
                    let class = sent.class(state, at + first);
                    (self.sent(class, value), value)
                };
                is_like(field(x_at), field(y_at))
            })
        })
    }
}
