//! Models by other people, all of which SPIN accepts.

use crate::run::check;
use std::path::PathBuf;

/// The folder of the models, if it is on this machine.
fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/corpus");
    let named = std::env::var_os("ORBIT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or(beside).join("promela");
    corpus.join("expected.csv").exists().then_some(corpus)
}

#[test]
fn every_model_of_the_corpus_is_accepted() {
    let Some(folder) = folder() else {
        let words = "skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n";
        let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
        assert!(written.is_ok());
        return;
    };
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let names: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').next())
        .collect();
    assert!(names.len() > 100, "{} models", names.len());
    let mut refused = Vec::new();
    let mut n_warnings = 0;
    for name in &names {
        let bytes = std::fs::read(folder.join(name)).expect("a readable model");
        let said = check(&String::from_utf8_lossy(&bytes));
        n_warnings += said.warnings.len();
        let embedded = said.errors.iter().any(|e| e.contains("embedded C"));
        if !said.errors.is_empty() && !embedded {
            refused.push(format!("{name}\n{}", said.drawn));
        }
    }
    let n = refused.len();
    assert!(
        refused.is_empty(),
        "{n} of {} refused:\n{}",
        names.len(),
        refused.join("\n\n")
    );
    assert!(n_warnings > 0, "ill-typed models are among them");
}
