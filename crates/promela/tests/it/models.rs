//! Every file of `models/promela`, of `constructs/` and `extended/` there, with the messages that
//! it announces.
//!
//! A line `// warning 3:5: words` or `// error 3:5: words` in a model announces a message; what is
//! said must be exactly what is announced, in order. Files in `reject/` announce errors.
//! Announcements stand at the foot of a file, so that they shift no line; `SNAPSHOTS=overwrite`
//! writes them anew.

use crate::run::{Said, check};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela")
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "pml") {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            all.push((
                name,
                std::fs::read_to_string(&path).expect("a readable model"),
            ));
        }
    }
    all.sort();
    all
}

/// The models that are accepted.
pub fn accepted() -> Vec<(String, String)> {
    let mut all = files(&folder());
    all.extend(files(&folder().join("extended")));
    all
}

/// The announced messages of that kind.
fn announced(text: &str, kind: &str) -> Vec<String> {
    let start = format!("// {kind} ");
    text.lines()
        .filter_map(|l| Some(l.strip_prefix(&start)?.to_owned()))
        .collect()
}

/// The text with the announcements at its foot replaced by what is said.
fn announcing(text: &str, said: &Said) -> String {
    let is_announcement = |l: &&str| l.starts_with("// error ") || l.starts_with("// warning ");
    let mut lines: Vec<String> = text
        .lines()
        .filter(|l| !is_announcement(l))
        .map(str::to_owned)
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.extend((!said.errors.is_empty() || !said.warnings.is_empty()).then(String::new));
    lines.extend(said.errors.iter().map(|e| format!("// error {e}")));
    lines.extend(said.warnings.iter().map(|w| format!("// warning {w}")));
    lines.join("\n") + "\n"
}

#[track_caller]
fn says_what_is_announced(path: &Path, text: &str) {
    let said = check(text);
    let name = path.display();
    if std::env::var("SNAPSHOTS").is_ok_and(|s| s == "overwrite") {
        std::fs::write(path, announcing(text, &said)).expect("a writable model");
        return;
    }
    let (errors, warnings) = (announced(text, "error"), announced(text, "warning"));
    assert_eq!(said.errors, errors, "errors of {name}\n{}", said.drawn);
    assert_eq!(
        said.warnings, warnings,
        "warnings of {name}\n{}",
        said.drawn
    );
}

#[test]
fn good_models_are_accepted() {
    for folder in [folder(), folder().join("extended")] {
        all_are_accepted(&folder, 6);
    }
}

/// All models of a folder, at least `n_min`, announce no error and say what they announce.
fn all_are_accepted(folder: &Path, n_min: usize) {
    let models = files(folder);
    assert!(models.len() >= n_min, "{} models", models.len());
    for (name, text) in models {
        assert!(
            announced(&text, "error").is_empty(),
            "{name} announces errors"
        );
        says_what_is_announced(&folder.join(name), &text);
    }
}

#[test]
fn constructs_are_accepted() {
    all_are_accepted(&folder().join("constructs"), 100);
}

#[test]
fn bad_models_are_refused_for_their_reasons() {
    let models = files(&folder().join("reject"));
    assert!(models.len() >= 8, "{} models", models.len());
    for (name, text) in models {
        says_what_is_announced(&folder().join("reject").join(&name), &text);
        assert!(!check(&text).errors.is_empty(), "{name} is refused");
    }
}
