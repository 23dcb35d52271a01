//! The states seen so far.
//!
//! A [`Store`] gives each state that is new to it the next number, and says what is certain about
//! its answers. One that also gives states back by number is a [`Recall`]: audits and replays ask
//! for that. [`trees::TreeStore`] does, and keeps states in a few bytes each;
//! [`compact::CompactStore`] keeps hashes only, so that states can be taken for others and nothing
//! is known to hold after a search with it.

pub mod compact;
mod cuts;
mod half;
mod index;
mod parts;
pub mod table;
pub mod tree;
pub mod trees;

use crate::Guarantee;
use base::memory::{Account, Full};

base::define_id!(
    NodeId,
    "Which state of a [`Store`], in the order of arrival."
);

/// A state in 64 bits: equal states have equal codes, and in an exact store others have others.
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

    /// Stores `state`, if it is not there yet, as [`Store::encode`] and [`Store::insert`] would.
    #[inline]
    fn put(&mut self, state: &[u8], account: &mut Account) -> Result<Inserted, Full> {
        let code = self.encode(state, account)?;
        self.insert(code, account)
    }

    /// Whether the state of that code is stored.
    fn contains(&self, code: Code) -> bool;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What everything in it takes; the same number is in use in the account.
    fn bytes(&self) -> u64;

    /// What is certain about its answers: [`Guarantee::Lossy`] if it may say of a state that is new
    /// that it was there.
    fn guarantee(&self) -> Guarantee;
}

/// A store that gives states back.
pub trait Recall: Store {
    /// Makes `out` the state of that number. What is encoded next is best a small change of it.
    fn load(&mut self, node: NodeId, out: &mut Vec<u8>);

    /// The store as one that several threads can fill, if it is one.
    fn as_trees(&mut self) -> Option<&mut trees::TreeStore> {
        None
    }
}

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// It is new.
    New(NodeId),
    /// It was there.
    Known,
}
