//! Sends and receives in the order in which they may come, as plain data.
//!
//! A trace is an automaton beside the processes. Its place is a global of the state, and moves
//! whenever a process sends to a channel that the trace names in a send, or receives from one that
//! it names in a receive. An event that fits no step from there is a fault; a *negated* trace is
//! at fault when its events come, all of them, from the first on.
//!
//! Worked example. `trace { do :: c!1; c?1 od }` has two locations, 0 with the step `c!1 → 1` and 1
//! with `c?1 → 0`. A process that sends 1 to `c` moves it to 1. Who sends 2 then, or again 1, is at
//! fault, and the trace stays at 1; sends to other channels do not move it.

use crate::processes::expr::ExprId;
use crate::processes::layout::FieldId;
use system::SiteId;

/// A trace.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it is a fault that its events come, and not that others come.
    pub negated: bool,
    /// The global that holds its location; it starts at 0.
    pub field: FieldId,
    /// Its locations.
    pub locations: Vec<TraceLocation>,
    /// The last of its locations: nothing fits any more.
    pub end: usize,
    /// The channels that it names in sends: to others anybody may send.
    pub sends: Vec<ExprId>,
    /// The channels that it names in receives.
    pub receives: Vec<ExprId>,
}

/// A location of a trace.
#[derive(Clone, Default, Debug)]
pub struct TraceLocation {
    /// The steps from here, in order.
    pub steps: Vec<TraceStep>,
    /// Whether the trace may rest here for ever.
    pub end: bool,
}

/// A step of a trace.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// What takes it.
    pub event: Event,
    /// The index of the location it leads to.
    pub target: usize,
    /// What it is called.
    pub site: SiteId,
}

/// What fits a step of a trace.
#[derive(Clone, Debug)]
pub enum Event {
    /// Every event.
    Any,
    /// A message that is sent.
    Send(Message),
    /// A message that is received.
    Receive(Message),
}

/// Messages of a channel.
#[derive(Clone, Debug)]
pub struct Message {
    /// The channel.
    pub channel: ExprId,
    /// The values of its first fields; a field that is `None` may have any.
    pub fields: Vec<Option<ExprId>>,
}

impl Trace {
    /// Calls `out` with each expression that the trace evaluates.
    pub fn roots(&self, out: &mut dyn FnMut(ExprId)) {
        self.sends
            .iter()
            .chain(&self.receives)
            .for_each(|e| out(*e));
        for step in self.locations.iter().flat_map(|l| &l.steps) {
            if let Event::Send(message) | Event::Receive(message) = &step.event {
                out(message.channel);
                message.fields.iter().flatten().for_each(|e| out(*e));
            }
        }
    }
}
