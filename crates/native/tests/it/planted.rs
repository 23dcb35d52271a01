//! Faults planted in machine code: the comparison finds each.

use crate::both::model;
use model::Machine;
use model::processes::machine::Running;
use model::processes::machine::code::Program;
use model::processes::machine::compiled::{
    CodeGenerator, Compiled, HEAD_BYTES, NotGenerated, Stage,
};
use promela::lower::FullChannels;
use std::ops::ControlFlow;
use std::path::Path;
use system::System;

/// What is wrong with the machine code.
#[derive(Clone, Copy)]
enum Fault {
    /// A byte of a state.
    State,
    /// The step that is said to be taken.
    Step,
    /// A move is missing.
    Lost,
    /// A step that was not taken counts as taken.
    Covered,
}

struct Faulty(Fault);

struct Code(Fault, Box<dyn Compiled>);

impl CodeGenerator for Faulty {
    fn generate(
        &self,
        program: &Program,
        wanted: &[bool],
    ) -> Result<Box<dyn Compiled>, NotGenerated> {
        let right = native::Cranelift.generate(program, wanted)?;
        Ok(Box::new(Code(self.0, right)))
    }
}

impl Compiled for Code {
    fn n_steps(&self) -> usize {
        self.1.n_steps()
    }

    fn expand(&self, stage: &mut Stage<'_>) -> bool {
        let is_known = self.1.expand(stage);
        let first = stage.stride();
        match self.0 {
            Fault::State => stage.frames()[first + HEAD_BYTES] ^= 1,
            Fault::Step => stage.frames()[first + 4] ^= 1,
            Fault::Lost => stage.set_end(first),
            Fault::Covered => stage.covered().fill(true),
        }
        is_known
    }
}

const TEXT: &str = "byte x; active proctype p() { if :: x = 1 :: x = 2 fi; x == 3; x = 4 }";

fn search(generator: &'static dyn CodeGenerator) {
    let model = model(TEXT, Path::new("."), FullChannels::Block).expect("a model");
    let machine = Machine::running(model, Running::Both(generator));
    let mut scratch = machine.scratch();
    let mut first = Vec::new();
    machine.initial(&mut scratch, &mut |state| {
        first.extend_from_slice(state.expect("a state"));
    });
    machine.successors(&first, &mut scratch, &mut |_| ControlFlow::Continue(()));
}

#[test]
fn code_without_a_fault_passes() {
    search(&native::Cranelift);
}

#[test]
#[should_panic(expected = "compiled and interpreted steps differ")]
fn a_wrong_byte_is_noticed() {
    search(&Faulty(Fault::State));
}

#[test]
#[should_panic(expected = "compiled and interpreted steps differ")]
fn a_wrong_step_is_noticed() {
    search(&Faulty(Fault::Step));
}

#[test]
#[should_panic(expected = "compiled and interpreted steps differ")]
fn a_lost_move_is_noticed() {
    search(&Faulty(Fault::Lost));
}

#[test]
#[should_panic(expected = "compiled and interpreted steps differ")]
fn a_step_that_was_not_taken_is_noticed() {
    search(&Faulty(Fault::Covered));
}
