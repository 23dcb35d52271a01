//! The table *strategies* of the suite `thesis`: our exact choice of representatives beside the two
//! that TopSPIN has for groups that are too large to enumerate.
//!
//! What counts is the time for a stored state, of the search alone: an approximate strategy may
//! store more states and still be the faster one for each. All three search the same model under
//! the same rules, in one run on one machine.

use super::Bench;
use super::record::RunOutcome;
use super::searches::{TimedSearch, searched};
use super::table::duration;
use super::thesis::{is_interrupted, name, plan, printed, with_file};
use super::thesis_rows::ThesisRow;
use orbit::plan::CheckPlan;
use std::path::Path;
use std::time::Duration;

/// The name of the table.
pub const TABLE: &str = "strategies";

/// What is compared, and the names of the runs.
const STRATEGIES: [(&str, &str); 3] = [
    ("canonical", "orbit"),
    ("fast", "orbit fast"),
    ("local-search", "orbit local-search"),
];

/// Where long cases are not wanted, no search takes longer than this.
const SHORT: Duration = Duration::from_secs(20);

/// What stands above the columns.
pub const COLUMNS: [&str; 9] = [
    TABLE,
    "orbits",
    "a state",
    "fast",
    "a state",
    "local-search",
    "a state",
    "2007 enum",
    "2007 fast",
];

/// Measures a row; `None` if it was interrupted.
pub fn line(bench: &mut Bench, row: &ThesisRow) -> Option<Vec<String>> {
    let all = with_file(bench, row, |bench, row, file| {
        Ok(strategies(bench, row, file))
    });
    let all = all.unwrap_or_else(|outcome| vec![Err(outcome)]);
    let mut cells = vec![name(row)];
    for ((_, tool), searched) in STRATEGIES.into_iter().zip(all) {
        let outcome = match &searched {
            Ok(searched) if searched.is_complete => RunOutcome::of(searched.pace),
            Ok(searched) => RunOutcome::Limit(searched.pace.each()),
            Err(outcome) if is_interrupted(outcome) => return None,
            Err(outcome) => outcome.clone(),
        };
        match &searched {
            Ok(it) => bench.add_figures(TABLE, row.case, tool, outcome, it.figures),
            Err(_) => bench.add(TABLE, row.case, tool, outcome),
        }
        cells.extend(told(&searched));
    }
    cells.resize(COLUMNS.len() - 2, String::new());
    cells.extend(printed(row, &[1, 2]).split_off(1));
    Some(cells)
}

fn strategies(bench: &Bench, row: &ThesisRow, file: &Path) -> Vec<Result<TimedSearch, RunOutcome>> {
    let strategies = STRATEGIES.iter();
    let is_long = bench.all || bench.only.is_some();
    let search = |strategy: &str| {
        let flag = format!("--reduce={strategy}");
        let mut plan = plan(bench, row, file, &[&flag])?;
        if let (CheckPlan::Search(plan), false) = (&mut plan, is_long) {
            plan.how.time_max = Some(bench.limit.min(SHORT));
        }
        searched(&plan, bench.seconds)
    };
    strategies.map(|(strategy, _)| search(strategy)).collect()
}

fn told(searched: &Result<TimedSearch, RunOutcome>) -> [String; 2] {
    match searched {
        Ok(it) => {
            let more = if it.is_complete { "" } else { "> " };
            let states = format!("{more}{}", it.figures.n_states);
            [states, duration(it.per_state())]
        }
        Err(_) => ["refused".to_owned(), String::new()],
    }
}
