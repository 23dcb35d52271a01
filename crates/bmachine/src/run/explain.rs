//! Why a conjunct does not hold: the values of what it speaks of, and for a universal quantifier a
//! case in which it fails.

use std::ops::ControlFlow;

use super::Program;
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Storage};
use crate::solve::{self, ConstraintProblem};
use crate::typeck;
use crate::typed::{self, BuiltinSet, Expr, ExprKind, Type};
use crate::value::Value;

impl Program {
    /// Names with values that show why a conjunct of the invariant does not hold.
    pub fn explain(&self, conjunct: usize, globals: &[Value]) -> Vec<(String, Type, Value)> {
        let mut shown = self.explain_pred(&self.invariant[conjunct], globals);
        shown.extend(self.bounds_in(&self.machine.invariant[conjunct]));
        shown
    }

    /// The same for an assertion.
    pub(crate) fn explain_assertion(
        &self,
        assertion: usize,
        globals: &[Value],
    ) -> Vec<(String, Type, Value)> {
        let mut shown = self.explain_pred(&self.assertions[assertion], globals);
        shown.extend(self.bounds_in(&self.machine.assertions[assertion]));
        shown
    }

    /// Where numbers end, if a predicate depends on that: `x : NAT` is false of 4.
    fn bounds_in(&self, pred: &typed::Pred) -> Vec<(String, Type, Value)> {
        let (mut least, mut most) = (false, false);
        typeck::walk::walk_pred(&mut pred.clone(), &mut |expr: &mut Expr| match expr.kind {
            ExprKind::Known(BuiltinSet::Int) => (least, most) = (true, true),
            ExprKind::Known(BuiltinSet::Nat | BuiltinSet::Nat1 | BuiltinSet::MaxInt) => most = true,
            ExprKind::Known(BuiltinSet::MinInt) => least = true,
            _ => {}
        });
        let (minint, maxint) = self.numbers();
        let bounds = [("MININT", minint, least), ("MAXINT", maxint, most)];
        let bounds = bounds.into_iter().filter(|(.., is_used)| *is_used);
        bounds
            .map(|(name, n, _)| (name.to_owned(), Type::Int, Value::Int(n)))
            .collect()
    }

    fn explain_pred(&self, pred: &Pr, globals: &[Value]) -> Vec<(String, Type, Value)> {
        let mut used = vec![false; globals.len()];
        globals_of_pred(pred, &mut used);
        let names = self.machine.globals.iter();
        let named = names.zip(globals).zip(used).filter(|(_, used)| *used);
        let mut shown: Vec<(String, Type, Value)> = named
            .map(|((global, value), _)| (global.name.clone(), global.ty.clone(), value.clone()))
            .collect();
        if let PrKind::Forall(problem) = &pred.kind {
            let mut context = self.context(globals.to_vec());
            // If the case cannot be found again, the values have to do.
            let _ = solve::each(&mut context, problem, &mut |context| {
                for unknown in &problem.unknowns {
                    let value = context.frame[unknown.slot].clone().expect("solved");
                    shown.push((unknown.name.clone(), unknown.ty.clone(), value));
                }
                Ok(ControlFlow::Break(()))
            });
        }
        shown
    }
}

/// The constants and variables that a predicate speaks of, of so many.
pub(super) fn spoken_of(pred: &Pr, n_globals: usize) -> Vec<usize> {
    let mut used = vec![false; n_globals];
    globals_of_pred(pred, &mut used);
    (0..n_globals).filter(|global| used[*global]).collect()
}

fn globals_of_pred(pred: &Pr, used: &mut [bool]) {
    match &pred.kind {
        PrKind::Const(_) => {}
        PrKind::And(all) | PrKind::Or(all) => all.iter().for_each(|p| globals_of_pred(p, used)),
        PrKind::Equivalent(left, right) => {
            globals_of_pred(left, used);
            globals_of_pred(right, used);
        }
        PrKind::Exists(problem) | PrKind::Forall(problem) => globals_of_problem(problem, used),
        PrKind::Compare(_, left, right) => {
            globals_of(left, used);
            globals_of(right, used);
        }
        PrKind::Let(bound, body) => {
            bound.iter().for_each(|(_, e)| globals_of(e, used));
            globals_of_pred(body, used);
        }
        PrKind::If(test, left, right) => {
            globals_of_pred(test, used);
            globals_of_pred(left, used);
            globals_of_pred(right, used);
        }
    }
}

fn globals_of_problem(problem: &ConstraintProblem, used: &mut [bool]) {
    problem
        .conjuncts
        .iter()
        .for_each(|p| globals_of_pred(p, used));
}

fn globals_of(ex: &Ex, used: &mut [bool]) {
    match &ex.kind {
        ExKind::Const(_) | ExKind::Slot(_) => {}
        ExKind::Global(global) => used[*global] = true,
        ExKind::SetOf(all) | ExKind::SeqOf(all) | ExKind::Record(all) | ExKind::Struct(all) => {
            all.iter().for_each(|e| globals_of(e, used));
        }
        ExKind::Unary(_, operand) | ExKind::Field(operand, _) => globals_of(operand, used),
        ExKind::Binary(_, left, right) => {
            globals_of(left, used);
            globals_of(right, used);
        }
        ExKind::Closure(closure) => {
            for (place, _) in &closure.captures {
                if let Storage::Global(global) = place {
                    used[*global] = true;
                }
            }
        }
        ExKind::Quantified(_, problem, value) => {
            globals_of_problem(problem, used);
            globals_of(value, used);
        }
        ExKind::BoolOf(pred) => globals_of_pred(pred, used),
        ExKind::If(test, left, right) => {
            globals_of_pred(test, used);
            globals_of(left, used);
            globals_of(right, used);
        }
        ExKind::Let(bound, value) => {
            bound.iter().for_each(|(_, e)| globals_of(e, used));
            globals_of(value, used);
        }
    }
}
