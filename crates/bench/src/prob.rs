//! The suite `prob`: the tables of E. N. Turner's thesis (2007) about ProB told anew, ours beside
//! what is printed there.
//!
//! Four tables. *prob* has how many states and transitions a machine has, without symmetry and
//! with it; these must be the same numbers, and where the print is wrong the right ones. *speed*
//! has how long a search takes by each way of choosing representatives, and how many times faster
//! that is than a search without: this is what can be compared over the years, since both searches
//! were made by one program on one machine; `--plots DIR` draws it by size
//! (`crates/bench/src/prob_speed_ups.rs`). *pruning* is about the search for labels
//! (`crates/bench/src/prob_pruning.rs`), *errors* about machines with a mistake
//! (`crates/bench/src/prob_errors.rs`).
//!
//! A root above all states is counted as in the thesis: where our searches count `n` states the
//! tables have `n + 1`. Set-ups and initialisations are transitions on both sides.

use super::Bench;
use super::clock::{Pace, pace};
use super::promela::check_plan;
use super::record::{Figures, RunOutcome};
use super::table::{aligned, duration};
use super::{prob_errors, prob_pruning, prob_rows, prob_speed_ups};
use check::Order;
use orbit::check_cmd;
use orbit::plan::CheckPlan;
use prob_rows::{NOTES, PrintedNumber, ProbRow, SIZES, TIMES};
use serde_json::Value;
use strategies::Strategy;

/// The name of the suite, and of the table of sizes.
pub const SUITE: &str = "prob";
/// The table of times.
const SPEED: &str = "speed";

/// What is said above the tables.
const HEADING: &str = "\
States are counted with a root above them, as in 2007. Our times are CPU times, from the text to the
answer; × is how many times faster a search is than ours without reduction. Those of 2007 are E. N.
Turner's, of ProB 1.2.0 on another machine (2.8 GHz, 1 GB). In parentheses is what the print should
have; `-` was not printed or not finished.

";

/// The ways to choose representatives, and what they are called in a record. `labels`, `flood`,
/// `markers` and `labels+markers` are those of the thesis.
pub const MODES: [(Strategy, &str); 6] = [
    (Strategy::None, "orbit none"),
    (Strategy::Canonical, "orbit"),
    (Strategy::Flood, "orbit flood"),
    (Strategy::Markers, "orbit markers"),
    (Strategy::Labels, "orbit labels"),
    (Strategy::LabelsMarkers, "orbit labels+markers"),
];

/// What was printed of the modes that were measured in 2007: the mode, where its seconds stand in a
/// row of [`TIMES`], and its name in a record.
const PRINTED: [(Strategy, usize, &str); 4] = [
    (Strategy::None, 0, "prob none"),
    (Strategy::Labels, 1, "prob labels"),
    (Strategy::Flood, 2, "prob flood"),
    (Strategy::LabelsMarkers, 3, "prob labels+markers"),
];

/// How a machine is to be searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How representatives are chosen.
    pub strategy: Strategy,
    /// In which order.
    pub order: Order,
    /// Whether the search ends at the first error.
    pub stops: bool,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// How long one took.
    pub pace: Pace,
    /// States stored, without a root.
    pub n_states: u64,
    /// Ways into a stored state.
    pub n_transitions: u64,
    /// What a state took.
    pub bytes_per_state: Option<f64>,
    /// Whether all was seen that was to be seen.
    pub is_complete: bool,
    /// Whether memory was used up.
    pub is_out_of_memory: bool,
    /// How many leaves of a search were compared for a label, if labels were computed.
    pub leaves_a_label: Option<f64>,
    /// Whether something is wrong with the machine.
    pub is_violated: bool,
}

impl Measured {
    /// That it was not finished.
    pub fn stopped(&self) -> RunOutcome {
        if self.is_out_of_memory {
            RunOutcome::OutOfMemory(self.pace.each())
        } else {
            RunOutcome::Limit(self.pace.each())
        }
    }

    /// The same in a cell.
    pub fn limit_words(&self) -> String {
        if self.is_out_of_memory {
            "out of memory".to_owned()
        } else {
            format!("> {}", duration(self.pace.each()))
        }
    }

    pub fn figures(&self) -> Figures {
        Figures {
            n_states: self.n_states + 1,
            n_transitions: self.n_transitions,
            bytes_per_state: self.bytes_per_state,
            shares: None,
        }
    }
}

/// Searches the machine of a row; `Err` if there is nothing to compare.
pub type Measure<'a> =
    dyn FnMut(&Bench, &ProbRow, SearchSettings) -> Result<Measured, RunOutcome> + 'a;

/// Measures every case that was asked for, and makes the tables.
pub fn run(bench: &mut Bench) {
    tables(bench, &mut measure);
}

/// Searches the machine of a row as `orbit check` does.
fn measure(bench: &Bench, row: &ProbRow, how: SearchSettings) -> Result<Measured, RunOutcome> {
    for (_, file, text) in prob_rows::MACHINES {
        // One machine refines another, which has to be beside it.
        if file == row.file || file == "hotel.mch" {
            let written = bench.folder.write(file, text);
            written.map_err(|why| RunOutcome::Failed(why.to_string()))?;
        }
    }
    plan(bench, row, how)?;
    let mut found = Ok(Value::Null);
    // Of a machine with a mistake many searches are made; one of each will do.
    let seconds = if how.stops { 0.0 } else { bench.seconds };
    let pace = pace(seconds, |_| {
        found = plan(bench, row, how).and_then(|plan| match check_cmd::run(&plan) {
            Ok(answer) => Ok(Value::Object(answer.json)),
            Err(why) => Err(RunOutcome::Failed(why.message)),
        });
    });
    let json = found?;
    let is_complete = match json["stop_reason"].as_str() {
        // Markers may have taken states for one that are not alike; they saw all they could.
        None | Some("approximate") => true,
        Some("time" | "memory") => false,
        Some(reason) => return Err(RunOutcome::Failed(reason.to_owned())),
    };
    let count = |key: &str| json["counts"][key].as_u64();
    let (Some(n_states), Some(n_transitions)) = (count("states"), count("transitions")) else {
        return Err(RunOutcome::Failed("the answer has no counts".to_owned()));
    };
    let choices = &json["counts"]["choices"];
    let labels = choices["labels"].as_u64().filter(|n| *n > 0);
    let leaves_a_label = labels.zip(choices["leaves"].as_u64());
    Ok(Measured {
        pace,
        n_states,
        n_transitions,
        bytes_per_state: json["memory"]["bytes_per_state"].as_f64(),
        is_complete,
        is_out_of_memory: json["stop_reason"] == "memory",
        leaves_a_label: leaves_a_label.map(|(labels, leaves)| leaves as f64 / labels as f64),
        is_violated: json["verdict"] == "violated",
    })
}

fn plan(bench: &Bench, row: &ProbRow, how: SearchSettings) -> Result<CheckPlan, RunOutcome> {
    let mut words = bench.limits();
    words.push(format!("--reduce={}", how.strategy));
    words.extend(row.flags.iter().cloned());
    if row.is("ends") {
        words.push("--no-deadlock".to_owned());
    }
    if !how.stops {
        words.push("--all-errors".to_owned());
    }
    let file = bench.folder.path().join(row.file);
    let mut plan = check_plan(&file, &[], &words).map_err(RunOutcome::Failed)?;
    match &mut plan {
        CheckPlan::Search(search) => search.how.order = how.order,
        _ => return Err(RunOutcome::Failed("nothing is searched".to_owned())),
    }
    Ok(plan)
}

/// The tables, by whatever measures.
fn tables(bench: &mut Bench, measure: &mut Measure<'_>) {
    let times = ProbRow::all(TIMES, 7);
    let (mut sizes, mut speeds, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut curves = prob_speed_ups::Curves::default();
    for row in ProbRow::all(SIZES, 4) {
        if !wants(bench, SUITE, &row) {
            continue;
        }
        let printed = times.iter().find(|other| other.case == row.case);
        let found = modes(bench, &row, measure);
        add(bench, &row, printed, &found);
        curves.add(&row, printed, &found);
        sizes.push(size_line(&row, &found));
        speeds.push(speed_line(&row, printed, &found));
        notes.extend(row.notes());
    }
    let mut texts = Vec::new();
    for (columns, mut rows) in [(&SIZE_COLUMNS[..], sizes), (&SPEED_COLUMNS[..], speeds)] {
        if !rows.is_empty() {
            rows.insert(0, columns.iter().map(|&c| c.to_owned()).collect());
            texts.push(aligned(&rows));
        }
    }
    curves.draw(bench);
    texts.extend(prob_pruning::table(bench, measure));
    texts.extend(prob_errors::table(bench, measure, &mut notes));
    let known = NOTES.iter().filter(|(letter, _)| notes.contains(letter));
    let notes: Vec<String> = known
        .map(|(letter, words)| format!("{letter}: {words}\n"))
        .collect();
    bench.text = HEADING.to_owned() + &texts.join("\n") + if notes.is_empty() { "" } else { "\n" };
    bench.text.push_str(&notes.concat());
}

/// Whether a row was asked for; those that take long only by name or with all.
pub fn wants(bench: &Bench, table: &str, row: &ProbRow) -> bool {
    let is_short = !row.is("long") || bench.all || bench.only.is_some();
    is_short && bench.wants(table, row.case)
}

pub type StrategyResults = Vec<(Strategy, Result<Measured, RunOutcome>)>;

/// The row under every mode.
fn modes(bench: &Bench, row: &ProbRow, measure: &mut Measure<'_>) -> StrategyResults {
    let wanted = MODES.iter().map(|(strategy, _)| *strategy);
    let wanted = wanted.filter(|strategy| !(*strategy == Strategy::None && row.is("reduced")));
    let how = |strategy| SearchSettings {
        strategy,
        order: Order::Breadth,
        stops: false,
    };
    wanted
        .map(|strategy| (strategy, measure(bench, row, how(strategy))))
        .collect()
}

/// The complete search of a mode.
pub fn complete(found: &StrategyResults, strategy: Strategy) -> Option<&Measured> {
    let (_, measured) = found.iter().find(|(other, _)| *other == strategy)?;
    measured
        .as_ref()
        .ok()
        .filter(|measured| measured.is_complete)
}

fn add(bench: &mut Bench, row: &ProbRow, printed: Option<&ProbRow>, found: &StrategyResults) {
    for (strategy, measured) in found {
        let names = MODES.iter().find(|(other, _)| other == strategy);
        let tool = names.map_or("orbit", |(_, tool)| tool);
        match measured {
            Ok(measured) if measured.is_complete => {
                let outcome =
                    RunOutcome::of(measured.pace).agreeing(agrees(row, *strategy, measured));
                bench.add_figures(SUITE, row.case, tool, outcome, measured.figures());
            }
            Ok(measured) => {
                bench.add(SUITE, row.case, tool, measured.stopped());
            }
            Err(outcome) => bench.add(SUITE, row.case, tool, outcome.clone()),
        }
    }
    for (strategy, column, tool) in PRINTED {
        let states = row.cells[usize::from(strategy != Strategy::None)].number();
        let seconds = printed.and_then(|row| row.cells[column].number());
        if states.or(seconds).is_some() {
            let outcome = RunOutcome::Printed {
                source: "2007",
                seconds,
                n_states: states.map(|n| n as u64),
                agrees: None,
            };
            bench.add(SUITE, row.case, tool, outcome);
        }
    }
}

/// Whether states and transitions are the right ones; markers may find fewer.
fn agrees(row: &ProbRow, strategy: Strategy, measured: &Measured) -> Option<bool> {
    let at = usize::from(strategy != Strategy::None);
    let states = row.cells[at].agrees(measured.n_states + 1);
    let transitions = row.cells[at + 2].agrees(measured.n_transitions);
    match (states, transitions) {
        _ if strategy == Strategy::Markers => None,
        (None, None) => None,
        (states, transitions) => Some(states != Some(false) && transitions != Some(false)),
    }
}

const SIZE_COLUMNS: [&str; 10] = [
    SUITE,
    "states",
    "transitions",
    "orbits",
    "transitions",
    "2007 states",
    "transitions",
    "orbits",
    "transitions",
    "note",
];

fn size_line(row: &ProbRow, found: &StrategyResults) -> Vec<String> {
    let mut line = vec![row.case.to_owned()];
    for (strategy, at) in [(Strategy::None, 0), (Strategy::Canonical, 1)] {
        match complete(found, strategy) {
            Some(measured) => {
                line.push(shouted(row.cells[at], measured.n_states + 1));
                line.push(shouted(row.cells[at + 2], measured.n_transitions));
            }
            None => line.extend([String::new(), String::new()]),
        }
    }
    line.extend([0, 2, 1, 3].map(|at| row.cells[at].words()));
    line.push(row.notes().collect::<Vec<_>>().join(" "));
    line
}

fn shouted(cell: PrintedNumber, ours: u64) -> String {
    let differs = cell.agrees(ours) == Some(false);
    format!("{ours}{}", if differs { " DIFFERS" } else { "" })
}

const SPEED_COLUMNS: [&str; 11] = [
    SPEED,
    "none",
    "canonical",
    "flood",
    "markers",
    "labels",
    "labels+markers",
    "2007 none",
    "labels",
    "flood",
    "labels+markers",
];

fn speed_line(row: &ProbRow, printed: Option<&ProbRow>, found: &StrategyResults) -> Vec<String> {
    let mut line = vec![row.case.to_owned()];
    let none = complete(found, Strategy::None).map(|measured| measured.pace.each());
    let exact = complete(found, Strategy::Canonical).map(|measured| measured.n_states);
    for (strategy, _) in MODES {
        let measured = found.iter().find(|(other, _)| *other == strategy);
        line.push(match measured {
            None => String::new(),
            Some((_, Err(outcome))) => failed(outcome),
            Some((_, Ok(measured))) if !measured.is_complete => measured.limit_words(),
            Some((_, Ok(measured))) => {
                let mut words = duration(measured.pace.each());
                let is_reduced = strategy != Strategy::None;
                if let Some(none) = none.filter(|_| is_reduced) {
                    words.push_str(&format!(" ×{:.1}", none / measured.pace.each()));
                }
                // Fewer than the orbits: some that are not alike were taken for one.
                if is_reduced && exact.is_some_and(|n| n != measured.n_states) {
                    words.push_str(&format!(" ({} orbits)", measured.n_states + 1));
                }
                words
            }
        });
    }
    for (_, column, _) in PRINTED {
        let seconds = printed.and_then(|row| row.cells[column].printed);
        let ratio = printed
            .filter(|_| column > 0)
            .map(|row| row.cells[column + 3]);
        let ratio = ratio.and_then(|cell| cell.printed);
        let ratio = ratio.map_or(String::new(), |ratio| format!(" ×{ratio}"));
        line.push(seconds.map_or("-".to_owned(), |text| format!("{text} s{ratio}")));
    }
    line
}

/// Why there is nothing, in a cell.
pub fn failed(outcome: &RunOutcome) -> String {
    match outcome {
        RunOutcome::Failed(why) => format!("failed: {why}"),
        _ => String::new(),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::thesis::tests::bench;

    /// A search that took so many seconds.
    pub fn measured(cpu_seconds: f64, n_states: u64, n_transitions: u64) -> Measured {
        Measured {
            pace: Pace {
                times: 1,
                cpu_seconds,
            },
            n_states,
            n_transitions,
            bytes_per_state: None,
            is_complete: true,
            is_out_of_memory: false,
            leaves_a_label: None,
            is_violated: false,
        }
    }

    /// The phone book for three as it is, in made-up times.
    fn phonebook(_: &Bench, row: &ProbRow, how: SearchSettings) -> Result<Measured, RunOutcome> {
        assert_eq!((row.case, row.file), ("phonebook 3", "phonebook.mch"));
        assert_eq!(row.flags, ["--default-set-size=3"]);
        Ok(match how.strategy {
            Strategy::None => measured(8.0, 64, 433),
            Strategy::Markers => measured(1.0, 6, 40),
            Strategy::Flood => measured(2.0, 7, 51),
            _ => measured(0.5, 7, 50),
        })
    }

    #[test]
    fn searches_count_what_the_thesis_tells() {
        let mut bench = bench("prob scheduler 3");
        run(&mut bench);
        let runs = bench.recorder.runs();
        let ours: Vec<_> = runs
            .iter()
            .filter(|run| run.tool.starts_with("orbit"))
            .collect();
        assert_eq!(ours.len(), MODES.len());
        for run in ours {
            let json = run.json();
            let expected = if run.tool == "orbit none" {
                (36, 121)
            } else {
                (11, 37)
            };
            assert_eq!(
                (&json["states"], &json["transitions"]),
                (&expected.0.into(), &expected.1.into()),
                "{json}"
            );
        }
    }

    #[test]
    fn ours_stand_beside_what_is_printed() {
        let mut bench = bench("prob phonebook 3");
        tables(&mut bench, &mut phonebook);
        let lines: Vec<&str> = bench
            .text
            .lines()
            .filter(|l| l.starts_with("phone"))
            .collect();
        let words = |line: &str| {
            line.split("   ")
                .map(str::trim)
                .filter(|w| !w.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(lines[0]),
            [
                "phonebook 3",
                "65",
                "433",
                "8",
                "50",
                "65",
                "433",
                "8",
                "50"
            ]
        );
        assert_eq!(
            words(lines[1])[1..],
            [
                "8.00 s",
                "500 ms ×16.0",
                "2.00 s ×4.0",
                "1.00 s ×8.0 (7 orbits)",
                "500 ms ×16.0",
                "500 ms ×16.0",
                "0.69 s",
                "0.17 s ×4.1",
                "0.08 s ×8.6",
                "0.18 s ×3.8"
            ]
        );
        let runs = bench.recorder.runs();
        let agrees = |tool: &str| {
            let run = runs.iter().find(|run| run.tool == tool).expect("a run");
            run.json()["agrees"].clone()
        };
        assert_eq!(agrees("orbit none"), true);
        assert_eq!(agrees("orbit"), true);
        assert_eq!(agrees("orbit flood"), false, "51 transitions");
        assert!(agrees("orbit markers").is_null());
        assert_eq!(
            runs.iter()
                .filter(|run| run.tool.starts_with("prob"))
                .count(),
            4
        );
    }

    #[test]
    fn other_numbers_are_shouted_and_notes_explained() {
        let mut bench = bench("diningphilosophers 3");
        tables(&mut bench, &mut |_, _, how| {
            Ok(match how.strategy {
                Strategy::None => measured(1.0, 336, 1321),
                _ => measured(1.0, 12, 57),
            })
        });
        let line = bench
            .text
            .lines()
            .find(|l| l.starts_with("Dining"))
            .expect("a row");
        assert!(line.contains("1321 DIFFERS"), "{line}");
        assert!(line.contains("13       57"), "{line}");
        assert!(line.contains("11 (13)"), "{line}");
        assert!(line.ends_with(" e"), "{line}");
        assert!(
            bench.text.contains("\ne: the printed orbits are"),
            "{}",
            bench.text
        );
        assert!(!bench.text.contains("\nf: "), "{}", bench.text);
    }

    #[test]
    fn what_was_not_finished_is_not_compared() {
        let mut bench = bench("prob scheduler0 12");
        let mut asked = Vec::new();
        tables(&mut bench, &mut |_, _, how| {
            asked.push(how.strategy);
            match how.strategy {
                Strategy::Labels => Err(RunOutcome::Failed("it broke".to_owned())),
                _ => Ok(Measured {
                    is_complete: false,
                    ..measured(3.0, 1, 1)
                }),
            }
        });
        assert!(!asked.contains(&Strategy::None), "{asked:?}");
        assert!(bench.text.contains("> 3.00 s"), "{}", bench.text);
        assert!(bench.text.contains("failed: it broke"), "{}", bench.text);
        assert!(!bench.text.contains("DIFFERS"), "{}", bench.text);
    }
}
