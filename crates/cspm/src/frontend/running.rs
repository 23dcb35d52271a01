//! The process of a script that is run step by step: named, compiled.

use super::claims::compiler;
use super::obstacle::failed;
use super::{EvaluationLimits, ScriptTexts, TELLING, expression};
use crate::ast;
use crate::compile::called;
use crate::eval::{EvaluatedClaim, Script};
use crate::operate::ChaseReading;
use crate::process::{TermId, Terms};
use crate::running::{NamedScript, SteppedProcess};
use crate::value::Value;
use base::{Clock, Diagnostic, Diagnostics, SourceId, Sources, quote};
use model::frontend::{
    About, Expression, Model, Options, Purpose, Question, Shape, Starts, Subject, Telling,
};
use system::System;

/// A process that is run.
pub struct RunningProcess {
    about: About,
    running: SteppedProcess,
    hash: u64,
    ast: ast::Script,
    clock: Clock<'static>,
}

/// The process that the options mean, or why there is none: the one that is named, the one that an
/// assertion is about, or the one that the first assertion is about.
pub fn running(
    mut script: Script,
    limits: &EvaluationLimits,
    options: &Options,
    texts: ScriptTexts,
    about: About,
) -> Result<RunningProcess, Diagnostic> {
    script.set_clock(limits.clock);
    let mut terms = Terms::default();
    let process = match &options.process {
        Some(name) => named(&mut script, name, &mut terms)?,
        None => asserted(&mut script, options.assertion, &mut terms)?,
    };
    let mut compiler = compiler(limits, ChaseReading::Every);
    let made = compiler.compile(process, &mut terms, &mut script);
    let made = made.map_err(|why| {
        let obstacle = failed(&why, compiler.exploring(), &terms, &script);
        obstacle.diagnostic(limits.clock)
    })?;
    let name = match &options.process {
        Some(name) => name.clone(),
        None => called(process, &terms, &script),
    };
    let named = NamedScript {
        script,
        terms,
        compiler,
    };
    Ok(RunningProcess {
        about: About {
            process: Some(name),
            ..about
        },
        running: SteppedProcess::new(made, named, texts.sources, texts.main),
        hash: texts.hash,
        ast: texts.ast,
        clock: limits.clock,
    })
}

/// The term of the process that an assertion is about.
fn asserted(
    script: &mut Script,
    number: Option<usize>,
    terms: &mut Terms,
) -> Result<TermId, Diagnostic> {
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
            EvaluatedClaim::Refines { implementation, .. } => return Ok(implementation),
            EvaluatedClaim::Has { process, .. } | EvaluatedClaim::HasTrace { process, .. } => {
                return Ok(process);
            }
            EvaluatedClaim::Truth(_) => {}
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

impl Model for RunningProcess {
    fn parts(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }

    fn about(&self) -> About {
        self.about.clone()
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn questions(&self) -> &[Question] {
        &[]
    }

    fn subject(&self, _: &Purpose) -> Result<Box<dyn Subject + '_>, Diagnostic> {
        Ok(Box::new(AsRun { of: self }))
    }

    fn expression(
        &self,
        text: SourceId,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Box<dyn Expression + '_>> {
        let decl = expression::printed(text, sources, found)?;
        let value = expression::value(&self.ast, decl, self.clock, found)?;
        Some(Box::new(value))
    }

    fn telling(&self) -> Telling {
        TELLING
    }
}

/// The process as what is run.
struct AsRun<'m> {
    of: &'m RunningProcess,
}

impl Subject for AsRun<'_> {
    fn system(&self, _: Starts) -> &dyn System {
        &self.of.running
    }

    fn shape(&self) -> Shape<'_> {
        Shape::Opaque
    }
}
