//! The suite `csp`: refinement of processes with symmetry, beside table 2 of N. Moffat,
//! M. Goldsmith and A. W. Roscoe (2008).
//!
//! A line is an algorithm on a case: the plain search, the three algorithms of the paper by their
//! names, and ours, which keeps one pair of each orbit (`exact`). The network, the normal form and
//! the symmetry are made ready first, each with its time; then the search alone is made again and
//! again. What it costs to choose representatives is told as the paper tells it: the *overhead* is
//! by how much a pair takes longer than without symmetry.
//!
//! Worked example: 51 pairs in 60 µs against 256 in 200 µs are 20% of the pairs in 30% of the time;
//! 30/20 - 1 = 50% overhead for a pair.
//!
//! Numbers of pairs of Hanoi are compared with those printed and with a formula; `DIFFERS` says
//! that one of them is another.

use super::Bench;
use super::clock::{CpuClock, Pace};
use super::csp_rows::{CspCase, PrintedRow};
use super::promela::{INTERRUPTED, check_plan};
use super::record::{Figures, RunOutcome};
use super::table::{aligned, duration};
use super::thesis::is_interrupted;
use check::StopReason;
use check::refinement::{Counts, Unknown, Verdict};
use orbit::check_cmd::{Prepared, Unready};
use orbit::plan::CheckPlan;
use reduce::network::Algorithm;
use std::time::Duration;

/// The name of the suite.
pub const SUITE: &str = "csp";

/// When it was printed.
const YEAR: &str = "2008";

/// What is said above the table.
const HEADING: &str = "\
Pairs of a specification state and a process state, by algorithm; `exact` is ours and the default.
`compile` and `symmetry` are times on the wall before the search, once: `rules` is the part of the
first that the rules of the process take, `closure` the part of the second that the list of all
elements takes, or what else chooses; `search` is CPU time of the search alone. Percentages are of
the search without symmetry, `overhead` is by how much a pair takes longer than there. What is
printed of 2008 is of a program in Perl on a machine of that time. Hanoi has the numbers of states
printed; Dijkstra's algorithm is our own text, so that its numbers are others and only ratios
compare.

";

const COLUMNS: [&str; 19] = [
    "csp",
    "algorithm",
    "pairs",
    "%",
    "transitions",
    "order",
    "compile",
    "rules",
    "symmetry",
    "closure",
    "search",
    "%",
    "a pair",
    "overhead",
    "2008 states",
    "%",
    "2008 search",
    "overhead",
    "",
];

/// The algorithms, ours first, with the names of our runs and of those in print.
const ALGORITHMS: [(Algorithm, &str, &str); 6] = [
    (Algorithm::Exact, "orbit", ""),
    (Algorithm::Check, "orbit none", "printed none"),
    (
        Algorithm::SymCheck1,
        "orbit sym-check-1",
        "printed sym-check-1",
    ),
    (
        Algorithm::SymCheck2,
        "orbit sym-check-2",
        "printed sym-check-2",
    ),
    (
        Algorithm::SymCheck3,
        "orbit sym-check-3",
        "printed sym-check-3",
    ),
    (Algorithm::Descent, "orbit descent", ""),
];

/// What a search took and found.
struct CspResult {
    pace: Pace,
    counts: Counts,
    bytes: u64,
    is_complete: bool,
    order: String,
    compiling: Duration,
    making_rules: Duration,
    finding: Duration,
    closing: Duration,
}

/// An algorithm, and what came of it; `None` if it was left out.
type AlgorithmResults = Vec<(Algorithm, Option<Result<CspResult, RunOutcome>>)>;

/// Measures every case that was asked for.
pub fn run(bench: &mut Bench) {
    let mut lines = vec![COLUMNS.map(str::to_owned).to_vec()];
    for case in CspCase::all() {
        let is_short = !case.is("long") || bench.all || bench.only.is_some();
        if !(is_short && bench.wants(SUITE, case.name)) {
            continue;
        }
        let mut found: AlgorithmResults = Vec::new();
        for (algorithm, ..) in ALGORITHMS {
            let is_left_out = algorithm == Algorithm::Check && case.is("vast");
            let ours = (!is_left_out).then(|| measured(bench, &case, algorithm));
            let stopped =
                |ours: &Result<CspResult, RunOutcome>| ours.as_ref().is_err_and(is_interrupted);
            if ours.as_ref().is_some_and(stopped) {
                bench.text = HEADING.to_owned() + &aligned(&lines);
                return;
            }
            found.push((algorithm, ours));
        }
        record(bench, &case, &found);
        lines.extend(table(&case, &found));
    }
    bench.text = HEADING.to_owned() + &aligned(&lines);
}

/// Searches for at least so many seconds.
fn measured(bench: &Bench, case: &CspCase, algorithm: Algorithm) -> Result<CspResult, RunOutcome> {
    let failed = |why: &dyn ToString| RunOutcome::Failed(why.to_string());
    let file = bench.folder.write("script.csp", &case.text);
    let file = file.map_err(|why| failed(&why))?;
    let mut flags = bench.limits();
    flags.push(format!("--reduce={}", algorithm.name()));
    flags.push(format!("--property={}", case.number));
    let plan = check_plan(&file, &[], &flags).map_err(RunOutcome::Failed)?;
    let CheckPlan::Search(plan) = plan else {
        return Err(failed(&"nothing is searched"));
    };
    let prepared = Prepared::of(&plan).map_err(|unready| match unready {
        Unready::Unfit(why) | Unready::Failed(why) => RunOutcome::Failed(why),
    });
    let mut prepared = prepared?;
    let (mut times, clock) = (0, CpuClock::start());
    loop {
        let outcome = prepared.search();
        times += 1;
        let is_complete = match outcome.verdict {
            Verdict::Holds(_) => true,
            Verdict::Violated(_) => return Err(failed(&"it is violated")),
            Verdict::Unknown(Unknown::Stopped(StopReason::Interrupted)) => {
                return Err(failed(&INTERRUPTED));
            }
            Verdict::Unknown(_) => false,
        };
        let cpu_seconds = clock.seconds();
        if cpu_seconds > 0.0 && (cpu_seconds >= bench.seconds || !is_complete) {
            return Ok(CspResult {
                pace: Pace { times, cpu_seconds },
                counts: outcome.counts,
                bytes: outcome.peak_bytes,
                is_complete,
                order: prepared.order().to_owned(),
                compiling: prepared.compiling,
                making_rules: prepared.making_rules,
                finding: prepared.finding,
                closing: prepared.closing,
            });
        }
    }
}

/// Whether the number of pairs is that of the formula; `None` if there is none, or not all pairs
/// were seen.
fn agrees(case: &CspCase, algorithm: Algorithm, ours: &CspResult) -> Option<bool> {
    let (full, orbits) = case.known().filter(|_| ours.is_complete)?;
    if algorithm == Algorithm::Descent {
        // Several pairs may be kept of an orbit.
        return Some((orbits..=full).contains(&u128::from(ours.counts.n_pairs)));
    }
    let expected = match algorithm {
        Algorithm::Check => full,
        _ => orbits,
    };
    let of_orbits = ours.counts.n_full.is_none_or(|n| n == full);
    Some(u128::from(ours.counts.n_pairs) == expected && of_orbits)
}

fn record(bench: &mut Bench, case: &CspCase, found: &AlgorithmResults) {
    for ((algorithm, tool, _), (_, ours)) in ALGORITHMS.iter().zip(found) {
        match ours {
            Some(Ok(ours)) => {
                let figures = Figures {
                    n_states: ours.counts.n_pairs,
                    n_transitions: ours.counts.n_transitions,
                    bytes_per_state: Some(ours.bytes as f64 / ours.counts.n_pairs.max(1) as f64),
                    shares: None,
                };
                let outcome = if ours.is_complete {
                    RunOutcome::Measured {
                        pace: ours.pace,
                        remark: format!("order {}", ours.order),
                        agrees: agrees(case, *algorithm, ours),
                    }
                } else {
                    RunOutcome::Limit(ours.pace.each())
                };
                bench.add_figures(SUITE, case.name, tool, outcome, figures);
            }
            Some(Err(outcome)) => bench.add(SUITE, case.name, tool, outcome.clone()),
            None => {}
        }
    }
    for printed in case.printed() {
        let of = |(algorithm, ..): &&(Algorithm, &str, &str)| algorithm.name() == printed.algorithm;
        let Some((algorithm, _, tool)) = ALGORITHMS.iter().find(of) else {
            continue;
        };
        let ours = ours(found, *algorithm).filter(|ours| ours.is_complete);
        // Only Hanoi is the same model.
        let same = ours.filter(|_| case.known().is_some());
        let outcome = RunOutcome::Printed {
            source: YEAR,
            seconds: Some(printed.seconds),
            n_states: Some(printed.n_states),
            agrees: same.map(|ours| ours.counts.n_pairs == printed.n_states),
        };
        bench.add(SUITE, case.name, tool, outcome);
    }
}

fn ours(found: &AlgorithmResults, algorithm: Algorithm) -> Option<&CspResult> {
    let (_, ours) = found.iter().find(|(other, _)| *other == algorithm)?;
    ours.as_ref()?.as_ref().ok()
}

/// The lines of a case, the plain search first and ours last.
fn table(case: &CspCase, found: &AlgorithmResults) -> Vec<Vec<String>> {
    let printed = case.printed();
    let plain = printed.iter().find(|p| p.algorithm == "none").copied();
    Algorithm::ALL
        .iter()
        .filter_map(|&algorithm| {
            let (_, ours) = found.iter().find(|(other, _)| *other == algorithm)?;
            let mut cells = vec![case.name.to_owned(), algorithm.name().to_owned()];
            let remark = match ours {
                None => return None,
                Some(Ok(one)) => {
                    let base = base(case, found, one);
                    cells.extend(figures(one, base, agrees(case, algorithm, one)));
                    String::new()
                }
                Some(Err(outcome)) => {
                    cells.extend(std::iter::repeat_n("-".to_owned(), 12));
                    reason(outcome)
                }
            };
            let own = printed.iter().find(|p| p.algorithm == algorithm.name());
            cells.extend(in_print(own, plain));
            cells.push(remark);
            Some(cells)
        })
        .collect()
}

/// Why there are no figures, without the flag that the reader sees anyway.
fn reason(outcome: &RunOutcome) -> String {
    match outcome {
        RunOutcome::Failed(why) => match why.rsplit_once(": ") {
            Some((_, why)) => why.to_owned(),
            None => why.clone(),
        },
        _ => String::new(),
    }
}

/// The pairs without symmetry and the seconds that their search takes, as far as they are known.
struct UnreducedFigures {
    n_pairs: Option<f64>,
    seconds: Option<f64>,
}

fn base(case: &CspCase, found: &AlgorithmResults, one: &CspResult) -> UnreducedFigures {
    let plain = ours(found, Algorithm::Check).filter(|plain| plain.is_complete);
    let seconds = plain.map(|plain| plain.pace.each());
    let full = one.counts.n_full.filter(|_| one.is_complete);
    let known = case.known().map(|(full, _)| full).or(full);
    let pairs = plain
        .map(|plain| u128::from(plain.counts.n_pairs))
        .or(known);
    UnreducedFigures {
        n_pairs: pairs.map(|n| n as f64),
        seconds,
    }
}

fn figures(one: &CspResult, base: UnreducedFigures, agrees: Option<bool>) -> [String; 12] {
    let more = if one.is_complete { "" } else { "> " };
    let differs = if agrees == Some(false) {
        " DIFFERS"
    } else {
        ""
    };
    let n_pairs = one.counts.n_pairs.max(1) as f64;
    let each = one.pace.each();
    let of_pairs = base.n_pairs.map(|n| n_pairs / n);
    let of_time = base.seconds.map(|s| each / s);
    let known = |ratio: Option<f64>| ratio.filter(|_| one.is_complete);
    [
        format!("{more}{}{differs}", one.counts.n_pairs),
        percent(known(of_pairs)),
        format!("{more}{}", one.counts.n_transitions),
        short(&one.order),
        duration(one.compiling.as_secs_f64()),
        duration(one.making_rules.as_secs_f64()),
        duration(one.finding.as_secs_f64()),
        duration(one.closing.as_secs_f64()),
        format!("{more}{}", duration(each)),
        percent(known(of_time)),
        duration(each / n_pairs),
        overhead(known(of_time), known(of_pairs)),
    ]
}

fn in_print(own: Option<&PrintedRow>, plain: Option<PrintedRow>) -> [String; 4] {
    let Some((own, plain)) = own.zip(plain) else {
        return ["-"; 4].map(str::to_owned);
    };
    let of_states = Some(own.n_states as f64 / plain.n_states as f64);
    let of_time = Some(own.seconds / plain.seconds);
    [
        own.n_states.to_string(),
        percent(of_states),
        format!("{:.2} s", own.seconds),
        overhead(of_time, of_states),
    ]
}

fn percent(ratio: Option<f64>) -> String {
    match ratio {
        None => "-".to_owned(),
        Some(ratio) if ratio < 0.001 => format!("{:.1e}", ratio * 100.0),
        Some(ratio) => format!("{:.2}", ratio * 100.0),
    }
}

fn overhead(of_time: Option<f64>, of_pairs: Option<f64>) -> String {
    match of_time.zip(of_pairs) {
        None => "-".to_owned(),
        Some((time, pairs)) => format!("{:.0}%", (time / pairs - 1.0) * 100.0),
    }
}

/// An order, rounded if it is long.
fn short(order: &str) -> String {
    match order.parse::<f64>() {
        Ok(n) if order.len() > 7 => format!("{n:.1e}"),
        _ => order.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::tests::bench;
    use serde_json::Value;

    /// The cells of the table that are no times, by line, and the runs.
    fn timeless(only: &str) -> (Vec<String>, Vec<Value>) {
        let mut bench = bench(only);
        run(&mut bench);
        let cell = |cells: &[String]| {
            let kept = [0, 1, 2, 3, 4, 5, 14, 15, 16, 17, 18].map(|i| cells[i].as_str());
            kept.join(" | ")
        };
        let (_, table) = bench.text.split_once("\n\n").expect("a heading");
        let split = |line: &str| -> Vec<String> {
            let cells = line.split("   ").map(str::trim).filter(|c| !c.is_empty());
            cells.map(str::to_owned).collect()
        };
        let lines = table.lines().skip(1).map(|line| {
            let mut cells = split(line);
            cells.resize(COLUMNS.len(), String::new());
            cell(&cells)
        });
        let runs = bench.recorder.runs().iter().map(|run| run.json());
        (lines.collect(), runs.collect())
    }

    #[test]
    fn rows_of_hanoi() {
        let (lines, runs) = timeless("hanoi 4-4");
        let expected = [
            "hanoi 4-4 | none | 256 | 100.00 | 1440 | 1 | 256 | 100.00 | 3.58 s | 0% | ",
            "hanoi 4-4 | sym-check-1 | 51 | 19.92 | 279 | 6 | 51 | 19.92 | 0.73 s | 2% | ",
            "hanoi 4-4 | sym-check-2 | 51 | 19.92 | 279 | 6 | 51 | 19.92 | 0.73 s | 2% | ",
            "hanoi 4-4 | sym-check-3 | 51 | 19.92 | 279 | 6 | - | - | - | - | ",
            "hanoi 4-4 | descent | 51 | 19.92 | 279 | 6 | - | - | - | - | ",
            "hanoi 4-4 | exact | 51 | 19.92 | 279 | 6 | - | - | - | - | ",
        ];
        assert_eq!(lines, expected);
        let tools: Vec<&str> = runs.iter().filter_map(|run| run["tool"].as_str()).collect();
        assert_eq!((tools[0], tools.len()), ("orbit", 9), "{tools:?}");
        assert!(runs.iter().all(|run| run["agrees"] == true), "{runs:?}");
    }

    #[test]
    fn rows_of_dijkstra() {
        let (lines, _) = timeless("dijkstra 2");
        let pairs = |line: &String| line.split(" | ").nth(2).map(str::to_owned);
        let found: Vec<String> = lines.iter().filter_map(pairs).collect();
        let run = ["291", "-", "147", "147", "147", "147"];
        // The specification moves, so that only the last three fit.
        let ordered = ["291", "-", "-", "147", "147", "147"];
        assert_eq!(found, [run, ordered].concat());
        assert!(
            lines[1].ends_with("stays where it is, and its states move"),
            "{}",
            lines[1]
        );
        let moved = "moves the state of the specification after <try.1>";
        assert!(lines[7].ends_with(moved), "{}", lines[7]);
    }

    #[test]
    fn another_number_is_shouted() {
        let case = CspCase::all().remove(0);
        let ours = |n_pairs| CspResult {
            pace: Pace {
                times: 1,
                cpu_seconds: 1.0,
            },
            counts: Counts {
                n_pairs,
                n_full: Some(256),
                ..Counts::default()
            },
            bytes: 0,
            is_complete: true,
            order: "6".to_owned(),
            making_rules: Duration::ZERO,
            closing: Duration::ZERO,
            compiling: Duration::ZERO,
            finding: Duration::ZERO,
        };
        for (n_pairs, shouted) in [(51, false), (52, true)] {
            let found: AlgorithmResults = vec![(Algorithm::Exact, Some(Ok(ours(n_pairs))))];
            let lines = table(&case, &found);
            assert_eq!(lines[0][2].ends_with("DIFFERS"), shouted, "{lines:?}");
        }
    }

    #[test]
    fn overheads_are_those_of_the_paper() {
        // (time ratio / state ratio) - 1, as printed for hanoi7p4d by SymCheck2: 188%.
        let case = CspCase::all()
            .into_iter()
            .find(|case| case.name == "hanoi 7-4");
        let printed = case.expect("a case").printed();
        let cells = in_print(printed.get(2), printed.first().copied());
        assert_eq!(cells, ["52", "2.17", "15.38 s", "188%"].map(str::to_owned));
    }
}
