//! Signals that ask for an end (Ctrl-C, SIGTERM, SIGHUP): the first one asks the command to stop
//! with what is known, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first signal, and never unset.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell reports for a program that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// What the search looks at, after the signals have been taken over.
pub fn watch() -> &'static AtomicBool {
    // Where signals cannot be had, they end the program as they always do.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    &INTERRUPTED
}
