//! Steps as machine code: what the machine wants of it, and nothing of how it is made.
//!
//! **Problem.** Interpreting a step costs ten times what the step itself would cost as machine
//! code.
//!
//! **Idea.** Compiled code handles the clean way only. A guard answers *can be taken*, *cannot* or
//! *ask*; an effect answers *done*, *half* of a rendezvous, or *ask*. Whoever gets *ask* lets the
//! interpreter do that very step again from the same state. So faults, processes that come and go,
//! and all that is rare have one meaning, in one place; and a code generator may answer *ask*
//! wherever it does not know better.
//!
//! A [`CodeGenerator`] is handed to the machine from outside: this crate has no machine code.

use super::code::{KindCode, Program};
use super::frame::LOCATION_AT;

/// How many steps of a location are looked at with one call.
pub const N_CHOICES: u32 = 32;

/// What makes machine code of programs.
pub trait CodeGenerator: Sync {
    /// Machine code of the steps of a program. If they are too many, those that are `wanted`, by
    /// number, come first.
    fn generate(
        &self,
        program: &Program,
        wanted: &[bool],
    ) -> Result<Box<dyn Compiled>, NotGenerated>;
}

/// Why there is no machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotGenerated {
    /// The reason, in words.
    pub reason: String,
}

/// The steps of a program as machine code. It changes nothing but what is on the stage.
pub trait Compiled: Send + Sync {
    /// How many steps have machine code of their own.
    fn n_steps(&self) -> usize;

    /// Which of the steps can be taken whose places in [`Program::order`] are `first` and the next
    /// [`N_CHOICES`]` - 1`, as far as they belong to the same location.
    ///
    /// # Requires
    /// `first` is the place of the first step of the location where the process is, or that plus a
    /// multiple of [`N_CHOICES`].
    fn guards(&self, first: u32, stage: &mut Stage<'_>) -> Choices;

    /// The same for a process that may only receive the message on the wire.
    fn answers(&self, first: u32, stage: &mut Stage<'_>) -> Choices;

    /// Takes a step whose guard holds. After [`Effect::Ask`] the bytes mean nothing.
    fn take(&self, step: u32, stage: &mut Stage<'_>) -> Effect;

    /// The same for a step that receives the message on the wire.
    fn answer(&self, step: u32, stage: &mut Stage<'_>) -> Effect;
}

/// The guards of up to [`N_CHOICES`] steps: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// Those that can be taken.
    pub can: u32,
    /// Those that the interpreter has to try. Their other bit means nothing.
    pub ask: u32,
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It was taken.
    Done,
    /// It was taken, and its message is on the wire: a receiver must follow.
    Half,
    /// Only the interpreter knows.
    Ask,
}

/// Where the records of a state are. States with equal tags have equal casts.
#[derive(Clone, Default, Debug)]
pub(super) struct Cast {
    /// Offset and tag of each record.
    records: Vec<(u32, u8)>,
    /// The offsets of processes, then those of channels.
    offsets: Vec<u32>,
    n_procs: usize,
    /// The process type of each process.
    types: Vec<u32>,
    n_bytes: usize,
}

impl Cast {
    /// Becomes the cast of `state`.
    #[inline]
    pub fn become_cast_of(&mut self, state: &[u8], program: &Program) {
        let same = |(at, tag): &(u32, u8)| state[*at as usize] == *tag;
        if state.len() != self.n_bytes || !self.records.iter().all(same) {
            self.rebuild(state, program);
        }
    }

    fn rebuild(&mut self, state: &[u8], program: &Program) {
        self.records.clear();
        self.offsets.clear();
        self.types.clear();
        let mut chans = Vec::new();
        let mut at = program.globals_size as usize;
        while at < state.len() {
            let tag = state[at];
            match program.kinds[usize::from(tag)] {
                KindCode::Channel(_) => chans.push(at as u32),
                KindCode::Process(p) => {
                    self.offsets.push(at as u32);
                    self.types.push(p);
                }
                KindCode::Globals => unreachable!("a record of globals at {at}"),
            }
            self.records.push((at as u32, tag));
            at += program.sizes[usize::from(tag)] as usize;
        }
        assert_eq!(at, state.len(), "records that fill the state");
        self.n_procs = self.offsets.len();
        self.offsets.extend(chans);
        self.n_bytes = state.len();
    }

    pub fn n_procs(&self) -> usize {
        self.n_procs
    }

    pub fn procs(&self) -> &[u32] {
        &self.offsets[..self.n_procs]
    }

    pub fn chans(&self) -> &[u32] {
        &self.offsets[self.n_procs..]
    }

    /// The steps that a process may take: a range of [`Program::order`].
    #[inline]
    pub fn steps(&self, pid: usize, state: &[u8], program: &Program) -> (u32, u32) {
        let proc = &program.procs[self.types[pid] as usize];
        let at = self.offsets[pid] as usize + LOCATION_AT;
        proc.steps[proc.location.load(state, at) as usize]
    }
}

/// A state, and the process that is to take a step in it: what compiled steps work on.
///
/// Made by the machine only, so that offsets are those of records that lie within the bytes, each
/// of the size and kind that its tag says.
pub struct Stage<'a> {
    bytes: &'a mut [u8],
    offsets: &'a [u32],
    n_procs: usize,
    pid: usize,
    timeout: bool,
    covered: &'a mut [bool],
    wire: &'a mut [i32],
}

/// What a stage is made of beside the state.
pub(super) struct Props<'a> {
    pub timeout: bool,
    pub covered: &'a mut [bool],
    pub wire: &'a mut [i32],
}

impl<'a> Stage<'a> {
    /// A process in a state with that cast.
    #[inline]
    pub(super) fn new(
        bytes: &'a mut [u8],
        cast: &'a Cast,
        pid: usize,
        props: Props<'a>,
    ) -> Stage<'a> {
        assert!(bytes.len() == cast.n_bytes && pid < cast.n_procs);
        Stage {
            bytes,
            offsets: &cast.offsets,
            n_procs: cast.n_procs,
            pid,
            timeout: props.timeout,
            covered: props.covered,
            wire: props.wire,
        }
    }

    pub(super) fn set_timeout(&mut self, timeout: bool) {
        self.timeout = timeout;
    }

    /// The state.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// The offsets of the records of processes, then of channels.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        self.offsets
    }

    /// How many of these are processes; more than [`Stage::pid`].
    #[inline]
    pub fn n_procs(&self) -> usize {
        self.n_procs
    }

    /// The process that is to take a step.
    #[inline]
    pub fn pid(&self) -> usize {
        self.pid
    }

    /// Whether no step can be taken otherwise.
    #[inline]
    pub fn timeout(&self) -> bool {
        self.timeout
    }

    /// By number: the steps that were taken, those inside deterministic blocks included.
    #[inline]
    pub fn covered(&mut self) -> &mut [bool] {
        self.covered
    }

    /// A message between the halves of a rendezvous: the number of the channel, the number of
    /// fields, the fields. At least [`wire_length`] numbers.
    #[inline]
    pub fn wire(&mut self) -> &mut [i32] {
        self.wire
    }
}

/// How many numbers the longest message on a wire is.
pub fn wire_length(program: &Program) -> usize {
    let fields = program.kinds.iter().map(|kind| match kind {
        KindCode::Channel(chan) => chan.fields.len(),
        _ => 0,
    });
    WIRE_FIELDS_AT + fields.max().unwrap_or(0)
}

/// Where the fields of a message on a wire start.
pub const WIRE_FIELDS_AT: usize = 2;
