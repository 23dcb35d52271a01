//! Mistakes in words.
//!
//! What is wanted and what is there are shown whole, as the user sees them; the innermost parts
//! that differ are a note, if they are others. Mix-ups that everybody makes once (a process for an
//! event, a function for its value, a channel for its events) are called by their names.

use super::show::Shower;
use super::types::{Ty, TypeClass, TypeNode};
use super::unify::TypeMismatch;
use super::{Checked, Checker, Reported};
use base::{Diagnostic, Span};

const TOO_LARGE: &str = "the type of this is too large";

impl Checker<'_> {
    /// Makes two types equal, or reports at `span` that they are not; `words` say why they should.
    pub(super) fn equal(&mut self, span: Span, wanted: Ty, there: Ty, words: &str) -> Checked<Ty> {
        match self.solver.equate(wanted, there) {
            Ok(ty) => Ok(ty),
            Err(clash) => Err(self.clash(span, (wanted, there), clash, words)),
        }
    }

    /// Makes sure that a type is in a class, or reports that it is not.
    pub(super) fn in_class(
        &mut self,
        span: Span,
        class: TypeClass,
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
        self.report(Diagnostic::error(span, TOO_LARGE))
    }

    /// Makes the type of a pattern equal to that of what it is given, or reports that they differ.
    pub(super) fn fits(&mut self, span: Span, pattern: Ty, given: Ty) -> Checked<Ty> {
        let symmetric = std::mem::replace(&mut self.solver.symmetric, false);
        let result = self.solver.equate(pattern, given);
        self.solver.symmetric = symmetric;
        result.map_err(|clash| match clash {
            TypeMismatch::Differ { wanted, there } => {
                let mut shower = Shower::new(&self.names.defs);
                let types = &mut self.solver.types;
                let (pattern, given) = (shower.ty(types, pattern), shower.ty(types, given));
                let message = format!("this pattern is for `{pattern}`, and gets `{given}`");
                let error = Diagnostic::error(span, message);
                let error = self.rigid_note(error, [wanted, there]);
                self.report(error)
            }
            clash => self.clash(span, (pattern, given), clash, "this pattern"),
        })
    }

    /// Reports why two types are not equal, or one is not in a class. Dots are worked out in what
    /// is shown, as far as they can be.
    pub(super) fn clash(
        &mut self,
        span: Span,
        pair: (Ty, Ty),
        clash: TypeMismatch,
        words: &str,
    ) -> Reported {
        let outer = self.solver.types.mark();
        let pair = (self.simplified(pair.0), self.simplified(pair.1));
        let error = self.clash_words(span, pair, clash);
        self.solver.types.release(outer, true);
        let error = match words {
            "" => error,
            _ => error.saying(words),
        };
        self.report(error)
    }

    fn simplified(&mut self, ty: Ty) -> Ty {
        self.solver.refuel();
        self.solver.evaluate(ty).unwrap_or(ty)
    }

    fn clash_words(&mut self, span: Span, pair: (Ty, Ty), clash: TypeMismatch) -> Diagnostic {
        let mut shower = Shower::new(&self.names.defs);
        let types = &mut self.solver.types;
        let shown = (shower.ty(types, pair.0), shower.ty(types, pair.1));
        match clash {
            TypeMismatch::TooLarge => Diagnostic::error(span, TOO_LARGE),
            TypeMismatch::Infinite(ty) => {
                let inner = shower.ty(types, ty);
                let message = "the type of this would be a part of itself";
                let error = Diagnostic::error(span, message);
                error.note(format!("a type would have to be equal to `{inner}`"))
            }
            TypeMismatch::Not { class, ty } => {
                let inner = shower.ty(types, ty);
                let is_whole = pair.0 == pair.1;
                let subject = if is_whole { &shown.0 } else { &inner };
                let mut error = Diagnostic::error(span, not_in(class, subject));
                if is_whole && inner != shown.0 {
                    error = error.note(format!("because of the part `{inner}`"));
                }
                match self.solver.types.shape(ty) {
                    TypeNode::Var(_) => error.note(format!(
                        "`{inner}` stands for any type; write `{} {inner} =>` before the type",
                        class.name()
                    )),
                    TypeNode::Datatype(_) if class == TypeClass::Eq => {
                        error.note("a datatype can be compared if all of its fields can")
                    }
                    _ => error,
                }
            }
            TypeMismatch::Differ { wanted, there } => {
                let inner = (shower.ty(types, wanted), shower.ty(types, there));
                let is_dots = pair.0 == pair.1;
                let message = if is_dots {
                    format!("behind a dot, `{}` meets `{}`", inner.0, inner.1)
                } else {
                    self.differ_words(pair, &shown)
                };
                let mut error = Diagnostic::error(span, message);
                let is_same = inner == shown || (inner.1 == shown.0 && inner.0 == shown.1);
                if !is_dots && !is_same {
                    error = error.note(format!("`{}` and `{}` differ", inner.0, inner.1));
                }
                self.rigid_note(error, [wanted, there])
            }
        }
    }

    /// Says of type variables that the user wrote what they are.
    fn rigid_note(&mut self, mut error: Diagnostic, types: [Ty; 2]) -> Diagnostic {
        for ty in types {
            let var = self.solver.types.as_variable(ty);
            let known = var.map(|var| self.solver.types.known(var));
            if let Some(name) = known.and_then(|known| known.rigid.clone()) {
                let note = format!("`{name}` stands for any type, as it is written");
                error = error.note(note);
            }
        }
        error
    }

    fn differ_words(&mut self, pair: (Ty, Ty), shown: &(String, String)) -> String {
        let types = &mut self.solver.types;
        let (wanted, there) = shown;
        match (types.shape(pair.0), types.shape(pair.1)) {
            (TypeNode::Event, TypeNode::Proc) => "a process stands where an event is meant".into(),
            (TypeNode::Proc, TypeNode::Event) => {
                "an event stands where a process is meant: write `-> STOP` or `-> SKIP` behind it"
                    .into()
            }
            (TypeNode::Proc, TypeNode::Dotable(..)) => {
                let (_, result) = types.parts(pair.1);
                let what = match types.shape(result) {
                    TypeNode::Datatype(_) => "constructor",
                    _ => "channel",
                };
                format!("a {what} stands where a process is meant; its type is `{there}`")
            }
            (TypeNode::Function(..), TypeNode::Function(..)) => {
                format!("this is `{there}`, and `{wanted}` is wanted")
            }
            (_, TypeNode::Function(..)) => {
                format!("a function stands where `{wanted}` is meant: its arguments are missing")
            }
            (TypeNode::Event, TypeNode::Dotable(argument, _)) => {
                let missing = self.show(argument);
                format!("this is no whole event: a field `{missing}` is missing")
            }
            (TypeNode::Set(a), TypeNode::Dotable(..))
                if matches!(types.shape(a), TypeNode::Event | TypeNode::Var(_)) =>
            {
                format!("a channel stands where the set `{wanted}` is meant: write `{{| … |}}`")
            }
            _ => format!("this is `{there}`, and `{wanted}` is wanted"),
        }
    }
}

fn not_in(class: TypeClass, shown: &str) -> String {
    match class {
        TypeClass::Eq => format!("values of type `{shown}` cannot be compared"),
        TypeClass::Ord => format!("values of type `{shown}` have no order"),
        TypeClass::Complete => format!("values of type `{shown}` are not complete"),
        TypeClass::Set => format!("values of type `{shown}` cannot be in a set"),
        TypeClass::Yieldable => format!("`{shown}` is neither a datatype nor an event"),
    }
}
