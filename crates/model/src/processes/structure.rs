//! The static structure of a model of processes ([`system::structure`]).
//!
//! Places are the fields of the globals and of each process type, arrays as wholes, and four that
//! are no variables: the contents of channels, which processes there are, who keeps control, and
//! for each process type where its processes are. Where an answer would need more than the text of
//! a step (`else`, escapes, `timeout`, priorities), all that it may depend on is listed.

use super::expr::{Expr, ExprId, Owner, Place};
use super::layout::{FieldId, KindId};
use super::passes::uses;
use super::program::{Action, Model, Proctype, ProctypeId, Step, StepId, roots};
use std::collections::{BTreeSet, HashMap};
use system::structure::{PlaceId, StepStructure, Structure};

/// A place before it has a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Field(KindId, FieldId),
    Channels,
    Processes,
    Control,
    Locations(ProctypeId),
}

/// What a step uses.
#[derive(Clone, Default, Debug)]
struct Used {
    reads: BTreeSet<PlaceId>,
    writes: BTreeSet<PlaceId>,
}

/// The structure of a model.
pub fn structure(model: &Model) -> Structure {
    let making = Making::new(model);
    let mut steps: Vec<Option<StepStructure>> = vec![None; model.steps.len()];
    for (p, proctype) in model.proctypes.iter().enumerate() {
        for location in &proctype.locations {
            for id in &location.steps {
                steps[id.index()] = Some(making.step(p, *id, &location.steps));
            }
        }
    }
    // A step of no location is never taken.
    let idle = |step: &Step| StepStructure {
        actor: 0,
        site: step.site,
        guards: Vec::new(),
        reads: Vec::new(),
        writes: Vec::new(),
        is_exact: false,
    };
    let all = steps.into_iter().zip(&model.steps);
    Structure {
        steps: all
            .map(|(found, step)| found.unwrap_or_else(|| idle(step)))
            .collect(),
        places: making.names,
    }
}

struct Making<'a> {
    model: &'a Model,
    places: HashMap<Key, PlaceId>,
    names: Vec<String>,
    /// Whether somebody can keep control.
    is_controlled: bool,
}

impl<'a> Making<'a> {
    fn new(model: &'a Model) -> Making<'a> {
        let mut making = Making {
            model,
            places: HashMap::new(),
            names: Vec::new(),
            is_controlled: model.steps.iter().any(|step| step.keeps_control),
        };
        for (n, kind) in model.layout.kinds.iter().enumerate() {
            let owner = model.proctypes.iter().find(|p| p.kind.index() == n);
            let owner = owner.map_or(String::new(), |p| format!("{}.", p.name));
            for (f, field) in kind.fields.iter().enumerate() {
                let key = Key::Field(KindId::new(n), FieldId::new(f));
                making.add(key, format!("{owner}{}", field.name));
            }
        }
        making.add(Key::Channels, "contents of channels".to_owned());
        making.add(Key::Processes, "processes".to_owned());
        making.add(Key::Control, "control".to_owned());
        for (p, proctype) in model.proctypes.iter().enumerate() {
            let name = format!("locations of {}", proctype.name);
            making.add(Key::Locations(ProctypeId::new(p)), name);
        }
        making
    }

    fn add(&mut self, key: Key, name: String) {
        self.places.insert(key, PlaceId::new(self.names.len()));
        self.names.push(name);
    }

    fn all(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.names.len()).map(PlaceId::new)
    }

    /// The fields of a kind of records.
    fn fields(&self, kind: KindId) -> impl Iterator<Item = PlaceId> {
        let fields = 0..self.model.layout.kind(kind).fields.len();
        fields.map(move |f| self.places[&Key::Field(kind, FieldId::new(f))])
    }

    /// A step of a process type, among those of its location.
    fn step(&self, number: usize, id: StepId, siblings: &[StepId]) -> StepStructure {
        let (proctype, step) = (&self.model.proctypes[number], self.model.step(id));
        let siblings: Vec<&Step> = siblings.iter().map(|s| self.model.step(*s)).collect();
        let mut used = Used::default();
        self.action(proctype, &step.action, &mut used);
        let own = Key::Locations(ProctypeId::new(number));
        used.reads.insert(self.places[&own]);
        used.writes.insert(self.places[&own]);
        for reset in &step.resets {
            used.writes
                .insert(self.places[&Key::Field(proctype.kind, reset.field)]);
        }
        if self.is_controlled {
            used.reads.insert(self.places[&Key::Control]);
            used.writes.insert(self.places[&Key::Control]);
        }
        let mut guards = self.guards(proctype, &step.action);
        if let Some(provided) = proctype.provided {
            guards.push(self.read_by(proctype, provided));
        }
        let is_else = self.model.is_else(proctype, id);
        let escapes = siblings.iter().any(|other| other.rank != step.rank);
        if is_else || escapes || step.alone {
            let others = siblings
                .iter()
                .flat_map(|s| self.guards(proctype, &s.action));
            guards.push(others.flatten().collect());
        }
        if self.model.rules.priorities {
            guards.push(self.all().collect());
        }
        used.reads.extend(guards.iter().flatten());
        let is_exact = step.resets.is_empty()
            && matches!(&step.action, Action::Assign(place, e)
                if uses::pure_assignment(self.model, proctype.kind, place, *e));
        StepStructure {
            actor: number as u32,
            site: step.site,
            guards: guards
                .into_iter()
                .map(|g| g.into_iter().collect())
                .collect(),
            reads: used.reads.into_iter().collect(),
            writes: used.writes.into_iter().collect(),
            is_exact,
        }
    }

    /// The conditions of an action, each by what it reads.
    fn guards(&self, proctype: &Proctype, action: &Action) -> Vec<BTreeSet<PlaceId>> {
        match action {
            Action::Test(e) => match self.model.expr(*e) {
                Expr::And(all) => all.iter().map(|e| self.read_by(proctype, *e)).collect(),
                _ => vec![self.read_by(proctype, *e)],
            },
            Action::Send(_) | Action::Receive(_) => {
                let mut used = Used::default();
                self.action(proctype, action, &mut used);
                vec![used.reads]
            }
            Action::All(all) => all.first().map_or(Vec::new(), |a| self.guards(proctype, a)),
            Action::Deterministic(entry, _) => {
                let first = proctype.locations[entry.index()].steps.iter();
                let first = first.flat_map(|s| self.guards(proctype, &self.model.step(*s).action));
                vec![first.flatten().collect()]
            }
            _ => Vec::new(),
        }
    }

    fn read_by(&self, proctype: &Proctype, e: ExprId) -> BTreeSet<PlaceId> {
        let mut used = Used::default();
        self.expr(proctype, e, &mut used);
        used.reads
    }

    fn action(&self, proctype: &Proctype, action: &Action, used: &mut Used) {
        roots(action, &mut |e| self.expr(proctype, e, used));
        uses::writes(action, &mut |place| {
            let place = self.place(proctype, place, used);
            used.writes.insert(place);
        });
        match action {
            Action::Send(_) | Action::Receive(_) => {
                used.reads.insert(self.places[&Key::Channels]);
                used.writes.insert(self.places[&Key::Channels]);
                if self.model.trace.is_some() {
                    // It moves with the event, and may compare it with any variable.
                    used.reads.extend(self.all());
                    used.writes.extend(self.fields(uses::globals()));
                }
            }
            Action::All(all) => all.iter().for_each(|a| self.action(proctype, a, used)),
            Action::Deterministic(entry, exit) => {
                for l in uses::inside(self.model, proctype, *entry, *exit) {
                    for s in &proctype.locations[l.index()].steps {
                        self.action(proctype, &self.model.step(*s).action, used);
                    }
                }
            }
            Action::SetPriority(..) => {
                let types = self.model.proctypes.iter();
                let fields = types.filter_map(|p| Some((p.kind, p.priority?.0)));
                used.writes
                    .extend(fields.map(|(kind, field)| self.places[&Key::Field(kind, field)]));
            }
            Action::End => {
                used.writes.insert(self.places[&Key::Processes]);
                used.writes.extend(self.fields(proctype.kind));
            }
            Action::Skip
            | Action::Test(_)
            | Action::Else
            | Action::Assign(..)
            | Action::Drop(_)
            | Action::Assert(_)
            | Action::Print(_) => {}
        }
    }

    /// The place of a variable; who names one of another process depends on who is there.
    fn place(&self, proctype: &Proctype, place: &Place, used: &mut Used) -> PlaceId {
        if matches!(place.owner, Owner::Other(..)) {
            used.reads.insert(self.places[&Key::Processes]);
        }
        let var = uses::var(self.model, proctype.kind, place);
        self.places[&Key::Field(var.kind, var.field)]
    }

    fn expr(&self, proctype: &Proctype, e: ExprId, used: &mut Used) {
        uses::walk(self.model, e, &mut |expr| match expr {
            Expr::Read(place) => {
                let place = self.place(proctype, place, used);
                used.reads.insert(place);
            }
            Expr::NProcesses => {
                used.reads.insert(self.places[&Key::Processes]);
            }
            Expr::Run(made, ..) => {
                let made = *made;
                used.reads.insert(self.places[&Key::Processes]);
                used.writes.insert(self.places[&Key::Processes]);
                used.writes.insert(self.places[&Key::Locations(made)]);
                used.writes
                    .extend(self.fields(self.model.proctype(made).kind));
                // Its channels are made with it.
                used.writes.insert(self.places[&Key::Channels]);
            }
            Expr::Probe(..) | Expr::Poll(_) => {
                used.reads.insert(self.places[&Key::Channels]);
            }
            Expr::Timeout | Expr::Enabled(_) => used.reads.extend(self.all()),
            Expr::LocationOf(_) | Expr::NonProgress | Expr::Accepting => {
                let types = 0..self.model.proctypes.len();
                let types = types.map(|p| Key::Locations(ProctypeId::new(p)));
                used.reads.extend(types.map(|key| self.places[&key]));
                used.reads.insert(self.places[&Key::Processes]);
            }
            Expr::AtLocation(of, ..) => {
                used.reads.insert(self.places[&Key::Locations(*of)]);
                used.reads.insert(self.places[&Key::Processes]);
            }
            Expr::PriorityOf(_) => {
                let types = self.model.proctypes.iter();
                let fields = types.filter_map(|p| Some((p.kind, p.priority?.0)));
                let fields = fields.map(|(kind, field)| self.places[&Key::Field(kind, field)]);
                used.reads.extend(fields);
                used.reads.insert(self.places[&Key::Processes]);
            }
            Expr::Const(_)
            | Expr::Pid
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Choice(_) => {}
        });
    }
}
