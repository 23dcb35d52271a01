//! Machines by other people, all of which ProB accepts.

use crate::run::check;
use std::path::PathBuf;

/// Machines that are not accepted, and a word of the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

/// The folder of the machines, if it is on this machine.
pub fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/corpus");
    let named = std::env::var_os("ORBIT_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or(beside).join("b");
    corpus.join("expected.csv").exists().then_some(corpus)
}

#[test]
fn every_machine_of_the_corpus_is_accepted() {
    let Some(folder) = folder() else {
        let words = "skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n";
        let written = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
        assert!(written.is_ok());
        return;
    };
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let rows = list.lines().skip(1);
    let names: Vec<&str> = rows.filter_map(|l| l.split(',').next()).collect();
    assert!(names.len() > 100, "{} machines", names.len());
    let mut wrong = Vec::new();
    for name in &names {
        let bytes = std::fs::read(folder.join(name)).expect("a readable machine");
        let said = check(&String::from_utf8_lossy(&bytes));
        let left_out = LEFT_OUT.iter().find(|(n, _)| n == name);
        let as_listed = match left_out {
            None => said.errors.is_empty() && said.machine.is_some(),
            Some((_, why)) => said.errors.iter().any(|e| e.contains(why)),
        };
        if !as_listed {
            wrong.push(format!("{name}\n{}", said.drawn));
        }
    }
    let n = wrong.len();
    assert!(n == 0, "{n} of {}:\n{}", names.len(), wrong.join("\n\n"));
}
