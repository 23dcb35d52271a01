//! What documents and comments point at.

use super::tree::Tree;

/// Paths that exist on one developer's machine only.
pub fn private_paths(tree: &Tree) -> Vec<String> {
    // Put together here, so that this file does not find itself.
    let starts = [
        ["/ho", "me/"],
        ["/ro", "ot/"],
        ["/wo", "rk/"],
        ["/tmp/", "wt"],
        ["/Us", "ers/"],
        ["C:\\", "Users"],
    ];
    let starts = starts.map(|parts| parts.concat());
    let mut findings = Vec::new();
    for (path, text) in tree.all() {
        for (i, line) in text.lines().enumerate() {
            let begins =
                |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
            let private =
                |start: &&String| line.match_indices(start.as_str()).any(|(at, _)| begins(at));
            findings.extend(
                starts
                    .iter()
                    .find(private)
                    .map(|start| format!("{path}:{}: names {start}…", i + 1)),
            );
        }
    }
    findings
}

/// Links in Markdown to files or headings that are not there.
pub fn dead_links(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".md") {
        for (number, line) in outside_fences(text) {
            for target in targets(line).filter(|target| !target.contains("://")) {
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let file = if file.is_empty() {
                    path.to_owned()
                } else {
                    beside(path, file)
                };
                let has_heading = |text: &str| headings(text).any(|slug| slug == heading);
                let lives = heading.is_empty() || tree.text(&file).is_some_and(has_heading);
                if !tree.exists(&file) || !lives {
                    findings.push(format!("{path}:{number}: the link to {target} is dead"));
                }
            }
        }
    }
    findings
}

/// Paths of this repository that Markdown or a comment names in backquotes and that are not there.
/// A line that says "planned" may speak of what will be.
pub fn dead_paths(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.all() {
        let is_rust = path.ends_with(".rs");
        if !is_rust && !path.ends_with(".md") {
            continue;
        }
        for (number, line) in outside_fences(text) {
            let line = if is_rust { comment_of(line) } else { line };
            if line.contains("planned") {
                continue;
            }
            for named in in_backquotes(line).filter(|named| looks_like_a_path(named)) {
                if !tree.exists(named.split([' ', ':']).next().unwrap_or(named)) {
                    findings.push(format!("{path}:{number}: there is no {named}"));
                }
            }
        }
    }
    findings
}

/// Pages of a folder that the `README.md` beside them does not mention.
pub fn unlisted_pages(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, _) in tree.ending(".md") {
        let Some((folder, name)) = path.rsplit_once('/') else {
            continue;
        };
        let index = tree.text(&format!("{folder}/README.md"));
        if index.is_some_and(|index| name != "README.md" && !index.contains(name)) {
            findings.push(format!("{path}: {folder}/README.md does not list it"));
        }
    }
    findings
}

/// The map must stay readable in one sitting.
pub fn long_map(tree: &Tree) -> Vec<String> {
    const LINES_MAX: usize = 150;
    const COLUMNS_MAX: usize = 240;
    let Some(text) = tree.text("ARCHITECTURE.md") else {
        return vec!["ARCHITECTURE.md is missing".to_owned()];
    };
    let mut findings = Vec::new();
    let n = text.lines().count();
    if n > LINES_MAX {
        findings.push(format!("ARCHITECTURE.md: {n} lines, at most {LINES_MAX}"));
    }
    for (i, line) in text.lines().enumerate() {
        let n = line.chars().count();
        if n > COLUMNS_MAX {
            let at = i + 1;
            findings.push(format!(
                "ARCHITECTURE.md:{at}: {n} columns, at most {COLUMNS_MAX}"
            ));
        }
    }
    findings
}

/// Lines with their numbers, without those between ``` fences.
fn outside_fences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line
            .trim_start()
            .trim_start_matches(['/', '!', ' '])
            .starts_with("```");
        inside ^= fence;
        (!inside && !fence).then_some((i + 1, line))
    })
}

/// Where the links `[words](target)` of a line lead.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

/// The slugs of the headings, as GitHub makes them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    outside_fences(text)
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(_, line)| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
}

/// The path of `file` as seen from the folder of `path`.
fn beside(path: &str, file: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn comment_of(line: &str) -> &str {
    line.split_once("//").map_or("", |(_, comment)| comment)
}

fn in_backquotes(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn looks_like_a_path(named: &str) -> bool {
    const FOLDERS: [&str; 7] = [
        "crates/",
        "docs/",
        "models/",
        "examples/",
        "bench/",
        "fuzz/",
        ".ci/",
    ];
    let in_folder = FOLDERS.iter().any(|folder| named.starts_with(folder));
    let in_root = named.ends_with(".md") && named.starts_with(char::is_uppercase);
    (in_folder || in_root) && !named.contains(['*', '<', '{', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_paths_are_found() {
        let text = format!("see /{}/someone/notes\n../home/x is fine\n", "home");
        let findings = private_paths(&Tree::planted(&[("docs/a.md", &text)]));
        assert_eq!(findings.len(), 1, "{findings:?}");
    }

    #[test]
    fn dead_links_are_found() {
        let text = "[a](b.md) [c](../README.md#the-house) [d](https://x.y/z) [e](gone.md)\n\
                    [f](#here) [g](b.md#nowhere)\n## Here\n```\n[h](fenced.md)\n```\n";
        let tree = Tree::planted(&[
            ("docs/a.md", text),
            ("docs/b.md", "# B\n"),
            ("README.md", "## The house!\n"),
        ]);
        let expected = [
            "docs/a.md:1: the link to gone.md is dead",
            "docs/a.md:2: the link to b.md#nowhere is dead",
        ];
        assert_eq!(dead_links(&tree), expected);
    }

    #[test]
    fn dead_paths_are_found() {
        let page = "`docs/a.md` `docs/gone.md` `crates/x/` `STYLE.md`\n`models/` is planned\n";
        // Put together here, so that this file does not find itself.
        let slashes = "/".repeat(2);
        let code = format!(
            "let x = \"`docs/text.md`\"; {slashes} see `docs/lost.md`\n\
             {slashes}/ `crates/x/src/lib.rs`\n"
        );
        let tree = Tree::planted(&[("docs/a.md", page), ("crates/x/src/lib.rs", &code)]);
        let expected = [
            "crates/x/src/lib.rs:1: there is no docs/lost.md",
            "docs/a.md:1: there is no docs/gone.md",
            "docs/a.md:1: there is no STYLE.md",
        ];
        assert_eq!(dead_paths(&tree), expected);
    }

    #[test]
    fn unlisted_pages_are_found() {
        let tree = Tree::planted(&[
            ("README.md", ""),
            ("docs/a/README.md", "[b](b.md)"),
            ("docs/a/b.md", ""),
            ("docs/a/c.md", ""),
            ("docs/d.md", ""),
        ]);
        assert_eq!(
            unlisted_pages(&tree),
            ["docs/a/c.md: docs/a/README.md does not list it"]
        );
    }

    #[test]
    fn a_map_that_is_too_long_or_missing_is_found() {
        let long = "x\n".repeat(201);
        assert_eq!(
            long_map(&Tree::planted(&[("ARCHITECTURE.md", &long)])).len(),
            1
        );
        assert_eq!(long_map(&Tree::planted(&[])).len(), 1);
        let wide = "y".repeat(241);
        let wide = long_map(&Tree::planted(&[("ARCHITECTURE.md", &wide)]));
        assert_eq!(wide, ["ARCHITECTURE.md:1: 241 columns, at most 240"]);
    }
}
