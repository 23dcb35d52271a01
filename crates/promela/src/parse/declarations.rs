//! Declarations of variables.

use super::{Parsed, Parser};
use crate::ast::{ChannelInit, Declaration, Declarator, Initial, TypeName, Visibility};
use crate::place::Place;

impl Parser<'_> {
    /// Whether the next token begins a declaration.
    pub(super) fn begins_declaration(&mut self) -> bool {
        let Some(word) = self.peek().and_then(|t| t.name().cloned()) else {
            return false;
        };
        let known = [
            "bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan", "hidden",
            "show", "local",
        ];
        if known.contains(&&*word) || self.types.contains(&word) || self.begins_public() {
            return true;
        }
        // Two names side by side can only be a type that is not known, and a variable.
        let second = self
            .peek_raw(1)
            .filter(|t| !t.starts_line)
            .and_then(|t| t.name());
        !super::is_keyword(&word) && second.is_some_and(|n| !super::is_keyword(n))
    }

    /// Declarations up to `end`, which is not taken.
    pub(super) fn declarations(&mut self, end: &'static str) -> Parsed<Vec<Declaration>> {
        let mut all = Vec::new();
        loop {
            while self.eat(";") {}
            if self.is(end) {
                return Ok(all);
            }
            if !self.begins_declaration() {
                return Err(self.expected(&format!("a declaration or `{end}`")));
            }
            all.push(self.declaration()?);
            if !self.is(";") && !self.is(end) {
                return Err(self.expected(&format!("`;` or `{end}`")));
            }
        }
    }

    /// `hidden byte a, b = 2, c[3]`
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let visibility = self.visibility();
        let start = self.here();
        let kind = self.type_name(false)?;
        let place = self.since(start);
        let mut variables = vec![self.declarator()?];
        while self.eat(",") {
            variables.push(self.declarator()?);
        }
        Ok(Declaration {
            visibility,
            kind,
            place,
            variables,
        })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        if self.begins_public() {
            self.bump();
            return Some(Visibility::Public);
        }
        let found = [
            ("hidden", Visibility::Hidden),
            ("show", Visibility::Show),
            ("local", Visibility::Local),
        ];
        let found = found.into_iter().find(|(word, _)| self.is_word(word));
        found.map(|(_, visibility)| {
            self.bump();
            visibility
        })
    }

    /// A type; in a list of types it can end with a name.
    fn type_name(&mut self, in_list: bool) -> Parsed<TypeName> {
        if self.begins_ref(in_list) {
            self.bump();
            return Ok(TypeName::Ref(self.name("the name of a process type")?));
        }
        let Some(word) = self.peek().and_then(|t| t.name().cloned()) else {
            return Err(self.expected("a type"));
        };
        let kind = match &*word {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "chan" => TypeName::Chan,
            "mtype" => {
                self.bump();
                let set = if self.eat(":") {
                    Some(self.name("the name of a set of names")?)
                } else {
                    None
                };
                return Ok(TypeName::Mtype(set));
            }
            _ => return Ok(TypeName::Named(self.name("a type")?)),
        };
        self.bump();
        Ok(kind)
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        let mut width = None;
        let mut size = None;
        if self.eat(":") {
            let place = self.here();
            width = Some((self.constant("a number of bits")?, place));
        } else if self.eat("[") {
            size = Some(self.expr()?);
            self.expect("]")?;
        }
        let initial = if self.eat("=") {
            Some(self.initial()?)
        } else {
            None
        };
        Ok(Declarator {
            name,
            width,
            size,
            initial,
        })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let start = self.here();
        if self.eat("{") {
            let mut values = vec![self.expr()?];
            while self.eat(",") {
                values.push(self.expr()?);
            }
            self.expect("}")?;
            return Ok(Initial::List(values, self.since(start)));
        }
        if self.is("[") {
            return self.channel_init(start).map(Initial::Channel);
        }
        self.expr().map(Initial::Value)
    }

    /// `[capacity] of { types }`
    fn channel_init(&mut self, start: Place) -> Parsed<ChannelInit> {
        self.expect("[")?;
        let capacity = self.expr()?;
        self.expect("]")?;
        if !self.eat_word("of") {
            return Err(self.expected("`of`"));
        }
        self.expect("{")?;
        let mut fields = Vec::new();
        loop {
            let place = self.here();
            let kind = self.type_name(true)?;
            fields.push((kind, self.since(place)));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        let place = self.since(start);
        Ok(ChannelInit {
            capacity,
            fields,
            place,
        })
    }
}
