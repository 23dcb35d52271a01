//! The questions one can ask about the symmetry of a graph.
//!
//! - [`automorphisms`]: generators of the group of all symmetries, its order, its orbits.
//! - [`canonical_labelling`]: a place for every vertex, such that two graphs are isomorphic exactly
//!   if the graphs renamed by their places are equal.
//! - [`isomorphism`]: a map between two graphs, if there is one.
//!
//! Worked example: the path `0–1–2`. Refinement separates the middle from the ends; the ends have
//! no links that matter, so they are free: one generator `(0 2)`, order 2, orbits `{0,2} {1}`.
//!
//! The method is described in the files `search`, `equitable` and `components`. Answers are
//! exact: traces are hashed, but only to tell vertices apart, and what is claimed to be equal has
//! been compared in full.

use num_bigint::BigUint;

use super::Graph;
use super::net::Net;
use super::search::{NetSolution, solve};
use crate::budget::{Budget, NoAnswer, unstopped};
use crate::numbers::product;
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};

/// The symmetry group of a graph.
#[derive(Clone, Debug)]
pub struct Automorphisms {
    /// Generators, each stored by what it moves.
    pub generators: Vec<Perm>,
    /// The number of automorphisms.
    pub order: BigUint,
    /// The orbits of the vertices, fixed ones included: each sorted, in order of least members.
    pub orbits: Vec<Vec<Point>>,
    /// Vertices that no automorphism but the identity fixes all of.
    pub base: Vec<Point>,
}

/// A place for every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelling {
    places: Vec<Point>,
}

impl Labelling {
    /// The place of vertex `x`.
    pub fn at(&self, x: Point) -> Point {
        self.places[x as usize]
    }

    /// The places of all vertices.
    pub fn places(&self) -> &[Point] {
        &self.places
    }
}

/// The automorphism group of `graph`.
pub fn automorphisms(graph: &Graph) -> Automorphisms {
    analyse(graph).0
}

/// A labelling such that `a.renamed(places of a) == b.renamed(places of b)` exactly if `a` and `b`
/// are isomorphic, colours of vertices and arcs kept.
pub(crate) fn canonical_labelling(graph: &Graph) -> Labelling {
    analyse(graph).1
}

/// `graph` renamed by its canonical labelling.
pub fn canonical_form(graph: &Graph) -> Graph {
    graph.renamed(canonical_labelling(graph).places())
}

/// A map `m`, with vertex `x` of `a` going to vertex `m[x]` of `b`, that is an isomorphism; `None`
/// if there is none.
pub fn isomorphism(a: &Graph, b: &Graph) -> Option<Vec<Point>> {
    unstopped(isomorphism_within(a, b, &Budget::unlimited()))
}

/// As [`isomorphism`], unless the budget is spent first.
pub fn isomorphism_within(
    a: &Graph,
    b: &Graph,
    budget: &Budget,
) -> Result<Option<Vec<Point>>, NoAnswer> {
    if a.n_vertices() != b.n_vertices() || a.n_arcs() != b.n_arcs() {
        return Ok(None);
    }
    let (la, lb) = (analyse_within(a, budget)?.1, analyse_within(b, budget)?.1);
    let mut at = vec![0; b.n_vertices()];
    for (y, &place) in lb.places.iter().enumerate() {
        at[place as usize] = y as Point;
    }
    let map: Vec<Point> = la.places.iter().map(|&p| at[p as usize]).collect();
    Ok(super::is_isomorphism(a, b, &map).then_some(map))
}

/// Both answers for the price of one search.
pub fn analyse(graph: &Graph) -> (Automorphisms, Labelling) {
    unstopped(analyse_within(graph, &Budget::unlimited()))
}

/// As [`analyse`], unless the budget is spent first.
pub fn analyse_within(
    graph: &Graph,
    budget: &Budget,
) -> Result<(Automorphisms, Labelling), NoAnswer> {
    let (net, n_kinds) = Net::of_graph(graph);
    let origin = net.origin.clone();
    let NetSolution {
        labels, symmetry, ..
    } = solve(net, n_kinds, budget)?;
    let mut places = vec![0; origin.len()];
    for (i, &x) in origin.iter().enumerate() {
        places[x as usize] = labels[i];
    }
    let mut sets = DisjointSets::new(origin.len());
    for generator in &symmetry.generators {
        for (x, y) in generator.moves() {
            sets.join(x, y);
        }
    }
    let automorphisms = Automorphisms {
        order: product_of_powers(symmetry.factors),
        generators: symmetry.generators,
        orbits: sets.sets(),
        base: symmetry.base,
    };
    Ok((automorphisms, Labelling { places }))
}

fn product_of_powers(mut factors: Vec<(u32, u64)>) -> BigUint {
    factors.sort_unstable();
    let powers = factors.chunk_by(|a, b| a.0 == b.0).map(|run| {
        let exponent: u64 = run.iter().map(|f| f.1).sum();
        let exponent = u32::try_from(exponent).expect("an order that fits in memory");
        BigUint::from(run[0].0).pow(exponent)
    });
    product(powers.collect())
}
