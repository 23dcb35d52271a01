//! How a symmetry acts on states that are made of values: members are renamed wherever they are.
//!
//! Everything is worked out from the signature once. What can hold no point is copied; members are
//! renamed; bits of bit sets go where their value goes; lists are written with renamed elements and
//! put in order again. Constants are renamed like variables, and a state that has constants only
//! like any other. States keep their length. It is one left action: renaming by `q` and then by `p`
//! is renaming by `p∘q`.
//!
//! Worked example: a sort `p1 p2 p3`, a variable that holds `{(p1, 5), (p3, 2)}`, one that holds
//! `{p1, p2}`, and the exchange of `p1` and `p3`:
//!
//! ```text
//! 2, 0 10, 2 4 | 0b011   ↦   2, 2 10, 0 4 | 0b110   ↦   2, 0 4, 2 10 | 0b110
//! ```
//!
//! Cost: a pass over the bytes, a look-up for each bit that is set, and sorting of lists that come
//! out of order.

use super::points::Points;
use crate::action::Action;
use group::Point;
use model::values::bytes::{Reader, put_member, put_unsigned};
use model::values::shape::{Shape, Universe, visit_bits};
use model::values::{Field, Signature, SortId, Stage};

/// The action of a group on the states of a signature.
#[derive(Clone, Debug)]
pub struct Act {
    points: Points,
    constants: Vec<Walk>,
    variables: Vec<Walk>,
}

/// What there is to do for a value.
#[derive(Clone, Debug)]
enum Walk {
    /// So many bytes without points.
    Fixed(usize),
    /// A value without points.
    Plain(Shape),
    Member(SortId, usize),
    Parts(Vec<Walk>),
    /// A set of members.
    Members(SortId, usize),
    Bits(Bits),
    List(Box<Walk>),
}

/// A set of tuples as bits.
#[derive(Clone, Debug)]
struct Bits {
    n_bytes: usize,
    /// By part of a tuple: its sort, if members of that move, and what a step of it counts.
    digits: Vec<(Option<SortId>, usize)>,
    /// By number of a tuple: its parts.
    parts: Vec<u16>,
}

/// Memory for lists.
#[derive(Default)]
struct Scratch {
    /// Where elements of the lists that are being written end.
    ends: Vec<usize>,
    order: Vec<usize>,
    sorted: Vec<u8>,
}

impl Act {
    /// Works out how `points` move.
    pub(super) fn new(signature: &Signature, points: Points) -> Act {
        let walks = |fields: &[Field]| {
            let shapes = fields.iter().map(|field| Shape::of(signature, &field.ty));
            let walks = shapes.map(|shape| Walk::new(shape, &points));
            joined(walks.collect())
        };
        Act {
            constants: walks(&signature.constants),
            variables: walks(&signature.variables),
            points,
        }
    }

    /// What moves.
    pub fn points(&self) -> &Points {
        &self.points
    }
}

impl Action for Act {
    fn degree(&self) -> usize {
        self.points.len()
    }

    /// All states move.
    fn is_settled(&self, _: &[u8]) -> bool {
        true
    }

    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let mut reader = Reader::new(state);
        let stage = reader.byte();
        out.push(stage);
        let mut mover = Mover {
            points: &self.points,
            image,
            reader,
            scratch: Scratch::default(),
            out,
        };
        self.constants.iter().for_each(|walk| mover.walk(walk));
        if stage == Stage::Running as u8 {
            self.variables.iter().for_each(|walk| mover.walk(walk));
        }
        assert!(
            mover.reader.is_at_end() && out.len() == state.len(),
            "{state:?} is no state of the signature"
        );
    }
}

impl Walk {
    fn new(shape: Shape, points: &Points) -> Walk {
        let mut moves = false;
        shape.visit_sorts(&mut |sort| moves |= points.moves(sort));
        if !moves {
            return match shape.fixed_size() {
                Some(size) => Walk::Fixed(size),
                None => Walk::Plain(shape),
            };
        }
        match shape {
            Shape::Member(sort, n) => Walk::Member(sort, n),
            Shape::Parts(parts) => {
                let parts = parts.into_iter().map(|part| Walk::new(part, points));
                Walk::Parts(joined(parts.collect()))
            }
            Shape::Bits(universe) => match universe.digits[..] {
                [digit] => Walk::Members(digit.sort.expect("it moves"), universe.len()),
                _ => Walk::Bits(Bits::new(&universe, points)),
            },
            Shape::List(element) => Walk::List(Box::new(Walk::new(*element, points))),
            Shape::Bool | Shape::Int | Shape::Text => Walk::Plain(shape),
        }
    }
}

/// The same walks, with neighbours of fixed size made one.
fn joined(walks: Vec<Walk>) -> Vec<Walk> {
    let mut joined: Vec<Walk> = Vec::new();
    for walk in walks {
        match (joined.last_mut(), walk) {
            (Some(Walk::Fixed(before)), Walk::Fixed(size)) => *before += size,
            (_, walk) => joined.push(walk),
        }
    }
    joined
}

impl Bits {
    fn new(universe: &Universe, points: &Points) -> Bits {
        let mut digits = Vec::new();
        let mut stride = universe.len();
        for digit in &universe.digits {
            stride /= digit.n.max(1);
            digits.push((digit.sort.filter(|sort| points.moves(*sort)), stride));
        }
        let parts = (0..universe.len()).flat_map(|index| universe.parts(index));
        Bits {
            n_bytes: universe.n_bytes(),
            digits,
            parts: parts.map(|part| part as u16).collect(),
        }
    }
}

struct Mover<'a> {
    points: &'a Points,
    image: &'a [Point],
    reader: Reader<'a>,
    scratch: Scratch,
    out: &'a mut Vec<u8>,
}

impl Mover<'_> {
    fn walk(&mut self, walk: &Walk) {
        match walk {
            Walk::Fixed(size) => self.out.extend_from_slice(self.reader.take(*size)),
            Walk::Plain(shape) => {
                let start = self.reader.at();
                shape.skip(&mut self.reader);
                self.out.extend_from_slice(self.reader.since(start));
            }
            Walk::Member(sort, n) => {
                let member = self.reader.member(*n);
                put_member(self.renamed(*sort, member), *n, self.out);
            }
            Walk::Parts(parts) => parts.iter().for_each(|part| self.walk(part)),
            Walk::Members(sort, n) => self.members(*sort, *n),
            Walk::Bits(bits) => self.bits(bits),
            Walk::List(element) => self.list(element),
        }
    }

    #[inline]
    fn renamed(&self, sort: SortId, member: usize) -> usize {
        self.points.renamed(self.image, sort, member)
    }

    fn members(&mut self, sort: SortId, n: usize) {
        let from = self.reader.take(n.div_ceil(8));
        let start = self.out.len();
        self.out.resize(start + from.len(), 0);
        visit_bits(from, |member| {
            let to = self.points.renamed(self.image, sort, member);
            self.out[start + to / 8] |= 1 << (to % 8);
        });
    }

    fn bits(&mut self, bits: &Bits) {
        let from = self.reader.take(bits.n_bytes);
        let start = self.out.len();
        self.out.resize(start + from.len(), 0);
        let k = bits.digits.len();
        visit_bits(from, |index| {
            let parts = &bits.parts[index * k..(index + 1) * k];
            let mut to = 0;
            for (part, (sort, stride)) in parts.iter().zip(&bits.digits) {
                let part = match sort {
                    Some(sort) => self.points.renamed(self.image, *sort, usize::from(*part)),
                    None => usize::from(*part),
                };
                to += part * stride;
            }
            self.out[start + to / 8] |= 1 << (to % 8);
        });
    }

    fn list(&mut self, element: &Walk) {
        let n = self.reader.unsigned();
        put_unsigned(n, self.out);
        let first_end = self.scratch.ends.len();
        let start = self.out.len();
        for _ in 0..n {
            self.walk(element);
            self.scratch.ends.push(self.out.len());
        }
        self.sort(start, first_end);
        self.scratch.ends.truncate(first_end);
    }

    /// Puts the elements from `start` on in order; their ends are those from `first_end` on.
    fn sort(&mut self, start: usize, first_end: usize) {
        let Scratch {
            ends,
            order,
            sorted,
        } = &mut self.scratch;
        let ends = &ends[first_end..];
        let begin = |n: usize| if n == 0 { start } else { ends[n - 1] };
        let bytes = &self.out[..];
        let element = |n: usize| &bytes[begin(n)..ends[n]];
        if (1..ends.len()).all(|n| element(n - 1) < element(n)) {
            return;
        }
        order.clear();
        order.extend(0..ends.len());
        order.sort_unstable_by(|a, b| element(*a).cmp(element(*b)));
        sorted.clear();
        order
            .iter()
            .for_each(|n| sorted.extend_from_slice(element(*n)));
        self.out[start..].copy_from_slice(sorted);
    }
}
