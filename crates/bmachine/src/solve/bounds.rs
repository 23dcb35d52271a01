//! Between which numbers an unknown lies.
//!
//! Conjuncts such as `x < y + 2` and `y : 0..k` bound the numbers they speak of. Each unknown
//! number has a range, at first without ends; each conjunct narrows the ranges of its unknowns by
//! the ranges of the rest, again and again until nothing changes. Sums, differences, products,
//! quotients by a number and powers are followed down to the unknowns in them. Of a disjunction
//! each part is tried by itself; what all parts that are possible have in common is taken.
//!
//! Worked example: `x > 0 & x < y & y < 5` with both unknown. `x` is from 1 on and `y` up to 4;
//! then `x < y` gives `x` up to 3 and `y` from 2 on. `n * n = 144` puts `n` between -12 and 12,
//! and `p * q = 35 & p > 0 & q > 0` puts both between 1 and 35.
//!
//! A range says nothing about what is undefined: operators that have no value somewhere (division,
//! `mod`, `**`) are followed only where they have one.
//!
//! The same is done once without values, when the plan is made: there it matters only which ends
//! there will be ([`ends`]).

use std::collections::HashMap;

use super::{ConstraintProblem, PlanStep};
use crate::eval::Context;
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Test};
use crate::eval::sets::bounds;
use crate::typed::{Binary, Type, Unary};
use crate::value::Value;

/// The least and the greatest number that is possible, where there is one. What does not fit here
/// is no bound.
pub type Range = (Option<i128>, Option<i128>);

/// All numbers.
const ANY: Range = (None, None);
/// No number.
const NONE: Range = (Some(1), Some(0));

/// How often ranges are narrowed by all conjuncts.
const N_ROUNDS_MAX: usize = 40;

/// The range of the unknown of an [`PlanStep::Integer`]; `None` if it is empty.
pub fn range(
    context: &mut Context,
    problem: &ConstraintProblem,
    step: &PlanStep,
) -> Option<(Option<i64>, Option<i64>)> {
    let PlanStep::Integer {
        slot,
        sources,
        open,
        ..
    } = step
    else {
        unreachable!("called for this step")
    };
    let mut narrowing = Narrowing::new(context, open);
    narrowing.run(sources.iter().map(|which| &problem.conjuncts[*which]));
    let range = narrowing.ranges[slot];
    if is_empty(range) {
        return None;
    }
    let small = |end: i128| i64::try_from(end).ok();
    Some((range.0.and_then(small), range.1.and_then(small)))
}

/// Between which numbers an expression lies in all solutions of a problem; `None` if it has none.
pub(crate) fn hull(context: &mut Context, problem: &ConstraintProblem, ex: &Ex) -> Option<Range> {
    let numbers = problem.unknowns.iter().filter(|u| u.ty == Type::Int);
    let open: Vec<usize> = numbers.map(|unknown| unknown.slot).collect();
    let mut narrowing = Narrowing::new(context, &open);
    narrowing.run(problem.conjuncts.iter().filter(|pred| is_source(pred)));
    if narrowing.ranges.values().any(|range| is_empty(*range)) {
        return None;
    }
    Some(narrowing.range(ex)).filter(|range| !is_empty(*range))
}

/// Which ends the ranges of numbers will have that are not known; `is_open` says of all slots
/// whether they are.
pub fn ends(
    numbers: &[usize],
    is_open: &dyn Fn(usize) -> bool,
    conjuncts: &[&Pr],
) -> HashMap<usize, (bool, bool)> {
    let ranges = numbers.iter().map(|slot| (*slot, (None, None))).collect();
    let known = |ex: &Ex| match (ex.reads(is_open), ex.as_const()) {
        (true, _) => ANY,
        (false, Some(value @ Value::Symbolic(_))) => bounds(value)
            .map(|(low, high)| (low.map(|_| 0), high.map(|_| 0)))
            .unwrap_or(ANY),
        // The elements of sets that are not constants may be unbounded.
        (false, None) if ex.ty != Type::Int => ANY,
        _ => (Some(0), Some(0)),
    };
    let mut narrowing = Narrowing {
        ranges,
        facts: KnownValues::Ends(&known),
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
pub(crate) fn is_source(pred: &Pr) -> bool {
    match &pred.kind {
        PrKind::Compare(Test::Equal | Test::In | Test::NotIn, left, _) => left.ty == Type::Int,
        PrKind::Compare(Test::Less | Test::LessEqual | Test::Greater | Test::GreaterEqual, ..) => {
            true
        }
        PrKind::And(all) | PrKind::Or(all) => all.iter().any(is_source),
        PrKind::Exists(problem) => problem.conjuncts.iter().any(is_source),
        _ => false,
    }
}

/// What is known of all but the unknowns.
enum KnownValues<'n, 'w> {
    /// Values, by evaluation.
    Values(&'n mut Context<'w>),
    /// Which ends there will be; all numbers are 0 then.
    Ends(&'n dyn Fn(&Ex) -> Range),
}

struct Narrowing<'n, 'w> {
    ranges: HashMap<usize, Range>,
    facts: KnownValues<'n, 'w>,
    has_changed: bool,
}

impl<'n, 'w> Narrowing<'n, 'w> {
    fn new(context: &'n mut Context<'w>, open: &[usize]) -> Narrowing<'n, 'w> {
        Narrowing {
            ranges: open.iter().map(|slot| (*slot, ANY)).collect(),
            facts: KnownValues::Values(context),
            has_changed: false,
        }
    }

    fn is_abstract(&self) -> bool {
        matches!(self.facts, KnownValues::Ends(_))
    }

    /// The range of an expression, or of the elements of a set, by its value.
    fn known(&mut self, ex: &Ex) -> Range {
        let context = match &mut self.facts {
            KnownValues::Values(context) => context,
            KnownValues::Ends(known) => return known(ex),
        };
        match context.eval(ex) {
            Ok(Value::Int(int)) => (Some(int.into()), Some(int.into())),
            Ok(Value::Set(set)) => match (set.minimum(), set.maximum()) {
                (Ok(min), Ok(max)) => (wide(Some(&min)), wide(Some(&max))),
                // No number is an element of the empty set.
                _ => NONE,
            },
            Ok(value) => match bounds(&value) {
                Some((low, high)) => (wide(low), wide(high)),
                None => ANY,
            },
            // The conjunct is asked later, and what is wrong with it is said then.
            Err(_) => ANY,
        }
    }

    /// Whether a predicate certainly does not hold, whatever the unknowns are.
    fn is_false(&mut self, pred: &Pr) -> bool {
        let open: Vec<usize> = self.ranges.keys().copied().collect();
        match &mut self.facts {
            KnownValues::Values(context) if !pred.reads(&|slot| open.contains(&slot)) => {
                context.holds(pred) == Ok(false)
            }
            _ => false,
        }
    }

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
        match &pred.kind {
            PrKind::And(all) => all.iter().for_each(|pred| self.by(pred)),
            PrKind::Or(all) => self.by_one_of(all),
            PrKind::Compare(test, left, right) => self.compare(*test, left, right),
            PrKind::Exists(problem) => self.by_inner(problem),
            _ => {}
        }
    }

    /// What an inner quantifier says of the unknowns around it.
    fn by_inner(&mut self, problem: &ConstraintProblem) {
        let numbers = problem.unknowns.iter().filter(|u| u.ty == Type::Int);
        let inner: Vec<usize> = numbers.map(|unknown| unknown.slot).collect();
        for slot in &inner {
            self.ranges.insert(*slot, ANY);
        }
        for _ in 0..2 {
            problem.conjuncts.iter().for_each(|pred| self.by(pred));
        }
        for slot in &inner {
            // Where the inner problem has no solution, nor has the outer one.
            if self.ranges.remove(slot).is_some_and(is_empty) {
                let slots: Vec<usize> = self.ranges.keys().copied().collect();
                slots.iter().for_each(|slot| self.narrow_slot(*slot, NONE));
            }
        }
    }

    /// Each part is tried by itself; the ranges are those around what is left of them.
    fn by_one_of(&mut self, parts: &[Pr]) {
        let before = self.ranges.clone();
        let has_changed = self.has_changed;
        let mut around: Option<HashMap<usize, Range>> = None;
        for part in parts {
            if self.is_false(part) {
                continue;
            }
            self.by(part);
            let found = std::mem::replace(&mut self.ranges, before.clone());
            if found.values().any(|range| is_empty(*range)) {
                continue;
            }
            around = Some(match around {
                None => found,
                Some(mut around) => {
                    for (slot, range) in &mut around {
                        *range = both_in(*range, found[slot]);
                    }
                    around
                }
            });
        }
        self.has_changed = has_changed;
        for (slot, range) in around.unwrap_or_else(|| {
            let slots = before.keys();
            slots.map(|slot| (*slot, NONE)).collect()
        }) {
            self.narrow_slot(slot, range);
        }
    }

    fn compare(&mut self, test: Test, left: &Ex, right: &Ex) {
        match test {
            Test::Equal if left.ty == Type::Int => {
                let (a, b) = (self.range(left), self.range(right));
                self.narrow(left, b);
                self.narrow(right, a);
            }
            Test::In if left.ty == Type::Int => {
                let range = self.elements(right);
                self.narrow(left, range);
            }
            Test::NotIn if left.ty == Type::Int => self.outside(left, right),
            Test::Less => self.less(left, right, 1),
            Test::LessEqual => self.less(left, right, 0),
            Test::Greater => self.less(right, left, 1),
            Test::GreaterEqual => self.less(right, left, 0),
            _ => {}
        }
    }

    /// Between which numbers the elements of a set lie.
    fn elements(&mut self, set: &Ex) -> Range {
        match &set.kind {
            ExKind::Binary(Binary::Interval, low, high) => {
                let (low, high) = (self.range(low), self.range(high));
                (low.0, high.1)
            }
            _ => self.known(set),
        }
    }

    /// `left /: set`: of an interval without an end one side is left.
    fn outside(&mut self, left: &Ex, set: &Ex) {
        let Some(ends) = set.as_const().and_then(bounds) else {
            return;
        };
        let gap = i128::from(!self.is_abstract());
        match (wide(ends.0), wide(ends.1), ends) {
            (Some(low), _, (_, None)) => self.narrow(left, (None, low.checked_sub(gap))),
            (_, Some(high), (None, _)) => self.narrow(left, (high.checked_add(gap), None)),
            (_, _, (None, None)) => self.narrow(left, NONE),
            _ => {}
        }
    }

    /// `left + gap <= right`.
    fn less(&mut self, left: &Ex, right: &Ex, gap: i128) {
        let gap = if self.is_abstract() { 0 } else { gap };
        let (a, b) = (self.range(left), self.range(right));
        self.narrow(left, (None, b.1.and_then(|high| high.checked_sub(gap))));
        self.narrow(right, (a.0.and_then(|low| low.checked_add(gap)), None));
    }

    fn range(&mut self, ex: &Ex) -> Range {
        match &ex.kind {
            ExKind::Slot(slot) => match self.ranges.get(slot) {
                Some(range) => *range,
                None => self.known(ex),
            },
            ExKind::Unary(Unary::Minus, operand) => negated(self.range(operand)),
            ExKind::Unary(Unary::Card | Unary::Size, _) => match self.known(ex) {
                (None, high) => (Some(0), high),
                range => range,
            },
            ExKind::Binary(op, left, right) => {
                let found = match op {
                    Binary::Add | Binary::Subtract | Binary::Multiply => {
                        let (a, b) = (self.range(left), self.range(right));
                        Some(match op {
                            Binary::Add => (add(a.0, b.0), add(a.1, b.1)),
                            Binary::Subtract => (subtract(a.0, b.1), subtract(a.1, b.0)),
                            _ if is_same(left, right) => squared(a),
                            _ => multiply(a, b),
                        })
                    }
                    Binary::Divide => self.quotient(left, right),
                    Binary::Modulo => self.remainder(left, right),
                    Binary::Power => self.power(left, right),
                    _ => None,
                };
                found.unwrap_or_else(|| self.known(ex))
            }
            _ => self.known(ex),
        }
    }

    /// The range of a quotient by a positive number.
    fn quotient(&mut self, left: &Ex, right: &Ex) -> Option<Range> {
        let by = positive(right)?;
        let (low, high) = self.range(left);
        Some((low.map(|low| low / by), high.map(|high| high / by)))
    }

    /// The range of a remainder, where it is defined.
    fn remainder(&mut self, left: &Ex, right: &Ex) -> Option<Range> {
        let by = positive(right)?;
        let (low, high) = self.range(left);
        let is_natural = low? >= 0 && !self.is_abstract();
        let most = high.map_or(by - 1, |high| high.min(by - 1));
        is_natural.then_some((Some(0), Some(most)))
    }

    /// The range of a power of natural numbers.
    fn power(&mut self, left: &Ex, right: &Ex) -> Option<Range> {
        let exponent = u32::try_from(positive(right)?).ok()?;
        let (low, high) = self.range(left);
        let raised = |n: i128| n.checked_pow(exponent);
        match low {
            Some(low) if low >= 0 => Some((raised(low), high.and_then(raised))),
            _ if exponent.is_multiple_of(2) && !self.is_abstract() => Some((Some(0), None)),
            _ => None,
        }
    }

    /// The expression lies within the range.
    fn narrow(&mut self, ex: &Ex, (low, high): Range) {
        if low.is_none() && high.is_none() {
            return;
        }
        match &ex.kind {
            ExKind::Slot(slot) => self.narrow_slot(*slot, (low, high)),
            ExKind::Unary(Unary::Minus, operand) => self.narrow(operand, negated((low, high))),
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
            ExKind::Binary(Binary::Multiply, left, right) if is_same(left, right) => {
                self.narrow_root(left, 2, (low, high));
            }
            ExKind::Binary(Binary::Multiply, left, right) => {
                for (factor, other) in [(left, right), (right, left)] {
                    let range = if self.is_abstract() {
                        abstract_factor((low, high), self.range(other))
                    } else {
                        factor_range((low, high), self.range(other))
                    };
                    self.narrow(factor, range);
                }
            }
            ExKind::Binary(Binary::Divide, left, right) => {
                if let Some(by) = positive(right) {
                    let high = high.and_then(|n| {
                        if n >= 0 {
                            n.checked_mul(by)?.checked_add(by - 1)
                        } else {
                            n.checked_mul(by)
                        }
                    });
                    let low = low.and_then(|n| {
                        if n <= 0 {
                            n.checked_mul(by)?.checked_sub(by - 1)
                        } else {
                            n.checked_mul(by)
                        }
                    });
                    self.narrow(left, (low, high));
                }
            }
            ExKind::Binary(Binary::Power, left, right) => {
                let exponent = positive(right).and_then(|by| u32::try_from(by).ok());
                if let Some(exponent) = exponent {
                    self.narrow_root(left, exponent, (low, high));
                }
            }
            _ => {}
        }
    }

    /// `ex ** exponent` lies within the range.
    fn narrow_root(&mut self, ex: &Ex, exponent: u32, (low, high): Range) {
        let is_even = exponent.is_multiple_of(2);
        let is_natural = self.range(ex).0.is_some_and(|low| low >= 0);
        if self.is_abstract() {
            let end = high.filter(|_| is_even || is_natural);
            self.narrow(ex, (end, end));
            return;
        }
        if !is_even && !is_natural {
            return;
        }
        if let Some(high) = high {
            match root(high, exponent) {
                Some(most) => self.narrow(ex, (Some(-most), Some(most))),
                None => self.narrow(ex, NONE),
            }
        }
        if is_natural && let Some(low) = low.filter(|low| *low > 0) {
            let least = root(low - 1, exponent).map(|below| below + 1);
            self.narrow(ex, (least, None));
        }
    }

    fn narrow_slot(&mut self, slot: usize, (low, high): Range) {
        let is_abstract = self.is_abstract();
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

fn is_empty(range: Range) -> bool {
    matches!(range, (Some(low), Some(high)) if low > high)
}

/// The least range that has both in it.
fn both_in(a: Range, b: Range) -> Range {
    let low = a.0.zip(b.0).map(|(a, b)| a.min(b));
    (low, a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

/// Whether two expressions are the same unknown.
fn is_same(left: &Ex, right: &Ex) -> bool {
    matches!((&left.kind, &right.kind), (ExKind::Slot(a), ExKind::Slot(b)) if a == b)
}

/// The positive constant that an expression is.
fn positive(ex: &Ex) -> Option<i128> {
    match ex.as_const() {
        Some(Value::Int(by @ 1..)) => Some((*by).into()),
        _ => None,
    }
}

/// A bound of 64 bits; others are none, and the enumeration is cut.
fn wide(bound: Option<&Value>) -> Option<i128> {
    match bound {
        Some(Value::Int(int)) => Some((*int).into()),
        _ => None,
    }
}

fn negated((low, high): Range) -> Range {
    (subtract(Some(0), high), subtract(Some(0), low))
}

fn add(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a?.checked_add(b?)
}

fn subtract(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a?.checked_sub(b?)
}

fn multiply(a: Range, b: Range) -> Range {
    if let (Some(low), Some(other)) = (a.0, b.0)
        && low >= 0
        && other >= 0
    {
        let high = a.1.zip(b.1).and_then(|(a, b)| a.checked_mul(b));
        return (low.checked_mul(other), high);
    }
    let ((Some(a), Some(c)), (Some(b), Some(d))) = (a, b) else {
        return ANY;
    };
    let products = [(a, b), (a, d), (c, b), (c, d)].map(|(x, y)| x.checked_mul(y));
    let all: Option<Vec<i128>> = products.into_iter().collect();
    match all {
        Some(all) => (all.iter().min().copied(), all.iter().max().copied()),
        None => ANY,
    }
}

fn squared((low, high): Range) -> Range {
    let square = |n: i128| n.checked_mul(n);
    let least = match (low, high) {
        (Some(low), _) if low > 0 => square(low),
        (_, Some(high)) if high < 0 => square(high),
        _ => Some(0),
    };
    let most = low.zip(high).and_then(|(low, high)| {
        let most = low.checked_abs()?.max(high.checked_abs()?);
        square(most)
    });
    (least, most)
}

/// Which ends a factor has, given those of the product and of the other factor.
fn abstract_factor(product: Range, other: Range) -> Range {
    // Which signs there are is not known: only a positive constant is sure to keep the ends.
    match other {
        (Some(_), Some(_)) => product,
        (Some(_), None) => (product.0.and(product.1), product.1),
        _ => ANY,
    }
}

/// Between which numbers `x` lies if `x * y` lies within a range, and `y` does.
fn factor_range((low, high): Range, (mut from, mut to): Range) -> Range {
    let is_zero_out = low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0);
    if is_zero_out {
        from = from.map(|from| if from == 0 { 1 } else { from });
        to = to.map(|to| if to == 0 { -1 } else { to });
    }
    match (from, to) {
        (Some(from), to) if from > 0 => positive_factor((low, high), from, to),
        (from, Some(to)) if to < 0 => {
            // `x * y` is `-x * -y`.
            let turned = positive_factor((low, high), -to, from.map(|from| -from));
            negated(turned)
        }
        _ if is_zero_out => {
            // Neither factor is zero, so none is greater than the product.
            let most = low
                .zip(high)
                .and_then(|(low, high)| Some(low.checked_abs()?.max(high.checked_abs()?)));
            (most.map(|most| -most), most)
        }
        _ => ANY,
    }
}

/// The same where `y` is from `from > 0` to `to`.
fn positive_factor((low, high): Range, from: i128, to: Option<i128>) -> Range {
    let high = high.map(|high| {
        if high >= 0 {
            high.div_euclid(from)
        } else {
            to.map_or(-1, |to| high.div_euclid(to))
        }
    });
    let up = |n: i128, by: i128| -(-n).div_euclid(by);
    let low = low.filter(|low| *low != i128::MIN).map(|low| {
        if low <= 0 {
            up(low, from)
        } else {
            to.map_or(1, |to| up(low, to))
        }
    });
    (low, high)
}

/// The greatest natural number whose power is not above `n`; `None` if `n` is negative.
fn root(n: i128, exponent: u32) -> Option<i128> {
    if n < 0 || exponent < 2 {
        return (n >= 0).then_some(n);
    }
    let fits = |r: i128| r.checked_pow(exponent).is_some_and(|power| power <= n);
    let (mut below, mut above) = (0, 1);
    while fits(above) {
        (below, above) = (above, above * 2);
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if fits(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    Some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_the_greatest_that_fit() {
        for exponent in 1..5 {
            for n in 0..300i128 {
                let found = root(n, exponent).expect("a root");
                assert!(
                    found.pow(exponent) <= n && (found + 1).pow(exponent) > n,
                    "{n}"
                );
            }
        }
        assert_eq!(root(-1, 2), None);
        assert!(root(i128::MAX, 1).is_some());
    }

    /// All ranges with ends from -4 to 4, those without an end among them.
    fn ranges() -> Vec<Range> {
        let ends: Vec<Option<i128>> = (-4..=4).map(Some).chain([None]).collect();
        let pairs = ends
            .iter()
            .flat_map(|low| ends.iter().map(move |high| (*low, *high)));
        pairs.filter(|range| !is_empty(*range)).collect()
    }

    fn is_in(n: i128, range: Range) -> bool {
        range.0.is_none_or(|low| low <= n) && range.1.is_none_or(|high| n <= high)
    }

    #[test]
    fn no_factor_and_no_product_is_left_out() {
        for a in ranges() {
            for b in ranges() {
                let (product, factor) = (multiply(a, b), factor_range(a, b));
                for x in -9..=9 {
                    for y in (-9..=9).filter(|y| is_in(*y, b)) {
                        if is_in(x, a) {
                            assert!(is_in(x * y, product), "{x} {y} {a:?} {b:?} {product:?}");
                            assert!(is_in(x * x, squared(a)), "{x} {a:?}");
                        }
                        if is_in(x * y, a) {
                            assert!(is_in(x, factor), "{x} {y} {a:?} {b:?} {factor:?}");
                        }
                    }
                }
            }
        }
    }
}
