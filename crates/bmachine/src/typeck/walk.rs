//! Walking over typed trees: every expression is shown once, operands first, and may be changed.

use crate::typed::{
    AssignedVar, Expr, ExprKind, LocalId, Pred, PredKind, Selector, Subst, SubstKind, Target,
};
use base::Span;

/// Calls back for every expression of a predicate, operands first.
pub(crate) fn walk_pred(pred: &mut Pred, each: &mut dyn FnMut(&mut Expr)) {
    match &mut pred.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(all) | PredKind::Or(all) => {
            all.iter_mut().for_each(|pred| walk_pred(pred, each));
        }
        PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => {
            walk_pred(a, each);
            walk_pred(b, each);
        }
        PredKind::Not(a) | PredKind::Forall(_, a) | PredKind::Exists(_, a) => walk_pred(a, each),
        PredKind::Compare(_, a, b) => {
            walk_expr(a, each);
            walk_expr(b, each);
        }
        PredKind::Let(equations, a) => {
            walk_equations(equations, each);
            walk_pred(a, each);
        }
        PredKind::If(a, b, c) => {
            for part in [a, b, c] {
                walk_pred(part, each);
            }
        }
    }
}

fn walk_equations(equations: &mut [(LocalId, Expr)], each: &mut dyn FnMut(&mut Expr)) {
    for (_, expr) in equations {
        walk_expr(expr, each);
    }
}

/// Calls back for every part of an expression, operands first, and then for itself.
pub(crate) fn walk_expr(expr: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Big(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Element(..)
        | ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Carrier(_)
        | ExprKind::Known(_)
        | ExprKind::Empty => {}
        ExprKind::SetOf(all)
        | ExprKind::SeqOf(all)
        | ExprKind::Record(all)
        | ExprKind::Struct(all) => all.iter_mut().for_each(|expr| walk_expr(expr, each)),
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => walk_expr(a, each),
        ExprKind::Binary(_, a, b) => {
            walk_expr(a, each);
            walk_expr(b, each);
        }
        ExprKind::Comprehension(_, p) | ExprKind::BoolOf(p) => walk_pred(p, each),
        ExprKind::Lambda(_, p, a) | ExprKind::Quantified(_, _, p, a) => {
            walk_pred(p, each);
            walk_expr(a, each);
        }
        ExprKind::If(p, a, b) => {
            walk_pred(p, each);
            walk_expr(a, each);
            walk_expr(b, each);
        }
        ExprKind::Let(equations, a) => {
            walk_equations(equations, each);
            walk_expr(a, each);
        }
    }
    each(expr);
}

/// Calls back for every expression and every target of a substitution.
pub(super) fn walk_subst(
    subst: &mut Subst,
    each: &mut dyn FnMut(&mut Expr),
    target: &mut dyn FnMut(&mut Target),
) {
    match &mut subst.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(targets, values) => {
            walk_targets(targets, each, target);
            values.iter_mut().for_each(|value| walk_expr(value, each));
        }
        SubstKind::BecomesElement(targets, set) => {
            walk_targets(targets, each, target);
            walk_expr(set, each);
        }
        SubstKind::BecomesSuch(vars, _, pred) => {
            for var in vars {
                walk_var(var, pred.span, target);
            }
            walk_pred(pred, each);
        }
        SubstKind::Parallel(all) | SubstKind::Sequence(all) | SubstKind::Choice(all) => {
            all.iter_mut().for_each(|s| walk_subst(s, each, target));
        }
        SubstKind::Pre(pred, body)
        | SubstKind::Assert(pred, body)
        | SubstKind::Any(_, pred, body) => {
            walk_pred(pred, each);
            walk_subst(body, each, target);
        }
        SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
            for (pred, body) in branches {
                walk_pred(pred, each);
                walk_subst(body, each, target);
            }
            walk_otherwise(otherwise, each, target);
        }
        SubstKind::Let(equations, body) => {
            walk_equations(equations, each);
            walk_subst(body, each, target);
        }
        SubstKind::Var(_, body) => walk_subst(body, each, target),
        SubstKind::Case(chosen, branches, otherwise) => {
            walk_expr(chosen, each);
            for (values, body) in branches {
                values.iter_mut().for_each(|value| walk_expr(value, each));
                walk_subst(body, each, target);
            }
            walk_otherwise(otherwise, each, target);
        }
        SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        } => {
            walk_pred(condition, each);
            walk_subst(body, each, target);
            walk_pred(invariant, each);
            walk_expr(variant, each);
        }
        SubstKind::Call {
            arguments, results, ..
        } => {
            arguments.iter_mut().for_each(|expr| walk_expr(expr, each));
            walk_targets(results, each, target);
        }
    }
}

fn walk_otherwise(
    otherwise: &mut Option<Box<Subst>>,
    each: &mut dyn FnMut(&mut Expr),
    target: &mut dyn FnMut(&mut Target),
) {
    if let Some(body) = otherwise {
        walk_subst(body, each, target);
    }
}

fn walk_targets(
    targets: &mut [Target],
    each: &mut dyn FnMut(&mut Expr),
    target: &mut dyn FnMut(&mut Target),
) {
    for place in targets {
        for step in &mut place.path {
            if let Selector::At(expr) = step {
                walk_expr(expr, each);
            }
        }
        target(place);
    }
}

/// A variable without a path, as a target.
fn walk_var(var: &mut AssignedVar, span: Span, target: &mut dyn FnMut(&mut Target)) {
    let mut place = Target {
        var: *var,
        path: Vec::new(),
        span,
    };
    target(&mut place);
    *var = place.var;
}
