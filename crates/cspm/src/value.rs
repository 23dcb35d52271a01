//! Values of CSPM: numbers, truth values, characters, sequences, sets, maps, tuples, dotted values,
//! what constructors and channels make, functions, and processes as the ids of their terms.
//!
//! Evaluation is by need, so a value may hold parts that are not worked out yet: a [`Thunk`]. The
//! evaluator forces them; here a part that is not worked out is equal to itself only. What enters a
//! set, a map or a dotted value is worked out in full before, so those are compared by content.
//!
//! Worked example: with `datatype T = A | B.{0..1}` the value `B.1` is made by the constructor `B`
//! with the field 1, and `{B.1, A}` is kept as `A, B.1`: constructors are ordered as they were
//! declared. `3.true` belongs to no constructor and is a plain dotted value of two fields.
//!
//! The order is total and fixed, and it is the one in which sets are printed and enumerated:
//! numbers by size, `false` before `true`, constructors by declaration, sequences, tuples and
//! dotted values in dictionary order, sets as the ascending lists of their elements.

mod equal;
pub(crate) mod sequence;
pub(crate) mod set;
pub(crate) mod show;
pub(crate) mod symbolic;
mod thunk;

pub use sequence::Seq;
pub use set::Set;
pub use thunk::{Thunk, Todo};

use crate::process::TermId;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

base::define_id!(MakerId, "Which constructor or channel of a script.");
base::define_id!(FnId, "Which function of a compiled script.");
base::define_id!(LazyId, "Which suspended expression of a compiled script.");
base::define_id!(
    GroupId,
    "Which group of mutually recursive local definitions."
);

/// A value, possibly with parts that are not worked out yet.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Int(i64),
    /// `true`, `false`.
    Bool(bool),
    /// A character.
    Char(char),
    /// A sequence; texts are sequences of characters.
    Seq(Seq),
    /// A tuple of two or more, or of none.
    Tuple(Arc<[Value]>),
    /// A set.
    Set(Set),
    /// A map.
    Map(Arc<BTreeMap<Value, Value>>),
    /// A dotted value that no constructor or channel heads: two or more fields.
    Dot(Arc<[Value]>),
    /// A constructor or channel with as many of its fields as are there.
    Made(MakerId, Arc<[Value]>),
    /// A function.
    Function(Arc<Function>),
    /// A process.
    Process(TermId),
    /// Local definitions that need each other; seen by the evaluator only.
    Group(Arc<DefinitionGroup>),
    /// Not worked out yet, or worked out and kept there; seen by the evaluator only.
    Thunk(Arc<Thunk>),
}

/// A function as a value.
#[derive(Debug)]
pub enum Function {
    /// One of the script, with what it sees around it.
    Closure {
        code: FnId,
        /// The values of its free variables.
        captured: Arc<[Value]>,
        /// What it was given before it has all its lists of arguments.
        given: Arc<[Value]>,
    },
    /// One of the language.
    BuiltIn(BuiltIn),
    /// `relational_image(R)`: pairs by their first component.
    Image(Arc<BTreeMap<Value, Set>>),
}

/// A function that the language brings, by its place in the table of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuiltIn(pub u16);

/// Local definitions that need each other, with what they see around them. Equal groups with equal
/// surroundings are the same: what they have worked out so far does not count.
#[derive(Debug)]
pub struct DefinitionGroup {
    pub id: GroupId,
    /// The values of its free variables.
    pub captured: Arc<[Value]>,
    /// What members without parameters are worth, where it is known.
    pub cells: Box<[OnceLock<Value>]>,
}

impl Value {
    /// The empty tuple, which stands in slots that nothing was put into yet.
    pub fn nothing() -> Value {
        Value::Bool(false)
    }

    /// A sequence of characters.
    pub fn text(text: &str) -> Value {
        Value::Seq(Seq::from(text.chars().map(Value::Char).collect::<Vec<_>>()))
    }

    /// A tuple.
    pub fn tuple(parts: impl Into<Arc<[Value]>>) -> Value {
        Value::Tuple(parts.into())
    }

    /// This value without wrappers around it that are worked out.
    pub fn seen(&self) -> &Value {
        let mut value = self;
        while let Value::Thunk(thunk) = value {
            match thunk.done() {
                Some(done) => value = done,
                None => break,
            }
        }
        value
    }

    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.seen() {
            Value::Int(_) => "a number",
            Value::Bool(_) => "a truth value",
            Value::Char(_) => "a character",
            Value::Seq(_) => "a sequence",
            Value::Tuple(_) => "a tuple",
            Value::Set(_) => "a set",
            Value::Map(_) => "a map",
            Value::Dot(_) => "a dotted value",
            Value::Made(..) => "a value of a datatype or channel",
            Value::Function(_) => "a function",
            Value::Process(_) => "a process",
            Value::Group(_) | Value::Thunk(_) => "something not worked out",
        }
    }
}
