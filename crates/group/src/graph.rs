//! Coloured directed graphs with coloured arcs, and their symmetries.
//!
//! A [`Graph`] has vertices `0..n`, each with a colour, and arcs `from → to`, each with a colour.
//! Loops are arcs like any other, and two arcs between the same vertices may differ in colour. An
//! undirected edge is two arcs. Colours are compared by value: an isomorphism maps a vertex of
//! colour 3 to a vertex of colour 3, an arc of colour 5 to an arc of colour 5.
//!
//! Direction and arc colours belong to the type, because encoding them is a trap: replacing each
//! vertex by an `out` and an `in` vertex joined by plain edges loses which end an edge left.
//!
//! Worked example: the directed triangle `0→1→2→0` has three automorphisms (the rotations); with
//! the arcs `1→0`, `2→1`, `0→2` added it has six.
//!
//! Reading order: this file, `certify` (what the answers mean, checked without any search),
//! `labelling` (the questions one can ask), `net` (links in place of arcs), `equitable` (colour
//! refinement), `components` (cutting into independent pieces), `search` (the method as a whole),
//! `branch` and `pieces` (its two kinds of steps), `plan` (what it remembers). The theory page
//! `docs/theory/labelling.md` has worked examples and measurements.

mod branch;
pub(crate) mod certify;
mod components;
pub mod dimacs;
mod equitable;
pub mod labelling;
mod net;
mod pieces;
mod plan;
mod search;

use crate::perm::Point;

pub use certify::{is_isomorphism, preserves};
pub use labelling::{
    Automorphisms, Labelling, analyse_within, automorphisms, canonical_form, isomorphism,
    isomorphism_within,
};

/// An arc, for building a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arc {
    pub from: Point,
    pub to: Point,
    pub colour: u32,
}

/// One end of an arc as seen from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArcEnd {
    pub vertex: Point,
    pub colour: u32,
}

/// A directed graph with coloured vertices and arcs, in compressed rows in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    colours: Vec<u32>,
    out: CompressedRows,
    into: CompressedRows,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CompressedRows {
    offsets: Vec<u32>,
    ends: Vec<ArcEnd>,
}

impl Graph {
    /// The graph with one vertex for each of `colours` and these arcs; repeated arcs count once.
    ///
    /// # Requires
    /// Arcs join vertices of the graph; there are fewer than 2³¹ of them.
    pub fn new(colours: Vec<u32>, mut arcs: Vec<Arc>) -> Graph {
        let n = colours.len();
        assert!(
            arcs.len() < (1 << 31) && n < (1 << 31),
            "graph too large for 32-bit indices"
        );
        for arc in &arcs {
            assert!(
                (arc.from as usize) < n && (arc.to as usize) < n,
                "{arc:?} leaves the {n} vertices"
            );
        }
        arcs.sort_unstable();
        arcs.dedup();
        let out = CompressedRows::new(n, arcs.iter().map(|a| (a.from, a.to, a.colour)));
        // Sources come in increasing order, so every row of the reverse is sorted too.
        let into = CompressedRows::new(n, arcs.iter().map(|a| (a.to, a.from, a.colour)));
        Graph { colours, out, into }
    }

    /// The number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.colours.len()
    }

    /// The number of arcs; an undirected edge counts twice.
    pub fn n_arcs(&self) -> usize {
        self.out.ends.len()
    }

    /// The colour of vertex `x`.
    pub fn colour(&self, x: Point) -> u32 {
        self.colours[x as usize]
    }

    /// The colours of all vertices.
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// Where the arcs out of `x` lead, sorted by vertex, then colour.
    pub fn arcs_out(&self, x: Point) -> &[ArcEnd] {
        self.out.row(x)
    }

    /// Where the arcs into `x` come from, sorted by vertex, then colour.
    pub fn arcs_in(&self, x: Point) -> &[ArcEnd] {
        self.into.row(x)
    }

    /// Whether there is an arc `from → to` of this colour.
    pub fn has_arc(&self, from: Point, to: Point, colour: u32) -> bool {
        let end = ArcEnd { vertex: to, colour };
        self.arcs_out(from).binary_search(&end).is_ok()
    }

    /// All arcs, sorted.
    pub fn arcs(&self) -> impl Iterator<Item = Arc> + '_ {
        (0..self.n_vertices() as Point).flat_map(move |from| {
            self.arcs_out(from).iter().map(move |end| Arc {
                from,
                to: end.vertex,
                colour: end.colour,
            })
        })
    }

    /// The graph in which vertex `x` is called `name[x]`.
    ///
    /// # Requires
    /// `name` is a bijection of the vertices.
    pub fn renamed(&self, name: &[Point]) -> Graph {
        assert_eq!(name.len(), self.n_vertices(), "one name for each vertex");
        let mut colours = vec![0; self.n_vertices()];
        for (x, &y) in name.iter().enumerate() {
            colours[y as usize] = self.colours[x];
        }
        let rename = |arc: Arc| Arc {
            from: name[arc.from as usize],
            to: name[arc.to as usize],
            colour: arc.colour,
        };
        Graph::new(colours, self.arcs().map(rename).collect())
    }
}

impl CompressedRows {
    /// Rows of `(row, vertex, colour)` entries, each row in the order of the entries.
    fn new(n: usize, entries: impl Iterator<Item = (Point, Point, u32)> + Clone) -> CompressedRows {
        let mut offsets = vec![0u32; n + 1];
        for (row, _, _) in entries.clone() {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..n {
            offsets[row + 1] += offsets[row];
        }
        let mut free = offsets.clone();
        let blank = ArcEnd {
            vertex: 0,
            colour: 0,
        };
        let mut ends = vec![blank; offsets[n] as usize];
        for (row, vertex, colour) in entries {
            let slot = &mut free[row as usize];
            ends[*slot as usize] = ArcEnd { vertex, colour };
            *slot += 1;
        }
        CompressedRows { offsets, ends }
    }

    fn row(&self, x: Point) -> &[ArcEnd] {
        &self.ends[self.offsets[x as usize] as usize..self.offsets[x as usize + 1] as usize]
    }
}

/// Collects the vertices and arcs of a graph.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    colours: Vec<u32>,
    arcs: Vec<Arc>,
}

impl GraphBuilder {
    /// `n` vertices of colour 0 and no arcs.
    pub fn new(n: usize) -> GraphBuilder {
        GraphBuilder {
            colours: vec![0; n],
            arcs: Vec::new(),
        }
    }

    /// Adds a vertex and returns it.
    pub fn vertex(&mut self, colour: u32) -> Point {
        self.colours.push(colour);
        (self.colours.len() - 1) as Point
    }

    /// Changes the colour of a vertex.
    pub fn paint(&mut self, x: Point, colour: u32) {
        self.colours[x as usize] = colour;
    }

    /// Adds an arc.
    pub fn arc(&mut self, from: Point, to: Point, colour: u32) {
        self.arcs.push(Arc { from, to, colour });
    }

    /// Adds an undirected edge: the arc and its reverse.
    pub fn edge(&mut self, x: Point, y: Point, colour: u32) {
        self.arc(x, y, colour);
        self.arc(y, x, colour);
    }

    /// The graph collected so far.
    pub fn build(self) -> Graph {
        Graph::new(self.colours, self.arcs)
    }
}
