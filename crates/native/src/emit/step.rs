//! Steps: guards, effects, and where the process is then.

use super::message::Guarded;
use super::{DONE, Emitter, HALF};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use model::processes::machine::code::{ActCode, StepCode};

impl Emitter<'_, '_> {
    /// Goes to `yes` if an action can be taken.
    pub(super) fn guard(&mut self, act: &ActCode, yes: Block, no: Block) {
        match act {
            ActCode::Test(e) => self.branch(*e, yes, no),
            ActCode::Send(send) => self.can_send(send, yes, no),
            ActCode::Receive(receive) => self.can_receive(receive, yes, no),
            ActCode::Deterministic(entry, _) => self.can_begin(*entry, yes, no),
            ActCode::All(all) => self.guard(&all[0], yes, no),
            ActCode::End if self.program.ends_are_steps => {
                // Taken by the interpreter, but most often it waits.
                let pid = self.who(0, types::I64);
                let next = self.b.ins().iadd_imm_s(pid, 1);
                let n_procs = self.who(1, types::I64);
                let is_last = self.b.ins().icmp(IntCC::Equal, next, n_procs);
                self.brif(is_last, self.ask, no);
            }
            ActCode::End => self.jump(no),
            _ => self.jump(yes),
        }
    }

    /// Takes the action of a step whose guard holds: gives what the function answers.
    pub(super) fn take(&mut self, act: &ActCode) -> Value {
        let (first, rest) = match act {
            ActCode::All(all) => (&all[0], &all[1..]),
            act => (act, &[][..]),
        };
        let result = match first {
            ActCode::Send(send) => {
                let wired = self.send(send, true);
                let half = self.b.ins().iconst(types::I64, HALF as i64);
                let done = self.b.ins().iconst(types::I64, DONE as i64);
                self.b.ins().select(wired, half, done)
            }
            act => {
                self.perform(act, Guarded::Yes);
                self.b.ins().iconst(types::I64, DONE as i64)
            }
        };
        for act in rest {
            self.perform(act, Guarded::No);
        }
        result
    }

    /// Takes an action that receives the message on the wire.
    pub(super) fn answer(&mut self, act: &ActCode) {
        match act {
            ActCode::Receive(receive) => self.take_wire(receive),
            ActCode::All(all) => {
                self.answer(&all[0]);
                for act in &all[1..] {
                    self.perform(act, Guarded::No);
                }
            }
            _ => self.give_up(),
        }
    }

    /// Takes an action.
    pub(super) fn perform(&mut self, act: &ActCode, guarded: Guarded) {
        match act {
            // Searches print nothing.
            ActCode::Skip | ActCode::Test(_) | ActCode::Else | ActCode::Print(_) => {}
            ActCode::Assign(spot, e) => {
                let value = self.value(*e);
                self.store(spot, value);
            }
            ActCode::Drop(e) => {
                self.value(*e);
            }
            ActCode::Send(send) => {
                self.send(send, false);
            }
            ActCode::Receive(receive) => self.receive(receive, guarded),
            ActCode::Assert(e) => {
                let holds = self.b.create_block();
                self.branch(*e, holds, self.ask);
                self.b.switch_to_block(holds);
            }
            ActCode::Deterministic(entry, exit) => self.run(*entry, *exit),
            ActCode::All(all) => {
                for (n, act) in all.iter().enumerate() {
                    let guarded = if n == 0 { guarded } else { Guarded::No };
                    self.perform(act, guarded);
                }
            }
            ActCode::TestRun(_) | ActCode::SetPriority(..) | ActCode::End => self.give_up(),
        }
    }

    /// Moves the process to the target of its step, and sets what the step resets.
    pub(super) fn arrive(&mut self, code: &StepCode) {
        let scalar = self.program.procs[self.proc as usize].location;
        let target = self.int(code.target);
        self.keep(scalar, target, self.args.own, 1);
        self.resets(code);
        if let Some(cell) = self.program.last {
            let pid = self.who(0, types::I32);
            self.keep(cell.scalar, pid, self.args.state, cell.at);
        }
    }

    pub(super) fn resets(&mut self, code: &StepCode) {
        for (cell, value) in &code.resets {
            let value = self.int(*value);
            self.keep(cell.scalar, value, self.args.own, cell.at);
        }
    }
}
