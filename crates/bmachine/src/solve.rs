//! All values of variables that satisfy a predicate.
//!
//! A [`ConstraintProblem`] is a list of unknowns and a list of conjuncts. Its plan is made once,
//! when the machine is compiled ([`plan`]): which conjunct gives an unknown its values, and which
//! are asked as soon as all that they speak of is known. Running the plan is a depth-first search;
//! its cost is the number of candidates that the plan lets through, not the size of the types.
//!
//! Worked example: `x : dom(f) & y = f(x) & y > 2 & z : S & x /= z` for `x, y, z` becomes
//! `x` in `dom(f)`; `y` is `f(x)`; ask `y > 2`; `z` in `S`; ask `x /= z`.
//!
//! Each solution is found once: a step gives an unknown each of its values once, and steps that
//! could repeat themselves (disjunctions, inner existential quantifiers) remember what they found.
//!
//! Where a conjunct is asked before those to the left of it, and is undefined, it is put off: at
//! the end all conjuncts are asked from left to right. A conjunct that is cut is put off, too:
//! another one may be false. Candidates that stay undecided are no solutions, and the enumeration
//! is cut; so it is where a step does not give all values ([`Context::cut`]).

pub(crate) mod applied;
pub(crate) mod bounds;
pub(crate) mod function;
pub(crate) mod pattern;
pub(crate) mod plan;
pub(crate) mod size;
mod step;
mod ways;

use std::ops::ControlFlow;
use std::sync::Arc;

use base::Span;

use crate::cells::ExchangeClasses;
use crate::eval::code::{Ex, Pr};
use crate::eval::list::{EnumerationFlow, GO_ON};
use crate::eval::{Context, Eval, Fault, World};
use crate::typed::{Binary, Type, Unary};
use crate::value::Value;
use applied::FunctionEquation;
use pattern::ValuePattern;

/// A variable whose values are sought.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Where its value goes.
    pub slot: usize,
    /// What it holds.
    pub ty: Type,
    /// As the modeller wrote it.
    pub name: String,
    /// Where it is bound.
    pub span: Span,
}

/// Unknowns, what they must satisfy, and how they are found.
#[derive(Clone, Debug)]
pub struct ConstraintProblem {
    /// What is sought.
    pub unknowns: Vec<Unknown>,
    /// All of them must hold, in this order.
    pub conjuncts: Vec<Pr>,
    /// How the unknowns are found.
    pub steps: Vec<PlanStep>,
    /// Whether no conjunct is looked at before all to the left of it hold.
    pub is_in_order: bool,
    /// Whether a step has no bound that is known from the text.
    pub may_be_infinite: bool,
    /// About how many candidates there are.
    pub cost: f64,
    pub span: Span,
}

/// A step of a plan.
#[derive(Clone, Debug)]
pub enum PlanStep {
    /// A conjunct is asked. If it is undefined and `is_final` does not hold, it is put off.
    Check {
        /// Which conjunct.
        conjunct: usize,
        /// Whether all conjuncts to the left of it hold by now.
        is_final: bool,
    },
    /// The pattern is the value.
    Bind(ValuePattern, Ex),
    /// The pattern is each element of the set.
    Element(ValuePattern, Ex),
    /// The pattern is the value, if it has one: the step only makes a search shorter.
    Hint(ValuePattern, Ex),
    /// The unknown is each subset of a set.
    Subset(Box<SubsetSearch>),
    /// The unknown is each front of a sequence, or each back.
    Part(usize, Ex, bool),
    /// The unknown is each sequence over a set that is no longer than all these say: numbers, or
    /// sets of numbers.
    Sequences(usize, Unary, Ex, Vec<Ex>),
    /// The unknown is each number within the bounds that conjuncts give.
    Integer {
        /// Which unknown.
        slot: usize,
        name: String,
        /// Which conjuncts speak of bounds.
        sources: Vec<usize>,
        /// All numbers that are unknown here.
        open: Vec<usize>,
    },
    /// The unknown is each function of a set of functions.
    Function {
        /// Which unknown.
        slot: usize,
        /// What functions.
        arrow: Binary,
        /// The domain and the range.
        sets: Box<(Ex, Ex)>,
        /// Conjuncts that are asked of functions that are not finished.
        pruning: Vec<usize>,
        /// Values that it must have.
        definitions: Vec<FunctionEquation>,
    },
    /// One of the problems is solved; together they give values to the slots.
    Either(Vec<usize>, Vec<ConstraintProblem>),
    /// The unknown is each value of its type.
    Whole(usize, Value),
}

/// Subsets of a set.
#[derive(Clone, Debug)]
pub struct SubsetSearch {
    /// The unknown that is each of them.
    pub slot: usize,
    /// Their elements are in this set.
    pub upper: Ex,
    /// The elements of these are in all of them.
    pub lower: Vec<Ex>,
    /// The elements of these are in none of them.
    pub disjoint: Vec<Ex>,
}

/// What is done with a solution: the frame holds it.
pub type OnSolution<'v> = dyn FnMut(&mut Context) -> Eval<EnumerationFlow> + 'v;

impl ConstraintProblem {
    /// The problem with its plan.
    pub fn new(
        unknowns: Vec<Unknown>,
        conjuncts: Vec<Pr>,
        span: Span,
        world: &World,
    ) -> ConstraintProblem {
        plan::plan(unknowns, conjuncts, span, world, 0)
    }

    /// The same problem with a plan in which no conjunct is looked at before all to the left of it
    /// hold.
    fn in_order(&self, world: &World) -> ConstraintProblem {
        let (unknowns, conjuncts) = (self.unknowns.clone(), self.conjuncts.clone());
        plan::plan_in_order(unknowns, conjuncts, self.span, world)
    }

    /// Calls `out` with every slot that it reads from the frame around it, and its own.
    pub(crate) fn each_slot(&self, out: &mut dyn FnMut(usize)) {
        self.conjuncts.iter().for_each(|pred| pred.each_slot(out));
    }
}

/// Notes a candidate of which it is undefined whether it is a solution.
pub type Note<'n> = dyn FnMut(&Context, Fault) + 'n;

/// Calls `out` with each solution, until it says to stop.
///
/// A set that values are taken from may be undefined where the conjuncts to the left of it do not
/// hold, and then it does not matter: so where the planned search ends in something undefined, one
/// in the order of the text decides.
pub fn each(
    context: &mut Context,
    problem: &ConstraintProblem,
    out: &mut OnSolution,
) -> Eval<EnumerationFlow> {
    within(context, None, |context| each_of(context, problem, out))
}

/// The same for a choice: if the context has [cells](Context::cells), at least one of the solutions
/// that exchanges within cells make of each other is given, and what is done with it has the cells
/// that are left.
pub(crate) fn each_class(
    context: &mut Context,
    problem: &ConstraintProblem,
    out: &mut OnSolution,
) -> Eval<EnumerationFlow> {
    let cells = context.cells.clone();
    within(context, cells, |context| each_of(context, problem, out))
}

/// Does something with these cells, and puts back those that the context has.
fn within<T>(
    context: &mut Context,
    cells: Option<Arc<ExchangeClasses>>,
    act: impl FnOnce(&mut Context) -> T,
) -> T {
    let before = std::mem::replace(&mut context.cells, cells);
    let done = act(context);
    context.cells = before;
    done
}

fn each_of(
    context: &mut Context,
    problem: &ConstraintProblem,
    out: &mut OnSolution,
) -> Eval<EnumerationFlow> {
    let mut n_given = 0u64;
    let cut = context.cut.clone();
    let flow = search(context, problem, None, &mut |context| {
        n_given += 1;
        out(context)
    });
    match flow {
        Err(fault) if fault.is_undefined() && n_given == 0 && !problem.is_in_order => {
            context.cut = cut;
            search(context, &problem.in_order(context.world), None, out)
        }
        flow => flow,
    }
}

/// The same, where candidates of which it is undefined whether they are solutions are noted and
/// left out. What is undefined is not taken to be false: `f(x) = 1 or x = 2` has no value where
/// `f(x)` has none.
///
/// The planned search leaves out what is no solution in the order of the text either, but may meet
/// something undefined where that does not. So what is noted comes from a search in that order.
/// Cells are used as in [`each_class`].
pub(crate) fn each_noting(
    context: &mut Context,
    problem: &ConstraintProblem,
    note: &mut Note,
    out: &mut OnSolution,
) -> Eval<EnumerationFlow> {
    let mut is_undefined = false;
    let mut leave_out = |_: &Context, _: Fault| is_undefined = true;
    let flow = search(context, problem, Some(&mut leave_out), &mut |context| {
        out(context)
    })?;
    if !is_undefined || flow.is_break() {
        return Ok(flow);
    }
    let again = problem.in_order(context.world);
    let mut noted = |context: &Context, fault: Fault| note(context, fault);
    search(context, &again, Some(&mut noted), &mut |_| Ok(GO_ON))
}

fn search<'r, 'v>(
    context: &mut Context,
    problem: &'r ConstraintProblem,
    note: Option<&'r mut Note<'v>>,
    out: &'r mut OnSolution<'v>,
) -> Eval<EnumerationFlow> {
    let mut run = SolverRun {
        problem,
        put_off: 0,
        is_open: false,
        fault: None,
        note,
        cells: context.cells.take(),
        out,
    };
    let flow = run.go(context, 0);
    context.cells = run.cells.take();
    let fault = run.fault.take();
    for unknown in &problem.unknowns {
        context.frame[unknown.slot] = None;
    }
    match (flow, fault) {
        (_, Some(fault)) => Err(fault),
        (Ok(ControlFlow::Continue(())), None) if run.is_open => Err(Fault::Unknown),
        (flow, None) => flow,
    }
}

/// Whether there is a solution. One among what was tried decides, also where it is undefined
/// whether others are solutions: which of them comes first is a matter of the order of elements,
/// and symmetries do not keep that. Else all must have been tried.
pub(crate) fn is_solvable(context: &mut Context, problem: &ConstraintProblem) -> Eval<bool> {
    let mut undefined: Option<Fault> = None;
    let (flow, cut) = context.whole(true, |context| {
        let cells = context.cells.take();
        let mut note = |_: &Context, fault: Fault| {
            undefined.get_or_insert(fault);
        };
        let stop = &mut |_: &mut Context| Ok(ControlFlow::Break(()));
        let flow = search(context, problem, Some(&mut note), stop);
        context.cells = cells;
        flow
    });
    if flow?.is_break() {
        return Ok(true);
    }
    // The planned search may meet something undefined where one in the order of the text does not.
    // A set that was tried in part may not be needed at all: another may be empty.
    let is_plain =
        |step: &PlanStep| matches!(step, PlanStep::Check { .. } | PlanStep::Integer { .. });
    let is_again = undefined.is_some() || cut.is_some() && !problem.steps.iter().all(is_plain);
    match undefined.or(cut) {
        None => Ok(false),
        Some(_) if is_again && !problem.is_in_order => {
            is_solvable(context, &problem.in_order(context.world))
        }
        Some(fault) => Err(fault),
    }
}

/// A search that is under way.
pub(super) struct SolverRun<'r, 'v> {
    pub(super) problem: &'r ConstraintProblem,
    /// How many conjuncts are put off.
    put_off: usize,
    /// Whether a candidate could not be decided.
    pub(super) is_open: bool,
    /// What went wrong in what is done with a solution: no business of the search.
    fault: Option<Fault>,
    /// Who is told of candidates that are undefined, if they are to be left out.
    note: Option<&'r mut Note<'v>>,
    /// Members whose exchange fixes all that was chosen so far, if only one of the values that such
    /// exchanges make of each other is to be chosen. While something is evaluated the context has
    /// none: what is evaluated needs all values.
    pub(super) cells: Option<Arc<ExchangeClasses>>,
    out: &'r mut OnSolution<'v>,
}

impl SolverRun<'_, '_> {
    /// Does the steps from `at` on.
    pub(super) fn go(&mut self, context: &mut Context, mut at: usize) -> Eval<EnumerationFlow> {
        let problem = self.problem;
        let put_off = self.put_off;
        // Checks need no recursion.
        while let Some(PlanStep::Check { conjunct, is_final }) = problem.steps.get(at) {
            match context.holds(&problem.conjuncts[*conjunct]) {
                Ok(true) => {}
                Ok(false) => return self.leave(put_off),
                Err(Fault::Unknown) => {
                    self.is_open = true;
                    return self.leave(put_off);
                }
                Err(fault) if fault.is_cut() && !fault.is_end() => self.put_off += 1,
                Err(fault) if !fault.is_undefined() => return Err(fault),
                Err(_) if !is_final => self.put_off += 1,
                Err(fault) if self.is_left_out(context, &fault) => return self.leave(put_off),
                Err(fault) => return Err(fault),
            }
            at += 1;
        }
        let flow = match problem.steps.get(at) {
            Some(step) => self.step(context, step, at + 1),
            None => self.finish(context),
        };
        self.put_off = put_off;
        match flow {
            Err(Fault::Unknown) => {
                self.is_open = true;
                Ok(GO_ON)
            }
            Err(fault) if self.is_left_out(context, &fault) => Ok(GO_ON),
            Err(fault) if context.may_cut && fault.is_cut() && !fault.is_end() => {
                context.keep_cut(fault);
                Ok(GO_ON)
            }
            other => other,
        }
    }

    /// Whether a candidate of which that came is passed over; if so, that has been noted.
    pub(super) fn is_left_out(&mut self, context: &mut Context, fault: &Fault) -> bool {
        if !fault.is_undefined() {
            return false;
        }
        if context.is_lenient {
            context.warn(fault);
            return true;
        }
        let Some(note) = &mut self.note else {
            return false;
        };
        note(context, fault.clone());
        true
    }

    fn leave(&mut self, put_off: usize) -> Eval<EnumerationFlow> {
        self.put_off = put_off;
        Ok(GO_ON)
    }

    /// All unknowns have values.
    fn finish(&mut self, context: &mut Context) -> Eval<EnumerationFlow> {
        if self.put_off > 0 && !context.all_hold(&self.problem.conjuncts)? {
            return Ok(GO_ON);
        }
        context.cells.clone_from(&self.cells);
        let done = (self.out)(context);
        context.cells = None;
        match done {
            Ok(flow) => Ok(flow),
            Err(fault) => {
                self.fault = Some(fault);
                Ok(ControlFlow::Break(()))
            }
        }
    }
}
