//! What becomes of an answer when the clock is over.
//!
//! A search looks at the clock between two states. Where a single answer takes long, evaluation
//! has to look itself: every few thousand candidates it asks [`Deadline::is_over`]. What was cut
//! short so is no fault of the machine and is not told as one; whoever asked learns from
//! [`Deadline::was_lost`] that an answer is missing, and the verdict is unknown.
//!
//! What a search found is replayed when it is over, and perhaps when the time is over, too. An
//! answer that is asked for again has to be the same. So from [`Deadline::wait`] on nothing is
//! given up, until [`Deadline::hurry`]: all of that was answered in time before.

use base::Clock;
use std::sync::atomic::{AtomicBool, Ordering};

/// When answers are to be given up.
#[derive(Debug, Default)]
pub struct Deadline {
    clock: Clock<'static>,
    waits: AtomicBool,
    was_lost: AtomicBool,
}

impl Deadline {
    /// Patience until this clock is over.
    pub fn new(clock: Clock<'static>) -> Deadline {
        Deadline {
            clock,
            waits: AtomicBool::new(false),
            was_lost: AtomicBool::new(false),
        }
    }

    /// Whether an answer has to be given up; if so, it counts as lost.
    pub fn is_over(&self) -> bool {
        if self.waits.load(Ordering::Relaxed) {
            return false;
        }
        let is_over = self.clock.is_over();
        if is_over {
            self.was_lost.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether an answer was given up, and nobody waits for it now.
    pub fn is_lost(&self) -> bool {
        self.was_lost() && !self.waits.load(Ordering::Relaxed)
    }

    /// Whether an answer was given up.
    pub fn was_lost(&self) -> bool {
        self.was_lost.load(Ordering::Relaxed)
    }

    /// From now on, every answer is waited for.
    pub fn wait(&self) {
        self.waits.store(true, Ordering::Relaxed);
    }

    /// From now on, answers are given up when the time is over.
    pub fn hurry(&self) {
        self.waits.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn endless_patience_is_never_over() {
        assert!(!Deadline::default().is_over());
        assert!(!Deadline::new(Clock::ENDLESS).is_over());
    }

    #[test]
    fn time_is_over_unless_somebody_waits() {
        let patience = Deadline::new(Clock::of(Some(Duration::ZERO)));
        patience.wait();
        assert!(!patience.is_over() && !patience.was_lost());
        patience.hurry();
        assert!(patience.is_over() && patience.was_lost());
    }

    #[test]
    fn an_interruption_is_the_end() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let patience = Deadline::new(Clock::ENDLESS.interrupted_by(&FLAG));
        assert!(!patience.is_over());
        FLAG.store(true, Ordering::Relaxed);
        assert!(patience.is_over());
    }
}
