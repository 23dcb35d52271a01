//! Formulas that are asked of all members of a range: `forall i in 0..4: F`, `exists i: F`.
//!
//! A quantifier stands at the head of a formula, before anything else. It is put into effect on
//! tokens, before the formula is read: `i` is replaced by each number in turn and keeps its place
//! in the text, so that messages point where the modeller wrote it. `forall` gives one formula a
//! number, each of which is read and checked by itself; `exists` gives one formula, their
//! disjunction, because what a run owes may be owed to another member in another run.
//!
//! Without a range, `i` runs over the elements of the arrays that it is the whole index of; they
//! must have one length.
//!
//! Worked example: with `bool w[2]`, `ltl f { forall i: [] <> w[i] }` is read as `ltl f { [] <>
//! w[0] }` and `ltl f { [] <> w[1] }`, and with `exists` as `ltl f { ([] <> w[0]) || ([] <> w[1])
//! }`.

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Index, Ltl, Unit};
use crate::place::Place;
use crate::token::{Token, TokenKind};
use base::quote;
use std::ops::Range;
use std::rc::Rc;

/// The most members that a quantifier may run over.
const MEMBERS_MAX: i32 = 300;

/// What stands before the `:`.
struct Head {
    /// Whether all members are meant, and not some.
    all: bool,
    name: Rc<str>,
    place: Place,
    /// Where in the tokens the formula begins.
    body: usize,
    /// The numbers, if the text says them.
    range: Option<(i32, i32)>,
}

impl Parser<'_> {
    /// The formulas that a formula put aside stands for; `units` are the other parts of the text.
    pub(super) fn formulas_of(&mut self, tokens: Vec<Token>, units: &[Unit]) -> Vec<Ltl> {
        let Ok(head) = self.head(&tokens) else {
            return Vec::new();
        };
        let Some(head) = head else {
            return self.formula(tokens).into_iter().collect();
        };
        let Ok(range) = self.members(&head, &tokens[head.body..], units) else {
            return Vec::new();
        };
        if !head.all {
            let joined = joined(&tokens, &head, range);
            return self.formula(joined).into_iter().collect();
        }
        let mut all = Vec::new();
        for value in range {
            let (before, _) = split(&tokens, &head);
            let mut each = before.to_vec();
            each.extend(replaced(&tokens[head.body..], &head.name, value));
            let Some(formula) = self.formula(each) else {
                // What is wrong with one is wrong with all.
                return all;
            };
            let name = head.name.clone();
            all.push(Ltl {
                index: Some(Index { name, value }),
                ..formula
            });
        }
        all
    }

    /// The quantifier of a formula; `None` if it has none.
    fn head(&mut self, tokens: &[Token]) -> Parsed<Option<Head>> {
        let Some(open) = tokens.iter().position(|token| token.is("{")) else {
            return Ok(None);
        };
        let word = |at: usize| tokens.get(at).and_then(Token::name).cloned();
        let all = match word(open + 1).as_deref() {
            Some("forall") => true,
            Some("exists") => false,
            _ => return Ok(None),
        };
        let (Some(name), Some(token)) = (word(open + 2), tokens.get(open + 2)) else {
            return Ok(None);
        };
        let mut head = Head {
            all,
            name,
            place: token.place,
            body: open + 4,
            range: None,
        };
        let Some(next) = tokens.get(open + 3) else {
            return Ok(None);
        };
        if next.is(":") {
            return Ok(Some(head));
        }
        if !next.is_name("in") {
            let message = "`in` and a range, or `:`, is expected after this name";
            return Err(self.error(token.place, message));
        }
        let mut at = open + 4;
        let read = sum(tokens, &mut at).and_then(|first| {
            let is_range = tokens.get(at).is_some_and(|token| token.is(".."));
            at += 1;
            let last = sum(tokens, &mut at).filter(|_| is_range)?;
            let ends = tokens.get(at).is_some_and(|token| token.is(":"));
            ends.then_some((first, last))
        });
        let Some(range) = read else {
            let message = "a range of numbers and `:` are expected after this: `in 0..4:`";
            return Err(self.error(next.place, message));
        };
        (head.body, head.range) = (at + 1, Some(range));
        Ok(Some(head))
    }

    /// The numbers that are meant.
    fn members(&mut self, head: &Head, body: &[Token], units: &[Unit]) -> Parsed<Range<i32>> {
        let name = quote(&head.name);
        let (first, last) = match head.range {
            Some(range) => range,
            None => match lengths(head, body, units)[..] {
                [length] => (0, length - 1),
                ref lengths => {
                    let message = if lengths.is_empty() {
                        format!("no array says what {name} runs over")
                    } else {
                        format!("the arrays that {name} is an index of differ in length")
                    };
                    let error = self.origins.error(head.place, message);
                    let note = format!("say it: `forall {} in 0..4: …`", head.name);
                    return Err(self.report(error.note(note)));
                }
            },
        };
        if last < first || first < -MEMBERS_MAX || last - first >= MEMBERS_MAX {
            let message = format!("{name} must run over 1 to {MEMBERS_MAX} numbers");
            return Err(self.error(head.place, message));
        }
        Ok(first..last + 1)
    }
}

/// What stands before the quantifier, and what stands behind it without the last brace.
fn split<'t>(tokens: &'t [Token], head: &Head) -> (&'t [Token], &'t [Token]) {
    let open = tokens.iter().position(|token| token.is("{")).unwrap_or(0);
    let end = tokens.len() - usize::from(tokens.last().is_some_and(|token| token.is("}")));
    (&tokens[..=open], &tokens[head.body.min(end)..end])
}

/// The disjunction for all members.
fn joined(tokens: &[Token], head: &Head, range: Range<i32>) -> Vec<Token> {
    let (before, body) = split(tokens, head);
    let mut all = before.to_vec();
    let mark = |mark| Token {
        kind: TokenKind::Mark(mark),
        place: head.place,
        starts_line: false,
        spaced: true,
        frozen: false,
        stands: None,
    };
    for value in range.clone() {
        if value != range.start {
            all.push(mark("||"));
        }
        all.push(mark("("));
        all.extend(replaced(body, &head.name, value));
        all.push(mark(")"));
    }
    all.extend(tokens.last().cloned());
    all
}

/// The tokens with a number in the place of the name; but not where it names a field or a label.
fn replaced(tokens: &[Token], name: &str, value: i32) -> Vec<Token> {
    let mut all = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let names_other = before.is_some_and(|t| t.is(".") || t.is("@"));
        if !token.is_name(name) || names_other {
            all.push(token.clone());
            continue;
        }
        if value < 0 {
            all.push(Token {
                kind: TokenKind::Mark("-"),
                ..token.clone()
            });
        }
        all.push(Token {
            kind: TokenKind::Number(value.unsigned_abs().to_string().into()),
            ..token.clone()
        });
    }
    all
}

/// The lengths of the arrays that the name is the whole index of, each once.
fn lengths(head: &Head, body: &[Token], units: &[Unit]) -> Vec<i32> {
    let mut all = Vec::new();
    for (at, token) in body.iter().enumerate() {
        let is = |at: usize, mark: &str| body.get(at).is_some_and(|token| token.is(mark));
        let indexed = token.is_name(&head.name) && at >= 2 && is(at - 1, "[") && is(at + 1, "]");
        let is_field = at >= 3 && is(at - 3, ".");
        let Some(array) = body.get(at.wrapping_sub(2)).and_then(Token::name) else {
            continue;
        };
        if !indexed || is_field {
            continue;
        }
        let declared = units.iter().filter_map(|unit| match unit {
            Unit::Declaration(declaration) => Some(&declaration.variables),
            _ => None,
        });
        let mut declared = declared.flatten().filter(|v| v.name.text == *array);
        let length = declared.next().and_then(|v| constant(v.size.as_ref()?));
        all.extend(length.filter(|length| !all.contains(length)));
    }
    all
}

/// The value of a sum or product of numbers.
fn constant(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Number(n) => Some(*n),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match op {
                Binary::Add => a.checked_add(b),
                Binary::Subtract => a.checked_sub(b),
                Binary::Multiply => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Sums and differences of numbers in tokens from `at` on, which goes behind them.
fn sum(tokens: &[Token], at: &mut usize) -> Option<i32> {
    let mut total = factor(tokens, at)?;
    loop {
        let is = |mark: &str| tokens.get(*at).is_some_and(|token| token.is(mark));
        let (plus, minus) = (is("+"), is("-"));
        if !plus && !minus {
            return Some(total);
        }
        *at += 1;
        let more = factor(tokens, at)?;
        total = if plus {
            total.checked_add(more)?
        } else {
            total.checked_sub(more)?
        };
    }
}

fn factor(tokens: &[Token], at: &mut usize) -> Option<i32> {
    let token = tokens.get(*at)?;
    *at += 1;
    match &token.kind {
        TokenKind::Number(digits) => digits.parse().ok(),
        TokenKind::Mark("-") => factor(tokens, at)?.checked_neg(),
        TokenKind::Mark("(") => {
            let inside = sum(tokens, at)?;
            let closes = tokens.get(*at)?.is(")");
            *at += 1;
            closes.then_some(inside)
        }
        _ => None,
    }
}
