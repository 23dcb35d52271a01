//! `c!x?y:S$z -> P`: the events that a prefix offers, each with what follows it.
//!
//! Fields are taken from left to right. An output is dotted on. An input takes its values from its
//! set, or from the fields that the event lacks: one field for each part of its pattern, and all
//! that are left if it is the last; values that do not fit its pattern are not offered. `$` makes
//! an internal choice among what follows it. With `channel c : {0..1}.{0..2}`:
//!
//! ```text
//! c?x!2 -> P    offers c.0.2 and c.1.2
//! c?x   -> P    offers all six events, x being 0.0, 0.1 …
//! c$x?y -> P    is the internal choice of c.0?y -> P and c.1?y -> P
//! ```

use super::code::{ExprCode, FieldCode, Pat, PrefixCode};
use super::fault::Result;
use super::machine::Evaluator;
use super::state::Suspended;
use crate::process::{Event, Term, TermId};
use crate::value::symbolic::Symbolic;
use crate::value::{MakerId, Set, Value};
use base::Span;
use std::sync::Arc;

/// What a prefix offers so far.
#[derive(Default)]
struct PrefixOffers {
    /// Events with what follows.
    events: Vec<(Event, TermId)>,
    /// Internal choices.
    choices: Vec<TermId>,
}

impl<'p> Evaluator<'p> {
    /// A prefix.
    pub fn prefix(&mut self, code: &'p PrefixCode, base: usize) -> Result<TermId> {
        let head = self.eval(&code.event, base)?;
        let head = self.deep(head)?;
        let mut offers = PrefixOffers::default();
        self.offer(code, &code.fields, head, base, &mut offers)?;
        self.offered(code, offers)
    }

    /// Adds the events that begin with `event` and go on with `fields`.
    fn offer(
        &mut self,
        code: &'p PrefixCode,
        fields: &'p [FieldCode],
        event: Value,
        base: usize,
        offers: &mut PrefixOffers,
    ) -> Result<()> {
        let Some((field, others)) = fields.split_first() else {
            let id = self.event(&event, code.span)?;
            let captured = self.capture(&code.then.from, base);
            let captured = self.keys(&captured);
            let mut then = self.state.later(Suspended::Code(code.then.id, captured));
            if let Some((durations, tock)) = &code.timed {
                then = self.after_time(durations, *tock, (event, then), base, code.span)?;
            }
            offers.events.push((id, then));
            return Ok(());
        };
        let (pattern, set, is_internal, span) = match field {
            FieldCode::Output(value) => {
                let value = self.eval(value, base)?;
                let value = self.deep(value)?;
                let event = self.dot(event, value, code.span)?;
                return self.offer(code, others, event, base, offers);
            }
            FieldCode::Input(pattern, set, is_internal, span) => {
                (pattern, set, *is_internal, *span)
            }
        };
        let values = match set {
            Some(set) => self.eval_set(set, base, span)?,
            None => self.open_fields(pattern, &event, others.is_empty(), span)?,
        };
        let mut branches = Vec::new();
        for value in self.refused(values.elements(), span)?.iter() {
            if !self.matches(pattern, value.clone(), base)? {
                continue;
            }
            let event = self.dot(event.clone(), value.clone(), span)?;
            if is_internal {
                let mut branch = PrefixOffers::default();
                self.offer(code, others, event, base, &mut branch)?;
                branches.push(self.offered(code, branch)?);
            } else {
                self.offer(code, others, event, base, offers)?;
            }
        }
        if is_internal {
            if branches.is_empty() {
                return self.fault(span, "an internal choice among no events");
            }
            offers
                .choices
                .push(self.state.terms.term(Term::Internal(branches.into())));
        }
        Ok(())
    }

    /// Offers as a process.
    fn offered(&mut self, code: &'p PrefixCode, offers: PrefixOffers) -> Result<TermId> {
        let PrefixOffers {
            events,
            mut choices,
        } = offers;
        if let Some((_, tock)) = &code.timed {
            return self.timed_offers(*tock, events, choices, code.span);
        }
        if choices.is_empty() {
            let term = if events.is_empty() {
                Term::Stop
            } else {
                Term::Prefix(events.into())
            };
            return Ok(self.state.terms.term(term));
        }
        if !events.is_empty() {
            choices.push(self.state.terms.term(Term::Prefix(events.into())));
        }
        if choices.len() == 1 {
            return Ok(choices.remove(0));
        }
        Ok(self.state.terms.term(Term::External(choices.into())))
    }

    fn timed_offers(
        &mut self,
        tock: MakerId,
        events: Vec<(Event, TermId)>,
        choices: Vec<TermId>,
        span: Span,
    ) -> Result<TermId> {
        let tock = self.event(&Value::Made(tock, Arc::from([])), span)?;
        let mut choices = choices;
        if !events.is_empty() || choices.is_empty() {
            choices.push(self.state.later(Suspended::Timed(tock, events.into())));
        }
        if choices.len() == 1 {
            return Ok(choices.remove(0));
        }
        let events = self.state.terms.set(vec![tock]);
        Ok(self
            .state
            .terms
            .term(Term::SyncExternal(events, choices.into())))
    }

    /// What follows an event of a timed section: first the time it takes.
    fn after_time(
        &mut self,
        durations: &'p ExprCode,
        tock: MakerId,
        then: (Value, TermId),
        base: usize,
        span: Span,
    ) -> Result<TermId> {
        let n = match self.eval(durations, base)? {
            Value::Function(function) => self.call(function, vec![then.0], span)?,
            value => value,
        };
        let tock = self.event(&Value::Made(tock, Arc::from([])), span)?;
        match n {
            Value::Int(n) => self.wait(tock, n, then.1, span),
            other => self.fault(span, format!("{} is no duration", self.shown(&other))),
        }
    }

    /// The values that an input without a set can take.
    fn open_fields(
        &mut self,
        pattern: &'p Pat,
        event: &Value,
        is_last: bool,
        span: Span,
    ) -> Result<Set> {
        let mut sets = self.lacking(event, span)?;
        if sets.is_empty() {
            return self.fault(
                span,
                format!("{} has no field left for this input", self.shown(event)),
            );
        }
        if !is_last {
            let n = self.n_fields(pattern)?;
            sets.truncate(n);
            if let (1, Some(set)) = (n, sets.first_mut()) {
                *set = self.firsts(set.clone(), span)?;
            }
        }
        Ok(match sets.len() {
            1 => sets.remove(0),
            _ => Symbolic::Dots(sets).into(),
        })
    }

    /// A set of dotted values, which could not be taken apart, as that of their first fields.
    fn firsts(&mut self, set: Set, span: Span) -> Result<Set> {
        let Set::Listed(elements) = &set else {
            return Ok(set);
        };
        if !elements.iter().any(|v| matches!(v, Value::Dot(_))) {
            return Ok(set);
        }
        let elements = self.refused(set.elements(), span)?;
        let firsts = elements.iter().map(|value| match value {
            Value::Dot(parts) => parts[0].clone(),
            other => other.clone(),
        });
        Ok(Set::from(firsts.collect::<Vec<_>>()))
    }

    /// How many fields a pattern stands for: constructors in it take their own.
    fn n_fields(&mut self, pattern: &'p Pat) -> Result<usize> {
        let Pat::Dot(parts) = pattern else {
            return Ok(1);
        };
        let (mut n, mut at) = (0, 0);
        while at < parts.len() {
            at = self.past_field(parts, at)?;
            n += 1;
        }
        Ok(n)
    }

    /// The place behind the field that begins at `at`.
    fn past_field(&mut self, parts: &'p [Pat], at: usize) -> Result<usize> {
        let mut next = at + 1;
        if let Some(Pat::Maker(maker)) = parts.get(at) {
            for _ in 0..self.fields(*maker)?.len() {
                if next >= parts.len() {
                    break;
                }
                next = self.past_field(parts, next)?;
            }
        }
        Ok(next)
    }
}
