//! By breadth: level by level.
//!
//! States are expanded in the order of their numbers, so the frontier is two numbers, and a level
//! is a range of numbers. Parents take two bits a state ([`Parents`]).

use super::parents::Parents;
use super::{Frontier, Next, Successor};
use crate::store::NodeId;
use base::memory::{Account, Full};
use system::Fault;

/// The frontier of a search by breadth.
#[derive(Default)]
pub struct Breadth {
    parents: Parents,
    /// How many states were taken: the last of them is being expanded.
    n_taken: usize,
    /// The first state of the next level, so far as it is known.
    level_end: usize,
    /// The level of the state being expanded.
    level: u64,
}

impl Frontier for Breadth {
    const IS_LAZY: bool = false;

    #[inline]
    fn put(&mut self, _: &Successor<'_>, account: &mut Account) -> Result<(), Full> {
        self.parents.state(account)
    }

    #[inline]
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full> {
        self.parents.expanded(account)
    }

    #[inline]
    fn next(&mut self, n_stored: usize, _: &mut Vec<Fault>) -> Option<Next> {
        if self.n_taken == n_stored {
            return None;
        }
        if self.n_taken == self.level_end {
            // The first level starts with nothing before it.
            self.level += u64::from(self.level_end > 0);
            self.level_end = n_stored;
        }
        self.n_taken += 1;
        Some(Next::Stored(NodeId::new(self.n_taken - 1)))
    }

    fn enter(&mut self, _: NodeId, _: u64, _: &mut Account) -> Result<(), Full> {
        Ok(())
    }

    fn depth(&self) -> u64 {
        self.level
    }

    #[inline]
    fn depth_after(&self, _: usize) -> u64 {
        self.level + u64::from(self.n_taken > 0)
    }

    fn path(&self) -> Vec<NodeId> {
        match self.n_taken.checked_sub(1) {
            Some(current) => self.parents.path(NodeId::new(current)),
            None => Vec::new(),
        }
    }

    fn n_waiting(&self, n_stored: usize) -> usize {
        n_stored - self.n_taken
    }

    fn kept_bytes(&self) -> u64 {
        self.parents.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example() {
        let mut breadth = Breadth::default();
        let next = |breadth: &mut Breadth, n| {
            let next = breadth.next(n, &mut Vec::new());
            (next, breadth.depth(), breadth.n_waiting(n))
        };
        let stored = |n| Some(Next::Stored(NodeId::new(n)));
        // State 0 leads to 1 and 2, state 1 to 2.
        assert_eq!(breadth.depth_after(0), 0);
        assert_eq!(next(&mut breadth, 1), (stored(0), 0, 0));
        assert_eq!(breadth.depth_after(3), 1);
        assert_eq!(next(&mut breadth, 3), (stored(1), 1, 1));
        assert_eq!(next(&mut breadth, 3), (stored(2), 1, 0));
        assert_eq!(next(&mut breadth, 3), (None, 1, 0));
    }
}
