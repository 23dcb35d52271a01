//! The text of a type with steps for each of its processes.
//!
//! Worked example, for `atomic { x[id] == 0 -> n = id + 1; if :: n == 3 -> n = 0 :: else fi;
//! x[n] = 1 }` and processes 0, 1 and 2: the first step becomes three, `id == 2 && x[2] == 0` the
//! last of them. It leads to a copy of what follows in which `id` is 2. There `n` becomes 3, the
//! test holds, `n` becomes 0, none of which is written; `x[0] = 1` is; and as others can see the
//! process then, `n = 0` is.

mod exprs;

use super::regions::Regions;
use super::{Identity, N_LOCATIONS_MAX, Tests, Wanted};
use exprs::Copier;
pub(super) use exprs::Known;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place};
use model::processes::layout::FieldId;
use model::processes::program::{
    Action, Location, LocationId, Model, ProctypeId, Step, StepId, roots,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A type that is left as it was.
#[derive(Debug)]
pub(super) struct GiveUp;

/// What came of it.
pub(super) struct Written {
    /// The locations where nobody is any more.
    pub removed: HashSet<usize>,
    /// Each step with its copies.
    pub copies: Vec<Vec<StepId>>,
    /// Where nobody is taken to be seen, because no send waits.
    pub waits: BTreeSet<LocationId>,
}

/// A deterministic block that is copied: it ends at a location, where what it set must be there.
type Until = Option<LocationId>;

pub(super) struct Writer<'a> {
    text: &'a mut Model,
    proctype: ProctypeId,
    identities: &'a [Identity],
    regions: &'a Regions,
    wanted: &'a Wanted,
    n_old: usize,
    /// By location: its steps before.
    old: Vec<Vec<StepId>>,
    /// Where a variable of the identities may have been reset.
    retired: BTreeMap<FieldId, BTreeSet<usize>>,
    /// The copies of locations.
    known: BTreeMap<(LocationId, Known, Until), LocationId>,
    copies: BTreeMap<StepId, Vec<StepId>>,
    waits: BTreeSet<LocationId>,
    /// Locations that copies lead to.
    left: Vec<LocationId>,
}

/// A step that may be taken with what is known.
struct Choice {
    step: StepId,
    /// Whether its test or `else` always lets it pass.
    sure: bool,
}

impl<'a> Writer<'a> {
    pub fn new(
        text: &'a mut Model,
        proctype: ProctypeId,
        identities: &'a [Identity],
        regions: &'a Regions,
        wanted: &'a Wanted,
    ) -> Writer<'a> {
        let locations = &text.proctype(proctype).locations;
        let old: Vec<Vec<StepId>> = locations.iter().map(|l| l.steps.clone()).collect();
        let constants = identities[0].values.keys();
        let retired = constants.map(|f| {
            let at = super::retired(text, proctype, *f);
            (*f, at.expect("a constant is not read where it was reset"))
        });
        Writer {
            retired: retired.collect(),
            text,
            proctype,
            identities,
            regions,
            wanted,
            n_old: old.len(),
            old,
            known: BTreeMap::new(),
            copies: BTreeMap::new(),
            waits: BTreeSet::new(),
            left: Vec::new(),
        }
    }

    /// Writes the steps of all processes.
    pub fn write(&mut self) -> Result<Written, GiveUp> {
        let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
        for at in (0..self.n_old).filter(|at| !self.regions.gone[*at] && !self.regions.inner[*at]) {
            waiting.push(LocationId::new(at));
        }
        while let Some(at) = waiting.pop() {
            if seen.insert(at) {
                waiting.extend(self.root(at)?);
                waiting.append(&mut self.left);
            }
        }
        let old = (0..self.n_old).filter(|at| !self.regions.gone[*at]);
        let removed = old.filter(|at| !seen.contains(&LocationId::new(*at)));
        let copies = self.copies.iter();
        Ok(Written {
            removed: removed.collect(),
            copies: copies
                .map(|(old, new)| std::iter::once(*old).chain(new.iter().copied()).collect())
                .collect(),
            waits: self.waits.clone(),
        })
    }

    /// Writes the steps of a location that stays; gives the hidden locations that steps lead to
    /// which stay as they are.
    fn root(&mut self, at: LocationId) -> Result<Vec<LocationId>, GiveUp> {
        let old = self.old[at.index()].clone();
        let inner = self.regions.inner[at.index()];
        let kept = old.iter().any(|step| self.wanted.kept.contains(step));
        let straight = self.regions.circular[at.index()].is_none();
        if inner && straight && !kept && !self.regions.blocks[at.index()] {
            self.fork(at)?;
            return Ok(Vec::new());
        }
        let mut has_else = false;
        for step in &old {
            has_else |= self.text.is_else(self.text.proctype(self.proctype), *step);
        }
        let (mut steps, mut left) = (Vec::new(), Vec::new());
        for id in old {
            let free = !inner && !has_else && !self.wanted.kept.contains(&id);
            let identities = self.identities_at(at);
            if free && identities.len() > 1 && self.is_open(id) && self.has_constants(id) {
                for identity in &identities {
                    steps.extend(self.guarded(id, identity)?);
                }
                continue;
            }
            steps.push(id);
            let step = self.text.step(id);
            left.push(step.target);
            super::super::walk::blocks(&step.action, &mut |from, _| left.push(from));
        }
        self.text.proctypes[self.proctype.index()].locations[at.index()].steps = steps;
        left.retain(|at| self.regions.inner[at.index()]);
        Ok(left)
    }

    /// At a location where nobody is seen: goes to the copy for the process.
    fn fork(&mut self, at: LocationId) -> Result<(), GiveUp> {
        let steps = &self.old[at.index()];
        let Some(first) = steps.first().copied() else {
            return Err(GiveUp);
        };
        let first = self.text.step(first).clone();
        let mut steps = Vec::new();
        for identity in &self.identities_at(at) {
            let target = self.location(at, Known::of(identity), None)?;
            let test = self.test(identity);
            steps.push(self.add(Step {
                action: Action::Test(test),
                target,
                keeps_control: true,
                resets: Vec::new(),
                ..first.clone()
            }));
        }
        self.text.proctypes[self.proctype.index()].locations[at.index()].steps = steps;
        Ok(())
    }

    /// What tells processes apart at a location: what was reset there tells nothing.
    fn identities_at(&self, at: LocationId) -> Vec<Identity> {
        let mut all: Vec<Identity> = Vec::new();
        for identity in self.identities {
            let mut identity = identity.clone();
            let retired = |f: &FieldId| self.retired[f].contains(&at.index());
            identity.values.retain(|f, _| !retired(f));
            if !all.contains(&identity) {
                all.push(identity);
            }
        }
        all
    }

    /// Whether a test can be put before a step.
    fn is_open(&self, id: StepId) -> bool {
        fn is_open(action: &Action) -> bool {
            match action {
                Action::Skip | Action::Test(_) | Action::Assign(..) => true,
                Action::Assert(_) | Action::Drop(_) => true,
                Action::All(all) => all.first().is_some_and(is_open),
                _ => false,
            }
        }
        match &self.text.step(id).action {
            Action::Deterministic(from, _) => {
                let mut steps = self.old[from.index()].iter();
                steps.all(|step| is_open(&self.text.step(*step).action))
            }
            action => is_open(action),
        }
    }

    /// Whether what a step does until others can see it depends on a constant of the process.
    fn has_constants(&self, id: StepId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![id]);
        let constants: Vec<FieldId> = self.identities[0].values.keys().copied().collect();
        let asks = self.identities[0].pid.is_some();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let step = self.text.step(id);
            let mut found = false;
            roots(&step.action, &mut |e| {
                let reads = |f: &FieldId| super::super::stores::reads(self.text, e, *f);
                found |= constants.iter().any(reads) || (asks && super::has_pid(self.text, e));
            });
            if found {
                return true;
            }
            let mut next = vec![step.target];
            super::super::walk::blocks(&step.action, &mut |from, _| next.push(from));
            let inner = next.into_iter().filter(|at| self.regions.inner[at.index()]);
            for at in inner {
                waiting.extend(self.old[at.index()].iter().copied());
            }
        }
        false
    }

    /// The test whether a process is the one with an identity.
    fn test(&mut self, identity: &Identity) -> ExprId {
        let mut parts = Vec::new();
        for (field, value) in &identity.values {
            let read = self.expr(Expr::Read(Place::scalar(Owner::Own, *field)));
            let value = self.expr(Expr::Const(*value));
            let op = model::processes::expr::Binary::Equal;
            parts.push(self.expr(Expr::Binary(op, read, value)));
        }
        // Variables say who it is where they can: numbers of processes may be treated otherwise.
        if let Some(pid) = identity.pid {
            let (read, value) = (self.expr(Expr::Pid), self.expr(Expr::Const(pid)));
            let op = model::processes::expr::Binary::Equal;
            parts.push(self.expr(Expr::Binary(op, read, value)));
        }
        if let [only] = parts[..] {
            return only;
        }
        if self.wanted.tests == Tests::Unordered {
            return self.expr(Expr::And(parts.into()));
        }
        let mut whole = parts.pop();
        while let Some(part) = parts.pop() {
            let (rest, none) = (whole.unwrap_or(part), self.expr(Expr::Const(0)));
            whole = Some(self.expr(Expr::Choice([part, rest, none])));
        }
        whole.unwrap_or_else(|| self.expr(Expr::Const(1)))
    }

    fn expr(&mut self, expr: Expr) -> ExprId {
        self.text.exprs.push(expr);
        ExprId::new(self.text.exprs.len() - 1)
    }

    fn add(&mut self, step: Step) -> StepId {
        self.text.steps.push(step);
        StepId::new(self.text.steps.len() - 1)
    }

    fn new_location(&mut self) -> Result<LocationId, GiveUp> {
        let locations = &mut self.text.proctypes[self.proctype.index()].locations;
        if locations.len() >= N_LOCATIONS_MAX {
            return Err(GiveUp);
        }
        locations.push(Location::default());
        Ok(LocationId::new(locations.len() - 1))
    }

    fn set_steps(&mut self, at: LocationId, steps: Vec<StepId>) {
        self.text.proctypes[self.proctype.index()].locations[at.index()].steps = steps;
    }

    /// The step of one process in place of a step where others see it; none if it cannot take it.
    fn guarded(&mut self, id: StepId, identity: &Identity) -> Result<Option<StepId>, GiveUp> {
        let known = Known::of(identity);
        let step = self.text.step(id).clone();
        if let Action::Deterministic(from, to) = step.action {
            self.left.push(to);
            let choices = self.choices(from, &known);
            let mut steps = Vec::new();
            for choice in choices {
                let test = self.test(identity);
                steps.push(self.step(choice.step, known.clone(), Some(test), Some(to))?);
            }
            if steps.is_empty() {
                return Ok(None);
            }
            let entry = self.new_location()?;
            self.set_steps(entry, steps);
            let after = known.without(&self.set_inside(from, to));
            return self
                .after(id, vec![Action::Deterministic(entry, to)], after, None)
                .map(Some);
        }
        let guard = super::super::unroll::guard(&step.action);
        let decided = guard.and_then(|e| Copier::new(self.text, &known).folded(e));
        if decided == Some(0) {
            return Ok(None);
        }
        let test = self.test(identity);
        self.step(id, known, Some(test), None).map(Some)
    }

    /// The steps that may be taken at a location with what is known.
    fn choices(&mut self, at: LocationId, known: &Known) -> Vec<Choice> {
        let steps = self.old[at.index()].clone();
        let block = self.regions.blocks[at.index()];
        let (mut choices, mut sure, mut otherwise) = (Vec::new(), false, None);
        for id in steps {
            let action = self.text.step(id).action.clone();
            if matches!(action, Action::Else) {
                otherwise = Some((choices.len(), id));
                continue;
            }
            if block && sure {
                break;
            }
            let guard = super::super::unroll::guard(&action);
            let decided = guard.map(|e| Copier::new(self.text, known).folded(e));
            let always = match decided {
                Some(Some(0)) => continue,
                Some(decided) => decided.is_some(),
                None => !is_waiting(&action),
            };
            choices.push(Choice {
                step: id,
                sure: always,
            });
            sure |= always;
        }
        if let Some((at, step)) = otherwise.filter(|_| !sure) {
            let sure = choices.is_empty();
            choices.insert(at, Choice { step, sure });
        }
        choices
    }

    /// The copy of a hidden location for what is known.
    fn location(
        &mut self,
        at: LocationId,
        known: Known,
        until: Until,
    ) -> Result<LocationId, GiveUp> {
        let Some(circle) = self.regions.circular[at.index()] else {
            let open = BTreeSet::new();
            return self.location_of(at, Known { open, ..known }, until);
        };
        let written = self.regions.written[circle].clone();
        let late = known.unwritten.intersection(&written).copied();
        let late: Vec<FieldId> = late.collect();
        let site = self.old[at.index()][0];
        let inside = Known {
            open: written.clone(),
            ..known.clone().without(&written)
        };
        let to = self.location_of(at, inside, until)?;
        self.stored(&known, &late, (site, to, true))
    }

    /// The first of a row of assignments that leave variables as they are known.
    fn stored(
        &mut self,
        known: &Known,
        fields: &[FieldId],
        (site, to, keeps_control): (StepId, LocationId, bool),
    ) -> Result<LocationId, GiveUp> {
        let mut target = to;
        let like = self.text.step(site).clone();
        for (nth, field) in fields.iter().rev().enumerate() {
            let value = known.values.get(field).copied().ok_or(GiveUp)?;
            let value = self.expr(Expr::Const(value));
            let step = self.add(Step {
                action: Action::Assign(Place::scalar(Owner::Own, *field), value),
                target,
                keeps_control: keeps_control || nth > 0,
                resets: Vec::new(),
                ..like.clone()
            });
            target = self.new_location()?;
            self.set_steps(target, vec![step]);
        }
        Ok(target)
    }

    fn location_of(
        &mut self,
        at: LocationId,
        known: Known,
        until: Until,
    ) -> Result<LocationId, GiveUp> {
        if let Some(copy) = self.known.get(&(at, known.clone(), until)) {
            return Ok(*copy);
        }
        if self.regions.waits[at.index()] {
            self.waits.insert(at);
        }
        let choices = self.choices(at, &known);
        if let [only] = &choices[..]
            && only.sure
            && self.regions.circular[at.index()].is_none()
            && let Some((to, after)) = self.silent(only.step, &known)
            && self.is_copied(to, until, &after)
        {
            let copy = self.location(to, after, until)?;
            self.known.insert((at, known, until), copy);
            return Ok(copy);
        }
        if choices.is_empty() {
            return Err(GiveUp);
        }
        let copy = self.new_location()?;
        self.known.insert((at, known.clone(), until), copy);
        let mut steps = Vec::new();
        for choice in choices {
            let id = choice.step;
            if let Action::Deterministic(from, to) = self.text.step(id).action {
                self.left.push(to);
                let entry = self.location(from, known.clone(), Some(to))?;
                let after = known.clone().without(&self.set_inside(from, to));
                steps.push(self.after(id, vec![Action::Deterministic(entry, to)], after, until)?);
                continue;
            }
            steps.push(self.taken(&choice, known.clone(), until)?);
        }
        self.set_steps(copy, steps);
        Ok(copy)
    }

    /// Whether a location is copied: nobody is seen there with what is known.
    fn is_copied(&mut self, at: LocationId, until: Until, known: &Known) -> bool {
        if until == Some(at) || at.index() >= self.n_old || !self.regions.hidden[at.index()] {
            return false;
        }
        let circle = self.regions.circular[at.index()];
        self.regions.inner[at.index()]
            || (circle.is_none() && self.choices(at, known).iter().any(|choice| choice.sure))
    }

    /// Where a step leads that does nothing but set what is known, and what is known then.
    fn silent(&mut self, id: StepId, known: &Known) -> Option<(LocationId, Known)> {
        let step = self.text.step(id).clone();
        let mut after = known.clone();
        let rest = match step.action {
            Action::Else | Action::Test(_) => Vec::new(),
            Action::Deterministic(..) => return None,
            ref action => self.action(action, &mut after, true),
        };
        for reset in &step.resets {
            if !self.is_scalar(reset.field) {
                return None;
            }
            after.set(reset.field, reset.value);
        }
        rest.is_empty().then_some((step.target, after))
    }

    fn is_scalar(&self, field: FieldId) -> bool {
        let kind = self.text.proctype(self.proctype).kind;
        let field = &self.text.layout.kind(kind).fields[field.index()];
        field.dimensions.is_empty()
    }

    fn taken(&mut self, choice: &Choice, known: Known, until: Until) -> Result<StepId, GiveUp> {
        let action = self.text.step(choice.step).action.clone();
        let mut known = known;
        let rest = match action {
            Action::Else if !choice.sure => vec![Action::Else],
            Action::Else => Vec::new(),
            action => self.action(&action, &mut known, choice.sure),
        };
        self.after(choice.step, rest, known, until)
    }

    /// The copy of a step that begins with a test.
    fn step(
        &mut self,
        id: StepId,
        known: Known,
        test: Option<ExprId>,
        until: Until,
    ) -> Result<StepId, GiveUp> {
        let action = self.text.step(id).action.clone();
        let mut known = known;
        let mut rest = self.action(&action, &mut known, false);
        if let Some(test) = test {
            let whole = match rest.first() {
                Some(Action::Test(e)) => {
                    let both = vec![test, *e];
                    rest.remove(0);
                    self.joined(both)
                }
                _ => test,
            };
            rest.insert(0, Action::Test(whole));
        }
        self.after(id, rest, known, until)
    }

    /// One conjunction of several.
    fn joined(&mut self, parts: Vec<ExprId>) -> ExprId {
        let mut all = Vec::new();
        for e in parts {
            match self.text.expr(e) {
                Expr::And(inner) => all.extend(inner.iter().copied()),
                _ => all.push(e),
            }
        }
        self.expr(Expr::And(all.into()))
    }

    /// A step that does what is left of another, and leads to the copy of its target.
    fn after(
        &mut self,
        id: StepId,
        rest: Vec<Action>,
        known: Known,
        until: Until,
    ) -> Result<StepId, GiveUp> {
        let step = self.text.step(id).clone();
        let mut known = known;
        for reset in &step.resets {
            known.forget(reset.field);
            if self.is_scalar(reset.field) {
                known.values.insert(reset.field, reset.value);
            }
        }
        let (target, keeps_control) = if self.is_copied(step.target, until, &known) {
            (
                self.location(step.target, known, until)?,
                step.keeps_control,
            )
        } else {
            self.left.push(step.target);
            let late: Vec<FieldId> = known.unwritten.iter().copied().collect();
            let to = (id, step.target, step.keeps_control);
            let target = self.stored(&known, &late, to)?;
            (target, step.keeps_control || !late.is_empty())
        };
        let action = match <[Action; 1]>::try_from(rest) {
            Ok([only]) => only,
            Err(rest) if rest.is_empty() => Action::Skip,
            Err(rest) => Action::All(rest.into()),
        };
        let copy = self.add(Step {
            action,
            target,
            keeps_control,
            ..step
        });
        self.copies.entry(id).or_default().push(copy);
        Ok(copy)
    }

    /// The variables that a deterministic block sets.
    fn set_inside(&self, from: LocationId, to: LocationId) -> BTreeSet<FieldId> {
        let proctype = self.text.proctype(self.proctype);
        let n_fields = self.text.layout.kind(proctype.kind).fields.len();
        let (mut set, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![from]);
        while let Some(at) = waiting.pop() {
            if at == to || !seen.insert(at) {
                continue;
            }
            for step in &self.old[at.index()] {
                let step = self.text.step(*step);
                set.extend(step.resets.iter().map(|reset| reset.field));
                let fields = (0..n_fields).map(FieldId::new);
                set.extend(fields.filter(|f| super::super::neutral::writes(&step.action, *f)));
                waiting.push(step.target);
            }
        }
        set
    }

    /// What is left of an action, and what is known after it; if it is sure, the test with which
    /// it begins is left out.
    fn action(&mut self, action: &Action, known: &mut Known, sure: bool) -> Vec<Action> {
        match action {
            Action::Skip | Action::Print(_) => Vec::new(),
            Action::Test(_) if sure => Vec::new(),
            Action::Test(e) => match Copier::new(self.text, known).folded(*e) {
                Some(v) if v != 0 => Vec::new(),
                _ => vec![Action::Test(Copier::new(self.text, known).copy(*e))],
            },
            Action::Assert(e) => match Copier::new(self.text, known).folded(*e) {
                Some(v) if v != 0 => Vec::new(),
                _ => vec![Action::Assert(Copier::new(self.text, known).copy(*e))],
            },
            Action::Drop(e) => match Copier::new(self.text, known).folded(*e) {
                Some(_) => Vec::new(),
                None => vec![Action::Drop(Copier::new(self.text, known).copy(*e))],
            },
            Action::Assign(place, e) => self.assign(place, *e, known),
            Action::Send(send) => vec![Action::Send(Copier::new(self.text, known).send(send))],
            Action::Receive(receive) => {
                let copy = Copier::new(self.text, known).receive(receive);
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern
                        && place.owner == Owner::Own
                    {
                        known.forget(place.field);
                    }
                }
                vec![Action::Receive(copy)]
            }
            Action::All(all) => {
                let parts = all.iter().enumerate();
                let mut rest = Vec::new();
                parts.for_each(|(n, a)| rest.extend(self.action(a, known, sure && n == 0)));
                rest
            }
            other => vec![other.clone()],
        }
    }

    fn assign(&mut self, place: &Place, e: ExprId, known: &mut Known) -> Vec<Action> {
        let value = Copier::new(self.text, known).folded(e);
        let own = place.owner == Owner::Own && place.indices.is_empty();
        if let Some(value) = value.filter(|_| own && !known.is_open(place.field)) {
            let kind = self.text.proctype(self.proctype).kind;
            let scalar = self.text.layout.kind(kind).fields[place.field.index()]
                .slot
                .scalar;
            known.set(place.field, scalar.narrow(value));
            return Vec::new();
        }
        let mut copier = Copier::new(self.text, known);
        let (to, e) = (copier.place(place), copier.copy(e));
        if own {
            known.forget(place.field);
        }
        vec![Action::Assign(to, e)]
    }
}

/// Whether an action begins with something that can wait, other than a test.
fn is_waiting(action: &Action) -> bool {
    match action {
        Action::Send(_) | Action::Receive(_) | Action::Deterministic(..) | Action::End => true,
        Action::All(all) => all.first().is_some_and(is_waiting),
        _ => false,
    }
}
