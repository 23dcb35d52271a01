//! Files, functions and lines that are too long.
//!
//! The end of a function is the first line after its head that starts with `}` at the indentation
//! of its `fn`: true for code that rustfmt has laid out, which all of ours is.

use super::tree::Tree;

const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;
const COLUMNS_MAX: usize = 100;

/// Files and functions that are too long, `exceptions` apart; and exceptions that are not needed or
/// could be lowered.
pub fn long_ones(tree: &Tree, exceptions: &[(&str, usize)]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut lengths: Vec<(String, usize, usize)> = Vec::new();
    for (path, text) in tree.ending(".rs") {
        lengths.push((path.to_owned(), text.lines().count(), FILE_LINES_MAX));
        for (name, n_lines) in functions(text) {
            lengths.push((format!("{path} fn {name}"), n_lines, FUNCTION_LINES_MAX));
        }
    }
    for (what, n_lines, n_max) in &lengths {
        let allowed = exceptions
            .iter()
            .find(|(name, _)| name == what)
            .map(|&(_, n)| n);
        if *n_lines > allowed.unwrap_or(*n_max) {
            findings.push(format!(
                "{what}: {n_lines} lines, at most {}",
                allowed.unwrap_or(*n_max)
            ));
        }
    }
    for &(name, allowed) in exceptions {
        let found = lengths.iter().filter(|(what, ..)| what == name);
        match found.map(|&(_, n, n_max)| (n, n_max)).max() {
            None => findings.push(format!("{name}: an exception for what is not there")),
            Some((n, n_max)) if n <= n_max => {
                findings.push(format!(
                    "{name}: the exception is not needed any more ({n} lines)"
                ));
            }
            Some((n, _)) if n < allowed => {
                findings.push(format!("{name}: lower the exception from {allowed} to {n}"));
            }
            Some(_) => {}
        }
    }
    findings
}

/// Lines of Rust with too many characters.
pub fn wide_lines(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs") {
        for (i, line) in text.lines().enumerate() {
            let n = line.chars().count();
            if n > COLUMNS_MAX {
                findings.push(format!(
                    "{path}:{}: {n} columns, at most {COLUMNS_MAX}",
                    i + 1
                ));
            }
        }
    }
    findings
}

/// The functions of a text that have a body, with the number of lines from `fn` to the end.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else {
            continue;
        };
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends_head = |line: &&str| line.ends_with(['{', ';', '}']);
        let Some(head) = lines[start..].iter().position(ends_head) else {
            continue;
        };
        if !lines[start + head].ends_with('{') {
            continue;
        }
        let ends_body = |line: &&str| {
            line.strip_prefix(indent)
                .is_some_and(|l| l.starts_with('}'))
        };
        if let Some(body) = lines[start + head + 1..].iter().position(ends_body) {
            found.push((name, head + 1 + body + 1));
        }
    }
    found
}

/// The name of the function whose head starts on this line.
fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    loop {
        let (word, after) = rest.split_once(' ')?;
        match word {
            "fn" => {
                return after
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
            }
            "pub" | "const" | "async" | "pub(crate)" | "pub(super)" => rest = after,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, n_lines: usize) -> String {
        format!(
            "    pub fn {name}(\n        x: u32,\n    ) {{\n{}    }}\n",
            "        x;\n".repeat(n_lines - 4)
        )
    }

    #[test]
    fn functions_are_measured_from_head_to_brace() {
        let text = format!(
            "fn a() {{}}\ntrait T {{\n    fn b();\n}}\n{}fn e() {{\n}}\n",
            function("c", 9)
        );
        assert_eq!(functions(&text), [("c", 9), ("e", 2)]);
    }

    #[test]
    fn a_long_function_and_a_long_file_are_found() {
        let long = function("slow", 71);
        let file = "x\n".repeat(801);
        let tree = Tree::planted(&[("a.rs", &long), ("b.rs", &file)]);
        let findings = long_ones(&tree, &[]);
        assert_eq!(
            findings,
            [
                "a.rs fn slow: 71 lines, at most 70",
                "b.rs: 801 lines, at most 800"
            ]
        );
    }

    #[test]
    fn lengths_at_the_limit_pass() {
        let (function, file) = (function("slow", 70), "x\n".repeat(800));
        let tree = Tree::planted(&[("a.rs", &function), ("b.rs", &file)]);
        assert_eq!(long_ones(&tree, &[]), [""; 0]);
    }

    #[test]
    fn exceptions_hold_and_may_only_shrink() {
        let long = function("slow", 80);
        let tree = Tree::planted(&[("a.rs", &long)]);
        assert_eq!(long_ones(&tree, &[("a.rs fn slow", 80)]), [""; 0]);
        assert_eq!(
            long_ones(&tree, &[("a.rs fn slow", 79)]).len(),
            1,
            "it grew"
        );
        assert_eq!(
            long_ones(&tree, &[("a.rs fn slow", 81)]).len(),
            1,
            "it can be lowered"
        );
        assert_eq!(
            long_ones(&tree, &[("a.rs fn slow", 80), ("a.rs", 900)]).len(),
            1,
            "not needed"
        );
        assert_eq!(
            long_ones(&tree, &[("a.rs fn slow", 80), ("gone.rs", 9)]).len(),
            1,
            "not there"
        );
    }

    #[test]
    fn wide_lines_are_found_by_characters() {
        let (wide, narrow) = ("é".repeat(101), "é".repeat(100));
        let tree = Tree::planted(&[("a.rs", &wide), ("b.rs", &narrow)]);
        assert_eq!(wide_lines(&tree), ["a.rs:1: 101 columns, at most 100"]);
    }
}
