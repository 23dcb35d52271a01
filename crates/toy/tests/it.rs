//! One more language has all that the others have, without a line for it anywhere else.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/toy/lock.toy")
}

/// A model of this test alone.
fn written(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder can be written");
    path
}

fn run(words: &[&str], file: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_toy"))
        .args(words)
        .arg(file)
        .output();
    let output = output.expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (code, text(output.stdout), text(output.stderr))
}

fn json(words: &[&str], file: &Path) -> Value {
    let (_, out, err) = run(&[&["--json"], words].concat(), file);
    serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}\n{out}\n{err}"))
}

#[test]
fn symmetry_is_found_certified_and_audited() {
    let checked = json(
        &["check", "--count-full", "--audit", "--self-check"],
        &model(),
    );
    assert_eq!(checked["verdict"], "holds", "{checked}");
    assert_eq!(checked["model"]["language"], "toy");
    assert_eq!(checked["symmetry"]["group_order"], "6");
    // Nobody inside: 4 by how many try; one inside: 3 by how many of the others try.
    assert_eq!(checked["counts"]["states"], 7);
    // 2^3, and 3 who may be inside with 2^2 for the others.
    assert_eq!(checked["counts"]["full_states"], 20);
    assert!(checked["audit"].is_string() && checked["self_check"].is_string());
    let full = json(&["check", "--no-symmetry"], &model());
    assert_eq!(full["counts"]["states"], 20);
    let symmetry = json(&["symmetry"], &model());
    assert_eq!(symmetry["group_order"], "6");
    assert_eq!(
        symmetry["orbits"]["processes"][0].as_array().map(Vec::len),
        Some(3)
    );
}

#[test]
fn formulas_are_checked_and_counterexamples_shown() {
    let checked = json(&["check", "--ltl", "[] { free == 1 }"], &model());
    let properties = checked["properties"].as_array().expect("properties");
    let verdict = |name: &str| {
        let mut all = properties.iter();
        all.find(|property| property["name"] == name)
            .map(|property| &property["verdict"])
    };
    assert_eq!(verdict("back"), Some(&"holds".into()));
    assert_eq!(verdict("command_line"), Some(&"violated".into()));
    let text = "processes 2\nglobal n = 0\nassert n <= 2\nrule n <= 2 -> n := n + 1\n";
    let (code, out, _) = run(&["check"], &written("counts.toy", text));
    assert_eq!(code, 1);
    assert!(
        out.contains("assertion violated in line 4: n <= 2 -> n := n + 1"),
        "{out}"
    );
    assert!(out.contains("finally         n = 3"), "{out}");
}

#[test]
fn a_process_that_is_named_is_not_interchangeable() {
    let text = "processes 3\nown at = 0\nrule at == 0 && me == 0 -> at := 1\n\
                rule at == 0 && me != 0 -> at := 2\nrule at != 0 -> at := 0\n";
    let checked = json(&["check"], &written("named.toy", text));
    assert_eq!(checked["symmetry"]["group_order"], "2", "{checked}");
}

#[test]
fn a_run_is_made_and_recorded_and_replayed() {
    let (code, out, _) = run(&["simulate", "--seed", "1", "-n", "2"], &model());
    assert_eq!(code, 0);
    assert!(out.contains("at == 0 -> at := 1  [process("), "{out}");
    let file = written(
        "up.toy",
        "processes 2\nglobal n = 0\nrule n == 0 -> n := 1\n",
    );
    let trail = written("up.json", "");
    let trail = trail.to_str().expect("a path in UTF-8");
    // After one step nothing can be done.
    assert_eq!(run(&["check", "--trail", trail], &file).0, 1);
    let (code, out, _) = run(&["simulate", "--replay", trail], &file);
    assert_eq!(code, 1);
    assert!(out.contains("deadlock        after 1 step"), "{out}");
}

#[test]
fn mistakes_are_located() {
    let text = "processes 3\nown at = 0\nrule at == 0 -> it := 1\nrule at = 1\nwhat\n";
    let (code, out, err) = run(&["check"], &written("wrong.toy", text));
    assert_eq!((code, &out[..]), (2, ""));
    assert!(err.contains("wrong.toy:3:17"), "{err}");
    assert!(
        err.contains("a variable that is declared above is expected here"),
        "{err}"
    );
    assert!(err.contains("wrong.toy:4:9"), "{err}");
    assert!(err.contains("wrong.toy:5:1"), "{err}");
    let (code, _, err) = run(&["check", "--ltl", "[] { n == 1 }"], &model());
    assert_eq!(code, 2);
    assert!(err.contains("--ltl:1:6"), "{err}");
    // It has no preprocessor.
    let (code, _, err) = run(&["check", "-D", "N=2"], &model());
    assert_eq!(code, 2);
    assert!(
        err.contains("`-D` is for Promela, not for toy models"),
        "{err}"
    );
    let (code, _, err) = run(&["check", "--set-size", "S=2"], &model());
    assert_eq!(code, 2);
    assert!(err.contains("`--set-size` is for B machines"), "{err}");
}
