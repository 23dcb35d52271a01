//! What was measured: rows as they are made, lines in a file, fields for programs.

use super::clock::Pace;
use base::Diagnostic;
use orbit::output;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// One program on one case.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The suite that the case belongs to.
    pub suite: &'static str,
    /// The case.
    pub case: String,
    /// The program: `orbit` is ours.
    pub tool: &'static str,
    /// How it went.
    pub outcome: RunOutcome,
    /// The seconds that the rival needs for one over the seconds that we need.
    pub ratio: Option<f64>,
    /// What was counted on the way, where something is.
    pub figures: Option<Figures>,
}

/// What a search counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// States stored.
    pub n_states: u64,
    /// Ways into a stored state.
    pub n_transitions: u64,
    /// What a state took, its share of tables included.
    pub bytes_per_state: Option<f64>,
    /// Where the time of the search went, if that is known.
    pub shares: Option<TimeShares>,
}

/// Parts of the time of a search, each from 0 to 1; the rest went into storing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeShares {
    /// For choosing representatives.
    pub representatives: f64,
    /// For generating successors.
    pub successors: f64,
}

impl TimeShares {
    /// The shares of a search in which so much went into representatives, storing and successors;
    /// `None` where nothing was timed.
    pub fn of([reducing, storing, generating]: [Duration; 3]) -> Option<TimeShares> {
        let whole = (reducing + storing + generating).as_secs_f64();
        (whole > 0.0).then(|| TimeShares {
            representatives: reducing.as_secs_f64() / whole,
            successors: generating.as_secs_f64() / whole,
        })
    }
}

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub enum RunOutcome {
    /// It was measured.
    Measured {
        /// How often in what time.
        pace: Pace,
        /// The method that was the fastest, or another remark.
        remark: String,
        /// Whether its result is ours; `None` if that was not compared.
        agrees: Option<bool>,
    },
    /// It was stopped after so many seconds of CPU time.
    Limit(f64),
    /// It used up its memory after so many seconds of CPU time.
    OutOfMemory(f64),
    /// It was made by others on another machine, and is told in print.
    Printed {
        /// When.
        source: &'static str,
        /// How long it took; `None` if it was not finished.
        seconds: Option<f64>,
        /// States stored.
        n_states: Option<u64>,
        /// Whether its result is ours; `None` if that was not compared.
        agrees: Option<bool>,
    },
    /// The program is not on this machine.
    NotInstalled,
    /// It ended without an answer, for this reason.
    Failed(String),
}

impl RunOutcome {
    /// A measurement without more to say.
    pub fn of(pace: Pace) -> RunOutcome {
        RunOutcome::Measured {
            pace,
            remark: String::new(),
            agrees: None,
        }
    }

    /// Seconds for one, if it was measured.
    pub fn each(&self) -> Option<f64> {
        match self {
            RunOutcome::Measured { pace, .. } => Some(pace.each()),
            _ => None,
        }
    }

    /// Notes whether the result is ours.
    pub fn agreeing(mut self, with_ours: Option<bool>) -> RunOutcome {
        if let RunOutcome::Measured { agrees, .. } = &mut self {
            *agrees = with_ours;
        }
        self
    }

    fn word(&self) -> &'static str {
        match self {
            RunOutcome::Measured { .. } => "measured",
            RunOutcome::Limit(_) => "limit",
            RunOutcome::OutOfMemory(_) => "out of memory",
            RunOutcome::Printed { .. } => "printed",
            RunOutcome::NotInstalled => "not installed",
            RunOutcome::Failed(_) => "failed",
        }
    }
}

impl RecordedRun {
    /// The run as an object; every run has every key.
    pub fn json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("suite".to_owned(), json!(self.suite));
        fields.insert("case".to_owned(), json!(self.case));
        fields.insert("tool".to_owned(), json!(self.tool));
        fields.insert("outcome".to_owned(), json!(self.outcome.word()));
        let (times, seconds, remark, agrees) = match &self.outcome {
            RunOutcome::Measured {
                pace,
                remark,
                agrees,
            } => (
                json!(pace.times),
                json!(pace.cpu_seconds),
                json!(remark),
                json!(agrees),
            ),
            RunOutcome::Limit(seconds) | RunOutcome::OutOfMemory(seconds) => {
                (json!(null), json!(seconds), json!(""), json!(null))
            }
            RunOutcome::Printed {
                source,
                seconds,
                agrees,
                ..
            } => (json!(null), json!(seconds), json!(source), json!(agrees)),
            RunOutcome::NotInstalled => (json!(null), json!(null), json!(""), json!(null)),
            RunOutcome::Failed(why) => (json!(null), json!(null), json!(why), json!(null)),
        };
        fields.insert("times".to_owned(), times);
        fields.insert("cpu_seconds".to_owned(), seconds);
        fields.insert("seconds_each".to_owned(), json!(self.outcome.each()));
        fields.insert("ratio".to_owned(), json!(self.ratio));
        fields.insert("remark".to_owned(), remark);
        fields.insert("agrees".to_owned(), agrees);
        let each = self.outcome.each();
        let rate = |n: u64| each.map(|seconds| n as f64 / seconds);
        let figures = self.figures;
        let printed = match &self.outcome {
            RunOutcome::Printed { n_states, .. } => *n_states,
            _ => None,
        };
        let states = figures.map(|f| f.n_states).or(printed);
        let transitions = figures.map(|f| f.n_transitions);
        let bytes = figures.and_then(|f| f.bytes_per_state);
        fields.insert("states".to_owned(), json!(states));
        fields.insert("transitions".to_owned(), json!(transitions));
        let states = json!(states.and_then(rate));
        fields.insert("states_per_second".to_owned(), states);
        let transitions = json!(transitions.and_then(rate));
        fields.insert("transitions_per_second".to_owned(), transitions);
        fields.insert("bytes_per_state".to_owned(), json!(bytes));
        let shares = figures.and_then(|f| f.shares);
        let share = json!(shares.map(|s| s.representatives));
        fields.insert("representatives_share".to_owned(), share);
        let share = json!(shares.map(|s| s.successors));
        fields.insert("successors_share".to_owned(), share);
        Value::Object(fields)
    }
}

/// Takes runs as they are made.
pub struct Recorder {
    runs: Vec<RecordedRun>,
    file: Option<File>,
}

impl Recorder {
    /// A recorder that also writes lines into the file at `path`, which it empties.
    pub fn new(path: Option<&Path>) -> Result<Recorder, Diagnostic> {
        let open = |path: &Path| {
            File::create(path).map_err(|why| {
                let name = base::quote(&path.display().to_string());
                Diagnostic::unlocated(format!("cannot write {name}: {why}"))
            })
        };
        Ok(Recorder {
            runs: Vec::new(),
            file: path.map(open).transpose()?,
        })
    }

    /// Keeps the run, shows it and writes its line; the ratio is worked out here.
    pub fn add(
        &mut self,
        suite: &'static str,
        case: &str,
        tool: &'static str,
        outcome: RunOutcome,
        figures: Option<Figures>,
    ) {
        let ours = self.our_seconds(suite, case);
        let ratio = ours.zip(outcome.each()).map(|(ours, its)| its / ours);
        let run = RecordedRun {
            suite,
            case: case.to_owned(),
            tool,
            outcome,
            ratio: ratio.filter(|_| tool != "orbit"),
            figures,
        };
        output::complain(&format!(
            "{suite:<7} {case:<28} {tool:<12} {}\n",
            super::table::cell(&run)
        ));
        if let Some(file) = &mut self.file {
            // A full disk costs the file, not the measurements.
            let _ = writeln!(file, "{}", run.json());
        }
        self.runs.push(run);
    }

    /// All runs so far.
    pub fn runs(&self) -> &[RecordedRun] {
        &self.runs
    }

    fn our_seconds(&self, suite: &str, case: &str) -> Option<f64> {
        let ours =
            |run: &&RecordedRun| run.suite == suite && run.case == case && run.tool == "orbit";
        self.runs.iter().find(ours)?.outcome.each()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_rival_over_ours() {
        let mut recorder = Recorder::new(None).expect("no file");
        let pace = |times| {
            RunOutcome::of(Pace {
                times,
                cpu_seconds: 1.0,
            })
        };
        recorder.add("images", "S8", "orbit", pace(100), None);
        recorder.add("images", "S8", "nauty", pace(25), None);
        recorder.add("images", "S9", "nauty", pace(25), None);
        recorder.add("images", "S8", "bliss", RunOutcome::Limit(3.0), None);
        let ratios: Vec<Option<f64>> = recorder.runs().iter().map(|run| run.ratio).collect();
        assert_eq!(ratios, [None, Some(4.0), None, None]);
        let keys = |run: &RecordedRun| run.json().as_object().map(|o| o.keys().cloned().collect());
        let all: Vec<Option<Vec<String>>> = recorder.runs().iter().map(keys).collect();
        assert!(all.iter().all(|keys| *keys == all[0]), "{all:?}");
    }
}
