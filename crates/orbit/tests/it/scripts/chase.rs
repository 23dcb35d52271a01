//! Chased processes: definite answers where the choice of τ makes no difference, and unknown ones
//! with the reason where it does.

use super::verdicts;
use crate::command::{Folder, json};

const CHASE: &str = "\
external chase, chase_nocache
channel a, b, c
P = a -> STOP |~| b -> STOP
Q = a -> Q |~| b -> Q
LOOP = a -> LOOP
CONFLUENT = (a -> STOP ||| b -> c -> STOP) \\ {b}
NESTED = chase(chase(P) ||| c -> STOP)
MANY = ||| i : {1..4} @ a -> P
";

/// Assertions with their verdicts and a part of the reason.
const ASSERTIONS: &[(&str, &str, &str)] = &[
    ("STOP [T= chase(P) \\ {a}", "unknown", "depends on which τ"),
    (
        "STOP [T= chase_nocache(P) \\ {b}",
        "unknown",
        "depends on which τ",
    ),
    ("chase(P) :[deterministic]", "holds", ""),
    ("chase(Q) :[deterministic]", "holds", ""),
    ("RUN({a, b}) [FD= chase(P)", "violated", "whichever τ"),
    ("RUN({a, b}) [T= chase(P)", "holds", ""),
    ("a -> STOP [T= chase(P)", "unknown", "in `P`"),
    ("not a -> STOP [T= chase(P)", "unknown", "in `P`"),
    ("c -> STOP [T= chase(P)", "violated", "whichever τ"),
    (
        "chase(LOOP \\ {a}) :[divergence free]",
        "unknown",
        "for ever",
    ),
    ("chase(CONFLUENT) :[deterministic]", "holds", ""),
    (
        "a -> c -> STOP [] c -> a -> STOP [FD= chase(CONFLUENT)",
        "holds",
        "",
    ),
    (
        "chase(CONFLUENT) [FD= a -> c -> STOP [] c -> a -> STOP",
        "holds",
        "",
    ),
    ("chase(P) [FD= chase(P)", "holds", ""),
    (
        "chase(P) :[has trace]: <a>",
        "unknown",
        "depends on which τ",
    ),
    ("chase(P) :[has trace]: <c>", "violated", ""),
    ("NESTED :[deadlock free]", "violated", "whichever τ"),
    (
        "c -> STOP [] a -> c -> STOP [] b -> c -> STOP [T= NESTED",
        "violated",
        "whichever τ",
    ),
    ("chase(c -> Q) :[deadlock free]", "holds", ""),
    // Too many choices to try, and yet nothing depends on them at the first event.
    ("b -> STOP [T= chase(MANY)", "violated", ""),
    ("MANY [T= chase(MANY)", "holds", ""),
    (
        "chase(MANY) [T= a -> a -> a -> a -> b -> STOP",
        "unknown",
        "ways to choose",
    ),
    // What one assertion met is of no interest to the next.
    ("P [FD= P", "holds", ""),
    ("P :[deterministic]", "violated", ""),
];

#[test]
fn answers_do_not_depend_on_which_tau_is_followed() {
    let folder = Folder::new("script-chase");
    let all = ASSERTIONS
        .iter()
        .map(|(text, ..)| format!("assert {text}\n"));
    let text = format!("{CHASE}{}", all.collect::<String>());
    let file = folder.write("chase.csp", text);
    for flags in ["", " --no-symmetry"] {
        let told = json(&format!("check {file}{flags}"), b"");
        let found = verdicts(&told);
        for (i, (text, verdict, reason)) in ASSERTIONS.iter().enumerate() {
            assert_eq!(found[i], *verdict, "{text}: {}", told["properties"][i]);
            let words = told["properties"][i]["reason"].as_str().unwrap_or_default();
            assert!(words.contains(reason), "{text}: {words:?}");
        }
    }
}

#[test]
fn an_assertion_has_its_answer_whichever_others_are_asked() {
    let folder = Folder::new("script-chase-alone");
    for (i, (text, verdict, _)) in ASSERTIONS.iter().enumerate() {
        let file = folder.write(&format!("{i}.csp"), format!("{CHASE}assert {text}\n"));
        let told = json(&format!("check {file}"), b"");
        assert_eq!(verdicts(&told), [*verdict], "{text}");
    }
}
