//! Text to tokens: comments go, signs outside ASCII get the spelling of ASCII.
//!
//! Comments are `/* … */`, which do not nest, and `// …`. A pragma is a comment that starts with
//! `/*@`; none of them changes what a machine means, so they go too. A first line that starts with
//! `#!` is skipped. The longest mark wins, as everywhere in B: `x<-1` is `x <- 1`, an appended
//! element, and no comparison.
//!
//! Worked example: `x ∈ 1‥0x1F // end` gives `x`, `:`, `1`, `..`, `31`.

use crate::token::{MARKS, SIGNS, Token, TokenKind, WORDS, word};
use crate::value::{Value, number};
use base::{SourceId, Span};
use std::sync::Arc;

/// The tokens of `text`, the text of `source`, in order.
pub fn lex(source: SourceId, text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        text,
        at: 0,
    };
    if text.starts_with("#!") {
        lexer.skip_line();
    }
    lexer.run()
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        while self.skip_space() {
            let start = self.at;
            let kind = self.token();
            let span = Span::new(self.source, start..self.at);
            tokens.push(Token { kind, span });
        }
        tokens
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
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.skip_line();
            } else if let Some(inside) = self.rest().strip_prefix("/*") {
                let Some(length) = inside.find("*/") else {
                    return true;
                };
                self.at += length + 4;
            } else {
                return true;
            }
        }
        false
    }

    /// Lines end with `\n`, `\r\n`, or, in old files, `\r`.
    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
    }

    fn token(&mut self) -> TokenKind {
        if self.rest().starts_with("/*") {
            self.at = self.text.len();
            return TokenKind::Bad("this comment has no end");
        }
        if self.rest().starts_with("'''") {
            return self.long_text();
        }
        if let Some(kind) = self.sign() {
            return kind;
        }
        let first = self.next().expect("not at the end");
        if first.is_alphabetic() {
            return self.name();
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        match first {
            '"' => self.text(),
            '`' => self.quoted_name(),
            _ => self.mark(),
        }
    }

    /// A sign outside ASCII; `λ` may be part of a name, but does not begin one.
    fn sign(&mut self) -> Option<TokenKind> {
        let rest = self.rest();
        // Only two of them begin with a mark of ASCII.
        if rest.starts_with(|c: char| c.is_ascii() && c != ':') {
            return None;
        }
        let &(sign, spelled) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))?;
        self.at += sign.len();
        if let Some(mark) = MARKS.iter().find(|m| **m == spelled) {
            return Some(TokenKind::Mark(mark));
        }
        let word = WORDS.iter().find(|w| **w == spelled);
        word.map(|w| TokenKind::Word(w))
    }

    fn name(&mut self) -> TokenKind {
        let rest = self.rest();
        let length = rest.find(|c: char| !is_in_name(c)).unwrap_or(rest.len());
        let text: Arc<str> = rest[..length].into();
        self.at += length;
        match word(&text) {
            Some(word) => TokenKind::Word(word),
            None => TokenKind::Name(text),
        }
    }

    /// A name between back quotes: whatever it is, it is a name.
    fn quoted_name(&mut self) -> TokenKind {
        let inside = &self.rest()[1..];
        let end = inside.find(['`', '\n', '\r']);
        match end {
            Some(end) if end > 0 && inside[end..].starts_with('`') => {
                let name: Arc<str> = inside[..end].into();
                self.at += end + 2;
                TokenKind::Name(name)
            }
            _ => {
                self.at += 1;
                TokenKind::Bad("this back quote does not begin a name such as `` `END` ``")
            }
        }
    }

    fn number(&mut self) -> TokenKind {
        let rest = self.rest();
        let (digits, radix, skipped) = match rest.strip_prefix("0x") {
            Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => (hex, 16, 2),
            _ => (rest, 10, 0),
        };
        let length = digits
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(digits.len());
        let value = number::parse(&digits[..length], radix);
        let mut end = skipped + length;
        let fraction = rest[end..].strip_prefix('.');
        let is_real = fraction.is_some_and(|f| f.starts_with(|c: char| c.is_ascii_digit()));
        if is_real && radix == 10 {
            let after = &rest[end + 1..];
            end += 1 + after
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(after.len());
        }
        self.at += end;
        match value {
            _ if is_real && radix == 10 => TokenKind::Bad("real numbers are not supported"),
            Some(Value::Int(int)) => TokenKind::Number(int),
            Some(Value::Big(big)) => TokenKind::Big(big),
            _ => TokenKind::Bad("this is no number"),
        }
    }

    fn text(&mut self) -> TokenKind {
        let mut inside = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        let mut closed = None;
        while let Some((i, c)) = letters.next() {
            match c {
                '"' => {
                    closed = Some(i);
                    break;
                }
                '\n' | '\r' => break,
                '\\' => match letters.next() {
                    Some((_, escaped)) => inside.push_str(&unescaped(escaped)),
                    None => break,
                },
                other => inside.push(other),
            }
        }
        match closed {
            Some(i) => {
                self.at += i + 1;
                TokenKind::Text(inside.into())
            }
            None => {
                self.at += 1;
                self.skip_line();
                TokenKind::Bad("this string has no end")
            }
        }
    }

    /// A text over several lines, between three apostrophes.
    fn long_text(&mut self) -> TokenKind {
        let inside = &self.rest()[3..];
        match inside.find("'''") {
            Some(length) => {
                let text: Arc<str> = inside[..length].replace("\\'", "'").into();
                self.at += length + 6;
                TokenKind::Text(text)
            }
            None => {
                self.at = self.text.len();
                TokenKind::Bad("this string has no end")
            }
        }
    }

    fn mark(&mut self) -> TokenKind {
        let rest = self.rest();
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.at += mark.len();
            return TokenKind::Mark(mark);
        }
        let stray = self.next().expect("not at the end");
        self.at += stray.len_utf8();
        TokenKind::Stray(stray)
    }
}

fn is_in_name(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let is_sign = SIGNS
        .iter()
        .any(|(sign, _)| sign.starts_with(c) && c != 'λ');
    let is_index = ('₀'..='₉').contains(&c) || matches!(c, '′' | '’' | '‘');
    (c.is_alphanumeric() && !is_sign) || is_index
}

fn unescaped(c: char) -> String {
    match c {
        'n' => "\n".into(),
        't' => "\t".into(),
        'r' => "\r".into(),
        '"' | '\\' | '\'' => c.into(),
        other => format!("\\{other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let tokens = lex(SourceId::new(0), text);
        tokens.iter().map(Token::text).collect()
    }

    fn bad(text: &str) -> Vec<&'static str> {
        let tokens = lex(SourceId::new(0), text);
        let bad = tokens.iter().filter_map(|t| match t.kind {
            TokenKind::Bad(why) => Some(why),
            _ => None,
        });
        bad.collect()
    }

    #[test]
    fn comments_and_pragmas_are_space() {
        let text = "a/* b **/c // d \rx /*@ unit \"m\" */ y /*@label l*/ z";
        assert_eq!(texts(text), ["a", "c", "x", "y", "z"]);
        assert_eq!(texts("#! orbit\na"), ["a"]);
    }

    #[test]
    fn the_longest_mark_wins() {
        let text = "a<<->>b+->>c<--d<-1/|\\e\\|/f/<<:g|->h||i><j<>k**l";
        let expected = "a <<->> b +->> c <-- d <- 1 /|\\ e \\|/ f /<<: g |-> h || i >< j <> k ** l";
        assert_eq!(texts(text).join(" "), expected);
    }

    #[test]
    fn signs_are_read_as_ascii() {
        let text = "∀x·(x∈ℕ1⇒x↦y∉f∪∅∧¬(a≠b)∨λz·⊤) r∼ r⁻¹ x:∈S x:∣p 1‥2 s⋖t⌒u ℙ1";
        let expected = "! x · ( x : NATURAL1 => x |-> y /: f \\/ {} \
                        & not ( a /= b ) or % z · btrue ) \
                        r ~ r ~ x :: S x : p 1 .. 2 s <+ t ^ u POW1";
        assert_eq!(texts(text).join(" "), expected);
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(
            texts("été x₁ a_λ2 0x1F 1..2"),
            ["été", "x₁", "a_λ2", "31", "1", "..", "2"]
        );
        assert_eq!(texts("`END` x$0"), ["END", "x", "$", "0"]);
        assert_eq!(texts("\"a\\\"b\" '''c\n'd'''"), ["\"a\"b\"", "\"c\n'd\""]);
        assert_eq!(bad("1.5"), ["real numbers are not supported"]);
        assert_eq!(texts("99999999999999999999"), ["99999999999999999999"]);
    }

    #[test]
    fn open_ends_are_said() {
        assert_eq!(bad("\"abc\nx"), ["this string has no end"]);
        assert_eq!(bad("a /* b"), ["this comment has no end"]);
        assert_eq!(bad("'''abc"), ["this string has no end"]);
        for text in ["`", "`a", "``", "\"\\", "\"\\é"] {
            assert!(!bad(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn every_sign_stands_for_a_mark_or_a_word() {
        for (sign, _) in SIGNS {
            let tokens = lex(SourceId::new(0), sign);
            let known = |t: &Token| matches!(t.kind, TokenKind::Mark(_) | TokenKind::Word(_));
            assert!(tokens.len() == 1 && known(&tokens[0]), "{sign}: {tokens:?}");
        }
    }
}
