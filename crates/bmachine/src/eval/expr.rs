//! The value of an expression.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::Span;

use super::code::{Closure, Ex, ExKind, Storage};
use super::{Context, Eval, Fault, TroubleKind, room};
use crate::solve;
use crate::typed::{Binary, Quantified};
use crate::value::symbolic::ClosureCode;
use crate::value::{Set, Symbolic, Value, ValueError, number};

/// Intervals with more elements than this stay symbolic.
const INTERVAL_MAX: i64 = 4096;

/// An operator on numbers.
type Arithmetic = fn(&Value, &Value) -> Result<Value, ValueError>;

impl Context<'_> {
    /// The value of an expression.
    pub fn eval(&mut self, ex: &Ex) -> Eval<Value> {
        match &ex.kind {
            ExKind::Const(value) => Ok(value.clone()),
            ExKind::Global(global) => Ok(self.globals[*global].clone()),
            ExKind::Slot(slot) => self.frame[*slot].clone().ok_or(Fault::Unknown),
            ExKind::SetOf(all) => {
                let mut elements = Vec::with_capacity(all.len());
                for e in all {
                    elements.push(self.eval_plain(e)?);
                }
                Ok(Value::Set(Set::from_vec(elements)))
            }
            ExKind::SeqOf(all) => {
                let mut elements = Vec::with_capacity(all.len());
                for e in all {
                    elements.push(self.eval_plain(e)?);
                }
                Ok(Value::Set(Set::seq_of(elements)))
            }
            ExKind::Unary(op, operand) => {
                let value = self.eval(operand)?;
                self.unary(*op, value, ex.span)
            }
            ExKind::Binary(op, left, right) => self.eval_binary(*op, left, right, ex.span),
            ExKind::Closure(closure) => self.comprehension(closure),
            ExKind::Quantified(op, problem, value) => self.quantified(*op, problem, value, ex.span),
            ExKind::BoolOf(pred) => Ok(Value::Bool(self.holds(pred)?)),
            ExKind::Record(all) => {
                let mut fields = Vec::with_capacity(all.len());
                for e in all {
                    fields.push(self.eval(e)?);
                }
                Ok(Value::record(fields))
            }
            ExKind::Struct(all) => {
                let mut fields = Vec::with_capacity(all.len());
                for e in all {
                    fields.push(self.eval(e)?);
                }
                Ok(Value::Symbolic(Arc::new(Symbolic::Struct(fields))))
            }
            ExKind::Field(operand, field) => Ok(self.eval(operand)?.as_record()[*field].clone()),
            ExKind::If(test, left, right) => {
                let chosen = if self.holds(test)? { left } else { right };
                self.eval(chosen)
            }
            ExKind::Let(bound, value) => {
                for (slot, e) in bound {
                    self.frame[*slot] = Some(self.eval(e)?);
                }
                self.eval(value)
            }
        }
    }

    /// The value, with its elements listed if it is a set for which that can be done.
    pub(crate) fn eval_plain(&mut self, ex: &Ex) -> Eval<Value> {
        let value = self.eval(ex)?;
        Ok(self.plain(value, ex.span))
    }

    /// The value itself, if it need not be made.
    pub fn borrow<'a>(&'a self, ex: &'a Ex) -> Option<&'a Value> {
        match &ex.kind {
            ExKind::Const(value) => Some(value),
            ExKind::Global(global) => Some(&self.globals[*global]),
            ExKind::Slot(slot) => self.frame[*slot].as_ref(),
            _ => None,
        }
    }

    /// A number of 64 bits; greater ones are cut.
    pub fn eval_int(&mut self, ex: &Ex) -> Eval<i64> {
        match self.eval(ex)? {
            Value::Int(int) => Ok(int),
            Value::Big(_) => Err(Fault::new(TroubleKind::TooLarge, ex.span)),
            other => unreachable!("{other:?} is no number"),
        }
    }

    /// The order of two numbers.
    pub(crate) fn compare_numbers(&mut self, left: &Ex, right: &Ex) -> Eval<Ordering> {
        if let (Some(Value::Int(a)), Some(Value::Int(b))) = (self.borrow(left), self.borrow(right))
        {
            return Ok(a.cmp(b));
        }
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        Ok(a.cmp(&b))
    }

    /// `low..high`.
    pub fn interval(low: &Value, high: &Value) -> Value {
        if high < low {
            return Value::Set(Set::empty());
        }
        match (low, high) {
            (Value::Int(low), Value::Int(high))
                if high.checked_sub(*low).is_some_and(|n| n < INTERVAL_MAX) =>
            {
                Value::Set(Set::interval(*low, *high))
            }
            _ => {
                let ends = (Some(low.clone()), Some(high.clone()));
                Value::Symbolic(Arc::new(Symbolic::Interval(ends.0, ends.1)))
            }
        }
    }

    fn eval_binary(&mut self, op: Binary, left: &Ex, right: &Ex, span: Span) -> Eval<Value> {
        if op == Binary::Apply {
            return self.eval_apply(left, right, span);
        }
        let arithmetic: Option<Arithmetic> = match op {
            Binary::Add => Some(number::add),
            Binary::Subtract => Some(number::subtract),
            Binary::Multiply => Some(number::multiply),
            Binary::Divide => Some(number::divide),
            Binary::Modulo => Some(number::modulo),
            Binary::Power => Some(number::power),
            _ => None,
        };
        if let Some(operator) = arithmetic {
            let (a, b) = (self.eval(left)?, self.eval(right)?);
            return operator(&a, &b).map_err(|error| Fault::undefined(error, span));
        }
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        self.binary(op, a, b, span)
    }

    fn eval_apply(&mut self, function: &Ex, argument: &Ex, span: Span) -> Eval<Value> {
        if let ExKind::Slot(slot) = &function.kind
            && self.frame[*slot].is_none()
        {
            return self.apply_partial(*slot, argument, span);
        }
        let argument = self.eval_plain(argument)?;
        if let Some(Value::Set(set)) = self.borrow(function) {
            return set
                .apply(&argument)
                .map_err(|error| Fault::undefined(error.into(), span));
        }
        if let ExKind::Closure(closure) = &function.kind
            && closure.value.is_some()
        {
            let captured = self.capture(closure)?;
            return self.apply_closure(closure, &captured, argument, span);
        }
        let function = self.eval(function)?;
        self.apply(&function, argument, span)
    }

    /// What a function that is being built gives for an argument.
    fn apply_partial(&mut self, slot: usize, argument: &Ex, span: Span) -> Eval<Value> {
        if !self.partial.iter().any(|p| p.slot == slot) {
            return Err(Fault::Unknown);
        }
        let argument = self.eval_plain(argument)?;
        for partial in &self.partial {
            if partial.slot == slot {
                if let Some(value) = partial.known.get(&argument) {
                    return Ok(value.clone());
                }
                if !partial.domain.contains(&argument) {
                    return Err(Fault::undefined(ValueError::Outside, span));
                }
            }
        }
        Err(Fault::Unknown)
    }

    /// What a closure takes from where it stands.
    pub fn capture(&mut self, closure: &Closure) -> Eval<Vec<Value>> {
        let mut captured = Vec::with_capacity(closure.captures.len());
        for (place, _) in &closure.captures {
            captured.push(match place {
                Storage::Global(global) => self.globals[*global].clone(),
                Storage::Slot(slot) => self.frame[*slot].clone().ok_or(Fault::Unknown)?,
            });
        }
        Ok(captured)
    }

    /// Does `inside` in the frame of a closure, whose bound variables have no values yet.
    pub fn enter<T>(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut frame = vec![None; closure.n_slots];
        for ((_, slot), value) in closure.captures.iter().zip(captured) {
            frame[*slot] = Some(value.clone());
        }
        let outer = std::mem::replace(&mut self.frame, frame);
        let partial = std::mem::take(&mut self.partial);
        let is_lenient = std::mem::replace(&mut self.is_lenient, false);
        let result = inside(self);
        self.frame = outer;
        self.partial = partial;
        self.is_lenient = is_lenient;
        result
    }

    /// A comprehension or lambda: listed if that can be done without a bound being made up.
    fn comprehension(&mut self, closure: &Arc<Closure>) -> Eval<Value> {
        let captured = self.capture(closure)?;
        if !closure.problem.may_be_infinite {
            match self.list_closure(closure, &captured) {
                Ok(Some(set)) => return Ok(Value::Set(set)),
                Ok(None) => {}
                Err(fault) => return Err(fault),
            }
        }
        let symbolic = Symbolic::Closure(ClosureCode(closure.clone()), captured);
        Ok(Value::Symbolic(Arc::new(symbolic)))
    }

    fn quantified(
        &mut self,
        op: Quantified,
        problem: &solve::ConstraintProblem,
        value: &Ex,
        span: Span,
    ) -> Eval<Value> {
        let mut total = Value::Int(i64::from(op == Quantified::Product));
        let mut sets: Option<Set> = None;
        let is_lenient = std::mem::replace(&mut self.is_lenient, false);
        let mut add = |context: &mut Context| {
            match op {
                Quantified::Sum | Quantified::Product => {
                    let operator = match op {
                        Quantified::Sum => number::add,
                        _ => number::multiply,
                    };
                    let next = context.eval(value)?;
                    total =
                        operator(&total, &next).map_err(|error| Fault::undefined(error, span))?;
                }
                Quantified::Union | Quantified::Intersection => {
                    let next = context.eval(value)?;
                    let next = context.list(&next, span)?;
                    room::fits(sets.as_ref().map_or(0, Set::len), span)?;
                    sets = Some(match (sets.take(), op) {
                        (None, _) => next,
                        (Some(sets), Quantified::Union) => sets.union(&next),
                        (Some(sets), _) => sets.intersection(&next),
                    });
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        let (found, cut) = self.whole(false, |context| solve::each(context, problem, &mut add));
        self.is_lenient = is_lenient;
        let _ = found?;
        if let Some(cut) = cut {
            return Err(cut);
        }
        match (op, sets) {
            (Quantified::Sum | Quantified::Product, _) => Ok(total),
            (_, Some(set)) => Ok(Value::Set(set)),
            (Quantified::Union, None) => Ok(Value::Set(Set::empty())),
            (_, None) => Err(Fault::undefined(ValueError::EmptySet("INTER"), span)),
        }
    }
}
