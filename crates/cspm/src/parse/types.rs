//! Written types: `(Eq a, Set b) => (a, <b>) -> {b}`.
//!
//! Levels are those of expressions: `.` binds tighter than `=>` and `=>*`, these tighter than
//! `->`, and all of them associate to the right. What stands before `->` is in brackets: the types
//! of the arguments.

use super::{Parsed, Parser};
use crate::ast::{Name, Scheme, Type, TypeKind};
use crate::token::TokenKind;
use base::Span;

/// What type variables may be asked to do.
const CLASSES: &[&str] = &["Eq", "Ord", "Complete", "Set", "Yieldable"];

/// The brackets a type stands in, as far as a `->` behind it asks.
enum TypeBrackets {
    /// `(t, u)`: arguments, if `->` follows.
    Arguments(Vec<Type>),
    Plain(Type),
}

impl Parser<'_> {
    /// A type with what its variables must be able to do.
    pub(super) fn scheme(&mut self) -> Parsed<Scheme> {
        let start = self.here();
        let constraints = self.constraints()?;
        let body = self.type_of()?;
        Ok(Scheme {
            constraints,
            body,
            span: self.since(start),
        })
    }

    /// `Eq a =>` or `(Eq a, Ord b) =>`, or nothing. Two names in a row tell it from a type.
    fn constraints(&mut self) -> Parsed<Vec<(Name, Name)>> {
        let name_at = |p: &Self, i: usize| {
            let token = p.ahead(i);
            token.is_some_and(|t| matches!(t.kind, TokenKind::Name(_)))
        };
        let mut all = Vec::new();
        if name_at(self, 0) && name_at(self, 1) {
            all.push(self.constraint()?);
        } else if self.is("(") && name_at(self, 1) && name_at(self, 2) {
            let open = self.bump().span;
            all.push(self.constraint()?);
            while self.eat(",") {
                all.push(self.constraint()?);
            }
            self.close(")", "(", open)?;
        } else {
            return Ok(all);
        }
        self.expect("=>")?;
        Ok(all)
    }

    fn constraint(&mut self) -> Parsed<(Name, Name)> {
        let class = self.name("the name of a class")?;
        if !CLASSES.contains(&&*class.text) {
            let known = CLASSES.join(", ");
            let message = format!("{} is no class of types", base::quote(&class.text));
            let error = base::Diagnostic::error(class.span, message);
            return Err(self.report(error.note(format!("the classes are {known}"))));
        }
        Ok((class, self.name("a type variable")?))
    }

    /// A type of any level.
    fn type_of(&mut self) -> Parsed<Type> {
        self.nested(|p| {
            let start = p.here();
            let shape = p.yielding()?;
            if !p.is("->") {
                return p.plain(start, shape);
            }
            let arrow = p.bump().span;
            let TypeBrackets::Arguments(arguments) = shape else {
                let message = "the arguments of a function type stand in brackets: `(a) -> b`";
                return Err(p.error(arrow, message));
            };
            let below = p.height;
            let result = p.type_of()?;
            p.over(below.max(p.height))?;
            let kind = TypeKind::Function(arguments, Box::new(result));
            Ok(p.typed(start, kind))
        })
    }

    /// `t => u`, `a =>* u`.
    fn yielding(&mut self) -> Parsed<TypeBrackets> {
        let start = self.here();
        let left = self.dot_types()?;
        let is_extendable = self.is("=>*");
        if !is_extendable && !self.is("=>") {
            return Ok(left);
        }
        let left = self.plain(start, left)?;
        self.at += 1;
        let below = self.height;
        let right = self.nested(|p| {
            let start = p.here();
            let right = p.yielding()?;
            p.plain(start, right)
        })?;
        self.over(below.max(self.height))?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if is_extendable {
            TypeKind::Extendable(left, right)
        } else {
            TypeKind::Dotable(left, right)
        };
        Ok(TypeBrackets::Plain(self.typed(start, kind)))
    }

    /// `t.u.v`, nested to the right.
    fn dot_types(&mut self) -> Parsed<TypeBrackets> {
        let start = self.here();
        let left = self.single_type()?;
        if !self.is(".") {
            return Ok(left);
        }
        let left = self.plain(start, left)?;
        self.at += 1;
        let below = self.height;
        let right = self.nested(|p| {
            let start = p.here();
            let right = p.dot_types()?;
            p.plain(start, right)
        })?;
        self.over(below.max(self.height))?;
        let kind = TypeKind::Dot(Box::new(left), Box::new(right));
        Ok(TypeBrackets::Plain(self.typed(start, kind)))
    }

    fn single_type(&mut self) -> Parsed<TypeBrackets> {
        let start = self.here();
        self.height = 1;
        let kind = match self.kind() {
            Some(TokenKind::Name(_) | TokenKind::Path(_)) => {
                let name = self.qualified("a type")?;
                let is_lower = name.text.starts_with(|c: char| c.is_ascii_lowercase());
                if is_lower && name.modules.is_empty() {
                    TypeKind::Variable(name)
                } else {
                    TypeKind::Named(name)
                }
            }
            Some(TokenKind::Mark("{")) => TypeKind::Set(Box::new(self.one_within("{", "}")?)),
            Some(TokenKind::Mark("<")) => TypeKind::Sequence(Box::new(self.one_within("<", ">")?)),
            Some(TokenKind::Mark("(|")) => self.map_type()?,
            Some(TokenKind::Mark("(")) => return self.arguments(),
            _ => return Err(self.expected("a type")),
        };
        Ok(TypeBrackets::Plain(self.typed(start, kind)))
    }

    fn one_within(&mut self, opener: &str, closer: &str) -> Parsed<Type> {
        let open = self.expect(opener)?;
        let inside = self.type_of()?;
        self.close(closer, opener, open)?;
        self.over(self.height)?;
        Ok(inside)
    }

    /// `(| k => v |)`; its `=>` is no dotable.
    fn map_type(&mut self) -> Parsed<TypeKind> {
        let open = self.bump().span;
        let start = self.here();
        let key = self.dot_types()?;
        let key = self.plain(start, key)?;
        let below = self.height;
        self.expect("=>")?;
        let value = self.type_of()?;
        self.close("|)", "(|", open)?;
        self.over(below.max(self.height))?;
        Ok(TypeKind::Map(Box::new(key), Box::new(value)))
    }

    /// `(t)`, `(t, u)`, `()`.
    fn arguments(&mut self) -> Parsed<TypeBrackets> {
        let open = self.bump().span;
        let mut all = Vec::new();
        let mut tallest = 0;
        if !self.is(")") {
            loop {
                all.push(self.type_of()?);
                tallest = tallest.max(self.height);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.close(")", "(", open)?;
        self.over(tallest)?;
        Ok(TypeBrackets::Arguments(all))
    }

    /// The type of a shape that no `->` follows.
    fn plain(&mut self, start: Span, shape: TypeBrackets) -> Parsed<Type> {
        match shape {
            TypeBrackets::Plain(plain) => Ok(plain),
            TypeBrackets::Arguments(mut all) => match all.len() {
                0 => Err(self.expected("`->`")),
                1 => Ok(all.remove(0)),
                _ => Ok(self.typed(start, TypeKind::Tuple(all))),
            },
        }
    }

    fn typed(&self, start: Span, kind: TypeKind) -> Type {
        let span = self.since(start);
        Type { kind, span }
    }
}
