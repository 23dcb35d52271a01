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
//! Where all that a column has fits into its key, and none refers to another, keys tell all: two
//! arrangements that bring the same keys to the same places give the same bytes, and one of them is
//! enough. Where besides all columns of a segment but a few hold the same, only the few are led, by
//! the stabilisers of such (`group::image::StabiliserTree`), and the others take what places are
//! left.
//!
//! **Why it is exact.** Keys follow the columns: in `h·s`, column `h(x)` has the key that `x` has
//! in `s`. So an arrangement `g` is left for `h·s` just if `g∘h` is left for `s`, both lead to the
//! same image, and the least of these is taken. Columns that can be exchanged alone, and whose
//! exchange fixes the state, get keys by rank in any order: another order is a symmetry of the
//! state away. Which states are given up, because too many arrangements are left, depends on keys
//! only. No two hashes have to differ: where keys have to tell all, those of columns that something
//! refers to are compared with all others first, and the rest are no hashes.
//!
//! Cost: some rows of bytes, each as long as there are columns; and, unless keys tell all, an image
//! for each arrangement that is left where there are several, at most
//! [`group::image::ABREAST_BY_HASHES_MAX`].

use super::{Arrangement, COLUMNS_MAX, Sorting, digest};
use group::image::{Canoniser, Keys, Scratch};

/// What ranks are mixed with.
const RANK: u64 = 0xd6e8_feb8_6659_fd93;
/// So many columns may differ from the others for the tree of stabilisers to be asked.
const FEW_MAX: usize = 4;
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
        let is_told = self.is_told_by_keys(found);
        if is_told && self.lead_few(found) {
            return true;
        }
        self.rank_twins(state, found);
        let first = self.segments[self.n_free].first;
        let keys = &found.keys[first..self.columns.len()];
        // What twins got is no part of what they hold.
        let is_exact = is_told && self.exchangeable.is_empty();
        let mut numbers = [0; COLUMNS_MAX];
        let keys = if is_exact {
            Keys::Classes(classes(keys, &mut numbers))
        } else {
            Keys::Hashes(keys)
        };
        let Some(mut rows) = canoniser.arrangements(keys, scratch) else {
            return false;
        };
        let Some(row) = rows.next() else {
            return false;
        };
        found.put(first, row);
        // What is left has the same keys in the same places.
        if rows.len() == 0 || is_exact {
            return true;
        }
        self.take_least(state, rows, found);
        true
    }

    /// Whether arrangements that bring the same keys to the same places lead to one image: all that
    /// a column has fits into its key, none refers to another, and those that something refers to
    /// have keys that no other has.
    fn is_told_by_keys(&self, found: &Arrangement) -> bool {
        if self.tree.is_none() || found.bound != 0 || found.is_refined {
            return false;
        }
        let keys = &found.keys[..self.columns.len()];
        let first = self.segments[self.n_free].first;
        let mut named = found.named >> first << first;
        while named != 0 {
            let key = keys[named.trailing_zeros() as usize];
            named &= named - 1;
            if keys[first..].iter().filter(|other| **other == key).count() > 1 {
                return false;
            }
        }
        true
    }

    /// Finds the arrangement where all columns of a segment but a few hold the same; `false` if
    /// that is not so.
    ///
    /// # Requires
    /// Keys tell all ([`Sorting::is_told_by_keys`]).
    fn lead_few(&self, found: &mut Arrangement) -> bool {
        let Some(tree) = &self.tree else {
            return false;
        };
        let first = self.segments[self.n_free].first;
        let mut few = [(0, 0); FEW_MAX];
        let mut n_few = 0;
        for segment in &self.segments[self.n_free..] {
            let keys = &found.keys[segment.first..segment.first + segment.len];
            let Some(common) = majority(keys) else {
                return false;
            };
            for (column, &key) in (segment.first..).zip(keys) {
                if key == common && found.named >> column & 1 == 0 {
                    continue;
                }
                if n_few == FEW_MAX {
                    return false;
                }
                few[n_few] = (key, (column - first) as u8);
                n_few += 1;
            }
        }
        let few = &mut few[..n_few];
        few.sort_unstable();
        if few.windows(2).any(|w| w[0].0 == w[1].0) {
            return false;
        }
        let columns = few.iter().map(|(_, column)| *column);
        let Some(targets) = tree.lead(columns) else {
            return false;
        };
        let n = self.columns.len() - first;
        found.moved &= (1 << first) - 1;
        for (column, &target) in targets[..n].iter().enumerate() {
            found.targets[first + column] = first as u8 + target;
            found.moved |= u64::from(column != usize::from(target)) << (first + column);
        }
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

/// For each column, how many different keys are less than its own.
fn classes<'r>(keys: &[u64], classes: &'r mut [u8; COLUMNS_MAX]) -> &'r [u8] {
    let mut different = [0; COLUMNS_MAX];
    let mut n = 0;
    let mut which = [0; COLUMNS_MAX];
    for (&key, which) in keys.iter().zip(&mut which) {
        let known = different[..n].iter().position(|other| *other == key);
        *which = known.unwrap_or(n);
        n += usize::from(known.is_none());
        different[*which] = key;
    }
    let different = &different[..n];
    let mut ranks = [0; COLUMNS_MAX];
    for (rank, key) in ranks.iter_mut().zip(different) {
        *rank = different.iter().map(|other| u8::from(other < key)).sum();
    }
    let classes = &mut classes[..keys.len()];
    let pairs = classes.iter_mut().zip(&which);
    pairs.for_each(|(class, which)| *class = ranks[*which]);
    classes
}

/// The key that more than half of the columns have, if there is one.
fn majority(keys: &[u64]) -> Option<u64> {
    // Each key that is another takes one vote of the candidate; who has more than half keeps some.
    let (mut candidate, mut n_votes) = (0, 0);
    for &key in keys {
        match (n_votes, key == candidate) {
            (0, _) => (candidate, n_votes) = (key, 1),
            (_, true) => n_votes += 1,
            (_, false) => n_votes -= 1,
        }
    }
    let n = keys.iter().filter(|&&key| key == candidate).count();
    (2 * n > keys.len()).then_some(candidate)
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
