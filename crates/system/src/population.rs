//! Who is there once a model has set itself up, and when it has.
//!
//! Many models start with one process that makes all others. Symmetry is about those others, so
//! the making is run here once, for as long as there is no choice, and what it leads to is the
//! *population*: a state. From then on that process is one like any other.
//!
//! Worked example. `init { atomic { run P(1); run P(2); if :: x = 1 :: x = 2 fi } }`: the two
//! moves from the initial state have the steps `run run x=1` and `run run x=2`; what they share is
//! followed, and the population is the state after the second `run`, which no search stores.
//!
//! Where others can move while the making goes on (`run P(1); run P(2)` without `atomic`), the
//! making is followed as if they did not: the population is then a state like those that are
//! reached, and not the one through which all runs pass ([`Population::interleaved`]).

use crate::expr::{Expr, ExprId, operands};
use crate::layout::{KindId, Role, Scalar};
use crate::machine::Machine;
use crate::model::{Action, LocationId, Model, ProctypeId, roots};
use crate::system::{System, Taken};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// How many moves of the making are followed.
const N_MOVES_MAX: usize = 10_000;

/// A process or channel of the population.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its kind.
    pub kind: KindId,
    /// Where it is in the state.
    pub at: usize,
    /// The number by which the model knows it.
    pub number: i32,
}

/// The process that makes the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Creator {
    /// Its number.
    pub pid: usize,
    /// Its type.
    pub proctype: ProctypeId,
    /// Where it can be from then on, by location.
    pub after: Vec<bool>,
}

/// Who is there when the making is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Population {
    /// The state then.
    pub state: Vec<u8>,
    /// Its processes, in order of their numbers.
    pub processes: Vec<Record>,
    /// Its channels, in order of their numbers.
    pub channels: Vec<Record>,
    /// Who made the others, if somebody did.
    pub creator: Option<Creator>,
    /// Whether others could move before it was over.
    pub interleaved: bool,
    /// The state from which they could first, if they could; all runs pass through it.
    pub before: Option<Vec<u8>>,
}

/// Runs the making. `None` if the model has no initial state, or the making goes wrong.
pub fn populate(machine: &Machine) -> Option<Population> {
    let model = machine.model();
    let mut scratch = machine.scratch();
    let mut state = None;
    machine.initial(&mut scratch, &mut |initial| state = initial.ok().map(<[u8]>::to_vec));
    let mut making = Making {
        machine,
        state: state?,
        pid: 0,
        interleaved: None,
    };
    let pid = (0..model.population.len()).find(|pid| {
        let proctype = model.population[*pid];
        creates_from(model, proctype, model.proctype(proctype).start)
    });
    if let Some(pid) = pid {
        making.pid = pid;
        making.run();
        making.settle();
    }
    let (processes, channels) = records(model, &making.state);
    let creator = pid.map(|pid| {
        let proctype = model.population[pid];
        let at = location_of(model, proctype, &making.state, &processes[pid]);
        Creator {
            pid,
            proctype,
            after: reachable(model, proctype, at),
        }
    });
    Some(Population {
        processes,
        channels,
        creator,
        interleaved: making.interleaved.is_some(),
        before: making.interleaved,
        state: making.state,
    })
}

/// The processes and channels of a state.
pub fn records(model: &Model, state: &[u8]) -> (Vec<Record>, Vec<Record>) {
    let (mut processes, mut channels) = (Vec::new(), Vec::new());
    for (kind, at) in model.layout.records(state) {
        let is_channel = matches!(model.layout.kind(kind).role, Role::Channel(_));
        let number = match is_channel {
            true => channels.len() as i32 + 1,
            false => processes.len() as i32,
        };
        let record = Record { kind, at, number };
        match is_channel {
            true => channels.push(record),
            false => processes.push(record),
        }
    }
    (processes, channels)
}

/// Where a process is.
pub fn location_of(
    model: &Model,
    proctype: ProctypeId,
    state: &[u8],
    record: &Record,
) -> LocationId {
    let kind = model.layout.kind(model.proctype(proctype).kind);
    let scalar = match kind.role {
        Role::Process { location } => location,
        _ => Scalar::U8,
    };
    LocationId::new(scalar.load(state, record.at + 1) as usize)
}

/// The locations that a process can come to from `at`, that one included.
pub fn reachable(model: &Model, proctype: ProctypeId, at: LocationId) -> Vec<bool> {
    let proctype = model.proctype(proctype);
    let mut seen = vec![false; proctype.locations.len()];
    let mut waiting = vec![at];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for step in &proctype.locations[at.index()].steps {
            let step = model.step(*step);
            waiting.push(step.target);
            if let Action::Deterministic(from, to) = step.action {
                waiting.extend([from, to]);
            }
        }
    }
    seen
}

/// Whether an expression makes a process.
fn creates(model: &Model, e: ExprId) -> bool {
    let mut found = matches!(model.expr(e), Expr::Run(..));
    operands(model.expr(e), &mut |e| found |= creates(model, e));
    found
}

fn creates_from(model: &Model, proctype: ProctypeId, at: LocationId) -> bool {
    let seen = reachable(model, proctype, at);
    let locations = model.proctype(proctype).locations.iter().zip(seen);
    let mut steps = locations.filter(|(_, seen)| *seen).flat_map(|(l, _)| &l.steps);
    steps.any(|step| {
        let mut found = false;
        roots(&model.step(*step).action, &mut |e| found |= creates(model, e));
        found
    })
}

struct Making<'a> {
    machine: &'a Machine,
    state: Vec<u8>,
    /// Who makes.
    pid: usize,
    /// The state from which others could move first.
    interleaved: Option<Vec<u8>>,
}

/// The moves of a state, as far as they matter here.
#[derive(Default)]
struct Moves {
    /// Those of the maker: their steps.
    own: Vec<Vec<Taken>>,
    /// Where the first of them leads.
    target: Option<Vec<u8>>,
    others: bool,
    faults: bool,
}

impl Making<'_> {
    fn run(&mut self) {
        let mut seen = HashSet::new();
        for _ in 0..N_MOVES_MAX {
            if !self.still_creates() || !seen.insert(self.state.clone()) {
                return;
            }
            let moves = self.moves();
            let Some(target) = moves.target.filter(|_| !moves.faults) else {
                return;
            };
            if moves.own.len() == 1 {
                self.note(moves.others);
                self.state = target;
                continue;
            }
            let n = self.n_shared(&moves.own);
            if n > 0 {
                self.note(moves.others);
                self.go(&moves.own[0], n);
            }
            return;
        }
    }

    fn note(&mut self, others: bool) {
        if others && self.interleaved.is_none() {
            self.interleaved = Some(self.state.clone());
        }
    }

    /// A making that does not end while others move is none: processes are made all the time.
    fn settle(&mut self) {
        if self.still_creates()
            && let Some(state) = self.interleaved.take()
        {
            self.state = state;
        }
    }

    /// Whether the maker can come to a step that makes a process.
    fn still_creates(&self) -> bool {
        let model = self.machine.model();
        let proctype = model.population[self.pid];
        let (processes, _) = records(model, &self.state);
        let at = location_of(model, proctype, &self.state, &processes[self.pid]);
        creates_from(model, proctype, at)
    }

    fn moves(&self) -> Moves {
        let mut moves = Moves::default();
        let mut scratch = self.machine.scratch();
        self.machine.successors(&self.state, &mut scratch, &mut |mv| {
            moves.faults |= !mv.faults.is_empty();
            match self.machine.taken(mv.steps[0]).0 == self.pid {
                true => {
                    if moves.own.is_empty() {
                        moves.target = mv.state.map(<[u8]>::to_vec);
                    }
                    moves.own.push(mv.steps.to_vec());
                }
                false => moves.others = true,
            }
            ControlFlow::Continue(())
        });
        moves
    }

    /// How many first steps all moves share, as long as the maker takes them.
    fn n_shared(&self, moves: &[Vec<Taken>]) -> usize {
        let shared = |n: &usize| {
            let step = moves[0].get(*n);
            let own = step.is_some_and(|step| self.machine.taken(*step).0 == self.pid);
            own && moves.iter().all(|other| other.get(*n) == step)
        };
        (0..).take_while(shared).count()
    }

    /// Takes the first `n` steps of a move.
    fn go(&mut self, steps: &[Taken], n: usize) {
        let mut after = Vec::new();
        let mut n_taken = 0;
        let mut scratch = self.machine.scratch();
        self.machine.follow(&self.state, steps, &mut scratch, &mut |_, state, _| {
            n_taken += 1;
            if n_taken == n {
                after = state.to_vec();
            }
        });
        if n_taken >= n {
            self.state = after;
        }
    }
}
