//! Steps as machine code: what the machine wants of it, and nothing of how it is made.
//!
//! **Problem.** Interpreting a step costs ten times what the step itself would cost as machine
//! code.
//!
//! **Idea.** Compiled code handles the clean way only. It makes all moves of one process from a
//! state, or answers *ask*; then the interpreter makes the moves of that process from that state.
//! So faults, processes that are made, and all that is rare have one meaning, in one place; and a
//! code generator may answer *ask* wherever it does not know better.
//!
//! **Memory.** States stand side by side on a [`Tape`], a frame each: first the one that moves
//! start from, then one for each step taken. A frame names the frame that its step was taken from,
//! so the steps of a move are read backwards.
//!
//! ```text
//! frame 0             frame 1                   frame 2
//! (start) state s     from 0, step 7, passed    from 1, step 9, stored
//! ```
//!
//! is one move of two steps: step 7 keeps control, and step 9 follows it.
//!
//! A [`CodeGenerator`] is handed to the machine from outside: this crate has no machine code.

use super::code::{KindCode, Program};
use super::expand::taken;
use super::frame::LOCATION_AT;
use system::Taken;

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
    /// How many steps have machine code.
    fn n_steps(&self) -> usize;

    /// Makes all moves of the process on the stage from the first frame, in order, as frames behind
    /// it; `false` if the interpreter has to, and then what is behind it means nothing.
    fn expand(&self, stage: &mut Stage<'_>) -> bool;
}

/// What a frame with a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Kind {
    /// Other steps follow in the same move.
    Passed = 0,
    /// A move leads here.
    Stored = 1,
    /// A move leads here, and the process that took the step is gone with all behind it.
    Ended = 2,
    /// Other steps follow, and a loop closes here; only while these are being taken.
    Closing = 3,
}

/// How many bytes stand before the state in a frame: four numbers of four bytes, which are where
/// the frame starts that the step was taken from, the step, the process, and the [`Kind`].
pub const HEAD_BYTES: usize = 16;
/// What the size of a frame is a multiple of.
pub const FRAME_ALIGN: usize = 16;
/// How many frames a tape has. More steps than that are the interpreter's.
pub const N_FRAMES: usize = 256;
/// How many messages may be between halves of a rendezvous at a time.
pub const N_WIRES: usize = 8;

/// Where the records of a state are. States with equal tags have equal casts.
#[derive(Clone, Default, Debug)]
pub(super) struct Cast {
    /// Offset and tag of each record.
    records: Vec<(u32, u8)>,
    /// The offsets of processes, then those of channels.
    offsets: Vec<u32>,
    /// The latter alone.
    chans: Vec<u32>,
    n_procs: usize,
    /// The process type of each process.
    types: Vec<u32>,
    n_bytes: usize,
}

impl Cast {
    /// Whether it is the cast of `state`.
    #[inline]
    fn is_cast_of(&self, state: &[u8]) -> bool {
        let same = |(at, tag): &(u32, u8)| state[*at as usize] == *tag;
        state.len() == self.n_bytes && self.records.iter().all(same)
    }

    fn rebuild(&mut self, state: &[u8], program: &Program) {
        self.records.clear();
        self.offsets.clear();
        self.types.clear();
        self.chans.clear();
        let mut at = program.globals_size as usize;
        while at < state.len() {
            let tag = state[at];
            match program.kinds[usize::from(tag)] {
                KindCode::Channel(_) => self.chans.push(at as u32),
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
        self.offsets.extend_from_slice(&self.chans);
        self.n_bytes = state.len();
    }

    pub fn n_procs(&self) -> usize {
        self.n_procs
    }

    pub fn procs(&self) -> &[u32] {
        &self.offsets[..self.n_procs]
    }

    pub fn chans(&self) -> &[u32] {
        &self.chans
    }
}

/// States side by side.
#[derive(Clone, Default, Debug)]
pub(super) struct Tape {
    cast: Cast,
    bytes: Vec<u8>,
    /// How many bytes a frame takes.
    stride: usize,
    /// Where the frames end that are used.
    end: usize,
    wires: Vec<i32>,
}

impl Tape {
    /// The first frame becomes `state`.
    #[inline]
    pub fn start(&mut self, state: &[u8], program: &Program) {
        if !self.cast.is_cast_of(state) {
            self.cast.rebuild(state, program);
            self.stride = (HEAD_BYTES + state.len()).next_multiple_of(FRAME_ALIGN);
            let n_bytes = self.stride * N_FRAMES;
            if self.bytes.len() < n_bytes {
                self.bytes.resize(n_bytes, 0);
            }
            self.wires.resize(wire_length(program) * N_WIRES, 0);
        }
        self.bytes[HEAD_BYTES..HEAD_BYTES + state.len()].copy_from_slice(state);
        self.end = self.stride;
    }

    /// Where the records of all states are.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// The state that moves start from.
    pub fn first(&self) -> &[u8] {
        &self.bytes[HEAD_BYTES..][..self.cast.n_bytes]
    }

    /// A process before all its moves.
    #[inline]
    pub fn stage<'a>(
        &'a mut self,
        pid: usize,
        timeout: bool,
        covered: &'a mut [bool],
    ) -> Stage<'a> {
        self.end = self.stride;
        Stage {
            tape: self,
            pid,
            timeout,
            covered,
        }
    }

    /// Where the first frame behind the one at `at` starts to which a move leads, and its state.
    #[inline]
    pub fn next(&self, mut at: usize) -> Option<(usize, &[u8])> {
        loop {
            at += self.stride;
            if at >= self.end {
                return None;
            }
            let kind = self.head(at, 3);
            if kind == Kind::Passed as u32 {
                continue;
            }
            let end = if kind == Kind::Stored as u32 {
                self.cast.n_bytes
            } else {
                self.cast.offsets[self.head(at, 2) as usize] as usize
            };
            return Some((at, &self.bytes[at + HEAD_BYTES..][..end]));
        }
    }

    /// The steps of the move to the frame at `at`.
    #[inline]
    pub fn steps(&self, mut at: usize, out: &mut Vec<Taken>) {
        out.clear();
        while at != 0 {
            out.push(taken(self.head(at, 2) as usize, self.head(at, 1)));
            at = self.head(at, 0) as usize;
        }
        out.reverse();
    }

    #[inline]
    fn head(&self, at: usize, k: usize) -> u32 {
        let bytes = self.bytes[at + 4 * k..][..4].try_into();
        u32::from_le_bytes(bytes.expect("four bytes"))
    }
}

/// A process that is to make its moves: what compiled steps work on.
///
/// Made by the machine only, so that offsets are those of records that lie within each state, each
/// of the size and kind that its tag says.
pub struct Stage<'a> {
    tape: &'a mut Tape,
    pid: usize,
    timeout: bool,
    covered: &'a mut [bool],
}

impl Stage<'_> {
    /// All [`N_FRAMES`] frames.
    #[inline]
    pub fn frames(&mut self) -> &mut [u8] {
        &mut self.tape.bytes[..self.tape.stride * N_FRAMES]
    }

    /// How many bytes a frame takes.
    #[inline]
    pub fn stride(&self) -> usize {
        self.tape.stride
    }

    /// The frames that are used end there.
    ///
    /// # Requires
    /// It is a multiple of [`Stage::stride`], and each frame behind the first has a head that names
    /// a frame before it and a process.
    #[inline]
    pub fn set_end(&mut self, end: usize) {
        self.tape.end = end;
    }

    /// The offsets of the records of processes in each state, then of channels.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.tape.cast.offsets
    }

    /// How many of these are processes; more than [`Stage::pid`].
    #[inline]
    pub fn n_procs(&self) -> usize {
        self.tape.cast.n_procs
    }

    /// The process that makes moves.
    #[inline]
    pub fn pid(&self) -> usize {
        self.pid
    }

    /// Its process type, by number.
    #[inline]
    pub fn proctype(&self) -> usize {
        self.tape.cast.types[self.pid] as usize
    }

    /// Where its location is in a state.
    #[inline]
    pub fn location_at(&self) -> usize {
        self.tape.cast.offsets[self.pid] as usize + LOCATION_AT
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

    /// Room for [`N_WIRES`] messages between the halves of a rendezvous, [`wire_length`] numbers
    /// each.
    #[inline]
    pub fn wires(&mut self) -> &mut [i32] {
        &mut self.tape.wires
    }
}

/// How many numbers the longest message on a wire is: the number of the channel, the number of
/// fields, the fields.
pub fn wire_length(program: &Program) -> usize {
    let fields = program.kinds.iter().map(|kind| match kind {
        KindCode::Channel(chan) => chan.fields.len(),
        _ => 0,
    });
    WIRE_FIELDS_AT + fields.max().unwrap_or(0)
}

/// Where the fields of a message on a wire start.
pub const WIRE_FIELDS_AT: usize = 2;
