//! Who uses which variable: the questions that every pass asks of expressions and actions.
//!
//! A variable is a [`Var`]: a field of the globals or of one process type, arrays as a whole. Of
//! an expression we ask what it reads and whether it is *pure*: it cannot go wrong and makes
//! nothing, so that leaving it out changes nothing. `a[2] + x` is pure if `a` has three elements;
//! `a[i] + x` is not, for `i` may be too large, and neither is `x / y`.

use crate::processes::expr::{Binary, Expr, ExprId, Owner, Pattern, Place, operands};
use crate::processes::layout::{Field, FieldId, KindId};
use crate::processes::program::{Action, LocationId, Model, Proctype, roots};

/// A field of a kind of record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::processes) struct Var {
    pub kind: KindId,
    pub field: FieldId,
}

/// The record of the globals.
pub(in crate::processes) fn globals() -> KindId {
    KindId::new(0)
}

/// The variable a place is in, when a process whose records are of `kind` names it.
pub(in crate::processes) fn var(model: &Model, kind: KindId, place: &Place) -> Var {
    let kind = match place.owner {
        Owner::Globals => globals(),
        Owner::Own => kind,
        Owner::Other(p, _) => model.proctype(p).kind,
    };
    Var {
        kind,
        field: place.field,
    }
}

pub(in crate::processes) fn field(model: &Model, var: Var) -> &Field {
    &model.layout.kind(var.kind).fields[var.field.index()]
}

/// Calls `visit` with an expression and all under it.
pub(in crate::processes) fn walk(model: &Model, e: ExprId, visit: &mut dyn FnMut(&Expr)) {
    let expr = model.expr(e);
    visit(expr);
    operands(expr, &mut |o| walk(model, o, visit));
}

/// Calls `out` with each place that an expression reads.
pub(in crate::processes) fn places_read(model: &Model, e: ExprId, out: &mut dyn FnMut(&Place)) {
    walk(model, e, &mut |expr| {
        if let Expr::Read(place) = expr {
            out(place);
        }
    });
}

/// Calls `out` with each place that an action reads, those that tell where it writes included.
pub(in crate::processes) fn action_reads(
    model: &Model,
    action: &Action,
    out: &mut dyn FnMut(&Place),
) {
    roots(action, &mut |e| places_read(model, e, out));
}

/// Calls `out` with each place that an action itself writes; see [`inside`] for blocks.
pub(in crate::processes) fn writes(action: &Action, out: &mut dyn FnMut(&Place)) {
    match action {
        Action::Assign(place, _) => out(place),
        Action::Receive(receive) => {
            for pattern in &receive.fields {
                if let Pattern::Store(place) = pattern {
                    out(place);
                }
            }
        }
        Action::All(all) => all.iter().for_each(|a| writes(a, out)),
        _ => {}
    }
}

/// Whether leaving out the evaluation of an expression changes nothing.
pub(in crate::processes) fn pure(model: &Model, kind: KindId, e: ExprId) -> bool {
    let mut is = true;
    walk(model, e, &mut |expr| {
        is &= match expr {
            Expr::Read(place) => place_is_safe(model, kind, place),
            Expr::Binary(Binary::Divide | Binary::Remainder, _, b) => {
                matches!(model.expr(*b), Expr::Const(v) if *v != 0)
            }
            Expr::PriorityOf(of) => matches!(model.expr(*of), Expr::Pid),
            Expr::Const(_)
            | Expr::Pid
            | Expr::NProcesses
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Choice(_) => true,
            _ => false,
        };
    });
    is
}

/// Whether naming a place cannot go wrong, its indices evaluated.
pub(in crate::processes) fn place_is_safe(model: &Model, kind: KindId, place: &Place) -> bool {
    if matches!(place.owner, Owner::Other(..)) {
        return false;
    }
    let dimensions = &field(model, var(model, kind, place)).dimensions;
    (place.indices.iter().zip(dimensions)).all(|(e, d)| match model.expr(*e) {
        Expr::Const(v) => (0..i64::from(d.count)).contains(&i64::from(*v)),
        _ => false,
    })
}

/// Whether leaving out an assignment changes nothing but the variable.
pub(in crate::processes) fn pure_assignment(
    model: &Model,
    kind: KindId,
    place: &Place,
    e: ExprId,
) -> bool {
    place_is_safe(model, kind, place) && pure(model, kind, e)
}

/// The locations inside a deterministic block: from its entry, short of its exit.
pub(in crate::processes) fn inside(
    model: &Model,
    proctype: &Proctype,
    entry: LocationId,
    exit: LocationId,
) -> Vec<LocationId> {
    let mut seen = vec![false; proctype.locations.len()];
    let mut found = Vec::new();
    let mut open = vec![entry];
    while let Some(l) = open.pop() {
        if l == exit || std::mem::replace(&mut seen[l.index()], true) {
            continue;
        }
        found.push(l);
        let steps = &proctype.locations[l.index()].steps;
        open.extend(steps.iter().map(|s| model.step(*s).target));
    }
    found
}

/// For each location of a process type, whether it is inside a deterministic block.
pub(in crate::processes) fn in_blocks(model: &Model, proctype: &Proctype) -> Vec<bool> {
    let mut is = vec![false; proctype.locations.len()];
    for s in proctype.locations.iter().flat_map(|l| &l.steps) {
        if let Action::Deterministic(entry, exit) = model.step(*s).action {
            for l in inside(model, proctype, entry, exit) {
                is[l.index()] = true;
            }
        }
    }
    is
}

/// Whether a test can never be passed.
pub(in crate::processes) fn never(model: &Model, action: &Action) -> bool {
    matches!(action, Action::Test(e) if matches!(model.expr(*e), Expr::Const(0)))
}

/// All expressions that the model evaluates anywhere, with the record `Own` means in them.
pub(in crate::processes) fn all_roots(model: &Model, out: &mut dyn FnMut(KindId, ExprId)) {
    for init in &model.prologue {
        crate::processes::program::init_roots(init, &mut |e| out(globals(), e));
    }
    for p in &model.proctypes {
        for init in &p.prologue {
            crate::processes::program::init_roots(init, &mut |e| out(p.kind, e));
        }
        for s in p.locations.iter().flat_map(|l| &l.steps) {
            roots(&model.step(*s).action, &mut |e| out(p.kind, e));
        }
        p.provided.iter().for_each(|e| out(p.kind, *e));
    }
    if let Some(trace) = &model.trace {
        trace.roots(&mut |e| out(globals(), e));
    }
    model.atoms.iter().for_each(|e| out(globals(), *e));
}
