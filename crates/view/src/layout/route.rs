//! The ways of edges, from the places that they have.
//!
//! A line leaves a node at the bottom or top, at a point of its own; it is straight within rows and
//! bends between them, with vertical ends, so that it never leaves the strip between two rows while
//! it bends.

use super::position::Positions;
use super::rows::{ARC_WIDTH, Content, Course, LABEL_GAP, LOOP_REACH, Rows};
use super::{BoxSize, EdgeRoute, Layout, LayoutGraph, PlacedBox, PlacedPoint, RoutePiece};

/// The widest distance of two lines at a node.
const PORT_STEP: f64 = 16.0;

/// Everything with its place.
pub(super) fn layout(graph: &LayoutGraph, rows: &Rows, positions: &Positions) -> Layout {
    let nodes: Vec<PlacedBox> = (0..graph.nodes.len())
        .map(|node| node_box(graph, rows, positions, node))
        .collect();
    let router = Router {
        graph,
        rows,
        positions,
        nodes: &nodes,
        ports: Ports::new(graph, rows, positions),
    };
    let edges = (0..graph.edges.len())
        .map(|edge| router.route(edge))
        .collect();
    Layout {
        size: BoxSize {
            width: positions.width,
            height: positions.bottom,
        },
        nodes,
        edges,
    }
}

fn node_box(graph: &LayoutGraph, rows: &Rows, positions: &Positions, node: usize) -> PlacedBox {
    let size = graph.nodes[node].size;
    let row = rows.places[node].row as usize;
    PlacedBox {
        corner: PlacedPoint {
            x: positions.x[node] - size.width / 2.0,
            y: positions.top[row] + (positions.height[row] - size.height) / 2.0,
        },
        size,
    }
}

/// Where lines leave nodes: how far from the middle, by edge.
struct Ports {
    at_start: Vec<f64>,
    at_end: Vec<f64>,
}

/// An end of an edge at a node.
struct PortEnd {
    edge: usize,
    is_start: bool,
    /// Where the line goes from there.
    towards: f64,
}

impl Ports {
    fn new(graph: &LayoutGraph, rows: &Rows, positions: &Positions) -> Ports {
        let n = graph.edges.len();
        let mut ports = Ports {
            at_start: vec![0.0; n],
            at_end: vec![0.0; n],
        };
        let mut tops: Vec<Vec<PortEnd>> = Vec::new();
        tops.resize_with(graph.nodes.len(), Vec::new);
        let mut bottoms: Vec<Vec<PortEnd>> = Vec::new();
        bottoms.resize_with(graph.nodes.len(), Vec::new);
        for (edge, of_edge) in graph.edges.iter().enumerate() {
            let x = |place: u32| positions.x[place as usize];
            let end = |is_start, place| PortEnd {
                edge,
                is_start,
                towards: x(place),
            };
            let (from, to) = (of_edge.from as usize, of_edge.to as usize);
            match &rows.courses[edge] {
                Course::Loop { .. } => {}
                Course::Stub(place) => bottoms[from].push(end(true, *place)),
                Course::Arc(place) => {
                    bottoms[from].push(end(true, *place));
                    bottoms[to].push(end(false, *place));
                }
                Course::Through(places) => {
                    let (first, last) = (places[0], places[places.len() - 1]);
                    if graph.nodes[from].layer < graph.nodes[to].layer {
                        bottoms[from].push(end(true, first));
                        tops[to].push(end(false, last));
                    } else {
                        tops[from].push(end(true, last));
                        bottoms[to].push(end(false, first));
                    }
                }
            }
        }
        for (node, ends) in tops
            .iter_mut()
            .enumerate()
            .chain(bottoms.iter_mut().enumerate())
        {
            ports.spread(ends, graph.nodes[node].size.width);
        }
        ports
    }

    /// Gives each end of a line at a side of a node a point of its own.
    fn spread(&mut self, ends: &mut [PortEnd], width: f64) {
        ends.sort_by(|a, b| a.towards.total_cmp(&b.towards).then(a.edge.cmp(&b.edge)));
        let step = (width * 0.8 / ends.len() as f64).min(PORT_STEP);
        let first = -step * (ends.len() as f64 - 1.0) / 2.0;
        for (i, end) in ends.iter().enumerate() {
            let aside = first + step * i as f64;
            if end.is_start {
                self.at_start[end.edge] = aside;
            } else {
                self.at_end[end.edge] = aside;
            }
        }
    }
}

struct Router<'a> {
    graph: &'a LayoutGraph,
    rows: &'a Rows,
    positions: &'a Positions,
    nodes: &'a [PlacedBox],
    ports: Ports,
}

/// A way that is being made.
struct Pen {
    at: PlacedPoint,
    pieces: Vec<RoutePiece>,
}

impl Pen {
    fn line(&mut self, to: PlacedPoint) {
        if (to.x - self.at.x).abs() + (to.y - self.at.y).abs() > 0.01 {
            self.pieces.push(RoutePiece::Line(to));
            self.at = to;
        }
    }

    /// A bend with vertical ends.
    fn bend(&mut self, to: PlacedPoint) {
        if (to.x - self.at.x).abs() < 0.05 {
            return self.line(to);
        }
        let half = (self.at.y + to.y) / 2.0;
        let (a, b) = (self.at.x, to.x);
        let first = PlacedPoint { x: a, y: half };
        let second = PlacedPoint { x: b, y: half };
        self.pieces.push(RoutePiece::Curve([first, second, to]));
        self.at = to;
    }
}

impl Router<'_> {
    fn route(&self, edge: usize) -> EdgeRoute {
        let of_edge = &self.graph.edges[edge];
        let (from, to) = (of_edge.from as usize, of_edge.to as usize);
        match &self.rows.courses[edge] {
            Course::Loop { is_left, offset } => {
                let side = if *is_left { -1.0 } else { 1.0 };
                self.around(from, of_edge.label, side, *offset)
            }
            Course::Arc(place) => self.arc(edge, *place),
            Course::Stub(place) => {
                let (start, row_end) = self.below(from, self.ports.at_start[edge]);
                let mut pen = Pen::at(start);
                pen.line(row_end);
                pen.bend(self.upper(*place));
                self.finished(edge, start, pen, true)
            }
            Course::Through(places) => {
                let is_down = self.graph.nodes[from].layer < self.graph.nodes[to].layer;
                let ports = &self.ports;
                let (upper, lower) = if is_down {
                    ((from, ports.at_start[edge]), (to, ports.at_end[edge]))
                } else {
                    ((to, ports.at_end[edge]), (from, ports.at_start[edge]))
                };
                let (start, row_end) = self.below(upper.0, upper.1);
                let mut pen = Pen::at(start);
                pen.line(row_end);
                for place in places {
                    pen.bend(self.upper(*place));
                    pen.line(self.lower(*place));
                }
                let (end, row_begin) = self.above(lower.0, lower.1);
                pen.bend(row_begin);
                pen.line(end);
                if is_down {
                    self.finished(edge, start, pen, false)
                } else {
                    let (start, pieces) = turned(start, &pen.pieces);
                    let pen = Pen { at: start, pieces };
                    self.finished(edge, start, pen, false)
                }
            }
        }
    }

    fn finished(&self, edge: usize, start: PlacedPoint, pen: Pen, is_stub: bool) -> EdgeRoute {
        let place = match &self.rows.courses[edge] {
            Course::Arc(place) | Course::Stub(place) => Some(*place),
            Course::Through(places) => places.iter().copied().find(|place| {
                let content = self.rows.places[*place as usize].content;
                matches!(
                    content,
                    Content::Line {
                        has_label: true,
                        ..
                    }
                )
            }),
            Course::Loop { .. } => None,
        };
        let size = if is_stub {
            self.graph.edges[edge].stub
        } else {
            self.graph.edges[edge].label
        };
        let is_arc = matches!(self.rows.courses[edge], Course::Arc(_));
        let aside = if is_arc { ARC_WIDTH } else { 0.0 };
        let corner = place.map(|place| {
            let row = self.rows.places[place as usize].row as usize;
            PlacedPoint {
                x: self.positions.x[place as usize] + aside + LABEL_GAP,
                y: self.positions.top[row] + (self.positions.height[row] - size.height) / 2.0,
            }
        });
        EdgeRoute {
            start,
            pieces: pen.pieces,
            label: PlacedBox {
                corner: corner.unwrap_or_default(),
                size,
            },
            is_stub,
        }
    }

    /// The upper end of a place.
    fn upper(&self, place: u32) -> PlacedPoint {
        let row = self.rows.places[place as usize].row as usize;
        PlacedPoint {
            x: self.positions.x[place as usize],
            y: self.positions.top[row],
        }
    }

    /// The lower end of a place.
    fn lower(&self, place: u32) -> PlacedPoint {
        let row = self.rows.places[place as usize].row as usize;
        PlacedPoint {
            x: self.positions.x[place as usize],
            y: self.positions.top[row] + self.positions.height[row],
        }
    }

    /// A point at the bottom of a node, and where its row ends below it.
    fn below(&self, node: usize, aside: f64) -> (PlacedPoint, PlacedPoint) {
        let x = self.nodes[node].middle().x + aside;
        let y = self.nodes[node].bottom();
        let row_end = self.lower(node as u32).y;
        (PlacedPoint { x, y }, PlacedPoint { x, y: row_end })
    }

    /// A point at the top of a node, and where its row begins above it.
    fn above(&self, node: usize, aside: f64) -> (PlacedPoint, PlacedPoint) {
        let x = self.nodes[node].middle().x + aside;
        let y = self.nodes[node].corner.y;
        let row_begin = self.upper(node as u32).y;
        (PlacedPoint { x, y }, PlacedPoint { x, y: row_begin })
    }

    /// From a node to another of its layer, below both.
    fn arc(&self, edge: usize, place: u32) -> EdgeRoute {
        let of_edge = &self.graph.edges[edge];
        let (start, down) = self.below(of_edge.from as usize, self.ports.at_start[edge]);
        let (end, up) = self.below(of_edge.to as usize, self.ports.at_end[edge]);
        let (top, bottom) = (self.upper(place), self.lower(place).y - ARC_WIDTH / 2.0);
        // The end that stands further left is joined to the left side of the arc.
        let sides = [top.x, top.x + ARC_WIDTH];
        let [first, second] = if start.x <= end.x {
            sides
        } else {
            [sides[1], sides[0]]
        };
        let point = |x: f64, y: f64| PlacedPoint { x, y };
        let mut pen = Pen::at(start);
        pen.line(down);
        pen.bend(point(first, top.y));
        pen.line(point(first, bottom));
        let lowest = bottom + ARC_WIDTH * 0.6;
        let turn = [
            point(first, lowest),
            point(second, lowest),
            point(second, bottom),
        ];
        pen.pieces.push(RoutePiece::Curve(turn));
        pen.at = point(second, bottom);
        pen.line(point(second, top.y));
        pen.bend(up);
        pen.line(end);
        self.finished(edge, start, pen, false)
    }

    /// From a node to itself, at its right if `side` is 1, at its left if it is -1.
    fn around(&self, node: usize, label: BoxSize, side: f64, offset: f64) -> EdgeRoute {
        let (size, middle) = (self.nodes[node].size, self.nodes[node].middle());
        let aside = (size.height / 4.0).min(9.0);
        let point = |out: f64, down: f64| PlacedPoint {
            x: middle.x + side * (size.width / 2.0 + out),
            y: middle.y + down,
        };
        let reach = (offset + LOOP_REACH) * 1.2;
        let curve = [
            point(reach, -2.0 * aside),
            point(reach, 2.0 * aside),
            point(0.0, aside),
        ];
        let near = offset + LOOP_REACH + LABEL_GAP;
        let corner = point(if side > 0.0 { near } else { near + label.width }, 0.0);
        EdgeRoute {
            start: point(0.0, -aside),
            pieces: vec![RoutePiece::Curve(curve)],
            label: PlacedBox {
                corner: PlacedPoint {
                    x: corner.x,
                    y: middle.y - label.height / 2.0,
                },
                size: label,
            },
            is_stub: false,
        }
    }
}

impl Pen {
    fn at(at: PlacedPoint) -> Pen {
        Pen {
            at,
            pieces: Vec::new(),
        }
    }
}

/// A way from its end to its beginning.
fn turned(start: PlacedPoint, pieces: &[RoutePiece]) -> (PlacedPoint, Vec<RoutePiece>) {
    let ends = pieces.iter().map(|piece| match piece {
        RoutePiece::Line(to) => *to,
        RoutePiece::Curve(points) => points[2],
    });
    let points: Vec<PlacedPoint> = std::iter::once(start).chain(ends).collect();
    let mut turned = Vec::with_capacity(pieces.len());
    for (i, piece) in pieces.iter().enumerate().rev() {
        turned.push(match piece {
            RoutePiece::Line(_) => RoutePiece::Line(points[i]),
            RoutePiece::Curve([first, second, _]) => {
                RoutePiece::Curve([*second, *first, points[i]])
            }
        });
    }
    (points[points.len() - 1], turned)
}
