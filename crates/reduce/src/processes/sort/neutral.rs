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
use model::processes::expr::{Expr, Owner, Pattern};
use model::processes::layout::FieldId;
use model::processes::passes::live::{Flow, Live, Strength, always};
use model::processes::population::{Population, location_of};
use model::processes::program::{Action, Init, LocationId, Model, Proctype, ProctypeId, Step};

/// By process type, field and location.
pub(super) type Neutral = Vec<Vec<Vec<bool>>>;

/// Where variables are neutral.
pub(super) fn neutral(text: &Model, population: &Population, made_later: &[bool]) -> Neutral {
    let all = text.proctypes.iter().enumerate();
    all.map(|(p, _)| {
        let finder = Finder::new(text, population, ProctypeId::new(p));
        finder.find(made_later[p])
    })
    .collect()
}

struct Finder<'a> {
    text: &'a Model,
    population: &'a Population,
    id: ProctypeId,
    proctype: &'a Proctype,
    live: Live,
}

/// A way from one location to another.
struct Way<'a> {
    from: usize,
    to: usize,
    action: Option<&'a Action>,
    step: Option<&'a Step>,
}

impl<'a> Finder<'a> {
    fn new(text: &'a Model, population: &'a Population, id: ProctypeId) -> Finder<'a> {
        let proctype = text.proctype(id);
        let globals_needed = vec![true; text.layout.globals().fields.len()];
        let flow = Flow {
            model: text,
            proctype,
            strength: Strength::Written,
            always: always(text, proctype, &[]),
            globals_needed: &globals_needed,
        };
        Finder {
            live: flow.solve(),
            text,
            population,
            id,
            proctype,
        }
    }

    fn find(&self, made_later: bool) -> Vec<Vec<bool>> {
        let n_fields = self.text.layout.kind(self.proctype.kind).fields.len();
        let ways = self.ways();
        (0..n_fields)
            .map(|f| self.field(FieldId::new(f), &ways, made_later))
            .collect()
    }

    fn ways(&self) -> Vec<Way<'a>> {
        let mut ways = Vec::new();
        for (from, location) in self.proctype.locations.iter().enumerate() {
            for step in &location.steps {
                let step = self.text.step(*step);
                let target = step.target.index();
                let (way, action) = match step.action {
                    Action::Deterministic(entry, exit) => {
                        ways.push(Way {
                            from,
                            to: entry.index(),
                            action: None,
                            step: None,
                        });
                        (exit.index(), None)
                    }
                    _ => (from, Some(&step.action)),
                };
                ways.push(Way {
                    from: way,
                    to: target,
                    action,
                    step: Some(step),
                });
            }
        }
        ways
    }

    fn field(&self, field: FieldId, ways: &[Way<'_>], made_later: bool) -> Vec<bool> {
        let n = self.proctype.locations.len();
        if self.written_by_others(field) {
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

    fn written_by_others(&self, field: FieldId) -> bool {
        let remote = |owner: Owner| matches!(owner, Owner::Other(p, _) if p == self.id);
        let place = |p: &model::processes::expr::Place| p.field == field && remote(p.owner);
        fn any(action: &Action, place: &dyn Fn(&model::processes::expr::Place) -> bool) -> bool {
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
        self.text.steps.iter().any(|step| any(&step.action, &place))
    }
}

/// Whether an action writes a field of the process that takes it.
fn writes(action: &Action, field: FieldId) -> bool {
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
