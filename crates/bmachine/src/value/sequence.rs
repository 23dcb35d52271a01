//! Functions from `1..n`: B's operators on sequences.
//!
//! A relation is a sequence if its pairs, in ascending order, begin with 1, 2, 3 and so on. What
//! only looks at the ends or changes them does not take the sequence apart.

use super::flat::ScalarKind;
use super::set::Repr;
use super::{Set, Value, ValueError};

/// The last place that has a code.
const PLACE_MAX: i64 = i32::MAX as i64;

impl Set {
    /// `[a, b, …]`.
    pub fn seq_of(elements: impl IntoIterator<Item = Value>) -> Set {
        let places = elements.into_iter().zip(1..);
        places
            .map(|(element, place)| (Value::Int(place), element))
            .collect()
    }

    /// Whether it is a function from `1..n` for some `n`.
    pub(crate) fn is_seq(&self) -> bool {
        if let Repr::List(elements) = self.repr() {
            let mut places = elements.iter().map(|pair| pair.as_pair().0).zip(1..);
            return places.all(|(place, expected)| *place == Value::Int(expected));
        }
        match self.codes() {
            None => true,
            Some((class, codes)) => {
                class.left == ScalarKind::INT
                    && codes.zip(1..).all(|(code, place)| code >> 32 == at(place))
            }
        }
    }

    fn elements(&self, what: &'static str) -> Result<Vec<Value>, ValueError> {
        self.length(what)?;
        Ok(self.pairs().map(|(_, element)| element).collect())
    }

    /// How long the sequence is.
    fn length(&self, what: &'static str) -> Result<i64, ValueError> {
        if !self.is_seq() {
            return Err(ValueError::NotSequence(what));
        }
        self.card()
    }

    /// How long the sequence is, which must not be empty.
    fn some_length(&self, what: &'static str) -> Result<i64, ValueError> {
        match self.length(what)? {
            0 => Err(ValueError::EmptySequence(what)),
            length => Ok(length),
        }
    }

    /// `size(self)`.
    pub fn size(&self) -> Result<i64, ValueError> {
        self.length("size")
    }

    /// `first(self)`.
    pub fn first(&self) -> Result<Value, ValueError> {
        self.some_length("first")?;
        Ok(self.apply(&Value::Int(1))?)
    }

    /// `last(self)`.
    pub fn last(&self) -> Result<Value, ValueError> {
        let length = self.some_length("last")?;
        Ok(self.apply(&Value::Int(length))?)
    }

    /// `front(self)`: all but the last.
    pub fn front(&self) -> Result<Set, ValueError> {
        let length = self.some_length("front")?;
        Ok(self.domain_subtract(&Set::interval(length, length)))
    }

    /// `tail(self)`: all but the first.
    pub fn tail(&self) -> Result<Set, ValueError> {
        self.some_length("tail")?;
        Ok(self.dropped(1))
    }

    /// `rev(self)`.
    pub fn rev(&self) -> Result<Set, ValueError> {
        if let Repr::Codes(class, codes) = self.repr() {
            self.length("rev")?;
            let elements = codes.iter().rev().zip(1..);
            let made = elements.map(|(code, place)| at(place) << 32 | code & u64::from(u32::MAX));
            return Ok(Set::from_codes(*class, &made.collect::<Vec<u64>>()));
        }
        Ok(Set::seq_of(self.elements("rev")?.into_iter().rev()))
    }

    /// `self ^ other`.
    pub fn concat(&self, other: &Set) -> Result<Set, ValueError> {
        let (n, n_other) = (self.length("^")?, other.length("^")?);
        if let (Some((class, a)), Some((b_class, b))) = (self.codes(), other.codes())
            && class == b_class
            && n + n_other <= PLACE_MAX
        {
            let later = b.map(|code| code + ((n as u64) << 32));
            return Ok(Set::from_codes(
                class,
                &a.chain(later).collect::<Vec<u64>>(),
            ));
        }
        let left = self.elements("^")?;
        Ok(Set::seq_of(left.into_iter().chain(other.elements("^")?)))
    }

    /// `conc(self)` of a sequence of sequences.
    pub fn conc(&self) -> Result<Set, ValueError> {
        let mut all = Vec::new();
        for part in self.elements("conc")? {
            let part = part.as_set().ok_or(ValueError::Symbolic("conc"))?;
            all.extend(part.elements("conc")?);
        }
        Ok(Set::seq_of(all))
    }

    /// `element -> self`.
    pub(crate) fn prepend(&self, element: Value) -> Result<Set, ValueError> {
        self.length("->")?;
        Set::empty()
            .insert_pair(&Value::Int(1), &element)
            .concat(self)
    }

    /// `self <- element`.
    pub fn append(&self, element: &Value) -> Result<Set, ValueError> {
        let length = self.length("<-")?;
        Ok(self.insert_pair(&Value::Int(length + 1), element))
    }

    /// `self /|\ n`: the first `n`.
    pub fn take(&self, n: i64) -> Result<Set, ValueError> {
        self.has_prefix(n, "/|\\")?;
        Ok(self.domain_restrict(&Set::interval(1, n)))
    }

    /// `self \|/ n`: all but the first `n`.
    pub fn drop(&self, n: i64) -> Result<Set, ValueError> {
        self.has_prefix(n, "\\|/")?;
        Ok(self.dropped(n))
    }

    /// Whether the sequence has a first part of length `n`.
    fn has_prefix(&self, n: i64, what: &'static str) -> Result<(), ValueError> {
        let length = self.length(what)?;
        match n {
            _ if n < 0 => Err(ValueError::Negative(what)),
            _ if n > length => Err(ValueError::TooLong(what)),
            _ => Ok(()),
        }
    }

    /// The sequence without its first `n` elements.
    fn dropped(&self, n: i64) -> Set {
        if let Repr::Word(word) = self.repr() {
            // The row of place 1 must be gone before it becomes that of place 0.
            let first = |word: super::flat::WordSet| word.in_rows(!0b11)?.rows_down();
            return Set::from_word((0..n).try_fold(*word, |rest, _| first(rest)));
        }
        if let Repr::Codes(class, codes) = self.repr() {
            let rest = codes.iter().skip(usize::try_from(n).unwrap_or(usize::MAX));
            let made = rest.map(|code| code - ((n as u64) << 32));
            return Set::from_codes(*class, &made.collect::<Vec<u64>>());
        }
        let pairs = self.pairs().skip(usize::try_from(n).unwrap_or(usize::MAX));
        Set::seq_of(pairs.map(|(_, element)| element))
    }
}

/// The left part of the codes of the pairs at a place.
fn at(place: u32) -> u64 {
    u64::from(place) + (1 << 31)
}
