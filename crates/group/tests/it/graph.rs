//! Graphs: known groups, a plain twin by enumeration, and traps.

use std::collections::BTreeSet;

use group::graph::{
    Arc, Graph, GraphBuilder, automorphisms, canonical_form, is_isomorphism, isomorphism,
    isomorphism_within, labelling::analyse, labelling::analyse_within, preserves,
};
use group::{Budget, Group, NoAnswer, Point};
use num_bigint::BigUint;

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

fn cycle(n: usize) -> Graph {
    undirected(n, (0..n).map(|x| (x, (x + 1) % n)))
}

fn hypercube(d: usize) -> Graph {
    on_pairs(1 << d, |x, y| (x ^ y).is_power_of_two())
}

fn kneser(n: u32, k: u32) -> Graph {
    let sets: Vec<u32> = (0..1u32 << n).filter(|s| s.count_ones() == k).collect();
    on_pairs(sets.len(), |x, y| sets[x] & sets[y] == 0)
}

/// Paley graph of a prime that is 1 modulo 4.
fn paley(q: usize) -> Graph {
    let squares: BTreeSet<usize> = (1..q).map(|x| x * x % q).collect();
    on_pairs(q, |x, y| squares.contains(&(x - y)))
}

fn lattice(n: usize) -> Graph {
    on_pairs(n * n, |x, y| (x / n == y / n) != (x % n == y % n))
}

fn grid(rows: usize, columns: usize) -> Graph {
    let at = |r: usize, c: usize| r * columns + c;
    let mut edges = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            if r + 1 < rows {
                edges.push((at(r, c), at(r + 1, c)));
            }
            if c + 1 < columns {
                edges.push((at(r, c), at(r, c + 1)));
            }
        }
    }
    undirected(rows * columns, edges)
}

fn union(parts: &[&Graph]) -> Graph {
    let mut colours = Vec::new();
    let mut arcs = Vec::new();
    for part in parts {
        let shift = colours.len() as Point;
        colours.extend(part.colours());
        arcs.extend(part.arcs().map(|a| Arc {
            from: a.from + shift,
            to: a.to + shift,
            colour: a.colour,
        }));
    }
    Graph::new(colours, arcs)
}

/// Processes of five vertices, two of them alike, on one hub.
fn hub(n_processes: usize) -> Graph {
    let mut b = GraphBuilder::new(1);
    for _ in 0..n_processes {
        let v: Vec<Point> = (0..5).map(|i| b.vertex(u32::from(i < 3))).collect();
        b.edge(0, v[0], 0);
        b.arc(v[0], v[1], 0);
        b.arc(v[1], v[2], 1);
        b.arc(v[2], v[3], 2);
        b.arc(v[2], v[4], 2);
        b.edge(v[0], v[4], 3);
        b.edge(v[0], v[3], 3);
    }
    b.build()
}

fn shuffled(graph: &Graph, rng: &mut fastrand::Rng) -> (Graph, Vec<Point>) {
    let mut name: Vec<Point> = (0..graph.n_vertices() as Point).collect();
    rng.shuffle(&mut name);
    (graph.renamed(&name), name)
}

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// Checks everything that holds for every graph, and the order.
fn check(name: &str, graph: &Graph, order: BigUint) {
    let found = automorphisms(graph);
    assert_eq!(found.order, order, "order of {name}");
    for g in &found.generators {
        assert!(preserves(graph, g), "{name}: {g:?} is no automorphism");
        assert!(!g.is_identity(), "{name}: a generator that moves nothing");
    }
    if graph.n_vertices() <= 200 {
        let n = graph.n_vertices();
        let generators = &found.generators;
        assert_eq!(group::orbit::orbits(n, generators), found.orbits, "{name}");
        let generated = Group::new(n, generators.clone());
        assert_eq!(generated.order(), order, "generated group of {name}");
        let chain = group::Chain::new(n, generators, &found.base);
        assert!(
            chain.n_levels() <= found.base.len(),
            "{name}: {:?} is no base",
            found.base
        );
    }
    let mut rng = fastrand::Rng::with_seed(3);
    let form = canonical_form(graph);
    let (other, name_of) = shuffled(graph, &mut rng);
    assert!(is_isomorphism(graph, &other, &name_of), "{name}");
    assert!(canonical_form(&other) == form, "canonical form of {name}");
    let map = isomorphism(graph, &other).expect("isomorphic by construction");
    assert!(is_isomorphism(graph, &other, &map), "{name}");
}

fn big(n: u64) -> BigUint {
    BigUint::from(n)
}

#[test]
fn known_groups() {
    check("no vertices", &undirected(0, []), big(1));
    check("one vertex", &undirected(1, []), big(1));
    check("nine isolated vertices", &undirected(9, []), factorial(9));
    check("Petersen", &kneser(5, 2), big(120));
    check("Kneser 7,3", &kneser(7, 3), factorial(7));
    check("Kneser 8,3", &kneser(8, 3), factorial(8));
    for d in 1..=7 {
        let order = factorial(d as u32) << d;
        check(&format!("hypercube {d}"), &hypercube(d), order);
    }
    for q in [5u64, 13, 29, 61, 101] {
        let order = big(q * (q - 1) / 2);
        check(&format!("Paley {q}"), &paley(q as usize), order);
    }
    for n in [3, 5, 8] {
        let order = factorial(n).pow(2) * 2u32;
        check(&format!("lattice {n}"), &lattice(n as usize), order);
    }
    for n in [3, 4, 5, 6, 7, 30, 101, 1000] {
        check(&format!("cycle {n}"), &cycle(n), big(2 * n as u64));
    }
    check("complete graph", &on_pairs(12, |_, _| true), factorial(12));
    check("grid", &grid(9, 9), big(8));
    check("grid", &grid(4, 7), big(4));
}

#[test]
fn directed_cycles_only_rotate() {
    for n in [3, 4, 10, 101] {
        let mut b = GraphBuilder::new(n);
        for x in 0..n {
            b.arc(x as Point, ((x + 1) % n) as Point, 0);
        }
        check(&format!("directed cycle {n}"), &b.build(), big(n as u64));
    }
}

#[test]
fn multipartite_graphs_and_their_complements() {
    let tripartite = on_pairs(12, |x, y| x / 4 != y / 4);
    check("K(4,4,4)", &tripartite, factorial(4).pow(3) * 6u32);
    let part = |x: usize| [0, 0, 0, 1, 1, 1, 2, 2, 3][x];
    let uneven = on_pairs(9, |x, y| part(x) != part(y));
    check("K(3,3,2,1)", &uneven, big(6 * 6 * 2 * 2));
    let cocktail = on_pairs(40, |x, y| x / 2 != y / 2);
    check("cocktail party", &cocktail, factorial(20) << 20);
}

#[test]
fn disjoint_unions_are_wreath_products() {
    let (c5, c6, petersen) = (cycle(5), cycle(6), kneser(5, 2));
    let mixed = union(&[&c5, &c6, &c5, &petersen, &c6, &petersen, &c5]);
    let order = factorial(3) * big(1000) * 2u32 * big(144) * 2u32 * big(14400);
    check("cycles and Petersen graphs", &mixed, order);
    // One cell for refinement, since all vertices have two neighbours.
    let triangles = union(&[&cycle(3), &cycle(3), &c6]);
    check("two triangles and a hexagon", &triangles, big(2 * 36 * 12));
    let many: Vec<&Graph> = std::iter::repeat_n(&petersen, 12).collect();
    check(
        "Petersen graphs",
        &union(&many),
        factorial(12) * big(120).pow(12),
    );
}

#[test]
fn a_hub_with_many_processes() {
    check("hub", &hub(20), factorial(20) << 20);
    let large = hub(20_000);
    let found = automorphisms(&large);
    assert_eq!(found.generators.len(), 19_999 + 1);
    assert_eq!(found.orbits.len(), 1 + 4);
    assert_eq!(found.order, factorial(20_000) << 20_000);
    assert!(found.generators.iter().all(|g| preserves(&large, g)));
}

/// Two hubs that can be exchanged, with processes on each: all generators but the one that
/// exchanges the hubs move two processes at most.
#[test]
fn generators_move_little() {
    let one = hub(50);
    let mut both = GraphBuilder::new(2 * one.n_vertices());
    for shift in [0, one.n_vertices() as Point] {
        for x in 0..one.n_vertices() as Point {
            both.paint(x + shift, one.colour(x));
        }
        for arc in one.arcs() {
            both.arc(arc.from + shift, arc.to + shift, arc.colour);
        }
        both.arc(shift, one.n_vertices() as Point - shift, 9);
    }
    let graph = both.build();
    let order = (factorial(50) << 50u32).pow(2) * 2u32;
    check("two hubs", &graph, order);
    let found = automorphisms(&graph);
    let large = found.generators.iter().filter(|g| g.support().len() > 10);
    assert_eq!(large.count(), 1);
}

#[test]
fn large_but_easy_graphs() {
    check("long cycle", &cycle(20_000), big(40_000));
    check("long path", &grid(1, 50_000), big(2));
    check("large grid", &grid(60, 60), big(8));
    let tree = undirected((1 << 14) - 1, (1..(1 << 14) - 1).map(|x| (x, (x - 1) / 2)));
    check("binary tree", &tree, big(1) << ((1 << 13) - 1));
    let star = undirected(30_000, (1..30_000).map(|x| (0, x)));
    check("star", &star, factorial(29_999));
    let mut caterpillar: Vec<(usize, usize)> = (1..4000).map(|x| (x - 1, x)).collect();
    caterpillar.extend((0..4000).flat_map(|x| [(x, 4000 + 2 * x), (x, 4001 + 2 * x)]));
    check(
        "caterpillar",
        &undirected(12_000, caterpillar),
        big(1) << 4001,
    );
}

/// Gadgets of Cai, Fürer and Immerman over a base graph: refinement alone sees nothing. For each
/// edge two vertices at each end, one for each value; for each vertex the even subsets of edges.
fn cfi(base: &Graph, twist: bool) -> Graph {
    let mut b = GraphBuilder::new(0);
    let edges: Vec<Arc> = base.arcs().collect();
    let ports: Vec<[Point; 2]> = edges.iter().map(|_| [b.vertex(0), b.vertex(0)]).collect();
    for v in 0..base.n_vertices() as Point {
        let at_v: Vec<usize> = (0..edges.len()).filter(|&i| edges[i].from == v).collect();
        for subset in (0..1u32 << at_v.len()).filter(|s| s.count_ones() % 2 == 0) {
            let middle = b.vertex(1);
            for (j, &i) in at_v.iter().enumerate() {
                b.edge(middle, ports[i][(subset >> j & 1) as usize], 0);
            }
        }
    }
    for (i, edge) in edges.iter().enumerate() {
        let back = (edges.iter()).position(|e| (e.from, e.to) == (edge.to, edge.from));
        let back = back.expect("an undirected base");
        let crossed = usize::from(twist && i.min(back) == 0);
        for value in 0..2 {
            b.edge(ports[i][value], ports[back][value ^ crossed], 0);
        }
    }
    b.build()
}

#[test]
fn gadgets_that_refinement_cannot_see_through() {
    // 2^(edges - vertices + 1) flips along cycles, times the symmetries of the base.
    for (name, base, order) in [
        ("K4", on_pairs(4, |_, _| true), 24u64 << 3),
        ("Petersen", kneser(5, 2), 120 << 6),
    ] {
        let (plain, twisted) = (cfi(&base, false), cfi(&base, true));
        check(name, &plain, big(order));
        check(name, &twisted, big(order));
        assert!(isomorphism(&plain, &twisted).is_none(), "{name}");
    }
}

#[test]
fn strongly_regular_graphs_with_equal_parameters_differ() {
    // Parameters (16, 6, 2, 2): the lattice graph and Shrikhande's, which refinement of single
    // vertices cannot tell apart.
    let shrikhande = on_pairs(16, |x, y| {
        let step = |a: usize, b: usize| (a + 4 - b) % 4;
        let difference = (step(x / 4, y / 4), step(x % 4, y % 4));
        [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&difference)
    });
    check("Shrikhande", &shrikhande, big(192));
    check("lattice 4", &lattice(4), big(1152));
    assert!(isomorphism(&shrikhande, &lattice(4)).is_none());
    let both = union(&[&shrikhande, &lattice(4), &shrikhande]);
    check("their union", &both, big(192 * 192 * 2 * 1152));
}

fn permutations(n: usize) -> Vec<Vec<Point>> {
    let mut all = vec![vec![]];
    for k in 0..n as Point {
        all = (all.iter())
            .flat_map(|p: &Vec<Point>| {
                (0..=p.len()).map(move |i| {
                    let mut q = p.clone();
                    q.insert(i, k);
                    q
                })
            })
            .collect();
    }
    all
}

fn random_graph(rng: &mut fastrand::Rng) -> Graph {
    let n = rng.usize(0..=7);
    let n_colours = rng.u32(1..=3);
    let density = rng.f64();
    let mut b = GraphBuilder::new(n);
    for x in 0..n as Point {
        b.paint(x, 10 * (rng.u32(0..n_colours) / 2));
    }
    let symmetric = rng.bool();
    for x in 0..n as Point {
        for y in 0..n as Point {
            for colour in 0..n_colours {
                if (x != y || rng.u8(0..4) == 0) && rng.f64() * f64::from(n_colours) < density {
                    b.arc(x, y, colour * 7);
                    if symmetric {
                        b.arc(y, x, colour * 7);
                    }
                }
            }
        }
    }
    b.build()
}

#[test]
fn agrees_with_enumeration() {
    let all: Vec<Vec<Vec<Point>>> = (0..=7).map(permutations).collect();
    let mut rng = fastrand::Rng::with_seed(11);
    for round in 0..600 {
        let graph = random_graph(&mut rng);
        let n = graph.n_vertices();
        let plain: Vec<&Vec<Point>> = (all[n].iter())
            .filter(|p| is_isomorphism(&graph, &graph, p))
            .collect();
        let mut sets = group::orbit::DisjointSets::new(n);
        for p in &plain {
            (0..n).for_each(|x| {
                sets.join(x as Point, p[x]);
            });
        }
        let found = automorphisms(&graph);
        assert_eq!(
            found.order,
            big(plain.len() as u64),
            "round {round}: {graph:?}"
        );
        assert_eq!(found.orbits, sets.sets(), "round {round}: {graph:?}");
        check(&format!("round {round}"), &graph, found.order);
    }
}

#[test]
fn canonical_forms_are_equal_exactly_for_isomorphic_graphs() {
    let all = permutations(4);
    let mut rng = fastrand::Rng::with_seed(5);
    let mut n_isomorphic = 0;
    for round in 0..4000 {
        // Few arcs on four vertices: isomorphic pairs are common.
        let few = |rng: &mut fastrand::Rng| {
            let mut b = GraphBuilder::new(4);
            for _ in 0..rng.usize(1..5) {
                b.arc(rng.u32(0..4), rng.u32(0..4), rng.u32(0..2));
            }
            b.paint(rng.u32(0..4), 1);
            b.build()
        };
        let (a, b) = (few(&mut rng), few(&mut rng));
        let isomorphic = all.iter().any(|p| is_isomorphism(&a, &b, p));
        n_isomorphic += usize::from(isomorphic);
        assert_eq!(
            canonical_form(&a) == canonical_form(&b),
            isomorphic,
            "round {round}: {a:?} and {b:?}"
        );
        assert_eq!(isomorphism(&a, &b).is_some(), isomorphic, "round {round}");
    }
    assert!(n_isomorphic > 40, "only {n_isomorphic} isomorphic pairs");
}

/// All graphs on four vertices up to isomorphism, and all digraphs on three.
#[test]
fn counts_the_classes_of_small_graphs() {
    let count = |n: usize, pairs: Vec<(Point, Point)>, both: bool| {
        let mut forms = BTreeSet::new();
        for chosen in 0..1u32 << pairs.len() {
            let mut b = GraphBuilder::new(n);
            for (i, &(x, y)) in pairs.iter().enumerate() {
                if chosen >> i & 1 == 1 {
                    b.arc(x, y, 0);
                    if both {
                        b.arc(y, x, 0);
                    }
                }
            }
            forms.insert(canonical_form(&b.build()).arcs().collect::<Vec<_>>());
        }
        forms.len()
    };
    let below = |n: Point| (0..n).flat_map(|x| (0..x).map(move |y| (x, y))).collect();
    assert_eq!(count(4, below(4), true), 11);
    assert_eq!(count(5, below(5), true), 34);
    let ordered = |n: Point| {
        (0..n)
            .flat_map(|x| (0..n).map(move |y| (x, y)))
            .filter(|(x, y)| x != y)
            .collect()
    };
    assert_eq!(count(3, ordered(3), false), 16);
    assert_eq!(count(4, ordered(4), false), 218);
}

/// Drawing a digraph with an `out` and an `in` vertex for each vertex, without a coloured middle,
/// forgets too much: two digraphs that differ get the same drawing.
#[test]
fn pairs_of_plain_vertices_do_not_draw_a_digraph() {
    let draw = |graph: &Graph| {
        let mut b = GraphBuilder::new(2 * graph.n_vertices());
        for x in 0..graph.n_vertices() as Point {
            b.edge(2 * x, 2 * x + 1, 0);
        }
        for arc in graph.arcs() {
            b.edge(2 * arc.from, 2 * arc.to + 1, 0);
        }
        b.build()
    };
    let build = |arcs: &[(Point, Point)]| {
        let mut b = GraphBuilder::new(3);
        for &(x, y) in arcs {
            b.arc(x, y, 0);
        }
        b.build()
    };
    // Two arcs out of one vertex, two into one: reversing exchanges all outs with all ins.
    let (fork, join) = (build(&[(0, 1), (0, 2)]), build(&[(1, 0), (2, 0)]));
    assert!(isomorphism(&fork, &join).is_none());
    assert!(isomorphism(&draw(&fork), &draw(&join)).is_some());
    let path = build(&[(0, 1), (1, 2)]);
    assert_eq!(automorphisms(&path).order, big(1));
    assert!(automorphisms(&draw(&path)).order > big(1));
}

#[test]
fn colours_count_by_value() {
    let build = |vertex: u32, arc: u32| {
        let mut b = GraphBuilder::new(2);
        b.paint(0, vertex);
        b.arc(0, 1, arc);
        b.build()
    };
    assert!(isomorphism(&build(1, 1), &build(1, 1)).is_some());
    assert!(isomorphism(&build(1, 1), &build(2, 1)).is_none());
    assert!(isomorphism(&build(1, 1), &build(1, 2)).is_none());
    assert!(canonical_form(&build(1, 1)) != canonical_form(&build(1, 2)));
}

#[test]
fn arcs_are_merged_and_kept_apart_by_colour() {
    let mut b = GraphBuilder::new(2);
    for colour in [3, 1, 3, 1] {
        b.arc(0, 1, colour);
        b.arc(1, 1, colour);
    }
    let graph = b.build();
    assert_eq!(graph.n_arcs(), 4);
    assert_eq!(graph.arcs_out(0).len(), 2);
    assert_eq!(graph.arcs_in(1).len(), 4);
    assert!(graph.has_arc(0, 1, 3) && !graph.has_arc(0, 1, 2) && !graph.has_arc(1, 0, 3));
}

/// Circulant digraphs with coloured arcs, blown up and united: one cell for refinement, and groups
/// that are no products of symmetric groups.
#[test]
fn circulants_and_their_blow_ups() {
    let mut rng = fastrand::Rng::with_seed(31);
    for round in 0..150 {
        let n = rng.usize(3..14);
        let copies = rng.usize(1..4);
        let steps: Vec<(usize, u32)> = (0..rng.usize(1..4))
            .map(|_| (rng.usize(1..n), rng.u32(0..2)))
            .collect();
        let joined = rng.bool();
        let mut b = GraphBuilder::new(n * copies);
        for (x, i) in (0..n).flat_map(|x| (0..copies).map(move |i| (x, i))) {
            for &(step, colour) in &steps {
                for j in (0..copies).filter(|&j| joined || j == i) {
                    let y = (x + step) % n;
                    b.arc((x * copies + i) as Point, (y * copies + j) as Point, colour);
                }
            }
        }
        let graph = b.build();
        let order = automorphisms(&graph).order;
        let rotations = big(n as u64);
        assert_eq!(&order % &rotations, big(0), "round {round}: rotations act");
        let exchanges = if joined {
            factorial(copies as u32).pow(n as u32)
        } else {
            factorial(copies as u32)
        };
        assert_eq!(
            &order % &exchanges,
            big(0),
            "round {round}: copies are alike"
        );
        check(&format!("circulant, round {round}"), &graph, order);
    }
}

/// The order found is that of the generated group also where the partition is hard to refine:
/// random regular graphs joined with copies of themselves.
#[test]
fn random_regular_graphs() {
    let mut rng = fastrand::Rng::with_seed(23);
    for round in 0..20 {
        let n = 60;
        let mut stubs: Vec<usize> = (0..n).flat_map(|x| [x, x, x]).collect();
        rng.shuffle(&mut stubs);
        let graph = undirected(n, stubs.chunks(2).map(|p| (p[0], p[1])));
        let (copy, _) = shuffled(&graph, &mut rng);
        let (found, labels) = analyse(&union(&[&graph, &copy]));
        let alone = automorphisms(&graph);
        let group_of =
            |a: &group::graph::Automorphisms, n: usize| Group::new(n, a.generators.clone()).order();
        assert_eq!(group_of(&alone, n), alone.order, "round {round}");
        assert_eq!(group_of(&found, 2 * n), found.order, "round {round}");
        assert!(found.order >= alone.order.pow(2) * 2u32, "round {round}");
        assert_eq!(labels.places().len(), 2 * n);
    }
}

#[test]
fn a_spent_budget_is_no_answer() {
    // Neighbours and fifth neighbours of twelve in a ring, by two kinds of arcs: one cell.
    let mut builder = GraphBuilder::new(12);
    for x in 0..12 {
        builder.edge(x, (x + 1) % 12, 0);
        builder.edge(x, (x + 5) % 12, 1);
    }
    let graph = builder.build();
    let (expected, labels) = analyse(&graph);
    let mut n_stopped = 0;
    for n_steps in 0..500 {
        match analyse_within(&graph, &Budget::of_steps(n_steps)) {
            Ok((found, places)) => {
                assert_eq!(
                    (found.order, places),
                    (expected.order.clone(), labels.clone())
                );
            }
            Err(reason) => n_stopped += usize::from(reason == NoAnswer::Steps),
        }
    }
    assert!((1..400).contains(&n_stopped), "{n_stopped}");
    let over = Budget::until(base::Clock::of(Some(std::time::Duration::ZERO)));
    assert_eq!(
        isomorphism_within(&graph, &graph, &over),
        Err(NoAnswer::Time)
    );
    let free = Budget::unlimited();
    assert!(isomorphism_within(&graph, &graph, &free).unwrap().is_some());
}

/// The adjacency matrix of a graph in this order of its vertices, row by row.
fn matrix(graph: &Graph, order: &[Point]) -> String {
    let pairs = order
        .iter()
        .flat_map(|x| order.iter().map(move |y| (*x, *y)));
    let bits = pairs.map(|(x, y)| if graph.has_arc(x, y, 0) { '1' } else { '0' });
    bits.collect()
}

/// The examples of E. N. Turner's thesis (2007): appendix A, and the directed graph of chapter 2.
#[test]
fn the_published_examples_of_labelling() {
    let [a, b, c, d, e] = [0, 1, 2, 3, 4];
    let graph = undirected(5, [(0, 1), (0, 2), (0, 4), (2, 3), (3, 4)]);
    let found = automorphisms(&graph);
    assert_eq!(found.order, BigUint::from(2u32));
    assert_eq!(found.generators.len(), 1);
    let exchange: Vec<(Point, Point)> = found.generators[0].moves().collect();
    assert_eq!(exchange, [(c, e), (e, c)]);
    assert_eq!(found.orbits, [vec![a], vec![b], vec![c, e], vec![d]]);
    // Both leaves of the search tree have one label, of which the print has 22 digits.
    let leaves = [[b, c, e, d, a], [b, e, c, d, a]].map(|order| matrix(&graph, &order));
    assert_eq!(leaves[0], leaves[1]);
    assert_eq!(leaves[0], "0000100011000110110011100");
    // A graph renamed in any way has one canonical form, another graph another one.
    let directed = |arcs: &[(Point, Point)]| {
        let mut builder = GraphBuilder::new(4);
        arcs.iter().for_each(|(x, y)| builder.arc(*x, *y, 0));
        builder.build()
    };
    let second = directed(&[(0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (3, 1)]);
    assert_eq!(matrix(&second, &[0, 1, 2, 3]), "0110101001000100");
    let form = canonical_form(&second);
    let mut n_same = 0;
    Group::symmetric(4).chain().enumerate_images(&mut |name| {
        assert_eq!(canonical_form(&second.renamed(name)), form);
        n_same += 1;
        true
    });
    assert_eq!(n_same, 24);
    let first = undirected(4, [(0, 1), (0, 2), (1, 2), (1, 3)]);
    assert_ne!(canonical_form(&first), form);
    assert_eq!(automorphisms(&first).order, BigUint::from(2u32));
}
