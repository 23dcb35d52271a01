//! Deterministic blocks: a run from one location to another, as a graph of blocks.
//!
//! The state that is stored knows nothing of the locations inside, so each becomes a block of
//! machine code. A run that is too long asks: whether it ends is for the interpreter to find out.

use super::Emitter;
use super::message::Guarded;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use model::processes::machine::code::{ActCode, StepCode};
use std::collections::HashMap;

/// How many steps a run may have.
const RUN_MAX: i64 = 10_000;
/// How deep blocks are compiled inside of blocks.
const NESTING_MAX: u32 = 3;

/// The blocks of a run.
struct Run {
    fuel: Variable,
    blocks: HashMap<u32, Block>,
    /// Locations whose block has no code yet.
    open: Vec<u32>,
    exit: u32,
    done: Block,
}

impl Emitter<'_, '_> {
    /// Goes to `yes` if a run can begin at a location.
    pub(super) fn can_begin(&mut self, entry: u32, yes: Block, no: Block) {
        let mut otherwise = no;
        for s in self.steps_at(entry) {
            match &self.program.steps[s as usize].act {
                ActCode::Else => otherwise = yes,
                act => {
                    let next = self.b.create_block();
                    self.guard(act, yes, next);
                    self.b.switch_to_block(next);
                }
            }
        }
        self.jump(otherwise);
    }

    fn steps_at(&self, location: u32) -> Vec<u32> {
        let (from, to) = self.program.procs[self.proc as usize].steps[location as usize];
        self.program.order[from as usize..to as usize].to_vec()
    }

    /// Runs from one location to another.
    pub(super) fn run(&mut self, entry: u32, exit: u32) {
        if self.nesting == NESTING_MAX {
            return self.give_up();
        }
        self.nesting += 1;
        let fuel = self.b.declare_var(types::I64);
        let full = self.b.ins().iconst(types::I64, RUN_MAX);
        self.b.def_var(fuel, full);
        let mut run = Run {
            fuel,
            blocks: HashMap::new(),
            open: Vec::new(),
            exit,
            done: self.b.create_block(),
        };
        // A run takes a step even if it begins where it ends.
        let first = self.block(entry, &mut run);
        self.jump(first);
        while let Some(location) = run.open.pop() {
            self.b.switch_to_block(run.blocks[&location]);
            self.location(location, &mut run);
        }
        self.b.switch_to_block(run.done);
        self.nesting -= 1;
    }

    /// The block of a location.
    fn block(&mut self, location: u32, run: &mut Run) -> Block {
        *run.blocks.entry(location).or_insert_with(|| {
            run.open.push(location);
            self.b.create_block()
        })
    }

    /// The first step that can be taken is, and the run goes on.
    fn location(&mut self, location: u32, run: &mut Run) {
        let fuel = self.b.use_var(run.fuel);
        let left = self.b.ins().iadd_imm_s(fuel, -1);
        self.b.def_var(run.fuel, left);
        let empty = self.b.ins().icmp_imm_s(IntCC::Equal, left, 0);
        self.ask_if(empty);
        let mut otherwise = None;
        for s in self.steps_at(location) {
            let act = &self.program.steps[s as usize].act;
            if matches!(act, ActCode::Else) {
                otherwise = Some(s);
                continue;
            }
            let (yes, next) = (self.b.create_block(), self.b.create_block());
            self.guard(act, yes, next);
            self.b.switch_to_block(yes);
            self.inner(s, run);
            self.b.switch_to_block(next);
        }
        match otherwise {
            Some(s) => self.inner(s, run),
            None => self.jump(self.ask),
        }
    }

    /// Takes a step of a run, and goes to its target.
    fn inner(&mut self, s: u32, run: &mut Run) {
        self.cover(s);
        let code: &StepCode = &self.program.steps[s as usize];
        self.perform(&code.act, Guarded::Yes);
        self.resets(code);
        let target = code.target as u32;
        let next = if target == run.exit {
            run.done
        } else {
            self.block(target, run)
        };
        self.jump(next);
    }
}
