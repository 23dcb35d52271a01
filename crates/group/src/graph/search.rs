//! The search: solve a net by cutting it up and fixing vertices, and remember the way.
//!
//! *Solving* a net gives a canonical labelling of it, generators of its automorphism group and the
//! group's order. A net that falls apart is solved piece by piece ([`super::pieces`]). A net that
//! does not is solved by branching: choose a cell `T`; for each vertex `v` of `T`, give `v` a cell
//! of its own, refine, and solve what is left. Among all `v` the one with the least
//! (trace, text of the net under the labelling) wins; the labelling it leads to is canonical,
//! because the choice depends on nothing but the isomorphism class. Two vertices with equal texts
//! give an automorphism that maps one to the other, and the group is counted by the orbit of the
//! winner `v` in `T` times the group that fixes `v`.
//!
//! What keeps this small:
//! - a vertex in the orbit of one already tried is skipped;
//! - the refinement of a vertex stops when its trace exceeds the least one so far;
//! - when the trace equals it, the vertex is first *probed*: the plan that led to the winner is
//!   followed ([`super::plan`]), taking at each branching the first vertex whose trace is the
//!   planned one, without trying others. If the cells met on the way are orbits, the first probe succeeds, so a
//!   generator costs one path and not one search. Only when the probe fails to reproduce the text
//!   is the vertex solved in full.
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

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use super::components::{Division, divide, is_free};
use super::equitable::{Outcome, Partition, Refiner, Watch};
use super::net::{Net, Text};
use super::pieces::Pieces;
use super::plan::{BranchPlan, Plan, PlanId};
use crate::orbit::DisjointSets;
use crate::perm::Point;
use crate::sparse::SparsePerm;

/// A net is cut once refinement has looked at this share of its links (one in so many).
const CUT_SHARE: usize = 4;

/// A group: generators, its order as powers of integers, and a base.
#[derive(Default)]
pub(super) struct Symmetry {
    pub generators: Vec<SparsePerm>,
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
}

/// What a frame hands to the one below.
pub(super) enum Answer {
    Solved(Solved),
    /// The net does not fit the plan.
    Mismatch,
}

/// What all frames share.
pub(super) struct Search {
    pub plans: Vec<Plan>,
    /// For vertices of the graph, scratch numbers; zero between uses.
    pub slot: Vec<u32>,
    refiner: Refiner,
    rng: fastrand::Rng,
}

pub(super) enum Frame {
    Pieces(Box<Pieces>),
    Branch(Box<Branch>),
    Mismatch,
}

pub(super) enum Step {
    Call(Frame),
    Return(Answer),
}

/// Solves a net whose cells are its initial colours.
pub(super) fn solve(net: Net, n_kinds: usize) -> Solved {
    let mut search = Search {
        plans: Vec::new(),
        slot: vec![0; net.len()],
        refiner: Refiner::new(net.len(), n_kinds),
        rng: fastrand::Rng::with_seed(1),
    };
    let mut partition = Partition::new(&net);
    let cells = 0..partition.n_cells() as u32;
    (search.refiner).refine(&net, &mut partition, cells, &mut Watch::record());
    let mut stack = vec![search.frame(Rc::new(net), partition, None)];
    let mut answer = None;
    while let Some(frame) = stack.last_mut() {
        let step = match frame {
            Frame::Pieces(pieces) => pieces.step(&mut search, answer.take()),
            Frame::Branch(branch) => branch.step(&mut search, answer.take()),
            Frame::Mismatch => Step::Return(Answer::Mismatch),
        };
        match step {
            Step::Call(frame) => stack.push(frame),
            Step::Return(a) => {
                let done = stack.pop();
                if let (Some(Frame::Branch(below)), Some(Frame::Branch(done))) =
                    (stack.last_mut(), done)
                {
                    below.partition = done.partition;
                }
                answer = Some(a);
            }
        }
    }
    match answer {
        Some(Answer::Solved(solved)) => solved,
        _ => unreachable!("without a plan there is no mismatch"),
    }
}

impl Search {
    /// The frame that solves `net`, whose initial cells are equitable, following `guide` if given.
    pub fn enter(&mut self, net: Rc<Net>, guide: Option<PlanId>) -> Frame {
        let partition = Partition::new(&net);
        self.frame(net, partition, guide)
    }

    fn frame(&mut self, net: Rc<Net>, partition: Partition, guide: Option<PlanId>) -> Frame {
        match (divide(&net, &partition), guide.map(|g| &self.plans[g])) {
            (Division::Whole, None | Some(Plan::Branch(_))) => {
                let cell = choose_cell(&net, &partition).expect("a whole net has links");
                self.branch(Branch::new(net, partition, cell, guide))
            }
            (Division::Apart(parts), None | Some(Plan::Pieces(_))) => {
                Frame::Pieces(Box::new(Pieces::new(parts, guide, self)))
            }
            _ => Frame::Mismatch,
        }
    }

    /// Puts the vertices to try in order: at random, or the planned one first.
    fn branch(&mut self, mut branch: Branch) -> Frame {
        match branch.guide.map(|g| &self.plans[g]) {
            None => self.rng.shuffle(&mut branch.target),
            Some(Plan::Branch(plan)) => branch.prefer(plan.vertex),
            Some(Plan::Pieces(_)) => unreachable!("frames are chosen to fit their plan"),
        }
        Frame::Branch(Box::new(branch))
    }

    pub fn remember(&mut self, plan: Plan) -> PlanId {
        self.plans.push(plan);
        self.plans.len() - 1
    }
}

/// The branching on one net: the vertices of one cell, tried one after the other.
pub(super) struct Branch {
    net: Rc<Net>,
    partition: Partition,
    /// The state of the partition to return to before each try.
    mark: usize,
    /// How many links were looked at between the cutting out of this net and this branching.
    n_scanned: usize,
    /// The same with the vertex at hand fixed.
    n_scanned_fixed: usize,
    guide: Option<PlanId>,
    /// The cell branched on, shuffled: neighbours in the input often give poor generators.
    target: Vec<Point>,
    at: usize,
    stage: Stage,
    /// Vertices of the target (by index) known to be equivalent.
    sets: DisjointSets,
    /// For the representative of a set: one of its members has been dealt with.
    settled: Vec<bool>,
    best: Option<Best>,
    /// The trace of the vertex at hand, when it is less than that of the best.
    trace: Option<Rc<[u64]>>,
    /// Whether a vertex with the best trace led to another text.
    ambiguous: bool,
    found: Vec<SparsePerm>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Next,
    Probing,
    Solving,
}

struct Best {
    index: usize,
    trace: Rc<[u64]>,
    labels: Vec<u32>,
    text: Text,
    symmetry: Symmetry,
    /// Which generators of `symmetry` joined orbits of the target.
    joining: Vec<usize>,
    plan: PlanId,
}

impl Branch {
    fn new(net: Rc<Net>, partition: Partition, cell: u32, guide: Option<PlanId>) -> Branch {
        let target = partition.members(cell).to_vec();
        let mark = partition.mark();
        let n = target.len();
        Branch {
            net,
            partition,
            mark,
            n_scanned: 0,
            n_scanned_fixed: 0,
            guide,
            target,
            at: 0,
            stage: Stage::Next,
            sets: DisjointSets::new(n),
            settled: vec![false; n],
            best: None,
            trace: None,
            ambiguous: false,
            found: Vec::new(),
        }
    }

    /// Moves `vertex` (of the graph) to the front of the target, if it is there.
    fn prefer(&mut self, vertex: Point) {
        let origin = &self.net.origin;
        if let Some(i) = (self.target.iter()).position(|&x| origin[x as usize] == vertex) {
            self.target.swap(0, i);
        }
    }

    fn step(&mut self, search: &mut Search, answer: Option<Answer>) -> Step {
        match self.guide {
            Some(guide) => self.step_guided(search, guide, answer),
            None => self.step_free(search, answer),
        }
    }

    /// Takes the answer for the vertex at hand, then tries vertices until one needs solving.
    fn step_free(&mut self, search: &mut Search, answer: Option<Answer>) -> Step {
        match (self.stage, answer) {
            (Stage::Probing, Some(answer)) => {
                if !self.accept_probe(search, answer) {
                    self.stage = Stage::Solving;
                    return Step::Call(self.rest(search, None));
                }
                self.leave();
            }
            (Stage::Solving, Some(Answer::Solved(solved))) => {
                self.judge(search, solved);
                self.leave();
            }
            (Stage::Next, None) => {}
            _ => unreachable!("an answer to no question"),
        }
        while self.at < self.target.len() {
            let root = self.sets.find(self.at as Point) as usize;
            if self.settled[root] {
                self.at += 1;
                continue;
            }
            let best_trace = self.best.as_ref().map(|best| best.trace.clone());
            let mut watch = match &best_trace {
                Some(trace) => Watch::improve(trace),
                None => Watch::record(),
            };
            match self.fix(&mut search.refiner, &mut watch) {
                Outcome::Worse => self.leave(),
                Outcome::Recorded => {
                    self.trace = Some(watch.trace.into());
                    self.stage = Stage::Solving;
                    return Step::Call(self.rest(search, None));
                }
                Outcome::Equal => {
                    self.stage = Stage::Probing;
                    let plan = self.best.as_ref().map(|best| best.plan);
                    return Step::Call(self.rest(search, plan));
                }
            }
        }
        Step::Return(Answer::Solved(self.conclude(search)))
    }

    /// Looks for a vertex with the planned trace; only if the plan says so, for another after it.
    fn step_guided(&mut self, search: &mut Search, guide: PlanId, answer: Option<Answer>) -> Step {
        let Plan::Branch(plan) = &search.plans[guide] else {
            unreachable!("frames are chosen to fit their plan");
        };
        if let Some(answer) = answer {
            self.leave();
            match answer {
                Answer::Solved(solved)
                    if (plan.text.as_ref())
                        .is_none_or(|text| self.net.text(&solved.labels) == *text) =>
                {
                    return Step::Return(Answer::Solved(Solved {
                        plan: guide,
                        ..solved
                    }));
                }
                _ if plan.text.is_none() => return Step::Return(Answer::Mismatch),
                _ => {}
            }
        }
        let then = plan.then;
        while self.at < self.target.len() {
            let mut watch = Watch::matching(&plan.trace);
            match self.fix(&mut search.refiner, &mut watch) {
                Outcome::Equal => return Step::Call(self.rest(search, Some(then))),
                _ => self.leave(),
            }
        }
        Step::Return(Answer::Mismatch)
    }

    /// Fixes the vertex at hand.
    fn fix(&mut self, refiner: &mut Refiner, watch: &mut Watch) -> Outcome {
        let cell = self.partition.individualise(self.target[self.at]);
        refiner.n_scanned = self.n_scanned;
        let splitters = std::iter::once(cell);
        let outcome = refiner.refine(&self.net, &mut self.partition, splitters, watch);
        self.n_scanned_fixed = refiner.n_scanned;
        outcome
    }

    /// The frame for what is left once the vertex at hand is fixed.
    ///
    /// Cutting costs a look at all links, so it waits until refinement has looked at a fair share;
    /// till then the next branching is on the same net and borrows the partition.
    fn rest(&mut self, search: &mut Search, guide: Option<PlanId>) -> Frame {
        let plan = guide.map(|g| &search.plans[g]);
        if CUT_SHARE * self.n_scanned_fixed < self.net.links.len()
            && let Some(cell) = choose_cell(&self.net, &self.partition)
        {
            if let Some(Plan::Pieces(_)) = plan {
                return Frame::Mismatch;
            }
            let partition = std::mem::take(&mut self.partition);
            let mut branch = Branch::new(self.net.clone(), partition, cell, guide);
            branch.n_scanned = self.n_scanned_fixed;
            return search.branch(branch);
        }
        if let Some(Plan::Branch(_)) = plan {
            return Frame::Mismatch;
        }
        match divide(&self.net, &self.partition) {
            Division::Apart(parts) => Frame::Pieces(Box::new(Pieces::new(parts, guide, search))),
            Division::Whole => unreachable!("a fixed vertex is cut off"),
        }
    }

    /// Goes back to before the vertex at hand, which is settled now.
    fn leave(&mut self) {
        self.partition.undo(self.mark);
        let root = self.sets.find(self.at as Point) as usize;
        self.settled[root] = true;
        self.at += 1;
        self.stage = Stage::Next;
        self.trace = None;
    }

    /// Whether the probe led to the text of the best; then the automorphism is kept.
    fn accept_probe(&mut self, search: &mut Search, answer: Answer) -> bool {
        let best = self.best.as_ref().expect("probes follow the best");
        match answer {
            Answer::Solved(solved) if self.net.text(&solved.labels) == best.text => {
                self.add_automorphism(search, &solved.labels);
                true
            }
            _ => false,
        }
    }

    /// Compares a fully solved vertex with the best and keeps the better.
    fn judge(&mut self, search: &mut Search, solved: Solved) {
        let text = self.net.text(&solved.labels);
        let trace = match (self.trace.take(), &self.best) {
            (Some(trace), _) => {
                self.ambiguous = false;
                trace
            }
            (None, Some(best)) if best.text == text => {
                return self.add_automorphism(search, &solved.labels);
            }
            (None, Some(best)) => {
                self.ambiguous = true;
                if best.text < text {
                    return;
                }
                best.trace.clone()
            }
            (None, None) => unreachable!("the first trace is recorded"),
        };
        let joining = self.join(search, &solved.symmetry.generators);
        let best = Best {
            index: self.at,
            trace,
            labels: solved.labels,
            text,
            symmetry: solved.symmetry,
            joining,
            plan: solved.plan,
        };
        if let Some(old) = self.best.replace(best) {
            // Orbits that were joined by these must stay joined by generators we return.
            let mut generators = old.symmetry.generators;
            let kept = (old.joining.iter()).map(|&i| std::mem::take(&mut generators[i]));
            self.found.extend(kept);
        }
    }

    /// Keeps the automorphism that takes the labels of the best to `labels`.
    fn add_automorphism(&mut self, search: &mut Search, labels: &[u32]) {
        let best = self.best.as_ref().expect("automorphisms start at the best");
        let mut at = vec![0; labels.len()];
        for (x, &place) in labels.iter().enumerate() {
            at[place as usize] = self.net.origin[x];
        }
        let pairs: Vec<(Point, Point)> = (self.net.origin.iter())
            .zip(&best.labels)
            .map(|(&x, &place)| (x, at[place as usize]))
            .filter(|(x, y)| x != y)
            .collect();
        let perm = SparsePerm::from_pairs(&pairs).expect("labellings are bijections");
        self.join(search, std::slice::from_ref(&perm));
        self.found.push(perm);
    }

    /// Joins the orbits on the target; returns the indices of the generators that made a change.
    fn join(&mut self, search: &mut Search, generators: &[SparsePerm]) -> Vec<usize> {
        for (i, &x) in self.target.iter().enumerate() {
            search.slot[self.net.origin[x as usize] as usize] = i as u32 + 1;
        }
        let mut joining = Vec::new();
        for (g, generator) in generators.iter().enumerate() {
            let mut joined = false;
            for (x, y) in generator.pairs() {
                let slot = search.slot[x as usize];
                if slot == 0 {
                    continue;
                }
                let (i, j) = (slot - 1, search.slot[y as usize] - 1);
                let (a, b) = (self.sets.find(i), self.sets.find(j));
                let settled = self.settled[a as usize] || self.settled[b as usize];
                joined |= self.sets.join(a, b);
                let root = self.sets.find(a) as usize;
                self.settled[root] = settled;
            }
            if joined {
                joining.push(g);
            }
        }
        for &x in &self.target {
            search.slot[self.net.origin[x as usize] as usize] = 0;
        }
        joining
    }

    fn conclude(&mut self, search: &mut Search) -> Solved {
        let best = self.best.take().expect("a cell has vertices");
        let root = self.sets.find(best.index as Point);
        let orbit = (0..self.target.len() as Point).filter(|&i| self.sets.find(i) == root);
        let orbit_len = orbit.count() as u32;
        let mut symmetry = best.symmetry;
        symmetry.generators.append(&mut self.found);
        symmetry.factors.push((orbit_len, 1));
        let fixed = self.net.origin[self.target[best.index] as usize];
        symmetry.base.insert(0, fixed);
        let plan = search.remember(Plan::Branch(BranchPlan {
            vertex: fixed,
            trace: best.trace,
            then: best.plan,
            text: self.ambiguous.then(|| best.text.clone()),
        }));
        Solved {
            labels: best.labels,
            symmetry,
            plan,
            text: Some(best.text),
        }
    }
}

/// The cell to branch on: a smallest one, among those one with most links, then the first; `None`
/// if the links of no cell matter.
fn choose_cell(net: &Net, partition: &Partition) -> Option<u32> {
    let mut cells: BinaryHeap<_> = (0..partition.n_cells() as u32)
        .filter(|&cell| partition.size(cell) > 1)
        .map(|cell| {
            let n_links = net.links(partition.members(cell)[0]).len();
            let key = (
                partition.size(cell),
                Reverse(n_links),
                partition.start(cell),
            );
            Reverse((key, cell))
        })
        .collect();
    while let Some(Reverse((_, cell))) = cells.pop() {
        if !is_free(net, partition, cell) {
            return Some(cell);
        }
    }
    None
}
