//! A machine as a system that a search can explore.
//!
//! States are packed values (`system::values`). A machine with constants starts in a state for each
//! valuation of them, and the initialisations are its first moves; so does one with properties of
//! the sizes of its sets, as if it had a constant. Any other starts initialised.
//! A move is one operation with its arguments and results. Moves that agree in these are one
//! transition if they lead to one stored state, so they have one *label*.
//!
//! Worked example: `swap` with a choice between two processes, in a state in which either can be
//! taken, is two moves with one label: step numbers `(swap, label 0, outcome 0)` and `(swap, label
//! 0, outcome 1)`. Without symmetry these are two transitions, for they lead to different states;
//! with symmetry they are one. With `SET_PREF_SHOW_EVENTB_ANY_VALUES` the chosen process is part of
//! the label, and they are always two.
//!
//! A machine may ask for the first so many ways only (`SET_PREF_MAX_OPERATIONS`,
//! `SET_PREF_MAX_INITIALISATIONS`). Which come first is no matter of B. So where there are more,
//! that is a fault by which the verdict is unknown, and symmetries are of no use any more, for a
//! run that is seen from one state need not be seen from its image ([`Live::is_limited`]). A state
//! and its images have equally many ways, so below the limit nothing changes.

mod pack;
pub mod watch;

use crate::eval::{Trouble, TroubleKind};
use crate::run::{Event, Extent, Program, Setups, is_lost};
use crate::typed::{LocalId, OperationId, Settings};
use crate::value::Value;
use crate::value::bytes::Codec;
use crate::value::show::Sequences;
use base::{Diagnostic, Sources, Span};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use system::model::SiteId;
use system::values::{Signature, Stage, Type};
use system::{Fault, FaultKind, FaultText, Initial, Move, Rest, StepText, System, Taken};

/// A machine that can be searched.
pub struct Live {
    program: Program,
    sources: Sources,
    /// What can go wrong where; the conjuncts of the invariant come first, then the assertions.
    sites: Mutex<Vec<Site>>,
    n_invariants: usize,
    n_assertions: usize,
    /// By field of a state: how it is written.
    codecs: Vec<Codec>,
    /// Whether there were more ways than the machine asks for.
    is_limited: AtomicBool,
    /// Whether only named valuations of constants are set up.
    is_named: AtomicBool,
    /// What had no value in a guard.
    undefined: Mutex<Vec<Trouble>>,
    /// The constants that were read last.
    last: Mutex<Option<Arc<pack::Constants>>>,
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

/// How many places are told where a guard has no value.
const N_UNDEFINED_MAX: usize = 8;

/// The parts of the number of a step.
const LABEL_BITS: u32 = 26;
const OUTCOME_BITS: u32 = 26;
/// The number that stands for the initialisation.
const INITIALISATION: u64 = (1 << 12) - 1;

/// Which step of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// An operation, or [`INITIALISATION`].
    pub(crate) operation: u64,
    label: u64,
    outcome: u64,
}

impl Step {
    /// Its number.
    pub(crate) fn taken(self) -> Taken {
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
pub(crate) struct Way<'a> {
    pub(crate) step: Step,
    pub(crate) arguments: &'a [Value],
    pub(crate) choices: &'a [Value],
    pub(crate) results: &'a [Value],
    pub(crate) globals: &'a [Value],
}

/// Is told each way to go on, or what went wrong with a step, and says whether to go on.
pub(crate) type Ways<'o> = dyn FnMut(Result<Way<'_>, (Step, Fault)>) -> ControlFlow<()> + 'o;

/// Whether whoever asked was told all that it wanted to hear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    /// It was.
    All,
    /// The time was over before that.
    Part,
}

/// How many ways of one kind a machine asks to be tried, and how many were.
struct Limit {
    n_max: Option<usize>,
    n_given: usize,
    is_passed: bool,
}

impl Limit {
    fn new(n_max: Option<usize>) -> Limit {
        Limit {
            n_max,
            n_given: 0,
            is_passed: false,
        }
    }

    /// Whether one more way is too many; otherwise it is counted.
    fn is_reached(&mut self) -> bool {
        self.is_passed = self.n_max.is_some_and(|max| self.n_given >= max);
        self.n_given += usize::from(!self.is_passed);
        self.is_passed
    }
}

/// Numbers for labels and for what comes of each, in the order of being met.
#[derive(Default)]
struct Labels {
    numbers: HashMap<[Vec<Value>; 3], (u64, u64)>,
}

impl Labels {
    /// The number of a label, and how many times it was met before.
    fn number(&mut self, event: &Event) -> (u64, u64) {
        let next = self.numbers.len() as u64;
        let label = [event.arguments, event.choices, event.results].map(<[Value]>::to_vec);
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
        let signature = program.signature();
        let fields = signature.constants.iter().chain(&signature.variables);
        let codecs = fields.map(|field| Codec::of(signature, &field.ty));
        Live {
            codecs: codecs.collect(),
            is_limited: AtomicBool::new(false),
            is_named: AtomicBool::new(false),
            undefined: Mutex::new(Vec::new()),
            last: Mutex::new(None),
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

    /// Whether some state so far had more ways to go on than the machine asks for.
    pub fn is_limited(&self) -> bool {
        self.is_limited.load(Ordering::Relaxed)
    }

    /// What had no value in guards so far, which made them false, as warnings.
    pub fn undefined(&self) -> Vec<Diagnostic> {
        let mut undefined = self
            .undefined
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        undefined.sort_by_key(|trouble| (trouble.span.source, trouble.span.start));
        let warnings = undefined.iter().map(|trouble| {
            let message = format!("in some state this guard is false because {trouble}");
            Diagnostic::warning(trouble.span, message)
        });
        warnings.collect()
    }

    fn note_undefined(&self, extent: &Result<Extent, Trouble>) {
        let Ok(extent) = extent else {
            return;
        };
        if extent.undefined.is_empty() {
            return;
        }
        let mut undefined = self
            .undefined
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for trouble in &extent.undefined {
            let is_known = undefined.iter().any(|known| known.span == trouble.span);
            if !is_known && undefined.len() < N_UNDEFINED_MAX {
                undefined.push(trouble.clone());
            }
        }
    }

    /// From now on, searches start with these valuations of the constants; at first with all.
    ///
    /// A symmetry carries initial states to initial states only if all valuations are set up.
    pub fn set_up(&self, which: Setups) {
        self.is_named
            .store(which == Setups::Named, Ordering::Relaxed);
    }

    /// The texts of its machine.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What states are made of.
    pub fn signature(&self) -> &Signature {
        self.program.signature()
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

    pub(crate) fn trouble(&self, trouble: &Trouble) -> Fault {
        self.fault(
            fault_kind(&trouble.kind),
            trouble.span,
            Some(trouble.to_string()),
        )
    }

    /// What is wrong with a way of enumerating that did not see everything.
    fn gap(&self, extent: Result<Extent, Trouble>) -> Option<Fault> {
        match extent {
            Ok(Extent { cut: None, .. }) => None,
            // Not seen a second time, so it cannot be shown; that it was is asked afterwards.
            Ok(Extent { cut, .. }) if is_lost(cut.as_ref()) => None,
            Ok(Extent { cut: Some(cut), .. }) => {
                Some(self.fault(FaultKind::Cut, cut.span, Some(cut.to_string())))
            }
            Err(trouble) => Some(self.trouble(&trouble)),
        }
    }

    fn settings(&self) -> &Settings {
        &self.program.machine().settings
    }

    /// What is wrong where the machine asks for no more than so many ways, and there are more.
    fn limited(&self, limit: &Limit, operation: u64) -> Option<Fault> {
        let max = limit.n_max.filter(|_| limit.is_passed)?;
        self.is_limited.store(true, Ordering::Relaxed);
        let setting = match operation {
            INITIALISATION => "SET_PREF_MAX_INITIALISATIONS",
            _ => "SET_PREF_MAX_OPERATIONS",
        };
        let message = format!("only {max} ways were tried, as {setting} says");
        let span = self.operation_span(operation);
        Some(self.fault(FaultKind::Cut, span, Some(message)))
    }

    /// All ways to go on from a state, in a fixed order; and what went wrong, with its operation.
    ///
    /// Where the time is over before all of them were found, the rest is missing.
    pub(crate) fn ways(&self, (stage, globals): (Stage, &[Value]), out: &mut Ways<'_>) -> Told {
        if stage == Stage::Constants {
            return self.starts(globals, out);
        }
        let mut flow = ControlFlow::Continue(());
        let operations = self.program.machine().operations.iter().enumerate();
        for (n, _) in operations.filter(|(_, operation)| operation.is_public) {
            let mut labels = Labels::default();
            let mut limit = Limit::new(self.settings().max_operations);
            let operation = n as u64;
            let extent = self
                .program
                .events(OperationId::new(n), globals, &mut |event| {
                    if limit.is_reached() {
                        return ControlFlow::Break(());
                    }
                    let (label, outcome) = labels.number(&event);
                    let step = Step {
                        operation,
                        label,
                        outcome,
                    };
                    flow = out(Ok(Way {
                        step,
                        arguments: event.arguments,
                        choices: event.choices,
                        results: event.results,
                        globals: event.globals,
                    }));
                    flow
                });
            self.note_undefined(&extent);
            if flow.is_break() {
                return Told::All;
            }
            if extent.as_ref().is_ok_and(|e| is_lost(e.cut.as_ref())) {
                return Told::Part;
            }
            let fault = self.limited(&limit, operation);
            if let Some(fault) = fault.or_else(|| self.gap(extent)) {
                let step = Step {
                    operation,
                    label: (1 << LABEL_BITS) - 1,
                    outcome: 0,
                };
                flow = out(Err((step, fault)));
            }
            if flow.is_break() {
                return Told::All;
            }
        }
        Told::All
    }

    /// The initialisations, as ways to go on from a state that has constants alone.
    fn starts(&self, constants: &[Value], out: &mut Ways<'_>) -> Told {
        let mut flow = ControlFlow::Continue(());
        let first = Step {
            operation: INITIALISATION,
            label: 0,
            outcome: 0,
        };
        let mut limit = Limit::new(self.settings().max_initialisations);
        let extent = self.program.initialisations(constants, &mut |globals| {
            let label = limit.n_given as u64;
            if limit.is_reached() {
                return ControlFlow::Break(());
            }
            flow = out(Ok(Way {
                step: Step { label, ..first },
                arguments: &[],
                choices: &[],
                results: &[],
                globals,
            }));
            flow
        });
        let is_lost = extent.as_ref().is_ok_and(|e| is_lost(e.cut.as_ref()));
        let fault = self.limited(&limit, INITIALISATION);
        let fault = fault.or_else(|| self.gap(extent));
        if let (ControlFlow::Continue(()), Some(fault)) = (flow, fault) {
            let _ = out(Err((first, fault)));
        }
        match is_lost {
            true => Told::Part,
            false => Told::All,
        }
    }

    /// Gives `out` the way of a step.
    fn way_of(&self, state: &[u8], step: Step, out: &mut dyn FnMut(&Way<'_>)) -> bool {
        let Ok((stage, globals)) = self.unpack(state) else {
            return false;
        };
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
        let call = self.call_of(way.step.operation, way.arguments, way.results);
        if way.choices.is_empty() {
            return call;
        }
        let operation = OperationId::new(way.step.operation as usize);
        let chosen = self.program.choices(operation).iter().zip(way.choices);
        let chosen = chosen.map(|(unknown, value)| {
            let value = self.show(&unknown.ty, value);
            format!("{} = {value}", unknown.name)
        });
        format!("{call} with {}", chosen.collect::<Vec<String>>().join(", "))
    }

    /// The same, of an operation with arguments and results.
    pub(crate) fn call_of(&self, operation: u64, arguments: &[Value], results: &[Value]) -> String {
        let machine = self.program.machine();
        let Some(operation) = machine.operations.get(operation as usize) else {
            return self.operation_name(operation);
        };
        let shown = |locals: &[LocalId], values: &[Value]| {
            let typed = locals.iter().map(|local| &machine.locals[local.index()].ty);
            let words = typed.zip(values).map(|(ty, value)| self.show(ty, value));
            words.collect::<Vec<String>>().join(", ")
        };
        let mut call = match results {
            [] => String::new(),
            results => format!("{} <-- ", shown(&operation.results, results)),
        };
        call += &operation.name;
        if !arguments.is_empty() {
            call += &format!("({})", shown(&operation.parameters, arguments));
        }
        call
    }

    fn operation_name(&self, operation: u64) -> String {
        match operation {
            INITIALISATION => "INITIALISATION".to_owned(),
            n => self.program.machine().operations[n as usize].name.clone(),
        }
    }

    pub(crate) fn operation_span(&self, operation: u64) -> Span {
        let machine = self.program.machine();
        match operation {
            INITIALISATION => machine.initialisation.span,
            n => machine.operations[n as usize].span,
        }
    }

    pub(crate) fn show(&self, ty: &Type, value: &Value) -> String {
        value
            .show(self.signature(), ty, Sequences::AsLists)
            .to_string()
    }

    /// Which file a place is in, if it is not the machine's own.
    fn elsewhere(&self, span: Span) -> String {
        let name = self.sources.get(span.source).name();
        let is_here = span.source == self.program.machine().span.source;
        match is_here || name.starts_with("--") {
            true => String::new(),
            false => {
                let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
                format!(" in `{name}`")
            }
        }
    }

    /// The line of a place in the text, from 1.
    pub fn line_of(&self, span: Span) -> u32 {
        self.line(span)
    }

    pub(crate) fn line(&self, span: Span) -> u32 {
        let source = self.sources.get(span.source);
        source.line_of(span.range().start) as u32
    }

    fn text_of(&self, operation: u64, step: String) -> StepText {
        let span = self.operation_span(operation);
        StepText {
            by: String::new(),
            number: 0,
            step,
            span,
            line: self.line(span),
            within: system::Within::default(),
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
        let has_setup = self.program.has_setup();
        let which = match self.is_named.load(Ordering::Relaxed) {
            true => Setups::Named,
            false => Setups::All,
        };
        let mut bytes = Vec::new();
        let stage = match has_setup {
            true => Stage::Constants,
            false => Stage::Running,
        };
        let mut limit = Limit::new(self.settings().max_initialisations);
        let mut give = |values: &[Value]| {
            if limit.is_reached() {
                return ControlFlow::Break(());
            }
            match self.pack(stage, values, &mut bytes) {
                Ok(()) => out(Ok(&bytes)),
                Err(fault) => out(Err(fault)),
            }
            ControlFlow::Continue(())
        };
        let extent = match has_setup {
            true => self.program.setups(which, &mut give),
            false => self.program.initialisations(&[], &mut give),
        };
        let fault = self.limited(&limit, INITIALISATION);
        if let Some(fault) = fault.or_else(|| self.gap(extent)) {
            out(Err(fault));
        }
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        let (stage, globals) = match self.unpack(state) {
            Ok(unpacked) => unpacked,
            Err(fault) => {
                let step = Step {
                    operation: INITIALISATION,
                    label: 0,
                    outcome: 0,
                };
                let _ = out(Move {
                    steps: &[step.taken()],
                    faults: &[(0, fault)],
                    state: None,
                });
                return Rest::Moves;
            }
        };
        let mut bytes = Vec::new();
        let mut rest = Rest::Deadlock;
        let told = self.ways((stage, &globals), &mut |way| {
            let (step, packed) = match way {
                Err((step, fault)) => (step, Err(fault)),
                Ok(way) => {
                    if let Some(covered) = scratch.covered.get_mut(way.step.operation as usize) {
                        *covered = true;
                    }
                    rest = Rest::Moves;
                    let packed = self.pack_after(state, way.globals, &mut bytes);
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
        match told {
            Told::All => rest,
            // There may be moves that were not found in time.
            Told::Part => Rest::Moves,
        }
    }

    fn wrong(&self, state: &[u8], _: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let Ok((Stage::Running, globals)) = self.unpack(state) else {
            return;
        };
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
        let at = self.n_invariants + self.n_assertions;
        match self.program.goal(&globals) {
            Some(Ok(true)) => tell(FaultKind::Goal, at, None),
            Some(Err(trouble)) => tell(FaultKind::Goal, at, Some(&trouble)),
            Some(Ok(false)) | None => {}
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
            is_packed = self.pack_after(state, way.globals, &mut bytes).is_ok();
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
        let (_, values) = self.held(state);
        let signature = self.signature();
        let fields = signature.constants.iter().chain(&signature.variables);
        for (field, value) in fields.zip(&values) {
            out(&field.name, &self.show(&field.ty, value));
        }
    }

    fn locations(&self, _: &[u8], _: &mut dyn FnMut(&str, &str)) {}

    fn fault_text(&self, fault: Fault) -> FaultText {
        let sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let site = sites[fault.site.index()].clone();
        let message = site
            .message
            .unwrap_or_else(|| fault.kind.message().to_owned());
        FaultText {
            message: message + &self.elsewhere(site.span),
            step: self.sources.text(site.span).to_owned(),
            span: site.span,
            line: self.line(site.span),
            within: system::Within::default(),
        }
    }

    fn explain(&self, state: &[u8], fault: Fault) -> Vec<(String, String)> {
        let Ok((Stage::Running, globals)) = self.unpack(state) else {
            return Vec::new();
        };
        let at = fault.site.index();
        let values = match fault.kind {
            FaultKind::Invariant => self.program.explain(at, &globals),
            FaultKind::Assertion => self
                .program
                .explain_assertion(at - self.n_invariants, &globals),
            _ => Vec::new(),
        };
        let shown = values
            .iter()
            .map(|(name, ty, value)| (name.clone(), self.show(ty, value)));
        shown.collect()
    }

    fn replay(&self) {
        self.program.patience().wait();
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

/// What kind of fault a trouble is.
fn fault_kind(kind: &TroubleKind) -> FaultKind {
    match kind {
        TroubleKind::Undefined(_) | TroubleKind::NoValue(_) => FaultKind::Undefined,
        TroubleKind::Precondition(_) => FaultKind::Precondition,
        TroubleKind::Assertion | TroubleKind::LoopInvariant | TroubleKind::LoopVariant => {
            FaultKind::Assertion
        }
        TroubleKind::NoList
        | TroubleKind::NoBound(_)
        | TroubleKind::TooMuchWork
        | TroubleKind::OutOfTime
        | TroubleKind::Loop(_)
        | TroubleKind::NotStorable(_) => FaultKind::Cut,
    }
}
