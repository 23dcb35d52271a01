//! The flags of `orbit view`.

use super::machine::SizeFlags;
use super::model::ModelFlags;
use clap::Args;
use std::path::PathBuf;

/// What was typed after `orbit view`.
#[derive(Args, Debug)]
pub struct ViewFlags {
    /// Which model.
    #[command(flatten)]
    pub model: ModelFlags,

    /// What becomes of the states; the default is what fits a screen, and is named
    #[arg(long = "as", value_enum, value_name = "VIEW")]
    pub kind: Option<ViewWord>,

    /// How many nodes fit a screen, if no view is named; 40
    #[arg(long, value_name = "N", conflicts_with = "kind")]
    pub nodes: Option<usize>,

    /// Signatures of so many steps; the default is 1
    #[arg(long, value_name = "K")]
    pub steps: Option<usize>,

    /// Merge signatures that differ in at most so many operations
    #[arg(long, value_name = "D")]
    pub similar: Option<usize>,

    /// Keep these arguments of operations, by name or place from 1: add:n,remove:1
    #[arg(long, value_name = "OP:ARG,…")]
    pub keep: Option<String>,

    /// Of an operation only transitions with this argument: add:n=Name1; several values of one
    /// argument are alternatives
    #[arg(long, value_name = "OP:ARG=VALUE,…")]
    pub only: Option<String>,

    /// What a projection shows: variables, or a predicate
    #[arg(long, value_name = "VARIABLES|PREDICATE")]
    pub on: Option<String>,

    /// Only states in which this is true
    #[arg(long = "where", value_name = "PREDICATE")]
    pub where_true: Option<String>,

    /// Only states near this one, by number
    #[arg(long, value_name = "N")]
    pub around: Option<u32>,

    /// How near, in transitions; the default is 2
    #[arg(long, value_name = "K", requires = "around")]
    pub distance: Option<usize>,

    /// Only what leads from the initial states to errors
    #[arg(long, value_enum, value_name = "STATES")]
    pub between: Option<BetweenWord>,

    /// Leave out an operation; may be given several times
    #[arg(long, value_name = "OP")]
    pub hide: Vec<String>,

    /// Give an operation another name, without arguments; may be given several times, also with one
    /// name for several operations
    #[arg(long, value_name = "NAME=OP")]
    pub rename: Vec<String>,

    /// Leave out edges from a node to itself
    #[arg(long)]
    pub hide_self_loops: bool,

    /// Make the automaton minimal
    #[arg(long, alias = "minimize")]
    pub minimise: bool,

    /// Do not use symmetry: all states, not one of each orbit
    #[arg(long)]
    pub no_symmetry: bool,

    /// What is written; the default is that of the name of the file, or text
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,

    /// Where it is written; the default is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the picture as a page into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Explore at most so many states; 1,000,000
    #[arg(long, value_name = "N")]
    pub states: Option<usize>,

    /// Of a CSPM script: the process to draw; the default is that of the first assertion
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,

    /// Explore no longer than this: 30s, 5m, 2h
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Use no more memory than this: 512M, 4G; the default is most of what is free
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// How many elements deferred sets have.
    #[command(flatten)]
    pub sizes: SizeFlags,
}

/// What becomes of the states.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewWord {
    /// One node for all states in which the same can be done
    Signature,
    /// A deterministic automaton with the same sequences
    Dfa,
    /// One node for all states after which the same can follow
    Bisimulation,
    /// One node for all states in which the same is seen; see --on
    Projection,
    /// One state of each orbit
    Quotient,
    /// All states
    Full,
    /// One node for all states of a depth
    Levels,
}

/// Which states paths lead to.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum BetweenWord {
    /// Where something is wrong, and deadlocks: all that leads there
    Error,
    /// The same, by shortest runs only
    NearestError,
}

/// What is written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureFormat {
    /// Nodes and edges in words
    Text,
    /// A drawing
    Svg,
    /// For Graphviz
    Dot,
    /// For yEd, Gephi and others
    Graphml,
    /// Nodes and edges with their places
    Json,
}

/// What can be drawn.
pub const FILE: &str = super::simulate::FILE;

/// Examples that end the help of `orbit view`.
pub const EXAMPLES: &str = "\
Examples:
  orbit view mutex.pml                            the view that fits a screen, in words
  orbit view mutex.pml -o mutex.svg               the same, drawn
  orbit view phonebook.mch --as signature --default-set-size 3 --format svg
  orbit view phonebook.mch --as dfa --keep add:n
  orbit view mutex.pml --as projection --on 'locked,inside'
  orbit view broken.pml --between nearest-error -o why.svg
  orbit view lock.csp --process LOCK --as full --format dot

Symmetry is used unless a view needs values as they are (--keep, --only, --on
VARIABLES, --as full).

Exit codes:
  0 all states were explored    3 a limit came first    2 wrong input";
