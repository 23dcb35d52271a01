//! Formulas for several members: the answer is that of each member written out, with symmetry and
//! without, and only members that are alike share one.

use crate::command::{Folder, object, run};
use serde_json::Value;

/// Clients of one resource, where the first has a text of its own if `ODD` is defined; the model
/// sets itself up in one step, in several, or not at all.
const CLIENTS: &str = "
#ifndef N
#define N 3
#endif
bool waiting[N], inside[N];
byte holder = N;
inline use(me) {
  waiting[me] = true;
  atomic { holder == N -> holder = me; inside[me] = true; waiting[me] = false };
  atomic { inside[me] = false; holder = N }
}
proctype client(byte me) { do :: use(me) od }
proctype other(byte me) { do :: use(me) :: break od }
init {
#ifdef SLOWLY
  waiting[0] = true; waiting[0] = false;
#endif
  atomic {
    byte k;
#ifdef ODD
    run other(0); k = 1;
#endif
    do :: k < N -> run client(k); k++ :: else -> break od
  }
}
";

fn check(flags: &str, formula: &str, file: &str) -> Value {
    let line = format!("check --json {flags} '{formula}' '{file}'");
    let (_, out, err) = run(&line, b"");
    let answer = object(&line, &out).unwrap_or_else(|e| panic!("{line}: {e} {err}"));
    let properties = answer["properties"].as_array().expect("a list");
    let mut formulas = properties
        .iter()
        .filter(|p| p["kind"] == "ltl" || p["kind"] == "ctl");
    formulas.next().expect("a formula").clone()
}

/// The classes that a property was checked by, first member first.
fn classes(property: &Value) -> Vec<Vec<i64>> {
    let members = property["members"].as_array().expect("members").iter();
    let all = |class: &Value| {
        let all = class["answered"].as_array().expect("a list").iter();
        all.filter_map(Value::as_i64).collect()
    };
    members.map(all).collect()
}

#[test]
fn one_member_of_each_class_is_checked_and_all_are_answered() {
    let folder = Folder::new("members");
    let file = folder.write("clients.pml", CLIENTS);
    let linear = [
        "[] (waiting[i] -> <> inside[i])",
        "[] <> !inside[i]",
        "<> inside[i]",
    ];
    for (define, expected) in [
        ("", vec![vec![0, 1, 2]]),
        ("-D ODD", vec![vec![0], vec![1, 2]]),
        ("-D SLOWLY", vec![vec![0, 1, 2]]),
    ] {
        for fair in ["", "--fair weak", "--fair strong"] {
            for formula in linear {
                let flags = format!("{define} {fair} --ltl");
                let whole = check(&flags, &format!("forall i: {formula}"), &file);
                let plain = format!("--no-symmetry {flags}");
                let written_out = check(&plain, &format!("forall i in 0..2: {formula}"), &file);
                // While the model sets itself up the first may be seen to wait, and no other.
                let seen = define == "-D SLOWLY" && formula.contains("waiting");
                let seen = seen.then(|| vec![vec![0], vec![1, 2]]);
                let expected = seen.as_ref().unwrap_or(&expected);
                assert_eq!(classes(&whole), *expected, "{define} {formula}");
                assert_eq!(classes(&written_out).len(), 3, "{define} {formula}");
                assert_eq!(
                    whole["verdict"], written_out["verdict"],
                    "{flags} {formula}"
                );
                for class in whole["members"].as_array().expect("members") {
                    for member in class["answered"].as_array().expect("a list") {
                        let one = formula.replace("[i]", &format!("[{member}]"));
                        let one = check(&flags, &one, &file);
                        assert_eq!(
                            one["verdict"], class["verdict"],
                            "{flags} {member} {formula}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn branching_time_has_members_too() {
    let folder = Folder::new("members-branching");
    let file = folder.write("clients.pml", CLIENTS);
    for (define, n_classes) in [("", 1), ("-D ODD", 2)] {
        for formula in ["AG EF inside[i]", "AF inside[i]", "EG !waiting[i]"] {
            let flags = format!("{define} --ctl");
            let verdict = |formula: &str| check(&flags, formula, &file)["verdict"].clone();
            let each: Vec<Value> = (0..3)
                .map(|n| verdict(&formula.replace("[i]", &format!("[{n}]"))))
                .collect();
            let all = each.iter().all(|verdict| verdict == "holds");
            let some = each.iter().any(|verdict| verdict == "holds");
            let word = |holds| if holds { "holds" } else { "violated" };
            assert_eq!(
                verdict(&format!("forall i: {formula}")),
                word(all),
                "{define} {formula}"
            );
            assert_eq!(
                verdict(&format!("exists i: {formula}")),
                word(some),
                "{define} {formula}"
            );
            let whole = check(&flags, &format!("forall i in 0..2: {formula}"), &file);
            assert_eq!(classes(&whole).len(), n_classes, "{define} {formula}");
        }
    }
}

#[test]
fn a_formula_that_names_one_member_says_for_whom_it_is_answered() {
    let folder = Folder::new("members-named");
    let file = folder.write("clients.pml", CLIENTS);
    let notes = |flags: &str, formula: &str| {
        let notes = check(flags, formula, &file)["notes"].clone();
        notes
            .as_array()
            .expect("notes")
            .iter()
            .filter_map(|n| Some(n.as_str()?.to_owned()))
            .collect::<Vec<String>>()
            .join("\n")
    };
    let formula = "[] (waiting[1] -> <> inside[1])";
    let note = |atoms: &str, others: &str| {
        format!(
            "not all symmetries keep {atoms}\nyou asked about 1; by symmetry the answer is the \
             same for {others}; all: `forall i: …`"
        )
    };
    let both = "`waiting[1]`, `inside[1]`";
    assert_eq!(notes("--ltl", formula), note(both, "0, 2"));
    assert_eq!(notes("-D ODD --ltl", formula), note(both, "2"));
    assert_eq!(notes("--no-symmetry --ltl", formula), "");
    let inside = "AG EF inside[1]";
    assert_eq!(notes("--ctl", inside), note("`inside[1]`", "0, 2"));
    // What is compared is renamed with it.
    let holder = "[] (waiting[1] -> <> (holder == 1))";
    let atoms = "`waiting[1]`, `holder == 1`";
    assert_eq!(notes("--ltl", holder), note(atoms, "0, 2"));
    // Only what costs symmetry is named.
    let free = "[] (holder == N -> <> inside[1])";
    assert_eq!(notes("--ltl", free), note("`inside[1]`", "0, 2"));
    // It names two, or nobody, or one that is like no other.
    assert_eq!(
        notes("--ltl", "[] (waiting[1] -> <> inside[0])"),
        "not all symmetries keep `waiting[1]`, `inside[0]`"
    );
    assert_eq!(notes("--ltl", "[] <> (holder == N)"), "");
    assert_eq!(notes("-D ODD --ltl", "[] <> !inside[0]"), "");
}

#[test]
fn exists_is_one_formula_of_linear_time() {
    let folder = Folder::new("members-exists");
    let file = folder.write("clients.pml", CLIENTS);
    // Some client gets in for ever again, but no client does in every run.
    let some = check("--ltl", "exists i: [] <> inside[i]", &file);
    assert_eq!(some["verdict"], "holds");
    assert_eq!(
        check("--ltl", "forall i: [] <> inside[i]", &file)["verdict"],
        "violated"
    );
}

/// Formulas with quantifiers inside them, and the same written out for three members.
const INSIDE: [(&str, &str); 6] = [
    (
        "[] (forall i: waiting[i] -> <> inside[i])",
        "[] ((waiting[0] -> <> inside[0]) && (waiting[1] -> <> inside[1]) \
         && (waiting[2] -> <> inside[2]))",
    ),
    (
        "[] <> (exists i: inside[i])",
        "[] <> (inside[0] || inside[1] || inside[2])",
    ),
    (
        "[] (forall i: inside[i] -> (forall j in 0..2: j == i || !inside[j]))",
        "[] !(inside[0] && inside[1] || inside[0] && inside[2] || inside[1] && inside[2])",
    ),
    (
        "(forall i: [] <> inside[i]) -> [] (exists j: inside[j])",
        "([] <> inside[0] && [] <> inside[1] && [] <> inside[2]) -> \
         [] (inside[0] || inside[1] || inside[2])",
    ),
    (
        "!(exists i: <> [] inside[i])",
        "!<> [] inside[0] && !<> [] inside[1] && !<> [] inside[2]",
    ),
    (
        "exists i: <> inside[i] && (exists j: [] !waiting[j])",
        "(<> inside[0] || <> inside[1] || <> inside[2]) && \
         ([] !waiting[0] || [] !waiting[1] || [] !waiting[2])",
    ),
];

#[test]
fn quantifiers_inside_a_formula_are_what_is_written_out() {
    let folder = Folder::new("members-inside");
    let file = folder.write("clients.pml", CLIENTS);
    for define in ["", "-D ODD", "-D SLOWLY"] {
        for (formula, written_out) in INSIDE {
            for fair in ["", "--fair strong"] {
                let verdict = |flags: &str, formula: &str| {
                    let flags = format!("{define} {fair} {flags} --ltl");
                    check(&flags, formula, &file)["verdict"].clone()
                };
                let expected = verdict("--no-symmetry", written_out);
                assert_ne!(expected, "unknown", "{formula}");
                for one in [formula, written_out] {
                    let found = verdict("--self-check", one);
                    assert_eq!(found, expected, "{define} {fair} {one}");
                }
            }
        }
    }
}

#[test]
fn formulas_that_treat_members_alike_keep_the_whole_group() {
    let folder = Folder::new("members-whole");
    let file = folder.write("clients.pml", CLIENTS);
    // One atom that no symmetry changes.
    let some = check("--ltl", "[] <> (exists i: inside[i])", &file);
    assert_eq!(some["group_order"], "6");
    assert_eq!(some["atoms"][0], "exists i: inside[i]");
    let pairs = "[] (forall i: inside[i] -> (forall j in 0..2: j == i || !inside[j]))";
    assert_eq!(check("--ltl", pairs, &file)["group_order"], "6");
    // Atoms for each member, in parts that symmetries make of each other.
    for (formula, parts, order_of_parts) in [
        (INSIDE[0].0, vec![vec![1, 2, 3]], "6"),
        (INSIDE[0].1, vec![vec![1, 2, 3]], "6"),
        (
            "[] <> inside[0] && [] <> inside[1] && [] <> inside[2]",
            vec![vec![1, 2, 3]],
            "6",
        ),
        (
            "[] <> inside[0] && [] <> waiting[1] && [] <> inside[2]",
            vec![vec![1, 3], vec![2]],
            "2",
        ),
    ] {
        let told = check("--ltl", formula, &file);
        assert_eq!(classes(&told), parts, "{formula}");
        let first = &told["members"][0];
        assert_eq!(first["name"], "part", "{formula}");
        assert_eq!(first["group_order"], "2", "{formula}");
        assert_eq!(first["group_of_members"], order_of_parts, "{formula}");
    }
    // What is no conjunction is not taken apart.
    let one = check("--ltl", "<> [] inside[0] || <> [] inside[1]", &file);
    assert_eq!(one["members"], serde_json::json!([]));
}

#[test]
fn a_formula_for_pairs_is_checked_once_for_each_kind_of_pair() {
    let folder = Folder::new("members-pairs");
    let file = folder.write("clients.pml", CLIENTS);
    let formula = "forall i: forall j: [] (waiting[i] -> <> inside[j])";
    let told = check("-D N=4 --ltl", formula, &file);
    assert_eq!(told["verdict"], "violated");
    let same = vec![1, 6, 11, 16];
    let other: Vec<i64> = (1..=16).filter(|n| !same.contains(n)).collect();
    assert_eq!(classes(&told), [same, other]);
    let notes = [
        "part 1 (waiting[0], inside[0]): violated; by symmetry the same for 6, 11, 16",
        "part 2 (waiting[0], inside[1]): violated; by symmetry the same for 3 to 5, 7 to 10, \
         12 to 15",
    ];
    assert_eq!(told["notes"], serde_json::json!(notes));
    let orders: Vec<&Value> = (0..2).map(|n| &told["members"][n]["group_order"]).collect();
    assert_eq!(orders, ["6", "2"]);
}

#[test]
fn mistakes_are_told_at_their_places() {
    let folder = Folder::new("members-mistakes");
    let file = folder.write("clients.pml", CLIENTS);
    for (formula, message) in [
        ("forall i: [] <> (holder == i)", "no array says what"),
        (
            "forall i in 3..1: [] <> inside[i]",
            "must run over 1 to 300",
        ),
        ("forall i in 0: [] <> inside[i]", "a range of numbers"),
        ("forall i [] <> inside[i]", "`in` and a range, or `:`"),
        ("forall i: [] <> insde[i]", "no array says what"),
        (
            "forall i: [] <> (inside[i] && insde)",
            "`insde` is not declared",
        ),
        ("[] (exists i: holder == i)", "no array says what"),
        (
            "[] (forall i: <> (exists i: inside[i]))",
            "`i` is the name of a member already",
        ),
        (
            "forall i: [] (exists j: insde || inside[j] != inside[i])",
            "`insde` is not declared",
        ),
        (
            "[] (forall i in 0..299: exists j in 0..299: inside[i - i] <= j)",
            "quantifiers give more than 10000 formulas",
        ),
        (
            "[] ((exists i: <> inside[i]) + 1)",
            "no number as its value",
        ),
    ] {
        let (code, _, err) = run(&format!("check --ltl '{formula}' '{file}'"), b"");
        assert_eq!(code, 2, "{formula}: {err}");
        assert_eq!(err.matches("error").count(), 1, "{formula}: {err}");
        assert!(err.contains(message), "{formula}: {err}");
    }
}

#[test]
fn a_run_that_goes_round_is_recorded_and_replayed() {
    let folder = Folder::new("members-trail");
    let file = folder.write("clients.pml", CLIENTS);
    for name in ["run.jsonl", "run.trail"] {
        let trail = folder.write(name, "");
        let line = format!("check --ltl '[] <> inside[1]' --trail '{trail}' '{file}'");
        let (code, out, err) = run(&line, b"");
        assert_eq!(code, 1, "{out}{err}");
        let (code, out, err) = run(&format!("simulate --replay '{trail}' '{file}'"), b"");
        assert_eq!(code, 0, "{name}: {out}{err}");
        assert!(out.contains("goes round for ever"), "{name}: {out}");
    }
}
