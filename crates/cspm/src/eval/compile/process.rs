//! Process operators.
//!
//! In a timed section every operator lets time pass for all its processes together, as FDR's
//! translation has it: `[]` synchronises on `tock`, so do `|||` and `/\`; sets of shared events get
//! `tock` added; `STOP` and `SKIP` let time pass; and a prefix waits for its event while time
//! passes, and then for as long as the event takes.

use super::super::code::{
    ExprCode, FieldCode, Operator, PairsCode, PrefixCode, ProcessCode, ReplicatedCode,
};
use super::Compiler;
use super::expr::built_in_call;
use crate::ast::{Expr, Pattern, PrefixField, Process, ProcessOp, ReplicatedOp, Statement};
use crate::process::Term;
use crate::value::{MakerId, Set, Value};
use base::Span;

impl Compiler<'_, '_> {
    /// A process operator.
    pub fn process(&mut self, process: &Process, span: Span) -> ExprCode {
        match process {
            Process::Prefix {
                event,
                fields,
                then,
            } => self.prefix(event, fields, then, span),
            Process::Guard(condition, then) => {
                let otherwise = self.timed_constant("%TSTOP", Term::Stop, span);
                let parts = (self.expr(condition), self.expr(then), otherwise);
                ExprCode::If(Box::new(parts), condition.span)
            }
            Process::Binary(op, left, right) => self.binary_process(op, left, right, span),
            Process::Hide(process, set) => {
                let (process, events) = (self.expr(process), self.expr(set));
                boxed(ProcessCode::Hide(process, events, set.span))
            }
            Process::Project(process, set) => {
                let (process, events) = (self.expr(process), self.expr(set));
                boxed(ProcessCode::Project(process, events, set.span))
            }
            Process::Rename {
                process,
                pairs,
                such,
            } => {
                let process = self.expr(process);
                boxed(ProcessCode::Rename(process, self.pairs(pairs, such, span)))
            }
            Process::Link {
                left,
                pairs,
                such,
                right,
            } => {
                if self.timed.is_some() {
                    return untimed_link(span);
                }
                let (left, right) = (self.expr(left), self.expr(right));
                boxed(ProcessCode::Link(
                    left,
                    self.pairs(pairs, such, span),
                    right,
                ))
            }
            Process::Replicated { op, over, body } => self.replicated(op, over, body, span),
        }
    }

    fn prefix(
        &mut self,
        event: &Expr,
        fields: &[PrefixField],
        then: &Expr,
        span: Span,
    ) -> ExprCode {
        let timed = match self.tock(span) {
            None => None,
            Some(Err(refused)) => return refused,
            Some(Ok(tock)) => Some((self.durations(span), made(&tock))),
        };
        let mark = self.mark();
        let head = self.expr(event);
        let fields = fields.iter().map(|field| self.field(field)).collect();
        let then = self.suspended(then.span, |c| c.expr(then));
        self.forget(mark);
        boxed(ProcessCode::Prefix(PrefixCode {
            event: head,
            fields,
            then,
            span: event.span,
            timed,
        }))
    }

    /// The function of the timed section; an event takes one unit where none is given.
    fn durations(&mut self, span: Span) -> ExprCode {
        let Some(name) = self
            .timed
            .as_ref()
            .and_then(|timed| timed.durations.clone())
        else {
            return ExprCode::Known(Value::Int(1));
        };
        if self.local(&name).is_some() {
            return self.named(&name, span);
        }
        let name = crate::ast::Name {
            modules: Vec::new(),
            text: name,
            span,
        };
        match self.find(self.scope, &name) {
            Some(item) => self.item(item),
            None => ExprCode::Refused("the function of the timed section is missing".into(), span),
        }
    }

    fn field(&mut self, field: &PrefixField) -> FieldCode {
        let (pattern, set, is_internal): (&Pattern, _, _) = match field {
            PrefixField::Output(value) => return FieldCode::Output(self.expr(value)),
            PrefixField::Input(pattern, set) => (pattern, set, false),
            PrefixField::Choose(pattern, set) => (pattern, set, true),
        };
        // The set does not see the variables of its own pattern.
        let set = set.as_ref().map(|e| self.expr(e));
        let compiled = self.pattern(pattern);
        FieldCode::Input(compiled, set, is_internal, pattern.span)
    }

    fn pairs(&mut self, pairs: &[(Expr, Expr)], such: &[Statement], span: Span) -> PairsCode {
        let mark = self.mark();
        let statements = self.statements(such);
        let pairs = pairs
            .iter()
            .map(|(a, b)| (self.expr(a), self.expr(b)))
            .collect();
        self.forget(mark);
        PairsCode {
            pairs,
            statements,
            span,
        }
    }

    fn binary_process(
        &mut self,
        op: &ProcessOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> ExprCode {
        let tock = match self.tock(span) {
            None => None,
            Some(Err(refused)) => return refused,
            Some(Ok(tock)) => Some(tock),
        };
        let (operator, sets): (Operator, Vec<ExprCode>) = match op {
            ProcessOp::External => (Operator::External, vec![]),
            ProcessOp::Internal => (Operator::Internal, vec![]),
            ProcessOp::Then => (Operator::Then, vec![]),
            ProcessOp::Interrupt => (Operator::Interrupt, vec![]),
            ProcessOp::Slide => (Operator::Slide, vec![]),
            ProcessOp::Interleave => (Operator::Interleave, vec![]),
            ProcessOp::Parallel(set) => (Operator::Parallel, vec![self.expr(set)]),
            ProcessOp::Alphabetised(a, b) => {
                (Operator::Alphabetised, vec![self.expr(a), self.expr(b)])
            }
            ProcessOp::Exception(set) => (Operator::Exception, vec![self.expr(set)]),
            ProcessOp::SyncExternal(set) => (Operator::SyncExternal, vec![self.expr(set)]),
            ProcessOp::SyncInterrupt(set) => (Operator::SyncInterrupt, vec![self.expr(set)]),
        };
        let (operator, sets) = match tock {
            Some(tock) => in_time(operator, sets, &tock, span),
            None => (operator, sets),
        };
        let (left, right) = (self.expr(left), self.expr(right));
        boxed(ProcessCode::Binary(
            operator,
            sets.into(),
            left,
            right,
            span,
        ))
    }

    fn replicated(
        &mut self,
        op: &ReplicatedOp,
        over: &[Statement],
        body: &Expr,
        span: Span,
    ) -> ExprCode {
        let tock = match self.tock(span) {
            None => None,
            Some(Err(refused)) => return refused,
            Some(Ok(tock)) => Some(tock),
        };
        let (mut pairs, mut sets) = (None, Vec::new());
        // A set that all share does not see the generators; alphabets and joined events do.
        let operator = match op {
            ReplicatedOp::External => Operator::External,
            ReplicatedOp::Internal => Operator::Internal,
            ReplicatedOp::Then => Operator::Then,
            ReplicatedOp::Interleave => Operator::Interleave,
            ReplicatedOp::Parallel(set) => {
                sets.push(self.expr(set));
                Operator::Parallel
            }
            ReplicatedOp::SyncExternal(set) => {
                sets.push(self.expr(set));
                Operator::SyncExternal
            }
            ReplicatedOp::Alphabetised(_) => Operator::Alphabetised,
            ReplicatedOp::Link(..) if tock.is_some() => return untimed_link(span),
            ReplicatedOp::Link(..) => Operator::Link,
        };
        let mark = self.mark();
        let over = self.statements(over);
        match op {
            ReplicatedOp::Alphabetised(set) => sets.push(self.expr(set)),
            ReplicatedOp::Link(joined, such) => pairs = Some(self.pairs(joined, such, span)),
            _ => {}
        }
        let (operator, mut sets) = match &tock {
            Some(tock) => in_time(operator, sets, tock, span),
            None => (operator, sets),
        };
        let body = self.expr(body);
        self.forget(mark);
        boxed(ProcessCode::Replicated(ReplicatedCode {
            op: operator,
            set: sets.pop(),
            pairs,
            over,
            body,
            span,
            tock: tock.as_ref().map(made),
        }))
    }
}

/// The operator that lets time pass for its processes together.
fn in_time(
    op: Operator,
    sets: Vec<ExprCode>,
    tock: &Value,
    span: Span,
) -> (Operator, Vec<ExprCode>) {
    let only = || ExprCode::Known(Value::Set(Set::from(vec![tock.clone()])));
    match op {
        Operator::External => (Operator::SyncExternal, vec![only()]),
        Operator::Interleave => (Operator::Parallel, vec![only()]),
        Operator::Interrupt => (Operator::SyncInterrupt, vec![only()]),
        Operator::Parallel
        | Operator::Alphabetised
        | Operator::SyncExternal
        | Operator::SyncInterrupt => {
            let with = |set| built_in_call("union", vec![set, only()], span);
            (op, sets.into_iter().map(with).collect())
        }
        Operator::Internal
        | Operator::Then
        | Operator::Slide
        | Operator::Exception
        | Operator::Link => (op, sets),
    }
}

fn made(event: &Value) -> MakerId {
    match event {
        Value::Made(maker, _) => *maker,
        _ => unreachable!("tock is a channel"),
    }
}

fn untimed_link(span: Span) -> ExprCode {
    let words = "linked parallel is not defined in a timed section";
    ExprCode::Refused(words.into(), span)
}

fn boxed(process: ProcessCode) -> ExprCode {
    ExprCode::Process(Box::new(process))
}
