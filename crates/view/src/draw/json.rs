//! A picture as JSON, with the places of its layout.

use super::svg::layout_of;
use crate::layout::{EdgeRoute, PlacedPoint, RoutePiece};
use crate::picture::Picture;
use serde_json::{Value, json};

/// A picture as JSON: one object.
pub fn json(picture: &Picture) -> String {
    format!("{}\n", value(picture))
}

/// The same as a value.
pub fn value(picture: &Picture) -> Value {
    let layout = layout_of(picture);
    let nodes = picture
        .nodes
        .iter()
        .zip(&layout.nodes)
        .map(|(node, place)| {
            json!({
                "lines": node.lines,
                "text": node.text,
                "kinds": node.kinds.words().collect::<Vec<_>>(),
                "n_states": node.n_states,
                "n_full": node.n_full,
                "members": node.members,
                "depth": node.depth,
                "x": short(place.corner.x),
                "y": short(place.corner.y),
                "width": short(place.size.width),
                "height": short(place.size.height),
            })
        });
    let edges = picture
        .edges
        .iter()
        .zip(&layout.edges)
        .map(|(edge, route)| {
            json!({
                "from": edge.from,
                "to": edge.to,
                "labels": edge.labels,
                "is_definite": edge.is_definite,
                "is_back": edge.is_back,
                "is_stub": route.is_stub,
                "points": points(route),
            })
        });
    json!({
        "title": picture.title,
        "notes": picture.notes,
        "width": short(layout.size.width),
        "height": short(layout.size.height),
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
    })
}

/// The points that the way of an edge runs through.
fn points(route: &EdgeRoute) -> Vec<Value> {
    let ends = route.pieces.iter().map(|piece| match piece {
        RoutePiece::Line(to) => *to,
        RoutePiece::Curve(points) => points[2],
    });
    let point = |p: PlacedPoint| json!([short(p.x), short(p.y)]);
    std::iter::once(route.start)
        .chain(ends)
        .map(point)
        .collect()
}

/// A number with one digit behind the point.
fn short(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
