//! Formulas of a machine as searches know them, and back.

use super::{BinaryTemporal, PathQuantifier, UnaryTemporal};
use crate::typed::Temporal;
use system::branching::{Binary, Formula as BranchingFormula, Quantifier, Unary};
use system::formula::Formula as LinearFormula;

/// A formula of linear time.
pub(crate) fn linear(formula: &Temporal) -> LinearFormula {
    let of = |f: &Temporal| Box::new(linear(f));
    let yes = || LinearFormula::And(Vec::new());
    match formula {
        Temporal::Constant(true) => yes(),
        Temporal::Constant(false) => LinearFormula::Not(Box::new(yes())),
        Temporal::Atom(n) => LinearFormula::Atom(*n as u32),
        Temporal::Not(f) => LinearFormula::Not(of(f)),
        Temporal::And(f, g) => LinearFormula::And(vec![*of(f), *of(g)]),
        Temporal::Or(f, g) => LinearFormula::Or(vec![*of(f), *of(g)]),
        Temporal::Implies(f, g) => LinearFormula::Or(vec![LinearFormula::Not(of(f)), *of(g)]),
        Temporal::Iff(f, g) => {
            let both = LinearFormula::And(vec![*of(f), *of(g)]);
            let none =
                LinearFormula::And(vec![LinearFormula::Not(of(f)), LinearFormula::Not(of(g))]);
            LinearFormula::Or(vec![both, none])
        }
        Temporal::Unary(_, unary, f) => match unary {
            UnaryTemporal::Next => LinearFormula::Next(of(f)),
            UnaryTemporal::Finally => LinearFormula::Eventually(of(f)),
            UnaryTemporal::Globally => LinearFormula::Always(of(f)),
            UnaryTemporal::Yesterday => LinearFormula::Yesterday(of(f)),
            UnaryTemporal::Once => LinearFormula::Once(of(f)),
            UnaryTemporal::Historically => LinearFormula::Historically(of(f)),
        },
        Temporal::Binary(_, binary, f, g) => match binary {
            BinaryTemporal::Until => LinearFormula::Until(of(f), of(g)),
            BinaryTemporal::WeakUntil => LinearFormula::WeakUntil(of(f), of(g)),
            BinaryTemporal::Release => LinearFormula::Release(of(f), of(g)),
            BinaryTemporal::Since => LinearFormula::Since(of(f), of(g)),
            BinaryTemporal::Trigger => {
                let [f, g] = [of(f), of(g)].map(|f| Box::new(LinearFormula::Not(f)));
                LinearFormula::Not(Box::new(LinearFormula::Since(f, g)))
            }
        },
        Temporal::Quantified(..) => unreachable!("quantifiers are written out"),
    }
}

/// A formula of branching time.
pub(crate) fn branching(formula: &Temporal) -> BranchingFormula {
    let of = |f: &Temporal| Box::new(branching(f));
    let runs = |path: &Option<PathQuantifier>| match path {
        Some(PathQuantifier::Some) => Quantifier::Some,
        Some(PathQuantifier::All) | None => Quantifier::All,
    };
    match formula {
        Temporal::Constant(value) => BranchingFormula::Constant(*value),
        Temporal::Atom(n) => BranchingFormula::Atom(*n as u32),
        Temporal::Not(f) => BranchingFormula::Not(of(f)),
        Temporal::And(f, g) => BranchingFormula::And(of(f), of(g)),
        Temporal::Or(f, g) => BranchingFormula::Or(of(f), of(g)),
        Temporal::Implies(f, g) => BranchingFormula::Implies(of(f), of(g)),
        Temporal::Iff(f, g) => BranchingFormula::Iff(of(f), of(g)),
        Temporal::Unary(path, unary, f) => {
            let unary = match unary {
                UnaryTemporal::Next => Unary::Next,
                UnaryTemporal::Finally => Unary::Finally,
                UnaryTemporal::Globally => Unary::Globally,
                UnaryTemporal::Yesterday | UnaryTemporal::Once | UnaryTemporal::Historically => {
                    unreachable!("operators of the past are of linear time")
                }
            };
            BranchingFormula::Unary(runs(path), unary, of(f))
        }
        Temporal::Binary(path, binary, f, g) => {
            let binary = match binary {
                BinaryTemporal::Until => Binary::Until,
                BinaryTemporal::WeakUntil => Binary::WeakUntil,
                BinaryTemporal::Release => Binary::Release,
                BinaryTemporal::Since | BinaryTemporal::Trigger => {
                    unreachable!("operators of the past are of linear time")
                }
            };
            BranchingFormula::Binary(runs(path), binary, of(f), of(g))
        }
        Temporal::Quantified(..) => unreachable!("quantifiers are written out"),
    }
}

/// The formula of a machine that a formula of linear time is.
pub(crate) fn temporal(formula: &LinearFormula) -> Temporal {
    let of = |f: &LinearFormula| Box::new(temporal(f));
    let all = |list: &[LinearFormula], none: bool, join: fn(_, _) -> Temporal| {
        let parts = list.iter().map(temporal);
        let joined = parts.reduce(|a, b| join(Box::new(a), Box::new(b)));
        joined.unwrap_or(Temporal::Constant(none))
    };
    let unary = |unary, f: &LinearFormula| Temporal::Unary(None, unary, of(f));
    let binary =
        |binary, f: &LinearFormula, g: &LinearFormula| Temporal::Binary(None, binary, of(f), of(g));
    match formula {
        LinearFormula::Atom(n) => Temporal::Atom(*n as usize),
        LinearFormula::Not(f) => Temporal::Not(of(f)),
        LinearFormula::And(list) => all(list, true, Temporal::And),
        LinearFormula::Or(list) => all(list, false, Temporal::Or),
        LinearFormula::Next(f) => unary(UnaryTemporal::Next, f),
        LinearFormula::Eventually(f) => unary(UnaryTemporal::Finally, f),
        LinearFormula::Always(f) => unary(UnaryTemporal::Globally, f),
        LinearFormula::Until(f, g) => binary(BinaryTemporal::Until, f, g),
        LinearFormula::WeakUntil(f, g) => binary(BinaryTemporal::WeakUntil, f, g),
        LinearFormula::Release(f, g) => binary(BinaryTemporal::Release, f, g),
        LinearFormula::Yesterday(f) => unary(UnaryTemporal::Yesterday, f),
        LinearFormula::Once(f) => unary(UnaryTemporal::Once, f),
        LinearFormula::Historically(f) => unary(UnaryTemporal::Historically, f),
        LinearFormula::Since(f, g) => binary(BinaryTemporal::Since, f, g),
    }
}
