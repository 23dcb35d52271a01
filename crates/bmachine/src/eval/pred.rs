//! Whether a predicate holds.
//!
//! A part whose variables have no values yet is unknown. `P & Q` with `P` unknown is still false if
//! `Q` is, and `P or Q` still true, and so it is with parts that are cut. An undefined part after
//! such a one is not looked at: it may turn out to be protected ([`super::kleene`]).

use std::ops::ControlFlow;

use base::Span;

use super::code::{Ex, ExKind, Pr, PrKind, Test};
use super::{Context, Eval, Fault};
use crate::solve;
use crate::typed::{Binary, Quantified, Unary};
use crate::value::Value;

impl Context<'_> {
    /// Whether the predicate holds.
    pub fn holds(&mut self, pred: &Pr) -> Eval<bool> {
        match &pred.kind {
            PrKind::Const(value) => Ok(*value),
            PrKind::And(all) => self.decide(all, false, |context, pred| context.holds(pred)),
            PrKind::Or(all) => self.decide(all, true, |context, pred| context.holds(pred)),
            PrKind::Equivalent(left, right) => Ok(self.holds(left)? == self.holds(right)?),
            PrKind::Exists(problem) => solve::is_solvable(self, problem),
            PrKind::Forall(problem) => {
                let is_lenient = std::mem::replace(&mut self.is_lenient, false);
                let found = solve::is_solvable(self, problem);
                self.is_lenient = is_lenient;
                Ok(!found?)
            }
            PrKind::Compare(test, left, right) => self.compare(*test, left, right, pred.span),
            PrKind::Let(bound, body) => {
                for (slot, e) in bound {
                    self.frame[*slot] = Some(self.eval(e)?);
                }
                self.holds(body)
            }
            PrKind::If(test, left, right) => match self.holds(test) {
                Ok(true) => self.holds(left),
                Ok(false) => self.holds(right),
                Err(fault) if fault.is_cut() && !fault.is_end() => {
                    // Whichever it is, if both say the same.
                    match (self.holds(left), self.holds(right)) {
                        (Ok(left), Ok(right)) if left == right => Ok(left),
                        _ => Err(fault),
                    }
                }
                Err(fault) => Err(fault),
            },
        }
    }

    /// Whether all conjuncts hold, in order.
    pub fn all_hold(&mut self, conjuncts: &[Pr]) -> Eval<bool> {
        self.decide(conjuncts, false, |context, pred| context.holds(pred))
    }

    fn compare(&mut self, test: Test, left: &Ex, right: &Ex, span: Span) -> Eval<bool> {
        match test {
            Test::Less => Ok(self.compare_numbers(left, right)?.is_lt()),
            Test::LessEqual => Ok(self.compare_numbers(left, right)?.is_le()),
            Test::Greater => Ok(self.compare_numbers(left, right)?.is_gt()),
            Test::GreaterEqual => Ok(self.compare_numbers(left, right)?.is_ge()),
            Test::Equal => self.equal_exprs(left, right, span),
            Test::NotEqual => Ok(!self.equal_exprs(left, right, span)?),
            Test::In => self.is_in(left, right, span),
            Test::NotIn => Ok(!self.is_in(left, right, span)?),
            Test::Subset => self.subset_exprs(left, right, span),
            Test::NotSubset => Ok(!self.subset_exprs(left, right, span)?),
            Test::StrictSubset | Test::NotStrictSubset => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                let is_subset = self.is_subset(&a, &b, span);
                let is_strict = self.both(is_subset, |context| {
                    context.is_equal(&a, &b, span).map(|is_equal| !is_equal)
                })?;
                Ok(is_strict == (test == Test::StrictSubset))
            }
        }
    }

    fn equal_exprs(&mut self, left: &Ex, right: &Ex, span: Span) -> Eval<bool> {
        if let (Some(a), Some(b)) = (self.borrow(left), self.borrow(right))
            && !matches!(a, Value::Symbolic(_) | Value::Pair(_) | Value::Record(_))
            && !matches!(b, Value::Symbolic(_))
        {
            return Ok(a == b);
        }
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        self.is_equal(&a, &b, span)
    }

    fn subset_exprs(&mut self, left: &Ex, right: &Ex, span: Span) -> Eval<bool> {
        if let (Some(Value::Set(a)), Some(Value::Set(b))) = (self.borrow(left), self.borrow(right))
        {
            return Ok(a.is_subset(b));
        }
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        self.is_subset(&a, &b, span)
    }

    /// `left : right`, without making the set where its form says what its elements are.
    fn is_in(&mut self, left: &Ex, right: &Ex, span: Span) -> Eval<bool> {
        if let (Some(element), Some(Value::Set(set))) = (self.borrow(left), self.borrow(right))
            && !matches!(element, Value::Symbolic(_))
        {
            return Ok(set.contains(element));
        }
        let element = self.eval_plain(left)?;
        self.is_element(element, right, span)
    }

    fn is_element(&mut self, element: Value, set: &Ex, span: Span) -> Eval<bool> {
        if let Some(Value::Set(set)) = self.borrow(set) {
            return Ok(set.contains(&element));
        }
        match &set.kind {
            ExKind::Binary(Binary::Interval, low, high) => {
                Ok(self.eval(low)? <= element && element <= self.eval(high)?)
            }
            ExKind::Binary(Binary::Product, left, right) => {
                let (a, b) = element.as_pair();
                let first = self.is_element(a.clone(), left, span);
                self.both(first, |context| context.is_element(b.clone(), right, span))
            }
            ExKind::Binary(Binary::Union, left, right) => {
                let first = self.is_element(element.clone(), left, span);
                self.either(first, |context| context.is_element(element, right, span))
            }
            ExKind::Binary(Binary::Intersection, left, right) => {
                let first = self.is_element(element.clone(), left, span);
                self.both(first, |context| context.is_element(element, right, span))
            }
            ExKind::Binary(Binary::Difference, left, right) => {
                let first = self.is_element(element.clone(), left, span);
                self.both(first, |context| {
                    let is_in = context.is_element(element, right, span);
                    is_in.map(|is_in| !is_in)
                })
            }
            ExKind::Unary(Unary::Pow, of) => {
                let of = self.eval(of)?;
                self.is_subset(&element, &of, span)
            }
            ExKind::Closure(closure) => {
                let captured = self.capture(closure)?;
                self.closure_contains(closure, &captured, element, span)
            }
            _ => match self.eval(set) {
                Ok(set) => self.contains(&set, &element, span),
                // One of the sets that are united may have it.
                Err(fault) if fault.is_cut() && !fault.is_end() => {
                    self.is_in_union(&element, set, span, fault)
                }
                Err(fault) => Err(fault),
            },
        }
    }

    /// Membership in `UNION(x).(P | E)` that was cut: one of the sets that were found may decide.
    fn is_in_union(&mut self, element: &Value, set: &Ex, span: Span, cut: Fault) -> Eval<bool> {
        let ExKind::Quantified(Quantified::Union, problem, value) = &set.kind else {
            return Err(cut);
        };
        let mut search = |context: &mut Context| {
            let set = context.eval(value)?;
            if context.contains(&set, element, span)? {
                Ok(ControlFlow::Break(()))
            } else {
                Ok(ControlFlow::Continue(()))
            }
        };
        let (flow, _) = self.whole(true, |context| solve::each(context, problem, &mut search));
        match flow? {
            ControlFlow::Break(()) => Ok(true),
            ControlFlow::Continue(()) => Err(cut),
        }
    }
}
