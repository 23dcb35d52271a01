//! The flags of `orbit check` that are about B machines.

use clap::Args;

/// How many elements deferred sets have, and where numbers end. Refused where the model is no B
/// machine.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "B machines")]
pub struct SizeFlags {
    /// The number of elements of a deferred set; may be given several times
    #[arg(long, value_name = "SET=N")]
    pub set_size: Vec<String>,

    /// The number of elements of deferred sets of which nothing else is said; 2
    #[arg(long, value_name = "N")]
    pub default_set_size: Option<usize>,

    /// The largest number of INT, NAT and NAT1; 3
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub maxint: Option<i64>,

    /// The least number of INT; -1
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub minint: Option<i64>,
}

/// What was typed about a B machine. Refused where the model is no such machine.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "B machines")]
pub struct MachineFlags {
    /// How many elements deferred sets have, and where numbers end.
    #[command(flatten)]
    pub sizes: SizeFlags,

    /// Try no more ways than the machine's SET_PREF_MAX_OPERATIONS and SET_PREF_MAX_INITIALISATIONS
    /// say; where there are more, the verdict is unknown
    #[arg(long)]
    pub machine_limits: bool,

    /// Do not report states in which the invariant is false
    #[arg(long)]
    pub no_invariant: bool,

    /// Look for a state in which this predicate over variables and constants holds; `GOAL` means
    /// the machine's definition of that name
    #[arg(long, value_name = "PREDICATE")]
    pub goal: Option<String>,

    /// Check that a refinement refines its machine: every step has a step of the machine that
    /// keeps the gluing invariant. The machine's preconditions are guards, or, `classical`, outside
    /// of them anything is allowed
    #[arg(
        long,
        value_name = "READING",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "guards"
    )]
    pub refines: Option<ReadingFlag>,
}

/// How preconditions are read.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadingFlag {
    /// Outside of its precondition an operation cannot be taken
    Guards,
    /// Outside of its precondition an operation may do anything
    Classical,
}
