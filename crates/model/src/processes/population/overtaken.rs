//! Whether it makes no difference that others move while processes are still made.
//!
//! **Problem.** `active proctype boss()` and `init { atomic { for (i : 1 .. 3) { run w(i) } } }`:
//! the boss may take steps before `init` does. The state that the making leads to is then not one
//! through which all runs pass, and little could be said of what variables hold afterwards.
//!
//! **Idea.** Let the making depend on nothing that others do, and others on nothing that it does.
//! Then each move of others before its end could as well come after it: every state in which the
//! making is over is one that is reached from where it leads if nobody else moves. All that holds
//! from there on holds in all states after the making.
//!
//! That is so if
//! - the steps of the making use variables of the maker only, and globals that no other writes (to
//!   write, that no other uses), and are no sends or receives;
//! - no other makes processes, and none whose number would be given out again goes away;
//! - no other asks which processes there are, where they are or what they can do;
//! - what becomes possible for others because there are partners for a rendezvous takes nothing
//!   from them: no `else`, no escape and no kept control depends on such a partner.
//!
//! **Worked example.** In the model above the loop uses `i` only, and the boss cannot tell whether
//! the workers are there. If it counted processes by `_nr_pr`, the two would not be independent.
//!
//! **Cost.** Linear.

use super::{Record, creates, location_of, reachable, records};
use crate::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use crate::processes::layout::{FieldId, KindId, Role};
use crate::processes::program::{
    Action, Init, LocationId, Model, Proctype, ProctypeId, Step, init_roots, roots,
};
use std::collections::BTreeSet;

/// A making that was followed as if nobody else moved.
pub(super) struct Followed<'a> {
    pub model: &'a Model,
    /// Who makes.
    pub maker: ProctypeId,
    /// Its record, where it is when others can move first.
    pub record: Record,
    /// Where it can be once the making is over, by location.
    pub after: &'a [bool],
    /// The state from which others can move.
    pub before: &'a [u8],
    /// How many processes there are once the making is over.
    pub n_made: usize,
    /// The kinds of the processes then, in order.
    pub there: Vec<KindId>,
}

/// The most processes with which all `run`s are sure to have been possible.
const N_PROCESSES_MAX: usize = 200;

/// The globals that are read and written; `None` if more than variables is used.
type Uses = Option<[BTreeSet<FieldId>; 2]>;

/// Whether moves of others before the end of the making could as well come after it.
pub(super) fn is_harmless(followed: &Followed<'_>) -> bool {
    let model = followed.model;
    let rules = &model.rules;
    let maker = model.proctype(followed.maker);
    let n_makers = followed.there.iter().filter(|k| **k == maker.kind).count();
    // Where there is no room for more processes, numbers depend on who comes first.
    if followed.n_made >= N_PROCESSES_MAX {
        return false;
    }
    if rules.priorities || rules.last.is_some() || maker.provided.is_some() || n_makers != 1 {
        return false;
    }
    let Some(made) = followed.making() else {
        return false;
    };
    let others: Option<Vec<&Proctype>> = followed.others(&made);
    let Some(uses) = followed.own_uses(&made) else {
        return false;
    };
    others.is_some_and(|others| {
        let others = others.into_iter();
        others
            .map(|other| followed.other_uses(other))
            .all(|theirs| theirs.is_some_and(|theirs| are_apart(&uses, &theirs)))
    })
}

fn are_apart(one: &[BTreeSet<FieldId>; 2], other: &[BTreeSet<FieldId>; 2]) -> bool {
    let [reads, writes] = one;
    let [read, written] = other;
    reads.is_disjoint(written) && writes.is_disjoint(read) && writes.is_disjoint(written)
}

impl<'a> Followed<'a> {
    /// The steps that the maker can take before the making is over, and what types it makes.
    fn making(&self) -> Option<Made<'a>> {
        let model = self.model;
        let proctype = model.proctype(self.maker);
        let at = location_of(model, self.maker, self.before, &self.record);
        let seen = reachable(model, self.maker, at);
        let mut made = Made::default();
        for (l, location) in proctype.locations.iter().enumerate() {
            if !seen[l] || self.after[l] {
                continue;
            }
            for step in location.steps.iter().map(|step| model.step(*step)) {
                made.steps.push((l, step));
                let mut all = Vec::new();
                roots(&step.action, &mut |e| all.push(e));
                while let Some(e) = all.pop() {
                    if let Expr::Run(p, ..) = model.expr(e) {
                        made.types.insert(p.index());
                    }
                    operands(model.expr(e), &mut |e| all.push(e));
                }
            }
        }
        (!made.types.contains(&self.maker.index())).then_some(made)
    }

    /// The types of all who can move before the making is over; `None` if one of them may go away
    /// whose number is then given out again.
    fn others(&self, made: &Made<'_>) -> Option<Vec<&'a Proctype>> {
        let model = self.model;
        let mut types: BTreeSet<usize> = BTreeSet::new();
        let mut later: BTreeSet<usize> = BTreeSet::new();
        for (n, kind) in self.there.iter().enumerate() {
            let p = model.proctypes.iter().position(|p| p.kind == *kind)?;
            if p != self.maker.index() {
                types.insert(p);
            }
            // Who was there before the maker cannot go before it does.
            if n > self.record.number as usize {
                later.insert(p);
            }
        }
        if !self.is_at_once(made) {
            types.extend(&made.types);
            later.extend(&made.types);
        }
        let ends = |p: &usize| {
            let mut steps = model.proctypes[*p].locations.iter().flat_map(|l| &l.steps);
            steps.any(|step| matches!(model.step(*step).action, Action::End))
        };
        if model.rules.ends_are_steps && later.iter().any(ends) {
            return None;
        }
        Some(types.iter().map(|p| &model.proctypes[*p]).collect())
    }

    /// Whether control is kept from the first process that is made to the last. That the maker has
    /// to wait in between is no matter: it would wait for ever, since nobody else can help it.
    fn is_at_once(&self, made: &Made<'_>) -> bool {
        let model = self.model;
        let makes = |step: &Step| {
            let mut found = false;
            roots(&step.action, &mut |e| found |= creates(model, e));
            found
        };
        let more = |at: LocationId| {
            let seen = reachable(model, self.maker, at);
            made.steps.iter().any(|(l, step)| seen[*l] && makes(step))
        };
        let making = made.steps.iter().map(|(_, step)| *step);
        let mut open: Vec<&Step> = making.filter(|step| makes(step)).collect();
        let mut seen = BTreeSet::new();
        while let Some(step) = open.pop() {
            if !more(step.target) {
                continue;
            }
            if !step.keeps_control {
                return false;
            }
            if seen.insert(step.target.index()) {
                let there = made.steps.iter();
                let there = there.filter(|(l, _)| *l == step.target.index());
                open.extend(there.map(|(_, step)| *step));
            }
        }
        true
    }

    /// The globals that the making uses.
    fn own_uses(&self, made: &Made<'_>) -> Uses {
        let mut walk = Walk::new(self.model);
        for (_, step) in &made.steps {
            walk.making(&step.action);
        }
        for p in &made.types {
            for init in &self.model.proctypes[*p].prologue {
                let (Init::Value(place, _) | Init::Channel(place, _)) = init;
                walk.write(place);
                init_roots(init, &mut |e| {
                    if looks(self.model, e) {
                        walk.uses = None;
                    }
                    walk.expr(e)
                });
            }
        }
        walk.uses
    }

    /// Whether it can take something from a process that somebody is ready for a rendezvous.
    fn hangs_on(&self, proctype: &Proctype) -> bool {
        let model = self.model;
        let into = |at: usize| {
            let mut steps = proctype.locations[at].steps.iter();
            steps.any(|step| self.meets(&model.step(*step).action))
        };
        let mut locations = proctype.locations.iter().enumerate();
        locations.any(|(at, location)| {
            let steps = || location.steps.iter().map(|step| model.step(*step));
            let negated = steps().any(|step| step.rank > 0 || step.alone);
            let otherwise = steps().any(|step| matches!(step.action, Action::Else));
            let entered = steps().any(|step| match step.action {
                Action::Deterministic(from, to) => {
                    inside(model, proctype, from, to).iter().any(|at| into(*at))
                }
                _ => step.keeps_control && into(step.target.index()),
            });
            entered || ((negated || otherwise) && into(at))
        })
    }

    /// Whether an action may be half of a rendezvous.
    fn meets(&self, action: &Action) -> bool {
        match action {
            Action::Send(send) => !self.is_buffered(send.channel),
            Action::Receive(receive) => !self.is_buffered(receive.channel),
            Action::All(all) => all.iter().any(|action| self.meets(action)),
            _ => false,
        }
    }

    /// Whether an expression names a channel with a buffer: an element of a global variable that
    /// never changes and holds only such.
    fn is_buffered(&self, channel: ExprId) -> bool {
        let model = self.model;
        let Expr::Read(place) = model.expr(channel) else {
            return false;
        };
        if place.owner != Owner::Globals || is_written(model, place.field) {
            return false;
        }
        let field = &model.layout.globals().fields[place.field.index()];
        let (_, channels) = records(model, self.before);
        (0..field.n_elements()).all(|n| {
            let at = field.element_at(n) as usize;
            let number = field.slot.scalar.load(self.before, at);
            let mut channels = channels.iter();
            let channel = channels.find(|channel| channel.number == number);
            channel.is_some_and(|channel| match &model.layout.kind(channel.kind).role {
                Role::Channel(buffer) => buffer.capacity > 0,
                _ => false,
            })
        })
    }

    /// The globals that processes of a type use.
    fn other_uses(&self, proctype: &Proctype) -> Uses {
        let model = self.model;
        let mut walk = Walk::new(model);
        if proctype.provided.is_some() || self.hangs_on(proctype) {
            return None;
        }
        for location in &proctype.locations {
            let mut steps = location.steps.iter().map(|step| model.step(*step));
            let has_else = steps
                .clone()
                .any(|step| matches!(step.action, Action::Else));
            steps.by_ref().for_each(|step| {
                // While the maker can move there is no timeout.
                let waits = matches!(step.action, Action::Test(e)
                    if matches!(model.expr(e), Expr::Timeout));
                if !waits || has_else {
                    walk.other(&step.action);
                }
            });
        }
        walk.uses
    }
}

#[derive(Default)]
struct Made<'a> {
    /// With the locations where they start.
    steps: Vec<(usize, &'a Step)>,
    types: BTreeSet<usize>,
}

/// Whether a step may store into a global variable.
fn is_written(model: &Model, field: FieldId) -> bool {
    fn stores(action: &Action, field: FieldId) -> bool {
        let is = |place: &Place| place.owner == Owner::Globals && place.field == field;
        match action {
            Action::Assign(place, _) => is(place),
            Action::Receive(receive) => {
                let mut fields = receive.fields.iter();
                fields.any(|pattern| matches!(pattern, Pattern::Store(place) if is(place)))
            }
            Action::All(all) => all.iter().any(|action| stores(action, field)),
            _ => false,
        }
    }
    let mut steps = model.steps.iter();
    steps.any(|step| stores(&step.action, field))
}

/// The locations of a block, its end included.
fn inside(model: &Model, proctype: &Proctype, from: LocationId, to: LocationId) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([to.index()]);
    let mut waiting = vec![from.index()];
    while let Some(at) = waiting.pop() {
        if found.insert(at) {
            let steps = proctype.locations[at].steps.iter();
            waiting.extend(steps.map(|step| model.step(*step).target.index()));
        }
    }
    found
}

/// Whether an expression asks what is in a channel.
fn looks(model: &Model, e: ExprId) -> bool {
    let mut found = matches!(model.expr(e), Expr::Probe(..) | Expr::Poll(_));
    operands(model.expr(e), &mut |e| found |= looks(model, e));
    found
}

struct Walk<'a> {
    model: &'a Model,
    uses: Uses,
}

impl<'a> Walk<'a> {
    fn new(model: &'a Model) -> Walk<'a> {
        let uses = Some(Default::default());
        Walk { model, uses }
    }

    /// A step of the making: it uses nothing but variables.
    fn making(&mut self, action: &Action) {
        match action {
            Action::Send(_) | Action::Receive(_) | Action::SetPriority(..) => self.uses = None,
            Action::All(all) => all.iter().for_each(|action| self.making(action)),
            Action::Assign(place, _) => self.write(place),
            _ => {}
        }
        roots(action, &mut |e| {
            if looks(self.model, e) {
                self.uses = None;
            }
            self.expr(e)
        });
    }

    /// A step of somebody else: it makes nobody.
    fn other(&mut self, action: &Action) {
        let stored = |pattern: &'_ Pattern| match pattern {
            Pattern::Store(place) => Some(place.clone()),
            _ => None,
        };
        match action {
            Action::SetPriority(..) => self.uses = None,
            Action::All(all) => all.iter().for_each(|action| self.other(action)),
            Action::Assign(place, _) => self.write(place),
            Action::Receive(receive) => {
                let places: Vec<Place> = receive.fields.iter().filter_map(stored).collect();
                places.iter().for_each(|place| self.write(place));
            }
            _ => {}
        }
        roots(action, &mut |e| {
            if creates(self.model, e) {
                self.uses = None;
            }
            self.expr(e)
        });
    }

    fn write(&mut self, place: &Place) {
        match (place.owner, &mut self.uses) {
            (Owner::Globals, Some([_, writes])) => {
                writes.insert(place.field);
            }
            (Owner::Other(..), uses) => *uses = None,
            _ => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        let expr = self.model.expr(e);
        match (expr, &mut self.uses) {
            (Expr::Read(place), Some([reads, _])) if place.owner == Owner::Globals => {
                reads.insert(place.field);
            }
            (Expr::Read(place), uses) if matches!(place.owner, Owner::Other(..)) => *uses = None,
            (
                Expr::NProcesses
                | Expr::Timeout
                | Expr::Enabled(_)
                | Expr::LocationOf(_)
                | Expr::PriorityOf(_)
                | Expr::AtLocation(..)
                | Expr::NonProgress
                | Expr::Accepting,
                uses,
            ) => *uses = None,
            _ => {}
        }
        operands(expr, &mut |e| self.expr(e));
    }
}
