//! Our machines have the states, transitions and mistakes that their headers expect, by the
//! plainest search there is.

use crate::expect::{Expected, lines, parse};
use crate::models::folder;
use crate::plain::{Counted, Setting, Symmetry, program, search};
use bmachine::run::Program;

/// The largest machines that always run; plain searches are slow in development builds.
const STATES_MAX: u64 = 700;

/// What differs from what a line expects.
fn differences(program: &Program, expected: &Expected, n_max: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let parts = [
        ("full", Symmetry::Left, expected.full),
        ("reduced", Symmetry::Used, expected.reduced),
    ];
    for (name, symmetry, counts) in parts {
        let counted = search(program, symmetry, n_max as usize);
        let (n, m) = (counted.n_states, counted.n_transitions);
        let differs = |(states, moves): (u64, Option<u64>)| {
            let is_small = expected.full.is_some_and(|(n, _)| n <= n_max);
            if counted.is_cut {
                is_small
            } else {
                states != n || moves.is_some_and(|moves| moves != m)
            }
        };
        if counts.is_some_and(differs) {
            let more = if counted.is_cut { "at least " } else { "" };
            wrong.push(format!("{name}: {more}{n} states, {m} transitions"));
        }
        wrong.extend(verdict(&counted, expected).map(|words| format!("{name}: {words}")));
    }
    wrong
}

/// What differs in what is wrong with the machine.
fn verdict(counted: &Counted, expected: &Expected) -> Option<String> {
    let is_asked = |kind: &str| match kind {
        "deadlock" => !expected.no_deadlock,
        "goal" => expected.goal,
        _ => true,
    };
    let mut found = counted.wrong.iter().filter(|(kind, _)| is_asked(kind));
    let words = || format!("{:?} {:?}", counted.wrong, counted.troubles.first());
    let Some(kind) = &expected.wrong else {
        return found.next().is_some().then(words);
    };
    // What cannot be computed in an operation is undefined, or one of its own demands fails.
    let is_meant = |known: &str| match kind.as_str() {
        "undefined" | "precondition" => known == "operation",
        "assertion" => known == "assertion" || known == "operation",
        kind => known == kind,
    };
    match found.find(|(known, _)| is_meant(known)) {
        None => (!counted.is_cut).then(words),
        Some((_, n_moves)) => {
            let differs = expected
                .n_moves
                .is_some_and(|expected| expected != *n_moves);
            differs.then(words)
        }
    }
}

#[test]
fn headers_of_machines_say_what_is_counted() {
    let only = std::env::var("ORBIT_ONLY").unwrap_or_default();
    let full = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let n_max = if full { 200_000 } else { STATES_MAX };
    let mut wrong = Vec::new();
    let mut n_lines = 0;
    for model in folder("").into_iter().chain(folder("language")) {
        let Some(machine) = model
            .said
            .machine
            .as_ref()
            .filter(|_| model.name.contains(&only))
        else {
            continue;
        };
        for line in lines(&model.text, "expect") {
            let Some(expected) = parse(line) else {
                continue;
            };
            let setting = Setting {
                default_size: expected.default_size,
                sizes: expected.sizes.clone(),
            };
            if expected.full.is_some_and(|(n, _)| n > n_max) {
                continue;
            }
            n_lines += 1;
            let found = match program(machine, &setting) {
                Ok(program) => differences(&program, &expected, n_max),
                Err(why) => vec![why],
            };
            for words in found {
                wrong.push(format!("{}: {line}\n    {words}", model.name));
            }
        }
    }
    assert!(n_lines > 0, "no machine has {only} in its name");
    assert!(
        wrong.is_empty(),
        "{} of {n_lines}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn wrong_expectations_are_noticed() {
    let models = folder("language");
    let model = models
        .iter()
        .find(|model| model.name.ends_with("false_assertion.mch"));
    let machine = model
        .and_then(|model| model.said.machine.as_ref())
        .expect("a machine");
    let program = program(machine, &Setting::default()).expect("a program");
    let differ = |line: &str| differences(&program, &parse(line).expect("a line"), 100).len();
    assert_eq!(
        differ("full 3 states 5 transitions; violated (assertion) in 3 moves"),
        0
    );
    assert_eq!(
        differ("full 4 states 5 transitions; violated (assertion) in 3 moves"),
        1
    );
    assert_eq!(
        differ("full 3 states 6 transitions; violated (assertion) in 3 moves"),
        1
    );
    assert_eq!(differ("full 3 states; violated (assertion) in 2 moves"), 2);
    assert_eq!(differ("full 3 states; violated (invariant)"), 2);
    assert_eq!(differ("full 3 states; holds"), 2);
}
