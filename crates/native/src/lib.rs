//! Steps of processes as machine code, by Cranelift.
//!
//! [`Cranelift`] makes, of the program of a [`model::Machine`], a function for each location of
//! each process type: it makes all moves of a process that is there. Functions handle the clean way
//! only: whatever is rare or would be a fault is answered by *ask*, and then the interpreter makes
//! the moves of that process. What is compiled and what asks: `docs/theory/native.md`.
//!
//! This is the only crate with `unsafe`, and all of it is in [`jit`]: machine code is called there,
//! and its memory is given back.

mod budget;
mod classes;
mod emit;
mod hints;
mod jit;

use emit::{ASK, Unit};
use jit::{Entry, Jit};
use model::processes::layout::Scalar;
use model::processes::machine::code::Program;
use model::processes::machine::compiled::{
    CodeGenerator, Compiled, HEAD_BYTES, NotGenerated, Stage,
};

/// The code generator.
pub struct Cranelift;

impl CodeGenerator for Cranelift {
    fn generate(
        &self,
        program: &Program,
        wanted: &[bool],
    ) -> Result<Box<dyn Compiled>, NotGenerated> {
        let mut jit = Jit::new()?;
        let plan = budget::plan(program, wanted);
        let mut entries = Entries::none(program, jit.declare()?);
        for place in &plan.places {
            let entry = jit.declare()?;
            entries.locations[place.proc as usize][place.location as usize] = Some(entry);
        }
        if emit::has_rendezvous(program) {
            for proc in 0..program.procs.len() {
                if emit::may_answer_anywhere(program, proc as u32) {
                    entries.answers[proc] = Some(jit.declare()?);
                }
            }
            entries.pass = Some(jit.declare()?);
        }
        let mut unit = Unit::new(program, &entries, jit.config());
        for place in &plan.places {
            if let Some(entry) = entries.locations[place.proc as usize][place.location as usize] {
                jit.define(entry, |f| unit.location(*place, f))?;
            }
        }
        for (proc, entry) in entries.answers.iter().enumerate() {
            if let Some(entry) = entry {
                jit.define(*entry, |f| unit.answers(proc as u32, f))?;
            }
        }
        jit.define(entries.copy, |f| unit.copy(f))?;
        if let Some(entry) = entries.pass {
            jit.define(entry, |f| unit.pass(f))?;
        }
        let scalars = program.procs.iter().map(|proc| proc.location);
        Ok(Box::new(Native {
            n_steps: plan.n_steps,
            n_all: program.steps.len(),
            scalars: scalars.collect(),
            entries,
            code: jit.finish()?,
        }))
    }
}

/// The functions of a program.
struct Entries {
    /// By process type and location: all moves of a process there.
    locations: Vec<Vec<Option<Entry>>>,
    /// By process type: what a process makes of a message on the wire.
    answers: Vec<Option<Entry>>,
    /// Hands a message on the wire to all processes.
    pass: Option<Entry>,
    /// Copies a state to the next free frame.
    copy: Entry,
}

impl Entries {
    fn none(program: &Program, copy: Entry) -> Entries {
        let locations = program
            .procs
            .iter()
            .map(|proc| vec![None; proc.steps.len()]);
        Entries {
            locations: locations.collect(),
            answers: vec![None; program.procs.len()],
            pass: None,
            copy,
        }
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
        match self.entries.locations[proc][location as usize] {
            Some(entry) => self.code.call(entry, stage) != ASK,
            None => false,
        }
    }
}
