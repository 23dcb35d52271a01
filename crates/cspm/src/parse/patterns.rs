//! Patterns: `(x, <y>^ys)`, `A.n`, `p @@ q`, and the statements of comprehensions.
//!
//! Before a `<-` stands a pattern, without it a condition; which of them is known only at the
//! `<-`. So a statement is tried as a pattern first and read again as an expression if that was
//! wrong. Patterns have no statements within them, so a text is read at most twice at each depth.

use super::{Parsed, Parser};
use crate::ast::{Pattern, PatternKind, Statement};
use crate::parse::level;
use crate::token::TokenKind;
use base::Span;

impl Parser<'_> {
    /// A pattern, with `@@` and all.
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(Parser::both)
    }

    /// Patterns between commas, at least one.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut all = vec![self.pattern()?];
        let mut tallest = self.height;
        while self.eat(",") {
            all.push(self.pattern()?);
            tallest = tallest.max(self.height);
        }
        self.height = tallest;
        Ok(all)
    }

    /// `p @@ q`
    fn both(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        let mut left = self.dotted()?;
        while self.eat("@@") {
            let below = self.height;
            let right = self.dotted()?;
            self.over(below.max(self.height))?;
            let kind = PatternKind::Both(Box::new(left), Box::new(right));
            left = self.made(start, kind);
        }
        Ok(left)
    }

    /// `p.q.r`, nested to the right.
    fn dotted(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        let left = self.joined()?;
        if !self.eat(".") {
            return Ok(left);
        }
        let below = self.height;
        let right = self.nested(Parser::dotted)?;
        self.over(below.max(self.height))?;
        let kind = PatternKind::Dot(Box::new(left), Box::new(right));
        Ok(self.made(start, kind))
    }

    /// `p^q^r`, nested to the left.
    fn joined(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        let mut left = self.single()?;
        while self.eat("^") {
            let below = self.height;
            let right = self.single()?;
            self.over(below.max(self.height))?;
            let kind = PatternKind::Concat(Box::new(left), Box::new(right));
            left = self.made(start, kind);
        }
        Ok(left)
    }

    /// A pattern without operators.
    fn single(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        self.height = 1;
        let kind = match self.kind() {
            Some(TokenKind::Name(_) | TokenKind::Path(_)) => {
                PatternKind::Name(self.qualified("a name")?)
            }
            Some(TokenKind::Number(n)) => PatternKind::Number(*n),
            Some(TokenKind::Char(c)) => PatternKind::Char(*c),
            Some(TokenKind::Text(text)) => PatternKind::Text(text.clone()),
            Some(TokenKind::Word("true")) => PatternKind::Bool(true),
            Some(TokenKind::Word("false")) => PatternKind::Bool(false),
            Some(TokenKind::Mark("_")) => PatternKind::Any,
            Some(TokenKind::Mark("<>")) => PatternKind::Sequence(Vec::new()),
            Some(TokenKind::Mark("-")) => return self.negative(),
            Some(TokenKind::Mark("(")) => return self.in_brackets(start),
            Some(TokenKind::Mark("<")) => {
                let items = self.listed("<", ">")?;
                return Ok(self.made(start, PatternKind::Sequence(items)));
            }
            Some(TokenKind::Mark("{")) => {
                let items = self.listed("{", "}")?;
                return Ok(self.made(start, PatternKind::Set(items)));
            }
            _ => return Err(self.expected("a pattern")),
        };
        if !matches!(kind, PatternKind::Name(_)) {
            self.at += 1;
        }
        Ok(self.made(start, kind))
    }

    /// `-3`: a minus stands only before a number.
    fn negative(&mut self) -> Parsed<Pattern> {
        let start = self.bump().span;
        match self.kind() {
            Some(TokenKind::Number(n)) => {
                let n = -n;
                self.at += 1;
                Ok(self.made(start, PatternKind::Number(n)))
            }
            _ => Err(self.expected("a number after `-` in a pattern")),
        }
    }

    /// `(p)`, which is `p`, or `(p, q)`.
    fn in_brackets(&mut self, start: Span) -> Parsed<Pattern> {
        let mut items = self.listed("(", ")")?;
        match items.len() {
            0 => {
                let span = self.since(start);
                Err(self.error(span, "a tuple has two parts or more"))
            }
            1 => Ok(items.remove(0)),
            _ => Ok(self.made(start, PatternKind::Tuple(items))),
        }
    }

    /// Patterns between two marks, perhaps none.
    pub(super) fn listed(&mut self, opener: &str, closer: &str) -> Parsed<Vec<Pattern>> {
        let open = self.expect(opener)?;
        self.height = 0;
        let mut items = Vec::new();
        if !self.is(closer) {
            items = self.patterns()?;
        }
        self.close(closer, opener, open)?;
        self.over(self.height)?;
        Ok(items)
    }

    fn made(&self, start: Span, kind: PatternKind) -> Pattern {
        let span = self.since(start);
        Pattern { kind, span }
    }

    /// Statements between commas, at least one.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let mut all = vec![self.statement()?];
        let mut tallest = self.height;
        while self.eat(",") {
            all.push(self.statement()?);
            tallest = tallest.max(self.height);
        }
        self.height = tallest;
        Ok(all)
    }

    /// `p <- s`, `p : s`, or a condition.
    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.at;
        let was_trying = std::mem::replace(&mut self.is_trying, true);
        let pattern = self.pattern();
        self.is_trying = was_trying;
        if let Ok(pattern) = pattern
            && (self.eat("<-") || self.eat(":"))
        {
            let below = self.height;
            let from = self.expr(level::LOWEST)?;
            self.height = self.height.max(below);
            return Ok(Statement::From(pattern, from));
        }
        self.at = start;
        let condition = self.expr(level::LOWEST)?;
        if self.is("<-") || self.is(":") {
            let message = "what stands before `<-` or `:` has to be a pattern";
            return Err(self.error(condition.span, message));
        }
        Ok(Statement::If(condition))
    }
}
