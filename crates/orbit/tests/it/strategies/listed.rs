//! `--reduce list`, and that what it says is so.

use super::text_of;
use crate::command::{Folder, json, run};
use serde_json::Value;

const PROMELA: &str = "byte done;
active [3] proctype P() { byte x; pid other; x = 1; other = _pid; done++;
    if :: true :: done == 9 -> skip fi }
";

const MACHINE: &str = "MACHINE M SETS S VARIABLES v INVARIANT v <: S INITIALISATION v := {}
OPERATIONS put(x) = PRE x : S THEN v := v \\/ {x} END; clear = BEGIN v := {} END END
";

const SCRIPT: &str = "channel enter, leave : {1..3}
USER(i) = enter.i -> leave.i -> USER(i)
FREE = ||| i : {1..3} @ USER(i)
assert RUN({|enter, leave|}) [T= FREE
";

fn list() -> Vec<Value> {
    let (code, out, err) = run("check --reduce list --json", b"");
    assert_eq!((code, err.as_str()), (0, ""));
    let list: Value = serde_json::from_str(&out).expect("JSON");
    list.as_array().expect("a list").clone()
}

#[test]
fn the_list_needs_no_model_and_names_everything_once() {
    let (code, out, err) = run("check --reduce list", b"");
    assert_eq!((code, err.as_str()), (0, ""));
    let with_model = run("check --reduce list no-such-file.pml", b"");
    assert_eq!(with_model, (0, out.clone(), String::new()));
    let list = list();
    assert_eq!(list.len(), 44);
    for row in &list {
        let name = row["name"].as_str().expect("a name");
        let lines = out
            .lines()
            .filter(|line| line.split(' ').next() == Some(name));
        assert_eq!(lines.count(), 1, "{name}");
        for key in ["guarantee", "fits", "document", "description"] {
            assert!(
                row[key].as_str().is_some_and(|words| !words.is_empty()),
                "{name}"
            );
        }
    }
    // The help and a refusal name the same.
    let (_, help, _) = run("check --help", b"");
    let help: String = help.split_whitespace().collect();
    let (code, _, refusal) = run("check --reduce lists -", PROMELA.as_bytes());
    assert_eq!(code, 2);
    for row in &list {
        let name = row["name"].as_str().unwrap_or_default();
        assert!(help.contains(name), "{name} in the help");
        let is_for_promela = row["languages"][0] == "promela";
        assert!(
            !is_for_promela || refusal.contains(name),
            "{name}: {refusal}"
        );
    }
}

/// How the search for errors, or the first assertion, says that it was made.
fn symmetry(object: &Value) -> Value {
    if object["symmetry"].is_object() {
        return object["symmetry"].clone();
    }
    object["properties"][0]["symmetry"].clone()
}

#[test]
fn each_is_used_as_it_is_listed_or_refused_with_a_reason() {
    let folder = Folder::new("listed");
    let (mut n_used, mut n_refused) = (0, 0);
    for (language, file) in [
        ("promela", folder.write("p.pml", PROMELA)),
        ("b", folder.write("M.mch", MACHINE)),
        ("cspm", folder.write("s.csp", SCRIPT)),
    ] {
        for row in list() {
            let name = row["name"].as_str().expect("a name");
            let is_listed = row["languages"]
                .as_array()
                .expect("words")
                .contains(&language.into());
            let about = format!("{name} on {file}");
            let quiet = if language == "cspm" {
                ""
            } else {
                "-n --no-deadlock"
            };
            let line = format!("check {quiet} --reduce {name} {file}");
            let (code, _, err) = run(&line, b"");
            if code == 2 {
                n_refused += 1;
                assert!(err.contains(name), "{about}: {err}");
                let fits =
                    is_listed && row["fits"].as_str().is_some_and(|w| w.starts_with("every"));
                assert!(!fits, "{about}: {err}");
                continue;
            }
            n_used += 1;
            assert!(is_listed, "{about}");
            let object = json(&line, b"");
            let is_lossy = row["guarantee"] == "lossy";
            let verdict = if is_lossy { "unknown" } else { "holds" };
            assert_eq!(object["verdict"], verdict, "{about}: {err}");
            let symmetry = symmetry(&object);
            if name == "none" || symmetry.is_null() {
                continue;
            }
            let (said, listed) = (&symmetry["guarantee"], &row["guarantee"]);
            let more = listed == "approximate" && said == "exact";
            assert!(said == listed || more, "{about}: {said}");
        }
    }
    assert!(n_used > 50 && n_refused > 10, "{n_used} {n_refused}");
}

#[test]
fn seeds_are_for_what_draws_and_change_no_verdict() {
    for strategy in ["annealing", "local-restarts"] {
        let states = |seed: u32| {
            let line = format!("check -n -E --reduce {strategy} --seed {seed} -");
            let object = json(&line, PROMELA.as_bytes());
            assert_eq!(object["verdict"], "holds");
            object["counts"]["states"].clone()
        };
        assert_eq!(states(3), states(3), "{strategy}");
        states(4);
    }
    let (code, _, err) = run("check --reduce sorted --seed 3 -", PROMELA.as_bytes());
    assert_eq!(code, 2);
    assert!(err.contains("a strategy that draws at random"), "{err}");
}

#[test]
fn orbits_are_counted_where_a_strategy_keeps_several_states_of_one() {
    let model = text_of("email.pml");
    let counts = |words: &str| {
        let line = format!("check -n -D N=2 {words} -");
        json(&line, model.as_bytes())["counts"].clone()
    };
    let exact = counts("--count-full");
    assert!(exact["orbits"].is_null() && exact["partitions"].is_null());
    for strategy in [
        "sorted",
        "pc-sorted",
        "local-search",
        "annealing",
        "first-seen",
    ] {
        let found = counts(&format!("--count-full --reduce {strategy}"));
        assert_eq!(found["orbits"], exact["states"], "{strategy}");
        assert_eq!(found["full_states"], exact["full_states"], "{strategy}");
        assert!(
            found["states"].as_u64() >= exact["states"].as_u64(),
            "{strategy}"
        );
    }
    let line = "check -n -D N=2 --count-full --reduce pc-sorted -";
    let (_, out, _) = run(line, model.as_bytes());
    assert!(out.contains(" stored states each"), "{out}");
    let (code, _, err) = run("check --count-full --reduce flatten -", model.as_bytes());
    assert!(
        code == 2 && err.contains("only where each orbit has a state"),
        "{err}"
    );
    let segmented = counts("--reduce segmented");
    assert!(
        segmented["partitions"].as_u64().is_some_and(|n| n > 1),
        "{segmented}"
    );
}

#[test]
fn what_choosing_took_is_counted() {
    let model = text_of("mutex.pml");
    let choices = |strategy: &str| {
        let line = format!("check -n -j 1 -D N=4 --reduce {strategy} -");
        json(&line, model.as_bytes())["counts"]["choices"].clone()
    };
    assert!(choices("none").is_null());
    // Every state of the mutex is sorted; a state that is asked for at once again is remembered.
    let canonical = choices("canonical");
    let n_sorted = canonical["sorted"].as_u64().unwrap_or(0);
    assert!(n_sorted > 0 && canonical["labels"] == 0, "{canonical}");
    assert!(canonical["permutations"].is_null() && canonical["marker_hits"].is_null());
    // The list is looked at in full for each state that is asked about: 24 permutations each.
    let tried = |strategy: &str| choices(strategy)["permutations"].as_u64().unwrap_or(0);
    let all = tried("enumerate");
    assert!(
        all > 0 && all % 24 == 0 && all == tried("enumerate-basic"),
        "{all}"
    );
    // Processes that are alike in a state are tried once; the exchanges of two are counted too.
    let alike = tried("enumerate-alike");
    assert!(alike < all, "{alike} of {all}");
    // A tie is broken in all ways, unless automorphisms are made use of.
    let leaves = |strategy: &str| choices(strategy)["leaves"].as_u64().unwrap_or(0);
    let [none, order] = ["labels-unpruned", "labels-by-order"].map(leaves);
    let [automorphisms, both] = ["labels-by-automorphisms", "labels-searched"].map(leaves);
    assert!(
        both <= automorphisms && automorphisms < order && order <= none,
        "{both} {none}"
    );
    let hits = &choices("markers")["marker_hits"];
    assert!(hits.as_u64().is_some_and(|n| n > 0), "{hits}");
    let lazy = choices("labels+markers");
    assert!(
        lazy["labels"].is_u64() && lazy["marker_hits"].is_u64(),
        "{lazy}"
    );
    let line = "check -n --full -D N=4 --reduce enumerate-alike -";
    let (_, out, _) = run(line, model.as_bytes());
    assert!(out.contains("\nchoices         "), "{out}");
}

/// States without the one before the initialisation, which the published numbers count too.
#[test]
fn path_markers_keep_as_many_states_as_the_published_marker() {
    for (machine, n_members, exact, kept) in [
        ("dining_philosophers", 2, 7, 6),
        ("dining_philosophers", 3, 12, 10),
        ("dining_philosophers", 4, 25, 19),
        ("binary_relations", 4, 317, 296),
        ("file_system", 3, 1926, 1882),
    ] {
        for (strategy, n_states) in [("canonical", exact), ("path-markers", kept)] {
            let line = format!(
                "check -n --no-deadlock --default-set-size {n_members} --reduce {strategy} \
                 ../../models/b/{machine}.mch"
            );
            let states = &json(&line, b"")["counts"]["states"];
            assert_eq!(states, n_states, "{strategy}: {machine}, {n_members}");
        }
    }
}
