//! `orbit symmetry --suggest`: each change that it prints is applied as a patch, and the patched
//! model has the group and the number of states that were promised.

use crate::command::{Folder, json, run};
use serde_json::Value;
use std::process::Command;

/// The text after a unified diff of it, without the leniency of `patch`.
#[track_caller]
fn patched(before: &str, patch: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut at, mut out) = (0, String::new());
    for row in patch.split_inclusive('\n').skip(2) {
        if let Some(head) = row.strip_prefix("@@ -") {
            let start = head.split(',').next().and_then(|n| n.parse::<usize>().ok());
            let start = start.expect("a line") - 1;
            out.push_str(&old[at..start].concat());
            at = start;
        } else if let Some(new) = row.strip_prefix('+') {
            out.push_str(new);
        } else {
            assert_eq!(old[at], &row[1..], "{patch}");
            out.push_str(if row.starts_with(' ') { old[at] } else { "" });
            at += 1;
        }
    }
    out + &old[at..].concat()
}

/// What is suggested for a text, after its patch was applied and found to keep its promises.
#[track_caller]
fn suggested(text: &str, flags: &str) -> Value {
    let told = json(&format!("symmetry - --suggest {flags}"), text.as_bytes());
    let suggestions = told["suggestions"].clone();
    let Some(last) = suggestions["changes"].as_array().and_then(|all| all.last()) else {
        assert_eq!(suggestions["patch"], Value::Null);
        return suggestions;
    };
    let patch = suggestions["patch"].as_str().expect("a patch");
    let changed = patched(text, patch);
    let again = json(&format!("symmetry - {flags}"), changed.as_bytes());
    assert_eq!(again["group_order"], last["group_order"], "{changed}");
    assert_eq!(again["structure"], last["structure"], "{changed}");
    for (text, search) in [(text, &suggestions["before"]), (&changed, &last["search"])] {
        let checked = json(&format!("check - --all-errors {flags}"), text.as_bytes());
        assert_eq!(search["is_complete"], true, "{text}");
        assert_eq!(checked["counts"]["states"], search["states"], "{text}");
        let is_wrong = checked["verdict"] == "violated";
        assert_eq!(search["is_wrong"], is_wrong, "{text}");
    }
    suggestions
}

/// The groups that are promised, one a change, and the words of the changes.
fn promised(suggestions: &Value) -> Vec<(String, String)> {
    let all = suggestions["changes"].as_array().expect("a list").iter();
    let word = |value: &Value| value.as_str().expect("words").to_owned();
    let words = |change: &Value| {
        let all = change["changes"].as_array().expect("a list").iter();
        all.map(word).collect::<Vec<_>>().join(", and ")
    };
    all.map(|change| (word(&change["structure"]), words(change)))
        .collect()
}

const LOOP: &str = "\
byte a[3]; byte n;
active [3] proctype P() {
  byte i;
  do
  :: n < 2 ->
     n++;
     i = 0;
     do
     :: i < 3 -> a[i] = 0; i++
     :: else -> break
     od;
     a[_pid] = 1;
     n--
  od
}
";

#[test]
fn a_loop_over_ids_goes_into_atomic() {
    let all = promised(&suggested(LOOP, ""));
    let words = "put the loop inside atomic".to_owned();
    assert_eq!(all, [("S3".to_owned(), words)]);
}

#[test]
fn two_loops_go_into_atomic_together() {
    let another = "i = 0;\n do :: i < 3 -> a[i] = 2; i++ :: else -> break od;\n n--";
    let text = LOOP.replace("n--", another);
    let all = promised(&suggested(&text, ""));
    let words = "put the loop inside atomic, and put the loop inside atomic";
    assert_eq!(all, [("S3".to_owned(), words.to_owned())]);
}

const OWNER: &str = "\
byte owner; byte x;
active [3] proctype P() {
end:
  do
  :: atomic { owner == 0 -> owner = _pid + 0 };
     x = 1 - x;
     owner = 0
  od
}
";

#[test]
fn a_number_that_means_none_is_no_member() {
    let text = OWNER.replace("_pid + 0", "_pid");
    let all = promised(&suggested(&text, ""));
    let words = "let `owner` be 255 in place of 0 where it is none of them".to_owned();
    assert_eq!(all, [("S3".to_owned(), words)]);
    let text = format!("#define NONE 0\n{}", text.replace("== 0", "== NONE"));
    let text = text.replace("owner = 0", "owner = NONE");
    let again = suggested(&text, "");
    assert_eq!(promised(&again), all);
    let patch = again["patch"].as_str().expect("a patch");
    assert!(patch.contains("+#define NONE 255\n"), "{patch}");
}

#[test]
fn two_numbers_do_not_become_one() {
    let text = "byte y, a[8];\n\
                active [2] proctype P() {\n end: do\n :: y == 5 -> y = 6; a[5] = 1\n \
                :: y == 6 -> y = 5; a[6] = 2\n :: y == 0 -> y = 5 + _pid\n od }\n";
    let suggestions = suggested(text, "");
    let patch = suggestions["patch"].as_str().unwrap_or("");
    let added = patch
        .lines()
        .filter(|line| line.starts_with('+') && line.contains("y == 255"));
    assert!(added.count() <= 1, "{patch}");
}

#[test]
fn a_row_of_assignments_and_a_making_go_into_atomic() {
    let text = "byte a[4];\n\
                proctype P(byte me) { end: do :: a[me] == 0 -> a[me] = 1; a[me] = 0 od }\n\
                init {\n run P(1);\n run P(2);\n run P(3)\n}\n";
    let suggestions = suggested(text, "");
    let all = promised(&suggestions);
    assert!(all.len() <= 1, "{suggestions}");
    let text = "byte a[4];\n\
                active [3] proctype P() {\n end: do :: a[_pid] == 0 ->\n a[0] = 0;\n a[1] = 0;\n \
                a[2] = 0;\n a[_pid] = 1 od }\n";
    let all = promised(&suggested(text, ""));
    let words = "put the row of statements inside atomic".to_owned();
    assert_eq!(all, [("S3".to_owned(), words)]);
}

#[test]
fn under_the_rules_of_spin_processes_stay() {
    let text = "byte a[3];\nactive [3] proctype P() {\n a[_pid] = 1\n}\n";
    let all = promised(&suggested(text, "--plain"));
    assert_eq!(
        all,
        [("S3".to_owned(), "let P stay where it ends".to_owned())]
    );
}

#[test]
fn what_names_one_member_is_left_alone() {
    let text = "byte a[3];\n\
                active [3] proctype P() { end: do :: _pid == 2 -> a[_pid] = 1 :: a[_pid] = 0 od }";
    let suggestions = suggested(text, "");
    assert_eq!(promised(&suggestions), []);
    let (code, out, _) = run("symmetry - --suggest", text.as_bytes());
    assert_eq!(code, 0);
    assert!(out.contains("suggested       none: "), "{out}");
}

/// `patch` and `git apply` find the file by its name, where the command was started.
#[test]
fn the_file_is_named_as_it_was_typed() {
    let (_, out, _) = run("symmetry scan.pml --suggest", b"");
    assert!(out.contains("\n--- scan.pml\n+++ scan.pml\n@@ -"), "{out}");
}

#[test]
fn a_change_that_brings_an_error_says_so() {
    // In an undivided loop the error can no longer be hidden, or seen, between rounds.
    let text = LOOP.replace(
        "a[_pid] = 1;",
        "assert(a[0] + a[1] + a[2] == 0); a[_pid] = 1;",
    );
    let suggestions = suggested(&text, "");
    let (before, after) = (&suggestions["before"], &suggestions["changes"][0]["search"]);
    let (_, out, _) = run("symmetry - --suggest", text.as_bytes());
    let says = out.contains("an error is found") || out.contains("no error is found");
    assert_eq!(says, before["is_wrong"] != after["is_wrong"], "{out}");
}

#[test]
fn patch_takes_what_is_printed() {
    let folder = Folder::new("suggest-patch");
    let path = folder.write("model.pml", LOOP);
    let (code, out, err) = run(&format!("symmetry {path} --suggest"), b"");
    assert_eq!((code, &*err), (0, ""));
    // The file is named as it was typed: from the root, which `patch -p0` refuses.
    let printed = folder.write("printed", &out);
    let taken = Command::new("patch").args(["-i", &printed, &path]).output();
    let Ok(taken) = taken else {
        return;
    };
    assert!(taken.status.success(), "{taken:?}\n{out}");
    let told = json(&format!("symmetry {path}"), b"");
    assert_eq!(told["structure"], "S3");
}

#[test]
fn advice_says_what_it_gives() {
    let told = json("symmetry -", LOOP.as_bytes());
    let all = told["blockers"].as_array().expect("a list");
    let tried: Vec<&str> = all.iter().filter_map(|one| one["tried"].as_str()).collect();
    assert!(tried.contains(&"S3"), "{told}");
    let (_, out, _) = run("symmetry -", LOOP.as_bytes());
    assert!(out.contains("tried: gives S3"), "{out}");
}

#[test]
fn languages_without_changes_say_so() {
    for file in ["phonebook.mch", "lock.csp"] {
        let (code, out, err) = run(&format!("symmetry {file} --suggest"), b"");
        assert_eq!((code, &*out), (2, ""), "{file}");
        assert!(err.contains("`--suggest` is for Promela"), "{err}");
    }
}
