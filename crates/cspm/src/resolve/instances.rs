//! Instances: a module's names once more, as names of the instance.
//!
//! `instance I = M(1)` gives every definition of `M`, private ones and those of modules inside
//! included, a copy. Instances inside `M` are made first, whatever the order of the text; one that
//! is met while it is being made contains itself and has no end.
//!
//! Worked example: `module A(x) exports instance J = B(x) endmodule` and the same with `A` and `B`
//! swapped. Making `J` copies `B`, which has an instance of `A` inside, which has `J` inside: `J`
//! is being made, and is reported.

use super::declare::last_part;
use super::scope::FrameId;
use super::{DefId, DefKind, InstanceParts, Module, Resolver};
use crate::ast::{Decl, DeclKind, Name};
use base::{Diagnostic, quote};
use std::collections::HashMap;
use std::sync::Arc;

/// The most definitions that instances of a script may have in all.
const COPIES_MAX: usize = 1 << 20;
/// The deepest nesting of instances in modules.
const NESTING_MAX: usize = 64;

/// An instance that is not made yet.
pub(super) struct PendingInstance<'a> {
    decl: &'a Decl,
    scopes: Vec<FrameId>,
    path: Vec<Arc<str>>,
    is_under_way: bool,
}

impl<'a> PendingInstance<'a> {
    pub(super) fn new(
        decl: &'a Decl,
        scopes: Vec<FrameId>,
        path: Vec<Arc<str>>,
    ) -> PendingInstance<'a> {
        PendingInstance {
            decl,
            scopes,
            path,
            is_under_way: false,
        }
    }
}

impl<'a> Resolver<'a, '_> {
    /// Makes the instances of a list, and those in its modules.
    pub(super) fn make_instances(&mut self, decls: &'a [Decl]) {
        for decl in decls {
            match &decl.kind {
                DeclKind::Instance { name, .. } => {
                    if let Some(def) = self.names.def(name) {
                        self.make(def);
                    }
                }
                DeclKind::Module(module) => {
                    self.make_instances(&module.private);
                    self.make_instances(&module.exports);
                }
                DeclKind::Timed { decls, .. } => self.make_instances(decls),
                _ => {}
            }
        }
    }

    /// Makes one instance, if it is not made; what it needs is made first.
    fn make(&mut self, def: DefId) {
        let Some(waiting) = self.waiting.get_mut(&def) else {
            return;
        };
        let decl = waiting.decl;
        let DeclKind::Instance { of, .. } = &decl.kind else {
            return;
        };
        if std::mem::replace(&mut waiting.is_under_way, true) {
            let name = quote(self.names.name(def));
            let message = format!("the instance {name} contains itself");
            self.error(Diagnostic::error(decl.span, message).note("it would have no end"));
            self.waiting.remove(&def);
            return;
        }
        let scopes = std::mem::replace(&mut self.scopes, waiting.scopes.clone());
        let path = std::mem::replace(&mut self.path, waiting.path.clone());
        self.make_along(of);
        let target = self.find_module(of);
        if let Some(target) = target {
            let mut copies = Vec::new();
            self.path.push(last_part(self.names.name(def)));
            self.copy(target, def, &mut copies);
            self.path.pop();
            if let Some(made) = self.names.modules.get_mut(&def) {
                made.is_parametrised = false;
            }
            self.point_to_copies(&copies);
            let instance = InstanceParts { of: target, copies };
            self.names.instances.insert(decl, instance);
        }
        self.scopes = scopes;
        self.path = path;
        self.waiting.remove(&def);
    }

    /// Makes the instances that the parts of a name may lead through, in every scope that has its
    /// first part.
    fn make_along(&mut self, name: &Name) {
        let mut parts = name.modules.iter().chain(std::iter::once(&name.text));
        let Some(first) = parts.next() else { return };
        let frames = self.scopes.iter().rev();
        let starts = frames.filter_map(|f| self.names.frames[f.index()].names.get(first));
        let starts: Vec<DefId> = starts.map(|entry| entry.def).collect();
        for start in starts {
            let mut at = start;
            self.make(at);
            for part in parts.clone() {
                let module = self.names.modules.get(&at);
                let frame = module.map(|m| &self.names.frames[m.frame.index()]);
                let next = frame.and_then(|f| f.names.get(part)).map(|entry| entry.def);
                let Some(next) = next else { break };
                self.make(next);
                at = next;
            }
        }
    }

    /// Copies the names of module `old` into a module of the name `new`.
    fn copy(&mut self, old: DefId, new: DefId, copies: &mut Vec<(DefId, DefId)>) {
        self.make(old);
        let Some(module) = self.names.modules.get(&old).cloned() else {
            return;
        };
        let frame = self.new_frame();
        let known = Module {
            frame,
            is_parametrised: module.is_parametrised,
        };
        self.names.modules.insert(new, known);
        if self.path.len() > NESTING_MAX || self.names.defs.len() > COPIES_MAX {
            let span = self.names.defs[new.index()].span;
            let message = "instances are nested too deeply, or have too many names";
            if let Some(span) = span {
                self.error(Diagnostic::error(span, message));
            }
            return;
        }
        let members = &self.names.frames[module.frame.index()].names;
        let mut members: Vec<_> = members.iter().map(|(n, e)| (n.clone(), *e)).collect();
        members.sort_by_key(|(_, entry)| entry.def);
        for (name, entry) in members {
            let def = self.names.defs[entry.def.index()].clone();
            if let DefKind::BuiltIn(_) = def.kind {
                self.put(frame, name, entry.def, entry.visibility);
                continue;
            }
            let copy = self.new_def(name.clone(), def.span, def.kind);
            copies.push((entry.def, copy));
            self.put(frame, name.clone(), copy, entry.visibility);
            if def.kind == DefKind::Module {
                self.path.push(name);
                self.copy(entry.def, copy, copies);
                self.path.pop();
            }
        }
    }

    /// Constructors of copied datatypes belong to the copies.
    fn point_to_copies(&mut self, copies: &[(DefId, DefId)]) {
        let map: HashMap<DefId, DefId> = copies.iter().copied().collect();
        for &(_, copy) in copies {
            if let DefKind::Constructor(of) = &mut self.names.defs[copy.index()].kind
                && let Some(&new) = map.get(of)
            {
                *of = new;
            }
        }
    }
}
