//! Syntax tree to typed machine: names are looked up, definitions expanded, types found.
//!
//! One pass walks over the texts of all machines that belong together and builds the typed tree,
//! with types that may still be free ([`types`]). What cannot be decided on the way (`-` between
//! numbers or sets, a field of a record that is not known yet) waits ([`waiting`]) until more is
//! known. The last pass ([`finish`]) puts in the types and numbers constants before variables.
//!
//! - [`scope`]: what names mean where. [`instances`]: machines within machines.
//! - [`exprs`], [`operators`], [`preds`], [`substs`]: the walk.
//! - [`settings`]: what definitions ask for. [`temporal`]: formulas over time. [`walk`],
//!   [`writes`]: over typed trees, for the last pass.

mod exprs;
mod finish;
mod instances;
mod operators;
pub(crate) mod preds;
mod scope;
mod settings;
mod substs;
mod temporal;
mod types;
mod waiting;
pub(crate) mod walk;
mod writes;

use crate::ast::{self, Definition, ExprKind, Name};
use crate::project::Project;
use crate::typed::{Expr, LocalId, Machine, Operation, Sort};
use base::{Diagnostic, Diagnostics, Span, quote};
use instances::MachineInstance;
use scope::{Entity, NameScope};
use std::collections::HashMap;
use types::{Ty, Types, redeemed, ticket};
use waiting::PendingQuestion;

/// The deepest nesting once definitions are expanded.
const DEPTH_MAX: usize = 450;
/// The most nodes once definitions are expanded.
const NODES_MAX: usize = 300_000;
/// Errors beyond this number are not reported.
const ERRORS_MAX: usize = 30;

/// The typed machine of a project, or `None` if `found` says why there is none.
pub fn typecheck(project: &Project, found: &mut Diagnostics) -> Option<Machine> {
    of_machine(project, 0, found)
}

/// The typed machine of one of a project, with what it refines beside it.
fn of_machine(project: &Project, index: usize, found: &mut Diagnostics) -> Option<Machine> {
    let refines = match project.machines[index].refines {
        Some(abstraction) => Some(of_machine(project, abstraction, found)?),
        None => None,
    };
    let mut checker = Checker::new(project, found);
    checker.machine(index, refines)
}

/// What the walk gives, or that an error was reported.
type TypeResult<T> = Result<T, Reported>;

/// An error was reported.
#[derive(Debug)]
struct Reported;

/// What a constant or variable is to the machine that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum GlobalRole {
    Constant,
    Variable,
    /// A variable of a machine that is refined, and that the refinement does not keep.
    Abstract,
}

struct Global {
    name: String,
    ty: Ty,
    span: Span,
    role: GlobalRole,
    /// The instance that declares it, and may assign to it.
    owner: usize,
}

struct Local {
    name: String,
    ty: Ty,
    span: Span,
    /// Whether it can be assigned to.
    is_writable: bool,
    /// Whether it is bound by an equation that comes later.
    is_pending: bool,
}

struct Checker<'a, 'd> {
    project: &'a Project,
    types: Types,
    sorts: Vec<Sort>,
    globals: Vec<Global>,
    locals: Vec<Local>,
    operations: Vec<Operation>,
    instances: Vec<MachineInstance<'a>>,
    /// Instances in the order in which they are set up.
    order: Vec<usize>,
    waiting: Vec<PendingQuestion>,
    /// Fields that are asked for: names, and the types of the records.
    fields: Vec<(std::sync::Arc<str>, Ty)>,
    /// Where the definitions that we are inside of are used.
    uses: Vec<Span>,
    /// The instance whose text we are in.
    current: usize,
    depth: usize,
    n_nodes: usize,
    n_errors: usize,
    found: &'d mut Diagnostics,
}

impl<'a, 'd> Checker<'a, 'd> {
    fn new(project: &'a Project, found: &'d mut Diagnostics) -> Checker<'a, 'd> {
        Checker {
            project,
            types: Types::new(),
            sorts: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            operations: Vec::new(),
            instances: Vec::new(),
            order: Vec::new(),
            waiting: Vec::new(),
            fields: Vec::new(),
            uses: Vec::new(),
            current: 0,
            depth: 0,
            n_nodes: 0,
            n_errors: 0,
            found,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Reports an error, and through which definitions the text was reached.
    fn report(&mut self, mut error: Diagnostic) -> Reported {
        self.n_errors += 1;
        if self.n_errors > ERRORS_MAX {
            return Reported;
        }
        for &span in self.uses.iter().rev().take(3) {
            error = error.and(span, "used here");
        }
        if self.n_errors == ERRORS_MAX {
            error = error.note("there are more errors; they are not shown");
        }
        self.found.push(error);
        Reported
    }

    /// Goes one level deeper, if that is allowed.
    fn enter(&mut self, span: Span) -> TypeResult<()> {
        self.n_nodes += 1;
        if self.depth >= DEPTH_MAX {
            let message =
                format!("this is more than {DEPTH_MAX} levels deep once definitions are expanded");
            return Err(self.error(span, message));
        }
        if self.n_nodes > NODES_MAX {
            if self.n_nodes == NODES_MAX + 1 {
                let message = "this machine is too large once its definitions are expanded";
                return Err(self.error(span, message));
            }
            return Err(Reported);
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// What a name stands for.
    fn find(&mut self, name: &Name, scope: &NameScope<'a>) -> TypeResult<Entity<'a>> {
        match self.known(&name.text, scope) {
            Some(entity) => Ok(entity),
            None => Err(self.unknown(name)),
        }
    }

    fn known(&self, name: &str, scope: &NameScope<'a>) -> Option<Entity<'a>> {
        match scope.find(name) {
            Ok(entity) => Some(entity),
            Err(instance) => self.instances[instance].entity(name),
        }
    }

    fn unknown(&mut self, name: &Name) -> Reported {
        let text = &*name.text;
        if let Some(what) = settings::left_out(text) {
            let message = format!("{} is not supported: {what}", quote(text));
            return self.error(name.span, message);
        }
        if self.instances[self.current].operation(text).is_some() {
            let message = format!("{} is an operation and has no value", quote(text));
            return self.error(name.span, message);
        }
        let mut error = Diagnostic::error(name.span, format!("{} is not declared", quote(text)));
        let machine = self.instances[self.current].machine;
        for (file, span) in &self.project.machines[machine].missing {
            let words = format!("{} is not there", quote(file));
            error = error.and(*span, words);
        }
        self.report(error)
    }

    /// If a formula is the use of a definition or of a parameter: what it stands for, and the scope
    /// in which that has its meaning.
    fn unfolded(
        &mut self,
        expr: &'a ast::Expr,
        scope: &NameScope<'a>,
    ) -> TypeResult<Option<Unfolded<'a>>> {
        let (name, arguments): (&Name, &'a [ast::Expr]) = match &expr.kind {
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Apply(function, arguments) => match &function.kind {
                ExprKind::Name(name) => (name, arguments),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        match self.known(&name.text, scope) {
            Some(Entity::Argument(argument, around)) if arguments.is_empty() => {
                Ok(Some(Unfolded::Formula(argument, around)))
            }
            Some(Entity::Definition(definition)) => {
                if definition.parameters.is_empty() && !arguments.is_empty() {
                    // The definition is a function, and this its application.
                    return Ok(None);
                }
                self.used(definition, name, arguments, scope).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The text of a definition that is used.
    fn used(
        &mut self,
        definition: &'a Definition,
        name: &Name,
        arguments: &'a [ast::Expr],
        scope: &NameScope<'a>,
    ) -> TypeResult<Unfolded<'a>> {
        let (wanted, given) = (definition.parameters.len(), arguments.len());
        if wanted != given {
            let message = format!("{} takes {wanted}, not {given}", quote(&name.text));
            let error = Diagnostic::error(name.span, message).saying("arguments");
            return Err(self.report(error.and(definition.name.span, "defined here")));
        }
        if scope.is_inside(definition) {
            let message = format!("the definition {} uses itself", quote(&name.text));
            let error = Diagnostic::error(name.span, message);
            return Err(self.report(error.and(definition.name.span, "defined here")));
        }
        if let Some(what) = self.external(&name.text) {
            let message = format!("{} is not supported: {what}", quote(&name.text));
            return Err(self.error(name.span, message));
        }
        let inside = scope::using(scope, definition, arguments);
        Ok(match &definition.body {
            ast::DefinitionBody::Formula(formula) => Unfolded::Formula(formula, inside),
            ast::DefinitionBody::Subst(subst) => Unfolded::Subst(subst, inside),
        })
    }

    /// Whether a name is declared as what other programs compute.
    fn external(&self, name: &str) -> Option<&'static str> {
        let instance = &self.instances[self.current];
        let kinds = ["FUNCTION", "PREDICATE", "SUBSTITUTION"];
        let declared = kinds.iter().any(|kind| {
            let declaration = format!("EXTERNAL_{kind}_{name}");
            matches!(instance.entity(&declaration), Some(Entity::Definition(_)))
        });
        declared.then_some("it is an external function")
    }

    /// Binds names to fresh types.
    fn bind(
        &mut self,
        names: &[Name],
        is_writable: bool,
        scope: &NameScope<'a>,
    ) -> TypeResult<(Vec<LocalId>, NameScope<'a>)> {
        let mut ids = Vec::new();
        let mut bound: HashMap<_, Entity> = HashMap::new();
        for name in names {
            if scope.is_parameter(&name.text) {
                let message = format!(
                    "{} is a parameter of this definition and cannot be bound in it",
                    quote(&name.text)
                );
                return Err(self.error(name.span, message));
            }
            let id = self.local(name, is_writable);
            if bound.insert(name.text.clone(), Entity::Local(id)).is_some() {
                let message = format!("{} is bound twice", quote(&name.text));
                return Err(self.error(name.span, message));
            }
            ids.push(id);
        }
        Ok((ids, scope::with(scope, bound)))
    }

    /// A bound variable of a type that nothing is known of.
    fn local(&mut self, name: &Name, is_writable: bool) -> LocalId {
        let ty = self.types.free();
        self.locals.push(Local {
            name: name.text.to_string(),
            ty,
            span: name.span,
            is_writable,
            is_pending: false,
        });
        LocalId::new(self.locals.len() - 1)
    }

    fn ty_of_local(&self, id: LocalId) -> Ty {
        self.locals[id.index()].ty
    }

    /// The type of `((x |-> y) |-> z)`.
    fn ty_of_tuple(&mut self, ids: &[LocalId]) -> Ty {
        let mut ty = self.ty_of_local(ids[0]);
        for id in &ids[1..] {
            let next = self.ty_of_local(*id);
            ty = self.types.pair(ty, next);
        }
        ty
    }

    fn ty_of(&self, expr: &Expr) -> Ty {
        redeemed(&expr.ty).expect("types are tickets until the end")
    }

    /// Demands that an expression has a type.
    fn demand(&mut self, expr: &Expr, wanted: Ty) -> TypeResult<()> {
        let given = self.ty_of(expr);
        self.equal(expr.span, wanted, given)
    }

    fn equal(&mut self, span: Span, wanted: Ty, given: Ty) -> TypeResult<()> {
        if self.types.unify(wanted, given) {
            return Ok(());
        }
        let wanted = self.types.show(wanted, &self.sorts);
        let given = self.types.show(given, &self.sorts);
        let error = Diagnostic::error(span, format!("expected {wanted}, found {given}"));
        Err(self.report(error))
    }
}

/// What a name stands for that is only another way to write something.
enum Unfolded<'a> {
    Formula(&'a ast::Expr, NameScope<'a>),
    Subst(&'a ast::Subst, NameScope<'a>),
}

/// An expression whose type is still a ticket.
fn made(kind: crate::typed::ExprKind, ty: Ty, span: Span) -> Expr {
    Expr {
        kind,
        ty: ticket(ty),
        span,
    }
}
