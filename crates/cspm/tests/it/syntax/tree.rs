//! Trees in the plainest notation there is, `(op left right)`, without brackets that were written.

use crate::script::read;
use cspm::ast::{
    BracketElements, Claim, DeclKind, Expr, ExprKind, Pattern, PatternKind, PrefixField, Process,
    ProcessOp, ReplicatedOp, Statement,
};

/// The tree of an expression that is read without error.
#[track_caller]
pub fn tree(text: &str) -> String {
    let said = read(&format!("x = {text}"));
    let Some(script) = said.script else {
        panic!("{}", said.drawn);
    };
    match &script.decls[0].kind {
        DeclKind::Function(function) => plain(&function.clauses[0].body),
        other => panic!("{other:?}"),
    }
}

/// An expression as a tree.
pub fn plain(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => {
            let mut parts: Vec<&str> = name.modules.iter().map(|m| &**m).collect();
            parts.push(&name.text);
            parts.join("::")
        }
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Char(c) => format!("{c:?}"),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Brackets(inside) => plain(inside),
        ExprKind::Tuple(items) => format!("(tuple {})", list(items)),
        ExprKind::Sequence(elements) => format!("(seq {})", inside(elements)),
        ExprKind::Set(elements) => format!("(set {})", inside(elements)),
        ExprKind::Closure(elements) => format!("(closure {})", inside(elements)),
        ExprKind::Map(all) => format!("(map {})", pairs(all)),
        ExprKind::Apply(f, arguments) => format!("(call {} {})", plain(f), list(arguments)),
        ExprKind::Lambda(all, body) => format!("(fn {} {})", patterns(all), plain(body)),
        ExprKind::Let(decls, body) => {
            let decls: Vec<String> = decls.iter().map(|d| decl(&d.kind)).collect();
            format!("(let {} {})", decls.join(" "), plain(body))
        }
        ExprKind::If(c, yes, no) => format!("(if {} {} {})", plain(c), plain(yes), plain(no)),
        ExprKind::Unary(op, operand) => format!("({op:?} {})", plain(operand)),
        ExprKind::Binary(op, l, r) => format!("({op:?} {} {})", plain(l), plain(r)),
        ExprKind::Dot(l, r) => format!("(. {} {})", plain(l), plain(r)),
        ExprKind::Process(process) => of_process(process),
    }
}

fn list(all: &[Expr]) -> String {
    let all: Vec<String> = all.iter().map(plain).collect();
    all.join(" ")
}

fn pairs(all: &[(Expr, Expr)]) -> String {
    let pair = |(a, b): &(Expr, Expr)| format!("({} {})", plain(a), plain(b));
    let all: Vec<String> = all.iter().map(pair).collect();
    all.join(" ")
}

fn inside(elements: &BracketElements) -> String {
    let to = |last: &Option<Box<Expr>>| last.as_ref().map_or("end".into(), |e| plain(e));
    match elements {
        BracketElements::List(items) => list(items),
        BracketElements::Range(first, last) => format!("{} .. {}", plain(first), to(last)),
        BracketElements::Such(items, such) => format!("{} such {}", list(items), statements(such)),
        BracketElements::RangeSuch(first, last, such) => {
            format!("{} .. {} such {}", plain(first), to(last), statements(such))
        }
    }
}

fn statements(all: &[Statement]) -> String {
    let one = |statement: &Statement| match statement {
        Statement::From(p, from) => format!("(from {} {})", pattern(p), plain(from)),
        Statement::If(condition) => plain(condition),
    };
    let all: Vec<String> = all.iter().map(one).collect();
    all.join(" ")
}

fn patterns(all: &[Pattern]) -> String {
    let all: Vec<String> = all.iter().map(pattern).collect();
    all.join(" ")
}

fn pattern(p: &Pattern) -> String {
    match &p.kind {
        PatternKind::Name(name) => name.text.to_string(),
        PatternKind::Any => "_".into(),
        PatternKind::Number(n) => n.to_string(),
        PatternKind::Bool(b) => b.to_string(),
        PatternKind::Char(c) => format!("{c:?}"),
        PatternKind::Text(text) => format!("{text:?}"),
        PatternKind::Tuple(all) => format!("(tuple {})", patterns(all)),
        PatternKind::Sequence(all) => format!("(seq {})", patterns(all)),
        PatternKind::Set(all) => format!("(set {})", patterns(all)),
        PatternKind::Concat(l, r) => format!("(^ {} {})", pattern(l), pattern(r)),
        PatternKind::Dot(l, r) => format!("(. {} {})", pattern(l), pattern(r)),
        PatternKind::Both(l, r) => format!("(@@ {} {})", pattern(l), pattern(r)),
    }
}

/// A declaration as a tree; those that have no tests of their own by their kind only.
pub fn decl(kind: &DeclKind) -> String {
    match kind {
        DeclKind::Function(function) => {
            let clause = |c: &cspm::ast::Clause| {
                let parameters = c.parameters.iter().map(|p| format!("[{}]", patterns(p)));
                let parameters: Vec<String> = parameters.collect();
                format!("({} {})", parameters.join(" "), plain(&c.body))
            };
            let clauses: Vec<String> = function.clauses.iter().map(clause).collect();
            format!("(def {} {})", function.name.text, clauses.join(" "))
        }
        DeclKind::Let { pattern: p, value } => format!("(bind {} {})", pattern(p), plain(value)),
        DeclKind::Assert(assertion) => {
            let not = if assertion.is_negated { "not " } else { "" };
            let n = assertion.options.len();
            format!("(assert {not}{} options {n})", claim(&assertion.claim))
        }
        DeclKind::Print(value) => format!("(print {})", plain(value)),
        other => {
            let text = format!("{other:?}");
            text.split([' ', '(']).next().unwrap_or_default().to_owned()
        }
    }
}

fn claim(claim: &Claim) -> String {
    match claim {
        Claim::Refines {
            spec,
            implementation,
            model,
        } => format!("{model:?} {} {}", plain(spec), plain(implementation)),
        Claim::Has {
            process,
            property,
            model,
        } => format!("{property:?} {model:?} {}", plain(process)),
        Claim::HasTrace {
            process,
            trace,
            model,
        } => format!("HasTrace {model:?} {} {}", plain(process), plain(trace)),
        Claim::Truth(condition) => plain(condition),
    }
}

fn of_process(process: &Process) -> String {
    match process {
        Process::Prefix {
            event,
            fields,
            then,
        } => {
            let fields: String = fields.iter().map(field).collect();
            format!("(-> {}{fields} {})", plain(event), plain(then))
        }
        Process::Guard(condition, then) => format!("(& {} {})", plain(condition), plain(then)),
        Process::Binary(op, l, r) => format!("({} {} {})", operator(op), plain(l), plain(r)),
        Process::Hide(p, a) => format!("(\\ {} {})", plain(p), plain(a)),
        Process::Project(p, a) => format!("(|\\ {} {})", plain(p), plain(a)),
        Process::Rename {
            process,
            pairs: all,
            such,
        } => {
            let (all, such) = (pairs(all), statements(such));
            format!("([[]] {} {all} such {such})", plain(process))
        }
        Process::Link {
            left,
            pairs: all,
            such,
            right,
        } => {
            let (all, such) = (pairs(all), statements(such));
            format!("(<-> {} {all} such {such} {})", plain(left), plain(right))
        }
        Process::Replicated { op, over, body } => {
            let over = statements(over);
            format!("(rep {} {over} {})", replicated(op), plain(body))
        }
    }
}

fn operator(op: &ProcessOp) -> String {
    match op {
        ProcessOp::External => "[]".into(),
        ProcessOp::Internal => "|~|".into(),
        ProcessOp::Then => ";".into(),
        ProcessOp::Interrupt => "/\\".into(),
        ProcessOp::Slide => "[>".into(),
        ProcessOp::Interleave => "|||".into(),
        ProcessOp::Parallel(a) => format!("[| {} |]", plain(a)),
        ProcessOp::Alphabetised(a, b) => format!("[ {} || {} ]", plain(a), plain(b)),
        ProcessOp::Exception(a) => format!("[| {} |>", plain(a)),
        ProcessOp::SyncExternal(a) => format!("[+ {} +]", plain(a)),
        ProcessOp::SyncInterrupt(a) => format!("/+ {} +\\", plain(a)),
    }
}

fn replicated(op: &ReplicatedOp) -> String {
    match op {
        ReplicatedOp::External => "[]".into(),
        ReplicatedOp::Internal => "|~|".into(),
        ReplicatedOp::Then => ";".into(),
        ReplicatedOp::Interleave => "|||".into(),
        ReplicatedOp::Parallel(a) => format!("[| {} |]", plain(a)),
        ReplicatedOp::Alphabetised(a) => format!("|| {}", plain(a)),
        ReplicatedOp::Link(all, such) => format!("<-> {} such {}", pairs(all), statements(such)),
        ReplicatedOp::SyncExternal(a) => format!("[+ {} +]", plain(a)),
    }
}

fn field(field: &PrefixField) -> String {
    let from = |from: &Option<Expr>| from.as_ref().map_or(String::new(), plain);
    match field {
        PrefixField::Output(e) => format!(" !{}", plain(e)),
        PrefixField::Input(p, set) => format!(" ?{}:{}", pattern(p), from(set)),
        PrefixField::Choose(p, set) => format!(" ${}:{}", pattern(p), from(set)),
    }
}
