//! Processes that have ended stay where they are.
//!
//! **Problem.** In SPIN a process that has ended goes away in a step of its own, and only once all
//! that were created after it are gone. These steps and the states between them tell nothing, and
//! their order makes processes unequal that are alike.
//!
//! **Idea.** Let a process that has ended stay at its last location, all its variables at rest.
//! That is the same to everyone if nobody counts processes or asks what they do, and if no process
//! is created afterwards, which would take over the number of one that went away. Channels that a
//! process made go away with it in SPIN: if it made some, SPIN's rule is kept, so that messages
//! left in them do not tell states apart.
//!
//! **Worked example.** `init { atomic { run A(); run B() } }`: both are created in one move, so no
//! process can have ended before the last is created. Without `atomic`, A might have; then SPIN's
//! rule stays.
//!
//! **Cost.** Linear.

use super::creation::{can_end, creates, creators, has_channels, is_run};
use super::uses::{all_roots, globals, walk};
use crate::expr::{Expr, ExprId, Owner};
use crate::layout::KindId;
use crate::model::{Action, Model, Proctype, ProctypeId, Step};

/// After the call processes that have ended stay, if that changes no verdict.
pub(super) fn stay(model: &mut Model, watched: &[ExprId]) {
    let stays = model.rules.ends_are_steps
        && !model.rules.priorities
        && !someone_asks(model, watched)
        && !(model.proctypes.iter()).any(|p| has_channels(p) && can_end(model, p))
        && none_created_late(model);
    if stays {
        model.rules.ends_are_steps = false;
    }
}

/// Whether something depends on which processes there are, or on where they are.
fn someone_asks(model: &Model, watched: &[ExprId]) -> bool {
    let mut asks = false;
    let mut ask = |_: KindId, e: ExprId| {
        walk(model, e, &mut |expr| {
            asks |= match expr {
                Expr::NProcesses
                | Expr::Enabled(_)
                | Expr::LocationOf(_)
                | Expr::PriorityOf(_)
                | Expr::AtLocation(..)
                | Expr::NonProgress
                | Expr::Accepting => true,
                Expr::Read(place) => matches!(place.owner, Owner::Other(..)),
                _ => false,
            };
        });
    };
    all_roots(model, &mut ask);
    watched.iter().for_each(|e| ask(globals(), *e));
    asks
}

/// Whether no process can be created when another may already have ended: all are created by the
/// only process there is at first, and from the first to the last without giving up control.
fn none_created_late(model: &Model) -> bool {
    match creators(model)[..] {
        [] => true,
        [only] => model.population == [only] && !is_run(model, only) && in_one_go(model, only),
        _ => false,
    }
}

/// Whether between the first and the last process that it creates a process never gives up
/// control.
fn in_one_go(model: &Model, p: ProctypeId) -> bool {
    let proctype = model.proctype(p);
    let steps_of = |l: usize| proctype.locations[l].steps.iter().map(|s| model.step(*s));
    let n = proctype.locations.len();
    // Where something is still to be created.
    let mut before = vec![false; n];
    let mut changed = true;
    while changed {
        changed = false;
        for l in (0..n).rev() {
            let is = steps_of(l).any(|s| creates(model, s) || before[s.target.index()]);
            changed |= is && !before[l];
            before[l] |= is;
        }
    }
    let mut seen = vec![false; n];
    let creating = (0..n).flat_map(steps_of).filter(|s| creates(model, s));
    let mut open: Vec<&Step> = creating.filter(|s| before[s.target.index()]).collect();
    while let Some(step) = open.pop() {
        let l = step.target.index();
        if !step.keeps_control || !goes_on(model, proctype, l) {
            return false;
        }
        if !std::mem::replace(&mut seen[l], true) {
            open.extend(steps_of(l).filter(|s| before[s.target.index()]));
        }
    }
    true
}

/// Whether a process can always take a step from a location.
fn goes_on(model: &Model, proctype: &Proctype, l: usize) -> bool {
    let mut steps = proctype.locations[l].steps.iter();
    steps.any(|s| match &model.step(*s).action {
        Action::Skip
        | Action::Else
        | Action::Assign(..)
        | Action::Drop(_)
        | Action::Assert(_)
        | Action::Print(_) => true,
        Action::Test(e) => match model.expr(*e) {
            Expr::Const(v) => *v != 0,
            // Only the limit on processes stops it.
            Expr::Run(..) => true,
            _ => false,
        },
        _ => false,
    })
}
