//! Loops over ids that may as well run in any order.
//!
//! `for (j : 0 .. 4) { if :: st[j] == critical -> free = false :: else fi }` inside `atomic` counts
//! and compares, so `j` would be plain, and with it every index and id that `j` meets. But nobody
//! sees the states inside, and the five rounds could be taken in any order. Here such a loop is
//! replaced, in the copy of the text that symmetry looks at, by the set of its rounds: one block
//! for each value, with the value in place of the variable.
//!
//! A loop is replaced if
//! - it starts with `j = lo`, its rounds are taken while `j` is below a constant, each ends with
//!   `j = j + 1`, and there is no other way in or out;
//! - control is kept throughout, and no round can block, but for sends;
//! - rounds commute: what one writes, the others neither read nor write, but for elements at index
//!   `j`, writes of one constant, and sums, conjunctions and the like that all rounds add to; and
//!   each sends to channels of its own (`rounds`).
//!
//! **Sends** wait while a channel is full. In a deterministic block that is a fault, in whichever
//! round it comes. In `atomic` others go on meanwhile, and see which rounds have been taken: such a
//! loop is replaced only if the caller answers for it that no process is ever seen inside it
//! ([`Sends::Assumed`], [`Replaced::waits`]).
//!
//! Worked example, for the loop above: it writes `free` with the constant 0 only and reads it
//! nowhere; it reads `st` at index `j`. The rounds commute. They become five blocks
//! `if :: st[0] == critical -> free = false :: else fi` and so on, and then `j = 5`.

use super::Sends;
use super::rounds::Accesses;
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, Send, operands,
};
use model::processes::layout::FieldId;
use model::processes::population::Population;
use model::processes::program::{
    Action, Location, LocationId, Model, ProctypeId, Step, StepId, roots,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most rounds of a loop that is replaced.
const N_ROUNDS_MAX: i32 = 300;

/// What was replaced.
#[derive(Default, Debug)]
pub(super) struct Replaced {
    /// Steps whose actions may be taken in any order.
    pub unordered: HashSet<StepId>,
    /// By process type: the locations that are left, those added included.
    pub removed: Vec<HashSet<usize>>,
    /// Where a process would wait in a loop that was replaced.
    pub waits: Vec<(ProctypeId, LocationId)>,
}

/// Replaces loops in a text.
pub(super) fn replace(text: &mut Model, population: &Population, sends: Sends) -> Replaced {
    let mut replaced = Replaced {
        unordered: HashSet::new(),
        removed: vec![HashSet::new(); text.proctypes.len()],
        waits: Vec::new(),
    };
    for p in 0..text.proctypes.len() {
        let n = text.proctypes[p].locations.len();
        // An inner loop goes first: while it is there, its round goes in circles.
        let mut again = true;
        while again {
            again = false;
            for head in 0..n {
                let finder = Finder {
                    text,
                    proctype: ProctypeId::new(p),
                    unordered: &replaced.unordered,
                };
                if replaced.removed[p].contains(&head) {
                    continue;
                }
                let found = finder.find(LocationId::new(head), population);
                let found = found.filter(|found| !found.waits || sends == Sends::Assumed);
                if let Some(found) = found {
                    again = true;
                    let here = found.region.iter().filter(|_| found.waits);
                    let waits = here.map(|at| (finder.proctype, *at));
                    replaced.waits.extend(waits);
                    replaced.removed[p].extend(found.region.iter().map(|l| l.index()));
                    let set = Rewriter {
                        text: &mut *text,
                        proctype: ProctypeId::new(p),
                        found: &found,
                        unordered: &mut replaced.unordered,
                    }
                    .rewrite();
                    replaced.unordered.insert(set);
                }
            }
        }
    }
    replaced
}

/// A loop that may be replaced.
struct Found {
    head: LocationId,
    variable: FieldId,
    /// The first and the last value.
    range: (i32, i32),
    /// The value afterwards.
    after: i32,
    /// Where a round starts.
    entry: LocationId,
    /// The locations of a round.
    region: Vec<LocationId>,
    /// The step that leaves the loop.
    leave: StepId,
    /// Whether a round may have to wait, and others see it.
    waits: bool,
}

pub(super) struct Finder<'a> {
    pub text: &'a Model,
    pub proctype: ProctypeId,
    pub unordered: &'a HashSet<StepId>,
}

impl Finder<'_> {
    fn locations(&self) -> &[Location] {
        &self.text.proctype(self.proctype).locations
    }

    /// The test and the way out of a loop that counts up, and what [`Finder::bound`] says of it.
    pub fn counted(&self, head: LocationId) -> Option<(StepId, StepId, (FieldId, i32, i32))> {
        let [a, b] = self.locations()[head.index()].steps[..] else {
            return None;
        };
        let (test, leave) = match (&self.text.step(a).action, &self.text.step(b).action) {
            (Action::Test(_), Action::Else) => (a, b),
            (Action::Else, Action::Test(_)) => (b, a),
            // In a deterministic block the first that can be taken is taken, and an `else` at the
            // end is a step that always can.
            (Action::Test(_), Action::Skip) if self.in_block(head) => (a, b),
            _ => return None,
        };
        let Action::Test(condition) = self.text.step(test).action else {
            return None;
        };
        Some((test, leave, self.bound(condition)?))
    }

    fn find(&self, head: LocationId, population: &Population) -> Option<Found> {
        let (test, leave, (variable, last, after)) = self.counted(head)?;
        let entry = self.text.step(test).target;
        let region = self.region(head, entry, variable)?;
        let controlled = [test, leave].iter().all(|s| self.keeps(head, *s));
        let first = self.first(head, variable, &region)?;
        let n = last.checked_sub(first)?.checked_add(1)?;
        let mut found = Found {
            head,
            variable,
            range: (first, last),
            after,
            entry,
            region,
            leave,
            waits: false,
        };
        let accesses = self.accesses(&found);
        found.waits = accesses.has_sends() && !self.in_block(head);
        let fits = controlled && (1..=N_ROUNDS_MAX).contains(&n);
        (fits && accesses.commute(found.range, population)).then_some(found)
    }

    /// Whether control is kept after a step; inside a deterministic block it always is. Elsewhere
    /// a condition on the process can take it away, and so can somebody of higher priority.
    pub fn keeps(&self, at: LocationId, step: StepId) -> bool {
        let step = self.text.step(step);
        let kept = step.keeps_control && self.holds(at);
        step.rank == 0 && (kept || self.in_block(at))
    }

    /// Whether control that is kept at a location cannot be taken away.
    pub fn holds(&self, at: LocationId) -> bool {
        let provided = self.text.proctype(self.proctype).provided.is_some();
        let alone = !provided && !self.text.rules.priorities;
        alone || self.in_block(at)
    }

    fn in_block(&self, at: LocationId) -> bool {
        let steps = self.locations().iter().flat_map(|l| &l.steps);
        let mut blocks = steps.filter_map(|step| match self.text.step(*step).action {
            Action::Deterministic(from, to) => Some((from, to)),
            _ => None,
        });
        blocks.any(|(from, to)| {
            let mut seen = BTreeSet::new();
            let mut waiting = vec![from];
            while let Some(l) = waiting.pop() {
                if l != to && seen.insert(l) {
                    let steps = self.locations()[l.index()].steps.iter();
                    waiting.extend(steps.map(|s| self.text.step(*s).target));
                }
            }
            seen.contains(&at)
        })
    }

    /// The variable that is counted, its last value, and its value afterwards.
    fn bound(&self, condition: ExprId) -> Option<(FieldId, i32, i32)> {
        let Expr::Binary(op, a, b) = self.text.expr(condition) else {
            return None;
        };
        let (op, variable, bound) = match (self.scalar(*a), self.scalar(*b)) {
            (Some(variable), None) => (*op, variable, self.constant(*b)?),
            (None, Some(variable)) => (turned(*op), variable, self.constant(*a)?),
            _ => return None,
        };
        match op {
            Binary::Less | Binary::NotEqual => Some((variable, bound.checked_sub(1)?, bound)),
            Binary::LessEqual => Some((variable, bound, bound.checked_add(1)?)),
            _ => None,
        }
    }

    /// The variable of the process that an expression is.
    fn scalar(&self, e: ExprId) -> Option<FieldId> {
        match self.text.expr(e) {
            Expr::Read(place) if place.owner == Owner::Own && place.indices.is_empty() => {
                Some(place.field)
            }
            _ => None,
        }
    }

    fn constant(&self, e: ExprId) -> Option<i32> {
        match self.text.expr(e) {
            Expr::Const(v) => Some(*v),
            Expr::Binary(op, a, b) => {
                model::processes::machine::binary(*op, self.constant(*a)?, self.constant(*b)?).ok()
            }
            _ => None,
        }
    }

    fn increments(&self, action: &Action, variable: FieldId) -> bool {
        let Action::Assign(place, e) = action else {
            return false;
        };
        let is_variable = place.owner == Owner::Own && place.field == variable;
        let Expr::Binary(Binary::Add, a, b) = self.text.expr(*e) else {
            return false;
        };
        let one = |e: ExprId| self.constant(e) == Some(1);
        let read = |e: ExprId| self.scalar(e) == Some(variable);
        is_variable && ((read(*a) && one(*b)) || (one(*a) && read(*b)))
    }

    /// The locations of a round, if it is one: no circle, no way out but the end, nothing blocks.
    fn region(
        &self,
        head: LocationId,
        entry: LocationId,
        variable: FieldId,
    ) -> Option<Vec<LocationId>> {
        let mut order = Vec::new();
        let mut marks: BTreeMap<LocationId, bool> = BTreeMap::new();
        self.visit(head, entry, variable, (&mut marks, &mut order))?;
        Some(order)
    }

    fn visit(
        &self,
        head: LocationId,
        at: LocationId,
        variable: FieldId,
        (marks, order): (&mut BTreeMap<LocationId, bool>, &mut Vec<LocationId>),
    ) -> Option<()> {
        match marks.get(&at) {
            Some(true) => return Some(()),
            Some(false) => return None,
            None => {}
        }
        if at == head || order.len() > 1000 {
            return None;
        }
        marks.insert(at, false);
        let steps = &self.locations()[at.index()].steps;
        if steps.is_empty() || !steps.iter().any(|s| self.never_blocks(*s)) {
            return None;
        }
        let sends = steps.iter().any(|s| self.begins_with_send(*s));
        for s in steps {
            let step = self.text.step(*s);
            // Beside a send there must be no other way, which would be taken if the send waits.
            let alone = !sends || steps.len() == 1;
            if !alone || !self.keeps(at, *s) || !self.is_simple(*s) {
                return None;
            }
            if step.target == head {
                let ends = self.increments(&step.action, variable);
                if !ends || step.resets.iter().any(|r| r.field == variable) {
                    return None;
                }
                continue;
            }
            let kind = self.text.proctype(self.proctype).kind;
            let mut accesses = Accesses::new(self.text, kind, variable);
            accesses.step(step);
            if accesses.writes_variable {
                return None;
            }
            self.visit(head, step.target, variable, (&mut *marks, &mut *order))?;
        }
        marks.insert(at, true);
        order.push(at);
        Some(())
    }

    fn never_blocks(&self, step: StepId) -> bool {
        match &self.text.step(step).action {
            Action::Test(_) => false,
            Action::All(all) => !matches!(all.first(), Some(Action::Test(_))),
            _ => true,
        }
    }

    fn begins_with_send(&self, step: StepId) -> bool {
        match &self.text.step(step).action {
            Action::Send(_) => true,
            Action::All(all) => matches!(all.first(), Some(Action::Send(_))),
            _ => false,
        }
    }

    /// Whether a step does nothing but read and write variables, after a send at most.
    fn is_simple(&self, step: StepId) -> bool {
        fn simple(text: &Model, action: &Action) -> bool {
            let mut creates = false;
            roots(action, &mut |e| creates |= has_run(text, e));
            match action {
                Action::Skip | Action::Test(_) | Action::Else | Action::Assert(_) => !creates,
                Action::Assign(..) | Action::Drop(_) | Action::Print(_) => !creates,
                Action::All(all) => all.iter().all(|a| simple(text, a)),
                _ => false,
            }
        }
        let rest = |all: &[Action]| all.iter().all(|action| simple(self.text, action));
        match &self.text.step(step).action {
            _ if self.unordered.contains(&step) => true,
            Action::Send(send) => !send.sorted,
            Action::All(all) => match all.first() {
                Some(Action::Send(send)) => !send.sorted && rest(&all[1..]),
                _ => rest(all),
            },
            action => simple(self.text, action),
        }
    }

    /// The value with which every way into the loop starts.
    fn first(&self, head: LocationId, variable: FieldId, region: &[LocationId]) -> Option<i32> {
        let mut first = None;
        if self.text.proctype(self.proctype).start == head {
            return None;
        }
        for (l, location) in self.locations().iter().enumerate() {
            for s in &location.steps {
                let step = self.text.step(*s);
                if let Action::Deterministic(from, to) = step.action
                    && (from == head || to == head)
                {
                    return None;
                }
                let at = LocationId::new(l);
                if step.target != head || region.contains(&at) {
                    continue;
                }
                let value = self.assigned(&step.action, variable)?;
                let kept = !step.resets.iter().any(|r| r.field == variable);
                let known = first.is_none_or(|first| first == value);
                if !kept || !known || !self.keeps(at, *s) {
                    return None;
                }
                first = Some(value);
            }
        }
        first
    }

    /// The constant that the last part of an action gives to the variable.
    fn assigned(&self, action: &Action, variable: FieldId) -> Option<i32> {
        match action {
            Action::Assign(place, e) if place.owner == Owner::Own && place.field == variable => {
                self.constant(*e)
            }
            Action::All(all) => self.assigned(all.last()?, variable),
            _ => None,
        }
    }

    /// What rounds read and write, and where they send.
    fn accesses(&self, found: &Found) -> Accesses<'_> {
        let kind = self.text.proctype(self.proctype).kind;
        let mut accesses = Accesses::new(self.text, kind, found.variable);
        for l in &found.region {
            for s in &self.locations()[l.index()].steps {
                let step = self.text.step(*s);
                if step.target == found.head {
                    accesses.resets(step);
                    continue;
                }
                accesses.step(step);
                if self.unordered.contains(s) {
                    accesses.blocks(self.locations(), &step.action);
                }
            }
        }
        accesses
    }
}

fn has_run(text: &Model, e: ExprId) -> bool {
    // Whether somebody is enabled depends on all that rounds write.
    let mut found = matches!(text.expr(e), Expr::Run(..) | Expr::Enabled(_));
    operands(text.expr(e), &mut |e| found |= has_run(text, e));
    found
}

/// The operator with its operands exchanged.
fn turned(op: Binary) -> Binary {
    match op {
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::NotEqual => Binary::NotEqual,
        _ => Binary::Equal,
    }
}

struct Rewriter<'a> {
    text: &'a mut Model,
    proctype: ProctypeId,
    found: &'a Found,
    unordered: &'a mut HashSet<StepId>,
}

impl Rewriter<'_> {
    /// Puts the set of rounds in place of the loop; gives the step that stands for it.
    fn rewrite(mut self) -> StepId {
        let found = self.found;
        let end = self.location();
        let middle = self.location();
        let (first, last) = found.range;
        let mut blocks = Vec::new();
        for value in first..=last {
            let mut names = BTreeMap::from([(found.head, end)]);
            let entry = self.block(found.entry, value, &mut names);
            blocks.push(Action::Deterministic(entry, end));
        }
        let leave = self.text.step(found.leave).clone();
        let set = self.step(Step {
            action: Action::All(blocks.into()),
            target: middle,
            keeps_control: true,
            join: leave.join,
            alone: leave.alone,
            rank: 0,
            site: leave.site,
            resets: Vec::new(),
        });
        let after = self.expr(Expr::Const(found.after));
        let place = Place {
            owner: Owner::Own,
            field: found.variable,
            indices: Box::new([]),
        };
        let left = self.step(Step {
            action: Action::Assign(place, after),
            ..leave
        });
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        locations[found.head.index()].steps = vec![set];
        locations[middle.index()].steps = vec![left];
        set
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

    /// A copy of the round from `at` on, with a value in place of the variable.
    fn block(
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
            let target = self.block(step.target, value, names);
            let ends = step.target == self.found.head;
            let action = if ends {
                Action::Skip
            } else {
                self.action(&step.action, value, names)
            };
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
        locations[name.index()] = Location { steps, ..old };
        name
    }

    fn action(
        &mut self,
        action: &Action,
        value: i32,
        names: &mut BTreeMap<LocationId, LocationId>,
    ) -> Action {
        match action {
            Action::Test(e) => Action::Test(self.copy(*e, value)),
            Action::Drop(e) => Action::Drop(self.copy(*e, value)),
            Action::Assert(e) => Action::Assert(self.copy(*e, value)),
            Action::Assign(place, e) => {
                Action::Assign(self.place(place, value), self.copy(*e, value))
            }
            Action::Send(send) => Action::Send(Send {
                channel: self.copy(send.channel, value),
                fields: self.copies(&send.fields, value),
                sorted: send.sorted,
            }),
            Action::All(all) => {
                let parts = all.iter().map(|a| self.action(a, value, names));
                Action::All(parts.collect())
            }
            Action::Deterministic(from, to) => {
                let to = self.block(*to, value, names);
                Action::Deterministic(self.block(*from, value, names), to)
            }
            other => other.clone(),
        }
    }

    fn copy(&mut self, e: ExprId, value: i32) -> ExprId {
        let old = self.text.expr(e).clone();
        let new = match old {
            Expr::Read(place)
                if place.owner == Owner::Own
                    && place.field == self.found.variable
                    && place.indices.is_empty() =>
            {
                Expr::Const(value)
            }
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
