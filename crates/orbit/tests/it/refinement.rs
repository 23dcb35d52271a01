//! `orbit check --refines`: verdicts, runs, limits, and what is refused.

use crate::command::{Folder, json, run};
use serde_json::Value;

const MODELS: &str = "../../models/b";

/// The entry of the refinement in an answer.
fn refinement(answer: &Value) -> &Value {
    let all = answer["properties"].as_array().expect("properties");
    let found = all.iter().find(|property| property["name"] == "refinement");
    found.unwrap_or_else(|| panic!("{answer}"))
}

/// The answer to a check of one of our refinements.
fn check(words: &str) -> (i32, Value) {
    let line = format!("check {MODELS}/{words}");
    (run(&line, b"").0, json(&line, b""))
}

#[test]
fn the_two_readings_of_preconditions_differ() {
    let (code, answer) = check("phonebook_sizes.ref --refines=classical");
    assert_eq!((code, &answer["verdict"]), (0, &Value::from("holds")));
    assert_eq!(refinement(&answer)["verdict"], "holds");
    assert_eq!(answer["counts"]["pairs"], 9);
    let (code, answer) = check("phonebook_sizes.ref --refines");
    assert_eq!((code, &answer["verdict"]), (1, &Value::from("violated")));
    assert_eq!(answer["counts"]["errors"], 1);
    let found = refinement(&answer);
    assert_eq!(
        found["message"],
        "no step of `phonebook_sized` matches the last one"
    );
    assert_eq!(found["step"], "delete(Name1, Code1)");
    assert_eq!(found["witness"]["moves"], 1);
    assert_eq!(found["witness"]["steps"][1]["step"], found["step"]);
    assert_eq!(found["witness"]["because"]["phonebook_sized.db"], "{}");
}

#[test]
fn invariants_and_refinements_are_told_apart() {
    let verdicts = |words: &str| {
        let (code, answer) = check(words);
        let all = answer["properties"].as_array().expect("properties");
        let mut all = all.iter();
        let invariant = all.find(|property| property["name"] == "invariant");
        let invariant = invariant.expect("the invariant")["verdict"].clone();
        (code, invariant, refinement(&answer)["verdict"].clone())
    };
    let [holds, violated] = ["holds", "violated"].map(Value::from);
    assert_eq!(
        verdicts("phonebook_sizes_err.ref --refines=classical"),
        (1, violated.clone(), holds.clone())
    );
    assert_eq!(
        verdicts("phonebook_sizes.ref --refines=guards"),
        (1, holds.clone(), violated)
    );
    assert_eq!(verdicts("mc1.ref --refines"), (0, holds.clone(), holds));
}

#[test]
fn limits_leave_a_refinement_open() {
    let (code, answer) = check("mc2.ref --refines --property refinement --depth 1");
    assert_eq!((code, &answer["stop_reason"]), (3, &Value::from("depth")));
    let found = refinement(&answer);
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(
        found["reason"],
        "there are states deeper than the search went"
    );
    let (code, answer) = check("mc2.ref --refines --property refinement --time 0s");
    assert_eq!((code, &answer["stop_reason"]), (3, &Value::from("time")));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refused = |line: &str, part: &str| {
        let (code, out, err) = run(line, b"init { skip }");
        assert_eq!((code, out.as_str()), (2, ""), "{line}\n{err}");
        assert!(err.contains(part), "{line}: {part:?} is not in\n{err}");
    };
    let phonebook = format!("{MODELS}/phonebook.mch");
    refused(
        &format!("check --refines {phonebook}"),
        "`phonebook` refines nothing",
    );
    refused("check --refines -", "`--refines` is for B machines");
    refused(
        &format!("check --refines=trace {phonebook}"),
        "[possible values: guards, classical]",
    );
    let sizes = format!("{MODELS}/phonebook_sizes.ref");
    refused(
        &format!("check --refines --property deadlock {sizes}"),
        "do not go together",
    );
    refused(
        &format!("check --property refinement {sizes}"),
        "needs `--refines`",
    );
    let folder = Folder::new("refinement");
    folder.write(
        "M.mch",
        "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0\nOPERATIONS up = skip END",
    );
    let path = folder.write(
        "R.ref",
        "REFINEMENT R REFINES M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0\n\
         OPERATIONS up(k) = PRE k : 0..1 THEN x := k END END",
    );
    refused(
        &format!("check --refines {path}"),
        "`up` has 0 parameters and 0 results in `M`",
    );
    refused(&format!("check --refines {path}"), "R.ref:2:12");
}
