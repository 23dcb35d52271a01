//! The scripts in `models/cspm/language` are what their headers say: assertions hold, and so does
//! every definition whose name starts with `test`.

use super::{models, verdicts};
use crate::command::{Folder, json, run};
use std::path::PathBuf;

/// Assertions that are no `holds`: the script, their number from 1, and the verdict.
const OTHERS: &[(&str, usize, &str)] = &[("assertions.csp", 20, "unknown")];

/// Scripts that assert nothing.
const SILENT: &[&str] = &[
    "annotations.csp",
    "characters.csp",
    "dots.csp",
    "functions.csp",
    "include.csp",
    "maps.csp",
    "numbers.csp",
    "printing.csp",
    "sequences.csp",
    "sets.csp",
    "timed.csp",
];

fn scripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(models().join("language")).expect("a folder of scripts");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.is_file() && !path.ends_with("orbit.toml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_script_of_the_language_has_its_verdicts() {
    for path in scripts() {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        let (code, _, err) = run(&format!("check {}", path.display()), b"");
        assert!(!err.contains("error"), "{name}: {err}");
        let told = json(&format!("check {}", path.display()), b"");
        if SILENT.contains(&&*name) {
            assert_eq!(
                (code, &told["reason"]),
                (3, &"nothing is asserted".into()),
                "{name}"
            );
            assert_eq!(verdicts(&told).len(), 0, "{name}");
            continue;
        }
        assert!(!verdicts(&told).is_empty(), "{name}");
        for (number, found) in (1..).zip(verdicts(&told)) {
            let other = OTHERS
                .iter()
                .find(|other| (other.0, other.1) == (&*name, number));
            assert_eq!(
                found,
                other.map_or("holds", |other| other.2),
                "{name}, {number}"
            );
        }
    }
}

#[test]
fn what_is_called_a_test_is_true() {
    let folder = Folder::new("script-language");
    let mut n_tests = 0;
    for path in scripts() {
        let text = std::fs::read_to_string(&path).expect("a script");
        let is_test = |line: &&str| line.starts_with("test") && line.contains(" = ");
        let names = text
            .lines()
            .filter(is_test)
            .filter_map(|line| line.split(' ').next());
        let asserted: Vec<String> = names.map(|name| format!("assert {name}\n")).collect();
        if asserted.is_empty() {
            continue;
        }
        n_tests += asserted.len();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        let file = folder.write(&name, format!("{text}\n{}", asserted.concat()));
        let beside = models().join("language");
        let told = json(&format!("check {file} -I {}", beside.display()), b"");
        let found = verdicts(&told);
        let own = &found[found.len().saturating_sub(asserted.len())..];
        assert_eq!(own, vec!["holds"; asserted.len()], "{name}: {told}");
    }
    assert!(n_tests > 20, "{n_tests}");
}
