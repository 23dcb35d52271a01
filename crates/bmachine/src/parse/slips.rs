//! What was meant, where a token stands that does not belong there: something is not ended, or a
//! mark is taken for another.

use super::Parser;
use super::substitutions::BLOCKS;
use crate::token::{Token, TokenKind};
use base::brackets::{OpenBracket, open_bracket};
use base::{Diagnostic, Span};

/// What opens something, and what ends it.
const PAIRS: [(&str, &str); 20] = [
    ("{", "}"),
    ("(", ")"),
    ("[", "]"),
    ("MACHINE", "END"),
    ("MODEL", "END"),
    ("SYSTEM", "END"),
    ("REFINEMENT", "END"),
    ("IMPLEMENTATION", "END"),
    ("BEGIN", "END"),
    ("PRE", "END"),
    ("ASSERT", "END"),
    ("SELECT", "END"),
    ("IF", "END"),
    ("CHOICE", "END"),
    ("ANY", "END"),
    ("LET", "END"),
    ("VAR", "END"),
    ("CASE", "END"),
    ("EITHER", "END"),
    ("WHILE", "END"),
];

/// What is open is looked for so often: in texts that are read in two ways it is for nothing.
const LOOKS_MAX: usize = 200;

fn word(token: &Token) -> Option<(&'static str, Span)> {
    match token.kind {
        TokenKind::Mark(text) | TokenKind::Word(text) => Some((text, token.span)),
        _ => None,
    }
}

impl Parser {
    /// What is open, opened last, if that is why `wanted` is.
    pub(super) fn unended(&mut self, wanted: &str) -> Option<OpenBracket<'static>> {
        self.n_looks += 1;
        if self.n_looks > LOOKS_MAX {
            return None;
        }
        let open = open_bracket(self.tokens[..self.at].iter().filter_map(word), &PAIRS)?;
        let is_wanted = wanted.contains(&format!("`{}`", open.closer));
        let is_other_end = self.peek().and_then(word).is_some_and(|(text, _)| {
            let ends = PAIRS.iter().any(|(_, closer)| *closer == text);
            ends && text != open.closer
        });
        (is_wanted || is_other_end || self.peek().is_none()).then_some(open)
    }

    /// The same message with what was meant, if that can be guessed.
    pub(super) fn with_meaning(&self, error: Diagnostic) -> Diagnostic {
        let is_after_name = self.at > 0 && self.tokens[self.at - 1].name().is_some();
        if !self.is("=") || !is_after_name {
            return error;
        }
        let begins_block = match self.ahead(1).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => BLOCKS.contains(word),
            _ => false,
        };
        if begins_block {
            error.note("the next operation begins here, if what stands before it is ended")
        } else {
            error.note("`:=` assigns; `=` compares")
        }
    }
}
