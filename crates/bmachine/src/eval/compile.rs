//! From the typed machine to what is evaluated.
//!
//! Worked example: `not(x : S & f(x) = 1)` becomes `x /: S or f(x) /= 1`. `!x.(x : S => P)` becomes
//! "there is no solution of `x : S & not P` for `x`". `1..3` becomes the constant `{1, 2, 3}`.
//! `%x.(x : S | x + k)` becomes a closure with a frame of its own: slot 0 takes `S`, slot 1 is `x`,
//! slot 2 takes `k`.

use std::collections::HashMap;
use std::sync::Arc;

use base::Span;

use super::code::{Closure, Ex, ExKind, Pr, PrKind, Storage, Test};
use super::sets::is_finite;
use super::{Context, World};
use crate::solve::{ConstraintProblem, Unknown};
use crate::typed::{self, Binary, BuiltinSet, Compare, ExprKind, LocalId, PredKind, Type, Unary};
use crate::value::{Set, Symbolic, Value};

/// Turns parts of a machine into code.
pub struct Compiler<'m> {
    /// The machine.
    machine: &'m typed::Machine,
    /// What is known from the start.
    world: &'m World,
    /// These constants and variables are slots, after those of the locals: they are looked for, or
    /// have no value at first.
    sought: std::ops::Range<usize>,
    /// Closures around the place that is being compiled, the innermost last.
    closures: Vec<ClosureScope>,
    /// The number of the next closure.
    next: u32,
}

/// The frame of a closure that is being compiled.
#[derive(Default)]
struct ClosureScope {
    slots: HashMap<NameMeaning, usize>,
    captures: Vec<(NameMeaning, usize)>,
    n_slots: usize,
}

/// What a name of the text stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NameMeaning {
    Local(usize),
    Global(usize),
}

impl<'m> Compiler<'m> {
    /// A compiler for parts of a machine.
    pub fn new(machine: &'m typed::Machine, world: &'m World) -> Compiler<'m> {
        Compiler {
            machine,
            world,
            sought: 0..0,
            closures: Vec::new(),
            next: 0,
        }
    }

    /// From here on these constants and variables are slots, and no others.
    pub fn seek(&mut self, sought: std::ops::Range<usize>) {
        self.sought = sought;
    }

    /// The size of frames outside of closures.
    pub fn n_slots(&self) -> usize {
        self.machine.locals.len() + self.machine.globals.len()
    }

    /// The slot of a constant or variable that is sought.
    pub(crate) fn global_slot(&self, global: usize) -> usize {
        self.machine.locals.len() + global
    }

    /// Where a constant or variable is found.
    pub(crate) fn global_place(&self, global: usize) -> Storage {
        if self.sought.contains(&global) {
            Storage::Slot(self.global_slot(global))
        } else {
            Storage::Global(global)
        }
    }

    /// What is to be known of a constant that is sought.
    pub fn unknown_global(&self, global: usize) -> Unknown {
        let slot = self.global_slot(global);
        let global = &self.machine.globals[global];
        Unknown {
            slot,
            ty: global.ty.clone(),
            name: global.name.clone(),
            span: global.span,
        }
    }

    /// What is to be known of a local that is sought.
    pub fn unknown(&mut self, local: LocalId) -> Unknown {
        let slot = self.declare(local);
        let local = &self.machine.locals[local.index()];
        Unknown {
            slot,
            ty: local.ty.clone(),
            name: local.name.clone(),
            span: local.span,
        }
    }

    /// The problem of finding locals that satisfy a predicate.
    pub fn problem(
        &mut self,
        locals: &[LocalId],
        preds: &[&typed::Pred],
        holds: bool,
    ) -> ConstraintProblem {
        let unknowns: Vec<Unknown> = locals.iter().map(|l| self.unknown(*l)).collect();
        let span = match (preds.first(), unknowns.first()) {
            (Some(pred), _) => pred.span,
            (None, Some(unknown)) => unknown.span,
            (None, None) => unreachable!("a problem has unknowns or conjuncts"),
        };
        let conjuncts = self.conjuncts(preds.iter().copied(), holds);
        ConstraintProblem::new(unknowns, conjuncts, span, self.world)
    }

    /// The conjuncts of all these predicates, or of their negations.
    pub fn conjuncts<'p>(
        &mut self,
        preds: impl IntoIterator<Item = &'p typed::Pred>,
        holds: bool,
    ) -> Vec<Pr> {
        let mut conjuncts = Vec::new();
        for pred in preds {
            self.pred(pred, holds).flatten(&mut conjuncts);
        }
        conjuncts
    }

    /// The predicate, or its negation.
    pub fn pred(&mut self, pred: &typed::Pred, holds: bool) -> Pr {
        let span = pred.span;
        let kind = match &pred.kind {
            PredKind::True => PrKind::Const(holds),
            PredKind::False => PrKind::Const(!holds),
            PredKind::And(all) => return self.several(all, holds, holds, span),
            PredKind::Or(all) => return self.several(all, !holds, holds, span),
            PredKind::Implies(left, right) => {
                let parts = vec![self.pred(left, !holds), self.pred(right, holds)];
                // The negation of `P => Q` is `P & not Q`.
                return join(parts, !holds, span);
            }
            PredKind::Equivalent(left, right) => {
                let (left, right) = (self.pred(left, true), self.pred(right, holds));
                PrKind::Equivalent(Box::new(left), Box::new(right))
            }
            PredKind::Not(inner) => return self.pred(inner, !holds),
            PredKind::Forall(locals, body) => {
                let problem = Arc::new(self.problem(locals, &[body], false));
                if holds {
                    PrKind::Forall(problem)
                } else {
                    PrKind::Exists(problem)
                }
            }
            PredKind::Exists(locals, body) => {
                let problem = Arc::new(self.problem(locals, &[body], true));
                if holds {
                    PrKind::Exists(problem)
                } else {
                    PrKind::Forall(problem)
                }
            }
            PredKind::Compare(compare, left, right) => {
                return self.comparison(*compare, left, right, holds, span);
            }
            PredKind::Let(bound, body) => {
                let bound = self.bindings(bound);
                PrKind::Let(bound, Box::new(self.pred(body, holds)))
            }
            PredKind::If(test, left, right) => PrKind::If(
                Box::new(self.pred(test, true)),
                Box::new(self.pred(left, holds)),
                Box::new(self.pred(right, holds)),
            ),
        };
        Pr { kind, span }
    }

    /// The expression.
    pub fn expr(&mut self, expr: &typed::Expr) -> Ex {
        let kind = match &expr.kind {
            ExprKind::Int(int) => ExKind::Const(Value::Int(*int)),
            ExprKind::Big(big) => ExKind::Const(Value::Big(big.clone())),
            ExprKind::Text(text) => ExKind::Const(Value::text(text)),
            ExprKind::Bool(bool) => ExKind::Const(Value::Bool(*bool)),
            ExprKind::Element(sort, index) => ExKind::Const(Value::member(*sort, *index)),
            ExprKind::Global(id) => self.name(NameMeaning::Global(id.index())),
            ExprKind::Local(id) => self.name(NameMeaning::Local(id.index())),
            ExprKind::Carrier(sort) => ExKind::Const(self.world.carriers[sort.index()].clone()),
            ExprKind::Known(known) => ExKind::Const(known_set(*known, self.world)),
            ExprKind::Empty => ExKind::Const(Value::Set(Set::empty())),
            ExprKind::SetOf(all) => ExKind::SetOf(self.exprs(all)),
            ExprKind::SeqOf(all) => ExKind::SeqOf(self.exprs(all)),
            ExprKind::Unary(op, operand) => ExKind::Unary(*op, Box::new(self.expr(operand))),
            ExprKind::Binary(op, left, right) => {
                ExKind::Binary(*op, Box::new(self.expr(left)), Box::new(self.expr(right)))
            }
            ExprKind::Comprehension(locals, pred) => {
                ExKind::Closure(self.closure(locals, pred, None, expr.span))
            }
            ExprKind::Lambda(locals, pred, value) => {
                ExKind::Closure(self.closure(locals, pred, Some(value), expr.span))
            }
            ExprKind::Quantified(op, locals, pred, value) => {
                let problem = Arc::new(self.problem(locals, &[pred], true));
                ExKind::Quantified(*op, problem, Box::new(self.expr(value)))
            }
            ExprKind::BoolOf(pred) => match self.pred(pred, true) {
                Pr {
                    kind: PrKind::Const(bool),
                    ..
                } => ExKind::Const(Value::Bool(bool)),
                pred => ExKind::BoolOf(Box::new(pred)),
            },
            ExprKind::Record(all) => ExKind::Record(self.exprs(all)),
            ExprKind::Struct(all) => ExKind::Struct(self.exprs(all)),
            ExprKind::Field(operand, field) => ExKind::Field(Box::new(self.expr(operand)), *field),
            ExprKind::If(test, left, right) => ExKind::If(
                Box::new(self.pred(test, true)),
                Box::new(self.expr(left)),
                Box::new(self.expr(right)),
            ),
            ExprKind::Let(bound, value) => {
                let bound = self.bindings(bound);
                ExKind::Let(bound, Box::new(self.expr(value)))
            }
        };
        let (ty, span) = (expr.ty.clone(), expr.span);
        self.fold(Ex { kind, ty, span })
    }

    /// The slot of a local that is bound here.
    pub fn declare(&mut self, local: LocalId) -> usize {
        let Some(scope) = self.closures.last_mut() else {
            return local.index();
        };
        let slot = scope.n_slots;
        scope.n_slots += 1;
        scope.slots.insert(NameMeaning::Local(local.index()), slot);
        slot
    }

    /// Locals with their values, each declared after its value is compiled.
    pub fn bindings(&mut self, bound: &[(LocalId, typed::Expr)]) -> Vec<(usize, Ex)> {
        let mut made = Vec::new();
        for (local, value) in bound {
            let value = self.expr(value);
            made.push((self.declare(*local), value));
        }
        made
    }

    fn exprs(&mut self, all: &[typed::Expr]) -> Vec<Ex> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    fn several(&mut self, all: &[typed::Pred], is_and: bool, holds: bool, span: Span) -> Pr {
        let parts = all.iter().map(|p| self.pred(p, holds)).collect();
        join(parts, is_and, span)
    }

    fn closure(
        &mut self,
        locals: &[LocalId],
        pred: &typed::Pred,
        value: Option<&typed::Expr>,
        span: Span,
    ) -> Arc<Closure> {
        self.closures.push(ClosureScope::default());
        let problem = self.problem(locals, &[pred], true);
        let value = value.map(|v| self.expr(v));
        let scope = self.closures.pop().expect("pushed above");
        let parameters = problem.unknowns.iter().map(|u| u.slot).collect();
        let captures = scope
            .captures
            .iter()
            .map(|(name, slot)| match self.name(*name) {
                ExKind::Global(global) => (Storage::Global(global), *slot),
                ExKind::Slot(outer) => (Storage::Slot(outer), *slot),
                other => unreachable!("a name is a place, not {other:?}"),
            })
            .collect();
        self.next += 1;
        Arc::new(Closure {
            number: self.next,
            captures,
            n_slots: scope.n_slots,
            parameters,
            problem,
            value,
            span,
        })
    }

    /// Where a name is found, seen from the innermost closure.
    fn name(&mut self, name: NameMeaning) -> ExKind {
        if let Some(scope) = self.closures.last_mut() {
            if let Some(slot) = scope.slots.get(&name) {
                return ExKind::Slot(*slot);
            }
            let slot = scope.n_slots;
            scope.n_slots += 1;
            scope.slots.insert(name, slot);
            scope.captures.push((name, slot));
            return ExKind::Slot(slot);
        }
        match name {
            NameMeaning::Local(local) => ExKind::Slot(local),
            NameMeaning::Global(global) => match self.global_place(global) {
                Storage::Slot(slot) => ExKind::Slot(slot),
                Storage::Global(global) => ExKind::Global(global),
            },
        }
    }

    fn comparison(
        &mut self,
        compare: Compare,
        left: &typed::Expr,
        right: &typed::Expr,
        holds: bool,
        span: Span,
    ) -> Pr {
        let test = test(compare, holds);
        if let (Test::Equal | Test::NotEqual, ExprKind::BoolOf(pred), ExprKind::Bool(value)) =
            (test, &left.kind, &right.kind)
        {
            return self.pred(pred, (test == Test::Equal) == *value);
        }
        let (left, right) = (self.expr(left), self.expr(right));
        self.split(test, left, right, span)
    }

    /// The comparison, taken apart where it speaks of parts: `a |-> b : A * B` is `a : A & b : B`.
    fn split(&mut self, test: Test, left: Ex, right: Ex, span: Span) -> Pr {
        use ExKind::Binary as Bin;
        let parts = match (test, left.kind, right.kind) {
            (Test::In, Bin(Binary::Pair, a, b), Bin(Binary::Product, s, t)) => {
                vec![
                    self.split(test, *a, *s, span),
                    self.split(test, *b, *t, span),
                ]
            }
            (Test::In, Bin(Binary::Pair, a, b), ExKind::Const(Value::Symbolic(set)))
                if matches!(*set, Symbolic::Binary(Binary::Product, ..)) =>
            {
                let Symbolic::Binary(_, s, t) = &*set else {
                    unreachable!("seen above")
                };
                let set_of = |e: &Ex| Type::Set(Arc::new(e.ty.clone()));
                let s = Ex::constant(s.clone(), set_of(&a), right.span);
                let t = Ex::constant(t.clone(), set_of(&b), right.span);
                vec![self.split(test, *a, s, span), self.split(test, *b, t, span)]
            }
            (Test::Subset, ExKind::SetOf(elements), set) => {
                let set = Ex { kind: set, ..right };
                let parts = elements.into_iter();
                let parts = parts.map(|e| self.split(Test::In, e, set.clone(), span));
                parts.collect()
            }
            (Test::Equal, Bin(Binary::Pair, a, b), Bin(Binary::Pair, c, d)) => {
                vec![
                    self.split(test, *a, *c, span),
                    self.split(test, *b, *d, span),
                ]
            }
            (Test::In, element, ExKind::Unary(op @ (Unary::Pow | Unary::Fin), set)) => {
                let element = Ex {
                    kind: element,
                    ..left
                };
                let subset = Pr::compare(Test::Subset, element.clone(), (*set).clone(), span);
                if op == Unary::Pow || is_finite(&element.ty) {
                    return subset;
                }
                // The first part says where elements are to be looked for.
                let kind = ExKind::Unary(op, set);
                let right = Ex { kind, ..right };
                vec![subset, Pr::compare(test, element, right, span)]
            }
            (Test::NotIn, element, ExKind::Unary(Unary::Pow, set)) => {
                let element = Ex {
                    kind: element,
                    ..left
                };
                return Pr::compare(Test::NotSubset, element, *set, span);
            }
            (_, left_kind, right_kind) => {
                let left = Ex {
                    kind: left_kind,
                    ..left
                };
                let right = Ex {
                    kind: right_kind,
                    ..right
                };
                return Pr::compare(test, left, right, span);
            }
        };
        join(parts, true, span)
    }

    /// The constant that an expression of constants is.
    fn fold(&mut self, ex: Ex) -> Ex {
        let is_const = |e: &Ex| e.as_const().is_some();
        let can = match &ex.kind {
            ExKind::SetOf(all) | ExKind::SeqOf(all) | ExKind::Record(all) | ExKind::Struct(all) => {
                all.iter().all(is_const)
            }
            ExKind::Unary(_, operand) | ExKind::Field(operand, _) => is_const(operand),
            ExKind::Binary(_, left, right) => is_const(left) && is_const(right),
            _ => false,
        };
        if !can {
            return doubled(ex);
        }
        let mut context = Context::new(self.world, Vec::new(), 0);
        context.work_max = 100_000;
        match context.eval(&ex) {
            Ok(value) => Ex::constant(value, ex.ty, ex.span),
            Err(_) => ex,
        }
    }
}

/// `x + x` as `2 * x`, from which bounds can be read off.
fn doubled(ex: Ex) -> Ex {
    if let ExKind::Binary(Binary::Add, left, right) = &ex.kind
        && let (ExKind::Slot(a), ExKind::Slot(b)) = (&left.kind, &right.kind)
        && a == b
    {
        let two = Ex::constant(Value::Int(2), Type::Int, ex.span);
        return Ex::binary(Binary::Multiply, two, (**left).clone(), Type::Int);
    }
    ex
}

/// The conjunction or disjunction, without parts that say nothing.
fn join(parts: Vec<Pr>, is_and: bool, span: Span) -> Pr {
    let mut kept = Vec::new();
    for part in parts {
        match part.kind {
            PrKind::Const(value) if value == is_and => {}
            PrKind::And(inner) if is_and => kept.extend(inner),
            PrKind::Or(inner) if !is_and => kept.extend(inner),
            _ => kept.push(part),
        }
    }
    if kept.len() == 1 {
        return kept.remove(0);
    }
    let kind = match (kept.is_empty(), is_and) {
        (true, _) => PrKind::Const(is_and),
        (false, true) => PrKind::And(kept),
        (false, false) => PrKind::Or(kept),
    };
    Pr { kind, span }
}

fn test(compare: Compare, holds: bool) -> Test {
    match (compare, holds) {
        (Compare::Equal, true) => Test::Equal,
        (Compare::Equal, false) => Test::NotEqual,
        (Compare::In, true) => Test::In,
        (Compare::In, false) => Test::NotIn,
        (Compare::Subset, true) => Test::Subset,
        (Compare::Subset, false) => Test::NotSubset,
        (Compare::StrictSubset, true) => Test::StrictSubset,
        (Compare::StrictSubset, false) => Test::NotStrictSubset,
        (Compare::Less, true) | (Compare::GreaterEqual, false) => Test::Less,
        (Compare::LessEqual, true) | (Compare::Greater, false) => Test::LessEqual,
        (Compare::Greater, true) | (Compare::LessEqual, false) => Test::Greater,
        (Compare::GreaterEqual, true) | (Compare::Less, false) => Test::GreaterEqual,
    }
}

/// A set, number or function that the language names.
pub(crate) fn known_set(known: BuiltinSet, world: &World) -> Value {
    let interval = |low: i64, high: i64| Context::interval(&low.into(), &high.into());
    let symbolic = |set| Value::Symbolic(Arc::new(set));
    match known {
        BuiltinSet::Bool => Value::Set(Set::from_vec(vec![Value::Bool(false), Value::Bool(true)])),
        BuiltinSet::Integer => symbolic(Symbolic::Interval(None, None)),
        BuiltinSet::Natural => symbolic(Symbolic::Interval(Some(Value::Int(0)), None)),
        BuiltinSet::Natural1 => symbolic(Symbolic::Interval(Some(Value::Int(1)), None)),
        BuiltinSet::Int => interval(world.minint, world.maxint),
        BuiltinSet::Nat => interval(0, world.maxint),
        BuiltinSet::Nat1 => interval(1, world.maxint),
        BuiltinSet::Text => symbolic(Symbolic::Texts),
        BuiltinSet::MaxInt => Value::Int(world.maxint),
        BuiltinSet::MinInt => Value::Int(world.minint),
        BuiltinSet::Succ => symbolic(Symbolic::Step(1)),
        BuiltinSet::Pred => symbolic(Symbolic::Step(-1)),
    }
}

/// The set of all values of a type, symbolic where it is infinite.
pub fn whole(ty: &Type, world: &World) -> Value {
    let symbolic = |set| Value::Symbolic(Arc::new(set));
    match ty {
        Type::Bool => known_set(BuiltinSet::Bool, world),
        Type::Int => known_set(BuiltinSet::Integer, world),
        Type::Text => symbolic(Symbolic::Texts),
        Type::Member(sort) => world.carriers[sort.index()].clone(),
        Type::Pair(left, right) => {
            let (left, right) = (whole(left, world), whole(right, world));
            symbolic(Symbolic::Binary(Binary::Product, left, right))
        }
        Type::Set(of) => symbolic(Symbolic::Unary(Unary::Pow, whole(of, world))),
        Type::Record(fields) => symbolic(Symbolic::Struct(
            fields.iter().map(|(_, ty)| whole(ty, world)).collect(),
        )),
    }
}
