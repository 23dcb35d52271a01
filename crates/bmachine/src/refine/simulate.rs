//! The pairs that initial pairs lead to, and which of them have to go.
//!
//! **Problem.** The greatest simulation among the pairs that can be reached.
//!
//! **Idea.** A pair owes an answer for each step of the refinement from it: an *obligation*, with
//! the pairs that answer it. Pairs are explored first in, first out. A pair with an obligation that
//! nothing answers *falls*. It is then missing as an answer elsewhere: each obligation counts the
//! answers that stand, and when none does its owner falls, too. So everything is as it should be at
//! any time, and the first initial state whose partners have all fallen ends the exploration, even
//! if there are infinitely many pairs.
//!
//! Worked example: `(c, a1)` and `(c, a2)` are the partners of the initial state `c`. From `c` a
//! step leads to `d`, which is answered by `(d, b)` from `a1` and by nothing from `a2`: `(c, a2)`
//! falls. Later `(d, b)` falls; the obligation of `(c, a1)` has no other answer, so it falls, and
//! the initial state has no partner left.
//!
//! Cost: for every pair, the steps of its state and the outcomes of each operation in the other;
//! memory for every answer. A pair falls once, and each obligation is counted down once an answer.

use super::glue::{AbstractMatch, Glue};
use super::play;
use super::{Counts, Limits, Open, Outcome, PreconditionReading, Verdict};
use crate::live::Live;
use crate::typed::OperationId;
use crate::value::Value;
use model::values::Stage;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Fault, FaultText, System, Taken};

/// A step of the refinement.
#[derive(Clone, Copy)]
pub(super) struct RefinementStep {
    pub(super) taken: Taken,
    /// The operation with its arguments and results.
    pub(super) label: u32,
    /// The state after it.
    pub(super) target: u32,
}

/// An operation with its arguments and results.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct OperationLabel {
    pub(super) operation: u32,
    pub(super) arguments: Vec<Value>,
    pub(super) results: Vec<Value>,
}

/// How an initial state of the refinement comes about.
pub(super) struct InitialRun {
    /// The state of the system in which it starts.
    pub(super) state: Vec<u8>,
    /// The initialisation from there, if that is a step.
    pub(super) step: Option<Taken>,
    /// Pairs of it with initial states of the machine; `None` if they are not all known.
    pub(super) partners: Option<Vec<u32>>,
}

/// A state of the refinement and a related one of its machine.
pub(super) struct StatePair {
    pub(super) concrete: u32,
    pub(super) state: u32,
    depth: u64,
    /// As the how manieth it fell, and why.
    pub(super) fallen: Option<(u32, PairFailure)>,
    /// The obligations that it answers.
    answers: Vec<u32>,
}

/// Why a pair fell.
#[derive(Clone)]
pub(super) enum PairFailure {
    /// Nothing is left that answers this move of its state.
    Step(u32),
    /// The machine allows this call, and the refinement does not.
    Call(OperationId, Vec<Value>),
}

/// An answer that is owed.
struct Obligation {
    owner: StateOwner,
    /// How many answers stand.
    n_standing: u32,
}

#[derive(Clone, Copy)]
enum StateOwner {
    /// An initial state.
    Start(u32),
    /// A pair, for a move of its state.
    Pair(u32, u32),
}

/// What the machine can do to answer a step.
#[derive(Clone)]
pub(super) enum Response {
    /// Nothing is owed.
    Free,
    /// Go to one of these states.
    States(Arc<[u32]>),
}

/// States by number.
#[derive(Default)]
pub(super) struct StateTable {
    all: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
    n_bytes: u64,
}

impl StateTable {
    fn number(&mut self, state: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let state: Arc<[u8]> = Arc::from(state);
        let number = self.all.len() as u32;
        self.n_bytes += state.len() as u64 + 80;
        self.all.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> &Arc<[u8]> {
        &self.all[number as usize]
    }
}

/// All that is known so far.
pub(super) struct SimulationGame<'a> {
    pub(super) concrete: &'a Live,
    pub(super) glue: &'a Glue,
    pub(super) concretes: StateTable,
    pub(super) abstracts: StateTable,
    pub(super) labels: Vec<OperationLabel>,
    label_numbers: HashMap<OperationLabel, u32>,
    /// By state of the refinement.
    moves: Vec<Option<Arc<[RefinementStep]>>>,
    answers: HashMap<(u32, u32), Response>,
    pub(super) starts: Vec<InitialRun>,
    pub(super) pairs: Vec<StatePair>,
    pair_numbers: HashMap<(u32, u32), Option<u32>>,
    obligations: Vec<Obligation>,
    n_fallen: u32,
    /// Pairs that fell and are still counted as answers.
    falling: VecDeque<u32>,
    /// An initial state without a partner.
    lost: Option<u32>,
    gap: Option<FaultText>,
    /// Bytes of moves, answers and obligations.
    n_bytes: u64,
}

/// Explores all pairs, within limits.
pub fn simulate(concrete: &Live, glue: &Glue, limits: Limits<'_>) -> Outcome {
    let mut simulation = SimulationGame {
        concrete,
        glue,
        concretes: StateTable::default(),
        abstracts: StateTable::default(),
        labels: Vec::new(),
        label_numbers: HashMap::new(),
        moves: Vec::new(),
        answers: HashMap::new(),
        starts: Vec::new(),
        pairs: Vec::new(),
        pair_numbers: HashMap::new(),
        obligations: Vec::new(),
        n_fallen: 0,
        falling: VecDeque::new(),
        lost: None,
        gap: None,
        n_bytes: 0,
    };
    let open = simulation.run(limits);
    let counts = simulation.counts();
    let verdict = match (simulation.lost, open) {
        (Some(start), _) => Verdict::Violated(Box::new(play::play(&mut simulation, start))),
        (None, Some(open)) => Verdict::Open(open),
        (None, None) => Verdict::Holds,
    };
    Outcome { verdict, counts }
}

impl SimulationGame<'_> {
    /// Explores until all is known or an initial state is lost; gives what stays open.
    fn run(&mut self, limits: Limits<'_>) -> Option<Open> {
        let mut is_cut = false;
        if self.start(&mut *limits.watch).is_break() {
            return Some(Open::Stopped);
        }
        let mut next = 0;
        while self.lost.is_none() && next < self.pairs.len() {
            if (limits.watch)(&self.counts()).is_break() {
                return Some(Open::Stopped);
            }
            let depth = self.pairs[next].depth;
            match limits.depth_max {
                Some(max) if depth >= max => is_cut = true,
                _ => self.expand(next as u32),
            }
            self.fall();
            next += 1;
        }
        match self.gap.take() {
            Some(gap) => Some(Open::Gap(gap)),
            None => is_cut.then_some(Open::Depth),
        }
    }

    fn counts(&self) -> Counts {
        let n_pairs = self.pairs.len() as u64;
        let n_bytes = self.concretes.n_bytes + self.abstracts.n_bytes + self.n_bytes;
        Counts {
            n_pairs,
            n_concrete: self.concretes.all.len() as u64,
            n_abstract: self.abstracts.all.len() as u64,
            n_bytes: n_bytes + n_pairs * 128 + self.pair_numbers.len() as u64 * 24,
        }
    }

    /// Finds the initial states and their partners.
    fn start(&mut self, watch: &mut dyn FnMut(&Counts) -> ControlFlow<()>) -> ControlFlow<()> {
        let concrete = self.concrete;
        let mut first: Vec<Vec<u8>> = Vec::new();
        let mut faults = Vec::new();
        concrete.initial(&mut concrete.scratch(), &mut |initial| match initial {
            Ok(state) => first.push(state.to_vec()),
            Err(fault) => faults.push(fault),
        });
        faults.into_iter().for_each(|fault| self.note(fault));
        for state in first {
            watch(&self.counts())?;
            match concrete.unpack(&state) {
                Err(fault) => self.note(fault),
                Ok((Stage::Running, _)) => self.start_in(&state, None, &state),
                Ok((stage, globals)) => {
                    for (taken, initial) in self.initialised(stage, &globals) {
                        self.start_in(&state, Some(taken), &initial);
                    }
                }
            }
            if self.lost.is_some() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// The states that initialisations lead to.
    fn initialised(&mut self, stage: Stage, globals: &[Value]) -> Vec<(Taken, Vec<u8>)> {
        let mut all = Vec::new();
        let mut faults = Vec::new();
        self.concrete.ways(stage, globals, &mut |way| {
            let mut bytes = Vec::new();
            let packed =
                (way.after).and_then(|after| self.concrete.pack(Stage::Running, after, &mut bytes));
            match packed {
                Ok(()) => all.push((way.step.taken(), bytes)),
                Err(fault) => faults.push(fault),
            }
            ControlFlow::Continue(())
        });
        faults.into_iter().for_each(|fault| self.note(fault));
        all
    }

    /// Takes note of an initial state.
    fn start_in(&mut self, state: &[u8], step: Option<Taken>, initial: &[u8]) {
        let concrete = self.concretes.number(initial);
        let mut start = InitialRun {
            state: state.to_vec(),
            step,
            partners: None,
        };
        let globals = match self.concrete.unpack(initial) {
            Ok((_, globals)) => globals,
            Err(fault) => return self.note(fault),
        };
        let found = self.glue.initial(&globals);
        if let Response::States(states) = self.answer_of(found, self.concrete_start()) {
            let partners: Vec<u32> = states
                .iter()
                .filter_map(|state| self.pair(concrete, *state, 0))
                .collect();
            let number = self.starts.len() as u32;
            self.owe(StateOwner::Start(number), &partners);
            start.partners = Some(partners);
        }
        self.starts.push(start);
        self.fall();
    }

    fn concrete_start(&self) -> base::Span {
        self.concrete.program().machine().initialisation.span
    }

    /// An obligation of its owner, which is lost if nothing answers it.
    fn owe(&mut self, owner: StateOwner, pairs: &[u32]) -> bool {
        let number = self.obligations.len() as u32;
        let mut n_standing = 0;
        for pair in pairs {
            let pair = &mut self.pairs[*pair as usize];
            if pair.fallen.is_none() {
                pair.answers.push(number);
                n_standing += 1;
            }
        }
        self.n_bytes += 16 + 4 * u64::from(n_standing);
        self.obligations.push(Obligation { owner, n_standing });
        if n_standing == 0 {
            self.lose(owner);
        }
        n_standing > 0
    }

    /// An obligation of this owner has no answer.
    fn lose(&mut self, owner: StateOwner) {
        match owner {
            StateOwner::Start(start) => self.lost = self.lost.or(Some(start)),
            StateOwner::Pair(pair, step) => self.drop_pair(pair, PairFailure::Step(step)),
        }
    }

    fn drop_pair(&mut self, number: u32, why: PairFailure) {
        let pair = &mut self.pairs[number as usize];
        if pair.fallen.is_none() {
            pair.fallen = Some((self.n_fallen, why));
            self.n_fallen += 1;
            self.falling.push_back(number);
        }
    }

    /// Counts down what fallen pairs answered.
    fn fall(&mut self) {
        while let Some(pair) = self.falling.pop_front() {
            for number in std::mem::take(&mut self.pairs[pair as usize].answers) {
                let obligation = &mut self.obligations[number as usize];
                obligation.n_standing -= 1;
                if obligation.n_standing == 0 {
                    let owner = obligation.owner;
                    self.lose(owner);
                }
            }
        }
    }

    /// Finds out what a pair owes.
    fn expand(&mut self, number: u32) {
        let StatePair {
            concrete,
            state,
            depth,
            ..
        } = self.pairs[number as usize];
        if self.glue.reading() == PreconditionReading::Classical
            && let Some(why) = self.forbidden(concrete, state)
        {
            return self.drop_pair(number, why);
        }
        let moves = self.moves_of(concrete);
        for (at, step) in moves.iter().enumerate() {
            let Some(answers) = self.answers(state, step, depth + 1) else {
                continue;
            };
            if !self.owe(StateOwner::Pair(number, at as u32), &answers) {
                return;
            }
        }
    }

    /// The pairs that answer a move beside a state of the machine; `None` if nothing is owed.
    pub(super) fn answers(
        &mut self,
        state: u32,
        step: &RefinementStep,
        depth: u64,
    ) -> Option<Vec<u32>> {
        let Response::States(states) = self.answer(state, step.label) else {
            return None;
        };
        let pairs = states.iter();
        let pairs = pairs.filter_map(|state| self.pair(step.target, *state, depth));
        Some(pairs.collect())
    }

    /// What the machine can do to answer an operation.
    fn answer(&mut self, state: u32, number: u32) -> Response {
        if let Some(answer) = self.answers.get(&(state, number)) {
            return answer.clone();
        }
        let label = &self.labels[number as usize];
        let span = self.concrete.operation_span(u64::from(label.operation));
        let answer = match self.glue.refined(label.operation as usize) {
            // What the machine does not have is matched by doing nothing.
            None => Response::States(Arc::from([state])),
            Some(operation) => {
                let bytes = self.abstracts.get(state).clone();
                match self.glue.abstraction().unpack(&bytes) {
                    Ok((_, globals)) => {
                        let (arguments, results) = (&label.arguments, &label.results);
                        let found = (self.glue).matching(operation, arguments, results, &globals);
                        self.answer_of(found, span)
                    }
                    Err(fault) => {
                        self.note_abstract(fault);
                        Response::Free
                    }
                }
            }
        };
        self.n_bytes += 48;
        self.answers.insert((state, number), answer.clone());
        answer
    }

    /// States by number; what could not be computed is noted, and nothing is owed.
    fn answer_of(&mut self, found: AbstractMatch, span: base::Span) -> Response {
        let abstraction = self.glue.abstraction();
        let states = match found {
            AbstractMatch::Anything => return Response::Free,
            AbstractMatch::States(states) => states,
            AbstractMatch::Trouble(trouble) => {
                self.note_abstract(abstraction.trouble(&trouble));
                return Response::Free;
            }
            AbstractMatch::Incomparable => {
                let message = "arguments or results cannot be compared".to_owned();
                let text = self.concrete.sources().text(span).to_owned();
                self.gap.get_or_insert(FaultText {
                    message,
                    step: text,
                    span,
                    line: self.concrete.line(span),
                    within: system::Within::default(),
                });
                return Response::Free;
            }
        };
        let mut numbers = Vec::with_capacity(states.len());
        let mut bytes = Vec::new();
        for state in &states {
            match abstraction.pack(Stage::Running, state, &mut bytes) {
                Ok(()) => numbers.push(self.abstracts.number(&bytes)),
                Err(fault) => {
                    self.note_abstract(fault);
                    return Response::Free;
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.n_bytes += 4 * numbers.len() as u64;
        Response::States(Arc::from(numbers))
    }

    /// The number of a pair, if its states are related.
    fn pair(&mut self, concrete: u32, state: u32, depth: u64) -> Option<u32> {
        if let Some(number) = self.pair_numbers.get(&(concrete, state)) {
            return *number;
        }
        let own = self.concrete.unpack(self.concretes.get(concrete));
        let other = self.glue.abstraction().unpack(self.abstracts.get(state));
        let related = match (own, other) {
            (Ok((_, own)), Ok((_, other))) => {
                let related = self.glue.relates(self.concrete.program(), &own, &other);
                related.map_err(|trouble| self.concrete.trouble(&trouble))
            }
            (Err(fault), _) => Err(fault),
            (_, Err(fault)) => {
                self.note_abstract(fault);
                Ok(true)
            }
        };
        // A pair that may be related is kept: what is violated with it is violated without it.
        let related = related.unwrap_or_else(|fault| {
            self.note(fault);
            true
        });
        let number = related.then(|| {
            self.pairs.push(StatePair {
                concrete,
                state,
                depth,
                fallen: None,
                answers: Vec::new(),
            });
            self.pairs.len() as u32 - 1
        });
        self.pair_numbers.insert((concrete, state), number);
        number
    }

    /// The steps from a state of the refinement.
    pub(super) fn moves_of(&mut self, concrete: u32) -> Arc<[RefinementStep]> {
        let at = concrete as usize;
        if self.moves.len() <= at {
            self.moves.resize(at + 1, None);
        }
        if let Some(moves) = &self.moves[at] {
            return moves.clone();
        }
        let live = self.concrete;
        let mut moves = Vec::new();
        let mut bytes = Vec::new();
        match live.unpack(&self.concretes.get(concrete).clone()) {
            Err(fault) => self.note(fault),
            Ok((stage, globals)) => {
                live.ways(stage, &globals, &mut |way| {
                    let packed =
                        (way.after).and_then(|after| live.pack(Stage::Running, after, &mut bytes));
                    match packed {
                        Err(fault) => self.note(fault),
                        Ok(()) => moves.push(RefinementStep {
                            taken: way.step.taken(),
                            label: self.label(OperationLabel {
                                operation: way.step.operation as u32,
                                arguments: way.arguments.to_vec(),
                                results: way.results.to_vec(),
                            }),
                            target: self.concretes.number(&bytes),
                        }),
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        let moves: Arc<[RefinementStep]> = Arc::from(moves);
        self.n_bytes += 16 + 16 * moves.len() as u64;
        self.moves[at] = Some(moves.clone());
        moves
    }

    fn label(&mut self, label: OperationLabel) -> u32 {
        if let Some(number) = self.label_numbers.get(&label) {
            return *number;
        }
        let number = self.labels.len() as u32;
        self.n_bytes += 160;
        self.labels.push(label.clone());
        self.label_numbers.insert(label, number);
        number
    }

    /// A call that the machine allows here and the refinement does not.
    fn forbidden(&mut self, concrete: u32, state: u32) -> Option<PairFailure> {
        let (live, glue) = (self.concrete, self.glue);
        let own = live.unpack(self.concretes.get(concrete));
        let other = glue.abstraction().unpack(self.abstracts.get(state));
        // What cannot be unpacked is noted where the moves are asked for.
        let (Ok((_, own)), Ok((_, other))) = (own, other) else {
            return None;
        };
        let operations = live.program().machine().operations.len();
        for operation in (0..operations).map(OperationId::new) {
            if !live.program().has_precondition(operation) {
                continue;
            }
            match glue.forbidden(live, operation, &own, &other) {
                Ok(None) => {}
                Ok(Some(arguments)) => return Some(PairFailure::Call(operation, arguments)),
                Err(trouble) => self.note(live.trouble(&trouble)),
            }
        }
        None
    }

    /// Remembers what could not be computed.
    fn note(&mut self, fault: Fault) {
        let live = self.concrete;
        self.gap.get_or_insert_with(|| live.fault_text(fault));
    }

    fn note_abstract(&mut self, fault: Fault) {
        let live = self.glue.abstraction();
        self.gap.get_or_insert_with(|| live.fault_text(fault));
    }
}
