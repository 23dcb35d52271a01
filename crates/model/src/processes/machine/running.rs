//! Whether steps are interpreted, compiled, or both and compared.
//!
//! Compiling costs milliseconds, so it starts only when a search has expanded some thousands of
//! states. Of several threads the first that comes so far compiles; the others go on interpreting
//! until the code is there.

use super::Machine;
use super::compiled::{CodeGenerator, Compiled, NotGenerated};
use super::expand::{Memory, Out};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use system::fault::Fault;
use system::{Move, Pulse, Rest, Scratch, Taken};

/// How a machine runs its steps.
#[derive(Clone, Copy, Default)]
pub enum Running {
    /// By the interpreter.
    #[default]
    Interpreted,
    /// As machine code, once that many states were expanded.
    Compiled(&'static dyn CodeGenerator, u64),
    /// Both ways from the first state on. Any difference is a panic.
    Both(&'static dyn CodeGenerator),
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Running::Interpreted => f.write_str("Interpreted"),
            Running::Compiled(_, after) => write!(f, "Compiled after {after}"),
            Running::Both(_) => f.write_str("Both"),
        }
    }
}

/// What became of the wish to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// How long it took.
    pub time: Duration,
    /// How many steps have machine code, or why there is none.
    pub n_steps: Result<usize, NotGenerated>,
}

/// States larger than this are the interpreter's.
const STATE_BYTES_MAX: usize = 1 << 14;

/// The machine code of a machine.
#[derive(Default)]
pub(super) struct Code {
    running: Running,
    claimed: AtomicBool,
    made: OnceLock<Made>,
}

struct Made {
    time: Duration,
    code: Result<Box<dyn Compiled>, NotGenerated>,
}

impl Code {
    pub fn new(running: Running) -> Code {
        Code {
            running,
            ..Code::default()
        }
    }
}

impl Machine {
    /// What became of the wish to compile; `None` if there was none, or if the search was too
    /// small.
    pub fn compilation(&self) -> Option<Compilation> {
        let made = self.code.made.get()?;
        Some(Compilation {
            time: made.time,
            n_steps: match &made.code {
                Ok(code) => Ok(code.n_steps()),
                Err(why) => Err(why.clone()),
            },
        })
    }

    /// How often machine code asked the interpreter, in searches with this scratch memory.
    pub fn n_asked(&self, scratch: &Scratch) -> u64 {
        let memory = scratch.as_content::<Memory>();
        memory.n_asked + memory.twin.as_ref().map_or(0, |twin| twin.n_asked)
    }

    /// Whether machine code is compared with the interpreter.
    pub fn compares(&self) -> bool {
        matches!(self.code.running, Running::Both(_))
    }

    /// The moves from a state, the way the machine runs.
    pub(super) fn moves(
        &self,
        state: &[u8],
        memory: &mut Memory,
        pulse: Pulse<'_>,
        out: Out<'_>,
    ) -> Rest {
        memory.n_expanded += 1;
        let compiled = match self.code.running {
            Running::Interpreted => None,
            Running::Compiled(generator, after) => self.compiled(memory, generator, after),
            Running::Both(generator) => self.compiled(memory, generator, 0),
        };
        match compiled.filter(|_| state.len() <= STATE_BYTES_MAX) {
            None => self.interpreted(state, memory, pulse, out),
            Some(code) if matches!(self.code.running, Running::Both(_)) => {
                self.compared(state, memory, code, (pulse, out))
            }
            Some(code) => {
                self.set_stage(memory, state);
                self.expand(memory, Some(code), pulse, out)
            }
        }
    }

    /// The moves from a state, by the interpreter.
    pub(super) fn interpreted(
        &self,
        state: &[u8],
        memory: &mut Memory,
        pulse: Pulse<'_>,
        out: Out<'_>,
    ) -> Rest {
        memory.frames[0].load(state, &self.program);
        self.expand(memory, None, pulse, out)
    }

    /// The compiled steps, if they are there; compiles them if it is time.
    #[inline]
    fn compiled(
        &self,
        memory: &Memory,
        generator: &'static dyn CodeGenerator,
        after: u64,
    ) -> Option<&dyn Compiled> {
        if memory.n_expanded <= after {
            return None;
        }
        if self.code.made.get().is_none() {
            if self.code.claimed.swap(true, Ordering::Relaxed) {
                return None;
            }
            let start = Instant::now();
            let code = self.generated(generator, &memory.covered);
            let time = start.elapsed();
            self.code.made.get_or_init(|| Made { time, code });
        }
        let made = self.code.made.get()?;
        made.code.as_ref().ok().map(|code| &**code)
    }

    fn generated(
        &self,
        generator: &dyn CodeGenerator,
        covered: &[bool],
    ) -> Result<Box<dyn Compiled>, NotGenerated> {
        let reason = if self.program.trace.is_some() {
            "the model has a trace"
        } else if self.program.priorities {
            "processes have priorities"
        } else if self.restricted {
            "a process type has a condition (`provided`)"
        } else {
            return generator.generate(&self.program, covered);
        };
        Err(NotGenerated {
            reason: reason.to_owned(),
        })
    }

    /// The moves from a state, both ways. Panics if they are not the same.
    fn compared(
        &self,
        state: &[u8],
        memory: &mut Memory,
        code: &dyn Compiled,
        (pulse, out): (Pulse<'_>, Out<'_>),
    ) -> Rest {
        let mut twin = match memory.twin.take() {
            Some(twin) => twin,
            None => Box::new(self.memory()),
        };
        twin.covered.copy_from_slice(&memory.covered);
        self.set_stage(&mut twin, state);
        // What was cut short cannot be compared.
        let mut held = ControlFlow::Continue(());
        let mut pulse = |bytes| {
            held = pulse(bytes);
            held
        };
        let mut moves = Vec::new();
        let rest = self.expand(&mut twin, Some(code), &mut pulse, &mut kept(&mut moves));
        let compiled = Expansion { rest, moves };
        let mut moves = Vec::new();
        let rest = self.interpreted(state, memory, &mut pulse, &mut kept(&mut moves));
        let interpreted = Expansion { rest, moves };
        let same_cover = twin.covered == memory.covered;
        if held.is_continue() && (compiled != interpreted || !same_cover) {
            let text = self.difference(state, &compiled, &interpreted);
            panic!("{text}\nthe same steps are covered: {same_cover}");
        }
        memory.twin = Some(twin);
        for made in &interpreted.moves {
            if out(made.as_move()).is_break() {
                return Rest::Moves;
            }
        }
        interpreted.rest
    }

    /// How compiled moves differ from interpreted ones, in words.
    fn difference(&self, state: &[u8], compiled: &Expansion, interpreted: &Expansion) -> String {
        let mut pairs = compiled.moves.iter().zip(&interpreted.moves);
        let (n_compiled, n_interpreted) = (compiled.moves.len(), interpreted.moves.len());
        let n = pairs.position(|(a, b)| a != b);
        let n = n.unwrap_or(n_compiled.min(n_interpreted));
        let mut text = format!(
            "compiled and interpreted steps differ in state {state:?}:\n\
             {n_compiled} and {n_interpreted} moves, {:?} and {:?}; move {n}:\n{:?}\n{:?}",
            compiled.rest,
            interpreted.rest,
            compiled.moves.get(n),
            interpreted.moves.get(n),
        );
        self.describe_state(state, &mut |name, value| {
            // Writing to a string does not fail.
            let _ = write!(text, "\n{name} = {value}");
        });
        text
    }
}

/// All moves from a state, kept.
#[derive(PartialEq, Eq, Debug)]
struct Expansion {
    rest: Rest,
    moves: Vec<Kept>,
}

/// A move that is kept.
#[derive(PartialEq, Eq, Debug)]
struct Kept {
    steps: Vec<Taken>,
    faults: Vec<(usize, Fault)>,
    state: Option<Vec<u8>>,
}

impl Kept {
    fn as_move(&self) -> Move<'_> {
        Move {
            steps: &self.steps,
            faults: &self.faults,
            state: self.state.as_deref(),
            n_alike: 1,
        }
    }
}

/// Keeps all moves.
fn kept(all: &mut Vec<Kept>) -> impl FnMut(Move<'_>) -> ControlFlow<()> {
    |found| {
        all.push(Kept {
            steps: found.steps.to_vec(),
            faults: found.faults.to_vec(),
            state: found.state.map(<[u8]>::to_vec),
        });
        ControlFlow::Continue(())
    }
}
