//! The next token, with the semicolons that SPIN supplies.
//!
//! Inside the braces of a process or type, outside parentheses, a line end counts as a semicolon
//! after a name, a number, a closing bracket, `od`, `fi`, `else`, `break`, `++` and `--`. So does
//! the end of a block before anything but a keyword that continues it, and `else` before a
//! statement. Two lines that form one expression therefore need parentheses, as in SPIN:
//!
//! ```text
//! x = a          gives x = a; + b, which is an error
//!   + b
//! ```
//!
//! The supplied semicolon is a token with an empty span, so that messages can tell it apart.
//!
//! In formulas the temporal operators are put together here from the marks and words they are
//! written with. Bodies of inlines are read from frames above the text.

use super::{Last, Parser};
use crate::ast::Reference;
use crate::token::{Token, TokenKind};
use std::rc::Rc;

/// A run of tokens being read.
pub struct TokenRun {
    pub tokens: Rc<[Token]>,
    pub at: usize,
    /// The inline whose body this is.
    pub inline: Option<Rc<str>>,
    /// What `return` assigns to.
    pub result: Option<Reference>,
}

impl TokenRun {
    /// The text itself.
    pub fn of_text(tokens: Rc<[Token]>) -> TokenRun {
        TokenRun {
            tokens,
            at: 0,
            inline: None,
            result: None,
        }
    }
}

impl Parser<'_> {
    /// The next token, semicolons supplied; `None` at the end of the text.
    pub(super) fn peek(&mut self) -> Option<&Token> {
        if self.held.is_none() {
            self.held = self.fill();
        }
        self.held.as_ref()
    }

    /// Takes the next token.
    ///
    /// # Requires
    /// There is one.
    pub(super) fn bump(&mut self) -> Token {
        self.peek();
        let token = self.held.take().expect("a token is next");
        match token.kind {
            TokenKind::Mark("(") => self.n_open += 1,
            TokenKind::Mark(")") => self.n_open = self.n_open.saturating_sub(1),
            _ => {}
        }
        self.last = self.ending_of(&token);
        if !token.place.span.range().is_empty() {
            self.previous = token.place;
            self.previous_written = token.written();
        }
        token
    }

    /// The token after `ahead` others, as it stands in the text.
    pub(super) fn peek_raw(&self, ahead: usize) -> Option<&Token> {
        let mut ahead = ahead;
        if let Some(held) = &self.held {
            if ahead == 0 {
                return Some(held);
            }
            ahead -= 1;
        }
        for frame in self.frames.iter().rev() {
            let left = frame.tokens.len() - frame.at;
            if ahead < left {
                return frame.tokens.get(frame.at + ahead);
            }
            ahead -= left;
        }
        None
    }

    /// Takes the next token as it stands in the text, supplying nothing.
    pub(super) fn take_raw(&mut self) -> Option<Token> {
        let token = match self.held.take() {
            Some(held) => Some(held),
            None => self.next_raw(),
        }?;
        if !token.place.span.range().is_empty() {
            self.previous = token.place;
            self.previous_written = token.written();
        }
        self.last = self.ending_of(&token);
        Some(token)
    }

    fn next_raw(&mut self) -> Option<Token> {
        loop {
            let frame = self.frames.last_mut()?;
            if let Some(token) = frame.tokens.get(frame.at) {
                frame.at += 1;
                return Some(token.clone());
            }
            if self.frames.len() == 1 {
                return None;
            }
            self.frames.pop();
        }
    }

    fn fill(&mut self) -> Option<Token> {
        let next = self.peek_raw(0).cloned();
        if self.in_formula {
            let next = self.next_raw()?;
            return Some(self.temporal(next));
        }
        if self.semicolon_before(next.as_ref()) {
            self.last = Last::Other;
            let mut place = self.previous;
            place.span.start = place.span.end;
            return Some(Token {
                kind: TokenKind::Mark(";"),
                place,
                starts_line: false,
                spaced: false,
                frozen: false,
                stands: None,
            });
        }
        self.next_raw()
    }

    /// Whether a semicolon is understood between the token before and `next`.
    fn semicolon_before(&self, next: Option<&Token>) -> bool {
        let Some(next) = next else {
            return false;
        };
        let separates = next.is(";") || next.is("->");
        let counts = self.in_sequence && self.n_open == 0 && next.starts_line;
        let word = next.name().map_or("", |n| n);
        match self.last {
            Last::Other => false,
            Last::Ending => counts,
            Last::Else => !separates && word != "fi",
            Last::Brace => {
                let continues = ["proctype", "init", "never", "fi", "od", "unless"];
                // SPIN does not let a list of channels go on after `{ … }`; nothing speaks
                // against it.
                let marks = next.is("::") || next.is("}") || next.is(",") || next.is(")");
                !separates && !marks && !continues.contains(&word)
            }
        }
    }

    fn ending_of(&self, token: &Token) -> Last {
        match &token.kind {
            TokenKind::Mark("}") => Last::Brace,
            TokenKind::Mark(")" | "]" | "++" | "--") => Last::Ending,
            TokenKind::Number(_) | TokenKind::Letter(_) => Last::Ending,
            TokenKind::Name(name) => match &**name {
                "else" => Last::Else,
                "od" | "fi" | "break" | "true" | "false" | "skip" | "timeout" => Last::Ending,
                name if super::is_keyword(name)
                    || self.types.contains(name)
                    || self.processes.contains(name)
                    || self.inlines.contains_key(name) =>
                {
                    Last::Other
                }
                _ => Last::Ending,
            },
            _ => Last::Other,
        }
    }

    /// Whether an operand begins with the next token: operators of the past are names elsewhere.
    fn operand_follows(&mut self) -> bool {
        let infix = [
            "U",
            "W",
            "V",
            "until",
            "stronguntil",
            "weakuntil",
            "release",
        ];
        let words = ["implies", "equivalent", "since"];
        match self.peek_raw(0).map(|t| &t.kind) {
            Some(TokenKind::Name(name)) => {
                let mut words = infix.iter().chain(&words);
                !words.any(|word| *word == &**name)
            }
            Some(TokenKind::Number(_) | TokenKind::Mark("(" | "!" | "[" | "<")) => true,
            _ => false,
        }
    }

    /// In a formula: the operator that begins with `token`, or the token itself.
    fn temporal(&mut self, token: Token) -> Token {
        let second = match &token.kind {
            TokenKind::Mark(first @ ("[" | "<" | "/" | "\\")) => {
                let next = self.peek_raw(0).filter(|t| !t.spaced && !t.starts_line);
                match (*first, next.map(|t| &t.kind)) {
                    ("[", Some(TokenKind::Mark("]"))) => Some("[]"),
                    ("<", Some(TokenKind::Mark(">"))) => Some("<>"),
                    ("<", Some(TokenKind::Mark("->"))) => Some("<->"),
                    ("/", Some(TokenKind::Mark("\\"))) => Some("&&"),
                    ("\\", Some(TokenKind::Mark("/"))) => Some("||"),
                    _ => None,
                }
            }
            TokenKind::Name(name) => {
                let mark = match &**name {
                    "U" | "until" | "stronguntil" => "U",
                    "W" | "weakuntil" => "W",
                    "V" | "release" => "V",
                    "X" | "next" => "X",
                    "always" => "[]",
                    "eventually" => "<>",
                    "implies" => "->",
                    "equivalent" => "<->",
                    "yesterday" if self.operand_follows() => "yesterday",
                    "once" if self.operand_follows() => "once",
                    "historically" if self.operand_follows() => "historically",
                    "since" if self.operand_follows() => "since",
                    _ => return token,
                };
                return Token {
                    kind: TokenKind::Mark(mark),
                    ..token
                };
            }
            _ => None,
        };
        let Some(mark) = second else {
            return token;
        };
        let end = self.next_raw().expect("just seen");
        Token {
            kind: TokenKind::Mark(mark),
            place: self.origins.join(token.place, end.place),
            ..token
        }
    }
}
