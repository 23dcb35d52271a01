//! Variables that each round of a set uses for itself: whether no round sees what another left.
//!
//! A variable of the process is *scratch* in a round if from the start of the round no way leads to
//! a read of it that has not led over a write. What is left of it after the round is a constant,
//! or else nobody may see it: on every way from the end of the set the process writes it before it
//! reads it, and before it gives up control.

use super::Verifier;
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::FieldId;
use model::processes::program::{Action, LocationId, StepId, roots};
use std::collections::BTreeSet;

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    Read,
    Write,
    Neither,
}

impl Verifier<'_> {
    /// Whether a round reads a variable only after it has written it, and writes it at all.
    pub(super) fn is_scratch(&self, from: LocationId, to: LocationId, field: FieldId) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(self.proctype).locations;
        let mut writes = false;
        let mut seen = BTreeSet::new();
        // The locations that some way reaches without a write.
        let mut unwritten = vec![from];
        while let Some(at) = unwritten.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for step in &locations[at.index()].steps {
                match self.first_use(*step, field) {
                    First::Read => return false,
                    First::Write => writes = true,
                    First::Neither => unwritten.push(text.step(*step).target),
                }
            }
        }
        writes
    }

    /// The constant that is in a variable after every round that writes it, if there is one.
    pub(super) fn left_in(&self, from: LocationId, to: LocationId, field: FieldId) -> Option<i32> {
        let text = &self.sorts.text;
        let locations = &text.proctype(self.proctype).locations;
        let mut left = BTreeSet::new();
        let mut seen = BTreeSet::new();
        // Where a way is, and what was written last on it.
        let mut waiting = vec![(from, None)];
        while let Some((at, last)) = waiting.pop() {
            if at == to {
                left.extend(last);
                continue;
            }
            if !seen.insert((at, last)) {
                continue;
            }
            for step in locations[at.index()].steps.iter().map(|s| text.step(*s)) {
                let mut now = self.last_write(&step.action, field).or(last);
                let mut resets = step.resets.iter();
                if let Some(reset) = resets.find(|reset| reset.field == field) {
                    now = Some(Some(reset.value));
                }
                waiting.push((step.target, now));
            }
        }
        let mut all = left.into_iter();
        let first = all.next()?;
        first.filter(|_| all.next().is_none())
    }

    /// What an action writes last: a constant, or something else.
    fn last_write(&self, action: &Action, field: FieldId) -> Option<Option<i32>> {
        match action {
            Action::Assign(place, e) if is_of(place, field) => {
                Some(match self.sorts.text.expr(*e) {
                    Expr::Const(v) => Some(*v),
                    _ => None,
                })
            }
            Action::Receive(_) => (self.is_stored(action, field)).then_some(None),
            Action::All(all) => {
                let mut all = all.iter().rev();
                all.find_map(|action| self.last_write(action, field))
            }
            _ => None,
        }
    }

    fn is_stored(&self, action: &Action, field: FieldId) -> bool {
        let Action::Receive(receive) = action else {
            return false;
        };
        receive
            .fields
            .iter()
            .any(|pattern| matches!(pattern, Pattern::Store(place) if is_of(place, field)))
    }

    fn first_use(&self, id: StepId, field: FieldId) -> First {
        let step = self.sorts.text.step(id);
        let resets = step.resets.iter().any(|reset| reset.field == field);
        match self.first_of(&step.action, field) {
            First::Neither if resets => First::Write,
            first => first,
        }
    }

    fn first_of(&self, action: &Action, field: FieldId) -> First {
        if let Action::All(all) = action {
            let firsts = all.iter().map(|action| self.first_of(action, field));
            let mut firsts = firsts.filter(|first| *first != First::Neither);
            return firsts.next().unwrap_or(First::Neither);
        }
        let mut reads = false;
        roots(action, &mut |e| reads |= self.mentions(e, field));
        blocks(action, &mut |from, to| {
            reads |= self.block_uses(from, to, field)
        });
        let writes = match action {
            Action::Assign(place, _) => is_of(place, field),
            action => self.is_stored(action, field),
        };
        match (reads, writes) {
            (true, _) => First::Read,
            (false, true) => First::Write,
            (false, false) => First::Neither,
        }
    }

    /// Whether a set inside a round has to do with a variable at all.
    fn block_uses(&self, from: LocationId, to: LocationId, field: FieldId) -> bool {
        let text = &self.sorts.text;
        let locations = &text.proctype(self.proctype).locations;
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at != to && seen.insert(at) {
                for step in &locations[at.index()].steps {
                    if self.first_use(*step, field) != First::Neither {
                        return true;
                    }
                    waiting.push(text.step(*step).target);
                }
            }
        }
        false
    }

    fn mentions(&self, e: ExprId, field: FieldId) -> bool {
        let expr = self.sorts.text.expr(e);
        let mut found = match expr {
            Expr::Read(place) => place.owner == Owner::Own && place.field == field,
            _ => false,
        };
        operands(expr, &mut |e| found |= self.mentions(e, field));
        found
    }

    /// Whether nobody sees what is in a variable after a step: on every way it is written before it
    /// is read, and before control is given up.
    pub(super) fn is_unseen(&self, at: LocationId, id: StepId, field: FieldId) -> bool {
        let step = self.sorts.text.step(id);
        let block = self.is_in_block(at);
        if !block && (!step.keeps_control || step.rank != 0 || self.is_interrupted()) {
            return false;
        }
        let mut seen = BTreeSet::new();
        self.unseen_from(block, step.target, field, &mut seen)
    }

    fn unseen_from(
        &self,
        block: bool,
        at: LocationId,
        field: FieldId,
        seen: &mut BTreeSet<LocationId>,
    ) -> bool {
        let text = &self.sorts.text;
        if block && !self.is_in_block(at) {
            // The block is over; what it is part of may reset the variable.
            let locations = &text.proctype(self.proctype).locations;
            let steps = locations.iter().flat_map(|l| &l.steps);
            return steps.map(|step| text.step(*step)).all(|step| {
                let mut ends = false;
                blocks(&step.action, &mut |_, to| ends |= to == at);
                !ends || step.resets.iter().any(|reset| reset.field == field)
            });
        }
        if !seen.insert(at) {
            return true;
        }
        let steps = &text.proctype(self.proctype).locations[at.index()].steps;
        if steps.is_empty() || (!block && self.can_block(at)) {
            return false;
        }
        // A send or receive without an alternative can wait, too.
        let mut actions = steps.iter().map(|step| &text.step(*step).action);
        if !block && actions.any(begins_at_channel) {
            return false;
        }
        steps.iter().all(|id| {
            let step = text.step(*id);
            let kept = block || (step.keeps_control && step.rank == 0);
            match self.first_use(*id, field) {
                First::Read => false,
                First::Write => true,
                First::Neither => kept && self.unseen_from(block, step.target, field, seen),
            }
        })
    }
}

fn is_of(place: &Place, field: FieldId) -> bool {
    place.owner == Owner::Own && place.field == field && place.indices.is_empty()
}

fn begins_at_channel(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) => true,
        Action::All(all) => all.first().is_some_and(begins_at_channel),
        _ => false,
    }
}
