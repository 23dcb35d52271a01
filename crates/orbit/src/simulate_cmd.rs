//! `orbit simulate`: one run of a model, step by step.

use crate::answer::Answer;
use crate::{output, watchdog};
use base::{Diagnostic, Sources};
use driver::simulate::{Conversation, SimulatePlan, Simulator};
use std::io::BufRead;

/// Carries out the plan.
pub fn run(plan: &SimulatePlan, sources: &Sources) -> Result<Answer, Diagnostic> {
    driver::simulate::run(&Simulator {
        plan,
        sources,
        conversation: &Terminal,
        listener: &watchdog::ProgressNotes,
    })
}

/// Standard input and output. Questions go to standard error, so that standard output is the run
/// and nothing else.
struct Terminal;

impl Conversation for Terminal {
    fn say(&self, words: &str) -> Result<(), Diagnostic> {
        output::say(words)
    }

    fn ask(&self, words: &str) {
        output::complain(words);
    }

    fn answer(&self) -> Result<Option<String>, Diagnostic> {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let n_bytes = read
            .map_err(|why| Diagnostic::unlocated(format!("cannot read standard input: {why}")))?;
        Ok((n_bytes > 0).then_some(line))
    }
}
