//! Random signatures, grounds and states for a seed.

use super::twin::{State, Value, all_values};
use fastrand::Rng;
use model::values::{Field, Ground, Signature, Sort, SortId, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn sort(name: &str, n: usize, is_named: bool) -> Sort {
    Sort {
        name: name.to_owned(),
        members: (1..=n).map(|i| format!("{name}{i}")).collect(),
        is_named,
    }
}

pub fn fields(types: Vec<Type>) -> Vec<Field> {
    let field = |(n, ty): (usize, Type)| Field {
        name: format!("v{n}"),
        ty,
    };
    types.into_iter().enumerate().map(field).collect()
}

pub fn pair(left: Type, right: Type) -> Type {
    Type::Pair(Arc::new(left), Arc::new(right))
}

pub fn set(element: Type) -> Type {
    Type::Set(Arc::new(element))
}

pub fn member(sort: usize) -> Type {
    Type::Member(SortId::new(sort))
}

/// A signature with grounds; the group has at most 144 elements.
pub fn signature(rng: &mut Rng) -> (Signature, Vec<Ground>) {
    let mut signature = Signature::default();
    let mut grounds = Vec::new();
    for n in 0..rng.usize(1..4) {
        let (size, is_named) = match (n, rng.u8(0..6)) {
            (0, 0) => (300, true),
            (0, 1) => (4, false),
            (_, 2) => (5, true),
            (_, 3) => (1, false),
            (0, _) => (3, false),
            (_, 4) => (2, false),
            _ => (3, true),
        };
        let name = ["A", "B", "C"][n];
        signature.sorts.push(sort(name, size, is_named));
        let last = size - 1;
        grounds.push(match (is_named, size) {
            (false, _) => Ground::Unnamed,
            (true, 300) => Ground::Exchanged(vec![vec![0, 257, last]]),
            (true, 5) => Ground::Exchanged(vec![vec![0, 3], vec![2, 4]]),
            (true, _) => Ground::Exchanged(vec![vec![0, last], vec![1]]),
        });
    }
    let n_sorts = signature.sorts.len();
    let types = |rng: &mut Rng, n: usize| (0..n).map(|_| ty(rng, n_sorts, 3)).collect();
    let (n_constants, n_variables) = (rng.usize(0..3), rng.usize(1..4));
    signature.constants = fields(types(rng, n_constants));
    signature.variables = fields(types(rng, n_variables));
    (signature, grounds)
}

fn ty(rng: &mut Rng, n_sorts: usize, depth: usize) -> Type {
    match rng.u8(0..if depth == 0 { 6 } else { 13 }) {
        0 => Type::Bool,
        1 => Type::Int,
        2 => Type::Text,
        3..=5 => member(rng.usize(0..n_sorts)),
        6..=7 => pair(ty(rng, n_sorts, depth - 1), ty(rng, n_sorts, depth - 1)),
        8 => {
            let parts = ["a", "b", "c"][..rng.usize(1..4)].iter();
            let parts = parts.map(|name| (Arc::from(*name), ty(rng, n_sorts, depth - 1)));
            Type::Record(parts.collect::<Vec<_>>().into())
        }
        _ => set(ty(rng, n_sorts, depth - 1)),
    }
}

pub fn state(rng: &mut Rng, signature: &Signature) -> State {
    let all = |rng: &mut Rng, fields: &[Field]| {
        let values = fields.iter().map(|f| value(rng, signature, &f.ty));
        values.collect()
    };
    State {
        constants: all(rng, &signature.constants),
        variables: (rng.u8(0..8) > 0).then(|| all(rng, &signature.variables)),
    }
}

fn value(rng: &mut Rng, signature: &Signature, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.bool()),
        Type::Int => Value::Int([0, 1, 1, -1, 70, 1 << 40][rng.usize(0..6)]),
        Type::Text => Value::Text(["", "a", "a longer text"][rng.usize(0..3)].to_owned()),
        Type::Member(sort) => {
            let n = signature.sort(*sort).members.len();
            // Of many members mostly those that move and their neighbours.
            let few = [0, 1, 257, 258, n - 1];
            let member = if n > 20 {
                few[rng.usize(0..5)]
            } else {
                rng.usize(0..n)
            };
            Value::Member(*sort, member)
        }
        Type::Pair(left, right) => Value::Tuple(vec![
            value(rng, signature, left),
            value(rng, signature, right),
        ]),
        Type::Record(fields) => {
            let parts = fields.iter().map(|(_, ty)| value(rng, signature, ty));
            Value::Tuple(parts.collect())
        }
        Type::Set(element) => {
            let n = rng.usize(0..6);
            let mut set: BTreeSet<Value> = (0..n).map(|_| value(rng, signature, element)).collect();
            let small = signature.n_small(element).filter(|n| *n < 20);
            if small.is_some() && rng.bool() {
                let all = all_values(signature, element);
                set.extend(all.into_iter().filter(|_| rng.bool()));
            }
            Value::Set(set)
        }
    }
}
