//! Scripts by other people, where they are on the machine: each with assertions has the outcome
//! that stands in `outcomes.txt`, and of the others some are looked at. None panics or hangs.
//!
//! Files keep their origin in their names, with `__` for `/`; they are put into folders again, so
//! that they find what they include. `SNAPSHOTS=overwrite` writes the list anew.

use super::verdicts;
use crate::command::{Folder, object, run};
use crate::counts::corpus;
use std::path::Path;

/// One in so many of the scripts without assertions is looked at.
const ONE_IN: usize = 6;

/// A script in the folder.
struct Row {
    name: String,
    /// `pass` or `fail` where the origin says so.
    should: String,
    n_asserts: usize,
    file: String,
}

/// All scripts, put into folders again.
fn rows(corpus: &Path, folder: &Folder) -> Vec<Row> {
    let list = std::fs::read_to_string(corpus.join("expected.csv")).expect("a readable list");
    let rows = list.lines().skip(1).filter(|line| !line.is_empty());
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let file = folder.path(&cells[0].replace("__", "/"));
        let parent = Path::new(&file).parent().expect("a folder");
        std::fs::create_dir_all(parent).expect("a folder");
        std::fs::copy(corpus.join(cells[0]), &file).expect("a copy");
        Row {
            name: cells[0].to_owned(),
            should: cells[1].to_owned(),
            n_asserts: cells[2].parse().unwrap_or(0),
            file,
        }
    };
    rows.map(row).collect()
}

/// The outcome of a script in a line: the exit code and the verdicts, or the first message.
fn outcome(row: &Row) -> String {
    outcome_with(row, "")
}

fn outcome_with(row: &Row, flags: &str) -> String {
    let line = format!(
        "check {flags} --time 60s --leaf-states 20000 --json {}",
        row.file
    );
    let (code, out, err) = run(&line, b"");
    let told = object(&line, &out).unwrap_or_else(|why| panic!("{}: {why}\n{err}", row.name));
    let words = verdicts(&told).join(" ");
    let error = err.lines().find_map(|line| line.strip_prefix("error: "));
    let error = error.map(|error| {
        if error.ends_with("is not there") {
            "a file is not there"
        } else {
            error
        }
    });
    let said: Vec<&str> = error.into_iter().chain([words.as_str()]).collect();
    let said = said.join("; ");
    format!("{code} {}: {}", row.name, said.trim_end_matches("; "))
        .trim_end()
        .to_owned()
}

#[test]
fn scripts_with_assertions_have_the_known_outcomes() {
    let Some(corpus) = corpus("cspm") else {
        crate::counts::note("there is no corpus of scripts beside the project");
        return;
    };
    let folder = Folder::new("script-corpus");
    let rows = rows(&corpus, &folder);
    let with = rows.iter().filter(|row| row.n_asserts > 0);
    let found: String = with.map(|row| outcome(row) + "\n").collect();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scripts/outcomes.txt");
    if std::env::var("SNAPSHOTS").is_ok_and(|word| word == "overwrite") {
        std::fs::write(&list, &found).expect("a list");
    }
    let expected = std::fs::read_to_string(&list).expect("a list");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    // A script is answered, refused with a place, or left open; none of them breaks the binary.
    assert!(
        found
            .lines()
            .all(|line| line.starts_with(['0', '1', '2', '3']))
    );
}

#[test]
fn scripts_with_assertions_have_these_outcomes_without_symmetry_too() {
    let Some(corpus) = corpus("cspm") else {
        crate::counts::note("there is no corpus of scripts beside the project");
        return;
    };
    let folder = Folder::new("script-corpus-plain");
    let rows = rows(&corpus, &folder);
    let with = rows.iter().filter(|row| row.n_asserts > 0);
    let found: Vec<String> = with.map(|row| outcome_with(row, "--no-symmetry")).collect();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scripts/outcomes.txt");
    let expected = std::fs::read_to_string(list).expect("a list");
    assert_eq!(found, expected.lines().collect::<Vec<_>>());
}

#[test]
fn other_scripts_are_accepted_or_refused_as_their_origin_says() {
    let Some(corpus) = corpus("cspm") else {
        crate::counts::note("there is no corpus of scripts beside the project");
        return;
    };
    let folder = Folder::new("script-corpus-others");
    let rows = rows(&corpus, &folder);
    let without = rows.iter().filter(|row| row.n_asserts == 0);
    // Parsers and type checkers see the whole of a script; evaluation sees what is asserted.
    let kept =
        without.filter(|row| !row.name.contains("evaluator") && !row.name.contains("desugar"));
    let mut wrong = Vec::new();
    for row in kept.step_by(ONE_IN) {
        let (code, _, err) = run(&format!("check --parse-only {}", row.file), b"");
        let is_right = match row.should.as_str() {
            "pass" => code == 0,
            "fail" => code == 2 && err.contains("-->"),
            _ => code == 0 || code == 2 && err.contains("-->"),
        };
        if !is_right && !EXCEPTIONS.contains(&row.name.as_str()) {
            wrong.push(format!("{}: {code}\n{err}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Scripts for a parser alone, and scripts that include what is not there.
const EXCEPTIONS: [&str; 8] = [
    "libcspm__tests__parser__should_pass__include_1.csp",
    "libcspm__tests__parser__should_pass__include_4.csp",
    "libcspm__tests__parser__should_pass__includes+comments.csp",
    "libcspm__tests__parser__should_pass__multiple_includes.csp",
    "libcspm__tests__parser__should_pass__string_brackets.csp",
    "libcspm__tests__parser__should_pass__timed_sections.csp",
    concat!(
        "libcspm__tests__parser__should_pass__test-include-module-having-exports",
        "-then-include-of-file-without-comments.csp",
    ),
    "libcspm__tests__prettyprinter__should_pass__output.csp",
];
