//! Sets that are kept by what defines them, because they are infinite or large.
//!
//! `NATURAL`, `POW(S)`, `A --> B` or `%x.(x : NATURAL | x * x)` need not be written down to be
//! asked whether they contain a value, or what they give for an argument. Evaluation makes them,
//! asks them, and lists their elements only where a list is needed and there is one (`eval::sets`,
//! `eval::list`).
//!
//! Two symbolic sets that are made alike are equal. That two which are made in different ways are
//! different is not said by `==`: evaluation compares their elements.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Value;
use crate::eval::code::Closure;
use crate::typed::{Binary, Unary};

/// A set that is kept by what defines it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbolic {
    /// Numbers from the first to the second, where there is one.
    Interval(Option<Value>, Option<Value>),
    /// All texts.
    Texts,
    /// `succ` for 1, `pred` for -1.
    Step(i64),
    /// All records whose fields are elements of these sets.
    Struct(Vec<Value>),
    /// `POW`, `seq`, `id` and the like.
    Unary(Unary, Value),
    /// Sets of relations and functions, products, and operators with a symbolic operand.
    Binary(Binary, Value, Value),
    /// A comprehension or lambda, and what it found where it was evaluated.
    Closure(ClosureCode, Vec<Value>),
}

/// A comprehension or lambda: the same if it stands at the same place of the text.
#[derive(Clone, Debug)]
pub struct ClosureCode(pub Arc<Closure>);

impl PartialEq for ClosureCode {
    fn eq(&self, other: &ClosureCode) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for ClosureCode {}

impl PartialOrd for ClosureCode {
    fn partial_cmp(&self, other: &ClosureCode) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ClosureCode {
    fn cmp(&self, other: &ClosureCode) -> Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

impl Hash for ClosureCode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.number.hash(state);
    }
}
