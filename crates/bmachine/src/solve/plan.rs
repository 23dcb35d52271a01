//! In which order unknowns get their values, and by what.
//!
//! Greedy: as long as there are unknowns, all conjuncts that speak of known things only are asked;
//! then, of all ways to give values to one or more unknowns, the one with the fewest candidates is
//! taken. How many candidates a way has is an estimate from the text: 1 for `x = E`, the number of
//! elements for a constant set, a guess for a set that is known only later, a power for subsets and
//! functions. Disjunctions and inner quantifiers are ways too, if they have fewer candidates than
//! the rest: `(x = 1 or x = y) & …` has two.

use base::Span;

use super::bounds;
use super::size::{MANY, UNBOUNDED};
use super::{ConstraintProblem, PlanStep, Unknown};
use crate::eval::World;
use crate::eval::code::{Ex, Pr, PrKind};
use crate::eval::compile::whole;
use crate::eval::list::estimate;
use crate::typed::Type;

/// How deep plans look into disjunctions and quantifiers within each other.
const DEPTH_MAX: usize = 3;

/// Plans a problem; `depth` says within how many other plans.
pub fn plan(
    unknowns: Vec<Unknown>,
    conjuncts: Vec<Pr>,
    span: Span,
    world: &World,
    depth: usize,
) -> ConstraintProblem {
    let options = PlanOptions {
        world,
        depth,
        is_in_order: false,
    };
    make(unknowns, conjuncts, span, options)
}

/// Plans a problem so that no conjunct is looked at before all to the left of it hold.
pub(crate) fn plan_in_order(
    unknowns: Vec<Unknown>,
    conjuncts: Vec<Pr>,
    span: Span,
    world: &World,
) -> ConstraintProblem {
    let options = PlanOptions {
        world,
        depth: 0,
        is_in_order: true,
    };
    make(unknowns, conjuncts, span, options)
}

/// How a problem is planned.
struct PlanOptions<'p> {
    world: &'p World,
    /// Within how many other plans.
    depth: usize,
    /// Whether no conjunct is looked at before all to the left of it hold.
    is_in_order: bool,
}

fn make(
    unknowns: Vec<Unknown>,
    conjuncts: Vec<Pr>,
    span: Span,
    options: PlanOptions<'_>,
) -> ConstraintProblem {
    let is_in_order = options.is_in_order;
    let reads = conjuncts
        .iter()
        .map(|pred| {
            unknowns
                .iter()
                .map(|u| pred.reads(&|s| s == u.slot))
                .collect()
        })
        .collect();
    let mut planner = Planner {
        world: options.world,
        depth: options.depth,
        is_in_order,
        is_known: vec![false; unknowns.len()],
        is_done: vec![false; conjuncts.len()],
        unknowns: &unknowns,
        conjuncts: &conjuncts,
        reads,
        steps: Vec::new(),
        cost: 1.0,
        may_be_infinite: false,
    };
    planner.run();
    let Planner {
        steps,
        cost,
        may_be_infinite,
        ..
    } = planner;
    ConstraintProblem {
        unknowns,
        conjuncts,
        steps,
        is_in_order,
        may_be_infinite,
        cost,
        span,
    }
}

/// A plan that is being made.
pub(super) struct Planner<'p> {
    pub(super) world: &'p World,
    depth: usize,
    is_in_order: bool,
    unknowns: &'p [Unknown],
    pub(super) conjuncts: &'p [Pr],
    /// Which unknowns each conjunct reads.
    reads: Vec<Vec<bool>>,
    is_known: Vec<bool>,
    pub(super) is_done: Vec<bool>,
    steps: Vec<PlanStep>,
    cost: f64,
    may_be_infinite: bool,
}

/// A way to give values to unknowns.
pub(super) struct BindingChoice {
    pub(super) step: PlanStep,
    pub(super) slots: Vec<usize>,
    /// Conjuncts that hold afterwards.
    pub(super) done: Vec<usize>,
    /// About how many candidates there are.
    pub(super) cost: f64,
}

impl BindingChoice {
    /// What ways are compared by: candidates for each unknown.
    fn weight(&self) -> f64 {
        self.cost.powf(1.0 / self.slots.len().max(1) as f64)
    }
}

impl Planner<'_> {
    fn run(&mut self) {
        loop {
            self.check();
            if self.is_known.iter().all(|known| *known) {
                return;
            }
            let way = self.best();
            for slot in &way.slots {
                let found = self.unknowns.iter().position(|u| u.slot == *slot);
                self.is_known[found.expect("ways give values to unknowns")] = true;
            }
            for conjunct in &way.done {
                self.is_done[*conjunct] = true;
            }
            self.cost = (self.cost * way.cost).min(1e30);
            self.may_be_infinite |= way.cost >= UNBOUNDED;
            self.steps.push(way.step);
        }
    }

    /// Asks what can be asked.
    fn check(&mut self) {
        for conjunct in 0..self.conjuncts.len() {
            if !self.is_done[conjunct] && !self.is_open_in(conjunct) {
                let is_final = self.is_done[..conjunct].iter().all(|done| *done);
                self.steps.push(PlanStep::Check { conjunct, is_final });
                self.is_done[conjunct] = true;
            }
        }
    }

    /// Whether a slot is an unknown without a value.
    pub(super) fn is_open(&self, slot: usize) -> bool {
        let mut pairs = self.unknowns.iter().zip(&self.is_known);
        pairs.any(|(unknown, known)| !known && unknown.slot == slot)
    }

    /// Whether a conjunct speaks of what is not known.
    fn is_open_in(&self, conjunct: usize) -> bool {
        let mut pairs = self.reads[conjunct].iter().zip(&self.is_known);
        pairs.any(|(reads, known)| *reads && !known)
    }

    fn best(&self) -> BindingChoice {
        let mut best: Option<BindingChoice> = None;
        let mut take = |way: BindingChoice| {
            if best
                .as_ref()
                .is_none_or(|best| way.weight() < best.weight())
            {
                best = Some(way);
            }
        };
        for (conjunct, pred) in self.conjuncts.iter().enumerate() {
            if self.is_done[conjunct] {
                continue;
            }
            if let PrKind::Compare(test, left, right) = &pred.kind {
                self.ways(conjunct, *test, left, right, &mut take);
            }
            // The first that is not done is the first that is open: all others were asked.
            if self.is_in_order {
                break;
            }
        }
        self.by_type(&mut take);
        let best = best.expect("every type can be enumerated, if not to the end");
        if best.weight() < MANY || self.depth >= DEPTH_MAX || self.is_in_order {
            return best;
        }
        let mut best = best;
        for conjunct in 0..self.conjuncts.len() {
            if !self.is_done[conjunct]
                && let Some(way) = self.inner(conjunct)
                && way.weight() < best.weight()
            {
                best = way;
            }
        }
        best
    }

    /// Each unknown over its type, numbers within their bounds.
    fn by_type(&self, take: &mut dyn FnMut(BindingChoice)) {
        let open: Vec<&Unknown> = self
            .unknowns
            .iter()
            .filter(|u| self.is_open(u.slot))
            .collect();
        let numbers: Vec<usize> = open
            .iter()
            .filter(|u| u.ty == Type::Int)
            .map(|u| u.slot)
            .collect();
        let sources: Vec<usize> = (0..self.conjuncts.len())
            .filter(|which| self.is_open_in(*which) && bounds::is_source(&self.conjuncts[*which]))
            .collect();
        let preds: Vec<&Pr> = sources
            .iter()
            .map(|which| &self.conjuncts[*which])
            .collect();
        let ends = bounds::ends(&numbers, &|slot| self.is_open(slot), &preds);
        for unknown in open {
            let slot = unknown.slot;
            let (step, cost) = match ends.get(&slot) {
                Some(ends) => {
                    let cost = match ends {
                        (true, true) => 16.0,
                        (true, false) | (false, true) => UNBOUNDED,
                        (false, false) => 2.0 * UNBOUNDED,
                    };
                    let step = PlanStep::Integer {
                        slot,
                        name: unknown.name.clone(),
                        sources: sources.clone(),
                        open: numbers.clone(),
                    };
                    (step, cost)
                }
                None if matches!(unknown.ty, Type::Set(_)) => {
                    let Type::Set(of) = &unknown.ty else {
                        unreachable!("seen above")
                    };
                    let all = whole(of, self.world);
                    take(self.subsets(slot, Ex::constant(all, unknown.ty.clone(), unknown.span)));
                    continue;
                }
                None => {
                    let set = whole(&unknown.ty, self.world);
                    let size = estimate(&set);
                    let cost = if size.is_finite() {
                        size
                    } else {
                        4.0 * UNBOUNDED
                    };
                    (PlanStep::Whole(slot, set), cost.max(1.0))
                }
            };
            take(BindingChoice {
                step,
                slots: vec![slot],
                done: Vec::new(),
                cost,
            });
        }
    }

    /// A disjunction or an inner quantifier, solved for the unknowns it speaks of.
    fn inner(&self, conjunct: usize) -> Option<BindingChoice> {
        let slots: Vec<usize> = self
            .unknowns
            .iter()
            .map(|u| u.slot)
            .filter(|slot| self.is_open(*slot) && self.conjuncts[conjunct].reads(&|s| s == *slot))
            .collect();
        if slots.is_empty() {
            return None;
        }
        let is_beyond = |slot: usize| self.is_open(slot) && !slots.contains(&slot);
        let done: Vec<usize> = (0..self.conjuncts.len())
            .filter(|which| !self.is_done[*which] && !self.conjuncts[*which].reads(&is_beyond))
            .collect();
        // What stands to the left may protect what stands to the right: the order is kept.
        let join = |middle: Vec<Pr>| -> Vec<Pr> {
            let (left, right): (Vec<usize>, Vec<usize>) =
                done.iter().partition(|which| **which < conjunct);
            let pick = |which: &usize| self.conjuncts[*which].clone();
            let right = right.iter().filter(|which| **which != conjunct);
            let (left, right) = (left.iter().map(pick), right.map(pick));
            left.chain(middle).chain(right).collect()
        };
        let sought = |slot: &usize| self.unknowns.iter().find(|u| u.slot == *slot).cloned();
        let unknowns: Vec<Unknown> = slots.iter().filter_map(sought).collect();
        let pred = &self.conjuncts[conjunct];
        let depth = self.depth + 1;
        let problems: Vec<ConstraintProblem> = match &pred.kind {
            PrKind::Or(branches) => branches
                .iter()
                .map(|branch| {
                    let mut conjuncts = Vec::new();
                    branch.clone().flatten(&mut conjuncts);
                    let conjuncts = join(conjuncts);
                    plan(unknowns.clone(), conjuncts, pred.span, self.world, depth)
                })
                .collect(),
            PrKind::Exists(problem) => {
                let mut unknowns = unknowns;
                unknowns.extend(problem.unknowns.iter().cloned());
                let conjuncts = join(problem.conjuncts.clone());
                vec![plan(unknowns, conjuncts, pred.span, self.world, depth)]
            }
            _ => return None,
        };
        let cost = problems.iter().map(|p| p.cost).sum();
        Some(BindingChoice {
            step: PlanStep::Either(slots.clone(), problems),
            slots,
            done,
            cost,
        })
    }
}
