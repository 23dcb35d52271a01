//! A file that a flag names: opened before the search, so that a name that cannot be written is
//! refused before hours are spent; written when there is something to write; and removed again if
//! it was made for something that never came.
//!
//! A file that is something else is never overwritten, and least of all the model.

use base::{Diagnostic, Diagnostics, Severity, quote};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is written into a file.
#[derive(Debug)]
pub struct FileKind {
    /// The flag that names the file.
    pub flag: &'static str,
    /// What such a file is called: `trail`.
    pub word: &'static str,
    /// What cannot be said if it cannot be written.
    pub lost: &'static str,
    /// Whether a file that begins like this is one, so that it may be overwritten.
    pub is_one: fn(&str) -> bool,
}

/// A recorded run.
pub const TRAIL: FileKind = FileKind {
    flag: "--trail",
    word: "trail",
    lost: "the run is not recorded",
    is_one: is_trail,
};

/// Where something is written when it is there.
#[derive(Debug)]
pub struct Target {
    kind: &'static FileKind,
    path: PathBuf,
    /// What it is called in messages.
    shown: PathBuf,
    file: File,
    /// Whether there was no such file before.
    is_new: bool,
    is_written: AtomicBool,
}

/// How much of a file is looked at to see whether it is a trail.
const HEAD_BYTES: u64 = 4096;

impl Target {
    /// The file of that name, open and untouched; or `None` if `found` says why not.
    pub fn open(
        kind: &'static FileKind,
        path: &Path,
        model: Option<&Path>,
        found: &mut Diagnostics,
    ) -> Option<Target> {
        let refuse = |why: &str, found: &mut Diagnostics| {
            let (flag, name) = (kind.flag, quote(&path.display().to_string()));
            found.push(Diagnostic::unlocated(format!("`{flag}` {name}: {why}")));
            None
        };
        let same = |model: &Path| {
            let (model, path) = (model.canonicalize().ok()?, path.canonicalize().ok()?);
            (model == path).then_some(())
        };
        if model.and_then(same).is_some() {
            return refuse("that is the model, which would be overwritten", found);
        }
        let is_new = !path.exists();
        if !is_new && !may_be_overwritten(path, kind) {
            let word = kind.word;
            let why = format!("there is such a file, and it is no {word}; it is not overwritten");
            return refuse(&why, found);
        }
        let options = OpenOptions::new().write(true).create(true).to_owned();
        match options.open(path) {
            Ok(file) => Some(Target {
                kind,
                path: path.to_path_buf(),
                shown: path.to_path_buf(),
                file,
                is_new,
                is_written: AtomicBool::new(false),
            }),
            Err(why) => refuse(&format!("it cannot be written: {why}"), found),
        }
    }

    /// The same, called something else in messages: where it only is on the way to another file.
    pub fn called(mut self, shown: &Path) -> Target {
        self.shown = shown.to_path_buf();
        self
    }

    /// The name, as typed.
    pub fn shown(&self) -> &Path {
        &self.shown
    }

    /// Writes it; a failure is a warning, for the answer does not depend on it.
    pub fn write(&self, text: &str) -> Result<(), Diagnostic> {
        self.is_written.store(true, Ordering::Relaxed);
        let mut file = &self.file;
        // Devices have no length to set.
        let _ = file.set_len(0);
        let written = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| file.write_all(text.as_bytes()))
            .and_then(|()| file.flush());
        written.map_err(|why| {
            let name = quote(&self.shown.display().to_string());
            let lost = self.kind.lost;
            warning(format!("{lost}: cannot write {name}: {why}"))
        })
    }
}

/// A warning that is about no place in a text.
pub fn warning(message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::unlocated(message)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_new && !*self.is_written.get_mut() {
            // What is left behind otherwise is an empty file.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a file is empty, no ordinary file, or begins as one of the kind does.
fn may_be_overwritten(path: &Path, kind: &FileKind) -> bool {
    if !path.is_file() {
        return !path.is_dir();
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    read.is_ok() && (text.trim().is_empty() || (kind.is_one)(&text))
}

/// Whether a text begins as a trail does, ours or SPIN's.
fn is_trail(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or("");
    let numbers: Vec<&str> = first.split(':').collect();
    let is_spins = numbers.len() == 3 && numbers.iter().all(|n| n.trim().parse::<i64>().is_ok());
    first.starts_with("{\"orbit_trail\"") || is_spins
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn opened(path: &Path, model: Option<&Path>) -> Result<Target, String> {
        let mut found = Diagnostics::new();
        let target = Target::open(&TRAIL, path, model, &mut found);
        target.ok_or_else(|| found.sorted()[0].message.clone())
    }

    #[test]
    fn only_trails_are_overwritten() {
        let folder = std::env::temp_dir().join(format!("orbit-target-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("run.trail");
        drop(opened(&path, None).expect("a new file"));
        assert!(!path.exists(), "no run came, so no file is left");
        let target = opened(&path, None).expect("a new file");
        target.write("1:0:5\n").expect("written");
        drop(target);
        for text in ["1:0:5\n", "{\"orbit_trail\":1}\n", "", "\n-4:-4:-4\n"] {
            fs::write(&path, text).expect("written");
            drop(opened(&path, None).expect("a trail"));
            assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        }
        for text in ["init { skip }", "{\"a\":1}", "1:2"] {
            fs::write(&path, text).expect("written");
            let why = opened(&path, None).expect_err("no trail");
            assert!(why.contains("is not overwritten"), "{why}");
        }
        fs::write(&path, "").expect("written");
        let why = opened(&path, Some(&path)).expect_err("the model");
        assert!(why.contains("that is the model"), "{why}");
        let why = opened(&folder.join("no/such"), None).expect_err("no folder");
        assert!(why.contains("cannot be written"), "{why}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
