//! Fairness in formulas: a condition on runs, beside the same written out as a formula.

use crate::command::{Folder, json};
use serde_json::Value;

const RING: &str = "\
MACHINE ring VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
OPERATIONS
  next = x := (x + 1) mod 3;
  stay = SELECT x < 3 THEN skip END;
  leave = SELECT x = 1 THEN x := 3 END;
  jump(n) = SELECT x = 2 & n : 0..1 THEN x := n END
END
";

/// What is said of a machine with these formulas, in order.
fn of_formulas(folder: &Folder, machine: &str, formulas: &[String]) -> Vec<Value> {
    let numbered = formulas.iter().enumerate();
    let all = numbered.map(|(n, formula)| format!("ASSERT_LTL_{n} == \"{formula}\""));
    let all: Vec<String> = all.collect();
    let definitions = format!("DEFINITIONS {} VARIABLES", all.join("; "));
    let file = folder.write("ring.mch", machine.replacen("VARIABLES", &definitions, 1));
    let told = json(&format!("check {file}"), b"");
    let all = told["properties"].as_array().expect("a list").iter();
    all.filter(|p| p["kind"] == "ltl").cloned().collect()
}

fn of_formula(folder: &Folder, machine: &str, formula: &str) -> Value {
    of_formulas(folder, machine, &[formula.to_owned()])[0].clone()
}

/// The same condition as a formula.
fn written_out(condition: &str) -> String {
    let (kind, step) = (&condition[..2], &condition[3..condition.len() - 1]);
    match kind {
        "WF" => format!("(G F (not(e({step})) or [{step}]))"),
        _ => format!("((G F e({step})) => (G F [{step}]))"),
    }
}

#[test]
fn fair_runs_are_those_of_the_formula_that_says_so() {
    let folder = Folder::new("fairness");
    let conditions = [
        "WF(next)",
        "SF(next)",
        "SF(leave)",
        "WF(leave)",
        "SF(jump(0))",
    ];
    let claims = [
        "F {x = 3}",
        "F {x = 1}",
        "G ({x = 0} => F {x = 1})",
        "F G {x = 3}",
    ];
    let mut formulas = Vec::new();
    for (n, first) in conditions.iter().enumerate() {
        for second in &conditions[n..] {
            let (a, b) = (written_out(first), written_out(second));
            for claim in claims {
                formulas.push(format!("{first} & {second} => {claim}"));
                formulas.push(format!("({a} & {b}) => {claim}"));
            }
        }
    }
    let told = of_formulas(&folder, RING, &formulas);
    assert_eq!(told.len(), formulas.len());
    let (mut n_holds, mut n_violated) = (0, 0);
    for (n, both) in told.chunks(2).enumerate() {
        let (fair, plain) = (&both[0]["verdict"], &both[1]["verdict"]);
        assert_eq!(fair, plain, "{}", formulas[2 * n]);
        n_holds += usize::from(fair == "holds");
        n_violated += usize::from(fair == "violated");
    }
    assert!(n_holds > 5 && n_violated > 5, "{n_holds} {n_violated}");
}

#[test]
fn fairness_to_all_is_to_each_kind_of_steps() {
    let folder = Folder::new("fairness-kinds");
    let text = "MACHINE kinds SETS S VARIABLES done INVARIANT done <: S INITIALISATION done := {}
        OPERATIONS touch(s) = PRE s : S THEN done := done \\/ {s} END END";
    // Who is fair to `touch` as a whole may touch one element for ever.
    for (formula, verdict) in [
        ("WEF => F {done = S}", "holds"),
        ("SEF => F {done = S}", "holds"),
        ("WF(touch) => F {done = S}", "violated"),
        ("SF(touch) & WF(touch(S1)) => F {S1 : done}", "holds"),
        ("SF(touch) & WF(touch(S1)) => F {S2 : done}", "violated"),
    ] {
        let told = of_formula(&folder, text, formula);
        assert_eq!(told["verdict"], verdict, "{formula}: {told}");
    }
}

#[test]
fn many_operations_cost_nothing_more() {
    let folder = Folder::new("fairness-many");
    let skips: Vec<String> = (0..20).map(|n| format!("s{n} = skip")).collect();
    let text = format!(
        "MACHINE many VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
         OPERATIONS on = x := 1; off = x := 0; {} END",
        skips.join("; ")
    );
    for (formula, verdict) in [
        ("WEF => F {x = 1}", "holds"),
        ("SEF => G F {x = 1}", "holds"),
        ("WEF => F G {x = 1}", "violated"),
    ] {
        let told = of_formula(&folder, &text, formula);
        assert_eq!(told["verdict"], verdict, "{formula}");
    }
}
