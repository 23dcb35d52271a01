//! Inlines: a call is replaced by the tokens of the body, arguments in place of parameters.
//!
//! SPIN works on text, and so do we, on tokens: an argument `a + 1` in `2 * x` means `2 * a + 1`,
//! names in the body mean what they mean where the call stands, and the body is a block with a
//! scope of its own. A call inside its own body is refused. `y = f(x)` is a call in which
//! `return e` means `y = e`.

use super::pump::TokenRun;
use super::{Last, Parsed, Parser};
use crate::ast::{Name, Reference, Stmt, StmtKind};
use crate::place::{Definition, OriginKind, Place};
use crate::preprocess::TOKENS_MAX;
use crate::token::{Token, TokenKind};
use base::quote;
use std::rc::Rc;

/// A definition.
pub struct Inline {
    name: Name,
    parameters: Vec<Rc<str>>,
    /// From `{` to `}`.
    body: Rc<[Token]>,
}

impl Parser<'_> {
    /// `inline name (parameters) { body }`
    pub(super) fn inline(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name_or_inline("the name of an inline")?;
        self.expect("(")?;
        let mut parameters: Vec<Rc<str>> = Vec::new();
        while !self.is(")") {
            let parameter = self.name("the name of a parameter")?;
            if parameters.contains(&parameter.text) {
                let message = format!("the parameter {} is there twice", quote(&parameter.text));
                self.warn(parameter.place, message);
            }
            parameters.push(parameter.text);
            if !self.eat(",") && !self.is(")") {
                return Err(self.expected("`,` or `)`"));
            }
        }
        self.expect(")")?;
        let Some(body) = self.braced() else {
            return Err(self.expected("a body between `{` and `}`"));
        };
        if let Some(earlier) = self.inlines.get(&name.text) {
            let first = earlier.name.place;
            let message = format!("the inline {} is defined twice", quote(&name.text));
            let error = self.origins.error(name.place, message);
            let first = self.origins.outermost(first).span;
            return Err(self.report(error.and(first, "first here")));
        }
        let text = name.text.clone();
        let end = body.last().map_or(name.place, |token| token.place);
        self.origins.define(Definition {
            kind: OriginKind::Inline,
            name: text.clone(),
            place: name.place,
            whole: self.origins.join(name.place, end),
            parameters: parameters.clone(),
        });
        let body = body.into();
        let inline = Inline {
            name,
            parameters,
            body,
        };
        self.inlines.insert(text, Rc::new(inline));
        Ok(())
    }

    /// The tokens of a block as they stand in the text, with its braces.
    fn braced(&mut self) -> Option<Vec<Token>> {
        if !self.peek_raw(0).is_some_and(|t| t.is("{")) {
            return None;
        }
        let mut tokens = Vec::new();
        let mut n_open = 0_usize;
        while let Some(token) = self.take_raw() {
            match token.kind {
                TokenKind::Mark("{") => n_open += 1,
                TokenKind::Mark("}") => n_open -= 1,
                _ => {}
            }
            tokens.push(token);
            if n_open == 0 {
                return Some(tokens);
            }
        }
        None
    }

    /// Whether a call of an inline is next.
    pub(super) fn begins_call(&mut self) -> bool {
        let name = self.peek().and_then(|t| t.name().cloned());
        let known = name.is_some_and(|n| self.inlines.contains_key(&n));
        known && self.peek_raw(1).is_some_and(|t| t.is("("))
    }

    /// A call: the block that it stands for.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Parsed<Stmt> {
        let name = self.name_or_inline("the name of an inline")?;
        let inline = self.inlines[&name.text].clone();
        let arguments = self.call_arguments()?;
        let used = self.since(name.place);
        if arguments.len() != inline.parameters.len() {
            let (n, m) = (inline.parameters.len(), arguments.len());
            let message = format!(
                "the inline {} takes {n} arguments, here are {m}",
                quote(&name.text)
            );
            let error = self.origins.error(used, message);
            let defined = self.origins.outermost(inline.name.place).span;
            return Err(self.report(error.and(defined, "its definition")));
        }
        if self
            .frames
            .iter()
            .any(|f| f.inline.as_ref() == Some(&name.text))
        {
            let message = format!("the inline {} calls itself", quote(&name.text));
            return Err(self.error(used, message));
        }
        self.n_inlined += inline.body.len();
        self.n_inlined += arguments.iter().map(Vec::len).sum::<usize>();
        if self.n_inlined > TOKENS_MAX {
            let message = format!("calls of inlines make more than {TOKENS_MAX} tokens");
            // Further calls would only say so again.
            self.n_errors = super::ERRORS_MAX - 1;
            return Err(self.error(used, message));
        }
        let tokens = self.substituted(&inline, &arguments, used);
        self.frames.push(TokenRun {
            tokens: tokens.into(),
            at: 0,
            inline: Some(name.text),
            result,
        });
        self.last = Last::Other;
        self.statement()
    }

    /// The tokens of each argument of a call.
    fn call_arguments(&mut self) -> Parsed<Vec<Vec<Token>>> {
        let open = self.here();
        self.take_raw();
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut n_open = 0_usize;
        while let Some(token) = self.take_raw() {
            match token.kind {
                TokenKind::Mark(")") if n_open == 0 => {
                    if arguments.len() == 1 && arguments[0].is_empty() {
                        arguments.clear();
                    }
                    if arguments.iter().any(Vec::is_empty) {
                        let place = self.since(open);
                        return Err(self.error(place, "an argument is missing in this call"));
                    }
                    return Ok(arguments);
                }
                TokenKind::Mark(",") if n_open == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Mark("(" | "[" | "{") => n_open += 1,
                TokenKind::Mark(")" | "]" | "}") => n_open = n_open.saturating_sub(1),
                TokenKind::Mark(";") => break,
                _ => {}
            }
            if let Some(name) = token.name().filter(|n| self.inlines.contains_key(*n)) {
                let message = format!("{} is an inline, not a value", quote(name));
                return Err(self.error(token.place, message));
            }
            arguments.last_mut().expect("one is open").push(token);
        }
        Err(self.error(open, "this parenthesis is not closed"))
    }

    /// The body for one call.
    fn substituted(
        &mut self,
        inline: &Inline,
        arguments: &[Vec<Token>],
        used: Place,
    ) -> Vec<Token> {
        let origin = self
            .origins
            .add(OriginKind::Inline, &inline.name.text, used);
        let mut tokens = Vec::with_capacity(inline.body.len());
        for token in inline.body.iter() {
            let name = token.name();
            let i = name.and_then(|n| inline.parameters.iter().position(|p| p == n));
            let Some(i) = i else {
                let mut token = token.clone();
                // A macro used in the body is shown as the body shows it.
                token.place = self.origins.outermost(token.place);
                token.place.origin = Some(origin);
                token.stands = None;
                tokens.push(token);
                continue;
            };
            for (j, argument) in arguments[i].iter().enumerate() {
                let mut argument = argument.clone();
                let mut stands = self.origins.outermost(token.place);
                stands.origin = Some(origin);
                argument.stands = Some(stands);
                argument.starts_line = j == 0 && token.starts_line;
                tokens.push(argument);
            }
        }
        tokens
    }

    /// `return e`: what the call assigns to gets the value.
    pub(super) fn return_value(&mut self) -> Parsed<StmtKind> {
        let place = self.bump().place;
        let value = self.full_expr()?;
        let frame = self.frames.iter().rev().find(|f| f.inline.is_some());
        match frame.and_then(|f| f.result.clone()) {
            Some(result) => Ok(StmtKind::Assign(result, value)),
            None => {
                let message = "`return` belongs into an inline that is called as `x = f(…)`";
                Err(self.error(place, message))
            }
        }
    }
}
