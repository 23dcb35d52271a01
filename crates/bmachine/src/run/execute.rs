//! Substitutions as relations: all that they can make of a state.
//!
//! Executing a substitution does not change the state. It hands on what it would write, once for
//! each outcome, and then takes it back. So in `S || T` both read what was before, and what `S`
//! writes is kept while `T` is executed. In `S ; T` what `S` writes is put into the state while `T`
//! is executed, and taken out again before what both wrote is handed on.
//!
//! What goes wrong on one way (an expression without a value, an assertion that does not hold, a
//! set that cannot be listed) ends that way only. It is noted with the arguments that led there
//! ([`Wrongs`]), and the other ways are tried. Only where nothing more may be tried at all does an
//! error come back. So whoever is handed an outcome must not give back any other error: see
//! [`Executor::caught`].
//!
//! Worked example: with `x = 1`, `(x := 2 ; y := x) || z := x` hands on `x = 2, y = 2, z = 1`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::Span;

use super::subst::{Demand, Loop, SelectorCode, Sub, SubKind, Target};
use crate::eval::code::{Ex, Pr, Storage};
use crate::eval::list::{EnumerationFlow, GO_ON};
use crate::eval::{Context, Eval, Fault, Trouble, TroubleKind};
use crate::solve::{self, ConstraintProblem, Unknown};
use crate::typed::{OperationId, Unary};
use crate::value::{Set, Symbolic, Value};

/// How often a loop may be repeated.
const N_ROUNDS_MAX: u64 = 10_000_000;

/// What is written, in order; of two writes to one place the later counts.
pub type Writes = Vec<(Storage, Value)>;

/// What is done with an outcome.
pub type OnOutcome<'t> = dyn FnMut(&mut Context, &mut Writes) -> Eval<EnumerationFlow> + 't;

/// An operation as it is called from within the machine.
#[derive(Clone, Debug)]
pub struct Called {
    pub name: String,
    /// The slots of its parameters.
    pub parameters: Vec<usize>,
    /// The slots of its results.
    pub results: Vec<usize>,
    /// What it does; its precondition must hold.
    pub body: Sub,
}

/// `targets :: set`
struct BecomesElement<'a> {
    targets: &'a [Target],
    set: &'a Ex,
    span: Span,
}

/// `targets <-- operation(arguments)`.
struct OperationCall<'a> {
    operation: OperationId,
    arguments: &'a [Ex],
    targets: &'a [Target],
}

/// A way that went wrong, or was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// By parameter of the operation.
    pub arguments: Vec<Value>,
    /// By variable of the `ANY` that it starts with, if these tell transitions apart.
    pub choices: Vec<Value>,
    /// What went wrong.
    pub trouble: Trouble,
}

/// Notes what goes wrong while an operation is executed: each thing once.
pub struct Wrongs<'p> {
    parameters: &'p [Unknown],
    choices: &'p [Unknown],
    /// Where something without a place of its own went wrong.
    span: Span,
    noted: RefCell<Noted>,
}

#[derive(Default)]
struct Noted {
    list: Vec<Wrong>,
    known: HashMap<[Vec<Value>; 2], Vec<Trouble>>,
}

impl<'p> Wrongs<'p> {
    /// Nothing went wrong yet.
    pub fn new(parameters: &'p [Unknown], choices: &'p [Unknown], span: Span) -> Wrongs<'p> {
        Wrongs {
            parameters,
            choices,
            span,
            noted: RefCell::default(),
        }
    }

    /// What went wrong, in the order of being noted.
    pub fn into_list(self) -> Vec<Wrong> {
        self.noted.into_inner().list
    }

    /// Notes what went wrong on the way that is being executed.
    pub fn note(&self, context: &Context, fault: Fault) {
        let trouble = match fault {
            Fault::Trouble(trouble) => *trouble,
            Fault::Unknown => Trouble {
                kind: TroubleKind::NoValue("a variable".to_owned()),
                span: self.span,
            },
        };
        let values = |unknowns: &[Unknown]| -> Vec<Value> {
            let slots = unknowns.iter().map(|unknown| unknown.slot);
            slots
                .filter_map(|slot| context.frame[slot].clone())
                .collect()
        };
        let (arguments, choices) = (values(self.parameters), values(self.choices));
        let mut noted = self.noted.borrow_mut();
        let key = [arguments.clone(), choices.clone()];
        let known = noted.known.entry(key).or_default();
        if known.contains(&trouble) {
            return;
        }
        known.push(trouble.clone());
        noted.list.push(Wrong {
            arguments,
            choices,
            trouble,
        });
    }
}

/// Executes substitutions.
#[derive(Clone, Copy)]
pub struct Executor<'p> {
    /// The operations that can be called, by [`OperationId`].
    pub called: &'p [Called],
    /// The operation that is executed, for messages.
    pub name: &'p str,
    /// What goes wrong is noted here.
    pub wrongs: &'p Wrongs<'p>,
}

impl Executor<'_> {
    /// Calls `then` with each outcome.
    ///
    /// # Ensures
    /// What goes wrong on a way has been noted, and the other ways were tried: an error says that
    /// nothing more may be tried.
    pub fn execute(
        &self,
        context: &mut Context,
        sub: &Sub,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let n = writes.len();
        let flow = self.attempt(context, sub, writes, then);
        if flow.is_err() {
            writes.truncate(n);
        }
        self.caught(context, flow)
    }

    /// Notes what went wrong, so that other ways can be tried.
    pub fn caught(&self, context: &Context, flow: Eval<EnumerationFlow>) -> Eval<EnumerationFlow> {
        match flow {
            Err(fault) if !fault.is_end() => {
                self.wrongs.note(context, fault);
                Ok(GO_ON)
            }
            flow => flow,
        }
    }

    /// The same, where an error of this substitution itself ends it.
    fn attempt(
        &self,
        context: &mut Context,
        sub: &Sub,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        match &sub.kind {
            SubKind::Skip => then(context, writes),
            SubKind::Assign(pairs) => self.assign(context, pairs, writes, then),
            SubKind::Element(targets, set) => {
                let chosen = BecomesElement {
                    targets,
                    set,
                    span: sub.span,
                };
                self.element(context, chosen, writes, then)
            }
            SubKind::Such(places, problem) => such(context, places, problem, writes, then),
            SubKind::Parallel(all) => self.parallel(context, all, writes, then),
            SubKind::Sequence(all) => self.sequence(context, all, writes, then),
            SubKind::Demand(demand, preds, body) => {
                if !context.all_hold(preds)? {
                    return Err(Fault::new(self.demanded(*demand), sub.span));
                }
                self.execute(context, body, writes, then)
            }
            SubKind::Select(branches, other) => {
                self.select(context, branches, other.as_deref(), writes, then)
            }
            SubKind::If(branches, other) => {
                let chosen = first_that_holds(context, branches)?;
                self.option(context, chosen.or(other.as_deref()), writes, then)
            }
            SubKind::Choice(all) => {
                for body in all {
                    if self.execute(context, body, writes, then)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(GO_ON)
            }
            SubKind::Any(problem, body) => leniently(context, problem, &mut |context| {
                self.execute(context, body, writes, then)
            }),
            SubKind::Let(bound, body) => {
                for (slot, value) in bound {
                    context.frame[*slot] = Some(context.eval(value)?);
                }
                self.execute(context, body, writes, then)
            }
            SubKind::Var(slots, body) => {
                slots.iter().for_each(|slot| context.frame[*slot] = None);
                self.execute(context, body, writes, then)
            }
            SubKind::Case(value, branches, other) => {
                let chosen = self.case(context, value, branches, sub.span)?;
                self.option(context, chosen.or(other.as_deref()), writes, then)
            }
            SubKind::While(body) => self.repeat(context, body, sub.span, writes, then),
            SubKind::Call(operation, arguments, targets) => {
                let call = OperationCall {
                    operation: *operation,
                    arguments,
                    targets,
                };
                self.call(context, call, writes, then)
            }
        }
    }

    fn element(
        &self,
        context: &mut Context,
        chosen: BecomesElement<'_>,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let set = context.eval(chosen.set)?;
        each_class_of_elements(context, &set, chosen.span, &mut |context, value| {
            let n = writes.len();
            let flow = match write_tuple(context, chosen.targets, value, writes) {
                Ok(()) => then(context, writes),
                Err(fault) => self.caught(context, Err(fault)),
            };
            writes.truncate(n);
            flow
        })
    }

    fn demanded(&self, demand: Demand) -> TroubleKind {
        match demand {
            Demand::Precondition => TroubleKind::Precondition(self.name.to_owned()),
            Demand::Assertion => TroubleKind::Assertion,
        }
    }

    fn option(
        &self,
        context: &mut Context,
        chosen: Option<&Sub>,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        match chosen {
            Some(body) => self.execute(context, body, writes, then),
            None => then(context, writes),
        }
    }

    fn assign(
        &self,
        context: &mut Context,
        pairs: &[(Target, Ex)],
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let n = writes.len();
        for (target, value) in pairs {
            let value = context.eval_plain(value)?;
            write(context, target, value, writes)?;
        }
        let flow = then(context, writes);
        writes.truncate(n);
        flow
    }

    fn parallel(
        &self,
        context: &mut Context,
        all: &[Sub],
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        match all {
            [] => then(context, writes),
            [first, rest @ ..] => self.execute(context, first, writes, &mut |context, writes| {
                self.parallel(context, rest, writes, then)
            }),
        }
    }

    fn sequence(
        &self,
        context: &mut Context,
        all: &[Sub],
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        match all {
            [] => then(context, writes),
            [only] => self.execute(context, only, writes, then),
            [first, rest @ ..] => {
                self.execute(context, first, &mut Vec::new(), &mut |context, before| {
                    let mut swap = compact(before);
                    exchange(context, &mut swap);
                    let flow =
                        self.sequence(context, rest, &mut Vec::new(), &mut |context, after| {
                            exchange(context, &mut swap);
                            let n = writes.len();
                            let both = swap.iter().filter_map(|(p, v)| Some((*p, v.clone()?)));
                            writes.extend(both);
                            writes.extend(after.iter().cloned());
                            let flow = then(context, writes);
                            writes.truncate(n);
                            exchange(context, &mut swap);
                            flow
                        });
                    exchange(context, &mut swap);
                    flow
                })
            }
        }
    }

    fn select(
        &self,
        context: &mut Context,
        branches: &[(Vec<Pr>, Sub)],
        other: Option<&Sub>,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let mut is_blocked = true;
        for (condition, body) in branches {
            match guard(context, condition) {
                Ok(false) => {}
                Ok(true) => {
                    is_blocked = false;
                    if self.execute(context, body, writes, then)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(fault) => {
                    // It is not known whether this branch, and hence `ELSE`, can be taken.
                    is_blocked = false;
                    let _ = self.caught(context, Err(fault))?;
                }
            }
        }
        match other {
            Some(body) if is_blocked => self.execute(context, body, writes, then),
            _ => Ok(GO_ON),
        }
    }

    fn case<'s>(
        &self,
        context: &mut Context,
        value: &Ex,
        branches: &'s [(Vec<Ex>, Sub)],
        span: Span,
    ) -> Eval<Option<&'s Sub>> {
        let value = context.eval(value)?;
        for (values, body) in branches {
            for other in values {
                let other = context.eval(other)?;
                if context.is_equal(&value, &other, span)? {
                    return Ok(Some(body));
                }
            }
        }
        Ok(None)
    }

    /// A loop, without recursion: what is still to be repeated is on a stack.
    fn repeat(
        &self,
        context: &mut Context,
        body: &Loop,
        span: Span,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        // What was chosen in a round is not told to the next, so that from here on all is tried.
        let cells = context.cells.take();
        let flow = self.rounds(context, body, span, writes, then);
        context.cells = cells;
        flow
    }

    fn rounds(
        &self,
        context: &mut Context,
        body: &Loop,
        span: Span,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let mut open: Vec<(Writes, Option<i64>)> = vec![(Vec::new(), None)];
        let mut n_rounds = 0;
        while let Some((before, bound)) = open.pop() {
            n_rounds += 1;
            if n_rounds > N_ROUNDS_MAX {
                return Err(Fault::new(TroubleKind::Loop(N_ROUNDS_MAX), span));
            }
            context.count_work(span)?;
            let mut swap = compact(&before);
            exchange(context, &mut swap);
            let round = self.round(context, body, span, bound);
            exchange(context, &mut swap);
            let round = match round {
                Ok(round) => round,
                Err(fault) => {
                    let _ = self.caught(context, Err(fault))?;
                    continue;
                }
            };
            match round {
                Some((outcomes, variant)) => {
                    for outcome in outcomes.into_iter().rev() {
                        let both: Writes = before.iter().cloned().chain(outcome).collect();
                        let both = compact(&both);
                        let both = both.into_iter().filter_map(|(p, v)| Some((p, v?)));
                        open.push((both.collect(), Some(variant)));
                    }
                }
                None => {
                    let n = writes.len();
                    writes.extend(before);
                    let flow = then(context, writes);
                    writes.truncate(n);
                    if flow?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(GO_ON)
    }

    /// One round: all outcomes of the body and the value of the variant, or `None` at the end.
    fn round(
        &self,
        context: &mut Context,
        body: &Loop,
        span: Span,
        bound: Option<i64>,
    ) -> Eval<Option<(Vec<Writes>, i64)>> {
        if !context.holds(&body.invariant)? {
            return Err(Fault::new(TroubleKind::LoopInvariant, span));
        }
        let goes_on = guard(context, &body.condition)?;
        let variant = context.eval_int(&body.variant)?;
        if bound.is_some_and(|bound| variant >= bound) || goes_on && variant < 0 {
            return Err(Fault::new(TroubleKind::LoopVariant, span));
        }
        if !goes_on {
            return Ok(None);
        }
        let mut outcomes = Vec::new();
        let _ = self.execute(context, &body.body, &mut Vec::new(), &mut |_, writes| {
            outcomes.push(writes.clone());
            Ok(GO_ON)
        })?;
        Ok(Some((outcomes, variant)))
    }

    fn call(
        &self,
        context: &mut Context,
        call: OperationCall<'_>,
        writes: &mut Writes,
        then: &mut OnOutcome,
    ) -> Eval<EnumerationFlow> {
        let targets = call.targets;
        let called = &self.called[call.operation.index()];
        let mut values = Vec::with_capacity(call.arguments.len());
        for argument in call.arguments {
            values.push(Some(context.eval_plain(argument)?));
        }
        let slots = called.parameters.iter().copied();
        let mut swap: Vec<_> = slots.map(Storage::Slot).zip(values).collect();
        swap.extend(
            called
                .results
                .iter()
                .map(|slot| (Storage::Slot(*slot), None)),
        );
        exchange(context, &mut swap);
        let inside = Executor {
            name: &called.name,
            ..*self
        };
        let flow = inside.execute(context, &called.body, &mut Vec::new(), &mut |context, made| {
            let results = match results_of(called, targets, made) {
                Ok(results) => results,
                Err(fault) => return self.caught(context, Err(fault)),
            };
            exchange(context, &mut swap);
            let n = writes.len();
            let is_result = |place: &Storage| {
                matches!(place, Storage::Slot(slot) if called.results.contains(slot))
            };
            writes.extend(made.iter().filter(|(p, _)| !is_result(p)).cloned());
            let mut written = Ok(());
            for (target, value) in targets.iter().zip(results) {
                written = written.and_then(|()| write(context, target, value, writes));
            }
            let flow = match written {
                Ok(()) => then(context, writes),
                Err(fault) => self.caught(context, Err(fault)),
            };
            writes.truncate(n);
            exchange(context, &mut swap);
            flow
        });
        exchange(context, &mut swap);
        flow
    }
}

/// The results of a call, given what the operation wrote.
fn results_of(called: &Called, targets: &[Target], made: &Writes) -> Eval<Vec<Value>> {
    let pairs = called.results.iter().zip(targets);
    let values = pairs.map(|(slot, target)| {
        let found = made.iter().rev().find(|(p, _)| *p == Storage::Slot(*slot));
        let no_value = || TroubleKind::NoValue(target.name.clone());
        match found {
            Some((_, value)) => Ok(value.clone()),
            None => Err(Fault::new(no_value(), target.span)),
        }
    });
    values.collect()
}

/// The first branch whose condition holds.
fn first_that_holds<'s>(
    context: &mut Context,
    branches: &'s [(Vec<Pr>, Sub)],
) -> Eval<Option<&'s Sub>> {
    for (condition, body) in branches {
        if guard(context, condition)? {
            return Ok(Some(body));
        }
    }
    Ok(None)
}

/// Whether all conjuncts of a guard hold; an undefined one does not.
pub fn guard(context: &mut Context, conjuncts: &[Pr]) -> Eval<bool> {
    let is_lenient = std::mem::replace(&mut context.is_lenient, true);
    let found = context.all_hold(conjuncts);
    context.is_lenient = is_lenient;
    match found {
        Err(fault) if fault.is_undefined() => {
            context.warn(&fault);
            Ok(false)
        }
        found => found,
    }
}

/// Solves a guard, in which what is undefined is false; what is done with solutions is strict.
pub(crate) fn leniently(
    context: &mut Context,
    problem: &solve::ConstraintProblem,
    out: &mut solve::OnSolution,
) -> Eval<EnumerationFlow> {
    let is_lenient = std::mem::replace(&mut context.is_lenient, true);
    let flow = solve::each_class(context, problem, &mut |context| {
        let is_lenient = std::mem::replace(&mut context.is_lenient, false);
        let flow = out(context);
        context.is_lenient = is_lenient;
        flow
    });
    context.is_lenient = is_lenient;
    flow
}

/// Calls `out` with the elements of a set of which one is chosen. If the context has cells, one at
/// least of those that exchanges make of each other, and `out` has the cells that are left.
fn each_class_of_elements(
    context: &mut Context,
    set: &Value,
    span: Span,
    out: &mut dyn FnMut(&mut Context, Value) -> Eval<EnumerationFlow>,
) -> Eval<EnumerationFlow> {
    let Some(cells) = context.cells.clone() else {
        return context.each_element(set, span, out);
    };
    let mut choose = |context: &mut Context, value: Value| {
        let left = cells.fixing([&value]);
        context.cells = (!left.is_trivial()).then(|| Arc::new(left));
        let flow = out(context, value);
        context.cells = Some(Arc::clone(&cells));
        flow
    };
    if let Value::Symbolic(symbolic) = set
        && let Symbolic::Unary(Unary::Pow, Value::Set(of)) = &**symbolic
        && let Some(subsets) = cells.subsets(of)
    {
        for subset in subsets {
            context.count_work(span)?;
            if choose(context, Value::Set(subset))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        return Ok(GO_ON);
    }
    context.each_element(set, span, &mut |context, value| {
        if cells.is_least(&[&value]) {
            choose(context, value)
        } else {
            Ok(GO_ON)
        }
    })
}

/// Each place once, with what is written last.
fn compact(writes: &Writes) -> Vec<(Storage, Option<Value>)> {
    let mut kept: Vec<(Storage, Option<Value>)> = Vec::with_capacity(writes.len());
    for (place, value) in writes {
        match kept.iter_mut().find(|(p, _)| p == place) {
            Some((_, old)) => *old = Some(value.clone()),
            None => kept.push((*place, Some(value.clone()))),
        }
    }
    kept
}

/// Exchanges what the state and the list hold.
fn exchange(context: &mut Context, swap: &mut [(Storage, Option<Value>)]) {
    for (place, value) in swap {
        match place {
            Storage::Slot(slot) => std::mem::swap(&mut context.frame[*slot], value),
            Storage::Global(global) => {
                if let Some(value) = value {
                    std::mem::swap(&mut context.globals[*global], value);
                }
            }
        }
    }
}

fn write_tuple(
    context: &mut Context,
    targets: &[Target],
    value: Value,
    writes: &mut Writes,
) -> Eval<()> {
    match targets {
        [] => Ok(()),
        [only] => {
            let value = context.plain(value, only.span);
            write(context, only, value, writes)
        }
        [front @ .., last] => {
            let (left, right) = value.as_pair();
            write_tuple(context, front, left.clone(), writes)?;
            write(context, last, right.clone(), writes)
        }
    }
}

/// Adds what a target becomes to what is written.
fn write(context: &mut Context, target: &Target, value: Value, writes: &mut Writes) -> Eval<()> {
    if target.path.is_empty() {
        writes.push((target.place, value));
        return Ok(());
    }
    // `f(x) := E || f(y) := F` changes both.
    let written = writes
        .iter()
        .rev()
        .find(|(place, _)| *place == target.place);
    let old = match (written, target.place) {
        (Some((_, value)), _) => Some(value.clone()),
        (None, Storage::Global(global)) => Some(context.globals[global].clone()),
        (None, Storage::Slot(slot)) => context.frame[slot].clone(),
    };
    let Some(old) = old else {
        let kind = TroubleKind::NoValue(target.name.clone());
        return Err(Fault::new(kind, target.span));
    };
    let value = changed(context, &old, &target.path, value, target.span)?;
    writes.push((target.place, value));
    Ok(())
}

/// The old value, with a new one at the end of the path.
fn changed(
    context: &mut Context,
    old: &Value,
    path: &[SelectorCode],
    value: Value,
    span: Span,
) -> Eval<Value> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(value);
    };
    match first {
        SelectorCode::At(argument) => {
            let argument = context.eval_plain(argument)?;
            let value = if rest.is_empty() {
                value
            } else {
                let inner = context.apply(old, argument.clone(), span)?;
                changed(context, &inner, rest, value, span)?
            };
            match old {
                Value::Set(function) => Ok(Value::Set(function.override_at(&argument, &value))),
                symbolic => {
                    let one = Set::singleton(Value::pair(argument, value));
                    let op = crate::typed::Binary::Override;
                    context.binary(op, symbolic.clone(), Value::Set(one), span)
                }
            }
        }
        SelectorCode::Field(field) => {
            let mut fields = old.as_record().to_vec();
            fields[*field] = changed(context, &fields[*field].clone(), rest, value, span)?;
            Ok(Value::record(fields))
        }
    }
}

/// Writes each solution of a problem to places, by slot.
fn such(
    context: &mut Context,
    places: &[(Storage, usize)],
    problem: &ConstraintProblem,
    writes: &mut Writes,
    then: &mut OnOutcome,
) -> Eval<EnumerationFlow> {
    leniently(context, problem, &mut |context| {
        let values = places.iter().map(|(place, slot)| {
            let value = context.frame[*slot].clone();
            (
                *place,
                value.expect("a solution has values for all unknowns"),
            )
        });
        let n = writes.len();
        writes.extend(values);
        let flow = then(context, writes);
        writes.truncate(n);
        flow
    })
}
