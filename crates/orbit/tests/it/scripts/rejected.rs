//! Wrong scripts are refused with a place, exit code 2; scripts without end reach a limit that
//! names the process, exit code 3. Nothing panics, whatever the text.

use super::models;
use crate::command::{Folder, json, run};

/// The exit code and what is said of a script.
fn check(folder: &Folder, text: &str) -> (i32, String) {
    let file = folder.write("script.csp", text);
    let (code, out, err) = run(&format!("check --leaf-states 20000 {file}"), b"");
    assert!(!err.contains("bug in orbit"), "{text}\n{err}");
    (code, out + &err)
}

#[test]
fn wrong_scripts_are_refused_with_their_place() {
    let folder = Folder::new("script-wrong");
    let cases = [
        (
            "channel c : {0..1}\nP = c -> STOP\nassert P [T= P",
            "script.csp:2:5",
        ),
        (
            "channel c : {0..1}\nP = c.true -> STOP\nassert P [T= P",
            "script.csp:2:",
        ),
        (
            "channel c : {0..1}\nP = c.2 -> STOP\nassert P [T= P",
            "2 is no value of field 1 of c.2",
        ),
        ("channel a\nP = a -> \nassert P [T= P", "script.csp:"),
        ("assert P [T= STOP", "`P` is not declared"),
        (
            "include \"nothing.csp\"",
            "the file `nothing.csp` is not there",
        ),
        (
            "assert STOP [T= if 1 / 0 == 1 then STOP else SKIP",
            "script.csp:1:20",
        ),
        ("P = P\nassert P [T= P", "script.csp:1:1"),
        (
            "channel a\nP = P [] a -> P\nassert STOP [T= P",
            "depend on themselves",
        ),
        ("print head(<>)", "script.csp:1:"),
        (
            "channel c : Int\nassert STOP [T= c?x -> STOP",
            "script.csp:2:",
        ),
    ];
    for (text, words) in cases {
        let (code, said) = check(&folder, text);
        assert_eq!(code, 2, "{text}\n{said}");
        assert!(said.contains(words), "{words} of {text}\n{said}");
    }
}

#[test]
fn a_mistake_in_one_assertion_leaves_the_others() {
    let folder = Folder::new("script-others");
    let text = "channel c : {0..1}\nassert STOP [T= c.(1 + 1) -> STOP\nassert STOP [T= STOP\n";
    let file = folder.write("script.csp", text);
    let (code, out, err) = run(&format!("check {file}"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("script.csp:2:17"), "{err}");
    assert!(
        out.contains("1               unknown   STOP [T= c.(1 + 1) -> STOP"),
        "{out}"
    );
    assert!(
        out.contains("2               holds     STOP [T= STOP"),
        "{out}"
    );
}

#[test]
fn files_that_include_each_other_are_refused() {
    let folder = Folder::new("script-cycle");
    folder.write("b.csp", "include \"a.csp\"\n");
    let file = folder.write("a.csp", "channel a\ninclude \"b.csp\"\n");
    let (code, _, err) = run(&format!("check {file}"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("`a.csp` includes itself"), "{err}");
    assert!(err.contains("a.csp, then b.csp"), "{err}");
    let (code, _, err) = run("check nowhere.csp", b"");
    assert_eq!(code, 2);
    assert!(
        err.contains("cannot read `nowhere.csp`: there is no such file"),
        "{err}"
    );
}

#[test]
fn included_files_are_found_beside_the_script_and_where_asked() {
    let folder = Folder::new("script-include");
    folder.write("part.csp", "channel a\nP = a -> P\n");
    let file = folder.write(
        "main.csp",
        "include \"part.csp\"\nassert P :[deadlock free]\n",
    );
    assert_eq!(run(&format!("check {file}"), b"").0, 0);
    let other = Folder::new("script-include-other");
    let file = other.write(
        "main.csp",
        "include \"part.csp\"\nassert P :[deadlock free]\n",
    );
    assert_eq!(run(&format!("check {file}"), b"").0, 2);
    let there = folder.path("");
    assert_eq!(run(&format!("check -I {there} {file}"), b"").0, 0);
}

#[test]
fn processes_without_end_reach_a_limit_that_names_them() {
    let folder = Folder::new("script-endless");
    let cases = [
        (
            "channel a : Int\nP(n) = a.n -> P(n + 1)\nassert RUN({}) [T= STOP ||| P(0)",
            "`P(0)` has more than 20,000 states, the last of them in `",
        ),
        (
            "channel a\nP(n) = P(n + 1) [] a -> STOP\nassert STOP [T= P(0)",
            "operators within each other",
        ),
        (
            "channel a\nP = (a -> P) ; (a -> STOP)\nassert STOP [T= P \\ {a}",
            "`P` has more than 20,000 states",
        ),
        (
            "channel a\nP = STOP ||| (a -> P)\nassert STOP [T= P \\ {a}",
            "more than 20,000 states",
        ),
    ];
    for (text, words) in cases {
        let (code, said) = check(&folder, text);
        assert_eq!(code, 3, "{text}\n{said}");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{words} of {text}\n{said}");
    }
}

#[test]
fn evaluation_without_end_is_cut_by_time() {
    let folder = Folder::new("script-time");
    let text =
        "f(n) = if n < 0 then 0 else f(n + 1)\nassert STOP [T= if f(0) == 1 then STOP else SKIP";
    let file = folder.write("script.csp", text);
    let (code, out, err) = run(&format!("check --time 200ms {file}"), b"");
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("time ran out"), "{out}");
    let (code, ..) = run(
        &format!(
            "check --time 200ms {}",
            folder.write("p.csp", "f(n) = f(n + 1)\nprint f(0)")
        ),
        b"",
    );
    assert_eq!(code, 3);
}

#[test]
fn huge_numbers_and_sets_are_refused() {
    let folder = Folder::new("script-huge");
    for text in [
        "print 99999999999999999999",
        "print 9223372036854775807 + 1",
        "channel a : {0..999999999999}\nassert STOP [T= a?x -> STOP",
        "print card({0..999999999999})\nprint seq({0..999999999999})",
        "assert STOP [T= ||| i : {0..99999999999} @ STOP",
    ] {
        let (code, said) = check(&folder, text);
        assert_eq!(code, 2, "{text}\n{said}");
        assert!(said.contains("script.csp:"), "{text}\n{said}");
    }
}

#[test]
fn a_deadlocked_specification_allows_nothing() {
    let folder = Folder::new("script-stop");
    let text =
        "channel a\nassert STOP [FD= STOP\nassert STOP [T= a -> STOP\nassert STOP [F= SKIP\n";
    let file = folder.write("script.csp", text);
    let told = json(&format!("check {file}"), b"");
    assert_eq!(super::verdicts(&told), ["holds", "violated", "violated"]);
}

#[test]
fn our_wrong_scripts_are_refused() {
    let entries = std::fs::read_dir(models().join("reject")).expect("a folder of scripts");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let paths: Vec<_> = paths
        .filter(|path| path.is_file() && !path.ends_with("orbit.toml"))
        .collect();
    assert!(paths.len() > 20, "{}", paths.len());
    for path in paths.iter().step_by(4) {
        let (code, _, err) = run(&format!("check {}", path.display()), b"");
        assert_eq!(code, 2, "{}\n{err}", path.display());
        assert!(err.contains("-->"), "{}\n{err}", path.display());
    }
}

#[test]
fn scripts_may_be_any_bytes() {
    let folder = Folder::new("script-noise");
    let pieces = [
        "channel a\n",
        "P = ",
        "a -> P",
        "STOP",
        "assert ",
        " [T= ",
        " [FD= ",
        "P",
        " ||| ",
        " \\ {a}",
        "[| {a} |]",
        "(",
        ")",
        "\n",
        "print ",
        "1",
        " + ",
        "<>",
        "{",
        "}",
        ":[deadlock free]",
        "é",
        "\0",
        "normal(",
        "transparent normal\n",
        "-- ",
        "{-",
        "[[a <- a]]",
        " ; ",
        " |~| ",
    ];
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n = rng.usize(0..40);
        let text: String = (0..n).map(|_| pieces[rng.usize(..pieces.len())]).collect();
        let file = folder.write("script.csp", &text);
        let (code, out, err) = run(&format!("check --leaf-states 1000 {file}"), b"");
        assert!(
            (0..=3).contains(&code),
            "seed {seed}: {code} for {text:?}\n{err}"
        );
        let is_told = code != 2 || err.contains("error: ");
        assert!(is_told, "seed {seed}: no message for {text:?}\n{out}{err}");
    }
}
