//! Tokens of B, and the tables of its words and marks.
//!
//! Marks have one spelling here, the one of ASCII: the lexer reads `∈` and gives `:`. Words of the
//! language are apart from names; what only some machines need (trees, reals) are names, so that a
//! machine may call a variable `floor` or `left`.

use base::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name that the modeller chose, without dots.
    Name(Arc<str>),
    /// A word of the language.
    Word(&'static str),
    /// A mark or operator.
    Mark(&'static str),
    /// A number of 64 bits.
    Number(i64),
    /// A number that does not fit into 64 bits.
    Big(Arc<BigInt>),
    /// A text, without its quotes and escapes.
    Text(Arc<str>),
    /// A character that no token starts with.
    Stray(char),
    /// A piece of text that is no token, and what is wrong with it.
    Bad(&'static str),
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

    /// The name it is, if it is one.
    pub fn name(&self) -> Option<&Arc<str>> {
        match &self.kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Its characters, for messages.
    pub fn text(&self) -> String {
        match &self.kind {
            TokenKind::Name(name) => name.to_string(),
            TokenKind::Word(text) | TokenKind::Mark(text) => (*text).to_owned(),
            TokenKind::Number(n) => n.to_string(),
            TokenKind::Big(n) => n.to_string(),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Stray(c) => c.to_string(),
            TokenKind::Bad(_) => String::new(),
        }
    }
}

/// All marks of ASCII, longest first where one begins another.
pub const MARKS: &[&str] = &[
    "<<->>", "+->>", "-->>", ">+>>", ">->>", "<<->", "<->>", "/<<:", "+->", "-->", ">+>", ">->",
    "<->", "<--", "<<|", "<<:", "<=>", "|->", "|>>", "/<:", "/|\\", "\\|/", "**", "->", "<-", "..",
    "/:", "/=", "/\\", "\\/", "::", ":=", "<>", "<+", "<:", "<=", "<|", ">=", "><", "=>", "==",
    "||", "|>", "+", "-", "*", "/", "\\", "(", ")", "[", "]", "{", "}", "<", ">", "=", ":", ";",
    ",", ".", "|", "&", "!", "#", "%", "~", "^", "'", "$", "·",
];

/// Marks and words outside ASCII, with what they stand for; longest first where one begins another.
pub const SIGNS: &[(&str, &str)] = &[
    (":∈", "::"),
    (":∣", ":"),
    ("ℕ1", "NATURAL1"),
    ("ℕ₁", "NATURAL1"),
    ("ℙ1", "POW1"),
    ("ℙ₁", "POW1"),
    ("⁻¹", "~"),
    ("∈", ":"),
    ("∉", "/:"),
    ("⊆", "<:"),
    ("⊂", "<<:"),
    ("⊈", "/<:"),
    ("⊄", "/<<:"),
    ("∪", "\\/"),
    ("∩", "/\\"),
    ("∖", "\\"),
    ("×", "*"),
    ("∗", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("↔", "<->"),
    ("\u{e100}", "<<->"),
    ("\u{e101}", "<->>"),
    ("\u{e102}", "<<->>"),
    ("\u{e103}", "<+"),
    ("⋖", "<+"),
    ("⇸", "+->"),
    ("→", "-->"),
    ("⤔", ">+>"),
    ("↣", ">->"),
    ("⤀", "+->>"),
    ("↠", "-->>"),
    ("⤖", ">->>"),
    ("↦", "|->"),
    ("⇾", "->"),
    ("⇽", "<-"),
    ("←", "<--"),
    ("↑", "/|\\"),
    ("↓", "\\|/"),
    ("⌒", "^"),
    ("∀", "!"),
    ("∃", "#"),
    ("λ", "%"),
    ("ℙ", "POW"),
    ("ℕ", "NATURAL"),
    ("ℤ", "INTEGER"),
    ("ℝ", "REAL"),
    ("∧", "&"),
    ("∨", "or"),
    ("¬", "not"),
    ("⇒", "=>"),
    ("⇔", "<=>"),
    ("≠", "/="),
    ("≤", "<="),
    ("≥", ">="),
    ("◁", "<|"),
    ("⩤", "<<|"),
    ("◀", "<<|"),
    ("▷", "|>"),
    ("⩥", "|>>"),
    ("▶", "|>>"),
    ("∼", "~"),
    ("∅", "{}"),
    ("≔", ":="),
    ("·", "·"),
    ("•", "·"),
    ("⋅", "·"),
    ("‥", ".."),
    ("∣", "|"),
    ("∥", "||"),
    ("⊗", "><"),
    ("⊤", "btrue"),
    ("⊥", "bfalse"),
    ("⋃", "UNION"),
    ("⋂", "INTER"),
    ("∑", "SIGMA"),
    ("∏", "PI"),
];

/// The words of the language that cannot be names.
pub const WORDS: &[&str] = &[
    "ABSTRACT_CONSTANTS",
    "ABSTRACT_VARIABLES",
    "ANY",
    "ASSERT",
    "ASSERTIONS",
    "BE",
    "BEGIN",
    "BOOL",
    "CASE",
    "CHOICE",
    "CONCRETE_CONSTANTS",
    "CONCRETE_VARIABLES",
    "CONSTANTS",
    "CONSTRAINTS",
    "DEFINITIONS",
    "DO",
    "EITHER",
    "ELSE",
    "ELSIF",
    "END",
    "EVENTS",
    "EXPRESSIONS",
    "EXTENDS",
    "FALSE",
    "FIN",
    "FIN1",
    "FREETYPES",
    "IF",
    "IMPLEMENTATION",
    "IMPORTS",
    "IN",
    "INCLUDES",
    "INITIALISATION",
    "INITIALIZATION",
    "INT",
    "INTEGER",
    "INTER",
    "INVARIANT",
    "LET",
    "LOCAL_OPERATIONS",
    "MACHINE",
    "MAXINT",
    "MININT",
    "MODEL",
    "NAT",
    "NAT1",
    "NATURAL",
    "NATURAL1",
    "OF",
    "OPERATIONS",
    "OR",
    "PI",
    "POW",
    "POW1",
    "PRE",
    "PREDICATES",
    "PROMOTES",
    "PROPERTIES",
    "REAL",
    "REFINEMENT",
    "REFINES",
    "SEES",
    "SELECT",
    "SETS",
    "SIGMA",
    "STRING",
    "SYSTEM",
    "THEN",
    "TRUE",
    "UNION",
    "USES",
    "VALUES",
    "VAR",
    "VARIABLES",
    "VARIANT",
    "WHEN",
    "WHERE",
    "WHILE",
    "bfalse",
    "bool",
    "btrue",
    "card",
    "closure",
    "closure1",
    "conc",
    "dom",
    "first",
    "fnc",
    "front",
    "id",
    "inter",
    "iseq",
    "iseq1",
    "iterate",
    "last",
    "max",
    "min",
    "mod",
    "not",
    "or",
    "perm",
    "pred",
    "prj1",
    "prj2",
    "ran",
    "rec",
    "rel",
    "rev",
    "seq",
    "seq1",
    "size",
    "skip",
    "struct",
    "succ",
    "tail",
    "union",
    "{}",
];

/// The word of the language that this is, if it is one.
pub fn word(text: &str) -> Option<&'static str> {
    WORDS
        .iter()
        .copied()
        .find(|w| *w == text && *w != EMPTY_SET)
}

/// What `∅` is read as: a word that cannot be written otherwise.
pub(crate) const EMPTY_SET: &str = "{}";
