//! States that are made of values: numbers, members of sorts, pairs, sets, and sets of such.
//!
//! A [`Signature`] says which sorts there are and which named values a state holds, with their
//! types. A state is a byte that says how far the model is set up ([`Stage`]), then the values one
//! after the other, each encoded by its type alone. Equal values have equal bytes, and other values
//! of the type have others, so states can be compared and stored as they are. Who renames members
//! needs the types and the bytes, and nothing of the language that the values came from.
//!
//! # The bytes of a value
//!
//! - A truth value: 0 or 1.
//! - A number: zigzag, then seven bits a byte, the lowest first, the high bit set on all but the
//!   last.
//! - A text: its length as a number without sign (seven bits a byte), then UTF-8.
//! - A member: its index, one byte for sorts of up to 256 members, otherwise two, the low one
//!   first.
//! - A pair or a record: the parts in order.
//! - A set of a [small](Signature::n_small) type: one bit for each value of that type, the lowest
//!   first. Values are numbered in mixed radix, the first part counting most
//!   ([`shape::Universe`]).
//! - Another set: how many, seven bits a byte, then the elements in ascending order of their bytes.
//!
//! Worked example: a sort of three members `p1 p2 p3`, the value `{(p1, 5), (p3, 2)}` is `2` (two
//! elements), `0 10` and `2 4`; renaming `p1` to `p3` and `p3` to `p1` makes `2, 2 10, 0 4`, which
//! is put in order again: `2, 0 4, 2 10`. The set `{p1, p3}` is one byte, `0b101`, and does not
//! change.

mod ground;
mod text;

pub mod bytes;
pub mod shape;

pub use ground::Ground;
pub use text::{Limit, Objection, Part, Place, Text};

use std::sync::Arc;

base::define_id!(SortId, "Which sort of a signature.");

/// What a value is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A truth value.
    Bool,
    /// A whole number.
    Int,
    /// A text.
    Text,
    /// A member of a sort.
    Member(SortId),
    /// Two values.
    Pair(Arc<Type>, Arc<Type>),
    /// A finite set.
    Set(Arc<Type>),
    /// Values with names, in ascending order of their names.
    Record(Arc<[(Arc<str>, Type)]>),
}

impl Type {
    /// A type as B writes it; `name` gives the names of sorts.
    pub fn words(&self, name: &mut dyn FnMut(SortId) -> String) -> String {
        match self {
            Type::Bool => "BOOL".to_owned(),
            Type::Int => "INTEGER".to_owned(),
            Type::Text => "STRING".to_owned(),
            Type::Member(sort) => name(*sort),
            Type::Pair(a, b) => {
                let [a, b] = [a, b].map(|part| part.words(name));
                format!("({a} * {b})")
            }
            Type::Set(inner) => match &**inner {
                Type::Pair(a, b) => {
                    let [a, b] = [a, b].map(|part| part.words(name));
                    format!("POW({a} * {b})")
                }
                inner => format!("POW({})", inner.words(name)),
            },
            Type::Record(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(field, ty)| format!("{field}: {}", ty.words(name)));
                format!("struct({})", fields.collect::<Vec<String>>().join(", "))
            }
        }
    }
}

/// A finite set whose members are atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// As the modeller wrote it.
    pub name: String,
    /// The names of its members.
    pub members: Vec<String>,
    /// Whether the model names its members: then they are alike only if that is proved.
    pub is_named: bool,
}

/// A value that a state holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// As the modeller wrote it.
    pub name: String,
    /// What it holds.
    pub ty: Type,
}

/// How far a model is set up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Stage {
    /// Constants have values, variables have none.
    Constants = 0,
    /// All have values.
    Running = 1,
}

/// What states are made of.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Signature {
    /// By [`SortId`].
    pub sorts: Vec<Sort>,
    /// What every state holds.
    pub constants: Vec<Field>,
    /// What states hold besides from [`Stage::Running`] on.
    pub variables: Vec<Field>,
}

/// Sets over types with more values than this are lists.
pub const BITS_MAX: usize = 2048;

impl Signature {
    /// The sort of an id.
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    /// How many values a type has, if sets over it are bit sets: it is made of truth values,
    /// members, pairs and records, and has at most [`BITS_MAX`] values.
    pub fn n_small(&self, ty: &Type) -> Option<usize> {
        let n = match ty {
            Type::Bool => 2,
            Type::Member(sort) => self.sort(*sort).members.len(),
            Type::Pair(left, right) => self.n_small(left)?.checked_mul(self.n_small(right)?)?,
            Type::Record(fields) => {
                let mut n = 1usize;
                for (_, ty) in fields.iter() {
                    n = n.checked_mul(self.n_small(ty)?)?;
                }
                n
            }
            Type::Int | Type::Text | Type::Set(_) => return None,
        };
        (n <= BITS_MAX).then_some(n)
    }
}
