//! Safety formulas on finite words: a deterministic automaton that goes along with a run and stops
//! at the first letter after which nothing can be mended.
//!
//! An automaton whose states all lead to accepted runs can follow a finite word exactly if some
//! infinite word with that beginning is accepted. Its sets of states, taken together, are made
//! deterministic; where the set becomes empty, the word is a *bad prefix*. For a safety formula
//! every violation has one, and breadth-first search meets the shortest first.
//!
//! Worked example, `[] (p -> X q)`: state 0 stays under `!p` and goes to 1 under `p`; state 1 does
//! the same under `q`, and under `!q` the word is bad.
//!
//! Guards of a state are disjoint and cover all letters. States that allow the same words are one.
//! Cost: exponential in the automaton at worst, and bounded by the limits.

use super::automaton::{Buchi, Edge};
use super::cube::Cube;
use super::{Limits, Steps, TooLarge};
use std::collections::HashMap;

/// A deterministic automaton over finite words; state 0 is the initial one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    /// For each state disjoint guards that cover all letters, and where each leads; `None` says
    /// that the word so far is a bad prefix.
    pub edges: Vec<Vec<(Cube, Option<usize>)>>,
}

impl Monitor {
    /// The state after one more letter, or `None` if the word has become a bad prefix.
    pub fn step(&self, state: usize, letter: u64) -> Option<usize> {
        let open = self.edges[state].iter().find(|(g, _)| g.holds(letter));
        let (_, target) = open.expect("guards cover all letters");
        *target
    }

    /// How many states there are, the bad end not counted.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }
}

/// The prefixes of the words of an automaton.
///
/// # Requires
/// Every state but the first leads to an accepted run, as [`super::automaton_of`] leaves it.
///
/// # Ensures
/// If the words are those of a safety formula, a word violates it exactly if a prefix is bad.
pub fn monitor(buchi: &Buchi, limits: &Limits) -> Result<Monitor, TooLarge> {
    let mut steps = Steps::new(limits.n_steps_max);
    let mut numbers: HashMap<Vec<usize>, usize> = HashMap::from([(vec![0], 0)]);
    let mut sets = vec![vec![0]];
    let mut edges: Vec<Vec<(Cube, Option<usize>)>> = Vec::new();
    while let Some(set) = sets.get(edges.len()).cloned() {
        let open: Vec<Edge> = set.iter().flat_map(|s| buchi.edges[*s].clone()).collect();
        let mut from = Vec::new();
        for (guard, targets) in split(&open, &mut steps)? {
            let n = sets.len();
            let target = (!targets.is_empty()).then(|| {
                let number = *numbers.entry(targets.clone()).or_insert(n);
                if number == n {
                    sets.push(targets);
                }
                number
            });
            from.push((guard, target));
        }
        join(&mut from);
        edges.push(from);
        if sets.len() > limits.n_states_max {
            return Err(TooLarge(format!("{} states", limits.n_states_max)));
        }
    }
    minimised(Monitor { edges }, &mut steps)
}

/// The letters, split into cubes under each of which the same edges are open, and their targets.
fn split(open: &[Edge], steps: &mut Steps) -> Result<Vec<(Cube, Vec<usize>)>, TooLarge> {
    let mut leaves = Vec::new();
    let mut cubes = vec![Cube::ALL];
    while let Some(cube) = cubes.pop() {
        steps.spend(open.len() + 1)?;
        let met = open.iter().filter(|e| e.guard.and(cube).is_some());
        let undecided = met.clone().find(|e| !cube.within(e.guard));
        match undecided {
            Some(edge) => {
                let atom = (edge.guard.atoms() & !cube.atoms()).trailing_zeros() as usize;
                for value in [false, true] {
                    cubes.extend(cube.and(Cube::literal(atom, value)));
                }
            }
            None => {
                let mut targets: Vec<usize> = met.map(|e| e.target).collect();
                targets.sort();
                targets.dedup();
                leaves.push((cube, targets));
            }
        }
    }
    Ok(leaves)
}

/// Guards to the same place made one where they are a cube together.
fn join(edges: &mut Vec<(Cube, Option<usize>)>) {
    loop {
        let pairs = (0..edges.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
        let joined = pairs.into_iter().find_map(|(i, k)| {
            let same = edges[i].1 == edges[k].1;
            let guard = if same {
                edges[i].0.or(edges[k].0)
            } else {
                None
            };
            guard.map(|guard| (i, k, guard))
        });
        let Some((i, k, guard)) = joined else {
            break;
        };
        edges[k].0 = guard;
        edges.remove(i);
    }
    edges.sort_by_key(|(guard, target)| (target.is_none(), *target, *guard));
}

/// States that allow the same words made one: classes are split until all members of each lead to
/// the same classes under each letter.
fn minimised(m: Monitor, steps: &mut Steps) -> Result<Monitor, TooLarge> {
    let n = m.n_states();
    let mut class = vec![0; n];
    let mut n_classes = 1;
    loop {
        let of = |target: Option<usize>| target.map(|t| class[t]);
        let mut firsts: Vec<usize> = Vec::new();
        let mut next = vec![0; n];
        for s in 0..n {
            steps.spend(firsts.len() * m.edges[s].len() + 1)?;
            let alike = |t: usize| {
                class[s] == class[t]
                    && m.edges[s].iter().all(|(g, a)| {
                        let mut met = m.edges[t].iter().filter(|(h, _)| g.and(*h).is_some());
                        met.all(|(_, b)| of(*a) == of(*b))
                    })
            };
            next[s] = firsts
                .iter()
                .position(|t| alike(*t))
                .unwrap_or(firsts.len());
            if next[s] == firsts.len() {
                firsts.push(s);
            }
        }
        let settled = firsts.len() == n_classes;
        n_classes = firsts.len();
        class = next;
        if settled {
            let edges = firsts.iter().map(|s| {
                let edges = m.edges[*s].iter();
                let mut edges: Vec<_> = edges.map(|(g, t)| (*g, t.map(|t| class[t]))).collect();
                join(&mut edges);
                edges
            });
            let edges = edges.collect();
            return Ok(Monitor { edges });
        }
    }
}
