//! What was meant, where a token stands that does not belong there: something is not ended, or a
//! mark of another language is used.

use super::Parser;
use super::units::STARTS;
use crate::place::Place;
use crate::token::{Token, TokenKind};
use base::brackets::{OpenBracket, open_bracket};
use base::{Diagnostic, Span};

/// What opens something, and what ends it.
const PAIRS: [(&str, &str); 5] = [
    ("{", "}"),
    ("(", ")"),
    ("[", "]"),
    ("if", "fi"),
    ("do", "od"),
];

/// The characters of a token that opens or ends something.
fn word(token: &Token) -> Option<(&str, Span)> {
    let text = match &token.kind {
        TokenKind::Mark(mark) => mark,
        TokenKind::Name(name) => &**name,
        _ => return None,
    };
    Some((text, token.place.span))
}

impl Parser<'_> {
    /// What is open before the next token, opened last.
    fn open(&self) -> Option<OpenBracket<'static>> {
        let frame = self.frames.last()?;
        let is_held = |held: &Token| !held.place.span.range().is_empty();
        let n_held = usize::from(self.held.as_ref().is_some_and(is_held));
        let read = &frame.tokens[..frame.at.saturating_sub(n_held)];
        let is_start = |token: &Token| token.starts_line && begins_unit(token);
        let from = read.iter().rposition(is_start).unwrap_or(0);
        open_bracket(read[from..].iter().filter_map(word), &PAIRS)
    }

    /// What is open and should have been ended before the next token, which is not what is
    /// wanted.
    pub(super) fn unended(&mut self, wanted: &str) -> Option<OpenBracket<'static>> {
        let next = self.peek().cloned();
        let open = self.open()?;
        let is_over = match &next {
            None => true,
            Some(token) => {
                let text = word(token).map_or("", |(text, _)| text);
                let ends = PAIRS.iter().any(|(_, closer)| *closer == text);
                let starts = token.starts_line && begins_unit(token);
                (ends && text != open.closer) || starts
            }
        };
        let is_wanted = wanted.strip_prefix('`') == Some(&format!("{}`", open.closer));
        (is_over || is_wanted).then_some(open)
    }

    /// The same message with what was meant, if that can be guessed.
    pub(super) fn with_meaning(
        &self,
        error: Diagnostic,
        next: &Token,
        before: Place,
    ) -> Diagnostic {
        let touches = before.span.source == next.place.span.source
            && before.span.end == next.place.span.start;
        if next.is("=") && touches && self.is_colon(before) {
            return error.note("`=` assigns; there is no `:=`");
        }
        if next.is("=") {
            return error.note("`==` compares; `=` assigns, and is no part of an expression");
        }
        error
    }

    /// Whether the token before is a colon.
    fn is_colon(&self, before: Place) -> bool {
        let frame = self.frames.last();
        let read = frame
            .into_iter()
            .flat_map(|frame| frame.tokens[..frame.at].iter().rev());
        let mut read = read.take(2);
        read.any(|token| token.is(":") && token.place == before)
    }
}

/// Whether a token is a word that begins a unit, and nothing else.
fn begins_unit(token: &Token) -> bool {
    let name = token.name().map_or("", |name| name);
    name != "mtype" && STARTS.contains(&name)
}
