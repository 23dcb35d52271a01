//! Every kind of wrong input: exit code 2, a message, its place, and nothing on standard output.

use crate::command::{json, orbit, run};
use snapbox::str;

/// Runs `line` and checks that it is refused with a message that holds all `parts`.
#[track_caller]
fn refused(line: &str, input: &str, parts: &[&str]) {
    let (code, out, err) = run(line, input.as_bytes());
    assert_eq!((code, out.as_str()), (2, ""), "{line}\n{err}");
    for part in parts {
        assert!(err.contains(part), "{line}: {part:?} is not in\n{err}");
    }
}

#[test]
fn permutations() {
    refused(
        "group '(1 2 1)'",
        "",
        &["point `1`", "twice", "generator 1:1:6", "first here"],
    );
    refused(
        "group '(1 2)(2 3)'",
        "",
        &["point `2`", "twice", "generator 1:1:7"],
    );
    refused(
        "group '(1 2' '(3'",
        "",
        &["generator 1:1:", "generator 2:1:"],
    );
    refused("group '1 2)'", "", &["generator 1:1:1", "`(`"]);
    refused("group '(1 (2 3))'", "", &["generator 1:1:4"]);
    refused("group '(1 2) x'", "", &["generator 1:1:7"]);
    refused("group '(0 1)'", "", &["count from 1", "generator 1:1:2"]);
    refused("group '(1 -2)'", "", &["generator 1:1:4"]);
    refused("group '(1 1000001)'", "", &["limit", "generator 1:1:4"]);
    refused(
        "group '(1 99999999999999999999999)'",
        "",
        &["generator 1:1:4"],
    );
    refused("group ''", "", &["`()` is the identity", "generator 1:1:1"]);
    refused("group", "", &["no generators"]);
}

#[test]
fn degrees_and_names() {
    refused(
        "group '(1 9)' --degree 5",
        "",
        &["5 points", "generator 1:1:4"],
    );
    refused("group '(1 2)' --degree 99999999", "", &["limit"]);
    refused("group '(1 2)' --degree many", "", &["--degree", "many"]);
    refused(
        "group '(a d)' --names a,b,c",
        "",
        &["`d`", "generator 1:1:4", "a, b, c"],
    );
    refused(
        "group '(a b)' --names a,b,a",
        "",
        &["`a` stands twice", "--names:1:5"],
    );
    refused(
        "group '(a b)' --names a,,b",
        "",
        &["an empty name", "--names:1:3"],
    );
    refused(
        "group '(a b)' --names 'a,b c'",
        "",
        &["`b c` cannot be a name", "--names:1:3"],
    );
    refused(
        "group '(a b)' --names a,b --degree 4",
        "",
        &["--names", "--degree"],
    );
}

#[test]
fn files_of_generators() {
    refused(
        "group -",
        "(1 2)\n\n(3 4)\n",
        &["an empty line", "standard input:2:1", "`()`", "`#`"],
    );
    refused("group -", "", &["no generators", "standard input:1:1"]);
    refused("group -", "# nothing\n", &["no generators"]);
    refused("group -", "(1 2)\n(3 3)\n", &["standard input:2:4"]);
    refused("group - -", "(1 2)", &["standard input is given twice"]);
    refused(
        "group - --file -",
        "(1 2)",
        &["standard input is given twice"],
    );
    refused(
        "group --file nowhere.txt",
        "",
        &["`nowhere.txt`", "there is no such file"],
    );
    refused("group --file .", "", &["`.`", "it is a directory"]);
    let many = "(1 1)\n".repeat(1000);
    refused(
        "group -",
        &many,
        &["too many errors; the rest was not read"],
    );
}

#[test]
fn bytes_that_are_not_text() {
    let (code, out, err) = run("group -", b"(1 2)\n(3 \xff)\n");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("standard input:2:4") && err.contains("0xFF is not UTF-8"),
        "{err}"
    );
    let (code, _, err) = run("graph -", b"\xfe\xff\0p");
    assert_eq!(code, 2);
    assert!(
        err.contains("standard input:1:1") && err.contains("0xFE is not UTF-8"),
        "{err}"
    );
}

#[test]
fn questions_about_a_group() {
    refused(
        "group '(1 2 3)' --stabiliser 4",
        "",
        &["3 points", "--stabiliser:1:1"],
    );
    refused(
        "group '(1 2 3)' --stabiliser 1,x",
        "",
        &["`x`", "--stabiliser:1:3"],
    );
    refused(
        "group '(1 2 3)' --stabiliser ''",
        "",
        &["no points", "--stabiliser:1:1"],
    );
    refused(
        "group '(1 2 3)' --set-stabiliser 1,1",
        "",
        &["twice", "--set-stabiliser:1:3"],
    );
    refused(
        "group '(1 2 3)' --image 1,2",
        "",
        &["2 values for 3 points", "--image:1:1"],
    );
    refused("group '(1 2 3)' --image 1,2,y", "", &["`y`", "--image:1:5"]);
    refused(
        "group '(1 2 3)' --contains '(1 4)'",
        "",
        &["3 points", "--contains:1:4"],
    );
    refused("group '(1 2 3)' --contains '(1'", "", &["--contains:1:"]);
    refused("group '(1 2)' --random -1", "", &["-1"]);
    refused("group '(1 2)' --random 100001", "", &["100001", "at most"]);
    refused("group '(1 2)' --seed 4", "", &["--random"]);
    let symmetric = "group '(1 2 3 4 5 6 7 8 9)' '(1 2)' --elements";
    refused(symmetric, "", &["362880 elements", "at most 100000"]);
}

#[test]
fn graphs() {
    refused(
        "graph -",
        "",
        &["there is no line `p edge N M`", "standard input:1:1"],
    );
    refused(
        "graph -",
        "e 1 2\n",
        &["before the `p` line", "standard input:1:1"],
    );
    refused(
        "graph -",
        "p edge 2 1\ne 1 3\n",
        &["there is no vertex 3", "standard input:2:5"],
    );
    refused(
        "graph -",
        "p edge 2 1\ne 1 b\n",
        &["`b`", "standard input:2:5"],
    );
    refused(
        "graph -",
        "p edge 2 1\n\ne 1 2\n",
        &["an empty line", "standard input:2:1"],
    );
    refused(
        "graph -",
        "p edge 2 1\nq 1 2\n",
        &["`q`", "standard input:2:1"],
    );
    refused("graph .", "", &["`.`", "it is a directory"]);
    refused(
        "graph nowhere.col",
        "",
        &["`nowhere.col`", "there is no such file"],
    );
    refused(
        "graph nowhere.col --isomorphic neither.col",
        "",
        &["nowhere", "neither"],
    );
    refused(
        "graph - --isomorphic -",
        "p edge 1 0\n",
        &["standard input is given twice"],
    );
    refused(
        "graph path.col --canonical --isomorphic path.col",
        "",
        &["--isomorphic"],
    );
    refused("graph", "", &["<FILE>"]);
}

#[test]
fn formulas() {
    refused("ltl ''", "", &["a formula is missing", "formula:1:1"]);
    refused("ltl 'p U'", "", &["a formula is missing", "formula:1:4"]);
    refused(
        "ltl '[] (p -> <> q'",
        "",
        &["expected `)`", "formula:1:14", "opened here"],
    );
    refused(
        "ltl '[] x == 1'",
        "",
        &["an operator is missing", "formula:1:6", "in parentheses"],
    );
    refused("ltl -", "p && && q", &["standard input:1:6"]);
    refused("ltl p --format rtf", "", &["rtf", "hoa"]);
    refused("ltl", "", &["<FORMULA>"]);
    let deep = format!("ltl '{}p'", "! ".repeat(300));
    refused(&deep, "", &["nested more than 200 deep"]);
}

/// A model whose infinite runs are asked about.
const WATCHED: &str =
    "byte x; bool w[2];\nactive [2] proctype P() { byte z; here: x = 1; z = 2 }\n";

#[test]
fn formulas_about_models() {
    for (formula, parts) in [
        (
            "[] (x == ",
            &["--ltl:1:10", "an expression is expected", "ends"][..],
        ),
        ("[]] x", &["--ltl:1:3", "not `]`"]),
        ("[] (y == 1)", &["--ltl:1:5", "`y` is not declared"]),
        ("[] x == 1", &["--ltl:1:1", "write `[] (x == 1)`"]),
        ("<> P[0]@there", &["--ltl:1:", "`P` has no label `there`"]),
        ("<> Q[0]@here", &["--ltl:1:", "there is no process `Q`"]),
        (
            "<> P[7]@here",
            &["--ltl:1:", "there is no process `P[7]`", "0, 1"],
        ),
        (
            "<> (P[2]:z == 1)",
            &["--ltl:1:", "there is no process `P[2]`"],
        ),
        (
            "[] (P[0]:zz == 1)",
            &["--ltl:1:", "`P` has no variable `zz`"],
        ),
    ] {
        refused(&format!("check --ltl '{formula}' -"), WATCHED, parts);
    }
    for (claim, parts) in [
        (
            "do :: z == 1 -> break :: else od",
            &["standard input:3:", "`z` is not declared"][..],
        ),
        (
            "do :: P[0]:y == 1 -> break :: else od",
            &["`P` has no variable `y`"],
        ),
        (
            "do :: P[3]@here -> break :: else od",
            &["there is no process `P[3]`"],
        ),
        (
            "do :: timeout -> break :: else od",
            &["`timeout` in a formula"],
        ),
        ("do :: x = 1 od", &["standard input:3:", "a claim watches"]),
    ] {
        let text = format!("{WATCHED}never {{ {claim} }}\n");
        refused("check -", &text, parts);
    }
    let many: Vec<String> = (0..30).map(|n| format!("[] <> (x == {n})")).collect();
    let large = format!("check --time 20s --ltl '{}' -", many.join(" && "));
    let (code, out, err) = run(&large, WATCHED.as_bytes());
    assert!(code == 3 || code == 1, "{out}{err}");
}

#[test]
fn flags_beside_formulas() {
    let named = format!("{WATCHED}ltl small {{ [] (x < 2) }}\n");
    for flag in ["--audit", "--count-full", "--self-check", "--search dfs"] {
        let line = format!("check {flag} -p small -");
        let flag = flag.split(' ').next().unwrap_or("");
        refused(&line, &named, &[flag, "search for errors"]);
    }
    for flag in ["--ltl '[] true'", "-l", "-a", "-N small"] {
        let line = format!("check {flag} -p small -");
        let flag = flag.split(' ').next().unwrap_or("");
        refused(&line, &named, &["`-p small` asks for that alone", flag]);
    }
    refused(
        "check --fair weak -",
        "byte x; init { x = 1 }\n",
        &["`--fair` is about infinite runs", "`--ltl FORMULA`"],
    );
}

#[test]
fn commands() {
    refused("frobnicate", "", &["frobnicate"]);
    refused("group '(1 2)' --frobnicate", "", &["--frobnicate"]);
    refused("", "", &["Usage", "Examples"]);
}

#[test]
fn all_mistakes_are_drawn_together() {
    orbit("group '(1 2 3)(4 5 2)' '(1 x)'")
        .assert()
        .code(2)
        .stdout_eq(str![])
        .stderr_eq(str![[r#"
error: point `2` stands twice in this permutation
 --> generator 1:1:13
  |
1 | (1 2 3)(4 5 2)
  |    -        ^ again here
  |    |
  |    first here
  |
  = note: each point has one image

error: `x` is not a point
 --> generator 2:1:4
  |
1 | (1 x)
  |    ^
  |
  = note: points are numbers from 1; --names gives them names

"#]]);
}

#[test]
fn with_json_a_mistake_is_an_object_too() {
    let object = json("group '(1 2)' '(3 3)'", b"");
    let mistake = &object["diagnostics"][0];
    assert_eq!(object["order"], serde_json::Value::Null);
    assert_eq!(mistake["severity"], "error");
    assert_eq!(mistake["labels"][0]["file"], "generator 2");
    assert_eq!(
        (
            &mistake["labels"][0]["line"],
            &mistake["labels"][0]["column"]
        ),
        (&1.into(), &4.into())
    );
}
