//! Strongly connected parts of a graph that is given by its successors, from node 0 on.
//!
//! Tarjan's algorithm (1972) with a stack of its own, so that long paths are no danger. Parts are
//! numbered so that edges lead from higher numbers to lower or equal ones.
//!
//! Worked example: `0 → 1 → 2 → 1` has the parts {1, 2}, with a cycle, as number 0 and {0}, without
//! one, as number 1.

/// Which part each node is in.
pub struct Components {
    /// The part of a node; [`Components::NOT_MET`] for nodes that node 0 does not lead to.
    pub of: Vec<usize>,
    /// Whether a part has a cycle: more than one node, or a node with an edge to itself.
    pub is_cyclic: Vec<bool>,
}

impl Components {
    /// The part of nodes that were not met.
    pub const NOT_MET: usize = usize::MAX;

    /// Whether node 0 leads to this one.
    pub fn is_met(&self, node: usize) -> bool {
        self.of[node] != Components::NOT_MET
    }
}

/// A node whose successors are being looked at.
struct Frame {
    node: usize,
    successors: Vec<usize>,
    at: usize,
}

/// The parts of what node 0 leads to, in a graph of `n` nodes.
pub fn components(n: usize, successors: impl Fn(usize, &mut Vec<usize>)) -> Components {
    const NONE: usize = usize::MAX;
    let mut found = Components {
        of: vec![Components::NOT_MET; n],
        is_cyclic: Vec::new(),
    };
    let mut order = vec![NONE; n];
    let mut low = vec![NONE; n];
    let mut n_met = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut next = (n > 0).then_some(0);
    loop {
        if let Some(node) = next.take() {
            (order[node], low[node]) = (n_met, n_met);
            n_met += 1;
            open.push(node);
            let mut list = Vec::new();
            successors(node, &mut list);
            frames.push(Frame {
                node,
                successors: list,
                at: 0,
            });
        }
        let Some(frame) = frames.last_mut() else {
            return found;
        };
        let node = frame.node;
        if let Some(target) = frame.successors.get(frame.at).copied() {
            frame.at += 1;
            if order[target] == NONE {
                next = Some(target);
            } else if found.of[target] == Components::NOT_MET {
                low[node] = low[node].min(order[target]);
            }
            continue;
        }
        if low[node] == order[node] {
            let part = found.is_cyclic.len();
            let mut size = 0;
            while let Some(member) = open.pop() {
                found.of[member] = part;
                size += 1;
                if member == node {
                    break;
                }
            }
            found
                .is_cyclic
                .push(size > 1 || frame.successors.contains(&node));
        }
        frames.pop();
        if let Some(before) = frames.last() {
            low[before.node] = low[before.node].min(low[node]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain twin: two nodes are in one part if each reaches the other.
    #[test]
    fn parts_are_nodes_that_reach_each_other() {
        for seed in 0..500 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let n = rng.usize(1..9);
            let arcs: Vec<Vec<usize>> = (0..n)
                .map(|_| (0..rng.usize(..4)).map(|_| rng.usize(..n)).collect())
                .collect();
            let found = components(n, |v, out| out.extend(&arcs[v]));
            let mut reach = vec![vec![false; n]; n];
            for (v, arcs) in arcs.iter().enumerate() {
                arcs.iter().for_each(|w| reach[v][*w] = true);
            }
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        reach[i][j] |= reach[i][k] && reach[k][j];
                    }
                }
            }
            for v in 0..n {
                let met = v == 0 || reach[0][v];
                assert_eq!(found.is_met(v), met, "seed {seed}");
                for w in (0..n).filter(|w| met && found.is_met(*w)) {
                    let one = v == w || reach[v][w] && reach[w][v];
                    assert_eq!(found.of[v] == found.of[w], one, "seed {seed}");
                }
                if met {
                    assert_eq!(found.is_cyclic[found.of[v]], reach[v][v], "seed {seed}");
                    assert!(arcs[v].iter().all(|w| found.of[*w] <= found.of[v]));
                }
            }
        }
    }
}
