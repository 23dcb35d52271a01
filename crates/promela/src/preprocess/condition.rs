//! The conditions of `#if` and `#elif`: whole numbers, the operators of C, `defined`.
//!
//! Names that are no macros count as 0, as in C. Arithmetic is that of 64 bits and wraps; division
//! by zero is an error. Operators by rising precedence: `?:`, `||`, `&&`, `|`, `^`, `&`, equality,
//! order, shifts, sums, products, signs.

use super::expand::{Desk, Feed, Macros};
use crate::place::Place;
use crate::token::{Token, TokenKind};
use base::{Diagnostic, quote};

/// The deepest nesting of parentheses and signs.
const NESTING_MAX: usize = 100;

/// Binary operators with their precedence.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    ("<=", 7),
    (">", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// The value of the condition `line`; 0 after an error, which is reported.
pub fn evaluate(macros: &mut Macros, line: &[Token], directive: Place, desk: &mut Desk) -> i64 {
    let line = resolve_defined(macros, line);
    let mut feed = Feed::of_tokens(line.into());
    let mut tokens = Vec::new();
    while let Some(token) = macros.next_expanded(&mut feed, desk) {
        tokens.push(token);
        if tokens.len() > 100_000 {
            break;
        }
    }
    let mut condition = Condition {
        tokens: &tokens,
        at: 0,
        depth: 0,
        unused: false,
    };
    let value = condition.ternary();
    let left_over = tokens
        .get(condition.at)
        .map(|t| (t.place, "is not expected here"));
    let value = value.and_then(|v| left_over.map_or(Ok(v), |(p, w)| Err((Some(p), w))));
    value.unwrap_or_else(|(place, words)| {
        let place = place.unwrap_or(directive);
        let text = tokens
            .iter()
            .find(|t| t.place == place)
            .map(|t| quote(&t.text()) + " ");
        let message = format!("in this condition {}{words}", text.unwrap_or_default());
        let error: Diagnostic = macros.origins.error(place, message);
        desk.found.push(error);
        0
    })
}

/// `defined X` and `defined(X)` become 1 or 0 before macros are expanded.
fn resolve_defined(macros: &Macros, line: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let open = line.get(at + 1).is_some_and(|t| t.is("("));
        let name = line.get(at + 1 + usize::from(open)).and_then(Token::name);
        match name {
            Some(name) if line[at].is_name("defined") => {
                let value = if macros.is_defined(name) { "1" } else { "0" };
                let kind = TokenKind::Number(value.into());
                out.push(Token {
                    kind,
                    ..line[at].clone()
                });
                at += 2 + 2 * usize::from(open);
            }
            _ => {
                out.push(line[at].clone());
                at += 1;
            }
        }
    }
    out
}

struct Condition<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Set where the value will not be used, so that dividing by zero is no fault.
    unused: bool,
}

type ConditionValue = Result<i64, (Option<Place>, &'static str)>;

impl Condition<'_> {
    fn peek(&self) -> Option<&'static str> {
        match self.tokens.get(self.at)?.kind {
            TokenKind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    fn eat(&mut self, mark: &str) -> bool {
        let there = self.peek() == Some(mark);
        self.at += usize::from(there);
        there
    }

    fn place(&self) -> Option<Place> {
        self.tokens.get(self.at).map(|t| t.place)
    }

    fn ternary(&mut self) -> ConditionValue {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err((self.place(), "is nested too deeply"));
        }
        let unused = self.unused;
        let condition = self.binary(1)?;
        if self.eat("?") {
            self.unused = unused || condition == 0;
            let yes = self.ternary()?;
            if !self.eat(":") {
                return Err((self.place(), "stands where `:` is expected"));
            }
            self.unused = unused || condition != 0;
            let no = self.ternary()?;
            self.unused = unused;
            self.depth -= 1;
            return Ok(if condition != 0 { yes } else { no });
        }
        self.depth -= 1;
        Ok(condition)
    }

    fn binary(&mut self, least: u8) -> ConditionValue {
        let mut left = self.unary()?;
        while let Some(mark) = self.peek() {
            let operator = OPERATORS.iter().find(|(m, p)| *m == mark && *p >= least);
            let Some(&(mark, precedence)) = operator else {
                break;
            };
            let place = self.place();
            self.at += 1;
            let unused = self.unused;
            self.unused |= (mark == "||" && left != 0) || (mark == "&&" && left == 0);
            let right = self.binary(precedence + 1)?;
            self.unused = unused;
            left = match apply(mark, left, right) {
                Some(value) => value,
                None if unused => 0,
                None => return Err((place, "divides by zero")),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> ConditionValue {
        let Some(token) = self.tokens.get(self.at) else {
            return Err((None, "a value is missing"));
        };
        self.at += 1;
        match &token.kind {
            TokenKind::Number(text) => self.number(text),
            TokenKind::Letter(code) => Ok(i64::from(*code)),
            TokenKind::Name(_) => Ok(0),
            TokenKind::Mark("(") => {
                let value = self.ternary()?;
                if !self.eat(")") {
                    return Err((self.place().or(Some(token.place)), "is not closed by `)`"));
                }
                Ok(value)
            }
            TokenKind::Mark(sign @ ("!" | "!!" | "-" | "--" | "~" | "+" | "++")) => {
                self.depth += 1;
                if self.depth > NESTING_MAX {
                    return Err((Some(token.place), "is nested too deeply"));
                }
                let value = self.unary()?;
                self.depth -= 1;
                Ok(match *sign {
                    "!" => i64::from(value == 0),
                    "!!" => i64::from(value != 0),
                    "-" => value.wrapping_neg(),
                    "~" => !value,
                    _ => value,
                })
            }
            _ => Err((Some(token.place), "is not a value")),
        }
    }

    /// A number: `12`, `0x1F`, `017`, with the letters that C allows after it.
    fn number(&mut self, text: &str) -> ConditionValue {
        let tail = self
            .tokens
            .get(self.at)
            .filter(|t| !t.spaced)
            .and_then(Token::name);
        let tail = tail.map(|t| t.to_lowercase()).unwrap_or_default();
        if !tail.is_empty() {
            self.at += 1;
        }
        let hexadecimal = text == "0" && tail.starts_with('x');
        let (digits, radix) = match tail.strip_prefix('x') {
            Some(digits) if hexadecimal => (digits.trim_end_matches(['u', 'l']), 16),
            _ if text.len() > 1 && text.starts_with('0') => (text, 8),
            _ => (text, 10),
        };
        let suffix_fits = hexadecimal || tail.trim_matches(['u', 'l']).is_empty();
        let value = i64::from_str_radix(digits, radix)
            .ok()
            .filter(|_| suffix_fits);
        value.ok_or((None, "a number cannot be read"))
    }
}

fn apply(mark: &str, a: i64, b: i64) -> Option<i64> {
    let shift = |n: i64| u32::try_from(n).unwrap_or(0).min(63);
    Some(match mark {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(shift(b)),
        ">>" => a.wrapping_shr(shift(b)),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => unreachable!("no operator {mark}"),
    })
}
