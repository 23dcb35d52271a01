//! Canonical images of relational structures, against nauty.
//!
//! The group is the automorphism group of a *frame* that nauty can see: nothing for all
//! permutations, colours for products, a vertex for each block for wreath products, arcs around for
//! rings, rows tied together for diagonal actions. Frame and object are drawn as one graph; two
//! objects have equal images exactly if the drawings are isomorphic, and the stabiliser has as many
//! elements as the drawing has automorphisms.
//!
//! References become vertices in the middle, coloured by label. What occurs several times (an
//! auxiliary vertex of equal content, a repeated reference) is drawn once and coloured by how
//! often it occurs; so everything that is no point is determined by the points.

use std::collections::BTreeMap;

use fastrand::Rng;
use group::graph::{Graph, GraphBuilder, automorphisms};
use group::image::{Canoniser, Node, Object, Scratch};
use group::{Group, Point};

use crate::compare::{Claim, assert_agreement};
use crate::nauty::symmetries;
use crate::program::DREADNAUT;
use crate::sample_groups::random_perm;

/// A graph whose first vertices are the points, and the group of its automorphisms on them.
struct Frame {
    drawing: GraphBuilder,
    n_points: usize,
    group: Group,
}

#[test]
fn images_under_all_permutations() {
    check("images_under_all_permutations", 1000, |rng| {
        let n = rng.usize(1..=9);
        Frame {
            drawing: GraphBuilder::new(n),
            n_points: n,
            group: Group::symmetric(n),
        }
    });
}

#[test]
fn images_under_other_groups() {
    check("images_under_other_groups", 1500, |rng| {
        random_frame(rng, 6)
    });
}

#[test]
fn images_on_many_points() {
    check("images_on_many_points", 60, |rng| random_frame(rng, 16));
}

fn check(test: &str, n_cases: u64, frame: impl Fn(&mut Rng) -> Frame) {
    let Some(start) = DREADNAUT.seed_of(test) else {
        return;
    };
    let mut drawings = Vec::new();
    let mut claims = Vec::new();
    let mut scratch = Scratch::new();
    let mut n_same = 0;
    for seed in start..start + n_cases {
        let rng = &mut Rng::with_seed(seed);
        let frame = frame(rng);
        let a = random_object(rng, frame.n_points);
        let b = related_object(rng, &frame.group, &a);
        let canoniser = Canoniser::new(&frame.group);
        let mut images = Vec::new();
        for (name, object) in [("a", &a), ("b", &b)] {
            let case = format!("seed {seed}, {} points, {name}", frame.n_points);
            let image = canoniser.canonical(object, &mut scratch);
            assert!(frame.group.contains(&image.perm()), "{case}: no element");
            claims.push(Claim {
                case,
                ours: image.stabiliser_order().to_string(),
            });
            images.push(object.moved_by(&image.perm()).meaning());
            drawings.push(drawn(&frame, object));
        }
        n_same += u64::from(images[0] == images[1]);
        claims.push(Claim {
            case: format!("seed {seed}, {} points, same image", frame.n_points),
            ours: (images[0] == images[1]).to_string(),
        });
    }
    assert!(
        0 < n_same && n_same < n_cases,
        "{test}: {n_same} are the same"
    );
    let mut answers = Vec::new();
    for pair in symmetries(&drawings).chunks(2) {
        answers.extend(pair.iter().map(|s| s.as_ref().map(|s| s.order.to_string())));
        answers.push(pair[1].as_ref().map(|s| s.is_like_last.to_string()));
    }
    assert_agreement(test, &claims, &answers, "");
}

fn random_frame(rng: &mut Rng, width_max: usize) -> Frame {
    let n = rng.usize(3..=width_max);
    let m = n as Point;
    let d = rng.usize(2..=4);
    let (n_points, n_rows) = (n * d, d as Point);
    let mut drawing = GraphBuilder::new(n_points);
    let group = match rng.usize(0..6) {
        0 => {
            // Rows of a product, told apart by colour.
            (0..n_points as Point).for_each(|x| drawing.paint(x, x / m));
            let row = Group::symmetric(n);
            (1..d).fold(row.clone(), |all, _| all.direct_product(&row))
        }
        1 => {
            for block in 0..n_rows {
                let centre = drawing.vertex(500);
                (0..m).for_each(|x| drawing.edge(centre, block * m + x, 0));
            }
            Group::symmetric(n).wreath(&Group::symmetric(d))
        }
        2 => {
            // The rows are moved alike: points of one column are tied together.
            (0..n_points as Point).for_each(|x| drawing.paint(x, x / m));
            for x in 0..m {
                (1..n_rows).for_each(|row| drawing.edge(x, row * m + x, 0));
            }
            let on_rows = Group::symmetric(n);
            let repeat = |x: Point, g: &group::Perm| x / m * m + g.at(x % m);
            let generators = on_rows
                .generators()
                .iter()
                .map(|g| crate::sample_groups::perm_by(n_points, |x| repeat(x, g)));
            Group::new(n_points, generators.collect())
        }
        3 => {
            (0..m).for_each(|x| drawing.edge(x, (x + 1) % m, 0));
            return ring(drawing, n, n_points, Group::dihedral(n));
        }
        4 => {
            (0..m).for_each(|x| drawing.arc(x, (x + 1) % m, 0));
            return ring(drawing, n, n_points, Group::cyclic(n));
        }
        _ => {
            for x in 0..n_points as Point {
                let (row, place) = (x / m, x % m);
                drawing.arc(x, row * m + (place + 1) % m, 0);
            }
            Group::cyclic(n).wreath(&Group::symmetric(d))
        }
    };
    Frame {
        drawing,
        n_points,
        group,
    }
}

/// A ring of `n` points beside others that may be permuted freely.
fn ring(mut drawing: GraphBuilder, n: usize, n_points: usize, around: Group) -> Frame {
    (n as Point..n_points as Point).for_each(|x| drawing.paint(x, 7));
    Frame {
        drawing,
        n_points,
        group: around.direct_product(&Group::symmetric(n_points - n)),
    }
}

fn random_object(rng: &mut Rng, n: usize) -> Object {
    let mut object = Object::new(n);
    let points = n as Point;
    let n_colours = rng.u64(1..=3);
    (0..points).for_each(|x| object.set_colour(x, rng.u64(0..n_colours)));
    for _ in 0..rng.usize(0..=2 * n) {
        object.add_arc(rng.u32(0..points), rng.u32(0..points), rng.u32(0..2));
    }
    if rng.bool() {
        return object;
    }
    // Values: tuples and sets of points, then sets of those, each used by one holder only.
    let mut free: Vec<Node> = Vec::new();
    for _ in 0..rng.usize(1..=n) {
        let value = object.add_vertex(rng.u64(0..2));
        for label in 0..rng.u32(0..3) {
            let label = if rng.bool() { 0 } else { label };
            object.add_arc(value, rng.u32(0..points), label);
        }
        free.push(value);
    }
    for _ in 0..rng.usize(0..3) {
        let holder = object.add_vertex(2);
        for _ in 0..rng.usize(0..3) {
            if let Some(value) = free.pop() {
                object.add_arc(holder, value, 3);
            }
        }
    }
    while let Some(value) = free.pop() {
        if rng.bool() {
            object.add_arc(rng.u32(0..points), value, rng.u32(0..2));
        }
    }
    object
}

/// Moved by an element of the group or by any permutation, sometimes with one reference changed.
fn related_object(rng: &mut Rng, group: &Group, a: &Object) -> Object {
    let n = a.n_points();
    let p = match rng.usize(0..4) {
        0 => random_perm(rng, n, n),
        1 => group.chain().random(rng).product(&random_perm(rng, n, 2)),
        _ => group.chain().random(rng),
    };
    let moved = a.moved_by(&p);
    if rng.bool() || a.arcs().is_empty() {
        return moved;
    }
    let mut changed = Object::tuple(&moved.colours()[..n]);
    moved.colours()[n..]
        .iter()
        .for_each(|&c| _ = changed.add_vertex(c));
    let at = rng.usize(0..a.arcs().len());
    for (i, arc) in moved.arcs().iter().enumerate() {
        let to = if i == at && (arc.to as usize) < n {
            rng.u32(0..n as Point)
        } else {
            arc.to
        };
        changed.add_arc(arc.from, to, arc.label);
    }
    changed
}

/// Frame and object as one graph.
fn drawn(frame: &Frame, object: &Object) -> Graph {
    let n = frame.n_points;
    // Equal values are one vertex: `name[v]` is the first that means the same as `v`.
    let mut name: Vec<Node> = (0..object.n_nodes() as Node).collect();
    /// A colour, and how often each label leads to each node.
    type Content = (u64, BTreeMap<(u32, Node), u32>);
    let mut first: BTreeMap<Content, Node> = BTreeMap::new();
    let mut n_times = vec![1u32; object.n_nodes()];
    for v in n..object.n_nodes() {
        let arcs = counted(object, v as Node, &name);
        let known = *first
            .entry((object.colours()[v], arcs))
            .or_insert(v as Node);
        if known != v as Node {
            name[v] = known;
            n_times[known as usize] += 1;
        }
    }
    let base = frame.drawing.clone().build();
    let mut drawing = frame.drawing.clone();
    let mut node: Vec<Point> = (0..n as Point).collect();
    for x in 0..n {
        let colour = paint(0, u64::from(base.colour(x as Point)), object.colours()[x]);
        drawing.paint(x as Point, colour);
    }
    for x in n..base.n_vertices() {
        let colour = paint(1, u64::from(base.colour(x as Point)), 0);
        drawing.paint(x as Point, colour);
    }
    for v in n..object.n_nodes() {
        let is_named = name[v] == v as Node;
        let colour = paint(2, object.colours()[v], u64::from(n_times[v]));
        node.push(if is_named { drawing.vertex(colour) } else { 0 });
    }
    for from in 0..object.n_nodes() as Node {
        if name[from as usize] != from {
            continue;
        }
        for ((label, to), times) in counted(object, from, &name) {
            let colour = paint(3, u64::from(label), u64::from(times));
            let middle = drawing.vertex(colour);
            drawing.arc(node[from as usize], middle, 0);
            drawing.arc(middle, node[to as usize], 0);
        }
    }
    drawing.build()
}

/// The references from a node, by label and target, with how often they occur.
fn counted(object: &Object, from: Node, name: &[Node]) -> BTreeMap<(u32, Node), u32> {
    let mut arcs = BTreeMap::new();
    for arc in object.arcs().iter().filter(|a| a.from == from) {
        *arcs.entry((arc.label, name[arc.to as usize])).or_insert(0) += 1;
    }
    arcs
}

/// One colour for each kind of vertex, the same in all drawings.
fn paint(kind: u64, a: u64, b: u64) -> u32 {
    assert!(kind < 4 && a < 1000 && b < 1000, "too few paints");
    u32::try_from((kind * 1000 + a) * 1000 + b).expect("below four million")
}

#[test]
fn frames_have_the_groups_they_claim() {
    for seed in 0..200 {
        let frame = random_frame(&mut Rng::with_seed(seed), 5);
        let drawing = drawn(&frame, &Object::new(frame.n_points));
        assert_eq!(
            automorphisms(&drawing).order,
            frame.group.order(),
            "seed {seed}"
        );
    }
}
