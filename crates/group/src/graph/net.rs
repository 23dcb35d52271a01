//! The form of a graph that the search works on: one symmetric list of links.
//!
//! For two vertices `x ≠ y` all arcs between them, in both directions and of all colours, are
//! summed up in one number, the *kind* of the link from `x` to `y`. Kinds are ranks in the sorted
//! list of all pairs (colours out, colours in) that occur, so isomorphic graphs get equal kinds.
//! The kind from `y` to `x` is a function of the kind from `x` to `y`, so refinement needs one
//! pass over one list where it would need two over two. Loops become part of the vertex colour.
//!
//! Worked example: `0→1` (colour 5), `1→0` (colour 5), `1→2` (colour 5). The pairs that occur are
//! `({}, {5})` seen from 2, `({5}, {})` seen from 1, and `({5}, {5})` between 0 and 1: the kinds
//! 0, 1 and 2.
//!
//! A net also describes a piece of a larger net: its vertices remember where they come from. They
//! are in order of their cells, so the initial partition is the identity, cut up by `head`.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::{ArcEnd, Graph};
use crate::perm::Point;

/// All arcs between two vertices, seen from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArcBundle {
    pub to: Point,
    pub kind: u32,
}

/// A cell of a piece: its name in the larger net and how many of the piece's vertices it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Share {
    pub cell: u32,
    pub size: u32,
}

/// A graph, or a piece of one, as the search sees it.
pub(super) struct Net {
    /// For each vertex, the vertex of the graph.
    pub origin: Vec<Point>,
    /// For each vertex, the vertex of the net this piece was cut from.
    pub up: Vec<Point>,
    pub offsets: Vec<u32>,
    pub links: Vec<ArcBundle>,
    /// The cells in order; the vertices of the first come first.
    pub head: Vec<Share>,
}

impl Net {
    /// The whole graph, cells by colour and loops; and the number of kinds.
    pub fn of_graph(graph: &Graph) -> (Net, usize) {
        let (origin, head) = cells_of_graph(graph);
        let mut local = vec![0; origin.len()];
        for (i, &x) in origin.iter().enumerate() {
            local[x as usize] = i as Point;
        }
        let mut kinds = ArcKinds::default();
        let mut offsets = vec![0];
        let mut links = Vec::with_capacity(graph.n_arcs() * 2);
        for &x in &origin {
            merge_ends(graph, x, |y, out, into| {
                links.push(ArcBundle {
                    to: local[y as usize],
                    kind: kinds.number(out, into),
                });
            });
            offsets.push(links.len() as u32);
        }
        let rank = kinds.ranks();
        for link in &mut links {
            link.kind = rank[link.kind as usize];
        }
        let up = (0..origin.len() as Point).collect();
        let net = Net {
            origin,
            up,
            offsets,
            links,
            head,
        };
        (net, rank.len())
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.origin.len()
    }

    /// The links of vertex `x`.
    #[inline]
    pub fn links(&self, x: Point) -> &[ArcBundle] {
        &self.links[self.offsets[x as usize] as usize..self.offsets[x as usize + 1] as usize]
    }

    /// Whether every cell has one vertex.
    pub fn is_discrete(&self) -> bool {
        self.head.len() == self.len()
    }

    /// The net written down with vertex `x` at place `labels[x]`: equal texts for equal nets.
    ///
    /// The text starts with the cells, so nets with different cells have different texts.
    pub fn text(&self, labels: &[u32]) -> NetText {
        let mut text = Vec::with_capacity(1 + 2 * self.head.len() + self.len() + self.links.len());
        text.push(self.head.len() as u32);
        for share in &self.head {
            text.extend([share.cell, share.size]);
        }
        let mut at = vec![0; self.len()];
        for (x, &place) in labels.iter().enumerate() {
            at[place as usize] = x as Point;
        }
        let mut row: Vec<u64> = Vec::new();
        for &x in &at {
            row.clear();
            let code = |l: &ArcBundle| u64::from(labels[l.to as usize]) << 32 | u64::from(l.kind);
            row.extend(self.links(x).iter().map(code));
            row.sort_unstable();
            text.push(row.len() as u32);
            text.extend(row.iter().flat_map(|&c| [(c >> 32) as u32, c as u32]));
        }
        let fold = |h: u64, &word: &u32| (h.rotate_left(5) ^ u64::from(word)).wrapping_mul(SPREAD);
        NetText {
            hash: text.iter().fold(0, fold),
            words: text.into(),
        }
    }
}

/// An odd number with well mixed bits (2⁶⁴ divided by the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A net written down; cheap to copy and to look up, and compared in full where equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NetText {
    hash: u64,
    words: Rc<[u32]>,
}

impl Hash for NetText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Vertices sorted by colour and loops, and the sizes of the classes.
fn cells_of_graph(graph: &Graph) -> (Vec<Point>, Vec<Share>) {
    let loops = |x: Point| {
        let row = graph.arcs_out(x);
        let first = row.partition_point(|e| e.vertex < x);
        let last = row.partition_point(|e| e.vertex <= x);
        &row[first..last]
    };
    let compare = |&x: &Point, &y: &Point| -> Ordering {
        let colours = |x| loops(x).iter().map(|e: &ArcEnd| e.colour);
        (graph.colour(x).cmp(&graph.colour(y))).then_with(|| colours(x).cmp(colours(y)))
    };
    let mut origin: Vec<Point> = (0..graph.n_vertices() as Point).collect();
    origin.sort_by(compare);
    let mut head: Vec<Share> = Vec::new();
    for (i, x) in origin.iter().enumerate() {
        match head.last_mut() {
            Some(share) if compare(&origin[i - 1], x).is_eq() => share.size += 1,
            _ => head.push(Share {
                cell: i as u32,
                size: 1,
            }),
        }
    }
    (origin, head)
}

/// Calls `visit(y, out, into)` for each neighbour `y ≠ x` with the arcs between `x` and `y`.
fn merge_ends(graph: &Graph, x: Point, mut visit: impl FnMut(Point, &[ArcEnd], &[ArcEnd])) {
    let (mut out, mut into) = (graph.arcs_out(x), graph.arcs_in(x));
    loop {
        let next = |row: &[ArcEnd]| row.first().map_or(Point::MAX, |e| e.vertex);
        let y = next(out).min(next(into));
        if y == Point::MAX {
            return;
        }
        let run = |row: &[ArcEnd]| row.iter().take_while(|e| e.vertex == y).count();
        let (here_out, rest_out) = out.split_at(run(out));
        let (here_into, rest_into) = into.split_at(run(into));
        if y != x {
            visit(y, here_out, here_into);
        }
        (out, into) = (rest_out, rest_into);
    }
}

/// Numbers for (colours out, colours in), given in order of appearance.
#[derive(Default)]
struct ArcKinds {
    number: HashMap<Vec<u32>, u32>,
    key: Vec<u32>,
    /// The last two answers: neighbours in a list mostly have the kind of the one before.
    recent: [(Vec<u32>, u32); 2],
}

impl ArcKinds {
    fn number(&mut self, out: &[ArcEnd], into: &[ArcEnd]) -> u32 {
        self.key.clear();
        self.key.push(out.len() as u32);
        self.key.extend(out.iter().chain(into).map(|e| e.colour));
        for (key, number) in &self.recent {
            if *key == self.key {
                return *number;
            }
        }
        let next = self.number.len() as u32;
        let number = match self.number.get(&self.key) {
            Some(&number) => number,
            None => {
                self.number.insert(self.key.clone(), next);
                next
            }
        };
        self.recent.swap(0, 1);
        self.recent[0].0.clone_from(&self.key);
        self.recent[0].1 = number;
        number
    }

    /// For each number, the rank of its pair among all pairs.
    fn ranks(self) -> Vec<u32> {
        let mut keys: Vec<(Vec<u32>, u32)> = self.number.into_iter().collect();
        keys.sort_unstable();
        let mut rank = vec![0; keys.len()];
        for (r, (_, number)) in keys.iter().enumerate() {
            rank[*number as usize] = r as u32;
        }
        rank
    }
}
