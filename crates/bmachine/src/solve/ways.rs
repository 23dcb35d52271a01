//! The ways in which a comparison gives values to unknowns.
//!
//! `x + 1 = E` gives `x = E - 1`; `f(x) = E` gives `x : f~[{E}]`; `a ^ x = s` gives the rest of
//! `s`; `x \\/ a = S` gives the subsets of `S` around `S - a`; `x : A --> B` gives functions
//! argument by argument.

use base::Span;

use super::applied::{FunctionEquation, applies, definition};
use super::pattern::ValuePattern;
use super::plan::{BindingChoice, Planner};
use super::size::{UNBOUNDED, function_cost, is_arrow, is_function, size};
use super::{PlanStep, SubsetSearch};
use crate::eval::code::{Ex, ExKind, Pr, PrKind, Test};
use crate::typed::{Binary, Type, Unary};
use crate::value::{Set, Symbolic, Value};

impl Planner<'_> {
    /// The ways that a comparison gives.
    pub(super) fn ways(
        &self,
        conjunct: usize,
        test: Test,
        left: &Ex,
        right: &Ex,
        take: &mut dyn FnMut(BindingChoice),
    ) {
        let is_open = |slot: usize| self.is_open(slot);
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
                    take(self.subsets(slot, right.clone()));
                } else if test == Test::Subset {
                    self.parts_of_union(left, right, take);
                }
            }
            _ => {}
        }
    }

    /// `open = closed`, solved for what is open.
    fn equation(
        &self,
        conjunct: usize,
        open: &Ex,
        closed: Ex,
        take: &mut dyn FnMut(BindingChoice),
    ) {
        let is_open = |slot: usize| self.is_open(slot);
        if let Some(pattern) = ValuePattern::of(open, &is_open) {
            let slots = slots_of(&pattern);
            take(BindingChoice {
                step: PlanStep::Bind(pattern, closed),
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
                self.inverse(function, argument, closed, take);
            }
            ExKind::Binary(Binary::Concat, front, back) => {
                self.concatenation(front, back, &closed, take);
            }
            ExKind::Binary(Binary::Union, ..) => self.parts_of_union(open, &closed, take),
            _ => {}
        }
    }

    /// `function(pattern) = value`: the pattern is in the inverse image.
    fn inverse(
        &self,
        function: &Ex,
        argument: &Ex,
        value: Ex,
        take: &mut dyn FnMut(BindingChoice),
    ) {
        let is_open = |slot: usize| self.is_open(slot);
        if function.reads(&is_open) || matches!(function.kind, ExKind::Closure(_)) {
            return;
        }
        let Some(pattern) = ValuePattern::of(argument, &is_open) else {
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
        take(BindingChoice {
            step: PlanStep::Element(pattern, set),
            slots,
            // The application is asked again: the relation may have several values.
            done: Vec::new(),
            cost: 12.0,
        });
    }

    /// `front ^ back = whole`.
    fn concatenation(
        &self,
        front: &Ex,
        back: &Ex,
        whole: &Ex,
        take: &mut dyn FnMut(BindingChoice),
    ) {
        let is_open = |slot: usize| self.is_open(slot);
        let length = |sequence: &Ex| Ex {
            kind: ExKind::Unary(Unary::Size, Box::new(sequence.clone())),
            ty: Type::Int,
            span: whole.span,
        };
        let (known, part, rest) = match (front.reads(&is_open), back.reads(&is_open)) {
            (true, true) => {
                for (part, is_front) in [(front, true), (back, false)] {
                    if let ExKind::Slot(slot) = part.kind
                        && self.is_open(slot)
                    {
                        take(BindingChoice {
                            step: PlanStep::Part(slot, whole.clone(), is_front),
                            slots: vec![slot],
                            done: Vec::new(),
                            cost: 8.0,
                        });
                    }
                }
                return;
            }
            (false, _) => (front, Binary::Drop, back),
            (true, false) => (back, Binary::Take, front),
        };
        let n = match part {
            Binary::Drop => length(known),
            _ => Ex::binary(Binary::Subtract, length(whole), length(known), Type::Int),
        };
        let remains = Ex::binary(part, whole.clone(), n, whole.ty.clone());
        match (ValuePattern::of(rest, &is_open), &rest.kind) {
            (Some(pattern), _) => {
                let slots = slots_of(&pattern);
                take(BindingChoice {
                    step: PlanStep::Hint(pattern, remains),
                    slots,
                    done: Vec::new(),
                    cost: 1.0,
                });
            }
            (None, ExKind::Binary(Binary::Concat, front, back)) => {
                self.concatenation(front, back, &remains, take);
            }
            _ => {}
        }
    }

    /// Unknowns that are united to something within `whole` are subsets of it.
    fn parts_of_union(&self, open: &Ex, whole: &Ex, take: &mut dyn FnMut(BindingChoice)) {
        match &open.kind {
            ExKind::Slot(slot) if self.is_open(*slot) => take(self.subsets(*slot, whole.clone())),
            ExKind::Binary(Binary::Union, left, right) => {
                self.parts_of_union(left, whole, take);
                self.parts_of_union(right, whole, take);
            }
            _ => {}
        }
    }

    /// The subsets of a set, less those that other conjuncts exclude.
    pub(super) fn subsets(&self, slot: usize, upper: Ex) -> BindingChoice {
        let mut subsets = SubsetSearch {
            slot,
            upper,
            lower: Vec::new(),
            disjoint: Vec::new(),
        };
        for pred in self.left_over() {
            if let PrKind::Compare(test, left, right) = &pred.kind {
                self.narrow(&mut subsets, *test, left, right, pred.span);
            }
        }
        let narrowed = (subsets.lower.len() + subsets.disjoint.len()) as f64;
        let n = (size(&subsets.upper, self.world) - narrowed).max(1.0);
        BindingChoice {
            step: PlanStep::Subset(Box::new(subsets)),
            slots: vec![slot],
            // Conjuncts are asked again: that costs little beside the powers of two.
            done: Vec::new(),
            cost: n.exp2().min(UNBOUNDED),
        }
    }

    fn narrow(&self, subsets: &mut SubsetSearch, test: Test, left: &Ex, right: &Ex, span: Span) {
        let is_open = |slot: usize| self.is_open(slot);
        let is_it = |e: &Ex| matches!(e.kind, ExKind::Slot(slot) if slot == subsets.slot);
        let one = |e: &Ex, set: &Ex| Ex {
            kind: ExKind::SetOf(vec![e.clone()]),
            ty: set.ty.clone(),
            span,
        };
        match test {
            Test::Subset if is_it(right) && !left.reads(&is_open) => {
                subsets.lower.push(left.clone());
            }
            Test::In if is_it(right) && !left.reads(&is_open) => {
                subsets.lower.push(one(left, right));
            }
            Test::NotIn if is_it(right) && !left.reads(&is_open) => {
                subsets.disjoint.push(one(left, right));
            }
            Test::Equal => {
                for (sets, whole) in [(left, right), (right, left)] {
                    let ExKind::Binary(op, a, b) = &sets.kind else {
                        continue;
                    };
                    for (this, other) in [(a, b), (b, a)] {
                        if !is_it(this) || other.reads(&is_open) || whole.reads(&is_open) {
                            continue;
                        }
                        let is_empty =
                            matches!(whole.as_const(), Some(Value::Set(s)) if s.is_empty());
                        if *op == Binary::Intersection && is_empty {
                            subsets.disjoint.push((**other).clone());
                        }
                        if *op == Binary::Union {
                            let (whole, other) = (whole.clone(), (**other).clone());
                            let ty = whole.ty.clone();
                            let rest = Ex::binary(Binary::Difference, whole, other, ty);
                            subsets.lower.push(rest);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn membership(
        &self,
        conjunct: usize,
        left: &Ex,
        set: &Ex,
        take: &mut dyn FnMut(BindingChoice),
    ) {
        let is_open = |slot: usize| self.is_open(slot);
        let Some(pattern) = ValuePattern::of(left, &is_open) else {
            return;
        };
        if let ValuePattern::Slot(slot) = &pattern {
            if let Some(functions) = self.functions(conjunct, *slot, set) {
                take(functions);
                return;
            }
            if let Some((op, of)) = sequences_of(set) {
                self.sequences(*slot, op, of, take);
            }
        }
        let cost = size(set, self.world);
        // Numbers between ends are found by their bounds, which other conjuncts narrow.
        if left.ty == Type::Int && cost >= UNBOUNDED {
            return;
        }
        let slots = slots_of(&pattern);
        take(BindingChoice {
            step: PlanStep::Element(pattern, set.clone()),
            slots,
            done: vec![conjunct],
            cost,
        });
    }

    /// Relations or functions from one set to another, if `set` consists of such.
    fn functions(&self, conjunct: usize, slot: usize, set: &Ex) -> Option<BindingChoice> {
        let (arrow, a, b) = arrow_of(set)?;
        let (n, m) = (size(&a, self.world), size(&b, self.world));
        if arrow == Binary::Relations {
            let product = Ex::binary(Binary::Product, a, b, element_type(&set.ty));
            return Some(self.subsets(slot, product));
        }
        let slots = vec![slot];
        let done = vec![conjunct];
        if !is_function(arrow) {
            return Some(BindingChoice {
                step: PlanStep::Element(ValuePattern::Slot(slot), set.clone()),
                slots,
                done,
                cost: (n * m).exp2().min(UNBOUNDED),
            });
        }
        // A domain that is given leaves nothing to choose there.
        let (arrow, a, done) = match self.domain_of(slot) {
            Some(domain) => (total(arrow), domain, Vec::new()),
            None => (arrow, a, done),
        };
        let n = size(&a, self.world);
        let definitions: Vec<FunctionEquation> = self
            .left_over()
            .filter_map(|pred| definition(pred, slot, &|s| self.is_open(s), self.world))
            .collect();
        let cost = if definitions.is_empty() {
            function_cost(arrow, n, m)
        } else {
            function_cost(arrow, n, m).min(4.0 * UNBOUNDED).powf(0.2)
        };
        Some(BindingChoice {
            step: PlanStep::Function {
                slot,
                arrow,
                sets: Box::new((a, b)),
                pruning: self.pruning(conjunct, slot),
                definitions,
            },
            slots,
            done,
            cost,
        })
    }

    /// The set that `dom(f)` is equal to, by another conjunct.
    fn domain_of(&self, slot: usize) -> Option<Ex> {
        let is_open = |slot: usize| self.is_open(slot);
        self.left_over().find_map(|pred| {
            let PrKind::Compare(Test::Equal, left, right) = &pred.kind else {
                return None;
            };
            let mut sides = [(left, right), (right, left)].into_iter();
            sides.find_map(|(domain, set)| match &domain.kind {
                ExKind::Unary(Unary::Dom, of)
                    if matches!(of.kind, ExKind::Slot(s) if s == slot) && !set.reads(&is_open) =>
                {
                    Some((**set).clone())
                }
                _ => None,
            })
        })
    }

    /// Sequences whose length is bounded by another conjunct.
    fn sequences(&self, slot: usize, op: Unary, of: Ex, take: &mut dyn FnMut(BindingChoice)) {
        let is_open = |slot: usize| self.is_open(slot);
        let is_length = |e: &Ex| match &e.kind {
            ExKind::Unary(Unary::Size | Unary::Card, of) => {
                matches!(of.kind, ExKind::Slot(found) if found == slot)
            }
            _ => false,
        };
        let mut lengths = Vec::new();
        for pred in self.left_over() {
            let PrKind::Compare(test, left, right) = &pred.kind else {
                continue;
            };
            let bound = match (test, is_length(left), is_length(right)) {
                (Test::Equal | Test::In | Test::Less | Test::LessEqual, true, _) => right,
                (Test::Equal | Test::Greater | Test::GreaterEqual, _, true) => left,
                _ => continue,
            };
            if !bound.reads(&is_open) {
                lengths.push((**bound).clone());
            }
        }
        if !lengths.is_empty() {
            let cost = size(&of, self.world).max(2.0).powi(4).min(UNBOUNDED / 2.0);
            take(BindingChoice {
                step: PlanStep::Sequences(slot, op, of, lengths),
                slots: vec![slot],
                done: Vec::new(),
                cost,
            });
        }
    }

    /// Conjuncts that apply the function in a slot, and speak of nothing else that is unknown.
    fn pruning(&self, but: usize, slot: usize) -> Vec<usize> {
        let is_other = |s: usize| s != slot && self.is_open(s);
        let is_useful = |which: &usize| {
            let pred = &self.conjuncts[*which];
            *which != but && !self.is_done[*which] && applies(pred, slot) && !pred.reads(&is_other)
        };
        (0..self.conjuncts.len()).filter(is_useful).collect()
    }

    /// Conjuncts that do not hold for certain yet.
    fn left_over(&self) -> impl Iterator<Item = &Pr> {
        let pairs = self.conjuncts.iter().zip(&self.is_done);
        pairs
            .filter(|(_, is_done)| !**is_done)
            .map(|(pred, _)| pred)
    }
}

/// The arrow for functions that are total besides.
fn total(arrow: Binary) -> Binary {
    match arrow {
        Binary::PartialFunctions => Binary::TotalFunctions,
        Binary::PartialInjections => Binary::TotalInjections,
        Binary::PartialSurjections => Binary::TotalSurjections,
        Binary::PartialBijections => Binary::TotalBijections,
        total => total,
    }
}

/// The operator and the operands of a set of relations; permutations are bijections too.
fn arrow_of(set: &Ex) -> Option<(Binary, Ex, Ex)> {
    let constant = |value: &Value| Ex::constant(value.clone(), element_type(&set.ty), set.span);
    let places = |of: &Ex| {
        let card = Ex {
            kind: ExKind::Unary(Unary::Card, Box::new(of.clone())),
            ty: Type::Int,
            span: set.span,
        };
        let one = Ex::constant(Value::Int(1), Type::Int, set.span);
        let ints = Type::Set(std::sync::Arc::new(Type::Int));
        Ex::binary(Binary::Interval, one, card, ints)
    };
    match &set.kind {
        ExKind::Binary(arrow, a, b) if is_arrow(*arrow) => {
            Some((*arrow, (**a).clone(), (**b).clone()))
        }
        ExKind::Unary(Unary::Perm, of) => {
            Some((Binary::TotalBijections, places(of), (**of).clone()))
        }
        ExKind::Const(Value::Symbolic(symbolic)) => match &**symbolic {
            Symbolic::Binary(arrow, a, b) if is_arrow(*arrow) => {
                Some((*arrow, constant(a), constant(b)))
            }
            Symbolic::Unary(Unary::Perm, Value::Set(of)) => {
                let places = Set::interval(1, of.len() as i64).into();
                let of = of.clone().into();
                Some((Binary::TotalBijections, constant(&places), constant(&of)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The operator and the operand of a set of sequences.
fn sequences_of(set: &Ex) -> Option<(Unary, Ex)> {
    match &set.kind {
        ExKind::Unary(op @ (Unary::Seq | Unary::Seq1), of) => Some((*op, (**of).clone())),
        ExKind::Const(Value::Symbolic(symbolic)) => match &**symbolic {
            Symbolic::Unary(op @ (Unary::Seq | Unary::Seq1), of) => {
                let of = Ex::constant(of.clone(), element_type(&set.ty), set.span);
                Some((*op, of))
            }
            _ => None,
        },
        _ => None,
    }
}

fn slots_of(pattern: &ValuePattern) -> Vec<usize> {
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
