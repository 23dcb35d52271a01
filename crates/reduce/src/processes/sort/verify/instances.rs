//! Whether a text with steps for each process does what the text did.
//!
//! Both texts are followed side by side for each process of a type that was replaced, from every
//! location that is left. On the way the values of the process's own variables are kept, once for
//! each text, where they are known ([`trees::Store`]); expressions are compared with these in place
//! of variables. A text may go on alone over a step that cannot but be taken and does nothing else
//! than set such variables, while nobody can see the process. At all other locations both must have
//! the same steps, one by one and in the same order. Where the new text comes to an old location,
//! the old one must be there too, and all variables must hold the same in both. So whatever a
//! process can do in one text from one state that others see to the next, it can do in the other
//! (a bisimulation, up to steps that nobody sees).
//!
//! Worked example: `n = id + 1; if :: n == 3 -> n = 0 :: else fi; x[n] = 1` against
//! `x[0] = 1; n = 0`, for `id` 2. The old text goes on alone: `n` is 3, the test holds, `n` is 0.
//! Then both have `x[0] = 1`. The new one goes on alone, and `n` is 0 in both when both are at the
//! next location.

mod trees;

use super::{Checked, Misuse, Verifier};
use crate::processes::sort::{Identity, Instances};
use model::processes::expr::{ExprId, Owner};
use model::processes::layout::{FieldId, Role};
use model::processes::population::location_of;
use model::processes::program::{Action, LocationId, Model, ProctypeId, Step, StepId};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use trees::{Store, Tree, Unknown};

/// The most pairs of locations, with what is known there, for one type.
const N_PAIRS_MAX: usize = 400_000;
/// The most steps that one text takes alone.
const N_SILENT_MAX: u32 = 10_000;

/// A deterministic block that both texts are in: where it ends, and the steps it is part of.
type Frame = Option<(LocationId, LocationId, StepId, StepId)>;

/// Where the two texts are, and what is known there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    old: LocationId,
    new: LocationId,
    before: Store,
    after: Store,
    frame: Frame,
    /// Whether control was kept on the way to each.
    kept: (bool, bool),
    /// How many steps one of them has taken alone since both took the same: a text that goes round
    /// alone for ever would otherwise never be compared with the other.
    n_silent: u32,
}

/// A step that can be taken, and what is left of it.
struct Taken {
    step: StepId,
    trees: Vec<Tree>,
    store: Store,
    /// Whether nothing can keep it from being taken.
    sure: bool,
    block: Option<(LocationId, LocationId)>,
}

impl Verifier<'_> {
    /// Checks what was made of the steps of types, if something was.
    pub(super) fn instances(&mut self) -> Checked {
        let Some(instances) = &self.sorts.instances else {
            return Ok(());
        };
        // Locations with the same steps are not followed, so that these must be the same.
        let (before, after) = (&instances.before, &instances.after);
        let same = after.steps.starts_with(&before.steps) && after.exprs.starts_with(&before.exprs);
        self.demand(same, "a step of the old text is changed")?;
        for one in &instances.types {
            self.proctype = one.proctype;
            self.identities(instances, &one.identities)?;
            let mut twins = Twins {
                verifier: self,
                instances,
                p: one.proctype,
                n_old: instances.before.proctype(one.proctype).locations.len(),
                reset: BTreeMap::new(),
                seen: HashSet::new(),
                waiting: Vec::new(),
            };
            let constants = one.identities.iter().flat_map(|i| i.values.keys());
            for field in constants.copied().collect::<BTreeSet<FieldId>>() {
                let after = twins.after_resets(field);
                twins.reset.insert(field, after?);
            }
            for identity in &one.identities {
                twins.roots(identity)?;
            }
        }
        Ok(())
    }

    /// Each process has what one of the identities says, and keeps it.
    fn identities(&self, instances: &Instances, identities: &[Identity]) -> Checked {
        let (p, text) = (self.proctype, &instances.before);
        let proctype = text.proctype(p);
        let early = self.population.interleaved || self.population.before.is_some();
        let free = proctype.provided.is_none() && !text.rules.priorities;
        let maker = self.population.creator.as_ref();
        let made = self.sorts.made_later[p.index()] || maker.is_some_and(|m| m.proctype == p);
        self.demand(!early && free && !made, "processes that are not known")?;
        let shape = &text.layout.kind(proctype.kind).fields;
        for state in &self.population.states {
            let records = self.population.processes.iter();
            for record in records.filter(|r| r.kind == proctype.kind) {
                let is = |identity: &Identity| {
                    let mut values = identity.values.iter();
                    let same = values.all(|(f, v)| {
                        let field = &shape[f.index()];
                        let at = record.at + field.at as usize;
                        field.dimensions.is_empty() && field.slot.scalar.load(state, at) == *v
                    });
                    same && identity.pid.is_none_or(|pid| pid == record.number)
                };
                self.demand(identities.iter().any(is), "a process that is no instance")?;
            }
        }
        let fields: BTreeSet<FieldId> = identities
            .iter()
            .flat_map(|i| i.values.keys())
            .copied()
            .collect();
        for step in &text.steps {
            let mut writes = |owner: Owner, f: FieldId| {
                let mine =
                    matches!(owner, Owner::Own) || matches!(owner, Owner::Other(q, _) if q == p);
                mine && fields.contains(&f)
            };
            // A variable of another type may have the same number: that is refused too.
            let written = trees::stores(&step.action, &mut writes);
            let is_own = self.is_step_of(text, p, step);
            self.demand(!written || !is_own, "what is constant is written")?;
        }
        Ok(())
    }

    /// Whether a step is one of a type, or stores into the variables of other processes.
    fn is_step_of(&self, text: &Model, p: ProctypeId, step: &Step) -> bool {
        let mut steps = text.proctype(p).locations.iter().flat_map(|l| &l.steps);
        let remote = trees::stores(
            &step.action,
            &mut |owner, _| matches!(owner, Owner::Other(q, _) if q == p),
        );
        remote || steps.any(|s| std::ptr::eq(text.step(*s), step))
    }
}

struct Twins<'a, 'v> {
    verifier: &'a Verifier<'v>,
    instances: &'a Instances,
    p: ProctypeId,
    n_old: usize,
    /// Where a constant may have been reset, in the old text.
    reset: BTreeMap<FieldId, BTreeSet<LocationId>>,
    seen: HashSet<Pair>,
    waiting: Vec<Pair>,
}

/// Which of the two texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

impl Twins<'_, '_> {
    fn text(&self, side: Side) -> &Model {
        match side {
            Side::Old => &self.instances.before,
            Side::New => &self.instances.after,
        }
    }

    fn steps(&self, side: Side, at: LocationId) -> &[StepId] {
        &self.text(side).proctype(self.p).locations[at.index()].steps
    }

    fn demand(&self, holds: bool, reason: &str) -> Checked {
        self.verifier.demand(holds, reason)
    }

    /// Follows a process from all locations that are left.
    fn roots(&mut self, identity: &Identity) -> Checked {
        for at in self.left() {
            if self.steps(Side::Old, at) == self.steps(Side::New, at) {
                continue;
            }
            let mut store = Store::of(identity);
            // There it holds one or the other, in both texts the same.
            let is_reset = |field: &FieldId| self.reset[field].contains(&at);
            store.values.retain(|field, _| !is_reset(field));
            let first = Pair {
                old: at,
                new: at,
                before: store.clone(),
                after: store,
                frame: None,
                kept: (true, true),
                n_silent: 0,
            };
            // Where nobody is seen, the new text may first turn to the process.
            match self.silent(&first, Side::New) {
                Ok(Some(next)) if self.is_passed(at) => self.waiting.push(next),
                _ => self.matched(&first)?,
            }
            while let Some(pair) = self.waiting.pop() {
                if self.seen.insert(pair.clone()) {
                    self.demand(self.seen.len() < N_PAIRS_MAX, "too many pairs of locations")?;
                    self.follow(pair)?;
                }
            }
        }
        Ok(())
    }

    /// The locations that a process may come to after a constant was reset. None of their steps may
    /// read it: by then it need not hold what it did.
    fn after_resets(&self, field: FieldId) -> Result<BTreeSet<LocationId>, Misuse> {
        let text = self.text(Side::Old);
        let resets = |step: &StepId| {
            let step = text.step(*step);
            step.resets.iter().any(|reset| reset.field == field)
        };
        let inside = self.inside_blocks();
        let mut after = BTreeSet::new();
        for at in (0..self.n_old).map(LocationId::new) {
            for step in self.steps(Side::Old, at).iter().filter(|step| resets(step)) {
                let free = !inside.contains(&at.index());
                self.demand(free, "a constant is reset inside of a block")?;
                after.insert(text.step(*step).target);
            }
        }
        let mut n_before = 0;
        while n_before < after.len() {
            n_before = after.len();
            for at in after.clone() {
                for step in self.steps(Side::Old, at) {
                    let step = text.step(*step);
                    after.insert(step.target);
                    if let Action::Deterministic(from, to) = step.action {
                        after.extend([from, to]);
                    }
                    let read = trees::reads(text, &step.action, field);
                    self.demand(!read, "a constant is read after it was reset")?;
                }
            }
        }
        Ok(after)
    }

    /// The old locations that can be reached in the new text, or where somebody can be.
    fn left(&self) -> Vec<LocationId> {
        let text = self.text(Side::New);
        let proctype = text.proctype(self.p);
        let old = (0..self.n_old).map(LocationId::new);
        let mut waiting: Vec<LocationId> = old.clone().filter(|at| !self.is_passed(*at)).collect();
        let mut seen = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            if seen.insert(at) {
                for step in &proctype.locations[at.index()].steps {
                    let step = text.step(*step);
                    waiting.push(step.target);
                    if let Action::Deterministic(from, to) = step.action {
                        waiting.extend([from, to]);
                    }
                }
            }
        }
        old.filter(|at| seen.contains(at)).collect()
    }

    /// Whether nobody is ever seen at a location of the old text, by all ways that lead there.
    fn is_passed(&self, at: LocationId) -> bool {
        let (text, population) = (self.text(Side::Old), self.verifier.population);
        let proctype = text.proctype(self.p);
        let here = population.states.iter().any(|state| {
            let mut all = population
                .processes
                .iter()
                .filter(|r| r.kind == proctype.kind);
            all.any(|record| location_of(text, self.p, state, record) == at)
        });
        if here || proctype.start == at {
            return false;
        }
        let inside = self.inside_blocks();
        let meets = self.meets();
        let kept = (0..self.n_old).all(|from| {
            let mut steps = self.steps(Side::Old, LocationId::new(from)).iter();
            steps.all(|step| {
                let step = text.step(*step);
                let lost = meets && trees::talks(&step.action);
                let fine = (step.keeps_control && !lost) || inside.contains(&from);
                step.target != at || fine
            })
        });
        let goes_on = inside.contains(&at.index()) || self.goes_on(at, &Store::default());
        kept && goes_on
    }

    /// The locations of the old text inside deterministic blocks.
    fn inside_blocks(&self) -> BTreeSet<usize> {
        let text = self.text(Side::Old);
        let locations = &text.proctype(self.p).locations;
        let mut inside = BTreeSet::new();
        for step in locations.iter().flat_map(|l| &l.steps) {
            let Action::Deterministic(from, to) = text.step(*step).action else {
                continue;
            };
            let mut waiting = vec![from];
            while let Some(at) = waiting.pop() {
                if at != to && inside.insert(at.index()) {
                    let steps = locations[at.index()].steps.iter();
                    waiting.extend(steps.map(|s| text.step(*s).target));
                }
            }
        }
        inside
    }

    /// Whether there are channels without a buffer.
    fn meets(&self) -> bool {
        let mut kinds = self.text(Side::Old).layout.kinds.iter();
        kinds.any(|kind| matches!(&kind.role, Role::Channel(buffer) if buffer.capacity == 0))
    }

    /// Whether a process at an old location can always take a step, or is assumed to.
    fn goes_on(&self, at: LocationId, store: &Store) -> bool {
        if self.instances.waits.contains(&(self.p, at)) {
            return true;
        }
        let text = self.text(Side::Old);
        let steps = self.steps(Side::Old, at).iter();
        let actions: Vec<&Action> = steps.map(|s| trees::first(&text.step(*s).action)).collect();
        let free = actions.iter().any(|action| match action {
            Action::Test(e) => store.is_true(text, *e),
            Action::Skip | Action::Else | Action::Assign(..) => true,
            Action::Assert(_) | Action::Drop(_) | Action::Print(_) => true,
            _ => false,
        });
        let tests = actions.iter().filter_map(|action| match action {
            Action::Test(e) => Some(*e),
            _ => None,
        });
        let tests: Vec<ExprId> = tests.collect();
        free || (!tests.is_empty() && self.verifier.one_holds(&tests))
    }

    /// Goes on from where the two texts are.
    fn follow(&mut self, pair: Pair) -> Checked {
        self.demand(pair.n_silent < N_SILENT_MAX, "one text goes on alone")?;
        if let Some((old_end, new_end, old_step, new_step)) = pair.frame {
            if pair.old == old_end && pair.new == new_end {
                return self.leave(&pair, (old_step, new_step));
            }
            if pair.old == old_end {
                return self.alone(pair, Side::New);
            }
            if pair.new == new_end {
                return self.alone(pair, Side::Old);
            }
            return self.advance(pair);
        }
        let added = pair.new.index() >= self.n_old;
        self.demand(
            pair.kept.1 || !added,
            "control is lost where nobody may be seen",
        )?;
        if self.lands(&pair) {
            return Ok(());
        }
        if pair.new.index() < self.n_old {
            return self.alone(pair, Side::Old);
        }
        let hidden = pair.kept.0 && self.goes_on(pair.old, &pair.before);
        if !hidden {
            return self.alone(pair, Side::New);
        }
        self.advance(pair)
    }

    /// Whether the new text, going on alone, comes to where the old one is, with the same in all
    /// variables.
    fn lands(&self, pair: &Pair) -> bool {
        let mut pair = pair.clone();
        for _ in 0..64 {
            if pair.new == pair.old {
                return pair.before.agrees(&pair.after) && pair.kept.0 == pair.kept.1;
            }
            if pair.new.index() < self.n_old {
                return false;
            }
            match self.silent(&pair, Side::New) {
                Ok(Some(next)) if next.kept.1 || next.new.index() < self.n_old => pair = next,
                _ => return false,
            }
        }
        false
    }

    /// One text goes on while the other waits for it.
    fn alone(&mut self, pair: Pair, side: Side) -> Checked {
        match self.silent(&pair, side) {
            Ok(Some(next)) => {
                self.waiting.push(next);
                Ok(())
            }
            _ => self.demand(false, "one text comes to a location and the other does not"),
        }
    }

    /// Goes on in one text, or in both by steps that are the same.
    fn advance(&mut self, pair: Pair) -> Checked {
        for side in [Side::Old, Side::New] {
            if let Ok(Some(next)) = self.silent(&pair, side) {
                self.waiting.push(next);
                return Ok(());
            }
        }
        self.matched(&pair)
    }

    /// Where a text is after a step that cannot but be taken and only sets what is known.
    fn silent(&self, pair: &Pair, side: Side) -> Result<Option<Pair>, Unknown> {
        let (at, store) = match side {
            Side::Old => (pair.old, &pair.before),
            Side::New => (pair.new, &pair.after),
        };
        let all = self.taken(side, at, store, pair.frame.is_some())?;
        let [only] = &all[..] else {
            return Ok(None);
        };
        if !only.sure || !only.trees.is_empty() || only.block.is_some() {
            return Ok(None);
        }
        let step = self.text(side).step(only.step);
        let mut next = pair.clone();
        next.n_silent += 1;
        let (here, other) = match side {
            Side::Old => {
                next.old = step.target;
                next.kept.0 = step.keeps_control;
                (&mut next.before, &mut next.after)
            }
            Side::New => {
                next.new = step.target;
                next.kept.1 = step.keeps_control;
                (&mut next.after, &mut next.before)
            }
        };
        *here = only.store.clone();
        other.lag(here);
        Ok(Some(next))
    }

    /// Both texts take steps that are the same.
    fn matched(&mut self, pair: &Pair) -> Checked {
        let block = pair.frame.is_some();
        let old = self.taken(Side::Old, pair.old, &pair.before, block);
        let new = self.taken(Side::New, pair.new, &pair.after, block);
        let (Ok(old), Ok(new)) = (old, new) else {
            return self.demand(false, "a variable is read that holds something else");
        };
        let (a, b) = (self.text(Side::Old), self.text(Side::New));
        let line = old
            .first()
            .map_or(0, |one| a.sites[a.step(one.step).site.index()].line);
        if old.len() != new.len() {
            let reason = format!("not the same number of steps (line {line})");
            return self.demand(false, &reason);
        }
        let mut next = Vec::new();
        for (old, new) in old.iter().zip(&new) {
            let (one, two) = (a.step(old.step), b.step(new.step));
            let same = old.trees == new.trees && one.rank == 0 && two.rank == 0;
            let same = same && !one.alone && !two.alone && old.sure == new.sure;
            let reason = || {
                let (old, new) = (&old.trees, &new.trees);
                format!("steps that differ (line {line}): {old:?} and {new:?}")
            };
            self.demand(same, &if same { String::new() } else { reason() })?;
            let lost = self.meets() && trees::talks(&one.action);
            let mut pair = Pair {
                old: one.target,
                new: two.target,
                before: old.store.clone(),
                after: new.store.clone(),
                frame: pair.frame,
                kept: (one.keeps_control && !lost, two.keeps_control && !lost),
                n_silent: 0,
            };
            match (old.block, new.block) {
                (None, None) => {}
                (Some(from), Some(to)) if pair.frame.is_none() => {
                    pair.frame = Some((from.1, to.1, old.step, new.step));
                    (pair.old, pair.new) = (from.0, to.0);
                }
                _ => return self.demand(false, "a block in one text only"),
            }
            let (mut before, mut after) = (pair.before.clone(), pair.after.clone());
            before.lag(&pair.after);
            after.lag(&pair.before);
            (pair.before, pair.after) = (before, after);
            next.push(pair);
        }
        self.waiting.extend(next);
        Ok(())
    }

    /// Both texts are at the end of a block.
    fn leave(&mut self, pair: &Pair, (old, new): (StepId, StepId)) -> Checked {
        let (one, two) = (
            self.text(Side::Old).step(old),
            self.text(Side::New).step(new),
        );
        let (mut before, mut after) = (pair.before.clone(), pair.after.clone());
        let arrays = (self.reset(one, &mut before), self.reset(two, &mut after));
        let fine = arrays.0.is_empty() && arrays.1.is_empty();
        let next = Pair {
            old: one.target,
            new: two.target,
            before: before.lagging(&after),
            after: after.lagging(&before),
            frame: None,
            kept: (one.keeps_control, two.keeps_control),
            n_silent: 0,
        };
        self.waiting.push(next);
        self.demand(fine, "a block after which an array is reset")
    }

    /// What a step resets, and cannot be followed.
    fn reset(&self, step: &Step, store: &mut Store) -> Vec<Tree> {
        let kind = self.instances.before.proctype(self.p).kind;
        let fields = &self.instances.before.layout.kind(kind).fields;
        let mut arrays = Vec::new();
        for reset in &step.resets {
            if fields[reset.field.index()].dimensions.is_empty() {
                store.set(reset.field, reset.value);
            } else {
                arrays.push(Tree::reset(reset));
            }
        }
        arrays
    }

    /// Whether none of the steps with which a block begins can be taken.
    fn is_shut(&self, side: Side, from: LocationId, store: &Store) -> Result<bool, Unknown> {
        let text = self.text(side);
        for step in self.steps(side, from) {
            let shut = match trees::first(&text.step(*step).action) {
                Action::Test(e) => store.truth(text, *e)? == Some(false),
                _ => false,
            };
            if !shut {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is left of an `else`, which is alone if nothing else can be taken.
    fn otherwise(&self, step: &Step, (id, alone): (StepId, bool), store: &Store) -> Taken {
        let mut after = store.clone();
        let mut trees = if alone {
            Vec::new()
        } else {
            vec![Tree::otherwise()]
        };
        trees.extend(self.reset(step, &mut after));
        Taken {
            step: id,
            sure: alone,
            trees,
            store: after,
            block: None,
        }
    }

    /// The steps that can be taken at a location, and what is left of each.
    fn taken(
        &self,
        side: Side,
        at: LocationId,
        store: &Store,
        block: bool,
    ) -> Result<Vec<Taken>, Unknown> {
        let text = self.text(side);
        let kind = text.layout.kind(text.proctype(self.p).kind);
        let scalars: BTreeMap<FieldId, _> = kind
            .fields
            .iter()
            .enumerate()
            .map(|(f, field)| (FieldId::new(f), field.slot.scalar))
            .collect();
        let (mut all, mut otherwise, mut sure) = (Vec::new(), None, false);
        for id in self.steps(side, at) {
            let step = text.step(*id);
            if matches!(step.action, Action::Else) {
                otherwise = Some((all.len(), *id));
                continue;
            }
            if block && sure {
                break;
            }
            let always = match trees::first(&step.action) {
                Action::Test(e) => match store.truth(text, *e)? {
                    Some(false) => continue,
                    decided => decided == Some(true),
                },
                Action::Send(_) | Action::Receive(_) | Action::End => false,
                Action::Deterministic(from, _) if self.is_shut(side, *from, store)? => continue,
                Action::Deterministic(..) => false,
                _ => true,
            };
            sure |= always;
            let mut after = store.clone();
            let mut trees = Vec::new();
            after.run(text, &step.action, &scalars, &mut trees)?;
            let inner = match step.action {
                Action::Deterministic(from, to) => Some((from, to)),
                _ => None,
            };
            if inner.is_none() {
                trees.extend(self.reset(step, &mut after));
            }
            all.push(Taken {
                step: *id,
                trees,
                store: after,
                sure: always,
                block: inner,
            });
        }
        if let Some((at, id)) = otherwise.filter(|_| !sure) {
            let alone = all.is_empty();
            all.insert(at, self.otherwise(text.step(id), (id, alone), store));
        }
        Ok(all)
    }
}
