//! Equality, order and hash of values, by content where the content is known.
//!
//! A part that is not worked out equals itself only, and is ordered by where it lies in memory; the
//! evaluator sees to it that no such part decides anything a user can see.

use super::sequence::SequencePart;
use super::{DefinitionGroup, Function, Seq, Set, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Made(a, x), Value::Made(b, y)) => a == b && (Arc::ptr_eq(x, y) || x == y),
            _ => self.cmp(other) == Ordering::Equal,
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self.seen(), other.seen()) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Char(a), Value::Char(b)) => a.cmp(b),
            (Value::Seq(a), Value::Seq(b)) => a.cmp(b),
            (Value::Tuple(a), Value::Tuple(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => a.cmp(b),
            (Value::Map(a), Value::Map(b)) => a.cmp(b),
            (Value::Dot(a), Value::Dot(b)) => a.cmp(b),
            (Value::Made(a, x), Value::Made(b, y)) => a.cmp(b).then_with(|| x.cmp(y)),
            (Value::Function(a), Value::Function(b)) => a.cmp(b),
            (Value::Process(a), Value::Process(b)) => a.cmp(b),
            (Value::Group(a), Value::Group(b)) => a.cmp(b),
            (Value::Thunk(a), Value::Thunk(b)) => Arc::as_ptr(a).cmp(&Arc::as_ptr(b)),
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }
}

/// Where a kind of value stands among the kinds.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) => 0,
        Value::Bool(_) => 1,
        Value::Char(_) => 2,
        Value::Seq(_) => 3,
        Value::Tuple(_) => 4,
        Value::Set(_) => 5,
        Value::Map(_) => 6,
        Value::Made(..) => 7,
        Value::Dot(_) => 8,
        Value::Function(_) => 9,
        Value::Process(_) => 10,
        Value::Group(_) => 11,
        Value::Thunk(_) => 12,
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let value = self.seen();
        state.write_u8(rank(value));
        match value {
            Value::Int(n) => n.hash(state),
            Value::Bool(b) => b.hash(state),
            Value::Char(c) => c.hash(state),
            Value::Seq(seq) => seq.hash(state),
            Value::Tuple(parts) | Value::Dot(parts) => parts.hash(state),
            Value::Set(set) => set.hash(state),
            Value::Map(map) => map.hash(state),
            Value::Made(maker, fields) => {
                maker.hash(state);
                fields.hash(state);
            }
            Value::Function(function) => function.hash(state),
            Value::Process(term) => term.hash(state),
            Value::Group(group) => group.hash(state),
            Value::Thunk(thunk) => Arc::as_ptr(thunk).hash(state),
        }
    }
}

impl PartialEq for Seq {
    fn eq(&self, other: &Seq) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Seq {}

impl PartialOrd for Seq {
    fn partial_cmp(&self, other: &Seq) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Seq {
    fn cmp(&self, other: &Seq) -> Ordering {
        let (mut left, mut right) = (self.known(), other.known());
        loop {
            let order = match (left.next(), right.next()) {
                (None, None) => return Ordering::Equal,
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                (Some(SequencePart::Element(a)), Some(SequencePart::Element(b))) => a.cmp(b),
                (Some(SequencePart::Element(_)), Some(SequencePart::Rest(_))) => {
                    return Ordering::Less;
                }
                (Some(SequencePart::Rest(_)), Some(SequencePart::Element(_))) => {
                    return Ordering::Greater;
                }
                (Some(SequencePart::Rest(a)), Some(SequencePart::Rest(b))) => {
                    return Arc::as_ptr(a).cmp(&Arc::as_ptr(b));
                }
            };
            if order != Ordering::Equal {
                return order;
            }
        }
    }
}

impl Hash for Seq {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for part in self.known() {
            match part {
                SequencePart::Element(value) => value.hash(state),
                SequencePart::Rest(thunk) => Arc::as_ptr(thunk).hash(state),
            }
        }
        state.write_u8(0xff);
    }
}

impl Function {
    /// What tells it from others.
    fn key(&self) -> (u32, &[Value], &[Value], usize) {
        match self {
            Function::Closure {
                code,
                captured,
                given,
            } => (code.index() as u32, captured, given, 0),
            Function::BuiltIn(which) => (u32::from(which.0), &[], &[], 1),
            Function::Image(_) => (0, &[], &[], 2),
        }
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Function {}

impl PartialOrd for Function {
    fn partial_cmp(&self, other: &Function) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Function {
    fn cmp(&self, other: &Function) -> Ordering {
        match (self, other) {
            (Function::Image(a), Function::Image(b)) => a.cmp(b),
            _ => self.key().cmp(&other.key()),
        }
    }
}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
        if let Function::Image(map) = self {
            map.hash(state);
        }
    }
}

impl PartialEq for DefinitionGroup {
    fn eq(&self, other: &DefinitionGroup) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for DefinitionGroup {}

impl PartialOrd for DefinitionGroup {
    fn partial_cmp(&self, other: &DefinitionGroup) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DefinitionGroup {
    fn cmp(&self, other: &DefinitionGroup) -> Ordering {
        let own = (self.id, &self.captured);
        own.cmp(&(other.id, &other.captured))
    }
}

impl Hash for DefinitionGroup {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
        self.captured.hash(state);
    }
}

/// Sets are compared by their elements where these are at hand, and by how they are given if not.
impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Set {}

impl PartialOrd for Set {
    fn partial_cmp(&self, other: &Set) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
