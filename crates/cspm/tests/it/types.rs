//! Names and types of scripts.

mod corpus;
mod deep;
mod dots;
mod good;
mod mistakes;
mod modules;
mod noise;
mod twin;

use base::{Colour, Diagnostics, Severity, Sources, render};
use cspm::typeck::known::ScriptTypes;

/// What was said of a script.
pub struct Said {
    /// The types, if all is well.
    pub typed: Option<ScriptTypes>,
    /// Whether the script could be read at all.
    pub is_read: bool,
    /// `line:column: message` of each error.
    pub errors: Vec<String>,
    /// The same for warnings.
    pub warnings: Vec<String>,
    /// All messages as they are drawn.
    pub drawn: String,
}

/// Reads a script and finds its types.
pub fn check_with(name: &str, text: &str, include: &mut cspm::project::Include) -> Said {
    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    let main = sources.add(name, text);
    let script = cspm::read(main, &mut sources, include, &mut found);
    let typed = script.as_ref().and_then(|s| cspm::check(s, &mut found));
    let mut said = Said {
        typed,
        is_read: script.is_some(),
        errors: Vec::new(),
        warnings: Vec::new(),
        drawn: String::new(),
    };
    for diagnostic in found.sorted() {
        said.drawn += &render(&diagnostic, &sources, Colour::Never);
        let mut text = diagnostic.message.clone();
        if let Some(label) = diagnostic.labels.first() {
            let source = sources.get(label.span.source);
            let at = source.position(label.span.start as usize);
            text = format!("{}:{}: {text}", at.line, at.column);
        }
        match diagnostic.severity {
            Severity::Error => said.errors.push(text),
            Severity::Warning => said.warnings.push(text),
        }
    }
    said
}

/// The same for a script that needs no other file.
pub fn check(text: &str) -> Said {
    check_with("m.csp", text, &mut |_| None)
}

/// The type of a definition of a script that is right.
#[track_caller]
pub fn type_of(name: &str, text: &str) -> String {
    let said = check(text);
    let Some(typed) = &said.typed else {
        panic!("{}", said.drawn);
    };
    let mut all = typed.definitions.iter();
    match all.find(|definition| definition.name == name) {
        Some(definition) => definition.shown.clone(),
        None => panic!("no {name} in {text}"),
    }
}

/// The only error of a script, as `line:column: message`.
#[track_caller]
pub fn error_of(text: &str) -> String {
    let said = check(text);
    assert!(said.is_read, "{}", said.drawn);
    match &said.errors[..] {
        [error] => error.clone(),
        _ => panic!("{} errors in {text}:\n{}", said.errors.len(), said.drawn),
    }
}

/// The first error of a script.
#[track_caller]
pub fn first_error_of(text: &str) -> String {
    let said = check(text);
    assert!(said.is_read, "{}", said.drawn);
    let first = said.errors.first();
    first
        .unwrap_or_else(|| panic!("no error in {text}"))
        .clone()
}
