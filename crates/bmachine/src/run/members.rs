//! Quantifiers over the elements of a set inside of formulas of temporal logic.
//!
//! `!x.(f)` is the conjunction of `f` over all elements of the type of `x`, a given set or `BOOL`,
//! and `#x.(f)` the disjunction. How many elements a deferred set has is known only when the
//! machine is made ready, so they are written out here, on the typed formula.
//!
//! What is left is a formula whose atoms name single elements, which costs all symmetries that move
//! these. So a formula of linear time that is a conjunction also becomes its conjuncts, and one of
//! branching time that is `!x.(f)` or `#x.(f)`, below `AG` and `AX` too where that says the same,
//! becomes one formula for each element. They are further formulas of the machine, behind those
//! that are asked; of those that symmetries make of each other one is checked ([`carried`]).
//!
//! Worked example: over `S = {a, b}` the formula `G !x.({x : S} => F {x : done})` becomes
//! `G (F {a : done} & F {b : done})`, and its parts are `G F {a : done}` and `G F {b : done}`.
//! Where an exchange of `a` and `b` is a symmetry of the machine, it carries the runs that violate
//! one to those that violate the other.

use super::Program;
use crate::exchange::MachineText;
use crate::temporal::meaning::{linear, temporal};
use crate::temporal::{PathQuantifier, UnaryTemporal};
use crate::typeck::walk::{walk_expr, walk_pred};
use crate::typed::{
    Atom, AtomKind, BuiltinSet, CallPattern, Compare, Expr, ExprKind, Formula, FormulaMembers,
    LocalId, Machine, Pred, PredKind, SortId, Temporal, Type,
};
use base::{Diagnostic, quote};
use std::collections::HashMap;

/// How many atoms a formula may have, written out.
const ATOMS_MAX: usize = 64;
/// How many operators and atoms a formula may have, written out.
const SIZE_MAX: usize = 10_000;
/// How many parts a formula is taken apart into.
const PARTS_MAX: usize = 300;
/// How many elements a set may have for exchanges of two of them to be tried.
const EXCHANGED_MAX: usize = 64;

/// The machine, whose given sets have so many elements, with the quantifiers of all formulas
/// written out, and with the formulas that these consist of behind them.
pub(super) fn written_out(mut machine: Machine, sizes: &[usize]) -> Machine {
    for n in 0..machine.formulas.len() {
        let asked = &machine.formulas[n];
        let Ok(body) = &asked.body else {
            continue;
        };
        if !body.is_quantified() {
            continue;
        }
        let body = if asked.is_linear {
            body.clone()
        } else {
            body.to_the_front()
        };
        let copier = Copier {
            machine: &machine,
            sizes,
        };
        let whole = copier.whole(asked, &body);
        let parts = match (&whole.body, asked.is_linear) {
            (_, false) => copier.instances(asked, &body),
            (Ok(_), true) => conjuncts(&whole),
            (Err(_), true) => Vec::new(),
        };
        let first = machine.formulas.len();
        let members = parts_of(&body, asked.is_linear, &machine);
        machine.formulas[n] = Formula {
            parts: first..first + parts.len(),
            members: members.filter(|_| !parts.is_empty()),
            ..whole
        };
        machine.formulas.extend(parts);
    }
    machine
}

/// Of whom a formula is asked, if a quantifier is what it begins with.
fn parts_of(body: &Temporal, is_linear: bool, machine: &Machine) -> Option<FormulaMembers> {
    match body {
        Temporal::Quantified(all, local, _) if !is_linear => Some(FormulaMembers {
            all: *all == PathQuantifier::All,
            name: machine.locals[local.index()].name.clone(),
        }),
        _ => None,
    }
}

/// The conjuncts of a formula of linear time, with the atoms that each needs.
fn conjuncts(whole: &Formula) -> Vec<Formula> {
    let Ok(body) = &whole.body else {
        return Vec::new();
    };
    let all = linear(body).conjuncts(PARTS_MAX);
    if all.len() < 2 {
        return Vec::new();
    }
    let parts = all.iter().map(|part| {
        let (atoms, part) = part.renumbered();
        let atoms = atoms.iter().map(|n| whole.atoms[*n as usize].clone());
        Formula {
            body: Ok(temporal(&part)),
            atoms: atoms.collect(),
            is_part: true,
            ..whole.clone()
        }
    });
    parts.collect()
}

/// The elements that bound variables stand for.
type Chosen = Vec<(LocalId, Expr)>;

/// Writes formulas of a machine out.
struct Copier<'m> {
    machine: &'m Machine,
    sizes: &'m [usize],
}

/// A formula that is being written out.
struct Copy<'m> {
    copier: &'m Copier<'m>,
    asked: &'m Formula,
    atoms: Vec<Atom>,
    /// The atoms that came of an atom and the elements of its bound variables.
    known: HashMap<(usize, Vec<String>), usize>,
    size: usize,
}

impl Copier<'_> {
    /// The formula without quantifiers.
    fn whole(&self, asked: &Formula, body: &Temporal) -> Formula {
        self.with(asked, body, &mut Vec::new())
    }

    /// One formula for each element that the quantifier in front is about.
    fn instances(&self, asked: &Formula, body: &Temporal) -> Vec<Formula> {
        let Temporal::Quantified(_, local, inside) = body else {
            return Vec::new();
        };
        let each = self.elements(*local).into_iter().map(|element| {
            let part = self.with(asked, inside, &mut vec![(*local, element)]);
            Formula {
                is_part: true,
                ..part
            }
        });
        each.collect()
    }

    fn with(&self, asked: &Formula, body: &Temporal, chosen: &mut Chosen) -> Formula {
        let mut copy = Copy {
            copier: self,
            asked,
            atoms: Vec::new(),
            known: HashMap::new(),
            size: 0,
        };
        let body = copy.of(body, chosen);
        Formula {
            body,
            atoms: copy.atoms,
            ..asked.clone()
        }
    }

    /// All that a bound variable can be.
    fn elements(&self, local: LocalId) -> Vec<Expr> {
        let local = &self.machine.locals[local.index()];
        let of = |kind| Expr {
            kind,
            ty: local.ty.clone(),
            span: local.span,
        };
        match local.ty {
            Type::Member(sort) => {
                let all = 0..self.sizes[sort.index()];
                all.map(|n| of(ExprKind::Element(sort, n))).collect()
            }
            _ => [false, true].map(|b| of(ExprKind::Bool(b))).to_vec(),
        }
    }

    /// An element in words.
    fn words(&self, element: &Expr) -> String {
        match element.kind {
            ExprKind::Element(sort, n) => {
                let sort = &self.machine.sorts[sort.index()];
                let named = sort.elements.as_ref().and_then(|all| all.get(n).cloned());
                named.unwrap_or_else(|| format!("{}{}", sort.name, n + 1))
            }
            ExprKind::Bool(value) => if value { "TRUE" } else { "FALSE" }.to_owned(),
            _ => String::new(),
        }
    }
}

impl Copy<'_> {
    fn of(&mut self, formula: &Temporal, chosen: &mut Chosen) -> Result<Temporal, Diagnostic> {
        self.size += 1;
        if self.size > SIZE_MAX {
            let message = format!("written out this is more than {SIZE_MAX} parts");
            return Err(Diagnostic::error(self.asked.span, message));
        }
        let mut one = |f: &Temporal| Ok(Box::new(self.of(f, chosen)?));
        Ok(match formula {
            Temporal::Constant(value) => Temporal::Constant(*value),
            Temporal::Atom(n) => return self.atom(*n, chosen),
            Temporal::Not(f) => Temporal::Not(one(f)?),
            Temporal::And(f, g) => Temporal::And(one(f)?, one(g)?),
            Temporal::Or(f, g) => Temporal::Or(one(f)?, one(g)?),
            Temporal::Implies(f, g) => match (*one(f)?, one(g)?) {
                (Temporal::Constant(true), g) => *g,
                (Temporal::Constant(false), _) => Temporal::Constant(true),
                (f, g) => Temporal::Implies(Box::new(f), g),
            },
            Temporal::Iff(f, g) => Temporal::Iff(one(f)?, one(g)?),
            Temporal::Unary(path, unary, f) => Temporal::Unary(*path, *unary, one(f)?),
            Temporal::Binary(path, binary, f, g) => {
                Temporal::Binary(*path, *binary, one(f)?, one(g)?)
            }
            Temporal::Quantified(quantifier, local, f) => {
                let is_all = *quantifier == PathQuantifier::All;
                let mut whole = Temporal::Constant(is_all);
                for element in self.copier.elements(*local) {
                    chosen.push((*local, element));
                    let next = self.of(f, chosen);
                    chosen.pop();
                    whole = match (whole, next?) {
                        (Temporal::Constant(value), next) if value == is_all => next,
                        (whole, next) if is_all => Temporal::And(Box::new(whole), Box::new(next)),
                        (whole, next) => Temporal::Or(Box::new(whole), Box::new(next)),
                    };
                }
                whole
            }
        })
    }

    /// An atom about the chosen elements.
    fn atom(&mut self, n: usize, chosen: &Chosen) -> Result<Temporal, Diagnostic> {
        let atom = &self.asked.atoms[n];
        let (kind, used) = about(&atom.kind, chosen);
        if let AtomKind::Pred(pred) = &kind
            && let Some(value) = plain_value(pred)
        {
            return Ok(Temporal::Constant(value));
        }
        let words = used.iter().map(|at| self.copier.words(&chosen[*at].1));
        let words: Vec<String> = words.collect();
        let key = (n, words.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(Temporal::Atom(*known));
        }
        if self.atoms.len() == ATOMS_MAX {
            let message = format!("written out this has more than {ATOMS_MAX} different parts");
            return Err(Diagnostic::error(self.asked.span, message));
        }
        let mut text = atom.text.clone();
        for (at, words) in used.iter().zip(&words) {
            let name = &self.copier.machine.locals[chosen[*at].0.index()].name;
            text = replaced(&text, name, words);
        }
        self.atoms.push(Atom {
            kind,
            text,
            span: atom.span,
        });
        self.known.insert(key, self.atoms.len() - 1);
        Ok(Temporal::Atom(self.atoms.len() - 1))
    }
}

/// What an atom says of the chosen elements, and which of them it is about.
fn about(kind: &AtomKind, chosen: &Chosen) -> (AtomKind, Vec<usize>) {
    let mut used = Vec::new();
    let mut each = |expr: &mut Expr| {
        if let ExprKind::Local(local) = expr.kind
            && let Some(at) = chosen.iter().position(|(bound, _)| *bound == local)
        {
            expr.kind = chosen[at].1.kind.clone();
            if !used.contains(&at) {
                used.push(at);
            }
        }
    };
    let mut kind = kind.clone();
    let mut called = |call: &mut CallPattern| {
        let all = call.arguments.iter_mut();
        all.for_each(|argument| walk_expr(argument, &mut each));
    };
    match &mut kind {
        AtomKind::Pred(pred) => walk_pred(pred, &mut each),
        AtomKind::Enabled(call) | AtomKind::Came(call) => called(call),
        AtomKind::Count(_, calls) => calls.iter_mut().for_each(called),
        AtomKind::Dead | AtomKind::Sink => {}
    }
    used.sort_unstable();
    (kind, used)
}

/// The value of what says only of which set an element is one.
fn plain_value(pred: &Pred) -> Option<bool> {
    let same = |a: &Expr, b: &Expr| match (&a.kind, &b.kind) {
        (ExprKind::Element(s, a), ExprKind::Element(t, b)) => Some((s, a) == (t, b)),
        (ExprKind::Bool(a), ExprKind::Bool(b)) => Some(a == b),
        _ => None,
    };
    match &pred.kind {
        PredKind::True => Some(true),
        PredKind::False => Some(false),
        PredKind::Not(pred) => plain_value(pred).map(|value| !value),
        PredKind::And(all) => {
            let mut values = all.iter().map(plain_value);
            values.try_fold(true, |so_far, value| Some(so_far & value?))
        }
        PredKind::Compare(Compare::Equal, a, b) => same(a, b),
        PredKind::Compare(Compare::In, a, set) => match (&a.kind, &set.kind) {
            (ExprKind::Element(sort, _), ExprKind::Carrier(of)) if sort == of => Some(true),
            (ExprKind::Bool(_), ExprKind::Known(BuiltinSet::Bool)) => Some(true),
            (_, ExprKind::SetOf(all)) => {
                let mut values = all.iter().map(|b| same(a, b));
                values.try_fold(false, |so_far, value| Some(so_far | value?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The text with another word in the place of a name.
fn replaced(text: &str, name: &str, words: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let n = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let n = match n {
            Some(0) => c.len_utf8(),
            Some(n) => n,
            None => rest.len(),
        };
        out.push_str(if &rest[..n] == name {
            words
        } else {
            &rest[..n]
        });
        rest = &rest[n..];
    }
    out
}

impl Temporal {
    /// Whether a quantifier over elements is in it.
    fn is_quantified(&self) -> bool {
        match self {
            Temporal::Constant(_) | Temporal::Atom(_) => false,
            Temporal::Quantified(..) => true,
            Temporal::Not(f) | Temporal::Unary(_, _, f) => f.is_quantified(),
            Temporal::And(f, g)
            | Temporal::Or(f, g)
            | Temporal::Implies(f, g)
            | Temporal::Iff(f, g)
            | Temporal::Binary(_, _, f, g) => f.is_quantified() || g.is_quantified(),
        }
    }

    /// A `!x` that stands below `AG` alone, in front of it.
    fn to_the_front(&self) -> Temporal {
        let (path, unary) = (Some(PathQuantifier::All), UnaryTemporal::Globally);
        match self {
            Temporal::Unary(p, u, f) if (*p, *u) == (path, unary) => match f.to_the_front() {
                Temporal::Quantified(PathQuantifier::All, local, f) => {
                    let f = Temporal::Unary(path, unary, f);
                    Temporal::Quantified(PathQuantifier::All, local, Box::new(f))
                }
                f => Temporal::Unary(path, unary, Box::new(f)),
            },
            f => f.clone(),
        }
    }
}

/// Which of these formulas of a machine have the same answer: classes of places in the list.
///
/// # Requires
/// All ask the same of their atoms, and each symmetry of the machine is one of its runs.
pub(crate) fn carried(program: &Program, formulas: &[usize]) -> Vec<Vec<usize>> {
    let machine = program.machine();
    let text = MachineText::new(machine);
    let asked: Vec<&Formula> = formulas.iter().map(|n| &machine.formulas[*n]).collect();
    let mut class_of: Vec<usize> = (0..asked.len()).collect();
    let shape = |formula: &Formula| formula.body.as_ref().map(|body| format!("{body:?}")).ok();
    let shapes: Vec<Option<String>> = asked.iter().map(|formula| shape(formula)).collect();
    for (index, sort) in program.signature().sorts.iter().enumerate() {
        let n_members = sort.members.len().min(EXCHANGED_MAX);
        let pairs = (0..n_members).flat_map(|b| (0..b).map(move |a| (a, b)));
        for (a, b) in pairs {
            let id = SortId::new(index);
            if model::values::Text::exchange(&text, id, a, b).is_err() {
                continue;
            }
            for i in 0..asked.len() {
                let fits = |j: &usize| {
                    shapes[i].is_some()
                        && shapes[i] == shapes[*j]
                        && text.carries(asked[i], asked[*j], id, [a, b])
                };
                if let Some(j) = (0..asked.len()).find(fits) {
                    let [old, new] = [class_of[i], class_of[j]];
                    let all = class_of.iter_mut().filter(|class| **class == old);
                    all.for_each(|class| *class = new);
                }
            }
        }
    }
    let mut classes: Vec<Vec<usize>> = vec![Vec::new(); asked.len()];
    for (n, class) in class_of.into_iter().enumerate() {
        classes[class].push(n);
    }
    classes.retain(|class| !class.is_empty());
    classes
}

/// Why a bound variable of this type cannot be written out.
pub(crate) fn not_finite(name: &str, ty: &Type) -> Option<String> {
    let is_finite = matches!(ty, Type::Member(_) | Type::Bool);
    (!is_finite).then(|| {
        let name = quote(name);
        format!("{name} must be an element of a given set, or of BOOL, to be bound in a formula")
    })
}
