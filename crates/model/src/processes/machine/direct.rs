//! All moves from a state, by compiled steps: the same moves as [`super::expand`] gives, in the
//! same order.
//!
//! Processes are tried from the latest to the first, as there. The moves of one process come from
//! one call ([`Compiled::expand`]); where that asks, the interpreter makes them, on a level for
//! that process alone.

use super::Machine;
use super::compiled::Compiled;
use super::expand::{Level, Memory, Out, Search};
use crate::processes::program::Join;
use std::ops::ControlFlow;
use system::Move;

/// The search for moves by compiled steps.
pub(super) struct Direct<'a> {
    pub search: Search<'a>,
    pub compiled: &'a dyn Compiled,
}

impl Direct<'_> {
    /// Whether there are moves from the first state of the tape.
    pub fn run(&mut self, out: Out<'_>) -> ControlFlow<(), bool> {
        let mut moved = false;
        let mut is_loaded = false;
        for pid in (0..self.search.scratch.tape.cast().n_procs()).rev() {
            let Memory {
                tape,
                covered,
                rounds,
                ..
            } = &mut *self.search.scratch;
            // Once a chain has repeated a state, the interpreter merges chains of all processes.
            if !(is_loaded && rounds.remembers()) {
                let mut stage = tape.stage(pid, self.search.timeout, covered);
                if self.compiled.expand(&mut stage) {
                    moved |= self.emit(out)?;
                    continue;
                }
            }
            if !std::mem::replace(&mut is_loaded, true) {
                // Once for all processes: what loops were met counts for all of them.
                self.search.scratch.begin();
                self.search.scratch.load_first();
            }
            moved |= self.interpret(pid, out)?;
        }
        ControlFlow::Continue(moved)
    }

    /// Reports the moves on the tape: whether there are any.
    #[inline]
    fn emit(&mut self, out: Out<'_>) -> ControlFlow<(), bool> {
        let Memory { tape, steps, .. } = &mut *self.search.scratch;
        let mut at = 0;
        let mut moved = false;
        while let Some((found, state)) = tape.next(at) {
            tape.steps(found, steps);
            out(Move {
                steps,
                faults: &[],
                state: Some(state),
                n_alike: 1,
            })?;
            at = found;
            moved = true;
        }
        ControlFlow::Continue(moved)
    }

    /// Lets the interpreter make the moves of a process: whether there are any.
    fn interpret(&mut self, pid: usize, out: Out<'_>) -> ControlFlow<(), bool> {
        let scratch = &mut *self.search.scratch;
        scratch.n_asked += 1;
        scratch.steps.clear();
        scratch.levels.push(Level::of(pid, Join::Loose));
        let level = self.search.run_level(0, out)?;
        ControlFlow::Continue(level.moved)
    }
}

impl Memory {
    /// The first state of the tape becomes the first frame of the interpreter.
    pub(super) fn load_first(&mut self) {
        let (tape, frame) = (&self.tape, &mut self.frames[0]);
        frame.bytes.clear();
        frame.bytes.extend_from_slice(tape.first());
        frame.set_records(tape.cast().procs(), tape.cast().chans());
    }
}

impl Machine {
    /// Makes the state the first of the tape, for [`Direct`].
    pub(super) fn set_stage(&self, memory: &mut Memory, state: &[u8]) {
        memory.tape.start(state, &self.program);
    }
}
