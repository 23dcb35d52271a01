//! Scripts by other people, where they are on the machine.
//!
//! Files keep their origin in their names, with `__` for `/`; so that their includes are found, a
//! file is asked for under the folder of the one that includes it.

use std::path::PathBuf;

/// A script and what its origin said of it.
pub struct Found {
    /// The name of its file.
    pub name: String,
    /// `pass` or `fail` where the origin says so.
    pub should: String,
    /// Its text; bytes that are not UTF-8 are taken for Latin-1.
    pub text: String,
}

/// All scripts in the order of their names, or nothing if they are not on this machine.
pub fn scripts() -> Option<Vec<Found>> {
    let folder = folder()?;
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let rows = list.lines().skip(1).filter(|line| !line.is_empty());
    let found = rows.map(|row| {
        let mut cells = row.split(',');
        let name = cells.next().unwrap_or_default().to_owned();
        let should = cells.next().unwrap_or_default().to_owned();
        let text = text(&folder.join(&name)).expect("a readable script");
        Found { name, should, text }
    });
    Some(found.collect())
}

/// What the script `name` includes under this name.
pub fn include(name: &str, asked: &str) -> Option<(String, String)> {
    let folder = folder()?;
    let mut parts: Vec<&str> = name.split("__").collect();
    parts.pop();
    for part in asked.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    let file = parts.join("__");
    let text = text(&folder.join(&file))?;
    Some((file, text))
}

/// Says that a test needs scripts that are not here.
pub fn skipped() {
    let words = "skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n";
    let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
    assert!(written.is_ok());
}

fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/corpus");
    let named = std::env::var_os("ORBIT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or(beside).join("cspm");
    corpus.join("expected.csv").exists().then_some(corpus)
}

fn text(path: &std::path::Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.as_bytes().iter().map(|b| char::from(*b)).collect(),
    })
}
