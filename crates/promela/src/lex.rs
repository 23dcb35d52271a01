//! Text to tokens: comments and line continuations go, the rest is cut into pieces.
//!
//! A backslash before a line end joins the lines, also inside a comment or a string, as in C. Block
//! comments do not nest and count as a space; they do not hide the line ends inside them, because a
//! line end may stand for a semicolon (SPIN sees what a C preprocessor leaves, and that keeps the
//! lines). Numbers are decimal digits only: `1..N` is three tokens here, where a C preprocessor
//! takes it for one and leaves `N` alone.
//!
//! Worked example: `x=1 /* one */ // end` gives `x`, `=`, `1`. `'\n'` is the number 10.

use crate::place::Place;
use crate::token::{MARKS, Token, TokenKind};
use base::{SourceId, Span};
use std::collections::HashSet;
use std::rc::Rc;

/// The tokens of `text`, the text of `source`, in order.
pub fn lex(source: SourceId, text: &str) -> Vec<Token> {
    let lexer = Lexer {
        source,
        text,
        at: 0,
        starts_line: true,
        spaced: false,
        names: HashSet::new(),
        in_directive: false,
    };
    lexer.run()
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    starts_line: bool,
    spaced: bool,
    /// Equal names share their text.
    names: HashSet<Rc<str>>,
    /// Whether the line began with `#`: then a comment does not end it.
    in_directive: bool,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        while self.skip_space() {
            let start = self.at;
            let kind = self.token();
            let place = Place::plain(self.span(start));
            tokens.push(Token {
                kind,
                place,
                starts_line: self.starts_line,
                spaced: self.spaced,
                frozen: false,
                stands: None,
            });
            if self.starts_line {
                self.in_directive = tokens.last().is_some_and(|t| t.is("#"));
            }
            (self.starts_line, self.spaced) = (false, false);
        }
        tokens
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source, start..self.at)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn byte(&self, ahead: usize) -> u8 {
        // Zero stands for the end of the text; a zero byte in the text is a stray character.
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    /// The length of the joined line end at the cursor, if there is one.
    fn continuation(&self) -> Option<usize> {
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'\\', b'\n', _) => Some(2),
            (b'\\', b'\r', b'\n') => Some(3),
            _ => None,
        }
    }

    /// Moves to the next token; false at the end of the text.
    fn skip_space(&mut self) -> bool {
        while self.at < self.text.len() {
            if let Some(n) = self.continuation() {
                self.at += n;
                self.spaced = true;
                continue;
            }
            match (self.byte(0), self.byte(1)) {
                (b'\n', _) => {
                    self.starts_line = true;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r' | 0x0c | 0x0b, _) => self.at += 1,
                (b'/', b'/') => self.skip_line_comment(),
                (b'/', b'*') if self.rest()[2..].contains("*/") => self.skip_block_comment(),
                _ => return true,
            }
            self.spaced = true;
        }
        false
    }

    fn skip_line_comment(&mut self) {
        while self.at < self.text.len() && self.byte(0) != b'\n' {
            self.at += self.continuation().unwrap_or(1);
        }
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        let inside = self.rest()[2..].find("*/").expect("the comment ends");
        self.at += 2 + inside + 2;
        if !self.in_directive && self.text[start..self.at].contains('\n') {
            self.starts_line = true;
        }
    }

    fn token(&mut self) -> TokenKind {
        let first = self.byte(0);
        if first.is_ascii_alphabetic() || first == b'_' {
            return self.name();
        }
        if first.is_ascii_digit() {
            let start = self.at;
            while self.byte(0).is_ascii_digit() {
                self.at += 1;
            }
            return TokenKind::Number(self.text[start..self.at].into());
        }
        match first {
            b'"' => self.quoted(b'"'),
            b'$' if self.rest()[1..]
                .lines()
                .next()
                .is_some_and(|l| l.contains('$')) =>
            {
                self.quoted(b'$')
            }
            b'\'' => self.letter(),
            b'/' if self.byte(1) == b'*' => {
                self.at = self.text.len();
                TokenKind::Bad("this comment has no end")
            }
            _ => self.mark(),
        }
    }

    fn name(&mut self) -> TokenKind {
        let start = self.at;
        while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if let Some(name) = self.names.get(text) {
            return TokenKind::Name(name.clone());
        }
        let name: Rc<str> = text.into();
        self.names.insert(name.clone());
        TokenKind::Name(name)
    }

    fn quoted(&mut self, quote: u8) -> TokenKind {
        let start = self.at;
        self.at += 1;
        while self.at < self.text.len() && self.byte(0) != quote {
            if let Some(n) = self.continuation() {
                self.at += n;
                continue;
            }
            if self.byte(0) == b'\n' {
                break;
            }
            self.at += if self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.text.len());
        let closed = self.byte(0) == quote && self.at < self.text.len();
        if closed {
            self.at += 1;
        } else {
            self.at = self.text.ceil_char_boundary(self.at);
            return TokenKind::Bad("this string has no end");
        }
        let inside = &self.text[start + 1..self.at - 1];
        TokenKind::Text(format!("\"{inside}\"").into())
    }

    fn letter(&mut self) -> TokenKind {
        self.at += 1;
        let mut letters = self.rest().chars();
        let mut value = letters.next();
        let mut length = value.map_or(0, char::len_utf8);
        if value == Some('\\') {
            let escaped = letters.next();
            length += escaped.map_or(0, char::len_utf8);
            value = escaped.map(|c| match c {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'f' => '\x0c',
                other => other,
            });
        }
        if let (Some(value), Some('\'')) = (value, letters.next()) {
            self.at += length + 1;
            return TokenKind::Letter(value as i32);
        }
        TokenKind::Bad("this quote is not part of a character such as `'a'`")
    }

    fn mark(&mut self) -> TokenKind {
        let rest = self.rest();
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.at += mark.len();
            return TokenKind::Mark(mark);
        }
        let stray = rest.chars().next().expect("not at the end");
        self.at += stray.len_utf8();
        TokenKind::Stray(stray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (Vec<String>, Vec<&'static str>) {
        let tokens = lex(SourceId::new(0), text);
        let bad = tokens.iter().filter_map(|t| match t.kind {
            TokenKind::Bad(why) => Some(why),
            _ => None,
        });
        (tokens.iter().map(Token::text).collect(), bad.collect())
    }

    #[test]
    fn comments_and_continuations_are_space() {
        let (tokens, errors) = texts("a/* b */c // d \\\n e\nx\\\ny");
        assert_eq!(tokens, ["a", "c", "x", "y"]);
        assert!(errors.is_empty());
    }

    #[test]
    fn the_longest_mark_wins() {
        let (tokens, _) = texts("a->b--c..d??e!!f::g>>=1");
        let expected = "a -> b -- c .. d ?? e !! f :: g >> = 1";
        assert_eq!(tokens.join(" "), expected);
    }

    #[test]
    fn numbers_stop_before_ranges() {
        assert_eq!(texts("1..N").0, ["1", "..", "N"]);
    }

    #[test]
    fn open_ends_are_said() {
        assert_eq!(texts("\"abc\nx").1, ["this string has no end"]);
        assert_eq!(texts("a /* b").1, ["this comment has no end"]);
        for (text, n) in [("'ab'", 2), ("'\\", 1), ("\"\\", 1), ("\"\\é", 1), ("'", 1)] {
            assert_eq!(texts(text).1.len(), n, "{text}");
        }
    }

    #[test]
    fn line_starts_are_kept() {
        let tokens = lex(SourceId::new(0), "a b\n c /* \n */ d\n#e /*\n*/ f");
        let starts: Vec<bool> = tokens.iter().map(|t| t.starts_line).collect();
        assert_eq!(starts, [true, false, true, true, true, false, false]);
    }
}
