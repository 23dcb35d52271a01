//! CPU time of this thread, and how often something is done in it.
//!
//! Machines are shared, so the time on the wall says more about the neighbours than about us. Linux
//! tells how long a thread has been on a processor, in nanoseconds brought up to date a few hundred
//! times a second; measurements are therefore made long, not single calls timed. Where there is no
//! such file the time on the wall has to do.

use std::time::{Duration, Instant};

/// A running clock.
pub struct CpuClock {
    cpu: Option<Duration>,
    wall: Instant,
}

impl CpuClock {
    /// A clock that starts now.
    pub fn start() -> CpuClock {
        CpuClock {
            cpu: thread_cpu(),
            wall: Instant::now(),
        }
    }

    /// Seconds since the start: of CPU if known, else on the wall.
    pub fn seconds(&self) -> f64 {
        let used = self.cpu.and_then(|start| Some(thread_cpu()? - start));
        used.unwrap_or_else(|| self.wall.elapsed()).as_secs_f64()
    }
}

/// So many times in so much CPU time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// How often it was done.
    pub times: u64,
    /// In how many seconds of CPU time.
    pub cpu_seconds: f64,
}

impl Pace {
    /// Seconds for one.
    pub fn each(&self) -> f64 {
        self.cpu_seconds / self.times as f64
    }
}

/// Does `work` again and again, with 0, 1, 2, …, for at least so many seconds, and at least once.
pub fn pace(seconds: f64, mut work: impl FnMut(u64)) -> Pace {
    let clock = CpuClock::start();
    let mut times = 0;
    let mut batch = 1;
    loop {
        for i in times..times + batch {
            work(i);
        }
        times += batch;
        let cpu_seconds = clock.seconds();
        if cpu_seconds >= seconds && cpu_seconds > 0.0 {
            return Pace { times, cpu_seconds };
        }
        // Looking at the clock costs microseconds, so a batch is a fair part of the whole.
        if cpu_seconds < seconds / 16.0 {
            batch *= 2;
        }
    }
}

fn thread_cpu() -> Option<Duration> {
    parse_schedstat(&std::fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// Seconds of CPU time that programs we started and that have ended used, with all that they
/// started, in hundredths.
pub fn children_cpu() -> Option<f64> {
    parse_children(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Fields 16 and 17, which count hundredths; the name in brackets before them may hold spaces.
fn parse_children(text: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// The first of three numbers: nanoseconds on a processor.
fn parse_schedstat(text: &str) -> Option<Duration> {
    let first = text.split_whitespace().next()?;
    first.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_counts() {
        let parsed = parse_schedstat("1500000000 2 3\n");
        assert_eq!(parsed, Some(Duration::from_millis(1500)));
        assert_eq!(parse_schedstat(""), None);
        assert_eq!(parse_schedstat("soon"), None);
    }

    #[test]
    fn the_time_of_children() {
        let stat = "77 (a b) c) R 1 2 3 4 5 6 7 8 9 10 250 50 300 25 20 0 1";
        assert_eq!(parse_children(stat), Some(3.25));
        assert_eq!(parse_children("77"), None);
    }

    #[test]
    fn work_is_done_as_often_as_counted() {
        let mut seen = Vec::new();
        let pace = pace(0.01, |i| seen.push(i));
        assert_eq!(seen.len() as u64, pace.times);
        assert!(seen.iter().enumerate().all(|(i, &x)| i as u64 == x));
        assert!(pace.cpu_seconds >= 0.01 && pace.each() > 0.0);
    }
}
