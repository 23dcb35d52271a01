//! `--reduce`, `--count-full`, `--audit` and `--self-check` for scripts.
//!
//! Whatever stands for pairs that are alike, verdicts and lengths of counterexamples are those of
//! the search without symmetry, no strategy keeps fewer pairs than `exact`, and one that does not
//! fit leaves the assertion open, with the reason and its place.

use super::{models, verdicts};
use crate::command::{Folder, json, run};
use serde_json::Value;
use std::path::PathBuf;

const STRATEGIES: [&str; 6] = [
    "sym-check-1",
    "sym-check-2",
    "sym-check-3",
    "sym-check",
    "descent",
    "exact",
];

/// Users who enter one at a time; the lock knows who is in.
const LOCK: &str = "\
channel enter, leave : {1..3}
USER(i) = enter.i -> leave.i -> USER(i)
LOCK = enter?i -> leave.i -> LOCK
FREE = ||| i : {1..3} @ USER(i)
KEPT = FREE [| {| enter, leave |} |] LOCK
assert RUN(Events) [T= FREE
assert RUN(Events) [T= KEPT
assert LOCK [FD= KEPT
assert LOCK [T= FREE
assert KEPT :[deadlock free]
";

/// Scripts of ours with assertions.
fn scripts() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["classics", "language"] {
        let entries = std::fs::read_dir(models().join(folder)).expect("a folder of scripts");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        all.extend(paths.filter(|path| path.is_file() && !path.ends_with("orbit.toml")));
    }
    all.sort();
    all
}

fn properties(told: &Value) -> Vec<Value> {
    told["properties"].as_array().cloned().unwrap_or_default()
}

/// What differs from the search without symmetry, or from what `exact` promises.
fn differences(plain: &[Value], exact: &[Value], told: &[Value]) -> Vec<String> {
    let mut wrong = Vec::new();
    for ((plain, exact), told) in plain.iter().zip(exact).zip(told) {
        let name = &told["name"];
        let reason = told["reason"].as_str().unwrap_or("");
        if told["verdict"] == "unknown" && reason.starts_with("`--reduce ") {
            continue;
        }
        if told["verdict"] != plain["verdict"] {
            wrong.push(format!("{name}: another verdict"));
        }
        let trace = |told: &Value| told["witness"]["trace"].as_array().map(Vec::len);
        if trace(told) != trace(plain) {
            wrong.push(format!("{name}: another length"));
        }
        let pairs = |told: &Value| told["counts"]["pairs"].as_u64();
        let is_whole = told["witness"].is_null();
        if is_whole && (pairs(told) < pairs(exact) || pairs(told) > pairs(plain)) {
            wrong.push(format!("{name}: {:?} pairs", pairs(told)));
        }
    }
    wrong
}

#[test]
fn every_strategy_has_the_verdicts_of_the_plain_search() {
    let (mut n_fit, mut n_unfit, mut n_fewer) = (0, 0, 0);
    for path in scripts() {
        let told = |name: &str| {
            let line = format!("check --reduce {name} {}", path.display());
            properties(&json(&line, b""))
        };
        let (plain, exact) = (told("none"), told("exact"));
        for name in STRATEGIES {
            let told = if name == "exact" {
                exact.clone()
            } else {
                told(name)
            };
            let wrong = differences(&plain, &exact, &told);
            assert!(wrong.is_empty(), "{} by {name}: {wrong:?}", path.display());
            for (told, plain) in told.iter().zip(&plain) {
                n_fit += usize::from(told["symmetry"]["strategy"] == name);
                let reason = told["reason"].as_str().unwrap_or("");
                n_unfit += usize::from(reason.starts_with("`--reduce "));
                let pairs = |told: &Value| told["counts"]["pairs"].as_u64();
                n_fewer += usize::from(pairs(told).is_some() && pairs(told) < pairs(plain));
            }
        }
    }
    // Four strategies; the sorted one fits Hanoi, the first two no specification that moves.
    assert!(
        n_fit > 20 && n_unfit > 5 && n_fewer > 20,
        "{n_fit} {n_unfit} {n_fewer}"
    );
}

#[test]
fn a_strategy_that_lies_is_noticed() {
    let folder = Folder::new("script-lies");
    let file = folder.write("lock.csp", LOCK);
    let told = |name: &str| properties(&json(&format!("check --reduce {name} {file}"), b""));
    let (plain, exact) = (told("none"), told("exact"));
    assert!(differences(&plain, &exact, &exact).is_empty());
    for (field, value) in [
        ("verdict", Value::from("unknown")),
        ("witness", Value::Null),
    ] {
        let mut other = exact.clone();
        other[3][field] = value;
        assert_eq!(differences(&plain, &exact, &other).len(), 1, "{field}");
    }
    let mut other = exact.clone();
    other[0]["counts"]["pairs"] = Value::from(1);
    assert_eq!(differences(&plain, &exact, &other).len(), 1);
}

#[test]
fn a_strategy_that_does_not_fit_is_refused_with_the_reason() {
    let folder = Folder::new("script-unfit");
    let file = folder.write("lock.csp", LOCK);
    let told = |name: &str| json(&format!("check --reduce {name} {file}"), b"");
    let unknown = "unknown";
    let all = [
        ("sym-check-1", ["holds", unknown, unknown, unknown, unknown]),
        ("sym-check-2", ["holds", "holds", unknown, unknown, "holds"]),
        (
            "sym-check-3",
            ["holds", "holds", "holds", "violated", "holds"],
        ),
        ("exact", ["holds", "holds", "holds", "violated", "holds"]),
        (
            "canonical",
            ["holds", "holds", "holds", "violated", "holds"],
        ),
        ("none", ["holds", "holds", "holds", "violated", "holds"]),
    ];
    for (name, expected) in all {
        assert_eq!(verdicts(&told(name)), expected, "{name}");
    }
    let reason = |name: &str, i: usize| {
        let reason = &told(name)["properties"][i]["reason"];
        reason.as_str().unwrap_or("").to_owned()
    };
    let moved = "moves the state of the specification after <enter.1>";
    assert!(
        reason("sym-check-2", 2).ends_with(moved),
        "{}",
        reason("sym-check-2", 2)
    );
    let stays = "`LOCK` stays where it is, and its states move";
    assert!(
        reason("sym-check-1", 1).ends_with(stays),
        "{}",
        reason("sym-check-1", 1)
    );
    let (code, _, err) = run(&format!("check --reduce sym-check-2 -p 3 {file}"), b"");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("lock.csp:8:"), "{err}");
    let (code, out, err) = run(&format!("check --reduce sorted {file}"), b"");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("there is no strategy `sorted` for CSPM scripts"),
        "{err}"
    );
    assert!(
        err.contains(
            "none, canonical, sym-check-1, sym-check-2, sym-check-3, sym-check, descent, exact"
        ),
        "{err}"
    );
}

#[test]
fn orbits_are_counted_and_searches_looked_at_again() {
    let folder = Folder::new("script-again");
    let file = folder.write("lock.csp", LOCK);
    let line = format!("check --count-full --audit --self-check -p 1 {file}");
    let (code, out, err) = run(&line, b"");
    assert_eq!((code, err.as_str()), (0, ""));
    let expected = "\
1               holds     RUN(Events) [T= FREE
                          4 pairs, 12 transitions, 1 normal state, 3 components, symmetry of order 6
                          without symmetry: 8 pairs
                          audit: 3 exchanges keep the transitions of 4 pairs
                          self-check: the same without symmetry, in 8 pairs
";
    assert!(out.contains(expected), "{out}");
    let told = json(
        &format!("check --count-full --audit --self-check {file}"),
        b"",
    );
    for property in properties(&told) {
        let name = &property["name"];
        let words = |field: &str| property[field].as_str().unwrap_or("").to_owned();
        assert!(
            words("self_check").starts_with("the same without"),
            "{name}"
        );
        assert!(words("audit").starts_with("3 exchanges keep"), "{name}");
        assert_eq!(property["symmetry"]["group_order"], "6", "{name}");
        assert_eq!(property["symmetry"]["structure"], "S3", "{name}");
        assert_eq!(property["symmetry"]["guarantee"], "exact", "{name}");
    }
    assert_eq!(told["properties"][0]["counts"]["full_states"], 8);
    // An orbit may have several pairs where the specification moves along.
    let (_, out, _) = run(
        &format!("check --count-full --reduce sym-check-3 -p 3 {file}"),
        b"",
    );
    let expected = "without symmetry: not known: an orbit may have several pairs";
    assert!(out.contains(expected), "{out}");
    // A search that ended at a counterexample has not seen all.
    let (_, out, _) = run(&format!("check --count-full -p 4 {file}"), b"");
    assert!(
        out.contains("not known: the search did not come to its end"),
        "{out}"
    );
    let (_, out, _) = run(&format!("check --audit --no-symmetry -p 1 {file}"), b"");
    assert!(out.contains("audit: there is no symmetry"), "{out}");
}

#[test]
fn that_of_the_three_which_fits_is_told_with_the_reason() {
    let folder = Folder::new("fitting");
    let file = folder.write("lock.csp", LOCK);
    let told = json(
        &format!("check --reduce sym-check --self-check {file}"),
        b"",
    );
    let said = |n: usize| {
        let property = &properties(&told)[n];
        let note = property["notes"][0].as_str().unwrap_or("").to_owned();
        let strategy = property["symmetry"]["strategy"].as_str();
        (strategy.unwrap_or("").to_owned(), note)
    };
    let (strategy, note) = said(0);
    assert_eq!(strategy, "sym-check-1");
    assert!(
        note.starts_with("`sym-check-1` fits: leaves can be sorted"),
        "{note}"
    );
    let (strategy, note) = said(2);
    assert_eq!(strategy, "sym-check-3");
    assert!(note.ends_with("states of the specification move"), "{note}");
    let (_, out, _) = run(&format!("check --reduce sym-check {file}"), b"");
    assert!(out.contains("`sym-check-3` fits"), "{out}");
}
