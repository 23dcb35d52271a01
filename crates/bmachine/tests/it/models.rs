//! Our own machines, in `models/b`: they are accepted, or refused for the reason in their headers.

use crate::expect::{lines, parse};
use crate::run::{Said, check_files};
use std::path::{Path, PathBuf};

/// A machine of ours.
pub struct Model {
    /// The path below `models/b`.
    pub name: String,
    pub text: String,
    /// What was said of it, with the machines of its folder beside it.
    pub said: Said,
}

/// The machines of a folder of `models/b`, in the order of their names.
pub fn folder(name: &str) -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/b");
    let folder = folder.join(name);
    let entries = std::fs::read_dir(&folder).expect("a folder of machines");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    // What is expected of models stands beside them.
    let is_model = |path: &PathBuf| path.is_file() && !path.ends_with("orbit.toml");
    let mut paths: Vec<PathBuf> = paths.filter(is_model).collect();
    paths.sort();
    let texts: Vec<(String, String)> = paths
        .iter()
        .map(|path| {
            let file = path.file_name().expect("a file").to_string_lossy();
            let text = std::fs::read_to_string(path).expect("a readable machine");
            (file.into_owned(), text)
        })
        .collect();
    let model = |(file, text): &(String, String)| {
        let mut files = vec![(file.as_str(), text.as_str())];
        files.extend(
            texts
                .iter()
                .map(|(file, text)| (file.as_str(), text.as_str())),
        );
        Model {
            name: Path::new(name).join(file).display().to_string(),
            text: text.clone(),
            said: check_files(&files),
        }
    };
    texts.iter().map(model).collect()
}

#[test]
fn our_machines_are_accepted() {
    let mut wrong = Vec::new();
    for model in folder("").into_iter().chain(folder("language")) {
        if model.said.machine.is_none() || !model.said.errors.is_empty() {
            wrong.push(format!("{}\n{}", model.name, model.said.drawn));
        }
        let expected = lines(&model.text, "expect");
        if expected.is_empty() {
            wrong.push(format!("{} expects nothing", model.name));
        }
        for line in expected.into_iter().chain(lines(&model.text, "bench")) {
            if parse(line).is_none() {
                wrong.push(format!("{}: `{line}` is not understood", model.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Whether a message of `line:column: words` is what a line of a header asks for.
fn is_meant(message: &str, gist: &str) -> bool {
    let mut words = gist.split_whitespace().peekable();
    let line = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let there = line.is_none_or(|line| message.split(':').next() == Some(line));
    there && words.all(|word| message.contains(word))
}

#[test]
fn wrong_machines_are_refused_for_the_reason_in_their_header() {
    let mut wrong = Vec::new();
    for model in folder("reject") {
        let errors = &model.said.errors;
        let refused = lines(&model.text, "refuse");
        if refused.is_empty() && !errors.is_empty() {
            wrong.push(format!("{} is refused\n{}", model.name, model.said.drawn));
        }
        for gist in refused {
            if !errors.iter().any(|error| is_meant(error, gist)) {
                let drawn = &model.said.drawn;
                wrong.push(format!("{}: no error `{gist}`\n{drawn}", model.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_message_is_compared_by_line_and_words() {
    let message = "12:5: expected POW(Name), found POW(INTEGER)";
    assert!(is_meant(message, "12 POW(Name) INTEGER"));
    assert!(is_meant(message, "found"));
    assert!(!is_meant(message, "2 found"));
    assert!(!is_meant(message, "12 BOOL"));
}
