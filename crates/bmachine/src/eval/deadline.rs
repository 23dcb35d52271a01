//! What becomes of an answer when the clock is over.
//!
//! A search looks at the clock between two states. Where a single answer takes long, evaluation
//! has to look itself: every few thousand candidates it asks [`Deadline::is_over`]. What was cut
//! short so is no fault of the machine and is not told as one; whoever asked learns from
//! [`Deadline::was_lost`] that an answer is missing, and the verdict is unknown.
//!
//! What a search found is replayed when it is over, and perhaps when the time is over, too. An
//! answer that is asked for again has to be the same. So from [`Deadline::suspend`] on nothing is
//! given up, until [`Deadline::enforce`]: all of that was answered in time before.

use base::Clock;
use std::sync::atomic::{AtomicBool, Ordering};

/// When answers are to be given up.
#[derive(Debug, Default)]
pub struct Deadline {
    clock: Clock<'static>,
    is_suspended: AtomicBool,
    was_lost: AtomicBool,
}

impl Deadline {
    /// A deadline when this clock is over.
    pub fn new(clock: Clock<'static>) -> Deadline {
        Deadline {
            clock,
            is_suspended: AtomicBool::new(false),
            was_lost: AtomicBool::new(false),
        }
    }

    /// Whether an answer has to be given up; if so, it counts as lost.
    pub fn is_over(&self) -> bool {
        if self.is_suspended.load(Ordering::Relaxed) {
            return false;
        }
        let is_over = self.clock.is_over();
        if is_over {
            self.was_lost.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether an answer was given up, and the deadline is in force.
    pub fn is_lost(&self) -> bool {
        self.was_lost() && !self.is_suspended.load(Ordering::Relaxed)
    }

    /// Whether an answer was given up.
    pub fn was_lost(&self) -> bool {
        self.was_lost.load(Ordering::Relaxed)
    }

    /// From now on, every answer is waited for.
    pub fn suspend(&self) {
        self.is_suspended.store(true, Ordering::Relaxed);
    }

    /// From now on, answers are given up when the time is over.
    pub fn enforce(&self) {
        self.is_suspended.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_endless_deadline_is_never_over() {
        assert!(!Deadline::default().is_over());
        assert!(!Deadline::new(Clock::ENDLESS).is_over());
    }

    #[test]
    fn time_is_over_unless_somebody_waits() {
        let deadline = Deadline::new(Clock::of(Some(Duration::ZERO)));
        deadline.suspend();
        assert!(!deadline.is_over() && !deadline.was_lost());
        deadline.enforce();
        assert!(deadline.is_over() && deadline.was_lost());
    }

    #[test]
    fn an_interruption_is_the_end() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let deadline = Deadline::new(Clock::ENDLESS.interrupted_by(&FLAG));
        assert!(!deadline.is_over());
        FLAG.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
    }
}
