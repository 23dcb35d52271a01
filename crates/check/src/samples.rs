//! How long something takes that is done very often, from a few that are timed.
//!
//! A look at the clock costs about as much as a short reduction, so few are timed. On a machine
//! with other work some of these are interrupted for milliseconds, and would count for all those
//! that are not timed; so one that is far beyond the others counts as much as they do.
//!
//! Worked example: sixteen samples of 2 µs, then one of 5 ms, in which another program ran. The
//! mean stays 2 µs; a thousand of them are said to take 2 ms.

use std::time::Duration;

/// Samples of the time that something takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    n: u32,
    sum: Duration,
    /// The first part of one that has not ended.
    begun: Duration,
}

/// Only what takes longer than this can be an interruption.
const LONG: Duration = Duration::from_micros(500);
/// What takes so many times as long as the others is one.
const FAR_BEYOND: u32 = 50;
/// How many there must be to know how long they take.
const ENOUGH: u32 = 8;

impl Samples {
    /// Takes in one.
    pub fn add(&mut self, took: Duration) {
        let mean = self.mean();
        let is_odd = self.n >= ENOUGH && took > LONG && took > mean * FAR_BEYOND;
        self.sum += if is_odd { mean } else { took };
        self.n += 1;
    }

    /// Takes in the first part of one.
    pub fn begin(&mut self, took: Duration) {
        self.begun = took;
    }

    /// Takes in the rest of one.
    pub fn finish(&mut self, took: Duration) {
        let begun = std::mem::take(&mut self.begun);
        self.add(begun + took);
    }

    /// About how long so many take.
    pub fn of_all(&self, n: u64) -> Duration {
        self.mean().mul_f64(n as f64)
    }

    fn mean(&self) -> Duration {
        self.sum.checked_div(self.n).unwrap_or(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_counts_as_little_as_the_others() {
        let micros = Duration::from_micros;
        let mut samples = Samples::default();
        assert_eq!(samples.of_all(1000), Duration::ZERO);
        (0..16).for_each(|_| samples.add(micros(2)));
        samples.add(micros(5000));
        assert_eq!(samples.of_all(1000), micros(2000));
        // What is long each time is no interruption.
        let mut long = Samples::default();
        (0..16).for_each(|_| long.add(micros(5000)));
        assert_eq!(long.of_all(2), micros(10_000));
    }

    #[test]
    fn parts_are_added_up() {
        let mut samples = Samples::default();
        samples.begin(Duration::from_micros(3));
        samples.finish(Duration::from_micros(4));
        assert_eq!(samples.of_all(1), Duration::from_micros(7));
    }
}
