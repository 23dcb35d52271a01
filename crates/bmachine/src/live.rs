//! A machine as a system that a search can explore.
//!
//! States are packed values (`system::values`). A machine with constants starts in a state for each
//! valuation of them, and the initialisations are its first moves; one without starts initialised.
//! A move is one operation with its arguments and results. Moves that agree in these are one
//! transition if they lead to one stored state, so they have one *label*.
//!
//! Worked example: `swap` with a choice between two processes, in a state in which either can be
//! taken, is two moves with one label: step numbers `(swap, label 0, outcome 0)` and `(swap, label
//! 0, outcome 1)`. Without symmetry these are two transitions, for they lead to different states;
//! with symmetry they are one.

use crate::run::{Extent, Program, Trouble};
use crate::typed::OperationId;
use crate::value::{Value, decode, encode};
use base::{Sources, Span};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use system::model::SiteId;
use system::values::{Signature, Stage};
use system::{Fault, FaultKind, FaultText, Initial, Move, Rest, StepText, System, Taken};

/// A machine that can be searched.
pub struct Live {
    program: Program,
    sources: Sources,
    /// What can go wrong where; the conjuncts of the invariant come first, then the assertions.
    sites: Mutex<Vec<Site>>,
    n_invariants: usize,
    n_assertions: usize,
}

/// A place where something goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Site {
    message: Option<String>,
    span: Span,
}

/// Memory that is reused from state to state.
#[derive(Default)]
pub struct Scratch {
    /// By operation: whether it was taken.
    covered: Vec<bool>,
}

/// The parts of the number of a step.
const LABEL_BITS: u32 = 26;
const OUTCOME_BITS: u32 = 26;
/// The number that stands for the initialisation.
const INITIALISATION: u64 = (1 << 12) - 1;

/// Which step of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    /// An operation, or [`INITIALISATION`].
    operation: u64,
    label: u64,
    outcome: u64,
}

impl Step {
    fn taken(self) -> Taken {
        let upper = self.operation << LABEL_BITS | self.label;
        Taken(upper << OUTCOME_BITS | self.outcome)
    }

    fn of(taken: Taken) -> Step {
        let upper = taken.0 >> OUTCOME_BITS;
        Step {
            operation: upper >> LABEL_BITS,
            label: upper & ((1 << LABEL_BITS) - 1),
            outcome: taken.0 & ((1 << OUTCOME_BITS) - 1),
        }
    }
}

/// A way to go on from a state.
struct Way<'a> {
    step: Step,
    arguments: &'a [Value],
    results: &'a [Value],
    globals: &'a [Value],
}

/// Numbers for labels and for what comes of each, in the order of being met.
#[derive(Default)]
struct Labels {
    numbers: HashMap<(Vec<Value>, Vec<Value>), (u64, u64)>,
}

impl Labels {
    /// The number of a label, and how many times it was met before.
    fn number(&mut self, arguments: &[Value], results: &[Value]) -> (u64, u64) {
        let next = self.numbers.len() as u64;
        let label = (arguments.to_vec(), results.to_vec());
        let (number, n_met) = self.numbers.entry(label).or_insert((next, 0));
        *n_met += 1;
        (*number, *n_met - 1)
    }
}

impl Live {
    /// A system of a program; `sources` has the text of its machine.
    pub fn new(program: Program, sources: &Sources) -> Live {
        let machine = program.machine();
        let predicates = machine.invariant.iter().chain(&machine.assertions);
        let mut sites: Vec<Site> = predicates.map(|p| Site::new(p.span)).collect();
        let goal = machine.goal.as_ref();
        sites.extend(goal.map(|goal| Site::new(goal.span)));
        Live {
            n_invariants: machine.invariant.len(),
            n_assertions: machine.assertions.len(),
            sites: Mutex::new(sites),
            sources: sources.clone(),
            program,
        }
    }

    /// The program that runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What states are made of.
    pub fn signature(&self) -> &Signature {
        self.program.signature()
    }

    /// The values of constants, and of variables if there are any yet.
    fn unpack(&self, state: &[u8]) -> (Stage, Vec<Value>) {
        let signature = self.signature();
        let (stage, mut bytes) = match state.split_first() {
            Some((0, rest)) => (Stage::Constants, rest),
            Some((_, rest)) => (Stage::Running, rest),
            None => (Stage::Constants, state),
        };
        let variables = signature.variables.iter().filter(|_| stage == Stage::Running);
        let fields = signature.constants.iter().chain(variables);
        let values = fields.map(|field| decode(signature, &field.ty, &mut bytes));
        (stage, values.collect())
    }

    /// The bytes of a state, or where a value is that does not fit into one.
    fn pack(&self, stage: Stage, values: &[Value], out: &mut Vec<u8>) -> Result<(), Fault> {
        let signature = self.signature();
        out.clear();
        out.push(stage as u8);
        let fields = signature.constants.iter().chain(&signature.variables);
        for (at, (field, value)) in fields.zip(values).enumerate() {
            if encode(signature, &field.ty, value, out).is_err() {
                let span = self.program.field_span(at);
                let message = format!("the value of {} is not a finite set", field.name);
                return Err(self.fault(FaultKind::Cut, span, Some(message)));
            }
        }
        Ok(())
    }

    /// A fault at a place in the text.
    fn fault(&self, kind: FaultKind, span: Span, message: Option<String>) -> Fault {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let site = Site { message, span };
        let first = self.n_invariants + self.n_assertions;
        let known = sites.iter().skip(first).position(|other| *other == site);
        let at = match known {
            Some(at) => first + at,
            None => {
                sites.push(site);
                sites.len() - 1
            }
        };
        Fault {
            kind,
            site: SiteId::new(at),
        }
    }

    fn trouble(&self, trouble: &Trouble) -> Fault {
        self.fault(trouble.kind.fault(), trouble.span, Some(trouble.to_string()))
    }

    /// What is wrong with a way of enumerating that did not see everything.
    fn gap(&self, extent: Result<Extent, Trouble>) -> Option<Fault> {
        match extent {
            Ok(Extent::Complete) => None,
            Ok(Extent::Cut { span, reason }) => Some(self.fault(FaultKind::Cut, span, Some(reason))),
            Err(trouble) => Some(self.trouble(&trouble)),
        }
    }

    /// All ways to go on from a state, in a fixed order; and what went wrong, with its operation.
    fn ways(
        &self,
        (stage, globals): (Stage, &[Value]),
        out: &mut dyn FnMut(Result<Way<'_>, (Step, Fault)>) -> ControlFlow<()>,
    ) {
        let mut flow = ControlFlow::Continue(());
        if stage == Stage::Constants {
            let mut label = 0;
            let first = Step {
                operation: INITIALISATION,
                label: 0,
                outcome: 0,
            };
            let extent = self.program.initialisations(globals, &mut |globals| {
                let step = Step { label, ..first };
                label += 1;
                flow = out(Ok(Way {
                    step,
                    arguments: &[],
                    results: &[],
                    globals,
                }));
                flow
            });
            if let (ControlFlow::Continue(()), Some(fault)) = (flow, self.gap(extent)) {
                let _ = out(Err((first, fault)));
            }
            return;
        }
        let operations = self.program.machine().operations.iter().enumerate();
        for (n, _) in operations.filter(|(_, operation)| operation.is_public) {
            let mut labels = Labels::default();
            let operation = n as u64;
            let extent = self.program.events(OperationId::new(n), globals, &mut |event| {
                let (label, outcome) = labels.number(event.arguments, event.results);
                let step = Step {
                    operation,
                    label,
                    outcome,
                };
                flow = out(Ok(Way {
                    step,
                    arguments: event.arguments,
                    results: event.results,
                    globals: event.globals,
                }));
                flow
            });
            if flow.is_break() {
                return;
            }
            if let Some(fault) = self.gap(extent) {
                let step = Step {
                    operation,
                    label: (1 << LABEL_BITS) - 1,
                    outcome: 0,
                };
                flow = out(Err((step, fault)));
            }
            if flow.is_break() {
                return;
            }
        }
    }

    /// Gives `out` the way of a step.
    fn way_of(&self, state: &[u8], step: Step, out: &mut dyn FnMut(&Way<'_>)) -> bool {
        let (stage, globals) = self.unpack(state);
        let mut found = false;
        self.ways((stage, &globals), &mut |way| match way {
            Ok(way) if way.step == step => {
                out(&way);
                found = true;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        found
    }

    /// An operation as it was taken: `Code1 <-- lookup(Name1)`.
    fn call(&self, way: &Way<'_>) -> String {
        let shown = |values: &[Value]| {
            let words = values.iter().map(|value| self.show(value));
            words.collect::<Vec<String>>().join(", ")
        };
        let mut call = match way.results {
            [] => String::new(),
            results => format!("{} <-- ", shown(results)),
        };
        call += &self.operation_name(way.step.operation);
        if !way.arguments.is_empty() {
            call += &format!("({})", shown(way.arguments));
        }
        call
    }

    fn operation_name(&self, operation: u64) -> String {
        match operation {
            INITIALISATION => "INITIALISATION".to_owned(),
            n => self.program.machine().operations[n as usize].name.clone(),
        }
    }

    fn operation_span(&self, operation: u64) -> Span {
        let machine = self.program.machine();
        match operation {
            INITIALISATION => machine.initialisation.span,
            n => machine.operations[n as usize].span,
        }
    }

    fn show(&self, value: &Value) -> String {
        value.display(self.signature()).to_string()
    }

    fn line(&self, span: Span) -> u32 {
        let source = self.sources.get(span.source);
        source.line_of(span.range().start) as u32 + 1
    }

    fn text_of(&self, operation: u64, step: String) -> StepText {
        let span = self.operation_span(operation);
        StepText {
            by: String::new(),
            number: 0,
            step,
            span,
            line: self.line(span),
        }
    }
}

impl Site {
    fn new(span: Span) -> Site {
        Site {
            message: None,
            span,
        }
    }
}

impl System for Live {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            covered: vec![false; self.program.machine().operations.len()],
        }
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        let has_constants = !self.program.machine().globals.is_empty()
            && self.program.machine().n_constants > 0;
        let mut bytes = Vec::new();
        let stage = match has_constants {
            true => Stage::Constants,
            false => Stage::Running,
        };
        let mut give = |values: &[Value]| {
            match self.pack(stage, values, &mut bytes) {
                Ok(()) => out(Ok(&bytes)),
                Err(fault) => out(Err(fault)),
            }
            ControlFlow::Continue(())
        };
        let extent = match has_constants {
            true => self.program.setups(&mut give),
            false => self.program.initialisations(&[], &mut give),
        };
        if let Some(fault) = self.gap(extent) {
            out(Err(fault));
        }
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let (stage, globals) = self.unpack(state);
        let mut bytes = Vec::new();
        let mut rest = Rest::Deadlock;
        self.ways((stage, &globals), &mut |way| {
            let (step, packed) = match way {
                Err((step, fault)) => (step, Err(fault)),
                Ok(way) => {
                    if let Some(covered) = scratch.covered.get_mut(way.step.operation as usize) {
                        *covered = true;
                    }
                    rest = Rest::Moves;
                    let packed = self.pack(Stage::Running, way.globals, &mut bytes);
                    (way.step, packed)
                }
            };
            let fault = packed.err().map(|fault| (0, fault));
            out(Move {
                steps: &[step.taken()],
                faults: fault.as_slice(),
                state: fault.is_none().then_some(&bytes[..]),
            })
        });
        rest
    }

    fn wrong(&self, state: &[u8], _: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let (stage, globals) = self.unpack(state);
        if stage == Stage::Constants {
            return;
        }
        let mut tell = |kind, at, trouble: Option<&Trouble>| match trouble {
            Some(trouble) => out(self.trouble(trouble)),
            None => out(Fault {
                kind,
                site: SiteId::new(at),
            }),
        };
        self.program.invariant(&globals, &mut |at, trouble| {
            tell(FaultKind::Invariant, at, trouble);
        });
        self.program.assertions(&globals, &mut |at, trouble| {
            tell(FaultKind::Assertion, self.n_invariants + at, trouble);
        });
        if self.program.is_goal(&globals) {
            let at = self.n_invariants + self.n_assertions;
            tell(FaultKind::Goal, at, None);
        }
    }

    fn label(&self, step: Taken) -> Option<u64> {
        Some(step.0 >> OUTCOME_BITS)
    }

    fn follow(
        &self,
        state: &[u8],
        steps: &[Taken],
        _: &mut Scratch,
        out: &mut dyn FnMut(Taken, &[u8], &str),
    ) -> bool {
        let [step] = steps else {
            return steps.is_empty();
        };
        let mut bytes = Vec::new();
        let mut is_packed = false;
        let found = self.way_of(state, Step::of(*step), &mut |way| {
            is_packed = self.pack(Stage::Running, way.globals, &mut bytes).is_ok();
        });
        if found && is_packed {
            out(*step, &bytes, "");
        }
        found && is_packed
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        let step = Step::of(step);
        let mut call = self.operation_name(step.operation);
        self.way_of(state, step, &mut |way| call = self.call(way));
        self.text_of(step.operation, call)
    }

    fn describe(&self, state: &[u8], out: &mut dyn FnMut(&str, &str)) {
        let (_, values) = self.unpack(state);
        let signature = self.signature();
        let fields = signature.constants.iter().chain(&signature.variables);
        for (field, value) in fields.zip(&values) {
            out(&field.name, &self.show(value));
        }
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        let sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let site = sites[fault.site.index()].clone();
        FaultText {
            message: site.message.unwrap_or_else(|| fault.kind.message().to_owned()),
            step: self.sources.text(site.span).to_owned(),
            span: site.span,
            line: self.line(site.span),
        }
    }

    fn explain(&self, state: &[u8], fault: Fault) -> Vec<(String, String)> {
        let (_, globals) = self.unpack(state);
        let machine = self.program.machine();
        let at = fault.site.index();
        let predicate = match fault.kind {
            FaultKind::Invariant => machine.invariant.get(at),
            FaultKind::Assertion => machine.assertions.get(at - self.n_invariants),
            _ => None,
        };
        let explained = predicate.map(|predicate| self.program.explain(predicate, &globals));
        explained.unwrap_or_default()
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        &scratch.covered
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        let operations = self.program.machine().operations.iter().enumerate();
        let missed = operations.filter(|(n, op)| op.is_public && !covered[*n]);
        missed
            .map(|(n, op)| self.text_of(n as u64, op.name.clone()))
            .collect()
    }
}
