//! Sends, receives and polls.

use super::Checker;
use super::channels::FieldFlow;
use super::expressions::value_of;
use super::references::{Arrays, ReferenceMeaning};
use crate::ast::{self, Reference};
use crate::place::Place;
use crate::typed::{
    Access, Expr, ExprKind, Initial, Pattern, Predefined, ProcessKind, Receive, Send, Target, Type,
    UNDEFINED_REFERENCE, Value, VariableId,
};
use base::quote;

/// How a channel is used: SPIN lets anything be asked for its length or polled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelUse {
    Asked,
    Acted,
}

impl Checker<'_> {
    /// A reference that is used as a channel.
    pub(super) fn channel_access(
        &mut self,
        reference: &Reference,
        used: ChannelUse,
    ) -> Option<Access> {
        let access = self.scalar(reference)?;
        if access.kind == Type::Chan {
            return Some(access);
        }
        let last = reference.parts.last().expect("a reference has a part");
        let message = format!(
            "{} is used as a channel, but it is none",
            quote(&last.name.text)
        );
        match used {
            ChannelUse::Asked => self.warn(reference.place, message),
            ChannelUse::Acted => {
                self.error(reference.place, message);
                return None;
            }
        }
        Some(access)
    }

    /// Expressions as the fields of a message or the arguments of a process: records are replaced
    /// by their fields.
    pub(super) fn fields(&mut self, all: Vec<ast::Expr>) -> Option<Vec<Expr>> {
        let mut fields = Vec::new();
        let mut failed = false;
        for expr in all {
            let place = expr.place;
            if let ast::ExprKind::Reference(reference) = &expr.kind {
                match self.meaning(reference, Arrays::Indexed) {
                    Some(ReferenceMeaning::Access(access)) => {
                        let mut spread = Vec::new();
                        failed |= self.spread(access, &mut spread).is_none();
                        fields.extend(spread.into_iter().map(|access| Expr {
                            value: value_of(access.kind),
                            kind: ExprKind::Read(access),
                            place,
                        }));
                        continue;
                    }
                    Some(ReferenceMeaning::Nothing) if self.in_trace() => {
                        fields.push(Expr {
                            kind: ExprKind::Anything,
                            value: Value::Number,
                            place,
                        });
                        continue;
                    }
                    None => {
                        failed = true;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            match self.any_value(expr) {
                Some(value) => fields.push(value),
                None => failed = true,
            }
        }
        (!failed).then_some(fields)
    }

    fn in_trace(&self) -> bool {
        matches!(
            self.body.kind,
            Some(ProcessKind::Trace | ProcessKind::NoTrace)
        )
    }

    /// `c!…`
    pub(super) fn send(&mut self, send: ast::Send, place: Place) -> Option<Send> {
        let channel = self.channel_access(&send.channel, ChannelUse::Acted);
        let run = send.fields.iter().find(|f| super::declare::contains_run(f));
        if let Some(run) = run.map(|f| f.place) {
            self.error(run, "`run` cannot be a field of a message");
            return None;
        }
        let fields = self.fields(send.fields);
        let (channel, fields) = (channel?, fields?);
        self.check_count(fields.len(), place)?;
        if send.sorted {
            self.check_sorted(&fields)?;
        }
        let flows: Vec<FieldFlow> = fields.iter().map(|f| self.flow(f)).collect();
        self.check_message(&channel, &flows, &fields, place);
        Some(Send {
            channel,
            fields,
            sorted: send.sorted,
        })
    }

    /// More fields than any channel has cannot be sent. Receiving them is a fault where it happens.
    fn check_count(&mut self, n: usize, place: Place) -> Option<()> {
        if n <= self.n_fields_max {
            return Some(());
        }
        let max = self.n_fields_max;
        let message = format!("no channel of this model carries {n} fields; the most is {max}");
        self.error(place, message);
        None
    }

    fn check_message(
        &mut self,
        channel: &Access,
        flows: &[FieldFlow],
        fields: &[Expr],
        place: Place,
    ) {
        if channel.kind != Type::Chan {
            return;
        }
        let over = self.access_flow(channel);
        self.channels.message(over, flows, place);
        // Only a channel that says what it carries can tell that a constant does not fit.
        for (kind, field) in self.carried(channel).into_iter().zip(fields) {
            if let ExprKind::Number(n) = field.kind {
                self.warn_if_cut(kind, n, field.place);
            }
        }
    }

    /// The types of the fields of a channel, where its declaration says what it carries.
    fn carried(&self, channel: &Access) -> Vec<Type> {
        match &self.variable(channel.variable).initial {
            Initial::Channel(made) if channel.fields.is_empty() => made.signature.fields.clone(),
            _ => Vec::new(),
        }
    }

    /// A constant that the field cannot hold is never received.
    fn check_matches(&mut self, channel: &Access, fields: &[Pattern]) {
        for (kind, field) in self.carried(channel).into_iter().zip(fields) {
            if let Pattern::Match(Expr {
                kind: ExprKind::Number(n),
                place,
                ..
            }) = field
                && kind != Type::Chan
                && kind.store(*n) != *n
            {
                self.warn(
                    *place,
                    format!("{n} is never received: the field cannot hold it"),
                );
            }
        }
    }

    /// `c?…`
    pub(super) fn receive(
        &mut self,
        receive: ast::Receive,
        used: ChannelUse,
        place: Place,
    ) -> Option<Receive> {
        let channel = self.channel_access(&receive.channel, used);
        let mut fields = Vec::new();
        let mut failed = false;
        for pattern in receive.fields {
            failed |= self.pattern(pattern, &mut fields).is_none();
        }
        let channel = channel.filter(|_| !failed)?;
        self.check_distinct(&fields)?;
        let mut flows = Vec::new();
        for field in &fields {
            flows.push(match field {
                Pattern::Store(Target::Access(access)) => self.access_flow(access),
                Pattern::Store(_) => FieldFlow::Any,
                Pattern::Match(expr) => self.flow(expr),
            });
        }
        self.check_message(&channel, &flows, &[], place);
        self.check_matches(&channel, &fields);
        Some(Receive {
            channel,
            fields,
            random: receive.random,
            keep: receive.keep,
        })
    }

    fn pattern(&mut self, pattern: ast::Pattern, out: &mut Vec<Pattern>) -> Option<()> {
        let matched = match pattern {
            ast::Pattern::Eval(expr) => self.term(expr)?,
            ast::Pattern::Number(n, place) => Expr {
                kind: ExprKind::Number(n),
                value: Value::Number,
                place,
            },
            ast::Pattern::Reference(reference) => {
                let place = reference.place;
                match self.meaning(&reference, Arrays::Indexed)? {
                    ReferenceMeaning::Constant(set, n) => Expr {
                        kind: ExprKind::Number(n),
                        value: Value::Name(set),
                        place,
                    },
                    ReferenceMeaning::Nothing => {
                        out.push(Pattern::Store(Target::Nothing));
                        return Some(());
                    }
                    ReferenceMeaning::Predefined(Predefined::Priority) => {
                        out.push(Pattern::Store(Target::Priority));
                        return Some(());
                    }
                    ReferenceMeaning::Undefined => Expr {
                        kind: ExprKind::Number(UNDEFINED_REFERENCE),
                        value: Value::Undefined,
                        place,
                    },
                    ReferenceMeaning::Predefined(_) | ReferenceMeaning::Lid(_) => {
                        let name = quote(&reference.parts[0].name.text);
                        let message = format!("{name} cannot be received into");
                        let error = self.origins.error(place, message);
                        self.report(error.note("write `eval(…)` to compare with its value"));
                        return None;
                    }
                    ReferenceMeaning::Access(access) => {
                        let mut spread = Vec::new();
                        self.spread(access, &mut spread)?;
                        let store = |access| Pattern::Store(Target::Access(access));
                        out.extend(spread.into_iter().map(store));
                        return Some(());
                    }
                }
            }
        };
        out.push(Pattern::Match(matched));
        Some(())
    }

    /// No variable gets two fields of a message.
    fn check_distinct(&mut self, fields: &[Pattern]) -> Option<()> {
        let mut seen: Vec<VariableId> = Vec::new();
        for field in fields {
            let Pattern::Store(Target::Access(access)) = field else {
                continue;
            };
            if access.index.is_some() || !access.fields.is_empty() {
                continue;
            }
            if seen.contains(&access.variable) {
                let name = quote(&self.variable(access.variable).name.text);
                self.error(
                    access.place,
                    format!("{name} cannot get two fields of a message"),
                );
                return None;
            }
            seen.push(access.variable);
        }
        Some(())
    }
}
