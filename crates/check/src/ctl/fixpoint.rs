//! Formulas with fixpoints on a graph: the μ-calculus, with the operators of CTL inside.
//!
//! A formula is evaluated as it is defined: `mu X. f` is the set that `f` gives again when it
//! starts from nothing and goes on with what it gave; `nu X. f` starts from everything. Fixpoints
//! inside are found anew in each round, so that it does not matter how they depend on each other.
//! Variables stand below an even number of negations, so sets only grow, or only shrink.
//!
//! In the quotient: if all sets that variables stand for are closed under the symmetries, so is
//! what `f` gives, as symmetries keep atoms and moves. Nothing and everything are, so all sets are.
//!
//! Worked example: `nu X. p && EX X` on `0→1, 1→0, 2→0`, `p` in 0 and 2: {0, 2} after one round,
//! {2} after two, nothing after three.
//!
//! Cost: the size of the graph for each round, and with `k` fixpoints inside each other up to as
//! many rounds as states to the power of `k`.

use super::graph::Graph;
use crate::outcome::StopReason;
use std::collections::HashMap;
use system::branching::{Binary, Fixpoint, Formula, Quantifier, Unary};

/// Evaluates a formula with fixpoints.
pub struct FixpointEvaluator<'a> {
    graph: &'a Graph,
    tick: &'a dyn Fn() -> Result<(), StopReason>,
    /// What variables stand for.
    variables: HashMap<u32, Vec<bool>>,
}

type Set = Result<Vec<bool>, StopReason>;

impl<'a> FixpointEvaluator<'a> {
    /// Over a graph, asking from time to time whether to go on.
    pub fn new(
        graph: &'a Graph,
        tick: &'a dyn Fn() -> Result<(), StopReason>,
    ) -> FixpointEvaluator<'a> {
        FixpointEvaluator {
            graph,
            tick,
            variables: HashMap::new(),
        }
    }

    /// The states that satisfy a formula.
    pub fn set(&mut self, formula: &Formula) -> Set {
        (self.tick)()?;
        let n = self.graph.n_states();
        Ok(match formula {
            Formula::Constant(value) => vec![*value; n],
            Formula::Atom(atom) => {
                let letters = self.graph.letters.iter();
                letters.map(|letter| letter >> atom & 1 == 1).collect()
            }
            Formula::Variable(x) => self.variables[x].clone(),
            Formula::Not(f) => self.set(f)?.into_iter().map(|f| !f).collect(),
            Formula::And(f, g) => self.both(f, g, |f, g| f && g)?,
            Formula::Or(f, g) => self.both(f, g, |f, g| f || g)?,
            Formula::Implies(f, g) => self.both(f, g, |f, g| !f || g)?,
            Formula::Iff(f, g) => self.both(f, g, |f, g| f == g)?,
            Formula::Fixpoint(which, x, f) => {
                let start = vec![*which == Fixpoint::Greatest; n];
                let around = self.variables.insert(*x, start);
                let found = loop {
                    let next = self.set(f)?;
                    if next == self.variables[x] {
                        break next;
                    }
                    self.variables.insert(*x, next);
                };
                match around {
                    Some(around) => self.variables.insert(*x, around),
                    None => self.variables.remove(x),
                };
                found
            }
            Formula::Unary(q, unary, f) => {
                let f = self.set(f)?;
                match unary {
                    Unary::Next => self.before(*q, &f),
                    Unary::Finally => self.solved(*q, false, &|s, next| f[s] || next)?,
                    Unary::Globally => self.solved(*q, true, &|s, next| f[s] && next)?,
                    Unary::Yesterday | Unary::Once | Unary::Historically => {
                        unreachable!("no operators of the past beside fixpoints")
                    }
                }
            }
            Formula::Binary(q, binary, f, g) => {
                let (f, g) = (self.set(f)?, self.set(g)?);
                let until = |s: usize, next: bool| g[s] || f[s] && next;
                match binary {
                    Binary::Until => self.solved(*q, false, &until)?,
                    Binary::WeakUntil => self.solved(*q, true, &until)?,
                    Binary::Release => self.solved(*q, true, &|s, next| g[s] && (f[s] || next))?,
                    Binary::Since => unreachable!("no operators of the past beside fixpoints"),
                }
            }
            Formula::Runs(..) => unreachable!("no runs beside fixpoints"),
        })
    }

    fn both(&mut self, f: &Formula, g: &Formula, join: fn(bool, bool) -> bool) -> Set {
        let (f, g) = (self.set(f)?, self.set(g)?);
        Ok(f.into_iter().zip(g).map(|(f, g)| join(f, g)).collect())
    }

    /// The states all of whose successors are in a set, or one of them.
    fn before(&self, quantifier: Quantifier, set: &[bool]) -> Vec<bool> {
        let nodes = 0..self.graph.n_states() as u32;
        let value = |node: u32| {
            let mut next = self.graph.next.of(node).iter();
            match quantifier {
                Quantifier::All => next.all(|to| set[*to as usize]),
                Quantifier::Some => next.any(|to| set[*to as usize]),
            }
        };
        nodes.map(value).collect()
    }

    /// The least or greatest set that a rule gives again.
    fn solved(
        &self,
        quantifier: Quantifier,
        start: bool,
        rule: &dyn Fn(usize, bool) -> bool,
    ) -> Set {
        let mut set = vec![start; self.graph.n_states()];
        loop {
            (self.tick)()?;
            let before = self.before(quantifier, &set).into_iter();
            let next: Vec<bool> = before.enumerate().map(|(s, b)| rule(s, b)).collect();
            if next == set {
                return Ok(set);
            }
            set = next;
        }
    }
}
