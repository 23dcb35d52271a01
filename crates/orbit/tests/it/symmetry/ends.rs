//! Processes that end under the rules of SPIN, which removes them in reverse order of creation:
//! those keep their symmetry that can never be the last, or that stay where they are. What is found
//! is compared with the state graph, and with the states that are counted without symmetry.

use crate::command::{json, run};

/// Where processes of a type come to.
const LAST: [&str; 4] = ["skip", "end: false", "end: do :: false od", "do :: true od"];

/// The type of process `n`, of so many instances.
fn active(n: usize, n_instances: usize, last: &str) -> String {
    let wait = if n == 1 { "(t < 2) -> " } else { "" };
    format!(
        "active [{n_instances}] proctype P{n}() {{ {wait}x[_pid] = 1; t = (t + 1) % 3; {last} }}\n"
    )
}

/// The order of the group that is found, after it was compared with the state graph and with what
/// is counted.
#[track_caller]
fn order(text: &str, flags: &str) -> u64 {
    let line = format!("symmetry - --detect kripke {flags}");
    let (code, out, err) = run(&line, text.as_bytes());
    assert_eq!(code, 0, "{line}\n{text}{out}{err}");
    let told = json(&format!("symmetry - {flags}"), text.as_bytes());
    let line = format!("check - -e -n --count-full --audit {flags}");
    let with = json(&line, text.as_bytes());
    let without = json(
        &format!("check - -e -n --no-symmetry {flags}"),
        text.as_bytes(),
    );
    assert_eq!(with["verdict"], without["verdict"], "{text}");
    let full = with["counts"]["full_states"].as_u64();
    let full = full.or(with["counts"]["states"].as_u64());
    assert_eq!(full, without["counts"]["states"].as_u64(), "{text}{flags}");
    let order = told["group_order"].as_str().and_then(|n| n.parse().ok());
    order.expect("a small order")
}

#[test]
fn who_ends_is_symmetric_as_far_as_the_rules_of_spin_allow() {
    let mut n_kept = 0;
    for flags in ["--plain", "--spin-compat", ""] {
        for first in LAST {
            for second in LAST {
                let text = format!(
                    "byte x[5]; byte t;\n{}{}",
                    active(0, 3, first),
                    active(1, 2, second)
                );
                let order = order(&text, flags);
                // Who was created before somebody who stays is never removed.
                let second_stays = second != "skip";
                let first_stays = first != "skip" || second_stays;
                let wanted = match (first_stays, second_stays, flags) {
                    (_, _, "") | (true, true, _) => 12,
                    (true, false, _) => 6,
                    _ => 1,
                };
                assert_eq!(order, wanted, "{flags} {text}");
                n_kept += u32::from(order > 1);
            }
        }
    }
    assert!(n_kept > 30, "{n_kept}");
}

/// A formula with `timeout` in its model, and one that asks where processes are.
#[test]
fn who_stays_is_symmetric_beside_timeout() {
    for last in LAST {
        let text = format!(
            "byte x[5]; byte t; bool late;\n{}\
             active proctype W() {{ do :: timeout -> late = !late od }}\n",
            active(0, 3, last)
        );
        for flags in ["--plain", "--spin-compat", ""] {
            for formula in ["[] <> late", "[] (t < 3)", "<> (P0[1]@L)"] {
                let text = text.replace("x[_pid] = 1;", "L: x[_pid] = 1;");
                let ask = |more: &str| {
                    let line = format!("check - -n {flags} {more} --ltl '{formula}'");
                    let answer = json(&line, text.as_bytes());
                    let properties = answer["properties"].as_array().expect("a list").iter();
                    let mut asked = properties.filter(|one| one["name"] == "command_line");
                    asked.next().expect("the formula").clone()
                };
                let (with, without) = (ask(""), ask("--no-symmetry"));
                assert_eq!(with["verdict"], without["verdict"], "{formula}\n{text}");
                let wanted = if formula.contains('@') { "2" } else { "6" };
                assert_eq!(
                    with["group_order"], wanted,
                    "{flags} {formula} {text}{with}"
                );
            }
        }
    }
}
