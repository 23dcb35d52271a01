//! Logs in the Informal Trace Format: others read them, they are runs, and what was changed is
//! found.

use crate::command::{Folder, guide, json, run};
use serde_json::Value;
use std::fs;

/// Models of all languages, each with a run that is made and one that violates something.
const MADE: [&str; 8] = [
    "simulate --seed 3 -n 8 mutex.pml",
    "simulate --seed 3 -n 8 server.pml",
    "simulate --seed 3 -n 8 phonebook.mch",
    "simulate --seed 3 -n 8 shifts.mch",
    "simulate --seed 3 -n 8 lock.csp",
    "simulate --seed 3 -n 8 hanoi.csp",
    "simulate --seed 1 -n 30 clients.pml",
    "simulate --seed 1 -n 12 key.pml",
];
const VIOLATED: [&str; 6] = [
    "check broken.pml",
    "check server.pml",
    "check starve.pml",
    "check key.pml",
    "check phonebook_wrong.mch",
    "check lock.csp",
];

fn file_of(line: &str) -> &str {
    line.split(' ').next_back().expect("a file")
}

/// A log as data; another program must be able to read it, too.
#[track_caller]
fn read(path: &str) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let trace: itf::Trace<itf::Value> = itf::trace_from_str(&text).expect("a trace");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    let states = object["states"].as_array().expect("states");
    assert_eq!(trace.states.len(), states.len());
    let loop_from = object["loop"].as_u64();
    assert_eq!(trace.loop_index, loop_from);
    object
}

#[test]
fn what_was_written_is_a_run_and_others_read_it() {
    let folder = Folder::new("itf");
    let mut n_loops = 0;
    for line in MADE.iter().chain(&VIOLATED) {
        let log = folder.path("run.itf.json");
        let _ = fs::remove_file(&log);
        let (code, out, err) = run(&format!("{line} --trail '{log}'"), b"");
        assert!([0, 1].contains(&code), "{line}: {out}{err}");
        assert!(fs::exists(&log).expect("a folder"), "{line}: {out}{err}");
        let object = read(&log);
        n_loops += usize::from(object["loop"].is_u64());
        let follow = format!("simulate {} --follow '{log}'", file_of(line));
        let (code, out, err) = run(&follow, b"");
        assert_eq!(code, 0, "{line}: {out}{err}");
        assert!(
            out.contains("the log is a run of the model"),
            "{line}: {out}"
        );
    }
    assert!(n_loops > 0, "no run goes round");
}

/// A value that no state of the model has.
fn other(value: &Value) -> Value {
    match value["#bigint"].as_str() {
        Some(number) => serde_json::json!({"#bigint": format!("{number}7777")}),
        None => Value::String("nothing of the kind".to_owned()),
    }
}

#[test]
fn a_changed_value_is_found_where_it_is() {
    let folder = Folder::new("itf_changed");
    let mut n = 0;
    for line in MADE {
        let log = folder.path("run.itf.json");
        run(&format!("{line} --trail '{log}'"), b"");
        let object = read(&log);
        let names = object["vars"].as_array().expect("names").clone();
        let n_states = object["states"].as_array().expect("states").len();
        for at in 0..n_states {
            let name = names[at % names.len()].as_str().expect("a name");
            let mut changed = object.clone();
            let value = &mut changed["states"][at][name];
            // What is not there yet is no value.
            if value.get("#unserializable").is_some() {
                continue;
            }
            *value = other(value);
            fs::write(&log, changed.to_string()).expect("written");
            let told = json(&format!("simulate {} --follow '{log}'", file_of(line)), b"");
            assert_eq!(told["ended"], "left", "{line}, state {at}: {told}");
            let words = format!("meets state {at} of the log");
            let message = told["message"].as_str().expect("words");
            assert!(message.contains(&words), "{line}: {message}");
            n += 1;
        }
    }
    assert!(n > 50, "only {n}");
}

#[test]
fn a_log_may_tell_some_variables_only_and_leave_steps_out() {
    let folder = Folder::new("itf_part");
    let told = |values: &[&str]| -> (i32, String) {
        let states = values
            .iter()
            .map(|v| serde_json::json!({"inside": {"#bigint": v}}));
        let states: Vec<Value> = states.collect();
        let log = serde_json::json!({"vars": ["inside"], "states": states});
        let file = folder.write("part.itf.json", log.to_string());
        let (code, out, _) = run(&format!("simulate broken.pml --follow '{file}'"), b"");
        (code, out)
    };
    assert_eq!(told(&["0", "1", "0", "1"]).0, 0);
    assert_eq!(told(&["0", "1", "2", "1"]).0, 0, "both are inside");
    let (code, out) = told(&["0", "1", "2", "3"]);
    assert_eq!(code, 1);
    assert!(out.contains("meets state 3 of the log"), "{out}");
    assert_eq!(told(&["1"]).0, 1);
    // What no state has is no log of this model.
    let log = serde_json::json!({"vars": ["nosuch"], "states": [{"nosuch": 1}]});
    let file = folder.write("none.itf.json", log.to_string());
    let (code, _, err) = run(&format!("simulate broken.pml --follow '{file}'"), b"");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("no state has a variable `nosuch`"), "{err}");
    for (name, words) in [("no.json", "{"), ("states.json", "{\"vars\":[]}")] {
        let file = folder.write(name, words);
        let (code, _, err) = run(&format!("simulate broken.pml --follow '{file}'"), b"");
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("cannot be followed"), "{err}");
    }
}

#[test]
fn several_runs_are_several_logs() {
    let folder = Folder::new("itf_runs");
    let pattern = folder.path("r{}.itf.json");
    let line = format!("simulate --runs 4 --seed 9 -n 6 mutex.pml --trail '{pattern}'");
    let told = json(&line, b"");
    let runs = told["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 4);
    for (n, made) in runs.iter().enumerate() {
        let file = made["file"].as_str().expect("a file");
        assert_eq!(made["seed"], 9 + n as u64);
        let again = json(&format!("simulate --seed {} -n 6 mutex.pml", 9 + n), b"");
        assert_eq!(again["n_steps"], made["n_steps"]);
        let states = read(file)["states"].as_array().expect("states").len();
        assert_eq!(
            states as u64,
            again["n_steps"].as_u64().expect("a number") + 1
        );
    }
    for (line, words) in [
        (
            "simulate --runs 2 mutex.pml --trail run.itf.json",
            "needs `{}`",
        ),
        ("simulate mutex.pml --trail run.trail", "`.itf.json`"),
        ("simulate --runs 0 mutex.pml", "at least 1"),
    ] {
        let (code, _, err) = run(line, b"");
        assert_eq!(code, 2, "{line}");
        assert!(err.contains(words), "{line}: {err}");
    }
    let text = fs::read(guide().join("broken.pml")).expect("a model");
    let (code, _, err) = run("check - --trail run.itf.json", &text);
    assert_eq!(code, 2);
    assert!(err.contains("standard input"), "{err}");
}

#[test]
fn random_runs_of_our_models_are_runs() {
    let folder = Folder::new("itf_models");
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut n = 0;
    for below in ["promela/constructs", "b/language", "cspm/classics"] {
        let entries = fs::read_dir(models.join(below)).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
        paths.sort();
        for path in paths.iter().step_by(2) {
            let log = folder.path("run.itf.json");
            let _ = fs::remove_file(&log);
            let file = path.display();
            run(
                &format!("simulate --seed 1 -n 25 --time 5s --trail '{log}' '{file}'"),
                b"",
            );
            // Some are refused, and some have no run.
            if fs::exists(&log).expect("a folder") {
                let (code, out, err) = run(&format!("simulate --follow '{log}' '{file}'"), b"");
                assert_eq!(code, 0, "{file}: {out}{err}");
                n += 1;
            }
        }
    }
    assert!(n > 50, "only {n}");
}
