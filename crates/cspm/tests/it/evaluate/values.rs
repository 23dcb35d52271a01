//! What expressions are worth, as text.

use super::load;

/// Definitions that the expressions see.
const AROUND: &str = r#"
datatype Fruit = Apple | Pear.{0..1} | Box.Fruit2.Bool
datatype Fruit2 = Kiwi | Fig.{5..6}
subtype Boxed = Box.{Kiwi}
nametype Pairs = {0..1}.{true}
datatype Held = Hold.Pairs
datatype Tree = Leaf | Node.Tree.Tree
channel done
channel c : {0..2}.Bool
channel d : Fruit
channel e : {Box.Kiwi.true, Box.Fig.5.false}
external transpose, relational_image, relational_inverse_image, mtransclose
fact(0) = 1
fact(n) = n * fact(n - 1)
rev(<>) = <>
rev(xs^<x>) = <x>^rev(xs)
both(x@@(y, _)) = (x, y)
only({}) = "none"
only({x}) = show(x)
only(_) = "many"
add(x)(y) = x + y
nats(n) = <n>^nats(n + 1)
zip(<>, _) = <>
zip(_, <>) = <>
zip(<x>^xs, <y>^ys) = <(x, y)>^zip(xs, ys)
field(Box.k.b) = (k, b)
field(Pear.n) = (Kiwi, n == 1)
chan(c.n.b) = if b then n else -n
size(Leaf) = 1
size(Node.l.r) = size(l) + size(r)
even(n) = n == 0 or odd(n - 1)
odd(n) = n != 0 and even(n - 1)
(first, <second>^others) = (1, <2, 3, 4>)
"#;

/// Expressions with what they are worth.
const CASES: &[(&str, &str)] = &[
    ("7 / 2", "3"),
    ("(-7) / 2", "-4"),
    ("(-7) % 3", "2"),
    ("7 % (-3)", "-2"),
    ("fact(20)", "2432902008176640000"),
    ("if 1 < 2 then \"yes\" else \"no\"", "\"yes\""),
    ("false and error(\"not reached\")", "false"),
    ("true or error(\"not reached\")", "true"),
    ("head(<1, error(\"not reached\")>)", "1"),
    ("(\\ x, y @ x)(1, 1 / 0)", "1"),
    ("let x = 1 / 0 within 3", "3"),
    (
        "let f(n) = if n == 0 then 0 else g(n - 1)\n g(n) = f(n) within f(1000)",
        "0",
    ),
    ("let a = b + 1\n b = 2 within a", "3"),
    ("let (x, y) = (y, 3) within x", "3"),
    ("even(10001)", "false"),
    ("rev(<1, 2, 3>)", "<3, 2, 1>"),
    ("both((1, 2))", "((1, 2), 1)"),
    (
        "<only({}), only({3}), only({3, 4})>",
        "<\"none\", \"3\", \"many\">",
    ),
    ("add(1)(2)", "3"),
    ("let inc = add(1) within <inc(1), inc(2)>", "<2, 3>"),
    ("head(tail(nats(5)))", "6"),
    ("zip(<1..>, \"ab\")", "<(1, 'a'), (2, 'b')>"),
    ("<first, second> ^ others", "<1, 2, 3, 4>"),
    ("# <1..5>", "5"),
    ("<x * y | x <- <1..3>, x != 2, y <- <x..3>>", "<1, 2, 3, 9>"),
    ("concat(<<1>, <>, <2, 3>>)", "<1, 2, 3>"),
    ("<1, 2> <= <1, 2, 3>", "true"),
    ("<2> <= <1, 2, 3>", "false"),
    ("{3, 1, 2, 1}", "{1, 2, 3}"),
    ("{x * x | x <- { -2..2}}", "{0, 1, 4}"),
    ("union({1}, {0, 2})", "{0, 1, 2}"),
    ("Inter({{1, 2}, {2, 3}})", "{2}"),
    ("inter({1, 5}, {3..})", "{5}"),
    ("diff({0..}, {0..4})", "{5..}"),
    ("member(-3, Int)", "true"),
    ("member(<true>, Seq(Bool))", "true"),
    ("member(<1>, Seq({0}))", "false"),
    ("card(Set({1..5}))", "32"),
    ("Set({1, 2})", "{{}, {1}, {1, 2}, {2}}"),
    ("{1} < {1, 2}", "true"),
    ("{1} <= {2}", "false"),
    (
        "Fruit",
        "{Apple, Pear.0, Pear.1, Box.Kiwi.false, Box.Kiwi.true, Box.Fig.5.false, \
      Box.Fig.5.true, Box.Fig.6.false, Box.Fig.6.true}",
    ),
    ("Boxed", "{Box.Kiwi.false, Box.Kiwi.true}"),
    ("Held", "{Hold.0.true, Hold.1.true}"),
    ("Tree", "Tree"),
    ("member(Node.Leaf.Leaf, Tree)", "true"),
    ("size(Node.(Node.Leaf.Leaf).Leaf)", "3"),
    ("field(Box.Fig.5.true)", "(Fig.5, true)"),
    ("field(Pear.0)", "(Kiwi, false)"),
    ("<chan(c.2.true), chan(c.2.false)>", "<2, -2>"),
    ("{| c.1, done |}", "{done, c.1.false, c.1.true}"),
    (
        "{| c.n | n <- {0, 2} |} == diff({| c |}, {| c.1 |})",
        "true",
    ),
    ("card(Events)", "18"),
    (
        "extensions(d.Box)",
        "{Kiwi.false, Kiwi.true, Fig.5.false, Fig.5.true, Fig.6.false, \
      Fig.6.true}",
    ),
    ("extensions(e.Box.Fig)", "{5.false}"),
    ("productions(e.Box)", "{e.Box.Kiwi.true, e.Box.Fig.5.false}"),
    ("{x | Pear.x <- Fruit}", "{0, 1}"),
    ("1.2.true", "1.2.true"),
    ("(| 2 => true, 1 => false |)", "(| 1 => false, 2 => true |)"),
    ("mapLookup(mapUpdate(emptyMap, 1, \"x\"), 1)", "\"x\""),
    ("mapToList(mapDelete((| 1 => 2, 3 => 4 |), 1))", "<(3, 4)>"),
    ("transpose({(1, true)})", "{(true, 1)}"),
    ("relational_image({(1, 2), (1, 3), (2, 4)})(1)", "{2, 3}"),
    ("relational_inverse_image({(1, 2), (3, 2)})(2)", "{1, 3}"),
    ("mtransclose({(1, 2), (2, 3)}, {1..3})", "{(1, 2), (1, 3)}"),
    ("show(<Pear.1, Apple>) ^ \"!\"", "\"<Pear.1, Apple>!\""),
    ("show(\"a\") == \"\\\"a\\\"\"", "true"),
    ("'a'", "'a'"),
    ("<>", "<>"),
];

#[test]
fn expressions_are_worth_what_the_language_says() {
    let mut text = AROUND.to_owned();
    for (i, (expr, _)) in CASES.iter().enumerate() {
        text += &format!("case{i} = {expr}\n");
    }
    let mut loaded = load(&text);
    for (i, (expr, expected)) in CASES.iter().enumerate() {
        assert_eq!(loaded.shown(&format!("case{i}")), *expected, "{expr}");
    }
}

#[test]
fn a_list_without_end_is_shown_in_part() {
    let mut loaded = load(
        "primes = sieve(<2..>)\nsieve(<p>^xs) = <p>^sieve(<x | x <- xs, x % p != 0>)\nten = <0..>",
    );
    assert!(loaded.shown("ten").ends_with("999, …>"));
    assert!(loaded.shown("primes").starts_with("<2, 3, 5, 7, 11, 13"));
}

#[test]
fn recursion_may_be_deep() {
    let mut loaded = load(
        "sum(<>) = 0\nsum(<x>^xs) = x + sum(xs)\ndeep = sum(<1..20000>)\n\
         count(n, k) = if n == 0 then k else count(n - 1, k + 1)\nlong = count(300000, 0)\n\
         chain(n, k) = if n == 0 then k else chain(n - 1, sum(<1>) + k)\nlazy = chain(20000, 0)\n\
         pairs(n) = if n == 0 then (0, 0) else (n, pairs(n - 1))\n\
         first = let (x, _) = pairs(9) within x",
    );
    assert_eq!(loaded.shown("deep"), "200010000");
    assert_eq!(loaded.shown("long"), "300000");
    assert_eq!(loaded.shown("lazy"), "20000");
    assert_eq!(loaded.shown("first"), "9");
}

#[test]
fn modules_and_instances_have_their_own_channels() {
    let mut loaded = load(
        "module M(n)\n  twice = 2 * n\nexports\n  channel c : {0..n}\n  top = twice\n\
         all = {| c |}\nendmodule\ninstance A = M(1)\ninstance B = M(2)\n\
         sizes = <card(A::all), card(B::all), A::top>\nevents = card(Events)",
    );
    assert_eq!(loaded.shown("sizes"), "<2, 3, 2>");
    assert_eq!(loaded.shown("B::all"), "{B::c.0, B::c.1, B::c.2}");
    assert_eq!(loaded.shown("events"), "5");
}

#[test]
fn long_rows_of_associative_operators_are_worked_out() {
    const N: usize = 20_000;
    for (operator, operand, last, worth) in [
        (" + ", "1", "1", N.to_string()),
        (" and ", "true", "false", "false".to_owned()),
        (" or ", "false", "true", "true".to_owned()),
        (" ^ ", "<1>", "<2>", N.to_string()),
    ] {
        let row = vec![operand; N - 1].join(operator);
        let length = if operator == " ^ " { "#" } else { "" };
        let text = format!("row = {row}{operator}{last}\nworth = {length}row\n");
        assert_eq!(load(&text).shown("worth"), worth, "{operator}");
    }
}

#[test]
fn the_order_of_a_long_row_is_kept() {
    for n in [3, 99, 100, 101, 102, 199, 200, 201, 777] {
        let parts: Vec<String> = (0..n).map(|i| format!("<{i}>")).collect();
        let all: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        let text = format!("row = {}\n", parts.join(" ^ "));
        assert_eq!(load(&text).shown("row"), format!("<{}>", all.join(", ")));
    }
}
