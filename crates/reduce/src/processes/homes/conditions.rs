//! Conditions on global variables, as they can be asked of states.

use model::processes::expr::{Binary, Expr, ExprId, Owner, Unary};
use model::processes::layout::Scalar;
use model::processes::machine;
use model::processes::program::Model;

/// A condition on what global variables hold.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Number(i32),
    /// What is kept at an offset of a state.
    Held(Scalar, usize),
    Unary(Unary, Box<Condition>),
    Binary(Binary, Box<Condition>, Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

impl Condition {
    /// The condition that an expression is; `None` if it depends on more than global variables.
    pub fn new(text: &Model, e: ExprId) -> Option<Condition> {
        let of = |e: ExprId| Condition::new(text, e);
        let all = |all: &[ExprId]| all.iter().map(|e| of(*e)).collect::<Option<Vec<_>>>();
        Some(match text.expr(e) {
            Expr::Const(v) => Condition::Number(*v),
            Expr::Read(place) if place.owner == Owner::Globals => {
                let field = &text.layout.globals().fields[place.field.index()];
                let mut n = 0;
                for (e, dimension) in place.indices.iter().zip(&field.dimensions) {
                    let Expr::Const(index) = text.expr(*e) else {
                        return None;
                    };
                    let index = u32::try_from(*index).ok();
                    n = n * dimension.count + index.filter(|i| *i < dimension.count)?;
                }
                Condition::Held(field.slot.scalar, field.element_at(n) as usize)
            }
            Expr::Unary(op, a) => Condition::Unary(*op, Box::new(of(*a)?)),
            Expr::Binary(op, a, b) => Condition::Binary(*op, Box::new(of(*a)?), Box::new(of(*b)?)),
            Expr::And(parts) => Condition::And(all(parts)?),
            Expr::Or(parts) => Condition::Or(all(parts)?),
            _ => return None,
        })
    }

    /// Whether it holds in a state; `None` if that goes wrong.
    pub fn holds(&self, state: &[u8]) -> Option<bool> {
        self.value(state).map(|value| value != 0)
    }

    fn value(&self, state: &[u8]) -> Option<i32> {
        match self {
            Condition::Number(v) => Some(*v),
            Condition::Held(scalar, at) => Some(scalar.load(state, *at)),
            Condition::Unary(op, a) => {
                let value = a.value(state)?;
                Some(match op {
                    Unary::Not => i32::from(value == 0),
                    Unary::Complement => !value,
                    Unary::Minus => value.wrapping_neg(),
                })
            }
            Condition::Binary(op, a, b) => {
                machine::binary(*op, a.value(state)?, b.value(state)?).ok()
            }
            Condition::And(all) => Condition::first(all, state, false),
            Condition::Or(all) => Condition::first(all, state, true),
        }
    }

    /// The value of a junction, which the first that is `end` decides.
    fn first(all: &[Condition], state: &[u8], end: bool) -> Option<i32> {
        for one in all {
            if one.holds(state)? == end {
                return Some(i32::from(end));
            }
        }
        Some(i32::from(!end))
    }
}
