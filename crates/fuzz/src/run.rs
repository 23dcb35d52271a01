//! Runs the binary on an input, and judges how it ended.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The time that each command line asks for.
pub const LIMIT: Duration = Duration::from_millis(1000);
/// When a run is ended that does not end, whatever else the machine does.
const WALL_MAX: Duration = Duration::from_secs(120);

/// An input and the words after `orbit`.
#[derive(Clone, Debug)]
pub struct Case {
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
pub struct Binary {
    orbit: PathBuf,
    folder: PathBuf,
}

/// How a run ended.
struct Ended {
    status: ExitStatus,
    out: Vec<u8>,
    err: String,
}

impl Binary {
    /// That binary, with a folder of its own.
    pub fn new(orbit: &Path) -> Binary {
        let folder = std::env::temp_dir().join(format!("orbit-fuzz-{}", std::process::id()));
        Binary {
            orbit: orbit.canonicalize().unwrap_or_else(|_| orbit.to_path_buf()),
            folder,
        }
    }

    /// Says what is wrong with how the binary ends on this input, if something is.
    pub fn judge(&self, case: &Case) -> Result<(), String> {
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

    fn run(&self, case: &Case) -> Result<Ended, String> {
        let broken = |why: std::io::Error| format!("cannot be run: {why}");
        std::fs::create_dir_all(&self.folder).map_err(broken)?;
        std::fs::write(self.folder.join("model.pml"), case.model).map_err(broken)?;
        std::fs::write(self.folder.join(&case.name), &case.text).map_err(broken)?;
        let (out, err) = (self.folder.join("out.txt"), self.folder.join("err.txt"));
        let child = Command::new(&self.orbit)
            .args(&case.words)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out).map_err(broken)?)
            .stderr(std::fs::File::create(&err).map_err(broken)?)
            .spawn()
            .map_err(broken)?;
        let status = ended(child)?;
        let err = std::fs::read(&err).map_err(broken)?;
        Ok(Ended {
            status,
            out: std::fs::read(&out).map_err(broken)?,
            err: String::from_utf8_lossy(&err).into_owned(),
        })
    }
}

impl Drop for Binary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Waits for the end; a run that takes more than twice its time is ended, and wrong.
fn ended(mut child: Child) -> Result<ExitStatus, String> {
    let start = Instant::now();
    // Time that the machine spends elsewhere does not count, where the system says how much it is.
    // Twice the limit, and what it takes to start and to end.
    let cpu_max = LIMIT * 2 + Duration::from_secs(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(why) => return Err(format!("cannot be waited for: {why}")),
        }
        let taken = cpu_time(child.id()).unwrap_or_else(|| start.elapsed());
        if taken > cpu_max || start.elapsed() > WALL_MAX {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("hangs: {:.1} s of CPU time", taken.as_secs_f64()));
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// The CPU time of a process, by the system's account of it.
fn cpu_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |n: usize| fields.get(n)?.parse::<u64>().ok();
    // A tick is a hundredth of a second on every system that has this file.
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

/// One object, whose verdict fits the exit code.
fn judge_json(code: i32, out: &[u8], case: &Case) -> Result<(), String> {
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
    match fits || !is_check {
        true => Ok(()),
        false => Err(format!("verdict {verdict:?} with exit code {code}")),
    }
}

/// What kind of thing is wrong, without its details.
pub fn kind(why: &str) -> &str {
    why.split(':').next().unwrap_or(why)
}
