//! What expressions can come to, given what is known.
//!
//! All combinations of what their operands can be are tried, one after another.

use super::Verifier;
use super::reach::{Facts, Set};
use crate::processes::sort::reach::{Name, name};
use model::processes::expr::{Binary, Expr, ExprId, Probe, Unary, operands};
use model::processes::machine;
use std::collections::{BTreeMap, BTreeSet};

/// The most combinations that are tried.
const N_COMBINATIONS_MAX: usize = 512;

/// A value for each operand.
type Case = BTreeMap<Name, i32>;

impl Verifier<'_> {
    /// What an expression can be.
    pub(super) fn outcomes(&self, e: ExprId, facts: &Facts) -> Set {
        match self.sorts.text.expr(e) {
            Expr::Choice([test, a, b]) => {
                let mut all = BTreeSet::new();
                for (branch, truth) in [(*a, true), (*b, false)] {
                    if let Some(facts) = self.supposed(*test, truth, facts.clone()) {
                        all.extend(self.outcomes(branch, &facts)?);
                    }
                }
                Some(all)
            }
            Expr::Const(v) => Some(BTreeSet::from([*v])),
            Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_) => {
                match self.cases(e, facts) {
                    Some(cases) => {
                        let values = cases.iter().filter_map(|case| self.in_case(e, case));
                        Some(values.collect())
                    }
                    None => self.is_bit(e).then(|| BTreeSet::from([0, 1])),
                }
            }
            Expr::Probe(probe, _) if *probe != Probe::Length => Some(BTreeSet::from([0, 1])),
            Expr::Poll(_) | Expr::Enabled(_) | Expr::AtLocation(..) | Expr::Timeout => {
                Some(BTreeSet::from([0, 1]))
            }
            _ => self.operand(e, facts),
        }
    }

    /// What is known if an expression is true, or false; `None` if it cannot be.
    pub(super) fn supposed(&self, e: ExprId, truth: bool, facts: Facts) -> Option<Facts> {
        match (self.sorts.text.expr(e), truth) {
            (Expr::Unary(Unary::Not, a), _) => self.supposed(*a, !truth, facts),
            (Expr::And(all), true) | (Expr::Or(all), false) => {
                let mut all = all.iter();
                all.try_fold(facts, |facts, e| self.supposed(*e, truth, facts))
            }
            _ => {
                let Some(cases) = self.cases(e, &facts) else {
                    return Some(facts);
                };
                let fits = |case: &&Case| self.in_case(e, case).is_some_and(|v| (v != 0) == truth);
                let fitting: Vec<&Case> = cases.iter().filter(fits).collect();
                let first = fitting.first()?;
                let mut facts = facts;
                for name in first
                    .keys()
                    .filter(|name| name.first().is_some_and(|n| *n >= 0))
                {
                    let values = fitting.iter().map(|case| case[name]).collect();
                    facts.insert(name.clone(), values);
                }
                Some(facts)
            }
        }
    }

    /// The name of an operand; one of which nothing can be known has one that no place has.
    fn operand_name(&self, e: ExprId) -> Name {
        let known = match self.sorts.text.expr(e) {
            Expr::Read(place) => name(&self.sorts.text, place),
            Expr::Pid => Some(Name::new()),
            _ => None,
        };
        known.unwrap_or_else(|| vec![-1, e.index() as i32])
    }

    /// All combinations of what the operands of an expression can be, if they are few.
    fn cases(&self, e: ExprId, facts: &Facts) -> Option<Vec<Case>> {
        let mut cases = vec![Case::new()];
        self.extend(e, facts, &mut cases)?;
        Some(cases)
    }

    fn extend(&self, e: ExprId, facts: &Facts, cases: &mut Vec<Case>) -> Option<()> {
        let expr = self.sorts.text.expr(e);
        let values = match expr {
            Expr::Const(_) => return Some(()),
            Expr::Unary(..) | Expr::Binary(..) | Expr::And(_) | Expr::Or(_) | Expr::Choice(_) => {
                let mut all = Vec::new();
                operands(expr, &mut |e| all.push(e));
                return all
                    .into_iter()
                    .try_for_each(|e| self.extend(e, facts, cases).ok_or(()))
                    .ok();
            }
            _ => self.outcomes(e, facts)?,
        };
        let name = self.operand_name(e);
        if cases.first().is_none_or(|case| case.contains_key(&name)) {
            return Some(());
        }
        if cases.len().saturating_mul(values.len()) > N_COMBINATIONS_MAX {
            return None;
        }
        let with = |case: &Case, value: i32| {
            let mut case = case.clone();
            case.insert(name.clone(), value);
            case
        };
        *cases = cases
            .iter()
            .flat_map(|case| values.iter().map(|v| with(case, *v)))
            .collect();
        Some(())
    }

    /// The value of an expression; `None` if computing it goes wrong.
    fn in_case(&self, e: ExprId, case: &Case) -> Option<i32> {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Unary(op, a) => {
                let v = self.in_case(*a, case)?;
                Some(match op {
                    Unary::Not => i32::from(v == 0),
                    Unary::Complement => !v,
                    Unary::Minus => v.wrapping_neg(),
                })
            }
            Expr::Binary(op, a, b) => {
                machine::binary(*op, self.in_case(*a, case)?, self.in_case(*b, case)?).ok()
            }
            expr @ (Expr::And(all) | Expr::Or(all)) => {
                let stop = matches!(expr, Expr::Or(_));
                for e in all {
                    if (self.in_case(*e, case)? != 0) == stop {
                        return Some(i32::from(stop));
                    }
                }
                Some(i32::from(!stop))
            }
            Expr::Choice([test, a, b]) => {
                let taken = if self.in_case(*test, case)? != 0 {
                    a
                } else {
                    b
                };
                self.in_case(*taken, case)
            }
            _ => case.get(&self.operand_name(e)).copied(),
        }
    }

    /// Whether an expression is 0 or 1 by its form.
    fn is_bit(&self, e: ExprId) -> bool {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        match self.sorts.text.expr(e) {
            Expr::Unary(op, _) => *op == Unary::Not,
            Expr::And(_) | Expr::Or(_) => true,
            Expr::Binary(op, ..) => matches!(
                op,
                Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
            ),
            _ => false,
        }
    }
}
