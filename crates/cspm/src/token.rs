//! Tokens of CSPM, and the tables of its words and marks.
//!
//! Ends of lines are tokens, but only where they can end a declaration: a mark such as `[]` at the
//! start or the end of a line carries the expression on, a name at both sides does not. Which
//! tokens swallow the line ends beside them is decided here; the lexer only asks.
//!
//! Worked example: in
//!
//! ```text
//! P = a ->
//!       b -> P
//!     [] c -> Q
//! R = STOP
//! ```
//!
//! the first line end is swallowed by `->`, the second by `[]`; the third is a token, because
//! neither the name `Q` nor the name `R` swallows it. `-`, `<`, `(`, `{` and `#` may begin an
//! expression, so they do not swallow the line end before them.

use crate::ast::Semantics;
use base::Span;
use std::sync::Arc;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name without modules.
    Name(Arc<str>),
    /// `M::N::x`: modules, outermost first, then the name.
    Path(Vec<Arc<str>>),
    /// A word of the language.
    Word(&'static str),
    /// A mark or operator; `::` is the one before a type.
    Mark(&'static str),
    /// A number.
    Number(i64),
    /// `'c'`
    Char(char),
    /// A text, without its quotes and escapes.
    Text(Arc<str>),
    /// `[T=` and the like.
    Refines(Semantics),
    /// `:[deadlock free [F]]` and the like.
    Property(Arc<PropertyToken>),
    /// `include "file"`; gone once files are put together.
    Include(Arc<str>),
    /// The end of a line that may end a declaration. Whether what follows starts in the first
    /// column: a place to go on after an error.
    Newline(bool),
    /// Where an included file starts or ends. No declaration reaches over it.
    Edge,
    /// A character that no token starts with.
    Stray(char),
    /// A piece of text that is no token, and what is wrong with it.
    Bad(&'static str),
}

/// What stands between `:[` and `]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyToken {
    /// The words, with one space between them.
    pub words: String,
    /// What stands in inner brackets: `F` of `:[deadlock free [F]]`.
    pub option: Option<String>,
}

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

impl Token {
    /// Whether it is this mark.
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.kind, TokenKind::Mark(m) if m == mark)
    }

    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.kind, TokenKind::Word(w) if w == word)
    }

    /// Its characters, for messages.
    pub fn text(&self) -> String {
        match &self.kind {
            TokenKind::Name(name) => name.to_string(),
            TokenKind::Path(parts) => parts.join("::"),
            TokenKind::Word(text) | TokenKind::Mark(text) => (*text).to_owned(),
            TokenKind::Number(n) => n.to_string(),
            TokenKind::Char(c) => format!("'{c}'"),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Refines(model) => format!("[{}=", model.short()),
            TokenKind::Property(property) => format!(":[{}]", property.words),
            TokenKind::Include(file) => format!("include \"{file}\""),
            TokenKind::Stray(c) => c.to_string(),
            TokenKind::Newline(_) | TokenKind::Edge | TokenKind::Bad(_) => String::new(),
        }
    }

    /// Whether a line end before it does not count.
    pub(crate) fn swallows_before(&self) -> bool {
        match &self.kind {
            TokenKind::Name(_) | TokenKind::Path(_) | TokenKind::Include(_) => false,
            TokenKind::Newline(_) | TokenKind::Edge | TokenKind::Bad(_) => false,
            TokenKind::Word(word) => !STARTERS.contains(word),
            TokenKind::Mark(mark) => !OPENERS.contains(mark),
            _ => true,
        }
    }

    /// Whether a line end after it does not count.
    pub(crate) fn swallows_after(&self) -> bool {
        match &self.kind {
            TokenKind::Word(word) => !matches!(*word, "true" | "false" | "exports" | "endmodule"),
            TokenKind::Mark(mark) => !CLOSERS.contains(mark),
            TokenKind::Refines(_) => true,
            _ => false,
        }
    }
}

impl Semantics {
    /// Its letters: `FD`.
    pub fn short(self) -> &'static str {
        MODELS.iter().find(|(_, m)| *m == self).map_or("", |m| m.0)
    }
}

/// The semantic models by their letters, longest first where one begins another.
pub const MODELS: &[(&str, Semantics)] = &[
    ("T", Semantics::Traces),
    ("FD", Semantics::FailuresDivergences),
    ("F", Semantics::Failures),
    ("VD", Semantics::RevivalsDivergences),
    ("V", Semantics::Revivals),
    ("RD", Semantics::RefusalsDivergences),
    ("R", Semantics::Refusals),
];

/// The words of the language; a name that only starts or ends like one is a name.
pub const WORDS: &[&str] = &[
    "true",
    "false",
    "and",
    "or",
    "not",
    "if",
    "then",
    "else",
    "let",
    "within",
    "channel",
    "assert",
    "datatype",
    "subtype",
    "nametype",
    "external",
    "transparent",
    "module",
    "exports",
    "endmodule",
    "instance",
    "Timed",
];

/// Words before which a line end counts: they begin or end a declaration.
const STARTERS: &[&str] = &[
    "channel",
    "assert",
    "datatype",
    "subtype",
    "nametype",
    "external",
    "transparent",
    "module",
    "exports",
    "endmodule",
    "instance",
    "Timed",
];

/// Marks that may begin an expression, and before which a line end therefore counts.
const OPENERS: &[&str] = &["(", "{", "{|", "(|", "<", "<>", "-", "#"];

/// Marks that may end an expression, and after which a line end therefore counts.
const CLOSERS: &[&str] = &[")", "}", "|}", "|)", "]]", ">", "<>"];

/// All marks, longest first where one begins another.
pub const MARKS: &[&str] = &[
    "=>*", "|~|", "|||", "<->", "{|", "|}", "(|", "|)", "[[", "]]", "[|", "|]", "[]", "[>", "[+",
    "+]", "/+", "+\\", "/\\", "|\\", "|>", "||", "->", "<-", "<>", "==", "!=", "<=", ">=", "=>",
    "@@", "..", "::", "(", ")", "{", "}", "[", "]", "<", ">", "=", ",", ".", "?", "!", "$", ":",
    "|", "_", ";", "&", "\\", "@", "+", "-", "*", "/", "%", "^", "#",
];

/// The word of the language that `text` is, if it is one.
pub fn word(text: &str) -> Option<&'static str> {
    WORDS.iter().find(|word| **word == text).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_begins_another_comes_after_it() {
        for (i, mark) in MARKS.iter().enumerate() {
            let hidden = MARKS[..i].iter().find(|before| mark.starts_with(**before));
            assert_eq!(hidden, None, "{mark}");
        }
    }

    #[test]
    fn starters_openers_and_closers_are_words_and_marks() {
        assert!(STARTERS.iter().all(|s| WORDS.contains(s)));
        assert!(OPENERS.iter().chain(CLOSERS).all(|m| MARKS.contains(m)));
    }

    #[test]
    fn every_model_has_its_own_letters() {
        for (letters, model) in MODELS {
            assert_eq!(model.short(), *letters);
        }
    }
}
