//! What is asked of a model again and again: who can end, what can go wrong, where order matters.

use super::Why;
use super::sides::Sides;
use crate::processes::sort::{ClassId, Sorts};
use crate::processes::structure::Bearer;
use model::processes::expr::{
    Binary, Expr, ExprId, Instance, Owner, Pattern, Place, Receive, operands,
};
use model::processes::layout::{Buffer, FieldId, KindId, MESSAGES_AT, Role};
use model::processes::population::{Population, location_of, records};
use model::processes::program::{Action, Location, LocationId, ProctypeId, Step, StepId, roots};
use std::collections::BTreeSet;

/// The facts.
pub(super) struct Facts<'a> {
    pub sorts: &'a Sorts,
    pub population: &'a Population,
    /// By kind and field: whether it may hold something else than after the making.
    changes: Vec<Vec<bool>>,
    /// By process: whether it can go away.
    pub goes: Vec<bool>,
    /// How many channels are there for ever.
    pub n_channels_staying: usize,
    /// By type and location: whether the order of the steps matters.
    pub ordered: Vec<Vec<bool>>,
    /// Whether it is asked which location somebody is at, as a number.
    pub numbers_locations: bool,
    /// The types of which somebody asks for the first process.
    pub firsts: Vec<ProctypeId>,
    /// Whether looking if a process can move can go wrong.
    pub looking_faults: bool,
}

impl<'a> Facts<'a> {
    /// Collects them.
    pub fn new(sorts: &'a Sorts, population: &'a Population) -> Facts<'a> {
        let uses = sorts.uses.iter();
        let mut facts = Facts {
            sorts,
            population,
            changes: uses
                .map(|all| all.iter().map(|one| one.written).collect())
                .collect(),
            goes: vec![false; population.processes.len()],
            n_channels_staying: population.channels.len(),
            ordered: Vec::new(),
            numbers_locations: false,
            firsts: Vec::new(),
            looking_faults: false,
        };
        facts.early_changes();
        facts.ends();
        let mut asks = sorts.text.rules.priorities;
        facts.each_live_expr(&mut |e| asks |= matches!(e, Expr::Enabled(_)));
        let mut numbered = false;
        facts.each_live_expr(&mut |e| numbered |= matches!(e, Expr::LocationOf(_)));
        facts.numbers_locations = numbered;
        let mut firsts = Vec::new();
        facts.each_live_expr(&mut |e| firsts.extend(first(e)));
        facts.firsts = firsts;
        let types = sorts.text.proctypes.iter().enumerate();
        let mut provided = types.filter_map(|(p, one)| Some((ProctypeId::new(p), one.provided?)));
        let steps = |(p, step): (ProctypeId, StepId)| {
            facts.action_can_fault(p, &sorts.text.step(step).action)
        };
        facts.looking_faults =
            facts.live_steps().any(steps) || provided.any(|(p, e)| facts.can_fault(p, e));
        facts.ordered = facts.orders(asks);
        facts
    }

    /// While others move, the maker may do something else than it did when it was followed.
    fn early_changes(&mut self) {
        let text = &self.sorts.text;
        let Some(creator) = self.population.creator.as_ref() else {
            return;
        };
        if self.population.before.is_none() {
            return;
        }
        self.changes
            .iter_mut()
            .skip(1)
            .for_each(|changes| changes.fill(true));
        let locations = &text.proctype(creator.proctype).locations;
        for step in locations.iter().flat_map(|l| &l.steps) {
            places(&text.step(*step).action, &mut |place| {
                if place.owner == Owner::Globals {
                    self.changes[0][place.field.index()] = true;
                }
            });
        }
    }

    pub fn live_steps(&self) -> impl Iterator<Item = (ProctypeId, StepId)> + use<'a> {
        let sorts = self.sorts;
        let types = sorts.text.proctypes.iter().enumerate();
        types.flat_map(move |(p, proctype)| {
            let locations = proctype.locations.iter().zip(&sorts.live[p]);
            let steps = locations
                .filter(|(_, live)| **live)
                .flat_map(|(l, _)| &l.steps);
            steps.map(move |step| (ProctypeId::new(p), *step))
        })
    }

    fn each_live_expr(&self, out: &mut dyn FnMut(&Expr)) {
        let text = &self.sorts.text;
        let mut all = Vec::new();
        for (_, step) in self.live_steps() {
            places(&text.step(step).action, &mut |place| {
                out(&Expr::Read(place.clone()))
            });
            roots(&text.step(step).action, &mut |e| all.push(e));
        }
        for proctype in &text.proctypes {
            all.extend(proctype.provided);
            let prologue = proctype.prologue.iter();
            prologue
                .for_each(|init| model::processes::program::init_roots(init, &mut |e| all.push(e)));
        }
        all.extend(&text.atoms);
        while let Some(e) = all.pop() {
            out(text.expr(e));
            operands(text.expr(e), &mut |e| all.push(e));
        }
    }

    /// Which processes and channels can go away.
    fn ends(&mut self) {
        let text = &self.sorts.text;
        if !text.rules.ends_are_steps {
            return;
        }
        let mut can_end: BTreeSet<KindId> = BTreeSet::new();
        for (p, step) in self.live_steps() {
            let here = |at: &usize| text.proctype(p).locations[*at].steps.contains(&step);
            if ends(&text.step(step).action) && self.passed(p).iter().any(here) {
                can_end.insert(text.proctype(p).kind);
            }
        }
        let processes = &self.population.processes;
        let stays = |n: &usize| !can_end.contains(&processes[*n].kind);
        let n_staying = (0..processes.len()).rev().find(stays).map_or(0, |n| n + 1);
        // If others move during the making, only who was there before is there for certain.
        let before = self.population.before.as_ref();
        let before = before.map(|state| records(text, state).0.len());
        let mut certain = (0..before.unwrap_or(n_staying).min(processes.len())).rev();
        let n_certain = certain.find(stays).map_or(0, |n| n + 1);
        for (n, goes) in self.goes.iter_mut().enumerate() {
            *goes = n >= n_staying || (n >= n_certain && !stays(&n));
        }
        if let Some(first) = self.goes.iter().position(|goes| *goes) {
            let channels = self.population.channels.iter();
            self.n_channels_staying = channels.filter(|c| c.at < processes[first].at).count();
        }
    }

    /// The locations of a process type to which a way leads that is not closed by a condition that
    /// never holds.
    fn passed(&self, p: ProctypeId) -> BTreeSet<usize> {
        let text = &self.sorts.text;
        let proctype = text.proctype(p);
        let never = |action: &Action| match action {
            Action::Test(e) => *text.expr(*e) == Expr::Const(0),
            _ => false,
        };
        let mut found = BTreeSet::from([proctype.start.index()]);
        for state in self.population.states.iter().chain(&self.population.before) {
            let all = records(text, state).0;
            let all = all.iter().filter(|record| record.kind == proctype.kind);
            found.extend(all.map(|record| location_of(text, p, state, record).index()));
        }
        loop {
            let steps = found.iter().flat_map(|at| &proctype.locations[*at].steps);
            let open = steps
                .map(|step| text.step(*step))
                .filter(|step| !never(&step.action));
            let next: BTreeSet<usize> = open.map(|step| step.target.index()).collect();
            if next.is_subset(&found) {
                return found;
            }
            found.extend(next);
        }
    }

    fn orders(&self, asks: bool) -> Vec<Vec<bool>> {
        let text = &self.sorts.text;
        let types = text.proctypes.iter().enumerate();
        types
            .map(|(p, proctype)| {
                let inside = self.deterministic(ProctypeId::new(p));
                let locations = proctype.locations.iter().zip(inside);
                let p = ProctypeId::new(p);
                locations
                    .map(|(l, inside)| inside || self.order_matters(p, l, asks))
                    .collect()
            })
            .collect()
    }

    /// The locations inside deterministic blocks: there the first step that can be taken is taken.
    fn deterministic(&self, p: ProctypeId) -> Vec<bool> {
        let text = &self.sorts.text;
        let proctype = text.proctype(p);
        let mut found = vec![false; proctype.locations.len()];
        for step in proctype.locations.iter().flat_map(|l| &l.steps) {
            each_block(&text.step(*step).action, &mut |from, to| {
                let mut waiting = vec![from];
                while let Some(at) = waiting.pop() {
                    if at != to && !std::mem::replace(&mut found[at.index()], true) {
                        let steps = proctype.locations[at.index()].steps.iter();
                        waiting.extend(steps.map(|step| text.step(*step).target));
                    }
                }
            });
        }
        found
    }

    /// Outside of such blocks all steps that can be taken are, in the end. Their order matters
    /// where it is looked if there is one and looking can go wrong, where a send that finds no
    /// receiver is an escape, and where a step must be the only one.
    fn order_matters(&self, p: ProctypeId, location: &Location, asks: bool) -> bool {
        let text = &self.sorts.text;
        let steps = || location.steps.iter().map(|step| text.step(*step));
        let looks = asks && steps().any(|step| self.action_can_fault(p, &step.action));
        let escapes = |step: &Step| step.rank > 0 && begins_with_send(&step.action);
        looks || steps().any(|step| step.alone || escapes(step))
    }

    /// Which steps from a location come before which, whatever else: escapes of one rank are tried
    /// before those of the next, and `else` asks for the steps before it only.
    pub fn segments(&self, p: ProctypeId, location: &Location) -> Vec<i64> {
        let text = &self.sorts.text;
        let (mut segment, mut before) = (0, None);
        let steps = location.steps.iter();
        steps
            .map(|step| {
                let is_else = text.is_else(text.proctype(p), *step);
                let here = (text.step(*step).rank, is_else);
                segment += i64::from(before.is_some_and(|before| before != here || here.1));
                before = Some(here);
                segment
            })
            .collect()
    }

    /// The type of a kind of processes.
    pub fn type_of(&self, kind: KindId) -> Option<ProctypeId> {
        let all = &self.sorts.text.proctypes;
        all.iter().position(|p| p.kind == kind).map(ProctypeId::new)
    }

    /// Whether a value is a member of a sort.
    pub fn is_member(&self, class: ClassId, value: i32) -> bool {
        let members = self
            .sorts
            .classes
            .get(class.index())
            .and_then(|c| c.members.as_ref());
        members.is_some_and(|members| members.binary_search(&value).is_ok())
    }

    /// Whether the model has a bearer.
    pub fn is_there(&self, bearer: Bearer) -> bool {
        let (sorts, population) = (self.sorts, self.population);
        match bearer {
            Bearer::Process(n) => (0..population.processes.len() as i32).contains(&n),
            Bearer::Channel(n) => (1..=population.channels.len() as i32).contains(&n),
            Bearer::Member(class, value) => self.is_member(class, value),
            Bearer::Field(kind, field) => {
                let uses = sorts
                    .uses
                    .get(kind.index())
                    .and_then(|all| all.get(field.index()));
                uses.is_some_and(|uses| uses.used)
            }
            Bearer::Location(p, at) => {
                let n = sorts.n_locations.get(p.index()).copied().unwrap_or(0);
                at.index() < n && sorts.live[p.index()][at.index()]
            }
        }
    }

    /// Whether processes can be at a location: it is in the model itself, and can be reached.
    pub fn is_live(&self, p: ProctypeId, at: LocationId) -> bool {
        self.is_there(Bearer::Location(p, at))
    }

    /// The locations of a type where processes can be.
    pub fn live_locations(&self, p: ProctypeId) -> impl Iterator<Item = LocationId> + '_ {
        let all = (0..self.sorts.n_locations[p.index()]).map(LocationId::new);
        all.filter(move |at| self.is_live(p, *at))
    }

    /// Whether an expression makes a process.
    pub fn makes(&self, e: ExprId) -> bool {
        let mut found = matches!(self.sorts.text.expr(e), Expr::Run(..));
        operands(self.sorts.text.expr(e), &mut |e| found |= self.makes(e));
        found
    }

    /// Whether evaluating `e` can go wrong.
    pub fn can_fault(&self, p: ProctypeId, e: ExprId) -> bool {
        let text = &self.sorts.text;
        let mut faults = match text.expr(e) {
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                !matches!(text.expr(*b), Expr::Const(v) if *v != 0)
            }
            Expr::Read(place) => self.index_can_fault(p, place),
            Expr::Probe(_, channel) => self.channel_can_fault(p, *channel, 0),
            // A rendezvous channel must not be polled.
            Expr::Poll(receive) => {
                let is_buffered = |buffer: &Buffer| buffer.capacity > 0;
                let is_fine = self.is_sure_of(p, receive.channel, &is_buffered);
                !is_fine || self.receive_can_fault(p, receive)
            }
            Expr::Run(..) | Expr::Enabled(_) => true,
            _ => false,
        };
        operands(text.expr(e), &mut |e| faults |= self.can_fault(p, e));
        faults
    }

    fn receive_can_fault(&self, p: ProctypeId, receive: &Receive) -> bool {
        let stores = receive
            .fields
            .iter()
            .any(|p| matches!(p, Pattern::Store(_)));
        stores || self.channel_can_fault(p, receive.channel, receive.fields.len())
    }

    /// Whether looking if an action can be taken, or taking it, can go wrong.
    fn action_can_fault(&self, p: ProctypeId, action: &Action) -> bool {
        let mut faults = match action {
            Action::Send(send) => self.channel_can_fault(p, send.channel, send.fields.len()),
            Action::Receive(r) => self.channel_can_fault(p, r.channel, r.fields.len()),
            Action::All(all) => all.iter().any(|a| self.action_can_fault(p, a)),
            Action::Deterministic(..) => true,
            _ => false,
        };
        roots(action, &mut |e| faults |= self.can_fault(p, e));
        faults
    }

    fn kind_of(&self, p: ProctypeId, owner: Owner) -> KindId {
        match owner {
            Owner::Globals => KindId::new(0),
            Owner::Own => self.sorts.text.proctype(p).kind,
            Owner::Other(p, _) => self.sorts.text.proctype(p).kind,
        }
    }

    fn index_can_fault(&self, p: ProctypeId, place: &Place) -> bool {
        let kind = self.sorts.text.layout.kind(self.kind_of(p, place.owner));
        let field = &kind.fields[place.field.index()];
        let mut pairs = place.indices.iter().zip(&field.dimensions);
        pairs.any(|(e, d)| {
            let inside = |v: &i32| u32::try_from(*v).is_ok_and(|v| v < d.count);
            !self.values(p, *e).is_some_and(|all| all.iter().all(inside))
        })
    }

    fn channel_can_fault(&self, p: ProctypeId, e: ExprId, n_fields: usize) -> bool {
        !self.is_sure_of(p, e, &|buffer| n_fields <= buffer.fields.len())
    }

    /// Whether an expression can be no other than the number of a channel with that property.
    fn is_sure_of(&self, p: ProctypeId, e: ExprId, has: &dyn Fn(&Buffer) -> bool) -> bool {
        let layout = &self.sorts.text.layout;
        let fine = |v: &i32| {
            let n = usize::try_from(*v).ok().and_then(|n| n.checked_sub(1));
            let n = n.filter(|n| *n < self.n_channels_staying);
            n.is_some_and(
                |n| match &layout.kind(self.population.channels[n].kind).role {
                    Role::Channel(buffer) => has(buffer),
                    _ => false,
                },
            )
        };
        self.values(p, e).is_some_and(|all| all.iter().all(fine))
    }

    /// The values that an expression can have, if they are known.
    fn values(&self, p: ProctypeId, e: ExprId) -> Option<Vec<i32>> {
        let sorts = self.sorts;
        match sorts.text.expr(e) {
            Expr::Const(v) => return Some(vec![*v]),
            Expr::Read(place) => {
                let kind = self.kind_of(p, place.owner);
                let remote = matches!(place.owner, Owner::Other(..));
                if !self.changes[kind.index()][place.field.index()] && !remote {
                    return Some(self.held(kind, place.field));
                }
            }
            _ => {}
        }
        let class = sorts.class(sorts.of(e));
        class.members.clone().filter(|_| !class.open)
    }

    /// What a variable holds after the making, in all records of its kind.
    fn held(&self, kind: KindId, field: FieldId) -> Vec<i32> {
        let states = self.population.states.iter();
        states
            .flat_map(|state| self.sorts.held(kind, field.index(), state))
            .collect()
    }

    /// Whether what never changes is in `image` what it is in the state it is the image of.
    pub fn constants_stay(&self, state: &[u8], image: &[u8]) -> bool {
        let layout = &self.sorts.text.layout;
        let globals = std::iter::once((KindId::new(0), 0));
        globals.chain(layout.records(state)).all(|(kind, at)| {
            let fields = layout.kind(kind).fields.iter().enumerate();
            let mut constant =
                fields.filter(|(f, _)| self.sorts.is_constant(kind, *f, self.population));
            constant.all(|(_, field)| {
                let n_bytes = field.slot.scalar.n_bytes() as usize;
                (0..field.n_elements()).all(|n| {
                    let place = at + field.element_at(n) as usize;
                    state[place..place + n_bytes] == image[place..place + n_bytes]
                })
            })
        })
    }

    /// What `image` has otherwise than the state it is the image of, in words.
    pub fn changed(&self, state: &[u8], image: &[u8]) -> Why {
        let layout = &self.sorts.text.layout;
        let plain = |reason: &str| Why {
            reason: reason.to_owned(),
            line: 0,
            sides: None,
        };
        if self.population.states.len() > 1 {
            return plain("the making can end in one of several states, and not in its image");
        }
        let globals = std::iter::once((KindId::new(0), 0));
        for (kind, at) in globals.chain(layout.records(state)) {
            let record = layout.kind(kind);
            for field in &record.fields {
                for (offset, name) in field.elements() {
                    let place = at + offset as usize;
                    let scalar = field.slot.scalar;
                    let (old, new) = (scalar.load(state, place), scalar.load(image, place));
                    if old != new {
                        let told = format!("`{name}` is {old} after the making and would be {new}");
                        let sides = [old, new].map(|value| format!("{name} = {value}"));
                        let [text, image] = sides;
                        return Why {
                            sides: Sides::new(text, image),
                            ..plain(&told)
                        };
                    }
                }
            }
            let end = at + record.size as usize;
            let start = match record.role {
                Role::Channel(_) => at + MESSAGES_AT as usize - 1,
                _ => at,
            };
            if state[start..end] != image[start..end] {
                let name = &record.name;
                let told = format!("`{name}` is in another state after the making than its image");
                return plain(&told);
            }
        }
        plain("the state after the making is not its own image")
    }
}

/// The type of which an expression asks for the first process.
fn first(e: &Expr) -> Option<ProctypeId> {
    match e {
        Expr::AtLocation(p, Instance::Any, _) => Some(*p),
        Expr::Read(place) => match place.owner {
            Owner::Other(p, Instance::Any) => Some(p),
            _ => None,
        },
        _ => None,
    }
}

/// Calls `out` with each place that an action stores into.
fn places(action: &Action, out: &mut dyn FnMut(&Place)) {
    match action {
        Action::Assign(place, _) => out(place),
        Action::Receive(receive) => receive.fields.iter().for_each(|pattern| {
            if let Pattern::Store(place) = pattern {
                out(place);
            }
        }),
        Action::All(all) => all.iter().for_each(|a| places(a, out)),
        _ => {}
    }
}

/// Calls `out` with the first and last location of each deterministic block of an action.
fn each_block(action: &Action, out: &mut dyn FnMut(LocationId, LocationId)) {
    match action {
        Action::Deterministic(from, to) => out(*from, *to),
        Action::All(all) => all.iter().for_each(|action| each_block(action, out)),
        _ => {}
    }
}

fn ends(action: &Action) -> bool {
    match action {
        Action::End => true,
        Action::All(all) => all.iter().any(ends),
        _ => false,
    }
}

fn begins_with_send(action: &Action) -> bool {
    match action {
        Action::Send(_) => true,
        Action::All(all) => all.first().is_some_and(begins_with_send),
        _ => false,
    }
}

/// A location in words.
pub(super) fn location_name(sorts: &Sorts, p: ProctypeId, at: LocationId) -> String {
    let proctype = sorts.text.proctype(p);
    let location = &proctype.locations[at.index()];
    match location.labels.first() {
        Some(label) => format!("`{}@{label}`", proctype.name),
        None => format!("location {} of `{}`", location.number, proctype.name),
    }
}
