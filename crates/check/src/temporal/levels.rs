//! All states of a quotient, level by level: each is expanded once, in the order of its number.
//!
//! Who wants the quotient as a graph says what is done with a state; limits, progress and depth are
//! looked after here.

use super::space::Space;
use crate::options::{Observer, Options, Progress};
use crate::outcome::StopReason;
use crate::store::{NodeId, Store};
use std::time::Duration;

/// How many states there are between two looks at the clock.
const TICKS: usize = 64;

/// A state whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Which.
    pub number: NodeId,
    /// How far it is from an initial one.
    pub depth: u64,
}

/// How far it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels<E> {
    /// The moves of the longest shortest path.
    pub reached: u64,
    /// Whether that is all.
    pub ended: Result<(), E>,
}

/// What is done with a state.
pub type Expand<'f, 'a, E> = &'f mut dyn FnMut(&mut Space<'a>, Turn) -> Result<(), E>;

/// Expands the states that are stored, and those that are stored meanwhile.
pub fn each<'a, E: From<StopReason>>(
    space: &mut Space<'a>,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
    expand: Expand<'_, 'a, E>,
) -> Levels<E> {
    let mut told = Duration::ZERO;
    let mut reached = 0;
    let (mut node, mut level_end) = (0, space.store.len());
    let stopped = |reached, reason: E| Levels {
        reached,
        ended: Err(reason),
    };
    while node < space.store.len() {
        if node == level_end {
            reached += 1;
            level_end = space.store.len();
        }
        if node.is_multiple_of(TICKS) {
            if let Err(reason) = space.tick() {
                return stopped(reached, reason.into());
            }
            let elapsed = space.start().elapsed();
            if elapsed.saturating_sub(told) >= options.progress_every {
                told = elapsed;
                observer(&progress(space, node, reached));
            }
        }
        let n_before = space.store.len();
        let turn = Turn {
            number: NodeId::new(node),
            depth: reached,
        };
        if let Err(reason) = expand(space, turn) {
            return stopped(reached, reason);
        }
        let too_deep = options.depth_max.is_some_and(|max| reached >= max);
        if too_deep && space.store.len() > n_before {
            return stopped(reached, StopReason::Depth.into());
        }
        node += 1;
    }
    Levels {
        reached,
        ended: Ok(()),
    }
}

/// How far it has come.
fn progress(space: &Space<'_>, n_expanded: usize, depth: u64) -> Progress {
    let elapsed = space.start().elapsed();
    let n_states = space.store.len() as u64;
    Progress {
        n_states,
        n_transitions: space.n_transitions,
        depth,
        n_frontier: n_states - n_expanded as u64,
        memory_bytes: space.account.used(),
        elapsed,
        states_per_second: n_states as f64 / elapsed.as_secs_f64().max(1e-9),
    }
}
