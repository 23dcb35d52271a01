//! The quotient as it is met: every state, every move with its label, for who keeps them.
//!
//! The states are those of a search by breadth, numbered in the order in which they are met. What
//! becomes of them is the business of who asks; nothing is kept here but the states.
//!
//! Worked example: two counters below 2 are told as state 0, its moves to 1 and 2, state 0 done,
//! and so on; state 3 is done without moves, at rest.

use crate::Reducer;
use crate::options::{Observer, Options};
use crate::outcome::StopReason;
use crate::store::{NodeId, Store, trees::TreeStore};
use crate::temporal::levels;
use crate::temporal::space::{MetMove, Space};
use system::{Fault, FaultKind, MoveLabel, Rest, System, Taken};

/// What is met, in this order: the initial states; then of each state its moves, and that they are
/// all.
pub enum Met<'m> {
    /// An initial state; each is met once, before all else.
    Initial(NodeId),
    /// A move of the state whose turn it is.
    Move {
        /// Its steps.
        steps: &'m [Taken],
        /// Gives its label.
        label: &'m mut dyn FnMut() -> MoveLabel,
        /// Where it leads. New states are met in the order of their numbers.
        target: NodeId,
    },
    /// All moves of the state whose turn it is were met.
    Done(StateFacts),
}

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateFacts {
    /// What it is if nothing moves.
    pub rest: Rest,
    /// Whether something is wrong in it, or goes wrong in a move from it.
    pub is_wrong: bool,
}

/// What was explored.
pub struct StatesSeen {
    /// The states.
    pub store: TreeStore,
    /// Why it is not all, if it is not.
    pub cut: Option<StatesCut>,
    /// What went wrong on the way to an initial state, if anything did.
    pub wrong_start: Option<Fault>,
}

/// Why not all states were explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatesCut {
    /// There are more than that many.
    States(usize),
    /// A limit came first.
    Stopped(StopReason),
}

impl From<StopReason> for StatesCut {
    fn from(reason: StopReason) -> StatesCut {
        StatesCut::Stopped(reason)
    }
}

/// What is taken to be kept of a move, and of a state, by who asks.
const MOVE_BYTES: u64 = 16;
const STATE_BYTES: u64 = 48;

/// Explores a quotient, as far as limits allow, and tells all that is met.
pub fn explore(
    system: &dyn System,
    reducer: &mut dyn Reducer,
    n_states_max: usize,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
    out: &mut dyn FnMut(Met<'_>),
) -> StatesSeen {
    let mut wrong_start = None;
    system.initial(&mut system.scratch(), &mut |initial| {
        wrong_start = wrong_start.or(initial.err());
    });
    let mut space = Space::new(system, reducer, options);
    let ended = all(&mut space, n_states_max, options, observer, out);
    StatesSeen {
        store: space.store,
        cut: ended.err(),
        wrong_start,
    }
}

fn all(
    space: &mut Space<'_>,
    n_states_max: usize,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
    out: &mut dyn FnMut(Met<'_>),
) -> Result<(), StatesCut> {
    let mut n_told = 0;
    for node in space.initial()? {
        if node.index() == n_told {
            out(Met::Initial(node));
            n_told += 1;
        }
    }
    let levels = levels::each(space, options, observer, &mut |space, turn| {
        if space.store.len() >= n_states_max && turn.number.index() > 0 {
            return Err(StatesCut::States(n_states_max));
        }
        space.account.take(STATE_BYTES).map_err(StopReason::from)?;
        space.lost = None;
        let mut is_wrong = false;
        let rest = space.each(turn.number, &mut |space, target, met| {
            space.n_transitions += 1;
            space.account.take(MOVE_BYTES)?;
            let MetMove { taken, label, .. } = met;
            is_wrong |= taken.faults.iter().any(|(_, fault)| is_error(fault));
            out(Met::Move {
                steps: taken.steps,
                label,
                target,
            });
            Ok(())
        })?;
        match space.lost {
            // Not all moves were found.
            Some(fault) if fault.kind == FaultKind::Cut => return Err(StopReason::Cut.into()),
            Some(_) => is_wrong = true,
            None => {}
        }
        space.wrong(turn.number, &mut |fault| is_wrong |= is_error(&fault));
        out(Met::Done(StateFacts { rest, is_wrong }));
        Ok(())
    });
    levels.ended
}

/// Whether something is wrong: not that a state was looked for, nor that something is not known.
fn is_error(fault: &Fault) -> bool {
    !matches!(
        fault.kind,
        FaultKind::Goal | FaultKind::Undecided(_) | FaultKind::Cut
    )
}
