//! Whether lowered models have the steps that SPIN gives them.

use crate::spin::{self, first_seed, is_demanded, say, verifier};
use crate::table::{Table, differences, model, of_model};
use fuzz::promela::{Aim, program};
use std::path::{Path, PathBuf};

/// Our table of a model, or the messages.
fn ours(text: &str) -> Result<Table, String> {
    model(text).map(|m| of_model(&m))
}

/// Compares one model; `None` if SPIN refuses it.
fn compare(bytes: &[u8], name: &str) -> Option<Vec<String>> {
    let theirs = spin::table(&verifier(bytes, name)?);
    Some(match ours(&String::from_utf8_lossy(bytes)) {
        Ok(table) => differences(&table, &theirs),
        Err(messages) => vec![messages],
    })
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|p| {
            p.is_file()
                && p.extension()
                    .is_some_and(|e| !["csv", "txt", "sh"].iter().any(|o| e == *o))
        })
        .collect();
    paths.sort();
    paths
}

#[test]
fn models_have_the_steps_of_spin() {
    if !is_demanded("models_have_the_steps_of_spin") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/corpus");
    let corpus = std::env::var_os("ORBIT_CORPUS").map_or(beside, PathBuf::from);
    let mut paths = models(&root.join("models/promela"));
    paths.extend(models(&root.join("crates/promela/tests/golden")));
    let n_own = paths.len();
    paths.extend(models(&corpus.join("promela")));
    let mut wrong = Vec::new();
    let mut n_same = 0;
    for path in &paths {
        let bytes = std::fs::read(path).expect("a readable model");
        match compare(&bytes, "models") {
            None => say(&format!("SPIN refuses {}", path.display())),
            Some(all) if all.is_empty() => n_same += 1,
            Some(all) => wrong.push(format!("{}\n{}", path.display(), all.join("\n"))),
        }
    }
    say(&format!("{n_same} of {} models are the same", paths.len()));
    assert!(n_same >= n_own, "{n_same} of {}", paths.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn random_programs_have_the_steps_of_spin() {
    const N_PROGRAMS: u64 = 24;
    if !is_demanded("random_programs_have_the_steps_of_spin") {
        return;
    }
    let start = first_seed();
    let mut n_refused = 0;
    for seed in start..start + N_PROGRAMS {
        let text = program(seed, Aim::Structure);
        match compare(text.as_bytes(), "random") {
            None => n_refused += 1,
            Some(all) => assert!(all.is_empty(), "seed {seed}\n{text}\n{}", all.join("\n")),
        }
    }
    say(&format!("SPIN refused {n_refused} of {N_PROGRAMS}"));
    assert!(n_refused < N_PROGRAMS * 3 / 4, "{n_refused} refused");
}

#[test]
fn a_step_that_leads_elsewhere_is_noticed() {
    let text = "byte x; active proctype P() { atomic { x = 1; x = 2 }; x = 3 }";
    let right = ours(text).expect("a model");
    assert!(differences(&right, &right).is_empty());
    let mut wrong = right.clone();
    let rows = wrong.get_mut("P").expect("the process");
    rows.values_mut().next().expect("a row").edges[0].target = 1;
    assert_eq!(differences(&right, &wrong).len(), 1);
    let mut wrong = right.clone();
    let rows = wrong.get_mut("P").expect("the process");
    rows.values_mut().next().expect("a row").edges[0].keeps_control ^= true;
    assert_eq!(differences(&right, &wrong).len(), 1);
    wrong.remove("P");
    assert_eq!(differences(&right, &wrong).len(), right["P"].len());
}

#[test]
fn a_printed_table_is_read() {
    let printed = "proctype P\n\
        \tstate   5 -(tr   3)-> state   2  [id   7 tp   2 org   9] [A-e-G] m.pml:2 => ((x<3))\n\
        \tstate   5 -(tr   2)-> state  11  [id   2 tp   2] [--e-L] m.pml:2 => else\n\
        \n\
        Transition Type: A=atomic\n";
    let flags = [(7, 2), (2, 0)].into_iter().collect();
    let table = spin::read(printed, &flags);
    let row = &table["P"][&5];
    assert_eq!(row.marks, "e");
    let edges: Vec<(u32, bool, u16)> = row
        .edges
        .iter()
        .map(|e| (e.target, e.keeps_control, e.rank))
        .collect();
    assert_eq!(edges, [(2, true, 1), (11, false, 0)]);
}
