//! The steps of a plan, each with what follows for every value that it gives.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use base::Span;

use super::applied::FunctionEquation;
use super::pattern::ValuePattern;
use super::{ConstraintProblem, PlanStep, SolverRun, SubsetSearch, bounds, each, function};
use crate::eval::code::Ex;
use crate::eval::list::SequenceSet;
use crate::eval::list::{EnumerationFlow, GO_ON};
use crate::eval::relations::Demands;
use crate::eval::sets::bounds as bounds_of;
use crate::eval::{Context, Eval, Fault};
use crate::value::{Set, Value, number};

/// How a step came to a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueOrigin {
    /// It follows from what is known, so that whatever fixes that fixes it.
    Known,
    /// It is one of those that could be chosen.
    Chosen,
    /// The same, and those that others stand for were left out.
    Least,
}

impl SolverRun<'_, '_> {
    /// A step that gives values, and what follows for each of them.
    pub(super) fn step(
        &mut self,
        context: &mut Context,
        step: &PlanStep,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let span = self.problem.span;
        match step {
            PlanStep::Check { .. } => unreachable!("checks are done before"),
            PlanStep::Bind(pattern, value) => {
                let value = context.eval_plain(value)?;
                self.matching(context, pattern, value, ValueOrigin::Known, next)
            }
            PlanStep::Element(pattern, set) => self.element(context, pattern, set, next),
            PlanStep::Hint(pattern, value) => match context.eval_plain(value) {
                Ok(value) => self.matching(context, pattern, value, ValueOrigin::Known, next),
                Err(fault) if fault.is_undefined() => Ok(GO_ON),
                Err(fault) => Err(fault),
            },
            PlanStep::Subset(subsets) => self.subsets(context, subsets, next),
            PlanStep::Part(slot, whole, is_front) => {
                let whole = context.eval(whole)?;
                let whole = context.list(&whole, span)?;
                let Ok(length) = whole.size() else {
                    return Ok(GO_ON);
                };
                for n in 0..=length {
                    let part = if *is_front {
                        whole.take(n)
                    } else {
                        whole.drop(n)
                    };
                    let part = part.map_err(|error| Fault::undefined(error, span))?;
                    if self
                        .with(context, *slot, Value::Set(part), ValueOrigin::Known, next)?
                        .is_break()
                    {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(GO_ON)
            }
            PlanStep::Sequences(..) => self.sequences(context, step, next),
            PlanStep::Integer { slot, name, .. } => {
                let Some((low, high)) = bounds::range(context, self.problem, step) else {
                    return Ok(GO_ON);
                };
                let unknown = self.problem.unknowns.iter().find(|u| u.slot == *slot);
                let place = unknown.map_or(span, |unknown| unknown.span);
                let what = format!("`{name}`");
                context.each_number(low, high, what, place, &mut |context, int| {
                    self.with(context, *slot, int, ValueOrigin::Known, next)
                })
            }
            PlanStep::Function { .. } => self.function(context, step, next),
            PlanStep::Either(slots, problems) => self.either(context, slots, problems, next),
            PlanStep::Whole(slot, set) => context.each_element(set, span, &mut |context, value| {
                self.with(context, *slot, value, ValueOrigin::Chosen, next)
            }),
        }
    }

    /// What follows if the slot has the value.
    fn with(
        &mut self,
        context: &mut Context,
        slot: usize,
        value: Value,
        given: ValueOrigin,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        context.frame[slot] = Some(value);
        let flow = self.given(context, &[slot], given, next);
        context.frame[slot] = None;
        flow
    }

    /// What follows if these slots have the values that they have, unless others stand for these.
    fn given(
        &mut self,
        context: &mut Context,
        slots: &[usize],
        given: ValueOrigin,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let (Some(cells), true) = (&self.cells, given != ValueOrigin::Known) else {
            return self.go(context, next);
        };
        let values = slots
            .iter()
            .filter_map(|slot| context.frame[*slot].as_ref());
        let values: Vec<&Value> = values.collect();
        if given == ValueOrigin::Chosen && !cells.is_least(&values) {
            return Ok(GO_ON);
        }
        let left = cells.fixing(values);
        let left = (!left.is_trivial()).then(|| Arc::new(left));
        let before = std::mem::replace(&mut self.cells, left);
        let flow = self.go(context, next);
        self.cells = before;
        flow
    }

    fn sequences(
        &mut self,
        context: &mut Context,
        step: &PlanStep,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let PlanStep::Sequences(slot, op, of, lengths) = step else {
            unreachable!("called for this step")
        };
        let span = self.problem.span;
        let of = context.eval(of)?;
        let of = context.collect(&of, span)?;
        let mut limit = None;
        for length in lengths {
            let most = match context.eval(length)? {
                Value::Int(int) => Some(int),
                Value::Set(set) => Some(set.maximum().map_or(-1, |most| number::clamped(&most))),
                Value::Big(_) => None,
                set => bounds_of(&set)
                    .and_then(|(_, high)| high)
                    .map(number::clamped),
            };
            limit = [limit, most].into_iter().flatten().min();
        }
        let limit = limit.map(|n| usize::try_from(n).unwrap_or(0));
        let out = &mut |context: &mut Context, value| {
            self.with(context, *slot, value, ValueOrigin::Chosen, next)
        };
        let all = SequenceSet {
            op: *op,
            elements: &of,
            length_max: limit,
            span,
        };
        context.each_sequence(all, &mut Vec::new(), out)
    }

    fn subsets(
        &mut self,
        context: &mut Context,
        subsets: &SubsetSearch,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let span = self.problem.span;
        let within = context.eval(&subsets.upper)?;
        let mut upper = context.collect(&within, span)?;
        for other in &subsets.disjoint {
            if let Some(set) = sure(context, other, span)? {
                upper = upper.difference(&set);
            }
        }
        let mut lower = Set::empty();
        for other in &subsets.lower {
            if let Some(set) = sure(context, other, span)? {
                lower = lower.union(&set);
            }
        }
        for element in lower.difference(&upper).iter() {
            // Not all elements of an infinite set were collected.
            if matches!(within, Value::Set(_)) || !context.contains(&within, &element, span)? {
                return Ok(GO_ON);
            }
        }
        let open = upper.difference(&lower);
        let classes = self.cells.as_ref().and_then(|cells| cells.subsets(&open));
        let given = match classes {
            Some(_) => ValueOrigin::Least,
            None => ValueOrigin::Chosen,
        };
        let all = classes.is_none().then(|| open.pow());
        let each = classes
            .into_iter()
            .flatten()
            .chain(all.into_iter().flatten());
        for subset in each {
            context.count_work(span)?;
            let value = Value::Set(lower.union(&subset));
            if self
                .with(context, subsets.slot, value, given, next)?
                .is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(GO_ON)
    }

    fn matching(
        &mut self,
        context: &mut Context,
        pattern: &ValuePattern,
        value: Value,
        given: ValueOrigin,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let flow = match pattern.bind(context, &value, self.problem.span) {
            Ok(true) if self.cells.is_some() && given != ValueOrigin::Known => {
                let mut slots = Vec::new();
                pattern.each_slot(&mut |slot| slots.push(slot));
                self.given(context, &slots, given, next)
            }
            Ok(true) => self.go(context, next),
            Ok(false) => Ok(GO_ON),
            Err(fault) => Err(fault),
        };
        pattern.forget(context);
        flow
    }

    fn element(
        &mut self,
        context: &mut Context,
        pattern: &ValuePattern,
        set: &Ex,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let span = self.problem.span;
        let set = context.eval(set)?;
        // The values at a known argument are looked up.
        if let ValuePattern::Pair(first, second) = pattern
            && let ValuePattern::Known(argument) = &**first
        {
            let argument = context.eval_plain(argument)?;
            let argument = Value::Set(crate::value::Set::singleton(argument));
            let images = context.image(&set, &argument, span)?;
            return context.each_element(&Value::Set(images), span, &mut |context, value| {
                self.matching(context, second, value, ValueOrigin::Chosen, next)
            });
        }
        context.each_element(&set, span, &mut |context, value| {
            let value = context.plain(value, span);
            self.matching(context, pattern, value, ValueOrigin::Chosen, next)
        })
    }

    fn function(
        &mut self,
        context: &mut Context,
        step: &PlanStep,
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let PlanStep::Function {
            slot,
            arrow,
            sets,
            pruning,
            definitions,
        } = step
        else {
            unreachable!("called for this step")
        };
        let span = self.problem.span;
        let demands = Demands::of(*arrow);
        let domain = context.eval(&sets.0)?;
        // A part of the domain is not enough for functions that are total, nor a part of the range
        // for those that are onto.
        let domain = if demands.is_total {
            context.list(&domain, span)?
        } else {
            context.collect(&domain, span)?
        };
        let range = context.eval(&sets.1)?;
        let mut said = HashMap::new();
        for definition in definitions {
            if !say(context, definition, &mut said, span)? {
                return Ok(GO_ON);
            }
        }
        said.retain(|argument, _| domain.contains(argument));
        for value in said.values() {
            if !context.contains(&range, value, span)? {
                return Ok(GO_ON);
            }
        }
        // An infinite range need not be listed if all values are said.
        let range = if demands.is_onto {
            context.list(&range, span)?
        } else if said.len() == domain.len() {
            Set::from_vec(said.values().cloned().collect())
        } else {
            let range = context.collect(&range, span)?;
            range.union(&said.values().cloned().collect())
        };
        let pruning = (!pruning.is_empty()).then_some(function::Pruning {
            slot: *slot,
            conjuncts: &self.problem.conjuncts,
            which: pruning,
        });
        let mut space = function::FunctionSpace::new(domain, range, demands, &said);
        if let Some(cells) = &self.cells {
            space.up_to(cells);
        }
        space.each(context, pruning, span, &mut |context, function| {
            self.with(
                context,
                *slot,
                Value::Set(function),
                ValueOrigin::Least,
                next,
            )
        })
    }

    fn either(
        &mut self,
        context: &mut Context,
        slots: &[usize],
        problems: &[ConstraintProblem],
        next: usize,
    ) -> Eval<EnumerationFlow> {
        let mut found: HashSet<Vec<Value>> = HashSet::new();
        for problem in problems {
            let flow = each(context, problem, &mut |context| {
                let solution: Vec<Value> = slots
                    .iter()
                    .map(|slot| context.frame[*slot].clone().expect("solved"))
                    .collect();
                if !found.insert(solution) {
                    return Ok(GO_ON);
                }
                self.given(context, slots, ValueOrigin::Chosen, next)
            });
            match flow {
                Ok(ControlFlow::Continue(())) => {}
                Err(Fault::Unknown) => self.is_open = true,
                Err(fault) if self.is_left_out(context, &fault) => {}
                other => return other,
            }
        }
        Ok(GO_ON)
    }
}

/// The elements of a set, unless it is undefined or cannot be listed: then it says nothing, and
/// the conjunct that it comes from is asked later.
fn sure(context: &mut Context, set: &Ex, span: Span) -> Eval<Option<Set>> {
    let set = match context.eval(set) {
        Ok(set) => set,
        Err(fault) if fault.is_undefined() => return Ok(None),
        Err(fault) if fault.is_cut() && !fault.is_end() => return Ok(None),
        Err(fault) => return Err(fault),
    };
    context.try_list(&set, span)
}

/// Adds the values that a definition says; `false` if an argument has two of them.
fn say(
    context: &mut Context,
    definition: &FunctionEquation,
    said: &mut HashMap<Value, Value>,
    span: Span,
) -> Eval<bool> {
    let mut is_consistent = true;
    let mut one = |context: &mut Context| -> Eval<EnumerationFlow> {
        let argument = context.eval_plain(&definition.argument)?;
        let value = context.eval_plain(&definition.value)?;
        if let Some(old) = said.get(&argument)
            && !context.is_equal(old, &value, span)?
        {
            is_consistent = false;
            return Ok(ControlFlow::Break(()));
        }
        said.insert(argument, value);
        Ok(GO_ON)
    };
    // What is found has to hold, also where not all is found: the conjunct is asked later.
    let (flow, _) = context.whole(true, |context| match &definition.problem {
        Some(problem) => each(context, problem, &mut one),
        None => one(context),
    });
    match flow {
        Ok(_) => Ok(is_consistent),
        // Nothing is said where something is undefined or cut.
        Err(fault) if fault.is_undefined() => Ok(true),
        Err(fault) if fault.is_cut() && !fault.is_end() => Ok(true),
        Err(fault) => Err(fault),
    }
}
