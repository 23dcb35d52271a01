//! Text to tokens: comments go, line ends stay where they can end a declaration.
//!
//! Comments are `-- …` to the end of the line, and `{- … -}`, which nest. The longest mark wins:
//! `x<-1` is `x <- 1`, and `{-1}` begins a comment. A name may end in apostrophes; an apostrophe
//! anywhere else begins a character. `(|` begins a map unless `|` or `~` follows, for `(|~| x : S
//! @ P)` is a choice in brackets. `::` between two names without space joins them; otherwise it
//! stands before a type. What stands between `:[` and `]` is one token, and so is `include "f"`.
//!
//! Worked example: `c' = <M::x> -- end` gives `c'`, `=`, `<`, `M::x`, `>`.

use crate::token::{MARKS, MODELS, PropertyToken, Token, TokenKind, word};
use base::{SourceId, Span};
use std::sync::Arc;

/// The tokens of `text`, the text of `source`, in order.
pub fn lex(source: SourceId, text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        text,
        at: 0,
        line_end: None,
        tokens: Vec::new(),
    };
    lexer.run();
    lexer.tokens
}

const OPEN_COMMENT: &str =
    "this comment has no end; a set that starts with `-` needs a space: `{ -1}`";
const BAD_INCLUDE: &str = "`include` needs the name of a file in quotes";
const AFTER_INCLUDE: &str = "only a comment may stand behind an included file";

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    /// Where a line ended since the last token.
    line_end: Option<usize>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.skip_space() {
            let start = self.at;
            let kind = self.token();
            let span = Span::new(self.source, start..self.at);
            self.push(Token { kind, span });
        }
        if let Some(end) = self.line_end {
            self.push_line_end(end, true);
        }
    }

    /// Takes a token in, with the line end before it if that counts.
    fn push(&mut self, token: Token) {
        if let Some(end) = self.line_end.take()
            && !token.swallows_before()
        {
            let start = token.span.start as usize;
            let is_first = start == 0 || self.text[..start].ends_with('\n');
            self.push_line_end(end, is_first);
        }
        self.tokens.push(token);
    }

    fn push_line_end(&mut self, at: usize, is_first: bool) {
        if self.tokens.last().is_some_and(|t| !t.swallows_after()) {
            let kind = TokenKind::Newline(is_first);
            let span = Span::new(self.source, at..at);
            self.tokens.push(Token { kind, span });
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves to the next token; false at the end of the text.
    fn skip_space(&mut self) -> bool {
        while let Some(c) = self.next() {
            if c == '\n' {
                self.line_end.get_or_insert(self.at);
                self.at += 1;
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("--") {
                self.skip_line();
            } else if self.rest().starts_with("{-") {
                let Some(length) = comment_length(self.rest()) else {
                    return true;
                };
                self.at += length;
            } else {
                return true;
            }
        }
        false
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    fn token(&mut self) -> TokenKind {
        if self.rest().starts_with("{-") {
            self.at = self.text.len();
            return TokenKind::Bad(OPEN_COMMENT);
        }
        let first = self.next().expect("not at the end");
        match first {
            'a'..='z' | 'A'..='Z' => self.name(),
            '0'..='9' => self.number(),
            '\'' => self.character(),
            '"' => self.string(),
            ':' if self.rest().starts_with(":[") => self.property(),
            '[' => self.refines().unwrap_or_else(|| self.mark()),
            _ => self.mark(),
        }
    }

    /// A word, a name, a name in modules, or `include`.
    fn name(&mut self) -> TokenKind {
        let first = self.one_name();
        if let Some(word) = word(&first) {
            return TokenKind::Word(word);
        }
        if first == "include" && self.is_start_of_line() {
            return self.include();
        }
        let mut parts: Vec<Arc<str>> = vec![first.into()];
        while let Some(rest) = self.rest().strip_prefix("::")
            && rest.starts_with(|c: char| c.is_ascii_alphabetic())
            && word(name_at(rest)).is_none()
        {
            self.at += 2;
            parts.push(self.one_name().into());
        }
        match parts.len() {
            1 => TokenKind::Name(parts.remove(0)),
            _ => TokenKind::Path(parts),
        }
    }

    fn one_name(&mut self) -> String {
        let name = name_at(self.rest()).to_owned();
        self.at += name.len();
        name
    }

    /// Whether the name that ends here is the first thing in its line, and space follows it.
    fn is_start_of_line(&self) -> bool {
        let is_first = self.line_end.is_some() || self.tokens.is_empty();
        is_first && self.rest().starts_with([' ', '\t'])
    }

    /// `include "file"`; a file may have backslashes in its name, so there are no escapes.
    fn include(&mut self) -> TokenKind {
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let quoted = line.trim().strip_prefix('"');
        let split = quoted.and_then(|q| q.split_once('"'));
        let is_alone = |after: &str| {
            let after = after.trim_start();
            after.is_empty() || after.starts_with("--") || after.starts_with("{-")
        };
        let (kind, length) = match split {
            Some((file, after)) if is_alone(after) => {
                let start = line.find('"').unwrap_or(0);
                (TokenKind::Include(file.into()), start + file.len() + 2)
            }
            Some(_) => (TokenKind::Bad(AFTER_INCLUDE), line.trim_end().len()),
            None => (TokenKind::Bad(BAD_INCLUDE), line.trim_end().len()),
        };
        self.at += length;
        kind
    }

    fn number(&mut self) -> TokenKind {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let value = rest[..length].parse();
        self.at += length;
        value.map_or(
            TokenKind::Bad("this number does not fit into 64 bits"),
            TokenKind::Number,
        )
    }

    fn character(&mut self) -> TokenKind {
        let mut letters = self.rest().char_indices().skip(1);
        let inside = match letters.next() {
            Some((_, '\\')) => letters.next().map(|(_, c)| unescaped(c)),
            Some((_, c)) if c != '\n' => Some(c),
            _ => None,
        };
        match (inside, letters.next()) {
            (Some(inside), Some((end, '\''))) => {
                self.at += end + 1;
                TokenKind::Char(inside)
            }
            _ => {
                self.at += 1;
                TokenKind::Bad("this is no character such as `'c'`")
            }
        }
    }

    fn string(&mut self) -> TokenKind {
        let mut inside = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((i, c)) = letters.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return TokenKind::Text(inside.into());
                }
                '\n' => break,
                '\\' => match letters.next() {
                    Some((_, escaped)) if escaped != '\n' => inside.push(unescaped(escaped)),
                    _ => break,
                },
                other => inside.push(other),
            }
        }
        self.skip_line();
        TokenKind::Bad("this string has no end")
    }

    /// `:[words [option]]`, with a `:` behind it or without.
    fn property(&mut self) -> TokenKind {
        match property_at(&self.rest()[2..]) {
            Some((property, length)) => {
                self.at += 2 + length;
                TokenKind::Property(Arc::new(property))
            }
            None => {
                self.skip_line();
                TokenKind::Bad("this is no property such as `:[deadlock free [FD]]`")
            }
        }
    }

    /// `[T=` and the like, if that is here.
    fn refines(&mut self) -> Option<TokenKind> {
        let inside = self.rest().strip_prefix('[')?;
        let (letters, model) = MODELS.iter().find(|(letters, _)| {
            let after = inside.strip_prefix(letters);
            after.is_some_and(|a| a.starts_with('=') && !a.starts_with("=="))
        })?;
        self.at += letters.len() + 2;
        Some(TokenKind::Refines(*model))
    }

    fn mark(&mut self) -> TokenKind {
        let rest = self.rest();
        if rest.starts_with("(||") || rest.starts_with("(|~") {
            self.at += 1;
            return TokenKind::Mark("(");
        }
        if let Some(inside) = rest.strip_prefix('<')
            && inside.trim_start().starts_with('>')
        {
            let space = inside.len() - inside.trim_start().len();
            self.at += space + 2;
            return TokenKind::Mark("<>");
        }
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.at += mark.len();
            return TokenKind::Mark(mark);
        }
        let stray = self.next().expect("not at the end");
        self.at += stray.len_utf8();
        TokenKind::Stray(stray)
    }
}

/// The name that `text` starts with.
fn name_at(text: &str) -> &str {
    let is_in = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let body = text.find(|c| !is_in(c)).unwrap_or(text.len());
    let primes = text[body..].bytes().take_while(|b| *b == b'\'').count();
    &text[..body + primes]
}

/// The bytes of the comment that `text` starts with, or nothing if it has no end.
fn comment_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (2, 1usize);
    while depth > 0 {
        match bytes.get(at..at + 2)? {
            b"-}" => (at, depth) = (at + 2, depth - 1),
            b"{-" => (at, depth) = (at + 2, depth + 1),
            _ => at += 1,
        }
    }
    Some(at)
}

/// What stands behind `:[`, and its length up to the closing bracket and a colon behind it.
fn property_at(text: &str) -> Option<(PropertyToken, usize)> {
    let is_word = |c: char| c.is_ascii_alphabetic() || c == '-' || c.is_ascii_whitespace();
    let end = text.find(|c| !is_word(c))?;
    let spaced = text[..end].replace('-', " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = end;
    let mut option = None;
    if let Some(inside) = text[at..].strip_prefix('[') {
        let length = inside.find(']')?;
        let letters = inside[..length].trim();
        if letters.is_empty() || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
            return None;
        }
        option = Some(letters.to_owned());
        at += length + 2;
        at += text[at..].len() - text[at..].trim_start().len();
    }
    let after = text[at..].strip_prefix(']')?;
    let has_colon = after.starts_with(':') && !after.starts_with(":[");
    let property = PropertyToken {
        words: words.join(" "),
        option,
    };
    Some((property, at + 1 + usize::from(has_colon)))
}

fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}
