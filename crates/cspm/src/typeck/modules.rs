//! Modules with parameters, and their instances.
//!
//! A module with parameters is checked once, with unknown types for its parameters; what is not
//! settled inside stays open, even in the types of its channels. An instance takes one copy of all
//! types of the module, with the same new variables throughout, and its own copies of the
//! datatypes; then the arguments say what is open.
//!
//! Worked example: `module M(X) exports channel c : X endmodule` gives `X : {a}` and
//! `c : a => Event`; `instance I = M({0})` makes `a` a number, so `I::c : Int => Event`.

use super::decls::{count, given};
use super::groups::DeclarationScope;
use super::types::{Ty, TypeClass};
use super::{Checked, Checker, Reported};
use crate::ast::{Decl, DeclKind, Expr, Module};
use crate::resolve::{DefId, DefKind};
use base::{Diagnostic, quote};
use std::collections::HashMap;

impl<'a> Checker<'a> {
    /// Checks a module; the declarations of one without parameters stand in the list around it.
    pub(super) fn module(&mut self, module: &'a Module) -> Checked<()> {
        let def = self.names.def(&module.name).ok_or(Reported)?;
        if module.parameters.is_empty() {
            self.parameters.insert(def, Vec::new());
            return Ok(());
        }
        self.parameter_types(module)?;
        let all = module.private.iter().chain(&module.exports);
        let all: Vec<&'a Decl> = all.collect();
        self.declarations(&all, DeclarationScope::Module)?;
        let parameters = self.parameter_types(module)?;
        self.parameters.insert(def, parameters);
        Ok(())
    }

    fn parameter_types(&mut self, module: &'a Module) -> Checked<Vec<Ty>> {
        let mut all = Vec::new();
        for pattern in &module.parameters {
            let ty = self.pattern(pattern)?;
            all.push(self.evaluated(pattern.span, ty)?);
        }
        Ok(all)
    }

    /// Checks the arguments of an instance and finds the types of its names.
    pub(super) fn instance(
        &mut self,
        decl: &'a Decl,
        arguments: &'a [Expr],
        scope: DeclarationScope,
    ) -> Checked<()> {
        debug_assert!(matches!(decl.kind, DeclKind::Instance { .. }), "{scope:?}");
        let names = self.names;
        let instance = names.instances.get(&std::ptr::from_ref(decl));
        let instance = instance.ok_or(Reported)?;
        let wanted = self.parameters.get(&instance.of).cloned();
        let wanted = wanted.ok_or(Reported)?;
        if wanted.len() != arguments.len() {
            let module = quote(self.names.name(instance.of));
            let (n, m) = (count(wanted.len(), "parameter"), given(arguments.len()));
            let message = format!("the module {module} has {n}, and {m}");
            let mut error = Diagnostic::error(decl.span, message);
            if let Some(span) = self.names.defs[instance.of.index()].span {
                error = error.and(span, "the module");
            }
            return Err(self.report(error));
        }
        let mut replaced = HashMap::new();
        for (argument, ty) in arguments.iter().zip(wanted) {
            let ty = self.copied(decl, ty, &mut replaced, &HashMap::new())?;
            self.expect(argument, ty, "what the module wants here")?;
        }
        let is_datatype = |&&(old, _): &&(DefId, DefId)| names.kind(old) == DefKind::Datatype;
        let datatypes: HashMap<DefId, DefId> = instance
            .copies
            .iter()
            .filter(is_datatype)
            .copied()
            .collect();
        for &(old, new) in &instance.copies {
            if let Some(all) = self.parameters.get(&old).cloned() {
                let all: Checked<Vec<Ty>> = all
                    .into_iter()
                    .map(|ty| self.copied(decl, ty, &mut replaced, &datatypes))
                    .collect();
                self.parameters.insert(new, all?);
            }
            if names.kind(old) == DefKind::Module {
                continue;
            }
            let ty = self.types_of[old.index()].ok_or(Reported)?;
            let ty = self.copied(decl, ty, &mut replaced, &datatypes)?;
            let own = self.own_type(new);
            self.equal(decl.span, own, ty, "")?;
        }
        if let DeclKind::Instance { name, .. } = &decl.kind
            && let Some(def) = names.def(name)
        {
            self.parameters.insert(def, Vec::new());
        }
        self.compare_copies(&instance.copies);
        Ok(())
    }

    fn copied(
        &mut self,
        decl: &Decl,
        ty: Ty,
        replaced: &mut HashMap<super::types::Var, Ty>,
        datatypes: &HashMap<DefId, DefId>,
    ) -> Checked<Ty> {
        let copy = self.solver.types.instantiate(ty, replaced, datatypes);
        copy.map_err(|_| self.too_large(decl.span))
    }

    /// Values of a copied datatype can be compared if those of its fields can.
    fn compare_copies(&mut self, copies: &[(DefId, DefId)]) {
        let kind = |def| self.names.kind(def);
        let mut open: Vec<DefId> = copies.iter().map(|&(_, new)| new).collect();
        let constructors: Vec<(DefId, DefId)> = open
            .iter()
            .filter_map(|&def| match kind(def) {
                DefKind::Constructor(of) => Some((of, def)),
                _ => None,
            })
            .collect();
        open.retain(|&def| kind(def) == DefKind::Datatype);
        self.solver.comparable.extend(&open);
        // One that cannot be compared may spoil others, so all are asked again.
        loop {
            let n_open = open.len();
            open.retain(|&datatype| {
                let own = constructors.iter().filter(|(of, _)| *of == datatype);
                let own: Vec<DefId> = own.map(|&(_, def)| def).collect();
                let is_good = own.iter().all(|&def| self.fields_are_comparable(def));
                if !is_good {
                    self.solver.comparable.remove(&datatype);
                }
                is_good
            });
            if open.len() == n_open {
                return;
            }
        }
    }

    fn fields_are_comparable(&mut self, constructor: DefId) -> bool {
        let ty = self.own_type(constructor);
        let (fields, _) = self.solver.types.parts(ty);
        let outer = self.solver.types.mark();
        self.solver.refuel();
        let mut fields = fields.into_iter();
        let is_good = fields.all(|ty| self.solver.require(TypeClass::Eq, ty).is_ok());
        self.solver.types.release(outer, !is_good);
        is_good
    }
}
