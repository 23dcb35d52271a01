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
//! rule stays. An `active proctype` before `init` may have ended too, but cannot go away before
//! `init` does, so that its number is not given out again.
//!
//! **Cost.** Linear.

use super::creation::{can_end, creates, creators, has_channels, is_run};
use super::uses::{all_roots, globals, walk};
use crate::processes::expr::{Binary, Expr, ExprId, Owner};
use crate::processes::layout::KindId;
use crate::processes::program::{Action, Model, Proctype, ProctypeId, Step};

/// After the call processes that have ended stay, if that changes no verdict.
pub(super) fn stay(model: &mut Model, watched: &[ExprId]) {
    if why_ends_are_steps(model, watched).is_none() {
        model.rules.ends_are_steps = false;
    }
}

/// Why processes that have ended do not stay, in words; `None` if they can.
pub fn why_ends_are_steps(model: &Model, watched: &[ExprId]) -> Option<&'static str> {
    let made_with = |p: &Proctype| has_channels(p) && can_end(model, p);
    match () {
        () if model.rules.priorities => Some("processes have priorities"),
        () if someone_asks(model, watched) => {
            Some("somebody asks which processes there are, or where one is")
        }
        () if model.proctypes.iter().any(made_with) => Some("one with channels of its own can end"),
        () if !none_created_late(model) => Some("others may be made after it has ended"),
        () => None,
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

/// Whether no process can be created when another may already have gone away: all are created by
/// one process, from the first to the last without giving up control, and those that are there
/// after it at first cannot end.
fn none_created_late(model: &Model) -> bool {
    match creators(model)[..] {
        [] => true,
        [only] => {
            let mut there = model.population.iter();
            let is_there = there.by_ref().any(|p| *p == only);
            let goes = |p: &ProctypeId| *p == only || can_end(model, model.proctype(*p));
            is_there && !there.any(goes) && !is_run(model, only) && in_one_go(model, only)
        }
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
    // A condition on the process can take control away between any two steps.
    if proctype.provided.is_some() && !open.is_empty() {
        return false;
    }
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
    let steps = &proctype.locations[l].steps;
    let tests = steps.iter().filter_map(|s| match model.step(*s).action {
        Action::Test(e) => Some(e),
        _ => None,
    });
    let tests: Vec<ExprId> = tests.collect();
    let mut pairs = tests.iter().enumerate();
    if pairs.any(|(i, a)| tests[..i].iter().any(|b| are_opposite(model, *a, *b))) {
        return true;
    }
    let mut steps = steps.iter();
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

/// Whether one of two conditions always holds, as of `i <= 5` and `i > 5`.
fn are_opposite(model: &Model, a: ExprId, b: ExprId) -> bool {
    let (Expr::Binary(one, a1, a2), Expr::Binary(other, b1, b2)) = (model.expr(a), model.expr(b))
    else {
        return false;
    };
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let opposite = match one {
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        GreaterEqual => Less,
        Equal => NotEqual,
        NotEqual => Equal,
        _ => return false,
    };
    // Neither may go wrong: numbers and variables that are no elements of arrays.
    let plain = |e: ExprId| match model.expr(e) {
        Expr::Const(_) => true,
        Expr::Read(place) => place.indices.is_empty() && !matches!(place.owner, Owner::Other(..)),
        _ => false,
    };
    let same = |x: ExprId, y: ExprId| plain(x) && model.expr(x) == model.expr(y);
    *other == opposite && same(*a1, *b1) && same(*a2, *b2)
}
