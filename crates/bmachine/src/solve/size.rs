//! About how many elements a set will have, as far as the text says.

use crate::eval::World;
use crate::eval::code::{Ex, ExKind};
use crate::eval::compile::whole;
use crate::eval::list::estimate;
use crate::typed::{Binary, Type, Unary};
use crate::value::{Value, number};

/// What has no bound counts as so many candidates.
pub(crate) const UNBOUNDED: f64 = 1e15;
/// From here on there are many candidates.
pub const MANY: f64 = 64.0;

/// About how many elements a set has, never more than its type has.
pub fn size(set: &Ex, world: &World) -> f64 {
    let limit = match &set.ty {
        Type::Set(of) => {
            let size = estimate(&whole(of, world));
            if size.is_nan() { UNBOUNDED } else { size }
        }
        _ => UNBOUNDED,
    };
    guess(set, world).min(limit).min(UNBOUNDED)
}

fn guess(set: &Ex, world: &World) -> f64 {
    let size = |set: &Ex| size(set, world);
    match &set.kind {
        ExKind::Const(value) => match estimate(value) {
            0.0 if matches!(value, Value::Symbolic(_)) => MANY,
            size => size,
        },
        ExKind::SetOf(elements) => elements.len() as f64,
        ExKind::Binary(Binary::Interval, low, high) => match (low.as_const(), high.as_const()) {
            (Some(low), Some(high)) => number::n_between(low, high),
            _ => 8.0,
        },
        ExKind::Binary(Binary::Product, a, b) => size(a) * size(b),
        ExKind::Binary(Binary::Union, a, b) => size(a) + size(b),
        ExKind::Binary(Binary::Intersection, a, b) => size(a).min(size(b)),
        ExKind::Binary(Binary::Difference, a, _) => size(a),
        ExKind::Binary(Binary::Relations, a, b) => (size(a) * size(b)).exp2(),
        ExKind::Binary(arrow, a, b) if is_arrow(*arrow) => function_cost(*arrow, size(a), size(b)),
        ExKind::Unary(Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1, of) => size(of).exp2(),
        ExKind::Unary(Unary::Seq | Unary::Seq1, _) => UNBOUNDED,
        ExKind::Unary(Unary::Perm | Unary::Iseq | Unary::Iseq1, of) => {
            let n = size(of);
            n.powf(n)
        }
        ExKind::Closure(closure) if closure.problem.may_be_infinite => UNBOUNDED,
        ExKind::Closure(closure) => closure.problem.cost,
        _ => 6.0,
    }
}

/// About how many functions there are from so many arguments to so many values.
pub(crate) fn function_cost(arrow: Binary, domain: f64, range: f64) -> f64 {
    let cost = match arrow {
        Binary::TotalFunctions | Binary::TotalSurjections => range.powf(domain),
        Binary::TotalInjections | Binary::TotalBijections => (0.6 * range).max(1.0).powf(domain),
        _ => (range + 1.0).powf(domain),
    };
    if cost.is_finite() {
        cost.min(UNBOUNDED)
    } else {
        UNBOUNDED
    }
}

/// Whether an operator makes a set of relations.
pub(crate) fn is_arrow(op: Binary) -> bool {
    let is_relation = matches!(
        op,
        Binary::Relations
            | Binary::TotalRelations
            | Binary::SurjectiveRelations
            | Binary::TotalSurjectiveRelations
    );
    is_relation || is_function(op)
}

/// Whether an operator makes a set of functions.
pub fn is_function(op: Binary) -> bool {
    matches!(
        op,
        Binary::PartialFunctions
            | Binary::TotalFunctions
            | Binary::PartialInjections
            | Binary::TotalInjections
            | Binary::PartialSurjections
            | Binary::TotalSurjections
            | Binary::PartialBijections
            | Binary::TotalBijections
    )
}
