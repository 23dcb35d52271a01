//! From a formula to a generalised Büchi automaton.
//!
//! A state is a set of formulas that the rest of the word has to satisfy. What a formula asks of
//! now and of the next moment is a list of *terms*, a cube of literals and a set of formulas each;
//! one of them has to be met:
//!
//! | formula | terms |
//! |---|---|
//! | literal | the literal, nothing |
//! | `a \|\| b`, `a && b` | those of both; each of one with each of the other |
//! | `X a` | everything, `{a}` |
//! | `a U b` | those of `b`, and those of `a` with `a U b` again |
//! | `a R b` | those of `b`, each with a term of `a` or with `a R b` again |
//!
//! The terms of a state are the products of terms of its members; each is an edge. An *until* may
//! be put off for ever that way, so each has a set of edges: those after which it is not owed, and
//! those that do at once what settles it, even if it is owed anew. States with the same edges are
//! one state.
//!
//! Worked example, `[] <> p`: its terms are `(p, {[]<>p})` and `(true, {[]<>p, <>p})`. The second
//! leads to a state with the same two terms, so there is one state; the first edge is in the set of
//! `<> p`, the second is not.
//!
//! This is the construction of Gastin and Oddoux (2001) without the alternating automaton in
//! between. We depart from it in what is thrown away: of two terms of a state one is dropped only
//! if the other asks for less, leads to less, *and* puts off no more of the state's own untils.
//! They compare membership in the sets instead; ours is a direct simulation, for which the dropping
//! of edges is known to be right.
//!
//! Cost: exponential in the formula at worst, and bounded by the limits.

use super::automaton::{Edge, Generalised};
use super::cube::Cube;
use super::formula::{FormulaId, Node, Pool};
use super::rules::{as_release, as_until};
use super::{Limits, Steps, TooLarge};
use std::collections::HashMap;

/// One way to satisfy a formula or a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Term {
    /// What it asks of the letter.
    cube: Cube,
    /// What it asks of the rest, in order.
    next: Vec<FormulaId>,
    /// Bit `i`: until `i` is put off.
    put_off: u64,
}

/// An edge before states have numbers.
type SetEdge = (Cube, Vec<FormulaId>, u64);

/// The automaton of a formula.
///
/// # Requires
/// The formula is in negation normal form, as [`super::simplify()`] gives it.
///
/// # Ensures
/// It accepts exactly the words that satisfy the formula. There is a set for each *until* in it.
pub fn translate(pool: &Pool, f: FormulaId, limits: &Limits) -> Result<Generalised, TooLarge> {
    let parts = pool.parts_of(f);
    let untils: Vec<FormulaId> = parts
        .iter()
        .copied()
        .filter(|part| as_until(pool, *part).is_some())
        .collect();
    if untils.len() > 64 {
        return Err(TooLarge("64 formulas with `U` or `<>`".to_owned()));
    }
    let mut tableau = Tableau {
        pool,
        untils,
        terms: HashMap::new(),
        steps: Steps::new(limits.n_steps_max),
    };
    // `<> a` is `true U a`, so the constants have terms even where they are not written.
    let constants = [pool.constant(true), pool.constant(false)];
    for part in constants.into_iter().chain(parts) {
        let terms = tableau.terms_of(part)?;
        tableau.terms.insert(part, terms);
    }
    tableau.explore(f, limits)
}

struct Tableau<'a> {
    pool: &'a Pool,
    untils: Vec<FormulaId>,
    terms: HashMap<FormulaId, Vec<Term>>,
    steps: Steps,
}

impl Tableau<'_> {
    /// The terms of a formula whose parts have theirs.
    fn terms_of(&mut self, f: FormulaId) -> Result<Vec<Term>, TooLarge> {
        let term = |cube, next| Term {
            cube,
            next,
            put_off: 0,
        };
        let again = [term(Cube::ALL, vec![f])];
        if let Some((a, b)) = as_until(self.pool, f) {
            let (a, b) = (self.terms[&a].clone(), self.terms[&b].clone());
            let mut terms = self.product(&a, &again)?;
            terms.extend(b);
            return self.least(terms);
        }
        if let Some((a, b)) = as_release(self.pool, f) {
            let (mut a, b) = (self.terms[&a].clone(), self.terms[&b].clone());
            a.extend(again);
            return self.product(&a, &b);
        }
        let terms = match self.pool.node(f) {
            Node::True => vec![term(Cube::ALL, Vec::new())],
            Node::False => Vec::new(),
            Node::Atom(atom) => vec![term(Cube::literal(atom.index(), true), Vec::new())],
            Node::Not(a) => match self.pool.node(a) {
                Node::Atom(atom) => vec![term(Cube::literal(atom.index(), false), Vec::new())],
                node => unreachable!("a negation of {node:?} in a normal form"),
            },
            Node::Next(a) => vec![term(Cube::ALL, self.members(a))],
            Node::And(a, b) => {
                let (a, b) = (self.terms[&a].clone(), self.terms[&b].clone());
                self.product(&a, &b)?
            }
            Node::Or(a, b) => {
                let (a, b) = (&self.terms[&a], &self.terms[&b]);
                let both = a.iter().chain(b).cloned().collect();
                self.least(both)?
            }
            node => unreachable!("{node:?} in a normal form"),
        };
        Ok(terms)
    }

    /// The members of a conjunction, in order.
    fn members(&self, f: FormulaId) -> Vec<FormulaId> {
        let (mut open, mut members) = (vec![f], Vec::new());
        while let Some(f) = open.pop() {
            match self.pool.node(f) {
                Node::And(a, b) => open.extend([a, b]),
                Node::True => {}
                _ => members.push(f),
            }
        }
        members.sort();
        members.dedup();
        members
    }

    /// Each of `a` with each of `b`, without those that others make superfluous.
    fn product(&mut self, a: &[Term], b: &[Term]) -> Result<Vec<Term>, TooLarge> {
        self.steps.spend(a.len() * b.len())?;
        let mut terms = Vec::new();
        for a in a {
            for b in b {
                if let Some(cube) = a.cube.and(b.cube) {
                    let mut next = [&a.next[..], &b.next[..]].concat();
                    next.sort();
                    next.dedup();
                    let put_off = a.put_off | b.put_off;
                    terms.push(Term {
                        cube,
                        next,
                        put_off,
                    });
                }
            }
        }
        self.least(terms)
    }

    /// The terms without those that others make superfluous, in order.
    fn least(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
        // Weaker ones come first, so that one pass is enough.
        terms.sort_by_cached_key(|t| {
            let n_literals = t.cube.atoms().count_ones();
            (t.next.len(), t.put_off.count_ones(), n_literals, t.clone())
        });
        let mut kept: Vec<Term> = Vec::new();
        for term in terms {
            self.steps.spend(kept.len() + 1)?;
            let superfluous = kept.iter().any(|other| {
                term.cube.within(other.cube)
                    && other.put_off & !term.put_off == 0
                    && is_subset(&other.next, &term.next)
            });
            if !superfluous {
                kept.push(term);
            }
        }
        Ok(kept)
    }

    /// The edges of a state.
    fn edges_of(&mut self, state: &[FormulaId]) -> Result<Vec<SetEdge>, TooLarge> {
        let mut terms = vec![Term {
            cube: Cube::ALL,
            next: Vec::new(),
            put_off: 0,
        }];
        for f in state {
            let mut own = self.terms[f].clone();
            if let Some(i) = self.untils.iter().position(|until| until == f) {
                for term in own.iter_mut().filter(|term| term.next.contains(f)) {
                    term.put_off |= 1 << i;
                }
            }
            terms = self.product(&terms, &own)?;
        }
        let mut edges: Vec<SetEdge> = Vec::new();
        for term in terms {
            self.steps.spend(self.untils.len() + 1)?;
            let marks = self.marks(term.cube, &term.next);
            edges.push((term.cube, term.next, marks));
        }
        edges.sort();
        edges.dedup();
        Ok(edges)
    }

    /// The sets of an edge: the untils that are not owed after it, or are settled by it.
    fn marks(&self, cube: Cube, next: &[FormulaId]) -> u64 {
        let mut marks = 0;
        for (i, until) in self.untils.iter().enumerate() {
            let settled = |term: &Term| {
                cube.within(term.cube) && !term.next.contains(until) && is_subset(&term.next, next)
            };
            if !next.contains(until) || self.terms[until].iter().any(settled) {
                marks |= 1 << i;
            }
        }
        marks
    }

    /// All states that the formula leads to.
    fn explore(&mut self, f: FormulaId, limits: &Limits) -> Result<Generalised, TooLarge> {
        let first = self.members(f);
        let mut by_set: HashMap<Vec<FormulaId>, usize> = HashMap::new();
        let mut by_edges: HashMap<Vec<SetEdge>, usize> = HashMap::new();
        let mut states = vec![self.edges_of(&first)?];
        by_set.insert(first, 0);
        by_edges.insert(states[0].clone(), 0);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut n_edges = 0;
        while edges.len() < states.len() {
            let mut from = Vec::new();
            for (guard, next, marks) in states[edges.len()].clone() {
                let target = match by_set.get(&next) {
                    Some(known) => *known,
                    None => {
                        let its = self.edges_of(&next)?;
                        let n = states.len();
                        let target = *by_edges.entry(its.clone()).or_insert(n);
                        if target == n {
                            states.push(its);
                        }
                        by_set.insert(next, target);
                        target
                    }
                };
                from.push(Edge {
                    guard,
                    target,
                    marks,
                });
            }
            n_edges += from.len();
            edges.push(from);
            if states.len() > limits.n_states_max {
                return Err(TooLarge(format!("{} states", limits.n_states_max)));
            }
            if n_edges > limits.n_edges_max {
                return Err(TooLarge(format!("{} edges", limits.n_edges_max)));
            }
        }
        let n_sets = self.untils.len();
        Ok(Generalised { n_sets, edges })
    }
}

/// Whether all of `a` is in `b`; both are in order.
fn is_subset(a: &[FormulaId], b: &[FormulaId]) -> bool {
    let mut b = b.iter();
    a.iter().all(|x| b.any(|y| x == y))
}
