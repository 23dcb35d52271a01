//! Representatives by sorting, where the group is all arrangements of columns.
//!
//! Most groups of models are: the symmetric group on some processes, each with its channel and its
//! elements of arrays, or a product of such. A *column* is what moves together (process 2, channel
//! 2, `flag[2]`). Then no object has to be drawn and no general search is needed. Each column gets
//! a key, read from the state by a list of places made once per model, and the columns of a segment
//! are put in the order of their keys.
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
//! exchanging the columns fixes the state, which is checked cell by cell, so that any order of
//! them gives the same image; or references between columns tell more, and keys are refined by
//! them; or nothing is decided here, and the caller goes the general way with the state as it was.
//! Which of these happens depends on the state up to the group only. That two different columns
//! may have one hash costs time: they are a tie that is no exchange.
//!
//! **When.** [`Sorting::new`] refuses groups with anything but symmetric segments, more than 64
//! columns, processes of different kinds in one orbit, data between three points, and references
//! between two. What it makes is tried on random bytes before it is used (`trial.rs`).
//!
//! Cost: linear in the cells of columns, and insertion sort, which is linear for what is nearly
//! sorted, as successors of representatives are.

mod pair;
mod program;
mod tie;
mod trial;

use crate::act::Messages;
use crate::points::{Members, NONE};
use group::Point;
use pair::{Link, Pair};
use system::layout::{MESSAGES_AT, Scalar};
use system::sort::ClassId;

/// Columns are numbered in a word, and their sets are words.
const COLUMNS_MAX: usize = 64;
/// The bits of a sort key that hold the column.
const COLUMN_MASK: u64 = COLUMNS_MAX as u64 - 1;
/// The owner of what belongs to no column.
const STAYS: u8 = u8::MAX;

/// How the columns of a model are read, sorted and moved.
#[derive(Clone, Debug)]
pub(crate) struct Sorting {
    segments: Vec<Segment>,
    /// By point: the number, value or index that it is known by.
    values: Vec<i32>,
    /// By class its members, then by kind of record the locations that move.
    members: Vec<Members>,
    /// By point: its column, and its place in it.
    places: Vec<(u8, u8)>,
    /// By point: a number that depends on its orbit only.
    role_salts: Vec<u64>,
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

/// Columns that can be arranged in every way, and what each of them has.
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
}

/// At most eight bytes of data.
#[derive(Clone, Copy, Debug)]
struct Word {
    at: u32,
    len: u32,
    mask: u64,
    salt: u64,
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
    /// The column it is in, or [`STAYS`].
    owner: u8,
    /// The column it refers to.
    to: u8,
    scalar: Scalar,
    label: u64,
}

/// What was found out about a state; reuse one to avoid allocation.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    keys: [u64; COLUMNS_MAX],
    /// Sort keys, segment by segment.
    order: [u64; COLUMNS_MAX],
    /// By column: where it goes.
    targets: [u8; COLUMNS_MAX],
    refs: Vec<Ref>,
    /// What lies between two columns and is not 0.
    links: Vec<Link>,
    /// The columns that something that stays refers to.
    named: u64,
    /// The columns that other columns refer to.
    referred: u64,
    is_identity: bool,
}

impl Default for Arrangement {
    fn default() -> Arrangement {
        Arrangement {
            keys: [0; COLUMNS_MAX],
            order: [0; COLUMNS_MAX],
            targets: [0; COLUMNS_MAX],
            refs: Vec::new(),
            links: Vec::new(),
            named: 0,
            referred: 0,
            is_identity: true,
        }
    }
}

impl Arrangement {
    /// Whether every column stays where it is.
    pub fn is_identity(&self) -> bool {
        self.is_identity
    }
}

impl Sorting {
    /// Finds the arrangement that leads `state` to its representative; `false` says that keys do
    /// not tell it.
    ///
    /// # Requires
    /// The making is over in `state`.
    pub fn arrange(&self, state: &[u8], found: &mut Arrangement) -> bool {
        if !self.read(state, found) {
            return false;
        }
        let mut n_ties = self.sort(found);
        while n_ties > 0 && !self.are_all_twins(state, found) {
            if found.referred == 0 && found.links.is_empty() {
                return false;
            }
            self.refine(found);
            let n_left = self.sort(found);
            if n_left >= n_ties && !self.are_all_twins(state, found) {
                return false;
            }
            n_ties = n_left;
        }
        self.place(found);
        true
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
        for segment in &self.segments {
            for c in 0..segment.len {
                let to = usize::from(found.targets[segment.first + c]) - segment.first;
                if to != c {
                    self.copy(segment, (c, to), state, out);
                }
            }
        }
        self.apply_pairs(found, state, out);
        for found_ref in &found.refs {
            let (column, role) = self.places[found_ref.point as usize];
            let target = found.targets[usize::from(column)];
            let mut at = found_ref.at as usize;
            if found_ref.owner != STAYS {
                let to = usize::from(found.targets[usize::from(found_ref.owner)]);
                let lane = found_ref.lane as usize;
                at = at + self.lanes[lane + to] as usize
                    - self.lanes[lane + usize::from(found_ref.owner)] as usize;
            }
            let point = self.columns[usize::from(target)][usize::from(role)];
            let value = self.values[point as usize];
            found_ref.scalar.store(out, at, value);
        }
    }

    #[inline]
    fn copy(&self, segment: &Segment, (from, to): (usize, usize), state: &[u8], out: &mut [u8]) {
        for &(lane, len) in &segment.spans {
            let lane = lane as usize + segment.first;
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

    /// Reads keys and references; `false` if there is something that is left to others.
    fn read(&self, state: &[u8], found: &mut Arrangement) -> bool {
        found.keys[..self.columns.len()].fill(0);
        found.refs.clear();
        found.named = 0;
        found.referred = 0;
        for segment in &self.segments {
            for c in 0..segment.len {
                self.read_column(state, segment, c, found);
            }
        }
        self.read_pairs(state, found);
        for cell in &self.stays {
            self.read_cell(state, cell, STAYS, found);
        }
        for queue in &self.queues {
            self.read_queue(state, queue, STAYS, found);
        }
        self.read_later(state, found)
    }

    #[inline]
    fn read_column(&self, state: &[u8], segment: &Segment, c: usize, found: &mut Arrangement) {
        let column = segment.first + c;
        let mut key = 0_u64;
        for word in &segment.words[c * segment.n_words..(c + 1) * segment.n_words] {
            key = key.wrapping_add(digest(word.load(state), word.salt));
        }
        found.keys[column] = found.keys[column].wrapping_add(key);
        for cell in &segment.cells[c * segment.n_cells..(c + 1) * segment.n_cells] {
            self.read_cell(state, cell, column as u8, found);
        }
        for queue in &segment.queues[c * segment.n_queues..(c + 1) * segment.n_queues] {
            self.read_queue(state, queue, column as u8, found);
        }
    }

    /// The point that a cell holds, and its value.
    #[inline(always)]
    fn point(&self, state: &[u8], cell: &Cell) -> (Point, i32) {
        let value = cell.scalar.load(state, cell.at as usize);
        if let Some((at, scalar, list)) = cell.neutral {
            let here = scalar.load(state, at as usize) as usize;
            let neutral = &self.neutral[list as usize];
            if neutral.get(here).copied().unwrap_or(false) {
                return (NONE, value);
            }
        }
        (self.members[cell.members as usize].point(value), value)
    }

    /// The members of a class.
    #[inline]
    fn class(&self, class: ClassId) -> &Members {
        &self.members[class.index()]
    }

    /// The point that a number in a message is, given the class it has there.
    #[inline]
    fn sent(&self, class: Option<ClassId>, value: i32) -> Point {
        class.map_or(NONE, |class| self.class(class).point(value))
    }

    /// Which members the locations of a kind of record may be.
    fn location_members(&self, kind: usize) -> usize {
        self.members.len() - self.sizes.len() + kind
    }

    #[inline(always)]
    fn read_cell(&self, state: &[u8], cell: &Cell, owner: u8, found: &mut Arrangement) {
        let (point, value) = self.point(state, cell);
        if point != NONE {
            let place = (cell.at, cell.lane, owner);
            self.refer(place, point, (cell.scalar, cell.salt), found);
        } else if owner != STAYS {
            let key = &mut found.keys[usize::from(owner)];
            *key = key.wrapping_add(digest(u64::from(value as u32), cell.salt));
        }
    }

    #[inline]
    fn read_queue(&self, state: &[u8], queue: &Queue, owner: u8, found: &mut Arrangement) {
        let messages = &self.messages[queue.kind as usize];
        let mut salt = queue.salt;
        for n in 0..usize::from(state[queue.at as usize + 1]) {
            let first = queue.at as usize + MESSAGES_AT as usize + n * messages.size;
            for (offset, scalar, sent) in &messages.fields {
                let value = scalar.load(state, first + offset);
                let point = self.sent(sent.class(state, first), value);
                salt = salt.wrapping_add(STEP);
                if point != NONE {
                    let place = ((first + offset) as u32, queue.lane, owner);
                    self.refer(place, point, (*scalar, salt), found);
                } else if owner != STAYS {
                    let key = &mut found.keys[usize::from(owner)];
                    *key = key.wrapping_add(digest(u64::from(value as u32), salt));
                }
            }
        }
    }

    /// Notes a reference, and what it tells about a column by itself.
    #[inline(always)]
    fn refer(
        &self,
        (at, lane, owner): (u32, u32, u8),
        point: Point,
        (scalar, salt): (Scalar, u64),
        found: &mut Arrangement,
    ) {
        let (to, _) = self.places[point as usize];
        let label = digest(self.role_salts[point as usize], salt);
        let key = &mut found.keys[usize::from(to)];
        if owner == STAYS {
            *key = key.wrapping_add(label);
            found.named |= 1 << to;
        } else if owner == to {
            *key = key.wrapping_add(label ^ OWN);
        } else {
            found.referred |= 1 << to;
        }
        found.refs.push(Ref {
            at,
            lane,
            point,
            owner,
            to,
            scalar,
            label,
        });
    }

    /// Records that came after the making: they stay, but may refer to what moves.
    fn read_later(&self, state: &[u8], found: &mut Arrangement) -> bool {
        let mut at = self.end;
        while at < state.len() {
            let kind = usize::from(state[at]);
            let Later::Known(cells) = &self.later[kind] else {
                return false;
            };
            for cell in cells {
                let moved = |at_cell: u32| at_cell + at as u32;
                let cell = Cell {
                    at: moved(cell.at),
                    neutral: cell.neutral.map(|(at, s, list)| (moved(at), s, list)),
                    salt: salt_of_place(moved(cell.at) as usize),
                    ..*cell
                };
                self.read_cell(state, &cell, STAYS, found);
            }
            if !self.messages[kind].fields.is_empty() {
                let queue = Queue {
                    at: at as u32,
                    lane: 0,
                    kind: kind as u32,
                    salt: salt_of_place(at),
                };
                self.read_queue(state, &queue, STAYS, found);
            }
            at += self.sizes[kind];
        }
        true
    }

    /// Sorts the columns of each segment by key; gives how many have the key of the one before.
    fn sort(&self, found: &mut Arrangement) -> usize {
        let mut n_ties = 0;
        for segment in &self.segments {
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
            let ties = order.windows(2).filter(|w| w[0] ^ w[1] <= COLUMN_MASK);
            n_ties += ties.count();
        }
        n_ties
    }

    /// Gives each column its place in the order.
    fn place(&self, found: &mut Arrangement) {
        let mut is_identity = true;
        for segment in &self.segments {
            for place in segment.first..segment.first + segment.len {
                let column = segment.first + (found.order[place] & COLUMN_MASK) as usize;
                found.targets[column] = place as u8;
                is_identity &= column == place;
            }
        }
        found.is_identity = is_identity;
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
