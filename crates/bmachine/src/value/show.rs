//! Values in the notation of B, with the names of members and fields.
//!
//! Worked example: a function from a given set to texts is `{(p1|->"a"),(p2|->"b")}`, a record is
//! `rec(age:3,sex:male)`, and `{(1|->p2),(2|->p2)}` is `[p2,p2]` if sequences are asked for.

use std::fmt;

use model::values::{Signature, Type};

use super::{Set, Value};

/// Intervals of more numbers than this are shown by their ends.
const NUMBERS_MAX: usize = 32;

/// Whether functions from `1..n` are shown as sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sequences {
    /// As sets of pairs.
    AsSets,
    /// `[a,b]`, but the empty one as `{}`.
    AsLists,
}

/// A value with what is needed to write it.
#[derive(Clone, Copy, Debug)]
pub struct Show<'a> {
    signature: &'a Signature,
    ty: &'a Type,
    value: &'a Value,
    sequences: Sequences,
}

impl Value {
    /// This value, which is of a type, ready to be written.
    pub fn show<'a>(
        &'a self,
        signature: &'a Signature,
        ty: &'a Type,
        sequences: Sequences,
    ) -> Show<'a> {
        Show {
            signature,
            ty,
            value: self,
            sequences,
        }
    }
}

impl<'a> Show<'a> {
    fn part(&self, ty: &'a Type, value: &'a Value) -> Show<'a> {
        value.show(self.signature, ty, self.sequences)
    }

    fn set(&self, element: &Type, set: &Set, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Value, ty: &Type, f: &mut fmt::Formatter<'_>| {
            fmt::Display::fmt(&value.show(self.signature, ty, self.sequences), f)
        };
        if let (Type::Pair(place, of), Sequences::AsLists) = (element, self.sequences)
            && **place == Type::Int
            && !set.is_empty()
            && set.is_seq()
        {
            f.write_str("[")?;
            for (n, (_, value)) in set.pairs().enumerate() {
                f.write_str(if n == 0 { "" } else { "," })?;
                show(&value, of, f)?;
            }
            return f.write_str("]");
        }
        if let Some((low, high)) = set.ends()
            && set.len() > NUMBERS_MAX
        {
            return write!(f, "({low}..{high})");
        }
        f.write_str("{")?;
        for (n, value) in set.iter().enumerate() {
            f.write_str(if n == 0 { "" } else { "," })?;
            show(&value, element, f)?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value, self.ty) {
            (Value::Bool(true), _) => f.write_str("TRUE"),
            (Value::Bool(false), _) => f.write_str("FALSE"),
            (Value::Int(int), _) => write!(f, "{int}"),
            (Value::Big(big), _) => write!(f, "{big}"),
            (Value::Text(text), _) => text_in_quotes(text, f),
            (Value::Member(member), _) => {
                let sort = self.signature.sort(member.sort);
                f.write_str(&sort.members[member.index as usize])
            }
            (Value::Pair(pair), Type::Pair(left, right)) => {
                let (left, right) = (self.part(left, &pair.0), self.part(right, &pair.1));
                write!(f, "({left}|->{right})")
            }
            (Value::Record(fields), Type::Record(types)) => {
                f.write_str("rec(")?;
                for (n, (field, (name, ty))) in fields.iter().zip(types.iter()).enumerate() {
                    f.write_str(if n == 0 { "" } else { "," })?;
                    write!(f, "{name}:{}", self.part(ty, field))?;
                }
                f.write_str(")")
            }
            (Value::Set(set), Type::Set(element)) => self.set(element, set, f),
            (Value::Symbolic(_), _) => f.write_str("{...}"),
            (value, ty) => panic!("{value:?} is no value of {ty:?}"),
        }
    }
}

/// A text as B writes it.
fn text_in_quotes(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}
