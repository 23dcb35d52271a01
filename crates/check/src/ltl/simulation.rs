//! Smaller automata with the same words: simulation quotients, pruning, trimming.
//!
//! State `t` *simulates* `s` if it can answer every edge of `s`, letter by letter, with an edge
//! that has at least its marks and leads to a state that simulates where that leads, and if `t` is
//! accepting where `s` is. Then every word accepted from `s` is accepted from `t`. Three uses:
//!
//! - states that simulate each other become one;
//! - an edge is not needed for a letter under which a better one leaves the same state: one with at
//!   least its marks, to a state that simulates its target. Where what is left of its guard is one
//!   cube, the guard is cut down to it, which also makes the automaton more deterministic;
//! - on the edges turned round, with the initial state a mark of its own, the same relation says
//!   which states are reached in the same ways; these become one, too.
//!
//! Worked example, `p U q` as translated: state 0 has edges under `q` to 1, where everything is
//! accepted, and under `p` to itself. 1 simulates 0, so the second edge is needed under `p && !q`
//! only, and the automaton is deterministic.
//!
//! Besides: states that nothing leads to, or that lead to no accepted run, go; marks and acceptance
//! outside of cycles mean nothing and are taken away; a set of edges that another implies goes; a
//! state on no cycle with the edges of another is that other.
//!
//! After Etessami, Wilke and Schuller (2001) and Somenzi and Bloem (2000). Cost: pairs of states
//! times pairs of edges, a few times; where that exceeds the limit, an automaton stays as it is.

use super::automaton::{Buchi, Edge, Generalised, all_sets};
use super::cube::covered;
use super::scc::{self, Components};
use super::{Limits, Steps, TooLarge};

/// How often all is tried; each time something must have become smaller.
const N_ROUNDS_MAX: usize = 8;

/// An automaton of either kind: edges with marks, and states with labels.
#[derive(Clone)]
pub(crate) struct Table {
    pub edges: Vec<Vec<Edge>>,
    /// What a state is, as bits: 1 accepting, 2 initial (where that counts).
    pub labels: Vec<u8>,
}

/// A generalised automaton with the same words, usually smaller.
pub fn reduce_generalised(g: Generalised, limits: &Limits) -> Result<Generalised, TooLarge> {
    let mut g = without_idle_sets(trimmed_generalised(g));
    let mut steps = Steps::new(limits.n_steps_max);
    for _ in 0..N_ROUNDS_MAX {
        let before = (g.n_states(), g.n_edges(), g.n_sets);
        let table = Table {
            labels: vec![0; g.n_states()],
            edges: g.edges.clone(),
        };
        let Ok(table) = quotient(table, &mut steps) else {
            return Ok(g);
        };
        g.edges = table.edges;
        g = without_idle_sets(trimmed_generalised(g));
        if (g.n_states(), g.n_edges(), g.n_sets) == before {
            break;
        }
    }
    Ok(g)
}

/// A Büchi automaton with the same words, usually smaller.
pub fn reduce_buchi(buchi: Buchi, limits: &Limits) -> Result<Buchi, TooLarge> {
    let mut buchi = merged_transient(trimmed(buchi));
    let mut steps = Steps::new(limits.n_steps_max);
    for _ in 0..N_ROUNDS_MAX {
        let before = (buchi.n_states(), buchi.n_edges());
        let Ok(table) = quotient(table_of(&buchi), &mut steps) else {
            return Ok(buchi);
        };
        buchi = merged_transient(trimmed(buchi_of(table)));
        let Ok(table) = reverse_quotient(table_of(&buchi), &mut steps) else {
            return Ok(buchi);
        };
        buchi = merged_transient(trimmed(buchi_of(table)));
        if (buchi.n_states(), buchi.n_edges()) == before {
            break;
        }
    }
    Ok(buchi)
}

fn table_of(buchi: &Buchi) -> Table {
    Table {
        edges: buchi.edges.clone(),
        labels: buchi.accepting.iter().map(|a| u8::from(*a)).collect(),
    }
}

fn buchi_of(table: Table) -> Buchi {
    Buchi {
        accepting: table.labels.iter().map(|label| label & 1 == 1).collect(),
        edges: table.edges,
    }
}

/// For each two states, whether the second simulates the first.
pub(crate) fn simulates(table: &Table, steps: &mut Steps) -> Result<Vec<Vec<bool>>, TooLarge> {
    let n = table.edges.len();
    steps.spend(n * n)?;
    let fits = |s: usize, t: usize| table.labels[s] & !table.labels[t] == 0;
    let mut known: Vec<Vec<bool>> = (0..n)
        .map(|s| (0..n).map(|t| fits(s, t)).collect())
        .collect();
    let mut guards = Vec::new();
    loop {
        let mut changed = false;
        for s in 0..n {
            for t in (0..n).filter(|t| *t != s) {
                if !known[s][t] {
                    continue;
                }
                steps.spend(table.edges[s].len() * table.edges[t].len() + 1)?;
                let answered = table.edges[s].iter().all(|edge| {
                    guards.clear();
                    let answers = table.edges[t].iter().filter(|answer| {
                        edge.marks & !answer.marks == 0 && known[edge.target][answer.target]
                    });
                    guards.extend(answers.map(|answer| answer.guard));
                    covered(edge.guard, &guards)
                });
                if !answered {
                    known[s][t] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(known);
        }
    }
}

/// States that simulate each other made one, and edges that are not needed taken out.
pub(crate) fn quotient(table: Table, steps: &mut Steps) -> Result<Table, TooLarge> {
    let known = simulates(&table, steps)?;
    let first = representatives(&known);
    let mut table = table;
    for (s, edges) in table.edges.iter_mut().enumerate() {
        if first[s] != s {
            edges.clear();
            continue;
        }
        for edge in edges.iter_mut() {
            edge.target = first[edge.target];
        }
        prune(edges, &known);
        join_parallel(edges);
    }
    Ok(table)
}

/// The same with edges turned round: states that are reached alike made one.
fn reverse_quotient(mut table: Table, steps: &mut Steps) -> Result<Table, TooLarge> {
    if let Some(label) = table.labels.first_mut() {
        *label |= 2;
    }
    let turned = Table {
        edges: turned_round(&table.edges),
        labels: table.labels,
    };
    let known = simulates(&turned, steps)?;
    let first = representatives(&known);
    let mut turned = turned;
    for (s, edges) in turned.edges.iter_mut().enumerate() {
        if first[s] != s {
            edges.clear();
        }
        for edge in edges.iter_mut() {
            edge.target = first[edge.target];
        }
    }
    let mut edges = turned_round(&turned.edges);
    edges.iter_mut().for_each(join_parallel);
    Ok(Table {
        edges,
        labels: turned.labels,
    })
}

fn turned_round(edges: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut turned = vec![Vec::new(); edges.len()];
    for (source, edges) in edges.iter().enumerate() {
        for edge in edges {
            turned[edge.target].push(Edge {
                target: source,
                ..*edge
            });
        }
    }
    turned
}

/// For each state the first that simulates it and is simulated by it.
fn representatives(known: &[Vec<bool>]) -> Vec<usize> {
    let alike = |s: usize, t: usize| known[s][t] && known[t][s];
    (0..known.len())
        .map(|s| (0..s).find(|t| alike(s, *t)).unwrap_or(s))
        .collect()
}

/// Takes letters out of guards where a better edge leaves under them, and edges without letters.
///
/// # Requires
/// Targets that simulate each other are equal.
fn prune(edges: &mut Vec<Edge>, known: &[Vec<bool>]) {
    edges.sort();
    edges.dedup();
    let mut i = 0;
    while i < edges.len() {
        let mut gone = false;
        for k in (0..edges.len()).filter(|k| *k != i) {
            let (edge, other) = (edges[i], edges[k]);
            let better = edge.marks & !other.marks == 0 && known[edge.target][other.target];
            if !better {
                continue;
            }
            if edge.guard.within(other.guard) {
                gone = true;
                break;
            }
            let equal = edge.marks == other.marks && edge.target == other.target;
            if let (false, Some(rest)) = (equal, edge.guard.without(other.guard)) {
                edges[i].guard = rest;
            }
        }
        if gone {
            edges.remove(i);
        } else {
            i += 1
        }
    }
}

/// Edges that differ in their guards only made one where the guards together are a cube.
fn join_parallel(edges: &mut Vec<Edge>) {
    loop {
        let pairs = (0..edges.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
        let joined = pairs.into_iter().find_map(|(i, k)| {
            let (a, b) = (edges[i], edges[k]);
            let same = a.target == b.target && a.marks == b.marks;
            let guard = if same { a.guard.or(b.guard) } else { None };
            guard.map(|guard| (i, k, guard))
        });
        let Some((i, k, guard)) = joined else {
            break;
        };
        edges[k].guard = guard;
        edges.remove(i);
    }
    edges.sort_by_key(|e| (e.target, e.guard, e.marks));
}

/// Without states that are useless, those left in the order in which they are met.
pub(crate) fn compact(table: &Table, useful: &[bool]) -> Table {
    let mut number = vec![usize::MAX; table.edges.len()];
    let mut order = vec![0];
    number[0] = 0;
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some(state) = order.get(edges.len()).copied() {
        let mut from = Vec::new();
        for edge in &table.edges[state] {
            if !useful[edge.target] || !useful[state] {
                continue;
            }
            if number[edge.target] == usize::MAX {
                number[edge.target] = order.len();
                order.push(edge.target);
            }
            from.push(Edge {
                target: number[edge.target],
                ..*edge
            });
        }
        edges.push(from);
    }
    for edges in &mut edges {
        edges.sort_by_key(|e| (e.target, e.guard, e.marks));
    }
    let labels = order.iter().map(|state| table.labels[*state]).collect();
    Table { edges, labels }
}

/// Which states lead to a part that is good.
fn leading(edges: &[Vec<Edge>], parts: &Components, good: &[bool]) -> Vec<bool> {
    // Edges lead to parts of lower or equal number, so one pass over the parts in order is enough.
    let mut leads = good.to_vec();
    let mut states: Vec<usize> = (0..edges.len()).filter(|s| parts.is_met(*s)).collect();
    states.sort_by_key(|s| parts.of[*s]);
    for s in &states {
        leads[parts.of[*s]] |= edges[*s].iter().any(|e| leads[parts.of[e.target]]);
    }
    let leads = |s| parts.is_met(s) && leads[parts.of[s]];
    (0..edges.len()).map(leads).collect()
}

/// A generalised automaton without useless states, and without marks that mean nothing.
fn trimmed_generalised(mut g: Generalised) -> Generalised {
    let parts = components(&g.edges);
    let mut seen = vec![0; parts.is_cyclic.len()];
    for_edges_inside(&g.edges, &parts, |part, edge| seen[part] |= edge.marks);
    let all = all_sets(g.n_sets);
    let good: Vec<bool> = (0..seen.len())
        .map(|part| parts.is_cyclic[part] && seen[part] == all)
        .collect();
    let useful = leading(&g.edges, &parts, &good);
    for s in 0..g.n_states() {
        for edge in &mut g.edges[s] {
            let inside = parts.is_met(s) && parts.of[s] == parts.of[edge.target];
            if !inside || !good[parts.of[s]] {
                edge.marks = 0;
            }
        }
    }
    let table = Table {
        labels: vec![0; g.n_states()],
        edges: g.edges,
    };
    Generalised {
        n_sets: g.n_sets,
        edges: compact(&table, &useful).edges,
    }
}

fn components(edges: &[Vec<Edge>]) -> Components {
    scc::components(edges.len(), |s, out| {
        out.extend(edges[s].iter().map(|e| e.target));
    })
}

/// Calls `each` for the edges that stay in a part with a cycle.
fn for_edges_inside(edges: &[Vec<Edge>], parts: &Components, mut each: impl FnMut(usize, &Edge)) {
    for (s, edges) in edges.iter().enumerate() {
        for edge in edges {
            let part = parts.of[s];
            if parts.is_met(s) && part == parts.of[edge.target] && parts.is_cyclic[part] {
                each(part, edge);
            }
        }
    }
}

/// Without sets that are met wherever another is, or always.
///
/// # Requires
/// Marks that mean nothing are gone, as [`trimmed_generalised`] leaves it.
fn without_idle_sets(g: Generalised) -> Generalised {
    let parts = components(&g.edges);
    let mut inside: Vec<(usize, u64)> = Vec::new();
    for_edges_inside(&g.edges, &parts, |part, edge| {
        inside.push((part, edge.marks))
    });
    // Parts without marks are those in which nothing is accepted, if there is a set at all.
    let mut seen = vec![0; parts.is_cyclic.len()];
    inside.iter().for_each(|(part, marks)| seen[*part] |= marks);
    let good = |part: usize| seen[part] == all_sets(g.n_sets);
    let marks: Vec<u64> = inside
        .iter()
        .filter(|(part, _)| good(*part))
        .map(|(_, marks)| *marks)
        .collect();
    let is_bad = |part: usize| parts.is_cyclic[part] && !good(part);
    let has_bad_part = (0..seen.len()).any(is_bad);
    let mut kept: Vec<usize> = (0..g.n_sets).collect();
    for i in (0..g.n_sets).rev() {
        let implied = |k: usize| k != i && marks.iter().all(|m| m >> k & 1 == 0 || m >> i & 1 == 1);
        let always = marks.iter().all(|m| m >> i & 1 == 1);
        // The last set has to stay if it tells parts where nothing is accepted from the others.
        let may_go = kept.len() > 1 || !has_bad_part;
        if may_go && (always || kept.iter().any(|k| implied(*k))) {
            kept.retain(|k| *k != i);
        }
    }
    let moved = |marks: u64| {
        let bits = kept.iter().enumerate();
        bits.fold(0, |all, (to, from)| all | (marks >> from & 1) << to)
    };
    let mut edges = g.edges;
    for edge in edges.iter_mut().flatten() {
        edge.marks = moved(edge.marks);
    }
    Generalised {
        n_sets: kept.len(),
        edges,
    }
}

/// A Büchi automaton without useless states, acceptance made uniform where that changes nothing:
/// all states of a part in which every cycle is accepted, and no state off the cycles.
fn trimmed(mut buchi: Buchi) -> Buchi {
    let parts = buchi.components();
    let n_parts = parts.is_cyclic.len();
    let mut good = vec![false; n_parts];
    for s in (0..buchi.n_states()).filter(|s| parts.is_met(*s)) {
        good[parts.of[s]] |= buchi.accepting[s] && parts.is_cyclic[parts.of[s]];
    }
    let useful = leading(&buchi.edges, &parts, &good);
    let lazy = parts_with_a_rejected_cycle(&buchi, &parts);
    for s in (0..buchi.n_states()).filter(|s| parts.is_met(*s)) {
        let part = parts.of[s];
        let uniform = good[part] && !lazy[part];
        buchi.accepting[s] = (buchi.accepting[s] && good[part]) || uniform;
    }
    buchi_of(compact(&table_of(&buchi), &useful))
}

/// Parts with a cycle through states that are not accepting.
fn parts_with_a_rejected_cycle(buchi: &Buchi, parts: &Components) -> Vec<bool> {
    // A root that leads to all these states, so that one search finds all their parts.
    let n = buchi.n_states();
    let rejected = |s: &usize| parts.is_met(*s) && !buchi.accepting[*s];
    let inner = scc::components(n + 1, |node, out| match node {
        0 => out.extend((0..n).filter(rejected).map(|s| s + 1)),
        node => {
            let s = node - 1;
            let edges = buchi.edges[s].iter().map(|e| e.target);
            let inside = edges.filter(|t| rejected(t) && parts.of[*t] == parts.of[s]);
            out.extend(inside.map(|t| t + 1));
        }
    });
    let mut lazy = vec![false; parts.is_cyclic.len()];
    for s in (0..n).filter(rejected) {
        lazy[parts.of[s]] |= inner.is_cyclic[inner.of[s + 1]];
    }
    lazy
}

/// A state on no cycle with the edges of another state is made that other.
fn merged_transient(mut buchi: Buchi) -> Buchi {
    loop {
        let parts = buchi.components();
        let n = buchi.n_states();
        let transient = |s: &usize| !parts.is_cyclic[parts.of[*s]];
        let pair = (0..n).filter(transient).find_map(|s| {
            let twin = (0..n).find(|t| *t != s && buchi.edges[*t] == buchi.edges[s]);
            twin.map(|t| (s, t))
        });
        let Some((s, twin)) = pair else {
            return buchi;
        };
        for edge in buchi.edges.iter_mut().flatten() {
            if edge.target == s {
                edge.target = twin;
            }
        }
        for edges in &mut buchi.edges {
            join_parallel(edges);
        }
        if s == 0 {
            // The initial state is the first, so the two change places.
            buchi.edges.swap(0, twin);
            buchi.accepting.swap(0, twin);
            for edge in buchi.edges.iter_mut().flatten() {
                edge.target = if edge.target == twin { 0 } else { edge.target };
            }
        }
        buchi = trimmed(buchi);
    }
}
