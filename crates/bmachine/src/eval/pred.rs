//! Whether a predicate holds.
//!
//! A part whose variables have no values yet is unknown. `P & Q` with `P` unknown is still false if
//! `Q` is, and `P or Q` still true. An undefined part after an unknown one is unknown: the unknown
//! part may turn out to protect it.

use base::Span;

use super::code::{Ex, ExKind, Pr, PrKind, Test};
use super::{Context, Eval, Fault};
use crate::solve;
use crate::typed::{Binary, Unary};
use crate::value::Value;

impl Context<'_> {
    /// Whether the predicate holds.
    pub fn holds(&mut self, pred: &Pr) -> Eval<bool> {
        match &pred.kind {
            PrKind::Const(value) => Ok(*value),
            PrKind::And(all) => self.decide(all, false),
            PrKind::Or(all) => self.decide(all, true),
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
            PrKind::If(test, left, right) => {
                let chosen = if self.holds(test)? { left } else { right };
                self.holds(chosen)
            }
        }
    }

    /// Whether all conjuncts hold, in order.
    pub fn all_hold(&mut self, conjuncts: &[Pr]) -> Eval<bool> {
        self.decide(conjuncts, false)
    }

    /// `decisive` if one of the predicates is that, else the contrary.
    fn decide(&mut self, all: &[Pr], decisive: bool) -> Eval<bool> {
        let mut open: Option<Fault> = None;
        for pred in all {
            match self.holds(pred) {
                Ok(value) if value == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(Fault::Unknown) => open = Some(Fault::Unknown),
                Err(_) if open == Some(Fault::Unknown) => {}
                Err(fault) if decisive && self.is_lenient && fault.is_undefined() => {
                    open = Some(fault);
                }
                Err(fault) => return Err(fault),
            }
        }
        match open {
            Some(fault) => Err(fault),
            None => Ok(!decisive),
        }
    }

    fn compare(&mut self, test: Test, left: &Ex, right: &Ex, span: Span) -> Eval<bool> {
        match test {
            Test::Less => Ok(self.eval_int(left)? < self.eval_int(right)?),
            Test::LessEqual => Ok(self.eval_int(left)? <= self.eval_int(right)?),
            Test::Greater => Ok(self.eval_int(left)? > self.eval_int(right)?),
            Test::GreaterEqual => Ok(self.eval_int(left)? >= self.eval_int(right)?),
            Test::Equal => self.equal_exprs(left, right, span),
            Test::NotEqual => Ok(!self.equal_exprs(left, right, span)?),
            Test::In => self.is_in(left, right, span),
            Test::NotIn => Ok(!self.is_in(left, right, span)?),
            Test::Subset => self.subset_exprs(left, right, span),
            Test::NotSubset => Ok(!self.subset_exprs(left, right, span)?),
            Test::StrictSubset | Test::NotStrictSubset => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                let is_strict = self.is_subset(&a, &b, span)? && !self.is_equal(&a, &b, span)?;
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
                let int = element.as_int();
                Ok(self.eval_int(low)? <= int && int <= self.eval_int(high)?)
            }
            ExKind::Binary(Binary::Product, left, right) => {
                let (a, b) = element.as_pair();
                Ok(self.is_element(a.clone(), left, span)?
                    && self.is_element(b.clone(), right, span)?)
            }
            ExKind::Binary(Binary::Union, left, right) => {
                Ok(self.is_element(element.clone(), left, span)?
                    || self.is_element(element, right, span)?)
            }
            ExKind::Binary(Binary::Intersection, left, right) => {
                Ok(self.is_element(element.clone(), left, span)?
                    && self.is_element(element, right, span)?)
            }
            ExKind::Binary(Binary::Difference, left, right) => {
                Ok(self.is_element(element.clone(), left, span)?
                    && !self.is_element(element, right, span)?)
            }
            ExKind::Unary(Unary::Pow | Unary::Fin, of) => {
                let of = self.eval(of)?;
                self.is_subset(&element, &of, span)
            }
            ExKind::Closure(closure) => {
                let captured = self.capture(closure)?;
                self.closure_contains(closure, &captured, element, span)
            }
            _ => {
                let set = self.eval(set)?;
                self.contains(&set, &element, span)
            }
        }
    }
}
