//! The commands with which one starts: examples, completions, manual pages.

use crate::command::{Folder, json, run};

/// The commands that `orbit --help` lists; `bench` is a program of its own.
fn commands() -> Vec<String> {
    let (code, out, _) = run("--help", b"");
    assert_eq!(code, 0);
    let (_, rest) = out.split_once("Commands:\n").expect("a list of commands");
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    // What is deeper goes on with what is said of a command.
    let lines = lines.filter_map(|line| line.strip_prefix("  "));
    let lines = lines.filter(|line| !line.starts_with(' '));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let all: Vec<String> = names
        .map(str::to_owned)
        .filter(|name| name != "help" && name != "bench")
        .collect();
    assert!(all.len() >= 12, "{all:?}");
    all
}

/// The flags that the help of a command names.
fn flags(command: &str) -> Vec<String> {
    let (code, out, _) = run(&format!("{command} --help"), b"");
    assert_eq!(code, 0, "{command}");
    let words = out
        .lines()
        .filter(|line| line.trim_start().starts_with('-'));
    let words = words.flat_map(|line| line.split([' ', ',', '[', '=']).map(str::to_owned));
    words
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .collect()
}

#[test]
fn every_example_is_a_model_that_is_as_it_says() {
    let folder = Folder::new("begin");
    let all = json("example", b"")["examples"].clone();
    let all = all.as_array().expect("a list");
    assert!(all.len() >= 10);
    for one in all {
        let name = one["file"].as_str().expect("a file");
        let stem = name.split('.').next().expect("a stem");
        let (code, text, err) = run(&format!("example {name}"), b"");
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        assert_eq!(run(&format!("example {stem}"), b"").1, text, "{stem}");
        folder.write(name, &text);
    }
    let (code, out, err) = run(&format!("test '{}'", folder.path("")), b"");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, out, err) = run("example nothing", b"");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("there is no example") && err.contains("mutex.pml"),
        "{err}"
    );
}

#[test]
fn completions_know_every_command_and_flag() {
    let flags: Vec<String> = commands().iter().flat_map(|name| flags(name)).collect();
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, err) = run(&format!("completions {shell}"), b"");
        assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        assert_eq!(
            json(&format!("completions {shell}"), b"")["script"],
            out,
            "{shell}"
        );
        for word in commands().iter().chain(&flags) {
            let word = word.trim_start_matches('-');
            assert!(out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run("completions nosuchshell", b"").0, 2);
}

#[test]
fn every_flag_of_the_help_is_in_the_manual_page() {
    let folder = Folder::new("manual");
    let place = folder.path("man/man1");
    let (code, _, err) = run(&format!("man '{place}'"), b"");
    assert_eq!((code, err.as_str()), (0, ""));
    for command in commands() {
        let page = std::fs::read_to_string(format!("{place}/orbit-{command}.1"));
        // A dash is written `\-` there.
        let page = page.expect("a page").replace("\\-", "-");
        for flag in flags(&command) {
            assert!(page.contains(&flag), "{command}: {flag}");
        }
    }
    assert!(std::path::Path::new(&format!("{place}/orbit.1")).exists());
    assert_eq!(run("man /dev/null/x", b"").0, 2);
}
