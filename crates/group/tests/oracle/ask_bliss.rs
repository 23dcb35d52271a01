//! Orders of automorphism groups of random coloured graphs, against bliss. It reads one graph, so
//! one process is run for each.

use std::fmt::Write;

use fastrand::Rng;
use group::graph::{Graph, automorphisms};

use crate::compare::{Claim, assert_agreement};
use crate::graphs::{Sort, random_graph};
use crate::program::BLISS;

#[test]
fn bliss_orders_of_undirected_graphs() {
    check(
        "bliss_orders_of_undirected_graphs",
        Sort::Undirected,
        300,
        30,
    );
}

#[test]
fn bliss_orders_of_directed_graphs() {
    check("bliss_orders_of_directed_graphs", Sort::Directed, 300, 30);
}

#[test]
fn bliss_orders_of_large_graphs() {
    check("bliss_orders_of_large_graphs", Sort::Undirected, 60, 200);
}

fn check(test: &str, sort: Sort, n_cases: u64, n_vertices_max: usize) {
    let Some(start) = BLISS.seed_of(test) else {
        return;
    };
    let mut claims = Vec::new();
    let mut answers = Vec::new();
    for seed in start..start + n_cases {
        let rng = &mut Rng::with_seed(seed);
        let graph = random_graph(rng, n_vertices_max, sort);
        claims.push(Claim {
            case: format!("seed {seed}, {} vertices", graph.n_vertices()),
            ours: automorphisms(&graph).order.to_string(),
        });
        answers.push(order(&graph, sort));
    }
    assert_agreement(test, &claims, &answers, "");
}

/// What bliss says; nothing if it says nothing that can be read.
fn order(graph: &Graph, sort: Sort) -> Option<String> {
    let edges = || {
        graph
            .arcs()
            .filter(|a| sort == Sort::Directed || a.from < a.to)
    };
    let mut text = format!("p edge {} {}\n", graph.n_vertices(), edges().count());
    for (x, colour) in graph.colours().iter().enumerate() {
        let _ = writeln!(text, "n {} {colour}", x + 1);
    }
    for arc in edges() {
        let _ = writeln!(text, "e {} {}", arc.from + 1, arc.to + 1);
    }
    let arguments: &[&str] = match sort {
        Sort::Directed => &["-directed"],
        _ => &[],
    };
    let output = BLISS.output(arguments, &text);
    let line = output.lines().find(|l| l.starts_with("|Aut|"))?;
    Some(line.split(':').nth(1)?.trim().to_owned())
}

#[test]
fn bliss_contradicts_a_planted_fault() {
    if BLISS.seed_of("bliss_contradicts_a_planted_fault").is_none() {
        return;
    }
    let rng = &mut Rng::with_seed(0);
    let mut graph = random_graph(rng, 30, Sort::Undirected);
    while automorphisms(&graph).order == 1u32.into() {
        graph = random_graph(rng, 30, Sort::Undirected);
    }
    let right = automorphisms(&graph).order;
    let claim = |order: num_bigint::BigUint| Claim {
        case: "planted".to_owned(),
        ours: order.to_string(),
    };
    let answers = vec![order(&graph, Sort::Undirected); 2];
    let claims = [claim(right.clone()), claim(right / 2u32)];
    assert_eq!(crate::compare::differences(&claims, &answers).len(), 1);
}
