//! When to stop before the work is done.
//!
//! Evaluating a script and exploring a process may take for ever. Both look from time to time
//! whether somebody wants them to stop, or whether their time is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How many questions there are between two looks at the clock.
const TICKS: u32 = 512;

/// Says when to stop.
#[derive(Clone, Copy, Default, Debug)]
pub struct Watch {
    /// The end of the time, if there is one.
    pub until: Option<Instant>,
    /// Somebody else sets this to stop it.
    pub interrupted: Option<&'static AtomicBool>,
    n_asked: u32,
}

impl Watch {
    /// A watch that has not been asked.
    pub fn new(until: Option<Instant>, interrupted: Option<&'static AtomicBool>) -> Watch {
        Watch {
            until,
            interrupted,
            n_asked: 0,
        }
    }

    /// Whether it is time to stop; looked up once in a while, at the first question included.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        let n = self.n_asked;
        self.n_asked = n.wrapping_add(1);
        n.is_multiple_of(TICKS) && self.look()
    }

    #[cold]
    fn look(&self) -> bool {
        let flag = self.interrupted;
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_ends_with_its_time_or_its_flag() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        assert!(!Watch::default().is_over());
        assert!(Watch::new(Some(Instant::now()), None).is_over());
        let mut watch = Watch::new(None, Some(&FLAG));
        assert!(!watch.is_over());
        FLAG.store(true, Ordering::Relaxed);
        assert!((0..TICKS).any(|_| watch.is_over()));
    }
}
