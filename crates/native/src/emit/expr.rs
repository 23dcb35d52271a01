//! Expressions: numbers, and tests that branch.

use super::{Emitter, TIMEOUT_BIT};
use crate::jit::field;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use model::processes::expr::Binary;
use model::processes::machine::code::{At, Base, Code, KindCode};

impl Emitter<'_, '_> {
    /// The value of an expression, as a number of 32 bits.
    pub(super) fn value(&mut self, at: At) -> Value {
        let program = self.program;
        match &program.codes[at as usize] {
            Code::Const(v) => self.int(*v),
            Code::Global(c) => self.load(c.scalar, self.args.state, c.at),
            Code::Own(c) => self.load(c.scalar, self.args.own, c.at),
            Code::Element(e) => self.element(e),
            Code::Pid => self.pid(),
            Code::NProcesses => self.count(field::N_PROCS),
            Code::Timeout => self.bit(TIMEOUT_BIT),
            Code::Complement(e) => {
                let value = self.value(*e);
                self.b.ins().bnot(value)
            }
            Code::Minus(e) => {
                let value = self.value(*e);
                self.b.ins().ineg(value)
            }
            Code::Binary(op, a, b) if condition(*op).is_none() => {
                let a = self.value(*a);
                let b_value = self.value(*b);
                match program.codes[*b as usize] {
                    Code::Const(by) => self.calculate_by(*op, a, (b_value, by)),
                    _ => self.calculate(*op, a, b_value),
                }
            }
            Code::Choice(a, b, c) => self.choice((*a, *b, *c)),
            Code::Probe(probe, channel) => self.probe(*probe, *channel),
            Code::And(_) | Code::Or(_) | Code::AtLocation(..) | Code::Poll(_) => {
                self.joined_test(at)
            }
            Code::Run(..) | Code::Enabled(_) | Code::LocationOf(_) | Code::PriorityOf(_) => {
                self.unknown()
            }
            Code::NonProgress | Code::Accepting => self.unknown(),
            _ => {
                let flag = self.flag(at);
                self.b.ins().uextend(types::I32, flag)
            }
        }
    }

    /// An expression that only the interpreter evaluates.
    fn unknown(&mut self) -> Value {
        self.give_up();
        self.int(0)
    }

    /// Not 0 if the expression is not 0; a byte if it is a comparison.
    fn flag(&mut self, at: At) -> Value {
        let program = self.program;
        match &program.codes[at as usize] {
            Code::OwnIs(c, v) => self.is(IntCC::Equal, (c.scalar, self.args.own, c.at), *v),
            Code::GlobalIs(c, v) => self.is(IntCC::Equal, (c.scalar, self.args.state, c.at), *v),
            Code::OwnIsNot(c, v) => self.is(IntCC::NotEqual, (c.scalar, self.args.own, c.at), *v),
            Code::GlobalIsNot(c, v) => {
                self.is(IntCC::NotEqual, (c.scalar, self.args.state, c.at), *v)
            }
            Code::PidIs(v) => {
                let pid = self.pid();
                self.compare(IntCC::Equal, pid, *v)
            }
            Code::Not(e) => {
                let value = self.value(*e);
                self.compare(IntCC::Equal, value, 0)
            }
            Code::Binary(op, a, b) => match condition(*op) {
                Some(cc) => {
                    let a = self.value(*a);
                    let b = self.value(*b);
                    self.b.ins().icmp(cc, a, b)
                }
                None => self.value(at),
            },
            _ => self.value(at),
        }
    }

    fn is(
        &mut self,
        cc: IntCC,
        (scalar, address, at): (model::processes::layout::Scalar, Value, u32),
        with: i32,
    ) -> Value {
        let value = self.load(scalar, address, at);
        self.compare(cc, value, with)
    }

    /// Goes to `yes` if the expression is not 0, else to `no`.
    pub(super) fn branch(&mut self, at: At, yes: Block, no: Block) {
        let program = self.program;
        match &program.codes[at as usize] {
            Code::Const(v) => self.jump(if *v != 0 { yes } else { no }),
            Code::Not(e) => self.branch(*e, no, yes),
            Code::And(all) => {
                for e in all {
                    let next = self.b.create_block();
                    self.branch(*e, next, no);
                    self.b.switch_to_block(next);
                }
                self.jump(yes);
            }
            Code::Or(all) => {
                for e in all {
                    let next = self.b.create_block();
                    self.branch(*e, yes, next);
                    self.b.switch_to_block(next);
                }
                self.jump(no);
            }
            Code::AtLocation(base, location) => self.at_location((*base, *location), yes, no),
            Code::Poll(receive) => self.poll(receive, yes, no),
            _ => {
                let flag = self.flag(at);
                self.brif(flag, yes, no);
            }
        }
    }

    /// 1 or 0, by a test.
    fn joined_test(&mut self, at: At) -> Value {
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        let done = self.b.create_block();
        let found = self.b.append_block_param(done, types::I32);
        self.branch(at, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.b.switch_to_block(block);
            let value = self.int(value);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
        }
        self.b.switch_to_block(done);
        found
    }

    fn choice(&mut self, (test, a, b): (At, At, At)) -> Value {
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        let done = self.b.create_block();
        let found = self.b.append_block_param(done, types::I32);
        self.branch(test, yes, no);
        for (block, e) in [(yes, a), (no, b)] {
            self.b.switch_to_block(block);
            let value = self.value(e);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
        }
        self.b.switch_to_block(done);
        found
    }

    fn at_location(&mut self, (base, location): (Base, i32), yes: Block, no: Block) {
        let Base::Numbered(kind, _) = base else {
            self.jump(self.ask);
            return;
        };
        let record = self.record(base, no);
        let KindCode::Process(p) = self.program.kinds[kind.index()] else {
            unreachable!("a process record")
        };
        let scalar = self.program.procs[p as usize].location;
        let here = self.load(scalar, record, 1);
        let there = self.compare(IntCC::Equal, here, location);
        self.brif(there, yes, no);
    }

    /// What an operator gives that is no comparison.
    fn calculate(&mut self, op: Binary, a: Value, b: Value) -> Value {
        if matches!(op, Binary::Divide | Binary::Remainder) {
            let zero = self.compare(IntCC::Equal, b, 0);
            self.ask_if(zero);
            // Dividing the least number by -1 would trap; the result is that number itself.
            let minus = self.compare(IntCC::Equal, b, -1);
            let one = self.int(1);
            let by = self.b.ins().select(minus, one, b);
            return match op {
                Binary::Divide => {
                    let quotient = self.b.ins().sdiv(a, by);
                    let negated = self.b.ins().ineg(a);
                    self.b.ins().select(minus, negated, quotient)
                }
                // What is left of dividing by 1 is 0, as by -1.
                _ => self.b.ins().srem(a, by),
            };
        }
        let ins = self.b.ins();
        match op {
            Binary::Add => ins.iadd(a, b),
            Binary::Subtract => ins.isub(a, b),
            Binary::Multiply => ins.imul(a, b),
            Binary::BitAnd => ins.band(a, b),
            Binary::BitXor => ins.bxor(a, b),
            Binary::BitOr => ins.bor(a, b),
            // Both take the distance modulo 32.
            Binary::ShiftLeft => ins.ishl(a, b),
            Binary::ShiftRight => ins.sshr(a, b),
            _ => unreachable!("{op:?} compares"),
        }
    }

    /// The same where the second operand is a constant.
    fn calculate_by(&mut self, op: Binary, a: Value, (b, by): (Value, i32)) -> Value {
        match op {
            Binary::Divide if by != 0 && by != -1 => self.b.ins().sdiv(a, b),
            Binary::Remainder if by != 0 && by != -1 => self.b.ins().srem(a, b),
            _ => self.calculate(op, a, b),
        }
    }
}

/// The condition that an operator tests, if it is a comparison.
fn condition(op: Binary) -> Option<IntCC> {
    Some(match op {
        Binary::Less => IntCC::SignedLessThan,
        Binary::LessEqual => IntCC::SignedLessThanOrEqual,
        Binary::Greater => IntCC::SignedGreaterThan,
        Binary::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        Binary::Equal => IntCC::Equal,
        Binary::NotEqual => IntCC::NotEqual,
        _ => return None,
    })
}
