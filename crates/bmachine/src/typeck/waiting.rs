//! What cannot be decided before more types are known.
//!
//! `a - b` and `a * b` are between numbers or between sets, and `r'a` needs the fields of `r`. They
//! are put aside with their types, and looked at again when all texts have been walked over, until
//! nothing new comes of it.

use super::types::{Ty, TypeInfo, Types};
use super::{Checker, TypeResult};
use base::{Span, quote};
use std::sync::Arc;

/// A question that waits.
pub(super) enum PendingQuestion {
    /// `left - right` is `whole`.
    Minus([Ty; 3], Span),
    /// `left * right` is `whole`.
    Times([Ty; 3], Span),
    /// A record with a field of that type.
    Field(Ty, Arc<str>, Ty, Span),
}

impl Checker<'_, '_> {
    /// Puts a question aside, unless it can be answered.
    pub(super) fn wait(&mut self, question: PendingQuestion) -> TypeResult<()> {
        if !self.answered(&question)? {
            self.waiting.push(question);
        }
        Ok(())
    }

    /// Answers what can be answered by now; what never can be has no type that matters.
    pub(super) fn answer_all(&mut self) {
        loop {
            let questions = std::mem::take(&mut self.waiting);
            let n = questions.len();
            for question in questions {
                if let Ok(false) = self.answered(&question) {
                    self.waiting.push(question);
                }
            }
            if self.waiting.len() == n {
                break;
            }
        }
        let open = std::mem::take(&mut self.waiting);
        for question in open {
            if let PendingQuestion::Field(_, name, _, span) = question {
                let message = format!("which record has this field {}?", quote(&name));
                let error = base::Diagnostic::error(span, message);
                self.report(error.note("nothing tells the type of what stands before `'`"));
            }
        }
    }

    fn answered(&mut self, question: &PendingQuestion) -> TypeResult<bool> {
        match question {
            PendingQuestion::Minus([left, right, whole], span) => {
                let all = [*left, *right, *whole];
                let is_number = all.iter().any(|t| *self.types.known(*t) == TypeInfo::Int);
                let set = all
                    .into_iter()
                    .find(|t| matches!(self.types.known(*t), TypeInfo::Set(_)));
                let ty = match set {
                    _ if is_number => Types::INT,
                    Some(set) => set,
                    None => {
                        return self.no_numbers_nor_sets(&all, *span);
                    }
                };
                self.all_equal(ty, &all, *span)
            }
            PendingQuestion::Times([left, right, whole], span) => {
                let all = [*left, *right, *whole];
                if all.iter().any(|t| *self.types.known(*t) == TypeInfo::Int) {
                    return self.all_equal(Types::INT, &all, *span);
                }
                let is_set = |t: &Ty| matches!(self.types.known(*t), TypeInfo::Set(_));
                if !all.iter().any(is_set) {
                    return self.no_numbers_nor_sets(&all, *span);
                }
                let (a, b) = (self.types.free(), self.types.free());
                let (of_a, of_b) = (self.types.set(a), self.types.set(b));
                let product = self.types.relation(a, b);
                self.equal(*span, of_a, *left)?;
                self.equal(*span, of_b, *right)?;
                self.equal(*span, product, *whole)?;
                Ok(true)
            }
            PendingQuestion::Field(record, name, ty, span) => self.field(*record, name, *ty, *span),
        }
    }

    fn field(&mut self, record: Ty, name: &Arc<str>, ty: Ty, span: Span) -> TypeResult<bool> {
        let fields = match self.types.known(record) {
            TypeInfo::Free => return Ok(false),
            TypeInfo::Record(fields) => fields.clone(),
            _ => {
                let found = self.types.show(record, &self.sorts);
                let message = format!("expected a record, found {found}");
                return Err(self.error(span, message));
            }
        };
        match fields.iter().find(|(n, _)| n == name) {
            Some((_, known)) => self.equal(span, *known, ty).map(|()| true),
            None => {
                let shown = self.types.show(record, &self.sorts);
                let message = format!("{shown} has no field {}", quote(name));
                Err(self.error(span, message))
            }
        }
    }

    fn all_equal(&mut self, ty: Ty, all: &[Ty; 3], span: Span) -> TypeResult<bool> {
        for other in all {
            self.equal(span, ty, *other)?;
        }
        Ok(true)
    }

    /// Waits if nothing is known; otherwise the operands are neither numbers nor sets.
    fn no_numbers_nor_sets(&mut self, all: &[Ty; 3], span: Span) -> TypeResult<bool> {
        let known = all
            .iter()
            .find(|t| !matches!(self.types.known(**t), TypeInfo::Free));
        match known {
            None => Ok(false),
            Some(ty) => {
                let found = self.types.show(*ty, &self.sorts);
                let message = format!("expected INTEGER or POW(_), found {found}");
                Err(self.error(span, message))
            }
        }
    }
}
