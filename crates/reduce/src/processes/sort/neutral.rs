//! Where a variable of a process holds nothing that matters.
//!
//! A variable of a sort that starts as 0, or is reset to 0 when nobody will read it again, would
//! single out the member 0. Where it is dead and holds a constant, it is *neutral*: its value is
//! no member there, it is never renamed, and it counts as plain data.
//!
//! A variable is neutral at a location if it is dead there, and on every way there it was last set
//! by a reset or by the making, and not written since. Then all processes of the type that are
//! there hold the same constants, whatever symmetry has been applied to them.
//!
//! Worked example. `byte j; again: j = _pid; c!j; goto again`, with `j` reset to 0 after the send:
//! at `again` it is dead, and holds 0 from the start and from the reset: neutral. Between the two
//! statements it is live and holds a member.

use super::Sorts;
use super::loops::Replaced;
use super::walk::blocks;
use model::processes::expr::{Expr, Owner, Pattern, Place};
use model::processes::layout::FieldId;
use model::processes::passes::live::{Flow, Live, Strength, always};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, Init, LocationId, Model, Proctype, ProctypeId, Step};
use std::collections::HashSet;

/// By process type, field and location.
pub(super) type Neutral = Vec<Vec<Vec<bool>>>;

/// Where variables are neutral.
pub(super) fn neutral(
    text: &Model,
    population: &Population,
    made_later: &[bool],
    replaced: &Replaced,
) -> Neutral {
    let all = text.proctypes.iter().enumerate();
    all.map(|(p, proctype)| {
        let id = ProctypeId::new(p);
        let finder = Finder {
            text,
            population,
            id,
            proctype,
            live: live(text, id),
            gone: &replaced.removed[p],
        };
        finder.find(made_later[p])
    })
    .collect()
}

/// Where the variables of a process type can still be read.
pub(super) fn live(text: &Model, id: ProctypeId) -> Live {
    let proctype = text.proctype(id);
    let globals_needed = vec![true; text.layout.globals().fields.len()];
    let flow = Flow {
        model: text,
        proctype,
        strength: Strength::Written,
        always: always(text, proctype, &[]),
        globals_needed: &globals_needed,
    };
    flow.solve()
}

struct Finder<'a> {
    text: &'a Model,
    population: &'a Population,
    id: ProctypeId,
    proctype: &'a Proctype,
    live: Live,
    /// The locations where nobody is any more.
    gone: &'a HashSet<usize>,
}

/// A way from one location to another.
pub(super) struct Way<'a> {
    pub from: usize,
    pub to: usize,
    pub action: Option<&'a Action>,
    pub step: Option<&'a Step>,
}

impl Finder<'_> {
    fn find(&self, made_later: bool) -> Vec<Vec<bool>> {
        let n_fields = self.text.layout.kind(self.proctype.kind).fields.len();
        let ways = ways(self.text, self.proctype, self.gone);
        (0..n_fields)
            .map(|f| self.field(FieldId::new(f), &ways, made_later))
            .collect()
    }

    fn field(&self, field: FieldId, ways: &[Way<'_>], made_later: bool) -> Vec<bool> {
        let n = self.proctype.locations.len();
        if written_by_others(self.text, self.id, field) {
            return vec![false; n];
        }
        let dead = |l: usize| !self.live.is(LocationId::new(l), field);
        let mut neutral: Vec<bool> = (0..n).map(dead).collect();
        self.start(field, &mut neutral);
        if made_later && self.is_given(field) {
            neutral[self.proctype.start.index()] = false;
        }
        let shape = &self.text.layout.kind(self.proctype.kind).fields[field.index()];
        let whole = shape.dimensions.is_empty();
        loop {
            let mut changed = false;
            for way in ways {
                let resets = way.step.map_or(&[][..], |step| &step.resets);
                if resets.iter().any(|r| r.field == field) {
                    continue;
                }
                let written = way.action.is_some_and(|action| writes(action, field));
                if neutral[way.to] && (!neutral[way.from] || written) {
                    neutral[way.to] = false;
                    changed = true;
                }
                // What was left alone must not be carried to where it is renamed.
                if neutral[way.from] && !neutral[way.to] && !(written && whole) {
                    neutral[way.from] = false;
                    changed = true;
                }
            }
            if !changed {
                return neutral;
            }
        }
    }

    /// The processes that are there after the making must hold the same where they are.
    fn start(&self, field: FieldId, neutral: &mut [bool]) {
        let layout = &self.text.layout;
        let shape = &layout.kind(self.proctype.kind).fields[field.index()];
        let mut held: Vec<Option<Vec<i32>>> = vec![None; neutral.len()];
        for state in &self.population.states {
            let all = self.population.processes.iter();
            for record in all.filter(|r| r.kind == self.proctype.kind) {
                let at = location_of(self.text, self.id, state, record).index();
                let load = |n| {
                    shape
                        .slot
                        .scalar
                        .load(state, record.at + shape.element_at(n) as usize)
                };
                let values: Vec<i32> = (0..shape.n_elements()).map(load).collect();
                match &held[at] {
                    None => held[at] = Some(values),
                    Some(known) if *known == values => {}
                    Some(_) => neutral[at] = false,
                }
            }
        }
    }

    /// Whether a new process starts with something in the variable that is no constant.
    fn is_given(&self, field: FieldId) -> bool {
        let prologue = self.proctype.prologue.iter().filter(|init| match init {
            Init::Value(_, e) => !matches!(self.text.expr(*e), Expr::Const(_)),
            Init::Channel(..) => true,
        });
        let values = prologue.map(|init| match init {
            Init::Value(place, _) | Init::Channel(place, _) => place,
        });
        let mut given = values.chain(&self.proctype.parameters);
        given.any(|place| place.field == field)
    }
}

/// Whether a process stores into a variable of another of the type.
pub(super) fn written_by_others(text: &Model, p: ProctypeId, field: FieldId) -> bool {
    let remote = |owner: Owner| matches!(owner, Owner::Other(q, _) if q == p);
    let place = |p: &Place| p.field == field && remote(p.owner);
    fn any(action: &Action, place: &dyn Fn(&Place) -> bool) -> bool {
        match action {
            Action::Assign(p, _) => place(p),
            Action::Receive(r) => r
                .fields
                .iter()
                .any(|f| matches!(f, Pattern::Store(p) if place(p))),
            Action::All(all) => all.iter().any(|a| any(a, place)),
            _ => false,
        }
    }
    text.steps.iter().any(|step| any(&step.action, &place))
}

/// The ways of a process type. A set of blocks is passed from one to any other of them.
pub(super) fn ways<'a>(
    text: &'a Model,
    proctype: &'a Proctype,
    gone: &HashSet<usize>,
) -> Vec<Way<'a>> {
    let mut ways = Vec::new();
    let all = proctype.locations.iter().enumerate();
    for (from, location) in all.filter(|(l, _)| !gone.contains(l)) {
        for step in &location.steps {
            let step = text.step(*step);
            let to = step.target.index();
            let mut inside = Vec::new();
            blocks(&step.action, &mut |entry, exit| {
                inside.push((entry.index(), exit.index()))
            });
            if inside.is_empty() {
                ways.push(Way {
                    from,
                    to,
                    action: Some(&step.action),
                    step: Some(step),
                });
            }
            for (entry, _) in &inside {
                let others = inside.iter().filter(|(other, _)| other != entry);
                let starts = std::iter::once(from).chain(others.map(|(_, exit)| *exit));
                ways.extend(starts.map(|from| Way {
                    from,
                    to: *entry,
                    action: None,
                    step: None,
                }));
            }
            ways.extend(inside.iter().map(|(_, exit)| Way {
                from: *exit,
                to,
                action: None,
                step: Some(step),
            }));
        }
    }
    ways
}

/// Whether an action writes a field of the process that takes it.
pub(super) fn writes(action: &Action, field: FieldId) -> bool {
    match action {
        Action::Assign(p, _) => p.owner == Owner::Own && p.field == field,
        Action::Receive(r) => r.fields.iter().any(|f| match f {
            Pattern::Store(p) => p.owner == Owner::Own && p.field == field,
            _ => false,
        }),
        Action::All(all) => all.iter().any(|a| writes(a, field)),
        _ => false,
    }
}

impl Sorts {
    /// Whether what a process of a type holds in a field does not matter at a location.
    pub fn is_neutral(&self, p: ProctypeId, field: FieldId, at: LocationId) -> bool {
        let fields = &self.neutral[p.index()];
        fields[field.index()]
            .get(at.index())
            .copied()
            .unwrap_or(false)
    }
}
