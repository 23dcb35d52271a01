//! Relations and functions, of which some may be symbolic: what they give, and whether a relation
//! belongs to a set of relations such as `A --> B`.

use std::ops::ControlFlow;

use base::Span;

use super::code::Closure;
use super::room::{closure_fits, fits, kept, pairs_fit};
use super::sets::{bind_tuple, bounds, is_infinite, or_lazy, symbolic};
use super::{Context, Eval, Fault, TroubleKind};
use crate::solve;
use crate::typed::{Binary, Unary};
use crate::value::{Set, Symbolic, Value, ValueError, number};

impl Context<'_> {
    /// `function(argument)`.
    pub fn apply(&mut self, function: &Value, argument: Value, span: Span) -> Eval<Value> {
        let outside = || Fault::undefined(ValueError::Outside, span);
        let symbolic = match function {
            Value::Set(set) => {
                return set
                    .apply(&argument)
                    .map_err(|error| Fault::undefined(error.into(), span));
            }
            Value::Symbolic(symbolic) => symbolic,
            other => unreachable!("{other:?} is no function"),
        };
        match &**symbolic {
            Symbolic::Step(step) => number::add(&argument, &Value::Int(*step))
                .map_err(|error| Fault::undefined(error, span)),
            Symbolic::Closure(code, captured) if code.0.value.is_some() => {
                self.apply_closure(&code.0, captured, argument, span)
            }
            Symbolic::Unary(Unary::Id, of) => {
                if self.contains(of, &argument, span)? {
                    Ok(argument)
                } else {
                    Err(outside())
                }
            }
            Symbolic::Binary(Binary::Override, f, g) => {
                let is_new = self.in_domain(g, &argument, span)?;
                self.apply(if is_new { g } else { f }, argument, span)
            }
            Symbolic::Binary(Binary::DomainRestrict, set, f) => {
                if self.contains(set, &argument, span)? {
                    self.apply(f, argument, span)
                } else {
                    Err(outside())
                }
            }
            Symbolic::Binary(Binary::DomainSubtract, set, f) => {
                if self.contains(set, &argument, span)? {
                    Err(outside())
                } else {
                    self.apply(f, argument, span)
                }
            }
            Symbolic::Binary(Binary::Compose, f, g) => {
                let middle = self.apply(f, argument, span)?;
                self.apply(g, middle, span)
            }
            Symbolic::Binary(Binary::First | Binary::Second, ..) => {
                if !self.in_domain(function, &argument, span)? {
                    return Err(outside());
                }
                let (a, b) = argument.as_pair();
                let is_first = matches!(**symbolic, Symbolic::Binary(Binary::First, ..));
                Ok(if is_first { a.clone() } else { b.clone() })
            }
            _ => {
                let images = self.image_at(function, &argument, span)?;
                let mut images = images.iter();
                match (images.next(), images.next()) {
                    (None, _) => Err(outside()),
                    (Some(value), None) => Ok(value),
                    _ => Err(Fault::undefined(ValueError::NotFunction, span)),
                }
            }
        }
    }

    /// What a lambda gives for an argument.
    pub(crate) fn apply_closure(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        argument: Value,
        span: Span,
    ) -> Eval<Value> {
        self.enter(closure, captured, |context| {
            bind_tuple(&mut context.frame, &closure.parameters, &argument);
            match (
                context.all_hold(&closure.problem.conjuncts)?,
                &closure.value,
            ) {
                (true, Some(value)) => context.eval_plain(value),
                _ => Err(Fault::undefined(ValueError::Outside, span)),
            }
        })
    }

    /// Whether a relation has a value at an argument.
    pub(crate) fn in_domain(
        &mut self,
        relation: &Value,
        argument: &Value,
        span: Span,
    ) -> Eval<bool> {
        let symbolic = match relation {
            Value::Set(set) => {
                return Ok(!matches!(
                    set.apply(argument),
                    Err(crate::value::ApplyError::Outside)
                ));
            }
            Value::Symbolic(symbolic) => symbolic,
            other => unreachable!("{other:?} is no relation"),
        };
        match &**symbolic {
            Symbolic::Step(_) => Ok(true),
            Symbolic::Closure(code, captured) if code.0.value.is_some() => {
                self.enter(&code.0, captured, |context| {
                    bind_tuple(&mut context.frame, &code.0.parameters, argument);
                    context.all_hold(&code.0.problem.conjuncts)
                })
            }
            Symbolic::Unary(Unary::Id, of) => self.contains(of, argument, span),
            Symbolic::Binary(Binary::Override | Binary::Union, f, g) => {
                let first = self.in_domain(g, argument, span);
                self.either(first, |context| context.in_domain(f, argument, span))
            }
            Symbolic::Binary(op @ (Binary::DomainRestrict | Binary::DomainSubtract), set, f) => {
                let is_kept = *op == Binary::DomainRestrict;
                let is_in = self.contains(set, argument, span);
                self.both(is_in.map(|is_in| is_in == is_kept), |context| {
                    context.in_domain(f, argument, span)
                })
            }
            Symbolic::Binary(Binary::First | Binary::Second, left, right) => {
                let (a, b) = argument.as_pair();
                let first = self.contains(left, a, span);
                self.both(first, |context| context.contains(right, b, span))
            }
            _ => Ok(!self.image_at(relation, argument, span)?.is_empty()),
        }
    }

    /// All values of a relation at an argument.
    fn image_at(&mut self, relation: &Value, argument: &Value, span: Span) -> Eval<Set> {
        let symbolic = match relation {
            Value::Set(set) => return Ok(set.image_of(argument)),
            Value::Symbolic(symbolic) => symbolic,
            other => unreachable!("{other:?} is no relation"),
        };
        match &**symbolic {
            Symbolic::Closure(code, captured) if code.0.value.is_none() => {
                self.image_of_comprehension(&code.0, captured, argument, span)
            }
            Symbolic::Binary(Binary::Union, f, g) => {
                let left = self.image_at(f, argument, span)?;
                Ok(left.union(&self.image_at(g, argument, span)?))
            }
            Symbolic::Binary(Binary::Product, a, b) => {
                if self.contains(a, argument, span)? {
                    self.list(b, span)
                } else {
                    Ok(Set::empty())
                }
            }
            Symbolic::Binary(Binary::Compose, f, g) => {
                let middle = self.image_at(f, argument, span)?;
                self.image(g, &Value::Set(middle), span)
            }
            Symbolic::Binary(Binary::RangeRestrict | Binary::RangeSubtract, f, set) => {
                let is_kept = matches!(**symbolic, Symbolic::Binary(Binary::RangeRestrict, ..));
                let mut kept = Vec::new();
                for value in self.image_at(f, argument, span)?.iter() {
                    if self.contains(set, &value, span)? == is_kept {
                        kept.push(value);
                    }
                }
                Ok(Set::from_vec(kept))
            }
            Symbolic::Binary(Binary::DirectProduct, f, g) => {
                let left = self.image_at(f, argument, span)?;
                Ok(left.product(&self.image_at(g, argument, span)?))
            }
            Symbolic::Binary(Binary::ParallelProduct, f, g) => {
                let (a, b) = argument.as_pair();
                let left = self.image_at(f, a, span)?;
                Ok(left.product(&self.image_at(g, b, span)?))
            }
            Symbolic::Step(_)
            | Symbolic::Closure(..)
            | Symbolic::Unary(Unary::Id, _)
            | Symbolic::Binary(
                Binary::Override
                | Binary::DomainRestrict
                | Binary::DomainSubtract
                | Binary::First
                | Binary::Second,
                ..,
            ) => {
                if self.in_domain(relation, argument, span)? {
                    Ok(Set::singleton(self.apply(
                        relation,
                        argument.clone(),
                        span,
                    )?))
                } else {
                    Ok(Set::empty())
                }
            }
            _ => Ok(self.list(relation, span)?.image_of(argument)),
        }
    }

    /// `{x, y | P}[{argument}]`: `P` is solved for the last variable.
    fn image_of_comprehension(
        &mut self,
        closure: &Closure,
        captured: &[Value],
        argument: &Value,
        span: Span,
    ) -> Eval<Set> {
        let [front @ .., last] = closure.parameters.as_slice() else {
            unreachable!("a comprehension binds a variable")
        };
        if front.is_empty() {
            let set = self.list_closure(closure, captured)?;
            let set = set.ok_or_else(|| Fault::new(TroubleKind::NoList, span))?;
            return Ok(set.image_of(argument));
        }
        let problem = &closure.problem;
        let unknown = problem.unknowns.last().expect("as many as parameters");
        // Planned where it is used: relations that are infinite and asked for images are rare.
        let rest = solve::ConstraintProblem::new(
            vec![unknown.clone()],
            problem.conjuncts.clone(),
            problem.span,
            self.world,
        );
        self.enter(closure, captured, |context| {
            bind_tuple(&mut context.frame, front, argument);
            let mut values = Vec::new();
            let mut add = |context: &mut Context| {
                values.extend(context.frame[*last].clone());
                Ok(ControlFlow::Continue(()))
            };
            let (flow, cut) = context.whole(false, |context| solve::each(context, &rest, &mut add));
            let _ = flow?;
            match cut {
                Some(cut) => Err(cut),
                None => Ok(Set::from_vec(values)),
            }
        })
    }

    /// `relation[set]`.
    pub fn image(&mut self, relation: &Value, set: &Value, span: Span) -> Eval<Set> {
        match (relation, set) {
            (Value::Set(relation), Value::Set(set)) => Ok(relation.image(set)),
            (Value::Set(relation), set) => {
                let mut values = Vec::new();
                for (argument, value) in relation.pairs() {
                    if self.contains(set, &argument, span)? {
                        values.push(value);
                    }
                }
                Ok(Set::from_vec(values))
            }
            (relation, set) => {
                let Some(set) = self.try_list(set, span)? else {
                    let listed = Value::Set(self.list(relation, span)?);
                    return self.image(&listed, set, span);
                };
                let mut values = Vec::new();
                for argument in set.iter() {
                    values.extend(self.image_at(relation, &argument, span)?.iter());
                    fits(values.len(), span)?;
                }
                Ok(Set::from_vec(values))
            }
        }
    }

    /// Operators that take a relation, and sets of relations.
    pub(crate) fn relation_operator(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
        span: Span,
    ) -> Eval<Value> {
        match op {
            Binary::Image => Ok(Value::Set(self.image(&a, &b, span)?)),
            Binary::Apply => self.apply(&a, b, span),
            Binary::Iterate => {
                let relation = self.list(&a, span)?;
                closure_fits(&relation, span)?;
                let made = relation.iterate(number::clamped(&b));
                made.map(Value::Set)
                    .map_err(|error| Fault::undefined(error, span))
            }
            Binary::DomainRestrict | Binary::DomainSubtract => self.restrict(op, a, b, span),
            Binary::RangeRestrict | Binary::RangeSubtract => match &a {
                Value::Set(relation) => {
                    let is_kept = op == Binary::RangeRestrict;
                    let kept = self.keep(relation, &b, is_kept, |pair| pair.as_pair().1, span);
                    or_lazy(kept, || Symbolic::Binary(op, a, b))
                }
                _ => self.listed_or_lazy(op, a, b, span),
            },
            Binary::Compose => match (&a, &b) {
                (Value::Set(f), Value::Symbolic(_)) => {
                    let mut pairs = Vec::new();
                    for (argument, middle) in f.pairs() {
                        for value in self.image_at(&b, &middle, span)?.iter() {
                            pairs.push(Value::pair(argument.clone(), value));
                        }
                        fits(pairs.len(), span)?;
                    }
                    Ok(Value::Set(Set::from_vec(pairs)))
                }
                _ => self.listed_or_lazy(op, a, b, span),
            },
            Binary::Override | Binary::DirectProduct | Binary::ParallelProduct => {
                self.listed_or_lazy(op, a, b, span)
            }
            _ => kept(op, a, b, span),
        }
    }

    fn restrict(&mut self, op: Binary, set: Value, relation: Value, span: Span) -> Eval<Value> {
        let is_kept = op == Binary::DomainRestrict;
        if let Some(relation) = self.try_list(&relation, span)? {
            let kept = self.keep(&relation, &set, is_kept, |pair| pair.as_pair().0, span);
            return or_lazy(kept, || Symbolic::Binary(op, set, relation.into()));
        }
        if is_kept && let Some(set) = self.try_list(&set, span)? {
            let mut pairs = Vec::new();
            for argument in set.iter() {
                for value in self.image_at(&relation, &argument, span)?.iter() {
                    pairs.push(Value::pair(argument.clone(), value));
                }
                fits(pairs.len(), span)?;
            }
            return Ok(Value::Set(Set::from_vec(pairs)));
        }
        kept(op, set, relation, span)
    }

    /// The pairs of which a part is in a set, or not.
    fn keep(
        &mut self,
        relation: &Set,
        set: &Value,
        is_kept: bool,
        part: fn(&Value) -> &Value,
        span: Span,
    ) -> Eval<Value> {
        let mut kept = Vec::new();
        for pair in relation.iter() {
            if self.contains(set, part(&pair), span)? == is_kept {
                kept.push(pair);
            }
        }
        Ok(Value::Set(Set::from_vec(kept)))
    }

    fn listed_or_lazy(&mut self, op: Binary, a: Value, b: Value, span: Span) -> Eval<Value> {
        let (Some(x), Some(y)) = (self.try_list(&a, span)?, self.try_list(&b, span)?) else {
            return kept(op, a, b, span);
        };
        pairs_fit(op, &x, &y, span)?;
        Ok(Value::Set(match op {
            Binary::Override => x.override_with(&y),
            Binary::DirectProduct => x.direct_product(&y),
            Binary::ParallelProduct => x.parallel_product(&y),
            Binary::Compose => x.compose(&y),
            Binary::RangeRestrict => x.range_restrict(&y),
            Binary::RangeSubtract => x.range_subtract(&y),
            other => unreachable!("{other:?} is not lazy"),
        }))
    }

    /// Membership in a symbolic set that one operand makes.
    pub(super) fn contains_unary(
        &mut self,
        op: Unary,
        of: &Value,
        element: &Value,
        span: Span,
    ) -> Eval<bool> {
        match op {
            Unary::Pow => self.is_subset(element, of, span),
            Unary::Fin => {
                let is_finite = self.is_finite(element, span);
                self.both(is_finite, |context| context.is_subset(element, of, span))
            }
            Unary::Pow1 | Unary::Fin1 => {
                let is_empty = self.is_equal(element, &Set::empty().into(), span);
                let rest = if op == Unary::Pow1 {
                    Unary::Pow
                } else {
                    Unary::Fin
                };
                self.both(is_empty.map(|is_empty| !is_empty), |context| {
                    context.contains_unary(rest, of, element, span)
                })
            }
            Unary::Id => {
                let (a, b) = element.as_pair();
                let is_equal = self.is_equal(a, b, span);
                self.both(is_equal, |context| context.contains(of, a, span))
            }
            Unary::Inverse => {
                let (a, b) = element.as_pair();
                self.contains(of, &Value::pair(b.clone(), a.clone()), span)
            }
            Unary::Dom => self.in_domain(of, element, span),
            Unary::Ran => self.in_range(of, element, span),
            _ => {
                if is_infinite(element) {
                    return Ok(false);
                }
                let sequence = self.list(element, span)?;
                let is_one = sequence.is_seq()
                    && match op {
                        Unary::Seq => true,
                        Unary::Seq1 => !sequence.is_empty(),
                        Unary::Iseq | Unary::Perm => sequence.is_injective(),
                        _ => !sequence.is_empty() && sequence.is_injective(),
                    };
                if !is_one {
                    return Ok(false);
                }
                let range = Value::Set(sequence.ran());
                let is_within = self.is_subset(&range, of, span);
                if op != Unary::Perm {
                    return is_within;
                }
                self.both(is_within, |context| context.is_subset(of, &range, span))
            }
        }
    }

    /// Whether a set has finitely many elements.
    fn is_finite(&mut self, set: &Value, span: Span) -> Eval<bool> {
        match (is_infinite(set), bounds(set)) {
            (true, _) => Ok(false),
            (false, Some(_)) => Ok(true),
            (false, None) => self.list(set, span).map(|_| true),
        }
    }

    /// Membership in a symbolic set that two operands make.
    pub(super) fn contains_binary(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        element: &Value,
        span: Span,
    ) -> Eval<bool> {
        match op {
            Binary::Union => {
                let first = self.contains(left, element, span);
                self.either(first, |context| context.contains(right, element, span))
            }
            Binary::Intersection | Binary::Difference => {
                let is_kept = op == Binary::Intersection;
                let first = self.contains(left, element, span);
                self.both(first, |context| {
                    let is_in = context.contains(right, element, span);
                    is_in.map(|is_in| is_in == is_kept)
                })
            }
            Binary::Product => {
                let (a, b) = element.as_pair();
                let first = self.contains(left, a, span);
                self.both(first, |context| context.contains(right, b, span))
            }
            Binary::DomainRestrict | Binary::DomainSubtract => {
                let is_kept = op == Binary::DomainRestrict;
                let is_in = self.contains(left, element.as_pair().0, span);
                self.both(is_in.map(|is_in| is_in == is_kept), |context| {
                    context.contains(right, element, span)
                })
            }
            Binary::RangeRestrict | Binary::RangeSubtract => {
                let is_kept = op == Binary::RangeRestrict;
                let is_in = self.contains(right, element.as_pair().1, span);
                self.both(is_in.map(|is_in| is_in == is_kept), |context| {
                    context.contains(left, element, span)
                })
            }
            Binary::Override => match self.in_domain(right, element.as_pair().0, span) {
                Ok(true) => self.contains(right, element, span),
                Ok(false) => self.contains(left, element, span),
                Err(fault) => Err(fault),
            },
            Binary::Compose
            | Binary::DirectProduct
            | Binary::ParallelProduct
            | Binary::First
            | Binary::Second => {
                let whole = symbolic(Symbolic::Binary(op, left.clone(), right.clone()));
                let (a, b) = element.as_pair();
                Ok(self.image_at(&whole, a, span)?.contains(b))
            }
            _ => self.is_relation(op, left, right, element, span),
        }
    }

    /// Whether a relation belongs to `left <-> right`, `left --> right` and so on.
    fn is_relation(
        &mut self,
        op: Binary,
        left: &Value,
        right: &Value,
        relation: &Value,
        span: Span,
    ) -> Eval<bool> {
        let demands = Demands::of(op);
        let Some(set) = self.try_list(relation, span)? else {
            return self.is_symbolic_function(demands, left, right, relation, span);
        };
        if demands.is_function && !set.is_function() || demands.is_injective && !set.is_injective()
        {
            return Ok(false);
        }
        let (dom, ran) = (Value::Set(set.dom()), Value::Set(set.ran()));
        let asked = [
            (&dom, left, true),
            (&ran, right, true),
            (left, &dom, demands.is_total),
            (right, &ran, demands.is_onto),
        ];
        let asked = asked.into_iter().filter(|(_, _, is_asked)| *is_asked);
        self.decide(asked, false, |context, (a, b, _)| {
            context.is_subset(a, b, span)
        })
    }
}

/// What a set of relations demands of its elements.
#[derive(Clone, Copy, Debug)]
pub struct Demands {
    /// At most one value for each argument.
    pub is_function: bool,
    /// A value for each argument.
    pub is_total: bool,
    /// No value twice.
    pub is_injective: bool,
    /// Each value.
    pub is_onto: bool,
}

impl Demands {
    /// What an arrow demands.
    pub fn of(op: Binary) -> Demands {
        let (is_function, is_total, is_injective, is_onto) = match op {
            Binary::Relations => (false, false, false, false),
            Binary::TotalRelations => (false, true, false, false),
            Binary::SurjectiveRelations => (false, false, false, true),
            Binary::TotalSurjectiveRelations => (false, true, false, true),
            Binary::PartialFunctions => (true, false, false, false),
            Binary::TotalFunctions => (true, true, false, false),
            Binary::PartialInjections => (true, false, true, false),
            Binary::TotalInjections => (true, true, true, false),
            Binary::PartialSurjections => (true, false, false, true),
            Binary::TotalSurjections => (true, true, false, true),
            Binary::PartialBijections => (true, false, true, true),
            Binary::TotalBijections => (true, true, true, true),
            other => unreachable!("{other:?} is no arrow"),
        };
        Demands {
            is_function,
            is_total,
            is_injective,
            is_onto,
        }
    }
}
