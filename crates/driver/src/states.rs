//! The states of a model as a graph that is kept: what pictures are made of.
//!
//! A model is explored by breadth ([`check::states`]), with its symmetry or without, and becomes a
//! [`Space`]: states by number, transitions with their labels in words. The states themselves are
//! kept too, so that each can be told in words again. Numbers are those of the search; where the
//! set-up counts as a transition, state 0 is the one before it.
//!
//! **Labels.** Of a process the operation is what it does, with its type before it, and the
//! argument its number: `User(1): turn = 1`. Of a B machine it is the operation with its arguments,
//! results and choices, of a CSPM process the channel with what is communicated, or `τ`.
//!
//! **Cost.** About 16 bytes a transition and 48 a state, beside the states.

pub mod pictures;

use crate::detect::Detect;
use crate::plan::SearchOptions;
use crate::reduction::{Reduction, Wanted};
use base::Diagnostic;
use check::states::{Met, StateFacts, StatesCut, StatesSeen};
use check::{Attention, NodeId, Observer, Options, StopReason, Store, TreeStore};
use model::frontend::{ArgumentStyle, Asks, Model, Purpose, Subject};
use reduce::processes::sort::Sends;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use system::branching::{Formula, Quantifier, Unary};
use system::{Fault, FaultText, MoveLabel, Rest, System, Taken};
use view::space::{LabelNotation, Operation};
use view::{LabelId, NodeKinds, Space, SpaceBuilder};

/// The most states that are explored if nobody says otherwise.
pub const STATES_MAX: usize = 1_000_000;

/// What is explored.
pub struct StatesRequest<'m> {
    /// Which model.
    pub model: &'m dyn Model,
    /// Whether the formula of branching time on the command line says a predicate of every state
    /// ([`model::frontend::Frontend::always`]), which is then evaluated too.
    pub has_predicate: bool,
    /// How its symmetry is used, and when to stop.
    pub how: SearchOptions,
    /// The most states.
    pub n_states_max: usize,
}

/// A model, explored.
pub struct Explored<'m> {
    /// Its graph.
    pub space: Space,
    /// Why it is not all, if it is not.
    pub cut: Option<StatesCut>,
    /// Why symmetry was not used, or not as it was found.
    pub notes: Vec<String>,
    /// How many symmetries were used; `None` if none were looked for.
    pub order: Option<String>,
    subject: Box<dyn Subject + 'm>,
    reduction: Reduction,
    predicate: Option<Formula>,
    store: Mutex<TreeStore>,
    /// How many numbers come before those of the store.
    n_before: u32,
}

/// A state in words.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StateWords {
    /// Variables and channels, with their values.
    pub values: Vec<(String, String)>,
    /// Where each part that moves is.
    pub locations: Vec<(String, String)>,
}

impl StateWords {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.locations.is_empty()
    }
}

/// Explores a model, as far as limits allow.
pub fn explore<'m>(
    request: &StatesRequest<'m>,
    observer: &mut Observer<'_>,
) -> Result<Explored<'m>, Diagnostic> {
    match explore_assuming(request, Sends::Assumed, observer)? {
        Some(explored) => Ok(explored),
        // A send waits that was taken not to: once more with fewer symmetries.
        None => {
            let explored = explore_assuming(request, Sends::Wait, observer)?;
            Ok(explored.expect("nothing was assumed"))
        }
    }
}

fn explore_assuming<'m>(
    request: &StatesRequest<'m>,
    sends: Sends,
    observer: &mut Observer<'_>,
) -> Result<Option<Explored<'m>>, Diagnostic> {
    let model = request.model;
    let (purpose, predicate) = if request.has_predicate {
        let (purpose, predicate) = asked(model)?;
        (purpose, Some(predicate))
    } else {
        (Purpose::Run, None)
    };
    let subject = model.subject(&purpose)?;
    let wanted = Wanted {
        how: &request.how,
        detect: &Detect::Structure,
        keeps_start: true,
        sends,
    };
    let mut reduction = Reduction::beside(&*subject, &wanted).map_err(|refusal| refusal.why)?;
    let system = subject.system(reduction.starts());
    let mut recorder = StateRecorder::new(model, system);
    let seen = check::states::explore(
        system,
        reduction.reducer(),
        request.n_states_max,
        &options(&request.how),
        observer,
        &mut |met| recorder.enter(met),
    );
    let refuted = StatesCut::Stopped(StopReason::Refuted);
    if sends == Sends::Assumed && seen.cut == Some(refuted) {
        return Ok(None);
    }
    let StatesSeen {
        mut store,
        cut,
        wrong_start,
    } = seen;
    if let (0, Some(fault)) = (store.len(), wrong_start) {
        return Err(wrong(&system.fault_text(fault)));
    }
    let n_before = recorder.n_before;
    let sizes = reduction.orbit_sizes(&*subject, &mut store, request.how.clock);
    let mut notes = reduction.notes().to_vec();
    if sizes.is_none() && !reduction.is_trivial() {
        notes.push("how many states each state represents is not known".to_owned());
    }
    if let Some(sizes) = sizes {
        recorder.orbits(sizes);
    }
    Ok(Some(Explored {
        space: recorder.finish(store.len()),
        cut,
        notes,
        order: reduction.order(),
        subject,
        reduction,
        predicate,
        store: Mutex::new(store),
        n_before,
    }))
}

impl Explored<'_> {
    /// A state in words; the one before the set-up has none.
    pub fn describe(&self, state: u32) -> StateWords {
        let mut words = StateWords::default();
        let Some(bytes) = self.state(state) else {
            return words;
        };
        let system = self.system();
        let owned = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        system.describe(&bytes, &mut |name, value| {
            words.values.push(owned(name, value))
        });
        system.locations(&bytes, &mut |name, at| {
            words.locations.push(owned(name, at))
        });
        // A process of CSP has no values but where its components are.
        if words.values == words.locations {
            words.locations.clear();
        }
        words
    }

    /// A state as its system has it; `None` for the one before the set-up.
    pub fn state(&self, state: u32) -> Option<Vec<u8>> {
        let node = state.checked_sub(self.n_before)?;
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if node as usize >= store.len() {
            return None;
        }
        let mut bytes = Vec::new();
        store.load(NodeId::new(node as usize), &mut bytes);
        Some(bytes)
    }

    /// Whether the predicate is true in a state that the model was explored with; `None` in the
    /// one before the set-up, or if there was no predicate. Or what went wrong in finding out.
    pub fn is_true(&self, state: u32) -> Result<Option<bool>, FaultText> {
        let (Some(bytes), Some(predicate)) = (self.state(state), &self.predicate) else {
            return Ok(None);
        };
        let system = self.system();
        let mut atoms = Vec::new();
        let value = system.atoms(&bytes, &mut system.scratch(), &mut atoms);
        value.map_err(|fault: Fault| system.fault_text(fault))?;
        Ok(predicate.value(&atoms))
    }

    /// What was explored.
    pub fn system(&self) -> &dyn System {
        self.subject.system(self.reduction.starts())
    }

    /// Whether each state represents itself only.
    pub fn is_unreduced(&self) -> bool {
        self.reduction.is_trivial()
    }
}

/// The question that was typed, and what it says of every state.
fn asked(model: &dyn Model) -> Result<(Purpose, Formula), Diagnostic> {
    let questions = model.questions().iter().enumerate();
    let typed = questions.filter(|(_, question)| question.is_typed);
    let mut asked = typed.filter_map(|(n, question)| match &question.asks {
        Asks::Branching(branching) => branching.instances.first().map(|one| (n, one)),
        _ => None,
    });
    let (question, instance) = asked.next_back().ok_or_else(no_predicate)?;
    let purpose = Purpose::Branching {
        question,
        instance: 0,
        fair: false,
    };
    match instance.formula.clone()? {
        Formula::Unary(Quantifier::All, Unary::Globally, said) if said.is_propositional() => {
            Ok((purpose, *said))
        }
        _ => Err(no_predicate()),
    }
}

fn no_predicate() -> Diagnostic {
    Diagnostic::unlocated("what is said of states has to be a predicate over single states")
}

/// What goes wrong before there is a state.
fn wrong(text: &FaultText) -> Diagnostic {
    Diagnostic::error(text.span, text.message.clone())
}

/// The options of a search that looks for nothing.
fn options(how: &SearchOptions) -> Options<'static> {
    Options {
        order: how.order,
        deadlocks: Attention::Ignored,
        assertions: Attention::Ignored,
        invariants: Attention::Ignored,
        goals: Attention::Ignored,
        stop_after: None,
        memory_bytes_max: how.memory_bytes_max,
        clock: how.clock,
        depth_max: how.depth_max,
        progress_every: crate::plan::PROGRESS_EVERY,
        threads: how.threads,
    }
}

/// Makes a space of what is met.
struct StateRecorder {
    builder: SpaceBuilder,
    /// Labels by steps, where they depend on nothing else.
    of_steps: Option<HashMap<Vec<Taken>, LabelId>>,
    /// The label of the set-up, if it counts.
    set_up: Option<LabelId>,
    n_before: u32,
    /// Whether the transitions of the state before the set-up are still being entered.
    is_starting: bool,
}

impl StateRecorder {
    fn new(model: &dyn Model, system: &dyn System) -> StateRecorder {
        let telling = model.telling();
        let mut builder = SpaceBuilder::new(match telling.arguments {
            ArgumentStyle::Call => LabelNotation::Call,
            ArgumentStyle::Dots => LabelNotation::Dots,
        });
        let set_up = telling.set_up;
        let set_up = set_up.map(|name| builder.label(&Operation::named(name), &[]));
        if set_up.is_some() {
            builder.state(0, NodeKinds::INITIAL);
        }
        StateRecorder {
            builder,
            of_steps: system.labels_are_of_steps().then(HashMap::new),
            set_up,
            n_before: u32::from(set_up.is_some()),
            is_starting: true,
        }
    }

    fn enter(&mut self, met: Met<'_>) {
        match met {
            Met::Initial(node) => self.enter_initial(node),
            Met::Move {
                steps,
                label,
                target,
            } => {
                self.start();
                let label = self.label(steps, label);
                let target = self.number(target);
                if target as usize == self.builder.n_states() {
                    let from = self.builder.n_expanded() as u32;
                    let depth = self.builder.depth(from) + 1;
                    self.builder.state(depth, NodeKinds::default());
                }
                self.builder.transition(label, target);
            }
            Met::Done(facts) => {
                self.start();
                let state = self.builder.n_expanded() as u32;
                self.builder.mark(state, kinds(facts));
                self.builder.expanded();
            }
        }
    }

    fn enter_initial(&mut self, node: NodeId) {
        let target = self.number(node);
        match self.set_up {
            None => {
                self.builder.state(0, NodeKinds::INITIAL);
            }
            Some(label) => {
                self.builder.state(1, NodeKinds::default());
                self.builder.transition(label, target);
            }
        }
    }

    /// The initial states are over.
    fn start(&mut self) {
        if std::mem::take(&mut self.is_starting) && self.set_up.is_some() {
            self.builder.expanded();
        }
    }

    fn number(&self, node: NodeId) -> u32 {
        node.index() as u32 + self.n_before
    }

    fn label(&mut self, steps: &[Taken], label: &mut dyn FnMut() -> MoveLabel) -> LabelId {
        let known = self.of_steps.as_ref().and_then(|known| known.get(steps));
        if let Some(label) = known {
            return *label;
        }
        let MoveLabel {
            head,
            tail,
            parameters,
            arguments,
        } = label();
        let operation = Operation {
            head,
            tail,
            parameters,
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let label = self.builder.label(&operation, &arguments);
        if let Some(known) = &mut self.of_steps {
            known.insert(steps.to_vec(), label);
        }
        label
    }

    fn orbits(&mut self, sizes: Vec<u64>) {
        let before = std::iter::repeat_n(1, self.n_before as usize);
        self.builder.orbits(before.chain(sizes).collect());
    }

    /// What was explored, of so many states of the store.
    fn finish(mut self, n_stored: usize) -> Space {
        self.start();
        // A move may have been cut short behind the state that it leads to.
        let n = n_stored + self.n_before as usize;
        while self.builder.n_states() < n {
            let from = self.builder.n_expanded().min(self.builder.n_states() - 1);
            let depth = self.builder.depth(from as u32) + 1;
            self.builder.state(depth, NodeKinds::default());
        }
        self.builder.finish()
    }
}

fn kinds(facts: StateFacts) -> NodeKinds {
    let stuck = matches!(facts.rest, Rest::Deadlock | Rest::Unfinished);
    let deadlock = if stuck {
        NodeKinds::DEADLOCK
    } else {
        NodeKinds::default()
    };
    if facts.is_wrong {
        deadlock.with(NodeKinds::VIOLATION)
    } else {
        deadlock
    }
}
