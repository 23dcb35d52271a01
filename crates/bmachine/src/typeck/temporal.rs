//! Formulas of temporal logic over a machine: names and types of what they say of single states.
//!
//! A formula whose parts are wrong is no reason to refuse the machine: what is wrong is told at its
//! place, and the formula says that it is not checked. One that was typed is refused.
//!
//! Runs may end, in a state where nothing is enabled; then there is no next state, and no next
//! step. Searches go on for ever in the last state instead. So `X f` becomes `not dead & X f`, and
//! `[op]` becomes `not dead & X came`, where `came` is true in a state that a step of `op` led to.
//! All other operators mean the same of both.
//!
//! | written | becomes |
//! |---|---|
//! | `X f`, `EX f` | `not dead & X f`, `not dead & EX f` |
//! | `AX f` | `dead or AX f` |
//! | `[op]`, `EX[op] f` | `not dead & X came`, `not dead & EX (came & f)` |
//! | `Y f` | `(Y dead) S (not Y dead & Y f)`: what it was when the run ended |
//! | `WF(op)` | `G F (not e(op) or [op])` |
//! | `SF(op)` | `G F e(op) => G F [op]` |
//!
//! Where fairness is all that is on the left of an implication that is the whole formula
//! (`WF(op) & SEF => f`), it does not become part of the formula: only runs that are fair are then
//! looked at. There `WEF` and `SEF` are about each kind of steps, `op` with its arguments and
//! results; elsewhere they are about each operation.
//!
//! Names of elements of deferred sets (`Code2`) are known here, although the machine has none.

use super::scope::{self, Entity, NameScope};
use super::{Checker, GlobalRole, Reported, TypeResult};
use crate::ast::{self, ExprKind};
use crate::run::members::not_finite;
use crate::temporal::{
    BinaryTemporal, Fair, FormulaTree, ParsedFormula, PathQuantifier, StateFormula, UnaryTemporal,
};
use crate::typed::{
    Atom, AtomKind, CallPattern, Expr, Formula, GlobalId, LocalId, OperationId, Pred, SortId,
    Temporal,
};
use base::{Diagnostic, Severity, Span, quote};
use std::collections::HashMap;
use std::sync::Arc;

/// How many atoms a formula may have.
const ATOMS_MAX: usize = 64;

/// What is made of one formula.
struct CheckedFormula<'a> {
    scope: NameScope<'a>,
    text: &'a str,
    span: Span,
    /// The definition `GOAL`.
    goal: Option<Pred>,
    atoms: Vec<Atom>,
    /// What is bound around what is looked at.
    n_bound: usize,
    /// All that is bound somewhere.
    bound: Vec<LocalId>,
}

impl<'a> Checker<'a, '_> {
    /// The formulas that are asked of the machine.
    pub(super) fn formulas(&mut self, goal: Option<&Pred>) -> Vec<Formula> {
        let project = self.project;
        let all = project.asked.iter();
        all.map(|asked| self.asked_formula(asked, goal)).collect()
    }

    fn asked_formula(&mut self, asked: &'a ParsedFormula, goal: Option<&Pred>) -> Formula {
        let before = std::mem::take(self.found);
        let (n_errors, n_locals) = (self.n_errors, self.locals.len());
        let n_fields = self.fields.len();
        let mut made = CheckedFormula {
            scope: self.scope_of_formula(asked),
            text: &asked.text,
            span: asked.span,
            goal: goal.cloned(),
            atoms: Vec::new(),
            n_bound: 0,
            bound: Vec::new(),
        };
        let mut fair = Vec::new();
        let body = match &asked.tree {
            Some(tree) => {
                let rest = self.without_fairness(asked.is_linear, tree, &mut fair, &mut made);
                rest.and_then(|tree| self.temporal(tree, &mut made))
            }
            None => Err(Reported),
        };
        self.answer_all();
        self.bound_are_finite(&made.bound);
        let is_good = body.is_ok() && self.n_errors == n_errors && self.all_have_types();
        let inside = std::mem::replace(self.found, before);
        let inside: Vec<Diagnostic> = inside.sorted();
        let wrong: Vec<Diagnostic> = asked.wrong.iter().cloned().chain(inside).collect();
        self.n_errors = n_errors;
        let body = match body.ok().filter(|_| is_good) {
            Some(body) => Ok(body),
            None => {
                self.locals.truncate(n_locals);
                self.fields.truncate(n_fields);
                made.atoms.clear();
                fair.clear();
                let first = wrong.iter().find(|why| why.severity == Severity::Error);
                let unreadable = || Diagnostic::error(asked.span, "it cannot be read");
                Err(first.cloned().unwrap_or_else(unreadable))
            }
        };
        self.tell_wrong(asked, wrong);
        Formula {
            name: asked.name.clone(),
            is_linear: asked.is_linear,
            text: asked.text.clone(),
            span: asked.span,
            body,
            fair,
            atoms: made.atoms,
            parts: 0..0,
            members: None,
            is_part: false,
        }
    }

    /// Refuses bound variables that can be too much.
    fn bound_are_finite(&mut self, bound: &[LocalId]) {
        for local in bound {
            let local = &self.locals[local.index()];
            let (ty, span) = (self.types.resolved(local.ty), local.span);
            if let Some(message) = not_finite(&local.name, &ty)
                && self.types.is_whole(local.ty)
            {
                self.error(span, message);
            }
        }
    }

    /// What is left of `fair => f`, where `fair` says nothing but to what runs are fair: that
    /// becomes a condition on runs, since automata for it are very large.
    fn without_fairness(
        &mut self,
        is_linear: bool,
        tree: &'a FormulaTree,
        fair: &mut Vec<(Fair, Option<CallPattern>)>,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<&'a FormulaTree> {
        let (FormulaTree::Implies(condition, rest), true) = (tree, is_linear) else {
            return Ok(tree);
        };
        let (mut open, mut leaves) = (vec![&**condition], Vec::new());
        while let Some(part) = open.pop() {
            match part {
                FormulaTree::And(a, b) => open.extend([&**b, &**a]),
                FormulaTree::Leaf(StateFormula::Fair(strength, step), _) => {
                    leaves.push((*strength, step))
                }
                _ => return Ok(tree),
            }
        }
        for (strength, step) in leaves {
            let call = match step {
                Some(step) => Some(self.steps(step, made)?),
                None => None,
            };
            fair.push((strength, call));
        }
        // `WEF => (SEF => f)` asks for both.
        self.without_fairness(is_linear, rest, fair, made)
    }

    /// Tells what is wrong with a formula: as a warning if the machine is good without it.
    fn tell_wrong(&mut self, asked: &ParsedFormula, wrong: Vec<Diagnostic>) {
        for mut why in wrong {
            if !asked.is_typed && why.severity == Severity::Error {
                why.severity = Severity::Warning;
                why = why.note(format!("so {} is not checked", quote(&asked.name)));
            }
            self.n_errors += usize::from(why.severity == Severity::Error);
            self.found.push(why);
        }
    }

    /// The names of the machine, and those of elements of deferred sets that the formula uses.
    fn scope_of_formula(&self, asked: &ParsedFormula) -> NameScope<'a> {
        let mut names: HashMap<Arc<str>, Entity<'a>> = HashMap::new();
        let words = asked.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        for word in words {
            let prefix = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = word[prefix.len()..].parse::<usize>().ok();
            let sort = self
                .sorts
                .iter()
                .position(|sort| sort.name == prefix && sort.elements.is_none());
            let is_known = self.instances[0].entity(word).is_some();
            if let (Some(sort), Some(n), false) = (sort, number, is_known)
                && n > 0
            {
                names.insert(word.into(), Entity::Element(SortId::new(sort), n - 1));
            }
        }
        scope::with(&scope::of_instance(0), names)
    }

    fn temporal(
        &mut self,
        tree: &'a FormulaTree,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let mut two = |a: &'a FormulaTree,
                       b: &'a FormulaTree|
         -> TypeResult<(Box<Temporal>, Box<Temporal>)> {
            let a = self.temporal(a, made)?;
            Ok((Box::new(a), Box::new(self.temporal(b, made)?)))
        };
        Ok(match tree {
            FormulaTree::Constant(value) => Temporal::Constant(*value),
            FormulaTree::And(a, b) => two(a, b).map(|(a, b)| Temporal::And(a, b))?,
            FormulaTree::Or(a, b) => two(a, b).map(|(a, b)| Temporal::Or(a, b))?,
            FormulaTree::Implies(a, b) => two(a, b).map(|(a, b)| Temporal::Implies(a, b))?,
            FormulaTree::Iff(a, b) => two(a, b).map(|(a, b)| Temporal::Iff(a, b))?,
            FormulaTree::Binary(path, binary, a, b) => {
                two(a, b).map(|(a, b)| Temporal::Binary(*path, *binary, a, b))?
            }
            FormulaTree::Not(f) => not(self.temporal(f, made)?),
            FormulaTree::Unary(path, UnaryTemporal::Next, f) => {
                let f = self.temporal(f, made)?;
                let dead = self.atom(AtomKind::Dead, "deadlock", made.span, made)?;
                let next = Temporal::Unary(*path, UnaryTemporal::Next, Box::new(f));
                match path {
                    Some(PathQuantifier::All) => Temporal::Or(Box::new(dead), Box::new(next)),
                    Some(PathQuantifier::Some) | None => and(not(dead), next),
                }
            }
            FormulaTree::Unary(path, unary, f) => {
                let f = self.temporal(f, made)?;
                if *unary == UnaryTemporal::Yesterday {
                    let dead = self.atom(AtomKind::Dead, "deadlock", made.span, made)?;
                    return Ok(yesterday(f, dead));
                }
                Temporal::Unary(*path, *unary, Box::new(f))
            }
            FormulaTree::ByStep(step, f, span) => {
                let f = self.temporal(f, made)?;
                self.by_step(step, Some((PathQuantifier::Some, f)), *span, made)?
            }
            FormulaTree::Leaf(leaf, span) => self.leaf(leaf, *span, made)?,
            FormulaTree::Quantified(quantifier, name, f) => {
                let (locals, inside) =
                    self.bind(std::slice::from_ref(name), false, &made.scope.clone())?;
                let around = std::mem::replace(&mut made.scope, inside);
                made.n_bound += 1;
                let f = self.temporal(f, made);
                made.n_bound -= 1;
                made.scope = around;
                made.bound.extend(&locals);
                Temporal::Quantified(*quantifier, locals[0], Box::new(f?))
            }
        })
    }

    /// The next step is one of these, and leads to `f` in at least one way.
    fn by_step(
        &mut self,
        step: &'a ast::Expr,
        f: Option<(PathQuantifier, Temporal)>,
        span: Span,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let call = self.steps(step, made)?;
        self.next_step(call, f, span, made)
    }

    fn next_step(
        &mut self,
        call: CallPattern,
        f: Option<(PathQuantifier, Temporal)>,
        span: Span,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let words = self.words_of(&call);
        let dead = self.atom(AtomKind::Dead, "deadlock", span, made)?;
        let came = self.atom(AtomKind::Came(call), &format!("after {words}"), span, made)?;
        let (path, came) = match f {
            None => (None, came),
            Some((path, f)) => (Some(path), and(came, f)),
        };
        let next = Temporal::Unary(path, UnaryTemporal::Next, Box::new(came));
        Ok(and(not(dead), next))
    }

    fn leaf(
        &mut self,
        leaf: &'a StateFormula,
        span: Span,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let words = made.words(span);
        let kind = match leaf {
            StateFormula::Pred(formula) => {
                let pred = self.pred(formula, &made.scope.clone())?;
                self.no_abstract(&pred, span)?;
                AtomKind::Pred(pred)
            }
            StateFormula::Goal => match made.goal.clone() {
                Some(goal) => AtomKind::Pred(goal),
                None => return Err(self.error(span, "there is no definition GOAL")),
            },
            StateFormula::Enabled(step) => AtomKind::Enabled(self.steps(step, made)?),
            StateFormula::Count(count, steps) => {
                let calls: TypeResult<Vec<CallPattern>> =
                    steps.iter().map(|step| self.steps(step, made)).collect();
                AtomKind::Count(*count, calls?)
            }
            StateFormula::Dead => AtomKind::Dead,
            StateFormula::Sink => AtomKind::Sink,
            StateFormula::Next(step) => return self.by_step(step, None, span, made),
            StateFormula::Fair(fair, Some(step)) => {
                let call = self.steps(step, made)?;
                return self.fair(*fair, call, span, made);
            }
            StateFormula::Fair(fair, None) => {
                let public = self.operations.iter().enumerate();
                let public: Vec<usize> = public
                    .filter(|(_, o)| o.is_public)
                    .map(|(n, _)| n)
                    .collect();
                let mut all = Temporal::Constant(true);
                for n in public {
                    let call = CallPattern {
                        operation: OperationId::new(n),
                        arguments: Vec::new(),
                    };
                    let next = self.fair(*fair, call, span, made)?;
                    all = match all {
                        Temporal::Constant(true) => next,
                        all => and(all, next),
                    };
                }
                return Ok(all);
            }
        };
        self.atom(kind, &words, span, made)
    }

    /// A run is fair to steps.
    fn fair(
        &mut self,
        fair: Fair,
        call: CallPattern,
        span: Span,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let words = format!("e({})", self.words_of(&call));
        let enabled = self.atom(AtomKind::Enabled(call.clone()), &words, span, made)?;
        let taken = self.next_step(call, None, span, made)?;
        let often = |f: Temporal| {
            let f = Temporal::Unary(None, UnaryTemporal::Finally, Box::new(f));
            Temporal::Unary(None, UnaryTemporal::Globally, Box::new(f))
        };
        Ok(match fair {
            Fair::Weak => often(Temporal::Or(Box::new(not(enabled)), Box::new(taken))),
            Fair::Strong => Temporal::Implies(Box::new(often(enabled)), Box::new(often(taken))),
        })
    }

    /// The operation, and first arguments, that a text names.
    fn steps(
        &mut self,
        step: &'a ast::Expr,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<CallPattern> {
        let (name, arguments): (_, &'a [ast::Expr]) = match &step.kind {
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Apply(function, arguments) => match &function.kind {
                ExprKind::Name(name) => (name, arguments),
                _ => return Err(self.error(step.span, "this is no operation")),
            },
            _ => return Err(self.error(step.span, "this is no operation")),
        };
        let operation = self.instances[0].operation(&name.text);
        let public = operation.filter(|id| self.operations[id.index()].is_public);
        let Some(operation) = public else {
            let message = format!("there is no operation {}", quote(&name.text));
            return Err(self.error(name.span, message));
        };
        let parameters = self.operations[operation.index()].parameters.clone();
        if arguments.len() > parameters.len() {
            let n = parameters.len();
            let message = format!("{} has {n} parameters", quote(&name.text));
            return Err(self.error(step.span, message));
        }
        let scope = made.scope.clone();
        let mut values = Vec::new();
        for (argument, parameter) in arguments.iter().zip(parameters) {
            let ty = self.ty_of_local(parameter);
            values.push(self.expr_of(argument, ty, &scope)?);
        }
        Ok(CallPattern {
            operation,
            arguments: values,
        })
    }

    fn words_of(&self, call: &CallPattern) -> String {
        self.operations[call.operation.index()].name.clone()
    }

    /// An atom, which gets a number; only those without arguments and predicates are found again.
    fn atom(
        &mut self,
        kind: AtomKind,
        words: &str,
        span: Span,
        made: &mut CheckedFormula<'a>,
    ) -> TypeResult<Temporal> {
        let is_same = |other: &Atom| match (&other.kind, &kind) {
            (AtomKind::Dead, AtomKind::Dead) | (AtomKind::Sink, AtomKind::Sink) => true,
            // Below a quantifier the same words may be about something else.
            (AtomKind::Pred(_), AtomKind::Pred(_)) => made.n_bound == 0 && other.text == words,
            (AtomKind::Enabled(a), AtomKind::Enabled(b))
            | (AtomKind::Came(a), AtomKind::Came(b)) => {
                a.operation == b.operation && a.arguments.is_empty() && b.arguments.is_empty()
            }
            _ => false,
        };
        if let Some(known) = made.atoms.iter().position(is_same) {
            return Ok(Temporal::Atom(known));
        }
        if made.atoms.len() == ATOMS_MAX {
            let message = format!("a formula has at most {ATOMS_MAX} different parts");
            return Err(self.error(span, message));
        }
        made.atoms.push(Atom {
            kind,
            text: words.to_owned(),
            span,
        });
        Ok(Temporal::Atom(made.atoms.len() - 1))
    }

    /// Refuses a predicate about variables that states do not hold.
    fn no_abstract(&mut self, pred: &Pred, span: Span) -> TypeResult<()> {
        let mut hidden = None;
        let globals = &self.globals;
        super::walk::walk_pred(&mut pred.clone(), &mut |expr: &mut Expr| {
            if let crate::typed::ExprKind::Global(id) = &expr.kind {
                let id: &GlobalId = id;
                let global = &globals[id.index()];
                if global.role == GlobalRole::Abstract {
                    hidden = Some(global.name.clone());
                }
            }
        });
        match hidden {
            None => Ok(()),
            Some(name) => {
                let message = format!("{} is no variable of the refinement", quote(&name));
                Err(self.error(span, message))
            }
        }
    }
}

impl CheckedFormula<'_> {
    /// The text at a place, if that is known; the whole otherwise.
    fn words(&self, span: Span) -> String {
        let quotes = (self.span.range().len() - self.text.len().min(self.span.range().len())) / 2;
        let from = (span.start as usize).checked_sub(self.span.start as usize + quotes);
        let words = from.and_then(|from| self.text.get(from..from + span.range().len()));
        words.unwrap_or(self.text).to_owned()
    }
}

fn not(f: Temporal) -> Temporal {
    Temporal::Not(Box::new(f))
}

/// Whether `f` was so at the moment before; from the end of a run on, what that was at the end.
fn yesterday(f: Temporal, dead: Temporal) -> Temporal {
    let before = |f: Temporal| Temporal::Unary(None, UnaryTemporal::Yesterday, Box::new(f));
    let ended = before(dead);
    let was = and(not(ended.clone()), before(f));
    Temporal::Binary(None, BinaryTemporal::Since, Box::new(ended), Box::new(was))
}

fn and(f: Temporal, g: Temporal) -> Temporal {
    Temporal::And(Box::new(f), Box::new(g))
}
