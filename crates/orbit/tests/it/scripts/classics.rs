//! Our classics have the verdicts and counts of their headers, and Hanoi as many states as there
//! are arrangements of discs on poles.
//!
//! A header has `-- expect: 1 holds, 2 violated`, one verdict for each assertion, and perhaps
//! `-- pairs: 1 256`.

use super::{models, verdicts};
use crate::command::{Folder, json, run};
use serde_json::Value;
use std::path::PathBuf;

fn classics() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(models().join("classics")).expect("a folder of scripts");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.is_file() && !path.ends_with("orbit.toml"))
        .collect();
    paths.sort();
    paths
}

/// What stands behind a word of the header: numbers and words.
fn header(text: &str, word: &str) -> Option<Vec<(usize, String)>> {
    let start = format!("-- {word}: ");
    let line = text.lines().find_map(|line| line.strip_prefix(&start))?;
    let parts = line.split(", ").map(|part| {
        let (number, word) = part.split_once(' ').expect("a number and a word");
        (number.parse().expect("a number"), word.to_owned())
    });
    Some(parts.collect())
}

/// What is wrong with what was found about a script.
fn differences(text: &str, told: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let expected = header(text, "expect").expect("a script has verdicts in its header");
    let found: Vec<(usize, String)> = (1..).zip(verdicts(told)).collect();
    if found != expected {
        wrong.push(format!("{found:?}, not {expected:?}"));
    }
    for (number, pairs) in header(text, "pairs").unwrap_or_default() {
        let counted = told["properties"][number - 1]["counts"]["pairs"].to_string();
        if counted != pairs {
            wrong.push(format!("{number}: {counted} pairs, not {pairs}"));
        }
    }
    wrong
}

/// What differs between what was found without symmetry and with it: verdicts, lengths of traces,
/// and, where all was seen, how many pairs the representatives stand for.
fn unlike(plain: &Value, told: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if verdicts(plain) != verdicts(told) {
        wrong.push(format!("{:?}, not {:?}", verdicts(told), verdicts(plain)));
    }
    let all = |told: &Value| told["properties"].as_array().cloned().unwrap_or_default();
    for (plain, told) in all(plain).iter().zip(&all(told)) {
        let trace = |told: &Value| told["witness"]["trace"].as_array().map(Vec::len);
        if trace(plain) != trace(told) {
            wrong.push(format!("{}: another length", told["name"]));
        }
        let full = told["counts"]["full_states"].as_u64();
        let pairs = plain["counts"]["pairs"].as_u64();
        if told["witness"].is_null() && full.is_some() && full != pairs {
            wrong.push(format!("{}: {full:?} pairs, not {pairs:?}", told["name"]));
        }
    }
    wrong
}

#[test]
fn classics_have_the_verdicts_of_their_headers() {
    let paths = classics();
    assert!(paths.len() >= 7, "{}", paths.len());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        let plain = json(&format!("check --no-symmetry {}", path.display()), b"");
        let wrong = differences(&text, &plain);
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        let told = json(&format!("check {}", path.display()), b"");
        let wrong = unlike(&plain, &told);
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        for property in told["properties"].as_array().into_iter().flatten() {
            let is_shown = property["witness"] != Value::Null;
            let is_violated = property["verdict"] == "violated";
            assert!(!is_violated || is_shown, "{}: {property}", path.display());
        }
    }
}

#[test]
fn a_wrong_header_is_noticed() {
    let path = models().join("classics/token_ring.csp");
    let text = std::fs::read_to_string(&path).expect("a readable script");
    let told = json(&format!("check --no-symmetry {}", path.display()), b"");
    assert!(differences(&text, &told).is_empty());
    let mut other = told.clone();
    other["properties"][0]["verdict"] = "unknown".into();
    assert_eq!(unlike(&told, &other).len(), 1);
    let wrong = text.replace("4 violated", "4 holds");
    assert_eq!(differences(&wrong, &told).len(), 1);
    let wrong = text.replace("\n\n", "\n-- pairs: 1 14\n");
    assert_eq!(differences(&wrong, &told).len(), 1);
}

/// A script of ours with other numbers in it.
fn with_numbers(name: &str, numbers: &[(&str, u64, u64)]) -> String {
    let path = models().join("classics").join(name);
    let mut text = std::fs::read_to_string(path).expect("a readable script");
    for (constant, old, new) in numbers {
        let line = format!("\n{constant} = {old}\n");
        assert!(text.contains(&line), "{constant} in {name}");
        text = text.replace(&line, &format!("\n{constant} = {new}\n"));
    }
    text
}

/// The arrangements of discs up to exchanges of the poles that are empty at the start: some discs
/// are on the first, and the others are parted into at most as many sets as there are other poles.
fn orbits(poles: u64, discs: u64) -> u64 {
    fn parts(n: u64, k: u64) -> u64 {
        match (n, k) {
            (0, 0) => 1,
            (0, _) | (_, 0) => 0,
            _ => k * parts(n - 1, k) + parts(n - 1, k - 1),
        }
    }
    fn choose(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
    }
    let away = |k| (0..poles).map(|j| parts(k, j)).sum::<u64>();
    (0..=discs).map(|k| choose(discs, k) * away(k)).sum()
}

#[test]
fn hanoi_has_all_arrangements_of_its_discs() {
    let folder = Folder::new("hanoi");
    // Transitions of four discs are told by Moffat, Goldsmith and Roscoe's figures.
    let transitions = |poles| match poles {
        3 => Some(240),
        4 => Some(1440),
        5 => Some(5440),
        _ => None,
    };
    for (poles, discs) in [(3, 2), (3, 4), (4, 3), (4, 4), (5, 4), (3, 6), (6, 3)] {
        let text = with_numbers("hanoi.csp", &[("poles", 4, poles), ("discs", 4, discs)]);
        let file = folder.write("hanoi.csp", text);
        let reduced = json(&format!("check -p 1 {file}"), b"");
        let reduced = &reduced["properties"][0];
        assert_eq!(reduced["verdict"], "holds");
        assert_eq!(reduced["counts"]["pairs"], orbits(poles, discs));
        let told = json(&format!("check --no-symmetry -p 1 {file}"), b"");
        let first = &told["properties"][0];
        assert_eq!(first["verdict"], "holds", "{told}");
        assert_eq!(first["counts"]["pairs"], poles.pow(discs as u32));
        assert_eq!(
            first["components"].as_array().map(Vec::len),
            Some(poles as usize)
        );
        if let (4, Some(n)) = (discs, transitions(poles)) {
            assert_eq!(first["counts"]["transitions"], n, "{poles} poles");
        }
    }
}

#[test]
fn participants_of_dijkstra_exclude_each_other() {
    let folder = Folder::new("dijkstra");
    for n in [2, 3] {
        let file = folder.write("dijkstra.csp", with_numbers("dijkstra.csp", &[("n", 2, n)]));
        let told = json(&format!("check {file}"), b"");
        assert_eq!(
            verdicts(&told),
            ["holds", "holds", "violated"],
            "{n}: {told}"
        );
        // What the specification has seen is a function of where the participants are.
        let pairs = |i: usize| &told["properties"][i]["counts"]["pairs"];
        assert_eq!(pairs(0), pairs(1), "{n}");
    }
}

#[test]
fn lowe_s_attack_is_found() {
    let path = models().join("classics/needham_schroeder.csp");
    let told = json(&format!("check -p 1 {}", path.display()), b"");
    let witness = &told["properties"][0]["witness"];
    assert_eq!(witness["trace"], serde_json::json!(["start.Alice.Eve"]));
    assert_eq!(witness["event"], "finish.Alice.Bob");
    let steps = witness["steps"].as_array().expect("steps");
    let mut parts = steps
        .iter()
        .flat_map(|step| step["parts"].as_array().expect("parts"));
    let is_learnt = |part: &Value| {
        let event = part["event"].as_str().expect("an event");
        part["component"] == "SECRET(false, Na)" && event.starts_with("fake.H")
    };
    assert!(parts.any(is_learnt), "{witness}");
    let (code, ..) = run(&format!("check {}", path.display()), b"");
    assert_eq!(code, 1);
}
