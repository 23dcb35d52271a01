//! What `orbit` says of a program, with each of its settings.

use crate::limited;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The CPU time of a search.
const CPU_MAX: Duration = Duration::from_secs(20);

/// A setting of `orbit check`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckSetting {
    Plain,
    PlainReduced,
    Spin,
    Full,
    Default,
    DepthFirst,
    Enumerated,
    Audited,
}

/// The settings that every program is checked with.
const ALWAYS: [CheckSetting; 4] = [
    CheckSetting::Plain,
    CheckSetting::Spin,
    CheckSetting::Full,
    CheckSetting::Audited,
];

/// The settings that programs are checked with in turn, because each costs time.
const IN_TURN: [CheckSetting; 4] = [
    CheckSetting::PlainReduced,
    CheckSetting::Default,
    CheckSetting::DepthFirst,
    CheckSetting::Enumerated,
];

/// The settings that a program is checked with, by its text.
pub fn settings(text: &str) -> Vec<CheckSetting> {
    let sum = text.bytes().map(usize::from).sum::<usize>();
    let mut all = ALWAYS.to_vec();
    all.push(IN_TURN[sum % IN_TURN.len()]);
    all
}

/// All settings.
pub(crate) const SETTINGS: [CheckSetting; 8] = [
    CheckSetting::Plain,
    CheckSetting::PlainReduced,
    CheckSetting::Spin,
    CheckSetting::Full,
    CheckSetting::Default,
    CheckSetting::DepthFirst,
    CheckSetting::Enumerated,
    CheckSetting::Audited,
];

impl CheckSetting {
    fn flags(self) -> &'static [&'static str] {
        match self {
            CheckSetting::Plain => &["--plain", "--no-symmetry"],
            CheckSetting::PlainReduced => &["--plain", "--count-full"],
            CheckSetting::Spin => &["--spin-compat", "--no-symmetry"],
            CheckSetting::Full => &["--no-symmetry"],
            CheckSetting::Default => &[],
            CheckSetting::DepthFirst => &["--search", "dfs", "--no-symmetry"],
            CheckSetting::Enumerated => &["--reduce", "enumerate", "--count-full"],
            CheckSetting::Audited => &["--self-check", "--audit", "--count-full"],
        }
    }

    /// The setting without symmetry that has the same steps.
    pub(crate) fn counts_of(self) -> CheckSetting {
        match self {
            CheckSetting::Plain | CheckSetting::PlainReduced => CheckSetting::Plain,
            CheckSetting::Spin => CheckSetting::Spin,
            _ => CheckSetting::Full,
        }
    }

    /// Whether one state is stored for all that symmetries make of it.
    pub fn is_reduced(self) -> bool {
        use CheckSetting::{Audited, Default, Enumerated, PlainReduced};
        matches!(self, PlainReduced | Default | Enumerated | Audited)
    }
}

/// Whether a property is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Holds,
    Violated,
    Unknown,
}

/// What `orbit` says of all states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrbitResult {
    pub overall: Truth,
    /// By name; a formula or claim of the program is called `claim`.
    pub verdicts: BTreeMap<String, Truth>,
    pub n_states: u64,
    pub n_transitions: u64,
    /// The states that the orbits add up to.
    pub full_states: Option<u64>,
    /// States and transitions as SPIN counts them, if hidden variables make that another number.
    pub visible: Option<(u64, u64)>,
    /// Whether a fault was found after which a run does not go on.
    pub ends_runs: bool,
    /// Whether a limit ended the search.
    pub stopped: bool,
}

/// What came of asking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskResult {
    Answered(OrbitResult),
    /// A message instead of an answer.
    Refused(String),
    /// It did not end as it must.
    Wrong(String),
}

/// The binary, with a folder to run it in.
pub struct Orbit {
    orbit: PathBuf,
    folder: PathBuf,
}

impl Drop for Orbit {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Orbit {
    /// That binary, with a folder of its own.
    pub fn new(orbit: &Path) -> Orbit {
        Orbit {
            orbit: orbit.canonicalize().unwrap_or_else(|_| orbit.to_path_buf()),
            folder: std::env::temp_dir().join(format!("orbit-compare-{}", std::process::id())),
        }
    }

    /// What it says of a program.
    pub fn ask(&self, text: &str, setting: CheckSetting) -> AskResult {
        let file = self.folder.join("m.pml");
        let written =
            std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(file, text));
        if let Err(why) = written {
            return AskResult::Wrong(format!("no file: {why}"));
        }
        let mut command = Command::new(&self.orbit);
        command.args(["check", "m.pml", "--json", "--all-errors", "--quiet"]);
        command.args(["--time", "2s", "--memory", "512M"]);
        command.args(setting.flags());
        // Labels count only where cycles are asked for.
        let has_claim = text.contains("never {") || text.contains("ltl p");
        if !has_claim && text.contains("accept") {
            command.arg("-a");
        }
        if !has_claim && text.contains("progress") {
            command.arg("-l");
        }
        let ended = match limited::run(&mut command, &self.folder, CPU_MAX) {
            Ok(ended) => ended,
            Err(why) => return AskResult::Wrong(why),
        };
        let code = ended.status.code();
        let object: Result<Value, _> = serde_json::from_slice(&ended.out);
        match (code, object) {
            (Some(2), Ok(object)) => {
                let first = object["diagnostics"][0]["message"].as_str();
                AskResult::Refused(first.unwrap_or("no message").to_owned())
            }
            (Some(0 | 1 | 3), Ok(object)) => read(&object),
            (code, _) => {
                let end: String = ended.err.chars().take(300).collect();
                AskResult::Wrong(format!("exit code {code:?}: {end}"))
            }
        }
    }
}

/// Reads what is printed with `--json`.
pub fn read(object: &Value) -> AskResult {
    let verdict = |value: &Value| match value.as_str() {
        Some("holds") => Some(Truth::Holds),
        Some("violated") => Some(Truth::Violated),
        Some("unknown") => Some(Truth::Unknown),
        _ => None,
    };
    let counts = &object["counts"];
    let (Some(overall), Some(n_states), Some(n_transitions), Some(properties)) = (
        verdict(&object["verdict"]),
        counts["states"].as_u64(),
        counts["transitions"].as_u64(),
        object["properties"].as_array(),
    ) else {
        return AskResult::Wrong(format!("not understood: {counts}"));
    };
    let mut ours = OrbitResult {
        overall,
        verdicts: BTreeMap::new(),
        n_states,
        n_transitions,
        full_states: counts["full_states"].as_u64(),
        visible: None,
        ends_runs: false,
        stopped: !object["stop_reason"].is_null(),
    };
    let visible = &counts["visible"];
    if let (Some(n), Some(m)) = (visible["states"].as_u64(), visible["transitions"].as_u64()) {
        ours.visible = Some((n, m));
    }
    for property in properties {
        let (Some(name), Some(is)) = (property["name"].as_str(), verdict(&property["verdict"]))
        else {
            return AskResult::Wrong(format!("not understood: {property}"));
        };
        if name == "faults" && is == Truth::Violated {
            let others = property["others"].as_array().into_iter().flatten();
            let mut all = std::iter::once(property).chain(others);
            let is_poll = |one: &Value| one["message"].as_str().is_some_and(|m| m.contains("poll"));
            ours.ends_runs = !all.all(is_poll);
        }
        let name = if ["p", "never"].contains(&name) {
            "claim"
        } else {
            name
        };
        // The search for a formula has a limit of its own.
        ours.stopped |= is == Truth::Unknown;
        ours.verdicts.insert(name.to_owned(), is);
    }
    AskResult::Answered(ours)
}
