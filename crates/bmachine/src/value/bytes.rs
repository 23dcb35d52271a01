//! Values as bytes, and back, in the format of `model::values`.
//!
//! A [`Codec`] is a type with all sizes of sorts looked up, made once and used for every state. The
//! bytes of a value are decided by it and its type, and no other value of the type has the same.
//!
//! Worked example: for a sort of three members `p1 p2 p3`, the set `{p1, p3}` is one byte `0b101`;
//! the function `{p1 |-> TRUE, p3 |-> FALSE}` is one bit for each of the six pairs, `p1 |-> FALSE`
//! the lowest: `0b010010`; and `{p1 |-> 5, p3 |-> 2}` is a list, `2, 0 10, 2 4`.

use std::sync::Arc;

use model::values::bytes::{Reader, is_wide, put_member, put_signed, put_text, put_unsigned};
use model::values::shape::visit_bits;
use model::values::{Signature, SortId, Type};
use num_bigint::{BigInt, BigUint, Sign};

use super::flat::{self, ElementClass, ScalarKind, WordSet};
use super::set::Codes;
use super::{Set, SetBuilder, Value, number};

/// A value has a part that is a symbolic set, and such sets have no bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotFinite;

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
            (Codec::Int, Value::Big(big)) => put_big(big, out),
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
        let bytes = &mut out[start..];
        let mut put = |number: usize| {
            debug_assert!(number < n, "bit {number} of {n}");
            bytes[number / 8] |= 1 << (number % 8);
        };
        match set.codes() {
            // Codes of members and truth values, alone or as parts of pairs, are their numbers.
            Some((class, codes)) if class.is_pairs() => {
                let n_right = self.n_right();
                codes.map(flat::split).for_each(|(left, right)| {
                    put(left as usize * n_right + right as usize);
                });
            }
            Some((_, codes)) => codes.for_each(|code| put(code as usize)),
            None => set.iter().for_each(|element| put(self.number(&element))),
        }
    }

    /// How many values the right part of this type of pairs has.
    fn n_right(&self) -> usize {
        match self {
            Codec::Pair(parts) => parts.1.n_values(),
            other => panic!("{other:?} is no type of pairs"),
        }
    }

    /// Writes a set of elements of this type, in the order of their bytes.
    fn encode_list(&self, set: &Set, out: &mut Vec<u8>) -> Result<(), NotFinite> {
        put_unsigned(set.len() as u64, out);
        if let Some((class, codes)) = set.codes() {
            self.encode_codes(class, codes, out);
            return Ok(());
        }
        let start = out.len();
        // Mostly the order of values is that of their bytes; then nothing need be remembered.
        let (mut before, mut last, mut is_in_order) = (start, start, true);
        self.encode_elements(set, out, &mut |bytes| {
            is_in_order &= before == last || bytes[before..last] < bytes[last..];
            (before, last) = (last, bytes.len());
        })?;
        if is_in_order {
            return Ok(());
        }
        out.truncate(start);
        let mut places = Vec::with_capacity(set.len());
        let mut last = start;
        self.encode_elements(set, out, &mut |bytes| {
            places.push((last, bytes.len()));
            last = bytes.len();
        })?;
        let unsorted = out.split_off(start);
        let bytes = |place: &(usize, usize)| &unsorted[place.0 - start..place.1 - start];
        places.sort_unstable_by(|a, b| bytes(a).cmp(bytes(b)));
        places
            .iter()
            .for_each(|place| out.extend_from_slice(bytes(place)));
        Ok(())
    }

    /// Writes elements of this type that have codes, in the order of their bytes.
    fn encode_codes(&self, class: ElementClass, codes: Codes<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        let mut last = ElementBytes::default();
        for code in codes.clone() {
            let key = self.key(class, code);
            if key < last {
                // Numbers from 64 on are not in the order of their bytes.
                out.truncate(start);
                let mut keys: Vec<ElementBytes> = codes.map(|code| self.key(class, code)).collect();
                keys.sort_unstable();
                keys.iter().for_each(|key| key.put(out));
                return;
            }
            key.put(out);
            last = key;
        }
    }

    /// The bytes of the element of this type with a code.
    fn key(&self, class: ElementClass, code: u64) -> ElementBytes {
        let mut key = ElementBytes::default();
        match self {
            Codec::Pair(parts) => {
                let (left, right) = flat::split(code);
                parts.0.add_to_key(class.left.widen(left), &mut key);
                parts.1.add_to_key(class.right.widen(right), &mut key);
            }
            atom => atom.add_to_key(code, &mut key),
        }
        key
    }

    fn add_to_key(&self, code: u64, key: &mut ElementBytes) {
        match self {
            Codec::Int => {
                let int = flat::int_of(code);
                let mut rest = ((int << 1) ^ (int >> 63)) as u64;
                while rest >= 0x80 {
                    key.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                key.push(rest as u8);
            }
            Codec::Member(_, n) if is_wide(*n) => {
                key.push(code as u8);
                key.push((code >> 8) as u8);
            }
            _ => key.push(code as u8),
        }
    }

    /// Writes the elements of a set in the order of values; calls `written` after each.
    fn encode_elements(
        &self,
        set: &Set,
        out: &mut Vec<u8>,
        written: &mut dyn FnMut(&[u8]),
    ) -> Result<(), NotFinite> {
        if let Codec::Pair(parts) = self {
            for (left, right) in set.pairs() {
                parts.0.encode(&left, out)?;
                parts.1.encode(&right, out)?;
                written(out);
            }
            return Ok(());
        }
        for element in set.iter() {
            self.encode(&element, out)?;
            written(out);
        }
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
    pub(crate) fn decode(&self, reader: &mut Reader<'_>) -> Value {
        match self {
            Codec::Bool => Value::Bool(reader.byte() == 1),
            Codec::Int => number_of(reader.number()),
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
        let bytes = reader.take(n.div_ceil(8));
        let Some(class) = self.class() else {
            let mut set = SetBuilder::new();
            visit_bits(bytes, |number| set.push(self.numbered(number)));
            return set.finish();
        };
        if !class.is_pairs() && n <= 64 {
            let mut bits = [0; 8];
            bits[..bytes.len()].copy_from_slice(bytes);
            return Set::from_word(WordSet::line(class.right, u64::from_le_bytes(bits)));
        }
        let mut codes = CodeList::new();
        if class.is_pairs() {
            let n_right = self.n_right();
            visit_bits(bytes, |number| {
                codes.push(flat::join(
                    (number / n_right) as u32,
                    (number % n_right) as u32,
                ));
            });
        } else {
            visit_bits(bytes, |number| codes.push(number as u64));
        }
        Set::from_codes(class, codes.as_slice())
    }

    fn decode_list(&self, reader: &mut Reader<'_>) -> Set {
        let n = reader.unsigned();
        let start = *reader;
        if let Some(set) = self.decode_codes(n, reader) {
            return set;
        }
        *reader = start;
        let elements = (0..n).map(|_| self.decode(reader));
        elements.collect()
    }

    /// The set of the next `n` elements, if they have codes.
    fn decode_codes(&self, n: u64, reader: &mut Reader<'_>) -> Option<Set> {
        let class = self.class()?;
        let mut codes = CodeList::new();
        for _ in 0..n {
            codes.push(match self {
                Codec::Pair(parts) => {
                    let left = class.left.narrow(parts.0.decode_atom(reader)?)?;
                    flat::join(left, class.right.narrow(parts.1.decode_atom(reader)?)?)
                }
                atom => atom.decode_atom(reader)?,
            });
        }
        Some(Set::from_codes(class, codes.sorted()))
    }

    /// The code of the next value if it is an atom.
    fn decode_atom(&self, reader: &mut Reader<'_>) -> Option<u64> {
        match self {
            Codec::Bool => Some(u64::from(reader.byte())),
            Codec::Int => match number_of(reader.number()) {
                Value::Int(int) => Some(flat::code_of_int(int)),
                _ => None,
            },
            Codec::Member(_, n) => Some(reader.member(*n) as u64),
            _ => None,
        }
    }

    /// The class of this type, if its values are atoms or pairs of atoms.
    fn class(&self) -> Option<ElementClass> {
        if let Codec::Pair(parts) = self {
            let (left, right) = (parts.0.kind()?, parts.1.kind()?);
            return Some(ElementClass { left, right });
        }
        Some(ElementClass::atoms(self.kind()?))
    }

    fn kind(&self) -> Option<ScalarKind> {
        match self {
            Codec::Bool => Some(ScalarKind::BOOL),
            Codec::Int => Some(ScalarKind::INT),
            Codec::Member(sort, _) => ScalarKind::of_sort(*sort),
            _ => None,
        }
    }
}

/// Writes a number of any size as `put_signed` would, did it fit.
fn put_big(big: &BigInt, out: &mut Vec<u8>) {
    let doubled: BigInt = match big.sign() {
        Sign::Minus => BigInt::from(-1) - big - big,
        _ => big + big,
    };
    let mut digits = doubled.magnitude().to_radix_le(128);
    let last = digits.pop();
    out.extend(digits.iter().map(|digit| digit | 0x80));
    out.extend(last);
}

/// The number that was written with these bytes.
fn number_of(bytes: &[u8]) -> Value {
    let digits = bytes.iter().map(|byte| byte & 0x7f);
    // Nine bytes have 63 bits.
    if bytes.len() <= 9 {
        let mut value = 0;
        for (n, digit) in digits.enumerate() {
            value |= u64::from(digit) << (7 * n);
        }
        return Value::Int((value >> 1) as i64 ^ -((value & 1) as i64));
    }
    let digits: Vec<u8> = digits.collect();
    let doubled = BigUint::from_radix_le(&digits, 128).expect("digits are below 128");
    let half = BigInt::from(&doubled >> 1u32);
    number::of(if doubled.bit(0) { -half - 1 } else { half })
}

/// The bytes of an element, ordered as they are: up to ten for one number, up to five for a number
/// in a pair. No key is the beginning of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct ElementBytes {
    /// The first byte is the highest.
    bytes: u128,
    n: u8,
}

impl ElementBytes {
    fn push(&mut self, byte: u8) {
        self.bytes |= u128::from(byte) << (120 - 8 * u32::from(self.n));
        self.n += 1;
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes.to_be_bytes()[..usize::from(self.n)]);
    }
}

/// Codes in the order in which they were read, without an allocation as long as they are few.
struct CodeList {
    few: [u64; 64],
    n_few: usize,
    many: Vec<u64>,
}

impl CodeList {
    fn new() -> CodeList {
        CodeList {
            few: [0; 64],
            n_few: 0,
            many: Vec::new(),
        }
    }

    fn push(&mut self, code: u64) {
        if !self.many.is_empty() {
            self.many.push(code);
        } else if self.n_few < self.few.len() {
            self.few[self.n_few] = code;
            self.n_few += 1;
        } else {
            self.many.extend_from_slice(&self.few);
            self.many.push(code);
        }
    }

    fn as_slice(&self) -> &[u64] {
        if self.many.is_empty() {
            &self.few[..self.n_few]
        } else {
            &self.many
        }
    }

    fn sorted(&mut self) -> &[u64] {
        let codes = if self.many.is_empty() {
            &mut self.few[..self.n_few]
        } else {
            &mut self.many[..]
        };
        if !codes.is_sorted() {
            codes.sort_unstable();
        }
        codes
    }
}
