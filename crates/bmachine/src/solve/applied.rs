//! Where a function that is sought is applied: what can be asked of it before it is finished, and
//! what says a value of it outright.
//!
//! `f(a) = 3` says one, and `!x.(x : S => f(x) = g(x) & P)` says one for each element of `S`.

use super::ConstraintProblem;
use crate::eval::World;
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Test};
use crate::typed::Binary;

/// A value of a function, or one for each solution of a problem.
#[derive(Clone, Debug)]
pub struct FunctionEquation {
    /// For each solution, if there is a problem.
    pub problem: Option<ConstraintProblem>,
    /// At this argument.
    pub argument: Ex,
    /// It is this.
    pub value: Ex,
}

/// What a conjunct says of the values of the function in a slot. Whatever is open except for the
/// variables of a quantifier must not be read.
pub fn definition(
    pred: &Pr,
    slot: usize,
    is_open: &dyn Fn(usize) -> bool,
    world: &World,
) -> Option<FunctionEquation> {
    match &pred.kind {
        PrKind::Compare(Test::Equal, left, right) => {
            let (argument, value) = application(left, right, slot, is_open)?;
            Some(FunctionEquation {
                problem: None,
                argument,
                value,
            })
        }
        // The problem is the negation: what is said stands there as an inequation.
        PrKind::Forall(problem) => {
            let mut found = None;
            let mut rest = Vec::new();
            for conjunct in &problem.conjuncts {
                match inequation(conjunct, slot, is_open) {
                    Some(said) if found.is_none() => found = Some(said),
                    _ => rest.push(conjunct.clone()),
                }
            }
            let (argument, value) = found?;
            if rest.iter().any(|p| p.reads(is_open)) {
                return None;
            }
            let problem =
                ConstraintProblem::new(problem.unknowns.clone(), rest, problem.span, world);
            Some(FunctionEquation {
                problem: Some(problem),
                argument,
                value,
            })
        }
        _ => None,
    }
}

fn inequation(pred: &Pr, slot: usize, is_open: &dyn Fn(usize) -> bool) -> Option<(Ex, Ex)> {
    match &pred.kind {
        PrKind::Compare(Test::NotEqual, left, right) => application(left, right, slot, is_open),
        PrKind::Or(all) => all.iter().find_map(|p| inequation(p, slot, is_open)),
        _ => None,
    }
}

/// Argument and value, if one side applies the function and nothing else is open.
fn application(
    left: &Ex,
    right: &Ex,
    slot: usize,
    is_open: &dyn Fn(usize) -> bool,
) -> Option<(Ex, Ex)> {
    for (applied, value) in [(left, right), (right, left)] {
        if let ExKind::Binary(Binary::Apply, function, argument) = &applied.kind
            && matches!(function.kind, ExKind::Slot(found) if found == slot)
            && !argument.reads(is_open)
            && !value.reads(is_open)
        {
            return Some(((**argument).clone(), value.clone()));
        }
    }
    None
}

/// Whether the function in a slot is applied somewhere in a predicate.
pub fn applies(pred: &Pr, slot: usize) -> bool {
    match &pred.kind {
        PrKind::Const(_) => false,
        PrKind::And(all) | PrKind::Or(all) => all.iter().any(|p| applies(p, slot)),
        PrKind::Equivalent(a, b) => applies(a, slot) || applies(b, slot),
        PrKind::Exists(problem) | PrKind::Forall(problem) => {
            problem.conjuncts.iter().any(|p| applies(p, slot))
        }
        PrKind::Compare(_, left, right) => is_applied(left, slot) || is_applied(right, slot),
        PrKind::Let(bound, body) => {
            bound.iter().any(|(_, e)| is_applied(e, slot)) || applies(body, slot)
        }
        PrKind::If(test, left, right) => {
            applies(test, slot) || applies(left, slot) || applies(right, slot)
        }
    }
}

fn is_applied(ex: &Ex, slot: usize) -> bool {
    match &ex.kind {
        ExKind::Const(_) | ExKind::Global(_) | ExKind::Slot(_) | ExKind::Closure(_) => false,
        ExKind::SetOf(all) | ExKind::SeqOf(all) | ExKind::Record(all) | ExKind::Struct(all) => {
            all.iter().any(|e| is_applied(e, slot))
        }
        ExKind::Unary(_, operand) | ExKind::Field(operand, _) => is_applied(operand, slot),
        ExKind::Binary(op, left, right) => {
            (*op == Binary::Apply && matches!(left.kind, ExKind::Slot(s) if s == slot))
                || is_applied(left, slot)
                || is_applied(right, slot)
        }
        ExKind::Quantified(_, problem, value) => {
            problem.conjuncts.iter().any(|p| applies(p, slot)) || is_applied(value, slot)
        }
        ExKind::BoolOf(pred) => applies(pred, slot),
        ExKind::If(test, left, right) => {
            applies(test, slot) || is_applied(left, slot) || is_applied(right, slot)
        }
        ExKind::Let(bound, value) => {
            bound.iter().any(|(_, e)| is_applied(e, slot)) || is_applied(value, slot)
        }
    }
}
