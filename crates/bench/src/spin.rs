//! SPIN as a rival in searching: `spin -a` writes a verifier in C, `gcc -O2` makes the program
//! `pan` of it, and that searches.
//!
//! Times are CPU times of these programs and of what they start, as the operating system counts
//! them, in hundredths of a second; `pan` is run again and again until there is enough to count.
//! It gets a table with about one slot for each state (`-w`) and a stack that is deep enough
//! (`-m`), no larger than needed because it fills both with zeros. Its bytes for each state are
//! those that it reports as the actual usage for states, and those of its table; its stack is left
//! out, as ours is.

use super::Bench;
use super::clock::{Pace, children_cpu};
use super::promela::ModelCase;
use super::record::{Figures, RunOutcome};
use super::rival::{ProgramEnd, WaitLimit, converse, find};
use std::path::PathBuf;
use std::process::Command;

/// How SPIN is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Every statement is a step: neither merging nor slicing nor partial-order reduction.
    Plain,
    /// As it comes, but without partial-order reduction.
    Merged,
    /// As it comes.
    Reduced,
}

impl Variant {
    /// What it is called as a whole, and its search alone.
    pub fn tools(self) -> (&'static str, &'static str) {
        match self {
            Variant::Plain | Variant::Merged => ("spin", "pan"),
            Variant::Reduced => ("spin po", "pan po"),
        }
    }
}

/// What SPIN is asked.
pub struct SpinQuestion {
    /// Whether every statement is a step.
    pub plain: bool,
    /// What the compiler is told.
    pub compile: &'static [&'static str],
    /// What `pan` is told, beside the sizes of its tables.
    pub pan: Vec<String>,
}

/// The programs.
pub struct Spin {
    spin: PathBuf,
    compiler: PathBuf,
}

/// What a run of `pan` took and said.
#[derive(Clone, Debug, PartialEq)]
pub struct PanRun {
    /// From the model to the program.
    pub compile: Pace,
    /// One run of the program.
    pub search: Pace,
    /// What it counted.
    pub figures: Figures,
    /// Whether it found no error.
    pub holds: bool,
}

impl Spin {
    /// The programs, if all are on this machine.
    pub fn find() -> Option<Spin> {
        Some(Spin {
            spin: find("spin")?,
            compiler: find("gcc")?,
        })
    }

    /// Makes `pan` of the file `model.pml` in the folder of the bench, and runs it for errors.
    pub fn measure(
        &self,
        bench: &Bench,
        case: &ModelCase,
        variant: Variant,
    ) -> Result<PanRun, RunOutcome> {
        let compile: &[&str] = match variant {
            Variant::Reduced => &["-DSAFETY", "-DNOCLAIM"],
            _ => &["-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"],
        };
        let question = SpinQuestion {
            plain: variant == Variant::Plain,
            compile,
            pan: Vec::new(),
        };
        self.ask(bench, case, &question)
    }

    /// The same for any question.
    pub fn ask(
        &self,
        bench: &Bench,
        case: &ModelCase,
        question: &SpinQuestion,
    ) -> Result<PanRun, RunOutcome> {
        let compile = repeat(0.0, || self.compile(bench, case, question))?;
        let mut report = Report::default();
        let search = repeat(bench.seconds, || {
            report = Report::default();
            let mut command = Command::new(bench.folder.file("pan"));
            command.arg(format!("-w{}", case.slots_log));
            command.arg(format!("-m{}", case.depth));
            command.args(&question.pan);
            talk(bench, command, &mut |line| report.hear(line))
        })?;
        let (figures, holds) = report.figures().map_err(RunOutcome::Failed)?;
        Ok(PanRun {
            compile,
            search,
            figures,
            holds,
        })
    }

    fn compile(
        &self,
        bench: &Bench,
        case: &ModelCase,
        question: &SpinQuestion,
    ) -> Result<(), RunOutcome> {
        let mut spin = Command::new(&self.spin);
        if question.plain {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        spin.args(case.defines.iter().map(|define| format!("-D{define}")));
        spin.args(["-a", "model.pml"]);
        talk(bench, spin, &mut |_| {})?;
        let mut compiler = Command::new(&self.compiler);
        compiler.args(["-O2", "-w"]).args(question.compile);
        compiler.args(["-o", "pan", "pan.c"]);
        talk(bench, compiler, &mut |_| {})
    }
}

fn talk(bench: &Bench, mut command: Command, hear: &mut dyn FnMut(&str)) -> Result<(), RunOutcome> {
    command.current_dir(bench.folder.path());
    match converse(
        &mut command,
        Vec::new(),
        WaitLimit::Whole(bench.limit),
        hear,
    ) {
        ProgramEnd::Well => Ok(()),
        ProgramEnd::Badly(why) => Err(RunOutcome::Failed(why)),
        ProgramEnd::Stopped(used) => Err(RunOutcome::Limit(used)),
    }
}

/// Runs programs until they have used so many seconds, and more than nothing.
fn repeat(
    seconds: f64,
    mut work: impl FnMut() -> Result<(), RunOutcome>,
) -> Result<Pace, RunOutcome> {
    let now = || children_cpu().ok_or(RunOutcome::Failed("CPU times cannot be had".to_owned()));
    let start = now()?;
    let mut times = 0;
    loop {
        work()?;
        times += 1;
        let cpu_seconds = now()? - start;
        if cpu_seconds >= seconds && cpu_seconds > 0.0 {
            return Ok(Pace { times, cpu_seconds });
        }
    }
}

/// The lines of a report that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Report {
    n_states: Option<u64>,
    n_transitions: Option<u64>,
    n_errors: Option<u64>,
    states_megabytes: Option<f64>,
    table_megabytes: Option<f64>,
    cut: bool,
}

impl Report {
    fn hear(&mut self, line: &str) {
        let first = line.split_whitespace().next().unwrap_or_default();
        if line.contains("max search depth too small") {
            self.cut = true;
        } else if line.contains(" states, stored") {
            self.n_states = first.parse().ok();
        } else if line.contains(" transitions (= ") {
            self.n_transitions = first.parse().ok();
        } else if let Some((_, errors)) = line.split_once("errors: ") {
            self.n_errors = errors.trim().parse().ok();
        } else if line.contains("actual memory usage for states") {
            self.states_megabytes = first.parse().ok();
        } else if line.contains("memory used for hash table") {
            self.table_megabytes = first.parse().ok();
        }
    }

    /// What it counted and whether it found no error, or why that is not known.
    fn figures(&self) -> Result<(Figures, bool), String> {
        if self.cut {
            return Err("its stack was too small".to_owned());
        }
        let missing = || "it reported no counts".to_owned();
        let n_states = self.n_states.filter(|&n| n > 0).ok_or_else(missing)?;
        let memory = self.states_megabytes.zip(self.table_megabytes);
        let bytes = |(states, table)| (states + table) * 1024.0 * 1024.0 / n_states as f64;
        let figures = Figures {
            n_states,
            n_transitions: self.n_transitions.ok_or_else(missing)?,
            bytes_per_state: memory.map(bytes),
            shares: None,
        };
        Ok((figures, self.n_errors.ok_or_else(missing)? == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 7] = [
        "State-vector 52 byte, depth reached 112971, errors: 0",
        "     1024 states, stored",
        "  1628761 states, matched",
        "  2171682 transitions (= stored+matched)",
        "    0.125\tactual memory usage for states (compression: 69.15%)",
        "    0.500\tmemory used for hash table (-w16)",
        "    0.625\ttotal actual memory usage",
    ];

    fn report(lines: &[&str]) -> Report {
        let mut report = Report::default();
        lines.iter().for_each(|line| report.hear(line));
        report
    }

    #[test]
    fn reports_of_pan() {
        let figures = Figures {
            n_states: 1024,
            n_transitions: 2_171_682,
            bytes_per_state: Some(640.0),
            shares: None,
        };
        assert_eq!(report(&LINES).figures(), Ok((figures, true)));
        let mut faulty = LINES;
        faulty[0] = "State-vector 52 byte, depth reached 9, errors: 1";
        assert_eq!(report(&faulty).figures(), Ok((figures, false)));
        // Where cycles are looked for, states may be visited twice.
        let mut visited = LINES;
        visited[1] = "     1024 states, stored (1536 visited)";
        visited[3] = "  2171682 transitions (= visited+matched)";
        assert_eq!(report(&visited).figures(), Ok((figures, true)));
    }

    #[test]
    fn a_search_that_was_cut_has_no_figures() {
        let mut cut = vec!["error: max search depth too small"];
        cut.extend(LINES);
        assert!(report(&cut).figures().is_err());
        assert!(report(&LINES[..2]).figures().is_err());
        assert!(report(&[]).figures().is_err());
    }

    #[test]
    fn failures_end_the_repetition() {
        let failed = RunOutcome::Failed("so".to_owned());
        assert_eq!(repeat(1.0, || Err(failed.clone())), Err(failed));
    }
}
