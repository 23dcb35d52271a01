//! Executable memory, and calls into it. All `unsafe` of the project is here.

use crate::emit::{HEADER, STATE_AT, TIMEOUT_BIT, signature};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function, Signature};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use model::processes::machine::compiled::{N_FRAMES, NotGenerated, Stage};
use std::sync::Mutex;

/// A function: the state that steps are taken from, the offset of the process, who that is, and
/// all else.
type Callee = unsafe extern "C" fn(*mut u8, u64, u64, *mut Surroundings) -> u64;

/// What functions find besides their arguments. They know the offsets of the fields.
#[repr(C)]
pub struct Surroundings {
    /// Of the records of processes, then of channels.
    offsets: *const u32,
    covered: *mut bool,
    /// The first frame that is free, and where frames end.
    next: *mut u8,
    end: *mut u8,
    /// The first frame, and the size of each.
    first: *mut u8,
    stride: u64,
    /// The first wire that is free, and where wires end.
    wire: *mut i32,
    wires_end: *mut i32,
    /// All functions, by number.
    functions: *const Callee,
    n_procs: u32,
    n_chans: u32,
}

/// Where a field of [`Surroundings`] is.
pub mod field {
    use super::Surroundings;
    use std::mem::offset_of;

    pub const OFFSETS: i32 = offset_of!(Surroundings, offsets) as i32;
    pub const COVERED: i32 = offset_of!(Surroundings, covered) as i32;
    pub const NEXT: i32 = offset_of!(Surroundings, next) as i32;
    pub const END: i32 = offset_of!(Surroundings, end) as i32;
    pub const FIRST: i32 = offset_of!(Surroundings, first) as i32;
    pub const STRIDE: i32 = offset_of!(Surroundings, stride) as i32;
    pub const WIRE: i32 = offset_of!(Surroundings, wire) as i32;
    pub const WIRES_END: i32 = offset_of!(Surroundings, wires_end) as i32;
    pub const N_PROCS: i32 = offset_of!(Surroundings, n_procs) as i32;
    pub const N_CHANS: i32 = offset_of!(Surroundings, n_chans) as i32;
    pub const FUNCTIONS: i32 = offset_of!(Surroundings, functions) as i32;
}

/// A function, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(pub u32);

/// Functions that are being compiled.
pub struct Jit {
    module: JITModule,
    context: Context,
    signature: Signature,
    /// By number; `None` as long as it is not defined.
    functions: Vec<Option<FuncId>>,
    n_instructions: usize,
}

/// Compiled functions.
pub struct Code {
    functions: Vec<Callee>,
    /// Keeps the memory of the functions.
    module: Mutex<Option<JITModule>>,
}

impl Jit {
    /// No functions yet, for this processor.
    pub fn new() -> Result<Jit, NotGenerated> {
        if cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64"))) {
            return Err(not_generated("no machine code is made for this processor"));
        }
        let mut flags = settings::builder();
        let verifies = if cfg!(debug_assertions) {
            "true"
        } else {
            "false"
        };
        for (name, value) in [
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("opt_level", "none"),
            ("unwind_info", "false"),
            ("enable_verifier", verifies),
        ] {
            flags.set(name, value).map_err(not_generated)?;
        }
        let isa = cranelift_native::builder().map_err(not_generated)?;
        let isa = isa.finish(settings::Flags::new(flags));
        let isa = isa.map_err(not_generated)?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        Ok(Jit {
            context: module.make_context(),
            signature: signature(module.isa().default_call_conv()),
            module,
            functions: Vec::new(),
            n_instructions: 0,
        })
    }

    /// What functions must know of the processor.
    pub fn config(&self) -> TargetFrontendConfig {
        self.module.target_config()
    }

    /// How many instructions of the intermediate form were compiled.
    pub fn n_instructions(&self) -> usize {
        self.n_instructions
    }

    /// A function that can be called. As long as it is not defined, calling it asks.
    pub fn declare(&mut self) -> Entry {
        self.functions.push(None);
        Entry(self.functions.len() as u32 - 1)
    }

    /// Compiles what `emit` puts into a function.
    pub fn define(
        &mut self,
        entry: Entry,
        emit: impl FnOnce(&mut Function),
    ) -> Result<(), NotGenerated> {
        let id = self.compile(emit)?;
        self.functions[entry.0 as usize] = Some(id);
        Ok(())
    }

    fn compile(&mut self, emit: impl FnOnce(&mut Function)) -> Result<FuncId, NotGenerated> {
        self.module.clear_context(&mut self.context);
        self.context.func.signature = self.signature.clone();
        emit(&mut self.context.func);
        self.n_instructions += self.context.func.dfg.num_insts();
        let id = self.module.declare_anonymous_function(&self.signature);
        let id = id.map_err(not_generated)?;
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(not_generated)?;
        Ok(id)
    }

    /// Makes the functions ready to be called; in place of one that was not defined stands what
    /// `emit_asking` makes.
    pub fn finish(mut self, emit_asking: impl FnOnce(&mut Function)) -> Result<Code, NotGenerated> {
        let asking = self.compile(emit_asking)?;
        self.module.finalize_definitions().map_err(not_generated)?;
        let functions = self.functions.iter().map(|id| {
            let start = self.module.get_finalized_function(id.unwrap_or(asking));
            // SAFETY: the function was compiled with the signature of `Callee` in the calling
            // convention of the system, and its memory is executable from now on.
            unsafe { std::mem::transmute::<*const u8, Callee>(start) }
        });
        Ok(Code {
            functions: functions.collect(),
            module: Mutex::new(Some(self.module)),
        })
    }
}

impl Code {
    /// Makes the moves of the process on the stage by the function of its location, which must have
    /// been made for the program that the stage is of; gives what it answers.
    #[inline]
    pub fn call(&self, entry: Entry, stage: &mut Stage<'_>) -> u64 {
        let (n_procs, pid) = (stage.n_procs(), stage.pid());
        let n_chans = stage.offsets().len() - n_procs;
        let who = pid as u64 | u64::from(stage.timeout()) << TIMEOUT_BIT;
        let own = u64::from(stage.offsets()[pid]);
        let stride = stage.stride();
        assert!(stage.frames().len() == stride * N_FRAMES);
        let frames = stage.frames().as_mut_ptr_range();
        let first = frames.start;
        let wires = stage.wires().as_mut_ptr_range();
        let mut surroundings = Surroundings {
            offsets: stage.offsets().as_ptr(),
            covered: stage.covered().as_mut_ptr(),
            next: first.wrapping_add(stride),
            end: frames.end,
            first,
            stride: stride as u64,
            wire: wires.start,
            wires_end: wires.end,
            functions: self.functions.as_ptr(),
            n_procs: n_procs as u32,
            n_chans: n_chans as u32,
        };
        let state = first.wrapping_add(STATE_AT);
        let function = self.functions[entry.0 as usize];
        // SAFETY: a stage has the records that its offsets name, of the sizes that their tags say,
        // in each frame. The code reads and writes fields of these, with indices tested; frames
        // before `end`; wires before `wires_end`; and the steps covered, of which the caller has
        // seen that there are enough. Its memory is there as long as `self` is.
        let answer = unsafe { function(state, own, who, &mut surroundings) };
        stage.set_end(surroundings.next as usize - first as usize);
        answer
    }
}

const _: () = assert!(STATE_AT == HEADER as usize);

impl Drop for Code {
    fn drop(&mut self) {
        self.functions.clear();
        let module = self.module.get_mut().ok().and_then(Option::take);
        if let Some(module) = module {
            // SAFETY: calls borrow `self`, so none is under way, and the functions are forgotten.
            unsafe { module.free_memory() };
        }
    }
}

fn not_generated(reason: impl ToString) -> NotGenerated {
    NotGenerated {
        reason: reason.to_string(),
    }
}
