//! bliss, nauty and Traces as rivals in automorphism groups.
//!
//! bliss reads a DIMACS file; its time is that of the whole less that of reading, in hundredths of
//! a second. dreadnaut runs nauty and Traces from its own language and repeats them for at least a
//! second. Orders are compared by their logarithms, for dreadnaut prints a few digits only.

use super::Bench;
use super::clock::Pace;
use super::graphs::{SUITE, UndirectedGraph};
use super::record::RunOutcome;
use super::rival::{ProgramEnd, WaitLimit, converse, find};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// The logarithm of a group's order, to base 10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogOrder(f64);

impl LogOrder {
    /// Of an order written out.
    pub fn of_digits(digits: &str) -> LogOrder {
        let n = digits.len().min(15);
        let head: f64 = digits[..n].parse().unwrap_or(f64::NAN);
        LogOrder(head.log10() + (digits.len() - n) as f64)
    }

    /// Of `1234`, `1.234e5678` or `1.234*10^5678`.
    fn parse(text: &str) -> Option<LogOrder> {
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            return Some(LogOrder::of_digits(text));
        }
        let (head, exponent) = text.split_once("*10^").or_else(|| text.split_once('e'))?;
        let (head, exponent): (f64, f64) = (head.parse().ok()?, exponent.parse().ok()?);
        Some(LogOrder(head.log10() + exponent))
    }

    /// Equal as far as a few digits tell.
    fn agrees(self, other: LogOrder) -> bool {
        (self.0 - other.0).abs() < 1e-3
    }
}

/// What a rival said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Heard {
    seconds: Option<f64>,
    reading: f64,
    order: Option<LogOrder>,
}

/// Measures the rivals on one graph.
pub fn run(bench: &mut Bench, case: &str, graph: &UndirectedGraph, order: LogOrder) {
    let outcome = find("bliss").map(|program| bliss(bench, program, graph, order));
    bench.add(
        SUITE,
        case,
        "bliss",
        outcome.unwrap_or(RunOutcome::NotInstalled),
    );
    for (tool, mode) in [("nauty", "As"), ("traces", "At")] {
        let outcome = find("dreadnaut").map(|program| {
            let input = dreadnaut_text(graph, mode, bench.seconds);
            let command = Command::new(program);
            talk(bench, command, input, hear_dreadnaut, order)
        });
        bench.add(
            SUITE,
            case,
            tool,
            outcome.unwrap_or(RunOutcome::NotInstalled),
        );
    }
}

fn bliss(bench: &Bench, program: PathBuf, graph: &UndirectedGraph, order: LogOrder) -> RunOutcome {
    let Ok(file) = bench.folder.write("graph.col", &dimacs_text(graph)) else {
        return RunOutcome::Failed("its input cannot be written".to_owned());
    };
    let mut command = Command::new(program);
    command.arg("-v=2").arg(file);
    talk(bench, command, String::new(), hear_bliss, order)
}

/// The least time that bliss can print.
const RESOLUTION: f64 = 0.01;

fn talk(
    bench: &Bench,
    mut command: Command,
    input: String,
    hear: fn(&str, &mut Heard),
    order: LogOrder,
) -> RunOutcome {
    let mut heard = Heard::default();
    let ended = converse(
        &mut command,
        input.into_bytes(),
        WaitLimit::Whole(bench.limit),
        &mut |line| {
            hear(line, &mut heard);
        },
    );
    match (ended, heard.seconds) {
        (ProgramEnd::Stopped(used), _) => RunOutcome::Limit(used),
        (_, Some(seconds)) => {
            measured(seconds - heard.reading).agreeing(heard.order.map(|found| found.agrees(order)))
        }
        (ProgramEnd::Badly(why), None) => RunOutcome::Failed(why),
        (ProgramEnd::Well, None) => RunOutcome::Failed("it reported no time".to_owned()),
    }
}

/// One run in so many seconds; if that was too short to be printed, the least that can be.
fn measured(seconds: f64) -> RunOutcome {
    let (cpu_seconds, remark) = if seconds > 0.0 {
        (seconds, "")
    } else {
        (
            RESOLUTION,
            "it printed 0.00 seconds; this is an upper bound",
        )
    };
    RunOutcome::Measured {
        pace: Pace {
            times: 1,
            cpu_seconds,
        },
        remark: remark.to_owned(),
        agrees: None,
    }
}

fn hear_bliss(line: &str, heard: &mut Heard) {
    let seconds = |rest: &str| rest.trim().strip_suffix(" seconds")?.trim().parse().ok();
    if let Some(rest) = line.strip_prefix("Graph read in ") {
        heard.reading = seconds(rest).unwrap_or(0.0);
    } else if let Some(rest) = line.strip_prefix("Total time:") {
        heard.seconds = seconds(rest);
    } else if let Some(rest) = line.strip_prefix("|Aut|:") {
        heard.order = LogOrder::parse(rest.trim());
    }
}

fn hear_dreadnaut(line: &str, heard: &mut Heard) {
    if let Some(rest) = line.strip_prefix("cpu time = ") {
        heard.seconds = rest.split(' ').next().and_then(|word| word.parse().ok());
    } else if let Some((_, rest)) = line.split_once("grpsize=") {
        heard.order = rest.split(';').next().and_then(LogOrder::parse);
    }
}

fn dimacs_text(graph: &UndirectedGraph) -> String {
    let mut text = format!("p edge {} {}\n", graph.n, graph.edges.len());
    for (x, y) in &graph.edges {
        let _ = writeln!(text, "e {} {}", x + 1, y + 1);
    }
    text
}

/// No generators, no progress, so many seconds at least, the edges by their first vertex.
fn dreadnaut_text(graph: &UndirectedGraph, mode: &str, seconds: f64) -> String {
    let mut edges = graph.edges.clone();
    edges.sort_unstable();
    let least = seconds.ceil() as u64;
    let mut text = format!("{mode} -a -m M=0/{least} n={} g\n", graph.n);
    for row in edges.chunk_by(|a, b| a.0 == b.0) {
        let _ = write!(text, "{}:", row[0].0);
        for (_, y) in row {
            let _ = write!(text, " {y}");
        }
        text.push('\n');
    }
    text + ".\nx\nq\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(hear: fn(&str, &mut Heard), text: &str) -> Heard {
        let mut heard = Heard::default();
        text.lines().for_each(|line| hear(line, &mut heard));
        heard
    }

    #[test]
    fn lines_of_bliss() {
        let text = "Graph read in 0.25 seconds\nGenerators:     1\n\
                    |Aut|:          1000\nTotal time:\t1.75 seconds\n";
        let heard = heard(hear_bliss, text);
        assert_eq!((heard.seconds, heard.reading), (Some(1.75), 0.25));
        assert_eq!(heard.order, Some(LogOrder(3.0)));
    }

    #[test]
    fn lines_of_dreadnaut() {
        let text =
            "1 orbit; grpsize=48; 3 gens; 10 nodes; maxlev=4\ncpu time = 0.0000025 seconds\n";
        let small = heard(hear_dreadnaut, text);
        assert_eq!(small.seconds, Some(0.000_002_5));
        assert!(
            small
                .order
                .is_some_and(|order| order.agrees(LogOrder::of_digits("48")))
        );
        let large = heard(hear_dreadnaut, "3 orbits; grpsize=1.000000e77337; 9 gens");
        assert_eq!(large.order, Some(LogOrder(77337.0)));
        assert_eq!(heard(hear_dreadnaut, "nothing of note"), Heard::default());
    }

    #[test]
    fn no_time_is_a_little_time() {
        assert_eq!(measured(0.25).each(), Some(0.25));
        assert_eq!(measured(0.0).each(), Some(RESOLUTION));
        assert_eq!(measured(-0.01).each(), Some(RESOLUTION));
    }

    #[test]
    fn orders_are_compared_by_a_few_digits() {
        let order = |text: &str| LogOrder::parse(text).expect("an order");
        assert!(order("3628800").agrees(order("3.6288e6")));
        assert!(order("1.5*10^100").agrees(order(&format!("15{}", "0".repeat(99)))));
        assert!(!order("3628800").agrees(order("1814400")));
        assert_eq!(LogOrder::parse("many"), None);
        assert_eq!(LogOrder::parse(""), None);
    }

    #[test]
    fn the_words_that_rivals_read() {
        let graph = UndirectedGraph {
            n: 3,
            edges: vec![(1, 2), (0, 1)],
        };
        assert_eq!(dimacs_text(&graph), "p edge 3 2\ne 2 3\ne 1 2\n");
        let expected = "At -a -m M=0/1 n=3 g\n0: 1\n1: 2\n.\nx\nq\n";
        assert_eq!(dreadnaut_text(&graph, "At", 0.5), expected);
    }
}
