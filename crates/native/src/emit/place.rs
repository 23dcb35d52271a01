//! Places: where they are, reading and writing them.

use super::{Emitter, FLAGS};
use crate::jit::field;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use model::processes::layout::KindId;
use model::processes::machine::code::{Base, Element, Spot};

impl Emitter<'_, '_> {
    /// The address of a record; goes to `missing` if its process is not there or of another type.
    pub(super) fn record(&mut self, base: Base, missing: Block) -> Value {
        match base {
            Base::Globals => self.args.state,
            Base::Own => self.args.own,
            Base::Numbered(kind, e) => {
                let pid = self.value(e);
                self.numbered(kind, pid, missing)
            }
            Base::First(_) => {
                self.give_up();
                self.args.state
            }
        }
    }

    fn numbered(&mut self, kind: KindId, pid: Value, missing: Block) -> Value {
        let n_procs = self.count(field::N_PROCS);
        let there = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, n_procs);
        let next = self.b.create_block();
        self.brif(there, next, missing);
        self.b.switch_to_block(next);
        let record = self.record_of(pid);
        let tag = self.b.ins().uload8(types::I32, FLAGS, record, 0);
        let fits = self.compare(IntCC::Equal, tag, kind.index() as i32);
        let next = self.b.create_block();
        self.brif(fits, next, missing);
        self.b.switch_to_block(next);
        record
    }

    /// The address of the record whose offset is entry `n` of the table.
    pub(super) fn record_of(&mut self, n: Value) -> Value {
        let offset = self.offset_of(n);
        self.b.ins().iadd(self.args.state, offset)
    }

    /// Entry `n` of the table of offsets.
    pub(super) fn offset_of(&mut self, n: Value) -> Value {
        let table = self.around(field::OFFSETS);
        let n = self.b.ins().uextend(types::I64, n);
        let at = self.b.ins().ishl_imm_u(n, 2);
        let entry = self.b.ins().iadd(table, at);
        let offset = self.b.ins().load(types::I32, FLAGS, entry, 0);
        self.b.ins().uextend(types::I64, offset)
    }

    /// The address of an element, less the offset of its cell.
    fn address(&mut self, e: &Element, missing: Block) -> Value {
        let mut address = self.record(e.base, missing);
        for (index, bound, stride) in &e.indices {
            let index = self.value(*index);
            let wrong = self.b.ins().icmp_imm_u(
                IntCC::UnsignedGreaterThanOrEqual,
                index,
                i64::from(*bound),
            );
            self.ask_if(wrong);
            let index = self.b.ins().uextend(types::I64, index);
            let by = match stride {
                1 => index,
                _ => self.b.ins().imul_imm_u(index, i64::from(*stride)),
            };
            address = self.b.ins().iadd(address, by);
        }
        address
    }

    /// What is in an element; 0 if its process is not there.
    pub(super) fn element(&mut self, e: &Element) -> Value {
        if !matches!(e.base, Base::Numbered(..)) {
            let address = self.address(e, self.ask);
            return self.load(e.cell.scalar, address, e.cell.at);
        }
        let (missing, done) = (self.b.create_block(), self.b.create_block());
        let found = self.b.append_block_param(done, types::I32);
        let address = self.address(e, missing);
        let value = self.load(e.cell.scalar, address, e.cell.at);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.b.switch_to_block(missing);
        let none = self.int(0);
        self.b.ins().jump(done, &[BlockArg::Value(none)]);
        self.b.switch_to_block(done);
        found
    }

    /// Stores a number.
    pub(super) fn store(&mut self, spot: &Spot, value: Value) {
        let (address, cell) = match spot {
            Spot::Global(cell) => (self.args.state, *cell),
            Spot::Own(cell) => (self.args.own, *cell),
            Spot::Element(e) => (self.address(e, self.ask), e.cell),
        };
        self.keep(cell.scalar, value, address, cell.at);
    }
}
