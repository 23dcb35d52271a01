//! Constant expressions: sizes of arrays, capacities of channels, numbers of processes.
//!
//! SPIN takes numbers with `+ - * / %` and parentheses there; `mtype` names count as numbers. The
//! one exception it makes, and so do we, is a lone variable as the size of an array or the number
//! of active processes: its constant initial value is used (8 where it is not positive).

use super::{Checker, Global};
use crate::ast::{Binary, Expr, ExprKind, Unary};
use crate::typed::{self, Initial};
use base::quote;

impl Checker<'_> {
    /// The value of a constant expression; `None` after an error, which is reported.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Unary(Unary::Minus, operand) => Some(self.constant(operand)?.wrapping_neg()),
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (self.constant(left)?, self.constant(right)?);
                let value = match operator {
                    Binary::Add => Some(a.wrapping_add(b)),
                    Binary::Subtract => Some(a.wrapping_sub(b)),
                    Binary::Multiply => Some(a.wrapping_mul(b)),
                    Binary::Divide if b != 0 => Some(a.wrapping_div(b)),
                    Binary::Remainder if b != 0 => Some(a.wrapping_rem(b)),
                    Binary::Divide | Binary::Remainder => {
                        self.error(expr.place, "this divides by zero");
                        return None;
                    }
                    _ => None,
                };
                if value.is_none() {
                    let message = "a constant here is made by `+`, `-`, `*`, `/` and `%` only";
                    self.error(expr.place, message);
                }
                value
            }
            ExprKind::Reference(reference) if reference.parts.len() == 1 => {
                let name = &reference.parts[0].name;
                match self.names.get(&name.text).map(|d| d.what) {
                    Some(Global::Constant(_, value)) => Some(value),
                    _ => {
                        let text = quote(&name.text);
                        let message = format!("a constant is needed here; {text} is none");
                        let error = self.origins.error(expr.place, message);
                        let note = "a `#define` can give a constant a name";
                        self.report(error.note(note));
                        None
                    }
                }
            }
            _ => {
                self.error(expr.place, "a constant is needed here");
                None
            }
        }
    }

    /// The value of a number or name that stands alone.
    pub(super) fn literal(&self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Reference(reference) if reference.parts.len() == 1 => {
                match self.names.get(&reference.parts[0].name.text)?.what {
                    Global::Constant(_, value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a constant, or the initial value of a lone variable.
    pub(super) fn constant_or_initial(&mut self, expr: &Expr, least: i32) -> Option<i32> {
        let ExprKind::Reference(reference) = &expr.kind else {
            return self.constant(expr);
        };
        let lone = reference.parts.len() == 1 && reference.parts[0].index.is_none();
        let variable = self.lookup(&reference.parts[0].name.text).filter(|_| lone);
        let Some(variable) = variable else {
            return self.constant(expr);
        };
        if let typed::Type::Member(_) = self.variable(variable).kind {
            return self.constant(expr);
        }
        let initial = match &self.variable(variable).initial {
            Initial::Value(typed::Expr {
                kind: typed::ExprKind::Number(value),
                ..
            }) => *value,
            Initial::Zero => 0,
            _ => return self.constant(expr),
        };
        let value = if initial < least { 8 } else { initial };
        let name = quote(&reference.parts[0].name.text);
        let message = format!("a variable stands for a constant here: {name} counts as {value}");
        self.warn(expr.place, message);
        Some(value)
    }
}
