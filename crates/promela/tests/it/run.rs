//! Runs the front end on texts and shows what it says.

use base::{Colour, Diagnostic, Diagnostics, Severity, SourceId, Sources, render};
use promela::lower::{Ends, FullChannels, Options, lower};
use promela::preprocess::{IncludeRequest, preprocess};
use promela::typed::Typed;

/// What the front end says about a text.
pub struct Said {
    /// All messages, drawn.
    pub drawn: String,
    /// The errors, one line each.
    pub errors: Vec<String>,
    /// The warnings, one line each.
    pub warnings: Vec<String>,
    /// The model, if there are no errors.
    pub model: Option<Typed>,
}

/// Reads one of these files.
fn include(
    files: &[(&str, &str)],
    sources: &mut Sources,
    request: &IncludeRequest,
) -> Result<SourceId, Diagnostic> {
    let file = files.iter().find(|(name, _)| *name == request.path);
    let (name, text) = file.ok_or_else(|| Diagnostic::unlocated("there is no such file"))?;
    Ok(sources.add(*name, *text))
}

/// A message in one line.
fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.labels.first().map(|label| {
        let source = sources.get(label.span.source);
        let position = source.position(label.span.start as usize);
        format!("{}:{}: ", position.line, position.column)
    });
    place.unwrap_or_default() + &diagnostic.message
}

/// Checks the first of `files`; the others can be included.
pub fn check_files(files: &[(&str, &str)], defines: &[&str]) -> Said {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(files[0].0, files[0].1);
    let defines: Vec<SourceId> = defines.iter().map(|d| sources.add("-D", *d)).collect();
    let mut include =
        |sources: &mut Sources, request: &IncludeRequest| include(files, sources, request);
    let model = promela::check(main, &defines, &mut sources, &mut include, &mut found);
    if let Some(typed) = &model {
        // Whatever is accepted is lowered or refused, without a panic; the rest is in `lower`.
        let options = Options {
            ends: Ends::Step,
            full: FullChannels::Block,
        };
        let mut refused = Diagnostics::new();
        let lowered = lower(typed, &sources, &options, &mut refused);
        assert_eq!(lowered.is_none(), refused.has_errors());
    }
    let found = found.sorted();
    let drawn: Vec<String> = found
        .iter()
        .map(|d| render(d, &sources, Colour::Never))
        .collect();
    let of = |severity: Severity| {
        let those = found.iter().filter(|d| d.severity == severity);
        those.map(|d| line(d, &sources)).collect()
    };
    Said {
        drawn: drawn.join("\n\n"),
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
        model,
    }
}

/// Checks one text.
pub fn check(text: &str) -> Said {
    check_files(&[("m.pml", text)], &[])
}

/// The model of a text that has no errors.
#[track_caller]
pub fn model(text: &str) -> Typed {
    let said = check(text);
    said.model
        .unwrap_or_else(|| panic!("{text}\n{}", said.drawn))
}

/// The tokens that the preprocessor leaves, with spaces between them, and what it says.
pub fn tokens(files: &[(&str, &str)], defines: &[&str]) -> (String, Vec<String>) {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(files[0].0, files[0].1);
    let defines: Vec<SourceId> = defines.iter().map(|d| sources.add("-D", *d)).collect();
    let mut include =
        |sources: &mut Sources, request: &IncludeRequest| include(files, sources, request);
    let read = preprocess(main, &defines, &mut sources, &mut include, &mut found);
    let texts: Vec<String> = read.tokens.iter().map(|t| t.text()).collect();
    let said = found.sorted().iter().map(|d| line(d, &sources)).collect();
    (texts.join(" "), said)
}
