//! Variables declared `hidden`, which SPIN does not store.
//!
//! **Problem.** SPIN leaves hidden variables out of states. That is right only if no value has to
//! outlive a step; otherwise what SPIN finds depends on the order of its search.
//!
//! **Idea.** If a hidden variable is always written before it is read, with no stored state
//! between, its value in stored states does not matter: it is set back to 0 by the last step before
//! one, which costs no state. All others are kept like ordinary variables, with a warning, and the
//! layout says where they are, so that states can be counted without them.
//!
//! Between two steps of a process no state is stored if the first keeps control and something can
//! be done at its target whatever the state: an assignment, say, or an `else`. For each location
//! two sets are computed, by going round until nothing changes: what has been written since the
//! last state on all ways here (*surely*), and on some way (*maybe*).
//!
//! **Worked example.** `hidden byte h; atomic { h = 2; do :: a[h] -> break :: else -> h-- od; b = h
//! }`: `h` is surely written at the loop and after it. The last step becomes `b = h; h = 0`.
//!
//! **Departures.** SPIN checks nothing here. A step that is `else`, `run` or the end takes no
//! second action, so a variable that would have to be set back there is kept.
//!
//! **Cost.** The steps of a process times the number of hidden variables, times a few rounds.

use super::Lower;
use crate::ast::Visibility;
use crate::typed::VariableId;
use base::quote;
use model::processes::expr::{Expr, ExprId, Owner, Pattern, Place, operands};
use model::processes::layout::{FieldId, Role};
use model::processes::program::{Action, Init, LocationId, Proctype, Step, init_roots, roots};
use std::collections::{BTreeSet, HashMap};

type Set = BTreeSet<FieldId>;

impl Lower<'_> {
    /// Makes hidden variables cost no states where that is right.
    pub(super) fn hide(&mut self, prologue: &mut Vec<Init>, proctypes: &[Proctype]) {
        let hidden = self.hidden_fields();
        if hidden.is_empty() {
            return;
        }
        let written = self.written(&hidden);
        let mut kept = Set::new();
        let mut resets = Vec::new();
        for proctype in proctypes {
            let view = View {
                lower: self,
                proctype,
                hidden: &hidden,
                rendezvous: self.has_rendezvous(),
            };
            view.run(&mut kept, &mut resets);
        }
        self.warn_of(&hidden, &kept, &written);
        self.leave_out(&kept, &written);
        for (step, fields) in resets {
            let mut all = vec![self.steps[step].action.clone()];
            for field in fields.difference(&kept) {
                let place = Place {
                    owner: Owner::Globals,
                    field: *field,
                    indices: Box::default(),
                };
                all.push(Action::Assign(place, self.number(0)));
            }
            if all.len() > 1 {
                self.steps[step].action = Action::All(all.into());
            }
        }
        prologue.retain(|init| match init {
            Init::Value(place, _) => {
                kept.contains(&place.field)
                    || !written.contains(&place.field)
                    || !hidden.contains_key(&place.field)
            }
            Init::Channel(..) => true,
        });
    }

    /// The fields of hidden globals.
    fn hidden_fields(&self) -> HashMap<FieldId, VariableId> {
        let mut fields = HashMap::new();
        for id in &self.typed.globals {
            let variable = &self.typed.variables[id.index()];
            if variable.visibility != Some(Visibility::Hidden) {
                continue;
            }
            if let Some(shape) = &self.places.shapes[id.index()] {
                super::places::leaves(self.typed, variable, shape, &mut |leaf| {
                    fields.insert(leaf.field, *id);
                });
            }
        }
        fields
    }

    /// Those of them that some step writes.
    fn written(&self, hidden: &HashMap<FieldId, VariableId>) -> Set {
        let mut written = Set::new();
        for step in &self.steps {
            writes(&step.action, &mut |place| {
                if place.owner == Owner::Globals && hidden.contains_key(&place.field) {
                    written.insert(place.field);
                }
            });
        }
        written
    }

    /// Notes where those that are kept lie, so that states can be counted without them.
    fn leave_out(&mut self, kept: &Set, written: &Set) {
        let layout = &mut self.places.layout;
        let mut bytes = Vec::new();
        for id in kept.intersection(written) {
            let field = &layout.globals().fields[id.index()];
            let size = field.slot.scalar.n_bytes() as usize;
            for (at, _) in field.elements() {
                bytes.push(at as usize..at as usize + size);
            }
        }
        layout.hidden = bytes;
    }

    fn has_rendezvous(&self) -> bool {
        let zero = |role: &Role| matches!(role, Role::Channel(buffer) if buffer.capacity == 0);
        self.places.layout.kinds.iter().any(|k| zero(&k.role))
    }

    fn warn_of(&mut self, hidden: &HashMap<FieldId, VariableId>, kept: &Set, written: &Set) {
        let those = kept.intersection(written).filter_map(|f| hidden.get(f));
        let variables: BTreeSet<VariableId> = those.copied().collect();
        for id in variables {
            let name = &self.typed.variables[id.index()].name;
            let message = format!(
                "{} is hidden, but it can be read before it is written in the same step",
                quote(&name.text)
            );
            let warning = self.typed.origins.warning(name.place, message);
            let note = "it is kept in states that are stored; those that differ in it are counted \
                        once, as SPIN does";
            self.found.push(warning.note(note));
        }
    }
}

/// Calls `out` with each place that an action writes to.
fn writes(action: &Action, out: &mut dyn FnMut(&Place)) {
    match action {
        Action::Assign(place, _) => out(place),
        Action::Receive(receive) => {
            for field in &receive.fields {
                if let Pattern::Store(place) = field {
                    out(place);
                }
            }
        }
        Action::All(all) => all.iter().for_each(|a| writes(a, out)),
        _ => {}
    }
}

/// What is known at a location.
#[derive(Clone, PartialEq)]
struct KnownValuesAt {
    surely: Set,
    maybe: Set,
}

/// One process type.
struct View<'v, 'a> {
    lower: &'v Lower<'a>,
    proctype: &'v Proctype,
    hidden: &'v HashMap<FieldId, VariableId>,
    rendezvous: bool,
}

impl View<'_, '_> {
    /// Adds the fields that must be kept, and by step those that it has to set back.
    fn run(&self, kept: &mut Set, resets: &mut Vec<(usize, Set)>) {
        let proctype = self.proctype;
        let mut early = Vec::new();
        for init in &proctype.prologue {
            init_roots(init, &mut |e| early.push(e));
        }
        early.extend(proctype.provided);
        for e in early {
            kept.extend(self.reads(e));
        }
        let inside = self.inside();
        let mut known: Vec<Option<KnownValuesAt>> = vec![None; proctype.locations.len()];
        let nothing = KnownValuesAt {
            surely: Set::new(),
            maybe: Set::new(),
        };
        known[proctype.start.index()] = Some(nothing.clone());
        let mut waiting: Vec<LocationId> = vec![proctype.start];
        let mut dropped: HashMap<usize, Set> = HashMap::new();
        while let Some(at) = waiting.pop() {
            let here = known[at.index()].clone().expect("reached");
            let mut pass = |to: LocationId, what: KnownValuesAt, waiting: &mut Vec<LocationId>| {
                if meet(&mut known[to.index()], what) {
                    waiting.push(to);
                }
            };
            for id in &proctype.locations[at.index()].steps {
                let step = self.lower.steps[id.index()].clone();
                kept.extend(self.read_by(&step.action).difference(&here.surely));
                let after = self.after(&here, &step);
                if let Action::Deterministic(entry, _) = step.action {
                    pass(entry, after, &mut waiting);
                    continue;
                }
                // Inside a deterministic block the block decides what happens at its exit.
                let deciding = match inside.get(&at) {
                    Some((exit, outer)) if *exit == step.target => Some(*outer),
                    Some(_) => None,
                    None => Some(id.index()),
                };
                let lost = deciding.filter(|s| self.may_store(&self.lower.steps[*s], step.target));
                match lost {
                    None => pass(step.target, after, &mut waiting),
                    Some(by) => {
                        dropped.entry(by).or_default().extend(after.maybe);
                        pass(step.target, nothing.clone(), &mut waiting);
                    }
                }
            }
        }
        for (by, fields) in dropped {
            let action = &self.lower.steps[by].action;
            let alone = match action {
                Action::Else | Action::End => true,
                Action::Test(e) => matches!(self.lower.exprs[e.index()], Expr::Run(..)),
                _ => false,
            };
            if alone {
                kept.extend(fields);
            } else {
                resets.push((by, fields));
            }
        }
    }

    /// The exit of the deterministic block that each location is inside of, and its step.
    fn inside(&self) -> HashMap<LocationId, (LocationId, usize)> {
        let mut inside = HashMap::new();
        for location in &self.proctype.locations {
            for id in &location.steps {
                let Action::Deterministic(entry, exit) = self.lower.steps[id.index()].action else {
                    continue;
                };
                let mut waiting = vec![entry];
                while let Some(at) = waiting.pop() {
                    if at == exit || inside.insert(at, (exit, id.index())).is_some() {
                        continue;
                    }
                    let steps = &self.proctype.locations[at.index()].steps;
                    waiting.extend(steps.iter().map(|s| self.lower.steps[s.index()].target));
                }
            }
        }
        inside
    }

    /// Whether a state can be stored when the step has come to its target.
    fn may_store(&self, step: &Step, target: LocationId) -> bool {
        let meets = matches!(step.action, Action::Send(_) | Action::Receive(_)) && self.rendezvous;
        let waits = self.proctype.provided.is_some() || self.lower.priorities;
        !step.keeps_control || meets || waits || !self.goes_on(target)
    }

    /// Whether something can be done at a location in every state.
    fn goes_on(&self, at: LocationId) -> bool {
        let steps = &self.proctype.locations[at.index()].steps;
        steps
            .iter()
            .any(|id| match &self.lower.steps[id.index()].action {
                Action::Skip
                | Action::Else
                | Action::Assign(..)
                | Action::Drop(_)
                | Action::Assert(_)
                | Action::Print(_)
                | Action::SetPriority(..) => true,
                Action::Deterministic(entry, _) => self.goes_on(*entry),
                _ => false,
            })
    }

    fn after(&self, here: &KnownValuesAt, step: &Step) -> KnownValuesAt {
        let mut after = here.clone();
        writes(&step.action, &mut |place| {
            if place.owner == Owner::Globals && self.hidden.contains_key(&place.field) {
                after.maybe.insert(place.field);
                // One element does not make an array.
                if place.indices.is_empty() {
                    after.surely.insert(place.field);
                }
            }
        });
        after
    }

    fn read_by(&self, action: &Action) -> Set {
        let mut all = Set::new();
        roots(action, &mut |e| all.extend(self.reads(e)));
        all
    }

    fn reads(&self, expr: ExprId) -> Set {
        let mut found = Set::new();
        let mut waiting = vec![expr];
        while let Some(id) = waiting.pop() {
            let expr = &self.lower.exprs[id.index()];
            if let Expr::Read(place) = expr
                && place.owner == Owner::Globals
                && self.hidden.contains_key(&place.field)
            {
                found.insert(place.field);
            }
            operands(expr, &mut |e| waiting.push(e));
        }
        found
    }
}

/// Joins what is known on one more way to a location; tells whether that changed anything.
fn meet(at: &mut Option<KnownValuesAt>, what: KnownValuesAt) -> bool {
    match at {
        None => {
            *at = Some(what);
            true
        }
        Some(old) => {
            let surely = old.surely.intersection(&what.surely).copied().collect();
            let maybe = old.maybe.union(&what.maybe).copied().collect();
            let new = KnownValuesAt { surely, maybe };
            let changed = new != *old;
            *old = new;
            changed
        }
    }
}
