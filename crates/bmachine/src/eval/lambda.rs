//! Relations that cannot be listed, asked as a whole: what is in their range, and whether they
//! belong to `A --> B` and the like.
//!
//! Something is shown for all values of an infinite function by the bounds of its value
//! (`solve::bounds`), or by its form: `%x.(x : S | a * x + b)` with `a` not zero has no value
//! twice. Otherwise a value that is wrong is looked for among some of them. If there is none, the
//! question is cut.
//!
//! Worked example: `%x.(x : NATURAL | x * x + 1) : NATURAL --> NATURAL1`. The domain is the set
//! that is written there. With `x` from 0 on, `x * x + 1` is from 1 on.

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::Span;

use super::code::{Closure, Ex, ExKind};
use super::list::{EnumerationFlow, GO_ON};
use super::relations::Demands;
use super::sets::{bounds, is_everything, symbolic};
use super::{Context, Eval, Fault, TroubleKind};
use crate::solve::bounds::{Range, hull};
use crate::typed::{Binary, Type, Unary};
use crate::value::{Symbolic, Value};

impl Context<'_> {
    /// Whether a relation that cannot be listed belongs to `left <-> right`, `left --> right` and
    /// so on.
    pub(super) fn is_symbolic_function(
        &mut self,
        demands: Demands,
        left: &Value,
        right: &Value,
        relation: &Value,
        span: Span,
    ) -> Eval<bool> {
        let cut = || {
            let what = "this infinite relation: not all of its values were looked at";
            Err(Fault::new(TroubleKind::NoBound(what.to_owned()), span))
        };
        let (domain, closure) = match relation {
            Value::Symbolic(set) => match &**set {
                Symbolic::Step(_) => (Some(symbolic(Symbolic::Interval(None, None))), None),
                Symbolic::Closure(code, captured) if code.0.value.is_some() => {
                    (self.domain_of(relation)?, Some((&*code.0, captured)))
                }
                _ => (None, None),
            },
            _ => (None, None),
        };
        let Some(domain) = domain else {
            let is_any = is_everything(left) && is_everything(right);
            let has_demands = demands.is_function || demands.is_total || demands.is_onto;
            return if is_any && !has_demands {
                Ok(true)
            } else {
                cut()
            };
        };
        let is_within = self.is_subset(&domain, left, span);
        let is_total = self.both(is_within, |context| {
            if demands.is_total {
                context.is_subset(left, &domain, span)
            } else {
                Ok(true)
            }
        });
        let is_ranged = self.both(is_total, |context| match closure {
            _ if is_everything(right) => Ok(true),
            Some((closure, captured)) => context.has_range_in(closure, captured, right, span),
            None => cut(),
        });
        let is_injective = self.both(is_ranged, |context| match closure {
            _ if !demands.is_injective => Ok(true),
            Some((closure, captured)) => context.has_no_value_twice(closure, captured, span),
            None => Ok(true),
        });
        self.both(is_injective, |_| match (demands.is_onto, closure) {
            (false, _) => Ok(true),
            // `succ` and `pred` reach every number.
            (true, None) if is_everything(right) => Ok(true),
            _ => cut(),
        })
    }

    /// The domain of a lambda.
    fn domain_of(&mut self, lambda: &Value) -> Eval<Option<Value>> {
        let Value::Symbolic(set) = lambda else {
            return Ok(None);
        };
        let Symbolic::Closure(code, captured) = &**set else {
            return Ok(None);
        };
        Ok(Some(match code.0.plain_range() {
            Some(set) => self.enter(&code.0, captured, |context| context.eval(set))?,
            None => symbolic(Symbolic::Unary(Unary::Dom, lambda.clone())),
        }))
    }

    /// Whether all values of a lambda are in a set.
    fn has_range_in(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        set: &Value,
        span: Span,
    ) -> Eval<bool> {
        let range = self.hull_of(closure, captured, closure.value.as_ref());
        if range.is_some_and(|range| is_inside(range, set)) {
            return Ok(true);
        }
        self.no_pair(closure, captured, &mut |context, pair| {
            context
                .contains(set, pair.as_pair().1, span)
                .map(|is_in| !is_in)
        })
    }

    fn has_no_value_twice(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        span: Span,
    ) -> Eval<bool> {
        if let ([slot], Some(value)) = (closure.parameters.as_slice(), &closure.value)
            && slope(value, *slot).is_some_and(|slope| slope != 0)
        {
            return Ok(true);
        }
        let mut known: HashMap<Value, Value> = HashMap::new();
        self.no_pair(closure, captured, &mut |context, pair| {
            let (argument, value) = pair.as_pair();
            match known.insert(value.clone(), argument.clone()) {
                Some(other) => context
                    .is_equal(&other, argument, span)
                    .map(|is_equal| !is_equal),
                None => Ok(false),
            }
        })
    }

    /// Whether no pair of a lambda is a counterexample.
    fn no_pair(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        is_counterexample: &mut dyn FnMut(&mut Context, &Value) -> Eval<bool>,
    ) -> Eval<bool> {
        let mut search =
            |context: &mut Context, pair: Value| match is_counterexample(context, &pair) {
                Ok(true) => Ok(ControlFlow::Break(())),
                Ok(false) => Ok(GO_ON),
                Err(fault) if fault.is_cut() && !fault.is_end() => {
                    context.keep_cut(fault);
                    Ok(GO_ON)
                }
                Err(fault) => Err(fault),
            };
        let (flow, cut) = self.whole(true, |context| {
            context.each_of_closure(closure, captured, &mut search)
        });
        found_none(flow, cut)
    }

    /// `element : ran(relation)`.
    pub(super) fn in_range(&mut self, relation: &Value, element: &Value, span: Span) -> Eval<bool> {
        let Value::Symbolic(set) = relation else {
            return Ok(self.list(relation, span)?.ran().contains(element));
        };
        let Symbolic::Closure(code, captured) = &**set else {
            return Ok(self.list(relation, span)?.ran().contains(element));
        };
        if code.0.value.is_some()
            && let Value::Int(int) = element
            && let Some(range) = self.hull_of(&code.0, captured, code.0.value.as_ref())
        {
            let int = i128::from(*int);
            if range.0.is_some_and(|low| int < low) || range.1.is_some_and(|high| high < int) {
                return Ok(false);
            }
        }
        let is_none = self.no_pair(&code.0, captured, &mut |context, pair| {
            context.is_equal(pair.as_pair().1, element, span)
        })?;
        Ok(!is_none)
    }

    /// Between which numbers the elements of a symbolic set of numbers lie, if its form says that.
    pub(super) fn hull_of_set(&mut self, set: &Value) -> Option<Range> {
        let Value::Symbolic(set) = set else {
            return None;
        };
        match &**set {
            Symbolic::Closure(code, captured) if code.0.value.is_none() => {
                self.hull_of(&code.0, captured, None)
            }
            Symbolic::Unary(op @ (Unary::Dom | Unary::Ran), Value::Symbolic(of)) => match &**of {
                Symbolic::Closure(code, captured) if code.0.value.is_some() => {
                    let value = code.0.value.as_ref().filter(|_| *op == Unary::Ran);
                    self.hull_of(&code.0, captured, value)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Between which numbers the only variable of a closure lies, or a value that depends on it.
    fn hull_of(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        value: Option<&Ex>,
    ) -> Option<Range> {
        let [unknown] = closure.problem.unknowns.as_slice() else {
            return None;
        };
        let element = Ex {
            kind: ExKind::Slot(unknown.slot),
            ty: unknown.ty.clone(),
            span: unknown.span,
        };
        let asked = value.unwrap_or(&element);
        if asked.ty != Type::Int || unknown.ty != Type::Int {
            return None;
        }
        self.enter(closure, captured, |context| {
            hull(context, &closure.problem, asked)
        })
    }
}

/// Whether a search for a counterexample found none. What is undefined for a value that was made up
/// is not held against a set that is only looked at in part.
pub(super) fn found_none(flow: Eval<EnumerationFlow>, cut: Option<Fault>) -> Eval<bool> {
    match (flow, cut) {
        (Ok(ControlFlow::Break(())), _) => Ok(false),
        (Ok(ControlFlow::Continue(())), None) => Ok(true),
        (Err(fault), Some(cut)) if fault.is_undefined() => Err(cut),
        (Err(fault), _) => Err(fault),
        (_, Some(cut)) => Err(cut),
    }
}

/// Whether all numbers within a range are in a set, as far as its ends say.
pub(super) fn is_inside(range: Range, set: &Value) -> bool {
    let Some((low, high)) = bounds(set) else {
        return false;
    };
    let wide = |end: &Value| match end {
        Value::Int(int) => Some(i128::from(*int)),
        _ => None,
    };
    let is_above = match low {
        None => true,
        Some(low) => range.0.zip(wide(low)).is_some_and(|(own, low)| low <= own),
    };
    is_above
        && match high {
            None => true,
            Some(high) => range
                .1
                .zip(wide(high))
                .is_some_and(|(own, high)| own <= high),
        }
}

/// `a` of an expression `a * x + b`, if it has that form with constants.
fn slope(ex: &Ex, slot: usize) -> Option<i128> {
    let constant = |ex: &Ex| match ex.as_const() {
        Some(Value::Int(int)) => Some(i128::from(*int)),
        _ => None,
    };
    match &ex.kind {
        ExKind::Slot(found) if *found == slot => Some(1),
        _ if !ex.reads(&|s| s == slot) => Some(0),
        ExKind::Unary(Unary::Minus, operand) => slope(operand, slot)?.checked_neg(),
        ExKind::Binary(Binary::Add, a, b) => slope(a, slot)?.checked_add(slope(b, slot)?),
        ExKind::Binary(Binary::Subtract, a, b) => slope(a, slot)?.checked_sub(slope(b, slot)?),
        ExKind::Binary(Binary::Multiply, a, b) => match (constant(a), constant(b)) {
            (Some(by), _) => slope(b, slot)?.checked_mul(by),
            (_, Some(by)) => slope(a, slot)?.checked_mul(by),
            _ => None,
        },
        _ => None,
    }
}
