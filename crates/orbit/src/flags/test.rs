//! The flags of `orbit test`.

use clap::Args;
use std::path::PathBuf;

/// What was typed after `orbit test`.
#[derive(Args, Debug)]
pub struct TestFlags {
    /// Models, and folders with models in them
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Check so many at once; the default is the number of cores
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Let no check take longer than this: 30s, 5m, 2h; the default is 10m
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Let no check use more memory for states than this: 512M, 4G; the default is most of what is
    /// free, divided by the number of jobs
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// Also write a JUnit report into this file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also write what is not as expected into this file, in SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Print what is not as expected as `FILE:LINE:COLUMN: error: TEXT [RULE]`, and nothing else
    #[arg(long)]
    pub short: bool,
}

/// Examples that end the help of `orbit test`.
pub const EXAMPLES: &str = "\
Examples:
  orbit test mutex.pml broken.pml     is each as its comments expect it?
  orbit test --jobs 2 --short .       all models of this folder and those below

What is expected stands in a comment of the model, as often as you like:
  orbit: expect holds
  orbit: expect violated assertions -D N=3
  orbit: expect holds states=12 -D N=5 --no-deadlock
  orbit: expect refused -D WRONG

The same may stand in a file orbit.toml beside the models:
  [models]
  'mutex.pml' = ['holds states=12', 'violated assertions -D BROKEN']

A model that says nothing is expected to hold. `violated` needs a run that was replayed, of the
property that is named, if one is; `refused` is for models that are wrong, `accepted` for texts
of which nothing is asked.

Exit codes:
  0 all is as expected    1 something is not    2 wrong input, or no model    3 a limit came first";
