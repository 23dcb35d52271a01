//! What is known of a script so far: values of definitions, fields of channels, events, and
//! processes that are put off.

use super::code::Program;
use crate::process::{Event, LaterId, Term, TermId, Terms};
use crate::value::{DefinitionGroup, FnId, LazyId, MakerId, Set, Value, show};
use base::{Clock, SourceId, Span, Ticker};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known so far.
#[derive(Debug)]
pub struct EvalState {
    /// Frames, the innermost last.
    pub stack: Vec<Value>,
    /// Terms; while nothing is evaluated they are with whoever owns them.
    pub terms: Terms,
    /// What definitions without parameters are worth.
    pub globals: Vec<Option<Value>>,
    /// Which of them are being evaluated.
    pub is_busy: Vec<bool>,
    /// Which local definitions are being evaluated.
    pub busy_members: Vec<(usize, u32)>,
    /// The last call, for messages that have no better place.
    pub at: Span,
    /// When to stop.
    pub ticker: Ticker<'static>,
    /// How many calls may still be made.
    pub n_calls_left: u64,
    /// The sets of the fields of constructors and channels.
    pub fields: Vec<Memoised<Arc<[Set]>>>,
    /// The values of datatypes.
    pub datatypes: Vec<Memoised<Set>>,
    /// `Events`, once it was asked for.
    pub all_events: Option<Set>,
    /// Events that were met.
    pub events: Interned<Value>,
    /// Processes that are put off, with what they stand for where that is known.
    pub laters: Interned<Suspended>,
    /// What they stand for.
    pub unfolded: Vec<Option<TermId>>,
}

/// Something that is evaluated once.
#[derive(Clone, Debug)]
pub enum Memoised<T> {
    /// Not asked for yet.
    No,
    /// Being evaluated.
    Busy,
    /// Evaluated.
    Yes(T),
}

/// A process that is put off. Equal ones are the same state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Suspended {
    /// A definition without parameters.
    Global(u32),
    /// A local definition without parameters.
    Member(Arc<DefinitionGroup>, u32),
    /// A call: the function, what it captured, its arguments.
    Call(FnId, Arc<[Value]>, Arc<[Value]>),
    /// An expression and the values of its variables: what follows an event.
    Code(LazyId, Arc<[Value]>),
    /// A choice that waits while time passes: `tock` and the choice.
    Timed(Event, Arc<[(Event, TermId)]>),
    /// `SKIP` of a timed section.
    TimedSkip(Event),
    /// `loop(P)`
    Loop(TermId),
    /// `BUFFER(n, pairs)` with what it holds, as events to come.
    Buffer(usize, Arc<[(Event, Event)]>, Arc<[Event]>),
}

/// Things in the order of their coming, each once.
#[derive(Debug)]
pub struct Interned<T> {
    all: Vec<T>,
    ids: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned {
            all: Vec::new(),
            ids: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    /// The place of a thing.
    pub fn id(&mut self, thing: T) -> usize {
        if let Some(&id) = self.ids.get(&thing) {
            return id as usize;
        }
        let id = self.all.len();
        assert!(u32::try_from(id).is_ok(), "more than 2³² things");
        self.ids.insert(thing.clone(), id as u32);
        self.all.push(thing);
        id
    }

    /// The thing at a place.
    pub fn get(&self, id: usize) -> &T {
        &self.all[id]
    }

    /// All of them.
    pub fn all(&self) -> &[T] {
        &self.all
    }
}

impl EvalState {
    /// Nothing is known yet.
    pub fn new(program: &Program) -> EvalState {
        EvalState {
            stack: Vec::new(),
            terms: Terms::default(),
            globals: vec![None; program.globals.len()],
            is_busy: vec![false; program.globals.len()],
            busy_members: Vec::new(),
            at: Span::new(SourceId::new(0), 0..0),
            ticker: Ticker::new(Clock::ENDLESS, crate::TICKS),
            n_calls_left: u64::MAX,
            fields: vec![Memoised::No; program.makers.len()],
            datatypes: vec![Memoised::No; program.datatypes.len()],
            all_events: None,
            events: Interned::default(),
            laters: Interned::default(),
            unfolded: Vec::new(),
        }
    }

    /// The term of a process that is put off.
    pub fn later(&mut self, suspended: Suspended) -> TermId {
        let id = self.laters.id(suspended);
        if id == self.unfolded.len() {
            self.unfolded.push(None);
        }
        self.terms.term(Term::Later(LaterId::new(id)))
    }
}

/// How things of a program are called; the terms are those that its processes are in.
pub struct StateNames<'a>(pub &'a Program, pub &'a EvalState, pub &'a Terms);

impl show::ValueNames for StateNames<'_> {
    fn maker(&self, maker: MakerId) -> &str {
        &self.0.makers[maker.index()].name
    }

    fn process(&self, term: TermId) -> String {
        match self.2.get(term) {
            Term::Later(later) => self.later(*later),
            Term::Stop => "STOP".into(),
            Term::Skip => "SKIP".into(),
            Term::Div => "DIV".into(),
            _ => format!("<process {}>", term.index()),
        }
    }

    fn function(&self, code: FnId) -> &str {
        &self.0.functions[code.index()].name
    }
}

impl StateNames<'_> {
    /// How a process that is put off is called: `P(3)`.
    pub fn later(&self, later: LaterId) -> String {
        match self.1.laters.get(later.index()) {
            Suspended::Global(id) => self.0.globals[*id as usize].name.to_string(),
            Suspended::Member(group, index) => {
                let members = &self.0.groups[group.id.index()].members;
                members[*index as usize].name.to_string()
            }
            Suspended::Call(code, _, arguments) => self.call(*code, arguments),
            Suspended::Code(id, captured) => self.code(*id, captured),
            Suspended::Timed(..) => "a timed prefix".into(),
            Suspended::TimedSkip(_) => "SKIP".into(),
            Suspended::Loop(term) => format!("loop({})", show::ValueNames::process(self, *term)),
            Suspended::Buffer(capacity, _, held) => {
                format!("BUFFER({capacity}) holding {}", held.len())
            }
        }
    }

    fn call(&self, code: FnId, arguments: &[Value]) -> String {
        let function = &self.0.functions[code.index()];
        let mut text = function.name.to_string();
        let mut left = arguments;
        for n in &function.lists {
            let (list, others) = left.split_at((*n).min(left.len()));
            left = others;
            let shown: Vec<String> = list.iter().map(|v| show::short(v, self)).collect();
            text.push_str(&format!("({})", shown.join(", ")));
        }
        text
    }

    fn code(&self, id: LazyId, captured: &[Value]) -> String {
        let lazy = &self.0.lazies[id.index()];
        let pairs = lazy.called.iter().zip(captured);
        let visible = pairs.filter(|(_, v)| !matches!(v, Value::Group(_) | Value::Function(_)));
        let shown: Vec<String> = visible
            .map(|(name, v)| format!("{name} = {}", show::short(v, self)))
            .collect();
        if shown.is_empty() {
            return format!("part of {}", lazy.within);
        }
        format!("part of {} with {}", lazy.within, shown.join(", "))
    }
}
