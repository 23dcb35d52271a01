//! Process expressions to terms.
//!
//! A call of a process, and a definition without parameters that is one, are not evaluated: they
//! become a [`Term::Later`] under the function and its arguments, worked out in full. What follows
//! an event is put off too, under the expression and the values of its variables. So recursion
//! closes as soon as the same call or the same rest comes back.
//!
//! `P [a <-> b] Q` renames both events to one that no script can name, synchronises on it and hides
//! it: the joined communication is internal.

use super::code::{
    ExprCode, GlobalKind, MemberKind, Operator, PairsCode, ProcessCode, Program, ReplicatedCode,
};
use super::fault::{Fault, Result};
use super::machine::Evaluator;
use super::state::Suspended;
use crate::process::{Event, LaterId, SetId, Term, TermId};
use crate::value::{DefinitionGroup, FnId, Set, Value};
use base::Span;
use std::sync::Arc;

/// The longest wait that is written out.
const WAIT_MAX: i64 = 1 << 20;

impl<'p> Evaluator<'p> {
    /// A definition of the script as a process.
    pub(crate) fn global_process(&mut self, id: u32) -> TermId {
        self.state.later(Suspended::Global(id))
    }

    /// A local definition as a process.
    pub(crate) fn member_process(
        &mut self,
        group: &Arc<DefinitionGroup>,
        index: u32,
    ) -> Result<TermId> {
        let group = match self.deep(Value::Group(group.clone()))? {
            Value::Group(group) => group,
            _ => unreachable!("a group stays one"),
        };
        Ok(self.state.later(Suspended::Member(group, index)))
    }

    /// A call as a process.
    pub(crate) fn process_call(
        &mut self,
        code: FnId,
        captured: &Arc<[Value]>,
        arguments: Vec<Value>,
    ) -> Result<TermId> {
        let captured = self.keys(captured);
        let arguments: Arc<[Value]> = arguments.into();
        let arguments = self.keys(&arguments);
        Ok(self.state.later(Suspended::Call(code, captured, arguments)))
    }

    /// What a process that is put off stands for.
    pub fn unfold(&mut self, later: LaterId) -> Result<TermId> {
        if let Some(term) = self.state.unfolded[later.index()] {
            return Ok(term);
        }
        let suspended = self.state.laters.get(later.index()).clone();
        if let Some(span) = place(self.program, &suspended) {
            self.state.at = span;
        }
        let value = match suspended {
            Suspended::Global(id) => match self.program.globals[id as usize].kind {
                GlobalKind::Value(lazy) => self.global_value(id, lazy)?,
                _ => unreachable!("a process without parameters"),
            },
            Suspended::Member(group, index) => self.member_value(&group, index)?,
            Suspended::Call(code, captured, arguments) => {
                self.run_process(code, &captured, &arguments)?
            }
            Suspended::Code(id, captured) => self.run_lazy(id, &captured)?,
            Suspended::Timed(tock, choice) => self.timed_prefix(tock, &choice),
            Suspended::TimedSkip(tock) => self.timed_skip(tock),
            Suspended::Loop(process) => {
                let again = self.state.terms.term(Term::Later(later));
                Value::Process(self.state.terms.term(Term::Then(process, again)))
            }
            Suspended::Buffer(capacity, pairs, held) => self.buffer_step(capacity, &pairs, &held),
        };
        let term = match value {
            Value::Process(term) => term,
            other => {
                let words = format!("{} is no process", self.shown(&other));
                return self.fault(self.state.at, words);
            }
        };
        self.state.unfolded[later.index()] = Some(term);
        Ok(term)
    }

    fn timed_prefix(&mut self, tock: Event, choice: &Arc<[(Event, TermId)]>) -> Value {
        let again = self.state.later(Suspended::Timed(tock, choice.clone()));
        let all: Vec<(Event, TermId)> = choice.iter().copied().chain([(tock, again)]).collect();
        Value::Process(self.state.terms.term(Term::Prefix(all.into())))
    }

    fn timed_skip(&mut self, tock: Event) -> Value {
        let again = self.state.later(Suspended::TimedSkip(tock));
        let terms = &mut self.state.terms;
        let tick = terms.term(Term::Skip);
        let wait = terms.term(Term::Prefix([(tock, again)].into()));
        Value::Process(terms.term(Term::External([tick, wait].into())))
    }

    fn buffer_step(
        &mut self,
        capacity: usize,
        pairs: &Arc<[(Event, Event)]>,
        held: &Arc<[Event]>,
    ) -> Value {
        let mut offers = Vec::new();
        if held.len() < capacity {
            for &(input, output) in pairs.iter() {
                let more: Arc<[Event]> = held.iter().copied().chain([output]).collect();
                let next = Suspended::Buffer(capacity, pairs.clone(), more);
                offers.push((input, self.state.later(next)));
            }
        }
        if let Some((first, others)) = held.split_first() {
            let next = Suspended::Buffer(capacity, pairs.clone(), others.into());
            offers.push((*first, self.state.later(next)));
        }
        Value::Process(self.state.terms.term(Term::Prefix(offers.into())))
    }

    /// `n` units of time, then `then`.
    pub fn wait(&mut self, tock: Event, n: i64, then: TermId, span: Span) -> Result<TermId> {
        if !(0..=WAIT_MAX).contains(&n) {
            return self.fault(span, format!("{n} is no number of units to wait"));
        }
        let mut term = then;
        for _ in 0..n {
            term = self.state.terms.term(Term::Prefix([(tock, term)].into()));
        }
        Ok(term)
    }

    /// An operand.
    pub fn operand(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<TermId> {
        match self.eval(code, base)? {
            Value::Process(term) => Ok(term),
            other => self.fault(span, format!("{} is no process", self.shown(&other))),
        }
    }

    /// The events of a set of values.
    pub(crate) fn event_set(&mut self, set: &Set, span: Span) -> Result<SetId> {
        let elements = self.refused(set.elements(), span)?;
        let mut events = Vec::with_capacity(elements.len());
        for value in elements.iter() {
            events.push(self.event(value, span)?);
        }
        Ok(self.state.terms.set(events))
    }

    fn eval_events(&mut self, code: &'p ExprCode, base: usize, span: Span) -> Result<SetId> {
        let set = self.eval_set(code, base, span)?;
        self.event_set(&set, span)
    }

    /// A process operator.
    pub(crate) fn eval_process(&mut self, process: &'p ProcessCode, base: usize) -> Result<TermId> {
        match process {
            ProcessCode::Prefix(prefix) => self.prefix(prefix, base),
            ProcessCode::Binary(op, sets, left, right, span) => {
                let left = self.operand(left, base, *span)?;
                let right = self.operand(right, base, *span)?;
                let sets: Result<Vec<SetId>> = sets
                    .iter()
                    .map(|set| self.eval_events(set, base, *span))
                    .collect();
                let term = binary(*op, left, right, &sets?, &mut self.state.terms);
                Ok(self.state.terms.term(term))
            }
            ProcessCode::Hide(process, set, span) => {
                let process = self.operand(process, base, *span)?;
                let events = self.eval_events(set, base, *span)?;
                Ok(self.state.terms.term(Term::Hide(process, events)))
            }
            ProcessCode::Project(process, set, span) => {
                let process = self.operand(process, base, *span)?;
                let kept = self.eval_set(set, base, *span)?;
                let all = self.events()?;
                let hidden = self.refused(all.diff(&kept), *span)?;
                let events = self.event_set(&hidden, *span)?;
                Ok(self.state.terms.term(Term::Hide(process, events)))
            }
            ProcessCode::Rename(process, pairs) => {
                let process = self.operand(process, base, pairs.span)?;
                let pairs = self.event_pairs(pairs, base)?;
                let relation = self.state.terms.relation(pairs);
                Ok(self.state.terms.term(Term::Rename(process, relation)))
            }
            ProcessCode::Link(left, pairs, right) => {
                let left = self.operand(left, base, pairs.span)?;
                let right = self.operand(right, base, pairs.span)?;
                let joined = self.event_pairs(pairs, base)?;
                Ok(self.link(left, &joined, right))
            }
            ProcessCode::Replicated(replicated) => self.replicated(replicated, base),
        }
    }

    /// Pairs of events; channels that lack fields stand for all their events in step.
    fn event_pairs(&mut self, pairs: &'p PairsCode, base: usize) -> Result<Vec<(Event, Event)>> {
        let mut found = Vec::new();
        let span = pairs.span;
        self.each(&pairs.statements, base, &mut |machine| {
            for (from, to) in &pairs.pairs {
                let (from, to) = (machine.eval(from, base)?, machine.eval(to, base)?);
                let (from, to) = (machine.deep(from)?, machine.deep(to)?);
                if machine.is_complete(&from)? {
                    found.push((machine.event(&from, span)?, machine.event(&to, span)?));
                    continue;
                }
                let endings = machine.extensions(&from, span)?;
                for ending in machine.refused(endings.elements(), span)?.iter() {
                    let from = machine.dot(from.clone(), ending.clone(), span)?;
                    let to = machine.dot(to.clone(), ending.clone(), span)?;
                    found.push((machine.event(&from, span)?, machine.event(&to, span)?));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Two processes joined: pairs of events become one internal one.
    fn link(&mut self, left: TermId, pairs: &[(Event, Event)], right: TermId) -> TermId {
        let (mut ours, mut theirs, mut joined) = (Vec::new(), Vec::new(), Vec::new());
        for &(a, b) in pairs {
            // A pair of events as a value: no script can write such an event.
            let values = [a, b].map(|e| self.state.events.get(e.index()).clone());
            let event = Event::new(self.state.events.id(Value::tuple(values)));
            ours.push((a, event));
            theirs.push((b, event));
            joined.push(event);
        }
        let terms = &mut self.state.terms;
        let (ours, theirs) = (terms.relation(ours), terms.relation(theirs));
        let left = terms.term(Term::Rename(left, ours));
        let right = terms.term(Term::Rename(right, theirs));
        let events = terms.set(joined);
        let both = terms.term(Term::Parallel(events, [left, right].into()));
        terms.term(Term::Hide(both, events))
    }

    fn replicated(&mut self, code: &'p ReplicatedCode, base: usize) -> Result<TermId> {
        let span = code.span;
        let is_alphabetised = code.op == Operator::Alphabetised;
        let mut shared = None;
        if let (Some(set), false) = (&code.set, is_alphabetised) {
            shared = Some(self.eval_events(set, base, span)?);
        }
        let (mut operands, mut alphabets, mut joined) = (Vec::new(), Vec::new(), Vec::new());
        self.each(&code.over, base, &mut |machine| {
            if let (Some(set), true) = (&code.set, is_alphabetised) {
                alphabets.push(machine.eval_events(set, base, span)?);
            }
            if let Some(pairs) = &code.pairs {
                joined.push(machine.event_pairs(pairs, base)?);
            }
            operands.push(machine.operand(&code.body, base, span)?);
            Ok(())
        })?;
        if operands.is_empty() {
            return self.none(code);
        }
        let terms = &mut self.state.terms;
        let term = match code.op {
            Operator::External => Term::External(operands.into()),
            Operator::Internal => Term::Internal(operands.into()),
            Operator::Interleave => Term::Parallel(terms.set(Vec::new()), operands.into()),
            Operator::Parallel => Term::Parallel(shared.expect("its set"), operands.into()),
            Operator::SyncExternal => Term::SyncExternal(shared.expect("its set"), operands.into()),
            Operator::Alphabetised => {
                Term::Alphabetised(alphabets.into_iter().zip(operands).collect())
            }
            Operator::Then => {
                let last = operands.pop().expect("there are operands");
                let join = |rest, first| terms.term(Term::Then(first, rest));
                return Ok(operands.into_iter().rev().fold(last, join));
            }
            Operator::Link => {
                // Each is joined to the ones behind it by the pairs of its own round.
                let last = operands.pop().expect("there are operands");
                let firsts = operands.into_iter().zip(joined).rev();
                return Ok(firsts.fold(last, |rest, (first, pairs)| self.link(first, &pairs, rest)));
            }
            _ => return self.fault(span, "this operator has no form for many processes"),
        };
        Ok(self.state.terms.term(term))
    }

    /// An operator over no processes.
    fn none(&mut self, code: &'p ReplicatedCode) -> Result<TermId> {
        let tock = match code.tock {
            Some(maker) => {
                let tock = Value::Made(maker, Arc::from([]));
                Some(self.event(&tock, code.span)?)
            }
            None => None,
        };
        let is_stop = match code.op {
            Operator::Internal => {
                return Err(Fault::new(
                    code.span,
                    "an internal choice among no processes",
                ));
            }
            Operator::Link => {
                return Err(Fault::new(code.span, "a linked parallel of no processes"));
            }
            Operator::External | Operator::SyncExternal => true,
            _ => false,
        };
        Ok(match (is_stop, tock) {
            (true, None) => self.state.terms.term(Term::Stop),
            (false, None) => self.state.terms.term(Term::Skip),
            (true, Some(tock)) => {
                let events = self.state.terms.set(vec![tock]);
                self.state.terms.term(Term::Run(events))
            }
            (false, Some(tock)) => self.state.later(Suspended::TimedSkip(tock)),
        })
    }
}

/// Where a process that is put off stands in the text, as far as that is known.
pub(super) fn place(program: &Program, suspended: &Suspended) -> Option<Span> {
    match suspended {
        Suspended::Global(id) => Some(program.globals[*id as usize].span),
        Suspended::Member(group, index) => {
            let member = &program.groups[group.id.index()].members[*index as usize];
            Some(match &member.kind {
                MemberKind::Value(site) => program.lazies[site.id.index()].span,
                MemberKind::Function(site) => program.functions[site.id.index()].span,
            })
        }
        Suspended::Call(code, ..) => Some(program.functions[code.index()].span),
        Suspended::Code(id, _) => Some(program.lazies[id.index()].span),
        Suspended::Timed(..)
        | Suspended::TimedSkip(_)
        | Suspended::Loop(_)
        | Suspended::Buffer(..) => None,
    }
}

/// An operator on two processes; `sets` has those it needs.
fn binary(
    op: Operator,
    left: TermId,
    right: TermId,
    sets: &[SetId],
    terms: &mut crate::process::Terms,
) -> Term {
    let both = [left, right];
    match op {
        Operator::External => Term::External(both.into()),
        Operator::Internal => Term::Internal(both.into()),
        Operator::Then => Term::Then(left, right),
        Operator::Interrupt => Term::Interrupt(left, right),
        Operator::Slide => Term::Slide(left, right),
        Operator::Interleave | Operator::Link => Term::Parallel(terms.set(Vec::new()), both.into()),
        Operator::Parallel => Term::Parallel(sets[0], both.into()),
        Operator::Alphabetised => Term::Alphabetised([(sets[0], left), (sets[1], right)].into()),
        Operator::Exception => Term::Exception(left, sets[0], right),
        Operator::SyncExternal => Term::SyncExternal(sets[0], both.into()),
        Operator::SyncInterrupt => Term::SyncInterrupt(left, sets[0], right),
    }
}
