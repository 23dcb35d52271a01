//! What `orbit check` prints of scripts. The guide has more, run by another test.

use super::verdicts;
use crate::command::{Folder, json, printed, run};
use serde_json::json;

const LOCK: &str = "\
channel enter, leave : {1, 2}
USER(i) = enter.i -> leave.i -> USER(i)
LOCK = enter?i -> leave.i -> LOCK
FREE = USER(1) ||| USER(2)
KEPT = FREE [| {| enter, leave |} |] LOCK
assert LOCK [T= FREE -- nobody minds the lock
assert LOCK [FD= KEPT
assert not LOCK [T= FREE
assert KEPT :[has trace]: <enter.2, leave.2>
print card(Events)
";

#[test]
fn every_assertion_has_its_line_and_counts() {
    let folder = Folder::new("script-lines");
    let file = folder.write("lock.csp", LOCK);
    let text = "\
line 10         4
verdict         violated
1               violated  LOCK [T= FREE
                          3 pairs, 4 transitions, 3 normal states, 2 components
2               holds     LOCK [FD= KEPT
                          3 pairs, 4 transitions, 3 normal states, 3 components
3               holds     not LOCK [T= FREE
                          3 pairs, 4 transitions, 3 normal states, 2 components
                          by the trace <enter.1>
4               holds     KEPT :[has trace]: <enter.2, leave.2>
                          3 pairs, 3 transitions, 3 components
                          by the trace <enter.2, leave.2>

1, line 6: after this trace an event is not allowed
trace           <enter.1>
event           enter.2
allowed         {leave.1}
#  event    line  by
1  enter.1  2     USER(1)
2  enter.2  2     USER(2)
finally         USER(1) at part of USER with i = 1, ready for leave.1, line 2
                USER(2) at part of USER with i = 2, ready for leave.2, line 2

";
    let (code, out) = printed(&format!("check --no-symmetry {file}"));
    assert_eq!(out, text);
    let (_, out) = printed(&format!("check {file}"));
    assert!(
        out.contains("2 pairs, 4 transitions, 3 normal states, 2 components, symmetry of order 2")
    );
    assert_eq!(code, 1);
    let told = json(&format!("check {file}"), b"");
    assert_eq!(told["model"]["language"], "cspm");
    assert_eq!(told["verdict"], "violated");
    assert_eq!(verdicts(&told), ["violated", "holds", "holds", "holds"]);
    assert_eq!(told["prints"], json!([{ "line": 10, "value": "4" }]));
    let first = &told["properties"][0];
    assert_eq!(first["name"], "LOCK [T= FREE");
    assert_eq!(
        (&first["line"], &first["kind"]),
        (&json!(6), &json!("refinement"))
    );
    assert_eq!(first["semantics"], "T");
    assert_eq!(first["counts"]["normal_states"], 3);
    let witness = &first["witness"];
    assert_eq!(witness["kind"], "event");
    assert_eq!(witness["trace"], json!(["enter.1"]));
    assert_eq!(witness["event"], "enter.2");
    assert_eq!(witness["allowed"], json!([["leave.1"]]));
    assert_eq!(witness["steps"][0]["step"], "initial state");
    assert_eq!(witness["moves"], 2);
    let step = &witness["steps"][2];
    let by = json!([{ "component": "USER(2)", "event": "enter.2", "line": 2, "file": null }]);
    assert_eq!(
        (&step["step"], &step["by"], &step["line"], &step["parts"]),
        (&json!("enter.2"), &json!("USER(2)"), &json!(2), &by)
    );
    assert_eq!(told["properties"][2]["negated"], true);
    assert_eq!(told["properties"][3]["witness"]["kind"], "trace");
}

#[test]
fn the_counts_of_a_script_are_those_of_its_assertions_together() {
    let folder = Folder::new("script-counts");
    let file = folder.write("lock.csp", LOCK);
    let told = json(&format!("check {file}"), b"");
    for key in ["states", "transitions", "pairs", "normal_states", "errors"] {
        let all = told["properties"].as_array().expect("a list").iter();
        let sum: u64 = all.filter_map(|p| p["counts"][key].as_u64()).sum();
        assert!(sum > 0, "{key}");
        assert_eq!(told["counts"][key], sum, "{key}");
    }
}

#[test]
fn lines_of_other_files_have_the_name_of_the_file() {
    let folder = Folder::new("script-files");
    // Windows ends of lines, a mark at the start, and a letter of Latin-1 in a comment.
    let part = b"\xef\xbb\xbf-- caf\xe9\r\nchannel a, b -- two\r\n\r\nQ = a ->\r\n  b -> Q\r\n";
    folder.write("part.csp", part);
    let text = b"\xef\xbb\xbf-- na\xefve\r\ninclude \"part.csp\"\r\nP = b -> P -- \xfc\r\n\
                 \r\nassert STOP [T= Q ||| P\r\n";
    let file = folder.write("main.csp", text);
    let told = json(&format!("check {file} --no-symmetry"), b"");
    assert_eq!(verdicts(&told), ["violated"], "{told}");
    let found = &told["properties"][0];
    assert_eq!(found["line"], 5);
    let end = &found["witness"]["locations"];
    let place = |name: &str| end[name].as_str().unwrap_or("").to_owned();
    let elsewhere = ["part.csp:4: ", "part.csp:5: "];
    assert!(elsewhere.iter().any(|at| place("Q").contains(at)), "{end}");
    assert!(place("P").starts_with("line 3: P"), "{end}");
    let (_, out, err) = run(&format!("check {file} --no-symmetry"), b"");
    assert!(
        !err.contains("error") && out.contains("1, line 5: after"),
        "{out}{err}"
    );
}

#[test]
fn one_assertion_can_be_asked_for() {
    let folder = Folder::new("script-one");
    let file = folder.write("lock.csp", LOCK);
    for (asked, names) in [
        ("2", vec!["LOCK [FD= KEPT"]),
        ("'[T= FREE'", vec!["LOCK [T= FREE", "not LOCK [T= FREE"]),
        ("'assert LOCK [FD='", vec!["LOCK [FD= KEPT"]),
    ] {
        let told = json(&format!("check -p {asked} {file}"), b"");
        let found = told["properties"].as_array().expect("a list");
        let found: Vec<&str> = found.iter().filter_map(|p| p["name"].as_str()).collect();
        assert_eq!(found, names, "{asked}");
    }
    let (code, _, err) = run(&format!("check -p 5 {file}"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("there is no assertion `5`"), "{err}");
    assert!(err.contains("1 LOCK [T= FREE; 2 LOCK [FD= KEPT"), "{err}");
}

#[test]
fn every_kind_of_counterexample_is_told() {
    let folder = Folder::new("script-kinds");
    let text = "\
channel a, b, c
P = a -> (b -> P |~| STOP)
assert a -> b -> STOP [F= P
assert P :[deadlock free]
assert (let L = a -> L within L) \\ {a} :[divergence free]
assert (a -> STOP [] a -> b -> STOP) :[deterministic]
assert P :[has trace]: <a, c>
assert P :[has trace [F]]: <a, b>
assert STOP [T= P
assert SKIP [T= SKIP ||| SKIP
assert a -> SKIP [F= a -> STOP
assert 1 + 1 == 3
";
    let file = folder.write("kinds.csp", text);
    let told = json(&format!("check {file}"), b"");
    let properties = told["properties"].as_array().expect("a list");
    let kind = |i: usize| properties[i]["witness"]["kind"].as_str().unwrap_or("none");
    let kinds: Vec<&str> = (0..properties.len()).map(kind).collect();
    let expected = [
        "event",
        "deadlock",
        "divergence",
        "nondeterminism",
        "trace",
        "refusal",
        "event",
        "none",
        "refusal",
        "none",
    ];
    // The first is violated sooner by what it does than by what it refuses: `a` comes again.
    assert_eq!(kinds[1..], expected[1..]);
    assert!(["event", "refusal"].contains(&kinds[0]));
    assert_eq!(properties[2]["witness"]["loop_from"], 1);
    assert_eq!(properties[3]["witness"]["event"], "b");
    assert!(properties[3]["witness"]["other"].is_array());
    assert_eq!(properties[5]["witness"]["offered"], json!([]));
    assert_eq!(properties[8]["witness"]["allowed"], json!([["✓"]]));
    let verdict = |i: usize| properties[i]["verdict"].as_str().unwrap_or("none");
    assert_eq!((verdict(7), verdict(9)), ("holds", "violated"));
    let kinds = [
        "refinement",
        "deadlock",
        "divergence",
        "determinism",
        "trace",
    ];
    for (i, kind) in kinds.iter().enumerate() {
        assert_eq!(properties[i]["kind"], *kind);
    }
    assert_eq!(properties[9]["kind"], "truth");
}

#[test]
fn what_is_not_supported_is_said_and_the_rest_answered() {
    let folder = Folder::new("script-missing");
    let text = "\
channel a, tock
external prioritise
P = a -> P
assert P [V= P
assert P [T= P
assert P [T= P :[tau priority over]: {tock}
assert P [T= prioritise(P, <{a}>)
assert P :[deadlock free [T]]
";
    let file = folder.write("missing.csp", text);
    let (code, out, err) = run(&format!("check {file}"), b"");
    assert_eq!(code, 3, "{out}{err}");
    for words in [
        "missing.csp:4:1",
        "the revivals model is not supported",
        "missing.csp:6:1",
        "priority of τ is not supported",
        "missing.csp:7:14",
        "`prioritise`: priority is not supported",
        "F or FD is meant",
    ] {
        assert!(err.contains(words), "{words}: {err}");
    }
    assert!(!err.contains("error"), "{err}");
    let told = json(&format!("check {file}"), b"");
    let expected = ["unknown", "holds", "unknown", "unknown", "unknown"];
    assert_eq!(verdicts(&told), expected);
    assert_eq!(told["verdict"], "unknown");
}

#[test]
fn functions_that_are_the_identity_are_named_once() {
    let folder = Folder::new("script-identity");
    let text = "\
channel a
transparent model_compress, normal
P = a -> P
assert P [T= model_compress(P)
assert model_compress(P) [T= normal(P)
";
    let file = folder.write("identity.csp", text);
    let (code, _, err) = run(&format!("check {file}"), b"");
    assert_eq!(code, 0);
    assert_eq!(
        err.matches("model_compress").count(),
        2,
        "the message and the line: {err}"
    );
}

#[test]
fn limits_leave_assertions_open() {
    let folder = Folder::new("script-limits");
    let text = "\
channel a, b : {0..9}
P(n) = a.n -> P((n + 1) % 10)
Q(n) = b.n -> Q((n + 1) % 10)
assert STOP [T= SKIP
assert RUN(Events) [T= P(0) ||| Q(0)
";
    let file = folder.write("limits.csp", text);
    let told = |flags: &str| {
        let line = format!("check {flags} -p 2 {file}");
        let (code, ..) = run(&line, b"");
        (code, json(&line, b""))
    };
    assert_eq!(told("").0, 0);
    for (flags, reason, words) in [
        ("--depth 3", "depth", "beyond depth 3"),
        ("--memory 1K", "memory", "memory ran out"),
        ("--time 0.001ms", "time", "time ran out"),
    ] {
        let (code, told) = told(flags);
        assert_eq!(code, 3, "{flags}");
        assert_eq!(told["stop_reason"], reason, "{flags}");
        let said = told["properties"][0]["reason"].as_str().unwrap_or("");
        assert!(said.contains(words), "{flags}: {said}");
    }
    let (code, told) = told("--leaf-states 5");
    assert_eq!(code, 3);
    let said = told["properties"][0]["reason"].as_str().unwrap_or("");
    assert!(said.starts_with("`P(0)` has more than 5 states"), "{said}");
}

#[test]
fn flags_for_other_languages_are_refused() {
    let folder = Folder::new("script-flags");
    let file = folder.write("lock.csp", LOCK);
    for flag in [
        "-D X=1",
        "--plain",
        "--spin-compat",
        "--no-deadlock",
        "--all-errors",
        "--stop-after 2",
        "--search dfs",
        "--set-size A=2",
        "--goal x",
        "--seed 1",
        "--ltl '[] p'",
        "--ctl 'AG p'",
        "--fair weak",
        "-a",
        "-l",
        "-f",
        "-N p",
        "--search mixed",
    ] {
        let (code, out, err) = run(&format!("check {flag} {file}"), b"");
        assert_eq!((code, out.as_str()), (2, ""), "{flag}: {err}");
        assert!(err.contains("not for CSPM scripts"), "{flag}: {err}");
    }
    assert_eq!(
        run(&format!("check --no-symmetry --quiet -p 2 {file}"), b"").0,
        0
    );
    let (code, _, err) = run("check --leaf-states 5 mutex.pml", b"");
    assert_eq!(code, 2);
    assert!(err.contains("`--leaf-states` is for CSPM scripts"), "{err}");
}

#[test]
fn a_script_can_be_read_only() {
    let folder = Folder::new("script-parse");
    let file = folder.write("lock.csp", LOCK);
    let (code, out) = printed(&format!("check --parse-only {file}"));
    let text = format!(
        "accepted        {file}\ndefinitions     4\nchannels        2\nassertions      4\n"
    );
    assert_eq!((code, out), (0, text));
    let told = json(&format!("check --parse-only {file}"), b"");
    assert_eq!(told["accepted"], true);
    assert_eq!(told["parts"]["assertions"], 4);
}

#[test]
fn deep_compressions_are_worked_out() {
    let folder = Folder::new("script-deep");
    let text = "\
channel a, b
transparent normal
P(n) = if n == 0 then a -> P(0) else normal(P(n - 1) ||| STOP)
assert (let R = a -> R within R) [F= P(1000)
";
    let file = folder.write("deep.csp", text);
    let (code, out, err) = run(&format!("check {file}"), b"");
    assert_eq!(code, 0, "{out}{err}");
}
