//! Tokens to syntax tree: recursive descent, one function per production.
//!
//! The grammar is that of classical B as ProB reads it: clauses in any order, `;` and `||` between
//! relations only inside brackets, comparisons bind looser than every operator on values.
//!
//! A syntax error is reported and the parser goes on at the next clause, so that one run shows
//! several of them; what comes after an error may be reported in error too, so the number of
//! reports is bounded.
//!
//! Source: the reference manual of the language B (ClearSy) for priorities, and the grammar of
//! ProB's parser for what it accepts beyond that.

mod clauses;
mod definitions;
mod expressions;
mod slips;
mod substitutions;

use crate::ast::{Definition, Expr, Machine, Name};
use crate::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, SourceId, Span, quote};
use std::sync::Arc;

/// The deepest nesting of brackets, signs and blocks together.
pub const NESTING_MAX: usize = 100;
/// Syntax errors beyond this number are not reported.
const ERRORS_MAX: usize = 20;

/// The machine that the tokens of `source` describe, or `None` if `found` says what is wrong.
pub fn machine(
    source: SourceId,
    tokens: Vec<Token>,
    length: usize,
    found: &mut Diagnostics,
) -> Option<Machine> {
    let mut parser = Parser::new(source, tokens, length);
    let machine = parser.machine();
    let is_good = parser.errors.is_empty();
    found.extend(parser.errors);
    machine.ok().filter(|_| is_good)
}

/// Definitions and further files that the tokens of a file of definitions describe.
pub(crate) fn definition_file(
    source: SourceId,
    tokens: Vec<Token>,
    length: usize,
    found: &mut Diagnostics,
) -> Definitions {
    let mut parser = Parser::new(source, tokens, length);
    let read = parser.definition_file();
    found.extend(parser.errors);
    read.unwrap_or_default()
}

/// The formula that all of these tokens are, whose text ends at `length`.
pub(crate) fn formula_of(
    source: SourceId,
    tokens: Vec<Token>,
    length: usize,
    found: &mut Diagnostics,
) -> Option<Expr> {
    let mut parser = Parser::new(source, tokens, length);
    let mut formula = parser.formula();
    if formula.is_ok() && parser.peek().is_some() {
        formula = Err(parser.expected("the end of the formula"));
    }
    found.extend(parser.errors);
    formula.ok()
}

/// What a clause `DEFINITIONS` holds.
#[derive(Default)]
pub struct Definitions {
    /// Its own.
    pub all: Vec<Definition>,
    /// Files with more of them.
    pub files: Vec<(Arc<str>, Span)>,
}

/// What a production gives, or that an error was reported.
type Parsed<T> = Result<T, Reported>;

/// An error was reported; the caller looks for a place to go on.
#[derive(Debug)]
struct Reported;

struct Parser {
    source: SourceId,
    tokens: Vec<Token>,
    at: usize,
    /// The end of the text.
    end: Span,
    depth: usize,
    errors: Vec<Diagnostic>,
    /// How often it was looked for what is open.
    n_looks: usize,
}

impl Parser {
    fn new(source: SourceId, tokens: Vec<Token>, length: usize) -> Parser {
        Parser {
            source,
            tokens,
            at: 0,
            end: Span::new(source, length..length),
            depth: 0,
            errors: Vec::new(),
            n_looks: 0,
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn ahead(&self, n: usize) -> Option<&Token> {
        self.tokens.get(self.at + n)
    }

    /// Takes the next token.
    ///
    /// # Requires
    /// There is one.
    fn bump(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is_word(word))
    }

    /// Takes this mark if it is next.
    fn eat(&mut self, mark: &str) -> bool {
        let there = self.is(mark);
        self.at += usize::from(there);
        there
    }

    /// Takes this word if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    /// Takes this mark, or reports that it is missing.
    fn expect(&mut self, mark: &str) -> Parsed<Span> {
        if self.is(mark) {
            return Ok(self.bump().span);
        }
        Err(self.expected(&format!("`{mark}`")))
    }

    /// Takes this word, or reports that it is missing.
    fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.is_word(word) {
            return Ok(self.bump().span);
        }
        Err(self.expected(&format!("`{word}`")))
    }

    /// Takes a name without dots.
    fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match self.peek() {
            Some(Token {
                kind: TokenKind::Name(text),
                span,
            }) => {
                let name = Name {
                    text: text.clone(),
                    span: *span,
                };
                self.at += 1;
                Ok(name)
            }
            Some(Token {
                kind: TokenKind::Word(word),
                span,
            }) => {
                let message = format!("{} is a word of B; {wanted} is expected here", quote(word));
                let span = *span;
                Err(self.error(span, message))
            }
            _ => Err(self.expected(wanted)),
        }
    }

    /// Takes a name whose parts may be joined by dots.
    fn dotted(&mut self, wanted: &str) -> Parsed<Name> {
        let mut name = self.name(wanted)?;
        while self.is(".") && self.ahead(1).is_some_and(|t| t.name().is_some()) {
            self.at += 1;
            let part = self.name("a name")?;
            name.text = format!("{}.{}", name.text, part.text).into();
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    /// Takes names without dots between commas.
    fn names(&mut self, wanted: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(wanted)?];
        while self.eat(",") {
            names.push(self.name(wanted)?);
        }
        Ok(names)
    }

    /// Goes one level deeper, if that is allowed.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth >= NESTING_MAX {
            let message = format!("this is nested more than {NESTING_MAX} levels deep");
            return Err(self.error(self.here(), message));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Where the next token is.
    fn here(&self) -> Span {
        self.peek().map_or(self.end, |t| t.span)
    }

    /// From `start` to the token before.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        match last {
            Some(token) if token.span.start >= start.start => start.to(token.span),
            _ => start,
        }
    }

    /// Reports that something else stands where `wanted` should.
    fn expected(&mut self, wanted: &str) -> Reported {
        let mut error = match self.peek() {
            Some(Token {
                kind: TokenKind::Bad(why),
                span,
            }) => return self.error(*span, *why),
            Some(token) => {
                let message = format!("{wanted} is expected here, not {}", self.shown(token));
                self.with_meaning(Diagnostic::error(token.span, message))
            }
            None => {
                let message = format!("{wanted} is expected before the end of the text");
                Diagnostic::error(self.end, message)
            }
        };
        if let Some(open) = self.unended(wanted) {
            error = error.and(open.span, format!("this `{}` is not ended", open.opener));
        }
        self.report(error)
    }

    fn shown(&self, token: &Token) -> String {
        quote(&token.text())
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    fn report(&mut self, error: Diagnostic) -> Reported {
        let n = self.errors.len() + 1;
        if n < ERRORS_MAX {
            self.errors.push(error);
        } else if n == ERRORS_MAX {
            let error = error.note("there are more errors; they are not shown");
            self.errors.push(error);
        }
        Reported
    }
}
