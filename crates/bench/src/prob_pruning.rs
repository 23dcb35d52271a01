//! Table 5.1 of E. N. Turner's thesis: what pruning the search for labels is worth.
//!
//! There, labels are found by a search that is pruned by the order of labels, and by automorphisms
//! if one wants: that was slower (172 seconds instead of 133 for four elements), since the group
//! was kept in trees of Prolog. Here both are switched one by one (`labels-by-order` and so on),
//! all without the ways around the search that `labels` has; beside the times is how many leaves
//! were compared for a label, which no machine changes.
//!
//! Worked example, two sets of four: 24 · 24 automorphisms of the empty relation, as many leaves
//! without pruning by automorphisms, one with it.

use super::Bench;
use super::prob::{Measure, Measured, SearchSettings, wants};
use super::prob_rows::{ProbRow, SIZES};
use super::record::RunOutcome;
use super::table::{aligned, duration};
use check::Order;
use strategies::Strategy;

/// The name of the table.
const PRUNING: &str = "pruning";
/// The machine.
const CASE: &str = "BinaryRelations";

/// How the search for labels is pruned.
const MODES: [(Strategy, &str); 4] = [
    (Strategy::LabelsSearched, "orbit labels-searched"),
    (Strategy::LabelsByOrder, "orbit labels-by-order"),
    (
        Strategy::LabelsByAutomorphisms,
        "orbit labels-by-automorphisms",
    ),
    (Strategy::LabelsUnpruned, "orbit labels-unpruned"),
];

/// By size from 0: seconds without pruning by automorphisms and with it; none after two hours.
const PRINTED: [Option<[&str; 2]>; 6] = [
    Some(["0.05", "0.05"]),
    Some(["0.05", "0.05"]),
    Some(["0.63", "0.61"]),
    Some(["1.76", "2.16"]),
    Some(["133.44", "172.27"]),
    None,
];

const COLUMNS: [&str; 8] = [
    PRUNING,
    "orbits",
    "both",
    "by order",
    "by automorphisms",
    "neither",
    "2007 by order",
    "both",
];

/// The table; nothing if none of its rows was asked for.
pub fn table(bench: &mut Bench, measure: &mut Measure<'_>) -> Option<String> {
    let mut lines = Vec::new();
    for row in ProbRow::all(SIZES, 4) {
        let Some(size) = row
            .case
            .strip_prefix(CASE)
            .and_then(|n| n.trim().parse().ok())
        else {
            continue;
        };
        if wants(bench, PRUNING, &row) {
            lines.push(line(bench, &row, size, measure));
        }
    }
    if lines.is_empty() {
        return None;
    }
    lines.insert(0, COLUMNS.map(str::to_owned).to_vec());
    Some(aligned(&lines))
}

fn line(bench: &mut Bench, row: &ProbRow, size: usize, measure: &mut Measure<'_>) -> Vec<String> {
    let (mut cells, mut orbits) = (Vec::new(), None);
    for (strategy, tool) in MODES {
        let how = SearchSettings {
            strategy,
            order: Order::Breadth,
            stops: false,
        };
        let found = measure(bench, row, how);
        cells.push(cell(&found));
        let outcome = match &found {
            Ok(found) if found.is_complete => {
                orbits = orbits.or(Some(found.n_states + 1));
                let agrees = row.cells[1].agrees(found.n_states + 1);
                RunOutcome::of(found.pace).agreeing(agrees)
            }
            Ok(found) => found.stopped(),
            Err(outcome) => outcome.clone(),
        };
        match &found {
            Ok(found) if found.is_complete => {
                bench.add_figures(PRUNING, row.case, tool, outcome, found.figures());
            }
            _ => bench.add(PRUNING, row.case, tool, outcome),
        }
    }
    let orbits = orbits.map_or(String::new(), |n: u64| n.to_string());
    let mut line = vec![row.case.to_owned(), orbits];
    line.append(&mut cells);
    let printed = PRINTED.get(size).copied().flatten();
    for (n, tool) in ["prob labels-by-order", "prob labels-searched"]
        .into_iter()
        .enumerate()
    {
        let seconds = printed.map(|both| both[n]);
        let outcome = RunOutcome::Printed {
            source: "2007",
            seconds: seconds.and_then(|text| text.parse().ok()),
            n_states: row.cells[1].number().map(|n| n as u64),
            agrees: None,
        };
        bench.add(PRUNING, row.case, tool, outcome);
        line.push(seconds.map_or("> 2 h".to_owned(), |text| format!("{text} s")));
    }
    line
}

/// How long it took, and how many leaves a label had.
fn cell(found: &Result<Measured, RunOutcome>) -> String {
    match found {
        Err(outcome) => super::prob::failed(outcome),
        Ok(found) if !found.is_complete => found.limit_words(),
        Ok(found) => {
            let each = found
                .leaves_a_label
                .map(|n| format!(", {n:.1} leaves a label"));
            duration(found.pace.each()) + &each.unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::tests::bench;

    #[test]
    fn leaves_are_as_many_as_the_pruning_leaves() {
        let mut bench = bench("binaryrelations 2");
        crate::prob::run(&mut bench);
        let line = bench
            .text
            .lines()
            .rfind(|line| line.starts_with("BinaryRelations 2"));
        let line = line.expect("a row");
        assert!(line.ends_with("0.63 s          0.61 s"), "{line}");
        let leaves = |n: usize| {
            let cell = line.split("leaves a label").nth(n).expect("a cell");
            cell.rsplit(", ")
                .next()
                .expect("a number")
                .trim()
                .to_owned()
        };
        let [both, by_order, by_automorphisms, neither] = [0, 1, 2, 3].map(|n| {
            leaves(n)
                .parse::<f64>()
                .unwrap_or_else(|_| panic!("{line}"))
        });
        assert!(
            both <= by_automorphisms && by_automorphisms < neither,
            "{line}"
        );
        assert!(both < by_order && by_order <= neither, "{line}");
        let runs = bench.recorder.runs();
        let ours = runs.iter().filter(|run| run.suite == PRUNING);
        let agrees = ours.filter(|run| run.json()["agrees"] == true);
        assert_eq!(agrees.count(), MODES.len());
    }
}
