//! SPIN's own optimisations, with all they get wrong.
//!
//! **Problem.** Counts in the literature are those of `spin -a` with its defaults: statements
//! joined, variables reset. To compare with them, the same has to be done to the same statements.
//!
//! **Joining** ([`merge`]). A statement of the *quiet* kind (an assignment, an assertion, a print,
//! a jump) with no label, no escape and no use of globals, or else inside `atomic`, is taken
//! together with the statement before it, if that is quiet too, or a condition, a receive or
//! (where no channel is a rendezvous) a send of which the same holds. Here a step to such a
//! statement keeps control; that stores the same states as SPIN's joined steps.
//!
//! **Resetting** ([`reset`]). A variable of a process that is no array, record or channel is set
//! to 0 by the statement after which it is dead, if that is a condition or receive that uses it,
//! or an assignment to it. Not by others that read it: `d!x` leaves `x` as it is.
//!
//! **Worked example.** `byte x = 4; c?x; y = x; d!y` with `chan c, d`: `y = x` is joined to `c?x`
//! only if the receive is inside `atomic` or the channel is one of which the process is the only
//! receiver (`xr c`); y stays after `d!y`, x after `y = x`, for neither is reset by what only
//! reads.
//!
//! **Quirks** that are kept: the index of an array is not looked at for globals, nor are the
//! arguments of `run`. All in `docs/theory/optimise.md`.
//!
//! **Source.** Behaviour of SPIN 6.5.2: the tables of `pan -d` and the comments in `pan.m`.
//! **Cost.** Linear, and that of live variables.

use super::live::{Flow, Live, Strength};
use super::unread::{drop_writes, spin_needs};
use super::uses::{action_reads, all_roots, globals, in_blocks, var, walk, writes};
use crate::processes::expr::{Expr, ExprId, Owner, Pattern, Place, Probe};
use crate::processes::layout::{FieldId, KindId, Meaning, RecordKind, Role};
use crate::processes::program::{
    Action, Join, Leaves, Location, LocationId, Model, Origin, Proctype, ProctypeId, Reset, StepId,
};

/// After the call steps to statements that SPIN joins keep control.
pub fn merge(model: &mut Model) {
    let provided = model.proctypes.iter().any(|p| p.provided.is_some());
    if provided || asks_for_variables(model) {
        return;
    }
    let mut kept: Vec<StepId> = Vec::new();
    for (p, proctype) in model.proctypes.iter().enumerate() {
        let joins = Joins {
            model,
            p: ProctypeId::new(p),
            proctype,
            rendezvous: has_rendezvous(model),
        };
        let blocks = in_blocks(model, proctype);
        for (l, location) in proctype.locations.iter().enumerate() {
            let steps = location.steps.iter().filter(|_| !blocks[l]);
            kept.extend(steps.filter(|s| joins.with_next(**s)));
        }
    }
    for s in &kept {
        let step = &mut model.steps[s.index()];
        step.keeps_control = true;
        step.join = Join::Tight;
    }
    stop_at_points(model, &kept);
}

/// After the call steps set to 0 what SPIN sets to 0, and globals that SPIN leaves out of the
/// state are never written.
pub fn reset(model: &mut Model) {
    if !asks_for_variables(model) {
        for p in 0..model.proctypes.len() {
            for (s, reset) in resets(model, &model.proctypes[p]) {
                let step = &mut model.steps[s.index()];
                if !step.resets.contains(&reset) {
                    step.resets.push(reset);
                }
            }
        }
    }
    let needed = spin_needs(model);
    drop_writes(model, &needed);
}

/// Where statements joined end with a jump out of the middle of `atomic` to a point without a
/// statement, SPIN has the process rest at that point, which it skips otherwise.
fn stop_at_points(model: &mut Model, kept: &[StepId]) {
    for p in 0..model.proctypes.len() {
        let mut detours: Vec<(LocationId, LocationId)> = Vec::new();
        for l in 0..model.proctypes[p].locations.len() {
            for s in model.proctypes[p].locations[l].steps.clone() {
                let via = model.step(s).target;
                let jump = &model.proctypes[p].locations[via.index()].steps;
                let leaves = match jump[..] {
                    [only] => (model.origins.steps.get(only.index()))
                        .is_some_and(|o| o.leaves == Leaves::ToPoint),
                    _ => false,
                };
                if !leaves || !kept.contains(&s) {
                    continue;
                }
                let known = detours.iter().find(|d| d.0 == via).map(|d| d.1);
                let detour = known.or_else(|| add_detour(model, p, via));
                if let Some(detour) = detour {
                    detours.push((via, detour));
                    model.steps[s.index()].target = detour;
                }
            }
        }
    }
}

/// A copy of a location with a jump, whose jump leads to a new location with a jump to where the
/// first led. `None` if the record has no room for more locations.
fn add_detour(model: &mut Model, p: usize, via: LocationId) -> Option<LocationId> {
    let first = model.proctypes[p].locations[via.index()].clone();
    let n = model.proctypes[p].locations.len();
    let kind = model.proctypes[p].kind;
    let room = RecordKind::process("", n + 2).role;
    if model.layout.kind(kind).role != room {
        return None;
    }
    let jump = *first.steps.first()?;
    let mut steps = Vec::new();
    for target in [LocationId::new(n + 1), model.step(jump).target] {
        let mut step = model.step(jump).clone();
        step.target = target;
        step.keeps_control = false;
        step.join = Join::Loose;
        steps.push(StepId::new(model.steps.len()));
        model.steps.push(step);
        let origin = model.origins.steps.get(jump.index()).copied();
        (model.origins.steps).resize(model.steps.len(), origin.unwrap_or_default());
    }
    for step in steps {
        model.proctypes[p].locations.push(Location {
            steps: vec![step],
            ..first.clone()
        });
    }
    Some(LocationId::new(n))
}

/// Whether a process or a property reads a variable of a process: then SPIN does neither.
fn asks_for_variables(model: &Model) -> bool {
    let mut asks = model.origins.remote;
    all_roots(model, &mut |_, e| {
        walk(model, e, &mut |expr| {
            if let Expr::Read(place) = expr {
                asks |= matches!(place.owner, Owner::Other(..));
            }
        });
    });
    asks
}

/// Whether some channel is a rendezvous.
pub(super) fn has_rendezvous(model: &Model) -> bool {
    let is = |role: &Role| matches!(role, Role::Channel(buffer) if buffer.capacity == 0);
    model.layout.kinds.iter().any(|k| is(&k.role))
}

/// What SPIN resets after which step.
fn resets(model: &Model, proctype: &Proctype) -> Vec<(StepId, Reset)> {
    let fields = &model.layout.kind(proctype.kind).fields;
    let resettable: Vec<bool> = (fields.iter())
        .map(|f| {
            f.dimensions.is_empty() && !f.name.contains('.') && f.slot.meaning != Meaning::Channel
        })
        .collect();
    let needed = vec![true; model.layout.globals().fields.len()];
    let flow = Flow {
        model,
        proctype,
        strength: Strength::Written,
        always: vec![false; fields.len()],
        globals_needed: &needed,
    };
    let live = flow.solve();
    let blocks = in_blocks(model, proctype);
    let mut found = Vec::new();
    for (l, location) in proctype.locations.iter().enumerate() {
        for s in location.steps.iter().filter(|_| !blocks[l]) {
            for field in used(model, *s) {
                if resettable[field.index()] && is_dead(&live, model.step(*s).target, field) {
                    found.push((*s, Reset { field, value: 0 }));
                }
            }
        }
    }
    found
}

fn is_dead(live: &Live, at: LocationId, field: FieldId) -> bool {
    !live.is(at, field)
}

/// The variables of the process that a step uses in a way after which SPIN may reset them.
fn used(model: &Model, s: StepId) -> Vec<FieldId> {
    let action = &model.step(s).action;
    let mut found = Vec::new();
    let mut add = |place: &Place| {
        if place.owner == Owner::Own && place.indices.is_empty() {
            found.push(place.field);
        }
    };
    if let Action::Test(_) | Action::Receive(_) = action {
        action_reads(model, action, &mut add);
    }
    if let Action::Assign(..) | Action::Receive(_) = action {
        writes(action, &mut add);
    }
    found
}

struct Joins<'a> {
    model: &'a Model,
    p: ProctypeId,
    proctype: &'a Proctype,
    /// Whether some channel is a rendezvous.
    rendezvous: bool,
}

impl Joins<'_> {
    fn origin(&self, s: StepId) -> Origin {
        let found = self.model.origins.steps.get(s.index());
        found.copied().unwrap_or_default()
    }

    /// Whether a step is taken together with the statement it leads to.
    fn with_next(&self, s: StepId) -> bool {
        (self.is_quiet(s) || self.can_begin(s))
            && self.origin(s).leaves == Leaves::No
            && self.quiet_at(self.model.step(s).target)
    }

    /// Whether there is a quiet statement at a location, and nothing else.
    fn quiet_at(&self, l: LocationId) -> bool {
        let compound = (self.model.origins.compound.get(self.p.index()))
            .and_then(|of| of.get(l.index()))
            .is_some_and(|c| *c);
        match self.proctype.locations[l.index()].steps[..] {
            [only] => !compound && self.is_quiet(only),
            _ => false,
        }
    }

    fn is_quiet(&self, s: StepId) -> bool {
        let origin = self.origin(s);
        let quiet = match &self.model.step(s).action {
            Action::Skip => origin.jump,
            Action::Assign(..) | Action::Drop(_) | Action::Assert(_) | Action::Print(_) => true,
            // `_priority = e`
            Action::SetPriority(of, ..) => self.is_pid(*of),
            _ => false,
        };
        quiet && !origin.labelled && self.is_own(s)
    }

    /// Whether a statement that can block can be the first of those joined.
    fn can_begin(&self, s: StepId) -> bool {
        let begins = match &self.model.step(s).action {
            Action::Skip => !self.origin(s).jump,
            Action::Test(e) => {
                let mut runs = false;
                walk(self.model, *e, &mut |e| runs |= matches!(e, Expr::Run(..)));
                !runs
            }
            Action::Receive(_) => true,
            Action::Send(_) => !self.rendezvous,
            _ => false,
        };
        begins && self.is_own(s)
    }

    /// No escape, no question from outside, and nothing global or inside `atomic`.
    fn is_own(&self, s: StepId) -> bool {
        let origin = self.origin(s);
        !origin.escapable
            && !origin.asked
            && (origin.in_atomic || !self.is_global(&self.model.step(s).action))
    }

    /// Whether SPIN takes an action for one that others could notice.
    fn is_global(&self, action: &Action) -> bool {
        match action {
            Action::Assign(place, e) => self.place_is_global(place) || self.expr_is_global(*e),
            Action::Send(send) => {
                send.fields.iter().any(|e| self.expr_is_global(*e))
                    || !self.sole(send.channel, &self.model.origins.sole_senders)
            }
            Action::Receive(receive) => {
                receive.fields.iter().any(|p| self.pattern_is_global(p))
                    || !self.sole(receive.channel, &self.model.origins.sole_receivers)
            }
            action => {
                let mut is = false;
                crate::processes::program::roots(action, &mut |e| is |= self.expr_is_global(e));
                is
            }
        }
    }

    fn pattern_is_global(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Store(place) => self.place_is_global(place),
            Pattern::Drop => false,
            Pattern::Match(e) => self.expr_is_global(*e),
        }
    }

    /// Indices are not looked at.
    fn place_is_global(&self, place: &Place) -> bool {
        match place.owner {
            Owner::Own => false,
            Owner::Globals => !self.model.origins.local.contains(&place.field),
            Owner::Other(..) => true,
        }
    }

    fn expr_is_global(&self, e: ExprId) -> bool {
        let origins = &self.model.origins;
        let (senders, receivers) = (&origins.sole_senders, &origins.sole_receivers);
        match self.model.expr(e) {
            Expr::Const(_) | Expr::Pid => false,
            Expr::Read(place) => self.place_is_global(place),
            Expr::Unary(_, a) => self.expr_is_global(*a),
            Expr::Binary(_, a, b) => self.expr_is_global(*a) || self.expr_is_global(*b),
            Expr::And(all) | Expr::Or(all) => all.iter().any(|e| self.expr_is_global(*e)),
            Expr::Choice(all) => all.iter().any(|e| self.expr_is_global(*e)),
            Expr::Run(p, _, _) => origins.computed.contains(p),
            Expr::PriorityOf(of) => !self.is_pid(*of),
            Expr::Probe(probe, c) => match probe {
                Probe::Length => !self.sole(*c, senders) || !self.sole(*c, receivers),
                Probe::Empty | Probe::NotFull => !self.sole(*c, senders),
                Probe::Full | Probe::NotEmpty => !self.sole(*c, receivers),
            },
            Expr::Poll(receive) => {
                receive.fields.iter().any(|p| self.pattern_is_global(p))
                    || !self.sole(receive.channel, senders)
                    || !self.sole(receive.channel, receivers)
            }
            _ => true,
        }
    }

    fn is_pid(&self, e: ExprId) -> bool {
        matches!(self.model.expr(e), Expr::Pid)
    }

    /// Whether the channel is in a variable on the list.
    fn sole(&self, channel: ExprId, list: &[(KindId, FieldId)]) -> bool {
        let Expr::Read(place) = self.model.expr(channel) else {
            return false;
        };
        let of = var(self.model, self.proctype.kind, place);
        debug_assert!(of.kind == globals() || of.kind == self.proctype.kind);
        list.contains(&(of.kind, of.field))
    }
}
