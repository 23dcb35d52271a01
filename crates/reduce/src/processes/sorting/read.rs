//! Keys and references of the columns of a state, read again only where it changed.
//!
//! The states that a search asks about one after another are successors of one state, or of two
//! that are much alike, so most columns hold what they held the last time. Once per model it is
//! worked out which columns read which bytes. A state is compared with the one before it, many
//! bytes at a time. The number for a column's data is a sum over its bytes, so that of a byte that
//! differs the old summand is taken off and the new one put on. Only columns in which a byte
//! differs that may be part of a reference have their references read again. What belongs to no
//! column, and what lies between columns, is read again as a whole if any of it differs.
//!
//! Worked example: `turn`, `flag[3]`, three locations; the state before had `turn == 1`, flags
//! `0 1 1`, locations `0 5 5`, this one has location `6` in the last place. One byte differs, a
//! datum of the last column: from its number the summand for `5` is taken, that for `6` is put on.
//! The other two are as they were, and `turn` names whom it named.
//!
//! What is kept of a column depends on the bytes that it reads only, never on how the state before
//! looked; so a state has the same keys whatever was asked before it.

use super::{
    Arrangement, COLUMNS_MAX, Cell, Later, OWN, Queue, Ref, STAYS, STEP, Segment, Sorting,
};
use super::{digest, salt_of_place};
use crate::processes::act::{Act, Messages};
use crate::processes::points::{Members, NONE};
use crate::processes::sort::ClassId;
use group::Point;
use model::processes::layout::{MESSAGES_AT, Scalar};
use std::ops::Range;

/// Something that stays reads a byte.
const SHARED: u8 = 1;
/// Something between two columns does.
const BETWEEN: u8 = 2;
/// Whether the making is over depends on it.
const SETTLED: u8 = 4;

/// By byte, up to the records that came later: who reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    bytes: Vec<Reader>,
}

/// Who reads a byte.
#[derive(Clone, Copy, Debug)]
struct Reader {
    /// The columns of which it may be part of a reference.
    columns: u64,
    others: u8,
    /// The column of which it is a datum; [`STAYS`] if it is none.
    column: u8,
    summand: Summand,
}

impl Reader {
    const NONE: Reader = Reader {
        columns: 0,
        others: 0,
        column: STAYS,
        summand: Summand::Packed(0),
    };
}

/// What a byte adds to the number of its column.
#[derive(Clone, Copy, Debug)]
enum Summand {
    /// A hash.
    Hashed(u64),
    /// Itself, at this bit.
    Packed(u8),
}

impl Summand {
    #[inline(always)]
    fn of(self, byte: u8) -> u64 {
        match self {
            Summand::Hashed(salt) => digest(u64::from(byte), salt),
            Summand::Packed(shift) => u64::from(byte) << shift,
        }
    }

    /// What is to be added where a byte was another.
    #[inline(always)]
    fn change(self, was: u8, is: u8) -> u64 {
        match self {
            Summand::Hashed(_) => self.of(is).wrapping_sub(self.of(was)),
            Summand::Packed(shift) => u64::from(is).wrapping_sub(u64::from(was)) << shift,
        }
    }
}

/// What must be read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Changes {
    /// The columns whose references must be.
    columns: u64,
    /// The columns whose data differ.
    data: u64,
    others: u8,
    /// Whether data must be read as well; if not, they have been.
    all: bool,
}

impl Changes {
    /// All of it.
    pub const ALL: Changes = Changes {
        columns: u64::MAX,
        data: u64::MAX,
        others: u8::MAX,
        all: true,
    };

    /// Whether the making may be over in one of the two states and not in the other.
    pub fn may_settle(self) -> bool {
        self.others & SETTLED != 0
    }
}

impl Readers {
    /// Those of a model's lists, if no byte is a datum of two columns.
    pub fn new(sorting: &Sorting, act: &Act) -> Option<Readers> {
        let mut readers = Readers {
            bytes: vec![Reader::NONE; sorting.end],
        };
        for segment in &sorting.segments {
            for c in 0..segment.len {
                let column = segment.first + c;
                for bytes in sorting.referring(segment, c) {
                    let readers = readers.bytes[bytes].iter_mut();
                    readers.for_each(|r| r.columns |= 1 << column);
                }
                for (at, summand) in segment.data(c) {
                    let reader = &mut readers.bytes[at];
                    if reader.column != STAYS {
                        return None;
                    }
                    (reader.column, reader.summand) = (column as u8, summand);
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
        Some(readers)
    }

    /// Makes them wrong: nobody is said to read these bytes.
    #[cfg(test)]
    pub fn forget(&mut self, bytes: Range<usize>) {
        self.bytes[bytes].fill(Reader::NONE);
    }

    /// Makes them wrong: no byte is said to be a datum.
    #[cfg(test)]
    pub fn forget_data(&mut self) {
        self.bytes.iter_mut().for_each(|r| r.column = STAYS);
    }

    fn add(&mut self, bytes: Range<usize>, reader: u8) {
        // Where the maker is may be told by a record beyond those that are listed.
        let bytes = bytes.start.min(self.bytes.len())..bytes.end.min(self.bytes.len());
        let readers = self.bytes[bytes].iter_mut();
        readers.for_each(|r| r.others |= reader);
    }

    /// Brings the data of columns, and the state they are of, up to `state`; what must be read
    /// again besides.
    fn follow(&self, state: &[u8], found: &mut Arrangement) -> Changes {
        let end = self.bytes.len();
        if found.last.len() < end || state.len() < end || found.last.is_empty() {
            return Changes::ALL;
        }
        let mut changes = Changes {
            columns: 0,
            data: 0,
            others: 0,
            all: false,
        };
        if found.last.len() != state.len() {
            // Records came later, or went.
            found.last.resize(state.len(), 0);
            changes.others = SHARED | SETTLED;
        }
        let Arrangement { last, data, .. } = found;
        let mut blocks = last.chunks_exact_mut(BLOCK);
        let mut new_blocks = state.chunks_exact(BLOCK);
        let mut first = 0;
        for (old, new) in (&mut blocks).zip(&mut new_blocks) {
            let differs = |(a, b): (&[u8], &[u8])| word(a) ^ word(b);
            let pairs = old.chunks_exact(8).zip(new.chunks_exact(8));
            if pairs.map(differs).fold(0, |all, one| all | one) != 0 {
                let words = old.chunks_exact_mut(8).zip(new.chunks_exact(8));
                for ((a, b), at) in words.zip((first..).step_by(8)) {
                    self.follow_word(at, (a, b), data, &mut changes);
                }
            }
            first += BLOCK;
        }
        let (old, new) = (blocks.into_remainder(), new_blocks.remainder());
        let words = old.chunks_mut(8).zip(new.chunks(8));
        let n_whole = words.len() - usize::from(new.len() % 8 > 0 && state.len() >= 8);
        for ((a, b), at) in words.take(n_whole).zip((first..).step_by(8)) {
            self.follow_word(at, (a, b), data, &mut changes);
        }
        // The last bytes with those before them, which are up to date, are a whole word again.
        if let Some(at) = state.len().checked_sub(8) {
            self.follow_word(at, (&mut last[at..], &state[at..]), data, &mut changes);
        }
        changes
    }

    /// Brings at most eight bytes up to what they are now.
    #[inline(always)]
    fn follow_word(
        &self,
        first: usize,
        (old, new): (&mut [u8], &[u8]),
        data: &mut [u64; COLUMNS_MAX],
        changes: &mut Changes,
    ) {
        let (before, after) = (word(old), word(new));
        let mut differ = before ^ after;
        if differ == 0 {
            return;
        }
        old.copy_from_slice(new);
        while differ != 0 {
            let shift = differ.trailing_zeros() & !7;
            differ &= !(0xff << shift);
            let at = first + shift as usize / 8;
            let Some(reader) = self.bytes.get(at) else {
                // Of records that came later, who is there may be one of their bytes.
                changes.others |= SHARED | SETTLED;
                return;
            };
            changes.columns |= reader.columns;
            changes.others |= reader.others;
            if reader.column != STAYS {
                let (was, is) = ((before >> shift) as u8, (after >> shift) as u8);
                let sum = &mut data[usize::from(reader.column) % COLUMNS_MAX];
                *sum = sum.wrapping_add(reader.summand.change(was, is));
                changes.data |= 1 << reader.column;
            }
        }
    }
}

/// How many bytes are compared at once.
const BLOCK: usize = 32;

/// At most eight bytes as a number.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(bytes) => u64::from_le_bytes(bytes),
        Err(_) => {
            let bytes = bytes.iter().rev();
            bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
        }
    }
}

impl Segment {
    /// Where the data of a column are, byte by byte, and what each adds to the column's number.
    fn data(&self, c: usize) -> impl Iterator<Item = (usize, Summand)> {
        let words = &self.words[c * self.n_words..(c + 1) * self.n_words];
        words.iter().flat_map(|word| {
            (0..word.len).map(|i| {
                let summand = match word.shift {
                    Some(shift) => Summand::Packed(shift + 8 * i as u8),
                    None => Summand::Hashed(word.salt.wrapping_add(STEP.wrapping_mul(i.into()))),
                };
                ((word.at + i) as usize, summand)
            })
        })
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
    /// Brings the data of columns up to `state`; what must be read again besides.
    #[inline]
    pub fn follow(&self, state: &[u8], found: &mut Arrangement) -> Changes {
        self.readers.follow(state, found)
    }

    /// The bytes that may be references of a column, and those that tell whether they are.
    fn referring(&self, segment: &Segment, c: usize) -> Vec<Range<usize>> {
        let cells = &segment.cells[c * segment.n_cells..(c + 1) * segment.n_cells];
        let queues = &segment.queues[c * segment.n_queues..(c + 1) * segment.n_queues];
        let queues = queues.iter().map(|queue| self.bytes_of(queue));
        cells.iter().flat_map(Cell::bytes).chain(queues).collect()
    }

    /// The bytes of a channel.
    fn bytes_of(&self, queue: &Queue) -> Range<usize> {
        let at = queue.at as usize;
        at..at + self.sizes[queue.kind as usize]
    }

    /// Reads keys and references, where they may have changed; `false` if there is something that
    /// is left to others.
    ///
    /// # Requires
    /// `changes` are all, or what following `state` gave.
    pub(super) fn read(&self, state: &[u8], changes: Changes, found: &mut Arrangement) -> bool {
        let n = self.columns.len();
        let all = u64::MAX >> (64 - n);
        if changes.all {
            found.last.clear();
            found.last.extend_from_slice(state);
            self.read_data(state, found);
        }
        let changed = (changes.columns | changes.data) & all;
        if changed != 0 {
            found.forget_alike(changed, n);
        }
        if changes.columns != 0 {
            self.read_columns(state, changes.columns & all, found);
        }
        found.touched |= changed;
        if changes.others & BETWEEN != 0 && !self.pairs.is_empty() {
            self.read_pairs(state, found);
            found.touched = all;
        }
        if changes.others & SHARED != 0 {
            found.touched |= found.named;
            if !self.read_shared(state, found) {
                found.last.clear();
                return false;
            }
            found.touched |= found.named;
        }
        if found.is_refined {
            found.touched = all;
            found.is_refined = false;
        }
        found.sum(found.touched & all);
        true
    }

    /// Reads the data of all columns.
    fn read_data(&self, state: &[u8], found: &mut Arrangement) {
        for segment in &self.segments {
            for c in 0..segment.len {
                let summands = segment.data(c).map(|(at, summand)| summand.of(state[at]));
                found.data[segment.first + c] = summands.fold(0, u64::wrapping_add);
            }
        }
    }

    /// Reads the references of these columns.
    fn read_columns(&self, state: &[u8], columns: u64, found: &mut Arrangement) {
        let owners = found.owners;
        for (segment, own) in self.segments.iter().zip(&self.segment_masks) {
            let mut columns = columns & own;
            while columns != 0 {
                let column = columns.trailing_zeros() as usize;
                columns &= columns - 1;
                self.read_column(state, segment, column - segment.first, found);
            }
        }
        if (owners | found.owners) & columns != 0 {
            found.collect_referred();
        }
    }

    fn read_column(&self, state: &[u8], segment: &Segment, c: usize, found: &mut Arrangement) {
        let column = segment.first + c;
        let mut refs = std::mem::take(&mut found.refs[column]);
        refs.clear();
        let mut reading = Reading {
            sorting: self,
            owner: column as u8,
            key: 0,
            refs: &mut refs,
        };
        for cell in &segment.cells[c * segment.n_cells..(c + 1) * segment.n_cells] {
            reading.cell(state, cell);
        }
        for queue in &segment.queues[c * segment.n_queues..(c + 1) * segment.n_queues] {
            reading.queue(state, queue);
        }
        found.told[column] = reading.key;
        let bit = 1 << column;
        let others = refs.iter().filter(|r| usize::from(r.to) != column);
        found.refers[column] = others.fold(0, |to, r| to | 1 << r.to);
        if refs.is_empty() {
            found.owners &= !bit
        } else {
            found.owners |= bit
        }
        match found.refers[column] {
            0 => found.bound &= !bit,
            _ => found.bound |= bit,
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
    /// Forgets to which of the first `n` columns these were alike.
    #[inline]
    fn forget_alike(&mut self, columns: u64, n: usize) {
        let alike = self.alike[..n].iter_mut().enumerate();
        alike.for_each(|(c, row)| match columns >> c & 1 {
            1 => *row = 0,
            _ => *row &= !columns,
        });
    }

    /// Makes keys of what was read for these columns: what they have themselves, and what names
    /// them.
    fn sum(&mut self, columns: u64) {
        let mut left = columns;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            left &= left - 1;
            let own = self.data[column].wrapping_add(self.told[column]);
            self.keys[column] = own.wrapping_add(self.diagonal[column]);
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
        let told = self.key;
        match point {
            NONE => self.value(value, cell.salt),
            point => self.refer((cell.at, cell.lane), point, (cell.scalar, cell.salt)),
        }
        if let Some(shift) = cell.shift {
            self.key = told.wrapping_add(self.packed(point, value, cell) << shift);
        }
    }

    /// What a cell holds, in eight bits for each of its bytes and one more: a number that is no
    /// point, or the orbit of a point and whether it is one of the own column.
    #[inline]
    fn packed(&self, point: Point, value: i32, cell: &Cell) -> u64 {
        match point {
            NONE => {
                let unused = u64::BITS - 8 * cell.scalar.n_bytes();
                u64::from(value as u32) << unused >> unused << 1
            }
            point => {
                let is_own = self.sorting.places[point as usize].0 == self.owner;
                let role = u64::from(self.sorting.roles[point as usize]);
                role << 2 | u64::from(is_own) << 1 | 1
            }
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
