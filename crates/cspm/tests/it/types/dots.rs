//! Dots: what is taken by what.

use super::{check, error_of, type_of};

const HEAD: &str = "datatype T = A | B.{0..1}.Bool\nchannel c : {0..3}.T.Bool\nchannel e\n";

#[track_caller]
fn dotted(text: &str) -> String {
    type_of("v", &format!("{HEAD}v = {text}\n"))
}

#[test]
fn labels_take_what_stands_behind_them() {
    for (text, ty) in [
        ("B", "Int => Bool => T"),
        ("B.1", "Bool => T"),
        ("B.1.true", "T"),
        ("c.1", "T => Bool => Event"),
        ("c.1.A", "Bool => Event"),
        ("c.1.B.0.true", "Bool => Event"),
        ("c.1.B.0.true.false", "Event"),
        ("c.1.(B.0.true).false", "Event"),
        // What still needs something is completed by what follows, whatever the brackets.
        ("c.1.B", "Int => Bool => Bool => Event"),
        ("(c.1.B).0", "Bool => Bool => Event"),
    ] {
        assert_eq!(dotted(text), ty, "{text}");
    }
}

#[test]
fn a_last_variable_takes_all_that_is_missing() {
    let f = |body: &str| type_of("f", &format!("{HEAD}{body}\n"));
    assert_eq!(f("f(B.x) = x"), "(T) -> Int.Bool");
    assert_eq!(f("f(B.x.y) = (x, y)"), "(T) -> (Int, Bool)");
    assert_eq!(f("f(x) = c.x -> STOP"), "(Int.T.Bool) -> Proc");
    assert_eq!(f("f(x, y) = c.x.y -> STOP"), "(Int, T.Bool) -> Proc");
    assert_eq!(f("f(x, y, z) = c.x!y?z -> STOP"), "(Int, T, a) -> Proc");
}

#[test]
fn closures_productions_and_extensions() {
    for (text, ty) in [
        ("{| c |}", "{Event}"),
        ("{| c.1, e |}", "{Event}"),
        ("{| B |}", "{T}"),
        ("{| B.0, A |}", "{T}"),
        ("{| c.x | x <- {0..1} |}", "{Event}"),
        ("productions(c.0)", "{Event}"),
        ("productions(B)", "{T}"),
        ("productions(e)", "{Event}"),
        ("extensions(c.0.A)", "{Bool}"),
        ("extensions(c)", "{Int.T.Bool}"),
    ] {
        assert_eq!(dotted(text), ty, "{text}");
    }
    let text = "f(x) = {| x |}\n";
    assert_eq!(type_of("f", text), "Yieldable b => (a =>* b) -> {b}");
    let text = format!("{HEAD}f(x) = {{| x |}}\nv = (f(c), f(c.0), f(B), f(e))\n");
    assert_eq!(type_of("v", &text), "({Event}, {Event}, {T}, {Event})");
}

#[test]
fn functions_of_channels() {
    let text =
        "channel in, out : {0..3}\nCOPY(a, b) = a?x -> b!x -> COPY(a, b)\nP = COPY(in, out)\n";
    assert_eq!(type_of("P", text), "Proc");
    assert_eq!(
        type_of("COPY", text),
        "Complete a => (a => Event, a => Event) -> Proc"
    );
}

#[test]
fn written_types_with_dots() {
    let text = "f :: (b => a, c => b, c) -> a\nf(x, y, z) = x.y.z\n";
    assert_eq!(type_of("f", text), "(b => a, c => b, c) -> a");
    let text = "f :: (b => Event, a =>* b) -> a =>* Event\nf(x, y) = x.y\n";
    assert_eq!(type_of("f", text), "(b => Event, a =>* b) -> a =>* Event");
    let text = "f :: Yieldable b => (a =>* b) -> {b}\nf(x) = {| x |}\n";
    assert_eq!(type_of("f", text), "Yieldable b => (a =>* b) -> {b}");
}

#[test]
fn a_pattern_with_dots_takes_no_whole_value_apart() {
    let text = format!("{HEAD}f(x.y) = y\nv = f(B.0.true)\n");
    assert_eq!(error_of(&text), "5:7: this is `T`, and `a.b` is wanted");
    let text = format!("{HEAD}f(x.y) = y\nv = f(1.true)\n");
    assert_eq!(type_of("v", &text), "Bool");
}

#[test]
fn dots_that_do_not_fit_are_refused() {
    for (text, error) in [
        ("B.true", "4:5: behind a dot, `Int` meets `Bool`"),
        (
            "{B, A}",
            "4:9: this is `T`, and `Int => Bool => T` is wanted",
        ),
        (
            "c.0 -> STOP",
            "4:5: this is no whole event: a field `T` is missing",
        ),
        ("{| 1 |}", "4:8: `Int` is neither a datatype nor an event"),
        (
            "extensions(1)",
            "4:16: this is `Int`, and `a => b` is wanted",
        ),
    ] {
        assert_eq!(error_of(&format!("{HEAD}v = {text}\n")), error, "{text}");
    }
}

#[test]
fn renaming_needs_the_same_fields_on_both_sides() {
    let head = "channel a, b : Bool\nchannel c : {0..3}.Bool\n";
    let is_good = |pairs: &str| {
        let said = check(&format!("{head}P = STOP [[ {pairs} ]]\n"));
        assert!(said.is_read, "{}", said.drawn);
        said.errors.is_empty()
    };
    assert!(is_good("a <- b"));
    assert!(is_good("a <- c.0"));
    assert!(is_good("a.true <- b.false"));
    assert!(is_good("c.x <- c.(3 - x) | x <- {0..3}"));
    assert!(!is_good("a <- c"));
    assert!(!is_good("a.true <- b"));
    assert!(!is_good("a <- c.true"));
}

#[test]
fn the_worked_example_of_the_theory_page_holds() {
    let head = "datatype T = A | B.{0..1}.Bool\nchannel c : {0..3}.T.Bool\nf(s) = {| s |}\n\
                P(i) = c.i?B.n.b!true -> Q(n)\nQ(n) = n > 0 & STOP\n";
    for (name, ty) in [
        ("B", "Int => Bool => T"),
        ("c", "Int => T => Bool => Event"),
        ("f", "Yieldable b => (a =>* b) -> {b}"),
        ("P", "(Int) -> Proc"),
    ] {
        assert_eq!(type_of(name, head), ty, "{name}");
    }
    let v = |text: &str| type_of("v", &format!("{head}v = {text}\n"));
    assert_eq!(v("(f(c), f(c.0.A), f(B))"), "({Event}, {Event}, {T})");
    let error = error_of(&format!("{head}v = f(1)\n"));
    assert_eq!(error, "6:7: `Int` is neither a datatype nor an event");
    let error = error_of(&format!("{head}v = c.0!1 -> STOP\n"));
    let words = "6:9: the channel carries `T` in this field, and this is `Int`";
    assert_eq!(error, words);
    let one = "F(x, y, z) = let s = {| x |} within (x.y, x.z)\nG(c) = F(c, 1, true)\n";
    assert_eq!(error_of(one), "2:16: this is `Bool`, and `Int` is wanted");
    let text = "datatype T = A | B.{0..1}\nchannel c : {0..3}.T\nf(x) = c.x -> STOP\n";
    assert_eq!(type_of("f", text), "(Int.T) -> Proc");
}
