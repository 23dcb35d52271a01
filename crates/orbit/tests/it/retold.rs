//! Runs told again on the model as written: real values, the same end, and a lie is found out.

use crate::command::{Folder, json};
use crate::counts::compile;
use crate::strategies::search;
use check::{Identity, Order, Violation};
use model::Machine;
use model::processes::passes::{Setting, Watch, apply};
use model::processes::program::{Action, Model};
use std::collections::{BTreeMap, BTreeSet};
use system::{Fault, FaultKind, Taken};

/// The model of a text, without passes.
fn written(text: &str) -> Model {
    compile(text, &[]).expect("a model").0
}

/// Local steps are hidden, `unread` is not needed, R ends and stays; then P is stuck or asserts.
const TEXT: &str = "
    byte x; byte unread;
    active proctype P() {
        byte i;
        unread = 7;
        i = 3;
        i = i + 1;
        if :: x = i :: x = 0 fi;
        assert(x == 4);
        i == 9
    }
    active proctype R() { skip }";

fn machines() -> (Machine, Machine) {
    let plain = written(TEXT);
    let mut best = plain.clone();
    apply(&mut best, Setting::Best, &Watch::default());
    (Machine::new(plain), Machine::new(best))
}

fn is_end(machine: &Machine, taken: Taken) -> bool {
    let (_, step) = machine.taken(taken);
    matches!(machine.model().step(step).action, Action::End)
}

#[test]
fn a_run_is_told_with_the_values_of_the_text() {
    let (plain, best) = machines();
    let outcome = search(&best, &mut Identity, Order::Breadth);
    assert_eq!(outcome.findings.len(), 2, "an assertion and a deadlock");
    for finding in &outcome.findings {
        let witness = &finding.witness;
        let told = witness.retold(&plain, finding.violation, &|taken| is_end(&plain, taken));
        let told = told.unwrap_or_else(|broken| panic!("{broken}"));
        let end = |name: &str| {
            let all = told.end().iter();
            all.clone()
                .find(|(n, _)| n == name)
                .map(|(_, value)| value.clone())
        };
        assert_eq!(end("unread").as_deref(), Some("7"));
        let n_idle = told
            .steps()
            .iter()
            .filter(|s| is_end(&plain, s.taken))
            .count();
        assert_eq!(told.steps().len(), witness.steps().len() + n_idle);
        assert_eq!(n_idle > 0, finding.violation == Violation::Deadlock);
    }
}

#[test]
fn a_run_that_does_not_end_as_it_should_is_found_out() {
    let (plain, best) = machines();
    let outcome = search(&best, &mut Identity, Order::Breadth);
    let is_idle = |taken| is_end(&plain, taken);
    for finding in &outcome.findings {
        let wrong = match finding.violation {
            Violation::Deadlock | Violation::Unfinished => Violation::Fault(Fault {
                kind: FaultKind::Division,
                site: plain.model().steps[0].site,
            }),
            Violation::Fault(_) => Violation::Deadlock,
        };
        let told = finding.witness.retold(&plain, wrong, &is_idle);
        assert!(
            told.is_err(),
            "{wrong:?} was told of {:?}",
            finding.violation
        );
    }
    let other = Machine::new(written("byte x; active proctype P() { x = 1; x = 2 }"));
    let finding = &outcome.findings[0];
    let told = finding
        .witness
        .retold(&other, finding.violation, &|_| false);
    assert!(told.is_err(), "a run of another model");
}

#[test]
fn a_loop_is_told_with_the_values_that_the_text_says() {
    // Nobody reads `n`, so that the search closes the loop after one turn; with `n` it takes three.
    let text = "byte x, n; active proctype P() { do :: x = 1 - x; n = (n + 1) % 3 od }\n\
        ltl f { <> (x == 2) }";
    let object = crate::command::json("check -p f -", text.as_bytes());
    let witness = &object["properties"][0]["witness"];
    let steps = witness["steps"].as_array().expect("steps");
    let changed = steps
        .iter()
        .skip(1)
        .filter(|step| step["changes"]["n"].is_string());
    assert_eq!(changed.count(), 6, "{object}");
    // The first of the steps is the initial state.
    assert_eq!((witness["loop_from"].as_u64(), steps.len()), (Some(1), 13));
    let plain = crate::command::json("check --plain -p f -", text.as_bytes());
    assert_eq!(plain["verdict"], object["verdict"]);
}

/// Checks what is stored beside the first run of an answer about `x[3]` and processes `p`.
#[track_caller]
fn assert_stored(line: &str, found: &serde_json::Value) {
    let properties = found["properties"].as_array().expect("a list");
    let run = properties.iter().find_map(|one| one["witness"].as_object());
    let run = run.expect("a run");
    let steps = run["steps"].as_array().expect("steps");
    let stored = run["representatives"].as_array().expect("a list");
    assert!(!stored.is_empty(), "{line}: the run goes beside the path");
    for one in stored {
        let at = one["step"].as_u64().expect("a step") as usize;
        let mut values = BTreeMap::new();
        for step in &steps[..=at] {
            for (name, value) in step["changes"].as_object().expect("changes") {
                values.insert(name.clone(), value.clone());
            }
        }
        let words = one["permutation"].as_str().expect("words");
        for i in 0..3 {
            let to = image(words, i);
            let (before, after) = (format!("x[{i}]"), format!("x[{to}]"));
            assert_eq!(one["values"][&before], values[&after], "{line}: {one}");
        }
    }
}

#[test]
fn a_symmetry_makes_the_state_of_the_run_of_what_was_stored() {
    let folder = Folder::new("stored");
    let text = "byte x[3]; active [3] proctype p() { do :: x[_pid] < 3 -> x[_pid]++ od } \
                active proctype watch() { x[0] + x[1] + x[2] == 5; assert(false) }";
    let file = folder.write("stored.pml", text);
    for flags in ["", "--plain", "--search dfs"] {
        let line = format!("check '{file}' {flags}");
        assert_stored(&line, &json(&line, b""));
    }
}

#[test]
fn what_was_stored_is_beside_runs_of_formulas() {
    let folder = Folder::new("stored_beside_formulas");
    let up = "byte x[3]; active [3] proctype p() { do :: x[_pid] < 3 -> x[_pid]++ od }";
    let turns = "byte x[3]; byte n; active [3] proctype p() { do \
                 :: atomic { x[_pid] == 0 && n < 2 -> x[_pid] = 1; n++ } \
                 :: atomic { x[_pid] == 1 && n == 2 -> x[_pid] = 0; n-- } od }";
    let (up, turns) = (folder.write("up.pml", up), folder.write("turns.pml", turns));
    for (file, formula) in [
        (&up, "--ltl '[] (x[0] + x[1] + x[2] < 5)'"),
        (&up, "--ctl 'AG (x[0] + x[1] + x[2] < 5)'"),
        (&turns, "--ltl '<> [] (n == 1)'"),
        (&turns, "--ctl 'AF (n == 3)'"),
    ] {
        let line = format!("check '{file}' {formula}");
        assert_stored(&line, &json(&line, b""));
        let plain = format!("check --plain '{file}' {formula}");
        assert_stored(&plain, &json(&plain, b""));
    }
}

#[test]
fn what_was_stored_is_beside_runs_of_scripts() {
    // No component ever comes back to where it starts, so that those that are elsewhere are those
    // that took part.
    let text = "datatype Id = a | b | c\nchannel req, grant : Id\nchannel oops\n\
                C(i) = req.i -> grant.i -> STOP\n\
                S(n) = req?i -> grant?j -> if n == 0 then oops -> STOP else S(n - 1)\n\
                SYS = (||| i : Id @ C(i)) [| {| req, grant |} |] S(2)\n\
                assert STOP [T= SYS \\ {| req, grant |}\n";
    let folder = Folder::new("stored_beside_scripts");
    let file = folder.write("stored.csp", text);
    let found = json(&format!("check '{file}'"), b"");
    let run = &found["properties"][0]["witness"];
    let steps = run["steps"].as_array().expect("steps");
    let stored = run["representatives"].as_array().expect("a list");
    assert!(!stored.is_empty(), "{found}");
    for one in stored {
        let at = one["step"].as_u64().expect("a step") as usize;
        let parts = steps[..=at]
            .iter()
            .flat_map(|step| step["parts"].as_array().expect("parts"));
        let moved: BTreeSet<&str> = parts
            .filter_map(|part| part["component"].as_str())
            .filter(|name| name.starts_with('C'))
            .collect();
        let words = one["permutation"].as_str().expect("words");
        let elsewhere = one["values"].as_object().expect("values").iter();
        let elsewhere = elsewhere.filter(|(name, place)| {
            let start = format!(": {name}");
            name.starts_with('C') && !place.as_str().expect("words").ends_with(&start)
        });
        let images: BTreeSet<&str> = elsewhere
            .map(|(name, _)| follower(words, name).unwrap_or(name))
            .collect();
        assert_eq!(images, moved, "{one}");
    }
}

/// What a product of cycles makes of a name with an argument, `C(a)`; `None` if it stays.
fn follower<'w>(words: &'w str, name: &str) -> Option<&'w str> {
    for cycle in words.split("))").map(|cycle| cycle.trim_start_matches('(')) {
        let members: Vec<&str> = cycle.split(' ').collect();
        let bare = |member: &str| member.trim_end_matches(')').to_owned();
        let at = members.iter().position(|member| bare(member) == bare(name));
        if let Some(at) = at {
            let next = members[(at + 1) % members.len()];
            let from = next.as_ptr() as usize - words.as_ptr() as usize;
            return words.get(from..from + bare(next).len() + 1);
        }
    }
    None
}

/// Which process `p` a product of cycles makes of this one: `(p(0) p(2))` makes 2 of 0.
fn image(words: &str, i: usize) -> usize {
    let name = format!("p({i})");
    for cycle in words.split(")(").filter(|cycle| cycle.contains("p(")) {
        let members: Vec<&str> = cycle.split_whitespace().collect();
        let digits = |word: &str| -> usize {
            let digits: String = word.chars().filter(char::is_ascii_digit).collect();
            digits.parse().expect("a number")
        };
        let members: Vec<usize> = members.into_iter().map(digits).collect();
        if let Some(at) = members.iter().position(|member| *member == i) {
            return members[(at + 1) % members.len()];
        }
    }
    assert!(!words.contains(&name), "{words}");
    i
}
