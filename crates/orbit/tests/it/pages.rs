//! The README and the guide say what is true.
//!
//! A fenced block `console` holds commands, each after `$ `, and what they print, standard error
//! included; `? N` after a command is an exit code other than 0. Every command is run by `sh` in
//! the folder of its page. `SNAPSHOTS=overwrite` writes what was printed into the page. How long
//! something took, and how much memory, may differ from what the page says.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_readme_shows_what_is_printed() {
    check_page("README.md");
}

#[test]
fn the_guide_shows_what_is_printed() {
    let mut n_pages = 0;
    for entry in std::fs::read_dir(root().join("docs/guide")).expect("the guide") {
        let name = entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".md") {
            check_page(&format!("docs/guide/{name}"));
            n_pages += 1;
        }
    }
    assert!(n_pages >= 3, "{n_pages} pages");
}

#[test]
fn the_summary_lists_every_page_of_the_guide_once() {
    let summary = read(&root().join("docs/guide/SUMMARY.md"));
    for entry in std::fs::read_dir(root().join("docs/guide")).expect("the guide") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            let n = summary.matches(&format!("]({name})")).count();
            assert_eq!(n, 1, "{name}");
        }
    }
}

#[test]
fn a_page_that_lies_is_found() {
    let page = "```console\n$ echo one\ntwo\n$ false\n? 1\n```\n";
    let told = "```console\n$ echo one\none\n$ false\n? 1\n```\n";
    assert_eq!(retold(page, &root()), told);
}

/// The examples of the help texts, which name files of the guide. Words after two spaces explain.
#[test]
fn the_examples_of_the_help_run() {
    // A copy: some examples write files.
    let folder = crate::command::Folder::new("examples");
    let guide = std::path::PathBuf::from(folder.path(""));
    for entry in std::fs::read_dir(root().join("docs/guide"))
        .expect("a folder")
        .flatten()
    {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), guide.join(entry.file_name())).expect("copied");
        }
    }
    let mut n_examples = 0;
    for command in [
        "",
        "check ",
        "symmetry ",
        "simulate ",
        "view ",
        "serve ",
        "group ",
        "graph ",
        "ltl ",
    ] {
        let help = &format!("orbit {command}--help");
        let text = printed(help, &guide);
        let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
        for line in lines.filter(|l| l.starts_with("orbit ") || l.starts_with("printf ")) {
            let example = line.split("  ").next().unwrap_or(line);
            n_examples += 1;
            if let Some(words) = example.strip_prefix("orbit serve ") {
                // It has no end of its own, and no browser is to be opened.
                let words = words.split_whitespace().filter(|word| *word != "--open");
                let explorer = crate::explorer::Explorer::new(&words.collect::<Vec<_>>());
                assert_eq!(
                    explorer.ask("GET", "/api/start", "").status,
                    200,
                    "{example}"
                );
                continue;
            }
            let shown = printed(example, &guide);
            assert!(
                !shown.starts_with("? ") || shown.starts_with("? 1\n"),
                "{example}\n{shown}"
            );
        }
    }
    assert_eq!(n_examples, 64);
}

/// The picture in the README: two processes, N → T → C → N, C only if the other is not in C.
#[test]
fn the_picture_has_the_numbers_of_its_system() {
    let step = |s: [u8; 2], i: usize| {
        let next = match s[i] {
            b'N' => b'T',
            b'T' if s[1 - i] != b'C' => b'C',
            b'C' => b'N',
            _ => return None,
        };
        let mut t = s;
        t[i] = next;
        Some(t)
    };
    let count = |represent: fn([u8; 2]) -> [u8; 2]| {
        let mut states = BTreeSet::from([*b"NN"]);
        let mut steps = BTreeSet::new();
        let mut queue = vec![*b"NN"];
        while let Some(s) = queue.pop() {
            for t in (0..2).filter_map(|i| step(s, i)).map(represent) {
                steps.insert((s, t));
                if states.insert(t) {
                    queue.push(t);
                }
            }
        }
        format!("{} states, {} steps", states.len(), steps.len())
    };
    let picture = read(&root().join("docs/quotient.svg"));
    let full = count(|s| s);
    let quotient = count(|s| [s[0].min(s[1]), s[0].max(s[1])]);
    assert_eq!(
        (full.as_str(), quotient.as_str()),
        ("8 states, 14 steps", "5 states, 7 steps")
    );
    for number in [full, quotient] {
        assert!(
            picture.contains(&format!(">{number}<")),
            "{number} is not in the picture"
        );
    }
}

/// CI takes its test command from the README: there must be one.
#[test]
fn the_readme_names_the_test_command() {
    let readme = read(&root().join("README.md"));
    let found = readme.lines().filter(|line| line.starts_with("cargo test"));
    assert_eq!(found.collect::<Vec<_>>(), ["cargo test --workspace"]);
}

fn check_page(page: &str) {
    let path = root().join(page);
    let told = read(&path);
    let true_text = retold(&told, path.parent().expect("a folder"));
    let true_text = with_measures_of(&told, &true_text);
    if std::env::var_os("SNAPSHOTS").is_some_and(|how| how == "overwrite") {
        std::fs::write(&path, true_text).expect("the page can be written");
    } else {
        let differs = told
            .lines()
            .zip(true_text.lines())
            .position(|(a, b)| a != b);
        let line = differs.unwrap_or_else(|| told.lines().count().min(true_text.lines().count()));
        let (says, is) = (told.lines().nth(line), true_text.lines().nth(line));
        let number = line + 1;
        assert!(
            told == true_text,
            "{page}:{number} says {says:?}, printed is {is:?}; SNAPSHOTS=overwrite rewrites it"
        );
    }
}

/// The text with its measured lines as they are in `told`, where there are as many of them.
fn with_measures_of(told: &str, text: &str) -> String {
    let is_measured = |line: &str| {
        let starts = ["time            ", "memory          "];
        starts.iter().any(|start| line.starts_with(start))
    };
    let mut measured = told.lines().filter(|line| is_measured(line));
    let line = |line: &str| {
        if is_measured(line) {
            measured.next().unwrap_or(line).to_owned()
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n") + "\n"
}

#[test]
fn only_measures_may_differ() {
    let told = "states          4\ntime            1 ms\n";
    let text = "states          5\ntime            2 ms\nmemory          3 kB\n";
    let expected = "states          5\ntime            1 ms\nmemory          3 kB\n";
    assert_eq!(with_measures_of(told, text), expected);
}

/// The page with the output of every command in its console blocks made true.
fn retold(page: &str, folder: &Path) -> String {
    let mut text = String::new();
    let mut in_console = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
        }
        match line.strip_prefix("$ ") {
            Some(command) if in_console => {
                let _ = writeln!(text, "{line}\n{}", printed(command, folder).trim_end());
            }
            _ if in_console && !line.starts_with("```") => {}
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    // A command that prints nothing leaves an empty line behind.
    text.replace("\n\n$ ", "\n$ ")
        .replace("\n\n```\n", "\n```\n")
}

/// What a command prints, with `? N` before it if its exit code is N.
fn printed(command: &str, folder: &Path) -> String {
    let command = command.replace("cargo run --release -- ", "orbit ");
    let binary = Path::new(env!("CARGO_BIN_EXE_orbit"));
    let binary_folder = binary.parent().expect("a folder").to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binary_folder).chain(std::env::split_paths(&paths));
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", std::env::join_paths(paths).expect("a search path"))
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output()
        .expect("sh starts");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    match output.status.code().expect("no signal ended it") {
        0 => text,
        code => format!("? {code}\n{text}"),
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
