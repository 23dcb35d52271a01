//! Dead variables get one value, always the same.
//!
//! **Problem.** Given which variables are dead where ([`super::live`]), make states that differ
//! only in them equal, and never tell apart states that were equal before.
//!
//! **Idea.** Each variable has one *rest value*, a constant. At every location where it is dead it
//! has that value: steps that lead there set it, and so does the creation of a process. Then there
//! is a function from the states of the model as it was to those of the new one (put the rest value
//! where a variable is dead), and it is onto: the new model cannot have more states. SPIN instead
//! sets a variable to 0 where it *becomes* dead, and leaves its first value alone: a process that
//! has not yet used it differs from one that has (`docs/theory/optimise.md`, with the proof and a
//! model that grows tenfold).
//!
//! **Worked example.** `byte x = 4; do :: c?x; d!x od`: x is dead at the head of the loop, live
//! between. Rest value 4, its first value: `d!x` sets x to 4, and nothing else changes. SPIN sets
//! it to 0 there, so the head occurs with 4 and with 0.
//!
//! Where the text declares that a variable holds members of a sort, and it starts as no single
//! number, it rests as no member: 0 would be one of them, and single it out.
//!
//! Writes to a variable that is dead afterwards are dropped where that is all that a step does.
//!
//! **Cost.** That of the flow, then linear in steps times variables.

use super::live::{Flow, Live, Strength, always, whole};
use super::uses::{in_blocks, inside, pure_assignment, writes};
use crate::processes::expr::{Expr, ExprId, Owner, Pattern, Place};
use crate::processes::layout::{Field, FieldId};
use crate::processes::program::{
    Action, Init, LocationId, Model, Proctype, ProctypeId, Reset, StepId,
};

/// After the call every variable of a process has its rest value wherever it is dead, in every
/// state. `globals_needed` tells for each global whether its value can matter.
pub(super) fn rest(model: &mut Model, watched: &[ExprId], globals_needed: &[bool]) {
    for p in 0..model.proctypes.len() {
        let proctype = &model.proctypes[p];
        let flow = Flow {
            model,
            proctype,
            strength: Strength::Needed,
            always: always(model, proctype, watched),
            globals_needed,
        };
        let live = flow.solve();
        let values = rest_values(model, proctype);
        let changes = changes(model, proctype, &live, &values);
        for (s, action, resets) in changes {
            let step = &mut model.steps[s.index()];
            step.action = action.unwrap_or_else(|| step.action.clone());
            step.resets.extend(resets);
            step.resets.sort();
            step.resets.dedup();
        }
        start(model, ProctypeId::new(p), &live, &values);
    }
}

/// The value a field has where it is dead, and whether a new process has it already.
#[derive(Clone, Copy)]
struct RestValue {
    value: i32,
    from_the_start: bool,
}

/// For each field: what it starts as if that is one number, else no member of its sort, else 0.
fn rest_values(model: &Model, proctype: &Proctype) -> Vec<RestValue> {
    let fields = &model.layout.kind(proctype.kind).fields;
    let mut numbers: Vec<Vec<Option<i32>>> = vec![Vec::new(); fields.len()];
    for init in &proctype.prologue {
        let (place, number) = match init {
            Init::Value(place, e) => match model.expr(*e) {
                Expr::Const(v) => (place, Some(*v)),
                _ => (place, None),
            },
            Init::Channel(place, _) => (place, None),
        };
        let scalar = fields[place.field.index()].slot.scalar;
        numbers[place.field.index()].push(number.map(|v| scalar.narrow(v)));
    }
    for place in &proctype.parameters {
        numbers[place.field.index()].push(None);
    }
    let mut otherwise = vec![0; fields.len()];
    for sort in &model.declared_sorts {
        let here = sort.values.iter().filter(|(k, _)| *k == proctype.kind);
        here.for_each(|(_, f)| otherwise[f.index()] = sort.undefined);
    }
    let choose = |((field, numbers), otherwise): ((&Field, Vec<Option<i32>>), i32)| {
        // An array of which only some elements are set starts as no single number.
        let complete = numbers.len() == field.n_elements() as usize;
        let same = numbers.iter().all(|n| n.is_some() && *n == numbers[0]);
        match (complete && same, numbers.first()) {
            (true, Some(Some(value))) => RestValue {
                value: *value,
                from_the_start: true,
            },
            (_, first) => RestValue {
                value: otherwise,
                from_the_start: first.is_none() && otherwise == 0,
            },
        }
    };
    fields
        .iter()
        .zip(numbers)
        .zip(otherwise)
        .map(choose)
        .collect()
}

/// What changes about steps: a new action, and resets.
type Changes = Vec<(StepId, Option<Action>, Vec<Reset>)>;

fn changes(model: &Model, proctype: &Proctype, live: &Live, values: &[RestValue]) -> Changes {
    let mut changes = Vec::new();
    let blocks = in_blocks(model, proctype);
    for (l, location) in proctype.locations.iter().enumerate() {
        if blocks[l] {
            continue;
        }
        for s in &location.steps {
            let step = model.step(*s);
            if matches!(step.action, Action::End) {
                continue;
            }
            let action = without_dead_writes(model, proctype, live, *s);
            let written = written(model, proctype, action.as_ref().unwrap_or(&step.action));
            let resets: Vec<Reset> = (0..values.len())
                .map(FieldId::new)
                .filter(|f| !live.is(step.target, *f))
                .filter(|f| live.is(LocationId::new(l), *f) || written[f.index()])
                .map(|f| Reset {
                    field: f,
                    value: values[f.index()].value,
                })
                .collect();
            if action.is_some() || !resets.is_empty() {
                changes.push((*s, action, resets));
            }
        }
    }
    changes
}

/// The action of a step without what it writes to dead variables, if that is less.
fn without_dead_writes(
    model: &Model,
    proctype: &Proctype,
    live: &Live,
    step: StepId,
) -> Option<Action> {
    let step = model.step(step);
    let dead = |place: &Place| place.owner == Owner::Own && !live.is(step.target, place.field);
    match &step.action {
        Action::Assign(place, e)
            if dead(place) && pure_assignment(model, proctype.kind, place, *e) =>
        {
            Some(Action::Skip)
        }
        Action::Receive(receive) => {
            let mut receive = receive.clone();
            let mut less = false;
            for pattern in &mut receive.fields {
                if matches!(pattern, Pattern::Store(place) if dead(place) && whole(place)) {
                    *pattern = Pattern::Drop;
                    less = true;
                }
            }
            less.then_some(Action::Receive(receive))
        }
        _ => None,
    }
}

/// The fields of the process that an action writes, in blocks included.
fn written(model: &Model, proctype: &Proctype, action: &Action) -> Vec<bool> {
    let mut is = vec![false; model.layout.kind(proctype.kind).fields.len()];
    let mut mark = |place: &Place| {
        if place.owner == Owner::Own {
            is[place.field.index()] = true;
        }
    };
    writes(action, &mut mark);
    if let Action::Deterministic(entry, exit) = action {
        for l in inside(model, proctype, *entry, *exit) {
            for s in &proctype.locations[l.index()].steps {
                writes(&model.step(*s).action, &mut mark);
            }
        }
    }
    is
}

/// Makes what is dead at the start have its rest value there.
fn start(model: &mut Model, id: ProctypeId, live: &Live, values: &[RestValue]) {
    let Proctype { kind, start, .. } = model.proctypes[id.index()];
    let fields = model.layout.kind(kind).fields.clone();
    for (f, field) in fields.iter().enumerate() {
        let field_id = FieldId::new(f);
        if live.is(start, field_id) || values[f].from_the_start {
            continue;
        }
        for indices in all_indices(field) {
            let indices = indices.iter().map(|i| constant(model, *i)).collect();
            let place = Place {
                owner: Owner::Own,
                field: field_id,
                indices,
            };
            let value = constant(model, values[f].value);
            (model.proctypes[id.index()].prologue).push(Init::Value(place, value));
        }
    }
}

/// A new constant.
pub(super) fn constant(model: &mut Model, value: i32) -> ExprId {
    model.exprs.push(Expr::Const(value));
    ExprId::new(model.exprs.len() - 1)
}

/// The indices of each element of a field.
fn all_indices(field: &Field) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for d in &field.dimensions {
        let longer = |base: &Vec<i32>| {
            let base = base.clone();
            (0..d.count as i32).map(move |i| [base.clone(), vec![i]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
