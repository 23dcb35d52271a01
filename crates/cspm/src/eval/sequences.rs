//! Sequences, by need: fronts, appending, comprehensions; and sets that are listed.
//!
//! A comprehension of a sequence gives one round of elements at a time and keeps what its
//! generators have left, so that `head(<x | x <- <0..>, x % 2 == 1>)` ends. Those of sets run to
//! the end.

use super::code::{CaptureSite, ExprCode, Heads, Qualifier, Such};
use super::fault::{Fault, Result};
use super::machine::Evaluator;
use crate::value::set::{ELEMENTS_MAX, SetRefusal};
use crate::value::symbolic::Symbolic;
use crate::value::{LazyId, Seq, Set, Thunk, Todo, Value};
use base::Span;
use std::sync::Arc;

/// Sequences up to this length are copied when they are appended.
const COPIED_MAX: usize = 64;
/// How many numbers of an endless range are made at once.
const NUMBERS: i64 = 32;

impl<'p> Evaluator<'p> {
    /// Takes the first element off a sequence; none if there is none.
    pub(crate) fn take_first(&mut self, seq: &mut Seq) -> Result<Option<Value>> {
        loop {
            match seq.take_first() {
                Ok(first) => return Ok(first),
                Err(thunk) => {
                    let rest = self.force(Value::Thunk(thunk))?;
                    if !matches!(rest, Value::Seq(_)) {
                        return self
                            .fault(self.state.at, format!("{} is no sequence", rest.kind()));
                    }
                }
            }
        }
    }

    /// The first element and the others; none if there is none.
    pub fn front(&mut self, seq: &Seq) -> Result<Option<(Value, Seq)>> {
        let mut others = seq.clone();
        Ok(self.take_first(&mut others)?.map(|first| (first, others)))
    }

    /// Whether there is an element.
    pub(crate) fn has_front(&mut self, seq: &Seq) -> Result<bool> {
        if !seq.chunk().is_empty() {
            return Ok(true);
        }
        Ok(self.front(seq)?.is_some())
    }

    /// All elements, none of them worked out for this.
    pub fn elements(&mut self, seq: &Seq, span: Span) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        let mut left = seq.clone();
        loop {
            if left.is_whole() {
                all.extend_from_slice(left.chunk());
                return Ok(all);
            }
            let Some(first) = self.take_first(&mut left)? else {
                return Ok(all);
            };
            all.push(first);
            if all.len() > ELEMENTS_MAX {
                return self.fault(
                    span,
                    format!("this sequence has more than {ELEMENTS_MAX} elements"),
                );
            }
        }
    }

    /// The second behind the first; the second is not worked out if the first has elements.
    pub fn append(&mut self, first: Seq, second: Value, span: Span) -> Result<Seq> {
        if !self.has_front(&first)? {
            return match self.force(second)? {
                Value::Seq(seq) => Ok(seq),
                other => self.fault(span, format!("{} is no sequence", self.shown(&other))),
            };
        }
        let first = flattened(first);
        if let Value::Seq(known) = second.seen()
            && first.is_whole()
            && known.is_whole()
            && first.chunk().len() + known.chunk().len() <= COPIED_MAX
        {
            let both = first.chunk().iter().chain(known.chunk()).cloned();
            return Ok(Seq::from(both.collect::<Vec<_>>()));
        }
        let rest = match first.rest() {
            None => as_thunk(second),
            Some(rest) => Arc::new(Thunk::new(Todo::Append(Value::Thunk(rest.clone()), second))),
        };
        Ok(first.followed_by(rest))
    }

    /// All of a sequence of sequences, one after the other.
    pub fn concat(&mut self, all: Value, span: Span) -> Result<Seq> {
        let mut left = match self.force(all)? {
            Value::Seq(seq) => seq,
            other => return self.fault(span, format!("{} is no sequence", self.shown(&other))),
        };
        loop {
            let Some(first) = self.take_first(&mut left)? else {
                return Ok(Seq::from(Vec::new()));
            };
            let Value::Seq(first) = self.force(first)? else {
                return self.fault(span, "an element is no sequence");
            };
            if self.has_front(&first)? {
                let rest = Thunk::new(Todo::Concat(Value::Seq(left)));
                return self.append(first, Value::Thunk(Arc::new(rest)), span);
            }
        }
    }

    /// `<n..>`
    pub(crate) fn numbers_from(&mut self, n: i64) -> Result<Seq> {
        let Some(next) = n.checked_add(NUMBERS) else {
            return self.fault(self.state.at, "this number is out of range");
        };
        let rest = Arc::new(Thunk::new(Todo::From(next)));
        Ok(Seq::with_rest((n..next).map(Value::Int).collect(), rest))
    }

    /// `<a..b>`, `<a..>`
    pub(crate) fn list_range(
        &mut self,
        first: &'p ExprCode,
        last: Option<&'p ExprCode>,
        base: usize,
        span: Span,
    ) -> Result<Value> {
        let first = self.eval_int(first, base, span)?;
        let Some(last) = last else {
            return self.numbers_from(first).map(Value::Seq);
        };
        let last = self.eval_int(last, base, span)?;
        let set = self.refused(Set::range(first, last), span)?;
        let elements = self.refused(set.elements(), span)?;
        Ok(Value::Seq(Seq::from(elements.to_vec())))
    }

    /// The answer of an operator on sets, or its refusal as a fault.
    pub fn refused<T>(&self, answer: std::result::Result<T, SetRefusal>, span: Span) -> Result<T> {
        answer.map_err(|why| Fault::new(span, why.words()))
    }

    /// `<e | …>`
    pub(crate) fn list_such(
        &mut self,
        site: &'p CaptureSite<LazyId>,
        base: usize,
    ) -> Result<Value> {
        let program = self.program;
        let lazy = &program.lazies[site.id.index()];
        let mut slots = vec![Value::nothing(); lazy.n_slots];
        for (own, from) in lazy.own.iter().zip(&site.from) {
            slots[*own as usize] = self.state.stack[base + *from as usize].clone();
        }
        self.rounds(site.id, slots, Vec::new(), Some(0))
    }

    /// The rest of a comprehension.
    pub(crate) fn resume_such(
        &mut self,
        id: LazyId,
        slots: Vec<Value>,
        left: Vec<Value>,
    ) -> Result<Value> {
        self.rounds(id, slots, left, None)
    }

    /// One round of a comprehension: from statement `start`, or from where the last generator
    /// stands.
    fn rounds(
        &mut self,
        id: LazyId,
        slots: Vec<Value>,
        left: Vec<Value>,
        start: Option<usize>,
    ) -> Result<Value> {
        let program = self.program;
        let ExprCode::Such(such) = &program.lazies[id.index()].body else {
            unreachable!("the body of a comprehension");
        };
        let base = self.state.stack.len();
        self.state.stack.extend(slots);
        let result = self.round(such, left, start, base);
        let slots: Vec<Value> = self.state.stack.drain(base..).collect();
        let Some((found, left)) = result? else {
            return Ok(Value::Seq(Seq::from(Vec::new())));
        };
        if left.is_empty() {
            return Ok(Value::Seq(found));
        }
        let left = left.into_iter().map(Value::Seq).collect();
        let rest = Arc::new(Thunk::new(Todo::Such(id, slots, left)));
        // A round of no elements must not be taken for the end.
        self.append(found, Value::Thunk(rest), self.state.at)
            .map(Value::Seq)
    }

    fn round(
        &mut self,
        such: &'p Such,
        left: Vec<Value>,
        start: Option<usize>,
        base: usize,
    ) -> Result<Option<(Seq, Vec<Seq>)>> {
        let mut left: Vec<Seq> = left.into_iter().filter_map(as_seq).collect();
        let generators: Vec<usize> = (0..such.statements.len())
            .filter(|&i| matches!(such.statements[i], Qualifier::From(..)))
            .collect();
        let mut next = start;
        loop {
            let i = match next.take() {
                Some(i) => i,
                None => match self.advance(such, &generators, &mut left, base)? {
                    Some(i) => i,
                    None => return Ok(None),
                },
            };
            match such.statements.get(i) {
                None => return Ok(Some((self.heads(&such.heads, base)?, left))),
                Some(Qualifier::If(condition, span)) => {
                    if self.eval_bool(condition, base, *span)? {
                        next = Some(i + 1);
                    }
                }
                Some(Qualifier::From(_, source, span)) => {
                    let source = self.source(source, base, *span)?;
                    left.push(source);
                }
            }
        }
    }

    /// Takes the next element of the innermost generator that has one; the statement after it.
    fn advance(
        &mut self,
        such: &'p Such,
        generators: &[usize],
        left: &mut Vec<Seq>,
        base: usize,
    ) -> Result<Option<usize>> {
        while let Some(seq) = left.last_mut() {
            let Some(first) = self.take_first(seq)? else {
                left.pop();
                continue;
            };
            let statement = generators[left.len() - 1];
            let Qualifier::From(pattern, ..) = &such.statements[statement] else {
                unreachable!("a generator");
            };
            if self.matches(pattern, first, base)? {
                return Ok(Some(statement + 1));
            }
        }
        Ok(None)
    }

    /// What a generator runs over, as a sequence.
    pub fn source(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<Seq> {
        match self.eval(code, base)? {
            Value::Seq(seq) => Ok(seq),
            Value::Set(set) => {
                let elements = self.refused(set.elements(), span)?;
                Ok(Seq::from(elements.to_vec()))
            }
            other => {
                let shown = self.shown(&other);
                self.fault(span, format!("{shown} is neither a set nor a sequence"))
            }
        }
    }

    fn heads(&mut self, heads: &'p Heads, base: usize) -> Result<Seq> {
        match heads {
            Heads::List(codes) => {
                let values: Result<Vec<Value>> =
                    codes.iter().map(|code| self.delay(code, base)).collect();
                Ok(Seq::from(values?))
            }
            Heads::Range(first, last, span) => {
                match self.list_range(first, last.as_ref(), base, *span)? {
                    Value::Seq(seq) => Ok(seq),
                    _ => unreachable!("a range is a sequence"),
                }
            }
        }
    }

    /// Does something for every round of generators and conditions, variables in their slots.
    pub fn each(
        &mut self,
        steps: &'p [Qualifier],
        base: usize,
        visit: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        match steps.split_first() {
            None => visit(self),
            Some((Qualifier::If(condition, span), others)) => {
                if self.eval_bool(condition, base, *span)? {
                    self.each(others, base, visit)?;
                }
                Ok(())
            }
            Some((Qualifier::From(pattern, source, span), others)) => {
                let mut left = self.source(source, base, *span)?;
                while let Some(first) = self.take_first(&mut left)? {
                    self.go_on()?;
                    if self.matches(pattern, first, base)? {
                        self.each(others, base, visit)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// `{a, b}`
    pub(crate) fn set_list(&mut self, parts: &'p [ExprCode], base: usize) -> Result<Value> {
        let mut elements = Vec::with_capacity(parts.len());
        for part in parts {
            let value = self.eval(part, base)?;
            elements.push(self.deep(value)?);
        }
        Ok(Value::Set(Set::from(elements)))
    }

    /// `{a..b}`, `{a..}`
    pub(crate) fn set_range(
        &mut self,
        first: &'p ExprCode,
        last: Option<&'p ExprCode>,
        base: usize,
        span: Span,
    ) -> Result<Set> {
        let first = self.eval_int(first, base, span)?;
        let Some(last) = last else {
            return Ok(Symbolic::From(first).into());
        };
        let last = self.eval_int(last, base, span)?;
        self.refused(Set::range(first, last), span)
    }

    /// `{e | …}`
    pub(crate) fn set_such(&mut self, such: &'p Such, base: usize) -> Result<Value> {
        let (mut elements, mut ranges) = (Vec::new(), Set::empty());
        self.each(&such.statements, base, &mut |machine| match &such.heads {
            Heads::List(codes) => {
                for code in codes {
                    let value = machine.eval(code, base)?;
                    elements.push(machine.deep(value)?);
                }
                Ok(())
            }
            Heads::Range(first, last, span) => {
                let range = machine.set_range(first, last.as_ref(), base, *span)?;
                ranges = ranges.union(&range);
                Ok(())
            }
        })?;
        Ok(Value::Set(Set::from(elements).union(&ranges)))
    }

    /// `{| a, b |}`
    pub fn closure(&mut self, parts: &'p [ExprCode], base: usize, span: Span) -> Result<Value> {
        let mut all = Set::empty();
        for part in parts {
            let value = self.eval(part, base)?;
            let more = self.productions(&value, span)?;
            all = all.union(&more);
        }
        Ok(Value::Set(all))
    }

    /// `{| a | … |}`
    pub(crate) fn closure_such(
        &mut self,
        such: &'p Such,
        base: usize,
        span: Span,
    ) -> Result<Value> {
        let mut parts = Vec::new();
        self.each(&such.statements, base, &mut |machine| {
            if let Heads::List(codes) = &such.heads {
                for code in codes {
                    let value = machine.eval(code, base)?;
                    parts.push(machine.productions(&value, span)?);
                }
            }
            Ok(())
        })?;
        Ok(Value::Set(union_of(parts)))
    }
}

/// The union of many sets, the listed ones sorted together.
pub fn union_of(sets: Vec<Set>) -> Set {
    let (mut listed, mut others) = (Vec::new(), Set::empty());
    for set in sets {
        match set {
            Set::Listed(elements) => listed.extend_from_slice(&elements),
            symbolic => others = others.union(&symbolic),
        }
    }
    Set::from(listed).union(&others)
}

fn as_seq(value: Value) -> Option<Seq> {
    match value {
        Value::Seq(seq) => Some(seq),
        _ => None,
    }
}

fn as_thunk(value: Value) -> Arc<Thunk> {
    match value {
        Value::Thunk(thunk) => thunk,
        value => Arc::new(Thunk::known(value)),
    }
}

/// The same sequence as one chunk, if all of it is known.
fn flattened(seq: Seq) -> Seq {
    use crate::value::sequence::SequencePart;
    if seq.is_whole() {
        return seq;
    }
    let mut all = Vec::new();
    for part in seq.known() {
        match part {
            SequencePart::Element(value) => all.push(value.clone()),
            SequencePart::Rest(_) => return seq,
        }
    }
    Seq::from(all)
}
