//! Whether a formula has a value whatever its variables hold.
//!
//! A formula has one if each of its parts is of a kind that makes values of all values. Kinds that
//! do not are those with a domain (`f(x)`, `/`, `min`, `inter`, `first`, …), sums and products.
//! Some that are total are left out because nobody needs them; that costs symmetries and no
//! soundness. Answers that are *open*, because they were cut or because a variable has not been
//! given a value yet, are no matter here: connectives treat them alike from both sides
//! (`crates/bmachine/src/eval/kleene.rs`).
//!
//! Worked example: `p : dom(f) \/ {q}` has a truth value, `f(p) : S` has none for `p` outside of
//! the domain of `f`, and `r[{p}]` is a set, if an empty one.

use super::nodes::{TypedNode, all_nodes};
use crate::typed::{Binary, ExprKind, PredKind, Unary};

/// Whether the formula has a value in any case.
pub(super) fn has_value(root: TypedNode<'_>) -> bool {
    all_nodes(root, |node| match node {
        TypedNode::Pred(pred) => is_total_pred(&pred.kind),
        TypedNode::Expr(expr) => is_total_expr(&expr.kind),
        // A substitution is no part of a formula.
        TypedNode::Subst(_) => false,
    })
}

fn is_total_expr(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Unary(op, _) => is_total_unary(*op),
        ExprKind::Binary(op, _, _) => is_total_binary(*op),
        ExprKind::Quantified(..) => false,
        ExprKind::Int(_)
        | ExprKind::Big(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Element(..)
        | ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Carrier(_)
        | ExprKind::Known(_)
        | ExprKind::Empty
        | ExprKind::SetOf(_)
        | ExprKind::SeqOf(_)
        | ExprKind::Comprehension(..)
        | ExprKind::Lambda(..)
        | ExprKind::BoolOf(_)
        | ExprKind::Record(_)
        | ExprKind::Struct(_)
        | ExprKind::Field(..)
        | ExprKind::If(..)
        | ExprKind::Let(..) => true,
    }
}

/// Connectives, quantifiers and comparisons of values have truth values.
fn is_total_pred(kind: &PredKind) -> bool {
    match kind {
        PredKind::True
        | PredKind::False
        | PredKind::And(_)
        | PredKind::Or(_)
        | PredKind::Implies(..)
        | PredKind::Equivalent(..)
        | PredKind::Not(_)
        | PredKind::Forall(..)
        | PredKind::Exists(..)
        | PredKind::Compare(..)
        | PredKind::Let(..)
        | PredKind::If(..) => true,
    }
}

fn is_total_unary(op: Unary) -> bool {
    match op {
        Unary::Pow
        | Unary::Pow1
        | Unary::Fin
        | Unary::Fin1
        | Unary::Union
        | Unary::Dom
        | Unary::Ran
        | Unary::Inverse
        | Unary::Id
        | Unary::Fnc
        | Unary::Rel => true,
        Unary::Minus
        | Unary::Card
        | Unary::Min
        | Unary::Max
        | Unary::Inter
        | Unary::Closure1
        | Unary::Closure
        | Unary::Seq
        | Unary::Seq1
        | Unary::Iseq
        | Unary::Iseq1
        | Unary::Perm
        | Unary::Size
        | Unary::First
        | Unary::Last
        | Unary::Front
        | Unary::Tail
        | Unary::Rev
        | Unary::Conc => false,
    }
}

fn is_total_binary(op: Binary) -> bool {
    match op {
        Binary::Interval
        | Binary::Pair
        | Binary::Union
        | Binary::Intersection
        | Binary::Difference
        | Binary::Product
        | Binary::Relations
        | Binary::TotalRelations
        | Binary::SurjectiveRelations
        | Binary::TotalSurjectiveRelations
        | Binary::PartialFunctions
        | Binary::TotalFunctions
        | Binary::PartialInjections
        | Binary::TotalInjections
        | Binary::PartialSurjections
        | Binary::TotalSurjections
        | Binary::PartialBijections
        | Binary::TotalBijections
        | Binary::DomainRestrict
        | Binary::DomainSubtract
        | Binary::RangeRestrict
        | Binary::RangeSubtract
        | Binary::Override
        | Binary::Image => true,
        Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::Divide
        | Binary::Modulo
        | Binary::Power
        | Binary::DirectProduct
        | Binary::ParallelProduct
        | Binary::Compose
        | Binary::Iterate
        | Binary::Apply
        | Binary::First
        | Binary::Second
        | Binary::Concat
        | Binary::Prepend
        | Binary::Append
        | Binary::Take
        | Binary::Drop => false,
    }
}
