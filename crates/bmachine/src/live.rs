//! A machine as a system that a search can explore.
//!
//! States are packed values (`model::values`). A machine with constants starts in a state for each
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
//!
//! A search that uses symmetry need not be given all ways: see [`Live::up_to`] and [`classes`].

mod classes;
mod pack;
pub(crate) mod watch;
mod ways;

use crate::eval::{Trouble, TroubleKind};
use crate::run::{ChosenSetups, Extent, Program};
use crate::typed::{LocalId, OperationId, Settings};
use crate::value::Value;
use crate::value::bytes::Codec;
use crate::value::show::Sequences;
use base::{Diagnostic, Sources, Span};
use classes::MoveReduction;
use model::values::{Signature, Stage, Type};
use std::ops::{ControlFlow, Deref};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use system::SiteId;
use system::{
    Claimed, Fault, FaultKind, FaultText, Initial, LabelledOut, Move, MoveLabel, Pulse, Rest,
    Scratch, StepText, System, Taken,
};
use ways::TransitionLimit;

/// A machine that can be searched, from the valuations of its constants that were asked for.
///
/// A copy is cheap: all copies share what was found out about the machine.
#[derive(Clone)]
pub struct Live {
    shared: Arc<SharedMachine>,
    setups: ChosenSetups,
    /// If moves that symmetries make of each other are to be left out.
    classes: Option<Arc<MoveReduction>>,
}

impl Deref for Live {
    type Target = SharedMachine;

    fn deref(&self) -> &SharedMachine {
        &self.shared
    }
}

/// What all copies of a [`Live`] have in common.
pub struct SharedMachine {
    program: Program,
    sources: Sources,
    /// What can go wrong where; the conjuncts of the invariant come first, then the assertions.
    sites: Mutex<Vec<FaultSite>>,
    n_invariants: usize,
    n_assertions: usize,
    /// By field of a state: how it is written.
    codecs: Vec<Codec>,
    /// Whether there were more ways than the machine asks for.
    is_limited: AtomicBool,
    /// How many initial states may be given, where time was over before all were: of all valuations
    /// of constants, of named ones, and where alike ones are left out.
    n_initial: [AtomicUsize; 3],
    /// What had no value in a guard.
    undefined: Mutex<Vec<Trouble>>,
    /// The constants that were read last.
    last: Mutex<Option<Arc<pack::PackedConstants>>>,
}

/// A move, and its way if there is one.
type WayOut<'a> = &'a mut dyn FnMut(Move<'_>, Option<&LiveSuccessor<'_>>) -> ControlFlow<()>;

/// A place where something goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FaultSite {
    message: Option<String>,
    span: Span,
}

/// Memory that is reused from state to state: by operation, whether it was taken.
type Covered = Vec<bool>;

/// How many places are told where a guard has no value.
const N_UNDEFINED_MAX: usize = 8;

/// The parts of the number of a step.
const LABEL_BITS: u32 = 26;
const OUTCOME_BITS: u32 = 26;
/// The number that stands for the initialisation.
const INITIALISATION: u64 = (1 << 12) - 1;

/// Which step of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepIndex {
    /// An operation, or [`INITIALISATION`].
    pub(crate) operation: u64,
    label: u64,
    outcome: u64,
}

impl StepIndex {
    /// Its number.
    pub(crate) fn taken(self) -> Taken {
        let upper = self.operation << LABEL_BITS | self.label;
        Taken(upper << OUTCOME_BITS | self.outcome)
    }

    fn of(taken: Taken) -> StepIndex {
        let upper = taken.0 >> OUTCOME_BITS;
        StepIndex {
            operation: upper >> LABEL_BITS,
            label: upper & ((1 << LABEL_BITS) - 1),
            outcome: taken.0 & ((1 << OUTCOME_BITS) - 1),
        }
    }
}

/// A way to go on from a state.
pub(crate) struct LiveSuccessor<'a> {
    pub(crate) step: StepIndex,
    pub(crate) arguments: &'a [Value],
    pub(crate) choices: &'a [Value],
    pub(crate) results: &'a [Value],
    /// Constants and variables afterwards, or what went wrong.
    pub(crate) after: Result<&'a [Value], Fault>,
    /// How many ways with other arguments and results it stands for, itself among them.
    pub(crate) n_alike: u64,
}

/// Is told each way to go on, and says whether to go on.
pub(crate) type Ways<'o> = dyn FnMut(LiveSuccessor<'_>) -> ControlFlow<()> + 'o;

/// Whether an enumeration came to its end, or as far as its caller wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Completeness {
    /// It did.
    Complete,
    /// The time was over before that.
    Cut,
}

impl Live {
    /// A system of a program; `sources` has the text of its machine.
    pub fn new(program: Program, sources: &Sources) -> Live {
        let machine = program.machine();
        let predicates = machine.invariant.iter().chain(&machine.assertions);
        let mut sites: Vec<FaultSite> = predicates.map(|p| FaultSite::new(p.span)).collect();
        let goal = machine.goal.as_ref();
        sites.extend(goal.map(|goal| FaultSite::new(goal.span)));
        let signature = program.signature();
        let fields = signature.constants.iter().chain(&signature.variables);
        let codecs = fields.map(|field| Codec::of(signature, &field.ty));
        let shared = SharedMachine {
            codecs: codecs.collect(),
            is_limited: AtomicBool::new(false),
            n_initial: [const { AtomicUsize::new(usize::MAX) }; 3],
            undefined: Mutex::new(Vec::new()),
            last: Mutex::new(None),
            n_invariants: machine.invariant.len(),
            n_assertions: machine.assertions.len(),
            sites: Mutex::new(sites),
            sources: sources.clone(),
            program,
        };
        Live {
            shared: Arc::new(shared),
            setups: ChosenSetups::All,
            classes: None,
        }
    }

    /// The same machine, started with these valuations of its constants.
    ///
    /// A symmetry carries initial states to initial states only if all valuations are set up.
    pub fn starting_with(&self, setups: ChosenSetups) -> Live {
        Live {
            setups,
            ..self.clone()
        }
    }

    /// The same machine, where one move at least is given of those that exchanges of these blocks
    /// of members, by sort, make of each other. `None` where the machine asks for only some of the
    /// ways to go on: which these are depends on all of them.
    ///
    /// # Requires
    /// Members of a block can be exchanged in the whole machine.
    pub fn up_to(&self, blocks: &[Vec<Vec<usize>>]) -> Option<Live> {
        let settings = self.settings();
        if settings.max_operations.is_some() || settings.max_initialisations.is_some() {
            return None;
        }
        Some(Live {
            classes: Some(Arc::new(MoveReduction::new(&self.program, blocks))),
            ..self.clone()
        })
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

    fn note_undefined(&self, extent: &Extent) {
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
        let site = FaultSite { message, span };
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
    fn gap(&self, extent: &Extent) -> Option<Fault> {
        let cut = extent.cut.as_ref()?;
        Some(self.fault(FaultKind::Cut, cut.span, Some(cut.to_string())))
    }

    fn settings(&self) -> &Settings {
        &self.program.machine().settings
    }

    /// What is wrong where the machine asks for no more than so many ways, and there are more.
    fn limited(&self, limit: &TransitionLimit, operation: u64) -> Option<Fault> {
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

    /// Gives `out` the way of a step.
    fn way_of(
        &self,
        state: &[u8],
        step: StepIndex,
        out: &mut dyn FnMut(&LiveSuccessor<'_>),
    ) -> bool {
        let Ok((stage, globals)) = self.unpack(state) else {
            return false;
        };
        let mut found = false;
        self.ways(stage, &globals, &mut |way| {
            if way.step == step {
                out(&way);
                found = true;
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found
    }

    /// All moves from a state, each with its way; what cannot be unpacked has none.
    fn moves(&self, state: &[u8], scratch: &mut Scratch, out: WayOut<'_>) -> Rest {
        let covered = scratch.content::<Covered>();
        let (stage, globals) = match self.unpack(state) {
            Ok(unpacked) => unpacked,
            Err(fault) => {
                let step = StepIndex {
                    operation: INITIALISATION,
                    label: 0,
                    outcome: 0,
                };
                let mv = Move {
                    steps: &[step.taken()],
                    faults: &[(0, fault)],
                    state: None,
                    n_alike: 1,
                };
                let _ = out(mv, None);
                return Rest::Moves;
            }
        };
        let mut bytes = Vec::new();
        let mut rest = Rest::Deadlock;
        let told = self.ways(stage, &globals, &mut |way| {
            // A step that went wrong or was given up is one that can perhaps be taken.
            rest = Rest::Moves;
            let packed = way.after.and_then(|globals| {
                if let Some(covered) = covered.get_mut(way.step.operation as usize) {
                    *covered = true;
                }
                self.pack_after(state, globals, &mut bytes)
            });
            let fault = packed.err().map(|fault| (0, fault));
            let mv = Move {
                steps: &[way.step.taken()],
                faults: fault.as_slice(),
                state: fault.is_none().then_some(&bytes[..]),
                n_alike: way.n_alike,
            };
            out(mv, Some(&way))
        });
        match told {
            Completeness::Complete => rest,
            // There may be moves that were not found in time.
            Completeness::Cut => Rest::Moves,
        }
    }

    /// A way as the label of an edge: results and choices follow the arguments, with their names.
    fn label_of(&self, way: &LiveSuccessor<'_>) -> MoveLabel {
        let machine = self.program.machine();
        let mut label = MoveLabel {
            head: self.operation_name(way.step.operation),
            ..MoveLabel::default()
        };
        let Some(operation) = machine.operations.get(way.step.operation as usize) else {
            return label;
        };
        let mut add = |name: &str, value: String| {
            label.parameters.push(name.to_owned());
            label.arguments.push(value);
        };
        for (local, value) in operation.parameters.iter().zip(way.arguments) {
            let local = &machine.locals[local.index()];
            add(&local.name, self.show(&local.ty, value));
        }
        for (local, value) in operation.results.iter().zip(way.results) {
            let local = &machine.locals[local.index()];
            let value = self.show(&local.ty, value);
            add(&local.name, format!("{} = {value}", local.name));
        }
        let id = OperationId::new(way.step.operation as usize);
        for (unknown, value) in self.program.choices(id).iter().zip(way.choices) {
            let value = self.show(&unknown.ty, value);
            add(&unknown.name, format!("{} = {value}", unknown.name));
        }
        label
    }

    /// An operation as it was taken: `Code1 <-- lookup(Name1)`.
    fn call(&self, way: &LiveSuccessor<'_>) -> String {
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
        if is_here || self.is_typed(span) {
            String::new()
        } else {
            let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
            format!(" in `{name}`")
        }
    }

    /// The line of a place in the text, from 1.
    pub fn line_of(&self, span: Span) -> u32 {
        self.line(span)
    }

    /// Whether a place is in what was typed on the command line, which has no line in a file.
    pub fn is_typed(&self, span: Span) -> bool {
        self.sources.get(span.source).name().starts_with("--")
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
            parts: Vec::new(),
            message: None,
        }
    }
}

impl FaultSite {
    fn new(span: Span) -> FaultSite {
        FaultSite {
            message: None,
            span,
        }
    }
}

impl System for Live {
    fn scratch(&self) -> Scratch {
        let covered: Covered = vec![false; self.program.machine().operations.len()];
        Scratch::new(covered)
    }

    fn initial(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>)) {
        self.initial_classes(&mut self.scratch(), &mut |initial, _| out(initial));
    }

    fn initial_classes(&self, _: &mut Scratch, out: &mut dyn FnMut(Initial<'_>, u64)) {
        let has_setup = self.program.has_setup();
        let which = self.setups;
        let classes = self.classes();
        let mut bytes = Vec::new();
        let stage = if has_setup {
            Stage::Constants
        } else {
            Stage::Running
        };
        let mut limit = TransitionLimit::new(self.settings().max_initialisations);
        // Where time was over the first time, no more are given later than were given then.
        let which_seen = match classes {
            Some(_) => 2,
            None => usize::from(which == ChosenSetups::Named),
        };
        let n_seen = &self.n_initial[which_seen];
        let n_max = n_seen.load(Ordering::Relaxed);
        let mut n_given = 0;
        let mut give = |values: &[Value], n_alike: u64| {
            if self.is_late() || n_given >= n_max || limit.is_reached() {
                return ControlFlow::Break(());
            }
            n_given += 1;
            match self.pack(stage, values, &mut bytes) {
                Ok(()) => out(Ok(&bytes), n_alike),
                Err(fault) => out(Err(fault), n_alike),
            }
            ControlFlow::Continue(())
        };
        let extent = if has_setup {
            let cells = classes.map(MoveReduction::blocks);
            self.program.setups_up_to(which, cells, &mut give)
        } else {
            let cells = classes.and_then(|classes| classes.at_start(&[]));
            let cells = cells.as_ref();
            self.program.initialisations_up_to(&[], cells, &mut give)
        };
        if self.is_late() || n_given >= n_max {
            n_seen.store(n_given, Ordering::Relaxed);
            return;
        }
        for wrong in &extent.wrong {
            out(Err(self.trouble(&wrong.trouble)), 1);
        }
        let fault = self.limited(&limit, INITIALISATION);
        if let Some(fault) = fault.or_else(|| self.gap(&extent)) {
            out(Err(fault), 1);
        }
    }

    fn successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        out: &mut dyn FnMut(Move<'_>) -> ControlFlow<()>,
    ) -> Rest {
        self.moves(state, scratch, &mut |mv, _| out(mv))
    }

    fn labelled_successors(
        &self,
        state: &[u8],
        scratch: &mut Scratch,
        _: Pulse<'_>,
        out: LabelledOut<'_>,
    ) -> Rest {
        self.moves(state, scratch, &mut |mv, way| {
            out(mv, &mut || {
                way.map(|way| self.label_of(way)).unwrap_or_default()
            })
        })
    }

    fn move_label(&self, state: &[u8], steps: &[Taken]) -> MoveLabel {
        let mut label = MoveLabel::default();
        for step in steps {
            self.way_of(state, StepIndex::of(*step), &mut |way| {
                label = self.label_of(way)
            });
        }
        label
    }

    fn wrong(&self, state: &[u8], _: &mut Scratch, out: &mut dyn FnMut(Fault)) {
        let Ok((Stage::Running, globals)) = self.unpack(state) else {
            return;
        };
        let mut out = |fault: Fault| {
            if !self.is_late() {
                out(fault);
            }
        };
        let mut tell = |claimed: Claimed, at: usize, trouble: Option<&Trouble>| match trouble {
            None => out(Fault {
                kind: refuted(claimed),
                site: SiteId::new(at),
            }),
            // Whatever stood in the way, it is not known whether it holds here. What has no value
            // is wrong besides.
            Some(trouble) => {
                let kind = FaultKind::Undecided(claimed);
                out(self.fault(kind, trouble.span, Some(trouble.to_string())));
                let fault = self.trouble(trouble);
                if fault.kind != FaultKind::Cut {
                    out(fault);
                }
            }
        };
        self.program.invariant(&globals, &mut |at, trouble| {
            tell(Claimed::Invariant, at, trouble);
        });
        self.program.assertions(&globals, &mut |at, trouble| {
            tell(Claimed::Assertion, self.n_invariants + at, trouble);
        });
        let at = self.n_invariants + self.n_assertions;
        match self.program.goal(&globals) {
            Some(Ok(true)) => tell(Claimed::Goal, at, None),
            Some(Err(trouble)) => tell(Claimed::Goal, at, Some(&trouble)),
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
        let found = self.way_of(state, StepIndex::of(*step), &mut |way| {
            let packed = way.after;
            let packed = packed.and_then(|globals| self.pack_after(state, globals, &mut bytes));
            is_packed = packed.is_ok();
        });
        if found && is_packed {
            out(*step, &bytes, "");
        }
        found && is_packed
    }

    fn step_text(&self, state: &[u8], step: Taken) -> StepText {
        let step = StepIndex::of(step);
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
        self.program.deadline().suspend();
    }

    fn gave_up(&self) -> bool {
        self.program.deadline().was_lost()
    }

    fn covered<'a>(&self, scratch: &'a Scratch) -> &'a [bool] {
        scratch.as_content::<Covered>()
    }

    fn not_covered(&self, covered: &[bool]) -> Vec<StepText> {
        let operations = self.program.machine().operations.iter().enumerate();
        let missed = operations.filter(|(n, op)| op.is_public && !covered[*n]);
        missed
            .map(|(n, op)| self.text_of(n as u64, op.name.clone()))
            .collect()
    }
}

/// What is reported where something that is said of states is known: the invariant or assertion is
/// false, the goal is there.
fn refuted(claimed: Claimed) -> FaultKind {
    match claimed {
        Claimed::Invariant => FaultKind::Invariant,
        Claimed::Assertion => FaultKind::Assertion,
        Claimed::Goal => FaultKind::Goal,
        Claimed::Atom => FaultKind::Claim,
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
        | TroubleKind::TooLarge
        | TroubleKind::TooMuchWork
        | TroubleKind::OutOfTime
        | TroubleKind::Loop(_)
        | TroubleKind::NotStorable(_) => FaultKind::Cut,
    }
}
