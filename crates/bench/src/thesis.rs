//! The suite `thesis`: the tables of A. F. Donaldson's thesis (2007) told anew, ours beside what is
//! printed there.
//!
//! Seven tables. *graphs* is about state graphs and their groups, *study* about specifications that
//! break symmetry (`crates/bench/src/state_graphs.rs`). *thesis* is about reduction: how many
//! orbits a model has and what a search of them takes, from the text to the answer, its symmetry
//! found on the way. *strategies* has searches alone, ours beside TopSPIN's ways of choosing
//! representatives, and *segmented* those by its exact way with references. *detection* is about
//! finding the symmetry alone, *conjugates* about finding it as it was found then. The printed
//! times are of another machine, fifteen to twenty years older, so no ratio is worked out; what can
//! be compared are the numbers of orbits, the orders of groups, and which configurations can be
//! done at all.
//!
//! States are counted by SPIN's rules (`--spin-compat`), as they were then. Those without reduction
//! come from the sizes of orbits, where the search is short; nothing is searched twice for them.

use super::Bench;
use super::clock::{Pace, pace};
use super::promela::{INTERRUPTED, check_plan};
use super::record::{Figures, RunOutcome, TimeShares};
use super::table::{aligned, duration};
use super::thesis_rows::{CONJUGATES, DETECTION, GRAPHS, REDUCTION, SEGMENTED, STUDY, ThesisRow};
use super::{conjugates, segments, state_graphs, strategies};
use driver::plan::CheckPlan as SearchPlan;
use model::Machine;
use model::frontend::{Purpose, Shape};
use orbit::check_cmd;
use orbit::plan::CheckPlan;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The name of the suite, and of the table of reductions.
pub const SUITE: &str = "thesis";
/// The table of detection.
const DETECT: &str = "detection";

/// When it was printed.
const YEAR: &str = "2007";

/// States without reduction are counted after searches of at most so many seconds.
const COUNT_FULL_SECONDS_MAX: f64 = 2.0;

/// What is said above the tables.
const HEADING: &str = "\
States are counted by SPIN's rules. Our times are CPU times, of a search from the text to the
answer, of a search alone for each stored state, and of a detection alone. `images` is the part of
a search that goes into representatives, `moves` into generating successors. Times of 2007 are
A. F. Donaldson's, on another machine (2.4 GHz, 3 GB); `-` was not finished there. * is another
variant: the model measured in 2007 is not published.

";

/// What we found.
struct ThesisResult {
    pace: Pace,
    figures: Figures,
    /// Whether all states were seen.
    is_complete: bool,
    /// The group in words, and its order.
    group: (String, String),
    /// States without reduction.
    n_full: Option<String>,
}

/// A table: what stands above its columns, and its rows.
type PrintedTable = (&'static [&'static str], Vec<Vec<String>>);

/// Measures every case that was asked for, and makes the tables.
pub fn run(bench: &mut Bench) {
    let tables: [PrintedTable; 7] = [
        (&REDUCTION_COLUMNS, reductions(bench)),
        (
            &strategies::COLUMNS,
            lines(bench, strategies::TABLE, REDUCTION, 3, strategies::line),
        ),
        (
            &segments::COLUMNS,
            lines(bench, segments::TABLE, SEGMENTED, 2, segments::line),
        ),
        (&DETECTION_COLUMNS, detections(bench)),
        (
            &conjugates::COLUMNS,
            lines(bench, conjugates::TABLE, CONJUGATES, 6, |bench, row| {
                Some(conjugates::line(bench, row))
            }),
        ),
        (
            &state_graphs::GRAPH_COLUMNS,
            lines(
                bench,
                state_graphs::GRAPHS,
                GRAPHS,
                3,
                state_graphs::graph_line,
            ),
        ),
        (
            &state_graphs::STUDY_COLUMNS,
            lines(
                bench,
                state_graphs::STUDY,
                STUDY,
                0,
                state_graphs::study_line,
            ),
        ),
    ];
    let tables = tables.into_iter().filter(|(_, rows)| !rows.is_empty());
    let texts: Vec<String> = tables
        .map(|(columns, mut rows)| {
            rows.insert(0, columns.iter().map(|&c| c.to_owned()).collect());
            aligned(&rows)
        })
        .collect();
    bench.text = HEADING.to_owned() + &texts.join("\n");
    if bench.wants(state_graphs::STUDY, "") {
        bench.text += &format!("\n{}", state_graphs::STUDY_NOTE);
    }
}

/// The rows of a table that were asked for: its name, what is printed and in how many columns.
fn wanted(bench: &Bench, table: &str, rows: &'static str, n_printed: usize) -> Vec<ThesisRow> {
    let is_wanted = |row: &ThesisRow| {
        let is_short = !row.is("long") || bench.all || bench.only.is_some();
        is_short && bench.wants(table, row.case)
    };
    let rows = ThesisRow::all(rows, n_printed).into_iter();
    rows.filter(is_wanted).collect()
}

/// The lines of a table, up to the first that was interrupted.
fn lines(
    bench: &mut Bench,
    table: &str,
    rows: &'static str,
    n_printed: usize,
    line: impl Fn(&mut Bench, &ThesisRow) -> Option<Vec<String>>,
) -> Vec<Vec<String>> {
    let rows = wanted(bench, table, rows, n_printed).into_iter();
    rows.map_while(|row| line(bench, &row)).collect()
}

fn reductions(bench: &mut Bench) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for row in wanted(bench, SUITE, REDUCTION, 3) {
        let ours = with_file(bench, &row, reduction);
        let interrupted = ours.as_ref().is_err_and(is_interrupted);
        add_reduction(bench, &row, &ours);
        lines.push(reduction_line(&row, &ours));
        if interrupted {
            break;
        }
    }
    lines
}

fn detections(bench: &mut Bench) -> Vec<Vec<String>> {
    lines(bench, DETECT, DETECTION, 2, |bench, row| {
        let ours = with_file(bench, row, detection);
        add_detection(bench, row, &ours);
        Some(detection_line(row, &ours))
    })
}

/// Does something with the model of a row in a file.
pub fn with_file<T>(
    bench: &Bench,
    row: &ThesisRow,
    work: impl Fn(&Bench, &ThesisRow, &Path) -> Result<T, RunOutcome>,
) -> Result<T, RunOutcome> {
    match bench.folder.write("model.pml", row.text) {
        Ok(file) => work(bench, row, &file),
        Err(why) => Err(RunOutcome::Failed(why.to_string())),
    }
}

/// Whether somebody wants no more.
pub fn is_interrupted(outcome: &RunOutcome) -> bool {
    matches!(outcome, RunOutcome::Failed(why) if why == INTERRUPTED)
}

/// The search of a row's model, under the rules of the row.
pub fn plan(
    bench: &Bench,
    row: &ThesisRow,
    file: &Path,
    flags: &[&str],
) -> Result<CheckPlan, RunOutcome> {
    let mut words = bench.limits();
    let rules = match () {
        () if row.is("own") => None,
        () if row.is("plain") => Some("--plain"),
        () => Some("--spin-compat"),
    };
    words.extend(rules.map(str::to_owned));
    words.extend(flags.iter().map(|&flag| flag.to_owned()));
    check_plan(file, &row.defines, &words).map_err(RunOutcome::Failed)
}

fn answer(plan: &CheckPlan) -> Value {
    check_cmd::run(plan).map_or(Value::Null, |answer| Value::Object(answer.json))
}

fn reduction(bench: &Bench, row: &ThesisRow, file: &Path) -> Result<ThesisResult, RunOutcome> {
    plan(bench, row, file, &[])?;
    let mut json = Value::Null;
    let pace = pace(bench.seconds, |_| {
        json = plan(bench, row, file, &[]).map_or(Value::Null, |plan| answer(&plan));
    });
    let is_complete = match json["stop_reason"].as_str() {
        None => true,
        Some("time") => false,
        Some(reason) => return Err(RunOutcome::Failed(reason.to_owned())),
    };
    let count = |key: &str| json["counts"][key].as_u64();
    let (Some(n_states), Some(n_transitions)) = (count("states"), count("transitions")) else {
        return Err(RunOutcome::Failed("the answer has no counts".to_owned()));
    };
    let is_cheap = is_complete && pace.each() <= COUNT_FULL_SECONDS_MAX;
    let full = if is_cheap {
        answer(&plan(bench, row, file, &["--count-full"])?)
    } else {
        Value::Null
    };
    let words = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let time = |key: &str| {
        let seconds = json["time_s"][key].as_f64().unwrap_or(0.0);
        Duration::from_secs_f64(seconds.max(0.0))
    };
    let symmetry = |key: &str| words(&json["symmetry"][key]).unwrap_or_default();
    Ok(ThesisResult {
        pace,
        figures: Figures {
            n_states,
            n_transitions,
            bytes_per_state: json["memory"]["bytes_per_state"].as_f64(),
            shares: TimeShares::of(["reduce", "store", "successors"].map(time)),
        },
        is_complete,
        group: (symmetry("structure"), symmetry("group_order")),
        n_full: words(&full["counts"]["full_states"]),
    })
}

fn add_reduction(bench: &mut Bench, row: &ThesisRow, ours: &Result<ThesisResult, RunOutcome>) {
    match ours {
        Ok(ours) if ours.is_complete => {
            let outcome = RunOutcome::Measured {
                pace: ours.pace,
                remark: group_remark(&ours.group, ours.n_full.as_deref()),
                agrees: None,
            };
            bench.add_figures(SUITE, row.case, "orbit", outcome, ours.figures);
        }
        Ok(ours) => bench.add(
            SUITE,
            row.case,
            "orbit",
            RunOutcome::Limit(ours.pace.each()),
        ),
        Err(outcome) => bench.add(SUITE, row.case, "orbit", outcome.clone()),
    }
    let ours = ours.as_ref().ok().filter(|ours| ours.is_complete);
    let same_model = ours.filter(|_| !row.is("variant"));
    let orbits = RunOutcome::Printed {
        source: YEAR,
        seconds: None,
        n_states: row.number(0).map(|n| n as u64),
        agrees: same_model.and_then(|ours| row.agrees(0, ours.figures.n_states)),
    };
    bench.add(SUITE, row.case, "topspin", orbits);
    for (column, tool) in [(1, "topspin enum"), (2, "topspin fast")] {
        let seconds = row.number(column);
        bench.add(SUITE, row.case, tool, printed_seconds(seconds));
    }
}

pub fn printed_seconds(seconds: Option<f64>) -> RunOutcome {
    RunOutcome::Printed {
        source: YEAR,
        seconds,
        n_states: None,
        agrees: None,
    }
}

fn group_remark((group, order): &(String, String), n_full: Option<&str>) -> String {
    let full = n_full.map_or(String::new(), |n| format!("; {n} states without reduction"));
    format!("{group}, order {order}{full}")
}

const REDUCTION_COLUMNS: [&str; 11] = [
    "thesis",
    "states",
    "group",
    "order",
    "orbits",
    "time",
    "images",
    "moves",
    "2007 orbits",
    "2007 enum",
    "2007 fast",
];

fn reduction_line(row: &ThesisRow, ours: &Result<ThesisResult, RunOutcome>) -> Vec<String> {
    let mut cells = vec![name(row)];
    match ours {
        Ok(ours) => {
            let more = if ours.is_complete { "" } else { "> " };
            let agrees = row.agrees(0, ours.figures.n_states);
            let differs = agrees == Some(false) && ours.is_complete && !row.is("variant");
            let (group, order) = &ours.group;
            cells.extend([
                ours.n_full.clone().unwrap_or_default(),
                group.clone(),
                short(order),
                format!("{more}{}", ours.figures.n_states) + if differs { " DIFFERS" } else { "" },
                format!("{more}{}", duration(ours.pace.each())),
            ]);
            let shares = ours.figures.shares;
            let parts = [
                shares.map(|s| s.representatives),
                shares.map(|s| s.successors),
            ];
            cells.extend(parts.map(percent));
        }
        Err(outcome) => cells.extend(failed(outcome, 7)),
    }
    cells.extend(printed(row, &[1, 2]));
    cells
}

/// Does something with the processes of a model.
pub fn with_machine<T>(
    plan: &SearchPlan,
    work: impl FnOnce(&Machine) -> T,
) -> Result<T, RunOutcome> {
    let subject = plan.model.subject(&Purpose::Errors);
    let subject = subject.map_err(|why| RunOutcome::Failed(why.message))?;
    match subject.shape() {
        Shape::Processes(machine) => Ok(work(machine)),
        Shape::Values { .. } | Shape::Opaque => {
            Err(RunOutcome::Failed("there are no processes".to_owned()))
        }
    }
}

/// Finds the symmetry, without searching.
fn detection(
    bench: &Bench,
    row: &ThesisRow,
    file: &Path,
) -> Result<(Pace, (String, String)), RunOutcome> {
    let CheckPlan::Search(plan) = plan(bench, row, file, &[])? else {
        return Err(RunOutcome::Failed("nothing is searched".to_owned()));
    };
    let mut found = None;
    let pace = with_machine(&plan, |machine| {
        pace(bench.seconds, |_| found = reduce::processes::find(machine))
    })?;
    let found = found.ok_or(RunOutcome::Failed("the making goes wrong".to_owned()))?;
    let group = found.certified.group();
    let shape = group::shape::name::describe(group).to_string();
    Ok((pace, (shape, group.order().to_string())))
}

type Detection = Result<(Pace, (String, String)), RunOutcome>;

fn add_detection(bench: &mut Bench, row: &ThesisRow, ours: &Detection) {
    let outcome = match ours {
        Ok((pace, group)) => RunOutcome::Measured {
            pace: *pace,
            remark: group_remark(group, None),
            agrees: None,
        },
        Err(outcome) => outcome.clone(),
    };
    bench.add(DETECT, row.case, "orbit", outcome);
    let printed = printed_seconds(row.number(1));
    bench.add(DETECT, row.case, "symmextractor", printed);
}

const DETECTION_COLUMNS: [&str; 6] = [
    "detection",
    "group",
    "order",
    "time",
    "2007 order",
    "2007 time",
];

fn detection_line(row: &ThesisRow, ours: &Detection) -> Vec<String> {
    let mut cells = vec![name(row)];
    match ours {
        Ok((pace, (group, order))) => {
            cells.extend([group.clone(), short(order), duration(pace.each())]);
        }
        Err(outcome) => cells.extend(failed(outcome, 3)),
    }
    cells.extend(printed(row, &[1]));
    cells
}

/// A share in words.
fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.0} %", 100.0 * share))
}

/// What a row is called.
pub fn name(row: &ThesisRow) -> String {
    format!("{}{}", row.case, if row.is("variant") { " *" } else { "" })
}

/// A printed number as it is, and printed seconds.
pub fn printed(row: &ThesisRow, seconds: &[usize]) -> Vec<String> {
    let mut cells = vec![row.printed[0].unwrap_or("-").to_owned()];
    for &column in seconds {
        cells.push(row.printed[column].map_or("-".to_owned(), |text| format!("{text} s")));
    }
    cells
}

fn failed(outcome: &RunOutcome, n_cells: usize) -> Vec<String> {
    let mut cells = vec![String::new(); n_cells];
    let why = match outcome {
        RunOutcome::Failed(why) => why,
        _ => "",
    };
    cells[n_cells - 1] = format!("failed: {why}");
    cells
}

/// A whole number with all its digits, or with two where there are many.
pub fn short(number: &str) -> String {
    if number.len() <= 9 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return number.to_owned();
    }
    let value: f64 = number.parse().unwrap_or(f64::INFINITY);
    format!("{value:.1e}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::Recorder;
    use crate::rival::Folder;
    use crate::searches::TimedSearch;
    use std::time::Duration;

    /// A short run of the cases with this in their name.
    pub fn bench(only: &str) -> Bench {
        Bench {
            only: Some(only.to_owned()),
            all: false,
            seconds: 0.0,
            limit: Duration::from_secs(20),
            memory: None,
            corpus: None,
            plots: None,
            folder: Folder::new().expect("a folder"),
            recorder: Recorder::new(None).expect("no file"),
            text: String::new(),
        }
    }

    #[test]
    fn every_model_is_accepted() {
        let bench = bench("");
        for (table, n_printed) in [
            (REDUCTION, 3),
            (DETECTION, 2),
            (SEGMENTED, 2),
            (CONJUGATES, 6),
        ] {
            for row in ThesisRow::all(table, n_printed) {
                let file = bench.folder.write("model.pml", row.text).expect("a file");
                assert!(plan(&bench, &row, &file, &[]).is_ok(), "{row:?}");
            }
        }
    }

    #[test]
    fn a_row_has_ours_and_what_is_printed() {
        let mut bench = bench("peterson 3");
        run(&mut bench);
        let lines: Vec<&str> = bench.text.lines().collect();
        let row = lines.iter().find(|line| line.starts_with("peterson 3"));
        let words: Vec<&str> = row.expect("a row").split_whitespace().collect();
        assert_eq!(words[..6], ["peterson", "3", "2636", "S3", "6", "494"]);
        assert!(
            words.ends_with(&["494", "0.02", "s", "0.35", "s"]),
            "{words:?}"
        );
        let tools: Vec<&str> = bench.recorder.runs().iter().map(|run| run.tool).collect();
        let expected = [
            "orbit",
            "topspin",
            "topspin enum",
            "topspin fast",
            "orbit",
            "orbit fast",
            "orbit local-search",
            "orbit",
            "symmextractor",
            "orbit",
            "SPIN-to-GRAPE",
            "orbit",
            "SPIN-to-GRAPE",
        ];
        assert_eq!(tools, expected);
        let agrees = &bench.recorder.runs()[1].json()["agrees"];
        assert_eq!(agrees, &Value::Bool(true));
    }

    #[test]
    fn another_number_of_orbits_is_shouted() {
        let rows = ThesisRow::all(REDUCTION, 3);
        let line = |case: &str, n_states| {
            let row = rows.iter().find(|row| row.case == case).expect("a row");
            let TimedSearch { pace, figures, .. } = TimedSearch::of_states(n_states);
            let ours = ThesisResult {
                pace,
                figures,
                is_complete: true,
                group: ("S3".to_owned(), "6".to_owned()),
                n_full: None,
            };
            reduction_line(row, &Ok(ours))[4].clone()
        };
        assert_eq!(line("email 3", 3902), "3902");
        assert_eq!(line("email 3", 3903), "3903 DIFFERS");
        assert_eq!(line("allocator 3-3", 81), "81");
    }

    #[test]
    fn long_numbers_are_short() {
        assert_eq!(short("3628800"), "3628800");
        assert_eq!(short("2432902008176640000"), "2.4e18");
        assert_eq!(short(""), "");
    }
}
