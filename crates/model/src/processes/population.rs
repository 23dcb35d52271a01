//! Who is there once a model has set itself up, and when it has.
//!
//! Many models start with one process that makes all others. Symmetry is about those others, so
//! the making is run here once, and what it leads to is the *population*: the same processes and
//! channels in one or several states. From then on the maker is a process like any other.
//!
//! Worked example. `init { atomic { run P(); run P(); if :: x = 1 :: x = 2 fi } }`: both moves from
//! the initial state make two processes, so the population has two states, with `x == 1` and with
//! `x == 2`. A symmetry must carry the set of these into itself, not each of them.
//!
//! If there are too many such states, or they differ in who is there, what the moves share is
//! followed, and the population is a state that no search stores: after the second `run`.
//!
//! Where others can move while the making goes on (`run P(1); run P(2)` without `atomic`), the
//! making is followed as if they did not: the population is then a state like those that are
//! reached, and not the one through which all runs pass ([`Population::interleaved`]); unless the
//! making and the others have nothing to do with each other ([`overtaken`]).

mod overtaken;

use crate::processes::expr::{Expr, ExprId, operands};
use crate::processes::layout::{KindId, Role, Scalar};
use crate::processes::machine::Machine;
use crate::processes::program::{Action, LocationId, Model, ProctypeId, roots};
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::{System, Taken};

/// How many moves of the making are followed.
const N_MOVES_MAX: usize = 10_000;
/// How many states a population may have.
const N_STATES_MAX: usize = 256;

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

/// What is asked of symmetries where the making is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// They carry the states then into each other: all that can be reached is then carried to what
    /// can be reached, and orbits can be counted.
    Kept,
    /// They carry what never changes into itself, and may do what they like with the rest: states
    /// that are carried to each other still behave alike, whether both can be reached or not.
    Free,
}

/// Who is there when the making is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Population {
    /// What is asked of symmetries.
    pub start: Start,
    /// The states then, at least one, without repetition; all with the same records.
    pub states: Vec<Vec<u8>>,
    /// Its processes, in order of their numbers.
    pub processes: Vec<Record>,
    /// Its channels, in order of their numbers.
    pub channels: Vec<Record>,
    /// Who made the others, if somebody did.
    pub creator: Option<Creator>,
    /// Whether others could move before it was over, and that makes a difference.
    pub interleaved: bool,
    /// The state from which they could first, if so; all runs pass through it.
    pub before: Option<Vec<u8>>,
    /// The state from which they could first, where it makes no difference: what is reached after
    /// the making is reached from [`Population::states`].
    pub overtaken: Option<Vec<u8>>,
}

/// Runs the making. `None` if the model has no initial state, or the making goes wrong.
pub fn populate(machine: &Machine) -> Option<Population> {
    let model = machine.model();
    let mut scratch = machine.scratch();
    let mut state = None;
    machine.initial(&mut scratch, &mut |initial| {
        state = initial.ok().map(<[u8]>::to_vec)
    });
    let mut making = Making {
        machine,
        states: vec![state?],
        pid: 0,
        interleaved: None,
        is_whole: true,
        goes_wrong: false,
    };
    let first = making.states.clone();
    let pid = (0..model.population.len()).find(|pid| {
        let proctype = model.population[*pid];
        creates_from(model, proctype, model.proctype(proctype).start)
    });
    if let Some(pid) = pid {
        making.pid = pid;
        making.run();
        making.settle();
        // What is made until a fault is not there in all states that follow.
        if making.goes_wrong && making.still_creates(&making.states[0]) {
            making.states = first;
            making.interleaved = None;
        }
    }
    let (processes, channels) = records(model, &making.states[0]);
    let creator = pid.map(|pid| {
        let proctype = model.population[pid];
        let mut after = vec![false; model.proctype(proctype).locations.len()];
        for state in &making.states {
            let at = location_of(model, proctype, state, &processes[pid]);
            let reached = reachable(model, proctype, at);
            after
                .iter_mut()
                .zip(reached)
                .for_each(|(after, reached)| *after |= reached);
        }
        Creator {
            pid,
            proctype,
            after,
        }
    });
    let overtaken = match (&creator, &making.interleaved) {
        (Some(creator), Some(_)) if making.is_harmless(creator) => making.interleaved.take(),
        _ => None,
    };
    Some(Population {
        start: Start::Kept,
        processes,
        channels,
        creator,
        interleaved: making.interleaved.is_some(),
        before: making.interleaved,
        overtaken,
        states: making.states,
    })
}

/// The processes and channels of a state.
pub fn records(model: &Model, state: &[u8]) -> (Vec<Record>, Vec<Record>) {
    let (mut processes, mut channels) = (Vec::new(), Vec::new());
    for (kind, at) in model.layout.records(state) {
        let is_channel = matches!(model.layout.kind(kind).role, Role::Channel(_));
        let number = if is_channel {
            channels.len() as i32 + 1
        } else {
            processes.len() as i32
        };
        let record = Record { kind, at, number };
        if is_channel {
            channels.push(record)
        } else {
            processes.push(record)
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
    let mut steps = locations
        .filter(|(_, seen)| *seen)
        .flat_map(|(l, _)| &l.steps);
    steps.any(|step| {
        let mut found = false;
        roots(&model.step(*step).action, &mut |e| {
            found |= creates(model, e)
        });
        found
    })
}

struct Making<'a> {
    machine: &'a Machine,
    /// Where it has come to.
    states: Vec<Vec<u8>>,
    /// Who makes.
    pid: usize,
    /// The state from which others could move first.
    interleaved: Option<Vec<u8>>,
    /// Whether what it has come to are states between moves.
    is_whole: bool,
    /// Whether it cannot go on because of a fault.
    goes_wrong: bool,
}

/// The moves of a state, as far as they matter here.
#[derive(Default)]
struct Moves {
    /// Those of the maker: their steps.
    own: Vec<Vec<Taken>>,
    /// Where they lead.
    targets: Vec<Option<Vec<u8>>>,
    others: bool,
    faults: bool,
}

impl Making<'_> {
    fn run(&mut self) {
        let mut seen = HashSet::new();
        for _ in 0..N_MOVES_MAX {
            let state = self.states[0].clone();
            if !self.still_creates(&state) || !seen.insert(state.clone()) {
                return;
            }
            let moves = self.moves(&state);
            if moves.faults || moves.own.is_empty() || moves.targets.contains(&None) {
                self.goes_wrong = moves.faults;
                return;
            }
            if moves.others && self.interleaved.is_none() {
                self.interleaved = Some(state.clone());
            }
            let targets: Vec<Vec<u8>> = moves.targets.into_iter().flatten().collect();
            if targets.len() == 1 {
                self.states = targets;
                continue;
            }
            self.branch(&state, &moves.own, targets);
            return;
        }
    }

    /// There is a choice: all ends if they are ends and alike, else as far as the moves agree.
    fn branch(&mut self, state: &[u8], moves: &[Vec<Taken>], mut targets: Vec<Vec<u8>>) {
        targets.sort();
        targets.dedup();
        let model = self.machine.model();
        let kinds =
            |state: &[u8]| -> Vec<(KindId, usize)> { model.layout.records(state).collect() };
        let alike = targets
            .iter()
            .all(|state| kinds(state) == kinds(&targets[0]));
        let over = targets.iter().all(|state| !self.still_creates(state));
        if alike && over && targets.len() <= N_STATES_MAX {
            self.states = targets;
            return;
        }
        let n = self.n_shared(moves);
        if n > 0
            && let Some(after) = self.after(state, &moves[0], n)
        {
            self.states = vec![after];
        }
        self.is_whole = false;
    }

    /// Whether moves of others before the end of the making could as well come after it.
    fn is_harmless(&self, creator: &Creator) -> bool {
        let model = self.machine.model();
        let over = self.states.iter().all(|state| !self.still_creates(state));
        let Some(before) = self.interleaved.as_ref().filter(|_| over && self.is_whole) else {
            return false;
        };
        let (processes, _) = records(model, before);
        overtaken::is_harmless(&overtaken::Followed {
            model,
            maker: creator.proctype,
            record: processes[self.pid],
            after: &creator.after,
            before,
            n_made: records(model, &self.states[0]).0.len(),
            there: processes.iter().map(|record| record.kind).collect(),
        })
    }

    /// A making that does not end while others move is none: processes are made all the time.
    fn settle(&mut self) {
        if self.still_creates(&self.states[0])
            && let Some(state) = self.interleaved.take()
        {
            self.states = vec![state];
        }
    }

    /// Whether the maker can come to a step that makes a process.
    fn still_creates(&self, state: &[u8]) -> bool {
        let model = self.machine.model();
        let proctype = model.population[self.pid];
        let (processes, _) = records(model, state);
        let at = location_of(model, proctype, state, &processes[self.pid]);
        creates_from(model, proctype, at)
    }

    fn moves(&self, state: &[u8]) -> Moves {
        let mut moves = Moves::default();
        let mut scratch = self.machine.scratch();
        self.machine.successors(state, &mut scratch, &mut |mv| {
            if self.machine.taken(mv.steps[0]).0 == self.pid {
                moves.faults |= !mv.faults.is_empty();
                moves.targets.push(mv.state.map(<[u8]>::to_vec));
                moves.own.push(mv.steps.to_vec());
            } else {
                moves.others = true
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

    /// The state after the first `n` steps of a move.
    fn after(&self, state: &[u8], steps: &[Taken], n: usize) -> Option<Vec<u8>> {
        let mut after = None;
        let mut n_taken = 0;
        let mut scratch = self.machine.scratch();
        self.machine
            .follow(state, steps, &mut scratch, &mut |_, state, _| {
                n_taken += 1;
                if n_taken == n {
                    after = Some(state.to_vec());
                }
            });
        after
    }
}
