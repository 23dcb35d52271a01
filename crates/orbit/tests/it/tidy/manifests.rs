//! Manifests against each other and against the map.
//!
//! `ARCHITECTURE.md` has a fenced block `arrows` with one line a crate, `orbit -> base, group`; a
//! line `planned: …` may speak of crates to come. For every crate that exists the line must be
//! there and say exactly what its manifest says.

use super::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// Who names whom.
type Arrows<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Dependencies without a comment on the line above that says what they are for.
pub fn without_reason(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending("Cargo.toml") {
        let mut before = "";
        for (number, line, is_dependency) in dependency_lines(text) {
            if is_dependency && !before.starts_with('#') {
                findings.push(format!("{path}:{number}: what is this for? {line}"));
            }
            before = line;
        }
    }
    findings
}

/// Differences between the map and the manifests.
pub fn against_map(tree: &Tree) -> Vec<String> {
    let Some(map) = tree.text("ARCHITECTURE.md") else {
        return vec!["there is no ARCHITECTURE.md".to_owned()];
    };
    let (drawn, real) = (arrows_of_map(map), arrows_of_manifests(tree));
    let mut findings = Vec::new();
    for (name, names) in &real {
        match drawn.get(name) {
            None => findings.push(format!("{name}: a crate that the map does not draw")),
            Some(expected) if expected != names => findings.push(format!(
                "{name}: the manifest names {names:?}, the map draws {expected:?}"
            )),
            Some(_) => {}
        }
        let row = format!("| `{name}` |");
        if !map.contains(&row) {
            findings.push(format!("{name}: the list of crates has no row `{row}`"));
        }
    }
    for name in drawn.keys().filter(|name| !real.contains_key(*name)) {
        findings.push(format!("{name}: the map draws a crate that does not exist"));
    }
    findings
}

fn arrows_of_map(map: &str) -> Arrows<'_> {
    let block = map
        .split("```arrows\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let lines = block
        .unwrap_or("")
        .lines()
        .filter(|line| !line.starts_with("planned:"));
    let arrows = lines.filter_map(|line| line.split_once("->"));
    arrows
        .map(|(from, to)| (from.trim(), names_in(to)))
        .collect()
}

fn names_in(list: &str) -> BTreeSet<&str> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect()
}

fn arrows_of_manifests(tree: &Tree) -> Arrows<'_> {
    let manifests = || {
        tree.ending("/Cargo.toml").filter_map(|(path, text)| {
            let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
            Some((name, text))
        })
    };
    let crates: BTreeSet<&str> = manifests().map(|(name, _)| name).collect();
    let named = |text| {
        let lines = dependency_lines(text).into_iter().filter(|&(_, _, is)| is);
        let names = lines.filter_map(|(_, line, _)| line.split([' ', '.', '=']).next());
        names.filter(|name| crates.contains(name)).collect()
    };
    manifests()
        .map(|(name, text)| (name, named(text)))
        .collect()
}

/// The lines of a manifest with their numbers, and whether each is a dependency.
fn dependency_lines(text: &str) -> Vec<(usize, &str, bool)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim_end().ends_with("dependencies]");
        }
        let is_entry = line.starts_with(|c: char| c.is_alphabetic()) && line.contains('=');
        lines.push((i + 1, line, inside && is_entry));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "| `a` | x |\n| `b` | y |\n```arrows\na ->\nb -> a\nplanned: c -> b\n```\n";
    const A: (&str, &str) = ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n");

    fn findings(map: &str, b: &str) -> Vec<String> {
        let tree = Tree::planted(&[("ARCHITECTURE.md", map), A, ("crates/b/Cargo.toml", b)]);
        against_map(&tree)
    }

    #[test]
    fn agreement_passes() {
        assert_eq!(
            findings(
                MAP,
                "[dependencies]\na = { workspace = true }\nclap = \"4\"\n"
            ),
            [""; 0]
        );
        assert_eq!(
            findings(MAP, "[dev-dependencies]\na.workspace = true\n"),
            [""; 0]
        );
    }

    #[test]
    fn an_arrow_too_few_or_too_many_is_found() {
        assert_eq!(findings(MAP, "[dependencies]\n").len(), 1);
        let flat = MAP.replace("b -> a", "b ->");
        assert_eq!(
            findings(&flat, "[dependencies]\na = { path = \"../a\" }\n").len(),
            1
        );
    }

    #[test]
    fn a_crate_that_is_not_drawn_or_not_there_is_found() {
        let b = "[dependencies]\na = { workspace = true }\n";
        assert_eq!(
            findings(&MAP.replace("b -> a\n", ""), b).len(),
            1,
            "not drawn"
        );
        assert_eq!(
            findings(&MAP.replace("| `b` |", "| `c` |"), b).len(),
            1,
            "not listed"
        );
        assert_eq!(
            findings(&MAP.replace("planned: ", ""), b).len(),
            1,
            "not there"
        );
    }

    #[test]
    fn a_dependency_without_reason_is_found() {
        let text =
            "[dependencies]\n# Flags.\nclap = \"4\"\nserde = \"1\"\n\n[lints]\nworkspace = true\n";
        let found = without_reason(&Tree::planted(&[("crates/a/Cargo.toml", text)]));
        assert_eq!(
            found,
            ["crates/a/Cargo.toml:4: what is this for? serde = \"1\""]
        );
    }
}
