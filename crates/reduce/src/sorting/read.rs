//! Keys and references of the columns of a state, read again only where it changed.
//!
//! The states that a search asks about one after another are successors of one state, or of two
//! that are much alike, so most columns hold what they held the last time. Once per model it is
//! worked out which columns read which bytes. A state is compared with the one before it, eight
//! bytes at a time, and only columns that read a byte that differs are read again. What belongs to
//! no column, and what lies between columns, is read again as a whole if any of it differs.
//!
//! Worked example: `turn`, `flag[3]`, three locations; the state before had `turn == 1`, flags
//! `0 1 1`, locations `0 5 5`, this one has location `6` in the last place. One byte differs; the
//! last column reads it, so two keys of three are as they were, and `turn` names whom it named.
//!
//! What is kept of a column depends on the bytes that it reads only, never on how the state before
//! looked; so a state has the same keys whatever was asked before it.

use super::{Arrangement, Cell, Later, OWN, Queue, Ref, STAYS, STEP, Segment, Sorting};
use super::{digest, salt_of_place};
use crate::act::{Act, Messages};
use crate::points::{Members, NONE};
use group::Point;
use std::ops::Range;
use system::layout::{MESSAGES_AT, Scalar};
use system::sort::ClassId;

/// Something that stays reads a byte.
const SHARED: u8 = 1;
/// Something between two columns does.
const BETWEEN: u8 = 2;
/// Whether the making is over depends on it.
const SETTLED: u8 = 4;

/// By byte, up to the records that came later: who reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    columns: Vec<u64>,
    others: Vec<u8>,
}

/// What must be read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Changes {
    columns: u64,
    others: u8,
}

impl Changes {
    /// All of it.
    pub const ALL: Changes = Changes {
        columns: u64::MAX,
        others: u8::MAX,
    };

    /// Whether the making may be over in one of the two states and not in the other.
    pub fn may_settle(self) -> bool {
        self.others & SETTLED != 0
    }
}

impl Readers {
    /// Those of a model's lists.
    pub fn new(sorting: &Sorting, act: &Act) -> Readers {
        let mut readers = Readers {
            columns: vec![0; sorting.end],
            others: vec![0; sorting.end],
        };
        for segment in &sorting.segments {
            for c in 0..segment.len {
                let column = 1 << (segment.first + c);
                for bytes in sorting.read_by(segment, c) {
                    readers.columns[bytes].iter_mut().for_each(|r| *r |= column);
                }
            }
        }
        let cells = sorting.stays.iter().flat_map(Cell::bytes);
        let queues = sorting.queues.iter().map(|queue| sorting.bytes_of(queue));
        cells.chain(queues).for_each(|b| readers.add(b, SHARED));
        for pair in &sorting.pairs {
            let n_bytes = pair.scalar.n_bytes() as usize;
            let cells = pair.at.iter().map(|&at| at as usize..at as usize + n_bytes);
            cells.for_each(|bytes| readers.add(bytes, BETWEEN));
        }
        act.settling_bytes(|bytes| readers.add(bytes, SETTLED));
        readers
    }

    /// Makes them wrong: nobody is said to read these bytes.
    #[cfg(test)]
    pub fn forget(&mut self, bytes: Range<usize>) {
        self.columns[bytes.clone()].fill(0);
        self.others[bytes].fill(0);
    }

    fn add(&mut self, bytes: Range<usize>, reader: u8) {
        // Where the maker is may be told by a record beyond those that are listed.
        let bytes = bytes.start.min(self.others.len())..bytes.end.min(self.others.len());
        self.others[bytes].iter_mut().for_each(|r| *r |= reader);
    }

    /// What must be read again where `before` became `state`.
    #[inline]
    fn changes(&self, before: &[u8], state: &[u8]) -> Changes {
        let end = self.columns.len();
        if before.len() != state.len() || state.len() < end {
            return Changes::ALL;
        }
        let mut changes = Changes {
            columns: 0,
            others: 0,
        };
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let words = before.chunks_exact(8).zip(state.chunks_exact(8));
        for ((a, b), first) in words.zip((0..).step_by(8)) {
            let mut differ = word(a) ^ word(b);
            while differ != 0 {
                let n = differ.trailing_zeros() / 8;
                differ &= !(0xff << (8 * n));
                self.note(first + n as usize, &mut changes);
            }
        }
        let first = state.len() & !7;
        for at in first..state.len() {
            if before[at] != state[at] {
                self.note(at, &mut changes);
            }
        }
        changes
    }

    #[inline]
    fn note(&self, at: usize, changes: &mut Changes) {
        match (self.columns.get(at), self.others.get(at)) {
            (Some(columns), Some(others)) => {
                changes.columns |= columns;
                changes.others |= others;
            }
            // Of records that came later, who is there may be one of their bytes.
            _ => changes.others |= SHARED | SETTLED,
        }
    }
}

impl Cell {
    /// What it reads.
    fn bytes(&self) -> impl Iterator<Item = Range<usize>> {
        let own = (self.at, self.scalar);
        let location = self.neutral.map(|(at, scalar, _)| (at, scalar));
        let range = |(at, scalar): (u32, Scalar)| {
            let at = at as usize;
            at..at + scalar.n_bytes() as usize
        };
        [Some(own), location].into_iter().flatten().map(range)
    }
}

impl Sorting {
    /// What must be read again for `state`.
    #[inline]
    pub fn changes(&self, state: &[u8], found: &Arrangement) -> Changes {
        self.readers.changes(&found.last, state)
    }

    /// The bytes that a column reads.
    fn read_by(&self, segment: &Segment, c: usize) -> Vec<Range<usize>> {
        let words = &segment.words[c * segment.n_words..(c + 1) * segment.n_words];
        let cells = &segment.cells[c * segment.n_cells..(c + 1) * segment.n_cells];
        let queues = &segment.queues[c * segment.n_queues..(c + 1) * segment.n_queues];
        let words = words.iter().map(|w| w.at as usize..(w.at + w.len) as usize);
        let queues = queues.iter().map(|queue| self.bytes_of(queue));
        words
            .chain(cells.iter().flat_map(Cell::bytes))
            .chain(queues)
            .collect()
    }

    /// The bytes of a channel.
    fn bytes_of(&self, queue: &Queue) -> Range<usize> {
        let at = queue.at as usize;
        at..at + self.sizes[queue.kind as usize]
    }

    /// Reads keys and references, where they may have changed; `false` if there is something that
    /// is left to others.
    pub(super) fn read(&self, state: &[u8], changes: Changes, found: &mut Arrangement) -> bool {
        found.last.clear();
        let n = self.columns.len();
        let all = u64::MAX >> (64 - n);
        let changed = changes.columns & all;
        found.alike[..n].iter_mut().for_each(|x| *x &= !changed);
        let owners = found.owners;
        for (segment, own) in self.segments.iter().zip(&self.segment_masks) {
            let mut columns = changed & own;
            while columns != 0 {
                let column = columns.trailing_zeros() as usize;
                columns &= columns - 1;
                self.read_column(state, segment, column - segment.first, found);
            }
        }
        if (owners | found.owners) & changed != 0 {
            found.collect_referred();
        }
        found.touched |= changed;
        if changes.others & BETWEEN != 0 && !self.pairs.is_empty() {
            self.read_pairs(state, found);
            found.touched = all;
        }
        if changes.others & SHARED != 0 {
            found.touched |= found.named;
            if !self.read_shared(state, found) {
                return false;
            }
            found.touched |= found.named;
        }
        if found.is_refined {
            found.touched = all;
            found.is_refined = false;
        }
        found.last.extend_from_slice(state);
        found.sum(found.touched & all);
        true
    }

    #[inline]
    fn read_column(&self, state: &[u8], segment: &Segment, c: usize, found: &mut Arrangement) {
        let column = segment.first + c;
        let mut key = 0_u64;
        for word in &segment.words[c * segment.n_words..(c + 1) * segment.n_words] {
            key = key.wrapping_add(digest(word.load(state), word.salt));
        }
        let mut refs = std::mem::take(&mut found.refs[column]);
        refs.clear();
        let mut reading = Reading {
            sorting: self,
            owner: column as u8,
            key,
            refs: &mut refs,
        };
        for cell in &segment.cells[c * segment.n_cells..(c + 1) * segment.n_cells] {
            reading.cell(state, cell);
        }
        for queue in &segment.queues[c * segment.n_queues..(c + 1) * segment.n_queues] {
            reading.queue(state, queue);
        }
        found.own[column] = reading.key;
        found.alike[column] = 0;
        let bit = 1 << column;
        let others = refs.iter().filter(|r| usize::from(r.to) != column);
        found.refers[column] = others.fold(0, |to, r| to | 1 << r.to);
        match refs.is_empty() {
            true => found.owners &= !bit,
            false => found.owners |= bit,
        }
        found.refs[column] = refs;
    }

    /// Reads what belongs to no column.
    fn read_shared(&self, state: &[u8], found: &mut Arrangement) -> bool {
        found.shared.clear();
        let mut reading = Reading {
            sorting: self,
            owner: STAYS,
            key: 0,
            refs: &mut found.shared,
        };
        for cell in &self.stays {
            reading.cell(state, cell);
        }
        for queue in &self.queues {
            reading.queue(state, queue);
        }
        let is_read = reading.later(state);
        found.named = found.shared.iter().fold(0, |all, r| all | 1 << r.to);
        is_read
    }

    /// The point that a cell holds, and its value.
    #[inline(always)]
    pub(super) fn point(&self, state: &[u8], cell: &Cell) -> (Point, i32) {
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
    pub(super) fn class(&self, class: ClassId) -> &Members {
        &self.members[class.index()]
    }

    /// The point that a number in a message is, given the class it has there.
    #[inline]
    pub(super) fn sent(&self, class: Option<ClassId>, value: i32) -> Point {
        class.map_or(NONE, |class| self.class(class).point(value))
    }

    /// Which members the locations of a kind of record may be.
    pub(super) fn location_members(&self, kind: usize) -> usize {
        self.members.len() - self.sizes.len() + kind
    }
}

impl Arrangement {
    /// Makes keys of what was read for these columns: what they have themselves, and what names
    /// them.
    fn sum(&mut self, columns: u64) {
        let mut left = columns;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            left &= left - 1;
            self.keys[column] = self.own[column].wrapping_add(self.diagonal[column]);
        }
        for found_ref in &self.shared {
            if columns >> found_ref.to & 1 == 1 {
                let key = &mut self.keys[usize::from(found_ref.to)];
                *key = key.wrapping_add(found_ref.label);
            }
        }
    }

    /// Notes which columns others refer to.
    fn collect_referred(&mut self) {
        let mut owners = self.owners;
        self.referred = 0;
        while owners != 0 {
            self.referred |= self.refers[owners.trailing_zeros() as usize];
            owners &= owners - 1;
        }
    }
}

/// What is read of a column, or of what stays.
struct Reading<'a> {
    sorting: &'a Sorting,
    owner: u8,
    key: u64,
    refs: &'a mut Vec<Ref>,
}

impl Reading<'_> {
    #[inline(always)]
    fn cell(&mut self, state: &[u8], cell: &Cell) {
        let (point, value) = self.sorting.point(state, cell);
        match point {
            NONE => self.value(value, cell.salt),
            point => self.refer((cell.at, cell.lane), point, (cell.scalar, cell.salt)),
        }
    }

    /// Takes in a number that is no point.
    #[inline(always)]
    fn value(&mut self, value: i32, salt: u64) {
        let own = digest(u64::from(value as u32), salt);
        self.key = self.key.wrapping_add(own);
    }

    #[inline]
    fn queue(&mut self, state: &[u8], queue: &Queue) {
        let sorting = self.sorting;
        let messages: &Messages = &sorting.messages[queue.kind as usize];
        let mut salt = queue.salt;
        for n in 0..usize::from(state[queue.at as usize + 1]) {
            let first = queue.at as usize + MESSAGES_AT as usize + n * messages.size;
            for (offset, scalar, sent) in &messages.fields {
                let value = scalar.load(state, first + offset);
                let point = sorting.sent(sent.class(state, first), value);
                salt = salt.wrapping_add(STEP);
                match point {
                    NONE => self.value(value, salt),
                    point => {
                        let place = ((first + offset) as u32, queue.lane);
                        self.refer(place, point, (*scalar, salt));
                    }
                }
            }
        }
    }

    /// Notes a reference, and what it tells about its column if it is one to itself.
    #[inline(always)]
    fn refer(&mut self, (at, lane): (u32, u32), point: Point, (scalar, salt): (Scalar, u64)) {
        let (to, _) = self.sorting.places[point as usize];
        let label = digest(self.sorting.role_salts[point as usize], salt);
        if self.owner == to {
            self.key = self.key.wrapping_add(label ^ OWN);
        }
        self.refs.push(Ref {
            at,
            lane,
            point,
            to,
            scalar,
            label,
        });
    }

    /// Records that came after the making: they stay, but may refer to what moves. `false` if they
    /// may do so in ways that are left to others.
    fn later(&mut self, state: &[u8]) -> bool {
        let mut at = self.sorting.end;
        while at < state.len() {
            let kind = usize::from(state[at]);
            let Later::Known(cells) = &self.sorting.later[kind] else {
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
                self.cell(state, &cell);
            }
            if !self.sorting.messages[kind].fields.is_empty() {
                let queue = Queue {
                    at: at as u32,
                    lane: 0,
                    kind: kind as u32,
                    salt: salt_of_place(at),
                };
                self.queue(state, &queue);
            }
            at += self.sorting.sizes[kind];
        }
        true
    }
}
