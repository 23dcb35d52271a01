//! Comparisons with constants that C computes with 64 bits.
//!
//! **Problem.** Numbers are of 32 bits. But SPIN writes expressions into C text, and there the one
//! literal -2147483648 is the negative of 2147483648, which is too large for `int` and therefore
//! `long`. What is computed from it alone may lie outside 32 bits, and a comparison sees that.
//!
//! **Idea.** A constant expression with that literal in it is computed with 64 bits. If it comes
//! out too large, a comparison with it becomes the one with the largest number that has the same
//! answer; likewise if too small. What is compared is still evaluated, for it may go wrong.
//!
//! **Worked example.** SPIN reads 2147483648 as -2147483648, so `x < -2147483648` is `x <
//! -(-2147483648)`: x is less than 2147483648, always. It becomes `x <= 2147483647`.
//!
//! **Departures.** Variables beside the literal (`x - 2147483648 < y`) are computed with 32 bits.

use super::Lower;
use model::processes::expr::{Binary, Expr, ExprId, Unary};

impl Lower<'_> {
    /// A comparison, or whatever else has two operands.
    pub(super) fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        let (op, a, b) = match (self.beyond(a), self.beyond(b)) {
            (None, Some(value)) => self.within(op, a, b, value),
            (Some(value), None) => match mirrored(op) {
                Some(mirror) => self.within(mirror, b, a, value),
                None => (op, a, b),
            },
            _ => (op, a, b),
        };
        self.enter(Expr::Binary(op, a, b))
    }

    /// The comparison of `a` with a number within 32 bits that says the same as that with `value`.
    fn within(&mut self, op: Binary, a: ExprId, b: ExprId, value: i64) -> (Binary, ExprId, ExprId) {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let above = value > 0;
        let holds = match op {
            Less | LessEqual => above,
            Greater | GreaterEqual => !above,
            NotEqual => true,
            Equal => false,
            _ => return (op, a, b),
        };
        let (op, limit) = match (above, holds) {
            (true, true) => (LessEqual, i32::MAX),
            (true, false) => (Greater, i32::MAX),
            (false, true) => (GreaterEqual, i32::MIN),
            (false, false) => (Less, i32::MIN),
        };
        (op, a, self.number(limit))
    }

    /// The value of a constant that C computes with 64 bits, if it is outside 32.
    fn beyond(&self, id: ExprId) -> Option<i64> {
        let (value, wide) = self.constant(id)?;
        (wide && i32::try_from(value).is_err()).then_some(value)
    }

    /// The value of a constant, and whether C computes it with 64 bits.
    fn constant(&self, id: ExprId) -> Option<(i64, bool)> {
        let (value, wide) = match &self.exprs[id.index()] {
            Expr::Const(v) => (i64::from(*v), *v == i32::MIN),
            Expr::Unary(Unary::Minus, e) => {
                let (v, wide) = self.constant(*e)?;
                (v.checked_neg()?, wide)
            }
            Expr::Unary(Unary::Complement, e) => {
                let (v, wide) = self.constant(*e)?;
                (!v, wide)
            }
            Expr::Binary(op, a, b) => {
                let ((a, left), (b, right)) = (self.constant(*a)?, self.constant(*b)?);
                let value = match op {
                    Binary::Add => a.checked_add(b)?,
                    Binary::Subtract => a.checked_sub(b)?,
                    Binary::Multiply => a.checked_mul(b)?,
                    _ => return None,
                };
                (value, left || right)
            }
            _ => return None,
        };
        // What has 32 bits wraps, as everywhere.
        let value = if wide { value } else { i64::from(value as i32) };
        Some((value, wide))
    }
}

/// The comparison with its operands exchanged.
fn mirrored(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::Equal => Binary::Equal,
        Binary::NotEqual => Binary::NotEqual,
        _ => return None,
    })
}
