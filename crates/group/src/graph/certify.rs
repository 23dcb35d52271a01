//! What an automorphism and an isomorphism are, checked without any search.
//!
//! These checks share no code with refinement or labelling: they look at colours and arcs only, so
//! that a mistake in the search cannot hide in its own terms.
//!
//! A permutation is an automorphism if it keeps vertex colours and maps every arc to an arc of the
//! same colour; being injective on finitely many arcs, it is then onto. An arc between two fixed
//! points maps to itself, so only arcs at moved points need a look: the cost is the sum of the
//! degrees of the support, not the size of the graph.
//!
//! Worked example: on the path `0–1–2` the exchange `(0 2)` maps the arc `0→1` to `2→1` and so on:
//! preserved. The exchange `(0 1)` maps `1→2` to `0→2`, which is no arc.

use super::Graph;
use crate::perm::{Perm, Point};

/// Whether `perm` is a permutation of the vertices that maps vertices to vertices of equal colour
/// and arcs to arcs of equal colour.
pub fn preserves(graph: &Graph, perm: &Perm) -> bool {
    perm.degree() == graph.n_vertices()
        && perm.moves().all(|(x, y)| {
            graph.colour(x) == graph.colour(y)
                && graph.arcs_out(x).len() == graph.arcs_out(y).len()
                && graph.arcs_in(x).len() == graph.arcs_in(y).len()
                && (graph.arcs_out(x).iter()).all(|e| graph.has_arc(y, perm.at(e.vertex), e.colour))
                && (graph.arcs_in(x).iter()).all(|e| graph.has_arc(perm.at(e.vertex), y, e.colour))
        })
}

/// Whether `map`, with `map[x]` in `b` for each vertex `x` of `a`, is a bijection that keeps
/// vertex colours and maps the arcs of `a` onto those of `b`, colours kept.
pub fn is_isomorphism(a: &Graph, b: &Graph, map: &[Point]) -> bool {
    let n = a.n_vertices();
    if b.n_vertices() != n || map.len() != n || a.n_arcs() != b.n_arcs() {
        return false;
    }
    let mut hit = vec![false; n];
    for &y in map {
        match hit.get_mut(y as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return false,
        }
    }
    (0..n).all(|x| a.colour(x as Point) == b.colour(map[x]))
        && a.arcs()
            .all(|arc| b.has_arc(map[arc.from as usize], map[arc.to as usize], arc.colour))
}

#[cfg(test)]
mod tests {
    use super::super::GraphBuilder;
    use super::*;

    fn swap(x: Point, y: Point) -> Perm {
        swap_of(4, x, y)
    }

    fn swap_of(n: usize, x: Point, y: Point) -> Perm {
        Perm::from_pairs(n, &[(x, y), (y, x)]).unwrap()
    }

    fn star() -> GraphBuilder {
        let mut b = GraphBuilder::new(4);
        for leaf in 1..4 {
            b.arc(0, leaf, 5);
        }
        b
    }

    #[test]
    fn accepts_an_automorphism() {
        assert!(preserves(&star().build(), &swap(1, 2)));
        assert!(preserves(&star().build(), &Perm::identity(4)));
    }

    #[test]
    fn fires_on_each_planted_fault() {
        assert!(!preserves(&star().build(), &swap(0, 1)), "moved the hub");
        assert!(
            !preserves(&star().build(), &swap_of(5, 1, 2)),
            "another graph"
        );
        let mut vertex_colour = star();
        vertex_colour.paint(2, 1);
        assert!(!preserves(&vertex_colour.build(), &swap(1, 2)));
        let mut extra_arc = star();
        extra_arc.arc(1, 0, 5);
        assert!(!preserves(&extra_arc.build(), &swap(1, 2)));
        let mut arc_colour = GraphBuilder::new(3);
        arc_colour.arc(0, 1, 5);
        arc_colour.arc(0, 2, 6);
        assert!(!preserves(&arc_colour.build(), &swap_of(3, 1, 2)));
        let mut direction = GraphBuilder::new(2);
        direction.arc(0, 1, 0);
        assert!(!preserves(&direction.build(), &swap_of(2, 0, 1)));
        let mut a_loop = GraphBuilder::new(2);
        a_loop.arc(0, 0, 0);
        assert!(!preserves(&a_loop.build(), &swap_of(2, 0, 1)));
    }

    #[test]
    fn isomorphism_fires_on_each_planted_fault() {
        let a = star().build();
        let map = [3, 0, 1, 2];
        let b = a.renamed(&map);
        assert!(is_isomorphism(&a, &b, &map));
        assert!(!is_isomorphism(&a, &b, &[0, 3, 1, 2]), "wrong map");
        assert!(!is_isomorphism(&a, &b, &[3, 0, 1, 1]), "not injective");
        assert!(!is_isomorphism(&a, &b, &[3, 0, 1]), "too short");
        assert!(!is_isomorphism(&a, &b, &[3, 0, 1, 9]), "out of range");
        let mut painted = star();
        painted.paint(0, 1);
        assert!(!is_isomorphism(&painted.build(), &b, &map));
        let mut more = star();
        more.arc(1, 1, 0);
        let more = more.build();
        assert!(!is_isomorphism(&more, &b, &map), "an arc too many");
        assert!(!is_isomorphism(&b, &more, &[1, 2, 3, 0]), "one too few");
    }
}
