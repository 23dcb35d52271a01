//! The table *segmented* of the suite `thesis`: the strategy that TopSPIN needed to be exact where
//! processes refer to each other, beside our own and what is printed.
//!
//! `segmented` settles who has which control data, then tries every element that keeps this. How
//! often it can use such a subgroup again depends on how many *partitions* there are: who has the
//! same control data as whom. Both of ours store one state of each orbit, which is compared.

use super::Bench;
use super::record::RunOutcome;
use super::searches::{TimedSearch, searched};
use super::table::duration;
use super::thesis::{is_interrupted, name, plan, printed_seconds, with_file};
use super::thesis_rows::ThesisRow;
use std::path::Path;

/// The name of the table.
pub const TABLE: &str = "segmented";

/// What is compared, and the names of the runs.
const STRATEGIES: [(&str, &str); 2] = [("canonical", "orbit"), ("segmented", "orbit segmented")];

/// What stands above the columns.
pub const COLUMNS: [&str; 7] = [
    TABLE,
    "orbits",
    "canonical",
    "segmented",
    "partitions",
    "2007 segmented",
    "2007 partitions",
];

/// Measures a row; `None` if it was interrupted.
pub fn line(bench: &mut Bench, row: &ThesisRow) -> Option<Vec<String>> {
    let both = with_file(bench, row, |bench, row, file| Ok(both(bench, row, file)));
    let both = both.unwrap_or_else(|outcome| vec![Err(outcome)]);
    if both
        .iter()
        .any(|one| one.as_ref().is_err_and(is_interrupted))
    {
        return None;
    }
    for ((_, tool), searched) in STRATEGIES.into_iter().zip(&both) {
        match searched {
            Ok(it) => {
                let outcome = if it.is_complete {
                    RunOutcome::of(it.pace)
                } else {
                    RunOutcome::Limit(it.pace.each())
                };
                bench.add_figures(TABLE, row.case, tool, outcome, it.figures);
            }
            Err(outcome) => bench.add(TABLE, row.case, tool, outcome.clone()),
        }
    }
    let seconds = printed_seconds(row.number(0));
    bench.add(TABLE, row.case, "topspin segmented", seconds);
    Some(cells(row, &both))
}

fn both(bench: &Bench, row: &ThesisRow, file: &Path) -> Vec<Result<TimedSearch, RunOutcome>> {
    let search = |(strategy, _): &(&str, &str)| {
        let flag = format!("--reduce={strategy}");
        searched(&plan(bench, row, file, &[&flag])?, bench.seconds)
    };
    STRATEGIES.iter().map(search).collect()
}

fn cells(row: &ThesisRow, both: &[Result<TimedSearch, RunOutcome>]) -> Vec<String> {
    let ours: Vec<&TimedSearch> = both.iter().flatten().collect();
    let mut counts: Vec<u64> = ours
        .iter()
        .filter(|it| it.is_complete)
        .map(|it| it.figures.n_states)
        .collect();
    counts.dedup();
    let orbits = match &counts[..] {
        [] => "-".to_owned(),
        [one] => one.to_string(),
        several => format!("{several:?} DIFFERS"),
    };
    let time = |it: &Result<TimedSearch, RunOutcome>| match it {
        Ok(it) if it.is_complete => duration(it.pace.each()),
        Ok(it) => format!("> {}", duration(it.pace.each())),
        Err(_) => "refused".to_owned(),
    };
    let mut cells = vec![name(row), orbits];
    cells.extend(both.iter().map(time));
    cells.resize(4, String::new());
    let complete = ours.iter().filter(|it| it.is_complete);
    let n_partitions = complete.filter_map(|it| it.n_partitions).next();
    cells.push(n_partitions.map_or("-".to_owned(), |n| n.to_string()));
    let printed = |column: usize| row.printed[column].unwrap_or("-");
    cells.extend([format!("{} s", printed(0)), printed(1).to_owned()]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::tests::bench;
    use crate::thesis_rows::SEGMENTED;

    #[test]
    fn segments_leave_as_many_states_under_few_partitions() {
        let mut bench = bench("email 3");
        let rows = ThesisRow::all(SEGMENTED, 2);
        let line = line(&mut bench, &rows[0]).expect("no interrupt");
        assert_eq!(line[..2], ["email 3", "3902"]);
        // What counts as control data is not quite the same, so neither are the partitions.
        assert_eq!(line[4..], ["6", "0.2 s", "5"]);
        assert_eq!(bench.recorder.runs().len(), 3);
    }

    #[test]
    fn another_number_of_orbits_is_shouted() {
        let rows = ThesisRow::all(SEGMENTED, 2);
        let ours = |n_states| Ok(TimedSearch::of_states(n_states));
        assert_eq!(cells(&rows[0], &[ours(7), ours(7)])[1], "7");
        assert_eq!(cells(&rows[0], &[ours(7), ours(8)])[1], "[7, 8] DIFFERS");
    }
}
