//! Models that are wrong, hostile or too large: a message and an exit code, never a panic.
//!
//! Both commands that run models are tried, because they meet run-time errors on different ways.

use crate::command::{Folder, run};

/// The exit codes of `check` and `simulate`, and what `check` said on both streams.
#[track_caller]
fn both(text: &[u8]) -> (i32, i32, String) {
    let (check, out, err) = run("check -", text);
    let (simulate, told, complained) = run("simulate --seed 1 -n 2000 -", text);
    let shown = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
    for (code, words) in [(check, &err), (simulate, &complained)] {
        assert!((0..=3).contains(&code), "{code} for {shown}\n{words}");
        let explained = code != 2 || words.contains("error: ");
        assert!(explained, "no message for {shown}\n{out}{told}");
    }
    (check, simulate, out + &err)
}

#[track_caller]
fn refused(text: &str, parts: &[&str]) {
    let (check, simulate, said) = both(text.as_bytes());
    assert_eq!((check, simulate), (2, 2), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[track_caller]
fn violated(text: &str, parts: &[&str]) {
    let (check, _, said) = both(text.as_bytes());
    assert_eq!(check, 1, "{said}");
    for part in parts {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn truncated_files() {
    let whole = include_str!("../../../../models/promela/records.pml");
    let cuts = (0..whole.len())
        .step_by(37)
        .filter(|at| whole.is_char_boundary(*at));
    let mut n_refused = 0;
    for at in cuts {
        let (check, simulate, _) = both(&whole.as_bytes()[..at]);
        assert_eq!(check == 2, simulate == 2, "cut at {at}");
        n_refused += usize::from(check == 2);
    }
    assert!(n_refused > 10, "{n_refused} were refused");
}

#[test]
fn bytes_that_are_no_text() {
    let mut rng = fastrand::Rng::with_seed(11);
    let noise: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(5000).collect();
    assert_eq!(both(&noise).0, 2, "seed 11");
    let (code, _, said) = both(b"init { skip }\n\xff\xfe\n");
    assert!(code == 2 && said.contains("standard input:2:1"), "{said}");
    let (code, _, said) = both(b"init { skip \0 }");
    assert!(code == 2 && said.contains("standard input:1:13"), "{said}");
    assert_eq!(both(b"").0, 2);
    let elf = std::fs::read(env!("CARGO_BIN_EXE_orbit")).expect("the binary");
    assert_eq!(both(&elf[..100_000]).0, 2);
}

#[test]
fn deep_nesting() {
    let deep = |n: usize| format!("init {{ {}1{} }}", "(".repeat(n), ")".repeat(n));
    refused(&deep(100_000), &["nested"]);
    assert_eq!(both(deep(50).as_bytes()).0, 0);
    let blocks = format!(
        "init {{ {}skip{} }}",
        "{ ".repeat(50_000),
        " }".repeat(50_000)
    );
    refused(&blocks, &["nested"]);
    let minus = format!("byte x; init {{ x = {}1 }}", "-".repeat(100_000));
    assert_eq!(both(minus.as_bytes()).0, 2);
    let sum = format!("int x; init {{ x = {}1 }}", "1 + ".repeat(100_000));
    assert_eq!(both(sum.as_bytes()).0, 2);
}

#[test]
fn macros_and_files_without_end() {
    refused("#define A A + A\ninit { A }\n", &["`A`"]);
    let folder = Folder::new("circle");
    folder.write("a.pml", "#include \"b.pml\"\n");
    folder.write("b.pml", "#include \"a.pml\"\n");
    let (code, _, err) = run(&format!("check '{}'", folder.path("a.pml")), b"");
    assert!(
        code == 2 && err.contains("include each other without end"),
        "{err}"
    );
}

#[test]
fn what_is_too_large_for_a_state() {
    refused("byte a[2147483648]; init { skip }", &["standard input:1:"]);
    refused("byte a[2147483647]; init { skip }", &["standard input:1:6"]);
    refused(
        "typedef T { byte b[60000] }; T t[60000]; init { skip }",
        &["standard input:1:"],
    );
    refused(
        "chan c = [255] of { int, int }; chan d[255] = [255] of { int }; init { skip }",
        &["standard input:1:"],
    );
    refused("active [256] proctype p() { skip }", &["standard input:1:"]);
    refused(
        "active [200] proctype p() { skip } active [200] proctype q() { skip }",
        &["more than 255 processes"],
    );
    refused("chan c[256] = [1] of { bit }; init { skip }", &["255"]);
}

#[test]
fn errors_at_run_time_are_violations_with_a_line() {
    violated(
        "byte x;\ninit { x = 1 / x }",
        &["division by zero in line 2"],
    );
    violated(
        "byte x;\ninit { x = 1 % x }",
        &["division by zero in line 2"],
    );
    violated(
        "byte a[2]; byte i = 2;\ninit { a[i] = 1 }",
        &["index out of bounds in line 2"],
    );
    violated(
        "byte a[2]; byte i = 2;\ninit { i = a[i] }",
        &["index out of bounds in line 2"],
    );
    let never_made = "chan c, d = [1] of { byte };\ninit { c!1 }";
    violated(never_made, &["a channel that was never made in line 2"]);
    violated(
        "proctype p() {\n run p() }\ninit { run p() }",
        &["more than 255 processes"],
    );
    violated(
        "byte x;\ninit { d_step { x = 1; x == 2; x = 3 } }",
        &["line 2"],
    );
    violated("init {\n assert(0) }", &["assertion violated in line 2"]);
}

#[test]
fn steps_that_do_not_end_leave_the_verdict_open() {
    let text = "byte x;\ninit { d_step { do :: x = 1 - x od } }";
    let (code, out, err) = run("check -", text.as_bytes());
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("do not end in line 2"), "{out}");
}

#[test]
fn states_without_number_meet_a_limit() {
    let text = "int x, y; active [2] proctype p() { do :: x++ :: y++ od }";
    let (code, out, err) = run("check --plain --memory 20M -", text.as_bytes());
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("memory ran out"), "{out}");
}
