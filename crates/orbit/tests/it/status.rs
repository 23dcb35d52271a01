//! The page of what works (`docs/theory/status.md`): every item is there once, its sums are right,
//! its commands run and print what it says, and the tests that it names exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The documents, and how many items each has.
const DOCUMENTS: [(char, usize); 5] = [('C', 50), ('M', 34), ('D', 25), ('P', 75), ('S', 81)];
const STATES: [&str; 4] = ["works", "partly", "missing", "waits"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of the page.
struct Row {
    item: String,
    state: String,
    shown_by: String,
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/theory/status.md")).expect("the page")
}

fn rows(page: &str) -> Vec<Row> {
    let is_item = |cell: &str| {
        let mut letters = cell.chars();
        let first = letters
            .next()
            .is_some_and(|c| DOCUMENTS.iter().any(|d| d.0 == c));
        first && cell.len() > 1 && letters.all(|c| c.is_ascii_digit())
    };
    let lines = page.lines().filter_map(|line| {
        let mut cells = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .splitn(4, " | ");
        let (item, _, state) = (cells.next()?, cells.next()?, cells.next()?);
        let shown_by = cells.next().unwrap_or("");
        is_item(item).then(|| Row {
            item: item.to_owned(),
            state: state.to_owned(),
            shown_by: shown_by.replace("\\|", "|"),
        })
    });
    lines.collect()
}

/// The pieces of code in a text, each with what stands before and after it.
fn code(text: &str) -> Vec<(&str, &str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    let pieces = (1..parts.len()).step_by(2);
    pieces
        .map(|n| {
            (
                parts[n - 1],
                parts[n],
                parts.get(n + 1).copied().unwrap_or(""),
            )
        })
        .collect()
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ' ') if word.is_empty() => {}
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// What is wrong with what a row says.
fn wrong(row: &Row, known: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut expects, mut names_tests) = (None, false);
    for (before, piece, after) in code(&row.shown_by) {
        if let Some(line) = piece.strip_prefix("orbit ") {
            let output = Command::new(env!("CARGO_BIN_EXE_orbit"))
                .current_dir(root())
                .args(words(line))
                .output()
                .expect("the binary starts");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            if !matches!(output.status.code(), Some(0 | 1 | 3)) {
                wrong.push(format!("{}: `{piece}` does not run", row.item));
            }
            expects = (after == " → ").then_some((piece, printed));
        } else if let Some((line, printed)) = expects.take() {
            if !printed.contains(piece) {
                wrong.push(format!("{}: `{line}` does not print `{piece}`", row.item));
            }
        } else {
            let starts = before.ends_with("test ") || before.ends_with("tests ");
            names_tests = starts || names_tests && before == ", ";
            let name = piece.rsplit("::").next().unwrap_or(piece);
            if names_tests && !known.contains(name) {
                wrong.push(format!("{}: there is no test `{piece}`", row.item));
            }
        }
    }
    wrong
}

/// The names of all functions and modules of the project.
fn names() -> BTreeSet<String> {
    let (mut names, mut open) = (BTreeSet::new(), vec![root().join("crates")]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(path).expect("a file");
                let words: Vec<&str> = text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .collect();
                let pairs = words
                    .windows(2)
                    .filter(|two| matches!(two[0], "fn" | "mod"));
                names.extend(pairs.map(|two| two[1].to_owned()));
            }
        }
    }
    names
}

#[test]
fn every_item_is_there_once_and_the_sums_are_right() {
    let page = page();
    let rows = rows(&page);
    let mut sums: BTreeMap<char, [usize; 5]> = BTreeMap::new();
    let mut items = Vec::new();
    for row in &rows {
        let document = row.item.chars().next().expect("a letter");
        let state = STATES.iter().position(|state| *state == row.state);
        let state = state.unwrap_or_else(|| panic!("{}: `{}`", row.item, row.state));
        for key in [document, 'a'] {
            let sums = sums.entry(key).or_default();
            sums[state] += 1;
            sums[4] += 1;
        }
        items.push(row.item.clone());
        assert!(
            !row.shown_by.is_empty() || row.state != "works",
            "{}",
            row.item
        );
    }
    let all = DOCUMENTS.iter();
    let all = all.flat_map(|(document, n)| (1..=*n).map(move |k| format!("{document}{k}")));
    assert_eq!(items, all.collect::<Vec<String>>());
    for (document, sums) in sums {
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("| {document}")));
        let told = line.unwrap_or("").split(" | ").skip(1);
        let told: Vec<usize> = told
            .filter_map(|n| n.trim_end_matches(" |").parse().ok())
            .collect();
        assert_eq!(told, sums, "{document}");
    }
}

#[test]
fn what_is_said_to_show_an_item_shows_it() {
    let known = names();
    let rows = rows(&page());
    let n_commands: usize = rows
        .iter()
        .map(|row| row.shown_by.matches("`orbit ").count())
        .sum();
    assert!(n_commands > 100, "{n_commands}");
    let wrong: Vec<String> = rows.iter().flat_map(|row| wrong(row, &known)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_that_says_too_much_is_found() {
    let row = |shown_by: &str| Row {
        item: "C1".to_owned(),
        state: "works".to_owned(),
        shown_by: shown_by.to_owned(),
    };
    let known = BTreeSet::from(["there".to_owned()]);
    for (shown_by, n) in [
        ("`orbit group \"(1 2)\"` → `order`; test `there`", 0),
        ("`orbit group \"(1 2)\"` → `no such words`", 1),
        ("`orbit check no_such_file.pml`", 1),
        ("tests `there`, `a::not_there`", 1),
    ] {
        assert_eq!(wrong(&row(shown_by), &known).len(), n, "{shown_by}");
    }
}
