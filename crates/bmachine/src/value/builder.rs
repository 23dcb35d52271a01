//! Sets made element by element.
//!
//! As long as the elements fit, the builder holds one word of bits; then codes; then values. Pairs
//! can be given as their two parts, so that no pair need be made of parts that are bits in the end.

use super::flat::{self, ElementClass, WordSet};
use super::{Set, Value};

/// A set in the making.
#[derive(Clone, Debug, Default)]
pub struct SetBuilder {
    /// The elements so far, if they fit into a word. Otherwise they are in the lists.
    word: Option<WordSet>,
    /// The class of all codes.
    class: Option<ElementClass>,
    /// The codes so far, in any order, with repetitions.
    codes: Vec<u64>,
    /// All elements so far, if there is one without a code or of another class.
    values: Vec<Value>,
}

impl SetBuilder {
    /// Nothing yet.
    pub fn new() -> SetBuilder {
        SetBuilder::default()
    }

    /// The element is in the set.
    pub fn push(&mut self, element: Value) {
        match flat::code_of(&element) {
            Some((class, code)) => self.push_code(class, code),
            None => self.push_value(element),
        }
    }

    /// `left |-> right` is in the set.
    pub(crate) fn push_pair(&mut self, left: Value, right: Value) {
        match flat::pair_code(&left, &right) {
            Some((class, code)) => self.push_code(class, code),
            None => self.push_value(Value::pair(left, right)),
        }
    }

    pub(super) fn push_code(&mut self, class: ElementClass, code: u64) {
        if !self.values.is_empty() || self.class.is_some_and(|own| own != class) {
            self.push_value(class.value(code));
            return;
        }
        if let Some(word) = self.word {
            match word.insert(code) {
                Some(more) => self.word = Some(more),
                None => {
                    self.word = None;
                    self.codes.extend(word.codes());
                    self.codes.push(code);
                }
            }
            return;
        }
        if self.class.is_none() {
            self.class = Some(class);
            self.word = WordSet::of_codes(class, &[code]);
        }
        if self.word.is_none() {
            self.codes.push(code);
        }
    }

    fn push_value(&mut self, element: Value) {
        if let Some(class) = self.class {
            let word = self.word.take().into_iter().flat_map(WordSet::codes);
            let codes = word.chain(std::mem::take(&mut self.codes));
            self.values.extend(codes.map(|code| class.value(code)));
            self.class = None;
        }
        self.values.push(element);
    }

    /// The set of all that was given.
    pub fn finish(self) -> Set {
        if let Some(word) = self.word {
            return Set::from_word(Some(word));
        }
        match self.class {
            Some(class) => Set::from_codes_unsorted(class, self.codes),
            None => {
                let mut values = self.values;
                values.sort_unstable();
                values.dedup();
                Set::from_ascending(values)
            }
        }
    }
}

impl Extend<Value> for SetBuilder {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl Extend<(Value, Value)> for SetBuilder {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, pairs: I) {
        pairs
            .into_iter()
            .for_each(|(left, right)| self.push_pair(left, right));
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Set {
        let mut builder = SetBuilder::new();
        builder.extend(elements);
        builder.finish()
    }
}

impl FromIterator<(Value, Value)> for Set {
    /// The relation of these pairs.
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(pairs: I) -> Set {
        let mut builder = SetBuilder::new();
        builder.extend(pairs);
        builder.finish()
    }
}
