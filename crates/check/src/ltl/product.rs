//! Whether two Büchi automata accept a word in common.
//!
//! The pairs of states that can be met together, an edge where two guards have a letter in common.
//! There is a common word if a strongly connected part with a cycle holds a pair whose first state
//! is accepting and one whose second is.
//!
//! Worked example: the automata of `[] p` and `<> !p` meet in the pair of their first states only;
//! the second state is not accepting there, so they have no word in common.

use super::automaton::Buchi;
use super::scc;
use super::{Steps, TooLarge};
use std::collections::HashMap;

/// Whether both accept some word.
pub(crate) fn intersect(a: &Buchi, b: &Buchi, steps: &mut Steps) -> Result<bool, TooLarge> {
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::from([((0, 0), 0)]);
    let mut pairs = vec![(0, 0)];
    let mut arcs: Vec<Vec<usize>> = Vec::new();
    while let Some((s, t)) = pairs.get(arcs.len()).copied() {
        let mut from = Vec::new();
        steps.spend(a.edges[s].len() * b.edges[t].len() + 1)?;
        for e in &a.edges[s] {
            for f in &b.edges[t] {
                if e.guard.and(f.guard).is_none() {
                    continue;
                }
                let n = pairs.len();
                let number = *numbers.entry((e.target, f.target)).or_insert(n);
                if number == n {
                    pairs.push((e.target, f.target));
                }
                from.push(number);
            }
        }
        arcs.push(from);
    }
    let parts = scc::components(arcs.len(), |node, out| out.extend(&arcs[node]));
    let mut seen = vec![(false, false); parts.is_cyclic.len()];
    for (node, (s, t)) in pairs.iter().enumerate() {
        let part = &mut seen[parts.of[node]];
        part.0 |= a.accepting[*s];
        part.1 |= b.accepting[*t];
    }
    Ok((0..seen.len()).any(|p| parts.is_cyclic[p] && seen[p] == (true, true)))
}
