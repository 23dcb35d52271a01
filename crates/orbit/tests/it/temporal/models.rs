//! Our models of infinite runs: what their headers say is what is found, with symmetry and without;
//! and a quotient that is made carelessly says something else on some of them.
//!
//! A line of a header is `live: NAME none holds, weak holds, strong holds`, one for each formula.

use super::{Asking, FAIR, Fair, Group, How, compile_pan, pan};
use model::processes::passes::Setting;
use model::processes::property::Kind;
use std::path::{Path, PathBuf};

/// A model and what its header says: formulas with their verdicts by fairness, true if violated.
struct Told {
    name: String,
    text: String,
    live: Vec<(String, [bool; 3])>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela/liveness")
}

fn parse(line: &str) -> Option<(String, [bool; 3])> {
    let (name, words) = line.split_once("live: ")?.1.split_once(' ')?;
    let mut verdicts = [false; 3];
    for ((part, word), verdict) in words
        .split(", ")
        .zip(["none", "weak", "strong"])
        .zip(&mut verdicts)
    {
        *verdict = match part.trim().strip_prefix(word)?.trim() {
            "holds" => false,
            "violated" => true,
            _ => return None,
        };
    }
    Some((name.to_owned(), verdicts))
}

fn all() -> Vec<Told> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !path.ends_with("orbit.toml"))
        .collect();
    paths.sort();
    let told = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable model");
        let live: Vec<_> = text.lines().filter_map(parse).collect();
        Told {
            name: path.file_name().expect("a name").display().to_string(),
            text,
            live,
        }
    };
    paths.into_iter().map(told).collect()
}

#[test]
fn verdicts_are_those_of_the_header_with_symmetry_and_without() {
    let all = all();
    assert!(all.len() >= 12, "{} models", all.len());
    let (mut n, mut wrong) = (0, Vec::new());
    for told in &all {
        let asking = Asking::read(&told.text).unwrap_or_else(|why| panic!("{}: {why}", told.name));
        assert_eq!(asking.properties.len(), told.live.len(), "{}", told.name);
        for (name, verdicts) in &told.live {
            for (fair, expected) in FAIR.into_iter().zip(verdicts) {
                for setting in [Setting::Best, Setting::Plain] {
                    for group in [Group::Trivial, Group::Certified] {
                        let how = How {
                            setting,
                            group,
                            fair,
                            endless: false,
                        };
                        let found = asking.violated(asking.property(name), how);
                        n += 1;
                        if found != Ok(*expected) {
                            wrong.push(format!("{} {name} {how:?}: {found:?}", told.name));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "of {n}:\n{}", wrong.join("\n"));
}

/// Models with a line `claim:` or `progress:`, what SPIN says there, and which of the two it is.
fn constructs() -> Vec<(String, String, Kind, bool)> {
    let folder = folder().join("../constructs");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable model");
        for (word, kind) in [("claim", Kind::Acceptance), ("progress", Kind::Progress)] {
            let start = format!(" * {word}: ");
            for line in text.lines().filter(|line| line.starts_with(&start)) {
                let violated = line.contains(&format!("; {word} violated"));
                assert!(
                    violated || line.contains(&format!("; {word} holds")),
                    "{line}"
                );
                found.push((path.display().to_string(), text.clone(), kind, violated));
            }
        }
    }
    found
}

#[test]
fn claims_and_labels_of_constructs_have_the_verdicts_that_spin_gives() {
    let all = constructs();
    assert!(all.len() > 5, "{}", all.len());
    for (name, text, kind, violated) in all {
        let mut asking = Asking::read(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let added = asking.added(kind);
        let own = asking
            .properties
            .first()
            .filter(|_| kind == Kind::Acceptance);
        let property = own.unwrap_or(&added);
        for setting in [Setting::Best, Setting::Plain] {
            for group in [Group::Trivial, Group::Certified] {
                let how = How {
                    setting,
                    group,
                    fair: Fair::None,
                    endless: false,
                };
                let found = asking.violated(property, how);
                assert_eq!(found, Ok(violated), "{name} {kind:?} {how:?}");
            }
        }
    }
}

#[test]
fn a_header_that_is_wrong_is_seen() {
    let line = " * live: served none violated, weak holds, strong holds";
    assert_eq!(
        parse(line),
        Some(("served".to_owned(), [true, false, false]))
    );
    assert_eq!(
        parse(" * live: served none maybe, weak holds, strong holds"),
        None
    );
    let text = std::fs::read_to_string(folder().join("lock.pml")).expect("the model");
    let asking = Asking::read(&text).expect("a model");
    let how = How {
        setting: Setting::Best,
        group: Group::Certified,
        fair: Fair::None,
        endless: false,
    };
    let found = asking.violated(asking.property("served"), how);
    assert_eq!(found, Ok(true));
}

/// What a quotient that is wrong on purpose says differently: name, formula, fairness.
fn differences(group: Group) -> Vec<String> {
    let mut found = Vec::new();
    for told in all() {
        let asking = Asking::read(&told.text).expect("a model");
        for (name, verdicts) in &told.live {
            for (fair, expected) in FAIR.into_iter().zip(verdicts) {
                let setting = Setting::Best;
                let how = How {
                    setting,
                    group,
                    fair,
                    endless: false,
                };
                // What it finds may be no run at all: that is seen when it is replayed.
                if asking.violated(asking.property(name), how) != Ok(*expected) {
                    found.push(format!("{} {name} {fair:?}", told.name));
                }
            }
        }
    }
    found
}

#[test]
fn who_forgets_whom_a_symmetry_moved_is_wrong() {
    let found = differences(Group::Forgetful);
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|line| !line.ends_with("None")),
        "{found:?}"
    );
}

#[test]
fn who_uses_symmetries_that_move_an_atom_is_wrong() {
    let found = differences(Group::Careless);
    let turns = found.iter().any(|line| line.starts_with("turns.pml not_"));
    assert!(turns, "{found:?}");
}

#[test]
fn spin_says_the_same_of_our_models() {
    if std::env::var("ORBIT_ORACLES").is_err() {
        crate::counts::note("temporal: skipped: set ORBIT_ORACLES=1 to compare with spin\n");
        return;
    }
    let folder = std::env::temp_dir().join("orbit-liveness");
    let mut wrong = Vec::new();
    for told in all() {
        compile_pan(&folder, &told.text, &[]).unwrap_or_else(|| panic!("{}", told.name));
        for (name, verdicts) in &told.live {
            for (flags, expected) in [&["-a"][..], &["-a", "-f"]].into_iter().zip(verdicts) {
                let flags: Vec<&str> = flags.iter().copied().chain(["-N", name]).collect();
                if pan(&folder, &flags) != Some(*expected) {
                    wrong.push(format!("{} {name} {flags:?}", told.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
