//! How long one answer may take.
//!
//! A search looks at the clock between two states. Where a single answer takes long, evaluation
//! has to look itself: every few thousand candidates it asks [`Patience::is_over`]. What was cut
//! short so is no fault of the machine and is not told as one; whoever asked learns from
//! [`Patience::was_lost`] that an answer is missing, and the verdict is unknown.
//!
//! What a search found is replayed when the time is over. So an answer that begins after the end
//! has some time of its own, as much as all answers before the end had together: it was given
//! before, so that is enough. There is no such grace where nothing can have been found, because
//! the time was over before the search began.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When answers are to be given up.
#[derive(Debug, Default)]
pub struct Patience {
    /// The end, and how long an answer may take that begins later.
    limit: Option<(Instant, Duration)>,
    /// Somebody wants to stop.
    interrupted: Option<&'static AtomicBool>,
    has_grace: AtomicBool,
    was_lost: AtomicBool,
}

impl Patience {
    /// Patience for so long, from now on, and until somebody interrupts.
    pub fn new(time_max: Option<Duration>, interrupted: Option<&'static AtomicBool>) -> Patience {
        let limit = time_max.and_then(|max| {
            let end = Instant::now().checked_add(max)?;
            Some((end, max.saturating_mul(2) + Duration::from_secs(1)))
        });
        Patience {
            limit,
            interrupted,
            has_grace: AtomicBool::new(true),
            was_lost: AtomicBool::new(false),
        }
    }

    /// Whether an answer that began at `since`, now if that is not known yet, has to be given up.
    pub fn is_over(&self, since: &mut Option<Instant>) -> bool {
        let is_late = self.limit.is_some_and(|(end, grace)| {
            let now = Instant::now();
            let since = *since.get_or_insert(now);
            let has_grace = since >= end && self.has_grace.load(Ordering::Relaxed);
            match has_grace {
                true => now.duration_since(since) > grace,
                false => now >= end,
            }
        });
        let is_over = is_late || self.interrupted.is_some_and(|f| f.load(Ordering::Relaxed));
        if is_over {
            self.was_lost.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether an answer was given up.
    pub fn was_lost(&self) -> bool {
        self.was_lost.load(Ordering::Relaxed)
    }

    /// From now on, an answer that begins after the end is given up at once.
    pub fn end_grace(&self) {
        self.has_grace.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_patience_is_never_over() {
        assert!(!Patience::default().is_over(&mut None));
        assert!(!Patience::new(None, None).is_over(&mut None));
    }

    #[test]
    fn what_began_before_the_end_is_given_up_and_what_begins_later_has_grace() {
        let before = Instant::now();
        let patience = Patience::new(Some(Duration::ZERO), None);
        assert!(!patience.is_over(&mut None));
        assert!(!patience.was_lost());
        let since = before.checked_sub(Duration::from_secs(1));
        assert!(patience.is_over(&mut since.or(Some(before))));
        assert!(patience.was_lost());
        patience.end_grace();
        assert!(patience.is_over(&mut None));
    }

    #[test]
    fn an_interruption_is_the_end() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let patience = Patience::new(None, Some(&FLAG));
        assert!(!patience.is_over(&mut None));
        FLAG.store(true, Ordering::Relaxed);
        assert!(patience.is_over(&mut None));
    }
}
