//! How the bytes of a type are walked over, worked out once.
//!
//! A [`Shape`] is a type with all sizes looked up. A [`Universe`] numbers the values of a small
//! type, whose sets are bit sets: the type is a product of truth values and members, and a value is
//! a number in mixed radix, the first part counting most.
//!
//! Worked example: pairs of a member of three and a truth value have six values. `(p2, TRUE)` is
//! number 1·2 + 1 = 3, so the set that holds just it is one byte, `0b1000`; its own bytes are
//! `1 1`.

use super::bytes::{Reader, put_member};
use super::{Signature, SortId, Type};

/// A type, ready to be walked over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One byte, 0 or 1.
    Bool,
    /// A number.
    Int,
    /// A text.
    Text,
    /// A member of a sort of so many.
    Member(SortId, usize),
    /// A pair or a record: one after the other.
    Parts(Vec<Shape>),
    /// A set as bits.
    Bits(Universe),
    /// A set as a list.
    List(Box<Shape>),
}

impl Shape {
    /// The shape of a type.
    pub fn of(signature: &Signature, ty: &Type) -> Shape {
        match ty {
            Type::Bool => Shape::Bool,
            Type::Int => Shape::Int,
            Type::Text => Shape::Text,
            Type::Member(sort) => Shape::Member(*sort, signature.sort(*sort).members.len()),
            Type::Pair(left, right) => Shape::Parts(vec![
                Shape::of(signature, left),
                Shape::of(signature, right),
            ]),
            Type::Record(fields) => {
                let parts = fields.iter().map(|(_, ty)| Shape::of(signature, ty));
                Shape::Parts(parts.collect())
            }
            Type::Set(element) => match Universe::of(signature, element) {
                Some(universe) => Shape::Bits(universe),
                None => Shape::List(Box::new(Shape::of(signature, element))),
            },
        }
    }

    /// Goes over a value.
    pub fn skip(&self, reader: &mut Reader<'_>) {
        match self {
            Shape::Bool => {
                reader.byte();
            }
            Shape::Int => {
                reader.number();
            }
            Shape::Text => {
                reader.text();
            }
            Shape::Member(_, n) => {
                reader.member(*n);
            }
            Shape::Parts(parts) => parts.iter().for_each(|part| part.skip(reader)),
            Shape::Bits(universe) => {
                reader.take(universe.n_bytes());
            }
            Shape::List(element) => {
                for _ in 0..reader.unsigned() {
                    element.skip(reader);
                }
            }
        }
    }

    /// How many bytes every value has, if all have the same number.
    pub fn fixed_size(&self) -> Option<usize> {
        match self {
            Shape::Bool => Some(1),
            Shape::Int | Shape::Text | Shape::List(_) => None,
            Shape::Member(_, n) => Some(1 + usize::from(super::bytes::is_wide(*n))),
            Shape::Parts(parts) => parts.iter().map(Shape::fixed_size).sum(),
            Shape::Bits(universe) => Some(universe.n_bytes()),
        }
    }

    /// Calls `visit` with every sort that a value may hold members of, each time it is met.
    pub fn visit_sorts(&self, visit: &mut dyn FnMut(SortId)) {
        match self {
            Shape::Bool | Shape::Int | Shape::Text => {}
            Shape::Member(sort, _) => visit(*sort),
            Shape::Parts(parts) => parts.iter().for_each(|part| part.visit_sorts(visit)),
            Shape::Bits(universe) => {
                let sorts = universe.digits.iter().filter_map(|digit| digit.sort);
                sorts.for_each(visit);
            }
            Shape::List(element) => element.visit_sorts(visit),
        }
    }
}

/// A part of a value of a small type that is not made of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// What it is a member of; `None` for a truth value.
    pub sort: Option<SortId>,
    /// How many values it has.
    pub n: usize,
}

/// The values of a small type, numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Universe {
    /// The parts of a value, in order; the first counts most.
    pub digits: Vec<Digit>,
    n: usize,
}

impl Universe {
    /// The values of `ty`, if sets over it are bit sets.
    pub fn of(signature: &Signature, ty: &Type) -> Option<Universe> {
        let n = signature.n_small(ty)?;
        let mut digits = Vec::new();
        push_digits(signature, ty, &mut digits);
        Some(Universe { digits, n })
    }

    /// How many values there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// How many bytes a set takes.
    #[inline]
    pub fn n_bytes(&self) -> usize {
        self.n.div_ceil(8)
    }

    /// Reads a value; gives its number.
    pub fn read(&self, reader: &mut Reader<'_>) -> usize {
        let mut index = 0;
        for digit in &self.digits {
            let value = match digit.sort {
                None => usize::from(reader.byte()),
                Some(_) => reader.member(digit.n),
            };
            index = index * digit.n + value;
        }
        index
    }

    /// Writes the value of a number.
    pub fn write(&self, index: usize, out: &mut Vec<u8>) {
        let mut below = self.n;
        let mut rest = index;
        for digit in &self.digits {
            below /= digit.n;
            let value = rest / below;
            rest %= below;
            match digit.sort {
                None => out.push(value as u8),
                Some(_) => put_member(value, digit.n, out),
            }
        }
    }

    /// The parts of the value of a number.
    pub fn parts(&self, index: usize) -> Vec<usize> {
        let mut rest = index;
        let low_first = self.digits.iter().rev().map(|digit| {
            let value = rest % digit.n;
            rest /= digit.n;
            value
        });
        let mut parts: Vec<usize> = low_first.collect();
        parts.reverse();
        parts
    }

    /// The number of the value with these parts.
    pub fn number(&self, parts: impl IntoIterator<Item = usize>) -> usize {
        let parts = self.digits.iter().zip(parts);
        parts.fold(0, |index, (digit, part)| index * digit.n + part)
    }
}

fn push_digits(signature: &Signature, ty: &Type, out: &mut Vec<Digit>) {
    match ty {
        Type::Bool => out.push(Digit { sort: None, n: 2 }),
        Type::Member(sort) => out.push(Digit {
            sort: Some(*sort),
            n: signature.sort(*sort).members.len(),
        }),
        Type::Pair(left, right) => {
            push_digits(signature, left, out);
            push_digits(signature, right, out);
        }
        Type::Record(fields) => {
            for (_, ty) in fields.iter() {
                push_digits(signature, ty, out);
            }
        }
        Type::Int | Type::Text | Type::Set(_) => {}
    }
}

/// Calls `visit` with the number of each bit that is set, in ascending order.
#[inline]
pub fn visit_bits(bytes: &[u8], mut visit: impl FnMut(usize)) {
    let mut words = bytes.chunks_exact(8);
    let mut first = 0;
    let mut word_bits = |mut word: u64, first: usize| {
        while word != 0 {
            visit(first + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    };
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        word_bits(word, first);
        first += 64;
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    word_bits(u64::from_le_bytes(last), first);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Sort;
    use std::sync::Arc;

    fn signature() -> Signature {
        let sort = |n: usize| Sort {
            name: format!("S{n}"),
            members: (0..n).map(|i| format!("s{i}")).collect(),
            is_named: false,
        };
        Signature {
            sorts: vec![sort(3), sort(300), sort(4)],
            ..Signature::default()
        }
    }

    fn pair(left: Type, right: Type) -> Type {
        Type::Pair(Arc::new(left), Arc::new(right))
    }

    #[test]
    fn values_of_a_universe_are_numbered_in_order_of_their_parts() {
        let signature = signature();
        let member = |n: usize| Type::Member(SortId::new(n));
        let record: Arc<[_]> = [("a".into(), member(2)), ("b".into(), Type::Bool)].into();
        for ty in [
            Type::Bool,
            member(0),
            member(1),
            pair(member(0), Type::Bool),
            pair(pair(member(0), member(2)), Type::Record(record)),
        ] {
            let universe = Universe::of(&signature, &ty).expect("a small type");
            let shape = Shape::of(&signature, &ty);
            let mut last: Option<Vec<usize>> = None;
            for index in 0..universe.len() {
                let mut bytes = Vec::new();
                universe.write(index, &mut bytes);
                let mut reader = Reader::new(&bytes);
                assert_eq!(universe.read(&mut reader), index);
                assert!(reader.is_at_end());
                let mut reader = Reader::new(&bytes);
                shape.skip(&mut reader);
                assert!(reader.is_at_end());
                assert_eq!(shape.fixed_size(), Some(bytes.len()));
                let parts = universe.parts(index);
                assert_eq!(universe.number(parts.iter().copied()), index);
                assert!(last.is_none_or(|last| last < parts));
                last = Some(parts);
            }
        }
    }

    #[test]
    fn types_without_bound_or_with_too_many_values_have_no_universe() {
        let signature = signature();
        let member = |n: usize| Type::Member(SortId::new(n));
        for ty in [
            Type::Int,
            Type::Text,
            Type::Set(Arc::new(Type::Bool)),
            pair(member(1), pair(member(0), member(0))),
        ] {
            assert_eq!(Universe::of(&signature, &ty), None, "{ty:?}");
            let set = Type::Set(Arc::new(ty));
            assert!(matches!(Shape::of(&signature, &set), Shape::List(_)));
        }
    }

    #[test]
    fn all_bits_are_visited_in_order() {
        let mut bytes = vec![0; 19];
        let wanted = [0, 7, 8, 63, 64, 100, 128, 151];
        for bit in wanted {
            bytes[bit / 8] |= 1 << (bit % 8);
        }
        let mut found = Vec::new();
        visit_bits(&bytes, |bit| found.push(bit));
        assert_eq!(found, wanted);
    }
}
