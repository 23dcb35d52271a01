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
//! Cost: the moves of each state of the run, once.

use super::{Broken, Chosen, Replay, Run, Witness};
use crate::Identity;
use crate::outcome::Violation;
use crate::store::tree::TreeStore;
use std::ops::ControlFlow;
use system::{Fault, System, Taken};

impl Witness {
    /// The run of these steps on `system`, if it ends in `violation` there too.
    pub fn retold<S: System>(
        &self,
        system: &S,
        violation: Violation,
        is_idle: &dyn Fn(Taken) -> bool,
    ) -> Result<Witness, Broken> {
        let (mut reducer, mut store) = (Identity, TreeStore::new());
        let mut replay = Replay::new(system, &mut reducer, &mut store);
        let steps: Vec<Taken> = self.steps.iter().map(|step| step.taken).collect();
        replay.retell(&steps, violation, is_idle)
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

impl<S: System> Replay<'_, S> {
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
        let mut run = self.first().ok_or(broken(0, "an initial state"))?;
        let mut left = steps;
        loop {
            let n_moves = run.witness.n_moves;
            if left.is_empty() && self.rests(&run.state) == Some(violation) {
                return Ok(self.over(run));
            }
            let fitting = self.fitting(&run.state, left, violation, is_idle);
            let fitting = fitting.ok_or(broken(n_moves, "a move with the next step"))?;
            if let Some(at) = fitting.fault_at.filter(|at| at + 1 == left.len()) {
                let taken = self.take_until(&mut run, fitting.chosen, at);
                taken.ok_or(broken(n_moves, "the steps before the fault"))?;
                return Ok(self.over(run));
            }
            self.take(&mut run, fitting.chosen)
                .ok_or(broken(n_moves, "the steps of a move"))?;
            left = &left[fitting.n_taken..];
        }
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
