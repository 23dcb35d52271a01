//! Branching on a net: the vertices of one cell, fixed one after the other.
//!
//! The theory is in [`super::search`]. A vertex goes through these stages: fixed and refined, with
//! its trace compared to the best; if equal, probed along the plan of the best; if that fails,
//! solved in full, but bounded by the best: what is left is given up as soon as its traces exceed
//! those of the best further down. The order of vertices is therefore: trace, then the shape and
//! the traces of what is left, level by level as long as it is one piece, then the text.
//!
//! Worked example: in a strongly regular graph without symmetry all vertices have equal traces when
//! fixed. The first is solved in full. For each other vertex `w`, the probe fails, and then each
//! second vertex is compared with the second trace of the best: most are given up after a few steps
//! of refinement, so `w` costs little.
//!
//! Cost: one refinement for each vertex that is not known to be equivalent to an earlier one, most
//! of them cut short, plus a path for each generator. See [`super::search`] for the worst case.

use std::cmp::Reverse;
use std::rc::Rc;

use super::components::{Division, divide};
use super::equitable::{EquitableOutcome, InvariantTrace, Refiner, VertexPartition};
use super::net::{Net, NetText};
use super::plan::{BranchPlan, FrameKind, NetPlan, PlanId};
use super::search::{
    FrameResult, FrameStep, LabellingSearch, NetGroup, NetSolution, SearchFrame, SolveMode,
};
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};

/// A net is cut once refinement has looked at this share of its links (one in so many).
const CUT_SHARE: usize = 4;

/// How many more probes may fail than succeed before they are not tried any more.
const PROBES_FAILED_MAX: usize = 3;

/// The branching on one net: the vertices of one cell, tried one after the other.
pub(super) struct CellBranch {
    net: Rc<Net>,
    partition: VertexPartition,
    /// The state of the partition to return to before each try.
    mark: usize,
    /// How many links were looked at between the cutting out of this net and this branching.
    n_scanned: usize,
    /// The same with the vertex at hand fixed.
    n_scanned_fixed: usize,
    way: SolveMode,
    /// The cell branched on: its start and size.
    cell: (u32, u32),
    /// Its vertices, shuffled: neighbours in the input often give poor generators.
    target: Vec<Point>,
    at: usize,
    stage: BranchStage,
    /// Vertices of the target (by index) known to be equivalent.
    sets: DisjointSets,
    /// For the representative of a set: one of its members has been dealt with.
    settled: Vec<bool>,
    best: Option<Best>,
    /// The trace of the vertex at hand, when it is less than that of the best.
    trace: Option<Rc<[u64]>>,
    /// Whether the best beats the bound.
    beats: bool,
    n_probes_good: usize,
    n_probes_failed: usize,
    /// Whether a vertex with the best trace led to another text.
    ambiguous: bool,
    found: Vec<Perm>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BranchStage {
    Next,
    Probing,
    Solving,
}

struct Best {
    index: usize,
    trace: Rc<[u64]>,
    labels: Vec<u32>,
    text: NetText,
    symmetry: NetGroup,
    /// Which generators of `symmetry` joined orbits of the target, in increasing order.
    joining: Vec<usize>,
    plan: PlanId,
}

impl CellBranch {
    /// A branching on `cell`, whose partition returns to its present state in the end.
    pub fn new(net: Rc<Net>, partition: VertexPartition, cell: u32) -> CellBranch {
        let target = partition.members(cell).to_vec();
        let start = partition.start(cell);
        let mark = partition.mark();
        let n = target.len();
        CellBranch {
            net,
            partition,
            mark,
            n_scanned: 0,
            n_scanned_fixed: 0,
            way: SolveMode::Free,
            cell: (start, n as u32),
            target,
            at: 0,
            stage: BranchStage::Next,
            sets: DisjointSets::new(n),
            settled: vec![false; n],
            best: None,
            trace: None,
            beats: false,
            n_probes_good: 0,
            n_probes_failed: 0,
            ambiguous: false,
            found: Vec::new(),
        }
    }

    /// Chooses the way, and puts the vertices to try in order: at random, or the planned one first.
    pub fn on(mut self, way: SolveMode, beats: bool, search: &mut LabellingSearch) -> CellBranch {
        self.way = way;
        self.beats = beats;
        match way {
            SolveMode::Follow(plan) => self.prefer(branch_plan(search, plan).vertex),
            SolveMode::Free | SolveMode::Bound(_) => search.rng.shuffle(&mut self.target),
        }
        self
    }

    /// Hands back the partition that it was made with.
    pub(crate) fn into_partition(self) -> VertexPartition {
        self.partition
    }

    /// Takes back the partition lent to the branching above.
    pub fn take_back(&mut self, partition: VertexPartition) {
        self.partition = partition;
    }

    /// Moves `vertex` (of the graph) to the front of the target, if it is there.
    fn prefer(&mut self, vertex: Point) {
        let origin = &self.net.origin;
        if let Some(i) = (self.target.iter()).position(|&x| origin[x as usize] == vertex) {
            self.target.swap(0, i);
        }
    }

    pub fn step(&mut self, search: &mut LabellingSearch, answer: Option<FrameResult>) -> FrameStep {
        match self.way {
            SolveMode::Follow(plan) => self.step_guided(search, plan, answer),
            SolveMode::Free | SolveMode::Bound(_) => self.step_free(search, answer),
        }
    }

    /// Takes the answer for the vertex at hand, then tries vertices until one needs solving.
    fn step_free(
        &mut self,
        search: &mut LabellingSearch,
        answer: Option<FrameResult>,
    ) -> FrameStep {
        match (self.stage, answer) {
            (BranchStage::Probing, Some(answer)) => {
                if !self.accept_probe(search, answer) {
                    return self.solve_bounded(search);
                }
                self.leave();
            }
            (BranchStage::Solving, Some(answer)) => {
                match answer {
                    FrameResult::Solved(solved) => self.judge(search, solved),
                    FrameResult::Rejected => self.ambiguous = true,
                }
                self.leave();
            }
            (BranchStage::Next, None) => {}
            _ => unreachable!("an answer to no question"),
        }
        while self.at < self.target.len() {
            let root = self.sets.find(self.at as Point) as usize;
            if self.settled[root] {
                self.at += 1;
                continue;
            }
            if let Err(reason) = search.budget.spend() {
                return FrameStep::Stop(reason);
            }
            let least = self.least_trace(search);
            let mut watch = match &least {
                Some(trace) => InvariantTrace::improve(trace),
                None => InvariantTrace::record(),
            };
            match self.fix(&mut search.refiner, &mut watch) {
                EquitableOutcome::Worse => self.leave(),
                EquitableOutcome::Recorded => {
                    self.trace = Some(watch.trace.into());
                    self.stage = BranchStage::Solving;
                    return FrameStep::Call(self.rest(search, SolveMode::Free));
                }
                EquitableOutcome::Equal => match &self.best {
                    Some(best) if self.probes_pay() => {
                        self.stage = BranchStage::Probing;
                        let way = SolveMode::Follow(best.plan);
                        return FrameStep::Call(self.rest(search, way));
                    }
                    _ => return self.solve_bounded(search),
                },
            }
        }
        match self.conclude(search) {
            Some(solved) => FrameStep::Return(FrameResult::Solved(solved)),
            None => FrameStep::Return(FrameResult::Rejected),
        }
    }

    /// The trace of the best, or before there is one that of the bound.
    fn least_trace(&self, search: &LabellingSearch) -> Option<Rc<[u64]>> {
        match (&self.best, self.way) {
            (Some(best), _) => Some(best.trace.clone()),
            (None, SolveMode::Bound(plan)) => Some(branch_plan(search, plan).trace.clone()),
            _ => None,
        }
    }

    /// Solves what is left with the vertex at hand fixed, if it can be as good as the best.
    fn solve_bounded(&mut self, search: &mut LabellingSearch) -> FrameStep {
        self.stage = BranchStage::Solving;
        let bound = match (&self.best, self.way) {
            (Some(best), _) => best.plan,
            (None, SolveMode::Bound(plan)) => branch_plan(search, plan).then,
            _ => unreachable!("an equal trace was equal to something"),
        };
        FrameStep::Call(self.rest(search, SolveMode::Bound(bound)))
    }

    fn probes_pay(&self) -> bool {
        self.n_probes_failed <= self.n_probes_good + PROBES_FAILED_MAX
    }

    /// Looks for a vertex with the planned trace; only if the plan says so, for another after it.
    fn step_guided(
        &mut self,
        search: &mut LabellingSearch,
        guide: PlanId,
        answer: Option<FrameResult>,
    ) -> FrameStep {
        let plan = branch_plan(search, guide);
        if let Some(answer) = answer {
            self.leave();
            match answer {
                FrameResult::Solved(solved)
                    if (plan.text.as_ref())
                        .is_none_or(|text| self.net.text(&solved.labels) == *text) =>
                {
                    return FrameStep::Return(FrameResult::Solved(NetSolution {
                        plan: guide,
                        ..solved
                    }));
                }
                _ if plan.text.is_none() => return FrameStep::Return(FrameResult::Rejected),
                _ => {}
            }
        }
        let (then, trace) = (plan.then, plan.trace.clone());
        while self.at < self.target.len() {
            if let Err(reason) = search.budget.spend() {
                return FrameStep::Stop(reason);
            }
            let mut watch = InvariantTrace::matching(&trace);
            match self.fix(&mut search.refiner, &mut watch) {
                EquitableOutcome::Equal => {
                    return FrameStep::Call(self.rest(search, SolveMode::Follow(then)));
                }
                _ => self.leave(),
            }
        }
        FrameStep::Return(FrameResult::Rejected)
    }

    /// Fixes the vertex at hand.
    fn fix(&mut self, refiner: &mut Refiner, watch: &mut InvariantTrace) -> EquitableOutcome {
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
    fn rest(&mut self, search: &mut LabellingSearch, way: SolveMode) -> SearchFrame {
        let cell = match way {
            SolveMode::Follow(plan) => match &search.plans[plan] {
                NetPlan::Branch(plan) => match self.partition.cell_at(plan.cell.0, plan.cell.1) {
                    Some(cell) => Some(cell),
                    None => return SearchFrame::Rejected,
                },
                NetPlan::Pieces(_) => None,
            },
            SolveMode::Free | SolveMode::Bound(_) => {
                let wait = CUT_SHARE * self.n_scanned_fixed < self.net.links.len();
                (wait.then(|| choose_cell(&self.net, &self.partition))).flatten()
            }
        };
        let Some(cell) = cell else {
            return match divide(&self.net, &self.partition) {
                Division::Apart(parts) => search.apart(parts, way),
                Division::Whole => unreachable!("a fixed vertex is cut off"),
            };
        };
        let Some((way, beats)) = search.fit(way, FrameKind::Branch) else {
            return SearchFrame::Rejected;
        };
        let partition = std::mem::take(&mut self.partition);
        let mut branch = CellBranch::new(self.net.clone(), partition, cell);
        branch.n_scanned = self.n_scanned_fixed;
        SearchFrame::Branch(Box::new(branch.on(way, beats, search)))
    }

    /// Goes back to before the vertex at hand, which is settled now.
    fn leave(&mut self) {
        self.partition.undo(self.mark);
        let root = self.sets.find(self.at as Point) as usize;
        self.settled[root] = true;
        self.at += 1;
        self.stage = BranchStage::Next;
        self.trace = None;
    }

    /// Whether the probe led to the text of the best; then the automorphism is kept.
    fn accept_probe(&mut self, search: &mut LabellingSearch, answer: FrameResult) -> bool {
        let best = self.best.as_ref().expect("probes follow the best");
        match answer {
            FrameResult::Solved(solved) if self.net.text(&solved.labels) == best.text => {
                self.n_probes_good += 1;
                self.add_automorphism(search, &solved.labels);
                true
            }
            _ => {
                self.n_probes_failed += 1;
                false
            }
        }
    }

    /// Compares a fully solved vertex with the best and keeps the better.
    fn judge(&mut self, search: &mut LabellingSearch, solved: NetSolution) {
        let text = self.net.text(&solved.labels);
        let bounded = matches!(self.way, SolveMode::Bound(_));
        let trace = match (self.trace.take(), &self.best) {
            (Some(trace), _) => {
                self.ambiguous = false;
                self.beats |= bounded;
                trace
            }
            (None, None) => {
                self.beats = solved.beats;
                self.least_trace(search).expect("a bound")
            }
            (None, Some(best)) if !solved.beats && best.text == text => {
                return self.add_automorphism(search, &solved.labels);
            }
            (None, Some(best)) => {
                self.ambiguous = true;
                if !solved.beats && best.text < text {
                    return;
                }
                self.beats |= bounded && solved.beats;
                best.trace.clone()
            }
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
            let joined = |i: &usize| old.joining.binary_search(i).is_ok();
            let all = old.symmetry.generators.into_iter().enumerate();
            let kept = all.filter(|(i, _)| joined(i)).map(|(_, g)| g);
            self.found.extend(kept);
        }
    }

    /// Keeps the automorphism that takes the labels of the best to `labels`.
    fn add_automorphism(&mut self, search: &mut LabellingSearch, labels: &[u32]) {
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
        let perm = Perm::from_pairs(search.slot.len(), &pairs);
        let perm = perm.expect("labellings are bijections");
        self.join(search, std::slice::from_ref(&perm));
        self.found.push(perm);
    }

    /// Joins the orbits on the target; returns the indices of the generators that made a change.
    fn join(&mut self, search: &mut LabellingSearch, generators: &[Perm]) -> Vec<usize> {
        for (i, &x) in self.target.iter().enumerate() {
            search.slot[self.net.origin[x as usize] as usize] = i as u32 + 1;
        }
        let mut joining = Vec::new();
        for (g, generator) in generators.iter().enumerate() {
            let mut joined = false;
            for (x, y) in generator.moves() {
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

    /// The solution; `None` if no vertex stayed within the bound.
    fn conclude(&mut self, search: &mut LabellingSearch) -> Option<NetSolution> {
        let best = self.best.take()?;
        let root = self.sets.find(best.index as Point);
        let orbit = (0..self.target.len() as Point).filter(|&i| self.sets.find(i) == root);
        let orbit_len = orbit.count() as u32;
        let mut symmetry = best.symmetry;
        symmetry.generators.append(&mut self.found);
        symmetry.factors.push((orbit_len, 1));
        let fixed = self.net.origin[self.target[best.index] as usize];
        symmetry.base.insert(0, fixed);
        let plan = search.remember(NetPlan::Branch(BranchPlan {
            cell: self.cell,
            vertex: fixed,
            trace: best.trace,
            then: best.plan,
            text: self.ambiguous.then(|| best.text.clone()),
        }));
        Some(NetSolution {
            labels: best.labels,
            symmetry,
            plan,
            text: Some(best.text),
            beats: self.beats,
        })
    }
}

fn branch_plan<'a>(search: &'a LabellingSearch, plan: PlanId) -> &'a BranchPlan {
    match &search.plans[plan] {
        NetPlan::Branch(plan) => plan,
        NetPlan::Pieces(_) => unreachable!("frames are chosen to fit their plan"),
    }
}

/// The cell to branch on: one that is joined to most cells by links that matter, among those a
/// smallest one, then the first; `None` if the links of no cell matter.
///
/// The smallest cell alone would be cheaper to try, but fixing one of its vertices may settle
/// little: in a projective plane with a point and three lines through it fixed, the other lines
/// through the point form the smallest cell, and none of them leads further than the next.
pub(super) fn choose_cell(net: &Net, partition: &VertexPartition) -> Option<u32> {
    let mut n_links = vec![(0u32, 0u32, false); partition.n_cells()];
    let mut n_joined = |cell: u32| {
        let x = partition.members(cell)[0];
        for link in net.links(x) {
            let (count, kind, mixed) = &mut n_links[partition.cell_of[link.to as usize] as usize];
            *mixed |= *count > 0 && *kind != link.kind;
            *count += 1;
            *kind = link.kind;
        }
        let mut joined = 0;
        for link in net.links(x) {
            let to = partition.cell_of[link.to as usize];
            let (count, _, mixed) = std::mem::take(&mut n_links[to as usize]);
            let possible = partition.size(to) - u32::from(to == cell);
            joined += u32::from(count > 0 && (mixed || count < possible));
        }
        joined
    };
    (0..partition.n_cells() as u32)
        .filter(|&cell| partition.size(cell) > 1)
        .map(|cell| {
            (
                Reverse(n_joined(cell)),
                partition.size(cell),
                partition.start(cell),
                cell,
            )
        })
        .min()
        .filter(|&(joined, ..)| joined.0 > 0)
        .map(|(.., cell)| cell)
}
