//! Limits that every phase obeys, whatever it is doing.
//!
//! A command runs on a thread of its own. Its searches look at the clock, at their memory and for
//! signals themselves, and end with a full answer. What does not look in time (the reading of a
//! huge text, the search for symmetries, one long evaluation) is ended from outside: the watchdog
//! looks from another thread, and if the command has not ended [`GRACE`] after its limit, it gives
//! the answer that is known so far, with the verdict *unknown*, and ends the process.
//!
//! So that there is something to tell, a command keeps [`KnownProgress`] up to date: which phase it
//! is in, what is asked, what was answered, how far a search has come. Exactly one of the two
//! threads speaks: whoever takes the [`floor`] first.
//!
//! Worked example: `--time 5s`, and detection would take a minute. At 5 s nothing happens, for
//! detection does not look at the clock; at 6.5 s the watchdog takes the floor, says "unknown: time
//! ran out while symmetries were looked for", and the exit code is 3.

use crate::answer::{Answer, Exit};
use crate::{interrupt, output};
use base::{Clock, Diagnostics, Sources};
use check::{Counts, Progress, StopReason};
use driver::listener::Listener;
use report::answer::cause;
use report::{Property, RequestedCheck, Summary, Unchecked};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than its limit a command may take to end by itself.
const GRACE: Duration = Duration::from_millis(1500);
/// The same for memory, of which more is taken meanwhile.
const MEMORY_GRACE: Duration = Duration::from_millis(200);
/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(25);
/// What a process takes besides what is accounted for.
const SLACK_BYTES: u64 = 128 << 20;
/// How large the stack is that a command runs on, the first that can be had. Memory is reserved,
/// and taken only as far as it is used. Parsers refuse what is nested so deep that this would not
/// do; what is merely long takes no stack. That of the main thread is as large as the shell says
/// (`ulimit -s`), which may be next to nothing.
const STACK_BYTES: [usize; 4] = [1 << 30, 512 << 20, 128 << 20, 32 << 20];

/// What is known of a command that is under way.
#[derive(Default)]
pub struct KnownProgress {
    /// Whether the answer is data.
    json: bool,
    /// How long it may take, from the start of the process.
    time_max: Option<Duration>,
    /// How much memory states may take.
    memory_bytes_max: Option<u64>,
    /// What it is doing, as in "time ran out while …".
    phase: Option<&'static str>,
    /// The model, for commands that have one.
    model: Option<report::Model>,
    /// What is asked and not answered yet, by name and kind.
    asked: Vec<(String, String)>,
    /// What was answered.
    answered: Vec<Property>,
    /// How far the search has come.
    progress: Option<Progress>,
}

static KNOWN: Mutex<Option<KnownProgress>> = Mutex::new(None);
static SPOKEN: AtomicBool = AtomicBool::new(false);
static START: OnceLock<Instant> = OnceLock::new();
static STACK: AtomicUsize = AtomicUsize::new(0);

fn known() -> MutexGuard<'static, Option<KnownProgress>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn update(change: impl FnOnce(&mut KnownProgress)) {
    change(known().get_or_insert_default());
}

/// The limits of the command line, as far as they were understood.
pub fn limits(json: bool, time_max: Option<Duration>, memory_bytes_max: Option<u64>) {
    update(|known| {
        (known.json, known.time_max) = (json, time_max);
        known.memory_bytes_max = memory_bytes_max;
    });
}

/// From now on the command is in this phase, as in "time ran out while …".
pub fn phase(words: &'static str) {
    update(|known| known.phase = Some(words));
}

/// What is asked of which model.
pub fn asked(model: report::Model, asked: Vec<(String, String)>) {
    update(|known| (known.model, known.asked) = (Some(model), asked));
}

/// Something that is asked has an answer.
pub fn answered(property: &Property) {
    update(|known| {
        known.asked.retain(|(name, _)| *name != property.name);
        known.answered.push(property.clone());
    });
}

/// How far a search has come.
pub fn progress(progress: &Progress) {
    update(|known| known.progress = Some(*progress));
}

/// What the library tells of a check under way.
pub struct ProgressNotes;

impl Listener for ProgressNotes {
    fn phase(&self, words: &'static str) {
        phase(words);
    }

    fn asked(&self, model: report::Model, all: Vec<(String, String)>) {
        asked(model, all);
    }

    fn answered(&self, property: &Property) {
        answered(property);
    }

    fn progress(&self, now: &Progress) {
        progress(now);
    }
}

/// The clock of a command with this limit, which ends with signals, too. The time is counted from
/// the start of the process; for a run within a command that has no limit of its own, from now.
pub fn clock(time_max: Option<Duration>) -> Clock<'static> {
    let is_own = known()
        .as_ref()
        .is_some_and(|known| known.time_max.is_some());
    let start = START.get().filter(|_| is_own);
    let start = start.copied().unwrap_or_else(Instant::now);
    Clock::since(start, time_max).interrupted_by(interrupt::watch())
}

/// Takes the right to give the answer. Whoever comes second waits for the end of the process.
pub fn floor() {
    if SPOKEN.swap(true, Ordering::SeqCst) {
        loop {
            thread::park();
        }
    }
}

/// Runs a command on a thread of its own, under watch.
pub fn run(command: impl Fn() -> Exit + Copy + Send) -> Exit {
    START.get_or_init(Instant::now);
    interrupt::watch();
    thread::scope(|scope| {
        let watchdog = thread::Builder::new().spawn(watch);
        for bytes in STACK_BYTES {
            let builder = thread::Builder::new().stack_size(bytes);
            STACK.store(bytes, Ordering::SeqCst);
            if let Ok(worker) = builder.spawn_scoped(scope, command) {
                return worker.join().unwrap_or(Exit::Bug);
            }
        }
        drop(watchdog);
        STACK.store(0, Ordering::SeqCst);
        command()
    })
}

/// How large the stack is that the command runs on; 0 if that is not known.
pub fn stack_bytes() -> usize {
    STACK.load(Ordering::SeqCst)
}

/// Looks at the limits until the process ends.
fn watch() {
    let mut late_since: Option<Instant> = None;
    loop {
        thread::sleep(TICK);
        let Some(reason) = over() else {
            late_since = None;
            continue;
        };
        let since = *late_since.get_or_insert_with(Instant::now);
        let grace = match reason {
            StopReason::Memory => MEMORY_GRACE,
            _ => GRACE,
        };
        if since.elapsed() < grace {
            continue;
        }
        floor();
        let exit = give_answer(reason);
        std::process::exit(i32::from(exit.code()));
    }
}

/// Why the command should have ended, if so.
fn over() -> Option<StopReason> {
    let limits = known()
        .as_ref()
        .map(|known| (known.time_max, known.memory_bytes_max));
    let (time_max, memory_bytes_max) = limits.unwrap_or_default();
    if let Err(over) = clock(time_max).ask() {
        return Some(over.into());
    }
    let max = memory_bytes_max?;
    let max = max.saturating_add(max / 8).saturating_add(SLACK_BYTES);
    resident_bytes()
        .is_some_and(|taken| taken > max)
        .then_some(StopReason::Memory)
}

/// The memory of the process, as far as this system says how much that is.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kilobytes.checked_mul(1024)
}

/// Tells what is known, with the verdict *unknown*.
fn give_answer(reason: StopReason) -> Exit {
    let known = known().take().unwrap_or_default();
    let json = known.json;
    let answer = answer(known, reason);
    output::show(Some(answer), json, &Sources::new(), Diagnostics::new())
}

/// The answer of a command that did not end in time.
fn answer(known: KnownProgress, reason: StopReason) -> Answer {
    let phase = known.phase.unwrap_or("the command was read");
    let words = format!("{} while {phase}", cause(reason));
    let Some(model) = known.model else {
        return report::answer::unknown(reason, &words);
    };
    let unchecked = known.asked.into_iter().map(|(name, kind)| Unchecked {
        name,
        kind,
        reason: words.clone(),
    });
    let request = RequestedCheck::of_rest(model, unchecked.collect());
    let mut summary = Summary::of_properties(request, known.answered);
    summary.stop_reason = Some(reason);
    summary.verdict = report::Verdict::of_all([summary.verdict, report::Verdict::Unknown]);
    summary.notes.push(words);
    if let Some(progress) = known.progress {
        summary.counts = Some(Counts {
            n_states: progress.n_states,
            n_transitions: progress.n_transitions,
            depth: progress.depth,
        });
        summary.peak_bytes = progress.memory_bytes;
    }
    summary.times.total = START.get().map_or(Duration::ZERO, Instant::elapsed);
    crate::check_cmd::summarised(&summary)
}
