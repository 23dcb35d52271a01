//! Two cursors over a typed tree, one of which reads two members for each other.
//!
//! [`Compare`] asks of two nodes `x` and `y` of a machine whether `x` is what `y` becomes when `a`
//! and `b` are exchanged in it: the same kinds of nodes, the same data, and parts that are so
//! again. Bound variables are paired where they are bound; an occurrence in `x` must be paired with
//! the one in `y`. Nothing is rewritten, sorted or given a normal form.
//!
//! Where order has no meaning parts may be matched with parts in other places. "To become the same"
//! is an equivalence of what is matched: if `x1` fits `y1` and `y2`, and `x2` fits `y1`, then `x2`
//! fits `y2`. So a part can be given to the first that fits, and nothing is ever taken back; each
//! two parts are compared at most once. Parts that fit in place stay there.
//!
//! Worked example: `{p, q, r}` against itself with `p` and `q` exchanged. In place `r` fits; `p`
//! does not fit `p`, which reads `q`, and fits the second.

use super::defined::has_value;
use super::nodes::TypedNode;
use super::sorts::{ElementName, SortNames};
use crate::typed::{
    AssignedVar, Atom, AtomKind, Binary, CallPattern, Compare as Comparison, Expr, ExprKind,
    LocalId, Machine, Operation, Pred, PredKind, Selector, Subst, Target,
};
use base::Span;
use model::values::{Limit, SortId};

/// How many pairs of nodes are compared for one exchange in one part of a machine.
const N_COMPARED_MAX: usize = 4_000_000;
/// How deep recursion goes. What is read from text is not nested as deep.
const DEPTH_MAX: usize = 1_000;

/// Two members of a sort of the main machine.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    pub sort: SortId,
    pub a: usize,
    pub b: usize,
}

impl Exchange {
    fn of(&self, named: ElementName) -> ElementName {
        match named {
            ElementName::Main(sort, member) if sort == self.sort && member == self.a => {
                ElementName::Main(sort, self.b)
            }
            ElementName::Main(sort, member) if sort == self.sort && member == self.b => {
                ElementName::Main(sort, self.a)
            }
            ElementName::Main(..) | ElementName::Foreign(..) | ElementName::Unmatched(..) => named,
        }
    }
}

/// Why two nodes are not the same.
#[derive(Clone, Copy, Debug)]
pub(super) enum Miss {
    /// They differ here.
    Differ(Span),
    /// That is not known.
    Limit(Limit, Span),
}

/// Whether two nodes are the same.
pub(super) type Same = Result<(), Miss>;

/// Nothing if it holds, else a difference there.
pub(super) fn fits(holds: bool, span: Span) -> Same {
    if holds {
        Ok(())
    } else {
        Err(Miss::Differ(span))
    }
}

/// Whether they are the same; a limit ends the comparison.
fn is_same(same: Same) -> Result<bool, Miss> {
    match same {
        Ok(()) => Ok(true),
        Err(Miss::Differ(_)) => Ok(false),
        Err(limit @ Miss::Limit(..)) => Err(limit),
    }
}

/// Which parts of a list may change places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PartOrder {
    /// All.
    None,
    /// Those between which there are only parts that always have a value, and that have one.
    OfUndefined,
}

/// Things that lists are made of.
pub(super) trait ListPart {
    fn span(&self) -> Span;
    /// The formula that it is, if it is one.
    fn node(&self) -> Option<TypedNode<'_>>;
}

/// The two cursors.
pub(super) struct Compare<'a> {
    machine: &'a Machine,
    sorts: &'a SortNames,
    exchange: Exchange,
    /// Variables bound around the two nodes, from the outside in.
    bound: Vec<(LocalId, LocalId)>,
    n_compared: usize,
    depth: usize,
}

impl<'a> Compare<'a> {
    pub fn new(machine: &'a Machine, sorts: &'a SortNames, exchange: Exchange) -> Compare<'a> {
        Compare {
            machine,
            sorts,
            exchange,
            bound: Vec::new(),
            n_compared: 0,
            depth: 0,
        }
    }

    /// One level down, if the limits allow it.
    fn below(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Same) -> Same {
        self.n_compared += 1;
        if self.n_compared > N_COMPARED_MAX {
            return Err(Miss::Limit(Limit::Comparisons(N_COMPARED_MAX), span));
        }
        if self.depth >= DEPTH_MAX {
            return Err(Miss::Limit(Limit::Depth(DEPTH_MAX), span));
        }
        self.depth += 1;
        let same = inner(self);
        self.depth -= 1;
        same
    }

    /// Lists whose order counts.
    pub fn list<T>(
        &mut self,
        xs: &[T],
        ys: &[T],
        span: Span,
        same: impl Fn(&mut Self, &T, &T) -> Same,
    ) -> Same {
        fits(xs.len() == ys.len(), span)?;
        xs.iter().zip(ys).try_for_each(|(x, y)| same(self, x, y))
    }

    /// Lists whose parts may change places.
    pub fn heap<T: ListPart>(
        &mut self,
        xs: &[T],
        ys: &[T],
        order: PartOrder,
        span: Span,
        same: impl Fn(&mut Self, &T, &T) -> Same,
    ) -> Same {
        fits(xs.len() == ys.len(), span)?;
        let mut moved = Vec::new();
        for (n, (x, y)) in xs.iter().zip(ys).enumerate() {
            if !is_same(same(self, x, y))? {
                moved.push(n);
            }
        }
        let (Some(&first), Some(&last)) = (moved.first(), moved.last()) else {
            return Ok(());
        };
        // How many parts that must stay come before one. They have been found to fit in place, so
        // the two lists agree in this.
        let mut n_before = vec![0; xs.len()];
        if order == PartOrder::OfUndefined {
            let mut n = 0;
            for at in first..=last {
                let has_value = xs[at].node().is_some_and(has_value);
                fits(has_value || !moved.contains(&at), xs[at].span())?;
                n += usize::from(!has_value);
                n_before[at] = n;
            }
        }
        let mut free = moved.clone();
        for n in moved {
            let mut found = None;
            for (place, &m) in free.iter().enumerate() {
                let may_meet = m != n && n_before[m] == n_before[n];
                if may_meet && is_same(same(self, &xs[n], &ys[m]))? {
                    found = Some(place);
                    break;
                }
            }
            let Some(place) = found else {
                return Err(Miss::Differ(xs[n].span()));
            };
            free.remove(place);
        }
        Ok(())
    }

    /// What is inside two binders of variables of the same types.
    pub(crate) fn binding(
        &mut self,
        xs: &[LocalId],
        ys: &[LocalId],
        span: Span,
        inner: impl FnOnce(&mut Self) -> Same,
    ) -> Same {
        fits(xs.len() == ys.len(), span)?;
        let pairs = || xs.iter().copied().zip(ys.iter().copied());
        let have_types = pairs().all(|(x, y)| self.have_one_type(x, y));
        fits(have_types, span)?;
        let n = self.bound.len();
        self.bound.extend(pairs());
        let same = inner(self);
        self.bound.truncate(n);
        same
    }

    fn have_one_type(&self, x: LocalId, y: LocalId) -> bool {
        let locals = &self.machine.locals;
        match (locals.get(x.index()), locals.get(y.index())) {
            (Some(x), Some(y)) => x.ty == y.ty,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// `LET`: each variable is bound after its value.
    pub fn equations(
        &mut self,
        xs: &[(LocalId, Expr)],
        ys: &[(LocalId, Expr)],
        span: Span,
        inner: impl FnOnce(&mut Self) -> Same,
    ) -> Same {
        fits(xs.len() == ys.len(), span)?;
        let n = self.bound.len();
        let mut same = Ok(());
        for ((x, value), (y, other)) in xs.iter().zip(ys) {
            same = same.and_then(|()| self.expr(value, other));
            same = same.and_then(|()| fits(self.have_one_type(*x, *y), span));
            self.bound.push((*x, *y));
        }
        let same = same.and_then(|()| inner(self));
        self.bound.truncate(n);
        same
    }

    fn is_paired(&self, x: LocalId, y: LocalId) -> bool {
        let pairs = self.bound.iter().rev();
        let mut either = pairs.filter(|(left, right)| *left == x || *right == y);
        match either.next() {
            Some(pair) => *pair == (x, y),
            None => x == y,
        }
    }

    pub fn local(&self, x: LocalId, y: LocalId, span: Span) -> Same {
        fits(self.is_paired(x, y), span)
    }

    /// An operation: its parameters, its results and its body.
    pub fn operation(&mut self, x: &Operation) -> Same {
        let locals = [&x.parameters[..], &x.results[..]].concat();
        self.binding(&locals, &locals, x.span, |compare| {
            compare.subst(&x.body, &x.body)
        })
    }

    /// What is said of single states.
    pub fn atom(&mut self, x: &Atom, y: &Atom) -> Same {
        match (&x.kind, &y.kind) {
            (AtomKind::Pred(x), AtomKind::Pred(y)) => self.pred(x, y),
            (AtomKind::Enabled(x), AtomKind::Enabled(y))
            | (AtomKind::Came(x), AtomKind::Came(y)) => self.called(x, y),
            (AtomKind::Count(n, xs), AtomKind::Count(m, ys)) => {
                fits(n == m, x.span)?;
                let (order, span) = (PartOrder::None, x.span);
                let [xs, ys] = [xs, ys].map(|calls| {
                    let calls = calls.iter().map(|call| (call, span));
                    calls.collect::<Vec<(&CallPattern, Span)>>()
                });
                self.heap(&xs, &ys, order, span, |compare, x, y| {
                    compare.called(x.0, y.0)
                })
            }
            (AtomKind::Dead, AtomKind::Dead) | (AtomKind::Sink, AtomKind::Sink) => Ok(()),
            _ => Err(Miss::Differ(x.span)),
        }
    }

    pub fn called(&mut self, x: &CallPattern, y: &CallPattern) -> Same {
        let place = x.arguments.first().or(y.arguments.first());
        let span = place.map_or(self.machine.span, |argument| argument.span);
        fits(x.operation == y.operation, span)?;
        self.exprs(&x.arguments, &y.arguments, span)
    }

    /// A conjunction or disjunction, given by its parts.
    pub fn preds(&mut self, xs: &[Pred], ys: &[Pred], span: Span) -> Same {
        self.heap(xs, ys, PartOrder::OfUndefined, span, Self::pred)
    }

    pub fn pred(&mut self, x: &Pred, y: &Pred) -> Same {
        self.below(x.span, |compare| compare.pred_kind(x, y))
    }

    fn pred_kind(&mut self, x: &Pred, y: &Pred) -> Same {
        let span = x.span;
        match (&x.kind, &y.kind) {
            (PredKind::True, PredKind::True) | (PredKind::False, PredKind::False) => Ok(()),
            (PredKind::And(xs), PredKind::And(ys)) | (PredKind::Or(xs), PredKind::Or(ys)) => {
                self.preds(xs, ys, span)
            }
            (PredKind::Implies(p, q), PredKind::Implies(r, s)) => {
                self.pred(p, r)?;
                self.pred(q, s)
            }
            (PredKind::Equivalent(p, q), PredKind::Equivalent(r, s)) => {
                let (xs, ys) = ([&**p, &**q], [&**r, &**s]);
                self.heap(&xs, &ys, PartOrder::None, span, |compare, x, y| {
                    compare.pred(x, y)
                })
            }
            (PredKind::Not(p), PredKind::Not(q)) => self.pred(p, q),
            (PredKind::Forall(xs, p), PredKind::Forall(ys, q))
            | (PredKind::Exists(xs, p), PredKind::Exists(ys, q)) => {
                self.binding(xs, ys, span, |compare| compare.pred(p, q))
            }
            (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) => {
                fits(op == other, span)?;
                self.compared(*op, [a, b], [c, d], span)
            }
            (PredKind::Let(xs, p), PredKind::Let(ys, q)) => {
                self.equations(xs, ys, span, |compare| compare.pred(p, q))
            }
            (PredKind::If(p, q, r), PredKind::If(s, t, u)) => {
                self.pred(p, s)?;
                self.pred(q, t)?;
                self.pred(r, u)
            }
            (
                PredKind::True
                | PredKind::False
                | PredKind::And(_)
                | PredKind::Or(_)
                | PredKind::Implies(..)
                | PredKind::Equivalent(..)
                | PredKind::Not(_)
                | PredKind::Forall(..)
                | PredKind::Exists(..)
                | PredKind::Compare(..)
                | PredKind::Let(..)
                | PredKind::If(..),
                _,
            ) => Err(Miss::Differ(span)),
        }
    }

    /// The sides of a comparison. Both sides of an equation are looked at in any case.
    fn compared(&mut self, op: Comparison, xs: [&Expr; 2], ys: [&Expr; 2], span: Span) -> Same {
        match op {
            Comparison::Equal => self.heap(&xs, &ys, PartOrder::None, span, |compare, x, y| {
                compare.expr(x, y)
            }),
            Comparison::In
            | Comparison::Subset
            | Comparison::StrictSubset
            | Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual => {
                self.expr(xs[0], ys[0])?;
                self.expr(xs[1], ys[1])
            }
        }
    }

    pub fn exprs(&mut self, xs: &[Expr], ys: &[Expr], span: Span) -> Same {
        self.list(xs, ys, span, Self::expr)
    }

    pub fn expr(&mut self, x: &Expr, y: &Expr) -> Same {
        self.below(x.span, |compare| compare.expr_kind(x, y))
    }

    fn expr_kind(&mut self, x: &Expr, y: &Expr) -> Same {
        let span = x.span;
        match (&x.kind, &y.kind) {
            (ExprKind::Element(sort, member), ExprKind::Element(other_sort, other)) => {
                let read = self.exchange.of(self.sorts.named(*other_sort, *other));
                fits(self.sorts.named(*sort, *member) == read, span)
            }
            (ExprKind::Local(x), ExprKind::Local(y)) => self.local(*x, *y, span),
            (ExprKind::Empty, ExprKind::Empty) => fits(x.ty == y.ty, span),
            (ExprKind::SetOf(xs), ExprKind::SetOf(ys)) => {
                // `{e, f} <: S` is looked at as `e : S & f : S`.
                self.heap(xs, ys, PartOrder::OfUndefined, span, Self::expr)
            }
            (ExprKind::SeqOf(xs), ExprKind::SeqOf(ys))
            | (ExprKind::Record(xs), ExprKind::Record(ys))
            | (ExprKind::Struct(xs), ExprKind::Struct(ys)) => self.exprs(xs, ys, span),
            (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => {
                fits(op == other, span)?;
                self.expr(a, b)
            }
            (ExprKind::Binary(op, ..), ExprKind::Binary(other, ..)) => {
                fits(op == other, span)?;
                self.binary(*op, x, y)
            }
            (ExprKind::Field(a, n), ExprKind::Field(b, m)) => {
                fits(n == m, span)?;
                self.expr(a, b)
            }
            (
                ExprKind::Int(_)
                | ExprKind::Big(_)
                | ExprKind::Text(_)
                | ExprKind::Bool(_)
                | ExprKind::Global(_)
                | ExprKind::Carrier(_)
                | ExprKind::Known(_),
                _,
            ) => fits(is_same_leaf(&x.kind, &y.kind), span),
            (
                ExprKind::Comprehension(..)
                | ExprKind::Lambda(..)
                | ExprKind::Quantified(..)
                | ExprKind::BoolOf(_)
                | ExprKind::If(..)
                | ExprKind::Let(..),
                _,
            ) => self.expr_with_preds(x, y),
            (
                ExprKind::Element(..)
                | ExprKind::Local(_)
                | ExprKind::Empty
                | ExprKind::SetOf(_)
                | ExprKind::SeqOf(_)
                | ExprKind::Record(_)
                | ExprKind::Struct(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Field(..),
                _,
            ) => Err(Miss::Differ(span)),
        }
    }

    /// Expressions with predicates in them, or with variables of their own.
    fn expr_with_preds(&mut self, x: &Expr, y: &Expr) -> Same {
        let span = x.span;
        match (&x.kind, &y.kind) {
            (ExprKind::Comprehension(xs, p), ExprKind::Comprehension(ys, q)) => {
                self.binding(xs, ys, span, |compare| compare.pred(p, q))
            }
            (ExprKind::Lambda(xs, p, e), ExprKind::Lambda(ys, q, f)) => {
                self.binding(xs, ys, span, |compare| {
                    compare.pred(p, q)?;
                    compare.expr(e, f)
                })
            }
            (ExprKind::Quantified(op, xs, p, e), ExprKind::Quantified(other, ys, q, f)) => {
                fits(op == other, span)?;
                self.binding(xs, ys, span, |compare| {
                    compare.pred(p, q)?;
                    compare.expr(e, f)
                })
            }
            (ExprKind::BoolOf(p), ExprKind::BoolOf(q)) => self.pred(p, q),
            (ExprKind::If(p, a, b), ExprKind::If(q, c, d)) => {
                self.pred(p, q)?;
                self.expr(a, c)?;
                self.expr(b, d)
            }
            (ExprKind::Let(xs, e), ExprKind::Let(ys, f)) => {
                self.equations(xs, ys, span, |compare| compare.expr(e, f))
            }
            // Every kind that comes here stands above with itself.
            _ => Err(Miss::Differ(span)),
        }
    }

    /// Two expressions with the same operator. Operands of unions and intersections are looked at
    /// from left to right where it is asked whether something is in them.
    fn binary(&mut self, op: Binary, x: &Expr, y: &Expr) -> Same {
        if matches!(op, Binary::Union | Binary::Intersection) {
            let (xs, ys) = (operands(op, x), operands(op, y));
            return self.heap(&xs, &ys, PartOrder::OfUndefined, x.span, |compare, x, y| {
                compare.expr(x, y)
            });
        }
        let (ExprKind::Binary(_, a, b), ExprKind::Binary(_, c, d)) = (&x.kind, &y.kind) else {
            return Err(Miss::Differ(x.span));
        };
        self.expr(a, c)?;
        self.expr(b, d)
    }

    pub fn targets(&mut self, xs: &[Target], ys: &[Target], span: Span) -> Same {
        self.list(xs, ys, span, |compare, x, y| {
            compare.var(x.var, y.var, x.span)?;
            let span = x.span;
            compare.list(&x.path, &y.path, span, |compare, x, y| match (x, y) {
                (Selector::At(x), Selector::At(y)) => compare.expr(x, y),
                (Selector::Field(n), Selector::Field(m)) => fits(n == m, span),
                (Selector::At(_) | Selector::Field(_), _) => Err(Miss::Differ(span)),
            })
        })
    }

    pub fn var(&self, x: AssignedVar, y: AssignedVar, span: Span) -> Same {
        match (x, y) {
            (AssignedVar::Global(x), AssignedVar::Global(y)) => fits(x == y, span),
            (AssignedVar::Local(x), AssignedVar::Local(y)) => self.local(x, y, span),
            (AssignedVar::Global(_) | AssignedVar::Local(_), _) => Err(Miss::Differ(span)),
        }
    }

    pub(crate) fn substs(&mut self, xs: &[Subst], ys: &[Subst], span: Span) -> Same {
        self.list(xs, ys, span, Self::subst)
    }

    pub fn subst(&mut self, x: &Subst, y: &Subst) -> Same {
        self.below(x.span, |compare| compare.subst_kind(x, y))
    }
}

/// Whether two leaves without members and bound variables are the same.
fn is_same_leaf(x: &ExprKind, y: &ExprKind) -> bool {
    match (x, y) {
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Big(x), ExprKind::Big(y)) => x == y,
        (ExprKind::Text(x), ExprKind::Text(y)) => x == y,
        (ExprKind::Bool(x), ExprKind::Bool(y)) => x == y,
        (ExprKind::Global(x), ExprKind::Global(y)) => x == y,
        (ExprKind::Carrier(x), ExprKind::Carrier(y)) => x == y,
        (ExprKind::Known(x), ExprKind::Known(y)) => x == y,
        _ => false,
    }
}

/// The operands of a chain of one operator, from left to right.
fn operands(op: Binary, expr: &Expr) -> Vec<&Expr> {
    let (mut operands, mut waiting) = (Vec::new(), vec![expr]);
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Binary(other, a, b) if *other == op => waiting.extend([&**b, &**a]),
            _ => operands.push(expr),
        }
    }
    operands
}

impl ListPart for Pred {
    fn span(&self) -> Span {
        self.span
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        Some(TypedNode::Pred(self))
    }
}

impl ListPart for Expr {
    fn span(&self) -> Span {
        self.span
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        Some(TypedNode::Expr(self))
    }
}

impl<T: ListPart> ListPart for &T {
    fn span(&self) -> Span {
        (*self).span()
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        (*self).node()
    }
}

/// A call in an atom, which is where the atom is.
impl ListPart for (&CallPattern, Span) {
    fn span(&self) -> Span {
        self.1
    }

    fn node(&self) -> Option<TypedNode<'_>> {
        None
    }
}
