//! The types of a script, as they are given to others.

use super::types::{Ty, TypeNode, Types, Var};
use crate::resolve::ResolvedNames;
use base::Span;
use std::collections::HashMap;

/// How deep a type is given; below that it is [`Type::Unknown`].
const DEPTH_MAX: usize = 60;
/// How many parts of a type are given.
const PARTS_MAX: usize = 10_000;

/// The types of the definitions of a script.
#[derive(Clone, Debug, Default)]
pub struct ScriptTypes {
    /// All definitions but variables, in the order of the text; those of instances too.
    pub definitions: Vec<TypedDefinition>,
}

/// A definition with its type.
#[derive(Clone, Debug)]
pub struct TypedDefinition {
    /// Its name, with the modules that lead to it.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it is.
    pub sort: DefinitionKind,
    pub ty: Type,
    /// The type as an annotation would be written: `Set a => (a) -> {a}`.
    pub shown: String,
}

/// What a definition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// A channel.
    Channel,
    /// A constructor.
    Constructor,
    /// The set of all values of a datatype.
    Datatype,
    /// The set of some values of a datatype.
    Subtype,
    /// A named set.
    Nametype,
    /// A function, process or other value.
    Value,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// Any type; the same number is the same type.
    Variable(usize),
    /// Numbers.
    Int,
    /// True and false.
    Bool,
    /// Characters.
    Char,
    /// Processes.
    Proc,
    /// Events.
    Event,
    /// Values of the datatype of that name.
    Datatype(String),
    /// Sets.
    Set(Box<Type>),
    /// Sequences.
    Sequence(Box<Type>),
    /// Maps: keys and values.
    Map(Box<Type>, Box<Type>),
    /// Tuples.
    Tuple(Vec<Type>),
    /// Functions: arguments and result.
    Function(Vec<Type>, Box<Type>),
    /// What is joined by dots, two or more.
    Dots(Vec<Type>),
    /// What is needed behind a dot each, one or more, and what it then becomes.
    Dotable(Vec<Type>, Box<Type>),
    /// What becomes that, by something that may be nothing.
    Extendable(Box<Type>),
    /// A part that is too deep or too large to be given.
    Unknown,
}

impl Type {
    /// What is needed behind a channel or constructor, and what it then is; nothing and itself for
    /// other types.
    pub fn fields(&self) -> (&[Type], &Type) {
        match self {
            Type::Dotable(fields, result) => (fields, result),
            other => (&[], other),
        }
    }
}

/// Gives types from the table in which they were found.
pub(super) struct Giver<'t> {
    pub(super) types: &'t mut Types,
    pub(super) names: &'t ResolvedNames<'t>,
    pub(super) variables: HashMap<Var, usize>,
    pub(super) n_parts: usize,
}

impl Giver<'_> {
    /// The type, with variables numbered as they are met.
    pub(super) fn give(&mut self, ty: Ty, depth: usize) -> Type {
        self.n_parts += 1;
        if depth > DEPTH_MAX || self.n_parts > PARTS_MAX {
            return Type::Unknown;
        }
        let depth = depth + 1;
        match self.types.shape(ty) {
            TypeNode::Var(var) => {
                let next = self.variables.len();
                Type::Variable(*self.variables.entry(var).or_insert(next))
            }
            TypeNode::Int => Type::Int,
            TypeNode::Bool => Type::Bool,
            TypeNode::Char => Type::Char,
            TypeNode::Proc => Type::Proc,
            TypeNode::Event => Type::Event,
            TypeNode::NoDots => Type::Unknown,
            TypeNode::Datatype(def) => Type::Datatype(self.names.name(def).to_string()),
            TypeNode::Set(inner) => Type::Set(Box::new(self.give(inner, depth))),
            TypeNode::Seq(inner) => Type::Sequence(Box::new(self.give(inner, depth))),
            TypeNode::Map(key, value) => {
                let key = Box::new(self.give(key, depth));
                Type::Map(key, Box::new(self.give(value, depth)))
            }
            TypeNode::Tuple(all) => Type::Tuple(self.all(&all, depth)),
            TypeNode::Function(all, result) => {
                let all = self.all(&all, depth);
                Type::Function(all, Box::new(self.give(result, depth)))
            }
            TypeNode::Dot(..) => {
                let list = self.types.dot_list(ty);
                Type::Dots(self.all(&list, depth))
            }
            TypeNode::Dotable(..) => {
                let (needs, result) = self.types.parts(ty);
                let needs = self.all(&needs, depth);
                Type::Dotable(needs, Box::new(self.give(result, depth)))
            }
            TypeNode::Extendable { result, .. } => {
                Type::Extendable(Box::new(self.give(result, depth)))
            }
        }
    }

    fn all(&mut self, all: &[Ty], depth: usize) -> Vec<Type> {
        all.iter().map(|&ty| self.give(ty, depth)).collect()
    }
}
