//! The page `docs/guide/groups.md`: every model of ours with the group that is found, what a reader
//! of its text would expect, and what stands in the way of more.
//!
//! `SNAPSHOTS=overwrite` writes the page anew. What is expected is said in the header of a model,
//! after `symmetry:`; where nothing is said there is nothing to expect.

use crate::command::json;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# The groups of our models

Found by `orbit symmetry`, with the parameters that a model has if none are given; beside it what \
its header says a reader would expect, and the first thing that tells like parts apart, if there \
is one. A test writes this page and compares it with what is found.

| model | found | expected | in the way of more |
|---|---|---|---|
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The models of a folder, by name.
fn models(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("models/promela").join(folder));
    let paths = entries
        .expect("the models")
        .map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "pml"))
        .collect();
    paths.sort();
    paths
}

/// What a header says about symmetry, on one line.
fn expected(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.contains("symmetry:"));
    let lines = lines.map(|line| line.trim_start_matches([' ', '*']).trim());
    let words: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let words = words.join(" ").replace("symmetry:", "").replace('|', "\\|");
    words.trim().to_owned()
}

fn row(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a readable model");
    let expected = expected(&text);
    if expected.is_empty() {
        return None;
    }
    let found = json("symmetry -", text.as_bytes());
    let order = found["group_order"].as_str().unwrap_or("-");
    let structure = found["structure"].as_str().unwrap_or("-");
    let blocker = found["blockers"].as_array().and_then(|all| all.first());
    let blocker = blocker.map_or(String::new(), |blocker| {
        let reason = blocker["reason"].as_str().unwrap_or("");
        match blocker["line"].as_u64() {
            Some(line) => format!("line {line}: {reason}"),
            None => reason.to_owned(),
        }
    });
    let name = path
        .strip_prefix(root().join("models/promela"))
        .unwrap_or(path);
    let (name, blocker) = (name.display(), blocker.replace('|', "\\|"));
    Some(format!(
        "| `{name}` | {structure}, {order} | {expected} | {blocker} |\n"
    ))
}

#[test]
fn the_page_of_groups_is_what_is_found() {
    let all = ["", "study", "extended"].into_iter().flat_map(models);
    let rows: Vec<String> = all.filter_map(|path| row(&path)).collect();
    assert!(
        rows.len() > 30,
        "only {} models say what to expect",
        rows.len()
    );
    let page = HEAD.to_owned() + &rows.concat();
    let path = root().join("docs/guide/groups.md");
    if std::env::var_os("SNAPSHOTS").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, &page).expect("a page that can be written");
    }
    let written = std::fs::read_to_string(&path).expect("the page");
    let differs = written.lines().zip(page.lines()).find(|(a, b)| a != b);
    assert!(
        written == page,
        "{differs:?}; SNAPSHOTS=overwrite rewrites it"
    );
}

#[test]
fn what_a_header_expects_is_read_to_its_end() {
    let text = "/*\n * A model.\n *\n * symmetry: S_2 on\n * all\n *\n * expect: plain\n */\n";
    assert_eq!(expected(text), "S_2 on all");
    assert_eq!(expected("/* none */"), "");
}
