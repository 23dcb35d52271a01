//! What a model uses anywhere, claims and formulas included: some of it changes every state.
//!
//! SPIN decides by the text, so a `_last` in a claim that is not checked still makes states
//! distinct.

use crate::ast::Ask;
use crate::typed::{
    Expr, ExprKind, Initial, Pattern, Predefined, ProcessId, Receive, Sequence, Stmt, StmtKind,
    Target, Typed, Variable, access_operands, operands,
};
use std::rc::Rc;

/// What was found.
#[derive(Default)]
pub(super) struct ModelUses {
    /// `_last`
    pub last: bool,
    /// Priorities, in any form.
    pub priorities: bool,
    /// `_nr_pr`
    pub n_processes: bool,
    /// The labels that `p@l` asks for.
    pub labels: Vec<(ProcessId, Rc<str>)>,
}

/// Looks at the whole model.
pub(super) fn uses(typed: &Typed) -> ModelUses {
    let mut uses = ModelUses::default();
    let records = typed.records.iter().flat_map(|r| &r.fields);
    for variable in typed.variables.iter().chain(records) {
        visit_variable(variable, &mut |e| uses.look(e));
    }
    for process in &typed.processes {
        uses.priorities |= process.priority.is_some();
        if let Some(provided) = &process.provided {
            visit_expr(provided, &mut |e| uses.look(e));
        }
        visit_sequence(&process.body, &mut |node| match node {
            Visited::Expr(expr) => uses.look(expr),
            Visited::Stmt(statement) => {
                uses.priorities |= matches!(
                    statement.kind,
                    StmtKind::SetPriority(..) | StmtKind::Assign(Target::Priority, _)
                );
            }
        });
    }
    for formula in &typed.formulas {
        visit_expr(&formula.formula, &mut |e| uses.look(e));
    }
    uses
}

impl ModelUses {
    fn look(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Predefined(Predefined::Last) => self.last = true,
            ExprKind::Predefined(Predefined::NProcesses) => self.n_processes = true,
            ExprKind::Predefined(Predefined::Priority) => self.priorities = true,
            ExprKind::Run(_, _, Some(_)) | ExprKind::Ask(Ask::Priority, _) => {
                self.priorities = true;
            }
            ExprKind::RemoteLabel(process, _, label) => {
                self.labels.push((*process, label.text.clone()));
            }
            _ => {}
        }
    }
}

/// A part of a body.
pub(super) enum Visited<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
}

/// Calls `look` on every statement and expression, outer before inner.
pub(super) fn visit_sequence(sequence: &Sequence, look: &mut dyn FnMut(Visited)) {
    for statement in &sequence.statements {
        visit_statement(statement, look);
    }
}

fn visit_statement(statement: &Stmt, look: &mut dyn FnMut(Visited)) {
    look(Visited::Stmt(statement));
    let mut see = |e: &Expr| visit_expr(e, &mut |e| look(Visited::Expr(e)));
    match &statement.kind {
        StmtKind::Unless(main, escape) => {
            visit_statement(main, look);
            visit_statement(escape, look);
        }
        StmtKind::Assign(target, value) => {
            visit_target(target, &mut see);
            see(value);
        }
        StmtKind::SetPriority(a, b) => {
            see(a);
            see(b);
        }
        StmtKind::Print(_, values) => values.iter().for_each(see),
        StmtKind::PrintName(value) | StmtKind::Assert(value) | StmtKind::Condition(value) => {
            see(value);
        }
        StmtKind::Send(send) => {
            access_operands(&send.channel, &mut see);
            send.fields.iter().for_each(see);
        }
        StmtKind::Receive(receive) => visit_receive(receive, &mut see),
        StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
            visit_sequence(inner, look);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            for option in options {
                visit_sequence(option, look);
            }
        }
        StmtKind::For(_, low, high, inner) => {
            see(low);
            see(high);
            visit_sequence(inner, look);
        }
        StmtKind::ForArray(_, _, inner) => visit_sequence(inner, look),
        StmtKind::ForChannel(_, channel, inner) => {
            access_operands(channel, &mut see);
            visit_sequence(inner, look);
        }
        StmtKind::Select(_, _, low, high) => {
            see(low);
            see(high);
        }
        StmtKind::Initialise(_)
        | StmtKind::Exclusive(..)
        | StmtKind::Else
        | StmtKind::Break
        | StmtKind::Goto(..) => {}
    }
}

fn visit_variable(variable: &Variable, look: &mut dyn FnMut(&Expr)) {
    if let Initial::Value(value) = &variable.initial {
        visit_expr(value, look);
    }
}

fn visit_target(target: &Target, look: &mut dyn FnMut(&Expr)) {
    if let Target::Access(access) = target {
        access_operands(access, look);
    }
}

fn visit_receive(receive: &Receive, look: &mut dyn FnMut(&Expr)) {
    access_operands(&receive.channel, look);
    for field in &receive.fields {
        match field {
            Pattern::Store(target) => visit_target(target, look),
            Pattern::Match(value) => look(value),
        }
    }
}

/// Calls `look` on an expression and all inside it.
pub(super) fn visit_expr(expr: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(expr);
    operands(expr, &mut |inner| visit_expr(inner, look));
}
