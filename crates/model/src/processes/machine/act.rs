//! Whether a step can be taken, and what it does.
//!
//! A step is tried on the frame of the state it starts from; only when it can be taken is that
//! frame copied and changed. Trying a step that blocks therefore costs its guard.

use super::code::{ActCode, At, PatternCode, ReceiveCode, SendCode, StepCode};
use super::eval::Env;
use super::events::{Seen, Way};
use super::frame::Frame;
use system::fault::FaultKind;

/// A message on its way between the halves of a rendezvous.
#[derive(Clone, Default, Debug)]
pub(super) struct Handshake {
    /// The number of the channel.
    pub channel: i32,
    /// The process that sends.
    pub sender: usize,
    /// The fields, as the channel keeps them.
    pub message: Vec<i32>,
}

/// What came of trying a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    /// It cannot be taken.
    Blocked,
    /// It was taken.
    Done,
    /// It was taken, and an assertion in it is false.
    DoneFalse,
    /// It sent into a rendezvous: a receiver must follow.
    Half,
}

/// The longest run of steps inside one deterministic block.
const MAX_RUN: usize = 10_000_000;
/// After how many steps it is looked whether a run goes in a circle; a power of two.
const FIRST_COMPARED: usize = 1024;

impl Env<'_> {
    /// Whether the process has a step whose guard holds; a send into a rendezvous counts as one.
    pub fn can_move(&mut self) -> Result<bool, FaultKind> {
        let program = self.program;
        let proc = self.frame.proctype(self.pid, program);
        let (from, to) = proc.steps[self.frame.location(self.pid, proc.location) as usize];
        for s in &program.order[from as usize..to as usize] {
            let step = &program.steps[*s as usize];
            // An else, where all before it block, can be taken.
            if matches!(step.act, ActCode::Else) || self.guard(&step.act)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an action can be taken. For what can run a process, and for `else`: see the callers.
    pub fn guard(&mut self, act: &ActCode) -> Result<bool, FaultKind> {
        Ok(match act {
            ActCode::Test(e) => self.eval(*e)? != 0,
            ActCode::Send(send) => self.can_send(send)?,
            ActCode::Receive(receive) => {
                let number = self.eval(receive.channel)?;
                let (_, chan) = self.frame.channel(number, self.program)?;
                chan.capacity > 0 && self.find(receive)?.is_some()
            }
            ActCode::Deterministic(entry, _) => self.first_inside(*entry)?.is_some(),
            ActCode::All(all) => self.guard(&all[0])?,
            ActCode::End => self.pid + 1 == self.frame.procs.len() && self.program.ends_are_steps,
            _ => true,
        })
    }

    fn can_send(&mut self, send: &SendCode) -> Result<bool, FaultKind> {
        let number = self.eval(send.channel)?;
        let (at, chan) = self.frame.channel(number, self.program)?;
        if send.fields.len() > chan.fields.len() {
            return Err(FaultKind::MessageLength);
        }
        let room = self.frame.length(at) < chan.capacity as usize;
        Ok(room || chan.capacity == 0 || self.program.lossy)
    }

    /// Takes an action whose guard holds, on a frame of its own. Gives `false` for a false
    /// assertion.
    pub fn perform(&mut self, act: &ActCode, covered: &mut [bool]) -> Result<bool, FaultKind> {
        match act {
            ActCode::Skip | ActCode::Test(_) | ActCode::Else => {}
            ActCode::Print(print) => self.print(print)?,
            ActCode::TestRun(_) => unreachable!("tried by evaluating"),
            ActCode::Assign(spot, e) => {
                let value = self.eval(*e)?;
                self.store(spot, value)?;
            }
            ActCode::Drop(e) => {
                self.eval(*e)?;
            }
            ActCode::Send(send) => self.send(send)?,
            ActCode::Receive(receive) => {
                let (at, n) = self.find(receive)?.ok_or(FaultKind::Blocked)?;
                self.receive(receive, at, n)?;
            }
            ActCode::Assert(e) => return Ok(self.eval(*e)? != 0),
            ActCode::SetPriority(pid, e, limited) => self.set_priority((*pid, *e), *limited)?,
            ActCode::Deterministic(entry, exit) => return self.inside(*entry, *exit, covered),
            ActCode::All(all) => {
                let mut holds = true;
                for act in all {
                    holds &= self.perform(act, covered)?;
                }
                return Ok(holds);
            }
            ActCode::End => self.frame.remove_last_process(),
        }
        Ok(true)
    }

    fn set_priority(&mut self, (pid, e): (At, At), limited: bool) -> Result<(), FaultKind> {
        let pid = self.eval(pid)?;
        let value = self.eval(e)?;
        let Some(pid) = usize::try_from(pid)
            .ok()
            .filter(|p| *p < self.frame.procs.len())
        else {
            return Ok(());
        };
        if limited && !(1..=255).contains(&value) {
            return Err(FaultKind::Priority);
        }
        if let Some((cell, _)) = self.frame.proctype(pid, self.program).priority {
            let at = self.frame.procs[pid] as usize + cell.at as usize;
            cell.scalar.store(&mut self.frame.bytes, at, value);
        }
        Ok(())
    }

    fn send(&mut self, send: &SendCode) -> Result<(), FaultKind> {
        let number = self.eval(send.channel)?;
        let (at, chan) = self.frame.channel(number, self.program)?;
        let length = self.frame.length(at);
        if length == chan.capacity as usize {
            return if self.program.lossy {
                Ok(())
            } else {
                Err(FaultKind::Blocked)
            };
        }
        // The new message is put together behind the others, then moved to its place.
        self.frame.insert_message(at, chan, length);
        for (k, e) in send.fields.iter().enumerate() {
            let value = self.eval(*e)?;
            self.frame.set_message_field(at, chan, (length, k), value);
        }
        if send.sorted {
            self.sort_last(at, chan);
        }
        self.event(Way::In, number, Seen::Kept(at, chan, length))
    }

    /// Moves the last message before the first that is greater, fields compared in order.
    fn sort_last(&mut self, at: usize, chan: &super::code::ChanCode) {
        let last = self.frame.length(at) - 1;
        let fields = 0..chan.fields.len();
        let greater = |frame: &Frame, n: usize| {
            let mut pairs = fields.clone().map(|k| {
                let there = frame.message_field(at, chan, n, k);
                (there, frame.message_field(at, chan, last, k))
            });
            pairs.find(|(a, b)| a != b).is_some_and(|(a, b)| a > b)
        };
        if let Some(n) = (0..last).find(|n| greater(self.frame, *n)) {
            let size = chan.message_size as usize;
            let first = at + crate::processes::layout::MESSAGES_AT as usize;
            self.frame.bytes[first + n * size..first + (last + 1) * size].rotate_right(size);
        }
    }

    /// Stores the fields of message `n` of the record at `at`, and takes it away unless it stays.
    fn receive(&mut self, r: &ReceiveCode, at: usize, n: usize) -> Result<(), FaultKind> {
        let tag = usize::from(self.frame.bytes[at]);
        let super::code::KindCode::Channel(chan) = &self.program.kinds[tag] else {
            unreachable!("a channel record")
        };
        let event = r.fields.len().checked_sub(1).filter(|_| !r.keep);
        for (k, field) in r.fields.iter().enumerate() {
            if Some(k) == event {
                let number = self.eval(r.channel)?;
                self.event(Way::Out, number, Seen::Kept(at, chan, 0))?;
            }
            if let PatternCode::Store(spot) = field {
                let value = self.frame.message_field(at, chan, n, k);
                self.store(spot, value)?;
            }
        }
        if !r.keep {
            self.frame.remove_message(at, chan, n);
        }
        Ok(())
    }

    /// Puts a message into the hands of a receiver: `None` if the send is into a buffer.
    pub fn offer(&mut self, send: &SendCode, handshake: &mut Handshake) -> Result<bool, FaultKind> {
        let number = self.eval(send.channel)?;
        let (_, chan) = self.frame.channel(number, self.program)?;
        if chan.capacity > 0 {
            return Ok(false);
        }
        handshake.channel = number;
        handshake.sender = self.pid;
        handshake.message.clear();
        for (k, (_, slot)) in chan.fields.iter().enumerate() {
            let value = match send.fields.get(k) {
                Some(e) => self.eval(*e)?,
                None => 0,
            };
            handshake.message.push(slot.scalar.narrow(value));
        }
        self.event(Way::In, number, Seen::Passed(handshake))?;
        Ok(true)
    }

    /// Whether a receive takes what is offered.
    fn accepts(&mut self, r: &ReceiveCode, handshake: &Handshake) -> Result<bool, FaultKind> {
        if r.keep || self.eval(r.channel)? != handshake.channel {
            return Ok(false);
        }
        if r.fields.len() > handshake.message.len() {
            return Err(FaultKind::MessageLength);
        }
        for (field, value) in r.fields.iter().zip(&handshake.message) {
            if let PatternCode::Match(e) = field
                && self.eval(*e)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action takes what is offered: it is a receive, begins with one, or is a
    /// deterministic block of which an option begins with one. Other options of the block wait, as
    /// all that is no receive does until the message has arrived.
    pub fn answers(&mut self, act: &ActCode, handshake: &Handshake) -> Result<bool, FaultKind> {
        match act {
            ActCode::Receive(receive) => self.accepts(receive, handshake),
            ActCode::Deterministic(entry, _) => {
                Ok(self.answer_inside(*entry, handshake)?.is_some())
            }
            ActCode::All(all) => self.answers(&all[0], handshake),
            _ => Ok(false),
        }
    }

    /// The first step at a location inside a deterministic block that takes what is offered.
    fn answer_inside(&mut self, at: u32, handshake: &Handshake) -> Result<Option<u32>, FaultKind> {
        let program = self.program;
        let proc = self.frame.proctype(self.pid, program);
        let (from, to) = proc.steps[at as usize];
        for s in &program.order[from as usize..to as usize] {
            if self.answers(&program.steps[*s as usize].act, handshake)? {
                return Ok(Some(*s));
            }
        }
        Ok(None)
    }

    /// Takes an action that answers what is offered. Gives `false` for a false assertion.
    pub fn answer(
        &mut self,
        act: &ActCode,
        handshake: &Handshake,
        covered: &mut [bool],
    ) -> Result<bool, FaultKind> {
        match act {
            ActCode::Receive(receive) => self.take(receive, handshake)?,
            ActCode::Deterministic(entry, exit) => {
                let found = self.answer_inside(*entry, handshake)?;
                let s = found.ok_or(FaultKind::Blocked)?;
                covered[s as usize] = true;
                let StepCode { act, target, .. } = &self.program.steps[s as usize];
                let holds = self.answer(act, handshake, covered)?;
                return match *target as u32 {
                    here if here == *exit => Ok(holds),
                    here => Ok(self.inside(here, *exit, covered)? && holds),
                };
            }
            ActCode::All(all) => {
                let mut holds = self.answer(&all[0], handshake, covered)?;
                for act in &all[1..] {
                    holds &= self.perform(act, covered)?;
                }
                return Ok(holds);
            }
            _ => return Err(FaultKind::Blocked),
        }
        Ok(true)
    }

    /// Stores what is offered.
    fn take(&mut self, r: &ReceiveCode, handshake: &Handshake) -> Result<(), FaultKind> {
        for (k, (field, value)) in r.fields.iter().zip(&handshake.message).enumerate() {
            if k + 1 == r.fields.len() {
                self.event(Way::Out, handshake.channel, Seen::Passed(handshake))?;
            }
            if let PatternCode::Store(spot) = field {
                self.store(spot, *value)?;
            }
        }
        Ok(())
    }

    /// The first step that can be taken at a location inside a deterministic block.
    fn first_inside(&mut self, location: u32) -> Result<Option<u32>, FaultKind> {
        let program = self.program;
        let proc = self.frame.proctype(self.pid, program);
        let (from, to) = proc.steps[location as usize];
        let mut otherwise = None;
        for s in &program.order[from as usize..to as usize] {
            match &program.steps[*s as usize].act {
                ActCode::Else => otherwise = Some(*s),
                act if self.guard(act)? => return Ok(Some(*s)),
                _ => {}
            }
        }
        Ok(otherwise)
    }

    /// Runs a deterministic block from one of its locations.
    fn inside(&mut self, entry: u32, exit: u32, covered: &mut [bool]) -> Result<bool, FaultKind> {
        let program = self.program;
        let (mut here, mut holds) = (entry, true);
        // A run has no choices: once it comes back to a state it passed it does so for ever. Each
        // state is compared with one that the run passed after a power of two of steps.
        let mut passed: Option<(u32, Vec<u8>)> = None;
        for n in 0..MAX_RUN {
            if n >= FIRST_COMPARED && n.is_power_of_two() {
                passed = Some((here, self.frame.bytes.clone()));
            } else if let Some((at, bytes)) = &passed
                && *at == here
                && *bytes == self.frame.bytes
            {
                break;
            }
            let s = self.first_inside(here)?.ok_or(FaultKind::Blocked)?;
            covered[s as usize] = true;
            let code = &program.steps[s as usize];
            match &code.act {
                ActCode::TestRun(e) => {
                    if self.eval(*e)? == 0 {
                        return Err(FaultKind::Blocked);
                    }
                }
                act => holds &= self.perform(act, covered)?,
            }
            let record = self.frame.procs[self.pid] as usize;
            for (cell, value) in &code.resets {
                let at = record + cell.at as usize;
                cell.scalar.store(&mut self.frame.bytes, at, *value);
            }
            here = code.target as u32;
            if here == exit {
                return Ok(holds);
            }
        }
        // A false assertion on the way counts for more than what is not known.
        Err(if holds {
            FaultKind::Endless
        } else {
            FaultKind::Assertion
        })
    }
}
