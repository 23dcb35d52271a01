//! Other programs, run under a limit of CPU time.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// When a run is ended that does not end, whatever else the machine does.
const WALL_MAX: Duration = Duration::from_secs(120);

/// How a run ended.
pub struct RunEnd {
    pub status: ExitStatus,
    pub out: Vec<u8>,
    pub err: String,
}

/// Runs a command in a folder, where its output is kept meanwhile; a run that takes more CPU time
/// than `cpu_max` is ended, and the error says that it hangs.
pub fn run(command: &mut Command, folder: &Path, cpu_max: Duration) -> Result<RunEnd, String> {
    let broken = |why: std::io::Error| format!("cannot be run: {why}");
    let (out, err) = (folder.join("out.txt"), folder.join("err.txt"));
    let child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out).map_err(broken)?)
        .stderr(std::fs::File::create(&err).map_err(broken)?)
        .spawn()
        .map_err(broken)?;
    let status = wait(child, cpu_max)?;
    let err = std::fs::read(&err).map_err(broken)?;
    Ok(RunEnd {
        status,
        out: std::fs::read(&out).map_err(broken)?,
        err: String::from_utf8_lossy(&err).into_owned(),
    })
}

/// Waits for the end.
fn wait(mut child: Child, cpu_max: Duration) -> Result<ExitStatus, String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(why) => return Err(format!("cannot be waited for: {why}")),
        }
        // Time that the machine spends elsewhere does not count, where the system says how much
        // it is.
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
