//! Sets: ascending arrays of elements, and sets that are kept by what defines them.
//!
//! A set that can be listed within reason is an ascending array, so that equal sets are equal
//! arrays, membership is a binary search and union a merge. `Int`, `{3..}`, `Seq(S)` and what is
//! made of them cannot be listed and are [`Symbolic`]; operators answer for them where the answer
//! is plain and refuse with a reason where it is not, as FDR does.
//!
//! Worked example: `inter({1, 5}, {3..})` is `{5}`, because the array can be filtered by asking
//! `{3..}`; `diff(Int, {0})` has no plain description and is refused.

use super::Value;
use super::symbolic::Symbolic;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A set.
#[derive(Clone, Debug)]
pub enum Set {
    /// Its elements in ascending order, each once, each worked out in full.
    Listed(Arc<[Value]>),
    /// Kept by what defines it.
    Symbolic(Arc<Symbolic>),
}

/// The most elements that are listed.
pub const ELEMENTS_MAX: usize = 1 << 22;

/// Why an operator on sets has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetRefusal {
    /// A set has more than [`ELEMENTS_MAX`] elements.
    TooLarge,
    /// There is no largest number in it.
    EndlessNumbers,
    /// It is that of all processes.
    Processes,
    /// It is that of all sequences over a set.
    EndlessSequences,
    /// It is that of all values of a datatype, which have no end, or need each other.
    Datatype(String),
}

impl SetRefusal {
    /// The message for a fault.
    pub fn words(&self) -> String {
        match self {
            SetRefusal::TooLarge => {
                format!("this set has more than {ELEMENTS_MAX} elements, too many to list")
            }
            SetRefusal::EndlessNumbers => "this set of numbers has no end".to_owned(),
            SetRefusal::Processes => "the set of all processes cannot be listed".to_owned(),
            SetRefusal::EndlessSequences => "this set of sequences has no end".to_owned(),
            SetRefusal::Datatype(name) => {
                format!("the values of `{name}` have no end, or need each other")
            }
        }
    }
}

impl From<Vec<Value>> for Set {
    fn from(mut elements: Vec<Value>) -> Set {
        if !elements.is_sorted_by(|a, b| a < b) {
            elements.sort();
            elements.dedup();
        }
        Set::Listed(elements.into())
    }
}

impl From<Symbolic> for Set {
    fn from(symbolic: Symbolic) -> Set {
        Set::Symbolic(Arc::new(symbolic))
    }
}

impl Set {
    /// `{}`
    pub fn empty() -> Set {
        Set::Listed(Arc::from([]))
    }

    /// `{first..last}`; a refusal if it is too large.
    pub fn range(first: i64, last: i64) -> Result<Set, SetRefusal> {
        if first > last {
            return Ok(Set::empty());
        }
        let wide = last.checked_sub(first);
        if wide.is_none_or(|n| n >= ELEMENTS_MAX as i64) {
            return Err(SetRefusal::TooLarge);
        }
        Ok(Set::Listed((first..=last).map(Value::Int).collect()))
    }

    /// All its elements in ascending order.
    pub fn elements(&self) -> Result<Arc<[Value]>, SetRefusal> {
        match self {
            Set::Listed(elements) => Ok(elements.clone()),
            Set::Symbolic(symbolic) => symbolic.elements(),
        }
    }

    /// The same set, listed if its elements are few.
    pub(crate) fn listed_if_few(self) -> Set {
        const FEW: usize = 1 << 16;
        match &self {
            Set::Symbolic(symbolic) if symbolic.n_at_most().is_some_and(|n| n <= FEW) => {
                symbolic.elements().map_or(self, Set::Listed)
            }
            _ => self,
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        match self {
            Set::Listed(elements) => elements.is_empty(),
            Set::Symbolic(symbolic) => symbolic.is_empty(),
        }
    }

    /// How many elements it has.
    pub fn card(&self) -> Result<usize, SetRefusal> {
        Ok(self.elements()?.len())
    }

    /// Whether `value`, worked out in full, is an element.
    pub fn contains(&self, value: &Value) -> bool {
        match self {
            Set::Listed(elements) => elements.binary_search(value).is_ok(),
            Set::Symbolic(symbolic) => symbolic.contains(value),
        }
    }

    /// Whether all elements are elements of `other`.
    pub fn is_subset(&self, other: &Set) -> Result<bool, SetRefusal> {
        match (self, other) {
            (Set::Listed(a), _) => Ok(a.iter().all(|value| other.contains(value))),
            (a, b) if a == b => Ok(true),
            (Set::Symbolic(a), Set::Symbolic(b)) => match a.is_plain_subset(b) {
                Some(answer) => Ok(answer),
                None => Ok(a.elements()?.iter().all(|value| other.contains(value))),
            },
            // Finite against infinite needs no list; otherwise both are listed.
            (Set::Symbolic(a), Set::Listed(_)) if a.is_surely_infinite() => Ok(false),
            _ => Ok(self.elements()?.iter().all(|value| other.contains(value))),
        }
    }

    /// Whether both have the same elements.
    pub fn same(&self, other: &Set) -> Result<bool, SetRefusal> {
        if self == other {
            return Ok(true);
        }
        if let (Set::Listed(_), Set::Listed(_)) = (self, other) {
            return Ok(false);
        }
        Ok(self.is_subset(other)? && other.is_subset(self)?)
    }

    /// The elements of either.
    pub fn union(&self, other: &Set) -> Set {
        match (self, other) {
            (Set::Listed(a), Set::Listed(b)) => Set::Listed(merge(a, b)),
            (Set::Listed(few), Set::Symbolic(_)) if few.iter().all(|v| other.contains(v)) => {
                other.clone()
            }
            (Set::Symbolic(_), Set::Listed(_)) => other.union(self),
            _ => super::symbolic::union(self, other),
        }
    }

    /// The elements of both.
    pub fn inter(&self, other: &Set) -> Result<Set, SetRefusal> {
        match (self, other) {
            (Set::Listed(a), _) => Ok(filtered(a, |value| other.contains(value))),
            (Set::Symbolic(_), Set::Listed(b)) => Ok(filtered(b, |value| self.contains(value))),
            (Set::Symbolic(a), Set::Symbolic(b)) => {
                if let Some(plain) = a.plain_inter(b) {
                    return Ok(plain);
                }
                if let Ok(listed) = a.elements() {
                    return Ok(filtered(&listed, |value| other.contains(value)));
                }
                let listed = b.elements()?;
                Ok(filtered(&listed, |value| self.contains(value)))
            }
        }
    }

    /// The elements of this one that are not in `other`.
    pub fn diff(&self, other: &Set) -> Result<Set, SetRefusal> {
        match (self, other) {
            (Set::Listed(a), _) => Ok(filtered(a, |value| !other.contains(value))),
            (a, b) if a == b => Ok(Set::empty()),
            (Set::Symbolic(a), _) => match a.plain_diff(other) {
                Some(plain) => plain,
                None => {
                    let listed = a.elements()?;
                    Ok(filtered(&listed, |value| !other.contains(value)))
                }
            },
        }
    }
}

/// Both ascending lists in one.
fn merge(a: &Arc<[Value]>, b: &Arc<[Value]>) -> Arc<[Value]> {
    if b.is_empty() {
        return a.clone();
    }
    if a.is_empty() {
        return b.clone();
    }
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::with_capacity(a.len() + b.len());
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        both.push(
            if order == Ordering::Greater {
                &b[j]
            } else {
                &a[i]
            }
            .clone(),
        );
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    both.extend(a[i..].iter().chain(&b[j..]).cloned());
    both.into()
}

fn filtered(elements: &Arc<[Value]>, mut keep: impl FnMut(&Value) -> bool) -> Set {
    let kept: Vec<Value> = elements.iter().filter(|v| keep(v)).cloned().collect();
    if kept.len() == elements.len() {
        return Set::Listed(elements.clone());
    }
    Set::Listed(kept.into())
}

impl Ord for Set {
    fn cmp(&self, other: &Set) -> Ordering {
        match (self, other) {
            (Set::Listed(a), Set::Listed(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
            (Set::Listed(a), Set::Listed(b)) => a.cmp(b),
            (Set::Listed(_), Set::Symbolic(_)) => Ordering::Less,
            (Set::Symbolic(_), Set::Listed(_)) => Ordering::Greater,
            (Set::Symbolic(a), Set::Symbolic(b)) => a.cmp(b),
        }
    }
}

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Set::Listed(elements) => elements.hash(state),
            Set::Symbolic(symbolic) => symbolic.hash(state),
        }
    }
}
