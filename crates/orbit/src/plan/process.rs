//! The process of a CSPM script that is run step by step: read, compiled, named.

use super::script;
use crate::check_cmd::script::{compiler_of, failure, on_large_stack};
use crate::flags::SimulateFlags;
use base::{Clock, Diagnostic, Diagnostics, Sources, quote};
use cspm::compile::Compiled;
use cspm::eval::{Claimed, Script};
use cspm::process::{TermId, Terms};
use cspm::running::{Named, Running};
use cspm::value::Value;

/// A process that is run.
pub struct RunProcess {
    /// Where its script was read from, as typed.
    pub path: String,
    /// What it is called.
    pub name: String,
    /// The process.
    pub running: Running,
    /// The hash of the script with all that it includes.
    pub hash: u64,
}

/// Which process of a script is meant.
pub enum Which {
    /// The definition of that name.
    Named(String),
    /// The one that the assertion of this number, from 0, is about.
    Asserted(usize),
    /// The one that the first assertion is about.
    First,
}

impl RunProcess {
    /// What a program is told of it.
    pub fn told(&self) -> report::Model {
        report::Model {
            process: Some(self.name.clone()),
            ..report::Model::new(&self.path, "cspm")
        }
    }
}

/// The process, or `None` if `found` says why not.
pub fn run(
    flags: &SimulateFlags,
    which: &Which,
    clock: Clock<'static>,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<RunProcess> {
    let path = flags.model.file.clone()?;
    let (main, script) = script::read(&path, &flags.model.include, sources, found)?;
    let script = Script::load(&script).map_err(|why| why.into_iter().for_each(|d| found.push(d)));
    let script = script.ok()?;
    script.remarks().for_each(|remark| found.push(remark));
    let made = on_large_stack(|nested_max| compiled(script, which, clock, nested_max));
    let Made {
        name,
        process,
        named,
    } = made.map_err(|why| found.push(why)).ok()?;
    let running = Running::new(process, named, sources.clone(), main);
    Some(RunProcess {
        path: path.display().to_string(),
        name,
        running,
        hash: script::hash(main, sources),
    })
}

/// A process with its name, and what gives names to its parts.
struct Made {
    name: String,
    process: Compiled,
    named: Named,
}

/// The process that is meant; or why there is none.
fn compiled(
    mut script: Script,
    which: &Which,
    clock: Clock<'static>,
    nested_max: usize,
) -> Result<Made, Diagnostic> {
    script.set_clock(clock);
    let mut terms = Terms::default();
    let process = process(&mut script, which, &mut terms)?;
    let mut compiler = compiler_of(clock, nested_max);
    let made = compiler.compile(process, &mut terms, &mut script);
    let made = made.map_err(|why| {
        let open = failure(&why, compiler.exploring(), &terms, &script);
        open.diagnostic(clock)
    })?;
    let name = match which {
        Which::Named(name) => name.clone(),
        _ => cspm::compile::called(process, &terms, &script),
    };
    let named = Named {
        script,
        terms,
        compiler,
    };
    Ok(Made {
        name,
        process: made,
        named,
    })
}

/// The term of the process that is meant.
fn process(script: &mut Script, which: &Which, terms: &mut Terms) -> Result<TermId, Diagnostic> {
    let number = match which {
        Which::Named(name) => return named(script, name, terms),
        Which::Asserted(number) => Some(*number),
        Which::First => None,
    };
    let n_assertions = script.assertion_spans().len();
    if let Some(number) = number.filter(|number| *number >= n_assertions) {
        let message = format!(
            "the recorded run is about assertion {}, and the script has {n_assertions}",
            number + 1
        );
        return Err(Diagnostic::unlocated(message));
    }
    for number in number.map_or(0..n_assertions, |number| number..number + 1) {
        let claim = script.assertion(number, terms);
        match claim.map_err(|fault| fault.diagnostic())?.claim {
            Claimed::Refines { implementation, .. } => return Ok(implementation),
            Claimed::Has { process, .. } | Claimed::HasTrace { process, .. } => {
                return Ok(process);
            }
            Claimed::Truth(_) => {}
        }
    }
    let message = "the script asserts nothing about a process";
    Err(Diagnostic::unlocated(message).note("`--process NAME` says which one to run"))
}

/// The process of that name.
fn named(script: &mut Script, name: &str, terms: &mut Terms) -> Result<TermId, Diagnostic> {
    let refused = |why: &str| {
        let message = format!("{} {why}", quote(name));
        Err(Diagnostic::unlocated(message).note(
            "`--process` takes the name of a definition without parameters whose value is a \
             process; write `NAME = P(1)` for a process with arguments",
        ))
    };
    if script.is_function(name) {
        return refused("has parameters");
    }
    match script.evaluate(name, terms) {
        None => refused("is not defined in the script"),
        Some(Err(fault)) => Err(fault.diagnostic()),
        Some(Ok(Value::Process(term))) => Ok(term),
        Some(Ok(_)) => refused("is no process"),
    }
}
