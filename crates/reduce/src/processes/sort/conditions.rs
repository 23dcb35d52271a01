//! Conditions of which one always holds.
//!
//! `if :: i == me -> … :: i != me -> … fi` never blocks, although there is no `else`. Whether one
//! of several conditions always holds is decided by trying: each expression that is compared with
//! constants takes values below, at and above each of these, each two expressions that are
//! compared with each other are less, equal or greater, and everything else is false or true.
//! These are more cases than there can be, so that what holds in all of them holds always.
//!
//! Worked example: `x < 2`, `x >= 2 && !b`, `b`. The values 1, 2 and 3 for `x` and both for `b` are
//! six cases, and in each of them one of the three conditions holds.

use model::processes::expr::{
    Binary, Expr, ExprId, Owner, Place, Probe, Unary, operands, place_operands,
};
use model::processes::machine;
use model::processes::program::Model;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The most cases that are tried.
const N_CASES_MAX: usize = 4096;

/// A condition over [`Cases`].
enum Formula {
    Constant(bool),
    /// An expression compared with a constant.
    Number(String, Binary, i32),
    /// Two expressions compared with each other.
    Pair(String, Binary),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// One value for each expression, one order for each pair.
#[derive(Default)]
struct Cases {
    numbers: BTreeMap<String, i32>,
    pairs: BTreeMap<String, Ordering>,
}

/// Whether in every state one of the conditions holds, unless evaluating one goes wrong.
pub(super) fn exhaustive(text: &Model, conditions: &[ExprId]) -> bool {
    let all = conditions.iter().map(|e| formula(text, *e));
    Formula::Or(all.collect()).is_valid()
}

/// Whether in every state one of two conditions holds and the other does not.
pub(super) fn opposite(text: &Model, a: ExprId, b: ExprId) -> bool {
    let not = |e: ExprId| Formula::Not(Box::new(formula(text, e)));
    exhaustive(text, &[a, b]) && Formula::Or(vec![not(a), not(b)]).is_valid()
}

impl Formula {
    /// Whether it holds in all cases.
    fn is_valid(&self) -> bool {
        let mut numbers: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
        let mut pairs = BTreeSet::new();
        self.collect(&mut numbers, &mut pairs);
        let n_numbers = numbers.values().map(BTreeSet::len);
        let sizes = n_numbers.chain(pairs.iter().map(|_| 3));
        let n_cases = sizes.fold(1_usize, |n, size| n.saturating_mul(size));
        let n_constants: usize = numbers.values().map(BTreeSet::len).sum();
        if n_cases > N_CASES_MAX || numbers.len() + 2 * pairs.len() > 3 || n_constants > 12 {
            return false;
        }
        (0..n_cases).all(|mut case| {
            let mut digit = |base: usize| {
                let digit = case % base;
                case /= base;
                digit
            };
            let mut cases = Cases::default();
            for (name, values) in &numbers {
                let value = values.iter().nth(digit(values.len()));
                cases
                    .numbers
                    .insert(name.clone(), value.copied().unwrap_or(0));
            }
            for name in &pairs {
                let order = [Ordering::Less, Ordering::Equal, Ordering::Greater][digit(3)];
                cases.pairs.insert(name.clone(), order);
            }
            self.holds(&cases)
        })
    }

    fn collect(&self, numbers: &mut BTreeMap<String, BTreeSet<i32>>, pairs: &mut BTreeSet<String>) {
        match self {
            Formula::Constant(_) => {}
            Formula::Number(name, _, c) => {
                let near = [c.checked_sub(1), Some(*c), c.checked_add(1)];
                let values = numbers.entry(name.clone()).or_default();
                values.extend(near.into_iter().flatten());
            }
            Formula::Pair(name, _) => {
                pairs.insert(name.clone());
            }
            Formula::Not(one) => one.collect(numbers, pairs),
            Formula::And(all) | Formula::Or(all) => {
                all.iter().for_each(|one| one.collect(numbers, pairs));
            }
        }
    }

    fn holds(&self, cases: &Cases) -> bool {
        match self {
            Formula::Constant(truth) => *truth,
            Formula::Number(name, op, c) => {
                let value = cases.numbers.get(name).copied().unwrap_or(0);
                machine::binary(*op, value, *c).is_ok_and(|v| v != 0)
            }
            Formula::Pair(name, op) => {
                let order = cases.pairs.get(name).copied().unwrap_or(Ordering::Equal);
                machine::binary(*op, order as i32, 0).is_ok_and(|v| v != 0)
            }
            Formula::Not(one) => !one.holds(cases),
            Formula::And(all) => all.iter().all(|one| one.holds(cases)),
            Formula::Or(all) => all.iter().any(|one| one.holds(cases)),
        }
    }
}

/// The truth of an expression.
fn formula(text: &Model, e: ExprId) -> Formula {
    let parts = |all: &[ExprId]| all.iter().map(|e| formula(text, *e)).collect();
    match text.expr(e) {
        Expr::Const(v) => Formula::Constant(*v != 0),
        Expr::Unary(Unary::Not, a) => Formula::Not(Box::new(formula(text, *a))),
        Expr::And(all) => Formula::And(parts(all)),
        Expr::Or(all) => Formula::Or(parts(all)),
        Expr::Binary(op, a, b) if is_comparison(*op) => compared(text, *op, *a, *b),
        Expr::Probe(Probe::NotFull, c) => {
            let full = spelled(text, *c, "full");
            Formula::Not(Box::new(Formula::Number(full, Binary::NotEqual, 0)))
        }
        Expr::Probe(Probe::NotEmpty, c) => {
            let empty = spelled(text, *c, "empty");
            Formula::Not(Box::new(Formula::Number(empty, Binary::NotEqual, 0)))
        }
        Expr::Probe(Probe::Full, c) => {
            Formula::Number(spelled(text, *c, "full"), Binary::NotEqual, 0)
        }
        Expr::Probe(Probe::Empty, c) => {
            Formula::Number(spelled(text, *c, "empty"), Binary::NotEqual, 0)
        }
        _ => Formula::Number(spelled(text, e, ""), Binary::NotEqual, 0),
    }
}

fn compared(text: &Model, op: Binary, a: ExprId, b: ExprId) -> Formula {
    match (text.expr(a), text.expr(b)) {
        (Expr::Const(a), Expr::Const(b)) => {
            Formula::Constant(machine::binary(op, *a, *b).is_ok_and(|v| v != 0))
        }
        (_, Expr::Const(c)) => Formula::Number(spelled(text, a, ""), op, *c),
        (Expr::Const(c), _) => Formula::Number(spelled(text, b, ""), turned(op), *c),
        _ => {
            let (a, b) = (spelled(text, a, ""), spelled(text, b, ""));
            if a <= b {
                Formula::Pair(format!("{a} ? {b}"), op)
            } else {
                Formula::Pair(format!("{b} ? {a}"), turned(op))
            }
        }
    }
}

pub(super) fn is_comparison(op: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        op,
        Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
    )
}

/// The comparison with its operands exchanged.
pub(super) fn turned(op: Binary) -> Binary {
    match op {
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        other => other,
    }
}

/// An expression as a text: equal texts have equal values in one state.
pub(super) fn spelled(text: &Model, e: ExprId, about: &str) -> String {
    let expr = text.expr(e);
    let head = match expr {
        Expr::Read(place) => return spelled_place(text, place, about),
        Expr::Unary(op, _) => format!("{op:?}"),
        Expr::Binary(op, ..) => format!("{op:?}"),
        Expr::And(_) => "and".to_owned(),
        Expr::Or(_) => "or".to_owned(),
        Expr::Choice(_) => "choice".to_owned(),
        Expr::Const(_) | Expr::Pid | Expr::NProcesses => format!("{expr:?}"),
        Expr::Probe(probe, _) => format!("{probe:?}"),
        // What is not spelled out is like nothing else.
        _ => format!("number {}", e.index()),
    };
    let mut parts = Vec::new();
    operands(expr, &mut |e| parts.push(spelled(text, e, "")));
    format!("{about}({head} {})", parts.join(" "))
}

/// As [`spelled`], for what is in a place.
pub(super) fn spelled_place(text: &Model, place: &Place, about: &str) -> String {
    let owner = match place.owner {
        Owner::Globals => "globals".to_owned(),
        Owner::Own => "own".to_owned(),
        Owner::Other(p, _) => format!("other {}", p.index()),
    };
    let mut parts = Vec::new();
    place_operands(place, &mut |e| parts.push(spelled(text, e, "")));
    let field = place.field.index();
    format!("{about}({owner} {field} {})", parts.join(" "))
}
