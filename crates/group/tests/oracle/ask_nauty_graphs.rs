//! Automorphisms and isomorphisms of random coloured graphs, against nauty.

use fastrand::Rng;
use group::graph::{Graph, automorphisms, canonical_form, isomorphism};

use crate::compare::{Claim, assert_agreement};
use crate::gap::sets_text;
use crate::graphs::{Sort, random_graph, related_graph};
use crate::nauty::{Symmetry, drawn, symmetries};
use crate::program::DREADNAUT;

#[test]
fn undirected_graphs() {
    check("undirected_graphs", Sort::Undirected, 1500, 24);
}

#[test]
fn directed_graphs() {
    check("directed_graphs", Sort::Directed, 1500, 24);
}

#[test]
fn graphs_with_coloured_arcs() {
    check("graphs_with_coloured_arcs", Sort::ColouredArcs, 1000, 14);
}

#[test]
fn tiny_graphs() {
    check("tiny_graphs", Sort::Directed, 2000, 5);
}

#[test]
fn large_undirected_graphs() {
    check("large_undirected_graphs", Sort::Undirected, 60, 200);
}

#[test]
fn large_directed_graphs() {
    check("large_directed_graphs", Sort::Directed, 60, 200);
}

/// Compares pairs of a graph and a related one.
fn check(test: &str, sort: Sort, n_cases: u64, n_vertices_max: usize) {
    let Some(start) = DREADNAUT.seed_of(test) else {
        return;
    };
    let mut graphs = Vec::new();
    let mut cases = Vec::new();
    for seed in start..start + n_cases {
        let rng = &mut Rng::with_seed(seed);
        let a = random_graph(rng, n_vertices_max, sort);
        let b = related_graph(rng, &a);
        cases.push(format!("seed {seed}, {} vertices", a.n_vertices()));
        graphs.extend([a, b]);
    }
    let as_drawn: Vec<Graph> = match sort {
        Sort::ColouredArcs => graphs.iter().map(drawn).collect(),
        _ => graphs.clone(),
    };
    let theirs = symmetries(&as_drawn);
    let mut claims = Vec::new();
    let mut answers = Vec::new();
    let mut n_isomorphic = 0;
    for (i, case) in cases.iter().enumerate() {
        let (a, b) = (&graphs[2 * i], &graphs[2 * i + 1]);
        for (graph, answer, name) in [(a, &theirs[2 * i], "a"), (b, &theirs[2 * i + 1], "b")] {
            let n = graph.n_vertices();
            claims.push(symmetry_claim(&format!("{case}, {name}"), graph));
            answers.push(answer.as_ref().map(|s| symmetry_text(s, n)));
        }
        let are_isomorphic = isomorphism(a, b).is_some();
        let equal_forms = canonical_form(a) == canonical_form(b);
        n_isomorphic += u64::from(are_isomorphic);
        claims.push(Claim {
            case: format!("{case}, isomorphism"),
            ours: format!("{are_isomorphic} {equal_forms}"),
        });
        let same = theirs[2 * i + 1].as_ref().map(|s| s.is_like_last);
        answers.push(same.map(|s| format!("{s} {s}")));
    }
    // A comparison that always says yes would prove nothing.
    assert!(
        0 < n_isomorphic && n_isomorphic < n_cases,
        "{test}: {n_isomorphic}"
    );
    assert_agreement(test, &claims, &answers, "");
}

fn symmetry_claim(case: &str, graph: &Graph) -> Claim {
    let ours = automorphisms(graph);
    Claim {
        case: case.to_owned(),
        ours: format!("order {}, orbits {}", ours.order, sets_text(&ours.orbits)),
    }
}

/// Without the vertices that stand for arcs, which come after the `n` true ones.
fn symmetry_text(theirs: &Symmetry, n: usize) -> String {
    let is_true = |o: &&Vec<u32>| (o[0] as usize) < n;
    let orbits: Vec<Vec<u32>> = theirs.orbits.iter().filter(is_true).cloned().collect();
    format!("order {}, orbits {}", theirs.order, sets_text(&orbits))
}

#[test]
fn nauty_contradicts_a_planted_fault() {
    if DREADNAUT
        .seed_of("nauty_contradicts_a_planted_fault")
        .is_none()
    {
        return;
    }
    let path = |colours: [u32; 3]| {
        let mut builder = group::graph::GraphBuilder::new(0);
        colours.iter().for_each(|&c| _ = builder.vertex(c));
        builder.edge(0, 1, 0);
        builder.edge(1, 2, 0);
        builder.build()
    };
    let graphs = [path([0, 0, 0]), path([0, 0, 1]), path([0, 1, 0])];
    let theirs = symmetries(&graphs);
    let texts: Vec<String> = theirs
        .iter()
        .flatten()
        .map(|s| symmetry_text(s, 3))
        .collect();
    assert_eq!(texts[0], symmetry_claim("", &graphs[0]).ours);
    assert_ne!(texts[1], symmetry_claim("", &graphs[0]).ours);
    // The same numbers of vertices of each colour, but not isomorphic.
    assert!(!theirs[2].as_ref().unwrap().is_like_last);
}
