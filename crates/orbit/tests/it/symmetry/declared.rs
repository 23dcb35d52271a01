//! Symmetries that a text declares: accepted where they hold, refused with their line where not.

use crate::command::{json, run};
use serde_json::{Value, json};

const COUNT: &str = "byte c;\nactive [3] proctype P() { do :: c < 2 -> c++; c-- od }\n";
const RING: &str =
    "byte tok;\nactive [4] proctype P() { do :: tok == _pid -> tok = (tok + 1) % 4 od }\n";
const PAIRS: &str = "byte t[2];\nactive [4] proctype P() {\n\
     do :: t[_pid / 2] == 0 -> t[_pid / 2] = 1; t[_pid / 2] = 0 od }\n";

/// The exit code of `check` and what it says, and what `symmetry` says of each declaration.
#[track_caller]
fn asked(declarations: &str, model: &str) -> (i32, String, Vec<Value>) {
    let text = format!("{declarations}\n{model}");
    let (code, _, err) = run("check -", text.as_bytes());
    let told = json("symmetry -", text.as_bytes());
    let declared = told["declared"].as_array().expect("a list").clone();
    (
        code,
        err,
        declared
            .into_iter()
            .map(|one| one["unmet"].clone())
            .collect(),
    )
}

#[test]
fn what_holds_is_accepted() {
    let holding = [
        ("//@ symmetric P", COUNT),
        ("/*@ ring P */", COUNT),
        // Which of them starts with the token is not what is declared.
        ("//@ ring P", RING),
        ("//@ blocks P of 2", PAIRS),
        ("//@ blocks P of 4", "active [4] proctype P() { skip }"),
    ];
    for (declared, model) in holding {
        let (code, err, unmet) = asked(declared, model);
        assert_eq!((code, err.as_str()), (0, ""), "{declared}\n{model}");
        assert_eq!(unmet, [Value::Null], "{declared}\n{model}");
    }
}

#[test]
fn what_does_not_hold_is_refused_with_its_line() {
    let not_holding = [
        ("//@ symmetric P", RING, "P(0) and P(1) cannot be exchanged"),
        (
            "//@ symmetric P",
            PAIRS,
            "P(1) and P(2) cannot be exchanged",
        ),
        ("//@ ring P", PAIRS, "they cannot be turned by one"),
        (
            "//@ blocks P of 3",
            PAIRS,
            "4 processes are not blocks of 3",
        ),
        (
            "//@ blocks P of 2",
            "byte x;\nactive [4] proctype P() { if :: _pid < 2 -> x = 1 :: else fi }",
            "P(0), P(1) and P(2), P(3) cannot be exchanged",
        ),
    ];
    for (declared, model, why) in not_holding {
        let (code, err, unmet) = asked(declared, model);
        assert_eq!(code, 2, "{declared}\n{model}");
        assert!(err.contains(why), "{err}");
        assert!(err.contains(":1:1"), "{err}");
        assert_eq!(unmet, [json!(why)], "{declared}\n{model}");
    }
}

#[test]
fn of_two_that_do_not_hold_both_are_told() {
    let (code, err, unmet) = asked("//@ symmetric P\n//@ ring P", PAIRS);
    assert_eq!(code, 2);
    assert!(err.contains("P(1) and P(2)"), "{err}");
    assert!(err.contains("turned by one"), "{err}");
    assert_eq!(unmet.len(), 2);
}

#[test]
fn formulas_alone_are_refused_too() {
    let text = format!("//@ symmetric P\n{RING}ltl always {{ [] (tok < 4) }}\n");
    let (code, _, err) = run("check - -p always", text.as_bytes());
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("cannot be exchanged"), "{err}");
}

#[test]
fn without_symmetry_it_is_said_that_nothing_was_checked() {
    let text = format!("//@ symmetric P\n{RING}");
    let (code, out, _) = run("check - --no-symmetry", text.as_bytes());
    assert_eq!(code, 0);
    assert!(out.contains("declares were not checked"), "{out}");
}

#[test]
fn mistakes_are_located_and_other_comments_are_not_taken_for_declarations() {
    for wrong in [
        "symmetric Q",
        "blocks P 2",
        "blocks P of 0",
        "ring",
        "symmetric",
    ] {
        let text = format!("//@ {wrong}\n{COUNT}");
        let (code, _, err) = run("check -", text.as_bytes());
        assert_eq!(code, 2, "{wrong}");
        assert!(err.contains(":1:1") && err.contains("error"), "{err}");
    }
    let (code, _, err) = run("check -", format!("/*@ requires x */\n{COUNT}").as_bytes());
    assert_eq!(code, 0);
    assert!(err.contains("warning"), "{err}");
}
