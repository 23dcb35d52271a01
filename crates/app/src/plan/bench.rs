//! The meaning of `orbit bench`.

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
    /// CPU seconds of a measurement, at least.
    pub seconds: f64,
    /// How long a rival may take for a case.
    pub limit: Duration,
    /// Where a line for each run goes.
    pub output: Option<PathBuf>,
}

/// The longest measurement and limit, a day.
const SECONDS_MAX: f64 = 86_400.0;

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
    let seconds = in_range("--seconds", flags.seconds, found);
    let limit = in_range("--limit", flags.limit, found);
    Some(BenchPlan {
        suite: suite?.0,
        only: flags.only,
        seconds: seconds?,
        limit: Duration::from_secs_f64(limit?),
        output: flags.output,
    })
}

fn in_range(flag: &str, seconds: f64, found: &mut Diagnostics) -> Option<f64> {
    if (0.001..=SECONDS_MAX).contains(&seconds) {
        return Some(seconds);
    }
    found.push(Diagnostic::unlocated(format!(
        "{flag} is {seconds}; it must be from 0.001 to {SECONDS_MAX} seconds"
    )));
    None
}
