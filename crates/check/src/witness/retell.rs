//! The same run, on a system with the same steps and more of them seen.
//!
//! **Problem.** A model that was rewritten to have fewer states takes many steps in one move and
//! gives variables that nobody needs any value. A person who reads an error run wants the values
//! that the text says.
//!
//! **Idea.** Rewriting keeps steps and their numbers, so the steps of a witness can be taken on the
//! model as it was. Moves there are shorter, so that the run is cut differently; and there may be
//! *idle* steps that the rewritten model does not have (a process that has ended goes away), which
//! are taken where nothing else fits, and at the end until nothing is left.
//!
//! Worked example. On the rewritten model one move is `c?x; y = x + 1`, and the run ends there in
//! a deadlock. On the original it is two moves; then process 1, which has ended, goes away in an
//! idle step, and no move is left: the deadlock.
//!
//! **Runs that go round.** After one turn of the loop the original may be in another state: values
//! that nobody needs differ. So the loop is taken again until a state comes back that it began with
//! before; what was between these is the loop of the original.
//!
//! Cost: the moves of each state of the run, once.

use super::{Broken, Chosen, Replay, Run, Witness};
use crate::Identity;
use crate::gap::Gap;
use crate::outcome::Violation;
use crate::store::trees::TreeStore;
use std::ops::ControlFlow;
use system::{Fault, System, Taken};

impl Witness {
    /// The run of these steps on `system`, if it ends in `violation` there too.
    pub fn retold(
        &self,
        system: &dyn System,
        violation: Violation,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Result<Witness, Broken> {
        let (mut reducer, mut store) = (Identity, TreeStore::new());
        let mut replay = Replay::new(system, &mut reducer, &mut store);
        let steps: Vec<Taken> = self.steps.iter().map(|step| step.taken).collect();
        let told = replay.retell(&steps, violation, is_idle)?;
        Ok(self.beside(told))
    }
}

impl Witness {
    /// The same run, told again, with what the search stored beside this one.
    fn beside(&self, told: Witness) -> Witness {
        told.with_stored(&self.stored, &self.steps)
    }
}

/// How often a loop is gone round until a state must have come back.
const TURNS_MAX: usize = 1000;

/// A run that was told again, with its states.
pub struct Retold {
    /// The run.
    pub witness: Witness,
    /// The state before each move, and the last if the run rests there.
    pub states: Vec<Vec<u8>>,
    /// The first state of the loop, a place in `states`.
    pub loop_state: usize,
}

impl Witness {
    /// The run of these steps on `system`, where it goes round or rests for ever as it does here;
    /// `None` if it does not, or only after very many turns.
    pub fn retold_for_ever(
        &self,
        system: &dyn System,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Option<Retold> {
        let (mut reducer, mut store) = (Identity, TreeStore::new());
        let mut replay = Replay::new(system, &mut reducer, &mut store);
        let steps: Vec<Taken> = self.steps.iter().map(|step| step.taken).collect();
        let (stem, turn) = steps.split_at(self.loop_from?);
        let mut run = replay.first()?;
        let mut states = Vec::new();
        replay.take_all(&mut run, stem, is_idle, &mut states)?;
        // Where each turn began: the number of the state, of the step, and the state itself.
        let mut begun: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        loop {
            let known = begun.iter().find(|(_, _, state)| *state == run.state);
            if let Some((loop_state, from, _)) = known {
                return Some(Retold {
                    witness: self.beside(replay.over(run).looping(*from)),
                    states,
                    loop_state: *loop_state,
                });
            }
            if begun.len() > TURNS_MAX {
                return None;
            }
            if turn.is_empty() {
                while replay.rests(&run.state).is_none() && replay.moves(&run.state) {
                    replay.take_idle(&mut run, is_idle, &mut states)?;
                }
            }
            begun.push((states.len(), run.n_steps(), run.state.clone()));
            if turn.is_empty() {
                states.push(run.state.clone())
            } else {
                replay.take_all(&mut run, turn, is_idle, &mut states)?
            }
        }
    }
}

impl Witness {
    /// The run of these steps on `system`, whatever it ends in; its last state is the last of the
    /// states. `None` if it is none there.
    pub fn retold_so_far(
        &self,
        system: &dyn System,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Option<Retold> {
        let (mut reducer, mut store) = (Identity, TreeStore::new());
        let mut replay = Replay::new(system, &mut reducer, &mut store);
        let steps: Vec<Taken> = self.steps.iter().map(|step| step.taken).collect();
        let mut run = replay.first()?;
        let mut states = Vec::new();
        replay.take_all(&mut run, &steps, is_idle, &mut states)?;
        states.push(run.state.clone());
        Some(Retold {
            witness: self.beside(replay.over(run)),
            loop_state: states.len() - 1,
            states,
        })
    }
}

/// A move of the original system.
struct Fitting {
    chosen: Chosen,
    /// How many of the steps to take are in it.
    n_taken: usize,
    /// Where the fault to be shown occurs.
    fault_at: Option<usize>,
}

impl Replay<'_> {
    fn retell(
        &mut self,
        steps: &[Taken],
        violation: Violation,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Result<Witness, Broken> {
        let broken = |n_moves, missing| Broken {
            violation,
            n_moves,
            missing,
        };
        if steps.is_empty()
            && let Some(witness) = self.before_all(violation)
        {
            return Ok(witness);
        }
        let mut run = self.first().ok_or(broken(0, Gap::Initial))?;
        let mut left = steps;
        loop {
            let n_moves = run.witness.n_moves;
            if left.is_empty() && self.rests(&run.state) == Some(violation) {
                return Ok(self.over(run));
            }
            let fitting = self.fitting(&run.state, left, violation, is_idle);
            let fitting = fitting.ok_or(broken(n_moves, Gap::NextStep))?;
            if let Some(at) = fitting.fault_at.filter(|at| at + 1 == left.len()) {
                let taken = self.take_until(&mut run, fitting.chosen, at);
                taken.ok_or(broken(n_moves, Gap::StepsBeforeFault))?;
                return Ok(self.over(run));
            }
            self.take(&mut run, fitting.chosen)
                .ok_or(broken(n_moves, Gap::Steps))?;
            left = &left[fitting.n_taken..];
        }
    }

    /// Takes these steps, and writes down the state before each move.
    fn take_all(
        &mut self,
        run: &mut Run,
        steps: &[Taken],
        is_idle: &dyn Fn(Taken) -> bool,
        states: &mut Vec<Vec<u8>>,
    ) -> Option<()> {
        let mut left = steps;
        while !left.is_empty() {
            let fitting = self.fitting(&run.state, left, Violation::Deadlock, is_idle)?;
            states.push(run.state.clone());
            self.take(run, fitting.chosen)?;
            left = &left[fitting.n_taken..];
        }
        Some(())
    }

    /// Takes a step that only the original has.
    fn take_idle(
        &mut self,
        run: &mut Run,
        is_idle: &dyn Fn(Taken) -> bool,
        states: &mut Vec<Vec<u8>>,
    ) -> Option<()> {
        let fitting = self.fitting(&run.state, &[], Violation::Deadlock, is_idle)?;
        states.push(run.state.clone());
        self.take(run, fitting.chosen)
    }

    /// Whether something can move.
    fn moves(&mut self, state: &[u8]) -> bool {
        let mut moves = false;
        self.system.successors(state, &mut self.scratch, &mut |mv| {
            moves |= mv.state.is_some();
            if moves {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        moves
    }

    /// The first initial state.
    fn first(&mut self) -> Option<Run> {
        let mut found: Option<Vec<u8>> = None;
        self.system.initial(&mut self.scratch, &mut |initial| {
            if let (None, Ok(state)) = (&found, initial) {
                found = Some(state.to_vec());
            }
        });
        found.map(|state| self.starting(state))
    }

    /// The move that takes the next steps; an idle one if there is no such move.
    fn fitting(
        &mut self,
        state: &[u8],
        left: &[Taken],
        violation: Violation,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Option<Fitting> {
        let wanted: Option<Fault> = match violation {
            Violation::Deadlock | Violation::Unfinished => None,
            Violation::Fault(fault) => Some(fault),
        };
        let (mut found, mut idle) = (None, None);
        self.system.successors(state, &mut self.scratch, &mut |mv| {
            let n_taken = mv.steps.len().min(left.len());
            let fits = n_taken > 0 && mv.steps[..n_taken] == left[..n_taken];
            let fault = mv.faults.iter().find(|(_, fault)| Some(*fault) == wanted);
            let fitting = |n_taken| Fitting {
                chosen: Chosen {
                    steps: mv.steps.to_vec(),
                    state: mv.state.map(<[u8]>::to_vec),
                },
                n_taken,
                fault_at: fault.map(|(at, _)| *at),
            };
            if fits && (n_taken == mv.steps.len() || fault.is_some()) {
                found = Some(fitting(n_taken));
                return ControlFlow::Break(());
            }
            if idle.is_none() && mv.steps.iter().all(|step| is_idle(*step)) {
                idle = Some(fitting(0));
            }
            ControlFlow::Continue(())
        });
        found.or(idle)
    }
}
