//! Types as text.

use super::ScriptListing;
use crate::ast::{Scheme, Type, TypeKind};

/// The level of `=>` and `=>*`; `->` is below it.
const YIELD: u8 = 1;
/// The level of `.`
const DOT: u8 = 2;
/// The level of what needs no brackets.
const SINGLE: u8 = 3;

impl ScriptListing {
    pub(super) fn scheme(&mut self, scheme: &Scheme) {
        let constraint = |l: &mut Self, (class, variable): &(_, _)| {
            l.name(class);
            l.put(" ");
            l.name(variable);
        };
        match scheme.constraints.as_slice() {
            [] => {}
            [one] => {
                constraint(self, one);
                self.put(" => ");
            }
            all => {
                self.put("(");
                self.joined(all, ", ", constraint);
                self.put(") => ");
            }
        }
        self.type_of(&scheme.body, 0);
    }

    /// A type, in brackets if it stands below `lowest`.
    pub(super) fn type_of(&mut self, written: &Type, lowest: u8) {
        let own = match &written.kind {
            TypeKind::Function(..) => 0,
            TypeKind::Dotable(..) | TypeKind::Extendable(..) => YIELD,
            TypeKind::Dot(..) => DOT,
            _ => SINGLE,
        };
        if own < lowest {
            self.put("(");
            self.bare_type(written);
            self.put(")");
        } else {
            self.bare_type(written);
        }
    }

    fn bare_type(&mut self, written: &Type) {
        match &written.kind {
            TypeKind::Named(name) | TypeKind::Variable(name) => self.name(name),
            TypeKind::Function(arguments, result) => {
                self.put("(");
                self.joined(arguments, ", ", |l, t| l.type_of(t, 0));
                self.put(") -> ");
                self.type_of(result, 0);
            }
            TypeKind::Tuple(parts) => {
                self.put("(");
                self.joined(parts, ", ", |l, t| l.type_of(t, 0));
                self.put(")");
            }
            TypeKind::Sequence(inside) => {
                self.put("<");
                self.type_of(inside, 0);
                self.put(">");
            }
            TypeKind::Set(inside) => {
                self.put("{");
                self.type_of(inside, 0);
                self.put("}");
            }
            TypeKind::Map(key, value) => {
                self.put("(| ");
                self.type_of(key, DOT);
                self.put(" => ");
                self.type_of(value, 0);
                self.put(" |)");
            }
            TypeKind::Dot(left, right) => {
                self.type_of(left, SINGLE);
                self.put(".");
                self.type_of(right, DOT);
            }
            TypeKind::Dotable(left, right) => {
                self.type_of(left, DOT);
                self.put(" => ");
                self.type_of(right, YIELD);
            }
            TypeKind::Extendable(left, right) => {
                self.type_of(left, DOT);
                self.put(" =>* ");
                self.type_of(right, YIELD);
            }
        }
    }
}
