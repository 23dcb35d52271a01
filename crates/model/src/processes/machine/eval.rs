//! Evaluating expressions on a frame.

use super::code::{
    At, Base, Cell, Code, Element, InitCode, PatternCode, Program, ReceiveCode, Spot,
};
use super::frame::Frame;
use crate::processes::expr::{Binary, Probe};
use crate::processes::layout::KindId;
use crate::processes::program::ProctypeId;
use system::fault::FaultKind;

/// Who evaluates, and where.
pub(super) struct Env<'a> {
    pub program: &'a Program,
    pub frame: &'a mut Frame,
    pub pid: usize,
    /// Whether no step can be taken otherwise.
    pub timeout: bool,
    /// Where printed text goes; searches print nothing.
    pub printed: Option<&'a mut String>,
    /// Whether a variable was read of a process that is not there.
    pub read_absent: bool,
}

type Value = Result<i32, FaultKind>;

impl<'a> Env<'a> {
    /// A process on a frame, while others can take steps, printing nothing.
    pub fn new(program: &'a Program, frame: &'a mut Frame, pid: usize) -> Env<'a> {
        Env {
            program,
            frame,
            pid,
            timeout: false,
            printed: None,
            read_absent: false,
        }
    }
}

impl Env<'_> {
    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, at: At) -> Value {
        let program = self.program;
        match &program.codes[at as usize] {
            Code::Const(v) => Ok(*v),
            Code::Global(c) => Ok(self.load(0, *c)),
            Code::Own(c) => Ok(self.load(self.own(), *c)),
            Code::OwnIs(c, v) => Ok(i32::from(self.load(self.own(), *c) == *v)),
            Code::GlobalIs(c, v) => Ok(i32::from(self.load(0, *c) == *v)),
            Code::OwnIsNot(c, v) => Ok(i32::from(self.load(self.own(), *c) != *v)),
            Code::GlobalIsNot(c, v) => Ok(i32::from(self.load(0, *c) != *v)),
            Code::Pid => Ok(self.pid as i32),
            Code::PidIs(v) => Ok(i32::from(self.pid as i32 == *v)),
            Code::Binary(op, a, b) => {
                let a = self.eval(*a)?;
                let b = self.eval(*b)?;
                binary(*op, a, b)
            }
            Code::Not(e) => Ok(i32::from(self.eval(*e)? == 0)),
            Code::And(all) => {
                for e in all {
                    if self.eval(*e)? == 0 {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Code::Or(all) => {
                for e in all {
                    if self.eval(*e)? != 0 {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Code::Element(e) => self.element(e),
            other => self.rarely(other),
        }
    }

    /// The rest of [`Env::eval`], kept apart so that the common part stays small.
    #[inline(never)]
    fn rarely(&mut self, code: &Code) -> Value {
        match code {
            Code::NProcesses => Ok(self.frame.procs.len() as i32),
            Code::Complement(e) => Ok(!self.eval(*e)?),
            Code::Minus(e) => Ok(self.eval(*e)?.wrapping_neg()),
            Code::Choice(a, b, c) => {
                let chosen = if self.eval(*a)? != 0 { *b } else { *c };
                self.eval(chosen)
            }
            Code::Run(p, args, priority) => self.run(*p, args, *priority),
            Code::Probe(probe, channel) => self.probe(*probe, *channel),
            Code::Poll(receive) => Ok(i32::from(self.poll(receive)?.is_some())),
            Code::Timeout => Ok(i32::from(self.timeout)),
            Code::Enabled(e) => {
                let pid = self.eval(*e)?;
                self.enabled(pid)
            }
            Code::LocationOf(e) => {
                let pid = self.eval(*e)?;
                Ok(self.process(pid).map_or(0, |pid| {
                    let scalar = self.frame.proctype(pid, self.program).location;
                    self.frame.location(pid, scalar)
                }))
            }
            Code::PriorityOf(e) => {
                let pid = self.eval(*e)?;
                Ok(self.process(pid).map_or(0, |pid| self.priority(pid)))
            }
            Code::AtLocation(base, location) => {
                let Some(record) = self.record(*base)? else {
                    return Ok(0);
                };
                let tag = usize::from(self.frame.bytes[record]);
                let super::code::KindCode::Process(p) = self.program.kinds[tag] else {
                    unreachable!("a process record")
                };
                let scalar = self.program.procs[p as usize].location;
                let here = scalar.load(&self.frame.bytes, record + 1);
                Ok(i32::from(here == *location))
            }
            Code::NonProgress => {
                let busy = (0..self.frame.procs.len()).any(|pid| {
                    let proc = self.frame.proctype(pid, self.program);
                    proc.progress[self.frame.location(pid, proc.location) as usize]
                });
                Ok(i32::from(!busy))
            }
            Code::Accepting => {
                let accepts = (0..self.frame.procs.len()).any(|pid| {
                    let proc = self.frame.proctype(pid, self.program);
                    proc.accept[self.frame.location(pid, proc.location) as usize]
                });
                Ok(i32::from(accepts))
            }
            _ => unreachable!("evaluated before"),
        }
    }

    #[inline]
    fn own(&self) -> usize {
        self.frame.procs[self.pid] as usize
    }

    #[inline]
    fn load(&self, record: usize, cell: Cell) -> i32 {
        cell.scalar
            .load(&self.frame.bytes, record + cell.at as usize)
    }

    /// The process of that number, if it is there.
    fn process(&self, pid: i32) -> Option<usize> {
        let pid = usize::try_from(pid).ok()?;
        (pid < self.frame.procs.len()).then_some(pid)
    }

    /// The priority of a process; 1 where the model has none.
    pub fn priority(&self, pid: usize) -> i32 {
        let proc = self.frame.proctype(pid, self.program);
        let record = self.frame.procs[pid] as usize;
        proc.priority.map_or(1, |(cell, _)| self.load(record, cell))
    }

    /// Where a record starts; `None` for a process that is not there or of another type, whose
    /// variables all read as 0, as in SPIN.
    fn record(&mut self, base: Base) -> Result<Option<usize>, FaultKind> {
        let of = |frame: &Frame, at: u32, kind: KindId| {
            usize::from(frame.bytes[at as usize]) == kind.index()
        };
        match base {
            Base::Globals => Ok(Some(0)),
            Base::Own => Ok(Some(self.own())),
            Base::Numbered(kind, e) => {
                let pid = self.eval(e)?;
                let found = self.process(pid).map(|pid| self.frame.procs[pid]);
                let found = found.filter(|at| of(self.frame, *at, kind));
                Ok(found.map(|at| at as usize))
            }
            Base::First(kind) => {
                let mut all = self.frame.procs.iter();
                let found = all.find(|at| of(self.frame, **at, kind));
                Ok(found.map(|at| *at as usize))
            }
        }
    }

    /// The offset of an element; `None` if its process is not there.
    fn address(&mut self, e: &Element) -> Result<Option<usize>, FaultKind> {
        let Some(record) = self.record(e.base)? else {
            return Ok(None);
        };
        let mut at = record + e.cell.at as usize;
        for (index, bound, stride) in &e.indices {
            let index = self.eval(*index)?;
            if index < 0 || index as u32 >= *bound {
                return Err(FaultKind::Index);
            }
            at += index as usize * *stride as usize;
        }
        Ok(Some(at))
    }

    fn element(&mut self, e: &Element) -> Value {
        let Some(at) = self.address(e)? else {
            self.read_absent = true;
            return Ok(0);
        };
        Ok(e.cell.scalar.load(&self.frame.bytes, at))
    }

    /// Stores a number.
    #[inline]
    pub fn store(&mut self, spot: &Spot, value: i32) -> Result<(), FaultKind> {
        let (at, scalar) = match spot {
            Spot::Global(c) => (c.at as usize, c.scalar),
            Spot::Own(c) => (self.own() + c.at as usize, c.scalar),
            Spot::Element(e) => match self.address(e)? {
                Some(at) => (at, e.cell.scalar),
                None => return Err(FaultKind::NoProcess),
            },
        };
        scalar.store(&mut self.frame.bytes, at, value);
        Ok(())
    }

    fn probe(&mut self, probe: Probe, channel: At) -> Value {
        let number = self.eval(channel)?;
        let (at, chan) = self.frame.channel(number, self.program)?;
        let length = self.frame.length(at);
        // A rendezvous channel is empty and, having no room, not full: a send may find a partner.
        let full = length == chan.capacity as usize && chan.capacity > 0;
        Ok(match probe {
            Probe::Length => length as i32,
            Probe::Empty => i32::from(length == 0),
            Probe::NotEmpty => i32::from(length != 0),
            Probe::Full => i32::from(full),
            Probe::NotFull => i32::from(!full),
        })
    }

    /// The message that a receive would take from its buffered channel: record and number.
    pub fn find(&mut self, receive: &ReceiveCode) -> Result<Option<(usize, usize)>, FaultKind> {
        let number = self.eval(receive.channel)?;
        let (_, chan) = self.frame.channel(number, self.program)?;
        if receive.fields.len() > chan.fields.len() {
            return Err(FaultKind::MessageLength);
        }
        self.poll(receive)
    }

    /// The message that a poll sees. As in SPIN it may name more fields than there are: those it
    /// compares read as 0 if messages have one field, and are a fault if they have more. Nothing is
    /// ever seen in a rendezvous channel; that somebody looks is noted, and the run goes on.
    fn poll(&mut self, receive: &ReceiveCode) -> Result<Option<(usize, usize)>, FaultKind> {
        let number = self.eval(receive.channel)?;
        let (at, chan) = self.frame.channel(number, self.program)?;
        if chan.capacity == 0 {
            self.frame.note(FaultKind::Poll);
            return Ok(None);
        }
        let n_fields = chan.fields.len();
        let length = self.frame.length(at);
        let candidates = if receive.random {
            length
        } else {
            length.min(1)
        };
        'messages: for n in 0..candidates {
            for (k, field) in receive.fields.iter().enumerate() {
                if let PatternCode::Match(e) = field {
                    let value = if k < n_fields {
                        self.frame.message_field(at, chan, n, k)
                    } else if n_fields == 1 {
                        0
                    } else {
                        return Err(FaultKind::MessageLength);
                    };
                    if self.eval(*e)? != value {
                        continue 'messages;
                    }
                }
            }
            return Ok(Some((at, n)));
        }
        Ok(None)
    }

    /// Makes a process and gives its number.
    fn run(&mut self, id: ProctypeId, args: &[At], priority: Option<i32>) -> Value {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(*arg)?);
        }
        let pid = self.spawn(id, &values, priority)?;
        Ok(pid as i32)
    }

    /// Makes a process.
    pub fn spawn(
        &mut self,
        id: ProctypeId,
        args: &[i32],
        priority: Option<i32>,
    ) -> Result<usize, FaultKind> {
        let program = self.program;
        let proc = &program.procs[id.index()];
        let pid = self.frame.add_process(proc)?;
        let caller = std::mem::replace(&mut self.pid, pid);
        if let Some((cell, first)) = proc.priority {
            self.store(&Spot::Own(cell), priority.unwrap_or(first))?;
        }
        for (spot, value) in proc.parameters.iter().zip(args) {
            self.store(spot, *value)?;
        }
        self.prologue(&proc.prologue)?;
        self.pid = caller;
        Ok(pid)
    }

    /// Gives variables their first values.
    pub fn prologue(&mut self, inits: &[InitCode]) -> Result<(), FaultKind> {
        for init in inits {
            match init {
                InitCode::Value(spot, e) => {
                    let value = self.eval(*e)?;
                    self.store(spot, value)?;
                }
                InitCode::Channel(spot, kind) => {
                    let size = self.program.sizes[kind.index()];
                    let number = self.frame.add_channel(kind.index() as u8, size)?;
                    self.store(spot, number)?;
                }
            }
        }
        Ok(())
    }

    fn enabled(&mut self, pid: i32) -> Value {
        let Some(pid) = self.process(pid) else {
            return Ok(0);
        };
        if pid == self.pid {
            return Ok(0);
        }
        let caller = std::mem::replace(&mut self.pid, pid);
        let answer = self.can_move();
        self.pid = caller;
        answer.map(i32::from)
    }
}

/// What an operator gives.
#[inline]
pub fn binary(op: Binary, a: i32, b: i32) -> Value {
    Ok(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide | Binary::Remainder if b == 0 => return Err(FaultKind::Division),
        Binary::Divide => a.wrapping_div(b),
        Binary::Remainder => a.wrapping_rem(b),
        Binary::BitAnd => a & b,
        Binary::BitXor => a ^ b,
        Binary::BitOr => a | b,
        // The processor that SPIN's C code runs on takes the distance modulo 32.
        Binary::ShiftLeft => a.wrapping_shl(b as u32),
        Binary::ShiftRight => a.wrapping_shr(b as u32),
        Binary::Less => i32::from(a < b),
        Binary::LessEqual => i32::from(a <= b),
        Binary::Greater => i32::from(a > b),
        Binary::GreaterEqual => i32::from(a >= b),
        Binary::Equal => i32::from(a == b),
        Binary::NotEqual => i32::from(a != b),
    })
}
