//! Runs that show what was found, made only by running them.
//!
//! A search leaves a path of representatives `r0 r1 … rn` and what is wrong at its end. The run
//! goes beside the path, always in a state that a known symmetry `h` makes of the path's. It starts
//! in an initial state whose representative is `r0`. Then, for the first move from `r` on the path
//! into a state `s` whose representative is the next, by a symmetry `g` that the reducer gives, the
//! run takes its own move into `act(h, s)`, which is `act(h∘g⁻¹, r')`. At the end the fault must
//! occur, or the state must be a deadlock, in the run. So everything is taken on the unreduced
//! system, step by step, with what each step changed. A [`Witness`] can be made in no other way; if
//! the replay gets stuck, one of system, store, reducer or search is wrong, and that is said
//! instead. What is wrong in a state itself is asked of the run's last state.
//!
//! Worked example. Two processes count to 1, and the reducer sorts the counters, the smaller first.
//! The path `(0,0) (0,1) (1,1)` starts in `(0,0)`. The first move there is by process 1, into
//! `(1,0)`, which an exchange makes `(0,1)`: the run takes it, and is from now on what an exchange
//! makes of the path. From `(0,1)` process 1 moves into `(1,1)`; exchanged, that is `(1,1)`, and
//! the run moves there by process 2. The run is `(0,0) (1,0) (1,1)`.
//!
//! The reducer is asked about moves from representatives only, as in the search. So the replay
//! needs no more of it than that it gives the answer it gave before: equal orbits may have
//! different representatives.
//!
//! **Which fault.** Symmetries may carry a process to one of another type, and a false assertion
//! in the text of one to the like one of the other. The run then ends in that one, and the finding
//! says so: what is shown is what was replayed.
//!
//! Cost: the moves of each state on the path, twice.

mod along;
mod retell;
mod stored;
mod turn;

pub use stored::StoredState;

use crate::Reducer;
use crate::gap::Gap;
use crate::outcome::Violation;
use crate::store::{NodeId, Recall};
use reduce::reducer::Symmetry;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use system::{Fault, Scratch, StepText, System, Taken};

/// A run of the unreduced system that ends in what was found.
#[derive(Clone, Debug)]
pub struct Witness {
    start: Vec<(String, String)>,
    /// Which atoms of the property in question are true at the start, by number.
    atoms: Vec<bool>,
    steps: Vec<WitnessStep>,
    end: Vec<(String, String)>,
    places: Vec<(String, String)>,
    reasons: Vec<(String, String)>,
    n_moves: usize,
    loop_from: Option<usize>,
    stored: Vec<StoredState>,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct WitnessStep {
    /// The step.
    pub taken: Taken,
    /// The step in words.
    pub text: StepText,
    /// What it changed.
    pub changes: Vec<Change>,
    /// What it printed.
    pub printed: String,
    /// Whether the state after it is one that the search stores, not one within a move.
    pub ends_move: bool,
    /// Which atoms of the property in question are true after it, by number; none if there are no
    /// atoms, or if one has no value.
    pub atoms: Vec<bool>,
}

/// A change that a step made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What changed.
    pub name: String,
    /// Its value before; `None` if it was not there.
    pub before: Option<String>,
    /// Its value after; `None` if it is not there any more.
    pub after: Option<String>,
}

/// A replay that got stuck: a mistake of ours, not of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What was to be shown.
    pub violation: Violation,
    /// How many moves of the path could be taken.
    pub n_moves: usize,
    /// What was missing then.
    pub missing: Gap,
}

impl Witness {
    /// The initial state: name and value of each part. Empty if what was found comes before it.
    pub fn start(&self) -> &[(String, String)] {
        &self.start
    }

    /// The steps, the last one being that of the fault, if there is one.
    pub fn steps(&self) -> &[WitnessStep] {
        &self.steps
    }

    /// The last state of the run, as [`Witness::start`] gives the first.
    pub fn end(&self) -> &[(String, String)] {
        &self.end
    }

    /// Where each part that moves is at the end: its name and its next statement.
    pub fn places(&self) -> &[(String, String)] {
        &self.places
    }

    /// Why the fault occurs, by the values it depends on; empty if there is nothing to say.
    pub fn reasons(&self) -> &[(String, String)] {
        &self.reasons
    }

    /// The step with which the loop begins, if the run goes round for ever; the number of steps if
    /// nothing moves any more.
    pub fn loop_from(&self) -> Option<usize> {
        self.loop_from
    }

    /// The same run, going round for ever from that step on.
    pub(crate) fn looping(self, loop_from: usize) -> Witness {
        Witness {
            loop_from: Some(loop_from),
            ..self
        }
    }

    /// The same run, where only some of its steps are told.
    pub fn only(self, is_told: impl Fn(&WitnessStep) -> bool) -> Witness {
        let before = |from: usize| self.steps[..from].iter().filter(|s| is_told(s)).count();
        let stored = self.stored.iter().map(|state| StoredState {
            n_steps: before(state.n_steps),
            ..state.clone()
        });
        Witness {
            loop_from: self.loop_from.map(before),
            stored: stored.collect(),
            steps: self.steps.iter().filter(|s| is_told(s)).cloned().collect(),
            ..self
        }
    }

    /// Which atoms of the property in question are true at the start, by number.
    pub fn atoms_at_start(&self) -> &[bool] {
        &self.atoms
    }

    /// How many moves the run has; the last may be cut short by a fault.
    pub fn n_moves(&self) -> usize {
        self.n_moves
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the replay of a run to {:?} stopped after {} moves: {}",
            self.violation, self.n_moves, self.missing
        )
    }
}

impl std::error::Error for Broken {}

/// Replays paths on a system.
pub struct Replay<'a> {
    system: &'a dyn System,
    reducer: &'a mut dyn Reducer,
    store: &'a mut dyn Recall,
    scratch: Scratch,
}

/// A run under way.
#[derive(Clone)]
pub(crate) struct Run {
    witness: Witness,
    state: Vec<u8>,
    /// The state in words.
    parts: Vec<(String, String)>,
    /// What makes it of the state on the path.
    lift: Symmetry,
}

/// A move, kept.
struct Chosen {
    steps: Vec<Taken>,
    state: Option<Vec<u8>>,
}

impl<'a> Replay<'a> {
    /// A replay of what a search left in `store`.
    pub fn new(
        system: &'a dyn System,
        reducer: &'a mut dyn Reducer,
        store: &'a mut dyn Recall,
    ) -> Self {
        system.replay();
        let scratch = system.scratch();
        Replay {
            system,
            reducer,
            store,
            scratch,
        }
    }

    /// The run along `path` that ends in `violation`, or in what a symmetry makes of it.
    pub fn run(
        &mut self,
        path: &[NodeId],
        violation: Violation,
    ) -> Result<(Violation, Witness), Broken> {
        let broken = |n_moves, missing| Broken {
            violation,
            n_moves,
            missing,
        };
        let Some((&first, rest)) = path.split_first() else {
            return self
                .before_all(violation)
                .map(|witness| (violation, witness))
                .ok_or(broken(0, Gap::StartFault));
        };
        let mut run = self.begin(first).ok_or(broken(0, Gap::Initial))?;
        self.keep_stored(&mut run, first);
        let mut last = first;
        for &node in rest {
            let n_moves = run.witness.n_moves;
            let target = self.towards(last, node, &mut run.lift);
            let target = target.ok_or(broken(n_moves, Gap::NextState))?;
            let chosen = self.into(&run.state, &target);
            let chosen = chosen.ok_or(broken(n_moves, Gap::Image))?;
            self.take(&mut run, chosen)
                .ok_or(broken(n_moves, Gap::Steps))?;
            self.keep_stored(&mut run, node);
            last = node;
        }
        let n_moves = run.witness.n_moves;
        let mut ends_in = violation;
        match violation {
            Violation::Deadlock | Violation::Unfinished => {
                let rests = self.rests(&run.state) == Some(violation);
                rests.then_some(()).ok_or(broken(n_moves, Gap::Deadlock))?;
            }
            Violation::Fault(fault) => {
                let same = |other: &Fault| *other == fault;
                let like = |other: &Fault| other.kind == fault.kind && !run.lift.is_identity();
                let in_state = self.wrong(&run.state, &same);
                let in_state = in_state.or_else(|| self.wrong(&run.state, &like));
                if let Some(met) = in_state {
                    run.witness.reasons = self.system.explain(&run.state, met);
                    return Ok((Violation::Fault(met), self.over(run)));
                }
                let (chosen, at, met) = self
                    .faulty(&run.state, &same)
                    .or_else(|| self.faulty(&run.state, &like))
                    .ok_or(broken(n_moves, Gap::FaultyMove))?;
                ends_in = Violation::Fault(met);
                self.take_until(&mut run, chosen, at)
                    .ok_or(broken(n_moves, Gap::StepsBeforeFault))?;
            }
        }
        Ok((ends_in, self.over(run)))
    }

    /// The run as it is, with where it ended.
    pub(crate) fn over(&self, run: Run) -> Witness {
        let mut places = Vec::new();
        self.system.locations(&run.state, &mut |name, place| {
            places.push((name.to_owned(), place.to_owned()));
        });
        Witness {
            end: run.parts,
            places,
            ..run.witness
        }
    }

    /// The empty run, if the fault occurs on the way to the initial states.
    fn before_all(&mut self, violation: Violation) -> Option<Witness> {
        let mut occurs = false;
        self.system.initial(&mut self.scratch, &mut |initial| {
            occurs |= initial.is_err_and(|fault| Violation::Fault(fault) == violation);
        });
        occurs.then(|| Witness {
            start: Vec::new(),
            atoms: Vec::new(),
            steps: Vec::new(),
            end: Vec::new(),
            places: Vec::new(),
            reasons: Vec::new(),
            n_moves: 0,
            loop_from: None,
            stored: Vec::new(),
        })
    }

    /// The first initial state that `node` represents.
    pub(crate) fn begin(&mut self, node: NodeId) -> Option<Run> {
        let mut wanted = Vec::new();
        self.store.load(node, &mut wanted);
        let mut found: Option<(Vec<u8>, Symmetry)> = None;
        let reducer = &mut *self.reducer;
        self.system.initial(&mut self.scratch, &mut |initial| {
            if let (None, Ok(state)) = (&found, initial) {
                let by = represented(reducer, &wanted, state);
                found = by.map(|by| (state.to_vec(), by));
            }
        });
        let (state, by) = found?;
        let mut run = self.starting(state);
        run.lift = Symmetry::default().after_undoing(&by);
        Some(run)
    }

    /// The run without steps from an initial state.
    fn starting(&self, state: Vec<u8>) -> Run {
        let parts = parts(self.system, &state);
        let witness = Witness {
            start: parts.clone(),
            atoms: atoms(self.system, &state),
            steps: Vec::new(),
            end: Vec::new(),
            places: Vec::new(),
            reasons: Vec::new(),
            n_moves: 0,
            loop_from: None,
            stored: Vec::new(),
        };
        Run {
            witness,
            state,
            parts,
            lift: Symmetry::default(),
        }
    }

    /// Where the run has to go when the path goes from `node` to `next`: what `lift` makes of the
    /// first state after `node` that `next` represents. From then on `lift` makes it of `next`.
    fn towards(&mut self, node: NodeId, next: NodeId, lift: &mut Symmetry) -> Option<Vec<u8>> {
        let (mut state, mut wanted) = (Vec::new(), Vec::new());
        self.store.load(node, &mut state);
        self.store.load(next, &mut wanted);
        let mut found: Option<(Vec<u8>, Symmetry)> = None;
        let reducer = &mut *self.reducer;
        self.system
            .successors(&state, &mut self.scratch, &mut |mv| {
                let by = mv.state.and_then(|target| {
                    let by = represented(reducer, &wanted, target)?;
                    Some((target.to_vec(), by))
                });
                found = by;
                if found.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        let (target, by) = found?;
        let mut lifted = Vec::new();
        reducer.apply(lift, &target, &mut lifted);
        *lift = lift.after_undoing(&by);
        Some(lifted)
    }

    /// Whether a run that ends in `state` shows what is wrong.
    pub(crate) fn shows(&mut self, state: &[u8], violation: Violation) -> bool {
        match violation {
            Violation::Deadlock | Violation::Unfinished => self.rests(state) == Some(violation),
            Violation::Fault(fault) => {
                let same = |other: &Fault| *other == fault;
                self.wrong(state, &same).is_some() || self.faulty(state, &same).is_some()
            }
        }
    }

    /// The first move from `state` into `wanted`.
    fn into(&mut self, state: &[u8], wanted: &[u8]) -> Option<Chosen> {
        let mut chosen = None;
        self.system.successors(state, &mut self.scratch, &mut |mv| {
            if mv.state != Some(wanted) {
                return ControlFlow::Continue(());
            }
            chosen = Some(Chosen {
                steps: mv.steps.to_vec(),
                state: mv.state.map(<[u8]>::to_vec),
            });
            ControlFlow::Break(())
        });
        chosen
    }

    /// The first thing that is wrong in `state` itself and wanted.
    fn wrong(&mut self, state: &[u8], wanted: &dyn Fn(&Fault) -> bool) -> Option<Fault> {
        let mut found = None;
        self.system.wrong(state, &mut self.scratch, &mut |fault| {
            found = found.or(Some(fault).filter(wanted));
        });
        found
    }

    /// The first move from `state` with a fault that is wanted, the step in which it occurs, and
    /// the fault.
    fn faulty(
        &mut self,
        state: &[u8],
        wanted: &dyn Fn(&Fault) -> bool,
    ) -> Option<(Chosen, usize, Fault)> {
        let mut found = None;
        self.system
            .successors(state, &mut self.scratch, &mut |mv| match mv
                .faults
                .iter()
                .find(|(_, fault)| wanted(fault))
            {
                None => ControlFlow::Continue(()),
                Some(&(at, fault)) => {
                    let steps = mv.steps.to_vec();
                    found = Some((Chosen { steps, state: None }, at, fault));
                    ControlFlow::Break(())
                }
            });
        found
    }

    /// What is wrong with a state that has no moves.
    fn rests(&mut self, state: &[u8]) -> Option<Violation> {
        let mut n_moves = 0;
        let rest = self
            .system
            .successors(state, &mut self.scratch, &mut |mv| match mv.state {
                // What leads nowhere may be told of a state in which nothing moves.
                None => ControlFlow::Continue(()),
                Some(_) => {
                    n_moves += 1;
                    ControlFlow::Break(())
                }
            });
        Violation::of(rest).filter(|_| n_moves == 0)
    }

    /// Takes a whole move, which must lead where it is said to lead.
    fn take(&mut self, run: &mut Run, chosen: Chosen) -> Option<()> {
        let (n, complete) = self.follow(run, &chosen.steps, chosen.steps.len());
        let arrived = chosen.state.as_ref() == Some(&run.state);
        if !complete || n != chosen.steps.len() || !arrived {
            return None;
        }
        run.witness.steps.last_mut()?.ends_move = true;
        run.witness.n_moves += 1;
        Some(())
    }

    /// Takes the steps of a move up to the one in which a fault occurs.
    fn take_until(&mut self, run: &mut Run, chosen: Chosen, at: usize) -> Option<()> {
        let (n, _) = self.follow(run, &chosen.steps, at + 1);
        if n < at || at >= chosen.steps.len() {
            return None;
        }
        // A step that cannot be completed changes nothing.
        if n == at {
            run.witness.steps.push(WitnessStep {
                taken: chosen.steps[at],
                text: self.system.step_text(&run.state, chosen.steps[at]),
                changes: Vec::new(),
                printed: String::new(),
                ends_move: false,
                atoms: atoms(self.system, &run.state),
            });
        }
        run.witness.n_moves += 1;
        Some(())
    }

    /// Takes the first `n_max` steps of a move one by one, as far as they are those that were asked
    /// for; how many, and whether the system could take all.
    fn follow(&mut self, run: &mut Run, steps: &[Taken], n_max: usize) -> (usize, bool) {
        let mut n = 0;
        let (system, from) = (self.system, std::mem::take(&mut run.state));
        run.state.clone_from(&from);
        let mut out = |taken: Taken, state: &[u8], printed: &str| {
            if n == n_max || steps.get(n) != Some(&taken) {
                return;
            }
            n += 1;
            let after = parts(system, state);
            run.witness.steps.push(WitnessStep {
                taken,
                text: system.step_text(&run.state, taken),
                changes: changes(&run.parts, &after),
                printed: printed.to_owned(),
                ends_move: false,
                atoms: atoms(system, state),
            });
            run.parts = after;
            run.state.clear();
            run.state.extend_from_slice(state);
        };
        let complete = system.follow(&from, steps, &mut self.scratch, &mut out);
        (n, complete)
    }
}

/// Which atoms of the property in question are true in a state; none if one has no value.
fn atoms(system: &dyn System, state: &[u8]) -> Vec<bool> {
    let mut truths = Vec::new();
    match system.atoms(state, &mut system.scratch(), &mut truths) {
        Ok(()) => truths,
        Err(_) => Vec::new(),
    }
}

/// The symmetry that carries `state` to `wanted`, if that is its representative.
fn represented(reducer: &mut dyn Reducer, wanted: &[u8], state: &[u8]) -> Option<Symmetry> {
    let mut state = state.to_vec();
    reducer.reduce(&mut state);
    reducer.symmetry().filter(|_| state == wanted)
}

fn parts(system: &dyn System, state: &[u8]) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    system.describe(state, &mut |name, value| {
        parts.push((name.to_owned(), value.to_owned()));
    });
    parts
}

/// What differs between two states in words: what is in the second first, in its order.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    let old: HashMap<&str, &str> = before.iter().map(|(n, v)| (&**n, &**v)).collect();
    let new: HashMap<&str, &str> = after.iter().map(|(n, v)| (&**n, &**v)).collect();
    let change = |name: &str| Change {
        name: name.to_owned(),
        before: old.get(name).map(|&value| value.to_owned()),
        after: new.get(name).map(|&value| value.to_owned()),
    };
    let gone = before.iter().filter(|(name, _)| !new.contains_key(&**name));
    let changed = after
        .iter()
        .filter(|(name, value)| old.get(&**name) != Some(&&**value));
    changed.chain(gone).map(|(name, _)| change(name)).collect()
}
