//! Searches alone, by strategy: the model is read and its symmetry known before the clock starts.
//!
//! Worked example: a search of 494 states takes 3 ms, so that within half a second some 160 are
//! made. Each needs a reducer of its own, because some remember states: sixteen are made, then the
//! searches run with one clock around them, for the clock is too coarse for a single one.

use super::clock::{CpuClock, Pace};
use super::record::{Figures, RunOutcome, TimeShares};
use base::Diagnostic;
use check::{Ended, StopReason};
use orbit::check_cmd::Ready;
use orbit::plan::CheckPlan;
use std::time::{Duration, Instant};

/// A search that was made some times.
#[derive(Clone, Copy)]
pub struct TimedSearch {
    /// How often in what time.
    pub pace: Pace,
    /// What it counted.
    pub figures: Figures,
    /// Whether all states were seen.
    pub is_complete: bool,
    /// How many partitions the strategy met, if it counts them.
    pub n_partitions: Option<usize>,
}

impl TimedSearch {
    /// A complete search of so many states, in a second.
    #[cfg(test)]
    pub fn of_states(n_states: u64) -> TimedSearch {
        TimedSearch {
            pace: Pace {
                times: 1,
                cpu_seconds: 1.0,
            },
            figures: Figures {
                n_states,
                n_transitions: 1,
                bytes_per_state: None,
                shares: None,
            },
            is_complete: true,
            n_partitions: None,
        }
    }

    /// Seconds for a stored state.
    pub fn per_state(&self) -> f64 {
        self.pace.each() / self.figures.n_states.max(1) as f64
    }
}

/// How many short searches are made at once.
const BATCH: usize = 16;
/// What is longer than this is long enough for the clock.
const LONG_SECONDS: f64 = 0.05;

/// Searches as the plan says, for at least so many seconds.
pub fn searched(plan: &CheckPlan, seconds: f64) -> Result<TimedSearch, RunOutcome> {
    let CheckPlan::Search(plan) = plan else {
        return Err(RunOutcome::Failed("nothing is searched".to_owned()));
    };
    let failed = |why: Diagnostic| RunOutcome::Failed(why.message);
    let ready = Ready::of(plan).map_err(failed)?;
    let (mut times, mut cpu_seconds, mut n_batch) = (0, 0.0, 1);
    // Making a reducer may take longer than a short search.
    let start = Instant::now();
    let mut sums = [Duration::ZERO; 3];
    loop {
        let mut reducers = ready.reducers(n_batch).map_err(failed)?;
        let clock = CpuClock::start();
        let searches = reducers.iter_mut().map(|reducer| ready.run(&mut **reducer));
        let ended: Vec<_> = searches.collect();
        cpu_seconds += clock.seconds();
        times += ended.len() as u64;
        for (outcome, _) in &ended {
            sums[0] += outcome.reducing;
            sums[1] += outcome.storing;
            sums[2] += outcome.generating;
        }
        let Some((last, n_partitions)) = ended.into_iter().last() else {
            return Err(RunOutcome::Failed("nothing is searched".to_owned()));
        };
        if last.ended == Ended::Stopped(StopReason::Interrupted) {
            return Err(RunOutcome::Failed(super::promela::INTERRUPTED.to_owned()));
        }
        let is_complete = last.ended == Ended::Complete;
        let is_enough = cpu_seconds >= seconds || start.elapsed().as_secs_f64() > 10.0 * seconds;
        if cpu_seconds > 0.0 && (is_enough || !is_complete) {
            return Ok(TimedSearch {
                pace: Pace { times, cpu_seconds },
                figures: Figures {
                    n_states: last.counts.n_states,
                    n_transitions: last.counts.n_transitions,
                    bytes_per_state: Some(last.bytes_per_state()),
                    shares: TimeShares::of(sums),
                },
                is_complete,
                n_partitions,
            });
        }
        n_batch = if cpu_seconds < LONG_SECONDS { BATCH } else { 1 };
    }
}
