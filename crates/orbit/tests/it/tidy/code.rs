//! Words that must not stand in code. Comments and string literals are blanked out first, so that
//! a rule may be spoken of.

use super::tree::Tree;

/// Printing outside `orbit`; examples may print, that is what they are for.
pub fn printing(tree: &Tree) -> Vec<String> {
    let library = |path: &str| !path.starts_with("crates/orbit/") && !path.contains("/examples/");
    let words = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    words_in_code(tree, library, &words, "only orbit prints")
}

/// The one file with code that the compiler does not vouch for, and how many lines of it: the type
/// of functions that were compiled, making one of an address, calling it, giving its memory back.
const UNSAFE: (&str, usize) = ("crates/native/src/jit.rs", 4);

/// Code that the compiler does not vouch for.
pub fn uses_of_unsafe(tree: &Tree) -> Vec<String> {
    let (file, n_lines) = UNSAFE;
    let elsewhere = |path: &str| path != file;
    let mut found = words_in_code(tree, elsewhere, &["unsafe"], "no code is unsafe");
    let there = words_in_code(tree, |path| path == file, &["unsafe"], "");
    if tree.text(file).is_some() && there.len() != n_lines {
        let n = there.len();
        found.push(format!("{file}: {n} lines are unsafe, not {n_lines}"));
    }
    found
}

/// Code that was put off.
pub fn left_open(tree: &Tree) -> Vec<String> {
    let words = ["todo!", "unimplemented!"];
    words_in_code(tree, |_| true, &words, "no stub is called done")
}

/// Files whose name says nothing about what is in them.
pub fn lumber_rooms(tree: &Tree) -> Vec<String> {
    let names = ["util.rs", "utils.rs", "helper.rs", "helpers.rs", "misc.rs"];
    let is_one = |path: &str| {
        names
            .iter()
            .any(|name| path.rsplit('/').next() == Some(*name))
    };
    let found = tree.ending(".rs").filter(|(path, _)| is_one(path));
    found
        .map(|(path, _)| format!("{path}: name the file after what is in it"))
        .collect()
}

/// Files called `mod.rs`: many tabs with one name. A module with parts is `name.rs` and a folder.
pub fn mod_files(tree: &Tree) -> Vec<String> {
    let found = tree.ending("/mod.rs");
    found
        .map(|(path, _)| format!("{path}: name.rs and a folder, no mod.rs"))
        .collect()
}

/// `match` on a truth value, where `if` says it.
pub fn matched_truths(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs") {
        let code = blank_out(text);
        let lines: Vec<&str> = code.lines().map(str::trim_start).collect();
        for (i, pair) in lines.windows(2).enumerate() {
            let is_matched = pair[0].contains("match ") && pair[0].ends_with('{');
            if is_matched && pair[1].starts_with("true =>") && !pair[0].contains('(') {
                findings.push(format!("{path}:{}: `if` instead of `match`", i + 1));
            }
        }
    }
    findings
}

/// Reasons that are made into words where they are found. What they are is data, and `report` or a
/// message has the words. Tests may say what they like, and so may programs that only measure or
/// make inputs.
pub fn worded_reasons(tree: &Tree) -> Vec<String> {
    let looks_at = |path: &str| {
        let is_tool = ["crates/fuzz/", "crates/bench/"].iter();
        let is_test = path.contains("/tests/") || path.ends_with("tests.rs");
        path.contains("/src/") && !is_test && !is_tool.clone().any(|tool| path.starts_with(tool))
    };
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| looks_at(path)) {
        let code = blank_out(text);
        let end = code.find("#[cfg(test)]\nmod ").unwrap_or(code.len());
        for (at, start) in code[..end].match_indices("Result<") {
            if last_argument(&code[at + start.len()..]) == Some("String") {
                let line = code[..at].lines().count().max(1);
                findings.push(format!("{path}:{line}: a reason is data, not a `String`"));
            }
        }
    }
    findings
}

/// The last of the types before the `>` that closes what was opened before `text`, if there are
/// several.
fn last_argument(text: &str) -> Option<&str> {
    let (mut depth, mut comma, mut before) = (0usize, None, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' if depth == 0 => return comma.map(|from: usize| text[from..at].trim()),
            '>' | ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 && !text[at + 1..].trim_start().starts_with('>') => {
                comma = Some(at + 1);
            }
            _ => {}
        }
        before = c;
    }
    None
}

fn words_in_code(
    tree: &Tree,
    looks_at: impl Fn(&str) -> bool,
    words: &[&str],
    why: &str,
) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| looks_at(path)) {
        for (i, line) in blank_out(text).lines().enumerate() {
            for word in words.iter().filter(|word| has_word(line, word)) {
                findings.push(format!("{path}:{}: `{word}`: {why}", i + 1));
            }
        }
    }
    findings
}

/// Whether `word` stands in `line` and is not a part of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(i, _)| !line[..i].ends_with(joins) && !line[i + word.len()..].starts_with(joins))
}

/// The text with every character of a comment, string or character literal made a space, line ends
/// kept.
fn blank_out(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let n = literal_length(rest, code.chars().next_back()).unwrap_or(0);
        let blank = rest[..n]
            .chars()
            .map(|c| if c == '\n' { '\n' } else { ' ' });
        code.extend(blank);
        if n == 0 {
            code.push(c);
        }
        rest = &rest[n.max(c.len_utf8())..];
    }
    code
}

/// The length of the comment or literal that `text` starts with, if it starts with one.
fn literal_length(text: &str, before: Option<char>) -> Option<usize> {
    let until = |start: usize, end: &str| {
        text[start..]
            .find(end)
            .map_or(text.len(), |i| start + i + end.len())
    };
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(until(2, "*/"));
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if text.starts_with('r') && !in_word {
        let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
        if text[1 + hashes..].starts_with('"') {
            return Some(until(2 + hashes, &format!("\"{}", "#".repeat(hashes))));
        }
    }
    if text.starts_with('"') {
        return Some(quoted_length(text, '"'));
    }
    // A quote starts a character unless it starts a lifetime: 'a' but not 'a.
    let mut after = text.strip_prefix('\'')?.chars();
    let is_char = after.next() == Some('\\') || after.next() == Some('\'');
    is_char.then(|| quoted_length(text, '\''))
}

/// The length of a literal that starts and ends with `quote`, in which `\` hides what follows it.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut hidden = false;
    for (i, c) in text.char_indices().skip(1) {
        if hidden {
            hidden = false;
        } else if c == '\\' {
            hidden = true;
        } else if c == quote {
            return i + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(path: &str, text: &str) -> Tree {
        Tree::planted(&[(path, text)])
    }

    #[test]
    fn comments_and_literals_are_blanked_out() {
        let text = "a // b\n\"c\\\"d\" e /* f\n*/ g r#\"h\"i\"# 'j' '\\'' k<'l> m\n";
        let kept: String = blank_out(text)
            .chars()
            .filter(|c| c.is_alphabetic())
            .collect();
        assert_eq!(kept, "aegklm");
        assert_eq!(blank_out(text).lines().count(), text.lines().count());
    }

    #[test]
    fn printing_is_found_outside_app_only() {
        let text = "fn f() {\n    println!(\"x\");\n    dbg!(1);\n}\n// println!\n";
        let findings = printing(&planted("crates/group/src/perm.rs", text));
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].starts_with("crates/group/src/perm.rs:2: `println!`"));
        assert!(printing(&planted("crates/orbit/src/output.rs", text)).is_empty());
        assert!(printing(&planted("crates/group/examples/toy.rs", text)).is_empty());
        assert!(printing(&planted("crates/group/src/a.rs", "my_print!(1)")).is_empty());
    }

    #[test]
    fn unsafe_code_is_found_and_the_lint_is_not() {
        let found = uses_of_unsafe(&planted("a.rs", "let x = unsafe { *p };\n"));
        assert_eq!(found.len(), 1);
        let quiet = "#![forbid(unsafe_code)]\n// unsafe\nlet s = \"unsafe\";\n";
        assert!(uses_of_unsafe(&planted("a.rs", quiet)).is_empty());
    }

    #[test]
    fn unsafe_code_of_the_one_file_is_counted() {
        let line = "let x = unsafe { *p };\n";
        let right = planted(UNSAFE.0, &line.repeat(UNSAFE.1));
        assert!(uses_of_unsafe(&right).is_empty());
        let more = planted(UNSAFE.0, &line.repeat(UNSAFE.1 + 1));
        assert_eq!(uses_of_unsafe(&more).len(), 1);
        let beside = planted("crates/native/src/lib.rs", line);
        assert_eq!(uses_of_unsafe(&beside).len(), 1);
    }

    #[test]
    fn reasons_in_words_are_found() {
        let found = |path: &str, text: &str| worded_reasons(&planted(path, text));
        let path = "crates/a/src/b.rs";
        let faults = "fn f() -> Result<(A, B), String> {}\n\nfn g() -> std::result::Result<\n    \
                      Vec<fn() -> A>,\n    String> {}\ntype C = Result<u8, String>;\n";
        let findings = found(path, faults);
        let lines: Vec<&str> = findings
            .iter()
            .filter_map(|f| f.split(':').nth(1))
            .collect();
        assert_eq!(lines, ["1", "3", "6"]);
        let fine = "fn f() -> Result<String, E> {}\nfn g() -> Result<Vec<(A, String)>> {}\n\
                    // Result<u8, String>\n#[cfg(test)]\nmod tests { fn h() -> Result<A, String> }";
        assert!(found(path, fine).is_empty());
        assert!(found("crates/bench/src/b.rs", faults).is_empty());
        assert!(found("crates/a/tests/it/b.rs", faults).is_empty());
    }

    #[test]
    fn stubs_are_found() {
        let found = left_open(&planted(
            "a.rs",
            "fn f() { todo!() }\nfn g() { unimplemented!() }\n",
        ));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn files_that_are_called_mod_are_found() {
        let tree = Tree::planted(&[("crates/a/src/b/mod.rs", ""), ("crates/a/src/mode.rs", "")]);
        assert_eq!(mod_files(&tree).len(), 1);
    }

    #[test]
    fn truths_that_are_matched_are_found() {
        let matched = "fn f(a: bool) -> u8 {\n    match a {\n        true => 1,\n";
        let pair = "fn f() {\n    match (a, b) {\n        (true, _) => 1,\n";
        let found = matched_truths(&planted("a.rs", matched));
        assert_eq!(found, ["a.rs:2: `if` instead of `match`"]);
        assert!(matched_truths(&planted("a.rs", pair)).is_empty());
    }

    #[test]
    fn lumber_rooms_are_found() {
        let tree = Tree::planted(&[
            ("crates/a/src/util.rs", ""),
            ("crates/a/src/utility.rs", ""),
        ]);
        assert_eq!(lumber_rooms(&tree).len(), 1);
    }
}
