//! Loops that were replaced by the set of their rounds: whether the rounds commute.
//!
//! Two rounds commute if what one writes the other neither reads nor writes, but for writes of one
//! constant, and for sums, conjunctions and the like that both add to. Cells of arrays at different
//! constant indices are different. Nobody may see how far the rounds have come: a condition on the
//! process or a priority could take control away in the middle of `atomic`, but not of a block.
//! Rounds send to and receive from different channels, and do nothing by which they could end
//! before they have to wait; that none waits in the middle of `atomic` is looked at while
//! states are searched.

use super::reach::Facts;
use super::{Checked, Misuse, Verifier};
use crate::processes::sort::conditions::{spelled, spelled_place};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{
    Binary, Expr, ExprId, Owner, Pattern, Place, operands, place_operands,
};
use model::processes::layout::{FieldId, KindId, Role};
use model::processes::program::{Action, LocationId, ProctypeId, StepId, roots};
use std::collections::BTreeSet;

/// A variable, or the elements of one with these indices; `None` stands for any.
pub(super) type Cell = (KindId, FieldId, Vec<Option<i32>>);

/// How a cell is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum How {
    Constant(i32),
    /// Joined to what is there, by the operator of that number.
    Joined(u8),
    /// A function of what is there alone, by its text.
    Function(String),
    /// Without regard to what was there, and nobody sees what is left.
    Unseen,
    Otherwise,
}

/// The numbers of what is no operator of two numbers.
const MAXIMUM: u8 = 252;
const MINIMUM: u8 = 253;

/// What a round has to do with cells.
#[derive(Default)]
pub(super) struct Round {
    pub reads: Vec<Cell>,
    pub writes: Vec<(Cell, How)>,
    /// Something that is more than reading and writing variables.
    pub odd: bool,
    /// Something that can block, other than a send or receive.
    blocks: bool,
    /// The channels that are sent to or received from, by number.
    talks: BTreeSet<i32>,
    /// Whether it may have to wait for one of them.
    waits: bool,
    /// The variables of the process that it uses for itself.
    scratch: BTreeSet<FieldId>,
    /// The channels that are looked at, by number.
    pub looks: BTreeSet<i32>,
    /// Something that could end the round before a send does, or shows what was sent.
    pub risky: bool,
    /// The tests that are taken not to hold.
    pub without: BTreeSet<ExprId>,
}

impl Round {
    /// The test with which an action begins that is taken not to hold.
    fn leaves_out(&self, action: &Action) -> Option<ExprId> {
        let first = match action {
            Action::All(all) => all.first()?,
            action => action,
        };
        match first {
            Action::Test(e) => self.without.contains(e).then_some(*e),
            _ => None,
        }
    }
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
                        let waits = self.set(LocationId::new(at), *step)?;
                        let block = self.is_in_block(LocationId::new(at));
                        let seen = !block && self.is_interrupted();
                        self.demand(!seen, "others can come between the rounds of a loop")?;
                        let told = block || !waits || !sorts.waits.is_empty();
                        self.demand(told, "a round can wait, and nobody looks")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether control can be lost at a location although steps keep it: by a condition on the
    /// process, or to somebody of higher priority. Nothing comes between the steps of a block.
    pub(super) fn is_interrupted(&self) -> bool {
        let text = &self.sorts.text;
        text.proctype(self.proctype).provided.is_some() || text.rules.priorities
    }

    pub(super) fn is_in_block(&self, at: LocationId) -> bool {
        self.blocks[self.proctype.index()].contains(&at)
    }

    /// Notes the locations inside deterministic blocks.
    pub(super) fn gather_blocks(&mut self) {
        let text = &self.sorts.text;
        for (proctype, inside) in text.proctypes.iter().zip(&mut self.blocks) {
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
        }
    }

    /// Checks one such step; gives whether a round may have to wait.
    fn set(&mut self, at: LocationId, id: StepId) -> Result<bool, Misuse> {
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
            self.set_aside(*from, *to, (at, id), &mut round);
            self.round(*from, *to, &mut round);
            rounds.push(round);
        }
        let others = self.without_tests((at, id), all)?;
        let waits = rounds.iter().any(|round| round.waits);
        let risky = rounds.iter().any(|round| round.risky);
        self.demand(
            !waits || !risky,
            "a round that may have to wait may end in another way",
        )?;
        for (i, a) in rounds.iter().enumerate() {
            let apart =
                |(j, b): (usize, &Round)| i == j || (a.commutes_with(b) && b.commutes_with(a));
            let others = others.as_ref().unwrap_or(&rounds);
            let commute = !a.odd && others.iter().enumerate().all(apart);
            self.demand(!a.blocks, "a round can block")?;
            self.demand(commute, "rounds of a loop that do not commute")?;
        }
        Ok(waits)
    }

    /// Notes the variables of the process that a round uses for itself, and what it leaves there.
    pub(super) fn set_aside(
        &self,
        from: LocationId,
        to: LocationId,
        (at, id): (LocationId, StepId),
        out: &mut Round,
    ) {
        let kind = self.sorts.text.proctype(self.proctype).kind;
        let fields = self.sorts.text.layout.kind(kind).fields.iter().enumerate();
        for (f, _) in fields.filter(|(_, field)| field.dimensions.is_empty()) {
            let field = FieldId::new(f);
            if self.is_scratch(from, to, field) {
                let how = match self.left_in(from, to, field) {
                    _ if self.is_unseen(at, id, field) => How::Unseen,
                    Some(value) => How::Constant(value),
                    None => How::Otherwise,
                };
                out.scratch.insert(field);
                out.writes.push(((kind, field, Vec::new()), how));
            }
        }
    }

    fn is_set_aside(&self, place: &Place, round: &Round) -> bool {
        place.owner == Owner::Own
            && place.indices.is_empty()
            && round.scratch.contains(&place.field)
    }

    pub(super) fn round(&self, from: LocationId, to: LocationId, out: &mut Round) {
        let text = &self.sorts.text;
        let proctype = text.proctype(self.proctype);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            out.blocks |= self.can_block(at);
            out.waits |= self.can_wait(at);
            for step in &proctype.locations[at.index()].steps {
                let step = text.step(*step);
                if let Some(test) = out.leaves_out(&step.action) {
                    self.read(test, out);
                    continue;
                }
                waiting.push(step.target);
                self.part(&step.action, out);
                for reset in step
                    .resets
                    .iter()
                    .filter(|r| !out.scratch.contains(&r.field))
                {
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
                out.talks.extend(to);
            }
            Action::Receive(receive) => {
                roots(action, &mut |e| self.read(e, out));
                let at = match self.sorts.text.expr(receive.channel) {
                    Expr::Read(place) => self.channel_named(place, receive.fields.len()),
                    _ => None,
                };
                out.odd |= at.is_none();
                out.talks.extend(at);
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern
                        && !self.is_set_aside(place, out)
                    {
                        out.risky |= self.is_outside(place);
                        out.writes.push((self.cell(place), How::Otherwise));
                    }
                }
            }
            Action::Assign(place, e) if self.is_set_aside(place, out) => self.read(*e, out),
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

    pub(super) fn cell(&self, place: &Place) -> Cell {
        let text = &self.sorts.text;
        let indices = place.indices.iter().map(|e| match text.expr(*e) {
            Expr::Const(v) => Some(*v),
            _ => None,
        });
        (self.kind_of(place.owner), place.field, indices.collect())
    }

    pub(super) fn read(&self, e: ExprId, out: &mut Round) {
        let expr = self.sorts.text.expr(e);
        match expr {
            Expr::Read(place) if self.is_set_aside(place, out) => {}
            Expr::Read(place) => {
                out.risky |= self.is_outside(place);
                out.reads.push(self.cell(place));
            }
            Expr::Probe(_, channel) => self.look(*channel, 0, out),
            Expr::Poll(receive) => {
                let stores = |pattern: &Pattern| matches!(pattern, Pattern::Store(_));
                out.odd |= receive.fields.iter().any(stores);
                self.look(receive.channel, receive.fields.len(), out);
            }
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                let fine = matches!(self.sorts.text.expr(*b), Expr::Const(v) if *v != 0);
                out.risky |= !fine;
            }
            Expr::Run(..) | Expr::Enabled(_) | Expr::Timeout => out.odd = true,
            _ => {}
        }
        operands(expr, &mut |e| self.read(e, out));
    }

    fn look(&self, channel: ExprId, n_fields: usize, out: &mut Round) {
        let at = match self.sorts.text.expr(channel) {
            Expr::Read(place) => self.channel_named(place, n_fields),
            _ => None,
        };
        out.odd |= at.is_none();
        out.looks.extend(at);
    }

    /// Whether an index may be outside of its array.
    fn is_outside(&self, place: &Place) -> bool {
        let text = &self.sorts.text;
        let field = &text.layout.kind(self.kind_of(place.owner)).fields[place.field.index()];
        let mut pairs = place.indices.iter().zip(&field.dimensions);
        pairs.any(|(e, dimension)| match text.expr(*e) {
            Expr::Const(v) => !u32::try_from(*v).is_ok_and(|v| v < dimension.count),
            _ => {
                let inside = |v: &i32| u32::try_from(*v).is_ok_and(|v| v < dimension.count);
                let values = self.outcomes(*e, &Facts::new());
                !values.is_some_and(|all| all.iter().all(inside))
            }
        })
    }

    /// The channel that a global variable names in all states, if it has a buffer for messages of
    /// so many fields.
    fn channel_named(&self, place: &Place, n_fields: usize) -> Option<i32> {
        let (sorts, population) = (self.sorts, self.population);
        let uses = sorts.uses[0][place.field.index()];
        let early = population.before.is_some() || population.interleaved;
        let constant = |e: &ExprId| matches!(sorts.text.expr(*e), Expr::Const(_));
        if !place.indices.iter().all(constant) {
            return None;
        }
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
        let name = spelled_place(text, place, "");
        let near = !matches!(place.owner, Owner::Other(..));
        let same = |e: ExprId| match text.expr(e) {
            Expr::Read(other) => near && spelled_place(text, other, "") == name,
            _ => false,
        };
        use Binary::{Add, BitAnd, BitOr, BitXor, Subtract};
        match text.expr(e) {
            Expr::Const(v) => (How::Constant(*v), Vec::new()),
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if same(*a) => {
                (How::Joined(*op as u8), vec![*b])
            }
            Expr::Binary(op @ (Add | BitAnd | BitOr | BitXor), a, b) if same(*b) => {
                (How::Joined(*op as u8), vec![*a])
            }
            Expr::Binary(Subtract, a, b) if same(*a) => (How::Joined(Add as u8), vec![*b]),
            Expr::And(all) if same(all[0]) => (How::Joined(254), all[1..].to_vec()),
            Expr::Or(all) if same(all[0]) => (How::Joined(255), all[1..].to_vec()),
            _ if near && self.depends_on(e, &name) => {
                (How::Function(spelled(text, e, "")), Vec::new())
            }
            Expr::Choice(parts) => match self.greatest_or_least(place, *parts, &same) {
                Some((op, other)) => (How::Joined(op), vec![other]),
                None => (How::Otherwise, vec![e]),
            },
            _ => (How::Otherwise, vec![e]),
        }
    }

    /// Whether an expression depends on the place with a text and on nothing else, and cannot go
    /// wrong.
    fn depends_on(&self, e: ExprId, name: &str) -> bool {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Const(_) => true,
            Expr::Read(place) => spelled_place(text, place, "") == name,
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => {
                let divides = matches!(text.expr(*b), Expr::Const(v) if *v != 0);
                divides && self.depends_on(*a, name)
            }
            expr @ (Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Choice(_)) => {
                let mut all = true;
                operands(expr, &mut |e| all &= self.depends_on(e, name));
                all
            }
            _ => false,
        }
    }

    /// The greater, or the less, of what is in a place and something else that fits there.
    fn greatest_or_least(
        &self,
        place: &Place,
        [test, yes, no]: [ExprId; 3],
        same: &dyn Fn(ExprId) -> bool,
    ) -> Option<(u8, ExprId)> {
        let text = &self.sorts.text;
        let Expr::Binary(op, left, right) = text.expr(test) else {
            return None;
        };
        let other = [yes, no].into_iter().find(|e| !same(*e))?;
        let name = spelled(text, other, "");
        let scalar = |place: &Place| {
            let kind = text.layout.kind(self.kind_of(place.owner));
            kind.fields[place.field.index()].slot.scalar
        };
        // Something that is stored in a variable as small as this one, or smaller.
        let fits = match text.expr(other) {
            Expr::Const(v) => scalar(place).narrow(*v) == *v,
            Expr::Read(from) => {
                let all = [i32::MIN, -1, i32::MAX].map(|v| scalar(from).narrow(v));
                all.iter().all(|v| scalar(place).narrow(*v) == *v)
            }
            _ => false,
        };
        // 0 for what is in the place, 1 for the other.
        let role = |e: ExprId| match same(e) {
            true => Some(0),
            false => (spelled(text, e, "") == name).then_some(1),
        };
        let (left, right, yes, no) = (role(*left)?, role(*right)?, role(yes)?, role(no)?);
        if !fits || left == right || yes == no {
            return None;
        }
        let kept = |held: i32, offered: i32| {
            let values = [held, offered];
            let holds = model::processes::machine::binary(*op, values[left], values[right]);
            values[if holds.is_ok_and(|v| v != 0) { yes } else { no }]
        };
        let samples = [(3, 5), (5, 3), (-1, 0), (0, -1), (4, 4)];
        let all = |of: fn(i32, i32) -> i32| samples.iter().all(|(a, b)| kept(*a, *b) == of(*a, *b));
        use Binary::{Greater, GreaterEqual, Less, LessEqual};
        let orders = matches!(op, Less | LessEqual | Greater | GreaterEqual);
        if orders && all(i32::max) {
            return Some((MAXIMUM, other));
        }
        (orders && all(i32::min)).then_some((MINIMUM, other))
    }
}

impl Round {
    fn commutes_with(&self, other: &Round) -> bool {
        let apart = self.talks.is_disjoint(&other.talks) && self.talks.is_disjoint(&other.looks);
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

pub(super) fn overlap(a: &Cell, b: &Cell) -> bool {
    let apart = |(a, b): (&Option<i32>, &Option<i32>)| a.is_some() && b.is_some() && a != b;
    a.0 == b.0 && a.1 == b.1 && !a.2.iter().zip(&b.2).any(apart)
}
