//! `orbit check`: what was read, or what a search found.

pub use driver::assertions::{Prepared, Unready};
pub use driver::conduct::Ready;

use crate::answer::{Answer, Exit};
use crate::page::Page;
use crate::plan::{CheckPlan, Listing};
use crate::{output, watchdog};
use base::{Colour, Diagnostic};
use check::Progress;
use driver::conduct::Conducted;
use driver::plan::{CheckPlan as Searched, SearchOptions};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::object::{Accepted, VERSION};
use report::{Summary, TextStyle, Verdict};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How many steps of a run text shows; JSON has all.
const N_STEPS_MAX: usize = 200;

/// Carries out the plan.
pub fn run(plan: &CheckPlan) -> Result<Answer, Diagnostic> {
    match plan {
        CheckPlan::Parse(read) => Ok(accepted(read.about.clone(), &read.parts)),
        CheckPlan::Search(plan) => search(plan),
    }
}

/// Checks a model.
fn search(plan: &Searched) -> Result<Answer, Diagnostic> {
    let mut line = ProgressLine::new(&plan.how);
    let mut tell = |progress: &Progress| line.tell(progress);
    let conducted = driver::conduct::check(plan, &watchdog::ProgressNotes, &mut tell);
    line.bar.finish_and_clear();
    let Conducted {
        summary,
        found,
        is_refused,
        is_wrong,
    } = conducted?;
    if is_refused {
        return Ok(Answer {
            exit: Exit::Input,
            // The message says all that people need.
            text: String::new(),
            json: report::json(&summary),
            found,
        });
    }
    let answer = answer(&summary, plan.how.full);
    Ok(Answer {
        exit: match (is_wrong, summary.stop_reason, summary.verdict) {
            (true, ..) => Exit::Input,
            // Something that was to be printed was not worked out.
            (_, Some(_), Verdict::Holds) => Exit::Unknown,
            _ => answer.exit,
        },
        found,
        ..answer
    })
}

/// What is shown of a summary that was made without the model.
pub(crate) fn summarised(summary: &Summary) -> Answer {
    answer(summary, Listing::Hidden)
}

/// What is shown of a summary.
fn answer(summary: &Summary, full: Listing) -> Answer {
    Answer {
        exit: exit(summary.verdict),
        text: report::text(summary, &look(full)),
        json: report::json(summary),
        found: Vec::new(),
    }
}

/// How text looks; in full, if that was asked for.
fn look(full: Listing) -> TextStyle {
    let full = full == Listing::Shown;
    TextStyle {
        colour: Colour::Always,
        width: output::width(),
        n_steps_max: if full { usize::MAX } else { N_STEPS_MAX },
        full,
    }
}

/// How a verdict ends the command.
fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::Violated => Exit::Violated,
        // The whole is never switched off.
        Verdict::Unknown | Verdict::NotChecked => Exit::Unknown,
    }
}

/// How far a search is, on standard error: a line that is drawn over on terminals, else a new line
/// from time to time.
struct ProgressLine {
    bar: ProgressBar,
    /// How often there is a new line, and when there was the last.
    every: Option<Duration>,
    last: Instant,
}

impl ProgressLine {
    fn new(how: &SearchOptions) -> ProgressLine {
        ProgressLine {
            bar: progress_bar(how.progress),
            every: how.line_every.filter(|_| !std::io::stderr().is_terminal()),
            last: Instant::now(),
        }
    }

    fn tell(&mut self, progress: &Progress) {
        self.bar.set_message(report::progress(progress));
        if self.every.is_some_and(|every| self.last.elapsed() >= every) {
            self.last = Instant::now();
            output::complain(&format!("{}\n", report::progress(progress)));
        }
    }
}

/// A line on standard error that is drawn over, if that is a terminal and somebody wants it.
fn progress_bar(listing: Listing) -> ProgressBar {
    let target = match listing {
        Listing::Shown => ProgressDrawTarget::stderr(),
        Listing::Hidden => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_msg}").expect("a template of ours");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// What is said of a text that is right: how many there are of each kind of part.
fn accepted(model: report::Model, parts: &[(&str, usize)]) -> Answer {
    let mut page = Page::new();
    page.row("accepted", &model.path);
    for (name, n) in parts.iter().filter(|(_, n)| *n > 0) {
        page.row(name, &n.to_string());
    }
    let parts = parts.iter().map(|(name, n)| (name.replace(' ', "_"), *n));
    let json = Accepted {
        orbit: VERSION.to_owned(),
        model,
        accepted: true,
        parts: parts.collect(),
        diagnostics: Vec::new(),
    };
    Answer::told(Exit::Holds, page, &json)
}
