//! One clock for all that can take long: the end of the time, and whether somebody interrupts.
//!
//! A command has one clock, made when it starts and copied to whatever may take long. The end is a
//! moment, not a span: however many phases there are, nobody adds up what they took. A loop whose
//! rounds are short asks through a [`Ticker`], which looks once in so many questions.
//!
//! Worked example: `--time 5s`. The clock ends 5 s after the start of the process. Reading and
//! detection take 3 s and have copies of it; the search asks its own and stops after 2 s.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Default, Debug)]
pub struct Clock<'a> {
    end: Option<Instant>,
    interrupted: Option<&'a AtomicBool>,
}

/// Why to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// The time is over.
    Time,
    /// Somebody interrupts.
    Interrupted,
}

impl Clock<'_> {
    /// The clock that never ends.
    pub const ENDLESS: Clock<'static> = Clock {
        end: None,
        interrupted: None,
    };
}

impl<'a> Clock<'a> {
    /// A clock that ends so long after `start`, if there is a limit that a moment can be named for.
    pub fn since(start: Instant, time_max: Option<Duration>) -> Clock<'a> {
        Clock {
            end: time_max.and_then(|max| start.checked_add(max)),
            interrupted: None,
        }
    }

    /// A clock that ends so long from now.
    pub fn of(time_max: Option<Duration>) -> Clock<'a> {
        Clock::since(Instant::now(), time_max)
    }

    /// The same, and somebody else may set `flag` to end it.
    #[must_use]
    pub fn interrupted_by(self, flag: &'a AtomicBool) -> Clock<'a> {
        Clock {
            interrupted: Some(flag),
            ..self
        }
    }

    /// Whether to go on.
    pub fn ask(&self) -> Result<(), Over> {
        let flag = self.interrupted;
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Over::Interrupted);
        }
        if self.end.is_some_and(|end| Instant::now() >= end) {
            Err(Over::Time)
        } else {
            Ok(())
        }
    }

    /// As [`Clock::ask`] for the `n`-th of many things, looked up at one in `every`.
    #[inline]
    pub fn ask_at(&self, n: usize, every: usize) -> Result<(), Over> {
        if n.is_multiple_of(every) {
            self.ask()
        } else {
            Ok(())
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.ask().is_err()
    }
}

/// A clock that is looked at once in so many questions, at the first included.
#[derive(Clone, Copy, Debug)]
pub struct Ticker<'a> {
    clock: Clock<'a>,
    every: u32,
    n_asked: u32,
}

impl<'a> Ticker<'a> {
    /// Looks at `clock` at one question in `every`.
    ///
    /// # Requires
    /// `every` is not 0.
    pub fn new(clock: Clock<'a>, every: u32) -> Ticker<'a> {
        assert_ne!(every, 0, "a ticker looks now and then");
        Ticker {
            clock,
            every,
            n_asked: 0,
        }
    }

    /// Whether to go on; and whether the clock was looked at.
    #[inline]
    pub fn tick(&mut self) -> Result<bool, Over> {
        let looks = self.n_asked == 0;
        self.n_asked = (self.n_asked + 1) % self.every;
        if looks {
            self.look().map(|()| true)
        } else {
            Ok(false)
        }
    }

    #[cold]
    fn look(&self) -> Result<(), Over> {
        self.clock.ask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_ends_with_its_time_or_its_flag() {
        assert_eq!(Clock::ENDLESS.ask(), Ok(()));
        assert_eq!(Clock::of(None).ask(), Ok(()));
        assert_eq!(Clock::of(Some(Duration::MAX)).ask(), Ok(()));
        assert_eq!(Clock::of(Some(Duration::ZERO)).ask(), Err(Over::Time));
        let flag = AtomicBool::new(false);
        let clock = Clock::of(Some(Duration::ZERO)).interrupted_by(&flag);
        assert_eq!(clock.ask(), Err(Over::Time));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(clock.ask(), Err(Over::Interrupted));
        assert_eq!(clock.ask_at(8, 4), Err(Over::Interrupted));
        assert_eq!(clock.ask_at(9, 4), Ok(()));
    }

    #[test]
    fn a_ticker_looks_at_one_question_in_so_many() {
        let mut ticker = Ticker::new(Clock::ENDLESS, 3);
        let looks: Vec<bool> = (0..7).map(|_| ticker.tick().unwrap()).collect();
        assert_eq!(looks, [true, false, false, true, false, false, true]);
        let flag = AtomicBool::new(true);
        let mut ticker = Ticker::new(Clock::ENDLESS.interrupted_by(&flag), 3);
        assert_eq!(ticker.tick(), Err(Over::Interrupted));
    }
}
