//! `orbit simulate`: one run of a model, step by step, or many at random.

use crate::answer::{Answer, Exit};
use crate::itf_cmd::ITF;
use crate::page::Page;
use crate::plan::SimulatePlan;
use crate::{output, watchdog};
use base::{Diagnostic, Diagnostics, Sources};
use driver::simulate::{ChoiceMaker, Conversation, Simulated, Simulator};
use driver::trail::Target;
use report::object::MadeRun;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Carries out the plan.
pub fn run(plan: &mut SimulatePlan, sources: &Sources) -> Result<Answer, Diagnostic> {
    if let Some(n_runs) = plan.n_runs {
        return many(plan, n_runs, sources);
    }
    let made = once(plan, &Terminal, sources)?;
    let mut lost = None;
    if let Some(target) = &plan.trail {
        lost = target.write(&report::itf::text(&made.run, None)).err();
    }
    let mut answer = made.answer();
    answer.found.extend(lost);
    Ok(answer)
}

fn once(
    plan: &SimulatePlan,
    conversation: &dyn Conversation,
    sources: &Sources,
) -> Result<Simulated, Diagnostic> {
    driver::simulate::run(&Simulator {
        plan: &plan.run,
        sources,
        conversation,
        listener: &watchdog::ProgressNotes,
    })
}

/// Many runs, from seeds that follow each other.
fn many(plan: &mut SimulatePlan, n_runs: u64, sources: &Sources) -> Result<Answer, Diagnostic> {
    let first = match plan.run.chosen {
        ChoiceMaker::Random(seed) => seed,
        _ => 0,
    };
    let (mut page, mut all, mut exit, mut last) = (Page::new(), Vec::new(), Exit::Holds, None);
    let mut found = Vec::new();
    for n in 0..n_runs {
        let seed = first.wrapping_add(n);
        plan.run.chosen = ChoiceMaker::Random(seed);
        let made = once(plan, &Silent, sources)?;
        let file = plan
            .pattern
            .as_ref()
            .map(|pattern| numbered(pattern, n + 1));
        if let Some(file) = &file {
            let mut refused = Diagnostics::new();
            match Target::open(&ITF, file, None, &mut refused) {
                Some(target) => {
                    found.extend(target.write(&report::itf::text(&made.run, None)).err())
                }
                None => return Err(refused.sorted().remove(0)),
            }
        }
        let file = file.map(|file| file.display().to_string());
        let words = format!(
            "seed {seed}, {}{}",
            made.run.message,
            file.as_ref()
                .map_or(String::new(), |file| format!(", in {file}"))
        );
        page.row(&(n + 1).to_string(), &words);
        exit = worse(exit, made.exit);
        all.push(MadeRun {
            seed,
            n_steps: made.run.n_steps,
            ended: made.run.ended.clone(),
            file,
        });
        let is_over = matches!(&*made.run.ended, "time" | "interrupted");
        last = Some(made.run);
        if is_over {
            break;
        }
    }
    let Some(mut run) = last else {
        return Err(Diagnostic::unlocated(
            "`--runs` needs a number of at least 1",
        ));
    };
    run.runs = Some(all);
    Ok(Answer {
        found,
        ..Answer::told(exit, page, &run)
    })
}

/// How several runs end: with an error if one does, else unknown if one is.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Holds => 0,
        Exit::Unknown => 1,
        _ => 2,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// The file of a run: its number stands for `{}`.
fn numbered(pattern: &Path, n: u64) -> PathBuf {
    PathBuf::from(pattern.to_string_lossy().replace("{}", &n.to_string()))
}

/// Nobody: a run is made, and told afterwards.
pub struct Silent;

impl Conversation for Silent {
    fn say(&self, _: &str) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn ask(&self, _: &str) {}

    fn answer(&self) -> Result<Option<String>, Diagnostic> {
        Ok(None)
    }
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
