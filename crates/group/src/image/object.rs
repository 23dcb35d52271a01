//! What has an image: points with plain data, and references between them.
//!
//! An object lives on the points `0..n` that a group moves. Each point has a colour (the plain data
//! that it owns) and coloured references (arcs) to other points. A permutation `p` moves the colour
//! of `x` to `p(x)` and turns the arc `x → y` into `p(x) → p(y)`: owned data moves *and* references
//! are renamed.
//!
//! What does not fit into colours and arcs goes into *auxiliary vertices*: a message with three
//! ids, a cell `a[i][j] = k`, a set, a set of sets. They are values, not places: the group does not
//! move them, only what they refer to. A tuple is an auxiliary vertex with arcs labelled by
//! position, a set one with arcs of equal label, a set of sets refers to auxiliary vertices.
//!
//! Worked example: points 0, 1, 2; the message `(0, 2)` in a queue is `v = add_vertex(QUEUE_0)`,
//! `add_arc(v, 0, FIRST)`, `add_arc(v, 2, SECOND)`.

use crate::perm::{Perm, Point};

/// A node of an object: a point, or an auxiliary vertex numbered after the points.
pub type Node = u32;

/// A labelled reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arc {
    /// Who refers.
    pub from: Node,
    /// In which way.
    pub label: u32,
    /// To whom.
    pub to: Node,
}

/// A relational structure over the points of a group; reuse one to avoid allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    n_points: usize,
    /// Colours of the points, then of the auxiliary vertices.
    colours: Vec<u64>,
    arcs: Vec<Arc>,
}

impl Object {
    /// An object on `n_points` points, all of colour 0, without references.
    pub fn new(n_points: usize) -> Object {
        let mut object = Object::default();
        object.reset(n_points);
        object
    }

    /// An object that is a tuple of plain values, one a point.
    pub fn tuple(values: &[u64]) -> Object {
        Object {
            n_points: values.len(),
            colours: values.to_vec(),
            arcs: Vec::new(),
        }
    }

    /// An object that is a set of points.
    pub fn set(n_points: usize, members: &[Point]) -> Object {
        let mut object = Object::new(n_points);
        for &x in members {
            object.set_colour(x, 1);
        }
        object
    }

    /// An object that is an ordered partition: points outside every cell count as one more cell.
    pub fn ordered_partition(n_points: usize, cells: &[Vec<Point>]) -> Object {
        let mut object = Object::new(n_points);
        for (i, cell) in cells.iter().enumerate() {
            for &x in cell {
                object.set_colour(x, i as u64 + 1);
            }
        }
        object
    }

    /// Empties it for `n_points` points, keeping its memory.
    pub fn reset(&mut self, n_points: usize) {
        self.n_points = n_points;
        self.colours.clear();
        self.colours.resize(n_points, 0);
        self.arcs.clear();
    }

    /// Gives a point its plain data. Equal colours mean equal data: rank what is longer than 64
    /// bits, do not hash it.
    #[inline]
    pub fn set_colour(&mut self, x: Point, colour: u64) {
        assert!((x as usize) < self.n_points, "{x} is not a point");
        self.colours[x as usize] = colour;
    }

    /// Adds an auxiliary vertex and returns its node.
    ///
    /// Two auxiliary vertices of equal content are two occurrences of one value. Whoever builds
    /// objects of one kind must either always share equal values or never.
    #[inline]
    pub fn add_vertex(&mut self, colour: u64) -> Node {
        self.colours.push(colour);
        self.colours.len() as Node - 1
    }

    /// Adds a reference. An auxiliary vertex may refer to points and to earlier auxiliary vertices.
    #[inline]
    pub fn add_arc(&mut self, from: Node, to: Node, label: u32) {
        assert!(
            (from.max(to) as usize) < self.colours.len(),
            "arc {from} → {to} leaves the object"
        );
        assert!(
            (from as usize) < self.n_points || (to as usize) < self.n_points || to < from,
            "an auxiliary vertex may refer to earlier ones only"
        );
        self.arcs.push(Arc { from, label, to });
    }

    /// The number of points.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    /// The number of points and auxiliary vertices.
    pub fn n_nodes(&self) -> usize {
        self.colours.len()
    }

    /// The colours, by node.
    pub fn colours(&self) -> &[u64] {
        &self.colours
    }

    /// The references, in the order they were added.
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// `p · self`, with the auxiliary vertices kept in their order.
    pub fn moved_by(&self, p: &Perm) -> Object {
        assert_eq!(p.degree(), self.n_points, "permutation of another degree");
        let to = |x: Node| {
            if (x as usize) < self.n_points {
                p.at(x)
            } else {
                x
            }
        };
        let mut colours = self.colours.clone();
        for (x, &colour) in self.colours[..self.n_points].iter().enumerate() {
            colours[p.at(x as Point) as usize] = colour;
        }
        let arcs = self.arcs.iter().map(|a| Arc {
            from: to(a.from),
            label: a.label,
            to: to(a.to),
        });
        Object {
            n_points: self.n_points,
            colours,
            arcs: arcs.collect(),
        }
    }

    /// The object as plain data that is equal for two objects exactly if they are the same: the
    /// order of arcs and auxiliary vertices does not count. Slow; for tests and certificates.
    pub fn meaning(&self) -> ObjectMeaning {
        let mut meanings: Vec<ObjectMeaning> = Vec::new();
        for v in self.n_points..self.n_nodes() {
            let meaning = ObjectMeaning {
                colours: vec![self.colours[v]],
                arcs: self.arcs_from(v as Node, &meanings),
                values: Vec::new(),
            };
            meanings.push(meaning);
        }
        let mut arcs = Vec::new();
        for x in 0..self.n_points {
            arcs.extend(self.arcs_from(x as Node, &meanings));
        }
        meanings.sort();
        ObjectMeaning {
            colours: self.colours[..self.n_points].to_vec(),
            arcs,
            values: meanings,
        }
    }

    fn arcs_from(&self, from: Node, earlier: &[ObjectMeaning]) -> Vec<(Node, u32, MeaningTarget)> {
        let owner = if (from as usize) < self.n_points {
            from
        } else {
            0
        };
        let target = |to: Node| match (to as usize).checked_sub(self.n_points) {
            None => MeaningTarget::Point(to),
            Some(v) => MeaningTarget::Value(Box::new(earlier[v].clone())),
        };
        let mut arcs: Vec<_> = self
            .arcs
            .iter()
            .filter(|a| a.from == from)
            .map(|a| (owner, a.label, target(a.to)))
            .collect();
        arcs.sort();
        arcs
    }
}

/// An object without the accidents of how it was built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectMeaning {
    colours: Vec<u64>,
    arcs: Vec<(Node, u32, MeaningTarget)>,
    values: Vec<ObjectMeaning>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MeaningTarget {
    Point(Point),
    Value(Box<ObjectMeaning>),
}
