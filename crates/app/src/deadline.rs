//! A limit of time on a whole command: `--time`.
//!
//! Searches that can take long look at the clock themselves and end with what is known; then the
//! answer says which question stayed open. What cannot look (the building of a stabiliser chain,
//! say) is left behind: the command works in a thread of its own, and if that has not come back
//! shortly after the time is over, the whole answer is *unknown*. The process ends, and the thread
//! with it.

use crate::answer::{Answer, Exit};
use crate::page::Page;
use base::Diagnostic;
use check::{Options, StopReason};
use group::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than its time a command may take to put its words in order.
const GRACE: Duration = Duration::from_millis(250);

/// As much as the main thread has on most systems, and more.
const STACK_BYTES: usize = 64 << 20;

/// What is left of the time after a search, for what looks at its states once more.
pub struct Left<'a> {
    until: Option<Instant>,
    interrupted: Option<&'a AtomicBool>,
}

impl<'a> Left<'a> {
    /// What these options leave of a time that began at `start`.
    pub fn of(options: &Options<'a>, start: Instant) -> Left<'a> {
        Left {
            until: options.time_max.and_then(|max| start.checked_add(max)),
            interrupted: options.interrupted,
        }
    }

    /// How much time; `None` if there is no limit.
    pub fn time(&self) -> Option<Duration> {
        let until = self.until?;
        Some(until.saturating_duration_since(Instant::now()))
    }

    /// Whether it is over, asked before the `n`-th of many things and looked up at one of `ticks`.
    pub fn over_at(&self, n: usize, ticks: usize) -> Option<StopReason> {
        if !n.is_multiple_of(ticks) {
            return None;
        }
        let interrupted = self.interrupted.is_some_and(|f| f.load(Ordering::Relaxed));
        match () {
            () if interrupted => Some(StopReason::Interrupted),
            () if self.time().is_some_and(|left| left.is_zero()) => Some(StopReason::Time),
            () => None,
        }
    }
}

/// What the searches of a command that starts now may spend.
pub fn budget(limit: Option<Duration>) -> Budget {
    limit.map_or_else(Budget::unlimited, |limit| {
        Budget::until(Instant::now() + limit)
    })
}

/// What `work` says, or that nothing is known if it takes longer than `limit`.
pub fn within(
    limit: Option<Duration>,
    work: impl FnOnce() -> Result<Answer, Diagnostic> + Send + 'static,
) -> Result<Answer, Diagnostic> {
    let Some(limit) = limit else {
        return work();
    };
    let (sender, receiver) = mpsc::channel();
    let builder = thread::Builder::new().stack_size(STACK_BYTES);
    let worker = builder.spawn(move || sender.send(work()).is_ok());
    let worker = worker.map_err(|error| {
        Diagnostic::unlocated(format!(
            "cannot start a thread, which --time needs: {error}"
        ))
    })?;
    match receiver.recv_timeout(limit + GRACE) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => Ok(unknown()),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            // A bug of ours, reported where it happened; it ends the command as it would elsewhere.
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => unreachable!("a worker sends before it ends"),
        },
    }
}

/// The answer where nothing is known.
pub fn unknown() -> Answer {
    unknown_for(StopReason::Time, "the time limit came first")
}

/// The same, with a reason of the caller's.
pub fn unknown_for(reason: StopReason, words: &str) -> Answer {
    let mut page = Page::new();
    page.row("unknown", words);
    page.field("verdict", "unknown");
    page.field("stop_reason", report::reason_word(reason));
    page.field("reason", words);
    Answer::new(Exit::Unknown, page)
}

/// Says for programs that the time limit left something open.
pub fn put_stop_reason(page: &mut Page) {
    page.field("stop_reason", "time");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Result<Answer, Diagnostic> {
        Ok(Answer::new(Exit::Violated, Page::new()))
    }

    fn code(answer: Result<Answer, Diagnostic>) -> u8 {
        answer.map_or(0, |answer| answer.exit.code())
    }

    #[test]
    fn work_that_is_done_in_time_is_not_disturbed() {
        assert_eq!(code(within(None, quick)), 1);
        assert_eq!(code(within(Some(Duration::from_secs(600)), quick)), 1);
    }

    #[test]
    fn work_that_does_not_end_is_unknown() {
        let never = || -> Result<Answer, Diagnostic> {
            loop {
                thread::park();
            }
        };
        assert_eq!(code(within(Some(Duration::from_millis(1)), never)), 3);
    }

    #[test]
    fn a_panic_of_the_worker_is_a_panic_of_the_command() {
        let broken = || -> Result<Answer, Diagnostic> { panic!("planted") };
        let outcome =
            std::panic::catch_unwind(|| code(within(Some(Duration::from_secs(600)), broken)));
        assert!(outcome.is_err());
    }
}
