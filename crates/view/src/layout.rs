//! A place for each node and a way for each edge.
//!
//! **Problem.** A drawing that a person can read: levels by depth, few crossings, no box on
//! another, no edge through a foreign box, no label under a node; always the same for the same
//! graph, and two thousand nodes in well under a second.
//!
//! **Idea** (Sugiyama, Tagawa and Toda 1981). Nodes stand in layers by their distance from the
//! initial ones ([`rows`]). Between two layers there is a row for labels, as in Gansner and others
//! (1993): each edge has a place of its own in each row that it crosses, one of them as large as
//! its label, so labels and lines take part in the layout as boxes do. Orders in rows are improved
//! by medians of neighbours and by swaps ([`order`]). In a row, the places that are nearest to
//! where the neighbours are, and keep order and distances, are found exactly ([`position`]); this
//! is repeated row by row. Lines run straight down within rows and bend only between them
//! ([`route`]), so they touch no box but their own.
//!
//! Edges to an earlier layer are the same, drawn upwards. Edges within a layer are arcs below it.
//! Edges from a node to itself are arcs at its right. Where all these places would be too many, the
//! longest edges are stubs: they end at their label, which names where they lead.
//!
//! **Worked example.** `0 → 1`, `1 → 0`: rows `[0]`, `[down, up]`, `[1]`.
//!
//! **Cost.** About rows × places × 24 sweeps; at most [`PLACES_MAX`] places.
//!
//! Not used: rust-sugiyama 0.4 places boxes and not labels, arcs within a layer or loops.

mod order;
mod position;
mod route;
mod rows;

use order::Orders;
use position::Positions;
use rows::Rows;

/// The most places of lines that are made before the longest edges become stubs.
pub const PLACES_MAX: usize = 20_000;

/// How large a box is.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct BoxSize {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// What is to be placed.
#[derive(Clone, Default, Debug)]
pub struct LayoutGraph {
    /// By node.
    pub nodes: Vec<LayoutNode>,
    /// The edges.
    pub edges: Vec<LayoutEdge>,
}

/// A node to be placed.
#[derive(Clone, Copy, Default, Debug)]
pub struct LayoutNode {
    /// How large it is.
    pub size: BoxSize,
    /// Its layer, from the top.
    pub layer: u32,
}

/// An edge to be placed.
#[derive(Clone, Copy, Default, Debug)]
pub struct LayoutEdge {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// How large its label is.
    pub label: BoxSize,
    /// How large the label is if it also has to say where the edge ends.
    pub stub: BoxSize,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlacedPoint {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A box with its place.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlacedBox {
    /// Its left upper corner.
    pub corner: PlacedPoint,
    /// How large it is.
    pub size: BoxSize,
}

impl PlacedBox {
    /// Its right end.
    pub fn right(&self) -> f64 {
        self.corner.x + self.size.width
    }

    /// Its lower end.
    pub fn bottom(&self) -> f64 {
        self.corner.y + self.size.height
    }

    /// Its middle.
    pub fn middle(&self) -> PlacedPoint {
        PlacedPoint {
            x: self.corner.x + self.size.width / 2.0,
            y: self.corner.y + self.size.height / 2.0,
        }
    }

    /// Whether it has a point in common with another, edges left aside.
    pub fn overlaps(&self, other: &PlacedBox) -> bool {
        self.corner.x < other.right()
            && other.corner.x < self.right()
            && self.corner.y < other.bottom()
            && other.corner.y < self.bottom()
    }
}

/// A piece of the way of an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RoutePiece {
    /// Straight to this point.
    Line(PlacedPoint),
    /// Bent to the last point; the others say how.
    Curve([PlacedPoint; 3]),
}

/// The way of an edge, from its beginning to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeRoute {
    /// Where it begins.
    pub start: PlacedPoint,
    /// On from there.
    pub pieces: Vec<RoutePiece>,
    /// Where its label stands.
    pub label: PlacedBox,
    /// Whether it ends at its label, which has to say where it leads.
    pub is_stub: bool,
}

/// Where everything is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Layout {
    /// How large all of it is.
    pub size: BoxSize,
    /// By node.
    pub nodes: Vec<PlacedBox>,
    /// By edge.
    pub edges: Vec<EdgeRoute>,
}

/// The layout of a graph.
pub fn place(graph: &LayoutGraph) -> Layout {
    if graph.nodes.is_empty() {
        return Layout::default();
    }
    let mut rows = Rows::new(graph);
    Orders::new(&rows).improve(&mut rows);
    let positions = Positions::new(&rows);
    route::layout(graph, &rows, &positions)
}
