//! Times the labelling of large graphs and writes them for other programs.
//!
//! `labelling_times` measures all families, `labelling_times NAME…` some of them; with
//! `--write DIR` the graphs are also written as DIMACS (bliss) and dreadnaut input (nauty, Traces),
//! undirected and with vertex colours only, which is what these families need.

#![allow(clippy::print_stdout)] // A program for people to read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use group::Point;
use group::graph::{Graph, GraphBuilder, labelling::analyse, preserves};

fn main() -> std::io::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut dir: Option<PathBuf> = None;
    if let Some(i) = args.iter().position(|a| a == "--write") {
        args.remove(i);
        dir = Some(args.remove(i).into());
    }
    for (name, build) in FAMILIES {
        if !args.is_empty() && !args.iter().any(|a| a == name) {
            continue;
        }
        let graph = build();
        if let Some(dir) = &dir {
            write_dimacs(&graph, &dir.join(format!("{name}.bliss")))?;
            write_dreadnaut(&graph, &dir.join(format!("{name}.dre")))?;
            continue;
        }
        let start = cpu_seconds();
        let (found, labelling) = analyse(&graph);
        let seconds = cpu_seconds() - start;
        let start = cpu_seconds();
        let sound = found.generators.iter().all(|g| preserves(&graph, g));
        let digits = found.order.bits() as f64 * std::f64::consts::LOG10_2;
        println!(
            "{name:22} {:8} vertices {:8} arcs  {seconds:8.3} s  order ~10^{digits:.0} ({} bits)  \
             {} generators (moving {}), {} orbits, sound {sound} ({:.3} s), first place {:?}",
            graph.n_vertices(),
            graph.n_arcs(),
            found.order.bits(),
            found.generators.len(),
            (found.generators.iter())
                .map(|g| g.support().len())
                .sum::<usize>(),
            found.orbits.len(),
            cpu_seconds() - start,
            labelling.places().first(),
        );
    }
    Ok(())
}

/// Processor time of this program: the machine may be shared, so wall time would say little.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds = text.split_whitespace().next().and_then(|w| w.parse().ok());
    nanoseconds.map_or(f64::NAN, |n: f64| n * 1e-9)
}

type Family = (&'static str, fn() -> Graph);

const FAMILIES: &[Family] = &[
    ("hub-20k", || hub(20_000)),
    ("hub-200k", || hub(200_000)),
    ("hub-rigid-20k", || hub_rigid(20_000)),
    ("hypercube-10", || hypercube(10)),
    ("hypercube-14", || hypercube(14)),
    ("sparse-100k", || sparse(100_000, 200_000)),
    ("sparse-1m", || sparse(1_000_000, 1_000_000)),
    ("grid-300", || grid(300)),
    ("copies-100x2", || copies(100, 100)),
    ("lattice-22", || lattice(22)),
    ("paley-509", || paley(509)),
    ("kneser-12-4", || kneser(12, 4)),
    ("cycle-100k", || cycle(100_000)),
    ("cycles-1000x100", || cycles(1000, 100)),
    ("regular-20k", || regular(20_000, 3)),
    ("regular-100k", || regular(100_000, 3)),
    ("torus-100", || torus(100)),
    ("multipartite", || multipartite(40, 10)),
    ("binary-tree-17", || tree(1 << 17)),
    ("cfi-cubic-200", || cfi(200)),
    ("cfi-cubic-1000", || cfi(1000)),
    ("space-9", || space(9)),
    ("plane-19", || plane(19)),
    ("latin-24", || latin(24)),
    ("ring-of-processes", || ring(5000)),
    ("hadamard-84", || hadamard(83)),
];

fn undirected(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    let mut b = GraphBuilder::new(n);
    for (x, y) in edges {
        b.edge(x as Point, y as Point, 0);
    }
    b.build()
}

fn on_pairs(n: usize, joined: impl Fn(usize, usize) -> bool) -> Graph {
    let pairs = (0..n).flat_map(|x| (0..x).map(move |y| (x, y)));
    undirected(n, pairs.filter(|&(x, y)| joined(x, y)).collect::<Vec<_>>())
}

/// Processes of five vertices, a path with two like ends, on one hub.
fn hub(n_processes: usize) -> Graph {
    hub_with(n_processes, 2)
}

/// Processes of five vertices without symmetry of their own.
fn hub_rigid(n_processes: usize) -> Graph {
    hub_with(n_processes, 1)
}

/// Processes that are paths of four vertices on one hub, and one more at vertex `fork` of each.
fn hub_with(n_processes: usize, fork: usize) -> Graph {
    let mut b = GraphBuilder::new(1);
    for _ in 0..n_processes {
        let v: Vec<Point> = (0..5).map(|_| b.vertex(0)).collect();
        for (x, y) in [
            (0, v[0]),
            (v[0], v[1]),
            (v[1], v[2]),
            (v[2], v[3]),
            (v[fork], v[4]),
        ] {
            b.edge(x, y, 0);
        }
    }
    b.build()
}

fn hypercube(d: usize) -> Graph {
    let edges = (0..1usize << d).flat_map(move |x| (0..d).map(move |i| (x, x ^ 1 << i)));
    undirected(1 << d, edges)
}

fn sparse(n: usize, m: usize) -> Graph {
    let mut rng = fastrand::Rng::with_seed(1);
    let edges: Vec<_> = (0..m).map(|_| (rng.usize(0..n), rng.usize(0..n))).collect();
    undirected(n, edges.into_iter().filter(|(x, y)| x != y))
}

fn grid(n: usize) -> Graph {
    let right = (0..n * n)
        .filter(move |x| x % n + 1 < n)
        .map(|x| (x, x + 1));
    let down = (0..n * (n - 1)).map(move |x| (x, x + n));
    undirected(n * n, right.chain(down))
}

fn torus(n: usize) -> Graph {
    let right = (0..n * n).map(move |x| (x, x / n * n + (x + 1) % n));
    let down = (0..n * n).map(move |x| (x, (x + n) % (n * n)));
    undirected(n * n, right.chain(down))
}

/// `k` random graphs of `n` vertices, each twice, the second copy shuffled.
fn copies(k: usize, n: usize) -> Graph {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut b = GraphBuilder::new(2 * k * n);
    for i in 0..k {
        let mut name: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut name);
        for _ in 0..3 * n {
            let (x, y) = (rng.usize(0..n), rng.usize(0..n));
            if x != y {
                let (first, second) = (2 * i * n, (2 * i + 1) * n);
                b.edge((first + x) as Point, (first + y) as Point, 0);
                b.edge((second + name[x]) as Point, (second + name[y]) as Point, 0);
            }
        }
    }
    b.build()
}

fn lattice(n: usize) -> Graph {
    on_pairs(n * n, |x, y| (x / n == y / n) != (x % n == y % n))
}

fn paley(q: usize) -> Graph {
    let mut square = vec![false; q];
    (1..q).for_each(|x| square[x * x % q] = true);
    on_pairs(q, |x, y| square[x - y])
}

fn kneser(n: u32, k: u32) -> Graph {
    let sets: Vec<u32> = (0..1u32 << n).filter(|s| s.count_ones() == k).collect();
    on_pairs(sets.len(), |x, y| sets[x] & sets[y] == 0)
}

fn cycle(n: usize) -> Graph {
    undirected(n, (0..n).map(|x| (x, (x + 1) % n)))
}

fn cycles(k: usize, n: usize) -> Graph {
    let edges = (0..k).flat_map(|i| (0..n).map(move |x| (i * n + x, i * n + (x + 1) % n)));
    undirected(k * n, edges)
}

/// A random regular graph by pairing; ends of loops and repeated pairs are exchanged with others.
fn regular(n: usize, degree: usize) -> Graph {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut ends: Vec<usize> = (0..n * degree).map(|i| i / degree).collect();
    rng.shuffle(&mut ends);
    loop {
        let mut seen = std::collections::HashSet::new();
        let mut bad = Vec::new();
        for (i, p) in ends.chunks(2).enumerate() {
            if p[0] == p[1] || !seen.insert((p[0].min(p[1]), p[0].max(p[1]))) {
                bad.push(2 * i);
            }
        }
        if bad.is_empty() {
            return undirected(n, ends.chunks(2).map(|p| (p[0], p[1])));
        }
        for i in bad {
            let other = rng.usize(0..ends.len());
            ends.swap(i, other);
        }
    }
}

/// Points and lines of the projective plane over a prime field.
fn plane(q: usize) -> Graph {
    let all = (0..q * q * q).map(|i| [i / (q * q), i / q % q, i % q]);
    let first_is_one = |v: &[usize; 3]| v.iter().find(|&&c| c != 0) == Some(&1);
    let points: Vec<[usize; 3]> = all.filter(first_is_one).collect();
    let n = points.len();
    let on =
        |x: usize, y: usize| (0..3).map(|i| points[x][i] * points[y][i]).sum::<usize>() % q == 0;
    let pairs = (0..n).flat_map(|x| (0..n).map(move |y| (x, y)));
    let joined: Vec<_> = pairs.filter(|&(x, y)| on(x, y)).collect();
    undirected(2 * n, joined.into_iter().map(|(x, y)| (x, n + y)))
}

/// Cells of a Latin square, joined if they share row, column or symbol; cyclic with some 2 by 2
/// subsquares turned, which leaves few or no symmetries.
fn latin(n: usize) -> Graph {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut square: Vec<Vec<usize>> = (0..n)
        .map(|r| (0..n).map(|c| (r + c) % n).collect())
        .collect();
    for _ in 0..200_000 {
        let (r, c, h) = (rng.usize(0..n), rng.usize(0..n), rng.usize(1..n));
        let (s, d) = ((r + h) % n, rng.usize(0..n));
        if square[r][c] == square[s][d] && square[r][d] == square[s][c] && c != d {
            let (x, y) = (square[r][c], square[r][d]);
            (square[r][c], square[s][d]) = (y, y);
            (square[r][d], square[s][c]) = (x, x);
        }
    }
    on_pairs(n * n, |x, y| {
        let symbol = |z: usize| square[z / n][z % n];
        x / n == y / n || x % n == y % n || symbol(x) == symbol(y)
    })
}

/// Processes of ten vertices around a directed ring; each has a flip of its own.
fn ring(n: usize) -> Graph {
    let mut b = GraphBuilder::new(0);
    let first: Vec<Point> = (0..n)
        .map(|_| {
            let v: Vec<Point> = (0..10).map(|i| b.vertex(u32::from(i > 0))).collect();
            for i in 1..10 {
                b.edge(v[0], v[i], 0);
                b.edge(v[i], v[i % 9 + 1], 0);
            }
            v[0]
        })
        .collect();
    for i in 0..n {
        b.edge(first[i], first[(i + 1) % n], 0);
    }
    b.build()
}

/// The Hadamard matrix of Paley for a prime 3 modulo 4: rows and columns with both signs.
fn hadamard(q: usize) -> Graph {
    let mut square = vec![false; q];
    (1..q).for_each(|x| square[x * x % q] = true);
    let n = q + 1;
    let positive = |r: usize, c: usize| match (r, c) {
        (0, _) | (_, 0) => c == 0 || r == 0,
        _ if r == c => false,
        _ => !square[(r + q - c) % q],
    };
    let mut b = GraphBuilder::new(4 * n);
    for r in 0..n {
        b.edge((2 * r) as Point, (2 * r + 1) as Point, 0);
        b.edge((2 * (n + r)) as Point, (2 * (n + r) + 1) as Point, 0);
        for c in 0..n {
            for sign in 0..2 {
                let other = sign ^ usize::from(!positive(r, c));
                b.edge((2 * r + sign) as Point, (2 * (n + c) + other) as Point, 0);
            }
        }
    }
    b.build()
}

fn multipartite(parts: usize, size: usize) -> Graph {
    on_pairs(parts * size, |x, y| x / size != y / size)
}

fn tree(n: usize) -> Graph {
    undirected(n - 1, (1..n - 1).map(|x| (x, (x - 1) / 2)))
}

/// The gadgets of Cai, Fürer and Immerman over a random cubic graph.
fn cfi(n: usize) -> Graph {
    let base = regular(n, 3);
    let arcs: Vec<_> = base.arcs().collect();
    let mut b = GraphBuilder::new(2 * arcs.len());
    for v in 0..n as Point {
        let at: Vec<usize> = (0..arcs.len()).filter(|&i| arcs[i].from == v).collect();
        for subset in (0..1usize << at.len()).filter(|s| s.count_ones() % 2 == 0) {
            let middle = b.vertex(1);
            for (j, &i) in at.iter().enumerate() {
                b.edge(middle, (2 * i + (subset >> j & 1)) as Point, 0);
            }
        }
    }
    for (i, arc) in arcs.iter().enumerate() {
        let back = arcs
            .iter()
            .position(|e| (e.from, e.to) == (arc.to, arc.from));
        let back = back.expect("an undirected base");
        for value in 0..2 {
            b.edge((2 * i + value) as Point, (2 * back + value) as Point, 0);
        }
    }
    b.build()
}

/// Points and lines of the projective space over two elements.
fn space(d: u32) -> Graph {
    let n = (1usize << d) - 1;
    let mut b = GraphBuilder::new(n);
    for x in 1..=n {
        for y in x + 1..=n {
            if x ^ y > y {
                let line = b.vertex(1);
                for point in [x, y, x ^ y] {
                    b.edge(line, (point - 1) as Point, 0);
                }
            }
        }
    }
    b.build()
}

fn write_dimacs(graph: &Graph, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "p edge {} {}", graph.n_vertices(), graph.n_arcs() / 2)?;
    for x in 0..graph.n_vertices() as Point {
        writeln!(file, "n {} {}", x + 1, graph.colour(x))?;
    }
    for arc in graph.arcs().filter(|a| a.from < a.to) {
        writeln!(file, "e {} {}", arc.from + 1, arc.to + 1)?;
    }
    file.flush()
}

fn write_dreadnaut(graph: &Graph, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "n={} $=0 g", graph.n_vertices())?;
    for x in 0..graph.n_vertices() as Point {
        let later = graph.arcs_out(x).iter().filter(|e| e.vertex > x);
        let ends: Vec<String> = later.map(|e| e.vertex.to_string()).collect();
        writeln!(file, "{x}: {};", ends.join(" "))?;
    }
    let ones = (0..graph.n_vertices() as Point).filter(|&x| graph.colour(x) == 1);
    let ones: Vec<String> = ones.map(|x| x.to_string()).collect();
    if !ones.is_empty() {
        writeln!(file, "f=[{}]", ones.join(" "))?;
    }
    file.flush()
}
