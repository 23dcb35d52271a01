//! What a command says that could not answer in time.

use crate::answer::{Answer, Exit};
use crate::page::Page;
use base::Clock;
use check::StopReason;
use report::object::Unanswered;
use report::{Verdict, reason_word};

/// The answer where nothing is known, with a reason in words.
pub fn unknown(reason: StopReason, words: &str) -> Answer {
    let mut page = Page::new();
    page.row("unknown", words);
    let told = Unanswered {
        verdict: Some(Verdict::Unknown),
        stop_reason: Some(reason_word(reason).to_owned()),
        reason: Some(words.to_owned()),
        ..Unanswered::wrong_input()
    };
    Answer::told(Exit::Unknown, page, &told)
}

/// Why something was left open, in one word, for programs.
pub fn stop_word(clock: Clock<'_>) -> &'static str {
    let reason = clock.ask().err().map_or(StopReason::Time, StopReason::from);
    reason_word(reason)
}
