//! The last pass: types are put in, constants are numbered before variables, and what types alone
//! decide is decided.
//!
//! Worked example: `x - {a}` was kept as a subtraction of numbers with the ticket of its type; the
//! type turned out to be `POW(S)`, so the operator becomes the difference of sets.

use super::instances::WalkedTexts;
use super::settings::MachineDemands;
use super::types::{Ty, Types, redeemed};
use super::walk::{walk_expr, walk_pred, walk_subst};
use super::writes::Writes;
use super::{Checker, GlobalRole};
use crate::typed::{
    AssignedVar, Atom, AtomKind, Binary, CallPattern, Expr, ExprKind, Global, GlobalId, Local,
    Machine, OperationId, Pred, Selector, Subst, SubstKind, Target, Type,
};
use base::{Diagnostic, Span, quote};
use std::collections::HashSet;
use std::sync::Arc;

impl Checker<'_, '_> {
    /// The typed machine, if every name has a type.
    pub(super) fn finished(
        &mut self,
        mut made: WalkedTexts,
        mut asked: MachineDemands,
        refines: Option<Machine>,
    ) -> Option<Machine> {
        if self.n_errors > 0 || !self.all_have_types() {
            return None;
        }
        let mut order: Vec<usize> = (0..self.globals.len()).collect();
        order.sort_by_key(|&i| self.globals[i].role);
        let mut numbers = vec![0; order.len()];
        for (number, &i) in order.iter().enumerate() {
            numbers[i] = number;
        }
        let finisher = Finisher {
            types: &self.types,
            numbers: &numbers,
            fields: &self.fields,
        };
        for list in [
            &mut made.properties,
            &mut made.invariant,
            &mut made.assertions,
        ] {
            list.iter_mut().for_each(|pred| finisher.pred(pred));
        }
        made.goal.iter_mut().for_each(|pred| finisher.pred(pred));
        let atoms = asked.formulas.iter_mut().flat_map(|f| &mut f.atoms);
        atoms.for_each(|atom| finisher.atom(atom));
        made.initialisation
            .iter_mut()
            .for_each(|subst| finisher.subst(subst));
        for operation in &mut self.operations {
            finisher.subst(&mut operation.body);
        }
        let globals: Vec<Global> = order.iter().map(|&i| self.declared(i)).collect();
        let of_role = |role: GlobalRole| self.globals.iter().filter(|g| g.role == role).count();
        let (n_constants, n_abstract) =
            (of_role(GlobalRole::Constant), of_role(GlobalRole::Abstract));
        let first_abstract = globals.len() - n_abstract;
        let (gluing, invariant) = made
            .invariant
            .into_iter()
            .partition(|pred| mentions_from(pred, first_abstract));
        let ast = &self.project.machines[self.instances[0].machine].ast;
        let name = ast.name.clone();
        let machine = Machine {
            name: name.text.to_string(),
            span: name.span,
            sorts: std::mem::take(&mut self.sorts),
            globals,
            n_constants,
            n_abstract,
            locals: self.locals.iter().map(|local| self.bound(local)).collect(),
            properties: made.properties,
            invariant,
            gluing,
            assertions: made.assertions,
            initialisation: joined(made.initialisation, name.span),
            operations: std::mem::take(&mut self.operations),
            goal: made.goal,
            formulas: asked.formulas,
            settings: asked.settings,
            refines: refines.map(Box::new),
        };
        self.writes_once(&machine);
        self.starts_all(&machine);
        Some(machine)
    }

    fn declared(&self, i: usize) -> Global {
        let global = &self.globals[i];
        Global {
            name: global.name.clone(),
            ty: self.types.resolved(global.ty),
            span: global.span,
        }
    }

    fn bound(&self, local: &super::Local) -> Local {
        Local {
            name: local.name.clone(),
            ty: self.types.resolved(local.ty),
            span: local.span,
        }
    }

    /// Reports names whose type nothing tells.
    pub(super) fn all_have_types(&mut self) -> bool {
        if !self.types.all_are_small() {
            let machine = self.instances[0].machine;
            let span = self.project.machines[machine].ast.name.span;
            self.error(
                span,
                "the types of this machine are too large to be written down",
            );
            return false;
        }
        let globals = self.globals.iter().map(|g| (g.name.clone(), g.ty, g.span));
        let locals = self.locals.iter().map(|l| (l.name.clone(), l.ty, l.span));
        let open: Vec<(String, Ty, Span)> = globals
            .chain(locals)
            .filter(|(_, ty, _)| !self.types.is_whole(*ty))
            .collect();
        let mut seen = HashSet::new();
        for (name, ty, span) in open {
            if !seen.insert(span) {
                continue;
            }
            let shown = self.types.show(ty, &self.sorts);
            let mut error = Diagnostic::error(span, format!("{} has no type", quote(&name)));
            if shown != "_" {
                error = error.note(format!("what is known is {shown}, where `_` is open"));
            }
            let note = format!("a predicate such as `{name} : S` tells it");
            self.report(error.note(note));
        }
        self.n_errors == 0
    }

    /// Reports variables that the initialisation does not assign to.
    fn starts_all(&mut self, machine: &Machine) {
        let started = Writes::new(machine).by(&machine.initialisation);
        let variables = machine.n_constants..machine.globals.len() - machine.n_abstract;
        for i in variables {
            if !started.contains(&AssignedVar::Global(GlobalId::new(i))) {
                let global = &machine.globals[i];
                let message = format!("{} has no value at the start", quote(&global.name));
                let error = Diagnostic::error(global.span, message);
                let start = machine.initialisation.span;
                let is_near = start.source == global.span.source;
                self.report(if is_near {
                    error.and(start, "this does not assign to it")
                } else {
                    error
                });
            }
        }
    }

    /// Reports variables that parallel substitutions both assign to.
    fn writes_once(&mut self, machine: &Machine) {
        let allowed = "SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS";
        let mut others = machine.settings.others.iter();
        if others.any(|(name, text, _)| name == allowed && text == "TRUE") {
            return;
        }
        let mut writes = Writes::new(machine);
        for i in 0..machine.operations.len() {
            writes.by_operation(OperationId::new(i));
        }
        writes.by(&machine.initialisation);
        for (var, span) in writes.clashes {
            let name = match var {
                AssignedVar::Global(id) => &machine.globals[id.index()].name,
                AssignedVar::Local(id) => &machine.locals[id.index()].name,
            };
            let message = format!("{} is assigned to by another branch, too", quote(name));
            let error = Diagnostic::error(span, message);
            self.report(error.note("what happens in parallel assigns to different variables"));
        }
    }
}

/// Substitutions one after the other.
fn joined(mut all: Vec<Subst>, span: Span) -> Subst {
    match all.len() {
        0 => Subst {
            kind: SubstKind::Skip,
            span,
        },
        1 => all.swap_remove(0),
        _ => Subst {
            kind: SubstKind::Sequence(all),
            span,
        },
    }
}

/// Whether a predicate mentions a global from that number on.
fn mentions_from(pred: &Pred, first: usize) -> bool {
    let mut mentions = false;
    let mut pred = pred.clone();
    each_global(&mut pred, &mut |id| mentions |= id.index() >= first);
    mentions
}

/// Calls back for every mention of a constant or variable.
fn each_global(pred: &mut Pred, found: &mut dyn FnMut(GlobalId)) {
    walk_pred(pred, &mut |expr| {
        if let ExprKind::Global(id) = expr.kind {
            found(id);
        }
    });
}

struct Finisher<'a> {
    types: &'a Types,
    /// The new numbers of constants and variables.
    numbers: &'a [usize],
    fields: &'a [(Arc<str>, Ty)],
}

impl Finisher<'_> {
    fn pred(&self, pred: &mut Pred) {
        walk_pred(pred, &mut |expr| self.expr(expr));
    }

    fn atom(&self, atom: &mut Atom) {
        let calls: &mut [CallPattern] = match &mut atom.kind {
            AtomKind::Pred(pred) => return self.pred(pred),
            AtomKind::Dead | AtomKind::Sink => return,
            AtomKind::Enabled(call) | AtomKind::Came(call) => std::slice::from_mut(call),
            AtomKind::Count(_, calls) => calls,
        };
        for argument in calls.iter_mut().flat_map(|call| &mut call.arguments) {
            walk_expr(argument, &mut |expr| self.expr(expr));
        }
    }

    fn subst(&self, subst: &mut Subst) {
        walk_subst(subst, &mut |expr| self.expr(expr), &mut |target| {
            self.target(target)
        });
    }

    /// An expression whose operands are finished.
    fn expr(&self, expr: &mut Expr) {
        if let Some(ty) = redeemed(&expr.ty) {
            expr.ty = self.types.resolved(ty);
        }
        match &mut expr.kind {
            ExprKind::Global(id) => *id = self.number(*id),
            ExprKind::Binary(operator @ Binary::Subtract, left, _) if is_set(left) => {
                *operator = Binary::Difference;
            }
            ExprKind::Binary(operator @ Binary::Multiply, left, _) if is_set(left) => {
                *operator = Binary::Product;
            }
            ExprKind::Field(_, field) => *field = self.field(*field),
            _ => {}
        }
    }

    fn number(&self, id: GlobalId) -> GlobalId {
        GlobalId::new(self.numbers[id.index()])
    }

    /// Which field of its record's type.
    fn field(&self, asked: usize) -> usize {
        let (name, record) = &self.fields[asked];
        match self.types.resolved(*record) {
            Type::Record(fields) => fields.iter().position(|(n, _)| n == name).unwrap_or(0),
            _ => 0,
        }
    }

    fn target(&self, target: &mut Target) {
        self.var(&mut target.var);
        for step in &mut target.path {
            if let Selector::Field(field) = step {
                *field = self.field(*field);
            }
        }
    }

    fn var(&self, var: &mut AssignedVar) {
        if let AssignedVar::Global(id) = var {
            *id = self.number(*id);
        }
    }
}

fn is_set(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Set(_))
}
