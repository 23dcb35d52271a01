//! Sets of pairs: B's operators on relations and functions.
//!
//! Each operator has a way for words (rows and columns of bits), one for lists of codes, and one
//! for any elements. In all of them the pairs are in ascending order, so what belongs to one left
//! part stands together and is found by binary search.

use super::flat::{self, ElementClass, ScalarKind, WordSet, ones};
use super::set::Repr;
use super::{ApplyError, Set, SetBuilder, Value, ValueError};

/// The parts of a pair that an operator looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairSide {
    Left,
    Right,
}

impl Set {
    /// `dom(self)`.
    pub fn dom(&self) -> Set {
        self.side(PairSide::Left)
    }

    /// `ran(self)`.
    pub fn ran(&self) -> Set {
        self.side(PairSide::Right)
    }

    fn side(&self, side: PairSide) -> Set {
        match self.repr() {
            Repr::Word(word) => {
                let class = pairs_class(word);
                Set::from_word(match side {
                    PairSide::Left => WordSet::line(class.left, word.rows()),
                    PairSide::Right => WordSet::line(class.right, word.columns()),
                })
            }
            Repr::Codes(class, codes) => {
                let kind = side.kind(*class);
                let parts = codes.iter().map(|code| kind.widen(side.part(*code)));
                Set::from_codes_unsorted(ElementClass::atoms(kind), parts.collect())
            }
            _ => self
                .pairs()
                .map(|(left, right)| match side {
                    PairSide::Left => left,
                    PairSide::Right => right,
                })
                .collect(),
        }
    }

    /// `self~`.
    pub fn inverse(&self) -> Set {
        match self.repr() {
            Repr::Word(word) => Set::from_word(Some(word.transposed())),
            Repr::Codes(class, codes) => {
                let class = ElementClass {
                    left: class.right,
                    right: class.left,
                };
                let turned = codes.iter().map(|code| code.rotate_left(32));
                Set::from_codes_unsorted(class, turned.collect())
            }
            _ => self.pairs().map(|(left, right)| (right, left)).collect(),
        }
    }

    /// `self[arguments]`.
    pub fn image(&self, arguments: &Set) -> Set {
        if let (Repr::Word(word), Repr::Word(line)) = (self.repr(), arguments.repr())
            && word.class().left == line.class().right
            && !line.class().is_pairs()
        {
            let columns = ones(line.line_bits()).fold(0, |all, row| all | word.row(row));
            return Set::from_word(WordSet::line(word.class().right, columns));
        }
        self.domain_restrict(arguments).ran()
    }

    /// `self[{argument}]`.
    pub fn image_of(&self, argument: &Value) -> Set {
        match (self.repr(), flat::atom_code(argument)) {
            (Repr::Word(word), Some((kind, code))) if word.class().left == kind => {
                let columns = kind.place(code).map_or(0, |row| word.row(row));
                Set::from_word(WordSet::line(word.class().right, columns))
            }
            (Repr::Codes(class, codes), Some((kind, code))) if class.left == kind => {
                let of_argument = codes_from(kind, code, codes);
                let values = of_argument
                    .iter()
                    .map(|code| class.right.widen(*code as u32));
                Set::from_codes(
                    ElementClass::atoms(class.right),
                    &values.collect::<Vec<u64>>(),
                )
            }
            (Repr::List(elements), _) => {
                let of_argument = elements_from(argument, elements).iter();
                Set::from_ascending(of_argument.map(|e| e.as_pair().1.clone()).collect())
            }
            _ => Set::empty(),
        }
    }

    /// `self(argument)`.
    pub fn apply(&self, argument: &Value) -> Result<Value, ApplyError> {
        match (self.repr(), flat::atom_code(argument)) {
            (Repr::Word(word), Some((kind, code))) if word.class().left == kind => {
                let columns = kind.place(code).map_or(0, |row| word.row(row));
                match columns.count_ones() {
                    0 => Err(ApplyError::Outside),
                    1 => {
                        let right = word.class().right;
                        Ok(right.atom(right.code_at(columns.trailing_zeros())))
                    }
                    _ => Err(ApplyError::NotFunction),
                }
            }
            (Repr::Codes(class, codes), Some((kind, code))) if class.left == kind => {
                let code = only(codes_from(kind, code, codes))?;
                Ok(class.right.atom(class.right.widen(*code as u32)))
            }
            (Repr::List(elements), _) => {
                let element = only(elements_from(argument, elements))?;
                Ok(element.as_pair().1.clone())
            }
            _ => Err(ApplyError::Outside),
        }
    }

    /// `domain <| self`.
    pub(crate) fn domain_restrict(&self, domain: &Set) -> Set {
        self.restrict(PairSide::Left, domain, true)
    }

    /// `domain <<| self`.
    pub(crate) fn domain_subtract(&self, domain: &Set) -> Set {
        self.restrict(PairSide::Left, domain, false)
    }

    /// `self |> range`.
    pub(crate) fn range_restrict(&self, range: &Set) -> Set {
        self.restrict(PairSide::Right, range, true)
    }

    /// `self |>> range`.
    pub(crate) fn range_subtract(&self, range: &Set) -> Set {
        self.restrict(PairSide::Right, range, false)
    }

    /// The pairs of which a part is in a set (`is_in`), or is not.
    fn restrict(&self, side: PairSide, set: &Set, is_in: bool) -> Set {
        match self.repr() {
            Repr::Empty => Set::empty(),
            Repr::Word(word) => {
                let places = set.places(side.kind(pairs_class(word)));
                let places = if is_in { places } else { !places };
                Set::from_word(match side {
                    PairSide::Left => word.in_rows(places),
                    PairSide::Right => word.in_columns(places),
                })
            }
            Repr::List(_) => self.keep(|pair| {
                let (left, right) = pair.as_pair();
                set.contains(if side == PairSide::Left { left } else { right }) == is_in
            }),
            Repr::Interval(..) | Repr::Codes(..) => self.keep_codes(|class, code| {
                let kind = side.kind(class);
                set.has_atom(kind, kind.widen(side.part(code))) == is_in
            }),
        }
    }

    /// Which rows or columns of this kind are in a set: those from 64 on are no matter.
    fn places(&self, kind: ScalarKind) -> u64 {
        match self.repr() {
            Repr::Empty => 0,
            Repr::Word(word) if word.class() == ElementClass::atoms(kind) => word.line_bits(),
            _ => (0..64).fold(0, |all, place| {
                all | u64::from(self.has_atom(kind, kind.code_at(place))) << place
            }),
        }
    }

    fn has_atom(&self, kind: ScalarKind, code: u64) -> bool {
        match self.repr() {
            Repr::List(_) => self.contains(&kind.atom(code)),
            _ => self.has_code(ElementClass::atoms(kind), code),
        }
    }

    /// `self <+ other`.
    pub(crate) fn override_with(&self, other: &Set) -> Set {
        match (self.repr(), other.repr()) {
            (_, Repr::Empty) => self.clone(),
            (Repr::Empty, _) => other.clone(),
            (Repr::Word(a), Repr::Word(b)) if a.class() == b.class() => {
                Set::from_word(a.in_rows(!b.rows())).union(other)
            }
            _ => {
                if let (Some((class, a)), Some((b_class, b))) = (self.codes(), other.codes())
                    && class == b_class
                {
                    return Set::from_codes(class, &overridden(a, b));
                }
                self.domain_subtract(&other.dom()).union(other)
            }
        }
    }

    /// `self <+ {argument |-> value}`, what `f(argument) := value` does.
    pub(crate) fn override_at(&self, argument: &Value, value: &Value) -> Set {
        match (self.repr(), flat::pair_code(argument, value)) {
            (Repr::Word(word), Some((class, code))) if word.class() == class => {
                let row = row_of(class, code);
                Set::from_word(word.in_rows(!row)).insert_pair(argument, value)
            }
            (Repr::Codes(own, codes), Some((class, code))) if *own == class => {
                let from = codes.partition_point(|other| other >> 32 < code >> 32);
                let to = codes.partition_point(|other| other >> 32 <= code >> 32);
                let mut made = Vec::with_capacity(codes.len() + 1);
                made.extend_from_slice(&codes[..from]);
                made.push(code);
                made.extend_from_slice(&codes[to..]);
                Set::from_codes(class, &made)
            }
            (Repr::List(elements), _) => {
                let from = elements.partition_point(|pair| pair.as_pair().0 < argument);
                let n = elements_from(argument, elements).len();
                let mut made = Vec::with_capacity(elements.len() + 1);
                made.extend_from_slice(&elements[..from]);
                made.push(Value::pair(argument.clone(), value.clone()));
                made.extend_from_slice(&elements[from + n..]);
                Set::from_ascending(made)
            }
            _ => {
                let other = Set::empty().insert_pair(argument, value);
                self.domain_subtract(&other.dom()).union(&other)
            }
        }
    }

    /// `self * other`: all pairs.
    pub fn product(&self, other: &Set) -> Set {
        if let (Repr::Word(a), Repr::Word(b)) = (self.repr(), other.repr())
            && !a.class().is_pairs()
            && !b.class().is_pairs()
        {
            let mut rows = [0; 64];
            for row in ones(a.line_bits()) {
                rows[row as usize] = b.line_bits();
            }
            return of_rows(a.class().right, b.class().right, &rows);
        }
        let pairs = self
            .iter()
            .flat_map(|left| other.iter().map(move |right| (left.clone(), right)));
        pairs.collect()
    }

    /// `id(self)`.
    pub fn id(&self) -> Set {
        if let Repr::Word(word) = self.repr()
            && !word.class().is_pairs()
        {
            let mut rows = [0; 64];
            for row in ones(word.line_bits()) {
                rows[row as usize] = 1 << row;
            }
            return of_rows(word.class().right, word.class().right, &rows);
        }
        let pairs = self.iter().map(|element| (element.clone(), element));
        pairs.collect()
    }

    /// `self ; other`: first self.
    pub fn compose(&self, other: &Set) -> Set {
        if let (Repr::Word(a), Repr::Word(b)) = (self.repr(), other.repr()) {
            let (a_class, b_class) = (pairs_class(a), pairs_class(b));
            debug_assert_eq!(a_class.right, b_class.left);
            let mut rows = [0; 64];
            for row in ones(a.rows()) {
                let middles = ones(a.row(row));
                rows[row as usize] = middles.fold(0, |all, middle| all | b.row(middle));
            }
            return of_rows(a_class.left, b_class.right, &rows);
        }
        if let (Some((a, codes)), Some((b, others))) = (self.codes(), other.codes()) {
            let others: Vec<u64> = others.collect();
            let mut made = Vec::new();
            for (left, middle) in codes.map(flat::split) {
                let values = codes_from(a.right, a.right.widen(middle), &others).iter();
                made.extend(values.map(|value| flat::join(left, *value as u32)));
            }
            let class = ElementClass {
                left: a.left,
                right: b.right,
            };
            return Set::from_codes_unsorted(class, made);
        }
        let mut made = SetBuilder::new();
        for (left, middle) in self.pairs() {
            let values = other.image_of(&middle);
            made.extend(values.iter().map(|right| (left.clone(), right)));
        }
        made.finish()
    }

    /// `self >< other`: `a |-> (b |-> c)` for `a |-> b` in self and `a |-> c` in other.
    pub fn direct_product(&self, other: &Set) -> Set {
        let mut made = Vec::new();
        for (argument, left) in self.pairs() {
            let pairs = other.image_of(&argument);
            let pairs = pairs.iter().map(|right| Value::pair(left.clone(), right));
            made.extend(pairs.map(|pair| Value::pair(argument.clone(), pair)));
        }
        Set::from_ascending(made)
    }

    /// `self || other`: `(a |-> b) |-> (c |-> d)` for `a |-> c` in self and `b |-> d` in other.
    pub(crate) fn parallel_product(&self, other: &Set) -> Set {
        let mut made = Vec::new();
        for (a, c) in self.pairs() {
            for (b, d) in other.pairs() {
                let arguments = Value::pair(a.clone(), b);
                made.push(Value::pair(arguments, Value::pair(c.clone(), d)));
            }
        }
        Set::from_vec(made)
    }

    /// `closure1(self)`: the least transitive relation around it.
    pub fn closure1(&self) -> Set {
        if let Repr::Word(word) = self.repr() {
            let class = pairs_class(word);
            let mut rows = [0; 64];
            for row in ones(word.rows()) {
                rows[row as usize] = word.row(row);
            }
            // Warshall (1962): after step k, the rows have all paths by way of rows up to k.
            for middle in ones(word.rows() & word.columns()) {
                for row in ones(word.rows()) {
                    if rows[row as usize] >> middle & 1 == 1 {
                        rows[row as usize] |= rows[middle as usize];
                    }
                }
            }
            return of_rows(class.left, class.right, &rows);
        }
        if let Repr::Codes(class, codes) = self.repr() {
            return Set::from_codes(*class, &closure1_codes(codes));
        }
        let mut made = SetBuilder::new();
        for argument in self.dom().iter() {
            let mut reached = self.image_of(&argument);
            let mut new = reached.clone();
            while !new.is_empty() {
                new = self.image(&new).difference(&reached);
                reached = reached.union(&new);
            }
            made.extend(reached.iter().map(|value| (argument.clone(), value)));
        }
        made.finish()
    }

    /// `closure(self)`: transitive, and reflexive on what occurs in it, as ProB has it.
    pub fn closure(&self) -> Set {
        self.closure1().union(&self.field().id())
    }

    /// `iterate(self, n)`; for 0 it is the identity on what occurs in it, as ProB has it.
    pub fn iterate(&self, n: i64) -> Result<Set, ValueError> {
        if n < 0 {
            return Err(ValueError::Negative("iterate"));
        }
        // By squares: n may be great.
        let mut rest = n;
        let mut square = self.clone();
        let mut all: Option<Set> = None;
        while rest > 0 {
            if rest % 2 == 1 {
                all = Some(all.map_or_else(|| square.clone(), |all| all.compose(&square)));
            }
            rest /= 2;
            if rest > 0 {
                square = square.compose(&square);
            }
        }
        Ok(all.unwrap_or_else(|| self.field().id()))
    }

    /// `dom(self) \/ ran(self)`.
    fn field(&self) -> Set {
        self.dom().union(&self.ran())
    }

    /// `prj1(self, other)`: `(a |-> b) |-> a`.
    pub fn prj1(&self, other: &Set) -> Set {
        let pairs = self.product(other);
        let made = pairs
            .iter()
            .map(|pair| Value::pair(pair.clone(), pair.as_pair().0.clone()));
        Set::from_ascending(made.collect())
    }

    /// `prj2(self, other)`: `(a |-> b) |-> b`.
    pub fn prj2(&self, other: &Set) -> Set {
        let pairs = self.product(other);
        let made = pairs
            .iter()
            .map(|pair| Value::pair(pair.clone(), pair.as_pair().1.clone()));
        Set::from_ascending(made.collect())
    }

    /// `fnc(self)`: each argument with the set of its values.
    pub fn fnc(&self) -> Set {
        let with_values = |argument: Value| {
            let values = self.image_of(&argument);
            Value::pair(argument, Value::Set(values))
        };
        Set::from_ascending(self.dom().iter().map(with_values).collect())
    }

    /// `rel(self)` of a relation to sets: each argument with each of its values.
    pub(crate) fn rel(&self) -> Result<Set, ValueError> {
        let mut made = SetBuilder::new();
        for (argument, values) in self.pairs() {
            let values = values.as_set().ok_or(ValueError::Symbolic("rel"))?;
            made.extend(values.iter().map(|value| (argument.clone(), value)));
        }
        Ok(made.finish())
    }

    /// Whether no argument has several values.
    pub fn is_function(&self) -> bool {
        match self.repr() {
            Repr::Word(word) => {
                pairs_class(word);
                word.rows().count_ones() as usize == word.len()
            }
            Repr::Codes(_, codes) => codes.is_sorted_by(|a, b| a >> 32 < b >> 32),
            Repr::List(elements) => elements.is_sorted_by(|a, b| a.as_pair().0 < b.as_pair().0),
            _ => self.is_empty(),
        }
    }

    /// Whether no value has several arguments.
    pub fn is_injective(&self) -> bool {
        match self.repr() {
            Repr::Word(word) => {
                pairs_class(word);
                word.columns().count_ones() as usize == word.len()
            }
            _ => self.ran().len() == self.len(),
        }
    }
}

impl PairSide {
    fn kind(self, class: ElementClass) -> ScalarKind {
        match self {
            PairSide::Left => class.left,
            PairSide::Right => class.right,
        }
    }

    fn part(self, code: u64) -> u32 {
        let (left, right) = flat::split(code);
        match self {
            PairSide::Left => left,
            PairSide::Right => right,
        }
    }
}

/// The class of a word that is a relation; panics for sets of atoms.
fn pairs_class(word: &WordSet) -> ElementClass {
    let class = word.class();
    assert!(class.is_pairs(), "{word:?} is no relation");
    class
}

/// The row of the pair with a code, as a set of rows; empty if words have no such row.
fn row_of(class: ElementClass, code: u64) -> u64 {
    let (left, _) = flat::split(code);
    let row = class.left.place(class.left.widen(left));
    row.map_or(0, |row| 1 << row)
}

/// The ascending codes of the transitive closure of a relation with these ascending codes: what is
/// reached from each left part, by depth-first search.
fn closure1_codes(codes: &[u64]) -> Vec<u64> {
    let mut parts: Vec<u32> = codes.iter().map(|code| *code as u32).collect();
    parts.extend(codes.iter().map(|code| (*code >> 32) as u32));
    parts.sort_unstable();
    parts.dedup();
    let number = |part: u32| parts.partition_point(|other| *other < part);
    let from = |left: u32| codes.partition_point(|code| *code < flat::join(left, 0));
    let mut made = Vec::new();
    let mut waiting = Vec::new();
    // Who was reached in which round: nothing need be cleared between rounds.
    let mut reached_in = vec![usize::MAX; parts.len()];
    for (round, &start) in parts.iter().enumerate() {
        waiting.push(start);
        while let Some(left) = waiting.pop() {
            for &code in codes[from(left)..]
                .iter()
                .take_while(|code| *code >> 32 == left.into())
            {
                let right = code as u32;
                if std::mem::replace(&mut reached_in[number(right)], round) != round {
                    waiting.push(right);
                }
            }
        }
        let reached = parts
            .iter()
            .zip(&reached_in)
            .filter(|(_, when)| **when == round);
        made.extend(reached.map(|(part, _)| flat::join(start, *part)));
    }
    made
}

/// The relation with these rows.
fn of_rows(left: ScalarKind, right: ScalarKind, rows: &[u64; 64]) -> Set {
    let class = ElementClass { left, right };
    match WordSet::of_rows(class, rows) {
        Ok(word) => Set::from_word(word),
        Err(codes) => Set::from_codes(class, &codes),
    }
}

/// The ascending codes of `a <+ b`, of which these are the ascending codes.
fn overridden(a: impl Iterator<Item = u64>, b: impl Iterator<Item = u64>) -> Vec<u64> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    let mut made = Vec::with_capacity(a.size_hint().0 + b.size_hint().0);
    loop {
        let left = |code: &u64| code >> 32;
        let (a_left, b_left) = (a.peek().map(left), b.peek().map(left));
        match (a_left, b_left) {
            (None, None) => return made,
            (Some(x), y) if y.is_none_or(|y| x < y) => made.extend(a.next()),
            (x, _) => {
                // All of this left part come from b, and none from a.
                while a
                    .next_if(|code| x == b_left && Some(left(code)) == b_left)
                    .is_some()
                {}
                while let Some(code) = b.next_if(|code| Some(left(code)) == b_left) {
                    made.push(code);
                }
            }
        }
    }
}

/// Those of ascending codes of pairs whose left part has this code.
fn codes_from(kind: ScalarKind, code: u64, codes: &[u64]) -> &[u64] {
    let Some(left) = kind.narrow(code) else {
        return &[];
    };
    let left = u64::from(left);
    let from = codes.partition_point(|other| other >> 32 < left);
    let n = codes[from..].partition_point(|other| other >> 32 == left);
    &codes[from..from + n]
}

/// Those of ascending pairs that have this left part.
fn elements_from<'a>(left: &Value, elements: &'a [Value]) -> &'a [Value] {
    let from = elements.partition_point(|pair| pair.as_pair().0 < left);
    let n = elements[from..].partition_point(|pair| pair.as_pair().0 == left);
    &elements[from..from + n]
}

/// The only one, which is what a function has at an argument.
fn only<T>(of_argument: &[T]) -> Result<&T, ApplyError> {
    match of_argument {
        [] => Err(ApplyError::Outside),
        [one] => Ok(one),
        _ => Err(ApplyError::NotFunction),
    }
}
