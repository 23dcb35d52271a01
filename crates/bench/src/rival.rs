//! Other programs: finding them, running them under a limit, and a folder for their files.
//!
//! Input is written by one thread and output read by another, so that neither side waits for a full
//! pipe. A program that outlasts our patience is ended. Rivals report their own CPU time, which
//! leaves out starting up and reading.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramEnd {
    /// By itself, content.
    Well,
    /// By itself, or not even started, for this reason.
    Badly(String),
    /// By us, after so many seconds of CPU time: since its last line where each line is waited for,
    /// else in all.
    Stopped(f64),
}

/// How long a program is waited for.
#[derive(Clone, Copy, Debug)]
pub enum WaitLimit {
    /// So long until its end.
    Whole(Duration),
    /// So long for each line.
    EachLine(Duration),
}

/// The program of this name in a folder of `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    find_in(&std::env::var_os("PATH")?, name)
}

fn find_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    let candidates = std::env::split_paths(path).map(|folder| folder.join(name));
    let mut found = candidates.filter(|file| file.is_file());
    found.next()
}

/// Runs a program with this input; hands over each line that it prints.
pub fn converse(
    command: &mut Command,
    input: Vec<u8>,
    patience: WaitLimit,
    hear: &mut dyn FnMut(&str),
) -> ProgramEnd {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match command.stderr(Stdio::null()).spawn() {
        Ok(child) => child,
        Err(why) => return ProgramEnd::Badly(why.to_string()),
    };
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = child.stdout.take().expect("piped");
    // A program that ends early closes the pipe, which is its right.
    std::thread::spawn(move || stdin.write_all(&input));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            if line.is_err() || sender.send(line.unwrap_or_default()).is_err() {
                return;
            }
        }
    });
    let start = Instant::now();
    // One process may do many cases; what it used for the earlier ones is not held against a later.
    let mut used_before = 0.0;
    loop {
        let wait = match patience {
            WaitLimit::Whole(whole) => whole.saturating_sub(start.elapsed()),
            WaitLimit::EachLine(each) => each,
        };
        match lines.recv_timeout(wait) {
            // A talkative program must not escape the limit.
            _ if wait.is_zero() => return stop(&mut child, used_before),
            Ok(line) => {
                hear(&line);
                if matches!(patience, WaitLimit::EachLine(_)) {
                    used_before = cpu_seconds(child.id());
                }
            }
            Err(RecvTimeoutError::Timeout) => return stop(&mut child, used_before),
            Err(RecvTimeoutError::Disconnected) => return farewell(&mut child, wait, used_before),
        }
    }
}

/// Waits for a program that has closed its output.
fn farewell(child: &mut Child, wait_max: Duration, used_before: f64) -> ProgramEnd {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return ProgramEnd::Well,
            Ok(Some(status)) => return ProgramEnd::Badly(status.to_string()),
            Err(why) => return ProgramEnd::Badly(why.to_string()),
            Ok(None) if start.elapsed() > wait_max => return stop(child, used_before),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn stop(child: &mut Child, used_before: f64) -> ProgramEnd {
    let used = cpu_seconds(child.id()) - used_before;
    // Both fail only if it ended in this very moment.
    let _ = child.kill();
    let _ = child.wait();
    ProgramEnd::Stopped(used.max(0.0))
}

/// What a process has used so far; 0 if that is not known.
fn cpu_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.ok().and_then(|text| parse_stat(&text)).unwrap_or(0.0)
}

/// Seconds of CPU time, from fields 14 and 15, which count hundredths; the name in brackets before
/// them may hold spaces.
fn parse_stat(text: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// A folder of our own that goes when we go.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A fresh folder among the temporary files.
    pub fn new() -> std::io::Result<Folder> {
        let base = std::env::temp_dir();
        for attempt in 0..1000 {
            let path = base.join(format!("orbit-bench-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Folder { path }),
                Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(why),
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of a file of this name, existing or not.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file and returns its place.
    pub fn write(&self, name: &str, text: &str) -> std::io::Result<PathBuf> {
        let path = self.file(name);
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_input_and_output_do_not_block() {
        let Some(cat) = find("cat") else {
            assert_eq!(find_in(OsStr::new(""), "cat"), None);
            return;
        };
        let input = "0123456789\n".repeat(100_000);
        let mut n = 0;
        let limit = WaitLimit::Whole(Duration::from_secs(60));
        let ended = converse(
            &mut Command::new(cat),
            input.into_bytes(),
            limit,
            &mut |line| {
                assert_eq!(line, "0123456789");
                n += 1;
            },
        );
        assert_eq!((ended, n), (ProgramEnd::Well, 100_000));
    }

    #[test]
    fn silence_is_ended() {
        let Some(sleep) = find("sleep") else {
            assert_eq!(find_in(OsStr::new(""), "sleep"), None);
            return;
        };
        let mut command = Command::new(sleep);
        command.arg("1000");
        let limit = WaitLimit::EachLine(Duration::from_millis(20));
        let ended = converse(&mut command, Vec::new(), limit, &mut |_| {});
        assert!(
            matches!(ended, ProgramEnd::Stopped(used) if used < 100.0),
            "{ended:?}"
        );
    }

    /// Work before the last line is not counted: a shell counts to 200,000, says so, and sleeps.
    #[test]
    fn earlier_cases_are_not_counted() {
        let Some(shell) = find("sh") else {
            assert_eq!(find_in(OsStr::new(""), "sh"), None);
            return;
        };
        let count = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let mut command = Command::new(shell);
        command
            .arg("-c")
            .arg(format!("{count}; echo done; read line; {count}"));
        // The input stays open and empty, so the shell waits for a line that never comes.
        command.stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a shell");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        assert!(out.read_line(&mut line).is_ok());
        let used = cpu_seconds(child.id());
        let ProgramEnd::Stopped(since) = stop(&mut child, used) else {
            panic!("it was stopped");
        };
        assert!(used > 0.0 && since < used, "{used} {since}");
    }

    #[test]
    fn talking_is_no_escape() {
        let Some(yes) = find("yes") else {
            assert_eq!(find_in(OsStr::new(""), "yes"), None);
            return;
        };
        let limit = WaitLimit::Whole(Duration::from_millis(20));
        let ended = converse(&mut Command::new(yes), Vec::new(), limit, &mut |_| {});
        assert!(matches!(ended, ProgramEnd::Stopped(_)), "{ended:?}");
    }

    #[test]
    fn failures_have_reasons() {
        let limit = WaitLimit::Whole(Duration::from_secs(60));
        let ended = converse(&mut Command::new("/no/such"), vec![], limit, &mut |_| {});
        assert!(matches!(ended, ProgramEnd::Badly(_)), "{ended:?}");
    }

    #[test]
    fn the_cpu_time_of_a_process() {
        let stat = "77 (a b) c) R 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1";
        assert_eq!(parse_stat(stat), Some(3.0));
        assert_eq!(parse_stat("77"), None);
    }

    #[test]
    fn folders_come_and_go() {
        let folder = Folder::new().expect("a folder");
        let path = folder.path.clone();
        folder.write("a", "b").expect("a file");
        assert!(path.join("a").is_file());
        drop(folder);
        assert!(!path.exists());
    }
}
