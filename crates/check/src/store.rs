//! The states seen so far.
//!
//! A store gives each state that is new to it the next number, and gives states back by number.
//! [`tree::TreeStore`] is exact and keeps states in a few bytes each.

pub mod table;
pub mod tree;

use base::memory::{Account, Full};

base::define_id!(
    NodeId,
    "Which state of a [`Store`], in the order of arrival."
);

/// A state in 64 bits: for one store, equal states have equal codes, and others have others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub u64);

/// The states seen so far.
///
/// A state is encoded first and stored by its code, so that states can wait to be stored in few
/// bytes. Encoding may keep parts of the state for later; it does not make it a stored one.
pub trait Store {
    /// The code of `state`.
    fn encode(&mut self, state: &[u8], account: &mut Account) -> Result<Code, Full>;

    /// Stores the state of that code, if it is not there yet; numbers go up from 0 without gaps.
    ///
    /// If the account refuses, the state is not stored.
    ///
    /// # Requires
    /// The code comes from [`Store::encode`].
    fn insert(&mut self, code: Code, account: &mut Account) -> Result<Inserted, Full>;

    /// Whether the state of that code is stored.
    fn contains(&self, code: Code) -> bool;

    /// Makes `out` the state of that number. What is encoded next is best a small change of it.
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>);

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What everything in it takes; the same number is in use in the account.
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
