//! Checks that a client asks for: processes of `orbit` on the file that was saved.

use crate::reading::{SOURCE, ToldMessage};
use crate::text::{ColumnUnit, Lines};
use crate::uri;
use driver::open::plain;
use gen_lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, Uri,
};
use serde_json::{Map, Value};
use serve::child::{NoAnswer, RunningCheck, message};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

/// So many may be under way at once.
pub const RUNNING_MAX: usize = 2;
/// How many steps of a run are shown beside a message.
const STEPS_MAX: usize = 200;

/// What is known of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is being checked.
    Running,
    /// What came of it, in one word, and why.
    Known {
        /// `holds`, `violated`, `unknown`.
        word: String,
        /// Why, if that is said.
        reason: Option<String>,
    },
}

/// What is to be checked.
pub struct Wanted {
    /// The document.
    pub uri: Uri,
    /// Which of its generations.
    pub generation: u64,
    /// Its file.
    pub path: PathBuf,
    /// The property; all, if it is empty.
    pub property: String,
    /// The name of the language.
    pub language: &'static str,
    /// Flags that are always given.
    pub flags: Vec<String>,
}

/// A check under way.
pub struct Begun {
    /// The document.
    pub uri: Uri,
    /// Which of its generations.
    pub generation: u64,
    /// The property.
    pub property: String,
    /// The process.
    pub process: Arc<RunningCheck>,
}

/// What came of a check.
pub struct Checked {
    /// The document.
    pub uri: Uri,
    /// Which of its generations.
    pub generation: u64,
    /// The property.
    pub property: String,
    /// The object that was printed, or why there is none.
    pub answer: Result<Map<String, Value>, NoAnswer>,
}

/// Begins a check; what comes of it is sent to `to`.
pub fn begin<E: Send + 'static>(
    program: &Path,
    wanted: Wanted,
    to: &Sender<E>,
    event: fn(Checked) -> E,
) -> std::io::Result<Begun> {
    let mut words: Vec<OsString> = ["check", "--json", "--quiet"].map(OsString::from).into();
    words.push(format!("--language={}", wanted.language).into());
    if !wanted.property.is_empty() {
        words.push(format!("--property={}", wanted.property).into());
    }
    words.extend(wanted.flags.iter().map(OsString::from));
    words.push("--".into());
    words.push(wanted.path.into());
    let process = RunningCheck::begin(Command::new(program).args(words))?;
    let process = Arc::new(process);
    let begun = Begun {
        uri: wanted.uri.clone(),
        generation: wanted.generation,
        property: wanted.property.clone(),
        process: Arc::clone(&process),
    };
    let to = to.clone();
    thread::spawn(move || {
        let answer = process.attend(&|_| {});
        let checked = Checked {
            uri: wanted.uri,
            generation: wanted.generation,
            property: wanted.property,
            answer,
        };
        // The server may have ended.
        let _ = to.send(event(checked));
    });
    Ok(begun)
}

/// What an answer says of each property.
pub fn verdicts(object: &Map<String, Value>) -> Vec<(String, Verdict)> {
    let all = object.get("properties").and_then(Value::as_array);
    let mut out = Vec::new();
    for property in all.into_iter().flatten() {
        let number = property["number"].as_u64().map(|number| number.to_string());
        let name = property["name"].as_str().map(str::to_owned);
        let verdict = verdict(property);
        out.extend(
            [number, name]
                .into_iter()
                .flatten()
                .map(|name| (name, verdict.clone())),
        );
    }
    out
}

/// What an answer, or a part of it, says on the whole.
pub fn verdict(object: &Value) -> Verdict {
    Verdict::Known {
        word: object["verdict"]
            .as_str()
            .unwrap_or("unknown")
            .replace('_', " "),
        reason: object["reason"].as_str().map(str::to_owned),
    }
}

/// Why an answer is none: the mistake that it tells.
pub fn mistake(object: &Map<String, Value>) -> Option<String> {
    let has_answer = object.contains_key("counts") || object.contains_key("properties");
    (!has_answer).then(|| message(object).unwrap_or_else(|| "there is no answer".to_owned()))
}

/// The texts of files, for places in them.
pub trait FileLines {
    /// The text of a file, and its lines.
    fn lines(&mut self, path: &Path) -> Option<(Arc<str>, Lines)>;
}

/// The runs of an answer, each at the place of what it violates, with its steps beside.
pub fn runs(
    object: &Map<String, Value>,
    main: &Path,
    files: &mut dyn FileLines,
    unit: ColumnUnit,
) -> Vec<ToldMessage> {
    let mut places = RunPlaces { main, files, unit };
    let all = object.get("properties").and_then(Value::as_array);
    let violated = all.into_iter().flatten();
    let violated = violated.filter(|property| property["verdict"] == "violated");
    violated
        .map(|property| run(property, &mut places))
        .collect()
}

struct RunPlaces<'a> {
    main: &'a Path,
    files: &'a mut dyn FileLines,
    unit: ColumnUnit,
}

impl RunPlaces<'_> {
    /// The line that something names, if it names one.
    fn of(&mut self, told: &Value) -> Option<(PathBuf, Range)> {
        let line = usize::try_from(told["line"].as_u64()?).ok()?;
        let path = match told["file"].as_str() {
            Some(file) => plain(Path::new(file)),
            None => self.main.to_path_buf(),
        };
        let (text, lines) = self.files.lines(&path)?;
        let range = lines.line(&text, line, self.unit);
        Some((path, range))
    }
}

fn run(property: &Value, places: &mut RunPlaces<'_>) -> ToldMessage {
    let name = property["name"].as_str().unwrap_or("");
    let mut words = property["message"]
        .as_str()
        .map_or_else(|| format!("{name} is violated"), str::to_owned);
    if let Some(step) = property["step"].as_str() {
        words.push_str(&format!(": {step}"));
    }
    let steps = property["witness"]["steps"].as_array();
    let mut related = Vec::new();
    for (n, step) in steps.into_iter().flatten().enumerate().take(STEPS_MAX) {
        let Some((path, range)) = places.of(step) else {
            continue;
        };
        let what = step["step"].as_str().unwrap_or("");
        let said = match step["by"].as_str() {
            Some(by) => format!("step {n}: {by}: {what}"),
            None => format!("step {n}: {what}"),
        };
        related.push(DiagnosticRelatedInformation {
            location: Location {
                uri: uri::of_path(&path),
                range,
            },
            message: said,
        });
    }
    let (path, range) = places
        .of(property)
        .unwrap_or_else(|| (places.main.to_path_buf(), Range::default()));
    ToldMessage {
        path,
        diagnostic: Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::Error),
            code: Some("violated".into()),
            source: Some(SOURCE.to_owned()),
            message: words.into(),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        },
    }
}
