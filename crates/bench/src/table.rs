//! Measurements side by side: a row a case, a column a program.

use super::record::{RecordedRun, RunOutcome};
use std::fmt::Write;

/// The runs as tables, one a suite, in the order in which suites, cases and programs came.
pub fn table(runs: &[RecordedRun]) -> String {
    let mut text = String::new();
    for suite in in_order(runs.iter().map(|run| run.suite)) {
        let own: Vec<&RecordedRun> = runs.iter().filter(|run| run.suite == suite).collect();
        let tools = in_order(own.iter().map(|run| run.tool));
        let mut rows = vec![vec![suite.to_owned()]];
        rows[0].extend(tools.iter().map(|&tool| tool.to_owned()));
        for case in in_order(own.iter().map(|run| run.case.as_str())) {
            let mut row = vec![case.to_owned()];
            for tool in &tools {
                let is_it = |run: &&&RecordedRun| run.case == case && run.tool == *tool;
                row.push(
                    own.iter()
                        .find(is_it)
                        .map_or(String::new(), |run| cell(run)),
                );
            }
            rows.push(row);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&aligned(&rows));
    }
    text
}

/// One measurement in words: the time for one and, for a rival, how many times ours that is.
pub fn cell(run: &RecordedRun) -> String {
    match &run.outcome {
        RunOutcome::Measured { agrees, .. } => {
            let mut words = run.outcome.each().map(duration).unwrap_or_default();
            if let Some(ratio) = run.ratio {
                let _ = write!(words, "  {}", times(ratio));
            }
            if let Some((figures, each)) = run.figures.zip(run.outcome.each()) {
                let rate = large(figures.n_states as f64 / each);
                let _ = write!(words, "  {} states  {rate}/s", figures.n_states);
                if let Some(bytes) = figures.bytes_per_state {
                    let _ = write!(words, "  {} B", three_digits(bytes));
                }
            }
            if *agrees == Some(false) {
                words.push_str("  DIFFERS");
            }
            words
        }
        RunOutcome::OutOfMemory(_) => "out of memory".to_owned(),
        RunOutcome::Limit(seconds) => format!("> {}", duration(*seconds)),
        RunOutcome::Printed {
            source,
            seconds,
            n_states,
            agrees,
        } => {
            let time = seconds.map(duration);
            let states = n_states.map(|n| format!("{n} states"));
            let words = time.or(states).unwrap_or("-".to_owned());
            let differs = *agrees == Some(false);
            format!(
                "{words} in {source}{}",
                if differs { "  DIFFERS" } else { "" }
            )
        }
        RunOutcome::NotInstalled => "not installed".to_owned(),
        RunOutcome::Failed(_) => "failed".to_owned(),
    }
}

/// Seconds with three digits and a fitting unit.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// A large number with three digits and a letter.
fn large(value: f64) -> String {
    match value {
        v if v < 1e3 => three_digits(v),
        v if v < 1e6 => three_digits(v / 1e3) + "k",
        v => three_digits(v / 1e6) + "M",
    }
}

fn times(ratio: f64) -> String {
    match ratio {
        r if r < 10.0 => format!("×{r:.2}"),
        r => format!("×{}", three_digits(r)),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

fn in_order<'a>(items: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

/// Rows as text, every column as wide as its widest cell.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &w)| format!("{cell:<w$}"));
        let line = cells.collect::<Vec<_>>().join("   ");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Pace;
    use crate::record::Figures;

    fn run(suite: &'static str, tool: &'static str, each: f64, ratio: Option<f64>) -> RecordedRun {
        let pace = Pace {
            times: 1,
            cpu_seconds: each,
        };
        RecordedRun {
            suite,
            case: "S8".to_owned(),
            tool,
            outcome: RunOutcome::of(pace),
            ratio,
            figures: None,
        }
    }

    #[test]
    fn searches_show_what_they_counted() {
        let mut search = run("search", "pan", 0.5, Some(2.0));
        search.figures = Some(Figures {
            n_states: 617_000,
            n_transitions: 2_000_000,
            bytes_per_state: Some(48.26),
            shares: None,
        });
        assert_eq!(
            cell(&search),
            "500 ms  ×2.00  617000 states  1.23M/s  48.3 B"
        );
    }

    #[test]
    fn columns_are_programs() {
        let mut absent = run("chains", "gap", 1.0, None);
        absent.outcome = RunOutcome::NotInstalled;
        let runs = [
            run("images", "orbit", 5e-7, None),
            run("images", "nauty", 1e-5, Some(20.0)),
            run("chains", "orbit", 0.25, None),
            absent,
        ];
        let expected = "images   orbit    nauty\n\
                        S8       500 ns   10.0 µs  ×20.0\n\
                        \n\
                        chains   orbit    gap\n\
                        S8       250 ms   not installed\n";
        assert_eq!(table(&runs), expected);
    }

    #[test]
    fn a_difference_is_shouted() {
        let mut odd = run("chains", "gap", 2.0, Some(2.0));
        odd.outcome = odd.outcome.agreeing(Some(false));
        assert_eq!(cell(&odd), "2.00 s  ×2.00  DIFFERS");
    }
}
