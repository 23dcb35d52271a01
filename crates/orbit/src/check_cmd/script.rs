//! The assertions of a CSPM script, one after the other.
//!
//! Each is evaluated, its processes are compiled to networks, and what it claims is checked; then
//! `not` is minded. What cannot be evaluated is a mistake in the script, told with its place, and
//! the others are answered nevertheless. Networks and normal forms are kept, because assertions of
//! a script are often about the same processes.

mod again;
mod chased;
mod measured;
mod open;
mod recorded;
pub mod reducer;
mod shown;

pub use measured::{Prepared, Unready};
pub use open::{Open, failure};

use super::accepted;
use super::{answer, observer, progress_bar};
use crate::answer::{Answer, Exit};
use crate::plan::{Asked, Listing, ReadScript, ScriptPlan};
use crate::watchdog;
use base::{Clock, Diagnostic, Severity};
use check::refinement::audit::Audited;
use check::refinement::normal::Normal;
use check::refinement::twist::{PairReducer, Untwisted};
use check::refinement::{self, Limits, Model, Outcome, Setting, Unknown, Verdict};
use check::{Guarantee, Observer, StopReason};
use cspm::ast::{AssertOption, DeclKind, Property, Semantics};
use cspm::compile::{Compiled, Compiler};
use cspm::eval::{Assertion, Claimed, Fault, Script};
use cspm::operate::{Failure, Operator, Reading};
use cspm::process::{Event, TermId, Terms};
use cspm::words::Words;
use driver::plan::PROGRESS_EVERY;
use model::network::{Label, Network};
use open::faulty;
use reduce::network::Algorithm;
use reducer::{Beside, Chosen};
use report::object::Print;
use report::{OwnSearch, Request, Summary, Violated};
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many operands within operands a process may have.
const DEPTH_MAX: usize = 100_000;
/// How many parts the rules of a network may have before its tree is walked instead.
const PARTS_MAX: usize = 20_000_000;
/// How many states a specification may have, before and after it is made normal.
const SPEC_STATES_MAX: u64 = 50_000_000;

/// The stack that scripts are worked on, how many compressed processes within each other fit into
/// it, and how many into any stack.
const STACK_BYTES: usize = 1 << 30;
const NESTED_MAX: usize = 10_000;
const FEW_NESTED_MAX: usize = 50;

/// What was read.
pub fn parsed(read: &ReadScript) -> Answer {
    let decls = &read.script.decls;
    let count = |is_meant: fn(&DeclKind) -> usize| decls.iter().map(|d| is_meant(&d.kind)).sum();
    let definitions: usize =
        count(|kind| usize::from(matches!(kind, DeclKind::Function(_) | DeclKind::Let { .. })));
    let channels: usize = count(|kind| match kind {
        DeclKind::Channel { names, .. } => names.len(),
        _ => 0,
    });
    let datatypes: usize = count(|kind| usize::from(matches!(kind, DeclKind::Datatype(_))));
    let modules: usize = count(|kind| usize::from(matches!(kind, DeclKind::Module(_))));
    let assertions: usize = count(|kind| usize::from(matches!(kind, DeclKind::Assert(_))));
    let rows = [
        ("definitions", definitions),
        ("channels", channels),
        ("datatypes", datatypes),
        ("modules", modules),
        ("assertions", assertions),
    ];
    accepted(report::Model::new(&read.path, "cspm"), &rows)
}

/// Carries out the plan, on a stack that has room for compressed processes within each other.
pub fn run(plan: &ScriptPlan) -> Answer {
    on_large_stack(|nested_max| answered(plan, nested_max))
}

/// Does something on a stack that has room for compressed processes within each other; it gets how
/// many there is room for.
pub fn on_large_stack<T: Send>(work: impl FnOnce(usize) -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let taken = |nested_max: usize| {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.expect("work is done once")(nested_max)
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        // Without room for that stack there is still the one we are on.
        match builder.spawn_scoped(scope, || taken(NESTED_MAX)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => taken(FEW_NESTED_MAX),
        }
    })
}

fn answered(plan: &ScriptPlan, nested_max: usize) -> Answer {
    let start = Instant::now();
    let texts = plan.asked.iter().map(|asked| asked.text.clone());
    let asked = texts.map(|text| (text, "assertion".to_owned())).collect();
    watchdog::asked(report::Model::new(&plan.path, "cspm"), asked);
    watchdog::phase("assertions were checked");
    let bar = progress_bar(plan.manner.progress);
    let mut observer = observer(&bar);
    let mut script = plan.script.lock().unwrap_or_else(PoisonError::into_inner);
    let mut session = Session::new(plan, &mut script, nested_max);
    let prints = session.prints();
    let mut properties = Vec::new();
    for asked in &plan.asked {
        properties.push(session.answer(asked, &mut observer));
    }
    bar.finish_and_clear();
    let request = Request::of_rest(report::Model::new(&plan.path, "cspm"), Vec::new());
    let mut summary = Summary::of_assertions(request, properties);
    summary.stop_reason = session.stop_reason;
    summary.prints = prints;
    summary.not_asked.clone_from(&plan.not_asked);
    summary.times.load = plan.load;
    summary.times.total = plan.load + start.elapsed();
    if let Err(lost) = recorded::write(plan, session.contradiction.as_ref()) {
        session.mistakes.push(lost);
    }
    let is_wrong = session
        .mistakes
        .iter()
        .any(|d| d.severity == Severity::Error);
    let answer = answer(&summary, plan.manner.full);
    Answer {
        exit: match (is_wrong, summary.stop_reason, summary.verdict) {
            (true, ..) => Exit::Input,
            // Something that was to be printed was not worked out.
            (_, Some(_), report::Verdict::Holds) => Exit::Unknown,
            _ => answer.exit,
        },
        found: session.mistakes,
        ..answer
    }
}

/// A script while its assertions are checked.
struct Session<'p> {
    plan: &'p ScriptPlan,
    script: &'p mut Script,
    terms: Terms,
    compiler: Compiler,
    /// How many compressed processes may be explored one within the other.
    nested_max: usize,
    networks: HashMap<TermId, Rc<Compiled>>,
    normal: HashMap<(TermId, Model), Rc<Normal>>,
    stop_reason: Option<StopReason>,
    mistakes: Vec<Diagnostic>,
    /// Whether the meaning of the last specification depends on which τ `chase` follows.
    is_spec_unsettled: bool,
    /// What symmetry the last search used, and what was looked at again.
    symmetry: Option<report::Symmetry>,
    again: Again,
    /// The first counterexample.
    contradiction: Option<recorded::Contradiction>,
}

/// What was looked at again after a search, in words.
#[derive(Default)]
struct Again {
    audit: Option<String>,
    self_check: Option<String>,
}

/// What is told of an assertion while it is checked.
struct Told {
    property: report::Property,
    assertion: report::Assertion,
}

/// What was found about an assertion, `not` left aside.
#[derive(Default)]
struct Found {
    holds: Option<bool>,
    outcome: Option<Outcome>,
    process: Option<Rc<Compiled>>,
}

impl<'p> Session<'p> {
    fn new(plan: &'p ScriptPlan, script: &'p mut Script, nested_max: usize) -> Session<'p> {
        script.set_clock(plan.manner.clock);
        Session {
            plan,
            script,
            terms: Terms::default(),
            compiler: compiler(plan, nested_max, Reading::Every),
            nested_max,
            networks: HashMap::new(),
            normal: HashMap::new(),
            stop_reason: None,
            mistakes: Vec::new(),
            is_spec_unsettled: false,
            symmetry: None,
            again: Again::default(),
            contradiction: None,
        }
    }

    /// Says how to read chased processes. What was compiled is forgotten if that makes a
    /// difference to it.
    fn read_as(&mut self, reading: Reading) {
        let operator = self.compiler.operator();
        let is_plain = operator.unsettled().is_empty() && *operator.reading() == Reading::Every;
        if is_plain && reading == Reading::Every {
            return;
        }
        self.compiler = compiler(self.plan, self.nested_max, reading);
        self.networks.clear();
        self.normal.clear();
    }

    /// What the `print`s say.
    fn prints(&mut self) -> Vec<Print> {
        if self.plan.print_lines.is_empty() {
            return Vec::new();
        }
        let prints = self.script.prints(&mut self.terms).into_iter();
        let lines = self.plan.print_lines.iter();
        let mut all = Vec::new();
        for ((_, value), &line) in prints.zip(lines) {
            let value = value.map_err(|fault| {
                let open = self.fault(&fault);
                self.keep(open);
            });
            all.push(Print {
                line,
                value: value.ok(),
            });
        }
        all
    }

    /// An assertion, and what was found.
    fn answer(&mut self, asked: &Asked, observer: &mut Observer<'_>) -> report::Property {
        let start = Instant::now();
        let mut told = Told {
            property: report::Property::unanswered(&*asked.text, "refinement"),
            assertion: report::Assertion {
                number: asked.index + 1,
                line: asked.line,
                is_negated: asked.text.starts_with("not "),
                semantics: None,
                components: Vec::new(),
            },
        };
        let found = self.check_chased(asked.index, &mut told, observer);
        let found = found.unwrap_or_else(|open| {
            told.property.reason = Some(self.open(open, asked));
            Found::default()
        });
        let Told {
            mut property,
            mut assertion,
        } = told;
        let holds = found.holds.map(|holds| holds != assertion.is_negated);
        property.verdict = match holds {
            Some(true) => report::Verdict::Holds,
            Some(false) => report::Verdict::Violated,
            None => report::Verdict::Unknown,
        };
        if assertion.is_negated && holds == Some(false) {
            property.reason = Some("what `not` denies holds".to_owned());
        }
        if let Some(process) = &found.process {
            assertion.components = cspm::words::names(&process.network);
        }
        property.assertion = Some(assertion);
        if let Some(outcome) = found.outcome {
            self.tell(&mut property, outcome, found.process.as_deref());
        }
        if let Some(search) = &mut property.search {
            search.elapsed = start.elapsed();
        }
        property
    }

    /// Puts what the search for an assertion found into it.
    fn tell(&mut self, told: &mut report::Property, outcome: Outcome, process: Option<&Compiled>) {
        let counts = &outcome.counts;
        let symmetry = self.symmetry.take();
        let order = symmetry.as_ref().map(|found| found.order.clone());
        told.search = Some(OwnSearch {
            counts: check::Counts {
                n_states: counts.n_pairs,
                n_transitions: counts.n_transitions,
                depth: counts.depth,
            },
            n_full: again::full(&outcome).ok().map(|n| n.to_string()),
            n_normal: Some(counts.n_normal),
            order: order.unwrap_or_else(|| "1".to_owned()),
            order_without: None,
            n_claim_states: None,
            fairness: None,
            is_safety: None,
            peak_bytes: outcome.peak_bytes,
            elapsed: outcome.elapsed,
        });
        told.symmetry = symmetry;
        let again = std::mem::take(&mut self.again);
        (told.audit, told.self_check) = (again.audit, again.self_check);
        if let Verdict::Unknown(unknown) = outcome.verdict {
            told.reason = Some(unknown.to_string());
        }
        let verdict = outcome.verdict.clone();
        let shown = process.and_then(|process| self.shown(outcome.verdict, process));
        if let (report::Verdict::Violated, Some(process), Some(shown)) =
            (told.verdict, process, &shown)
        {
            self.keep_run(told, &verdict, process, shown);
        }
        match told.verdict {
            report::Verdict::Holds => told.shown = shown,
            _ => told.violations.extend(shown),
        }
    }

    /// What an assertion claims; and notes of which kind it is.
    fn claim(&mut self, index: usize, told: &mut Told) -> Result<Claimed, Open> {
        let assertion = self.script.assertion(index, &mut self.terms);
        let Assertion {
            is_negated,
            claim,
            options,
            ..
        } = assertion.map_err(|fault| self.fault(&fault))?;
        let (kind, semantics) = kind(&claim);
        told.property.kind = kind.to_owned();
        told.assertion.is_negated = is_negated;
        told.assertion.semantics = semantics;
        if options.contains(&AssertOption::TauPriority) {
            let words = "priority of τ is not supported";
            return Err(Open::Unsupported(words.to_owned()));
        }
        Ok(claim)
    }

    /// Checks a claim, as chased processes are read at present.
    fn check(&mut self, claim: Claimed, observer: &mut Observer<'_>) -> Result<Found, Open> {
        self.is_spec_unsettled = false;
        match claim {
            Claimed::Truth(truth) => Ok(Found {
                holds: Some(truth),
                ..Found::default()
            }),
            Claimed::Refines {
                spec,
                implementation,
                model,
            } => {
                let model = semantics(model)?;
                let normal = self.normal((spec, model))?;
                self.is_spec_unsettled = !self.compiler.operator().unsettled().is_empty();
                let process = self.network(implementation)?;
                let beside = Beside::Spec(&normal);
                let outcome = self.search(&process, beside, observer, |network, setting| {
                    refinement::refines_normal(&normal, network, setting)
                })?;
                Ok(found(outcome, process))
            }
            Claimed::Has {
                process,
                property,
                model,
            } => self.property(process, (property, model), observer),
            Claimed::HasTrace {
                process,
                trace,
                model,
            } => {
                let model = model.map_or(Ok(Model::Traces), semantics)?;
                let label = |event: &Event| Label::event(event.index() as u32);
                let trace: Vec<Label> = trace.iter().map(label).collect();
                let process = self.network(process)?;
                // A trace is rarely the same after an exchange.
                let outcome =
                    self.search(&process, Beside::Unknown, observer, |network, setting| {
                        refinement::has_trace(network, &trace, model, setting)
                    })?;
                Ok(found(outcome, process))
            }
        }
    }

    fn property(
        &mut self,
        process: TermId,
        (property, model): (Property, Option<Semantics>),
        observer: &mut Observer<'_>,
    ) -> Result<Found, Open> {
        let model = model.map_or(Ok(Model::FailuresDivergences), semantics)?;
        if model == Model::Traces && property != Property::DivergenceFree {
            let words = "in the model of traces nothing is refused; F or FD is meant";
            return Err(Open::Unsupported(words.to_owned()));
        }
        let process = self.network(process)?;
        let beside = match property {
            Property::DeadlockFree | Property::DivergenceFree => Beside::Nothing,
            Property::Deterministic => Beside::Unknown,
        };
        let outcome = self.search(
            &process,
            beside,
            observer,
            |network, setting| match property {
                Property::DeadlockFree => refinement::deadlock_free(network, model, setting),
                Property::DivergenceFree => refinement::divergence_free(network, setting),
                Property::Deterministic => refinement::deterministic(network, model, setting),
            },
        )?;
        Ok(found(outcome, process))
    }

    /// One search of pairs, and what is looked at again.
    fn search(
        &mut self,
        process: &Compiled,
        beside: Beside<'_>,
        observer: &mut Observer<'_>,
        search: impl Fn(&Network, &mut Setting<'_>) -> Result<Outcome, refinement::Broken>,
    ) -> Result<Outcome, Open> {
        let manner = &self.plan.manner;
        let chosen = reducer::reducer(self.script, &process.network, beside, self.plan.algorithm);
        let mut chosen = chosen.map_err(Open::Unsupported)?;
        let run = |reducer: &mut dyn PairReducer, observer: &mut Observer<'_>| {
            let mut setting = Setting {
                reducer,
                limits: self.limits(),
                observer,
            };
            let outcome = search(&process.network, &mut setting);
            outcome.unwrap_or_else(|broken| panic!("{broken}"))
        };
        let mut again = Again::default();
        let outcome = match chosen.joint.as_ref().filter(|_| manner.audit) {
            None => run(&mut *chosen.reducer, observer),
            Some(joint) => {
                let mut audited = Audited::new(&mut *chosen.reducer, joint);
                let outcome = run(&mut audited, observer);
                again.audit = Some(again::audited(audited.finish(), joint.names().len()));
                outcome
            }
        };
        if manner.audit && again.audit.is_none() {
            again.audit = Some("there is no symmetry".to_owned());
        }
        if manner.self_check {
            let plain = run(&mut Untwisted, observer);
            again.self_check = Some(again::compared(&outcome, &plain));
        }
        self.again = again;
        if let Verdict::Unknown(unknown) = outcome.verdict {
            self.stop_reason = self.stop_reason.or(stop_reason(unknown));
        }
        let full = manner.count_full.then(|| again::full(&outcome));
        let is_read = manner.details == Listing::Shown;
        let n_events = process.network.names().len();
        let structure = is_read.then(|| chosen.structure(n_events)).flatten();
        self.symmetry = Some(report::Symmetry {
            structure,
            ..symmetry(chosen, full)
        });
        Ok(outcome)
    }

    fn limits(&self) -> Limits<'static> {
        Limits {
            spec_states_max: SPEC_STATES_MAX,
            pairs_max: None,
            depth_max: self.plan.manner.depth_max,
            memory_bytes_max: self.plan.manner.memory_bytes_max,
            clock: self.plan.manner.clock,
            progress_every: PROGRESS_EVERY,
        }
    }

    /// The network of a process.
    fn network(&mut self, process: TermId) -> Result<Rc<Compiled>, Open> {
        if let Some(known) = self.networks.get(&process) {
            return Ok(known.clone());
        }
        let compiled = self.compiler.compile(process, &mut self.terms, self.script);
        let compiled = Rc::new(compiled.map_err(|failure| self.failure(&failure))?);
        self.networks.insert(process, compiled.clone());
        Ok(compiled)
    }

    /// The normal form of a specification in a model.
    fn normal(&mut self, key: (TermId, Model)) -> Result<Rc<Normal>, Open> {
        if let Some(known) = self.normal.get(&key) {
            return Ok(known.clone());
        }
        let process = self.network(key.0)?;
        let normal = refinement::normalise(&process.network, key.1, self.limits());
        let normal = Rc::new(normal.map_err(|unknown| match stop_reason(unknown) {
            Some(reason) => Open::Stopped(Some(reason)),
            None => Open::Limit(unknown.to_string()),
        })?);
        self.normal.insert(key, normal.clone());
        Ok(normal)
    }

    /// Why something could not be evaluated.
    fn fault(&self, fault: &Fault) -> Open {
        faulty(fault)
    }

    fn stopped(&self) -> StopReason {
        let over = self.plan.manner.clock.ask().err();
        over.map_or(StopReason::Time, StopReason::from)
    }

    /// Why a process could not be compiled.
    fn failure(&self, why: &Failure<Box<Fault>>) -> Open {
        failure(why, self.compiler.exploring(), &self.terms, self.script)
    }

    /// Puts into words why an assertion has no verdict, and keeps what is to be told with a place.
    fn open(&mut self, open: Open, asked: &Asked) -> String {
        let open = match open {
            Open::Mistake(said) if said.labels.is_empty() => {
                Open::Mistake(Box::new(Diagnostic::error(asked.span, said.message)))
            }
            Open::Unsupported(words) => {
                Open::Missing(Box::new(Diagnostic::warning(asked.span, words)))
            }
            other => other,
        };
        let words = match &open {
            Open::Mistake(said) => format!("it cannot be evaluated: {}", said.message),
            Open::Missing(said) => said.message.clone(),
            Open::Unsupported(words) | Open::Limit(words) | Open::Spent(words) => words.clone(),
            Open::Stopped(reason) => {
                report::summary::reason_words(reason.unwrap_or_else(|| self.stopped())).to_owned()
            }
        };
        self.keep(open);
        words
    }

    /// Keeps what is to be told of something that was not worked out.
    fn keep(&mut self, open: Open) {
        match open {
            Open::Mistake(said) | Open::Missing(said) if self.mistakes.contains(&said) => {}
            Open::Mistake(said) => self.mistakes.push(*said),
            Open::Missing(mut said) => {
                said.severity = Severity::Warning;
                self.mistakes.push(*said);
            }
            Open::Stopped(reason) => {
                let reason = reason.unwrap_or_else(|| self.stopped());
                self.stop_reason = self.stop_reason.or(Some(reason));
            }
            Open::Spent(_) => self.stop_reason = self.stop_reason.or(Some(StopReason::Memory)),
            Open::Unsupported(_) | Open::Limit(_) => {}
        }
    }

    /// What a verdict shows, in names.
    fn shown(&mut self, verdict: Verdict, process: &Compiled) -> Option<Violated> {
        let names = cspm::words::names(&process.network);
        let teller = shown::Teller {
            words: Words {
                process,
                names: &names,
                terms: &self.terms,
                script: self.script,
                operator: self.compiler.operator(),
                sources: &self.plan.sources,
                main: self.plan.main,
            },
        };
        match verdict {
            Verdict::Violated(shown) => Some(teller.counterexample(*shown)),
            Verdict::Holds(Some(run)) => Some(teller.trace(&run)),
            Verdict::Holds(None) | Verdict::Unknown(_) => None,
        }
    }
}

/// What is told of the symmetry of a search, with the pairs that there are without it.
fn symmetry(chosen: Chosen, full: Option<Result<u128, String>>) -> report::Symmetry {
    let refused = chosen.refused.into_iter();
    let refused = refused.map(|(name, why)| report::Rejected::new(name, why, 0));
    report::Symmetry {
        order: chosen.order,
        structure: None,
        generators: chosen.generators,
        strategy: chosen.algorithm.name().to_owned(),
        guarantee: match chosen.algorithm {
            Algorithm::SymCheck3 => Guarantee::Approximate,
            _ => Guarantee::Exact,
        },
        full_states: full.map(|counted| counted.map(|n| n.to_string())),
        detect: None,
        details: Some(report::Details {
            rejected: refused.collect(),
            ..report::Details::default()
        }),
    }
}

/// A compiler that knows nothing yet, with the limits of a plan.
fn compiler(plan: &ScriptPlan, nested_max: usize, reading: Reading) -> Compiler {
    let mut compiler = compiler_within(plan.leaf_states_max, plan.manner.clock, nested_max);
    let operator = compiler.operator();
    operator.set_bytes_max(plan.manner.memory_bytes_max.unwrap_or(u64::MAX));
    operator.set_reading(reading);
    compiler
}

/// A compiler for a process that is run.
pub fn compiler_of(clock: Clock<'static>, nested_max: usize) -> Compiler {
    compiler_within(crate::plan::LEAF_STATES, clock, nested_max)
}

fn compiler_within(states_max: usize, clock: Clock<'static>, nested_max: usize) -> Compiler {
    let mut operator = Operator::new(cspm::operate::Limits {
        states_max,
        depth_max: DEPTH_MAX,
    });
    operator.set_clock(clock);
    operator.set_nested_max(nested_max);
    Compiler::new(operator, PARTS_MAX)
}

fn found(outcome: Outcome, process: Rc<Compiled>) -> Found {
    Found {
        holds: match outcome.verdict {
            Verdict::Holds(_) => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Unknown(_) => None,
        },
        outcome: Some(outcome),
        process: Some(process),
    }
}

/// What kind of claim it is, and the model that was named.
fn kind(claim: &Claimed) -> (&'static str, Option<&'static str>) {
    let word = |model: Semantics| match model {
        Semantics::Traces => "T",
        Semantics::Failures => "F",
        Semantics::FailuresDivergences => "FD",
        Semantics::Revivals => "V",
        Semantics::RevivalsDivergences => "VD",
        Semantics::Refusals => "R",
        Semantics::RefusalsDivergences => "RD",
    };
    match claim {
        Claimed::Refines { model, .. } => ("refinement", Some(word(*model))),
        Claimed::Has {
            property, model, ..
        } => {
            let kind = match property {
                Property::DeadlockFree => "deadlock",
                Property::DivergenceFree => "divergence",
                Property::Deterministic => "determinism",
            };
            (kind, Some(model.map_or("FD", word)))
        }
        Claimed::HasTrace { model, .. } => ("trace", Some(model.map_or("T", word))),
        Claimed::Truth(_) => ("truth", None),
    }
}

/// The model, if it is one of those that can be checked.
fn semantics(model: Semantics) -> Result<Model, Open> {
    let missing = |name: &str| {
        let words = format!("the {name} model is not supported, only T, F and FD are");
        Err(Open::Unsupported(words))
    };
    match model {
        Semantics::Traces => Ok(Model::Traces),
        Semantics::Failures => Ok(Model::Failures),
        Semantics::FailuresDivergences => Ok(Model::FailuresDivergences),
        Semantics::Revivals | Semantics::RevivalsDivergences => missing("revivals"),
        Semantics::Refusals | Semantics::RefusalsDivergences => missing("refusals"),
    }
}

/// The limit of the command line that was reached, if it was one.
fn stop_reason(unknown: Unknown) -> Option<StopReason> {
    match unknown {
        Unknown::Stopped(reason) => Some(reason),
        Unknown::Depth(_) => Some(StopReason::Depth),
        Unknown::Pairs(_) | Unknown::Specification(_) | Unknown::Normal(_) => None,
    }
}
