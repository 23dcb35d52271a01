//! What is said of runs, in the brackets of a quantifier: formulas of linear time over formulas of
//! branching time.
//!
//! | weakest first | spellings |
//! |---|---|
//! | equivalence, implication, or, and | as around runs |
//! | once, else with parentheses | `U` `W` `R` `V`, `since` |
//! | before one formula | `!`, `X`, `F` `<>`, `G` `[]` |
//!
//! What has none of these outside of the brackets of another quantifier is a formula about the
//! first state of the run. One operator around such formulas is the operator of CTL: `E(F p)` is
//! `EF p`. Operators of the past are about how states are reached, and so stand around states only.
//!
//! Worked example: `A(G F p -> G F EX q)` says of all runs that `EX q` holds again and again if `p`
//! does.

use super::{CONNECTIVES, Kind, Parser, Token, one, top};
use std::ops::Range;
use system::branching::{Binary, Formula, Quantifier, Unary};
use system::formula::Formula as LinearFormula;

/// Operators of linear time before one formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathOperator {
    /// `X`
    Next,
    /// `F`, `<>`
    Eventually,
    /// `G`, `[]`
    Always,
    /// `yesterday`
    Yesterday,
    /// `once`
    Once,
    /// `historically`
    Historically,
}

/// Whether something in brackets is about runs: an operator of linear time is in it.
pub(super) fn is_about_runs(tokens: &[Token], range: Range<usize>) -> bool {
    let mut at_top = top(tokens, range.clone());
    if at_top.any(|i| matches!(tokens[i].kind, Kind::Joining(_))) {
        return true;
    }
    range.clone().any(|i| match tokens[i].kind {
        Kind::Joining(_) => joins(tokens, i, &range),
        Kind::Diamond => true,
        Kind::Path(_) => begins_operand(tokens, i + 1, range.end),
        Kind::Open => is_box(tokens, i) && begins_operand(tokens, i + 2, range.end),
        _ => false,
    })
}

/// Whether an operand begins at a place.
fn begins_operand(tokens: &[Token], at: usize, end: usize) -> bool {
    at < end
        && !matches!(
            tokens[at].kind,
            Kind::LeadsTo
                | Kind::Iff
                | Kind::Implies
                | Kind::Or
                | Kind::And
                | Kind::Joining(_)
                | Kind::Close
        )
        && !(tokens[at].kind == Kind::Other && tokens[at].is_sign)
}

/// Whether an operand stands on one side of a place at least: then what joins two is meant, and
/// no name.
fn joins(tokens: &[Token], at: usize, range: &Range<usize>) -> bool {
    let ends = |token: &Token| match token.kind {
        Kind::Close => true,
        Kind::Other => !token.is_sign,
        Kind::Variable(_) | Kind::Path(_) | Kind::Letter(_) => true,
        _ => false,
    };
    at > range.start && ends(&tokens[at - 1]) || begins_operand(tokens, at + 1, range.end)
}

/// `[]`.
fn is_box(tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Open && tokens[at].is_square && tokens[at].twin == at + 1
}

/// Reads what is said of runs.
pub(super) struct Runs<'p, 't> {
    pub(super) parser: &'p mut Parser<'t>,
}

/// A formula of linear time, and the formulas that are its atoms.
struct Read {
    formula: LinearFormula,
    atoms: Vec<Formula>,
}

impl Runs<'_, '_> {
    /// The formula of a quantifier around such a range.
    pub(super) fn of(
        &mut self,
        quantifier: Quantifier,
        range: Range<usize>,
        depth: usize,
    ) -> Option<Formula> {
        let mut atoms = Vec::new();
        let first = range.start;
        let formula = self.formula(range, depth + 1, &mut atoms)?;
        match plain(quantifier, Read { formula, atoms }) {
            Formula::Runs(_, linear, _) if linear.has_past() => {
                let message = "operators of the past stand around states: `E[f since g]`, `EO f`";
                self.parser.error(first, message)
            }
            formula => Some(formula),
        }
    }

    fn formula(
        &mut self,
        range: Range<usize>,
        depth: usize,
        atoms: &mut Vec<Formula>,
    ) -> Option<LinearFormula> {
        if range.is_empty() {
            return self.parser.error(range.end, "a formula is missing here");
        }
        if depth > super::DEPTH_MAX {
            let message = format!("operators are nested more than {} deep", super::DEPTH_MAX);
            return self.parser.error(range.start, &message);
        }
        if !self.has_operator(range.clone()) {
            let formula = self.parser.formula(range, depth + 1)?;
            let known = atoms.iter().position(|atom| *atom == formula);
            let number = known.unwrap_or_else(|| {
                atoms.push(formula);
                atoms.len() - 1
            });
            return Some(LinearFormula::Atom(number as u32));
        }
        for connective in CONNECTIVES {
            let kind = |i: &usize| self.parser.tokens[*i].kind == connective;
            let places: Vec<usize> = top(&self.parser.tokens, range.clone())
                .filter(kind)
                .collect();
            if let (Some(first), Some(last)) = (places.first(), places.last()) {
                let at = if connective == Kind::Implies {
                    *first
                } else {
                    *last
                };
                return self.connected(range, (connective, at), depth, atoms);
            }
        }
        let joining: Vec<usize> = top(&self.parser.tokens, range.clone())
            .filter(|&i| matches!(self.parser.tokens[i].kind, Kind::Joining(_)))
            .filter(|&i| joins(&self.parser.tokens, i, &range))
            .collect();
        if let Some(second) = joining.get(1) {
            let message = "each of these needs an `A` or an `E` of its own, or parentheses";
            return self.parser.error(*second, message);
        }
        if let Some(&at) = joining.first() {
            let Kind::Joining(binary) = self.parser.tokens[at].kind else {
                unreachable!("as was looked for");
            };
            let f = Box::new(self.formula(range.start..at, depth + 1, atoms)?);
            let g = Box::new(self.formula(at + 1..range.end, depth + 1, atoms)?);
            return Some(match binary {
                Binary::Until => LinearFormula::Until(f, g),
                Binary::WeakUntil => LinearFormula::WeakUntil(f, g),
                Binary::Release => LinearFormula::Release(f, g),
                Binary::Since => LinearFormula::Since(f, g),
            });
        }
        self.single(range, depth, atoms)
    }

    /// Whether an operator of linear time stands in a range, outside of other quantifiers.
    fn has_operator(&self, range: Range<usize>) -> bool {
        let tokens = &self.parser.tokens;
        let mut at = range.start;
        while at < range.end {
            let skips = matches!(tokens[at].kind, Kind::Letter(_))
                && tokens
                    .get(at + 1)
                    .is_some_and(|token| token.kind == Kind::Open);
            if skips {
                at = tokens[at + 1].twin + 1;
                continue;
            }
            let is_here = match tokens[at].kind {
                Kind::Joining(_) => joins(tokens, at, &range),
                Kind::Diamond => {
                    at == range.start || !matches!(tokens[at - 1].kind, Kind::Letter(_))
                }
                Kind::Path(_) => begins_operand(tokens, at + 1, range.end),
                Kind::Open => is_box(tokens, at) && begins_operand(tokens, at + 2, range.end),
                _ => false,
            };
            if is_here {
                return true;
            }
            at += 1;
        }
        false
    }

    fn connected(
        &mut self,
        range: Range<usize>,
        (connective, at): (Kind, usize),
        depth: usize,
        atoms: &mut Vec<Formula>,
    ) -> Option<LinearFormula> {
        if connective == Kind::LeadsTo {
            let message = "`-->` is about states, and stands around no run";
            return self.parser.error(at, message);
        }
        let f = self.formula(range.start..at, depth + 1, atoms)?;
        let g = self.formula(at + 1..range.end, depth + 1, atoms)?;
        let not = |f: &LinearFormula| LinearFormula::Not(Box::new(f.clone()));
        Some(match connective {
            Kind::And => LinearFormula::And(vec![f, g]),
            Kind::Or => LinearFormula::Or(vec![f, g]),
            Kind::Implies => LinearFormula::Or(vec![not(&f), g]),
            _ => {
                let none = LinearFormula::And(vec![not(&f), not(&g)]);
                LinearFormula::Or(vec![LinearFormula::And(vec![f, g]), none])
            }
        })
    }

    fn single(
        &mut self,
        range: Range<usize>,
        depth: usize,
        atoms: &mut Vec<Formula>,
    ) -> Option<LinearFormula> {
        let first = range.start;
        let token = &self.parser.tokens[first];
        let (make, rest): (fn(Box<LinearFormula>) -> LinearFormula, usize) = match token.kind {
            Kind::Not => (LinearFormula::Not, first + 1),
            Kind::Diamond => (LinearFormula::Eventually, first + 1),
            Kind::Path(operator) => {
                let make = match operator {
                    PathOperator::Next => LinearFormula::Next,
                    PathOperator::Eventually => LinearFormula::Eventually,
                    PathOperator::Always => LinearFormula::Always,
                    PathOperator::Yesterday => LinearFormula::Yesterday,
                    PathOperator::Once => LinearFormula::Once,
                    PathOperator::Historically => LinearFormula::Historically,
                };
                (make, first + 1)
            }
            Kind::Open if is_box(&self.parser.tokens, first) => (LinearFormula::Always, first + 2),
            Kind::Open if token.twin + 1 == range.end => {
                return self.formula(first + 1..range.end - 1, depth + 1, atoms);
            }
            _ => {
                let message = "an expression cannot have a formula in it";
                return self.parser.error(first, message);
            }
        };
        Some(make(Box::new(self.formula(
            rest..range.end,
            depth + 1,
            atoms,
        )?)))
    }
}

/// What is read, as an operator of CTL if it is one.
fn plain(quantifier: Quantifier, read: Read) -> Formula {
    let atom = |f: &LinearFormula| match f {
        LinearFormula::Atom(n) => Some(read.atoms[*n as usize].clone()),
        _ => None,
    };
    let unary = |unary, f: &LinearFormula| Some(one(quantifier, unary, atom(f)?));
    let binary = |binary, f: &LinearFormula, g: &LinearFormula| {
        let (f, g) = (Box::new(atom(f)?), Box::new(atom(g)?));
        Some(Formula::Binary(quantifier, binary, f, g))
    };
    let simple = match &read.formula {
        LinearFormula::Next(f) => unary(Unary::Next, f),
        LinearFormula::Eventually(f) => unary(Unary::Finally, f),
        LinearFormula::Always(f) => unary(Unary::Globally, f),
        LinearFormula::Until(f, g) => binary(Binary::Until, f, g),
        LinearFormula::WeakUntil(f, g) => binary(Binary::WeakUntil, f, g),
        LinearFormula::Release(f, g) => binary(Binary::Release, f, g),
        LinearFormula::Since(f, g) => binary(Binary::Since, f, g),
        _ => None,
    };
    simple.unwrap_or_else(|| Formula::Runs(quantifier, Box::new(read.formula), read.atoms))
}
