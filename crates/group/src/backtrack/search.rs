//! The right side of the search: follows the plan with images of the branch points.
//!
//! At depth `d` the images of the first `d` branch points are chosen, and the right partition has
//! suffered the same splits as the left one did at step `d`; if it cannot, there is no element
//! here. For each group the search carries the coset of elements that agree with the choices, as
//! one array `w = c⁻¹ ∘ t⁻¹`, where `t` is a member of the coset and `c` the frame of the chain.
//! A leaf has one element left, and that is checked in full.
//!
//! **Subgroups** are found from the deepest level up: at level `k` the first `k − 1` branch points
//! are fixed and the `k`-th, `b`, is to go to `y`. Let `K` be what has been found so far. One `y`
//! from each orbit of `K` is tried; a success enlarges `K`. Below `b → y`, the solutions are whole
//! cosets `gK'`, where `K'` is the (complete) subgroup that fixes the first `k` branch points, so
//! only the least of each coset is sought: its image of a branch point `b_j` is less than that of
//! every other point in the orbit of `b_j` under the elements of `K'` that fix the earlier branch
//! points.
//!
//! **Single elements** are first sought without knowing any subgroup; if that takes long, the
//! stabiliser of the left structure is computed and prunes the search as above.
//!
//! Worked example, `G = S_4` and the set `{0,1}` (the plan fixes 0, then 2): level 2 fixes 0 and
//! sends 2 to 3: `(2 3)`. Level 1 sends 0 to 1; then 2 and 3 are one orbit of `K' = ⟨(2 3)⟩`, so 2
//! may go to 2 only, not to 3, and the leaf is `(0 1)`. Order 2·2 = 4.
//!
//! Source: Leon 1991, section 7; Seress 2003, chapter 9.1.
//! Cost: exponential in the worst case; a descent without failures costs one pass over the points
//! and one product of transversal elements a level.

use num_bigint::BigUint;

use super::base_change::MovableChain;
use super::partition::OrderedPartition;
use super::plan::{BacktrackPlan, GroupEvent, PartitionPass};
use super::refiner::{Refiner, SearchSide};
use crate::budget::{Budget, NoAnswer};
use crate::numbers::product_of_words;
use crate::orbit::DisjointSets;
use crate::perm::{Perm, Point};

/// Nodes that a search for one element may visit, per point, before it asks for the stabiliser.
const NODES_PER_POINT: u64 = 8;

/// What is sought: elements of all groups of the plan that respect all `refiners`.
pub(super) struct BacktrackProblem<'a> {
    refiners: Vec<Box<dyn Refiner + 'a>>,
    plan: BacktrackPlan,
}

/// A subgroup. Its generators are strong for the branch points of the plan, so its order is known.
pub(super) struct Subgroup {
    pub(super) generators: Vec<Perm>,
    pub(super) order: BigUint,
}

/// What is known of a subgroup at each branch level, counted from 1.
struct KnownSubgroup {
    /// The length of the branch point's orbit under the elements that fix the earlier ones.
    orbit_len: Vec<usize>,
    /// The earlier levels in whose orbits this branch point lies.
    above: Vec<Vec<usize>>,
}

/// Why a search ended without an answer.
enum Halt {
    /// It took more nodes than it is worth without knowing the stabiliser.
    Nodes,
    Budget(NoAnswer),
}

impl From<NoAnswer> for Halt {
    fn from(reason: NoAnswer) -> Halt {
        Halt::Budget(reason)
    }
}

impl<'a> BacktrackProblem<'a> {
    /// # Requires
    /// At least one group; all of one degree, and the refiners as well.
    pub(super) fn new(groups: Vec<MovableChain>, refiners: Vec<Box<dyn Refiner + 'a>>) -> Self {
        let plan = BacktrackPlan::new(groups, &refiners);
        BacktrackProblem { refiners, plan }
    }

    /// The elements that carry the left structures to themselves.
    pub(super) fn stabiliser(&self, budget: &Budget) -> Result<Subgroup, NoAnswer> {
        Ok(self.find_stabiliser(budget)?.0)
    }

    /// An element that carries the left structures to the right ones, if there is one.
    pub(super) fn transporter(&self, budget: &Budget) -> Result<Option<Perm>, NoAnswer> {
        self.transporter_asking(NODES_PER_POINT * (self.plan.degree as u64 + 16), budget)
    }

    /// As [`BacktrackProblem::transporter`]; after `n_nodes_max` nodes it asks for the stabiliser.
    pub(super) fn transporter_asking(
        &self,
        n_nodes_max: u64,
        budget: &Budget,
    ) -> Result<Option<Perm>, NoAnswer> {
        let mut search = BacktrackSearch::new(self, SearchSide::Right, budget);
        match search.find_element(&KnownSubgroup::nothing(self), n_nodes_max) {
            Ok(found) => Ok(found),
            Err(Halt::Budget(reason)) => Err(reason),
            Err(Halt::Nodes) => {
                let (_, known) = self.find_stabiliser(budget)?;
                let mut search = BacktrackSearch::new(self, SearchSide::Right, budget);
                match search.find_element(&known, u64::MAX) {
                    Ok(found) => Ok(found),
                    Err(Halt::Budget(reason)) => Err(reason),
                    Err(Halt::Nodes) => unreachable!("nobody visits that many nodes"),
                }
            }
        }
    }

    fn find_stabiliser(&self, budget: &Budget) -> Result<(Subgroup, KnownSubgroup), NoAnswer> {
        let mut search = BacktrackSearch::new(self, SearchSide::Left, budget);
        let mut known = KnownSubgroup::nothing(self);
        let generators = search.find_subgroup(&mut known)?;
        let order = product_of_words(known.orbit_len.iter().map(|&l| l as u64));
        Ok((Subgroup { generators, order }, known))
    }
}

impl KnownSubgroup {
    /// The trivial subgroup.
    fn nothing(problem: &BacktrackProblem) -> KnownSubgroup {
        let n_steps = problem.plan.steps.len();
        KnownSubgroup {
            orbit_len: vec![1; n_steps],
            above: vec![Vec::new(); n_steps],
        }
    }
}

struct BacktrackSearch<'a> {
    problem: &'a BacktrackProblem<'a>,
    budget: &'a Budget,
    /// The structure to be reached.
    side: SearchSide,
    right: OrderedPartition,
    /// By depth and group: the coset that agrees with the choices, as `c⁻¹ ∘ t⁻¹`.
    cosets: Vec<Vec<Vec<Point>>>,
    /// The image chosen at each depth.
    chosen: Vec<Point>,
    keys: Vec<u64>,
    n_nodes: u64,
    n_nodes_max: u64,
}

impl<'a> BacktrackSearch<'a> {
    fn new(
        problem: &'a BacktrackProblem<'a>,
        side: SearchSide,
        budget: &'a Budget,
    ) -> BacktrackSearch<'a> {
        let plan = &problem.plan;
        let start: Vec<Vec<Point>> = plan
            .chains
            .iter()
            .map(|c| c.frame().inverse().image().to_vec())
            .collect();
        BacktrackSearch {
            problem,
            budget,
            side,
            right: OrderedPartition::new(plan.degree),
            cosets: vec![start; plan.steps.len()],
            chosen: vec![0; plan.steps.len()],
            keys: vec![0; plan.degree],
            n_nodes: 0,
            n_nodes_max: u64::MAX,
        }
    }

    fn find_element(
        &mut self,
        known: &KnownSubgroup,
        n_nodes_max: u64,
    ) -> Result<Option<Perm>, Halt> {
        self.budget.spend()?;
        self.n_nodes_max = n_nodes_max;
        if !self.follow(0) {
            return Ok(None);
        }
        self.descend(0, 0, known)
    }

    /// The strong generators of the subgroup, deepest level first; fills `known`.
    fn find_subgroup(&mut self, known: &mut KnownSubgroup) -> Result<Vec<Perm>, NoAnswer> {
        self.budget.spend()?;
        let branch_points = self.problem.plan.branch_points();
        let mut n_cells = vec![self.right.n_cells()];
        let reached = self.follow(0);
        assert!(reached, "the identity follows the plan at the root");
        for (i, &b) in branch_points.iter().enumerate() {
            n_cells.push(self.right.n_cells());
            let reached = self.enter(i + 1, b);
            assert!(reached, "the identity follows the plan at {b}");
        }
        let mut generators = Vec::new();
        let mut orbits = DisjointSets::new(self.problem.plan.degree);
        for k in (1..=branch_points.len()).rev() {
            self.right.undo_to(n_cells[k]);
            self.find_level(k, known, &mut orbits, &mut generators)?;
            let b = branch_points[k - 1];
            let root = orbits.find(b);
            let points = 0..self.problem.plan.degree as Point;
            known.orbit_len[k] = points.filter(|&x| orbits.find(x) == root).count();
            for j in k + 1..=branch_points.len() {
                if orbits.find(branch_points[j - 1]) == root {
                    known.above[j].push(k);
                }
            }
        }
        Ok(generators)
    }

    /// Finds all there is with the first `k − 1` branch points fixed and the `k`-th moved, up to
    /// what `generators` generate; `orbits` are theirs before and after.
    fn find_level(
        &mut self,
        k: usize,
        known: &KnownSubgroup,
        orbits: &mut DisjointSets,
        generators: &mut Vec<Perm>,
    ) -> Result<(), NoAnswer> {
        let (b, _) = self.problem.plan.steps[k].branch.expect("a branch level");
        let mut failed: Vec<Point> = Vec::new();
        for y in self.candidates(k) {
            let root = orbits.find(y);
            let is_known = root == orbits.find(b) || failed.iter().any(|&f| orbits.find(f) == root);
            if is_known {
                continue;
            }
            let n_cells = self.right.n_cells();
            self.budget.spend()?;
            let found = if self.enter(k, y) {
                self.descend(k, k, known)
            } else {
                Ok(None)
            };
            let found = match found {
                Ok(found) => found,
                Err(Halt::Budget(reason)) => return Err(reason),
                Err(Halt::Nodes) => unreachable!("this search may visit any number of nodes"),
            };
            self.right.undo_to(n_cells);
            match found {
                None => failed.push(y),
                Some(g) => {
                    for &x in g.support() {
                        orbits.join(x, g.at(x));
                    }
                    generators.push(g);
                }
            }
        }
        Ok(())
    }

    /// An element below the choices made up to `depth`. Cosets of the known subgroup are entered by
    /// their least element, looking at levels deeper than `top` only.
    fn descend(
        &mut self,
        depth: usize,
        top: usize,
        known: &KnownSubgroup,
    ) -> Result<Option<Perm>, Halt> {
        let next = depth + 1;
        if next == self.problem.plan.steps.len() {
            return Ok(self.leaf());
        }
        let above = known.above[next].iter().filter(|&&i| i > top);
        let bound = above.map(|&i| self.chosen[i]).max();
        let mut candidates = self.candidates(next);
        // The rest of the branch point's orbit needs greater images in the same cell.
        candidates.truncate((candidates.len() + 1).saturating_sub(known.orbit_len[next]));
        for y in candidates {
            if bound.is_some_and(|least| y <= least) {
                continue;
            }
            if self.n_nodes >= self.n_nodes_max {
                return Err(Halt::Nodes);
            }
            self.budget.spend()?;
            let n_cells = self.right.n_cells();
            if self.enter(next, y) {
                let found = self.descend(next, top, known)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            self.right.undo_to(n_cells);
        }
        Ok(None)
    }

    /// The possible images of the branch point of a step, in increasing order.
    fn candidates(&self, step: usize) -> Vec<Point> {
        let (_, cell) = self.problem.plan.steps[step]
            .branch
            .expect("a branch level");
        let mut candidates = self.right.cell(cell).to_vec();
        candidates.sort_unstable();
        candidates
    }

    /// Chooses `y` as the image of the branch point of step `depth` and follows the plan; says
    /// whether that was possible. The caller undoes the partition.
    fn enter(&mut self, depth: usize, y: Point) -> bool {
        self.n_nodes += 1;
        self.chosen[depth] = y;
        let (before, from) = self.cosets.split_at_mut(depth);
        for (coset, earlier) in from[0].iter_mut().zip(&before[depth - 1]) {
            coset.copy_from_slice(earlier);
        }
        self.right.individualise(y);
        self.follow(depth)
    }

    fn follow(&mut self, depth: usize) -> bool {
        let problem = self.problem;
        problem.plan.steps[depth].events.iter().all(|e| match e {
            PartitionPass::Group(e) => {
                self.narrow_coset(e, depth) && {
                    let coset = &self.cosets[depth][e.group];
                    let key = &mut |x: Point| u64::from(e.orbit_of[coset[x as usize] as usize]);
                    self.right.split_as(key, &e.pieces)
                }
            }
            PartitionPass::Structure { refiner, pieces } => {
                problem.refiners[*refiner].keys(self.side, &self.right, &mut self.keys);
                let keys = &self.keys;
                self.right.split_as(&mut |x| keys[x as usize], pieces)
            }
        })
    }

    /// Takes the images of newly fixed base points into account; says whether elements are left.
    fn narrow_coset(&mut self, event: &GroupEvent, depth: usize) -> bool {
        let chain = &self.problem.plan.chains[event.group];
        let coset = &mut self.cosets[depth][event.group];
        for (i, &position) in event.positions.iter().enumerate() {
            let image = self.right.point_at(position);
            let own = coset[image as usize];
            if !chain.in_own_orbit(event.level + i, own) {
                return false;
            }
            chain.pull_back(event.level + i, own, coset);
        }
        true
    }

    /// The one element left, if it is what was sought.
    fn leaf(&self) -> Option<Perm> {
        let last = self.cosets.last().expect("there is a first step");
        let frame = self.problem.plan.chains[0].frame();
        let mut image = vec![0; self.problem.plan.degree];
        for (z, &own) in last[0].iter().enumerate() {
            image[frame.at(own) as usize] = z as Point;
        }
        let g = Perm::from_bijection(image);
        let chains = &self.problem.plan.chains;
        debug_assert!(chains[0].contains(&g), "{g:?} left its group");
        let in_groups = chains[1..].iter().all(|h| h.contains(&g));
        let mut refiners = self.problem.refiners.iter();
        (in_groups && refiners.all(|r| r.accepts(self.side, &g))).then_some(g)
    }
}
