//! Random graphs of all sorts, most of them with symmetry, and near misses of isomorphism.

use fastrand::Rng;
use group::Point;
use group::graph::{Arc, Graph, GraphBuilder};

use crate::sample_groups::random_perm;

/// What a random graph may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Edges only, without loops.
    Undirected,
    /// Arcs and loops.
    Directed,
    /// Arcs and loops of several colours.
    ColouredArcs,
}

/// A random graph with 1 to `n_max` vertices.
pub fn random_graph(rng: &mut Rng, n_max: usize, sort: Sort) -> Graph {
    let n = rng.usize(1..=n_max);
    let mut graph = shape(rng, n, sort);
    if rng.usize(0..3) == 0 && n >= 2 {
        graph = copies(rng, &graph, n_max / n);
    }
    let n = graph.n_vertices();
    let mut colours = graph.colours().to_vec();
    match rng.usize(0..4) {
        0 => colours.iter_mut().for_each(|c| *c = rng.u32(0..2)),
        1 => colours[rng.usize(0..n)] = 5,
        _ => {}
    }
    let mut arcs: Vec<Arc> = graph.arcs().collect();
    if sort == Sort::ColouredArcs && rng.bool() {
        arcs.iter_mut().for_each(|a| a.colour = rng.u32(0..3));
    }
    let name = random_perm(rng, n, n);
    Graph::new(colours, arcs).renamed(name.image())
}

fn shape(rng: &mut Rng, n: usize, sort: Sort) -> Graph {
    let m = n as Point;
    let mut graph = GraphBuilder::new(n);
    match rng.usize(0..6) {
        // Steps of fixed lengths around a circle.
        0 => {
            for colour in 0..rng.u32(1..3) {
                let step = rng.u32(0..m);
                (0..m).for_each(|x| join(&mut graph, sort, [x, (x + step) % m], colour));
            }
        }
        // A tree.
        1 => {
            for x in 1..m {
                join(&mut graph, sort, [x, rng.u32(0..x.min(4))], 0);
            }
        }
        // Corners of a cube, as many as there are.
        2 => {
            for x in 0..m {
                for y in (0..5).map(|i| x ^ (1 << i)).filter(|&y| x < y && y < m) {
                    join(&mut graph, sort, [x, y], 0);
                }
            }
        }
        // A grid whose rows are complete.
        3 => {
            let width = rng.u32(1..=m);
            for (x, y) in pairs(m) {
                if x / width == y / width {
                    join(&mut graph, sort, [x, y], 0);
                } else if x % width == y % width {
                    join(&mut graph, sort, [x, y], 1);
                }
            }
        }
        // Few arcs, or many.
        _ => {
            let few = 1.5 / f64::from(m);
            let density = [few, few * 2.0, rng.f64()][rng.usize(0..3)];
            for (x, y) in pairs(m).chain((0..m).map(|x| (x, x))) {
                if rng.f64() < density {
                    let colour = rng.u32(0..2);
                    let ends = if rng.bool() { [x, y] } else { [y, x] };
                    join(&mut graph, sort, ends, colour);
                }
            }
        }
    }
    graph.build()
}

/// Joins two vertices as the sort of the graph has it.
fn join(graph: &mut GraphBuilder, sort: Sort, [x, y]: [Point; 2], colour: u32) {
    match sort {
        Sort::Undirected if x != y => graph.edge(x, y, 0),
        Sort::Undirected => {}
        Sort::Directed => graph.arc(x, y, 0),
        Sort::ColouredArcs => graph.arc(x, y, colour),
    }
}

fn pairs(m: Point) -> impl Iterator<Item = (Point, Point)> {
    (0..m).flat_map(move |x| (x + 1..m).map(move |y| (x, y)))
}

/// Up to `n_max` copies side by side, perhaps with a vertex that is joined to all.
fn copies(rng: &mut Rng, graph: &Graph, n_max: usize) -> Graph {
    let n = graph.n_vertices() as Point;
    let n_copies = rng.u32(1..=n_max as u32);
    let mut all = GraphBuilder::new((n * n_copies) as usize);
    for i in 0..n_copies {
        for arc in graph.arcs() {
            all.arc(arc.from + i * n, arc.to + i * n, arc.colour);
        }
    }
    if rng.bool() {
        let centre = all.vertex(0);
        (0..n * n_copies).for_each(|x| all.edge(x, centre, 0));
    }
    all.build()
}

/// The graph renamed at random; half the time with a small change that keeps the number of vertices
/// of each colour, and sometimes the degrees too.
pub fn related_graph(rng: &mut Rng, graph: &Graph) -> Graph {
    let n = graph.n_vertices();
    let name = random_perm(rng, n, n);
    let renamed = graph.renamed(name.image());
    let is_undirected = graph.arcs().all(|a| graph.has_arc(a.to, a.from, a.colour));
    let mut arcs: Vec<Arc> = renamed.arcs().collect();
    if arcs.len() < 2 || rng.bool() {
        return renamed;
    }
    let (i, j) = (rng.usize(0..arcs.len()), rng.usize(0..arcs.len()));
    let mut colours = renamed.colours().to_vec();
    match rng.usize(0..3) {
        0 => {
            let (x, y) = (rng.usize(0..n), rng.usize(0..n));
            colours.swap(x, y);
        }
        1 if !is_undirected => {
            let end = arcs[i].to;
            arcs[i].to = arcs[j].to;
            arcs[j].to = end;
        }
        _ => switch_edges(&mut arcs, i, j),
    }
    Graph::new(colours, arcs)
}

/// Replaces the edges `a–b`, `c–d` by `a–d`, `c–b`, which keeps all degrees if they were absent.
fn switch_edges(arcs: &mut [Arc], i: usize, j: usize) {
    let (first, second) = (arcs[i], arcs[j]);
    let (a, b, c, d) = (first.from, first.to, second.from, second.to);
    let is_simple = [a, b].iter().all(|x| ![c, d].contains(x));
    let is_free = |from: Point, to: Point| !arcs.iter().any(|e| e.from == from && e.to == to);
    if !is_simple
        || ![(a, d), (d, a), (c, b), (b, c)]
            .iter()
            .all(|&(x, y)| is_free(x, y))
    {
        return;
    }
    for arc in arcs.iter_mut() {
        let to = match (arc.from, arc.to) {
            ends if ends == (a, b) => (a, d),
            ends if ends == (b, a) => (d, a),
            ends if ends == (c, d) => (c, b),
            ends if ends == (d, c) => (b, c),
            ends => ends,
        };
        (arc.from, arc.to) = to;
    }
}
