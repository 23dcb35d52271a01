//! Steps: guards, effects, and where the process is then.

use super::message::Guarded;
use super::{Emitter, FLAGS, has_rendezvous};
use crate::jit::field;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
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
                let pid = self.pid();
                let next = self.b.ins().iadd_imm_s(pid, 1);
                let n_procs = self.count(field::N_PROCS);
                let is_last = self.b.ins().icmp(IntCC::Equal, next, n_procs);
                self.brif(is_last, yes, no);
            }
            ActCode::End => self.jump(no),
            _ => self.jump(yes),
        }
    }

    /// Takes the action of a step whose guard holds. Gives 1 if a message is on the wire now and a
    /// receiver must follow, else 0; `None` if it is never so.
    pub(super) fn take(&mut self, act: &ActCode) -> Option<Value> {
        let (first, rest) = match act {
            ActCode::All(all) => (&all[0], &all[1..]),
            act => (act, &[][..]),
        };
        let wired = match first {
            ActCode::Send(send) => Some(self.send(send, true)),
            act => {
                self.perform(act, Guarded::Yes);
                None
            }
        };
        for act in rest {
            self.perform(act, Guarded::No);
        }
        wired.filter(|_| has_rendezvous(self.program))
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
        self.note_last();
    }

    /// Sets `_last`, where it is kept, to the process.
    pub(super) fn note_last(&mut self) {
        if let Some(cell) = self.program.last {
            let pid = self.pid();
            self.keep(cell.scalar, pid, self.args.state, cell.at);
        }
    }

    pub(super) fn resets(&mut self, code: &StepCode) {
        for (cell, value) in &code.resets {
            let value = self.int(*value);
            self.keep(cell.scalar, value, self.args.own, cell.at);
        }
    }

    /// Notes that a step was taken.
    pub(super) fn cover(&mut self, step: u32) {
        let covered = self.around(field::COVERED);
        let one = self.int(1);
        self.b.ins().istore8(FLAGS, one, covered, step as i32);
    }
}
