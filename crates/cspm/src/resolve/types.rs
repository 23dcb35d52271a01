//! Names in written types.
//!
//! A name in a type is a built-in type, a datatype, a type variable that is in scope, or else a new
//! type variable. Type variables of an annotation are in scope in what it annotates, so that a type
//! inside can speak of them: in `f :: (a) -> {a}` a local definition may have the type `{a}`.

use super::scope::full;
use super::{DefKind, Resolver, TypeMeaning, TypeVarId};
use crate::ast::{Name, Scheme, Type, TypeKind};
use base::{Diagnostic, quote};
use std::collections::HashMap;

impl<'a> Resolver<'a, '_> {
    /// Looks up the names of a written type; its new variables are in scope until
    /// [`Resolver::close_scheme`].
    pub(super) fn open_scheme(&mut self, scheme: &'a Scheme) {
        let known = self.names.introduced.get(&std::ptr::from_ref(scheme));
        if let Some(known) = known {
            // The type of several names: its variables are the same for each.
            let of = |&id: &TypeVarId| (self.names.type_variables[id.index()].clone(), id);
            let scope = known.iter().map(of).collect();
            self.type_scopes.push(scope);
            self.written(&scheme.body);
            return;
        }
        self.type_scopes.push(HashMap::new());
        self.written(&scheme.body);
        let fresh = self.type_scopes.last().cloned().unwrap_or_default();
        let mut introduced: Vec<TypeVarId> = fresh.values().copied().collect();
        introduced.sort_unstable();
        for (_, variable) in &scheme.constraints {
            if let Some(&id) = fresh.get(&variable.text) {
                let meaning = TypeMeaning::Variable(id);
                self.names.of_type.insert(variable, meaning);
                continue;
            }
            let name = quote(&variable.text);
            let message = if self.type_variable(variable).is_some() {
                format!("{name} belongs to an outer type, and is constrained there")
            } else {
                format!("{name} does not occur in the type")
            };
            self.error(Diagnostic::error(variable.span, message));
        }
        self.names.introduced.insert(scheme, introduced);
    }

    /// Leaves the scope of a written type.
    pub(super) fn close_scheme(&mut self) {
        self.type_scopes.pop();
    }

    fn written(&mut self, ty: &'a Type) {
        match &ty.kind {
            TypeKind::Named(name) | TypeKind::Variable(name) => {
                if let Some(meaning) = self.type_name(name) {
                    self.names.of_type.insert(name, meaning);
                    if let TypeMeaning::Datatype(def) = meaning {
                        self.names.places.push((name.span, def));
                    }
                }
            }
            TypeKind::Function(all, result) => {
                for one in all {
                    self.written(one);
                }
                self.written(result);
            }
            TypeKind::Tuple(all) => {
                for one in all {
                    self.written(one);
                }
            }
            TypeKind::Sequence(inner) | TypeKind::Set(inner) => self.written(inner),
            TypeKind::Map(a, b) | TypeKind::Dot(a, b) | TypeKind::Dotable(a, b) => {
                self.written(a);
                self.written(b);
            }
            TypeKind::Extendable(a, b) => {
                self.written(a);
                self.written(b);
                let name = match &a.kind {
                    TypeKind::Named(name) | TypeKind::Variable(name) => Some(name),
                    _ => None,
                };
                let meaning = name.and_then(|n| self.names.of_type.get(&std::ptr::from_ref(n)));
                if !matches!(meaning, Some(TypeMeaning::Variable(_))) {
                    let message = "only a type variable can stand to the left of `=>*`";
                    self.error(Diagnostic::error(a.span, message));
                }
            }
        }
    }

    fn type_name(&mut self, name: &Name) -> Option<TypeMeaning> {
        if !name.modules.is_empty() {
            let def = self.quiet(name);
            let Some(def) = def else {
                // The report says which part is missing or hidden.
                self.find_value(name);
                return None;
            };
            if self.names.kind(def) == DefKind::Datatype {
                self.used(def);
                return Some(TypeMeaning::Datatype(def));
            }
            let message = format!("{} is not a datatype", quote(&full(name)));
            self.error(Diagnostic::error(name.span, message));
            return None;
        }
        if let Some(id) = self.type_variable(name) {
            return Some(TypeMeaning::Variable(id));
        }
        let frames = self.scopes.iter().rev();
        let mut entries = frames.filter_map(|f| self.names.frames[f.index()].names.get(&name.text));
        let datatype = entries.find(|e| self.names.kind(e.def) == DefKind::Datatype);
        if let Some(def) = datatype.map(|entry| entry.def) {
            self.used(def);
            return Some(TypeMeaning::Datatype(def));
        }
        let built_in = match &*name.text {
            "Int" => Some(TypeMeaning::Int),
            "Bool" => Some(TypeMeaning::Bool),
            "Char" => Some(TypeMeaning::Char),
            "Event" => Some(TypeMeaning::Event),
            "Proc" => Some(TypeMeaning::Proc),
            _ => None,
        };
        if built_in.is_some() {
            return built_in;
        }
        self.names.type_variables.push(name.text.clone());
        let id = TypeVarId::new(self.names.type_variables.len() - 1);
        let scope = self.type_scopes.last_mut()?;
        scope.insert(name.text.clone(), id);
        Some(TypeMeaning::Variable(id))
    }

    fn type_variable(&self, name: &Name) -> Option<TypeVarId> {
        let scopes = self.type_scopes.iter().rev();
        scopes.filter_map(|s| s.get(&name.text)).next().copied()
    }
}
