//! Tokens, as the preprocessor moves them and the parser reads them.
//!
//! One alphabet serves both: the preprocessor needs names, numbers, strings and marks, and where
//! lines end; the parser needs the same marks. Keywords are names here, because a macro may be
//! called `bit`; the parser tells them apart. Operators of temporal formulas (`[]`, `<>`, `<->`,
//! `/\`, `\/`) are put together by the parser inside `ltl` blocks only, since `a[]` means nothing
//! and `x<>y` is not an operator elsewhere.

use crate::place::Place;
use std::rc::Rc;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or keyword.
    Name(Rc<str>),
    /// A decimal number, as written.
    Number(Rc<str>),
    /// A string with its quotes, as written.
    Text(Rc<str>),
    /// A character in quotes: its code.
    Letter(i32),
    /// A mark or operator.
    Mark(&'static str),
    /// The parenthesis before a part of a formula that is about a member: what the formula calls
    /// it, and its number.
    Member(Rc<str>, i32),
    /// A character that no token starts with.
    Stray(char),
    /// A piece of text that is no token, and what is wrong with it. It matters only where the text
    /// is read: not in a branch that `#if` leaves out.
    Bad(&'static str),
}

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub place: Place,
    /// If it came as an argument: where the parameter stands that it was put in for.
    pub stands: Option<Place>,
    /// Whether it is the first of its line; line ends stand for semicolons in places.
    pub starts_line: bool,
    /// Whether white space or a comment stands before it, for `#` in macros.
    pub spaced: bool,
    /// Whether it is the name of a macro that was being expanded when it was read: then it stays.
    pub frozen: bool,
}

/// All marks, longest first where one begins another.
pub const MARKS: [&str; 45] = [
    "##", "::", "->", "--", "++", "<<", "<=", ">>", ">=", "==", "!=", "!!", "??", "&&", "||", "..",
    "#", ":", "-", "+", "<", ">", "=", "!", "?", "&", "|", ".", ";", ",", "(", ")", "[", "]", "{",
    "}", "*", "/", "%", "^", "~", "@", "\\", "$", "`",
];

impl Token {
    /// Whether it is this mark.
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.kind, TokenKind::Mark(m) if m == mark)
    }

    /// The name it is, if it is one.
    pub fn name(&self) -> Option<&Rc<str>> {
        match &self.kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Whether it is this name.
    pub fn is_name(&self, name: &str) -> bool {
        self.name().is_some_and(|n| &**n == name)
    }

    /// Where the statement that it is part of was written.
    pub fn written(&self) -> Place {
        self.stands.unwrap_or(self.place)
    }

    /// Its characters.
    pub fn text(&self) -> String {
        match &self.kind {
            TokenKind::Name(text) | TokenKind::Number(text) | TokenKind::Text(text) => {
                text.to_string()
            }
            TokenKind::Letter(code) => {
                let letter = u32::try_from(*code).ok().and_then(char::from_u32);
                format!("'{}'", letter.unwrap_or('?').escape_default())
            }
            TokenKind::Mark(mark) => (*mark).to_owned(),
            TokenKind::Member(..) => "(".to_owned(),
            TokenKind::Stray(c) => c.to_string(),
            TokenKind::Bad(_) => String::new(),
        }
    }
}
