//! `--watch`, `:eval` and `:watch`: values of expressions along runs.

use crate::command::{Folder, json, run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Runs of a model, with a name of the language for each variable of its states: whatever is
/// watched has the value that the state is told with. Gives how many values were compared.
fn variables_are_as_told(model: &str, written: impl Fn(&str, &str) -> Option<String>) -> usize {
    let mut n_compared = 0;
    for seed in 1..=3 {
        let line = format!("simulate --seed {seed} -n 40 '../../{model}'");
        let first = json(&line, b"");
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut note = |told: &Value| {
            for (name, value) in told.as_object().expect("an object") {
                let value = value.as_str().unwrap_or("");
                names.extend(written(name, value).map(|e| (name.clone(), e)));
            }
        };
        note(&first["initial_state"]);
        let steps = |run: &Value| run["steps"].as_array().expect("steps").clone();
        steps(&first).iter().for_each(|step| note(&step["changes"]));
        let watched = names.values().map(|e| format!(" --watch '{e}'"));
        let line = line + &watched.collect::<String>();
        let object = json(&line, b"");
        assert_eq!(steps(&first).len(), steps(&object).len(), "{line}");
        let mut state = object["initial_state"].clone();
        let start = (&object["initially_watched"], &object["initial_state"]);
        n_compared += compared(&line, &names, start);
        for step in steps(&object) {
            for (name, value) in step["changes"].as_object().expect("changes") {
                state[name] = value.clone();
            }
            n_compared += compared(&line, &names, (&step["watched"], &state));
        }
    }
    n_compared
}

/// Compares what was watched with what a state is told with.
fn compared(
    line: &str,
    names: &BTreeMap<String, String>,
    (watched, state): (&Value, &Value),
) -> usize {
    for (name, expression) in names {
        let told = state.get(name).unwrap_or(&Value::Null);
        let value = &watched[expression];
        assert_eq!(value, told, "{line}: {expression} in {state}\n{watched}");
    }
    names.len()
}

/// A variable of Promela as it is told, in the language: `p(1).x` is `p[1]:x`. What a channel
/// holds has no expression.
fn in_promela(name: &str, value: &str) -> Option<String> {
    if value == "empty" || value.starts_with('<') {
        return None;
    }
    match name.split_once(").") {
        None => Some(name.to_owned()),
        Some((process, variable)) => {
            let (process, number) = process.split_once('(')?;
            // Fields of records are no remote variables, and `init` is no name.
            let is_plain = !variable.contains('.') && process != "init";
            is_plain.then(|| format!("{process}[{number}]:{variable}"))
        }
    }
}

#[test]
fn variables_of_promela_have_the_values_that_states_are_told_with() {
    let mut n_compared = 0;
    for model in [
        "docs/guide/broken.pml",
        "docs/guide/server.pml",
        "models/promela/records.pml",
        "models/promela/peterson_n.pml",
        "models/promela/telephone.pml",
        "models/promela/twophase_messages.pml",
    ] {
        let n = variables_are_as_told(model, in_promela);
        assert!(n > 0, "{model}: nothing was watched");
        n_compared += n;
    }
    assert!(n_compared > 1000, "{n_compared}");
}

#[test]
fn variables_of_b_have_the_values_that_states_are_told_with() {
    let same = |name: &str, _: &str| Some(name.to_owned());
    let mut n_compared = 0;
    for model in [
        "docs/guide/phonebook.mch",
        "docs/guide/shifts.mch",
        "models/b/scheduler.mch",
        "models/b/hotel.mch",
        "models/b/hotel_keys.ref",
        "models/b/dining_philosophers.mch",
        "models/b/file_system.mch",
    ] {
        let n = variables_are_as_told(model, same);
        assert!(n > 0, "{model}: nothing was watched");
        n_compared += n;
    }
    assert!(n_compared > 500, "{n_compared}");
}

/// The first line of a run that tells an expression, without the expression.
fn first_value(model: &str, expression: &str) -> String {
    let line = format!("simulate --seed 1 -n 1 --watch '{expression}' {model}");
    let (code, out, err) = run(&line, b"");
    assert_eq!(code, 0, "{line}\n{out}{err}");
    let told = format!("       = {expression}: ");
    let value = out.lines().find_map(|line| line.strip_prefix(&told));
    value
        .unwrap_or_else(|| panic!("{line}: nothing\n{out}"))
        .to_owned()
}

#[test]
fn expressions_are_written_in_the_notation_of_the_language() {
    let folder = Folder::new("watched-notation");
    let promela = "mtype = { red, green }\n#define TWICE(x) (x + x)\n\
                   typedef pair { byte a; bool on }\nmtype light = green;\npair two[2];\n\
                   chan c = [2] of { byte };\nbyte n = 3;\nbyte zero;\n\
                   active proctype p() { byte x = 5;\nhere: skip; c!1; goto there;\n\
                   there: n > 0 }\n";
    let promela = folder.write("m.pml", promela);
    for (expression, value) in [
        ("light", "green"),
        ("light == red", "false"),
        ("(n > 2 -> light : 0)", "green"),
        ("two[1].a + n * 2", "6"),
        ("two[n - 3].on", "false"),
        ("len(c)", "0"),
        ("full(c) || empty(c)", "true"),
        ("p[0]:x", "5"),
        ("p[0]@here", "true"),
        ("TWICE(n)", "6"),
        ("!n", "false"),
        ("n -> zero", "false"),
        ("n / zero", "no value (division by zero)"),
        ("two[n].a", "no value (array index out of bounds)"),
    ] {
        assert_eq!(first_value(&promela, expression), value, "{expression}");
    }
    for (expression, value) in [
        ("card(Name * Code)", "4"),
        ("{x | x : Name & x /: dom(book)}", "{Name1,Name2}"),
        ("Name1 : dom(book)", "FALSE"),
        ("!x.(x : Name => book[{x}] = {})", "TRUE"),
        ("%x.(x : 1..3 | x * x)", "[1,4,9]"),
        ("1 / card(book)", "no value (division by zero)"),
    ] {
        let told = first_value("phonebook.mch", expression);
        assert_eq!(told, value, "{expression}");
    }
    for (expression, value) in [
        ("{|enter|}", "{enter.1, enter.2}"),
        ("<x * x | x <- <1, 2, 3>>", "<1, 4, 9>"),
        ("let x = 2 within (x, true)", "(2, true)"),
        ("head(<>)", "no value (`head` of the empty sequence)"),
    ] {
        assert_eq!(first_value("lock.csp", expression), value, "{expression}");
    }
}

#[test]
fn a_variable_of_a_process_that_is_not_there_has_no_value() {
    let folder = Folder::new("watched-absent");
    let text = "proctype p(byte x) { x > 0 }\ninit { run p(4) }\n";
    let path = folder.write("m.pml", text);
    let (code, out, err) = run(&format!("simulate --watch p[1]:x+1 '{path}'"), b"");
    assert_eq!((code, &*err), (0, ""), "{out}");
    let absent = "no value (reference to a process that is not there)";
    assert!(
        out.contains(&format!("       = p[1]:x+1: {absent}\n")),
        "{out}"
    );
    assert!(
        out.contains(&format!("       = p[1]:x+1: {absent} → 5\n")),
        "{out}"
    );
    assert!(
        out.contains(&format!("       = p[1]:x+1: 5 → {absent}\n")),
        "{out}"
    );
}

#[test]
fn constants_have_values_where_variables_have_none() {
    let folder = Folder::new("watched-constants");
    let machine = "MACHINE M CONSTANTS k PROPERTIES k : 2..3 VARIABLES v INVARIANT v : INTEGER\n\
                   DEFINITIONS large == v > k; sum == v + k\nINITIALISATION v := k OPERATIONS\n\
                   up = PRE v < 5 THEN v := v + 1 END\nEND\n";
    let path = folder.write("M.mch", machine);
    let line = format!("simulate --seed 1 -n 3 --watch k --watch sum --watch large '{path}'");
    let object = json(&line, b"");
    let start = &object["initially_watched"];
    assert!(start["k"].is_string(), "{object}");
    assert_eq!(start["sum"], Value::Null, "{object}");
    let steps = object["steps"].as_array().expect("steps");
    let large: Vec<&str> = steps
        .iter()
        .filter_map(|step| step["watched"]["large"].as_str())
        .collect();
    assert_eq!(large, ["FALSE", "TRUE", "TRUE"], "{object}");
    let (_, out, _) = run(&line, b"");
    assert!(
        out.contains("= sum: no value (v is not initialised)\n"),
        "{out}"
    );
    assert!(out.contains("= large: FALSE → TRUE\n"), "{out}");
}

#[test]
fn values_of_a_script_are_those_that_print_prints() {
    let folder = Folder::new("watched-prints");
    let definitions = "datatype D = one | two.{0..1}\nchannel a : D\nf(x) = x + 1\n\
                       S = {f(1), f(2)}\nP = a?x -> P\nassert P :[deadlock free]\n";
    let expressions = [
        "f(2)",
        "S",
        "P",
        "a.one",
        "{|a|}",
        "<one, two.1>",
        "card(S) == 2",
    ];
    let prints = expressions.map(|e| format!("print {e}\n")).concat();
    let script = folder.write("m.csp", format!("{definitions}{prints}"));
    let (_, out, err) = run(&format!("check '{script}'"), b"");
    for expression in expressions {
        let value = first_value(&format!("'{script}'"), expression);
        let n_lines = definitions.lines().count();
        let at = expressions.iter().position(|e| *e == expression);
        let line = n_lines + 1 + at.expect("one of them");
        let printed = out.lines().filter(|l| l.contains(&format!("line {line}")));
        let printed: Vec<&str> = printed.collect();
        let is_there = printed.iter().any(|l| l.ends_with(&value));
        assert!(is_there, "{expression}: {value}, {printed:?}\n{out}{err}");
    }
}

#[test]
fn a_wrong_expression_is_told_at_its_place() {
    for (model, expression, place, words) in [
        (
            "broken.pml",
            "1 + nosuch",
            "1:5",
            "`nosuch` is not declared",
        ),
        ("broken.pml", "inside +", "1:9", "an expression is expected"),
        ("broken.pml", "[] locked", "1:1", "no operators of time"),
        ("broken.pml", "_last", "1:1", "is in no state of the model"),
        (
            "broken.pml",
            "1 } ltl x { 2",
            "1:1",
            "is not one expression",
        ),
        ("broken.pml", "run user()", "1:1", "inside processes only"),
        (
            "phonebook.mch",
            "card(nosuch)",
            "1:6",
            "`nosuch` is not declared",
        ),
        (
            "phonebook.mch",
            "card(3)",
            "1:6",
            "expected POW(_), found INTEGER",
        ),
        ("phonebook.mch", "Name9", "1:1", "`Name` has 2 elements"),
        (
            "phonebook.mch",
            "book := {}",
            "1:6",
            "the end of the formula",
        ),
        ("lock.csp", "1 + nosuch", "1:5", "`nosuch` is not declared"),
        ("lock.csp", "true + 1", "1:1", "`Int` is wanted"),
        ("lock.csp", "1 2", "1:3", "the end of the expression"),
    ] {
        let line = format!("simulate --seed 1 -n 1 --watch '{expression}' {model}");
        let (code, out, err) = run(&line, b"");
        assert_eq!((code, &*out), (2, ""), "{line}\n{err}");
        let place = format!("--> --watch:{place}\n");
        assert!(err.contains(&place) && err.contains(words), "{line}\n{err}");
        assert_eq!(err.matches("error:").count(), 1, "{line}\n{err}");
    }
    let (code, _, err) = run("simulate --watch nosuch --watch 1+ broken.pml", b"");
    assert_eq!((code, err.matches("error:").count()), (2, 2), "{err}");
}

#[test]
fn a_jump_that_is_no_step_is_not_looked_at() {
    let text = "byte n;\nactive proctype p() {\n  do :: n < 3 -> n++; goto out\n\
                :: n > 5 -> break od;\nout: goto on;\non: n = 0\n}\n";
    let folder = Folder::new("watched-jump");
    let path = folder.write("m.pml", text);
    let (code, _, err) = run(&format!("simulate --seed 1 --watch p@out '{path}'"), b"");
    assert!(
        code == 2 && err.contains("is in no state of the model"),
        "{err}"
    );
    let (code, out, err) = run(&format!("simulate --seed 1 --watch p@on '{path}'"), b"");
    assert!(
        code == 0 && out.contains("= p@on: false → true\n"),
        "{out}{err}"
    );
}

#[test]
fn what_is_watched_does_not_change_the_run() {
    for model in ["broken.pml", "phonebook.mch", "lock.csp"] {
        let expression = match model {
            "broken.pml" => "inside > 1",
            "phonebook.mch" => "dom(book)",
            _ => "{1..2}",
        };
        let line = format!("simulate --seed 7 -n 30 {model}");
        let watched = run(&format!("{line} --watch '{expression}'"), b"").1;
        let lines = watched.lines().filter(|l| !l.starts_with("       = "));
        let without: Vec<&str> = lines.collect();
        assert_eq!(without, run(&line, b"").1.lines().collect::<Vec<_>>());
        assert!(watched.lines().count() > without.len(), "{watched}");
        let quiet = run(&format!("{line} --quiet --watch '{expression}'"), b"").1;
        assert_eq!(quiet, run(&format!("{line} --quiet"), b"").1);
        let steps = json(&line, b"")["steps"].clone();
        let is_null = |step: &Value| step["watched"].is_null();
        assert!(steps.as_array().expect("steps").iter().all(is_null));
    }
}

#[test]
fn recorded_runs_and_logs_are_watched_too() {
    let folder = Folder::new("watched-replay");
    let trail = folder.path("run.jsonl");
    run(&format!("check --trail '{trail}' broken.pml"), b"");
    let line = format!("simulate --replay '{trail}' --watch inside broken.pml");
    let (code, out, err) = run(&line, b"");
    assert_eq!((code, &*err), (1, ""), "{out}");
    assert!(out.ends_with("assert(inside == 1)\n"), "{out}");
    assert!(out.contains("       = inside: 0 → 1\n"), "{out}");
    assert!(out.contains("       = inside: 1 → 2\n"), "{out}");
    let log = folder.path("log.itf.json");
    run(
        &format!("simulate --seed 1 -n 3 --trail '{log}' phonebook.mch"),
        b"",
    );
    let line = format!("simulate --follow '{log}' --watch 'card(book)' phonebook.mch");
    let (code, out, err) = run(&line, b"");
    assert_eq!((code, &*err), (0, ""), "{out}");
    assert!(out.contains("       = card(book): 0 → 1\n"), "{out}");
}

#[test]
fn a_person_asks_for_values() {
    let answers = ":help\n:eval card(book)\n:eval nosuch +\n:eval\n:nosuch\n:watch\n\
                   :watch book\n:watch nosuch\n:watch\n1\n:unwatch dom\n:unwatch book\nu\n\
                   :watch card(book)\n1\nq\n";
    let (code, out, err) = run("simulate -i phonebook.mch", answers.as_bytes());
    assert_eq!(code, 0, "{out}{err}");
    let asked: BTreeSet<&str> = err.lines().map(|l| l.trim_start()).collect();
    for part in [
        "choice (1-4, r, s, u, q): 0\n",
        ":unwatch E    no more of that\n",
        "error: a formula is expected",
        "`:eval` needs an expression\n",
        "`:nosuch` is no answer; `:help` lists all\n",
        "nothing is watched\n",
        "       = book: {}\n",
        "error: `nosuch` is not declared\n --> the expression:1:1\n",
        "watched: book\n",
        "not watched; watched: book\n",
    ] {
        assert!(err.contains(part), "{part}\n{asked:?}");
    }
    assert!(
        out.contains("       = book: {} → {(Name1|->Code1)}\n"),
        "{out}"
    );
    let (before, after) = out.split_once("taken back").expect("a step back");
    assert!(!before.contains("card(book)"), "{out}");
    assert!(after.contains("       = card(book): 0 → 1\n"), "{out}");
    assert!(!after.contains("= book:"), "it is watched no longer: {out}");
}

#[test]
fn a_person_who_has_not_chosen_a_start_has_no_values() {
    let folder = Folder::new("watched-start");
    let machine = "MACHINE M VARIABLES v INVARIANT v : INTEGER\nINITIALISATION v :: {4, 5}\n\
                   OPERATIONS up = PRE v < 9 THEN v := v + 1 END\nEND\n";
    let path = folder.write("M.mch", machine);
    let answers = b":eval v\n:watch v * 2\n2\n";
    let (code, out, err) = run(&format!("simulate -i -n 1 '{path}'"), answers);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("there is no state yet"), "{err}");
    assert!(out.contains("       = v * 2: 10\n"), "{out}");
    assert!(out.contains("       = v * 2: 10 → 12\n"), "{out}");
}

#[test]
fn runs_that_are_not_told_have_nothing_watched() {
    let (code, _, err) = run("simulate --runs 2 --watch inside broken.pml", b"");
    assert!(
        code == 2 && err.contains("--watch") && err.contains("--runs"),
        "{err}"
    );
}
