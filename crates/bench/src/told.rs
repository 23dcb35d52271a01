//! The suites `symmspin` and `replicated`: what is printed about two older ways of using symmetry
//! in SPIN, beside our searches of models written after theirs.
//!
//! A column is a strategy of ours, with the states that it stores and the CPU time of the search
//! alone, or what is printed. Where a printed number is about the same thing as one of ours, the
//! two are compared, and `DIFFERS` says that they are not equal. What is printed about other texts
//! stands there as printed, and a remark says why it is no number of ours.

use super::Bench;
use super::figure6;
use super::record::RunOutcome;
use super::searches::{TimedSearch, searched};
use super::table::{aligned, duration};
use super::thesis::{is_interrupted, plan, with_file};
use super::thesis_rows::ThesisRow;
use super::told_rows::{REPLICATED, SYMMSPIN};
use std::path::Path;

/// A suite of this kind.
pub struct Suite {
    pub name: &'static str,
    /// What is said above the table.
    heading: &'static str,
    /// Its rows.
    rows: &'static str,
    /// When its numbers were printed.
    year: &'static str,
    /// Strategies of ours, the default first, and the names of the runs.
    ours: &'static [(&'static str, &'static str)],
    /// What is printed: the name of the run, and which of ours is about the same.
    theirs: &'static [(&'static str, Option<usize>)],
    /// What stands above the columns, and where each comes from.
    columns: &'static [(&'static str, ColumnSource)],
}

/// Where a column comes from.
#[derive(Clone, Copy)]
enum ColumnSource {
    Ours(usize),
    Printed(usize),
}

/// What is told of SymmSpin.
pub const OF_SYMMSPIN: Suite = Suite {
    name: "symmspin",
    heading: "\
States by strategy with the CPU time of the search alone, beside what A. F. Donaldson (2007) tells
of the texts that SymmSpin was measured with, where no times are given; `-` is not told. The tables
of the SymmSpin papers themselves are not repeated there. `112+1`: SPIN also counts the start, in
which only `init` is there.

",
    rows: SYMMSPIN,
    year: "2007",
    ours: &[
        ("canonical", "orbit"),
        ("none", "orbit none"),
        ("sorted", "orbit sorted"),
        ("segmented", "orbit segmented"),
        ("pc-segmented", "orbit pc-segmented"),
    ],
    theirs: &[("printed states", Some(1)), ("printed orbits", Some(0))],
    columns: &[
        ("none", ColumnSource::Ours(1)),
        ("2007", ColumnSource::Printed(0)),
        ("canonical", ColumnSource::Ours(0)),
        ("2007", ColumnSource::Printed(1)),
        ("sorted", ColumnSource::Ours(2)),
        ("segmented", ColumnSource::Ours(3)),
        ("pc-segmented", ColumnSource::Ours(4)),
    ],
};

/// What is told by Derepas and Gastin.
pub const OF_REPLICATED: Suite = Suite {
    name: "replicated",
    heading: "\
States by strategy with the CPU time of the search alone, beside figure 6 of F. Derepas and
P. Gastin (2001), where no times are given. The text that they measured is not known: the one in
their appendix has other numbers. *matching* has as many states without reduction as theirs, and as
many as their column `first` when processes are sorted by the variable declared first alone; what
their column `last` counts is not known. `pseudo-sort` sorts layers here, and so keeps one state of
each orbit; `declared` compares all variables in the order of the text.

",
    rows: REPLICATED,
    year: "2001",
    ours: &[
        ("canonical", "orbit"),
        ("none", "orbit none"),
        ("pseudo-sort", "orbit pseudo-sort"),
        ("sorted", "orbit sorted"),
        ("pseudo-sort-declared", "orbit pseudo-sort-declared"),
        ("pseudo-sort-first", "orbit pseudo-sort-first"),
    ],
    theirs: &[
        ("printed states", Some(1)),
        ("printed first", Some(5)),
        ("printed last", None),
    ],
    columns: &[
        ("none", ColumnSource::Ours(1)),
        ("2001", ColumnSource::Printed(0)),
        ("canonical", ColumnSource::Ours(0)),
        ("pseudo-sort", ColumnSource::Ours(2)),
        ("sorted", ColumnSource::Ours(3)),
        ("declared", ColumnSource::Ours(4)),
        ("first", ColumnSource::Ours(5)),
        ("2001 first", ColumnSource::Printed(1)),
        ("2001 last", ColumnSource::Printed(2)),
    ],
};

type ColumnResults = Vec<Result<TimedSearch, RunOutcome>>;

/// Measures every case of `symmspin` that was asked for.
pub fn symmspin(bench: &mut Bench) {
    run(&OF_SYMMSPIN, bench);
}

/// Measures every case of `replicated` that was asked for.
pub fn replicated(bench: &mut Bench) {
    run(&OF_REPLICATED, bench);
    if bench.wants("replicated", "matching") {
        bench.text += &format!("\n{}\n", figure6::note());
    }
}

fn run(suite: &Suite, bench: &mut Bench) {
    let mut head = vec![suite.name.to_owned()];
    head.extend(suite.columns.iter().map(|(title, _)| (*title).to_owned()));
    head.push(String::new());
    let mut lines = vec![head];
    for row in ThesisRow::all(suite.rows, suite.theirs.len()) {
        let is_short = !row.is("long") || bench.all || bench.only.is_some();
        if !(is_short && bench.wants(suite.name, row.case)) {
            continue;
        }
        let found = search(suite, bench, &row);
        let stopped =
            |one: &Result<TimedSearch, RunOutcome>| one.as_ref().is_err_and(is_interrupted);
        if found.iter().any(stopped) {
            break;
        }
        record(suite, bench, &row, &found);
        lines.push(line(suite, &row, &found));
    }
    bench.text = suite.heading.to_owned() + &aligned(&lines);
}

fn search(suite: &Suite, bench: &Bench, row: &ThesisRow) -> ColumnResults {
    let searches = |bench: &Bench, row: &ThesisRow, file: &Path| {
        let search = |(strategy, _): &(&str, &str)| {
            let flag = format!("--reduce={strategy}");
            searched(&plan(bench, row, file, &[&flag])?, bench.seconds)
        };
        Ok(suite.ours.iter().map(search).collect())
    };
    with_file(bench, row, searches).unwrap_or_else(|outcome| vec![Err(outcome)])
}

fn record(suite: &Suite, bench: &mut Bench, row: &ThesisRow, found: &ColumnResults) {
    for ((_, tool), one) in suite.ours.iter().zip(found) {
        match one {
            Ok(it) => {
                let outcome = if it.is_complete {
                    RunOutcome::of(it.pace)
                } else {
                    RunOutcome::Limit(it.pace.each())
                };
                bench.add_figures(suite.name, row.case, tool, outcome, it.figures);
            }
            Err(outcome) => bench.add(suite.name, row.case, tool, outcome.clone()),
        }
    }
    for (column, (tool, same)) in suite.theirs.iter().enumerate() {
        let Some(number) = row.number(column) else {
            continue;
        };
        let outcome = RunOutcome::Printed {
            source: suite.year,
            seconds: None,
            n_states: Some(number as u64),
            agrees: same.and_then(|ours| agrees(row, column, found.get(ours))),
        };
        bench.add(suite.name, row.case, tool, outcome);
    }
}

/// Whether what we counted is what is printed; `None` if one of them is missing.
fn agrees(
    row: &ThesisRow,
    column: usize,
    ours: Option<&Result<TimedSearch, RunOutcome>>,
) -> Option<bool> {
    let ours = ours?.as_ref().ok().filter(|it| it.is_complete)?;
    row.agrees(column, ours.figures.n_states)
}

fn line(suite: &Suite, row: &ThesisRow, found: &ColumnResults) -> Vec<String> {
    let mut cells = vec![row.case.to_owned()];
    for (_, from) in suite.columns {
        cells.push(match *from {
            ColumnSource::Printed(column) => row.printed[column].unwrap_or("-").to_owned(),
            ColumnSource::Ours(ours) => {
                let theirs = suite.theirs.iter();
                let mut same = theirs.enumerate().filter(|(_, (_, of))| *of == Some(ours));
                let equal = same
                    .next()
                    .and_then(|(c, _)| agrees(row, c, found.get(ours)));
                cell(found.get(ours)) + if equal == Some(false) { " DIFFERS" } else { "" }
            }
        });
    }
    let mut remarks = vec![row.remark];
    remarks.extend(finds_nothing(found).then_some("no symmetry is found"));
    remarks.retain(|remark| !remark.is_empty());
    cells.push(remarks.join("; "));
    cells
}

/// Whether the default stores as many states as there are without reduction.
fn finds_nothing(found: &ColumnResults) -> bool {
    match (found.first(), found.get(1)) {
        (Some(Ok(ours)), Some(Ok(none))) if ours.is_complete && none.is_complete => {
            ours.figures.n_states == none.figures.n_states
        }
        _ => false,
    }
}

fn cell(found: Option<&Result<TimedSearch, RunOutcome>>) -> String {
    match found {
        Some(Ok(it)) => {
            let more = if it.is_complete { "" } else { "> " };
            let time = duration(it.pace.each());
            format!("{more}{} in {time}", it.figures.n_states)
        }
        Some(Err(RunOutcome::Failed(why))) => format!("failed: {why}"),
        _ => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::tests::bench;
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// A table without its times, which nobody can foretell.
    fn timeless(text: &str) -> String {
        let words = |line: &str| {
            let all: Vec<&str> = line.split_whitespace().collect();
            let mut kept = Vec::new();
            let mut i = 0;
            while i < all.len() {
                match all[i] {
                    "in" => i += 3,
                    word => {
                        kept.push(word);
                        i += 1;
                    }
                }
            }
            kept.join(" ")
        };
        text.lines().map(words).collect::<Vec<_>>().join("\n")
    }

    fn table(only: &str, run: fn(&mut Bench)) -> (String, Vec<Value>) {
        let mut bench = bench(only);
        run(&mut bench);
        let (_, table) = bench.text.split_once("\n\n").expect("a heading");
        let runs = bench.recorder.runs().iter().map(|run| run.json());
        (timeless(table), runs.collect())
    }

    #[test]
    fn rows_of_symmspin() {
        let (text, runs) = table("symmspin peterson 3", symmspin);
        let expected = "\
symmspin none 2007 canonical 2007 sorted segmented pc-segmented
peterson 3 plain 11318 11318 1976 - 2077 1976 1976
peterson 3 6143 6143 1102 - 1178 1102 1102
peterson 3 at rest 2636 - 494 - 528 494 494 as the simpler text
peterson 3 simpler plain 11318 11318 1976 - 2077 1976 1976
peterson 3 simpler 2636 2636 494 494 528 494 494";
        assert_eq!(text, expected);
        let agree: Vec<&Value> = runs.iter().map(|run| &run["agrees"]).collect();
        assert_eq!(
            agree.iter().filter(|a| ***a == Value::Bool(true)).count(),
            5
        );
        assert!(!agree.contains(&&Value::Bool(false)), "{runs:?}");
        let (text, _) = table("mutex 5 simpler", symmspin);
        let row = text.lines().last();
        assert_eq!(row, Some("mutex 5 simpler 113 112+1 12 11+1 12 12 12"));
    }

    #[test]
    fn rows_of_replicated() {
        let (text, runs) = table("matching 3", replicated);
        let expected = "\
replicated none 2001 canonical pseudo-sort sorted declared first 2001 first 2001 last
matching 3 918 918 56 56 124 109 108 108 227
matching 3 last 918 918 56 56 124 91 160 - - the reference declared last";
        assert_eq!(text, expected);
        let printed: Vec<&Value> = runs.iter().filter(|r| r["outcome"] == "printed").collect();
        assert_eq!(printed.len(), 4, "{runs:?}");
        assert!(printed.iter().all(|run| run["remark"] == "2001"));
        assert_eq!(printed[0]["agrees"], Value::Bool(true));
        assert_eq!(
            (&printed[1]["agrees"], &printed[1]["states"]),
            (&Value::Bool(true), &108.into())
        );
    }

    #[test]
    fn another_number_is_shouted() {
        let rows = ThesisRow::all(REPLICATED, 3);
        let row = rows.iter().find(|row| row.case == "matching 2");
        let searched = |n_states| Ok(TimedSearch::of_states(n_states));
        let found = vec![searched(21), searched(64), searched(33), searched(27)];
        let cells = line(&OF_REPLICATED, row.expect("a row"), &found);
        assert_eq!(cells[1], "64 in 1.00 s DIFFERS");
        assert_eq!(
            (cells[3].as_str(), cells[10].as_str()),
            ("21 in 1.00 s", "")
        );
        let found = vec![searched(63), searched(63)];
        let cells = line(&OF_REPLICATED, row.expect("a row"), &found);
        assert_eq!(
            (cells[1].as_str(), cells[10].as_str()),
            ("63 in 1.00 s", "no symmetry is found")
        );
    }

    /// *matching* by hand: clients `(to, mode)`, 0 for no server, and which servers are taken.
    type Matching = (Vec<(usize, u8)>, Vec<bool>);

    fn moves((clients, taken): &Matching) -> Vec<Matching> {
        let mut all = Vec::new();
        for i in 0..clients.len() {
            let (to, mode) = clients[i];
            let mut next = |client: (usize, u8), server: Option<(usize, bool)>| {
                let (mut clients, mut taken) = (clients.clone(), taken.clone());
                clients[i] = client;
                if let Some((server, by)) = server {
                    taken[server] = by;
                }
                all.push((clients, taken));
            };
            next((to, (mode + 1) % 3), None);
            match to {
                0 => (0..taken.len())
                    .filter(|&t| !taken[t])
                    .for_each(|t| next((t + 1, mode), Some((t, true)))),
                _ => next((0, mode), Some((to - 1, false))),
            }
        }
        all
    }

    /// Servers by whether they are taken, then clients by their reference alone, both by exchanging
    /// neighbours.
    fn sorted((mut clients, mut taken): Matching) -> Matching {
        let n = taken.len();
        for _ in 0..n {
            for j in 1..n {
                if !taken[j] && taken[j - 1] {
                    taken.swap(j - 1, j);
                    for (to, _) in &mut clients {
                        *to = match *to {
                            to if to == j => j + 1,
                            to if to == j + 1 => j,
                            to => to,
                        };
                    }
                }
            }
        }
        clients.sort_by_key(|(to, _)| *to);
        (clients, taken)
    }

    #[test]
    fn the_first_column_of_2001_is_clients_sorted_by_reference() {
        for row in ThesisRow::all(REPLICATED, 3) {
            let n = match row.case {
                "matching 2" => 2,
                "matching 3" => 3,
                "matching 4" => 4,
                _ => continue,
            };
            let start: Matching = (vec![(0, 0); n], vec![false; n]);
            let mut seen = BTreeSet::from([start.clone()]);
            let mut waiting = vec![start];
            while let Some(state) = waiting.pop() {
                for next in moves(&state).into_iter().map(sorted) {
                    if seen.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
            assert_eq!(row.agrees(1, seen.len() as u64), Some(true), "{row:?}");
        }
    }
}
