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

use super::branch::{CellBranch, choose_cell};
use super::components::{Division, NetParts, divide};
use super::equitable::{InvariantTrace, Refiner, VertexPartition};
use super::net::{Net, NetText};
use super::pieces::Pieces;
use super::plan::{FrameKind, NetPlan, PlanId};
use crate::budget::{Budget, NoAnswer};
use crate::perm::{Perm, Point};

/// A group: generators, its order as powers of integers, and a base.
#[derive(Default)]
pub(super) struct NetGroup {
    pub generators: Vec<Perm>,
    pub factors: Vec<(u32, u64)>,
    pub base: Vec<Point>,
}

/// The solution of a net. After following a plan only the labels mean anything.
pub(super) struct NetSolution {
    pub labels: Vec<u32>,
    pub symmetry: NetGroup,
    pub plan: PlanId,
    /// The text of the net under the labels, if it was needed anyway.
    pub text: Option<NetText>,
    /// With a bound: whether the traces are less than the bound, and not just equal.
    pub beats: bool,
}

/// How to solve a net.
#[derive(Clone, Copy)]
pub(super) enum SolveMode {
    Free,
    /// As in the plan, or not at all.
    Follow(PlanId),
    /// Only if the traces met on the way are no greater than those of the plan.
    Bound(PlanId),
}

/// What a frame hands to the one below.
pub(super) enum FrameResult {
    Solved(NetSolution),
    /// The net does not fit the plan, or exceeds the bound.
    Rejected,
}

/// What all frames share.
pub(super) struct LabellingSearch<'a> {
    pub budget: &'a Budget,
    pub plans: Vec<NetPlan>,
    /// For vertices of the graph, scratch numbers; zero between uses.
    pub slot: Vec<u32>,
    pub refiner: Refiner,
    pub rng: fastrand::Rng,
}

pub(super) enum SearchFrame {
    Pieces(Box<Pieces>),
    Branch(Box<CellBranch>),
    Rejected,
}

pub(super) enum FrameStep {
    Call(SearchFrame),
    Return(FrameResult),
    /// The budget is spent: there is no answer.
    Stop(NoAnswer),
}

/// Solves a net whose cells are its initial colours, unless the budget is spent first.
pub(super) fn solve(net: Net, n_kinds: usize, budget: &Budget) -> Result<NetSolution, NoAnswer> {
    budget.spend()?;
    let mut search = LabellingSearch {
        budget,
        plans: Vec::new(),
        slot: vec![0; net.len()],
        refiner: Refiner::new(net.len(), n_kinds),
        rng: fastrand::Rng::with_seed(1),
    };
    let mut partition = VertexPartition::new(&net);
    let cells = 0..partition.n_cells() as u32;
    (search.refiner).refine(&net, &mut partition, cells, &mut InvariantTrace::record());
    let mut stack = vec![search.frame(Rc::new(net), partition, SolveMode::Free)];
    let mut answer = None;
    while let Some(frame) = stack.last_mut() {
        let step = match frame {
            SearchFrame::Pieces(pieces) => pieces.step(&mut search, answer.take()),
            SearchFrame::Branch(branch) => branch.step(&mut search, answer.take()),
            SearchFrame::Rejected => FrameStep::Return(FrameResult::Rejected),
        };
        match step {
            FrameStep::Call(frame) => stack.push(frame),
            FrameStep::Stop(reason) => return Err(reason),
            FrameStep::Return(a) => {
                let done = stack.pop();
                if let (Some(SearchFrame::Branch(below)), Some(SearchFrame::Branch(done))) =
                    (stack.last_mut(), done)
                {
                    below.take_back(done.into_partition());
                }
                answer = Some(a);
            }
        }
    }
    match answer {
        Some(FrameResult::Solved(solved)) => Ok(solved),
        _ => unreachable!("without a plan there is no mismatch"),
    }
}

impl LabellingSearch<'_> {
    /// The frame that solves `net`, whose initial cells are equitable.
    pub fn enter(&mut self, net: Rc<Net>, way: SolveMode) -> SearchFrame {
        let partition = VertexPartition::new(&net);
        self.frame(net, partition, way)
    }

    fn frame(&mut self, net: Rc<Net>, partition: VertexPartition, way: SolveMode) -> SearchFrame {
        match divide(&net, &partition) {
            Division::Whole => {
                let Some((way, beats)) = self.fit(way, FrameKind::Branch) else {
                    return SearchFrame::Rejected;
                };
                let cell = choose_cell(&net, &partition).expect("a whole net has links");
                let branch = CellBranch::new(net, partition, cell);
                SearchFrame::Branch(Box::new(branch.on(way, beats, self)))
            }
            Division::Apart(parts) => self.apart(parts, way),
        }
    }

    /// The frame that solves a net that fell into `parts`.
    pub fn apart(&mut self, parts: NetParts, way: SolveMode) -> SearchFrame {
        let shape = FrameKind::of_pieces(parts.pieces.iter());
        match self.fit(way, shape) {
            Some((way, beats)) => {
                SearchFrame::Pieces(Box::new(Pieces::new(parts, way, beats, self)))
            }
            None => SearchFrame::Rejected,
        }
    }

    /// The way to go on with a net of this shape, and whether the shape alone beats the bound.
    pub fn fit(&self, way: SolveMode, shape: FrameKind) -> Option<(SolveMode, bool)> {
        match way {
            SolveMode::Free => Some((way, false)),
            SolveMode::Follow(plan) => {
                let planned = self.plans[plan].shape();
                let alike = (planned == FrameKind::Branch) == (shape == FrameKind::Branch);
                alike.then_some((way, false))
            }
            SolveMode::Bound(plan) => match shape.cmp(&self.plans[plan].shape()) {
                Ordering::Less => Some((SolveMode::Free, true)),
                Ordering::Equal => Some((way, false)),
                Ordering::Greater => None,
            },
        }
    }

    pub fn remember(&mut self, plan: NetPlan) -> PlanId {
        self.plans.push(plan);
        self.plans.len() - 1
    }
}
