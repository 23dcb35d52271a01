//! The parser: priorities, brackets, the shapes of substitutions and clauses.

use crate::run::check;
use crate::shown::shape;
use base::{Diagnostics, Sources};
use bmachine::ast::{self, DefinitionBody, SubstKind};
use bmachine::{lex, parse};

/// The machine of a text, syntax only.
fn machine(text: &str) -> (Option<ast::Machine>, Vec<String>) {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add("m.mch", text);
    let tokens = lex::lex(main, text);
    let machine = parse::machine(main, tokens, text.len(), &mut found);
    let said = found.sorted().into_iter().map(|d| d.message).collect();
    (machine, said)
}

/// The shape of a formula.
fn formula(text: &str) -> Result<String, Vec<String>> {
    let (machine, said) = machine(&format!("MACHINE m PROPERTIES {text} END"));
    machine.map(|m| shape(&m.properties[0])).ok_or(said)
}

#[track_caller]
fn same(text: &str, expected: &str) {
    assert_eq!(formula(text), Ok(expected.to_owned()), "{text}");
}

#[test]
fn priorities_are_those_of_b() {
    same("a & b or c & d", "(((a & b) or c) & d)");
    same("a => b => c", "((a => b) => c)");
    same("a => b & c <=> d", "(a => (b & (c <=> d)))");
    same(
        "x = a \\/ b & y : A +-> B",
        "((x = (a \\/ b)) & (y : (A +-> B)))",
    );
    same("f : A --> B +-> C", "(f : ((A --> B) +-> C))");
    same("a |-> b |-> c = d", "(((a |-> b) |-> c) = d)");
    same(
        "x = 1..n+1*2**3**m",
        "(x = (1 .. (n + (1 * (2 ** (3 ** m))))))",
    );
    same("x = -a**b - -c", "(x = ((-(a) ** b) - -(c)))");
    same(
        "a - b - c = a mod b / c",
        "(((a - b) - c) = ((a mod b) / c))",
    );
    same(
        "s <| r |> t = x -> s <- y",
        "(((s <| r) |> t) = ((x -> s) <- y))",
    );
    same("f~[S](x)'a = g(x, y)(z)", "(f~[S](x)'a = g(x,y)(z))");
    same(
        "A * B * C = A - B /\\ C",
        "(((A * B) * C) = ((A - B) /\\ C))",
    );
}

#[test]
fn brackets_tell_composition_from_sequence_and_pairs_from_lists() {
    same("(f;g) = (f||g)", "((f ; g) = (f || g))");
    same("(a,b,c) : {(a,b),c}", "((a,b,c) : {(a,b),c})");
    same("r[(f;g)[S]] = dom(f;g)", "(r[(f ; g)[S]] = dom((f ; g)))");
    same(
        "x = [] & y = <> & z = [1,2]",
        "((x = []) & (y = []) & (z = [1,2]))",
    );
}

#[test]
fn binders_take_names_with_or_without_brackets() {
    same(
        "!x.(x:S => #(y,z).(y=z))",
        "!(x).(((x : S) => #(y,z).((y = z))))",
    );
    same(
        "%x.(x:S|x+1) = %(x,y).(x=y|x,y)",
        "(%(x).((x : S)|(x + 1)) = %(x,y).((x = y)|(x,y)))",
    );
    same(
        "SIGMA(x).(x:S|x) = UNION(x,y).(x=y|{x})",
        "(SIGMA(x).((x : S)|x) = UNION(x,y).((x = y)|{x}))",
    );
    same("{x,y|x=y} = {}", "({x,y|(x = y)} = {})");
    same("{x.(x:S|x+1)} = s", "({x.((x : S)|(x + 1))} = s)");
    same("{x·x∈S|x+1} = s", "({x.((x : S)|(x + 1))} = s)");
    same("{x·(x:S) & x>1|x} = s", "({x.(((x : S) & (x > 1))|x)} = s)");
    same("∀x·(x∈S ⇒ ¬(x∉T))", "!(x).(((x : S) => not((x /: T))))");
}

#[test]
fn words_are_formulas_too() {
    same("bool(a=b) = TRUE", "(bool((a = b)) = TRUE)");
    same(
        "x = IF a=b THEN 1 ELSIF c=d THEN 2 ELSE 3 END + 1",
        "(x = (IF((a = b),1,IF((c = d),2,3)) + 1))",
    );
    same("LET x BE x = 1 IN x > y END", "LET(x).((x = 1)|(x > y))");
    same("prj1(S,T) = iterate(r,2)", "(prj1(S,T) = iterate(r,2))");
    same(
        "rec(b:1,a:x'c) : struct(a:S,b:T)",
        "(rec(b:1,a:x'c) : struct(a:S,b:T))",
    );
    same("M.x$0 = a.b.c(1)", "(M.x$0 = a.b.c(1))");
    same("x = \"a\" & y = 0xFf", "((x = \"a\") & (y = 255))");
}

/// Operators, their priorities, and whether they lean to the right.
const INFIX: [(&str, u32, bool); 20] = [
    ("=>", 30, false),
    ("<=>", 60, false),
    ("=", 100, false),
    ("/<<:", 100, false),
    ("-->", 125, false),
    ("<<->>", 125, false),
    ("\\/", 160, false),
    ("|->", 160, false),
    ("<+", 160, false),
    ("/|\\", 160, false),
    ("->", 160, false),
    ("..", 170, false),
    ("+", 180, false),
    ("-", 180, false),
    ("\\", 180, false),
    ("*", 190, false),
    ("mod", 190, false),
    ("/", 190, false),
    ("**", 200, true),
    ("^", 160, false),
];

/// A random formula with every bracket, and with those only that the priorities ask for.
fn random(rng: &mut fastrand::Rng, depth: usize) -> (String, String, u32) {
    if depth == 0 || rng.u8(0..6) == 0 {
        let leaf = ["a", "b1", "7", "TRUE", "{}", "MAXINT"][rng.usize(0..6)];
        return (leaf.into(), leaf.into(), 300);
    }
    match rng.u8(0..8) {
        0 => {
            let (full, short, own) = random(rng, depth - 1);
            let short = if own < 230 {
                format!("({short})")
            } else {
                short
            };
            (format!("({full})~"), format!("{short}~"), 230)
        }
        1 => {
            let (full, short, own) = random(rng, depth - 1);
            let short = if own < 210 {
                format!("({short})")
            } else {
                short
            };
            (format!("-({full})"), format!("- {short}"), 210)
        }
        2 => {
            let (f, g) = (random(rng, depth - 1), random(rng, depth - 1));
            let short = if f.2 < 230 { format!("({})", f.1) } else { f.1 };
            (
                format!("({})({})", f.0, g.0),
                format!("{short}({})", g.1),
                230,
            )
        }
        _ => {
            let (mark, own, is_right) = INFIX[rng.usize(0..INFIX.len())];
            let (left, right) = (random(rng, depth - 1), random(rng, depth - 1));
            let (at_left, at_right) = if is_right {
                (own + 1, own)
            } else {
                (own, own + 1)
            };
            let short = |part: (String, String, u32), least: u32| {
                if part.2 < least {
                    format!("({})", part.1)
                } else {
                    part.1
                }
            };
            let full = format!("(({}) {mark} ({}))", left.0, right.0);
            let text = format!("{} {mark} {}", short(left, at_left), short(right, at_right));
            (full, text, own)
        }
    }
}

#[test]
fn brackets_that_priorities_imply_change_nothing() {
    for seed in 0..2000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (full, short, _) = random(&mut rng, 5);
        let (full, short_shape) = (formula(&full), formula(&short));
        assert!(full.is_ok(), "seed {seed}: {full:?}");
        assert_eq!(full, short_shape, "seed {seed}: {short}");
    }
}

fn outline(subst: &ast::Subst) -> String {
    let list = |all: &[ast::Subst], mark: &str| {
        let all: Vec<String> = all.iter().map(outline).collect();
        format!("({})", all.join(mark))
    };
    let exprs = |all: &[ast::Expr]| all.iter().map(shape).collect::<Vec<_>>().join(",");
    match &subst.kind {
        SubstKind::Skip => "skip".into(),
        SubstKind::Assign(a, b) => format!("{}:={}", exprs(a), exprs(b)),
        SubstKind::BecomesElement(a, b) => format!("{}::{}", exprs(a), shape(b)),
        SubstKind::BecomesSuch(a, b) => format!("{}:{}", exprs(a), shape(b)),
        SubstKind::Parallel(all) => list(all, "||"),
        SubstKind::Sequence(all) => list(all, ";"),
        SubstKind::Choice(all) => list(all, "[]"),
        SubstKind::Call {
            results,
            name,
            arguments,
        } => format!("{}<--{}({})", exprs(results), name.text, exprs(arguments)),
        other => format!("{other:?}")
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect(),
    }
}

fn substitution(text: &str) -> Result<String, Vec<String>> {
    let (machine, said) = machine(&format!("MACHINE m INITIALISATION {text} END"));
    let outlined = machine.and_then(|m| m.initialisation.as_ref().map(outline));
    outlined.ok_or(said)
}

#[test]
fn substitutions_have_their_shapes() {
    let cases = [
        ("x := 1 || y := 2; z := 3", "((x:=1||y:=2);z:=3)"),
        ("x, f(1)(2), r'a := 1, 2, 3", "x,f(1)(2),r'a:=1,2,3"),
        ("x :: S || y, z : (y = z)", "(x::S||y,z:(y = z))"),
        ("x :∈ S; y :∣ y > x", "(x::S;y:(y > x))"),
        (
            "BEGIN op; r <-- M.op(1, 2) END; op(x)",
            "((<--op();r<--M.op(1,2));<--op(x))",
        ),
        ("CHOICE skip OR x := 1 OR skip END", "(skip[]x:=1[]skip)"),
        ("IF a=b THEN skip ELSIF c=d THEN skip ELSE skip END", "If"),
        (
            "SELECT a=b THEN skip WHEN c=d THEN skip ELSE skip END",
            "Select",
        ),
        ("WHEN a=b THEN skip END", "Select"),
        (
            "CASE x OF EITHER 1,2 THEN skip OR 3 THEN skip ELSE skip END END",
            "Case",
        ),
        (
            "ANY x, y WHERE x=y THEN skip END || LET z BE z=1 IN skip END",
            "(Any||Let)",
        ),
        (
            "VAR x IN x := 1; skip END; ASSERT a=b THEN skip END",
            "(Var;Assert)",
        ),
        (
            "WHILE i < n DO i := i+1 INVARIANT i <= n VARIANT n-i END",
            "While",
        ),
        ("PRE a=b THEN skip; END", "Pre"),
    ];
    for (text, expected) in cases {
        assert_eq!(substitution(text), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn definitions_end_where_the_next_begins() {
    let text = "MACHINE m DEFINITIONS A == 1..n; B(x,y) == x > y & x : A; \"lib.def\";\n\
                C == BEGIN x := 1; y := 2 END; D(x) == x := 1 || y := 2; E == op(1);\n\
                F == IF a=b THEN x := 1 END; G == x : (1..2) VARIABLES x END";
    let (machine, said) = machine(text);
    let machine = machine.unwrap_or_else(|| panic!("{said:?}"));
    let shown: Vec<String> = machine
        .definitions
        .iter()
        .map(|d| {
            let body = match &d.body {
                DefinitionBody::Formula(formula) => shape(formula),
                DefinitionBody::Subst(subst) => format!("subst {}", outline(subst)),
            };
            format!("{}/{} {body}", d.name.text, d.parameters.len())
        })
        .collect();
    let expected = [
        "A/0 (1 .. n)",
        "B/2 ((x > y) & (x : A))",
        "C/0 subst (x:=1;y:=2)",
        "D/1 subst (x:=1||y:=2)",
        "E/0 op(1)",
        "F/0 subst If",
        "G/0 (x : (1 .. 2))",
    ];
    assert_eq!(shown, expected);
    assert_eq!(&*machine.files[0].0, "lib.def");
}

#[test]
fn clauses_come_in_any_order() {
    let text = "REFINEMENT r(P, n) OPERATIONS a, b <-- op(x) = skip; q = BEGIN skip END\n\
                VARIABLES x, y SEES N, p.M(1, S) ASSERTIONS x=1; y=2 REFINES m\n\
                SETS S; T = {a1, b1} PROMOTES p.op, q CONSTANTS c CONCRETE_CONSTANTS d\n\
                LOCAL_OPERATIONS loc = skip END";
    let (machine, said) = machine(text);
    let machine = machine.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!((machine.parameters.len(), machine.operations.len()), (2, 3));
    assert_eq!(machine.operations[0].results.len(), 2);
    assert!(machine.operations[2].is_local);
    assert_eq!((machine.links.len(), machine.promotes.len()), (2, 2));
    assert_eq!(machine.links[1].prefix.as_deref(), Some("p"));
    assert_eq!((machine.constants.len(), machine.assertions.len()), (2, 2));
    assert_eq!(machine.sets[1].elements.as_ref().map(Vec::len), Some(2));
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(check(text).errors, expected, "{text}");
}

#[test]
fn syntax_errors_are_located() {
    refused(
        "",
        &[
            "1:1: `MACHINE`, `REFINEMENT` or `IMPLEMENTATION` is expected \
             before the end of the text",
        ],
    );
    refused(
        "MACHINE m",
        &["1:10: a clause or `END` is expected before the end of the text"],
    );
    refused(
        "MACHINE m END x",
        &["1:15: the end of the text is expected here, not `x`"],
    );
    refused(
        "MACHINE m VARIABLES x, INVARIANT x : 1.. INITIALISATION x := END",
        &[
            "1:24: `INVARIANT` is a word of B; the name of a variable is expected here",
            "1:42: a formula is expected here, not `INITIALISATION`",
            "1:62: a formula is expected here, not `END`",
        ],
    );
    refused(
        "MACHINE m OPERATIONS a = skip b = skip END",
        &["1:31: `;`, or the end of the clause, is expected here, not `b`"],
    );
}

#[test]
fn wrong_formulas_and_headers_are_located() {
    refused(
        "MACHINE m PROPERTIES card(1,2) = 3 END",
        &["1:22: `card` takes 1 operand, not 2"],
    );
    refused(
        "MACHINE m PROPERTIES x = 1.5 END",
        &["1:26: real numbers are not supported"],
    );
    refused(
        "MACHINE m PROPERTIES x : REAL END",
        &["1:26: real numbers are not supported"],
    );
    refused(
        "MACHINE m PROPERTIES {x+1|x=1} = s END",
        &["1:23: only names can be bound here"],
    );
    refused(
        "MACHINE m FREETYPES T = a END",
        &["1:11: the clause `FREETYPES` is not supported"],
    );
    refused(
        "MACHINE m REFINES n END",
        &["1:19: a machine refines nothing; a refinement does"],
    );
    refused(
        "REFINEMENT m END",
        &["1:12: `m` does not say what it refines"],
    );
    refused(
        "MACHINE m PROPERTIES x = 1 /* END",
        &["1:28: this comment has no end"],
    );
    refused(
        "MACHINE m DEFINITIONS A == 1; A == 2; B == x := := END",
        &[
            "1:31: `A` is defined twice",
            "1:49: a formula is expected here, not `:=`",
        ],
    );
    refused(
        "MACHINE m INVARIANT 1=1 INVARIANT 2=2 END",
        &["1:25: the clause `INVARIANT` stands here again"],
    );
    refused(
        "MACHINE m PROPERTIES rec(a:1,a:2) = x END",
        &["1:30: the field `a` is given twice"],
    );
}
