//! Images without a search, where few arrangements are left to compare.
//!
//! After refinement most objects have no ties, and most others have few. Going down the stabiliser
//! chain of the rest a whole level at a time, all arrangements that bring a column of least key to
//! the base point are kept together. Where they stay few, those that are left at the end are
//! compared place by place, then in full, and the ones that equal the least are the stabiliser.
//! Where they become many, the search over ties, which prunes by automorphisms, takes over.
//!
//! The key of a column is its invariant, preceded by how many columns share it: a column that is
//! alone comes to the first base point if it can, so that one arrangement is left instead of many.
//!
//! Worked example: the rotations of a ring of four points with colours `a b b b`. Colour `a` is
//! alone, so of the four rotations only that which brings point 0 to place 0 is kept. With colours
//! `a b a b` two are left, places compare equal throughout, and the rotation by two fixes the
//! object: its stabiliser has two elements.
//!
//! Keys from outside that are classes ([`Keys::Classes`]) are preceded by how a column lies to
//! those that are alone in their class: which orbit the pair is in.
//!
//! Why it is exact: keys, and so the set of arrangements kept at each level, depend on the object
//! up to the group only; so does the decision to give up. The least image in full is taken.
//! Cost: the rows made, each of the length of the rest; `ROWS_MAX` bounds them.

use crate::image::plan::ImagePlan;
use crate::image::scratch::Scratch;

/// So many rows of arrangements, beside one a level, are made before the search takes over; or
/// twice as many as may be left, if these are more.
const ROWS_MAX: usize = 96;

/// So many arrangements may be left after a level.
const ABREAST_MAX: usize = 12;

/// The same before orbitals take part, which would leave fewer.
const ABREAST_FIRST_MAX: usize = 8;

/// The same where keys come from outside, and images have to be compared.
pub const ABREAST_BY_HASHES_MAX: usize = 16;

/// The same where images need not be compared.
pub(crate) const ABREAST_BY_CLASSES_MAX: usize = 512;

/// With more columns than this the search is asked at once: the chain may have a level a column.
pub(super) const SETTLE_COLUMNS_MAX: usize = 64;

type ColumnRow = [u8; SETTLE_COLUMNS_MAX];

/// What tells the columns of the rest apart, a number for each.
#[derive(Clone, Copy, Debug)]
pub enum Keys<'a> {
    /// Hashes, of which the last byte does not count.
    Hashes(&'a [u64]),
    /// Numbers of classes, fewer than [`SETTLE_COLUMNS_MAX`], if columns of one class are alike:
    /// arrangements that bring the same classes to the same places lead to one image.
    Classes(&'a [u8]),
}

impl Keys<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            Keys::Hashes(all) => all.len(),
            Keys::Classes(all) => all.len(),
        }
    }
}

/// So many columns that are alone in their class tell others apart by how they lie.
const SINGLES_MAX: usize = 4;

/// The bits that a pair of columns takes in a key.
pub(super) const PAIR_BITS: u32 = 12;

/// Columns are put into so many classes by the highest bits of their invariants.
const CLASS_BITS: u32 = 12;

/// Arrangements of the columns of the rest, a row each: which column has come to each place.
#[derive(Debug)]
pub(super) struct SettledColumns {
    rows: Vec<ColumnRow>,
    next: Vec<ColumnRow>,
    /// Arrangements in the making: a row, and a position in the orbit of a level.
    kept: Vec<(u16, u8)>,
    parents: Vec<(u16, u8)>,
    /// The keys of the columns that compete for a base point.
    found: Vec<u64>,
    keys: [u64; SETTLE_COLUMNS_MAX],
    /// For each class, its size; all 0 between calls.
    sizes: Vec<u8>,
}

impl ImagePlan {
    /// Finds the arrangement of the canonical image and leaves it in `search.best_target`, if
    /// symmetric segments have no ties and few arrangements of the rest compete; says whether.
    pub(super) fn settle(&self, scratch: &mut Scratch, is_discrete: bool) -> bool {
        if !self.sort_segments(scratch) {
            return false;
        }
        if self.rest.is_empty() {
            scratch.search.n_leaves = 1;
            std::mem::swap(&mut scratch.target, &mut scratch.search.best_target);
            return true;
        }
        if !self.has_bytes {
            return false;
        }
        let hash = &scratch.hash[self.rest.clone()];
        if is_discrete {
            scratch.settled.keys[..hash.len()].copy_from_slice(hash);
        } else {
            scratch.settled.make_keys(hash);
        }
        let abreast_max = if scratch.with_orbitals {
            ABREAST_MAX
        } else {
            ABREAST_FIRST_MAX
        };
        if !self.descend(&mut scratch.settled, abreast_max) {
            return false;
        }
        scratch.settled.keep_least(self.rest.len());
        self.choose(scratch);
        true
    }

    /// Leaves the arrangements of the rest that bring columns of least key to the base points as
    /// rows; `false` if they are too many.
    pub(super) fn settle_by_keys(&self, keys: Keys<'_>, settled: &mut SettledColumns) -> bool {
        if !self.has_bytes {
            return false;
        }
        let abreast_max = match keys {
            Keys::Hashes(hashes) => {
                settled.make_keys(hashes);
                ABREAST_BY_HASHES_MAX
            }
            Keys::Classes(classes) => {
                settled.make_exact_keys(classes, &self.pairs);
                ABREAST_BY_CLASSES_MAX
            }
        };
        if !self.descend(settled, abreast_max) {
            return false;
        }
        settled.keep_least(self.rest.len());
        true
    }

    /// The same after a refinement in which the group's orbitals take part.
    pub(super) fn settle_by_group(&self, scratch: &mut Scratch) -> bool {
        if !self.has_bytes {
            return false;
        }
        scratch.with_orbitals = true;
        let is_discrete = self.refine(scratch, 0, None);
        self.settle(scratch, is_discrete)
    }

    /// Sorts the columns of the symmetric segments by invariant into `target`; says whether there
    /// are no ties.
    fn sort_segments(&self, scratch: &mut Scratch) -> bool {
        scratch.target.clear();
        scratch.target.extend(0..self.n_columns as u32);
        for segment in &self.segments {
            if scratch.cells.arrange(segment, &mut scratch.target) {
                continue;
            }
            let mask = self.sort_segment(scratch, 0, segment);
            if scratch.keys.windows(2).any(|w| (w[0] ^ w[1]) <= mask) {
                return false;
            }
            for (place, &key) in segment.clone().zip(&scratch.keys) {
                scratch.target[segment.start + (key & mask) as usize] = place as u32;
            }
        }
        true
    }

    /// Goes down the chain with all arrangements of least key; `false` if they are too many.
    fn descend(&self, settled: &mut SettledColumns, abreast_max: usize) -> bool {
        let n = self.rest.len();
        settled.collect_first(&self.levels[0].orbit_bytes);
        let mut n_made = 0;
        for (i, level) in self.levels.iter().enumerate() {
            n_made += settled.kept.len() - 1;
            if settled.kept.len() > abreast_max || n_made > ROWS_MAX.max(2 * abreast_max) {
                return false;
            }
            if let Some(next) = self.levels.get(i + 1) {
                settled.collect_least(&level.bytes, &next.orbit_bytes, n);
            } else {
                settled.make_all(&level.bytes, n);
            }
        }
        true
    }

    /// Takes the arrangement of least image and counts those that lead to the same one.
    fn choose(&self, scratch: &mut Scratch) {
        let n_rows = scratch.settled.rows.len();
        scratch.search.n_leaves = n_rows as u64;
        self.arrange(scratch, 0);
        scratch.search.best_target.clear();
        scratch
            .search
            .best_target
            .extend_from_slice(&scratch.target);
        scratch.form.best_ready = false;
        let (mut best, mut n_equal) = (0, 1);
        for row in 1..n_rows {
            if self.leads_to_same(scratch, best, row) {
                n_equal += 1;
                continue;
            }
            self.form_of_best(scratch);
            scratch.target.copy_from_slice(&scratch.search.best_target);
            self.arrange(scratch, row);
            self.form_of_target(scratch);
            if scratch.form.current < scratch.form.best {
                (best, n_equal) = (row, 1);
                scratch.form.best_ready = false;
                let Scratch { search, target, .. } = scratch;
                search.best_target.copy_from_slice(target);
            }
        }
        if n_equal > 1 {
            scratch.factors.push(n_equal);
        }
    }

    /// Completes `target` with an arrangement of the rest.
    fn arrange(&self, scratch: &mut Scratch, row: usize) {
        let n = self.rest.len();
        let target = &mut scratch.target[self.rest.clone()];
        for (place, &column) in scratch.settled.rows[row][..n].iter().enumerate() {
            target[column as usize] = (self.rest.start + place) as u32;
        }
    }

    /// Whether two arrangements lead to the same image: the way by one and back by the other fixes
    /// the object.
    fn leads_to_same(&self, scratch: &mut Scratch, a: usize, b: usize) -> bool {
        let n = self.rest.len();
        let first = self.rest.start as u32;
        let search = &mut scratch.search;
        search.candidate.clear();
        search.candidate.extend(0..self.n_columns as u32);
        search.order.clear();
        let rows = &scratch.settled.rows;
        for (&x, &y) in rows[a][..n].iter().zip(&rows[b]) {
            if x != y {
                let x = u32::from(x) + first;
                search.candidate[x as usize] = u32::from(y) + first;
                search.order.push((0, x));
            }
        }
        self.fixes_object(scratch)
    }
}

impl SettledColumns {
    /// The arrangements that were found.
    pub fn rows(&self) -> &[ColumnRow] {
        &self.rows
    }

    /// Fills `keys`: sizes of classes first, invariants second.
    fn make_keys(&mut self, hash: &[u64]) {
        let class = |h: u64| (h >> (u64::BITS - CLASS_BITS)) as usize;
        let sizes = &mut self.sizes;
        sizes.resize(1 << CLASS_BITS, 0);
        for &h in hash {
            sizes[class(h)] += 1;
        }
        for (key, &h) in self.keys.iter_mut().zip(hash) {
            *key = u64::from(sizes[class(h)]) << 56 | h >> 8;
        }
        hash.iter().for_each(|&h| sizes[class(h)] = 0);
    }

    /// Fills `keys` so that they are equal for columns of one class only: sizes first, then the
    /// class, then how a column lies to those that are alone in their class.
    fn make_exact_keys(&mut self, classes: &[u8], pairs: &[u16]) {
        let n = classes.len();
        let mut sizes = [0_u8; SETTLE_COLUMNS_MAX];
        let mut last = [0; SETTLE_COLUMNS_MAX];
        for (column, &class) in classes.iter().enumerate() {
            sizes[usize::from(class)] += 1;
            last[usize::from(class)] = column;
        }
        let keys = &mut self.keys[..n];
        for (key, &class) in keys.iter_mut().zip(classes) {
            *key = u64::from(class) << (SINGLES_MAX as u32 * PAIR_BITS);
        }
        let singles = sizes.iter().zip(last).filter(|(size, _)| **size == 1);
        let shifts = (0..SINGLES_MAX as u32).map(|i| i * PAIR_BITS);
        for ((_, single), shift) in singles.zip(shifts) {
            let row = pairs.chunks_exact(n).nth(single).unwrap_or(&[]);
            for (key, &pair) in keys.iter_mut().zip(row) {
                *key |= u64::from(pair) << shift;
            }
        }
        let mut sizes = [0; SETTLE_COLUMNS_MAX];
        for (size, key) in sizes.iter_mut().zip(&*keys) {
            *size = keys
                .iter()
                .map(|other| u64::from(other == key))
                .sum::<u64>();
        }
        for (key, size) in keys.iter_mut().zip(sizes) {
            *key |= size << 56;
        }
    }

    /// Keeps the orbit positions that bring a column of least key to the first base point.
    fn collect_first(&mut self, orbit: &[u8]) {
        self.rows.clear();
        self.rows.push(std::array::from_fn(|x| x as u8));
        let key = |&place: &u8| self.keys[place as usize % SETTLE_COLUMNS_MAX];
        self.found.clear();
        self.found.extend(orbit.iter().map(key));
        let least = self.found.iter().copied().fold(u64::MAX, u64::min);
        self.kept.resize(orbit.len() + 1, (0, 0));
        let n_kept = keep(&self.found, least, 0, &mut self.kept);
        self.kept.truncate(n_kept);
    }

    /// Of the arrangements kept, and the orbit of the next base point, keeps those that bring a
    /// column of least key there. Only of these are rows made: most are dropped without one.
    fn collect_least(&mut self, bytes: &[u8], orbit: &[u8], n: usize) {
        let SettledColumns {
            rows,
            next,
            kept,
            parents,
            found,
            keys,
            ..
        } = self;
        std::mem::swap(kept, parents);
        found.clear();
        for &(row, i) in parents.iter() {
            let (row, by) = (&rows[row as usize], &bytes[i as usize * n..][..n]);
            found.extend(orbit.iter().map(|&place| {
                let column = row[by[place as usize] as usize % SETTLE_COLUMNS_MAX];
                keys[column as usize % SETTLE_COLUMNS_MAX]
            }));
        }
        let least = found.iter().copied().fold(u64::MAX, u64::min);
        next.clear();
        kept.resize(found.len() + 1, (0, 0));
        let mut n_kept = 0;
        for (&(row, i), found) in parents.iter().zip(found.chunks_exact(orbit.len())) {
            let n_own = keep(found, least, next.len() as u16, &mut kept[n_kept..]);
            if n_own > 0 {
                next.push(moved(&rows[row as usize], &bytes[i as usize * n..][..n]));
            }
            n_kept += n_own;
        }
        kept.truncate(n_kept);
        std::mem::swap(rows, next);
    }

    /// Makes the rows of all arrangements kept.
    fn make_all(&mut self, bytes: &[u8], n: usize) {
        let SettledColumns {
            rows, next, kept, ..
        } = self;
        next.clear();
        let row = |&(row, i): &(u16, u8)| moved(&rows[row as usize], &bytes[i as usize * n..][..n]);
        next.extend(kept.iter().map(row));
        std::mem::swap(rows, next);
    }

    /// Drops the rows that are not least, compared by keys place by place.
    fn keep_least(&mut self, n: usize) {
        let SettledColumns { rows, keys, .. } = self;
        for place in 0..n {
            if rows.len() == 1 {
                return;
            }
            let key = |row: &ColumnRow| keys[row[place] as usize % SETTLE_COLUMNS_MAX];
            let least = rows.iter().map(key).min();
            rows.retain(|row| Some(key(row)) == least);
        }
    }
}

/// Writes down the positions of the least keys; returns how many. Each is written and then counted
/// or not, because which are least cannot be foreseen.
fn keep(keys: &[u64], least: u64, row: u16, kept: &mut [(u16, u8)]) -> usize {
    let mut n_kept = 0;
    for (&key, i) in keys.iter().zip(0..) {
        kept[n_kept] = (row, i);
        n_kept += usize::from(key == least);
    }
    n_kept
}

fn moved(row: &ColumnRow, by: &[u8]) -> ColumnRow {
    let mut moved = [0; SETTLE_COLUMNS_MAX];
    for (place, &z) in moved.iter_mut().zip(by) {
        *place = row[z as usize % SETTLE_COLUMNS_MAX];
    }
    moved
}

impl Default for SettledColumns {
    fn default() -> SettledColumns {
        SettledColumns {
            rows: Vec::new(),
            next: Vec::new(),
            kept: Vec::new(),
            parents: Vec::new(),
            found: Vec::new(),
            keys: [0; SETTLE_COLUMNS_MAX],
            sizes: Vec::new(),
        }
    }
}
