//! What goes wrong is told with its place and the calls that led there.

use super::load;
use crate::script::script;
use cspm::eval::Script;
use cspm::value::Value;

/// Definitions of `x` with the text at fault and words of the message.
const CASES: &[(&str, &str, &str)] = &[
    ("x = 1 + 1 / 0", "1 / 0", "1 is divided by zero"),
    (
        "x = 9223372036854775807 + 1",
        "9223372036854775807 + 1",
        "out of range",
    ),
    (
        "x = (-9223372036854775807) * 2",
        "(-9223372036854775807) * 2",
        "out of range",
    ),
    ("x = head(<>)", "head(<>)", "`head` of the empty sequence"),
    ("x = tail(<>)", "tail(<>)", "`tail` of the empty sequence"),
    ("x = Inter({})", "Inter({})", "`Inter` of no sets"),
    (
        "x = error(\"oh \" ^ show(1))",
        "error(\"oh \" ^ show(1))",
        "error: oh 1",
    ),
    ("x = card(Int)", "card(Int)", "has no end"),
    ("x = diff(Int, {1})", "diff(Int, {1})", "has no end"),
    ("x = {n | n <- {1..}}", "{1..}", "has no end"),
    (
        "x = mapLookup(emptyMap, 3)",
        "mapLookup(emptyMap, 3)",
        "3 is no key of this map",
    ),
    ("f(0) = 1\nx = f(1)", "f(1)", "no equation of `f` fits (1)"),
    (
        "(x, 2) = (1, 3)",
        "(x, 2)",
        "the value (1, 3) does not fit this pattern",
    ),
    ("x = x + 1", "x", "to evaluate `x`, it has to be evaluated"),
    (
        "x = let y = z + 1\n z = y within y",
        "z + 1",
        "it has to be evaluated",
    ),
    (
        "f(n) = 1 + f(n)\nx = f(0)",
        "f(n)",
        "this recursion is too deep",
    ),
    (
        "channel c : {0..1}\nx = c.2",
        "c.2",
        "2 is no value of field 1 of c.2",
    ),
    (
        "datatype T = A.{0.1, 1.0}\nx = A.0",
        "{0.1, 1.0}",
        "not the product",
    ),
    (
        "channel c : {0..1}\nx = c -> STOP",
        "c",
        "c lacks fields and so is no event",
    ),
    ("channel c : Int\nx = c?n -> STOP", "n", "has no end"),
    (
        "channel c\nx = c?n -> STOP",
        "n",
        "c has no field left for this input",
    ),
    (
        "x = |~| y : {} @ STOP",
        "|~| y : {} @ STOP",
        "an internal choice among no processes",
    ),
    (
        "channel c : {0}\nx = c$y:{} -> STOP",
        "y",
        "an internal choice among no events",
    ),
    ("x = WAIT(3)", "WAIT(3)", "`WAIT` is for timed sections"),
    (
        "external prioritise\nx = prioritise(STOP, <{}>)",
        "prioritise(STOP, <{}>)",
        "priority is not",
    ),
    (
        "n(k) = (k, n(k + 1))\nx = show(n(0))",
        "n(k + 1)",
        "nested more than",
    ),
    (
        "x = {0..9223372036854775807}",
        "{0..9223372036854775807}",
        "too many to list",
    ),
];

#[test]
fn faults_are_told_with_their_place() {
    for (text, place, words) in CASES {
        let fault = load(text)
            .evaluate("x")
            .err()
            .unwrap_or_else(|| panic!("no fault: {text}"));
        assert!(fault.message.contains(words), "{text}: {}", fault.message);
        let found = &text[fault.span.range()];
        assert_eq!(found, *place, "{text}: {}", fault.message);
    }
}

#[test]
fn calls_that_led_to_a_fault_are_told() {
    let text = "half(n) = 10 / n\nsum(<>) = 0\nsum(<y>^ys) = half(y) + sum(ys)\nx = sum(<1, 2, 0>)";
    let fault = load(text).evaluate("x").expect_err("a division by zero");
    let calls: Vec<(&str, &str)> = fault
        .calls
        .iter()
        .map(|(span, name)| (&text[span.range()], name.as_str()))
        .collect();
    assert_eq!(
        calls,
        [
            ("half(y)", "half"),
            ("sum(ys)", "sum"),
            ("sum(<1, 2, 0>)", "sum")
        ],
    );
    let diagnostic = fault.diagnostic();
    assert_eq!(diagnostic.labels.len(), 4);
    assert_eq!(diagnostic.labels[1].words, "in the call of `half`");
}

#[test]
fn a_fault_comes_again_when_it_is_asked_for_again() {
    let mut loaded = load("bad = 1 / 0\nx = <bad, 2>\ny = head(x)\nz = head(tail(x))");
    let first = loaded.shown("y");
    assert_eq!(first, "1 is divided by zero");
    assert_eq!(loaded.shown("z"), "2");
    assert_eq!(loaded.shown("y"), first);
}

#[test]
fn names_that_are_nowhere_are_told_when_a_script_is_loaded() {
    let found = Script::load(&script(
        "x = y + M::z\ninstance I = N\nf(1) = 2\nf(1, 2) = 3",
    ));
    let found = found.expect_err("unknown names");
    let messages: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    let expected = [
        "there is no `y`",
        "there is no `M::z`",
        "there is no module `N`",
        "the equations of `f` take different numbers of arguments",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn evaluation_ends_at_a_limit() {
    let mut loaded = load("f(n) = f(n + 1)\nx = f(0)");
    loaded.script.limit_calls(1000);
    assert_eq!(loaded.shown("x"), "the limit on calls is reached");
}

#[test]
fn a_fault_in_what_follows_an_event_is_told_there() {
    let text = "channel c : {0..1}\nP(n) = c?x -> Q(n / x)\nQ(n) = if n then STOP else P(n)";
    let mut loaded = load(&format!("{text}\nR = P(4)"));
    let Ok(Value::Process(term)) = loaded.evaluate("R") else {
        panic!("a process");
    };
    let fault = loaded
        .explore(term, 100)
        .expect_err("a number is no truth value");
    assert_eq!(fault.message, "4 is no truth value");
    assert_eq!(&text[fault.span.range()], "n");
    assert_eq!(
        &text[fault.calls[0].0.range()],
        "Q(n) = if n then STOP else P(n)"
    );
}
