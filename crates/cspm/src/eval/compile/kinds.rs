//! Which definitions are processes, seen from their text alone.
//!
//! A call of a process is not evaluated but put off, and equal calls are one state; for that it
//! must be known that `P(x)` is a process before its body is evaluated. `P = Q(P)` with
//! `Q(X) = c -> X` shows why: evaluating `P` to find out what it is would not end. A body is a
//! process if it is an operator of processes, a process of the language, or a name or call that
//! stands for one; definitions that need each other are settled by going round until nothing
//! changes. What escapes this (a process picked from a sequence, say) is evaluated as any value.

use super::super::builtin;
use super::uses;
use super::{BodyKind, Compiler, Item};
use crate::ast::{Clause, Decl, DeclKind, Expr, ExprKind, Name, Pattern};
use std::sync::Arc;

/// Local names, innermost last, with the number of lists of arguments after which each is a
/// process.
pub type LocalKinds = Vec<(Arc<str>, Option<usize>)>;

impl Compiler<'_, '_> {
    /// Finds which definitions of the script are processes.
    pub(crate) fn find_kinds(&mut self) {
        loop {
            let mut has_changed = false;
            for i in 0..self.bodies.len() {
                let BodyKind::Function(id, function) = self.bodies[i].kind else {
                    continue;
                };
                if self.kinds[id as usize].is_some() {
                    continue;
                }
                let kind =
                    self.clauses_kind(&function.clauses, &mut Vec::new(), self.bodies[i].scope);
                has_changed |= kind.is_some();
                self.kinds[id as usize] = kind;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// After how many lists of arguments a function is a process.
    pub(crate) fn clauses_kind(
        &self,
        clauses: &[Clause],
        known: &mut LocalKinds,
        scope: usize,
    ) -> Option<usize> {
        clauses.iter().find_map(|clause| {
            let mark = known.len();
            for pattern in clause.parameters.iter().flatten() {
                hide(pattern, known);
            }
            let kind = self.kind(&clause.body, known, scope);
            known.truncate(mark);
            kind.map(|n| n + clause.parameters.len())
        })
    }

    /// After how many lists of arguments an expression is a process.
    pub fn kind(&self, expr: &Expr, known: &mut LocalKinds, scope: usize) -> Option<usize> {
        match &expr.kind {
            ExprKind::Process(_) => Some(0),
            ExprKind::Name(name) => self.name_kind(name, known, scope),
            ExprKind::Apply(function, _) => self.kind(function, known, scope)?.checked_sub(1),
            ExprKind::Brackets(inner) => self.kind(inner, known, scope),
            ExprKind::If(_, yes, no) => self
                .kind(yes, known, scope)
                .or_else(|| self.kind(no, known, scope)),
            ExprKind::Lambda(patterns, body) => {
                let mark = known.len();
                patterns.iter().for_each(|pattern| hide(pattern, known));
                let kind = self.kind(body, known, scope);
                known.truncate(mark);
                kind.map(|n| n + 1)
            }
            ExprKind::Let(decls, body) => {
                let mark = known.len();
                self.let_kinds(decls, known, scope);
                let kind = self.kind(body, known, scope);
                known.truncate(mark);
                kind
            }
            _ => None,
        }
    }

    /// Adds the names of a `let` to `known`, with what they are.
    pub(crate) fn let_kinds(&self, decls: &[Decl], known: &mut LocalKinds, scope: usize) {
        let mark = known.len();
        let mut functions = Vec::new();
        for decl in uses::flattened(decls) {
            match &decl.kind {
                DeclKind::Function(function) => {
                    functions.push((known.len(), function));
                    known.push((function.name.text.clone(), None));
                }
                DeclKind::Let { pattern, .. } => hide(pattern, known),
                DeclKind::Transparent(names) | DeclKind::External(names) => {
                    known.extend(names.iter().map(|name| {
                        let found = builtin::find(&name.text, true);
                        let is_process = found.is_some_and(|b| builtin::entry(b).op.is_process());
                        (name.text.clone(), is_process.then_some(1))
                    }));
                }
                _ => {}
            }
        }
        loop {
            let mut has_changed = false;
            for (place, function) in &functions {
                if known[*place].1.is_none() {
                    let kind = self.clauses_kind(&function.clauses, known, scope);
                    has_changed |= kind.is_some();
                    known[*place].1 = kind;
                }
            }
            if !has_changed {
                debug_assert!(mark <= known.len());
                return;
            }
        }
    }

    fn name_kind(&self, name: &Name, known: &LocalKinds, scope: usize) -> Option<usize> {
        if name.modules.is_empty()
            && let Some((_, kind)) = known.iter().rev().find(|(n, _)| *n == name.text)
        {
            return *kind;
        }
        match self.find(scope, name) {
            Some(Item::Global(id)) => self.kinds[id as usize],
            Some(Item::BuiltIn(which)) => builtin::entry(which).op.is_process().then_some(1),
            Some(Item::Maker(_) | Item::Datatype(_)) => None,
            None => match &*name.text {
                "STOP" | "SKIP" | "DIV" => Some(0),
                "WAIT" => Some(1),
                text => {
                    let found = builtin::find(text, false)?;
                    builtin::entry(found).op.is_process().then_some(1)
                }
            },
        }
    }
}

/// Variables of a pattern hide what was known under their names.
fn hide(pattern: &Pattern, known: &mut LocalKinds) {
    let mut names = Vec::new();
    uses::candidates(pattern, &mut names);
    known.extend(names.iter().map(|name| (name.text.clone(), None)));
}
