//! The suite `graphs`: automorphism groups of large graphs, beside bliss, nauty and Traces.
//!
//! All graphs are undirected and of one colour, so that every program reads the same edges. Ours
//! finds the canonical labelling in the same search; rivals are asked for the group alone.

use super::Bench;
use super::clock::pace;
use super::graph_rivals::{self, LogOrder};
use super::record::RunOutcome;
use fastrand::Rng;
use group::Point;
use group::graph::{GraphBuilder, automorphisms};

/// The name of the suite.
pub const SUITE: &str = "graphs";

/// An undirected graph.
pub struct UndirectedGraph {
    /// The number of vertices.
    pub n: usize,
    /// Each edge once.
    pub edges: Vec<(Point, Point)>,
}

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    for (case, make) in cases() {
        if !bench.wants(SUITE, case) {
            continue;
        }
        let edges = make();
        let (outcome, order) = ours(&edges, bench.seconds);
        bench.add(SUITE, case, "orbit", outcome);
        graph_rivals::run(bench, case, &edges, order);
    }
}

type GraphMaker = fn() -> UndirectedGraph;

fn cases() -> Vec<(&'static str, GraphMaker)> {
    vec![
        ("hub of 20000 processes", || hub(20_000, 5)),
        ("20000 cycles of 5", || cycles(20_000, 5)),
        ("hypercube 10d", || hypercube(10)),
        ("random sparse 100000", || random(100_000, 200_000)),
        ("grid 300x300", || grid(300)),
        ("random cubic 10000", || cubic(10_000)),
        ("rook 30x30", || rook(30)),
        ("Paley 509", || paley(509)),
    ]
}

fn ours(graph: &UndirectedGraph, seconds: f64) -> (RunOutcome, LogOrder) {
    let mut builder = GraphBuilder::new(graph.n);
    for &(x, y) in &graph.edges {
        builder.edge(x, y, 0);
    }
    let built = builder.build();
    let mut found = None;
    let measured = pace(seconds, |_| found = Some(automorphisms(&built)));
    let order = found.expect("done at least once").order.to_string();
    (RunOutcome::of(measured), LogOrder::of_digits(&order))
}

/// A hub joined to one vertex of each of `n` cycles.
fn hub(n: usize, length: usize) -> UndirectedGraph {
    let UndirectedGraph { n: hub, mut edges } = cycles(n, length);
    edges.extend((0..n).map(|i| (hub as Point, (i * length) as Point)));
    UndirectedGraph { n: hub + 1, edges }
}

fn cycles(n: usize, length: usize) -> UndirectedGraph {
    let edge = |i: usize| {
        let next = if (i + 1).is_multiple_of(length) {
            i + 1 - length
        } else {
            i + 1
        };
        (i as Point, next as Point)
    };
    UndirectedGraph {
        n: n * length,
        edges: (0..n * length).map(edge).collect(),
    }
}

fn hypercube(d: usize) -> UndirectedGraph {
    let n: Point = 1 << d;
    let up = |x: Point| (0..d).map(move |axis| (x, x | 1 << axis));
    let edges = (0..n).flat_map(up).filter(|(x, y)| x != y).collect();
    UndirectedGraph {
        n: n as usize,
        edges,
    }
}

fn random(n: usize, n_edges: usize) -> UndirectedGraph {
    let mut rng = Rng::with_seed(8);
    let mut seen = std::collections::HashSet::new();
    let mut edges = Vec::new();
    while edges.len() < n_edges {
        let (x, y) = (rng.u32(..n as Point), rng.u32(..n as Point));
        if x != y && seen.insert((x.min(y), x.max(y))) {
            edges.push((x, y));
        }
    }
    UndirectedGraph { n, edges }
}

fn grid(side: usize) -> UndirectedGraph {
    let mut edges = Vec::new();
    for x in 0..side * side {
        if (x + 1) % side != 0 {
            edges.push((x as Point, x as Point + 1));
        }
        if x + side < side * side {
            edges.push((x as Point, (x + side) as Point));
        }
    }
    UndirectedGraph {
        n: side * side,
        edges,
    }
}

/// Three ends at each vertex, joined at random; bad joints are broken up with another edge until
/// there is no loop and no double edge.
fn cubic(n: usize) -> UndirectedGraph {
    let mut rng = Rng::with_seed(9);
    let mut ends: Vec<Point> = (0..3 * n).map(|i| (i / 3) as Point).collect();
    rng.shuffle(&mut ends);
    loop {
        let mut seen = std::collections::HashSet::new();
        let bad: Vec<usize> = (0..ends.len() / 2)
            .filter(|i| {
                let (x, y) = (ends[2 * i], ends[2 * i + 1]);
                x == y || !seen.insert((x.min(y), x.max(y)))
            })
            .collect();
        if bad.is_empty() {
            let edges = ends.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            return UndirectedGraph {
                n,
                edges: edges.collect(),
            };
        }
        for i in bad {
            let other = rng.usize(..ends.len());
            ends.swap(2 * i, other);
        }
    }
}

/// Squares of a board, joined where a rook can go.
fn rook(side: usize) -> UndirectedGraph {
    let n = side * side;
    let meets = |x: usize, y: usize| x / side == y / side || x % side == y % side;
    let later = |x: usize| {
        (x + 1..n)
            .filter(move |&y| meets(x, y))
            .map(move |y| (x as Point, y as Point))
    };
    UndirectedGraph {
        n,
        edges: (0..n).flat_map(later).collect(),
    }
}

/// Numbers modulo the prime `p`, joined where their difference is a square.
fn paley(p: usize) -> UndirectedGraph {
    let mut is_square = vec![false; p];
    for x in 1..p {
        is_square[x * x % p] = true;
    }
    let mut edges = Vec::new();
    for x in 0..p {
        let later = (x + 1..p).filter(|y| is_square[y - x]);
        edges.extend(later.map(|y| (x as Point, y as Point)));
    }
    UndirectedGraph { n: p, edges }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(graph: &UndirectedGraph) -> String {
        let mut builder = GraphBuilder::new(graph.n);
        for &(x, y) in &graph.edges {
            builder.edge(x, y, 0);
        }
        automorphisms(&builder.build()).order.to_string()
    }

    #[test]
    fn graphs_have_their_symmetries() {
        assert_eq!(order(&hub(3, 5)), "48");
        assert_eq!(order(&cycles(3, 5)), "6000");
        assert_eq!(order(&hypercube(4)), "384");
        assert_eq!(order(&grid(5)), "8");
        assert_eq!(order(&rook(4)), "1152");
        assert_eq!(order(&paley(13)), "78");
    }

    #[test]
    fn random_graphs_are_simple() {
        for (graph, degree) in [(cubic(100), Some(3)), (random(100, 200), None)] {
            let mut ends = vec![0; graph.n];
            let mut sorted: Vec<_> = graph
                .edges
                .iter()
                .map(|&(x, y)| (x.min(y), x.max(y)))
                .collect();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), graph.edges.len());
            for (x, y) in sorted {
                assert_ne!(x, y);
                ends[x as usize] += 1;
                ends[y as usize] += 1;
            }
            assert!(degree.is_none_or(|degree| ends.iter().all(|&d| d == degree)));
        }
    }
}
