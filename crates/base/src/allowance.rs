//! The clock and the memory account together: what a loop asks that can take long and hold much.
//!
//! Worked example: the closure of 10,000 states under τ. For each state that is met the loop calls
//! [`Allowance::tick`]; for each list that it keeps, [`Allowance::take`]. The first `Err` ends it,
//! and the caller says why there is no answer.

use crate::clock::{Clock, Over, Ticker};
use crate::memory::Account;

/// What a piece of work may spend.
#[derive(Clone, Debug)]
pub struct Allowance<'a> {
    ticker: Ticker<'a>,
    account: Account,
}

/// Why a piece of work has to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    /// The clock says so.
    Clock(Over),
    /// The memory is used up.
    Memory,
}

/// The clock is looked at once in so many questions.
const TICKS: u32 = 512;

impl<'a> Allowance<'a> {
    /// Until `clock` ends, and so many bytes; `None` for as many as the machine gives.
    pub fn new(clock: Clock<'a>, bytes_max: Option<u64>) -> Allowance<'a> {
        Allowance {
            ticker: Ticker::new(clock, TICKS),
            account: Account::new(bytes_max),
        }
    }

    /// No limit.
    pub fn endless() -> Allowance<'static> {
        Allowance::new(Clock::ENDLESS, None)
    }

    /// Whether to go on with the next of many short rounds.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Spent> {
        self.ticker.tick().map(|_| ()).map_err(Spent::Clock)
    }

    /// Counts `bytes` as used.
    pub fn take(&mut self, bytes: usize) -> Result<(), Spent> {
        self.account.take(bytes as u64).map_err(|_| Spent::Memory)
    }

    /// Counts `bytes` as free again.
    ///
    /// # Requires
    /// They were taken before.
    pub fn give(&mut self, bytes: usize) {
        self.account.give(bytes as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_allowance_ends_with_its_clock_or_its_memory() {
        let mut endless = Allowance::endless();
        assert_eq!((endless.tick(), endless.take(1 << 40)), (Ok(()), Ok(())));
        let late = Clock::of(Some(Duration::ZERO));
        let mut over = Allowance::new(late, None);
        assert_eq!(over.tick(), Err(Spent::Clock(Over::Time)));
        let mut small = Allowance::new(Clock::ENDLESS, Some(10));
        assert_eq!(small.take(8), Ok(()));
        assert_eq!(small.take(8), Err(Spent::Memory));
        small.give(8);
        assert_eq!(small.take(8), Ok(()));
    }
}
