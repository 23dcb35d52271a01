//! Where states were reached from first, in two bits each.
//!
//! A search by breadth takes its states in the order of their numbers and numbers what it meets in
//! the order of meeting; so a state of higher number never has a parent of lower number than a
//! state before it. It is enough to write down how many new states each expansion gave, in unary:
//! a 1 for each, then a 0. The initial states come first, as if a state before all others had been
//! expanded.
//!
//! Worked example. `10 110 0 10 …`: one initial state, number 0; it gives states 1 and 2; state 1
//! gives none; state 2 gives state 3. The bit of state 3 is the fourth 1 and has three 0s before
//! it, so its parent is the third that was expanded, and the first was the one before all: state 2.
//!
//! Cost: two bits a state. A path is read off by one walk back over the bits.
//!
//! What makes this possible is the order of numbers alone, so it stays possible if a level is
//! expanded by several threads, as long as what they find is numbered by parent and move.

use crate::store::NodeId;
use base::memory::{Account, Full, vec_bytes};

/// A 1 for each state, a 0 for each expansion.
#[derive(Default)]
pub struct Parents {
    words: Vec<u64>,
    len: usize,
}

impl Parents {
    /// Writes down a new state.
    #[inline]
    pub fn state(&mut self, account: &mut Account) -> Result<(), Full> {
        self.bit(1, account)
    }

    /// Writes down that all new states of an expansion are written down.
    #[inline]
    pub fn expanded(&mut self, account: &mut Account) -> Result<(), Full> {
        self.bit(0, account)
    }

    /// The states from an initial one to `node`.
    ///
    /// # Requires
    /// `node` was written down.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = self.position(node.index());
        let mut number = node.index();
        // Of the zeros before, the first belongs to the expansion before all.
        while let Some(parent) = (at - number).checked_sub(1) {
            path.push(NodeId::new(parent));
            at = self.back(at, number, parent);
            number = parent;
        }
        path.reverse();
        path
    }

    /// What the bits take.
    pub fn bytes(&self) -> u64 {
        vec_bytes(&self.words)
    }

    #[inline]
    fn bit(&mut self, bit: u64, account: &mut Account) -> Result<(), Full> {
        let place = self.len % 64;
        if place == 0 {
            account.push(&mut self.words, 0)?;
        }
        self.words[self.len / 64] |= bit << place;
        self.len += 1;
        Ok(())
    }

    /// Where the 1 of state `number` is.
    fn position(&self, number: usize) -> usize {
        let mut before = 0;
        for (i, &word) in self.words.iter().enumerate() {
            let ones = word.count_ones() as usize;
            if before + ones > number {
                return i * 64 + select(word, number - before);
            }
            before += ones;
        }
        panic!("state {number} was not written down, only {before} were");
    }

    /// Where the 1 of state `earlier` is, if that of state `number` is at `at`.
    fn back(&self, at: usize, number: usize, earlier: usize) -> usize {
        let mut i = at / 64;
        // How many states were written down before this word.
        let mut before = number - (self.words[i] & ((1 << (at % 64)) - 1)).count_ones() as usize;
        while before > earlier {
            i -= 1;
            before -= self.words[i].count_ones() as usize;
        }
        i * 64 + select(self.words[i], earlier - before)
    }
}

/// Where the 1 of a word is that has `n` others below it.
fn select(mut word: u64, n: usize) -> usize {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_plain_parents() {
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut parents, mut account) = (Parents::default(), Account::new(None));
            let mut plain: Vec<Option<usize>> = Vec::new();
            let n_initial = rng.usize(1..4);
            let fan = rng.usize(2..100);
            let mut next = None;
            loop {
                let n = match next {
                    None => n_initial,
                    Some(_) => rng.usize(0..fan) / (1 + plain.len() / 500),
                };
                for _ in 0..n {
                    plain.push(next);
                    parents.state(&mut account).unwrap();
                }
                parents.expanded(&mut account).unwrap();
                next = Some(next.map_or(0, |node| node + 1));
                if next == Some(plain.len()) {
                    break;
                }
            }
            assert_eq!(parents.bytes(), account.used(), "seed {seed}");
            for node in 0..plain.len() {
                let mut path = vec![NodeId::new(node)];
                let mut at = node;
                while let Some(parent) = plain[at] {
                    path.push(NodeId::new(parent));
                    at = parent;
                }
                path.reverse();
                assert_eq!(parents.path(NodeId::new(node)), path, "seed {seed}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "state 1 was not written down, only 1 were")]
    fn a_state_that_was_not_written_down_has_no_path() {
        let (mut parents, mut account) = (Parents::default(), Account::new(None));
        parents.state(&mut account).unwrap();
        parents.path(NodeId::new(1));
    }
}
