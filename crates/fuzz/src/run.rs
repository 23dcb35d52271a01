//! Runs the binary on an input, and judges how it ended.

use fuzz::limited::{self, RunEnd};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time that each command line asks for.
pub const LIMIT: Duration = Duration::from_millis(1000);

/// An input and the words after `orbit`.
#[derive(Clone, Debug)]
pub struct FuzzCase {
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub text: Vec<u8>,
    /// What is in the file `model.pml` beside it.
    pub model: &'static str,
    /// The command line.
    pub words: Vec<String>,
}

/// The binary, and a folder to run it in.
pub struct OrbitBinary {
    orbit: PathBuf,
    folder: PathBuf,
}

impl OrbitBinary {
    /// That binary, with a folder of its own.
    pub fn new(orbit: &Path) -> OrbitBinary {
        let folder = std::env::temp_dir().join(format!("orbit-fuzz-{}", std::process::id()));
        OrbitBinary {
            orbit: orbit.canonicalize().unwrap_or_else(|_| orbit.to_path_buf()),
            folder,
        }
    }

    /// Says what is wrong with how the binary ends on this input, if something is.
    pub fn judge(&self, case: &FuzzCase) -> Result<(), String> {
        let ended = self.run(case)?;
        let err = &ended.err;
        let signs = [
            "this is a bug in orbit",
            "panicked at",
            "has overflowed its stack",
        ];
        if let Some(sign) = signs.iter().find(|sign| err.contains(**sign)) {
            let at = err.find("\n  at ").unwrap_or(0);
            let place: String = err[at..].lines().nth(1).unwrap_or("").to_owned();
            return Err(format!("{sign}: {place}"));
        }
        let Some(code) = ended.status.code() else {
            return Err(format!("ended by a signal: {}", ended.status));
        };
        if !(0..=3).contains(&code) {
            return Err(format!("exit code {code}"));
        }
        if case.words.iter().any(|word| word == "--json") {
            judge_json(code, &ended.out, case)?;
        }
        Ok(())
    }

    fn run(&self, case: &FuzzCase) -> Result<RunEnd, String> {
        let broken = |why: std::io::Error| format!("cannot be run: {why}");
        std::fs::create_dir_all(&self.folder).map_err(broken)?;
        std::fs::write(self.folder.join("model.pml"), case.model).map_err(broken)?;
        std::fs::write(self.folder.join(&case.name), &case.text).map_err(broken)?;
        // Twice the limit, and what it takes to start and to end.
        let cpu_max = LIMIT * 2 + Duration::from_secs(1);
        limited::run(
            Command::new(&self.orbit).args(&case.words),
            &self.folder,
            cpu_max,
        )
    }
}

impl Drop for OrbitBinary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// One object, whose verdict fits the exit code.
fn judge_json(code: i32, out: &[u8], case: &FuzzCase) -> Result<(), String> {
    if out.is_empty() && code == 2 {
        // A command line that clap refuses is explained on standard error.
        return Ok(());
    }
    let object: Value = serde_json::from_slice(out).map_err(|why| format!("no JSON: {why}"))?;
    if !object.is_object() {
        return Err("JSON that is no object".to_owned());
    }
    let is_check = case.words.first().is_some_and(|word| word == "check");
    let verdict = object["verdict"].as_str();
    let fits = match (verdict, code) {
        (Some("holds"), 0) | (Some("violated"), 1) | (Some("unknown"), 3) => true,
        // Mistakes in a script beside assertions that were answered.
        (_, 2) => true,
        (None, 0) => object["accepted"] == true,
        _ => false,
    };
    if fits || !is_check {
        Ok(())
    } else {
        Err(format!("verdict {verdict:?} with exit code {code}"))
    }
}

/// What kind of thing is wrong, without its details.
pub fn kind(why: &str) -> &str {
    why.split(':').next().unwrap_or(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(words: &[&str]) -> FuzzCase {
        FuzzCase {
            name: "input.pml".to_owned(),
            text: Vec::new(),
            model: "",
            words: words.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    /// How a program is judged that does what the shell is told.
    fn judged(line: &str) -> String {
        let shell = OrbitBinary::new(Path::new("/bin/sh"));
        let judged = shell.judge(&case(&["-c", line, "--json"]));
        judged.err().unwrap_or_default()
    }

    #[test]
    fn every_wrong_end_is_noticed() {
        let object = "printf '{}'";
        assert_eq!(judged(&format!("{object}; exit 3")), "");
        for (line, why) in [
            (
                "echo 'thread panicked at x.rs' >&2; exit 101",
                "panicked at",
            ),
            (
                "echo 'this is a bug in orbit' >&2; exit 70",
                "this is a bug",
            ),
            (
                "echo 'main has overflowed its stack' >&2; exit 1",
                "has overflowed",
            ),
            ("kill -9 $$", "ended by a signal"),
            ("exit 70", "exit code 70"),
            ("printf '{'; exit 1", "no JSON"),
            ("printf '[]'; exit 1", "JSON that is no object"),
            ("exit 0", "no JSON"),
            ("while :; do :; done", "hangs"),
        ] {
            let judged = judged(line);
            assert!(judged.starts_with(why), "{line}: {judged}");
        }
    }

    #[test]
    fn a_verdict_and_its_exit_code_belong_together() {
        let check = case(&["check", "--json"]);
        for (verdict, code) in [("holds", 0), ("violated", 1), ("unknown", 3)] {
            let out = format!("{{\"verdict\":\"{verdict}\"}}");
            for other in [0, 1, 3] {
                let judged = judge_json(other, out.as_bytes(), &check);
                assert_eq!(judged.is_ok(), other == code, "{verdict} {other}");
            }
        }
    }
}
