//! Functions from `1..n`: B's operators on sequences.

use super::{Set, Value, ValueError};

impl Set {
    /// `[a, b, …]`.
    pub fn seq_of(elements: impl IntoIterator<Item = Value>) -> Set {
        let places = elements.into_iter().zip(1..);
        places
            .map(|(element, place)| Value::pair(Value::Int(place), element))
            .collect()
    }

    /// Whether it is a function from `1..n` for some `n`.
    pub fn is_seq(&self) -> bool {
        self.pairs()
            .zip(1..)
            .all(|((place, _), expected)| place == Value::Int(expected))
    }

    /// The elements of a sequence in order.
    fn elements(&self, what: &'static str) -> Result<Vec<Value>, ValueError> {
        if !self.is_seq() {
            return Err(ValueError::NotSequence(what));
        }
        Ok(self.pairs().map(|(_, element)| element).collect())
    }

    /// The elements of a sequence in order; undefined for other relations.
    pub fn seq_elements(&self) -> Result<Vec<Value>, ValueError> {
        self.elements("a sequence's elements")
    }

    /// The elements of a sequence that is not empty.
    fn some_elements(&self, what: &'static str) -> Result<Vec<Value>, ValueError> {
        let elements = self.elements(what)?;
        if elements.is_empty() {
            return Err(ValueError::EmptySequence(what));
        }
        Ok(elements)
    }

    /// `size(self)`.
    pub fn size(&self) -> Result<i64, ValueError> {
        if !self.is_seq() {
            return Err(ValueError::NotSequence("size"));
        }
        self.card()
    }

    /// `first(self)`.
    pub fn first(&self) -> Result<Value, ValueError> {
        Ok(self.some_elements("first")?.swap_remove(0))
    }

    /// `last(self)`.
    pub fn last(&self) -> Result<Value, ValueError> {
        let mut elements = self.some_elements("last")?;
        let last = elements.len() - 1;
        Ok(elements.swap_remove(last))
    }

    /// `front(self)`: all but the last.
    pub fn front(&self) -> Result<Set, ValueError> {
        let mut elements = self.some_elements("front")?;
        elements.pop();
        Ok(Set::seq_of(elements))
    }

    /// `tail(self)`: all but the first.
    pub fn tail(&self) -> Result<Set, ValueError> {
        let elements = self.some_elements("tail")?;
        Ok(Set::seq_of(elements.into_iter().skip(1)))
    }

    /// `rev(self)`.
    pub fn rev(&self) -> Result<Set, ValueError> {
        Ok(Set::seq_of(self.elements("rev")?.into_iter().rev()))
    }

    /// `self ^ other`.
    pub fn concat(&self, other: &Set) -> Result<Set, ValueError> {
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
    pub fn prepend(&self, element: Value) -> Result<Set, ValueError> {
        let rest = self.elements("->")?;
        Ok(Set::seq_of(std::iter::once(element).chain(rest)))
    }

    /// `self <- element`.
    pub fn append(&self, element: Value) -> Result<Set, ValueError> {
        let mut elements = self.elements("<-")?;
        elements.push(element);
        Ok(Set::seq_of(elements))
    }

    /// `self /|\ n`: the first `n`.
    pub fn take(&self, n: i64) -> Result<Set, ValueError> {
        let elements = self.elements("/|\\")?;
        let n = how_many(n, elements.len(), "/|\\")?;
        Ok(Set::seq_of(elements.into_iter().take(n)))
    }

    /// `self \|/ n`: all but the first `n`.
    pub fn drop(&self, n: i64) -> Result<Set, ValueError> {
        let elements = self.elements("\\|/")?;
        let n = how_many(n, elements.len(), "\\|/")?;
        Ok(Set::seq_of(elements.into_iter().skip(n)))
    }
}

/// `n` if a sequence of this length has so many elements.
fn how_many(n: i64, length: usize, what: &'static str) -> Result<usize, ValueError> {
    let n = usize::try_from(n).map_err(|_| ValueError::Negative(what))?;
    if n > length {
        return Err(ValueError::TooLong(what));
    }
    Ok(n)
}
