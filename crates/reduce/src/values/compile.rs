//! What there is to draw of the values of a signature, worked out once.
//!
//! Pairs and records at the top of a state are taken apart, so that what is left there are members,
//! bit sets and lists. For bit sets all is known beforehand: each bit is a tuple, some of whose
//! parts are points, and becomes a bit of data of the one point, or an arc with a label of its own
//! between the two, or a vertex for more. The rest of a tuple, the parts that are no points, is its
//! *pattern*.
//!
//! Worked example: a relation between a sort of three points and a truth value has the patterns
//! `(·, FALSE)` and `(·, TRUE)`: two bits of data for each point. A relation between the three
//! points themselves has one pattern, `(·, ·)`, an arc with one label; the pairs of a point with
//! itself are a bit of data.

use super::points::Points;
use crate::processes::points::NONE;
use group::Point;
use model::values::shape::{Shape, Universe};
use model::values::{Field, Signature, SortId};
use std::collections::HashMap;

/// A value at the top of a state.
#[derive(Clone, Debug)]
pub(super) enum Top {
    /// No point can be in it.
    Plain(Shape),
    /// A member of a sort of so many: which bit of data it is of the point.
    Member(SortId, usize, u32),
    Bits(TopBits),
    List(TopList),
}

/// What a bit of a bit set at the top becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    /// Nothing: no point is in the tuple.
    Plain,
    /// A bit of data of a point.
    One(Point, u32),
    /// An arc with a label.
    Two(Point, Point, u32),
    /// A vertex.
    More(Tuple),
}

#[derive(Clone, Debug)]
pub(super) struct TopBits {
    pub facts: Vec<Fact>,
    pub tuples: Tuples,
    /// What vertices for tuples are.
    pub context: u32,
}

/// A set that is kept as a list.
#[derive(Clone, Debug)]
pub(super) struct TopList {
    pub leaves: Vec<Leaf>,
    /// The last leaf of an element, which is not among the others then, if it is the only set that
    /// may hold points: where the list is a function to sets, these are taken apart.
    pub inner: Option<Inner>,
    /// What facts are: see [`super::picture`].
    pub context: u32,
    /// The same for facts about elements of the last leaf.
    pub inner_context: u32,
}

/// What the elements of a set that is taken apart are made of.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    /// With the label of pattern 0 from the vertex of the set to a point, should it get one.
    Bits(Tuples, u32),
    List(Vec<Leaf>),
}

/// A part of an element that is not made of parts.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    /// No point can be in it.
    Plain(Shape),
    Member {
        sort: SortId,
        n: usize,
        /// Whether some members are no points.
        is_mixed: bool,
    },
    /// A set that may hold points.
    Set(Nested),
}

/// A set within an element.
#[derive(Clone, Debug)]
pub(super) enum Nested {
    Bits {
        tuples: Tuples,
        /// The label of pattern 0 from the vertex of the set to a point.
        label: u32,
        context: u32,
    },
    List {
        leaves: Vec<Leaf>,
        context: u32,
    },
}

/// The points of a tuple, as a range, and its pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuple {
    first: u32,
    len: u16,
    pub pattern: u16,
}

/// The tuples that a bit set is about.
#[derive(Clone, Debug)]
pub(super) struct Tuples {
    pub n_bytes: usize,
    pub tuples: Vec<Tuple>,
    points: Vec<Point>,
    /// The bits of tuples without points.
    pub plain: Vec<u8>,
    patterns: usize,
}

impl Tuples {
    fn new(universe: &Universe, points: &Points) -> Tuples {
        let mut patterns: HashMap<Vec<Option<usize>>, u16> = HashMap::new();
        let mut made = Tuples {
            n_bytes: universe.n_bytes(),
            tuples: Vec::new(),
            points: Vec::new(),
            plain: vec![0; universe.n_bytes()],
            patterns: 0,
        };
        for index in 0..universe.len() {
            let parts = universe.parts(index);
            let mut pattern = Vec::new();
            let first = made.points.len();
            for (digit, part) in universe.digits.iter().zip(parts) {
                let point = digit.sort.map_or(NONE, |sort| points.of(sort, part));
                if point == NONE {
                    pattern.push(Some(part));
                } else {
                    pattern.push(None);
                    made.points.push(point);
                }
            }
            if first == made.points.len() {
                made.plain[index / 8] |= 1 << (index % 8);
            }
            let n = patterns.len() as u16;
            made.tuples.push(Tuple {
                first: first as u32,
                len: (made.points.len() - first) as u16,
                pattern: *patterns.entry(pattern).or_insert(n),
            });
        }
        made.patterns = patterns.len();
        made
    }

    /// The points of a tuple.
    #[inline]
    pub fn points(&self, tuple: Tuple) -> &[Point] {
        &self.points[tuple.first as usize..][..usize::from(tuple.len)]
    }

    /// Whether tuples have one pattern only.
    pub fn is_uniform(&self) -> bool {
        self.patterns < 2
    }
}

/// Labels below this are places in a tuple.
const PLACES_MAX: u32 = 1 << 10;
/// The label from the vertex of a set to the vertex of a tuple in it.
pub(super) const ELEMENT: u32 = PLACES_MAX;
/// Contexts of a list or a set: for elements with one point, two, two that are the same, more; and
/// for the set itself.
pub(super) const ONE: u32 = 0;
pub(super) const TWO: u32 = 1;
pub(super) const SAME: u32 = 2;
pub(super) const MORE: u32 = 3;
pub(super) const WHOLE: u32 = 4;
const N_CONTEXTS: u32 = 5;

/// Gives out numbers.
pub(super) struct Compiler<'a> {
    signature: &'a Signature,
    points: &'a Points,
    n_labels: u32,
    n_contexts: u32,
    /// By sort: how many bits of data its points have.
    n_bits: Vec<u32>,
    /// Whether there may be more than data of single points.
    pub refers: bool,
}

impl<'a> Compiler<'a> {
    pub fn new(signature: &'a Signature, points: &'a Points) -> Compiler<'a> {
        Compiler {
            signature,
            points,
            n_labels: ELEMENT + 1,
            n_contexts: 1,
            n_bits: vec![0; signature.sorts.len()],
            refers: false,
        }
    }

    /// How many words of bits a point has at most.
    pub fn n_words(&self) -> usize {
        let n_bits = self.n_bits.iter().max().copied().unwrap_or(0);
        n_bits.div_ceil(64) as usize
    }

    pub fn tops(&mut self, fields: &[Field]) -> Vec<Top> {
        let mut tops = Vec::new();
        for field in fields {
            self.top(Shape::of(self.signature, &field.ty), &mut tops);
        }
        tops
    }

    fn moves(&self, shape: &Shape) -> bool {
        let mut moves = false;
        shape.visit_sorts(&mut |sort| moves |= self.points.moves(sort));
        moves
    }

    fn contexts(&mut self) -> u32 {
        let first = self.n_contexts;
        self.n_contexts += N_CONTEXTS;
        assert!(self.n_contexts < 1 << 20, "too many types");
        first
    }

    fn labels(&mut self, n: usize) -> u32 {
        let first = self.n_labels;
        self.n_labels += n as u32;
        assert!(self.n_labels < 1 << 31, "too many labels");
        first
    }

    fn bit(&mut self, sort: SortId) -> u32 {
        let bit = self.n_bits[sort.index()];
        self.n_bits[sort.index()] += 1;
        bit
    }

    fn top(&mut self, shape: Shape, out: &mut Vec<Top>) {
        if !self.moves(&shape) {
            return out.push(Top::Plain(shape));
        }
        match shape {
            Shape::Member(sort, n) => {
                let bit = self.bit(sort);
                out.push(Top::Member(sort, n, bit));
            }
            Shape::Parts(parts) => parts.into_iter().for_each(|part| self.top(part, out)),
            Shape::Bits(universe) => out.push(Top::Bits(self.top_bits(&universe))),
            Shape::List(element) => {
                let list = self.top_list(*element);
                out.push(Top::List(list));
            }
            Shape::Bool | Shape::Int | Shape::Text => out.push(Top::Plain(shape)),
        }
    }

    fn top_bits(&mut self, universe: &Universe) -> TopBits {
        let tuples = Tuples::new(universe, self.points);
        let label = self.labels(tuples.patterns);
        let mut bits: HashMap<(SortId, u16, usize), u32> = HashMap::new();
        let mut facts = Vec::new();
        for tuple in &tuples.tuples {
            facts.push(match *tuples.points(*tuple) {
                [] => Fact::Plain,
                [x, ref rest @ ..] if rest.len() < 2 && rest.iter().all(|y| *y == x) => {
                    let sort = self.points.member(x).0;
                    let key = (sort, tuple.pattern, rest.len());
                    let bit = *bits.entry(key).or_insert_with(|| self.bit(sort));
                    Fact::One(x, bit)
                }
                [x, y] => Fact::Two(x, y, label + u32::from(tuple.pattern)),
                _ => Fact::More(*tuple),
            });
        }
        let refers = |fact: &Fact| matches!(fact, Fact::Two(..) | Fact::More(_));
        self.refers |= facts.iter().any(refers);
        TopBits {
            facts,
            tuples,
            context: self.contexts(),
        }
    }

    fn top_list(&mut self, element: Shape) -> TopList {
        let inner = self.inner(&element);
        let mut leaves = self.leaves(element);
        if inner.is_some() {
            leaves.pop();
        }
        let may_be_point = leaves.iter().filter(|leaf| !matches!(leaf, Leaf::Plain(_)));
        self.refers |= inner.is_some() || may_be_point.count() > 1;
        self.refers |= leaves.iter().any(|leaf| matches!(leaf, Leaf::Set(_)));
        TopList {
            leaves,
            inner,
            context: self.contexts(),
            inner_context: self.contexts(),
        }
    }

    /// The elements of the last leaf, if that is the only set that may hold points, and if these
    /// hold no sets that do.
    fn inner(&mut self, element: &Shape) -> Option<Inner> {
        let mut leaves = Vec::new();
        flatten(element, &mut leaves);
        let is_set = |shape: &Shape| matches!(shape, Shape::Bits(_) | Shape::List(_));
        let (last, others) = leaves.split_last()?;
        let nested = |shape: &Shape| is_set(shape) && self.moves(shape);
        if others.is_empty() || !nested(last) || others.iter().any(|shape| nested(shape)) {
            return None;
        }
        match last {
            Shape::Bits(universe) => {
                let tuples = Tuples::new(universe, self.points);
                let label = self.labels(tuples.patterns);
                Some(Inner::Bits(tuples, label))
            }
            Shape::List(element) => {
                let leaves = self.leaves((**element).clone());
                let simple = leaves.iter().all(|leaf| !matches!(leaf, Leaf::Set(_)));
                simple.then_some(Inner::List(leaves))
            }
            _ => None,
        }
    }

    fn leaves(&mut self, element: Shape) -> Vec<Leaf> {
        let mut shapes = Vec::new();
        flatten(&element, &mut shapes);
        shapes
            .into_iter()
            .map(|shape| self.leaf(shape.clone()))
            .collect()
    }

    fn leaf(&mut self, shape: Shape) -> Leaf {
        if !self.moves(&shape) {
            return Leaf::Plain(shape);
        }
        match shape {
            Shape::Member(sort, n) => Leaf::Member {
                sort,
                n,
                is_mixed: !self.points.moves_all(sort),
            },
            Shape::Bits(universe) => {
                let tuples = Tuples::new(&universe, self.points);
                Leaf::Set(Nested::Bits {
                    label: self.labels(tuples.patterns),
                    tuples,
                    context: self.contexts(),
                })
            }
            Shape::List(element) => {
                let leaves = self.leaves(*element);
                Leaf::Set(Nested::List {
                    leaves,
                    context: self.contexts(),
                })
            }
            shape => Leaf::Plain(shape),
        }
    }
}

/// The parts of a shape that are not made of parts.
fn flatten<'s>(shape: &'s Shape, out: &mut Vec<&'s Shape>) {
    match shape {
        Shape::Parts(parts) => parts.iter().for_each(|part| flatten(part, out)),
        _ => out.push(shape),
    }
}
