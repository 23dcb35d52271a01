//! Smaller transition systems with the same meaning, in traces, failures and failures-divergences.
//!
//! Each function takes an explicit system and gives another, numbered breadth first, with a state
//! of the old one for each new state (for names). They are FDR's functions of the same names; what
//! each does is in its own file, why it keeps the meaning in `docs/theory/csp-semantics.md`.
//!
//! ```text
//! 0: τ 1, τ 2   1: a 3   2: a 3   3:      strong: {1,2}     0: τ 1   1: a 2   2:
//!                                         weak: {0,1,2}     0: a 1   1:
//! ```

pub mod chase;
mod diamond;
mod least;
mod normal;
mod partition;
mod tau;
mod weak;

use crate::leaf::Lts;
use crate::process::Compression;
use base::{Allowance, Spent};

use diamond::diamond;
pub use least::least;
pub use normal::normal;
pub use tau::diverging;
use tau::tau_loops;
pub use weak::{delay, weak};

/// A system made from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compressed {
    /// The new states.
    pub lts: Lts,
    /// An old state that each new one stands for, among others perhaps.
    pub origin: Vec<u32>,
}

/// Applies a compression. Nothing if the result would have more than `states_max` states, which
/// only [`Compression::Normal`] can bring about; then the system should be used as it is.
pub fn compress(
    kind: Compression,
    lts: &Lts,
    states_max: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Option<Compressed>, Spent> {
    match kind {
        Compression::Strong => strong(lts, allowance).map(Some),
        Compression::Weak => weak(lts, allowance).map(Some),
        Compression::Delay => delay(lts, allowance).map(Some),
        Compression::Diamond => diamond(lts, allowance).map(Some),
        Compression::TauLoops => tau_loops(lts, allowance).map(Some),
        Compression::Normal => normal(lts, states_max, allowance),
        // What `chase` makes of a system depends on more: see [`chase`].
        Compression::Explicate | Compression::Identity | Compression::Chase => {
            Ok(Some(Compressed {
                lts: lts.clone(),
                origin: lts.states().collect(),
            }))
        }
    }
}

/// One state for each class of strong bisimulation.
pub fn strong(lts: &Lts, allowance: &mut Allowance<'_>) -> Result<Compressed, Spent> {
    let classes = partition::refine(lts, vec![0; lts.n_states()], allowance)?;
    partition::quotient(lts, &classes, allowance)
}

impl Compressed {
    /// The part of `lts` that can be reached, where `origin` says what each of its states was.
    fn reachable(lts: &Lts, origin: &[u32]) -> Compressed {
        let (lts, order) = lts.reachable();
        let origin = order.iter().map(|&s| origin[s as usize]).collect();
        Compressed { lts, origin }
    }

    /// This made from what `before` was made from.
    fn after(mut self, before: &Compressed) -> Compressed {
        for state in &mut self.origin {
            *state = before.origin[*state as usize];
        }
        self
    }
}
