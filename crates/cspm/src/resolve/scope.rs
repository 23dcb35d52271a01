//! Scopes: which names are visible where, and what to say of those that are not.

use super::{DefId, DefKind, Resolver};
use crate::ast::Name;
use crate::typeck::prelude::{self, BuiltinScope};
use base::{Diagnostic, Span, quote};
use std::collections::HashMap;
use std::sync::Arc;

base::define_id!(FrameId, "Which table of names.");

/// Who sees a name of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    /// All.
    Public,
    /// The module itself.
    Private,
}

/// What a name stands for in one scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeEntry {
    /// The definition.
    pub def: DefId,
    /// Who sees it from outside.
    pub visibility: Visibility,
}

/// The names of one scope.
#[derive(Clone, Default, Debug)]
pub(crate) struct ScopeFrame {
    /// By name.
    pub names: HashMap<Arc<str>, ScopeEntry>,
}

/// Why a name with modules before it stands for nothing.
enum Lost {
    /// The part at that place is not there.
    Unknown(Arc<str>),
    /// It is there, but private.
    Private(DefId),
    /// What comes before is no module.
    NoModule(DefId),
    /// What comes before is a module with parameters.
    Parametrised(DefId),
}

impl Resolver<'_, '_> {
    /// Enters a new scope.
    pub(super) fn push_scope(&mut self) -> FrameId {
        let frame = self.new_frame();
        self.scopes.push(frame);
        frame
    }

    /// Leaves the innermost scope.
    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn new_frame(&mut self) -> FrameId {
        self.names.frames.push(ScopeFrame::default());
        FrameId::new(self.names.frames.len() - 1)
    }

    /// Puts a name into a scope without asking whether it is there.
    pub(super) fn put(&mut self, frame: FrameId, name: Arc<str>, def: DefId, who: Visibility) {
        let entry = ScopeEntry {
            def,
            visibility: who,
        };
        self.names.frames[frame.index()].names.insert(name, entry);
    }

    /// Puts a new name into a scope; a name that is there already is an error.
    pub(super) fn declare(&mut self, frame: FrameId, name: &Name, kind: DefKind, who: Visibility) {
        if let Some(first) = self.names.frames[frame.index()].names.get(&name.text) {
            let first = self.names.defs[first.def.index()].span;
            self.twice(name, first);
            return;
        }
        let def = self.new_def(name.text.clone(), Some(name.span), kind);
        self.names.stand(name, def);
        self.put(frame, name.text.clone(), def, who);
    }

    /// Reports a name that is declared twice in one scope.
    pub(super) fn twice(&mut self, name: &Name, first: Option<Span>) {
        let message = format!("{} is declared twice", quote(&name.text));
        let mut error = Diagnostic::error(name.span, message).saying("again here");
        if let Some(first) = first {
            error = error.and(first, "first here");
        }
        self.error(error);
    }

    /// What an unqualified name stands for.
    pub(super) fn look_up(&self, text: &str) -> Option<DefId> {
        let frames = self.scopes.iter().rev();
        let mut entries = frames.filter_map(|f| self.names.frames[f.index()].names.get(text));
        entries.next().map(|entry| entry.def)
    }

    /// What a name stands for, without a report; `None` if nothing.
    pub(super) fn quiet(&self, name: &Name) -> Option<DefId> {
        self.follow(name).ok()
    }

    /// What a value's name stands for, noted as used, or a report.
    pub(super) fn find_value(&mut self, name: &Name) -> Option<DefId> {
        match self.follow(name) {
            Ok(def) if self.names.kind(def) == DefKind::Module => {
                let message = format!("{} is a module, not a value", quote(&full(name)));
                self.error(Diagnostic::error(name.span, message));
                None
            }
            Ok(def) => {
                self.names.stand(name, def);
                self.used(def);
                Some(def)
            }
            Err(lost) => {
                self.report(name, lost);
                None
            }
        }
    }

    /// The module that a name stands for, or a report.
    pub(super) fn find_module(&mut self, name: &Name) -> Option<DefId> {
        match self.follow(name) {
            Ok(def) if self.names.kind(def) == DefKind::Module => {
                self.names.stand(name, def);
                Some(def)
            }
            Ok(_) => {
                let message = format!("{} is not a module", quote(&full(name)));
                self.error(Diagnostic::error(name.span, message));
                None
            }
            Err(lost) => {
                self.report(name, lost);
                None
            }
        }
    }

    /// What a name stands for. One with modules before it is looked up as a whole, scope by scope
    /// from the inside: a variable `M`, or an inner module `M` without an `x`, does not hide the
    /// `M::x` of a module further out.
    fn follow(&self, name: &Name) -> Result<DefId, Lost> {
        let Some(first) = name.modules.first() else {
            let def = self.look_up(&name.text);
            return def.ok_or_else(|| Lost::Unknown(name.text.clone()));
        };
        let frames = self.scopes.iter().rev();
        let starts = frames.filter_map(|f| self.names.frames[f.index()].names.get(first));
        let mut lost = None;
        for start in starts {
            match self.along(start.def, name) {
                Err(Lost::Private(def)) => return Err(Lost::Private(def)),
                // A module says more about what is missing than a variable of its name.
                Err(other) if matches!(lost, None | Some(Lost::NoModule(_))) => lost = Some(other),
                Err(_) => {}
                found => return found,
            }
        }
        Err(lost.unwrap_or_else(|| Lost::Unknown(first.clone())))
    }

    /// What a name stands for if its first part is `start`.
    fn along(&self, start: DefId, name: &Name) -> Result<DefId, Lost> {
        let mut at = start;
        let rest = name.modules.iter().skip(1);
        for part in rest.chain(std::iter::once(&name.text)) {
            let module = self.names.modules.get(&at).ok_or(Lost::NoModule(at))?;
            if module.is_parametrised {
                return Err(Lost::Parametrised(at));
            }
            let members = &self.names.frames[module.frame.index()].names;
            let entry = members.get(part);
            let entry = entry.ok_or_else(|| Lost::Unknown(part.clone()))?;
            if entry.visibility == Visibility::Private {
                return Err(Lost::Private(entry.def));
            }
            at = entry.def;
        }
        Ok(at)
    }

    fn report(&mut self, name: &Name, lost: Lost) {
        let whole = quote(&full(name));
        let error = match lost {
            Lost::Unknown(part) => {
                let message = if name.modules.is_empty() {
                    format!("{whole} is not declared")
                } else {
                    format!(
                        "{whole} is not declared: there is no {} there",
                        quote(&part)
                    )
                };
                self.suggest(Diagnostic::error(name.span, message), name)
            }
            Lost::Private(def) => {
                let message = format!("{whole} is private to its module");
                let error = Diagnostic::error(name.span, message);
                let error = self.pointing(error, def);
                error.note("only what stands behind `exports` is seen from outside")
            }
            Lost::NoModule(def) => {
                let other = quote(self.names.name(def));
                let message = format!("{other} is not a module");
                let error = Diagnostic::error(name.span, message);
                self.pointing(error, def)
            }
            Lost::Parametrised(def) => {
                let module = self.names.name(def).clone();
                let message = format!("the module {} has parameters", quote(&module));
                let error = Diagnostic::error(name.span, message);
                let note = format!("make an instance of it: `instance I = {module}(…)`");
                self.pointing(error, def).note(note)
            }
        };
        self.error(error);
    }

    fn pointing(&self, error: Diagnostic, def: DefId) -> Diagnostic {
        match self.names.defs[def.index()].span {
            Some(span) => error.and(span, "declared here"),
            None => error,
        }
    }

    /// Adds what the user may have meant.
    fn suggest(&self, error: Diagnostic, name: &Name) -> Diagnostic {
        if !name.modules.is_empty() {
            return error;
        }
        let mut all = prelude::ALL.iter();
        if let Some(entry) = all.find(|entry| entry.name == &*name.text) {
            return match entry.place {
                BuiltinScope::Everywhere => error,
                BuiltinScope::External => {
                    error.note(format!("write `external {}` first", entry.name))
                }
                BuiltinScope::Transparent | BuiltinScope::Either => {
                    error.note(format!("write `transparent {}` first", entry.name))
                }
                BuiltinScope::Timed => error.note("it is known in `Timed` sections only"),
            };
        }
        let frames = self.scopes.iter().rev();
        let names = frames.flat_map(|f| self.names.frames[f.index()].names.keys());
        let close = names.map(|other| (distance(other, &name.text), other));
        let best = close.min();
        match best {
            Some((steps, other)) if steps * 3 <= name.text.chars().count() => {
                error.note(format!("do you mean {}?", quote(other)))
            }
            _ => error,
        }
    }
}

/// A name with its modules.
pub(super) fn full(name: &Name) -> String {
    let mut text = String::new();
    for module in &name.modules {
        text.push_str(module);
        text.push_str("::");
    }
    text.push_str(&name.text);
    text
}

/// How many letters have to be added, dropped, changed or swapped with their neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_single_steps() {
        assert_eq!(distance("STOP", "STOP"), 0);
        assert_eq!(distance("SOTP", "STOP"), 1);
        assert_eq!(distance("card", "cards"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
