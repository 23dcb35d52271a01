//! A state being worked on: its bytes, and where its records are.

use super::code::{ChanCode, KindCode, ProcCode, Program};
use crate::processes::layout::Scalar;
use system::fault::FaultKind;

/// The most processes, and the most channels: their numbers are bytes, and channel 0 is none.
pub(super) const MAX_NUMBERED: usize = 255;

/// Where the location of a process record is.
pub(super) const LOCATION_AT: usize = 1;
/// Where the number of messages of a channel record is.
const LENGTH_AT: usize = 1;

/// A state and the offsets of its processes and channels, in the order they came to be.
#[derive(Clone, Default, Debug)]
pub(super) struct Frame {
    pub bytes: Vec<u8>,
    pub procs: Vec<u32>,
    pub chans: Vec<u32>,
    /// What went wrong in the step that led here, where the run goes on all the same.
    pub noted: Vec<FaultKind>,
}

impl Frame {
    /// Becomes `state`.
    pub fn load(&mut self, state: &[u8], program: &Program) {
        self.bytes.clear();
        self.bytes.extend_from_slice(state);
        self.procs.clear();
        self.chans.clear();
        let mut at = program.globals_size as usize;
        while at < state.len() {
            let tag = usize::from(state[at]);
            match program.kinds[tag] {
                KindCode::Channel(_) => self.chans.push(at as u32),
                _ => self.procs.push(at as u32),
            }
            at += program.sizes[tag] as usize;
        }
    }

    /// Its records are there.
    pub fn set_records(&mut self, procs: &[u32], chans: &[u32]) {
        self.procs.clear();
        self.procs.extend_from_slice(procs);
        self.chans.clear();
        self.chans.extend_from_slice(chans);
        self.noted.clear();
    }

    /// Becomes a copy of `other`, in memory it has already.
    pub fn copy(&mut self, other: &Frame) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes);
        self.procs.clear();
        self.procs.extend_from_slice(&other.procs);
        self.chans.clear();
        self.chans.extend_from_slice(&other.chans);
        self.noted.clear();
    }

    /// Notes what went wrong in a step, once.
    pub fn note(&mut self, kind: FaultKind) {
        if !self.noted.contains(&kind) {
            self.noted.push(kind);
        }
    }

    /// The process type of a process.
    pub fn proctype<'a>(&self, pid: usize, program: &'a Program) -> &'a ProcCode {
        let tag = self.bytes[self.procs[pid] as usize];
        match program.kinds[usize::from(tag)] {
            KindCode::Process(p) => &program.procs[p as usize],
            _ => unreachable!("tag {tag} is no process"),
        }
    }

    /// The location of a process.
    pub fn location(&self, pid: usize, scalar: Scalar) -> i32 {
        scalar.load(&self.bytes, self.procs[pid] as usize + LOCATION_AT)
    }

    /// Moves a process.
    pub fn set_location(&mut self, pid: usize, scalar: Scalar, location: i32) {
        scalar.store(
            &mut self.bytes,
            self.procs[pid] as usize + LOCATION_AT,
            location,
        );
    }

    /// The record and kind of the channel of that number, from 1.
    pub fn channel<'a>(
        &self,
        number: i32,
        program: &'a Program,
    ) -> Result<(usize, &'a ChanCode), FaultKind> {
        let index = usize::try_from(number.wrapping_sub(1)).map_err(|_| FaultKind::NoChannel)?;
        let at = *self.chans.get(index).ok_or(FaultKind::NoChannel)? as usize;
        match &program.kinds[usize::from(self.bytes[at])] {
            KindCode::Channel(chan) => Ok((at, chan)),
            _ => unreachable!("a channel record that is none"),
        }
    }

    /// How many messages the channel record at `at` holds.
    pub fn length(&self, at: usize) -> usize {
        usize::from(self.bytes[at + LENGTH_AT])
    }

    /// Field `field` of message `n` of the channel record at `at`.
    pub fn message_field(&self, at: usize, chan: &ChanCode, n: usize, field: usize) -> i32 {
        let (offset, slot) = chan.fields[field];
        let message = at + n * chan.message_size as usize;
        slot.scalar.load(&self.bytes, message + offset as usize)
    }

    /// Makes room for a message before message `n`; it is zero.
    pub fn insert_message(&mut self, at: usize, chan: &ChanCode, n: usize) {
        let size = chan.message_size as usize;
        let first = at + crate::processes::layout::MESSAGES_AT as usize;
        let length = self.length(at);
        let (from, to) = (first + n * size, first + length * size);
        self.bytes.copy_within(from..to, from + size);
        self.bytes[from..from + size].fill(0);
        self.bytes[at + LENGTH_AT] += 1;
    }

    /// Takes message `n` away; the room after the last is zero.
    pub fn remove_message(&mut self, at: usize, chan: &ChanCode, n: usize) {
        let size = chan.message_size as usize;
        let first = at + crate::processes::layout::MESSAGES_AT as usize;
        let length = self.length(at);
        let (from, to) = (first + n * size, first + length * size);
        self.bytes.copy_within(from + size..to, from);
        self.bytes[to - size..to].fill(0);
        self.bytes[at + LENGTH_AT] -= 1;
    }

    /// Stores field `field` of message `n`.
    pub fn set_message_field(
        &mut self,
        at: usize,
        chan: &ChanCode,
        (n, field): (usize, usize),
        value: i32,
    ) {
        let (offset, slot) = chan.fields[field];
        let message = at + n * chan.message_size as usize;
        (slot.scalar).store(&mut self.bytes, message + offset as usize, value);
    }

    /// Adds a process record of zeros at its first location; gives its number.
    pub fn add_process(&mut self, proc: &ProcCode) -> Result<usize, FaultKind> {
        if self.procs.len() == MAX_NUMBERED {
            return Err(FaultKind::TooManyProcesses);
        }
        let at = self.bytes.len();
        self.bytes.resize(at + proc.size as usize, 0);
        self.bytes[at] = proc.kind;
        self.procs.push(at as u32);
        let pid = self.procs.len() - 1;
        self.set_location(pid, proc.location, proc.start);
        Ok(pid)
    }

    /// Adds an empty channel; gives its number.
    pub fn add_channel(&mut self, kind: u8, size: u32) -> Result<i32, FaultKind> {
        if self.chans.len() == MAX_NUMBERED {
            return Err(FaultKind::TooManyChannels);
        }
        let at = self.bytes.len();
        self.bytes.resize(at + size as usize, 0);
        self.bytes[at] = kind;
        self.chans.push(at as u32);
        Ok(self.chans.len() as i32)
    }

    /// Takes the latest process away, with the channels made since it was.
    pub fn remove_last_process(&mut self) {
        let at = self.procs.pop().expect("a process");
        self.bytes.truncate(at as usize);
        while self.chans.last().is_some_and(|c| *c > at) {
            self.chans.pop();
        }
    }
}
