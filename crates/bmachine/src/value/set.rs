//! Finite sets.
//!
//! A set has exactly one representation, decided by its elements alone, so that equality and
//! hashing are those of the representation:
//!
//! | elements | representation |
//! |---|---|
//! | none | nothing: the empty set has no type |
//! | atoms of one kind below 64, pairs of such in a grid of 64 places | one word of bits |
//! | consecutive numbers, some not within 0..63 | the first and the last |
//! | other atoms of one kind, or pairs of them, with codes | the codes, ascending |
//! | all others | the elements, ascending |
//!
//! Atoms and codes are explained in `crates/bmachine/src/value/flat.rs`. Words and intervals need
//! no memory of their own: sets of that kind are made, joined and asked without an allocation.
//!
//! Worked example: `{3, 1}` is the word with bits 1 and 3. With 64 in it it is the list of three
//! codes; with 2 instead of 64 it is a word again. `62..70` is an interval; without 64..70 it is
//! the word with bits 62 and 63.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::flat::{self, ElementClass, ScalarKind, WordCodes, WordSet};
use super::{Value, ValueError};

/// A finite set, cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Set(Repr);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Repr {
    /// No element.
    Empty,
    /// Small atoms, or pairs of them.
    Word(WordSet),
    /// All numbers from the first to the last, at least one; not all of them within 0..63.
    Interval(i64, i64),
    /// Atoms or pairs of atoms that are none of the above, by their codes, ascending.
    Codes(ElementClass, Arc<[u64]>),
    /// Elements at least one of which has no code or not the class of the others, ascending.
    List(Arc<[Value]>),
}

impl Set {
    /// `{}`.
    pub fn empty() -> Set {
        Set(Repr::Empty)
    }

    /// `{element}`.
    pub(crate) fn singleton(element: Value) -> Set {
        match flat::code_of(&element) {
            Some((class, code)) => Set::from_codes(class, &[code]),
            None => Set(Repr::List(Arc::from([element]))),
        }
    }

    /// The set of these elements, in any order and with repetitions.
    pub fn from_vec(elements: Vec<Value>) -> Set {
        elements.into_iter().collect()
    }

    /// `low..high`. It takes no memory, however many numbers there are.
    pub fn interval(low: i64, high: i64) -> Set {
        if low > high {
            return Set::empty();
        }
        if low >= 0 && high < 64 {
            let bits = u64::MAX >> (63 - high) & u64::MAX << low;
            return Set::from_word(WordSet::line(ScalarKind::INT, bits));
        }
        Set(Repr::Interval(low, high))
    }

    /// The set of strictly ascending elements.
    pub(super) fn from_ascending(elements: Vec<Value>) -> Set {
        debug_assert!(elements.is_sorted_by(|a, b| a < b), "{elements:?}");
        if elements.is_empty() {
            return Set::empty();
        }
        match codes_of(&elements) {
            Some((class, codes)) => Set::from_codes(class, &codes),
            None => Set(Repr::List(Arc::from(elements))),
        }
    }

    /// The set of strictly ascending codes of one class.
    pub(super) fn from_codes(class: ElementClass, codes: &[u64]) -> Set {
        debug_assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        let (Some(&first), Some(&last)) = (codes.first(), codes.last()) else {
            return Set::empty();
        };
        if let Some(word) = WordSet::of_codes(class, codes) {
            return Set(Repr::Word(word));
        }
        let is_interval = last - first == (codes.len() - 1) as u64;
        if class == ElementClass::atoms(ScalarKind::INT) && is_interval {
            return Set(Repr::Interval(flat::int_of(first), flat::int_of(last)));
        }
        Set(Repr::Codes(class, Arc::from(codes)))
    }

    /// The set of codes of one class in any order and with repetitions.
    pub(super) fn from_codes_unsorted(class: ElementClass, mut codes: Vec<u64>) -> Set {
        codes.sort_unstable();
        codes.dedup();
        Set::from_codes(class, &codes)
    }

    /// The set in a word, or none.
    pub(super) fn from_word(word: Option<WordSet>) -> Set {
        Set(word.map_or(Repr::Empty, Repr::Word))
    }

    /// The representation.
    pub(super) fn repr(&self) -> &Repr {
        &self.0
    }

    /// How many elements it has; the greatest number if there are more.
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Empty => 0,
            Repr::Word(word) => word.len(),
            Repr::Interval(low, high) => {
                let n = i128::from(*high) - i128::from(*low) + 1;
                usize::try_from(n).unwrap_or(usize::MAX)
            }
            Repr::Codes(_, codes) => codes.len(),
            Repr::List(elements) => elements.len(),
        }
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Repr::Empty)
    }

    /// `element : self`.
    pub fn contains(&self, element: &Value) -> bool {
        match &self.0 {
            Repr::List(elements) => elements.binary_search(element).is_ok(),
            _ => flat::code_of(element).is_some_and(|(class, code)| self.has_code(class, code)),
        }
    }

    /// Whether the element of a class with a code is in it; `false` for lists.
    pub(super) fn has_code(&self, class: ElementClass, code: u64) -> bool {
        match &self.0 {
            Repr::Empty | Repr::List(_) => false,
            Repr::Word(word) => word.class() == class && word.contains(code),
            Repr::Interval(low, high) => {
                let int = flat::int_of(code);
                class == ElementClass::atoms(ScalarKind::INT) && (*low..=*high).contains(&int)
            }
            Repr::Codes(own, codes) => *own == class && codes.binary_search(&code).is_ok(),
        }
    }

    /// The elements in ascending order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(match &self.0 {
            Repr::List(elements) => Items::Values(elements.iter()),
            _ => match self.codes() {
                Some((class, codes)) => Items::Codes(class, codes),
                None => Items::Values([].iter()),
            },
        })
    }

    /// The elements of a relation in ascending order, as left and right parts.
    pub fn pairs(&self) -> PairIter<'_> {
        PairIter(self.iter().0)
    }

    /// The class and the codes of the elements in ascending order; `None` for the empty set and for
    /// lists.
    pub(super) fn codes(&self) -> Option<(ElementClass, Codes<'_>)> {
        match &self.0 {
            Repr::Empty | Repr::List(_) => None,
            Repr::Word(word) => Some((word.class(), Codes::Word(word.codes()))),
            Repr::Interval(low, high) => {
                let (first, last) = (flat::code_of_int(*low), flat::code_of_int(*high));
                Some((
                    ElementClass::atoms(ScalarKind::INT),
                    Codes::Range(first..=last),
                ))
            }
            Repr::Codes(class, codes) => Some((*class, Codes::Slice(codes.iter()))),
        }
    }

    /// The first and the last of an interval of numbers; `None` for other sets, and for those
    /// within 0..63.
    pub(super) fn ends(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Interval(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// The least element in the order of values.
    pub fn least(&self) -> Option<Value> {
        self.iter().next()
    }

    /// `self \/ {element}`.
    pub fn insert(&self, element: Value) -> Set {
        match flat::code_of(&element) {
            Some((class, code)) => self.insert_code(class, code),
            None => self.insert_value(element),
        }
    }

    /// `self \/ {left |-> right}`.
    pub(crate) fn insert_pair(&self, left: &Value, right: &Value) -> Set {
        match flat::pair_code(left, right) {
            Some((class, code)) => self.insert_code(class, code),
            None => self.insert_value(Value::pair(left.clone(), right.clone())),
        }
    }

    fn insert_code(&self, class: ElementClass, code: u64) -> Set {
        match &self.0 {
            Repr::Empty => return Set::from_codes(class, &[code]),
            Repr::Word(word) if word.class() == class => {
                if let Some(word) = word.insert(code) {
                    return Set(Repr::Word(word));
                }
            }
            Repr::List(_) => return self.insert_value(class.value(code)),
            _ => {}
        }
        if self.has_code(class, code) {
            return self.clone();
        }
        if let Repr::Codes(own, codes) = &self.0
            && *own == class
            && class.is_pairs()
        {
            // More pairs than do not fit into a word do not fit either.
            let (below, above) = codes.split_at(codes.partition_point(|other| *other < code));
            let more = below.iter().chain(std::iter::once(&code)).chain(above);
            return Set(Repr::Codes(class, more.copied().collect()));
        }
        self.union(&Set::from_codes(class, &[code]))
    }

    fn insert_value(&self, element: Value) -> Set {
        if self.contains(&element) {
            return self.clone();
        }
        let mut elements: Vec<Value> = self.iter().collect();
        let place = elements.partition_point(|other| *other < element);
        elements.insert(place, element);
        Set::from_ascending(elements)
    }

    /// `self - {element}`.
    pub fn remove(&self, element: &Value) -> Set {
        if !self.contains(element) {
            return self.clone();
        }
        match (&self.0, flat::code_of(element)) {
            (Repr::Word(word), Some((_, code))) => Set::from_word(word.remove(code)),
            (Repr::List(_), _) | (_, None) => self.keep(|other| other != element),
            (_, Some((_, code))) => self.keep_codes(|_, other| other != code),
        }
    }

    /// The elements for which `is_kept` holds.
    pub fn keep(&self, mut is_kept: impl FnMut(&Value) -> bool) -> Set {
        match &self.0 {
            Repr::List(elements) => {
                let kept = elements.iter().filter(|element| is_kept(element));
                Set::from_ascending(kept.cloned().collect())
            }
            _ => self.keep_codes(|class, code| is_kept(&class.value(code))),
        }
    }

    /// The elements of a set that is no list for whose class and code `is_kept` holds.
    pub(super) fn keep_codes(&self, mut is_kept: impl FnMut(ElementClass, u64) -> bool) -> Set {
        match (&self.0, self.codes()) {
            (Repr::Word(word), _) => {
                let mut gone = word.codes().filter(|code| !is_kept(word.class(), *code));
                let rest = gone.try_fold(*word, |rest, code| rest.remove(code));
                Set::from_word(rest)
            }
            (_, Some((class, codes))) => {
                let kept: Vec<u64> = codes.filter(|code| is_kept(class, *code)).collect();
                Set::from_codes(class, &kept)
            }
            (_, None) => {
                debug_assert!(self.is_empty(), "{self:?} is a list");
                Set::empty()
            }
        }
    }

    /// `self \/ other`.
    pub fn union(&self, other: &Set) -> Set {
        match (&self.0, &other.0) {
            (Repr::Empty, _) => return other.clone(),
            (_, Repr::Empty) => return self.clone(),
            (Repr::Word(a), Repr::Word(b)) if a.class() == b.class() => {
                if let Some(word) = a.union(b) {
                    return Set(Repr::Word(word));
                }
            }
            _ => {}
        }
        if let (Some((class, a)), Some((other_class, b))) = (self.codes(), other.codes())
            && class == other_class
        {
            if let Some(more) = one_more(self, other).or_else(|| one_more(other, self)) {
                return more;
            }
            let mut codes = Vec::with_capacity(self.len().saturating_add(other.len()));
            merge(a, b, &mut codes);
            return Set::from_codes(class, &codes);
        }
        let mut elements = Vec::with_capacity(self.len().saturating_add(other.len()));
        merge(self.iter(), other.iter(), &mut elements);
        Set::from_ascending(elements)
    }

    /// `self /\ other`.
    pub fn intersection(&self, other: &Set) -> Set {
        match (&self.0, &other.0) {
            (Repr::Word(a), Repr::Word(b)) if a.class() == b.class() => {
                return Set::from_word(a.intersection(b));
            }
            (Repr::Interval(a, b), Repr::Interval(c, d)) => {
                return Set::interval(*a.max(c), *b.min(d));
            }
            _ => {}
        }
        let (few, many) = if self.len() <= other.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.keep_by(|set| many.has(set))
    }

    /// `self - other`.
    pub fn difference(&self, other: &Set) -> Set {
        match (&self.0, &other.0) {
            (_, Repr::Empty) => return self.clone(),
            (Repr::Word(a), Repr::Word(b)) if a.class() == b.class() => {
                return Set::from_word(a.difference(b));
            }
            _ => {}
        }
        self.keep_by(|element| !other.has(element))
    }

    /// The elements for which `is_kept` holds, without making values of codes.
    fn keep_by(&self, is_kept: impl Fn(StoredElement<'_>) -> bool) -> Set {
        match &self.0 {
            Repr::List(elements) => {
                let kept = elements
                    .iter()
                    .filter(|element| is_kept(StoredElement::Value(element)));
                Set::from_ascending(kept.cloned().collect())
            }
            _ => self.keep_codes(|class, code| is_kept(StoredElement::Code(class, code))),
        }
    }

    fn has(&self, element: StoredElement<'_>) -> bool {
        match (element, &self.0) {
            // A list may have elements with codes, beside others.
            (StoredElement::Code(class, code), Repr::List(_)) => self.contains(&class.value(code)),
            (StoredElement::Code(class, code), _) => self.has_code(class, code),
            (StoredElement::Value(value), _) => self.contains(value),
        }
    }

    /// `self <: other`.
    pub fn is_subset(&self, other: &Set) -> bool {
        if self.len() > other.len() {
            return false;
        }
        match (&self.0, &other.0) {
            (Repr::Word(a), Repr::Word(b)) => a.class() == b.class() && a.difference(b).is_none(),
            (Repr::Interval(a, b), Repr::Interval(c, d)) => c <= a && b <= d,
            _ => self.all(|element| other.has(element)),
        }
    }

    /// Whether there is no common element.
    pub fn is_disjoint(&self, other: &Set) -> bool {
        match (&self.0, &other.0) {
            (Repr::Word(a), Repr::Word(b)) => a.class() != b.class() || a.intersection(b).is_none(),
            (Repr::Interval(a, b), Repr::Interval(c, d)) => b < c || d < a,
            _ if self.len() > other.len() => other.is_disjoint(self),
            _ => self.all(|element| !other.has(element)),
        }
    }

    fn all(&self, holds: impl Fn(StoredElement<'_>) -> bool) -> bool {
        match (&self.0, self.codes()) {
            (Repr::List(elements), _) => elements.iter().all(|e| holds(StoredElement::Value(e))),
            (_, Some((class, mut codes))) => {
                codes.all(|code| holds(StoredElement::Code(class, code)))
            }
            (_, None) => true,
        }
    }

    /// `union(self)` of a set of sets.
    pub(crate) fn general_union(&self) -> Result<Set, ValueError> {
        let mut all = Set::empty();
        for element in self.iter() {
            let set = element.as_set().ok_or(ValueError::Symbolic("union"))?;
            all = all.union(set);
        }
        Ok(all)
    }

    /// `inter(self)` of a set of sets, undefined if there is none.
    pub(crate) fn general_intersection(&self) -> Result<Set, ValueError> {
        let mut all: Option<Set> = None;
        for element in self.iter() {
            let set = element.as_set().ok_or(ValueError::Symbolic("inter"))?;
            all = Some(match all {
                None => set.clone(),
                Some(all) => all.intersection(set),
            });
        }
        all.ok_or(ValueError::EmptySet("inter"))
    }

    /// `min(self)`.
    pub fn minimum(&self) -> Result<Value, ValueError> {
        self.least().ok_or(ValueError::EmptySet("min"))
    }

    /// `max(self)`.
    pub fn maximum(&self) -> Result<Value, ValueError> {
        let greatest = match &self.0 {
            Repr::Empty => None,
            Repr::Word(word) => word.codes().last().map(|code| word.class().value(code)),
            Repr::Interval(_, high) => Some(Value::Int(*high)),
            Repr::Codes(class, codes) => codes.last().map(|code| class.value(*code)),
            Repr::List(elements) => elements.last().cloned(),
        };
        greatest.ok_or(ValueError::EmptySet("max"))
    }

    /// `card(self)`.
    pub fn card(&self) -> Result<i64, ValueError> {
        i64::try_from(self.len()).map_err(|_| ValueError::TooLarge)
    }
}

/// An element of a set as it is kept.
#[derive(Clone, Copy)]
enum StoredElement<'a> {
    Code(ElementClass, u64),
    Value(&'a Value),
}

/// The codes of elements that all have one, and one class; `None` otherwise, and for no elements.
fn codes_of(elements: &[Value]) -> Option<(ElementClass, Vec<u64>)> {
    let (class, first) = flat::code_of(elements.first()?)?;
    let mut codes = Vec::with_capacity(elements.len());
    codes.push(first);
    for element in &elements[1..] {
        let (other, code) = flat::code_of(element)?;
        if other != class {
            return None;
        }
        codes.push(code);
    }
    Some((class, codes))
}

/// `many \/ one`, if these are a list of codes and a set of one element of its class: the codes
/// are copied in two blocks instead of being compared.
fn one_more(many: &Set, one: &Set) -> Option<Set> {
    let Repr::Codes(class, codes) = &many.0 else {
        return None;
    };
    let (own, mut single) = one.codes().filter(|_| one.len() == 1)?;
    let code = single.next().filter(|_| own == *class)?;
    let place = codes.partition_point(|other| *other < code);
    if codes.get(place) == Some(&code) {
        return Some(many.clone());
    }
    let mut more = Vec::with_capacity(codes.len() + 1);
    more.extend_from_slice(&codes[..place]);
    more.push(code);
    more.extend_from_slice(&codes[place..]);
    Some(Set::from_codes(*class, &more))
}

/// Two ascending lists in one, what is in both once.
fn merge<T: Ord>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>, all: &mut Vec<T>) {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        if order != Ordering::Greater {
            all.extend(a.next());
        }
        if order != Ordering::Less {
            // What is in both was taken from the first.
            let next = b.next();
            if order == Ordering::Greater {
                all.extend(next);
            }
        }
    }
}

/// The codes of the elements of a set, ascending.
#[derive(Clone)]
pub(super) enum Codes<'a> {
    Word(WordCodes),
    Range(std::ops::RangeInclusive<u64>),
    Slice(std::slice::Iter<'a, u64>),
}

impl Iterator for Codes<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        match self {
            Codes::Word(codes) => codes.next(),
            Codes::Range(codes) => codes.next(),
            Codes::Slice(codes) => codes.next().copied(),
        }
    }
}

#[derive(Clone)]
enum Items<'a> {
    Codes(ElementClass, Codes<'a>),
    Values(std::slice::Iter<'a, Value>),
}

/// The elements of a set, ascending.
#[derive(Clone)]
pub struct Iter<'a>(Items<'a>);

impl Iterator for Iter<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match &mut self.0 {
            Items::Codes(class, codes) => codes.next().map(|code| class.value(code)),
            Items::Values(values) => values.next().cloned(),
        }
    }
}

/// The elements of a relation, ascending, as left and right parts.
#[derive(Clone)]
pub struct PairIter<'a>(Items<'a>);

impl Iterator for PairIter<'_> {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<(Value, Value)> {
        match &mut self.0 {
            Items::Codes(class, codes) => codes.next().map(|code| class.parts(code)),
            Items::Values(values) => values.next().map(|value| {
                let (left, right) = value.as_pair();
                (left.clone(), right.clone())
            }),
        }
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = Value;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl Ord for Set {
    /// As ascending lists in dictionary order, however the sets are kept.
    fn cmp(&self, other: &Set) -> Ordering {
        if let (Repr::Word(a), Repr::Word(b)) = (&self.0, &other.0)
            && let Some(order) = a.compare(b)
        {
            return order;
        }
        match (self.codes(), other.codes()) {
            (Some((a_class, a)), Some((b_class, b))) if a_class == b_class => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for Set {
    fn partial_cmp(&self, other: &Set) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
