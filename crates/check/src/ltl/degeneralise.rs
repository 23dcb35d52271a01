//! From sets of edges to accepting states.
//!
//! The sets get an order, and each state as many copies as are needed to know which set is waited
//! for: a copy at level `l` waits for set `l`. An edge in the set that is waited for moves on to
//! the next, several at once if it is in several; having met all, the copy at the last level is
//! accepting and its successors wait for the first set again.
//!
//! Levels matter only within a strongly connected part, so an edge from one part to another may
//! lead to any copy: to one that exists, if there is one. A part in which nothing can be accepted
//! has one copy of each state, not accepting; one in which all edges have all marks, one that is.
//!
//! Worked example, `[] <> p`: the one state with edges `p` (in the set) and `true` (not) becomes
//! two: level 0, and level 1, accepting. From both, `p` leads to level 1 and `true` to level 0.
//!
//! Which order of the sets is best is not known beforehand; a few are tried, and the smallest
//! result is kept. The copies are those of Gastin and Oddoux (2001); the care for parts is as in
//! Babiak, Badie, Duret-Lutz, Křetínský and Strejček (2013).

use super::automaton::{Buchi, Edge, Generalised, all_sets};
use super::scc::{self, Components};
use super::{Limits, TooLarge};
use std::collections::HashMap;

/// How many orders of the sets are tried.
const N_ORDERS_MAX: usize = 6;

/// A Büchi automaton with the words of a generalised one.
pub fn degeneralise(g: &Generalised, limits: &Limits) -> Result<Buchi, TooLarge> {
    let mut best: Option<Buchi> = None;
    let n = g.n_sets;
    let rotations = (0..n.max(1)).map(|r| (0..n).map(|i| (i + r) % n).collect::<Vec<_>>());
    let mut refused = None;
    for order in rotations.take(N_ORDERS_MAX) {
        match in_order(g, &order, limits) {
            Ok(buchi) => {
                let size = |b: &Buchi| (b.n_states(), b.n_edges());
                if best.as_ref().is_none_or(|best| size(&buchi) < size(best)) {
                    best = Some(buchi);
                }
            }
            Err(why) => refused = Some(why),
        }
    }
    match (best, refused) {
        (Some(best), _) => Ok(best),
        (None, Some(why)) => Err(why),
        (None, None) => unreachable!("no order was tried"),
    }
}

/// What is known of the parts.
struct Parts {
    parts: Components,
    /// Parts in which a run can be accepted.
    good: Vec<bool>,
    /// Parts in which every run is accepted.
    full: Vec<bool>,
}

fn parts_of(g: &Generalised) -> Parts {
    let parts = scc::components(g.n_states(), |s, out| {
        out.extend(g.edges[s].iter().map(|e| e.target));
    });
    let all = all_sets(g.n_sets);
    let n = parts.is_cyclic.len();
    let (mut seen, mut full) = (vec![0; n], parts.is_cyclic.clone());
    for s in (0..g.n_states()).filter(|s| parts.is_met(*s)) {
        for edge in &g.edges[s] {
            if parts.of[s] == parts.of[edge.target] {
                seen[parts.of[s]] |= edge.marks;
                full[parts.of[s]] &= edge.marks == all;
            }
        }
    }
    let good = (0..n).map(|p| parts.is_cyclic[p] && seen[p] == all);
    let good = good.collect();
    Parts { parts, good, full }
}

fn in_order(g: &Generalised, order: &[usize], limits: &Limits) -> Result<Buchi, TooLarge> {
    let known = parts_of(g);
    let of = &known.parts.of;
    let last = order.len();
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut copies: Vec<(usize, usize)> = Vec::new();
    let level_of = |part: usize, level: usize| match (known.good[part], known.full[part]) {
        (_, true) => last,
        (true, false) => level,
        (false, false) => 0,
    };
    let mut number = |state: usize, level: usize, copies: &mut Vec<(usize, usize)>| {
        let n = copies.len();
        let number = *numbers.entry((state, level)).or_insert(n);
        if number == n {
            copies.push((state, level));
        }
        number
    };
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    // The level of the first copy of each state, for edges from other parts.
    let mut level_at_entry: HashMap<usize, usize> = HashMap::new();
    level_at_entry.insert(0, level_of(of[0], 0));
    number(0, level_of(of[0], 0), &mut copies);
    while let Some((state, level)) = copies.get(edges.len()).copied() {
        let mut from = Vec::new();
        for edge in &g.edges[state] {
            let part = of[edge.target];
            let to = if part != of[state] {
                *level_at_entry
                    .entry(edge.target)
                    .or_insert_with(|| level_of(part, 0))
            } else {
                let mut to = if level == last { 0 } else { level };
                while to < last && edge.marks >> order[to] & 1 == 1 {
                    to += 1;
                }
                let to = level_of(part, to);
                level_at_entry.entry(edge.target).or_insert(to);
                to
            };
            let target = number(edge.target, to, &mut copies);
            from.push(Edge {
                guard: edge.guard,
                target,
                marks: 0,
            });
        }
        from.sort();
        from.dedup();
        edges.push(from);
        if copies.len() > limits.n_states_max {
            return Err(TooLarge(format!("{} states", limits.n_states_max)));
        }
    }
    let accepting = |(state, level): &(usize, usize)| known.good[of[*state]] && *level == last;
    let accepting = copies.iter().map(accepting).collect();
    Ok(Buchi { accepting, edges })
}
