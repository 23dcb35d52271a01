//! Messages: putting them into channels and onto the wire, taking them out.

use super::channel::{Found, LENGTH_AT};
use super::{Emitter, FLAGS};
use crate::classes::Class;
use crate::jit::field;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};
use model::processes::layout::{MESSAGES_AT, Scalar};
use model::processes::machine::code::{PatternCode, ReceiveCode, SendCode};
use model::processes::machine::compiled::WIRE_FIELDS_AT;

/// The most bytes that are moved without a loop.
const STRAIGHT_BYTES_MAX: u32 = 128;

/// Whether it is known that a message can be received.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guarded {
    Yes,
    No,
}

impl Emitter<'_, '_> {
    /// Sends into a buffer. A rendezvous asks, unless the message may go onto the wire: then it
    /// gives where that happens a value of 1, else 0.
    pub(super) fn send(&mut self, send: &SendCode, may_wire: bool) -> Value {
        let (record, classes) = self.by_class(send.channel, send.fields.len());
        let done = self.b.create_block();
        let wired = self.b.append_block_param(done, types::I32);
        for (class, block) in classes {
            self.b.switch_to_block(block);
            let half = class.capacity == 0;
            if half && !may_wire || !half && send.sorted {
                self.jump(self.ask);
                continue;
            }
            if half {
                self.offer(send, class);
            } else {
                let none = self.int(0);
                let next = self.b.create_block();
                self.room((record, class), next, (done, none));
                self.put(send, record, class);
            }
            let half = self.int(i32::from(half));
            self.b.ins().jump(done, &[BlockArg::Value(half)]);
        }
        self.b.switch_to_block(done);
        wired
    }

    /// Goes on in `next` if there is room. If not, the message is lost, or it asks.
    fn room(
        &mut self,
        (record, class): (Value, &Class),
        next: cranelift_codegen::ir::Block,
        (lost, none): (cranelift_codegen::ir::Block, Value),
    ) {
        let length = self.length(record, class);
        let full = self.compare(IntCC::Equal, length, class.capacity as i32);
        if self.program.lossy {
            let none = [BlockArg::Value(none)];
            self.b.ins().brif(full, lost, &none, next, &[]);
        } else {
            self.brif(full, self.ask, next);
        }
        self.b.switch_to_block(next);
    }

    /// Puts a message behind the others. The room there is zero, so missing fields are.
    fn put(&mut self, send: &SendCode, record: Value, class: &Class) {
        let length = (self.b.ins()).uload8(types::I64, FLAGS, record, LENGTH_AT);
        let by = (self.b.ins()).imul_imm_u(length, i64::from(class.message_size));
        let message = self.b.ins().iadd(record, by);
        // Fields may ask how many messages there are: the new one counts, as in the interpreter.
        let more = self.b.ins().iadd_imm_s(length, 1);
        self.b.ins().istore8(FLAGS, more, record, LENGTH_AT);
        for (e, (at, scalar)) in send.fields.iter().zip(&class.fields) {
            let value = self.value(*e);
            self.keep(*scalar, value, message, *at);
        }
    }

    /// Puts a message onto the next wire.
    fn offer(&mut self, send: &SendCode, class: &Class) {
        let wire = self.around(field::WIRE);
        let end = self.around(field::WIRES_END);
        let none = self.b.ins().icmp(IntCC::Equal, wire, end);
        self.ask_if(none);
        let number = self.value(send.channel);
        self.b.ins().store(FLAGS, number, wire, 0);
        let n_fields = self.int(class.fields.len() as i32);
        self.b.ins().store(FLAGS, n_fields, wire, 4);
        for (k, (_, scalar)) in class.fields.iter().enumerate() {
            let value = match send.fields.get(k) {
                Some(e) => self.value(*e),
                None => self.int(0),
            };
            let value = self.whole(*scalar, value);
            let at = 4 * (WIRE_FIELDS_AT + k) as i32;
            self.b.ins().store(FLAGS, value, wire, at);
        }
    }

    /// What is left of a number, in all its bits.
    fn whole(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::U8 => self.b.ins().band_imm_u(value, 0xff),
            Scalar::Bits(n @ (8 | 16)) => self.b.ins().band_imm_u(value, (1_i64 << n) - 1),
            Scalar::I16 => {
                let short = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, short)
            }
            _ => self.narrow(scalar, value),
        }
    }

    /// Receives from a buffer.
    pub(super) fn receive(&mut self, receive: &ReceiveCode, guarded: Guarded) {
        let (record, classes) = self.by_class(receive.channel, receive.fields.len());
        let done = self.b.create_block();
        for (class, block) in classes {
            self.b.switch_to_block(block);
            if class.capacity == 0 {
                self.jump(self.ask);
                continue;
            }
            let found = if guarded == Guarded::Yes && !receive.random {
                Found {
                    record,
                    number: None,
                }
            } else {
                self.find(receive, (record, class), self.ask)
            };
            self.take_fields(receive, found, class);
            if !receive.keep {
                self.remove(found, class);
            }
            self.jump(done);
        }
        self.b.switch_to_block(done);
    }

    fn take_fields(&mut self, receive: &ReceiveCode, found: Found, class: &Class) {
        let message = self.message(found, class);
        for (field, (at, scalar)) in receive.fields.iter().zip(&class.fields) {
            if let PatternCode::Store(spot) = field {
                let value = self.load(*scalar, message, *at);
                self.store(spot, value);
            }
        }
    }

    /// The address of a message, less [`MESSAGES_AT`].
    fn message(&mut self, found: Found, class: &Class) -> Value {
        match found.number {
            None => found.record,
            Some(n) => {
                let by = (self.b.ins()).imul_imm_u(n, i64::from(class.message_size));
                self.b.ins().iadd(found.record, by)
            }
        }
    }

    /// Takes a message away: those behind it move up, and the last room becomes zero.
    fn remove(&mut self, found: Found, class: &Class) {
        let length = (self.b.ins()).uload8(types::I32, FLAGS, found.record, LENGTH_AT);
        let less = self.b.ins().iadd_imm_s(length, -1);
        (self.b.ins()).istore8(FLAGS, less, found.record, LENGTH_AT);
        // Room that is not used is zero, so all of the buffer can move.
        let size = class.message_size;
        let rest = (class.capacity - 1) * size;
        if found.number.is_none() && rest <= STRAIGHT_BYTES_MAX {
            self.copy_back(found.record, rest, size);
        } else {
            self.move_up(found, class);
        }
        self.clear(found.record, MESSAGES_AT + rest, size);
    }

    /// Copies that many bytes to where the messages start, from `distance` bytes later.
    fn copy_back(&mut self, address: Value, n_bytes: u32, distance: u32) {
        for (at, ty) in pieces(n_bytes) {
            let to = (MESSAGES_AT + at) as i32;
            let from = to + distance as i32;
            let piece = self.b.ins().load(ty, FLAGS, address, from);
            self.b.ins().store(FLAGS, piece, address, to);
        }
    }

    /// Moves each message behind the one found to the room before it, one by one.
    fn move_up(&mut self, found: Found, class: &Class) {
        let first = match found.number {
            Some(n) => n,
            None => self.b.ins().iconst(types::I64, 0),
        };
        let (round, body) = (self.b.create_block(), self.b.create_block());
        let done = self.b.create_block();
        let n = self.b.append_block_param(round, types::I64);
        self.b.ins().jump(round, &[BlockArg::Value(first)]);
        self.b.switch_to_block(round);
        let last = i64::from(class.capacity - 1);
        let more = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, n, last);
        self.brif(more, body, done);
        self.b.switch_to_block(body);
        let message = self.message(
            Found {
                number: Some(n),
                ..found
            },
            class,
        );
        self.copy_back(message, class.message_size, class.message_size);
        let next = self.b.ins().iadd_imm_s(n, 1);
        self.b.ins().jump(round, &[BlockArg::Value(next)]);
        self.b.switch_to_block(done);
    }

    fn clear(&mut self, address: Value, from: u32, n_bytes: u32) {
        for (at, ty) in pieces(n_bytes) {
            let zero = self.b.ins().iconst(ty, 0);
            (self.b.ins()).store(FLAGS, zero, address, (from + at) as i32);
        }
    }

    /// Stores what is on the wire.
    pub(super) fn take_wire(&mut self, receive: &ReceiveCode) {
        for (k, field) in receive.fields.iter().enumerate() {
            if let PatternCode::Store(spot) = field {
                let value = self.wired(WIRE_FIELDS_AT + k);
                self.store(spot, value);
            }
        }
    }
}

/// Bytes in as few pieces as possible, in order.
fn pieces(n_bytes: u32) -> Vec<(u32, Type)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < n_bytes {
        let ty = match n_bytes - at {
            8.. => types::I64,
            4.. => types::I32,
            2.. => types::I16,
            _ => types::I8,
        };
        all.push((at, ty));
        at += ty.bytes();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_bytes_once() {
        for n in 0..40 {
            let mut next = 0;
            for (at, ty) in pieces(n) {
                assert_eq!(at, next);
                next += ty.bytes();
            }
            assert_eq!(next, n);
        }
    }
}
