//! Variables that a round of a loop uses for itself.
//!
//! `for (k : 0 .. 2) { t = st[k]; if :: t == owned -> n++ :: else fi }` sets `t` in each round
//! before it reads it. What another round left there is not seen, so such rounds commute as if each
//! had a `t` of its own; if what the last one leaves is not seen either: because all leave the same
//! number, or because the process sets it again before anybody looks.
//!
//! Worked example. In the round above each read of `t` comes after `t = st[k]`. It leaves what was
//! in `st[k]`, which depends on `k`; if `t = 0` follows inside the same `atomic`, nobody sees that.

use super::conditions::exhaustive;
use super::loops::Finder;
use super::unroll::{Round, guard};
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::FieldId;
use model::processes::program::{Action, LocationId, StepId, roots};
use std::collections::{BTreeMap, BTreeSet};

/// What a step does to a variable, in order.
enum Touch {
    Read,
    /// Sets it, to a constant if that is known.
    Write(Option<i32>),
}

/// What may have happened to a variable since a round began.
#[derive(Clone, Default)]
struct Since {
    untouched: bool,
    /// What it was set to.
    last: BTreeSet<Option<i32>>,
}

impl Finder<'_> {
    /// The variables of the process that a round sets before it reads them, and the constant that
    /// each holds afterwards if it was set, if it is always the same.
    pub(super) fn own_variables(&self, round: &Round) -> BTreeMap<FieldId, Option<i32>> {
        let mut fields = BTreeSet::new();
        for taken in round.nodes.iter().flat_map(|node| &node.steps) {
            self.set_by(&self.text.step(taken.step).action, &mut fields);
        }
        let found = fields.into_iter().filter_map(|field| {
            let last = self.followed(round, field)?;
            let mut all = last.iter();
            let first = all.next().copied().flatten();
            Some((field, first.filter(|_| all.next().is_none())))
        });
        found.collect()
    }

    /// Adds the variables that an action sets.
    fn set_by(&self, action: &Action, out: &mut BTreeSet<FieldId>) {
        match action {
            Action::Assign(place, _) => out.extend(own(place)),
            Action::Receive(receive) => {
                let stored = receive.fields.iter().filter_map(|pattern| match pattern {
                    Pattern::Store(place) => own(place),
                    _ => None,
                });
                out.extend(stored)
            }
            Action::All(all) => all.iter().for_each(|action| self.set_by(action, out)),
            _ => {}
        }
    }

    /// What a round sets a variable to last; `None` if it may read it before.
    fn followed(&self, round: &Round, field: FieldId) -> Option<BTreeSet<Option<i32>>> {
        let mut since = vec![Since::default(); round.nodes.len()];
        since[round.entry].untouched = true;
        let mut last = BTreeSet::new();
        // What follows a node has a lower number.
        for n in (0..=round.entry).rev() {
            let here = since[n].clone();
            if !here.untouched && here.last.is_empty() {
                continue;
            }
            for taken in &round.nodes[n].steps {
                let mut now = here.clone();
                let mut touches = Vec::new();
                self.touches(taken.step, field, &mut touches);
                for touch in touches {
                    match touch {
                        Touch::Read if now.untouched => return None,
                        Touch::Read => {}
                        Touch::Write(value) => {
                            now = Since {
                                untouched: false,
                                last: BTreeSet::from([value]),
                            };
                        }
                    }
                }
                match taken.to {
                    Some(to) => {
                        since[to].untouched |= now.untouched;
                        since[to].last.extend(now.last);
                    }
                    None => last.extend(now.last),
                }
            }
        }
        Some(last)
    }

    fn touches(&self, id: StepId, field: FieldId, out: &mut Vec<Touch>) {
        let step = self.text.step(id);
        self.touches_of(&step.action, field, out);
        let resets = step.resets.iter().filter(|reset| reset.field == field);
        out.extend(resets.map(|reset| Touch::Write(Some(reset.value))));
    }

    fn touches_of(&self, action: &Action, field: FieldId, out: &mut Vec<Touch>) {
        if let Action::All(all) = action {
            all.iter().for_each(|a| self.touches_of(a, field, out));
            return;
        }
        roots(action, &mut |e| {
            if self.reads(e, field) {
                out.push(Touch::Read);
            }
        });
        match action {
            Action::Assign(place, e) if own(place) == Some(field) => {
                out.push(Touch::Write(self.constant(*e)));
            }
            Action::Receive(receive) => {
                let is = |pattern: &Pattern| match pattern {
                    Pattern::Store(place) => own(place) == Some(field),
                    _ => false,
                };
                if receive.fields.iter().any(is) {
                    out.push(Touch::Write(None));
                }
            }
            // An inner loop that was replaced: what it touches counts as read.
            Action::Deterministic(from, to) if self.is_touched(*from, *to, field) => {
                out.push(Touch::Read);
            }
            _ => {}
        }
    }

    fn is_touched(&self, from: LocationId, to: LocationId, field: FieldId) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for step in &self.locations()[at.index()].steps {
                let mut touches = Vec::new();
                self.touches(*step, field, &mut touches);
                if !touches.is_empty() {
                    return true;
                }
                waiting.push(self.text.step(*step).target);
            }
        }
        false
    }

    fn reads(&self, e: ExprId, field: FieldId) -> bool {
        let expr = self.text.expr(e);
        let mut found = matches!(expr, Expr::Read(place) if place.owner == Owner::Own
            && place.field == field);
        operands(expr, &mut |e| found |= self.reads(e, field));
        found
    }

    /// Whether the process sets a variable again after a step, before it reads it and before
    /// others can come between. `at` is where the step starts.
    pub(super) fn sets_again(&self, at: LocationId, step: StepId, field: FieldId) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(at, step)];
        while let Some((at, id)) = waiting.pop() {
            let mut touches = Vec::new();
            self.touches(id, field, &mut touches);
            match touches.first() {
                Some(Touch::Read) => return false,
                Some(Touch::Write(_)) => continue,
                None => {}
            }
            let target = self.text.step(id).target;
            let steps = &self.locations()[target.index()].steps;
            let goes_on = self.keeps(at, id) && (self.in_block(at) == self.in_block(target));
            // Where it may have to wait, others can come between.
            let mut firsts = steps.iter().map(|step| &self.text.step(*step).action);
            let sure = firsts.any(|action| {
                matches!(
                    action,
                    Action::Skip | Action::Else | Action::Assign(..) | Action::Drop(_)
                )
            });
            let tests = steps.iter().map(|step| &self.text.step(*step).action);
            let tests: Option<Vec<ExprId>> = tests.map(guard).collect();
            let one = tests.is_some_and(|tests| exhaustive(self.text, &tests));
            let sure = sure || one || self.in_block(target);
            if self.in_block(at) && !self.in_block(target) {
                if !self.is_reset_after(target, field) {
                    return false;
                }
                continue;
            }
            if !goes_on || !sure || steps.is_empty() {
                return false;
            }
            if seen.insert(target) {
                waiting.extend(steps.iter().map(|step| (target, *step)));
            }
        }
        true
    }

    /// Whether all blocks that end at a location reset a variable.
    fn is_reset_after(&self, end: LocationId, field: FieldId) -> bool {
        let steps = self.locations().iter().flat_map(|l| &l.steps);
        let mut ending = steps.map(|step| self.text.step(*step)).filter(|step| {
            let mut ends = false;
            super::walk::blocks(&step.action, &mut |_, to| ends |= to == end);
            ends
        });
        ending.all(|step| step.resets.iter().any(|reset| reset.field == field))
    }
}

/// The variable of the process itself that a place is, if it is no element of an array.
fn own(place: &Place) -> Option<FieldId> {
    (place.owner == Owner::Own && place.indices.is_empty()).then_some(place.field)
}
