//! The nodes of a typed tree, one after the other, without recursion.
//!
//! All questions about single nodes go through [`push_parts`]: every field of every kind of node is
//! named there, so that a construct that is new cannot be passed over.
//!
//! Worked example: from `f(p) = 1` come the comparison, `1`, the application, `p` and `f`.

use crate::typed::{Call, Expr, ExprKind, Pred, PredKind, Step, Subst, SubstKind, Target};

/// A node of a typed tree.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Pred(&'a Pred),
    Expr(&'a Expr),
    Subst(&'a Subst),
}

/// Calls `visit` with every node at or below `root`, until it says `false`; whether it never did.
pub(super) fn all_nodes<'a>(root: Node<'a>, mut visit: impl FnMut(Node<'a>) -> bool) -> bool {
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
pub(super) fn arguments(call: &Call) -> impl Iterator<Item = Node<'_>> {
    call.arguments.iter().map(Node::Expr)
}

/// Adds the nodes directly below one.
fn push_parts<'a>(node: Node<'a>, out: &mut Vec<Node<'a>>) {
    match node {
        Node::Pred(pred) => push_pred(pred, out),
        Node::Expr(expr) => push_expr(expr, out),
        Node::Subst(subst) => push_subst(subst, out),
    }
}

fn push_pred<'a>(pred: &'a Pred, out: &mut Vec<Node<'a>>) {
    match &pred.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(all) | PredKind::Or(all) => out.extend(all.iter().map(Node::Pred)),
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
            out.extend([Node::Pred(p), Node::Pred(q)]);
        }
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => {
            out.push(Node::Pred(p));
        }
        PredKind::Compare(_, a, b) => out.extend([Node::Expr(a), Node::Expr(b)]),
        PredKind::Let(values, p) => {
            out.extend(values.iter().map(|(_, value)| Node::Expr(value)));
            out.push(Node::Pred(p));
        }
        PredKind::If(p, q, r) => out.extend([Node::Pred(p), Node::Pred(q), Node::Pred(r)]),
    }
}

fn push_expr<'a>(expr: &'a Expr, out: &mut Vec<Node<'a>>) {
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
        | ExprKind::Struct(all) => out.extend(all.iter().map(Node::Expr)),
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => out.push(Node::Expr(a)),
        ExprKind::Binary(_, a, b) => out.extend([Node::Expr(a), Node::Expr(b)]),
        ExprKind::Comprehension(_, p) | ExprKind::BoolOf(p) => out.push(Node::Pred(p)),
        ExprKind::Lambda(_, p, e) | ExprKind::Quantified(_, _, p, e) => {
            out.extend([Node::Pred(p), Node::Expr(e)]);
        }
        ExprKind::If(p, a, b) => out.extend([Node::Pred(p), Node::Expr(a), Node::Expr(b)]),
        ExprKind::Let(values, e) => {
            out.extend(values.iter().map(|(_, value)| Node::Expr(value)));
            out.push(Node::Expr(e));
        }
    }
}

fn push_subst<'a>(subst: &'a Subst, out: &mut Vec<Node<'a>>) {
    match &subst.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(targets, values) => {
            push_targets(targets, out);
            out.extend(values.iter().map(Node::Expr));
        }
        SubstKind::BecomesElement(targets, set) => {
            push_targets(targets, out);
            out.push(Node::Expr(set));
        }
        SubstKind::BecomesSuch(_, _, p) => out.push(Node::Pred(p)),
        SubstKind::Parallel(all) | SubstKind::Sequence(all) | SubstKind::Choice(all) => {
            out.extend(all.iter().map(Node::Subst));
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) | SubstKind::Any(_, p, s) => {
            out.extend([Node::Pred(p), Node::Subst(s)]);
        }
        SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
            for (p, s) in branches {
                out.extend([Node::Pred(p), Node::Subst(s)]);
            }
            out.extend(otherwise.as_deref().map(Node::Subst));
        }
        SubstKind::Let(values, s) => {
            out.extend(values.iter().map(|(_, value)| Node::Expr(value)));
            out.push(Node::Subst(s));
        }
        SubstKind::Var(_, s) => out.push(Node::Subst(s)),
        SubstKind::Case(e, alternatives, otherwise) => {
            out.push(Node::Expr(e));
            for (values, s) in alternatives {
                out.extend(values.iter().map(Node::Expr));
                out.push(Node::Subst(s));
            }
            out.extend(otherwise.as_deref().map(Node::Subst));
        }
        SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        } => {
            out.extend([Node::Pred(condition), Node::Subst(body)]);
            out.extend([Node::Pred(invariant), Node::Expr(variant)]);
        }
        SubstKind::Call {
            operation: _,
            arguments,
            results,
        } => {
            out.extend(arguments.iter().map(Node::Expr));
            push_targets(results, out);
        }
    }
}

fn push_targets<'a>(targets: &'a [Target], out: &mut Vec<Node<'a>>) {
    for step in targets.iter().flat_map(|target| &target.path) {
        match step {
            Step::At(expr) => out.push(Node::Expr(expr)),
            Step::Field(_) => {}
        }
    }
}
