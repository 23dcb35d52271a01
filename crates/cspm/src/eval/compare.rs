//! Values worked out in full, compared, and matched with patterns.

use super::code::Pat;
use super::fault::Result;
use super::machine::Evaluator;
use crate::value::set::ELEMENTS_MAX;
use crate::value::{DefinitionGroup, Function, Seq, Thunk, Todo, Value};
use base::Span;
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

/// Sequences longer than this are not worked out to tell processes apart.
const KEY_MAX: usize = 1 << 16;
/// How many elements of a sequence without end are shown.
const SHOWN_MAX: usize = 1000;

/// How deep values may be nested; comparing and dropping them goes as deep.
const NESTING_MAX: usize = 1000;

/// What becomes of a sequence that is longer than this.
#[derive(Clone, Copy)]
enum Long {
    /// A fault.
    Refused(usize),
    /// It keeps a rest that is not worked out, unless all of it is at hand.
    Cut(usize),
}

impl<'p> Evaluator<'p> {
    /// A value worked out in full.
    pub fn deep(&mut self, value: Value) -> Result<Value> {
        let value = self.deep_within(value, Long::Refused(ELEMENTS_MAX))?;
        if is_nested(&value, NESTING_MAX, &mut (8 * NESTING_MAX)) {
            return self.fault(self.state.at, too_nested());
        }
        Ok(value)
    }

    /// A value worked out as far as it is shown: a long sequence keeps a rest.
    pub fn shallow(&mut self, value: Value) -> Result<Value> {
        self.deep_within(value, Long::Cut(SHOWN_MAX))
    }

    fn deep_within(&mut self, value: Value, most: Long) -> Result<Value> {
        if self.nesting == NESTING_MAX {
            return self.fault(self.state.at, too_nested());
        }
        self.nesting += 1;
        let result = self.with_room(|machine| machine.deep_parts(value, most));
        self.nesting -= 1;
        result
    }

    fn deep_parts(&mut self, value: Value, most: Long) -> Result<Value> {
        match self.force(value)? {
            Value::Seq(seq) => self.deep_seq(&seq, most),
            Value::Tuple(parts) => {
                if parts.iter().all(is_plain) {
                    return Ok(Value::Tuple(parts));
                }
                let parts: Result<Vec<Value>> = parts
                    .iter()
                    .map(|part| self.deep_within(part.clone(), most))
                    .collect();
                Ok(Value::tuple(parts?))
            }
            Value::Function(function) => Ok(Value::Function(self.deep_function(function))),
            Value::Group(group) => {
                if group.captured.iter().all(is_plain) {
                    return Ok(Value::Group(group));
                }
                let captured = self.keys(&group.captured);
                let cells = group.cells.iter().map(|_| OnceLock::new()).collect();
                Ok(Value::Group(Arc::new(DefinitionGroup {
                    id: group.id,
                    captured,
                    cells,
                })))
            }
            value => Ok(value),
        }
    }

    fn deep_seq(&mut self, seq: &Seq, most: Long) -> Result<Value> {
        if seq.is_whole() && seq.chunk().iter().all(is_plain) {
            return Ok(Value::Seq(seq.clone()));
        }
        let mut all = Vec::new();
        let mut left = seq.clone();
        loop {
            match most {
                Long::Refused(n) if all.len() == n => {
                    let words = format!("this sequence has more than {n} elements");
                    return self.fault(self.state.at, words);
                }
                Long::Cut(n) if all.len() == n && !left.is_whole() => {
                    let rest = Arc::new(Thunk::new(Todo::Append(Value::Seq(left), empty())));
                    return Ok(Value::Seq(Seq::with_rest(all, rest)));
                }
                _ => {}
            }
            let Some(first) = self.take_first(&mut left)? else {
                return Ok(Value::Seq(Seq::from(all)));
            };
            all.push(self.deep_within(first, most)?);
        }
    }

    fn deep_function(&mut self, function: Arc<Function>) -> Arc<Function> {
        match &*function {
            Function::Closure {
                code,
                captured,
                given,
            } => {
                if captured.iter().chain(given.iter()).all(is_plain) {
                    return function;
                }
                Arc::new(Function::Closure {
                    code: *code,
                    captured: self.keys(captured),
                    given: self.keys(given),
                })
            }
            _ => function,
        }
    }

    /// Values by which processes and functions are told apart: worked out where that succeeds, and
    /// left as they are where it does not, because nobody may ever ask for them.
    pub fn keys(&mut self, values: &Arc<[Value]>) -> Arc<[Value]> {
        if values.iter().all(is_plain) {
            return values.clone();
        }
        let key = |value: &Value| {
            let full = self.deep_within(value.clone(), Long::Refused(KEY_MAX));
            full.unwrap_or_else(|_| value.clone())
        };
        values.iter().map(key).collect()
    }

    /// `==`
    pub fn equal(&mut self, left: Value, right: Value, span: Span) -> Result<bool> {
        match (self.force(left)?, self.force(right)?) {
            (Value::Seq(a), Value::Seq(b)) => {
                Ok(self.compare_seqs(a, b, span)? == Some(Ordering::Equal))
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                for (x, y) in a.iter().zip(b.iter()) {
                    if !self.equal(x.clone(), y.clone(), span)? {
                        return Ok(false);
                    }
                }
                Ok(a.len() == b.len())
            }
            (Value::Set(a), Value::Set(b)) => self.refused(a.same(&b), span),
            (a, b) => Ok(self.deep(a)? == self.deep(b)?),
        }
    }

    /// How two values stand to each other in the order of the language: sets by inclusion,
    /// sequences by prefix.
    pub fn compare(&mut self, left: Value, right: Value, span: Span) -> Result<Option<Ordering>> {
        match (self.force(left)?, self.force(right)?) {
            (Value::Seq(a), Value::Seq(b)) => self.compare_seqs(a, b, span),
            (Value::Set(a), Value::Set(b)) => {
                let below = self.refused(a.is_subset(&b), span)?;
                let above = self.refused(b.is_subset(&a), span)?;
                Ok(match (below, above) {
                    (true, true) => Some(Ordering::Equal),
                    (true, false) => Some(Ordering::Less),
                    (false, true) => Some(Ordering::Greater),
                    (false, false) => None,
                })
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                for (x, y) in a.iter().zip(b.iter()) {
                    let order = self.compare(x.clone(), y.clone(), span)?;
                    if order != Some(Ordering::Equal) {
                        return Ok(order);
                    }
                }
                Ok(Some(a.len().cmp(&b.len())))
            }
            (a, b) => {
                let (a, b) = (self.deep(a)?, self.deep(b)?);
                Ok(Some(a.cmp(&b)))
            }
        }
    }

    /// Equal, or one a prefix of the other, or neither.
    fn compare_seqs(&mut self, a: Seq, b: Seq, span: Span) -> Result<Option<Ordering>> {
        let (mut a, mut b) = (a, b);
        loop {
            match (self.take_first(&mut a)?, self.take_first(&mut b)?) {
                (None, None) => return Ok(Some(Ordering::Equal)),
                (None, Some(_)) => return Ok(Some(Ordering::Less)),
                (Some(_), None) => return Ok(Some(Ordering::Greater)),
                (Some(x), Some(y)) => {
                    if !self.equal(x, y, span)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Whether a value fits a pattern; its variables are then in their slots.
    pub fn matches(&mut self, pattern: &'p Pat, value: Value, base: usize) -> Result<bool> {
        match pattern {
            Pat::Any => Ok(true),
            Pat::Bind(slot) => {
                self.state.stack[base + *slot as usize] = value;
                Ok(true)
            }
            Pat::Known(known) => Ok(self.force(value)? == *known),
            Pat::Maker(maker) => Ok(match self.force(value)? {
                Value::Made(other, fields) => other == *maker && fields.is_empty(),
                _ => false,
            }),
            Pat::Tuple(patterns) => match self.force(value)? {
                Value::Tuple(parts) if parts.len() == patterns.len() => {
                    self.match_all(patterns, &parts, base)
                }
                _ => Ok(false),
            },
            Pat::Sequence(front, middle, back) => match self.force(value)? {
                Value::Seq(seq) => self.match_seq(front, middle.as_deref(), back, seq, base),
                _ => Ok(false),
            },
            Pat::EmptySet => Ok(match self.force(value)? {
                Value::Set(set) => set.is_empty(),
                _ => false,
            }),
            Pat::Singleton(pattern) => match self.force(value)? {
                Value::Set(set) => match set.elements() {
                    Ok(elements) if elements.len() == 1 => {
                        self.matches(pattern, elements[0].clone(), base)
                    }
                    _ => Ok(false),
                },
                _ => Ok(false),
            },
            Pat::Both(both) => Ok(self.matches(&both.0, value.clone(), base)?
                && self.matches(&both.1, value, base)?),
            Pat::Dot(patterns) => {
                let value = self.force(value)?;
                let left = match value {
                    Value::Dot(parts) => parts.iter().rev().cloned().collect(),
                    other => vec![other],
                };
                self.match_dots(patterns, left, base)
            }
        }
    }

    fn match_all(&mut self, patterns: &'p [Pat], values: &[Value], base: usize) -> Result<bool> {
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.matches(pattern, value.clone(), base)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn match_seq(
        &mut self,
        front: &'p [Pat],
        middle: Option<&'p Pat>,
        back: &'p [Pat],
        seq: Seq,
        base: usize,
    ) -> Result<bool> {
        let mut left = seq;
        for pattern in front {
            let Some(first) = self.take_first(&mut left)? else {
                return Ok(false);
            };
            if !self.matches(pattern, first, base)? {
                return Ok(false);
            }
        }
        let Some(middle) = middle else {
            return Ok(!self.has_front(&left)?);
        };
        if back.is_empty() {
            return self.matches(middle, Value::Seq(left), base);
        }
        let mut elements = self.elements(&left, self.state.at)?;
        let Some(n) = elements.len().checked_sub(back.len()) else {
            return Ok(false);
        };
        let last = elements.split_off(n);
        Ok(self.match_all(back, &last, base)?
            && self.matches(middle, Value::Seq(Seq::from(elements)), base)?)
    }

    /// Dotted patterns against fields, the next field last in `left`. A constructor takes its
    /// fields apart; the last pattern takes all that is left.
    fn match_dots(&mut self, patterns: &'p [Pat], left: Vec<Value>, base: usize) -> Result<bool> {
        let mut left = left;
        for (i, pattern) in patterns.iter().enumerate() {
            let is_last = i + 1 == patterns.len();
            if is_last && !matches!(pattern, Pat::Maker(_)) {
                left.reverse();
                return match left.len() {
                    0 => Ok(false),
                    1 => self.matches(pattern, left.remove(0), base),
                    _ => self.matches(pattern, Value::Dot(left.into()), base),
                };
            }
            let Some(next) = left.pop() else {
                return Ok(false);
            };
            match (pattern, next) {
                (Pat::Maker(maker), Value::Made(other, fields)) => {
                    if other != *maker {
                        return Ok(false);
                    }
                    left.extend(fields.iter().rev().cloned());
                    if is_last {
                        return Ok(left.is_empty());
                    }
                }
                // With nothing behind it, a made value has to give of its own fields.
                (_, Value::Made(maker, fields)) if left.is_empty() && !fields.is_empty() => {
                    left.extend(fields.iter().rev().cloned());
                    if !self.matches(pattern, Value::Made(maker, Arc::from([])), base)? {
                        return Ok(false);
                    }
                }
                (_, next) => {
                    if !self.matches(pattern, next, base)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(left.is_empty())
    }
}

/// Whether a value has surely no part that is not worked out.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Int(_)
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Dot(_)
        | Value::Made(..)
        | Value::Process(_) => true,
        Value::Tuple(parts) => parts.iter().all(is_plain),
        Value::Seq(seq) => seq.is_whole() && seq.chunk().iter().all(is_plain),
        Value::Function(function) => match &**function {
            Function::Closure {
                captured, given, ..
            } => captured.iter().chain(given.iter()).all(is_plain),
            _ => true,
        },
        Value::Group(group) => group.captured.iter().all(is_plain),
        Value::Thunk(_) => false,
    }
}

fn empty() -> Value {
    Value::Seq(Seq::from(Vec::new()))
}

fn too_nested() -> String {
    format!("this value is nested more than {NESTING_MAX} deep")
}

/// Whether a value is nested deeper than this, as far as a look at a part of it shows: first and
/// last elements only, and no more than so many of them, because parts may be shared and the whole
/// may be large.
fn is_nested(value: &Value, most: usize, budget: &mut usize) -> bool {
    let (Some(less), Some(left)) = (most.checked_sub(1), budget.checked_sub(1)) else {
        return most == 0;
    };
    *budget = left;
    let mut any = |parts: &[Value]| match parts {
        [] => false,
        [one] => is_nested(one, less, budget),
        [first, .., last] => is_nested(first, less, budget) || is_nested(last, less, budget),
    };
    match value {
        Value::Tuple(parts) | Value::Dot(parts) | Value::Made(_, parts) => any(parts),
        Value::Seq(seq) => any(seq.chunk()),
        Value::Set(crate::value::Set::Listed(elements)) => any(elements),
        Value::Map(map) => match map.last_key_value() {
            Some((key, value)) => is_nested(key, less, budget) || is_nested(value, less, budget),
            None => false,
        },
        _ => false,
    }
}
