//! The search: solve a net by cutting it up and fixing vertices, and remember the way.
//!
//! *Solving* a net gives a canonical labelling of it, generators of its automorphism group and the
//! group's order. A net that falls apart is solved piece by piece ([`super::pieces`]). A net that
//! does not is solved by branching: choose a cell `T`; for each vertex `v` of `T`, give `v` a cell
//! of its own, refine, and solve what is left. Among all `v` the one with the least trace wins;
//! among those the one with the least traces further down; among those the one with the least
//! text, which is the net written down under the labelling. The labelling it leads to is canonical,
//! because the choice depends on nothing but the isomorphism class. Two vertices with equal texts
//! give an automorphism that maps one to the other, and the group is counted by the orbit of the
//! winner `v` in `T` times the group that fixes `v`.
//!
//! What keeps this small:
//! - a vertex in the orbit of one already tried is skipped;
//! - the refinement of a vertex stops when its trace exceeds the least one so far;
//! - when the trace equals it, the vertex is first *probed*: the plan that led to the winner is
//!   followed ([`super::plan`]), taking at each branching the first vertex whose trace is the
//!   planned one, without trying others. If the cells met on the way are orbits, the first probe
//!   succeeds, so a generator costs one path and not one search;
//! - only when the probe fails to reproduce the text is the vertex solved in full, and then it is
//!   given up as soon as its traces exceed those of the winner ([`super::branch`]).
//!
//! Worked example: the cycle of six. Refinement sees one cell, all links alike; `T` is everything.
//! Fixing 0 gives `{0} {3} {1,5} {2,4}`; links to 0 and 3 are dropped, so the pieces are `1–2` and
//! `5–4`, isomorphic and discrete: a swap, `(1 5)(2 4)`, and order 2. The swap puts 1, 5 and 2, 4
//! in common orbits. Then 1, 2 and 3 are probed (in some order, some are skipped) and succeed: the
//! orbit of 0 has length 6, the group has order 6·2 = 12.
//!
//! The nets being solved form an explicit stack of frames, so depth costs heap, not call stack.
//! Sources: McKay (1981) and McKay and Piperno (2014) for the tree and its pruning; Darga,
//! Sakallah and Markov (2008) for coupled paths and sparse generators. Departure: pieces are solved
//! on their own and compared by full canonical texts. Cost: with `k` branchings one inside the
//! other about `k²` refinements for `k` generators; exponential in the worst case, as for every
//! method of this family.

use std::cmp::Ordering;
use std::rc::Rc;

use super::branch::{Branch, choose_cell};
use super::components::{Division, Parts, divide};
use super::equitable::{Partition, Refiner, Watch};
use super::net::{Net, Text};
use super::pieces::Pieces;
use super::plan::{Plan, PlanId, Shape};
use crate::budget::{Budget, StopReason};
use crate::perm::{Perm, Point};

/// A group: generators, its order as powers of integers, and a base.
#[derive(Default)]
pub(super) struct Symmetry {
    pub generators: Vec<Perm>,
    pub factors: Vec<(u32, u64)>,
    pub base: Vec<Point>,
}

/// The solution of a net. After following a plan only the labels mean anything.
pub(super) struct Solved {
    pub labels: Vec<u32>,
    pub symmetry: Symmetry,
    pub plan: PlanId,
    /// The text of the net under the labels, if it was needed anyway.
    pub text: Option<Text>,
    /// With a bound: whether the traces are less than the bound, and not just equal.
    pub beats: bool,
}

/// How to solve a net.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Free,
    /// As in the plan, or not at all.
    Follow(PlanId),
    /// Only if the traces met on the way are no greater than those of the plan.
    Bound(PlanId),
}

/// What a frame hands to the one below.
pub(super) enum Answer {
    Solved(Solved),
    /// The net does not fit the plan, or exceeds the bound.
    Rejected,
}

/// What all frames share.
pub(super) struct Search<'a> {
    pub budget: &'a Budget,
    pub plans: Vec<Plan>,
    /// For vertices of the graph, scratch numbers; zero between uses.
    pub slot: Vec<u32>,
    pub refiner: Refiner,
    pub rng: fastrand::Rng,
}

pub(super) enum Frame {
    Pieces(Box<Pieces>),
    Branch(Box<Branch>),
    Rejected,
}

pub(super) enum Step {
    Call(Frame),
    Return(Answer),
    /// The budget is spent: there is no answer.
    Stop(StopReason),
}

/// Solves a net whose cells are its initial colours, unless the budget is spent first.
pub(super) fn solve(net: Net, n_kinds: usize, budget: &Budget) -> Result<Solved, StopReason> {
    budget.spend()?;
    let mut search = Search {
        budget,
        plans: Vec::new(),
        slot: vec![0; net.len()],
        refiner: Refiner::new(net.len(), n_kinds),
        rng: fastrand::Rng::with_seed(1),
    };
    let mut partition = Partition::new(&net);
    let cells = 0..partition.n_cells() as u32;
    (search.refiner).refine(&net, &mut partition, cells, &mut Watch::record());
    let mut stack = vec![search.frame(Rc::new(net), partition, Way::Free)];
    let mut answer = None;
    while let Some(frame) = stack.last_mut() {
        let step = match frame {
            Frame::Pieces(pieces) => pieces.step(&mut search, answer.take()),
            Frame::Branch(branch) => branch.step(&mut search, answer.take()),
            Frame::Rejected => Step::Return(Answer::Rejected),
        };
        match step {
            Step::Call(frame) => stack.push(frame),
            Step::Stop(reason) => return Err(reason),
            Step::Return(a) => {
                let done = stack.pop();
                if let (Some(Frame::Branch(below)), Some(Frame::Branch(done))) =
                    (stack.last_mut(), done)
                {
                    below.take_back(done.into_partition());
                }
                answer = Some(a);
            }
        }
    }
    match answer {
        Some(Answer::Solved(solved)) => Ok(solved),
        _ => unreachable!("without a plan there is no mismatch"),
    }
}

impl Search<'_> {
    /// The frame that solves `net`, whose initial cells are equitable.
    pub fn enter(&mut self, net: Rc<Net>, way: Way) -> Frame {
        let partition = Partition::new(&net);
        self.frame(net, partition, way)
    }

    fn frame(&mut self, net: Rc<Net>, partition: Partition, way: Way) -> Frame {
        match divide(&net, &partition) {
            Division::Whole => {
                let Some((way, beats)) = self.fit(way, Shape::Branch) else {
                    return Frame::Rejected;
                };
                let cell = choose_cell(&net, &partition).expect("a whole net has links");
                let branch = Branch::new(net, partition, cell);
                Frame::Branch(Box::new(branch.on(way, beats, self)))
            }
            Division::Apart(parts) => self.apart(parts, way),
        }
    }

    /// The frame that solves a net that fell into `parts`.
    pub fn apart(&mut self, parts: Parts, way: Way) -> Frame {
        let shape = Shape::of_pieces(parts.pieces.iter());
        match self.fit(way, shape) {
            Some((way, beats)) => Frame::Pieces(Box::new(Pieces::new(parts, way, beats, self))),
            None => Frame::Rejected,
        }
    }

    /// The way to go on with a net of this shape, and whether the shape alone beats the bound.
    pub fn fit(&self, way: Way, shape: Shape) -> Option<(Way, bool)> {
        match way {
            Way::Free => Some((way, false)),
            Way::Follow(plan) => {
                let planned = self.plans[plan].shape();
                let alike = (planned == Shape::Branch) == (shape == Shape::Branch);
                alike.then_some((way, false))
            }
            Way::Bound(plan) => match shape.cmp(&self.plans[plan].shape()) {
                Ordering::Less => Some((Way::Free, true)),
                Ordering::Equal => Some((way, false)),
                Ordering::Greater => None,
            },
        }
    }

    pub fn remember(&mut self, plan: Plan) -> PlanId {
        self.plans.push(plan);
        self.plans.len() - 1
    }
}
