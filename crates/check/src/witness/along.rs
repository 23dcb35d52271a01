//! A run of given steps, whatever it is to show.
//!
//! A refinement is violated by a run that another machine cannot match. That it cannot is for
//! whoever found it to know; that it is a run of the system is seen here: every step is taken.
//!
//! Worked example: from the state 0 of a counter, the steps `up, up` give the run 0, 1, 2; the
//! steps `up, down, down` get stuck after two if a counter at 0 cannot go down.

use super::{Replay, Witness};
use crate::Identity;
use crate::store::trees::TreeStore;
use system::{System, Taken};

impl Witness {
    /// The run that takes these steps one by one from an initial state, with what else there is to
    /// say at its end; or after how many steps it gets stuck.
    pub fn along(
        system: &dyn System,
        start: &[u8],
        steps: &[Taken],
        reasons: Vec<(String, String)>,
    ) -> Result<Witness, usize> {
        let (mut reducer, mut store) = (Identity, TreeStore::new());
        let mut replay = Replay::new(system, &mut reducer, &mut store);
        let mut is_initial = false;
        system.initial(&mut replay.scratch, &mut |initial| {
            is_initial |= initial.is_ok_and(|state| state == start);
        });
        if !is_initial {
            return Err(0);
        }
        let mut run = replay.starting(start.to_vec());
        for (n, step) in steps.iter().enumerate() {
            let taken = replay.follow(&mut run, &[*step], 1);
            if taken != (1, true) {
                return Err(n);
            }
            if let Some(last) = run.witness.steps.last_mut() {
                last.ends_move = true;
            }
            run.witness.n_moves += 1;
        }
        run.witness.reasons = reasons;
        Ok(replay.over(run))
    }
}
