//! Types in words, and types as they are given to others.

use super::types::{Ty, TypeClass, TypeNode, Types, Var};
use crate::resolve::Def;
use std::collections::HashMap;
use std::sync::Arc;

/// How much of a type is shown in a message.
const SHOWN_MAX: usize = 60;
/// How deep a type is shown.
const DEPTH_MAX: usize = 12;

/// Writes types, with the same letters for the same variables.
pub(crate) struct Shower<'d> {
    defs: &'d [Def],
    letters: HashMap<Var, Arc<str>>,
    n_shown: usize,
}

/// How tightly what stands around binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum BindingStrength {
    Nothing,
    Arrow,
    Dot,
}

impl<'d> Shower<'d> {
    /// No variable has a letter yet.
    pub(crate) fn new(defs: &'d [Def]) -> Shower<'d> {
        Shower {
            defs,
            letters: HashMap::new(),
            n_shown: 0,
        }
    }

    /// The type, cut if it is long.
    pub(crate) fn ty(&mut self, types: &mut Types, ty: Ty) -> String {
        let mut text = String::new();
        self.n_shown = 0;
        self.write(types, ty, BindingStrength::Nothing, 0, &mut text);
        text
    }

    /// The type with what its variables must be able to do.
    pub(crate) fn scheme(&mut self, types: &mut Types, ty: Ty) -> String {
        let body = self.ty(types, ty);
        let mut classes = Vec::new();
        for var in types.free(ty) {
            let Some(letter) = self.letters.get(&var) else {
                continue;
            };
            let all = types.known(var).classes;
            for class in all.iter() {
                let is_implied = class == TypeClass::Set && all.iter().any(|c| c == TypeClass::Eq);
                if !is_implied {
                    classes.push(format!("{} {letter}", class.name()));
                }
            }
        }
        match &classes[..] {
            [] => body,
            [one] => format!("{one} => {body}"),
            _ => format!("({}) => {body}", classes.join(", ")),
        }
    }

    fn letter(&mut self, types: &Types, var: Var) -> Arc<str> {
        if let Some(letter) = self.letters.get(&var) {
            return letter.clone();
        }
        let letter = match &types.known(var).rigid {
            Some(name) => name.clone(),
            None => {
                let mut n = self.letters.len();
                loop {
                    let c = char::from(b'a' + (n % 26) as u8);
                    let name = if n < 26 {
                        c.to_string()
                    } else {
                        format!("{c}{}", n / 26)
                    };
                    if self.letters.values().all(|used| **used != *name) {
                        break name.into();
                    }
                    n += 1;
                }
            }
        };
        self.letters.insert(var, Arc::clone(&letter));
        letter
    }

    fn write(
        &mut self,
        types: &mut Types,
        ty: Ty,
        around: BindingStrength,
        depth: usize,
        out: &mut String,
    ) {
        self.n_shown += 1;
        if depth > DEPTH_MAX || self.n_shown > SHOWN_MAX {
            out.push('…');
            return;
        }
        let depth = depth + 1;
        match types.shape(ty) {
            TypeNode::Var(var) => out.push_str(&self.letter(types, var)),
            TypeNode::Int => out.push_str("Int"),
            TypeNode::Bool => out.push_str("Bool"),
            TypeNode::Char => out.push_str("Char"),
            TypeNode::Proc => out.push_str("Proc"),
            TypeNode::Event => out.push_str("Event"),
            TypeNode::NoDots => out.push_str("()"),
            TypeNode::Datatype(def) => match self.defs.get(def.index()) {
                Some(def) => out.push_str(&def.name),
                None => out.push_str("datatype"),
            },
            TypeNode::Set(inner) => self.between(types, &[inner], depth, ("{", "}"), out),
            TypeNode::Seq(inner) => self.between(types, &[inner], depth, ("<", ">"), out),
            TypeNode::Tuple(all) => self.between(types, &all, depth, ("(", ")"), out),
            TypeNode::Map(key, value) => {
                out.push_str("(| ");
                self.write(types, key, BindingStrength::Dot, depth, out);
                out.push_str(" => ");
                self.write(types, value, BindingStrength::Dot, depth, out);
                out.push_str(" |)");
            }
            TypeNode::Function(all, result) => {
                self.between(types, &all, depth, ("(", ")"), out);
                out.push_str(" -> ");
                self.write(types, result, BindingStrength::Nothing, depth, out);
            }
            TypeNode::Dot(a, b) => {
                self.write(types, a, BindingStrength::Dot, depth, out);
                out.push('.');
                self.write(types, b, BindingStrength::Dot, depth, out);
            }
            TypeNode::Dotable(a, b) => self.infix(types, (a, " => ", b), (around, depth), out),
            TypeNode::Extendable { result, by } => {
                self.infix(types, (by, " =>* ", result), (around, depth), out);
            }
        }
    }

    fn infix(
        &mut self,
        types: &mut Types,
        parts: (Ty, &str, Ty),
        place: (BindingStrength, usize),
        out: &mut String,
    ) {
        let ((left, arrow, right), (around, depth)) = (parts, place);
        if around > BindingStrength::Nothing {
            out.push('(');
        }
        self.write(types, left, BindingStrength::Arrow, depth, out);
        out.push_str(arrow);
        self.write(types, right, BindingStrength::Nothing, depth, out);
        if around > BindingStrength::Nothing {
            out.push(')');
        }
    }

    fn between(
        &mut self,
        types: &mut Types,
        all: &[Ty],
        depth: usize,
        brackets: (&str, &str),
        out: &mut String,
    ) {
        out.push_str(brackets.0);
        for (i, &inner) in all.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(types, inner, BindingStrength::Nothing, depth, out);
        }
        out.push_str(brackets.1);
    }
}
