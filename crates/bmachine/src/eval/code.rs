//! What evaluation walks over: expressions and predicates in which names are places.
//!
//! It differs from the typed machine in four ways. Names are slots of a frame or indices of the
//! machine's constants and variables. What can be evaluated at once is a constant. Negations stand
//! at comparisons only: `not(P & Q)` is `not P or not Q`, which is decided in the same order. And
//! whatever binds variables is a [`ConstraintProblem`] that has its plan (see `solve`).
//!
//! `!x.(P => Q)` holds if the problem `P & not Q` over `x` has no solution.

use std::sync::Arc;

use base::Span;

use crate::solve::ConstraintProblem;
use crate::typed::{Binary, Quantified, Type, Unary};
use crate::value::Value;

/// An expression.
#[derive(Clone, Debug)]
pub struct Ex {
    pub kind: ExKind,
    /// What it evaluates to.
    pub ty: Type,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExKind {
    /// Known from the start.
    Const(Value),
    /// A constant or variable of the machine.
    Global(usize),
    /// A bound variable.
    Slot(usize),
    /// `{a, b, …}`.
    SetOf(Vec<Ex>),
    /// `[a, b, …]`.
    SeqOf(Vec<Ex>),
    /// An operator with one operand.
    Unary(Unary, Box<Ex>),
    /// An operator with two operands.
    Binary(Binary, Box<Ex>, Box<Ex>),
    /// A comprehension or lambda.
    Closure(Arc<Closure>),
    /// `SIGMA` and the like over all solutions.
    Quantified(Quantified, Arc<ConstraintProblem>, Box<Ex>),
    /// `bool(P)`.
    BoolOf(Box<Pr>),
    /// A record, field by field.
    Record(Vec<Ex>),
    /// All records with fields in these sets.
    Struct(Vec<Ex>),
    /// A field.
    Field(Box<Ex>, usize),
    /// `IF P THEN E ELSE F END`.
    If(Box<Pr>, Box<Ex>, Box<Ex>),
    /// Slots get values in order, then the expression is evaluated.
    Let(Vec<(usize, Ex)>, Box<Ex>),
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Pr {
    pub kind: PrKind,
    pub span: Span,
}

/// The kinds of predicates.
#[derive(Clone, Debug)]
pub enum PrKind {
    /// Always, or never.
    Const(bool),
    /// All of them.
    And(Vec<Pr>),
    /// One of them.
    Or(Vec<Pr>),
    /// Both or none.
    Equivalent(Box<Pr>, Box<Pr>),
    /// The problem has a solution.
    Exists(Arc<ConstraintProblem>),
    /// The problem has no solution.
    Forall(Arc<ConstraintProblem>),
    /// Two expressions compared.
    Compare(Test, Box<Ex>, Box<Ex>),
    /// Slots get values in order, then the predicate is asked.
    Let(Vec<(usize, Ex)>, Box<Pr>),
    /// The second or the third, as the first says.
    If(Box<Pr>, Box<Pr>, Box<Pr>),
}

/// Comparisons and their negations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// `=`.
    Equal,
    /// `/=`.
    NotEqual,
    /// `:`.
    In,
    /// `/:`.
    NotIn,
    /// `<:`.
    Subset,
    /// `/<:`.
    NotSubset,
    /// `<<:`.
    StrictSubset,
    /// `/<<:`.
    NotStrictSubset,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

/// Where a value is that a closure captures or a substitution writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// A constant or variable of the machine.
    Global(usize),
    /// A slot of the frame around it.
    Slot(usize),
}

/// A comprehension or lambda. It has a frame of its own, into which it takes what it needs from
/// around it, so that it can be kept as a value.
#[derive(Clone, Debug)]
pub struct Closure {
    /// No two closures share it.
    pub number: u32,
    /// What it takes, and the slot it goes to.
    pub captures: Vec<(Storage, usize)>,
    /// The size of its frame.
    pub n_slots: usize,
    /// The slots of the bound variables.
    pub parameters: Vec<usize>,
    /// Its predicate, solved for the bound variables.
    pub problem: ConstraintProblem,
    /// The value of a lambda.
    pub value: Option<Ex>,
    pub span: Span,
}

impl Closure {
    /// The set that its only variable ranges over, if its predicate says nothing else.
    pub(crate) fn plain_range(&self) -> Option<&Ex> {
        let ([pred], [slot]) = (
            self.problem.conjuncts.as_slice(),
            self.parameters.as_slice(),
        ) else {
            return None;
        };
        match &pred.kind {
            PrKind::Compare(Test::In, element, set) => match element.kind {
                ExKind::Slot(found) if found == *slot && !set.reads(&|s| s == *slot) => Some(set),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Ex {
    /// A constant.
    pub fn constant(value: Value, ty: Type, span: Span) -> Ex {
        let kind = ExKind::Const(value);
        Ex { kind, ty, span }
    }

    /// Two operands and an operator.
    pub fn binary(op: Binary, left: Ex, right: Ex, ty: Type) -> Ex {
        let span = left.span;
        let kind = ExKind::Binary(op, Box::new(left), Box::new(right));
        Ex { kind, ty, span }
    }

    /// The value, if it is a constant.
    pub(crate) fn as_const(&self) -> Option<&Value> {
        match &self.kind {
            ExKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `out` with every slot that it reads from the frame around it.
    pub(crate) fn each_slot(&self, out: &mut dyn FnMut(usize)) {
        match &self.kind {
            ExKind::Const(_) | ExKind::Global(_) => {}
            ExKind::Slot(slot) => out(*slot),
            ExKind::SetOf(all) | ExKind::SeqOf(all) | ExKind::Record(all) | ExKind::Struct(all) => {
                all.iter().for_each(|e| e.each_slot(out));
            }
            ExKind::Unary(_, operand) | ExKind::Field(operand, _) => operand.each_slot(out),
            ExKind::Binary(_, left, right) => {
                left.each_slot(out);
                right.each_slot(out);
            }
            ExKind::Closure(closure) => {
                for (place, _) in &closure.captures {
                    if let Storage::Slot(slot) = place {
                        out(*slot);
                    }
                }
            }
            ExKind::Quantified(_, problem, value) => {
                problem.each_slot(out);
                value.each_slot(out);
            }
            ExKind::BoolOf(pred) => pred.each_slot(out),
            ExKind::If(pred, left, right) => {
                pred.each_slot(out);
                left.each_slot(out);
                right.each_slot(out);
            }
            ExKind::Let(bound, value) => {
                bound.iter().for_each(|(_, e)| e.each_slot(out));
                value.each_slot(out);
            }
        }
    }

    /// Whether it reads a slot for which `is_asked` holds.
    pub fn reads(&self, is_asked: &dyn Fn(usize) -> bool) -> bool {
        let mut found = false;
        self.each_slot(&mut |slot| found |= is_asked(slot));
        found
    }
}

impl Pr {
    /// `true` or `false`.
    pub fn constant(value: bool, span: Span) -> Pr {
        let kind = PrKind::Const(value);
        Pr { kind, span }
    }

    /// Two expressions compared.
    pub fn compare(test: Test, left: Ex, right: Ex, span: Span) -> Pr {
        let kind = PrKind::Compare(test, Box::new(left), Box::new(right));
        Pr { kind, span }
    }

    /// Calls `out` with every slot that it reads from the frame around it. Slots that it binds
    /// itself may be among them.
    pub(crate) fn each_slot(&self, out: &mut dyn FnMut(usize)) {
        match &self.kind {
            PrKind::Const(_) => {}
            PrKind::And(all) | PrKind::Or(all) => all.iter().for_each(|p| p.each_slot(out)),
            PrKind::Equivalent(left, right) => {
                left.each_slot(out);
                right.each_slot(out);
            }
            PrKind::Exists(problem) | PrKind::Forall(problem) => problem.each_slot(out),
            PrKind::Compare(_, left, right) => {
                left.each_slot(out);
                right.each_slot(out);
            }
            PrKind::Let(bound, pred) => {
                bound.iter().for_each(|(_, e)| e.each_slot(out));
                pred.each_slot(out);
            }
            PrKind::If(test, left, right) => {
                test.each_slot(out);
                left.each_slot(out);
                right.each_slot(out);
            }
        }
    }

    /// Whether it reads a slot for which `is_asked` holds.
    pub fn reads(&self, is_asked: &dyn Fn(usize) -> bool) -> bool {
        let mut found = false;
        self.each_slot(&mut |slot| found |= is_asked(slot));
        found
    }

    /// Adds its conjuncts to `out`, in order.
    pub fn flatten(self, out: &mut Vec<Pr>) {
        match self.kind {
            PrKind::Const(true) => {}
            PrKind::And(all) => all.into_iter().for_each(|p| p.flatten(out)),
            _ => out.push(self),
        }
    }
}
