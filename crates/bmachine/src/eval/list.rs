//! The elements of a symbolic set, one after the other.
//!
//! Sets are listed as late as possible: a search over `A --> B` sees one function at a time. A set
//! without a bound is listed only where a search may make one up (`MININT..MAXINT`, sequences of up
//! to `MAXINT` elements), which is noted as a cut; [`Context::list`] never does that. What comes is
//! an element of the set in any case: operators of which more elements of an operand mean fewer of
//! the result, and functions that are total or onto, ask for all elements of that operand.

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::Span;

use super::code::Closure;
use super::relations::Demands;
use super::sets::{is_infinite, symbolic};
use super::{Context, Eval, Fault, LIST_MAX, TroubleKind};
use crate::solve::size::is_function;
use crate::solve::{self, function};
use crate::typed::{Binary, Unary};
use crate::value::{Set, Symbolic, Value, number};

/// Whether to go on.
pub type EnumerationFlow = ControlFlow<()>;

/// What is done with each element.
pub type OnElement<'v> = dyn FnMut(&mut Context, Value) -> Eval<EnumerationFlow> + 'v;

/// How many numbers are tried at least where one witness is enough, and there is no bound.
const N_TRIED: i64 = 40;

/// Sequences of more elements than this are not tried: each takes a level of recursion.
const LENGTH_MAX: usize = 1000;

/// Go on.
pub const GO_ON: EnumerationFlow = ControlFlow::Continue(());

/// The sequences over a set.
#[derive(Clone, Copy)]
pub(crate) struct SequenceSet<'a> {
    /// `seq`, `seq1`, `iseq`, `iseq1` or `perm`.
    pub op: Unary,
    pub elements: &'a Set,
    /// The length beyond which none is asked for.
    pub length_max: Option<usize>,
    pub span: Span,
}

impl Context<'_> {
    /// All elements of a set.
    pub fn list(&mut self, set: &Value, span: Span) -> Eval<Set> {
        if let Value::Set(set) = set {
            return Ok(set.clone());
        }
        let too_many = || Fault::new(TroubleKind::NoList, span);
        if is_infinite(set) || estimate(set) > LIST_MAX as f64 {
            return Err(too_many());
        }
        let mut elements = Vec::new();
        let mut add = |context: &mut Context, value| {
            if elements.len() as u64 >= LIST_MAX {
                return Err(too_many());
            }
            elements.push(context.plain(value, span));
            Ok(GO_ON)
        };
        let (flow, cut) = self.whole(false, |context| context.each_element(set, span, &mut add));
        let _ = flow?;
        match cut {
            Some(cut) => Err(cut),
            None => Ok(Set::from_vec(elements)),
        }
    }

    /// All elements of a set, or `None` if they cannot be listed.
    pub(crate) fn try_list(&mut self, set: &Value, span: Span) -> Eval<Option<Set>> {
        match self.list(set, span) {
            Ok(set) => Ok(Some(set)),
            Err(fault) if has_no_list(&fault) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// All elements of a comprehension or lambda, or `None` if they cannot be listed.
    pub(crate) fn list_closure(
        &mut self,
        closure: &Closure,
        captured: &[Value],
    ) -> Eval<Option<Set>> {
        let mut elements = Vec::new();
        let mut add = |_: &mut Context, value| {
            if elements.len() as u64 >= LIST_MAX {
                return Err(Fault::new(TroubleKind::NoList, closure.span));
            }
            elements.push(value);
            Ok(GO_ON)
        };
        let (flow, cut) = self.whole(false, |context| {
            context.each_of_closure(closure, captured, &mut add)
        });
        match flow {
            Ok(_) if cut.is_some() => Ok(None),
            Ok(_) => Ok(Some(Set::from_vec(elements))),
            Err(fault) if has_no_list(&fault) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Calls `out` with each element of a set, until it says to stop. No element comes twice.
    pub(crate) fn each_element(
        &mut self,
        set: &Value,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let set = match set {
            Value::Set(set) => {
                for element in set.iter() {
                    self.count_work(span)?;
                    if out(self, element)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                return Ok(GO_ON);
            }
            Value::Symbolic(set) => set.clone(),
            other => unreachable!("{other:?} is no set"),
        };
        match &*set {
            Symbolic::Interval(low, high) => {
                self.each_in_interval(low.as_ref(), high.as_ref(), span, out)
            }
            Symbolic::Texts | Symbolic::Step(_) => Err(Fault::new(TroubleKind::NoList, span)),
            Symbolic::Struct(fields) => self.each_record(fields, &mut Vec::new(), span, out),
            Symbolic::Unary(op, of) => self.each_of_unary(*op, of, span, out),
            Symbolic::Binary(op, left, right) => self.each_of_binary(*op, left, right, span, out),
            Symbolic::Closure(code, captured) => self.each_of_closure(&code.0, captured, out),
        }
    }

    /// The numbers of an interval.
    fn each_in_interval(
        &mut self,
        low: Option<&Value>,
        high: Option<&Value>,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let is_big = |end: Option<&Value>| matches!(end, Some(Value::Big(_)));
        if !is_big(low) && !is_big(high) {
            let (low, high) = (low.map(Value::as_int), high.map(Value::as_int));
            return self.each_number(low, high, "a number".to_owned(), span, out);
        }
        let (Some(low), Some(high)) = (low, high) else {
            return Err(Fault::new(TroubleKind::NoList, span));
        };
        if number::n_between(low, high) > LIST_MAX as f64 {
            return Err(Fault::new(TroubleKind::NoList, span));
        }
        let mut next = low.clone();
        while next <= *high {
            self.count_work(span)?;
            if out(self, next.clone())?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let more = number::add(&next, &Value::Int(1));
            next = more.map_err(|error| Fault::undefined(error, span))?;
        }
        Ok(GO_ON)
    }

    /// The numbers between two bounds; missing ones are made up where that is allowed. `what` says
    /// what they are the values of.
    pub(crate) fn each_number(
        &mut self,
        low: Option<i64>,
        high: Option<i64>,
        what: String,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            _ if !self.may_cut => {
                let what = format!("{what}: no bound found");
                return Err(Fault::new(TroubleKind::NoBound(what), span));
            }
            _ => {
                let ((first, last), tried) = self.made_up(low, high);
                let what = format!("{what}: no bound found, only {tried} tried");
                self.note_cut(&what, span);
                self.n_made_up += 1;
                let flow = self.each_between(first, last, span, out);
                self.n_made_up -= 1;
                return flow;
            }
        };
        self.each_between(low, high, span, out)
    }

    /// The numbers that are tried where there is no end on at least one side, and what is said of
    /// them: the same in all states, so that what is cut in many is told once.
    fn made_up(&self, low: Option<i64>, high: Option<i64>) -> ((i64, i64), String) {
        let (least, most) = (self.world.minint, self.world.maxint);
        if self.n_asked == 0 {
            // A bound beyond the usual ones is tried itself.
            let first = low.unwrap_or(high.map_or(least, |high| least.min(high)));
            let last = high.unwrap_or(low.map_or(most, |low| most.max(low)));
            let tried = if first >= least && last <= most {
                format!("what lies in {least}..{most} was")
            } else {
                "what lies next to its other bound was".to_owned()
            };
            return ((first, last), tried);
        }
        // One witness is enough, so more numbers are tried, as long as there are not too many.
        let n = (N_TRIED >> (3 * self.n_made_up).min(32)).max(most.saturating_sub(least));
        match (low, high) {
            (Some(low), _) => {
                let last = low.saturating_add(n);
                (
                    (low, last),
                    format!("the {} least values were", n.saturating_add(1)),
                )
            }
            (_, Some(high)) => {
                let first = high.saturating_sub(n);
                (
                    (first, high),
                    format!("the {} greatest values were", n.saturating_add(1)),
                )
            }
            (None, None) => {
                let (first, last) = (least.min(-n), most.max(n));
                ((first, last), format!("{first}..{last} was"))
            }
        }
    }

    fn each_between(
        &mut self,
        low: i64,
        high: i64,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let mut int = low;
        while int <= high {
            self.count_work(span)?;
            if out(self, Value::Int(int))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            match int.checked_add(1) {
                Some(next) => int = next,
                None => break,
            }
        }
        Ok(GO_ON)
    }

    fn each_record(
        &mut self,
        fields: &[Value],
        chosen: &mut Vec<Value>,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let Some((first, rest)) = fields.split_first() else {
            return out(self, Value::record(chosen.clone()));
        };
        self.each_element(first, span, &mut |context, value| {
            chosen.push(value);
            let flow = context.each_record(rest, chosen, span, out);
            chosen.pop();
            flow
        })
    }

    /// The elements of a set, with bounds made up where that is allowed.
    pub fn collect(&mut self, set: &Value, span: Span) -> Eval<Set> {
        if let Value::Set(set) = set {
            return Ok(set.clone());
        }
        let mut elements = Vec::new();
        // There will be subsets of these, or functions: a few more elements are many more of them.
        let n_asked = std::mem::replace(&mut self.n_asked, 0);
        let flow = self.each_element(set, span, &mut |context, value| {
            if elements.len() as u64 >= LIST_MAX {
                return Err(Fault::new(TroubleKind::NoList, span));
            }
            elements.push(context.plain(value, span));
            Ok(GO_ON)
        });
        self.n_asked = n_asked;
        let _ = flow?;
        Ok(Set::from_vec(elements))
    }

    fn each_of_unary(
        &mut self,
        op: Unary,
        of: &Value,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let set = match op {
            Unary::Dom if is_lambda(of) => return self.each_argument(of, out),
            // A permutation has all elements of the set.
            Unary::Perm => self.list(of, span)?,
            _ => self.collect(of, span)?,
        };
        match op {
            Unary::Pow | Unary::Fin | Unary::Pow1 | Unary::Fin1 => {
                let is_proper = matches!(op, Unary::Pow1 | Unary::Fin1);
                for subset in set.pow() {
                    self.count_work(span)?;
                    if is_proper && subset.is_empty() {
                        continue;
                    }
                    if out(self, Value::Set(subset))?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(GO_ON)
            }
            Unary::Id => self.each_element(&Value::Set(set.id()), span, out),
            Unary::Dom => self.each_element(&Value::Set(set.dom()), span, out),
            Unary::Ran => self.each_element(&Value::Set(set.ran()), span, out),
            Unary::Inverse => self.each_element(&Value::Set(set.inverse()), span, out),
            Unary::Seq | Unary::Seq1 | Unary::Iseq | Unary::Iseq1 | Unary::Perm => {
                let all = SequenceSet {
                    op,
                    elements: &set,
                    length_max: None,
                    span,
                };
                self.each_sequence(all, &mut Vec::new(), out)
            }
            other => unreachable!("{other:?} is not symbolic"),
        }
    }

    /// All sequences of `all` that begin with `chosen`.
    pub(crate) fn each_sequence(
        &mut self,
        all: SequenceSet<'_>,
        chosen: &mut Vec<Value>,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let SequenceSet {
            op,
            elements: set,
            length_max: limit,
            span,
        } = all;
        self.count_work(span)?;
        let is_proper = matches!(op, Unary::Seq1 | Unary::Iseq1);
        let is_injective = !matches!(op, Unary::Seq | Unary::Seq1);
        let is_long_enough = match op {
            Unary::Perm => chosen.len() == set.len(),
            _ => !is_proper || !chosen.is_empty(),
        };
        if is_long_enough {
            let sequence = Set::seq_of(chosen.iter().cloned());
            if out(self, Value::Set(sequence))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if limit.is_some_and(|limit| chosen.len() >= limit) {
            return Ok(GO_ON);
        }
        if !is_injective && !set.is_empty() && limit.is_none() {
            if !self.may_cut {
                return Err(Fault::new(TroubleKind::NoList, span));
            }
            let n = self.world.maxint;
            let what = format!(
                "the sequences here: their length has no bound, only up to {n} elements were tried"
            );
            self.note_cut(&what, span);
            if chosen.len() as i64 >= n {
                return Ok(GO_ON);
            }
        }
        if chosen.len() >= LENGTH_MAX && !set.is_empty() {
            return Err(Fault::new(TroubleKind::NoList, span));
        }
        for element in set.iter() {
            if is_injective && chosen.contains(&element) {
                continue;
            }
            chosen.push(element);
            let flow = self.each_sequence(all, chosen, out)?;
            chosen.pop();
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(GO_ON)
    }

    fn each_of_binary(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        match op {
            Binary::Product => self.each_element(left, span, &mut |context, a| {
                context.each_element(right, span, &mut |context, b| {
                    out(context, Value::pair(a.clone(), b))
                })
            }),
            Binary::Union => {
                let flow = self.each_element(left, span, out)?;
                if flow.is_break() {
                    return Ok(flow);
                }
                self.each_element(right, span, &mut |context, element| {
                    if context.contains(left, &element, span)? {
                        return Ok(GO_ON);
                    }
                    out(context, element)
                })
            }
            Binary::Intersection | Binary::Difference => {
                let is_kept = op == Binary::Intersection;
                let is_swapped = is_kept && is_infinite(left);
                let (source, other) = if is_swapped {
                    (right, left)
                } else {
                    (left, right)
                };
                self.each_element(source, span, &mut |context, element| {
                    if context.contains(other, &element, span)? != is_kept {
                        return Ok(GO_ON);
                    }
                    out(context, element)
                })
            }
            Binary::Relations => {
                let product = symbolic(Symbolic::Binary(
                    Binary::Product,
                    left.clone(),
                    right.clone(),
                ));
                self.each_of_unary(Unary::Pow, &product, span, out)
            }
            _ => self.each_relation(op, left, right, span, out),
        }
    }

    /// Elements that are relations: operators on relations, and sets of relations.
    fn each_relation(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        span: Span,
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        match op {
            Binary::TotalRelations
            | Binary::SurjectiveRelations
            | Binary::TotalSurjectiveRelations => {
                let all = Symbolic::Binary(Binary::Relations, left.clone(), right.clone());
                let this = symbolic(Symbolic::Binary(op, left.clone(), right.clone()));
                self.each_element(&symbolic(all), span, &mut |context, element| {
                    if !context.contains(&this, &element, span)? {
                        return Ok(GO_ON);
                    }
                    out(context, element)
                })
            }
            Binary::First | Binary::Second => {
                let (a, b) = (self.collect(left, span)?, self.collect(right, span)?);
                let set = match op {
                    Binary::First => a.prj1(&b),
                    _ => a.prj2(&b),
                };
                self.each_element(&Value::Set(set), span, out)
            }
            Binary::DomainRestrict
            | Binary::DomainSubtract
            | Binary::RangeRestrict
            | Binary::RangeSubtract
            | Binary::Override
            | Binary::Compose
            | Binary::DirectProduct
            | Binary::ParallelProduct => {
                let (a, b) = (self.list(left, span)?, self.list(right, span)?);
                let set = self.binary(op, Value::Set(a), Value::Set(b), span)?;
                self.each_element(&set, span, out)
            }
            _ => {
                let demands = Demands::of(op);
                let domain = if demands.is_total {
                    self.list(left, span)?
                } else {
                    self.collect(left, span)?
                };
                let range = if demands.is_onto {
                    self.list(right, span)?
                } else {
                    self.collect(right, span)?
                };
                let space = function::FunctionSpace::new(domain, range, demands, &HashMap::new());
                space.each(self, None, span, &mut |context, function| {
                    out(context, Value::Set(function))
                })
            }
        }
    }

    pub(super) fn each_of_closure(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        out: &mut OnElement,
    ) -> Eval<EnumerationFlow> {
        let mut elements = Vec::new();
        // The frame is the closure's while it is solved, so its elements are handed on afterwards.
        let _ = self.enter(closure, captured, |context| {
            solve::each(context, &closure.problem, &mut |context| {
                let parts = closure.parameters.iter().map(|slot| {
                    let value = context.frame[*slot].clone();
                    value.expect("a solution has values for all unknowns")
                });
                let arguments = Value::tuple(parts);
                elements.push(match &closure.value {
                    Some(value) => Value::pair(arguments, context.eval_plain(value)?),
                    None => arguments,
                });
                if elements.len() as u64 > LIST_MAX {
                    return Err(Fault::new(TroubleKind::NoList, closure.span));
                }
                Ok(GO_ON)
            })
        })?;
        for element in elements {
            if out(self, element)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(GO_ON)
    }

    /// The arguments of a lambda.
    fn each_argument(&mut self, lambda: &Value, out: &mut OnElement) -> Eval<EnumerationFlow> {
        self.each_of_lambda(lambda, &mut |context, pair| {
            out(context, pair.as_pair().0.clone())
        })
    }

    fn each_of_lambda(&mut self, lambda: &Value, out: &mut OnElement) -> Eval<EnumerationFlow> {
        let Value::Symbolic(set) = lambda else {
            unreachable!("a lambda is symbolic")
        };
        match &**set {
            Symbolic::Closure(code, captured) => self.each_of_closure(&code.0, captured, out),
            other => unreachable!("{other:?} is no lambda"),
        }
    }
}

fn is_lambda(set: &Value) -> bool {
    match set {
        Value::Symbolic(set) => {
            matches!(&**set, Symbolic::Closure(code, _) if code.0.value.is_some())
        }
        _ => false,
    }
}

fn has_no_list(fault: &Fault) -> bool {
    match fault {
        Fault::Unknown => false,
        Fault::Trouble(trouble) => {
            matches!(trouble.kind, TroubleKind::NoList | TroubleKind::NoBound(_))
        }
    }
}

/// Roughly how many elements a set has at most; 0 where that is hard to say.
pub(crate) fn estimate(set: &Value) -> f64 {
    let set = match set {
        Value::Set(set) => return set.len() as f64,
        Value::Symbolic(set) => set,
        other => unreachable!("{other:?} is no set"),
    };
    match &**set {
        Symbolic::Interval(Some(low), Some(high)) => number::n_between(low, high),
        Symbolic::Interval(..) | Symbolic::Texts | Symbolic::Step(_) => f64::INFINITY,
        Symbolic::Struct(fields) => fields.iter().map(estimate).product(),
        Symbolic::Unary(Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1, of) => {
            estimate(of).exp2()
        }
        Symbolic::Binary(Binary::Product, a, b) => estimate(a) * estimate(b),
        Symbolic::Binary(Binary::Relations, a, b) => (estimate(a) * estimate(b)).exp2(),
        Symbolic::Binary(Binary::TotalFunctions, a, b) => estimate(b).powf(estimate(a)),
        Symbolic::Binary(op, a, b) if is_function(*op) => (estimate(b) + 1.0).powf(estimate(a)),
        Symbolic::Unary(Unary::Seq | Unary::Seq1, of) => match estimate(of) {
            0.0 => 1.0,
            _ => f64::INFINITY,
        },
        Symbolic::Unary(Unary::Perm | Unary::Iseq | Unary::Iseq1, of) => {
            let n = estimate(of);
            // The number of permutations of up to all elements.
            (1..=n.min(200.0) as u32).map(f64::from).product::<f64>() * 3.0
        }
        _ => 0.0,
    }
}
