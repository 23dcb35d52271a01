//! The states seen so far.
//!
//! A store gives each state that is new to it the next number, and gives states back by number.
//! [`tree::TreeStore`] is exact and keeps states in a few bytes each.

pub mod table;
pub mod tree;

use crate::budget::{Budget, Full};

base::define_id!(
    NodeId,
    "Which state of a [`Store`], in the order of arrival."
);

/// The states seen so far.
pub trait Store {
    /// Stores `state`, if it is not there yet; numbers go up from 0 without gaps.
    ///
    /// If the budget refuses, the state is not stored.
    fn insert(&mut self, state: &[u8], budget: &mut Budget) -> Result<Inserted, Full>;

    /// Whether `state` is stored.
    fn contains(&self, state: &[u8]) -> bool;

    /// Makes `out` the state of that number. What is inserted next is best a small change of it.
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>);

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What everything in it takes; the same number is in use in the budget.
    fn bytes(&self) -> u64;
}

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// It is new.
    New(NodeId),
    /// It was there.
    Known,
}
