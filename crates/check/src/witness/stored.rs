//! What the search stored where a run is somewhere else.
//!
//! A run goes beside the path of representatives that the search left, in states that symmetries
//! make of these. Who wants to see both keeps the representative of each state, and the symmetry.
//!
//! Worked example. The path is `(0,0) (0,1) (1,1)`, the run `(0,0) (1,0) (1,1)`. After its first
//! move the search had stored `(0,1)`, and the exchange of the two processes makes the run's state
//! of it.

use super::{Replay, Run, Witness, WitnessStep, parts};
use crate::store::NodeId;
use reduce::reducer::Symmetry;
use system::Taken;

/// A representative beside a state of a run.
#[derive(Clone, Debug)]
pub struct StoredState {
    /// After how many steps of the run.
    pub n_steps: usize,
    /// Its values.
    pub values: Vec<(String, String)>,
    /// What makes the run's state of it.
    pub by: Symmetry,
    /// The same in the names of the model; `None` until it is said ([`Witness::name_stored`]).
    pub words: Option<String>,
}

/// The representatives of longer runs are kept for their beginnings only.
const STORED_MAX: usize = 500;

impl Replay<'_> {
    /// Keeps what the search stored where the run is, if that is another state.
    pub(super) fn keep_stored(&mut self, run: &mut Run, node: NodeId) {
        if run.lift.is_identity() || run.witness.stored.len() >= STORED_MAX {
            return;
        }
        let mut state = Vec::new();
        self.store.load(node, &mut state);
        run.witness.stored.push(StoredState {
            n_steps: run.witness.steps.len(),
            values: parts(self.system, &state),
            by: run.lift.clone(),
            words: None,
        });
    }
}

impl Witness {
    /// What the search stored where the run is in another state, in order.
    pub fn stored(&self) -> &[StoredState] {
        &self.stored
    }

    /// Says the symmetries between stored states and those of the run in words.
    pub fn name_stored(&mut self, words: &dyn Fn(&Symmetry) -> Option<String>) {
        for stored in &mut self.stored {
            stored.words = words(&stored.by);
        }
    }

    /// These states, beside a run of the same steps among which there may be more.
    pub(super) fn with_stored(mut self, stored: &[StoredState], steps: &[WitnessStep]) -> Witness {
        let mut places = vec![0; steps.len() + 1];
        let mut n_met = 0;
        for (n, step) in self.steps.iter().enumerate() {
            let next: Option<Taken> = steps.get(n_met).map(|step| step.taken);
            if next == Some(step.taken) {
                n_met += 1;
                places[n_met] = n + 1;
            }
        }
        let kept = stored.iter().filter(|state| state.n_steps <= n_met);
        self.stored = kept
            .map(|state| StoredState {
                n_steps: places[state.n_steps],
                ..state.clone()
            })
            .collect();
        self
    }
}
