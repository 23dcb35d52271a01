//! The assertions of a script as claims about networks, one after the other.
//!
//! Each is evaluated, and its processes are compiled. Networks are kept, because assertions of a
//! script are often about the same processes.

use super::obstacle::{failed, faulty};
use super::offers::AllOffers;
use super::{EvaluationLimits, ScriptTexts};
use crate::ast::{AssertOption, Property, Semantics as Written};
use crate::compile::{CompiledProcess, Compiler};
use crate::eval::{EvaluatedAssertion, EvaluatedClaim, Script};
use crate::operate::{ChaseReading, Operator};
use crate::process::{Event, TermId, Terms};
use crate::words::{ScriptWords, names};
use model::frontend::{AssertedText, CheckClaim, Obstacle};
use model::network::claim::{Against, Claim, EventNames, Semantics};
use model::network::{Bisimulation, Label};
use std::collections::HashMap;
use std::sync::Arc;

/// How many operands within operands a process may have.
const DEPTH_MAX: usize = 100_000;
/// How many parts the rules of a network may have before its tree is walked instead.
const PARTS_MAX: usize = 20_000_000;

/// A script while its assertions are looked at.
pub struct ScriptSession {
    pub(super) script: Script,
    pub(super) terms: Terms,
    pub(super) compiler: Compiler,
    pub(super) limits: EvaluationLimits,
    networks: HashMap<TermId, NumberedNetwork>,
    /// How many networks were compiled.
    n_compiled: usize,
    /// Whether the meaning of the last specification depends on which τ `chase` follows.
    pub(super) is_spec_unsettled: bool,
}

/// A network, and a number that no other has.
#[derive(Clone)]
pub struct NumberedNetwork {
    /// The process.
    pub process: Arc<CompiledProcess>,
    /// The number.
    pub number: usize,
}

/// Who checks a claim, and the texts that it is told in.
pub struct ClaimRequest<'a, 'c> {
    /// The texts.
    pub texts: &'a ScriptTexts,
    /// Who checks it.
    pub check: &'a mut CheckClaim<'c>,
}

/// A compiler that knows nothing yet.
pub fn compiler(limits: &EvaluationLimits, reading: ChaseReading) -> Compiler {
    let mut operator = Operator::new(crate::operate::StateLimits {
        states_max: limits.leaf_states_max,
        depth_max: DEPTH_MAX,
    });
    operator.set_clock(limits.clock);
    operator.set_nested_max(limits.nested_max);
    operator.set_bytes_max(limits.bytes_max);
    operator.set_reading(reading);
    let mut compiler = Compiler::new(operator, PARTS_MAX);
    compiler.set_up_to(limits.components_up_to);
    compiler
}

impl ScriptSession {
    /// Nothing was compiled yet.
    pub fn new(mut script: Script, limits: EvaluationLimits) -> ScriptSession {
        script.set_clock(limits.clock);
        ScriptSession {
            script,
            terms: Terms::default(),
            compiler: compiler(&limits, ChaseReading::Every),
            limits,
            networks: HashMap::new(),
            n_compiled: 0,
            is_spec_unsettled: false,
        }
    }

    /// Whether what an assertion says holds, `not` left aside; `None` if that is not known.
    pub fn answer(
        &mut self,
        index: usize,
        told: &mut AssertedText,
        texts: &ScriptTexts,
        check: &mut CheckClaim<'_>,
    ) -> Result<Option<bool>, Obstacle> {
        self.check_chased(index, told, &mut ClaimRequest { texts, check })
    }

    /// What the `print`s say.
    pub fn prints(&mut self) -> Vec<Result<String, Obstacle>> {
        let prints = self.script.prints(&mut self.terms).into_iter();
        let values = prints.map(|(_, value)| value.map_err(|fault| faulty(&fault)));
        values.collect()
    }

    /// Says how to read chased processes. What was compiled is forgotten if that makes a
    /// difference to it.
    pub(super) fn read_as(&mut self, reading: ChaseReading) {
        let operator = self.compiler.operator();
        let is_plain =
            operator.unsettled().is_empty() && *operator.reading() == ChaseReading::Every;
        if is_plain && reading == ChaseReading::Every {
            return;
        }
        self.compiler = compiler(&self.limits, reading);
        self.networks.clear();
    }

    /// What an assertion claims; and notes of which kind it is.
    pub(super) fn claim(
        &mut self,
        index: usize,
        told: &mut AssertedText,
    ) -> Result<EvaluatedClaim, Obstacle> {
        let assertion = self.script.assertion(index, &mut self.terms);
        let EvaluatedAssertion {
            is_negated,
            claim,
            options,
            ..
        } = assertion.map_err(|fault| faulty(&fault))?;
        (told.kind, told.semantics) = kind(&claim);
        told.is_negated = is_negated;
        if options.contains(&AssertOption::TauPriority) {
            let words = "priority of τ is not supported";
            return Err(Obstacle::Unsupported(words.to_owned()));
        }
        Ok(claim)
    }

    /// Checks a claim, as chased processes are read at present.
    pub(super) fn check(
        &mut self,
        claim: &EvaluatedClaim,
        asked: &mut ClaimRequest<'_, '_>,
    ) -> Result<Option<bool>, Obstacle> {
        self.is_spec_unsettled = false;
        match claim {
            EvaluatedClaim::Truth(truth) => Ok(Some(*truth)),
            EvaluatedClaim::Refines {
                spec,
                implementation,
                model,
            } => {
                let semantics = semantics(*model)?;
                let spec = self.network(*spec)?;
                self.is_spec_unsettled = !self.compiler.operator().unsettled().is_empty();
                let process = self.network(*implementation)?;
                let against = Against::Specification {
                    network: &spec.process.network,
                    number: spec.number,
                    semantics,
                };
                self.put(&process.process, against, asked)
            }
            EvaluatedClaim::Has {
                process,
                property,
                model,
            } => {
                let against = property_of(*property, *model)?;
                let process = self.network(*process)?;
                self.put(&process.process, against, asked)
            }
            EvaluatedClaim::HasTrace {
                process,
                trace,
                model,
            } => {
                let semantics = model.map_or(Ok(Semantics::Traces), semantics)?;
                let label = |event: &Event| Label::event(event.index() as u32);
                let trace: Vec<Label> = trace.iter().map(label).collect();
                let process = self.network(*process)?;
                let against = Against::Trace {
                    events: &trace,
                    semantics,
                };
                self.put(&process.process, against, asked)
            }
        }
    }

    /// Puts a claim to whoever checks it.
    fn put(
        &mut self,
        process: &CompiledProcess,
        against: Against<'_>,
        asked: &mut ClaimRequest<'_, '_>,
    ) -> Result<Option<bool>, Obstacle> {
        let is_exact = *self.compiler.operator().reading() == ChaseReading::Every
            && self.limits.components_up_to == Bisimulation::Strong;
        let names = names(&process.network);
        let words = self.words(process, &names, asked.texts);
        let offers = AllOffers::new(&self.script, process.network.names().len(), asked.texts);
        (asked.check)(&Claim {
            process: &process.network,
            against,
            offers: &offers,
            names: &words,
            is_exact,
        })
    }

    /// What the parts of a process are called.
    pub(super) fn words<'a>(
        &'a self,
        process: &'a CompiledProcess,
        names: &'a [String],
        texts: &'a ScriptTexts,
    ) -> ScriptWords<'a> {
        ScriptWords {
            process,
            names,
            terms: &self.terms,
            script: &self.script,
            operator: self.compiler.explored(),
            sources: &texts.sources,
            main: texts.main,
        }
    }

    /// The network of a process.
    pub(super) fn network(&mut self, process: TermId) -> Result<NumberedNetwork, Obstacle> {
        if let Some(known) = self.networks.get(&process) {
            return Ok(known.clone());
        }
        let compiled = (self.compiler).compile(process, &mut self.terms, &mut self.script);
        let compiled = compiled.map_err(|failure| {
            let exploring = self.compiler.exploring();
            failed(&failure, exploring, &self.terms, &self.script)
        })?;
        self.n_compiled += 1;
        let numbered = NumberedNetwork {
            process: Arc::new(compiled),
            number: self.n_compiled,
        };
        self.networks.insert(process, numbered.clone());
        Ok(numbered)
    }
}

impl EventNames for ScriptWords<'_> {
    fn label(&self, label: Label) -> String {
        ScriptWords::label(self, label)
    }

    fn components(&self) -> &[String] {
        self.names
    }

    fn place(&self, component: usize, state: u32) -> Option<(u32, Option<String>)> {
        let place = ScriptWords::place(self, component, state)?;
        Some((place.line, place.file))
    }

    fn process(&self, component: usize, state: u32) -> String {
        ScriptWords::process(self, component, state)
    }
}

/// A property as what a process is compared with.
pub(crate) fn property_of(
    property: Property,
    model: Option<Written>,
) -> Result<Against<'static>, Obstacle> {
    let semantics = model.map_or(Ok(Semantics::FailuresDivergences), semantics)?;
    if semantics == Semantics::Traces && property != Property::DivergenceFree {
        let words = "in the model of traces nothing is refused; F or FD is meant";
        return Err(Obstacle::Unsupported(words.to_owned()));
    }
    Ok(match property {
        Property::DeadlockFree => Against::DeadlockFree(semantics),
        Property::DivergenceFree => Against::DivergenceFree,
        Property::Deterministic => Against::Deterministic(semantics),
    })
}

/// What kind of claim it is, and the model that was named.
fn kind(claim: &EvaluatedClaim) -> (&'static str, Option<&'static str>) {
    let word = |model: Written| match model {
        Written::Traces => "T",
        Written::Failures => "F",
        Written::FailuresDivergences => "FD",
        Written::Revivals => "V",
        Written::RevivalsDivergences => "VD",
        Written::Refusals => "R",
        Written::RefusalsDivergences => "RD",
    };
    match claim {
        EvaluatedClaim::Refines { model, .. } => ("refinement", Some(word(*model))),
        EvaluatedClaim::Has {
            property, model, ..
        } => {
            let kind = match property {
                Property::DeadlockFree => "deadlock",
                Property::DivergenceFree => "divergence",
                Property::Deterministic => "determinism",
            };
            (kind, Some(model.map_or("FD", word)))
        }
        EvaluatedClaim::HasTrace { model, .. } => ("trace", Some(model.map_or("T", word))),
        EvaluatedClaim::Truth(_) => ("truth", None),
    }
}

/// The model, if it is one of those that can be checked.
pub fn semantics(model: Written) -> Result<Semantics, Obstacle> {
    let missing = |name: &str| {
        let words = format!("the {name} model is not supported, only T, F and FD are");
        Err(Obstacle::Unsupported(words))
    };
    match model {
        Written::Traces => Ok(Semantics::Traces),
        Written::Failures => Ok(Semantics::Failures),
        Written::FailuresDivergences => Ok(Semantics::FailuresDivergences),
        Written::Revivals | Written::RevivalsDivergences => missing("revivals"),
        Written::Refusals | Written::RefusalsDivergences => missing("refusals"),
    }
}
