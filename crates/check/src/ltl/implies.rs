//! Relations between formulas that can be seen in their text.
//!
//! For formulas in negation normal form, three questions that are one under negation:
//!
//! | relation | claim | example |
//! |---|---|---|
//! | implies | every word of `a` is one of `b` | `p && q` implies `<> q` |
//! | excludes | no word satisfies both | `[] p` excludes `q U !p` |
//! | covers | every word satisfies one | `<> p` covers `[] !p` |
//!
//! *Yes* is a proof, *no* says nothing. The rules look at the outermost operators and ask again
//! about the parts; the unfoldings `a U b = b || a && X(a U b)` and `a R b = b && (a || X(a R b))`
//! give those for until and release. Answers are remembered, and both depth and work are bounded:
//! beyond the bound the answer is *no*, which is always safe.
//!
//! After the syntactic implications of Somenzi and Bloem (2000), written for all three relations.

use super::formula::{FormulaId, Node, Pool};
use super::rules::{as_release, as_until};
use std::collections::HashMap;

/// Which relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The first is satisfied only where the second is.
    Implies,
    /// Never both.
    Excludes,
    /// Always one.
    Covers,
}

/// How deep a proof may be.
const DEPTH_MAX: usize = 100;
/// How many questions may be asked in all.
const N_QUESTIONS_MAX: u32 = 200_000;

/// Answers so far.
#[derive(Default)]
pub struct Relations {
    answers: HashMap<(Relation, FormulaId, FormulaId), bool>,
    n_asked: u32,
}

impl Relations {
    /// Whether the relation is seen to hold.
    pub fn holds(&mut self, pool: &Pool, r: Relation, a: FormulaId, b: FormulaId) -> bool {
        self.prove(pool, (r, a, b), DEPTH_MAX)
    }

    fn prove(&mut self, pool: &Pool, q: (Relation, FormulaId, FormulaId), depth: usize) -> bool {
        if let Some(answer) = self.answers.get(&q) {
            return *answer;
        }
        if depth == 0 || self.n_asked == N_QUESTIONS_MAX {
            return false;
        }
        self.n_asked += 1;
        let answer = self.by_rules(pool, q, depth - 1);
        self.answers.insert(q, answer);
        answer
    }

    fn by_rules(&mut self, pool: &Pool, q: (Relation, FormulaId, FormulaId), depth: usize) -> bool {
        let (r, a, b) = q;
        let (x, y) = (pool.node(a), pool.node(b));
        // What the first must be for the claim to be trivial, and the second.
        let (first, second) = match r {
            Relation::Implies => (Node::False, Node::True),
            Relation::Excludes => (Node::False, Node::False),
            Relation::Covers => (Node::True, Node::True),
        };
        if x == first || y == second {
            return true;
        }
        if r == Relation::Implies && a == b {
            return true;
        }
        if r != Relation::Implies && (x == Node::Not(b) || y == Node::Not(a)) {
            return true;
        }
        // A first formula that is a conjunction makes the claim easier where words are to be few.
        let (few_a, few_b) = match r {
            Relation::Implies => (true, false),
            Relation::Excludes => (true, true),
            Relation::Covers => (false, false),
        };
        let mut ask = |a, b| self.prove(pool, (r, a, b), depth);
        // All of its parts must do, or one of them.
        let all_of = |node, few| match (node, few) {
            (Node::Or(c, d), true) | (Node::And(c, d), false) => Some((c, d)),
            _ => None,
        };
        let one_of = |node, few| match (node, few) {
            (Node::And(c, d), true) | (Node::Or(c, d), false) => Some((c, d)),
            _ => None,
        };
        if let Some((c, d)) = all_of(x, few_a) {
            return ask(c, b) && ask(d, b);
        }
        if let Some((c, d)) = all_of(y, few_b) {
            return ask(a, c) && ask(a, d);
        }
        if one_of(x, few_a).is_some_and(|(c, d)| ask(c, b) || ask(d, b)) {
            return true;
        }
        if one_of(y, few_b).is_some_and(|(c, d)| ask(a, c) || ask(a, d)) {
            return true;
        }
        self.of_time(pool, q, (few_a, few_b), depth)
    }

    /// The rules for operators of time.
    fn of_time(
        &mut self,
        pool: &Pool,
        (r, a, b): (Relation, FormulaId, FormulaId),
        (few_a, few_b): (bool, bool),
        depth: usize,
    ) -> bool {
        let mut ask = |a, b| self.prove(pool, (r, a, b), depth);
        if let (Node::Next(a), Node::Next(b)) = (pool.node(a), pool.node(b)) {
            return ask(a, b);
        }
        let (until_a, until_b) = (as_until(pool, a), as_until(pool, b));
        let (release_a, release_b) = (as_release(pool, a), as_release(pool, b));
        // Two of a kind, or of opposite kinds under negation, are compared part by part.
        let pairs = match r {
            Relation::Implies => [(until_a, until_b), (release_a, release_b)],
            _ => [(until_a, release_b), (release_a, until_b)],
        };
        for pair in pairs {
            if let (Some((c, d)), Some((e, f))) = pair
                && ask(c, e)
                && ask(d, f)
            {
                return true;
            }
        }
        // `c U d` holds only where one of them does now, and wherever `d` does; `c R d` only where
        // `d` does, and wherever both do.
        let sides = |few, until, release| {
            if few {
                (until, release)
            } else {
                (release, until)
            }
        };
        let (both_a, last_a) = sides(few_a, until_a, release_a);
        let (both_b, last_b) = sides(few_b, until_b, release_b);
        both_a.is_some_and(|(c, d)| ask(c, b) && ask(d, b))
            || last_a.is_some_and(|(_, d)| ask(d, b))
            || both_b.is_some_and(|(c, d)| ask(a, c) && ask(a, d))
            || last_b.is_some_and(|(_, d)| ask(a, d))
    }
}
