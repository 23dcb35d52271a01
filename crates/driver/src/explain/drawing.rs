//! The static channel diagram as text for Graphviz, and as a picture of our own.
//!
//! The picture has processes on the left and channels on the right, each in a column. Rows are put
//! in order by turns: every vertex goes to the mean of the rows of its neighbours, as in layered
//! drawings (Sugiyama and others 1981); a few turns untangle most of it. An arc with a head at both
//! ends is a channel that the process both sends to and receives from.
//!
//! Worked example: clients 1 and 2 with links 2 and 1. After the first turn the column of links is
//! 2, 1, and no two lines cross.

use reduce::processes::Found;
use reduce::processes::diagram::Diagram;
use reduce::processes::names::Names;
use reduce::processes::structure::Bearer;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Fills for the colours of vertices, told apart by most eyes; more colours use them again.
const FILLS: [&str; 10] = [
    "#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#80cdc1", "#e5c494",
    "#d9d9d9", "#f4cae4",
];
/// The distance of rows, and the size of a box.
const ROW: usize = 34;
const HEIGHT: usize = 24;
/// The width of a character of the labels, nearly.
const CHARACTER: usize = 8;
/// The distance of the columns.
const GAP: usize = 220;
const MARGIN: usize = 20;
/// How often rows are put in order.
const N_TURNS: usize = 12;

/// A diagram with its names.
pub struct Drawing<'a> {
    diagram: &'a Diagram,
    names: Vec<String>,
}

impl<'a> Drawing<'a> {
    /// The drawing of a diagram.
    pub fn new(diagram: &'a Diagram, found: &Found) -> Drawing<'a> {
        let names = Names::new(&found.sorts, &found.population);
        Drawing {
            names: diagram.vertices.iter().map(|v| names.name(*v)).collect(),
            diagram,
        }
    }

    fn is_process(&self, x: usize) -> bool {
        matches!(self.diagram.vertices[x], Bearer::Process(_))
    }

    fn fill(&self, x: usize) -> &'static str {
        FILLS[self.diagram.colours[x] as usize % FILLS.len()]
    }

    /// As text for Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph channels {\n  rankdir=LR;\n  node [style=filled];\n");
        for (x, name) in self.names.iter().enumerate() {
            let shape = if self.is_process(x) { "box" } else { "ellipse" };
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let fill = self.fill(x);
            let _ = writeln!(
                out,
                "  v{x} [label=\"{name}\", shape={shape}, fillcolor=\"{fill}\"];"
            );
        }
        for (from, to) in &self.diagram.arcs {
            let _ = writeln!(out, "  v{from} -> v{to};");
        }
        out.push_str("}\n");
        out
    }

    /// As a picture.
    pub fn svg(&self) -> String {
        let columns = self.columns();
        let n_rows = columns.iter().map(Vec::len).max().unwrap_or(0);
        let longest = |column: &[usize]| {
            column
                .iter()
                .map(|x| self.names[*x].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths = [0, 1].map(|c| longest(&columns[c]) * CHARACTER + 16);
        let left = [MARGIN, MARGIN + widths[0] + GAP];
        let width = if columns[1].is_empty() {
            widths[0] + 2 * MARGIN
        } else {
            left[1] + widths[1] + MARGIN
        };
        let height = n_rows * ROW + 2 * MARGIN;
        let mut out = frame(width, height);
        let mut places = vec![(0, 0); self.names.len()];
        for (c, column) in columns.iter().enumerate() {
            // A short column stands in the middle of a long one.
            let first = MARGIN + (n_rows - column.len()) * ROW / 2;
            for (row, x) in column.iter().enumerate() {
                places[*x] = (left[c], first + row * ROW);
            }
        }
        for ((p, c), (sends, receives)) in self.lines() {
            let (x1, y1) = (places[p].0 + widths[0], places[p].1 + HEIGHT / 2);
            let (x2, y2) = (places[c].0, places[c].1 + HEIGHT / 2);
            let end = if sends {
                " marker-end=\"url(#head)\""
            } else {
                ""
            };
            let start = if receives {
                " marker-start=\"url(#head)\""
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" \
                 stroke=\"#555\"{start}{end}/>"
            );
        }
        for (x, name) in self.names.iter().enumerate() {
            let column = usize::from(!self.is_process(x));
            let round = if column == 0 { 2 } else { HEIGHT / 2 };
            let ((left, top), width) = (places[x], widths[column]);
            let fill = self.fill(x);
            let _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\" \
                 rx=\"{round}\" fill=\"{fill}\" stroke=\"#333\"/>\
                 <text x=\"{tx}\" y=\"{ty}\" text-anchor=\"middle\">{name}</text>",
                tx = left + width / 2,
                ty = top + HEIGHT - 7,
                name = escaped(name),
            );
        }
        out.push_str("</svg>\n");
        out
    }

    /// Each process and channel that are joined, and whether it sends and receives.
    fn lines(&self) -> BTreeMap<(usize, usize), (bool, bool)> {
        let mut lines: BTreeMap<(usize, usize), (bool, bool)> = BTreeMap::new();
        for (from, to) in &self.diagram.arcs {
            let (from, to) = (*from as usize, *to as usize);
            if self.is_process(from) {
                lines.entry((from, to)).or_default().0 = true
            } else {
                lines.entry((to, from)).or_default().1 = true
            }
        }
        lines
    }

    /// Processes and channels in order of their rows.
    fn columns(&self) -> [Vec<usize>; 2] {
        let all = 0..self.names.len();
        let (left, right) = all.partition(|x| self.is_process(*x));
        let mut columns: [Vec<usize>; 2] = [left, right];
        let mut near: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.names.len()];
        for (p, c) in self.lines().into_keys() {
            near[p].insert(c);
            near[c].insert(p);
        }
        for turn in 0..N_TURNS {
            let (fixed, moving) = ((turn + 1) % 2, turn % 2);
            let row = |x: usize| columns[fixed].iter().position(|y| *y == x).unwrap_or(0);
            let mean = |x: usize| {
                let n = near[x].len().max(1);
                // Thousandths, so that the order does not rest on rounding.
                near[x].iter().map(|y| row(*y) * 1000).sum::<usize>() / n
            };
            let mut order: Vec<(usize, usize)> =
                columns[moving].iter().map(|x| (mean(*x), *x)).collect();
            order.sort_by_key(|(mean, _)| *mean);
            columns[moving] = order.into_iter().map(|(_, x)| x).collect();
        }
        columns
    }
}

/// The start of a picture: its size, the heads of arrows, the ground.
fn frame(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13\">\n\
         <title>Static channel diagram</title>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
         <path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
