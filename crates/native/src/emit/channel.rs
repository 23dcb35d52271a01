//! Channels: which one, questions about them, whether a message can go in or out.

use super::{Emitter, FLAGS};
use crate::classes::Class;
use crate::jit::field;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use model::processes::expr::Probe;
use model::processes::machine::code::{ActCode, At, PatternCode, ReceiveCode, SendCode};
use model::processes::machine::compiled::WIRE_FIELDS_AT;

/// Where the number of messages of a channel record is.
pub(super) const LENGTH_AT: i32 = 1;

/// A message that was found in a channel.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// The record.
    pub record: Value,
    /// Which message, as 64 bits; `None` for the first.
    pub number: Option<Value>,
}

impl<'f> Emitter<'f, '_> {
    /// The address of the record of a channel.
    fn channel(&mut self, number: Value) -> Value {
        let index = self.b.ins().iadd_imm_s(number, -1);
        let n_chans = self.count(field::N_CHANS);
        let cc = IntCC::UnsignedGreaterThanOrEqual;
        let wrong = self.b.ins().icmp(cc, index, n_chans);
        self.ask_if(wrong);
        let n_procs = self.count(field::N_PROCS);
        let n = self.b.ins().iadd(n_procs, index);
        self.record_of(n)
    }

    /// The record of a channel, and a block for each class that has at least so many fields and may
    /// be expected there; for other classes it asks.
    pub(super) fn by_class(
        &mut self,
        channel: At,
        n_fields: usize,
    ) -> (Value, Vec<(&'f Class, Block)>) {
        let number = self.value(channel);
        let record = self.channel(number);
        let tag = self.b.ins().uload8(types::I32, FLAGS, record, 0);
        let classes: &'f [Class] = self.classes;
        let mut found = Vec::new();
        let hint = self.hints.kinds(self.program, self.proc, channel);
        for class in classes.iter().filter(|c| c.fields.len() >= n_fields) {
            let expected = |tag: &&u8| hint.as_ref().is_none_or(|kinds| kinds.contains(tag));
            let tags: Vec<&u8> = class.tags.iter().filter(expected).collect();
            if tags.is_empty() {
                continue;
            }
            let block = self.b.create_block();
            for kind in tags {
                let next = self.b.create_block();
                let is = self.compare(IntCC::Equal, tag, i32::from(*kind));
                self.brif(is, block, next);
                self.b.switch_to_block(next);
            }
            found.push((class, block));
        }
        self.jump(self.ask);
        (record, found)
    }

    /// How many messages a channel record holds; asks if there are more than fit.
    pub(super) fn length(&mut self, record: Value, class: &Class) -> Value {
        let length = (self.b.ins()).uload8(types::I32, FLAGS, record, LENGTH_AT);
        let wrong = self.compare(IntCC::UnsignedGreaterThan, length, class.capacity as i32);
        self.ask_if(wrong);
        length
    }

    pub(super) fn probe(&mut self, probe: Probe, channel: At) -> Value {
        let (record, classes) = self.by_class(channel, 0);
        let done = self.b.create_block();
        let found = self.b.append_block_param(done, types::I32);
        for (class, block) in classes {
            self.b.switch_to_block(block);
            let length = self.b.ins().uload8(types::I32, FLAGS, record, LENGTH_AT);
            let capacity = class.capacity as i32;
            let answer = match probe {
                Probe::Length => length,
                Probe::Full | Probe::NotFull if capacity == 0 => {
                    self.int(i32::from(probe == Probe::NotFull))
                }
                _ => {
                    let (cc, with) = match probe {
                        Probe::Empty => (IntCC::Equal, 0),
                        Probe::NotEmpty => (IntCC::NotEqual, 0),
                        Probe::Full => (IntCC::Equal, capacity),
                        _ => (IntCC::NotEqual, capacity),
                    };
                    let flag = self.compare(cc, length, with);
                    self.b.ins().uextend(types::I32, flag)
                }
            };
            self.b.ins().jump(done, &[BlockArg::Value(answer)]);
        }
        self.b.switch_to_block(done);
        found
    }

    /// Goes to `yes` if a message can be sent.
    pub(super) fn can_send(&mut self, send: &SendCode, yes: Block, no: Block) {
        let (record, classes) = self.by_class(send.channel, send.fields.len());
        for (class, block) in classes {
            self.b.switch_to_block(block);
            if class.capacity == 0 || self.program.lossy {
                self.jump(yes);
                continue;
            }
            let length = self.b.ins().uload8(types::I32, FLAGS, record, LENGTH_AT);
            let room = self.compare(IntCC::UnsignedLessThan, length, class.capacity as i32);
            self.brif(room, yes, no);
        }
    }

    /// Goes to `yes` if a message can be received from a buffer.
    pub(super) fn can_receive(&mut self, receive: &ReceiveCode, yes: Block, no: Block) {
        let (record, classes) = self.by_class(receive.channel, receive.fields.len());
        for (class, block) in classes {
            self.b.switch_to_block(block);
            if class.capacity == 0 {
                self.jump(no);
                continue;
            }
            self.find(receive, (record, class), no);
            self.jump(yes);
        }
    }

    /// Goes to `yes` if a poll sees a message; polling a rendezvous asks.
    pub(super) fn poll(&mut self, receive: &ReceiveCode, yes: Block, no: Block) {
        let (record, classes) = self.by_class(receive.channel, receive.fields.len());
        for (class, block) in classes {
            self.b.switch_to_block(block);
            if class.capacity == 0 {
                self.jump(self.ask);
                continue;
            }
            self.find(receive, (record, class), no);
            self.jump(yes);
        }
    }

    /// Finds the message that a receive takes from a buffer; goes to `no` if there is none.
    pub(super) fn find(
        &mut self,
        receive: &ReceiveCode,
        (record, class): (Value, &Class),
        no: Block,
    ) -> Found {
        let length = self.length(record, class);
        if !receive.random {
            let next = self.b.create_block();
            self.brif(length, next, no);
            self.b.switch_to_block(next);
            self.matches(receive, (record, class), no);
            return Found {
                record,
                number: None,
            };
        }
        let (round, body) = (self.b.create_block(), self.b.create_block());
        let (other, found) = (self.b.create_block(), self.b.create_block());
        let n = self.b.append_block_param(round, types::I32);
        let zero = self.int(0);
        self.b.ins().jump(round, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(round);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, n, length);
        self.brif(more, body, no);
        self.b.switch_to_block(body);
        let number = self.b.ins().uextend(types::I64, n);
        let by = (self.b.ins()).imul_imm_u(number, i64::from(class.message_size));
        let message = self.b.ins().iadd(record, by);
        self.matches(receive, (message, class), other);
        self.jump(found);
        self.b.switch_to_block(other);
        let next = self.b.ins().iadd_imm_s(n, 1);
        self.b.ins().jump(round, &[BlockArg::Value(next)]);
        self.b.switch_to_block(found);
        Found {
            record,
            number: Some(number),
        }
    }

    /// Goes to `no` unless the message has the values that the receive wants.
    fn matches(&mut self, receive: &ReceiveCode, (message, class): (Value, &Class), no: Block) {
        for (field, (at, scalar)) in receive.fields.iter().zip(&class.fields) {
            if let PatternCode::Match(e) = field {
                let there = self.load(*scalar, message, *at);
                self.wants(*e, there, no);
            }
        }
    }

    /// Goes to `no` unless the expression has that value.
    fn wants(&mut self, e: At, there: Value, no: Block) {
        let wanted = self.value(e);
        let same = self.b.ins().icmp(IntCC::Equal, wanted, there);
        let next = self.b.create_block();
        self.brif(same, next, no);
        self.b.switch_to_block(next);
    }

    /// Goes to `yes` if the action receives the message on the wire.
    pub(super) fn answers(&mut self, act: &ActCode, yes: Block, no: Block) {
        let receive = match act {
            ActCode::Receive(receive) => receive,
            ActCode::All(all) => return self.answers(&all[0], yes, no),
            _ => return self.jump(self.ask),
        };
        let there = self.wired(0);
        self.wants(receive.channel, there, no);
        let n_fields = self.wired(1);
        let wanted = receive.fields.len() as i32;
        let short = self.compare(IntCC::UnsignedLessThan, n_fields, wanted);
        self.ask_if(short);
        for (k, field) in receive.fields.iter().enumerate() {
            if let PatternCode::Match(e) = field {
                let there = self.wired(WIRE_FIELDS_AT + k);
                self.wants(*e, there, no);
            }
        }
        self.jump(yes);
    }

    /// A number of the last message on a wire.
    pub(super) fn wired(&mut self, n: usize) -> Value {
        let free = self.around(field::WIRE);
        let at = 4 * n as i32 - self.wire_bytes;
        self.b.ins().load(types::I32, FLAGS, free, at)
    }
}
