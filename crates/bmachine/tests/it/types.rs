//! Names and types: what is found, and what is said when there is none.

use crate::run::{check, machine};
use crate::shown::{expr, pred, subst, ty};
use bmachine::typed::Machine;

/// The types of constants and variables.
fn types(machine: &Machine) -> Vec<String> {
    let globals = machine.globals.iter();
    globals
        .map(|g| format!("{}:{}", g.name, ty(machine, &g.ty)))
        .collect()
}

fn properties(text: &str) -> Vec<String> {
    let machine = machine(text);
    machine
        .properties
        .iter()
        .map(|p| pred(&machine, p))
        .collect()
}

/// The properties of a machine with a given set, an enumerated set and some constants.
fn typed(predicate: &str) -> String {
    let text = format!(
        "MACHINE m SETS S; T = {{t1, t2}} CONSTANTS r, f, n, q, A PROPERTIES\n\
         r : S <-> T & f : S --> S & n : INTEGER & q : seq(T) & A <: S & {predicate} END"
    );
    properties(&text)[5..].join(" & ")
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(check(text).errors, expected, "{text}");
}

/// The same for a predicate over the constants of [`typed`].
#[track_caller]
fn ill(predicate: &str, expected: &[&str]) {
    let text = format!(
        "MACHINE m SETS S; T = {{t1, t2}} CONSTANTS r, f, n, q, A PROPERTIES \
         r : S <-> T & f : S --> S & n : INTEGER & q : seq(T) & A <: S &\n{predicate} END"
    );
    refused(&text, expected);
}

#[test]
fn any_predicate_gives_a_type() {
    let text = "MACHINE m SETS S CONSTANTS a, b, c, d PROPERTIES b = a & {a} = {1} & c(d) : S\n\
                & dom(c) = 1..2 VARIABLES x, y, z\n\
                INVARIANT x = [] & y : x~[{TRUE}] & z = {y |-> x}\n\
                INITIALISATION x, y, z := [], 1, {} END";
    let expected = [
        "a:INTEGER",
        "b:INTEGER",
        "c:POW((INTEGER*S))",
        "d:INTEGER",
        "x:POW((INTEGER*BOOL))",
        "y:INTEGER",
        "z:POW((INTEGER*POW((INTEGER*BOOL))))",
    ];
    assert_eq!(types(&machine(text)), expected);
}

#[test]
fn parameters_are_typed_by_use() {
    let text = "MACHINE m SETS S VARIABLES x INVARIANT x : S +-> BOOL INITIALISATION x := {}\n\
                OPERATIONS set(k, v) = x(k) := v; v <-- get(k) = v := x(k) END";
    let machine = machine(text);
    let locals: Vec<String> = machine
        .locals
        .iter()
        .map(|l| format!("{}:{}", l.name, ty(&machine, &l.ty)))
        .collect();
    assert_eq!(locals, ["k:S", "v:BOOL", "k:S", "v:BOOL"]);
    assert_eq!(subst(&machine, &machine.operations[0].body), "x(k) := v");
    assert_eq!(
        subst(&machine, &machine.operations[1].body),
        "v := Apply(x, k)"
    );
    assert!(machine.operations.iter().all(|o| o.is_public));
}

#[test]
fn minus_and_times_are_between_numbers_or_sets() {
    assert_eq!(
        typed("n - 1 = n * 2"),
        "Equal(Subtract(n, 1), Multiply(n, 2))"
    );
    assert_eq!(
        typed("A - {} = S \\ A"),
        "Equal(Difference(A, {}), Difference(S, A))"
    );
    assert_eq!(typed("A * T = r"), "Equal(Product(A, T), r)");
    // What they are between is known only later.
    let text = "MACHINE m CONSTANTS a, b, c, d PROPERTIES a - b = c & d = a * b & c = {1} END";
    let made = machine(text);
    let shown: Vec<String> = made.properties.iter().map(|p| pred(&made, p)).collect();
    assert_eq!(shown[0], "Equal(Difference(a, b), c)");
    assert_eq!(shown[1], "Equal(d, Product(a, b))");
    assert_eq!(types(&made)[3], "d:POW((INTEGER*INTEGER))");
}

/// Predicates and what they mean.
const FORMS: &[(&str, &str)] = &[
    ("n /= 1 & n /: {2}", "not(Equal(n, 1)) & not(In(n, {2}))"),
    (
        "A /<: S & A /<<: S",
        "not(Subset(A, S)) & not(StrictSubset(A, S))",
    ),
    (
        "!x.(x : A => f(x) = x)",
        "!(x:S).((In(x, A) => Equal(Apply(f, x), x)))",
    ),
    ("#(x,y).(x|->y : r)", "#(x:S,y:T).(In(Pair(x, y), r))"),
    (
        "{x,y|(x,y) : r} = r",
        "Equal({x:S,y:T|In(Pair(x, y), r)}, r)",
    ),
    (
        "%x.(x:A|f(x)) = f",
        "Equal(%(x:S).(In(x, A)|Apply(f, x)), f)",
    ),
    (
        "{x.(x:A|f(x))} = A",
        "Equal(Ran(%(x:S).(In(x, A)|Apply(f, x))), A)",
    ),
    (
        "SIGMA(x).(x:1..n|x) = PI(x).(x:1..2|x)",
        "Equal(Sum(x:INTEGER).(In(x, Interval(1, n))|x), \
             Product(x:INTEGER).(In(x, Interval(1, 2))|x))",
    ),
    (
        "UNION(x).(x:A|r[{x}]) = T",
        "Equal(Union(x:S).(In(x, A)|Image(r, {x})), T)",
    ),
    ("bool(n > 1) = TRUE", "Equal(bool(Greater(n, 1)), true)"),
    ("(f;r) = (f;r)", "Equal(Compose(f, r), Compose(f, r))"),
    (
        "prj1(S,T) : S*T --> S",
        "In(First(S, T), TotalFunctions(Product(S, T), S))",
    ),
    (
        "iterate(f,n) = closure1(f)",
        "Equal(Iterate(f, n), Closure1(f))",
    ),
    (
        "fnc(r)(f~(first([]))) = {t1}",
        "Equal(Apply(Fnc(r), Apply(Inverse(f), First({}))), {t1})",
    ),
    (
        "conc([q,<>]) = q^[t2]<-t1",
        "Equal(Conc([q, {}]), Append(Concat(q, [t2]), t1))",
    ),
    (
        "q : iseq1(T) & size(q) = card(q)",
        "In(q, Iseq1(T)) & Equal(Size(q), Card(q))",
    ),
    ("succ(n) = MAXINT", "Equal(Apply(Succ, n), MaxInt)"),
    ("-n = -1", "Equal(Minus(n), -1)"),
    ("rec(b:1,a:t1)'a = t1", "Equal(rec(t1, 1)'0, t1)"),
    (
        "struct(b:1..2,a:T) = {}",
        "Equal(struct(T, Interval(1, 2)), {})",
    ),
    (
        "IF n=1 THEN n ELSE 2 END = 2",
        "Equal(If(Equal(n, 1), n, 2), 2)",
    ),
    (
        "IF n=1 THEN btrue ELSE bfalse END",
        "If(Equal(n, 1), true, false)",
    ),
    (
        "LET x, y BE x = n & y = x+1 IN y > x END",
        "Let(x=n, y=Add(x, 1), Greater(y, x))",
    ),
    (
        "LET x BE x = n IN x+1 END = n",
        "Equal(Let(x=n, Add(x, 1)), n)",
    ),
    (
        "(r||r) : ((S*S)<->(T*T))",
        "In(ParallelProduct(r, r), Relations(Product(S, S), Product(T, T)))",
    ),
    (
        "(r><r) = {} & \"a\" /= \"b\"",
        "Equal(DirectProduct(r, r), {}) & not(Equal(\"a\", \"b\"))",
    ),
    (
        "id({}) = {} & {} <: STRING",
        "Equal(Id({}), {}) & Subset({}, Text)",
    ),
];

#[test]
fn every_form_has_its_meaning() {
    for (predicate, expected) in FORMS {
        assert_eq!(typed(predicate), *expected, "{predicate}");
    }
}

#[test]
fn substitutions_are_typed() {
    let text = "MACHINE m SETS S VARIABLES x, f, r INVARIANT x : INTEGER & f : S --> (S +-> BOOL)\n\
                & r : struct(a:INTEGER, b:S) INITIALISATION x :: 1..2 || f : (f = S * {{}})\n\
                || r :: struct(a:{1}, b:S)\n\
                OPERATIONS a = x : (x > x$0 & f /= {});\n\
                b(s) = PRE s : S THEN f(s)(s) := TRUE || r'a, x := x, r'a END;\n\
                o <-- c = VAR v IN v := x; o := v + 1 END;\n\
                d = CASE x OF EITHER 1, 2 THEN skip OR 3 THEN x := 4 ELSE skip END END;\n\
                e = WHILE x < 3 DO x := x + 1 INVARIANT x <= 3 VARIANT 3 - x END;\n\
                g = ANY s, b WHERE b = f(s)(s) THEN LET y BE y = 1 IN x := y END END;\n\
                h = SELECT x=1 THEN skip WHEN x=2 THEN skip ELSE CHOICE skip OR x := 1 END END;\n\
                i = ASSERT x=1 THEN IF x=1 THEN skip ELSIF x=2 THEN skip END END END";
    let machine = machine(text);
    let shown: Vec<String> = machine
        .operations
        .iter()
        .map(|o| subst(&machine, &o.body))
        .collect();
    let expected = [
        "x : (x:INTEGER | (Greater(x, x) & not(Equal(f, {}))))",
        "Pre(In(s, S), (f(s)(s) := true || r'0, x := x, r'0))",
        "Var(v:INTEGER, (v := x ; o := Add(v, 1)))",
        "Case(x: 1, 2 -> skip | 3 -> x := 4 | else -> skip)",
        "While(Less(x, 3), x := Add(x, 1), LessEqual(x, 3), Subtract(3, x))",
        "Any(s:S,b:BOOL | Equal(b, Apply(Apply(f, s), s)), Let(y=1, x := y))",
        "Select(Equal(x, 1) -> skip | Equal(x, 2) -> skip | else -> (skip [] x := 1))",
        "Assert(Equal(x, 1), If(Equal(x, 1) -> skip | Equal(x, 2) -> skip))",
    ];
    assert_eq!(shown, expected);
    let start = subst(&machine, &machine.initialisation);
    assert!(
        start.starts_with("(x :: Interval(1, 2) || f : (f:"),
        "{start}"
    );
}

#[test]
fn definitions_are_expanded_without_capture() {
    let text = "MACHINE m DEFINITIONS A(x) == #y.(y > x); B == y; C(x) == x + B; D == n;\n\
                n1(y) == D + y; E(p) == p & p; tw == {1, 2}; fst(s) == s(1)\n\
                CONSTANTS y, n PROPERTIES y : INTEGER & n : INTEGER\n\
                & A(y) & !y.(y > 0 => C(1) > y)\n\
                & n1(y + 1) = 0 & E(y = 1) & card(tw) = 2 & fst([n]) = 1 END";
    let shown = properties(text);
    assert_eq!(shown[2], "#(y:INTEGER).(Greater(y, y))");
    // The free name of a definition means what it means where the definition is used.
    assert_eq!(
        shown[3],
        "!(y:INTEGER).((Greater(y, 0) => Greater(Add(1, y), y)))"
    );
    assert_eq!(shown[4], "Equal(Add(n, Add(y, 1)), 0)");
    assert_eq!(&shown[5..7], ["Equal(y, 1)", "Equal(y, 1)"]);
    assert_eq!(shown[7], "Equal(Card({1, 2}), 2)");
    assert_eq!(shown[8], "Equal(Apply([n], 1), 1)");
    // In `#y.(y > x)` with `y` for `x`, the inner one is bound, the outer one the constant.
    let machine = machine(text);
    let text = format!("{:?}", machine.properties[2]);
    assert!(
        text.contains("Local(") && text.contains("Global("),
        "{text}"
    );
}

#[test]
fn substitutions_can_be_defined() {
    let text = "MACHINE m DEFINITIONS put(v, e) == v := e || w := w;\n\
                both == BEGIN put(x, 1); no END;\n\
                no == skip; later(a) == put(a, 2) VARIABLES x, w INVARIANT x : INTEGER & w : BOOL\n\
                INITIALISATION x := 1 || w := TRUE OPERATIONS a = both; b = later(x) END";
    let machine = machine(text);
    let shown = |i: usize| subst(&machine, &machine.operations[i].body);
    assert_eq!(shown(0), "((x := 1 || w := w) ; skip)");
    assert_eq!(shown(1), "(x := 2 || w := w)");
}

#[test]
fn special_definitions_are_settings() {
    let text = "MACHINE m(P) SETS S; T; W = {w} DEFINITIONS scope_S == 2..4;\n\
                scope_W == 1; scope_T == N; N == 3; scope_U == 2;\n\
                SET_PREF_MAXINT == 2**4-1; SET_PREF_MININT == -N; SET_PREF_MAX_OPERATIONS == 7;\n\
                SET_PREF_MAX_INITIALISATIONS == 9; SET_PREF_CLPFD == TRUE; GOAL == card(S) > N;\n\
                ASSERT_LTL_1 == \"G {1=1}\"; ASSERT_CTL == \"AG {2=2}\"; ANIMATION_STR1 == \"x\"\n\
                PROPERTIES card(P) = N & 1 = card(W) END";
    let said = check(text);
    let machine = said.machine.unwrap_or_else(|| panic!("{}", said.drawn));
    let asked = &machine.settings;
    let sizes: Vec<(&str, usize)> = asked
        .sizes
        .iter()
        .map(|(sort, n, _)| (machine.sorts[sort.index()].name.as_str(), *n))
        .collect();
    assert_eq!(sizes, [("S", 3), ("T", 3), ("P", 3)]);
    assert_eq!((asked.maxint, asked.minint), (Some(15), Some(-3)));
    assert_eq!(
        (asked.max_operations, asked.max_initialisations),
        (Some(7), Some(9))
    );
    assert_eq!(asked.others[0].0, "SET_PREF_CLPFD");
    assert_eq!(asked.others[0].1, "TRUE");
    let formulas: Vec<(bool, &str)> = machine
        .formulas
        .iter()
        .map(|f| (f.is_linear, f.text.as_str()))
        .collect();
    assert_eq!(formulas, [(true, "G {1=1}"), (false, "AG {2=2}")]);
    let goal = machine.goal.as_ref().map(|goal| pred(&machine, goal));
    assert_eq!(goal.as_deref(), Some("Greater(Card(S), 3)"));
    let expected = [
        "2:1: there is no deferred set `W`, so this has no effect",
        "2:37: there is no deferred set `U`, so this has no effect",
    ];
    assert_eq!(said.warnings, expected);
}

#[test]
fn types_that_do_not_fit_are_named() {
    ill("n : S", &["2:5: expected POW(INTEGER), found POW(S)"]);
    ill("A = n", &["2:5: expected POW(S), found INTEGER"]);
    ill("r[T] = T", &["2:3: expected POW(S), found POW(T)"]);
    ill("f(t1) = n", &["2:3: expected S, found T"]);
    ill("n(1) = 2", &["2:1: expected POW(_*_), found INTEGER"]);
    ill("{n, TRUE} = {}", &["2:5: expected INTEGER, found BOOL"]);
    ill("n + A = 1", &["2:5: expected INTEGER, found POW(S)"]);
    ill("(f;r~) = {}", &["2:4: expected POW(S*_), found POW(T*S)"]);
    ill("n * A = n", &["2:1: expected INTEGER, found POW(S)"]);
    ill(
        "TRUE - TRUE = n",
        &["2:1: expected INTEGER or POW(_), found BOOL"],
    );
    ill(
        "rec(a:1)'b = 1",
        &["2:10: struct(a:INTEGER) has no field `b`"],
    );
    ill("n'b = 1", &["2:3: expected a record, found INTEGER"]);
    ill("#x.(x = {x})", &["2:9: expected _, found POW(_)"]);
    ill(
        "rec(a:1) = rec(b:1)",
        &["2:12: expected struct(a:INTEGER), found struct(b:INTEGER)"],
    );
}

#[test]
fn predicates_and_values_are_told_apart() {
    ill(
        "TRUE & n = 1",
        &["2:1: a predicate is expected here, and this is a value, of BOOL"],
    );
    ill(
        "(n = 1) = TRUE",
        &["2:2: an expression is expected here, and this is a predicate"],
    );
    ill(
        "card(n > 1) = 1",
        &["2:6: an expression is expected here, and this is a predicate"],
    );
    ill(
        "not(A)",
        &["2:5: a predicate is expected here, and this is a value, of POW(S)"],
    );
}

#[test]
fn names_without_a_type_are_named() {
    refused(
        "MACHINE m CONSTANTS c, d VARIABLES x INVARIANT x = {} INITIALISATION x := {}\n\
         OPERATIONS op(p) = skip END",
        &[
            "1:21: `c` has no type",
            "1:24: `d` has no type",
            "1:36: `x` has no type",
            "2:15: `p` has no type",
        ],
    );
    let said = check("MACHINE m VARIABLES x INVARIANT x <: {} INITIALISATION x := {} END");
    assert!(
        said.drawn.contains("what is known is POW(_)"),
        "{}",
        said.drawn
    );
}

#[test]
fn names_that_are_wrong_are_located() {
    ill("zz = 1", &["2:1: `zz` is not declared"]);
    ill(
        "n = left(1)",
        &["2:5: `left` is not supported: it is an operator on trees"],
    );
    ill(
        "n = floor(1)",
        &["2:5: `floor` is not supported: it is about real numbers"],
    );
    ill(
        "n$0 = 1",
        &["2:1: `n$0` has a meaning only in the predicate of `n:(…)`"],
    );
    ill("!(x,x).(x = n)", &["2:5: `x` is bound twice"]);
    ill(
        "LET x BE x = y & y = 1 IN x = 1 END",
        &["2:14: `y` is not declared"],
    );
    ill(
        "LET x, y BE x = y & y = 1 IN x = y END",
        &["2:17: `y` is used before its equation"],
    );
    ill(
        "LET x, y BE x = 1 IN x = y END",
        &["2:8: `y` has no equation"],
    );
    ill(
        "LET x BE x > 1 IN x = n END",
        &["2:10: an equation for a name of this `LET` is expected here, such as `x = E`"],
    );
    refused(
        "MACHINE m SETS S; S CONSTANTS S END",
        &["1:19: `S` is declared twice", "1:31: `S` is declared twice"],
    );
    refused(
        "MACHINE m SETS S = {a, a} END",
        &["1:24: `a` is declared twice"],
    );
}

#[test]
fn wrong_uses_of_definitions_are_located() {
    let with = |definitions: &str, predicate: &str| {
        format!("MACHINE m DEFINITIONS {definitions} PROPERTIES\n{predicate} END")
    };
    refused(&with("A(x) == x", "A = 1"), &["2:1: `A` takes 1, not 0"]);
    refused(
        &with("A == B; B == A + 1", "A = 1"),
        &["1:36: the definition `A` uses itself"],
    );
    refused(
        &with("A(x) == #x.(x = 1)", "A(2)"),
        &["1:32: `x` is a parameter of this definition and cannot be bound in it"],
    );
    refused(
        &with("A == skip", "A = 1"),
        &["2:1: an expression is expected here, and this is a substitution"],
    );
    refused(
        &with("EXTERNAL_FUNCTION_f(T) == T --> T; f(x) == x", "f(1) = 1"),
        &["2:1: `f` is not supported: it is an external function"],
    );
    let said = check(&with("A(x) == x + TRUE", "A(1) = 1"));
    assert_eq!(said.errors, ["1:35: expected INTEGER, found BOOL"]);
    assert!(said.drawn.contains("used here"), "{}", said.drawn);
}

#[test]
fn wrong_assignments_are_located() {
    let with = |body: &str| {
        format!(
            "MACHINE m SETS S = {{e}} CONSTANTS c PROPERTIES c = 1 VARIABLES x, y, f INVARIANT \
             x = 1 & y : S & f : S --> S INITIALISATION x := 1 || y := e || f := {{e|->e}} \
             OPERATIONS op(p) = PRE p = 1 THEN\n{body} END; q = skip END"
        )
    };
    let cases = [
        ("c := 1", "2:1: `c` is a constant; it cannot be assigned to"),
        (
            "e := 1",
            "2:1: `e` is an element of a set; it cannot be assigned to",
        ),
        (
            "S := {}",
            "2:1: `S` is a given set; it cannot be assigned to",
        ),
        (
            "p := 1",
            "2:1: `p` is neither a result nor a local variable; it cannot be assigned to",
        ),
        ("x := y", "2:6: expected INTEGER, found S"),
        (
            "x, y := 1",
            "2:1: 2 variables are assigned to, and 1 values given",
        ),
        ("f(1) := e", "2:1: expected POW(INTEGER*_), found POW(S*S)"),
        ("x :: S", "2:6: expected POW(INTEGER), found POW(S)"),
        (
            "f(e) : (1=1)",
            "2:1: only whole variables can be given a value by a predicate",
        ),
        (
            "x := 1 || x := 2",
            "2:11: `x` is assigned to by another branch, too",
        ),
        (
            "x, x := 1, 2",
            "2:4: `x` is assigned to by another branch, too",
        ),
        ("q", "2:1: `q` is an operation of the same machine"),
        ("x", "2:1: `x` is no operation"),
        ("zz", "2:1: `zz` is not declared"),
        ("x := q", "2:6: `q` is an operation and has no value"),
        (
            "CASE x OF EITHER TRUE THEN skip END END",
            "2:18: expected INTEGER, found BOOL",
        ),
    ];
    for (body, expected) in cases {
        refused(&with(body), &[expected]);
    }
    refused(
        "MACHINE m VARIABLES x, y INVARIANT x = 1 & y = 1 INITIALISATION x := 1 END",
        &["1:24: `y` has no value at the start"],
    );
    refused(
        "MACHINE m VARIABLES x INVARIANT x = 1 END",
        &["1:9: `m` has no INITIALISATION"],
    );
}

#[test]
fn expressions_have_their_types() {
    let text = "MACHINE m CONSTANTS c PROPERTIES c = {1 |-> [TRUE]} END";
    let machine = machine(text);
    let bmachine::typed::PredKind::Compare(_, _, right) = &machine.properties[0].kind else {
        panic!("{:?}", machine.properties);
    };
    assert_eq!(expr(&machine, right), "{Pair(1, [true])}");
    assert_eq!(
        ty(&machine, &right.ty),
        "POW((INTEGER*POW((INTEGER*BOOL))))"
    );
}
