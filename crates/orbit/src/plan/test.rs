//! The meaning of `orbit test`.

use super::{limit, time};
use crate::flags::TestFlags;
use crate::{amounts, languages};
use base::{Diagnostic, Diagnostics, Sources, quote};
use driver::input;
use driver::trail::{FileKind, Target};
use model::frontend::Frontend;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use suite::expect::said;
use suite::{Expectation, Listed, listed};

/// Models, and what is expected of them.
pub struct TestPlan {
    /// Each expectation with its model, in the order of the paths.
    pub all: Vec<(PathBuf, Expectation)>,
    /// What is typed for each check.
    pub words: Vec<OsString>,
    /// How many checks run at once.
    pub n_jobs: usize,
    /// Whether only what is wrong is told, a line each.
    pub short: bool,
    /// Where the JUnit report goes.
    pub junit: Option<Target>,
    /// Where what is not as expected goes, in SARIF.
    pub sarif: Option<Target>,
}

/// A report in JUnit's form.
const JUNIT: FileKind = FileKind {
    flag: "--junit",
    word: "JUnit report",
    lost: "the report is not written",
    is_one: is_report,
};

/// Results in SARIF.
const SARIF: FileKind = FileKind {
    flag: "--sarif",
    word: "file of results in SARIF",
    lost: "the results are not written",
    is_one: is_sarif,
};

fn is_sarif(text: &str) -> bool {
    text.contains("\"version\": \"2.1.0\"")
}

/// Whether a text begins as such reports do.
fn is_report(text: &str) -> bool {
    text.contains("<testsuites")
}

/// How long a check may take if nobody says it.
const TIME: &str = "10m";
/// Folders deeper than this are not looked into: a link may lead round.
const DEPTH_MAX: usize = 40;

/// The plan, or `None` if `found` says why not.
pub fn plan(flags: &TestFlags, sources: &mut Sources, found: &mut Diagnostics) -> Option<TestPlan> {
    let before = found.n_errors();
    let _ = time(&flags.time, found);
    let memory = limit(
        "--memory",
        "512M or 4G",
        &flags.memory,
        amounts::bytes,
        found,
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_jobs = flags.jobs.unwrap_or(cores);
    if n_jobs == 0 {
        found.push(Diagnostic::unlocated("`--jobs` needs at least 1"));
    }
    if flags.paths.is_empty() {
        let error = Diagnostic::unlocated("no model is given");
        found.push(error.note("type `orbit test PATH…`; `.` is all models of this folder"));
    }
    let mut files = Vec::new();
    for path in &flags.paths {
        add(path, &mut files, found);
    }
    let all = expected(files, sources, found);
    let junit = match &flags.junit {
        Some(path) => Target::open(&JUNIT, path, None, found),
        None => None,
    };
    let sarif = match &flags.sarif {
        Some(path) => Target::open(&SARIF, path, None, found),
        None => None,
    };
    if found.n_errors() > before {
        return None;
    }
    let mut words: Vec<OsString> = Vec::new();
    words.push(format!("--time={}", flags.time.as_deref().unwrap_or(TIME)).into());
    let share = amounts::free_memory().map(|bytes| bytes / n_jobs as u64);
    if let Some(bytes) = memory.or(share) {
        words.push(format!("--memory={bytes}").into());
    }
    Some(TestPlan {
        all,
        words,
        n_jobs,
        short: flags.short,
        junit,
        sarif,
    })
}

/// What is expected of these models: by their comments, and by files beside them.
fn expected(
    files: Vec<PathBuf>,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Vec<(PathBuf, Expectation)> {
    let mut lists: BTreeMap<PathBuf, Listed> = BTreeMap::new();
    let mut all = Vec::new();
    for file in files {
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let list = lists
            .entry(folder)
            .or_insert_with_key(|folder| list_of(folder, sources, found));
        let name = file.file_name().map(|name| name.to_string_lossy());
        let listed = name.and_then(|name| list.get(&*name).cloned());
        match input::read_loosely(&file, sources) {
            Ok(source) => {
                let mut expected = said(source, sources, found);
                expected.extend(listed.unwrap_or_default().expected);
                if expected.is_empty() {
                    expected.push(Expectation::silent());
                }
                all.extend(expected.into_iter().map(|one| (file.clone(), one)));
            }
            Err(why) => found.push(why),
        }
    }
    all
}

/// What the list of a folder says, if there is one. A model that is not there is a mistake.
fn list_of(folder: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Listed {
    let path = folder.join(suite::listed::NAME);
    if !path.is_file() {
        return Listed::new();
    }
    match input::read(&path, sources) {
        Ok(source) => {
            let list = listed(source, sources, found);
            for (name, model) in &list {
                if let (false, Some(place)) = (folder.join(name).is_file(), model.place) {
                    let message = format!("there is no file {} here", quote(name));
                    found.push(Diagnostic::error(place, message));
                }
            }
            list
        }
        Err(why) => {
            found.push(why);
            Listed::new()
        }
    }
}

/// The models that a path names.
fn add(path: &Path, files: &mut Vec<PathBuf>, found: &mut Diagnostics) {
    if path == Path::new("-") {
        let message = "`orbit test` needs files: each check reads its model again";
        found.push(Diagnostic::unlocated(message));
        return;
    }
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return;
    }
    let before = files.len();
    below(path, 0, files, found);
    if files.len() == before {
        let name = quote(&path.display().to_string());
        let endings: Vec<&str> = languages::all()
            .flat_map(Frontend::endings)
            .copied()
            .collect();
        let message = format!("there is no model in the folder {name}");
        let note = format!("models end in .{}", endings.join(", ."));
        found.push(Diagnostic::unlocated(message).note(note));
    }
}

/// The models below a folder, in the order of their names; hidden ones are left out.
fn below(folder: &Path, depth: usize, files: &mut Vec<PathBuf>, found: &mut Diagnostics) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) => {
            let name = quote(&folder.display().to_string());
            found.push(Diagnostic::unlocated(format!(
                "cannot read the folder {name}: {why}"
            )));
            return;
        }
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        if name.is_none_or(|name| name.starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            if depth < DEPTH_MAX {
                below(&path, depth + 1, files, found);
            }
        } else if languages::of_name(&path).is_some() {
            files.push(path);
        }
    }
}
