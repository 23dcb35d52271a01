//! Processes of scripts, run step by step; counterexamples recorded and run again.

use super::models;
use crate::command::{Folder, json, run};

const LOCK: &str = "\
channel enter, leave : {1, 2}
USER(i) = enter.i -> leave.i -> USER(i)
LOCK = enter?i -> leave.i -> LOCK
FREE = USER(1) ||| USER(2)
HIDDEN = (FREE [| {| enter, leave |} |] LOCK) \\ {| leave |}
ONCE = enter.1 -> SKIP ; enter.2 -> SKIP
assert LOCK [T= FREE
assert FREE :[deadlock free]
";

#[test]
fn a_run_shows_events_with_their_components() {
    let folder = Folder::new("simulated-script");
    let file = folder.write("lock.csp", LOCK);
    let (code, out, err) = run(&format!("simulate --seed 1 -n 2 {file}"), b"");
    assert_eq!((code, &err[..]), (0, ""));
    assert!(out.contains("initially       USER(1) = USER(1), USER(2) = USER(2)\n"));
    let run_of = |flags: &str| json(&format!("simulate {flags} {file}"), b"");
    let hidden = run_of("--process HIDDEN --seed 4 -n 2");
    let steps = hidden["steps"].as_array().expect("steps");
    let (first, second) = (&steps[0], &steps[1]);
    let entered = first["step"].as_str().expect("an event");
    assert!(entered.starts_with("enter."), "{first}");
    let components = |step: &serde_json::Value| -> Vec<String> {
        let parts = step["parts"].as_array().into_iter().flatten();
        let names = parts.map(|part| part["component"].as_str().unwrap_or_default());
        names.map(str::to_owned).collect()
    };
    assert_eq!(components(first).last().map(|name| &name[..]), Some("LOCK"));
    assert!(
        first["by"].is_null() && components(first).len() == 2,
        "{first}"
    );
    let left = second["step"].as_str().expect("an event");
    assert!(
        left.starts_with("τ (USER("),
        "what is hidden is said: {left}"
    );
    // ✓ ends a run well.
    let once = run_of("--process ONCE --seed 1");
    assert_eq!(once["ended"], "end");
    assert_eq!(once["n_steps"], 4, "two events, τ of the first SKIP, ✓");
}

#[test]
fn which_process_is_run_is_said_or_refused() {
    let folder = Folder::new("simulated-which");
    let file = folder.write("lock.csp", LOCK);
    let silent = folder.write("silent.csp", "channel a\nP = a -> P\n");
    for (line, words) in [
        (
            format!("simulate --process USER {file}"),
            "`USER` has parameters",
        ),
        (
            format!("simulate --process NONE {file}"),
            "`NONE` is not defined",
        ),
        (
            format!("simulate {silent}"),
            "asserts nothing about a process",
        ),
        (
            format!("simulate --plain {file}"),
            "`--plain` is for Promela",
        ),
    ] {
        let (code, _, err) = run(&line, b"");
        assert_eq!(code, 2, "{line}");
        assert!(err.contains(words), "{line}: {err}");
    }
    let (code, out, _) = run(&format!("simulate --process P -n 3 --seed 1 {silent}"), b"");
    assert_eq!(code, 0);
    assert!(out.contains("    3  P    2: a"), "{out}");
}

#[test]
fn a_counterexample_is_recorded_and_run_again() {
    let folder = Folder::new("simulated-trail");
    let file = folder.write("lock.csp", LOCK);
    let trail = folder.write("run.json", "");
    let checked = json(&format!("check --trail {trail} {file}"), b"");
    let witness = &checked["properties"][0]["witness"];
    let replayed = json(&format!("simulate --replay {trail} {file}"), b"");
    assert_eq!(replayed["ended"], "replayed");
    let events = |run: &serde_json::Value| -> Vec<String> {
        let steps = run["steps"].as_array().into_iter().flatten();
        let words = steps.map(|step| step["event"].as_str().or(step["step"].as_str()));
        let words = words.map(|word| word.unwrap_or_default().to_owned());
        words.filter(|word| word != "initial state").collect()
    };
    assert_eq!(events(witness), events(&replayed));
    let changed = folder.write("changed.csp", LOCK.replace("{1, 2}", "{1, 2, 3}"));
    let (code, _, err) = run(&format!("simulate --replay {trail} {changed}"), b"");
    assert_eq!(code, 2);
    assert!(err.contains("recorded on another text"), "{err}");
    let few = folder.write("few.csp", "channel a\nP = a -> P\n");
    let (code, _, err) = run(&format!("simulate --replay {trail} {few}"), b"");
    assert_eq!(code, 2);
    assert!(
        err.contains("about assertion 1, and the script has 0"),
        "{err}"
    );
    // An earlier counterexample wins, and one that is about another assertion says so.
    let phils = models().join("classics/philosophers.csp");
    let line = format!("check -p 6 --trail {trail} {}", phils.display());
    assert_eq!(run(&line, b"").0, 1);
    let line = format!("simulate --replay {trail} {}", phils.display());
    let round = json(&line, b"");
    assert_eq!(round["ended"], "loop", "a divergence goes round");
}
