//! `--weak-leaves`: components that differ only in τ are exchanged, those that differ in what they
//! refuse or in divergence are not, and verdicts stay what they are.

use super::{models, verdicts};
use crate::command::{Folder, json, printed, run};
use serde_json::Value;

/// Two users; what the second does between its events stands behind `enter.bob`.
fn users(between: &str) -> String {
    format!(
        "datatype Who = ann | bob
channel enter, leave : Who
ANN = enter.ann -> leave.ann -> ANN
BOB = enter.bob -> ({between})
BOTH = ANN ||| BOB
assert RUN({{| enter, leave |}}) [T= BOTH
assert BOTH :[deadlock free]
assert BOTH :[divergence free]
assert STOP [T= BOTH
assert BOB :[deadlock free]
"
    )
}

fn orders(told: &Value) -> Vec<String> {
    let all = told["properties"].as_array().into_iter().flatten();
    let order = |property: &Value| {
        property["symmetry"]["group_order"]
            .as_str()
            .map(str::to_owned)
    };
    all.map(|property| order(property).unwrap_or_default())
        .collect()
}

#[test]
fn components_that_differ_in_tau_are_exchanged_if_that_is_asked_for() {
    let folder = Folder::new("weak-users");
    let file = folder.write("users.csp", users("SKIP ; leave.bob -> BOB"));
    let strong = json(&format!("check {file}"), b"");
    let weak = json(
        &format!("check --weak-leaves --audit --self-check {file}"),
        b"",
    );
    assert_eq!(
        verdicts(&strong),
        ["holds", "holds", "holds", "violated", "holds"]
    );
    assert_eq!(verdicts(&weak), verdicts(&strong));
    assert_eq!(orders(&strong), ["1", "1", "1", "1", "1"]);
    assert_eq!(orders(&weak), ["2", "2", "2", "2", "1"]);
    let pairs = |told: &Value| told["properties"][1]["counts"]["pairs"].as_u64();
    assert_eq!((pairs(&strong), pairs(&weak)), (Some(6), Some(3)));
    // It is said, here and by `symmetry`.
    let note = "components that differ only in τ";
    let notes = |told: &Value| told["notes"].to_string().contains(note);
    assert!(notes(&weak) && !notes(&strong), "{}", weak["notes"]);
    assert!(
        printed(&format!("check --weak-leaves {file}"))
            .1
            .contains(note)
    );
    let shown = json(&format!("symmetry --weak-leaves {file}"), b"");
    assert!(
        notes(&shown) && shown["properties"][0]["group_order"] == "2",
        "{shown}"
    );
    assert!(
        printed(&format!("symmetry --weak-leaves {file}"))
            .1
            .contains(note)
    );
    let shown = json(&format!("symmetry {file}"), b"");
    assert!(
        !notes(&shown) && shown["properties"][0]["group_order"] == "1",
        "{shown}"
    );
}

#[test]
fn components_that_refuse_more_or_diverge_are_not_exchanged() {
    let folder = Folder::new("weak-others");
    for (name, between, wrong) in [
        ("refuses", "leave.bob -> BOB |~| STOP", 4),
        ("diverges", "leave.bob -> BOB [] DIV", 2),
        ("offers", "leave.bob -> BOB |~| enter.bob -> BOB", 3),
    ] {
        let file = folder.write(&format!("{name}.csp"), users(between));
        let strong = json(&format!("check {file}"), b"");
        let weak = json(&format!("check --weak-leaves {file}"), b"");
        assert_eq!(verdicts(&weak), verdicts(&strong), "{name}");
        assert_eq!(verdicts(&weak)[wrong], "violated", "{name}");
        assert_eq!(orders(&weak), ["1", "1", "1", "1", "1"], "{name}");
    }
}

#[test]
fn a_run_of_components_up_to_tau_is_not_recorded() {
    let folder = Folder::new("weak-run");
    let file = folder.write("users.csp", users("SKIP ; leave.bob -> BOB"));
    let trail = folder.path("run.itf.json");
    for (flag, is_written) in [("--weak-leaves", false), ("", true)] {
        let line = format!("check {flag} -p 4 --trail {trail} {file}");
        assert_eq!(run(&line, b"").0, 1, "{line}");
        assert_eq!(std::path::Path::new(&trail).exists(), is_written, "{line}");
    }
}

#[test]
fn verdicts_of_all_our_scripts_stay_what_they_are() {
    let mut n_compared = 0;
    for name in ["classics", "language"] {
        let entries = std::fs::read_dir(models().join(name)).expect("a folder of scripts");
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|ending| ending != "csp") {
                continue;
            }
            let strong = json(&format!("check {}", path.display()), b"");
            let weak = json(&format!("check --weak-leaves {}", path.display()), b"");
            assert_eq!(verdicts(&weak), verdicts(&strong), "{}", path.display());
            n_compared += verdicts(&weak).len();
        }
    }
    assert!(n_compared > 100, "{n_compared}");
}
