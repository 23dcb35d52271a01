//! Between which numbers an unknown lies.
//!
//! Conjuncts such as `x < y + 2` and `y : 0..k` bound the numbers they speak of. Each unknown
//! number has a range, at first without ends; each conjunct narrows the ranges of its unknowns by
//! the ranges of the rest, again and again until nothing changes.
//!
//! Worked example: `x > 0 & x < y & y < 5` with both unknown. `x` is from 1 on and `y` up to 4;
//! then `x < y` gives `x` up to 3 and `y` from 2 on.
//!
//! The same is done once without values, when the plan is made: there it matters only which ends
//! there will be ([`ends`]).

use std::collections::HashMap;

use super::{Problem, Step};
use crate::eval::Context;
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Test};
use crate::eval::sets::bounds;
use crate::typed::{Binary, Type, Unary};
use crate::value::Value;

/// The least and the greatest number that is possible, where there is one.
pub type Range = (Option<i64>, Option<i64>);

/// How often ranges are narrowed by all conjuncts.
const N_ROUNDS_MAX: usize = 40;

/// The range of the unknown of an [`Step::Integer`]; `None` if it is empty.
pub fn range(context: &mut Context, problem: &Problem, step: &Step) -> Option<Range> {
    let Step::Integer {
        slot,
        sources,
        open,
        ..
    } = step
    else {
        unreachable!("called for this step")
    };
    let ranges = open.iter().map(|slot| (*slot, (None, None))).collect();
    let mut narrowing = Narrowing {
        ranges,
        known: &mut |ex| match context.eval(ex) {
            Ok(Value::Int(int)) => (Some(int), Some(int)),
            Ok(Value::Set(set)) => match (set.minimum(), set.maximum()) {
                (Ok(min), Ok(max)) => (small(Some(&min)), small(Some(&max))),
                // No number is an element of the empty set.
                _ => (Some(1), Some(0)),
            },
            Ok(value) => match bounds(&value) {
                Some((low, high)) => (small(low), small(high)),
                None => (None, None),
            },
            Err(_) => (None, None),
        },
        is_abstract: false,
        has_changed: false,
    };
    narrowing.run(sources.iter().map(|which| &problem.conjuncts[*which]));
    let range = narrowing.ranges[slot];
    match range {
        (Some(low), Some(high)) if low > high => None,
        _ => Some(range),
    }
}

/// Which ends the ranges of numbers will have that are not known; `is_open` says of all slots
/// whether they are.
pub fn ends(
    numbers: &[usize],
    is_open: &dyn Fn(usize) -> bool,
    conjuncts: &[&Pr],
) -> HashMap<usize, (bool, bool)> {
    let ranges = numbers.iter().map(|slot| (*slot, (None, None))).collect();
    let mut narrowing = Narrowing {
        ranges,
        known: &mut |ex| match (ex.reads(is_open), ex.as_const()) {
            (true, _) => (None, None),
            (false, Some(value @ Value::Symbolic(_))) => bounds(value)
                .map(|(low, high)| (low.map(|_| 0), high.map(|_| 0)))
                .unwrap_or((None, None)),
            // The elements of sets that are not constants may be unbounded.
            (false, None) if ex.ty != Type::Int => (None, None),
            _ => (Some(0), Some(0)),
        },
        is_abstract: true,
        has_changed: false,
    };
    narrowing.run(conjuncts.iter().copied());
    narrowing
        .ranges
        .into_iter()
        .map(|(slot, (low, high))| (slot, (low.is_some(), high.is_some())))
        .collect()
}

/// Whether a conjunct can bound a number.
pub fn is_source(pred: &Pr) -> bool {
    match &pred.kind {
        PrKind::Compare(Test::Equal | Test::In, left, _) => left.ty == Type::Int,
        PrKind::Compare(Test::Less | Test::LessEqual | Test::Greater | Test::GreaterEqual, ..) => {
            true
        }
        _ => false,
    }
}

struct Narrowing<'n> {
    ranges: HashMap<usize, Range>,
    /// The range of an expression, or of the elements of a set, by its value.
    known: &'n mut dyn FnMut(&Ex) -> Range,
    /// Whether only the presence of ends counts; all numbers are 0 then.
    is_abstract: bool,
    has_changed: bool,
}

impl Narrowing<'_> {
    fn run<'p>(&mut self, sources: impl Iterator<Item = &'p Pr> + Clone) {
        for _ in 0..N_ROUNDS_MAX {
            self.has_changed = false;
            for pred in sources.clone() {
                self.by(pred);
            }
            if !self.has_changed {
                return;
            }
        }
    }

    fn by(&mut self, pred: &Pr) {
        let PrKind::Compare(test, left, right) = &pred.kind else {
            return;
        };
        match test {
            Test::Equal => {
                let (a, b) = (self.range(left), self.range(right));
                self.narrow(left, b);
                self.narrow(right, a);
            }
            Test::In => {
                let range = match &right.kind {
                    ExKind::Binary(Binary::Interval, low, high) => {
                        let (low, high) = (self.range(low), self.range(high));
                        (low.0, high.1)
                    }
                    _ => (self.known)(right),
                };
                self.narrow(left, range);
            }
            Test::Less => self.less(left, right, 1),
            Test::LessEqual => self.less(left, right, 0),
            Test::Greater => self.less(right, left, 1),
            Test::GreaterEqual => self.less(right, left, 0),
            _ => {}
        }
    }

    /// `left + gap <= right`.
    fn less(&mut self, left: &Ex, right: &Ex, gap: i64) {
        let gap = if self.is_abstract { 0 } else { gap };
        let (a, b) = (self.range(left), self.range(right));
        self.narrow(left, (None, b.1.and_then(|high| high.checked_sub(gap))));
        self.narrow(right, (a.0.and_then(|low| low.checked_add(gap)), None));
    }

    fn range(&mut self, ex: &Ex) -> Range {
        match &ex.kind {
            ExKind::Slot(slot) => match self.ranges.get(slot) {
                Some(range) => *range,
                None => (self.known)(ex),
            },
            ExKind::Binary(Binary::Add, left, right) => {
                let (a, b) = (self.range(left), self.range(right));
                (add(a.0, b.0), add(a.1, b.1))
            }
            ExKind::Binary(Binary::Subtract, left, right) => {
                let (a, b) = (self.range(left), self.range(right));
                (subtract(a.0, b.1), subtract(a.1, b.0))
            }
            ExKind::Unary(Unary::Minus, operand) => {
                let (low, high) = self.range(operand);
                (subtract(Some(0), high), subtract(Some(0), low))
            }
            ExKind::Binary(Binary::Multiply, left, right) => {
                let (a, b) = (self.range(left), self.range(right));
                multiply(a, b)
            }
            ExKind::Unary(Unary::Card | Unary::Size, _) => match (self.known)(ex) {
                (None, high) => (Some(0), high),
                range => range,
            },
            _ => (self.known)(ex),
        }
    }

    /// The expression lies within the range.
    fn narrow(&mut self, ex: &Ex, (low, high): Range) {
        if low.is_none() && high.is_none() {
            return;
        }
        match &ex.kind {
            ExKind::Slot(slot) => self.narrow_slot(*slot, (low, high)),
            ExKind::Binary(Binary::Add, left, right) => {
                let (a, b) = (self.range(left), self.range(right));
                self.narrow(left, (subtract(low, b.1), subtract(high, b.0)));
                self.narrow(right, (subtract(low, a.1), subtract(high, a.0)));
            }
            ExKind::Binary(Binary::Subtract, left, right) => {
                let (a, b) = (self.range(left), self.range(right));
                self.narrow(left, (add(low, b.0), add(high, b.1)));
                self.narrow(right, (subtract(a.0, high), subtract(a.1, low)));
            }
            ExKind::Unary(Unary::Minus, operand) => {
                let range = (subtract(Some(0), high), subtract(Some(0), low));
                self.narrow(operand, range);
            }
            ExKind::Binary(Binary::Multiply, left, right) => {
                for (factor, other) in [(left, right), (right, left)] {
                    if let Some(Value::Int(by @ 1..)) = factor.as_const() {
                        let low = low.map(|low| -((-low).div_euclid(*by)));
                        let high = high.map(|high| high.div_euclid(*by));
                        self.narrow(other, (low, high));
                    }
                }
            }
            _ => {}
        }
    }

    fn narrow_slot(&mut self, slot: usize, (low, high): Range) {
        let is_abstract = self.is_abstract;
        let Some(range) = self.ranges.get_mut(&slot) else {
            return;
        };
        if let Some(low) = low
            && range.0.is_none_or(|old| !is_abstract && old < low)
        {
            range.0 = Some(if is_abstract { 0 } else { low });
            self.has_changed = true;
        }
        if let Some(high) = high
            && range.1.is_none_or(|old| !is_abstract && old > high)
        {
            range.1 = Some(if is_abstract { 0 } else { high });
            self.has_changed = true;
        }
    }
}

/// A bound of 64 bits; others are none, and the enumeration is cut.
fn small(bound: Option<&Value>) -> Option<i64> {
    match bound {
        Some(Value::Int(int)) => Some(*int),
        _ => None,
    }
}

fn add(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

fn subtract(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_sub(b?)
}

fn multiply(a: Range, b: Range) -> Range {
    let ((Some(a), Some(c)), (Some(b), Some(d))) = (a, b) else {
        return (None, None);
    };
    let products = [(a, b), (a, d), (c, b), (c, d)].map(|(x, y)| x.checked_mul(y));
    let all: Option<Vec<i64>> = products.into_iter().collect();
    match all {
        Some(all) => (all.iter().min().copied(), all.iter().max().copied()),
        None => (None, None),
    }
}
