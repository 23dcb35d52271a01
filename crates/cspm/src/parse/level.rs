//! The ladder of levels on which operators stand: a higher one binds tighter.
//!
//! It is FDR's, and its surprises are kept. A dot binds looser than every operator on values:
//! `c.x + 1` is `c.(x + 1)`, and `a.x == b.y` is `a.(x == b).y`. Parallel operators do not
//! associate: `P [| A |] Q [| B |] R` needs brackets. Hiding binds looser than all of them, but
//! what it hides ends at the next of them: `P ||| Q \ A` is `(P ||| Q) \ A`, and `P \ A ||| Q` is
//! `(P \ A) ||| Q`.

use crate::ast::{BinaryOp, ProcessOp};
use crate::token::TokenKind;

/// The lowest: what stands after `@`, `within`, `else`, or between brackets.
pub(crate) const LOWEST: u8 = 0;
/// `\` and `|\`
pub(crate) const HIDE: u8 = 3;
/// `|||`
pub(crate) const INTERLEAVE: u8 = 4;
/// `[| A |]`, `[ A || B ]`, `[ a <-> b ]`, `[| A |>`; and replicated `||`.
pub const PARALLEL: u8 = 5;
/// `|~|`
pub(crate) const INTERNAL: u8 = 6;
/// `[]` and `[+ A +]`
pub(crate) const EXTERNAL: u8 = 7;
/// `/\` and `/+ A +\`
pub(crate) const INTERRUPT: u8 = 8;
/// `[>`
pub(crate) const SLIDE: u8 = 9;
/// `;`
pub const THEN: u8 = 10;
/// `->` and `&`, which associate to the right
pub const PREFIX: u8 = 11;
/// `?`, `!` and `$`
pub const FIELD: u8 = 12;
/// `.`, which associates to the right
pub(crate) const DOT: u8 = 14;
/// `or`
pub const OR: u8 = 16;
/// `and`
pub const AND: u8 = 17;
/// `not`
pub const NOT: u8 = 18;
/// `==`, `<` and the like, which do not associate
pub const COMPARE: u8 = 19;
/// `+`, `-`, and `-` before an operand
pub(crate) const ADD: u8 = 20;
/// `*`, `/`, `%`
pub(crate) const MULTIPLY: u8 = 21;
/// `#`
pub(crate) const LENGTH: u8 = 22;
/// `^`
pub(crate) const CONCAT: u8 = 23;
/// What needs no brackets anywhere: names, brackets, applications, renamings.
pub(crate) const TIGHTEST: u8 = 24;

/// The operator of two values that a token is, with its level.
pub fn binary(token: &TokenKind) -> Option<(BinaryOp, u8)> {
    let text = match token {
        TokenKind::Mark(text) | TokenKind::Word(text) => *text,
        _ => return None,
    };
    let found = BINARY.iter().find(|(spelled, _, _)| *spelled == text);
    found.map(|(_, op, level)| (*op, *level))
}

/// The operators of two values: spelling, operator, level.
pub const BINARY: &[(&str, BinaryOp, u8)] = &[
    ("or", BinaryOp::Or, OR),
    ("and", BinaryOp::And, AND),
    ("==", BinaryOp::Equal, COMPARE),
    ("!=", BinaryOp::NotEqual, COMPARE),
    ("<", BinaryOp::Less, COMPARE),
    ("<=", BinaryOp::AtMost, COMPARE),
    (">", BinaryOp::More, COMPARE),
    (">=", BinaryOp::AtLeast, COMPARE),
    ("+", BinaryOp::Add, ADD),
    ("-", BinaryOp::Subtract, ADD),
    ("*", BinaryOp::Multiply, MULTIPLY),
    ("/", BinaryOp::Divide, MULTIPLY),
    ("%", BinaryOp::Modulo, MULTIPLY),
    ("^", BinaryOp::Concat, CONCAT),
];

/// The operator of two processes that a mark is, where the mark alone says so.
pub fn process(mark: &str) -> Option<ProcessOp> {
    Some(match mark {
        "[]" => ProcessOp::External,
        "|~|" => ProcessOp::Internal,
        ";" => ProcessOp::Then,
        "/\\" => ProcessOp::Interrupt,
        "[>" => ProcessOp::Slide,
        "|||" => ProcessOp::Interleave,
        _ => return None,
    })
}

/// The level of a process operator by the mark it starts with.
pub fn of_process(mark: &str) -> Option<u8> {
    Some(match mark {
        "\\" | "|\\" => HIDE,
        "|||" => INTERLEAVE,
        "[|" | "[" => PARALLEL,
        "|~|" => INTERNAL,
        "[]" | "[+" => EXTERNAL,
        "/\\" | "/+" => INTERRUPT,
        "[>" => SLIDE,
        ";" => THEN,
        "->" | "&" => PREFIX,
        "?" | "!" | "$" => FIELD,
        _ => return None,
    })
}
