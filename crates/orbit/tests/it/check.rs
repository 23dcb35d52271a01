//! `orbit check`: reading models, verdicts, limits, and the flags that SPIN's users know.

use crate::command::{Folder, json, object, run};

const GOOD: &str = "byte x; init { x = 1 }";

#[test]
fn a_model_is_accepted() {
    let (code, out, err) = run("check --parse-only -", GOOD.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("accepted") && out.contains("globals"), "{out}");
}

#[test]
fn warnings_do_not_refuse_a_model() {
    let text = "byte x = 300; init { x = 1 }";
    let (code, _, err) = run("check --parse-only -", text.as_bytes());
    assert_eq!(code, 0);
    assert!(err.contains("warning: 300 does not fit"), "{err}");
}

#[test]
fn every_error_is_shown_and_the_code_is_2() {
    let text = "init { x = 1;\n y = 2 }";
    let (code, out, err) = run("check --parse-only -", text.as_bytes());
    assert_eq!((code, out.as_str()), (2, ""));
    for part in [
        "standard input:1:8",
        "`x` is not declared",
        "standard input:2:2",
    ] {
        assert!(err.contains(part), "{part}\n{err}");
    }
}

#[test]
fn json_holds_the_model_or_the_diagnostics() {
    let good = json("check --parse-only - -D N=3", GOOD.as_bytes());
    assert_eq!(good["accepted"], true);
    assert_eq!(good["model"]["defines"][0], "N=3");
    assert_eq!(good["diagnostics"].as_array().map(Vec::len), Some(0));
    let bad = json("check --parse-only -", b"init { x = 1 }");
    assert!(bad["accepted"].is_null());
    assert_eq!(bad["diagnostics"][0]["severity"], "error");
    assert_eq!(bad["diagnostics"][0]["labels"][0]["line"], 1);
}

#[test]
fn macros_and_folders_come_from_the_command_line() {
    let text = b"byte a[N]; init { a[0] = F(2) }";
    let (code, _, err) = run("check --parse-only - -DN=3 -D 'F(x)=x+1'", text);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only - -D N", b"byte a[N]; init { skip }");
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only - -D 3=4", GOOD.as_bytes());
    assert!(code == 2 && err.contains("`-D` needs a name"), "{err}");
    let included = b"#include \"mutex.pml\"\n";
    let (code, _, err) = run("check --parse-only -", included);
    assert_eq!(
        code, 0,
        "standard input is read as if it stood in this folder: {err}"
    );
    let angled = b"#include <peterson.pml>\n";
    let (code, _, err) = run("check --parse-only -I ../../models/promela -", angled);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run("check --parse-only -", angled);
    assert!(
        code == 2 && err.contains("the file `peterson.pml` is not found"),
        "{err}"
    );
}

#[test]
fn a_file_that_includes_itself_is_an_error() {
    let folder = Folder::new("self");
    let path = folder.write("self.pml", "#include \"self.pml\"\n");
    let (code, _, err) = run(&format!("check --parse-only '{path}'"), b"");
    assert!(
        code == 2 && err.contains("include each other without end"),
        "{err}"
    );
}

/// A counter that goes wrong at 3, and a process that waits for ever.
const WRONG: &str = "byte x;\nactive proctype count() {\n\tdo\n\t:: x < 5 -> x++; \
                     assert(x != 3)\n\t:: x == 5 -> break\n\tod;\n\tx == 9\n}\n";

#[test]
fn a_model_that_holds() {
    let (code, out, err) = run("check -", b"active [2] proctype p() { do :: skip od }");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for part in ["verdict         holds", "deadlock        holds", "states "] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn a_model_that_is_violated_shows_a_run() {
    let (code, out, _) = run("check -", WRONG.as_bytes());
    assert_eq!(code, 1, "{out}");
    for part in [
        "verdict         violated",
        "assertion violated in line 4",
        "x: 2 → 3",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn all_errors_and_the_flags_of_pan() {
    let all = json("check --all-errors -", WRONG.as_bytes());
    let verdicts = |object: &serde_json::Value| -> Vec<String> {
        let all = object["properties"].as_array().expect("properties");
        let words = all
            .iter()
            .map(|p| format!("{} {}", p["name"], p["verdict"]));
        words.map(|w| w.replace('"', "")).collect()
    };
    assert_eq!(
        verdicts(&all),
        ["deadlock violated", "assertions violated", "faults holds"]
    );
    for same in ["-e", "-c0", "-c 0"] {
        let other = json(&format!("check {same} -"), WRONG.as_bytes());
        assert_eq!(other["counts"], all["counts"], "{same}");
    }
    assert_eq!(
        verdicts(&json("check -c2 -", WRONG.as_bytes()))[0],
        "deadlock violated"
    );
    for (flags, left) in [
        ("-E -A", vec!["faults holds"]),
        ("--no-deadlock --no-assertions", vec!["faults holds"]),
        ("-E", vec!["assertions violated", "faults unknown"]),
        ("-A", vec!["deadlock violated", "faults unknown"]),
        ("-p deadlock", vec!["deadlock violated", "faults unknown"]),
        ("-p 2", vec!["assertions violated", "faults unknown"]),
        ("-p faults", vec!["faults holds"]),
    ] {
        let found = json(&format!("check {flags} -"), WRONG.as_bytes());
        let mut said = verdicts(&found);
        let off = said.split_off(left.len());
        assert_eq!(said, left, "{flags}");
        // What was switched off is told, and is no part of the verdict.
        let names: Vec<&str> = found["not_checked"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(serde_json::Value::as_str)
            .collect();
        let named: Vec<String> = names.iter().map(|n| format!("{n} not checked")).collect();
        assert_eq!((off, names.len()), (named, 3 - left.len()), "{flags}");
    }
}

/// A condition takes control away in the middle of `atomic`; the first process may have ended
/// before the second is made, which then gets its number.
#[test]
fn a_number_is_used_again_where_its_process_may_have_ended() {
    let text = "byte x; proctype a() { x = 0 } proctype b() { assert(_pid == 2) }\n\
                active proctype maker() provided (x == 0) { atomic { run a(); x = 1; run b() } }";
    for rules in ["", "--plain", "--spin-compat"] {
        let object = json(&format!("check {rules} -"), text.as_bytes());
        assert_eq!(object["verdict"], "violated", "{rules}");
    }
    let kept = text.replace("provided (x == 0)", "");
    assert_eq!(json("check -", kept.as_bytes())["verdict"], "holds");
}

#[test]
fn a_trace_is_among_the_faults() {
    let model = |way: &str, end: &str| {
        let processes = "init { c!1; c?_ } active proctype q() { end: false }";
        format!("chan c = [1] of {{ bit }}; {processes} {way} {{ {end} do :: c!1; c?1 od }}")
    };
    let told = |text: &str| {
        let (code, out, err) = run("check -", text.as_bytes());
        (code, format!("{out}{err}"))
    };
    assert_eq!(told(&model("trace", "end:")).0, 0);
    let (code, out) = told(&model("trace", ""));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("the trace is not at an end of it"), "{out}");
    let (code, out) = told(&model("trace", "end: do :: c!1; c!0; break od;"));
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("the trace has no such event here in line 1: c?_"),
        "{out}"
    );
    let (code, out) = told(&model("notrace", "c!1; c?1; if :: goto l fi; l: c!1;"));
    assert_eq!(code, 1, "{out}");
    let (code, out) = told("chan c = [1] of { bit }; init { c!1 } notrace { c!1 }");
    assert_eq!(code, 1, "{out}");
    let all = "all events of the notrace came, in its order in line 1: c!1";
    assert!(out.contains(all), "{out}");
    let (code, out) = told("chan c = [1] of { bit }; init { c!1 } trace { do :: c!1 :: c!_ od }");
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("the event fits two steps of the trace"),
        "{out}"
    );
}

#[test]
fn a_send_that_nobody_receives_is_at_fault_and_a_deadlock() {
    let text = "chan c = [0] of { bit }; init { c!0 } trace { end: c!1 }";
    for flags in ["-e", "-e --plain", "-e --search dfs"] {
        let object = json(&format!("check {flags} -"), text.as_bytes());
        let verdicts = [0, 2].map(|n| object["properties"][n]["verdict"].clone());
        assert_eq!(verdicts, ["violated", "violated"], "{flags}: {object}");
        assert_eq!(object["counts"]["transitions"], 1, "{flags}");
    }
}

#[test]
fn formulas_and_claims_are_checked() {
    for (text, kind, wrong) in [
        ("byte x; init { x = 1 } ltl p { [] (x < 2) }", "ltl", false),
        ("byte x; init { x = 1 } ltl p { [] (x < 1) }", "ltl", true),
        ("byte x; init { x = 1 } ltl p { <> (x > 1) }", "ltl", true),
        (
            "byte x; init { x = 1 } never { do :: x > 1 -> break :: else od }",
            "never",
            false,
        ),
        (
            "byte x; init { x = 1 } never { do :: x > 0 -> break :: else od }",
            "never",
            true,
        ),
    ] {
        let (code, out, err) = run("check -", text.as_bytes());
        assert_eq!(code, i32::from(wrong), "{text}: {out}{err}");
        let object = json("check -", text.as_bytes());
        let verdict = if wrong { "violated" } else { "holds" };
        assert_eq!(object["verdict"], verdict, "{text}");
        assert_eq!(object["properties"][3]["kind"], kind);
        assert_eq!(object["properties"][3]["verdict"], verdict);
    }
    let wrong = "init { assert(false) } ltl { [] true }";
    assert_eq!(run("check -", wrong.as_bytes()).0, 1);
    let text = b"byte x; init { x = 1; assert(false) } ltl small { [] (x < 2) }";
    let (code, out, err) = run("check -p small -", text);
    let covered = "verdict         holds; not checked: deadlock, assertions, faults\n";
    assert!(code == 0 && out.starts_with(covered), "{out}{err}");
    let (code, _, err) = run("check -p smal -", text);
    assert!(code == 2 && err.contains("there is no property"), "{err}");
}

#[test]
fn runs_of_formulas_say_which_atoms_are_true() {
    let text = b"byte x; active proctype p() { x = 1; x = 2; x = 3 }";
    let line = "check --ltl '[] (x == 2 -> <> (x == 4))' --no-deadlock -";
    let object = json(line, text);
    let all = object["properties"].as_array().expect("properties");
    let formula = all.iter().find(|p| p["kind"] == "ltl").expect("a formula");
    assert_eq!(formula["atoms"], serde_json::json!(["x == 2", "x == 4"]));
    let steps = formula["witness"]["steps"].as_array().expect("steps");
    let atoms: Vec<_> = steps.iter().map(|step| step["atoms"].clone()).collect();
    let expected = [false, false, true, false].map(|x| serde_json::json!([x, false]));
    assert_eq!(atoms[..4], expected, "{formula:#}");
    let (_, out, _) = run(line, text);
    assert!(
        out.contains("atoms           a: x == 2, b: x == 4\n"),
        "{out}"
    );
    let why = [
        (
            0,
            "[] ((x == 2) -> <> (x == 4))",
            "in the first state `[] ((x == 2) -> <> (x == 4))` is false",
        ),
        (
            2,
            "(x == 2) -> <> (x == 4)",
            "after step 2 `(x == 2) -> <> (x == 4)` is false: `x == 2` is true and \
             `<> (x == 4)` is false",
        ),
        (
            2,
            "<> (x == 4)",
            "from step 2 on `x == 4` is never true (nothing moves any more)",
        ),
    ];
    assert_eq!(formula["why"], whys(&why), "{formula:#}");
    let last = "                from step 2 on `x == 4` is never true (nothing moves any more)\n";
    assert!(
        out.contains("\nwhy             in the first state") && out.contains(last),
        "{out}"
    );
}

fn whys(all: &[(usize, &str, &str)]) -> serde_json::Value {
    let all = all.iter().map(|(step, formula, text)| {
        serde_json::json!({ "step": step, "formula": formula, "text": text })
    });
    all.collect()
}

#[test]
fn runs_of_formulas_of_machines_say_where_these_fail() {
    let text = b"MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS
        up = PRE x < 2 THEN x := x + 1 END; back = PRE x = 2 THEN x := 1 END END";
    let why = |formula: &str| {
        let object = json(&format!("check --language b --ltl '{formula}' -"), text);
        let all = object["properties"].as_array().expect("properties");
        let formula = all.iter().find(|p| p["kind"] == "ltl").expect("a formula");
        formula["why"].clone()
    };
    let expected = [
        (
            0,
            "G ({x = 1} => X {x = 3})",
            "in the first state `G ({x = 1} => X {x = 3})` is false",
        ),
        (
            1,
            "{x = 1} => X {x = 3}",
            "after step 1 `{x = 1} => X {x = 3}` is false: `{x = 1}` is true and \
             `X {x = 3}` is false",
        ),
        (
            1,
            "X {x = 3}",
            "after step 1 `X {x = 3}` is false: `{x = 3}` is false in the next state",
        ),
    ];
    assert_eq!(why("G ({x = 1} => X {x = 3})"), whys(&expected));
    let expected = [
        (
            0,
            "G F [back] => G F {x = 3}",
            "in the first state `G F [back] => G F {x = 3}` is false: `G F [back]` is true and \
             `G F {x = 3}` is false",
        ),
        (
            0,
            "G F [back]",
            "from the first state on `F [back]` is always true (steps 4-5 repeat)",
        ),
        (
            0,
            "G F {x = 3}",
            "in the first state `G F {x = 3}` is false",
        ),
        (
            0,
            "F {x = 3}",
            "from the first state on `{x = 3}` is never true (steps 4-5 repeat)",
        ),
    ];
    assert_eq!(why("G F [back] => G F {x = 3}"), whys(&expected));
    // What holds needs no reason.
    assert_eq!(why("G {x < 3}"), serde_json::json!([]));
}

/// Ten counters, 4^10 states in plain form.
const WIDE: &str = "active [10] proctype p() { byte i; do :: i < 200 -> i++ od }";

#[test]
fn limits_give_unknown() {
    for (flags, reason) in [
        ("--depth 5", "depth"),
        ("-m5", "depth"),
        ("--memory 1M", "memory"),
        ("--time 50ms", "time"),
    ] {
        let line = format!("check --plain {flags} -");
        let (code, out, err) = run(&line, WIDE.as_bytes());
        assert_eq!(code, 3, "{flags}: {out}{err}");
        let object = json(&line, WIDE.as_bytes());
        assert_eq!(object["stop_reason"], reason, "{flags}");
        assert_eq!(object["verdict"], "unknown", "{flags}");
        assert!(object["counts"]["states"].as_u64() > Some(5), "{flags}");
    }
    let (code, out, _) = run("check --memory 1 -", WIDE.as_bytes());
    assert_eq!(code, 3, "not even the initial state fits: {out}");
}

#[test]
fn every_order_and_every_set_of_rules_agrees() {
    for rules in ["", "--plain", "--spin-compat"] {
        let counts = |order: &str| {
            let line = format!("check {rules} --all-errors --search {order} -");
            let object = json(&line, WRONG.as_bytes());
            (
                object["verdict"].clone(),
                object["counts"]["states"].clone(),
            )
        };
        assert_eq!(counts("bfs"), counts("dfs"), "{rules}");
        assert_eq!(counts("bfs"), counts("mixed --seed 3"), "{rules}");
        assert_eq!(counts("bfs").0, "violated", "{rules}");
    }
}

#[test]
fn what_is_not_there_is_refused_by_name() {
    for flag in ["--por", "--disk d", "--checkpoint f", "--resume f"] {
        let (code, out, err) = run(&format!("check {flag} -"), GOOD.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{flag}");
        let name = flag.split(' ').next().expect("a word");
        assert!(
            err.contains(name) && err.contains("is not there"),
            "{flag}: {err}"
        );
    }
    for flag in [
        "--threads 1",
        "--threads 2",
        "-j 3",
        "--no-symmetry",
        "--reduce none",
        "--reduce canonical",
        "--reduce sorted",
        "--count-full",
        "--self-check",
        "--audit",
        "--search mixed --seed 7",
        "-i",
        "-n",
    ] {
        let (code, _, err) = run(&format!("check {flag} -"), GOOD.as_bytes());
        assert_eq!(code, 0, "{flag}: {err}");
    }
    let (code, _, err) = run("check --seed 7 -", GOOD.as_bytes());
    let needs = "`--seed` needs `--search mixed`, `--conjugates`, or `--reduce`";
    assert!(code == 2 && err.contains(needs), "{err}");
}

#[test]
fn several_threads_are_refused_where_one_searches() {
    for (flags, why) in [
        ("--threads 0", "a search has one at least"),
        ("--threads 2 --search dfs", "by breadth only"),
        ("--threads 2 --search mixed", "by breadth only"),
        ("--threads 2 --reduce first-seen", "with one thread"),
        ("--threads 2 --reduce adaptive", "with one thread"),
    ] {
        let (code, out, err) = run(&format!("check {flags} -"), GOOD.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{flags}");
        assert!(err.contains(why), "{flags}: {err}");
    }
}

#[test]
fn flags_of_b_machines_are_refused_of_other_models() {
    for flag in [
        "--refines",
        "--no-invariant",
        "--default-set-size 3",
        "--set-size S=3",
        "--maxint 3",
        "--minint -1",
        "--goal GOAL",
    ] {
        let (code, out, err) = run(&format!("check {flag} -"), GOOD.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{flag}");
        let name = flag.split(' ').next().expect("a word");
        let part = format!("`{name}` is for B machines");
        assert!(err.contains(&part), "{flag}: {err}");
    }
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    for (flags, part) in [
        ("--plain --spin-compat", "cannot be used with"),
        ("--all-errors -c 3", "cannot be used with"),
        ("--no-symmetry --reduce none", "cannot be used with"),
        ("-i --search dfs", "shortest"),
        ("-i --search mixed", "shortest"),
        ("--reduce fastest", "there are: none, canonical, enumerate,"),
        ("--reduce markers --search dfs", "does not go with"),
        ("--reduce markers --search mixed -m 9", "a limit of depth"),
        ("--reduce markers --count-full", "does not go with"),
        ("-D N -U N", "both defined (-D) and undefined (-U)"),
        ("-p deadlock -E", "do not go together"),
        ("-p 17", "there is no property `17`"),
        ("--memory lots", "`--memory` needs something like 512M"),
        ("--time soon", "`--time` needs something like 30s"),
        ("-w24", "grows by itself"),
        ("-q", "messages in channels"),
        ("--search best", "[possible values: bfs, dfs, mixed]"),
    ] {
        let (code, out, err) = run(&format!("check {flags} -"), GOOD.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{flags}");
        assert!(err.contains(part), "{flags}: {err}");
    }
}

/// In mixed order a state is stored when it is first met, so that paths are runs, which is checked
/// before they are shown.
#[test]
fn a_lossy_strategy_shows_runs_in_mixed_order() {
    let text = include_str!("../../../../models/b/phonebook_err_delete.mch");
    let folder = Folder::new("mixed-markers");
    let file = folder.write("phonebook.mch", text);
    for seed in 0..20 {
        let flags = format!("--reduce markers --search mixed --seed {seed} --json");
        let (code, out, err) = run(&format!("check {file} {flags}"), b"");
        assert!([1, 3].contains(&code), "{seed}: {err}");
        let object = object("check", &out).expect("an object");
        assert_ne!(object["verdict"], "holds", "{seed}");
    }
}

#[test]
fn words_of_spin_are_answered_with_what_to_type() {
    for (line, part) in [
        ("-run mutex.pml", "`orbit check FILE`"),
        ("-a mutex.pml", "`orbit check FILE`"),
        ("-t mutex.pml", "--replay"),
        ("mutex.pml", "`orbit check mutex.pml`"),
        ("check -bfs mutex.pml", "leave it out"),
        ("check -I mutex.pml", "shortest already"),
        ("check", "no model is given"),
        ("simulate -p mutex.pml", "every step is shown"),
    ] {
        let (code, out, err) = run(line, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(part), "{line}: {err}");
    }
}

#[test]
fn directives_of_pan_are_refused() {
    for (directive, part) in [
        ("SAFETY", "leave it out"),
        ("MEMLIM=900", "`--memory 900M`"),
        ("NP", "`-l`"),
    ] {
        for command in ["check", "symmetry", "simulate -n 1"] {
            let line = format!("{command} -D{directive} -DN=2 mutex.pml");
            let (code, out, err) = run(&line, b"");
            assert_eq!((code, &*out), (2, ""), "{line}: {err}");
            let name = directive.split('=').next().unwrap_or("");
            let named = format!("`-D{name}` is an option of SPIN's verifiers");
            assert!(err.contains(&named) && err.contains(part), "{line}: {err}");
            assert!(!err.contains("`-DN`"), "{err}");
        }
    }
    let used = b"#ifdef SAFETY\ninit { skip }\n#endif\n";
    let (code, _, err) = run("check -DSAFETY -", used);
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn statements_that_are_never_reached_are_listed_unless_nobody_wants_them() {
    let text = b"byte x; init { if :: x == 1 -> x = 2 :: else fi }";
    let (_, out, _) = run("check -", text);
    assert!(out.contains("unreached") && out.contains("x = 2"), "{out}");
    for flag in ["--quiet", "-n"] {
        let (_, out, _) = run(&format!("check {flag} -"), text);
        assert!(!out.contains("x = 2"), "{flag}: {out}");
    }
}

/// The first Ctrl-C ends the search with what it has.
#[test]
#[cfg(unix)]
fn an_interrupted_search_says_what_it_saw() {
    let folder = Folder::new("interrupted");
    let model = folder.write("wide.pml", WIDE);
    let script = format!(
        "'{}' check --plain --json '{model}' & pid=$!; sleep 1; kill -INT $pid; wait $pid",
        env!("CARGO_BIN_EXE_orbit")
    );
    // A shell in the background ignores Ctrl-C for what it starts, unless it is interactive.
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("set -m; {script}")])
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let object = object("check", &text).expect("one object");
    assert_eq!(object["stop_reason"], "interrupted");
    assert!(object["counts"]["states"].as_u64() > Some(0), "{object}");
}

#[test]
fn what_refers_to_nothing_is_shown_as_undefined() {
    let text = "ref p owner;\nchan c = [1] of { ref p };\n\
        active [2] proctype p() { ref p r; c!_undef_ref; assert(false) }\n";
    let (code, out, _) = run("check -", text.as_bytes());
    assert_eq!(code, 1, "{out}");
    for shown in ["owner = undefined", "p(0).r = undefined", "<undefined>"] {
        assert!(out.contains(shown), "{shown} in {out}");
    }
    assert!(!out.contains("255"), "{out}");
}

#[test]
fn hidden_variables_are_not_counted_and_not_forgotten() {
    // SPIN takes the two states after the choice for one; the second is the one that is wrong.
    let text = "hidden byte h; byte g; active proctype p() { \
                if :: h = 1 :: h = 2 fi; g = 1; g = h; assert(g == 1) }";
    let flags = "check --plain --all-errors --quiet -";
    let (code, out, err) = run(flags, text.as_bytes());
    assert_eq!(code, 1, "{err}");
    // `states` are those of the search that gave the verdict, whatever else was counted.
    assert!(out.contains("states          11\n"), "{out}");
    let visible = "visible         6 states, 7 transitions without hidden variables";
    assert!(out.contains(visible), "{out}");
    let counts = &json(flags, text.as_bytes())["counts"];
    assert_eq!(
        (&counts["states"], &counts["transitions"]),
        (&11.into(), &11.into())
    );
    assert_eq!(counts["stored_states"], 11);
    assert_eq!(counts["visible"]["states"], 6);
    // Without `hidden` there is one number.
    let (_, out, _) = run(flags, text.replace("hidden ", "").as_bytes());
    assert!(
        out.contains("states          11\n") && !out.contains("visible"),
        "{out}"
    );
    // Nor is there another where not all was seen.
    let (code, out, _) = run("check --plain --quiet -", text.as_bytes());
    assert!(code == 1 && !out.contains("visible"), "{out}");
}

#[test]
fn a_step_of_an_inline_is_shown_as_written_with_the_calls_around_it() {
    let text = "byte a;\n\
                inline lock(v) { v == 0; v = v + 1;\n\
                  assert(v == 1) }\n\
                inline acquire(w) { lock(w); assert(w == 2) }\n\
                #define TWICE(q) q = q + 1; q = q + 1\n\
                active proctype P() { TWICE(a); a = 0;\n\
                  acquire(a) }\n";
    let flags = "check --plain --quiet --no-deadlock -";
    let (code, out, err) = run(flags, text.as_bytes());
    assert_eq!(code, 1, "{err}");
    let title = "assertion violated in line 4: assert(w == 2), in acquire(a) in line 7\n";
    assert!(out.contains(title), "{out}");
    let found = json(flags, text.as_bytes());
    let assertions = found["properties"].as_array().expect("properties");
    let violated = assertions.iter().find(|p| p["verdict"] == "violated");
    let violated = violated.expect("a violated property");
    assert_eq!(violated["called_from"][0], "acquire(a) in line 7");
    let steps = violated["witness"]["steps"].as_array().expect("steps");
    let shown = |n: usize| (steps[n]["step"].as_str(), steps[n]["line"].as_u64());
    assert_eq!(shown(1), (Some("q = q + 1"), Some(5)));
    assert_eq!(shown(4), (Some("v == 0"), Some(2)));
    assert_eq!(
        steps[4]["called_from"].as_array().map(Vec::len),
        Some(2),
        "{steps:?}"
    );
    assert_eq!(shown(6), (Some("assert(v == 1)"), Some(3)));
}

#[test]
fn input_that_is_long_or_deep_is_answered_on_a_small_stack() {
    let long = |part: &str, n: usize| {
        let body = vec![part; n].join("; ");
        format!("byte x; active proctype P() {{ {body} }}")
    };
    let nested = |open: &str, close: &str, n: usize| {
        let (open, close) = (open.repeat(n), close.repeat(n));
        format!("byte x; active proctype P() {{ {open} skip {close} }}")
    };
    let cases = [
        (long("skip; skip", 10_000), 0),
        (long("x = 1", 10_000), 0),
        (nested("{", "}", 10_000), 2),
        (nested("if :: ", " fi", 10_000), 2),
        ("active proctype P() { S: false; goto S }".to_owned(), 0),
        ("active proctype P() { do :: { false } od }".to_owned(), 0),
    ];
    for (text, code) in cases {
        // 64 kB are what `ulimit -s 64` leaves to the main thread.
        let file = std::env::temp_dir().join(format!("orbit-stack-{}.pml", std::process::id()));
        std::fs::write(&file, &text).expect("a writable folder");
        let orbit = env!("CARGO_BIN_EXE_orbit");
        let line = format!(
            "ulimit -s 64; exec {orbit} check --quiet --no-deadlock {}",
            file.display()
        );
        let done = std::process::Command::new("sh")
            .args(["-c", &line])
            .output();
        let done = done.expect("a shell");
        let _ = std::fs::remove_file(&file);
        let start: String = text.chars().take(60).collect();
        let said = String::from_utf8_lossy(&done.stderr)
            .chars()
            .take(500)
            .collect::<String>();
        assert_eq!(done.status.code(), Some(code), "{start}: {said}");
    }
}

#[test]
fn limits_reach_into_a_single_move() {
    // All in one `atomic`: 2^60 ways of as many steps, and one way of very many.
    let ways = "byte n; bit x; init { atomic { do :: n < 60 -> n++; \
                if :: x = 0 :: x = 1 fi :: else -> break od } }";
    let (code, out, _) = run("check --plain --quiet --time 100ms -", ways.as_bytes());
    assert_eq!(code, 3, "{out}");
    let said = json("check --plain --quiet --time 100ms -", ways.as_bytes());
    assert_eq!(said["stop_reason"], "time");
    let long = "int n; init { atomic { do :: n < 100000 -> n++ :: else -> break od } }";
    let said = json("check --plain --quiet --memory 2M -", long.as_bytes());
    assert_eq!(said["stop_reason"], "memory");
    let said = json("check --plain --quiet -", long.as_bytes());
    assert_eq!(said["verdict"], "holds", "{said}");
}

/// A send that was taken not to wait does, and the search is done again without that.
#[test]
fn a_search_whose_symmetry_is_refuted_is_done_again() {
    let path = "../../models/promela/constructs/edge_broadcast_waits.pml";
    for rules in ["", "--plain", "--spin-compat"] {
        let told = json(&format!("check {rules} {path}"), b"");
        assert_eq!(told["verdict"], "violated", "{rules}");
        assert_eq!(told["symmetry"]["group_order"], "1", "{rules}");
        let told = json(&format!("check {rules} -D ROOM=2 {path} --self-check"), b"");
        assert_eq!(told["verdict"], "holds", "{rules}");
        assert_eq!(told["symmetry"]["group_order"], "2", "{rules}");
    }
}

/// SPIN's verifiers report an error when a claim polls a rendezvous channel.
#[test]
fn a_formula_that_polls_a_rendezvous_has_no_value() {
    let text = "chan r = [0] of { byte }; byte x;\n\
                active proctype A() { r!1 }\n\
                active proctype B() { byte y; r?y }\n\
                ltl p { [] (!(r?[1]) || x == 5) }\n";
    let (code, out, err) = run("check --quiet -", text.as_bytes());
    assert_eq!(code, 1, "{err}");
    let title = "p has no value after this run: poll of a rendezvous channel";
    assert!(out.contains(title), "{out}");
    let full = text.replace("[0] of", "[1] of").replace("x == 5", "x < 5");
    assert_eq!(run("check --quiet --no-deadlock -", full.as_bytes()).0, 0);
}

#[test]
fn a_share_of_new_states_is_for_mixed_searches() {
    let model = b"byte x; active proctype P() { do :: x = (x + 1) % 9 od }";
    let (code, _, err) = run("check --to-front 50 -", model);
    assert!(code == 2 && err.contains("needs `--search mixed`"), "{err}");
    let (code, _, err) = run("check --search mixed --to-front 101 -", model);
    assert!(code == 2 && err.contains("no share in a hundred"), "{err}");
    for share in ["0", "100"] {
        let told = json(
            &format!("check --plain --search mixed --to-front {share} -"),
            model,
        );
        assert_eq!(told["counts"]["states"], 9, "{told}");
    }
}
