//! Whether it matters when a process is created.
//!
//! **Problem.** `a = run A(); b = run B()` creates A, and B later; in between A can run. May B be
//! created at once?
//!
//! **Idea.** Only one thing depends on the time: which number the new process gets, for the number
//! of a process that has gone away is given out again. So it may, if one process alone creates
//! others, nobody counts processes or asks for one by number, what the new process starts with
//! does not change, and either no process can end before, or nobody looks at numbers: the result
//! of `run` is not used but in prints, nor is `_pid` by those that are created. The number of the
//! first that is created is always the same, and may be used.
//!
//! **Worked example.** `init { a = run A(); b = run B(); printf("%d %d", a, b) }`, where neither A
//! nor B uses `_pid`: B may be created at once. In SPIN without optimisation b is 1 or 2, with it
//! always 2; where the program tests b, we keep both.
//!
//! **Cost.** Linear.

use super::unread::{Prints, needs};
use super::uses::{Var, all_roots, var, walk};
use crate::processes::expr::{Expr, ExprId, Instance, Owner};
use crate::processes::program::{
    Action, Init, Model, Proctype, ProctypeId, Step, StepId, init_roots, roots,
};

/// Whether the time at which a process is created matters to nobody.
pub(super) fn at_any_time(model: &Model, watched: &[ExprId]) -> bool {
    let [creator] = creators(model)[..] else {
        return false;
    };
    let n_creators = model.population.iter().filter(|p| **p == creator).count();
    if n_creators != 1 || is_run(model, creator) || someone_counts(model, watched) {
        return false;
    }
    let others = (0..model.proctypes.len()).map(ProctypeId::new);
    let mut others = others.filter(|p| *p != creator).map(|p| model.proctype(p));
    if others.clone().any(has_channels) {
        return false;
    }
    !others.any(|p| can_end(model, p)) || numbers_are_unused(model, creator, watched)
}

/// The process types that create processes.
pub(super) fn creators(model: &Model) -> Vec<ProctypeId> {
    (0..model.proctypes.len())
        .map(ProctypeId::new)
        .filter(|p| {
            let mut steps = model.proctype(*p).locations.iter().flat_map(|l| &l.steps);
            steps.any(|s| creates(model, model.step(*s)))
        })
        .collect()
}

/// Whether a step creates a process.
pub(super) fn creates(model: &Model, step: &Step) -> bool {
    let mut found = false;
    roots(&step.action, &mut |e| {
        walk(model, e, &mut |expr| found |= matches!(expr, Expr::Run(..)));
    });
    found
}

/// Whether processes of a type are created while the model runs.
pub(super) fn is_run(model: &Model, p: ProctypeId) -> bool {
    let is = |e: &Expr| matches!(e, Expr::Run(q, ..) if *q == p);
    model.exprs.iter().any(is)
}

/// Whether a process makes channels when it is created.
pub(super) fn has_channels(proctype: &Proctype) -> bool {
    (proctype.prologue.iter()).any(|i| matches!(i, Init::Channel(..)))
}

/// Whether a process can come to its end.
pub(super) fn can_end(model: &Model, proctype: &Proctype) -> bool {
    let mut steps = proctype.locations.iter().flat_map(|l| &l.steps);
    steps.any(|s| matches!(model.step(*s).action, Action::End))
}

/// Whether someone counts processes or asks for one by number.
fn someone_counts(model: &Model, watched: &[ExprId]) -> bool {
    let mut counts = false;
    let mut look = |e: ExprId| {
        walk(model, e, &mut |expr| {
            counts |= match expr {
                Expr::NProcesses
                | Expr::Enabled(_)
                | Expr::LocationOf(_)
                | Expr::PriorityOf(_)
                | Expr::NonProgress
                | Expr::Accepting => true,
                Expr::AtLocation(_, which, _) => *which != Instance::Any,
                Expr::Read(place) => matches!(place.owner, Owner::Other(..)),
                _ => false,
            };
        });
    };
    all_roots(model, &mut |_, e| look(e));
    watched.iter().for_each(|e| look(*e));
    counts
}

/// Whether the numbers of processes that can get one number or another are at most printed.
fn numbers_are_unused(model: &Model, creator: ProctypeId, watched: &[ExprId]) -> bool {
    let needed = needs(model, watched, Prints::Nothing);
    let late = late(model, creator);
    let late_types = created_by(model, &late);
    let mut unused = true;
    for (i, p) in model.proctypes.iter().enumerate() {
        let is_late = late_types.contains(&ProctypeId::new(i));
        let mut look = |e: ExprId, result: bool| {
            walk(model, e, &mut |expr| {
                unused &= match expr {
                    Expr::Pid => !is_late,
                    Expr::Run(..) => result,
                    _ => true,
                };
            });
        };
        p.provided.iter().for_each(|e| look(*e, false));
        for init in &p.prologue {
            init_roots(init, &mut |e| look(e, false));
        }
        for s in p.locations.iter().flat_map(|l| &l.steps) {
            let action = &model.step(*s).action;
            let harmless = !late.contains(s)
                || match action {
                    // Only whether it is 0 is asked, and it is not.
                    Action::Test(e) => is_run_alone(model, *e),
                    Action::Assign(place, e) => {
                        let Var { kind, field } = var(model, p.kind, place);
                        is_run_alone(model, *e) && !needed[kind.index()][field.index()]
                    }
                    _ => false,
                };
            if !matches!(action, Action::Print(_)) {
                roots(action, &mut |e| look(e, harmless));
            }
        }
    }
    for e in watched {
        walk(model, *e, &mut |expr| unused &= !matches!(expr, Expr::Pid));
    }
    unused
}

/// The steps that create a process when one that was created before, or was there from the start,
/// may have ended.
fn late(model: &Model, creator: ProctypeId) -> Vec<StepId> {
    let proctype = model.proctype(creator);
    let all = proctype.locations.iter().flat_map(|l| &l.steps).copied();
    let creating: Vec<StepId> = all.filter(|s| creates(model, model.step(*s))).collect();
    let others = model.population.iter().filter(|p| **p != creator);
    if others
        .map(|p| model.proctype(*p))
        .any(|p| can_end(model, p))
    {
        return creating;
    }
    let mut seen = vec![false; proctype.locations.len()];
    let mut open: Vec<usize> = (creating.iter())
        .map(|s| model.step(*s).target.index())
        .collect();
    let mut late = Vec::new();
    while let Some(l) = open.pop() {
        if std::mem::replace(&mut seen[l], true) {
            continue;
        }
        for s in &proctype.locations[l].steps {
            late.extend(creating.contains(s).then_some(*s));
            open.push(model.step(*s).target.index());
        }
    }
    late
}

/// The types of the processes that some steps create.
fn created_by(model: &Model, steps: &[StepId]) -> Vec<ProctypeId> {
    let mut found = Vec::new();
    for s in steps {
        roots(&model.step(*s).action, &mut |e| {
            walk(model, e, &mut |expr| {
                if let Expr::Run(p, ..) = expr {
                    found.push(*p);
                }
            });
        });
    }
    found
}

fn is_run_alone(model: &Model, e: ExprId) -> bool {
    matches!(model.expr(e), Expr::Run(..))
}
