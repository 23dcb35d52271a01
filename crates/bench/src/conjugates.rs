//! The table *conjugates* of the suite `thesis`: the largest valid subgroup of the symmetries of a
//! channel diagram, as SymmExtractor looked for it, with 2, 5 and 10 random conjugates.
//!
//! A conjugate of a valid symmetry is often valid too, and the more is known to be valid, the fewer
//! cosets are left to try. Which conjugates are drawn decides what is found early, so neither the
//! orders nor the times of others can be met; ours are of one seed. The structure graph, which
//! *detection* is about, needs no cosets at all.

use super::Bench;
use super::clock::{Pace, pace};
use super::record::RunOutcome;
use super::table::duration;
use super::thesis::with_machine;
use super::thesis::{name, plan, printed_seconds, short, with_file};
use super::thesis_rows::ThesisRow;
use base::Clock;
use driver::detect::{Detect, DiagramSearch, detect};
use orbit::plan::CheckPlan;
use std::path::Path;
use std::time::Duration;

/// The name of the table.
pub const TABLE: &str = "conjugates";

/// How many conjugates, and the names of the runs.
const NUMBERS: [(usize, &str, &str); 3] = [
    (2, "orbit 2 conjugates", "symmextractor 2 conjugates"),
    (5, "orbit 5 conjugates", "symmextractor 5 conjugates"),
    (10, "orbit 10 conjugates", "symmextractor 10 conjugates"),
];

/// Where long cases are not wanted, no search takes longer than this.
const SHORT: Duration = Duration::from_secs(10);

/// What stands above the columns.
pub const COLUMNS: [&str; 13] = [
    TABLE,
    "2: order",
    "time",
    "2007",
    "time",
    "5: order",
    "time",
    "2007",
    "time",
    "10: order",
    "time",
    "2007",
    "time",
];

/// The order of what the conjugates gave, which is what is printed in 2007, and whether all cosets
/// were tried after that, which the time includes.
struct ConjugatesResult {
    pace: Pace,
    order: String,
    is_all: bool,
}

/// Measures a row.
pub fn line(bench: &mut Bench, row: &ThesisRow) -> Vec<String> {
    let mut cells = vec![name(row)];
    for ((n, tool, theirs), column) in NUMBERS.into_iter().zip((0..).step_by(2)) {
        let found = with_file(bench, row, |bench, row, file| {
            of_diagram(bench, row, file, n)
        });
        let outcome = match &found {
            Ok(found) if found.is_all => RunOutcome::Measured {
                pace: found.pace,
                remark: format!("order {}", found.order),
                agrees: None,
            },
            Ok(found) => RunOutcome::Limit(found.pace.each()),
            Err(outcome) => outcome.clone(),
        };
        bench.add(TABLE, row.case, tool, outcome);
        bench.add(
            TABLE,
            row.case,
            theirs,
            printed_seconds(row.number(column + 1)),
        );
        cells.extend(match &found {
            Ok(found) => {
                let more = if found.is_all { "" } else { "> " };
                [
                    format!("{more}{}", short(&found.order)),
                    format!("{more}{}", duration(found.pace.each())),
                ]
            }
            Err(_) => ["failed".to_owned(), String::new()],
        });
        let printed = |column: usize| row.printed[column].unwrap_or("-");
        let seconds = format!("{} s", printed(column + 1));
        cells.extend([printed(column).to_owned(), seconds]);
    }
    cells
}

fn of_diagram(
    bench: &Bench,
    row: &ThesisRow,
    file: &Path,
    n: usize,
) -> Result<ConjugatesResult, RunOutcome> {
    let CheckPlan::Search(plan) = plan(bench, row, file, &[])? else {
        return Err(RunOutcome::Failed("nothing is searched".to_owned()));
    };
    let is_long = bench.all || bench.only.is_some();
    let limit = if is_long {
        bench.limit
    } else {
        bench.limit.min(SHORT)
    };
    let search = Detect::Diagram(DiagramSearch {
        kind: reduce::processes::diagram::DiagramKind::Static,
        listener: driver::detect::CosetListener::NOBODY,
        n_conjugators: n,
        seed: 0,
        clock: Clock::of(Some(limit)),
    });
    let mut found = None;
    let pace = with_machine(&plan, |machine| {
        pace(0.0, |_| found = detect(&search, machine))
    })?;
    let found = found.ok_or(RunOutcome::Failed("the making goes wrong".to_owned()))?;
    let by = found.by_diagram;
    let by = by.ok_or(RunOutcome::Failed(
        "the channel diagram was not looked at".to_owned(),
    ))?;
    Ok(ConjugatesResult {
        pace,
        order: by.with_conjugates().to_string(),
        is_all: by.largest.is_largest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::tests::bench;
    use crate::thesis_rows::CONJUGATES;

    #[test]
    fn a_square_has_all_its_symmetries() {
        let mut bench = bench("hypercube 2d");
        let rows = ThesisRow::all(CONJUGATES, 6);
        let row = rows.iter().find(|row| row.case == "hypercube 2d");
        let line = line(&mut bench, row.expect("a row"));
        assert_eq!(line.len(), COLUMNS.len());
        let orders = [&line[1], &line[5], &line[9]];
        assert_eq!(orders, ["8", "8", "8"]);
        assert_eq!(line[3..5], ["2", "0.65 s"]);
        assert_eq!(bench.recorder.runs().len(), 6);
    }
}
