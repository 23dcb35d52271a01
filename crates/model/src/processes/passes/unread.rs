//! Globals whose value nobody needs keep the value they start with.
//!
//! **Problem.** A counter that is only printed, or only counted up, multiplies the states.
//!
//! **Idea.** A global is *needed* if it is read where it matters: in a test, an assertion, a
//! message, an index, or in an assignment to something that is needed. What is only printed is not
//! needed, nor is what only feeds what is not needed. Writes to the rest are dropped; what they
//! evaluate is still evaluated where it could go wrong. As the set of what is needed only grows, it
//! is found by repeating until nothing is added.
//!
//! **Worked example.** `n = n + m; m = 2; assert(k); printf("%d", n)`: k is needed. n is read by an
//! assignment to n and by the print, m by the assignment to n: both stay as they start.
//!
//! SPIN does the same under a narrower rule, [`spin_needs`]: every read counts but those in prints
//! and in `x++` and `x--`; so does receiving into a variable; records are left alone.
//!
//! **Cost.** Rounds of the whole model; one more than the longest chain of assignments.

use super::uses::{Var, globals, places_read, pure_assignment, var};
use crate::processes::expr::{Expr, ExprId, Owner, Pattern, Place, place_operands};
use crate::processes::layout::{KindId, Meaning};
use crate::processes::program::{Action, Init, Model, StepId, roots};

/// Whose variables a print needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prints {
    /// Those of processes: what is printed of them is right.
    Locals,
    /// Nobody's.
    Nothing,
}

/// Whether each field of each kind can matter, `watched` included.
pub(super) fn needs(model: &Model, watched: &[ExprId], prints: Prints) -> Vec<Vec<bool>> {
    let needed = model.layout.kinds.iter();
    let mut needs = Needs {
        model,
        prints,
        needed: needed.map(|k| vec![false; k.fields.len()]).collect(),
        changed: true,
    };
    for e in watched {
        needs.read(globals(), *e);
    }
    for p in &model.proctypes {
        p.provided.iter().for_each(|e| needs.read(p.kind, *e));
        if let Some((field, _)) = p.priority {
            needs.needed[p.kind.index()][field.index()] = true;
        }
    }
    while std::mem::replace(&mut needs.changed, false) {
        needs.round();
    }
    needs.needed
}

/// Whether each global matters by SPIN's rule.
pub(super) fn spin_needs(model: &Model) -> Vec<bool> {
    let fields = &model.layout.globals().fields;
    let left_alone = |f: &crate::processes::layout::Field| {
        f.name.contains('.') || f.slot.meaning == Meaning::Channel || !f.declared
    };
    let mut needed: Vec<bool> = fields.iter().map(left_alone).collect();
    for field in &model.origins.read {
        needed[field.index()] = true;
    }
    let mut mark = |place: &Place| {
        if place.owner == Owner::Globals {
            needed[place.field.index()] = true;
        }
    };
    for (s, step) in model.steps.iter().enumerate() {
        let counts = model.origins.steps.get(s).is_some_and(|o| o.counts);
        match &step.action {
            Action::Print(_) => {}
            Action::Assign(place, _) if counts => place_operands(place, &mut |e| {
                places_read(model, e, &mut mark);
            }),
            action => {
                super::uses::action_reads(model, action, &mut mark);
                if let Action::Receive(_) = action {
                    super::uses::writes(action, &mut mark);
                }
            }
        }
    }
    let inits = model.proctypes.iter().flat_map(|p| &p.prologue);
    for init in inits.chain(&model.prologue) {
        crate::processes::program::init_roots(init, &mut |e| places_read(model, e, &mut mark));
    }
    let provided = model.proctypes.iter().filter_map(|p| p.provided);
    for e in provided.chain(model.atoms.iter().copied()) {
        places_read(model, e, &mut mark);
    }
    needed
}

/// Drops the writes to globals that do not matter.
pub(super) fn drop_writes(model: &mut Model, needed: &[bool]) {
    let kinds: Vec<(KindId, StepId)> = (model.proctypes.iter())
        .flat_map(|p| {
            let steps = p.locations.iter().flat_map(|l| &l.steps);
            steps.map(|s| (p.kind, *s))
        })
        .collect();
    for (kind, s) in kinds {
        if let Some(action) = less(model, kind, s, needed) {
            model.steps[s.index()].action = action;
        }
    }
    if model.rules.last.is_some_and(|f| !needed[f.index()]) {
        model.rules.last = None;
    }
}

struct Needs<'a> {
    model: &'a Model,
    prints: Prints,
    needed: Vec<Vec<bool>>,
    changed: bool,
}

impl Needs<'_> {
    fn round(&mut self) {
        let model = self.model;
        for p in &model.proctypes {
            for init in &p.prologue {
                self.init(p.kind, init);
            }
            for s in p.locations.iter().flat_map(|l| &l.steps) {
                self.action(p.kind, &model.step(*s).action);
            }
        }
        for init in &model.prologue {
            self.init(globals(), init);
        }
    }

    fn init(&mut self, kind: KindId, init: &Init) {
        match init {
            Init::Value(place, e) => self.assign(kind, place, *e),
            Init::Channel(place, _) => place_operands(place, &mut |e| self.read(kind, e)),
        }
    }

    fn action(&mut self, kind: KindId, action: &Action) {
        match action {
            Action::Assign(place, e) => self.assign(kind, place, *e),
            Action::Print(_) if self.prints == Prints::Nothing => {}
            Action::Print(_) => roots(action, &mut |e| self.mark(kind, e, true)),
            Action::Receive(receive) => {
                for pattern in &receive.fields {
                    if let Pattern::Store(place) = pattern
                        && !super::uses::place_is_safe(self.model, kind, place)
                    {
                        let Var { kind, field } = var(self.model, kind, place);
                        self.need(kind, field.index());
                    }
                }
                roots(action, &mut |e| self.read(kind, e));
            }
            Action::All(all) => all.iter().for_each(|a| self.action(kind, a)),
            _ => roots(action, &mut |e| self.read(kind, e)),
        }
    }

    fn assign(&mut self, kind: KindId, place: &Place, e: ExprId) {
        let target = var(self.model, kind, place);
        let matters = self.needed[target.kind.index()][target.field.index()];
        if matters || !pure_assignment(self.model, kind, place, e) {
            place_operands(place, &mut |o| self.read(kind, o));
            self.read(kind, e);
        }
    }

    fn read(&mut self, kind: KindId, e: ExprId) {
        self.mark(kind, e, false);
    }

    fn mark(&mut self, kind: KindId, e: ExprId, not_globals: bool) {
        let model = self.model;
        places_read(model, e, &mut |place| {
            if !(not_globals && place.owner == Owner::Globals) {
                let Var { kind, field } = var(model, kind, place);
                self.need(kind, field.index());
            }
        });
    }

    fn need(&mut self, kind: KindId, field: usize) {
        let needed = &mut self.needed[kind.index()][field];
        self.changed |= !*needed;
        *needed = true;
    }
}

/// The action of a step without what it writes to globals that do not matter, if that is less.
fn less(model: &mut Model, kind: KindId, s: StepId, needed: &[bool]) -> Option<Action> {
    let idle = |place: &Place| place.owner == Owner::Globals && !needed[place.field.index()];
    match model.step(s).action.clone() {
        Action::Assign(place, e) if idle(&place) => {
            if pure_assignment(model, kind, &place, e) {
                return Some(Action::Skip);
            }
            // Reading what would be written goes wrong where writing does.
            model.exprs.push(Expr::Read(place));
            let read = ExprId::new(model.exprs.len() - 1);
            Some(Action::All([Action::Drop(e), Action::Drop(read)].into()))
        }
        Action::Receive(mut receive) => {
            let mut less = false;
            for pattern in &mut receive.fields {
                if matches!(pattern, Pattern::Store(place) if idle(place)) {
                    *pattern = Pattern::Drop;
                    less = true;
                }
            }
            less.then_some(Action::Receive(receive))
        }
        _ => None,
    }
}
