//! Rows of places: nodes in even rows, lines and labels in all rows that they cross.

use super::{LayoutGraph, PLACES_MAX};

/// The distance of two boxes in a row.
const GAP: f64 = 22.0;
/// The distance of a line from what is beside it.
const LINE_GAP: f64 = 12.0;
/// The distance of a label from its line.
pub(super) const LABEL_GAP: f64 = 5.0;
/// How wide an arc between two nodes of a layer is where it turns, and how high at least.
pub(super) const ARC_WIDTH: f64 = 12.0;
const ARC_HEIGHT: f64 = 16.0;
/// How far an arc from a node to itself reaches.
pub(super) const LOOP_REACH: f64 = 26.0;

/// What stands in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A node.
    Node(u32),
    /// The line of an edge, with its label or without.
    Line { edge: u32, has_label: bool },
}

/// A place in a row. A box or line is at `x`, found later; this is how far it reaches from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub content: Content,
    pub row: u32,
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

impl Place {
    pub fn is_line(&self) -> bool {
        matches!(self.content, Content::Line { .. })
    }
}

/// How an edge runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Course {
    /// From layer to layer: the places that it has, from top to bottom.
    Through(Vec<u32>),
    /// Within a layer, below it: the place where it turns.
    Arc(u32),
    /// From a node to itself: at which side, and how far from the node the loop begins to reach.
    Loop { is_left: bool, offset: f64 },
    /// To its label only.
    Stub(u32),
}

/// All places, and who is next to whom.
pub(super) struct Rows {
    pub places: Vec<Place>,
    /// By row, its places from left to right.
    pub rows: Vec<Vec<u32>>,
    /// By edge.
    pub courses: Vec<Course>,
    /// By place, the places in the row above and below that it is joined to.
    pub above: Vec<Vec<u32>>,
    pub below: Vec<Vec<u32>>,
}

impl Rows {
    pub fn new(graph: &LayoutGraph) -> Rows {
        let layers = graph.nodes.iter().map(|node| node.layer);
        let n_rows = 2 * (layers.max().unwrap_or(0) as usize + 1);
        let mut rows = Rows {
            places: Vec::new(),
            rows: vec![Vec::new(); n_rows],
            courses: Vec::new(),
            above: Vec::new(),
            below: Vec::new(),
        };
        for (number, node) in graph.nodes.iter().enumerate() {
            rows.add(Place {
                content: Content::Node(number as u32),
                row: 2 * node.layer,
                left: node.size.width / 2.0,
                right: node.size.width / 2.0,
                height: node.size.height,
            });
        }
        let stubs = stubs(graph);
        for (edge, is_stub) in stubs.iter().enumerate() {
            rows.add_edge(graph, edge as u32, *is_stub);
        }
        rows
    }

    /// The distance that two neighbours in a row need.
    pub fn distance(&self, left: u32, right: u32) -> f64 {
        let (left, right) = (&self.places[left as usize], &self.places[right as usize]);
        let gap = if left.is_line() && right.is_line() {
            LINE_GAP
        } else {
            GAP
        };
        left.right + gap + right.left
    }

    fn add(&mut self, place: Place) -> u32 {
        let number = self.places.len() as u32;
        self.rows[place.row as usize].push(number);
        self.places.push(place);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        number
    }

    fn join(&mut self, upper: u32, lower: u32) {
        self.below[upper as usize].push(lower);
        self.above[lower as usize].push(upper);
    }

    fn add_line(&mut self, graph: &LayoutGraph, edge: u32, row: u32, kind: LineKind) -> u32 {
        let of_edge = &graph.edges[edge as usize];
        let size = match kind {
            LineKind::Bare => super::BoxSize::default(),
            LineKind::Labelled | LineKind::Arc => of_edge.label,
            LineKind::Stub => of_edge.stub,
        };
        let of_label = match size.width {
            width if width > 0.0 => width + LABEL_GAP,
            _ => 0.0,
        };
        let (of_arc, height_min) = match kind {
            LineKind::Arc => (ARC_WIDTH, ARC_HEIGHT),
            _ => (0.0, 0.0),
        };
        self.add(Place {
            content: Content::Line {
                edge,
                has_label: kind != LineKind::Bare,
            },
            row,
            left: 0.0,
            right: of_arc + of_label,
            height: size.height.max(height_min),
        })
    }

    /// The first loop of a node is at its right, the second at its left, others reach further.
    fn add_loop(&mut self, graph: &LayoutGraph, edge: u32) {
        let of_edge = &graph.edges[edge as usize];
        let half = graph.nodes[of_edge.from as usize].size.width / 2.0;
        let place = &mut self.places[of_edge.from as usize];
        let is_left = place.right > half && place.left <= half;
        let reached = if is_left {
            &mut place.left
        } else {
            &mut place.right
        };
        let offset = *reached - half;
        *reached += LOOP_REACH + of_edge.label.width + LABEL_GAP;
        place.height = place.height.max(of_edge.label.height);
        self.courses.push(Course::Loop { is_left, offset });
    }

    fn add_edge(&mut self, graph: &LayoutGraph, edge: u32, is_stub: bool) {
        let of_edge = &graph.edges[edge as usize];
        let layer = |node: u32| graph.nodes[node as usize].layer;
        let (from, to) = (layer(of_edge.from), layer(of_edge.to));
        if of_edge.from == of_edge.to {
            return self.add_loop(graph, edge);
        }
        if is_stub || from == to {
            let kind = if is_stub {
                LineKind::Stub
            } else {
                LineKind::Arc
            };
            let place = self.add_line(graph, edge, 2 * from + 1, kind);
            self.join(of_edge.from, place);
            if is_stub {
                self.courses.push(Course::Stub(place));
            } else {
                self.join(of_edge.to, place);
                self.courses.push(Course::Arc(place));
            }
            return;
        }
        // The label stands next to where the edge begins.
        let (upper, lower, with_label) = if from < to {
            (of_edge.from, of_edge.to, 2 * from + 1)
        } else {
            (of_edge.to, of_edge.from, 2 * from - 1)
        };
        let mut before = upper;
        let mut through = Vec::new();
        for row in 2 * layer(upper) + 1..2 * layer(lower) {
            let kind = if row == with_label {
                LineKind::Labelled
            } else {
                LineKind::Bare
            };
            let place = self.add_line(graph, edge, row, kind);
            self.join(before, place);
            through.push(place);
            before = place;
        }
        self.join(before, lower);
        self.courses.push(Course::Through(through));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Bare,
    Labelled,
    Arc,
    Stub,
}

/// Which edges are stubs: the longest, if all would have too many places.
fn stubs(graph: &LayoutGraph) -> Vec<bool> {
    let layer = |node: u32| graph.nodes[node as usize].layer;
    let length = |edge: &super::LayoutEdge| {
        let (from, to) = (layer(edge.from), layer(edge.to));
        (2 * from.abs_diff(to) as usize).max(2) - 1
    };
    let lengths: Vec<usize> = graph.edges.iter().map(length).collect();
    let mut n_places: usize = lengths.iter().sum();
    let mut longest: Vec<usize> = (0..lengths.len()).collect();
    longest.sort_by_key(|edge| std::cmp::Reverse(lengths[*edge]));
    let mut is_stub = vec![false; lengths.len()];
    for edge in longest {
        if n_places <= PLACES_MAX || lengths[edge] == 1 {
            break;
        }
        is_stub[edge] = true;
        n_places -= lengths[edge] - 1;
    }
    is_stub
}
