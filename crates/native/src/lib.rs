//! Steps of processes as machine code, by Cranelift.
//!
//! [`Cranelift`] makes, of the program of a [`model::Machine`], one function for the guards of a
//! location and one for the effect of each step. They handle the clean way only: whatever is rare
//! or would be a fault is answered by *ask*, and the interpreter does that step. What is compiled
//! and what asks: `docs/theory/native.md`.
//!
//! This is the only crate with `unsafe`, and all of it is in [`jit`]: machine code is called there,
//! and its memory is given back.

mod budget;
mod classes;
mod emit;
mod jit;

use cranelift_codegen::ir::Function;
use emit::Unit;
use jit::{Entry, Jit};
use model::processes::machine::code::Program;
use model::processes::machine::compiled::{
    Choices, CodeGenerator, Compiled, Effect, N_CHOICES, NotGenerated, Stage, wire_length,
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
        let mut made = Made::new(program);
        let mut unit = Unit::new(program, jit.config());
        for place in &plan.places {
            let first = place.first as usize;
            made.guards[first] = guard(&mut jit, |f| unit.guards(*place, f))?;
            made.answers[first] = guard(&mut jit, |f| unit.answers(*place, f))?;
        }
        for step in &plan.steps {
            let take = jit.define(|f| unit.take(*step, f))?;
            made.takes[step.step as usize] = Some(take);
            if unit.may_answer(*step) {
                let answer = jit.define(|f| unit.answer(*step, f))?;
                made.answering[step.step as usize] = Some(answer);
            }
        }
        made.n_steps = plan.steps.len();
        let code = jit.finish()?;
        Ok(Box::new(Native { made, code }))
    }
}

/// The guards of steps.
#[derive(Clone, Copy)]
enum Guard {
    /// Always these.
    Fixed(Choices),
    Call(Entry),
}

/// A guard that is compiled unless it is always the same.
fn guard(
    jit: &mut Jit,
    emit: impl FnOnce(&mut Function) -> Option<Choices>,
) -> Result<Guard, NotGenerated> {
    let mut fixed = None;
    let entry = jit.define_unless(|f| {
        fixed = emit(f);
        fixed.is_some()
    })?;
    Ok(match (fixed, entry) {
        (Some(choices), _) => Guard::Fixed(choices),
        (None, Some(entry)) => Guard::Call(entry),
        (None, None) => Guard::Fixed(ALL_ASK),
    })
}

const ALL_ASK: Choices = Choices {
    can: 0,
    ask: u32::MAX,
};

/// The functions of a program.
struct Made {
    /// By place in the program's order, where a location starts or [`N_CHOICES`] steps later.
    guards: Vec<Guard>,
    answers: Vec<Guard>,
    /// By number of the step.
    takes: Vec<Option<Entry>>,
    answering: Vec<Option<Entry>>,
    n_steps: usize,
    wire_length: usize,
}

impl Made {
    /// Nothing is compiled: everything asks.
    fn new(program: &Program) -> Made {
        let mut guards = vec![Guard::Fixed(Choices::default()); program.order.len()];
        for (from, to) in program.procs.iter().flat_map(|proc| &proc.steps) {
            for first in (*from..*to).step_by(N_CHOICES as usize) {
                let n = (to - first).min(N_CHOICES);
                let ask = (u32::MAX).checked_shr(N_CHOICES - n).unwrap_or(0);
                guards[first as usize] = Guard::Fixed(Choices { can: 0, ask });
            }
        }
        Made {
            answers: guards.clone(),
            guards,
            takes: vec![None; program.steps.len()],
            answering: vec![None; program.steps.len()],
            n_steps: 0,
            wire_length: wire_length(program),
        }
    }
}

struct Native {
    made: Made,
    code: jit::Code,
}

impl Native {
    #[inline]
    fn call(&self, entry: Entry, stage: &mut Stage<'_>) -> u64 {
        assert!(stage.covered().len() == self.made.takes.len());
        assert!(stage.wire().len() >= self.made.wire_length);
        self.code.call(entry, stage)
    }

    #[inline]
    fn choices(&self, guard: Guard, stage: &mut Stage<'_>) -> Choices {
        match guard {
            Guard::Fixed(choices) => choices,
            Guard::Call(entry) => {
                let found = self.call(entry, stage);
                Choices {
                    can: found as u32,
                    ask: (found >> 32) as u32,
                }
            }
        }
    }

    #[inline]
    fn effect(&self, entry: Option<Entry>, stage: &mut Stage<'_>) -> Effect {
        match entry.map(|entry| self.call(entry, stage)) {
            Some(emit::DONE) => Effect::Done,
            Some(emit::HALF) => Effect::Half,
            _ => Effect::Ask,
        }
    }
}

impl Compiled for Native {
    fn n_steps(&self) -> usize {
        self.made.n_steps
    }

    fn guards(&self, first: u32, stage: &mut Stage<'_>) -> Choices {
        self.choices(self.made.guards[first as usize], stage)
    }

    fn answers(&self, first: u32, stage: &mut Stage<'_>) -> Choices {
        self.choices(self.made.answers[first as usize], stage)
    }

    fn take(&self, step: u32, stage: &mut Stage<'_>) -> Effect {
        self.effect(self.made.takes[step as usize], stage)
    }

    fn answer(&self, step: u32, stage: &mut Stage<'_>) -> Effect {
        self.effect(self.made.answering[step as usize], stage)
    }
}
