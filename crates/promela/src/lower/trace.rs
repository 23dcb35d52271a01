//! A `trace` or `notrace` becomes an automaton of sends and receives.
//!
//! Its flow is made as that of a process, so that its locations are those of SPIN; then each
//! statement becomes an event. A jump that an option begins with is a step that every event takes.
//!
//! ```text
//! trace { do :: c!1; c?1 :: c!2; break od; c?2 }
//!    location 0: c!1 → 1, c!2 → 2     location 1: c?1 → 0     location 2: c?2 → 3, its end
//! ```
//!
//! As in SPIN, constants of sends and receives are compared, and `eval(…)` in receives; variables
//! and other expressions fit every value.

use super::Lower;
use super::build;
use super::flow::{FlowGraph, NodeKind};
use super::table::StepTable;
use super::uses::visit_expr;
use crate::typed::access_operands;
use crate::typed::{Access, Expr, ExprKind, Pattern, Process, ProcessKind, Receive, Send};
use model::processes::layout::{KindId, Meaning, Scalar, Slot};
use model::processes::trace::{Event, Message, Trace, TraceLocation, TraceStep};
use std::collections::HashMap;

impl Lower<'_> {
    /// The trace of the model, if there is one. Its place is a new global.
    pub(super) fn trace(&mut self) -> Option<Trace> {
        let is_trace = |p: &Process| matches!(p.kind, ProcessKind::Trace | ProcessKind::NoTrace);
        let number = self.typed.processes.iter().position(is_trace)?;
        let process = &self.typed.processes[number];
        let globals = KindId::new(0);
        let mut built = build::build(self, process, globals);
        self.trace_nodes = Some((number, built.flow.nodes.len() as u32));
        let table = StepTable::new(&mut built.flow);
        if let Some(node) = table.circle {
            let site = self.sites.all[built.flow.node(node).site.index()].span;
            let message = "jumps that lead round in a circle, with no event between";
            self.found.push(base::Diagnostic::error(site, message));
        }
        let (locations, end) = locations(&built.flow, &table);
        let scalar = match locations.len() {
            0..=256 => Scalar::U8,
            _ => Scalar::I32,
        };
        let slot = Slot {
            scalar,
            meaning: Meaning::Number,
        };
        let (mut sends, mut receives) = (Vec::new(), Vec::new());
        for node in &built.flow.nodes {
            match &node.kind {
                NodeKind::Event(Event::Send(message)) => sends.push(message.channel),
                NodeKind::Event(Event::Receive(message)) => receives.push(message.channel),
                _ => {}
            }
        }
        for channels in [&mut sends, &mut receives] {
            channels.sort_unstable();
            channels.dedup();
        }
        Some(Trace {
            negated: process.kind == ProcessKind::NoTrace,
            field: self.places.add_own(globals, "_event", slot),
            locations,
            end,
            sends,
            receives,
        })
    }

    /// A send that a trace lists.
    pub(super) fn sent(&mut self, send: &Send) -> Event {
        let mut fields = Vec::new();
        for field in &send.fields {
            fields.push(match field.kind {
                // A negative number is an expression to SPIN here, though not in a receive.
                ExprKind::Number(0..) => Some(field),
                ExprKind::Anything | ExprKind::Read(_) => None,
                _ => {
                    let message = "in a send of a trace this fits every value";
                    let warning = self.typed.origins.warning(field.place, message);
                    self.found
                        .push(warning.note("numbers and names without sign are compared"));
                    None
                }
            });
        }
        Event::Send(self.message(&send.channel, &fields))
    }

    /// A receive that a trace lists.
    pub(super) fn received(&mut self, receive: &Receive) -> Event {
        let mut fields: Vec<Option<&Expr>> = Vec::new();
        for pattern in &receive.fields {
            fields.push(match pattern {
                Pattern::Store(_) => None,
                Pattern::Match(e) => Some(e),
            });
        }
        Event::Receive(self.message(&receive.channel, &fields))
    }

    fn message(&mut self, channel: &Access, fields: &[Option<&Expr>]) -> Message {
        let typed = self.typed;
        let mut own = None;
        let mut look = |e: &Expr| match &e.kind {
            ExprKind::Read(access) if typed.variables[access.variable.index()].owner.is_some() => {
                own = Some(e.place);
            }
            _ => {}
        };
        access_operands(channel, &mut |e| visit_expr(e, &mut look));
        fields
            .iter()
            .flatten()
            .for_each(|e| visit_expr(e, &mut look));
        if typed.variables[channel.variable.index()].owner.is_some() {
            own = Some(channel.place);
        }
        if let Some(place) = own {
            self.error(
                place,
                "a trace can only look at global variables".to_owned(),
            );
            return Message {
                channel: self.number(0),
                fields: Vec::new(),
            };
        }
        Message {
            channel: self.read(channel),
            fields: fields.iter().map(|f| f.map(|e| self.expr(e))).collect(),
        }
    }
}

/// The locations that the start leads to, the start first; and where the end is among them.
fn locations(flow: &FlowGraph, table: &StepTable) -> (Vec<TraceLocation>, usize) {
    let end = flow.nodes.iter().find(|n| matches!(n.kind, NodeKind::End));
    let mut numbers = vec![table.start];
    numbers.extend(end.map(|n| n.number).filter(|n| *n != table.start));
    let end = numbers.len() - 1;
    let mut at: HashMap<u32, usize> = numbers.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let mut locations = Vec::new();
    while let Some(number) = numbers.get(locations.len()).copied() {
        let mut steps = Vec::new();
        for entry in table.steps(number) {
            let node = flow.node(entry.node);
            let event = match &node.kind {
                NodeKind::End => continue,
                NodeKind::Event(event) => event.clone(),
                _ => Event::Any,
            };
            let target = *at.entry(entry.target).or_insert_with(|| {
                numbers.push(entry.target);
                numbers.len() - 1
            });
            steps.push(TraceStep {
                event,
                target,
                site: node.site,
            });
        }
        let end = table.marks[number as usize].end;
        locations.push(TraceLocation { steps, end });
    }
    (locations, end)
}
