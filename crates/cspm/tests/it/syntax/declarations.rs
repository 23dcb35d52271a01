//! Declarations, assertions and types, and what is refused of them.

use super::tree::decl;
use crate::script::{read, script};
use cspm::ast::{DeclKind, TypeKind};

#[track_caller]
fn decls(text: &str) -> Vec<String> {
    script(text).decls.iter().map(|d| decl(&d.kind)).collect()
}

/// The only error of a text.
#[track_caller]
fn error(text: &str) -> String {
    let mut errors = read(text).errors;
    assert_eq!(errors.len(), 1, "{text}\n{errors:?}");
    errors.remove(0)
}

#[test]
fn equations_in_a_row_are_one_function() {
    let text = "f(0) = 1\n\nf(n) = n\nx = 1\nx = 2\ng()(y) = 3\ng(_) = 4\nf(2) = 5";
    let expected = [
        "(def f ([0] 1) ([n] n))",
        "(def x ( 1))",
        "(def x ( 2))",
        "(def g ([] [y] 3) ([_] 4))",
        "(def f ([2] 5))",
    ];
    assert_eq!(decls(text), expected);
}

#[test]
fn patterns_are_bound() {
    let text = "(a, <b>^_) = c\nx.y = z\n{d} = e\n<'c', \"t\", -1> = s\np @@ q = r";
    let expected = [
        "(bind (tuple a (^ (seq b) _)) c)",
        "(bind (. x y) z)",
        "(bind (set d) e)",
        "(bind (seq 'c' \"t\" -1) s)",
        "(bind (@@ p q) r)",
    ];
    assert_eq!(decls(text), expected);
}

#[test]
fn assertions() {
    let text = "assert P [T= Q\nassert not P [FD= Q :[tau priority]: {a} :[partial order reduce]\n\
                assert P :[deadlock free]\nassert P :[ deadlock-free [FD] ]\n\
                assert P ||| Q :[livelock free]\nassert P :[divergence free [F]]:\n\
                assert P :[deterministic [T]]\nassert P :[has trace]:\n <a, b>\n\
                assert P\n  :[has trace [F]] <>\nassert\n not a == b\nassert P [RD= Q";
    let expected = [
        "(assert Traces P Q options 0)",
        "(assert not FailuresDivergences P Q options 2)",
        "(assert DeadlockFree None P options 0)",
        "(assert DeadlockFree Some(FailuresDivergences) P options 0)",
        "(assert DivergenceFree None (||| P Q) options 0)",
        "(assert DivergenceFree Some(Failures) P options 0)",
        "(assert Deterministic Some(Traces) P options 0)",
        "(assert HasTrace None P (seq a b) options 0)",
        "(assert HasTrace Some(Failures) P (seq ) options 0)",
        "(assert not (Equal a b) options 0)",
        "(assert RefusalsDivergences P Q options 0)",
    ];
    assert_eq!(decls(text), expected);
}

#[test]
fn the_name_print_is_no_word() {
    assert_eq!(
        decls("print 1 + 1\nprint (a)"),
        ["(print (Add 1 1))", "(print a)"]
    );
    assert_eq!(decls("print = 2\nprint(x) = 3").len(), 2);
    assert_eq!(decls("y = print + 1"), ["(def y ( (Add print 1)))"]);
}

#[test]
fn types_have_the_levels_of_expressions() {
    let text = "f :: (Eq a, Set b) => (a, {b}) -> <Int.Bool> => M::T =>* b\nf = g";
    let script = script(text);
    let DeclKind::Annotation { scheme, .. } = &script.decls[0].kind else {
        panic!("no annotation");
    };
    assert_eq!(scheme.constraints.len(), 2);
    let TypeKind::Function(arguments, result) = &scheme.body.kind else {
        panic!("no function");
    };
    assert_eq!(arguments.len(), 2);
    let TypeKind::Dotable(from, to) = &result.kind else {
        panic!("no dotable");
    };
    assert!(matches!(from.kind, TypeKind::Sequence(_)));
    assert!(matches!(to.kind, TypeKind::Extendable(..)));
    for text in [
        "(| k => (v) -> w |)",
        "() -> a",
        "((a) -> b) -> c",
        "(a, b).c",
        "((a, b)) -> c",
    ] {
        let script = script_of(&format!("f :: {text}\nf = g"));
        let DeclKind::Annotation { scheme, .. } = &script.decls[0].kind else {
            panic!("no annotation");
        };
        assert_eq!(cspm::listing::scheme(scheme), text);
    }
}

#[track_caller]
fn script_of(text: &str) -> cspm::ast::Script {
    script(text)
}

#[test]
fn annotations_are_handed_to_channels_and_nametypes() {
    let script = script("c :: Int => Event\nchannel c, d : Int\nN :: {Int}\nnametype N = {0}");
    let schemes = script.decls.iter().filter(|d| match &d.kind {
        DeclKind::Channel { scheme, .. } | DeclKind::Nametype { scheme, .. } => scheme.is_some(),
        _ => false,
    });
    assert_eq!(schemes.count(), 2);
}

#[test]
fn modules_instances_and_timed_sections() {
    let text = "module M(n, (a, b))\n  x = n\nexports\n  module N\n  exports\n  endmodule\n\
                channel c\nendmodule\ninstance I = M(1, (2, 3))\ninstance J = I::N\n\
                Timed {\n P = STOP\n Timed(f) { Q = P }\n}\n";
    assert_eq!(decls(text), ["Module", "Instance", "Instance", "Timed"]);
}

#[test]
fn what_is_missing_is_said_with_its_partner() {
    let cases = [
        (
            "x = let y = 1\nz = 2\n",
            "2:6: `within` for the `let` of line 1",
        ),
        (
            "x = if a\n then b\ny = 2",
            "2:8: `else` for the `if` of line 1",
        ),
        (
            "x = f(a,\n b\ny = 2",
            "2:3: `)` to end the `(` of line 1 is expected before the line",
        ),
        (
            "x = <a, b",
            "1:10: `>` to end the `<` of line 1 is expected before the end",
        ),
        (
            "x = {| a }",
            "1:10: `|}` to end the `{|` of line 1 is expected here, not `}`",
        ),
        ("module M\nx = 1\n", "`exports` for the `module` of line 1"),
        (
            "module M\nexports\nx = 1\n",
            "`endmodule` for the `module` of line 1",
        ),
        (
            "P = ||| x : S P",
            "1:15: `@` for the replicated `|||` of line 1",
        ),
        ("Timed {\nx = 1\n", "`}` to end the `{` of line 1"),
    ];
    for (text, words) in cases {
        let error = error(text);
        assert!(error.contains(words), "{text}\n{error}");
    }
}

/// Texts, and words of what is said of them.
const WRONG: &[(&str, &str)] = &[
    ("x = _", "`_` stands only in patterns"),
    (
        "x = {0 | f(y) <- S}",
        "1:10: what stands before `<-` or `:` has to be a pattern",
    ),
    ("x = <-1>", "a sequence that starts with `-` needs a space"),
    (
        "x = {-1}",
        "1:5: this comment has no end; a set that starts",
    ),
    ("x = ()", "there is nothing between these brackets"),
    ("f(()) = 1", "a tuple has two parts or more"),
    ("f(-true) = 1", "a number after `-` in a pattern"),
    ("2", "`=` is expected before the end of the text"),
    ("f(x) + 1 = 2", "1:6: `=` is expected here, not `+`"),
    ("x = a b", "the end of the line is expected here, not `b`"),
    (
        "x = card(a))",
        "the end of the line is expected here, not `)`",
    ),
    ("let = 1", "a pattern is expected here, not `let`"),
    (
        "channel true",
        "`true` is a word of CSPM; the name of a channel",
    ),
    ("x = ~a", "`~` is no sign of CSPM"),
    ("x = \"a\ny = 2", "1:5: this string has no end"),
    ("x = 'ab'", "this is no character"),
    ("x = ''", "this is no character"),
    (
        "P = c?x!y",
        "`->` or a field of the event is expected before the end",
    ),
    ("x = {| 1..2 |}", "`..` does not stand between"),
    ("x = let\n within 1", "this `let` declares nothing"),
    ("assert P :[deadlock fre]", "`deadlock fre` is no property"),
    ("assert P :[deadlock free [X]]", "`X` is no semantic model"),
    ("assert P :[deadlock free", "this is no property such as"),
    (
        "assert P [T= Q :[deadlock free]",
        "`deadlock free` does not stand here",
    ),
    (
        "assert P [T= Q :[tau priority]: A :[tau priority over]: B",
        "is said twice",
    ),
    ("module M()\nexports\nendmodule", "has no brackets"),
    (
        "module M\nexports\nprint 1\nendmodule",
        "3:1: `print` does not stand in a module",
    ),
    (
        "module M\nexports\nassert P [T= Q\nendmodule",
        "`assert` does not stand in a module",
    ),
    (
        "Timed {\nprint 0\n}",
        "`print` does not stand in a timed section",
    ),
    (
        "x = let channel c\nwithin 1",
        "`channel` does not stand in a `let`",
    ),
    (
        "x = let Timed { nametype N = {} }\nwithin 1",
        "`nametype` does not stand in a `let`",
    ),
    (
        "f :: a -> b\nf = g",
        "the arguments of a function type stand in brackets",
    ),
    ("f :: Show a => a\nf = g", "`Show` is no class of types"),
    ("f :: Int\nf = 1\nf :: Int", "3:1: `f` has two types"),
    (
        "f :: Int\ng = 1",
        "1:1: `f` has a type here, but no definition beside it",
    ),
    (
        "c :: A\nd :: A\nchannel c, d",
        "channels that are declared together have one type",
    ),
    ("include\"file\"", "`=` is expected here"),
    (
        "include file",
        "`include` needs the name of a file in quotes",
    ),
    (
        "include \"f\" x = 1",
        "only a comment may stand behind an included file",
    ),
];

#[test]
fn what_is_wrong_is_said() {
    for (text, words) in WRONG {
        let error = error(text);
        assert!(error.contains(words), "{text}\n{error}");
    }
}

#[test]
fn after_an_error_the_next_declaration_in_the_first_column_is_read() {
    let text = "x = a b\ny = 1\nz = let\n  u = )\n  w = 2\nwithin 3\nv = c d\n";
    let errors = read(text).errors;
    let lines: Vec<&str> = errors.iter().filter_map(|e| e.split(':').next()).collect();
    assert_eq!(lines, ["1", "4", "7"], "{errors:?}");
    let many = read(&"x = )\n".repeat(100)).errors;
    assert_eq!(many.len(), 20);
}
