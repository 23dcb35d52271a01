//! The types of patterns.

use super::types::{Ty, TypeClass};
use super::{Checked, Checker, Reported};
use crate::ast::{Pattern, PatternKind};
use crate::resolve::DefKind;

impl<'a> Checker<'a> {
    /// The type of what a pattern fits. Its names have one type, the same however often it is
    /// asked.
    pub(super) fn pattern(&mut self, pattern: &'a Pattern) -> Checked<Ty> {
        let types = &self.solver.types;
        match &pattern.kind {
            PatternKind::Name(name) => {
                let def = self.names.def(name).ok_or(Reported)?;
                match self.names.kind(def) {
                    DefKind::Channel | DefKind::Constructor(_) => self.type_of(def, name.span),
                    _ => Ok(self.own_type(def)),
                }
            }
            PatternKind::Any => Ok(self.solver.types.fresh()),
            PatternKind::Number(_) => Ok(types.int()),
            PatternKind::Bool(_) => Ok(types.bool()),
            PatternKind::Char(_) => Ok(types.char()),
            PatternKind::Text(_) => {
                let char = types.char();
                Ok(self.solver.types.seq(char))
            }
            PatternKind::Tuple(all) => {
                let all: Checked<Vec<Ty>> = all.iter().map(|p| self.pattern(p)).collect();
                Ok(self.solver.types.tuple(all?))
            }
            PatternKind::Sequence(all) => {
                let inner = self.same_patterns(all)?;
                Ok(self.solver.types.seq(inner))
            }
            PatternKind::Set(all) => {
                let inner = self.same_patterns(all)?;
                // To fit a set is to compare.
                self.in_class(pattern.span, TypeClass::Eq, inner, "")?;
                Ok(self.solver.types.set(inner))
            }
            PatternKind::Concat(left, right) => {
                let inner = self.solver.types.fresh();
                let wanted = self.solver.types.seq(inner);
                let there = self.pattern(left)?;
                let ty = self.equal(left.span, wanted, there, "`^` joins sequences")?;
                let there = self.pattern(right)?;
                self.equal(right.span, ty, there, "`^` joins sequences")
            }
            PatternKind::Dot(left, right) => {
                let (left, right) = (self.pattern(left)?, self.pattern(right)?);
                Ok(self.solver.types.dot(left, right))
            }
            PatternKind::Both(left, right) => {
                let ty = self.pattern(left)?;
                let there = self.pattern(right)?;
                self.equal(right.span, ty, there, "both sides of `@@` fit the same")
            }
        }
    }

    fn same_patterns(&mut self, all: &'a [Pattern]) -> Checked<Ty> {
        let Some((first, rest)) = all.split_first() else {
            return Ok(self.solver.types.fresh());
        };
        let ty = self.pattern(first)?;
        for pattern in rest {
            let there = self.pattern(pattern)?;
            self.equal(pattern.span, ty, there, "all elements have one type")?;
        }
        Ok(ty)
    }
}
