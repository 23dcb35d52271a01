//! Limits, signals, and outputs that cannot be written: an answer, or a message, in every case.

use crate::command::{Folder, object, run};
use std::process::{Command, Stdio};
use std::time::Duration;

/// More states than anybody waits for.
const ENDLESS: &str = "byte a[9]; active [9] proctype p() { do :: a[_pid]++ od }";

/// How the binary ends with these words under a shell's rules: exit code, output and complaints.
fn in_shell(before: &str, words: &str, input: &str) -> (Option<i32>, String, String) {
    let folder = Folder::new(&format!("limits-{}", input.len()));
    let file = folder.write("model.pml", input);
    let orbit = env!("CARGO_BIN_EXE_orbit");
    let line = format!("{before} exec '{orbit}' {words}").replace("MODEL", &format!("'{file}'"));
    let output = Command::new("sh").args(["-c", &line]).output();
    let output = output.expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Sends a signal to a search after some time; how it ended, and what it printed.
fn signalled(signal: &str, after: Duration) -> (Option<i32>, String) {
    let folder = Folder::new(&format!("signal-{signal}"));
    let file = folder.write("endless.pml", ENDLESS);
    let child = Command::new(env!("CARGO_BIN_EXE_orbit"))
        .args(["check", "--json", "--no-symmetry", "--memory", "1G", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(after);
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.is_ok_and(|status| status.success()), "{signal}");
    let output = child.wait_with_output().expect("an end");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), out)
}

#[test]
fn every_signal_ends_a_search_with_what_is_known() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        // A machine with much to do may not have started the search by then.
        let waits = [300, 2000, 8000].map(Duration::from_millis);
        let mut ends = waits.into_iter().map(|after| signalled(signal, after));
        let ended = ends.find(|(code, _)| *code == Some(3));
        let (_, out) = ended.unwrap_or_else(|| panic!("{signal} is no end with exit code 3"));
        let object = object("check", &out).expect("an object");
        assert_eq!(object["verdict"], "unknown", "{signal}");
        assert_eq!(object["stop_reason"], "interrupted", "{signal}");
        assert!(object["counts"]["states"].is_u64(), "{signal}: {object}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_said_to_be_lost() {
    for flag in ["", "--json"] {
        let line = format!("check {flag} MODEL > /dev/full");
        let (code, _, err) = in_shell("", &line, "init { skip }");
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("cannot write the result"), "{err}");
    }
    let (code, out, _) = in_shell("", "check MODEL 2> /dev/full", "init { skip }");
    assert_eq!(code, Some(0), "{out}");
    // Somebody has read enough.
    let (code, ..) = in_shell("", "check MODEL | head -n 1", "init { skip }");
    assert_eq!(code, Some(0));
}

#[test]
fn a_trail_that_cannot_be_written_costs_the_trail_only() {
    let wrong = "init { assert(false) }";
    let (code, out, err) = in_shell("", "check --trail /dev/full MODEL", wrong);
    assert_eq!(code, Some(1), "{err}");
    assert!(out.starts_with("verdict         violated"), "{out}");
    assert!(err.contains("the run is not recorded"), "{err}");
    for (target, why) in [
        ("/no/such/folder/run", "it cannot be written"),
        ("MODEL", "that is the model"),
        ("/etc/passwd", "it is no trail"),
    ] {
        let line = format!("check --trail {target} MODEL");
        let (code, out, err) = in_shell("", &line, wrong);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{target}: {err}");
        assert!(err.contains(why), "{target}: {err}");
    }
}

#[test]
fn a_small_stack_of_the_shell_is_enough() {
    let long = format!("init {{ {} }}", "skip; ".repeat(20_000));
    let chain = format!("byte x; init {{ x = {}1 }}", "1 + ".repeat(300));
    let deep = format!(
        "init {{ {} skip {} }}",
        "{ ".repeat(5000),
        "}; ".repeat(5000)
    );
    let jumps: String = (0..20_000)
        .map(|i| format!("L{i}: goto L{}; ", i + 1))
        .collect();
    let jumps = format!("init {{ {jumps} L20000: skip }}");
    for text in [long, chain, deep, jumps] {
        for command in ["check --time 20s", "symmetry --time 20s", "simulate -n 3"] {
            let (code, _, err) = in_shell("ulimit -s 64;", &format!("{command} MODEL"), &text);
            let is_answer = code.is_some_and(|code| (0..=3).contains(&code));
            let start: String = text.chars().take(20).collect();
            assert!(is_answer, "{command} {start}…: {code:?} {err}");
        }
    }
}

#[test]
fn the_language_is_told_by_the_text_where_the_name_does_not_say_it() {
    let folder = Folder::new("languages");
    let b = "MACHINE M VARIABLES v INVARIANT v = 1 INITIALISATION v := 1 OPERATIONS o = skip END";
    let csp = "channel a\nP = a -> P\nassert P :[deadlock free]\n";
    for (name, text, flags, expected) in [
        ("A.MCH", b, "", "b"),
        ("a.txt", b, "", "b"),
        ("P.Csp", csp, "", "cspm"),
        ("script", csp, "", "cspm"),
        ("model", "init { skip }", "", "promela"),
        ("odd.csp", "init { skip }", "--language promela", "promela"),
    ] {
        let file = folder.write(name, text);
        let (code, out, err) = run(&format!("check --json {flags} {file}"), b"");
        assert_eq!(code, 0, "{name}: {err}");
        let object = object("check", &out).expect("an object");
        assert_eq!(object["model"]["language"], expected, "{name}");
    }
    for (name, text, part) in [
        ("a.txt", "hello", "in which language is"),
        (
            "x.bum",
            "<org.eventb.core.machineFile/>",
            "looks like Event-B",
        ),
        ("empty", "", "in which language is"),
    ] {
        let file = folder.write(name, text);
        let (code, _, err) = run(&format!("check {file}"), b"");
        assert!(code == 2 && err.contains(part), "{name}: {err}");
    }
    let (code, _, err) = run("check -", csp.as_bytes());
    assert_eq!(code, 0, "{err}");
}

#[test]
fn marks_line_ends_and_old_encodings_are_read() {
    let folder = Folder::new("encodings");
    for (name, lines) in [
        ("m.pml", ["/* caf\u{e9} */", "init { skip }"]),
        (
            "m.mch",
            ["/* caf\u{e9} */", "MACHINE M OPERATIONS o = skip END"],
        ),
        ("m.csp", ["-- caf\u{e9}", "assert STOP [T= STOP"]),
    ] {
        let text = lines.join("\r\n") + "\r\n";
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        for bytes in [latin, marked] {
            let file = folder.write(name, bytes);
            let (code, out, err) = run(&format!("check {file}"), b"");
            assert_eq!(code, 0, "{name}: {out}{err}");
        }
    }
}

/// A strategy that remembers whole orbits stops within one.
#[test]
fn memory_is_limited_within_an_orbit() {
    let text = include_str!("../../../../models/b/phonebook.mch");
    let folder = Folder::new("orbit-memory");
    let file = folder.write("phonebook.mch", text);
    let flags = "--set-size Name=6 --set-size Code=6 --reduce flood --memory 1M --json";
    let (code, out, _) = run(&format!("check {file} {flags}"), b"");
    let object = object("check", &out).expect("an object");
    assert_eq!(
        (code, &object["stop_reason"]),
        (3, &"memory".into()),
        "{object}"
    );
    let peak = object["memory"]["peak_bytes"].as_u64().expect("a number");
    assert!(peak < 3 << 19, "{peak} bytes");
}

/// `orbit bench` starts the program beside it, with its words and its end, or says what to type.
#[test]
fn measurements_are_a_program_beside_this_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("bench-beside");
    let orbit = folder.path("orbit");
    std::fs::copy(env!("CARGO_BIN_EXE_orbit"), &orbit).expect("a copy");
    let bench = |words: &[&str]| {
        let output = Command::new(&orbit).arg("bench").args(words).output();
        let output = output.expect("the binary starts");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), out, err)
    };
    let (code, out, err) = bench(&["images"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("cargo run --release -p bench"), "{err}");
    let beside = folder.write("orbit-bench", "#!/bin/sh\necho \"$@\"\nexit 3\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&beside, mode).expect("a mode");
    let (code, out, _) = bench(&["images", "--only", "S8 ", "--help"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(3), "images --only S8  --help\n")
    );
    let (_, out, _) = bench(&["images", "--json"]);
    assert!(out.contains("--json"), "{out}");
}
