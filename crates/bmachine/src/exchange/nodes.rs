//! The nodes of a typed tree, one after the other, without recursion.
//!
//! All questions about single nodes go through [`push_parts`]: every field of every kind of node is
//! named there, so that a construct that is new cannot be passed over.
//!
//! Worked example: from `f(p) = 1` come the comparison, `1`, the application, `p` and `f`.

use crate::typed::{
    CallPattern, Expr, ExprKind, Pred, PredKind, Selector, Subst, SubstKind, Target,
};

/// A node of a typed tree.
#[derive(Clone, Copy)]
pub(super) enum TypedNode<'a> {
    Pred(&'a Pred),
    Expr(&'a Expr),
    Subst(&'a Subst),
}

/// Calls `visit` with every node at or below `root`, until it says `false`; whether it never did.
pub(super) fn all_nodes<'a>(
    root: TypedNode<'a>,
    mut visit: impl FnMut(TypedNode<'a>) -> bool,
) -> bool {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if !visit(node) {
            return false;
        }
        push_parts(node, &mut waiting);
    }
    true
}

/// The expressions of a call that an atom asks about.
pub(super) fn arguments(call: &CallPattern) -> impl Iterator<Item = TypedNode<'_>> {
    call.arguments.iter().map(TypedNode::Expr)
}

/// Adds the nodes directly below one.
fn push_parts<'a>(node: TypedNode<'a>, out: &mut Vec<TypedNode<'a>>) {
    match node {
        TypedNode::Pred(pred) => push_pred(pred, out),
        TypedNode::Expr(expr) => push_expr(expr, out),
        TypedNode::Subst(subst) => push_subst(subst, out),
    }
}

fn push_pred<'a>(pred: &'a Pred, out: &mut Vec<TypedNode<'a>>) {
    match &pred.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(all) | PredKind::Or(all) => out.extend(all.iter().map(TypedNode::Pred)),
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
            out.extend([TypedNode::Pred(p), TypedNode::Pred(q)]);
        }
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => {
            out.push(TypedNode::Pred(p));
        }
        PredKind::Compare(_, a, b) => out.extend([TypedNode::Expr(a), TypedNode::Expr(b)]),
        PredKind::Let(values, p) => {
            out.extend(values.iter().map(|(_, value)| TypedNode::Expr(value)));
            out.push(TypedNode::Pred(p));
        }
        PredKind::If(p, q, r) => {
            out.extend([TypedNode::Pred(p), TypedNode::Pred(q), TypedNode::Pred(r)])
        }
    }
}

fn push_expr<'a>(expr: &'a Expr, out: &mut Vec<TypedNode<'a>>) {
    match &expr.kind {
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
        | ExprKind::Struct(all) => out.extend(all.iter().map(TypedNode::Expr)),
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => out.push(TypedNode::Expr(a)),
        ExprKind::Binary(_, a, b) => out.extend([TypedNode::Expr(a), TypedNode::Expr(b)]),
        ExprKind::Comprehension(_, p) | ExprKind::BoolOf(p) => out.push(TypedNode::Pred(p)),
        ExprKind::Lambda(_, p, e) | ExprKind::Quantified(_, _, p, e) => {
            out.extend([TypedNode::Pred(p), TypedNode::Expr(e)]);
        }
        ExprKind::If(p, a, b) => {
            out.extend([TypedNode::Pred(p), TypedNode::Expr(a), TypedNode::Expr(b)])
        }
        ExprKind::Let(values, e) => {
            out.extend(values.iter().map(|(_, value)| TypedNode::Expr(value)));
            out.push(TypedNode::Expr(e));
        }
    }
}

fn push_subst<'a>(subst: &'a Subst, out: &mut Vec<TypedNode<'a>>) {
    match &subst.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(targets, values) => {
            push_targets(targets, out);
            out.extend(values.iter().map(TypedNode::Expr));
        }
        SubstKind::BecomesElement(targets, set) => {
            push_targets(targets, out);
            out.push(TypedNode::Expr(set));
        }
        SubstKind::BecomesSuch(_, _, p) => out.push(TypedNode::Pred(p)),
        SubstKind::Parallel(all) | SubstKind::Sequence(all) | SubstKind::Choice(all) => {
            out.extend(all.iter().map(TypedNode::Subst));
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) | SubstKind::Any(_, p, s) => {
            out.extend([TypedNode::Pred(p), TypedNode::Subst(s)]);
        }
        SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
            for (p, s) in branches {
                out.extend([TypedNode::Pred(p), TypedNode::Subst(s)]);
            }
            out.extend(otherwise.as_deref().map(TypedNode::Subst));
        }
        SubstKind::Let(values, s) => {
            out.extend(values.iter().map(|(_, value)| TypedNode::Expr(value)));
            out.push(TypedNode::Subst(s));
        }
        SubstKind::Var(_, s) => out.push(TypedNode::Subst(s)),
        SubstKind::Case(e, alternatives, otherwise) => {
            out.push(TypedNode::Expr(e));
            for (values, s) in alternatives {
                out.extend(values.iter().map(TypedNode::Expr));
                out.push(TypedNode::Subst(s));
            }
            out.extend(otherwise.as_deref().map(TypedNode::Subst));
        }
        SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        } => {
            out.extend([TypedNode::Pred(condition), TypedNode::Subst(body)]);
            out.extend([TypedNode::Pred(invariant), TypedNode::Expr(variant)]);
        }
        SubstKind::Call {
            operation: _,
            arguments,
            results,
        } => {
            out.extend(arguments.iter().map(TypedNode::Expr));
            push_targets(results, out);
        }
    }
}

fn push_targets<'a>(targets: &'a [Target], out: &mut Vec<TypedNode<'a>>) {
    for step in targets.iter().flat_map(|target| &target.path) {
        match step {
            Selector::At(expr) => out.push(TypedNode::Expr(expr)),
            Selector::Field(_) => {}
        }
    }
}
