//! Formulas over public variables of instances, and numbers of instances: beside the same model
//! with arrays written by hand and sums written out, with symmetry and without.

use crate::command::{Folder, object, run};
use serde_json::Value;

/// Clients with public variables, a process before them so that numbers of processes are others.
const PUBLIC: &str = "
byte n;
active proctype boss() { end: do :: n > 2 -> n = 0 od }
active [3] proctype client() {
  public bool want; public byte done;
  do
  BODY
  od
}
";

/// What a client may do.
const OPTIONS: [&str; 6] = [
    ":: atomic { !want -> want = true }",
    ":: atomic { want && n < 2 -> n++; done = 1 }",
    ":: atomic { done == 1 -> done = 0; want = false; n-- }",
    ":: want -> want = false",
    ":: atomic { done == 0 && n == 0 -> done = 2 }",
    ":: atomic { done == 2 -> done = 0; n = 0 }",
];

/// Formulas, and the same over arrays that are written by hand.
const FORMULAS: [(&str, &str); 7] = [
    (
        "[] ((count i: client[i].want) <= 2)",
        "[] (want[0] + want[1] + want[2] <= 2)",
    ),
    (
        "[] <> ((count i in 0..2: client[i].done == 1 && client[i].want) != 1)",
        "[] <> (((done[0] == 1 && want[0]) + (done[1] == 1 && want[1]) + \
         (done[2] == 1 && want[2])) != 1)",
    ),
    (
        "[] (exists i: client[i].want)",
        "[] (want[0] || want[1] || want[2])",
    ),
    (
        "forall i: [] (client[i].want -> <> (client[i].done == 1))",
        "forall i: [] (want[i] -> <> (done[i] == 1))",
    ),
    (
        "forall i: [] (client[i].done != 2 || (count j: client[j].done == 2) == 1)",
        "forall i: [] (done[i] != 2 || (count j: done[j] == 2) == 1)",
    ),
    ("<> client[1].want", "<> want[1]"),
    (
        "[] (client[0].done == 0 || client[2].done < 2)",
        "[] (done[0] == 0 || done[2] < 2)",
    ),
];

/// What is found of a formula: its verdict, how many states were seen, how many symmetries kept.
struct Found {
    verdict: Value,
    states: Value,
    group: Value,
}

#[track_caller]
fn found(folder: &Folder, model: &str, formula: &str, flags: &str) -> Found {
    let file = folder.write("model.pml", model);
    let line = format!("check --json -n -E -A {flags} --ltl '{formula}' {file}");
    let (_, out, err) = run(&line, b"");
    let answer = object(&line, &out).unwrap_or_else(|e| panic!("{line}: {e} {err}\n{model}"));
    let properties = answer["properties"].as_array();
    let properties = properties.unwrap_or_else(|| panic!("{answer}\n{model}"));
    let is_asked = |one: &&Value| one["name"] == "command_line";
    let property = properties.iter().find(is_asked).expect("the formula");
    Found {
        verdict: property["verdict"].clone(),
        states: property["counts"]["states"].clone(),
        group: property["group_order"].clone(),
    }
}

/// The model with arrays in the place of public variables.
fn by_hand(body: &str) -> String {
    let body = body
        .replace("want", "want[_pid - 1]")
        .replace("done", "done[_pid - 1]");
    let text = PUBLIC.replace("public bool want; public byte done;", "");
    format!(
        "bool want[3]; byte done[3];\n{}",
        text.replace("BODY", &body)
    )
}

#[test]
fn public_variables_and_numbers_of_instances_mean_what_is_written_by_hand() {
    let folder = Folder::new("instances");
    let mut random = 7_u64;
    let mut next = |n: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % n
    };
    let (mut n_violated, mut n_fewer) = (0, 0);
    for _ in 0..10 {
        let options: Vec<&str> = OPTIONS.into_iter().filter(|_| next(4) > 0).collect();
        let body = options.join("\n  ");
        if body.is_empty() {
            continue;
        }
        let public = PUBLIC.replace("BODY", &body);
        let (own, written) = FORMULAS[next(FORMULAS.len())];
        let with = found(&folder, &public, own, "");
        let without = found(&folder, &public, own, "--no-symmetry");
        let twin = found(&folder, &by_hand(&body), written, "--no-symmetry");
        assert_eq!(with.verdict, without.verdict, "{public}\n{own}");
        assert_eq!(without.verdict, twin.verdict, "{public}\n{own}");
        n_violated += usize::from(with.verdict == "violated");
        n_fewer += usize::from(with.states.as_u64() < without.states.as_u64());
    }
    assert!(n_violated > 0 && n_fewer > 0, "{n_violated} {n_fewer}");
}

#[test]
fn a_number_of_instances_keeps_the_whole_group_and_one_instance_does_not() {
    let folder = Folder::new("instances-groups");
    let public = PUBLIC.replace("BODY", &OPTIONS.join("\n  "));
    let group = |formula: &str| found(&folder, &public, formula, "").group;
    assert_eq!(group("[] ((count i: client[i].want) <= 2)"), "6");
    assert_eq!(group("[] (exists i: client[i].want)"), "6");
    assert_eq!(
        group("[] (client[1].want -> <> (client[1].done == 1))"),
        "2"
    );
}

#[test]
fn instances_are_named_by_their_numbers_in_formulas_only() {
    let folder = Folder::new("instances-wrong");
    let cases = [
        (
            ":: want -> want = false",
            "[] !client[3].want",
            "is indexed by",
        ),
        (
            ":: want -> want = false",
            "[] !client[n].want",
            "is indexed by",
        ),
        (
            ":: client[0].want -> want = false",
            "[] true",
            "is indexed by",
        ),
        (
            ":: want -> want = false",
            "[] ((count i: <> client[i].want) < 2)",
            "temporal",
        ),
    ];
    for (body, formula, words) in cases {
        let file = folder.write("model.pml", PUBLIC.replace("BODY", body));
        let (code, _, err) = run(&format!("check --ltl '{formula}' {file}"), b"");
        assert_eq!(code, 2, "{formula}: {err}");
        assert!(err.contains(words), "{formula}: {err}");
    }
}
