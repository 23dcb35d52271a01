//! How long a search may take. A search that reaches its limit says so instead of an answer: the
//! question stays open, and nothing is claimed.
//!
//! A budget is asked at every node of a search, so that it ends within the time of one node. It
//! counts steps, or looks at the clock, or both; with steps alone, the same input stops at the same
//! place. Worked example: with a budget of two steps, the first two calls of [`Budget::spend`] give
//! `Ok`, all later ones `Err(StopReason::Steps)`.

use base::{Clock, Over};
use std::cell::Cell;

/// What a search may spend.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    clock: Clock<'static>,
    n_steps_max: Option<u64>,
    n_steps: Cell<u64>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The time was over.
    Time,
    /// Somebody interrupted it.
    Interrupted,
    /// The steps were used up.
    Steps,
}

impl Budget {
    /// No limit.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// Whatever can be done before `clock` is over.
    pub fn until(clock: Clock<'static>) -> Budget {
        Budget {
            clock,
            ..Budget::default()
        }
    }

    /// This many nodes of a search.
    pub fn of_steps(n_steps_max: u64) -> Budget {
        Budget {
            n_steps_max: Some(n_steps_max),
            ..Budget::default()
        }
    }

    /// Takes one step, if one is left.
    pub fn spend(&self) -> Result<(), NoAnswer> {
        if self
            .n_steps_max
            .is_some_and(|max| self.n_steps.get() >= max)
        {
            return Err(NoAnswer::Steps);
        }
        self.n_steps.set(self.n_steps.get() + 1);
        self.clock.ask().map_err(|over| match over {
            Over::Time => NoAnswer::Time,
            Over::Interrupted => NoAnswer::Interrupted,
        })
    }

    /// How many steps have been taken.
    pub fn n_steps(&self) -> u64 {
        self.n_steps.get()
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAnswer::Time => "the time limit came first",
            NoAnswer::Interrupted => "it was interrupted",
            NoAnswer::Steps => "the limit of steps came first",
        })
    }
}

impl std::error::Error for NoAnswer {}

/// The answer of a search without a limit.
pub(crate) fn unstopped<T>(answer: Result<T, NoAnswer>) -> T {
    answer.unwrap_or_else(|reason| unreachable!("{reason}, and there is no limit"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn steps_are_counted_and_deadlines_kept() {
        let two = Budget::of_steps(2);
        assert_eq!([two.spend(), two.spend()], [Ok(()); 2]);
        assert_eq!(two.spend(), Err(NoAnswer::Steps));
        assert_eq!(two.n_steps(), 2);
        let over = Budget::until(Clock::of(Some(Duration::ZERO)));
        assert_eq!(over.spend(), Err(NoAnswer::Time));
        assert_eq!(Budget::unlimited().spend(), Ok(()));
    }
}
