//! Loops that were replaced by the set of their rounds: whether the rounds commute.
//!
//! Two rounds commute if what one writes the other neither reads nor writes, but for writes of one
//! constant, and for sums, conjunctions and the like that both add to. Cells of arrays at different
//! constant indices are different. Nobody may see how far the rounds have come: a condition on the
//! process or a priority could take control away in the middle of `atomic`, but not of a block.
//! Rounds send to different channels, and do nothing by which they could end before they have to
//! wait; that none waits in the middle of `atomic` is looked at while states are searched.

use super::{Checked, Misuse, Verifier};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Binary, Expr, ExprId, Owner, Place, operands, place_operands};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::program::{Action, LocationId, ProctypeId, StepId, roots};
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
    /// The channels that are sent to, by number.
    sends: BTreeSet<i32>,
    /// Something that could end the round before a send does, or shows what was sent.
    risky: bool,
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
                        let sends = self.set(*step)?;
                        let block = self.is_in_block(LocationId::new(at));
                        let seen = !block && self.is_interrupted();
                        self.demand(!seen, "others can come between the rounds of a loop")?;
                        let told = block || !sends || !sorts.waits.is_empty();
                        self.demand(told, "a round can wait, and nobody looks")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether control can be lost at a location although steps keep it: by a condition on the
    /// process, or to somebody of higher priority. Nothing comes between the steps of a block.
    fn is_interrupted(&self) -> bool {
        let text = &self.sorts.text;
        text.proctype(self.proctype).provided.is_some() || text.rules.priorities
    }

    fn is_in_block(&self, at: LocationId) -> bool {
        let text = &self.sorts.text;
        let proctype = text.proctype(self.proctype);
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
        inside.contains(&at)
    }

    /// Checks one such step; gives whether rounds send.
    fn set(&mut self, id: StepId) -> Result<bool, Misuse> {
        let step = self.sorts.text.step(id);
        self.line = self.sorts.text.sites[step.site.index()].line;
        let Action::All(all) = &step.action else {
            self.misuse("one action has no order")?;
            return Ok(false);
        };
        let mut rounds = Vec::new();
        for action in all {
            let Action::Deterministic(from, to) = action else {
                self.misuse("a round that is no block")?;
                return Ok(false);
            };
            let mut round = Round::default();
            self.round(*from, *to, &mut round);
            rounds.push(round);
        }
        let sends = rounds.iter().any(|round| !round.sends.is_empty());
        let risky = rounds.iter().any(|round| round.risky);
        self.demand(
            !sends || !risky,
            "a round that sends may end in another way",
        )?;
        for (i, a) in rounds.iter().enumerate() {
            let apart = |(j, b): (usize, &Round)| i == j || a.commutes_with(b);
            let commute = !a.odd && rounds.iter().enumerate().all(apart);
            self.demand(commute, "rounds of a loop that do not commute")?;
        }
        Ok(sends)
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
                out.risky |= matches!(action, Action::Assert(_));
                roots(action, &mut |e| self.read(e, out));
            }
            Action::Send(send) => {
                roots(action, &mut |e| self.read(e, out));
                let to = match self.sorts.text.expr(send.channel) {
                    Expr::Read(place) => self.channel_named(place, send.fields.len()),
                    _ => None,
                };
                out.odd |= send.sorted || to.is_none();
                out.sends.extend(to);
            }
            Action::Assign(place, e) => {
                out.risky |= self.is_outside(place);
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
            Expr::Read(place) => {
                out.risky |= self.is_outside(place);
                out.reads.push(self.cell(place));
            }
            Expr::Probe(..) | Expr::Poll(_) => out.risky = true,
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                let fine = matches!(self.sorts.text.expr(*b), Expr::Const(v) if *v != 0);
                out.risky |= !fine;
            }
            Expr::Run(..) | Expr::Enabled(_) => out.odd = true,
            _ => {}
        }
        operands(expr, &mut |e| self.read(e, out));
    }

    /// Whether an index may be outside of its array.
    fn is_outside(&self, place: &Place) -> bool {
        let text = &self.sorts.text;
        let field = &text.layout.kind(self.kind_of(place.owner)).fields[place.field.index()];
        let mut pairs = place.indices.iter().zip(&field.dimensions);
        pairs.any(|(e, dimension)| match text.expr(*e) {
            Expr::Const(v) => !u32::try_from(*v).is_ok_and(|v| v < dimension.count),
            _ => true,
        })
    }

    /// The channel that a global variable names in all states, if it has a buffer for messages of
    /// so many fields.
    fn channel_named(&self, place: &Place, n_fields: usize) -> Option<i32> {
        let (sorts, population) = (self.sorts, self.population);
        let uses = sorts.uses[0][place.field.index()];
        let early = population.before.is_some() || population.interleaved;
        if place.owner != Owner::Globals || uses.written || early || self.is_outside(place) {
            return None;
        }
        let dimensions = &sorts.text.layout.globals().fields[place.field.index()].dimensions;
        let (_, _, indices) = self.cell(place);
        let pairs = indices.into_iter().zip(dimensions);
        let n = pairs.fold(0, |n, (index, dimension)| {
            n * dimension.count as usize + index.unwrap_or(0) as usize
        });
        let mut held = population.states.iter().map(|state| {
            let all = sorts.held(KindId::new(0), place.field.index(), state);
            all.get(n).copied()
        });
        let number = held.next()??;
        let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let record = population.channels.get(index?)?;
        let Role::Channel(buffer) = &sorts.text.layout.kind(record.kind).role else {
            return None;
        };
        let fits = buffer.capacity > 0 && n_fields <= buffer.fields.len();
        (fits && held.all(|other| other == Some(number))).then_some(number)
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
        let apart = self.sends.is_disjoint(&other.sends);
        apart
            && self.writes.iter().all(|(cell, how)| {
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
