//! The flags of `orbit check`.
//!
//! Three groups: what there is; what the fingers of SPIN's users type (one letter each, with the
//! meaning that `pan` gives it where we have one); and names that are reserved for what is not
//! there yet, so that scripts get a plain refusal and no surprise later.

use super::machine::MachineFlags;
use super::model::ModelFlags;
use super::script::ScriptFlags;
use super::symmetry::DetectFlags;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What was typed after `orbit check`.
#[derive(Args, Debug)]
pub struct CheckFlags {
    /// Which model.
    #[command(flatten)]
    pub model: ModelFlags,

    /// Only read the model and check its types
    #[arg(long)]
    pub parse_only: bool,

    /// Check only this, by name or number: 1 `deadlock`, 2 `assertions`, 3 `faults`; run-time
    /// faults are always reported. Of a CSPM script: an assertion, by number or text
    #[arg(short = 'p', long, value_name = "NAME")]
    pub property: Option<String>,

    /// Do not report states in which nothing can happen and not every process has ended
    #[arg(short = 'E', long)]
    pub no_deadlock: bool,

    /// Do not report assertions that are false
    #[arg(short = 'A', long)]
    pub no_assertions: bool,

    /// Go on to the end and report every error; the default stops at the first one
    #[arg(short = 'e', long, conflicts_with = "stop_after")]
    pub all_errors: bool,

    /// Stop at the N-th error; 0 goes on to the end
    #[arg(short = 'c', long, value_name = "N")]
    pub stop_after: Option<u64>,

    /// bfs: level by level, with shortest error runs; dfs: depth first; mixed: a new state comes
    /// next with probability 1/3, by the coin of `--seed`, or else last
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "bfs",
        hide_possible_values = true
    )]
    pub search: SearchWord,

    /// Check this formula of linear temporal logic: '[] (p -> <> q)', atoms as in the model
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,

    /// Check this formula of branching time: 'AG EF (x == 0)', or 'A[] E<> (x == 0)'
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["ltl", "property", "claim"])]
    pub ctl: Option<String>,

    /// Of infinite runs count only fair ones: weak or strong, process by process
    #[arg(
        long,
        value_name = "weak|strong",
        default_value = "none",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub fair: FairWord,

    /// Go no deeper than this
    #[arg(short = 'm', long, value_name = "N")]
    pub depth: Option<u64>,

    /// Use no more memory for states: 512M, 4G; the default is most of what is free
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// Search no longer than this: 30s, 5m, 2h
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Search by breadth with so many threads; the default is all cores, once a search has lasted.
    /// What is found does not depend on it. Formulas and CSPM scripts are searched with one
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,

    /// Write the first error run into this file, for `orbit simulate --replay FILE`; in SPIN's
    /// form if the name ends in `.trail`, as a log for other programs if in `.itf.json`
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,

    /// What that file is called, if it is only on the way to another.
    #[arg(skip)]
    pub trail_shown: Option<PathBuf>,

    /// Also write the result as a page into this file: one file, with runs as charts, that needs
    /// nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// The seed of `--search mixed`, of `--conjugates`, and of strategies that draw at random
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// In `--search mixed`: of a hundred new states, put so many to the front of the queue (33)
    #[arg(long, value_name = "PERCENT")]
    pub to_front: Option<u32>,

    /// Do not list the statements that were never reached
    #[arg(short = 'n', long)]
    pub no_unreached: bool,

    /// How often a line of progress is printed where standard error is no terminal: 5s, 1m, off;
    /// the default is 30s
    #[arg(long, value_name = "INTERVAL|off", conflicts_with = "quiet")]
    pub progress: Option<String>,

    /// No progress line, and no list of statements that were never reached
    #[arg(long)]
    pub quiet: bool,

    /// Show runs and values in full, however long they are
    #[arg(long)]
    pub full: bool,

    /// Explore every state, as `--reduce none` does
    #[arg(long, conflicts_with = "reduce")]
    pub no_symmetry: bool,

    /// How to choose the state that stands for all that symmetries make of it; `list` shows the
    /// ways
    #[arg(long, value_name = "STRATEGY")]
    pub reduce: Option<String>,

    /// Where symmetry is looked for.
    #[command(flatten)]
    pub detect: DetectFlags,

    /// Count the states that there would be without reduction, from the sizes of orbits
    #[arg(long)]
    pub count_full: bool,

    /// Search again without symmetry, and compare what was found
    #[arg(long)]
    pub self_check: bool,

    /// Check on every stored state that the symmetries found are symmetries of its moves
    #[arg(long)]
    pub audit: bool,

    /// Interpret all steps; the default compiles them to machine code where a search is large
    #[arg(long)]
    pub no_native: bool,

    /// Take every step as machine code and by the interpreter, and compare
    #[arg(long, conflicts_with = "no_native")]
    pub check_native: bool,

    /// About B machines.
    #[command(flatten)]
    pub machine: MachineFlags,

    /// About CSPM scripts.
    #[command(flatten)]
    pub script: ScriptFlags,

    /// What SPIN's users type.
    #[command(flatten)]
    pub pan: PanFlags,

    /// What is still to come.
    #[command(flatten)]
    pub later: LaterFlags,
}

/// Which infinite runs count, as typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FairWord {
    /// All.
    None,
    /// Those in which no process can always take a step and never does.
    Weak,
    /// Those in which no process can take a step again and again and never does.
    Strong,
}

impl FairWord {
    /// The word, unless all count.
    pub fn word(self) -> Option<&'static str> {
        match self {
            FairWord::None => None,
            FairWord::Weak => Some("weak"),
            FairWord::Strong => Some("strong"),
        }
    }
}

/// The order of the search, as typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SearchWord {
    /// Level by level.
    Bfs,
    /// Depth first.
    Dfs,
    /// To the front of a queue or to its back, at random.
    Mixed,
}

/// Flags of SPIN's `pan` that have no long name here.
#[derive(Args, Debug)]
pub struct PanFlags {
    /// A shortest error run, as from `pan -i`: what a search by breadth gives anyway
    #[arg(short = 'i', hide = true)]
    pub shortest: bool,

    /// `pan -l`
    #[arg(short = 'l', hide = true)]
    pub progress_cycles: bool,

    /// `pan -a`
    #[arg(short = 'a', hide = true)]
    pub acceptance_cycles: bool,

    /// `pan -f`
    #[arg(short = 'f', hide = true)]
    pub weak_fairness: bool,

    /// `pan -w`
    #[arg(short = 'w', value_name = "N", hide = true)]
    pub hash_bits: Option<String>,

    /// `pan -q`
    #[arg(short = 'q', hide = true)]
    pub empty_channels: bool,

    /// `pan -N`
    #[arg(short = 'N', value_name = "NAME", hide = true)]
    pub claim: Option<String>,
}

/// Names that are kept for what is not there yet. Each is refused.
#[derive(Args, Debug)]
pub struct LaterFlags {
    /// Partial-order reduction.
    #[arg(long, hide = true)]
    pub por: bool,
    /// States on disk.
    #[arg(long, hide = true)]
    pub disk: Option<PathBuf>,
    /// Where to leave what was done.
    #[arg(long, hide = true)]
    pub checkpoint: Option<PathBuf>,
    /// Where to go on.
    #[arg(long, hide = true)]
    pub resume: Option<PathBuf>,
}

/// Examples that end the help of `orbit check`.
pub const EXAMPLES: &str = "\
Examples:
  orbit check mutex.pml                     assertions and deadlocks: the verdict, and an error run
  orbit check -D N=4 mutex.pml              the same with N defined as 4
  orbit check --all-errors mutex.pml        every error, not only the first
  orbit check --plain --json mutex.pml      every statement a step, the answer for a program
  orbit check --memory 2G --time 5m -m 10000 mutex.pml
  orbit check --ctl 'AG EF !locked' mutex.pml   can it always become free again?
  orbit check --parse-only mutex.pml        only read it: is it Promela, what is odd about it?
  orbit check phonebook.mch                 a B machine: invariant, deadlocks, assertions
  orbit check --set-size Name=4 --no-deadlock phonebook.mch
  orbit check hanoi.csp                     a CSPM script: every `assert` in it
  orbit check -p 2 hanoi.csp                only the second

For users of SPIN: there is nothing to compile. -m -c -e -E -A -D -U -n mean what they mean to pan;
error runs are shortest already (-i), and states live in a table that grows by itself (-w).
`trace` and `notrace` are checked: they are among the faults. Every `ltl` and `never` is checked, in
a search of its own; -p NAME or -N NAME picks one, -f asks for weak fairness, -l for progress.

Exit codes:
  0 holds    1 violated    2 wrong input    3 unknown: a limit came first, or part was not checked";
