//! Which values can be where: whether what is claimed is kept by every step.
//!
//! The claims are sets of values for variables, messages and process numbers, and for each location
//! what is known there of places. They are right if they hold when the making is over and each step
//! leads from what is claimed where it starts to what is claimed where it ends. Nothing has to be
//! found for that: one pass over the text looks whether any step breaks a claim, and notes what can
//! be in each place that is read.

use super::{Checked, Verifier};
use crate::processes::sort::reach::{Name, name};
use crate::processes::sort::walk::blocks;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, KindId, MESSAGES_AT, Role};
use model::processes::population::location_of;
use model::processes::program::{Action, Init, LocationId, ProctypeId, Step, StepId, roots};
use std::collections::{BTreeMap, BTreeSet};

/// A set of numbers; `None` for all.
pub(super) type Set = Option<BTreeSet<i32>>;
/// What is known of places.
pub(super) type Facts = BTreeMap<Name, BTreeSet<i32>>;

fn is_part(some: &Set, all: &Set) -> bool {
    match (some, all) {
        (_, None) => true,
        (Some(some), Some(all)) => some.is_subset(all),
        (None, Some(_)) => false,
    }
}

impl Verifier<'_> {
    /// Checks the claims; notes what can be in what is read.
    pub(super) fn reach(&mut self) -> Checked {
        let (sorts, text) = (self.sorts, &self.sorts.text);
        let claims = &sorts.reach;
        self.reads = vec![None; text.exprs.len()];
        self.is_read = vec![false; text.exprs.len()];
        self.gather_places();
        let shape = claims.fields.len() == text.layout.kinds.len()
            && claims.at.len() == text.proctypes.len()
            && claims.pids.len() == text.proctypes.len();
        self.demand(shape, "values of something that is not there")?;
        self.reach_start()?;
        for p in (0..text.proctypes.len()).map(ProctypeId::new) {
            self.proctype = p;
            let proctype = text.proctype(p);
            self.line = 0;
            if let Some(e) = proctype.provided {
                self.noted(e, &Facts::new())?;
            }
            for l in 0..proctype.locations.len() {
                let Some(known) = &claims.at[p.index()][l] else {
                    continue;
                };
                let known = known.iter();
                let facts: Facts = known
                    .map(|(name, fact)| (name.clone(), fact.values.clone()))
                    .collect();
                let steps = &proctype.locations[l].steps;
                for n in 0..steps.len() {
                    self.reach_step(LocationId::new(l), &steps[..=n], facts.clone())?;
                }
            }
        }
        let atoms = text.atoms.iter();
        atoms
            .copied()
            .try_for_each(|e| self.noted(e, &Facts::new()))
    }

    /// The claims hold when the making is over, and for processes that are made later.
    fn reach_start(&mut self) -> Checked {
        let (sorts, population) = (self.sorts, self.population);
        let (text, claims) = (&sorts.text, &sorts.reach);
        if population.before.is_some() || population.interleaved {
            let mut sets = claims.fields.iter().chain(&claims.messages).flatten();
            let none = sets.all(Option::is_none) && claims.pids.iter().all(Option::is_none);
            let all = |known: &Option<_>| known.as_ref().is_some_and(BTreeMap::is_empty);
            let open = none && claims.at.iter().flatten().all(all);
            return self.demand(open, "values are claimed while others move");
        }
        for state in &population.states {
            let globals = std::iter::once((KindId::new(0), 0));
            for (kind, at) in globals.chain(text.layout.records(state)) {
                self.reach_record(state, kind, at)?;
            }
            for record in &population.processes {
                let p = text.proctypes.iter().position(|p| p.kind == record.kind);
                let Some(p) = p.map(ProctypeId::new) else {
                    continue;
                };
                self.entered(p, location_of(text, p, state, record))?;
                let number = Some(BTreeSet::from([record.number]));
                let known = is_part(&number, &claims.pids[p.index()]);
                self.demand(known, "a process with a number that is not claimed")?;
            }
        }
        let last = text.rules.last.map(|field| (KindId::new(0), field));
        let priorities = text.proctypes.iter();
        let priorities = priorities.filter_map(|p| Some((p.kind, p.priority?.0)));
        for (kind, field) in priorities.chain(last) {
            let open = claims.fields[kind.index()][field.index()].is_none();
            self.demand(open, "values are claimed of what the machine sets")?;
        }
        for p in (0..text.proctypes.len()).map(ProctypeId::new) {
            // Who is made somewhere has no known numbers; see `noted`.
            if claims.pids[p.index()].is_none() {
                self.reach_made(p)?;
            }
        }
        Ok(())
    }

    fn reach_record(&self, state: &[u8], kind: KindId, at: usize) -> Checked {
        let claims = &self.sorts.reach;
        let record = self.sorts.text.layout.kind(kind);
        for (f, field) in record.fields.iter().enumerate() {
            let claim = &claims.fields[kind.index()][f];
            for n in 0..field.n_elements() {
                let value = field
                    .slot
                    .scalar
                    .load(state, at + field.element_at(n) as usize);
                let known = is_part(&Some(BTreeSet::from([value])), claim);
                self.demand(known, "a variable holds what is not claimed")?;
            }
        }
        let Role::Channel(buffer) = &record.role else {
            return Ok(());
        };
        for message in 0..usize::from(state[at + 1]) {
            let first = at + MESSAGES_AT as usize + message * buffer.message_size as usize;
            for (n, (offset, slot)) in buffer.fields.iter().enumerate() {
                let value = slot.scalar.load(state, first + *offset as usize);
                let claim = &claims.messages[kind.index()][n];
                let known = is_part(&Some(BTreeSet::from([value])), claim);
                self.demand(known, "a message holds what is not claimed")?;
            }
        }
        Ok(())
    }

    /// A process is made later: nothing is known where it starts, and its variables are 0 or set.
    fn reach_made(&mut self, p: ProctypeId) -> Checked {
        let (text, claims) = (&self.sorts.text, &self.sorts.reach);
        let proctype = text.proctype(p);
        self.proctype = p;
        self.entered(p, proctype.start)?;
        let zero = Some(BTreeSet::from([0]));
        let all = claims.fields[proctype.kind.index()].iter();
        let zeros = all.fold(true, |all, claim| all & is_part(&zero, claim));
        self.demand(zeros, "a variable starts as 0, which is not claimed")?;
        for init in &proctype.prologue {
            match init {
                Init::Value(place, e) => {
                    let values = self.outcomes(*e, &Facts::new());
                    self.stored(place, values)?;
                }
                Init::Channel(place, _) => {
                    self.stored(place, None)?;
                }
            }
        }
        Ok(())
    }

    /// A process can be at a location, and nothing is known of it.
    fn entered(&self, p: ProctypeId, at: LocationId) -> Checked {
        let known = &self.sorts.reach.at[p.index()][at.index()];
        let open = known.as_ref().is_some_and(BTreeMap::is_empty);
        self.demand(open, "more is claimed of a location than holds there")
    }

    /// What is claimed of a location follows from what is known.
    fn arrives(&self, at: LocationId, facts: &Facts) -> Checked {
        let Some(claim) = &self.sorts.reach.at[self.proctype.index()][at.index()] else {
            return self.misuse("a location that can be reached has no values");
        };
        let follows = |name: &Name, values: &BTreeSet<i32>| {
            facts.get(name).is_some_and(|known| known.is_subset(values))
        };
        let all = claim.iter().all(|(name, fact)| follows(name, &fact.values));
        self.demand(all, "more is claimed of a location than holds there")
    }

    /// The last of some steps from a location.
    fn reach_step(&mut self, from: LocationId, steps: &[StepId], facts: Facts) -> Checked {
        let sorts = self.sorts;
        let Some((id, before)) = steps.split_last() else {
            return Ok(());
        };
        let step = sorts.text.step(*id);
        self.line = sorts.text.sites[step.site.index()].line;
        let mut facts = Some(facts);
        if matches!(step.action, Action::Else) || self.is_in_block(from) {
            for other in before {
                let test = match &sorts.text.step(*other).action {
                    Action::Test(e) => Some(*e),
                    Action::All(all) => match all.first() {
                        Some(Action::Test(e)) => Some(*e),
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(e) = test {
                    facts = facts.and_then(|facts| self.supposed(e, false, facts));
                }
            }
        }
        let Some(facts) = facts else {
            return Ok(());
        };
        let Some(mut facts) = self.reach_action(&step.action, facts)? else {
            return Ok(());
        };
        for reset in &step.resets {
            let place = Place::scalar(Owner::Own, reset.field);
            self.stored(&place, Some(BTreeSet::from([reset.value])))?;
            self.dropped(&place, &mut facts);
        }
        if self.lets_others(from, step) {
            facts.retain(|name, _| self.is_private(name));
        }
        self.arrives(step.target, &facts)
    }

    /// Whether somebody else may act between a step and the next.
    fn lets_others(&self, from: LocationId, step: &Step) -> bool {
        if self.is_in_block(from) {
            return false;
        }
        let text = &self.sorts.text;
        let next = &text.proctype(self.proctype).locations[step.target.index()];
        let waits = !next.steps.iter().any(|s| passes(&text.step(*s).action));
        let kept = step.keeps_control && step.rank == 0 && !self.is_interrupted();
        !kept || waits || exchanges(&step.action)
    }

    /// Whether a place can be changed by the process itself only.
    fn is_private(&self, name: &Name) -> bool {
        let own = |place: &Place| {
            place.owner == Owner::Own && !self.is_set_by_others(self.proctype, place.field)
        };
        // What is never read is of no use to anyone.
        self.places.get(name).is_none_or(|all| all.iter().all(own))
    }

    /// Whether others store into a variable of the processes of a type.
    fn is_set_by_others(&self, p: ProctypeId, field: FieldId) -> bool {
        let is = |place: &Place| {
            matches!(place.owner, Owner::Other(q, _) if q == p) && place.field == field
        };
        let mut steps = self.sorts.text.steps.iter();
        steps.any(|step| super::neutral::stores(&step.action, &is))
    }

    /// What is known after an action; `None` if it is never taken.
    fn reach_action(
        &mut self,
        action: &Action,
        mut facts: Facts,
    ) -> Result<Option<Facts>, super::Misuse> {
        self.noted_roots(action, &facts)?;
        match action {
            // Not after an assertion: where it is false, the run goes on.
            Action::Test(e) => return Ok(self.supposed(*e, true, facts)),
            Action::Assign(place, e) => {
                let values = self.outcomes(*e, &facts);
                let values = self.stored(place, values)?;
                self.dropped(place, &mut facts);
                if let (Some(name), Some(values)) = (name(&self.sorts.text, place), values) {
                    facts.insert(name, values);
                }
            }
            Action::Send(send) => {
                let kinds = self.named_kinds(send.channel, &facts);
                for kind in kinds {
                    self.reach_message(kind, &send.fields, &facts)?;
                }
            }
            Action::Receive(receive) => {
                let kinds = self.named_kinds(receive.channel, &facts);
                for (n, pattern) in receive.fields.iter().enumerate() {
                    let Pattern::Store(place) = pattern else {
                        continue;
                    };
                    for kind in &kinds {
                        let sent = self.sorts.reach.messages[kind.index()].get(n).cloned();
                        self.stored(place, sent.unwrap_or(Some(BTreeSet::from([0]))))?;
                    }
                    self.dropped(place, &mut facts);
                }
            }
            Action::All(all) if all.iter().any(|a| matches!(a, Action::Deterministic(..))) => {
                self.forget_blocks(action, &mut facts);
                let mut entries = Vec::new();
                blocks(action, &mut |entry, _| entries.push(entry));
                entries
                    .into_iter()
                    .try_for_each(|entry| self.arrives(entry, &facts))?;
            }
            Action::All(all) => {
                for part in all {
                    match self.reach_action(part, facts)? {
                        Some(after) => facts = after,
                        None => return Ok(None),
                    }
                }
            }
            Action::Deterministic(entry, exit) => {
                self.arrives(*entry, &facts)?;
                let known = self.sorts.reach.at[self.proctype.index()][exit.index()].as_ref();
                let facts = known.map(|known| {
                    let known = known.iter();
                    known
                        .map(|(name, fact)| (name.clone(), fact.values.clone()))
                        .collect()
                });
                return Ok(facts);
            }
            _ => {}
        }
        Ok(Some(facts))
    }

    /// Notes what an action itself evaluates.
    fn noted_roots(&mut self, action: &Action, facts: &Facts) -> Checked {
        let mut all = Vec::new();
        if !matches!(action, Action::All(_)) {
            roots(action, &mut |e| all.push(e));
        }
        all.into_iter().try_for_each(|e| self.noted(e, facts))
    }

    /// What the blocks of a set write is not known while they are taken.
    fn forget_blocks(&self, action: &Action, facts: &mut Facts) {
        let text = &self.sorts.text;
        let mut waiting = Vec::new();
        let mut seen = BTreeSet::new();
        blocks(action, &mut |entry, _| waiting.push(entry));
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            let location = &text.proctype(self.proctype).locations[at.index()];
            for step in location.steps.iter().map(|s| text.step(*s)) {
                waiting.push(step.target);
                blocks(&step.action, &mut |entry, _| waiting.push(entry));
                for reset in &step.resets {
                    self.dropped(&Place::scalar(Owner::Own, reset.field), facts);
                }
                self.forget_stores(&step.action, facts);
            }
        }
    }

    fn forget_stores(&self, action: &Action, facts: &mut Facts) {
        match action {
            Action::Assign(place, _) => self.dropped(place, facts),
            Action::Receive(receive) => receive.fields.iter().for_each(|pattern| {
                if let Pattern::Store(place) = pattern {
                    self.dropped(place, facts);
                }
            }),
            Action::All(all) => all.iter().for_each(|one| self.forget_stores(one, facts)),
            _ => {}
        }
    }

    /// A variable was written: what mentions it is not known any more.
    fn dropped(&self, place: &Place, facts: &mut Facts) {
        let written = (self.kind_of(place.owner), place.field);
        let is = |other: &Place| (self.kind_of(other.owner), other.field) == written;
        facts.retain(|name, _| {
            let places = self.places.get(name);
            !places.is_some_and(|all| all.iter().any(is))
        });
    }

    /// The places that are read, with those in their indices.
    fn gather_places(&mut self) {
        let text = &self.sorts.text;
        for e in &text.exprs {
            if let Expr::Read(place) = e {
                let indices = place.indices.iter().filter_map(|e| match text.expr(*e) {
                    Expr::Read(index) => Some(index.clone()),
                    _ => None,
                });
                let all: Vec<Place> = std::iter::once(place.clone()).chain(indices).collect();
                let name = name(text, place);
                name.into_iter().for_each(|name| {
                    self.places.insert(name, Vec::clone(&all));
                });
            }
        }
    }

    /// Values come into a variable; gives what is left of them there.
    fn stored(&self, place: &Place, values: Set) -> Result<Set, super::Misuse> {
        let kind = self.kind_of(place.owner);
        let field = &self.sorts.text.layout.kind(kind).fields[place.field.index()];
        let narrow = |v: &i32| field.slot.scalar.narrow(*v);
        let values = values.map(|all| all.iter().map(narrow).collect());
        let claim = &self.sorts.reach.fields[kind.index()][place.field.index()];
        self.demand(
            is_part(&values, claim),
            "a variable gets a value that is not claimed",
        )?;
        Ok(values)
    }

    fn reach_message(&self, kind: KindId, sent: &[ExprId], facts: &Facts) -> Checked {
        let Role::Channel(buffer) = &self.sorts.text.layout.kind(kind).role else {
            return Ok(());
        };
        for (n, (_, slot)) in buffer.fields.iter().enumerate() {
            let values = match sent.get(n) {
                Some(e) => self.outcomes(*e, facts),
                None => Some(BTreeSet::from([0])),
            };
            let narrow = |v: &i32| slot.scalar.narrow(*v);
            let values = values.map(|all| all.iter().map(narrow).collect());
            let claim = &self.sorts.reach.messages[kind.index()][n];
            self.demand(
                is_part(&values, claim),
                "a message gets a value that is not claimed",
            )?;
        }
        Ok(())
    }

    /// The kinds of the channels that an expression can name.
    fn named_kinds(&self, e: ExprId, facts: &Facts) -> Vec<KindId> {
        let kinds = self.sorts.text.layout.kinds.iter().enumerate();
        let channels = kinds.filter(|(_, kind)| matches!(kind.role, Role::Channel(_)));
        let all = || channels.map(|(k, _)| KindId::new(k)).collect();
        let Some(numbers) = self.outcomes(e, facts) else {
            return all();
        };
        let records = &self.population.channels;
        let known = |n: &i32| records.iter().find(|record| record.number == *n);
        let named: Option<Vec<KindId>> = numbers.iter().map(|n| Some(known(n)?.kind)).collect();
        named.unwrap_or_else(all)
    }

    /// Notes what is read, and who is made, where an expression is evaluated.
    fn noted(&mut self, e: ExprId, facts: &Facts) -> Checked {
        let sorts = self.sorts;
        match sorts.text.expr(e) {
            Expr::Run(p, args, _) => {
                let open = sorts.reach.pids[p.index()].is_none();
                self.demand(open, "numbers of processes that are made later are claimed")?;
                let here = self.proctype;
                let values: Vec<Set> = args.iter().map(|e| self.outcomes(*e, facts)).collect();
                for (place, values) in sorts.text.proctype(*p).parameters.iter().zip(values) {
                    self.proctype = *p;
                    self.stored(place, values)?;
                }
                self.proctype = here;
            }
            Expr::Read(_) | Expr::Pid => {
                let values = self.operand(e, facts);
                // An escape is a step of many locations.
                let earlier = self.reads[e.index()].take();
                let is_first = !std::mem::replace(&mut self.is_read[e.index()], true);
                self.reads[e.index()] = match (earlier, values) {
                    (_, values) if is_first => values,
                    (Some(earlier), Some(values)) => Some(&earlier | &values),
                    _ => None,
                };
            }
            _ => {}
        }
        match sorts.text.expr(e) {
            expr @ (Expr::And(all) | Expr::Or(all)) => {
                let truth = matches!(expr, Expr::And(_));
                let mut facts = facts.clone();
                for e in all {
                    self.noted(*e, &facts)?;
                    match self.supposed(*e, truth, facts) {
                        Some(more) => facts = more,
                        None => return Ok(()),
                    }
                }
                Ok(())
            }
            Expr::Choice([test, a, b]) => {
                self.noted(*test, facts)?;
                for (branch, truth) in [(*a, true), (*b, false)] {
                    if let Some(facts) = self.supposed(*test, truth, facts.clone()) {
                        self.noted(branch, &facts)?;
                    }
                }
                Ok(())
            }
            expr => {
                let mut all = Vec::new();
                operands(expr, &mut |e| all.push(e));
                all.into_iter().try_for_each(|e| self.noted(e, facts))
            }
        }
    }

    /// What something that is read can be.
    pub(super) fn operand(&self, e: ExprId, facts: &Facts) -> Set {
        let text = &self.sorts.text;
        match text.expr(e) {
            Expr::Pid => self.sorts.reach.pids[self.proctype.index()].clone(),
            Expr::Read(place) => match name(text, place).and_then(|name| facts.get(&name)) {
                Some(known) => Some(known.clone()),
                None => {
                    let kind = self.kind_of(place.owner);
                    let claim = &self.sorts.reach.fields[kind.index()][place.field.index()];
                    let absent = matches!(place.owner, Owner::Other(..)).then_some(0);
                    claim
                        .as_ref()
                        .map(|all| all.iter().copied().chain(absent).collect())
                }
            },
            _ => None,
        }
    }
}

/// Whether an action can always be taken.
fn passes(action: &Action) -> bool {
    match action {
        Action::All(all) => all.first().is_none_or(passes),
        Action::Test(_) | Action::Send(_) | Action::Receive(_) => false,
        Action::Deterministic(..) | Action::SetPriority(..) | Action::End => false,
        _ => true,
    }
}

/// Whether an action sends or receives.
fn exchanges(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) => true,
        Action::All(all) => all.iter().any(exchanges),
        _ => false,
    }
}
