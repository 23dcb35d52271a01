//! Sequences: a chunk of elements, and perhaps a rest that is not worked out yet.
//!
//! `<x> ^ f(xs)` must not evaluate `f(xs)` before it is asked for, and `tail` must not copy; so a
//! sequence is a shared array with the place of its first element, and behind it an optional thunk
//! that gives the rest. `<1, 2> ^ r` is the chunk `1 2` with the rest `r`; its tail is the same
//! chunk from place 1 on. Sequences that are worked out in full are one chunk without a rest.

use super::{Thunk, Value};
use std::sync::Arc;

/// A sequence.
#[derive(Clone, Debug)]
pub struct Seq {
    chunk: Arc<Vec<Value>>,
    start: usize,
    rest: Option<Arc<Thunk>>,
}

impl From<Vec<Value>> for Seq {
    fn from(elements: Vec<Value>) -> Seq {
        Seq {
            chunk: Arc::new(elements),
            start: 0,
            rest: None,
        }
    }
}

impl Seq {
    /// Elements with a rest behind them.
    pub(crate) fn with_rest(elements: Vec<Value>, rest: Arc<Thunk>) -> Seq {
        Seq {
            chunk: Arc::new(elements),
            start: 0,
            rest: Some(rest),
        }
    }

    /// The same chunk with a rest behind it; what it had as a rest is dropped.
    pub(crate) fn followed_by(&self, rest: Arc<Thunk>) -> Seq {
        Seq {
            rest: Some(rest),
            ..self.clone()
        }
    }

    /// The elements of its first chunk.
    pub fn chunk(&self) -> &[Value] {
        &self.chunk[self.start..]
    }

    /// What comes behind its first chunk.
    pub fn rest(&self) -> Option<&Arc<Thunk>> {
        self.rest.as_ref()
    }

    /// Its chunk, with what stands before its first element, and its rest.
    pub(crate) fn into_parts(self) -> (Arc<Vec<Value>>, Option<Arc<Thunk>>) {
        (self.chunk, self.rest)
    }

    /// Whether it is one chunk.
    pub fn is_whole(&self) -> bool {
        self.rest.is_none()
    }

    /// Takes the first element off, as far as it is known: an element, nothing if there is none, or
    /// what has to be worked out first.
    pub(crate) fn take_first(&mut self) -> Result<Option<Value>, Arc<Thunk>> {
        loop {
            if let Some(first) = self.chunk.get(self.start) {
                self.start += 1;
                return Ok(Some(first.clone()));
            }
            let Some(rest) = &self.rest else {
                return Ok(None);
            };
            match rest.done().map(Value::seen) {
                Some(Value::Seq(next)) => *self = next.clone(),
                _ => return Err(rest.clone()),
            }
        }
    }

    /// The elements that are known, in order, and then the part that is not, if there is one.
    pub fn known(&self) -> KnownElements<'_> {
        KnownElements {
            seq: Some(self),
            place: self.start,
        }
    }
}

/// Goes through the known elements of a sequence.
pub struct KnownElements<'a> {
    seq: Option<&'a Seq>,
    place: usize,
}

/// An element, or the part that is not known, which comes last.
pub enum SequencePart<'a> {
    /// An element.
    Element(&'a Value),
    /// Everything from here on is to be worked out.
    Rest(&'a Arc<Thunk>),
}

impl<'a> Iterator for KnownElements<'a> {
    type Item = SequencePart<'a>;

    fn next(&mut self) -> Option<SequencePart<'a>> {
        loop {
            let seq = self.seq?;
            if let Some(element) = seq.chunk.get(self.place) {
                self.place += 1;
                return Some(SequencePart::Element(element));
            }
            self.seq = None;
            let rest = seq.rest.as_ref()?;
            match rest.done().map(Value::seen) {
                Some(Value::Seq(next)) => {
                    self.seq = Some(next);
                    self.place = next.start;
                }
                _ => return Some(SequencePart::Rest(rest)),
            }
        }
    }
}
