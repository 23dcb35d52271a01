//! Runs that show what was found, made only by running them.
//!
//! A search leaves a path of representatives `r0 r1 … rn` and what is wrong at its end. The replay
//! starts in an initial state whose representative is `r0` and, in each state, takes the first move
//! into a state whose representative is the next on the path, until the end, where the fault must
//! occur, or the state must be a deadlock, on the unreduced system. Each move is then taken step by
//! step, with what each step changed. A [`Witness`] can be made in no other way; if the replay gets
//! stuck, one of system, store, reducer or search is wrong, and that is said instead.
//!
//! Worked example. Two processes count to 1, and the reducer sorts the counters, the smaller first.
//! The path `(0,0) (0,1) (1,1)` starts in `(0,0)`. The first move there is by process 1, into
//! `(1,0)`, which is represented by `(0,1)`: it is taken. In `(1,0)` the move of process 2 leads to
//! `(1,1)`, represented by itself. The run is `(0,0) (1,0) (1,1)`.
//!
//! If states with equal representatives are in one orbit, and equal orbits have equal
//! representatives, there is always a move to take. Reducers that may choose several
//! representatives for an orbit will have to hand over the permutations with them.
//!
//! Cost: the moves of each state on the path, once.

mod retell;

use crate::Reducer;
use crate::outcome::Violation;
use crate::store::{NodeId, Store};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use system::{Fault, StepText, System, Taken};

/// A run of the unreduced system that ends in what was found.
#[derive(Clone, Debug)]
pub struct Witness {
    start: Vec<(String, String)>,
    steps: Vec<WitnessStep>,
    end: Vec<(String, String)>,
    places: Vec<(String, String)>,
    n_moves: usize,
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
    pub missing: &'static str,
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
pub struct Replay<'a, S: System> {
    system: &'a S,
    reducer: &'a mut dyn Reducer,
    store: &'a mut dyn Store,
    scratch: S::Scratch,
}

/// A run under way.
struct Run {
    witness: Witness,
    state: Vec<u8>,
    /// The state in words.
    parts: Vec<(String, String)>,
}

/// A move, kept.
struct Chosen {
    steps: Vec<Taken>,
    state: Option<Vec<u8>>,
}

impl<'a, S: System> Replay<'a, S> {
    /// A replay of what a search left in `store`.
    pub fn new(system: &'a S, reducer: &'a mut dyn Reducer, store: &'a mut dyn Store) -> Self {
        let scratch = system.scratch();
        Replay {
            system,
            reducer,
            store,
            scratch,
        }
    }

    /// The run along `path` that ends in `violation`.
    pub fn run(&mut self, path: &[NodeId], violation: Violation) -> Result<Witness, Broken> {
        let broken = |n_moves, missing| Broken {
            violation,
            n_moves,
            missing,
        };
        let Some((&first, rest)) = path.split_first() else {
            return self
                .before_all(violation)
                .ok_or(broken(0, "the fault of the start"));
        };
        let mut run = self.begin(first).ok_or(broken(0, "an initial state"))?;
        for &node in rest {
            let n_moves = run.witness.n_moves;
            let chosen = self.towards(&run.state, node);
            let chosen = chosen.ok_or(broken(n_moves, "a move to the next state"))?;
            self.take(&mut run, chosen)
                .ok_or(broken(n_moves, "the steps of a move"))?;
        }
        let n_moves = run.witness.n_moves;
        match violation {
            Violation::Deadlock | Violation::Unfinished => {
                let rests = self.rests(&run.state) == Some(violation);
                rests.then_some(()).ok_or(broken(n_moves, "the deadlock"))?;
            }
            Violation::Fault(fault) => {
                let (chosen, at) = self
                    .faulty(&run.state, fault)
                    .ok_or(broken(n_moves, "a move with the fault"))?;
                self.take_until(&mut run, chosen, at)
                    .ok_or(broken(n_moves, "the steps before the fault"))?;
            }
        }
        Ok(self.over(run))
    }

    /// The run as it is, with where it ended.
    fn over(&self, run: Run) -> Witness {
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
            steps: Vec::new(),
            end: Vec::new(),
            places: Vec::new(),
            n_moves: 0,
        })
    }

    /// The first initial state that `node` represents.
    fn begin(&mut self, node: NodeId) -> Option<Run> {
        let mut wanted = Vec::new();
        self.store.load(node, &mut wanted);
        let mut found: Option<Vec<u8>> = None;
        let reducer = &mut *self.reducer;
        self.system.initial(&mut self.scratch, &mut |initial| {
            let mut fits = |state: &[u8]| represents(reducer, &wanted, state);
            match initial {
                Ok(state) if found.is_none() && fits(state) => found = Some(state.to_vec()),
                _ => {}
            }
        });
        found.map(|state| self.starting(state))
    }

    /// The run without steps from an initial state.
    fn starting(&self, state: Vec<u8>) -> Run {
        let parts = parts(self.system, &state);
        let witness = Witness {
            start: parts.clone(),
            steps: Vec::new(),
            end: Vec::new(),
            places: Vec::new(),
            n_moves: 0,
        };
        Run {
            witness,
            state,
            parts,
        }
    }

    /// The first move from `state` into one that `node` represents.
    fn towards(&mut self, state: &[u8], node: NodeId) -> Option<Chosen> {
        let mut wanted = Vec::new();
        self.store.load(node, &mut wanted);
        let mut chosen = None;
        let reducer = &mut *self.reducer;
        self.system.successors(state, &mut self.scratch, &mut |mv| {
            let target = mv.state.filter(|state| represents(reducer, &wanted, state));
            if target.is_none() {
                return ControlFlow::Continue(());
            }
            chosen = Some(Chosen {
                steps: mv.steps.to_vec(),
                state: target.map(<[u8]>::to_vec),
            });
            ControlFlow::Break(())
        });
        chosen
    }

    /// The first move from `state` with that fault, and the step in which it occurs.
    fn faulty(&mut self, state: &[u8], fault: Fault) -> Option<(Chosen, usize)> {
        let mut found = None;
        self.system
            .successors(state, &mut self.scratch, &mut |mv| match mv
                .faults
                .iter()
                .find(|(_, other)| *other == fault)
            {
                None => ControlFlow::Continue(()),
                Some(&(at, _)) => {
                    let steps = mv.steps.to_vec();
                    found = Some((Chosen { steps, state: None }, at));
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
                text: self.system.step_text(chosen.steps[at]),
                changes: Vec::new(),
                printed: String::new(),
                ends_move: false,
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
                text: system.step_text(taken),
                changes: changes(&run.parts, &after),
                printed: printed.to_owned(),
                ends_move: false,
            });
            run.parts = after;
            run.state.clear();
            run.state.extend_from_slice(state);
        };
        let complete = system.follow(&from, steps, &mut self.scratch, &mut out);
        (n, complete)
    }
}

fn represents(reducer: &mut dyn Reducer, wanted: &[u8], state: &[u8]) -> bool {
    let mut state = state.to_vec();
    reducer.reduce(&mut state);
    state == wanted
}

fn parts<S: System>(system: &S, state: &[u8]) -> Vec<(String, String)> {
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
