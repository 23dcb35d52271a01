//! Where a declaration ends: line ends, comments, and what carries an expression on.

use super::tree::{decl, tree};
use crate::script::{read, script};

/// The declarations of a text that is right.
#[track_caller]
fn decls(text: &str) -> Vec<String> {
    script(text).decls.iter().map(|d| decl(&d.kind)).collect()
}

#[test]
fn a_line_ends_a_declaration_unless_a_mark_carries_it_on() {
    assert_eq!(decls("a = b\nc = d\n"), ["(def a ( b))", "(def c ( d))"]);
    assert_eq!(decls("\n\na = b +\n\n  c\n"), ["(def a ( (Add b c)))"]);
    assert_eq!(decls("a = b\n  [] c"), ["(def a ( ([] b c)))"]);
    assert_eq!(
        decls("a =\n  let b = c\n      d = e\n  within\n  b").len(),
        1
    );
    assert_eq!(
        decls("a = {b,\n c\n}\nd = (e\n)"),
        ["(def a ( (set b c)))", "(def d ( e))"]
    );
    assert_eq!(decls("x=1-\n2"), ["(def x ( (Subtract 1 2)))"]);
    assert_eq!(decls("a = b and\n not\n c"), ["(def a ( (And b (Not c))))"]);
    assert_eq!(decls("a = b >\nc"), ["(def a ( (More b c)))"]);
    assert_eq!(decls("a = <b\n>\nc = d").len(), 2);
    assert_eq!(decls("channel a:\n {0}\nchannel b").len(), 2);
    assert_eq!(
        decls("a = f\n(b, c) = d"),
        ["(def a ( f))", "(bind (tuple b c) d)"]
    );
}

#[test]
fn what_may_start_an_expression_does_not_carry_one_on() {
    for text in [
        "a = b\n- c",
        "a = b\n< c",
        "a = b\n(c)",
        "a = b\n{c}",
        "a = b\n# c",
    ] {
        assert!(!read(text).errors.is_empty(), "{text}");
    }
    assert!(!read("a = b c = d").errors.is_empty());
}

#[test]
fn line_ends_of_other_systems_are_line_ends() {
    assert_eq!(decls("a = b\r\nc = d\r\n").len(), 2);
    assert_eq!(decls("\u{feff}a = b\r\n").len(), 1);
}

#[test]
fn comments_are_space() {
    assert_eq!(
        decls("---- x\na = b -- c = d\n{- a {- b -} = -}c = d").len(),
        2
    );
    assert_eq!(tree("a --[] b\n  [] {- c\n -} -- d\n\n d"), "([] a d)");
    assert_eq!(decls("a = 1 -- the end has no line end").len(), 1);
    assert_eq!(decls("{- {- -} -}").len(), 0);
    assert!(read("a = {- b {- c -} d").errors[0].contains("1:5: this comment has no end"));
}

#[test]
fn names_words_and_literals() {
    assert_eq!(tree("endmodule' + a''"), "(Add endmodule' a'')");
    assert_eq!(tree("M::N::b"), "M::N::b");
    assert_eq!(tree("'\\'' == '\"'"), "(Equal '\\'' '\"')");
    assert_eq!(tree("\"(@)\\\"\\n\""), "\"(@)\\\"\\n\"");
    assert_eq!(tree("\"☑♤τ\""), "\"☑♤τ\"");
    assert_eq!(tree("'''"), "'\\''");
    assert_eq!(tree("True"), "True");
    assert_eq!(tree("true"), "true");
    assert!(read("x = 99999999999999999999").errors[0].contains("64 bits"));
}

#[test]
fn the_longest_mark_wins() {
    assert_eq!(tree("{|c|}"), "(closure c)");
    assert_eq!(tree("P[|{|c|}|]Q"), "([| (closure c) |] P Q)");
    assert_eq!(
        tree("P[{|a|}||{|b|}]Q"),
        "([ (closure a) || (closure b) ] P Q)"
    );
    assert_eq!(tree("{||}"), "(closure )");
    assert_eq!(tree("(|~| y:S@P)"), "(rep |~| (from y S) P)");
    assert_eq!(tree("(||| y:S@P)"), "(rep ||| (from y S) P)");
    assert_eq!(tree("(| 1 => 2, 3 => 4 |)"), "(map (1 2) (3 4))");
    assert_eq!(tree("(|1=>2|)"), "(map (1 2))");
    assert_eq!(tree("(| |)"), "(map )");
    assert_eq!(tree("{1..3}"), "(set 1 .. 3)");
    assert_eq!(tree("<1..>"), "(seq 1 .. end)");
    assert_eq!(
        tree("<1..y | y<-<2>>"),
        "(seq 1 .. y such (from y (seq 2)))"
    );
}

#[test]
fn marks_that_are_taken_for_others_are_explained() {
    let notes = |text: &str| {
        let (mut sources, mut found) = (base::Sources::new(), base::Diagnostics::new());
        let main = sources.add("m.csp", text);
        cspm::read(main, &mut sources, &mut |_| None, &mut found);
        let first = found.sorted().into_iter().next().expect("it is wrong");
        first.notes.join("; ")
    };
    assert!(notes("P = STOP\nR = P || P").contains("`P [| A |] Q`"));
    assert_eq!(notes("P == STOP"), "`=` defines; `==` compares");
    assert_eq!(
        notes("P(x) = if x = 1 then STOP else SKIP"),
        "`==` compares; `=` defines"
    );
}
