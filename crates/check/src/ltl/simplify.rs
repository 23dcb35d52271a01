//! Negation normal form and simplification: from any formula to one with negation at atoms only and
//! the operators `&&`, `||`, `X`, `U`, `R`, `<>`, `[]`.
//!
//! Every part of the formula is built twice, as it is and negated, from the two forms of its own
//! parts: `!(a U b)` is `!a R !b`, and so on. Each is built by [`super::rules`], which makes it as
//! small as it can. A shared part is built once, so `<->` costs no more than its parts.
//!
//! Worked example: `!(p -> [] q)` is `p && !([] q)`, and that `p && <> !q`.

use super::formula::{FormulaId, Node, Pool};
use super::rules::Rules;
use std::collections::HashMap;

/// How many rewritings of one formula there may be; beyond, it stays larger than it could be.
const N_REWRITINGS_MAX: u32 = 20_000;

/// A formula in negation normal form that the same words satisfy.
///
/// # Requires
/// Operators are nested no deeper than [`super::DEPTH_MAX`].
///
/// # Ensures
/// It has atoms, negated atoms, `&&`, `||`, `X`, `U`, `R`, `<>` and `[]` only, or is a constant.
pub fn simplify(pool: &mut Pool, f: FormulaId) -> FormulaId {
    both_ways(pool, f, N_REWRITINGS_MAX).0
}

/// The same for the negation of the formula.
pub fn simplify_negation(pool: &mut Pool, f: FormulaId) -> FormulaId {
    both_ways(pool, f, N_REWRITINGS_MAX).1
}

/// The formula and its negation.
fn both_ways(pool: &mut Pool, f: FormulaId, fuel: u32) -> (FormulaId, FormulaId) {
    let parts = pool.parts_of(f);
    let mut forms: HashMap<FormulaId, (FormulaId, FormulaId)> = HashMap::new();
    let mut rules = Rules::new(pool, fuel);
    for part in parts {
        let form = built(&mut rules, part, &forms);
        forms.insert(part, form);
    }
    forms[&f]
}

fn built(
    rules: &mut Rules,
    part: FormulaId,
    forms: &HashMap<FormulaId, (FormulaId, FormulaId)>,
) -> (FormulaId, FormulaId) {
    let (yes, no) = (rules.pool.constant(true), rules.pool.constant(false));
    match rules.pool.node(part) {
        Node::True => (yes, no),
        Node::False => (no, yes),
        Node::Atom(_) => (part, rules.pool.not(part)),
        Node::Not(a) => (forms[&a].1, forms[&a].0),
        Node::And(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            (rules.and(a, b), rules.or(na, nb))
        }
        Node::Or(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            (rules.or(a, b), rules.and(na, nb))
        }
        Node::Implies(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            (rules.or(na, b), rules.and(a, nb))
        }
        Node::Iff(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            let same = (rules.and(a, b), rules.and(na, nb));
            let other = (rules.and(a, nb), rules.and(na, b));
            (rules.or(same.0, same.1), rules.or(other.0, other.1))
        }
        Node::Next(a) => {
            let (a, na) = forms[&a];
            (rules.next(a), rules.next(na))
        }
        Node::Eventually(a) => {
            let (a, na) = forms[&a];
            (rules.until(yes, a), rules.release(no, na))
        }
        Node::Always(a) => {
            let (a, na) = forms[&a];
            (rules.release(no, a), rules.until(yes, na))
        }
        Node::Until(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            (rules.until(a, b), rules.release(na, nb))
        }
        Node::Release(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            (rules.release(a, b), rules.until(na, nb))
        }
        // `a W b` is `b R (a || b)`, and `a M b` is `b U (a && b)`.
        Node::WeakUntil(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            let (one, none) = (rules.or(a, b), rules.and(na, nb));
            (rules.release(b, one), rules.until(nb, none))
        }
        Node::StrongRelease(a, b) => {
            let ((a, na), (b, nb)) = (forms[&a], forms[&b]);
            let (both, lacking) = (rules.and(a, b), rules.or(na, nb));
            (rules.until(b, both), rules.release(nb, lacking))
        }
    }
}
