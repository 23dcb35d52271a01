//! Values as bytes, and back, in the format of `system::values`.
//!
//! A [`Codec`] is a type with all sizes of sorts looked up, made once and used for every state. The
//! bytes of a value are decided by it and its type, and no other value of the type has the same.
//!
//! Worked example: for a sort of three members `p1 p2 p3`, the set `{p1, p3}` is one byte `0b101`;
//! the function `{p1 |-> TRUE, p3 |-> FALSE}` is one bit for each of the six pairs, `p1 |-> FALSE`
//! the lowest: `0b010010`; and `{p1 |-> 5, p3 |-> 2}` is a list, `2, 0 10, 2 4`.

use std::sync::Arc;

use system::values::bytes::{Reader, put_member, put_signed, put_text, put_unsigned};
use system::values::shape::visit_bits;
use system::values::{Signature, SortId, Type};

use super::{Builder, Set, Value};

/// A value has a part that is a symbolic set, and such sets have no bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotFinite;

/// Writes the bytes of a value of a type; what was written is undefined after an error.
pub fn encode(
    signature: &Signature,
    ty: &Type,
    value: &Value,
    out: &mut Vec<u8>,
) -> Result<(), NotFinite> {
    Codec::of(signature, ty).encode(value, out)
}

/// The value of a type whose bytes come first; they are taken away.
///
/// # Requires
/// The bytes were written by [`encode`] for the same type.
pub fn decode(signature: &Signature, ty: &Type, bytes: &mut &[u8]) -> Value {
    let mut reader = Reader::new(bytes);
    let value = Codec::of(signature, ty).decode(&mut reader);
    *bytes = &bytes[reader.at()..];
    value
}

/// A type, ready for writing and reading its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Codec {
    /// One byte.
    Bool,
    /// A number.
    Int,
    /// A text.
    Text,
    /// A member of a sort of so many.
    Member(SortId, usize),
    /// The left part, then the right one.
    Pair(Box<(Codec, Codec)>),
    /// One field after the other.
    Record(Vec<Codec>),
    /// One bit for each of so many elements.
    Bits(Box<Codec>, usize),
    /// How many elements, then these in the order of their bytes.
    List(Box<Codec>),
}

impl Codec {
    /// The codec of a type.
    pub fn of(signature: &Signature, ty: &Type) -> Codec {
        match ty {
            Type::Bool => Codec::Bool,
            Type::Int => Codec::Int,
            Type::Text => Codec::Text,
            Type::Member(sort) => Codec::Member(*sort, signature.sort(*sort).members.len()),
            Type::Pair(left, right) => {
                let parts = (Codec::of(signature, left), Codec::of(signature, right));
                Codec::Pair(Box::new(parts))
            }
            Type::Record(fields) => Codec::Record(
                fields
                    .iter()
                    .map(|(_, ty)| Codec::of(signature, ty))
                    .collect(),
            ),
            Type::Set(element) => {
                let codec = Box::new(Codec::of(signature, element));
                match signature.n_small(element) {
                    Some(n) => Codec::Bits(codec, n),
                    None => Codec::List(codec),
                }
            }
        }
    }

    /// Writes the bytes of a value of the type; what was written is undefined after an error.
    pub fn encode(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), NotFinite> {
        match (self, value) {
            (_, Value::Symbolic(_)) => return Err(NotFinite),
            (Codec::Bool, Value::Bool(bool)) => out.push(u8::from(*bool)),
            (Codec::Int, Value::Int(int)) => put_signed(*int, out),
            (Codec::Text, Value::Text(text)) => put_text(text, out),
            (Codec::Member(sort, n), Value::Member(member)) => {
                debug_assert_eq!(*sort, member.sort);
                put_member(member.index as usize, *n, out);
            }
            (Codec::Pair(parts), Value::Pair(pair)) => {
                parts.0.encode(&pair.0, out)?;
                parts.1.encode(&pair.1, out)?;
            }
            (Codec::Record(codecs), Value::Record(fields)) => {
                for (codec, field) in codecs.iter().zip(fields.iter()) {
                    codec.encode(field, out)?;
                }
            }
            (Codec::Bits(element, n), Value::Set(set)) => element.encode_bits(*n, set, out),
            (Codec::List(element), Value::Set(set)) => element.encode_list(set, out)?,
            (codec, value) => panic!("{value:?} is no value of {codec:?}"),
        }
        Ok(())
    }

    /// Writes a set of elements of this small type, of which there are `n`.
    fn encode_bits(&self, n: usize, set: &Set, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + n.div_ceil(8), 0);
        let mut put = |number: usize| {
            debug_assert!(number < n, "bit {number} of {n}");
            out[start + number / 8] |= 1 << (number % 8);
        };
        if let Codec::Pair(parts) = self {
            let n_right = parts.1.n_values();
            for (left, right) in set.pairs() {
                put(parts.0.number(&left) * n_right + parts.1.number(&right));
            }
        } else {
            set.iter().for_each(|element| put(self.number(&element)));
        }
    }

    /// Writes a set of elements of this type, in the order of their bytes.
    fn encode_list(&self, set: &Set, out: &mut Vec<u8>) -> Result<(), NotFinite> {
        put_unsigned(set.len() as u64, out);
        let start = out.len();
        let mut ends = Vec::with_capacity(set.len());
        if let Codec::Pair(parts) = self {
            for (left, right) in set.pairs() {
                parts.0.encode(&left, out)?;
                parts.1.encode(&right, out)?;
                ends.push(out.len());
            }
        } else {
            for element in set.iter() {
                self.encode(&element, out)?;
                ends.push(out.len());
            }
        }
        let starts = std::iter::once(start).chain(ends.iter().copied());
        let mut places: Vec<(usize, usize)> = starts.zip(ends.iter().copied()).collect();
        let bytes = |place: &(usize, usize)| &out[place.0..place.1];
        if places.is_sorted_by(|a, b| bytes(a) < bytes(b)) {
            return Ok(());
        }
        places.sort_unstable_by(|a, b| bytes(a).cmp(bytes(b)));
        let mut sorted = Vec::with_capacity(out.len() - start);
        for (from, to) in places {
            sorted.extend_from_slice(&out[from..to]);
        }
        out[start..].copy_from_slice(&sorted);
        Ok(())
    }

    /// How many values this small type has.
    fn n_values(&self) -> usize {
        match self {
            Codec::Bool => 2,
            Codec::Member(_, n) => *n,
            Codec::Pair(parts) => parts.0.n_values() * parts.1.n_values(),
            Codec::Record(fields) => fields.iter().map(Codec::n_values).product(),
            other => panic!("{other:?} is not small"),
        }
    }

    /// Which value of this small type it is: the first part counts most.
    fn number(&self, value: &Value) -> usize {
        match (self, value) {
            (Codec::Bool, Value::Bool(bool)) => usize::from(*bool),
            (Codec::Member(..), Value::Member(member)) => member.index as usize,
            (Codec::Pair(parts), Value::Pair(pair)) => {
                parts.0.number(&pair.0) * parts.1.n_values() + parts.1.number(&pair.1)
            }
            (Codec::Record(codecs), Value::Record(fields)) => {
                let fields = codecs.iter().zip(fields.iter());
                fields.fold(0, |number, (codec, field)| {
                    number * codec.n_values() + codec.number(field)
                })
            }
            (codec, value) => panic!("{value:?} is no value of {codec:?}"),
        }
    }

    /// The value of this small type with a number.
    fn numbered(&self, number: usize) -> Value {
        match self {
            Codec::Bool => Value::Bool(number == 1),
            Codec::Member(sort, _) => Value::member(*sort, number),
            Codec::Pair(parts) => {
                let n_right = parts.1.n_values();
                let left = parts.0.numbered(number / n_right);
                Value::pair(left, parts.1.numbered(number % n_right))
            }
            Codec::Record(codecs) => {
                let mut rest = number;
                let last_first = codecs.iter().rev().map(|codec| {
                    let n = codec.n_values();
                    let field = codec.numbered(rest % n);
                    rest /= n;
                    field
                });
                let mut fields: Vec<Value> = last_first.collect();
                fields.reverse();
                Value::record(fields)
            }
            other => panic!("{other:?} is not small"),
        }
    }

    /// The value of the type whose bytes come next.
    ///
    /// # Requires
    /// They were written by [`Codec::encode`] of the same type.
    pub fn decode(&self, reader: &mut Reader<'_>) -> Value {
        match self {
            Codec::Bool => Value::Bool(reader.byte() == 1),
            Codec::Int => Value::Int(reader.signed()),
            Codec::Text => {
                let text = std::str::from_utf8(reader.text());
                Value::Text(Arc::from(text.expect("texts are written as UTF-8")))
            }
            Codec::Member(sort, n) => Value::member(*sort, reader.member(*n)),
            Codec::Pair(parts) => {
                let left = parts.0.decode(reader);
                Value::pair(left, parts.1.decode(reader))
            }
            Codec::Record(codecs) => {
                Value::record(codecs.iter().map(|codec| codec.decode(reader)).collect())
            }
            Codec::Bits(element, n) => Value::Set(element.decode_bits(*n, reader)),
            Codec::List(element) => Value::Set(element.decode_list(reader)),
        }
    }

    fn decode_bits(&self, n: usize, reader: &mut Reader<'_>) -> Set {
        let mut set = Builder::new();
        let bytes = reader.take(n.div_ceil(8));
        if let Codec::Pair(parts) = self {
            let n_right = parts.1.n_values();
            visit_bits(bytes, |number| {
                let left = parts.0.numbered(number / n_right);
                set.push_pair(left, parts.1.numbered(number % n_right));
            });
        } else {
            visit_bits(bytes, |number| set.push(self.numbered(number)));
        }
        set.finish()
    }

    fn decode_list(&self, reader: &mut Reader<'_>) -> Set {
        let mut set = Builder::new();
        for _ in 0..reader.unsigned() {
            if let Codec::Pair(parts) = self {
                let left = parts.0.decode(reader);
                set.push_pair(left, parts.1.decode(reader));
            } else {
                set.push(self.decode(reader));
            }
        }
        set.finish()
    }
}
