//! From which states a run begins that satisfies a formula of linear time, and counts as fair.
//!
//! The formula becomes an automaton, and states of the graph are paired with states of it. A pair
//! goes on to each state that follows, where an edge of the automaton fits the first. A run that is
//! looked for ends in a strongly connected part of the pairs that accepts, and is fair if that is
//! asked for ([`Component`], by threads); so the answer is all states whose pair with the initial
//! state of the automaton leads to such a part.
//!
//! In the quotient this is right as it is for states: formulas that are atoms here are true of a
//! state if they are true of its image, and threads follow processes through permutations.
//!
//! Worked example: `0→1, 1→0, 1→1`, `p` in 1, `E(G F p)` by an automaton that accepts after `p`:
//! from 0 a run goes to 1 and stays.
//!
//! Cost: the graph times the automaton, kept while it is looked at; with fairness each move of it
//! with its permutation, too.

use super::graph::Graph;
use crate::ltl::{Buchi, scc};
use crate::outcome::StopReason;
use crate::store::NodeId;
use crate::temporal::Fairness;
use crate::temporal::component::{Component, Place};
use crate::temporal::space::{Space, Way};
use base::memory::{Account, vec_bytes};
use std::collections::{HashMap, VecDeque};

/// Which runs count, and what is needed to say it.
pub struct FairRuns<'a> {
    fairness: &'a Fairness<'a>,
    /// By state: its moves.
    ways: Vec<Vec<Way>>,
}

impl<'a> FairRuns<'a> {
    /// The moves of all states of a graph.
    pub fn of(
        space: &mut Space<'_>,
        graph: &Graph,
        fairness: &'a Fairness<'a>,
    ) -> Result<FairRuns<'a>, StopReason> {
        let mut ways = Vec::new();
        for node in 0..graph.n_states() {
            space.tick()?;
            let all = space.ways(NodeId::new(node))?;
            space.account.take(all.iter().map(Way::bytes).sum())?;
            ways.push(all);
        }
        Ok(FairRuns { fairness, ways })
    }
}

/// Pairs of states of a graph and of an automaton.
pub struct Pairs<'a> {
    graph: &'a Graph,
    automaton: &'a Buchi,
    /// By state of the graph: which atoms of the automaton are true.
    letters: &'a [u64],
}

impl<'a> Pairs<'a> {
    /// All pairs.
    pub fn new(graph: &'a Graph, automaton: &'a Buchi, letters: &'a [u64]) -> Pairs<'a> {
        Pairs {
            graph,
            automaton,
            letters,
        }
    }

    fn pair(&self, node: u32, state: usize) -> usize {
        node as usize * self.automaton.n_states() + state
    }

    fn node(&self, pair: usize) -> u32 {
        (pair / self.automaton.n_states()) as u32
    }

    fn n_pairs(&self) -> usize {
        self.graph.n_states() * self.automaton.n_states()
    }

    /// Where the automaton can go from a pair.
    fn states(&self, pair: usize) -> impl Iterator<Item = usize> + '_ {
        let letter = self.letters[self.node(pair) as usize];
        let edges = self.automaton.edges[pair % self.automaton.n_states()].iter();
        let fitting = edges.filter(move |edge| edge.guard.holds(letter));
        fitting.map(|edge| edge.target)
    }

    fn is_accepting(&self, pair: usize) -> bool {
        self.automaton.accepting[pair % self.automaton.n_states()]
    }

    fn successors(&self, pair: usize, out: &mut Vec<usize>) {
        for state in self.states(pair) {
            let next = self.graph.next.of(self.node(pair)).iter();
            out.extend(next.map(|node| self.pair(*node, state)));
        }
    }

    /// The states from which a run begins that the automaton accepts.
    pub fn starts(
        &self,
        fair: Option<&FairRuns<'_>>,
        account: &mut Account,
    ) -> Result<Vec<bool>, StopReason> {
        let mut back: Vec<Vec<u32>> = Vec::new();
        account.reserve(&mut back, self.n_pairs())?;
        back.resize(self.n_pairs(), Vec::new());
        let mut next = Vec::new();
        let mut bytes = 0;
        for pair in 0..self.n_pairs() {
            next.clear();
            self.successors(pair, &mut next);
            for &target in &next {
                let before = vec_bytes(&back[target]);
                back[target].push(pair as u32);
                bytes += vec_bytes(&back[target]) - before;
            }
            account.take(std::mem::take(&mut bytes))?;
        }
        let mut open = match fair {
            None => self.cycles(),
            Some(fair) => self.fair_cycles(fair)?,
        };
        let mut found = vec![false; self.n_pairs()];
        open.iter().for_each(|pair| found[*pair] = true);
        while let Some(pair) = open.pop() {
            for &before in &back[pair] {
                if !std::mem::replace(&mut found[before as usize], true) {
                    open.push(before as usize);
                }
            }
        }
        let all = back.iter().map(vec_bytes).sum::<u64>() + vec_bytes(&back);
        account.give(all);
        let first = (0..self.graph.n_states()).map(|node| found[self.pair(node as u32, 0)]);
        Ok(first.collect())
    }

    /// The pairs of strongly connected parts that accept.
    fn cycles(&self) -> Vec<usize> {
        // One node in front leads to all pairs.
        let successors = |node: usize, out: &mut Vec<usize>| match node {
            0 => out.extend(1..=self.n_pairs()),
            node => {
                let first = out.len();
                self.successors(node - 1, out);
                out[first..].iter_mut().for_each(|pair| *pair += 1);
            }
        };
        let parts = scc::components(self.n_pairs() + 1, successors);
        let mut accepts = vec![false; parts.is_cyclic.len()];
        for pair in 0..self.n_pairs() {
            accepts[parts.of[pair + 1]] |= self.is_accepting(pair);
        }
        let is_good = |pair: &usize| {
            let part = parts.of[pair + 1];
            parts.is_cyclic[part] && accepts[part]
        };
        (0..self.n_pairs()).filter(is_good).collect()
    }

    /// The pairs that fair runs go through again and again, at least one of each part.
    fn fair_cycles(&self, fair: &FairRuns<'_>) -> Result<Vec<usize>, StopReason> {
        let places = (0..self.n_pairs()).map(|pair| {
            let node = self.node(pair);
            let ways = &fair.ways[node as usize];
            let mut enabled: Vec<u32> = (ways.iter())
                .flat_map(|way| fair.fairness.able(&way.actors))
                .copied()
                .collect();
            enabled.sort_unstable();
            enabled.dedup();
            let stays = Way::staying(NodeId::new(node as usize));
            let moves = if ways.is_empty() {
                std::slice::from_ref(&stays)
            } else {
                &ways[..]
            };
            let mut all = Vec::new();
            for state in self.states(pair) {
                for way in moves {
                    let target = self.pair(way.target.index() as u32, state);
                    all.push((target, way.clone()));
                }
            }
            Place {
                node: NodeId::new(node as usize),
                ways: all,
                enabled,
                is_accepting: self.is_accepting(pair),
            }
        });
        Ok(Component::made_of(places).fair_places(fair.fairness))
    }

    /// A run from a state that the automaton accepts: states on the way, and then again and again.
    pub fn lasso(&self, start: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        let cyclic = self.cycles();
        let first = self.pair(start, 0);
        let is_end = |pair: usize| cyclic.binary_search(&pair).is_ok() && self.is_accepting(pair);
        let path = self.path(first, &is_end, 0)?;
        let end = *path.last()?;
        let round = self.path(end, &|pair| pair == end, 1)?;
        let nodes = |pairs: &[usize]| pairs.iter().map(|pair| self.node(*pair)).collect();
        Some((nodes(&path), nodes(&round[1..round.len() - 1])))
    }

    /// A shortest path of at least so many edges to a pair that is wanted, both ends in it.
    fn path(
        &self,
        from: usize,
        wanted: &dyn Fn(usize) -> bool,
        least: usize,
    ) -> Option<Vec<usize>> {
        if least == 0 && wanted(from) {
            return Some(vec![from]);
        }
        let mut came: HashMap<usize, usize> = HashMap::new();
        let mut open = VecDeque::from([from]);
        let mut next = Vec::new();
        while let Some(pair) = open.pop_front() {
            next.clear();
            self.successors(pair, &mut next);
            for &target in &next {
                if came.contains_key(&target) {
                    continue;
                }
                came.insert(target, pair);
                if wanted(target) {
                    let mut path = vec![target, pair];
                    while *path.last()? != from || path.len() < 2 {
                        path.push(came[path.last()?]);
                    }
                    path.reverse();
                    return Some(path);
                }
                open.push_back(target);
            }
        }
        None
    }
}
