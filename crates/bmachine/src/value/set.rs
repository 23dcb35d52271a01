//! Finite sets.

use std::sync::Arc;

use super::{Value, ValueError};

/// A finite set, cheap to clone. Equal sets have one representation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Set {
    /// Strictly ascending.
    elements: Arc<[Value]>,
}

impl Set {
    /// `{}`.
    pub fn empty() -> Set {
        Set::from_ascending(Vec::new())
    }

    /// `{element}`.
    pub fn singleton(element: Value) -> Set {
        Set::from_ascending(vec![element])
    }

    /// The set of these elements, in any order and with repetitions.
    pub fn from_vec(mut elements: Vec<Value>) -> Set {
        elements.sort_unstable();
        elements.dedup();
        Set::from_ascending(elements)
    }

    /// `low..high`.
    pub fn interval(low: i64, high: i64) -> Set {
        Set::from_ascending((low..=high).map(Value::Int).collect())
    }

    /// The set of strictly ascending elements.
    pub(super) fn from_ascending(elements: Vec<Value>) -> Set {
        debug_assert!(elements.is_sorted_by(|a, b| a < b), "{elements:?}");
        Set {
            elements: Arc::from(elements),
        }
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// `element : self`.
    pub fn contains(&self, element: &Value) -> bool {
        self.elements.binary_search(element).is_ok()
    }

    /// The elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.elements.iter().cloned()
    }

    /// The elements of a relation in ascending order, as left and right parts.
    pub fn pairs(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        self.elements.iter().map(|element| {
            let (left, right) = element.as_pair();
            (left.clone(), right.clone())
        })
    }

    /// The least element in the order of values.
    pub fn least(&self) -> Option<Value> {
        self.elements.first().cloned()
    }

    /// `self \/ {element}`.
    pub fn insert(&self, element: Value) -> Set {
        self.union(&Set::singleton(element))
    }

    /// `self - {element}`.
    pub fn remove(&self, element: &Value) -> Set {
        self.keep(|other| other != element)
    }

    /// The elements for which `is_kept` holds.
    pub fn keep(&self, mut is_kept: impl FnMut(&Value) -> bool) -> Set {
        Set::from_ascending(self.iter().filter(|element| is_kept(element)).collect())
    }

    /// `self \/ other`.
    pub fn union(&self, other: &Set) -> Set {
        Set::from_vec(self.iter().chain(other.iter()).collect())
    }

    /// `self /\ other`.
    pub fn intersection(&self, other: &Set) -> Set {
        self.keep(|element| other.contains(element))
    }

    /// `self - other`.
    pub fn difference(&self, other: &Set) -> Set {
        self.keep(|element| !other.contains(element))
    }

    /// `self <: other`.
    pub fn is_subset(&self, other: &Set) -> bool {
        self.len() <= other.len() && self.iter().all(|element| other.contains(&element))
    }

    /// `self <<: other`.
    pub fn is_strict_subset(&self, other: &Set) -> bool {
        self.len() < other.len() && self.is_subset(other)
    }

    /// Whether there is no common element.
    pub fn is_disjoint(&self, other: &Set) -> bool {
        self.iter().all(|element| !other.contains(&element))
    }

    /// `self * other`: all pairs.
    pub fn product(&self, other: &Set) -> Set {
        let pairs = self.iter().flat_map(|left| {
            other
                .iter()
                .map(move |right| Value::pair(left.clone(), right))
        });
        Set::from_ascending(pairs.collect())
    }

    /// All subsets, one after the other: `{}` first, then all of the first k elements before the
    /// first with the next one. Never more than one is held at a time.
    pub fn pow(&self) -> impl Iterator<Item = Set> + '_ {
        let n = self.len();
        let mut chosen = vec![false; n];
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let elements = self.iter().zip(&chosen).filter(|(_, is_in)| **is_in);
            let set = Set::from_ascending(elements.map(|(element, _)| element).collect());
            // Count up, the least element being the lowest digit.
            is_over = true;
            for digit in chosen.iter_mut() {
                *digit = !*digit;
                if *digit {
                    is_over = false;
                    break;
                }
            }
            Some(set)
        })
    }

    /// `union(self)` of a set of sets.
    pub fn general_union(&self) -> Result<Set, ValueError> {
        let mut all = Set::empty();
        for element in self.iter() {
            let set = element.as_set().ok_or(ValueError::Symbolic("union"))?;
            all = all.union(set);
        }
        Ok(all)
    }

    /// `inter(self)` of a set of sets, undefined if there is none.
    pub fn general_intersection(&self) -> Result<Set, ValueError> {
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
    pub fn min(&self) -> Result<i64, ValueError> {
        let least = self.iter().map(|element| element.as_int()).min();
        least.ok_or(ValueError::EmptySet("min"))
    }

    /// `max(self)`.
    pub fn max(&self) -> Result<i64, ValueError> {
        let greatest = self.iter().map(|element| element.as_int()).max();
        greatest.ok_or(ValueError::EmptySet("max"))
    }

    /// `card(self)`.
    pub fn card(&self) -> Result<i64, ValueError> {
        i64::try_from(self.len()).map_err(|_| ValueError::Overflow)
    }

    /// The sum of all elements, each taken once.
    pub fn sum(&self) -> Result<i64, ValueError> {
        self.iter()
            .try_fold(0, |sum, element| super::number::add(sum, element.as_int()))
    }

    /// The product of all elements, each taken once.
    pub fn multiply(&self) -> Result<i64, ValueError> {
        self.iter().try_fold(1, |product, element| {
            super::number::multiply(product, element.as_int())
        })
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Set {
        Set::from_vec(elements.into_iter().collect())
    }
}
