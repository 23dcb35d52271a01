//! Whether it matters when a process is created.
//!
//! **Problem.** `a = run A(); b = run B()` creates A, and B later; in between A can run. May B be
//! created at once?
//!
//! **Idea.** Only one thing depends on the time: which number the new process gets, for the number
//! of a process that has gone away is given out again. So it may, if one process alone creates
//! others, nobody counts processes or asks for one by number, what the new process starts with does
//! not change, and either no process can end before, or nobody looks at numbers: the result of `run`
//! is not used but in prints, nor is `_pid` by those that are created.
//!
//! **Worked example.** `init { a = run A(); b = run B(); printf("%d %d", a, b) }`, where neither A nor
//! B uses `_pid`: B may be created at once. In SPIN without optimisation b is 1 or 2, with it always
//! 2; where the program tests b, we keep both.
//!
//! **Cost.** Linear.

use super::unread::{Prints, needs};
use super::uses::{all_roots, var, walk};
use crate::expr::{Expr, ExprId, Instance, Owner};
use crate::model::{Action, Init, Model, Proctype, ProctypeId, Step, roots};

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
    !others.any(|p| can_end(model, p)) || numbers_are_unused(model, watched)
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
                | Expr::NonProgress => true,
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

/// Whether the numbers of created processes are at most printed.
fn numbers_are_unused(model: &Model, watched: &[ExprId]) -> bool {
    let needed = needs(model, watched, Prints::Nothing);
    let mut unused = true;
    for (i, p) in model.proctypes.iter().enumerate() {
        let created = is_run(model, ProctypeId::new(i));
        let mut look = |e: ExprId| {
            walk(model, e, &mut |expr| {
                unused &= match expr {
                    Expr::Pid => !created,
                    Expr::Run(..) => false,
                    _ => true,
                };
            });
        };
        p.provided.iter().for_each(|e| look(*e));
        for init in &p.prologue {
            crate::model::init_roots(init, &mut look);
        }
        for s in p.locations.iter().flat_map(|l| &l.steps) {
            let action = &model.step(*s).action;
            match action {
                Action::Print(_) => {}
                // Only whether it is 0 is asked, and it is not.
                Action::Test(e) if is_plain_run(model, *e) => roots_below(model, *e, &mut look),
                Action::Assign(place, e) if is_plain_run(model, *e) => {
                    let target = var(model, p.kind, place);
                    let used = needed[target.kind.index()][target.field.index()];
                    if used {
                        return false;
                    }
                    roots_below(model, *e, &mut look);
                }
                action => roots(action, &mut look),
            }
        }
    }
    for e in watched {
        walk(model, *e, &mut |expr| unused &= !matches!(expr, Expr::Pid));
    }
    unused
}

fn is_plain_run(model: &Model, e: ExprId) -> bool {
    matches!(model.expr(e), Expr::Run(..))
}

fn roots_below(model: &Model, e: ExprId, out: &mut dyn FnMut(ExprId)) {
    crate::expr::operands(model.expr(e), out);
}
