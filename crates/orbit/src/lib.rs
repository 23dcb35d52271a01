//! The commands of `orbit`. This file decides how a command ends, and nothing else.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | it holds; the question was answered, with yes if it was a yes-or-no question |
//! | 1 | it is violated; a yes-or-no question was answered with no |
//! | 2 | the input or the command line is wrong |
//! | 3 | unknown: a limit was reached first |
//! | 70 | a bug in orbit |
//!
//! What was typed ([`flags`]) becomes what it means ([`plan`]), with every mistake reported; then
//! one command carries the plan out and returns an [`Answer`], which is shown as text or JSON.

mod amounts;
pub mod check_cmd;
mod elsewhere;
mod flags;
mod interrupt;
mod itf_cmd;
mod languages;
mod lsp_cmd;
pub mod output;
mod page_cmd;
pub mod plan;
mod prompt;
mod serve_cmd;
mod simulate_cmd;
mod start_cmd;
mod strategies_cmd;
mod test_cmd;
mod view_cmd;
pub mod watchdog;

pub use report::{answer, page};

pub use driver::processes::OfProcesses;

use answer::{Answer, Exit};
use base::{Diagnostic, Diagnostics, Sources};
use flags::Command;
use model::frontend::Frontend;
use plan::Plan;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::process::ExitCode;

/// The binary `orbit`.
pub fn orbit() -> ExitCode {
    ended(run)
}

/// The same with further languages: all that a program for one more has to call.
pub fn orbit_with(added: &'static [&'static dyn Frontend]) -> ExitCode {
    languages::add(added);
    orbit()
}

/// Runs a command under watch, and reports it as a bug of ours if it panics.
pub fn ended(command: fn() -> Exit) -> ExitCode {
    std::panic::set_hook(Box::new(|info| output::complain(&bug_report(info))));
    ExitCode::from(watchdog::run(|| guard(command)).code())
}

/// One invocation, from the words typed to the answer shown.
fn run() -> Exit {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(advice) = flags::spin::advice(&words) {
        output::complain(&format!("error: {advice}\n"));
        return Exit::Input;
    }
    let (flags, typed) = match flags::read() {
        Ok(read) => read,
        Err(usage) => return show_usage(&usage),
    };
    let json = flags.json;
    if let Command::Bench(bench) = &flags.command {
        return elsewhere::bench(&bench.words, json);
    }
    if let Command::Lsp(_) = &flags.command {
        return lsp_cmd::run(json);
    }
    if let Command::Check(check) = &flags.command
        && check.reduce.as_deref() == Some(strategies_cmd::LIST)
    {
        return strategies_cmd::run(json);
    }
    let (time_max, memory_max) = flags.limits();
    watchdog::limits(json, time_max, memory_max);
    watchdog::phase("the model was read");
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let plan = plan::plan(flags, &typed, &mut sources, &mut found);
    let plan = match plan {
        Some(Plan::Serve(plan)) => match serve_cmd::run(*plan, json, &sources) {
            Ok(exit) => return exit,
            Err(refused) => {
                found.push(refused);
                None
            }
        },
        plan => plan,
    };
    let mut answer = plan.and_then(|plan| {
        perform(plan, &sources)
            .map_err(|refused| found.push(refused))
            .ok()
    });
    if let Some(answer) = &mut answer {
        let more = std::mem::take(&mut answer.found);
        more.into_iter()
            .for_each(|diagnostic| found.push(diagnostic));
    }
    watchdog::floor();
    output::show(answer, json, &sources, found)
}

/// Carries out a plan that has been found sound.
fn perform(plan: Plan, sources: &Sources) -> Result<Answer, Diagnostic> {
    match plan {
        Plan::Check(plan) => check_cmd::run(&plan),
        Plan::Symmetry(plan) => driver::explain::symmetry(&plan),
        Plan::Simulate(mut plan) => simulate_cmd::run(&mut plan, sources),
        Plan::View(plan) => view_cmd::run(&plan),
        Plan::Group(plan) => calculator::group::run(&plan),
        Plan::Graph(plan) => Ok(calculator::graph::run(&plan)),
        Plan::Ltl(plan) => Ok(calculator::automaton::run(*plan)),
        Plan::Completions(shell) => Ok(start_cmd::completions(shell)),
        Plan::Man(folder) => start_cmd::man(&folder),
        Plan::Example(name) => start_cmd::example(name.as_deref()),
        Plan::Test(plan) => test_cmd::run(&plan),
        Plan::Serve(_) => unreachable!("it has no answer at its end"),
        Plan::Recorded(plan, itf) => {
            let mut answer = perform(*plan, sources)?;
            itf.write(&mut answer);
            Ok(answer)
        }
        Plan::Paged(plan, target) => {
            let mut answer = perform(*plan, sources)?;
            let lost = page_cmd::write(&answer, &target, sources).err();
            answer.found.extend(lost);
            Ok(answer)
        }
    }
}

/// Help that was asked for goes to standard output; a mistake goes to standard error.
pub fn show_usage(usage: &clap::Error) -> Exit {
    // A closed pipe is the only way this fails, and then nobody reads the words.
    let _ = usage.print();
    if usage.use_stderr() {
        Exit::Input
    } else {
        Exit::Holds
    }
}

/// The outcome of `work`, or [`Exit::Bug`] if it panicked.
fn guard(work: impl FnOnce() -> Exit) -> Exit {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Bug)
}

/// What the user reads when an assertion of ours fails.
fn bug_report(info: &PanicHookInfo) -> String {
    let what = info.payload_as_str().unwrap_or("no message");
    let place = info
        .location()
        .map_or_else(|| "an unknown place".to_owned(), |l| l.to_string());
    format!(
        "\norbit: this is a bug in orbit, not in your input.\n\
         \n  {what}\n  at {place}, orbit {version}\n\
         \nNo result was computed. Please send us these lines, the command line, and the files it\n\
         names; with RUST_BACKTRACE=1 set, also what is printed then.\n{backtrace}",
        version = env!("CARGO_PKG_VERSION"),
        backtrace = backtrace(),
    )
}

fn backtrace() -> String {
    let backtrace = std::backtrace::Backtrace::capture();
    match backtrace.status() {
        std::backtrace::BacktraceStatus::Captured => format!("\n{backtrace}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug_and_says_so() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let sender = std::sync::Mutex::new(sender);
        let earlier = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let _ = sender.lock().map(|s| s.send(bug_report(info)));
        }));
        let exit = guard(|| panic!("the sky fell on {}", 7));
        std::panic::set_hook(earlier);
        assert_eq!(exit.code(), 70);
        let report = receiver.recv().expect("the hook ran");
        for part in [
            "this is a bug in orbit",
            "the sky fell on 7",
            "lib.rs",
            "Please send us",
        ] {
            assert!(report.contains(part), "{part:?} is missing from {report}");
        }
    }

    #[test]
    fn work_that_ends_keeps_its_outcome() {
        assert_eq!(guard(|| Exit::Violated).code(), 1);
    }
}
