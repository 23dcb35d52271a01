//! Many runs at random, from seeds that follow each other: for programs, and for files.

use super::{ChoiceMaker, Conversation, SimulatePlan, Simulator, run};
use crate::listener::Listener;
use crate::trail::{FileKind, Target};
use base::{Diagnostic, Diagnostics, Sources};
use report::answer::{Answer, Exit};
use report::object::MadeRun;
use report::page::Page;
use std::path::{Path, PathBuf};

/// How many runs are made, and where they are written.
pub struct ManyRuns<'a> {
    /// How many.
    pub n_runs: u64,
    /// The files, if there are to be some: the number of a run stands for `{}`.
    pub pattern: Option<&'a Path>,
    /// What such a file is.
    pub kind: &'static FileKind,
}

/// Many runs, from seeds that follow each other.
pub fn run_many(
    plan: &mut SimulatePlan,
    runs: &ManyRuns<'_>,
    sources: &Sources,
    listener: &dyn Listener,
) -> Result<Answer, Diagnostic> {
    let first = match plan.chosen {
        ChoiceMaker::Random(seed) => seed,
        _ => 0,
    };
    let (mut page, mut all, mut exit, mut last) = (Page::new(), Vec::new(), Exit::Holds, None);
    let mut found = Vec::new();
    for n in 0..runs.n_runs {
        let seed = first.wrapping_add(n);
        plan.chosen = ChoiceMaker::Random(seed);
        let made = run(&Simulator {
            plan,
            sources,
            conversation: &Silent,
            listener,
        })?;
        let file = runs.pattern.map(|pattern| numbered(pattern, n + 1));
        if let Some(file) = &file {
            let mut refused = Diagnostics::new();
            match Target::open(runs.kind, file, None, &mut refused) {
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
