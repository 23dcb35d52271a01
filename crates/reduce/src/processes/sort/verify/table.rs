//! Tables: whether their rows are the values of their expressions.

use super::{Checked, Verifier};
use crate::processes::sort::{Table, TableId};
use model::processes::expr::{Expr, ExprId, Owner, Unary};
use model::processes::machine;
use std::collections::BTreeSet;
use system::fault::FaultKind;

impl Verifier<'_> {
    /// Checks the table that stands for `e`.
    pub(super) fn table(&mut self, e: ExprId, id: TableId) -> Checked {
        let sorts = self.sorts;
        let Some(table) = sorts.tables.get(id.index()) else {
            return self.misuse("a table that is not there");
        };
        self.demand(table.expr == e, "a table of another expression")?;
        let mut leaves = Vec::new();
        self.leaves(e, &mut leaves)?;
        for leaf in &leaves {
            let known = table.leaves.iter().any(|other| self.same(*other, *leaf));
            self.demand(known, "a table without one of its operands")?;
        }
        let mut n_rows = 1_usize;
        let mut columns: Vec<Vec<i32>> = Vec::new();
        for leaf in &table.leaves {
            let class = sorts.class(sorts.of(*leaf));
            let members = class.members.as_ref().filter(|_| !class.open);
            let Some(members) = members else {
                return self.misuse("a table with an operand that can be anything");
            };
            // All that can be in the operand, wherever the table has it.
            let twins = leaves.iter().filter(|other| self.same(*leaf, **other));
            let twins: Vec<ExprId> = twins.copied().collect();
            let reached = |v: &i32| {
                let mut all = twins.iter().map(|e| &self.reads[e.index()]);
                all.any(|set| set.as_ref().is_none_or(|set| set.contains(v)))
            };
            let column: Vec<i32> = members.iter().copied().filter(reached).collect();
            n_rows = n_rows.saturating_mul(column.len());
            columns.push(column);
        }
        let inputs: BTreeSet<&Vec<i32>> = table.rows.iter().map(|(inputs, _)| inputs).collect();
        let there = |inputs: &Vec<i32>| {
            let mut pairs = inputs.iter().zip(&columns);
            pairs.all(|(v, column)| column.contains(v))
        };
        let n_needed = inputs.iter().filter(|inputs| there(inputs)).count();
        let all = n_needed == n_rows && table.rows.len() == inputs.len();
        self.demand(all, "a table without all its rows")?;
        let result = sorts.of(e);
        for (inputs, value) in &table.rows {
            let pairs = inputs.iter().zip(&table.leaves);
            let members = pairs.fold(inputs.len() == table.leaves.len(), |all, (v, leaf)| {
                all & self.admits(sorts.of(*leaf), *v)
            });
            self.demand(members, "a row for what is no member")?;
            let right = self.evaluate(e, table, inputs);
            let right = right.map(|v| if table.truth { i32::from(v != 0) } else { v });
            self.demand(right == *value, "a row with a wrong value")?;
            if let Ok(v) = value
                && !table.truth
            {
                self.demand(self.admits(result, *v), "a table gives what is no member")?;
            }
        }
        self.computed[result.index()] |= !table.truth;
        Ok(())
    }

    /// The operands of a complex expression; all must be variables or `_pid`.
    fn leaves(&mut self, e: ExprId, out: &mut Vec<ExprId>) -> Checked {
        match self.sorts.text.expr(e) {
            Expr::Const(_) => Ok(()),
            Expr::Read(_) | Expr::Pid => {
                out.push(e);
                self.leaf(e)
            }
            Expr::Binary(_, a, b) => {
                self.leaves(*a, out)?;
                self.leaves(*b, out)
            }
            Expr::Unary(_, a) => self.leaves(*a, out),
            Expr::And(all) | Expr::Or(all) => all.iter().try_for_each(|a| self.leaves(*a, out)),
            Expr::Choice(all) => all.iter().try_for_each(|a| self.leaves(*a, out)),
            _ => self.misuse("a table of what has no table"),
        }
    }

    fn evaluate(&self, e: ExprId, table: &Table, inputs: &[i32]) -> Result<i32, FaultKind> {
        let sub = |e: ExprId| self.evaluate(e, table, inputs);
        match self.sorts.text.expr(e) {
            Expr::Const(v) => Ok(*v),
            Expr::Unary(Unary::Minus, a) => Ok(sub(*a)?.wrapping_neg()),
            Expr::Unary(Unary::Complement, a) => Ok(!sub(*a)?),
            Expr::Unary(Unary::Not, a) => Ok(i32::from(sub(*a)? == 0)),
            Expr::And(all) => all.iter().try_fold(1, |so_far, a| match so_far {
                0 => Ok(0),
                _ => Ok(i32::from(sub(*a)? != 0)),
            }),
            Expr::Or(all) => all.iter().try_fold(0, |so_far, a| match so_far {
                0 => Ok(i32::from(sub(*a)? != 0)),
                _ => Ok(1),
            }),
            Expr::Binary(op, a, b) => machine::binary(*op, sub(*a)?, sub(*b)?),
            Expr::Choice([test, a, b]) => match sub(*test)? {
                0 => sub(*b),
                _ => sub(*a),
            },
            _ => {
                let column = table.leaves.iter().position(|leaf| self.same(*leaf, e));
                Ok(column.map_or(0, |column| inputs[column]))
            }
        }
    }

    /// Whether two operands are one: always equal, and of one class.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        let text = &self.sorts.text;
        a == b
            || match (text.expr(a), text.expr(b)) {
                (Expr::Const(a), Expr::Const(b)) => a == b,
                (Expr::Pid, Expr::Pid) => true,
                (Expr::Read(a), Expr::Read(b)) => {
                    a.owner == b.owner
                        && matches!(a.owner, Owner::Globals | Owner::Own)
                        && a.field == b.field
                        && a.indices.len() == b.indices.len()
                        && a.indices
                            .iter()
                            .zip(&b.indices)
                            .all(|(a, b)| self.same(*a, *b))
                }
                _ => false,
            }
    }
}
