//! All moves from a state, by compiled steps: the same moves as [`super::expand`] gives, in the
//! same order.
//!
//! Guards of all steps of a location come from one call. A step that can be taken is taken on a
//! copy of the bytes alone: processes neither come nor go here, so offsets stay. Whatever compiled
//! code does not know, the interpreter tries: one step and all that follows it in its chain, on a
//! level of its own at the same depth ([`Direct::ask`]).
//!
//! Chains are followed by recursion, a few deep; a longer one is the interpreter's from there on.

use super::Machine;
use super::act::Handshake;
use super::compiled::{Choices, Compiled, Effect, N_CHOICES, Props, Stage, WIRE_FIELDS_AT};
use super::expand::{Level, Memory, Out, Search, taken};
use super::frame::Frame;
use super::loops::Met;
use crate::processes::program::Join;
use std::ops::ControlFlow;
use system::Move;

/// How many steps of a chain are followed here.
const DEPTH_MAX: usize = 64;
/// States larger than this are the interpreter's: a chain of them may be too long.
pub(super) const STATE_BYTES_MAX: usize = 1 << 18;

/// The search for moves by compiled steps.
pub(super) struct Direct<'a> {
    pub search: Search<'a>,
    pub compiled: &'a dyn Compiled,
}

/// Which steps a process may take at a level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// All.
    Free,
    /// Those that receive the last message offered; and whether its send may have closed a loop.
    Answer { closes: bool },
}

/// How far a process is at a level.
struct Progress {
    /// The rank of the escape that was taken.
    escape: u16,
    /// Whether a step was taken that led on.
    any: bool,
}

impl Direct<'_> {
    /// Whether there are moves from the state in the first frame, whose cast is known.
    pub fn run(&mut self, out: Out<'_>) -> ControlFlow<(), bool> {
        self.search.scratch.begin();
        let mut moved = false;
        for pid in (0..self.search.scratch.cast.n_procs()).rev() {
            moved |= self.process(0, pid, Mode::Free, out)?;
        }
        ControlFlow::Continue(moved)
    }

    /// Tries the steps of a process at a level: whether one led on.
    fn process(
        &mut self,
        depth: usize,
        pid: usize,
        mode: Mode,
        out: Out<'_>,
    ) -> ControlFlow<(), bool> {
        let machine = self.search.machine;
        let program = &machine.program;
        let scratch = &*self.search.scratch;
        let (from, to) = (scratch.cast).steps(pid, &scratch.frames[depth].bytes, program);
        let mut progress = Progress {
            escape: 0,
            any: false,
        };
        for first in (from..to).step_by(N_CHOICES as usize) {
            let choices = self.choices(depth, pid, first, mode);
            let mut left = choices.can | choices.ask;
            while left != 0 {
                let n = left.trailing_zeros();
                left &= left - 1;
                let step = program.order[(first + n) as usize];
                let code = &program.steps[step as usize];
                if progress.escape > 0 && progress.escape != code.rank {
                    return ControlFlow::Continue(progress.any);
                }
                if progress.any && code.otherwise && mode == Mode::Free {
                    continue;
                }
                // A step that should be alone is a fault.
                let asks = choices.ask >> n & 1 != 0 || progress.any && code.alone;
                let at = Attempt { depth, pid, step };
                if asks || !self.attempt(at, mode, &mut progress, out)? {
                    self.ask(at, (first + n, mode), &mut progress, out)?;
                }
            }
        }
        ControlFlow::Continue(progress.any)
    }

    #[inline]
    fn choices(&mut self, depth: usize, pid: usize, first: u32, mode: Mode) -> Choices {
        let compiled = self.compiled;
        match mode {
            Mode::Free => compiled.guards(first, &mut self.stage(depth, pid, mode)),
            Mode::Answer { .. } => compiled.answers(first, &mut self.stage(depth, pid, mode)),
        }
    }

    #[inline]
    fn stage(&mut self, frame: usize, pid: usize, mode: Mode) -> Stage<'_> {
        // A new message has a wire of its own.
        let wire = match mode {
            Mode::Free => self.search.scratch.n_offers,
            Mode::Answer { .. } => self.search.scratch.n_offers - 1,
        };
        let Memory {
            frames,
            cast,
            wires,
            covered,
            ..
        } = &mut *self.search.scratch;
        if wires.len() == wire {
            let first = wires[0].clone();
            wires.push(first);
        }
        let props = Props {
            timeout: self.search.timeout && frame == 0,
            covered,
            wire: &mut wires[wire],
        };
        Stage::new(&mut frames[frame].bytes, cast, pid, props)
    }

    /// Takes a step and what follows it; `false` if the interpreter has to.
    fn attempt(
        &mut self,
        at: Attempt,
        mode: Mode,
        progress: &mut Progress,
        out: Out<'_>,
    ) -> ControlFlow<(), bool> {
        let Attempt { depth, pid, step } = at;
        copy_up(&mut self.search.scratch.frames, depth);
        let compiled = self.compiled;
        // `timeout` is about the state that the step is taken from.
        let timeout = self.search.timeout && depth == 0;
        let mut stage = self.stage(depth + 1, pid, mode);
        stage.set_timeout(timeout);
        let effect = match mode {
            Mode::Free => compiled.take(step, &mut stage),
            Mode::Answer { .. } => compiled.answer(step, &mut stage),
        };
        if effect == Effect::Ask {
            return ControlFlow::Continue(false);
        }
        self.search.count(depth)?;
        let machine = self.search.machine;
        let code = &machine.program.steps[step as usize];
        let scratch = &mut *self.search.scratch;
        scratch.covered[step as usize] = true;
        scratch.steps.push(taken(pid, step));
        progress.escape = code.rank;
        let led_on = match effect {
            Effect::Half => self.pass(at, code.closes, out)?,
            _ if code.keeps_control => {
                let closes = code.closes || mode == Mode::Answer { closes: true };
                self.go_on(at, closes, out)?;
                true
            }
            _ => {
                self.emit(depth + 1, out)?;
                true
            }
        };
        if led_on {
            progress.any = true;
        } else {
            progress.escape = 0;
        }
        ControlFlow::Continue(true)
    }

    /// Reports a move to the state in a frame, and takes back its last step.
    #[inline]
    fn emit(&mut self, frame: usize, out: Out<'_>) -> ControlFlow<()> {
        let scratch = &mut *self.search.scratch;
        let found = out(Move {
            steps: &scratch.steps,
            faults: &[],
            state: Some(&scratch.frames[frame].bytes),
            n_alike: 1,
        });
        scratch.steps.pop();
        found
    }

    /// Goes on with a step of the process in control, unless that was tried before.
    fn go_on(&mut self, at: Attempt, closes: bool, out: Out<'_>) -> ControlFlow<()> {
        let Attempt { depth, pid, step } = at;
        if closes {
            let Memory { frames, rounds, .. } = &mut *self.search.scratch;
            match rounds.enter(frames, depth + 1, pid) {
                Met::New => {}
                Met::Full => {
                    self.search.scratch.levels.resize(depth + 1, Level::PAST);
                    return self.search.give_up(depth, step, out);
                }
                Met::Again => {
                    self.search.scratch.steps.pop();
                    return ControlFlow::Continue(());
                }
            }
        }
        let moved = if depth + 1 < DEPTH_MAX {
            self.process(depth + 1, pid, Mode::Free, out)?
        } else {
            let join = self.search.machine.program.steps[step as usize].join;
            let level = Level::of(pid, join);
            self.interpret(depth + 1, level, out)?.moved
        };
        if closes {
            self.search.scratch.rounds.leave();
        }
        if moved {
            self.search.scratch.steps.pop();
            return ControlFlow::Continue(());
        }
        self.emit(depth + 1, out)
    }

    /// Hands the message on the wire to all who can receive it: whether anyone could.
    fn pass(&mut self, at: Attempt, closes: bool, out: Out<'_>) -> ControlFlow<(), bool> {
        let scratch = &mut *self.search.scratch;
        let n = scratch.n_offers;
        if scratch.handshakes.len() == n {
            scratch.handshakes.push(Handshake::default());
        }
        let (wire, handshake) = (&scratch.wires[n], &mut scratch.handshakes[n]);
        handshake.channel = wire[0];
        handshake.sender = at.pid;
        handshake.message.clear();
        let fields = &wire[WIRE_FIELDS_AT..][..wire[1] as usize];
        handshake.message.extend_from_slice(fields);
        scratch.n_offers += 1;
        let mut moved = false;
        for pid in (0..scratch.cast.n_procs()).rev().filter(|p| *p != at.pid) {
            moved |= self.process(at.depth + 1, pid, Mode::Answer { closes }, out)?;
        }
        self.search.scratch.n_offers -= 1;
        self.search.scratch.steps.pop();
        ControlFlow::Continue(moved)
    }

    /// Lets the interpreter try a step, by its place in the program's order, and what follows it.
    fn ask(
        &mut self,
        at: Attempt,
        (place, mode): (u32, Mode),
        progress: &mut Progress,
        out: Out<'_>,
    ) -> ControlFlow<()> {
        let mut level = Level {
            steps: Some((place, place + 1)),
            escape: progress.escape,
            any: progress.any,
            ..Level::of(at.pid, Join::Loose)
        };
        if let Mode::Answer { closes } = mode {
            level.half = true;
            level.closes = closes;
        }
        let level = self.interpret(at.depth, level, out)?;
        progress.escape = level.escape;
        progress.any = level.any;
        ControlFlow::Continue(())
    }

    /// Lets the interpreter do all that is to do at a level; gives the level as it is afterwards.
    fn interpret(&mut self, depth: usize, level: Level, out: Out<'_>) -> ControlFlow<(), Level> {
        let scratch = &mut *self.search.scratch;
        scratch.n_asked += 1;
        let Memory { frames, cast, .. } = scratch;
        frames[depth].set_records(cast.procs(), cast.chans());
        scratch.levels.clear();
        scratch.levels.resize(depth, Level::PAST);
        scratch.levels.push(level);
        self.search.run_level(depth, out)
    }
}

/// A step of a process at a level.
#[derive(Clone, Copy)]
struct Attempt {
    depth: usize,
    pid: usize,
    step: u32,
}

/// Copies the bytes of a frame to the next one.
#[inline]
fn copy_up(frames: &mut Vec<Frame>, depth: usize) {
    if frames.len() == depth + 1 {
        frames.push(Frame::default());
    }
    let (below, above) = frames.split_at_mut(depth + 1);
    above[0].bytes.clear();
    above[0].bytes.extend_from_slice(&below[depth].bytes);
}

impl Machine {
    /// Makes the state the first frame, for [`Direct`].
    pub(super) fn set_stage(&self, memory: &mut Memory, state: &[u8]) {
        memory.cast.become_cast_of(state, &self.program);
        let bytes = &mut memory.frames[0].bytes;
        bytes.clear();
        bytes.extend_from_slice(state);
    }
}
