//! Which state comes next, and how the path to it is found again.
//!
//! A search hands the successors of the state that it expands to a [`Frontier`], and is given one
//! state after the other. There are three orders: by breadth ([`breadth`]), by depth ([`depth`]),
//! and between them ([`mixed`]). A search is compiled once for each, so that the order is chosen
//! once a run and not once a move.
//!
//! **When a successor is stored.** By breadth and in mixed order as soon as it is generated: what
//! waits are stored states. By depth only when its turn comes, as in SPIN's verifiers: what waits
//! are moves, and [`Frontier::IS_LAZY`] says so.
//!
//! **What waits.** Numbers of states if the store gives states back ([`crate::store::Recall`]),
//! else the states themselves ([`kept`]).
//!
//! Worked example. State `a` has moves to `b` and `c`, and `b` has one to `c`. By breadth: `a`,
//! `b`, `c` with depth 1. By depth: expand `a`, keep `c` and above it `b`; take `b`, expand it,
//! keep `c` above the other `c`; take it, depth 2; it has no moves; take the other `c`: known.

pub mod breadth;
pub mod depth;
pub mod kept;
pub mod mixed;
pub mod parents;

use crate::store::{Code, NodeId};
use base::memory::{Account, Full};
use kept::Kept;
use std::ops::Range;
use system::Fault;

/// How a state was reached first, as a frontier keeps it for good.
pub type Way<F> = <<F as Frontier>::Kept as Kept>::Way;

/// Which state comes next.
pub trait Frontier {
    /// What is kept of the states that wait.
    type Kept: Kept;

    /// Whether successors are stored when their turn comes, not when they are generated.
    const IS_LAZY: bool;

    /// Takes in a successor of the state being expanded, or an initial state.
    ///
    /// # Requires
    /// It has a number unless the frontier is lazy; numbers come in order, without gaps.
    fn put(
        &mut self,
        successor: Successor<'_, Self::Kept>,
        account: &mut Account,
    ) -> Result<(), Full>;

    /// All successors of the state being expanded, or all initial states, were put.
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full>;

    /// What comes next, of `n_stored` states; the faults of a move are put into the buffer.
    fn next(&mut self, n_stored: usize, faults: &mut Vec<Fault>) -> Option<Next<Self::Kept>>;

    /// The move that came last led to a state that is new, and which is expanded now. Those that
    /// are not lazy gave the state itself.
    fn enter(&mut self, entered: Entered<Way<Self>>, account: &mut Account) -> Result<(), Full>;

    /// How far the state being expanded is from the start.
    fn depth(&self) -> u64;

    /// How far a successor is that so many steps lead to; an initial state is reached by none.
    fn depth_after(&self, n_steps: usize) -> u64;

    /// The states from an initial one to the one being expanded; none before there is one.
    fn path(&self) -> Vec<Visit<Way<Self>>>;

    /// How many of `n_stored` states are not expanded; by depth, how many are on the path.
    fn n_waiting(&self, n_stored: usize) -> usize;

    /// The states that wait and are all of one level, by number, the next one first, if `n_stored`
    /// are stored; none where states are not taken in the order of their numbers.
    fn level_left(&self, _n_stored: usize) -> Range<usize> {
        0..0
    }

    /// What is kept for each state for good, to find paths.
    fn kept_bytes(&self) -> u64;
}

/// A successor of a state, or an initial state.
pub struct Successor<'a, K> {
    /// Its number, if it is stored.
    pub node: Option<NodeId>,
    /// Its code; `None` if a fault left no state to go on from.
    pub code: Option<Code>,
    /// How many steps the move to it has.
    pub n_steps: usize,
    /// What went wrong on that move, as far as it is not dealt with.
    pub faults: &'a [(usize, Fault)],
    /// What is kept of it.
    pub kept: K,
}

/// What comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next<K> {
    /// A state that is stored, to be expanded.
    Stored {
        /// Which.
        node: NodeId,
        /// What was kept of it.
        kept: K,
    },
    /// A move whose turn has come.
    Move {
        /// Where it leads; `None` if a fault left no state to go on from.
        code: Option<Code>,
        /// How far from the start that is, in steps.
        depth: u64,
        /// What was kept of it.
        kept: K,
    },
}

/// A state that is new and expanded at once.
#[derive(Clone, Copy, Debug)]
pub struct Entered<W> {
    /// Which.
    pub node: NodeId,
    /// How many steps lead to it.
    pub depth: u64,
    /// How it was reached.
    pub way: W,
}

/// A state on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit<W> {
    /// Which.
    pub node: NodeId,
    /// How it was reached from the one before.
    pub way: W,
}
