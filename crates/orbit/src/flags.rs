//! What was typed. Nothing here knows what it means: that is [`crate::plan`].
//!
//! The help texts are the first documentation a user meets, so each command ends with examples that
//! can be pasted. Every field is as typed; what the words of a field are is said in its help.

mod check;
mod lsp;
mod ltl;
mod machine;
mod model;
mod script;
mod serve;
mod simulate;
pub(crate) mod spin;
mod start;
mod symmetry;
pub(crate) mod table;
mod test;
mod view;

pub use check::{CheckFlags, FairWord, SearchWord};
pub use lsp::LspFlags;
pub use ltl::{AutomatonFormat, LtlFlags};
pub use machine::{ReadingFlag, SizeFlags};
pub use model::ModelFlags;
pub use script::ScriptFlags;
pub use serve::ServeFlags;
pub use simulate::SimulateFlags;
pub use start::{CompletionsFlags, ExampleFlags, ManFlags};
pub use symmetry::SymmetryFlags;
pub use test::TestFlags;
pub use view::{BetweenWord, PictureFormat, ViewFlags, ViewWord};

use crate::amounts;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use table::TypedFlags;

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "orbit",
    version,
    about = "A model checker that explores one state per symmetry orbit",
    after_help = TOP_EXAMPLES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Flags {
    /// Print one JSON object on standard output instead of text
    #[arg(long, global = true)]
    pub json: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Flags {
    /// The limits of time and memory, as far as they can be understood; what is wrong with them is
    /// told with the other mistakes.
    pub fn limits(&self) -> (Option<Duration>, Option<u64>) {
        let (time, memory) = match &self.command {
            Command::Check(flags) => (&flags.time, &flags.memory),
            Command::Symmetry(flags) => (&flags.time, &flags.memory),
            Command::Simulate(flags) => (&flags.time, &flags.memory),
            Command::View(flags) => (&flags.time, &flags.memory),
            Command::Group(flags) => (&flags.time, &None),
            Command::Graph(flags) => (&flags.time, &None),
            // A server has no end of its own; its flags limit the checks that it starts.
            Command::Ltl(_) | Command::Bench(_) | Command::Serve(_) | Command::Test(_) => {
                (&None, &None)
            }
            Command::Completions(_) | Command::Man(_) | Command::Example(_) | Command::Lsp(_) => {
                (&None, &None)
            }
        };
        let time = time.as_deref().and_then(amounts::time);
        let memory = memory.as_deref().and_then(amounts::bytes);
        let takes_memory = matches!(
            self.command,
            Command::Check(_) | Command::Symmetry(_) | Command::Simulate(_) | Command::View(_)
        );
        let free = || takes_memory.then(amounts::free_memory).flatten();
        (time, memory.or_else(free))
    }
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a model: assertions, deadlocks, run-time errors
    #[command(
        after_help = check::EXAMPLES,
        mut_arg("reduce", |reduce| reduce.help(crate::strategies_cmd::help()))
    )]
    Check(Box<CheckFlags>),

    /// Show the symmetry of a model: what is interchangeable, and what stands in the way of more
    #[command(after_help = symmetry::EXAMPLES)]
    Symmetry(SymmetryFlags),

    /// Run a model, step by step: at random, by hand, or along a recorded run
    #[command(after_help = simulate::EXAMPLES, mut_arg("file", |file| file.help(simulate::FILE)))]
    Simulate(SimulateFlags),

    /// Check many models at once, each beside what its comments expect
    #[command(after_help = test::EXAMPLES)]
    Test(TestFlags),

    /// Explore a model in the browser: step through it, check it, look at its runs and states
    #[command(after_help = serve::EXAMPLES)]
    Serve(Box<ServeFlags>),

    /// Show the states of a model as a graph that a person can read, in words or drawn
    #[command(after_help = view::EXAMPLES, mut_arg("file", |file| file.help(view::FILE)))]
    View(Box<ViewFlags>),

    /// Serve an editor: messages, definitions, completion, checks, while one types
    #[command(after_help = lsp::EXAMPLES)]
    Lsp(LspFlags),

    /// Print a model to begin with, or list what there is
    #[command(after_help = start::EXAMPLE)]
    Example(ExampleFlags),

    /// Print a script with which a shell completes words of `orbit`
    #[command(after_help = start::COMPLETIONS)]
    Completions(CompletionsFlags),

    /// Write a manual page for each command
    #[command(after_help = start::MAN)]
    Man(ManFlags),

    /// Compute with a permutation group: order, orbits, blocks, structure, stabilisers, images
    #[command(after_help = GROUP_EXAMPLES)]
    Group(GroupFlags),

    /// Compute with a coloured graph: automorphisms, orbits, canonical form, isomorphism
    #[command(after_help = GRAPH_EXAMPLES)]
    Graph(GraphFlags),

    /// Turn a formula of temporal logic into an automaton, and say what kind of property it is
    #[command(after_help = ltl::EXAMPLES)]
    Ltl(LtlFlags),

    /// Measure our kernels and searches beside other programs: starts `orbit-bench`
    #[command(disable_help_flag = true)]
    Bench(BenchWords),
}

/// What was typed after `orbit group`.
#[derive(Args, Debug)]
pub struct GroupFlags {
    /// Generators in cycle notation, points counted from 1: "(1 2 3)(4 5)"; `()` is the identity,
    /// `-` reads more of them from standard input
    #[arg(value_name = "PERM")]
    pub generators: Vec<String>,

    /// Read generators from a file, one a line; `#` starts a comment, `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The number of points, when it is more than the generators move
    #[arg(long, value_name = "N")]
    pub degree: Option<usize>,

    /// The names of the points, in order; permutations and points are then written with them
    #[arg(long, value_name = "A,B,…", conflicts_with = "degree")]
    pub names: Option<String>,

    /// Also show the stabiliser that fixes each of these points
    #[arg(long, alias = "stabilizer", value_name = "POINTS")]
    pub stabiliser: Option<String>,

    /// Also show the stabiliser of these points as a set: it may move them among themselves
    #[arg(long, alias = "set-stabilizer", value_name = "POINTS")]
    pub set_stabiliser: Option<String>,

    /// Also show the canonical and the least image of a tuple of whole numbers, one a point
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub image: Option<String>,

    /// Also say whether this permutation is an element; the exit code is 1 if it is not
    #[arg(long, value_name = "PERM")]
    pub contains: Option<String>,

    /// Also show this many random elements, each equally likely
    #[arg(long, value_name = "N")]
    pub random: Option<usize>,

    /// The seed of the random elements
    #[arg(long, value_name = "SEED", requires = "random", default_value_t = 0)]
    pub seed: u64,

    /// Also show how the group is taken apart to find representatives: sorting, enumeration of
    /// parts of up to N elements (10,000), descent by generators
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10000")]
    pub taken_apart: Option<u64>,

    /// Also list every element, if there are no more than 100,000
    #[arg(long)]
    pub elements: bool,

    /// Stop after this time (10s, 5m, 2h): what is not known by then is unknown, exit code 3
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,
}

/// What was typed after `orbit graph`.
#[derive(Args, Debug)]
pub struct GraphFlags {
    /// The graph in DIMACS lines; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print the canonical form instead: equal for isomorphic graphs, and for no others
    #[arg(long)]
    pub canonical: bool,

    /// Say whether this graph is isomorphic; the exit code is 1 if it is not
    #[arg(long, value_name = "OTHER", conflicts_with = "canonical")]
    pub isomorphic: Option<PathBuf>,

    /// Stop after this time (10s, 5m, 2h): what is not known by then is unknown, exit code 3
    #[arg(long, value_name = "LIMIT")]
    pub time: Option<String>,
}

/// What was typed after `orbit bench`, which is not for us.
#[derive(Args, Debug)]
pub struct BenchWords {
    /// Words for `orbit-bench`
    #[arg(
        value_name = "WORD",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<OsString>,
}

/// The command line of this invocation: what was typed, and which flags were.
pub fn read() -> Result<(Flags, TypedFlags), clap::Error> {
    let line = Flags::command();
    let matches = line.clone().try_get_matches()?;
    let flags = Flags::from_arg_matches(&matches)?;
    let given = TypedFlags::of(&matches, &line);
    Ok((flags, given.unwrap_or_default()))
}

const TOP_EXAMPLES: &str = "\
Examples:
  orbit check mutex.pml                    does it hold? if not, a run that shows it
  orbit symmetry mutex.pml                 what is interchangeable, and what is not, and why
  orbit simulate --seed 7 -n 20 mutex.pml  20 random steps
  orbit test .                             all models here: is each as its comments expect it?
  orbit serve mutex.pml                    the same by hand, in the browser
  orbit group \"(1 2 3)(4 5)\" \"(1 2)\"       the group that two permutations generate
  orbit group -f square.txt --json         generators from a file, the answer for a program
  orbit graph petersen.col                 the symmetry of a graph
  orbit ltl '[] (p -> <> q)'               the automaton of a temporal formula

Exit codes:
  0 holds, or yes    1 violated, or no    2 wrong input    3 unknown    70 a bug in orbit

`orbit help COMMAND` says more about a command.";

const GROUP_EXAMPLES: &str = "\
Examples:
  orbit group \"(1 2 3 4)\" \"(1 3)\"                 the symmetries of a square
  orbit group --names N,E,S,W \"(N E S W)\"         the same points, called by name
  orbit group \"(1 2 3 4)\" --image 2,1,2,1         a tuple that stands for its whole orbit
  orbit group \"(1 2 3 4)\" \"(1 3)\" --stabiliser 1  what still moves when point 1 is held
  orbit group \"(1 2 3)\" --contains \"(1 2)\"        no, and exit code 1
  orbit group -f square.txt --time 10s            an answer within 10 seconds, or exit code 3
  printf '(1 2 3)\\n(4 5)\\n' | orbit group -       generators from another program

A product of cycles need not be disjoint between generators, but within one permutation each point
stands at most once. Values at points move with them: (1 2) turns the tuple a,b,c into b,a,c.";

const GRAPH_EXAMPLES: &str = "\
Lines of a graph, vertices counted from 1:
  c any words              a comment
  p edge 5 4               once, before the rest: 5 vertices, 4 edges and arcs
  n 1 7                    vertex 1 has colour 7 (0 where nothing is said)
  e 1 2                    an edge
  a 1 2 [COLOUR]           an arc from 1 to 2, with a colour of its own

Examples:
  orbit graph petersen.col                        generators, order and orbits of its symmetry
  orbit graph petersen.col --canonical            a graph that every isomorphic one leads to
  orbit graph petersen.col --isomorphic path.col  yes with a mapping, or no and exit code 1
  orbit graph petersen.col --time 10s             an answer within 10 seconds, or exit code 3
  printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' | orbit graph -";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn a_permutation_and_a_lone_dash_are_arguments() {
        let flags = Flags::try_parse_from(["orbit", "group", "(1 2)", "-", "--json"]);
        let flags = flags.expect("a valid line");
        let Command::Group(group) = flags.command else {
            panic!("group")
        };
        assert!(flags.json);
        assert_eq!(group.generators, ["(1 2)", "-"]);
    }
}
