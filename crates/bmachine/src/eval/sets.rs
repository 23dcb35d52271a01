//! Operators on sets, of which some may be symbolic.
//!
//! A set is asked for its elements only where nothing else answers. `x : NATURAL - {3}` looks at
//! `x`; `{1, 2, 3} /\ NATURAL` filters the explicit side; `NATURAL \/ {-1}` stays as it is.

use std::ops::ControlFlow;
use std::sync::Arc;

use base::Span;

use super::code::{Closure, Ex};
use super::lambda::{found_none, is_inside};
use super::list::GO_ON;
use super::room::{closure_fits, fits, kept};
use super::{Context, Eval, Fault};
use crate::typed::{Binary, Type, Unary};
use crate::value::{Set, Symbolic, Value, ValueError, number};

/// Products with more elements than this stay symbolic.
const PRODUCT_MAX: usize = 1024;

/// A symbolic set as a value.
pub fn symbolic(set: Symbolic) -> Value {
    Value::Symbolic(Arc::new(set))
}

impl Context<'_> {
    /// `element : set`.
    pub fn contains(&mut self, set: &Value, element: &Value, span: Span) -> Eval<bool> {
        let set = match set {
            Value::Set(set) => return Ok(set.contains(element)),
            Value::Symbolic(set) => set,
            other => unreachable!("{other:?} is no set"),
        };
        match &**set {
            Symbolic::Interval(low, high) => {
                let is_above = low.as_ref().is_none_or(|low| low <= element);
                Ok(is_above && high.as_ref().is_none_or(|high| element <= high))
            }
            Symbolic::Texts => Ok(true),
            Symbolic::Step(step) => {
                let (a, b) = element.as_pair();
                Ok(number::add(a, &Value::Int(*step)).as_ref() == Ok(b))
            }
            Symbolic::Struct(fields) => {
                let parts = fields.iter().zip(element.as_record());
                self.decide(parts, false, |context, (field, value)| {
                    context.contains(field, value, span)
                })
            }
            Symbolic::Unary(op, of) => self.contains_unary(*op, of, element, span),
            Symbolic::Binary(op, left, right) => {
                self.contains_binary(*op, left, right, element, span)
            }
            Symbolic::Closure(code, captured) => {
                self.closure_contains(&code.0, captured, element.clone(), span)
            }
        }
    }

    /// Whether a tuple satisfies a comprehension, or a pair belongs to a lambda.
    pub(crate) fn closure_contains(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        element: Value,
        span: Span,
    ) -> Eval<bool> {
        self.enter(closure, captured, |context| {
            let Some(value) = &closure.value else {
                bind_tuple(&mut context.frame, &closure.parameters, &element);
                return context.all_hold(&closure.problem.conjuncts);
            };
            let (arguments, expected) = element.as_pair();
            bind_tuple(&mut context.frame, &closure.parameters, arguments);
            let is_argument = context.all_hold(&closure.problem.conjuncts);
            context.both(is_argument, |context| {
                let value = context.eval(value)?;
                context.is_equal(&value, expected, span)
            })
        })
    }

    /// `a = b`.
    pub fn is_equal(&mut self, a: &Value, b: &Value, span: Span) -> Eval<bool> {
        match (a, b) {
            (Value::Symbolic(_), _) | (_, Value::Symbolic(_)) => {
                if a == b {
                    return Ok(true);
                }
                if let (Some(a), Some(b)) = (bounds(a), bounds(b)) {
                    return Ok(a == b);
                }
                let is_subset = self.is_subset(a, b, span);
                self.both(is_subset, |context| context.is_subset(b, a, span))
            }
            (Value::Pair(x), Value::Pair(y)) => {
                let is_left = self.is_equal(&x.0, &y.0, span);
                self.both(is_left, |context| context.is_equal(&x.1, &y.1, span))
            }
            (Value::Record(x), Value::Record(y)) => {
                self.decide(x.iter().zip(y.iter()), false, |context, (x, y)| {
                    context.is_equal(x, y, span)
                })
            }
            _ => Ok(a == b),
        }
    }

    /// `a <: b`.
    pub fn is_subset(&mut self, a: &Value, b: &Value, span: Span) -> Eval<bool> {
        if let (Value::Set(a), Value::Set(b)) = (a, b) {
            return Ok(a.is_subset(b));
        }
        if a == b || is_everything(b) {
            return Ok(true);
        }
        if let (Some((low, high)), Some((low_max, high_min))) = (bounds(a), bounds(b)) {
            let is_low = low_max.is_none_or(|max| low.is_some_and(|low| max <= low));
            return Ok(is_low && high_min.is_none_or(|min| high.is_some_and(|high| high <= min)));
        }
        if is_infinite(a) && matches!(b, Value::Set(_)) {
            return Ok(false);
        }
        if self.has_parts_within(a, b, span)? {
            return Ok(true);
        }
        let range = self.hull_of_set(a);
        if range.is_some_and(|range| is_inside(range, b)) {
            return Ok(true);
        }
        // An element that is not in the other decides, wherever the search for one ends.
        let mut search = |context: &mut Context, element: Value| {
            let element = context.plain(element, span);
            match context.contains(b, &element, span) {
                Ok(true) => Ok(GO_ON),
                Ok(false) => Ok(ControlFlow::Break(())),
                Err(fault) if fault.is_cut() && !fault.is_end() => {
                    context.keep_cut(fault);
                    Ok(GO_ON)
                }
                Err(fault) => Err(fault),
            }
        };
        let (flow, cut) = self.whole(true, |context| context.each_element(a, span, &mut search));
        found_none(flow, cut)
    }

    /// Whether a set is certainly part of another because both are made in the same way of sets of
    /// which that holds.
    fn has_parts_within(&mut self, a: &Value, b: &Value, span: Span) -> Eval<bool> {
        let (Value::Symbolic(a), Value::Symbolic(b)) = (a, b) else {
            return Ok(false);
        };
        let is_within = match (&**a, &**b) {
            (Symbolic::Unary(op, a), Symbolic::Unary(other, b)) if op == other => match op {
                Unary::Perm => return Ok(false),
                Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1 | Unary::Id => {
                    self.is_subset(a, b, span)
                }
                Unary::Seq | Unary::Seq1 | Unary::Iseq | Unary::Iseq1 => self.is_subset(a, b, span),
                _ => return Ok(false),
            },
            (Symbolic::Binary(op, a, c), Symbolic::Binary(other, b, d)) if op == other => {
                match op {
                    Binary::Product
                    | Binary::Relations
                    | Binary::PartialFunctions
                    | Binary::PartialInjections => {
                        let is_left = self.is_subset(a, b, span);
                        self.both(is_left, |context| context.is_subset(c, d, span))
                    }
                    _ => return Ok(false),
                }
            }
            _ => return Ok(false),
        };
        match is_within {
            Err(fault) if fault.is_cut() && !fault.is_end() => Ok(false),
            decided => decided,
        }
    }

    /// The value with its elements listed, if it is a symbolic set for which that can be done.
    pub fn plain(&mut self, value: Value, span: Span) -> Value {
        match &value {
            Value::Symbolic(_) => match self.try_list(&value, span) {
                Ok(Some(set)) => Value::Set(set),
                _ => value,
            },
            Value::Pair(pair)
                if matches!(pair.0, Value::Symbolic(_)) || matches!(pair.1, Value::Symbolic(_)) =>
            {
                let left = self.plain(pair.0.clone(), span);
                Value::pair(left, self.plain(pair.1.clone(), span))
            }
            Value::Record(fields) if fields.iter().any(|f| matches!(f, Value::Symbolic(_))) => {
                let fields = fields.iter().map(|f| self.plain(f.clone(), span));
                Value::record(fields.collect())
            }
            _ => value,
        }
    }

    /// An operator with one operand.
    pub fn unary(&mut self, op: Unary, value: Value, span: Span) -> Eval<Value> {
        match op {
            Unary::Minus => number::negate(&value).map_err(|error| Fault::undefined(error, span)),
            Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1 => Ok(lazy(op, value)),
            Unary::Seq | Unary::Seq1 | Unary::Iseq | Unary::Iseq1 | Unary::Perm => {
                Ok(lazy(op, value))
            }
            Unary::Card => self.cardinality(&value, span),
            Unary::Min | Unary::Max => self.extreme(op, &value, span),
            Unary::Dom | Unary::Ran | Unary::Inverse | Unary::Id => {
                match self.try_list(&value, span)? {
                    Some(set) => Ok(Value::Set(match op {
                        Unary::Dom => set.dom(),
                        Unary::Ran => set.ran(),
                        Unary::Inverse => set.inverse(),
                        _ => set.id(),
                    })),
                    None => self.known_domain(op, value),
                }
            }
            _ => {
                let set = self.list(&value, span)?;
                if matches!(op, Unary::Closure | Unary::Closure1) {
                    closure_fits(&set, span)?;
                }
                explicit_unary(op, &set).map_err(|error| Fault::undefined(error, span))
            }
        }
    }

    /// `dom` and the like of a set that cannot be listed.
    fn known_domain(&mut self, op: Unary, value: Value) -> Eval<Value> {
        let Value::Symbolic(set) = &value else {
            unreachable!("explicit sets are listed")
        };
        Ok(match (op, &**set) {
            (Unary::Dom | Unary::Ran, Symbolic::Step(_)) => {
                symbolic(Symbolic::Interval(None, None))
            }
            (Unary::Dom | Unary::Ran, Symbolic::Unary(Unary::Id, of)) => of.clone(),
            (Unary::Inverse, Symbolic::Step(step)) => symbolic(Symbolic::Step(-step)),
            (Unary::Inverse, Symbolic::Unary(Unary::Inverse, of)) => of.clone(),
            _ => lazy(op, value),
        })
    }

    /// `card(set)`.
    pub(crate) fn cardinality(&mut self, set: &Value, span: Span) -> Eval<Value> {
        let made = match set {
            Value::Symbolic(symbolic) => match &**symbolic {
                Symbolic::Interval(Some(low), Some(high)) => {
                    let n = number::subtract(high, low);
                    Some(n.and_then(|n| number::add(&n, &Value::Int(1))))
                }
                Symbolic::Binary(Binary::Product, left, right) => {
                    let n = self.cardinality(left, span)?;
                    Some(number::multiply(&n, &self.cardinality(right, span)?))
                }
                Symbolic::Unary(Unary::Pow | Unary::Fin, of) => {
                    let n = self.cardinality(of, span)?;
                    Some(number::power(&Value::Int(2), &n))
                }
                Symbolic::Binary(Binary::TotalFunctions, left, right) => {
                    let n = self.cardinality(left, span)?;
                    Some(number::power(&self.cardinality(right, span)?, &n))
                }
                _ => None,
            },
            _ => None,
        };
        match made {
            Some(made) => made.map_err(|error| Fault::undefined(error, span)),
            None => Ok(Value::Int(self.list(set, span)?.len() as i64)),
        }
    }

    fn extreme(&mut self, op: Unary, set: &Value, span: Span) -> Eval<Value> {
        if let Some((low, high)) = bounds(set)
            && let Some(int) = if op == Unary::Min { low } else { high }
        {
            return Ok(int.clone());
        }
        let set = self.list(set, span)?;
        let found = match op {
            Unary::Min => set.minimum(),
            _ => set.maximum(),
        };
        found.map_err(|error| Fault::undefined(error, span))
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Eval<Value> {
        match op {
            Binary::Interval => Ok(Context::interval(&a, &b)),
            Binary::Pair => {
                let a = self.plain(a, span);
                Ok(Value::pair(a, self.plain(b, span)))
            }
            Binary::Union | Binary::Intersection | Binary::Difference | Binary::Product => {
                self.set_operator(op, a, b, span)
            }
            Binary::Concat | Binary::Prepend | Binary::Append | Binary::Take | Binary::Drop => {
                self.sequence_operator(op, a, b, span)
            }
            _ => self.relation_operator(op, a, b, span),
        }
    }

    fn set_operator(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Eval<Value> {
        if let (Value::Set(x), Value::Set(y)) = (&a, &b) {
            if op == Binary::Union {
                fits(x.len().max(y.len()), span)?;
            }
            return Ok(match op {
                Binary::Union => Value::Set(x.union(y)),
                Binary::Intersection => Value::Set(x.intersection(y)),
                Binary::Difference => Value::Set(x.difference(y)),
                _ if x.len().saturating_mul(y.len()) <= PRODUCT_MAX => Value::Set(x.product(y)),
                _ => symbolic(Symbolic::Binary(op, a, b)),
            });
        }
        if op == Binary::Product {
            return kept(op, a, b, span);
        }
        // Of two intervals one of which is part of the other, one is the result.
        let is_interval = bounds(&a).is_some() && bounds(&b).is_some();
        if a == b || is_interval && self.is_subset(&a, &b, span)? {
            return Ok(match op {
                Binary::Union => b,
                Binary::Intersection => a,
                _ => Value::Set(Set::empty()),
            });
        }
        if is_interval && op != Binary::Difference && self.is_subset(&b, &a, span)? {
            return Ok(if op == Binary::Union { a } else { b });
        }
        let listed = (self.try_list(&a, span)?, self.try_list(&b, span)?);
        match (op, listed) {
            (Binary::Union, (Some(x), Some(y))) => Ok(Value::Set(x.union(&y))),
            (Binary::Intersection, (Some(set), _)) => {
                let kept = self.filter(&set, &b, true, span);
                or_lazy(kept, || Symbolic::Binary(op, a, b))
            }
            (Binary::Intersection, (None, Some(set))) => {
                let kept = self.filter(&set, &a, true, span);
                or_lazy(kept, || Symbolic::Binary(op, a, b))
            }
            (Binary::Difference, (Some(set), _)) => {
                let kept = self.filter(&set, &b, false, span);
                or_lazy(kept, || Symbolic::Binary(op, a, b))
            }
            _ => kept(op, a, b, span),
        }
    }

    /// The elements that are in `other`, or those that are not.
    fn filter(&mut self, set: &Set, other: &Value, is_in: bool, span: Span) -> Eval<Value> {
        let mut kept = Vec::new();
        for element in set.iter() {
            if self.contains(other, &element, span)? == is_in {
                kept.push(element);
            }
        }
        Ok(Value::Set(Set::from_vec(kept)))
    }

    fn sequence_operator(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Eval<Value> {
        let made = match op {
            Binary::Concat => {
                let (a, b) = (self.list(&a, span)?, self.list(&b, span)?);
                fits(a.len().saturating_add(b.len()), span)?;
                a.concat(&b)
            }
            Binary::Prepend => {
                let element = self.plain(a, span);
                self.list(&b, span)?.prepend(element)
            }
            Binary::Append => {
                let element = self.plain(b, span);
                self.list(&a, span)?.append(&element)
            }
            Binary::Take => self.list(&a, span)?.take(number::clamped(&b)),
            _ => self.list(&a, span)?.drop(number::clamped(&b)),
        };
        made.map(Value::Set)
            .map_err(|error| Fault::undefined(error, span))
    }
}

/// Puts the parts of a tuple that is nested to the left into slots.
pub(crate) fn bind_tuple(frame: &mut [Option<Value>], slots: &[usize], tuple: &Value) {
    match slots {
        [] => {}
        [only] => frame[*only] = Some(tuple.clone()),
        [front @ .., last] => {
            let (left, right) = tuple.as_pair();
            frame[*last] = Some(right.clone());
            bind_tuple(frame, front, left);
        }
    }
}

/// The least and the greatest number of a symbolic interval.
pub fn bounds(set: &Value) -> Option<(Option<&Value>, Option<&Value>)> {
    match set {
        Value::Symbolic(set) => match &**set {
            Symbolic::Interval(low, high) => Some((low.as_ref(), high.as_ref())),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a set has certainly all values of its type.
pub(crate) fn is_everything(set: &Value) -> bool {
    let Value::Symbolic(set) = set else {
        return false;
    };
    match &**set {
        Symbolic::Interval(None, None) | Symbolic::Texts => true,
        Symbolic::Binary(Binary::Product | Binary::Relations, a, b) => {
            is_everything(a) && is_everything(b)
        }
        Symbolic::Unary(Unary::Pow, of) => is_everything(of),
        Symbolic::Struct(fields) => fields.iter().all(is_everything),
        _ => false,
    }
}

/// Whether a set has certainly infinitely many elements.
pub fn is_infinite(set: &Value) -> bool {
    let is_filled = |set: &Value| is_infinite(set) || matches!(set, Value::Set(s) if !s.is_empty());
    let Value::Symbolic(set) = set else {
        return false;
    };
    match &**set {
        Symbolic::Interval(low, high) => low.is_none() || high.is_none(),
        Symbolic::Texts | Symbolic::Step(_) => true,
        Symbolic::Unary(Unary::Seq | Unary::Seq1, of) => is_filled(of),
        Symbolic::Unary(
            Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1 | Unary::Id | Unary::Iseq,
            of,
        ) => is_infinite(of),
        Symbolic::Binary(Binary::Product | Binary::Relations | Binary::PartialFunctions, a, b) => {
            (is_infinite(a) && is_filled(b)) || (is_infinite(b) && is_filled(a))
        }
        Symbolic::Binary(Binary::TotalFunctions, a, b) => is_infinite(b) && is_filled(a),
        Symbolic::Binary(Binary::Union, a, b) => is_infinite(a) || is_infinite(b),
        Symbolic::Closure(code, _) => code
            .0
            .plain_range()
            .and_then(Ex::as_const)
            .is_some_and(is_infinite),
        _ => false,
    }
}

/// The set that was made, or a symbolic one if a part of it is cut: it may be asked for the others.
pub(super) fn or_lazy(made: Eval<Value>, lazy: impl FnOnce() -> Symbolic) -> Eval<Value> {
    match made {
        Err(fault) if fault.is_cut() && !fault.is_end() => Ok(symbolic(lazy())),
        made => made,
    }
}

fn lazy(op: Unary, value: Value) -> Value {
    symbolic(Symbolic::Unary(op, value))
}

fn explicit_unary(op: Unary, set: &Set) -> Result<Value, ValueError> {
    Ok(match op {
        Unary::Union => Value::Set(set.general_union()?),
        Unary::Inter => Value::Set(set.general_intersection()?),
        Unary::Closure1 => Value::Set(set.closure1()),
        Unary::Closure => Value::Set(set.closure()),
        Unary::Fnc => Value::Set(set.fnc()),
        Unary::Rel => Value::Set(set.rel()?),
        Unary::Size => Value::Int(set.size()?),
        Unary::First => set.first()?,
        Unary::Last => set.last()?,
        Unary::Front => Value::Set(set.front()?),
        Unary::Tail => Value::Set(set.tail()?),
        Unary::Rev => Value::Set(set.rev()?),
        Unary::Conc => Value::Set(set.conc()?),
        other => unreachable!("{other:?} is not for explicit sets"),
    })
}

/// Whether sets of a type can be listed in full: it has finitely many values.
pub fn is_finite(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Member(_) => true,
        Type::Int | Type::Text => false,
        Type::Pair(left, right) => is_finite(left) && is_finite(right),
        Type::Set(of) => is_finite(of),
        Type::Record(fields) => fields.iter().all(|(_, ty)| is_finite(ty)),
    }
}
