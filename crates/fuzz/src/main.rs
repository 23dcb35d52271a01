//! `cargo run -p fuzz -- 10000`: mutated inputs of all languages and commands for the binary.
//!
//! An input is made from one of our own models, formulas, trails, group or graph files by a few
//! mutations ([`mutate`]); a command with flags is drawn for it ([`lines`]); the binary is run
//! under limits of time and memory ([`run`]), and how it ended is judged: an exit code that is
//! documented, no panic, no signal, no overflow of the stack, no more than twice the time, and
//! with `--json` one object whose verdict fits the exit code. What is wrong is made smaller and
//! kept in a folder with the command that shows it.
//!
//! ```text
//! cargo run -p fuzz -- 10000                    so many inputs, seed 1
//! cargo run -p fuzz -- --seconds 120 --seed 7   as many as fit into the time
//! cargo run -p fuzz -- 50 --orbit PATH          another binary
//! cargo run -p fuzz -- --pan 500                random Promela programs beside SPIN ([`pan`])
//! cargo run -p fuzz -- --pan --show 17          the program with that number
//! cargo run -p fuzz -- --shrink FILE            what differs on that program, made smaller
//! ```
//!
//! The same seed gives the same inputs and commands. It exits with 1 if something was wrong.

mod lines;
mod mutate;
mod pan;
mod run;
mod seeds;

use run::{FuzzCase, OrbitBinary};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What was asked for.
struct Arguments {
    n_inputs: u64,
    seconds: Option<u64>,
    seed: u64,
    orbit: Option<PathBuf>,
    what: InputChoice,
}

/// Which inputs are made.
enum InputChoice {
    /// Broken ones.
    Broken,
    /// Promela programs, to be compared with SPIN.
    Pan,
    /// One Promela program, to be printed.
    Show(u64),
    /// One Promela program of a file, to be compared and made smaller.
    Shrink(PathBuf),
}

fn main() -> ExitCode {
    let asked = match asked(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(why) => {
            say(&format!("{why}\n"));
            return ExitCode::from(2);
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().unwrap_or(root);
    let orbit = match asked.orbit.clone().or_else(|| built(&root)) {
        Some(orbit) => orbit,
        None => {
            say("orbit could not be built; `--orbit PATH` names a binary\n");
            return ExitCode::from(2);
        }
    };
    let n_wrong = match &asked.what {
        InputChoice::Broken => fuzz(&asked, &root, &orbit),
        InputChoice::Pan => {
            let (start, kept) = (Instant::now(), root.join("target/fuzz"));
            let is_over = |n: u64| asked.is_over(n, start);
            pan::run(&orbit, &kept, asked.seed, &is_over)
        }
        InputChoice::Show(number) => {
            say(&pan::numbered(*number));
            0
        }
        InputChoice::Shrink(path) => pan::shrink_file(path, &orbit),
    };
    match n_wrong {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

impl Arguments {
    /// Whether so many inputs are enough.
    fn is_over(&self, n: u64, start: Instant) -> bool {
        match self.seconds {
            Some(seconds) => start.elapsed() >= Duration::from_secs(seconds),
            None => n >= self.n_inputs,
        }
    }
}

/// Runs the inputs; how many went wrong.
fn fuzz(asked: &Arguments, root: &Path, orbit: &Path) -> u64 {
    let seeds = seeds::all(root);
    let binary = OrbitBinary::new(orbit);
    let kept = root.join("target/fuzz");
    let (start, mut n_wrong, mut n_run) = (Instant::now(), 0, 0);
    while !asked.is_over(n_run, start) {
        // Each input has a generator of its own, so that one can be made again alone.
        let mut rng = fastrand::Rng::with_seed(asked.seed.wrapping_mul(1_000_003) + n_run);
        let case = lines::case(&seeds, &mut rng);
        n_run += 1;
        if let Err(why) = binary.judge(&case) {
            n_wrong += 1;
            let (small, why) = smaller(&binary, case, why);
            let place = kept.join(format!("{n_run}"));
            say(&format!(
                "input {n_run}: {why}\n  {}\n",
                keep(&small, &place)
            ));
        }
    }
    say(&format!("{} passed, {n_wrong} failed\n", n_run - n_wrong));
    n_wrong
}

/// A smaller input with which the same kind of thing goes wrong.
fn smaller(binary: &OrbitBinary, case: FuzzCase, why: String) -> (FuzzCase, String) {
    /// How often it is tried.
    const N_TRIES: usize = 150;
    let (mut case, mut why) = (case, why);
    let mut size = case.text.len() / 2;
    let mut n_tries = 0;
    while size > 0 && n_tries < N_TRIES {
        let mut at = 0;
        let mut is_smaller = false;
        while at < case.text.len() && n_tries < N_TRIES {
            n_tries += 1;
            let mut shorter = case.clone();
            shorter.text.drain(at..(at + size).min(case.text.len()));
            match binary.judge(&shorter) {
                Err(now) if run::kind(&now) == run::kind(&why) => {
                    (case, why, is_smaller) = (shorter, now, true);
                }
                _ => at += size,
            }
        }
        size = if is_smaller {
            size.min(case.text.len() / 2)
        } else {
            size / 2
        };
    }
    (case, why)
}

/// Writes an input down and gives the command that shows what is wrong with it.
fn keep(case: &FuzzCase, place: &Path) -> String {
    let written = std::fs::create_dir_all(place)
        .and_then(|()| std::fs::write(place.join(&case.name), &case.text));
    match written {
        Ok(()) => format!("cd {} && orbit {}", place.display(), case.words.join(" ")),
        Err(why) => format!("cannot be kept: {why}"),
    }
}

/// The binary of this workspace, built for development.
fn built(root: &Path) -> Option<PathBuf> {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package", "orbit"]);
    let is_built = cargo.current_dir(root).status().ok()?.success();
    let here = std::env::current_exe().ok()?;
    let orbit = here.parent()?.join("orbit");
    (is_built && orbit.exists()).then_some(orbit)
}

fn asked(words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut asked = Arguments {
        n_inputs: 1000,
        seconds: None,
        seed: 1,
        orbit: None,
        what: InputChoice::Broken,
    };
    let mut words = words;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        let number = |text: String| {
            let number = text.parse::<u64>();
            number.map_err(|_| format!("`{text}` is no number"))
        };
        match word.as_str() {
            "--seed" => asked.seed = number(value()?)?,
            "--seconds" => asked.seconds = Some(number(value()?)?),
            "--pan" => asked.what = InputChoice::Pan,
            "--show" => asked.what = InputChoice::Show(number(value()?)?),
            "--shrink" => asked.what = InputChoice::Shrink(value()?.into()),
            "--orbit" => asked.orbit = Some(value()?.into()),
            _ => asked.n_inputs = number(word)?,
        }
    }
    Ok(asked)
}

/// Tells the user something; where nobody listens nothing is lost.
fn say(words: &str) {
    let _ = std::io::stdout().lock().write_all(words.as_bytes());
}
