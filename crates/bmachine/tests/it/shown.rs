//! Trees as texts with all their brackets, for the tests.

use bmachine::ast;
use bmachine::typed::{
    AssignedVar, Expr, ExprKind, LocalId, Machine, Pred, PredKind, Selector, Subst, SubstKind,
    Target, Type,
};

/// The shape of a formula that was parsed.
pub fn shape(expr: &ast::Expr) -> String {
    use ast::ExprKind as Kind;
    let list = |all: &[ast::Expr], mark: &str| {
        let all: Vec<String> = all.iter().map(shape).collect();
        all.join(mark)
    };
    let names = |all: &[ast::Name]| {
        let all: Vec<&str> = all.iter().map(|n| &*n.text).collect();
        all.join(",")
    };
    match &expr.kind {
        Kind::Int(n) => n.to_string(),
        Kind::Big(n) => n.to_string(),
        Kind::Text(text) => format!("{text:?}"),
        Kind::Name(name) => name.text.to_string(),
        Kind::Old(name) => format!("{}$0", name.text),
        Kind::Word(word) => (*word).to_owned(),
        Kind::Call(word, all) => format!("{word}({})", list(all, ",")),
        Kind::Infix(mark, a, b) => format!("({} {mark} {})", shape(a), shape(b)),
        Kind::And(all) => format!("({})", list(all, " & ")),
        Kind::Or(all) => format!("({})", list(all, " or ")),
        Kind::Not(a) => format!("not({})", shape(a)),
        Kind::Minus(a) => format!("-({})", shape(a)),
        Kind::Inverse(a) => format!("{}~", shape(a)),
        Kind::Apply(f, all) => format!("{}({})", shape(f), list(all, ",")),
        Kind::Image(r, s) => format!("{}[{}]", shape(r), shape(s)),
        Kind::Field(r, name) => format!("{}'{}", shape(r), name.text),
        Kind::Tuple(all) => format!("({})", list(all, ",")),
        Kind::Set(all) => format!("{{{}}}", list(all, ",")),
        Kind::Seq(all) => format!("[{}]", list(all, ",")),
        Kind::Comprehension(bound, p) => format!("{{{}|{}}}", names(bound), shape(p)),
        Kind::Collected(bound, parts) => {
            format!(
                "{{{}.({}|{})}}",
                names(bound),
                shape(&parts[0]),
                shape(&parts[1])
            )
        }
        Kind::Quantified(mark, bound, p) => format!("{mark}({}).({})", names(bound), shape(p)),
        Kind::Over(mark, bound, parts) => {
            format!(
                "{mark}({}).({}|{})",
                names(bound),
                shape(&parts[0]),
                shape(&parts[1])
            )
        }
        Kind::Record(word, fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, e)| format!("{}:{}", name.text, shape(e)))
                .collect();
            format!("{word}({})", fields.join(","))
        }
        Kind::If(parts) => format!("IF({})", list(&parts[..], ",")),
        Kind::Let(bound, parts) => {
            format!(
                "LET({}).({}|{})",
                names(bound),
                shape(&parts[0]),
                shape(&parts[1])
            )
        }
    }
}

/// A type in the notation of B.
pub fn ty(machine: &Machine, of: &Type) -> String {
    match of {
        Type::Bool => "BOOL".into(),
        Type::Int => "INTEGER".into(),
        Type::Text => "STRING".into(),
        Type::Member(sort) => machine.sorts[sort.index()].name.clone(),
        Type::Pair(a, b) => format!("({}*{})", ty(machine, a), ty(machine, b)),
        Type::Set(a) => format!("POW({})", ty(machine, a)),
        Type::Record(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, of)| format!("{name}:{}", ty(machine, of)))
                .collect();
            format!("struct({})", fields.join(","))
        }
    }
}

fn local(machine: &Machine, id: LocalId) -> String {
    machine.locals[id.index()].name.clone()
}

fn bound(machine: &Machine, ids: &[LocalId]) -> String {
    let all: Vec<String> = ids
        .iter()
        .map(|id| {
            let of = ty(machine, &machine.locals[id.index()].ty);
            format!("{}:{of}", local(machine, *id))
        })
        .collect();
    all.join(",")
}

/// A typed predicate.
pub fn pred(machine: &Machine, p: &Pred) -> String {
    let inner = |p: &Pred| pred(machine, p);
    let list = |all: &[Pred], mark: &str| {
        let all: Vec<String> = all.iter().map(inner).collect();
        format!("({})", all.join(mark))
    };
    match &p.kind {
        PredKind::True => "true".into(),
        PredKind::False => "false".into(),
        PredKind::And(all) => list(all, " & "),
        PredKind::Or(all) => list(all, " or "),
        PredKind::Implies(a, b) => format!("({} => {})", inner(a), inner(b)),
        PredKind::Equivalent(a, b) => format!("({} <=> {})", inner(a), inner(b)),
        PredKind::Not(a) => format!("not({})", inner(a)),
        PredKind::Forall(ids, a) => format!("!({}).({})", bound(machine, ids), inner(a)),
        PredKind::Exists(ids, a) => format!("#({}).({})", bound(machine, ids), inner(a)),
        PredKind::Compare(compare, a, b) => {
            format!("{compare:?}({}, {})", expr(machine, a), expr(machine, b))
        }
        PredKind::Let(equations, a) => format!("Let({}, {})", lets(machine, equations), inner(a)),
        PredKind::If(a, b, c) => format!("If({}, {}, {})", inner(a), inner(b), inner(c)),
    }
}

fn lets(machine: &Machine, equations: &[(LocalId, Expr)]) -> String {
    let all: Vec<String> = equations
        .iter()
        .map(|(id, e)| format!("{}={}", local(machine, *id), expr(machine, e)))
        .collect();
    all.join(", ")
}

/// A typed expression.
pub fn expr(machine: &Machine, e: &Expr) -> String {
    let inner = |e: &Expr| expr(machine, e);
    let list = |all: &[Expr]| {
        let all: Vec<String> = all.iter().map(inner).collect();
        all.join(", ")
    };
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Big(n) => n.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Element(sort, i) => {
            let elements = &machine.sorts[sort.index()].elements;
            elements.as_ref().map_or("?".into(), |all| all[*i].clone())
        }
        ExprKind::Global(id) => machine.globals[id.index()].name.clone(),
        ExprKind::Local(id) => local(machine, *id),
        ExprKind::Carrier(sort) => machine.sorts[sort.index()].name.clone(),
        ExprKind::Known(known) => format!("{known:?}"),
        ExprKind::Empty => "{}".into(),
        ExprKind::SetOf(all) => format!("{{{}}}", list(all)),
        ExprKind::SeqOf(all) => format!("[{}]", list(all)),
        ExprKind::Unary(operator, a) => format!("{operator:?}({})", inner(a)),
        ExprKind::Binary(operator, a, b) => format!("{operator:?}({}, {})", inner(a), inner(b)),
        ExprKind::Comprehension(ids, p) => {
            format!("{{{}|{}}}", bound(machine, ids), pred(machine, p))
        }
        ExprKind::Lambda(ids, p, a) => {
            format!(
                "%({}).({}|{})",
                bound(machine, ids),
                pred(machine, p),
                inner(a)
            )
        }
        ExprKind::Quantified(operator, ids, p, a) => {
            let ids = bound(machine, ids);
            format!("{operator:?}({ids}).({}|{})", pred(machine, p), inner(a))
        }
        ExprKind::BoolOf(p) => format!("bool({})", pred(machine, p)),
        ExprKind::Record(all) => format!("rec({})", list(all)),
        ExprKind::Struct(all) => format!("struct({})", list(all)),
        ExprKind::Field(a, i) => format!("{}'{i}", inner(a)),
        ExprKind::If(p, a, b) => format!("If({}, {}, {})", pred(machine, p), inner(a), inner(b)),
        ExprKind::Let(equations, a) => format!("Let({}, {})", lets(machine, equations), inner(a)),
    }
}

fn target(machine: &Machine, place: &Target) -> String {
    let mut text = var(machine, place.var);
    for step in &place.path {
        text += &match step {
            Selector::At(e) => format!("({})", expr(machine, e)),
            Selector::Field(i) => format!("'{i}"),
        };
    }
    text
}

fn var(machine: &Machine, of: AssignedVar) -> String {
    match of {
        AssignedVar::Global(id) => machine.globals[id.index()].name.clone(),
        AssignedVar::Local(id) => local(machine, id),
    }
}

fn targets(machine: &Machine, all: &[Target]) -> String {
    let all: Vec<String> = all.iter().map(|t| target(machine, t)).collect();
    all.join(", ")
}

fn exprs(machine: &Machine, all: &[Expr]) -> String {
    let all: Vec<String> = all.iter().map(|e| expr(machine, e)).collect();
    all.join(", ")
}

fn branches(
    all: Vec<(String, &Subst)>,
    otherwise: &Option<Box<Subst>>,
    machine: &Machine,
) -> String {
    let mut all: Vec<String> = all
        .iter()
        .map(|(guard, body)| format!("{guard} -> {}", subst(machine, body)))
        .collect();
    all.extend(
        otherwise
            .iter()
            .map(|body| format!("else -> {}", subst(machine, body))),
    );
    all.join(" | ")
}

/// A typed substitution.
pub fn subst(machine: &Machine, s: &Subst) -> String {
    let inner = |s: &Subst| subst(machine, s);
    let p = |p: &Pred| pred(machine, p);
    let list = |all: &[Subst], mark: &str| {
        let all: Vec<String> = all.iter().map(inner).collect();
        format!("({})", all.join(mark))
    };
    let guarded = |all: &[(Pred, Subst)], otherwise: &Option<Box<Subst>>| {
        let all = all.iter().map(|(guard, body)| (p(guard), body)).collect();
        branches(all, otherwise, machine)
    };
    match &s.kind {
        SubstKind::Skip => "skip".into(),
        SubstKind::Assign(places, values) => {
            format!("{} := {}", targets(machine, places), exprs(machine, values))
        }
        SubstKind::BecomesElement(places, set) => {
            format!("{} :: {}", targets(machine, places), expr(machine, set))
        }
        SubstKind::BecomesSuch(vars, ids, guard) => {
            let vars: Vec<String> = vars.iter().map(|v| var(machine, *v)).collect();
            format!(
                "{} : ({} | {})",
                vars.join(", "),
                bound(machine, ids),
                p(guard)
            )
        }
        SubstKind::Parallel(all) => list(all, " || "),
        SubstKind::Sequence(all) => list(all, " ; "),
        SubstKind::Choice(all) => list(all, " [] "),
        SubstKind::Pre(guard, body) => format!("Pre({}, {})", p(guard), inner(body)),
        SubstKind::Assert(guard, body) => format!("Assert({}, {})", p(guard), inner(body)),
        SubstKind::Select(all, otherwise) => format!("Select({})", guarded(all, otherwise)),
        SubstKind::If(all, otherwise) => format!("If({})", guarded(all, otherwise)),
        _ => block(machine, s),
    }
}

/// A typed substitution that binds, or chooses by value.
fn block(machine: &Machine, s: &Subst) -> String {
    let inner = |s: &Subst| subst(machine, s);
    let p = |p: &Pred| pred(machine, p);
    match &s.kind {
        SubstKind::Any(ids, guard, body) => {
            format!(
                "Any({} | {}, {})",
                bound(machine, ids),
                p(guard),
                inner(body)
            )
        }
        SubstKind::Let(equations, body) => {
            format!("Let({}, {})", lets(machine, equations), inner(body))
        }
        SubstKind::Var(ids, body) => format!("Var({}, {})", bound(machine, ids), inner(body)),
        SubstKind::Case(chosen, all, otherwise) => {
            let all = all
                .iter()
                .map(|(values, body)| (exprs(machine, values), body))
                .collect();
            format!(
                "Case({}: {})",
                expr(machine, chosen),
                branches(all, otherwise, machine)
            )
        }
        SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        } => {
            let (condition, invariant) = (p(condition), p(invariant));
            let variant = expr(machine, variant);
            format!(
                "While({condition}, {}, {invariant}, {variant})",
                inner(body)
            )
        }
        SubstKind::Call {
            operation,
            arguments,
            results,
        } => {
            let name = &machine.operations[operation.index()].name;
            let results = targets(machine, results);
            format!("{results} <-- {name}({})", exprs(machine, arguments))
        }
        other => unreachable!("shown elsewhere: {other:?}"),
    }
}
