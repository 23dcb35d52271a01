//! Words that end in a loop, and what a formula is worth on them, by the definition.
//!
//! A lasso has positions `0..n`; after the last comes position `start` again. Every position stands
//! for infinitely many moments or for one, and what follows is the same at all of them, so a
//! formula has one truth value a position. *Until* is the least solution of its unfolding and
//! *release* the greatest; both are found by going round until nothing changes.
//!
//! Worked example: the word `a, b, b, b, …` is the lasso of letters `[a, b]` with `start = 1`.
//! `<> [] b`: `[] b` holds at position 1 only, `<> [] b` at both.
//!
//! Nothing here is shared with the translation into automata: each is the other's plain twin. Cost:
//! positions squared times parts.

use super::formula::{FormulaId, Node, Pool};
use std::collections::HashMap;

/// A word `u v v v …`: letters, and where the loop starts. Bit `i` of a letter is atom `i`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    letters: Vec<u64>,
    start: usize,
}

impl Lasso {
    /// The lasso of these letters whose last is followed by the one at `start`.
    ///
    /// # Requires
    /// There is a letter at `start`.
    pub fn new(letters: Vec<u64>, start: usize) -> Lasso {
        assert!(start < letters.len(), "a loop without letters");
        Lasso { letters, start }
    }

    /// The letters, the loop once.
    pub fn letters(&self) -> &[u64] {
        &self.letters
    }

    /// Where the loop starts.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The position after `i`.
    pub fn after(&self, i: usize) -> usize {
        if i + 1 == self.letters.len() {
            self.start
        } else {
            i + 1
        }
    }

    /// Whether the word satisfies a formula.
    pub fn satisfies(&self, pool: &Pool, f: FormulaId) -> bool {
        self.values(pool, f)[0]
    }

    /// Whether the word from each position on satisfies a formula.
    pub fn values(&self, pool: &Pool, f: FormulaId) -> Vec<bool> {
        let n = self.letters.len();
        let mut values: HashMap<FormulaId, Vec<bool>> = HashMap::new();
        for part in pool.parts_of(f) {
            let node = pool.node(part);
            let all = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
            let v = |f: FormulaId, i: usize| values[&f][i];
            let value = match node {
                Node::True => vec![true; n],
                Node::False => vec![false; n],
                Node::Atom(atom) => all(&|i| self.letters[i] >> atom.index() & 1 == 1),
                Node::Not(a) => all(&|i| !v(a, i)),
                Node::And(a, b) => all(&|i| v(a, i) && v(b, i)),
                Node::Or(a, b) => all(&|i| v(a, i) || v(b, i)),
                Node::Implies(a, b) => all(&|i| !v(a, i) || v(b, i)),
                Node::Iff(a, b) => all(&|i| v(a, i) == v(b, i)),
                Node::Next(a) => all(&|i| v(a, self.after(i))),
                Node::Eventually(a) => self.solve(false, |i, next| v(a, i) || next),
                Node::Always(a) => self.solve(true, |i, next| v(a, i) && next),
                Node::Until(a, b) => self.solve(false, |i, next| v(b, i) || v(a, i) && next),
                Node::WeakUntil(a, b) => self.solve(true, |i, next| v(b, i) || v(a, i) && next),
                Node::Release(a, b) => self.solve(true, |i, next| v(b, i) && (v(a, i) || next)),
                Node::StrongRelease(a, b) => {
                    self.solve(false, |i, next| v(b, i) && (v(a, i) || next))
                }
            };
            values.insert(part, value);
        }
        values.remove(&f).expect("a formula is a part of itself")
    }

    /// The solution of `x[i] = step(i, x[after i])` that is reached from `from` everywhere.
    fn solve(&self, from: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut x = vec![from; self.letters.len()];
        loop {
            let before = x.clone();
            for i in (0..x.len()).rev() {
                x[i] = step(i, x[self.after(i)]);
            }
            if x == before {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_mean_what_their_definitions_say() {
        let mut pool = Pool::new();
        let (a, b) = (pool.atom(0), pool.atom(1));
        // a, a, b, then nothing for ever.
        let word = Lasso::new(vec![1, 1, 2, 0], 3);
        let mut values = |node| {
            let f = pool.add(node);
            let values = word.values(&pool, f);
            values.iter().map(|v| u8::from(*v)).collect::<Vec<u8>>()
        };
        assert_eq!(values(Node::Until(a, b)), [1, 1, 1, 0]);
        assert_eq!(values(Node::WeakUntil(b, a)), [1, 1, 0, 0]);
        assert_eq!(values(Node::Eventually(b)), [1, 1, 1, 0]);
        assert_eq!(values(Node::Next(a)), [1, 0, 0, 0]);
        assert_eq!(values(Node::Release(b, a)), [0, 0, 0, 0]);
        assert_eq!(values(Node::StrongRelease(a, a)), [1, 1, 0, 0]);
        assert_eq!(values(Node::Always(a)), [0, 0, 0, 0]);
    }

    #[test]
    fn a_loop_goes_on_for_ever() {
        let mut pool = Pool::new();
        let a = pool.atom(0);
        let some_time = pool.add(Node::Eventually(a));
        let again = pool.add(Node::Always(some_time));
        let always = pool.add(Node::Always(a));
        let at_last = pool.add(Node::Eventually(always));
        let blinking = Lasso::new(vec![0, 0, 1], 1);
        assert!(blinking.satisfies(&pool, again) && !blinking.satisfies(&pool, at_last));
        let steady = Lasso::new(vec![0, 1], 1);
        assert!(steady.satisfies(&pool, at_last));
    }
}
