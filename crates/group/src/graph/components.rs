//! Cutting an equitable net into pieces that have nothing to do with each other.
//!
//! Let `C` and `D` be cells. If every vertex of `C` is linked to every vertex of `D` by the same
//! kind, these links tell nobody anything: any exchange within the cells keeps them. So they are
//! dropped. More generally, the kind that more than half of the pairs of `C × D` have (where "no
//! link" is a kind as well) changes places with "no link": the same automorphisms, fewer links.
//! Whatever is connected by the remaining links forms a *piece*. An automorphism permutes the
//! pieces, and within pieces acts as it likes: if the pieces fall into classes of `m` isomorphic
//! ones with `a` automorphisms each, the order is the product of all `m! · a^m`, and the canonical
//! form is that of the pieces, sorted.
//!
//! Worked example: 20,000 processes of five vertices on one hub. The hub is a cell of its own, so
//! its links are dropped, and 20,000 pieces of five vertices remain. Complete tripartite `K(3,3,3)`
//! is one cell of nine vertices with six of eight possible links: three triangles of "missing"
//! links remain, and in a triangle all links are dropped.
//!
//! Because the partition is equitable, one vertex of `C` speaks for all: it has `d` links of a kind
//! into `D`, and the share `d / |D|` is the same seen from `D`, so both ends of a link agree on
//! what becomes of it. Within one cell the share is `d / (|C| - 1)`.
//!
//! Source: cells joined uniformly are what bliss (Junttila and Kaski 2011) looks for in its
//! component recursion; here the cut is made between vertices, not only between cells.
//! Cost: linear in vertices and links.

use std::rc::Rc;

use super::equitable::VertexPartition;
use super::net::{ArcBundle, Net, Share};
use crate::perm::Point;

/// What a net falls into.
pub(super) enum Division {
    /// One piece, no vertex and no link less.
    Whole,
    Apart(NetParts),
}

/// The parts of a net; together with a labelling of each piece they give one of the net.
pub(super) struct NetParts {
    pub pieces: Vec<Rc<Net>>,
    /// Cells of two or more vertices without any links, in order of places.
    pub free: Vec<FreeCell>,
    /// The place of each vertex that is in no piece.
    pub labels: Vec<u32>,
    /// For each cell, at its start: the first place not taken.
    pub next: Vec<u32>,
}

/// A cell whose vertices may be exchanged at will.
pub(super) struct FreeCell {
    pub start: u32,
    pub vertices: Vec<Point>,
    /// The same as vertices of the graph.
    pub origin: Vec<Point>,
}

impl NetParts {
    /// Orders the free cells as in `planned`, as far as they have the same vertices.
    ///
    /// `slot` is scratch, zero before and after.
    pub fn follow(&mut self, planned: &[Vec<Point>], slot: &mut [u32]) {
        for (cell, order) in self.free.iter_mut().zip(planned) {
            for (i, &x) in order.iter().enumerate() {
                slot[x as usize] = i as u32 + 1;
            }
            let n = cell.vertices.len();
            let mut seats = vec![u32::MAX; n];
            let mut late = Vec::new();
            for i in 0..n {
                let seat = slot[cell.origin[i] as usize] as usize;
                if seat == 0 || seat > n {
                    late.push(i as u32);
                } else {
                    seats[seat - 1] = i as u32;
                }
            }
            for seat in seats.iter_mut().filter(|s| **s == u32::MAX) {
                *seat = late.pop().expect("as many as seats are left");
            }
            for &x in order {
                slot[x as usize] = 0;
            }
            for (place, &i) in (cell.start..).zip(&seats) {
                self.labels[cell.vertices[i as usize] as usize] = place;
            }
        }
    }

    /// Gives the vertices of `piece` the next free places of their cells, in the order of `labels`.
    pub fn place(&mut self, piece: &Net, labels: &[u32]) {
        let mut at = vec![0; piece.len()];
        for (x, &place) in labels.iter().enumerate() {
            at[place as usize] = x;
        }
        let mut i = 0;
        for share in &piece.head {
            let next = &mut self.next[share.cell as usize];
            for _ in 0..share.size {
                self.labels[piece.up[at[i]] as usize] = *next;
                *next += 1;
                i += 1;
            }
        }
    }
}

/// Cuts `net` along the cells of an equitable partition.
pub(super) fn divide(net: &Net, partition: &VertexPartition) -> Division {
    let thin = thin_out(net, partition);
    let n = net.len();
    let members = thin.components();
    if !thin.changed && members.len() == 1 && members[0].len() == n {
        return Division::Whole;
    }
    let mut labels = vec![0; n];
    let mut next: Vec<u32> = (0..n as u32).collect();
    let mut free = Vec::new();
    let mut place = 0;
    while place < n as u32 {
        let cell = partition.cell_of[partition.elems[place as usize] as usize];
        let end = place + partition.size(cell);
        // Equitable: if one vertex of a cell has no links left, none has.
        if thin.row(place).is_empty() {
            for p in place..end {
                labels[partition.elems[p as usize] as usize] = p;
            }
            next[place as usize] = end;
            if end - place > 1 {
                let vertices = partition.members(cell).to_vec();
                let origin = vertices.iter().map(|&x| net.origin[x as usize]).collect();
                free.push(FreeCell {
                    start: place,
                    vertices,
                    origin,
                });
            }
        }
        place = end;
    }
    let mut cutter = Cutter {
        net,
        partition,
        thin: &thin,
        local: vec![0; n],
    };
    let pieces = members.iter().map(|m| Rc::new(cutter.cut(m))).collect();
    Division::Apart(NetParts {
        pieces,
        free,
        labels,
        next,
    })
}

/// The links that matter; vertices are named by their places in the partition.
struct Thin {
    offsets: Vec<u32>,
    links: Vec<ArcBundle>,
    changed: bool,
}

impl Thin {
    fn row(&self, place: u32) -> &[ArcBundle] {
        &self.links
            [self.offsets[place as usize] as usize..self.offsets[place as usize + 1] as usize]
    }
}

impl Thin {
    /// The places of each component with links, in increasing order.
    fn components(&self) -> Vec<Vec<u32>> {
        let n = self.offsets.len() - 1;
        let mut number = vec![NONE; n];
        let mut sizes = Vec::new();
        let mut waiting = Vec::new();
        for first in 0..n as u32 {
            if number[first as usize] != NONE || self.row(first).is_empty() {
                continue;
            }
            let component = sizes.len() as u32;
            number[first as usize] = component;
            waiting.push(first);
            let mut size = 0;
            while let Some(place) = waiting.pop() {
                size += 1;
                for link in self.row(place) {
                    if number[link.to as usize] == NONE {
                        number[link.to as usize] = component;
                        waiting.push(link.to);
                    }
                }
            }
            sizes.push(size);
        }
        let mut members: Vec<Vec<u32>> = sizes.iter().map(|&s| Vec::with_capacity(s)).collect();
        for place in 0..n as u32 {
            if number[place as usize] != NONE {
                members[number[place as usize] as usize].push(place);
            }
        }
        members
    }
}

const NONE: u32 = u32::MAX;

fn thin_out(net: &Net, partition: &VertexPartition) -> Thin {
    let n = net.len();
    let mut place_of = vec![0; n];
    for (p, &x) in partition.elems.iter().enumerate() {
        place_of[x as usize] = p as u32;
    }
    let mut thin = Thin {
        offsets: vec![0],
        links: Vec::new(),
        changed: false,
    };
    // For each cell, the kind that most links from the cell at hand into it have.
    let mut common = vec![NONE; partition.n_cells()];
    let mut seen = vec![NONE; n];
    let mut place = 0;
    while place < n {
        let first = partition.elems[place];
        let cell = partition.cell_of[first as usize];
        if partition.size(cell) == 1 {
            thin.changed = true;
            thin.offsets.push(thin.links.len() as u32);
            place += 1;
            continue;
        }
        let majorities = majorities(net, partition, first);
        for m in &majorities {
            common[m.cell as usize] = m.kind;
            thin.changed = true;
        }
        for &x in partition.members(cell) {
            for link in net.links(x) {
                let cell = partition.cell_of[link.to as usize];
                if common[cell as usize] != link.kind {
                    thin.links.push(ArcBundle {
                        to: place_of[link.to as usize],
                        kind: link.kind,
                    });
                }
            }
            if majorities.iter().any(|m| m.some_missing) {
                for link in net.links(x) {
                    seen[link.to as usize] = x;
                }
            }
            for m in majorities.iter().filter(|m| m.some_missing) {
                for &y in partition.members(m.cell) {
                    if y != x && seen[y as usize] != x {
                        thin.links.push(ArcBundle {
                            to: place_of[y as usize],
                            kind: m.kind,
                        });
                    }
                }
            }
            thin.offsets.push(thin.links.len() as u32);
            place += 1;
        }
        for m in &majorities {
            common[m.cell as usize] = NONE;
        }
    }
    thin
}

/// The kind that more than half of the pairs between two cells have.
struct Majority {
    cell: u32,
    kind: u32,
    some_missing: bool,
}

fn majorities(net: &Net, partition: &VertexPartition, x: Point) -> Vec<Majority> {
    let own = partition.cell_of[x as usize];
    let mut into: Vec<(u32, u32)> = net
        .links(x)
        .iter()
        .map(|l| (partition.cell_of[l.to as usize], l.kind))
        .collect();
    into.sort_unstable();
    let mut found = Vec::new();
    for run in into.chunk_by(|a, b| a == b) {
        let (cell, kind) = run[0];
        let possible = partition.size(cell) as usize - usize::from(cell == own);
        if 2 * run.len() > possible {
            found.push(Majority {
                cell,
                kind,
                some_missing: run.len() < possible,
            });
        }
    }
    found
}

struct Cutter<'a> {
    net: &'a Net,
    partition: &'a VertexPartition,
    thin: &'a Thin,
    /// For each place, the vertex of the piece at hand.
    local: Vec<Point>,
}

impl Cutter<'_> {
    /// The piece with the vertices at `places`, which are in increasing order.
    fn cut(&mut self, places: &[u32]) -> Net {
        let mut piece = Net {
            origin: Vec::with_capacity(places.len()),
            up: Vec::with_capacity(places.len()),
            offsets: Vec::with_capacity(places.len() + 1),
            links: Vec::with_capacity(places.iter().map(|&p| self.thin.row(p).len()).sum()),
            head: Vec::new(),
        };
        piece.offsets.push(0);
        for (i, &p) in places.iter().enumerate() {
            self.local[p as usize] = i as Point;
            let x = self.partition.elems[p as usize];
            piece.up.push(x);
            piece.origin.push(self.net.origin[x as usize]);
            let cell = self.partition.start(self.partition.cell_of[x as usize]);
            match piece.head.last_mut() {
                Some(share) if share.cell == cell => share.size += 1,
                _ => piece.head.push(Share { cell, size: 1 }),
            }
        }
        for &p in places {
            let rename = |link: &ArcBundle| ArcBundle {
                to: self.local[link.to as usize],
                kind: link.kind,
            };
            piece.links.extend(self.thin.row(p).iter().map(rename));
            piece.offsets.push(piece.links.len() as u32);
        }
        piece
    }
}
