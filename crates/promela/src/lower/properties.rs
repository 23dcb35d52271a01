//! Formulas and never claims: what is asked of infinite runs.
//!
//! The parts of a formula without temporal operators become atoms, as large as they can be. A claim
//! is built as a process is, statement by statement, and then read as an automaton: each location
//! is a state, each condition a literal, `else` the negation of the conditions beside it, and the
//! end of the claim is a bad state.
//!
//! Worked example: `never { do :: p :: !p -> break od; accept: do :: !p od }` has two states. At
//! the first, `p` leads back and `!p` on to the second, which accepts and is left by `!p` to
//! itself.

use super::Lower;
use super::table::StepTable;
use super::uses::visit_expr;
use crate::ast;
use crate::place::Place;
use crate::typed::{Expr as TypedExpr, ExprKind, Formula as TypedFormula, ProcessKind};
use base::{Diagnostic, Sources, Span, quote};
use model::processes::expr::{Binary, Expr, ExprId, Instance, Owner, Unary, operands};
use model::processes::layout::KindId;
use model::processes::program::{Action, Location, ProctypeId, StepId};
use model::processes::property::{Body, Index, Kind, Property};
use system::claim::{Claim, ClaimEdge, ClaimState};
use system::formula::Formula;

/// The most states of a claim.
const STATES_MAX: usize = u16::MAX as usize - 1;

/// The properties of a model: claims first, then formulas, in the order of the text.
pub(super) fn properties(lower: &mut Lower<'_>, sources: &Sources) -> Vec<Property> {
    let typed = lower.typed;
    let mut all = Vec::new();
    lower.context = 0;
    for process in typed
        .processes
        .iter()
        .filter(|p| p.kind == ProcessKind::Never)
    {
        let mut atoms = Atoms::default();
        if let Some(claim) = claim(lower, process, &mut atoms) {
            let body = Body::Claim(claim);
            let span = outermost(lower, process.name.place);
            all.push(property(sources, &process.name.text, span, atoms, body));
        }
    }
    for TypedFormula {
        name,
        place,
        index,
        formula,
    } in &typed.formulas
    {
        let mut atoms = Atoms::default();
        let mut is_nested = false;
        visit_expr(formula, &mut |e| {
            is_nested |= matches!(e.kind, ExprKind::Member(..));
        });
        // Parts of such a formula are told one by one.
        atoms.members.extend(index.clone().filter(|_| is_nested));
        let body = Body::Formula(temporal(lower, sources, formula, &mut atoms));
        let index = index.as_ref().map(|index| Index {
            name: index.name.to_string(),
            value: index.value,
        });
        let span = outermost(lower, *place);
        all.push(Property {
            index,
            ..property(sources, name, span, atoms, body)
        });
    }
    all
}

/// Refuses atoms that read `timeout`, which is a fact about moves and not about states.
fn refuse_timeouts(lower: &mut Lower<'_>, properties: &[Property]) {
    for property in properties {
        let mut open = property.atoms.clone();
        while let Some(e) = open.pop() {
            let expr = &lower.exprs[e.index()];
            operands(expr, &mut |e| open.push(e));
            if matches!(expr, Expr::Timeout) {
                let message = "`timeout` in a formula or never claim is not supported";
                let note = "name what nobody can do any more: variables, channels, labels";
                let error = Diagnostic::error(property.span, message).note(note);
                lower.found.push(error);
                break;
            }
        }
    }
}

/// Says which processes properties ask for that are never there: only where nobody makes processes
/// later, and where the number is a constant.
pub(super) fn absent(lower: &mut Lower<'_>, properties: &[Property], population: &[ProctypeId]) {
    refuse_timeouts(lower, properties);
    if lower.exprs.iter().any(|e| matches!(e, Expr::Run(..))) {
        return;
    }
    let mut missing = Vec::new();
    for property in properties {
        let mut open = property.atoms.clone();
        while let Some(e) = open.pop() {
            let expr = &lower.exprs[e.index()];
            operands(expr, &mut |e| open.push(e));
            let (p, which) = match expr {
                Expr::AtLocation(p, which, _) => (*p, *which),
                Expr::Read(place) => match place.owner {
                    Owner::Other(p, which) => (p, which),
                    _ => continue,
                },
                _ => continue,
            };
            let Instance::Numbered(number) = which else {
                continue;
            };
            let Expr::Const(number) = lower.exprs[number.index()] else {
                continue;
            };
            let there = usize::try_from(number).ok().and_then(|n| population.get(n));
            if there != Some(&p) {
                missing.push((property.span, p, number));
            }
        }
    }
    missing.sort_by_key(|(span, p, number)| (span.start, p.index(), *number));
    missing.dedup();
    for (span, p, number) in missing {
        let own = lower.proctypes.iter().position(|id| *id == Some(p));
        let name = own.map_or_else(String::new, |at| {
            lower.typed.processes[at].name.text.to_string()
        });
        let message = format!(
            "there is no process {}",
            quote(&format!("{name}[{number}]"))
        );
        let numbers = (0..population.len()).filter(|n| population[*n] == p);
        let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
        let note = format!(
            "the numbers of {} are: {}",
            quote(&name),
            numbers.join(", ")
        );
        lower
            .found
            .push(Diagnostic::error(span, message).note(note));
    }
}

/// The atoms of a property, each once.
#[derive(Default)]
struct Atoms {
    exprs: Vec<ExprId>,
    texts: Vec<String>,
    /// The members that quantifiers inside the formula speak of where it is read, outermost first.
    members: Vec<ast::FormulaIndex>,
}

impl Atoms {
    /// A text of a formula with the numbers of the members that it is about.
    fn named(&self, text: &str) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut named = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let other = |c: char| is_word(c) != is_word(first);
            let (piece, more) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
            let is_own = named.trim_end().ends_with(['.', '@']);
            let member = self.members.iter().find(|m| !is_own && *m.name == *piece);
            match member {
                Some(member) => named.push_str(&member.value.to_string()),
                None => named.push_str(piece),
            }
            rest = more;
        }
        // The place of what begins with an operand in parentheses begins inside of these.
        let n = |c: char| named.matches(c).count();
        let n_missing = n(')').saturating_sub(n('('));
        "(".repeat(n_missing) + &named
    }

    fn number(&mut self, expr: ExprId, text: impl FnOnce() -> String) -> u32 {
        let known = self.exprs.iter().position(|e| *e == expr);
        let number = known.unwrap_or_else(|| {
            self.exprs.push(expr);
            self.texts.push(text());
            self.exprs.len() - 1
        });
        number as u32
    }
}

/// Where the text is that brought a place here.
fn outermost(lower: &Lower<'_>, place: Place) -> Span {
    lower.typed.origins.outermost(place).span
}

fn property(sources: &Sources, name: &str, span: Span, atoms: Atoms, body: Body) -> Property {
    let source = sources.get(span.source);
    let kind = match body {
        Body::Formula(_) => Kind::Ltl,
        Body::Claim(_) => Kind::Never,
    };
    Property {
        name: name.to_owned(),
        kind,
        span,
        line: source.told(source.line_of(span.start as usize)).1 as u32,
        atoms: atoms.exprs,
        texts: atoms.texts,
        body,
        index: None,
    }
}

/// Whether temporal operators are in it.
fn is_temporal(expr: &TypedExpr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Until(op, a, b) => match op {
            ast::Until::Implies | ast::Until::Equivalent => is_temporal(a) || is_temporal(b),
            ast::Until::Strong | ast::Until::Weak | ast::Until::Release | ast::Until::Since => true,
        },
        ExprKind::Unary(_, a) | ExprKind::Member(_, a) => is_temporal(a),
        ExprKind::And(all) | ExprKind::Or(all) => all.iter().any(is_temporal),
        _ => false,
    }
}

/// A formula over atoms.
fn temporal(
    lower: &mut Lower<'_>,
    sources: &Sources,
    expr: &TypedExpr,
    atoms: &mut Atoms,
) -> Formula {
    if !is_temporal(expr) {
        let id = state_formula(lower, expr);
        let place = expr.place;
        let text = || {
            let span = lower.typed.origins.outermost(place).span;
            sources.get(span.source).text()[span.range()].to_owned()
        };
        let text = atoms.named(&text());
        return Formula::Atom(atoms.number(id, || text));
    }
    if let ExprKind::Member(member, inside) = &expr.kind {
        atoms.members.push(member.clone());
        let formula = temporal(lower, sources, inside, atoms);
        atoms.members.pop();
        return formula;
    }
    let mut go = |e: &TypedExpr| Box::new(temporal(lower, sources, e, atoms));
    match &expr.kind {
        ExprKind::Unary(_, a) => Formula::Not(go(a)),
        ExprKind::And(all) => Formula::And(all.iter().map(|e| *go(e)).collect()),
        ExprKind::Or(all) => Formula::Or(all.iter().map(|e| *go(e)).collect()),
        ExprKind::Temporal(op, a) => match op {
            ast::TemporalOp::Always => Formula::Always(go(a)),
            ast::TemporalOp::Eventually => Formula::Eventually(go(a)),
            ast::TemporalOp::Next => Formula::Next(go(a)),
            ast::TemporalOp::Yesterday => Formula::Yesterday(go(a)),
            ast::TemporalOp::Once => Formula::Once(go(a)),
            ast::TemporalOp::Historically => Formula::Historically(go(a)),
        },
        ExprKind::Until(op, a, b) => {
            let (a, b) = (go(a), go(b));
            match op {
                ast::Until::Strong => Formula::Until(a, b),
                ast::Until::Weak => Formula::WeakUntil(a, b),
                ast::Until::Release => Formula::Release(a, b),
                ast::Until::Since => Formula::Since(a, b),
                ast::Until::Implies => Formula::Or(vec![Formula::Not(a), *b]),
                ast::Until::Equivalent => {
                    let (not_a, not_b) = (Formula::Not(a.clone()), Formula::Not(b.clone()));
                    let both = Formula::And(vec![*a, *b]);
                    Formula::Or(vec![both, Formula::And(vec![not_a, not_b])])
                }
            }
        }
        _ => unreachable!("what has temporal operators inside"),
    }
}

/// An expression that may have the connectives of formulas in it.
fn state_formula(lower: &mut Lower<'_>, expr: &TypedExpr) -> ExprId {
    match &expr.kind {
        ExprKind::Until(ast::Until::Implies, a, b) => {
            let (a, b) = (state_formula(lower, a), state_formula(lower, b));
            let not = lower.enter(Expr::Unary(Unary::Not, a));
            lower.enter(Expr::Or([not, b].into()))
        }
        ExprKind::Until(_, a, b) => {
            let truth = |lower: &mut Lower<'_>, e| {
                let not = lower.enter(Expr::Unary(Unary::Not, e));
                lower.enter(Expr::Unary(Unary::Not, not))
            };
            let (a, b) = (state_formula(lower, a), state_formula(lower, b));
            let (a, b) = (truth(lower, a), truth(lower, b));
            lower.enter(Expr::Binary(Binary::Equal, a, b))
        }
        ExprKind::Unary(ast::Unary::Not, a) => {
            let a = state_formula(lower, a);
            lower.enter(Expr::Unary(Unary::Not, a))
        }
        ExprKind::And(all) => {
            let all = all.iter().map(|e| state_formula(lower, e)).collect();
            lower.enter(Expr::And(all))
        }
        ExprKind::Or(all) => {
            let all = all.iter().map(|e| state_formula(lower, e)).collect();
            lower.enter(Expr::Or(all))
        }
        ExprKind::Member(_, inside) => state_formula(lower, inside),
        _ => lower.expr(expr),
    }
}

/// The automaton of a claim; `None` if it is told why there is none.
fn claim(
    lower: &mut Lower<'_>,
    process: &crate::typed::Process,
    atoms: &mut Atoms,
) -> Option<Claim> {
    let n_steps = lower.steps.len();
    let mut built = super::build::build(lower, process, KindId::new(0));
    let table = StepTable::new(&mut built.flow);
    let steps = super::steps::steps(lower, process, &built.flow, &table);
    lower.origins.compound.pop();
    let claim = if steps.locations.len() <= STATES_MAX {
        automaton(lower, &steps.locations, atoms)
    } else {
        lower.error(
            process.name.place,
            "a claim with too many states".to_owned(),
        );
        None
    };
    lower.steps.truncate(n_steps);
    lower.origins.steps.truncate(n_steps);
    claim.map(|states| Claim {
        states,
        initial: steps.start.index() as u16,
    })
}

/// The states of a claim, one a location, and one that is bad.
fn automaton(
    lower: &mut Lower<'_>,
    locations: &[Location],
    atoms: &mut Atoms,
) -> Option<Vec<ClaimState>> {
    let bad = locations.len() as u16;
    let mut states = Vec::new();
    for location in locations {
        let mut state = ClaimState {
            is_accepting: location.accept,
            ..ClaimState::default()
        };
        for &step in &location.steps {
            let edges = edges(lower, location, step, bad, atoms)?;
            match edges {
                // At its end the claim is violated.
                None => state.is_bad = true,
                Some(edges) => state.edges.extend(edges),
            }
        }
        states.push(state);
    }
    states.push(ClaimState {
        is_bad: true,
        ..ClaimState::default()
    });
    Some(states)
}

/// The edges of a step of a claim; none of them if the claim ends here.
#[allow(clippy::type_complexity)]
fn edges(
    lower: &mut Lower<'_>,
    location: &Location,
    step: StepId,
    bad: u16,
    atoms: &mut Atoms,
) -> Option<Option<Vec<ClaimEdge>>> {
    let site = lower.steps[step.index()].site;
    let target = lower.steps[step.index()].target.index() as u16;
    let edge = |literals, target| ClaimEdge { literals, target };
    let mut atom = |lower: &Lower<'_>, e: ExprId, site: system::SiteId| {
        atoms.number(e, || lower.sites.all[site.index()].text.clone())
    };
    let rank = lower.steps[step.index()].rank;
    let action = lower.steps[step.index()].action.clone();
    let edges = match action {
        Action::End => return Some(None),
        _ if rank > 0 => return refuse(lower, site, "`unless`"),
        Action::Skip | Action::Print(_) => vec![edge(Vec::new(), target)],
        Action::Test(e) => match lower.exprs[e.index()] {
            Expr::Const(0) => Vec::new(),
            Expr::Const(_) => vec![edge(Vec::new(), target)],
            _ => vec![edge(vec![(atom(lower, e, site), true)], target)],
        },
        Action::Assert(e) => {
            let number = atom(lower, e, site);
            vec![
                edge(vec![(number, true)], target),
                edge(vec![(number, false)], bad),
            ]
        }
        Action::Else => {
            let mut literals = Vec::new();
            for &other in location.steps.iter().filter(|other| **other != step) {
                let site = lower.steps[other.index()].site;
                match &lower.steps[other.index()].action {
                    Action::Test(e) => {
                        let e = *e;
                        literals.push((atom(lower, e, site), false));
                    }
                    // What can always be taken leaves nothing for `else`.
                    _ => return Some(Some(Vec::new())),
                }
            }
            vec![edge(literals, target)]
        }
        Action::Deterministic(..) => return refuse(lower, site, "`d_step`"),
        Action::Assign(..)
        | Action::Drop(_)
        | Action::Send(_)
        | Action::Receive(_)
        | Action::SetPriority(..)
        | Action::All(_) => return refuse(lower, site, "a statement that changes something"),
    };
    Some(Some(edges))
}

fn refuse<T>(lower: &mut Lower<'_>, site: system::SiteId, what: &str) -> Option<T> {
    let span = lower.sites.all[site.index()].span;
    let message = format!("{what} in a never claim is not supported");
    let note = "a claim watches: write conditions, `skip`, `assert`, `goto`, `if` and `do`";
    lower
        .found
        .push(Diagnostic::error(span, message).note(note));
    None
}
