//! Examples of the survey and of the thesis (`models/promela/survey`, `models/promela/thesis`) have
//! the states, orbits and groups of their headers, by every exact strategy; what these documents
//! say of single examples is so.

use crate::command::{json, run};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/promela/{name}"))
}

/// What a line of a header promises: flags, states, orbits, the name of the group.
struct Promise {
    file: PathBuf,
    flags: String,
    full: u64,
    orbits: u64,
    group: String,
}

fn promises() -> Vec<Promise> {
    let mut all = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for name in ["survey", "thesis"] {
        let entries = std::fs::read_dir(folder(name)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a model");
        let before = all.len();
        for line in text.lines() {
            let Some(line) = line.strip_prefix(" * orbits: ") else {
                continue;
            };
            let (flags, rest) = line.split_once("full ").expect("`full`");
            let (full, rest) = rest.split_once(" orbits ").expect("`orbits`");
            let (orbits, group) = rest.split_once(" group ").expect("`group`");
            all.push(Promise {
                file: file.clone(),
                flags: flags.to_owned(),
                full: full.parse().expect("a number"),
                orbits: orbits.parse().expect("a number"),
                group: group.to_owned(),
            });
        }
        assert!(all.len() > before, "{} promises nothing", file.display());
    }
    all
}

#[test]
fn the_examples_have_the_orbits_of_their_headers() {
    let mut n_inexact = 0;
    for promise in promises() {
        let file = promise.file.display();
        let line = format!("check -n --no-deadlock --plain {}", promise.flags);
        for strategy in ["canonical", "enumerate", "segmented", "labels"] {
            let told = json(
                &format!("{line} --count-full --reduce {strategy} {file}"),
                b"",
            );
            let counts = &told["counts"];
            let found = (&counts["full_states"], &counts["stored_states"]);
            let expected = (&promise.full.into(), &promise.orbits.into());
            assert_eq!(found, expected, "{file} {} {strategy}", promise.flags);
            assert_eq!(told["symmetry"]["structure"], promise.group, "{file}");
        }
        let none = json(&format!("{line} --reduce none {file}"), b"");
        assert_eq!(none["counts"]["stored_states"], promise.full, "{file}");
        // Sorting keeps several states of some orbits, and never too few.
        let sorted = json(&format!("{line} --reduce sorted {file}"), b"");
        let n = sorted["counts"]["stored_states"]
            .as_u64()
            .expect("a number");
        assert!(n >= promise.orbits, "{file}");
        n_inexact += usize::from(n > promise.orbits);
    }
    assert!(n_inexact > 3, "{n_inexact}");
}

#[test]
fn a_comparison_that_is_never_made_still_tells_apart() {
    let file = folder("survey").join("order_fragment.pml");
    let line = format!(
        "symmetry --plain -D UNREACHED --detect kripke {}",
        file.display()
    );
    let told = json(&line, b"");
    // The state graph has the whole symmetry; the text has less, and is right.
    let (code, out, _) = run(&line, b"");
    assert_eq!(code, 0);
    assert_eq!(told["group_order"], "4", "{out}");
    assert!(out.contains("S5") || out.contains("120"), "{out}");
}

#[test]
fn a_special_client_leaves_the_subgroup_of_the_thesis() {
    let file = folder("thesis").join("allocator_special.pml");
    let line = format!("symmetry --detect channel-diagram {}", file.display());
    let (code, out, _) = run(&line, b"");
    assert_eq!(code, 0);
    for row in [
        "|Aut(SCD)|      5040",
        "|H|             36,",
        "|G|             720,",
    ] {
        assert!(out.contains(row), "{row}\n{out}");
    }
}

/// The larger models of the thesis with the counts that are known of them: file, macros, states
/// without reduction where they are known, orbits. Those that take longer are in
/// `orbit-bench thesis --all`.
const LARGER: &[(&str, &str, Option<u64>, u64)] = &[
    ("peterson_n", "-D N=5", Some(1_557_370), 17_321),
    ("peterson_n", "-D N=6", None, 89_850),
    (
        "three_tiered",
        "-D A=3 -D B=3 -D C=0 -D BUFFERED",
        Some(103_105),
        2_656,
    ),
    (
        "three_tiered",
        "-D A=4 -D B=4 -D C=0 -D BUFFERED",
        Some(1_049_601),
        5_021,
    ),
    (
        "three_tiered",
        "-D A=3 -D B=3 -D C=3 -D BUFFERED",
        None,
        50_396,
    ),
    ("email", "-D N=4", Some(852_641), 36_255),
    ("hypercube_table", "", Some(15_409), 411),
    ("hypercube_table", "-D FIXED", Some(8_866), 1_669),
];

#[test]
fn the_larger_models_of_the_thesis_have_their_states_and_orbits() {
    for (name, flags, full, orbits) in LARGER {
        let line = format!(
            "check -n --no-deadlock --no-assertions --spin-compat --count-full {flags} \
             ../../models/promela/{name}.pml"
        );
        let counts = &json(&line, b"")["counts"];
        assert_eq!(counts["states"], *orbits, "{name} {flags}");
        if let Some(full) = full {
            assert_eq!(counts["full_states"], *full, "{name} {flags}");
        }
    }
}
