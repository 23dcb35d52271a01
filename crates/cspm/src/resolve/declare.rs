//! The first rounds over a list of declarations: names into scopes.

use super::scope::{FrameId, Visibility};
use super::{DefId, DefKind, Module, Resolver, instances};
use crate::ast::{Datatype, Decl, DeclKind, Name, Pattern, PatternKind, Scheme};
use crate::typeck::prelude::{self, BuiltinScope};
use base::{Diagnostic, quote};
use std::sync::Arc;

impl<'a> Resolver<'a, '_> {
    /// All rounds over the declarations of one scope, which is `frame` and entered already.
    pub(super) fn list(&mut self, decls: &'a [Decl], frame: FrameId) {
        self.labels(decls, frame, Visibility::Public);
        self.others(decls, frame, Visibility::Public);
        self.make_instances(decls);
        let all: Vec<&'a Decl> = decls.iter().collect();
        self.annotations(&all);
        self.right_hand_sides(decls);
    }

    /// Modules, instances, datatypes, constructors and channels.
    fn labels(&mut self, decls: &'a [Decl], frame: FrameId, who: Visibility) {
        for decl in decls {
            match &decl.kind {
                DeclKind::Channel { names, .. } => {
                    for name in names {
                        self.declare(frame, name, DefKind::Channel, who);
                    }
                }
                DeclKind::Datatype(datatype) => self.datatype(datatype, frame, who),
                DeclKind::Module(module) => {
                    self.declare(frame, &module.name, DefKind::Module, who);
                    let Some(def) = self.names.def(&module.name) else {
                        continue;
                    };
                    let inner = self.new_frame();
                    let is_parametrised = !module.parameters.is_empty();
                    let known = Module {
                        frame: inner,
                        is_parametrised,
                    };
                    self.names.modules.insert(def, known);
                    self.within(&module.name, Some(inner), |this| {
                        this.labels(&module.private, inner, Visibility::Private);
                        this.labels(&module.exports, inner, Visibility::Public);
                    });
                }
                DeclKind::Instance { name, .. } => {
                    self.declare(frame, name, DefKind::Module, who);
                    if let Some(def) = self.names.def(name) {
                        let path = self.path.clone();
                        let waiting =
                            instances::PendingInstance::new(decl, self.scopes.clone(), path);
                        self.waiting.insert(def, waiting);
                    }
                }
                DeclKind::Timed { decls, .. } => self.labels(decls, frame, who),
                _ => {}
            }
        }
    }

    fn datatype(&mut self, datatype: &'a Datatype, frame: FrameId, who: Visibility) {
        self.declare(frame, &datatype.name, DefKind::Datatype, who);
        let first = self.names.frames[frame.index()]
            .names
            .get(&datatype.name.text);
        let first = first.map(|entry| entry.def);
        // The constructors of one that is declared twice are declared all the same.
        let Some(def) = self.names.def(&datatype.name).or(first) else {
            return;
        };
        for (name, _) in &datatype.constructors {
            self.declare(frame, name, DefKind::Constructor(def), who);
        }
    }

    /// Everything that has no label.
    fn others(&mut self, decls: &'a [Decl], frame: FrameId, who: Visibility) {
        for decl in decls {
            match &decl.kind {
                DeclKind::Function(function) => {
                    self.declare(frame, &function.name, DefKind::Value, who);
                }
                DeclKind::Let { pattern, .. } => {
                    self.pattern(pattern, frame, DefKind::Value, who);
                }
                DeclKind::Subtype(subtype) => {
                    self.declare(frame, &subtype.name, DefKind::Subtype, who);
                }
                DeclKind::Nametype { name, .. } => {
                    self.declare(frame, name, DefKind::Nametype, who);
                }
                DeclKind::Transparent(names) => self.imports(names, frame, who, true),
                DeclKind::External(names) => self.imports(names, frame, who, false),
                DeclKind::Module(module) => {
                    let known = self.names.def(&module.name);
                    let Some(inner) = known.and_then(|def| self.names.modules.get(&def)) else {
                        continue;
                    };
                    let inner = inner.frame;
                    self.within(&module.name, Some(inner), |this| {
                        this.others(&module.private, inner, Visibility::Private);
                        this.others(&module.exports, inner, Visibility::Public);
                    });
                }
                DeclKind::Timed { decls, .. } => self.others(decls, frame, who),
                _ => {}
            }
        }
    }

    /// `transparent` and `external` names: built-in functions that are seen only when asked for.
    fn imports(&mut self, names: &'a [Name], frame: FrameId, who: Visibility, transparent: bool) {
        for name in names {
            let wanted = |place: BuiltinScope| match place {
                BuiltinScope::Either => true,
                BuiltinScope::Transparent => transparent,
                BuiltinScope::External => !transparent,
                BuiltinScope::Everywhere | BuiltinScope::Timed => false,
            };
            let mut all = prelude::ALL.iter().enumerate();
            let entry = all.find(|(_, e)| e.name == &*name.text && wanted(e.place));
            let Some((index, _)) = entry else {
                self.unknown_import(name, transparent);
                continue;
            };
            let kind = DefKind::BuiltIn(index);
            let there = self.names.frames[frame.index()].names.get(&name.text);
            match there.map(|entry| entry.def) {
                // Asked for twice, perhaps in two files: the same function.
                Some(def) if self.names.kind(def) == kind => {
                    self.names.stand(name, def);
                }
                _ => self.declare(frame, name, kind, who),
            }
        }
    }

    fn unknown_import(&mut self, name: &Name, transparent: bool) {
        let (word, other) = if transparent {
            ("transparent", "external")
        } else {
            ("external", "transparent")
        };
        let message = format!("no {word} function is called {}", quote(&name.text));
        let mut error = Diagnostic::error(name.span, message);
        let mut all = prelude::ALL.iter();
        let known = all.find(|entry| entry.name == &*name.text);
        error = match known.map(|entry| entry.place) {
            Some(BuiltinScope::Everywhere) => error.note("it is known without being asked for"),
            Some(BuiltinScope::Timed) => error.note("it is known in `Timed` sections"),
            Some(_) => error.note(format!("it is {other}: write `{other} {}`", name.text)),
            None => {
                let wanted = if transparent {
                    [BuiltinScope::Transparent, BuiltinScope::Either]
                } else {
                    [BuiltinScope::External, BuiltinScope::Either]
                };
                let there = prelude::ALL.iter().filter(|e| wanted.contains(&e.place));
                let there: Vec<&str> = there.map(|entry| entry.name).collect();
                error.note(format!("there are {}", there.join(", ")))
            }
        };
        self.error(error);
    }

    /// Declares the new names of a pattern in `frame`; labels stand for themselves.
    pub(super) fn pattern(
        &mut self,
        pattern: &'a Pattern,
        frame: FrameId,
        kind: DefKind,
        who: Visibility,
    ) {
        match &pattern.kind {
            PatternKind::Name(name) => self.pattern_name(name, frame, kind, who),
            PatternKind::Any
            | PatternKind::Number(_)
            | PatternKind::Bool(_)
            | PatternKind::Char(_)
            | PatternKind::Text(_) => {}
            PatternKind::Tuple(all) | PatternKind::Sequence(all) | PatternKind::Set(all) => {
                for inner in all {
                    self.pattern(inner, frame, kind, who);
                }
            }
            PatternKind::Concat(a, b) | PatternKind::Dot(a, b) | PatternKind::Both(a, b) => {
                self.pattern(a, frame, kind, who);
                self.pattern(b, frame, kind, who);
            }
        }
    }

    pub(super) fn pattern_name(
        &mut self,
        name: &'a Name,
        frame: FrameId,
        kind: DefKind,
        who: Visibility,
    ) {
        if kind == DefKind::Value && !name.modules.is_empty() {
            // Nothing new, and perhaps of an instance that is not made yet: looked up later.
            return;
        }
        let known = self.quiet(name);
        let label = known.filter(|&def| {
            let kind = self.names.kind(def);
            matches!(kind, DefKind::Channel | DefKind::Constructor(_))
        });
        if let Some(label) = label {
            self.names.stand(name, label);
            self.used(label);
            return;
        }
        if name.modules.is_empty() {
            if matches!(&*name.text, "True" | "False") {
                let message = format!("{} is a new variable here, and fits all", quote(&name.text));
                let warning = Diagnostic::warning(name.span, message);
                let note = format!("the value is `{}`", name.text.to_lowercase());
                self.error(warning.note(note));
            }
            self.declare(frame, name, kind, who);
            return;
        }
        if known.is_some() {
            let whole = quote(&super::scope::full(name));
            let message = format!("{whole} is neither a constructor nor a channel");
            let error = Diagnostic::error(name.span, message);
            self.error(error.note("in a pattern, a name with a module before it has to be one"));
        } else {
            self.find_value(name);
        }
    }

    /// Does something inside a module.
    pub(super) fn within(
        &mut self,
        name: &Name,
        frame: Option<FrameId>,
        inside: impl FnOnce(&mut Self),
    ) {
        let n_scopes = self.scopes.len();
        self.path.push(name.text.clone());
        self.scopes.extend(frame);
        inside(self);
        self.scopes.truncate(n_scopes);
        self.path.pop();
    }

    /// Written types, each beside what it is the type of.
    pub(super) fn annotations(&mut self, decls: &[&'a Decl]) {
        let mut declared: Vec<DefId> = Vec::new();
        let mut all = Vec::new();
        for &decl in decls {
            flatten(decl, &mut all);
        }
        for decl in &all {
            declared.extend(bound(self, decl));
        }
        declared.sort_unstable();
        for decl in &all {
            if let DeclKind::Annotation { names, scheme } = &decl.kind {
                for name in names {
                    self.annotation(name, scheme, &declared);
                }
            }
        }
        // The parser has handed these their types: one for all channels of a declaration.
        for decl in &all {
            let (names, scheme) = match &decl.kind {
                DeclKind::Channel { names, scheme, .. } => (&names[..], scheme),
                DeclKind::Nametype { name, scheme, .. } => (std::slice::from_ref(name), scheme),
                _ => continue,
            };
            for name in names {
                if let (Some(scheme), Some(def)) = (scheme, self.names.def(name)) {
                    self.names.annotations.insert(def, scheme);
                }
            }
        }
    }

    fn annotation(&mut self, name: &'a Name, scheme: &'a Scheme, declared: &[DefId]) {
        let def = self.quiet(name);
        let Some(def) = def.filter(|def| declared.binary_search(def).is_ok()) else {
            let message = format!("{} has a type, but no definition here", quote(&name.text));
            self.error(Diagnostic::error(name.span, message));
            return;
        };
        self.names.stand(name, def);
        if let Some(first) = self.names.annotations.insert(def, scheme) {
            let message = format!("{} has two types", quote(&name.text));
            let error = Diagnostic::error(name.span, message);
            self.error(error.and(first.span, "the first one"));
        }
    }
}

/// A declaration with those of timed sections.
fn flatten<'a>(decl: &'a Decl, out: &mut Vec<&'a Decl>) {
    out.push(decl);
    if let DeclKind::Timed { decls, .. } = &decl.kind {
        for inner in decls {
            flatten(inner, out);
        }
    }
}

/// What one declaration declares.
pub(super) fn bound(resolver: &Resolver, decl: &Decl) -> Vec<DefId> {
    let mut all: Vec<&Name> = Vec::new();
    match &decl.kind {
        DeclKind::Function(function) => all.push(&function.name),
        DeclKind::Let { pattern, .. } => names(pattern, &mut all),
        DeclKind::Channel { names, .. } => all.extend(names),
        DeclKind::Datatype(datatype) => {
            all.push(&datatype.name);
            all.extend(datatype.constructors.iter().map(|(name, _)| name));
        }
        DeclKind::Subtype(subtype) => all.push(&subtype.name),
        DeclKind::Nametype { name, .. } => all.push(name),
        DeclKind::Module(module) => all.push(&module.name),
        DeclKind::Instance { name, .. } => all.push(name),
        DeclKind::Annotation { .. }
        | DeclKind::Transparent(_)
        | DeclKind::External(_)
        | DeclKind::Assert(_)
        | DeclKind::Print(_)
        | DeclKind::Timed { .. } => {}
    }
    let defs = all.into_iter().filter_map(|name| resolver.names.def(name));
    let is_new = |&def: &DefId| {
        let is_label = matches!(
            resolver.names.kind(def),
            DefKind::Channel | DefKind::Constructor(_)
        );
        !is_label || matches!(decl.kind, DeclKind::Channel { .. } | DeclKind::Datatype(_))
    };
    let mut defs: Vec<DefId> = defs.filter(is_new).collect();
    let pointer = std::ptr::from_ref(decl);
    if let Some(instance) = resolver.names.instances.get(&pointer) {
        defs.extend(instance.copies.iter().map(|&(_, copy)| copy));
    }
    defs
}

/// The names in a pattern.
pub(crate) fn names<'a>(pattern: &'a Pattern, out: &mut Vec<&'a Name>) {
    match &pattern.kind {
        PatternKind::Name(name) => out.push(name),
        PatternKind::Any
        | PatternKind::Number(_)
        | PatternKind::Bool(_)
        | PatternKind::Char(_)
        | PatternKind::Text(_) => {}
        PatternKind::Tuple(all) | PatternKind::Sequence(all) | PatternKind::Set(all) => {
            for inner in all {
                names(inner, out);
            }
        }
        PatternKind::Concat(a, b) | PatternKind::Dot(a, b) | PatternKind::Both(a, b) => {
            names(a, out);
            names(b, out);
        }
    }
}

/// The last part of a full name.
pub(super) fn last_part(full: &str) -> Arc<str> {
    full.rsplit("::").next().unwrap_or(full).into()
}
