//! Mistakes in words.
//!
//! What is wanted and what is there are shown whole, as the user sees them; the innermost parts that
//! differ are a note, if they are others. Mix-ups that everybody makes once (a process for an event,
//! a function for its value, a channel for its events) are called by their names.

use super::show::Shower;
use super::types::{Class, Node, Ty};
use super::unify::Clash;
use super::{Checked, Checker, Reported};
use base::{Diagnostic, Span};

impl Checker<'_> {
    /// Makes two types equal, or reports at `span` that they are not; `words` say why they should.
    pub(super) fn equal(
        &mut self,
        span: Span,
        wanted: Ty,
        there: Ty,
        words: &str,
    ) -> Checked<Ty> {
        match self.solver.equate(wanted, there) {
            Ok(ty) => Ok(ty),
            Err(clash) => Err(self.clash(span, (wanted, there), clash, words)),
        }
    }

    /// Makes sure that a type is in a class, or reports that it is not.
    pub(super) fn in_class(
        &mut self,
        span: Span,
        class: Class,
        ty: Ty,
        words: &str,
    ) -> Checked<()> {
        self.solver.refuel();
        match self.solver.require(class, ty) {
            Ok(()) => Ok(()),
            Err(clash) => Err(self.clash(span, (ty, ty), clash, words)),
        }
    }

    /// The type with its dots worked out, or a report.
    pub(super) fn evaluated(&mut self, span: Span, ty: Ty) -> Checked<Ty> {
        self.solver.refuel();
        match self.solver.evaluate(ty) {
            Ok(ty) => Ok(ty),
            Err(clash) => Err(self.clash(span, (ty, ty), clash, "what the dots join")),
        }
    }

    /// Does something while dots that are wanted are not taken for whole values.
    pub(super) fn one_sided<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.solver.symmetric, false);
        let result = inside(self);
        self.solver.symmetric = before;
        result
    }

    /// The type in words.
    pub(super) fn show(&mut self, ty: Ty) -> String {
        let mut shower = Shower::new(&self.names.defs);
        shower.ty(&mut self.solver.types, ty)
    }

    pub(super) fn too_large(&mut self, span: Span) -> Reported {
        let message = "the type of this is too large";
        self.report(Diagnostic::error(span, message))
    }

    /// Reports why two types are not equal, or one is not in a class.
    pub(super) fn clash(
        &mut self,
        span: Span,
        pair: (Ty, Ty),
        clash: Clash,
        words: &str,
    ) -> Reported {
        let mut shower = Shower::new(&self.names.defs);
        let types = &mut self.solver.types;
        let shown = (shower.ty(types, pair.0), shower.ty(types, pair.1));
        let error = match clash {
            Clash::TooLarge => return self.too_large(span),
            Clash::Infinite(ty) => {
                let inner = shower.ty(types, ty);
                let message = "the type of this would be a part of itself";
                let error = Diagnostic::error(span, message);
                error.note(format!("a type would have to be equal to `{inner}`"))
            }
            Clash::Not { class, ty } => {
                let inner = shower.ty(types, ty);
                let error = Diagnostic::error(span, not_in(class, &shown.0));
                if inner == shown.0 {
                    error
                } else {
                    error.note(format!("because of the part `{inner}`"))
                }
            }
            Clash::Differ { wanted, there } => {
                let inner = (shower.ty(types, wanted), shower.ty(types, there));
                let message = self.differ_words(pair, &shown);
                let error = Diagnostic::error(span, message);
                if inner == shown || (inner.1.clone(), inner.0.clone()) == shown {
                    error
                } else {
                    error.note(format!("`{}` and `{}` differ", inner.0, inner.1))
                }
            }
        };
        let error = if words.is_empty() {
            error
        } else {
            error.saying(words)
        };
        self.report(error)
    }

    fn differ_words(&mut self, pair: (Ty, Ty), shown: &(String, String)) -> String {
        let types = &mut self.solver.types;
        let (wanted, there) = shown;
        match (types.shape(pair.0), types.shape(pair.1)) {
            (Node::Event, Node::Proc) => "a process stands where an event is meant".into(),
            (Node::Proc, Node::Event) => {
                "an event stands where a process is meant: write `-> STOP` or `-> SKIP` behind it"
                    .into()
            }
            (Node::Proc, Node::Dotable(..)) => {
                format!("a channel stands where a process is meant; its type is `{there}`")
            }
            (Node::Function(..), Node::Function(..)) => {
                format!("this is `{there}`, and `{wanted}` is wanted")
            }
            (_, Node::Function(..)) => {
                format!("a function stands where `{wanted}` is meant: its arguments are missing")
            }
            (Node::Event, Node::Dotable(argument, _)) => {
                let missing = self.show(argument);
                format!("this is no whole event: a field `{missing}` is missing")
            }
            (Node::Set(a), Node::Dotable(..))
                if matches!(types.shape(a), Node::Event | Node::Var(_)) =>
            {
                format!("a channel stands where the set `{wanted}` is meant: write `{{| … |}}`")
            }
            _ => format!("this is `{there}`, and `{wanted}` is wanted"),
        }
    }
}

fn not_in(class: Class, shown: &str) -> String {
    match class {
        Class::Eq => format!("values of type `{shown}` cannot be compared"),
        Class::Ord => format!("values of type `{shown}` have no order"),
        Class::Complete => format!("values of type `{shown}` are not complete"),
        Class::Set => format!("values of type `{shown}` cannot be in a set"),
        Class::Yieldable => format!("`{shown}` is neither a datatype nor an event"),
    }
}
