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
//! Worked example. State `a` has moves to `b` and `c`, and `b` has one to `c`. By breadth: `a`,
//! `b`, `c` with depth 1. By depth: expand `a`, keep `c` and above it `b`; take `b`, expand it,
//! keep `c` above the other `c`; take it, depth 2; it has no moves; take the other `c`: known.

pub mod breadth;
pub mod depth;
pub mod mixed;
pub mod parents;

use crate::store::{Code, NodeId};
use base::memory::{Account, Full};
use system::Fault;

/// Which state comes next.
pub trait Frontier {
    /// Whether successors are stored when their turn comes, not when they are generated.
    const IS_LAZY: bool;

    /// Takes in a successor of the state being expanded, or an initial state.
    ///
    /// # Requires
    /// It has a number unless the frontier is lazy; numbers come in order, without gaps.
    fn put(&mut self, successor: &Successor<'_>, account: &mut Account) -> Result<(), Full>;

    /// All successors of the state being expanded, or all initial states, were put.
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full>;

    /// What comes next, of `n_stored` states; the faults of a move are put into the buffer.
    fn next(&mut self, n_stored: usize, faults: &mut Vec<Fault>) -> Option<Next>;

    /// The move that came last led to a state that is new, and which is expanded now. Those that
    /// are not lazy gave the state itself.
    fn enter(&mut self, node: NodeId, depth: u64, account: &mut Account) -> Result<(), Full>;

    /// How far the state being expanded is from the start.
    fn depth(&self) -> u64;

    /// How far a successor is that so many steps lead to; an initial state is reached by none.
    fn depth_after(&self, n_steps: usize) -> u64;

    /// The states from an initial one to the one being expanded; none before there is one.
    fn path(&self) -> Vec<NodeId>;

    /// How many of `n_stored` states are not expanded; by depth, how many are on the path.
    fn n_waiting(&self, n_stored: usize) -> usize;

    /// What is kept for each state for good, to find paths.
    fn kept_bytes(&self) -> u64;
}

/// A successor of a state, or an initial state.
pub struct Successor<'a> {
    /// Its number, if it is stored.
    pub node: Option<NodeId>,
    /// Its code; `None` if a fault left no state to go on from.
    pub code: Option<Code>,
    /// How many steps the move to it has.
    pub n_steps: usize,
    /// What went wrong on that move, as far as it is not dealt with.
    pub faults: &'a [(usize, Fault)],
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A state that is stored, to be expanded.
    Stored(NodeId),
    /// A move whose turn has come: where it leads, and how far from the start that is.
    Move {
        /// `None` if a fault left no state to go on from.
        code: Option<Code>,
        /// In steps.
        depth: u64,
    },
}
