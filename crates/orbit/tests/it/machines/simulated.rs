//! `orbit simulate` of B machines: at random, by hand, and along runs that `orbit check` recorded.

use crate::command::{Folder, json, run};

fn model(name: &str) -> String {
    format!("../../models/b/{name}")
}

#[test]
fn a_seed_decides_a_run() {
    let line = |seed: u32| format!("simulate --seed {seed} -n 12 {}", model("scheduler.mch"));
    let (code, out, err) = run(&line(5), b"");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(run(&line(5), b"").1, out);
    let different: std::collections::BTreeSet<String> =
        (0..6).map(|seed| run(&line(seed), b"").1).collect();
    assert_eq!(different.len(), 6);
    for part in [
        "seed            5\n",
        "initially       ",
        "stopped         after 12 steps",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn steps_are_operations_with_what_they_change() {
    let told = json(
        &format!("simulate --seed 1 -n 3 {}", model("phonebook.mch")),
        b"",
    );
    assert_eq!(told["model"]["language"], "b");
    assert_eq!(told["ended"], "limit");
    let steps = told["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 3);
    let first = steps[0]["step"].as_str().expect("a step");
    assert!(
        first.starts_with("add(") || first.contains("lookup"),
        "{first}"
    );
    assert!(told["initial_state"]["db"].is_string(), "{told}");
}

#[test]
fn choices_are_made_by_hand() {
    let folder = Folder::new("b-by-hand");
    let text = "MACHINE m SETS S = {a, b} VARIABLES v INVARIANT v : S INITIALISATION v :: S\n\
                OPERATIONS put(x) = PRE x : S THEN v := x END END\n";
    let path = folder.write("m.mch", text);
    let (code, out, err) = run(&format!("simulate -i {path}"), b"2\n1\ns\nu\nq\n");
    assert_eq!(code, 0, "{err}");
    for part in [
        "initially       v = b\n",
        "    1     2: put(a)  [v = a]\n",
        "taken back",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    for part in [
        "   1  v = a\n",
        "start (1-2, r): ",
        "   1  2: put(a)\n",
        "      v = a\n",
    ] {
        assert!(err.contains(part), "{part}\n{err}");
    }
}

#[test]
fn a_recorded_run_is_followed_to_its_error() {
    let folder = Folder::new("b-recorded");
    let trail = folder.path("run.jsonl");
    for (machine, flags, word) in [
        ("phonebook_err_add.mch", "", "error"),
        ("phonebook_err_add.mch", "--no-symmetry", "error"),
        ("petersons_err.mch", "", "error"),
        ("scheduler0_err.mch", "", "deadlock"),
        ("file_system_err.mch", "", "error"),
    ] {
        let path = model(machine);
        let (code, _, err) = run(
            &format!("check --quiet {flags} --trail {trail} {path}"),
            b"",
        );
        assert_eq!(code, 1, "{machine}: {err}");
        let found = json(&format!("check {flags} {path}"), b"");
        let all = found["properties"].as_array().expect("a list").iter();
        let first = all.into_iter().find(|p| p["verdict"] == "violated");
        let n_moves = first.expect("an error")["witness"]["moves"].clone();
        let (code, out, err) = run(&format!("simulate --replay {trail} {path}"), b"");
        assert_eq!((code, err.as_str()), (1, ""), "{machine}: {out}");
        let end = format!("\n{word:<16}after {n_moves} step");
        assert!(out.contains(&end), "{machine}: {end}: {out}");
    }
    let other = model("phonebook.mch");
    let (code, _, err) = run(&format!("simulate --replay {trail} {other}"), b"");
    assert!(
        code == 2 && err.contains("recorded on another text"),
        "{err}"
    );
    let sized = format!(
        "simulate --replay {trail} --default-set-size 3 {}",
        model("file_system_err.mch")
    );
    let (code, _, err) = run(&sized, b"");
    assert!(
        code == 2 && err.contains("recorded on another text"),
        "{err}"
    );
}

#[test]
fn faults_and_deadlocks_end_a_run() {
    let folder = Folder::new("b-run-ends");
    let fault = "MACHINE m VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0\n\
                 OPERATIONS o = BEGIN v := 1 / v END END\n";
    let path = folder.write("m.mch", fault);
    let (code, out, _) = run(&format!("simulate --seed 1 {path}"), b"");
    assert_eq!(code, 1);
    assert!(out.contains("error           after 1 step: "), "{out}");
    assert!(out.contains("m.mch:2)"), "{out}");
    let stuck = fault.replace("BEGIN v := 1 / v", "SELECT v < 1 THEN v := v + 1");
    let path = folder.write("m.mch", stuck);
    let (code, out, _) = run(&format!("simulate --seed 1 -g {path}"), b"");
    assert_eq!(code, 1);
    assert!(
        out.contains("deadlock        after 1 step: no operation can be taken"),
        "{out}"
    );
    assert!(out.contains("state           v = 1"), "{out}");
    let (code, _, err) = run(&format!("simulate --plain {path}"), b"");
    assert!(
        code == 2 && err.contains("`--plain` is for Promela"),
        "{err}"
    );
    let (code, _, err) = run("simulate --set-size S=2 -", b"init { skip }");
    assert!(
        code == 2 && err.contains("`--set-size` is for B machines"),
        "{err}"
    );
}

/// A machine in which three elements can be added, and one can be chosen at the start.
const CLASSES: &str = "MACHINE m SETS S PROPERTIES card(S) = 3 VARIABLES v INVARIANT v <: S\n\
    INITIALISATION v := {}\n\
    OPERATIONS add(x) = PRE x : S - v THEN v := v \\/ {x} END;\n\
    copy(x) = PRE x : S - v THEN v := v \\/ {x} END END\n";

#[test]
fn a_move_is_offered_for_all_that_symmetries_make_of_it() {
    let folder = Folder::new("b-classes");
    let path = folder.write("m.mch", CLASSES);
    let (code, out, err) = run(&format!("simulate -i --symmetry {path}"), b"1\n1\n1\nq\n");
    assert_eq!(code, 1, "{err}");
    for part in [
        "   1  3: add(S1)\n      stands for 2 others: add(S2), add(S3)\n",
        "   2  4: copy(S1)\n      stands for 2 others: copy(S2), copy(S3)\n",
        "   1  3: add(S2)\n      stands for 1 other: add(S3)\n",
        "   1  3: add(S3)\n   2  4: copy(S3)\n",
    ] {
        assert!(err.contains(part), "{part}\n{err}");
    }
    assert!(
        out.contains("       ~ stands for 2 others: add(S2), add(S3)\n"),
        "{out}"
    );
    // Nobody asked for it here.
    let (_, out, err) = run(&format!("simulate -i {path}"), b"1\nq\n");
    assert!(err.contains("   6  4: copy(S3)\n"), "{err}");
    assert!(
        !out.contains("stands for") && !err.contains("stands for"),
        "{out}{err}"
    );
}

#[test]
fn what_a_move_stands_for_is_told_to_programs() {
    let folder = Folder::new("b-classes-json");
    let path = folder.write("m.mch", CLASSES);
    let told = json(&format!("simulate --symmetry --seed 1 -n 2 {path}"), b"");
    let classes = told["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 1, "{told}");
    assert_eq!(classes[0]["step"], 2);
    assert_eq!(classes[0]["others"].as_array().map(Vec::len), Some(2));
    let told = json(&format!("simulate --seed 1 -n 1 {path}"), b"");
    assert!(told["classes"].is_null(), "{told}");
}

#[test]
fn set_ups_that_symmetries_make_of_each_other_are_offered_once() {
    let folder = Folder::new("b-classes-starts");
    let text = "MACHINE m SETS S CONSTANTS c PROPERTIES card(S) = 3 & c <: S\n\
                VARIABLES v INVARIANT v <: S INITIALISATION v := c\n\
                OPERATIONS clear = BEGIN v := {} END END\n";
    let path = folder.write("m.mch", text);
    let (_, _, err) = run(&format!("simulate -i --symmetry {path}"), b"q\n");
    assert!(err.contains("start (1-4, r)"), "{err}");
    let (_, _, err) = run(&format!("simulate -i {path}"), b"q\n");
    assert!(err.contains("start (1-8, r)"), "{err}");
}
