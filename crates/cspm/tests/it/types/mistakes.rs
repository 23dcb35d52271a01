//! What is said of mistakes.

use super::{check, error_of};

const HEAD: &str = "channel c : {0..3}\nchannel a\nP = STOP\nf(x, y) = x + y\n";

#[track_caller]
fn said(text: &str, error: &str) {
    let whole = format!("{HEAD}{text}\n");
    let (_, message) = error_of(&whole)
        .split_once(": ")
        .map(|(at, message)| (at.to_owned(), message.to_owned()))
        .expect("a place");
    assert_eq!(message, error, "{text}");
}

#[test]
fn channels_and_events() {
    said(
        "Q = c!true -> STOP",
        "the channel carries `Int` in this field, and this is `Bool`",
    );
    said(
        "Q = c?x:{true} -> STOP",
        "the channel carries `Int` in this field, and this is `Bool`",
    );
    said(
        "Q = c!1!2 -> STOP",
        "the channel has 1 field here, and 2 are given",
    );
    said(
        "Q = a!1 -> STOP",
        "the channel has no fields here, and 1 is given",
    );
    said("Q = P -> STOP", "a process stands where an event is meant");
    said(
        "Q = P!1 -> STOP",
        "a channel stands before `!`, `?` and `$`, not `Proc`",
    );
}

#[test]
fn events_for_processes() {
    said(
        "Q = P ; a",
        "an event stands where a process is meant: write `-> STOP` or `-> SKIP` behind it",
    );
    said(
        "Q = P ||| c",
        "a channel stands where a process is meant; its type is `Int => Event`",
    );
    said(
        "Q = c -> STOP",
        "this is no whole event: a field `Int` is missing",
    );
    said(
        "Q = P \\ c",
        "a channel stands where the set `{Event}` is meant: write `{| … |}`",
    );
    said(
        "Q = P \\ {c}",
        "this is `{Int => Event}`, and `{Event}` is wanted",
    );
    said(
        "Q = c?x$y -> STOP",
        "`$` stands before all `?` and `!` of an event",
    );
}

#[test]
fn functions() {
    said("Q = f(1)", "`f` takes 2 arguments, and 1 is given");
    said("Q = f(1, 2, 3)", "`f` takes 2 arguments, and 3 are given");
    said("Q = P(1)", "`P` is no function: its type is `Proc`");
    said(
        "Q = f + 1",
        "a function stands where `Int` is meant: its arguments are missing",
    );
    said("Q = f(1, true)", "this is `Bool`, and `Int` is wanted");
    said(
        "g(x) = 1\ng(x, y) = 2",
        "the equations of `g` have different numbers of parameters",
    );
    said(
        "g(0) = 1\ng(true) = 2",
        "this is `(Bool) -> Int`, and `(Int) -> Int` is wanted",
    );
    said("g(x) = x(x)", "the type of this would be a part of itself");
}

#[test]
fn names() {
    said("Q = STPO", "`STPO` is not declared");
    said("Q = (1 + y)", "`y` is not declared");
    said("P = SKIP", "`P` is declared twice");
    said("g(x, x) = 1", "`x` is declared twice");
    said("Q = c?x?x -> STOP", "`x` is declared twice");
    said("Q = {x | x <- {1}, x <- {2}}", "`x` is declared twice");
    said("Q = normal(P)", "`normal` is not declared");
    said("transparent foo", "no transparent function is called `foo`");
    said("external normal", "no external function is called `normal`");
    said("Q = WAIT(1)", "`WAIT` is not declared");
    said("datatype T = A | A", "`A` is declared twice");
    said("datatype T = T", "`T` is declared twice");
    said(
        "datatype T = A\ndatatype T = B\nx = B",
        "`T` is declared twice",
    );
    said("subtype T = a", "`a` is not a constructor");
}

#[test]
fn near_names_are_suggested() {
    let drawn = |text: &str| check(&format!("{HEAD}{text}\n")).drawn;
    assert!(drawn("Q = SOTP").contains("do you mean `STOP`?"));
    assert!(drawn("Q = cards({1})").contains("do you mean `card`?"));
    assert!(drawn("Q = normal(P)").contains("write `transparent normal` first"));
    assert!(drawn("Q = prioritise(P)").contains("write `external prioritise` first"));
    assert!(drawn("external normal").contains("it is transparent"));
    assert!(!drawn("Q = z").contains("do you mean"));
}

#[test]
fn classes() {
    said("Q = P == P", "values of type `Proc` cannot be compared");
    said("Q = true < false", "values of type `Bool` have no order");
    said(
        "Q = {f}",
        "values of type `(Int, Int) -> Int` cannot be in a set",
    );
    said(
        "Q = member(P, {P})",
        "values of type `Proc` cannot be compared",
    );
    said(
        "channel d : {c}",
        "values of type `Int => Event` are not complete",
    );
    said(
        "channel d : {}",
        "the fields of the channel `d` have no definite type",
    );
    said("channel d : 3", "this is `Int`, and `{a}` is wanted");
    said("datatype T = A.3", "this is `Int`, and `{a}` is wanted");
    said(
        "datatype T = A.Proc\nx = (A.P) == (A.P)",
        "values of type `T` cannot be compared",
    );
}

#[test]
fn sets_and_sequences() {
    said("Q = {1, true}", "this is `Bool`, and `Int` is wanted");
    said("Q = <1>^{2}", "this is `{Int}`, and `<Int>` is wanted");
    said("Q = {x | x <- <1>}", "this is `<Int>`, and `{a}` is wanted");
    said(
        "Q = ||| x : <1> @ P",
        "this is `<Int>`, and `{a}` is wanted",
    );
    said("Q = ; x : {1} @ P", "this is `{Int}`, and `<a>` is wanted");
    said(
        "Q = if 1 then P else P",
        "this is `Int`, and `Bool` is wanted",
    );
    said(
        "Q = if true then P else 1",
        "this is `Int`, and `Proc` is wanted",
    );
}

#[test]
fn written_types() {
    said("g :: (a) -> b\ng(x) = x", "this is `a`, and `b` is wanted");
    said(
        "g :: (a, a) -> Bool\ng(x, y) = x == y",
        "values of type `a` cannot be compared",
    );
    said(
        "g :: (a) -> a\ng(0) = 0",
        "this pattern is for `Int`, and gets `a`",
    );
    said(
        "g :: Set b => (a) -> a\ng(x) = x",
        "`b` does not occur in the type",
    );
    said(
        "g :: Set Int => (Int) -> Int\ng(x) = x",
        "`Int` does not occur in the type",
    );
    said(
        "h :: Bool => Event\nchannel h : {0}",
        "this is `{Int}`, and `{Bool}` is wanted",
    );
    said(
        "g :: (Event =>* b) -> b\ng(x) = x",
        "only a type variable can stand to the left of `=>*`",
    );
    said(
        "g :: M::T\ng = 1",
        "`M::T` is not declared: there is no `M` there",
    );
}

#[test]
fn timed_sections() {
    said(
        "Timed {\n  Q = STOP\n}",
        "a timed section needs the event `tock`",
    );
    said(
        "tock = 1\nTimed {\n  Q = STOP\n}",
        "this is `Int`, and `Event` is wanted",
    );
    said(
        "channel tock\nTimed(\\ _ @ true) {\n  Q = STOP\n}",
        "this is `(Event) -> Bool`, and `(Event) -> Int` is wanted",
    );
}

#[test]
fn old_names_are_warned_of() {
    let said = check("x = True\ntransparent normalise\n");
    assert!(said.errors.is_empty());
    assert_eq!(
        said.warnings,
        [
            "1:5: `True` is an old name of `true`",
            "2:13: `normalise` is an old name of `normal`"
        ]
    );
    let said = check("f(True) = 1\nf(_) = 2\n");
    assert_eq!(
        said.warnings,
        ["1:3: `True` is a new variable here, and fits all"]
    );
}

#[test]
fn one_mistake_gives_one_message() {
    // What uses a definition with a mistake is not looked at; what does not is.
    let text = "x = 1 + true\ny = x + false\nz = y\nw = not 1\n";
    assert_eq!(
        check(text).errors,
        [
            "1:9: this is `Bool`, and `Int` is wanted",
            "4:9: this is `Int`, and `Bool` is wanted"
        ]
    );
}

#[test]
fn assertions() {
    said(
        "assert P [T= a",
        "an event stands where a process is meant: write `-> STOP` or `-> SKIP` behind it",
    );
    said(
        "assert 1 :[deadlock free]",
        "this is `Int`, and `Proc` is wanted",
    );
    said(
        "assert P :[has trace]: <c>",
        "this is `<Int => Event>`, and `<Event>` is wanted",
    );
    said(
        "assert P [T= P :[tau priority]: {1}",
        "this is `{Int}`, and `{Event}` is wanted",
    );
}
