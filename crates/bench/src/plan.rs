//! What was typed, and what it means.

use crate::SUITES;
use base::{Diagnostic, Diagnostics};
use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

/// What was typed.
#[derive(Parser, Debug)]
#[command(
    name = "orbit-bench",
    version,
    about = "Measures kernels and searches of orbit beside other programs: CPU times and ratios",
    after_help = EXAMPLES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct BenchFlags {
    /// Print one JSON object on standard output instead of text
    #[arg(long)]
    pub json: bool,

    /// What to measure: kernels (images, chains and graphs, or one of these), promela, speed, ltl,
    /// thesis, symmspin, replicated, prob, csp, view, growth or lsp
    #[arg(value_name = "SUITE")]
    pub suite: String,

    /// Measure only the cases with this in their name, such as "S8 ring"
    #[arg(long, value_name = "WORD")]
    pub only: Option<String>,

    /// Also measure what takes minutes (thesis, symmspin, prob, csp)
    #[arg(long)]
    pub all: bool,

    /// Repeat each measurement for at least this many seconds of CPU time
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    pub seconds: f64,

    /// Stop a rival, or a search, that has not finished a case after this many seconds
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub limit: f64,

    /// For prob, thesis, symmspin, replicated and csp: stop a search that needs more memory than
    /// this, such as 512M
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// For view: a folder with further machines of the tables, of ProB's public examples
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,

    /// For growth and prob: also draw states and times, or speed-ups, into this folder
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,

    /// Also write each run into this file as it is made, a JSON object a line
    #[arg(long, value_name = "FILE.jsonl")]
    pub output: Option<PathBuf>,
}

/// What to measure and for how long.
pub struct BenchPlan {
    /// The name of a suite.
    pub suite: &'static str,
    /// A part of the names of the cases that are wanted.
    pub only: Option<String>,
    /// Whether cases that take long are measured too.
    pub all: bool,
    /// CPU seconds of a measurement, at least.
    pub seconds: f64,
    /// How long a rival may take for a case, and a search.
    pub limit: Duration,
    /// How much memory a search may use.
    pub memory: Option<String>,
    /// Where further machines are.
    pub corpus: Option<PathBuf>,
    /// Where plots go.
    pub plots: Option<PathBuf>,
    /// Where a line for each run goes.
    pub output: Option<PathBuf>,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(flags: BenchFlags, found: &mut Diagnostics) -> Option<BenchPlan> {
    let suite = SUITES.iter().find(|(name, _)| *name == flags.suite);
    if suite.is_none() {
        let name = base::quote(&flags.suite);
        let mut message = Diagnostic::unlocated(format!("there is no suite {name}"));
        for (name, words) in SUITES {
            message = message.note(format!("{name}: {words}"));
        }
        found.push(message);
    }
    let searches = ["prob", "thesis", "symmspin", "replicated", "csp"];
    if flags.memory.is_some() && !searches.contains(&&*flags.suite) {
        found.push(Diagnostic::unlocated(
            "--memory is for prob, thesis, symmspin, replicated and csp",
        ));
        return None;
    }
    let pace = seconds("--seconds", flags.seconds, found);
    let limit = seconds("--limit", flags.limit, found);
    Some(BenchPlan {
        suite: suite?.0,
        only: flags.only,
        all: flags.all,
        seconds: pace?.as_secs_f64(),
        limit: limit?,
        memory: flags.memory,
        corpus: flags.corpus,
        plots: flags.plots,
        output: flags.output,
    })
}

/// The longest time that a flag may say.
const SECONDS_MAX: f64 = 86_400.0;

/// The seconds given with a flag, if they make sense.
fn seconds(flag: &str, seconds: f64, found: &mut Diagnostics) -> Option<Duration> {
    if (0.001..=SECONDS_MAX).contains(&seconds) {
        return Some(Duration::from_secs_f64(seconds));
    }
    found.push(Diagnostic::unlocated(format!(
        "{flag} is {seconds}; it must be from 0.001 to {SECONDS_MAX} seconds"
    )));
    None
}

const EXAMPLES: &str = "\
Examples:
  orbit-bench kernels --output runs.jsonl       everything; minutes
  orbit-bench images --only \"S8 \" --seconds 2  canonical images of 8 interchangeable points
  orbit-bench chains --json                     group orders beside GAP, for a program
  orbit-bench thesis --limit 20                 reductions beside those printed in 2007
  orbit-bench symmspin                          the strategies of SymmSpin, and what is told of it
  orbit-bench csp --only hanoi                  refinement beside a table of 2008
  orbit-bench promela --only \"mutex N=10\"      searches of a Promela model beside SPIN

Rivals are used where they are installed: gap, bliss, dreadnaut, nauty's library with cc, and spin
with gcc.";
