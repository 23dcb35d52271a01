//! Conditions in one form.
//!
//! `!(a && b)` and `!a || !b` are the same condition, and so are `!(x > 2)`, `x <= 2`, `x < 3` and
//! `3 > x`. Texts that differ in nothing else should not tell two processes apart. So in the copy
//! of the text that symmetry looks at, negations are moved inwards, comparisons by order become `<`
//! where they can, and constants are on the side that they are on in all of them.
//!
//! Operands are evaluated in the same order and as far as before, but for the two sides of a
//! comparison that is turned round, of which one cannot go wrong.

use model::processes::expr::{Binary, Expr, ExprId, Owner, Unary};
use model::processes::program::{Action, Model};

/// Brings all conditions of a text into one form.
pub(super) fn normalise(text: &mut Model) {
    let mut normal = Normal { text };
    for n in 0..normal.text.steps.len() {
        let action = normal.text.steps[n].action.clone();
        normal.text.steps[n].action = normal.action(&action);
    }
    for p in 0..normal.text.proctypes.len() {
        let provided = normal.text.proctypes[p].provided;
        normal.text.proctypes[p].provided = provided.map(|e| normal.condition(e, true));
    }
    let atoms = normal.text.atoms.clone();
    normal.text.atoms = atoms
        .into_iter()
        .map(|e| normal.condition(e, true))
        .collect();
}

struct Normal<'a> {
    text: &'a mut Model,
}

impl Normal<'_> {
    fn action(&mut self, action: &Action) -> Action {
        match action {
            Action::Test(e) => Action::Test(self.condition(*e, true)),
            Action::Assert(e) => Action::Assert(self.condition(*e, true)),
            Action::Assign(place, e) => Action::Assign(place.clone(), self.value(*e)),
            Action::All(all) => Action::All(all.iter().map(|part| self.action(part)).collect()),
            other => other.clone(),
        }
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        self.text.exprs.push(expr);
        ExprId::new(self.text.exprs.len() - 1)
    }

    /// An expression of which the value counts.
    fn value(&mut self, e: ExprId) -> ExprId {
        match self.text.expr(e).clone() {
            Expr::Unary(Unary::Not, a) if self.is_truth(a) => self.condition(a, false),
            _ if self.is_truth(e) => self.condition(e, true),
            Expr::Choice([test, a, b]) => {
                let test = self.condition(test, true);
                let (a, b) = (self.value(a), self.value(b));
                self.text.exprs[e.index()] = Expr::Choice([test, a, b]);
                e
            }
            _ => e,
        }
    }

    /// Whether an expression is 0 or 1, and a condition made of others.
    fn is_truth(&self, e: ExprId) -> bool {
        match self.text.expr(e) {
            Expr::And(_) | Expr::Or(_) => true,
            Expr::Binary(op, ..) => super::conditions::is_comparison(*op),
            _ => false,
        }
    }

    /// A condition, or its negation, of which only the truth counts; if it is made of others, it is
    /// 0 or 1.
    fn condition(&mut self, e: ExprId, holds: bool) -> ExprId {
        match self.text.expr(e).clone() {
            Expr::Unary(Unary::Not, a) => self.condition(a, !holds),
            Expr::And(all) => self.junction(&all, holds, true),
            Expr::Or(all) => self.junction(&all, holds, false),
            Expr::Binary(op, a, b) if super::conditions::is_comparison(op) => {
                let op = if holds { op } else { negated(op) };
                self.comparison(op, a, b)
            }
            Expr::Const(v) if !holds => self.add(Expr::Const(i32::from(v == 0))),
            _ if holds => e,
            _ => self.add(Expr::Unary(Unary::Not, e)),
        }
    }

    fn junction(&mut self, all: &[ExprId], holds: bool, and: bool) -> ExprId {
        let parts = all.iter().map(|e| self.condition(*e, holds)).collect();
        self.add(if and == holds {
            Expr::And(parts)
        } else {
            Expr::Or(parts)
        })
    }

    fn comparison(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        let free = self.is_safe(a) || self.is_safe(b);
        let (op, a, b) = match op {
            Binary::Greater if free => (Binary::Less, b, a),
            Binary::GreaterEqual if free => (Binary::LessEqual, b, a),
            op => (op, a, b),
        };
        let constant = |e: ExprId| match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            _ => None,
        };
        let (left, right) = (constant(a), constant(b));
        match (op, left, right) {
            (Binary::LessEqual, _, Some(v)) if v < i32::MAX => {
                let next = self.add(Expr::Const(v + 1));
                self.add(Expr::Binary(Binary::Less, a, next))
            }
            (Binary::LessEqual, Some(v), _) if v > i32::MIN => {
                let before = self.add(Expr::Const(v - 1));
                self.add(Expr::Binary(Binary::Less, before, b))
            }
            _ => self.add(Expr::Binary(op, a, b)),
        }
    }

    /// Whether evaluating an expression cannot go wrong.
    fn is_safe(&self, e: ExprId) -> bool {
        match self.text.expr(e) {
            Expr::Const(_) | Expr::Pid => true,
            Expr::Read(place) => {
                place.indices.is_empty() && !matches!(place.owner, Owner::Other(..))
            }
            _ => false,
        }
    }
}

fn negated(op: Binary) -> Binary {
    match op {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        _ => Binary::Equal,
    }
}
