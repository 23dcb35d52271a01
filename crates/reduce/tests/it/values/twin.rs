//! Values as trees: written, renamed and permuted in the plainest way.

use group::Point;
use model::values::{Signature, SortId, Stage, Type};
use reduce::values::{CertifiedValues, Points};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    Member(SortId, usize),
    Tuple(Vec<Value>),
    Set(BTreeSet<Value>),
}

impl Value {
    pub fn renamed(&self, to: &dyn Fn(SortId, usize) -> usize) -> Value {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Text(_) => self.clone(),
            Value::Member(sort, member) => Value::Member(*sort, to(*sort, *member)),
            Value::Tuple(parts) => Value::Tuple(parts.iter().map(|p| p.renamed(to)).collect()),
            Value::Set(set) => Value::Set(set.iter().map(|e| e.renamed(to)).collect()),
        }
    }

    /// As the head of `model::values` says.
    fn write(&self, signature: &Signature, ty: &Type, out: &mut Vec<u8>) {
        match (self, ty) {
            (Value::Bool(yes), Type::Bool) => out.push(u8::from(*yes)),
            (Value::Int(n), Type::Int) => {
                let zigzag = if *n < 0 { -2 * n - 1 } else { 2 * n };
                number(zigzag as u64, out);
            }
            (Value::Text(text), Type::Text) => {
                number(text.len() as u64, out);
                out.extend(text.bytes());
            }
            (Value::Member(_, member), Type::Member(sort)) => {
                out.push((member % 256) as u8);
                if signature.sort(*sort).members.len() > 256 {
                    out.push((member / 256) as u8);
                }
            }
            (Value::Tuple(parts), Type::Pair(left, right)) => {
                parts[0].write(signature, left, out);
                parts[1].write(signature, right, out);
            }
            (Value::Tuple(parts), Type::Record(fields)) => {
                for (part, (_, ty)) in parts.iter().zip(fields.iter()) {
                    part.write(signature, ty, out);
                }
            }
            (Value::Set(set), Type::Set(element)) => set_bytes(set, signature, element, out),
            (value, ty) => panic!("{value:?} is no {ty:?}"),
        }
    }
}

fn set_bytes(set: &BTreeSet<Value>, signature: &Signature, element: &Type, out: &mut Vec<u8>) {
    if signature.n_small(element).is_some() {
        let all = all_values(signature, element);
        let mut bytes = vec![0; all.len().div_ceil(8)];
        for (n, value) in all.iter().enumerate() {
            bytes[n / 8] |= u8::from(set.contains(value)) << (n % 8);
        }
        out.extend(bytes);
        return;
    }
    let bytes = set.iter().map(|value| {
        let mut bytes = Vec::new();
        value.write(signature, element, &mut bytes);
        bytes
    });
    let bytes: BTreeSet<Vec<u8>> = bytes.collect();
    number(bytes.len() as u64, out);
    out.extend(bytes.into_iter().flatten());
}

fn number(n: u64, out: &mut Vec<u8>) {
    if n < 128 {
        return out.push(n as u8);
    }
    out.push((n % 128 + 128) as u8);
    number(n / 128, out);
}

/// All values of a small type, in order of their parts.
pub fn all_values(signature: &Signature, ty: &Type) -> Vec<Value> {
    match ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Member(sort) => {
            let n = signature.sort(*sort).members.len();
            (0..n).map(|m| Value::Member(*sort, m)).collect()
        }
        Type::Pair(left, right) => {
            tuples(&[all_values(signature, left), all_values(signature, right)])
        }
        Type::Record(fields) => {
            let parts = fields.iter().map(|(_, ty)| all_values(signature, ty));
            tuples(&parts.collect::<Vec<_>>())
        }
        Type::Int | Type::Text | Type::Set(_) => panic!("{ty:?} is not small"),
    }
}

fn tuples(parts: &[Vec<Value>]) -> Vec<Value> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for part in parts {
        let longer = all.iter().flat_map(|start| {
            part.iter().map(|value| {
                let mut tuple = start.clone();
                tuple.push(value.clone());
                tuple
            })
        });
        all = longer.collect();
    }
    all.into_iter().map(Value::Tuple).collect()
}

/// A state before it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub constants: Vec<Value>,
    pub variables: Option<Vec<Value>>,
}

impl State {
    /// A state of a signature without constants.
    pub fn running(variables: Vec<Value>) -> State {
        State {
            constants: Vec::new(),
            variables: Some(variables),
        }
    }

    pub fn bytes(&self, signature: &Signature) -> Vec<u8> {
        let stage = match self.variables {
            None => Stage::Constants,
            Some(_) => Stage::Running,
        };
        let mut out = vec![stage as u8];
        for (value, field) in self.constants.iter().zip(&signature.constants) {
            value.write(signature, &field.ty, &mut out);
        }
        for (value, field) in self.variables.iter().flatten().zip(&signature.variables) {
            value.write(signature, &field.ty, &mut out);
        }
        out
    }

    pub fn renamed(&self, points: &Points, image: &[Point]) -> State {
        let names: BTreeMap<(usize, usize), usize> = (0..points.len() as Point)
            .map(|x| {
                let (sort, member) = points.member(x);
                let (same_sort, to) = points.member(image[x as usize]);
                assert_eq!(sort, same_sort, "a member became one of another sort");
                ((sort.index(), member), to)
            })
            .collect();
        let to = |sort: SortId, member: usize| {
            let new = names.get(&(sort.index(), member));
            new.copied().unwrap_or(member)
        };
        let all = |values: &[Value]| values.iter().map(|v| v.renamed(&to)).collect();
        State {
            constants: all(&self.constants),
            variables: self.variables.as_deref().map(all),
        }
    }

    /// The bytes of all states of the orbit.
    pub fn orbit(&self, signature: &Signature, certified: &CertifiedValues) -> BTreeSet<Vec<u8>> {
        let points = certified.act().points();
        let images = elements(certified);
        let bytes = images
            .iter()
            .map(|image| self.renamed(points, image).bytes(signature));
        bytes.collect()
    }
}

/// All permutations of points that keep blocks, made from the blocks of members.
pub fn elements(certified: &CertifiedValues) -> Vec<Vec<Point>> {
    let points = certified.act().points();
    let mut all: Vec<Vec<Point>> = vec![(0..points.len() as Point).collect()];
    for (sort, blocks) in certified.blocks().iter().enumerate() {
        for block in blocks {
            let sort = SortId::new(sort);
            let places: Vec<Point> = block.iter().map(|m| points.of(sort, *m)).collect();
            if (places[0] as usize) >= points.len() {
                continue;
            }
            let mut longer = Vec::new();
            for order in orders(places.len()) {
                for image in &all {
                    let mut image = image.clone();
                    for (from, to) in places.iter().zip(&order) {
                        image[*from as usize] = places[*to];
                    }
                    longer.push(image);
                }
            }
            all = longer;
        }
    }
    all
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for order in orders(n - 1) {
        for place in 0..n {
            let mut order = order.clone();
            order.insert(place, n - 1);
            all.push(order);
        }
    }
    all
}
