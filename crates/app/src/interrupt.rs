//! Ctrl-C: the first one asks the search to stop, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first Ctrl-C, and never unset.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell reports for a program that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// What the search looks at, after Ctrl-C has been taken over.
pub fn watch() -> &'static AtomicBool {
    // Where signals cannot be had, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    &INTERRUPTED
}
