//! Columns that can be exchanged without changing the object: counted, not searched.
//!
//! Two columns whose exchange is in the group are *twins* if it fixes the object: equal
//! colours, and equal references in and out, up to the exchange. Being twins is an equivalence, and
//! every permutation of a class of twins fixes the object. So a class of `m` twins is put in any
//! order and contributes `m!` to the stabiliser; without this, `m` idle processes would cost a
//! search of depth `m`.
//!
//! The members of a class get different invariants by rank, the first members of all classes the
//! same way, so that classes that were tied stay tied as a whole. The stabiliser is the product of
//! the twins' symmetric groups and the automorphisms that keep ranks.

use crate::image::hash::mix;
use crate::image::plan::ImagePlan;
use crate::image::scratch::Scratch;

const RANK_SALT: u64 = 0x8ebc_6af0_9c88_c6e3;

impl ImagePlan {
    /// Tells twins apart by rank, at the root; says whether there were any.
    pub(super) fn break_twins(&self, scratch: &mut Scratch) -> bool {
        for segment in &self.segments {
            let mask = self.sort_segment(scratch, 0, segment);
            if scratch.keys.windows(2).all(|w| (w[0] ^ w[1]) > mask) {
                continue;
            }
            let keys = std::mem::take(&mut scratch.keys);
            for class in keys.chunk_by(|a, b| a ^ b <= mask).filter(|c| c.len() > 1) {
                let column = |key: &u64| segment.start as u32 + (key & mask) as u32;
                self.rank_twins(scratch, class.iter().map(column));
            }
            scratch.keys = keys;
        }
        for class in &self.exchangeable {
            let mut order = std::mem::take(&mut scratch.search.order);
            order.clear();
            order.extend(class.iter().map(|&c| (scratch.hash[c as usize], c)));
            order.sort_unstable();
            for tied in order.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
                self.rank_twins(scratch, tied.iter().map(|&(_, c)| c));
            }
            scratch.search.order = order;
        }
        !scratch.factors.is_empty()
    }

    /// Splits tied columns, whose exchanges are in the group, into classes of twins.
    fn rank_twins(&self, scratch: &mut Scratch, tied: impl Iterator<Item = u32>) {
        self.index_arcs(scratch);
        let mut cells = std::mem::take(&mut scratch.search.cells);
        let start = cells.len();
        cells.extend(tied);
        let mut rest = &mut cells[start..];
        while let Some(&first) = rest.first() {
            let mut n_twins = 1;
            for i in 1..rest.len() {
                if self.are_twins(scratch, first, rest[i]) {
                    rest.swap(n_twins, i);
                    n_twins += 1;
                }
            }
            let h = scratch.hash[first as usize];
            for (rank, &column) in rest[..n_twins].iter().enumerate().skip(1) {
                scratch.hash[column as usize] = mix(h ^ (rank as u64).wrapping_mul(RANK_SALT));
                scratch.factors.push(rank as u32 + 1);
            }
            rest = &mut rest[n_twins..];
        }
        cells.truncate(start);
        scratch.search.cells = cells;
    }

    fn are_twins(&self, scratch: &Scratch, x: u32, y: u32) -> bool {
        let form = &scratch.form;
        let list =
            |start: &[u32], c: u32| start[c as usize] as usize..start[c as usize + 1] as usize;
        scratch.colours[self.points_range(x)] == scratch.colours[self.points_range(y)]
            && equal_but_for_exchange(
                &form.out[list(&form.start, x)],
                &form.out[list(&form.start, y)],
                x,
                y,
            )
            && equal_but_for_exchange(
                &form.inc[list(&form.in_start, x)],
                &form.inc[list(&form.in_start, y)],
                x,
                y,
            )
    }
}

/// Whether the arcs of `x`, with `x` and `y` exchanged as targets, are those of `y`, as multisets.
/// Both lists are sorted by kind and target; only the targets `x` and `y` change place.
fn equal_but_for_exchange(
    of_x: &[([u32; 3], u32)],
    of_y: &[([u32; 3], u32)],
    x: u32,
    y: u32,
) -> bool {
    if of_x.len() != of_y.len() {
        return false;
    }
    let apart = |&&(_, to): &&([u32; 3], u32)| to != x && to != y;
    if !of_x.iter().filter(apart).eq(of_y.iter().filter(apart)) {
        return false;
    }
    let count = |list: &[([u32; 3], u32)], arc| list.iter().filter(|&&a| a == arc).count();
    let mirrored = |&(kind, to): &([u32; 3], u32)| {
        to != x && to != y
            || count(of_x, (kind, to)) == count(of_y, (kind, if to == x { y } else { x }))
    };
    of_x.iter().all(mirrored)
}
