//! Representatives read off the columns of a state, with no object drawn.
//!
//! A *column* is what moves together (process 2, channel 2, `flag[2]`). Most groups of models are
//! all arrangements of columns: the symmetric group on some processes, or a product of such. Each
//! column gets a key, read from the state by lists of places made once per model, and the columns
//! of a segment are put in the order of their keys. Of other groups (a cube, groups of groups) not
//! all arrangements may be taken: the keys lead down the group's stabiliser chain (`lead.rs`).
//!
//! Worked example: `turn`, `flag[3]` and three processes with a location; `turn == 2`, flags
//! `1 0 1`, locations `5 0 5`. The key of a column is a hash of its flag and its location, and of
//! `turn` where that is it: columns 0 and 2 have equal data, but 2 is told apart by `turn`. Sorted
//! by key, say 1, 2, 0: column 1 goes to place 0, column 2 to 1, column 0 to 2. The flags become
//! `0 1 1`, the locations `0 5 5`, and `turn` becomes 1.
//!
//! **Why it is exact.** The key of a column depends on the state up to the group only: in `h·s`,
//! column `h(x)` has the key that `x` has in `s`. If all keys of a segment differ, the order of
//! keys is one arrangement, and the images of `s` and `h·s` are equal. If keys are equal, either
//! exchanging the columns fixes the state, which is checked cell by cell or, where all that a
//! column has fits into its key, told by the key itself, so that any order of them gives the same
//! image; or references between columns tell more, and keys are refined by them; or nothing is
//! decided here, and the caller goes the general way with the state as it was. Which of these
//! happens depends on the state up to the group only. That two different columns may have one hash
//! costs time: they are a tie that is no exchange.
//!
//! **When.** [`Sorting::new`] refuses more than 64 columns, processes of different kinds in one
//! orbit, data between three points, and references between two. What it makes is tried on random
//! bytes before it is used (`trial.rs`).
//!
//! Cost: a comparison with the state before, linear in the bytes that changed and in the references
//! of columns in which one changed (`read.rs`), and insertion sort, which is linear for what is
//! nearly sorted, as successors of representatives are.

mod lead;
mod pair;
mod program;
mod read;
mod tie;
mod trial;

use crate::processes::act::Messages;
use crate::processes::points::Members;
use group::Point;
use group::image::{Canoniser, Scratch, StabiliserTree};
use model::processes::layout::Scalar;
use pair::{Link, Pair};
pub(crate) use read::Changes;
use read::Readers;

/// Columns are numbered in a word, and their sets are words.
const COLUMNS_MAX: usize = 64;
/// The bits of a sort key that hold the column.
const COLUMN_MASK: u64 = COLUMNS_MAX as u64 - 1;
/// How many these are.
const COLUMN_BITS: u32 = COLUMN_MASK.count_ones();
/// The owner of what belongs to no column.
const STAYS: u8 = u8::MAX;

/// How the columns of a model are read, sorted and moved.
#[derive(Clone, Debug)]
pub(crate) struct Sorting {
    /// The orbits of columns; those that can be arranged in every way come first.
    segments: Vec<Segment>,
    /// How many of them can.
    n_free: usize,
    /// Classes of columns of the other segments of which any two can be exchanged alone: the
    /// segment, and the columns.
    exchangeable: Vec<(usize, Vec<u8>)>,
    /// The stabilisers of few columns of the other segments, if nothing but these and what is
    /// shared can tell columns apart, and all that a column has fits into its key.
    tree: Option<StabiliserTree>,
    /// By segment: the set of its columns.
    segment_masks: Vec<u64>,
    /// The columns of segments that are packed.
    packed: u64,
    readers: Readers,
    /// By generator of the group and column: where it goes.
    moves: Vec<Vec<u8>>,
    /// By point: the number, value or index that it is known by.
    values: Vec<i32>,
    /// By class its members, then by kind of record the locations that move.
    members: Vec<Members>,
    /// By point: its column, and its place in it.
    places: Vec<(u8, u8)>,
    /// By point: a number that depends on its orbit only.
    role_salts: Vec<u64>,
    /// By point: the number of its orbit.
    roles: Vec<u16>,
    /// By column: its points.
    columns: Vec<Vec<Point>>,
    /// Where something is in each column of a segment, one after another.
    lanes: Vec<u32>,
    /// By kind of record.
    messages: Vec<Messages>,
    /// Data between two columns.
    pairs: Vec<Pair>,
    /// Numbers of what stays that may be points.
    stays: Vec<Cell>,
    /// Channels that stay with messages that may name points.
    queues: Vec<Queue>,
    /// By kind of record: how those that came later refer to points.
    later: Vec<Later>,
    /// The sizes of records, by kind.
    sizes: Vec<usize>,
    /// By number: at which locations a cell does not matter.
    neutral: Vec<Vec<bool>>,
    /// Where records that came later start.
    end: usize,
}

/// An orbit of columns, and what each of them has.
#[derive(Clone, Debug)]
struct Segment {
    first: usize,
    len: usize,
    /// Data that are compared and moved, column by column: as many words each as `n_words`.
    words: Vec<Word>,
    n_words: usize,
    /// Numbers that may be points, likewise.
    cells: Vec<Cell>,
    n_cells: usize,
    /// Channels with messages that may name points, likewise.
    queues: Vec<Queue>,
    n_queues: usize,
    /// What is moved as it is: the lane, and how many bytes.
    spans: Vec<(u32, u32)>,
    /// Whether all that a column has fits into its key, so that columns that refer to no other,
    /// and are named by none, hold the same if their keys are equal.
    is_packed: bool,
}

/// At most eight bytes of data.
#[derive(Clone, Copy, Debug)]
struct Word {
    at: u32,
    len: u32,
    mask: u64,
    salt: u64,
    /// Where it is in the key, if the segment is packed.
    shift: Option<u8>,
}

/// A number that may be a point.
#[derive(Clone, Copy, Debug)]
struct Cell {
    at: u32,
    lane: u32,
    scalar: Scalar,
    /// Which members it may be.
    members: u32,
    /// Where the location of its process is, and which list says where it does not matter.
    neutral: Option<(u32, Scalar, u32)>,
    salt: u64,
    /// Where it is in the key, if the segment is packed.
    shift: Option<u8>,
}

/// A channel.
#[derive(Clone, Copy, Debug)]
struct Queue {
    at: u32,
    lane: u32,
    kind: u32,
    salt: u64,
}

/// How a kind of record refers to points where it came later.
#[derive(Clone, Debug)]
enum Later {
    /// In ways that are left to others.
    Unknown,
    /// By these cells, counted from the record's start, and by its messages.
    Known(Vec<Cell>),
}

/// A number that is a point.
#[derive(Clone, Copy, Debug)]
struct Ref {
    at: u32,
    lane: u32,
    point: Point,
    /// The column it refers to.
    to: u8,
    scalar: Scalar,
    label: u64,
}

/// What was found out about a state; reuse one to avoid allocation.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    /// The state that all this was read from; empty if there is none.
    pub last: Vec<u8>,
    /// By column: its data, as a number.
    data: [u64; COLUMNS_MAX],
    /// By column: what may be references, as a number.
    told: [u64; COLUMNS_MAX],
    /// By column: those that were found to hold the same, up to an exchange of the two.
    alike: [u64; COLUMNS_MAX],
    /// By column: which others it refers to.
    refers: [u64; COLUMNS_MAX],
    /// By column: its references.
    refs: Vec<Vec<Ref>>,
    /// The columns with references.
    owners: u64,
    /// The columns with references to others.
    bound: u64,
    /// The references of what belongs to no column.
    shared: Vec<Ref>,
    /// By column: what lies between it and itself.
    diagonal: [u64; COLUMNS_MAX],
    /// What lies between two columns and is not 0.
    links: Vec<Link>,
    keys: [u64; COLUMNS_MAX],
    /// Whether keys were refined since they were read.
    is_refined: bool,
    /// The columns whose keys changed since they were last sorted.
    touched: u64,
    /// Sort keys, segment by segment.
    order: [u64; COLUMNS_MAX],
    /// The places in this order with the key of the place before.
    ties: u64,
    /// The columns of one key with others.
    tied: u64,
    /// By column: where it goes.
    targets: [u8; COLUMNS_MAX],
    /// The columns that go elsewhere.
    moved: u64,
    /// The columns that something that stays refers to.
    named: u64,
    /// The columns that other columns refer to.
    referred: u64,
    /// The image, where several were compared.
    image: Vec<u8>,
    /// One that is compared with it.
    rival: Vec<u8>,
    has_image: bool,
}

impl Default for Arrangement {
    fn default() -> Arrangement {
        Arrangement {
            last: Vec::new(),
            data: [0; COLUMNS_MAX],
            told: [0; COLUMNS_MAX],
            alike: [0; COLUMNS_MAX],
            refers: [0; COLUMNS_MAX],
            refs: vec![Vec::new(); COLUMNS_MAX],
            owners: 0,
            bound: 0,
            shared: Vec::new(),
            diagonal: [0; COLUMNS_MAX],
            links: Vec::new(),
            keys: [0; COLUMNS_MAX],
            is_refined: false,
            touched: u64::MAX,
            order: [0; COLUMNS_MAX],
            ties: 0,
            tied: 0,
            targets: [0; COLUMNS_MAX],
            moved: 0,
            named: 0,
            referred: 0,
            image: Vec::new(),
            rival: Vec::new(),
            has_image: false,
        }
    }
}

impl Sorting {
    /// Finds the arrangement that leads `state` to its representative; `false` says that keys do
    /// not tell it.
    ///
    /// # Requires
    /// The making is over in `state`, and `changes` are those since the state last asked about.
    pub fn arrange(
        &self,
        state: &[u8],
        changes: Changes,
        (canoniser, scratch): (&Canoniser, &mut Scratch),
        found: &mut Arrangement,
    ) -> bool {
        if !self.read(state, changes, found) {
            return false;
        }
        found.has_image = false;
        if self.n_free < self.segments.len() {
            return self.lead(state, (canoniser, scratch), found);
        }
        self.sort_all(state, found)
    }

    /// Arranges the columns of segments that can be arranged in every way; `false` says that keys
    /// do not tell how.
    fn sort_all(&self, state: &[u8], found: &mut Arrangement) -> bool {
        self.sort(found);
        let mut n_ties = found.ties.count_ones();
        while n_ties > 0 && !self.are_all_twins(state, found) {
            if found.referred == 0 && found.links.is_empty() {
                return false;
            }
            self.refine(found);
            self.sort(found);
            let n_left = found.ties.count_ones();
            if n_left >= n_ties && !self.are_all_twins(state, found) {
                return false;
            }
            n_ties = n_left;
        }
        true
    }

    /// Replaces `out`, which is the state last asked about, by its image.
    pub fn move_last(&self, found: &Arrangement, out: &mut [u8]) {
        if found.has_image {
            out.copy_from_slice(&found.image);
        } else if found.moved != 0 {
            self.apply(found, &found.last, out);
        }
    }

    /// Where each point goes.
    pub fn element(&self, found: &Arrangement, out: &mut Vec<Point>) {
        out.clear();
        let image = self.places.iter().map(|&(column, role)| {
            let target = found.targets[usize::from(column)];
            self.columns[usize::from(target)][usize::from(role)]
        });
        out.extend(image);
    }

    /// Moves the state that `found` was read from; `out`, a copy of it, becomes the result.
    pub fn apply(&self, found: &Arrangement, state: &[u8], out: &mut [u8]) {
        for (segment, all) in self.segments.iter().zip(&self.segment_masks) {
            let mut moved = found.moved & all;
            while moved != 0 {
                let column = moved.trailing_zeros() as usize;
                moved &= moved - 1;
                let to = usize::from(found.targets[column]);
                self.copy(segment, (column, to), state, out);
            }
        }
        self.apply_pairs(found, state, out);
        for found_ref in &found.shared {
            let value = self.renamed(found, found_ref);
            found_ref.scalar.store(out, found_ref.at as usize, value);
        }
        // References to their own columns change with these only.
        let mut owners = found.owners & (found.moved | found.bound);
        while owners != 0 {
            let owner = owners.trailing_zeros() as usize;
            owners &= owners - 1;
            let to = usize::from(found.targets[owner]);
            for found_ref in &found.refs[owner] {
                let lane = found_ref.lane as usize;
                let at = found_ref.at + self.lanes[lane + to] - self.lanes[lane + owner];
                let value = self.renamed(found, found_ref);
                found_ref.scalar.store(out, at as usize, value);
            }
        }
    }

    /// What a reference becomes.
    #[inline]
    fn renamed(&self, found: &Arrangement, found_ref: &Ref) -> i32 {
        let (column, role) = self.places[found_ref.point as usize];
        let target = found.targets[usize::from(column)];
        let point = self.columns[usize::from(target)][usize::from(role)];
        self.values[point as usize]
    }

    #[inline]
    fn copy(&self, segment: &Segment, (from, to): (usize, usize), state: &[u8], out: &mut [u8]) {
        for &(lane, len) in &segment.spans {
            let lane = lane as usize;
            let (from, to) = (
                self.lanes[lane + from] as usize,
                self.lanes[lane + to] as usize,
            );
            if len == 1 {
                out[to] = state[from];
                continue;
            }
            let len = len as usize;
            out[to..to + len].copy_from_slice(&state[from..from + len]);
        }
    }

    /// Sorts the columns of each segment that can be arranged in every way by key, if some key of
    /// it changed, and gives them their places in this order.
    fn sort(&self, found: &mut Arrangement) {
        for (segment, all) in self.segments[..self.n_free].iter().zip(&self.segment_masks) {
            if found.touched & all == 0 {
                continue;
            }
            let range = segment.first..segment.first + segment.len;
            let (keys, order) = (&found.keys[range.clone()], &mut found.order[range]);
            for (i, key) in keys.iter().enumerate() {
                let key = key & !COLUMN_MASK | i as u64;
                let mut place = i;
                while place > 0 && order[place - 1] > key {
                    order[place] = order[place - 1];
                    place -= 1;
                }
                order[place] = key;
            }
            let (mut ties, mut tied, mut moved, mut before) = (0, 0, 0, !order[0]);
            for (place, &key) in order.iter().enumerate() {
                let column = (key & COLUMN_MASK) as usize;
                let is_tie = u64::from(key ^ before <= COLUMN_MASK);
                ties |= is_tie << place;
                tied |= is_tie << column | is_tie << (before & COLUMN_MASK);
                moved |= u64::from(column != place) << column;
                found.targets[segment.first + column] = (segment.first + place) as u8;
                before = key;
            }
            found.ties = found.ties & !all | ties << segment.first;
            found.tied = found.tied & !all | tied << segment.first;
            found.moved = found.moved & !all | moved << segment.first;
        }
        found.touched = 0;
    }
}

impl Word {
    #[inline]
    fn load(&self, state: &[u8]) -> u64 {
        let at = self.at as usize;
        match state.get(at..at + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")) & self.mask,
            None => {
                let bytes = state[at..at + self.len as usize].iter().rev();
                bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
            }
        }
    }
}

/// What a reference of a column to itself is mixed with.
const OWN: u64 = 0x5851_f42d_4c95_7f2d;
/// From one salt of a queue to the next.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number that looks unrelated to both: their folded product, as in Wyhash.
#[inline(always)]
fn digest(value: u64, salt: u64) -> u64 {
    let product = u128::from(value ^ 0xa076_1d64_78bd_642f) * u128::from(salt | 1);
    (product as u64) ^ (product >> 64) as u64
}

/// A salt for what is at that place of the state.
fn salt_of_place(at: usize) -> u64 {
    digest(at as u64, 0xe703_7ed1_a0b4_28db)
}

#[cfg(test)]
mod tests;
