//! Executable memory, and calls into it. All `unsafe` of the project is here.

use crate::emit::Args;
use cranelift_codegen::ir::{Function, Signature};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, default_libcall_names};
use model::processes::machine::compiled::{NotGenerated, Stage};
use std::sync::Mutex;

/// A function: state, record of the process, who takes the step, offsets of records, steps
/// covered, wire.
type Callee = unsafe extern "C" fn(*mut u8, *mut u8, u64, *const u32, *mut bool, *mut i32) -> u64;

/// A function that was compiled, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(u32);

/// Functions that are being compiled.
pub struct Jit {
    module: JITModule,
    context: Context,
    signature: Signature,
    functions: Vec<FuncId>,
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
            return Err(not_generated("this processor is not known"));
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
        let isa = isa.map_err(|e: CodegenError| not_generated(e))?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let signature = Args::signature(module.isa().default_call_conv());
        Ok(Jit {
            context: module.make_context(),
            module,
            signature,
            functions: Vec::new(),
        })
    }

    /// What functions must know of the processor.
    pub fn config(&self) -> TargetFrontendConfig {
        self.module.target_config()
    }

    /// Compiles what `emit` puts into a function.
    pub fn define(&mut self, emit: impl FnOnce(&mut Function)) -> Result<Entry, NotGenerated> {
        let made = self.define_unless(|f| {
            emit(f);
            false
        })?;
        made.ok_or_else(|| not_generated("a function without code"))
    }

    /// Compiles what `emit` puts into a function, unless it says that there is no need.
    pub fn define_unless(
        &mut self,
        emit: impl FnOnce(&mut Function) -> bool,
    ) -> Result<Option<Entry>, NotGenerated> {
        self.module.clear_context(&mut self.context);
        self.context.func.signature = self.signature.clone();
        if emit(&mut self.context.func) {
            return Ok(None);
        }
        let id = self.module.declare_anonymous_function(&self.signature);
        let id = id.map_err(failed)?;
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(failed)?;
        self.functions.push(id);
        Ok(Some(Entry(self.functions.len() as u32 - 1)))
    }

    /// Makes the functions ready to be called.
    pub fn finish(mut self) -> Result<Code, NotGenerated> {
        self.module.finalize_definitions().map_err(failed)?;
        let functions = self.functions.iter().map(|id| {
            let start = self.module.get_finalized_function(*id);
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
    /// What a function answers. It reads and writes what is on the stage, and nothing else.
    #[inline]
    pub fn call(&self, entry: Entry, stage: &mut Stage<'_>) -> u64 {
        let (n_procs, pid) = (stage.n_procs(), stage.pid());
        let n_chans = stage.offsets().len() - n_procs;
        let who = pid as u64 | (n_procs as u64) << 16 | (n_chans as u64) << 32;
        let who = who | u64::from(stage.timeout()) << 48;
        let own = stage.offsets()[pid] as usize;
        let offsets = stage.offsets().as_ptr();
        let covered = stage.covered().as_mut_ptr();
        let wire = stage.wire().as_mut_ptr();
        let own = stage.bytes()[own..].as_mut_ptr();
        let state = stage.bytes().as_mut_ptr();
        let function = self.functions[entry.0 as usize];
        // SAFETY: a stage has the records that its offsets name, of the sizes that their tags say;
        // the code reads and writes fields of these, with indices tested, and the steps covered and
        // the wire, of which the caller has seen that they are long enough. Its memory is there as
        // long as `self` is.
        unsafe { function(state, own, who, offsets, covered, wire) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let module = self.module.get_mut().ok().and_then(Option::take);
        self.functions.clear();
        if let Some(module) = module {
            // SAFETY: calls borrow `self`, so none is under way, and the functions are forgotten.
            unsafe { module.free_memory() };
        }
    }
}

fn failed(error: ModuleError) -> NotGenerated {
    not_generated(error)
}

fn not_generated(reason: impl ToString) -> NotGenerated {
    NotGenerated {
        reason: reason.to_string(),
    }
}
