//! Groups that are not all arrangements of columns: keys lead down the stabiliser chain.
//!
//! Of a cube's corners any may come to the first place, but then only its neighbours to the second.
//! So at each base point of the chain those columns go on that can come there and have the least
//! key. What is left at the end is a set of few arrangements, mostly one; where there are several,
//! the state is moved by each, and the least image, byte by byte, is the representative.
//!
//! Worked example: the rotations of a ring of four processes at locations `5 0 0 0`. Keys tell the
//! first apart, one rotation brings it to the first place, and there is nothing to compare. At
//! locations `5 0 5 0` two rotations are left; both give the same bytes, and either is taken.
//!
//! **Why it is exact.** Keys follow the columns: in `h·s`, column `h(x)` has the key that `x` has
//! in `s`. So an arrangement `g` is left for `h·s` just if `g∘h` is left for `s`, both lead to the
//! same image, and the least of these is taken. Columns that can be exchanged alone, and whose
//! exchange fixes the state, get keys by rank in any order: another order is a symmetry of the
//! state away. Which states are given up, because too many arrangements are left, depends on keys
//! only. No two hashes have to differ.
//!
//! Cost: some rows of bytes, each as long as there are columns; and an image for each arrangement
//! that is left where there are several, at most [`group::image::ABREAST_BY_KEYS_MAX`].

use super::{Arrangement, COLUMNS_MAX, Sorting, digest};
use group::image::{Canoniser, Scratch};

/// What ranks are mixed with.
const RANK: u64 = 0xd6e8_feb8_6659_fd93;
/// How often keys are refined by references before they lead. Ways of two references tell most
/// columns apart that are not alike; more would cost more than the images they save.
const N_ROUNDS: usize = 2;

impl Sorting {
    /// Finds the arrangement for a state that was read; `false` says that keys do not tell it.
    pub(super) fn lead(
        &self,
        state: &[u8],
        (canoniser, scratch): (&Canoniser, &mut Scratch),
        found: &mut Arrangement,
    ) -> bool {
        if found.referred != 0 || !found.links.is_empty() {
            (0..N_ROUNDS).for_each(|_| self.refine(found));
        }
        if !self.sort_all(state, found) {
            return false;
        }
        self.rank_twins(state, found);
        let first = self.segments[self.n_free].first;
        let keys = &found.keys[first..self.columns.len()];
        let Some(mut rows) = canoniser.arrangements(keys, scratch) else {
            return false;
        };
        let Some(row) = rows.next() else {
            return false;
        };
        found.put(first, row);
        if rows.len() == 0 {
            return true;
        }
        self.take_least(state, rows, found);
        true
    }

    /// Takes the least of the images by the arrangement that was put and by the others.
    fn take_least<'r>(
        &self,
        state: &[u8],
        others: impl Iterator<Item = &'r [u8]>,
        found: &mut Arrangement,
    ) {
        let first = self.segments[self.n_free].first;
        let mut image = std::mem::take(&mut found.image);
        let mut rival = std::mem::take(&mut found.rival);
        image.clear();
        image.extend_from_slice(state);
        self.apply(found, state, &mut image);
        let mut targets = found.targets;
        for row in others {
            rival.clear();
            rival.extend_from_slice(state);
            found.put(first, row);
            self.apply(found, state, &mut rival);
            if rival < image {
                std::mem::swap(&mut image, &mut rival);
                targets = found.targets;
            }
        }
        found.targets = targets;
        found.has_image = true;
        (found.image, found.rival) = (image, rival);
    }

    /// Gives twins among columns that can be exchanged alone different keys.
    fn rank_twins(&self, state: &[u8], found: &mut Arrangement) {
        for (n, class) in &self.exchangeable {
            let segment = &self.segments[*n];
            let mut is_ranked = [false; COLUMNS_MAX];
            for (i, &x) in class.iter().enumerate() {
                let x = usize::from(x);
                if is_ranked[x] {
                    continue;
                }
                let (key, mut rank) = (found.keys[x], 0);
                for &y in &class[i + 1..] {
                    let y = usize::from(y);
                    let pair = (x - segment.first, y - segment.first);
                    if found.keys[y] == key
                        && !is_ranked[y]
                        && self.are_twins(state, segment, pair, found)
                    {
                        rank += 1;
                        is_ranked[y] = true;
                        found.keys[y] = digest(key.wrapping_add(rank), RANK);
                        found.touched |= 1 << y;
                    }
                }
            }
        }
    }
}

impl Arrangement {
    /// Puts the columns from `first` on where a row has them: by place, the column.
    fn put(&mut self, first: usize, row: &[u8]) {
        self.moved &= (1 << first) - 1;
        for (place, &column) in row.iter().enumerate() {
            let column = usize::from(column);
            self.targets[first + column] = (first + place) as u8;
            self.moved |= u64::from(column != place) << (first + column);
        }
    }
}
