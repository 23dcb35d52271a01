//! Two tables of the suite `thesis`: the groups of state graphs, which are the ground truth that
//! detection is compared with, and the specifications of the study.
//!
//! *graphs* has the states of a model, the order of the group of its state graph, and how many
//! orbits that leaves, beside what SPIN-to-GRAPE found; also the order of the group that we find
//! in the text, which is the same or smaller. `~` in print is followed by the right number.
//!
//! *study* has what students' specifications were like. Their 63 texts are not published; each of
//! our models breaks symmetry, as far as TopSPIN saw, in one of the ways that are told of them, and
//! has what the channel diagram gives of it and what the structure of the text gives.
//!
//! Worked example: two processes that name their global each (`like_globals`): order 1 by the
//! diagram, 2 by the structure.

use super::Bench;
use super::clock::pace;
use super::record::RunOutcome;
use super::thesis::with_file;
use super::thesis_rows::ThesisRow;
use orbit::plan;
use serde_json::Value;
use std::path::Path;

/// The names of the tables.
pub const GRAPHS: &str = "graphs";
pub const STUDY: &str = "study";

pub const GRAPH_COLUMNS: [&str; 8] = [
    GRAPHS,
    "states",
    "group of the graph",
    "orbits",
    "group of the text",
    "2007 states",
    "group",
    "orbits",
];

pub const STUDY_COLUMNS: [&str; 3] = [STUDY, "channel diagram", "structure"];

/// What was told of the study.
pub const STUDY_NOTE: &str = "\
The study of 2007: of 51 specifications of telephones just over half broke symmetry as written, 23
were detected after trivial fixes, 13 needed minor changes, 7 medium and 8 major ones; of 12 of
railways 6 broke it as written, and all 12 needed major changes.
";

/// What `orbit symmetry` says of a row's model.
fn symmetry(bench: &Bench, row: &ThesisRow, file: &Path, place: &str) -> Result<Value, RunOutcome> {
    let mut words: Vec<String> = row
        .defines
        .iter()
        .map(|define| format!("-D{define}"))
        .collect();
    words.push(format!("--time={}s", bench.limit.as_secs_f64()));
    words.push(format!("--detect={place}"));
    if row.is("plain") {
        words.push("--plain".to_owned());
    } else if !row.is("own") {
        words.push("--spin-compat".to_owned());
    }
    words.push(file.display().to_string());
    let plan = plan::of_symmetry(&words).map_err(|why| RunOutcome::Failed(why.words()))?;
    let answer = driver::explain::symmetry(&plan);
    let answer = answer.map_err(|why| RunOutcome::Failed(why.message))?;
    Ok(Value::Object(answer.json))
}

/// A line of *graphs*.
pub fn graph_line(bench: &mut Bench, row: &ThesisRow) -> Option<Vec<String>> {
    let mut found = Err(RunOutcome::Failed("it was not looked at".to_owned()));
    let pace = pace(0.0, |_| {
        found = with_file(bench, row, |bench, row, file| {
            symmetry(bench, row, file, "kripke")
        });
    });
    let (numbers, outcome) = match &found {
        Ok(told) => {
            let graph = &told["kripke"];
            let number = |key: &str| match &graph[key] {
                Value::String(digits) => digits.parse().ok(),
                other => other.as_u64(),
            };
            let numbers = ["states", "group_order", "n_orbits"].map(number);
            let agrees = (0..3)
                .filter_map(|n| row.right(n, numbers[n]?))
                .reduce(|a, b| a && b);
            (numbers, RunOutcome::of(pace).agreeing(agrees))
        }
        Err(outcome) => ([None; 3], outcome.clone()),
    };
    bench.add(GRAPHS, row.case, "orbit", outcome);
    let printed = RunOutcome::Printed {
        source: "2007",
        seconds: None,
        n_states: row.printed[0].and_then(|text| text.split('~').next()?.parse().ok()),
        agrees: None,
    };
    bench.add(GRAPHS, row.case, "SPIN-to-GRAPE", printed);
    let mut cells = vec![row.case.to_owned()];
    for (n, number) in numbers.into_iter().enumerate() {
        let differs = number.and_then(|number| row.right(n, number)) == Some(false);
        let shout = if differs { " DIFFERS" } else { "" };
        cells.push(number.map_or("-".to_owned(), |number: u64| format!("{number}{shout}")));
    }
    let text = found
        .as_ref()
        .ok()
        .and_then(|told| told["group_order"].as_str());
    cells.push(text.unwrap_or("-").to_owned());
    cells.extend(
        row.printed
            .iter()
            .map(|cell| match cell.map(|text| text.split_once('~')) {
                None => "-".to_owned(),
                Some(None) => cell.unwrap_or("-").to_owned(),
                Some(Some((printed, right))) => format!("{printed} ({right})"),
            }),
    );
    Some(cells)
}

/// A line of *study*.
pub fn study_line(bench: &mut Bench, row: &ThesisRow) -> Option<Vec<String>> {
    let mut cells = vec![row.case.to_owned()];
    for (place, tool) in [
        ("channel-diagram", "orbit channel-diagram"),
        ("structure", "orbit"),
    ] {
        let mut found = Err(RunOutcome::Failed("it was not looked at".to_owned()));
        let pace = pace(0.0, |_| {
            found = with_file(bench, row, |bench, row, file| {
                symmetry(bench, row, file, place)
            });
        });
        let order = found
            .as_ref()
            .ok()
            .map(|told| match &told["channel_diagram"]["largest"] {
                Value::String(order) => order.clone(),
                _ => told["group_order"].as_str().unwrap_or("-").to_owned(),
            });
        let outcome = found.map_or_else(|outcome| outcome, |_| RunOutcome::of(pace));
        bench.add(STUDY, row.case, tool, outcome);
        cells.push(order.unwrap_or_else(|| "-".to_owned()));
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use crate::thesis::tests::bench;

    #[test]
    fn state_graphs_have_the_groups_that_were_printed() {
        let mut bench = bench("graphs mutex 5");
        crate::thesis::run(&mut bench);
        let row = bench
            .text
            .lines()
            .find(|line| line.starts_with("mutex 5"))
            .expect("a row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        // The state before the users run is one more, and an orbit of its own.
        let expected = [
            "mutex", "5", "113", "120", "12", "120", "112", "(113)", "120", "11", "(12)",
        ];
        assert_eq!(cells, expected);
        let runs = bench.recorder.runs();
        assert_eq!(runs[0].json()["agrees"], true);
    }

    #[test]
    fn what_the_diagram_does_not_see_the_structure_does() {
        let mut bench = bench("study");
        crate::thesis::run(&mut bench);
        let row = |name: &str| {
            let row = bench.text.lines().find(|line| line.starts_with(name));
            let row = row.unwrap_or_else(|| panic!("{name}: {}", bench.text));
            row.split_whitespace()
                .skip(1)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(row("globals"), ["1", "2"]);
        assert!(
            bench.text.contains("of 51 specifications"),
            "{}",
            bench.text
        );
    }
}
