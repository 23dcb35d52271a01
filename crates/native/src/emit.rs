//! From the program of a machine to functions in Cranelift's intermediate form.
//!
//! Every function has the same four arguments and finds the rest in [`crate::jit::Surroundings`].
//! It answers [`NONE`] if no step led on, [`LED`] if one did, or [`ASK`]. A function is one of
//!
//! - all moves of a process at a location: guards are tested on the state, and each step that can
//!   be taken is taken on a copy, in the next free frame. Where it keeps control, the function of
//!   its target is called with that copy;
//! - what a process makes of a message on the wire, whatever its location;
//! - the message on the wire handed to all processes in order.
//!
//! Evaluation follows `eval.rs` and `act.rs` in `crates/model/src/processes/machine/` line by line,
//! and the order of steps `expand.rs`: where those give a fault, this jumps to the block that asks.

mod channel;
mod expr;
mod inside;
mod message;
mod moves;
mod place;
mod step;

use crate::Entries;
use crate::classes::{Class, classes};
use crate::hints::Hints;
use crate::jit::{Entry, field};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, SigRef, Signature, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use model::processes::layout::Scalar;
use model::processes::machine::code::Program;
use model::processes::machine::compiled::{HEAD_BYTES, wire_length};

pub use moves::{has_rendezvous, may_answer_anywhere};

/// No step led on.
pub const NONE: u64 = 0;
/// A step led on.
pub const LED: u64 = 1;
/// The interpreter has to try.
pub const ASK: u64 = 2;

/// Where the state is in a frame.
pub const STATE_AT: usize = HEAD_BYTES;
/// The same, as an offset.
pub const HEADER: i32 = HEAD_BYTES as i32;

/// Memory that is the caller's: reading and writing it never traps, and it is not aligned.
const FLAGS: MemFlagsData = MemFlagsData::new().with_notrap();

/// The types of the arguments and of the result.
pub fn signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params = vec![AbiParam::new(types::I64); 4];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}

/// What functions are made from.
pub struct Unit<'p> {
    program: &'p Program,
    entries: &'p Entries,
    classes: Vec<Class>,
    hints: Hints,
    memory: FunctionBuilderContext,
    config: TargetFrontendConfig,
    wire_bytes: i32,
}

impl<'p> Unit<'p> {
    /// Of this program, for this processor.
    pub fn new(
        program: &'p Program,
        entries: &'p Entries,
        config: TargetFrontendConfig,
    ) -> Unit<'p> {
        Unit {
            program,
            entries,
            classes: classes(program),
            hints: Hints::of(program),
            memory: FunctionBuilderContext::new(),
            config,
            wire_bytes: 4 * wire_length(program) as i32,
        }
    }

    fn emitter<'f>(&'f mut self, f: &'f mut Function, proc: u32) -> Emitter<'f, 'p> {
        let signature = f.signature.clone();
        let callee = f.import_signature(signature);
        let mut b = FunctionBuilder::new(f, &mut self.memory);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = b.block_params(entry);
        let (state, offset) = (params[0], params[1]);
        let (who, around) = (params[2], params[3]);
        let own = b.ins().iadd(state, offset);
        let ask = b.create_block();
        Emitter {
            b,
            program: self.program,
            entries: self.entries,
            classes: &self.classes,
            hints: &self.hints,
            config: self.config,
            wire_bytes: self.wire_bytes,
            callee,
            proc,
            args: Args {
                state,
                own,
                offset,
                who,
                around,
            },
            ask,
            nesting: 0,
        }
    }
}

/// The arguments of every function, and what follows from them.
#[derive(Clone, Copy)]
pub struct Args {
    /// The bytes of the state that is looked at.
    state: Value,
    /// The record of the process in it.
    own: Value,
    /// Where that is.
    offset: Value,
    /// In the lower half the number of the process; then a bit for a timeout, and one for a message
    /// whose sender may have closed a loop.
    who: Value,
    /// What is around.
    around: Value,
}

/// The bit of [`Args::who`] for a timeout.
pub const TIMEOUT_BIT: i64 = 32;
/// The bit of [`Args::who`] for a message whose sender may have closed a loop.
const CLOSES_BIT: i64 = 33;

/// A function that is being made.
pub struct Emitter<'f, 'p> {
    b: FunctionBuilder<'f>,
    program: &'p Program,
    entries: &'p Entries,
    classes: &'f [Class],
    hints: &'f Hints,
    config: TargetFrontendConfig,
    wire_bytes: i32,
    /// The signature of functions that are called.
    callee: SigRef,
    /// The process type whose steps these are.
    proc: u32,
    args: Args,
    /// Where it is asked.
    ask: Block,
    /// How many deterministic blocks this is inside of.
    nesting: u32,
}

impl Emitter<'_, '_> {
    /// Returns a result; where it is asked, that.
    fn end(mut self, result: Value) {
        self.b.ins().return_(&[result]);
        self.b.switch_to_block(self.ask);
        let ask = self.b.ins().iconst(types::I64, ASK as i64);
        self.b.ins().return_(&[ask]);
        self.finish();
    }

    fn finish(mut self) {
        self.b.seal_all_blocks();
        self.b.finalize(self.config);
    }

    /// A new block, which is gone on with.
    fn open(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.switch_to_block(block);
        block
    }

    fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    fn brif(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Asks if the condition is not 0; goes on otherwise.
    fn ask_if(&mut self, condition: Value) {
        let next = self.b.create_block();
        self.brif(condition, self.ask, next);
        self.b.switch_to_block(next);
    }

    /// Asks always; what follows is never run.
    fn give_up(&mut self) {
        self.jump(self.ask);
        self.open();
    }

    fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    /// 1 if the comparison with a constant holds.
    fn compare(&mut self, cc: IntCC, a: Value, with: i32) -> Value {
        self.b.ins().icmp_imm_s(cc, a, i64::from(with))
    }

    /// The number of the process that takes the step.
    fn pid(&mut self) -> Value {
        self.b.ins().ireduce(types::I32, self.args.who)
    }

    /// A number of 32 bits of what is around.
    fn count(&mut self, field: i32) -> Value {
        (self.b.ins()).load(types::I32, FLAGS, self.args.around, field)
    }

    /// A bit of [`Args::who`], as a number of 32 bits.
    fn bit(&mut self, n: i64) -> Value {
        let shifted = self.b.ins().ushr_imm_u(self.args.who, n);
        let bit = self.b.ins().band_imm_u(shifted, 1);
        self.b.ins().ireduce(types::I32, bit)
    }

    /// A pointer or size of what is around.
    fn around(&mut self, field: i32) -> Value {
        (self.b.ins()).load(types::I64, FLAGS, self.args.around, field)
    }

    fn set_around(&mut self, field: i32, value: Value) {
        self.b.ins().store(FLAGS, value, self.args.around, field);
    }

    /// Calls a function and asks if that asks.
    fn call(&mut self, entry: Entry, args: &[Value; 3]) -> Value {
        let answer = self.called(entry, args);
        let asks = (self.b.ins()).icmp_imm_s(IntCC::Equal, answer, ASK as i64);
        self.ask_if(asks);
        answer
    }

    /// What a function answers.
    fn called(&mut self, entry: Entry, args: &[Value; 3]) -> Value {
        let table = self.around(field::FUNCTIONS);
        let at = 8 * entry.0 as i32;
        let callee = self.b.ins().load(types::I64, FLAGS, table, at);
        let [state, offset, who] = *args;
        let all = [state, offset, who, self.args.around];
        let call = self.b.ins().call_indirect(self.callee, callee, &all);
        self.b.inst_results(call)[0]
    }

    /// The number that is kept at an offset from an address.
    fn load(&mut self, scalar: Scalar, address: Value, at: u32) -> Value {
        let at = at as i32;
        let ins = self.b.ins();
        match (scalar, scalar.n_bytes()) {
            (_, 1) => ins.uload8(types::I32, FLAGS, address, at),
            (Scalar::I16, _) => ins.sload16(types::I32, FLAGS, address, at),
            (_, 2) => ins.uload16(types::I32, FLAGS, address, at),
            _ => ins.load(types::I32, FLAGS, address, at),
        }
    }

    /// Keeps what is left of a number.
    fn keep(&mut self, scalar: Scalar, value: Value, address: Value, at: u32) {
        let value = self.narrow(scalar, value);
        let at = at as i32;
        match scalar.n_bytes() {
            1 => self.b.ins().istore8(FLAGS, value, address, at),
            2 => self.b.ins().istore16(FLAGS, value, address, at),
            _ => self.b.ins().store(FLAGS, value, address, at),
        };
    }

    /// What is left of a number in the lower bytes that are kept; higher ones mean nothing.
    fn narrow(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::Bits(n) if n != 8 && n != 16 && n < 32 => {
                self.b.ins().band_imm_u(value, (1_i64 << n) - 1)
            }
            _ => value,
        }
    }
}
