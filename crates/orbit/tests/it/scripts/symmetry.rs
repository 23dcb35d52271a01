//! `orbit symmetry` of scripts: sorts, groups, why, and what tells values apart; and that `orbit
//! check` uses the symmetry of rings.

use super::{models, verdicts};
use crate::command::{Folder, json, run};
use serde_json::Value;

const USERS: &str = "\
channel enter, leave : {1..3}
USER(i) = enter.i -> leave.i -> USER(i)
ALL = ||| i : {1..3} @ USER(i)
FIRST = enter.1 -> leave.1 -> FIRST [] enter?i:{2..3} -> FIRST [] leave?i:{2..3} -> FIRST
assert RUN({| enter, leave |}) [T= ALL
assert FIRST [T= ALL
";

fn assertions(told: &Value) -> &Vec<Value> {
    told["properties"].as_array().expect("assertions")
}

#[test]
fn the_group_the_rules_and_the_line_are_told() {
    let folder = Folder::new("users_symmetry");
    let file = folder.write("users.csp", USERS);
    let told = json(&format!("symmetry {file}"), b"");
    let sorts = told["sorts"].as_array().expect("sorts");
    assert_eq!(sorts.len(), 1, "{sorts:?}");
    assert_eq!(sorts[0]["members"], serde_json::json!(["1", "2", "3"]));
    assert_eq!(sorts[0]["lines"], serde_json::json!([1]));
    let all = assertions(&told);
    assert_eq!(
        (&all[0]["structure"], &all[0]["group_order"]),
        (&"S3".into(), &"6".into())
    );
    for generator in all[0]["generators"].as_array().expect("generators") {
        for why in generator["why"].as_array().expect("why") {
            assert_eq!(why["derived"], true, "{why}");
        }
    }
    assert_eq!(all[0]["rejected"].as_array().map(Vec::len), Some(0));
    let rules = &all[0]["generators"][0]["why"][0]["rules"];
    let names: Vec<&str> = rules
        .as_array()
        .expect("rules")
        .iter()
        .filter_map(|rule| rule["rule"].as_str())
        .collect();
    assert_eq!(
        &names[..3],
        ["definition", "row 9", "definition"],
        "{rules}"
    );
    // The specification of the second names 1, in line 4.
    assert_eq!(all[1]["group_order"], "2");
    let apart = &all[1]["rejected"][0];
    assert_eq!(apart["candidate"], "(1 2)");
    assert_eq!(
        (&apart["line"], &apart["words"]),
        (&4.into(), &"names 1".into()),
        "{apart}"
    );
    let (code, text, _) = run(&format!("symmetry {file} --assert 2"), b"");
    assert_eq!(code, 0);
    assert!(
        text.contains("1 and 2 are not interchangeable: line 4 names 1"),
        "{text}"
    );
    assert!(!text.contains("RUN("), "{text}");
}

#[test]
fn flags_of_others_are_refused() {
    let folder = Folder::new("users_flags");
    let file = folder.write("users.csp", USERS);
    for flag in [
        "--plain",
        "--detect structure",
        "--seed 1",
        "--set-size A=2",
        "--leaf-states 0",
    ] {
        let (code, _, said) = run(&format!("symmetry {flag} {file}"), b"");
        assert_eq!(code, 2, "{flag}: {said}");
    }
    let (code, _, said) = run(&format!("symmetry {file} --assert 7"), b"");
    assert!(code == 2 && said.contains("no assertion"), "{said}");
    let model = folder.write("m.pml", "init { skip }");
    let (code, _, said) = run(&format!("symmetry --assert 1 {model}"), b"");
    assert!(
        code == 2 && said.contains("`--assert` is for CSPM scripts"),
        "{said}"
    );
}

/// A ring of stations that are all alike, each with a token or without.
const RING: &str = "\
N = 5
channel pass, work : {0..N-1}
HAS(i) = work.i -> HAS(i) [] pass.i -> EMPTY(i)
EMPTY(i) = pass.((i + N - 1) % N) -> HAS(i)
A(i) = {work.i, pass.i, pass.((i + N - 1) % N)}
RING = || i : {0..N-1} @ [A(i)] (HAS(i) |~| EMPTY(i))
assert RUN(Events) [T= RING
assert RING :[deadlock free [F]]
";

#[test]
fn rings_are_turned() {
    let folder = Folder::new("ring_symmetry");
    let file = folder.write("ring.csp", RING);
    let told = json(&format!("symmetry {file}"), b"");
    let all = assertions(&told);
    assert_eq!(
        (&all[0]["structure"], &all[0]["group_order"]),
        (&"C5".into(), &"5".into())
    );
    assert_eq!(all[0]["generators"][0]["cycles"], "(0 1 2 3 4)");
    assert_eq!(all[0]["generators"][0]["why"][0]["derived"], true);
    let plain = json(&format!("check --no-symmetry {file}"), b"");
    let turned = json(&format!("check {file}"), b"");
    assert_eq!(verdicts(&plain), verdicts(&turned));
    let pairs = |told: &Value, i: usize| told["properties"][i]["counts"]["pairs"].as_u64();
    let full = pairs(&plain, 0).expect("pairs");
    assert!(pairs(&turned, 0).is_some_and(|n| n * 3 < full), "{full}");
    assert_eq!(turned["properties"][0]["counts"]["full_states"], full);
}

#[test]
fn comparisons_are_told_before_ranges() {
    let file = models().join("classics/token_ring.csp");
    let text = std::fs::read_to_string(&file).expect("a readable script");
    let line = text
        .lines()
        .position(|line| line.contains("if i == 0 then"));
    let told = json(&format!("symmetry --assert 1 {}", file.display()), b"");
    let apart = &assertions(&told)[0]["rejected"][0];
    assert_eq!(apart["line"], line.map_or(0, |line| line + 1), "{apart}");
    assert_eq!(apart["words"], "names 0");
}

#[test]
fn philosophers_are_turned() {
    let file = models().join("classics/philosophers.csp");
    let told = json(&format!("symmetry --assert 2 {}", file.display()), b"");
    let all = assertions(&told);
    assert_eq!(
        (&all[0]["structure"], &all[0]["group_order"]),
        (&"C4".into(), &"4".into())
    );
}

#[test]
fn values_inside_of_values_and_sorts_together_are_exchanged() {
    let folder = Folder::new("inside_symmetry");
    let text = "\
datatype Msg = Hello.{1..2} | Bye
datatype Who = ann | bob
datatype Box = left | right
channel send : Msg.Set({1..2})
channel put : Who.Box
own(ann) = left
own(bob) = right
S(i) = send.Hello.i.{i} -> S(i)
W(w) = put.w.own(w) -> W(w)
assert STOP [F= S(1) ||| S(2)
assert STOP [F= W(ann) ||| W(bob)
";
    let file = folder.write("inside.csp", text);
    let told = json(&format!("symmetry {file}"), b"");
    let names: Vec<&Value> = assertions(&told)
        .iter()
        .map(|told| &told["generators"][0]["cycles"])
        .collect();
    assert_eq!(names, ["(1 2)", "(ann bob)(left right)"], "{told}");
}

#[test]
fn a_symmetry_that_moves_no_state_is_told_as_such() {
    let folder = Folder::new("script-still");
    let text = "channel c, d : {1..2}\nR = [] e : Events @ e -> R\nassert R [T= (c?x -> STOP)\n\
                assert R [T= (c.1 -> d.2 -> STOP)\n";
    let file = folder.write("still.csp", text);
    let (code, out, err) = run(&format!("symmetry {file}"), b"");
    assert_eq!((code, &*err), (0, ""));
    assert!(
        out.contains("what is interchangeable moves no state"),
        "{out}"
    );
    assert!(
        out.contains("(1 2) in field 1 of c, field 1 of d: events"),
        "{out}"
    );
    // Where an exchange is none, nothing is interchangeable.
    assert!(out.contains("trivial: nothing is interchangeable"), "{out}");
    let told = json(&format!("symmetry {file}"), b"");
    let all = assertions(&told);
    assert_eq!(
        all[0]["moves_no_state"],
        serde_json::json!(["(1 2) in field 1 of c, field 1 of d"])
    );
    assert_eq!(all[0]["group_order"], "1");
    assert_eq!(all[1]["moves_no_state"], serde_json::json!([]));
}

#[test]
fn a_script_without_assertions_has_nothing_to_be_symmetric() {
    let folder = Folder::new("script-silent");
    for text in ["", "channel a : {1..2}\n", "-- nothing\r\n"] {
        let file = folder.write("silent.csp", text);
        let (code, out, err) = run(&format!("symmetry {file}"), b"");
        assert_eq!((code, &*err), (0, ""), "{text:?}");
        assert!(
            out.contains("none, and so nothing to be symmetric"),
            "{out}"
        );
    }
}

/// Orders of the groups and pairs of the assertions of a script, whose orbits are counted, audited
/// and compared with a search without symmetry.
fn groups(name: &str, text: &str) -> Vec<(String, u64)> {
    let folder = Folder::new(name);
    let file = folder.write("script.csp", text);
    let flags = "--count-full --audit --self-check";
    let told = json(&format!("check {flags} {file}"), b"");
    let all = assertions(&told).iter().map(|property| {
        let order = property["symmetry"]["group_order"].as_str();
        let pairs = property["counts"]["states"].as_u64();
        let checked = property["self_check"].as_str().unwrap_or("");
        assert!(checked.starts_with("the same without"), "{property}");
        (order.unwrap_or("").to_owned(), pairs.unwrap_or(0))
    });
    all.collect()
}

/// A lock that holds the number of its owner, or 0.
const OWNED: &str = "\
channel take, give : {1..4}.{0..4}
channel in : {1..4}
USER(i) = take.i.0 -> in.i -> give.i.i -> USER(i)
LOCK(x) = take?i!x -> (if x == 0 then LOCK(i) else LOCK(x)) [] give?i!x -> LOCK(0)
SYSTEM = (||| i : {1..4} @ USER(i)) [| {| take, give |} |] LOCK(0)
assert SYSTEM :[deadlock free [F]]
";

#[test]
fn names_move_where_nobody_is_a_number_besides() {
    assert_eq!(groups("owned", OWNED), [("24".to_owned(), 3)]);
    // Who orders the names tells them apart.
    let ordered = OWNED.replace("if x == 0", "if x < 2");
    let found = groups("ordered", &ordered);
    assert_eq!(found[0].0, "6", "2, 3 and 4 are left");
}

/// Components without a number, alone and in pairs.
const SAME: &str = "\
channel a, b, c, d
P = a -> b -> P
PAIR = (a -> c -> STOP) [| {c} |] (b -> c -> STOP)
OTHER = a -> b -> c -> OTHER
assert ||| i : {1..4} @ P :[deadlock free [F]]
assert ||| i : {1..3} @ PAIR :[deadlock free [F]]
assert P ||| P ||| OTHER :[deadlock free [F]]
assert P ||| (P [[ b <- d ]]) :[deadlock free [F]]
";

#[test]
fn components_that_are_the_same_are_interchangeable() {
    let found = groups("same", SAME);
    assert_eq!(found[0], ("24".to_owned(), 5));
    // Pairs as wholes, and `a` with `b` in all of them.
    assert_eq!(found[1].0, "12");
    assert_eq!(found[2].0, "2");
    assert_eq!(found[3].0, "1");
}

/// Two processes that differ in their channels only.
const CHANNELS: &str = "\
channel a, b, c : {1..2}
P = a?x -> a!x -> P
Q = b?x -> b!x -> Q
R = c?x -> c.1 -> R
assert P ||| Q ||| R :[deadlock free [F]]
assert a?x -> a!x -> STOP [T= P ||| Q
";

#[test]
fn channels_that_carry_the_same_are_interchangeable() {
    let found = groups("channels", CHANNELS);
    // P with Q, and the values of both; those of c are told apart.
    assert_eq!(found[0], ("4".to_owned(), 8));
}

#[test]
fn determinism_is_checked_up_to_symmetry() {
    let folder = Folder::new("determinism_symmetry");
    let text = "\
channel a, b, c : {1..4}
P(i) = a.i -> b.i -> c.i -> P(i)
Q(i) = a.i -> b.i -> Q(i) [] a.i -> c.i -> Q(i)
assert (||| i:{1..4} @ P(i)) :[deterministic]
assert (||| i:{1..4} @ P(i)) :[deterministic [F]]
assert (||| i:{1..4} @ Q(i)) :[deterministic]
";
    let file = folder.write("determinism.csp", text);
    let told = json(&format!("check --self-check --audit {file}"), b"");
    let n = |told: &Value, key: &str| told[key].as_u64();
    for (at, verdict) in ["holds", "holds", "violated"].into_iter().enumerate() {
        assert_eq!(assertions(&told)[at]["verdict"], verdict);
    }
    // Of 81 pairs; how many processes are before `a`, `b` and `c`.
    let first = &assertions(&told)[0];
    assert_eq!(n(&first["counts"], "states"), Some(15), "{told}");
    assert_eq!(first["symmetry"]["guarantee"], "approximate");
    let told = json(&format!("symmetry {file}"), b"");
    assert_eq!(assertions(&told)[0]["group_order"], "24");
}
