//! Checks, some at a time.

use crate::judge::{Ended, judge};
use crate::{Expectation, Expected, Outcome, Standing};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Who checks.
pub struct Runner<'a> {
    /// The program.
    pub program: PathBuf,
    /// What is typed before the flags of an expectation.
    pub words: Vec<OsString>,
    /// How many checks run at once, at least one.
    pub n_jobs: usize,
    /// Set when no more are to be begun.
    pub interrupted: &'a AtomicBool,
}

/// An expectation, and how it turned out.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The model.
    pub file: PathBuf,
    /// What was expected.
    pub expected: Expectation,
    /// How it turned out.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
}

impl Runner<'_> {
    /// All expectations, in their order; `tell` hears of each as it ends.
    pub fn run(
        &self,
        all: &[(PathBuf, Expectation)],
        tell: &(dyn Fn(&Tested) + Sync),
    ) -> Vec<Tested> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<Tested>>> = Mutex::new(vec![None; all.len()]);
        thread::scope(|scope| {
            for _ in 0..self.n_jobs.max(1).min(all.len()) {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        let Some((file, expected)) = all.get(n) else {
                            return;
                        };
                        let tested = self.one(file, expected);
                        tell(&tested);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done[n] = Some(tested);
                    }
                });
            }
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.into_iter().flatten().collect()
    }

    fn one(&self, file: &PathBuf, expected: &Expectation) -> Tested {
        let begun = Instant::now();
        let outcome = if self.interrupted.load(Ordering::Relaxed) {
            Outcome {
                standing: Standing::Unknown,
                reason: Some("interrupted before it began".to_owned()),
                verdict: None,
                violated: None,
            }
        } else {
            self.checked(file, expected)
        };
        Tested {
            file: file.clone(),
            expected: expected.clone(),
            outcome,
            elapsed: begun.elapsed(),
        }
    }

    fn checked(&self, file: &PathBuf, expected: &Expectation) -> Outcome {
        let only_read = expected.verdict == Expected::Accepted;
        let ended = Command::new(&self.program)
            .args(["check", "--json", "--quiet"])
            .args(only_read.then_some("--parse-only"))
            // To read a text takes no search that could be limited.
            .args(self.words.iter().filter(|_| !only_read))
            .args(&expected.flags)
            .arg("--")
            .arg(file)
            .stdin(Stdio::null())
            .output();
        match ended {
            Ok(ended) => judge(
                expected,
                &Ended {
                    code: ended.status.code(),
                    out: &String::from_utf8_lossy(&ended.stdout),
                    err: &String::from_utf8_lossy(&ended.stderr),
                },
            ),
            Err(why) => Outcome {
                standing: Standing::Failed,
                reason: Some(format!("the check cannot be started: {why}")),
                verdict: None,
                violated: None,
            },
        }
    }
}
