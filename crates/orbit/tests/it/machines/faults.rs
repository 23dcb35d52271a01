//! What goes wrong on one way, or is given up, and what is known of the others: all are tried, and
//! each property says exactly what it can.

use super::{Setting, load, options};
use crate::command::{Folder, json, run};
use check::{Ended, Identity, StopReason};
use serde_json::Value;
use std::time::Duration;

/// What `check --all-errors` says of a machine with these flags.
fn checked(name: &str, text: &str, flags: &str) -> Value {
    let folder = Folder::new(&format!("faults-{name}"));
    let file = folder.write(&format!("{name}.mch"), text);
    json(&format!("check --all-errors {flags} {file}"), b"")
}

/// The verdict of a property.
fn verdict(told: &Value, name: &str) -> String {
    let all = told["properties"].as_array().expect("a list");
    let found = all.iter().find(|property| property["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name} in {told}"));
    found["verdict"].as_str().expect("a word").to_owned()
}

/// The verdicts of invariant, deadlock, assertions and faults.
fn four(told: &Value) -> [String; 4] {
    ["invariant", "deadlock", "assertions", "faults"].map(|name| verdict(told, name))
}

const PARTIAL: &str = "\
MACHINE partial SETS S VARIABLES f, ok
INVARIANT f : S +-> BOOL & ok : BOOL & ok = TRUE
INITIALISATION f := {} || ok := TRUE
OPERATIONS
  learn(s) = PRE s : S & f = {} THEN f(s) := FALSE END;
  ask(s) = PRE s : S & f /= {} THEN ok := f(s) END
END
";

#[test]
fn after_a_fault_other_arguments_are_tried() {
    for flags in ["", "--no-symmetry", "--audit --self-check"] {
        let told = checked("partial", PARTIAL, flags);
        let expected = ["violated", "holds", "holds", "violated"];
        assert_eq!(four(&told), expected, "{flags}");
    }
}

#[test]
fn a_step_that_goes_wrong_has_its_arguments() {
    let folder = Folder::new("faults-arguments");
    let file = folder.write("partial.mch", PARTIAL);
    let (code, out, _) = run(&format!("check --no-symmetry {file}"), b"");
    assert_eq!(code, 1);
    assert!(out.contains("ask(S2)"), "{out}");
}

#[test]
fn each_branch_that_goes_wrong_is_told_and_the_others_are_taken() {
    let text = "MACHINE branches VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
        OPERATIONS go = SELECT x = 0 THEN
          CHOICE x := 1 / x OR x := min({}) OR ASSERT x = 1 THEN skip END
          OR ANY n WHERE n : 0..2 THEN x := 5 / n END OR x := 7 END END;
          stay = SELECT x > 0 THEN skip END END";
    let told = checked("branches", text, "");
    assert_eq!(four(&told), ["holds", "holds", "violated", "violated"]);
    assert_eq!(told["counts"]["states"], 4, "0, 2, 5 and 7");
    let all = told["properties"].as_array().expect("a list");
    let faults = all.iter().find(|p| p["name"] == "faults").expect("it");
    let others = faults["others"].as_array().map(Vec::len);
    assert_eq!(others, Some(2), "three in all: {faults}");
}

#[test]
fn initialisations_that_go_wrong_leave_the_others() {
    let text = "MACHINE starts VARIABLES x INVARIANT x /= 2
        INITIALISATION ANY n WHERE n : 0..2 THEN x := 4 / n END OPERATIONS o = skip END";
    let told = checked("starts", text, "");
    assert_eq!(four(&told), ["violated", "holds", "holds", "violated"]);
    assert_eq!(told["counts"]["states"], 2);
    let text = "MACHINE starts CONSTANTS k PROPERTIES k : 0..2 VARIABLES x INVARIANT x /= 2
        INITIALISATION x := 4 / k OPERATIONS o = skip END";
    let told = checked("starts_of_constants", text, "");
    assert_eq!(four(&told), ["violated", "holds", "holds", "violated"]);
}

#[test]
fn set_ups_that_go_wrong_leave_the_others() {
    let text = "MACHINE setups CONSTANTS k, l PROPERTIES k : 0..1 & l : 0..1 & (4 / k > l or l = 0)
        VARIABLES x INVARIANT x = 0 INITIALISATION x := k OPERATIONS o = skip END";
    let told = checked("setups", text, "");
    assert_eq!(four(&told), ["violated", "holds", "holds", "violated"]);
}

#[test]
fn a_state_with_a_step_that_was_given_up_is_no_deadlock() {
    let text = "MACHINE given_up VARIABLES x INVARIANT x : STRING INITIALISATION x := \"a\"
        OPERATIONS op = ANY y WHERE y : STRING & y /= x THEN x := y END END";
    let told = checked("given_up", text, "");
    assert_eq!(four(&told), ["unknown"; 4]);
    let folder = Folder::new("faults-given-up");
    let file = folder.write("given_up.mch", text);
    let (code, out, _) = run(&format!("simulate {file}"), b"");
    assert_eq!(code, 3, "{out}");
    let told = json(
        &format!("check --ctl 'not(EF(deadlock))' {file}").replace('\'', "\""),
        b"",
    );
    assert_ne!(told["verdict"], "violated", "{told}");
}

#[test]
fn an_undefined_conjunct_leaves_the_invariant_open_unless_it_is_violated() {
    let text = |more: &str| {
        format!(
            "MACHINE conjunct VARIABLES x INVARIANT x : 0..3 & 6 / x > 0 {more}
             INITIALISATION x := 1 OPERATIONS o = x := (x + 1) mod 3 END"
        )
    };
    let told = checked("conjunct", &text(""), "");
    assert_eq!(four(&told), ["unknown", "holds", "holds", "violated"]);
    let told = checked("conjunct_too", &text("& x /= 2"), "");
    assert_eq!(four(&told), ["violated", "holds", "holds", "violated"]);
}

#[test]
fn answers_that_time_cut_short_are_given_again_or_not_at_all() {
    let text = "MACHINE late CONSTANTS r PROPERTIES r : 1..6 --> 1..6
        VARIABLES x INVARIANT x = 0 INITIALISATION x := 0
        OPERATIONS o = ANY n WHERE n : 1..9000 & n mod 4500 = 0 THEN x := n END END";
    let folder = Folder::new("faults-late");
    let file = folder.write("late.mch", text);
    let setting = Setting {
        work_max: 10_000_000,
        time_max: Some(Duration::ZERO),
        ..Setting::default()
    };
    let live = load(std::path::Path::new(&file), &setting).expect("a machine");
    let outcome = check::explore(&live, &mut Identity, &options(), &mut |_| {});
    let outcome = outcome.expect("nothing breaks");
    let is_over = outcome.ended == Ended::Stopped(StopReason::Time);
    assert!(is_over || outcome.n_errors > 0, "{:?}", outcome.ended);
}

#[test]
fn operations_of_a_seen_machine_can_be_taken() {
    for link in ["SEES", "USES"] {
        let folder = Folder::new(&format!("faults-{link}"));
        folder.write(
            "Lamp.mch",
            "MACHINE Lamp VARIABLES lit INVARIANT lit : BOOL INITIALISATION lit := FALSE
             OPERATIONS light = lit := TRUE END",
        );
        let reader = format!(
            "MACHINE Reader {link} Lamp VARIABLES n INVARIANT n : 0..1 & n = 0
             INITIALISATION n := 0 OPERATIONS read = PRE lit = TRUE THEN n := 1 END END"
        );
        let file = folder.write("Reader.mch", reader);
        let told = json(&format!("check --all-errors {file}"), b"");
        assert_eq!(
            four(&told),
            ["violated", "holds", "holds", "holds"],
            "{link}"
        );
        // Where another machine includes it, only that one takes them.
        let owner = "MACHINE Owner INCLUDES Lamp, Reader OPERATIONS o = skip END";
        let file = folder.write("Owner.mch", owner);
        let told = json(&format!("check --all-errors {file}"), b"");
        assert_eq!(told["counts"]["states"], 1, "{link}: {told}");
    }
}

#[test]
fn sizes_of_sets_follow_from_their_elements() {
    let cases = [
        ("S = {s}", "s", 1),
        ("S = {s, t}", "s, t", 2),
        ("S = {s, t} & s = t & card(S) < 2", "s, t", 1),
        ("S = {s, t, u} & card({s, t, u}) = 3", "s, t, u", 3),
        ("S <: {s} & s : S", "s", 1),
        ("card(S) <= 1 & s : S", "s", 1),
        ("S = a \\/ b & a = {s} & b = {t}", "s, t, a, b", 2),
    ];
    for (properties, constants, size) in cases {
        let text = format!(
            "MACHINE m SETS S CONSTANTS {constants} PROPERTIES {properties}
             VARIABLES v INVARIANT v : S INITIALISATION v := s OPERATIONS go = v :: S END"
        );
        let told = checked("sizes", &text, "--default-set-size 2");
        assert_eq!(told["verdict"], "holds", "{properties}: {told}");
        assert_eq!(told["model"]["set_sizes"]["S"], size, "{properties}");
    }
}
