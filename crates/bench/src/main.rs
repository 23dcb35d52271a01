//! `orbit-bench`: our kernels and searches measured beside other programs, in one run on one
//! machine.
//!
//! Absolute times depend on the machine; ratios in one run much less. All times are CPU times, ours
//! read from the operating system and those of rivals as they report them. A rival that is not
//! installed is listed as such; nothing here can fail because of another program.
//!
//! Reading order: this file; [`clock`], [`record`], [`table`] (measuring and showing); [`rival`]
//! (other programs); then a file for each suite: [`images`] with [`structure`], [`drawing`],
//! [`enumerate`] and [`nauty`], [`chains`] with [`gap`], [`graphs`] with [`graph_rivals`],
//! [`promela`], [`speed`] and [`ltl`] with [`spin`], [`thesis`] with [`thesis_rows`], [`searches`],
//! [`strategies`], [`segments`] and [`conjugates`], [`told`] with [`told_rows`], [`prob`] with
//! [`prob_rows`] and [`prob_errors`], [`csp`] with [`csp_rows`], [`views`]
//! with [`views_rows`], [`growth`] with [`plot`], [`lsp`].

mod chains;
mod clock;
mod conjugates;
mod csp;
mod csp_rows;
mod drawing;
mod enumerate;
mod figure6;
mod gap;
mod graph_rivals;
mod graphs;
mod growth;
mod images;
mod lsp;
mod ltl;
mod nauty;
mod plan;
mod plot;
mod prob;
mod prob_errors;
mod prob_pruning;
mod prob_rows;
mod prob_speed_ups;
mod promela;
mod record;
mod rival;
mod searches;
mod segments;
mod speed;
mod spin;
mod state_graphs;
mod strategies;
mod structure;
mod table;
mod thesis;
mod thesis_rows;
mod told;
mod told_rows;
mod views;
mod views_rows;

use base::{Diagnostic, Diagnostics, Sources};
use clap::Parser;
use orbit::answer::{Answer, Exit};
use orbit::page::Page;
use orbit::{output, watchdog};
use plan::{BenchFlags, BenchPlan};
use record::{Figures, RecordedRun, Recorder, RunOutcome};
use rival::Folder;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// The suites with a word about each; the first holds the three after it.
pub const SUITES: [(&str, &str); 15] = [
    ("kernels", "images, chains and graphs"),
    (images::SUITE, "canonical images of random structures"),
    (chains::SUITE, "group orders from generators"),
    (graphs::SUITE, "automorphism groups of large graphs"),
    (promela::SUITE, "searches of Promela models, beside SPIN"),
    (speed::SUITE, "long searches, state for state, beside SPIN"),
    (ltl::SUITE, "searches for infinite runs, beside SPIN"),
    (
        thesis::SUITE,
        "reductions and detections beside those printed in a thesis of 2007",
    ),
    (
        told::OF_SYMMSPIN.name,
        "SymmSpin's strategies beside what is told of SymmSpin's texts",
    ),
    (
        told::OF_REPLICATED.name,
        "processes that refer to processes, beside a table of 2001",
    ),
    (
        prob::SUITE,
        "searches of B machines beside those printed in another thesis of 2007",
    ),
    (
        csp::SUITE,
        "refinement of CSP processes beside what is printed in a paper of 2008",
    ),
    (
        views::SUITE,
        "sizes of views of state spaces, beside those printed in 2007",
    ),
    (
        growth::SUITE,
        "states and times by size, with symmetry and without, beside SPIN",
    ),
    (lsp::SUITE, "answers of `orbit lsp` on texts of 2,000 lines"),
];

fn main() -> std::process::ExitCode {
    orbit::ended(|| {
        let flags = match BenchFlags::try_parse() {
            Ok(flags) => flags,
            Err(usage) => return orbit::show_usage(&usage),
        };
        let (json, mut found) = (flags.json, Diagnostics::new());
        let plan = plan::plan(flags, &mut found);
        let answer = plan.and_then(|plan| run(&plan).map_err(|why| found.push(why)).ok());
        watchdog::floor();
        output::show(answer, json, &Sources::new(), found)
    })
}

/// Carries out the plan.
fn run(plan: &BenchPlan) -> Result<Answer, Diagnostic> {
    let folder = Folder::new()
        .map_err(|why| Diagnostic::unlocated(format!("cannot make a temporary folder: {why}")))?;
    let mut bench = Bench {
        only: plan.only.as_ref().map(|word| word.to_lowercase()),
        all: plan.all,
        seconds: plan.seconds,
        limit: plan.limit,
        memory: plan.memory.clone(),
        corpus: plan.corpus.clone(),
        plots: plan.plots.clone(),
        folder,
        recorder: Recorder::new(plan.output.as_deref())?,
        text: String::new(),
    };
    for (suite, run) in [
        (images::SUITE, images::run as fn(&mut Bench)),
        (chains::SUITE, chains::run),
        (graphs::SUITE, graphs::run),
        (promela::SUITE, promela::run),
        (speed::SUITE, speed::run),
        (ltl::SUITE, ltl::run),
        (thesis::SUITE, thesis::run),
        (told::OF_SYMMSPIN.name, told::symmspin),
        (told::OF_REPLICATED.name, told::replicated),
        (prob::SUITE, prob::run),
        (csp::SUITE, csp::run),
        (views::SUITE, views::run),
        (growth::SUITE, growth::run),
        (lsp::SUITE, lsp::run),
    ] {
        let kernel = [images::SUITE, chains::SUITE, graphs::SUITE].contains(&suite);
        if plan.suite == suite || plan.suite == "kernels" && kernel {
            run(&mut bench);
        }
    }
    let runs = bench.recorder.runs();
    if runs.is_empty() {
        let word = base::quote(plan.only.as_deref().unwrap_or_default());
        let message = format!("no case of {} has {word} in its name", plan.suite);
        return Err(Diagnostic::unlocated(message));
    }
    let mut page = Page::new();
    page.field("suite", plan.suite);
    page.field(
        "runs",
        runs.iter().map(RecordedRun::json).collect::<Vec<Value>>(),
    );
    let mut answer = Answer::new(Exit::Holds, page);
    answer.text = if bench.text.is_empty() {
        table::table(runs)
    } else {
        bench.text
    };
    Ok(answer)
}

/// A run of suites: what was asked for, and what has been measured.
struct Bench {
    only: Option<String>,
    /// Whether long cases are wanted too.
    all: bool,
    seconds: f64,
    limit: Duration,
    /// How much memory a search may use.
    memory: Option<String>,
    /// Where machines are whose texts are not here.
    corpus: Option<PathBuf>,
    /// Where plots go.
    plots: Option<PathBuf>,
    folder: Folder,
    recorder: Recorder,
    /// The tables of a suite that makes its own.
    text: String,
}

impl Bench {
    /// The flags that limit a search.
    fn limits(&self) -> Vec<String> {
        let mut flags = vec![format!("--time={}s", self.limit.as_secs_f64())];
        flags.extend(self.memory.as_ref().map(|size| format!("--memory={size}")));
        flags
    }

    /// Whether the case was asked for.
    fn wants(&self, suite: &str, case: &str) -> bool {
        let name = format!("{suite} {case}").to_lowercase();
        self.only.as_ref().is_none_or(|word| name.contains(word))
    }

    /// Keeps and shows a measurement.
    fn add(&mut self, suite: &'static str, case: &str, tool: &'static str, outcome: RunOutcome) {
        self.recorder.add(suite, case, tool, outcome, None);
    }

    /// Keeps and shows the measurement of a search.
    fn add_figures(
        &mut self,
        suite: &'static str,
        case: &str,
        tool: &'static str,
        outcome: RunOutcome,
        figures: Figures,
    ) {
        self.recorder.add(suite, case, tool, outcome, Some(figures));
    }
}
