//! How large sets may become.
//!
//! Operators on explicit sets make explicit sets, and some of them make many pairs of few: the
//! parallel product of two relations of ten thousand pairs has a hundred million. Operators on
//! symbolic sets make symbolic ones, which grow by one operator with each round of a loop. Both are
//! cut before they take the memory, or the stack of whoever walks over them.

use std::collections::HashMap;

use base::Span;

use super::sets::symbolic;
use super::{Eval, Fault, LIST_MAX, TroubleKind};
use crate::typed::Binary;
use crate::value::{Set, Symbolic, Value};

/// Symbolic sets of more operators than this are not made.
const N_OPERATORS_MAX: usize = 2000;

/// Relations between more elements than this are not closed under composition.
const FIELD_MAX: usize = 1 << 13;

/// Cut if a set of so many elements is too large.
pub(super) fn fits(n: usize, span: Span) -> Eval<()> {
    if n as u64 > LIST_MAX {
        Err(Fault::new(TroubleKind::NoList, span))
    } else {
        Ok(())
    }
}

/// A symbolic set, unless it is made of too many operators.
pub(super) fn kept(op: Binary, a: Value, b: Value, span: Span) -> Eval<Value> {
    let made = symbolic(Symbolic::Binary(op, a, b));
    let mut open = vec![&made];
    let mut n = 0;
    while let Some(value) = open.pop() {
        let Value::Symbolic(set) = value else {
            continue;
        };
        n += 1;
        if n > N_OPERATORS_MAX {
            return Err(Fault::new(TroubleKind::NoList, span));
        }
        match &**set {
            Symbolic::Unary(_, of) => open.push(of),
            Symbolic::Binary(_, a, b) => open.extend([a, b]),
            Symbolic::Closure(_, captured) => open.extend(captured),
            Symbolic::Struct(fields) => open.extend(fields),
            Symbolic::Interval(..) | Symbolic::Texts | Symbolic::Step(_) => {}
        }
    }
    Ok(made)
}

/// Cut if an operator on two explicit relations makes too many pairs.
pub(super) fn pairs_fit(op: Binary, x: &Set, y: &Set, span: Span) -> Eval<()> {
    if (x.len() as u64).saturating_mul(y.len() as u64) <= LIST_MAX {
        return Ok(());
    }
    let n = match op {
        Binary::Override => x.len().saturating_add(y.len()),
        Binary::ParallelProduct => x.len().saturating_mul(y.len()),
        Binary::Compose | Binary::DirectProduct => {
            let mut n_right: HashMap<Value, usize> = HashMap::new();
            for (left, _) in y.pairs() {
                *n_right.entry(left).or_default() += 1;
            }
            let met = |(left, right): (Value, Value)| {
                let middle = if op == Binary::Compose { right } else { left };
                n_right.get(&middle).copied().unwrap_or(0)
            };
            x.pairs().map(met).fold(0, usize::saturating_add)
        }
        _ => return Ok(()),
    };
    fits(n, span)
}

/// Cut if a relation has too many elements on its sides to be composed with itself again and again.
pub(super) fn closure_fits(relation: &Set, span: Span) -> Eval<()> {
    let n = relation.dom().len().max(relation.ran().len());
    if n > FIELD_MAX {
        Err(Fault::new(TroubleKind::NoList, span))
    } else {
        Ok(())
    }
}
