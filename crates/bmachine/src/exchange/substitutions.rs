//! The same comparison for substitutions.
//!
//! All branches of `SELECT` and `CHOICE` are tried, whatever becomes of the others, so their order
//! has no meaning; that of `IF` has. Alternatives of `CASE` exclude each other if their values are
//! literals and no two are the same. Parts of a parallel substitution keep their places: variables
//! are not exchanged, so no part could take the place of another one that assigns something else.
//!
//! Worked example: `SELECT p : v THEN v := v - {p} WHEN q : v THEN v := v - {q} END` becomes itself
//! if `p` and `q` are exchanged, and `IF p : v THEN … ELSIF q : v THEN … END` does not.

use super::compare::{Compare, ListPart, Miss, PartOrder, Same, fits};
use super::nodes::TypedNode;
use crate::typed::{Expr, ExprKind, Pred, SortId, Subst, SubstKind};
use base::Span;
use num_bigint::BigInt;
use std::collections::HashSet;

/// A condition, and what is done then.
type Branch = (Pred, Subst);
/// Values, and what is done if it is one of them.
type Alternative = (Vec<Expr>, Subst);

impl Compare<'_> {
    pub(super) fn subst_kind(&mut self, x: &Subst, y: &Subst) -> Same {
        let span = x.span;
        match (&x.kind, &y.kind) {
            (SubstKind::Parallel(xs), SubstKind::Parallel(ys))
            | (SubstKind::Sequence(xs), SubstKind::Sequence(ys)) => self.substs(xs, ys, span),
            (SubstKind::Choice(xs), SubstKind::Choice(ys)) => {
                self.heap(xs, ys, PartOrder::None, span, Self::subst)
            }
            (SubstKind::Pre(p, s), SubstKind::Pre(q, t))
            | (SubstKind::Assert(p, s), SubstKind::Assert(q, t)) => {
                self.pred(p, q)?;
                self.subst(s, t)
            }
            (SubstKind::Select(xs, s), SubstKind::Select(ys, t)) => {
                self.heap(xs, ys, PartOrder::None, span, Self::branch)?;
                self.otherwise(s.as_deref(), t.as_deref(), span)
            }
            (SubstKind::If(xs, s), SubstKind::If(ys, t)) => {
                self.list(xs, ys, span, Self::branch)?;
                self.otherwise(s.as_deref(), t.as_deref(), span)
            }
            (SubstKind::Any(xs, p, s), SubstKind::Any(ys, q, t)) => {
                self.binding(xs, ys, span, |compare| {
                    compare.pred(p, q)?;
                    compare.subst(s, t)
                })
            }
            (SubstKind::Let(xs, s), SubstKind::Let(ys, t)) => {
                self.equations(xs, ys, span, |compare| compare.subst(s, t))
            }
            (SubstKind::Var(xs, s), SubstKind::Var(ys, t)) => {
                self.binding(xs, ys, span, |compare| compare.subst(s, t))
            }
            (SubstKind::Case(e, xs, s), SubstKind::Case(f, ys, t)) => {
                self.expr(e, f)?;
                self.alternatives(xs, ys, span)?;
                self.otherwise(s.as_deref(), t.as_deref(), span)
            }
            (
                SubstKind::Skip
                | SubstKind::Assign(..)
                | SubstKind::BecomesElement(..)
                | SubstKind::BecomesSuch(..)
                | SubstKind::While { .. }
                | SubstKind::Call { .. },
                _,
            ) => self.simple(x, y),
            (
                SubstKind::Parallel(_)
                | SubstKind::Sequence(_)
                | SubstKind::Choice(_)
                | SubstKind::Pre(..)
                | SubstKind::Assert(..)
                | SubstKind::Select(..)
                | SubstKind::If(..)
                | SubstKind::Any(..)
                | SubstKind::Let(..)
                | SubstKind::Var(..)
                | SubstKind::Case(..),
                _,
            ) => Err(Miss::Differ(span)),
        }
    }

    /// Assignments, calls and loops.
    fn simple(&mut self, x: &Subst, y: &Subst) -> Same {
        let span = x.span;
        match (&x.kind, &y.kind) {
            (SubstKind::Skip, SubstKind::Skip) => Ok(()),
            (SubstKind::Assign(xs, values), SubstKind::Assign(ys, others)) => {
                self.targets(xs, ys, span)?;
                self.exprs(values, others, span)
            }
            (SubstKind::BecomesElement(xs, e), SubstKind::BecomesElement(ys, f)) => {
                self.targets(xs, ys, span)?;
                self.expr(e, f)
            }
            (SubstKind::BecomesSuch(vars, xs, p), SubstKind::BecomesSuch(others, ys, q)) => {
                self.list(vars, others, span, |compare, x, y| {
                    compare.var(*x, *y, span)
                })?;
                self.binding(xs, ys, span, |compare| compare.pred(p, q))
            }
            (
                SubstKind::While {
                    condition: p,
                    body: s,
                    invariant: i,
                    variant: e,
                },
                SubstKind::While {
                    condition: q,
                    body: t,
                    invariant: j,
                    variant: f,
                },
            ) => {
                self.pred(p, q)?;
                self.subst(s, t)?;
                self.pred(i, j)?;
                self.expr(e, f)
            }
            (
                SubstKind::Call {
                    operation: x,
                    arguments: xs,
                    results: targets,
                },
                SubstKind::Call {
                    operation: y,
                    arguments: ys,
                    results: others,
                },
            ) => {
                fits(x == y, span)?;
                self.exprs(xs, ys, span)?;
                self.targets(targets, others, span)
            }
            // Every kind that comes here stands above with itself.
            _ => Err(Miss::Differ(span)),
        }
    }

    fn branch(&mut self, x: &Branch, y: &Branch) -> Same {
        self.pred(&x.0, &y.0)?;
        self.subst(&x.1, &y.1)
    }

    fn otherwise(&mut self, x: Option<&Subst>, y: Option<&Subst>, span: Span) -> Same {
        match (x, y) {
            (Some(x), Some(y)) => self.subst(x, y),
            (None, None) => Ok(()),
            (Some(_), None) | (None, Some(_)) => Err(Miss::Differ(span)),
        }
    }

    fn alternatives(&mut self, xs: &[Alternative], ys: &[Alternative], span: Span) -> Same {
        if !exclude_each_other(xs) {
            return self.list(xs, ys, span, |compare, x, y| {
                compare.exprs(&x.0, &y.0, span)?;
                compare.subst(&x.1, &y.1)
            });
        }
        self.heap(xs, ys, PartOrder::None, span, |compare, x, y| {
            compare.heap(&x.0, &y.0, PartOrder::None, span, Self::expr)?;
            compare.subst(&x.1, &y.1)
        })
    }
}

/// An expression that is its own value.
#[derive(PartialEq, Eq, Hash)]
enum Literal<'a> {
    Int(i64),
    Big(&'a BigInt),
    Text(&'a str),
    Bool(bool),
    Element(SortId, usize),
}

/// Whether all values are literals, each another one.
fn exclude_each_other(alternatives: &[Alternative]) -> bool {
    let mut seen = HashSet::new();
    let mut values = alternatives.iter().flat_map(|(values, _)| values);
    values.all(|value| literal(&value.kind).is_some_and(|literal| seen.insert(literal)))
}

fn literal(kind: &ExprKind) -> Option<Literal<'_>> {
    match kind {
        ExprKind::Int(n) => Some(Literal::Int(*n)),
        ExprKind::Big(n) => Some(Literal::Big(n)),
        ExprKind::Text(text) => Some(Literal::Text(text)),
        ExprKind::Bool(value) => Some(Literal::Bool(*value)),
        ExprKind::Element(sort, member) => Some(Literal::Element(*sort, *member)),
        ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Carrier(_)
        | ExprKind::Known(_)
        | ExprKind::Empty
        | ExprKind::SetOf(_)
        | ExprKind::SeqOf(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Comprehension(..)
        | ExprKind::Lambda(..)
        | ExprKind::Quantified(..)
        | ExprKind::BoolOf(_)
        | ExprKind::Record(_)
        | ExprKind::Struct(_)
        | ExprKind::Field(..)
        | ExprKind::If(..)
        | ExprKind::Let(..) => None,
    }
}

impl ListPart for Subst {
    fn span(&self) -> Span {
        self.span
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        None
    }
}

impl ListPart for Branch {
    fn span(&self) -> Span {
        self.0.span
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        None
    }
}

impl ListPart for Alternative {
    fn span(&self) -> Span {
        self.0.first().map_or(self.1.span, |value| value.span)
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        None
    }
}
