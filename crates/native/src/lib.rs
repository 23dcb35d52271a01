//! Steps of processes as machine code, by Cranelift.
//!
//! [`Cranelift`] makes, of the program of a [`model::Machine`], a function for each location of
//! each process type: it makes all moves of a process that is there. Functions handle the clean way
//! only: whatever is rare or would be a fault is answered by *ask*, and then the interpreter makes
//! the moves of that process. What is compiled and what asks: `docs/theory/native.md`.
//!
//! This is the only crate with `unsafe`, and all of it is in `jit.rs`: machine code is called
//! there, and its memory is given back.

mod classes;
mod emit;
mod hints;
mod jit;
mod order;

use emit::{ASK, Unit};
use jit::{Entry, Jit};
use model::processes::layout::Scalar;
use model::processes::machine::code::Program;
use model::processes::machine::compiled::{
    CodeGenerator, Compiled, HEAD_BYTES, NotGenerated, Stage,
};

use order::Place;

/// The code generator.
pub struct Cranelift;

impl CodeGenerator for Cranelift {
    fn generate(
        &self,
        program: &Program,
        wanted: &[bool],
    ) -> Result<Box<dyn Compiled>, NotGenerated> {
        let mut jit = Jit::new()?;
        let entries = Entries::of(program, &mut jit);
        let mut unit = Unit::new(program, &entries, jit.config());
        jit.define(entries.copy, |f| unit.copy(f))?;
        if let Some(entry) = entries.pass {
            jit.define(entry, |f| unit.pass(f))?;
        }
        if let Some(entry) = entries.repeats {
            jit.define(entry, |f| unit.repeats(f))?;
        }
        for (proc, entry) in entries.answers.iter().enumerate() {
            if let Some(entry) = entry {
                jit.define(*entry, |f| unit.answers(proc as u32, f))?;
            }
        }
        let mut n_steps = 0;
        for place in order::places(program, wanted) {
            if jit.n_instructions() > INSTRUCTIONS_MAX {
                break;
            }
            jit.define(entries.location(place), |f| unit.location(place, f))?;
            n_steps += place.n_steps(program);
        }
        let code = jit.finish(|f| unit.asking(f))?;
        let scalars = program.procs.iter().map(|proc| proc.location);
        Ok(Box::new(Native {
            n_steps,
            n_all: program.steps.len(),
            scalars: scalars.collect(),
            entries,
            code,
        }))
    }
}

/// The most instructions that are compiled, so that compiling stays a matter of milliseconds: one
/// takes one to three microseconds.
const INSTRUCTIONS_MAX: usize = 6_000;

/// The functions of a program.
struct Entries {
    /// By process type and location: all moves of a process there.
    locations: Vec<Vec<Entry>>,
    /// By process type: what a process makes of a message on the wire.
    answers: Vec<Option<Entry>>,
    /// Hands a message on the wire to all processes.
    pass: Option<Entry>,
    /// Looks for an earlier state of a chain that is equal to the last, if there are loops.
    repeats: Option<Entry>,
    /// Copies a state to the next free frame.
    copy: Entry,
}

impl Entries {
    fn of(program: &Program, jit: &mut Jit) -> Entries {
        let procs = program.procs.iter();
        let locations = procs.map(|proc| proc.steps.iter().map(|_| jit.declare()).collect());
        let locations = locations.collect();
        let has_rendezvous = emit::has_rendezvous(program);
        let answers = (0..program.procs.len()).map(|proc| {
            let may = has_rendezvous && emit::may_answer_anywhere(program, proc as u32);
            may.then(|| jit.declare())
        });
        Entries {
            locations,
            answers: answers.collect(),
            pass: has_rendezvous.then(|| jit.declare()),
            repeats: (program.steps.iter().any(|step| step.closes)).then(|| jit.declare()),
            copy: jit.declare(),
        }
    }

    fn location(&self, place: Place) -> Entry {
        self.locations[place.proc as usize][place.location as usize]
    }
}

/// A program as machine code.
struct Native {
    n_steps: usize,
    /// How many steps there are.
    n_all: usize,
    /// By process type: how its location is kept.
    scalars: Vec<Scalar>,
    entries: Entries,
    code: jit::Code,
}

impl Compiled for Native {
    fn n_steps(&self) -> usize {
        self.n_steps
    }

    fn expand(&self, stage: &mut Stage<'_>) -> bool {
        assert!(stage.covered().len() == self.n_all);
        let (proc, at) = (stage.proctype(), stage.location_at());
        let location = self.scalars[proc].load(stage.frames(), HEAD_BYTES + at);
        let entry = self.entries.locations[proc][location as usize];
        self.code.call(entry, stage) != ASK
    }
}
