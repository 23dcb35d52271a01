//! One valuation of constants in place of several that differ in the names of elements only.
//!
//! The elements of a deferred set have no names, so a machine in which a constant is an element of
//! such a set runs alike whichever element that is. ProB sets up only some of these valuations,
//! also where it reduces nothing else; its counts are those of the valuations that have the
//! conjuncts made here. Three things are used, each as far as the ones before leave elements
//! without a name:
//!
//! 1. Constants that are elements of the set. Those of which no two are equal are its first
//!    elements. Each other one is an element that was used before it, or the first that was not.
//! 2. Constants that partition the set (`P \/ Q = S & P /\ Q = {}`): elements that no constant of
//!    the first kind can be are in ascending order of the part they belong to.
//! 3. A constant `f : S >->> T`, where `T` is another set of which nothing of this is said: `f`
//!    leads from the first element to the first, and so on.
//!
//! Worked example: a set of six elements and constants `a`, `b`, `c`, `d` in it with `a /= b`.
//! There are 1080 valuations, and 10 of these: `a` is the first element and `b` the second; `c` is
//! one of these, and `d` is one of the first three, which makes 6; or `c` is the third element, and
//! `d` is one of the first four.
//!
//! Why that is enough: carry any valuation by a permutation of the set that numbers its elements as
//! they occur in 1; what still moves after that are the elements that do not occur, and among them
//! those of which 2 speaks, which can be put in order. In 3 the elements of `T` can be renamed
//! freely. So each valuation is carried to one that is left, and from there the machine runs alike.

use base::Span;
use std::sync::Arc;

use super::sizes;
use crate::typed::{
    Binary, Compare, Expr, ExprKind, GlobalId, Machine, Pred, PredKind, SortId, Type,
};

/// What constants must satisfy besides the properties; the sets have these sizes.
pub(super) fn conjuncts(machine: &Machine, sizes: &[usize]) -> Vec<Pred> {
    let mut out = Vec::new();
    let mut is_used = vec![false; machine.sorts.len()];
    let deferred = machine.sorts.iter().enumerate();
    let deferred = deferred.filter(|(index, sort)| sort.elements.is_none() && sizes[*index] > 1);
    for (index, _) in deferred {
        let naming = Naming {
            machine,
            sort: SortId::new(index),
            size: sizes[index],
        };
        let before = out.len();
        if let Some(n_named) = naming.elements(&mut out) {
            naming.parts(n_named, &mut out);
        }
        is_used[index] = out.len() > before;
    }
    for pred in machine.properties.iter().flat_map(sizes::conjuncts) {
        if let Some((f, from, to)) = bijection(pred, machine)
            && from != to
            && !is_used[to.index()]
            && sizes[from.index()] == sizes[to.index()]
        {
            is_used[to.index()] = true;
            out.push(straight(machine, f, from, to, sizes[from.index()]));
        }
    }
    out
}

/// The elements that such conjuncts name. What they do not name can be exchanged in all of them.
pub(super) fn elements(conjuncts: &[Pred]) -> Vec<(SortId, usize)> {
    let mut found = Vec::new();
    conjuncts.iter().for_each(|pred| in_pred(pred, &mut found));
    found.sort_unstable();
    found.dedup();
    found
}

fn in_pred(pred: &Pred, out: &mut Vec<(SortId, usize)>) {
    match &pred.kind {
        PredKind::False => {}
        PredKind::Compare(_, left, right) => {
            in_expr(left, out);
            in_expr(right, out);
        }
        PredKind::Implies(left, right) => {
            in_pred(left, out);
            in_pred(right, out);
        }
        PredKind::Or(all) => all.iter().for_each(|pred| in_pred(pred, out)),
        other => unreachable!("{other:?} names no elements"),
    }
}

fn in_expr(expr: &Expr, out: &mut Vec<(SortId, usize)>) {
    match &expr.kind {
        ExprKind::Global(_) => {}
        ExprKind::Element(sort, at) => out.push((*sort, *at)),
        ExprKind::SetOf(all) => all.iter().for_each(|expr| in_expr(expr, out)),
        ExprKind::Binary(_, left, right) => {
            in_expr(left, out);
            in_expr(right, out);
        }
        other => unreachable!("{other:?} names no elements"),
    }
}

/// The names of the elements of one set.
struct Naming<'m> {
    machine: &'m Machine,
    sort: SortId,
    size: usize,
}

impl Naming<'_> {
    /// Constants that are elements: how many elements they can be, or `None` if they cannot differ
    /// as much as they have to.
    fn elements(&self, out: &mut Vec<Pred>) -> Option<usize> {
        let different = sizes::different(self.machine, self.sort);
        let n = different.len();
        if n > self.size {
            return None;
        }
        for (at, id) in different.iter().enumerate() {
            out.push(self.is(*id, at));
        }
        let mut others: Vec<GlobalId> = Vec::new();
        for id in sizes::elements(self.machine, self.sort) {
            if different.contains(&id) {
                continue;
            }
            let n_allowed = self.size.min(n + others.len() + 1);
            let constant = global(self.machine, id);
            let allowed = (0..n_allowed).map(|at| element(self.sort, at, constant.span));
            let ty = Type::Set(Arc::new(constant.ty.clone()));
            let allowed = expr(ExprKind::SetOf(allowed.collect()), ty, constant.span);
            out.push(compare(Compare::In, constant, allowed));
            for at in n + 1..n_allowed {
                let before = others.iter().map(|other| self.is(*other, at - 1));
                let before = any(before.collect(), self.span(id));
                out.push(implies(self.is(id, at), before));
            }
            others.push(id);
        }
        Some(self.size.min(n + others.len()))
    }

    /// Constants that partition the set: elements from `first` on are in the order of their parts.
    fn parts(&self, first: usize, out: &mut Vec<Pred>) {
        let properties = || self.machine.properties.iter().flat_map(sizes::conjuncts);
        let parts = properties().find_map(|pred| {
            let parts = sizes::union_of(pred, self.sort)?;
            let is_disjoint = |a: GlobalId, b: GlobalId| {
                let mut disjoint = properties().filter_map(sizes::disjoint);
                disjoint.any(|pair| pair == (a, b) || pair == (b, a))
            };
            let mut pairs = (0..parts.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            (parts.len() > 1 && pairs.all(|(i, j)| is_disjoint(parts[i], parts[j])))
                .then_some(parts)
        });
        let Some(parts) = parts else {
            return;
        };
        for at in first..self.size.saturating_sub(1) {
            for which in 0..parts.len() - 1 {
                let earlier = parts[..=which].iter().map(|part| self.is_in(at, *part));
                let earlier = any(earlier.collect(), self.span(parts[which]));
                out.push(implies(self.is_in(at + 1, parts[which]), earlier));
            }
        }
    }

    /// `id` is the element number `at`.
    fn is(&self, id: GlobalId, at: usize) -> Pred {
        let left = global(self.machine, id);
        let right = element(self.sort, at, left.span);
        compare(Compare::Equal, left, right)
    }

    /// The element number `at` belongs to `part`.
    fn is_in(&self, at: usize, part: GlobalId) -> Pred {
        let right = global(self.machine, part);
        let left = element(self.sort, at, right.span);
        compare(Compare::In, left, right)
    }

    fn span(&self, id: GlobalId) -> Span {
        self.machine.globals[id.index()].span
    }
}

/// A constant that is a bijection between deferred sets, and which.
fn bijection(pred: &Pred, machine: &Machine) -> Option<(GlobalId, SortId, SortId)> {
    let PredKind::Compare(Compare::In, function, set) = &pred.kind else {
        return None;
    };
    let ExprKind::Global(id) = function.kind else {
        return None;
    };
    let ExprKind::Binary(Binary::TotalBijections, from, to) = &set.kind else {
        return None;
    };
    let (ExprKind::Carrier(from), ExprKind::Carrier(to)) = (&from.kind, &to.kind) else {
        return None;
    };
    let is_deferred = |sort: SortId| machine.sorts[sort.index()].elements.is_none();
    let is_it = id.index() < machine.n_constants && is_deferred(*from) && is_deferred(*to);
    is_it.then_some((id, *from, *to))
}

/// `f` leads from each element to the one with the same number.
fn straight(machine: &Machine, f: GlobalId, from: SortId, to: SortId, n: usize) -> Pred {
    let f = global(machine, f);
    let ty = Type::Pair(Arc::new(Type::Member(from)), Arc::new(Type::Member(to)));
    let pairs = (0..n).map(|at| {
        let parts = (element(from, at, f.span), element(to, at, f.span));
        let kind = ExprKind::Binary(Binary::Pair, Box::new(parts.0), Box::new(parts.1));
        expr(kind, ty.clone(), f.span)
    });
    let pairs = expr(ExprKind::SetOf(pairs.collect()), f.ty.clone(), f.span);
    compare(Compare::Equal, f, pairs)
}

fn global(machine: &Machine, id: GlobalId) -> Expr {
    let global = &machine.globals[id.index()];
    expr(ExprKind::Global(id), global.ty.clone(), global.span)
}

fn element(sort: SortId, at: usize, span: Span) -> Expr {
    expr(ExprKind::Element(sort, at), Type::Member(sort), span)
}

fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

fn compare(compare: Compare, left: Expr, right: Expr) -> Pred {
    Pred {
        span: left.span,
        kind: PredKind::Compare(compare, Box::new(left), Box::new(right)),
    }
}

fn implies(left: Pred, right: Pred) -> Pred {
    Pred {
        span: left.span,
        kind: PredKind::Implies(Box::new(left), Box::new(right)),
    }
}

/// One of them holds.
fn any(mut all: Vec<Pred>, span: Span) -> Pred {
    match all.len() {
        0 => Pred {
            kind: PredKind::False,
            span,
        },
        1 => all.remove(0),
        _ => Pred {
            kind: PredKind::Or(all),
            span,
        },
    }
}
