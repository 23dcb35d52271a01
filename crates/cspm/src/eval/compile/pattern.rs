//! Patterns: which names are variables, and sequences and dots taken apart.

use super::super::code::{ExprCode, Pat, Select};
use super::Compiler;
use super::frame::NameLocation;
use crate::ast::{Name, Pattern, PatternKind};
use crate::value::Value;

impl Compiler<'_, '_> {
    /// A pattern whose variables are bound in the innermost frame from here on.
    pub fn pattern(&mut self, pattern: &Pattern) -> Pat {
        match &pattern.kind {
            PatternKind::Name(name) => self.pattern_name(name),
            PatternKind::Any => Pat::Any,
            PatternKind::Number(n) => Pat::Known(Value::Int(*n)),
            PatternKind::Bool(b) => Pat::Known(Value::Bool(*b)),
            PatternKind::Char(c) => Pat::Known(Value::Char(*c)),
            PatternKind::Text(text) => {
                let chars = text.chars().map(|c| Pat::Known(Value::Char(c)));
                Pat::Sequence(chars.collect(), None, [].into())
            }
            PatternKind::Tuple(parts) => {
                Pat::Tuple(parts.iter().map(|p| self.pattern(p)).collect())
            }
            PatternKind::Sequence(parts) => {
                let parts = parts.iter().map(|p| self.pattern(p)).collect();
                Pat::Sequence(parts, None, [].into())
            }
            PatternKind::Set(parts) => match &parts[..] {
                [] => Pat::EmptySet,
                [one] => Pat::Singleton(Box::new(self.pattern(one))),
                _ => {
                    let words = "a pattern of a set has at most one element";
                    self.wrong(pattern.span, words);
                    Pat::Any
                }
            },
            PatternKind::Concat(..) => self.concat_pattern(pattern),
            PatternKind::Dot(..) => {
                let mut parts = Vec::new();
                flatten(pattern, &mut parts);
                Pat::Dot(parts.into_iter().map(|p| self.pattern(p)).collect())
            }
            PatternKind::Both(a, b) => {
                let first = self.pattern(a);
                Pat::Both(Box::new((first, self.pattern(b))))
            }
        }
    }

    fn pattern_name(&mut self, name: &Name) -> Pat {
        if let Some(maker) = self.label(name) {
            return Pat::Maker(maker);
        }
        if !name.modules.is_empty() {
            let words = format!("there is no constructor or channel `{}`", name.text);
            self.wrong(name.span, words);
            return Pat::Any;
        }
        let slot = self.slot();
        self.bind_local(&name.text, NameLocation::Slot(slot), None);
        Pat::Bind(slot)
    }

    /// `p^q^r`: parts of known length on both sides of at most one of unknown length.
    fn concat_pattern(&mut self, pattern: &Pattern) -> Pat {
        let mut parts = Vec::new();
        flatten_concat(pattern, &mut parts);
        let (mut front, mut middle, mut back) = (Vec::new(), None, Vec::new());
        for part in parts {
            let known: Option<Vec<Pat>> = match &part.kind {
                PatternKind::Sequence(parts) => {
                    Some(parts.iter().map(|p| self.pattern(p)).collect())
                }
                PatternKind::Text(text) => {
                    Some(text.chars().map(|c| Pat::Known(Value::Char(c))).collect())
                }
                _ => None,
            };
            match known {
                Some(known) if middle.is_none() => front.extend(known),
                Some(known) => back.extend(known),
                None if middle.is_none() => middle = Some(Box::new(self.pattern(part))),
                None => {
                    let words = "a pattern has at most one part of unknown length";
                    self.wrong(part.span, words);
                }
            }
        }
        Pat::Sequence(front.into(), middle, back.into())
    }

    /// What the variable `name` of a pattern is in a value.
    pub fn select(&mut self, value: ExprCode, pattern: &Pattern, name: &str) -> ExprCode {
        let mark = self.mark();
        let compiled = self.pattern(pattern);
        let place = self.local(name);
        self.forget(mark);
        let Some(NameLocation::Slot(slot)) = place else {
            return ExprCode::Refused(format!("`{name}` is no variable here").into(), pattern.span);
        };
        ExprCode::Select(Box::new(Select {
            value,
            pattern: compiled,
            slot,
            span: pattern.span,
        }))
    }
}

fn flatten<'p>(pattern: &'p Pattern, parts: &mut Vec<&'p Pattern>) {
    match &pattern.kind {
        PatternKind::Dot(a, b) => {
            flatten(a, parts);
            flatten(b, parts);
        }
        _ => parts.push(pattern),
    }
}

fn flatten_concat<'p>(pattern: &'p Pattern, parts: &mut Vec<&'p Pattern>) {
    match &pattern.kind {
        PatternKind::Concat(a, b) => {
            flatten_concat(a, parts);
            flatten_concat(b, parts);
        }
        _ => parts.push(pattern),
    }
}
