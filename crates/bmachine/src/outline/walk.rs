//! The walk over the trees of one machine: what is bound is a scope, and names are looked up.

use super::{MachineNames, body_of};
use crate::ast::{
    Definition, DefinitionBody, Expr, ExprKind, Machine, Name, Operation, Subst, SubstKind,
};
use crate::temporal::{FormulaTree, StateFormula};
use base::Span;
use model::outline::{OutlineBuilder, Symbol, SymbolId, SymbolKind};
use std::collections::HashMap;
use std::sync::Arc;

/// What is bound.
pub(super) type Scope = HashMap<Arc<str>, SymbolId>;

pub(super) struct Walk<'w> {
    pub(super) builder: &'w mut OutlineBuilder,
    pub(super) names: &'w MachineNames,
}

impl Walk<'_> {
    /// All clauses.
    pub(super) fn machine(&mut self, machine: &Machine) {
        let scope = Scope::new();
        for link in &machine.links {
            self.exprs(&link.arguments, &scope);
        }
        for name in &machine.promotes {
            self.operation_name(name);
        }
        let parts = [&machine.properties, &machine.invariant, &machine.assertions];
        for part in parts {
            self.exprs(part, &scope);
        }
        for (name, value) in &machine.values {
            self.name(name, &scope);
            self.expr(value, &scope);
        }
        if let Some(start) = &machine.initialisation {
            self.subst(start, &scope);
        }
        for operation in &machine.operations {
            self.operation(operation);
        }
        for definition in &machine.definitions {
            self.definition(definition);
        }
    }

    fn operation(&mut self, operation: &Operation) {
        let Some(&id) = self.names.operations.get(&operation.name.text) else {
            return;
        };
        let whole = self.builder.symbol(id).whole;
        let whole = if whole.source == operation.name.span.source {
            whole
        } else {
            operation.body.span
        };
        let names = operation.results.iter().chain(&operation.parameters);
        let names: Vec<&Name> = names.collect();
        let scope = self.bound(&names, whole, SymbolKind::Parameter, &Scope::new());
        self.subst(&operation.body, &scope);
    }

    fn definition(&mut self, definition: &Definition) {
        let whole = definition.name.span.to(body_of(definition));
        let names: Vec<&Name> = definition.parameters.iter().collect();
        let scope = self.bound(&names, whole, SymbolKind::Parameter, &Scope::new());
        match &definition.body {
            DefinitionBody::Formula(formula) => self.expr(formula, &scope),
            DefinitionBody::Subst(subst) => self.subst(subst, &scope),
        }
    }

    /// The scope in which these names are bound, too.
    fn bound(&mut self, names: &[&Name], whole: Span, kind: SymbolKind, around: &Scope) -> Scope {
        let mut scope = around.clone();
        for name in names {
            let id = self.builder.declare(Symbol {
                name: name.text.to_string(),
                kind,
                span: name.span,
                whole: name.span,
                parent: None,
                scope: Some(whole),
                about: String::new(),
            });
            scope.insert(name.text.clone(), id);
        }
        scope
    }

    fn binds(&mut self, names: &[Name], whole: Span, around: &Scope) -> Scope {
        let names: Vec<&Name> = names.iter().collect();
        self.bound(&names, whole, SymbolKind::Variable, around)
    }

    fn name(&mut self, name: &Name, scope: &Scope) {
        let found = scope.get(&name.text);
        if let Some(&id) = found.or_else(|| self.names.values.get(&name.text)) {
            self.builder.refer(name.span, id);
        }
    }

    fn operation_name(&mut self, name: &Name) {
        if let Some(&id) = self.names.operations.get(&name.text) {
            self.builder.refer(name.span, id);
        }
    }

    fn exprs(&mut self, all: &[Expr], scope: &Scope) {
        all.iter().for_each(|expr| self.expr(expr, scope));
    }

    fn expr(&mut self, expr: &Expr, scope: &Scope) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Big(_) | ExprKind::Text(_) | ExprKind::Word(_) => {}
            ExprKind::Name(name) | ExprKind::Old(name) => self.name(name, scope),
            ExprKind::Call(_, all)
            | ExprKind::And(all)
            | ExprKind::Or(all)
            | ExprKind::Tuple(all)
            | ExprKind::Set(all)
            | ExprKind::Seq(all) => self.exprs(all, scope),
            ExprKind::Infix(_, a, b) | ExprKind::Image(a, b) => {
                self.expr(a, scope);
                self.expr(b, scope);
            }
            ExprKind::Not(a) | ExprKind::Minus(a) | ExprKind::Inverse(a) => self.expr(a, scope),
            ExprKind::Field(record, _) => self.expr(record, scope),
            ExprKind::Apply(function, arguments) => {
                self.expr(function, scope);
                self.exprs(arguments, scope);
            }
            ExprKind::Comprehension(names, body) | ExprKind::Quantified(_, names, body) => {
                let scope = self.binds(names, expr.span, scope);
                self.expr(body, &scope);
            }
            ExprKind::Collected(names, parts)
            | ExprKind::Over(_, names, parts)
            | ExprKind::Let(names, parts) => {
                let scope = self.binds(names, expr.span, scope);
                self.exprs(&parts[..], &scope);
            }
            ExprKind::Record(_, fields) => {
                fields.iter().for_each(|(_, value)| self.expr(value, scope));
            }
            ExprKind::If(parts) => self.exprs(&parts[..], scope),
        }
    }

    fn substs(&mut self, all: &[Subst], scope: &Scope) {
        all.iter().for_each(|subst| self.subst(subst, scope));
    }

    fn branches(&mut self, all: &[(Expr, Subst)], last: Option<&Subst>, scope: &Scope) {
        for (condition, then) in all {
            self.expr(condition, scope);
            self.subst(then, scope);
        }
        last.iter().for_each(|subst| self.subst(subst, scope));
    }

    fn subst(&mut self, subst: &Subst, scope: &Scope) {
        match &subst.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(to, values) => {
                self.exprs(to, scope);
                self.exprs(values, scope);
            }
            SubstKind::BecomesElement(to, value) | SubstKind::BecomesSuch(to, value) => {
                self.exprs(to, scope);
                self.expr(value, scope);
            }
            SubstKind::Parallel(all) | SubstKind::Sequence(all) | SubstKind::Choice(all) => {
                self.substs(all, scope);
            }
            SubstKind::Pre(condition, then) | SubstKind::Assert(condition, then) => {
                self.expr(condition, scope);
                self.subst(then, scope);
            }
            SubstKind::Select(branches, last) | SubstKind::If(branches, last) => {
                self.branches(branches, last.as_deref(), scope);
            }
            SubstKind::Any(names, condition, then) | SubstKind::Let(names, condition, then) => {
                let scope = self.binds(names, subst.span, scope);
                self.expr(condition, &scope);
                self.subst(then, &scope);
            }
            SubstKind::Var(names, then) => {
                let scope = self.binds(names, subst.span, scope);
                self.subst(then, &scope);
            }
            SubstKind::Case(value, branches, last) => {
                self.expr(value, scope);
                for (values, then) in branches {
                    self.exprs(values, scope);
                    self.subst(then, scope);
                }
                last.iter().for_each(|subst| self.subst(subst, scope));
            }
            SubstKind::While(parts, body) => {
                self.exprs(&parts[..], scope);
                self.subst(body, scope);
            }
            SubstKind::Call {
                results,
                name,
                arguments,
            } => {
                self.exprs(results, scope);
                self.called(name, scope);
                self.exprs(arguments, scope);
            }
        }
    }

    /// An operation, or else a definition.
    fn called(&mut self, name: &Name, scope: &Scope) {
        if self.names.operations.contains_key(&name.text) {
            self.operation_name(name);
        } else {
            self.name(name, scope);
        }
    }

    /// A formula of temporal logic.
    pub(super) fn formula(&mut self, tree: &FormulaTree, scope: &Scope) {
        match tree {
            FormulaTree::Constant(_) => {}
            FormulaTree::Leaf(leaf, _) => self.leaf(leaf, scope),
            FormulaTree::Not(a) | FormulaTree::Unary(_, _, a) => self.formula(a, scope),
            FormulaTree::And(a, b)
            | FormulaTree::Or(a, b)
            | FormulaTree::Implies(a, b)
            | FormulaTree::Iff(a, b)
            | FormulaTree::Binary(_, _, a, b) => {
                self.formula(a, scope);
                self.formula(b, scope);
            }
            FormulaTree::ByStep(step, a, _) => {
                self.step(step, scope);
                self.formula(a, scope);
            }
            FormulaTree::Quantified(_, name, a) => {
                let scope = self.bound(&[name], name.span, SymbolKind::Variable, scope);
                self.formula(a, &scope);
            }
        }
    }

    fn leaf(&mut self, leaf: &StateFormula, scope: &Scope) {
        match leaf {
            StateFormula::Pred(pred) => self.expr(pred, scope),
            StateFormula::Enabled(step) | StateFormula::Next(step) => self.step(step, scope),
            StateFormula::Count(_, steps) => steps.iter().for_each(|step| self.step(step, scope)),
            StateFormula::Fair(_, Some(step)) => self.step(step, scope),
            StateFormula::Fair(_, None)
            | StateFormula::Dead
            | StateFormula::Sink
            | StateFormula::Goal => {}
        }
    }

    /// An operation with or without arguments, or several.
    fn step(&mut self, step: &Expr, scope: &Scope) {
        match &step.kind {
            ExprKind::Name(name) => self.called(name, scope),
            ExprKind::Apply(function, arguments) => {
                self.step(function, scope);
                self.exprs(arguments, scope);
            }
            ExprKind::Or(all) | ExprKind::And(all) => {
                all.iter().for_each(|step| self.step(step, scope));
            }
            ExprKind::Not(a) => self.step(a, scope),
            ExprKind::Infix(_, a, b) => {
                self.step(a, scope);
                self.step(b, scope);
            }
            _ => self.expr(step, scope),
        }
    }
}
