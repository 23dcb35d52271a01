//! Words that are no part of SPIN's language: `ref`, `public`, `anyRef`, `scalarset`, `scalar`.
//!
//! A model that SPIN accepts may use each of them as a name, so they are words only where SPIN
//! would refuse the text whatever they name:
//!
//! | text | why nothing else can be meant |
//! |---|---|
//! | `ref p x` on a line | no three names stand side by side |
//! | `of { ref p }` | no two names stand side by side in a list of types |
//! | `public byte x`, `public t x` on a line | a name does not stand before a type |
//! | `scalarset t[n]`, `scalar t[n]` | unless a `typedef` has that name, the type is missing |
//! | `anyRef(p)`, p a process type or scalarset | a process type has no value; inlines come first |
//!
//! `_lid` and `_undef_ref` are names that are there unless the model declares them.
//!
//! Worked example: `typedef ref { byte b }; ref r; r.b = 1` stays what it is; `ref server s` is a
//! reference also in that model.
//!
//! Source: the words are those of F. Derepas and P. Gastin (2001) and, for `scalar`, of SymmSpin
//! (D. Bošnački, D. Dams, L. Holenderski, 2000).

use super::{Parsed, Parser, is_keyword};
use crate::ast::{Expr, ExprKind, Scalarset};
use crate::token::Token;
use std::collections::HashSet;
use std::rc::Rc;

/// The names of all process types and scalarsets of a text, also of those that come later.
pub(super) fn named(tokens: &[Token]) -> HashSet<Rc<str>> {
    let is = |token: &Token, words: [&str; 2]| words.iter().any(|w| token.is_name(w));
    let those = tokens.windows(3).filter(|three| {
        let process = is(&three[0], ["proctype", "D_proctype"]) && three[2].is("(");
        process || (is(&three[0], ["scalarset", "scalar"]) && three[2].is("["))
    });
    those.filter_map(|three| three[1].name().cloned()).collect()
}

impl Parser<'_> {
    /// Whether the token after `ahead` others is a name that is no keyword, on the same line.
    fn name_ahead(&self, ahead: usize) -> bool {
        let token = self.peek_raw(ahead).filter(|t| !t.starts_line);
        token
            .and_then(Token::name)
            .is_some_and(|name| !is_keyword(name))
    }

    /// Whether `ref p` is next, in a list of types or before the name of a variable.
    pub(super) fn begins_ref(&mut self, in_list: bool) -> bool {
        self.is_word("ref") && self.name_ahead(1) && (in_list || self.name_ahead(2))
    }

    /// Whether `public` is next, before a type.
    pub(super) fn begins_public(&mut self) -> bool {
        let types = [
            "bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan",
        ];
        let second = self.peek_raw(1).filter(|t| !t.starts_line);
        let typed = second.and_then(Token::name).is_some_and(|name| {
            types.contains(&&**name) || (!is_keyword(name) && self.name_ahead(2))
        });
        self.is_word("public") && typed
    }

    /// Whether the declaration of a scalarset is next.
    pub(super) fn begins_scalarset(&mut self) -> bool {
        let word = self.peek().and_then(|t| t.name().cloned());
        let free = word.is_some_and(|w| !self.types.contains(&w));
        let word = self.is_word("scalarset") || self.is_word("scalar");
        free && word && self.name_ahead(1) && self.peek_raw(2).is_some_and(|t| t.is("["))
    }

    /// `scalarset name[size]`
    pub(super) fn scalarset(&mut self) -> Parsed<Scalarset> {
        self.bump();
        let name = self.name("the name of a scalarset")?;
        self.expect("[")?;
        let size = self.expr()?;
        self.expect("]")?;
        self.types.insert(name.text.clone());
        Ok(Scalarset { name, size })
    }

    /// Whether `anyRef(p)` is next.
    pub(super) fn begins_any_ref(&mut self) -> bool {
        let known = |t: &Token| t.name().is_some_and(|name| self.named.contains(name));
        let inner = self.peek_raw(2).is_some_and(known);
        let is = |ahead: usize, mark| self.peek_raw(ahead).is_some_and(|t| t.is(mark));
        let call = is(1, "(") && inner && is(3, ")");
        call && self.is_word("anyRef") && !self.inlines.contains_key("anyRef")
    }

    /// `anyRef(p)`
    pub(super) fn any_ref(&mut self) -> Parsed<Expr> {
        let start = self.bump().place;
        self.expect("(")?;
        let name = self.name("the name of a process type or scalarset")?;
        self.expect(")")?;
        let place = self.since(start);
        self.node(ExprKind::AnyRef(name), place, 0)
    }
}
