//! The parser: precedence, separators, the shapes of statements.

use crate::run::check;
use base::{Diagnostics, Sources};
use promela::ast::{Ast, Expr, ExprKind, Sequence, Stmt, StmtKind, TopLevelItem};
use promela::preprocess::IncludeRequest;

fn read(text: &str) -> (Ast, Vec<String>) {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add("m.pml", text);
    let mut include = |_: &mut Sources, _: &IncludeRequest| unreachable!("nothing is included");
    let ast = promela::read(main, &[], &mut sources, &mut include, &mut found);
    (ast, found.sorted().into_iter().map(|d| d.message).collect())
}

/// An expression with all its parentheses.
fn shown(expr: &Expr) -> String {
    let list = |all: &[Expr], mark: &str| {
        let all: Vec<String> = all.iter().map(shown).collect();
        format!("({})", all.join(mark))
    };
    match &expr.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Reference(r) => {
            let part = |p: &promela::ast::ReferencePart| {
                let index = p.index.as_ref().map(|i| format!("[{}]", shown(i)));
                format!("{}{}", p.name.text, index.unwrap_or_default())
            };
            r.parts.iter().map(part).collect::<Vec<_>>().join(".")
        }
        ExprKind::Unary(operator, a) => format!("{operator:?}({})", shown(a)),
        ExprKind::Binary(operator, a, b) => format!("({} {operator:?} {})", shown(a), shown(b)),
        ExprKind::And(all) => list(all, " && "),
        ExprKind::Or(all) => list(all, " || "),
        ExprKind::Choice(three) => list(&three[..], " -> "),
        ExprKind::Temporal(operator, a) => format!("{operator:?}({})", shown(a)),
        ExprKind::Until(operator, a, b) => format!("({} {operator:?} {})", shown(a), shown(b)),
        other => format!("{other:?}")
            .split(['(', ' '])
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// A sequence as the names of its statements.
fn outline(sequence: &Sequence) -> String {
    let all: Vec<String> = sequence.statements.iter().map(kind).collect();
    all.join("; ")
}

fn kind(statement: &Stmt) -> String {
    let labels: String = statement
        .labels
        .iter()
        .map(|l| format!("{}: ", l.text))
        .collect();
    let options = |all: &[Sequence]| {
        let all: Vec<String> = all.iter().map(|s| format!(":: {}", outline(s))).collect();
        all.join(" ")
    };
    let words = match &statement.kind {
        StmtKind::Condition(e) => shown(e),
        StmtKind::Assign(_, e) => format!("= {}", shown(e)),
        StmtKind::Block(s) => format!("{{{}}}", outline(s)),
        StmtKind::Atomic(s) => format!("atomic {{{}}}", outline(s)),
        StmtKind::DStep(s) => format!("d_step {{{}}}", outline(s)),
        StmtKind::If(all) => format!("if {} fi", options(all)),
        StmtKind::Do(all) => format!("do {} od", options(all)),
        StmtKind::Unless(a, b) => format!("{} unless {}", kind(a), kind(b)),
        other => format!("{other:?}")
            .split(['(', ' '])
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    labels + &words
}

#[track_caller]
fn body(text: &str) -> String {
    let (ast, said) = read(&format!("init {{ {text} }}"));
    assert!(said.is_empty(), "{text}: {said:?}");
    match &ast.units[0] {
        TopLevelItem::Init(init) => outline(&init.body),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn formula(text: &str) -> String {
    let (ast, said) = read(&format!("ltl f {{ {text} }}"));
    assert!(said.is_empty(), "{text}: {said:?}");
    match &ast.units[0] {
        TopLevelItem::Ltl(ltl) => shown(&ltl.formula),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precedence() {
    assert_eq!(body("a + b * c - d"), "((a Add (b Multiply c)) Subtract d)");
    assert_eq!(body("a == b & c"), "((a Equal b) BitAnd c)");
    assert_eq!(body("a < b == c"), "((a Less b) Equal c)");
    assert_eq!(body("a | b ^ c & d"), "(a BitOr (b BitXor (c BitAnd d)))");
    assert_eq!(body("a || b && c || d"), "(a || (b && c) || d)");
    assert_eq!(body("a << b + c"), "(a ShiftLeft (b Add c))");
    assert_eq!(body("!a == b"), "(Not(a) Equal b)");
    assert_eq!(body("- a - - b"), "(Minus(a) Subtract Minus(b))");
    assert_eq!(body("(a -> b : c) + d"), "((a -> b -> c) Add d)");
    assert_eq!(body("a[b[1]].c.d[2]"), "a[b[1]].c.d[2]");
}

#[test]
fn formulas() {
    assert_eq!(
        formula("[] (p -> <> q)"),
        "Always((p Implies Eventually(q)))"
    );
    assert_eq!(
        formula("always (p implies eventually q)"),
        "Always((p Implies Eventually(q)))"
    );
    assert_eq!(formula("p U q U r"), "((p Strong q) Strong r)");
    assert_eq!(
        formula("[] p && <> q || r"),
        "((Always(p) && Eventually(q)) || r)"
    );
    assert_eq!(formula("p -> q <-> r"), "((p Implies q) Equivalent r)");
    assert_eq!(formula("[] (p -> q : r)"), "Always((p -> q -> r))");
    assert_eq!(
        formula("(p -> (q -> r : s) : t) == 1"),
        "((p -> (q -> r -> s) -> t) Equal 1)"
    );
    assert_eq!(
        formula("a == 1 U b > 2"),
        "((a Equal 1) Strong (b Greater 2))"
    );
    assert_eq!(
        formula("! p W q V X r"),
        "((Not(p) Weak q) Release Next(r))"
    );
    assert_eq!(formula("p /\\ q \\/ r"), "((p && q) || r)");
    assert_eq!(formula("![]<>p"), "Not(Always(Eventually(p)))");
}

#[test]
fn line_ends_separate_statements() {
    assert_eq!(body("x = 1\ny = 2\n"), "= 1; = 2");
    assert_eq!(body("x = (1\n + 2)"), "= (1 Add 2)");
    assert_eq!(body("c\n!x"), "c; Not(x)");
    assert_eq!(body("c !\nx"), "Send");
    assert_eq!(body("do :: a -> b od\nx"), "do :: a; b od; x");
    assert_eq!(body("if\n:: a\n-> b\n:: else\nfi"), "if :: a; b :: Else fi");
    assert_eq!(body("{ a } b"), "{a}; b");
    assert_eq!(body("if :: else a fi"), "if :: Else; a fi");
    assert_eq!(body("{ a }\nunless { b }"), "{a} unless {b}");
    assert_eq!(body("a;; b -> ; c;"), "a; b; c");
    assert_eq!(body("L:\na; M: N: b; O:"), "L: a; M: N: b; O: 1");
}

#[test]
fn line_ends_inside_expressions_are_refused() {
    let (_, said) = read("init { x = 1\n + 2 }");
    assert_eq!(said, ["an expression is expected here, not `+`"]);
}

#[test]
fn messages() {
    assert_eq!(
        body("c!1,2; c!1(2,3); c!!x; c?x,y; c??eval(x),1,-1"),
        ["Send"; 3].join("; ") + "; Receive; Receive"
    );
    assert_eq!(
        body("c?<x>; c??<x,_>; c?[x]; c??[x] && d"),
        "Receive; Receive; Poll; (Poll && d)"
    );
    assert_eq!(
        body("c?x(y); c?(x,y); c?x(eval(y))"),
        "Receive; Receive; Receive"
    );
}

#[test]
fn inlines_are_put_in_place() {
    let text = "inline twice(s, e) { s; if :: e * 2 -> s fi }\ninit { twice(x = 1, a + 1); skip }";
    let (ast, said) = read(&text.replace("x = 1", "go"));
    assert!(said.is_empty(), "{said:?}");
    let TopLevelItem::Init(init) = &ast.units[0] else {
        panic!("init")
    };
    assert_eq!(
        outline(&init.body),
        "{go; if :: (a Add (1 Multiply 2)); go fi}; 1"
    );
}

#[test]
fn a_call_can_give_a_value() {
    let text = "inline f(a) { skip; return a + 1 }\ninit { x = f(2) }";
    let (ast, said) = read(text);
    assert!(said.is_empty(), "{said:?}");
    let TopLevelItem::Init(init) = &ast.units[0] else {
        panic!("init")
    };
    assert_eq!(outline(&init.body), "{1; = (2 Add 1)}");
}

/// SPIN knows the name as that of an inline from its definition on, and as nothing else.
#[test]
fn the_name_of_an_inline_means_nothing_else() {
    let inline = "inline f(a) { a = 1 }";
    for (rest, message) in [
        (
            "init { int f }",
            "1:34: `f` is an inline; the name of a variable is expected here",
        ),
        (
            "mtype = { f }",
            "1:33: `f` is an inline; a name is expected here",
        ),
        (
            "proctype f() { skip }",
            "1:32: `f` is an inline; the name of a process is expected here",
        ),
        (
            "inline g(f) { skip }",
            "1:32: `f` is an inline; the name of a parameter is expected here",
        ),
        (
            "inline g(a, b) { a(b) } init { int y; g(f, y) }",
            "1:63: `f` is an inline, not a value",
        ),
    ] {
        assert_eq!(check(&format!("{inline} {rest}")).errors, [message]);
    }
    for good in [
        "byte f; inline f(a) { a = 1 } init { int y; f(y) }",
        "inline f(a) { a = 1 } inline g(a) { int f; f = a } init { skip }",
    ] {
        assert_eq!(check(good).errors, [""; 0], "{good}");
    }
}

#[test]
fn an_error_in_an_inline_shows_the_call_and_the_body() {
    let text = "inline f(a) {\n  a = b\n}\nbyte x;\ninit { f(x) }\n";
    let expected = "\
error: `b` is not declared
 --> m.pml:5:8
  |
2 |   a = b
  |       - in the body of `f`
...
5 | init { f(x) }
  |        ^^^^";
    assert_eq!(check(text).drawn, expected);
}

/// A declaration in a block is a step, so that a label behind it is not the first thing there.
#[test]
fn a_label_can_follow_the_declarations_of_a_block() {
    for good in [
        "init { skip; { byte x; A: skip; goto A } }",
        "init { atomic { byte x; A: skip; goto A } }",
        "inline f() { chan c; A: if :: goto A :: skip fi }\ninit { f() }",
        "init { skip unless { byte x; A: skip; goto A } }",
    ] {
        assert_eq!(check(good).errors, [""; 0], "{good}");
    }
    for (bad, column) in [
        ("init { skip; { A: skip; goto A } }", 16),
        (
            "chan c = [1] of { byte }; init { { xr c; A: skip; goto A } }",
            42,
        ),
    ] {
        let message = format!("1:{column}: a block cannot begin with the label `A`");
        assert_eq!(check(bad).errors, [message]);
    }
}

#[test]
fn all_syntax_errors_are_shown() {
    let text = "init {\n  x = ;\n  y = 1 2;\n  if :: a = fi;\n  z\n}\nproctype P( { }\nbyte 3;\n";
    let said = check(text);
    let lines: Vec<&str> = said
        .errors
        .iter()
        .map(|e| e.split(':').next().unwrap_or(""))
        .collect();
    assert_eq!(lines, ["2", "3", "4", "7"], "{}", said.drawn);
}

#[test]
fn embedded_c_is_named() {
    for word in ["c_code", "c_decl"] {
        let said = check(&format!(
            "{word} {{ int x[3]; if (x) {{ }} }}\ninit {{ skip }}"
        ));
        let message = format!("1:1: embedded C (`{word}`) is not part of what orbit checks");
        assert_eq!(said.errors, [message]);
    }
    let text =
        "c_state \"int x\" \"Global\"\nc_track \"x\" \"4\"\ninit { c_expr { x } -> c_code { x; } }";
    let lines: Vec<String> = check(text)
        .errors
        .iter()
        .map(|e| e[..3].to_owned())
        .collect();
    assert_eq!(lines, ["1:1", "2:1", "3:8", "3:2"]);
}
