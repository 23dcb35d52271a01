//! Formulas that are asked of all members of a range: `forall i in 0..4: F`, `exists i: F`.
//!
//! A quantifier is put into effect on tokens, before the formula is read: `i` is replaced by each
//! number in turn and keeps its place in the text, so that messages point where the modeller wrote
//! it. A `forall` at the head of a formula gives one formula a number, each of which is read and
//! checked by itself. Any other quantifier becomes the conjunction or disjunction over its members
//! in the one formula, because what a run owes may be owed to another member in another run. Its
//! formula goes on as far as it can: to the parenthesis that closes around it, or to the end.
//!
//! `count i: F` is the number of members for which `F` is not 0, a sum.
//!
//! Without a range, `i` runs over the elements of the arrays that it is the whole index of; they
//! must have one length.
//!
//! Worked example: with `bool w[2]`, `ltl f { forall i: [] <> w[i] }` is read as `ltl f { [] <>
//! w[0] }` and `ltl f { [] <> w[1] }`, and `ltl f { [] (exists i: w[i]) }` as `ltl f { [] ((w[0])
//! || (w[1])) }`.

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, FormulaIndex, Ltl, TopLevelItem};
use crate::place::Place;
use crate::token::{Token, TokenKind};
use base::quote;
use std::ops::Range;
use std::rc::Rc;

/// The most members that a quantifier may run over.
const MEMBERS_MAX: i32 = 300;
/// The most copies of formulas that the quantifiers inside one may make.
const COPIES_MAX: usize = 10_000;

/// What is said of the members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    /// `forall`
    All,
    /// `exists`
    Some,
    /// `count`
    Number,
}

impl Quantifier {
    const ALL: [Quantifier; 3] = [Quantifier::All, Quantifier::Some, Quantifier::Number];

    fn word(self) -> &'static str {
        match self {
            Quantifier::All => "forall",
            Quantifier::Some => "exists",
            Quantifier::Number => "count",
        }
    }

    fn of(token: &Token) -> Option<Quantifier> {
        let mut all = Quantifier::ALL.into_iter();
        all.find(|quantifier| token.is_name(quantifier.word()))
    }
}

/// What stands before the `:`.
struct QuantifierHead {
    /// What is said of the members.
    says: Quantifier,
    name: Rc<str>,
    place: Place,
    /// Where the quantifier stands.
    start: Place,
    /// Where in the tokens the formula begins.
    body: usize,
    /// The numbers, if the text says them.
    range: Option<(i32, i32)>,
}

impl Parser<'_> {
    /// The formulas that a formula put aside stands for; `units` are the other parts of the text.
    pub(super) fn formulas_of(&mut self, tokens: Vec<Token>, units: &[TopLevelItem]) -> Vec<Ltl> {
        let open = tokens.iter().position(|token| token.is("{"));
        let outermost = open.filter(|open| {
            let word = tokens.get(open + 1);
            word.is_some_and(|token| token.is_name("forall") || token.is_name("exists"))
        });
        let head = outermost.map_or(Ok(None), |open| self.head(&tokens, open + 1));
        let Ok(head) = head else {
            return Vec::new();
        };
        let Some(head) = head.filter(|head| head.says == Quantifier::All) else {
            let read = self.expanded(&tokens, units);
            return read
                .ok()
                .and_then(|all| self.formula(all))
                .into_iter()
                .collect();
        };
        let body = &tokens[head.body..];
        let Ok(range) = self.members(&head, body, units) else {
            return Vec::new();
        };
        let before = &tokens[..=open.unwrap_or(0)];
        let mut all = Vec::new();
        for value in range {
            let mut each = before.to_vec();
            each.extend(replaced(body, &head.name, value));
            let read = self.expanded(&each, units);
            let Some(formula) = read.ok().and_then(|each| self.formula(each)) else {
                // What is wrong with one is wrong with all.
                return all;
            };
            let name = head.name.clone();
            all.push(Ltl {
                index: Some(FormulaIndex { name, value }),
                ..formula
            });
        }
        all
    }

    /// The tokens with quantifiers put into effect.
    fn expanded(&mut self, tokens: &[Token], units: &[TopLevelItem]) -> Parsed<Vec<Token>> {
        let mut all = Vec::new();
        let mut left = COPIES_MAX;
        self.expand(tokens, units, &mut left, &mut all)?;
        Ok(all)
    }

    /// Puts the tokens into `out`, with quantifiers put into effect; `left` copies may be made.
    fn expand(
        &mut self,
        tokens: &[Token],
        units: &[TopLevelItem],
        left: &mut usize,
        out: &mut Vec<Token>,
    ) -> Parsed<()> {
        let mut at = 0;
        while at < tokens.len() {
            if !is_head(&tokens[at..]) {
                out.push(tokens[at].clone());
                at += 1;
                continue;
            }
            let Some(head) = self.head(tokens, at)? else {
                unreachable!("a quantifier begins here");
            };
            let end = end(tokens, head.body);
            let body = &tokens[head.body.min(end)..end];
            let range = self.members(&head, body, units)?;
            at = end;
            if head.says == Quantifier::Number {
                self.sum(&head, (body, range), (units, left), out)?;
                continue;
            }
            let mark = |kind| mark(&head, kind);
            out.push(mark(TokenKind::Mark("(")));
            for value in range.clone() {
                if value != range.start {
                    let joint = match head.says {
                        Quantifier::All => "&&",
                        Quantifier::Some | Quantifier::Number => "||",
                    };
                    out.push(mark(TokenKind::Mark(joint)));
                }
                self.copy(&head, left)?;
                out.push(mark(TokenKind::Member(head.name.clone(), value)));
                self.expand(&replaced(body, &head.name, value), units, left, out)?;
                out.push(mark(TokenKind::Mark(")")));
            }
            out.push(mark(TokenKind::Mark(")")));
        }
        Ok(())
    }

    /// Counts one copy more.
    fn copy(&mut self, head: &QuantifierHead, left: &mut usize) -> Parsed<()> {
        *left = left.checked_sub(1).ok_or_else(|| {
            let message = format!("quantifiers give more than {COPIES_MAX} formulas here");
            self.error(head.place, message)
        })?;
        Ok(())
    }

    /// Puts in the number of members for which a formula is not 0: a sum, by halves, so that it is
    /// no deeper than it must be.
    fn sum(
        &mut self,
        head: &QuantifierHead,
        (body, range): (&[Token], Range<i32>),
        (units, left): (&[TopLevelItem], &mut usize),
        out: &mut Vec<Token>,
    ) -> Parsed<()> {
        let put = |out: &mut Vec<Token>, mark: &'static str| {
            out.push(self::mark(head, TokenKind::Mark(mark)));
        };
        put(out, "(");
        if range.len() == 1 {
            put(out, "(");
            self.copy(head, left)?;
            self.expand(&replaced(body, &head.name, range.start), units, left, out)?;
            put(out, ")");
            put(out, "!=");
            out.push(mark(head, TokenKind::Number("0".into())));
        } else {
            let middle = range.start + (range.end - range.start) / 2;
            self.sum(head, (body, range.start..middle), (units, left), out)?;
            put(out, "+");
            self.sum(head, (body, middle..range.end), (units, left), out)?;
        }
        put(out, ")");
        Ok(())
    }

    /// The quantifier that the word at `at` is; `None` if it is none.
    fn head(&mut self, tokens: &[Token], at: usize) -> Parsed<Option<QuantifierHead>> {
        let word = |at: usize| tokens.get(at).and_then(Token::name).cloned();
        let says = tokens.get(at).and_then(Quantifier::of);
        let (Some(says), Some(name), Some(token)) = (says, word(at + 1), tokens.get(at + 1)) else {
            return Ok(None);
        };
        let Some(next) = tokens.get(at + 2) else {
            return Ok(None);
        };
        let mut head = QuantifierHead {
            says,
            name,
            place: token.place,
            start: tokens[at].place,
            body: at + 3,
            range: None,
        };
        if next.is_name("in") {
            let mut at = at + 3;
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
        } else if !next.is(":") {
            let message = "`in` and a range, or `:`, is expected after this name";
            return Err(self.error(token.place, message));
        }
        let mut inside = (head.body..tokens.len()).filter(|at| is_head(&tokens[*at..]));
        let again = inside.find(|at| tokens[at + 1].is_name(&head.name));
        if let Some(at) = again.filter(|at| *at < end(tokens, head.body)) {
            let message = format!("{} is the name of a member already", quote(&head.name));
            let error = self.origins.error(tokens[at + 1].place, message);
            return Err(self.report(error.note("give the inner one another name")));
        }
        Ok(Some(head))
    }

    /// The numbers that are meant.
    fn members(
        &mut self,
        head: &QuantifierHead,
        body: &[Token],
        units: &[TopLevelItem],
    ) -> Parsed<Range<i32>> {
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
                    let word = head.says.word();
                    let note = format!("say it: `{word} {} in 0..4: …`", head.name);
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

/// A token that a quantifier puts in.
fn mark(head: &QuantifierHead, kind: TokenKind) -> Token {
    Token {
        kind,
        place: head.start,
        starts_line: false,
        spaced: true,
        frozen: false,
        stands: None,
    }
}

/// Whether a quantifier that is no model's name begins here.
fn is_head(tokens: &[Token]) -> bool {
    let [word, name, next, ..] = tokens else {
        return false;
    };
    Quantifier::of(word).is_some() && name.name().is_some() && (next.is(":") || next.is_name("in"))
}

/// Where a formula that begins at `from` ends: before what closes around it.
fn end(tokens: &[Token], from: usize) -> usize {
    let mut n_open = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.kind {
            TokenKind::Mark("(" | "[" | "{") => n_open += 1,
            TokenKind::Mark(")" | "]" | "}" | ";") if n_open == 0 => return at,
            TokenKind::Mark(")" | "]" | "}") => n_open -= 1,
            _ => {}
        }
    }
    tokens.len()
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
fn lengths(head: &QuantifierHead, body: &[Token], units: &[TopLevelItem]) -> Vec<i32> {
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
            TopLevelItem::Declaration(declaration) => Some(&declaration.variables),
            _ => None,
        });
        let mut declared = declared.flatten().filter(|v| v.name.text == *array);
        let length = declared.next().and_then(|v| constant(v.size.as_ref()?));
        // The public variables of a process type are an array over its instances.
        let length = length.or_else(|| n_instances(units, array).filter(|_| is(at + 2, ".")));
        all.extend(length.filter(|length| !all.contains(length)));
    }
    all
}

/// How many instances of a process type run from the start, if the text says it.
fn n_instances(units: &[TopLevelItem], name: &str) -> Option<i32> {
    units.iter().find_map(|unit| match unit {
        TopLevelItem::Process(process) if &*process.name.text == name => {
            let active = process.active.as_ref()?;
            active.count.as_ref().map_or(Some(1), constant)
        }
        _ => None,
    })
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
