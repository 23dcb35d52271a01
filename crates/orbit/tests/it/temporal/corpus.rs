//! Claims and formulas of models by other people: the verdict of `pan -a`.
//!
//! The folder is that of `counts/corpus.rs`. `expected.csv` says in the column `claim` whether
//! `pan -a` found an error; SPIN checks one claim or formula of a model, the first of the text
//! unless it is asked for another.

use super::{Asking, Fair, Group, How};
use crate::counts::{corpus, note};
use model::processes::passes::Setting;
use model::processes::property::Kind;
use std::path::Path;

/// Models whose verdict is not SPIN's, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Files with the verdict of `pan -a`, true if violated.
fn rows(folder: &Path) -> Vec<(String, bool)> {
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        match cells[8] {
            "holds" => Some((cells[0].to_owned(), false)),
            "violated" => Some((cells[0].to_owned(), true)),
            _ => None,
        }
    };
    list.lines().skip(1).filter_map(row).collect()
}

#[test]
fn claims_of_the_corpus_have_the_verdicts_that_spin_gives() {
    let Some(folder) = corpus("promela") else {
        note("skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n");
        return;
    };
    let rows = rows(&folder);
    assert!(rows.len() > 10, "{} claims", rows.len());
    let (mut wrong, mut differ) = (Vec::new(), Vec::new());
    for (file, expected) in &rows {
        let bytes = std::fs::read(folder.join(file)).expect("a readable model");
        let asking = Asking::read(&String::from_utf8_lossy(&bytes));
        let mut asking = asking.unwrap_or_else(|why| panic!("{file}: {why}"));
        let accepts = asking.added(Kind::Acceptance);
        let claim = asking.properties.iter().find(|p| p.kind == Kind::Never);
        // Without a claim SPIN looks at the accept labels of processes.
        let property = claim.or(asking.properties.first()).unwrap_or(&accepts);
        let how = |setting, group| How {
            setting,
            group,
            fair: Fair::None,
            endless: false,
        };
        let ways = [
            how(Setting::Best, Group::Certified),
            how(Setting::Best, Group::Trivial),
            how(Setting::Plain, Group::Certified),
        ];
        let verdicts = ways.map(|how| asking.violated(property, how));
        if verdicts.iter().any(|verdict| *verdict != verdicts[0]) {
            wrong.push(format!("{file} {}: {verdicts:?}", property.name));
        }
        if verdicts[0] != Ok(*expected) {
            differ.push(file.as_str());
            note(&format!("{file} {}: {:?}\n", property.name, verdicts[0]));
        }
    }
    note(&format!(
        "{} claims of the corpus were checked\n",
        rows.len()
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: Vec<&str> = EXCEPTIONS.iter().map(|(file, _)| *file).collect();
    assert_eq!(differ, known);
}
