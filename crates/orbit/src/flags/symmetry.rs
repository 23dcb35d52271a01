//! The flags of `orbit symmetry`, and those about detection that `orbit check` shares.

use super::machine::SizeFlags;
use super::model::ModelFlags;
use super::script::ScriptFlags;
use clap::Args;
use std::path::PathBuf;

/// Where symmetry is looked for.
#[derive(Args, Debug)]
pub struct DetectFlags {
    /// Where to look for symmetry: `structure` of the text (the default), `channel-diagram`,
    /// `extended-diagram` (with globals), `dynamic-diagram` (of all runs), `psi-diagram` (no arcs),
    /// `kripke` (the state graph of a small model; `orbit symmetry` only), or a FILE of generators
    #[arg(long, value_name = "WHERE")]
    pub detect: Option<String>,

    /// With the channel diagram: also try this many random conjugates of what is valid
    #[arg(long, value_name = "N")]
    pub conjugates: Option<usize>,
}

/// What was typed after `orbit symmetry`.
#[derive(Args, Debug)]
pub struct SymmetryFlags {
    /// Which model.
    #[command(flatten)]
    pub model: ModelFlags,

    /// Where symmetry is looked for.
    #[command(flatten)]
    pub detect: DetectFlags,

    /// The seed of `--conjugates`
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Look no longer than this: 30s, 5m, 2h
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,

    /// Use no more memory than this: 512M, 4G; the default is most of what is free
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,

    /// Draw the static channel diagram into this file, which ends in .dot or .svg
    #[arg(long, value_name = "FILE")]
    pub diagram: Option<PathBuf>,

    /// With `--json`: also pictures of who sends to whom, of sets with their elements, or of
    /// components with their events, and of the same with one box for each orbit
    #[arg(long)]
    pub drawings: bool,

    /// Also write what was found as a page into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Try changes of the text that may give more symmetry, and print those that do as a patch
    #[arg(long)]
    pub suggest: bool,

    /// How many elements deferred sets of a B machine have.
    #[command(flatten)]
    pub sizes: SizeFlags,

    /// Of a CSPM script: only the assertion with this number, or those with this text
    #[arg(long, value_name = "N")]
    pub assert: Option<String>,

    /// How large components of a CSPM script may be.
    #[command(flatten)]
    pub script: ScriptFlags,
}

/// Examples that end the help of `orbit symmetry`.
pub const EXAMPLES: &str = "\
Examples:
  orbit symmetry mutex.pml                           the group, and what stands in the way of more
  orbit symmetry mutex.pml --detect channel-diagram  from who sends to whom, tested one by one
  orbit symmetry mutex.pml --detect generators.txt   symmetries given by hand, each tested
  orbit symmetry mutex.pml --detect kripke           beside the symmetry of all states
  orbit symmetry mutex.pml --suggest                 changes that give more, as a patch
  orbit symmetry --set-size Name=3 phonebook.mch     of a B machine: sets and their elements
  orbit symmetry hanoi.csp                           of a CSPM script: each assertion, and why
  orbit symmetry lock.csp --assert 1                 of one assertion

A file of generators has one a line, in cycles of the names that `orbit symmetry` shows:
  (client(1) client(2))(link[1] link[2])
A `#` starts a comment. What is not named stays, or follows from what is.
`--diagram mutex.svg` draws who sends to whom.

Exit codes:
  0 answered    1 the state graph lacks the symmetry    2 wrong input    3 a limit came first";
