//! Values of B: truth values, numbers, texts, members of given sets, pairs, finite sets, records.
//!
//! Relations, functions and sequences are sets of pairs, as in B. Operators on finite values are
//! methods of [`Set`]; what B leaves undefined is a [`ValueError`], in ProB's reading. Values are
//! typed by whoever makes them: to ask a number for its elements is a mistake of ours and panics.
//!
//! Worked example: over a given set with members `p1 p2`, the function `{p1 |-> TRUE}` overridden
//! with `{p1 |-> FALSE, p2 |-> TRUE}` is a set of two pairs; applied to `p2` it gives `TRUE`, its
//! domain is `{p1, p2}`, and applied outside of that it is undefined.

pub(crate) mod builder;
pub(crate) mod bytes;
mod flat;
pub(crate) mod number;
pub(crate) mod relation;
pub(crate) mod sequence;
pub(crate) mod set;
pub mod show;
pub(crate) mod subsets;
pub(crate) mod symbolic;
#[cfg(test)]
mod twin;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;

pub use builder::SetBuilder;
use model::values::SortId;
pub use set::Set;
pub use symbolic::Symbolic;

/// A value. The order is total and fixed: by kind, then by content, sets as the ascending lists of
/// their elements in dictionary order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// `FALSE`, `TRUE`.
    Bool(bool),
    /// A number of 64 bits.
    Int(i64),
    /// A number that does not fit into 64 bits.
    Big(Arc<BigInt>),
    /// A text.
    Text(Arc<str>),
    /// A member of a given set.
    Member(Member),
    /// `a |-> b`.
    Pair(Arc<(Value, Value)>),
    /// A finite set, all of whose elements are at hand.
    Set(Set),
    /// The fields of a record in the order of its type.
    Record(Arc<[Value]>),
    /// A set that is kept by what defines it.
    Symbolic(Arc<Symbolic>),
}

/// A member of a given set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    /// Of which set.
    pub sort: SortId,
    /// Which one.
    pub index: u32,
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueError {
    /// A function is applied outside of its domain.
    Outside,
    /// A relation is applied where it has several values.
    NotFunction,
    /// The operator is not defined for the empty set: which operator.
    EmptySet(&'static str),
    /// The operator is not defined for the empty sequence: which operator.
    EmptySequence(&'static str),
    /// The operator is defined for sequences only: which operator.
    NotSequence(&'static str),
    /// A number is negative where it must not be: of which operator.
    Negative(&'static str),
    /// More elements are to be taken or dropped than the sequence has.
    TooLong(&'static str),
    /// Division by zero.
    DivisionByZero,
    /// The number has too many bits to be made.
    TooLarge,
    /// An explicit set is needed, and an element is a symbolic one: by which operator.
    Symbolic(&'static str),
}

/// Why a function has no value at an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ApplyError {
    /// The argument is not in the domain.
    Outside,
    /// There are several values.
    NotFunction,
}

impl From<ApplyError> for ValueError {
    fn from(error: ApplyError) -> ValueError {
        match error {
            ApplyError::Outside => ValueError::Outside,
            ApplyError::NotFunction => ValueError::NotFunction,
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::Outside => write!(f, "the function is applied outside of its domain"),
            ValueError::NotFunction => {
                write!(
                    f,
                    "the relation has several values at the argument it is applied to"
                )
            }
            ValueError::EmptySet(what) => write!(f, "{what} of the empty set"),
            ValueError::EmptySequence(what) => write!(f, "{what} of the empty sequence"),
            ValueError::NotSequence(what) => {
                write!(f, "{what} of a relation that is not a sequence")
            }
            ValueError::Negative(what) => write!(f, "{what} of a negative number"),
            ValueError::TooLong(what) => {
                write!(f, "{what} of more elements than the sequence has")
            }
            ValueError::DivisionByZero => write!(f, "division by zero"),
            ValueError::TooLarge => write!(f, "the number is too large"),
            ValueError::Symbolic(what) => {
                write!(f, "{what} of a set whose elements cannot be listed")
            }
        }
    }
}

impl Value {
    /// The member of a given set with this index.
    pub fn member(sort: SortId, index: usize) -> Value {
        let index = u32::try_from(index).expect("given sets have less than 2^32 members");
        Value::Member(Member { sort, index })
    }

    /// `left |-> right`.
    pub fn pair(left: Value, right: Value) -> Value {
        Value::Pair(Arc::new((left, right)))
    }

    /// A text.
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// A record with these fields, in the order of its type.
    pub fn record(fields: Vec<Value>) -> Value {
        Value::Record(Arc::from(fields))
    }

    /// The tuple of values, nested to the left: `((a |-> b) |-> c)`.
    ///
    /// # Requires
    /// There is at least one.
    pub fn tuple(values: impl IntoIterator<Item = Value>) -> Value {
        let made = values.into_iter().reduce(Value::pair);
        made.expect("a tuple has at least one part")
    }

    /// The number of 64 bits that this is; panics for other values.
    pub(crate) fn as_int(&self) -> i64 {
        match self {
            Value::Int(int) => *int,
            other => panic!("{other:?} is no number"),
        }
    }

    /// The parts of the pair this is; panics for other values.
    pub(crate) fn as_pair(&self) -> (&Value, &Value) {
        match self {
            Value::Pair(pair) => (&pair.0, &pair.1),
            other => panic!("{other:?} is no pair"),
        }
    }

    /// The fields of the record this is; panics for other values.
    pub(crate) fn as_record(&self) -> &[Value] {
        match self {
            Value::Record(fields) => fields,
            other => panic!("{other:?} is no record"),
        }
    }

    /// The explicit set this is; `None` for a symbolic one; panics for other values.
    pub(crate) fn as_set(&self) -> Option<&Set> {
        match self {
            Value::Set(set) => Some(set),
            Value::Symbolic(_) => None,
            other => panic!("{other:?} is no set"),
        }
    }
}

impl Value {
    /// The place of its kind in the order of values.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Big(_) => 1,
            Value::Text(_) => 2,
            Value::Member(_) => 3,
            Value::Pair(_) => 4,
            Value::Set(_) => 5,
            Value::Record(_) => 6,
            Value::Symbolic(_) => 7,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
                number::compare(self, other)
            }
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Member(a), Value::Member(b)) => a.cmp(b),
            (Value::Pair(a), Value::Pair(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => a.cmp(b),
            (Value::Record(a), Value::Record(b)) => a.cmp(b),
            (Value::Symbolic(a), Value::Symbolic(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Value {
        Value::Bool(bool)
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Value {
        Value::Int(int)
    }
}

impl From<Set> for Value {
    fn from(set: Set) -> Value {
        Value::Set(set)
    }
}
