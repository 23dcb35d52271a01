//! A machine without the accidents of its text.
//!
//! The [`NormalForm`] of a machine is its tree, with elements replaced as asked, bound variables
//! called by how deep they are bound, and what has no order sorted. Two texts with equal forms mean
//! the same, also where a formula is undefined:
//!
//! - conjuncts and disjuncts are looked at from left to right, and a false one hides that a later
//!   one is undefined; so only neighbours that are always defined change places. So it is with
//!   elements of set extensions and operands of unions and intersections: `{e, f} <: S` is looked
//!   at as `e : S & f : S`, and `e : S \/ T` as `e : S or e : T`;
//! - parallel substitutions are sorted if they assign to different variables; whether those of a
//!   called operation do is not asked;
//! - alternatives of `CASE` are sorted if all their values are literals and no two are the same.
//!
//! Worked example: `a : s & f(a) = 1 & f(b) = 1 & b : s` becomes itself: the first may not pass the
//! second, which is undefined for `a` outside the domain of `f`. Of `b : s & a : s & f(a) = 1` the
//! first two are sorted.

use crate::typed::{
    AssignedVar, Atom, AtomKind, Binary, CallPattern, Expr, ExprKind, LocalId, Machine, Operation,
    Pred, PredKind, Selector, SortId, Subst, SubstKind, Target, Unary,
};
use std::collections::HashSet;

/// A tree that can be compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum NormalForm {
    /// An element of an enumerated set: sort and index.
    Element(usize, usize),
    Number(i64),
    Text(String),
    Node(&'static str, Vec<NormalForm>),
}

impl NormalForm {
    /// Calls `visit` with every element, each time it is met.
    pub(crate) fn visit_elements(&self, visit: &mut dyn FnMut(usize, usize)) {
        match self {
            NormalForm::Element(sort, element) => visit(*sort, *element),
            NormalForm::Node(_, parts) => parts.iter().for_each(|part| part.visit_elements(visit)),
            NormalForm::Number(_) | NormalForm::Text(_) => {}
        }
    }
}

impl NormalForm {
    /// Where two forms differ first: parts of parts, counted from 0.
    pub(crate) fn first_difference(&self, other: &NormalForm) -> Option<Vec<usize>> {
        if self == other {
            return None;
        }
        let (NormalForm::Node(kind, mine), NormalForm::Node(other_kind, others)) = (self, other)
        else {
            return Some(Vec::new());
        };
        let mut parts = mine.iter().zip(others).enumerate();
        let found = parts.find_map(|(n, (a, b))| Some((n, a.first_difference(b)?)));
        match found.filter(|_| kind == other_kind && mine.len() == others.len()) {
            Some((n, rest)) => Some([n].into_iter().chain(rest).collect()),
            None => Some(Vec::new()),
        }
    }
}

/// What elements become.
pub(super) enum ElementNames {
    AsWritten,
    /// Each of the two becomes the other.
    Exchanged(SortId, usize, usize),
    /// Of the elements of the sort, this one becomes the same whichever it is; so do all others.
    Only(SortId, usize),
}

/// The form of a machine and of what it refines.
pub(super) fn form(machine: &Machine, names: &ElementNames) -> NormalForm {
    let mut forms = vec![Former::new(machine, machine, names).machine()];
    let mut refined = machine.refines.as_deref();
    while let Some(inner) = refined {
        forms.push(Former::new(inner, machine, names).machine());
        refined = inner.refines.as_deref();
    }
    NormalForm::Node("machines", forms)
}

/// The form of atoms of a formula of a machine: each by itself, in order.
pub(super) fn atoms(machine: &Machine, atoms: &[Atom], names: &ElementNames) -> NormalForm {
    let mut former = Former::new(machine, machine, names);
    node(
        "atoms",
        atoms
            .iter()
            .map(|atom| former.atom(atom))
            .collect::<Vec<_>>(),
    )
}

struct Former<'a> {
    machine: &'a Machine,
    /// The machine whose sorts the names are about: sorts of others are found by their names.
    main: &'a Machine,
    names: &'a ElementNames,
    /// Bound variables from the outside in.
    bound: Vec<LocalId>,
}

fn node(kind: &'static str, parts: impl IntoIterator<Item = NormalForm>) -> NormalForm {
    NormalForm::Node(kind, parts.into_iter().collect())
}

/// A node whose parts have no order.
fn heap(kind: &'static str, parts: impl IntoIterator<Item = NormalForm>) -> NormalForm {
    let mut parts: Vec<NormalForm> = parts.into_iter().collect();
    parts.sort();
    NormalForm::Node(kind, parts)
}

/// A node whose parts have no order between those that stay where they are: each part comes with
/// whether it may move.
fn runs(kind: &'static str, parts: impl IntoIterator<Item = (NormalForm, bool)>) -> NormalForm {
    let (mut forms, may_move): (Vec<NormalForm>, Vec<bool>) = parts.into_iter().unzip();
    let mut start = 0;
    for end in 0..=forms.len() {
        if may_move.get(end).is_none_or(|may_move| !may_move) {
            forms[start..end].sort();
            start = end + 1;
        }
    }
    NormalForm::Node(kind, forms)
}

fn word(word: impl std::fmt::Debug) -> NormalForm {
    NormalForm::Text(format!("{word:?}"))
}

impl<'a> Former<'a> {
    fn new(machine: &'a Machine, main: &'a Machine, names: &'a ElementNames) -> Former<'a> {
        Former {
            machine,
            main,
            names,
            bound: Vec::new(),
        }
    }

    fn machine(&mut self) -> NormalForm {
        // All fields are named, so that one that is new is not overlooked here.
        let Machine {
            name: _,
            span: _,
            sorts: _,
            globals: _,
            n_constants: _,
            n_abstract: _,
            locals: _,
            properties,
            invariant,
            gluing,
            assertions,
            initialisation,
            operations,
            goal,
            // Looked at by whoever checks them.
            formulas: _,
            settings: _,
            // Has a form of its own.
            refines: _,
        } = self.machine;
        let goal = goal.iter().map(|goal| self.pred(goal));
        let goal = node("goal", goal.collect::<Vec<_>>());
        let operations = operations.iter().map(|o| self.operation(o));
        let operations = node("operations", operations.collect::<Vec<_>>());
        node(
            "machine",
            [
                self.preds("properties", properties),
                self.preds("invariant", invariant),
                self.preds("gluing", gluing),
                self.preds("assertions", assertions),
                self.subst(initialisation),
                operations,
                goal,
            ],
        )
    }

    fn operation(&mut self, operation: &Operation) -> NormalForm {
        let locals = operation.parameters.iter().chain(&operation.results);
        let locals: Vec<LocalId> = locals.copied().collect();
        let n_parameters = NormalForm::Number(operation.parameters.len() as i64);
        self.binding(&locals, |former| {
            node("operation", [n_parameters, former.subst(&operation.body)])
        })
    }

    /// What `inner` makes of what is inside a binder, with the types of the bound variables.
    fn binding(
        &mut self,
        locals: &[LocalId],
        inner: impl FnOnce(&mut Self) -> NormalForm,
    ) -> NormalForm {
        self.bound.extend_from_slice(locals);
        let inside = inner(self);
        self.bound.truncate(self.bound.len() - locals.len());
        let types = locals.iter().map(|local| {
            let local = self.machine.locals.get(local.index());
            word(local.map(|local| &local.ty))
        });
        node("binding", types.chain([inside]))
    }

    /// `LET`: each local is bound after its value.
    fn binding_values(
        &mut self,
        values: &[(LocalId, Expr)],
        inner: impl FnOnce(&mut Self) -> NormalForm,
    ) -> NormalForm {
        let mut forms = Vec::new();
        for (local, value) in values {
            forms.push(self.expr(value));
            self.bound.push(*local);
        }
        forms.push(inner(self));
        self.bound.truncate(self.bound.len() - values.len());
        node("let", forms)
    }

    fn local(&self, local: LocalId) -> NormalForm {
        match self.bound.iter().rposition(|other| *other == local) {
            Some(depth) => node("local", [NormalForm::Number(depth as i64)]),
            None => node("free", [NormalForm::Number(local.index() as i64)]),
        }
    }

    /// The sort and index that an element has in the main machine.
    fn main_element(&self, sort: SortId, element: usize) -> Option<(usize, usize)> {
        let own = &self.machine.sorts[sort.index()];
        let mut sorts = self.main.sorts.iter();
        let sort = sorts.position(|sort| sort.name == own.name)?;
        let main = &self.main.sorts[sort].elements;
        let (Some(own), Some(main)) = (&own.elements, main) else {
            return Some((sort, element));
        };
        let name = own.get(element)?;
        Some((sort, main.iter().position(|other| other == name)?))
    }

    fn element(&self, sort: SortId, element: usize) -> NormalForm {
        let Some((sort, element)) = self.main_element(sort, element) else {
            // Unknown to the main machine, so nobody asks about it.
            let sort = NormalForm::Number(sort.index() as i64);
            return node("hidden element", [sort, NormalForm::Number(element as i64)]);
        };
        match *self.names {
            ElementNames::Exchanged(of, a, b) if of.index() == sort => NormalForm::Element(
                sort,
                match element {
                    _ if element == a => b,
                    _ if element == b => a,
                    _ => element,
                },
            ),
            ElementNames::Only(of, only) if of.index() == sort => {
                if only == element {
                    node("this", [])
                } else {
                    node("another", [])
                }
            }
            _ => NormalForm::Element(sort, element),
        }
    }

    fn atom(&mut self, atom: &Atom) -> NormalForm {
        match &atom.kind {
            AtomKind::Pred(pred) => self.pred(pred),
            AtomKind::Dead => node("dead", []),
            AtomKind::Sink => node("sink", []),
            AtomKind::Enabled(call) => node("enabled", [self.call(call)]),
            AtomKind::Came(call) => node("came", [self.call(call)]),
            AtomKind::Count(count, calls) => {
                let calls: Vec<NormalForm> = calls.iter().map(|call| self.call(call)).collect();
                node("count", [word(count), heap("calls", calls)])
            }
        }
    }

    fn call(&mut self, call: &CallPattern) -> NormalForm {
        let operation = NormalForm::Number(call.operation.index() as i64);
        node(
            "call",
            [operation].into_iter().chain(self.exprs(&call.arguments)),
        )
    }

    fn preds(&mut self, kind: &'static str, preds: &[Pred]) -> NormalForm {
        let forms = preds.iter().map(|pred| (self.pred(pred), is_defined(pred)));
        runs(kind, forms)
    }

    fn pred(&mut self, pred: &Pred) -> NormalForm {
        match &pred.kind {
            PredKind::True => node("true", []),
            PredKind::False => node("false", []),
            PredKind::And(preds) => self.preds("and", preds),
            PredKind::Or(preds) => self.preds("or", preds),
            PredKind::Implies(p, q) => node("implies", [self.pred(p), self.pred(q)]),
            PredKind::Equivalent(p, q) => heap("equivalent", [self.pred(p), self.pred(q)]),
            PredKind::Not(p) => node("not", [self.pred(p)]),
            PredKind::Forall(locals, p) => {
                node("forall", [self.binding(locals, |former| former.pred(p))])
            }
            PredKind::Exists(locals, p) => {
                node("exists", [self.binding(locals, |former| former.pred(p))])
            }
            PredKind::Compare(op, a, b) => {
                let sides = [self.expr(a), self.expr(b)];
                match op {
                    crate::typed::Compare::Equal => heap("equal", sides),
                    _ => node("compare", [word(op)].into_iter().chain(sides)),
                }
            }
            PredKind::Let(values, p) => self.binding_values(values, |former| former.pred(p)),
            PredKind::If(p, q, r) => node("if", [self.pred(p), self.pred(q), self.pred(r)]),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<NormalForm> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> NormalForm {
        match &expr.kind {
            ExprKind::Int(n) => NormalForm::Number(*n),
            ExprKind::Big(n) => node("big", [NormalForm::Text(n.to_string())]),
            ExprKind::Text(text) => node("text", [NormalForm::Text(text.clone())]),
            ExprKind::Bool(yes) => node("bool", [word(yes)]),
            ExprKind::Element(sort, element) => self.element(*sort, *element),
            ExprKind::Global(global) => node("global", [NormalForm::Number(global.index() as i64)]),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Carrier(sort) => node("carrier", [NormalForm::Number(sort.index() as i64)]),
            ExprKind::Known(known) => node("known", [word(known)]),
            ExprKind::Empty => node("empty", [word(&expr.ty)]),
            ExprKind::SetOf(elements) => {
                let elements = elements.iter().map(|e| (self.expr(e), has_value(e)));
                runs("set", elements)
            }
            ExprKind::SeqOf(elements) => node("sequence", self.exprs(elements)),
            ExprKind::Unary(op, a) => node("unary", [word(op), self.expr(a)]),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Comprehension(locals, p) => node(
                "comprehension",
                [self.binding(locals, |former| former.pred(p))],
            ),
            ExprKind::Lambda(locals, p, e) => {
                let inside = |former: &mut Self| node("maps", [former.pred(p), former.expr(e)]);
                node("lambda", [self.binding(locals, inside)])
            }
            ExprKind::Quantified(op, locals, p, e) => {
                let inside = |former: &mut Self| node("over", [former.pred(p), former.expr(e)]);
                node("quantified", [word(op), self.binding(locals, inside)])
            }
            ExprKind::BoolOf(p) => node("bool of", [self.pred(p)]),
            ExprKind::Record(fields) => node("record", self.exprs(fields)),
            ExprKind::Struct(fields) => node("struct", self.exprs(fields)),
            ExprKind::Field(e, n) => node("field", [self.expr(e), NormalForm::Number(*n as i64)]),
            ExprKind::If(p, a, b) => node("if", [self.pred(p), self.expr(a), self.expr(b)]),
            ExprKind::Let(values, e) => self.binding_values(values, |former| former.expr(e)),
        }
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) -> NormalForm {
        if !matches!(op, Binary::Union | Binary::Intersection) {
            return node("binary", [word(op), self.expr(a), self.expr(b)]);
        }
        // All operands of a chain of the same operator.
        let (mut operands, mut waiting) = (Vec::new(), vec![b, a]);
        while let Some(expr) = waiting.pop() {
            match &expr.kind {
                ExprKind::Binary(other, a, b) if *other == op => waiting.extend([&**b, &**a]),
                _ => operands.push((self.expr(expr), has_value(expr))),
            }
        }
        match op {
            Binary::Union => runs("union", operands),
            _ => runs("intersection", operands),
        }
    }

    fn target(&mut self, target: &Target) -> NormalForm {
        let mut parts = vec![self.var(target.var)];
        for step in &target.path {
            parts.push(match step {
                Selector::At(expr) => node("at", [self.expr(expr)]),
                Selector::Field(n) => node("field", [NormalForm::Number(*n as i64)]),
            });
        }
        NormalForm::Node("target", parts)
    }

    fn targets(&mut self, targets: &[Target]) -> NormalForm {
        let targets = targets.iter().map(|target| self.target(target));
        node("targets", targets.collect::<Vec<_>>())
    }

    fn var(&self, var: AssignedVar) -> NormalForm {
        match var {
            AssignedVar::Global(global) => {
                node("global", [NormalForm::Number(global.index() as i64)])
            }
            AssignedVar::Local(local) => self.local(local),
        }
    }

    fn substs(&mut self, substs: &[Subst]) -> Vec<NormalForm> {
        substs.iter().map(|subst| self.subst(subst)).collect()
    }

    fn branches(&mut self, branches: &[(Pred, Subst)]) -> Vec<NormalForm> {
        let branch = |(p, s): &(Pred, Subst)| node("when", [self.pred(p), self.subst(s)]);
        branches.iter().map(branch).collect()
    }

    fn otherwise(&mut self, otherwise: Option<&Subst>) -> NormalForm {
        let otherwise = otherwise.map(|subst| self.subst(subst));
        node("otherwise", otherwise)
    }

    fn subst(&mut self, subst: &Subst) -> NormalForm {
        match &subst.kind {
            SubstKind::Parallel(substs) => {
                if are_apart(substs) {
                    heap("parallel", self.substs(substs))
                } else {
                    node("parallel in order", self.substs(substs))
                }
            }
            SubstKind::Sequence(substs) => node("sequence", self.substs(substs)),
            SubstKind::Pre(p, s) => node("pre", [self.pred(p), self.subst(s)]),
            SubstKind::Assert(p, s) => node("assert", [self.pred(p), self.subst(s)]),
            SubstKind::Select(branches, otherwise) => {
                let branches = heap("branches", self.branches(branches));
                node("select", [branches, self.otherwise(otherwise.as_deref())])
            }
            SubstKind::If(branches, otherwise) => {
                let branches = node("branches", self.branches(branches));
                node("if", [branches, self.otherwise(otherwise.as_deref())])
            }
            SubstKind::Choice(substs) => heap("choice", self.substs(substs)),
            SubstKind::Any(locals, p, s) => {
                let inside = |former: &mut Self| node("any", [former.pred(p), former.subst(s)]);
                self.binding(locals, inside)
            }
            SubstKind::Let(values, s) => self.binding_values(values, |former| former.subst(s)),
            SubstKind::Var(locals, s) => {
                node("var", [self.binding(locals, |former| former.subst(s))])
            }
            SubstKind::Case(e, alternatives, otherwise) => {
                let alternatives = self.alternatives(alternatives);
                let otherwise = self.otherwise(otherwise.as_deref());
                node("case", [self.expr(e), alternatives, otherwise])
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => {
                let (condition, body) = (self.pred(condition), self.subst(body));
                let (invariant, variant) = (self.pred(invariant), self.expr(variant));
                node("while", [condition, body, invariant, variant])
            }
            SubstKind::Call {
                operation,
                arguments,
                results,
            } => {
                let operation = NormalForm::Number(operation.index() as i64);
                let arguments = node("arguments", self.exprs(arguments));
                node("call", [operation, arguments, self.targets(results)])
            }
            SubstKind::Assign(..)
            | SubstKind::BecomesElement(..)
            | SubstKind::BecomesSuch(..)
            | SubstKind::Skip => self.assignment(subst),
        }
    }

    fn assignment(&mut self, subst: &Subst) -> NormalForm {
        match &subst.kind {
            SubstKind::Assign(targets, values) => {
                let targets = self.targets(targets);
                node("assign", [targets].into_iter().chain(self.exprs(values)))
            }
            SubstKind::BecomesElement(targets, e) => {
                node("becomes element", [self.targets(targets), self.expr(e)])
            }
            SubstKind::BecomesSuch(vars, locals, p) => {
                let vars = node("vars", vars.iter().map(|var| self.var(*var)));
                let such = self.binding(locals, |former| former.pred(p));
                node("becomes such", [vars, such])
            }
            _ => node("skip", []),
        }
    }

    fn alternatives(&mut self, alternatives: &[(Vec<Expr>, Subst)]) -> NormalForm {
        let mut seen = HashSet::new();
        // Written as they are: whether two are the same does not depend on how they are called.
        let mut values = alternatives.iter().flat_map(|(values, _)| values);
        let distinct = values.all(|value| literal(value).is_some_and(|l| seen.insert(l)));
        let alternatives = alternatives.iter().map(|(values, subst)| {
            let values = self.exprs(values);
            let values = if distinct {
                heap("values", values)
            } else {
                node("values", values)
            };
            node("alternative", [values, self.subst(subst)])
        });
        let alternatives: Vec<NormalForm> = alternatives.collect();
        if distinct {
            heap("alternatives", alternatives)
        } else {
            node("alternatives in order", alternatives)
        }
    }
}

/// A literal in words.
fn literal(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Big(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Element(..) => Some(format!("{:?}", expr.kind)),
        _ => None,
    }
}

/// Whether no two of these assign to one variable.
fn are_apart(substs: &[Subst]) -> bool {
    let mut all = HashSet::new();
    substs.iter().all(|subst| {
        let mut own = HashSet::new();
        let known = collect_assigned(subst, &mut own);
        known && own.into_iter().all(|var| all.insert(var))
    })
}

/// Adds the variables that a substitution may assign to; `false` if that is not known.
fn collect_assigned(subst: &Subst, out: &mut HashSet<AssignedVar>) -> bool {
    let mut all = |substs: &mut dyn Iterator<Item = &Subst>| {
        let mut known = true;
        substs.for_each(|subst| known &= collect_assigned(subst, out));
        known
    };
    match &subst.kind {
        SubstKind::Skip => true,
        SubstKind::Assign(targets, _) | SubstKind::BecomesElement(targets, _) => {
            out.extend(targets.iter().map(|target| target.var));
            true
        }
        SubstKind::BecomesSuch(vars, _, _) => {
            out.extend(vars);
            true
        }
        SubstKind::Parallel(substs) | SubstKind::Sequence(substs) | SubstKind::Choice(substs) => {
            all(&mut substs.iter())
        }
        SubstKind::Pre(_, s)
        | SubstKind::Assert(_, s)
        | SubstKind::Any(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s)
        | SubstKind::While { body: s, .. } => collect_assigned(s, out),
        SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
            let branches = branches.iter().map(|(_, subst)| subst);
            all(&mut branches.chain(otherwise.as_deref()))
        }
        SubstKind::Case(_, alternatives, otherwise) => {
            let alternatives = alternatives.iter().map(|(_, subst)| subst);
            all(&mut alternatives.chain(otherwise.as_deref()))
        }
        SubstKind::Call { .. } => false,
    }
}

/// Whether a predicate has a truth value whatever variables hold.
fn is_defined(pred: &Pred) -> bool {
    match &pred.kind {
        PredKind::True | PredKind::False => true,
        PredKind::And(preds) | PredKind::Or(preds) => preds.iter().all(is_defined),
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => is_defined(p) && is_defined(q),
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => is_defined(p),
        PredKind::Compare(_, a, b) => has_value(a) && has_value(b),
        PredKind::Let(values, p) => values.iter().all(|(_, e)| has_value(e)) && is_defined(p),
        PredKind::If(p, q, r) => is_defined(p) && is_defined(q) && is_defined(r),
    }
}

/// Whether an expression has a value whatever variables hold.
fn has_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Big(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Element(..)
        | ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Carrier(_)
        | ExprKind::Known(_)
        | ExprKind::Empty => true,
        ExprKind::SetOf(all)
        | ExprKind::SeqOf(all)
        | ExprKind::Record(all)
        | ExprKind::Struct(all) => all.iter().all(has_value),
        ExprKind::Unary(op, a) => is_total_unary(*op) && has_value(a),
        ExprKind::Binary(op, a, b) => is_total_binary(*op) && has_value(a) && has_value(b),
        ExprKind::Comprehension(_, p) | ExprKind::BoolOf(p) => is_defined(p),
        ExprKind::Lambda(_, p, e) => is_defined(p) && has_value(e),
        // Sums may not fit, and there is no intersection of nothing.
        ExprKind::Quantified(..) => false,
        ExprKind::Field(e, _) => has_value(e),
        ExprKind::If(p, a, b) => is_defined(p) && has_value(a) && has_value(b),
        ExprKind::Let(values, e) => values.iter().all(|(_, e)| has_value(e)) && has_value(e),
    }
}

fn is_total_unary(op: Unary) -> bool {
    matches!(
        op,
        Unary::Pow
            | Unary::Pow1
            | Unary::Fin
            | Unary::Fin1
            | Unary::Union
            | Unary::Dom
            | Unary::Ran
            | Unary::Inverse
            | Unary::Id
            | Unary::Fnc
            | Unary::Rel
    )
}

fn is_total_binary(op: Binary) -> bool {
    matches!(
        op,
        Binary::Interval
            | Binary::Pair
            | Binary::Union
            | Binary::Intersection
            | Binary::Difference
            | Binary::Product
            | Binary::Relations
            | Binary::TotalRelations
            | Binary::SurjectiveRelations
            | Binary::TotalSurjectiveRelations
            | Binary::PartialFunctions
            | Binary::TotalFunctions
            | Binary::PartialInjections
            | Binary::TotalInjections
            | Binary::PartialSurjections
            | Binary::TotalSurjections
            | Binary::PartialBijections
            | Binary::TotalBijections
            | Binary::DomainRestrict
            | Binary::DomainSubtract
            | Binary::RangeRestrict
            | Binary::RangeSubtract
            | Binary::Override
            | Binary::Image
    )
}
