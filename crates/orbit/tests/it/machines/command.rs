//! What `check`, `symmetry` and `simulate` print of B machines. The guide has more, run by another
//! test.

use crate::command::{Folder, json, printed, run};
use serde_json::{Value, json};

/// The path of a machine of ours, from the folder of the guide.
fn model(name: &str) -> String {
    format!("../../models/b/{name}")
}

/// What is wrong with this command line, in words.
fn refused(line: &str) -> String {
    let (code, out, err) = run(line, b"");
    assert_eq!((code, out.as_str()), (2, ""), "{line}\n{err}");
    err
}

/// The property of that name, of what `--json` prints.
fn property(told: &Value, name: &str) -> Value {
    let all = told["properties"].as_array().expect("a list");
    let found = all.iter().find(|property| property["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {told}")).clone()
}

#[test]
fn a_machine_that_holds() {
    let line = format!(
        "check --count-full --audit --self-check {}",
        model("phonebook.mch")
    );
    let text = "\
verdict         holds
invariant       holds
deadlock        holds
assertions      holds
faults          holds

states          4
transitions     17
depth           2
symmetry        S2 x S2, order 4
full states     9
audit           every generator carries the moves of 4 states to moves
self-check      the same without symmetry, in 9 states
";
    assert_eq!(printed(&line), (0, text.to_owned()));
    let told = json(&line, b"");
    assert_eq!(told["verdict"], "holds");
    assert_eq!(told["model"]["language"], "b");
    assert_eq!(told["model"]["set_sizes"], json!({ "Name": 2, "Code": 2 }));
    assert_eq!(told["counts"]["states"], 4);
    assert_eq!(told["counts"]["full_states"], 9);
    for (n, cycles) in ["(Name1 Name2)", "(Code1 Code2)"].into_iter().enumerate() {
        assert_eq!(told["symmetry"]["generators"][n]["cycles"], cycles);
        assert_eq!(told["symmetry"]["sorts"][n]["kind"], "deferred");
    }
}

#[test]
fn a_false_invariant_is_shown_with_its_conjunct_and_its_values() {
    let line = format!("check --no-symmetry {}", model("phonebook_err_add.mch"));
    let text = "\
verdict         violated
invariant       violated
deadlock        unknown: the search stopped at another error
assertions      unknown: the search stopped at another error
faults          unknown: the search stopped at another error

invariant violated in line 18: db : Name +-> Code
initially       db = {}, active = {}, activec = {}
#  line  step               changes
1    31  add(Name1, Code1)  db: {} → {(Name1|->Code1)}, active: {} → {Name1}, activec: {} → {Code1}
2    31  add(Name1, Code2)  db: + (Name1|->Code2), activec: + Code2
finally         db = {(Name1|->Code1),(Name1|->Code2)}, active = {Name1}, activec = {Code1,Code2}
because         db = {(Name1|->Code1),(Name1|->Code2)}

states          11
transitions     29
depth           2
";
    assert_eq!(printed(&line), (1, text.to_owned()));
    let told = json(&line, b"");
    let invariant = property(&told, "invariant");
    assert_eq!(invariant["step"], "db : Name +-> Code");
    assert_eq!(invariant["line"], 18);
    let witness = &invariant["witness"];
    assert_eq!(witness["moves"], 2);
    let value = "{(Name1|->Code1),(Name1|->Code2)}";
    assert_eq!(witness["because"], json!({ "db": value }));
    assert_eq!(witness["steps"][2]["step"], "add(Name1, Code2)");
    assert_eq!(property(&told, "deadlock")["verdict"], "unknown");
    // With symmetry the run is as long, and one of the machine itself.
    let told = json(&format!("check {}", model("phonebook_err_add.mch")), b"");
    assert_eq!(property(&told, "invariant")["witness"]["moves"], 2);
}

#[test]
fn a_deadlock_is_shown_with_the_way_to_it() {
    let line = format!("check --no-symmetry {}", model("scheduler0_err.mch"));
    let (code, text) = printed(&line);
    assert_eq!(code, 1);
    for part in [
        "deadlock        violated\n",
        "deadlock: no step can be taken\n",
        "finally         proc = {PROC1,PROC2}",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let told = json(&line, b"");
    let deadlock = property(&told, "deadlock");
    assert_eq!(deadlock["witness"]["moves"], 4);
    let end = "{(PROC1|->ready),(PROC2|->ready)}";
    assert_eq!(deadlock["witness"]["end"]["pst"], end);
    let (code, _) = printed(&format!("{line} --no-deadlock"));
    assert_eq!(code, 0);
}

#[test]
fn a_goal_is_found_where_it_is_looked_for() {
    let file = model("russian_postal_puzzle_goal.mch");
    let told = json(&format!("check --goal GOAL {file}"), b"");
    let goal = property(&told, "goal");
    assert_eq!(
        (&told["verdict"], &goal["line"]),
        (&json!("violated"), &json!(19))
    );
    assert_eq!(goal["message"], "goal reached");
    assert_eq!(goal["witness"]["moves"], 9);
    assert_eq!(goal["witness"]["end"]["hasbox"], "natasha");
    let told = json(&format!("check {file}"), b"");
    assert_eq!(told["verdict"], "holds");
    let told = json(&format!("check --goal 'hasbox = boris' {file}"), b"");
    assert_eq!(property(&told, "goal")["witness"]["moves"], 0);
    let words = refused(&format!("check --goal 'hasbox =' {file}"));
    assert!(words.contains("--goal:1"), "{words}");
    let words = refused(&format!("check --goal GOAL {}", model("phonebook.mch")));
    assert!(words.contains("`--goal` needs a predicate"), "{words}");
}

#[test]
fn what_cannot_be_tried_in_full_is_unknown() {
    let (code, text) = printed(&format!("check {}", model("reject/unbounded.mch")));
    assert_eq!(code, 3);
    for part in [
        "verdict         unknown\n",
        "faults          unknown: not all ways to take a step were tried\n",
        "only what lies in -1..3 was tried in line 13: k (seen 2 times)\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn properties_that_do_not_hold_leave_nothing_to_run() {
    let folder = crate::command::Folder::new("properties");
    for (properties, words) in [
        (
            "CONSTANTS k PROPERTIES k : 1..3 & k > 3",
            "no values of the constants",
        ),
        ("PROPERTIES 1 > 2", "the properties do not hold"),
    ] {
        let text =
            format!("MACHINE m {properties} VARIABLES v INVARIANT v = 1 INITIALISATION v := 1 END");
        let path = folder.write("m.mch", text);
        let told = refused(&format!("check '{path}'"));
        assert!(told.contains(words) && told.contains("m.mch:1:"), "{told}");
    }
}

#[test]
fn machines_can_be_read_only() {
    let file = model("hotel_keys.ref");
    let text = format!(
        "accepted        {file}\nsets            4\nvariables       8\noperations      4\n"
    );
    assert_eq!(printed(&format!("check --parse-only {file}")), (0, text));
    let told = json(&format!("check --parse-only {file}"), b"");
    assert_eq!(
        (&told["accepted"], &told["parts"]["sets"]),
        (&json!(true), &json!(4))
    );
    assert_eq!(told["model"]["language"], "b");
}

#[test]
fn sizes_come_from_the_command_line() {
    let file = model("phonebook.mch");
    let n_states = |flags: &str| {
        let told = json(&format!("check --no-symmetry {flags} {file}"), b"");
        told["counts"]["states"].clone()
    };
    assert_eq!(n_states("--default-set-size 3"), 64);
    assert_eq!(n_states("--set-size Name=1 --set-size Code=4"), 5);
    for (flags, words) in [
        ("--set-size Nome=3", "no deferred set"),
        ("--set-size Name", "needs SET=N"),
        (
            "--maxint 1 --minint 2",
            "the largest number is 1, and the least is 2",
        ),
        ("-D N=3", "`-D` is for Promela"),
        ("--spin-compat", "`--spin-compat` is for Promela"),
        ("--reduce pc-segmented", "looks at processes"),
        ("--property ltl", "1 invariant, 2 deadlock"),
    ] {
        let told = refused(&format!("check {flags} {file}"));
        assert!(told.contains(words), "{flags}\n{told}");
    }
    let told = refused("check --set-size N=3 mutex.pml");
    assert!(told.contains("is for B machines"), "{told}");
}

#[test]
fn the_symmetry_of_a_machine_is_shown_with_its_grounds() {
    let text = "\
group           S2 x S2, order 4
generators      (Worker1 Worker2)
                (morning evening)
advice          canonical: the group is S2 x S2, exact and cheap
sets            Worker = {Worker1 Worker2} (deferred)
                  all are interchangeable: no formula of B can tell them apart
                Shift = {morning evening night} (enumerated)
                  {morning evening} are interchangeable: they are used alike
                  morning and night: the operation `sleep` tells them apart
types           plan: POW(Worker * Shift)
";
    assert_eq!(printed("symmetry shifts.mch"), (0, text.to_owned()));
    let told = json("symmetry --set-size Worker=4 shifts.mch", b"");
    assert_eq!(told["group_order"], "48");
    assert_eq!(told["structure"], "S4 x S2");
    let advice = "canonical: the group is S4 x S2, exact and cheap";
    assert_eq!(told["advice"], advice);
    let checked = json("check --set-size Worker=4 shifts.mch", b"");
    assert_eq!(checked["symmetry"]["advice"], advice);
    assert_eq!(told["rejected"], json!([]));
    let plan = json!([{
        "name": "plan",
        "constant": false,
        "type": "POW(Worker * Shift)",
        "sets": ["Worker", "Shift"],
    }]);
    assert_eq!(told["types"], plan);
    let shift = &told["sorts"][1];
    assert_eq!(shift["kind"], "enumerated");
    assert_eq!(
        shift["interchangeable"][0]["members"],
        json!(["morning", "evening"])
    );
    assert_eq!(shift["single"], json!(["night"]));
    let apart = json!([{ "of": ["morning", "night"], "by": "the operation `sleep`" }]);
    assert_eq!(shift["told_apart"], apart);
}

/// The first set of a machine with this body, in what `orbit symmetry --json` tells.
fn first_set(sets: &str, body: &str) -> Value {
    let folder = crate::command::Folder::new("first-set");
    let text = format!("MACHINE m SETS {sets} VARIABLES v {body} END");
    let path = folder.write("m.mch", text);
    json(&format!("symmetry '{path}'"), b"")["sorts"][0].clone()
}

#[test]
fn every_part_of_a_machine_can_tell_elements_apart() {
    let sets = "S = {a, b}";
    let parts = [
        ("INVARIANT v <: S & a : v", "v := S", "", "the invariant"),
        ("INVARIANT v <: S", "v := {b}", "", "the initialisation"),
        (
            "INVARIANT v <: S",
            "v := S",
            "OPERATIONS o = PRE a : v THEN skip END",
            "the operation `o`",
        ),
        (
            "INVARIANT v <: S ASSERTIONS a : v",
            "v := S",
            "",
            "the assertions",
        ),
        (
            "DEFINITIONS GOAL == v = {a} INVARIANT v <: S",
            "v := S",
            "",
            "the goal",
        ),
    ];
    for (before, start, after, by) in parts {
        let set = first_set(sets, &format!("{before} INITIALISATION {start} {after}"));
        assert_eq!(set["interchangeable"], json!([]), "{by}");
        assert_eq!(set["told_apart"], json!([{ "of": ["a", "b"], "by": by }]));
    }
    let set = first_set(sets, "INVARIANT v <: S INITIALISATION v := {}");
    assert_eq!(set["interchangeable"][0]["reason"], "they are never named");
    let set = first_set("S", "INVARIANT v : INTEGER INITIALISATION v := 1");
    assert_eq!(set["in_states"], false);
    // A formula has a search of its own, and costs nothing elsewhere.
    let formula = "DEFINITIONS ASSERT_LTL == \"G {S1 : v}\"";
    let set = first_set(
        "S",
        &format!("{formula} INVARIANT v <: S INITIALISATION v := {{}}"),
    );
    assert_eq!(set["apart"], Value::Null);
}

#[test]
fn what_is_not_for_machines_is_refused() {
    for flag in [
        "-D N=3",
        "-U N",
        "--plain",
        "--spin-compat",
        "--detect kripke",
        "--conjugates 3",
        "--seed 3",
        "--diagram d.svg",
    ] {
        let told = refused(&format!("symmetry {flag} shifts.mch"));
        assert!(
            told.contains("is for Promela") && told.contains(", not for B machines"),
            "{flag}\n{told}"
        );
    }
    let told = refused("symmetry --time soon shifts.mch");
    assert!(told.contains("`--time` needs"), "{told}");
    let told = refused("symmetry --default-set-size 3 mutex.pml");
    assert!(
        told.contains("`--default-set-size` is for B machines"),
        "{told}"
    );
}

/// A machine in which one answer takes very long: no function has more values than arguments.
const ENDLESS: &str = "MACHINE m VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0\n\
    OPERATIONS up = PRE v = 0 THEN v := 1 END;\n\
    seek = ANY f WHERE v = 1 & f : 1..14 --> 1..14 & card(ran(f)) + card(f) = 29\n\
    THEN v := 0 END END\n";

#[test]
fn a_time_limit_reaches_into_a_single_answer() {
    let folder = Folder::new("one-answer");
    let path = folder.write("m.mch", ENDLESS);
    for flags in ["", "--no-symmetry --all-errors", "--search dfs"] {
        let line = format!("check '{path}' --time 300ms {flags}");
        let (code, out, err) = run(&line, b"");
        assert_eq!(code, 3, "{flags}: {out}{err}");
        let told = json(&line, b"");
        assert_eq!(told["verdict"], "unknown", "{flags}: {told}");
        assert_eq!(told["stop_reason"], "time", "{flags}");
        // A state whose moves were not all found is no deadlock.
        assert_eq!(told["counts"]["states"], 2, "{flags}");
        assert!(!told.to_string().contains("violated"), "{flags}: {told}");
    }
}

#[test]
fn a_time_limit_reaches_into_the_setting_up() {
    let folder = Folder::new("one-setup");
    let text = "MACHINE m CONSTANTS f PROPERTIES f : 1..14 --> 1..14 & card(ran(f)) = 15\n\
                VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0 OPERATIONS o = skip END\n";
    let path = folder.write("m.mch", text);
    let told = json(&format!("check '{path}' --time 300ms"), b"");
    assert_eq!(told["verdict"], "unknown", "{told}");
}

#[test]
fn what_is_undefined_in_a_guard_is_a_warning() {
    let folder = Folder::new("undefined-guard");
    let text = "MACHINE m VARIABLES f INVARIANT f : 0..1 +-> 0..1 INITIALISATION f := {}\n\
                OPERATIONS o = PRE f(0) = 1 THEN skip END;\n\
                p = f := {} END\n";
    let path = folder.write("m.mch", text);
    let (code, _, err) = run(&format!("check '{path}'"), b"");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("in some state this guard is false"), "{err}");
    assert!(err.contains("m.mch:2:"), "{err}");
    let (_, _, err) = run(&format!("check --quiet '{path}'"), b"");
    assert_eq!(err, "");
    let path = folder.write("n.mch", text.replace("f(0)", "card(f)"));
    let (_, _, err) = run(&format!("check '{path}'"), b"");
    assert!(!err.contains("guard"), "{err}");
}

#[test]
fn chosen_values_are_shown_where_they_tell_moves_apart() {
    let folder = Folder::new("shown-choices");
    let text = "MACHINE m DEFINITIONS SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE\n\
                VARIABLES n INVARIANT n < 2 INITIALISATION n := 0\n\
                OPERATIONS pick = ANY x WHERE x : 1..3 THEN n := x END END\n";
    let path = folder.write("m.mch", text);
    let (code, out, _) = run(&format!("check '{path}'"), b"");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("pick with x = 2"), "{out}");
}

#[test]
fn orders_of_the_search_agree_on_machines() {
    let path = super::models().join("scheduler0_err.mch");
    let told = |flags: &str| {
        let line = format!("check --all-errors {flags} '{}'", path.display());
        let told = json(&line, b"");
        (told["verdict"].clone(), told["counts"]["states"].clone())
    };
    assert_eq!(told(""), told("--search mixed --seed 5"));
    assert_eq!(told(""), told("--search dfs"));
}

#[test]
fn what_is_wrong_in_an_included_file_names_the_file() {
    let folder = Folder::new("included-fault");
    let inner = "MACHINE inner VARIABLES n INVARIANT n < 2 INITIALISATION n := 0\n\
                 OPERATIONS up = n := n + 1 END\n";
    folder.write("inner.mch", inner);
    let outer = "MACHINE outer INCLUDES inner VARIABLES b INVARIANT b : BOOL\n\
                 INITIALISATION b := TRUE OPERATIONS go = BEGIN up || b := TRUE END END\n";
    let path = folder.write("outer.mch", outer);
    let (code, out, _) = run(&format!("check '{path}'"), b"");
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("invariant violated in `inner.mch` in line 1"),
        "{out}"
    );
    // Alone it is the machine's own file.
    let path = folder.write("alone.mch", inner.replace("MACHINE inner", "MACHINE alone"));
    let (_, out, _) = run(&format!("check '{path}'"), b"");
    assert!(out.contains("invariant violated in line 1"), "{out}");
}

#[test]
fn structure_and_order_of_a_group_are_about_members_that_states_hold() {
    let folder = Folder::new("b-order");
    let text = "MACHINE m SETS S; T VARIABLES x INVARIANT x : S INITIALISATION x :: S
        OPERATIONS o(e) = PRE e : T THEN skip END END";
    let file = folder.write("m.mch", text);
    for command in ["check", "symmetry"] {
        let line = format!("{command} --default-set-size 3 {file}");
        let (_, out, _) = run(&line, b"");
        assert!(out.contains("S3, order 6\n"), "{out}");
        let told = json(&line, b"");
        let group = match command {
            "check" => &told["symmetry"],
            _ => &told,
        };
        assert_eq!(group["group_order"], "6", "{told}");
    }
}

#[test]
fn symmetry_that_is_dropped_has_a_reason() {
    let folder = Folder::new("b-dropped");
    let text = "MACHINE m SETS S DEFINITIONS SET_PREF_MAX_OPERATIONS == 1
        VARIABLES v INVARIANT v <: S INITIALISATION v := {}
        OPERATIONS add(s) = PRE s : S - v THEN v := v \\/ {s} END END";
    let file = folder.write("m.mch", text);
    let (_, out, _) = run(&format!("check --machine-limits {file}"), b"");
    let reason = "no symmetry is used: the machine asks for only some of the ways to go on";
    assert!(out.contains(reason), "{out}");
}

#[test]
fn numbers_of_a_run_are_part_of_its_trail() {
    let folder = Folder::new("b-numbers");
    let text = "MACHINE m VARIABLES x INVARIANT x : INT & x < 12 INITIALISATION x := 0
        OPERATIONS o = ANY y WHERE y : NAT & y > 1 THEN x := y END END";
    let file = folder.write("m.mch", text);
    let trail = folder.path("m.trail");
    let (code, ..) = run(&format!("check --maxint 15 --trail {trail} {file}"), b"");
    assert_eq!(code, 1);
    let (code, out, _) = run(
        &format!("simulate --maxint 15 --replay {trail} {file}"),
        b"",
    );
    assert_eq!(code, 1, "the run ends in the violation\n{out}");
    // The trail says which numbers were tried; a flag that says otherwise is refused.
    let (code, out, _) = run(&format!("simulate --replay {trail} {file}"), b"");
    assert_eq!(code, 1, "the run ends in the violation\n{out}");
    let why = refused(&format!("simulate --maxint 14 --replay {trail} {file}"));
    assert!(why.contains("--maxint"), "{why}");
}

#[test]
fn where_numbers_end_explains_what_is_no_nat() {
    let folder = Folder::new("b-nat");
    let text = "MACHINE m VARIABLES x INVARIANT x : NAT INITIALISATION x := 0
        OPERATIONS o = x := x + 1 END";
    let file = folder.write("m.mch", text);
    let (_, out, _) = run(&format!("check {file}"), b"");
    assert!(out.contains("x = 4, MAXINT = 3"), "{out}");
}

#[test]
fn preferences_are_honoured_or_named() {
    let folder = Folder::new("b-preferences");
    let text = |preference: &str| {
        format!(
            "MACHINE m SETS S DEFINITIONS SET_PREF_{preference} VARIABLES v INVARIANT v : S
             INITIALISATION v :: S OPERATIONS o = v :: S END"
        )
    };
    let file = folder.write("m.mch", text("DEFAULT_SETSIZE == 4"));
    let told = json(&format!("check {file}"), b"");
    assert_eq!(told["model"]["set_sizes"]["S"], 4);
    let told = json(&format!("check --default-set-size 3 {file}"), b"");
    assert_eq!(told["model"]["set_sizes"]["S"], 3, "flags come first");
    for (preference, warned) in [
        ("CLPFD == TRUE", false),
        ("MAX_OPERATIONS == 9", true),
        ("TREAT_SOMETHING_ELSE == TRUE", true),
    ] {
        let file = folder.write("m.mch", text(preference));
        let (code, _, err) = run(&format!("check {file}"), b"");
        assert_eq!(
            (code, err.contains("is not honoured")),
            (0, warned),
            "{err}"
        );
    }
}
