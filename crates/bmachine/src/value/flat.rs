//! Sets of atoms and of pairs of atoms, as numbers and as bits of one word.
//!
//! An *atom* is a truth value, a number or a member. It has a kind and a code; codes of one kind
//! are ordered as the atoms are. An element that is an atom, or a pair of two, is a
//! [`ElementClass`] (the kinds) and one number of 64 bits, its *code*: of a pair, 32 bits for each
//! part. Sets of most relations are therefore sorted lists of numbers.
//!
//! If the codes are small they are bits of one [`WordSet`], a grid of rows (left parts) and columns
//! (right parts). There are 1, 2, 4, … or 64 columns, so that the grid has 64 places whatever its
//! shape. Which shape is a matter of the greatest row and the greatest column alone, so a set
//! has one; it does not depend on how many members a given set has, which nobody here knows.
//!
//! Worked example: `{p1 |-> 2, p3 |-> 0}` has rows up to 2 and columns up to 2. The shape tried
//! first, 8 by 8, has room. Its bits are place 0·8+2 and place 2·8+0: `1 << 2 | 1 << 16`. With
//! `p3 |-> 9` in it there are 10 columns; 8 by 8 and 16 by 4 have no room, but 4 by 16 has.

use model::values::SortId;

use super::{Member, Value};

/// What an atom is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ScalarKind(u16);

impl ScalarKind {
    /// No atom: the left part of what is not a pair.
    pub const NONE: ScalarKind = ScalarKind(0);
    /// A truth value.
    pub const BOOL: ScalarKind = ScalarKind(1);
    /// A number.
    pub const INT: ScalarKind = ScalarKind(2);
    /// Members of sort `s` have kind `s + 3`.
    const MEMBER: u16 = 3;

    /// Members of a sort; `None` if there are more sorts than kinds.
    pub(crate) fn of_sort(sort: SortId) -> Option<ScalarKind> {
        let sort = u16::try_from(sort.index()).ok()?;
        Some(ScalarKind(sort.checked_add(ScalarKind::MEMBER)?))
    }

    /// The atom with this code.
    pub fn atom(self, code: u64) -> Value {
        match self {
            ScalarKind::BOOL => Value::Bool(code == 1),
            ScalarKind::INT => Value::Int(int_of(code)),
            ScalarKind(member) => Value::Member(Member {
                sort: SortId::new(usize::from(member - ScalarKind::MEMBER)),
                index: code as u32,
            }),
        }
    }

    /// The code of an atom as a part of a pair, if it has one.
    pub fn narrow(self, code: u64) -> Option<u32> {
        if self == ScalarKind::INT {
            let int = i32::try_from(int_of(code)).ok()?;
            return Some((int as u32) ^ (1 << 31));
        }
        Some(code as u32)
    }

    /// The code of an atom alone, from that as a part of a pair.
    pub(crate) fn widen(self, part: u32) -> u64 {
        if self == ScalarKind::INT {
            return code_of_int(i64::from((part ^ (1 << 31)) as i32));
        }
        u64::from(part)
    }

    /// The row or column of an atom, by its code as a part of a pair.
    fn place_of_part(self, part: u32) -> Option<u32> {
        if self == ScalarKind::INT {
            return part.checked_sub(1 << 31);
        }
        Some(part)
    }

    fn part_at(self, place: u32) -> u32 {
        if self == ScalarKind::INT {
            return place + (1 << 31);
        }
        place
    }

    /// The row or column of an atom, if it is below 64.
    pub fn place(self, code: u64) -> Option<u32> {
        let place = match self {
            ScalarKind::INT => code.checked_sub(1 << 63)?,
            _ => code,
        };
        (place < 64).then_some(place as u32)
    }

    /// The code of the atom at a row or column.
    pub(crate) fn code_at(self, place: u32) -> u64 {
        match self {
            ScalarKind::INT => u64::from(place) + (1 << 63),
            _ => u64::from(place),
        }
    }
}

/// The code of a number alone: numbers in order, the least one 0.
pub(super) fn code_of_int(int: i64) -> u64 {
    (int as u64) ^ (1 << 63)
}

/// The number of a code.
pub(super) fn int_of(code: u64) -> i64 {
    (code ^ (1 << 63)) as i64
}

/// The kind and the code of an atom.
pub(super) fn atom_code(value: &Value) -> Option<(ScalarKind, u64)> {
    Some(match value {
        Value::Bool(bool) => (ScalarKind::BOOL, u64::from(*bool)),
        Value::Int(int) => (ScalarKind::INT, code_of_int(*int)),
        Value::Member(member) => (ScalarKind::of_sort(member.sort)?, u64::from(member.index)),
        _ => return None,
    })
}

/// What the elements of a set are: atoms (`left` is none), or pairs of atoms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ElementClass {
    pub left: ScalarKind,
    pub right: ScalarKind,
}

impl ElementClass {
    /// Atoms of one kind.
    pub fn atoms(kind: ScalarKind) -> ElementClass {
        ElementClass {
            left: ScalarKind::NONE,
            right: kind,
        }
    }

    /// Whether elements are pairs.
    pub(crate) fn is_pairs(self) -> bool {
        self.left != ScalarKind::NONE
    }

    /// The element with this code.
    pub fn value(self, code: u64) -> Value {
        if self.is_pairs() {
            let (left, right) = self.parts(code);
            return Value::pair(left, right);
        }
        self.right.atom(code)
    }

    /// The parts of the pair with this code.
    pub fn parts(self, code: u64) -> (Value, Value) {
        debug_assert!(self.is_pairs(), "{self:?} is no class of pairs");
        let (left, right) = split(code);
        (
            self.left.atom(self.left.widen(left)),
            self.right.atom(self.right.widen(right)),
        )
    }

    /// The row and the column of an element, if there are any.
    fn grid_place(self, code: u64) -> Option<(u32, u32)> {
        if self.is_pairs() {
            let (left, right) = split(code);
            return Some((
                self.left.place_of_part(left)?,
                self.right.place_of_part(right)?,
            ));
        }
        Some((0, self.right.place(code)?))
    }

    /// The code of the element in a row and a column.
    fn code_at(self, row: u32, column: u32) -> u64 {
        if self.is_pairs() {
            return join(self.left.part_at(row), self.right.part_at(column));
        }
        self.right.code_at(column)
    }
}

/// The class and the code of a value, if it is an atom or a pair of atoms that have codes.
pub(super) fn code_of(value: &Value) -> Option<(ElementClass, u64)> {
    if let Value::Pair(pair) = value {
        return pair_code(&pair.0, &pair.1);
    }
    let (kind, code) = atom_code(value)?;
    Some((ElementClass::atoms(kind), code))
}

/// The class and the code of the pair of two values.
pub(super) fn pair_code(left: &Value, right: &Value) -> Option<(ElementClass, u64)> {
    let (left_kind, left) = atom_code(left)?;
    let (right_kind, right) = atom_code(right)?;
    let class = ElementClass {
        left: left_kind,
        right: right_kind,
    };
    Some((
        class,
        join(left_kind.narrow(left)?, right_kind.narrow(right)?),
    ))
}

/// The parts of the code of a pair.
pub(super) fn split(code: u64) -> (u32, u32) {
    ((code >> 32) as u32, code as u32)
}

/// The code of a pair.
pub(super) fn join(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The shape tried first, as the logarithm of its number of columns: 8 by 8.
const SQUARE: u32 = 3;
/// The shapes in the order in which they are tried.
const SHAPES: [u32; 7] = [SQUARE, 2, 4, 1, 5, 0, 6];
/// The one shape of sets of atoms: one row.
const LINE: u32 = 6;

/// The first shape that has a row and a column with these numbers.
fn shape_for(row_max: u32, column_max: u32) -> Option<u32> {
    let has_room = |shape: &u32| row_max < 64 >> shape && column_max < 1 << shape;
    SHAPES.into_iter().find(has_room)
}

/// A set that is not empty, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct WordSet {
    class: ElementClass,
    /// The logarithm of the number of columns: the first that [`shape_for`] finds.
    shape: u32,
    /// Not zero.
    bits: u64,
}

impl WordSet {
    /// The set of these places of a grid, or `None` if there are none.
    pub fn new(class: ElementClass, shape: u32, bits: u64) -> Option<WordSet> {
        let word = WordSet { class, shape, bits };
        if bits == 0 {
            return None;
        }
        if !class.is_pairs() || shape == SQUARE {
            return Some(word);
        }
        let best = shape_for(word.row_max(), word.column_max());
        let best = best.expect("what fits into one shape fits into the best");
        Some(WordSet {
            bits: word.reshaped(best),
            shape: best,
            class,
        })
    }

    /// A set of atoms of one kind, by their places, or `None` if there are none.
    pub fn line(kind: ScalarKind, bits: u64) -> Option<WordSet> {
        WordSet::new(ElementClass::atoms(kind), LINE, bits)
    }

    /// The set of ascending codes, at least one, if it fits into a word.
    pub(crate) fn of_codes(class: ElementClass, codes: &[u64]) -> Option<WordSet> {
        if codes.len() > 64 {
            return None;
        }
        let (mut row_max, mut column_max) = (0, 0);
        for &code in codes {
            let (row, column) = class.grid_place(code)?;
            row_max = row_max.max(row);
            column_max = column_max.max(column);
        }
        let shape = if class.is_pairs() {
            shape_for(row_max, column_max)?
        } else {
            LINE
        };
        let mut bits = 0;
        for &code in codes {
            let (row, column) = class.grid_place(code)?;
            bits |= 1 << (row << shape | column);
        }
        Some(WordSet { class, shape, bits })
    }

    /// The relation with these rows, or the codes of its pairs if it does not fit into a word.
    pub(crate) fn of_rows(
        class: ElementClass,
        rows: &[u64; 64],
    ) -> Result<Option<WordSet>, Vec<u64>> {
        let columns = rows.iter().fold(0, |all, row| all | row);
        if columns == 0 {
            return Ok(None);
        }
        let row_max = rows
            .iter()
            .rposition(|row| *row != 0)
            .map_or(0, |row| row as u32);
        let Some(shape) = shape_for(row_max, columns.ilog2()) else {
            let mut codes = Vec::new();
            for (row, columns) in rows.iter().enumerate() {
                codes.extend(ones(*columns).map(|column| class.code_at(row as u32, column)));
            }
            return Err(codes);
        };
        let mut bits = 0;
        for (row, columns) in rows.iter().enumerate().take(row_max as usize + 1) {
            bits |= columns << (row << shape);
        }
        Ok(Some(WordSet { class, shape, bits }))
    }

    /// What its elements are.
    pub fn class(&self) -> ElementClass {
        self.class
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.bits.count_ones() as usize
    }

    /// The places of a set of atoms.
    pub(crate) fn line_bits(&self) -> u64 {
        debug_assert!(!self.class.is_pairs(), "{self:?} is a relation");
        self.bits
    }

    /// The codes of its elements in ascending order.
    pub fn codes(self) -> WordCodes {
        WordCodes { word: self }
    }

    /// Whether the element with a code of its class is in it.
    pub fn contains(&self, code: u64) -> bool {
        self.place(code)
            .is_some_and(|place| self.bits >> place & 1 == 1)
    }

    /// With the element that has a code of its class, if that fits into a word.
    pub fn insert(&self, code: u64) -> Option<WordSet> {
        if let Some(place) = self.place(code) {
            return WordSet::new(self.class, self.shape, self.bits | 1 << place);
        }
        let (row, column) = self.class.grid_place(code)?;
        if !self.class.is_pairs() {
            return None;
        }
        let shape = shape_for(row.max(self.row_max()), column.max(self.column_max()))?;
        let bits = self.reshaped(shape) | 1 << (row << shape | column);
        Some(WordSet {
            class: self.class,
            shape,
            bits,
        })
    }

    /// Without the element that has a code of its class.
    pub fn remove(&self, code: u64) -> Option<WordSet> {
        match self.place(code) {
            Some(place) => WordSet::new(self.class, self.shape, self.bits & !(1 << place)),
            None => Some(*self),
        }
    }

    /// `self \/ other` for sets of one class, if that fits into a word.
    pub fn union(&self, other: &WordSet) -> Option<WordSet> {
        debug_assert_eq!(self.class, other.class);
        if self.shape == other.shape {
            return WordSet::new(self.class, self.shape, self.bits | other.bits);
        }
        let row_max = self.row_max().max(other.row_max());
        let shape = shape_for(row_max, self.column_max().max(other.column_max()))?;
        WordSet::new(
            self.class,
            shape,
            self.reshaped(shape) | other.reshaped(shape),
        )
    }

    /// `self /\ other` for sets of one class.
    pub fn intersection(&self, other: &WordSet) -> Option<WordSet> {
        debug_assert_eq!(self.class, other.class);
        WordSet::new(
            self.class,
            self.shape,
            self.bits & other.reshaped(self.shape),
        )
    }

    /// `self - other` for sets of one class.
    pub fn difference(&self, other: &WordSet) -> Option<WordSet> {
        debug_assert_eq!(self.class, other.class);
        WordSet::new(
            self.class,
            self.shape,
            self.bits & !other.reshaped(self.shape),
        )
    }

    /// The subset of these of its places.
    pub fn subset(&self, bits: u64) -> Option<WordSet> {
        debug_assert_eq!(bits & !self.bits, 0);
        WordSet::new(self.class, self.shape, bits)
    }

    /// The places of its elements.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// The order of sets of one class as ascending lists, if their shapes are equal.
    pub fn compare(&self, other: &WordSet) -> Option<std::cmp::Ordering> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if self.class != other.class || self.shape != other.shape {
            return None;
        }
        let differing = self.bits ^ other.bits;
        if differing == 0 {
            return Some(Equal);
        }
        // Up to the lowest place in which they differ the lists are equal. There the one has an
        // element, and the other a later one or none.
        let lowest = differing.trailing_zeros();
        let (has, hasnt) = if self.bits >> lowest & 1 == 1 {
            (Less, other.bits)
        } else {
            (Greater, self.bits)
        };
        Some(if hasnt >> lowest == 0 {
            has.reverse()
        } else {
            has
        })
    }

    /// The columns of a row.
    pub fn row(&self, row: u32) -> u64 {
        if row >= self.n_rows() {
            return 0;
        }
        self.bits >> (row << self.shape) & self.row_mask()
    }

    /// The rows in which there is something.
    pub fn rows(&self) -> u64 {
        // Each row is folded into its first place.
        let mut folded = self.bits;
        for step in 0..self.shape {
            folded |= folded >> (1 << step);
        }
        let mut rows = 0;
        for place in ones(folded & (u64::MAX / self.row_mask())) {
            rows |= 1 << (place >> self.shape);
        }
        rows
    }

    /// The columns in which there is something.
    pub fn columns(&self) -> u64 {
        let mut folded = self.bits;
        for step in (self.shape..LINE).rev() {
            folded |= folded >> (1 << step);
        }
        folded & self.row_mask()
    }

    /// The part of a relation in some rows.
    pub fn in_rows(&self, rows: u64) -> Option<WordSet> {
        let mut mask = 0;
        for row in ones(rows).take_while(|row| *row < self.n_rows()) {
            mask |= self.row_mask() << (row << self.shape);
        }
        WordSet::new(self.class, self.shape, self.bits & mask)
    }

    /// The part of a relation in some columns.
    pub(crate) fn in_columns(&self, columns: u64) -> Option<WordSet> {
        let firsts = u64::MAX / self.row_mask();
        let mask = firsts.wrapping_mul(columns & self.row_mask());
        WordSet::new(self.class, self.shape, self.bits & mask)
    }

    /// Each row moved down by one, the first one lost.
    pub(crate) fn rows_down(&self) -> Option<WordSet> {
        let bits = if self.shape == LINE {
            0
        } else {
            self.bits >> (1 << self.shape)
        };
        WordSet::new(self.class, self.shape, bits)
    }

    /// Rows and columns exchanged.
    pub(crate) fn transposed(&self) -> WordSet {
        let shape = LINE - self.shape;
        let mut bits = 0;
        for place in ones(self.bits) {
            let (row, column) = (
                place >> self.shape,
                u64::from(place) & (self.n_columns() - 1),
            );
            bits |= 1 << (column << shape | u64::from(row));
        }
        let class = ElementClass {
            left: self.class.right,
            right: self.class.left,
        };
        WordSet::new(class, shape, bits).expect("exchanging rows and columns loses nothing")
    }

    fn n_columns(&self) -> u64 {
        1 << self.shape
    }

    fn n_rows(&self) -> u32 {
        64 >> self.shape
    }

    fn row_mask(&self) -> u64 {
        u64::MAX >> (64 - (1 << self.shape))
    }

    fn row_max(&self) -> u32 {
        self.bits.ilog2() >> self.shape
    }

    fn column_max(&self) -> u32 {
        self.columns().ilog2()
    }

    /// The place of the element with a code of its class, if its grid has one.
    fn place(&self, code: u64) -> Option<u32> {
        let (row, column) = self.class.grid_place(code)?;
        let has_room = row < self.n_rows() && u64::from(column) < self.n_columns();
        has_room.then_some(row << self.shape | column)
    }

    /// The places in a grid of another shape of those elements that have one there.
    fn reshaped(&self, shape: u32) -> u64 {
        if shape == self.shape {
            return self.bits;
        }
        let columns = u64::MAX >> (64 - (1 << shape));
        let mut bits = 0;
        for row in 0..self.n_rows().min(64 >> shape) {
            bits |= (self.row(row) & columns) << (row << shape);
        }
        bits
    }
}

/// The codes of the elements of a [`WordSet`] in ascending order.
#[derive(Clone, Debug)]
pub(super) struct WordCodes {
    /// What is still to come; its bits may become zero, and its shape is left as it is.
    word: WordSet,
}

impl Iterator for WordCodes {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let word = &mut self.word;
        if word.bits == 0 {
            return None;
        }
        let place = word.bits.trailing_zeros();
        word.bits &= word.bits - 1;
        let column = place & ((1u64 << word.shape) - 1) as u32;
        Some(word.class.code_at(place >> word.shape, column))
    }
}

/// The places of the bits that are set, the lowest first.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let place = bits.trailing_zeros();
        bits &= bits - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word of pairs of a member and a number.
    fn word(pairs: &[(usize, i64)]) -> WordSet {
        let mut codes = Vec::new();
        let mut class = None;
        for (row, column) in pairs {
            let member = Value::member(SortId::new(4), *row);
            let (own, code) = pair_code(&member, &Value::Int(*column)).expect("it has a code");
            class = Some(own);
            codes.push(code);
        }
        WordSet::of_codes(class.expect("there is a pair"), &codes).expect("it fits")
    }

    #[test]
    fn the_shape_follows_the_greatest_row_and_column() {
        let first = word(&[(0, 2), (2, 0)]);
        assert_eq!((first.shape, first.bits), (3, 1 << 2 | 1 << 16));
        let other = word(&[(1, 9)]);
        assert_eq!((other.shape, other.bits), (4, 1 << 25));
        let both = first.union(&other).expect("it fits");
        assert_eq!((both.shape, both.bits), (4, 1 << 2 | 1 << 25 | 1 << 32));
        assert_eq!(both.difference(&other), Some(first));
        assert_eq!(both.intersection(&other), Some(other));
    }

    #[test]
    fn grids_that_have_no_room_are_refused() {
        let full = word(&[(7, 7)]);
        let (_, far) =
            pair_code(&Value::member(SortId::new(4), 8), &Value::Int(0)).expect("a code");
        assert_eq!(full.insert(far), None);
        assert_eq!(shape_for(7, 8), None);
        assert_eq!([shape_for(63, 0), shape_for(0, 63)], [Some(0), Some(6)]);
        assert_eq!([shape_for(64, 0), shape_for(0, 64)], [None, None]);
    }

    #[test]
    fn exchanging_rows_and_columns_exchanges_the_shapes() {
        for row in 0..64 {
            for column in 0..64 {
                let turned = shape_for(column, row).map(|shape| LINE - shape);
                assert_eq!(shape_for(row, column), turned, "{row}, {column}");
            }
        }
    }

    #[test]
    fn a_value_takes_three_words_of_memory() {
        assert_eq!(size_of::<Value>(), 24);
        assert_eq!(size_of::<crate::value::Set>(), 24);
    }
}
