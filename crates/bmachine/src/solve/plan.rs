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
use super::pattern::Pattern;
use super::{Problem, Step, Unknown};
use crate::eval::World;
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Test};
use crate::eval::compile::whole;
use crate::eval::list::estimate;
use crate::typed::{Binary, Type, Unary};
use crate::value::{Symbolic, Value};

/// What has no bound counts as so many candidates.
const UNBOUNDED: f64 = 1e15;
/// Ways that look into disjunctions are considered if the others have at least so many candidates.
const MANY: f64 = 64.0;
/// How deep plans look into disjunctions and quantifiers within each other.
const DEPTH_MAX: usize = 3;

/// Plans a problem; `depth` says within how many other plans.
pub fn plan(
    unknowns: Vec<Unknown>,
    conjuncts: Vec<Pr>,
    span: Span,
    (world, depth): (&World, usize),
) -> Problem {
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
        world,
        depth,
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
    Problem {
        unknowns,
        conjuncts,
        steps,
        may_be_infinite,
        cost,
        span,
    }
}

struct Planner<'p> {
    world: &'p World,
    depth: usize,
    unknowns: &'p [Unknown],
    conjuncts: &'p [Pr],
    /// Which unknowns each conjunct reads.
    reads: Vec<Vec<bool>>,
    is_known: Vec<bool>,
    is_done: Vec<bool>,
    steps: Vec<Step>,
    cost: f64,
    may_be_infinite: bool,
}

/// A way to give values to unknowns.
struct Way {
    step: Step,
    slots: Vec<usize>,
    /// Conjuncts that hold afterwards.
    done: Vec<usize>,
    cost: f64,
}

impl Way {
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
                self.steps.push(Step::Check { conjunct, is_final });
                self.is_done[conjunct] = true;
            }
        }
    }

    fn is_open(&self, slot: usize) -> bool {
        let mut pairs = self.unknowns.iter().zip(&self.is_known);
        pairs.any(|(unknown, known)| !known && unknown.slot == slot)
    }

    /// Whether a conjunct speaks of what is not known.
    fn is_open_in(&self, conjunct: usize) -> bool {
        let mut pairs = self.reads[conjunct].iter().zip(&self.is_known);
        pairs.any(|(reads, known)| *reads && !known)
    }

    fn best(&self) -> Way {
        let mut best: Option<Way> = None;
        let mut take = |way: Way| {
            if best
                .as_ref()
                .is_none_or(|best| way.weight() < best.weight())
            {
                best = Some(way);
            }
        };
        for (conjunct, pred) in self.conjuncts.iter().enumerate() {
            if !self.is_done[conjunct]
                && let PrKind::Compare(test, left, right) = &pred.kind
            {
                self.ways(conjunct, *test, (left, right), &mut take);
            }
        }
        self.by_type(&mut take);
        let best = best.expect("every type can be enumerated, if not to the end");
        if best.weight() < MANY || self.depth >= DEPTH_MAX {
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

    /// The ways that a comparison gives.
    fn ways(&self, conjunct: usize, test: Test, sides: (&Ex, &Ex), take: &mut dyn FnMut(Way)) {
        let is_open = |slot: usize| self.is_open(slot);
        let (left, right) = sides;
        match test {
            Test::Equal => {
                for (open, closed) in [(left, right), (right, left)] {
                    if !closed.reads(&is_open) {
                        self.equation(conjunct, open, closed.clone(), take);
                    }
                }
            }
            Test::In if !right.reads(&is_open) => self.membership(conjunct, left, right, take),
            Test::Subset | Test::StrictSubset if !right.reads(&is_open) => {
                if let ExKind::Slot(slot) = left.kind
                    && self.is_open(slot)
                {
                    take(Way {
                        step: Step::Subset(slot, right.clone()),
                        slots: vec![slot],
                        done: match test {
                            Test::Subset => vec![conjunct],
                            _ => Vec::new(),
                        },
                        cost: self.size(right).exp2().min(UNBOUNDED),
                    });
                }
            }
            _ => {}
        }
    }

    /// `open = closed`, solved for what is open.
    fn equation(&self, conjunct: usize, open: &Ex, closed: Ex, take: &mut dyn FnMut(Way)) {
        let is_open = |slot: usize| self.is_open(slot);
        if let Some(pattern) = Pattern::of(open, &is_open) {
            let slots = slots_of(&pattern);
            take(Way {
                step: Step::Bind(pattern, closed),
                slots,
                done: vec![conjunct],
                cost: 1.0,
            });
            return;
        }
        let int = |op, a: Ex, b: Ex| Ex::binary(op, a, b, Type::Int);
        match &open.kind {
            ExKind::Binary(Binary::Add, a, b) => match (a.reads(&is_open), b.reads(&is_open)) {
                (true, false) => {
                    let closed = int(Binary::Subtract, closed, (**b).clone());
                    self.equation(conjunct, a, closed, take);
                }
                (false, true) => {
                    let closed = int(Binary::Subtract, closed, (**a).clone());
                    self.equation(conjunct, b, closed, take);
                }
                _ => {}
            },
            ExKind::Binary(Binary::Subtract, a, b) => {
                match (a.reads(&is_open), b.reads(&is_open)) {
                    (true, false) => {
                        let closed = int(Binary::Add, closed, (**b).clone());
                        self.equation(conjunct, a, closed, take);
                    }
                    (false, true) => {
                        let closed = int(Binary::Subtract, (**a).clone(), closed);
                        self.equation(conjunct, b, closed, take);
                    }
                    _ => {}
                }
            }
            ExKind::Binary(Binary::Apply, function, argument) => {
                self.inverse((function, argument), closed, take);
            }
            _ => {}
        }
    }

    /// `function(pattern) = value`: the pattern is in the inverse image.
    fn inverse(&self, (function, argument): (&Ex, &Ex), value: Ex, take: &mut dyn FnMut(Way)) {
        let is_open = |slot: usize| self.is_open(slot);
        if function.reads(&is_open) || matches!(function.kind, ExKind::Closure(_)) {
            return;
        }
        let Some(pattern) = Pattern::of(argument, &is_open) else {
            return;
        };
        let span = value.span;
        let Type::Set(pair) = &function.ty else {
            return;
        };
        let Type::Pair(from, to) = &**pair else {
            return;
        };
        let set_of = |ty: Type| Type::Set(std::sync::Arc::new(ty));
        let inverse = Ex {
            kind: ExKind::Unary(Unary::Inverse, Box::new(function.clone())),
            ty: set_of(Type::Pair(to.clone(), from.clone())),
            span,
        };
        let values = Ex {
            kind: ExKind::SetOf(vec![value]),
            ty: set_of((**to).clone()),
            span,
        };
        let set = Ex::binary(Binary::Image, inverse, values, set_of((**from).clone()));
        let slots = slots_of(&pattern);
        take(Way {
            step: Step::Element(pattern, set),
            slots,
            // The application is asked again: the relation may have several values.
            done: Vec::new(),
            cost: 12.0,
        });
    }

    fn membership(&self, conjunct: usize, left: &Ex, set: &Ex, take: &mut dyn FnMut(Way)) {
        let is_open = |slot: usize| self.is_open(slot);
        let Some(pattern) = Pattern::of(left, &is_open) else {
            return;
        };
        let slots = slots_of(&pattern);
        let done = vec![conjunct];
        let arrow = match (&pattern, &set.kind) {
            (Pattern::Slot(slot), ExKind::Binary(arrow, a, b)) if is_arrow(*arrow) => {
                Some((*slot, *arrow, (**a).clone(), (**b).clone()))
            }
            (Pattern::Slot(slot), ExKind::Const(Value::Symbolic(symbolic))) => match &**symbolic {
                Symbolic::Binary(arrow, a, b) if is_arrow(*arrow) => {
                    let constant = |value: &Value| {
                        Ex::constant(value.clone(), element_type(&set.ty), set.span)
                    };
                    Some((*slot, *arrow, constant(a), constant(b)))
                }
                _ => None,
            },
            _ => None,
        };
        let Some((slot, arrow, a, b)) = arrow else {
            let cost = self.size(set);
            // Numbers between ends are found by their bounds, which other conjuncts narrow.
            if left.ty == Type::Int && cost >= UNBOUNDED {
                return;
            }
            let step = Step::Element(pattern, set.clone());
            take(Way {
                step,
                slots,
                done,
                cost,
            });
            return;
        };
        if is_function(arrow) {
            let cost = function_cost(arrow, self.size(&a), self.size(&b));
            let pruning = self.pruning(conjunct, slot);
            let sets = Box::new((a, b));
            let step = Step::Function {
                slot,
                arrow,
                sets,
                pruning,
            };
            take(Way {
                step,
                slots,
                done,
                cost,
            });
            return;
        }
        let cost = (self.size(&a) * self.size(&b)).exp2().min(UNBOUNDED);
        let step = match arrow {
            Binary::Relations => Step::Subset(
                slot,
                Ex::binary(Binary::Product, a, b, element_type(&set.ty)),
            ),
            _ => Step::Element(pattern, set.clone()),
        };
        take(Way {
            step,
            slots,
            done,
            cost,
        });
    }

    /// Conjuncts that apply the function in a slot, and speak of nothing else that is unknown.
    fn pruning(&self, but: usize, slot: usize) -> Vec<usize> {
        let is_other = |s: usize| s != slot && self.is_open(s);
        (0..self.conjuncts.len())
            .filter(|which| {
                let pred = &self.conjuncts[*which];
                *which != but
                    && !self.is_done[*which]
                    && applies(pred, slot)
                    && !pred.reads(&is_other)
            })
            .collect()
    }

    /// Each unknown over its type, numbers within their bounds.
    fn by_type(&self, take: &mut dyn FnMut(Way)) {
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
        let ends = bounds::ends(&numbers, &preds);
        for unknown in open {
            let slot = unknown.slot;
            let (step, cost) = match ends.get(&slot) {
                Some(ends) => {
                    let cost = match ends {
                        (true, true) => 16.0,
                        (true, false) | (false, true) => UNBOUNDED,
                        (false, false) => 2.0 * UNBOUNDED,
                    };
                    let step = Step::Integer {
                        slot,
                        name: unknown.name.clone(),
                        sources: sources.clone(),
                        open: numbers.clone(),
                    };
                    (step, cost)
                }
                None => {
                    let set = whole(&unknown.ty, self.world);
                    let size = estimate(&set);
                    let cost = if size.is_finite() {
                        size
                    } else {
                        4.0 * UNBOUNDED
                    };
                    (Step::Whole(slot, set), cost.max(1.0))
                }
            };
            take(Way {
                step,
                slots: vec![slot],
                done: Vec::new(),
                cost,
            });
        }
    }

    /// A disjunction or an inner quantifier, solved for the unknowns it speaks of.
    fn inner(&self, conjunct: usize) -> Option<Way> {
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
        let problems: Vec<Problem> = match &pred.kind {
            PrKind::Or(branches) => branches
                .iter()
                .map(|branch| {
                    let mut conjuncts = Vec::new();
                    branch.clone().flatten(&mut conjuncts);
                    let world = (self.world, self.depth + 1);
                    plan(unknowns.clone(), join(conjuncts), pred.span, world)
                })
                .collect(),
            PrKind::Exists(problem) => {
                let mut unknowns = unknowns;
                unknowns.extend(problem.unknowns.iter().cloned());
                let world = (self.world, self.depth + 1);
                vec![plan(
                    unknowns,
                    join(problem.conjuncts.clone()),
                    pred.span,
                    world,
                )]
            }
            _ => return None,
        };
        let cost = problems.iter().map(|p| p.cost).sum();
        Some(Way {
            step: Step::Either(slots.clone(), problems),
            slots,
            done,
            cost,
        })
    }

    /// About how many elements a set has.
    fn size(&self, set: &Ex) -> f64 {
        let limit = match &set.ty {
            Type::Set(of) => {
                let size = estimate(&whole(of, self.world));
                if size.is_nan() { UNBOUNDED } else { size }
            }
            _ => UNBOUNDED,
        };
        self.guess(set).min(limit).min(UNBOUNDED)
    }

    fn guess(&self, set: &Ex) -> f64 {
        match &set.kind {
            ExKind::Const(value) => match estimate(value) {
                0.0 if matches!(value, Value::Symbolic(_)) => MANY,
                size => size,
            },
            ExKind::SetOf(elements) => elements.len() as f64,
            ExKind::Binary(Binary::Interval, low, high) => {
                match (low.as_const(), high.as_const()) {
                    (Some(low), Some(high)) => (high.as_int() - low.as_int() + 1).max(0) as f64,
                    _ => 8.0,
                }
            }
            ExKind::Binary(Binary::Product, a, b) => self.size(a) * self.size(b),
            ExKind::Binary(Binary::Union, a, b) => self.size(a) + self.size(b),
            ExKind::Binary(Binary::Intersection, a, b) => self.size(a).min(self.size(b)),
            ExKind::Binary(Binary::Difference, a, _) => self.size(a),
            ExKind::Binary(Binary::Relations, a, b) => (self.size(a) * self.size(b)).exp2(),
            ExKind::Binary(arrow, a, b) if is_arrow(*arrow) => {
                function_cost(*arrow, self.size(a), self.size(b))
            }
            ExKind::Unary(Unary::Pow | Unary::Pow1 | Unary::Fin | Unary::Fin1, of) => {
                self.size(of).exp2()
            }
            ExKind::Unary(Unary::Seq | Unary::Seq1, _) => UNBOUNDED,
            ExKind::Unary(Unary::Perm | Unary::Iseq | Unary::Iseq1, of) => {
                let n = self.size(of);
                n.powf(n)
            }
            ExKind::Closure(closure) if closure.problem.may_be_infinite => UNBOUNDED,
            ExKind::Closure(closure) => closure.problem.cost,
            _ => 6.0,
        }
    }
}

fn slots_of(pattern: &Pattern) -> Vec<usize> {
    let mut slots = Vec::new();
    pattern.each_slot(&mut |slot| {
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    });
    slots
}

fn element_type(ty: &Type) -> Type {
    match ty {
        Type::Set(of) => (**of).clone(),
        other => unreachable!("a set has a set type, not {other:?}"),
    }
}

fn function_cost(arrow: Binary, domain: f64, range: f64) -> f64 {
    let cost = match arrow {
        Binary::TotalFunctions | Binary::TotalSurjections => range.powf(domain),
        Binary::TotalInjections | Binary::TotalBijections => (0.6 * range).max(1.0).powf(domain),
        _ => (range + 1.0).powf(domain),
    };
    if cost.is_finite() {
        cost.min(UNBOUNDED)
    } else {
        UNBOUNDED
    }
}

fn is_arrow(op: Binary) -> bool {
    op == Binary::Relations
        || op == Binary::TotalRelations
        || op == Binary::SurjectiveRelations
        || op == Binary::TotalSurjectiveRelations
        || is_function(op)
}

fn is_function(op: Binary) -> bool {
    matches!(
        op,
        Binary::PartialFunctions
            | Binary::TotalFunctions
            | Binary::PartialInjections
            | Binary::TotalInjections
            | Binary::PartialSurjections
            | Binary::TotalSurjections
            | Binary::PartialBijections
            | Binary::TotalBijections
    )
}

/// Whether the function in a slot is applied somewhere in a predicate.
fn applies(pred: &Pr, slot: usize) -> bool {
    match &pred.kind {
        PrKind::Const(_) => false,
        PrKind::And(all) | PrKind::Or(all) => all.iter().any(|p| applies(p, slot)),
        PrKind::Equivalent(a, b) => applies(a, slot) || applies(b, slot),
        PrKind::Exists(problem) | PrKind::Forall(problem) => {
            problem.conjuncts.iter().any(|p| applies(p, slot))
        }
        PrKind::Compare(_, left, right) => is_applied(left, slot) || is_applied(right, slot),
        PrKind::Let(bound, body) => {
            bound.iter().any(|(_, e)| is_applied(e, slot)) || applies(body, slot)
        }
        PrKind::If(test, left, right) => {
            applies(test, slot) || applies(left, slot) || applies(right, slot)
        }
    }
}

fn is_applied(ex: &Ex, slot: usize) -> bool {
    match &ex.kind {
        ExKind::Const(_) | ExKind::Global(_) | ExKind::Slot(_) | ExKind::Closure(_) => false,
        ExKind::SetOf(all) | ExKind::SeqOf(all) | ExKind::Record(all) | ExKind::Struct(all) => {
            all.iter().any(|e| is_applied(e, slot))
        }
        ExKind::Unary(_, operand) | ExKind::Field(operand, _) => is_applied(operand, slot),
        ExKind::Binary(op, left, right) => {
            (*op == Binary::Apply && matches!(left.kind, ExKind::Slot(s) if s == slot))
                || is_applied(left, slot)
                || is_applied(right, slot)
        }
        ExKind::Quantified(_, problem, value) => {
            problem.conjuncts.iter().any(|p| applies(p, slot)) || is_applied(value, slot)
        }
        ExKind::BoolOf(pred) => applies(pred, slot),
        ExKind::If(test, left, right) => {
            applies(test, slot) || is_applied(left, slot) || is_applied(right, slot)
        }
        ExKind::Let(bound, value) => {
            bound.iter().any(|(_, e)| is_applied(e, slot)) || is_applied(value, slot)
        }
    }
}
