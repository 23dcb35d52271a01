//! Loops that were replaced by the set of their rounds: whether the rounds commute.
//!
//! Two rounds commute if what one writes the other neither reads nor writes, but for writes of one
//! constant, and for sums, conjunctions and the like that both add to. Cells of arrays at different
//! constant indices are different. Nobody may see how far the rounds have come: a condition on the
//! process or a priority could take control away in the middle of `atomic`, but not of a block.

use super::{Checked, Verifier};
use crate::expr::{Binary, Expr, ExprId, Place, operands, place_operands};
use crate::layout::{FieldId, KindId};
use crate::model::{Action, LocationId, ProctypeId, StepId, roots};
use crate::sort::walk::blocks;
use std::collections::BTreeSet;

/// A variable, or the elements of one with these indices; `None` stands for any.
type Cell = (KindId, FieldId, Vec<Option<i32>>);

/// How a cell is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Constant(i32),
    /// Joined to what is there, by the operator of that number.
    Joined(u8),
    Otherwise,
}

/// What a round has to do with cells.
#[derive(Default)]
struct Round {
    reads: Vec<Cell>,
    writes: Vec<(Cell, How)>,
    /// Something that is more than reading and writing variables.
    odd: bool,
}

impl Verifier<'_> {
    /// Checks every step whose parts may be taken in any order.
    pub(super) fn rounds(&mut self) -> Checked {
        let sorts = self.sorts;
        for p in (0..sorts.text.proctypes.len()).map(ProctypeId::new) {
            self.proctype = p;
            let locations = sorts
                .text
                .proctype(p)
                .locations
                .iter()
                .zip(&sorts.live[p.index()]);
            for (at, (location, live)) in locations.enumerate() {
                for step in location.steps.iter().filter(|_| *live) {
                    if sorts.unordered.contains(step) {
                        self.set(*step)?;
                        let seen = self.is_interrupted(LocationId::new(at));
                        self.demand(!seen, "others can come between the rounds of a loop")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether control can be lost at a location although steps keep it: by a condition on the
    /// process, or to somebody of higher priority. Nothing comes between the steps of a block.
    fn is_interrupted(&self, at: LocationId) -> bool {
        let text = &self.sorts.text;
        let proctype = text.proctype(self.proctype);
        if proctype.provided.is_none() && !text.rules.priorities {
            return false;
        }
        let mut inside = BTreeSet::new();
        for step in proctype.locations.iter().flat_map(|l| &l.steps) {
            blocks(&text.step(*step).action, &mut |from, to| {
                let mut waiting = vec![from];
                while let Some(at) = waiting.pop() {
                    if at != to && inside.insert(at) {
                        let steps = proctype.locations[at.index()].steps.iter();
                        waiting.extend(steps.map(|step| text.step(*step).target));
                    }
                }
            });
        }
        !inside.contains(&at)
    }

    fn set(&mut self, id: StepId) -> Checked {
        let step = self.sorts.text.step(id);
        self.line = self.sorts.text.sites[step.site.index()].line;
        let Action::All(all) = &step.action else {
            return self.misuse("one action has no order");
        };
        let mut rounds = Vec::new();
        for action in all {
            let Action::Deterministic(from, to) = action else {
                return self.misuse("a round that is no block");
            };
            let mut round = Round::default();
            self.round(*from, *to, &mut round);
            rounds.push(round);
        }
        for (i, a) in rounds.iter().enumerate() {
            let apart = |(j, b): (usize, &Round)| i == j || a.commutes_with(b);
            let commute = !a.odd && rounds.iter().enumerate().all(apart);
            self.demand(commute, "rounds of a loop that do not commute")?;
        }
        Ok(())
    }

    fn round(&self, from: LocationId, to: LocationId, out: &mut Round) {
        let text = &self.sorts.text;
        let proctype = text.proctype(self.proctype);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for step in &proctype.locations[at.index()].steps {
                let step = text.step(*step);
                waiting.push(step.target);
                self.part(&step.action, out);
                for reset in &step.resets {
                    let field = &text.layout.kind(proctype.kind).fields[reset.field.index()];
                    let any = vec![None; field.dimensions.len()];
                    let cell = (proctype.kind, reset.field, any);
                    out.writes.push((cell, How::Constant(reset.value)));
                }
            }
        }
    }

    fn part(&self, action: &Action, out: &mut Round) {
        match action {
            Action::Skip | Action::Else | Action::Print(_) => {}
            Action::Test(_) | Action::Assert(_) | Action::Drop(_) => {
                roots(action, &mut |e| self.read(e, out));
            }
            Action::Assign(place, e) => {
                place_operands(place, &mut |e| self.read(e, out));
                let (how, rest) = self.how(place, *e);
                rest.into_iter().for_each(|e| self.read(e, out));
                out.writes.push((self.cell(place), how));
            }
            Action::All(all) => all.iter().for_each(|action| self.part(action, out)),
            Action::Deterministic(from, to) => self.round(*from, *to, out),
            _ => out.odd = true,
        }
    }

    fn cell(&self, place: &Place) -> Cell {
        let text = &self.sorts.text;
        let indices = place.indices.iter().map(|e| match text.expr(*e) {
            Expr::Const(v) => Some(*v),
            _ => None,
        });
        (self.kind_of(place.owner), place.field, indices.collect())
    }

    fn read(&self, e: ExprId, out: &mut Round) {
        let expr = self.sorts.text.expr(e);
        match expr {
            Expr::Read(place) => out.reads.push(self.cell(place)),
            Expr::Run(..) | Expr::Enabled(_) => out.odd = true,
            _ => {}
        }
        operands(expr, &mut |e| self.read(e, out));
    }

    /// How an assignment writes, and what it reads for that.
    fn how(&self, place: &Place, e: ExprId) -> (How, Vec<ExprId>) {
        let text = &self.sorts.text;
        let same = |e: ExprId| matches!(text.expr(e), Expr::Read(other) if other == place);
        let plain = place.indices.is_empty();
        use Binary::{Add, BitAnd, BitOr, BitXor};
        match text.expr(e) {
            Expr::Const(v) => (How::Constant(*v), Vec::new()),
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if plain && same(*a) => {
                (How::Joined(*op as u8), vec![*b])
            }
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if plain && same(*b) => {
                (How::Joined(*op as u8), vec![*a])
            }
            Expr::And(all) if plain && same(all[0]) => (How::Joined(254), all[1..].to_vec()),
            Expr::Or(all) if plain && same(all[0]) => (How::Joined(255), all[1..].to_vec()),
            _ => (How::Otherwise, vec![e]),
        }
    }
}

impl Round {
    fn commutes_with(&self, other: &Round) -> bool {
        self.writes.iter().all(|(cell, how)| {
            let read = other.reads.iter().any(|read| overlap(cell, read));
            let alike = |(written, other): &(Cell, How)| {
                !overlap(cell, written) || (how == other && *how != How::Otherwise)
            };
            !read && other.writes.iter().all(alike)
        })
    }
}

fn overlap(a: &Cell, b: &Cell) -> bool {
    let apart = |(a, b): (&Option<i32>, &Option<i32>)| a.is_some() && b.is_some() && a != b;
    a.0 == b.0 && a.1 == b.1 && !a.2.iter().zip(&b.2).any(apart)
}
