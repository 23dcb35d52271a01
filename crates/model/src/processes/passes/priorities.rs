//! Which processes are never kept waiting by one of higher priority.
//!
//! **Problem.** Where processes have priorities, a step that only its process can notice still may
//! have to wait: for one of higher priority that can move. Taking it at once would then let the
//! process do what it never could.
//!
//! **Idea.** Compare numbers that can be read off the text: the least priority a process of the
//! type can ever have, and the greatest that any other can have. If the first is not smaller, it
//! never waits, for only a strictly higher priority counts.
//!
//! **Worked example.** Types A with 10, which sets itself to 9, and B with 5, which sets process
//! 1, a B, to 8. A has at least 9, others at most 8: A never waits. B has at least 5: it may.
//!
//! **Cost.** Linear.

use crate::processes::expr::{Expr, ExprId};
use crate::processes::program::{Action, Model, ProctypeId, roots};

/// Whether processes of the type are never kept waiting by one of higher priority.
pub(super) fn never_waits(model: &Model, p: ProctypeId) -> bool {
    let mut range = Ranges {
        model,
        p,
        least: i32::MAX,
        greatest: i32::MIN,
    };
    let is_one = model.population.iter().filter(|q| **q == p).count() == 1;
    if !is_one || super::creation::is_run(model, p) {
        return false;
    }
    for (q, proctype) in model.proctypes.iter().enumerate() {
        let q = ProctypeId::new(q);
        range.can_have(Some(q), proctype.priority.map(|(_, first)| first));
        for s in proctype.locations.iter().flat_map(|l| &l.steps) {
            range.look(q, &model.step(*s).action);
        }
    }
    range.least >= range.greatest
}

/// Whether no process ever gets another priority than it has from the start.
pub(super) fn are_fixed(model: &Model) -> bool {
    fn sets(action: &Action) -> bool {
        match action {
            Action::All(all) => all.iter().any(sets),
            action => matches!(action, Action::SetPriority(..)),
        }
    }
    !model.steps.iter().any(|s| sets(&s.action))
}

struct Ranges<'a> {
    model: &'a Model,
    p: ProctypeId,
    /// What a process of the type has at least.
    least: i32,
    /// What another has at most.
    greatest: i32,
}

impl Ranges<'_> {
    /// Notes that processes of a type, or any if that is not known, can have a priority.
    fn can_have(&mut self, who: Option<ProctypeId>, priority: Option<i32>) {
        if who.is_none_or(|q| q == self.p) {
            self.least = self.least.min(priority.unwrap_or(i32::MIN));
        }
        if who != Some(self.p) {
            self.greatest = self.greatest.max(priority.unwrap_or(i32::MAX));
        }
    }

    fn look(&mut self, by: ProctypeId, action: &Action) {
        if let Action::SetPriority(of, e, _) = action {
            let who = match self.model.expr(*of) {
                Expr::Pid => Some(by),
                Expr::Const(pid) => self.type_of(*pid),
                _ => None,
            };
            self.can_have(who, self.number(*e));
        }
        let mut created = Vec::new();
        roots(action, &mut |e| {
            super::uses::walk(self.model, e, &mut |expr| {
                if let Expr::Run(q, _, priority) = expr {
                    created.push((*q, priority.unwrap_or(1)));
                }
            });
        });
        for (q, priority) in created {
            self.can_have(Some(q), Some(priority));
        }
        if let Action::All(all) = action {
            all.iter().for_each(|a| self.look(by, a));
        }
    }

    /// The type of a process that is there from the start, if its number is never given again.
    fn type_of(&self, pid: i32) -> Option<ProctypeId> {
        let none_created = super::creation::creators(self.model).is_empty();
        let pid = usize::try_from(pid).ok().filter(|_| none_created)?;
        self.model.population.get(pid).copied()
    }

    fn number(&self, e: ExprId) -> Option<i32> {
        match self.model.expr(e) {
            Expr::Const(v) => Some(*v),
            _ => None,
        }
    }
}
