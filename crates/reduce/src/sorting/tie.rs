//! Columns with equal keys: told apart by references, or found to be exchangeable.
//!
//! Two columns are *twins* if their exchange fixes the state. Being twins is an equivalence, so a
//! class of equal keys is checked neighbour by neighbour. A cell holds one point only. So nothing
//! outside may refer to either twin; and each cell of one must hold what the cell of the other
//! holds, with the two exchanged.

use super::{Arrangement, COLUMN_MASK, STAYS, Segment, Sorting, digest};
use crate::points::NONE;
use group::Point;
use system::layout::MESSAGES_AT;

/// What goes out and what comes in are mixed with different salts.
const OUT: u64 = 0x8ebc_6af0_9c88_c6e3;
const IN: u64 = 0x1d8e_4e27_c47d_124f;

impl Sorting {
    /// Makes keys finer by those of the columns at the other ends of references.
    pub(super) fn refine(&self, found: &mut Arrangement) {
        let n = self.columns.len();
        let old = found.keys;
        for key in &mut found.keys[..n] {
            *key = digest(*key, OUT);
        }
        for found_ref in &found.refs {
            if found_ref.owner == STAYS || found_ref.owner == found_ref.to {
                continue;
            }
            let (from, to) = (usize::from(found_ref.owner), usize::from(found_ref.to));
            let out = digest(old[to].wrapping_add(found_ref.label), OUT);
            found.keys[from] = found.keys[from].wrapping_add(out);
            let into = digest(old[from].wrapping_add(found_ref.label), IN);
            found.keys[to] = found.keys[to].wrapping_add(into);
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
    pub(super) fn are_all_twins(&self, state: &[u8], found: &Arrangement) -> bool {
        self.segments.iter().all(|segment| {
            let order = &found.order[segment.first..segment.first + segment.len];
            order.windows(2).all(|pair| {
                let column = |key: u64| (key & COLUMN_MASK) as usize;
                pair[0] ^ pair[1] > COLUMN_MASK
                    || self.are_twins(state, segment, (column(pair[0]), column(pair[1])), found)
            })
        })
    }

    fn are_twins(
        &self,
        state: &[u8],
        segment: &Segment,
        (x, y): (usize, usize),
        found: &Arrangement,
    ) -> bool {
        let both = (1_u64 << x | 1 << y) << segment.first;
        if found.named & both != 0 {
            return false;
        }
        let among = |column: u8| column != STAYS && both >> column & 1 == 1;
        let from_outside = |r: &super::Ref| among(r.to) && !among(r.owner);
        if found.referred & both != 0 && found.refs.iter().any(from_outside) {
            return false;
        }
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
        let columns = (segment.first + x, segment.first + y);
        if !self.pairs.iter().all(|p| p.is_kept(state, columns)) {
            return false;
        }
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
