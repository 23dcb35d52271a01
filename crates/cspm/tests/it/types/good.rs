//! Definitions and their types.

use super::{check, type_of};

#[test]
fn plain_values_have_their_types() {
    for (text, ty) in [
        ("3", "Int"),
        ("-3 + 4 * 5 / 6 % 7", "Int"),
        ("true and not false or 1 < 2", "Bool"),
        ("'c'", "Char"),
        ("\"text\"", "<Char>"),
        ("(1, true, <2>)", "(Int, Bool, <Int>)"),
        ("<1, 2>^<3>", "<Int>"),
        ("<1..>", "<Int>"),
        ("#<1, 2>", "Int"),
        ("{1, 2}", "{Int}"),
        ("{1..5}", "{Int}"),
        (
            "{(x, y) | x <- {1, 2}, y <- {true}, x > 1}",
            "{(Int, Bool)}",
        ),
        ("<x + 1 | x <- <1, 2>>", "<Int>"),
        ("{1..x | x <- {2}}", "{Int}"),
        ("(| 1 => true |)", "(| Int => Bool |)"),
        ("if true then STOP else SKIP", "Proc"),
        ("\\ x, y @ x + y", "(Int, Int) -> Int"),
        ("let y = 1 within y", "Int"),
        ("1.true", "Int.Bool"),
        ("{}", "Set a => {a}"),
        ("<>", "<a>"),
        ("{STOP}", "{Proc}"),
        ("show((1, true))", "<Char>"),
    ] {
        assert_eq!(type_of("v", &format!("v = {text}\n")), ty, "{text}");
    }
}

#[test]
fn functions_are_as_general_as_they_can_be() {
    for (text, ty) in [
        ("f(x) = x", "(a) -> a"),
        ("f(x, y) = x == y", "Eq a => (a, a) -> Bool"),
        ("f(x)(y) = x < y", "Ord a => (a) -> (a) -> Bool"),
        ("f(x) = {x}", "Set a => (a) -> {a}"),
        ("f(<>) = <>\nf(<x>^xs) = f(xs)^<x>", "(<a>) -> <a>"),
        ("f(g, x) = g(g(x))", "((a) -> a, a) -> a"),
        ("f() = 1", "() -> Int"),
        ("f(x, _) = x", "(a, b) -> a"),
        ("f((x, y)) = (y, x)", "((a, b)) -> (b, a)"),
        ("f({}) = 0\nf({x}) = x", "({Int}) -> Int"),
        ("f(x @@ <y>^_) = (x, y)", "(<a>) -> (<a>, a)"),
        ("f(x) = error(\"no\")", "(a) -> b"),
        (
            "f(m, k) = mapLookup(m, k)",
            "Set a => ((| a => b |), a) -> b",
        ),
    ] {
        assert_eq!(type_of("f", &format!("{text}\n")), ty, "{text}");
    }
}

#[test]
fn definitions_that_use_each_other_are_one_group() {
    let text = "even(0) = true\neven(n) = odd(n - 1)\nodd(0) = false\nodd(n) = even(n - 1)\n";
    assert_eq!(type_of("even", text), "(Int) -> Bool");
    // Outside its group a function has many types, whatever the order of the text.
    let text = "a = (id(1), id(true))\nid(x) = x\n";
    assert_eq!(type_of("a", text), "(Int, Bool)");
}

#[test]
fn only_written_types_are_general_inside_let() {
    let open = "a = let\n  id(x) = x\nwithin (id(1), id(true))\n";
    assert_eq!(check(open).errors.len(), 1);
    let written = "a = let\n  id :: (b) -> b\n  id(x) = x\nwithin (id(1), id(true))\n";
    assert_eq!(type_of("a", written), "(Int, Bool)");
}

#[test]
fn processes_are_processes() {
    let head = "channel a, b\nchannel c : {0..3}\nQ(n) = STOP\n";
    for text in [
        "a -> STOP",
        "c?x -> c!x -> P",
        "c?x:{0..1} -> STOP",
        "c$x -> Q(x)",
        "true & a -> SKIP",
        "a -> STOP [] b -> STOP",
        "STOP |~| STOP",
        "SKIP ; STOP",
        "STOP /\\ STOP",
        "STOP [> STOP",
        "STOP ||| STOP",
        "STOP [| {| c |} |] STOP",
        "STOP [ {a} || {| c |} ] STOP",
        "STOP [| {a} |> STOP",
        "STOP [+ {a} +] STOP",
        "STOP /+ {a} +\\ STOP",
        "STOP \\ {| c |}",
        "STOP [[ a <- b ]]",
        "STOP [[ c.x <- c.(x + 1) | x <- {0..2} ]]",
        "STOP [ c <-> c ] STOP",
        "[] x : {0..3} @ c.x -> STOP",
        "|~| x : {0..3} @ c.x -> STOP",
        "||| x : {0..3} @ Q(x)",
        "; x : <0..3> @ Q(x)",
        "[| {a} |] x : {0..3} @ Q(x)",
        "|| x : {0..3} @ [ {c.x} ] Q(x)",
        "[ c <-> c ] x : <0..3> @ Q(x)",
        "[+ {a} +] x : {0..3} @ Q(x)",
        "CHAOS(Events)",
        "RUN({| c |})",
        "DIV",
        "BUFFER(2, {(a, b)})",
        "WEAK_BUFFER(2, a, {(a, b)})",
    ] {
        assert_eq!(
            type_of("P", &format!("{head}P = {text}\n")),
            "Proc",
            "{text}"
        );
    }
}

#[test]
fn assertions_and_prints_are_checked() {
    let text = "channel a\nP = a -> P\nassert P [T= P\nassert not P [FD= P :[tau priority]: {a}\n\
                assert P :[deadlock free [F]]\nassert P :[has trace]: <a, a>\nprint 1 + 1\n";
    assert!(check(text).errors.is_empty(), "{}", check(text).drawn);
}

#[test]
fn declarations_make_sets_and_labels() {
    let text = "datatype T = A | B.{0..1}.T | C.(Bool, Int)\nsubtype S = A | B.{0}\n\
                nametype N = {0..3}.Bool\nchannel c, d : T.N\nchannel e\n";
    for (name, ty) in [
        ("T", "{T}"),
        ("A", "T"),
        ("B", "Int => T => T"),
        ("C", "(Bool, Int) => T"),
        ("S", "{T}"),
        ("N", "{Int.Bool}"),
        ("c", "T => Int => Bool => Event"),
        ("d", "T => Int => Bool => Event"),
        ("e", "Event"),
    ] {
        assert_eq!(type_of(name, text), ty, "{name}");
    }
}

#[test]
fn built_in_names_can_be_taken() {
    assert_eq!(type_of("x", "union = 2\nx = union + 1\n"), "Int");
    assert_eq!(type_of("f", "f(card) = card + 1\n"), "(Int) -> Int");
    assert_eq!(type_of("x", "x = let head = true within head\n"), "Bool");
}

#[test]
fn imported_functions_are_known_where_they_are_asked_for() {
    let text = "transparent normal, chase\nexternal prioritise\nchannel a\n\
                P = prioritise(chase(normal(STOP)), <{a}, {}>)\n";
    assert_eq!(type_of("P", text), "Proc");
    let inside = "P = let\n  transparent sbisim\nwithin sbisim(STOP)\n";
    assert_eq!(type_of("P", inside), "Proc");
    // Two files may ask for the same function.
    let twice = "transparent normal\ntransparent normal\nP = normal(STOP)\n";
    assert_eq!(type_of("P", twice), "Proc");
}

#[test]
fn written_types_are_kept_and_can_be_spoken_of_inside() {
    let text = "f :: Set a => (a) -> {a}\nf(x) = let\n  y :: {a}\n  y = {x}\nwithin y\n";
    assert_eq!(type_of("f", text), "Set a => (a) -> {a}");
    // Less general than it could be.
    let text = "f :: (Int) -> Int\nf(x) = x\n";
    assert_eq!(type_of("f", text), "(Int) -> Int");
    let text = "datatype T = A\nf, g :: (T) -> Bool\nf(x) = x == A\ng(x) = f(x)\n";
    assert_eq!(type_of("g", text), "(T) -> Bool");
}

#[test]
fn one_written_type_of_several_names() {
    let text = "f, g :: Set a => (a) -> {a}\nf(x) = let\n  y :: {a}\n  y = {x}\nwithin y\n\
                g(x) = let\n  y :: {a}\n  y = {x}\nwithin y\n";
    assert_eq!(type_of("f", text), "Set a => (a) -> {a}");
    assert_eq!(type_of("g", text), "Set a => (a) -> {a}");
}

#[test]
fn datatypes_can_be_compared_if_their_fields_can() {
    let text = "datatype T = A.T | B.U | C\ndatatype U = D.T\nx = (A.C) == (B.D.C)\n";
    assert_eq!(type_of("x", text), "Bool");
    let text = "datatype T = A.Proc | B\nx = {B, A.STOP}\n";
    assert_eq!(type_of("x", text), "{T}");
}

#[test]
fn timed_sections_know_more_names() {
    let text = "channel tock, a\nTimed(\\ _ @ 1) {\n  P = WAIT(3) ; a -> timed_priority(P)\n}\n\
                Q = P\n";
    assert_eq!(type_of("Q", text), "Proc");
}

#[test]
fn types_are_given_in_parts() {
    use cspm::typeck::known::{DefinitionKind, Type};
    let said = check("datatype T = A | B.{0..1}\nchannel c : T.Bool\nf(x) = {x}\n");
    let typed = said.typed.expect("a good script");
    let of = |name: &str| {
        let mut all = typed.definitions.iter();
        all.find(|d| d.name == name).expect("a definition")
    };
    assert_eq!(of("c").sort, DefinitionKind::Channel);
    let (fields, result) = of("c").ty.fields();
    assert_eq!(fields, [Type::Datatype("T".into()), Type::Bool]);
    assert_eq!(*result, Type::Event);
    assert_eq!(of("A").ty.fields(), (&[][..], &Type::Datatype("T".into())));
    let set = Type::Set(Box::new(Type::Variable(0)));
    let function = Type::Function(vec![Type::Variable(0)], Box::new(set));
    assert_eq!(of("f").ty, function);
}
