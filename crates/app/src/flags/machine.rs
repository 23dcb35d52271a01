//! The flags of `orbit check` that are about B machines.

use clap::Args;

/// How many elements deferred sets have. Refused where the model is no B machine.
#[derive(Args, Debug)]
#[command(next_help_heading = "B machines")]
pub struct SizeFlags {
    /// The number of elements of a deferred set; may be given several times
    #[arg(long, value_name = "SET=N")]
    pub set_size: Vec<String>,

    /// The number of elements of deferred sets of which nothing else is said; 2
    #[arg(long, value_name = "N")]
    pub default_set_size: Option<usize>,
}

impl SizeFlags {
    /// The flags that were given, by name.
    pub fn given(&self) -> Vec<&'static str> {
        let flags = [
            ("--set-size", !self.set_size.is_empty()),
            ("--default-set-size", self.default_set_size.is_some()),
        ];
        let given = flags.into_iter().filter(|(_, given)| *given);
        given.map(|(flag, _)| flag).collect()
    }
}

/// What was typed about a B machine. Refused where the model is no such machine.
#[derive(Args, Debug)]
#[command(next_help_heading = "B machines")]
pub struct MachineFlags {
    /// How many elements deferred sets have.
    #[command(flatten)]
    pub sizes: SizeFlags,

    /// The largest number of INT, NAT and NAT1; 3
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub maxint: Option<i64>,

    /// The least number of INT; -1
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub minint: Option<i64>,

    /// Do not report states in which the invariant is false
    #[arg(long)]
    pub no_invariant: bool,

    /// Look for a state in which this predicate over variables and constants holds; `GOAL` means
    /// the machine's definition of that name
    #[arg(long, value_name = "PREDICATE")]
    pub goal: Option<String>,

    /// Reserved for checking refinements.
    #[arg(long, hide = true)]
    pub refines: bool,
}

impl MachineFlags {
    /// The flags that were given, by name.
    pub fn given(&self) -> Vec<&'static str> {
        let flags = [
            ("--maxint", self.maxint.is_some()),
            ("--minint", self.minint.is_some()),
            ("--no-invariant", self.no_invariant),
            ("--goal", self.goal.is_some()),
            ("--refines", self.refines),
        ];
        let given = flags.into_iter().filter(|(_, given)| *given);
        let given = given.map(|(flag, _)| flag);
        self.sizes.given().into_iter().chain(given).collect()
    }
}
