//! What a trace makes of sends and receives.
//!
//! As in SPIN's verifiers, a trace looks at the channel, not at the message that moves: after a
//! send at the last message there, at a receive at the first. With `c!!m` or `c??m` that can be
//! another one. In a rendezvous the message is both.

use super::act::Handshake;
use super::code::{At, Cell, ChanCode, Compiler, cell};
use super::eval::Env;
use super::frame::Frame;
use crate::processes::layout::KindId;
use crate::processes::trace::{Event, Message, Trace};
use system::fault::FaultKind;

/// A trace, with its expressions translated.
#[derive(Clone, Debug)]
pub(super) struct TraceCode {
    negated: bool,
    place: Cell,
    /// By location: what fits, and where it leads.
    steps: Vec<Vec<(EventCode, i32)>>,
    ends: Vec<bool>,
    end: i32,
    sends: Box<[At]>,
    receives: Box<[At]>,
}

#[derive(Clone, Debug)]
enum EventCode {
    Any,
    Message(Way, At, Box<[Option<At>]>),
}

/// Which way a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Into the channel.
    In,
    /// Out of it.
    Out,
}

/// Where the message is that a trace looks at.
#[derive(Clone, Copy)]
pub(super) enum Seen<'a> {
    /// The message of that number in the channel record at that offset.
    Kept(usize, &'a ChanCode, usize),
    /// On its way.
    Passed(&'a Handshake),
}

impl Compiler<'_> {
    /// The code of a trace.
    pub fn trace(&mut self, trace: &Trace) -> TraceCode {
        let mut steps = Vec::new();
        for location in &trace.locations {
            let step =
                |s: &crate::processes::trace::TraceStep| (self.event(&s.event), s.target as i32);
            steps.push(location.steps.iter().map(step).collect());
        }
        TraceCode {
            negated: trace.negated,
            place: cell(self.model(), KindId::new(0), trace.field),
            steps,
            ends: trace.locations.iter().map(|l| l.end).collect(),
            end: trace.end as i32,
            sends: self.list(&trace.sends),
            receives: self.list(&trace.receives),
        }
    }

    fn event(&mut self, event: &Event) -> EventCode {
        let (way, Message { channel, fields }) = match event {
            Event::Any => return EventCode::Any,
            Event::Send(message) => (Way::In, message),
            Event::Receive(message) => (Way::Out, message),
        };
        let channel = self.at(*channel);
        let fields = fields.iter().map(|f| f.map(|e| self.at(e))).collect();
        EventCode::Message(way, channel, fields)
    }
}

impl TraceCode {
    /// Where the trace is.
    pub fn here(&self, state: &[u8]) -> usize {
        self.place.scalar.load(state, self.place.at as usize) as usize
    }

    /// Whether the trace may rest where it is.
    pub fn may_rest(&self, frame: &Frame) -> bool {
        self.ends[self.here(&frame.bytes)]
    }
}

impl Env<'_> {
    /// Moves the trace, if there is one that watches the channel of that number. What does not fit
    /// is noted in the frame; `Err` if two steps fit.
    #[inline]
    pub fn event(&mut self, way: Way, number: i32, seen: Seen<'_>) -> Result<(), FaultKind> {
        match &self.program.trace {
            None => Ok(()),
            Some(trace) => self.move_trace(trace, (way, number), seen),
        }
    }

    fn move_trace(
        &mut self,
        trace: &TraceCode,
        (way, number): (Way, i32),
        seen: Seen<'_>,
    ) -> Result<(), FaultKind> {
        let watched = match way {
            Way::In => &trace.sends,
            Way::Out => &trace.receives,
        };
        let mut in_scope = false;
        for channel in watched {
            in_scope = in_scope || self.eval(*channel)? == number;
        }
        if !in_scope {
            return Ok(());
        }
        let here = trace.here(&self.frame.bytes);
        let mut next = None;
        for (event, target) in &trace.steps[here] {
            if !self.fits(event, (way, number), seen)? {
                continue;
            }
            if next.replace(*target).is_some() {
                return Err(FaultKind::TraceChoice);
            }
            if trace.negated && *target == trace.end {
                break;
            }
        }
        match next {
            Some(target) if trace.negated && target == trace.end => {
                self.frame.noted.push(FaultKind::NoTrace);
            }
            None if !trace.negated => self.frame.noted.push(FaultKind::Trace),
            _ => {}
        }
        // What a notrace does not have ends it; a trace stays where it is.
        let missed = if trace.negated {
            trace.end
        } else {
            here as i32
        };
        let at = trace.place.at as usize;
        (trace.place.scalar).store(&mut self.frame.bytes, at, next.unwrap_or(missed));
        Ok(())
    }

    fn fits(
        &mut self,
        event: &EventCode,
        (way, number): (Way, i32),
        seen: Seen<'_>,
    ) -> Result<bool, FaultKind> {
        let EventCode::Message(wanted, channel, fields) = event else {
            return Ok(true);
        };
        if *wanted != way || self.eval(*channel)? != number {
            return Ok(false);
        }
        for (k, field) in fields.iter().enumerate() {
            let Some(field) = field else {
                continue;
            };
            let value = match seen {
                Seen::Kept(at, chan, n) if k < chan.fields.len() => {
                    self.frame.message_field(at, chan, n, k)
                }
                Seen::Passed(handshake) if k < handshake.message.len() => handshake.message[k],
                _ => return Err(FaultKind::MessageLength),
            };
            if self.eval(*field)? != value {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
