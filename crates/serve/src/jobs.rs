//! Checks under way: processes of the program itself, which answer with `--json`.

use crate::Explorer;
use crate::child::{RunningCheck, message};
use page::{View, charts};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// So many may be under way at once.
const RUNNING_MAX: usize = 2;
/// So many answers are kept.
const KEPT_MAX: usize = 20;
/// How often a check says how far it is.
const PROGRESS: &str = "--progress=300ms";

/// What is asked for.
pub enum Request {
    /// `orbit check`.
    Check(WantedCheck),
    /// `orbit symmetry`, with pictures.
    Symmetry,
    /// `orbit view`.
    View(WantedView),
}

/// What is to be checked, and how.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedCheck {
    #[serde(default)]
    property: Option<String>,
    #[serde(default)]
    formula: Option<String>,
    #[serde(default)]
    logic: Logic,
    #[serde(default)]
    all_errors: bool,
    #[serde(default)]
    no_symmetry: bool,
}

/// Which logic a formula is of.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Logic {
    #[default]
    Ltl,
    Ctl,
}

/// What is to be drawn.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedView {
    #[serde(default, rename = "as")]
    kind: String,
    #[serde(default, rename = "where")]
    predicate: String,
    #[serde(default)]
    hide_self_loops: bool,
    #[serde(default)]
    around: Option<u32>,
}

/// Why nothing is begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Busy {
    /// Enough is under way.
    Running,
    /// The program cannot be started.
    NoProgram,
}

impl Busy {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Busy::Running => "two checks are under way: stop one, or wait for it",
            Busy::NoProgram => "the check cannot be started",
        }
    }
}

impl Request {
    /// The words of the command, before those that name the model.
    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut add = |word: &str| words.push(word.into());
        match self {
            Request::Check(wanted) => {
                add("check");
                add("--json");
                add(PROGRESS);
                if let Some(property) = &wanted.property {
                    add(&format!("--property={property}"));
                }
                if let Some(formula) = &wanted.formula {
                    let logic = match wanted.logic {
                        Logic::Ltl => "ltl",
                        Logic::Ctl => "ctl",
                    };
                    add(&format!("--{logic}={formula}"));
                }
                if wanted.all_errors {
                    add("--all-errors");
                }
                if wanted.no_symmetry {
                    add("--no-symmetry");
                }
            }
            Request::Symmetry => {
                add("symmetry");
                add("--json");
                add("--drawings");
            }
            Request::View(wanted) => {
                add("view");
                add("--json");
                add("--format=svg");
                if !wanted.kind.is_empty() {
                    add(&format!("--as={}", wanted.kind));
                }
                if !wanted.predicate.is_empty() {
                    add(&format!("--where={}", wanted.predicate));
                }
                if let Some(state) = wanted.around {
                    add(&format!("--around={state}"));
                }
                if wanted.hide_self_loops {
                    add("--hide-self-loops");
                }
            }
        }
        words
    }
}

/// How a job is.
#[derive(Clone, Debug, Serialize)]
pub struct JobObject {
    state: &'static str,
    progress: Option<String>,
    seconds: u64,
    error: Option<String>,
    result: Option<Value>,
    charts: BTreeMap<String, String>,
    view: Option<View>,
}

/// A process, and what came of it.
struct Job {
    check: RunningCheck,
    begun: Instant,
    known: Mutex<JobObject>,
}

impl Job {
    fn known(&self) -> MutexGuard<'_, JobObject> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_running(&self) -> bool {
        self.known().state == RUNNING
    }
}

const RUNNING: &str = "running";

/// All that was begun.
pub struct Jobs {
    program: PathBuf,
    words: Vec<OsString>,
    limits: Vec<OsString>,
    process: Option<String>,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
}

impl Jobs {
    /// None yet.
    pub fn new(explorer: &Explorer) -> Jobs {
        Jobs {
            program: explorer.program.clone(),
            words: explorer.words.clone(),
            limits: explorer.limits.clone(),
            process: explorer.process.clone(),
            jobs: Mutex::default(),
        }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins; the number of the job.
    pub fn begin(&self, request: &Request) -> Result<u64, Busy> {
        let mut jobs = self.jobs();
        if jobs.values().filter(|job| job.is_running()).count() >= RUNNING_MAX {
            return Err(Busy::Running);
        }
        // Checks are about the whole script; what is drawn is the process that is stepped through.
        let process = self.process.iter().map(|name| format!("--process={name}"));
        let process = process.filter(|_| matches!(request, Request::View(_)));
        let mut command = Command::new(&self.program);
        command.args(request.words()).args(process);
        command.args(&self.limits).args(&self.words);
        let check = RunningCheck::begin(&mut command).map_err(|_| Busy::NoProgram)?;
        let number = jobs.keys().next_back().map_or(1, |last| last + 1);
        let job = Arc::new(Job {
            check,
            begun: Instant::now(),
            known: Mutex::new(JobObject {
                state: RUNNING,
                progress: None,
                seconds: 0,
                error: None,
                result: None,
                charts: BTreeMap::new(),
                view: None,
            }),
        });
        jobs.insert(number, Arc::clone(&job));
        while jobs.len() > KEPT_MAX {
            let over = jobs.iter().find(|(_, job)| !job.is_running());
            let Some(number) = over.map(|(number, _)| *number) else {
                break;
            };
            jobs.remove(&number);
        }
        thread::spawn(move || attend(&job));
        Ok(number)
    }

    /// How a job is.
    pub fn state(&self, number: u64) -> Option<JobObject> {
        let job = self.jobs().get(&number).cloned()?;
        let known = job.known().clone();
        Some(JobObject {
            seconds: job.begun.elapsed().as_secs(),
            ..known
        })
    }

    /// Stops a job; whether there is such a job.
    pub fn stop(&self, number: u64) -> bool {
        let job = self.jobs().get(&number).cloned();
        if let Some(job) = job.as_ref().filter(|job| job.is_running()) {
            job.check.stop();
        }
        job.is_some()
    }

    /// Ends all that is under way.
    pub fn stop_all(&self) {
        for job in self.jobs().values().filter(|job| job.is_running()) {
            job.check.kill();
        }
    }
}

/// Waits for a process and keeps what it says.
fn attend(job: &Job) {
    let tell = |line: &str| job.known().progress = Some(line.to_owned());
    let answer = job.check.attend(&tell);
    let mut known = job.known();
    known.progress = None;
    match answer {
        Ok(object) => take_object(&mut known, object),
        Err(why) => known.error = Some(why.0),
    }
    known.state = "done";
}

fn take_object(known: &mut JobObject, object: Map<String, Value>) {
    known.view = page::view(&object);
    if known.view.is_some() {
        return;
    }
    let has_answer = object.contains_key("counts") || object.contains_key("generators");
    if !has_answer {
        known.error = message(&object).or(Some("there is no answer".to_owned()));
        return;
    }
    known.charts = charts(&object);
    known.result = Some(Value::Object(object));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(request: &Request) -> Vec<String> {
        let words = request.words();
        words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn what_is_asked_is_one_word_each_so_that_it_is_no_other_flag() {
        let wanted = WantedCheck {
            property: Some("--trail=x".to_owned()),
            formula: Some("-o y".to_owned()),
            ..WantedCheck::default()
        };
        let expected = [
            "check",
            "--json",
            PROGRESS,
            "--property=--trail=x",
            "--ltl=-o y",
        ];
        assert_eq!(words(&Request::Check(wanted)), expected);
        let view = WantedView {
            predicate: "--output=z".to_owned(),
            ..WantedView::default()
        };
        let expected = ["view", "--json", "--format=svg", "--where=--output=z"];
        assert_eq!(words(&Request::View(view)), expected);
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert!(serde_json::from_str::<WantedCheck>(r#"{"trail":"x"}"#).is_err());
        assert!(serde_json::from_str::<WantedView>(r#"{"output":"x"}"#).is_err());
    }
}
