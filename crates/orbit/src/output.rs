//! Everything that is printed, and nothing else prints.
//!
//! Results go to standard output, complaints to standard error. With `--json` standard output is
//! one object in every case, also when the input was wrong. Colour is used only on terminals
//! (anstream decides, and honours `NO_COLOR` and `CLICOLOR_FORCE`). A reader that has heard enough
//! (`| head`) closes the pipe: that is not an error, and does not change the exit code.

use crate::answer::{Answer, Exit};
use base::{Colour, Diagnostic, Diagnostics, Severity, Sources};
use report::object::{self, Unanswered, VERSION};
use serde_json::{Map, Value, json};
use std::io::{ErrorKind, IsTerminal, Write};

/// Shows the answer, if there is one, and all diagnostics; says how the invocation ended.
///
/// # Requires
/// Where there is no answer, there is an error among the diagnostics to explain why.
pub fn show(answer: Option<Answer>, json: bool, sources: &Sources, found: Diagnostics) -> Exit {
    assert!(
        answer.is_some() || found.has_errors(),
        "no answer and no error"
    );
    let found = found.sorted();
    let drawn = found
        .iter()
        .map(|d| base::render(d, sources, Colour::Always) + "\n");
    complain(&drawn.collect::<Vec<_>>().join("\n"));
    let exit = answer.as_ref().map_or(Exit::Input, |answer| answer.exit);
    let shown = match (answer, json) {
        (answer, true) => {
            let fields = answer.map(|answer| answer.json);
            let fields = fields.unwrap_or_else(|| object::fields(&Unanswered::wrong_input()));
            format!("{}\n", with_frame(fields, &found, sources))
        }
        (Some(answer), false) => answer.text,
        (None, false) => String::new(),
    };
    match write_out(&shown) {
        Ok(()) => exit,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit,
        Err(error) => {
            complain(&format!("orbit: cannot write the result: {error}\n"));
            Exit::Input
        }
    }
}

/// How wide lines are to be: as the terminal, where there is one.
pub fn width() -> usize {
    let is_terminal = std::io::stdout().is_terminal();
    let size = is_terminal.then(terminal_size::terminal_size).flatten();
    size.map_or(WIDTH, |(width, _)| {
        usize::from(width.0).clamp(WIDTH_MIN, WIDTH_MAX)
    })
}

/// The width where nobody says one, and the least and the largest that are used.
const WIDTH: usize = 100;
const WIDTH_MIN: usize = 40;
const WIDTH_MAX: usize = 240;

/// Prints on standard error. If even that fails there is nobody left to tell.
pub fn complain(words: &str) {
    let _ = anstream::stderr().lock().write_all(words.as_bytes());
}

/// Writes on standard output at once, before there is an answer. A reader that has heard enough
/// ends the program, as it would end any other.
pub fn say(words: &str) -> Result<(), Diagnostic> {
    match write_out(words) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Diagnostic::unlocated(format!(
            "cannot write the run: {error}"
        ))),
    }
}

fn write_out(words: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(words.as_bytes())?;
    out.flush()
}

/// The fields of an answer between the version and the diagnostics that every object has.
pub(crate) fn with_frame(
    fields: Map<String, Value>,
    found: &[Diagnostic],
    sources: &Sources,
) -> Value {
    let mut object = Map::new();
    object.insert("orbit".to_owned(), json!(VERSION));
    object.extend(fields);
    let found: Vec<object::Diagnostic> = found.iter().map(|d| told(d, sources)).collect();
    object.insert("diagnostics".to_owned(), json!(found));
    Value::Object(object)
}

fn told(diagnostic: &Diagnostic, sources: &Sources) -> object::Diagnostic {
    let labels = diagnostic.labels.iter().map(|label| {
        let source = sources.get(label.span.source);
        let start = source.position(label.span.start as usize);
        let end = source.position(label.span.end as usize);
        let (file, line) = source.told(start.line);
        object::Label {
            file: file.to_string(),
            line,
            column: start.column,
            end_line: source.told(end.line).1,
            end_column: end.column,
            words: label.words.clone(),
        }
    });
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    object::Diagnostic {
        severity: severity.to_owned(),
        message: diagnostic.message.clone(),
        labels: labels.collect(),
        notes: diagnostic.notes.clone(),
    }
}
