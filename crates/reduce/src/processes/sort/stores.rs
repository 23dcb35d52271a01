//! Assignments of constants to variables that nobody reads any more.
//!
//! `x = 0` after the last use of `x` singles out the id 0 if `x` held ids before. But what a dead
//! variable holds does not matter, and the machine has a way to say so: a reset. In the copy of
//! the text that symmetry looks at, such an assignment is replaced by a reset to the same constant,
//! which is the same step; where the variable is dead its value is then left alone
//! ([`super::neutral`]).
//!
//! Worked example: `atomic { c?i -> flag[i] = 1; i = 0 }` where `i` is received again before it is
//! read. The last statement becomes `skip` with a reset of `i` to 0.

use super::neutral::{live, writes};
use model::processes::expr::{Expr, ExprId, Owner, operands};
use model::processes::layout::FieldId;
use model::processes::program::{Action, Model, ProctypeId, Reset, StepId, roots};

/// Replaces such assignments in a text.
pub(super) fn replace(text: &mut Model) {
    for p in (0..text.proctypes.len()).map(ProctypeId::new) {
        let dead = {
            let live = live(text, p);
            let locations = &text.proctype(p).locations;
            let steps = locations.iter().flat_map(|l| &l.steps).copied();
            let found = steps.filter_map(|id| {
                let step = text.step(id);
                let (nth, reset) = last_store(text, &step.action)?;
                let known = step.resets.iter().any(|r| r.field == reset.field);
                let matters = live.is(step.target, reset.field);
                (known || !matters).then_some((id, nth, reset))
            });
            found.collect::<Vec<_>>()
        };
        for (id, nth, mut reset) in dead {
            let kind = text.proctype(p).kind;
            let field = &text.layout.kind(kind).fields[reset.field.index()];
            reset.value = field.slot.scalar.narrow(reset.value);
            rewrite(text, id, nth, reset);
        }
    }
}

/// The last assignment of a constant to a variable of the process that no later part of an action
/// touches: which part it is, and what it sets.
fn last_store(text: &Model, action: &Action) -> Option<(usize, Reset)> {
    let parts = match action {
        Action::All(all) => &all[..],
        one => std::slice::from_ref(one),
    };
    let stores = parts.iter().enumerate().rev();
    stores
        .filter_map(|(n, part)| {
            let Action::Assign(place, e) = part else {
                return None;
            };
            let Expr::Const(value) = text.expr(*e) else {
                return None;
            };
            let own = place.owner == Owner::Own && place.indices.is_empty();
            let field = place.field;
            let touched = |later: &Action| touches(text, later, field);
            let free = own && !parts[n + 1..].iter().any(touched);
            let value = *value;
            free.then_some((n, Reset { field, value }))
        })
        .next()
}

/// Whether an action reads or writes a variable of the process.
fn touches(text: &Model, action: &Action, field: FieldId) -> bool {
    let mut found = writes(action, field) || matches!(action, Action::Deterministic(..));
    roots(action, &mut |e| found |= reads(text, e, field));
    found
}

/// Whether an expression reads a variable of the process.
pub(super) fn reads(text: &Model, e: ExprId, field: FieldId) -> bool {
    let expr = text.expr(e);
    let mut found = matches!(expr, Expr::Read(place)
        if place.owner == Owner::Own && place.field == field);
    operands(expr, &mut |e| found |= reads(text, e, field));
    found
}

fn rewrite(text: &mut Model, id: StepId, nth: usize, reset: Reset) {
    let step = &mut text.steps[id.index()];
    step.action = match &step.action {
        Action::All(all) => {
            let mut parts = all.to_vec();
            parts[nth] = Action::Skip;
            Action::All(parts.into())
        }
        _ => Action::Skip,
    };
    if !step.resets.iter().any(|known| known.field == reset.field) {
        step.resets.push(reset);
        step.resets.sort_unstable();
    }
}
