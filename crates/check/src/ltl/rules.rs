//! Operators that rewrite while they build: each gives a formula with the meaning of its name, in
//! negation normal form and as small as its rules can make it.
//!
//! The rules rest on three things. *Relations* seen in the text ([`super::implies`]): in `a && b`,
//! what is implied goes; `a U b` is `b` if `a` implies `b`, and `<> b` if `a` covers `b`. *Purity*
//! (Etessami and Holzmann 2000): a formula is *eventual* if it stays true when letters are put in
//! front, such as `<> p`, and *universal* if it stays true when letters are taken away there, such
//! as `[] p`. Then `a U e` is `e`, `a R u` is `u`, and what is both passes through every operator.
//! *Distribution*: `[] a && [] b` is `[] (a && b)`, `a U b || a U c` is `a U (b || c)`, and so on.
//!
//! Worked example: `<> (q && [] <> p) || X [] <> p` is `<> q && [] <> p || [] <> p`, since `[] <>
//! p` is both eventual and universal, and that is `[] <> p`.
//!
//! Every rule has its dual beside it. The rules are tried in one order, so that the same formula
//! gives the same result.

use super::formula::{FormulaId, Node, Pool};
use super::implies::{Relation, Relations};
use std::collections::HashMap;

/// `a U b`, with `<> b` as `true U b`.
pub fn as_until(pool: &Pool, f: FormulaId) -> Option<(FormulaId, FormulaId)> {
    match pool.node(f) {
        Node::Until(a, b) => Some((a, b)),
        Node::Eventually(b) => Some((pool.constant(true), b)),
        _ => None,
    }
}

/// `a R b`, with `[] b` as `false R b`.
pub fn as_release(pool: &Pool, f: FormulaId) -> Option<(FormulaId, FormulaId)> {
    match pool.node(f) {
        Node::Release(a, b) => Some((a, b)),
        Node::Always(b) => Some((pool.constant(false), b)),
        _ => None,
    }
}

/// Whether letters may be put in front, and taken away.
#[derive(Clone, Copy)]
struct Purity {
    eventual: bool,
    universal: bool,
}

/// What builds formulas.
pub struct Rules<'a> {
    pub pool: &'a mut Pool,
    relations: Relations,
    purities: HashMap<FormulaId, Purity>,
    /// How many rewritings are left; when there are none, nodes are built as they are.
    fuel: u32,
}

/// Longer lists are not compared pair by pair.
const N_COMPARED_MAX: usize = 64;

/// Whether a list is a conjunction or a disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    And,
    Or,
}

impl<'a> Rules<'a> {
    /// Rules that may be applied `fuel` times.
    pub fn new(pool: &'a mut Pool, fuel: u32) -> Rules<'a> {
        Rules {
            pool,
            relations: Relations::default(),
            purities: HashMap::new(),
            fuel,
        }
    }

    fn holds(&mut self, r: Relation, a: FormulaId, b: FormulaId) -> bool {
        self.relations.holds(self.pool, r, a, b)
    }

    fn purity(&mut self, f: FormulaId) -> Purity {
        if let Some(known) = self.purities.get(&f) {
            return *known;
        }
        for part in self.pool.parts_of(f) {
            let node = self.pool.node(part);
            let all = |is: fn(&Purity) -> bool| node.parts().all(|p| is(&self.purities[&p]));
            let (eventual, universal) = (all(|p| p.eventual), all(|p| p.universal));
            let purity = match node {
                Node::Eventually(_) => (true, universal),
                Node::Always(_) => (eventual, true),
                Node::Atom(_) | Node::Not(_) => (false, false),
                _ => (eventual, universal),
            };
            let (eventual, universal) = purity;
            self.purities.insert(
                part,
                Purity {
                    eventual,
                    universal,
                },
            );
        }
        self.purities[&f]
    }

    fn is_suspendable(&mut self, f: FormulaId) -> bool {
        let purity = self.purity(f);
        purity.eventual && purity.universal
    }

    /// The conjunction.
    pub fn and(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.join(Join::And, vec![a, b])
    }

    /// The disjunction.
    pub fn or(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.join(Join::Or, vec![a, b])
    }

    /// `X a`.
    pub fn next(&mut self, a: FormulaId) -> FormulaId {
        match self.pool.node(a) {
            Node::True | Node::False => a,
            _ if self.is_suspendable(a) => a,
            _ => self.pool.add(Node::Next(a)),
        }
    }

    /// `a U b`.
    pub fn until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let (yes, no) = (self.pool.constant(true), self.pool.constant(false));
        if a == no || b == yes || b == no || self.purity(b).eventual {
            return b;
        }
        if self.holds(Relation::Implies, a, b) {
            return b;
        }
        if a != yes && self.holds(Relation::Covers, a, b) {
            return self.until(yes, b);
        }
        if let Some((c, d)) = as_until(self.pool, b) {
            if self.holds(Relation::Implies, a, c) {
                return b;
            }
            if self.holds(Relation::Implies, c, a) {
                return self.until(a, d);
            }
        }
        if let Some(f) = self.through_next(a, b, yes, Rules::until) {
            return f;
        }
        if let Some(f) = self.apart(a, b, Rules::until) {
            return f;
        }
        self.pool.add(if a == yes {
            Node::Eventually(b)
        } else {
            Node::Until(a, b)
        })
    }

    /// `a R b`.
    pub fn release(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let (yes, no) = (self.pool.constant(true), self.pool.constant(false));
        if a == yes || b == yes || b == no || self.purity(b).universal {
            return b;
        }
        if self.holds(Relation::Implies, b, a) {
            return b;
        }
        if a != no && self.holds(Relation::Excludes, a, b) {
            return self.release(no, b);
        }
        if let Some((c, d)) = as_release(self.pool, b) {
            if self.holds(Relation::Implies, c, a) {
                return b;
            }
            if self.holds(Relation::Implies, a, c) {
                return self.release(a, d);
            }
        }
        if let Some(f) = self.through_next(a, b, no, Rules::release) {
            return f;
        }
        if let Some(f) = self.apart(a, b, Rules::release) {
            return f;
        }
        self.pool.add(if a == no {
            Node::Always(b)
        } else {
            Node::Release(a, b)
        })
    }

    /// `X a U X b` is `X (a U b)`, and so for release; `neutral` is the same now and next.
    fn through_next(
        &mut self,
        a: FormulaId,
        b: FormulaId,
        neutral: FormulaId,
        operator: fn(&mut Self, FormulaId, FormulaId) -> FormulaId,
    ) -> Option<FormulaId> {
        let Node::Next(d) = self.pool.node(b) else {
            return None;
        };
        let c = match self.pool.node(a) {
            Node::Next(c) => c,
            _ if a == neutral => a,
            _ => return None,
        };
        let inner = operator(self, c, d);
        Some(self.next(inner))
    }

    /// What is both eventual and universal on the right of an until or release, taken out of it:
    /// it holds now if ever.
    fn apart(
        &mut self,
        a: FormulaId,
        b: FormulaId,
        operator: fn(&mut Self, FormulaId, FormulaId) -> FormulaId,
    ) -> Option<FormulaId> {
        let join = match self.pool.node(b) {
            Node::And(..) => Join::And,
            Node::Or(..) => Join::Or,
            _ => return None,
        };
        let mut rest = self.flat(join, vec![b]);
        let outside: Vec<FormulaId> = rest
            .iter()
            .copied()
            .filter(|f| self.is_suspendable(*f))
            .collect();
        if outside.is_empty() || self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        rest.retain(|f| !outside.contains(f));
        let rest = self.join(join, rest);
        let mut all = vec![operator(self, a, rest)];
        all.extend(outside);
        Some(self.join(join, all))
    }

    /// The members of nested conjunctions or disjunctions, each once, in order of their ids.
    fn flat(&self, join: Join, mut list: Vec<FormulaId>) -> Vec<FormulaId> {
        let mut members = Vec::new();
        while let Some(f) = list.pop() {
            match (join, self.pool.node(f)) {
                (Join::And, Node::And(a, b)) | (Join::Or, Node::Or(a, b)) => list.extend([a, b]),
                _ => members.push(f),
            }
        }
        members.sort();
        members.dedup();
        members
    }

    /// The conjunction or disjunction of a list.
    fn join(&mut self, join: Join, list: Vec<FormulaId>) -> FormulaId {
        let (neutral, absorbing) = match join {
            Join::And => (self.pool.constant(true), self.pool.constant(false)),
            Join::Or => (self.pool.constant(false), self.pool.constant(true)),
        };
        let mut list = self.flat(join, list);
        loop {
            list.retain(|f| *f != neutral);
            if list.contains(&absorbing) {
                return absorbing;
            }
            if list.len() > N_COMPARED_MAX {
                break;
            }
            if self.clashes(join, &list) {
                return absorbing;
            }
            self.drop_implied(join, &mut list);
            if self.fuel == 0 {
                break;
            }
            let Some((i, k, merged)) = self.merge(join, &list) else {
                break;
            };
            self.fuel -= 1;
            list.remove(k);
            list.remove(i);
            list.push(merged);
            list = self.flat(join, list);
        }
        let mut list = list.into_iter().rev();
        let last = list.next().unwrap_or(neutral);
        list.fold(last, |rest, f| {
            self.pool.add(match join {
                Join::And => Node::And(f, rest),
                Join::Or => Node::Or(f, rest),
            })
        })
    }

    /// Whether two members make the whole false, or true.
    fn clashes(&mut self, join: Join, list: &[FormulaId]) -> bool {
        let relation = match join {
            Join::And => Relation::Excludes,
            Join::Or => Relation::Covers,
        };
        let pairs = (0..list.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
        pairs
            .into_iter()
            .any(|(i, k)| self.holds(relation, list[i], list[k]))
    }

    /// Takes out members that others make superfluous.
    fn drop_implied(&mut self, join: Join, list: &mut Vec<FormulaId>) {
        let mut i = 0;
        while i < list.len() {
            let f = list[i];
            let superfluous = list.iter().any(|g| {
                *g != f
                    && match join {
                        Join::And => self.relations.holds(self.pool, Relation::Implies, *g, f),
                        Join::Or => self.relations.holds(self.pool, Relation::Implies, f, *g),
                    }
            });
            if superfluous {
                list.remove(i);
            } else {
                i += 1
            }
        }
    }

    /// Two members, by their places, that are one.
    fn merge(&mut self, join: Join, list: &[FormulaId]) -> Option<(usize, usize, FormulaId)> {
        for i in 0..list.len() {
            for k in i + 1..list.len() {
                if let Some(merged) = self.merged(join, list[i], list[k]) {
                    return Some((i, k, merged));
                }
            }
        }
        None
    }

    fn merged(&mut self, join: Join, f: FormulaId, g: FormulaId) -> Option<FormulaId> {
        if let (Node::Next(a), Node::Next(b)) = (self.pool.node(f), self.pool.node(g)) {
            let inside = self.join(join, vec![a, b]);
            return Some(self.next(inside));
        }
        if let (Some((a, b)), Some((c, d))) = (as_until(self.pool, f), as_until(self.pool, g)) {
            return match join {
                Join::And if b == d => {
                    let left = self.and(a, c);
                    Some(self.until(left, b))
                }
                Join::Or if a == c => {
                    let right = self.or(b, d);
                    Some(self.until(a, right))
                }
                Join::And => self.both_at_last(f, g),
                Join::Or => None,
            };
        }
        if let (Some((a, b)), Some((c, d))) = (as_release(self.pool, f), as_release(self.pool, g)) {
            return match join {
                Join::And if a == c => {
                    let right = self.and(b, d);
                    Some(self.release(a, right))
                }
                Join::Or if b == d => {
                    let left = self.or(a, c);
                    Some(self.release(left, b))
                }
                Join::Or => self.one_again(f, g),
                Join::And => None,
            };
        }
        None
    }

    /// `<> [] a && <> [] b` is `<> [] (a && b)`.
    fn both_at_last(&mut self, f: FormulaId, g: FormulaId) -> Option<FormulaId> {
        let inside = |pool: &Pool, f| match pool.node(f) {
            Node::Eventually(h) => match pool.node(h) {
                Node::Always(a) => Some(a),
                _ => None,
            },
            _ => None,
        };
        let (a, b) = (inside(self.pool, f)?, inside(self.pool, g)?);
        let both = self.and(a, b);
        let always = self.release(self.pool.constant(false), both);
        Some(self.until(self.pool.constant(true), always))
    }

    /// `[] <> a || [] <> b` is `[] <> (a || b)`.
    fn one_again(&mut self, f: FormulaId, g: FormulaId) -> Option<FormulaId> {
        let inside = |pool: &Pool, f| match pool.node(f) {
            Node::Always(h) => match pool.node(h) {
                Node::Eventually(a) => Some(a),
                _ => None,
            },
            _ => None,
        };
        let (a, b) = (inside(self.pool, f)?, inside(self.pool, g)?);
        let one = self.or(a, b);
        let some_time = self.until(self.pool.constant(true), one);
        Some(self.release(self.pool.constant(false), some_time))
    }
}
