//! Dots: how fields join a constructor or channel, which fields are still to come, and the sets of
//! values of datatypes and channels.
//!
//! `channel c : {0..1}.T` with `datatype T = A | B.Bool` has two fields. `c.0` lacks one; `c.0.B`
//! has both, but the last is not complete; `c.0.B.true` is an event. A dot puts a value into the
//! innermost place that is open, and a field that becomes complete must be in its set. What a value
//! lacks is a list of sets: for `c` they are `{0..1}` and `T`, for `c.0.B` the set `Bool`.
//!
//! A type may be given as a set of dotted values, `{0.1, 0.2}`. It has as many fields as its
//! elements have, provided it holds all combinations; otherwise it is refused, as in FDR.

use super::code::ExprCode;
use super::fault::{Fault, Result};
use super::machine::Evaluator;
use super::sequences::union_of;
use super::state::Memoised;
use crate::value::symbolic::{Symbolic, dotted};
use crate::value::{LazyId, MakerId, Set, Value};
use base::Span;
use std::sync::Arc;

impl<'p> Evaluator<'p> {
    /// The sets of the fields of a constructor or channel.
    pub fn fields(&mut self, maker: MakerId) -> Result<Arc<[Set]>> {
        let declared = &self.program.makers[maker.index()];
        match &self.state.fields[maker.index()] {
            Memoised::Yes(sets) => return Ok(sets.clone()),
            Memoised::Busy => {
                let words = format!("the fields of `{}` need themselves", declared.name);
                return self.fault(declared.span, words);
            }
            Memoised::No => {}
        }
        self.state.fields[maker.index()] = Memoised::Busy;
        let result = self.field_sets(&declared.fields);
        match &result {
            Ok(sets) => self.state.fields[maker.index()] = Memoised::Yes(sets.clone()),
            Err(_) => self.state.fields[maker.index()] = Memoised::No,
        }
        result
    }

    /// The sets that the parts of a type stand for, sets of dotted values taken apart.
    fn field_sets(&mut self, parts: &'p [LazyId]) -> Result<Arc<[Set]>> {
        let mut sets = Vec::new();
        for part in parts {
            let span = self.program.lazies[part.index()].span;
            match self.run_lazy(*part, &[])? {
                Value::Set(set) => sets.extend(self.columns(set, span)?),
                other => {
                    let shown = self.shown(&other);
                    return self.fault(
                        span,
                        format!("{shown} is no set, and so no type of a field"),
                    );
                }
            }
        }
        Ok(sets.into())
    }

    /// A set of dotted values as the sets of its fields; another set as itself.
    fn columns(&mut self, set: Set, span: Span) -> Result<Vec<Set>> {
        if let Set::Symbolic(symbolic) = &set
            && let Symbolic::Dots(sets) = &**symbolic
        {
            return Ok(sets.clone());
        }
        let Set::Listed(elements) = &set else {
            return Ok(vec![set]);
        };
        let Some(Value::Dot(first)) = elements.first() else {
            return Ok(vec![set]);
        };
        let refusal = "this set of dotted values is not the product of sets of fields";
        let mut columns = vec![Vec::new(); first.len()];
        for element in elements.iter() {
            match element {
                Value::Dot(parts) if parts.len() == columns.len() => {
                    let cells = columns.iter_mut().zip(parts.iter());
                    cells.for_each(|(column, part)| column.push(part.clone()));
                }
                _ => return self.fault(span, refusal),
            }
        }
        let sets: Vec<Set> = columns.into_iter().map(Set::from).collect();
        let n = sets
            .iter()
            .try_fold(1usize, |n, set| n.checked_mul(set.card().ok()?));
        if n != Some(elements.len()) {
            return self.fault(span, refusal);
        }
        Ok(sets)
    }

    /// Whether a value lacks no field.
    pub fn is_complete(&mut self, value: &Value) -> Result<bool> {
        match value {
            Value::Made(maker, fields) => {
                let n = self.fields(*maker)?.len();
                match fields.last() {
                    _ if fields.len() < n => Ok(false),
                    Some(last) => self.is_complete(last),
                    None => Ok(true),
                }
            }
            _ => Ok(true),
        }
    }

    /// `a.b`, both worked out in full.
    pub fn dot(&mut self, left: Value, right: Value, span: Span) -> Result<Value> {
        match right {
            Value::Dot(parts) => {
                let mut joined = left;
                for part in parts.iter() {
                    joined = self.dot_one(joined, part.clone(), span)?;
                }
                Ok(joined)
            }
            right => self.dot_one(left, right, span),
        }
    }

    fn dot_one(&mut self, left: Value, right: Value, span: Span) -> Result<Value> {
        match left {
            Value::Made(maker, fields) => {
                if let Some(joined) = self.put_field(maker, &fields, right.clone(), span)? {
                    return Ok(joined);
                }
                Ok(Value::Dot([Value::Made(maker, fields), right].into()))
            }
            Value::Dot(parts) => {
                let mut parts = parts.to_vec();
                let last = parts.pop().expect("a dotted value has fields");
                match self.dot_one(last, right, span)? {
                    Value::Dot(inner) => parts.extend(inner.iter().cloned()),
                    joined => parts.push(joined),
                }
                Ok(Value::Dot(parts.into()))
            }
            left => Ok(dotted(vec![left, right])),
        }
    }

    /// The value with one more field in the innermost open place; none if there is no such place.
    fn put_field(
        &mut self,
        maker: MakerId,
        fields: &[Value],
        field: Value,
        span: Span,
    ) -> Result<Option<Value>> {
        let sets = self.fields(maker)?;
        let mut joined: Vec<Value> = fields.to_vec();
        let is_open = match joined.last() {
            Some(last) => !self.is_complete(last)?,
            None => false,
        };
        if is_open {
            let last = joined.pop().expect("it was just seen");
            let Value::Made(inner, given) = &last else {
                unreachable!("only made values lack fields");
            };
            match self.put_field(*inner, given, field, span)? {
                Some(value) => joined.push(value),
                None => return Ok(None),
            }
        } else if joined.len() < sets.len() {
            joined.push(field);
        } else {
            return Ok(None);
        }
        let n = joined.len() - 1;
        if self.is_complete(&joined[n])? && !sets[n].contains(&joined[n]) {
            let shown = self.shown(&joined[n]);
            let whole = self.shown(&Value::Made(maker, joined.into()));
            let words = format!("{shown} is no value of field {} of {whole}", n + 1);
            return self.fault(span, words);
        }
        Ok(Some(Value::Made(maker, joined.into())))
    }

    /// The sets of the fields that a value lacks.
    pub fn lacking(&mut self, value: &Value, span: Span) -> Result<Vec<Set>> {
        match value {
            Value::Made(maker, fields) => {
                let sets = self.fields(*maker)?;
                self.lacking_of(&sets, fields, span)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn lacking_of(&mut self, sets: &[Set], fields: &[Value], span: Span) -> Result<Vec<Set>> {
        let n = fields.len();
        let mut found = Vec::new();
        if let Some(last) = fields.last()
            && !self.is_complete(last)?
        {
            found = self.lacking_within(&sets[n - 1], last, span)?;
        }
        found.extend_from_slice(sets.get(n..).unwrap_or_default());
        Ok(found)
    }

    /// What the open value `last` lacks to be an element of `set`.
    fn lacking_within(&mut self, set: &Set, last: &Value, span: Span) -> Result<Vec<Set>> {
        let Value::Made(maker, fields) = last else {
            unreachable!("only made values lack fields");
        };
        if let Set::Symbolic(symbolic) = set {
            match &**symbolic {
                Symbolic::Datatype(..) => return self.lacking(last, span),
                Symbolic::Made(other, sets) if other == maker => {
                    return self.lacking_of(sets, fields, span);
                }
                _ => {}
            }
        }
        let elements = self.refused(set.elements(), span)?;
        let endings: Vec<Value> = elements
            .iter()
            .filter_map(|e| ending(e, last))
            .map(dotted)
            .collect();
        let endings = Set::from(endings);
        // Where they are a product, its sets can be taken one by one.
        Ok(self
            .columns(endings.clone(), span)
            .unwrap_or_else(|_| vec![endings]))
    }

    /// `extensions(v)`: what is missing, as dotted values.
    pub fn extensions(&mut self, value: &Value, span: Span) -> Result<Set> {
        let sets = self.lacking(value, span)?;
        Ok(match sets.len() {
            0 => Set::empty(),
            1 => sets.into_iter().next().expect("one set"),
            _ => Set::from(Symbolic::Dots(sets)).listed_if_few(),
        })
    }

    /// `productions(v)`: the complete values that begin with this one.
    pub fn productions(&mut self, value: &Value, span: Span) -> Result<Set> {
        let value = self.deep(value.clone())?;
        if self.is_complete(&value)? {
            return Ok(Set::from(vec![value]));
        }
        match &value {
            Value::Made(maker, fields) => {
                let sets = self.fields(*maker)?;
                self.made_from(*maker, &sets, fields, span)
            }
            Value::Dot(parts) => {
                let mut sets: Vec<Set> = parts
                    .iter()
                    .map(|part| Set::from(vec![part.clone()]))
                    .collect();
                let last = parts.last().expect("a dotted value has fields");
                sets.pop();
                sets.push(self.productions(last, span)?);
                Ok(Set::from(Symbolic::Dots(sets)).listed_if_few())
            }
            _ => Ok(Set::from(vec![value])),
        }
    }

    /// The complete values of a maker that begin with these fields and keep to these sets.
    fn made_from(
        &mut self,
        maker: MakerId,
        sets: &[Set],
        fields: &[Value],
        span: Span,
    ) -> Result<Set> {
        let mut all: Vec<Set> = fields
            .iter()
            .map(|field| Set::from(vec![field.clone()]))
            .collect();
        if let (Some(last), Some(set)) = (fields.last(), sets.get(fields.len().wrapping_sub(1)))
            && !self.is_complete(last)?
        {
            all.pop();
            all.push(self.within(set, last, span)?);
        }
        all.extend_from_slice(sets.get(fields.len()..).unwrap_or_default());
        Ok(Set::from(Symbolic::Made(maker, all)).listed_if_few())
    }

    /// The elements of a set that begin with the open value `start`.
    fn within(&mut self, set: &Set, start: &Value, span: Span) -> Result<Set> {
        if let (Set::Symbolic(symbolic), Value::Made(maker, fields)) = (set, start) {
            match &**symbolic {
                Symbolic::Datatype(..) => return self.productions(start, span),
                Symbolic::Made(other, sets) if other == maker => {
                    return self.made_from(*maker, sets, fields, span);
                }
                _ => {}
            }
        }
        let elements = self.refused(set.elements(), span)?;
        let chosen = elements
            .iter()
            .filter(|e| ending(e, start).is_some())
            .cloned();
        Ok(Set::from(chosen.collect::<Vec<_>>()))
    }

    /// `S.T` as a type.
    pub(crate) fn type_dot(
        &mut self,
        parts: &'p [ExprCode],
        base: usize,
        span: Span,
    ) -> Result<Value> {
        let mut sets = Vec::new();
        for part in parts {
            let set = self.eval_set(part, base, span)?;
            sets.extend(self.columns(set, span)?);
        }
        Ok(Value::Set(Set::from(Symbolic::Dots(sets)).listed_if_few()))
    }

    /// `(S, T)` as a type.
    pub(crate) fn type_tuple(
        &mut self,
        parts: &'p [ExprCode],
        base: usize,
        span: Span,
    ) -> Result<Value> {
        let mut sets = Vec::new();
        for part in parts {
            match self.eval(part, base)? {
                Value::Set(set) => sets.push(set),
                other => {
                    let shown = self.shown(&other);
                    return self.fault(span, format!("{shown} is no set, and so no type"));
                }
            }
        }
        Ok(Value::Set(
            Set::from(Symbolic::Tuples(sets)).listed_if_few(),
        ))
    }

    /// The values of a datatype or subtype.
    pub fn datatype(&mut self, id: u32) -> Result<Set> {
        let program = self.program;
        let datatype = &program.datatypes[id as usize];
        let by_name = || {
            let makers = datatype.makers.iter().map(|(maker, _)| *maker).collect();
            Set::from(Symbolic::Datatype(datatype.name.clone(), makers))
        };
        match &self.state.datatypes[id as usize] {
            Memoised::Yes(set) => return Ok(set.clone()),
            // Its values contain values of its own: it is kept by name.
            Memoised::Busy => return Ok(by_name()),
            Memoised::No => {}
        }
        self.state.datatypes[id as usize] = Memoised::Busy;
        let result = self.datatype_parts(id);
        let set = match result {
            Ok(Some(parts)) => {
                let is_listed = parts.iter().all(|part| matches!(part, Set::Listed(_)));
                let is_sub = datatype.makers.iter().any(|(_, fields)| fields.is_some());
                if is_listed || is_sub {
                    union_of(parts)
                } else {
                    by_name()
                }
            }
            Ok(None) => by_name(),
            Err(fault) => {
                self.state.datatypes[id as usize] = Memoised::No;
                return Err(fault);
            }
        };
        self.state.datatypes[id as usize] = Memoised::Yes(set.clone());
        Ok(set)
    }

    /// The values of each constructor; none if one of them is being worked out already.
    fn datatype_parts(&mut self, id: u32) -> Result<Option<Vec<Set>>> {
        let program = self.program;
        let mut parts = Vec::new();
        for (maker, given) in &program.datatypes[id as usize].makers {
            if matches!(self.state.fields[maker.index()], Memoised::Busy) {
                return Ok(None);
            }
            let mut sets = self.fields(*maker)?.to_vec();
            if let Some(given) = given {
                // A subtype may narrow the first fields and leave the others as they are.
                let given = self.field_sets(given)?;
                for (set, narrow) in sets.iter_mut().zip(given.iter()) {
                    *set = narrow.clone();
                }
            }
            parts.push(Set::from(Symbolic::Made(*maker, sets)).listed_if_few());
        }
        Ok(Some(parts))
    }

    /// `Events`
    pub fn events(&mut self) -> Result<Set> {
        if let Some(set) = &self.state.all_events {
            return Ok(set.clone());
        }
        let mut parts = Vec::new();
        for i in 0..self.program.makers.len() {
            if self.program.makers[i].is_channel {
                let sets = self.fields(MakerId::new(i))?.to_vec();
                parts.push(Set::from(Symbolic::Made(MakerId::new(i), sets)).listed_if_few());
            }
        }
        let set = union_of(parts);
        self.state.all_events = Some(set.clone());
        Ok(set)
    }

    /// The event that a value is; a fault if it is none or lacks fields.
    pub fn event(&mut self, value: &Value, span: Span) -> Result<crate::process::Event> {
        let is_channel = match value {
            Value::Made(maker, _) => self.program.makers[maker.index()].is_channel,
            _ => false,
        };
        if !is_channel {
            return Err(Fault::new(
                span,
                format!("{} is no event", self.shown(value)),
            ));
        }
        if !self.is_complete(value)? {
            let words = format!("{} lacks fields and so is no event", self.shown(value));
            return Err(Fault::new(span, words));
        }
        let id = self.state.events.id(value.clone());
        Ok(crate::process::Event::new(id))
    }
}

/// The fields that `whole` has beyond `start`, if it begins with it.
fn ending(whole: &Value, start: &Value) -> Option<Vec<Value>> {
    let (Value::Made(a, all), Value::Made(b, given)) = (whole, start) else {
        return None;
    };
    if a != b || all.len() < given.len() {
        return None;
    }
    let Some((last, before)) = given.split_last() else {
        return Some(all.to_vec());
    };
    let n = before.len();
    if all[..n] != *before {
        return None;
    }
    let mut found = if all[n] == *last {
        Vec::new()
    } else {
        ending(&all[n], last)?
    };
    found.extend_from_slice(&all[n + 1..]);
    Some(found)
}
