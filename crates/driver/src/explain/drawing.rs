//! Two columns joined by lines, what can be exchanged in one colour: the static channel diagram as
//! text for Graphviz and as a picture of our own, sets with their elements, components with their
//! events; and the same with one vertex for each orbit.
//!
//! The picture of a channel diagram has processes on the left and channels on the right. Rows are
//! put in order by turns: every vertex goes to the mean of the rows of its neighbours, as in
//! layered drawings (Sugiyama and others 1981); a few turns untangle most of it. An arc with a head
//! at both ends is a channel that the process both sends to and receives from.
//!
//! Worked example: clients 1 and 2 with links 2 and 1. After the first turn the column of links is
//! 2, 1, and no two lines cross.

use reduce::processes::Found;
use reduce::processes::diagram::Diagram;
use reduce::processes::names::Names;
use reduce::processes::structure::Bearer;
use report::object::{self, Orbits};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use view::draw::text::escaped;

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
/// More than so much is not drawn together.
pub const DRAWN_MAX: usize = 400;
/// How often rows are put in order.
const N_TURNS: usize = 12;

/// A diagram with its names.
pub struct Drawing {
    title: String,
    vertices: Vec<DrawnVertex>,
    /// From a process to a channel it sends to; from a channel to a process that receives.
    arcs: BTreeSet<(usize, usize)>,
}

/// What stands in a column.
#[derive(Clone)]
pub struct DrawnVertex {
    /// What it is called.
    pub name: String,
    /// Whether it stands on the left: a process, a set, a component.
    pub is_left: bool,
    /// Which fill it has; `None` for none of its own.
    pub colour: Option<usize>,
}

impl Drawing {
    /// The drawing of a diagram; equal colours for what could be exchanged.
    pub fn new(diagram: &Diagram, found: &Found) -> Drawing {
        Drawing::coloured(diagram, found, "Static channel diagram", |x| {
            Some(diagram.colours[x] as usize)
        })
    }

    /// The same with equal colours for what can be exchanged: the orbits with several members.
    pub fn by_orbits(diagram: &Diagram, found: &Found, orbits: &DrawnOrbits) -> Drawing {
        let title = "Who sends to whom; what can be exchanged has one colour";
        Drawing::coloured(diagram, found, title, |x| orbits.colour(x))
    }

    /// A drawing of vertices and the lines between them, each from a vertex to another.
    pub fn of(
        title: String,
        vertices: Vec<DrawnVertex>,
        arcs: BTreeSet<(usize, usize)>,
    ) -> Drawing {
        Drawing {
            title,
            vertices,
            arcs,
        }
    }

    /// The same with one vertex for each of these sets, which each vertex is in one of.
    pub fn merged(&self, sets: &[Vec<usize>]) -> Drawing {
        let mut of = vec![0; self.vertices.len()];
        for (number, set) in sets.iter().enumerate() {
            set.iter().for_each(|x| of[*x] = number);
        }
        let vertices = sets.iter().map(|set| {
            let first = &self.vertices[set[0]];
            let name = match set.len() {
                1 => first.name.clone(),
                n => format!(
                    "{} × {n}",
                    first.name.split(['(', '[', '.']).next().unwrap_or("")
                ),
            };
            DrawnVertex {
                name,
                ..first.clone()
            }
        });
        let arcs = self.arcs.iter();
        Drawing {
            title: "The same with one box for each orbit".to_owned(),
            vertices: vertices.collect(),
            arcs: arcs.map(|(a, b)| (of[*a], of[*b])).collect(),
        }
    }

    /// The sets of vertices of one colour and column; what has no colour is alone.
    pub fn by_colour(&self) -> Vec<Vec<usize>> {
        let mut numbers = BTreeMap::new();
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for (x, vertex) in self.vertices.iter().enumerate() {
            let key = match vertex.colour {
                Some(colour) => (0, colour, vertex.is_left),
                None => (1, x, false),
            };
            let number = *numbers.entry(key).or_insert(sets.len());
            if number == sets.len() {
                sets.push(Vec::new());
            }
            sets[number].push(x);
        }
        sets
    }

    /// The drawing, and the same with one box for each orbit where that is smaller, as far as they
    /// are not too large.
    pub fn told(self, notes: Vec<String>) -> Vec<object::Drawing> {
        let sets = self.by_colour();
        let merged = (sets.len() < self.vertices.len()).then(|| self.merged(&sets));
        let all = [Some(self), merged].into_iter().flatten();
        let small = all.filter(|drawing| drawing.vertices.len() <= DRAWN_MAX);
        let told = small.map(|drawing| object::Drawing {
            title: drawing.title.clone(),
            notes: notes.clone(),
            svg: drawing.svg(),
        });
        told.collect()
    }

    fn coloured(
        diagram: &Diagram,
        found: &Found,
        title: &str,
        colour: impl Fn(usize) -> Option<usize>,
    ) -> Drawing {
        let names = Names::new(&found.sorts, &found.population);
        let vertices = diagram.vertices.iter().enumerate();
        let vertices = vertices.map(|(x, bearer)| DrawnVertex {
            name: names.name(*bearer),
            is_left: matches!(bearer, Bearer::Process(_)),
            colour: colour(x),
        });
        let arcs = diagram.arcs.iter();
        Drawing {
            title: title.to_owned(),
            vertices: vertices.collect(),
            arcs: arcs.map(|(a, b)| (*a as usize, *b as usize)).collect(),
        }
    }

    fn is_left(&self, x: usize) -> bool {
        self.vertices[x].is_left
    }

    fn fill(&self, x: usize) -> &'static str {
        match self.vertices[x].colour {
            Some(colour) => FILLS[colour % FILLS.len()],
            None => "#ffffff",
        }
    }

    /// As text for Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph channels {\n  rankdir=LR;\n  node [style=filled];\n");
        for (x, vertex) in self.vertices.iter().enumerate() {
            let name = &vertex.name;
            let shape = if self.is_left(x) { "box" } else { "ellipse" };
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let fill = self.fill(x);
            let _ = writeln!(
                out,
                "  v{x} [label=\"{name}\", shape={shape}, fillcolor=\"{fill}\"];"
            );
        }
        for (from, to) in &self.arcs {
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
                .map(|x| self.vertices[*x].name.chars().count())
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
        let mut out = frame(width, height, &self.title);
        let mut places = vec![(0, 0); self.vertices.len()];
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
        for (x, vertex) in self.vertices.iter().enumerate() {
            let column = usize::from(!self.is_left(x));
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
                name = escaped(&vertex.name),
            );
        }
        out.push_str("</svg>\n");
        out
    }

    /// Each process and channel that are joined, and whether it sends and receives.
    fn lines(&self) -> BTreeMap<(usize, usize), (bool, bool)> {
        let mut lines: BTreeMap<(usize, usize), (bool, bool)> = BTreeMap::new();
        for (from, to) in self.arcs.iter().copied() {
            if self.is_left(from) {
                lines.entry((from, to)).or_default().0 = true
            } else {
                lines.entry((to, from)).or_default().1 = true
            }
        }
        lines
    }

    /// Processes and channels in order of their rows.
    fn columns(&self) -> [Vec<usize>; 2] {
        let all = 0..self.vertices.len();
        let (left, right) = all.partition(|x| self.is_left(*x));
        let mut columns: [Vec<usize>; 2] = [left, right];
        let mut near: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.vertices.len()];
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

/// The orbits of a diagram's vertices.
pub struct DrawnOrbits {
    /// The vertices of each.
    members: Vec<Vec<usize>>,
    /// By vertex: which it is in.
    of: Vec<usize>,
    /// By orbit: which colour it has, if it has several members.
    colours: Vec<Option<usize>>,
}

impl DrawnOrbits {
    /// The orbits that these sets of names are; what is in none is alone.
    pub fn new(diagram: &Diagram, found: &Found, named: &Orbits) -> DrawnOrbits {
        let names = Names::new(&found.sorts, &found.population);
        let all: Vec<&Vec<String>> = named.processes.iter().chain(&named.channels).collect();
        let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut orbits = DrawnOrbits {
            members: Vec::new(),
            of: Vec::new(),
            colours: Vec::new(),
        };
        for (x, bearer) in diagram.vertices.iter().enumerate() {
            let name = names.name(*bearer);
            let key = match all.iter().position(|orbit| orbit.contains(&name)) {
                Some(orbit) => (0, orbit),
                None => (1, x),
            };
            let number = *numbers.entry(key).or_insert(orbits.members.len());
            if number == orbits.members.len() {
                orbits.members.push(Vec::new());
            }
            orbits.members[number].push(x);
            orbits.of.push(number);
        }
        let mut n_coloured = 0;
        for members in &orbits.members {
            let colour = (members.len() > 1).then_some(n_coloured);
            n_coloured += usize::from(colour.is_some());
            orbits.colours.push(colour);
        }
        orbits
    }

    fn colour(&self, x: usize) -> Option<usize> {
        self.colours[self.of[x]]
    }
}

/// The start of a picture: its size, the heads of arrows, the ground.
fn frame(width: usize, height: usize, title: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"links\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"monospace\" font-size=\"13\">\n\
         <title>{title}</title>\n\
         <style>svg.links .ground{{fill:var(--paper,white)}}\
         svg.links line{{stroke:var(--edge,#555)}}\
         svg.links .head{{fill:var(--edge,black)}}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
         <path class=\"head\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}
