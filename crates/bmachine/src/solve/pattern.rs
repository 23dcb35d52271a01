//! Expressions that unknowns can be read off: `x |-> y`, `rec(a: x)`, `{x}`.

use base::Span;

use crate::eval::code::{Ex, ExKind};
use crate::eval::sets::is_infinite;
use crate::eval::{Context, Eval};
use crate::typed::Binary;
use crate::value::Value;

/// The form of a value, with unknowns in it.
#[derive(Clone, Debug)]
pub enum ValuePattern {
    /// Whatever the value is, the slot takes it.
    Slot(usize),
    /// The value is this, which is known.
    Known(Box<Ex>),
    /// The value is a pair.
    Pair(Box<ValuePattern>, Box<ValuePattern>),
    /// The value is a record.
    Record(Vec<ValuePattern>),
    /// The value is a set of one element.
    Singleton(Box<ValuePattern>),
}

impl ValuePattern {
    /// The pattern that an expression is, if there is at least one open slot in it and each of them
    /// can be read off.
    pub fn of(ex: &Ex, is_open: &dyn Fn(usize) -> bool) -> Option<ValuePattern> {
        match ValuePattern::part(ex, is_open)? {
            ValuePattern::Known(_) => None,
            pattern => Some(pattern),
        }
    }

    fn part(ex: &Ex, is_open: &dyn Fn(usize) -> bool) -> Option<ValuePattern> {
        if !ex.reads(is_open) {
            return Some(ValuePattern::Known(Box::new(ex.clone())));
        }
        match &ex.kind {
            ExKind::Slot(slot) => Some(ValuePattern::Slot(*slot)),
            ExKind::Binary(Binary::Pair, left, right) => {
                let left = ValuePattern::part(left, is_open)?;
                let right = ValuePattern::part(right, is_open)?;
                Some(ValuePattern::Pair(Box::new(left), Box::new(right)))
            }
            ExKind::Record(fields) => {
                let fields = fields.iter().map(|f| ValuePattern::part(f, is_open));
                Some(ValuePattern::Record(fields.collect::<Option<_>>()?))
            }
            ExKind::SetOf(elements) if elements.len() == 1 => {
                let element = ValuePattern::part(&elements[0], is_open)?;
                Some(ValuePattern::Singleton(Box::new(element)))
            }
            _ => None,
        }
    }

    /// Calls `out` with each slot that it gives a value to.
    pub(crate) fn each_slot(&self, out: &mut dyn FnMut(usize)) {
        match self {
            ValuePattern::Slot(slot) => out(*slot),
            ValuePattern::Known(_) => {}
            ValuePattern::Pair(left, right) => {
                left.each_slot(out);
                right.each_slot(out);
            }
            ValuePattern::Record(fields) => fields.iter().for_each(|f| f.each_slot(out)),
            ValuePattern::Singleton(element) => element.each_slot(out),
        }
    }

    /// Gives the slots their values; `false` if the value has another form. A slot that occurs
    /// twice must get the same value twice.
    pub fn bind(&self, context: &mut Context, value: &Value, span: Span) -> Eval<bool> {
        match self {
            ValuePattern::Slot(slot) => match context.frame[*slot].clone() {
                Some(known) => context.is_equal(&known, value, span),
                None => {
                    context.frame[*slot] = Some(value.clone());
                    Ok(true)
                }
            },
            ValuePattern::Known(ex) => {
                let known = context.eval(ex)?;
                context.is_equal(&known, value, span)
            }
            ValuePattern::Pair(left, right) => {
                let (a, b) = value.as_pair();
                Ok(left.bind(context, a, span)? && right.bind(context, b, span)?)
            }
            ValuePattern::Record(fields) => {
                for (field, value) in fields.iter().zip(value.as_record()) {
                    if !field.bind(context, value, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ValuePattern::Singleton(element) => {
                if is_infinite(value) {
                    return Ok(false);
                }
                let set = context.list(value, span)?;
                match (set.len(), set.least()) {
                    (1, Some(only)) => element.bind(context, &only, span),
                    _ => Ok(false),
                }
            }
        }
    }

    /// Takes the values from the slots.
    pub fn forget(&self, context: &mut Context) {
        self.each_slot(&mut |slot| context.frame[slot] = None);
    }
}
