//! Whether of several steps at most one can be taken.
//!
//! Options whose conditions exclude each other do not multiply the ways in which a process can go
//! on. Only what can be seen at once is seen: an `else`; `x == 1` beside `x == 2`; a condition and
//! its opposite, `x < y` beside `x >= y`. Conditions are the same if they are built alike.

use crate::processes::expr::{Binary, Expr, ExprId, Unary};
use crate::processes::program::{Action, Model, StepId};

/// Whether of these steps at most one can be taken, as far as that can be seen.
pub(super) fn exclusive(model: &Model, steps: &[StepId]) -> bool {
    let actions: Vec<&Action> = steps.iter().map(|s| &model.step(*s).action).collect();
    let pair = |a: &Action, b: &Action| match (a, b) {
        (Action::Else, _) | (_, Action::Else) => true,
        (Action::Test(a), Action::Test(b)) => contradict(model, *a, *b),
        _ => false,
    };
    (0..actions.len()).all(|i| (0..i).all(|j| pair(actions[i], actions[j])))
}

/// Whether two conditions cannot both hold: one is the other's opposite, or both compare the same
/// with different numbers.
fn contradict(model: &Model, a: ExprId, b: ExprId) -> bool {
    let negated = |a: ExprId, b: ExprId| match model.expr(a) {
        Expr::Unary(Unary::Not, x) => same(model, *x, b),
        _ => false,
    };
    if negated(a, b) || negated(b, a) {
        return true;
    }
    let (Expr::Binary(op, p, q), Expr::Binary(op2, r, s)) = (model.expr(a), model.expr(b)) else {
        return false;
    };
    let both = same(model, *p, *r) && same(model, *q, *s);
    let opposite = |a: Binary, b: Binary| {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(
            (a, b),
            (Equal, NotEqual | Less | Greater)
                | (Less, Greater | GreaterEqual)
                | (Greater, LessEqual)
        )
    };
    let constants = || match (model.expr(*q), model.expr(*s)) {
        (Expr::Const(x), Expr::Const(y)) => x != y,
        _ => false,
    };
    (both && (opposite(*op, *op2) || opposite(*op2, *op)))
        || (*op == Binary::Equal && *op2 == Binary::Equal && same(model, *p, *r) && constants())
}

/// Whether two expressions are the same, number for number.
fn same(model: &Model, a: ExprId, b: ExprId) -> bool {
    if a == b {
        return true;
    }
    let all = |x: &[ExprId], y: &[ExprId]| {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(model, *x, *y))
    };
    match (model.expr(a), model.expr(b)) {
        (Expr::Const(x), Expr::Const(y)) => x == y,
        (Expr::Read(x), Expr::Read(y)) => {
            x.owner == y.owner && x.field == y.field && all(&x.indices, &y.indices)
        }
        (Expr::Pid, Expr::Pid) => true,
        (Expr::Unary(f, x), Expr::Unary(g, y)) => f == g && same(model, *x, *y),
        (Expr::Binary(f, p, q), Expr::Binary(g, r, s)) => {
            f == g && same(model, *p, *r) && same(model, *q, *s)
        }
        (Expr::And(x), Expr::And(y)) | (Expr::Or(x), Expr::Or(y)) => all(x, y),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::exclusive;
    use crate::processes::expr::Binary;
    use crate::processes::passes::tests::build::Build;
    use crate::processes::program::{Action, StepId};

    #[test]
    fn opposites_and_different_numbers_exclude_each_other() {
        let mut b = Build::new();
        let p = b.declare();
        let (x, y) = (b.local(p), b.local(p));
        let lines = vec![
            (0, b.test(&x, 1), 1),
            (0, b.test(&x, 2), 1),
            (0, Action::Else, 1),
            (0, Action::Test(b.compare(&x, Binary::NotEqual, 1)), 1),
            (0, b.test(&y, 1), 1),
            (0, Action::Skip, 1),
        ];
        b.define(p, lines);
        let is = |steps: &[usize]| {
            let steps: Vec<StepId> = steps.iter().map(|s| StepId::new(*s)).collect();
            exclusive(&b.model, &steps)
        };
        assert!(is(&[0, 1, 2]) && is(&[0, 3]) && is(&[2, 5]) && is(&[5]));
        assert!(!is(&[1, 3]) && !is(&[0, 4]) && !is(&[0, 5]));
    }
}
