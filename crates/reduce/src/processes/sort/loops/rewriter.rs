//! A loop replaced in a text by what it comes to: the set of its rounds, or a choice of ways out.

use super::super::unroll::{Held, Round, Unrolled, WayOut, counted, folded, guard};
use super::{Exclusive, Found};
use model::processes::expr::{Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send};
use model::processes::program::{
    Action, Location, LocationId, Model, ProctypeId, Reset, Step, StepId,
};
use std::collections::{BTreeMap, HashSet};

/// Puts what a loop comes to in its place.
pub(super) struct Rewriter<'a> {
    pub text: &'a mut Model,
    pub proctype: ProctypeId,
    pub found: &'a Found,
    pub unordered: &'a mut HashSet<StepId>,
    /// The tests of which one may hold, with the round that each is in.
    pub tests: Vec<(usize, ExprId)>,
}

impl Rewriter<'_> {
    /// Puts what a loop comes to in its place; gives what it rests on.
    pub fn rewrite(mut self) -> Option<Exclusive> {
        let head = self.found.head.index();
        let steps = match &self.found.unrolled {
            Unrolled::Rounds(rounds, after) => self.set(rounds, *after),
            Unrolled::Choice(ways) => ways.iter().map(|way| self.chosen(way)).collect(),
        };
        let set = steps[0];
        self.text.proctypes[self.proctype.index()].locations[head].steps = steps;
        let tests = self.tests;
        self.found.commuting.test.map(|_| Exclusive { set, tests })
    }

    /// The step that leaves a loop that only chooses.
    fn chosen(&mut self, way: &WayOut) -> StepId {
        let leave = self.text.step(way.step).clone();
        let e = self.expr(Expr::Const(way.after));
        let assign = Action::Assign(Place::scalar(Owner::Own, self.found.variable), e);
        let action = match leave.action {
            Action::Test(test) if !way.sure => {
                let test = Action::Test(self.copy(test, way.before));
                Action::All([test, assign].into())
            }
            _ => assign,
        };
        self.step(Step { action, ..leave })
    }

    /// The step that leaves the loop with a value for the variable.
    fn left(&mut self, value: i32) -> StepId {
        let leave = self.text.step(self.found.leave).clone();
        let e = self.expr(Expr::Const(value));
        let place = Place::scalar(Owner::Own, self.found.variable);
        self.step(Step {
            action: Action::Assign(place, e),
            ..leave
        })
    }

    /// The set of rounds, after which the loop is left; gives the step that stands for it.
    fn set(&mut self, rounds: &[Round], after: i32) -> Vec<StepId> {
        let end = self.location();
        let middle = self.location();
        let mut blocks = Vec::new();
        for round in rounds {
            let n_tests = self.tests.len();
            let entry = self.block(round, round.entry, end, &mut BTreeMap::new());
            if entry != end {
                let tests = self.tests[n_tests..].iter_mut();
                tests.for_each(|(round, _)| *round = blocks.len());
                blocks.push(Action::Deterministic(entry, end));
            }
        }
        let leave = self.text.step(self.found.leave).clone();
        // Rounds that do nothing are no set.
        let is_idle = blocks.is_empty();
        let action = if is_idle {
            Action::Skip
        } else {
            Action::All(blocks.into())
        };
        let set = self.step(Step {
            action,
            target: middle,
            keeps_control: true,
            join: leave.join,
            alone: leave.alone,
            rank: 0,
            site: leave.site,
            resets: Vec::new(),
        });
        let left = self.left(after);
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[middle.index()].steps = vec![left];
        if !is_idle {
            self.unordered.insert(set);
        }
        vec![set]
    }

    fn location(&mut self) -> LocationId {
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations.push(Location::default());
        LocationId::new(locations.len() - 1)
    }

    fn step(&mut self, step: Step) -> StepId {
        self.text.steps.push(step);
        StepId::new(self.text.steps.len() - 1)
    }

    fn expr(&mut self, e: Expr) -> ExprId {
        self.text.exprs.push(e);
        ExprId::new(self.text.exprs.len() - 1)
    }

    /// A copy of a round from a node on, with the values in place of the variable; what does
    /// nothing is left out.
    fn block(
        &mut self,
        round: &Round,
        node: usize,
        end: LocationId,
        names: &mut BTreeMap<usize, LocationId>,
    ) -> LocationId {
        if let Some(name) = names.get(&node) {
            return *name;
        }
        let here = &round.nodes[node];
        let next = |to: Option<usize>, names: &mut BTreeMap<usize, LocationId>, this: &mut Self| {
            to.map_or(end, |to| this.block(round, to, end, names))
        };
        if let [only] = here.steps[..]
            && only.sure
            && self.is_idle(only.step)
        {
            let name = next(only.to, names, self);
            names.insert(node, name);
            return name;
        }
        let name = self.location();
        names.insert(node, name);
        let mut steps = Vec::new();
        for taken in &here.steps {
            let step = self.text.step(taken.step).clone();
            let leaves = taken.step == self.found.leave;
            let target = next(taken.to, names, self);
            let mut value = here.value;
            let action = if leaves {
                Action::Skip
            } else {
                self.action(&step.action, &mut value, taken.sure)
            };
            if Some(taken.step) == self.found.commuting.test {
                let test = guard(&action);
                self.tests.extend(test.map(|e| (0, e)));
            }
            let mut resets = step.resets.clone();
            resets.retain(|reset| !leaves && reset.field != self.found.variable);
            let copy = self.step(Step {
                action,
                target,
                resets,
                ..step
            });
            if self.unordered.contains(&taken.step) {
                self.unordered.insert(copy);
            }
            steps.push(copy);
        }
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[name.index()].steps = steps;
        name
    }

    /// Whether a step that can always be taken does nothing but count.
    fn is_idle(&self, step: StepId) -> bool {
        let counts = |action: &Action| match action {
            Action::Skip | Action::Else | Action::Test(_) => true,
            Action::Assign(place, _) => {
                place.owner == Owner::Own && place.field == self.found.variable
            }
            _ => false,
        };
        let leaves = step == self.found.leave;
        let step = self.text.step(step);
        let other = |reset: &Reset| reset.field != self.found.variable;
        let idle = match &step.action {
            Action::All(all) => all.iter().all(counts),
            action => counts(action),
        };
        idle && !step.alone && (leaves || !step.resets.iter().any(other))
    }

    /// A copy of a block of an inner loop that was replaced.
    fn inner(
        &mut self,
        at: LocationId,
        value: i32,
        names: &mut BTreeMap<LocationId, LocationId>,
    ) -> LocationId {
        if let Some(name) = names.get(&at) {
            return *name;
        }
        let name = self.location();
        names.insert(at, name);
        let old = self.text.proctype(self.proctype).locations[at.index()].clone();
        let mut steps = Vec::new();
        for s in &old.steps {
            let step = self.text.step(*s).clone();
            let target = self.inner(step.target, value, names);
            let action = self.action(&step.action, &mut { value }, false);
            let copy = self.step(Step {
                action,
                target,
                ..step
            });
            if self.unordered.contains(s) {
                self.unordered.insert(copy);
            }
            steps.push(copy);
        }
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[name.index()].steps = steps;
        name
    }

    /// A copy of an action, with the value in place of the variable; if it is sure, the test with
    /// which it begins is left out.
    fn action(&mut self, action: &Action, value: &mut i32, sure: bool) -> Action {
        let v = *value;
        match action {
            Action::Else | Action::Test(_) if sure => Action::Skip,
            Action::Test(e) => Action::Test(self.copy(*e, v)),
            Action::Drop(e) => Action::Drop(self.copy(*e, v)),
            Action::Assert(e) => Action::Assert(self.copy(*e, v)),
            Action::Assign(place, e) => {
                if place.owner == Owner::Own && place.field == self.found.variable {
                    let kind = self.text.proctype(self.proctype).kind;
                    let variable = self.found.variable;
                    let held = Held { variable, value: v };
                    *value = counted(self.text, kind, action, held).unwrap_or(v);
                    return Action::Skip;
                }
                Action::Assign(self.place(place, v), self.copy(*e, v))
            }
            Action::Send(send) => Action::Send(Send {
                channel: self.copy(send.channel, v),
                fields: self.copies(&send.fields, v),
                sorted: send.sorted,
            }),
            Action::Receive(receive) => Action::Receive(self.receive(receive, v)),
            Action::All(all) => {
                let parts = all.iter().enumerate();
                let parts = parts.map(|(n, a)| self.action(a, value, sure && n == 0));
                Action::All(parts.collect())
            }
            Action::Deterministic(from, to) => {
                let mut names = BTreeMap::new();
                let to = self.inner(*to, v, &mut names);
                Action::Deterministic(self.inner(*from, v, &mut names), to)
            }
            other => other.clone(),
        }
    }

    fn copy(&mut self, e: ExprId, value: i32) -> ExprId {
        let variable = self.found.variable;
        if let Some(known) = folded(self.text, e, Held { variable, value }) {
            return self.expr(Expr::Const(known));
        }
        let old = self.text.expr(e).clone();
        let new = match old {
            Expr::Read(place) => Expr::Read(self.place(&place, value)),
            Expr::Unary(op, a) => Expr::Unary(op, self.copy(a, value)),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.copy(a, value), self.copy(b, value)),
            Expr::And(all) => Expr::And(self.copies(&all, value)),
            Expr::Or(all) => Expr::Or(self.copies(&all, value)),
            Expr::Choice(all) => Expr::Choice(all.map(|e| self.copy(e, value))),
            Expr::Probe(probe, a) => Expr::Probe(probe, self.copy(a, value)),
            Expr::Poll(receive) => Expr::Poll(Box::new(self.receive(&receive, value))),
            Expr::Enabled(a) => Expr::Enabled(self.copy(a, value)),
            Expr::LocationOf(a) => Expr::LocationOf(self.copy(a, value)),
            Expr::PriorityOf(a) => Expr::PriorityOf(self.copy(a, value)),
            Expr::AtLocation(p, which, at) => Expr::AtLocation(p, self.instance(which, value), at),
            other => other,
        };
        self.expr(new)
    }

    fn copies(&mut self, all: &[ExprId], value: i32) -> Box<[ExprId]> {
        all.iter().map(|e| self.copy(*e, value)).collect()
    }

    fn instance(&mut self, which: Instance, value: i32) -> Instance {
        match which {
            Instance::Numbered(e) => Instance::Numbered(self.copy(e, value)),
            Instance::Any => Instance::Any,
        }
    }

    fn place(&mut self, place: &Place, value: i32) -> Place {
        Place {
            owner: match place.owner {
                Owner::Other(p, which) => Owner::Other(p, self.instance(which, value)),
                owner => owner,
            },
            field: place.field,
            indices: self.copies(&place.indices, value),
        }
    }

    fn receive(&mut self, receive: &Receive, value: i32) -> Receive {
        let fields = receive.fields.iter().map(|pattern| match pattern {
            Pattern::Store(place) => Pattern::Store(self.place(place, value)),
            Pattern::Drop => Pattern::Drop,
            Pattern::Match(e) => Pattern::Match(self.copy(*e, value)),
        });
        let fields = fields.collect();
        Receive {
            channel: self.copy(receive.channel, value),
            fields,
            random: receive.random,
            keep: receive.keep,
        }
    }
}
