//! The types of processes.

use super::decls::{count, given};
use super::exprs::GeneratorSource;
use super::types::{Ty, TypeClass, TypeNode};
use super::{Checked, Checker};
use crate::ast::{Expr, Pattern, PrefixField, Process, ProcessOp, ReplicatedOp, Statement};
use base::{Diagnostic, Span};

impl<'a> Checker<'a> {
    /// Checks that an expression is a process.
    pub(super) fn process_of(&mut self, expr: &'a Expr, words: &str) -> Checked<()> {
        let proc = self.solver.types.proc();
        self.expect(expr, proc, words).map(|_| ())
    }

    /// Checks that an expression is a set of events.
    pub(super) fn events_of(&mut self, expr: &'a Expr, words: &str) -> Checked<()> {
        let events = self.solver.types.events();
        self.expect(expr, events, words).map(|_| ())
    }

    /// Checks a process operator.
    pub(super) fn process(&mut self, process: &'a Process) -> Checked<()> {
        match process {
            Process::Prefix {
                event,
                fields,
                then,
            } => {
                self.event(event, fields)?;
                self.process_of(then, "a process follows `->`")
            }
            Process::Guard(condition, inner) => {
                self.condition(condition, "a guard is true or false")?;
                self.process_of(inner, "a process follows `&`")
            }
            Process::Binary(op, left, right) => self.operator(op, left, right),
            Process::Hide(inner, set) => {
                self.process_of(inner, "`\\` hides events of a process")?;
                self.events_of(set, "`\\` hides a set of events")
            }
            Process::Project(inner, set) => {
                self.process_of(inner, "`|\\` keeps events of a process")?;
                self.events_of(set, "`|\\` keeps a set of events")
            }
            Process::Rename {
                process,
                pairs,
                such,
            } => {
                self.process_of(process, "`[[ ]]` renames events of a process")?;
                self.statements(such, GeneratorSource::Set)?;
                self.pairs(pairs)
            }
            Process::Link {
                left,
                pairs,
                such,
                right,
            } => {
                self.process_of(left, "`[ <-> ]` joins processes")?;
                self.process_of(right, "`[ <-> ]` joins processes")?;
                self.statements(such, GeneratorSource::Set)?;
                self.pairs(pairs)
            }
            Process::Replicated { op, over, body } => self.replicated(op, over, body),
        }
    }

    fn operator(&mut self, op: &'a ProcessOp, left: &'a Expr, right: &'a Expr) -> Checked<()> {
        let words = match op {
            ProcessOp::External => "`[]` joins processes",
            ProcessOp::Internal => "`|~|` joins processes",
            ProcessOp::Then => "`;` joins processes",
            ProcessOp::Interrupt => "`/\\` joins processes",
            ProcessOp::Slide => "`[>` joins processes",
            ProcessOp::Interleave => "`|||` joins processes",
            ProcessOp::Parallel(_) => "`[| |]` joins processes",
            ProcessOp::Alphabetised(..) => "`[ || ]` joins processes",
            ProcessOp::Exception(_) => "`[| |>` joins processes",
            ProcessOp::SyncExternal(_) => "`[+ +]` joins processes",
            ProcessOp::SyncInterrupt(_) => "`/+ +\\` joins processes",
        };
        self.process_of(left, words)?;
        self.process_of(right, words)?;
        match op {
            ProcessOp::Parallel(set)
            | ProcessOp::Exception(set)
            | ProcessOp::SyncExternal(set)
            | ProcessOp::SyncInterrupt(set) => self.events_of(set, "a set of events"),
            ProcessOp::Alphabetised(one, other) => {
                self.events_of(one, "an alphabet is a set of events")?;
                self.events_of(other, "an alphabet is a set of events")
            }
            _ => Ok(()),
        }
    }

    fn replicated(
        &mut self,
        op: &'a ReplicatedOp,
        over: &'a [Statement],
        body: &'a Expr,
    ) -> Checked<()> {
        if let ReplicatedOp::Parallel(set) | ReplicatedOp::SyncExternal(set) = op {
            self.events_of(set, "a set of events")?;
        }
        let source = match op {
            ReplicatedOp::Then | ReplicatedOp::Link(..) => GeneratorSource::Sequence,
            _ => GeneratorSource::Set,
        };
        self.statements(over, source)?;
        match op {
            ReplicatedOp::Alphabetised(set) => {
                self.events_of(set, "an alphabet is a set of events")?;
            }
            ReplicatedOp::Link(pairs, such) => {
                self.statements(such, GeneratorSource::Set)?;
                self.pairs(pairs)?;
            }
            _ => {}
        }
        self.process_of(body, "a process is replicated")
    }

    /// `a <- b` and `a <-> b`: channels or events that lack the same fields.
    fn pairs(&mut self, pairs: &'a [(Expr, Expr)]) -> Checked<()> {
        let event = self.solver.types.event();
        let mut wanted = Vec::new();
        for (left, _) in pairs {
            let by = self.solver.types.fresh();
            let channel = self.solver.types.extendable(event, by);
            let words = "a channel or an event is renamed or joined";
            wanted.push(self.expect(left, channel, words)?);
        }
        for ((_, right), wanted) in pairs.iter().zip(wanted) {
            self.expect(right, wanted, "both sides lack the same fields")?;
        }
        Ok(())
    }

    /// What stands before `->`.
    fn event(&mut self, event: &'a Expr, fields: &'a [PrefixField]) -> Checked<()> {
        let wanted = self.solver.types.event();
        if fields.is_empty() {
            return self
                .expect(event, wanted, "an event stands before `->`")
                .map(|_| ());
        }
        self.choices_come_first(fields)?;
        let head = self.infer(event)?;
        let mut all = vec![head];
        let mut places = Vec::new();
        for field in fields {
            let (ty, span) = match field {
                PrefixField::Output(value) => (self.infer(value)?, value.span),
                PrefixField::Input(pattern, set) | PrefixField::Choose(pattern, set) => {
                    let ty = self.input(pattern, set.as_ref())?;
                    let end = set.as_ref().map(|set| set.span);
                    (ty, end.map_or(pattern.span, |end| pattern.span.to(end)))
                }
            };
            all.push(ty);
            places.push((span, ty));
        }
        let whole = self.solver.types.dots(&all);
        // The state before is kept for the message: making types equal may go half way.
        let before = self.solver.types.mark();
        let result = self.solver.equate(wanted, whole);
        self.solver.types.release(before, result.is_err());
        let Err(clash) = result else {
            return Ok(());
        };
        if let Some(error) = self.bad_fields(event, head, &places) {
            return Err(self.report(error));
        }
        let span = fields_span(event.span, &places);
        Err(self.clash(span, (wanted, whole), clash, "an event stands before `->`"))
    }

    /// `$` chooses before the other fields are known, and so stands before them.
    fn choices_come_first(&mut self, fields: &'a [PrefixField]) -> Checked<()> {
        let mut others = fields
            .iter()
            .skip_while(|f| matches!(f, PrefixField::Choose(..)));
        let late = others.find_map(|field| match field {
            PrefixField::Choose(pattern, _) => Some(pattern),
            _ => None,
        });
        let Some(late) = late else {
            return Ok(());
        };
        let message = "`$` stands before all `?` and `!` of an event";
        let error = Diagnostic::error(late.span, message);
        let note = "a value that is known can be put before it with a dot: `c.0$x`";
        Err(self.report(error.note(note)))
    }

    fn input(&mut self, pattern: &'a Pattern, set: Option<&'a Expr>) -> Checked<Ty> {
        let there = set.map(|set| self.infer(set)).transpose()?;
        let ty = self.pattern(pattern)?;
        let mut span = pattern.span;
        if let (Some(set), Some(there)) = (set, there) {
            let wanted = self.solver.types.set(ty);
            let words = "what is taken here comes from a set";
            self.equal(set.span, wanted, there, words)?;
            span = span.to(set.span);
        }
        let words = "what is taken in has to be complete: nothing may be missing behind a dot";
        self.in_class(span, TypeClass::Complete, ty, words)?;
        Ok(ty)
    }

    /// What is wrong with the fields of an event, if it can be said plainly.
    fn bad_fields(&mut self, event: &Expr, head: Ty, places: &[(Span, Ty)]) -> Option<Diagnostic> {
        self.solver.refuel();
        let head = self.solver.evaluate(head).ok()?;
        let (wanted, result) = self.solver.types.parts(head);
        let is_event = matches!(self.solver.types.shape(result), TypeNode::Event);
        if !is_event {
            let is_known = !matches!(
                self.solver.types.shape(head),
                TypeNode::Var(_)
                    | TypeNode::Extendable { .. }
                    | TypeNode::Dot(..)
                    | TypeNode::Dotable(..)
            );
            let shown = self.show(head);
            let message = format!("a channel stands before `!`, `?` and `$`, not `{shown}`");
            return is_known.then(|| Diagnostic::error(event.span, message));
        }
        for (i, &(span, there)) in places.iter().enumerate() {
            let Some(&wanted) = wanted.get(i) else {
                let (n, m) = (count(wanted.len(), "field"), given(places.len()));
                let message = format!("the channel has {n} here, and {m}");
                return Some(Diagnostic::error(span, message));
            };
            let before = self.solver.types.mark();
            self.solver.refuel();
            let there_value = self.solver.evaluate(there);
            let is_whole = there_value.is_ok_and(|value| {
                !self.solver.types.is_dotable(value) && self.solver.types.dot_list(value).len() == 1
            });
            let fits = self.solver.equate(wanted, there).is_ok();
            self.solver.types.release(before, !fits);
            if !fits && is_whole {
                let (wanted, there) = (self.show(wanted), self.show(there));
                let message =
                    format!("the channel carries `{wanted}` in this field, and this is `{there}`");
                return Some(Diagnostic::error(span, message));
            }
            if !fits {
                return None;
            }
        }
        None
    }
}

fn fields_span(event: Span, places: &[(Span, Ty)]) -> Span {
    match places.last() {
        Some((last, _)) => event.to(*last),
        None => event,
    }
}
