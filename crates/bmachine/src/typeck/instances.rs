//! Machines within machines.
//!
//! A machine becomes an instance each time another includes it, under a prefix if it is renamed;
//! machines that are only seen or used have one instance for all. Sets and constants belong to the
//! machine and are shared by its instances; variables and operations belong to each instance. What
//! an includer sees of an instance is what the instance exports: its sets, constants, variables and
//! operations, and those of what it includes itself.
//!
//! The machine that a refinement refines is an instance too, but an abstract one: parameters and
//! variables of the same name are one, concrete variables stay variables of the refinement, the
//! others exist only in the predicate that glues the two together, and its operations are left to
//! the typed machine that stands beside the refinement.
//!
//! Worked example: `M` includes `a.N` and `b.N`, and `N` has a set `S`, a variable `x` and an
//! operation `inc`. The typed machine has one sort `S`, variables `a.x` and `b.x`, and operations
//! `a.inc` and `b.inc`, which can be taken from outside only if `M` promotes them.

use super::scope::{self, Entity, NameScope};
use super::{Checker, Global, GlobalRole, TypeResult, Types};
use crate::ast::{self, Expr, LinkKind, Name};
use crate::typed::{
    LocalId, Machine, Operation, OperationId, Pred, Sort, SortId, Subst, SubstKind, Type,
};
use base::{Diagnostic, Span, quote};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most copies of machines: prefixes inside prefixes double them.
const INSTANCES_MAX: usize = 1000;

/// A machine at one place of a project.
pub(super) struct MachineInstance<'a> {
    /// Which machine of the project.
    pub(super) machine: usize,
    /// What stands before the names of its variables and operations, with a dot.
    prefix: String,
    /// Whether it is, or belongs to, what is refined.
    is_abstract: bool,
    /// The instance that refines it.
    refiner: Option<usize>,
    /// Whether another machine includes it, so that no third may.
    is_included: bool,
    names: HashMap<Arc<str>, VisibleNames<'a>>,
    /// Operations have names of their own: a variable may have the same.
    operations: HashMap<Arc<str>, CallableOperation>,
    /// Operations of its own text.
    pub(super) own_operations: HashSet<OperationId>,
    /// Those of them under `LOCAL_OPERATIONS`.
    pub(super) local_operations: HashSet<OperationId>,
    /// Whether we are inside one of these.
    pub(super) in_local: bool,
}

struct VisibleNames<'a> {
    entity: Entity<'a>,
    /// Where it is declared, if here.
    span: Option<Span>,
    is_exported: bool,
}

/// An operation that can be called.
struct CallableOperation {
    id: OperationId,
    is_exported: bool,
}

impl<'a> MachineInstance<'a> {
    /// The operation that a name stands for in its text.
    pub(super) fn operation(&self, name: &str) -> Option<OperationId> {
        self.operations.get(name).map(|offered| offered.id)
    }

    /// What a name stands for in its text.
    pub(super) fn entity(&self, name: &str) -> Option<Entity<'a>> {
        self.names.get(name).map(|visible| visible.entity.clone())
    }
}

/// Where a machine stands in a project.
struct ProjectPlace<'a> {
    prefix: String,
    is_abstract: bool,
    refiner: Option<usize>,
    given: Option<MachineArguments<'a>>,
}

/// What a machine is given by the one that includes it.
struct MachineArguments<'a> {
    arguments: &'a [Expr],
    scope: NameScope<'a>,
    span: Span,
}

impl<'a> Checker<'a, '_> {
    /// The instance of a machine with all that belongs to it.
    fn instance(&mut self, machine: usize, place: ProjectPlace<'a>) -> TypeResult<usize> {
        let id = self.instances.len();
        if id >= INSTANCES_MAX {
            let span = self.project.machines[machine].ast.name.span;
            let message = format!("there are too many copies of machines: over {INSTANCES_MAX}");
            return Err(self.error(span, message));
        }
        self.instances.push(MachineInstance {
            machine,
            prefix: place.prefix,
            is_abstract: place.is_abstract,
            refiner: place.refiner,
            is_included: false,
            names: HashMap::new(),
            operations: HashMap::new(),
            own_operations: HashSet::new(),
            local_operations: HashSet::new(),
            in_local: false,
        });
        let project = self.project;
        let loaded = &project.machines[machine];
        let ast = &loaded.ast;
        for i in project.order_of_links(machine) {
            let link = &ast.links[i];
            let other = self.linked(id, link, loaded.links[i])?;
            self.import(id, other, link);
        }
        self.parameters(id, ast, place.given)?;
        self.own_names(id, ast);
        if let Some(refined) = loaded.refines {
            let place = ProjectPlace {
                prefix: String::new(),
                is_abstract: true,
                refiner: Some(id),
                given: None,
            };
            let other = self.instance(refined, place)?;
            self.import_refined(id, other);
        }
        self.promote(id, ast);
        self.order.push(id);
        Ok(id)
    }

    /// The instance that a link leads to.
    fn linked(
        &mut self,
        id: usize,
        link: &'a ast::MachineReference,
        machine: usize,
    ) -> TypeResult<usize> {
        let is_seen = link.kind == LinkKind::Sees;
        if self.project.machines[machine].ast.header != ast::Header::Machine {
            let message = format!(
                "{} is no machine but a refinement",
                quote(&link.machine.text)
            );
            let error = Diagnostic::error(link.machine.span, message);
            return Err(self.report(error.note("the machine that it refines stands for it")));
        }
        let own = match &link.prefix {
            Some(prefix) => format!("{prefix}."),
            None => String::new(),
        };
        let prefix = if is_seen {
            own
        } else {
            format!("{}{own}", self.instances[id].prefix)
        };
        let there = self
            .instances
            .iter()
            .position(|i| i.machine == machine && i.prefix == prefix);
        let is_abstract = self.instances[id].is_abstract;
        if let Some(there) = there {
            let twice = !is_seen && self.instances[there].is_included;
            if (twice || !link.arguments.is_empty()) && !is_abstract {
                let message = format!(
                    "{} belongs to another machine already",
                    quote(&link.machine.text)
                );
                let error = Diagnostic::error(link.machine.span, message);
                let note = "a prefix such as `a.M` makes a copy of its own";
                return Err(self.report(error.note(note)));
            }
            self.instances[there].is_included |= !is_seen;
            return Ok(there);
        }
        let given = (!is_seen).then(|| MachineArguments {
            arguments: &link.arguments,
            scope: scope::of_instance(id),
            span: link.machine.span,
        });
        let place = ProjectPlace {
            prefix,
            is_abstract,
            refiner: None,
            given,
        };
        let there = self.instance(machine, place)?;
        self.instances[there].is_included |= !is_seen;
        Ok(there)
    }

    /// What an instance exports.
    fn exported(&self, id: usize) -> Vec<(Arc<str>, Entity<'a>)> {
        let names = self.instances[id].names.iter();
        names
            .filter(|(_, visible)| visible.is_exported)
            .map(|(name, visible)| (name.clone(), visible.entity.clone()))
            .collect()
    }

    /// Makes visible what another instance exports.
    fn import(&mut self, id: usize, other: usize, link: &ast::MachineReference) {
        let prefixed = |name: &Arc<str>| match &link.prefix {
            Some(prefix) => format!("{prefix}.{name}").into(),
            None => name.clone(),
        };
        for (name, entity) in self.exported(other) {
            let is_per_instance = match entity {
                Entity::Global(id) => self.globals[id].role != GlobalRole::Constant,
                _ => false,
            };
            let name = if is_per_instance {
                prefixed(&name)
            } else {
                name
            };
            let visible = VisibleNames {
                entity,
                span: None,
                is_exported: link.kind != LinkKind::Sees,
            };
            self.instances[id].names.insert(name, visible);
        }
        let operations = self.instances[other].operations.iter();
        let offered: Vec<(Arc<str>, CallableOperation)> = operations
            .filter(|(_, offered)| offered.is_exported)
            .map(|(name, offered)| {
                let is_exported = link.kind == LinkKind::Extends;
                let id = offered.id;
                (prefixed(name), CallableOperation { id, is_exported })
            })
            .collect();
        self.instances[id].operations.extend(offered);
    }

    /// Makes visible what a refinement knows of the machine it refines.
    fn import_refined(&mut self, id: usize, other: usize) {
        for (name, entity) in self.exported(other) {
            let names = &mut self.instances[id].names;
            names.entry(name).or_insert(VisibleNames {
                entity,
                span: None,
                is_exported: true,
            });
        }
    }

    /// Parameters are what the includer gives, or sets and constants that are free.
    fn parameters(
        &mut self,
        id: usize,
        ast: &'a ast::Machine,
        given: Option<MachineArguments<'a>>,
    ) -> TypeResult<()> {
        if let Some(given) = &given
            && given.arguments.len() != ast.parameters.len()
        {
            let message = format!(
                "{} has {} parameters, not {}",
                quote(&ast.name.text),
                ast.parameters.len(),
                given.arguments.len()
            );
            let error = Diagnostic::error(given.span, message);
            return Err(self.report(error.and(ast.name.span, "declared here")));
        }
        let refiner = self.instances[id].refiner;
        for (i, name) in ast.parameters.iter().enumerate() {
            let shared = refiner.and_then(|r| self.instances[r].entity(&name.text));
            let entity = match (&given, shared) {
                (Some(given), _) => Entity::Argument(&given.arguments[i], given.scope.clone()),
                (None, Some(shared)) => shared,
                (None, None) if name.text.starts_with(char::is_uppercase) => {
                    self.carrier(name, None)
                }
                (None, None) => self.global(id, name, GlobalRole::Constant),
            };
            self.declare(id, name, entity, false);
        }
        Ok(())
    }

    fn own_names(&mut self, id: usize, ast: &'a ast::Machine) {
        let machine = self.instances[id].machine;
        let copy = self
            .instances
            .iter()
            .position(|i| i.machine == machine)
            .filter(|first| *first != id);
        for set in &ast.sets {
            let shared = copy.and_then(|c| self.instances[c].entity(&set.name.text));
            let entity = match shared {
                Some(entity) => entity,
                None => self.carrier(&set.name, set.elements.as_deref()),
            };
            if let Entity::Carrier(sort) = entity {
                let elements = set.elements.iter().flatten().enumerate();
                for (i, name) in elements {
                    self.declare(id, name, Entity::Element(sort, i), true);
                }
            }
            self.declare(id, &set.name, entity, true);
        }
        for name in &ast.constants {
            let shared = copy
                .and_then(|c| self.instances[c].entity(&name.text))
                .or_else(|| self.refining(id, name, GlobalRole::Constant));
            let entity = match shared {
                Some(entity) => entity,
                None => self.global(id, name, GlobalRole::Constant),
            };
            self.declare(id, name, entity, true);
        }
        let is_abstract = self.instances[id].is_abstract;
        for name in &ast.variables {
            let entity = match self.refining(id, name, GlobalRole::Variable) {
                Some(entity) => entity,
                // The machine that refines all the others comes first.
                None if is_abstract && ast.concrete.contains(&name.text) => {
                    self.global(0, name, GlobalRole::Variable)
                }
                None if is_abstract => self.global(id, name, GlobalRole::Abstract),
                None => self.global(id, name, GlobalRole::Variable),
            };
            self.declare(id, name, entity, true);
        }
        for definition in &ast.definitions {
            self.declare(id, &definition.name, Entity::Definition(definition), false);
        }
        if !is_abstract {
            for operation in &ast.operations {
                self.operation(id, operation);
            }
        }
    }

    /// For an abstract instance: what the refinement has of the same name.
    fn refining(&self, id: usize, name: &Name, role: GlobalRole) -> Option<Entity<'a>> {
        if !self.instances[id].is_abstract {
            return None;
        }
        let name = format!("{}{}", self.instances[id].prefix, name.text);
        let at = self
            .globals
            .iter()
            .position(|g| g.name == name && g.role == role)?;
        Some(Entity::Global(at))
    }

    fn carrier(&mut self, name: &Name, elements: Option<&[Name]>) -> Entity<'a> {
        self.sorts.push(Sort {
            name: name.text.to_string(),
            elements: elements.map(|all| all.iter().map(|n| n.text.to_string()).collect()),
            span: name.span,
        });
        Entity::Carrier(SortId::new(self.sorts.len() - 1))
    }

    fn global(&mut self, id: usize, name: &Name, role: GlobalRole) -> Entity<'a> {
        let prefix = match role {
            GlobalRole::Constant => "",
            GlobalRole::Variable | GlobalRole::Abstract => &self.instances[id].prefix,
        };
        self.globals.push(Global {
            name: format!("{prefix}{}", name.text),
            ty: self.types.free(),
            span: name.span,
            role,
            owner: id,
        });
        Entity::Global(self.globals.len() - 1)
    }

    fn operation(&mut self, id: usize, ast: &'a ast::Operation) {
        let locals = |checker: &mut Self, names: &[Name], is_writable: bool| -> Vec<LocalId> {
            names
                .iter()
                .map(|name| checker.local(name, is_writable))
                .collect()
        };
        let parameters = locals(self, &ast.parameters, false);
        let results = locals(self, &ast.results, true);
        let number = OperationId::new(self.operations.len());
        self.operations.push(Operation {
            name: format!("{}{}", self.instances[id].prefix, ast.name.text),
            parameters,
            results,
            body: Subst {
                kind: SubstKind::Skip,
                span: ast.name.span,
            },
            is_public: id == 0 && !ast.is_local,
            is_seen: false,
            span: ast.name.span,
        });
        self.instances[id].own_operations.insert(number);
        if ast.is_local {
            self.instances[id].local_operations.insert(number);
        }
        let offered = CallableOperation {
            id: number,
            is_exported: !ast.is_local,
        };
        let operations = &mut self.instances[id].operations;
        let before = operations.insert(ast.name.text.clone(), offered);
        if before.is_some() {
            let message = format!("the operation {} is declared twice", quote(&ast.name.text));
            self.error(ast.name.span, message);
        }
    }

    /// Declares a name of a machine's own text.
    fn declare(&mut self, id: usize, name: &Name, entity: Entity<'a>, is_exported: bool) {
        let visible = VisibleNames {
            entity,
            span: Some(name.span),
            is_exported,
        };
        let before = self.instances[id].names.insert(name.text.clone(), visible);
        if let Some(before) = before {
            let message = format!("{} is declared twice", quote(&name.text));
            let error = Diagnostic::error(name.span, message);
            self.report(match before.span {
                Some(first) => error.and(first, "here first"),
                None => error.note("a machine that belongs to this one declares it, too"),
            });
        }
    }

    /// Operations that are promoted belong to the machine, too.
    fn promote(&mut self, id: usize, ast: &'a ast::Machine) {
        for name in &ast.promotes {
            match self.instances[id].operations.get_mut(&name.text) {
                Some(offered) => offered.is_exported = true,
                None => {
                    let message = format!("{} is no operation that is included", quote(&name.text));
                    self.error(name.span, message);
                }
            }
        }
        if id == 0 {
            for offered in self.instances[id].operations.values() {
                self.operations[offered.id.index()].is_public |= offered.is_exported;
            }
        }
    }

    /// Operations of machines that are seen can be taken, as in ProB: somebody includes such a
    /// machine and calls them. Where that is a machine of the project, it alone takes them.
    fn offer_seen(&mut self) {
        let seen = self.instances.iter().skip(1);
        let seen = seen.filter(|instance| !instance.is_included && !instance.is_abstract);
        let offered = seen.flat_map(|instance| instance.operations.values());
        for offered in offered.filter(|offered| offered.is_exported) {
            let operation = &mut self.operations[offered.id.index()];
            operation.is_seen |= !operation.is_public;
            operation.is_public = true;
        }
    }

    /// The typed machine of one of the project.
    pub(super) fn machine(&mut self, index: usize, refines: Option<Machine>) -> Option<Machine> {
        let place = ProjectPlace {
            prefix: String::new(),
            is_abstract: false,
            refiner: None,
            given: None,
        };
        self.instance(index, place).ok()?;
        self.offer_seen();
        let mut made = WalkedTexts::default();
        if let Some(refined) = &refines {
            self.take_signatures(refined);
        }
        self.properties(&mut made);
        self.invariants(&mut made);
        self.behaviour(&mut made);
        self.answer_all();
        let mut asked = self.settings(0);
        asked
            .settings
            .sizes
            .extend(super::settings::sizes(&made.properties, &self.sorts));
        if index == 0 && self.n_errors == 0 && self.all_have_types() {
            asked.formulas = self.formulas(made.goal.as_ref());
        }
        let machine = self.finished(made, asked, refines)?;
        if self.n_errors > 0 {
            return None;
        }
        self.tell_missing(index);
        Some(machine)
    }

    /// Tells which files of definitions are not there, since the machine does without them.
    fn tell_missing(&mut self, index: usize) {
        for (file, span) in &self.project.machines[index].missing {
            let message = format!("{} is not there; nothing of it is used", quote(file));
            self.found.push(Diagnostic::warning(*span, message));
        }
    }

    /// The operations of a refinement have the types of those they refine.
    fn take_signatures(&mut self, refined: &Machine) {
        for abstraction in &refined.operations {
            let own = self
                .operations
                .iter()
                .find(|o| o.name == abstraction.name && o.is_public);
            let Some(own) = own.filter(|_| abstraction.is_public) else {
                continue;
            };
            let pairs: Vec<(LocalId, LocalId)> = own
                .parameters
                .iter()
                .zip(&abstraction.parameters)
                .chain(own.results.iter().zip(&abstraction.results))
                .map(|(a, b)| (*a, *b))
                .collect();
            for (own, theirs) in pairs {
                let theirs = &refined.locals[theirs.index()].ty;
                if let Some(ty) = self.translated(theirs, refined) {
                    let span = self.locals[own.index()].span;
                    // Ill-typed refinements are reported where the types meet.
                    let _ = self.equal(span, ty, self.ty_of_local(own));
                }
            }
        }
    }

    /// A type of another typed machine among ours: sorts of the same name are the same.
    fn translated(&mut self, ty: &Type, of: &Machine) -> Option<super::Ty> {
        Some(match ty {
            Type::Bool => Types::BOOL,
            Type::Int => Types::INT,
            Type::Text => Types::TEXT,
            Type::Member(sort) => {
                let name = &of.sorts[sort.index()].name;
                let at = self.sorts.iter().position(|s| s.name == *name)?;
                self.types.member(SortId::new(at))
            }
            Type::Pair(a, b) => {
                let (a, b) = (self.translated(a, of)?, self.translated(b, of)?);
                self.types.pair(a, b)
            }
            Type::Set(a) => {
                let a = self.translated(a, of)?;
                self.types.set(a)
            }
            Type::Record(fields) => {
                let fields: Option<Vec<_>> = fields
                    .iter()
                    .map(|(name, ty)| Some((name.clone(), self.translated(ty, of)?)))
                    .collect();
                self.types.record(fields?)
            }
        })
    }

    /// Walks over what constants must satisfy; once for each machine, since constants are shared.
    fn properties(&mut self, made: &mut WalkedTexts) {
        let mut seen = HashSet::new();
        for id in self.order.clone() {
            self.current = id;
            let machine = self.instances[id].machine;
            let ast = &self.project.machines[machine].ast;
            if !seen.insert(machine) && ast.parameters.is_empty() {
                continue;
            }
            let scope = scope::of_instance(id);
            for formula in &ast.properties {
                if let Ok(pred) = self.pred(formula, &scope) {
                    conjuncts(pred, &mut made.properties);
                }
            }
            for (name, value) in &ast.values {
                self.value(name, value, &scope, made);
            }
        }
    }

    /// `x = E` under `VALUES`
    fn value(
        &mut self,
        name: &'a Name,
        value: &'a Expr,
        scope: &NameScope<'a>,
        made: &mut WalkedTexts,
    ) {
        let Ok(entity) = self.find(name, scope) else {
            return;
        };
        let Entity::Global(id) = entity else {
            let message = format!("{} is no constant", quote(&name.text));
            let error = Diagnostic::error(name.span, message);
            self.report(error.note("values of given sets are not supported"));
            return;
        };
        let ty = self.globals[id].ty;
        if let Ok(value) = self.expr_of(value, ty, scope) {
            let kind = crate::typed::ExprKind::Global(crate::typed::GlobalId::new(id));
            let constant = super::made(kind, ty, name.span);
            let equal = crate::typed::Compare::Equal;
            let span = name.span.to(value.span);
            let kind = crate::typed::PredKind::Compare(equal, Box::new(constant), Box::new(value));
            made.properties.push(Pred { kind, span });
        }
    }

    fn invariants(&mut self, made: &mut WalkedTexts) {
        for id in self.order.clone() {
            self.current = id;
            let machine = self.instances[id].machine;
            let scope = scope::of_instance(id);
            for formula in &self.project.machines[machine].ast.invariant {
                if let Ok(pred) = self.pred(formula, &scope) {
                    conjuncts(pred, &mut made.invariant);
                }
            }
        }
    }

    /// Walks over what happens: assertions, initialisations, operations, the goal.
    fn behaviour(&mut self, made: &mut WalkedTexts) {
        for id in self.order.clone() {
            self.current = id;
            if self.instances[id].is_abstract {
                continue;
            }
            let machine = self.instances[id].machine;
            let ast = &self.project.machines[machine].ast;
            let scope = scope::of_instance(id);
            for formula in &ast.assertions {
                if let Ok(pred) = self.pred(formula, &scope)
                    && id == 0
                {
                    made.assertions.push(pred);
                }
            }
            match &ast.initialisation {
                Some(subst) => made.initialisation.extend(self.subst(subst, &scope).ok()),
                None if !ast.variables.is_empty() => {
                    let message = format!("{} has no INITIALISATION", quote(&ast.name.text));
                    let error = Diagnostic::error(ast.name.span, message);
                    let variable = ast.variables[0].span;
                    self.report(error.and(variable, "and this variable"));
                }
                None => {}
            }
            self.bodies(id, ast, &scope);
        }
        self.current = 0;
        made.goal = self.goal(0);
    }

    fn bodies(&mut self, id: usize, ast: &'a ast::Machine, scope: &NameScope<'a>) {
        for operation in &ast.operations {
            let Some(number) = self.instances[id].operation(&operation.name.text) else {
                continue;
            };
            let Operation {
                parameters,
                results,
                ..
            } = self.operations[number.index()].clone();
            let inside = self.with_locals(&operation.parameters, &parameters, scope);
            let inside = self.with_locals(&operation.results, &results, &inside);
            self.instances[id].in_local = operation.is_local;
            if let Ok(body) = self.subst(&operation.body, &inside) {
                self.operations[number.index()].body = body;
            }
        }
    }
}

/// What the walk over all texts has made.
#[derive(Default)]
pub(super) struct WalkedTexts {
    pub(super) properties: Vec<Pred>,
    pub(super) invariant: Vec<Pred>,
    pub(super) assertions: Vec<Pred>,
    pub(super) initialisation: Vec<Subst>,
    pub(super) goal: Option<Pred>,
}

fn conjuncts(pred: Pred, all: &mut Vec<Pred>) {
    match pred.kind {
        crate::typed::PredKind::And(inner) => all.extend(inner),
        crate::typed::PredKind::True => {}
        _ => all.push(pred),
    }
}
