//! Which state comes next: sometimes the newest, sometimes the oldest.
//!
//! States wait in a queue. A new state goes to the front of it by chance, one time in three if
//! nothing else is asked for, and to the back otherwise; the state at the front is expanded next.
//! So the search goes down here and there and still keeps its breadth, which finds many errors
//! after fewer states than either order alone. The coin is a sequence of numbers made from a seed:
//! the same seed gives the same search. After M. Leuschel and M. Butler (ProB, 2003), where 1/3 is
//! the default too.
//!
//! Worked example. State 0 has the successors 1, 2, 3 and the coin says back, front, front: the
//! queue is 3, 2, 1, so 3 is expanded next. It gives 4, to the back: 2, 1, 4.
//!
//! The queue is two lists: what was put to the front, newest last, and what was put to the back,
//! oldest first; the front list is used up first. A state that was put to the back stays in that
//! list for good.
//!
//! Cost: 8 bytes for each state, who was reached from whom and at what depth, and 4 for the queue.

use super::kept::Kept;
use super::{Entered, Frontier, Next, Successor, Visit};
use crate::options::Chance;
use crate::store::NodeId;
use base::memory::{Account, Full, vec_bytes};
use system::Fault;

/// The frontier of a search in mixed order.
pub struct Mixed<K: Kept> {
    /// What was put to the front, the next one last.
    front: Vec<Waiting<K>>,
    /// What was put to the back; those before `next` are expanded.
    back: Vec<Waiting<K>>,
    next: usize,
    /// The state being expanded.
    current: Option<NodeId>,
    /// By state: how it was reached first.
    reached: Vec<Reached<K::Way>>,
    coin: Coin,
}

/// How a state was reached first.
#[derive(Clone, Copy)]
struct Reached<W> {
    /// One more than the number of the state before it; 0 for an initial state.
    from: u32,
    /// The moves to it.
    depth: u32,
    way: W,
}

/// A state that waits.
#[derive(Default)]
struct Waiting<K> {
    node: u32,
    kept: K,
}

impl<K: Kept> Mixed<K> {
    /// An empty queue, and the coin of that seed.
    pub fn new(seed: u64, to_front: Chance) -> Mixed<K> {
        Mixed {
            front: Vec::new(),
            back: Vec::new(),
            next: 0,
            current: None,
            reached: Vec::new(),
            coin: Coin {
                state: seed,
                to_front,
            },
        }
    }
}

impl<K: Kept> Frontier for Mixed<K> {
    type Kept = K;

    const IS_LAZY: bool = false;

    fn put(&mut self, successor: Successor<'_, K>, account: &mut Account) -> Result<(), Full> {
        let node = NodeId::new(self.reached.len());
        assert!(successor.node.is_none_or(|n| n == node), "states in order");
        let from = self.current.map_or(0, |current| current.index() + 1);
        let depth = self.depth_after(successor.n_steps);
        let reached = Reached {
            from: u32::try_from(from).map_err(|_| Full)?,
            depth: u32::try_from(depth).map_err(|_| Full)?,
            way: successor.kept.way(),
        };
        account.push(&mut self.reached, reached)?;
        let waiting = Waiting {
            node: u32::try_from(node.index()).map_err(|_| Full)?,
            kept: successor.kept,
        };
        if self.coin.is_front() {
            account.push(&mut self.front, waiting)
        } else {
            account.push(&mut self.back, waiting)
        }
    }

    fn expanded(&mut self, _: &mut Account) -> Result<(), Full> {
        Ok(())
    }

    fn next(&mut self, _: usize, _: &mut Vec<Fault>) -> Option<Next<K>> {
        let mut waiting = self.front.pop();
        if waiting.is_none() {
            waiting = self.back.get_mut(self.next).map(std::mem::take);
            self.next += usize::from(waiting.is_some());
        }
        self.current = None;
        let Waiting { node, kept } = waiting?;
        let node = NodeId::new(node as usize);
        self.current = Some(node);
        Some(Next::Stored { node, kept })
    }

    fn enter(&mut self, _: Entered<K::Way>, _: &mut Account) -> Result<(), Full> {
        Ok(())
    }

    fn depth(&self) -> u64 {
        let current = self.current.map(|current| self.reached[current.index()]);
        current.map_or(0, |reached| u64::from(reached.depth))
    }

    fn depth_after(&self, _: usize) -> u64 {
        self.depth() + u64::from(self.current.is_some())
    }

    fn path(&self) -> Vec<Visit<K::Way>> {
        let visit = |node: NodeId| Visit {
            node,
            way: self.reached[node.index()].way,
        };
        let mut path = Vec::new();
        let mut at = self.current;
        while let Some(node) = at {
            path.push(visit(node));
            let from = self.reached[node.index()].from.checked_sub(1);
            at = from.map(|from| NodeId::new(from as usize));
        }
        path.reverse();
        path
    }

    fn n_waiting(&self, _: usize) -> usize {
        self.front.len() + self.back.len() - self.next
    }

    fn kept_bytes(&self) -> u64 {
        vec_bytes(&self.reached) + vec_bytes(&self.front) + vec_bytes(&self.back)
    }
}

/// Numbers from a seed: splitmix64 (S. Vigna), where every seed is as good as another.
struct Coin {
    state: u64,
    to_front: Chance,
}

impl Coin {
    fn is_front(&mut self) -> bool {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        self.to_front.happens(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::kept::Number;
    use std::collections::VecDeque;

    #[test]
    fn the_queue_is_a_plain_one() {
        for seed in 0..50 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let to_front =
                [Chance::THIRD, Chance::percent(0), Chance::percent(80)][seed as usize % 3];
            let (mut mixed, mut account) =
                (Mixed::<Number>::new(seed, to_front), Account::new(None));
            let mut coin = Coin {
                state: seed,
                to_front,
            };
            let mut plain: VecDeque<NodeId> = VecDeque::new();
            let mut paths: Vec<Vec<NodeId>> = Vec::new();
            let mut from: Option<NodeId> = None;
            for _ in 0..200 {
                for _ in 0..rng.usize(0..4) {
                    let node = NodeId::new(paths.len());
                    let mut path = from.map_or(Vec::new(), |from| paths[from.index()].clone());
                    path.push(node);
                    paths.push(path);
                    let successor = Successor {
                        node: Some(node),
                        code: None,
                        n_steps: rng.usize(1..4),
                        faults: &[],
                        kept: Number,
                    };
                    mixed.put(successor, &mut account).unwrap();
                    if coin.is_front() {
                        plain.push_front(node)
                    } else {
                        plain.push_back(node)
                    }
                }
                assert_eq!(mixed.n_waiting(0), plain.len(), "seed {seed}");
                from = plain.pop_front();
                let next = mixed.next(0, &mut Vec::new());
                let kept = Number;
                let expected = from.map(|node| Next::Stored { node, kept });
                assert_eq!(next, expected, "seed {seed}");
                let path = from.map_or(Vec::new(), |from| paths[from.index()].clone());
                let visits = mixed.path().into_iter().map(|visit| visit.node);
                assert_eq!(visits.collect::<Vec<_>>(), path, "seed {seed}");
                let depth = (path.len() as u64).saturating_sub(1);
                assert_eq!(mixed.depth(), depth, "seed {seed}");
            }
            assert_eq!(mixed.kept_bytes(), account.used(), "seed {seed}");
        }
    }

    #[test]
    fn as_many_go_to_the_front_as_were_asked_for() {
        for (to_front, wanted) in [
            (Chance::THIRD, 10_000),
            (Chance::percent(0), 0),
            (Chance::percent(80), 24_000),
            (Chance::percent(100), 30_000),
        ] {
            for state in [0, 1, u64::MAX] {
                let mut coin = Coin { state, to_front };
                let n_front = (0..30_000).filter(|_| coin.is_front()).count();
                assert!(n_front.abs_diff(wanted) < 300, "{n_front} of {wanted}");
            }
        }
    }
}
