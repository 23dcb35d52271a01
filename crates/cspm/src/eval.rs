//! Scripts that can be evaluated: definitions to values, processes to terms.
//!
//! [`Script::load`] compiles a syntax tree once ([`code`], `compile/`); then definitions are
//! evaluated by need, each at most once. Processes come out as ids of [`process`] terms in a table
//! that the caller owns, with suspended parts that [`Unfold`] works out. What goes wrong is a
//! [`Fault`]: located, with the calls that led to it.
//!
//! [`process`]: crate::process

pub(crate) mod builtin;
mod calls;
pub(crate) mod code;
mod compare;
mod compile;
mod dots;
pub(crate) mod fault;
mod functions;
mod machine;
mod prefix;
mod processes;
mod sequences;
mod state;

pub use fault::{Fault, FaultKind};

use crate::ast::{self, AssertOption, Claim, Property, Semantics};
use crate::compile::ScriptNames;
use crate::process::{Event, LaterId, TermId, Terms, Unfold};
use crate::value::{MakerId, Value, show};
use base::{Clock, Diagnostic, Diagnostics, Span, Ticker};
use code::{ExprCode, Program};
use machine::Evaluator;
use state::{EvalState, StateNames};

/// A script ready to be evaluated.
#[derive(Debug)]
pub struct Script {
    program: Program,
    state: EvalState,
}

/// What an assertion claims, its expressions evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvaluatedClaim {
    /// `Spec [T= Impl`
    Refines {
        /// The left side.
        spec: TermId,
        /// The right side.
        implementation: TermId,
        /// In which model.
        model: Semantics,
    },
    /// `P :[deadlock free]` and the like.
    Has {
        /// The process.
        process: TermId,
        /// What it should have.
        property: Property,
        /// In which model, where one is named.
        model: Option<Semantics>,
    },
    /// `P :[has trace]: <a, b>`
    HasTrace {
        /// The process.
        process: TermId,
        /// The trace.
        trace: Vec<Event>,
        /// In which model, where one is named.
        model: Option<Semantics>,
    },
    /// `assert e` of a truth value.
    Truth(bool),
}

/// An assertion ready to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluatedAssertion {
    /// Where it stands; the text there is the assertion as it was written.
    pub span: Span,
    /// Whether `not` stands before it.
    pub is_negated: bool,
    /// What it claims.
    pub claim: EvaluatedClaim,
    /// What is said after it.
    pub options: Vec<AssertOption>,
}

impl Script {
    /// Compiles a script; what is wrong with its names is reported.
    pub fn load(script: &ast::Script) -> Result<Script, Vec<Diagnostic>> {
        let mut found = Diagnostics::new();
        let program = compile::compile(script, &mut found);
        if found.has_errors() {
            return Err(found.sorted());
        }
        let state = EvalState::new(&program);
        Ok(Script { program, state })
    }

    /// Makes evaluation end with a fault after this many calls from now on.
    pub fn limit_calls(&mut self, n_max: u64) {
        self.state.n_calls_left = n_max;
    }

    /// Says when evaluation is to stop, from now on.
    pub(crate) fn set_clock(&mut self, clock: Clock<'static>) {
        self.state.ticker = Ticker::new(clock, crate::TICKS);
    }

    /// Where the assertions stand, in the order of the text.
    pub(crate) fn assertion_spans(&self) -> Vec<Span> {
        self.program.assertions.iter().map(|a| a.span).collect()
    }

    /// The assertion of this number, its processes in `terms`; or the fault that evaluating them
    /// ends with.
    pub fn assertion(
        &mut self,
        i: usize,
        terms: &mut Terms,
    ) -> Result<EvaluatedAssertion, Box<Fault>> {
        self.with(terms, |machine| assertion(machine, i))
    }

    /// The assertions in the order of the text, each with its processes in `terms` or the fault
    /// that evaluating them ends with.
    pub fn assertions(
        &mut self,
        terms: &mut Terms,
    ) -> Vec<(Span, Result<EvaluatedAssertion, Box<Fault>>)> {
        let all = self.assertion_spans().into_iter().enumerate();
        all.map(|(i, span)| (span, self.assertion(i, terms)))
            .collect()
    }

    /// What the `print`s of the script print, in the order of the text.
    pub fn prints(&mut self, terms: &mut Terms) -> Vec<(Span, Result<String, Box<Fault>>)> {
        let n_prints = self.program.prints.len();
        (0..n_prints).map(|i| self.printed(i, terms)).collect()
    }

    /// What the last `print` prints; nothing if there is none.
    pub(crate) fn last_printed(&mut self, terms: &mut Terms) -> Option<Result<String, Box<Fault>>> {
        let last = self.program.prints.len().checked_sub(1)?;
        Some(self.printed(last, terms).1)
    }

    fn printed(&mut self, i: usize, terms: &mut Terms) -> (Span, Result<String, Box<Fault>>) {
        let (span, lazy) = self.program.prints[i];
        let shown = self.with(terms, |machine| {
            let value = machine.run_lazy(lazy, &[])?;
            let value = machine.shallow(value)?;
            let names = StateNames(machine.program, machine.state, &machine.state.terms);
            Ok(show::show(&value, &names))
        });
        (span, shown)
    }

    /// The names that can be asked for, modules before them, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.program.names.keys().map(String::as_str)
    }

    /// Whether a definition has parameters.
    pub fn is_function(&self, name: &str) -> bool {
        match self.program.names.get(name) {
            Some(ExprCode::Global(id)) => {
                let kind = self.program.globals[*id as usize].kind;
                matches!(kind, code::GlobalKind::Function(_))
            }
            Some(ExprCode::Known(Value::Function(_))) => true,
            _ => false,
        }
    }

    /// What a definition is worth, worked out in full but for sequences without end; none if there
    /// is no such definition. A process is unfolded once.
    pub fn evaluate(&mut self, name: &str, terms: &mut Terms) -> Option<Result<Value, Box<Fault>>> {
        self.program.names.contains_key(name).then(|| {
            self.with(terms, |machine| {
                let program = machine.program;
                let value = machine.eval(&program.names[name], 0)?;
                let value = machine.shallow(value)?;
                if let Value::Process(term) = &value
                    && let crate::process::Term::Later(later) = machine.state.terms.get(*term)
                {
                    let later = *later;
                    machine.unfold(later)?;
                }
                Ok(value)
            })
        })
    }

    /// A value as the language writes it; processes are in `terms`.
    pub fn show(&self, value: &Value, terms: &Terms) -> String {
        show::show(value, &StateNames(&self.program, &self.state, terms))
    }

    /// An event as the language writes it: `c.1.true`.
    pub fn event_name(&self, event: Event) -> String {
        // No event has a process in it.
        self.show(self.event_value(event), &Terms::default())
    }

    /// An event with its channel and fields; a pair of events for the inside of a linked parallel.
    pub(crate) fn event_value(&self, event: Event) -> &Value {
        self.state.events.get(event.index())
    }

    /// How many events were met so far; their ids are below this.
    pub fn n_events(&self) -> usize {
        self.state.events.all().len()
    }

    /// All events of all channels, or why they cannot be listed.
    pub fn all_events(&mut self, terms: &mut Terms) -> Result<Vec<Event>, Box<Fault>> {
        self.with(terms, |machine| {
            let span = machine.state.at;
            let set = machine.events()?;
            let elements = machine.refused(set.elements(), span)?;
            elements
                .iter()
                .map(|value| machine.event(value, span))
                .collect()
        })
    }

    /// The datatypes, by name, with their constructors that have no fields, and where each is
    /// declared.
    pub(crate) fn plain_constructors(&self) -> Vec<(String, Vec<MakerId>, Span)> {
        let is_plain = |maker: &MakerId| self.program.makers[maker.index()].fields.is_empty();
        let datatypes = self.program.datatypes.iter();
        let all = datatypes.map(|datatype| {
            let makers = datatype.makers.iter().map(|(maker, _)| *maker);
            let plain = makers.filter(is_plain).collect();
            (datatype.name.to_string(), plain, datatype.span)
        });
        all.collect()
    }

    /// The name of a constructor or channel, modules before it.
    pub(crate) fn maker_name(&self, maker: MakerId) -> &str {
        &self.program.makers[maker.index()].name
    }

    /// Where a constructor or channel is declared.
    pub(crate) fn maker_span(&self, maker: MakerId) -> Span {
        self.program.makers[maker.index()].span
    }

    /// Where a suspended process stands in the text, as far as that is known.
    pub(crate) fn later_span(&self, later: LaterId) -> Option<Span> {
        let suspended = self.state.laters.get(later.index());
        processes::place(&self.program, suspended)
    }

    /// How a suspended process of `terms` is called: `P(3)`.
    pub fn later_name(&self, later: LaterId, terms: &Terms) -> String {
        StateNames(&self.program, &self.state, terms).later(later)
    }

    /// What is passed over or taken as something else, said once each.
    pub fn remarks(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let mut seen = std::collections::HashSet::new();
        let remarks = self.program.remarks.iter();
        remarks
            .filter(move |(_, words)| seen.insert(words))
            .map(|(span, words)| Diagnostic::warning(*span, words.clone()))
    }

    /// Evaluates something with `terms` as the table of terms.
    fn with<T>(
        &mut self,
        terms: &mut Terms,
        work: impl for<'m> FnOnce(&mut Evaluator<'m>) -> Result<T, Box<Fault>>,
    ) -> Result<T, Box<Fault>> {
        std::mem::swap(&mut self.state.terms, terms);
        let result = work(&mut Evaluator::new(&self.program, &mut self.state));
        std::mem::swap(&mut self.state.terms, terms);
        self.state.stack.clear();
        self.state.busy_members.clear();
        result
    }
}

impl Unfold for Script {
    type Error = Box<Fault>;

    fn unfold(&mut self, later: LaterId, terms: &mut Terms) -> Result<TermId, Box<Fault>> {
        if let Some(term) = self.state.unfolded[later.index()] {
            return Ok(term);
        }
        self.with(terms, |machine| machine.unfold(later))
    }
}

impl ScriptNames for Script {
    fn process(&self, later: LaterId, terms: &Terms) -> String {
        self.later_name(later, terms)
    }

    fn event(&self, event: Event) -> String {
        self.event_name(event)
    }

    fn n_events(&self) -> usize {
        Script::n_events(self)
    }
}

/// Evaluates the expressions of an assertion.
fn assertion(machine: &mut Evaluator<'_>, index: usize) -> Result<EvaluatedAssertion, Box<Fault>> {
    let program = machine.program;
    let code = &program.assertions[index];
    let mut parts = Vec::new();
    for lazy in &code.parts {
        parts.push(machine.run_lazy(*lazy, &[])?);
    }
    let mut parts = parts.into_iter();
    let mut process = || match parts.next() {
        Some(Value::Process(term)) => Ok(term),
        _ => Err(Fault::new(
            code.span,
            "what is asserted here is about no process",
        )),
    };
    let claim = match &code.ast.claim {
        Claim::Refines { model, .. } => EvaluatedClaim::Refines {
            spec: process()?,
            implementation: process()?,
            model: *model,
        },
        Claim::Has { property, .. } => EvaluatedClaim::Has {
            process: process()?,
            property: *property,
            model: code.model,
        },
        Claim::HasTrace { .. } => {
            let process = process()?;
            let trace = parts.next().unwrap_or_else(Value::nothing);
            EvaluatedClaim::HasTrace {
                process,
                trace: trace_of(machine, trace, code.span)?,
                model: code.model,
            }
        }
        Claim::Truth(_) => match parts.next() {
            Some(Value::Bool(truth)) => EvaluatedClaim::Truth(truth),
            _ => {
                return Err(Fault::new(
                    code.span,
                    "what is asserted here is no truth value",
                ));
            }
        },
    };
    Ok(EvaluatedAssertion {
        span: code.span,
        is_negated: code.ast.is_negated,
        claim,
        options: code.ast.options.iter().map(|(option, _)| *option).collect(),
    })
}

fn trace_of(
    machine: &mut Evaluator<'_>,
    trace: Value,
    span: Span,
) -> Result<Vec<Event>, Box<Fault>> {
    match machine.deep(trace)? {
        Value::Seq(seq) => {
            let events = seq.chunk().iter();
            events.map(|value| machine.event(value, span)).collect()
        }
        other => machine.fault(span, format!("{} is no trace", machine.shown(&other))),
    }
}
