//! The members that symmetries move, numbered.
//!
//! Points are the members of blocks of two or more, sort by sort, in the order of members; sorts
//! that no state can hold a member of have none, since nobody would see them move.
//!
//! Worked example: sorts `A` of three members, all alike, and `B` of three, of which the first and
//! the last are alike: points 0, 1, 2 are the members of `A`, 3 and 4 the two of `B`, and the
//! middle one of `B` is no point. The group is all permutations of `0 1 2` and of `3 4`, 12 in all.

use crate::processes::points::NONE;
use group::{Group, Perm, Point};
use model::values::shape::Shape;
use model::values::{Signature, SortId};

/// Which members are points.
#[derive(Clone, Debug)]
pub struct Points {
    /// By sort, by member: its point, or [`NONE`]; empty where no member is one.
    of: Vec<Vec<Point>>,
    /// By point: its sort and member.
    members: Vec<(SortId, u16)>,
    /// The points of each block.
    blocks: Vec<Vec<Point>>,
    /// By sort: whether all members are points.
    is_all: Vec<bool>,
}

impl Points {
    /// The points of blocks of members, by sort.
    pub(super) fn new(signature: &Signature, blocks: &[Vec<Vec<usize>>]) -> Points {
        let mut seen = vec![false; signature.sorts.len()];
        for field in signature.constants.iter().chain(&signature.variables) {
            let shape = Shape::of(signature, &field.ty);
            shape.visit_sorts(&mut |sort| seen[sort.index()] = true);
        }
        let mut points = Points {
            of: vec![Vec::new(); signature.sorts.len()],
            members: Vec::new(),
            blocks: Vec::new(),
            is_all: vec![false; signature.sorts.len()],
        };
        for (s, sort) in signature.sorts.iter().enumerate() {
            let large = blocks[s].iter().filter(|block| block.len() > 1);
            let mut in_block: Vec<Option<usize>> = vec![None; sort.members.len()];
            for block in large.filter(|_| seen[s]) {
                block
                    .iter()
                    .for_each(|m| in_block[*m] = Some(points.blocks.len()));
                points.blocks.push(Vec::new());
            }
            points.add(SortId::new(s), &in_block);
        }
        points
    }

    fn add(&mut self, sort: SortId, in_block: &[Option<usize>]) {
        if in_block.iter().all(Option::is_none) {
            return;
        }
        let of = &mut self.of[sort.index()];
        for (member, block) in in_block.iter().enumerate() {
            let Some(block) = block else {
                of.push(NONE);
                continue;
            };
            let point = self.members.len() as Point;
            of.push(point);
            self.blocks[*block].push(point);
            self.members.push((sort, member as u16));
        }
        self.is_all[sort.index()] = in_block.iter().all(Option::is_some);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The point of a member, or [`NONE`].
    #[inline]
    pub fn of(&self, sort: SortId, member: usize) -> Point {
        let points = &self.of[sort.index()];
        points.get(member).copied().unwrap_or(NONE)
    }

    /// The sort and the member that a point is.
    pub fn member(&self, point: Point) -> (SortId, usize) {
        let (sort, member) = self.members[point as usize];
        (sort, usize::from(member))
    }

    /// Whether some member of a sort is a point.
    pub fn moves(&self, sort: SortId) -> bool {
        !self.of[sort.index()].is_empty()
    }

    /// Whether all members of a sort are points.
    pub(super) fn moves_all(&self, sort: SortId) -> bool {
        self.is_all[sort.index()]
    }

    /// What a member is called after the permutation that sends point `x` to `image[x]`.
    #[inline]
    pub(super) fn renamed(&self, image: &[Point], sort: SortId, member: usize) -> usize {
        match self.of(sort, member) {
            NONE => member,
            point => usize::from(self.members[image[point as usize] as usize].1),
        }
    }

    /// All permutations that keep blocks: an exchange and a cycle for each.
    pub(super) fn group(&self) -> Group {
        let degree = self.len();
        let mut generators = Vec::new();
        for block in &self.blocks {
            let exchange = (block[0], block[1]);
            generators.push(Perm::from_moves(
                degree,
                vec![exchange, (exchange.1, exchange.0)],
            ));
            if block.len() > 2 {
                let next = block.iter().skip(1).chain(&block[..1]);
                let cycle = block.iter().copied().zip(next.copied());
                generators.push(Perm::from_moves(degree, cycle.collect()));
            }
        }
        Group::new(degree, generators)
    }
}
