//! What can be checked, above the line where it is written, and what is known of the whole model.

use crate::check::{self, Begun, Checked, FileLines, RUNNING_MAX, Verdict, Wanted};
use crate::document::{Document, SymmetryState};
use crate::reading::{SOURCE, ToldMessage};
use crate::session::{Event, Session};
use crate::text::Lines;
use crate::uri;
use base::Sources;
use driver::input;
use driver::open::plain;
use gen_lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    ExecuteCommandParams, Location, MessageType, Range, Uri,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The command that checks a property, or all.
pub const CHECK: &str = "orbit.check";
/// The command that stops the checks of a document.
pub const STOP: &str = "orbit.stop";

/// How the lens of a property is worded.
fn title(what: &str, verdict: Option<&Verdict>) -> String {
    match verdict {
        None => what.to_owned(),
        Some(Verdict::Running) => "checking … (stop)".to_owned(),
        Some(Verdict::Known { word, reason }) => match reason {
            Some(reason) => format!("{word}: {reason} — check again"),
            None => format!("{word} — check again"),
        },
    }
}

impl Session {
    /// The lenses of a document.
    pub fn lenses(&self, uri: &Uri) -> Option<Vec<CodeLens>> {
        let document = self.document(uri)?;
        let seen = self.seen(document).into_iter().next()?;
        let outline = &seen.understood.outline;
        let is_own = seen.source.index() == 0;
        let mut lenses = Vec::new();
        let first = outline
            .symbols
            .iter()
            .filter(|symbol| symbol.span.source == seen.source);
        let first = first
            .map(|symbol| symbol.whole.range())
            .min_by_key(|range| range.start);
        let first = first.and_then(|range| seen.bytes(range));
        let top = first.map_or_else(Range::default, |bytes| {
            document.range(bytes.start..bytes.start, self.unit())
        });
        if is_own && document.language.is_some() {
            lenses.push(lens(
                document,
                top,
                "",
                title("check all", document.verdicts.get("")),
            ));
            lenses.extend(symmetry_words(document).map(|words| CodeLens {
                range: top,
                command: Some(Command {
                    title: words,
                    tooltip: None,
                    command: String::new(),
                    arguments: None,
                }),
                data: None,
            }));
        }
        let properties = outline.properties.iter();
        for property in properties.filter(|property| property.span.source == seen.source) {
            let Some(bytes) = seen.bytes(property.span.range()) else {
                continue;
            };
            let range = document.range(bytes, self.unit());
            let title = title("check", document.verdicts.get(&property.word));
            if is_own {
                lenses.push(lens(document, range, &property.word, title));
            }
        }
        Some(lenses)
    }

    /// Lines that keep parts of a model apart, as messages.
    pub fn blockers(&self, document: &Document) -> Vec<ToldMessage> {
        let SymmetryState::Found(found) = &document.symmetry else {
            return Vec::new();
        };
        let told = found.blockers.iter().map(|blocker| {
            let line = blocker.line.unwrap_or(1);
            let range = document.lines.line(&document.text, line, self.unit());
            let beside = |words: &String| DiagnosticRelatedInformation {
                location: Location {
                    uri: document.uri.clone(),
                    range,
                },
                message: words.clone(),
            };
            let related: Vec<_> = blocker.advice.iter().map(beside).collect();
            let mut message = blocker.reason.clone();
            if !self.shows_related() {
                blocker
                    .advice
                    .iter()
                    .for_each(|words| message.push_str(&format!("\n{words}")));
            }
            ToldMessage {
                path: document.path.clone(),
                diagnostic: Diagnostic {
                    range,
                    severity: Some(DiagnosticSeverity::Information),
                    code: Some("symmetry".into()),
                    source: Some(SOURCE.to_owned()),
                    message: message.into(),
                    related_information: (self.shows_related() && !related.is_empty())
                        .then_some(related),
                    ..Diagnostic::default()
                },
            }
        });
        told.collect()
    }

    /// Does what a command asks for; whether there is such a command.
    pub fn execute(&mut self, asked: &ExecuteCommandParams) -> bool {
        let arguments = asked.arguments.as_deref().unwrap_or_default();
        let word = |n: usize| {
            arguments
                .get(n)
                .and_then(Value::as_str)
                .unwrap_or("")
                .to_owned()
        };
        let uri = Uri(word(0));
        match asked.command.as_str() {
            CHECK => self.check(&uri, word(1)),
            STOP => self.stop_checks(|begun| begun.uri == uri),
            _ => return false,
        }
        true
    }

    fn check(&mut self, uri: &Uri, property: String) {
        if let Err(why) = self.begin_check(uri, property) {
            self.say(MessageType::Error, &why.0);
        }
        self.refresh();
    }

    fn begin_check(&mut self, uri: &Uri, property: String) -> Result<(), Refused> {
        let refused = |words: &str| Refused(words.to_owned());
        let document = self
            .document(uri)
            .ok_or_else(|| refused("this document is not open"))?;
        let language = document
            .language
            .ok_or_else(|| refused("this is no model"))?;
        let name = document.path.display().to_string();
        let mut sources = Sources::new();
        let saved = input::read_loosely(&document.path, &mut sources);
        let saved = saved.ok().map(|id| sources.get(id).text().to_owned());
        if !uri::is_file(uri) || saved.as_deref() != Some(&*document.text) {
            return Err(Refused(format!(
                "save {name} first: what is checked is the file"
            )));
        }
        if self.checks().len() >= RUNNING_MAX {
            return Err(refused(
                "two checks are under way: stop one, or wait for it",
            ));
        }
        let wanted = Wanted {
            uri: uri.clone(),
            generation: document.generation,
            path: document.path.clone(),
            property: property.clone(),
            language: language.language(),
            flags: self.check_flags(),
        };
        let begun = check::begin(self.program(), wanted, self.queue(), Event::Checked);
        let begun = begun.map_err(|why| Refused(format!("the check cannot be started: {why}")))?;
        self.checks_mut().push(begun);
        if let Some(document) = self.document_mut(uri) {
            document.verdicts.insert(property, Verdict::Running);
        }
        Ok(())
    }

    /// Stops some of the checks.
    pub fn stop_checks(&mut self, which: impl Fn(&Begun) -> bool) {
        for begun in self.checks().iter().filter(|begun| which(begun)) {
            begun.process.stop();
        }
    }

    /// Takes in what came of a check.
    pub fn checked(&mut self, checked: Checked) {
        let Checked {
            uri,
            generation,
            property,
            answer,
        } = checked;
        self.checks_mut().retain(|begun| {
            (&begun.uri, begun.generation, &begun.property) != (&uri, generation, &property)
        });
        let unit = self.unit();
        let current = self
            .document(&uri)
            .filter(|document| document.generation == generation);
        let Some(path) = current.map(|document| document.path.clone()) else {
            return;
        };
        let mistake = match &answer {
            Ok(object) => check::mistake(object),
            Err(why) => Some(why.0.clone()),
        };
        let runs = match &answer {
            Ok(object) => check::runs(object, &path, &mut FilesOf(self), unit),
            Err(_) => Vec::new(),
        };
        let Some(document) = self.document_mut(&uri) else {
            return;
        };
        document.verdicts.remove(&property);
        match (&mistake, answer) {
            (None, Ok(object)) => {
                let verdicts = check::verdicts(&object);
                let is_asked = |name: &str| property.is_empty() || name == property;
                let of_asked = verdicts.iter().filter(|(name, _)| is_asked(name));
                let known = of_asked.map(|(name, verdict)| (name.clone(), verdict.clone()));
                document.verdicts.extend(known);
                if property.is_empty() {
                    let whole = check::verdict(&Value::Object(object));
                    document.verdicts.insert(property, whole);
                }
                let places = |all: &[ToldMessage]| -> Vec<(Range, std::path::PathBuf)> {
                    all.iter()
                        .map(|run| (run.diagnostic.range, run.path.clone()))
                        .collect()
                };
                let new = places(&runs);
                document
                    .runs
                    .retain(|run| !new.contains(&(run.diagnostic.range, run.path.clone())));
                document.runs.extend(runs);
            }
            (Some(why), _) => {
                let words = format!("{}: {why}", path.display());
                self.say(MessageType::Error, &words);
            }
            (None, Err(_)) => {}
        }
        self.refresh();
        self.publish();
    }
}

/// Why a check is not begun, in words.
struct Refused(String);

/// The texts of files: those that are open before those on disk.
struct FilesOf<'s>(&'s Session);

impl FileLines for FilesOf<'_> {
    fn lines(&mut self, path: &Path) -> Option<(Arc<str>, Lines)> {
        if let Some(document) = self.0.by_path(&plain(path)) {
            return Some((Arc::clone(&document.text), document.lines.clone()));
        }
        let mut sources = Sources::new();
        let id = input::read_loosely(path, &mut sources).ok()?;
        let text = sources.get(id).text();
        Some((text.into(), Lines::of(text)))
    }
}

fn lens(document: &Document, range: Range, property: &str, title: String) -> CodeLens {
    let is_running = document.verdicts.get(property) == Some(&Verdict::Running);
    let mut arguments = vec![json!(document.uri.0)];
    if !property.is_empty() {
        arguments.push(json!(property));
    }
    CodeLens {
        range,
        command: Some(Command {
            title,
            tooltip: None,
            command: (if is_running { STOP } else { CHECK }).to_owned(),
            arguments: Some(arguments),
        }),
        data: None,
    }
}

/// What the lens of the model says of its symmetry.
fn symmetry_words(document: &Document) -> Option<String> {
    match &document.symmetry {
        SymmetryState::Unknown => None,
        SymmetryState::Sought => Some("symmetry: …".to_owned()),
        SymmetryState::NotFound => Some("symmetry: not known".to_owned()),
        SymmetryState::Found(found) => {
            let mut words: Vec<String> = Vec::new();
            for group in &found.groups {
                if !words.contains(&group.words) {
                    words.push(group.words.clone());
                }
            }
            (!words.is_empty()).then(|| format!("symmetry: {}", words.join("; ")))
        }
    }
}
