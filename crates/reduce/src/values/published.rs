//! The graph that was published for states of B, for comparison: it mixes up states.
//!
//! Vertices: a root, an *atom* for each member, truth value, number or text that occurs, and a
//! vertex for each nested value. Arcs lead from a part to what it is part of, and have the number
//! of the variable that they belong to:
//!
//! - an atom at `p`: atom → `p`;
//! - a set at `p`: each element → `p`, nested elements drawn at a vertex of their own;
//! - a relation at `p`: left → right for each pair, and both → `p` unless that is the root;
//! - a pair is drawn as the relation of it alone, the empty set as nothing.
//!
//! Members that move have one colour a sort, other atoms one each, nested values one, the root one.
//!
//! Worked example: `v1 = {({s0}, {s1})}`, `v2 = {{s2}}` have the arcs `s0 → x0`, `s1 → x1`,
//! `x0 → x1` of `v1`, and `s2 → x2`, `x2 → root` of `v2`.
//!
//! **Its defects**, of which each makes one graph of two states that are not alike: membership and
//! pairs have the same arcs, so `v = {(a, {b})}` and `{(b, {a})}` look alike beside `w = a`; pairs
//! of nested relations are shared; nothing ties the end of a nested pair to it. Source: Turner
//! 2007, algorithms 8 to 11. Departures: colours of atoms are the same in all states, and states
//! without variables are told from others, both of which the thesis leaves out and needs. Cost:
//! linear in the size of the values.

use super::points::Points;
use crate::processes::points::NONE;
use group::Point;
use group::graph::{Graph, GraphBuilder};
use model::values::bytes::Reader;
use model::values::shape::{Universe, visit_bits};
use model::values::{Signature, SortId, Stage, Type};
use std::collections::HashMap;

/// The colours that are the same in all states, before those of sorts.
const ROOT: u32 = 0;
const NESTED: u32 = 1;
const SORTS: u32 = 2;

/// Draws states.
#[derive(Clone, Debug)]
pub(super) struct PublishedPicture {
    signature: Signature,
}

/// A value.
enum Tree {
    Member(SortId, usize),
    /// What does not move, by its bytes.
    Atom(Vec<u8>),
    Pair(Box<Tree>, Box<Tree>),
    Set(Vec<Tree>),
}

/// Numbers atoms that do not move, the same in all states.
pub(super) type Numbering<'a> = dyn FnMut(&[u8]) -> u32 + 'a;

impl PublishedPicture {
    pub fn new(signature: &Signature) -> PublishedPicture {
        PublishedPicture {
            signature: signature.clone(),
        }
    }

    /// The graph of a state.
    pub fn draw(&self, points: &Points, state: &[u8], numbering: &mut Numbering<'_>) -> Graph {
        let mut reader = Reader::new(state);
        let stage = reader.byte();
        let mut graph = GraphBuilder::new(0);
        let root = graph.vertex(ROOT);
        let first_free = SORTS + self.signature.sorts.len() as u32;
        let mut colour = |bytes: &[u8]| first_free + numbering(bytes);
        let mut drawing = Drawing {
            points,
            graph,
            root,
            members: HashMap::new(),
            atoms: HashMap::new(),
            colour: &mut colour,
        };
        let is_running = stage == Stage::Running as u8;
        let variables = self.signature.variables.iter().filter(|_| is_running);
        for (label, field) in (0..).zip(self.signature.constants.iter().chain(variables)) {
            let value = self.read(&field.ty, &mut reader);
            drawing.draw(&value, label, root);
        }
        if !is_running {
            // A vertex of its own says that there are no variables yet.
            drawing.graph.vertex(ROOT);
        }
        drawing.graph.build()
    }

    fn read(&self, ty: &Type, reader: &mut Reader<'_>) -> Tree {
        match ty {
            Type::Bool => Tree::Atom(vec![0, reader.byte()]),
            Type::Int => Tree::Atom([&[1], reader.number()].concat()),
            Type::Text => Tree::Atom([&[2], reader.text()].concat()),
            Type::Member(sort) => {
                let n = self.signature.sort(*sort).members.len();
                Tree::Member(*sort, reader.member(n))
            }
            Type::Pair(left, right) => {
                let left = self.read(left, reader);
                Tree::Pair(Box::new(left), Box::new(self.read(right, reader)))
            }
            Type::Record(fields) => {
                let values = fields.iter().map(|(_, ty)| self.read(ty, reader));
                nested(values.collect())
            }
            Type::Set(element) => Tree::Set(self.elements(element, reader)),
        }
    }

    fn elements(&self, ty: &Type, reader: &mut Reader<'_>) -> Vec<Tree> {
        let Some(universe) = Universe::of(&self.signature, ty) else {
            let n = reader.unsigned();
            return (0..n).map(|_| self.read(ty, reader)).collect();
        };
        let mut elements = Vec::new();
        visit_bits(reader.take(universe.n_bytes()), |index| {
            let mut parts = universe.parts(index).into_iter();
            elements.push(small(ty, &mut parts));
        });
        elements
    }
}

/// A value of a small type, of its parts in order.
fn small(ty: &Type, parts: &mut dyn Iterator<Item = usize>) -> Tree {
    match ty {
        Type::Member(sort) => Tree::Member(*sort, parts.next().unwrap_or(0)),
        Type::Pair(left, right) => {
            let left = small(left, parts);
            Tree::Pair(Box::new(left), Box::new(small(right, parts)))
        }
        Type::Record(fields) => {
            let values = fields.iter().map(|(_, ty)| small(ty, parts));
            nested(values.collect())
        }
        // Sets of sets and of numbers are lists.
        _ => Tree::Atom(vec![0, parts.next().unwrap_or(0) as u8]),
    }
}

/// Values as pairs of pairs, for the thesis has no records.
fn nested(values: Vec<Tree>) -> Tree {
    let mut values = values.into_iter().rev();
    let last = values.next().unwrap_or(Tree::Set(Vec::new()));
    values.fold(last, |rest, value| {
        Tree::Pair(Box::new(value), Box::new(rest))
    })
}

struct Drawing<'a> {
    points: &'a Points,
    graph: GraphBuilder,
    root: Point,
    members: HashMap<(SortId, usize), Point>,
    atoms: HashMap<Vec<u8>, Point>,
    colour: &'a mut Numbering<'a>,
}

impl Drawing<'_> {
    /// Draws a value at a vertex.
    fn draw(&mut self, value: &Tree, label: u32, at: Point) {
        match value {
            Tree::Member(..) | Tree::Atom(_) => {
                let atom = self.vertex(value, label);
                self.graph.arc(atom, at, label);
            }
            Tree::Pair(left, right) => self.pair(left, right, (label, at)),
            Tree::Set(elements) => {
                for element in elements {
                    match element {
                        Tree::Pair(left, right) => self.pair(left, right, (label, at)),
                        _ => {
                            let element = self.vertex(element, label);
                            self.graph.arc(element, at, label);
                        }
                    }
                }
            }
        }
    }

    fn pair(&mut self, left: &Tree, right: &Tree, (label, at): (u32, Point)) {
        let (left, right) = (self.vertex(left, label), self.vertex(right, label));
        self.graph.arc(left, right, label);
        if at != self.root {
            self.graph.arc(left, at, label);
            self.graph.arc(right, at, label);
        }
    }

    /// The vertex of a part: an atom, or a nested value that is drawn at a new one.
    fn vertex(&mut self, value: &Tree, label: u32) -> Point {
        match value {
            Tree::Member(sort, n) => {
                if let Some(known) = self.members.get(&(*sort, *n)) {
                    return *known;
                }
                let colour = match self.points.of(*sort, *n) {
                    NONE => {
                        let (sort, n) = (sort.index() as u32, *n as u32);
                        let name = [&[3][..], &sort.to_le_bytes(), &n.to_le_bytes()].concat();
                        (self.colour)(&name)
                    }
                    _ => SORTS + sort.index() as u32,
                };
                let vertex = self.graph.vertex(colour);
                self.members.insert((*sort, *n), vertex);
                vertex
            }
            Tree::Atom(bytes) => {
                if let Some(known) = self.atoms.get(bytes) {
                    return *known;
                }
                let vertex = self.graph.vertex((self.colour)(bytes));
                self.atoms.insert(bytes.clone(), vertex);
                vertex
            }
            Tree::Pair(..) | Tree::Set(_) => {
                let vertex = self.graph.vertex(NESTED);
                self.draw(value, label, vertex);
                vertex
            }
        }
    }
}
