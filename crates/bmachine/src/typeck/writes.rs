//! Which variables a substitution assigns to, and where parallel branches share some.

use crate::typed::{AssignedVar, Machine, OperationId, Subst, SubstKind};
use base::Span;
use std::collections::{HashMap, HashSet};

/// What the substitutions of a machine assign to.
pub(super) struct Writes<'a> {
    machine: &'a Machine,
    /// Operations that have been looked at.
    known: HashMap<OperationId, HashSet<AssignedVar>>,
    /// Variables that a branch assigns to although one beside it does, too.
    pub(super) clashes: Vec<(AssignedVar, Span)>,
}

impl<'a> Writes<'a> {
    pub(super) fn new(machine: &'a Machine) -> Writes<'a> {
        Writes {
            machine,
            known: HashMap::new(),
            clashes: Vec::new(),
        }
    }

    /// The variables that an operation assigns to; no operation calls itself, so this ends.
    pub(super) fn by_operation(&mut self, id: OperationId) -> HashSet<AssignedVar> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let written = self.by(&self.machine.operations[id.index()].body);
        self.known.insert(id, written.clone());
        written
    }

    /// The variables that a substitution assigns to.
    pub(super) fn by(&mut self, subst: &'a Subst) -> HashSet<AssignedVar> {
        let mut all = HashSet::new();
        match &subst.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(targets, _) | SubstKind::BecomesElement(targets, _) => {
                for target in targets {
                    if !all.insert(target.var) {
                        self.clashes.push((target.var, target.span));
                    }
                }
            }
            SubstKind::BecomesSuch(vars, ..) => all.extend(vars),
            SubstKind::Parallel(list) => {
                for each in list {
                    let more = self.by(each);
                    let shared = more.intersection(&all).map(|var| (*var, each.span));
                    self.clashes.extend(shared);
                    all.extend(more);
                }
            }
            SubstKind::Sequence(list) | SubstKind::Choice(list) => {
                list.iter().for_each(|each| all.extend(self.by(each)));
            }
            SubstKind::Pre(_, body)
            | SubstKind::Assert(_, body)
            | SubstKind::Any(_, _, body)
            | SubstKind::Let(_, body)
            | SubstKind::Var(_, body)
            | SubstKind::While { body, .. } => all = self.by(body),
            SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
                let bodies = branches.iter().map(|(_, body)| body);
                let bodies = bodies.chain(otherwise.as_deref());
                bodies.for_each(|body| all.extend(self.by(body)));
            }
            SubstKind::Case(_, branches, otherwise) => {
                let bodies = branches.iter().map(|(_, body)| body);
                let bodies = bodies.chain(otherwise.as_deref());
                bodies.for_each(|body| all.extend(self.by(body)));
            }
            SubstKind::Call {
                operation, results, ..
            } => {
                let inside = self.by_operation(*operation);
                all.extend(
                    inside
                        .into_iter()
                        .filter(|v| matches!(v, AssignedVar::Global(_))),
                );
                all.extend(results.iter().map(|target| target.var));
            }
        }
        all
    }
}
