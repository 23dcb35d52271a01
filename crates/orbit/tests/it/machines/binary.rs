//! Our B machines through the binary: states, transitions, verdicts and the lengths of error runs
//! are those in their headers, without symmetry and with it.
//!
//! The plainest search there is counts the same (`crates/bmachine/tests/it/counts.rs`). Machines of
//! more than 700 states, and `bench:` lines, run with `ORBIT_CORPUS_FULL=1`.

use super::expect::{Expected, lines, parse};
use super::headers::files;
use crate::command::json;
use std::path::Path;

/// The largest machines that always run.
const STATES_MAX: u64 = 700;

/// The words that a line has before what it expects.
fn flags(line: &str) -> String {
    let words = line.split_whitespace();
    let ends = ["full", "reduced", "holds", "violated", "goal"];
    let flags = words.take_while(|word| !ends.contains(word));
    flags.collect::<Vec<_>>().join(" ")
}

/// What differs from what a line expects, without symmetry or with it.
fn differences(file: &Path, line: &str, expected: &Expected, symmetry: bool) -> Vec<String> {
    let counts = if symmetry {
        expected.reduced
    } else {
        expected.full
    };
    let mut words = format!("check --quiet {} '{}'", flags(line), file.display());
    words += if symmetry {
        " --count-full"
    } else {
        " --no-symmetry"
    };
    // Behind a mistake a machine may do what has no meaning, so counts are given where it does not.
    if counts.is_some() {
        words += " --all-errors";
    }
    let answer = json(&words, b"");
    let mut wrong = Vec::new();
    let count = |key: &str| answer["counts"][key].as_u64();
    let (n, m) = (count("states"), count("transitions"));
    if counts.is_some_and(|(states, moves)| n != Some(states) || moves.is_some() && moves != m) {
        wrong.push(format!("{n:?} states, {m:?} transitions"));
    }
    // What there would be without symmetry is what there is without it.
    let n_full = answer["counts"]["full_states"].as_u64();
    let is_counted = symmetry && expected.reduced.is_some();
    if expected
        .full
        .is_some_and(|(n, _)| is_counted && n_full != Some(n))
    {
        wrong.push(format!("{n_full:?} states in all orbits"));
    }
    let verdict = if expected.wrong.is_some() {
        "violated"
    } else {
        "holds"
    };
    if answer["verdict"] != verdict {
        wrong.push(answer["verdict"].to_string());
    }
    // The first line of a run is the initial state, which is the first move here.
    let properties = answer["properties"].as_array();
    let runs = properties.into_iter().flatten().filter_map(|property| {
        let kind = property["kind"]
            .as_str()
            .filter(|_| property["verdict"] == "violated")?;
        Some((kind, property["witness"]["steps"].as_array()?.len() as u64))
    });
    let runs: Vec<(&str, u64)> = runs.collect();
    // The property is called `assertions`, what is wrong with it an `assertion`.
    let is_meant = |kind: &str| expected.wrong.as_deref() == Some(kind.trim_end_matches('s'));
    let meant = runs.iter().find(|(kind, _)| is_meant(kind));
    if expected.n_moves.is_some() && meant.map(|(_, n)| *n) != expected.n_moves {
        wrong.push(format!("{runs:?}"));
    }
    wrong
}

#[test]
fn headers_of_machines_say_what_is_found() {
    let full = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let (mut wrong, mut n_lines) = (Vec::new(), 0);
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a readable machine");
        let mut all = lines(&text, "expect");
        if full {
            all.extend(lines(&text, "bench"));
        }
        for line in all {
            let expected = parse(line).unwrap_or_else(|| panic!("{}: {line}", file.display()));
            for symmetry in [false, true] {
                let large = expected.full.is_some_and(|(n, _)| n > STATES_MAX);
                if large && !full {
                    continue;
                }
                n_lines += 1;
                for words in differences(&file, line, &expected, symmetry) {
                    let how = if symmetry { "with" } else { "without" };
                    let name = file.file_name().unwrap_or_default().display();
                    wrong.push(format!("{name}: {line}\n    {how} symmetry: {words}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {n_lines}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn wrong_expectations_are_noticed() {
    let files = files();
    let file = files
        .iter()
        .find(|file| file.ends_with("phonebook_err_add.mch"));
    let file = file.expect("a machine");
    let differ = |line: &str| {
        let expected = parse(line).expect("a line");
        differences(file, line, &expected, false).len()
    };
    assert_eq!(
        differ("--default-set-size 2 violated (invariant) in 3 moves"),
        0
    );
    assert_eq!(
        differ("--default-set-size 2 violated (invariant) in 4 moves"),
        1
    );
    assert_eq!(
        differ("--default-set-size 2 violated (deadlock) in 3 moves"),
        1
    );
    assert_eq!(differ("--default-set-size 2 holds"), 1);
    assert_eq!(
        differ("--default-set-size 1 full 2 states 6 transitions; holds"),
        1
    );
}
