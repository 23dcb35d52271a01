//! Where it matters to a sender whether somebody is ready to receive.
//!
//! **Problem.** A rendezvous takes place only while a receiver is ready. Mostly a sender just waits
//! for one. But it may do something *because* nobody is ready: take an `else` beside the send, do
//! what the send would escape from, or lose control inside `atomic`. Then a step by which a process
//! becomes ready does not commute with that, however private it is.
//!
//! **Idea.** Find the channels that such *critical* sends may go to, and with them the locations
//! where a process is ready to receive from one of these. Only steps to such locations matter.
//! Which channels an expression may stand for is computed for the whole text: a channel is known by
//! the kind of its record, which is that of the declaration that makes it. Variables of a process
//! that hold one channel are followed from location to location; for all other variables, and for
//! the fields of messages, there is one set each. What is computed may be any channel.
//!
//! **Worked example.** `chan null = [0] of { byte }, a = [1] of { byte }` and a process with
//! `chan c = null; atomic { c = a; g = 1; c!5; c = null }`. The send stands inside `atomic`, so it
//! is critical if it can be a rendezvous. At its location `c` is `a` alone, which has a buffer:
//! nobody cares who is ready. Without looking at locations `c` would be `null` or `a`.
//!
//! **What is left out.** Resets of variables: what is reset is dead, so nobody sends through it.
//! Where channels go away with their process and others come later, a number may come to mean
//! another channel: then every channel variable may hold any.
//!
//! **Source.** Andersen 1994 (sets that flow along assignments), with strong updates for variables
//! of one process. **Cost.** A few rounds, each linear in the steps times the number of channels.

use super::creation::{can_end, has_channels, is_run};
use super::uses::{Var, all_roots, field, inside, var, walk};
use crate::processes::expr::{Expr, ExprId, Owner, Pattern, Place};
use crate::processes::layout::{FieldId, KindId, Meaning, Role, Scalar, Slot};
use crate::processes::program::{Action, Init, LocationId, Model, Proctype, ProctypeId, Step};
use std::collections::HashMap;

/// For each process type and location whether a process that is there is ready to receive what a
/// critical send may send.
pub(super) struct Readiness {
    at: Vec<Vec<bool>>,
    /// Whether there is a critical send that may be a rendezvous.
    matters: bool,
}

impl Readiness {
    /// What there is in a model.
    pub fn new(model: &Model) -> Readiness {
        let locations = |p: &Proctype| vec![false; p.locations.len()];
        let mut found = Readiness {
            at: model.proctypes.iter().map(locations).collect(),
            matters: false,
        };
        if !super::spin::has_rendezvous(model) {
            return found;
        }
        let flow = Flow::new(model);
        let mut critical = vec![false; model.layout.kinds.len()];
        for (p, proctype) in model.proctypes.iter().enumerate() {
            for l in critical_locations(model, proctype) {
                flow.sends(p, l, &mut critical);
            }
        }
        for (kind, is) in model.layout.kinds.iter().zip(&mut critical) {
            *is &= matches!(&kind.role, Role::Channel(buffer) if buffer.capacity == 0);
        }
        found.matters = critical.contains(&true);
        for (p, at) in found.at.iter_mut().enumerate() {
            for (l, is) in at.iter_mut().enumerate() {
                *is = found.matters && flow.receives(p, l, &critical);
            }
        }
        found
    }

    /// As if it never mattered, for tests of those who have to find that it does.
    #[cfg(test)]
    pub fn ignored(model: &Model) -> Readiness {
        let locations = |p: &Proctype| vec![false; p.locations.len()];
        Readiness {
            at: model.proctypes.iter().map(locations).collect(),
            matters: false,
        }
    }

    /// Whether it matters anywhere.
    pub fn matters(&self) -> bool {
        self.matters
    }

    /// Whether it may matter that a process of type number `p` is at a location.
    pub fn at(&self, p: usize, l: LocationId) -> bool {
        self.at[p][l.index()]
    }
}

/// The locations with something that happens if nobody is ready: an `else` or an escape, or what
/// keeps control has led there.
fn critical_locations(model: &Model, proctype: &Proctype) -> Vec<usize> {
    let all = || proctype.locations.iter().flat_map(|l| &l.steps);
    let mut is = vec![false; proctype.locations.len()];
    for step in all().map(|s| model.step(*s)) {
        is[step.target.index()] |= step.keeps_control;
        if let Action::Deterministic(entry, exit) = step.action {
            for l in inside(model, proctype, entry, exit) {
                is[l.index()] = true;
            }
        }
    }
    for (l, location) in proctype.locations.iter().enumerate() {
        let mut steps = location.steps.iter();
        is[l] |= steps.any(|s| model.step(*s).rank > 0 || model.is_else(proctype, *s));
    }
    (0..is.len()).filter(|l| is[*l]).collect()
}

/// Which kinds of channels.
type Set = Vec<bool>;

/// Adds one set to another; tells whether that changed it.
fn add(to: &mut Set, from: &Set) -> bool {
    let mut changed = false;
    for (to, from) in to.iter_mut().zip(from) {
        changed |= *from && !*to;
        *to |= *from;
    }
    changed
}

/// What the variables of a process that are followed may hold at a location.
type Held = HashMap<FieldId, Set>;

struct Flow<'a> {
    model: &'a Model,
    none: Set,
    any: Set,
    /// What variables may hold; of those that are followed, what they start as.
    vars: HashMap<Var, Set>,
    /// What fields of messages may hold, by kind of channel.
    messages: HashMap<(KindId, usize), Set>,
    /// By process type the variables that are followed.
    followed: Vec<Vec<FieldId>>,
    /// By process type and location what they hold; `None` where no process comes.
    at: Vec<Vec<Option<Held>>>,
    /// Whether the number of a channel that is gone may be given to another.
    renumbered: bool,
    changed: bool,
}

impl Flow<'_> {
    fn new(model: &Model) -> Flow<'_> {
        let kinds = &model.layout.kinds;
        let is_channel = |role: &Role| matches!(role, Role::Channel(_));
        let mut flow = Flow {
            model,
            none: vec![false; kinds.len()],
            any: kinds.iter().map(|k| is_channel(&k.role)).collect(),
            vars: HashMap::new(),
            messages: HashMap::new(),
            followed: followed(model),
            at: Vec::new(),
            renumbered: renumbered(model),
            changed: true,
        };
        while flow.changed {
            flow.changed = false;
            flow.round();
        }
        flow
    }

    fn round(&mut self) {
        let model = self.model;
        self.begin(super::uses::globals(), &model.prologue);
        self.at.clear();
        for (p, proctype) in model.proctypes.iter().enumerate() {
            self.begin(proctype.kind, &proctype.prologue);
            let at = self.walk_through(p);
            self.at.push(at);
        }
    }

    /// What variables start as.
    fn begin(&mut self, kind: KindId, prologue: &[Init]) {
        for init in prologue {
            let (place, set) = match init {
                Init::Value(place, e) => (place, self.value(kind, *e, None)),
                Init::Channel(place, channel) => {
                    let mut set = self.none.clone();
                    set[channel.index()] = true;
                    (place, set)
                }
            };
            self.put(var(self.model, kind, place), &set);
        }
    }

    fn put(&mut self, var: Var, set: &Set) {
        let set = self.kept(field(self.model, var).slot.scalar, set);
        let none = &self.none;
        let held = self.vars.entry(var).or_insert_with(|| none.clone());
        self.changed |= add(held, &set);
    }

    /// What is left of channels when their number is stored: too few bits make another number.
    fn kept(&self, scalar: Scalar, set: &Set) -> Set {
        if set.contains(&true) && scalar.narrow(0xff) != 0xff {
            self.any.clone()
        } else {
            set.clone()
        }
    }

    /// What the variables that are followed hold at each location of a process type.
    fn walk_through(&mut self, p: usize) -> Vec<Option<Held>> {
        let proctype = &self.model.proctypes[p];
        let mut at: Vec<Option<Held>> = vec![None; proctype.locations.len()];
        let starts = |field: &FieldId| {
            let var = Var {
                kind: proctype.kind,
                field: *field,
            };
            let set = self.vars.get(&var).unwrap_or(&self.none);
            (*field, set.clone())
        };
        at[proctype.start.index()] = Some(self.followed[p].iter().map(starts).collect());
        let mut open = vec![proctype.start];
        while let Some(l) = open.pop() {
            for s in &proctype.locations[l.index()].steps {
                let mut held = at[l.index()].clone().expect("a location on the way");
                let step = self.model.step(*s);
                self.act(p, &step.action, &mut held);
                for target in targets(step) {
                    if join(&mut at[target.index()], &held) {
                        open.push(target);
                    }
                }
            }
        }
        at
    }

    /// What an action does to what is held, here and elsewhere.
    fn act(&mut self, p: usize, action: &Action, held: &mut Held) {
        let kind = self.model.proctypes[p].kind;
        match action {
            Action::Assign(place, e) => {
                let set = self.value(kind, *e, Some(held));
                self.store(kind, place, set, held);
            }
            Action::Send(send) => {
                let channels = self.value(kind, send.channel, Some(held));
                for (i, e) in send.fields.iter().enumerate() {
                    let set = self.value(kind, *e, Some(held));
                    for channel in members(&channels) {
                        let Role::Channel(buffer) = &self.model.layout.kind(channel).role else {
                            continue;
                        };
                        let Some((_, slot)) = buffer.fields.get(i) else {
                            continue;
                        };
                        let set = self.kept(slot.scalar, &set);
                        let none = &self.none;
                        let message = self.messages.entry((channel, i));
                        let message = message.or_insert_with(|| none.clone());
                        self.changed |= add(message, &set);
                    }
                }
            }
            Action::Receive(receive) => {
                let channels = self.value(kind, receive.channel, Some(held));
                for (i, pattern) in receive.fields.iter().enumerate() {
                    let Pattern::Store(place) = pattern else {
                        continue;
                    };
                    let mut set = self.none.clone();
                    for channel in members(&channels) {
                        if let Some(message) = self.messages.get(&(channel, i)) {
                            add(&mut set, message);
                        }
                    }
                    self.store(kind, place, set, held);
                }
            }
            Action::All(all) => all.iter().for_each(|a| self.act(p, a, held)),
            _ => {}
        }
        self.create(kind, action, held);
    }

    fn store(&mut self, kind: KindId, place: &Place, set: Set, held: &mut Held) {
        match held.get_mut(&place.field) {
            Some(of) if place.owner == Owner::Own => *of = set,
            _ => self.put(var(self.model, kind, place), &set),
        }
    }

    /// Hands arguments to the processes that an action creates.
    fn create(&mut self, kind: KindId, action: &Action, held: &Held) {
        let model = self.model;
        if matches!(action, Action::All(_)) {
            return;
        }
        let mut created = Vec::new();
        crate::processes::program::roots(action, &mut |e| {
            walk(model, e, &mut |expr| {
                if let Expr::Run(p, arguments, _) = expr {
                    created.push((*p, arguments.clone()));
                }
            });
        });
        for (p, arguments) in created {
            let proctype = model.proctype(p);
            for (place, e) in proctype.parameters.iter().zip(&arguments) {
                let set = self.value(kind, *e, Some(held));
                self.put(var(model, proctype.kind, place), &set);
            }
        }
    }

    /// The channels that an expression may stand for.
    fn value(&self, kind: KindId, e: ExprId, held: Option<&Held>) -> Set {
        match self.model.expr(e) {
            Expr::Const(0) => self.none.clone(),
            Expr::Read(place) => {
                let own = place.owner == Owner::Own;
                let own = held.filter(|_| own).and_then(|h| h.get(&place.field));
                let set = own.or_else(|| self.vars.get(&var(self.model, kind, place)));
                let set = set.unwrap_or(&self.none);
                // Where channels come and go a number may mean another one by now.
                if set.contains(&true) && self.renumbered {
                    self.any.clone()
                } else {
                    set.clone()
                }
            }
            Expr::Choice([_, a, b]) => {
                let mut set = self.value(kind, *a, held);
                add(&mut set, &self.value(kind, *b, held));
                set
            }
            _ => self.any.clone(),
        }
    }

    /// Adds the channels that sends at a location may go to.
    fn sends(&self, p: usize, l: usize, out: &mut Set) {
        self.uses(p, l, &mut |action, kind, held| {
            if let Action::Send(send) = action {
                add(out, &self.value(kind, send.channel, held));
            }
        });
    }

    /// Whether a step from a location may receive from one of these channels.
    fn receives(&self, p: usize, l: usize, from: &Set) -> bool {
        let mut found = false;
        self.uses(p, l, &mut |action, kind, held| {
            if let Action::Receive(receive) = action {
                let channels = self.value(kind, receive.channel, held);
                found |= channels.iter().zip(from).any(|(a, b)| *a && *b);
            }
        });
        found
    }

    /// Calls `out` with the actions of a location, those inside others included, and with what is
    /// held before the first of them.
    fn uses(&self, p: usize, l: usize, out: &mut dyn FnMut(&Action, KindId, Option<&Held>)) {
        let proctype = &self.model.proctypes[p];
        let Some(held) = &self.at[p][l] else {
            return;
        };
        for s in &proctype.locations[l].steps {
            match &self.model.step(*s).action {
                // Nothing waits for a rendezvous but the first.
                Action::All(all) => out(&all[0], proctype.kind, Some(held)),
                Action::Deterministic(entry, exit) => {
                    for inner in inside(self.model, proctype, *entry, *exit) {
                        self.uses(p, inner.index(), out);
                    }
                }
                action => out(action, proctype.kind, Some(held)),
            }
        }
    }
}

/// Where what is held goes on: into a block, whose steps lead to its end, or to the target.
fn targets(step: &Step) -> Vec<LocationId> {
    match step.action {
        Action::Deterministic(entry, exit) if exit == step.target => vec![entry],
        Action::Deterministic(entry, _) => vec![entry, step.target],
        _ => vec![step.target],
    }
}

/// Joins what is held on one more way to a location; tells whether that changed anything.
fn join(at: &mut Option<Held>, held: &Held) -> bool {
    let Some(at) = at else {
        *at = Some(held.clone());
        return true;
    };
    let mut changed = false;
    for (field, set) in at {
        changed |= add(set, &held[field]);
    }
    changed
}

fn members(set: &Set) -> Vec<KindId> {
    let all = (0..set.len()).filter(|k| set[*k]);
    all.map(KindId::new).collect()
}

/// By process type the variables that hold one channel and that nobody else reads.
fn followed(model: &Model) -> Vec<Vec<FieldId>> {
    let mut shown: Vec<Var> = Vec::new();
    all_roots(model, &mut |kind, e| {
        walk(model, e, &mut |expr| {
            if let Expr::Read(place) = expr
                && matches!(place.owner, Owner::Other(..))
            {
                shown.push(var(model, kind, place));
            }
        });
    });
    let of = |p: &Proctype| {
        let fields = &model.layout.kind(p.kind).fields;
        (0..fields.len())
            .filter(|f| {
                let Slot { scalar, meaning } = fields[*f].slot;
                let fits = meaning == Meaning::Channel && scalar.narrow(0xff) == 0xff;
                fits && fields[*f].dimensions.is_empty()
            })
            .map(FieldId::new)
            .filter(|field| {
                let kind = p.kind;
                !shown.contains(&Var {
                    kind,
                    field: *field,
                })
            })
            .collect()
    };
    model.proctypes.iter().map(of).collect()
}

/// Whether the number of a channel that is gone may be given to another.
fn renumbered(model: &Model) -> bool {
    let mut all = (0..model.proctypes.len()).map(ProctypeId::new);
    let made = |p| has_channels(model.proctype(p));
    all.clone().any(|p| made(p) && is_run(model, p))
        && all.any(|p| made(p) && can_end(model, model.proctype(p)))
}
