//! Generators over events that somebody gives: certified for each assertion, or refused.

use crate::command::{Folder, json, run};

const SCRIPT: &str = "channel a, b : {1..3}
channel c
P(i) = a.i -> b.i -> P(i)
SYS = ||| i:{1..3} @ P(i)
ODD = SYS ||| a.1 -> c -> STOP
assert SYS :[deadlock free]
assert ODD :[divergence free]
";

/// What `check` says with such a file of generators.
fn checked(name: &str, generators: &str, flags: &str) -> (i32, String, serde_json::Value) {
    let folder = Folder::new(name);
    let script = folder.write("s.csp", SCRIPT);
    let file = folder.write("g.txt", generators);
    let line = format!("check {script} --detect {file} {flags}");
    let (code, _, err) = run(&line, b"");
    (code, err, json(&line, b""))
}

fn order(told: &serde_json::Value, property: usize) -> &str {
    let symmetry = &told["properties"][property]["symmetry"];
    symmetry["group_order"].as_str().unwrap_or("none")
}

#[test]
fn generators_that_hold_are_used_and_no_others() {
    let one = "(a.1 a.2)(b.1 b.2) # the first two\n\n";
    let (code, err, told) = checked("hand-one", one, "-p 1 --audit --self-check");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(order(&told, 0), "2");
    let two = "(a.1 a.2)(b.1 b.2)\n(a.1 a.2 a.3)(b.1 b.2 b.3)\n";
    let (code, _, told) = checked("hand-two", two, "-p 1 --audit --self-check");
    assert_eq!((code, order(&told, 0)), (0, "6"));
    assert_eq!(told["counts"]["states"], 4);
    // Without a line nothing is exchanged.
    let (code, _, told) = checked("hand-none", "# nothing\n", "-p 1");
    assert_eq!((code, order(&told, 0)), (0, "1"));
    assert_eq!(told["counts"]["states"], 8);
}

#[test]
fn one_that_is_no_symmetry_is_refused_with_its_line() {
    // Events of one channel alone, and what one assertion has and the other has not.
    let (code, err, _) = checked("hand-half", "(a.2 a.3)(b.2 b.3)\n(a.1 a.2)\n", "-p 1");
    assert_eq!(code, 2);
    assert!(
        err.contains("`(a.1 a.2)` cannot be used") && err.contains(":2:1"),
        "{err}"
    );
    let exchange = "(a.1 a.2)(b.1 b.2)\n";
    assert_eq!(checked("hand-first", exchange, "-p 1").0, 0);
    let (code, err, told) = checked("hand-second", exchange, "-p 2");
    assert_eq!(code, 2);
    assert!(err.contains("it is no symmetry of the process"), "{err}");
    assert_eq!(told["properties"][0]["verdict"], "unknown");
}

#[test]
fn names_and_other_words_are_checked() {
    let (code, err, _) = checked("hand-name", "(a.1 a.9)\n", "");
    assert_eq!(code, 2);
    assert!(err.contains("no `a.9`") && err.contains(":1:6"), "{err}");
    let folder = Folder::new("hand-word");
    let script = folder.write("s.csp", SCRIPT);
    let (code, _, err) = run(&format!("check {script} --detect channel-diagram"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("for models of processes"), "{err}");
    let (code, _, err) = run(&format!("check {script} --detect nowhere.txt"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("nowhere.txt"), "{err}");
}
