//! Models by other people, with the counts that SPIN gives.
//!
//! The folder is `ORBIT_CORPUS`, or `../shared/corpus` beside the project. Models of more than
//! 200,000 states run only with `ORBIT_CORPUS_FULL=1`. What is known to differ stands in
//! `exceptions.txt` with its cause; an exception that is not needed any more is an error too.

use super::{Compiled, Exceptions, compile, corpus, note};
use model::processes::passes::Setting;
use std::collections::BTreeSet;
use std::path::Path;

/// The largest models that always run.
const STATES_MAX: u64 = 200_000;

/// What SPIN says of a model.
struct Row {
    file: String,
    plain: (u64, u64),
    by_default: u64,
    violated: bool,
    first_error: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let list = std::fs::read_to_string(folder.join("expected.csv")).expect("a readable list");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| {
            cells[at]
                .parse::<u64>()
                .unwrap_or_else(|_| panic!("{line}"))
        };
        Row {
            file: cells[0].to_owned(),
            plain: (number(1), number(2)),
            by_default: number(4),
            violated: cells[6] == "violated",
            first_error: cells[7].to_owned(),
        }
    };
    list.lines().skip(1).map(row).collect()
}

/// Every model of the corpus: name, text, and states of the plain setting.
pub fn all() -> Vec<(String, String, u64)> {
    let Some(folder) = corpus("promela") else {
        return Vec::new();
    };
    let text = |row: &Row| std::fs::read(folder.join(&row.file)).expect("a readable model");
    let all = rows(&folder).into_iter().map(|row| {
        let text = String::from_utf8_lossy(&text(&row)).into_owned();
        (row.file, text, row.plain.0.max(row.by_default))
    });
    all.collect()
}

/// What differs from what SPIN says: what, and how.
fn differences(row: &Row, model: &Compiled) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let plain = match model.count(Setting::Plain) {
        Ok(plain) => plain,
        Err(why) => return vec![("plain", why)],
    };
    if (plain.n_states, plain.n_transitions) != row.plain {
        let counts = (plain.n_states, plain.n_transitions);
        found.push(("plain", format!("{counts:?}, not {:?}", row.plain)));
    }
    let first = plain.errors.first().copied().unwrap_or("");
    if plain.errors.is_empty() == row.violated || !row.first_error.starts_with(first) {
        found.push((
            "error",
            format!("{first:?} first, not {:?}", row.first_error),
        ));
    }
    match model.count(Setting::Spin) {
        Ok(spin) if spin.n_states == row.by_default => {}
        Ok(spin) => {
            found.push((
                "spin",
                format!("{} states, not {}", spin.n_states, row.by_default),
            ));
        }
        Err(why) => found.push(("spin", why)),
    }
    match model.count(Setting::Best) {
        Ok(best) => {
            let least = row.by_default.min(row.plain.0);
            if best.n_states > least {
                found.push((
                    "own",
                    format!("{} states, more than {least}", best.n_states),
                ));
            }
            let kinds = |errors: &[&'static str]| errors.iter().copied().collect::<BTreeSet<_>>();
            if kinds(&best.errors) != kinds(&plain.errors) {
                found.push(("own", format!("{:?}, not {:?}", best.errors, plain.errors)));
            }
        }
        Err(why) => found.push(("own", why)),
    }
    found
}

#[test]
fn models_of_the_corpus_have_the_counts_and_verdicts_that_spin_gives() {
    let Some(folder) = corpus("promela") else {
        note("skipped: there is no corpus beside the project, and ORBIT_CORPUS names none\n");
        return;
    };
    let full = std::env::var_os("ORBIT_CORPUS_FULL").is_some_and(|set| set == "1");
    let (rows, mut exceptions) = (rows(&folder), Exceptions::read());
    assert!(rows.len() > 100, "{} models", rows.len());
    let (mut run, mut wrong) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| row.plain.0 <= STATES_MAX || full) {
        let bytes = std::fs::read(folder.join(&row.file)).expect("a readable model");
        let found = match compile(&String::from_utf8_lossy(&bytes), &[]) {
            Ok(model) => differences(row, &model),
            Err(why) => vec![("refused", why)],
        };
        let new = found
            .iter()
            .filter(|(what, _)| !exceptions.has(&row.file, what));
        wrong.extend(new.map(|(what, how)| format!("{} {what} {how}", row.file)));
        run.push(row.file.clone());
    }
    note(&format!(
        "{} of {} models of the corpus were run\n",
        run.len(),
        rows.len()
    ));
    wrong.extend(exceptions.stale(&run));
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_difference_is_found() {
    let model = compile("byte x; init { x = 1; assert(x == 2) }", &[]).expect("a model");
    let row = |plain, by_default, violated, first: &str| Row {
        file: String::new(),
        plain,
        by_default,
        violated,
        first_error: first.to_owned(),
    };
    let whats = |row: &Row| -> Vec<&str> {
        differences(row, &model)
            .iter()
            .map(|(what, _)| *what)
            .collect()
    };
    let right = row((4, 4), 4, true, "assertion violated (x==2)");
    assert_eq!(whats(&right), [""; 0]);
    assert_eq!(
        whats(&row((4, 5), 4, true, "assertion violated")),
        ["plain"]
    );
    assert_eq!(whats(&row((4, 4), 4, true, "invalid end state")), ["error"]);
    assert_eq!(whats(&row((4, 4), 4, false, "")), ["error"]);
    assert_eq!(whats(&row((4, 4), 5, true, "assertion violated")), ["spin"]);
    assert_eq!(
        whats(&row((4, 4), 0, true, "assertion violated")),
        ["spin", "own"]
    );
}
