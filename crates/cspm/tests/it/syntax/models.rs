//! Our own scripts, in `models/cspm`: they are read, or refused for the reason in their headers.
//!
//! A script to be refused has `-- refuse: 12 words of the message`: there is an error in that line,
//! if one is given, in whose message all those words are. Scripts that are refused only for their
//! names or types are read here like others.

use super::printed::fault;
use crate::script::{Said, read_with};
use std::path::{Path, PathBuf};

/// A script of ours.
struct Model {
    /// The path below `models/cspm`.
    name: String,
    text: String,
    said: Said,
}

/// The scripts of a folder of `models/cspm`, in the order of their names.
fn folder(name: &str) -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/cspm");
    let folder = folder.join(name);
    let entries = std::fs::read_dir(&folder).expect("a folder of scripts");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    // What is expected of models stands beside them.
    let is_model = |path: &PathBuf| path.is_file() && !path.ends_with("orbit.toml");
    let mut paths: Vec<PathBuf> = paths.filter(is_model).collect();
    paths.sort();
    let model = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable script");
        let file = path.file_name().expect("a file").to_string_lossy();
        let mut include = |asked: &str| {
            let text = std::fs::read_to_string(folder.join(asked)).ok()?;
            Some((asked.to_owned(), text))
        };
        Model {
            name: format!("{name}/{file}"),
            said: read_with(&file, &text, &mut include),
            text,
        }
    };
    paths.iter().map(model).collect()
}

/// What stands behind `-- refuse:` in the lines of a text.
fn refused(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .filter_map(|line| line.strip_prefix("-- refuse: "))
        .collect()
}

#[test]
fn our_scripts_are_read_and_printed_the_same() {
    let models = folder("language");
    assert!(models.len() >= 20, "{} scripts", models.len());
    let mut wrong = Vec::new();
    for model in &models {
        match &model.said.script {
            Some(script) => wrong.extend(fault(script).map(|f| format!("{}\n{f}", model.name))),
            None => wrong.push(format!("{}\n{}", model.name, model.said.drawn)),
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
fn wrong_scripts_are_refused_for_the_reason_in_their_header() {
    let mut wrong = Vec::new();
    for model in folder("reject") {
        let is_ours = ["syntax_", "include_"]
            .iter()
            .any(|p| model.name.contains(p));
        let errors = &model.said.errors;
        let gists = refused(&model.text);
        if gists.is_empty() {
            wrong.push(format!("{} does not say why", model.name));
        }
        if !is_ours && !errors.is_empty() {
            wrong.push(format!("{} is not read\n{}", model.name, model.said.drawn));
        }
        let missing = gists
            .iter()
            .filter(|gist| !errors.iter().any(|e| is_meant(e, gist)));
        for gist in missing.filter(|_| is_ours) {
            wrong.push(format!(
                "{}: no error `{gist}`\n{}",
                model.name, model.said.drawn
            ));
        }
        if is_ours && errors.len() != gists.len() {
            wrong.push(format!(
                "{}: other errors\n{}",
                model.name, model.said.drawn
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_message_is_compared_by_line_and_words() {
    let message = "12:5: `)` to end the `(` of line 3 is expected here";
    assert!(is_meant(message, "12 `)` line 3"));
    assert!(is_meant(message, "expected"));
    assert!(!is_meant(message, "2 expected"));
    assert!(!is_meant(message, "12 `]`"));
}
