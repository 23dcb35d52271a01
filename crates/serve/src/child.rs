//! A check under way: a process of the program itself, which answers with `--json`.

use serde_json::{Map, Value};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// An answer has at most so many bytes.
const ANSWER_BYTES_MAX: u64 = 256 << 20;
/// So much of what it complains about is kept.
const COMPLAINT_BYTES_MAX: usize = 64 << 10;

/// Why there is no answer, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoAnswer(pub String);

/// A process that will answer.
pub struct RunningCheck {
    child: Mutex<Child>,
}

impl RunningCheck {
    /// Starts a process, if that can be.
    pub fn begin(command: &mut Command) -> std::io::Result<RunningCheck> {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        Ok(RunningCheck {
            child: Mutex::new(child),
        })
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the process to end with what it knows.
    pub fn stop(&self) {
        let mut child = self.child();
        // One that has ended has no number of its own any more.
        if matches!(child.try_wait(), Ok(None)) {
            interrupt(&mut child);
        }
    }

    /// Ends the process.
    pub fn kill(&self) {
        let mut child = self.child();
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Waits for the process: the object that it prints, or why there is none. `tell` hears each
    /// line that says how far it is.
    pub fn attend(&self, tell: &(dyn Fn(&str) + Sync)) -> Result<Map<String, Value>, NoAnswer> {
        let (out, told) = {
            let mut child = self.child();
            (child.stdout.take(), child.stderr.take())
        };
        let mut complaint = String::new();
        let mut answer = Vec::new();
        thread::scope(|scope| {
            // Both are read at once: a full pipe would stop the process.
            scope.spawn(|| {
                let lines = told.into_iter();
                let lines = lines.flat_map(|told| BufReader::new(told).lines());
                for line in lines.map_while(Result::ok) {
                    tell(&line);
                    if complaint.len() < COMPLAINT_BYTES_MAX {
                        complaint.push_str(&line);
                        complaint.push('\n');
                    }
                }
            });
            if let Some(out) = out {
                // What cannot be read is missing, and is told as no answer.
                let _ = out.take(ANSWER_BYTES_MAX).read_to_end(&mut answer);
            }
        });
        let code = self.child().wait().ok().and_then(|status| status.code());
        let answer = String::from_utf8_lossy(&answer);
        serde_json::from_str(&answer).map_err(|_| {
            let words = first_words(&complaint);
            NoAnswer(match code {
                Some(code) => format!("the check ended with {code}: {words}"),
                None => format!("the check was ended from outside: {words}"),
            })
        })
    }
}

/// The first error that an object tells.
pub fn message(object: &Map<String, Value>) -> Option<String> {
    let found = object.get("diagnostics")?.as_array()?.first()?;
    let text = found.get("message")?.as_str()?;
    let notes = found.get("notes").and_then(Value::as_array);
    let notes = notes.into_iter().flatten().filter_map(Value::as_str);
    let words: Vec<&str> = std::iter::once(text).chain(notes).collect();
    Some(words.join("; "))
}

fn first_words(complaint: &str) -> String {
    let lines = complaint.lines().filter(|line| !line.trim().is_empty());
    let words: Vec<&str> = lines.take(4).collect();
    if words.is_empty() {
        return "there is no answer".to_owned();
    }
    words.join("\n")
}

/// Asks a process to end with what it knows; where that cannot be, ends it.
#[cfg(unix)]
fn interrupt(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let sent = pid.map(|pid| kill_process(pid, Signal::INT));
    if !matches!(sent, Some(Ok(()))) {
        // It may have ended by itself.
        let _ = child.kill();
    }
}

/// The same.
#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_error_of_an_object_is_told() {
        let object = json!({ "diagnostics": [{ "message": "a", "notes": ["b"] }] });
        let object = object.as_object().expect("an object");
        assert_eq!(message(object), Some("a; b".to_owned()));
        assert_eq!(first_words("\n"), "there is no answer");
    }

    #[test]
    fn what_prints_no_object_has_failed() {
        let mut command = Command::new("rustc");
        let begun = RunningCheck::begin(command.arg("--version")).expect("rustc is there");
        let answer = begun.attend(&|_| {}).expect_err("no object");
        assert_eq!(answer.0, "the check ended with 0: there is no answer");
    }
}
