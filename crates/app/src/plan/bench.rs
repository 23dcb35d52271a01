//! The meaning of `orbit bench`.

use super::seconds;
use crate::bench::SUITES;
use crate::flags::BenchFlags;
use base::{Diagnostic, Diagnostics};
use std::path::PathBuf;
use std::time::Duration;

/// What to measure and for how long.
pub struct BenchPlan {
    /// The name of a suite.
    pub suite: &'static str,
    /// A part of the names of the cases that are wanted.
    pub only: Option<String>,
    /// Whether cases that take long are measured too.
    pub all: bool,
    /// CPU seconds of a measurement, at least.
    pub seconds: f64,
    /// How long a rival may take for a case, and a search.
    pub limit: Duration,
    /// Where a line for each run goes.
    pub output: Option<PathBuf>,
}

/// The plan, or `None` if `found` says why not.
pub fn plan(flags: BenchFlags, found: &mut Diagnostics) -> Option<BenchPlan> {
    let suite = SUITES.iter().find(|(name, _)| *name == flags.suite);
    if suite.is_none() {
        let name = base::quote(&flags.suite);
        let mut message = Diagnostic::unlocated(format!("there is no suite {name}"));
        for (name, words) in SUITES {
            message = message.note(format!("{name}: {words}"));
        }
        found.push(message);
    }
    let pace = seconds("--seconds", flags.seconds, found);
    let limit = seconds("--limit", flags.limit, found);
    Some(BenchPlan {
        suite: suite?.0,
        only: flags.only,
        all: flags.all,
        seconds: pace?.as_secs_f64(),
        limit: limit?,
        output: flags.output,
    })
}
