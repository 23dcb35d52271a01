//! What a command says that could not answer in time.

use crate::answer::{Answer, Exit};
use crate::page::Page;
use base::Clock;
use check::StopReason;

/// The answer where nothing is known, with a reason in words.
pub fn unknown(reason: StopReason, words: &str) -> Answer {
    let mut page = Page::new();
    page.row("unknown", words);
    page.field("verdict", "unknown");
    page.field("stop_reason", report::reason_word(reason));
    page.field("reason", words);
    Answer::new(Exit::Unknown, page)
}

/// Says for programs why something was left open.
pub fn put_stop_reason(page: &mut Page, clock: Clock<'_>) {
    let reason = clock.ask().err().map_or(StopReason::Time, StopReason::from);
    page.field("stop_reason", report::reason_word(reason));
}
