//! What a layout promises, on random graphs.

use view::layout::{
    BoxSize, EdgeRoute, Layout, LayoutEdge, LayoutGraph, LayoutNode, PlacedBox, PlacedPoint,
    RoutePiece, place,
};

fn random(seed: u64) -> LayoutGraph {
    let mut rng = fastrand::Rng::with_seed(seed);
    let n = rng.u32(1..30);
    let n_layers = rng.u32(1..8);
    let size = |rng: &mut fastrand::Rng, most: u32| BoxSize {
        width: f64::from(rng.u32(0..most)),
        height: f64::from(rng.u32(0..most / 2)),
    };
    let nodes = (0..n).map(|_| LayoutNode {
        size: BoxSize {
            width: f64::from(rng.u32(30..160)),
            height: f64::from(rng.u32(20..90)),
        },
        layer: rng.u32(0..n_layers),
    });
    let nodes: Vec<LayoutNode> = nodes.collect();
    // A pair has two edges at most, and a node two loops.
    let mut met = std::collections::HashMap::new();
    let edges = (0..rng.u32(0..3 * n)).map(|_| LayoutEdge {
        from: rng.u32(0..n),
        to: rng.u32(0..n),
        label: size(&mut rng, 120),
        stub: size(&mut rng, 120),
    });
    let edges: Vec<LayoutEdge> = edges
        .filter(|edge| {
            let n = met.entry((edge.from, edge.to)).or_insert(0);
            *n += 1;
            *n <= 2
        })
        .collect();
    LayoutGraph { nodes, edges }
}

/// Points along the way of an edge.
fn points(route: &EdgeRoute) -> Vec<PlacedPoint> {
    let mut points = vec![route.start];
    let mix = |a: PlacedPoint, b: PlacedPoint, t: f64| PlacedPoint {
        x: a.x + (b.x - a.x) * t,
        y: a.y + (b.y - a.y) * t,
    };
    for piece in &route.pieces {
        let from = points[points.len() - 1];
        for i in 1..=24 {
            let t = f64::from(i) / 24.0;
            points.push(match piece {
                RoutePiece::Line(to) => mix(from, *to, t),
                RoutePiece::Curve([a, b, to]) => {
                    let (ab, bc, cd) = (mix(from, *a, t), mix(*a, *b, t), mix(*b, *to, t));
                    mix(mix(ab, bc, t), mix(bc, cd, t), t)
                }
            });
        }
    }
    points
}

fn is_inside(place: &PlacedBox, point: PlacedPoint) -> bool {
    let slack = 0.2;
    point.x > place.corner.x + slack
        && point.x < place.right() - slack
        && point.y > place.corner.y + slack
        && point.y < place.bottom() - slack
}

/// What is wrong with a layout.
fn faults(graph: &LayoutGraph, layout: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    let labels = layout.edges.iter().map(|edge| edge.label);
    let labels: Vec<PlacedBox> = labels.filter(|label| label.size.width > 0.0).collect();
    let boxes: Vec<PlacedBox> = layout.nodes.iter().copied().chain(labels).collect();
    for (i, a) in boxes.iter().enumerate() {
        if boxes[..i].iter().any(|b| a.overlaps(b)) {
            faults.push(format!("box {i} overlaps another"));
        }
        let fits = a.corner.x >= 0.0
            && a.corner.y >= 0.0
            && a.right() <= layout.size.width
            && a.bottom() <= layout.size.height;
        if !fits {
            faults.push(format!("box {i} does not fit"));
        }
    }
    for (edge, route) in graph.edges.iter().zip(&layout.edges) {
        let points = points(route);
        for (node, place) in layout.nodes.iter().enumerate() {
            if points.iter().any(|point| is_inside(place, *point)) {
                faults.push(format!("{} → {} runs through {node}", edge.from, edge.to));
            }
        }
        let touches = |node: u32, point: PlacedPoint| {
            let place = layout.nodes[node as usize];
            let aside = point.x >= place.corner.x - 0.2 && point.x <= place.right() + 0.2;
            aside && point.y >= place.corner.y - 0.2 && point.y <= place.bottom() + 0.2
        };
        if !touches(edge.from, points[0]) {
            faults.push(format!("{} → {} begins nowhere", edge.from, edge.to));
        }
        if !route.is_stub && !touches(edge.to, points[points.len() - 1]) {
            faults.push(format!("{} → {} ends nowhere", edge.from, edge.to));
        }
    }
    faults
}

#[test]
fn no_box_is_on_another_and_no_edge_runs_through_a_node() {
    for seed in 0..400 {
        let graph = random(seed);
        let layout = place(&graph);
        let faults = faults(&graph, &layout);
        assert!(faults.is_empty(), "seed {seed}: {faults:?}");
        assert_eq!(layout, place(&graph), "seed {seed}");
    }
}

#[test]
fn a_box_that_is_moved_onto_another_is_noticed() {
    let graph = (0..).map(random).find(|g| g.nodes.len() > 3).expect("one");
    let mut layout = place(&graph);
    layout.nodes[0].corner = layout.nodes[1].corner;
    assert!(!faults(&graph, &layout).is_empty());
}

#[test]
fn edges_that_are_too_many_are_stubs_and_fit_as_well() {
    let node = |layer| LayoutNode {
        size: BoxSize {
            width: 40.0,
            height: 30.0,
        },
        layer,
    };
    let mut rng = fastrand::Rng::with_seed(1);
    let n = 300;
    let label = BoxSize {
        width: 20.0,
        height: 16.0,
    };
    let edges = (0..n).flat_map(|from| [(from, (from + 1) % n), (from, rng.u32(0..n))]);
    let edges = edges.map(|(from, to)| LayoutEdge {
        from,
        to,
        label,
        stub: label,
    });
    let graph = LayoutGraph {
        nodes: (0..n).map(node).collect(),
        edges: edges.collect(),
    };
    let layout = place(&graph);
    assert!(layout.edges.iter().any(|edge| edge.is_stub));
    assert!(layout.edges.iter().any(|edge| !edge.is_stub));
    assert!(faults(&graph, &layout).is_empty());
}

#[test]
fn a_tree_is_drawn_without_crossings() {
    // Each node of a binary tree stands between its children.
    let n = 31_u32;
    let layer = |node: u32| (node + 1).ilog2();
    let size = BoxSize {
        width: 40.0,
        height: 30.0,
    };
    // Children in a scrambled order.
    let children = |node: u32| {
        [2 * node + 1, 2 * node + 2]
            .into_iter()
            .filter(move |c| *c < n)
    };
    let edges = (0..n)
        .rev()
        .flat_map(|node| children(node).map(move |child| (node, child)));
    let graph = LayoutGraph {
        nodes: (0..n)
            .map(|node| LayoutNode {
                size,
                layer: layer(node),
            })
            .collect(),
        edges: edges
            .map(|(from, to)| LayoutEdge {
                from,
                to,
                ..LayoutEdge::default()
            })
            .collect(),
    };
    let layout = place(&graph);
    let x = |node: u32| layout.nodes[node as usize].middle().x;
    for a in 0..n {
        for b in (0..n).filter(|b| layer(*b) == layer(a) && x(*b) > x(a)) {
            for (child_a, child_b) in children(a).flat_map(|c| children(b).map(move |d| (c, d))) {
                assert!(x(child_a) < x(child_b), "{child_a} and {child_b} cross");
            }
        }
    }
}
