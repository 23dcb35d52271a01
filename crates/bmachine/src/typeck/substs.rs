//! Substitutions.

use super::scope::{self, Entity, NameScope};
use super::types::Ty;
use super::{Checker, TypeResult, Unfolded};
use crate::ast::{self, ExprKind as Ast, Name, SubstKind as AstSubst};
use crate::typed::{
    AssignedVar, Expr, GlobalId, LocalId, OperationId, Pred, Selector, Subst, SubstKind, Target,
};
use base::{Diagnostic, Span, quote};
use std::collections::HashMap;

impl<'a> Checker<'a, '_> {
    /// A substitution.
    pub(super) fn subst(
        &mut self,
        subst: &'a ast::Subst,
        scope: &NameScope<'a>,
    ) -> TypeResult<Subst> {
        self.enter(subst.span)?;
        let kind = self.subst_inside(subst, scope);
        self.leave();
        let span = subst.span;
        Ok(Subst { kind: kind?, span })
    }

    fn subst_inside(
        &mut self,
        subst: &'a ast::Subst,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        match &subst.kind {
            AstSubst::Skip => Ok(SubstKind::Skip),
            AstSubst::Assign(targets, values) => self.assign(targets, values, subst.span, scope),
            AstSubst::BecomesElement(targets, set) => self.becomes_element(targets, set, scope),
            AstSubst::BecomesSuch(targets, predicate) => {
                self.becomes_such(targets, predicate, scope)
            }
            AstSubst::Parallel(all) => Ok(SubstKind::Parallel(self.substs(all, scope)?)),
            AstSubst::Sequence(all) => Ok(SubstKind::Sequence(self.substs(all, scope)?)),
            AstSubst::Choice(all) => Ok(SubstKind::Choice(self.substs(all, scope)?)),
            AstSubst::Pre(condition, body) => {
                let (condition, body) = self.branch(condition, body, scope)?;
                Ok(SubstKind::Pre(condition, Box::new(body)))
            }
            AstSubst::Assert(condition, body) => {
                let (condition, body) = self.branch(condition, body, scope)?;
                Ok(SubstKind::Assert(condition, Box::new(body)))
            }
            AstSubst::Select(branches, otherwise) => {
                let branches = self.branches(branches, scope)?;
                Ok(SubstKind::Select(
                    branches,
                    self.otherwise(otherwise, scope)?,
                ))
            }
            AstSubst::If(branches, otherwise) => {
                let branches = self.branches(branches, scope)?;
                Ok(SubstKind::If(branches, self.otherwise(otherwise, scope)?))
            }
            AstSubst::Any(names, condition, body) => {
                let (ids, inside) = self.bind(names, false, scope)?;
                let (condition, body) = self.branch(condition, body, &inside)?;
                Ok(SubstKind::Any(ids, condition, Box::new(body)))
            }
            AstSubst::Let(names, equations, body) => {
                let (equations, inside) = self.equations(names, equations, scope)?;
                let body = self.subst(body, &inside)?;
                Ok(SubstKind::Let(equations, Box::new(body)))
            }
            AstSubst::Var(names, body) => {
                let (ids, inside) = self.bind(names, true, scope)?;
                let body = self.subst(body, &inside)?;
                Ok(SubstKind::Var(ids, Box::new(body)))
            }
            AstSubst::Case(chosen, branches, otherwise) => {
                self.case(chosen, branches, otherwise, scope)
            }
            AstSubst::While(parts, body) => self.while_loop(parts, body, scope),
            AstSubst::Call {
                results,
                name,
                arguments,
            } => self.call_subst(results, name, arguments, scope),
        }
    }

    /// Each of them, so that all mistakes are found.
    fn substs(&mut self, all: &'a [ast::Subst], scope: &NameScope<'a>) -> TypeResult<Vec<Subst>> {
        let all: Vec<TypeResult<Subst>> = all.iter().map(|s| self.subst(s, scope)).collect();
        all.into_iter().collect()
    }

    fn branch(
        &mut self,
        condition: &'a ast::Expr,
        body: &'a ast::Subst,
        scope: &NameScope<'a>,
    ) -> TypeResult<(Pred, Subst)> {
        let (condition, body) = (self.pred(condition, scope), self.subst(body, scope));
        Ok((condition?, body?))
    }

    fn branches(
        &mut self,
        branches: &'a [ast::Branch],
        scope: &NameScope<'a>,
    ) -> TypeResult<Vec<(Pred, Subst)>> {
        let all: Vec<TypeResult<(Pred, Subst)>> = branches
            .iter()
            .map(|(condition, body)| self.branch(condition, body, scope))
            .collect();
        all.into_iter().collect()
    }

    fn otherwise(
        &mut self,
        otherwise: &'a Option<Box<ast::Subst>>,
        scope: &NameScope<'a>,
    ) -> TypeResult<Option<Box<Subst>>> {
        match otherwise {
            Some(body) => Ok(Some(Box::new(self.subst(body, scope)?))),
            None => Ok(None),
        }
    }

    fn case(
        &mut self,
        chosen: &'a ast::Expr,
        branches: &'a [(Vec<ast::Expr>, ast::Subst)],
        otherwise: &'a Option<Box<ast::Subst>>,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        let chosen = self.expr(chosen, scope)?;
        let ty = self.ty_of(&chosen);
        let mut made = Vec::new();
        for (values, body) in branches {
            let values: TypeResult<Vec<Expr>> =
                values.iter().map(|v| self.expr_of(v, ty, scope)).collect();
            made.push((values?, self.subst(body, scope)?));
        }
        Ok(SubstKind::Case(
            chosen,
            made,
            self.otherwise(otherwise, scope)?,
        ))
    }

    fn while_loop(
        &mut self,
        parts: &'a [ast::Expr; 3],
        body: &'a ast::Subst,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        let (condition, body) = self.branch(&parts[0], body, scope)?;
        let invariant = self.pred(&parts[1], scope)?;
        let variant = self.expr_of(&parts[2], super::Types::INT, scope)?;
        Ok(SubstKind::While {
            condition,
            body: Box::new(body),
            invariant,
            variant,
        })
    }

    fn assign(
        &mut self,
        targets: &'a [ast::Expr],
        values: &'a [ast::Expr],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        if targets.len() != values.len() {
            let message = format!(
                "{} variables are assigned to, and {} values given",
                targets.len(),
                values.len()
            );
            return Err(self.error(span, message));
        }
        let mut made = (Vec::new(), Vec::new());
        for (target, value) in targets.iter().zip(values) {
            let (target, ty) = self.target(target, scope)?;
            made.0.push(target);
            made.1.push(self.expr_of(value, ty, scope)?);
        }
        Ok(SubstKind::Assign(made.0, made.1))
    }

    fn becomes_element(
        &mut self,
        targets: &'a [ast::Expr],
        set: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        let mut made = Vec::new();
        let mut whole: Option<Ty> = None;
        for target in targets {
            let (target, ty) = self.target(target, scope)?;
            made.push(target);
            whole = Some(match whole {
                Some(before) => self.types.pair(before, ty),
                None => ty,
            });
        }
        let of = whole.expect("at least one target");
        let wanted = self.types.set(of);
        let set = self.expr_of(set, wanted, scope)?;
        Ok(SubstKind::BecomesElement(made, set))
    }

    /// `x, y : (P)`: in `P`, `x` is the new value and `x$0` the old one.
    fn becomes_such(
        &mut self,
        targets: &'a [ast::Expr],
        predicate: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        let (mut vars, mut ids) = (Vec::new(), Vec::new());
        let mut names: HashMap<_, Entity> = HashMap::new();
        for target in targets {
            let (place, ty) = self.target(target, scope)?;
            let name = match &target.kind {
                Ast::Name(name) if place.path.is_empty() => name,
                _ => {
                    let message = "only whole variables can be given a value by a predicate";
                    return Err(self.error(target.span, message));
                }
            };
            let id = self.local(name, false);
            self.equal(target.span, ty, self.ty_of_local(id))?;
            let old = match place.var {
                AssignedVar::Global(id) => Entity::Global(id.index()),
                AssignedVar::Local(id) => Entity::Local(id),
            };
            names.insert(format!("{}$0", name.text).into(), old);
            if names.insert(name.text.clone(), Entity::Local(id)).is_some() {
                let message = format!("{} is assigned to twice", quote(&name.text));
                return Err(self.error(target.span, message));
            }
            vars.push(place.var);
            ids.push(id);
        }
        let inside = scope::with(scope, names);
        let predicate = self.pred(predicate, &inside)?;
        Ok(SubstKind::BecomesSuch(vars, ids, predicate))
    }

    /// What is assigned to: `x`, `f(a)(b)`, `r'a`; and the type of what is put there.
    fn target(&mut self, expr: &'a ast::Expr, scope: &NameScope<'a>) -> TypeResult<(Target, Ty)> {
        self.enter(expr.span)?;
        let made = self.target_inside(expr, scope);
        self.leave();
        made
    }

    fn target_inside(
        &mut self,
        expr: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<(Target, Ty)> {
        if let Some(unfolded) = self.unfolded(expr, scope)? {
            let Unfolded::Formula(formula, inside) = unfolded else {
                return Err(self.no_variable(expr.span));
            };
            self.uses.push(expr.span);
            let made = self.target(formula, &inside);
            self.uses.pop();
            return made;
        }
        match &expr.kind {
            Ast::Name(name) => {
                let (var, ty) = self.variable(name, scope)?;
                let path = Vec::new();
                let span = expr.span;
                Ok((Target { var, path, span }, ty))
            }
            Ast::Apply(function, arguments) => {
                let (mut target, of) = self.target(function, scope)?;
                let argument = self.tuple(arguments, scope)?;
                let (from, to) = (self.ty_of(&argument), self.types.free());
                let wanted = self.types.relation(from, to);
                self.equal(function.span, wanted, of)?;
                target.path.push(Selector::At(argument));
                target.span = expr.span;
                Ok((target, to))
            }
            Ast::Field(record, name) => {
                let (mut target, of) = self.target(record, scope)?;
                let ty = self.types.free();
                let field = self.ask_field(of, name, ty)?;
                target.path.push(Selector::Field(field));
                target.span = expr.span;
                Ok((target, ty))
            }
            _ => Err(self.no_variable(expr.span)),
        }
    }

    fn no_variable(&mut self, span: Span) -> super::Reported {
        self.error(
            span,
            "this is no variable, and nothing can be assigned to it",
        )
    }

    fn variable(&mut self, name: &Name, scope: &NameScope<'a>) -> TypeResult<(AssignedVar, Ty)> {
        let what = match self.find(name, scope)? {
            Entity::Global(id) => {
                let global = &self.globals[id];
                let is_own = global.owner == self.current;
                match global.role {
                    super::GlobalRole::Variable if is_own => {
                        return Ok((AssignedVar::Global(GlobalId::new(id)), global.ty));
                    }
                    super::GlobalRole::Variable => "a variable of another machine",
                    super::GlobalRole::Constant => "a constant",
                    super::GlobalRole::Abstract => "a variable of the machine that is refined",
                }
            }
            Entity::Local(id) => {
                if self.locals[id.index()].is_writable {
                    return Ok((AssignedVar::Local(id), self.ty_of_local(id)));
                }
                "neither a result nor a local variable"
            }
            Entity::Element(..) => "an element of a set",
            Entity::Carrier(_) => "a given set",
            Entity::Definition(_) | Entity::Argument(..) => "no variable",
        };
        let message = format!("{} is {what}; it cannot be assigned to", quote(&name.text));
        Err(self.error(name.span, message))
    }

    /// `r <-- op(E)`, `op(E)`, or a definition that stands for a substitution
    fn call_subst(
        &mut self,
        results: &'a [ast::Expr],
        name: &'a Name,
        arguments: &'a [ast::Expr],
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        match self.known(&name.text, scope) {
            Some(Entity::Definition(definition)) if results.is_empty() => {
                let used = self.used(definition, name, arguments, scope)?;
                self.uses.push(name.span);
                let made = self.unfolded_subst(used, name.span);
                self.uses.pop();
                return made;
            }
            Some(Entity::Argument(argument, around))
                if results.is_empty() && arguments.is_empty() =>
            {
                return self.unfolded_subst(Unfolded::Formula(argument, around), name.span);
            }
            _ => {}
        }
        match self.instances[self.current].operation(&name.text) {
            Some(id) => self.call_operation(id, results, arguments, name, scope),
            None => {
                // A name that stands for nothing at all is reported as such.
                self.find(name, scope)?;
                let message = format!("{} is no operation", quote(&name.text));
                Err(self.error(name.span, message))
            }
        }
    }

    fn unfolded_subst(&mut self, unfolded: Unfolded<'a>, span: Span) -> TypeResult<SubstKind> {
        let (formula, inside) = match unfolded {
            Unfolded::Subst(subst, inside) => return Ok(self.subst(subst, &inside)?.kind),
            Unfolded::Formula(formula, inside) => (formula, inside),
        };
        // `D == op(x)` was read as a formula, and is a call.
        let (name, arguments): (&'a Name, &'a [ast::Expr]) = match &formula.kind {
            Ast::Name(name) => (name, &[]),
            Ast::Apply(function, arguments) => match &function.kind {
                Ast::Name(name) => (name, arguments),
                _ => return Err(self.no_substitution(span)),
            },
            _ => return Err(self.no_substitution(span)),
        };
        self.enter(span)?;
        let made = self.call_subst(&[], name, arguments, &inside);
        self.leave();
        made
    }

    fn no_substitution(&mut self, span: Span) -> super::Reported {
        self.error(
            span,
            "a substitution is expected here, and this is a formula",
        )
    }

    fn call_operation(
        &mut self,
        id: OperationId,
        results: &'a [ast::Expr],
        arguments: &'a [ast::Expr],
        name: &Name,
        scope: &NameScope<'a>,
    ) -> TypeResult<SubstKind> {
        self.callable(id, name)?;
        let operation = &self.operations[id.index()];
        let (parameters, outs) = (operation.parameters.clone(), operation.results.clone());
        let declared = operation.span;
        let counts = [
            ("arguments", parameters.len(), arguments.len()),
            ("results", outs.len(), results.len()),
        ];
        for (what, wanted, given) in counts {
            if wanted != given {
                let message = format!("{} has {wanted} {what}, not {given}", quote(&name.text));
                let error = Diagnostic::error(name.span, message);
                return Err(self.report(error.and(declared, "declared here")));
            }
        }
        let mut given = Vec::new();
        for (argument, id) in arguments.iter().zip(&parameters) {
            let ty = self.ty_of_local(*id);
            given.push(self.expr_of(argument, ty, scope)?);
        }
        let mut places = Vec::new();
        for (result, id) in results.iter().zip(&outs) {
            let (target, ty) = self.target(result, scope)?;
            let of: Ty = self.ty_of_local(*id);
            self.equal(result.span, ty, of)?;
            places.push(target);
        }
        Ok(SubstKind::Call {
            operation: id,
            arguments: given,
            results: places,
        })
    }

    /// Operations of other machines and local ones can be called; so nothing calls itself.
    fn callable(&mut self, id: OperationId, name: &Name) -> TypeResult<()> {
        let current = &self.instances[self.current];
        let is_own = current.own_operations.contains(&id);
        let is_local = current.local_operations.contains(&id);
        let from_local = current.in_local;
        if is_own && (!is_local || from_local) {
            let message = format!("{} is an operation of the same machine", quote(&name.text));
            let error = Diagnostic::error(name.span, message);
            let note = "operations call those of other machines, and those under LOCAL_OPERATIONS";
            return Err(self.report(error.note(note)));
        }
        Ok(())
    }

    /// Makes parameters or results of an operation known inside it.
    pub(super) fn with_locals(
        &mut self,
        names: &'a [Name],
        ids: &[LocalId],
        scope: &NameScope<'a>,
    ) -> NameScope<'a> {
        let mut bound: HashMap<_, Entity> = HashMap::new();
        for (name, id) in names.iter().zip(ids) {
            if bound
                .insert(name.text.clone(), Entity::Local(*id))
                .is_some()
            {
                let message = format!("{} is declared twice", quote(&name.text));
                self.error(name.span, message);
            }
        }
        scope::with(scope, bound)
    }
}
