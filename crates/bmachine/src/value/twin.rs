//! Plain values for tests: sets are ordered trees, operators are their definitions.
//!
//! [`Twin`] shares nothing with `Set`: its order is derived from its own parts, and its sets are
//! trees. A test makes random values of a random type as twins, turns them into values, applies an
//! operator to both and compares, also the order and the bytes.

mod laws;
mod operators;
mod sequences;

use std::collections::BTreeSet;
use std::sync::Arc;

use fastrand::Rng;
use model::values::{Signature, Sort, SortId, Type};
use num_bigint::BigInt;

use super::{Set, Value, number};

pub type TwinSet = BTreeSet<Twin>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Twin {
    Bool(bool),
    Int(i128),
    Text(String),
    Member(SortId, u32),
    Pair(Box<(Twin, Twin)>),
    Set(TwinSet),
    Record(Vec<Twin>),
}

/// How many members the sorts have: around all the limits there are.
pub const SIZES: [usize; 7] = [1, 2, 5, 12, 40, 100, 300];

pub fn signature() -> Signature {
    let sort = |n: &usize| Sort {
        name: format!("S{n}"),
        members: (1..=*n).map(|i| format!("m{n}_{i}")).collect(),
        is_named: false,
    };
    Signature {
        sorts: SIZES.iter().map(sort).collect(),
        ..Signature::default()
    }
}

impl Twin {
    pub fn pair(left: Twin, right: Twin) -> Twin {
        Twin::Pair(Box::new((left, right)))
    }

    pub fn parts(&self) -> (&Twin, &Twin) {
        match self {
            Twin::Pair(pair) => (&pair.0, &pair.1),
            other => panic!("{other:?} is no pair"),
        }
    }

    /// The value that this is the twin of; sets are made from lists in random order.
    pub fn value(&self, rng: &mut Rng) -> Value {
        match self {
            Twin::Bool(bool) => Value::Bool(*bool),
            Twin::Int(int) => number::of(BigInt::from(*int)),
            Twin::Text(text) => Value::text(text),
            Twin::Member(sort, index) => Value::member(*sort, *index as usize),
            Twin::Pair(pair) => Value::pair(pair.0.value(rng), pair.1.value(rng)),
            Twin::Set(set) => Value::Set(set_of(set, rng)),
            Twin::Record(fields) => {
                Value::record(fields.iter().map(|field| field.value(rng)).collect())
            }
        }
    }

    /// The twin of a value.
    pub fn of(value: &Value) -> Twin {
        match value {
            Value::Bool(bool) => Twin::Bool(*bool),
            Value::Int(int) => Twin::Int(i128::from(*int)),
            Value::Big(big) => Twin::Int(i128::try_from(&**big).expect("it has 128 bits")),
            Value::Text(text) => Twin::Text(text.to_string()),
            Value::Member(member) => Twin::Member(member.sort, member.index),
            Value::Pair(pair) => Twin::pair(Twin::of(&pair.0), Twin::of(&pair.1)),
            Value::Set(set) => Twin::Set(twin_of(set)),
            Value::Record(fields) => Twin::Record(fields.iter().map(Twin::of).collect()),
            Value::Symbolic(_) => panic!("symbolic sets have no twin"),
        }
    }
}

/// The set that a tree is the twin of, made from a list in random order with repetitions.
pub(crate) fn set_of(set: &TwinSet, rng: &mut Rng) -> Set {
    let mut elements: Vec<Value> = set.iter().map(|element| element.value(rng)).collect();
    if let Some(again) = rng.choice(&elements).cloned() {
        elements.push(again);
    }
    rng.shuffle(&mut elements);
    Set::from_vec(elements)
}

/// The twin of a set; the set must give its elements in the order of twins.
pub(crate) fn twin_of(set: &Set) -> TwinSet {
    let elements: Vec<Twin> = set.iter().map(|element| Twin::of(&element)).collect();
    assert!(
        elements.is_sorted_by(|a, b| a < b),
        "{set:?} is not in order"
    );
    assert_eq!(set.len(), elements.len());
    elements.into_iter().collect()
}

/// A type of this depth at most, of any kind.
pub(crate) fn random_type(depth: usize, rng: &mut Rng) -> Type {
    match rng.usize(0..if depth == 0 { 6 } else { 10 }) {
        0 => Type::Bool,
        1 | 2 => Type::Int,
        3 if rng.u8(0..4) == 0 => Type::Text,
        3..=5 => Type::Member(SortId::new(rng.usize(0..SIZES.len()))),
        6 | 7 => {
            let left = Arc::new(random_type(depth - 1, rng));
            Type::Pair(left, Arc::new(random_type(depth - 1, rng)))
        }
        8 => Type::Set(Arc::new(random_type(depth - 1, rng))),
        _ => {
            let field = |name: &str, rng: &mut Rng| (Arc::from(name), random_type(depth - 1, rng));
            Type::Record(Arc::from(vec![field("a", rng), field("b", rng)]))
        }
    }
}

/// A value of a type; numbers are mostly small, and often just about the limits there are.
pub fn random_value(ty: &Type, rng: &mut Rng) -> Twin {
    match ty {
        Type::Bool => Twin::Bool(rng.bool()),
        Type::Int => Twin::Int(match rng.u8(0..20) {
            0..=8 => rng.i128(0..8),
            9..=12 => rng.i128(0..40),
            13 | 14 => rng.i128(60..70),
            15 | 16 => rng.i128(-5..5),
            17 => i128::from(i32::MAX) + rng.i128(-1..=1),
            18 => i128::from(i32::MIN) + rng.i128(-1..=1),
            _ => *rng
                .choice(&[
                    i128::from(i64::MIN),
                    i128::from(i64::MIN) - 1,
                    i128::from(i64::MAX),
                    i128::from(i64::MAX) + 1,
                    -(1 << 100),
                    1 << 100,
                ])
                .expect("there are some"),
        }),
        Type::Text => Twin::Text(["", "a", "b\"", "\u{fc}"][rng.usize(0..4)].to_owned()),
        Type::Member(sort) => {
            let n = SIZES[sort.index()];
            let n = if rng.bool() { n } else { n.min(8) };
            Twin::Member(*sort, rng.u32(0..n as u32))
        }
        Type::Pair(left, right) => Twin::pair(random_value(left, rng), random_value(right, rng)),
        Type::Set(element) => {
            let n = rng.usize(0..6);
            Twin::Set((0..n).map(|_| random_value(element, rng)).collect())
        }
        Type::Record(fields) => {
            Twin::Record(fields.iter().map(|(_, ty)| random_value(ty, rng)).collect())
        }
    }
}

/// A few values of a type, so that sets made of them have elements in common.
pub fn pool(ty: &Type, rng: &mut Rng) -> Vec<Twin> {
    let n = match rng.u8(0..10) {
        0..=6 => rng.usize(1..7),
        7 | 8 => rng.usize(5..20),
        _ => rng.usize(1..90),
    };
    (0..n).map(|_| random_value(ty, rng)).collect()
}

/// A set of values from a pool: none, some or nearly all.
pub fn subset(pool: &[Twin], rng: &mut Rng) -> TwinSet {
    let percent = [0, 10, 30, 60, 95][rng.usize(0..5)];
    let chosen = pool.iter().filter(|_| rng.u8(0..100) < percent);
    chosen.cloned().collect()
}

/// A relation between two pools, often a function.
pub fn relation(left: &[Twin], right: &[Twin], rng: &mut Rng) -> TwinSet {
    let is_function = rng.bool();
    let mut pairs = TwinSet::new();
    for a in subset(left, rng) {
        if is_function {
            let b = rng.choice(right).expect("pools are not empty");
            pairs.insert(Twin::pair(a, b.clone()));
        } else {
            let few = subset(right, rng);
            pairs.extend(few.into_iter().take(12).map(|b| Twin::pair(a.clone(), b)));
        }
    }
    pairs
}
