//! Which state comes next: sometimes the newest, sometimes the oldest.
//!
//! States wait in a queue. A new state goes to the front of it with probability 1/3 and to the back
//! otherwise; the state at the front is expanded next. So the search goes down here and there and
//! still keeps its breadth, which finds many errors after fewer states than either order alone.
//! The coin is a sequence of numbers made from a seed: the same seed gives the same search.
//! After M. Leuschel and M. Butler (ProB, 2003), where 1/3 is the default too.
//!
//! Worked example. State 0 has the successors 1, 2, 3 and the coin says back, front, front: the
//! queue is 3, 2, 1, so 3 is expanded next. It gives 4, to the back: 2, 1, 4.
//!
//! The queue is two lists: what was put to the front, newest last, and what was put to the back,
//! oldest first; the front list is used up first. A state that was put to the back stays in that
//! list for good.
//!
//! Cost: 8 bytes for each state, who was reached from whom and at what depth, and 4 for the queue.

use crate::store::NodeId;
use base::memory::{Account, Full, vec_bytes};

/// The frontier of a search in mixed order.
pub struct Mixed {
    /// What was put to the front, the next one last.
    front: Vec<NodeId>,
    /// What was put to the back; those before `next` are expanded.
    back: Vec<NodeId>,
    next: usize,
    /// By state: how it was reached first.
    reached: Vec<Reached>,
    coin: Coin,
}

/// How a state was reached first.
#[derive(Clone, Copy)]
struct Reached {
    /// One more than the number of the state before it; 0 for an initial state.
    from: u32,
    /// The moves to it.
    depth: u32,
}

impl Mixed {
    /// An empty queue, and the coin of that seed.
    pub fn new(seed: u64) -> Mixed {
        Mixed {
            front: Vec::new(),
            back: Vec::new(),
            next: 0,
            reached: Vec::new(),
            coin: Coin(seed),
        }
    }

    /// Puts a new state into the queue, which was reached from `from`, or is an initial one.
    ///
    /// # Requires
    /// States come in the order of their numbers, without gaps.
    pub fn put(
        &mut self,
        node: NodeId,
        from: Option<NodeId>,
        account: &mut Account,
    ) -> Result<(), Full> {
        assert_eq!(node.index(), self.reached.len(), "states come in order");
        let reached = match from {
            None => Reached { from: 0, depth: 0 },
            Some(from) => Reached {
                from: u32::try_from(from.index() + 1).map_err(|_| Full)?,
                depth: self.reached[from.index()].depth + 1,
            },
        };
        account.push(&mut self.reached, reached)?;
        if self.coin.is_front() {
            account.push(&mut self.front, node)
        } else {
            account.push(&mut self.back, node)
        }
    }

    /// The state to be expanded next.
    pub fn next(&mut self) -> Option<NodeId> {
        if let Some(node) = self.front.pop() {
            return Some(node);
        }
        let node = self.back.get(self.next).copied()?;
        self.next += 1;
        Some(node)
    }

    /// How many moves led to that state when it was reached first.
    pub fn depth(&self, node: NodeId) -> u64 {
        u64::from(self.reached[node.index()].depth)
    }

    /// The states from an initial one to `node`.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node.index();
        while let Some(from) = self.reached[at].from.checked_sub(1) {
            at = from as usize;
            path.push(NodeId::new(at));
        }
        path.reverse();
        path
    }

    /// How many states are not expanded.
    pub fn n_waiting(&self) -> usize {
        self.front.len() + self.back.len() - self.next
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        vec_bytes(&self.reached) + vec_bytes(&self.front) + vec_bytes(&self.back)
    }
}

/// Numbers from a seed: splitmix64 (S. Vigna), where every seed is as good as another.
struct Coin(u64);

impl Coin {
    /// One time in three.
    fn is_front(&mut self) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        z < u64::MAX / 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn the_queue_is_a_plain_one() {
        for seed in 0..50 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut mixed, mut account) = (Mixed::new(seed), Account::new(None));
            let mut coin = Coin(seed);
            let mut plain: VecDeque<NodeId> = VecDeque::new();
            let mut paths: Vec<Vec<NodeId>> = Vec::new();
            let mut from: Option<NodeId> = None;
            for _ in 0..200 {
                for _ in 0..rng.usize(0..4) {
                    let node = NodeId::new(paths.len());
                    let mut path = from.map_or(Vec::new(), |from| paths[from.index()].clone());
                    path.push(node);
                    paths.push(path);
                    mixed.put(node, from, &mut account).unwrap();
                    if coin.is_front() {
                        plain.push_front(node)
                    } else {
                        plain.push_back(node)
                    }
                }
                assert_eq!(mixed.n_waiting(), plain.len(), "seed {seed}");
                from = plain.pop_front();
                assert_eq!(mixed.next(), from, "seed {seed}");
            }
            assert_eq!(mixed.bytes(), account.used(), "seed {seed}");
            for (number, path) in paths.iter().enumerate() {
                let node = NodeId::new(number);
                assert_eq!(mixed.path(node), *path, "seed {seed}");
                assert_eq!(mixed.depth(node), path.len() as u64 - 1, "seed {seed}");
            }
        }
    }

    #[test]
    fn one_in_three_goes_to_the_front() {
        for seed in [0, 1, u64::MAX] {
            let mut coin = Coin(seed);
            let n_front = (0..30_000).filter(|_| coin.is_front()).count();
            assert!((9_700..10_300).contains(&n_front), "{n_front}");
        }
    }
}
