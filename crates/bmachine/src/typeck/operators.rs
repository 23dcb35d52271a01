//! Operators with fixed shapes.
//!
//! A shape says what the operands are and what comes out, over types `a`, `b`, `c` that are fresh
//! for each use: `<|` takes `POW(a)` and `POW(a*b)` and gives `POW(a*b)`.

use super::scope::NameScope;
use super::types::{Ty, Types};
use super::waiting::PendingQuestion;
use super::{Checker, TypeResult, made};
use crate::ast;
use crate::typed::{Binary, Expr, ExprKind, Unary};
use base::Span;

/// The shapes of operators with one operand.
#[derive(Clone, Copy)]
enum One {
    /// `POW(a)` gives `POW(POW(a))`.
    Power,
    /// `POW(a)` gives a number.
    Count,
    /// Numbers give a number.
    Extreme,
    /// `POW(POW(a))` gives `POW(a)`.
    Flatten,
    /// `POW(a*b)` gives `POW(a)`.
    Domain,
    /// `POW(a*b)` gives `POW(b)`.
    Range,
    /// `POW(a)` gives `POW(a*a)`.
    Identity,
    /// `POW(a*a)` gives the same.
    Closure,
    /// `POW(a*b)` gives `POW(a*POW(b))`.
    Function,
    /// `POW(a*POW(b))` gives `POW(a*b)`.
    Relation,
    /// `POW(a)` gives sets of sequences.
    Sequences,
    /// A sequence gives a number.
    Length,
    /// A sequence of `a` gives `a`.
    Element,
    /// A sequence gives such a sequence.
    Shorter,
    /// A sequence of sequences gives a sequence.
    Joined,
}

const ONES: &[(&str, Unary, One)] = &[
    ("POW", Unary::Pow, One::Power),
    ("POW1", Unary::Pow1, One::Power),
    ("FIN", Unary::Fin, One::Power),
    ("FIN1", Unary::Fin1, One::Power),
    ("card", Unary::Card, One::Count),
    ("min", Unary::Min, One::Extreme),
    ("max", Unary::Max, One::Extreme),
    ("union", Unary::Union, One::Flatten),
    ("inter", Unary::Inter, One::Flatten),
    ("dom", Unary::Dom, One::Domain),
    ("ran", Unary::Ran, One::Range),
    ("id", Unary::Id, One::Identity),
    ("closure1", Unary::Closure1, One::Closure),
    ("closure", Unary::Closure, One::Closure),
    ("fnc", Unary::Fnc, One::Function),
    ("rel", Unary::Rel, One::Relation),
    ("seq", Unary::Seq, One::Sequences),
    ("seq1", Unary::Seq1, One::Sequences),
    ("iseq", Unary::Iseq, One::Sequences),
    ("iseq1", Unary::Iseq1, One::Sequences),
    ("perm", Unary::Perm, One::Sequences),
    ("size", Unary::Size, One::Length),
    ("first", Unary::First, One::Element),
    ("last", Unary::Last, One::Element),
    ("front", Unary::Front, One::Shorter),
    ("tail", Unary::Tail, One::Shorter),
    ("rev", Unary::Rev, One::Shorter),
    ("conc", Unary::Conc, One::Joined),
];

/// The shapes of operators with two operands.
#[derive(Clone, Copy)]
enum Two {
    /// Numbers give a number.
    Number,
    /// Numbers give a set of numbers.
    Interval,
    /// `a` and `b` give `a*b`.
    Pair,
    /// `POW(a)` twice gives the same.
    Sets,
    /// `POW(a)` and `POW(b)` give sets of relations.
    Relations,
    /// `POW(a)` and `POW(a*b)` give `POW(a*b)`.
    Before,
    /// `POW(a*b)` and `POW(b)` give `POW(a*b)`.
    After,
    /// `POW(a*b)` twice gives the same.
    Override,
    /// `POW(a*b)` and `POW(a*c)` give `POW(a*(b*c))`.
    Direct,
    /// `POW(a*b)` and `POW(c*d)` give `POW((a*c)*(b*d))`.
    Parallel,
    /// `POW(a*b)` and `POW(b*c)` give `POW(a*c)`.
    Compose,
    /// `POW(a*a)` and a number give `POW(a*a)`.
    Iterate,
    /// `POW(a)` and `POW(b)` give `POW((a*b)*a)`.
    First,
    /// `POW(a)` and `POW(b)` give `POW((a*b)*b)`.
    Second,
    /// Sequences give a sequence.
    Concat,
    /// `a` and a sequence give a sequence.
    Prepend,
    /// A sequence and `a` give a sequence.
    Append,
    /// A sequence and a number give a sequence.
    Cut,
}

const TWOS: &[(&str, Binary, Two)] = &[
    ("+", Binary::Add, Two::Number),
    ("/", Binary::Divide, Two::Number),
    ("mod", Binary::Modulo, Two::Number),
    ("**", Binary::Power, Two::Number),
    ("..", Binary::Interval, Two::Interval),
    ("|->", Binary::Pair, Two::Pair),
    ("\\/", Binary::Union, Two::Sets),
    ("/\\", Binary::Intersection, Two::Sets),
    ("\\", Binary::Difference, Two::Sets),
    ("<->", Binary::Relations, Two::Relations),
    ("<<->", Binary::TotalRelations, Two::Relations),
    ("<->>", Binary::SurjectiveRelations, Two::Relations),
    ("<<->>", Binary::TotalSurjectiveRelations, Two::Relations),
    ("+->", Binary::PartialFunctions, Two::Relations),
    ("-->", Binary::TotalFunctions, Two::Relations),
    (">+>", Binary::PartialInjections, Two::Relations),
    (">->", Binary::TotalInjections, Two::Relations),
    ("+->>", Binary::PartialSurjections, Two::Relations),
    ("-->>", Binary::TotalSurjections, Two::Relations),
    (">+>>", Binary::PartialBijections, Two::Relations),
    (">->>", Binary::TotalBijections, Two::Relations),
    ("<|", Binary::DomainRestrict, Two::Before),
    ("<<|", Binary::DomainSubtract, Two::Before),
    ("|>", Binary::RangeRestrict, Two::After),
    ("|>>", Binary::RangeSubtract, Two::After),
    ("<+", Binary::Override, Two::Override),
    ("><", Binary::DirectProduct, Two::Direct),
    ("||", Binary::ParallelProduct, Two::Parallel),
    (";", Binary::Compose, Two::Compose),
    ("iterate", Binary::Iterate, Two::Iterate),
    ("prj1", Binary::First, Two::First),
    ("prj2", Binary::Second, Two::Second),
    ("^", Binary::Concat, Two::Concat),
    ("->", Binary::Prepend, Two::Prepend),
    ("<-", Binary::Append, Two::Append),
    ("/|\\", Binary::Take, Two::Cut),
    ("\\|/", Binary::Drop, Two::Cut),
];

impl Types {
    /// The operand and the result of a shape.
    fn one(&mut self, shape: One) -> (Ty, Ty) {
        let (a, b) = (self.free(), self.free());
        match shape {
            One::Power => {
                let set = self.set(a);
                (set, self.set(set))
            }
            One::Count => (self.set(a), Types::INT),
            One::Extreme => (self.set(Types::INT), Types::INT),
            One::Flatten => {
                let set = self.set(a);
                (self.set(set), set)
            }
            One::Domain => (self.relation(a, b), self.set(a)),
            One::Range => (self.relation(a, b), self.set(b)),
            One::Identity => (self.set(a), self.relation(a, a)),
            One::Closure => {
                let relation = self.relation(a, a);
                (relation, relation)
            }
            One::Function | One::Relation => {
                let set = self.set(b);
                let (flat, nested) = (self.relation(a, b), self.relation(a, set));
                match shape {
                    One::Function => (flat, nested),
                    _ => (nested, flat),
                }
            }
            One::Sequences => {
                let seq = self.seq(a);
                (self.set(a), self.set(seq))
            }
            One::Length => (self.seq(a), Types::INT),
            One::Element => (self.seq(a), a),
            One::Shorter => {
                let seq = self.seq(a);
                (seq, seq)
            }
            One::Joined => {
                let seq = self.seq(a);
                (self.seq(seq), seq)
            }
        }
    }

    /// The operands and the result of a shape.
    fn two(&mut self, shape: Two) -> [Ty; 3] {
        let (a, b, c) = (self.free(), self.free(), self.free());
        match shape {
            Two::Number => [Types::INT; 3],
            Two::Interval => [Types::INT, Types::INT, self.set(Types::INT)],
            Two::Pair => [a, b, self.pair(a, b)],
            Two::Sets => [self.set(a); 3],
            Two::Relations => {
                let relation = self.relation(a, b);
                [self.set(a), self.set(b), self.set(relation)]
            }
            Two::Before => {
                let relation = self.relation(a, b);
                [self.set(a), relation, relation]
            }
            Two::After => {
                let relation = self.relation(a, b);
                [relation, self.set(b), relation]
            }
            Two::Override => [self.relation(a, b); 3],
            Two::Direct => {
                let pair = self.pair(b, c);
                [
                    self.relation(a, b),
                    self.relation(a, c),
                    self.relation(a, pair),
                ]
            }
            Two::Parallel => {
                let d = self.free();
                let (from, to) = (self.pair(a, c), self.pair(b, d));
                [
                    self.relation(a, b),
                    self.relation(c, d),
                    self.relation(from, to),
                ]
            }
            Two::Compose => [
                self.relation(a, b),
                self.relation(b, c),
                self.relation(a, c),
            ],
            Two::Iterate => {
                let relation = self.relation(a, a);
                [relation, Types::INT, relation]
            }
            Two::First | Two::Second => {
                let pair = self.pair(a, b);
                let to = if matches!(shape, Two::First) { a } else { b };
                [self.set(a), self.set(b), self.relation(pair, to)]
            }
            Two::Concat => [self.seq(a); 3],
            Two::Prepend => {
                let seq = self.seq(a);
                [a, seq, seq]
            }
            Two::Append => {
                let seq = self.seq(a);
                [seq, a, seq]
            }
            Two::Cut => {
                let seq = self.seq(a);
                [seq, Types::INT, seq]
            }
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// `card(S)`, `prj1(S, T)` and their like
    pub(super) fn call(
        &mut self,
        word: &'static str,
        arguments: &'a [ast::Expr],
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        if let [left, right] = arguments {
            return self.infix(word, (left, right), span, scope);
        }
        let row = ONES.iter().find(|(w, ..)| *w == word);
        let &(_, operator, shape) = row.expect("the parser knows the words");
        let operand = self.expr(&arguments[0], scope)?;
        let (wanted, ty) = self.types.one(shape);
        self.demand(&operand, wanted)?;
        Ok(made(ExprKind::Unary(operator, Box::new(operand)), ty, span))
    }

    /// Two operands and what stands between them.
    pub(super) fn infix(
        &mut self,
        mark: &'static str,
        operands: (&'a ast::Expr, &'a ast::Expr),
        span: Span,
        scope: &NameScope<'a>,
    ) -> TypeResult<Expr> {
        let left = self.expr(operands.0, scope);
        let right = self.expr(operands.1, scope);
        let (left, right) = (left?, right?);
        if mark == "-" || mark == "*" {
            return self.overloaded(mark, left, right, span);
        }
        let row = TWOS.iter().find(|(m, ..)| *m == mark);
        let &(_, operator, shape) = row.expect("the parser knows the marks");
        let [a, b, ty] = self.types.two(shape);
        self.demand(&left, a)?;
        self.demand(&right, b)?;
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(made(kind, ty, span))
    }

    /// `-` and `*` are between numbers or sets; the last pass tells which.
    fn overloaded(&mut self, mark: &str, left: Expr, right: Expr, span: Span) -> TypeResult<Expr> {
        let ty = self.types.free();
        let all = [self.ty_of(&left), self.ty_of(&right), ty];
        let operator = if mark == "-" {
            self.wait(PendingQuestion::Minus(all, span))?;
            Binary::Subtract
        } else {
            self.wait(PendingQuestion::Times(all, span))?;
            Binary::Multiply
        };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(made(kind, ty, span))
    }
}
