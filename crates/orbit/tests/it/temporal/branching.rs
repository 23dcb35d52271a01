//! What branching time says of all runs, beside what linear time says: `A(f)` holds of a model if
//! `f` does, for all runs and for fair ones, with symmetry and without.

use super::random::model;
use crate::command::{Folder, json, run};

/// How many models, and formulas of each.
const N_MODELS: u64 = 14;
const N_FORMULAS: usize = 3;

fn verdict(line: &str, name: &str) -> String {
    let told = json(line, b"");
    let all = told["properties"].as_array().expect("a list");
    let told = all.iter().find(|p| p["name"] == name);
    let told = told.unwrap_or_else(|| panic!("{line}: no {name}"));
    told["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn all_runs_are_those_of_linear_time_fair_or_not() {
    let folder = Folder::new("ctl-star");
    let (mut n_violated, mut n_fair) = (0, 0);
    for seed in 0..N_MODELS {
        let text = model(seed);
        let path = folder.write("model.pml", &text);
        let formulas = text.lines().filter_map(|line| {
            let line = line.strip_prefix("ltl f")?;
            let (_, formula) = line.split_once('{')?;
            Some(formula.trim_end().trim_end_matches('}').trim().to_owned())
        });
        let is_of_runs = |f: &str| ["[]", "<>", " U "].iter().any(|sign| f.contains(sign));
        let formulas = formulas.enumerate().filter(|(_, f)| is_of_runs(f));
        for (n, formula) in formulas.take(N_FORMULAS) {
            let mut all = Vec::new();
            for fair in ["", "--fair weak", "--fair strong"] {
                let name = format!("f{n}");
                let linear = verdict(&format!("check -p {name} {fair} {path}"), &name);
                let asked = format!("A({formula})");
                for flag in ["", "--no-symmetry"] {
                    let told = json(&format!("check {flag} {fair} --ctl '{asked}' {path}"), b"");
                    let of = told["properties"]
                        .as_array()
                        .unwrap_or_else(|| panic!("{told}"));
                    let said = of.iter().find(|p| p["kind"] == "ctl").expect("asked");
                    assert_eq!(said["verdict"], *linear, "{seed} {fair} {asked}\n{text}");
                }
                all.push(linear);
            }
            n_violated += usize::from(all[0] == "violated");
            n_fair += usize::from(all[0] != all[2]);
        }
    }
    assert!(n_violated > 8 && n_fair > 0, "{n_violated} {n_fair}");
}

/// Two clients that wait for each other's turn; nothing tells them apart.
const TURNS: &str = "\
byte n;
active [2] proctype P() { do :: n < 2 -> n++ :: n > 0 -> n-- od }
";

#[test]
fn logics_that_do_not_go_together_are_told_at_their_places() {
    for (formula, place, words) in [
        ("AG (X (n == 1))", "--ctl:1:5", "operator of linear time"),
        ("A(G once (n == 1))", "--ctl:1:3", "stand around states"),
        ("mu X. A(F G X) || EX X", "--ctl:1:9", "none of the past"),
        ("mu X. !X", "--ctl:1:4", "odd number of negations"),
        ("mu X. n == X", "--ctl:1:12", "cannot have a formula"),
        (
            "A((n == 1) --> F (n == 2))",
            "--ctl:1:12",
            "stands around no run",
        ),
        ("A(G F)", "--ctl:1:5", "`F` is not declared"),
        ("nu X. EY X", "--ctl:1:7", "none of the past"),
    ] {
        let (code, _, err) = run(&format!("check --ctl '{formula}' -"), TURNS.as_bytes());
        assert_eq!(code, 2, "{formula}: {err}");
        let is_told = err.contains(words) && err.contains(place);
        assert!(is_told, "{formula}: {err}");
    }
    // Where fairness has no meaning there is no verdict.
    for formula in ["AG (EO (n == 0))", "nu X. EX X"] {
        let line = format!("check --fair weak --ctl '{formula}' -");
        let told = json(&line, TURNS.as_bytes());
        assert_eq!(told["verdict"], "unknown", "{formula}");
    }
}

#[test]
fn every_logic_has_its_answer() {
    for (formula, holds, order) in [
        ("A(G F (n == 0))", false, "2"),
        ("E(G F (n == 1) && F G (n < 2))", true, "2"),
        ("nu X. (n < 2) && EX X", true, "2"),
        ("mu X. (n == 2) || EX X", true, "2"),
        ("AG ((n == 2) -> EO (n == 1))", true, "1"),
        ("AG (A[n >= 0 since n == 0])", true, "1"),
        ("AG ((n == 2) -> EY (n == 2))", false, "1"),
    ] {
        let told = json(&format!("check --ctl '{formula}' -"), TURNS.as_bytes());
        let of = told["properties"]
            .as_array()
            .unwrap_or_else(|| panic!("{told}"));
        let said = of.iter().find(|p| p["kind"] == "ctl").expect("asked");
        let wanted = if holds { "holds" } else { "violated" };
        assert_eq!(said["verdict"], wanted, "{formula}");
        assert_eq!(said["group_order"], order, "{formula}");
    }
}

/// Two ways to `p == 1`, on one of which `z` was 1; nobody reads what tells the last states apart.
const WAYS: &str = "\
byte y, z, p;
active proctype P() {
  if :: z = 1; y = 1; z = 0 :: y = 2 fi;
  p = 1
}
";

#[test]
fn how_states_are_reached_is_asked_of_the_model_as_written() {
    for (formula, wanted) in [
        ("AG ((p == 1) -> EO (z == 1))", "violated"),
        ("EF ((p == 1) && AO (z == 1))", "holds"),
        ("EF ((p == 1) && AH (z == 0))", "holds"),
    ] {
        for flag in ["", "--plain"] {
            let line = format!("check {flag} --ctl '{formula}' -");
            let told = json(&line, WAYS.as_bytes());
            let of = told["properties"].as_array().expect("a list");
            let said = of.iter().find(|p| p["kind"] == "ctl").expect("asked");
            assert_eq!(said["verdict"], wanted, "{flag} {formula}");
        }
    }
}
