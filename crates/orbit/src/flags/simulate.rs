//! The flags of `orbit simulate`.

use super::machine::SizeFlags;
use super::model::ModelFlags;
use clap::Args;
use std::path::PathBuf;

/// What was typed after `orbit simulate`.
#[derive(Args, Clone, Default, Debug)]
pub struct SimulateFlags {
    /// Which model.
    #[command(flatten)]
    pub model: ModelFlags,

    /// The seed of the random choices; without it one is drawn, and printed
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "replay"])]
    pub seed: Option<u64>,

    /// Choose each step by hand
    #[arg(short = 'i', long, conflicts_with = "replay")]
    pub interactive: bool,

    /// Of moves that symmetries make of each other offer, and take, one; say which others there are
    #[arg(long, conflicts_with = "replay")]
    pub symmetry: bool,

    /// Follow a run that `orbit check --trail FILE` wrote, or a `.trail` of SPIN's
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,

    /// Say whether this log (ITF), with some of the variables, is a run of the model, and if not
    /// where it leaves it
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["seed", "interactive", "replay", "symmetry"],
    )]
    pub follow: Option<PathBuf>,

    /// Write the run into this file, which ends in .itf.json; with --runs `{}` stands for its
    /// number
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,

    /// Make so many runs, from seeds that follow each other
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "replay", "follow", "html"])]
    pub runs: Option<u64>,

    /// Stop after this many steps
    #[arg(short = 'n', long, short_alias = 'u', value_name = "N")]
    pub steps: Option<u64>,

    /// Tell the value of this expression at the start, and whenever a step changes it; may be given
    /// several times
    #[arg(long, value_name = "EXPRESSION", conflicts_with = "runs")]
    pub watch: Vec<String>,

    /// Show all variables at the end
    #[arg(short = 'g', long)]
    pub state: bool,

    /// Also write the run as a page into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Show only what the model prints, and how it ended
    #[arg(long)]
    pub quiet: bool,

    /// Of a CSPM script: the process to run; the default is that of the first assertion
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,

    /// Run no longer than this: 30s, 5m, 2h
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Use no more memory than this: 512M, 4G; the default is most of what is free
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// How many elements deferred sets have.
    #[command(flatten)]
    pub sizes: SizeFlags,
}

/// What can be simulated.
pub const FILE: &str = "The model: Promela (.pml), a B machine (.mch, .ref, .imp or .sys) or a \
CSPM script (.csp); of another name, and of `-`, standard input, the text is looked at";

/// Examples that end the help of `orbit simulate`.
pub const EXAMPLES: &str = "\
Examples:
  orbit simulate -n 20 mutex.pml            20 random steps; the seed is printed
  orbit simulate --seed 7 -n 20 mutex.pml   the same run each time
  printf '1\\n2\\nq\\n' | orbit simulate -i mutex.pml
  orbit simulate --quiet -n 50 mutex.pml    only what the model prints
  orbit simulate --seed 1 -n 5 phonebook.mch    a B machine, an operation a step
  orbit simulate --symmetry --seed 1 -n 5 phonebook.mch   one move for all that are alike
  orbit simulate --seed 1 -n 5 --watch 'card(book)' phonebook.mch   a value along the run
  orbit simulate --process LOCK -n 5 lock.csp     a process of a CSPM script, an event a step

  orbit simulate --runs 3 --seed 1 -n 5 --trail 'run{}.itf.json' mutex.pml   runs for other programs

With -i each question is answered by the number of a choice, or by
  r one at random    s show the state    u take the last choice back    q stop
  :eval E  the value of an expression    :watch E, :unwatch E    :help  all answers

For users of SPIN: -u N is -n N here, -nN is --seed N, -t and -k FILE are --replay FILE, -p is the
default, -g shows all variables at the end. A random run stops after 10,000 steps.

Exit codes:
  0 it ended well or was stopped    1 it ran into an error    2 wrong input";
