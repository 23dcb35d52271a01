//! Names and types of a script: is it well formed, and what is the type of each definition?
//!
//! The type system is that of Hindley and Milner with classes ([`classes`]) and dots ([`dots`]).
//! Declarations are checked in groups that use each other, in the order of use ([`groups`]); the
//! types of a group are generalised when it is done. Definitions inside `let` are generalised only
//! if their types are written down. A group in which a mistake is found is left, and what uses it
//! is not looked at, so that one mistake gives one message.
//!
//! - [`types`], [`unify`], [`dots`], [`classes`]: types and how they are made equal.
//! - [`groups`], [`decls`], [`modules`], [`written`]: declarations.
//! - [`exprs`], [`processes`], [`patterns`]: the walk over expressions.
//! - [`prelude`]: built-in names. [`show`], [`explain`]: types and mistakes in words; [`known`]:
//!   types for others.
//!
//! The rules are laid out in `docs/theory/cspm-types.md`.

pub(crate) mod prelude;
pub(crate) mod show;
pub(crate) mod types;

pub mod known;

mod classes;
mod decls;
mod dots;
mod explain;
mod exprs;
mod groups;
mod modules;
mod patterns;
mod processes;
mod unify;
mod written;

#[cfg(test)]
mod tests;

use crate::ast::{Decl, Script};
use crate::resolve::{DefId, DefKind, ResolvedNames, resolve};
use base::{Diagnostic, Diagnostics, Severity};
use known::{DefinitionKind, Giver, ScriptTypes, TypedDefinition};
use show::Shower;
use std::collections::HashMap;
use types::Ty;
use unify::Unifier;

/// Errors beyond this number are not reported.
const ERRORS_MAX: usize = 30;

/// The types of a script's definitions, or `None` if `found` says what is wrong with it.
pub fn check(script: &Script, found: &mut Diagnostics) -> Option<ScriptTypes> {
    let mut reports = Vec::new();
    let names = resolve(script, &mut reports);
    let mut checker = Checker::new(&names, reports);
    let all: Vec<&Decl> = script.decls.iter().collect();
    let is_good = checker
        .declarations(&all, groups::DeclarationScope::Script)
        .is_ok();
    let has_errors = |all: &[Diagnostic]| all.iter().any(|d| d.severity == Severity::Error);
    if !is_good && !has_errors(&checker.found) {
        // Whoever finds a mistake reports it; this is for mistakes of ours.
        let span = script.decls.first().map(|decl| decl.span);
        let message = "the types of this script cannot be found";
        let error = span.map_or_else(
            || Diagnostic::unlocated(message),
            |span| Diagnostic::error(span, message),
        );
        checker.found.push(error);
    }
    let typed = (!has_errors(&checker.found)).then(|| checker.typed());
    let mut all = checker.found;
    all.sort_by_key(|d| d.labels.first().map(|label| label.span));
    all.dedup();
    let mut n_errors = 0;
    all.retain(|d| {
        n_errors += usize::from(d.severity == Severity::Error);
        d.severity != Severity::Error || n_errors <= ERRORS_MAX
    });
    found.extend(all);
    typed
}

/// What the walk gives, or that an error was reported.
type Checked<T> = Result<T, Reported>;

/// An error was reported.
#[derive(Debug)]
struct Reported;

/// The walk over a script.
struct Checker<'a> {
    names: &'a ResolvedNames<'a>,
    solver: Unifier,
    /// The types of definitions, as far as they are known.
    types_of: Vec<Option<Ty>>,
    /// The types that modules want for their parameters.
    parameters: HashMap<DefId, Vec<Ty>>,
    /// The type variables of annotations.
    rigid: Vec<Option<Ty>>,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn new(names: &'a ResolvedNames<'a>, found: Vec<Diagnostic>) -> Checker<'a> {
        Checker {
            names,
            solver: Unifier::new(),
            types_of: vec![None; names.defs.len()],
            parameters: HashMap::new(),
            rigid: vec![None; names.type_variables.len()],
            found,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.found.push(diagnostic);
        Reported
    }

    /// The type of a definition as it stands, new if nothing is known of it.
    fn own_type(&mut self, def: DefId) -> Ty {
        if let Some(ty) = self.types_of[def.index()] {
            return ty;
        }
        let ty = self.solver.types.fresh();
        self.types_of[def.index()] = Some(ty);
        ty
    }

    /// The table of types, once all is well.
    fn typed(&mut self) -> ScriptTypes {
        let mut definitions = Vec::new();
        for (index, def) in self.names.defs.iter().enumerate() {
            let sort = match def.kind {
                DefKind::Channel => DefinitionKind::Channel,
                DefKind::Constructor(_) => DefinitionKind::Constructor,
                DefKind::Datatype => DefinitionKind::Datatype,
                DefKind::Subtype => DefinitionKind::Subtype,
                DefKind::Nametype => DefinitionKind::Nametype,
                DefKind::Value => DefinitionKind::Value,
                DefKind::BuiltIn(_) | DefKind::Variable | DefKind::Module => continue,
            };
            let (Some(ty), Some(span)) = (self.types_of[index], def.span) else {
                continue;
            };
            let mut shower = Shower::new(&self.names.defs);
            let shown = shower.scheme(&mut self.solver.types, ty);
            let mut giver = Giver {
                types: &mut self.solver.types,
                names: self.names,
                variables: HashMap::new(),
                n_parts: 0,
            };
            definitions.push(TypedDefinition {
                name: def.name.to_string(),
                span,
                sort,
                ty: giver.give(ty, 0),
                shown,
            });
        }
        definitions.sort_by_key(|d| d.span);
        ScriptTypes { definitions }
    }
}
