//! Steps that can be left out of a model such that all other steps do what they did.
//!
//! A step may be seen by others: an `else` waits for it, an escape comes before it, a process that
//! keeps control goes on with it, a rendezvous needs it, and `timeout`, `enabled` and priorities
//! ask for it. Then it stays. What is left out is the first step of its move and the only one of
//! its kind in it, so that a move either takes it or is a move of the model without it.
//!
//! Worked example: `do :: c -> x = 1 :: d_step { y == 2 -> y = 3 } od`. Both `c` and the whole
//! block may be left out; `x = 1` too, as others can move before it; with `:: else` beside them
//! neither `c` nor the block.

use super::{NotPartial, Watcher};
use model::processes::expr::{Expr, ExprId, operands};
use model::processes::layout::Role;
use model::processes::population::reachable;
use model::processes::program::{
    Action, LocationId, Model, Proctype, ProctypeId, Step, StepId, roots,
};

/// The steps that may be left out; or why none may.
pub(super) fn candidates(model: &Model) -> Result<Vec<StepId>, NotPartial> {
    if let Some(watcher) = watcher(model) {
        return Err(NotPartial::Watched(watcher));
    }
    let mut all = Vec::new();
    for proctype in &model.proctypes {
        let inside = inside(model, proctype);
        for (at, location) in proctype.locations.iter().enumerate() {
            let beside = location.steps.iter();
            let is_seen = inside[at]
                || beside.clone().any(|step| {
                    let own = model.step(*step);
                    own.rank != 0 || own.alone || model.is_else(proctype, *step)
                });
            let may = beside.filter(|step| may_go(model, &model.step(**step).action));
            all.extend(may.filter(|_| !is_seen).copied());
        }
    }
    // A step that several locations share cannot be told by its number.
    let n_uses = |step: &StepId| {
        let locations = model.proctypes.iter().flat_map(|p| &p.locations);
        locations
            .flat_map(|l| &l.steps)
            .filter(|s| *s == step)
            .count()
    };
    all.retain(|step| n_uses(step) == 1);
    Ok(all)
}

/// The model without some steps.
pub(super) fn without(model: &Model, steps: &[StepId]) -> Model {
    let mut text = model.clone();
    let proctypes = text.proctypes.iter_mut();
    for location in proctypes.flat_map(|p| &mut p.locations) {
        location.steps.retain(|step| !steps.contains(step));
    }
    // What only they lead to is left out too: nobody takes it, and it may name somebody.
    for p in 0..text.proctypes.len() {
        let start = text.proctypes[p].start;
        let reached = reachable(&text, ProctypeId::new(p), start);
        let unreached = (0..reached.len()).filter(|at| !reached[*at]);
        // Each leads to the one before it, so that no two of them can be exchanged.
        let mut target = start;
        for at in unreached.collect::<Vec<_>>() {
            let left = std::mem::take(&mut text.proctypes[p].locations[at].steps);
            if let Some(step) = left.first() {
                let site = text.step(*step).site;
                let step = StepId::new(text.steps.len());
                text.steps.push(Step::new(Action::Skip, target, site));
                text.proctypes[p].locations[at].steps.push(step);
                target = LocationId::new(at);
            }
        }
    }
    text
}

/// What in a model sees whether steps can be taken, or depends on which was taken.
fn watcher(model: &Model) -> Option<Watcher> {
    let rules = &model.rules;
    let asks = |wanted: fn(&Expr) -> bool| model.exprs.iter().any(wanted);
    let all = [
        (model.trace.is_some(), Watcher::Trace),
        (rules.last.is_some(), Watcher::Last),
        (rules.priorities, Watcher::Priorities),
        (rules.ends_are_steps, Watcher::OrderedEnds),
        (
            model.proctypes.iter().any(|p| p.provided.is_some()),
            Watcher::Provided,
        ),
        (asks(|e| matches!(e, Expr::Timeout)), Watcher::Timeout),
        (asks(|e| matches!(e, Expr::Enabled(_))), Watcher::Enabled),
        (
            asks(|e| matches!(e, Expr::NonProgress | Expr::PriorityOf(_))),
            Watcher::ProgressOrPriority,
        ),
    ];
    all.into_iter()
        .find(|(found, _)| *found)
        .map(|(_, why)| why)
}

/// By location: whether a process may be there in the middle of a move, or of a block.
fn inside(model: &Model, proctype: &Proctype) -> Vec<bool> {
    let mut blocks = vec![false; proctype.locations.len()];
    let steps = proctype.locations.iter().flat_map(|l| &l.steps);
    for step in steps.map(|step| model.step(*step)) {
        if let Action::Deterministic(entry, exit) = step.action {
            mark_block(model, proctype, (entry, exit), &mut blocks);
        }
    }
    let mut inside = blocks.clone();
    // The steps of a block are not taken by themselves, whatever they keep.
    let outside = proctype.locations.iter().zip(&blocks).filter(|(_, b)| !**b);
    for step in outside.flat_map(|(l, _)| &l.steps) {
        let step = model.step(*step);
        if step.keeps_control {
            inside[step.target.index()] = true;
        }
    }
    inside
}

/// Marks the locations of a block, its exit left aside.
fn mark_block(
    model: &Model,
    proctype: &Proctype,
    (entry, exit): (LocationId, LocationId),
    inside: &mut [bool],
) {
    let mut waiting = vec![entry];
    let mut seen = vec![false; inside.len()];
    while let Some(at) = waiting.pop() {
        if at == exit || std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        inside[at.index()] = true;
        let steps = proctype.locations[at.index()].steps.iter();
        waiting.extend(steps.map(|step| model.step(*step).target));
    }
}

/// Whether a step with this action is taken by one process alone and makes none.
fn may_go(model: &Model, action: &Action) -> bool {
    let mut makes = false;
    roots(action, &mut |e| makes |= makes_process(model, e));
    let is_fit = match action {
        Action::Skip
        | Action::Test(_)
        | Action::Assign(..)
        | Action::Drop(_)
        | Action::Assert(_)
        | Action::Print(_) => true,
        Action::Send(_) | Action::Receive(_) | Action::Deterministic(..) => !has_rendezvous(model),
        Action::All(all) => all.iter().all(|one| may_go(model, one)),
        Action::Else | Action::SetPriority(..) | Action::End => false,
    };
    is_fit && !makes
}

fn makes_process(model: &Model, e: ExprId) -> bool {
    let mut makes = matches!(model.expr(e), Expr::Run(..));
    operands(model.expr(e), &mut |e| makes |= makes_process(model, e));
    makes
}

fn has_rendezvous(model: &Model) -> bool {
    let mut roles = model.layout.kinds.iter().map(|kind| &kind.role);
    roles.any(|role| matches!(role, Role::Channel(buffer) if buffer.capacity == 0))
}
