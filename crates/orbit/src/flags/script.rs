//! The flags of `orbit check` that are about CSPM scripts.

use clap::Args;

/// What was typed about a script. Refused where the model is no script.
#[derive(Args, Debug)]
#[command(next_help_heading = "CSPM scripts")]
pub struct ScriptFlags {
    /// The most states that one component of a process may have; 200,000
    #[arg(long, value_name = "N")]
    pub leaf_states: Option<usize>,
    /// Take components for the same that differ in internal steps (τ) only
    #[arg(long)]
    pub weak_leaves: bool,
}
