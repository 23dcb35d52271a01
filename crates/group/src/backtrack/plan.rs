//! The left side of the search, worked out once: which points to fix, in which order, and what the
//! refiners make of the partition each time. The right side then only has to follow.
//!
//! The plan is the list of its steps. Step 0 refines the partition of one cell; each later step
//! makes one point, the *branch point*, a cell of its own and refines again. Refining means, until
//! nothing changes: points that have become alone go into the base of each group, which then splits
//! cells by the orbits of its stabiliser; and each structure splits cells by its keys. All of it is
//! recorded. The plan ends when the stabiliser of the fixed points in the first group is trivial:
//! there an element is determined by the images of the fixed points.
//!
//! Worked example: `G = S_4`, the set `{0,1}`. Step 0: colours split `[0 1 | 2 3]`. Step 1 fixes 0;
//! 1 is alone as well, both go into the base, and the orbits of the rest are `0, 1, {2,3}`: no
//! news. Step 2 fixes 2, then 3 is alone, and the stabiliser is trivial. Branch points: 0 and 2.
//!
//! Source: Leon 1991, section 6 (the ℜ-base); we choose from a smallest cell.
//! Cost: per step one base change, one pass over the strong generators and one over the points.

use super::base_change::MovableChain;
use super::partition::{OrderedPartition, SplitPiece};
use super::refiner::{Due, Refiner, SearchSide};
use crate::perm::Point;

/// The left side of the search.
pub(super) struct BacktrackPlan {
    pub(super) steps: Vec<BranchStep>,
    /// The chains of the groups, their bases in the order in which the plan fixes points.
    pub(super) chains: Vec<MovableChain>,
    pub(super) degree: usize,
}

/// One branch point and what follows from fixing it. The first step has none.
pub(super) struct BranchStep {
    /// The branch point and its cell; the image is to be sought in the same cell on the right.
    pub(super) branch: Option<(Point, u32)>,
    pub(super) events: Vec<PartitionPass>,
}

/// One pass over the partition.
pub(super) enum PartitionPass {
    Group(GroupEvent),
    /// A structure's keys split cells.
    Structure {
        refiner: usize,
        pieces: Vec<SplitPiece>,
    },
}

/// Base points of a group became alone; then its orbits split cells.
pub(super) struct GroupEvent {
    pub(super) group: usize,
    /// The first of the chain's levels concerned; one more for each position.
    pub(super) level: usize,
    /// Where the points stand that have become alone.
    pub(super) positions: Vec<u32>,
    /// The orbit of each of the chain's own points, by any number.
    pub(super) orbit_of: Vec<Point>,
    pub(super) pieces: Vec<SplitPiece>,
}

impl BacktrackPlan {
    /// # Requires
    /// There is at least one group, all of one degree, which the refiners share.
    pub(super) fn new(
        groups: Vec<MovableChain>,
        refiners: &[Box<dyn Refiner + '_>],
    ) -> BacktrackPlan {
        let mut planner = Planner::new(groups, refiners);
        let mut steps = vec![BranchStep {
            branch: None,
            events: planner.refine(0),
        }];
        while !planner.chains[0].is_trivial_from(planner.n_fixed[0]) {
            let branch = planner.choose();
            planner.partition.individualise(branch.0);
            let events = planner.refine(steps.len());
            steps.push(BranchStep {
                branch: Some(branch),
                events,
            });
        }
        planner.rename_orbits(&mut steps);
        planner.chains.iter_mut().for_each(MovableChain::tabulate);
        BacktrackPlan {
            steps,
            chains: planner.chains,
            degree: planner.degree,
        }
    }

    /// The branch points in order.
    pub(super) fn branch_points(&self) -> Vec<Point> {
        let branches = self.steps.iter().filter_map(|s| s.branch);
        branches.map(|(x, _)| x).collect()
    }
}

struct Planner<'a> {
    degree: usize,
    refiners: &'a [Box<dyn Refiner + 'a>],
    chains: Vec<MovableChain>,
    /// For each group the number of base points fixed so far.
    n_fixed: Vec<usize>,
    /// For each group, which points it has been told of.
    told: Vec<Vec<bool>>,
    partition: OrderedPartition,
}

impl<'a> Planner<'a> {
    fn new(groups: Vec<MovableChain>, refiners: &'a [Box<dyn Refiner + 'a>]) -> Planner<'a> {
        let degree = groups[0].degree();
        Planner {
            degree,
            refiners,
            n_fixed: vec![0; groups.len()],
            told: vec![vec![false; degree]; groups.len()],
            chains: groups,
            partition: OrderedPartition::new(degree),
        }
    }

    /// The least point of a smallest cell of two or more, with its cell. Such a cell exists as long
    /// as the first group moves something, because its orbits have been split off.
    fn choose(&self) -> (Point, u32) {
        let cells = 0..self.partition.n_cells() as u32;
        let (_, x, cell) = cells
            .map(|c| (self.partition.cell(c), c))
            .filter(|(members, _)| members.len() > 1)
            .map(|(members, c)| (members.len(), *members.iter().min().expect("members"), c))
            .min()
            .expect("a group that moves points has a cell of two or more");
        (x, cell)
    }

    fn refine(&mut self, depth: usize) -> Vec<PartitionPass> {
        let mut events = Vec::new();
        let mut first_pass = true;
        loop {
            let mut changed = false;
            for group in 0..self.chains.len() {
                changed |= self.consult_group(group, depth == 0 && first_pass, &mut events);
            }
            for refiner in 0..self.refiners.len() {
                changed |= self.consult_structure(refiner, depth, first_pass, &mut events);
            }
            if !changed {
                return events;
            }
            first_pass = false;
        }
    }

    fn consult_group(
        &mut self,
        group: usize,
        at_start: bool,
        events: &mut Vec<PartitionPass>,
    ) -> bool {
        let level = self.n_fixed[group];
        let mut positions = Vec::new();
        for c in 0..self.partition.n_cells() as u32 {
            let &[x] = self.partition.cell(c) else {
                continue;
            };
            if std::mem::replace(&mut self.told[group][x as usize], true) {
                continue;
            }
            if self.chains[group].fix(self.n_fixed[group], x) {
                self.n_fixed[group] += 1;
                positions.push(self.partition.position(x));
            }
        }
        if positions.is_empty() && !at_start {
            return false;
        }
        let orbit_of = self.chains[group].orbits(self.n_fixed[group]);
        let mut pieces = Vec::new();
        let changed = self
            .partition
            .split_all(&mut |x| u64::from(orbit_of[x as usize]), &mut pieces);
        events.push(PartitionPass::Group(GroupEvent {
            group,
            level,
            positions,
            orbit_of,
            pieces,
        }));
        changed
    }

    fn consult_structure(
        &mut self,
        refiner: usize,
        depth: usize,
        first_pass: bool,
        events: &mut Vec<PartitionPass>,
    ) -> bool {
        let due = match self.refiners[refiner].due() {
            Due::AtRoot => depth == 0 && first_pass,
            Due::UpToDepth(max) => depth <= max,
            Due::Always => true,
        };
        if !due {
            return false;
        }
        let mut keys = vec![0; self.degree];
        self.refiners[refiner].keys(SearchSide::Left, &self.partition, &mut keys);
        let mut pieces = Vec::new();
        let changed = self
            .partition
            .split_all(&mut |x| keys[x as usize], &mut pieces);
        if changed || first_pass {
            events.push(PartitionPass::Structure { refiner, pieces });
        }
        changed
    }

    /// Orbits were recorded for actual points; the search asks by the chain's own points, and the
    /// frame is final only now.
    fn rename_orbits(&self, steps: &mut [BranchStep]) {
        for event in steps.iter_mut().flat_map(|s| &mut s.events) {
            if let PartitionPass::Group(e) = event {
                let own_points = self.chains[e.group].frame().image();
                e.orbit_of = own_points.iter().map(|&x| e.orbit_of[x as usize]).collect();
            }
        }
    }
}
