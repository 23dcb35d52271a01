//! Runs the front end on texts and shows what it says.

use base::{Colour, Diagnostic, Diagnostics, Severity, SourceId, Sources, render};
use promela::preprocess::IncludeRequest;

/// What the front end says about a text.
pub struct Said {
    /// All messages, drawn.
    pub drawn: String,
    /// The errors, one line each.
    pub errors: Vec<String>,
    /// The warnings, one line each.
    pub warnings: Vec<String>,
}

/// Checks a model that is the file `name` among `files`; the others can be included.
pub fn check_files(files: &[(&str, &str)], defines: &[&str]) -> Said {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(files[0].0, files[0].1);
    let defines: Vec<SourceId> = defines.iter().map(|d| sources.add("-D", *d)).collect();
    let mut include = |sources: &mut Sources, request: &IncludeRequest| {
        let file = files.iter().find(|(name, _)| *name == request.path);
        let (name, text) = file.ok_or_else(|| Diagnostic::unlocated("there is no such file"))?;
        Ok(sources.add(*name, *text))
    };
    promela::check(main, &defines, &mut sources, &mut include, &mut found);
    let found = found.sorted();
    let drawn: Vec<String> = found.iter().map(|d| render(d, &sources, Colour::Never)).collect();
    let of = |severity: Severity| {
        let line = |d: &Diagnostic| {
            let place = d.labels.first().map(|label| {
                let position = sources.get(label.span.source).position(label.span.start as usize);
                format!("{}:{}: ", position.line, position.column)
            });
            place.unwrap_or_default() + &d.message
        };
        found.iter().filter(|d| d.severity == severity).map(line).collect()
    };
    Said {
        drawn: drawn.join("\n\n"),
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
    }
}

/// Checks one text.
pub fn check(text: &str) -> Said {
    check_files(&[("m.pml", text)], &[])
}
