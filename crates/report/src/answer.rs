//! What a command hands back: the words for people, the data for programs, and how it went.

use crate::object::Unanswered;
use crate::page::Page;
use crate::{Verdict, reason_word};
use base::{Clock, Diagnostic};
use check::StopReason;

/// How an invocation ended; [`Exit::code`] is what the shell sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It holds, the answer is yes, or nothing was asked that could fail.
    Holds,
    /// It is violated, or the answer is no.
    Violated,
    /// The input or the command line is wrong.
    Input,
    /// A limit came first, or part of what was asked was not checked.
    Unknown,
    /// A panic of ours.
    Bug,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Input => 2,
            Exit::Unknown => 3,
            Exit::Bug => 70,
        }
    }

    /// The exit of a command that asked a yes-or-no question.
    pub fn of_answer(yes: bool) -> Exit {
        if yes { Exit::Holds } else { Exit::Violated }
    }
}

/// The result of a command.
pub struct Answer {
    /// How it went.
    pub exit: Exit,
    /// For people; may hold ANSI styles, which are taken out where nobody sees them.
    pub text: String,
    /// For programs: an object.
    pub json: serde_json::Map<String, serde_json::Value>,
    /// What is wrong with the input, where an answer can be given nevertheless, and warnings.
    pub found: Vec<Diagnostic>,
}

impl Answer {
    /// What the page holds for people, and an object for programs.
    pub fn told(exit: Exit, page: Page, object: &impl serde::Serialize) -> Answer {
        Answer {
            json: crate::object::fields(object),
            ..Answer::new(exit, page)
        }
    }

    /// What the page holds.
    pub fn new(exit: Exit, page: Page) -> Answer {
        let (text, json) = page.finish();
        Answer {
            exit,
            text,
            json,
            found: Vec::new(),
        }
    }
}

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

/// Why something ended early, as in "time ran out while …".
pub fn cause(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "time ran out",
        StopReason::Memory => "memory ran out",
        _ => "the command was interrupted",
    }
}
