//! By breadth: level by level.
//!
//! States are expanded in the order of their numbers, so the frontier is two numbers, and a level
//! is a range of numbers. Parents take two bits a state ([`Parents`]). What is kept of states that
//! wait stands in a queue.

use super::kept::Kept;
use super::parents::Parents;
use super::{Entered, Frontier, Next, Successor, Visit};
use crate::store::NodeId;
use base::memory::{Account, Full, vec_bytes};
use std::collections::VecDeque;
use std::ops::Range;
use system::Fault;

/// The frontier of a search by breadth.
#[derive(Default)]
pub struct Breadth<K: Kept> {
    parents: Parents,
    waiting: VecDeque<K>,
    /// By state: how it was reached first.
    ways: Vec<K::Way>,
    /// How many states were taken: the last of them is being expanded.
    n_taken: usize,
    /// The first state of the next level, so far as it is known.
    level_end: usize,
    /// The level of the state being expanded.
    level: u64,
}

impl<K: Kept> Frontier for Breadth<K> {
    type Kept = K;

    const IS_LAZY: bool = false;

    #[inline]
    fn put(&mut self, successor: Successor<'_, K>, account: &mut Account) -> Result<(), Full> {
        account.push(&mut self.ways, successor.kept.way())?;
        self.waiting.push_back(successor.kept);
        self.parents.state(account)
    }

    #[inline]
    fn expanded(&mut self, account: &mut Account) -> Result<(), Full> {
        self.parents.expanded(account)
    }

    #[inline]
    fn next(&mut self, n_stored: usize, _: &mut Vec<Fault>) -> Option<Next<K>> {
        if self.n_taken == n_stored {
            return None;
        }
        if self.n_taken == self.level_end {
            // The first level starts with nothing before it.
            self.level += u64::from(self.level_end > 0);
            self.level_end = n_stored;
        }
        let kept = self.waiting.pop_front()?;
        self.n_taken += 1;
        let node = NodeId::new(self.n_taken - 1);
        Some(Next::Stored { node, kept })
    }

    fn enter(&mut self, _: Entered<K::Way>, _: &mut Account) -> Result<(), Full> {
        Ok(())
    }

    fn depth(&self) -> u64 {
        self.level
    }

    #[inline]
    fn depth_after(&self, _: usize) -> u64 {
        self.level + u64::from(self.n_taken > 0)
    }

    fn path(&self) -> Vec<Visit<K::Way>> {
        let Some(current) = self.n_taken.checked_sub(1) else {
            return Vec::new();
        };
        let path = self.parents.path(NodeId::new(current)).into_iter();
        let visits = path.map(|node| Visit {
            node,
            way: self.ways[node.index()],
        });
        visits.collect()
    }

    fn n_waiting(&self, n_stored: usize) -> usize {
        n_stored - self.n_taken
    }

    fn level_left(&self, n_stored: usize) -> Range<usize> {
        let is_over = self.n_taken == self.level_end;
        self.n_taken..if is_over { n_stored } else { self.level_end }
    }

    fn kept_bytes(&self) -> u64 {
        self.parents.bytes() + vec_bytes(&self.ways)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::kept::Whole;

    #[test]
    fn the_worked_example() {
        let (mut breadth, mut account) = (Breadth::<Whole>::default(), Account::new(None));
        let mut put = |breadth: &mut Breadth<Whole>, node: u8, index| {
            let kept = Whole::new(&[node], index, &mut account).unwrap();
            let successor = Successor {
                node: Some(NodeId::new(node.into())),
                code: None,
                n_steps: 1,
                faults: &[],
                kept,
            };
            breadth.put(successor, &mut account).unwrap();
        };
        let next = |breadth: &mut Breadth<Whole>, n| {
            let next = breadth.next(n, &mut Vec::new());
            let (mut state, mut account) = (Vec::new(), Account::new(None));
            account.take(1000).unwrap();
            if let Some(Next::Stored { node, kept }) = next {
                kept.release(&mut state, &mut account);
                assert_eq!(state, [node.index() as u8]);
            }
            (state.pop(), breadth.depth(), breadth.n_waiting(n))
        };
        let mut others = Account::new(None);
        // State 0 leads to 1 and 2, state 1 to 2.
        assert_eq!((breadth.depth_after(0), breadth.path().len()), (0, 0));
        put(&mut breadth, 0, 0);
        breadth.expanded(&mut others).unwrap();
        assert_eq!(next(&mut breadth, 1), (Some(0), 0, 0));
        assert_eq!(breadth.depth_after(3), 1);
        put(&mut breadth, 1, 0);
        put(&mut breadth, 2, 1);
        breadth.expanded(&mut others).unwrap();
        assert_eq!(next(&mut breadth, 3), (Some(1), 1, 1));
        breadth.expanded(&mut others).unwrap();
        assert_eq!(next(&mut breadth, 3), (Some(2), 1, 0));
        let path = breadth.path().into_iter();
        let path: Vec<_> = path.map(|v| (v.node.index(), v.way)).collect();
        assert_eq!(path, [(0, 0), (2, 1)]);
        assert_eq!(next(&mut breadth, 3), (None, 1, 0));
    }
}
