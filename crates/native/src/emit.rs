//! From the program of a machine to functions in Cranelift's intermediate form.
//!
//! Every function has the same arguments (see [`Args`]). A function of guards gives a bit for each
//! step that can be taken and, 32 bits higher, one for each that asks. A function that takes a step
//! gives [`DONE`], [`HALF`] or [`ASK`].
//!
//! Evaluation follows `crates/model/src/processes/machine/eval.rs` and `act.rs` line by line: where
//! those give a fault, this jumps to the block that asks.

mod channel;
mod expr;
mod inside;
mod message;
mod place;
mod step;

use crate::budget::{OfType, Place};
use crate::classes::{Class, classes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlagsData, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use model::processes::layout::Scalar;
use model::processes::machine::code::{ActCode, Program, StepCode};
use model::processes::machine::compiled::Choices;

/// The step was taken.
pub const DONE: u64 = 0;
/// The interpreter has to try.
pub const ASK: u64 = 1;
/// The step was taken, and its message is on the wire.
pub const HALF: u64 = 2;

/// Memory that is the caller's: reading and writing it never traps, and it is not aligned.
const FLAGS: MemFlagsData = MemFlagsData::new().with_notrap();

/// What functions are made from.
pub struct Unit<'p> {
    program: &'p Program,
    classes: Vec<Class>,
    memory: FunctionBuilderContext,
    config: TargetFrontendConfig,
}

impl<'p> Unit<'p> {
    /// Of this program, for this processor.
    pub fn new(program: &'p Program, config: TargetFrontendConfig) -> Unit<'p> {
        Unit {
            program,
            classes: classes(program),
            memory: FunctionBuilderContext::new(),
            config,
        }
    }

    /// The guards of steps; gives them if they are always the same.
    pub fn guards(&mut self, place: Place, f: &mut Function) -> Option<Choices> {
        self.choices(place, f, guard_of, |e, act, yes, no| e.guard(act, yes, no))
    }

    /// Which steps receive the message on the wire.
    pub fn answers(&mut self, place: Place, f: &mut Function) -> Option<Choices> {
        let known = |program: &Program, act: &ActCode| match may_answer(program, place.proc, act) {
            Answers::Never => Some(Truth::No),
            Answers::Ask => Some(Truth::Ask),
            Answers::Compiled => None,
        };
        self.choices(place, f, known, |e, act, yes, no| e.answers(act, yes, no))
    }

    fn choices(
        &mut self,
        place: Place,
        f: &mut Function,
        known: impl Fn(&Program, &ActCode) -> Option<Truth>,
        emit: impl Fn(&mut Emitter<'_, '_>, &ActCode, Block, Block),
    ) -> Option<Choices> {
        let program = self.program;
        let mut fixed = Choices::default();
        let mut open = Vec::new();
        for (n, s) in (place.first..place.end).enumerate() {
            let act = &program.steps[program.order[s as usize] as usize].act;
            match known(program, act) {
                Some(Truth::Yes) => fixed.can |= 1 << n,
                Some(Truth::No) => {}
                Some(Truth::Ask) => fixed.ask |= 1 << n,
                None => open.push((n, act)),
            }
        }
        if open.is_empty() {
            return Some(fixed);
        }
        let mut e = self.emitter(f, place.proc);
        let known = u64::from(fixed.can) | u64::from(fixed.ask) << 32;
        let mut mask = e.b.ins().iconst(types::I64, known as i64);
        for (n, act) in open {
            let next = e.b.create_block();
            let joined = e.b.append_block_param(next, types::I64);
            let (yes, ask) = (e.b.create_block(), e.b.create_block());
            let no = e.b.create_block();
            e.ask = ask;
            emit(&mut e, act, yes, no);
            for (block, bit) in [(yes, 1u64 << n), (ask, 1 << (32 + n)), (no, 0)] {
                e.b.switch_to_block(block);
                let with = e.b.ins().bor_imm_s(mask, bit as i64);
                e.b.ins().jump(next, &[BlockArg::Value(with)]);
            }
            e.b.switch_to_block(next);
            mask = joined;
        }
        e.b.ins().return_(&[mask]);
        e.finish();
        None
    }

    /// What a step does, and where its process is then.
    pub fn take(&mut self, step: OfType, f: &mut Function) {
        let code: &StepCode = &self.program.steps[step.step as usize];
        let mut e = self.emitter(f, step.proc);
        let result = e.take(&code.act);
        e.arrive(code);
        e.end(result);
    }

    /// The same for a step that receives the message on the wire.
    pub fn answer(&mut self, step: OfType, f: &mut Function) {
        let code: &StepCode = &self.program.steps[step.step as usize];
        let mut e = self.emitter(f, step.proc);
        e.answer(&code.act);
        e.arrive(code);
        let done = e.b.ins().iconst(types::I64, DONE as i64);
        e.end(done);
    }

    /// Whether a step may receive a message on the wire.
    pub fn may_answer(&self, step: OfType) -> bool {
        let act = &self.program.steps[step.step as usize].act;
        may_answer(self.program, step.proc, act) == Answers::Compiled
    }

    fn emitter<'f>(&'f mut self, f: &'f mut Function, proc: u32) -> Emitter<'f, 'p> {
        let mut b = FunctionBuilder::new(f, &mut self.memory);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let args = Args::new(b.block_params(entry));
        let ask = b.create_block();
        Emitter {
            b,
            program: self.program,
            classes: &self.classes,
            config: self.config,
            proc,
            args,
            ask,
            nesting: 0,
        }
    }
}

/// What is known of a guard without a state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    Yes,
    No,
    Ask,
}

/// What is known of the guard of an action.
fn guard_of(program: &Program, act: &ActCode) -> Option<Truth> {
    match act {
        ActCode::Test(_) | ActCode::Send(_) | ActCode::Receive(_) => None,
        ActCode::Deterministic(..) => None,
        ActCode::All(all) => guard_of(program, &all[0]),
        ActCode::End if program.ends_are_steps => None,
        ActCode::End => Some(Truth::No),
        ActCode::TestRun(_) | ActCode::SetPriority(..) => Some(Truth::Ask),
        _ => Some(Truth::Yes),
    }
}

/// Whether an action can receive a message on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Never,
    Compiled,
    Ask,
}

fn may_answer(program: &Program, proc: u32, act: &ActCode) -> Answers {
    match act {
        ActCode::Receive(receive) if receive.keep => Answers::Never,
        ActCode::Receive(_) => Answers::Compiled,
        ActCode::All(all) => may_answer(program, proc, &all[0]),
        ActCode::Deterministic(entry, _) => {
            let (from, to) = program.procs[proc as usize].steps[*entry as usize];
            let mut steps = program.order[from as usize..to as usize].iter();
            let never = steps.all(|s| {
                let act = &program.steps[*s as usize].act;
                may_answer(program, proc, act) == Answers::Never
            });
            if never { Answers::Never } else { Answers::Ask }
        }
        _ => Answers::Never,
    }
}

/// The arguments of every function.
#[derive(Clone, Copy)]
pub struct Args {
    /// The bytes of the state.
    state: Value,
    /// The record of the process.
    own: Value,
    /// From the lowest bits, 16 each: the process, how many processes, how many channels, timeout.
    who: Value,
    /// The offsets of processes, then of channels: 4 bytes each.
    offsets: Value,
    /// A byte for each step.
    covered: Value,
    /// Channel, number of fields, fields: 4 bytes each.
    wire: Value,
}

impl Args {
    /// The types of arguments and result.
    pub fn signature(call_conv: CallConv) -> cranelift_codegen::ir::Signature {
        let mut signature = cranelift_codegen::ir::Signature::new(call_conv);
        signature.params = vec![AbiParam::new(types::I64); 6];
        signature.returns = vec![AbiParam::new(types::I64)];
        signature
    }

    fn new(params: &[Value]) -> Args {
        Args {
            state: params[0],
            own: params[1],
            who: params[2],
            offsets: params[3],
            covered: params[4],
            wire: params[5],
        }
    }
}

/// A function that is being made.
pub struct Emitter<'f, 'p> {
    b: FunctionBuilder<'f>,
    program: &'p Program,
    classes: &'f [Class],
    config: TargetFrontendConfig,
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

    /// A number of 16 bits of [`Args::who`].
    fn who(&mut self, n: i64, ty: Type) -> Value {
        let shifted = match n {
            0 => self.args.who,
            _ => self.b.ins().ushr_imm_u(self.args.who, 16 * n),
        };
        let part = self.b.ins().band_imm_u(shifted, 0xffff);
        match ty {
            types::I32 => self.b.ins().ireduce(types::I32, part),
            _ => part,
        }
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
