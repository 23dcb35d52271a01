//! GAP as a rival in group orders.
//!
//! One process takes all cases, so that starting up is not counted; it reports its own CPU time in
//! milliseconds. Each repetition makes a fresh group, for GAP keeps what it knows of one. If a case
//! outlasts the limit, the process is ended and another takes the cases that are left.
//!
//! GAP is asked twice. `gap` proves its order, as ours is proved. `gap unproved` may stop when the
//! chain has withstood random tests that it would fail with probability 9 in 10 if it were wrong,
//! GAP's own remedy where proving takes too long.

use super::Bench;
use super::chains::{ChainCase, PRIME, SUITE};
use super::clock::Pace;
use super::record::RunOutcome;
use super::rival::{ProgramEnd, WaitLimit, converse, find};
use group::{Perm, Point};
use std::fmt::Write;
use std::process::Command;

/// The two ways of asking: a name, and GAP's option for it.
const WAYS: [(&str, u32); 2] = [("gap", 1000), ("gap unproved", 900)];

/// Measures GAP on the cases.
pub fn run(bench: &mut Bench, cases: &[ChainCase]) {
    let program = find("gap");
    let both = |case| WAYS.map(|way| (case, way));
    let tasks: Vec<GapTask> = cases.iter().flat_map(both).collect();
    let mut n_done = 0;
    while n_done < tasks.len() {
        let left = &tasks[n_done..];
        let (case, (tool, _)) = left[0];
        let Some(program) = &program else {
            bench.add(SUITE, &case.name, tool, RunOutcome::NotInstalled);
            n_done += 1;
            continue;
        };
        n_done += measure(bench, Command::new(program), left);
    }
}

type GapTask<'a> = (&'a ChainCase, (&'static str, u32));

/// Starts GAP on the tasks; returns how many were dealt with, one at least.
fn measure(bench: &mut Bench, mut command: Command, tasks: &[GapTask]) -> usize {
    let mut heard = 0;
    let ended = match bench
        .folder
        .write("orders.g", &script(tasks, bench.seconds))
    {
        Err(why) => ProgramEnd::Badly(why.to_string()),
        Ok(file) => {
            command.args(["-q", "-A"]).arg(file);
            converse(
                &mut command,
                Vec::new(),
                WaitLimit::EachLine(bench.limit),
                &mut |line| {
                    if let (Some((pace, rest)), Some(task)) = (parse_line(line), tasks.get(heard)) {
                        let (case, (tool, _)) = task;
                        let outcome = RunOutcome::of(pace).agreeing(Some(rest == case.check));
                        bench.add(SUITE, &case.name, tool, outcome);
                        heard += 1;
                    }
                },
            )
        }
    };
    let Some((case, (tool, _))) = tasks.get(heard) else {
        return heard;
    };
    let outcome = match ended {
        ProgramEnd::Stopped(used) => RunOutcome::Limit(used),
        ProgramEnd::Badly(why) => RunOutcome::Failed(why),
        ProgramEnd::Well => RunOutcome::Failed("it ended too soon".to_owned()),
    };
    bench.add(SUITE, &case.name, tool, outcome);
    heard + 1
}

fn script(tasks: &[GapTask], seconds: f64) -> String {
    let milliseconds = (seconds * 1000.0).ceil() as u64;
    // The first line marks the end of starting up.
    let mut text = format!(
        "Print(\"ready\\n\");\n\
         Measure := function(gens, random)\n\
         local begin, used, times, group, size;\n\
         begin := Runtime(); times := 0;\n\
         repeat\n\
         group := Group(gens); StabChainOptions(group).random := random;\n\
         size := Size(group); times := times + 1; used := Runtime() - begin;\n\
         until used >= {milliseconds} and used > 0;\n\
         Print(\"order \", times, \" \", used, \" \", size mod {PRIME}, \"\\n\");\n\
         end;\n"
    );
    for (case, (_, random)) in tasks {
        let perms: Vec<String> = case.generators.iter().map(perm_list).collect();
        let _ = writeln!(text, "Measure([{}], {random});", perms.join(",\n"));
    }
    text.push_str("QUIT;\n");
    text
}

/// The images, counted from 1.
fn perm_list(perm: &Perm) -> String {
    let images = (0..perm.degree() as Point).map(|x| (perm.at(x) + 1).to_string());
    let mut text = String::from("PermList([");
    for (i, image) in images.enumerate() {
        if i > 0 {
            text.push_str(if i % 16 == 0 { ",\n" } else { "," });
        }
        text.push_str(&image);
    }
    text + "])"
}

/// `order TIMES MILLISECONDS REMAINDER`.
fn parse_line(line: &str) -> Option<(Pace, u32)> {
    let mut words = line.split_whitespace();
    (words.next()? == "order").then_some(())?;
    let times = words.next()?.parse().ok().filter(|&times| times > 0)?;
    let milliseconds: f64 = words.next()?.parse().ok()?;
    let rest = words.next()?.parse().ok()?;
    let pace = Pace {
        times,
        cpu_seconds: milliseconds / 1000.0,
    };
    Some((pace, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_gap() {
        let (pace, rest) = parse_line("order 20 500 6").expect("a line");
        assert_eq!((pace.times, pace.cpu_seconds, rest), (20, 0.5, 6));
        for line in [
            "order",
            "order 0 500 6",
            "Error, no method",
            "order 1 2 x",
            "",
        ] {
            assert_eq!(parse_line(line), None, "{line}");
        }
    }

    #[test]
    fn permutations_are_lists_from_one() {
        let perm = Perm::from_bijection(vec![1, 0, 2]);
        assert_eq!(perm_list(&perm), "PermList([2,1,3])");
        let case = ChainCase {
            name: "S2".to_owned(),
            generators: vec![perm],
            check: 2,
        };
        let text = script(&[(&case, WAYS[0])], 0.0101);
        assert!(text.contains("until used >= 11 and"), "{text}");
        assert!(
            text.ends_with("Measure([PermList([2,1,3])], 1000);\nQUIT;\n"),
            "{text}"
        );
    }
}
